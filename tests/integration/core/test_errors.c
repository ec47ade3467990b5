// SPDX-License-Identifier: Apache-2.0
/*
 * What must fail, how, and that nothing else happens: no byte moves, later requests flush, the
 * other QPs go on.  Statuses: IBTA 9.9.2 and 9.9.3, causes: enum vendor_err.
 */
#include "rdma.h"

struct scene {
	struct rdma *r;
	struct rdma_qp *qp, *other; /* the other is a bystander */
	struct rdma_buf *local, *remote;
};

static struct scene scene(const struct rdma_qp_cfg *cfg)
{
	struct scene s = { .r = rdma_begin(NULL) };

	s.qp = rdma_pair(s.r, 0, 1, cfg);
	s.other = rdma_pair(s.r, 0, 1, NULL);
	s.local = rdma_buf(s.r, 0, 8192, 100);
	s.remote = rdma_buf(s.r, 1, 8192, 200);
	return s;
}

static struct rdma_buf *region(struct rdma *r, unsigned int nic, uint32_t access,
			       struct cairn_pd *pd)
{
	struct rdma_buf_cfg cfg = { .len = 3000, .offset = 300, .access = access, .pd = pd };

	return rdma_buf_with(r, nic, &cfg);
}

/* The bad one, with requests behind it; then both ends are flushed and the bystander
 * still works. */
static void finish(struct scene *s, struct rdma_wr *bad, enum cairn_wc_status status,
		   enum cairn_vendor_err vendor)
{
	struct rdma_wr good = rdma_wr(CAIRN_WQE_OP_WRITE, s->local, 0, s->remote, 0, 64);
	struct rdma_wr behind = good;
	uint64_t flushed = rdma_counter(s->r, 0, CAIRN_COUNTER_CQE_FLUSH);

	bad->expect = status;
	bad->vendor = vendor;
	behind.no_data = true;
	rdma_post(s->qp, &good);
	rdma_post(s->qp, bad);
	rdma_post(s->qp, &behind);
	behind.unsignaled = true;
	rdma_post(s->qp, &behind);
	rdma_ring(s->qp);
	rdma_wait(s->r);
	rdma_assert(s->r, s->qp->sq_failed);
	rdma_assert(s->r, rdma_counter(s->r, 0, CAIRN_COUNTER_CQE_FLUSH) >= flushed + 2);
	rdma_assert(s->r, rdma_qp_state(s->qp) == CAIRN_QP_STATE_ERR);
	rdma_qp_error(s->qp);
	rdma_qp_error(s->qp->peer);
	/* posted to a QP in error: flushes too */
	rdma_post(s->qp, &behind);
	rdma_ring(s->qp);
	rdma_wait(s->r);
	good = rdma_wr(CAIRN_WQE_OP_WRITE, s->local, 100, s->remote, 100, 2000);
	rdma_do(s->other, &good);
	rdma_end(s->r);
}

/* ---------------------------------------------------------------- local keys */

static void local_key(void **state)
{
	static const struct {
		uint32_t flip;
		enum cairn_vendor_err vendor;
	} cases[] = { { 1, CAIRN_VENDOR_ERR_KEY_TAG }, { 0x00300000, CAIRN_VENDOR_ERR_NONE } };

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct scene s = scene(NULL);
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 500, 100);

		wr.sge[0].lkey ^= cases[i].flip;
		finish(&s, &wr, CAIRN_WC_STATUS_LOC_PROT_ERR, cases[i].vendor);
	}
}

static void local_domain(void **state)
{
	struct scene s = scene(NULL);
	struct cairn_pd *pd;
	struct rdma_wr wr;

	(void)state;
	rdma_ok(s.r, cairn_alloc_pd(s.r->nic[0].dev, &pd), "PD");
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, region(s.r, 0, RDMA_ALL_ACCESS, pd), 0, s.remote, 0, 100);
	finish(&s, &wr, CAIRN_WC_STATUS_LOC_PROT_ERR, CAIRN_VENDOR_ERR_KEY_PD);
	cairn_dealloc_pd(pd);
}

static void local_bounds(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene s = scene(NULL);
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 500, 100);

		/* the first byte, or the last, is outside */
		wr.sge[0].addr += i ? 8192 - 99 : -1ull;
		finish(&s, &wr, CAIRN_WC_STATUS_LOC_PROT_ERR, CAIRN_VENDOR_ERR_KEY_BOUNDS);
	}
}

static void local_rights(void **state)
{
	struct scene s = scene(NULL);
	struct rdma_wr wr =
		rdma_wr(CAIRN_WQE_OP_READ, region(s.r, 0, 0, NULL), 0, s.remote, 0, 100);

	(void)state;
	finish(&s, &wr, CAIRN_WC_STATUS_LOC_PROT_ERR, CAIRN_VENDOR_ERR_KEY_RIGHTS);
}

/* ---------------------------------------------------------------- remote keys */

static void remote(enum cairn_wqe_op op, uint32_t flip, uint32_t access, bool domain, int64_t shift)
{
	struct scene s = scene(NULL);
	struct cairn_pd *pd = NULL;
	uint64_t before = rdma_counter(s.r, 1, CAIRN_COUNTER_RESP_ACCESS_ERR);
	struct rdma_wr wr;

	if (domain)
		rdma_ok(s.r, cairn_alloc_pd(s.r->nic[1].dev, &pd), "PD");
	wr = rdma_wr(op, s.local, 3000, region(s.r, 1, access, pd), 0, 2000);
	wr.rkey ^= flip;
	wr.raddr += (uint64_t)shift;
	wr.expect = CAIRN_WC_STATUS_REM_ACCESS_ERR;
	rdma_post(s.qp, &wr);
	rdma_ring(s.qp);
	rdma_wait(s.r);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RESP_ACCESS_ERR) == before + 1);
	rdma_assert(s.r, rdma_events(s.r, 1, CAIRN_EQE_TYPE_QP_ACCESS_ERR) == 1);
	rdma_qp_error(s.qp);
	rdma_qp_error(s.qp->peer);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 100, s.remote, 100, 2000);
	rdma_do(s.other, &wr);
	rdma_end(s.r);
	if (pd)
		cairn_dealloc_pd(pd);
}

static void remote_key(void **state)
{
	(void)state;
	remote(CAIRN_WQE_OP_WRITE, 1, RDMA_ALL_ACCESS, false, 0);
	remote(CAIRN_WQE_OP_READ, 0x00300000, RDMA_ALL_ACCESS, false, 0);
}

static void remote_domain(void **state)
{
	(void)state;
	remote(CAIRN_WQE_OP_WRITE, 0, RDMA_ALL_ACCESS, true, 0);
	remote(CAIRN_WQE_OP_READ, 0, RDMA_ALL_ACCESS, true, 0);
}

static void remote_rights(void **state)
{
	(void)state;
	remote(CAIRN_WQE_OP_WRITE, 0, RDMA_ALL_ACCESS & ~CAIRN_ACCESS_REMOTE_WRITE, false, 0);
	remote(CAIRN_WQE_OP_READ, 0, RDMA_ALL_ACCESS & ~CAIRN_ACCESS_REMOTE_READ, false, 0);
}

/* The whole message is judged by its RETH: not one byte of it is written. */
static void remote_bounds(void **state)
{
	(void)state;
	remote(CAIRN_WQE_OP_WRITE, 0, RDMA_ALL_ACCESS, false, 1001);
	remote(CAIRN_WQE_OP_WRITE, 0, RDMA_ALL_ACCESS, false, -1);
	remote(CAIRN_WQE_OP_READ, 0, RDMA_ALL_ACCESS, false, 1001);
	remote(CAIRN_WQE_OP_WRITE, 0, RDMA_ALL_ACCESS, false, INT64_MIN);
}

/* Rights that the QP itself lacks: NAK invalid request. */
static void qp_rights(void **state)
{
	struct rdma_qp_cfg cfg;

	(void)state;
	for (int read = 0; read < 2; read++) {
		struct scene s;
		struct rdma_wr wr;

		rdma_qp_cfg_init(&cfg);
		cfg.access = read ? CAIRN_ACCESS_REMOTE_WRITE : CAIRN_ACCESS_REMOTE_READ;
		s = scene(&cfg);
		wr = rdma_wr(read ? CAIRN_WQE_OP_READ : CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0,
			     100);
		wr.expect = CAIRN_WC_STATUS_REM_INV_REQ_ERR;
		wr.vendor = CAIRN_VENDOR_ERR_NAK_INV;
		rdma_do(s.qp, &wr);
		rdma_qp_error(s.qp);
		rdma_qp_error(s.qp->peer);
		rdma_end(s.r);
	}
}

/* ---------------------------------------------------------------- WQEs and doorbells */

static void spoil_index(struct cairn_wqe *wqe)
{
	wqe->check ^= CAIRN_PUT(CAIRN_WQE_CHECK_INDEX, 0x1234);
}

static void spoil_qpn(struct cairn_wqe *wqe)
{
	wqe->check ^= CAIRN_PUT(CAIRN_WQE_CHECK_OWNER, 1);
}

static void spoil_opcode(struct cairn_wqe *wqe)
{
	CAIRN_SET(wqe->ctrl, CAIRN_WQE_CTRL_OPCODE, 77);
}

static void spoil_length(struct cairn_wqe *wqe)
{
	wqe->length++;
}

static void spoil_count(struct cairn_wqe *wqe)
{
	CAIRN_SET(wqe->ctrl, CAIRN_WQE_CTRL_NUM_SGE, CAIRN_MAX_SGE + 1);
}

static void spoil_blocks(struct cairn_wqe *wqe)
{
	CAIRN_SET(wqe->ctrl, CAIRN_WQE_CTRL_BLOCKS, 3);
}

static void bad_wqe(void **state)
{
	static const struct {
		void (*spoil)(struct cairn_wqe *wqe);
		enum cairn_wc_status status;
		enum cairn_vendor_err vendor;
	} cases[] = {
		{ spoil_index, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_CHECK },
		{ spoil_qpn, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_CHECK },
		{ spoil_opcode, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_OPCODE },
		{ spoil_length, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
		{ spoil_count, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_SGE },
		{ spoil_blocks, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_SGE },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene s = scene(NULL);
		struct rdma_wr good = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0, 500);
		struct rdma_wr bad = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 600, 99);

		rdma_post(s.qp, &good);
		bad.spoil = cases[i].spoil;
		bad.expect = cases[i].status;
		bad.vendor = cases[i].vendor;
		rdma_do(s.qp, &bad);
		rdma_qp_error(s.qp);
		rdma_qp_error(s.qp->peer);
		good = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 100, s.remote, 1000, 2000);
		rdma_do(s.other, &good);
		rdma_end(s.r);
	}
}

/* A doorbell for more than the ring holds: the QP fails, the device does not. */
static void doorbell_beyond_ring(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp, *other;
	const struct cairn_cqe *cqe;
	struct rdma_buf *src = rdma_buf(r, 0, 100, 0), *dst = rdma_buf(r, 1, 100, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 100);

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.send_cq = rdma_create_cq(r, 0, 512);
	qp = rdma_pair(r, 0, 0, &cfg);
	other = rdma_pair(r, 0, 1, NULL);
	cairn_db_ring(qp->qp->db, CAIRN_DB_SQ,
		      cairn_db_word(qp->qp->qpn, (1u << qp->qp->sq_log2) + 5));
	cqe = rdma_raw_cqe(cfg.send_cq);
	rdma_assert(r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) ==
			       CAIRN_WC_STATUS_LOC_QP_OP_ERR);
	rdma_assert(r, CAIRN_GET(cqe->src, CAIRN_CQE_SRC_VENDOR_ERR) == CAIRN_VENDOR_ERR_WQE_INDEX);
	rdma_settle(r, 100000);
	while ((cqe = cairn_cq_next(cfg.send_cq->cq))) {
		cairn_cq_consume(cfg.send_cq->cq);
		cairn_cq_update(cfg.send_cq->cq);
	}
	rdma_assert(r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	rdma_do(other, &wr);
	rdma_end(r);
}

/* Doorbells that the table refuses: wrong page, index behind. */
static void refused_doorbells(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 100, 0), *dst = rdma_buf(r, 1, 100, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 100);
	uint64_t page = rdma_counter(r, 0, CAIRN_COUNTER_DB_BAD_PAGE);
	uint64_t index = rdma_counter(r, 0, CAIRN_COUNTER_DB_BAD_INDEX);
	struct cairn_db *db;

	(void)state;
	rdma_ok(r, cairn_alloc_db(r->nic[0].dev, &db), "doorbell page");
	cairn_db_ring(db, CAIRN_DB_SQ, cairn_db_word(qp->qp->qpn, 1));
	cairn_db_ring(qp->qp->db, CAIRN_DB_SQ, cairn_db_word(qp->qp->qpn, 0xffff));
	rdma_run(r, 2000);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_DB_BAD_PAGE) == page + 1);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_DB_BAD_INDEX) == index + 1);
	rdma_do(qp, &wr);
	cairn_free_db(r->nic[0].dev, db);
	rdma_end(r);
}

static void bus_mastering(struct rdma *r, unsigned int nic, bool on)
{
	uint16_t command;

	rdma_ok(r, sim_nic_cfg_read(r->nic[nic].sim, 4, &command, 2), "command register");
	command = (uint16_t)(on ? command | 4 : command & ~4);
	rdma_ok(r, sim_nic_cfg_write(r->nic[nic].sim, 4, &command, 2), "command register");
}

/* Without bus mastering a NIC sends no write, and says so; nothing hangs. */
static void bus_master_off(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *src = rdma_buf(r, 0, 3000, 0), *dst = rdma_buf(r, 1, 3000, 0);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 3000);
	uint64_t dropped = rdma_counter(r, 1, CAIRN_COUNTER_DMA_WR_DROPPED);

	(void)state;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_DMA_WR_DROPPED) == dropped);
	bus_mastering(r, 1, false);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 1000, dst, 0, 2000);
	wr.no_data = true;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_DMA_WR_DROPPED) > dropped);
	bus_mastering(r, 1, true);
	dropped = rdma_counter(r, 1, CAIRN_COUNTER_DMA_WR_DROPPED);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, 3000);
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_counter(r, 1, CAIRN_COUNTER_DMA_WR_DROPPED) == dropped);
	rdma_end(r);
}

/* ---------------------------------------------------------------- receives */

static void receive(uint32_t room, bool bad_key, enum cairn_wc_status mine,
		    enum cairn_wc_status theirs)
{
	struct scene s = scene(NULL);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, s.local, 0, NULL, 0, 100);
	struct cairn_sge sge = rdma_sge(s.remote, 0, room);

	sge.lkey ^= bad_key;
	rdma_post_recv_expect(s.qp->peer, &sge, 1, mine, CAIRN_VENDOR_ERR_NONE);
	rdma_post_recv(s.qp->peer, &sge, 1); /* flushes */
	rdma_ring_recv(s.qp->peer);
	wr.expect = theirs;
	rdma_do(s.qp, &wr);
	rdma_qp_error(s.qp);
	rdma_qp_error(s.qp->peer);
	rdma_wait(s.r);
	rdma_end(s.r);
}

static void bad_receives(void **state)
{
	(void)state;
	receive(99, false, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_WC_STATUS_REM_INV_REQ_ERR);
	receive(100, true, CAIRN_WC_STATUS_LOC_PROT_ERR, CAIRN_WC_STATUS_REM_OP_ERR);
}

static void rnr_exhausted(void **state)
{
	struct rdma_qp_cfg cfg;
	struct scene s;
	struct rdma_wr wr;
	uint64_t naks;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.rnr_retry = 2;
	s = scene(&cfg);
	naks = rdma_counter(s.r, 1, CAIRN_COUNTER_RNR_NAK_SENT);
	wr = rdma_wr(CAIRN_WQE_OP_SEND, s.local, 0, NULL, 0, 100);
	wr.expect = CAIRN_WC_STATUS_RNR_RETRY_EXC_ERR;
	wr.vendor = CAIRN_VENDOR_ERR_RNR;
	rdma_do(s.qp, &wr);
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RNR_NAK_SENT) == naks + 3);
	rdma_qp_error(s.qp);
	rdma_end(s.r);
}

/* The peer is gone: first transmission and retry_cnt more, then an error. */
static void retries_exhausted(void **state)
{
	struct rdma_qp_cfg cfg;
	struct scene s;
	struct rdma_wr wr;
	uint64_t timeouts;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.retry_cnt = 3;
	s = scene(&cfg);
	timeouts = rdma_counter(s.r, 0, CAIRN_COUNTER_ACK_TIMEOUT);
	rdma_rule(s.r, "drop nic0>nic1 qp=%u", s.qp->peer->qp->qpn);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, s.remote, 0, 100);
	wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
	wr.vendor = CAIRN_VENDOR_ERR_TIMEOUT;
	rdma_do(s.qp, &wr);
	rdma_assert(s.r, sim_wire_rule_hits(sim_wire(s.r->sim), 0) == 4);
	rdma_assert(s.r, rdma_counter(s.r, 0, CAIRN_COUNTER_ACK_TIMEOUT) == timeouts + 4);
	rdma_qp_error(s.qp);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 100, s.remote, 100, 100);
	rdma_do(s.other, &wr);
	rdma_end(s.r);
}

/* Moved to ERR by hand with work in both queues; then back to life. */
static void flush_and_reset(void **state)
{
	struct scene s = scene(NULL);
	struct cairn_sge sge = rdma_sge(s.remote, 4000, 100);
	struct rdma_qp *end[2] = { s.qp, s.qp->peer };
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, s.local, 0, NULL, 0, 64);

	(void)state;
	for (int i = 0; i < 20; i++)
		rdma_post_recv(s.qp->peer, &sge, 1);
	rdma_ring_recv(s.qp->peer);
	rdma_qp_error(s.qp->peer);
	rdma_qp_error(s.qp);
	wr.no_data = true;
	for (int i = 0; i < 20; i++)
		rdma_post(s.qp, &wr);
	rdma_ring(s.qp);
	rdma_wait(s.r);
	for (int i = 0; i < 2; i++) {
		rdma_reset_qp(end[i]);
		end[i]->moved = end[i]->sq_failed = end[i]->rq_failed = false;
	}
	rdma_connect(end[0], end[1]);
	wr = rdma_wr(CAIRN_WQE_OP_SEND, s.local, 0, NULL, 0, 64);
	rdma_post_recv(s.qp->peer, &sge, 1);
	rdma_ring_recv(s.qp->peer);
	rdma_do(s.qp, &wr);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(local_key),
		RDMA_TEST(local_domain),
		RDMA_TEST(local_bounds),
		RDMA_TEST(local_rights),
		RDMA_TEST(remote_key),
		RDMA_TEST(remote_domain),
		RDMA_TEST(remote_rights),
		RDMA_TEST(remote_bounds),
		RDMA_TEST(qp_rights),
		RDMA_TEST(bad_wqe),
		RDMA_TEST(doorbell_beyond_ring),
		RDMA_TEST(refused_doorbells),
		RDMA_TEST(bus_master_off),
		RDMA_TEST(bad_receives),
		RDMA_TEST(rnr_exhausted),
		RDMA_TEST(retries_exhausted),
		RDMA_TEST(flush_and_reset),
	};

	return RDMA_RUN("errors", tests);
}
