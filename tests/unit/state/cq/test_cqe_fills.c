// SPDX-License-Identifier: Apache-2.0
/*
 * cqe_write beside a cache that the test plays: completions that wait for their CQ's record, one CQ
 * after the other in the same slot. The record comes, or does not exist, or cannot be read; a cause
 * that drains the slot's list comes at any time around the strobe of the fill. What a completion
 * meets is always the answer of its own fill. An event of a QP behind its completions comes in any
 * case, when they have gone.
 */
#include <string.h>

#include "vtb_rec.h"
#include "cairn_hw.h"

#define EQN 9
#define SLOT 3
#define LOG2 4
#define RING(n) (0x10000u + (n)*0x1000u)
#define STROBE 2 /* cycles from filling_i to the strobe, as in ctx_cache */

static struct env {
	struct vtb *tb;
	struct cairn_cq_ctx rec; /* what the slot has */
	unsigned int busy;
	unsigned int to_send, cqn, first; /* first: QPN of the next completion */
	bool note;			  /* the last one is an event */
	unsigned int notes, want_before;  /* those that have come; completions before it */
	unsigned int answers;		  /* lookups without answer */
	unsigned int written, dropped, unpins, reports;
	uint32_t want_cq, got_qpn[16];
	uint64_t cir_at, fill_at;
	unsigned int status;
} E;

static void put_item(const struct sim_port *p)
{
	vtb_put_bits(p, REC_CQE_REQ_QPN, E.first);
	vtb_put_bits(p, REC_CQE_REQ_CQN, E.cqn);
	vtb_put_bits(p, REC_CQE_REQ_OPCODE, CAIRN_EQE_TYPE_SQ_DRAINED);
	vtb_put_bits(p, REC_CQE_REQ_FLAGS, EQN);
	vtb_put_bits(p, REC_CQE_REQ_NOTE, E.note && E.to_send == 1);
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	put_item(vtb_port(tb, "rsp_req_i"));
	vtb_set(tb, "rsp_valid_i", E.to_send > 0);
	vtb_set(tb, "ctx_ready_i", !rng_percent(&tb->rng, E.busy));
	vtb_set(tb, "ctx_valid_i", E.answers > 0);
	vtb_set(tb, "ctx_status_i", CAIRN_CTX_RESULT_WAITING);
	vtb_set(tb, "ctx_slot_i", SLOT);
	E.answers -= E.answers > 0;
	/* One slot only: whichever is asked about. */
	vtb_set(tb, "filling_i", tb->cycle + STROBE < E.fill_at);
	vtb_set(tb, "fill_valid_i", tb->cycle == E.fill_at);
	vtb_set(tb, "fill_slot_i", SLOT);
	vtb_set(tb, "fill_status_i", E.status);
	vtb_set(tb, "consumer_index_valid_i", tb->cycle >= E.cir_at);
	vtb_set(tb, "consumer_index_slot_i", SLOT);
	vtb_set(tb, "consumer_index_index_i", E.rec.ci);
	vtb_set(tb, "consumer_index_full_i", 1); /* no pin of its own */
	vtb_set(tb, "ins_ready_i", 1);
	vtb_set(tb, "ci_ready_i", 1);
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, E.busy));
	vtb_set(tb, "eqe_ready_i", 1);
	vtb_set(tb, "cq_error_ready_i", !rng_percent(&tb->rng, E.busy));
	vtb_put_bytes(vtb_port(tb, "rec_data_i"), 0, &E.rec, sizeof(E.rec));
}

static void take_write(struct vtb *tb)
{
	struct rec_dma_wr w = vtb_get_dma_wr(vtb_port(tb, "wr_cmd_o"), 0);
	struct cairn_cqe cqe;

	memcpy(&cqe, w.data, sizeof(cqe));
	vtb_check_eq(tb, w.iova, RING(E.want_cq) + 32 * (E.written % 16));
	E.got_qpn[E.written++ % 16] = cqe.qpn_op & 0xffffff;
}

static void sample(struct vtb *tb, void *arg)
{
	uint64_t at = tb->cycle;

	(void)arg;
	if (E.to_send && vtb_get(tb, "cqe_ready_o") & 1) {
		E.to_send--;
		E.first++;
	}
	E.answers += vtb_get(tb, "ctx_valid_o") && vtb_get(tb, "ctx_ready_i");
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		take_write(tb);
	E.unpins += (unsigned int)vtb_get(tb, "unpin_valid_o");
	if (vtb_get(tb, "cq_error_valid_o") && vtb_get(tb, "cq_error_ready_i")) {
		vtb_check_eq(tb, vtb_get(tb, "cq_error_number_o"), E.cqn);
		E.reports++;
	}
	if (vtb_get(tb, "eqe_valid_o")) {
		struct rec_eqe_req ev = vtb_get_eqe_req(vtb_port(tb, "eqe_req_o"), 0);

		vtb_check_eq(tb, ev.etype, CAIRN_EQE_TYPE_SQ_DRAINED);
		vtb_check_eq(tb, ev.eqn, EQN);
		vtb_check_eq(tb, ev.number, E.first - 1);
		vtb_check(tb, at >= E.fill_at);
		if (E.written != E.want_before)
			vtb_fail(tb, "the event behind %u completions, %u of them written",
				 E.want_before, E.written);
		E.notes++;
	}
	if (E.cir_at <= at && vtb_get(tb, "consumer_index_ready_o"))
		E.cir_at = UINT64_MAX;
	/* A record of before the fill is not seen: the strobe comes when it is there. */
	if (at < E.fill_at) {
		vtb_check(tb, !vtb_get(tb, "wr_valid_o"));
		return;
	}
	if (vtb_get(tb, "write_valid_o") && vtb_get(tb, "write_slot_o") == SLOT)
		vtb_get_bytes(vtb_port(tb, "write_data_o"), 0, &E.rec, sizeof(E.rec));
}

static void start(unsigned int busy)
{
	memset(&E, 0, sizeof(E));
	E.tb = vtb_create();
	E.busy = busy;
	E.cir_at = UINT64_MAX;
	vtb_on_drive(E.tb, drive, NULL);
	vtb_on_sample(E.tb, sample, NULL);
	vtb_run(E.tb, 8);
}

/* `n` completions of CQ `cqn` wait for its record, whose strobe comes after `wait` cycles with
 * `status`; a drain of the list is caused `offset` cycles before it. */
static void one(unsigned int cqn, unsigned int n, unsigned int status, unsigned int wait,
		int offset)
{
	unsigned int unpins = E.unpins + n, reports = E.reports, first = E.first;
	unsigned int notes = E.notes, cqes = n - (E.note && n);
	bool ok = status == CAIRN_CTX_RESULT_OK;

	memset(&E.rec, 0, sizeof(E.rec));
	E.rec.base = RING(cqn);
	E.rec.flags = CAIRN_CQ_CTX_FLAGS_VALID | LOG2 << 8;
	E.want_cq = E.cqn = cqn;
	E.status = status;
	E.written = 0;
	E.want_before = ok ? cqes : 0;
	E.to_send = n;
	E.fill_at = E.tb->cycle + wait;
	E.cir_at = E.fill_at - (uint64_t)(int64_t)offset;
	vtb_run_until(E.tb,
		      !E.to_send && E.cir_at == UINT64_MAX && E.tb->cycle > E.fill_at &&
			      vtb_get(E.tb, "idle_o"),
		      2000);
	vtb_check_eq(E.tb, E.unpins, unpins);
	vtb_check_eq(E.tb, E.written, ok ? cqes : 0);
	vtb_check_eq(E.tb, E.notes - notes, n - cqes);
	vtb_check_eq(E.tb, E.reports - reports, status == CAIRN_CTX_RESULT_DAMAGED ? cqes : 0);
	for (unsigned int i = 0; ok && i < cqes; i++)
		vtb_check_eq(E.tb, E.got_qpn[i], first + i);
}

static const unsigned int ends[3] = { CAIRN_CTX_RESULT_OK, CAIRN_CTX_RESULT_FREE,
				      CAIRN_CTX_RESULT_DAMAGED };

/* Each end behind each other one, the drain in each of the cycles before the strobe
 * and after it. */
static void test_drain_beside_fill(void **state)
{
	(void)state;
	start(0);
	for (unsigned int a = 0; a < 9; a++) {
		for (int offset = 0; offset < 24; offset++) {
			one(1, 2, ends[a / 3], 30, 12);
			one(2, 2, ends[a % 3], 30, offset - 4);
		}
	}
	E.note = true;
	for (unsigned int a = 0; a < 9; a++) {
		for (int offset = 0; offset < 24; offset++) {
			one(1, 3, ends[a / 3], 30, 12);
			one(2, 1, ends[a % 3], 30, offset - 4); /* of nothing but the event */
		}
	}
	vtb_destroy(E.tb);
}

static void test_random(void **state)
{
	(void)state;
	for (unsigned int busy = 0; busy < 80; busy += 25) {
		start(busy);
		for (unsigned int i = 0; i < 1500; i++) {
			unsigned int n = 1 + (unsigned int)rng_below(&E.tb->rng, 6);
			unsigned int wait = 40 + (unsigned int)rng_below(&E.tb->rng, 20);

			E.note = rng_percent(&E.tb->rng, 40);
			one(1 + i % 7, n, ends[rng_below(&E.tb->rng, 3)], wait,
			    (int)rng_below(&E.tb->rng, 40) - 8);
		}
		vtb_destroy(E.tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drain_beside_fill),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("cqe_fills", tests, NULL, NULL);
}
