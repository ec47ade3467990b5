// SPDX-License-Identifier: Apache-2.0
/* fw_dma at 64 bit. */
#include "test_fw_dma.c"
