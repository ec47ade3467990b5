// SPDX-License-Identifier: Apache-2.0
/* turn_bytes, 64 bits. */
#include "test_turn_bytes.c"
