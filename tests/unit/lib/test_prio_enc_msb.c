// SPDX-License-Identifier: Apache-2.0
/* prio_enc, highest bit first. */
#define MSB_FIRST 1
#include "test_prio_enc.c"
