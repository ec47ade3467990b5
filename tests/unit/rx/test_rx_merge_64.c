// SPDX-License-Identifier: Apache-2.0
#include "test_rx_merge_512.c"
