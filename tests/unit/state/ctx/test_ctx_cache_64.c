// SPDX-License-Identifier: Apache-2.0
/* One set of eight ways, 64-bit data path. */
#include "test_ctx_cache.c"
