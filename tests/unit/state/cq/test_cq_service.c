// SPDX-License-Identifier: Apache-2.0
/*
 * cq_service (with cqe_write, cqe_lookup, cq_event, cq_rd) against a reference of IBTA 11.4.2 and
 * docs/rtl/queues.md: random completions and arms over more CQs than the cache holds, consumers
 * that never let a CQ overflow, firmware that reads, changes and evicts records meanwhile. What a
 * CQ must write and fire follows from the order in which its items were accepted. Directed: full
 * CQs, arms against completions, events of QPs between them, intervals, bad records.
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_ctx.h"

#ifndef ON_CHIP /* test_cq_resident.c: firmware makes the records */
#define ON_CHIP 0
#endif
#define CQS 40
#define TABLE 0x1000u
#define CI_AT(n) (0x8000u + (n)*8)
#define RING(n) (0x10000u + (n)*0x8000u)
#define MAX_ITEMS 4096

struct cq {
	unsigned int log2;
	uint32_t first;				     /* index of the first completion */
	uint32_t sent, consumed, published, written; /* counts from first */
	struct {
		uint8_t cqe[32] __attribute__((aligned(8)));
		bool sol;
	} want[MAX_ITEMS];
	/* arm state after the accepted items */
	bool armed, sol_only, out;
	unsigned int seq;
	struct {
		unsigned int seq;
		uint32_t after; /* completions written before it */
	} ev[MAX_ITEMS];
	unsigned int n_ev, got_ev, arm_seq;
	/* events of its QPs: completions before each, which must have been written */
	uint32_t note[MAX_ITEMS];
	unsigned int n_notes, got_notes;
	uint64_t mod; /* what firmware wrote to DB_PAGE */
	bool ev_here; /* software has an event to consume */
};

struct env {
	struct vtb *tb;
	struct host h;
	struct cq cq[CQS];
	unsigned int n_cq, busy;
	bool offer[2], arming, fw, stop, no_consume, expect_over, no_credit;
	unsigned int offer_cq[2], arm_cq;
	uint8_t item[2][32] __attribute__((aligned(8)));
	unsigned int item_sol[2];
	bool note[2];
	unsigned int note_pc;
	uint32_t arm_word;
	struct vtb_ctx port;
	unsigned int fw_cq, fw_op, fw_mod;
	unsigned int overs, cq_errs, lost_ok, n_written, reported;
	uint64_t now, w_first, w_last;
	unsigned int send_pc, arm_pc, fw_pc, sources;
	struct cairn_cq_ctx rec; /* what firmware read last */
};

static struct env E;

static void put_req(struct env *e, unsigned int s, unsigned int n)
{
	const struct sim_port *p = vtb_port(e->tb, s ? "cq_cmp_put_req_i" : "cq_rsp_put_req_i");
	struct cairn_cqe *c = (struct cairn_cqe *)e->item[s];

	rng_bytes(&e->tb->rng, c, 32);
	e->note[s] = rng_percent(&e->tb->rng, e->note_pc);
	if (e->note[s]) {
		c->qpn_op = n | (uint32_t)CAIRN_EQE_TYPE_SQ_DRAINED << 24;
		c->imm = ~n;
	}
	c->wqe &= 0x3fffff;
	c->status &= 0x1fff;
	e->item_sol[s] = rng_percent(&e->tb->rng, 30);
	vtb_put_bits(p, REC_CQE_REQ_EVENT_SOL, e->item_sol[s]);
	vtb_put_bits(p, REC_CQE_REQ_STATUS, c->status & 0xff);
	vtb_put_bits(p, REC_CQE_REQ_VENDOR, c->src >> 24);
	vtb_put_bits(p, REC_CQE_REQ_NET, c->status >> 8);
	vtb_put_bits(p, REC_CQE_REQ_SRC_QP, c->src & 0xffffff);
	vtb_put_bits(p, REC_CQE_REQ_FLAGS, c->wqe >> 16);
	vtb_put_bits(p, REC_CQE_REQ_WQE_INDEX, c->wqe & 0xffff);
	vtb_put_bits(p, REC_CQE_REQ_IMM, c->imm);
	vtb_put_bits(p, REC_CQE_REQ_BYTE_LEN, c->byte_len);
	vtb_put_bits(p, REC_CQE_REQ_OPCODE, c->qpn_op >> 24);
	vtb_put_bits(p, REC_CQE_REQ_QPN, c->qpn_op & 0xffffff);
	vtb_put_bits(p, REC_CQE_REQ_CQN, n);
	vtb_put_bits(p, REC_CQE_REQ_NOTE, e->note[s]);
}

static void fire(struct cq *q, unsigned int seq)
{
	q->ev[q->n_ev].seq = seq;
	q->ev[q->n_ev++].after = q->sent;
	q->armed = false;
	q->out = true;
}

/* The reference: an item has been accepted. */
static void ref_cqe(struct env *e, unsigned int s)
{
	struct cq *q = &e->cq[e->offer_cq[s]];
	uint32_t index = q->first + q->sent;
	struct cairn_cqe *c;

	if (e->note[s]) {
		assert_true(q->n_notes < MAX_ITEMS);
		q->note[q->n_notes++] = q->sent;
		return;
	}
	assert_true(q->sent < MAX_ITEMS);
	c = (struct cairn_cqe *)q->want[q->sent].cqe;
	memcpy(c, e->item[s], 32);
	c->status |= (index & 0x7fff) << 16 | (~(index >> q->log2) & 1) << 31;
	q->want[q->sent].sol = e->item_sol[s];
	q->sent++;
	if (q->armed && (!q->sol_only || e->item_sol[s]))
		fire(q, q->seq);
}

static void ref_arm(struct env *e)
{
	struct cq *q = &e->cq[e->arm_cq];
	unsigned int seq = e->arm_word >> 16 & 3;
	bool sol = e->arm_word >> 18 & 1, past = false;
	uint32_t ci = (e->arm_word - q->first) & 0xffff; /* rings of the test send fewer */

	if (q->out && seq == q->seq)
		return;
	if (q->armed && seq == q->seq && !q->sol_only)
		sol = false;
	for (uint32_t i = ci; i < q->sent; i++)
		past |= !sol || q->want[i].sol;
	q->seq = seq;
	q->sol_only = sol;
	q->armed = true;
	q->out = false;
	if (past)
		fire(q, seq);
}

static void drive_cqe(struct env *e, unsigned int s)
{
	unsigned int n = (unsigned int)rng_below(&e->tb->rng, e->n_cq);
	struct cq *q = &e->cq[n];
	uint32_t coming = q->sent;

	if (e->offer[s] || e->stop || !rng_percent(&e->tb->rng, e->send_pc))
		return;
	coming += e->offer[!s] && e->offer_cq[!s] == n;
	if ((!e->no_credit && coming - q->published >= 1u << q->log2) || coming >= MAX_ITEMS)
		return;
	e->offer[s] = true;
	e->offer_cq[s] = n;
	put_req(e, s, n);
}

static void drive_arm(struct env *e)
{
	unsigned int n = (unsigned int)rng_below(&e->tb->rng, e->n_cq);
	struct cq *q = &e->cq[n];

	if (e->arming || e->stop || !rng_percent(&e->tb->rng, e->arm_pc))
		return;
	if (q->ev_here) { /* consume it, the sequence advances */
		q->ev_here = false;
		q->arm_seq = (q->arm_seq + 1) & 3;
	}
	e->arming = true;
	e->arm_cq = n;
	e->arm_word = (q->first + q->consumed) & 0xffff;
	e->arm_word |= q->arm_seq << 16 | (uint32_t)rng_percent(&e->tb->rng, 50) << 18;
	vtb_set(e->tb, "arm_cqn_i", n);
	vtb_set(e->tb, "arm_word_i", e->arm_word);
}

static void drive_fw(struct env *e)
{
	unsigned int op[] = { CAIRN_CTX_OP_MODIFY, CAIRN_CTX_OP_READ,
			      ON_CHIP ? CAIRN_CTX_OP_READ : CAIRN_CTX_OP_EVICT };
	struct cairn_cq_ctx data = { 0 }, mask = { .flags = CAIRN_CQ_CTX_FLAGS_DB_PAGE };

	if (e->fw || e->stop || !rng_percent(&e->tb->rng, e->fw_pc))
		return;
	e->fw = true;
	e->fw_cq = (unsigned int)rng_below(&e->tb->rng, e->n_cq);
	e->fw_op = op[rng_below(&e->tb->rng, 3)];
	e->fw_mod = (unsigned int)rng_below(&e->tb->rng, 256);
	CAIRN_SET(data.flags, CAIRN_CQ_CTX_FLAGS_DB_PAGE, e->fw_mod);
	vtb_ctx_put(&e->port, &data, &mask);
	vtb_set(e->tb, "fw_key_i", e->fw_cq);
	vtb_set(e->tb, "fw_op_i", e->fw_op);
}

static void drive(struct vtb *tb, void *arg)
{
	struct env *e = arg;

	e->now += 4;
	vtb_set(tb, "time_now_i", e->now);
	for (unsigned int s = 0; s < e->sources; s++)
		drive_cqe(e, s);
	drive_arm(e);
	drive_fw(e);
	vtb_set(tb, "cq_rsp_put_valid_i", e->offer[0]);
	vtb_set(tb, "cq_cmp_put_valid_i", e->offer[1]);
	vtb_set(tb, "arm_valid_i", e->arming);
	vtb_set(tb, "fw_valid_i", e->fw);
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, e->busy));
	vtb_set(tb, "cqc_ready_i", !rng_percent(&tb->rng, e->busy));
	vtb_set(tb, "ticket_i", (uint16_t)(e->h.ticket + 1));
	vtb_set(tb, "eqe_ready_i", !rng_percent(&tb->rng, e->busy));
	vtb_set(tb, "cq_error_ready_i", !rng_percent(&tb->rng, e->busy));
	if (e->no_consume || !rng_percent(&tb->rng, 60))
		return;
	struct cq *q = &e->cq[rng_below(&tb->rng, e->n_cq)];

	q->consumed += (uint32_t)rng_below(&tb->rng, q->written - q->consumed + 1);
	if (e->stop || rng_percent(&tb->rng, 50)) {
		uint32_t ci = q->first + q->consumed;

		q->published = q->consumed;
		memcpy(e->h.mem + CI_AT(q - e->cq), &ci, 4);
	}
}

static void take_cqe(struct env *e)
{
	struct rec_dma_wr w;
	uint64_t stamp;
	unsigned int n;
	struct cq *q;

	if (!vtb_get(e->tb, "wr_valid_o") || !vtb_get(e->tb, "wr_ready_i"))
		return;
	w = host_write(&e->h, "wr_cmd_o");
	vtb_check_eq(e->tb, w.len, 32);
	vtb_check(e->tb, w.iova >= RING(0));
	n = (unsigned int)((w.iova - RING(0)) / 0x8000);
	vtb_check(e->tb, n < e->n_cq);
	q = &e->cq[n];
	if (q->written >= q->sent)
		vtb_fail(e->tb, "CQ %u: a completion nobody sent", n);
	if (q->written - q->published >= 1u << q->log2)
		vtb_fail(e->tb, "CQ %u: entry overwritten", n);
	vtb_check_eq(e->tb, w.iova,
		     RING(n) + ((q->first + q->written) & ((1u << q->log2) - 1)) * 32);
	memcpy(&stamp, &w.data[2], 8);
	vtb_check(e->tb, stamp <= e->now && stamp + 4000 > e->now);
	memcpy(q->want[q->written].cqe + 16, &stamp, 8);
	assert_memory_equal(w.data, q->want[q->written].cqe, 32);
	q->written++;
	e->n_written++;
	if (!e->w_first)
		e->w_first = e->tb->cycle;
	e->w_last = e->tb->cycle;
}

static void take_event(struct env *e)
{
	struct rec_eqe_req ev;
	unsigned int n;
	struct cq *q;

	if (!vtb_get(e->tb, "eqe_valid_o") || !vtb_get(e->tb, "eqe_ready_i"))
		return;
	ev = vtb_get_eqe_req(vtb_port(e->tb, "eqe_req_o"), 0);
	n = ev.number;
	vtb_check(e->tb, n < e->n_cq);
	q = &e->cq[n];
	if (ev.etype == CAIRN_EQE_TYPE_CQ_ERR) {
		vtb_check(e->tb, e->expect_over);
		vtb_check_eq(e->tb, ev.eqn, CAIRN_EQN_ASYNC);
		vtb_check_eq(e->tb, ev.data, CAIRN_VENDOR_ERR_CQ_OVERFLOW);
		e->cq_errs++;
		return;
	}
	if (ev.etype == CAIRN_EQE_TYPE_SQ_DRAINED) {
		vtb_check_eq(e->tb, ev.data, (uint32_t)~n);
		vtb_check(e->tb, q->got_notes < q->n_notes);
		if (q->written < q->note[q->got_notes])
			vtb_fail(e->tb, "CQ %u: an event before the completions it follows", n);
		q->got_notes++;
		return;
	}
	vtb_check_eq(e->tb, ev.etype, CAIRN_EQE_TYPE_CQ);
	vtb_check_eq(e->tb, ev.eqn, 1 + n % 7);
	if (q->got_ev >= q->n_ev)
		vtb_fail(e->tb, "CQ %u: an event without cause", n);
	vtb_check_eq(e->tb, ev.arm_seq, q->ev[q->got_ev].seq);
	vtb_check(e->tb, q->written >= q->ev[q->got_ev].after);
	q->got_ev++;
	q->ev_here = true;
}

static void take_fw(struct env *e)
{
	struct cairn_cq_ctx c;
	struct cq *q = &e->cq[e->fw_cq];

	if (!vtb_get(e->tb, "fw_done_o"))
		return;
	vtb_check(e->tb, e->fw);
	e->fw = false;
	vtb_check_eq(e->tb, vtb_get(e->tb, "fw_status_o"), CAIRN_CTX_RESULT_OK);
	if (e->fw_op == CAIRN_CTX_OP_MODIFY)
		q->mod = e->fw_mod;
	if (e->fw_op != CAIRN_CTX_OP_READ)
		return;
	memcpy(&c, e->port.got, 64);
	e->rec = c;
	vtb_check_eq(e->tb, c.tag, e->fw_cq | 1u << 24);
	vtb_check_eq(e->tb, c.flags >> CAIRN_CQ_CTX_FLAGS_DB_PAGE_SHIFT, q->mod);
	vtb_check(e->tb, c.pi - q->first <= q->sent);
}

static void sample(struct vtb *tb, void *arg)
{
	struct env *e = arg;
	uint64_t ready = vtb_get(tb, "cq_cmp_ready_o") << 1 | vtb_get(tb, "cq_rsp_ready_o");

	take_cqe(e);
	take_event(e);
	take_fw(e);
	if (vtb_get(tb, "cqc_valid_o") && vtb_get(tb, "cqc_ready_i")) {
		struct rec_dma_wr w = host_write(&e->h, "cqc_cmd_o");

		vtb_check(tb, w.iova >= TABLE && w.iova < TABLE + 64 * CQS && w.len == 64);
	}
	vtb_check(tb, ready != 3);
	for (unsigned int s = 0; s < 2; s++) {
		if (e->offer[s] && ready >> s & 1) {
			ref_cqe(e, s);
			e->offer[s] = false;
		}
	}
	if (e->arming && vtb_get(tb, "arm_ready_o")) {
		ref_arm(e);
		e->arming = false;
	}
	e->overs += (unsigned int)vtb_get(tb, "events_cq_overflow_o");
	if (!e->expect_over && e->overs)
		vtb_fail(tb, "overflow of a CQ with room");
	e->reported += vtb_get(tb, "cq_error_valid_o") && vtb_get(tb, "cq_error_ready_i");
}

static void operate(struct env *e, unsigned int n, unsigned int op)
{
	e->fw = true;
	e->fw_cq = n;
	e->fw_op = op;
	vtb_set(e->tb, "fw_key_i", n);
	vtb_set(e->tb, "fw_op_i", op);
	vtb_run_until(e->tb, !e->fw, 2000);
}

static void put_record(struct env *e, unsigned int n)
{
	struct cq *q = &e->cq[n];
	struct cairn_cq_ctx c = { .tag = n | 1u << 24, .base = RING(n), .ci_iova = CI_AT(n) }, ones;

	c.flags = CAIRN_CQ_CTX_FLAGS_VALID | q->log2 << 8 | (1 + n % 7) << 16;
	c.pi = c.ci = c.sol_pi = q->first;
	memcpy(e->h.mem + CI_AT(n), &c.ci, 4);
	memcpy(e->h.mem + TABLE + 64 * n, &c, 64);
	memset(&ones, 0xff, sizeof(ones));
	vtb_ctx_put(&e->port, &c, &ones);
	if (ON_CHIP)
		operate(e, n, CAIRN_CTX_OP_INIT);
}

static struct env *start(unsigned int n_cq)
{
	struct env *e = &E;

	memset(e, 0, sizeof(*e));
	e->tb = vtb_create();
	host_init(&e->h, e->tb, 5);
	e->n_cq = n_cq;
	e->sources = 2;
	e->now = 1000000;
	vtb_set(e->tb, "cq_base_i", TABLE);
	vtb_set(e->tb, "cq_entries_i", CQS);
	vtb_on_drive(e->tb, drive, e);
	vtb_on_sample(e->tb, sample, e);
	vtb_ctx_attach(&e->port, e->tb, "fw", "fw");
	for (unsigned int n = 0; n < n_cq; n++) {
		struct cq *q = &e->cq[n];

		q->log2 = 1 + (unsigned int)rng_below(&e->tb->rng,
						      rng_percent(&e->tb->rng, 50) ? 4 : 10);
		q->first = rng_percent(&e->tb->rng, 50)
				   ? (uint32_t) - (int)rng_below(&e->tb->rng, 300)
				   : 0;
		q->arm_seq = 0;
		put_record(e, n);
	}
	return e;
}

static void finish(struct env *e)
{
	e->stop = true;
	vtb_run_until(e->tb,
		      vtb_get(e->tb, "idle_o") && !e->offer[0] && !e->offer[1] && !e->arming &&
			      !e->fw,
		      20000);
	vtb_run(e->tb, 5);
	for (unsigned int n = 0; n < e->n_cq; n++) {
		vtb_check_eq(e->tb, e->cq[n].written, e->cq[n].sent);
		vtb_check_eq(e->tb, e->cq[n].got_ev, e->cq[n].n_ev);
		vtb_check_eq(e->tb, e->cq[n].got_notes, e->cq[n].n_notes);
	}
	/* Everything written back: the records agree. */
	for (unsigned int n = 0; n < e->n_cq; n++) {
		struct cairn_cq_ctx c;
		struct cq *q = &e->cq[n];

		operate(e, n, ON_CHIP ? CAIRN_CTX_OP_READ : CAIRN_CTX_OP_EVICT);
		vtb_run_until(e->tb, vtb_get(e->tb, "idle_o"), 2000);
		memcpy(&c, ON_CHIP ? (void *)&e->rec : e->h.mem + TABLE + 64 * n, 64);
		vtb_check_eq(e->tb, c.pi, q->first + q->sent);
		vtb_check_eq(e->tb, c.flags >> CAIRN_CQ_CTX_FLAGS_DB_PAGE_SHIFT, q->mod);
		vtb_check_eq(e->tb, !!(c.flags & CAIRN_CQ_CTX_FLAGS_ARMED), q->armed);
	}
}

static void traffic(unsigned int n_cq, unsigned int send, unsigned int arm, unsigned int fw,
		    unsigned int busy, unsigned int cycles)
{
	struct env *e = start(n_cq);

	e->send_pc = send;
	e->arm_pc = arm;
	e->fw_pc = fw;
	e->note_pc = 10;
	e->busy = e->h.busy = busy;
	vtb_run(e->tb, cycles);
	finish(e);
	if (e->n_written <= 200)
		vtb_fail(e->tb, "%u completions in %u cycles", e->n_written, cycles);
	vtb_destroy(e->tb);
}

static void many_cqs(void **state)
{
	(void)state;
	traffic(CQS, 60, 20, 3, 30, 15000);
}
static void few_cqs(void **state)
{
	(void)state;
	traffic(3, 80, 30, 2, 20, 8000);
}
static void fits(void **state)
{
	(void)state;
	traffic(6, 90, 10, 1, 0, 8000);
}

static void rate(unsigned int n_cq)
{
	struct env *e = start(n_cq);
	unsigned int from;

	for (unsigned int n = 0; n < n_cq; n++) {
		e->cq[n].log2 = 10;
		put_record(e, n);
	}
	e->send_pc = 4; /* no list left */
	vtb_run(e->tb, 400);
	e->send_pc = 100;
	vtb_run(e->tb, 100);
	from = e->n_written;
	vtb_run(e->tb, 400);
	if (e->n_written - from < (ON_CHIP ? 32 : 198))
		vtb_fail(e->tb, "%u completions in 400 cycles", e->n_written - from);
	finish(e);
	vtb_destroy(e->tb);
}

static void interval(void **state)
{
	(void)state;
	rate(1);
	rate(6);
}

/* Nobody consumes: the ring is filled to the last entry, then the CQ is in error, once. */
static void overflow(void **state)
{
	(void)state;
	for (unsigned int log2 = 1; log2 < 6; log2++) {
		struct env *e = start(1);
		struct cq *q = &e->cq[0];

		q->log2 = log2;
		put_record(e, 0);
		e->no_consume = e->expect_over = e->no_credit = true;
		for (unsigned int i = 0; i < (1u << log2) + 3; i++) {
			e->send_pc = 100;
			vtb_run_until(e->tb, e->offer[0] || e->offer[1], 10);
			e->send_pc = 0;
			vtb_run_until(e->tb, !e->offer[0] && !e->offer[1], 300);
		}
		vtb_run_until(e->tb, vtb_get(e->tb, "idle_o"), 3000);
		vtb_check_eq(e->tb, q->written, 1u << log2);
		vtb_check_eq(e->tb, e->overs, 1);
		vtb_check_eq(e->tb, e->cq_errs, 1);
		vtb_check_eq(e->tb, e->reported, 1);
		vtb_destroy(e->tb);
	}
}

/* One completion and one arm, at every distance; with and without the record on chip. */
static void arm_race(void **state)
{
	(void)state;
	for (unsigned int cold = 0; cold < 2; cold++) {
		struct env *e = start(1);
		struct cq *q = &e->cq[0];

		q->log2 = 8;
		put_record(e, 0);
		for (int d = -20; d <= 20; d++) {
			if (cold)
				operate(e, 0, ON_CHIP ? CAIRN_CTX_OP_READ : CAIRN_CTX_OP_EVICT);
			if (d < 0) {
				e->arm_pc = 100;
				vtb_tick(e->tb);
				e->arm_pc = 0;
				vtb_run(e->tb, (unsigned int)-d - 1);
			}
			e->send_pc = 100;
			e->sources = 1;
			if (!d)
				e->arm_pc = 100;
			vtb_tick(e->tb);
			e->arm_pc = e->send_pc = 0;
			if (d > 0) {
				vtb_run(e->tb, (unsigned int)d - 1);
				e->arm_pc = 100;
				vtb_tick(e->tb);
				e->arm_pc = 0;
			}
			vtb_run_until(e->tb, vtb_get(e->tb, "idle_o") && !e->arming, 500);
			vtb_check_eq(e->tb, q->got_ev, q->n_ev);
			q->published = q->consumed = q->written;
		}
		finish(e);
		vtb_destroy(e->tb);
	}
}

/* No record: dropped. Unreadable or of another CQ: dropped and reported, where records are read. */
static void bad_records(void **state)
{
	struct env *e = start(3);

	(void)state;
	memset(e->h.mem + TABLE, 0, 64);
	e->h.mem[TABLE + 64] ^= 0x10;
	if (ON_CHIP) {
		operate(e, 0, CAIRN_CTX_OP_DROP);
		operate(e, 1, CAIRN_CTX_OP_EVICT);
	}
	e->cq[2].log2 = 8;
	put_record(e, 2);
	e->send_pc = 50;
	vtb_run(e->tb, 300);
	e->stop = true;
	vtb_run_until(e->tb, vtb_get(e->tb, "idle_o") && !e->offer[0] && !e->offer[1], 3000);
	vtb_check_eq(e->tb, e->cq[0].written + e->cq[1].written, 0);
	vtb_check(e->tb, e->cq[0].sent && e->cq[1].sent && e->cq[2].sent);
	vtb_check_eq(e->tb, e->cq[2].written, e->cq[2].sent);
	vtb_check_eq(e->tb, e->reported, ON_CHIP ? 0 : e->cq[1].sent);
	vtb_destroy(e->tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interval),    cmocka_unit_test(fits),
		cmocka_unit_test(few_cqs),     cmocka_unit_test(many_cqs),
		cmocka_unit_test(overflow),    cmocka_unit_test(arm_race),
		cmocka_unit_test(bad_records),
	};

	return cmocka_run_group_tests_name("cq_service", tests, NULL, NULL);
}
