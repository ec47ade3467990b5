// SPDX-License-Identifier: Apache-2.0
/* The rules of qp_lookup where all records are on chip. */
#include "test_lookup_rules.c" // NOLINT(bugprone-suspicious-include): the same test, another build
