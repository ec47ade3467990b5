// SPDX-License-Identifier: Apache-2.0
/* dma_write at 64 bit. */
#include "test_dma_write.c"
