// SPDX-License-Identifier: Apache-2.0
/*
 * responder: UC and UD QPs against the golden model: bursts of packets, right and wrong in every
 * way, behind one another on the same QP; after each burst memory and completions are the same.
 */
#include "model.h"
#include "rsp_one.h"

#include <string.h>

#define TEST_QPS 4 /* two UC, two UD */
#define STRIDE 4
#define RING_AT(q) (0x200000 + 0x2000 * (q))
#define QKEY 0x1234

static struct model *model;
static uint8_t *model_mem;
static unsigned int posted[TEST_QPS], next_psn[TEST_QPS], left[TEST_QPS], inside[TEST_QPS];
static struct wcqe got[TEST_QPS][256];
static unsigned int n_got[TEST_QPS], drops, taken;

static bool is_ud(unsigned int q)
{
	return q >= 2;
}

static void on_cqe(struct world *w, const struct wcqe *c)
{
	vtb_check(w->tb, c->qpn < TEST_QPS && n_got[c->qpn] < 256);
	got[c->qpn][n_got[c->qpn]++] = *c;
}

static void region(struct world *w, uint32_t key, unsigned int rights, uint64_t va, uint64_t len,
		   uint64_t iova)
{
	struct model_region r = { .key = key,
				  .pd = 1,
				  .rights = rights,
				  .base = va,
				  .length = len,
				  .data = model_mem + iova };

	world_region(w, key, rights, va, len, iova);
	assert_int_equal(model_region_add(model, &r), 0);
}

static struct world *begin(void)
{
	struct world *w = world_create();

	model = model_create(NULL);
	model_mem = calloc(1, MEM_BYTES);
	rng_bytes(&w->rng, payload, sizeof(payload));
	w->on_cqe = on_cqe;
	region(w, RKEY, 15, RVA, 0x10000, 0);
	region(w, LKEY, 1, LVA, 0x10000, 0x20000);
	for (unsigned int q = 0; q < TEST_QPS; q++) {
		struct cairn_qp_rsp rsp = { 0 };
		struct model_qp_config c = { .qpn = q,
					     .pd = 1,
					     .rights = 15,
					     .pmtu = 256,
					     .pkey = 0xffff,
					     .qkey = QKEY,
					     .gid = { 1 },
					     .peer_gid = { 2 },
					     .rq_psn = PSN0,
					     .transport = is_ud(q) ? CAIRN_TRANSPORT_UD
								   : CAIRN_TRANSPORT_UC };

		posted[q] = left[q] = inside[q] = 0;
		next_psn[q] = PSN0;
		CAIRN_SET(w->cfg[q].state, CAIRN_QP_CFG_STATE_TYPE,
			  is_ud(q) ? CAIRN_QP_TYPE_UD : CAIRN_QP_TYPE_UC);
		world_cfg(w, q);
		rsp.tag = w->cfg[q].tag;
		rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 4) |
			    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, STRIDE);
		rsp.rq_base = RING_AT(q);
		rsp.epsn = PSN0;
		world_rsp(w, q, &rsp);
		assert_int_equal(model_qp_create(model, &c), 0);
		for (enum model_state to = MODEL_INIT; to <= MODEL_RTS; to++)
			assert_int_equal(model_qp_move(model, q, to), 0);
	}
	return w;
}

static void end(struct world *w)
{
	model_destroy(model);
	free(model_mem);
	world_destroy(w);
}

static void post(struct world *w, unsigned int q)
{
	struct cairn_sge *e = (void *)(w->mem + RING_AT(q) + posted[q] % 16 * STRIDE * 16);
	struct model_recv wr = { .id = posted[q], .sges = STRIDE };

	for (unsigned int i = 0; i < STRIDE; i++) {
		unsigned int len = rng_percent(&w->rng, 20) ? 0 : rng_below(&w->rng, 250);
		uint64_t va = LVA + 0x4000 * q + rng_below(&w->rng, 0x3f00);
		/* The owner of a UD QP that gives a bad key breaks it: not here. */
		uint32_t key = !is_ud(q) && rng_percent(&w->rng, 6) ? 0x999 : LKEY;

		e[i] = (struct cairn_sge){ va, key, len };
		wr.sge[i] = (struct model_sge){ va, len, key };
	}
	assert_int_equal(model_post_recv(model, q, &wr), 0);
	w->pi[q] = ++posted[q];
}

/* What a sender would send next, mostly; else anything. */
static void choose(struct world *w, unsigned int q, struct wpkt *p)
{
	static const uint8_t any[] = { 0x20, 0x21, 0x22, 0x23, 0x24, 0x25,
				       0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b };
	unsigned int flags, r = rng_below(&w->rng, 100);

	if (is_ud(q)) {
		p->opcode = r & 1 ? CAIRN_OPCODE_UD_SEND_ONLY : CAIRN_OPCODE_UD_SEND_ONLY_IMM;
		p->len = rng_below(&w->rng, r < 95 ? 257 : 300);
		return;
	}
	p->rlen = r < 50 ? 1 + rng_below(&w->rng, 256) : 257 + rng_below(&w->rng, 700);
	if (inside[q] && r < 92)
		p->opcode = (inside[q] == 1 ? 0x20 : 0x26) +
			    (left[q] > 256 ? 1 : 2 + rng_below(&w->rng, 2));
	else if (r < 96)
		p->opcode = (rng_below(&w->rng, 2) ? 0x20 : 0x26) +
			    (p->rlen > 256 ? 0 : 4 + rng_below(&w->rng, 2));
	else
		p->opcode = any[rng_below(&w->rng, sizeof(any))];
	flags = cairn_opcode_table[p->opcode].flags;
	if (flags & CAIRN_OPF_START)
		left[q] = p->rlen;
	p->len = left[q] > 256 ? 256 : left[q];
	if (flags & CAIRN_OPF_FULL)
		p->len = 256;
	if (rng_percent(&w->rng, 2))
		p->len = rng_below(&w->rng, 260);
	left[q] -= p->len < left[q] ? p->len : left[q];
	inside[q] = flags & CAIRN_OPF_END ? 0 : flags & CAIRN_OPF_SEND ? 1 : 2;
}

static void give_model(const struct wpkt *p)
{
	struct model_packet m = { .src = { 2 }, .dst = { 1 } };
	uint8_t ext = cairn_opcode_table[p->opcode].ext, *at = m.bytes + CAIRN_BTH_BYTES;
	unsigned int pad = (-p->len & 3) ^ p->bad_pad;

	if (p->ip)
		memcpy(m.grh + (p->ipv6 ? 0 : 20), p->ip, p->ipv6 ? 40 : 20);
	cairn_pkt_set(m.bytes, CAIRN_BTH_OPCODE, p->opcode);
	cairn_pkt_set(m.bytes, CAIRN_BTH_SE, p->se);
	cairn_pkt_set(m.bytes, CAIRN_BTH_PAD, pad);
	cairn_pkt_set(m.bytes, CAIRN_BTH_PKEY, 0xffff);
	cairn_pkt_set(m.bytes, CAIRN_BTH_DEST_QP, p->qpn);
	cairn_pkt_set(m.bytes, CAIRN_BTH_PSN, p->psn & 0xffffff);
	if (ext & CAIRN_EXT_RETH) {
		cairn_pkt_set(at, CAIRN_RETH_VA, p->va);
		cairn_pkt_set(at, CAIRN_RETH_RKEY, p->key);
		cairn_pkt_set(at, CAIRN_RETH_LENGTH, p->rlen);
		at += CAIRN_RETH_BYTES;
	}
	if (ext & CAIRN_EXT_DETH) {
		cairn_pkt_set(at, CAIRN_DETH_QKEY, QKEY);
		cairn_pkt_set(at, CAIRN_DETH_SRC_QP, p->src_qp);
		at += CAIRN_DETH_BYTES;
	}
	if (ext & CAIRN_EXT_IMMDT) {
		cairn_pkt_set(at, CAIRN_IMMDT_IMM, p->imm);
		at += CAIRN_IMMDT_BYTES;
	}
	memcpy(at, p->payload, p->len);
	m.len = (uint32_t)(at - m.bytes) + p->len + pad;
	if (model_receive(model, &m, 0) == MODEL_DROPPED)
		drops++;
	else
		taken++;
}

static void send_random(struct world *w, unsigned int q)
{
	static const uint8_t ip[40] = { 1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 11, 12, 13, 14,
					15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27 };
	struct wpkt p = { .gen = 7, .qpn = q };

	choose(w, q, &p);
	p.psn = next_psn[q] + (rng_percent(&w->rng, 4) ? rng_below(&w->rng, 5) : 0);
	next_psn[q] = p.psn + 1;
	p.key = rng_percent(&w->rng, 95) ? RKEY : 0x999;
	p.va = RVA + 0x4000 * q + rng_below(&w->rng, 0x3000);
	p.imm = (uint32_t)rng_u64(&w->rng);
	p.payload = payload + rng_below(&w->rng, 4096);
	p.se = rng_below(&w->rng, 2);
	p.bad_pad = rng_percent(&w->rng, 1);
	p.ackreq = rng_below(&w->rng, 2);
	p.src_qp = rng_below(&w->rng, 1 << 24);
	p.ip = is_ud(q) ? ip : NULL;
	p.ipv6 = rng_below(&w->rng, 2);
	world_send(w, &p);
	give_model(&p);
}

static void compare_cqe(struct world *w, const struct model_completion *m, const struct wcqe *c)
{
	unsigned int flags = m->grh | m->solicited << 1 | m->with_imm << 3;

	vtb_check_eq(w->tb, c->index, m->id & 0xffff);
	vtb_check_eq(w->tb, c->status, m->status);
	vtb_check_eq(w->tb, c->byte_len, m->byte_len);
	vtb_check_eq(w->tb, c->flags, flags);
	vtb_check_eq(w->tb, c->imm, __builtin_bswap32(m->imm_or_key));
	vtb_check_eq(w->tb, c->opcode,
		     m->write_imm  ? CAIRN_CQE_OP_RECV_WRITE_IMM
		     : m->with_imm ? CAIRN_CQE_OP_RECV_IMM
				   : CAIRN_CQE_OP_RECV);
	if (m->grh)
		vtb_check_eq(w->tb, c->src_qp, m->src_qpn);
}

static void compare(struct world *w)
{
	unsigned int seen[TEST_QPS] = { 0 };
	struct model_completion c;

	while (model_completion(model, &c)) {
		vtb_check(w->tb, c.recv && seen[c.qpn] < n_got[c.qpn]);
		compare_cqe(w, &c, &got[c.qpn][seen[c.qpn]++]);
	}
	for (unsigned int q = 0; q < TEST_QPS; q++) {
		struct model_view v;
		struct cairn_qp_rsp rsp;

		vtb_check_eq(w->tb, n_got[q], seen[q]);
		n_got[q] = 0;
		assert_true(model_look(model, q, &v));
		world_peek(w, q, &rsp);
		vtb_check_eq(w->tb, (posted[q] - rsp.rq) & 0xffff, v.recvs);
		if (!is_ud(q))
			vtb_check_eq(w->tb, rsp.epsn & 0xffffff, v.epsn);
	}
	for (unsigned int i = 0; i < 0x30000; i++)
		if (w->mem[i] != model_mem[i])
			vtb_fail(w->tb, "memory differs from the model's at 0x%x", i);
}

static void run(unsigned int pause, unsigned int miss, unsigned int rounds)
{
	struct world *w = begin();

	drops = taken = 0;
	w->pause = pause;
	w->mr_miss = miss;
	w->latency = 60;
	for (unsigned int r = 0; r < rounds; r++) {
		for (unsigned int q = 0; q < TEST_QPS; q++) {
			struct model_view v;

			assert_true(model_look(model, q, &v));
			for (unsigned int n = rng_below(&w->rng, 5); n && v.recvs + n <= 16; n--)
				post(w, q);
		}
		for (unsigned int n = rng_below(&w->rng, 60); n; n--)
			send_random(w, rng_below(&w->rng, TEST_QPS));
		world_drain(w, 30000);
		compare(w);
	}
	vtb_check_eq(w->tb, w->cnt[C_UC] + w->cnt[C_UD] + w->cnt[C_NO_RECV], drops);
	vtb_check_eq(w->tb, w->cnt[C_STATE], 0);
	print_message("# %u packets taken, %u dropped\n", taken, drops);
	vtb_check(w->tb, drops > rounds && taken > rounds);
	end(w);
}

static void quick(void **state)
{
	(void)state;
	run(0, 0, 150);
}

static void slow(void **state)
{
	(void)state;
	run(30, 10, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(quick), cmocka_unit_test(slow) };

	return cmocka_run_group_tests_name("responder and model", tests, NULL, NULL);
}
