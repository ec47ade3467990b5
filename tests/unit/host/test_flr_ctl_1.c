// SPDX-License-Identifier: Apache-2.0
/* flr_ctl with the shortest reset. */
#define RESET_CYCLES 1
#include "test_flr_ctl.c"
