// SPDX-License-Identifier: Apache-2.0
/* rx_record_meta, without atomics. */
#include "test_rx_record_meta.c"
