// SPDX-License-Identifier: Apache-2.0
/*
 * responder: large numbers (checks 48, 118): READs of up to 2 GiB answered again from far inside,
 * in packets of every size; WRITEs and SENDs whose record comes back from memory with up to 2 GiB
 * behind and before them; receive rings and SRQs of up to 2^15 entries, at any index. Addresses
 * anywhere in 64 bits, lengths any.
 */
#include "rsp_srq.h"

#include <string.h>

#define BIG 0x333u /* remote key */
#define BIG_LOCAL 0x555u
#define WINDOW 0x10000u /* of memory, in which all of a region lies */
#define AT 0x80000u
#define AT_LOCAL 0xa0000u
#define RING_AT 0x100000u
#define MAX_BYTES 0x80000000u

static uint64_t base; /* of both regions */

static struct world *begin(void)
{
	struct world *w = setup(1, 0);

	w->hidden[0].va = 0; /* carries go through the address, which has any bits as it is */
	world_large(w, BIG, 15, 0, 0x100000000ull, AT, WINDOW);
	world_large(w, BIG_LOCAL, 1, 0, 0x100000000ull, AT_LOCAL, WINDOW);
	return w;
}

/* QP 0 anew, with packets of 128 << pmtu bytes; its numbers and the regions from anywhere. */
static void fresh(struct world *w, unsigned int pmtu, struct cairn_qp_rsp *rsp)
{
	uint8_t gen = w->hidden[0].gen;

	while (w->hidden[0].gen == gen)
		w->hidden[0].gen = (uint8_t)rng_u64(&w->rng);
	base = rng_u64(&w->rng) & ~0xfffull;
	if (base > ~0x200000000ull)
		base ^= 1ull << 63;
	world_key(w, BIG)->va = world_key(w, BIG_LOCAL)->va = base;
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_PMTU, pmtu);
	world_cfg(w, 0);
	memset(rsp, 0, sizeof(*rsp));
	rsp->tag = w->cfg[0].tag;
	rsp->flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 4) |
		     CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, 1);
	rsp->rq_base = 0x200000;
	rsp->rq_cqn = 0x300;
	rsp->epsn = (uint32_t)rng_below(&w->rng, 1 << 24);
	rsp->msn = (uint32_t)rng_below(&w->rng, 1 << 24);
	n_jobs = n_cqes = n_eqes = n_errs = 0;
}

static uint64_t place(uint64_t at, uint64_t va)
{
	return at + (va - base) % WINDOW;
}

/* ---- READs ---- */

static uint32_t wanted, wanted_len;
static uint64_t wanted_at;
static unsigned int seen;

/* The first response of what was asked for last; others may still come from before. */
static void on_response(struct world *w, const struct wjob *j)
{
	if (j->opcode == 0x11 || (j->psn != wanted && !seen))
		return;
	vtb_check_eq(w->tb, j->psn, (wanted + seen) & 0xffffff);
	if (seen++)
		return;
	vtb_check_eq(w->tb, j->len, wanted_len);
	vtb_check_eq(w->tb, j->seg[0].iova, wanted_at);
	vtb_check(w->tb, j->opcode == 0x0d || j->opcode == 0x10);
}

static void ask(struct world *w, uint32_t first, uint64_t va, uint32_t len, uint32_t packet_no)
{
	unsigned int pmtu = 128u << CAIRN_GET(w->cfg[0].state, CAIRN_QP_CFG_STATE_PMTU);
	struct wpkt p = packet(0x0c, 0, 0);

	p.psn = (first + packet_no) & 0xffffff;
	p.va = va + (uint64_t)packet_no * pmtu;
	p.rlen = len - packet_no * pmtu;
	p.key = BIG;
	wanted = p.psn;
	wanted_len = p.rlen < pmtu ? p.rlen : pmtu;
	wanted_at = place(AT, p.va);
	seen = 0;
	world_send(w, &p);
	vtb_run_until(w->tb, seen >= 3 || seen >= (p.rlen + pmtu - 1) / pmtu, 20000);
}

/* Its memory fails, and nothing more comes. */
static void stop(struct world *w)
{
	vtb_check(w->tb, !n_errs && !n_eqes);
	w->txerr_psn = wanted;
	w->txerr = 1;
	settle(w);
	vtb_check(w->tb, n_errs == 1 && n_eqes == 1);
}

/*
 * A READ that is answered, as its record and its resource say, which come from memory.  It is asked
 * for again from its end, then from further and further in front.
 */
static void far_inside(struct world *w, unsigned int pmtu, uint32_t len)
{
	uint32_t n = (uint32_t)(((uint64_t)len + (128u << pmtu) - 1) >> (7 + pmtu)), at, first;
	struct hidden *h = &w->hidden[0];
	struct cairn_qp_rsp rsp;
	struct cairn_rsp_res res;
	uint64_t va;

	fresh(w, pmtu, &rsp);
	first = (rsp.epsn - n) & 0xffffff;
	va = base + rng_below(&w->rng, 0x7fff0000);
	res = (struct cairn_rsp_res){
		.psn = first | CAIRN_PUT(CAIRN_RSP_RES_PSN_KIND, CAIRN_RES_KIND_READ),
		.msn = CAIRN_PUT(CAIRN_RSP_RES_MSN, rsp.msn) |
		       CAIRN_PUT(CAIRN_RSP_RES_MSN_GEN, 7 ^ h->gen),
		.va = va,
		.rkey = BIG ^ h->key,
		.length = len,
		.ticket = (uint32_t)rng_u64(&w->rng),
		.qpn = h->name,
	};

	memcpy(world_res(w, 0), &res, sizeof(res));
	rsp.epsn |= 1u << 24;
	rsp.msn |= 1u << 24;
	rsp.ack_psn |= 1u << 24;
	world_rsp(w, 0, &rsp);
	w->on_job = on_response;
	ask(w, first, va, len, n - 1);
	for (at = n - 2; at > 7 && at < n; at = (uint32_t)rng_below(&w->rng, at))
		ask(w, first, va, len, at);
	ask(w, first, va, len, 0);
	stop(w);
}

/* One that is new, as long as can be. */
static void longest(struct world *w, unsigned int pmtu, uint32_t len)
{
	struct cairn_qp_rsp rsp;

	fresh(w, pmtu, &rsp);
	world_rsp(w, 0, &rsp);
	w->on_job = on_response;
	ask(w, rsp.epsn & 0xffffff, base + rng_below(&w->rng, 0x7fff0000), len, 0);
	stop(w);
}

static void reads(void **state)
{
	struct world *w = begin();
	struct rng *r = &w->rng;

	(void)state;
	for (unsigned int i = 0; i < 30; i++) {
		bool most = i % 10 < 5;

		far_inside(w, 1 + i % 5,
			   most ? MAX_BYTES : 0x60000000 + (uint32_t)rng_below(r, 0x1fffffff));
		longest(w, 1 + i % 5, most ? MAX_BYTES : (uint32_t)rng_below(r, MAX_BYTES) + 1);
	}
	world_destroy(w);
}

/* ---- messages ---- */

static void put(struct world *w, unsigned int opcode, uint32_t psn, unsigned int len)
{
	struct wpkt p = packet(opcode, 0, len);

	p.psn = psn & 0xffffff;
	p.imm = 0x01234567;
	p.key = BIG;
	rng_bytes(&w->rng, payload, sizeof(payload));
	n_jobs = n_cqes = 0;
	world_send(w, &p);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	vtb_check_eq(w->tb, jobs[0].psn, p.psn);
	vtb_check(w->tb, !n_errs && !n_eqes);
}

static void expect_bytes(struct world *w, uint64_t at, uint64_t va, unsigned int len)
{
	vtb_check(w->tb, !memcmp(w->mem + place(at, va), payload, len));
}

/* Receive i of the ring, by its elements: up to `before` bytes lie in the first. */
static void receive(struct world *w, const struct cairn_qp_rsp *rsp, uint16_t index,
		    uint32_t before)
{
	unsigned int stride = CAIRN_GET(rsp->flags, CAIRN_QP_RSP_FLAGS_RQ_STRIDE);
	unsigned int log2 = CAIRN_GET(rsp->flags, CAIRN_QP_RSP_FLAGS_RQ_LOG2);
	struct cairn_sge *e =
		(void *)(w->mem + RING_AT + (index & ((1u << log2) - 1)) * stride * 16);
	uint32_t first = stride > 1 ? (uint32_t)rng_below(&w->rng, (uint64_t)before + 1) : 0;

	memset(e, 0, stride * 16);
	e[0] = (struct cairn_sge){ base + 0x80001234, BIG_LOCAL, first };
	e[stride - 1] = (struct cairn_sge){ base + first, BIG_LOCAL, MAX_BYTES - 1 };
	if (stride > 2)
		e[stride / 2].addr = rng_u64(&w->rng);
}

/* In the middle of a SEND of which `before` bytes are there. */
static void send_goes_on(struct world *w, unsigned int log2, unsigned int stride, uint32_t before)
{
	struct cairn_qp_rsp rsp;
	uint16_t index = (uint16_t)rng_u64(&w->rng);
	unsigned int len = 1 + (unsigned int)rng_below(&w->rng, 256);

	fresh(w, 1, &rsp);
	CAIRN_SET(rsp.flags, CAIRN_QP_RSP_FLAGS_RQ_LOG2, log2);
	CAIRN_SET(rsp.flags, CAIRN_QP_RSP_FLAGS_RQ_STRIDE, stride);
	CAIRN_SET(rsp.flags, CAIRN_QP_RSP_FLAGS_MSG, CAIRN_RSP_MSG_SEND);
	rsp.flags |= CAIRN_QP_RSP_FLAGS_RQE_TAKEN;
	rsp.rq_base = RING_AT;
	rsp.remaining = before;
	rsp.rq = (uint16_t)(index + 1);
	w->pi[0] = (uint16_t)(index + 1 + rng_below(&w->rng, 1u << log2));
	receive(w, &rsp, index, before);
	world_rsp(w, 0, &rsp);
	put(w, 1, rsp.epsn, 256);
	expect_bytes(w, AT_LOCAL, base + before, 256);
	put(w, 3, rsp.epsn + 1, len);
	expect_bytes(w, AT_LOCAL, base + before + 256, len);
	vtb_check_eq(w->tb, n_cqes, 1);
	vtb_check_eq(w->tb, cqes[0].byte_len, before + 256 + len);
	vtb_check_eq(w->tb, cqes[0].index, index);
}

/* In the middle of a WRITE with immediate of `len` bytes: `left` are still to come. */
static void write_goes_on(struct world *w, uint32_t len, uint32_t left)
{
	struct cairn_qp_rsp rsp;
	uint16_t index = (uint16_t)rng_u64(&w->rng);
	uint64_t va;

	fresh(w, 1, &rsp);
	va = base + (len - left);
	CAIRN_SET(rsp.flags, CAIRN_QP_RSP_FLAGS_MSG, CAIRN_RSP_MSG_WRITE);
	rsp.remaining = left;
	rsp.va = va;
	rsp.rkey = BIG ^ w->hidden[0].key;
	rsp.write_len = len;
	rsp.rq = index;
	w->pi[0] = (uint16_t)(index + 1);
	world_rsp(w, 0, &rsp);
	if (left > 256) {
		put(w, 7, rsp.epsn, 256);
		expect_bytes(w, AT, va, 256);
	} else {
		put(w, 9, rsp.epsn, left);
		expect_bytes(w, AT, va, left);
		vtb_check_eq(w->tb, n_cqes, 1);
		vtb_check_eq(w->tb, cqes[0].byte_len, len);
		vtb_check_eq(w->tb, cqes[0].index, index);
	}
}

/* The first packets of one. */
static void write_begins(struct world *w, uint32_t len)
{
	struct cairn_qp_rsp rsp;
	struct wpkt p = packet(6, 0, 256);

	fresh(w, 1, &rsp);
	world_rsp(w, 0, &rsp);
	p.psn = rsp.epsn & 0xffffff;
	p.rlen = len;
	p.key = BIG;
	p.va = base + 77;
	world_send(w, &p);
	settle(w);
	expect_bytes(w, AT, base + 77, 256);
	put(w, 7, rsp.epsn + 1, 256);
	expect_bytes(w, AT, base + 77 + 256, 256);
	world_peek(w, 0, &rsp);
	vtb_check_eq(w->tb, rsp.remaining, len - 512);
	vtb_check_eq(w->tb, rsp.write_len, len);
}

static void messages(void **state)
{
	struct world *w = begin();

	(void)state;
	for (unsigned int i = 0; i < 64; i++) {
		unsigned int stride = i % 16 < 8 ? 1 + (unsigned int)rng_below(&w->rng, 16)
						 : 1 + i % 2;
		uint32_t len = i ? 1024 + (uint32_t)rng_below(&w->rng, MAX_BYTES - 1023)
				 : MAX_BYTES;

		send_goes_on(w, i % 16, stride, (uint32_t)rng_below(&w->rng, MAX_BYTES - 1024));
		write_goes_on(w, len, 512 + (uint32_t)rng_below(&w->rng, len - 512));
		write_goes_on(w, len, 1 + (uint32_t)rng_below(&w->rng, 256));
		write_begins(w, len);
	}
	world_destroy(w);
}

/* ---- shared receive queues ---- */

/* One message into slot `slot` of an SRQ that is set up for it. */
static void one_slot(struct world *w, struct srq *s, unsigned int slot, unsigned int psn)
{
	unsigned int len = 1 + (unsigned int)rng_below(&w->rng, 256);

	w->srq_high = rng_u64(&w->rng) & ~(uint64_t)(MEM_BYTES - 1);
	srq_init(w, s);
	srq_elements(w, s, slot, 300);
	for (unsigned int i = 0; i < s->stride; i++) /* all slots have one buffer */
		((struct cairn_sge *)(w->mem + s->slots + 16 * s->stride * slot))[i].addr =
			SRQ_VA + i;
	srq_put(w, s, slot);
	srq_doorbell(w, s);
	srq_use(w, 0, CAIRN_QP_TYPE_RC, s->srqn);
	n_jobs = n_cqes = 0;
	rng_bytes(&w->rng, payload, 256);
	send_one(w, 4, psn, len);
	settle(w);
	expect_ack(w, 0, 0x1f, psn, 1);
	vtb_check(w->tb, n_cqes == 1 && !cqes[0].status && cqes[0].byte_len == len);
	vtb_check_eq(w->tb, cqes[0].index, slot);
	vtb_check(w->tb, !memcmp(w->mem + SRQ_BUF(0), payload, len));
	vtb_check_eq(w->tb, srq_op(w, CAIRN_CTX_OP_DROP, s->srqn, NULL, NULL), 0);
}

static void shared(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	world_region(w, SRQ_KEY, 1, SRQ_VA, 0x1000, SRQ_BUF(0));
	for (unsigned int i = 0; i < 64; i++) {
		unsigned int log2 = i % 16, stride = 1 + (unsigned int)rng_below(&w->rng, 16), slot;
		struct srq s = { i / 16,  log2,	    log2 > 11 ? 1 + i / 16 % 2 : stride,
				 RING_AT, 0x3c0000, 0 };

		slot = (unsigned int)rng_below(&w->rng, 1u << log2);
		one_slot(w, &s, slot, 0);
	}
	for (unsigned int i = 0; i < 40; i++) { /* there are four */
		srq_use(w, 0, CAIRN_QP_TYPE_RC, 4 + (unsigned int)rng_below(&w->rng, 0xfffc));
		n_jobs = n_cqes = n_eqes = n_errs = 0;
		send_one(w, 4, 0, 8);
		settle(w);
		expect_ack(w, 0, 0x63, 0, 0);
		vtb_check(w->tb, !n_cqes && n_eqes == 1 && n_errs == 1);
		vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_QP_FATAL);
	}
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reads), cmocka_unit_test(messages),
					    cmocka_unit_test(shared) };

	return cmocka_run_group_tests_name("responder, large", tests, NULL, NULL);
}
