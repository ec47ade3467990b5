// SPDX-License-Identifier: Apache-2.0
/* rx_buffer, 256 bits. */
#include "test_rx_buffer_512.c"
