// SPDX-License-Identifier: Apache-2.0
/* PDs, CQs, SRQs, QPs, AHs and doorbell pages: what the device is told, sizes, use counts, numbers
 * that rest. */
#include "object_test.h"

static struct cairn_qp_init qp_init(void)
{
	return (struct cairn_qp_init){
		.type = CAIRN_QP_TYPE_RC,
		.send_cq = cq,
		.recv_cq = cq,
		.max_send_wr = 16,
		.max_recv_wr = 16,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.qpn = CAIRN_ANY,
	};
}

static void pds(void **state)
{
	struct cairn_pd *many[1024];
	int n = 0;

	(void)state;
	assert_in_range(pd->pdn, 1, 1023);
	while (!cairn_alloc_pd(dev, &many[n]))
		n++;
	assert_int_equal(n, 1022); /* 1 to 1023, less the one of object_setup() */
	assert_message("all 1023 protection domains");
	while (n)
		assert_int_equal(cairn_dealloc_pd(many[--n]), 0);
}

static void cq_sizes(void **state)
{
	static const struct {
		unsigned int depth, log2;
	} expect[] = {
		{ 1, 9 },     { 256, 9 },    { 257, 10 },	{ 512, 10 },
		{ 5000, 14 }, { 16384, 15 }, { 32768, 15 },
	};
	struct cairn_cq *other;

	(void)state;
	for (size_t i = 0; i < sizeof(expect) / sizeof(*expect); i++) {
		assert_int_equal(cairn_create_cq(dev, expect[i].depth, 2, NULL, NULL, &other), 0);
		assert_int_equal(other->log2, expect[i].log2);
		assert_int_equal(fakes[0].cqs[other->cqn].attr.log2, expect[i].log2);
		assert_int_equal(fakes[0].cqs[other->cqn].attr.eqn, 3);
		assert_int_equal(cairn_destroy_cq(other), 0);
	}
	assert_int_equal(cairn_create_cq(dev, 0, 0, NULL, NULL, &other), -EINVAL);
	assert_int_equal(cairn_create_cq(dev, 32769, 0, NULL, NULL, &other), -EINVAL);
	assert_int_equal(cairn_create_cq(dev, 1, 3, NULL, NULL, &other), -EINVAL);
	assert_message("completion vector 3");
	assert_int_equal(cairn_create_cq(dev, 1, CAIRN_ANY, NULL, NULL, &other), 0);
	assert_int_equal(fakes[0].cqs[other->cqn].attr.eqn, CAIRN_NO_NUMBER);
	assert_int_equal(cairn_destroy_cq(other), 0);
}

static void cq_query_and_moderation(void **state)
{
	struct cairn_cq_ctx ctx;

	(void)state;
	fake_cqe(&fakes[0], cq->cqn, 1);
	assert_int_equal(cairn_query_cq(cq, &ctx), 0);
	assert_int_equal(ctx.pi, 1);
	assert_int_equal(cairn_modify_cq(cq, 10, 20), 0);
	assert_int_equal(fakes[0].last_cmd.arg0, 10);
	assert_int_equal(fakes[0].last_cmd.arg1, 20);
	assert_int_equal(cairn_modify_cq(cq, 65536, 0), -EINVAL);
}

/* More CQs than there are numbers; afterwards the numbers come back. */
static void cqs_run_out(void **state)
{
	struct cairn_cq *many[200];
	int n = 0;

	(void)state;
	while (!cairn_create_cq(dev, 1, CAIRN_ANY, NULL, NULL, &many[n]))
		n++;
	assert_int_equal(n, 127);
	assert_message("all 128 CQs are in use");
	while (n)
		assert_int_equal(cairn_destroy_cq(many[--n]), 0);
	assert_int_equal(cairn_create_cq(dev, 1, 0, NULL, NULL, &many[0]), 0);
	assert_int_equal(cairn_destroy_cq(many[0]), 0);
}

/* Resize in the middle of things: unread entries stay readable in order, new ones follow, at all
 * positions. */
static void cq_resize(void **state)
{
	struct rng rng = { test_seed() };
	uint32_t written = 0, polled = 0;

	(void)state;
	for (int round = 0; round < 60; round++) {
		uint32_t unread = (uint32_t)rng_below(&rng, 500);
		unsigned int depth = 1u << rng_range(&rng, 4, 12);

		while (written - polled < unread) {
			fake_cqe(&fakes[0], cq->cqn, 77);
			written++;
		}
		assert_int_equal(cairn_resize_cq(cq, depth), 0);
		for (uint32_t extra = (uint32_t)rng_below(&rng, 10); extra; extra--) {
			fake_cqe(&fakes[0], cq->cqn, 77);
			written++;
		}
		for (uint32_t n = rng_percent(&rng, 50)
					  ? written - polled
					  : (uint32_t)rng_range(&rng, 0, written - polled);
		     n; n--) {
			const struct cairn_cqe *cqe = cairn_cq_next(cq);

			assert_non_null(cqe);
			assert_int_equal(cqe->byte_len, polled); /* fake_cqe() numbers them */
			cairn_cq_consume(cq);
			polled++;
		}
		if (polled == written)
			assert_null(cairn_cq_next(cq));
		cairn_cq_update(cq);
	}
	while (polled != written) {
		assert_non_null(cairn_cq_next(cq));
		assert_int_equal(cairn_cq_next(cq)->byte_len, polled++);
		cairn_cq_consume(cq);
	}
	assert_null(cairn_cq_next(cq));
	/* What is unread has to fit. */
	cairn_cq_update(cq);
	assert_int_equal(cairn_resize_cq(cq, 1000), 0);
	for (int i = 0; i < 600; i++)
		fake_cqe(&fakes[0], cq->cqn, 1);
	assert_int_equal(cairn_resize_cq(cq, 10), -EINVAL);
	for (int i = 0; i < 600; i++) {
		assert_non_null(cairn_cq_next(cq));
		cairn_cq_consume(cq);
	}
	assert_null(cairn_cq_next(cq));
	assert_int_equal(cairn_resize_cq(cq, 0), -EINVAL);
}

static void srqs(void **state)
{
	struct cairn_srq_init init = { .max_wr = 100, .max_sge = 3 };
	struct cairn_srq *srq;
	unsigned int limit, left;
	struct fake_srq *seen;

	(void)state;
	assert_int_equal(cairn_create_srq(pd, &init, &srq), 0);
	assert_int_equal(init.max_wr, 128);
	assert_int_equal(init.max_sge, 4);
	seen = &fakes[0].srqs[srq->srqn];
	assert_ptr_equal(fake_mem(&fakes[0], seen->arg[0], 128 * 64, CAIRN_DMA_READ), srq->slots);
	assert_ptr_equal(fake_mem(&fakes[0], seen->arg[1], 128 * 4, CAIRN_DMA_READ), srq->ring);
	assert_int_equal(seen->arg[2], 7);
	assert_int_equal(seen->arg[3], 4);
	assert_int_equal(seen->arg[4], pd->pdn);
	assert_int_equal(cairn_modify_srq(srq, 5), 0);
	assert_int_equal(cairn_query_srq(srq, &limit, &left), 0);
	assert_int_equal(limit, 5);
	assert_int_equal(cairn_modify_srq(srq, 129), -EINVAL);
	assert_int_equal(cairn_dealloc_pd(pd), -EBUSY);
	assert_int_equal(cairn_destroy_srq(srq), 0);
	init = (struct cairn_srq_init){ .max_wr = 0, .max_sge = 1 };
	assert_int_equal(cairn_create_srq(pd, &init, &srq), -EINVAL);
	init = (struct cairn_srq_init){ .max_wr = 32769, .max_sge = 1 };
	assert_int_equal(cairn_create_srq(pd, &init, &srq), -EINVAL);
	init = (struct cairn_srq_init){ .max_wr = 1, .max_sge = 17 };
	assert_int_equal(cairn_create_srq(pd, &init, &srq), -EINVAL);
}

static void wqe_blocks(void **state)
{
	static const struct {
		enum cairn_qp_type type;
		unsigned int sge, bytes, blocks;
	} expect[] = {
		{ CAIRN_QP_TYPE_RC, 0, 0, 1 },	 { CAIRN_QP_TYPE_RC, 1, 0, 1 },
		{ CAIRN_QP_TYPE_RC, 2, 32, 1 },	 { CAIRN_QP_TYPE_RC, 3, 0, 2 },
		{ CAIRN_QP_TYPE_UC, 6, 0, 2 },	 { CAIRN_QP_TYPE_RC, 7, 0, 3 },
		{ CAIRN_QP_TYPE_RC, 16, 0, 5 },	 { CAIRN_QP_TYPE_RC, 1, 33, 2 },
		{ CAIRN_QP_TYPE_RC, 1, 96, 2 },	 { CAIRN_QP_TYPE_RC, 1, 97, 3 },
		{ CAIRN_QP_TYPE_RC, 1, 224, 4 }, { CAIRN_QP_TYPE_UD, 0, 0, 1 },
		{ CAIRN_QP_TYPE_UD, 1, 0, 2 },	 { CAIRN_QP_TYPE_UD, 4, 64, 2 },
		{ CAIRN_QP_TYPE_UD, 5, 0, 3 },	 { CAIRN_QP_TYPE_UD, 16, 0, 5 },
		{ CAIRN_QP_TYPE_UD, 1, 224, 5 }, { CAIRN_QP_TYPE_GSI, 1, 65, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expect) / sizeof(*expect); i++)
		assert_int_equal(cairn_wqe_blocks(expect[i].type, expect[i].sge, expect[i].bytes),
				 expect[i].blocks);
}

static void qp_sizes(void **state)
{
	struct cairn_qp_init init = qp_init();
	struct cairn_qp *qp;
	struct cairn_qp_create *seen;

	(void)state;
	init.max_send_sge = 5; /* 2 blocks */
	init.max_send_wr = 100;
	init.max_recv_wr = 50;
	init.max_recv_sge = 3;
	init.user = &init;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(qp->sq_log2, 8);
	assert_int_equal(init.max_send_wr, 128);
	assert_int_equal(init.max_recv_wr, 64);
	assert_int_equal(init.max_recv_sge, 4);
	assert_ptr_equal(qp->user, &init);
	seen = &fakes[0].qps[qp->qpn].create;
	assert_true(fakes[0].qps[qp->qpn].live);
	assert_in_range(qp->qpn, 2, 255);
	assert_int_equal(seen->type, CAIRN_QP_TYPE_RC);
	assert_int_equal(seen->pd, pd->pdn);
	assert_int_equal(seen->sq_cqn, cq->cqn);
	assert_int_equal(seen->rq_cqn, cq->cqn);
	assert_int_equal(seen->srqn, CAIRN_NO_NUMBER);
	assert_int_equal(seen->db_page, qp->db->page);
	assert_int_not_equal(seen->db_page, 0);
	assert_ptr_equal(fake_mem(&fakes[0], seen->sq_base, 256 * 64, CAIRN_DMA_READ), qp->sq);
	assert_ptr_equal(fake_mem(&fakes[0], seen->rq_base, 64 * 64, CAIRN_DMA_READ), qp->rq);
	assert_int_equal(seen->rq_log2, 6);
	assert_int_equal(seen->rq_stride, 4);
	assert_int_equal(cairn_destroy_cq(cq), -EBUSY);
	assert_message("QPs");
	assert_int_equal(cairn_dealloc_pd(pd), -EBUSY);
	assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
	/* Nothing asked for: the smallest rings; no receive queue at all. */
	init = qp_init();
	init.max_send_wr = init.max_recv_wr = init.max_send_sge = init.max_recv_sge = 0;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(qp->sq_log2, 2);
	assert_int_equal(init.max_recv_wr, 0);
	assert_int_equal(fakes[0].qps[qp->qpn].create.rq_base, 0);
	assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
	/* The largest. */
	init = qp_init();
	init.max_send_wr = init.max_recv_wr = 32768;
	init.max_recv_sge = 16;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(qp->sq_log2, 15);
	assert_int_equal(qp->rq_log2, 15);
	assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
}

static void qp_refused(void **state)
{
	struct cairn_qp_init good = qp_init(), init;
	struct cairn_qp *qp;

	(void)state;
#define REFUSED(field, value, part)                                         \
	do {                                                                \
		init = good;                                                \
		init.field = value;                                         \
		assert_int_equal(cairn_create_qp(pd, &init, &qp), -EINVAL); \
		assert_message(part);                                       \
	} while (0)
	REFUSED(send_cq, NULL, "needs");
	REFUSED(recv_cq, NULL, "needs");
	REFUSED(max_send_sge, 17, "at most 16");
	REFUSED(max_recv_sge, 17, "at most 16");
	REFUSED(max_inline, 225, "at most 224");
	REFUSED(max_send_wr, 32769, "at most 32768");
	REFUSED(max_recv_wr, 32769, "at most 32768");
	REFUSED(qpn, 1, "QPN 1");
	REFUSED(qpn, 256, "QPN 256");
	good.max_send_sge = 16;
	REFUSED(max_send_wr, 10000, "do not fit");
#undef REFUSED
	/* What the device refuses leaves init alone. */
	init = qp_init();
	init.max_send_wr = 3;
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_NOT_SUPPORTED;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), -EOPNOTSUPP);
	assert_int_equal(init.max_send_wr, 3);
}

static void qp_numbers(void **state)
{
	struct cairn_qp_init init = qp_init();
	struct cairn_qp *a, *b;
	uint32_t freed[40];

	(void)state;
	init.qpn = 99;
	assert_int_equal(cairn_create_qp(pd, &init, &a), 0);
	assert_int_equal(a->qpn, 99);
	assert_int_equal(cairn_create_qp(pd, &init, &b), -EBUSY);
	assert_message("QPN 99 is in use");
	assert_int_equal(cairn_destroy_qp(a, NULL), 0);
	init = qp_init();
	init.type = CAIRN_QP_TYPE_GSI;
	assert_int_equal(cairn_create_qp(pd, &init, &a), 0);
	assert_int_equal(a->qpn, 1);
	assert_int_equal(cairn_create_qp(pd, &init, &b), -EBUSY);
	assert_int_equal(cairn_destroy_qp(a, NULL), 0);
	/* Freed numbers rest. */
	init = qp_init();
	for (int i = 0; i < 40; i++) {
		assert_int_equal(cairn_create_qp(pd, &init, &a), 0);
		freed[i] = a->qpn;
		for (int k = 0; k < i; k++)
			assert_int_not_equal(freed[k], a->qpn);
		assert_int_equal(cairn_destroy_qp(a, NULL), 0);
	}
}

static void qp_counters(void **state)
{
	struct cairn_qp_init init = qp_init();
	struct cairn_dev_caps caps;
	struct cairn_qp *qp;
	uint64_t value;

	(void)state;
	init.qpn = 99;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(cairn_read_qp_counter(qp, CAIRN_COUNTER_OUT_OF_SEQUENCE, &value), 0);
	assert_int_equal(value, 99000 + CAIRN_COUNTER_OUT_OF_SEQUENCE);
	assert_int_equal(cairn_read_qp_counter(qp, CAIRN_COUNTER_RX_PACKETS, &value), -EINVAL);
	assert_message("QPs do not have it");
	assert_int_equal(cairn_read_qp_counter(qp, CAIRN_COUNTERS, &value), -EINVAL);
	assert_int_equal(cairn_query_device(qp->dev, &caps), 0);
	qp->dev->caps.features &= ~(uint32_t)CAIRN_REG_FEATURES_QP_COUNTERS;
	assert_int_equal(cairn_read_qp_counter(qp, CAIRN_COUNTER_OUT_OF_SEQUENCE, &value),
			 -EOPNOTSUPP);
	qp->dev->caps.features = caps.features;
	assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
}

static void qp_states(void **state)
{
	struct cairn_qp_init init = qp_init();
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_INIT, .port = 1 }, back;
	struct cairn_qp *qp;
	uint32_t slot = 0;

	(void)state;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_PORT), 0);
	assert_int_equal(qp->state, CAIRN_QP_STATE_INIT);
	assert_int_equal(fakes[0].qps[qp->qpn].mask, CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_PORT);
	attr.dest_qpn = 1234;
	memset(attr.dgid, 0xa5, sizeof(attr.dgid));
	attr.state = CAIRN_QP_STATE_RTR;
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_DEST_QPN),
			 0);
	assert_int_equal(cairn_query_qp(qp, &back), 0);
	assert_memory_equal(&attr, &back, sizeof(attr));
	/* A refused move leaves the state; one without STATE too. */
	attr.state = 99;
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE), -EINVAL);
	assert_message("word 0 of the attributes");
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_QKEY), 0);
	assert_int_equal(qp->state, CAIRN_QP_STATE_RTR);
	/* RESET: rings and indices are as new. */
	memset(qp->mem.va, 0xff, qp->mem.len);
	qp->sq_pi = 7;
	qp->rq_pi = 8;
	attr.state = CAIRN_QP_STATE_RESET;
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE), 0);
	assert_int_equal(qp->sq_pi | qp->rq_pi, 0);
	for (size_t i = 0; i < qp->mem.len; i++)
		assert_int_equal(((uint8_t *)qp->mem.va)[i], 0);
	assert_int_equal(qp->held_slot, CAIRN_ANY);
	attr.state = CAIRN_QP_STATE_RTS;
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE), -EINVAL);
	assert_message("missing attributes: SQ_PSN; not allowed: nothing");
	assert_int_equal(cairn_destroy_qp(qp, &slot), 0);
	assert_int_equal(slot, CAIRN_ANY);
}

static void qp_with_srq(void **state)
{
	struct cairn_srq_init srq_init = { .max_wr = 16, .max_sge = 1 };
	struct cairn_qp_init init = qp_init();
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_RESET };
	struct cairn_srq *srq;
	struct cairn_qp *qp;
	uint32_t slot;

	(void)state;
	assert_int_equal(cairn_create_srq(pd, &srq_init, &srq), 0);
	init.srq = srq;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(qp->rq_stride, 0);
	assert_int_equal(init.max_recv_wr, 0);
	assert_int_equal(fakes[0].qps[qp->qpn].create.srqn, srq->srqn);
	assert_int_equal(cairn_destroy_srq(srq), -EBUSY);
	assert_int_equal(cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE), 0);
	assert_int_equal(qp->held_slot, 5);
	assert_int_equal(cairn_destroy_qp(qp, &slot), 0);
	assert_int_equal(slot, 7);
	assert_int_equal(cairn_destroy_srq(srq), 0);
}

/* Between the two steps the device knows the QP no more, but all that was its is still in use. */
static void qp_stopped(void **state)
{
	struct cairn_srq_init srq_init = { .max_wr = 16, .max_sge = 1 };
	struct cairn_qp_init init = qp_init(), same = qp_init();
	struct cairn_cq *own;
	struct cairn_srq *srq;
	struct cairn_qp *qp, *next;
	uint32_t slot;

	(void)state;
	assert_int_equal(cairn_create_cq(dev, 10, CAIRN_ANY, NULL, NULL, &own), 0);
	assert_int_equal(cairn_create_srq(pd, &srq_init, &srq), 0);
	init.recv_cq = own;
	init.srq = srq;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	same.qpn = qp->qpn;
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_BAD_STATE;
	assert_int_equal(cairn_stop_qp(qp, &slot), -EINVAL);
	assert_true(fakes[0].qps[qp->qpn].live);
	assert_int_equal(cairn_stop_qp(qp, &slot), 0);
	assert_int_equal(slot, 7);
	assert_false(fakes[0].qps[qp->qpn].live);
	assert_int_equal(cairn_create_qp(pd, &same, &next), -EBUSY);
	assert_int_equal(cairn_destroy_cq(own), -EBUSY);
	assert_int_equal(cairn_destroy_srq(srq), -EBUSY);
	cairn_release_qp(qp);
	assert_int_equal(cairn_create_qp(pd, &same, &next), 0);
	assert_int_equal(cairn_destroy_qp(next, NULL), 0);
	assert_int_equal(cairn_destroy_cq(own), 0);
	assert_int_equal(cairn_destroy_srq(srq), 0);
}

static void multicast(void **state)
{
	static const uint8_t gid[16] = { 0xff, 0x0e };
	struct cairn_qp_init init = qp_init();
	struct cairn_qp *qp;

	(void)state;
	init.type = CAIRN_QP_TYPE_UD;
	assert_int_equal(cairn_create_qp(pd, &init, &qp), 0);
	assert_int_equal(cairn_attach_mcast(qp, gid), 0);
	assert_int_equal(fakes[0].last_cmd.arg0, 0x0eff);
	assert_int_equal(cairn_attach_mcast(qp, gid), -EINVAL);
	assert_int_equal(cairn_detach_mcast(qp, gid), 0);
	fakes[0].caps.max_mcast_grp = 0;
	assert_int_equal(cairn_attach_mcast(qp, gid), -EOPNOTSUPP);
	assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
}

static void address_handles(void **state)
{
	struct cairn_ah_attr attr = {
		.dgid = { [10] = 0xff, 0xff, 10, 0, 0, 2 },
		.flow_label = 0xabcde,
		.tclass = 106,
		.sl = 3,
	};
	struct cairn_ah *ah;
	unsigned int commands;

	(void)state;
	assert_int_equal(cairn_create_ah(pd, &attr, &ah), 0);
	assert_int_equal(CAIRN_GET(ah->av.dmac_sport, CAIRN_WQE_UD_DMAC_SPORT_DMAC),
			 0x02000a000002);
	/* 0xabcde: low 14 bits 0x3cde, high 6 bits 0x2a */
	assert_int_equal(CAIRN_GET(ah->av.dmac_sport, CAIRN_WQE_UD_DMAC_SPORT_SPORT),
			 0xc000 | (0x3cde ^ 0x2a));
	assert_memory_equal(ah->av.dgid, attr.dgid, 16);
	assert_int_equal(CAIRN_GET(ah->av.flow_tclass, CAIRN_WQE_UD_FLOW_TCLASS_FLOW), 0xabcde);
	assert_int_equal(CAIRN_GET(ah->av.flow_tclass, CAIRN_WQE_UD_FLOW_TCLASS_TCLASS), 106);
	assert_int_equal(CAIRN_GET(ah->av.hop_sl, CAIRN_WQE_UD_HOP_SL_HOP_LIMIT), 64);
	assert_int_equal(CAIRN_GET(ah->av.hop_sl, CAIRN_WQE_UD_HOP_SL_SL), 3);
	assert_int_equal(CAIRN_GET(ah->av.dqpn_sgid, CAIRN_WQE_UD_DQPN_SGID_SGID_INDEX), 0);
	assert_int_equal(ah->av.ctrl | ah->av.qkey | ah->av.check, 0);
	assert_int_equal(cairn_dealloc_pd(pd), -EBUSY);
	assert_int_equal(cairn_destroy_ah(ah), 0);
	/* All given: nobody is asked. */
	attr.dmac = 0x0102030405;
	attr.sport = 50000;
	attr.hop_limit = 1;
	commands = fakes[0].commands;
	assert_int_equal(cairn_create_ah(pd, &attr, &ah), 0);
	assert_int_equal(fakes[0].commands, commands);
	assert_int_equal(ah->av.dmac_sport, 50000ull << 48 | 0x0102030405);
	assert_int_equal(cairn_destroy_ah(ah), 0);
	attr.sgid_index = 3;
	assert_int_equal(cairn_create_ah(pd, &attr, &ah), -EINVAL);
	assert_message("source index 3");
	attr.sgid_index = 0;
	attr.tclass = 256;
	assert_int_equal(cairn_create_ah(pd, &attr, &ah), -EINVAL);
	attr.tclass = 0;
	attr.dmac = 0;
	attr.dgid[12] = 9;
	assert_int_equal(cairn_create_ah(pd, &attr, &ah), -ETIMEDOUT);
	assert_message("nobody on the network");
	assert_int_equal(cairn_flow_to_sport(0), 0xc000);
}

static void doorbell_pages(void **state)
{
	struct cairn_db *pages[16];
	struct cairn_cq *own;
	int n = 0;

	(void)state;
	while (!cairn_alloc_db(dev, &pages[n]))
		n++;
	assert_int_equal(n, 14); /* 16, less the driver's and the shared one */
	for (int i = 0; i < n; i++) {
		assert_int_not_equal(pages[i]->page, 0);
		assert_int_equal(pages[i]->offset, pages[i]->page * CAIRN_DB_PAGE_BYTES);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(pages[i]->page, pages[k]->page);
	}
	assert_int_equal(cairn_create_cq(dev, 1, 0, pages[3], NULL, &own), 0);
	assert_int_equal(fakes[0].cqs[own->cqn].attr.db_page, pages[3]->page);
	cairn_cq_arm(own, false);
	assert_int_equal(fakes[0].last_db_offset, pages[3]->offset + CAIRN_DB_CQ_ARM);
	assert_int_equal(cairn_destroy_cq(own), 0);
	while (n)
		cairn_free_db(dev, pages[--n]);
	cairn_free_db(dev, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OBJECT_TEST(pds),
		OBJECT_TEST(cq_sizes),
		OBJECT_TEST(cq_query_and_moderation),
		OBJECT_TEST(cqs_run_out),
		OBJECT_TEST(cq_resize),
		OBJECT_TEST(srqs),
		cmocka_unit_test(wqe_blocks),
		OBJECT_TEST(qp_sizes),
		OBJECT_TEST(qp_refused),
		OBJECT_TEST(qp_numbers),
		OBJECT_TEST(qp_counters),
		OBJECT_TEST(qp_states),
		OBJECT_TEST(qp_with_srq),
		OBJECT_TEST(qp_stopped),
		OBJECT_TEST(multicast),
		OBJECT_TEST(address_handles),
		OBJECT_TEST(doorbell_pages),
	};

	return cmocka_run_group_tests_name("objects", tests, NULL, NULL);
}
