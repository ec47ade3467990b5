// SPDX-License-Identifier: Apache-2.0
/* test_rsp_stall at 64 bit, with records in RAMs that are shared. */
#include "test_rsp_stall.c"
