/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the directory of a NIC in /sys/devices; paths are relative to it. */
#ifndef NIC_ATTRS_H
#define NIC_ATTRS_H

#include "facts.h"
#include "files.h"
#include "provider.h"

int nic_attr_look(struct nic *nic, const char *path, struct file *file);
int nic_attr_link(struct nic *nic, const char *path, char target[FILE_PATH_BYTES]);
int nic_attr_text(struct nic *nic, const char *path, char text[FILE_TEXT_BYTES]);
void nic_attr_list(struct nic *nic, const char *path, file_add add, void *arg);

#endif
