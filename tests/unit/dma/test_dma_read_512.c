// SPDX-License-Identifier: Apache-2.0
/* dma_read at 512 bit with 256 tags. */
#define TAGS_LOG2 8
#include "test_dma_read.c"
