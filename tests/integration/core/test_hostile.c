// SPDX-License-Identifier: Apache-2.0
/*
 * A hostile process (checks 49, 50, 52 to 56, 63, 64): doorbells of any number and index from any
 * page, entries that change while they are executed, elements that add up to too much, receive
 * rings that tell lies, regions taken away in the middle of a message.  Its own QPs fail, no byte
 * lands where it should not (guards, shadows, the monitor of PCIe), and the bystander goes on.
 *
 * Environment: REWRITES, TAKEN (rounds).
 */
#include <string.h>

#include "rdma.h"

#define BYTES 16384u
#define ADDS 400u /* take as long as the command that takes the region away */
#define LEN(array) (sizeof(array) / sizeof((array)[0]))

struct scene {
	struct rdma *r;
	struct rdma_qp *qp, *other;		      /* the other is a bystander */
	struct rdma_buf *local, *remote, *near, *far; /* the latter are the bystander's */
};

static unsigned int number(const char *name, unsigned int otherwise)
{
	const char *text = getenv(name);

	return text && *text ? (unsigned int)strtoul(text, NULL, 0) : otherwise;
}

static void furnish(struct scene *s)
{
	s->other = rdma_pair(s->r, 0, 1, NULL);
	s->local = rdma_buf(s->r, 0, BYTES, 100);
	s->remote = rdma_buf(s->r, 1, BYTES, 200);
	s->near = rdma_buf(s->r, 0, 4096, 1);
	s->far = rdma_buf(s->r, 1, 4096, 2);
}

static struct scene scene(void)
{
	struct scene s = { .r = rdma_begin(NULL) };

	s.qp = rdma_pair(s.r, 0, 1, NULL);
	furnish(&s);
	return s;
}

/* Its completions are the test's own business, in cq[]. */
static struct scene scene_raw(struct rdma_cq *cq[2])
{
	struct scene s = { .r = rdma_begin(NULL) };
	struct rdma_qp_cfg cfg;
	struct rdma_qp *end[2];

	rdma_qp_cfg_init(&cfg);
	cfg.timeout = 4;
	cfg.retry_cnt = 2;
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	cfg.send_wr = ADDS;
	for (unsigned int i = 0; i < 2; i++) {
		cfg.send_cq = cfg.recv_cq = cq[i] = rdma_create_cq(s.r, i, 512);
		end[i] = rdma_create_qp(s.r, i, &cfg);
	}
	rdma_connect(end[0], end[1]);
	s.qp = end[0];
	furnish(&s);
	return s;
}

static void bystander(struct scene *s)
{
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s->near, 0, s->far, 7, 3000);

	rdma_do(s->other, &wr);
}

/* Whatever completions are there: how many have failed. */
static unsigned int raw(struct rdma_cq *cq, unsigned int *all)
{
	const struct cairn_cqe *cqe;
	unsigned int failed = 0;

	for (*all = 0; (cqe = cairn_cq_next(cq->cq)); ++*all) {
		failed += CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) != 0;
		cairn_cq_consume(cq->cq);
	}
	cairn_cq_update(cq->cq);
	return failed;
}

static void again(struct rdma_qp *qp)
{
	struct rdma_qp *end[2] = { qp, qp->peer };

	for (int i = 0; i < 2; i++) {
		rdma_reset_qp(end[i]);
		rdma_ledger_drop(end[i]);
		end[i]->moved = end[i]->sq_failed = end[i]->rq_failed = false;
	}
	rdma_connect(qp, qp->peer);
}

/* ---------------------------------------------------------------- doorbells (checks 49, 50, 52) */

/* Every quadword of a page that is not the owner's. */
static void foreign_page(void **state)
{
	struct scene s = scene();
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0, 100);
	uint64_t page = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_PAGE);
	uint64_t form = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_FORM);
	struct cairn_db *db;

	(void)state;
	rdma_ok(s.r, cairn_alloc_db(s.r->nic[0].dev, &db), "doorbell page");
	rdma_post(s.qp, &wr); /* something to be started, if it could */
	for (uint32_t at = 0; at < 4096; at += 8) {
		cairn_db_ring(db, at, cairn_db_word(s.qp->qp->qpn, s.qp->qp->sq_pi));
		if (at % 256 == 248)
			rdma_run(s.r, 300);
	}
	rdma_run(s.r, 2000);
	rdma_assert(s.r, rdma_due(s.r) == 1 && !rdma_poll(s.r));
	page = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_PAGE) - page;
	form = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_FORM) - form;
	/* SQ, RQ, SRQ, CQ, EQ and the end of the push window are doorbells, its start is silent */
	rdma_assert(s.r, page == 6 && form == 512 - 6 - 7);
	rdma_ring(s.qp);
	rdma_wait(s.r);
	bystander(&s);
	cairn_free_db(s.r->nic[0].dev, db);
	rdma_end(s.r);
}

/* From its own page: numbers of others and of none, indices behind and at the present one. */
static void odd_doorbells(void **state)
{
	struct scene s = scene();
	struct cairn_qp *mine = s.qp->qp;
	uint64_t page = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_PAGE);
	uint64_t index = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_INDEX);
	unsigned int none = 0;

	(void)state;
	for (unsigned int bit = 8; bit < 24; bit++, none++)
		cairn_db_ring(mine->db, bit & 1 ? CAIRN_DB_SQ : CAIRN_DB_RQ,
			      cairn_db_word(mine->qpn ^ 1u << bit, 1));
	rdma_run(s.r, 1000);
	for (unsigned int back = 1; back <= 0x8000; back *= 2) {
		cairn_db_ring(mine->db, CAIRN_DB_SQ, cairn_db_word(mine->qpn, mine->sq_pi - back));
		cairn_db_ring(mine->db, CAIRN_DB_RQ, cairn_db_word(mine->qpn, mine->rq_pi - back));
	}
	for (unsigned int i = 0; i < 50; i++) { /* nothing new */
		cairn_db_ring(mine->db, CAIRN_DB_SQ, cairn_db_word(mine->qpn, mine->sq_pi));
		cairn_db_ring(mine->db, CAIRN_DB_RQ, cairn_db_word(mine->qpn, mine->rq_pi));
	}
	rdma_run(s.r, 3000);
	page = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_PAGE) - page;
	rdma_assert(s.r, page == none);
	rdma_assert(s.r, rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_INDEX) == index + 2 * 16);
	bystander(&s);
	rdma_end(s.r);
}

/* In RESET the ring has been said to hold `sends` and `receives` that nobody wrote. */
static void lie(struct rdma_qp *qp, uint16_t sends, uint16_t receives)
{
	cairn_db_ring(qp->qp->db, CAIRN_DB_SQ, cairn_db_word(qp->qp->qpn, sends));
	cairn_db_ring(qp->qp->db, CAIRN_DB_RQ, cairn_db_word(qp->qp->qpn, receives));
	rdma_run(qp->r, 3000);
	rdma_assert(qp->r, !rdma_poll(qp->r) && rdma_qp_state(qp) == CAIRN_QP_STATE_RESET);
}

/* What the first completion says, how many there are, and that the QP has ended. */
static void ended(struct rdma_qp *qp, struct rdma_cq *cq, enum cairn_wc_status status,
		  enum cairn_vendor_err vendor, unsigned int completions)
{
	const struct cairn_cqe *cqe = rdma_raw_cqe(cq);
	unsigned int all;

	rdma_assert(qp->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) == status);
	rdma_assert(qp->r, CAIRN_GET(cqe->src, CAIRN_CQE_SRC_VENDOR_ERR) == vendor);
	rdma_run(qp->r, 3000);
	rdma_assert(qp->r, raw(cq, &all) == completions && all == completions);
	rdma_assert(qp->r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
}

/*
 * Doorbells in RESET start nothing, but they are the QP's own: what they promised is looked for
 * when it gets to RTS (receives: when a message comes), and the entries there are not right.  It
 * fails alone; the RESET behind that opens its doorbells anew.
 */
static void rung_in_reset(void **state)
{
	struct rdma_cq *cq[2];
	struct scene s = scene_raw(cq);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0, 100);
	struct rdma_wr send = rdma_wr(CAIRN_WQE_OP_SEND, s.local, 0, NULL, 0, 100);
	uint64_t index = rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_INDEX);
	struct rdma_qp *back = s.qp->peer;

	(void)state;
	/* a new QP that takes the place of the scene's */
	s.qp = rdma_create_qp(s.r, 0, &s.qp->cfg);
	lie(s.qp, 3, 60000);
	rdma_assert(s.r, rdma_counter(s.r, 0, CAIRN_COUNTER_DB_BAD_INDEX) == index + 1);
	rdma_reset_qp(back);
	rdma_connect(s.qp, back);
	ended(s.qp, cq[0], CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_CHECK, 1);
	rdma_assert(s.r, rdma_qp_state(back) == CAIRN_QP_STATE_RTS);
	bystander(&s);
	/* nothing of it is left */
	again(s.qp);
	rdma_do(s.qp, &wr);
	/* receives: a message finds one without room */
	rdma_reset_qp(back);
	lie(back, 0, 2);
	rdma_reset_qp(s.qp);
	rdma_connect(s.qp, back);
	rdma_write_wqe(s.qp, &send, 100, 1);
	rdma_ring(s.qp);
	ended(back, cq[1], CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_RQ_LENGTH, 2);
	ended(s.qp, cq[0], CAIRN_WC_STATUS_REM_INV_REQ_ERR, CAIRN_VENDOR_ERR_NAK_INV, 1);
	bystander(&s);
	again(s.qp);
	rdma_do(s.qp, &wr);
	bystander(&s);
	rdma_end(s.r);
}

/* As many as PCIe brings, for a QP of its own: the bystander keeps its rate. */
static void doorbell_flood(void **state)
{
	struct scene s = scene();
	struct rdma_qp_cfg cfg;
	struct rdma_qp *own;
	uint64_t begin, quiet;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	own = rdma_pair(s.r, 0, 1, &cfg);
	bystander(&s);
	begin = sim_now(s.r->sim);
	for (unsigned int i = 0; i < 6; i++)
		bystander(&s);
	quiet = sim_now(s.r->sim) - begin;
	begin = sim_now(s.r->sim);
	for (unsigned int i = 0; i < 6; i++) {
		for (unsigned int k = 0; k < 400; k++)
			cairn_db_ring(own->qp->db, k & 1 ? CAIRN_DB_SQ : CAIRN_DB_RQ,
				      cairn_db_word(own->qp->qpn, k & 2 ? 0 : 0xffff));
		bystander(&s); /* its own doorbell stands behind all these */
	}
	begin = sim_now(s.r->sim) - begin;
	print_message("# 6 WRITEs take %llu ns, behind 400 doorbells each %llu ns\n",
		      (unsigned long long)quiet, (unsigned long long)begin);
	/* 400 stores of 24 to 32 bytes cross the link meanwhile; the rest is as fast as before */
	rdma_assert(s.r, begin < quiet * 10 / 9 + 6 * 400 * 5 * sim_period(s.r->sim));
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- send entries (53 to 55) */

static void spoil(struct scene *s, struct cairn_wqe *wqe)
{
	struct rng *rng = &s->r->rng;
	uint8_t *bytes = (uint8_t *)wqe;

	switch (rng_below(rng, 6)) {
	case 0:
		wqe->sge0_addr += rng_below(rng, 2 * BYTES) - BYTES;
		break;
	case 1:
		wqe->sge0_lkey ^= 1u << rng_below(rng, 32);
		break;
	case 2:
		wqe->sge0_length = (uint32_t)rng_u64(rng);
		break;
	case 3:
		wqe->length = (uint32_t)rng_u64(rng);
		break;
	case 4:
		wqe->raddr += rng_below(rng, 2 * BYTES) - BYTES;
		break;
	default:
		bytes[rng_below(rng, 64)] ^= (uint8_t)(1u << rng_below(rng, 8));
		break;
	}
}

/*
 * Changed at any moment, and packets are lost, so that parts are sent again from what stands there
 * now.  Any outcome is right but a byte outside of the two regions.
 */
static void rewritten(void **state)
{
	unsigned int rounds = number("REWRITES", 8), all, ends = 0;
	struct rdma_cq *cq[2];
	struct scene s = scene_raw(cq);

	(void)state;
	for (unsigned int i = 0; i < rounds; i++) {
		struct rdma_wr wr = rdma_wr(i % 3 ? CAIRN_WQE_OP_WRITE : CAIRN_WQE_OP_READ, s.local,
					    0, s.remote, 0, 12000);
		uint32_t first = s.qp->qp->sq_pi;

		rdma_rule(s.r, "drop %s qp=%u k=%u", i & 1 ? "nic0>nic1" : "nic1>nic0",
			  i & 1 ? s.qp->peer->qp->qpn : s.qp->qp->qpn,
			  1 + (unsigned int)rng_below(&s.r->rng, 6));
		for (unsigned int k = 0; k < 3; k++)
			rdma_write_wqe(s.qp, &wr, 12000, 1);
		rdma_ring(s.qp);
		for (unsigned int k = 0; k < 12; k++) {
			rdma_run(s.r, rng_below(&s.r->rng, 400));
			spoil(&s,
			      cairn_sq_block(s.qp->qp, first + (uint32_t)rng_below(&s.r->rng, 3)));
		}
		rdma_run(s.r, 120000);
		ends += raw(cq[0], &all) != 0;
		rdma_assert(s.r, all >= 1 && all <= 3);
		raw(cq[1], &all);
		rdma_clear_rules(s.r);
		if (rdma_qp_state(s.qp) == CAIRN_QP_STATE_ERR ||
		    rdma_qp_state(s.qp->peer) == CAIRN_QP_STATE_ERR)
			again(s.qp);
	}
	print_message("# %u of %u QPs ended\n", ends, rounds);
	rdma_buf_forget(s.local, 0, BYTES);
	rdma_buf_forget(s.remote, 0, BYTES);
	bystander(&s);
	rdma_end(s.r);
}

/* Elements that together are more or less than the WQE says, or than 2^31, or go over an end. */
/* What is too long for the local region is so for the remote one: the first to find it counts. */
static bool says(const struct cairn_cqe *cqe, enum cairn_wc_status status)
{
	enum cairn_wc_status got = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);

	return got == status || (status == CAIRN_WC_STATUS_LOC_PROT_ERR &&
				 got == CAIRN_WC_STATUS_REM_ACCESS_ERR);
}

static void sums(void **state)
{
	static const struct {
		uint32_t len[4], length;
		enum cairn_wc_status status;
	} rows[] = {
		{ { 100, 0, 200, 0 }, 300, CAIRN_WC_STATUS_SUCCESS },
		{ { 0, 0, 0, 0 }, 0, CAIRN_WC_STATUS_SUCCESS },
		{ { 0, 0, 0, 77 }, 77, CAIRN_WC_STATUS_SUCCESS },
		{ { 100, 0, 200, 0 }, 299, CAIRN_WC_STATUS_LOC_LEN_ERR },
		{ { 100, 0, 200, 0 }, 301, CAIRN_WC_STATUS_LOC_LEN_ERR },
		{ { 0x80000000, 0x80000000, 0x80000000, 0x80000000 },
		  0,
		  CAIRN_WC_STATUS_LOC_LEN_ERR },
		{ { 0x80000000, 0x80000000, 100, 0 }, 100, CAIRN_WC_STATUS_LOC_LEN_ERR },
		{ { 0xffffffff, 1, 0, 100 }, 100, CAIRN_WC_STATUS_LOC_LEN_ERR },
		{ { 0x80000001, 0, 0, 0 }, 0x80000001, CAIRN_WC_STATUS_LOC_LEN_ERR },
		{ { 100, BYTES + 1, 0, 0 }, BYTES + 101, CAIRN_WC_STATUS_LOC_PROT_ERR },
		{ { 0, 0, 0, BYTES + 1 }, BYTES + 1, CAIRN_WC_STATUS_LOC_PROT_ERR },
	};
	struct rdma_cq *cq[2];
	struct scene s = scene_raw(cq);

	(void)state;
	for (unsigned int i = 0; i < LEN(rows); i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0, 1);
		const struct cairn_cqe *cqe;
		unsigned int all;

		wr.num_sge = 4;
		for (unsigned int k = 0; k < 4; k++) {
			wr.sge[k] = rdma_sge(s.local, 0, 1);
			wr.sge[k].length = rows[i].len[k];
		}
		rdma_write_wqe(s.qp, &wr, rows[i].length, 2);
		rdma_ring(s.qp);
		cqe = rdma_raw_cqe(cq[0]);
		if (!says(cqe, rows[i].status))
			rdma_fail(s.r, "row %u: status %u", i,
				  (unsigned int)CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
		raw(cq[0], &all);
		if (rows[i].status)
			again(s.qp);
	}
	rdma_buf_forget(s.remote, 0, BYTES);
	bystander(&s);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- receive rings (56) */

static void receive(struct scene *s, struct rdma_cq *cq, unsigned int kind)
{
	struct rdma_buf_cfg no_write = { .len = 4096, .access = 0 };
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, s->local, 0, NULL, 0, 100);
	struct cairn_qp *rq = s->qp->peer->qp;
	struct cairn_sge sge = rdma_sge(s->remote, 8192, 100);
	unsigned int all, failed;

	if (kind == 0) /* may be read only */
		sge = rdma_sge(rdma_buf_with(s->r, 1, &no_write), 0, 100);
	else if (kind == 1)
		sge.length = 0x80000001;
	for (unsigned int i = 0; i < 2; i++) {
		memset(cairn_rq_entry(rq, rq->rq_pi), 0, rq->rq_stride * sizeof(sge));
		*cairn_rq_entry(rq, rq->rq_pi++) = sge; /* twice the same */
	}
	if (kind == 2)
		rq->rq_pi += 1u << rq->rq_log2;
	cairn_rq_ring(rq);
	rdma_write_wqe(s->qp, &wr, 100, 1);
	rdma_write_wqe(s->qp, &wr, 100, 1);
	rdma_ring(s->qp);
	rdma_run(s->r, 30000);
	failed = raw(cq, &all);
	if (kind == 3) /* harmless: two messages into one buffer */
		rdma_assert(s->r, all == 2 && !failed);
	else
		rdma_assert(s->r, failed == all && all >= 2);
	rdma_assert(s->r, (rdma_qp_state(s->qp->peer) == CAIRN_QP_STATE_ERR) == (kind < 3));
}

static void receive_rings(void **state)
{
	struct rdma_cq *cq[2];
	struct scene s = scene_raw(cq);
	unsigned int all;

	(void)state;
	for (unsigned int kind = 0; kind < 4; kind++) {
		receive(&s, cq[1], kind);
		raw(cq[0], &all);
		rdma_assert(s.r, all == 2);
		again(s.qp);
	}
	rdma_buf_forget(s.remote, 8192, 100);
	bystander(&s);
	rdma_end(s.r);
}

/*
 * The oldest entry has grown since it was sent: what would answer the rest was never asked for, so
 * it cannot be waited for.  The QP says so and ends.
 */
static void grown(void **state)
{
	struct rdma_cq *cq[2];
	struct scene s = scene_raw(cq);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0, 300);
	struct rdma_wr other = rdma_wr(CAIRN_WQE_OP_WRITE, s.near, 0, s.far, 0, 8);
	struct cairn_wqe *first;
	unsigned int all;

	(void)state;
	s.qp->cfg.timeout = 10;
	again(s.qp);
	first = cairn_sq_block(s.qp->qp, s.qp->qp->sq_pi);
	rdma_rule(s.r, "delay:800us nic1>nic0 qp=%u", s.qp->qp->qpn);
	for (unsigned int k = 0; k < 4; k++)
		rdma_write_wqe(s.qp, &wr, 300, 1);
	rdma_ring(s.qp);
	rdma_run(s.r, 500);
	/* its own are not kept on chip any more, in whichever of 16 sets of 4 x 4 blocks */
	for (unsigned int k = 0; k < 720; k++) {
		rdma_post(s.other, &other);
		rdma_ring(s.other);
		if (k % 60 == 59)
			rdma_wait(s.r);
	}
	rdma_assert(s.r, !raw(cq[0], &all) && !all);
	first->length = first->sge0_length = 1 << 20;
	rdma_run(s.r, 200000);
	rdma_assert(s.r, !raw(cq[0], &all) && !all);
	rdma_assert(s.r, rdma_events(s.r, 0, CAIRN_EQE_TYPE_QP_FATAL) == 1);
	rdma_assert(s.r, rdma_qp_state(s.qp) == CAIRN_QP_STATE_ERR);
	rdma_clear_rules(s.r);
	again(s.qp);
	rdma_buf_forget(s.local, 0, BYTES);
	rdma_buf_forget(s.remote, 0, BYTES);
	bystander(&s);
	rdma_end(s.r);
}

/* ---------------------------------------------------------------- regions taken away (63, 64) */

/* Its region has gone already. */
static void forget(struct rdma *r, struct rdma_buf *buf)
{
	struct rdma_buf **at = &r->bufs;

	while (*at != buf)
		at = &(*at)->next;
	*at = buf->next;
	free(buf->base);
	free(buf->shadow);
	free(buf);
}

/* How the region that goes is used: of nic 0 by its own requests, of nic 1 by those of nic 0. */
enum use { READ_INTO, WRITE_FROM, READ_FROM, WRITE_TO, RECEIVE_INTO, ADD_TO, USES };

/* Requests under way that use it; how many. */
static unsigned int begin_use(struct scene *s, enum use use, const struct rdma_buf *gone)
{
	static const enum cairn_wqe_op ops[USES] = { CAIRN_WQE_OP_READ, CAIRN_WQE_OP_WRITE,
						     CAIRN_WQE_OP_READ, CAIRN_WQE_OP_WRITE,
						     CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_ATOMIC_FA };
	unsigned int n = use == ADD_TO ? ADDS : 10;
	uint32_t len = use == ADD_TO ? 8 : BYTES;
	struct cairn_qp *rq = s->qp->peer->qp;
	struct rdma_wr wr = rdma_wr(ops[use], gone->nic ? s->local : gone, 0,
				    gone->nic ? gone : s->remote, 0, len);

	for (unsigned int k = 0; k < n; k++) {
		if (use == RECEIVE_INTO)
			*cairn_rq_entry(rq, rq->rq_pi++) = rdma_sge(gone, k * 4096, BYTES);
		if (use == ADD_TO)
			wr.raddr = gone->mr->va + 8 * rng_below(&s->r->rng, gone->len / 8);
		rdma_write_wqe(s->qp, &wr, len, 1);
	}
	cairn_rq_ring(rq);
	rdma_ring(s->qp);
	return n;
}

/*
 * Deregistered at a random moment of messages that use it from the net or from this side.  When
 * that has returned, the memory is nobody's: the bus has no mapping of it, so that any access is an
 * error of the monitor, and its bytes stay as they are.
 */
static void taken_away(void **state)
{
	unsigned int rounds = number("TAKEN", 18), all, cut[USES] = { 0 };
	struct rdma_cq *cq[2];
	struct scene s = scene_raw(cq);

	(void)state;
	for (unsigned int i = 0; i < rounds; i++) {
		enum use use = i % USES;
		struct rdma_buf_cfg cfg = { .len = 65536, .access = RDMA_ALL_ACCESS };
		struct rdma_buf *gone;
		unsigned int due, wrong = 0;

		if (use == ADD_TO)
			cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
		gone = rdma_buf_with(s.r, use >= READ_FROM, &cfg);
		due = begin_use(&s, use, gone);
		rdma_run(s.r, rng_below(&s.r->rng, 9000));
		rdma_ok(s.r, cairn_dereg_mr(gone->mr), "dereg");
		rdma_buf_forget(gone, 0, gone->len);
		for (unsigned int k = 0; k < 120 && due; k++, due -= all) {
			rdma_run(s.r, 500);
			wrong += raw(cq[0], &all);
		}
		rdma_assert(s.r, !due); /* each has its outcome */
		rdma_run(s.r, 8000);
		rdma_buf_check(s.r, gone);
		forget(s.r, gone);
		rdma_assert(s.r, !sim_errors(s.r->sim));
		cut[use] += wrong != 0;
		raw(cq[1], &all);
		again(s.qp);
		bystander(&s);
	}
	for (unsigned int use = 0; use < USES; use++) {
		print_message("# use %u: cut off in %u of %u rounds\n", use, cut[use],
			      (rounds + USES - 1 - use) / USES);
		rdma_assert(s.r, cut[use] || rounds < 3 * USES);
	}
	rdma_buf_forget(s.local, 0, BYTES);
	rdma_buf_forget(s.remote, 0, BYTES);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(foreign_page),   RDMA_TEST(odd_doorbells), RDMA_TEST(rung_in_reset),
		RDMA_TEST(doorbell_flood), RDMA_TEST(rewritten),     RDMA_TEST(sums),
		RDMA_TEST(receive_rings),  RDMA_TEST(taken_away),    RDMA_TEST(grown),
	};

	setenv("PCAP", "", 0); /* rewritten entries break rules on the wire too */
	return RDMA_RUN("hostile", tests);
}
