// SPDX-License-Identifier: Apache-2.0
/* dma_read at 64 bit with 64 tags. */
#define TAGS_LOG2 6
#include "test_dma_read.c"
