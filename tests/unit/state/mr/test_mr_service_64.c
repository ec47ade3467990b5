// SPDX-License-Identifier: Apache-2.0
/* test_mr_service.c with a 64-bit data path. */
#include "test_mr_service.c"
