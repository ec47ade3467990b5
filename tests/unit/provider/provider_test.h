/* SPDX-License-Identifier: Apache-2.0 */
/* What the provider's tests share: a verbs context on the software device, an RC QP in RTS, and
 * completions written as the device writes them. */
#ifndef PROVIDER_TEST_H
#define PROVIDER_TEST_H

#include <poll.h>

#include "driver_test.h"
#include "provider.h"

#ifndef BENCH_ADDR
#define BENCH_ADDR "fake:0"
#endif

struct bench {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct qp *qp;
	uint32_t pi; /* of the CQ, as the device counts */
};

/* Not by several threads the first time. */
static inline struct nic *bench_nic(void)
{
	static struct nic *nic;

	if (!nic)
		nic = nic_add(BENCH_ADDR, "cairn_7", "/nonexistent/cairn_7");
	return nic;
}

static inline struct ibv_context *bench_context(void)
{
	return ibv_open_device(&bench_nic()->ibv);
}

static inline int bench_to_rts(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = PORT };
	int err = ibv_modify_qp(
		qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);

	attr.qp_state = IBV_QPS_RTR;
	attr.path_mtu = IBV_MTU_1024;
	attr.ah_attr.is_global = 1;
	attr.ah_attr.grh.dgid.raw[15] = 9;
	if (!err)
		err = ibv_modify_qp(qp, &attr,
				    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
					    IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
					    IBV_QP_MIN_RNR_TIMER);
	attr.qp_state = IBV_QPS_RTS;
	if (!err)
		err = ibv_modify_qp(qp, &attr,
				    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
					    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
					    IBV_QP_MAX_QP_RD_ATOMIC);
	return err;
}

/* All operations of the extended API, 16 requests of up to 6 elements or 60 inline bytes. */
static inline struct qp *bench_qp(struct bench *b, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = b->cq,
		.recv_cq = b->cq,
		.srq = srq,
		.cap = { 16, 16, 6, 3, 60 },
		.qp_type = IBV_QPT_RC,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = b->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_WRITE,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(b->ctx, &init);

	if (qp && bench_to_rts(qp))
		return NULL;
	return (struct qp *)qp;
}

static inline int bench_objects(struct bench *b)
{
	b->pd = ibv_alloc_pd(b->ctx);
	b->cq = ibv_create_cq(b->ctx, 100, NULL, NULL, 0);
	b->qp = b->pd && b->cq ? bench_qp(b, NULL) : NULL;
	return b->qp ? 0 : -1;
}

static inline int bench_setup(void **state)
{
	static struct bench b;

	test_setup(state);
	b = (struct bench){ .ctx = bench_context() };
	if (!b.ctx)
		return -1;
	*state = &b;
	return bench_objects(&b);
}

static inline int bench_teardown(void **state)
{
	struct bench *b = *state;

	if (ibv_destroy_qp(&b->qp->ibv) || ibv_destroy_cq(b->cq) || ibv_dealloc_pd(b->pd) ||
	    ibv_close_device(b->ctx))
		return -1;
	return test_teardown(state);
}

/* Written as the device does, the phase last. */
static inline void bench_cqe(struct bench *b, struct cairn_cqe cqe)
{
	struct cairn_cq *hw = ((struct cq *)b->cq)->hw;
	struct cairn_cqe *at = &hw->ring[b->pi & ((1u << hw->log2) - 1)];

	cqe.status &= ~CAIRN_CQE_STATUS_PHASE;
	if (!(b->pi++ >> hw->log2 & 1))
		cqe.status |= CAIRN_CQE_STATUS_PHASE;
	*at = cqe;
}

static inline void bench_send_cqe(struct bench *b, const struct qp *qp, uint32_t index,
				  uint32_t status)
{
	bench_cqe(b, (struct cairn_cqe){
			     .qpn_op = qp->ibv.qp_num,
			     .wqe = (uint32_t)CAIRN_PUT(CAIRN_CQE_WQE_INDEX, index) |
				    CAIRN_CQE_WQE_IS_SQ,
			     .status = status,
			     .src = (uint32_t)CAIRN_PUT(CAIRN_CQE_SRC_VENDOR_ERR, status),
		     });
}

static inline bool readable(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	return poll(&pollfd, 1, timeout_ms) == 1;
}

/* The event of a CQ, raised by nothing. */
static inline void completion_event(struct cq *cq)
{
	fake_event(&fakes[0], cq->hw->vector + 1, CAIRN_EQE_TYPE_CQ, cq->hw->cqn, 0);
}

#define BENCH_TEST(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)

#endif
