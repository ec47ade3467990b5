// SPDX-License-Identifier: Apache-2.0
/* The lock-step test on the netlist that Yosys makes of the core: the two tools must read our
 * SystemVerilog alike. */
#define PROGRAMS 2
#define BLOCKS 400

#include "test_cpu_cosim.c"
