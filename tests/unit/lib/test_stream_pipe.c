// SPDX-License-Identifier: Apache-2.0
/* stream_pipe of three stages: two words each. */
#define BUFFER "stream_pipe"
#define CAPACITY 6
#define LATENCY 3
#include "stream_buffer_test.h"
