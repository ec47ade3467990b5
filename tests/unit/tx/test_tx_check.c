// SPDX-License-Identifier: Apache-2.0
/*
 * tx_check for requests: the job that stands in front of a wire that does not move is looked up in
 * each cycle, so the verdict is that of the cycle in which it leaves: what its QP's entry says of
 * {closed, generation, send epoch} then, changed two cycles before or at any time.
 */
#include "vtb_rec.h"

#define OPCODE_RC 0x0a
#define OPCODE_UC 0x2a
#define QPS 4u

/* What stands in the entry of each QP. */
static struct entry {
	bool closed;
	uint8_t gen, epoch;
} entry[QPS];
static struct vtb *tb;

struct job {
	uint32_t qpn;
	uint8_t gen, epoch, opcode;
};

static void offer(const struct job *job)
{
	const struct sim_port *port = vtb_port(tb, "in_job_i");

	vtb_put_bits(port, REC_TX_JOB_QPN, job->qpn);
	vtb_put_bits(port, REC_TX_JOB_GEN, job->gen);
	vtb_put_bits(port, REC_TX_JOB_SEND_EPOCH, job->epoch);
	vtb_put_bits(port, REC_TX_JOB_OPCODE, job->opcode);
	vtb_set(tb, "in_valid_i", 1);
	vtb_run(tb, 3);
}

static void set_entry(uint32_t qpn, struct entry e)
{
	entry[qpn] = e;
	vtb_set(tb, "allow_valid_i", 1);
	vtb_set(tb, "allow_qpn_i", qpn);
	vtb_set(tb, "allow_closed_i", e.closed);
	vtb_set(tb, "allow_gen_i", e.gen);
	vtb_set(tb, "allow_send_epoch_i", e.epoch);
	vtb_tick(tb);
	vtb_set(tb, "allow_valid_i", 0);
	vtb_tick(tb); /* what the entry says is in a register */
}

static bool is_stale(const struct job *job)
{
	const struct entry *e = &entry[job->qpn];

	return e->closed || e->gen != job->gen ||
	       (job->opcode == OPCODE_RC && e->epoch != job->epoch);
}

static void begin(void)
{
	tb = vtb_create();
	for (uint32_t q = 0; q < QPS; q++)
		set_entry(q, (struct entry){ 0 });
	vtb_run_until(tb, vtb_get(tb, "idle_o"), 30); /* swept */
}

/* The verdict on the job that waits is that of its QP's entry as it is now. */
static void check_waiting(const struct job *job)
{
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "out_valid_o"), 1);
	vtb_check_eq(tb, vtb_get(tb, "out_drop_o"), is_stale(job));
}

/*
 * One job waits, a second comes behind it: their entries change, and others', and change back.
 * When the first leaves, the second is looked up anew.
 */
static void while_it_waits(void **state)
{
	(void)state;
	begin();
	for (unsigned int i = 0; i < 2000; i++) {
		struct job job[2];
		unsigned int n = 1 + (unsigned int)rng_below(&tb->rng, 6);

		for (unsigned int k = 0; k < 2; k++) {
			job[k].qpn = (uint32_t)rng_below(&tb->rng, QPS);
			job[k].gen = entry[job[k].qpn].gen;
			job[k].epoch = entry[job[k].qpn].epoch;
			job[k].opcode = rng_percent(&tb->rng, 70) ? OPCODE_RC : OPCODE_UC;
		}
		vtb_set(tb, "out_ready_i", 0);
		offer(&job[0]);
		check_waiting(&job[0]);
		while (n--) {
			uint32_t qpn = job[rng_below(&tb->rng, 2)].qpn;
			struct entry e = entry[qpn];

			switch (rng_below(&tb->rng, 4)) {
			case 0:
				e.closed = !e.closed;
				break;
			case 1:
				e.gen ^= 1;
				break;
			case 2:
				e.epoch ^= 1;
				break;
			default:
				qpn = (uint32_t)rng_below(&tb->rng, QPS);
				e = entry[qpn];
				e.epoch ^= 2;
				break;
			}
			set_entry(qpn, e);
			check_waiting(&job[0]);
		}
		for (unsigned int k = 0; k < 2; k++) {
			vtb_set(tb, "out_ready_i", 1);
			check_waiting(&job[k]);
			vtb_check_eq(tb, vtb_get(tb, "in_ready_o"), 1);
			vtb_check_eq(tb, vtb_get(tb, "stale_o"), is_stale(&job[k]));
			vtb_tick(tb);
			vtb_set(tb, "out_ready_i", 0);
			if (k == 0)
				offer(&job[1]);
		}
		vtb_set(tb, "in_valid_i", 0);
		vtb_tick(tb);
		vtb_check_eq(tb, vtb_get(tb, "out_valid_o"), 0);
		vtb_check_eq(tb, vtb_get(tb, "idle_o"), 1);
		for (uint32_t q = 0; q < QPS; q++)
			if (entry[q].closed)
				set_entry(q, (struct entry){ 0 });
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(while_it_waits) };

	return cmocka_run_group_tests_name("tx_check", tests, NULL, NULL);
}
