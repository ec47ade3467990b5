// SPDX-License-Identifier: Apache-2.0
/*
 * Rules of MODIFY_QP as data (docs/commands.md 9; IBTA 10.3.1, 11.2.5.2): which attributes a
 * transition needs and takes, what values they may have, and what they change in the record.
 */
#include <string.h>

#include "fw.h"

#define M(name) CAIRN_QP_MASK_##name
#define ANY 0xff
#define BASIC (M(PKEY_INDEX) | M(PORT) | M(ACCESS))
#define RC 1u
#define UC 2u
#define UD 4u
#define GSI 8u
#define DG (UD | GSI)

struct row {
	uint8_t types;
	uint8_t from, to;
	uint32_t required, optional;
};

static_assert(RC == 1 << CAIRN_QP_TYPE_RC && UC == 1 << CAIRN_QP_TYPE_UC &&
		      UD == 1 << CAIRN_QP_TYPE_UD && GSI == 1 << CAIRN_QP_TYPE_GSI,
	      "row.types has a bit per enum qp_type");

#define S(name) CAIRN_QP_STATE_##name
#define RTS_OPT_RC (M(CUR_STATE) | M(ACCESS) | M(MIN_RNR_TIMER))
static const struct row rows[] = {
	{ RC | UC, S(RESET), S(INIT), BASIC, 0 },
	{ UD, S(RESET), S(INIT), M(PKEY_INDEX) | M(PORT) | M(QKEY), 0 },
	{ GSI, S(RESET), S(INIT), M(PKEY_INDEX) | M(QKEY), M(PORT) },
	{ RC | UC, S(INIT), S(INIT), 0, BASIC },
	{ DG, S(INIT), S(INIT), 0, M(PKEY_INDEX) | M(PORT) | M(QKEY) },
	{ RC, S(INIT), S(RTR),
	  M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN) | M(MAX_DEST_RD_ATOMIC) | M(MIN_RNR_TIMER),
	  M(ACCESS) | M(PKEY_INDEX) },
	{ UC, S(INIT), S(RTR), M(AV) | M(PATH_MTU) | M(DEST_QPN) | M(RQ_PSN),
	  M(ACCESS) | M(PKEY_INDEX) },
	{ DG, S(INIT), S(RTR), 0, M(PKEY_INDEX) | M(QKEY) },
	{ RC, S(RTR), S(RTS),
	  M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(SQ_PSN) | M(MAX_RD_ATOMIC), RTS_OPT_RC },
	{ UC, S(RTR), S(RTS), M(SQ_PSN), M(CUR_STATE) | M(ACCESS) },
	{ DG, S(RTR), S(RTS), M(SQ_PSN), M(CUR_STATE) | M(QKEY) },
	{ RC, S(RTS), S(RTS), 0, RTS_OPT_RC },
	{ UC, S(RTS), S(RTS), 0, M(CUR_STATE) | M(ACCESS) },
	{ DG, S(RTS), S(RTS), 0, M(CUR_STATE) | M(QKEY) },
	{ RC, S(SQD), S(RTS), 0, RTS_OPT_RC },
	{ UC, S(SQD), S(RTS), 0, M(CUR_STATE) | M(ACCESS) },
	{ DG, S(SQD), S(RTS), 0, M(CUR_STATE) | M(QKEY) },
	{ RC | UC | DG, S(RTS), S(SQD), 0, M(CUR_STATE) | M(EN_SQD_NOTIFY) },
	{ RC, S(SQD), S(SQD), 0,
	  M(PORT) | M(AV) | M(TIMEOUT) | M(RETRY_CNT) | M(RNR_RETRY) | M(MAX_RD_ATOMIC) |
		  M(MAX_DEST_RD_ATOMIC) | M(PKEY_INDEX) | M(ACCESS) | M(MIN_RNR_TIMER) },
	{ UC, S(SQD), S(SQD), 0, M(PORT) | M(AV) | M(PKEY_INDEX) | M(ACCESS) },
	{ DG, S(SQD), S(SQD), 0, M(PKEY_INDEX) | M(QKEY) },
	{ UC, S(SQE), S(RTS), 0, M(CUR_STATE) | M(ACCESS) },
	{ DG, S(SQE), S(RTS), 0, M(CUR_STATE) | M(QKEY) },
	{ RC | UC | DG, ANY, S(RESET), 0, M(CUR_STATE) },
	{ RC | UC | DG, ANY, S(ERR), 0, M(CUR_STATE) },
};

bool qp_rule_find(unsigned int type, unsigned int from, unsigned int to, struct qp_rule *rule)
{
	unsigned int bit = 1u << type;

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];

		if (!(r->types & bit) || r->to != to || (r->from != from && r->from != ANY))
			continue;
		if (to == S(ERR) && from == S(RESET))
			return false;
		rule->required = r->required;
		rule->optional = r->optional;
		if (to != S(RESET) && to != S(ERR))
			rule->optional |= M(LANE);
		return true;
	}
	return false;
}

#define WORD(member) (offsetof(struct cairn_qp_attr, member) / 4)

static int av_check(const struct cairn_qp_attr *a, bool *unsupported)
{
	static const uint8_t zero[16];

	if (!memcmp(a->dgid, zero, 16))
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
	const struct {
		uint32_t bit;
		int word;
		uint32_t value, max;
	} limits[] = {
		{ M(MIN_RNR_TIMER), WORD(min_rnr_timer), a->min_rnr_timer, 31 },
		{ M(TIMEOUT), WORD(timeout), a->timeout, 31 },
		{ M(RETRY_CNT), WORD(retry_cnt), a->retry_cnt, 7 },
		{ M(RNR_RETRY), WORD(rnr_retry), a->rnr_retry, 7 },
		{ M(DEST_QPN), WORD(dest_qpn), a->dest_qpn, 0xffffff },
		{ M(MAX_DEST_RD_ATOMIC), WORD(max_dest_rd_atomic), a->max_dest_rd_atomic,
		  CAIRN_MAX_RD_ATOMIC },
		{ M(PKEY_INDEX), WORD(pkey_index), a->pkey_index, 0 },
		{ M(LANE), WORD(lane), a->lane, 0 },
		{ M(ACCESS), WORD(access), a->access, 15 },
		{ M(EN_SQD_NOTIFY), WORD(en_sqd_notify), a->en_sqd_notify, 1 },
	};

	*unsupported = false;
	for (unsigned int i = 0; i < ARRAY_SIZE(limits); i++)
		if ((mask & limits[i].bit) && limits[i].value > limits[i].max)
			return limits[i].word;
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
