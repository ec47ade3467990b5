// SPDX-License-Identifier: Apache-2.0
/* cmp_block where a look-up brings a part of a block: no more than the element is kept. */
#define PARTS 4
#include "test_cmp_block.c"
