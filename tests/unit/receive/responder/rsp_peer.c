// SPDX-License-Identifier: Apache-2.0
/* See rsp_peer.h. */
#include "rsp_peer.h"

#include <string.h>

static unsigned int below(struct peer *p, unsigned int n)
{
	return rng_below(&p->w->rng, n);
}

/* ---- messages ---- */

static struct ppkt *add_packet(struct peer *p, unsigned int type, unsigned int n)
{
	struct ppkt *k = &p->pkt[p->n_pkt++];

	assert_true(p->n_pkt <= MAX_PKTS && p->total + n < 4096);
	k->type = type;
	k->first = p->total;
	k->n = n;
	for (unsigned int i = 0; i < n; i++)
		p->at[p->total++] = k;
	return k;
}

static void add_read(struct peer *p, unsigned int len)
{
	unsigned int n = len ? (len + p->pmtu - 1) / p->pmtu : 1;
	struct ppkt *k = add_packet(p, P_READ, n);

	k->opcode = 0x0c;
	k->rlen = len;
	k->va = p->rva + below(p, AREA - len + 1);
	k->ackreq = true;
}

/* The reference has executed everything before it. */
static void add_atomic(struct peer *p)
{
	struct ppkt *k = add_packet(p, P_ATOMIC, 1);
	/* few, so that WRITEs, READs and others meet it */
	uint64_t va = ((p->rva + 7) & ~7ull) + 8 * below(p, below(p, 2) ? 3 : AREA / 8 - 2), value;

	memcpy(&k->original, p->expect + (va - p->rva), 8);
	k->opcode = 0x13 + below(p, 2);
	k->va = va;
	k->swap_add = below(p, 8) ? rng_u64(&p->w->rng) : 0;
	k->compare = below(p, 3) ? k->original : rng_u64(&p->w->rng);
	k->ackreq = true;
	value = k->opcode == 0x14	    ? k->original + k->swap_add
		: k->original == k->compare ? k->swap_add
					    : k->original;
	memcpy(p->expect + (va - p->rva), &value, 8);
}

static void add_message(struct peer *p, bool write, bool imm, unsigned int len)
{
	unsigned int n = len ? (len + p->pmtu - 1) / p->pmtu : 1;
	uint64_t va = p->rva + below(p, AREA - len + 1);
	uint8_t *data = p->data + p->n_pkt * 4096u;
	uint32_t immv = rng_u64(&p->w->rng);
	bool se = below(p, 2);

	assert_true(len <= 4096 * n);
	rng_bytes(&p->w->rng, data, len);
	for (unsigned int i = 0; i < n; i++) {
		struct ppkt *k = add_packet(p, write ? P_WRITE : P_SEND, 1);
		bool first = i == 0, last = i == n - 1;

		k->len = last ? len - i * p->pmtu : p->pmtu;
		k->payload = malloc(k->len + 1);
		memcpy(k->payload, data + i * p->pmtu, k->len);
		k->opcode = (write ? 6 : 0) +
			    (first && last ? 4
			     : first	   ? 0
			     : last	   ? 2
					   : 1) +
			    (last && imm);
		k->va = va;
		k->rlen = len;
		k->imm = immv;
		k->se = last && se;
		k->ackreq = last || below(p, 4) == 0;
	}
	if (write)
		memcpy(p->expect + (va - p->rva), data, len);
	if (!write || imm) {
		struct recv_expect *r = &p->recv[p->n_recv++];

		*r = (struct recv_expect){ .opcode = write ? CAIRN_CQE_OP_RECV_WRITE_IMM
						     : imm ? CAIRN_CQE_OP_RECV_IMM
							   : CAIRN_CQE_OP_RECV,
					   .len = len,
					   .imm = imm ? __builtin_bswap32(immv) : 0,
					   .has_imm = imm,
					   .se = se,
					   .is_send = !write };
		if (!write) {
			uint8_t *copy = malloc(len + 1);

			memcpy(copy, data, len);
			r->data = copy;
		}
	}
}

static void make_messages(struct peer *p, unsigned int messages)
{
	static const unsigned int sizes[] = { 0,   1,	8,    64,   255,  256,
					      257, 512, 1000, 2048, 3333, 4096 };

	for (unsigned int m = 0; m < messages; m++) {
		unsigned int len = below(p, 2) ? sizes[below(p, 12)] : below(p, 4096);

		p->recv_before[m] = p->n_recv;
		if (below(p, 3) == 0)
			below(p, 2) ? add_atomic(p) : add_read(p, len);
		else
			add_message(p, below(p, 2), below(p, 3) == 0, len);
	}
	p->recv_before[messages] = p->n_recv;
}

struct peer *peer_create(struct world *w, uint32_t qpn, unsigned int messages, unsigned int loss)
{
	struct peer *p = calloc(1, sizeof(*p));
	struct cairn_qp_rsp rsp = { 0 };
	unsigned int pm = 1 + rng_below(&w->rng, 5);
	uint32_t res;

	p->w = w;
	p->qpn = qpn;
	p->loss = loss;
	/* Numbers that wrap early, or any. */
	p->psn0 = below(p, 2) ? 0xffffffu - below(p, 40) : below(p, 1 << 24);
	p->msn0 = below(p, 2) ? 0xffffffu - below(p, 20) : below(p, 1 << 24);
	p->rq0 = below(p, 2) ? 0xffffu - below(p, 10) : below(p, 1 << 16);
	res = below(p, 2) ? 0xfe000000u : below(p, 256) << 24;
	p->pmtu = 128u << pm;
	p->stride = 1 + below(p, 16);
	p->ring = 1u << RQ_LOG2;
	p->rkey = 0x1000 + qpn;
	p->lkey = ((uint32_t)rng_u64(&w->rng) & ~0xffffu) | (0x2000 + qpn);
	p->riova = qpn * AREA;
	p->rva = 0x7000000012345000ull + qpn * 0x1000000ull + 8 * below(p, 512);
	p->liova = 0x80000 + qpn * (RQ_BUF << RQ_LOG2);
	p->lva = 0x100000000ull * (qpn + 1) + below(p, 4096);
	p->rq_iova = 0x200000 + qpn * 0x2000 + 16 * below(p, 4);
	p->expect = calloc(1, AREA);
	p->data = calloc(MAX_PKTS, 4096);
	world_region(w, p->rkey, 15, p->rva, AREA, p->riova);
	world_region(w, p->lkey, 1, p->lva, RQ_BUF << RQ_LOG2, p->liova);
	CAIRN_SET(w->cfg[qpn].state, CAIRN_QP_CFG_STATE_PMTU, pm);
	world_cfg(w, qpn);
	rsp.tag = w->cfg[qpn].tag;
	rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, RQ_LOG2) |
		    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, p->stride);
	rsp.rq_base = p->rq_iova;
	rsp.epsn = p->psn0 | res;
	rsp.msn = p->msn0 | res;
	rsp.ack_psn = res;
	rsp.rq = CAIRN_PUT(CAIRN_QP_RSP_RQ_RQ_INDEX, p->rq0);
	w->pi[qpn] = p->rq0;
	rsp.rq_cqn = 0x300 + qpn;
	world_rsp(w, qpn, &rsp);
	make_messages(p, messages);
	return p;
}

void peer_destroy(struct peer *p)
{
	for (unsigned int i = 0; i < p->n_pkt; i++)
		free(p->pkt[i].payload);
	for (unsigned int i = 0; i < p->n_recv; i++)
		free((void *)p->recv[i].data);
	free(p->expect);
	free(p->data);
	free(p);
}

/* ---- receive queue ---- */

static void post_receive(struct peer *p)
{
	unsigned int slot = (p->rq0 + p->posted) % p->ring, left = RQ_BUF;
	struct cairn_sge *e = (void *)(p->w->mem + p->rq_iova + slot * p->stride * 16);
	uint64_t va = p->lva + slot * RQ_BUF;

	for (unsigned int i = 0; i < p->stride; i++) {
		unsigned int n = i == p->stride - 1 ? left
				 : below(p, 4) == 0 ? 0
				 : below(p, 2)	    ? below(p, 100)
						    : below(p, left);

		n = n > left ? left : n;
		e[i].addr = n ? va : rng_u64(&p->w->rng);
		e[i].lkey = n ? p->lkey : (uint32_t)rng_u64(&p->w->rng);
		e[i].length = n;
		va += n;
		left -= n;
	}
	p->posted++;
	p->w->pi[p->qpn] = (uint16_t)(p->rq0 + p->posted);
}

void peer_cqe(struct peer *p, const struct wcqe *c)
{
	struct vtb *tb = p->w->tb;
	struct recv_expect *r = &p->recv[p->got_recv];
	unsigned int slot = (p->rq0 + p->got_recv) % p->ring;

	vtb_check(tb, p->got_recv < p->n_recv);
	vtb_check_eq(tb, c->status, 0);
	vtb_check_eq(tb, c->index, (p->rq0 + p->got_recv) & 0xffff);
	vtb_check_eq(tb, c->cqn, 0x300 + p->qpn);
	vtb_check_eq(tb, c->opcode, r->opcode);
	vtb_check_eq(tb, c->byte_len, r->len);
	vtb_check_eq(tb, c->imm, r->imm);
	vtb_check_eq(tb, c->flags, r->has_imm << 3 | r->se << 1);
	vtb_check_eq(tb, c->sol, r->se);
	/* The elements lie one behind the other. */
	if (r->is_send && memcmp(p->w->mem + p->liova + slot * RQ_BUF, r->data, r->len))
		vtb_fail(tb, "QP %u: received message %u is not what was sent", p->qpn,
			 p->got_recv);
	p->got_recv++;
}

/* ---- wire ---- */

static void transmit(struct peer *p, unsigned int idx)
{
	struct ppkt *k = p->at[idx];
	struct wpkt x = { .opcode = k->opcode,
			  .gen = 7,
			  .qpn = p->qpn,
			  .psn = p->psn0 + idx,
			  .key = p->rkey,
			  .rlen = k->rlen,
			  .imm = k->imm,
			  .va = k->va,
			  .len = k->len,
			  .payload = k->payload,
			  .se = k->se,
			  .swap_add = k->swap_add,
			  .compare = k->compare,
			  .ackreq = k->ackreq };

	if (k->type == P_READ) {
		x.va += (uint64_t)(idx - k->first) * p->pmtu;
		x.rlen -= (idx - k->first) * p->pmtu;
	}
	if (rng_percent(&p->w->rng, p->loss))
		return;
	world_send(p->w, &x);
}

static unsigned int reads_out(struct peer *p)
{
	unsigned int n = 0;

	for (unsigned int i = p->una; i < p->next; i = p->at[i]->first + p->at[i]->n)
		n += p->at[i]->type >= P_READ;
	return n;
}

void peer_cycle(struct peer *p)
{
	struct world *w = p->w;

	if (p->posted - p->got_recv < p->ring && p->posted < p->n_recv && rng_percent(&w->rng, 3))
		post_receive(p);
	if (p->una < p->total && w->tb->cycle > p->progress + 4000) {
		p->next = p->una;
		p->ordered = false; /* it asks again what is perhaps under way */
		p->progress = w->tb->cycle;
	}
	if (p->loss && p->next && rng_percent(&w->rng, 1) && below(p, 8) == 0 &&
	    world_queued(w) < 40) {
		unsigned int old = below(p, p->next); /* something old again */

		if (p->at[old]->type != P_READ || old >= p->una)
			transmit(p, p->at[old]->type == P_READ ? old : p->at[old]->first);
	}
	if (p->next >= p->total || w->tb->cycle < p->wait_until || p->next >= p->una + 48 ||
	    world_queued(w) > 48)
		return;
	if (p->at[p->next]->type >= P_READ && reads_out(p) >= 4)
		return;
	if (below(p, 6))
		return;
	transmit(p, p->next);
	p->next = p->at[p->next]->first + p->at[p->next]->n;
	if (p->next > p->max_sent)
		p->max_sent = p->next;
}

static void advance(struct peer *p, unsigned int to)
{
	if (to <= p->una)
		return;
	p->una = to;
	p->progress = p->w->tb->cycle;
	if (p->next < to)
		p->next = p->at[to] ? to : p->total;
}

/* Never more than there are receive WQEs for the messages behind the one that the MSN names. */
static void credits(struct peer *p, const struct wjob *j)
{
	unsigned int code = j->aeth >> 24, msn = (j->aeth - p->msn0) & 0xffffff;
	unsigned int n = code < 2 ? code : (2 + (code & 1)) << (code / 2) >> 1;

	vtb_check(p->w->tb, code < 31 && msn < MAX_PKTS);
	vtb_check(p->w->tb, p->recv_before[msn] + n <= p->posted);
	if (n > p->most_credits)
		p->most_credits = n;
}

static void read_response(struct peer *p, const struct wjob *j, unsigned int idx)
{
	struct vtb *tb = p->w->tb;
	struct ppkt *k = p->at[idx];
	unsigned int off = (idx - k->first) * p->pmtu, len;
	uint64_t iova = p->riova + (k->va - p->rva) + off;

	vtb_check(tb, idx < p->max_sent && k->type == P_READ);
	len = k->rlen - off > p->pmtu ? p->pmtu : k->rlen - off;
	vtb_check_eq(tb, j->len, len);
	if (len) {
		vtb_check_eq(tb, j->seg[0].iova, iova);
		vtb_check_eq(tb, j->seg[0].len + j->seg[1].len, len);
		vtb_check(tb, j->nseg == 1 || j->seg[1].iova == iova + j->seg[0].len);
	}
	vtb_check(tb, idx != k->first + k->n - 1 ? j->opcode == 0x0d || j->opcode == 0x0e
						 : j->opcode == 0x0f || j->opcode == 0x10);
	credits(p, j);
	if (idx == p->una)
		advance(p, idx + 1);
	else if (p->ordered)
		vtb_fail(tb, "QP %u: READ response %u, expected %u", p->qpn, idx, p->una);
}

static void atomic_answer(struct peer *p, const struct wjob *j, unsigned int idx)
{
	struct vtb *tb = p->w->tb;

	vtb_check(tb, idx < p->max_sent && p->at[idx]->type == P_ATOMIC && !j->len);
	vtb_check_eq(tb, j->value, p->at[idx]->original);
	credits(p, j);
	p->again += idx < p->una;
	if (idx == p->una)
		advance(p, idx + 1);
	else if (p->ordered)
		vtb_fail(tb, "QP %u: answer of atomic %u, expected %u", p->qpn, idx, p->una);
}

void peer_job(struct peer *p, const struct wjob *j)
{
	struct vtb *tb = p->w->tb;
	unsigned int idx = (j->psn - p->psn0) & 0xffffff, syn = j->aeth >> 24, i;

	vtb_check_eq(tb, j->dest, 0x77 + p->qpn);
	if (j->opcode == 0x11 && syn >> 5 == 0) {
		if (idx == 0xffffff)
			return;
		vtb_check(tb, idx < p->max_sent);
	}
	if (rng_percent(&p->w->rng, p->loss))
		return;
	if (j->opcode == 0x12) {
		atomic_answer(p, j, idx);
		return;
	}
	if (j->opcode != 0x11) {
		if (idx < p->una && p->ordered)
			vtb_fail(tb, "QP %u: READ response %u again", p->qpn, idx);
		if (idx >= p->una)
			read_response(p, j, idx);
		return;
	}
	vtb_check(tb, syn < 0x20 || syn == 0x60 || syn == 0x29);
	i = syn < 0x20 ? idx + 1 : idx; /* all before i are acknowledged */
	if (syn < 0x20)
		credits(p, j);
	vtb_check(tb, i <= p->max_sent);
	if (i < p->una)
		return;
	for (unsigned int k = p->una; k < i; k++) {
		if (p->at[k]->type < P_READ)
			continue;
		/* Data of a READ is missing: ask again from there. */
		if (p->ordered)
			vtb_fail(tb, "QP %u: ACK of %u passed READ data %u", p->qpn, idx, k);
		advance(p, k);
		p->next = k;
		return;
	}
	advance(p, i);
	if (syn == 0x60) {
		p->nak_seq++;
		p->next = idx;
		if (p->ordered)
			vtb_fail(tb, "QP %u: NAK %u but nothing was lost", p->qpn, idx);
	} else if (syn == 0x29) {
		p->rnr++;
		p->next = idx;
		p->wait_until = tb->cycle + 300;
	}
}

bool peer_finished(const struct peer *p)
{
	return p->una >= p->total;
}

void peer_check(struct peer *p)
{
	struct vtb *tb = p->w->tb;
	struct cairn_qp_rsp rsp;
	unsigned int messages = 0;

	vtb_check_eq(tb, p->got_recv, p->n_recv);
	vtb_check(tb, p->most_credits > 1);
	if (memcmp(p->w->mem + p->riova, p->expect, AREA))
		vtb_fail(tb, "QP %u: memory is not what was written", p->qpn);
	for (unsigned int i = 0; i < p->n_pkt; i++)
		messages += p->pkt[i].type >= P_READ || (p->pkt[i].opcode % 6 >= 2);
	world_peek(p->w, p->qpn, &rsp);
	vtb_check_eq(tb, rsp.epsn & 0xffffff, (p->psn0 + p->total) & 0xffffff);
	vtb_check_eq(tb, rsp.msn & 0xffffff, (p->msn0 + messages) & 0xffffff);
	vtb_check_eq(tb, rsp.epsn >> 24, rsp.msn >> 24); /* all resources answered */
	vtb_check_eq(tb, rsp.rq & 0xffff, (p->rq0 + p->n_recv) & 0xffff);
	vtb_check(tb, !(rsp.flags & (CAIRN_QP_RSP_FLAGS_ERR | CAIRN_QP_RSP_FLAGS_ACK_PENDING)));
}
