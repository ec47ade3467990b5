// SPDX-License-Identifier: Apache-2.0
/* sync_fifo_level, a depth that is no power of two. */
#define BUFFER "sync_fifo_level"
#define CAPACITY 5
#define LATENCY 1
#define LEVEL
#include "stream_buffer_test.h"
