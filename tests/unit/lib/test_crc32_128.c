// SPDX-License-Identifier: Apache-2.0
/* crc32: 128-bit data, tails of two bytes and a multiple of four. */
#define UNIT 4
#define BASE 2
#define CHECK 0
#include "crc32_test.h"
