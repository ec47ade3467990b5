// SPDX-License-Identifier: Apache-2.0
/* test_wqe_asks.c without a register. */
#include "test_wqe_asks.c" // NOLINT(bugprone-suspicious-include): the same test, another build
