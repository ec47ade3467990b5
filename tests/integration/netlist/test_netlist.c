// SPDX-License-Identifier: Apache-2.0
/*
 * What Yosys made of the RTL (cairn_nic_net, 64 bits) against the RTL as Verilator reads it: the
 * driver opens two NICs, which loads and starts their firmware, and closes them; everything on
 * PCIe, with its time, and every frame must be the same in both.  Transport is compared by the
 * tests of ../core, run with this model (tests.mk).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bus_sim.h"
#include "cairn.h"
#include "rng.h"
#include "sim.h"
#include "sim_pcie.h"

#define AFTER_CYCLES 2000

struct trace {
	char *text;
	size_t len;
};

static void on_frame(void *arg, unsigned int port, const struct sim_frame *frame)
{
	fprintf(arg, "frame port %u len %u at %llu\n", port, frame->len,
		(unsigned long long)frame->t);
}

static void quiet(void *arg, const char *message)
{
	fprintf(arg, "driver: %s\n", message);
}

static void on_console(void *arg, unsigned int nic, const char *line)
{
	fprintf(arg, "firmware %u: %s\n", nic, line);
}

/* Models of that folder below $BUILD. */
static struct sim *sim_of(const char *folder, struct sim_cfg *cfg)
{
	const char *build = getenv("BUILD");
	char dir[4096], err[SIM_ERR_MAX];
	struct sim *sim;

	snprintf(dir, sizeof(dir), "%s/%s", build && *build ? build : "build", folder);
	setenv("CAIRN_MODEL_DIR", dir, 1);
	sim = sim_new(cfg, err);
	unsetenv("CAIRN_MODEL_DIR");
	if (!sim)
		fail_msg("%s", err);
	return sim;
}

static struct trace trace_of(const char *folder, bool zero_init)
{
	struct trace trace = { 0 };
	struct cairn_dev *dev[2] = { NULL, NULL };
	struct cairn_opts opts;
	struct sim_cfg cfg;
	FILE *out = open_memstream(&trace.text, &trace.len);
	struct sim *sim;

	sim_cfg_init(&cfg);
	cfg.seed = cfg.wire.seed = test_seed();
	cfg.zero_init = zero_init;
	cfg.console = on_console;
	cfg.console_arg = out;
	sim = sim_of(folder, &cfg);
	sim_wire_set_tap(sim_wire(sim), on_frame, out);
	cairn_set_log(quiet, out);
	assert_int_equal(cairn_sim_attach(sim), 0);
	cairn_opts_init(&opts);
	opts.seed = 1 + (test_seed() >> 1);
	for (unsigned int i = 0; i < 2; i++) {
		sim_pcie_trace(sim_nic_pcie(sim_nic(sim, i)), out);
		assert_int_equal(cairn_open(i ? "sim:1" : "sim:0", &opts, &dev[i]), 0);
	}
	sim_run(sim, AFTER_CYCLES);
	for (unsigned int i = 0; i < 2; i++)
		cairn_close(dev[i]);
	sim_run(sim, AFTER_CYCLES);
	fprintf(out, "end %llu idle %d next %llu errors %u\n", (unsigned long long)sim_now(sim),
		sim_idle(sim), (unsigned long long)sim_next(sim), sim_errors(sim));
	cairn_sim_attach(NULL);
	cairn_set_log(NULL, NULL);
	for (unsigned int i = 0; i < 2; i++)
		sim_pcie_trace(sim_nic_pcie(sim_nic(sim, i)), NULL);
	sim_free(sim);
	fclose(out);
	return trace;
}

static void compare(bool zero_init)
{
	struct trace rtl = trace_of("lib", zero_init), net = trace_of("lib/netlist", zero_init);
	size_t line = 0;

	/* firmware was loaded: thousands of register writes */
	assert_true(rtl.len > 100000);
	for (size_t i = 0; i <= rtl.len && i <= net.len; i++) {
		if (rtl.text[i] != net.text[i])
			fail_msg("SEED=0x%llx: RTL\n%.400s\nnetlist\n%.400s",
				 (unsigned long long)test_seed(), rtl.text + line, net.text + line);
		if (rtl.text[i] == '\n')
			line = i + 1;
	}
	assert_int_equal(rtl.len, net.len);
	free(rtl.text);
	free(net.text);
}

/* Registers and RAMs start at 0. */
static void same_from_zero(void **state)
{
	(void)state;
	compare(true);
}

/* They start with random values, others in each model: none may show. */
static void same_from_anything(void **state)
{
	(void)state;
	compare(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_from_zero),
		cmocka_unit_test(same_from_anything),
	};

	return cmocka_run_group_tests_name("netlist", tests, NULL, NULL);
}
