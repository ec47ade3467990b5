// SPDX-License-Identifier: Apache-2.0
/* The core with a barrel shifter. */
#include "test_cpu_cosim.c"
