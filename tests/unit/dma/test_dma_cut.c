// SPDX-License-Identifier: Apache-2.0
/* test_dma_split.c with dma_cut. */
#include "test_dma_split.c"
