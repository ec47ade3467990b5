// SPDX-License-Identifier: Apache-2.0
/* rsp_res_words: the same at 128 bit, a row in four beats, an entry in two words. */
#include "test_rsp_res_cache.c"
