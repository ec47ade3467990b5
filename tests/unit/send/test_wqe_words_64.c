// SPDX-License-Identifier: Apache-2.0
/* wqe_words where a beat is an eighth of a block. */
#include "test_wqe_words.c" // NOLINT(bugprone-suspicious-include): the same test, another build
