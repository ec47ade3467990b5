// SPDX-License-Identifier: Apache-2.0
/* rsp_res_words: the same at 64 bit, a row in eight beats, an entry in four words. */
#include "test_rsp_res_cache.c"
