// SPDX-License-Identifier: Apache-2.0
/* rx_parser with rx_icrc, 128 bits. */
#include "test_rx_parser_512.c"
