// SPDX-License-Identifier: Apache-2.0
/* test_pend_strobe with CHOSEN: a kick is chosen in the cycle before it is taken. */
#define LATE 1
#include "test_pend_strobe.c" // NOLINT(bugprone-suspicious-include): the same test, another build
