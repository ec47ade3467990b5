// SPDX-License-Identifier: Apache-2.0
/* sync_fifo_ram, a depth that is no power of two. */
#define BUFFER "sync_fifo_ram"
#define CAPACITY 300
#define LATENCY 3
#define LEVEL
#include "stream_buffer_test.h"
