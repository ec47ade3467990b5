// SPDX-License-Identifier: Apache-2.0
/* pcie_tlp at 64 bit. */
#include "test_pcie_tlp.c"
