// SPDX-License-Identifier: Apache-2.0
/* rsp_res_cache at 64 bit: a row in eight beats. */
#include "test_rsp_res_cache.c"
