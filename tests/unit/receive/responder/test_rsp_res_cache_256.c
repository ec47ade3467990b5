// SPDX-License-Identifier: Apache-2.0
/* rsp_res_words: the same at 256 bit, a row in two beats, an entry in one word. */
#include "test_rsp_res_cache.c"
