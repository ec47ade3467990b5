// SPDX-License-Identifier: Apache-2.0
/* The fuzzers' QPs and the verified flow beside them; see victim.h. */
#include "victim.h"

#include <string.h>

#define CQ_DEPTH 4096u
#define RECEIVES 64u
#define CANARY 3000u
#define MASKS(name) CAIRN_QP_MASK_##name

static void move(struct victims *vs, struct victim *v, uint32_t state, uint32_t mask)
{
	struct cairn_qp_attr attr = {
		.state = state,
		.path_mtu = v->pmtu,
		.qkey = 0x11111111,
		.rq_psn = v->rq_psn,
		.sq_psn = v->sq_psn,
		.dest_qpn = v->dest_qpn,
		.access = CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ,
		.port = 1,
		.max_rd_atomic = 4,
		.max_dest_rd_atomic = 4,
		.min_rnr_timer = 1,
		.timeout = 10,
		.retry_cnt = 1,
		.rnr_retry = 1,
		.sgid_index = 1,
		.hop_limit = 64,
		.dmac = sim_nic_mac(vs->r->nic[2].sim),
	};

	if (vs->r->nic[0].caps.features & CAIRN_REG_FEATURES_ATOMIC)
		attr.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	memcpy(attr.dgid, vs->dgid, sizeof(attr.dgid));
	rdma_ok(vs->r, cairn_modify_qp(v->qp, &attr, mask | MASKS(STATE)), "victim");
}

static void bring_up(struct victims *vs, struct victim *v)
{
	const uint32_t basic = MASKS(PKEY_INDEX) | MASKS(PORT);
	const uint32_t path = MASKS(AV) | MASKS(PATH_MTU) | MASKS(DEST_QPN) | MASKS(RQ_PSN);
	const uint32_t rc_rtr = MASKS(MAX_DEST_RD_ATOMIC) | MASKS(MIN_RNR_TIMER);
	const uint32_t rc_rts = MASKS(TIMEOUT) | MASKS(RETRY_CNT) | MASKS(RNR_RETRY) |
				MASKS(MAX_RD_ATOMIC);
	bool ud = v->type == CAIRN_QP_TYPE_UD, rc = v->type == CAIRN_QP_TYPE_RC;

	v->pmtu = 1 + (uint32_t)rng_below(&vs->r->rng, 5);
	v->rq_psn = (uint32_t)rng_u64(&vs->r->rng) & 0xffffff;
	v->sq_psn = (uint32_t)rng_u64(&vs->r->rng) & 0xffffff;
	v->dest_qpn = 2 + (uint32_t)rng_below(&vs->r->rng, 0xfffff0);
	move(vs, v, CAIRN_QP_STATE_INIT, basic | (ud ? MASKS(QKEY) : MASKS(ACCESS)));
	move(vs, v, CAIRN_QP_STATE_RTR, ud ? 0 : path | (rc ? rc_rtr : 0));
	move(vs, v, CAIRN_QP_STATE_RTS, MASKS(SQ_PSN) | (rc ? rc_rts : 0));
	victim_receives(vs, v);
}

static void create(struct victims *vs, struct victim *v)
{
	struct cairn_qp_init init = {
		.type = v->type,
		.send_cq = vs->cq,
		.recv_cq = vs->cq,
		.max_send_wr = 64,
		.max_recv_wr = RECEIVES,
		.max_send_sge = 4,
		.max_recv_sge = 4,
		.max_inline = 64,
		.qpn = CAIRN_ANY,
	};

	rdma_ok(vs->r, cairn_create_qp(vs->pd, &init, &v->qp), "victim");
	bring_up(vs, v);
}

static void make_cq(struct victims *vs)
{
	struct cairn_dev *dev = vs->r->nic[0].dev;

	rdma_ok(vs->r, cairn_create_cq(dev, CQ_DEPTH, CAIRN_ANY, NULL, NULL, &vs->cq), "CQ");
}

void victims_begin(struct victims *vs)
{
	const struct rdma_cfg cfg = { .nics = 3 };
	struct rdma_buf_cfg buf = { .len = VICTIM_BYTES, .access = RDMA_ALL_ACCESS };
	static const enum cairn_qp_type types[] = { CAIRN_QP_TYPE_RC, CAIRN_QP_TYPE_RC,
						    CAIRN_QP_TYPE_UC, CAIRN_QP_TYPE_UD };
	static const uint32_t needs[] = { CAIRN_REG_FEATURES_RC, CAIRN_REG_FEATURES_RC,
					  CAIRN_REG_FEATURES_UC, CAIRN_REG_FEATURES_UD };
	uint32_t vlan;

	memset(vs, 0, sizeof(*vs));
	vs->r = rdma_begin(&cfg);
	rdma_ok(vs->r, cairn_alloc_pd(vs->r->nic[0].dev, &vs->pd), "PD");
	rdma_ok(vs->r, cairn_query_gid(vs->r->nic[0].dev, 1, vs->sgid, &vlan), "GID");
	rdma_ok(vs->r, cairn_query_gid(vs->r->nic[2].dev, 1, vs->dgid, &vlan), "GID");
	if (vs->r->nic[0].caps.features & CAIRN_REG_FEATURES_ATOMIC)
		buf.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	buf.pd = vs->pd;
	vs->buf = rdma_buf_with(vs->r, 0, &buf);
	make_cq(vs);
	for (unsigned int i = 0; i < VICTIMS; i++) {
		bool there = vs->r->nic[0].caps.features & needs[i % 4];

		vs->v[i].type = there ? types[i % 4] : CAIRN_QP_TYPE_RC;
		create(vs, &vs->v[i]);
	}
	vs->canary = rdma_pair(vs->r, 0, 1, NULL);
	vs->near = rdma_buf(vs->r, 0, 2 * CANARY, 5);
	vs->far = rdma_buf(vs->r, 1, 2 * CANARY, 9);
}

/* A doorbell far ahead of a queue in error makes so many flushes that the victims' CQ overflows. */
static bool cq_failed(struct victims *vs)
{
	struct cairn_cq_ctx ctx;

	rdma_ok(vs->r, cairn_query_cq(vs->cq, &ctx), "CQ");
	return ctx.flags & CAIRN_CQ_CTX_FLAGS_ERR;
}

static void start_over(struct victims *vs)
{
	for (unsigned int i = 0; i < VICTIMS; i++)
		rdma_ok(vs->r, cairn_destroy_qp(vs->v[i].qp, NULL), "victim");
	rdma_ok(vs->r, cairn_destroy_cq(vs->cq), "CQ");
	make_cq(vs);
	for (unsigned int i = 0; i < VICTIMS; i++)
		create(vs, &vs->v[i]);
	vs->overflows++;
}

unsigned int victims_revive(struct victims *vs)
{
	unsigned int n = 0;

	if (cq_failed(vs)) {
		start_over(vs);
		return VICTIMS;
	}
	for (unsigned int i = 0; i < VICTIMS; i++) {
		struct victim *v = &vs->v[i];
		struct cairn_qp_attr attr;

		rdma_ok(vs->r, cairn_query_qp(v->qp, &attr), "victim");
		if (attr.state == CAIRN_QP_STATE_RTS) {
			v->rq_psn = attr.rq_psn;
			victim_receives(vs, v);
			continue;
		}
		rdma_ok(vs->r, cairn_destroy_qp(v->qp, NULL), "victim");
		victims_drain(vs);
		create(vs, v);
		n++;
	}
	vs->revived += n;
	return n;
}

void victims_drain(struct victims *vs)
{
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(vs->cq))) {
		rdma_assert(vs->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_STATUS) <=
					   CAIRN_WC_STATUS_GENERAL_ERR);
		vs->completions++;
		cairn_cq_consume(vs->cq);
	}
	cairn_cq_update(vs->cq);
}

void victim_receives(struct victims *vs, struct victim *v)
{
	struct rng *rng = &vs->r->rng;

	/* what was completed is not known one by one: post anew only when the ring was used up */
	if (v->qp->rq_pi)
		return;
	for (unsigned int i = 0; i < RECEIVES; i++) {
		struct cairn_sge *sge = cairn_rq_entry(v->qp, v->qp->rq_pi++);
		unsigned int n = (unsigned int)rng_below(rng, v->qp->rq_stride + 1);

		memset(sge, 0, v->qp->rq_stride * sizeof(*sge));
		for (unsigned int k = 0; k < n; k++)
			sge[k] = rdma_sge(vs->buf, rng_below(rng, VICTIM_BYTES / 2),
					  1 + rng_below(rng, VICTIM_BYTES / 4));
	}
	cairn_rq_ring(v->qp);
}

uint32_t victim_key(struct victims *vs)
{
	struct rng *rng = &vs->r->rng;

	switch (rng_below(rng, 6)) {
	case 0:
		return (uint32_t)rng_u64(rng);
	case 1:
		return vs->buf->mr->key ^ 1u << rng_below(rng, 32);
	case 2:
		return vs->near->mr->key; /* of another protection domain */
	default:
		return vs->buf->mr->key;
	}
}

uint64_t victim_address(struct victims *vs)
{
	struct rng *rng = &vs->r->rng;
	uint64_t base = vs->buf->mr->va;
	const uint64_t edges[] = { 0,
				   UINT64_MAX,
				   base - 1,
				   base,
				   base + VICTIM_BYTES - 1,
				   base + VICTIM_BYTES,
				   vs->near->mr->va };

	if (rng_percent(rng, 60))
		return base + rng_below(rng, VICTIM_BYTES);
	return edges[rng_below(rng, sizeof(edges) / sizeof(*edges))] + rng_below(rng, 3) - 1;
}

/* ---------------------------------------------------------------- the verified flow */

void victims_canary(struct victims *vs)
{
	struct rdma *r = vs->r;
	uint32_t len = 1 + (uint32_t)rng_below(&r->rng, CANARY);
	struct rdma_wr write = rdma_wr(CAIRN_WQE_OP_WRITE, vs->near, 0, vs->far, CANARY, len);
	struct rdma_wr send = rdma_wr(CAIRN_WQE_OP_SEND, vs->far, 0, NULL, 0, len);
	struct cairn_sge sge = rdma_sge(vs->near, CANARY, len);

	rdma_post_recv(vs->canary, &sge, 1);
	rdma_ring_recv(vs->canary);
	rdma_post(vs->canary, &write);
	rdma_ring(vs->canary);
	rdma_post(vs->canary->peer, &send);
	rdma_ring(vs->canary->peer);
	vs->canaries += 2;
}

/* An overflow of the victims' own CQ is nobody else's business; of any other CQ it is. */
static void forget_overflows(struct victims *vs)
{
	struct rdma_nic *nic = &vs->r->nic[0];
	unsigned int left = 0;

	rdma_events(vs->r, 0, CAIRN_EQE_TYPE_CQ_ERR); /* takes all that are there */
	for (unsigned int i = 0; i < nic->events; i++)
		if (nic->event[i].type != CAIRN_EQE_TYPE_CQ_ERR ||
		    nic->event[i].number == nic->cq->cq->cqn)
			nic->event[left++] = nic->event[i];
	nic->events = left;
}

void victims_check(struct victims *vs)
{
	struct rdma *r = vs->r;

	rdma_wait(r);
	rdma_settle(r, 2000000);
	victims_drain(vs);
	forget_overflows(vs);
	rdma_assert(r, !rdma_events(r, 0, CAIRN_EQE_TYPE_CQ_ERR));
	rdma_assert(r, !sim_errors(r->sim));
	rdma_assert(r, !rdma_events(r, 0, CAIRN_EQE_TYPE_DEVICE_FATAL));
}

void victims_end(struct victims *vs)
{
	victims_check(vs);
	for (unsigned int i = 0; i < VICTIMS; i++)
		rdma_ok(vs->r, cairn_destroy_qp(vs->v[i].qp, NULL), "victim");
	rdma_ok(vs->r, cairn_destroy_cq(vs->cq), "CQ");
	/* what was written inside the region is the fuzzer's business, its guards are not */
	rdma_buf_forget(vs->buf, 0, VICTIM_BYTES);
	rdma_end(vs->r);
	assert_int_equal(cairn_dealloc_pd(vs->pd), 0);
}
