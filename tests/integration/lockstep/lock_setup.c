// SPDX-License-Identifier: Apache-2.0
/* Lock-step (lock.h): models, memory and QPs of a run, chosen at random. */
#include "lock.h"

static const uint8_t peer_gid[2][16] = {
	{ [10] = 0xff, 0xff, 10, 0, 0, 254 },
	{ 0xfd, 0xca, [15] = 254 },
};

/* ---------------------------------------------------------------- choices */

static bool choose_third(void *ctx, uint32_t qpn, uint32_t psn)
{
	const struct lock *l = ctx;

	return ((qpn + psn) * 0x9e3779b1u ^ l->hash) >> 7 & 1;
}

static bool choose_merge(void *ctx, uint32_t qpn, uint32_t waiting, uint32_t psn)
{
	return choose_third(ctx, qpn, waiting + psn);
}

/* The shadow asks where the NIC has asked. */
static bool asks(void *ctx, uint32_t qpn, uint32_t psn)
{
	(void)psn;
	return lock_find(ctx, qpn)->ackreq;
}

void lock_models(struct lock *l)
{
	const struct model_hooks shadow = { .ctx = l, .ask_ack = asks };
	const struct model_hooks peer = { .ctx = l,
					  .merge_acks = choose_merge,
					  .ack_unasked = choose_third,
					  .ack_duplicate = choose_third,
					  .ask_ack = choose_third };

	l->hash = rng_u64(&l->rng);
	l->shadow = model_create(&shadow);
	l->peer = model_create(&peer);
}

/* ---------------------------------------------------------------- set up */

static void add_region(struct lock *l, const struct rdma_buf *buf)
{
	struct model_region region = { .key = buf->mr->key,
				       .pd = LOCK_PD,
				       .rights = buf->mr->access & 15,
				       .base = buf->mr->va,
				       .length = buf->len,
				       .data = buf->shadow + (buf->data - buf->base) };

	assert_int_equal(model_region_add(l->shadow, &region), 0);
}

struct rdma_buf *lock_buffer(struct lock *l, struct rdma_buf_cfg cfg)
{
	struct rdma_buf *buf;

	cfg.at = LOCK_PLACE + l->place;
	buf = rdma_buf_with(l->r, 0, &cfg);
	l->place += buf->total;
	return buf;
}

static struct rdma_buf *nic_buffer(struct lock *l, size_t len)
{
	struct rdma_buf_cfg cfg = { .len = len,
				    .offset = (unsigned int)rng_below(&l->rng, 4096),
				    .access = LOCK_ACCESS };
	struct rdma_buf *buf;

	cfg.kind = rng_percent(&l->rng, 50) ? CAIRN_MR_USE_PAGED : CAIRN_MR_AUTO;
	buf = lock_buffer(l, cfg);
	add_region(l, buf);
	return buf;
}

void lock_memory(struct lock *l)
{
	unsigned int qps = l->run.qps > LOCK_FEW_QPS ? l->run.qps : LOCK_FEW_QPS;
	size_t bytes = LOCK_SRC_BYTES + LOCK_DST_BYTES + LOCK_SCRATCH_BYTES;
	struct model_region region = { .pd = LOCK_PEER_PD, .rights = 15, .length = bytes };

	l->src = nic_buffer(l, LOCK_SRC_BYTES);
	l->dst = nic_buffer(l, LOCK_DST_BYTES + qps * 4 * 65536);
	l->peer_mem = malloc(bytes);
	assert_non_null(l->peer_mem);
	for (size_t i = 0; i < bytes; i++)
		l->peer_mem[i] = (uint8_t)((i * 0x9e3779b97f4a7c15ull) >> 37 ^ l->hash);
	region.key = l->peer_key = (uint32_t)rng_u64(&l->rng) | 1;
	region.base = l->peer_base = rng_below(&l->rng, 1ull << 44) * 8; /* atomics */
	region.data = l->peer_mem;
	assert_int_equal(model_region_add(l->peer, &region), 0);
}

static uint32_t some_psn(struct lock *l)
{
	uint32_t psn = (uint32_t)rng_u64(&l->rng) & 0xffffff;

	/* often just before the wrap, or where the signed difference turns */
	if (rng_percent(&l->rng, 40))
		psn = (0xffffffu & (0u - (uint32_t)rng_below(&l->rng, 60)));
	else if (rng_percent(&l->rng, 20))
		psn = 0x800000 - (uint32_t)rng_below(&l->rng, 60);
	return psn;
}

static enum cairn_transport some_transport(struct lock *l)
{
	uint32_t what = (uint32_t)rng_below(&l->rng, 100);

	return what < l->run.uc		      ? CAIRN_TRANSPORT_UC
	       : what < l->run.uc + l->run.ud ? CAIRN_TRANSPORT_UD
					      : CAIRN_TRANSPORT_RC;
}

static struct model_qp_config some_config(struct lock *l, bool v6)
{
	unsigned int shortest = l->run.timeout ? l->run.timeout : 6;
	bool biggest = l->run.big && !l->run.biggest;
	struct model_qp_config c = {
		.transport = some_transport(l),
		.qkey = LOCK_QKEY,
		.pd = LOCK_PD,
		.rights = 15,
		.pmtu = 256u << rng_below(&l->rng, l->run.mtus ? l->run.mtus : 5),
		.pkey = 0xffff,
		.rq_psn = some_psn(l),
		.sq_psn = some_psn(l),
		.max_rd_atomic = (uint8_t)rng_range(&l->rng, 1, 16),
		.max_dest_rd_atomic = 16,
		.min_rnr_timer = (uint8_t)rng_range(&l->rng, 1, 4),
		.timeout = (uint8_t)(biggest ? 10 : rng_range(&l->rng, shortest, shortest + 2)),
		.retry_cnt = 7,
		.rnr_retry = 7,
	};

	if (c.max_rd_atomic > l->r->nic[0].caps.max_rd_atomic)
		c.max_rd_atomic = (uint8_t)l->r->nic[0].caps.max_rd_atomic;
	if (c.max_dest_rd_atomic > l->r->nic[0].caps.max_dest_rd_atomic)
		c.max_dest_rd_atomic = (uint8_t)l->r->nic[0].caps.max_dest_rd_atomic;
	if (c.transport == CAIRN_TRANSPORT_UD)
		c.pmtu = l->port_mtu;
	memcpy(c.gid, l->gid[v6], 16);
	memcpy(c.peer_gid, peer_gid[v6], 16);
	return c;
}

static void add_model(struct model *m, const struct model_qp_config *c)
{
	assert_int_equal(model_qp_create(m, c), 0);
	for (enum model_state to = MODEL_INIT; to <= MODEL_RTS; to++)
		assert_int_equal(model_qp_move(m, c->qpn, to), 0);
}

static enum cairn_qp_type qp_type(enum cairn_transport transport)
{
	return transport == CAIRN_TRANSPORT_RC	 ? CAIRN_QP_TYPE_RC
	       : transport == CAIRN_TRANSPORT_UC ? CAIRN_QP_TYPE_UC
						 : CAIRN_QP_TYPE_UD;
}

void lock_add_qp(struct lock *l, unsigned int i)
{
	bool v6 = l->r->nic[0].caps.features & CAIRN_REG_FEATURES_IPV6 && rng_percent(&l->rng, 40);
	struct model_qp_config c = some_config(l, v6), p;
	static uint32_t peer_qpn = 0x5000;
	struct lock_qp *qp = &l->qp[i];
	struct rdma_far far = { .psn = c.rq_psn, .mac = l->peer_mac };
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.type = qp_type(c.transport);
	cfg.qkey = LOCK_QKEY;
	cfg.access = LOCK_ACCESS;
	if (!(l->r->nic[0].caps.features & CAIRN_REG_FEATURES_ATOMIC))
		cfg.access &= ~(uint32_t)CAIRN_ACCESS_REMOTE_ATOMIC;
	cfg.send_wr = 128;
	cfg.recv_wr = 128;
	cfg.send_sge = (unsigned int)rng_range(&l->rng, 1, l->r->nic[0].caps.max_sge);
	cfg.recv_sge = (unsigned int)rng_range(&l->rng, 1, l->r->nic[0].caps.max_sge);
	cfg.gid_index = v6 ? 2 : 1;
	cfg.sq_psn = c.sq_psn;
	cfg.rd_atomic = c.max_rd_atomic;
	cfg.dest_rd_atomic = c.max_dest_rd_atomic;
	cfg.min_rnr_timer = c.min_rnr_timer;
	cfg.timeout = c.timeout;
	cfg.retry_cnt = c.retry_cnt;
	cfg.rnr_retry = c.rnr_retry;
	for (cfg.pmtu = 1; 128u << cfg.pmtu != c.pmtu; cfg.pmtu++)
		;
	qp->l = l;
	qp->rtl = rdma_create_qp(l->r, 0, &cfg);
	qp->qpn = c.qpn = qp->rtl->qp->qpn;
	/* other ones in each run: one capture has them all */
	peer_qpn += 1 + (uint32_t)rng_below(&l->rng, 0x100);
	qp->peer_qpn = c.peer_qpn = peer_qpn;
	far.qpn = c.peer_qpn;
	memcpy(far.gid, c.peer_gid, 16);
	qp->cfg = c;
	l->visits_bytes += LOCK_VISIT_PACKETS * (c.pmtu + 100);
	qp->hot = nic_buffer(l, LOCK_HOT_BYTES);
	qp->sent_ack = c.rq_psn;
	qp->end = c.sq_psn;
	rdma_to_rts(qp->rtl, &far);
	add_model(l->shadow, &c);
	p = c;
	p.qpn = c.peer_qpn;
	p.peer_qpn = c.qpn;
	p.pd = LOCK_PEER_PD;
	memcpy(p.gid, c.peer_gid, 16);
	memcpy(p.peer_gid, c.gid, 16);
	p.rq_psn = c.sq_psn;
	p.sq_psn = c.rq_psn;
	p.max_rd_atomic = (uint8_t)rng_range(&l->rng, 1, c.max_dest_rd_atomic);
	p.max_dest_rd_atomic = 16;
	p.timeout = c.timeout;
	p.policy.send_credits = rng_percent(&l->rng, 50);
	p.policy.read_anew = rng_percent(&l->rng, 70);
	p.policy.migreq_0 = rng_percent(&l->rng, 50);
	add_model(l->peer, &p);
}
