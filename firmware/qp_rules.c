// SPDX-License-Identifier: Apache-2.0
/*
 * Rules of MODIFY_QP as data (docs/commands.md 9; IBTA 10.3.1, 11.2.5.2): which attributes a
 * transition needs and takes, what values they may have, and what they change in the record.
 */
#include <string.h>

#include "dev.h"
#include "gid.h"
#include "port.h"
#include "qp.h"

#define M(name) CAIRN_QP_MASK_##name
#define BASIC (M(PKEY_INDEX) | M(PORT) | M(ACCESS))
#define RC 1u
#define UC 2u
#define UD 4u
#define GSI 8u
#define DG (UD | GSI)

struct row {
	uint8_t types, from;
	uint32_t required, optional;
};

static_assert(RC == 1 << CAIRN_QP_TYPE_RC && UC == 1 << CAIRN_QP_TYPE_UC &&
		      UD == 1 << CAIRN_QP_TYPE_UD && GSI == 1 << CAIRN_QP_TYPE_GSI,
	      "row.types has a bit per enum qp_type");

#define S(name) CAIRN_QP_STATE_##name
#define RTS_OPT_RC (M(CUR_STATE) | M(ACCESS) | M(MIN_RNR_TIMER))
/* By the state to go to; every state leads to RESET, and all but that to ERR. */
static const struct row to_init[] = {
	{ RC | UC, S(RESET), BASIC, 0 },
	{ UD, S(RESET), M(PKEY_INDEX) | M(PORT) | M(QKEY), 0 },
	{ GSI, S(RESET), M(PKEY_INDEX) | M(QKEY), M(PORT) },
	{ RC | UC, S(INIT), 0, BASIC },
	{ DG, S(INIT), 0, M(PKEY_INDEX) | M(PORT) | M(QKEY) },
};
static const struct row to_rtr[] = {
	{ RC, S(INIT),
	  M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN) | M(MAX_DEST_RD_ATOMIC) | M(MIN_RNR_TIMER),
	  M(ACCESS) | M(PKEY_INDEX) },
	{ UC, S(INIT), M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN), M(ACCESS) | M(PKEY_INDEX) },
	{ DG, S(INIT), 0, M(PKEY_INDEX) | M(QKEY) },
};
static const struct row to_rts[] = {
	{ RC, S(RTR), M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(SQ_PSN) | M(MAX_RD_ATOMIC),
	  RTS_OPT_RC },
	{ UC, S(RTR), M(SQ_PSN), M(CUR_STATE) | M(ACCESS) },
	{ DG, S(RTR), M(SQ_PSN), M(CUR_STATE) | M(QKEY) },
	{ RC, S(RTS), 0, RTS_OPT_RC },
	{ UC, S(RTS), 0, M(CUR_STATE) | M(ACCESS) },
	{ DG, S(RTS), 0, M(CUR_STATE) | M(QKEY) },
	{ RC, S(SQD), 0, RTS_OPT_RC },
	{ UC, S(SQD), 0, M(CUR_STATE) | M(ACCESS) },
	{ DG, S(SQD), 0, M(CUR_STATE) | M(QKEY) },
	{ UC, S(SQE), 0, M(CUR_STATE) | M(ACCESS) },
	{ DG, S(SQE), 0, M(CUR_STATE) | M(QKEY) },
};
static const struct row to_sqd[] = {
	{ RC | UC | DG, S(RTS), 0, M(CUR_STATE) | M(EN_SQD_NOTIFY) },
	{ RC, S(SQD), 0,
	  M(PORT) | M(AV) | M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(MAX_RD_ATOMIC) |
		  M(MAX_DEST_RD_ATOMIC) | M(PKEY_INDEX) | M(ACCESS) | M(MIN_RNR_TIMER) },
	{ UC, S(SQD), 0, M(PORT) | M(AV) | M(PKEY_INDEX) | M(ACCESS) },
	{ DG, S(SQD), 0, M(PKEY_INDEX) | M(QKEY) },
};
#define ROWS(array) { array, ARRAY_SIZE(array) }
static const struct {
	const struct row *row;
	unsigned int n;
} moves[] = {
	[S(INIT)] = ROWS(to_init),
	[S(RTR)] = ROWS(to_rtr),
	[S(RTS)] = ROWS(to_rts),
	[S(SQD)] = ROWS(to_sqd),
};

bool qp_rule_find(unsigned int type, unsigned int from, unsigned int to, struct qp_rule *rule)
{
	const struct row *r;

	if (to == S(RESET) || to == S(ERR)) {
		rule->required = 0;
		rule->optional = M(CUR_STATE);
		return to == S(RESET) || from != S(RESET);
	}
	if (to >= ARRAY_SIZE(moves))
		return false;
	r = moves[to].row;
	for (unsigned int left = moves[to].n; left; left--, r++) {
		if (r->from != from || !(r->types >> type & 1))
			continue;
		rule->required = r->required;
		rule->optional = r->optional | M(LANE);
		return true;
	}
	return false;
}

#define WORD(member) (offsetof(struct cairn_qp_attr, member) / 4)

static int av_check(const struct cairn_qp_attr *a, bool *unsupported)
{
	_Alignas(4) static const uint8_t zero[16];

	if (gid_equal(a->dgid, zero))
		return WORD(dgid);
	if (a->sgid_index >= GIDS || !dev.gids[a->sgid_index].valid ||
	    (dev.gid_leaving >> a->sgid_index & 1))
		return WORD(sgid_index);
	if (gid_is_v4(a->dgid) != gid_is_v4(dev.gids[a->sgid_index].raw))
		return WORD(dgid);
	if (a->flow_label >> 20)
		return WORD(flow_label);
	if (a->tclass > 255)
		return WORD(tclass);
	if (a->hop_limit > 255)
		return WORD(hop_limit);
	if (a->sl > 7)
		return WORD(sl);
	if (a->sport >> 16)
		return WORD(sport);
	*unsupported = false;
	return a->dmac >> 48 ? (int)WORD(dmac) : -1;
}

int qp_attr_check(const struct cairn_qp_attr *a, uint32_t mask, bool *unsupported)
{
#define LIMIT(bit, member, max)                      \
	if ((mask & M(bit)) && a->member > (max)) \
		return WORD(member)

	*unsupported = false;
	LIMIT(MIN_RNR_TIMER, min_rnr_timer, 31);
	LIMIT(TIMEOUT, timeout, 31);
	LIMIT(RETRY_CNT, retry_cnt, 7);
	LIMIT(RNR_RETRY, rnr_retry, 7);
	LIMIT(DEST_QPN, dest_qpn, 0xffffff);
	LIMIT(MAX_DEST_RD_ATOMIC, max_dest_rd_atomic, CAIRN_MAX_RD_ATOMIC);
	LIMIT(PKEY_INDEX, pkey_index, 0);
	LIMIT(LANE, lane, 0);
	LIMIT(ACCESS, access, 15);
	LIMIT(EN_SQD_NOTIFY, en_sqd_notify, 1);
#undef LIMIT
	if ((mask & M(PATH_MTU)) && (a->path_mtu < 1 || a->path_mtu > port_active_mtu()))
		return WORD(path_mtu);
	if ((mask & M(PORT)) && a->port != 1)
		return WORD(port);
	if ((mask & M(ACCESS)) && (a->access & CAIRN_ACCESS_REMOTE_ATOMIC) &&
	    !(dev.features & CAIRN_REG_FEATURES_ATOMIC)) {
		*unsupported = true;
		return WORD(access);
	}
	return mask & M(AV) ? av_check(a, unsupported) : -1;
}

/* UDP source port: the flow label's, or one that both ends compute alike from the QPNs. */
static uint32_t flow_port(uint32_t flow, uint32_t lqpn, uint32_t rqpn)
{
	uint64_t v = (uint64_t)lqpn * rqpn;

	if (!flow) {
		v ^= v >> 20;
		v ^= v >> 40;
		flow = v & 0xfffff;
	}
	return 0xc000 | ((flow & 0x3fff) ^ (flow >> 14));
}

static void av_apply(struct cairn_qp_cfg *cfg, const struct cairn_qp_attr *a, uint32_t rqpn,
		     uint32_t qpn)
{
	const struct gid *g = &dev.gids[a->sgid_index];
	uint32_t sport = a->sport ? a->sport : flow_port(a->flow_label, qpn, rqpn);
	uint32_t keep = cfg->flow_tclass & CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;

	memcpy(cfg->dgid, a->dgid, 16);
	CAIRN_SET(cfg->pd_sgid, CAIRN_QP_CFG_PD_SGID_SGID_INDEX, a->sgid_index);
	CAIRN_SET(cfg->rqpn_hop, CAIRN_QP_CFG_RQPN_HOP_HOP_LIMIT, a->hop_limit ? a->hop_limit : 64);
	cfg->dmac_sport = CAIRN_PUT(CAIRN_QP_CFG_DMAC_SPORT_DMAC, a->dmac) |
			  CAIRN_PUT(CAIRN_QP_CFG_DMAC_SPORT_SPORT, (uint64_t)sport);
	cfg->flow_tclass = keep | CAIRN_PUT(CAIRN_QP_CFG_FLOW_TCLASS_FLOW, a->flow_label) |
			   CAIRN_PUT(CAIRN_QP_CFG_FLOW_TCLASS_TCLASS, a->tclass) |
			   (g->vlan ? CAIRN_QP_CFG_FLOW_TCLASS_VLAN : 0) |
			   (gid_is_v4(a->dgid) ? 0 : CAIRN_QP_CFG_FLOW_TCLASS_IPV6);
	CAIRN_SET(cfg->pkey_vlan, CAIRN_QP_CFG_PKEY_VLAN_TCI, (g->tci & 0x1fffu) | a->sl << 13);
}

void qp_attr_apply(struct cairn_qp_cfg *cfg, const struct cairn_qp_attr *a, uint32_t mask,
		   uint32_t qpn)
{
	uint32_t rd = a->max_rd_atomic < CAIRN_MAX_RD_ATOMIC ? a->max_rd_atomic
							     : CAIRN_MAX_RD_ATOMIC;

	if (mask & M(ACCESS)) {
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_REMOTE_WRITE,
			  !!(a->access & CAIRN_ACCESS_REMOTE_WRITE));
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_REMOTE_READ,
			  !!(a->access & CAIRN_ACCESS_REMOTE_READ));
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_REMOTE_ATOMIC,
			  !!(a->access & CAIRN_ACCESS_REMOTE_ATOMIC));
	}
	if (mask & M(PATH_MTU))
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_PMTU, a->path_mtu);
	if (mask & M(RETRY_CNT))
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_RETRY_CNT, a->retry_cnt);
	if (mask & M(RNR_RETRY))
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_RNR_RETRY, a->rnr_retry);
	if (mask & M(TIMEOUT))
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_TIMEOUT, a->timeout);
	if (mask & M(MIN_RNR_TIMER))
		CAIRN_SET(cfg->state, CAIRN_QP_CFG_STATE_MIN_RNR_TIMER, a->min_rnr_timer);
	if (mask & M(DEST_QPN))
		CAIRN_SET(cfg->rqpn_hop, CAIRN_QP_CFG_RQPN_HOP_RQPN, a->dest_qpn);
	if (mask & M(MAX_RD_ATOMIC))
		CAIRN_SET(cfg->rd, CAIRN_QP_CFG_RD_MAX_RD_ATOMIC, rd);
	if (mask & M(MAX_DEST_RD_ATOMIC))
		CAIRN_SET(cfg->rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, a->max_dest_rd_atomic);
	if (mask & M(QKEY))
		cfg->qkey = a->qkey;
	if (mask & M(EN_SQD_NOTIFY))
		CAIRN_SET(cfg->flow_tclass, CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY, a->en_sqd_notify);
	if (mask & M(PKEY_INDEX))
		CAIRN_SET(cfg->pkey_vlan, CAIRN_QP_CFG_PKEY_VLAN_PKEY, 0xffffu);
	if (mask & M(AV))
		av_apply(cfg, a, CAIRN_GET(cfg->rqpn_hop, CAIRN_QP_CFG_RQPN_HOP_RQPN), qpn);
}
