// SPDX-License-Identifier: Apache-2.0
/* The fuzzers' QPs and the verified flow beside them; see victim.h. */
#include "victim.h"

#include <string.h>

#include "roce_frame.h"

#define CQ_DEPTH 16384u
#define PEER_MAC 0x020000ffee01ull
#define ASK_EVERY 16u /* checks: does each QP's state agree with what was told? */
#define RECEIVES 64u
#define CANARY 3000u
#define REST 4000000u /* cycles */
#define REST_STEP 16384u
#define RETRIES 6u /* steps until requests without an answer have failed */
#define MASKS(name) CAIRN_QP_MASK_##name

static void move(struct victims *vs, struct victim *v, uint32_t state, uint32_t mask)
{
	struct cairn_qp_attr attr = {
		.state = state,
		.path_mtu = v->pmtu,
		.qkey = 0x11111111,
		.rq_psn = v->epsn,
		.sq_psn = v->sq_psn,
		.dest_qpn = v->dest_qpn,
		.access = CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ,
		.port = 1,
		.max_rd_atomic = 4,
		.max_dest_rd_atomic = 4,
		.min_rnr_timer = 1,
		.timeout = 4,
		.retry_cnt = 1,
		.rnr_retry = 1,
		.sgid_index = 1,
		.hop_limit = 64,
		.dmac = PEER_MAC,
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
	v->epsn = (uint32_t)rng_u64(&vs->r->rng) & 0xffffff;
	v->sq_psn = (uint32_t)rng_u64(&vs->r->rng) & 0xffffff;
	v->dest_qpn = 2 + (uint32_t)rng_below(&vs->r->rng, 0xfffff0);
	move(vs, v, CAIRN_QP_STATE_INIT, basic | (ud ? MASKS(QKEY) : MASKS(ACCESS)));
	move(vs, v, CAIRN_QP_STATE_RTR, ud ? 0 : path | (rc ? rc_rtr : 0));
	move(vs, v, CAIRN_QP_STATE_RTS, MASKS(SQ_PSN) | (rc ? rc_rts : 0));
	v->ended = false;
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
	rdma_other_qps(vs->r);
	bring_up(vs, v);
}

static void make_cq(struct victims *vs)
{
	struct cairn_dev *dev = vs->r->nic[0].dev;

	rdma_ok(vs->r, cairn_create_cq(dev, CQ_DEPTH, CAIRN_ANY, NULL, NULL, &vs->cq), "CQ");
}

/* ---------------------------------------------------------------- the peer */

static struct victim *by_dest(struct victims *vs, uint32_t dest_qpn)
{
	for (unsigned int i = 0; i < VICTIMS; i++)
		if (vs->v[i].dest_qpn == dest_qpn)
			return &vs->v[i];
	return NULL;
}

static uint32_t be24(const uint8_t *p)
{
	return (uint32_t)(p[0] << 16 | p[1] << 8 | p[2]);
}

/* What a victim sends, without options or tags: its answers tell the PSN it expects. */
static void hear(void *arg, const struct sim_frame *frame)
{
	struct victims *vs = arg;
	const uint8_t *bth = frame->data + 42;
	struct victim *v;
	uint32_t psn;

	if (frame->len < 58 || frame->data[12] != 8 || frame->data[13])
		return;
	v = by_dest(vs, be24(bth + 5));
	if (!v)
		return;
	psn = be24(bth + 9);
	if (bth[0] == 0x11)
		v->epsn = (psn + (bth[12] >> 5 == 0)) & 0xffffff;
	else if (bth[0] == 0x0f || bth[0] == 0x10 || bth[0] == 0x12)
		v->epsn = (psn + 1) & 0xffffff;
	else if (vs->answer && bth[0] <= 0x0b && vs->acks < VICTIM_ANSWERS) {
		vs->ack[vs->acks].qpn = v->qp->qpn;
		vs->ack[vs->acks++].psn = psn;
	}
}

void victims_answer(struct victims *vs)
{
	struct sim *sim = vs->r->sim;
	struct roce_frame f = {
		.opcode = 0x11, .pkey = 0xffff, .hop = 64, .aeth = 0x1f000000, .sport = 0xc000
	};
	uint8_t bytes[128];

	for (unsigned int i = 0; i < 6; i++) {
		f.dmac[i] = (uint8_t)(vs->mac >> (40 - 8 * i));
		f.smac[i] = (uint8_t)(PEER_MAC >> (40 - 8 * i));
	}
	memcpy(f.sgid, vs->dgid, 16);
	memcpy(f.dgid, vs->sgid, 16);
	for (unsigned int i = 0; i < vs->acks; i++) {
		struct sim_frame *frame;

		f.dest_qp = vs->ack[i].qpn;
		f.psn = vs->ack[i].psn;
		frame = sim_frame_new(bytes,
				      (uint32_t)roce_min_pad(bytes, roce_build(&f, bytes)));
		assert_non_null(frame);
		frame->t = sim_now(sim) + 100 * (i + 1);
		sim_wire_send(sim_wire(sim), vs->r->nics, frame, sim_now(sim));
		vs->acked++;
	}
	vs->acks = 0;
}

/* ---------------------------------------------------------------- life and death */

void victims_begin(struct victims *vs, bool answer)
{
	const struct rdma_cfg cfg = { .nics = 2, .peer_fn = hear, .peer_arg = vs };
	struct rdma_buf_cfg buf = { .len = VICTIM_BYTES, .access = RDMA_ALL_ACCESS };
	static const enum cairn_qp_type types[] = { CAIRN_QP_TYPE_RC, CAIRN_QP_TYPE_RC,
						    CAIRN_QP_TYPE_UC, CAIRN_QP_TYPE_UD };
	uint32_t vlan;

	memset(vs, 0, sizeof(*vs));
	vs->answer = answer;
	vs->r = rdma_begin(&cfg);
	vs->mac = sim_nic_mac(vs->r->nic[0].sim);
	vs->peer_mac = PEER_MAC;
	rdma_ok(vs->r, cairn_alloc_pd(vs->r->nic[0].dev, &vs->pd), "PD");
	rdma_ok(vs->r, cairn_query_gid(vs->r->nic[0].dev, 1, vs->sgid, &vlan), "GID");
	memcpy(vs->dgid, vs->sgid, sizeof(vs->dgid));
	vs->dgid[15] = 0xfe; /* nobody's */
	if (vs->r->nic[0].caps.features & CAIRN_REG_FEATURES_ATOMIC)
		buf.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	buf.pd = vs->pd;
	vs->buf = rdma_buf_with(vs->r, 0, &buf);
	make_cq(vs);
	for (unsigned int i = 0; i < VICTIMS; i++) {
		vs->v[i].type = types[i % 4];
		create(vs, &vs->v[i]);
	}
	vs->canary = rdma_pair(vs->r, 0, 1, NULL);
	vs->near = rdma_buf(vs->r, 0, 2 * CANARY, 5);
	vs->far = rdma_buf(vs->r, 1, 2 * CANARY, 9);
}

/* A doorbell far ahead of a queue in error makes so many flushes that the victims' CQ overflows. */
static void start_over(struct victims *vs)
{
	for (unsigned int i = 0; i < VICTIMS; i++)
		rdma_ok(vs->r, cairn_destroy_qp(vs->v[i].qp, NULL), "victim");
	rdma_ok(vs->r, cairn_destroy_cq(vs->cq), "CQ");
	make_cq(vs);
	vs->cq_error = false;
	for (unsigned int i = 0; i < VICTIMS; i++)
		create(vs, &vs->v[i]);
	vs->overflows++;
}

unsigned int victims_revive(struct victims *vs)
{
	unsigned int n = 0;

	if (vs->cq_error) {
		start_over(vs);
		return VICTIMS;
	}
	for (unsigned int i = 0; i < VICTIMS; i++) {
		struct victim *v = &vs->v[i];

		if (!v->ended) {
			victim_receives(vs, v);
			continue;
		}
		n++;
		if (rng_percent(&vs->r->rng, 10)) {
			rdma_ok(vs->r, cairn_destroy_qp(v->qp, NULL), "victim");
			create(vs, v);
		} else {
			move(vs, v, CAIRN_QP_STATE_RESET, 0);
			bring_up(vs, v);
		}
		victims_drain(vs);
		v->ended = false; /* what was drained is of its former life */
	}
	vs->revived += n;
	return n;
}

static struct victim *by_qpn(struct victims *vs, uint32_t qpn)
{
	for (unsigned int i = 0; i < VICTIMS; i++)
		if (vs->v[i].qp->qpn == qpn)
			return &vs->v[i];
	return NULL;
}

void victims_drain(struct victims *vs)
{
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(vs->cq))) {
		unsigned int status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
		struct victim *v = by_qpn(vs, CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN));

		rdma_assert(vs->r, v && status <= CAIRN_WC_STATUS_GENERAL_ERR);
		v->ended |= status != CAIRN_WC_STATUS_SUCCESS;
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

	rdma_poll(r);
	if (rdma_due(r))
		return;
	rdma_post_recv(vs->canary, &sge, 1);
	rdma_ring_recv(vs->canary);
	rdma_post(vs->canary, &write);
	rdma_ring(vs->canary);
	rdma_post(vs->canary->peer, &send);
	rdma_ring(vs->canary->peer);
	vs->canaries += 2;
}

/*
 * What events say of the victims.  An overflow of their own CQ is nobody else's business; of any
 * other CQ it is.
 */
static void take_events(struct victims *vs)
{
	struct rdma_nic *nic = &vs->r->nic[0];
	unsigned int left = 0;

	rdma_events(vs->r, 0, CAIRN_EQE_TYPE_CQ_ERR); /* takes all that are there */
	rdma_assert(vs->r, nic->events < RDMA_MAX_EVENTS);
	for (unsigned int i = 0; i < nic->events; i++) {
		const struct cairn_event *event = &nic->event[i];
		struct victim *v = by_qpn(vs, event->number);

		if (event->type == CAIRN_EQE_TYPE_CQ_ERR && event->number == vs->cq->cqn)
			vs->cq_error = true;
		else if (v && (event->type == CAIRN_EQE_TYPE_QP_FATAL ||
			       event->type == CAIRN_EQE_TYPE_QP_REQ_ERR ||
			       event->type == CAIRN_EQE_TYPE_QP_ACCESS_ERR))
			v->ended = true;
		else if (!v)
			nic->event[left++] = *event;
	}
	nic->events = left;
}

static void look(struct victims *vs)
{
	victims_drain(vs);
	take_events(vs);
}

/* Nobody dies in silence, and who was said to be dead is. */
static void ask(struct victims *vs)
{
	struct cairn_qp_attr attr;

	if (vs->cq_error || vs->checks++ % ASK_EVERY)
		return;
	for (unsigned int i = 0; i < VICTIMS && !vs->cq_error; i++) {
		rdma_ok(vs->r, cairn_query_qp(vs->v[i].qp, &attr), "victim");
		look(vs); /* it may have ended a moment ago */
		if ((attr.state != CAIRN_QP_STATE_RTS) > vs->v[i].ended)
			rdma_fail(vs->r, "QP 0x%06x, type %u, is in state %u, and nobody was told",
				  vs->v[i].qp->qpn, vs->v[i].type, attr.state);
	}
}

void victims_check(struct victims *vs)
{
	struct rdma *r = vs->r;

	rdma_wait(r);
	for (unsigned int n = 0; n < REST / REST_STEP; n++) {
		victims_answer(vs);
		rdma_run(r, REST_STEP);
		look(vs); /* flushes may be more than the CQ holds */
		if (sim_idle(r->sim) && !vs->acks && n >= (vs->answer ? RETRIES : 1))
			break;
	}
	ask(vs);
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
