// SPDX-License-Identifier: Apache-2.0
/* qp_scheduler with one look-up a cycle: a kick or a give-back. */
#include "test_qp_scheduler.c" // NOLINT(bugprone-suspicious-include): the same test, another build
