// SPDX-License-Identifier: Apache-2.0
/* crc32: 512-bit data, comparing form. */
#define UNIT 1
#define BASE 0
#define CHECK 1
#include "crc32_test.h"
