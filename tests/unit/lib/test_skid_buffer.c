// SPDX-License-Identifier: Apache-2.0
/* skid_buffer: two words, one cycle. */
#define BUFFER "skid_buffer"
#define CAPACITY 2
#define LATENCY 1
#include "stream_buffer_test.h"
