// SPDX-License-Identifier: Apache-2.0
/*
 * What a build leaves out (docs/builds.md) is refused, each as the specification says, and costs no
 * other QP anything: commands, send requests, packets of a peer.  Of a feature that is there a test
 * is skipped.
 */
#include <errno.h>
#include <string.h>

#include "peer.h"

#define PSN 0x2200u

static void only_without(struct rdma *r, uint32_t feature)
{
	if (!(r->nic[0].caps.features & feature))
		return;
	rdma_end(r);
	skip();
}

/* The bystander still works. */
static void others_work(struct rdma *r)
{
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
	struct rdma_buf *a = rdma_buf(r, 0, 3000, 1), *b = rdma_buf(r, 1, 3000, 2);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, 3000);

	rdma_do(qp, &wr);
}

/* A request that is not in the build ends its QP, with the status of a wrong operation. */
static void wqe_refused(struct rdma *r, struct rdma_wr wr)
{
	struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);

	wr.expect = CAIRN_WC_STATUS_LOC_QP_OP_ERR;
	wr.vendor = CAIRN_VENDOR_ERR_WQE_OPCODE;
	wr.no_data = true;
	rdma_do(qp, &wr);
	rdma_assert(r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	others_work(r);
}

/* A packet with an operation that is not in the build: NAK, invalid request. */
static void packet_refused(struct peer *p, struct rdma_qp *qp, struct model_packet *packet)
{
	cairn_pkt_set(packet->bytes, CAIRN_BTH_ACKREQ, 1);
	peer_forget(p);
	peer_send(p, packet);
	rdma_settle(p->r, 20000);
	rdma_assert(p->r, p->n == 1 && peer_opcode(peer_got(p, 0)) == CAIRN_OPCODE_RC_ACKNOWLEDGE);
	rdma_assert(p->r, peer_syndrome(peer_got(p, 0)) == (3u << 5 | CAIRN_AETH_NAK_INV_REQ));
	rdma_assert(p->r, peer_psn(peer_got(p, 0)) == PSN);
	rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	peer_canary(p, 100);
}

static struct peer *peer_without(uint32_t feature)
{
	struct peer *p = peer_begin();

	only_without(p->r, feature);
	return p;
}

static void atomics(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a, *b;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_ATOMIC);
	a = rdma_buf(r, 0, 64, 0);
	b = rdma_buf(r, 1, 64, 0);
	wqe_refused(r, rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, a, 0, b, 0, 8));
	wqe_refused(r, rdma_wr(CAIRN_WQE_OP_ATOMIC_CS, a, 0, b, 0, 8));
	rdma_end(r);
}

static void atomic_rights(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_INIT, .port = 1 };
	struct rdma_qp *qp;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_ATOMIC);
	attr.access = CAIRN_ACCESS_REMOTE_ATOMIC;
	qp = rdma_create_qp(r, 0, NULL);
	rdma_assert(r, cairn_modify_qp(qp->qp, &attr,
				       CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_PKEY_INDEX |
					       CAIRN_QP_MASK_PORT | CAIRN_QP_MASK_ACCESS) ==
			       -EOPNOTSUPP);
	rdma_end(r);
}

static void atomic_packets(void **state)
{
	struct peer *p = peer_without(CAIRN_REG_FEATURES_ATOMIC);
	struct rdma_buf *buf = rdma_buf(p->r, 0, 64, 0);
	uint8_t eth[CAIRN_ATOMICETH_BYTES] = { 0 };

	(void)state;
	cairn_pkt_set(eth, CAIRN_ATOMICETH_VA, buf->mr->va);
	cairn_pkt_set(eth, CAIRN_ATOMICETH_RKEY, buf->mr->key);
	for (unsigned int i = 0; i < 2; i++) {
		struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);
		struct model_packet packet =
			peer_packet(p, qp,
				    i ? CAIRN_OPCODE_RC_COMPARE_SWAP : CAIRN_OPCODE_RC_FETCH_ADD,
				    PSN);

		peer_add(&packet, eth, sizeof(eth));
		packet_refused(p, qp, &packet);
	}
	rdma_end(p->r);
}

static void windows(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct cairn_mw *mw;
	struct rdma_buf *a;
	struct rdma_wr wr;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_MW);
	for (unsigned int type = 1; type <= 2; type++)
		rdma_assert(r, cairn_alloc_mw(r->nic[0].pd, type, &mw) == -EOPNOTSUPP);
	a = rdma_buf(r, 0, 64, 0);
	wqe_refused(r, rdma_inv(a->mr->key));
	wr = (struct rdma_wr){ .op = CAIRN_WQE_OP_REG_MR, .imm = a->mr->key };
	wqe_refused(r, wr);
	wr.op = CAIRN_WQE_OP_BIND_MW;
	wqe_refused(r, wr);
	wr = rdma_wr(CAIRN_WQE_OP_SEND_INV, a, 0, NULL, 0, 8);
	wqe_refused(r, wr);
	rdma_end(r);
}

static void invalidating_packets(void **state)
{
	struct peer *p = peer_without(CAIRN_REG_FEATURES_MW);
	struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);
	struct rdma_buf *buf = rdma_buf(p->r, 0, 64, 0);
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_RC_SEND_ONLY_INV, PSN);
	uint8_t ieth[4];

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		ieth[i] = (uint8_t)(buf->mr->key >> (24 - 8 * i));
	peer_add(&packet, ieth, sizeof(ieth));
	packet_refused(p, qp, &packet);
	rdma_end(p->r);
}

static void shared_queues(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct cairn_srq_init init = { .max_wr = 16, .max_sge = 1 };
	struct cairn_srq *srq;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_SRQ);
	rdma_assert(r, !r->nic[0].caps.max_srq && !r->nic[0].caps.max_srq_wr);
	rdma_assert(r, cairn_create_srq(r->nic[0].pd, &init, &srq) == -EOPNOTSUPP);
	others_work(r);
	rdma_end(r);
}

static void unreliable(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct cairn_qp_init init = { .type = CAIRN_QP_TYPE_UC,
				      .send_cq = r->nic[0].cq->cq,
				      .recv_cq = r->nic[0].cq->cq,
				      .max_send_wr = 4,
				      .max_send_sge = 1,
				      .max_recv_wr = 4,
				      .max_recv_sge = 1 };
	struct cairn_qp *qp;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_UC);
	rdma_assert(r, cairn_create_qp(r->nic[0].pd, &init, &qp) == -EOPNOTSUPP);
	rdma_end(r);
}

/* A packet of another transport is no QP's here: dropped and counted, without an answer. */
static void unreliable_packets(void **state)
{
	struct peer *p = peer_without(CAIRN_REG_FEATURES_UC);
	struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_UC_SEND_ONLY, PSN);
	uint64_t before = rdma_counter(p->r, 0, CAIRN_COUNTER_RX_BAD_QPN);

	(void)state;
	peer_add_payload(&packet, "12345678", 8);
	peer_forget(p);
	peer_send(p, &packet);
	rdma_settle(p->r, 20000);
	rdma_assert(p->r, !p->n);
	rdma_assert(p->r, rdma_counter(p->r, 0, CAIRN_COUNTER_RX_BAD_QPN) == before + 1);
	rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS);
	peer_canary(p, 100);
	rdma_end(p->r);
}

static void groups(void **state)
{
	static const uint8_t group[16] = { [10] = 0xff, [11] = 0xff, [12] = 239, [15] = 1 };
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_MCAST);
	rdma_assert(r, !r->nic[0].caps.max_mcast_grp);
	rdma_qp_cfg_init(&cfg);
	cfg.type = CAIRN_QP_TYPE_UD;
	qp = rdma_create_qp(r, 0, &cfg);
	rdma_assert(r, cairn_attach_mcast(qp->qp, group) == -EOPNOTSUPP);
	rdma_assert(r, cairn_detach_mcast(qp->qp, group) == -EOPNOTSUPP);
	rdma_end(r);
}

/* A doorbell of the push window is a doorbell like others: its WQE is fetched. */
static void push_window(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	uint64_t taken, ignored;
	struct rdma_buf *a, *b;
	struct rdma_qp *qp;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_PUSH);
	a = rdma_buf(r, 0, 4096, 0);
	b = rdma_buf(r, 1, 4096, 0);
	qp = rdma_pair(r, 0, 1, NULL);
	taken = rdma_counter(r, 0, CAIRN_COUNTER_PUSH_TAKEN);
	ignored = rdma_counter(r, 0, CAIRN_COUNTER_PUSH_IGNORED);
	for (unsigned int i = 0; i < 8; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 64 * i, b, 64 * i, 20 + i);

		rdma_post(qp, &wr);
		rdma_push(qp);
		if (i & 1)
			rdma_wait(r);
	}
	rdma_wait(r);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_PUSH_TAKEN) == taken);
	rdma_assert(r, rdma_counter(r, 0, CAIRN_COUNTER_PUSH_IGNORED) == ignored + 8);
	rdma_end(r);
}

static void counters_of_qps(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_qp *qp;
	uint64_t value;

	(void)state;
	only_without(r, CAIRN_REG_FEATURES_QP_COUNTERS);
	qp = rdma_create_qp(r, 0, NULL);
	rdma_assert(r, cairn_read_qp_counter(qp->qp, CAIRN_COUNTER_DUPLICATE_REQUEST, &value) ==
			       -EOPNOTSUPP);
	rdma_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(atomics),	    RDMA_TEST(atomic_rights),
		RDMA_TEST(atomic_packets),  RDMA_TEST(windows),
		RDMA_TEST(invalidating_packets),
		RDMA_TEST(shared_queues),   RDMA_TEST(unreliable),
		RDMA_TEST(unreliable_packets), RDMA_TEST(groups),
		RDMA_TEST(push_window),	    RDMA_TEST(counters_of_qps),
	};

	return RDMA_RUN("left_out", tests);
}
