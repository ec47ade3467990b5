// SPDX-License-Identifier: Apache-2.0
/* cpu_alu whose shifts are combinational. */
#define BARREL 1
#include "test_cpu_alu.c"
