/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C face of a Verilated model.  sim_dut.cpp is compiled once per model and exports one function,
 * cairn_dut_<model>(), that returns the table below; nothing else is visible and nothing is global,
 * so one process can hold several models and several instances of each.  Used by the unit-test
 * harness (tests/lib/vtb.c) and by the simulator.
 */
#ifndef CAIRN_SIM_DUT_H
#define CAIRN_SIM_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sim_dir { SIM_IN, SIM_OUT };

/*
 * One port of the top.  `bits` is the port's storage as a little-endian byte array (bit 0 of the
 * port is bit 0 of bits[0]); it stays where it is for the life of the instance.  Bits above `width`
 * in the last byte(s) must stay zero.
 */
struct sim_port {
	const char *name;
	uint8_t *bits;
	unsigned int width; /* in bits */
	unsigned int bytes; /* storage: 1, 2, 4, 8 or a multiple of 4 */
	enum sim_dir dir;   /* as the model sees it */
};

struct sim_dut;

struct sim_dut_ops {
	const char *model; /* name given at build time */
	unsigned int n_ports;
	bool can_trace; /* built with TRACE=1 */

	/* `seed` fills every register and RAM word with random bits; 0 starts them all at zero. */
	struct sim_dut *(*create)(const char *instance, uint32_t seed);
	void (*destroy)(struct sim_dut *dut);

	const struct sim_port *(*port)(struct sim_dut *dut, unsigned int index);
	/* NULL if the top has no port of that name */
	const struct sim_port *(*find)(struct sim_dut *dut, const char *name);

	void (*eval)(struct sim_dut *dut);
	/* Runs `final` blocks; call once, before destroy. */
	void (*final)(struct sim_dut *dut);

	/* Failed assertions, $error and $stop so far; the model has printed where. */
	unsigned int (*errors)(const struct sim_dut *dut);
	bool (*finished)(const struct sim_dut *dut);

	/*
	 * FST waves, in one window or several, one after another; the levels of the first hold for
	 * all.  open returns 0, -ENOTSUP (built without TRACE=1), -EBUSY or -EIO.
	 */
	int (*trace_open)(struct sim_dut *dut, const char *path, int levels);
	void (*trace_dump)(struct sim_dut *dut, uint64_t time);
	void (*trace_close)(struct sim_dut *dut);
};

#ifdef __cplusplus
}
#endif

#endif
