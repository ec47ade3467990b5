// SPDX-License-Identifier: Apache-2.0
/*
 * The NIC tells the truth with idle_o and deadline_o: everything it does on PCIe, with its time,
 * and every frame is the same whether idle time is jumped over or clocked through.  What is done
 * here: the driver opens two NICs, which loads and starts their firmware, then a long silence, then
 * close.  The same for blocks whose clock stands still while they are idle.
 */
#include "../trace.h"

#define SILENCE_CYCLES 100000

static struct trace trace_of(bool no_jump)
{
	struct trace trace;
	struct sim_cfg cfg;
	char err[SIM_ERR_MAX];
	struct sim *sim;

	sim_cfg_init(&cfg);
	cfg.no_jump = no_jump;
	cfg.seed = cfg.wire.seed = test_seed();
	sim = sim_new(&cfg, err);
	if (!sim)
		fail_msg("%s", err);
	trace_begin(&trace);
	trace_nics(&trace, sim, SILENCE_CYCLES);
	return trace;
}

static void same_with_and_without_jumps(void **state)
{
	struct trace with = trace_of(false), without = trace_of(true);

	(void)state;
	trace_same("with jumps", &with, "without", &without);
	/* and it did jump */
	assert_true(with.evaluated * 2 < without.evaluated);
	free(with.text);
	free(without.text);
}

/* Blocks whose clock stands still while they are idle (rtl/lib/clk_gate.sv). */
static void same_with_clocks_that_never_stop(void **state)
{
	struct trace gated = trace_of(false), free_running;

	(void)state;
	assert_int_equal(setenv("CAIRN_FREE_CLOCKS", "1", 1), 0);
	free_running = trace_of(false);
	unsetenv("CAIRN_FREE_CLOCKS");
	trace_same("clocks that stop", &gated, "clocks that run", &free_running);
	assert_true(gated.evaluated == free_running.evaluated);
	free(gated.text);
	free(free_running.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_with_and_without_jumps),
		cmocka_unit_test(same_with_clocks_that_never_stop),
	};

	return cmocka_run_group_tests_name("jump", tests, NULL, NULL);
}
