// SPDX-License-Identifier: Apache-2.0
/* rsp_res at 64 bit: the two within it, and how an entry comes out of them. */
#include "test_rsp_res_cache.c"
