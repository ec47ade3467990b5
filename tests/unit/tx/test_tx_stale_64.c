// SPDX-License-Identifier: Apache-2.0
/* Jobs that may not leave any more, 64 bits. */
#include "test_tx_stale_512.c"
