// SPDX-License-Identifier: Apache-2.0
/* dma_write at 512 bit. */
#include "test_dma_write.c"
