// SPDX-License-Identifier: Apache-2.0
/* rx_gid_ring, as in build small. */
#include "test_rx_gid_ring.c"
