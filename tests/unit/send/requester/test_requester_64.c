// SPDX-License-Identifier: Apache-2.0
/* The same with the narrow data path. */
#define A_MESSAGE 8
#define A_VISIT 17
#include "test_requester.c"
