// SPDX-License-Identifier: Apache-2.0
/* test_pend_queue where the choice among kicks stays in a register. */
#include "test_pend_queue.c" // NOLINT(bugprone-suspicious-include): the same test, another build
