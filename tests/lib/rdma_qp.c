// SPDX-License-Identifier: Apache-2.0
/* Queue pairs of transport tests: create, connect, end; see rdma.h. */
#include "rdma.h"

#include <string.h>

void rdma_qp_cfg_init(struct rdma_qp_cfg *cfg)
{
	*cfg = (struct rdma_qp_cfg){
		.type = CAIRN_QP_TYPE_RC,
		.send_wr = 64,
		.recv_wr = 64,
		.send_sge = 4,
		.recv_sge = 4,
		.max_inline = 64,
		.access = RDMA_ALL_ACCESS,
		.pmtu = 3,
		.sq_psn = CAIRN_ANY,
		.timeout = 8,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.min_rnr_timer = 1,
		.rd_atomic = CAIRN_MAX_RD_ATOMIC,
		.dest_rd_atomic = CAIRN_MAX_RD_ATOMIC,
		.gid_index = 1,
		.qpn = CAIRN_ANY,
	};
}

struct rdma_qp *rdma_create_qp(struct rdma *r, unsigned int nic, const struct rdma_qp_cfg *cfg)
{
	struct rdma_qp *qp = calloc(1, sizeof(*qp));
	struct cairn_qp_init init;

	assert_non_null(qp);
	if (cfg)
		qp->cfg = *cfg;
	else
		rdma_qp_cfg_init(&qp->cfg);
	cfg = &qp->cfg;
	init = (struct cairn_qp_init){
		.type = cfg->type,
		.send_cq = (cfg->send_cq ? cfg->send_cq : r->nic[nic].cq)->cq,
		.recv_cq = (cfg->recv_cq ? cfg->recv_cq : r->nic[nic].cq)->cq,
		.max_send_wr = cfg->send_wr,
		.max_recv_wr = cfg->recv_wr,
		.max_send_sge = cfg->send_sge,
		.max_recv_sge = cfg->recv_sge,
		.max_inline = cfg->max_inline,
		.srq = cfg->srq,
		.user = qp,
		.qpn = cfg->qpn,
	};
	qp->r = r;
	qp->nic = nic;
	qp->sq_psn = (cfg->sq_psn == CAIRN_ANY ? (uint32_t)rng_u64(&r->rng) : cfg->sq_psn) &
		     0xffffff;
	if (cairn_create_qp(cfg->pd ? cfg->pd : r->nic[nic].pd, &init, &qp->qp)) {
		free(qp);
		rdma_fail(r, "QP: %s", cairn_last_error());
	}
	rdma_ledger_init(qp);
	qp->next = r->qps;
	r->qps = qp;
	return qp;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* What the three steps to RTS set, docs/commands.md. */
static void rts_masks(enum cairn_qp_type type, uint32_t mask[3])
{
	bool rc = type == CAIRN_QP_TYPE_RC, ud = type == CAIRN_QP_TYPE_UD;

	mask[0] = CAIRN_QP_MASK_PKEY_INDEX | CAIRN_QP_MASK_PORT |
		  (ud ? CAIRN_QP_MASK_QKEY : CAIRN_QP_MASK_ACCESS);
	mask[1] = ud ? 0
		     : CAIRN_QP_MASK_AV | CAIRN_QP_MASK_PATH_MTU | CAIRN_QP_MASK_DEST_QPN |
			       CAIRN_QP_MASK_RQ_PSN;
	mask[2] = CAIRN_QP_MASK_SQ_PSN;
	if (!rc)
		return;
	mask[1] |= CAIRN_QP_MASK_MAX_DEST_RD_ATOMIC | CAIRN_QP_MASK_MIN_RNR_TIMER;
	mask[2] |= CAIRN_QP_MASK_TIMEOUT | CAIRN_QP_MASK_RETRY_CNT | CAIRN_QP_MASK_RNR_RETRY |
		   CAIRN_QP_MASK_MAX_RD_ATOMIC;
}

void rdma_to_rts(struct rdma_qp *qp, const struct rdma_far *far)
{
	const struct rdma_qp_cfg *cfg = &qp->cfg;
	const struct rdma_nic *nic = &qp->r->nic[qp->nic];
	struct cairn_qp_attr attr = {
		.path_mtu = cfg->pmtu,
		.qkey = cfg->qkey,
		.rq_psn = far->psn & 0xffffff,
		.sq_psn = qp->sq_psn,
		.dest_qpn = far->qpn,
		.access = cfg->access,
		.port = 1,
		.max_rd_atomic = least(cfg->rd_atomic, nic->caps.max_rd_atomic),
		.max_dest_rd_atomic = least(cfg->dest_rd_atomic, nic->caps.max_dest_rd_atomic),
		.min_rnr_timer = cfg->min_rnr_timer,
		.timeout = cfg->timeout,
		.retry_cnt = cfg->retry_cnt,
		.rnr_retry = cfg->rnr_retry,
		.sgid_index = cfg->gid_index,
		.tclass = cfg->traffic_class,
		.hop_limit = 64,
		.dmac = far->mac,
	};
	uint32_t mask[3];

	rts_masks(cfg->type, mask);
	memcpy(attr.dgid, far->gid, 16);
	for (unsigned int i = 0; i < 3; i++) {
		static const char *const what[] = { "QP to INIT", "QP to RTR", "QP to RTS" };

		attr.state = CAIRN_QP_STATE_INIT + i;
		rdma_ok(qp->r, cairn_modify_qp(qp->qp, &attr, CAIRN_QP_MASK_STATE | mask[i]),
			what[i]);
	}
}

/* To its peer, a QP of this program; ask: firmware finds its MAC. */
static void to_peer(struct rdma_qp *qp, bool ask)
{
	const struct rdma_nic *other = &qp->r->nic[qp->peer->nic];
	struct rdma_far far = { .qpn = qp->peer->qp->qpn, .psn = qp->peer->sq_psn,
				.mac = ask ? 0 : sim_nic_mac(other->sim) };
	uint32_t vlan;

	rdma_ok(qp->r, cairn_query_gid(other->dev, qp->peer->cfg.gid_index, far.gid, &vlan), "GID");
	rdma_to_rts(qp, &far);
}

void rdma_connect(struct rdma_qp *a, struct rdma_qp *b)
{
	a->peer = b;
	b->peer = a;
	to_peer(a, false);
	if (a != b)
		to_peer(b, false);
}

uint64_t rdma_pair_cycles(struct rdma *r, bool ask)
{
	uint64_t from = sim_cycle(r->sim);
	struct rdma_qp *qp[2];

	for (unsigned int i = 0; i < 2; i++) {
		struct rdma_qp_cfg cfg;

		rdma_qp_cfg_init(&cfg);
		cfg.send_cq = cfg.recv_cq = rdma_create_cq(r, i, 256);
		qp[i] = rdma_create_qp(r, i, &cfg);
	}
	qp[0]->peer = qp[1];
	qp[1]->peer = qp[0];
	for (unsigned int i = 0; i < 2; i++)
		to_peer(qp[i], ask);
	return sim_cycle(r->sim) - from;
}

struct rdma_qp *rdma_pair(struct rdma *r, unsigned int a, unsigned int b,
			  const struct rdma_qp_cfg *cfg)
{
	struct rdma_qp *first = rdma_create_qp(r, a, cfg);

	rdma_connect(first, rdma_create_qp(r, b, cfg));
	return first;
}

uint32_t rdma_destroy_qp(struct rdma_qp *qp)
{
	struct rdma_qp **link = &qp->r->qps;
	uint32_t held = CAIRN_ANY;

	while (*link != qp)
		link = &(*link)->next;
	*link = qp->next;
	for (struct rdma_qp *other = qp->r->qps; other; other = other->next)
		if (other->peer == qp)
			other->peer = NULL;
	rdma_counters_gone(qp);
	cairn_destroy_qp(qp->qp, &held);
	rdma_ledger_free(qp);
	free(qp);
	return held;
}

void rdma_reset_qp(struct rdma_qp *qp)
{
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_RESET };

	rdma_counters_gone(qp);
	rdma_ok(qp->r, cairn_modify_qp(qp->qp, &attr, CAIRN_QP_MASK_STATE), "QP to RESET");
	rdma_counters_new(qp);
}

void rdma_qp_error(struct rdma_qp *qp)
{
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_ERR };

	qp->moved = true;
	rdma_ok(qp->r, cairn_modify_qp(qp->qp, &attr, CAIRN_QP_MASK_STATE), "QP to ERR");
}

uint32_t rdma_qp_state(struct rdma_qp *qp)
{
	struct cairn_qp_attr attr;

	rdma_ok(qp->r, cairn_query_qp(qp->qp, &attr), "QP query");
	return attr.state;
}
