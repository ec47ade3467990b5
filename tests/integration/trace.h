/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that two NICs do on PCIe, with its time, and every frame, as text, while the driver
 * opens them, which loads and starts their firmware, and closes them.
 */
#ifndef INTEGRATION_TRACE_H
#define INTEGRATION_TRACE_H

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

struct trace {
	FILE *out; /* until trace_nics() is over */
	char *text;
	size_t len;
	uint64_t evaluated; /* cycles */
};

static inline void trace_frame(void *arg, unsigned int port, const struct sim_frame *frame)
{
	fprintf(arg, "frame port %u len %u at %llu\n", port, frame->len,
		(unsigned long long)frame->t);
}

static inline void trace_message(void *arg, const char *message)
{
	fprintf(arg, "driver: %s\n", message);
}

static inline void trace_begin(struct trace *t)
{
	*t = (struct trace){ 0 };
	t->out = open_memstream(&t->text, &t->len);
	assert_non_null(t->out);
}

/* The two NICs of sim, which goes; `silence` in cycles, after they were opened and after they were
 * closed. */
static inline void trace_nics(struct trace *t, struct sim *sim, uint64_t silence)
{
	struct cairn_dev *dev[2];
	struct cairn_opts opts;

	sim_wire_set_tap(sim_wire(sim), trace_frame, t->out);
	cairn_set_log(trace_message, t->out);
	assert_int_equal(cairn_sim_attach(sim), 0);
	cairn_opts_init(&opts);
	opts.seed = 1 + (test_seed() >> 1);
	for (unsigned int i = 0; i < 2; i++) {
		sim_pcie_trace(sim_nic_pcie(sim_nic(sim, i)), t->out);
		if (cairn_open(i ? "sim:1" : "sim:0", &opts, &dev[i]))
			fail_msg("%s", cairn_last_error());
	}
	sim_run(sim, silence);
	for (unsigned int i = 0; i < 2; i++)
		cairn_close(dev[i]);
	sim_run(sim, silence);
	fprintf(t->out, "end %llu idle %d next %llu errors %u\n", (unsigned long long)sim_now(sim),
		sim_idle(sim), (unsigned long long)sim_next(sim), sim_errors(sim));
	t->evaluated = sim_evaluated(sim);
	cairn_sim_attach(NULL);
	cairn_set_log(NULL, NULL);
	for (unsigned int i = 0; i < 2; i++)
		sim_pcie_trace(sim_nic_pcie(sim_nic(sim, i)), NULL);
	sim_free(sim);
	fclose(t->out);
	/* firmware was loaded: thousands of register writes */
	assert_true(t->len > 100000);
}

static inline void trace_same(const char *one, const struct trace *a, const char *other,
			      const struct trace *b)
{
	size_t line = 0;

	for (size_t i = 0; i <= a->len && i <= b->len; i++) {
		if (a->text[i] != b->text[i])
			fail_msg("SEED=0x%llx: %s\n%.400s\n%s\n%.400s",
				 (unsigned long long)test_seed(), one, a->text + line, other,
				 b->text + line);
		if (a->text[i] == '\n')
			line = i + 1;
	}
	assert_int_equal(a->len, b->len);
}

#endif
