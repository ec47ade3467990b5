// SPDX-License-Identifier: Apache-2.0
/* rsp_behind of many packets: the same. */
#define MOST 18u
#include "test_rsp_behind.c"
