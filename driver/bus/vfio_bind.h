/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handing a PCI function from its driver to vfio-pci and back, by sysfs.  For `cairn bind` and
 * `cairn unbind`; not exported from libcairn.so.
 */
#ifndef CAIRN_VFIO_BIND_H
#define CAIRN_VFIO_BIND_H

#include <stdbool.h>
#include <stddef.h>

/* The directory of files that name the addresses of functions ("gids", nic_json.h). */
extern const char *cairn_vfio_run;
/* The file of a function: cairn_vfio_run/BDF.json.  addr: as cairn_open() takes it. */
void cairn_vfio_file(const char *addr, char *path, size_t size);

bool cairn_vfio_is_bdf(const char *addr);
/*
 * "01:00.0,02:00.0": functions that processes are to share among them, as full addresses in list.
 * Each is a Cairn NIC bound to vfio-pci, and no two are in one IOMMU group, which one process has
 * as a whole.  0, or -errno with a message.
 */
int cairn_vfio_functions(const char *text, char *list, size_t size);
/*
 * addr: as cairn_open() takes it for a PCI function.  0, or -errno with a message, nothing being
 * changed then.  On success `text` says what was done and what else to do; several lines.
 */
int cairn_vfio_bind(const char *addr, char *text, size_t size);
/* The kernel picks a driver for the function, as if it had just been found. */
int cairn_vfio_unbind(const char *addr, char *text, size_t size);

#endif
