// SPDX-License-Identifier: Apache-2.0
/* tx_path into rx_path, 64 bits. */
#include "test_tx_rx_loop_512.c"
