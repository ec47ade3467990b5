// SPDX-License-Identifier: Apache-2.0
/* cq_cached as the 512-bit builds have it. */
#include "test_cq_cached.c"
