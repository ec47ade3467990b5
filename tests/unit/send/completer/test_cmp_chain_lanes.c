// SPDX-License-Identifier: Apache-2.0
/* The test of test_cmp_chain.c where slots share chains, one at a time. */
#include "test_cmp_chain.c"
