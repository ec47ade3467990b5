// SPDX-License-Identifier: Apache-2.0
/* test_mr_access.c where each record has its place on chip, and no windows are built. */
#define ON_CHIP true
#include "test_mr_access.c"
