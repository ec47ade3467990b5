// SPDX-License-Identifier: Apache-2.0
/* sync_fifo, a depth that is no power of two. */
#define BUFFER "sync_fifo"
#define CAPACITY 5
#define LATENCY 1
#include "stream_buffer_test.h"
