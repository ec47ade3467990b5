// SPDX-License-Identifier: Apache-2.0
/*
 * Small tables of the real NIC used up (checks 128): every SRQ and every GID entry, until the next
 * is refused; one given back, one taken; flows that were there before go on, and the entries made
 * last carry traffic.  And the last number of each kind: QPN, CQN and MR index at the ends of their
 * tables.
 */
#include <errno.h>
#include <string.h>

#include "priv.h"
#include "rdma.h"

#define MAX_SRQS 64u
#define LENGTH 3000u /* three packets */

struct scene {
	struct rdma *r;
	struct rdma_qp *qp; /* there from the beginning */
	struct rdma_buf *src, *dst;
	unsigned int turn;
};

static struct scene scene(void)
{
	struct scene s = { .r = rdma_begin(NULL) };

	s.qp = rdma_pair(s.r, 0, 1, NULL);
	s.src = rdma_buf(s.r, 0, 8192, 5);
	s.dst = rdma_buf(s.r, 1, 8192, 9);
	return s;
}

/* Another part of the buffers each time; all of them are compared at the end. */
static void works(struct scene *s, struct rdma_qp *qp)
{
	unsigned int at = 37 * s->turn++ % 2000;
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s->src, at, s->dst, 2 * at, LENGTH);

	rdma_do(qp, &wr);
	rdma_buf_check(s->r, s->dst);
}

static void end_pair(struct rdma_qp *qp)
{
	rdma_destroy_qp(qp->peer);
	rdma_destroy_qp(qp);
}

/* ---------------------------------------------------------------- SRQs */

static int make_srq(struct scene *s, struct cairn_srq **srq)
{
	struct cairn_srq_init init = { .max_wr = 16, .max_sge = 1 };

	return cairn_create_srq(s->r->nic[1].pd, &init, srq);
}

static const struct cairn_cqe *good_cqe(struct scene *s, struct rdma_cq *cq)
{
	const struct cairn_cqe *cqe = rdma_raw_cqe(cq);
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);

	if (status)
		rdma_fail(s->r, "completion with status %u", status);
	return cqe;
}

/* A SEND that the SRQ takes, into a slot of its own. */
static void send_to(struct scene *s, struct cairn_srq *srq)
{
	struct rdma_cq *cq[2] = { rdma_create_cq(s->r, 0, 16), rdma_create_cq(s->r, 1, 16) };
	struct rdma_buf *to = rdma_buf(s->r, 1, LENGTH, 1);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, s->src, 11, NULL, 0, LENGTH);
	struct cairn_sge sge = rdma_sge(to, 0, LENGTH);
	const uint32_t slot = srq->pi % 16;
	const struct cairn_cqe *cqe;
	struct rdma_qp *qp[2];
	struct rdma_qp_cfg cfg;

	for (unsigned int i = 0; i < 2; i++) {
		rdma_qp_cfg_init(&cfg);
		cfg.send_cq = cfg.recv_cq = cq[i];
		cfg.srq = i ? srq : NULL;
		if (i)
			cfg.recv_wr = cfg.recv_sge = 0;
		qp[i] = rdma_create_qp(s->r, i, &cfg);
	}
	rdma_connect(qp[0], qp[1]);
	memcpy(cairn_srq_slot(srq, slot), &sge, sizeof(sge));
	cairn_srq_give(srq, slot);
	cairn_srq_ring(srq);
	rdma_write_wqe(qp[0], &wr, LENGTH, 1);
	rdma_ring(qp[0]);
	cqe = good_cqe(s, cq[1]);
	rdma_assert(s->r, cqe->wqe & CAIRN_CQE_WQE_SRQ);
	rdma_assert(s->r, CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX) == slot);
	rdma_assert(s->r, cqe->byte_len == LENGTH);
	rdma_assert(s->r, !memcmp(to->data, s->src->data + 11, LENGTH));
	good_cqe(s, cq[0]);
	for (unsigned int i = 0; i < 2; i++) {
		cairn_cq_consume(cq[i]->cq);
		cairn_cq_update(cq[i]->cq);
	}
	rdma_buf_forget(to, 0, LENGTH);
	rdma_assert(s->r, cairn_destroy_srq(srq) == -EBUSY); /* a QP has it */
	end_pair(qp[0]);
}

static void srqs(void **state)
{
	struct scene s = scene();
	struct cairn_srq *srq[MAX_SRQS], *more;
	unsigned int n = 0, limit = s.r->nic[1].dev->caps.max_srq, last = 0;

	(void)state;
	rdma_assert(s.r, limit && limit <= MAX_SRQS);
	while (n < limit) {
		rdma_ok(s.r, make_srq(&s, &srq[n]), "SRQ");
		last = srq[n]->srqn == limit - 1 ? n : last;
		n++;
	}
	rdma_assert(s.r, make_srq(&s, &more) == -ENOSPC);
	works(&s, s.qp);
	send_to(&s, srq[last]); /* the last number of the table */
	for (unsigned int i = 0; i < 3; i++) {
		unsigned int k = (unsigned int)rng_below(&s.r->rng, n);
		uint32_t number = srq[k]->srqn;

		rdma_ok(s.r, cairn_destroy_srq(srq[k]), "end of an SRQ");
		works(&s, s.qp);
		rdma_ok(s.r, make_srq(&s, &srq[k]), "SRQ in its place");
		rdma_assert(s.r, srq[k]->srqn == number); /* no other was free */
		rdma_assert(s.r, make_srq(&s, &more) == -ENOSPC);
		send_to(&s, srq[k]);
		send_to(&s, srq[(k + 1) % n]);
	}
	works(&s, s.qp);
	print_message("# seed 0x%llx, %u SRQs\n", (unsigned long long)s.r->seed, n);
	while (n--)
		rdma_ok(s.r, cairn_destroy_srq(srq[n]), "end of an SRQ");
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- GIDs */

static void make_gid(uint8_t gid[16], unsigned int nic, unsigned int number)
{
	memset(gid, 0, 16);
	gid[0] = 0xfd;
	gid[14] = (uint8_t)(nic + 1);
	gid[15] = (uint8_t)number;
}

static void set_gid(struct scene *s, unsigned int nic, unsigned int index, unsigned int number)
{
	uint8_t gid[16];

	make_gid(gid, nic, number);
	rdma_ok(s->r, cairn_set_gid(s->r->nic[nic].dev, index, gid, 0), "GID");
}

/* The entry is what it was made; 0: none. */
static void check_gid(struct scene *s, unsigned int nic, unsigned int index, unsigned int number)
{
	uint8_t gid[16], want[16];
	int err = cairn_query_gid(s->r->nic[nic].dev, index, gid, NULL);

	make_gid(want, nic, number);
	if (number ? err || memcmp(gid, want, 16) : err != -ENOENT)
		rdma_fail(s->r, "GID %u of NIC %u is not number %u", index, nic, number);
}

/* Both NICs use the entry. */
static struct rdma_qp *pair_at(struct scene *s, unsigned int index)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.gid_index = index;
	return rdma_pair(s->r, 0, 1, &cfg);
}

/* What a full table refuses: an index past it, and an address that is there, which stays. */
static void refusals(struct scene *s, unsigned int nic, unsigned int first, unsigned int limit)
{
	struct cairn_dev *dev = s->r->nic[nic].dev;
	uint8_t gid[16];

	make_gid(gid, nic, 200);
	rdma_assert(s->r, cairn_set_gid(dev, limit, gid, 0) == -EINVAL);
	rdma_assert(s->r, cairn_set_gid(dev, CAIRN_MAX_GIDS, gid, 0) == -EINVAL);
	rdma_assert(s->r, cairn_query_gid(dev, limit, gid, NULL) == -EINVAL);
	make_gid(gid, nic, first + 1);
	rdma_assert(s->r, cairn_set_gid(dev, limit - 2, gid, 0) == -EINVAL); /* used by nobody */
	check_gid(s, nic, limit - 2, limit - 1);
}

static void gids(void **state)
{
	struct scene s = scene();
	struct rdma_qp *last, *other;
	unsigned int first = 0, limit = s.r->nic[0].dev->caps.max_gid;
	uint8_t gid[16];

	(void)state;
	/* The driver has made the first entries, the same on both. */
	while (!cairn_query_gid(s.r->nic[0].dev, first, gid, NULL))
		first++;
	rdma_assert(s.r, first > 1 && limit > first + 4);
	for (unsigned int nic = 0; nic < 2; nic++) {
		for (unsigned int i = first; i < limit; i++) {
			check_gid(&s, nic, i, 0);
			set_gid(&s, nic, i, i + 1);
		}
		for (unsigned int i = first; i < limit; i++)
			check_gid(&s, nic, i, i + 1);
		refusals(&s, nic, first, limit);
	}
	works(&s, s.qp);
	last = pair_at(&s, limit - 1);
	works(&s, last);
	/* One that nobody uses goes and another comes, while both flows stand. */
	for (unsigned int nic = 0; nic < 2; nic++) {
		rdma_ok(s.r, cairn_set_gid(s.r->nic[nic].dev, first + 2, NULL, 0), "no GID");
		check_gid(&s, nic, first + 2, 0);
		works(&s, s.qp);
		works(&s, last);
		set_gid(&s, nic, first + 2, 100);
		check_gid(&s, nic, first + 2, 100);
		refusals(&s, nic, first, limit);
	}
	other = pair_at(&s, first + 2);
	works(&s, other);
	works(&s, last);
	works(&s, s.qp);
	print_message("# seed 0x%llx, %u GIDs\n", (unsigned long long)s.r->seed, limit);
	/* As they were: the next test has the same NICs. */
	end_pair(other);
	end_pair(last);
	for (unsigned int nic = 0; nic < 2; nic++)
		for (unsigned int i = first; i < limit; i++)
			rdma_ok(s.r, cairn_set_gid(s.r->nic[nic].dev, i, NULL, 0), "no GID");
	works(&s, s.qp);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- the last numbers */

/* From now on the driver has this one number left to give; `first`: all of them again. */
static uint32_t only_last(struct cairn_space *space)
{
	uint32_t first = space->first;

	space->first = space->limit - 1;
	return first;
}

static struct rdma_cq *last_cq(struct scene *s, unsigned int nic)
{
	struct cairn_space *space = &s->r->nic[nic].dev->numbers[OBJECT_CQ];
	uint32_t first = only_last(space);
	struct rdma_cq *cq = rdma_create_cq(s->r, nic, 256);

	space->first = first;
	rdma_assert(s->r, cq->cq->cqn == s->r->nic[nic].dev->caps.max_cq - 1);
	return cq;
}

static struct rdma_buf *last_buf(struct scene *s, unsigned int nic)
{
	struct cairn_space *space = &s->r->nic[nic].dev->keys;
	uint32_t first = only_last(space);
	struct rdma_buf *buf = rdma_buf(s->r, nic, 8192, 3);

	space->first = first;
	rdma_assert(s->r, buf->mr->key >> 8 == s->r->nic[nic].dev->caps.max_mr);
	return buf;
}

static struct rdma_qp *last_qp(struct scene *s, unsigned int nic)
{
	const struct cairn_space *space = &s->r->nic[nic].dev->numbers[OBJECT_QP];
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.send_cq = cfg.recv_cq = last_cq(s, nic);
	cfg.qpn = space->limit - 1;
	return rdma_create_qp(s->r, nic, &cfg);
}

/* A QP on a CQ, both with the last numbers, moves memory behind the last keys;
 * another beside it. */
static void last_numbers(void **state)
{
	struct scene s = scene();
	struct rdma_qp *qp[2] = { last_qp(&s, 0), last_qp(&s, 1) };
	struct rdma_buf *near = last_buf(&s, 0), *far = last_buf(&s, 1);
	struct cairn_sge sge = rdma_sge(far, 4096, LENGTH);
	struct rdma_wr wr;

	(void)state;
	rdma_assert(s.r, qp[0]->qp->qpn == qp[1]->qp->qpn);
	rdma_connect(qp[0], qp[1]);
	for (unsigned int i = 0; i < 3; i++) {
		works(&s, s.qp);
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, near, 10 * i, far, 20 * i, LENGTH);
		rdma_do(qp[0], &wr);
		wr = rdma_wr(CAIRN_WQE_OP_READ, near, 4000, far, 30 * i, LENGTH);
		rdma_do(qp[0], &wr);
		rdma_post_recv(qp[1], &sge, 1);
		rdma_ring_recv(qp[1]);
		wr = rdma_wr(CAIRN_WQE_OP_SEND, near, 7 * i, NULL, 0, LENGTH);
		rdma_do(qp[0], &wr);
	}
	print_message("# seed 0x%llx, QP %u, CQ %u, MR %u\n", (unsigned long long)s.r->seed,
		      qp[0]->qp->qpn, qp[0]->qp->send_cq->cqn, near->mr->key >> 8);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(srqs), RDMA_TEST(gids),
					    RDMA_TEST(last_numbers) };

	return RDMA_RUN("used_up", tests);
}
