// SPDX-License-Identifier: Apache-2.0
/* responder: shared receive queues: records, slots in any order, limits, errors; every slot that
 * was taken has exactly one completion or is given back.  In the responder that is rq_unit with
 * its parts srq_ring, srq_state and srq_wait, which have no bench of their own. */
#include "rsp_srq.h"

#include <string.h>

#define SRQN 2
#define SLOTS_AT 0x210000u /* slot array: 64 slots of two elements */
#define RING_AT 0x220000u
#define LIMIT CAIRN_EQE_TYPE_SRQ_LIMIT

static struct weqe srq_events[16];
static unsigned int n_srq_events;
static struct srq the;

static void on_eqe(struct world *w, const struct weqe *e)
{
	if (e->type == LIMIT || e->type == CAIRN_EQE_TYPE_SRQ_ERR) {
		vtb_check(w->tb, n_srq_events < 16 && e->eqn == 0 && e->number == SRQN);
		srq_events[n_srq_events++] = *e;
	} else {
		vtb_check(w->tb, n_eqes < 64);
		eqes[n_eqes++] = *e;
	}
}

static void set_limit(struct world *w, unsigned int limit)
{
	struct cairn_srq_ctx rec = { .flags = limit ? CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED : 0,
				     .index = CAIRN_PUT(CAIRN_SRQ_CTX_INDEX_LIMIT, limit) };
	const struct cairn_srq_ctx mask = { .flags = CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED,
					    .index = CAIRN_SRQ_CTX_INDEX_LIMIT };

	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_MODIFY, SRQN, &rec, &mask), 0);
}

static void ring_doorbell(struct world *w)
{
	srq_doorbell(w, &the);
}

static void put_slot(struct world *w, unsigned int slot, unsigned int size)
{
	struct cairn_sge *e = (void *)(w->mem + SLOTS_AT);

	if (slot < size) {
		e[2 * slot] = (struct cairn_sge){ SRQ_VA + 1024 * slot, SRQ_KEY, 300 };
		e[2 * slot + 1] = (struct cairn_sge){ SRQ_VA + 1024 * slot + 300, SRQ_KEY, 300 };
	}
	srq_put(w, &the, slot);
}

static struct world *setup_srq(unsigned int type, unsigned int log2, unsigned int slots)
{
	struct world *w = setup(1, 0);

	w->on_eqe = on_eqe;
	n_srq_events = 0;
	world_region(w, SRQ_KEY, 1, SRQ_VA, 1024u << log2, SRQ_BUF(0));
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_READ, SRQN, &(struct cairn_srq_ctx){ 0 }, NULL),
		     CAIRN_CTX_RESULT_FREE);
	the = (struct srq){ SRQN, log2, 2, SLOTS_AT, RING_AT, 0 };
	srq_init(w, &the);
	for (unsigned int q = 0; q < QPS; q++)
		srq_use(w, q, type, SRQN);
	for (unsigned int i = 0; i < slots; i++)
		put_slot(w, (5 * i + 3) % (1u << log2), 1u << log2);
	ring_doorbell(w);
	vtb_run(w->tb, 100); /* slots are on chip, and taken in their order */
	return w;
}

static void expect(struct world *w, unsigned int i, unsigned int status, unsigned int slot,
		   unsigned int len)
{
	vtb_check(w->tb, i < n_cqes);
	vtb_check_eq(w->tb, cqes[i].status, status);
	vtb_check_eq(w->tb, cqes[i].index, slot);
	vtb_check(w->tb, cqes[i].flags & 0x20);
	if (!status)
		vtb_check_eq(w->tb, cqes[i].byte_len, len);
}

static unsigned int left(struct world *w)
{
	struct cairn_srq_ctx rec;

	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_READ, SRQN, &rec, NULL), 0);
	return (the.posted - CAIRN_GET(rec.index, CAIRN_SRQ_CTX_INDEX_POP)) & 0xffff;
}

static void messages(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 4, 5);
	struct wpkt p;

	(void)state;
	send_one(w, 0x04, 0, 100);
	p = packet(0x00, 0, 256); /* QP 1 holds a slot over other QPs' messages */
	p.qpn = 1;
	world_send(w, &p);
	send_one(w, 0x05, 1, 8);
	settle(w);
	p = packet(0x0b, 2, 8);
	world_send(w, &p);
	settle(w);
	p = packet(0x02, 1, 200);
	p.qpn = 1;
	world_send(w, &p);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 4);
	expect(w, 0, 0, 3, 100);
	expect(w, 1, 0, 13, 8);
	expect(w, 2, 0, 2, 8);
	expect(w, 3, 0, 8, 456);
	vtb_check(w->tb, !memcmp(w->mem + SRQ_BUF(3), payload, 100));
	vtb_check(w->tb, !memcmp(w->mem + SRQ_BUF(8), payload, 256));
	vtb_check(w->tb, !memcmp(w->mem + SRQ_BUF(8) + 256, payload, 200));
	vtb_check_eq(w->tb, left(w), 1);
	send_one(w, 0x04, 3, 1);
	send_one(w, 0x04, 4, 1);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 5);
	expect_ack(w, n_jobs - 1, 0x29, 4, 4); /* RNR */
	put_slot(w, 3, 16);
	ring_doorbell(w);
	send_one(w, 0x04, 4, 1); /* at once: the slot is not on chip yet */
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 6);
	expect(w, 5, 0, 3, 1);
	vtb_check_eq(w->tb, n_srq_events, 0);
	world_destroy(w);
}

static void limits(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 4, 6);
	struct cairn_srq_ctx rec;

	(void)state;
	set_limit(w, 5);
	send_one(w, 0x04, 0, 1); /* five are left */
	settle(w);
	vtb_check_eq(w->tb, n_srq_events, 0);
	send_one(w, 0x04, 1, 1);
	send_one(w, 0x04, 2, 1);
	settle(w);
	vtb_check_eq(w->tb, n_srq_events, 1);
	vtb_check_eq(w->tb, srq_events[0].type, LIMIT);
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_READ, SRQN, &rec, NULL), 0);
	vtb_check(w->tb, !(rec.flags & CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED));
	vtb_check_eq(w->tb, rec.slots, SLOTS_AT | w->srq_high);
	set_limit(w, 3); /* just enough */
	settle(w);
	vtb_check_eq(w->tb, n_srq_events, 1);
	set_limit(w, 4); /* too few already */
	settle(w);
	vtb_check_eq(w->tb, n_srq_events, 2);
	set_limit(w, 2);
	set_limit(w, 0);
	for (unsigned int i = 3; i < 6; i++)
		send_one(w, 0x04, i, 1);
	settle(w);
	vtb_check_eq(w->tb, n_srq_events, 2);
	vtb_check_eq(w->tb, n_cqes, 6);
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_MODIFY, 1, &rec, &rec), CAIRN_CTX_RESULT_FREE);
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_READ, 4, &rec, NULL), CAIRN_CTX_RESULT_FREE);
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_DROP, SRQN, NULL, NULL), 0);
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_READ, SRQN, &rec, NULL), CAIRN_CTX_RESULT_FREE);
	world_destroy(w);
}

/* The QP's receive fails, and nothing of the SRQ is lost or used twice. */
static void ring_errors(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < 5; kind++) {
		struct world *w = setup_srq(kind == 4 ? CAIRN_QP_TYPE_UD : CAIRN_QP_TYPE_RC, 4, 0);
		struct wpkt p = packet(kind == 4 ? 0x64 : 0x04, 0, 8);
		static const uint8_t ip[40];

		p.ip = kind == 4 ? ip : NULL;
		if (kind == 1)
			w->read_fail = 100;
		put_slot(w, kind == 0 ? 16 : kind == 3 ? 0x10003 : 1, 16);
		if (kind == 2)
			the.posted = 17; /* beyond the ring */
		if (kind == 4)
			put_slot(w, 0xffffffff, 16);
		ring_doorbell(w);
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, n_srq_events, 1);
		vtb_check_eq(w->tb, srq_events[0].type, CAIRN_EQE_TYPE_SRQ_ERR);
		vtb_check_eq(w->tb, w->cnt[C_SRQ], 1);
		if (kind == 4)
			world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, n_eqes, 1);
		vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_QP_FATAL);
		vtb_check_eq(w->tb, n_errs, 1);
		/* UD: the slot before the bad one may have been taken. */
		vtb_check(w->tb, n_cqes <= (kind == 4) && (!n_cqes || !cqes[0].status));
		vtb_check_eq(w->tb, n_jobs, kind != 4);
		if (kind != 4)
			expect_ack(w, 0, 0x63, 0, 0);
		world_destroy(w);
	}
}

/* Packets behind one that kills the QP have taken slots, which come back. */
static void dead_qp(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 4, 8);
	struct wpkt p = packet(0x0b, 1, 8);

	(void)state;
	send_one(w, 0x00, 0, 256);
	send_one(w, 0x02, 1, 8);
	send_one(w, 0x0a, 2, 8);
	p.psn = PSN0 + 3;
	p.key = 0x999;
	world_send(w, &p); /* fails behind its slot */
	send_one(w, 0x04, 4, 8);
	send_one(w, 0x04, 5, 8);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 4);
	expect(w, 0, 0, 3, 264);
	for (unsigned int i = 1; i < 4; i++) {
		expect(w, i, CAIRN_WC_STATUS_WR_FLUSH_ERR, (5 * i + 3) % 16, 0);
		vtb_check_eq(w->tb, cqes[i].opcode, CAIRN_CQE_OP_RECV);
		vtb_check(w->tb, cqes[i].sol);
	}
	expect_ack(w, n_jobs - 1, 0x62, 3, 2);
	vtb_check_eq(w->tb, w->cnt[C_CQE_ERR], 0); /* flushed ones do not count */
	vtb_check_eq(w->tb, left(w), 4);
	/* Firmware ends a QP in the middle of a message: only what it holds is flushed. */
	p = packet(0x00, 0, 256);
	p.qpn = 1;
	world_send(w, &p);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 4);
	CAIRN_SET(w->cfg[1].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
	world_cfg(w, 1);
	w->kick = 2;
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 5);
	expect(w, 4, CAIRN_WC_STATUS_WR_FLUSH_ERR, 7, 0);
	vtb_check_eq(w->tb, left(w), 3);
	world_destroy(w);
}

/* Firmware ends a QP at each moment of a stream of messages: the slots taken complete, no other. */
static void ended_in_traffic(void **state)
{
	static const uint8_t opcodes[] = { 0x00, 0x02, 0x04, 0x04, 0x00, 0x02, 0x04 };
	unsigned int flushed = 0;

	(void)state;
	for (unsigned int n = 0; n < 320; n++) {
		struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 6, 20);
		unsigned int wait = n / 2, row = n & 1 ? 7 : 3; /* row of messages, repeated */

		w->rng.state += n; /* other stalls each time */
		for (unsigned int i = 0; i < 21; i++) {
			uint8_t opcode = opcodes[i % row];

			send_one(w, opcode, i, opcode == 0x00 ? 256 : 8);
		}
		vtb_run(w->tb, wait);
		CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
		world_cfg(w, 0);
		w->kick = 1;
		settle(w);
		vtb_check_eq(w->tb, n_cqes + left(w), 20);
		for (unsigned int i = 0; i < n_cqes; i++) {
			bool flush = cqes[i].status == CAIRN_WC_STATUS_WR_FLUSH_ERR;

			expect(w, i, flush ? CAIRN_WC_STATUS_WR_FLUSH_ERR : 0, (5 * i + 3) % 64,
			       flush ? 0 : cqes[i].byte_len);
			flushed += flush;
		}
		world_destroy(w);
	}
	assert_true(flushed > 40);
}

/* An error in the message itself completes the slot it holds. */
static void broken_messages(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 4, 8);
	struct wpkt p = packet(0x00, 0, 256);

	(void)state;
	for (unsigned int q = 1; q < 4; q++) {
		p.qpn = q;
		p.psn = PSN0;
		p.opcode = q == 3 ? 0x04 : 0x00;
		p.len = q == 3 ? 255 : 256;
		p.bad_pad = q == 3;
		world_send(w, &p);
		p.psn++;
		p.bad_pad = false;
		p.len = 256;
		p.opcode = q == 1 ? 0x06 : 0x01; /* of another kind; a third that does not fit */
		world_send(w, &p);
		p.psn++;
		world_send(w, &p);
		w->on_qp_err = NULL;
		settle(w);
	}
	vtb_check_eq(w->tb, n_cqes, 3);
	expect(w, 0, CAIRN_WC_STATUS_REM_INV_REQ_ERR, 3, 0);
	expect(w, 1, CAIRN_WC_STATUS_LOC_LEN_ERR, 8, 0);
	expect(w, 2, CAIRN_WC_STATUS_REM_INV_REQ_ERR, 13, 0);
	vtb_check_eq(w->tb, w->cnt[C_LOC_LEN], 1);
	vtb_check_eq(w->tb, w->cnt[C_CQE_ERR], 3);
	vtb_check_eq(w->tb, left(w), 5);
	world_destroy(w);
}

/* UD: a packet that does not fit gives its slot back, and the next one has it. */
static void datagrams(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_UD, 6, 0);
	struct cairn_sge *e = (void *)(w->mem + SLOTS_AT);
	static const uint8_t ip[40];
	unsigned int good = 0, got[64] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 60; i++)
		put_slot(w, (5 * i + 3) % 64, 64);
	for (unsigned int i = 0; i < 128; i++)
		e[i].length = 100; /* 200 bytes a slot */
	ring_doorbell(w);
	for (unsigned int i = 0; i < 120; i++) {
		bool fits = i % 3 == 2; /* those on their way hold slots too */
		struct wpkt p = packet(0x64, 0, fits ? 160 : 161);

		p.qpn = i % QPS;
		p.ip = ip;
		p.ipv6 = i & 4;
		good += fits;
		world_send(w, &p);
		if (i % 17 == 0)
			settle(w);
	}
	settle(w);
	vtb_check_eq(w->tb, n_cqes, good);
	for (unsigned int i = 0; i < n_cqes; i++) {
		vtb_check_eq(w->tb, cqes[i].status, 0);
		vtb_check_eq(w->tb, cqes[i].flags, 0x21);
		vtb_check(w->tb, !got[cqes[i].index & 63]++);
	}
	vtb_check_eq(w->tb, left(w), 60 - good);
	vtb_check_eq(w->tb, w->cnt[C_UD], 120 - good);
	vtb_check(w->tb, !n_jobs && !n_errs);
	world_destroy(w);
}

/* Many messages of all QPs, slots posted again in any order while others are on their way: each
 * slot completes once for each time it was posted, and only with its own data. Often none is on
 * chip; some messages have two packets. */
static void recycle_with(unsigned int pause, unsigned int latency, unsigned int read_pause)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 5, 0);
	unsigned int psn[QPS] = { 0 }, sent = 0, done = 0;
	bool out[32] = { false };

	w->pause = pause;
	w->latency = latency;
	w->read_pause = read_pause;
	while (done < 1500) {
		unsigned int slot = rng_below(&w->rng, 32), q = rng_below(&w->rng, QPS);
		bool two = rng_percent(&w->rng, 30);
		struct wpkt p = packet(two ? 0x00 : 0x05, 0, 256);

		if (!out[slot]) {
			struct cairn_sge *e = (void *)(w->mem + SLOTS_AT);

			out[slot] = true; /* with other lengths each time */
			put_slot(w, slot, 32);
			e[2 * slot].length = 1 + rng_below(&w->rng, 200);
			e[2 * slot + 1].addr = SRQ_VA + 1024 * slot + e[2 * slot].length;
			if (rng_percent(&w->rng, 60))
				ring_doorbell(w);
		}
		/* Never more messages than slots the doorbell has told of: no RNR. */
		if (sent < the.posted - 4 && the.posted >= 4 && world_queued(w) < 40) {
			ring_doorbell(w);
			p.qpn = q;
			p.psn = PSN0 + psn[q]++;
			p.payload = payload + sent % 4096;
			p.ackreq = false;
			p.imm = sent | (two ? 1u << 30 : 0);
			world_send(w, &p);
			if (two) {
				p.opcode = 0x03;
				p.psn = PSN0 + psn[q]++;
				p.payload += 256;
				p.len = 40;
				world_send(w, &p);
			}
			sent++;
		}
		vtb_run(w->tb, rng_below(&w->rng, 30));
		for (unsigned int i = 0; i < n_cqes; i++) {
			const struct wcqe *c = &cqes[i];
			uint32_t imm = __builtin_bswap32(c->imm);

			vtb_check_eq(w->tb, c->status, 0);
			vtb_check(w->tb, c->index < 32 && out[c->index]);
			vtb_check_eq(w->tb, c->byte_len, imm >> 30 ? 296 : 256);
			out[c->index] = false;
			if (memcmp(w->mem + SRQ_BUF(c->index), payload + (imm & 0xffffff) % 4096,
				   c->byte_len))
				vtb_fail(w->tb, "slot %u has not the message it says", c->index);
			done++;
		}
		n_cqes = n_jobs = 0;
	}
	settle(w);
	vtb_check_eq(w->tb, w->cnt[C_RNR], 0);
	vtb_check(w->tb, w->cnt[C_PARK] > 20);
	world_destroy(w);
}

static void recycle(void **state)
{
	(void)state;
	recycle_with(20, 20, 20);
	recycle_with(0, 400, 0);
	recycle_with(10, 50, 90);
}

/* One QP, more messages than slots can be on chip, all at once, before the first slot is. */
static void cold(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 6, 0);
	unsigned int got[64] = { 0 };

	(void)state;
	w->least_latency = 300;
	for (unsigned int i = 0; i < 60; i++)
		put_slot(w, (37 * i + 5) % 64, 64);
	ring_doorbell(w);
	for (unsigned int i = 0; i < 60; i++)
		send_one(w, 0x04, i, 1 + i);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 60);
	for (unsigned int i = 0; i < n_cqes; i++) {
		vtb_check_eq(w->tb, cqes[i].status, 0);
		vtb_check_eq(w->tb, cqes[i].byte_len, 1 + i);
		vtb_check(w->tb, !got[cqes[i].index & 63]++);
	}
	vtb_check_eq(w->tb, left(w), 0);
	vtb_check(w->tb, w->cnt[C_PARK] > 30 && w->cnt[C_SRQ_WAIT] > 30);
	world_destroy(w);
}

/*
 * What a QP sends beyond its share is lost while its first messages wait for slots: it takes none,
 * and those that wait keep theirs.
 */
static void beyond_its_share(void **state)
{
	struct world *w = setup_srq(CAIRN_QP_TYPE_RC, 6, 0);
	unsigned int got[64] = { 0 }, sent = 0;
	const unsigned int packets = 40; /* two a message */
	struct cairn_qp_rsp rsp;

	(void)state;
	w->least_latency = 300;
	for (unsigned int i = 0; i < 60; i++)
		put_slot(w, (37 * i + 5) % 64, 64);
	ring_doorbell(w);
	vtb_set(w->tb, "left_i", 0);
	while (sent < packets) {
		n_jobs = 0;
		for (unsigned int i = sent; i < packets; i++)
			send_one(w, i % 2 ? 0x02 : 0x00, i, i % 2 ? 1 + i : 256);
		settle(w);
		world_peek(w, 0, &rsp);
		vtb_check(w->tb, ((rsp.epsn - PSN0) & 0xffffff) > sent);
		sent = (rsp.epsn - PSN0) & 0xffffff;
	}
	vtb_check_eq(w->tb, n_cqes, packets / 2);
	for (unsigned int i = 0; i < n_cqes; i++) {
		vtb_check_eq(w->tb, cqes[i].status, 0);
		vtb_check_eq(w->tb, cqes[i].byte_len, 256 + 2 + 2 * i);
		vtb_check(w->tb, !got[cqes[i].index & 63]++);
	}
	vtb_check_eq(w->tb, left(w), 60 - packets / 2);
	vtb_check(w->tb, w->cnt[C_SRQ_WAIT] > 0);
	world_destroy(w);
}

/* An SRQ that waits for its ring holds up nobody else: a QP with a queue of its own goes on. */
static void others_go_on(void **state)
{
	struct world *w = setup(1, 16);
	struct wpkt p = packet(0x04, 0, 8);

	(void)state;
	w->on_eqe = on_eqe;
	the = (struct srq){ SRQN, 4, 2, SLOTS_AT, RING_AT, 0 };
	world_region(w, SRQ_KEY, 1, SRQ_VA, 0x4000, SRQ_BUF(0));
	srq_init(w, &the);
	for (unsigned int q = 1; q < QPS; q++)
		srq_use(w, q, CAIRN_QP_TYPE_RC, SRQN);
	send_one(w, 0x04, 0, 8); /* receive WQEs and keys are on chip from here on */
	settle(w);
	n_cqes = 0;
	w->least_latency = 2000;
	for (unsigned int i = 0; i < 8; i++)
		put_slot(w, i, 16);
	ring_doorbell(w);
	for (unsigned int q = 1; q < QPS; q++) {
		p.qpn = q;
		world_send(w, &p);
	}
	for (unsigned int i = 1; i < 8; i++)
		send_one(w, 0x04, i, 8);
	vtb_run(w->tb, 500);
	vtb_check_eq(w->tb, n_cqes, 7);
	for (unsigned int i = 0; i < n_cqes; i++)
		vtb_check(w->tb, cqes[i].qpn == 0 && !cqes[i].status);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 14);
	vtb_check_eq(w->tb, left(w), 1);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages),
		cmocka_unit_test(limits),
		cmocka_unit_test(ring_errors),
		cmocka_unit_test(dead_qp),
		cmocka_unit_test(ended_in_traffic),
		cmocka_unit_test(broken_messages),
		cmocka_unit_test(datagrams),
		cmocka_unit_test(recycle),
		cmocka_unit_test(cold),
		cmocka_unit_test(beyond_its_share),
		cmocka_unit_test(others_go_on),
	};

	return cmocka_run_group_tests_name("responder SRQ", tests, NULL, NULL);
}
