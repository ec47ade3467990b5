// SPDX-License-Identifier: Apache-2.0
/*
 * The NIC tells the truth with idle_o and deadline_o: everything it does on PCIe, with its time,
 * and every frame is the same whether idle time is jumped over or clocked through.  What is done
 * here: the driver opens two NICs, which loads and starts their firmware, then a long silence, then
 * close.  The same for blocks whose clock stands still while they are idle.
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

#define SILENCE_CYCLES 100000

struct trace {
	char *text;
	size_t len;
	uint64_t evaluated;
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

static struct trace trace_of(bool no_jump)
{
	struct trace trace = { 0 };
	struct cairn_dev *dev[2] = { NULL, NULL };
	struct cairn_opts opts;
	struct sim_cfg cfg;
	char err[SIM_ERR_MAX];
	FILE *out = open_memstream(&trace.text, &trace.len);
	struct sim *sim;

	sim_cfg_init(&cfg);
	cfg.no_jump = no_jump;
	cfg.seed = cfg.wire.seed = test_seed();
	sim = sim_new(&cfg, err);
	if (!sim)
		fail_msg("%s", err);
	sim_wire_set_tap(sim_wire(sim), on_frame, out);
	cairn_set_log(quiet, out);
	assert_int_equal(cairn_sim_attach(sim), 0);
	cairn_opts_init(&opts);
	opts.seed = 1 + (test_seed() >> 1);
	for (unsigned int i = 0; i < 2; i++) {
		sim_pcie_trace(sim_nic_pcie(sim_nic(sim, i)), out);
		fprintf(out, "open %d\n", cairn_open(i ? "sim:1" : "sim:0", &opts, &dev[i]));
	}
	sim_run(sim, SILENCE_CYCLES);
	for (unsigned int i = 0; i < 2; i++)
		if (dev[i])
			cairn_close(dev[i]);
	sim_run(sim, SILENCE_CYCLES);
	fprintf(out, "end %llu idle %d next %llu errors %u\n", (unsigned long long)sim_now(sim),
		sim_idle(sim), (unsigned long long)sim_next(sim), sim_errors(sim));
	trace.evaluated = sim_evaluated(sim);
	cairn_sim_attach(NULL);
	cairn_set_log(NULL, NULL);
	for (unsigned int i = 0; i < 2; i++)
		sim_pcie_trace(sim_nic_pcie(sim_nic(sim, i)), NULL);
	sim_free(sim);
	fclose(out);
	return trace;
}

static void assert_same(const struct trace *a, const struct trace *b)
{
	size_t line = 0;

	for (size_t i = 0; i < a->len && i < b->len; i++) {
		if (a->text[i] == '\n')
			line = i + 1;
		if (a->text[i] != b->text[i])
			fail_msg("SEED=0x%llx: one has\n%.200s\nthe other\n%.200s",
				 (unsigned long long)test_seed(), a->text + line, b->text + line);
	}
	assert_int_equal(a->len, b->len);
}

static void same_with_and_without_jumps(void **state)
{
	struct trace with = trace_of(false), without = trace_of(true);

	(void)state;
	assert_same(&with, &without);
	/* the firmware was loaded: thousands of register writes */
	assert_true(with.len > 100000);
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
	assert_same(&gated, &free_running);
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
