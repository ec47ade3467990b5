// SPDX-License-Identifier: Apache-2.0
/*
 * A send that fails on an unreliable QP: it completes with its status, what is behind it flushes,
 * the QP is in SQE and goes on receiving; SQE -> RTS and it sends again (docs/commands.md 9).
 */
#include "rdma.h"

#include <string.h>

#define QKEY 0x22222u
#define LEN 700u

struct end {
	struct rdma_qp *qp;
	struct rdma_cq *cq;
};

struct scene {
	struct rdma *r;
	enum cairn_qp_type type;
	struct end e[2];
	struct rdma_buf *buf[2]; /* LEN to send, then 4096 on: to receive */
};

static void move(struct scene *s, unsigned int i)
{
	bool uc = s->type == CAIRN_QP_TYPE_UC;
	struct rdma_qp *qp = s->e[i].qp, *other = s->e[!i].qp;
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_INIT,
				      .port = 1,
				      .qkey = QKEY,
				      .access = RDMA_ALL_ACCESS,
				      .path_mtu = 3,
				      .sq_psn = qp->sq_psn,
				      .rq_psn = other->sq_psn,
				      .dest_qpn = other->qp->qpn,
				      .sgid_index = 1,
				      .hop_limit = 4 };
	uint32_t vlan;

	rdma_ok(s->r, cairn_query_gid(s->r->nic[!i].dev, 1, attr.dgid, &vlan), "GID");
	rdma_ok(s->r,
		cairn_modify_qp(qp->qp, &attr,
				CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_PKEY_INDEX |
					CAIRN_QP_MASK_PORT |
					(uc ? CAIRN_QP_MASK_ACCESS : CAIRN_QP_MASK_QKEY)),
		"INIT");
	attr.state = CAIRN_QP_STATE_RTR;
	rdma_ok(s->r,
		cairn_modify_qp(qp->qp, &attr,
				CAIRN_QP_MASK_STATE |
					(uc ? CAIRN_QP_MASK_AV | CAIRN_QP_MASK_PATH_MTU |
							 CAIRN_QP_MASK_DEST_QPN |
							 CAIRN_QP_MASK_RQ_PSN
					    : 0)),
		"RTR");
	attr.state = CAIRN_QP_STATE_RTS;
	rdma_ok(s->r, cairn_modify_qp(qp->qp, &attr, CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_SQ_PSN),
		"RTS");
}

static struct scene scene(enum cairn_qp_type type)
{
	struct scene s = { .r = rdma_begin(NULL), .type = type };
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.type = type;
	for (unsigned int i = 0; i < 2; i++) {
		cfg.send_cq = cfg.recv_cq = s.e[i].cq = rdma_create_cq(s.r, i, 256);
		s.e[i].qp = rdma_create_qp(s.r, i, &cfg);
		s.buf[i] = rdma_buf(s.r, i, 8192, 3);
	}
	move(&s, 0);
	move(&s, 1);
	return s;
}

/* A SEND of LEN bytes by QP i; with a wrong key it cannot be read. */
static void post(struct scene *s, unsigned int i, bool bad)
{
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND, s->buf[i], 0, NULL, 0, LEN);
	struct cairn_ah_attr attr = { .sgid_index = 1, .hop_limit = 4 };
	struct cairn_qp *qp = s->e[i].qp->qp;
	uint32_t vlan, first = qp->sq_pi;
	struct cairn_wqe_ud *wqe = (void *)cairn_sq_block(qp, first);
	struct cairn_sge *sge = (void *)cairn_sq_block(qp, first + 1);
	struct cairn_ah *ah;

	wr.sge[0].lkey ^= bad;
	if (s->type == CAIRN_QP_TYPE_UC) {
		rdma_write_wqe(s->e[i].qp, &wr, LEN, 1);
		return;
	}
	rdma_ok(s->r, cairn_query_gid(s->r->nic[!i].dev, 1, attr.dgid, &vlan), "GID");
	rdma_ok(s->r, cairn_create_ah(s->r->nic[i].pd, &attr, &ah), "address");
	*wqe = ah->av;
	rdma_ok(s->r, cairn_destroy_ah(ah), "address");
	wqe->ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, CAIRN_WQE_OP_SEND) | CAIRN_WQE_CTRL_SIGNALED |
		    CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1) | CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 2);
	wqe->length = LEN;
	wqe->check = cairn_sq_check(qp, first);
	wqe->dqpn_sgid |= s->e[!i].qp->qp->qpn;
	wqe->qkey = QKEY;
	memset(sge, 0, 64);
	*sge = wr.sge[0];
	qp->sq_pi += 2;
}

static void receive(struct scene *s, unsigned int i)
{
	struct cairn_qp *qp = s->e[i].qp->qp;
	struct cairn_sge *slot = cairn_rq_entry(qp, qp->rq_pi++);

	memset(slot, 0, qp->rq_stride * sizeof(*slot));
	*slot = rdma_sge(s->buf[i], 4096, 4096);
	cairn_rq_ring(qp);
}

/* The next completion of QP i. */
static void expect(struct scene *s, unsigned int i, bool send, enum cairn_wc_status status)
{
	const struct cairn_cqe *cqe = rdma_raw_cqe(s->e[i].cq);
	unsigned int grh = s->type == CAIRN_QP_TYPE_UD ? 40 : 0;

	rdma_assert(s->r, CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IS_SQ) == send);
	if (CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) != (uint32_t)status)
		rdma_fail(s->r, "status %u, not %u",
			  (unsigned int)CAIRN_GET(cqe->status, CAIRN_CQE_STATUS), status);
	if (!send) {
		rdma_assert(s->r, cqe->byte_len == grh + LEN);
		rdma_assert(s->r, !memcmp(s->buf[i]->data + 4096 + grh, s->buf[!i]->data, LEN));
	}
	cairn_cq_consume(s->e[i].cq->cq);
	cairn_cq_update(s->e[i].cq->cq);
}

static void message(struct scene *s, unsigned int from)
{
	receive(s, !from);
	post(s, from, false);
	rdma_ring(s->e[from].qp);
	expect(s, from, true, CAIRN_WC_STATUS_SUCCESS);
	expect(s, !from, false, CAIRN_WC_STATUS_SUCCESS);
}

static void fails_and_recovers(enum cairn_qp_type type)
{
	struct cairn_qp_attr rts = { .state = CAIRN_QP_STATE_RTS, .cur_state = CAIRN_QP_STATE_SQE };
	struct scene s = scene(type);

	for (unsigned int round = 0; round < 3; round++) {
		message(&s, 0);
		receive(&s, 1);
		post(&s, 0, false);
		post(&s, 0, true);
		post(&s, 0, false);
		post(&s, 0, false);
		rdma_ring(s.e[0].qp);
		expect(&s, 0, true, CAIRN_WC_STATUS_SUCCESS);
		expect(&s, 0, true, CAIRN_WC_STATUS_LOC_PROT_ERR);
		expect(&s, 0, true, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		expect(&s, 0, true, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		expect(&s, 1, false, CAIRN_WC_STATUS_SUCCESS);
		rdma_assert(s.r, rdma_qp_state(s.e[0].qp) == CAIRN_QP_STATE_SQE);
		message(&s, 1);	 /* it still receives */
		if (round & 1) { /* posted in SQE: flushes too */
			post(&s, 0, false);
			rdma_ring(s.e[0].qp);
			expect(&s, 0, true, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		}
		rdma_ok(s.r,
			cairn_modify_qp(s.e[0].qp->qp, &rts,
					CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_CUR_STATE),
			"SQE to RTS");
		rdma_assert(s.r, rdma_qp_state(s.e[0].qp) == CAIRN_QP_STATE_RTS);
	}
	message(&s, 0);
	message(&s, 1);
	rdma_assert(s.r, rdma_events(s.r, 0, CAIRN_EQE_TYPE_QP_FATAL) == 0);
	rdma_buf_forget(s.buf[0], 4096, 4096);
	rdma_buf_forget(s.buf[1], 4096, 4096);
	rdma_end(s.r);
}

static void datagrams(void **state)
{
	(void)state;
	fails_and_recovers(CAIRN_QP_TYPE_UD);
}

static void connected(void **state)
{
	(void)state;
	fails_and_recovers(CAIRN_QP_TYPE_UC);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(datagrams), RDMA_TEST(connected) };

	return RDMA_RUN("sqe", tests);
}
