// SPDX-License-Identifier: Apache-2.0
/*
 * Which frames a fault rule meets (sim_rule.h): selectors against a frame and what its direction
 * has seen.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_pkt.h"
#include "sim_pkt.h"
#include "sim_rule.h"

/* Frames of which the round is remembered per direction; past that, rounds start again. */
#define MAX_ROUNDS (1U << 22)

/* What a direction knows of one RoCE packet. */
struct seen {
	uint64_t nth;		/* its QP is the nth that appeared */
	uint32_t psn_rel;
	uint64_t round;
};

void sim_rules_init(struct sim_rules *rules, unsigned int nics, bool has_peer, uint64_t seed)
{
	*rules = (struct sim_rules){ .nics = nics, .has_peer = has_peer, .seed = seed };
}

int sim_rules_add(struct sim_rules *rules, const char *text, char *err)
{
	struct sim_rule *grown = realloc(rules->rule, (rules->n + 1) * sizeof(*grown));
	int ret;

	if (!grown)
		return -ENOMEM;
	rules->rule = grown;
	if (!rules->flows)
		rules->flows = calloc((size_t)SIM_MAX_PORTS * SIM_MAX_PORTS, sizeof(*rules->flows));
	if (!rules->flows)
		return -ENOMEM;
	ret = sim_rule_parse(&grown[rules->n], text, rules->nics, rules->has_peer, err);
	if (ret)
		return ret;
	grown[rules->n].rand = sim_rand_init(rules->seed, 0x10000 + rules->n);
	rules->by_round |= grown[rules->n].by_round;
	rules->n++;
	return 0;
}

void sim_rules_clear(struct sim_rules *rules)
{
	for (size_t i = 0; rules->flows && i < (size_t)SIM_MAX_PORTS * SIM_MAX_PORTS; i++) {
		sim_map_free(&rules->flows[i].qps);
		sim_map_free(&rules->flows[i].first_psn);
		sim_map_free(&rules->flows[i].rounds);
	}
	free(rules->flows);
	free(rules->rule);
	sim_rules_init(rules, rules->nics, rules->has_peer, rules->seed);
}

/*
 * Bring the direction's memory up to date with a packet.  Without memory for it, the selectors do
 * not match.
 */
static struct seen remember(struct sim_flow *flow, const struct sim_pkt *pkt, bool by_round)
{
	uint64_t rsp = !!(pkt->flags & CAIRN_OPF_RSP);
	uint64_t *nth = sim_map_get(&flow->qps, pkt->qp);
	uint64_t *first = sim_map_get(&flow->first_psn, (uint64_t)pkt->qp << 1 | rsp);
	struct seen seen = { 0 };

	if (nth) {
		if (!*nth)
			*nth = flow->qps.used;
		seen.nth = *nth;
	}
	if (first) {
		if (!*first)
			*first = 1ULL << 32 | pkt->psn;
		seen.psn_rel = (pkt->psn - (uint32_t)*first) & 0xffffff;
	}
	if (by_round) {
		uint64_t *round;

		if (flow->rounds.used >= MAX_ROUNDS)
			sim_map_free(&flow->rounds);
		round = sim_map_get(&flow->rounds, (uint64_t)pkt->qp << 32 |
							   (uint64_t)pkt->psn << 8 | pkt->opcode);
		if (round)
			seen.round = ++*round;
	}
	return seen;
}

static bool in(const struct sim_ranges *ranges, uint64_t value)
{
	for (unsigned int i = 0; i < ranges->n; i++)
		if (value >= ranges->r[i].lo && value <= ranges->r[i].hi)
			return true;
	return !ranges->n;
}

static bool type_is(enum sim_rule_type type, enum sim_pkt_kind kind)
{
	switch (type) {
	case SIM_TYPE_ROCE:
		return kind == SIM_PKT_ROCE;
	case SIM_TYPE_ARP:
		return kind == SIM_PKT_ARP;
	case SIM_TYPE_IP:
		return kind == SIM_PKT_IP;
	case SIM_TYPE_OTHER:
		return kind == SIM_PKT_OTHER;
	default:
		return true;
	}
}

static bool aeth_is(enum sim_rule_aeth aeth, int syndrome)
{
	static const int class[] = {
		[SIM_AETH_ACK] = CAIRN_AETH_CLASS_ACK, [SIM_AETH_RNR] = CAIRN_AETH_CLASS_RNR,
		[SIM_AETH_NAK] = CAIRN_AETH_CLASS_NAK,
	};

	return aeth == SIM_ANY_AETH || (syndrome >= 0 && (syndrome >> 5 & 3) == class[aeth]);
}

static bool selects(const struct sim_rule *rule, unsigned int src, unsigned int dst, uint64_t now,
		    uint32_t len, const struct sim_pkt *pkt, const struct seen *seen)
{
	if (rule->src != SIM_ANY_PORT && rule->src != (int)src)
		return false;
	if (rule->dst != SIM_ANY_PORT && rule->dst != (int)dst)
		return false;
	if (!type_is(rule->type, pkt->kind) || !in(&rule->len, len) || now < rule->after ||
	    now >= rule->before)
		return false;
	if (!rule->roce_only)
		return true;
	return pkt->kind == SIM_PKT_ROCE && (!rule->by_op || rule->op[pkt->opcode]) &&
	       aeth_is(rule->aeth, pkt->syndrome) && in(&rule->qp, pkt->qp) &&
	       in(&rule->qp_nth, seen->nth) && in(&rule->psn, seen->psn_rel) &&
	       in(&rule->psn_abs, pkt->psn) && in(&rule->round, seen->round);
}

static void act(struct sim_rule *rule, uint32_t len, struct sim_fault *fault)
{
	int64_t bit;

	switch (rule->action) {
	case SIM_DROP:
		fault->drop = true;
		break;
	case SIM_CORRUPT:
		bit = rule->arg == SIM_ANY_BIT ? (int64_t)sim_rand_below(&rule->rand, len * 8ULL) :
		      rule->arg < 0 ? (int64_t)len * 8 + rule->arg : rule->arg;
		if (bit >= 0 && bit < (int64_t)len * 8 && fault->n_bits < 8)
			fault->bits[fault->n_bits++] = (uint32_t)bit;
		break;
	case SIM_BADFCS:
		fault->badfcs = true;
		break;
	case SIM_DUP:
		fault->copies += (unsigned int)rule->arg;
		break;
	case SIM_DELAY:
		fault->delay_ns += (uint64_t)rule->arg;
		break;
	case SIM_REORDER:
		if (fault->reorder < rule->arg)
			fault->reorder = (unsigned int)rule->arg;
		break;
	case SIM_ECN:
		fault->ecn = true;
		break;
	case SIM_TRUNCATE:
		if ((uint32_t)rule->arg < len)
			fault->truncate = (uint32_t)rule->arg;
		break;
	case SIM_ACTIONS:
		break;
	}
}

void sim_rules_apply(struct sim_rules *rules, unsigned int src, unsigned int dst, uint64_t now,
		     const uint8_t *frame, uint32_t len, struct sim_fault *fault)
{
	struct sim_pkt pkt;
	struct seen seen = { 0 };

	if (!rules->n)
		return;
	sim_pkt_parse(frame, len, &pkt);
	if (pkt.kind == SIM_PKT_ROCE)
		seen = remember(&rules->flows[src * SIM_MAX_PORTS + dst], &pkt, rules->by_round);
	for (struct sim_rule *rule = rules->rule; rule < rules->rule + rules->n; rule++) {
		if (!selects(rule, src, dst, now, len, &pkt, &seen))
			continue;
		rule->seen++;
		if (!in(&rule->k, rule->seen) || (rule->every && rule->seen % rule->every))
			continue;
		if ((rule->p < 1 && !sim_rand_hit(&rule->rand, rule->p)) ||
		    (rule->count && rule->hits >= rule->count))
			continue;
		rule->hits++;
		act(rule, len, fault);
	}
}
