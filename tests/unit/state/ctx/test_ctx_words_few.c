// SPDX-License-Identifier: Apache-2.0
/* See test_ctx_words.c: a record of which firmware has fewer words. */
#include "test_ctx_words.c"
