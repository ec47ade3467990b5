// SPDX-License-Identifier: Apache-2.0
/*
 * tx_plain: ACKs and CNPs whose headers are made, at any time that there is a place; they come out
 * in order, with the place that they were given, which is free again only when it is given back.
 */
#include "vtb_rec.h"

#define PLACES 4u
#define FIRST 32u
#define JOBS 3000u

static struct plain {
	bool cnp, vlan, ipv6;
	uint8_t opcode, kind; /* bits 30:29 of the AETH: ACK, RNR NAK, NAK */
} want[JOBS];

static struct vtb *tb;
static unsigned int idle_percent, busy_percent, rel_percent;
static unsigned int made, taken, released, full;

static void put_job(const char *port, const struct plain *p)
{
	/* the rest is nobody's */
	struct rec_tx_job job = { .opcode = p->opcode,
				  .av.vlan = p->vlan,
				  .av.ipv6 = p->ipv6,
				  .args.aeth = (uint32_t)p->kind << 29 |
					       (uint32_t)rng_below(&tb->rng, 1u << 29),
				  .psn = (uint32_t)rng_below(&tb->rng, 1u << 24),
				  .slot = (uint16_t)rng_below(&tb->rng, 1u << 12) };

	vtb_put_tx_job(vtb_port(tb, port), 0, &job);
}

/* want_o does not depend on what is driven here. */
static void drive(struct vtb *bench, void *arg)
{
	struct plain p = { .cnp = rng_percent(&tb->rng, 30) };
	bool room = vtb_get(tb, "want_o");
	bool put = made < JOBS && room && !rng_percent(&tb->rng, idle_percent);

	(void)bench;
	(void)arg;
	vtb_check_eq(tb, room, made - released < PLACES);
	full += !room;
	p.vlan = rng_percent(&tb->rng, 50);
	p.ipv6 = rng_percent(&tb->rng, 50);
	p.opcode = (uint8_t)rng_u64(&tb->rng);
	p.kind = p.cnp ? 0 : (uint8_t)rng_below(&tb->rng, 4);
	put_job(p.cnp ? "cnp_i" : "ack_i", &p);
	vtb_set(tb, "done_i", put ? 1 + p.cnp : 0);
	if (put) {
		vtb_check_eq(tb, vtb_get(tb, "slot_o"), made % PLACES);
		want[made++] = p;
	}
	/* the frame has left some time after its job was taken */
	vtb_set(tb, "rel_i", 0);
	if (released < taken && rng_percent(&tb->rng, rel_percent)) {
		vtb_set(tb, "rel_i", 1);
		released++;
	}
	vtb_set(tb, "ack_ready_i", !rng_percent(&tb->rng, busy_percent));
	vtb_set(tb, "cnp_ready_i", !rng_percent(&tb->rng, busy_percent));
}

static void check(bool cnp)
{
	const struct plain *p = &want[taken];
	struct rec_tx_job job = vtb_get_tx_job(vtb_port(tb, cnp ? "cnp_o" : "ack_o"), 0);

	vtb_check_eq(tb, cnp, p->cnp);
	vtb_check_eq(tb, job.opcode, p->opcode);
	vtb_check_eq(tb, job.av.vlan, p->vlan);
	vtb_check_eq(tb, job.av.ipv6, p->ipv6);
	vtb_check_eq(tb, job.args.aeth, (uint64_t)p->kind << 29);
	vtb_check_eq(tb, job.slot, FIRST + taken % PLACES);
}

static void sample(struct vtb *bench, void *arg)
{
	bool ack = vtb_get(tb, "ack_valid_o"), cnp = vtb_get(tb, "cnp_valid_o");

	(void)bench;
	(void)arg;
	vtb_check(tb, !(ack && cnp));
	vtb_check_eq(tb, vtb_get(tb, "idle_o"), !(ack || cnp));
	if (!ack && !cnp)
		return;
	vtb_check(tb, taken < made);
	check(cnp);
	taken += vtb_get(tb, cnp ? "cnp_ready_i" : "ack_ready_i");
}

static void jobs(unsigned int idle, unsigned int busy, unsigned int rel)
{
	idle_percent = idle;
	busy_percent = busy;
	rel_percent = rel;
	made = taken = released = full = 0;
	tb = vtb_create();
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_run_until(tb, released == JOBS, 400000);
	vtb_run(tb, 3);
	vtb_check_eq(tb, taken, JOBS);
	vtb_check_eq(tb, vtb_get(tb, "want_o"), 1);
	if (rel < 50)
		vtb_check(tb, full > JOBS / 10);
	vtb_destroy(tb);
}

static void no_pause(void **state)
{
	(void)state;
	jobs(0, 0, 100);
}

static void pauses(void **state)
{
	(void)state;
	jobs(50, 50, 50);
	jobs(90, 0, 90);
	jobs(0, 90, 90);
}

/* Most of the time there is no place. */
static void no_place(void **state)
{
	(void)state;
	jobs(0, 0, 10);
	jobs(20, 30, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_pause), cmocka_unit_test(pauses),
					    cmocka_unit_test(no_place) };

	return cmocka_run_group_tests_name("tx_plain", tests, NULL, NULL);
}
