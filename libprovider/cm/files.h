/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file functions of the C library, past our own of the same names (device.c), and those that
 * take a descriptor of the connection manager's device.
 */
#ifndef CAIRN_CM_FILES_H
#define CAIRN_CM_FILES_H

#include <sys/stat.h>

#include "../interpose.h"

int real_fstat(int fd, struct stat *st);

#endif
