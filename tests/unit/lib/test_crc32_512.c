// SPDX-License-Identifier: Apache-2.0
/* crc32: 512-bit data, any tail. */
#define UNIT 1
#define BASE 0
#define CHECK 0
#include "crc32_test.h"
