// SPDX-License-Identifier: Apache-2.0
/* rx_raw, 64 bits. */
#include "test_rx_raw_512.c"
