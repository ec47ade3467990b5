// SPDX-License-Identifier: Apache-2.0
/*
 * A hostile process: send queue entries with any field at its edges or at random, entries that
 * change while the NIC works on them, receive entries that point nowhere, and doorbells with any
 * index, number and page.  Its QPs may end in any error; no other process may notice.
 *
 * Environment: REQUESTS (entries and doorbells together).
 */
#include <stdio.h>
#include <string.h>

#include "queue.h"
#include "victim.h"

#define PER_VICTIM 6u
#define STEPS 640u /* of a round; between rounds those that ended are made anew, which takes long */
#define POST_EVERY 4u

struct counts {
	uint64_t wqes, rqes, doorbells, rewritten;
};

static uint64_t edge64(struct rng *rng)
{
	static const uint64_t edges[] = { 0,	      1,	  0x7fffffff,
					  0x80000000, 0xffffffff, UINT64_MAX,
					  1ull << 63, 4096,	  0x7ffff000 };

	return rng_percent(rng, 50) ? rng_u64(rng)
				    : edges[rng_below(rng, sizeof(edges) / sizeof(*edges))];
}

/* Something that could be executed. */
static uint32_t fair_wqe(struct victims *vs, const struct victim *v, struct cairn_wqe *wqe)
{
	struct rng *rng = &vs->r->rng;
	uint32_t len = (uint32_t)rng_below(rng, rng_percent(rng, 50) ? 40 : 4000);

	memset(wqe, 0, sizeof(*wqe));
	wqe->ctrl = (uint32_t)(CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, rng_below(rng, 6)) |
			       CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED, rng_below(rng, 2)) |
			       CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1u) |
			       CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1u));
	wqe->length = len;
	wqe->check = cairn_sq_check(v->qp, v->qp->sq_pi);
	wqe->raddr = rng_u64(rng);
	wqe->rkey = (uint32_t)rng_u64(rng);
	wqe->sge0_addr = vs->buf->mr->va + rng_below(rng, VICTIM_BYTES / 2);
	wqe->sge0_lkey = vs->buf->mr->key;
	wqe->sge0_length = len;
	return 1;
}

static void spoil_wqe(struct victims *vs, struct cairn_wqe *wqe)
{
	struct rng *rng = &vs->r->rng;
	uint8_t *bytes = (uint8_t *)wqe;

	switch (rng_below(rng, 12)) {
	case 0:
		CAIRN_SET(wqe->ctrl, CAIRN_WQE_CTRL_OPCODE, (uint32_t)rng_below(rng, 256));
		break;
	case 1:
		CAIRN_SET(wqe->ctrl, CAIRN_WQE_CTRL_NUM_SGE, (uint32_t)rng_below(rng, 32));
		break;
	case 2:
		CAIRN_SET(wqe->ctrl, CAIRN_WQE_CTRL_BLOCKS, (uint32_t)rng_below(rng, 16));
		break;
	case 3:
		wqe->length = (uint32_t)edge64(rng);
		break;
	case 4:
		wqe->ctrl |= CAIRN_WQE_CTRL_INLINE;
		break;
	case 5:
		wqe->sge0_addr = rng_percent(rng, 50) ? victim_address(vs) : edge64(rng);
		break;
	case 6:
		wqe->sge0_lkey = victim_key(vs);
		break;
	case 7:
		wqe->sge0_length = (uint32_t)edge64(rng);
		break;
	case 8:
		wqe->check ^= 1u << rng_below(rng, 32);
		break;
	case 9:
		wqe->ctrl = (uint32_t)rng_u64(rng);
		break;
	case 10:
		bytes[rng_below(rng, sizeof(*wqe))] ^= (uint8_t)(1u << rng_below(rng, 8));
		break;
	default:
		rng_bytes(rng, wqe, sizeof(*wqe));
		break;
	}
}

static void post(struct victims *vs, struct victim *v, struct counts *n)
{
	struct rng *rng = &vs->r->rng;

	for (unsigned int i = 1 + (unsigned int)rng_below(rng, PER_VICTIM); i; i--) {
		struct cairn_wqe wqe;
		uint32_t blocks = fair_wqe(vs, v, &wqe);

		if (rng_percent(rng, 30))
			spoil_wqe(vs, &wqe);
		memcpy(cairn_sq_block(v->qp, v->qp->sq_pi), &wqe, sizeof(wqe));
		v->qp->sq_pi += blocks;
		n->wqes++;
	}
	cairn_sq_ring(v->qp);
}

/* Near the truth; rarely anything: what is far ahead makes thousands of flushes. */
static uint32_t index_of(struct rng *rng, const struct victim *v, uint32_t reg)
{
	uint32_t pi = reg == CAIRN_DB_SQ ? v->qp->sq_pi : v->qp->rq_pi;

	return rng_below(rng, 200) ? pi + (uint32_t)rng_range(rng, 0, 20) - 10
				   : (uint32_t)rng_u64(rng);
}

static void doorbell(struct victims *vs, struct counts *n)
{
	static const uint32_t regs[] = { CAIRN_DB_SQ, CAIRN_DB_RQ, CAIRN_DB_SRQ, CAIRN_DB_CQ_ARM,
					 CAIRN_DB_EQ };
	struct rng *rng = &vs->r->rng;
	const struct victim *v = &vs->v[rng_below(rng, VICTIMS)];
	uint32_t reg = regs[rng_below(rng, 5)], number = v->qp->qpn;
	uint64_t word;

	/* EQs belong to page 0, which is the driver's own: there only numbers that are none */
	if (reg == CAIRN_DB_CQ_ARM)
		number = vs->cq->cqn;
	if (reg == CAIRN_DB_EQ || rng_percent(rng, 40))
		number = 0x800000u | (uint32_t)rng_below(rng, 0x800000);
	word = cairn_db_word(number, index_of(rng, v, reg)) |
	       (reg == CAIRN_DB_CQ_ARM ? rng_u64(rng) & 0x70000 : 0);
	if (rng_percent(rng, 20))
		reg = (uint32_t)rng_below(rng, 0x100) * 8; /* no doorbell at all, mostly */
	if (reg == CAIRN_DB_EQ)
		word = cairn_db_word(0x800000, 0);
	cairn_db_ring(v->qp->db, reg, word);
	n->doorbells++;
}

/* Entries change under the NIC's eyes. */
static void rewrite(struct victims *vs, struct counts *n)
{
	struct rng *rng = &vs->r->rng;
	struct victim *v = &vs->v[rng_below(rng, VICTIMS)];

	if (rng_percent(rng, 70)) {
		spoil_wqe(vs,
			  cairn_sq_block(v->qp, v->qp->sq_pi - 1 - (uint32_t)rng_below(rng, 8)));
		n->rewritten++;
	} else {
		struct cairn_sge *sge = cairn_rq_entry(v->qp, (uint32_t)rng_u64(rng));

		sge->addr = victim_address(vs);
		sge->lkey = victim_key(vs);
		sge->length = (uint32_t)edge64(rng);
		n->rqes++;
	}
}

static void round_of(struct victims *vs, struct counts *n)
{
	struct rdma *r = vs->r;

	for (unsigned int i = 0; i < STEPS; i++) {
		if (i % 64 == 0)
			victims_canary(vs);
		if (i % POST_EVERY == 0)
			post(vs, &vs->v[rng_below(&r->rng, VICTIMS)], n);
		if (rng_percent(&r->rng, 30))
			rewrite(vs, n);
		if (i >= STEPS / 4) /* first the entries alone have a moment */
			doorbell(vs, n);
		rdma_run(r, rng_below(&r->rng, 50));
		victims_answer(vs);
	}
	victims_check(vs);
	victims_revive(vs);
}

void fuzz_wqes(void **state)
{
	const char *text = getenv("REQUESTS");
	uint64_t want = text && *text ? strtoull(text, NULL, 0) : 300;
	static struct victims vs;
	struct counts n = { 0 };

	(void)state;
	victims_begin(&vs, true);
	while (n.wqes + n.rqes + n.doorbells < want)
		round_of(&vs, &n);
	printf("# %llu send entries, %llu receive entries, %llu doorbells, %llu entries rewritten, "
	       "%llu QPs ended, %llu CQs overflowed, %llu verified messages beside them\n",
	       (unsigned long long)n.wqes, (unsigned long long)n.rqes,
	       (unsigned long long)n.doorbells, (unsigned long long)n.rewritten,
	       (unsigned long long)vs.revived, (unsigned long long)vs.overflows,
	       (unsigned long long)vs.canaries);
	victims_end(&vs);
}
