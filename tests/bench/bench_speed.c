// SPDX-License-Identifier: Apache-2.0
/* How fast the simulation is: cycles computed and the process' CPU time; see bench.h. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

#define IDLE_CYCLES 200000u

static struct speed {
	double cycles, seconds;
} begun, traffic;

static struct speed now(const struct sim *sim)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (struct speed){ (double)sim_evaluated(sim) / sim_nics(sim),
			       (double)t.tv_sec + (double)t.tv_nsec * 1e-9 };
}

void bench_speed_begin(const struct sim *sim)
{
	begun = now(sim);
}

void bench_speed_end(const struct sim *sim)
{
	struct speed end = now(sim);

	traffic.cycles += end.cycles - begun.cycles;
	traffic.seconds += end.seconds - begun.seconds;
}

static double rate(struct speed spent)
{
	return spent.cycles / spent.seconds / 1000;
}

static double idle_rate(const struct rdma_cfg *cfg)
{
	struct rdma_cfg mine = *cfg;
	struct speed from, to;
	struct rdma *r;

	mine.no_jump = true;
	r = rdma_begin(&mine);
	rdma_pair(r, 0, 1, NULL);
	rdma_settle(r, 5000);
	from = now(r->sim);
	sim_run(r->sim, IDLE_CYCLES);
	to = now(r->sim);
	rdma_end(r);
	rdma_group_teardown(NULL);
	return rate((struct speed){ to.cycles - from.cycles, to.seconds - from.seconds });
}

void bench_speed_say(const struct rdma_cfg *cfg)
{
	const char *idle = getenv("IDLE");

	if (traffic.seconds > 0)
		fprintf(stderr,
			"%u bit: %.0f K cycles of the pair a CPU second under these loads\n",
			cfg->data_w, rate(traffic));
	if (idle && *idle)
		fprintf(stderr, "%u bit: %.0f K cycles of the pair a CPU second when idle\n",
			cfg->data_w, idle_rate(cfg));
}
