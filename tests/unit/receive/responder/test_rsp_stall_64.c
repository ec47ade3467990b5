// SPDX-License-Identifier: Apache-2.0
/* test_rsp_stall at 64 bit. */
#define IN_FRONT 3u
#include "test_rsp_stall.c"
