// SPDX-License-Identifier: Apache-2.0
/* req_block where a look-up brings a quarter of a block. */
#define PARTS 4
#include "test_req_block.c" // NOLINT(bugprone-suspicious-include): the same test, another build
