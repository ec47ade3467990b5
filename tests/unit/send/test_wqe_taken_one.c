// SPDX-License-Identifier: Apache-2.0
/* wqe_taken with one look-up a cycle, of either port. */
#include "test_wqe_taken.c" // NOLINT(bugprone-suspicious-include): the same test, another build
