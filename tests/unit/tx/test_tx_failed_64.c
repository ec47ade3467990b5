// SPDX-License-Identifier: Apache-2.0
/* tx_path with failed responses, 64 bits. */
#include "test_tx_failed_512.c"
