// SPDX-License-Identifier: Apache-2.0
/* fw_dma at 512 bit. */
#include "test_fw_dma.c"
