// SPDX-License-Identifier: Apache-2.0
/* sync_fifo_ram at its smallest. */
#define BUFFER "sync_fifo_ram4"
#define CAPACITY 4
#define LATENCY 3
#define LEVEL
#include "stream_buffer_test.h"
