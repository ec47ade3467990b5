// SPDX-License-Identifier: Apache-2.0
/* test_cq_service.c with a 64-bit data path. */
#include "test_cq_service.c"
