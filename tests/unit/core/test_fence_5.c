// SPDX-License-Identifier: Apache-2.0
/* fence with another number of inputs and another quiet time. */
#define NBUSY 5
#define QUIET 13
#include "test_fence.c"
