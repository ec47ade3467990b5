// SPDX-License-Identifier: Apache-2.0
/* test_rsp_stall at 64 bit. */
#define IN_FRONT 0u /* none: what is looked at parks at once, or is not looked at yet */
#include "test_rsp_stall.c"
