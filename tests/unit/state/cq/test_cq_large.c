// SPDX-License-Identifier: Apache-2.0
/*
 * cq_service with the longest rings (2^14 and 2^15 entries, as QUERY_DEVICE offers them): index and
 * phase over every wrap, the ring full to the last entry, one past full (checks 58, 121). Producers
 * pause, and so does the memory.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "host.h"

#define CQN 2u
#define TABLE 0x1000u
#define CI_AT 0x8000u
#define RING 0x200000u /* 1 MiB at most */

static struct env {
	struct vtb *tb;
	struct host h;
	unsigned int log2, idle, busy;
	bool offer;					 /* stands until it is taken */
	uint32_t to_send, index, written, overs, errors; /* index: of the next entry */
} E;

static void drive(struct vtb *tb, void *arg)
{
	const struct sim_port *p = vtb_port(tb, "cq_rsp_put_req_i");

	(void)arg;
	vtb_put_bits(p, REC_CQE_REQ_CQN, CQN);
	E.offer |= E.to_send && !rng_percent(&tb->rng, E.idle);
	vtb_set(tb, "cq_rsp_put_valid_i", E.offer);
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, E.busy));
	vtb_set(tb, "cqc_ready_i", 1);
	vtb_set(tb, "ticket_i", (uint16_t)(E.h.ticket + 1));
	vtb_set(tb, "eqe_ready_i", 1);
	vtb_set(tb, "cq_error_ready_i", 1);
}

/* Each entry is the next one: its place, its phase, the index that it says. */
static void take_cqe(struct vtb *tb)
{
	struct rec_dma_wr w = host_write(&E.h, "wr_cmd_o");
	struct cairn_cqe cqe;

	vtb_check_eq(tb, w.len, 32);
	memcpy(&cqe, w.data, 32);
	vtb_check_eq(tb, w.iova, RING + 32 * (E.index & ((1u << E.log2) - 1)));
	vtb_check_eq(tb, !!(cqe.status & CAIRN_CQE_STATUS_PHASE), ~(E.index >> E.log2) & 1);
	vtb_check_eq(tb, CAIRN_GET(cqe.status, CAIRN_CQE_STATUS_CQ_INDEX_LO), E.index & 0x7fff);
	E.index++;
	E.written++;
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		take_cqe(tb);
	if (vtb_get(tb, "cqc_valid_o"))
		host_write(&E.h, "cqc_cmd_o");
	if (E.offer && vtb_get(tb, "cq_rsp_ready_o")) {
		E.to_send--;
		E.offer = false;
	}
	E.overs += (unsigned int)vtb_get(tb, "events_cq_overflow_o");
	E.errors += (unsigned int)vtb_get(tb, "cq_error_valid_o");
}

static void start(unsigned int log2, uint32_t index, unsigned int idle, unsigned int busy)
{
	struct cairn_cq_ctx c = { .tag = CQN | 1u << 24, .base = RING, .ci_iova = CI_AT };

	memset(&E, 0, sizeof(E));
	E.tb = vtb_create();
	host_init(&E.h, E.tb, 5);
	E.log2 = log2;
	E.index = index;
	E.idle = idle;
	E.busy = busy;
	c.flags = CAIRN_CQ_CTX_FLAGS_VALID | log2 << 8;
	c.pi = c.ci = c.sol_pi = index;
	memcpy(E.h.mem + TABLE + 64 * CQN, &c, 64);
	memcpy(E.h.mem + CI_AT, &index, 4);
	vtb_set(E.tb, "cq_base_i", TABLE);
	vtb_set(E.tb, "cq_entries_i", 32);
	vtb_on_drive(E.tb, drive, NULL);
	vtb_on_sample(E.tb, sample, NULL);
	vtb_run_until(E.tb, vtb_get(E.tb, "idle_o"), 500);
}

static void send(uint32_t n)
{
	E.to_send = n;
	vtb_run_until(E.tb, !E.to_send, 40ull * n + 2000);
	vtb_run(E.tb, 2);
	vtb_run_until(E.tb, vtb_get(E.tb, "idle_o"), 5000);
}

/* The consumer has taken all but `left`. */
static void consume(uint32_t left)
{
	uint32_t ci = E.index - left;

	memcpy(E.h.mem + CI_AT, &ci, 4);
}

static void finish(void)
{
	print_message("# ring of 2^%u, seed 0x%llx, %u entries, %llu cycles\n", E.log2,
		      (unsigned long long)E.tb->seed, E.written, (unsigned long long)E.tb->cycle);
	vtb_destroy(E.tb);
}

/*
 * Three laps and more, over the wraps of ring, 15, 16 and 32 bits.  Within each the ring is full to
 * the last entry once, and one entry then comes for each that is taken.
 */
static void laps(void **state)
{
	(void)state;
	for (unsigned int log2 = 14; log2 <= 15; log2++) {
		uint32_t size = 1u << log2;

		start(log2, 0u - size - size / 2 - 3, 20, 20);
		for (unsigned int lap = 0; lap < 3; lap++) {
			send(size); /* exactly full, in the middle of the ring */
			for (unsigned int i = 1; i <= 20; i++) {
				consume(size - 1);
				send(1);
			}
			consume(size - size / 2); /* half of it is taken */
			send(size / 2 - 7);
			consume(0);
		}
		vtb_check_eq(E.tb, E.written, 3 * (size + 20 + size / 2 - 7));
		vtb_check(E.tb, !E.overs && !E.errors);
		finish();
	}
}

/*
 * Full, and one more: that one is lost, told once, and no entry is overwritten, at distance 2^15 as
 * well, where a consumer index that is a whole ring behind could be taken for one that is ahead.
 */
static void one_past_full(void **state)
{
	(void)state;
	for (unsigned int log2 = 14; log2 <= 15; log2++) {
		uint32_t size = 1u << log2;
		/* at the ring's start, over its end, over 2^16 and over 2^32 */
		const uint32_t from[] = { 0, size - 5, 0x10000 - size / 2, 0u - size + 1 };

		for (unsigned int k = 0; k < 4; k++) {
			start(log2, from[k], k & 1 ? 10 : 0, k & 2 ? 10 : 0);
			send(size);
			vtb_check_eq(E.tb, E.written, size);
			vtb_check(E.tb, !E.overs && !E.errors);
			send(1);
			vtb_check_eq(E.tb, E.written, size);
			vtb_check_eq(E.tb, E.overs, 1);
			vtb_check_eq(E.tb, E.errors, 1);
			consume(0);
			send(9); /* the CQ stays in error */
			vtb_check_eq(E.tb, E.written, size);
			vtb_check_eq(E.tb, E.overs, 1);
			finish();
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(laps),
					    cmocka_unit_test(one_past_full) };

	return cmocka_run_group_tests_name("cq_large", tests, NULL, NULL);
}
