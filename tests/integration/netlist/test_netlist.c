// SPDX-License-Identifier: Apache-2.0
/*
 * What Yosys made of a build (cairn_nic_net; $WIDTH bits, models in folder $NET) against the RTL as
 * Verilator reads it ($RTL): the driver opens two NICs, which loads and starts their firmware, and
 * closes them; everything on PCIe, with its time, and every frame must be the same in both.
 * Transport is compared by the tests of ../core, run with this model (tests.mk).
 */
#include "../trace.h"

#define AFTER_CYCLES 2000

static void on_console(void *arg, unsigned int nic, const char *line)
{
	fprintf(arg, "firmware %u: %s\n", nic, line);
}

/* Models of the folder that a variable names. */
static struct sim *sim_of(const char *variable, struct sim_cfg *cfg)
{
	const char *dir = getenv(variable);
	char err[SIM_ERR_MAX];
	struct sim *sim;

	if (!dir || !*dir)
		fail_msg("%s names no folder with models (tests.mk)", variable);
	setenv("CAIRN_MODEL_DIR", dir, 1);
	sim = sim_new(cfg, err);
	unsetenv("CAIRN_MODEL_DIR");
	if (!sim)
		fail_msg("%s", err);
	return sim;
}

static struct trace trace_of(const char *variable, bool zero_init)
{
	const char *width = getenv("WIDTH");
	struct trace trace;
	struct sim_cfg cfg;

	trace_begin(&trace);
	sim_cfg_init(&cfg);
	if (width && *width)
		cfg.data_w = (unsigned int)atoi(width);
	cfg.seed = cfg.wire.seed = test_seed();
	cfg.zero_init = zero_init;
	cfg.console = on_console;
	cfg.console_arg = trace.out;
	trace_nics(&trace, sim_of(variable, &cfg), AFTER_CYCLES);
	return trace;
}

static void compare(bool zero_init)
{
	struct trace rtl = trace_of("RTL", zero_init), net = trace_of("NET", zero_init);

	trace_same("RTL", &rtl, "netlist", &net);
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
