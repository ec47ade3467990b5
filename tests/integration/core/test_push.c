// SPDX-License-Identifier: Apache-2.0
/*
 * The push window: a WQE that comes with its doorbell is not fetched, and whatever else arrives in
 * the window (parts, repetitions, other queues' blocks, gaps) does no more than the doorbell in its
 * last quadword.  Every message arrives as it stands in the ring.
 */
#include <stdio.h>
#include <string.h>

#include "rdma.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

struct scene {
	struct rdma *r;
	struct rdma_qp *qp;
	struct rdma_buf *src, *dst;
	size_t at;
};

static struct scene scene(uint32_t qpn)
{
	struct scene s = { .r = rdma_begin(NULL) };
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.qpn = qpn;
	cfg.max_inline = CAIRN_MAX_INLINE;
	s.qp = rdma_pair(s.r, 0, 1, &cfg);
	s.src = rdma_buf(s.r, 0, 65536, 3);
	s.dst = rdma_buf(s.r, 1, 65536, 5);
	return s;
}

/* One block in the ring: WRITE, inline or with one element. */
static void post(struct scene *s, struct rdma_qp *qp, uint32_t len, bool in_wqe)
{
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s->src, s->at + 7, s->dst, s->at, len);

	if (in_wqe && len) {
		wr.sge[0].addr = (uintptr_t)s->src->data + s->at + 7;
		wr.in_wqe = true;
	}
	rdma_post(qp, &wr);
	s->at += len;
}

/* The block before the producer index, as the driver would push it. */
static void block_of(const struct rdma_qp *qp, uint64_t block[8])
{
	memcpy(block, cairn_sq_block(qp->qp, qp->qp->sq_pi - 1), 56);
	block[7] = cairn_db_word(qp->qp->qpn, qp->qp->sq_pi);
}

static void window(const struct scene *s, const struct cairn_db *db, const uint64_t *from,
		   unsigned int first, unsigned int n)
{
	rdma_assert(s->r, !sim_nic_write_block(sim_nic(s->r->sim, 0), 2,
					       db->offset + CAIRN_DB_PUSH + 8 * first, from + first,
					       8 * n));
}

static uint64_t counted(struct scene *s, enum cairn_counter counter)
{
	return rdma_counter(s->r, 0, counter);
}

static void saves_the_fetch(void **state)
{
	struct scene s = scene(CAIRN_ANY);
	uint64_t fetches = counted(&s, CAIRN_COUNTER_WQE_FETCH);
	uint64_t taken = counted(&s, CAIRN_COUNTER_PUSH_TAKEN), n = 0;
	uint64_t ignored = counted(&s, CAIRN_COUNTER_PUSH_IGNORED);

	(void)state;
	for (; n < 70; n++) {
		struct cairn_sge sge = rdma_sge(s.dst, 60000 + n, 1);
		struct rdma_wr wr = rdma_wr(n & 1 ? CAIRN_WQE_OP_READ : CAIRN_WQE_OP_SEND, s.src,
					    50000 + 200 * (n / 2), s.dst, 60000 + n, 1);

		if (n < 50) {
			post(&s, s.qp, n < 25 ? (uint32_t)n : 100, n < 25);
		} else {
			if (!(n & 1)) {
				rdma_post_recv(s.qp->peer, &sge, 1);
				rdma_ring_recv(s.qp->peer);
			}
			rdma_post(s.qp, &wr);
		}
		rdma_push(s.qp);
		rdma_wait(s.r);
	}
	rdma_assert(s.r, counted(&s, CAIRN_COUNTER_WQE_FETCH) == fetches);
	rdma_assert(s.r, counted(&s, CAIRN_COUNTER_PUSH_TAKEN) == taken + n);
	rdma_assert(s.r, counted(&s, CAIRN_COUNTER_PUSH_IGNORED) == ignored);
	rdma_end(s.r);
}

enum harm {
	TORN, LAST_ALONE, TWICE, OLD, GAP, OTHER_QP, OTHER_INDEX, LONG, ATOMIC, OTHER_PAGE, NO_QP,
	HARMS
};

static const char *const harm_names[HARMS] = {
	"in parts", "last quadword alone", "twice", "an old one again", "one left out",
	"block of another QP", "block of another index", "more than a block", "an atomic's",
	"of another page", "no such QP",
};

/* Posts one WQE (a GAP two) and pushes it wrongly; how many doorbells of the window count. */
static unsigned int harm(struct scene *s, enum harm how, uint64_t old[8])
{
	struct cairn_db other = *s->qp->qp->db;
	uint64_t block[8];

	if (how == GAP)
		post(s, s->qp, 8, true);
	post(s, s->qp, how == LONG ? 60 : 8, true);
	block_of(s->qp, block);
	switch (how) {
	case TORN:
		window(s, &other, block, 0, 3);
		window(s, &other, block, 3, 5);
		return 1;
	case LAST_ALONE:
		window(s, &other, block, 7, 1);
		return 1;
	case TWICE:
		window(s, &other, block, 0, 8);
		break;
	case OLD:
		window(s, &other, old, 0, 8);
		rdma_ring(s->qp);
		return 1;
	case OTHER_QP:
		block[1] ^= 1ull << 49;
		break;
	case OTHER_INDEX:
		block[1] ^= 1ull << 32;
		break;
	case LONG:
		memcpy(block, cairn_sq_block(s->qp->qp, s->qp->qp->sq_pi - 2), 56);
		break;
	case ATOMIC:
		block[0] = (block[0] & ~0xffull) | CAIRN_WQE_OP_ATOMIC_FA;
		break;
	case OTHER_PAGE:
		other.offset += CAIRN_DB_PAGE_BYTES;
		break;
	case NO_QP:
		block[7] ^= 1ull << 55;
		break;
	default:
		break;
	}
	window(s, &other, block, 0, 8);
	if (how == OTHER_PAGE || how == NO_QP)
		rdma_ring(s->qp);
	return 1;
}

static void harmless(void **state)
{
	struct scene s = scene(CAIRN_ANY);
	uint64_t old[8], bad = counted(&s, CAIRN_COUNTER_DB_BAD_PAGE);

	(void)state;
	for (unsigned int i = 0; i < 3 * HARMS; i++) {
		enum harm how = i % HARMS;
		uint64_t taken = counted(&s, CAIRN_COUNTER_PUSH_TAKEN);
		uint64_t ignored = counted(&s, CAIRN_COUNTER_PUSH_IGNORED);
		unsigned int n;

		/* A good one first, which is the old one later. */
		post(&s, s.qp, 24, true);
		block_of(s.qp, old);
		rdma_push(s.qp);
		rdma_wait(s.r);
		n = harm(&s, how, old);
		rdma_wait(s.r);
		if (counted(&s, CAIRN_COUNTER_PUSH_IGNORED) != ignored + n ||
		    counted(&s, CAIRN_COUNTER_PUSH_TAKEN) != taken + 1 + (how == TWICE))
			rdma_fail(s.r, "%s: %llu pushes ignored, %llu taken", harm_names[how],
				  (unsigned long long)(counted(&s, CAIRN_COUNTER_PUSH_IGNORED) -
						       ignored),
				  (unsigned long long)(counted(&s, CAIRN_COUNTER_PUSH_TAKEN) -
						       taken));
	}
	rdma_assert(s.r, counted(&s, CAIRN_COUNTER_DB_BAD_PAGE) == bad + 6);
	rdma_end(s.r);
}

/* What was pushed to a QP that is gone is not sent by one that has its number later. */
static void generations(void **state)
{
	struct scene s = scene(CAIRN_ANY);
	struct rdma_qp_cfg cfg = s.qp->cfg;
	uint64_t taken = counted(&s, CAIRN_COUNTER_PUSH_TAKEN);
	struct rdma_qp *a, *b;

	(void)state;
	cfg.qpn = (s.qp->qp->qpn ^ 5) & 0xff;
	for (unsigned int i = 0; i < 3; i++) {
		a = rdma_create_qp(s.r, 0, &cfg);
		cfg.qpn = CAIRN_ANY;
		b = rdma_create_qp(s.r, 1, &cfg);
		cfg.qpn = a->qp->qpn;
		if (i < 2) {
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.src, 0, s.dst, 9999, 0);

			/* In RESET: nobody looks at it. */
			rdma_write_wqe(a, &wr, 0, 1);
			rdma_push(a);
			rdma_run(s.r, 2000);
		} else {
			rdma_connect(a, b);
			post(&s, a, 20, true);
			rdma_ring(a);
			rdma_wait(s.r);
		}
		rdma_destroy_qp(a);
		rdma_destroy_qp(b);
	}
	rdma_assert(s.r, counted(&s, CAIRN_COUNTER_PUSH_TAKEN) == taken + 2);
	rdma_end(s.r);
}

/* Lists, single ones and pushes on QPs that are behind, over a wire that loses packets. */
static void mixed(void **state)
{
	struct scene s = scene(CAIRN_ANY);
	struct rdma_qp *qp[6] = { s.qp };
	uint64_t taken = counted(&s, CAIRN_COUNTER_PUSH_TAKEN);

	(void)state;
	for (unsigned int i = 1; i < LEN(qp); i++)
		qp[i] = rdma_pair(s.r, 0, 1, &s.qp->cfg);
	rdma_rule(s.r, "drop nic0>nic1 type=roce p=0.02");
	for (unsigned int i = 0; i < 400; i++) {
		struct rdma_qp *q = qp[rng_below(&s.r->rng, LEN(qp))];
		unsigned int n = rng_percent(&s.r->rng, 20) ? 1 + rng_below(&s.r->rng, 5) : 1;

		while (rdma_room(q) < 16)
			rdma_wait_due(s.r, rdma_due(s.r) - 1);
		for (unsigned int k = 0; k < n; k++)
			post(&s, q, (uint32_t)rng_below(&s.r->rng, 25), true);
		if (rng_percent(&s.r->rng, 75))
			rdma_push(q);
		else
			rdma_ring(q);
		rdma_run(s.r, rng_below(&s.r->rng, 60));
	}
	rdma_clear_rules(s.r);
	rdma_wait(s.r);
	rdma_assert(s.r, counted(&s, CAIRN_COUNTER_PUSH_TAKEN) > taken + 20);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(saves_the_fetch),
		RDMA_TEST(harmless),
		RDMA_TEST(generations),
		RDMA_TEST(mixed),
	};

	return RDMA_RUN("push", tests);
}
