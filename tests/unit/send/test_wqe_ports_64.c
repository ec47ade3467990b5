// SPDX-License-Identifier: Apache-2.0
/* The same at 64 bit, with two sets. */
#include "test_wqe_ports.c"
