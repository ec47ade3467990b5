// SPDX-License-Identifier: Apache-2.0
/*
 * cq_cached beside readers of consumer records and timers that the test plays, so that these are as
 * slow as they like, in any order: more CQs than there are slots, completions of both engines,
 * arms, moderation, resize and eviction by firmware, all at random, against a model of each CQ.
 * Each completion comes once, in order, in its place of the ring as it is then; an event never
 * before what it tells of, and for each arm that has something to tell of; a change of MOD sets one
 * timer that is due, and until that has its place firmware waits and completions do not; a resize
 * is refused exactly if the entries would not fit. A CQ without record or with a damaged one.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "host.h"
#include "vtb_ctx.h"

#ifndef STRIDE /* between CQNs, as in tests.mk: so that they meet in a set */
#define STRIDE 1u
#endif
#define CQS 20u
#define DAMAGED (CQS - 1)
#define NONE CQS /* beyond the table */
#define CQN(n) ((n)*STRIDE)
#define TABLE 0x1000u
#define CI_AT(n) (0x8000u + (n)*8)
#define RING(n) (0x10000u + (n)*0x4000u)
#define LARGEST 8u
#define MOST 512u /* completions of a CQ that are not written: fewer */
#define READS 8u
#define US 1000u
#define QUEUE 5u /* timers of MOD that wait: in the queue, and one before it */

struct cq {
	unsigned int log2, page;
	uint32_t first, sent, written, published, mod;
	uint32_t id[MOST]; /* by number */
	bool locked;	   /* firmware resizes it */
	/* arm */
	bool armed;
	uint32_t ci;
	unsigned int seq, events;
	/* its timer */
	bool timer;
	uint64_t due;
};

enum fw_kind { PAGE, MOD, RESIZE, READ, EVICT, KINDS };

static struct env {
	struct vtb_ctx port;
	struct vtb *tb;
	struct host h;
	uint64_t now;
	struct cq cq[CQS + 1];
	unsigned int send_pc, arm_pc, fw_pc, busy, pause; /* pause: of readers and timers */
	bool up, hold_ins;
	/* completions, by engine */
	bool offer[2];
	unsigned int of[2];
	uint32_t id[2], next_id;
	/* the arm offered */
	bool arming;
	unsigned int arm_of;
	/* firmware */
	bool fw;
	unsigned int fw_of, fw_kind, fw_value, fw_written, fw_done[KINDS], refused, accepted;
	/* changes of MOD whose timer has not come out: in order */
	unsigned int change[64], n_change;
	/* reads of consumer indices */
	struct {
		bool used;
		unsigned int slot, of;
		bool full;
		uint32_t index;
	} read[READS];
	int answer, fires; /* offered; -1: none */
	unsigned int lost, reported, n_events, n_written, crowded, rooms;
} E;

/* ---- what is offered ---- */

static void offer_completion(unsigned int s)
{
	const struct sim_port *p = vtb_port(E.tb, s ? "cq_cmp_put_req_i" : "cq_rsp_put_req_i");
	unsigned int n = (unsigned int)rng_below(&E.tb->rng, CQS + 1);
	struct cq *q = &E.cq[n];
	uint32_t coming = q->sent + (E.offer[!s] && E.of[!s] == n);

	if (E.offer[s] || q->locked || !rng_percent(&E.tb->rng, E.send_pc))
		return;
	if (n < DAMAGED && coming - q->published >= 1u << q->log2)
		return;
	E.offer[s] = true;
	E.of[s] = n;
	E.id[s] = ++E.next_id;
	vtb_put_bits(p, REC_CQE_REQ_CQN, CQN(n));
	vtb_put_bits(p, REC_CQE_REQ_IMM, E.id[s]);
	vtb_put_bits(p, REC_CQE_REQ_QPN, ~E.id[s] & 0xffffff);
}

static void offer_arm(void)
{
	unsigned int n = (unsigned int)rng_below(&E.tb->rng, DAMAGED);
	struct cq *q = &E.cq[n];

	if (E.arming || q->armed || !rng_percent(&E.tb->rng, E.arm_pc))
		return;
	E.arming = q->armed = true;
	E.arm_of = n;
	q->seq = (q->seq + 1) & 3;
	q->ci = q->published;
	vtb_set(E.tb, "arm_cqn_i", CQN(n));
	vtb_set(E.tb, "arm_word_i", ((q->first + q->ci) & 0xffff) | q->seq << 16);
}

/* COUNT and PERIOD: without moderation, by one or the other, by both */
static uint32_t some_mod(void)
{
	static const uint32_t mods[] = { 0, 1, 1 | 5u << 16, 3, 2u << 16, 4 | 3u << 16, 100 };

	return mods[rng_below(&E.tb->rng, sizeof(mods) / sizeof(mods[0]))];
}

static void begin_fw(enum fw_kind kind, unsigned int n, unsigned int value)
{
	static const unsigned int ops[KINDS] = {
		[PAGE] = CAIRN_CTX_OP_MODIFY,	[MOD] = CAIRN_CTX_OP_MODIFY,
		[RESIZE] = CAIRN_CTX_OP_MODIFY, [READ] = CAIRN_CTX_OP_READ,
		[EVICT] = CAIRN_CTX_OP_EVICT,
	};
	struct cairn_cq_ctx data, mask = { 0 };

	rng_bytes(&E.tb->rng, &data, sizeof(data)); /* what the mask leaves out does not matter */
	if (kind == PAGE) {
		mask.flags = CAIRN_CQ_CTX_FLAGS_DB_PAGE;
		CAIRN_SET(data.flags, CAIRN_CQ_CTX_FLAGS_DB_PAGE, value);
	} else if (kind == MOD) {
		mask.mod = ~0u;
		data.mod = value;
	} else if (kind == RESIZE) {
		mask.flags = CAIRN_CQ_CTX_FLAGS_LOG2;
		CAIRN_SET(data.flags, CAIRN_CQ_CTX_FLAGS_LOG2, value);
		E.cq[n].locked = true;
	}
	vtb_ctx_put(&E.port, &data, &mask);
	vtb_set(E.tb, "fw_key_i", CQN(n));
	vtb_set(E.tb, "fw_op_i", ops[kind]);
	E.fw = true;
	E.fw_kind = kind;
	E.fw_of = n;
	E.fw_value = value;
	E.fw_written = E.cq[n].written;
}

static void offer_fw(void)
{
	unsigned int n = (unsigned int)rng_below(&E.tb->rng, DAMAGED);
	enum fw_kind kind = (enum fw_kind)rng_below(&E.tb->rng, KINDS);
	const struct cq *q = &E.cq[n];
	bool quiet = q->sent == q->written && !(E.offer[0] && E.of[0] == n) &&
		     !(E.offer[1] && E.of[1] == n);
	unsigned int value = (unsigned int)rng_below(&E.tb->rng, 256);

	if (E.fw || !rng_percent(&E.tb->rng, E.fw_pc) || (kind == RESIZE && !quiet))
		return;
	if (kind == MOD)
		value = some_mod();
	else if (kind == RESIZE)
		value = (unsigned int)rng_range(&E.tb->rng, 1, LARGEST);
	else if (kind == READ && value < 20)
		n = NONE;
	begin_fw(kind, n, value);
}

/* A consumer index as it was when it was asked for; it may have moved since. Errors are those of
 * reads that nothing depends on. */
static void offer_answer(void)
{
	unsigned int i = (unsigned int)rng_below(&E.tb->rng, READS);

	if (E.answer < 0 && E.read[i].used && !rng_percent(&E.tb->rng, E.pause)) {
		bool err = !E.read[i].full && rng_percent(&E.tb->rng, 10);

		E.answer = (int)i;
		vtb_set(E.tb, "consumer_index_slot_i", E.read[i].slot);
		vtb_set(E.tb, "consumer_index_full_i", E.read[i].full);
		vtb_set(E.tb, "consumer_index_err_i", err);
		vtb_set(E.tb, "consumer_index_index_i",
			err ? rng_u64(&E.tb->rng) & 0xffffffff : E.read[i].index);
	}
	vtb_set(E.tb, "consumer_index_valid_i", E.answer >= 0);
}

static void offer_timer(void)
{
	unsigned int n = (unsigned int)rng_below(&E.tb->rng, CQS);

	if (E.fires < 0 && E.cq[n].timer && E.cq[n].due <= E.now &&
	    !rng_percent(&E.tb->rng, E.pause)) {
		E.fires = (int)n;
		E.cq[n].timer = false;
		vtb_set(E.tb, "tmr_cqn_i", CQN(n));
	}
	vtb_set(E.tb, "tmr_valid_i", E.fires >= 0);
}

static bool may_read(void)
{
	bool room = false;

	for (unsigned int i = 0; i < READS; i++)
		room |= !E.read[i].used;
	return room && !rng_percent(&E.tb->rng, E.busy);
}

static void drive(struct vtb *tb, void *arg)
{
	static const char *const readys[] = { "wr_ready_i", "cqc_ready_i", "eqe_ready_i",
					      "cq_error_ready_i" };

	struct cq *q = &E.cq[rng_below(&tb->rng, DAMAGED)];

	(void)arg;
	E.now += 4;
	vtb_set(tb, "time_now_i", E.now);
	if (rng_percent(&tb->rng, 60))
		q->published += (uint32_t)rng_below(&tb->rng, q->written - q->published + 1);
	offer_completion(0);
	offer_completion(1);
	offer_arm();
	offer_fw();
	offer_answer();
	offer_timer();
	vtb_set(tb, "cq_rsp_put_valid_i", E.offer[0]);
	vtb_set(tb, "cq_cmp_put_valid_i", E.offer[1]);
	vtb_set(tb, "arm_valid_i", E.arming);
	vtb_set(tb, "fw_valid_i", E.fw);
	vtb_set(tb, "ticket_i", (uint16_t)(E.h.ticket + 1));
	for (unsigned int i = 0; i < sizeof(readys) / sizeof(readys[0]); i++)
		vtb_set(tb, readys[i], !rng_percent(&tb->rng, E.busy));
	vtb_set(tb, "ci_ready_i", may_read());
	vtb_set(tb, "ins_ready_i", !E.hold_ins && !rng_percent(&tb->rng, E.busy));
	vtb_set(tb, "cq_rsp_cqn_i", CQN(rng_below(&tb->rng, CQS)));
	vtb_set(tb, "cq_cmp_cqn_i", vtb_get(tb, "cq_rsp_cqn_i"));
}

/* ---- what comes ---- */

static void take_cqe(void)
{
	struct rec_dma_wr w;
	struct cairn_cqe cqe;
	uint32_t index;
	struct cq *q;
	unsigned int n;

	if (!vtb_get(E.tb, "wr_valid_o") || !vtb_get(E.tb, "wr_ready_i"))
		return;
	w = host_write(&E.h, "wr_cmd_o");
	vtb_check(E.tb, w.len == sizeof(cqe) && w.iova >= RING(0) && w.iova < RING(DAMAGED));
	memcpy(&cqe, w.data, sizeof(cqe));
	n = (unsigned int)((w.iova - RING(0)) / 0x4000);
	q = &E.cq[n];
	index = q->first + q->written;
	vtb_check(E.tb, q->written != q->sent);
	vtb_check(E.tb, q->written - q->published < 1u << q->log2);
	vtb_check_eq(E.tb, w.iova, RING(n) + (index & ((1u << q->log2) - 1)) * sizeof(cqe));
	vtb_check_eq(E.tb, cqe.imm, q->id[q->written % MOST]);
	vtb_check_eq(E.tb, CAIRN_GET(cqe.qpn_op, CAIRN_CQE_QPN_OP_QPN), ~cqe.imm & 0xffffff);
	vtb_check_eq(E.tb, CAIRN_GET(cqe.status, CAIRN_CQE_STATUS_PHASE), ~(index >> q->log2) & 1);
	vtb_check_eq(E.tb, CAIRN_GET(cqe.status, CAIRN_CQE_STATUS_CQ_INDEX_LO), index & 0x7fff);
	vtb_check(E.tb, cqe.timestamp <= E.now && cqe.timestamp + 400 > E.now);
	q->written++;
	E.n_written++;
}

static void take_event(void)
{
	struct rec_eqe_req ev;
	struct cq *q;

	if (!vtb_get(E.tb, "eqe_valid_o") || !vtb_get(E.tb, "eqe_ready_i"))
		return;
	ev = vtb_get_eqe_req(vtb_port(E.tb, "eqe_req_o"), 0);
	vtb_check(E.tb, ev.number % STRIDE == 0 && ev.number < CQN(DAMAGED));
	q = &E.cq[ev.number / STRIDE];
	vtb_check_eq(E.tb, ev.etype, CAIRN_EQE_TYPE_CQ);
	vtb_check_eq(E.tb, ev.eqn, 1 + ev.number / STRIDE % 7);
	vtb_check(E.tb, q->armed);
	vtb_check_eq(E.tb, ev.arm_seq, q->seq);
	vtb_check(E.tb, q->written > q->ci);
	q->armed = false;
	E.n_events++;
}

/* Those that are due are changes of MOD, in their order; others lie ahead. */
static void take_timer(void)
{
	unsigned int cqn = (unsigned int)vtb_get(E.tb, "ins_cqn_o"), n = cqn / STRIDE;
	uint64_t due = vtb_get(E.tb, "ins_deadline_o");

	if (!vtb_get(E.tb, "ins_valid_o") || !vtb_get(E.tb, "ins_ready_i"))
		return;
	vtb_check(E.tb, cqn == CQN(n) && n < DAMAGED);
	if (due <= E.now) {
		vtb_check(E.tb, E.n_change && E.change[0] == n);
		memmove(E.change, E.change + 1, --E.n_change * sizeof(E.change[0]));
	} else {
		vtb_check(E.tb, due <= E.now + 5 * US);
	}
	E.cq[n].timer = true;
	E.cq[n].due = due;
}

static void check_record(const struct cq *q, unsigned int n, const struct cairn_cq_ctx *c)
{
	uint32_t pi = c->pi - q->first, ci = c->ci - q->first;

	vtb_check_eq(E.tb, c->tag, CQN(n) | 1u << 24);
	vtb_check_eq(E.tb, c->base, RING(n));
	vtb_check_eq(E.tb, c->ci_iova, CI_AT(n));
	vtb_check(E.tb, pi >= E.fw_written && pi <= q->sent && ci <= q->published);
	vtb_check_eq(E.tb, CAIRN_GET(c->flags, CAIRN_CQ_CTX_FLAGS_EQN), 1 + n % 7);
	vtb_check_eq(E.tb, CAIRN_GET(c->flags, CAIRN_CQ_CTX_FLAGS_DB_PAGE), q->page);
	vtb_check_eq(E.tb, c->mod, q->mod);
	if (E.fw_kind != RESIZE)
		vtb_check_eq(E.tb, CAIRN_GET(c->flags, CAIRN_CQ_CTX_FLAGS_LOG2), q->log2);
}

/* What came back is the record with the change in it, also if it was refused. */
static void resized(struct cq *q, const struct cairn_cq_ctx *c, unsigned int status)
{
	bool fits = c->pi - c->ci <= 1u << E.fw_value;

	vtb_check_eq(E.tb, c->pi, q->first + q->sent);
	vtb_check_eq(E.tb, status, fits ? CAIRN_CTX_RESULT_OK : CAIRN_CTX_RESULT_REFUSED);
	q->locked = false;
	E.refused += !fits;
	E.accepted += fits;
	if (fits)
		q->log2 = E.fw_value;
}

static void take_fw(void)
{
	unsigned int status = (unsigned int)vtb_get(E.tb, "fw_status_o"), n = E.fw_of;
	struct cq *q = &E.cq[n];
	struct cairn_cq_ctx c;

	if (!vtb_get(E.tb, "fw_done_o"))
		return;
	vtb_check(E.tb, E.fw);
	E.fw = false;
	E.fw_done[E.fw_kind]++;
	memcpy(&c, E.port.got, sizeof(c));
	if (n == NONE) {
		vtb_check_eq(E.tb, status, CAIRN_CTX_RESULT_FREE);
		return;
	}
	if (E.fw_kind == PAGE) {
		q->page = E.fw_value;
	} else if (E.fw_kind == MOD) {
		q->mod = E.fw_value;
		E.change[E.n_change++] = n;
		vtb_check(E.tb, E.n_change <= QUEUE);
	} else if (E.fw_kind == RESIZE) {
		resized(q, &c, status);
	}
	if (E.fw_kind != RESIZE)
		vtb_check_eq(E.tb, status, CAIRN_CTX_RESULT_OK);
	if (E.fw_kind != EVICT)
		check_record(q, n, &c);
}

/* One a CQ at a time, of a CQ that has something to read. */
static void take_read(void)
{
	uint64_t iova = vtb_get(E.tb, "ci_iova_o");
	unsigned int n = (unsigned int)((iova - CI_AT(0)) / 8), room = READS;

	if (!vtb_get(E.tb, "ci_valid_o") || !vtb_get(E.tb, "ci_ready_i"))
		return;
	vtb_check(E.tb, iova == CI_AT(n) && n < DAMAGED);
	for (unsigned int i = 0; i < READS; i++) {
		vtb_check(E.tb, !E.read[i].used || E.read[i].of != n);
		room = E.read[i].used ? room : i;
	}
	E.read[room].used = true;
	E.read[room].of = n;
	E.read[room].slot = (unsigned int)vtb_get(E.tb, "ci_slot_o");
	E.read[room].full = vtb_get(E.tb, "ci_full_o");
	E.read[room].index = E.cq[n].first + E.cq[n].published;
}

static void accepted(unsigned int s)
{
	struct cq *q = &E.cq[E.of[s]];

	E.offer[s] = false;
	E.lost += E.of[s] == DAMAGED;
	if (E.of[s] >= DAMAGED)
		return;
	vtb_check(E.tb, q->sent - q->written < MOST);
	q->id[q->sent++ % MOST] = E.id[s];
}

static void sample(struct vtb *tb, void *arg)
{
	bool room = vtb_get(tb, "cq_rsp_room_o");

	(void)arg;
	take_cqe();
	take_event();
	take_timer();
	take_fw();
	take_read();
	if (vtb_get(tb, "cqc_valid_o") && vtb_get(tb, "cqc_ready_i")) {
		struct rec_dma_wr w = host_write(&E.h, "cqc_cmd_o");

		vtb_check(tb, w.iova >= TABLE && w.iova < TABLE + 64 * CQN(DAMAGED) && w.len == 64);
	}
	if (vtb_get(tb, "cq_error_valid_o") && vtb_get(tb, "cq_error_ready_i")) {
		vtb_check_eq(tb, vtb_get(tb, "cq_error_number_o"), CQN(DAMAGED));
		E.reported++;
	}
	vtb_check_eq(tb, vtb_get(tb, "events_cq_overflow_o"), 0);
	vtb_check_eq(tb, vtb_get(tb, "cq_cmp_room_o"), room);
	vtb_check(tb, !E.up || vtb_get(tb, "cq_rsp_crowded_o") == vtb_get(tb, "cq_cmp_crowded_o"));
	E.crowded += (unsigned int)vtb_get(tb, "events_cq_crowded_o");
	E.rooms += room;
	vtb_check(tb, E.rooms <= E.crowded);
	if (E.offer[0] && vtb_get(tb, "cq_rsp_ready_o"))
		accepted(0);
	if (E.offer[1] && vtb_get(tb, "cq_cmp_ready_o"))
		accepted(1);
	if (E.arming && vtb_get(tb, "arm_ready_o"))
		E.arming = false;
	if (E.answer >= 0 && vtb_get(tb, "consumer_index_ready_o")) {
		E.read[E.answer].used = false;
		E.answer = -1;
	}
	if (E.fires >= 0 && vtb_get(tb, "tmr_ready_o"))
		E.fires = -1;
}

/* ---- */

static void begin(void)
{
	memset(&E, 0, sizeof(E));
	E.tb = vtb_create();
	host_init(&E.h, E.tb, REC_RD_CQ);
	E.now = 1000000;
	E.answer = E.fires = -1;
	vtb_set(E.tb, "base_i", TABLE);
	vtb_set(E.tb, "entries_i", CQN(CQS));
	for (unsigned int n = 0; n < CQS; n++) {
		struct cq *q = &E.cq[n];
		struct cairn_cq_ctx c = { .tag = CQN(n) | 1u << 24,
					  .base = RING(n),
					  .ci_iova = CI_AT(n) };

		q->log2 = (unsigned int)rng_range(&E.tb->rng, 1, LARGEST);
		if (n & 1)
			q->first = 0u - (uint32_t)rng_below(&E.tb->rng, 300);
		c.tag ^= n == DAMAGED ? 0x10 : 0;
		c.flags = CAIRN_CQ_CTX_FLAGS_VALID | CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_LOG2, q->log2) |
			  CAIRN_PUT(CAIRN_CQ_CTX_FLAGS_EQN, 1 + n % 7);
		c.pi = c.ci = c.sol_pi = q->first;
		memcpy(E.h.mem + TABLE + 64 * CQN(n), &c, sizeof(c));
	}
	vtb_on_drive(E.tb, drive, NULL);
	vtb_on_sample(E.tb, sample, NULL);
	vtb_ctx_attach(&E.port, E.tb, "fw", "fw");
	vtb_run_until(E.tb, vtb_get(E.tb, "idle_o"), 500);
	vtb_run(E.tb, 1 << 12); /* RAMs that are emptied */
	E.up = true;
}

static bool quiet(void)
{
	bool any = E.offer[0] || E.offer[1] || E.arming || E.fw || E.fires >= 0 || E.n_change;

	for (unsigned int i = 0; i < READS; i++)
		any |= E.read[i].used;
	for (unsigned int n = 0; n < CQS; n++)
		any |= E.cq[n].timer;
	return !any && vtb_get(E.tb, "idle_o");
}

/* Nothing new, then moderation ends: each arm that has something to tell of has told. */
static void finish(void)
{
	E.send_pc = E.arm_pc = E.fw_pc = 0;
	E.hold_ins = false;
	vtb_run_until(E.tb, quiet(), 60000);
	for (unsigned int n = 0; n < DAMAGED; n++) {
		begin_fw(MOD, n, 0);
		vtb_run_until(E.tb, !E.fw, 5000);
	}
	vtb_run_until(E.tb, quiet(), 60000);
	vtb_run(E.tb, 5);
	for (unsigned int n = 0; n < DAMAGED; n++) {
		struct cq *q = &E.cq[n];

		vtb_check_eq(E.tb, q->written, q->sent);
		vtb_check(E.tb, !q->armed || q->sent == q->ci);
		begin_fw(EVICT, n, 0);
		vtb_run_until(E.tb, !E.fw && vtb_get(E.tb, "idle_o"), 5000);
		E.fw_kind = EVICT;
		check_record(q, n, (struct cairn_cq_ctx *)(E.h.mem + TABLE + 64 * CQN(n)));
	}
	vtb_check_eq(E.tb, E.reported, E.lost);
	vtb_check_eq(E.tb, E.rooms, E.crowded);
}

static void traffic(unsigned int send, unsigned int busy, unsigned int pause, unsigned int fw,
		    unsigned int cycles)
{
	begin();
	E.send_pc = send;
	E.arm_pc = 20;
	E.fw_pc = fw;
	E.busy = E.h.busy = busy;
	E.pause = pause;
	vtb_run(E.tb, cycles);
	finish();
	vtb_check(E.tb, E.n_events > 30 && E.lost > 10 && (STRIDE > 1 || E.crowded > 10));
	for (unsigned int i = 0; i < KINDS; i++)
		vtb_check(E.tb, E.fw_done[i] > 5);
	vtb_check(E.tb, E.accepted > 3);
	vtb_destroy(E.tb);
}

static void at_random(void **state)
{
	(void)state;
	traffic(100, 0, 0, 20, 15000);
	traffic(60, 30, 60, 30, 20000);
	traffic(40, 70, 90, 100, 20000);
	traffic(100, 0, 97, 10, 20000); /* slow readers of indices */
}

/* No timer is taken: changes of MOD wait, at last in front of firmware; completions do not. */
static void no_timers(void **state)
{
	unsigned int before;

	(void)state;
	for (unsigned int round = 0; round < 20; round++) {
		begin();
		E.hold_ins = true;
		for (unsigned int i = 0; i < QUEUE; i++) {
			begin_fw(MOD, (unsigned int)rng_below(&E.tb->rng, DAMAGED), some_mod());
			vtb_run_until(E.tb, !E.fw, 2000);
		}
		begin_fw(round & 1 ? READ : MOD, round % DAMAGED, 1);
		E.send_pc = 50;
		vtb_run(E.tb, 500 + rng_below(&E.tb->rng, 100));
		vtb_check(E.tb, E.fw && E.n_change == QUEUE);
		before = E.n_written;
		vtb_run(E.tb, 400);
		vtb_check(E.tb, E.n_written > before);
		finish();
		vtb_destroy(E.tb);
	}
}

/* Sizes up and down around what is in the ring: both answers come, the next entries lie right. */
static void sizes(void **state)
{
	(void)state;
	begin();
	for (unsigned int i = 0; i < 400; i++) {
		unsigned int n = (unsigned int)rng_below(&E.tb->rng, DAMAGED);
		struct cq *q = &E.cq[n];

		E.send_pc = 100;
		vtb_run(E.tb, rng_below(&E.tb->rng, 60));
		E.send_pc = 0;
		vtb_run_until(E.tb, !E.offer[0] && !E.offer[1] && q->sent == q->written, 2000);
		begin_fw(RESIZE, n, (unsigned int)rng_range(&E.tb->rng, 1, 5));
		vtb_run_until(E.tb, !E.fw, 2000);
	}
	vtb_check(E.tb, E.refused > 20 && E.accepted > 100);
	finish();
	vtb_destroy(E.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_random),
		cmocka_unit_test(no_timers),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests_name("cq_cached", tests, NULL, NULL);
}
