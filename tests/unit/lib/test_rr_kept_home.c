// SPDX-License-Identifier: Apache-2.0
/* rr_kept whose grant comes home. */
#include "test_rr_kept.c" // NOLINT(bugprone-suspicious-include): the same test, another build
