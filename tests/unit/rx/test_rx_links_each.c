// SPDX-License-Identifier: Apache-2.0
/* rx_links, a RAM for each reader. */
#include "test_rx_links.c"
