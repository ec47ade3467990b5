// SPDX-License-Identifier: Apache-2.0
/* stream_half: one word, one cycle, a word every second cycle. */
#define BUFFER "stream_half"
#define CAPACITY 1
#define LATENCY 1
#define PACE 2
#include "stream_buffer_test.h"
