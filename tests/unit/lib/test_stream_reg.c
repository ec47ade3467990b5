// SPDX-License-Identifier: Apache-2.0
/* stream_reg: one word, one cycle. */
#define BUFFER "stream_reg"
#define CAPACITY 1
#define LATENCY 1
#include "stream_buffer_test.h"
