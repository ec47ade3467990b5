// SPDX-License-Identifier: Apache-2.0
/* What a QP does not take, 64 bits. */
#include "test_rx_qps_512.c"
