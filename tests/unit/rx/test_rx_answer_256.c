// SPDX-License-Identifier: Apache-2.0
/* rx_answer, 256 bits. */
#include "test_rx_answer_512.c"
