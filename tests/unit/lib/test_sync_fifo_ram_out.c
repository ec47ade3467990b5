// SPDX-License-Identifier: Apache-2.0
/* sync_fifo_ram whose words come out of the RAM, without a register behind it. */
#define BUFFER "sync_fifo_ram_out"
#define CAPACITY 16
#define LATENCY 2
#define LEVEL
#include "stream_buffer_test.h"
