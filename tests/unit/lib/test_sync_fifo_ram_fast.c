// SPDX-License-Identifier: Apache-2.0
/* sync_fifo_ram that shows the word of an empty FIFO in the next cycle. */
#define BUFFER "sync_fifo_ram_fast"
#define CAPACITY 300
#define LATENCY 1
#define LEVEL
#include "stream_buffer_test.h"
