// SPDX-License-Identifier: Apache-2.0
/* The counts of pins in block RAM, as a cache of 1024 slots and more has them. */
#include "test_ctx_cache.c"
