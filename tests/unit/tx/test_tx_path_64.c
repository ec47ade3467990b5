// SPDX-License-Identifier: Apache-2.0
/* tx_path, 64 bits. */
#include "test_tx_path_512.c"
