// SPDX-License-Identifier: Apache-2.0
/* The same where blocks come in parts: the first one is read like the others. */
#define WORD 16
#include "test_req_inline.c"
