// SPDX-License-Identifier: Apache-2.0
/* completer: requester and peer in C (cmp_world.h). */
#include "cmp_world.h"

#include <string.h>

#include "cairn_hw.h"
#include "cairn_pkt.h"

struct vtb *tb;
struct qp qp[NQ];
static unsigned int loss, busy, timeout, rnr_pct, turn, pi_qpn, cells_live, cell_next, got_cqes;
uint64_t counts[N_COUNTS];
static uint64_t now;
static bool live, showing, tmr_pending;
static unsigned int show_q, tmr_q;
static struct {
	bool used;
	unsigned int q, wr, off, len, run;
} cell[4096];

static int32_t diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) >> 8;
}

static uint32_t word(const uint8_t *p, unsigned int at)
{
	uint32_t v;

	memcpy(&v, p + at, 4);
	return v;
}

static uint32_t cmp_una(const struct qp *q)
{
	uint32_t una = word(q->cmp, 8) & 0xffffff, old = word(q->cmp, 40) & 0xffffff;

	return diff(una, old) > 0 ? una : old;
}

static bool is_atomic(const struct wr *w)
{
	return w->op == CAIRN_WQE_OP_ATOMIC_CS || w->op == CAIRN_WQE_OP_ATOMIC_FA;
}

static unsigned int span(const struct wr *w)
{
	if (w->op == CAIRN_WQE_OP_NOP)
		return 0;
	return w->len ? (w->len + MTU - 1) / MTU : 1;
}

/* ---- peer ---- */

static void answer(struct qp *q, unsigned int opcode, uint32_t psn, unsigned int syn,
		   unsigned int wr, unsigned int off, unsigned int len)
{
	struct rsp *r = &q->wire[q->tail % WIRE];
	uint64_t at = tb->cycle + 20 + rng_below(&tb->rng, 30);

	if (rng_percent(&tb->rng, loss))
		return;
	assert_true(q->tail - q->head < WIRE);
	if (q->tail != q->head && q->wire[(q->tail - 1) % WIRE].at > at)
		at = q->wire[(q->tail - 1) % WIRE].at;
	*r = (struct rsp){ at, opcode, len, wr, off, psn & 0xffffff, syn << 24 };
	q->tail++;
}

static void read_answers(struct qp *q, unsigned int i, uint32_t psn, unsigned int n)
{
	struct wr *w = &q->wr[i];
	unsigned int at = (unsigned int)diff(psn, w->psn);

	for (unsigned int k = 0; k < n; k++) {
		unsigned int off = (at + k) * MTU, left = w->len - off;
		unsigned int op = n == 1       ? CAIRN_OPCODE_RC_READ_RSP_ONLY
				  : k == 0     ? CAIRN_OPCODE_RC_READ_RSP_FIRST
				  : k == n - 1 ? CAIRN_OPCODE_RC_READ_RSP_LAST
					       : CAIRN_OPCODE_RC_READ_RSP_MIDDLE;

		answer(q, op, psn + k, 0x1f, i, off, left < MTU ? left : MTU);
	}
}

static void peer(struct qp *q, unsigned int i, uint32_t psn, unsigned int n)
{
	struct wr *w = &q->wr[i];
	bool read = w->op == CAIRN_WQE_OP_READ, data = read || is_atomic(w);
	int32_t d = diff(psn, q->epsn);

	if (rng_percent(&tb->rng, loss))
		return;
	if (d > 0) {
		if (!q->nak)
			answer(q, CAIRN_OPCODE_RC_ACKNOWLEDGE, q->epsn, 0x60, 0, 0, 0);
		q->nak = true;
		return;
	}
	q->nak = false;
	if (d == 0) {
		if (!data && rng_percent(&tb->rng, rnr_pct)) {
			answer(q, CAIRN_OPCODE_RC_ACKNOWLEDGE, psn, 0x21, 0, 0, 0);
			q->nak = true;
			return;
		}
		q->epsn = (psn + n) & 0xffffff;
	}
	if (read)
		read_answers(q, i, psn, n);
	else if (data)
		answer(q, CAIRN_OPCODE_RC_ATOMIC_ACK, psn, 0x1f, i, 0, 0);
	else if (d < 0 || diff(psn + 1, w->npsn) == 0 || rng_percent(&tb->rng, 20))
		answer(q, CAIRN_OPCODE_RC_ACKNOWLEDGE, d < 0 ? q->epsn - 1 : psn, 0x1f, 0, 0, 0);
}

/* ---- requester ---- */

static void requester(unsigned int k)
{
	struct qp *q = &qp[k];
	uint32_t flags = word(q->cmp, 4), una = cmp_una(q), gb = word(q->cmp, 12) & 0xffffff;
	uint8_t epoch = word(q->cmp, 8) >> 24;
	bool restart = epoch != q->epoch, none;
	unsigned int i, n = 1, c;

	if ((flags & (CAIRN_QP_CMP_FLAGS_ERR | CAIRN_QP_CMP_FLAGS_RNR_WAIT)) || tmr_pending)
		return;
	none = una == q->hi;
	if (restart) {
		q->epoch = epoch;
		q->next = diff(gb, una) > 0 ? gb : una;
	}
	for (i = 0; i < q->n && diff(q->next, q->wr[i].npsn) >= 0; i++)
		;
	q->nop_done = i;
	if (i == q->n)
		return;
	c = (unsigned int)diff(q->next, q->wr[i].psn);
	if (q->wr[i].op == CAIRN_WQE_OP_READ) {
		n = span(&q->wr[i]) - c;
		if (n > CHUNK - c % CHUNK)
			n = CHUNK - c % CHUNK;
	}
	if (none || restart) {
		q->t_start = now;
		tmr_pending = true;
		tmr_q = k;
	}
	peer(q, i, q->next, n);
	q->next = (q->next + n) & 0xffffff;
	if (diff(q->next, q->hi) > 0)
		q->hi = q->next;
}

static void req_part(unsigned int k, uint8_t *p)
{
	struct qp *q = &qp[k];
	unsigned int i;
	uint32_t v;

	for (i = 0; i < q->n && diff(q->next, q->wr[i].npsn) >= 0; i++)
		;
	i = i == q->n ? q->wr[q->n - 1].index + q->wr[q->n - 1].blocks : q->wr[i].index;
	memset(p, 0, 64);
	v = (k + 1) | 5u << 24, memcpy(p, &v, 4);
	v = 6u << 24, memcpy(p + 4, &v, 4);
	v = i | i << 16, memcpy(p + 16, &v, 4);
	v = q->next | (uint32_t)q->epoch << 24, memcpy(p + 20, &v, 4);
	memcpy(p + 32, &q->t_start, 8);
	v = q->hi, memcpy(p + 40, &v, 4);
}

/* ---- cycle ---- */

static void drive_packet(void)
{
	struct rsp *r;
	unsigned int k;

	if (showing)
		return;
	vtb_set(tb, "pkt_valid_i", 0);
	k = (unsigned int)rng_below(&tb->rng, NQ);
	r = &qp[k].wire[qp[k].head % WIRE];
	if (qp[k].head == qp[k].tail || r->at > tb->cycle || rng_percent(&tb->rng, busy) ||
	    cells_live > 40 || vtb_get(tb, "pins_o") > 50) /* RX_INFLIGHT is 64 */
		return;
	showing = true;
	show_q = k;
	if (r->len) {
		while (cell[cell_next].used)
			cell_next = (cell_next + 1) % 4096;
		cell[cell_next].used = true;
		cell[cell_next].q = k, cell[cell_next].wr = r->wr, cell[cell_next].off = r->off;
		cell[cell_next].len = r->len, cell[cell_next].run = 0;
		cells_live++;
	}
	vtb_set(tb, "pkt_valid_i", 1);
	vtb_set(tb, "pkt_qpn_i", k + 1);
	vtb_set(tb, "pkt_opcode_i", r->opcode);
	vtb_set(tb, "pkt_psn_i", r->psn);
	vtb_set(tb, "pkt_aeth_i", r->aeth);
	vtb_set(tb, "pkt_len_i", r->len);
	vtb_set(tb, "pkt_cell_i", cell_next);
	vtb_set(tb, "pkt_orig_i", qp[k].wr[r->wr].value);
}

static void cfg_part(unsigned int k, uint8_t *p)
{
	uint32_t v;

	memset(p, 0, 64);
	v = (k + 1) | 5u << 24, memcpy(p, &v, 4);
	v = 3 | 1u << 6 | 7u << 12 | 7u << 15 | timeout << 18, memcpy(p + 4, &v, 4);
}

static void drive(struct vtb *t, void *arg)
{
	uint8_t p[64];

	(void)t, (void)arg;
	now += 4;
	vtb_set(tb, "time_i", now);
	vtb_set(tb, "rnd_i", rng_u64(&tb->rng) & 0xffffffff);
	if (!live)
		return;
	turn = (turn + 1) % NQ;
	requester(turn);
	req_part(turn, p);
	vtb_set(tb, "host_write_valid_i", 1);
	vtb_set(tb, "host_write_part_i", 1);
	vtb_set(tb, "host_write_slot_i", turn + 1);
	vtb_put_bytes(vtb_port(tb, "host_write_data_i"), 0, p, 64);
	vtb_set(tb, "peek_slot_i", turn + 1);
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, busy));
	vtb_set(tb, "cqe_ready_i", !rng_percent(&tb->rng, busy));
	vtb_set(tb, "tmr_valid_i", tmr_pending);
	vtb_set(tb, "tmr_qpn_i", tmr_q + 1);
	vtb_set(tb, "tmr_deadline_i", now + (4096ull << timeout));
	vtb_set(tb, "kick_valid_i", rng_percent(&tb->rng, 1));
	vtb_set(tb, "kick_qpn_i", turn + 1);
	pi_qpn = pi_qpn - 1 < NQ ? pi_qpn - 1 : 0;
	vtb_set(tb, "pi_i",
		qp[pi_qpn].wr[qp[pi_qpn].n - 1].index + qp[pi_qpn].wr[qp[pi_qpn].n - 1].blocks);
	drive_packet();
	cfg_part(show_q, p);
	vtb_put_bytes(vtb_port(tb, "pkt_cfg_i"), 0, p, 64);
}

/* The answer of an atomic: whose it is says the address. */
static void check_value(uint64_t iova, unsigned int len)
{
	struct wr *w = &qp[(iova >> 40) - 1].wr[iova >> 24 & 0xffff];
	uint64_t at = iova - w->va[0], v = vtb_get(tb, "wr_data_o");

	vtb_check(tb, is_atomic(w) && !vtb_get(tb, "wr_free_o"));
	vtb_check(tb, at < 8 && len && at + len <= 8);
	for (unsigned int i = 0; i < len; i++) {
		vtb_check_eq(tb, v >> 8 * i & 0xff, w->value >> 8 * (at + i) & 0xff);
		w->seen[at + i] = 1;
	}
}

static void check_write(void)
{
	unsigned int id = vtb_get(tb, "wr_cell_o"), len = vtb_get(tb, "wr_len_o");
	uint64_t iova = vtb_get(tb, "wr_iova_o");
	static unsigned int last_id;
	struct wr *w;

	if (!vtb_get(tb, "wr_payload_o")) {
		check_value(iova, len);
		return;
	}
	if (!vtb_get(tb, "wr_first_o"))
		id = last_id;
	last_id = id;
	vtb_check(tb, cell[id].used);
	w = &qp[cell[id].q].wr[cell[id].wr];
	for (unsigned int i = 0; i < len; i++) {
		unsigned int at = cell[id].off + cell[id].run + i, s = 0;
		unsigned int o = at;

		while (s < w->nsge && o >= w->sge[s])
			o -= w->sge[s++];
		vtb_check(tb, s < w->nsge);
		vtb_check_eq(tb, iova + i, w->va[s] + o);
		w->seen[at] = 1;
	}
	cell[id].run += len;
	if (vtb_get(tb, "wr_free_o")) {
		vtb_check(tb, cell[id].run == 0 || cell[id].run == cell[id].len);
		cell[id].used = false;
		cells_live--;
	}
}

static void check_cqe(void)
{
	struct qp *q = &qp[vtb_get(tb, "cqe_qpn_o") - 1];
	unsigned int status = vtb_get(tb, "cqe_status_o");
	struct wr *w;

	while (q->reported < q->n && !q->wr[q->reported].signaled && !status)
		q->reported++;
	vtb_check(tb, q->reported < q->n);
	w = &q->wr[q->reported];
	if (status && q->fail)
		while (w->index != vtb_get(tb, "cqe_index_o") && !w->signaled &&
		       q->reported + 1 < q->n)
			w = &q->wr[++q->reported];
	vtb_check_eq(tb, vtb_get(tb, "cqe_index_o"), w->index);
	q->reported++;
	got_cqes++;
	if (status) {
		vtb_check(tb, q->fail);
		if (status == CAIRN_WC_STATUS_WR_FLUSH_ERR)
			q->flushed++;
		else
			q->err_cqes++;
		return;
	}
	vtb_check_eq(tb, vtb_get(tb, "cqe_opcode_o"),
		     w->op == CAIRN_WQE_OP_READ	   ? CAIRN_CQE_OP_READ
		     : w->op == CAIRN_WQE_OP_WRITE ? CAIRN_CQE_OP_WRITE
		     : w->op == CAIRN_WQE_OP_NOP   ? CAIRN_CQE_OP_LOCAL
		     : is_atomic(w)		   ? CAIRN_CQE_OP_ATOMIC
						   : CAIRN_CQE_OP_SEND);
	vtb_check_eq(tb, vtb_get(tb, "cqe_len_o"),
		     w->op == CAIRN_WQE_OP_READ || is_atomic(w) ? w->len : 0);
	if (w->op == CAIRN_WQE_OP_READ || is_atomic(w))
		for (unsigned int i = 0; i < w->len; i++)
			vtb_check(tb, w->seen[i]);
	else if (w->op != CAIRN_WQE_OP_NOP)
		vtb_check(tb, diff(q->epsn, w->npsn) >= 0);
}

/* Blocks that the host has not posted are never asked for: they become WQEs later. */
static void check_fetch(void)
{
	unsigned int q = (unsigned int)vtb_get(tb, "fetch_qpn_o") - 1;
	uint16_t limit = (uint16_t)vtb_get(tb, "fetch_limit_o");
	const struct wr *last;

	vtb_check(tb, q < NQ);
	last = &qp[q].wr[qp[q].n - 1];
	vtb_check(tb, (int16_t)(limit - (uint16_t)(last->index + last->blocks)) <= 0);
}

static void sample(struct vtb *t, void *arg)
{
	static unsigned int peeked;

	(void)t, (void)arg;
	if (!live)
		return;
	if (peeked)
		vtb_get_bytes(vtb_port(tb, "peek_o"), 0, qp[peeked - 1].cmp, 64);
	peeked = turn + 1;
	pi_qpn = vtb_get(tb, "pi_qpn_o");
	if (showing && vtb_get(tb, "pkt_ready_o")) {
		qp[show_q].head++;
		showing = false;
	}
	if (tmr_pending && vtb_get(tb, "tmr_ready_o"))
		tmr_pending = false;
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		check_write();
	if (vtb_get(tb, "cqe_valid_o") && vtb_get(tb, "cqe_ready_i"))
		check_cqe();
	if (vtb_get(tb, "fetch_valid_o"))
		check_fetch();
	for (unsigned int i = 0; i < N_COUNTS; i++)
		counts[i] += vtb_get(tb, cmp_strobe[i]);
}

/* ---- set-up ---- */

static void put_wqe(unsigned int k, struct wr *w)
{
	uint8_t b[128] = { 0 };
	uint32_t v = w->op | w->signaled << 8 | w->nsge << 16 | w->blocks << 24, key = 0x1234;

	memcpy(b, &v, 4);
	memcpy(b + 8, &w->len, 4);
	v = w->index | (k + 1) << 16, memcpy(b + 12, &v, 4);
	if (qp[k].fail && (w->op == CAIRN_WQE_OP_READ || is_atomic(w)))
		key = 0x9999;
	for (unsigned int i = 0; i < w->nsge; i++) {
		uint8_t *sge = b + 32 + 16 * (i + is_atomic(w));

		memcpy(sge, &w->va[i], 8);
		memcpy(sge + 8, &key, 4);
		memcpy(sge + 12, &w->sge[i], 4);
	}
	for (unsigned int i = 0; i < w->blocks; i++) {
		vtb_set(tb, "wq_valid_i", 1);
		vtb_set(tb, "wq_addr_i", ((k + 1) & 15) << 6 | ((w->index + i) & 63));
		vtb_put_bytes(vtb_port(tb, "wq_data_i"), 0, b + 64 * i, 64);
		vtb_tick(tb);
	}
	vtb_set(tb, "wq_valid_i", 0);
}

static void put_part(unsigned int part, unsigned int slot, const uint8_t *bytes)
{
	vtb_set(tb, "host_write_valid_i", 1);
	vtb_set(tb, "host_write_part_i", part);
	vtb_set(tb, "host_write_slot_i", slot);
	vtb_put_bytes(vtb_port(tb, "host_write_data_i"), 0, bytes, 64);
	vtb_tick(tb);
	vtb_set(tb, "host_write_valid_i", 0);
}

/* With the element, if there is one; now and then without, so that the WQE is read. */
static void put_desc(unsigned int k, const struct wr *w)
{
	bool one = (w->op == CAIRN_WQE_OP_READ || is_atomic(w)) && w->nsge == 1;
	uint32_t key = qp[k].fail ? 0x9999 : 0x1234;
	uint8_t sge[16];

	memcpy(sge, &w->va[0], 8);
	memcpy(sge + 8, &key, 4);
	memcpy(sge + 12, &w->sge[0], 4);
	vtb_set(tb, "desc_one_i", one && rng_percent(&tb->rng, 80));
	vtb_put_bytes(vtb_port(tb, "desc_sge_i"), 0, sge, 16);
	vtb_set(tb, "desc_valid_i", 1);
	vtb_set(tb, "desc_qpn_i", k + 1);
	vtb_set(tb, "desc_index_i", w->index);
	vtb_set(tb, "desc_first_i", w->psn);
	vtb_set(tb, "desc_next_i", w->npsn);
	vtb_set(tb, "desc_op_i", w->op);
	vtb_set(tb, "desc_blocks_i", w->blocks);
	vtb_set(tb, "desc_signaled_i", w->signaled);
	vtb_set(tb, "desc_len_i", w->len);
	vtb_tick(tb);
	vtb_set(tb, "desc_valid_i", 0);
}

/* A work request of one of the kinds in `ops`, its length and SGEs; `last` is signaled. */
static void make_wr(struct wr *w, unsigned int ops, uint64_t va, bool last)
{
	static const unsigned int op[6] = {
		CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_WRITE,	   CAIRN_WQE_OP_READ,
		CAIRN_WQE_OP_NOP,  CAIRN_WQE_OP_ATOMIC_CS, CAIRN_WQE_OP_ATOMIC_FA,
	};
	unsigned int left;

	do
		w->op = op[rng_below(&tb->rng, 6)];
	while (!(ops & 1u << w->op));
	w->len =
		w->op == CAIRN_WQE_OP_NOP
			? 0
			: (unsigned int)rng_below(&tb->rng, rng_percent(&tb->rng, 50) ? 300 : MAXB);
	if (rng_percent(&tb->rng, 10))
		w->len = 0;
	if (is_atomic(w))
		w->len = 8;
	w->value = rng_u64(&tb->rng);
	w->signaled = rng_percent(&tb->rng, 70) || last;
	w->nsge = is_atomic(w) ? 1 : w->len ? 1 + (unsigned int)rng_below(&tb->rng, 3) : 0;
	w->blocks = w->nsge > 2 ? 2 : 1;
	left = w->len;
	for (unsigned int s = 0; s < w->nsge; s++) {
		w->sge[s] = s + 1 == w->nsge ? left : (uint32_t)rng_below(&tb->rng, left + 1);
		left -= w->sge[s];
		w->va[s] = va | s << 20 | rng_below(&tb->rng, 4096);
	}
}

static void set_up(unsigned int k, unsigned int ops)
{
	struct qp *q = &qp[k];
	uint32_t psn, v;
	unsigned int index = 0xfff0;
	uint8_t p[64] = { 0 }, c[64];
	bool fail = q->fail;

	memset(q, 0, sizeof(*q));
	q->fail = fail;
	q->psn0 = psn = q->next = q->hi = q->epsn = 0xffffe0;
	q->n = 30;
	for (unsigned int i = 0; i < q->n; i++) {
		struct wr *w = &q->wr[i];

		make_wr(w, ops, (uint64_t)(k + 1) << 40 | (uint64_t)i << 24, i + 1 == q->n);
		w->index = index & 0xffff;
		w->psn = psn;
		w->npsn = psn = (psn + span(w)) & 0xffffff;
		put_wqe(k, w);
		index += w->blocks;
		if (rng_percent(&tb->rng, 50))
			put_desc(k, w);
	}
	v = (k + 1) | 5u << 24, memcpy(p, &v, 4);
	v = 7u << 24 | 7u << 27, memcpy(p + 4, &v, 4);
	v = q->psn0, memcpy(p + 8, &v, 4), memcpy(p + 12, &v, 4);
	v = 0xfff0, memcpy(p + 36, &v, 4);
	v = q->psn0, memcpy(p + 40, &v, 4);
	memcpy(q->cmp, p, 64);
	cfg_part(k, c);
	put_part(0, k + 1, c);
	req_part(k, c);
	put_part(1, k + 1, c);
	put_part(2, k + 1, p);
}

bool all_done(void *arg)
{
	(void)arg;
	for (unsigned int k = 0; k < NQ; k++)
		if (qp[k].reported != qp[k].n)
			return false;
	return true;
}

static bool quiet(void *arg)
{
	(void)arg;
	for (unsigned int k = 0; k < NQ; k++)
		if (qp[k].head != qp[k].tail)
			return false;
	return vtb_get(tb, "pins_o") == 0 && !showing && cells_live == 0;
}

void start(unsigned int lossy, unsigned int pause, unsigned int miss, unsigned int rnr,
		  unsigned int ops, bool fail)
{
	static unsigned int generation;

	tb = vtb_create();
	for (unsigned int i = 0; i < 17 * generation; i++)
		rng_u64(&tb->rng);
	generation++;
	live = showing = tmr_pending = false;
	memset(cell, 0, sizeof(cell));
	memset(counts, 0, sizeof(counts));
	cells_live = cell_next = got_cqes = 0;
	loss = lossy, busy = pause, rnr_pct = rnr, timeout = 1;
	now = 1000;
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_set(tb, "miss_i", miss);
	vtb_run(tb, 100);
	for (unsigned int k = 0; k < NQ; k++) {
		qp[k].fail = fail;
		set_up(k, ops);
	}
	live = true;
}

void finish(void)
{
	vtb_run_until_fn(tb, all_done, NULL, 400000, "all completions");
	vtb_run_until_fn(tb, quiet, NULL, 20000, "cells and pins back");
	vtb_destroy(tb);
}
