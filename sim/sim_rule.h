/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of the simulated wire by rule: "drop k=3 nic0>nic1 op=write".  The language is in
 * docs/rules.md. sim_rule.c reads the words of a rule, sim_match.c keeps what is known of each
 * direction and decides.
 */
#ifndef CAIRN_SIM_RULE_H
#define CAIRN_SIM_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_map.h"
#include "sim_rand.h"
#include "sim_wire.h"

#define SIM_RULE_RANGES		16
#define SIM_RULE_MAX_DUP	16

enum sim_action {
	SIM_DROP,
	SIM_CORRUPT,
	SIM_BADFCS,
	SIM_DUP,
	SIM_DELAY,
	SIM_REORDER,
	SIM_ECN,
	SIM_TRUNCATE,
	SIM_ACTIONS
};

/* A list of numbers and ranges; n == 0: anything. */
struct sim_ranges {
	unsigned int n;
	struct { uint64_t lo, hi; } r[SIM_RULE_RANGES];
};

enum sim_rule_type { SIM_ANY_TYPE, SIM_TYPE_ROCE, SIM_TYPE_ARP, SIM_TYPE_IP, SIM_TYPE_OTHER };
enum sim_rule_aeth { SIM_ANY_AETH, SIM_AETH_ACK, SIM_AETH_RNR, SIM_AETH_NAK };

#define SIM_ANY_PORT	(-1)
#define SIM_ANY_BIT	INT64_MIN

struct sim_rule {
	enum sim_action action;
	int64_t arg;			/* bit, copies, ns, frames, bytes: by action */
	int src, dst;			/* ports, or SIM_ANY_PORT */
	bool roce_only;			/* a selector needs RoCE headers */
	bool by_op, by_round;
	bool op[256];
	enum sim_rule_type type;
	enum sim_rule_aeth aeth;
	struct sim_ranges k, qp, qp_nth, psn, psn_abs, round, len;
	uint64_t every;			/* 0: each one */
	uint64_t count;			/* 0: without limit */
	double p;
	uint64_t after, before;		/* ns */
	/* state */
	uint64_t seen; /* frames that passed all selectors but k, every, p and count */
	uint64_t hits;
	struct sim_rand rand;
};

/* Ports as rules name them: nic0 .. nic<nics-1>; "peer" is port `nics` where has_peer. */
int sim_rule_parse(struct sim_rule *rule, const char *text, unsigned int nics, bool has_peer,
		   char *err);

/* ---- deciding ---- */

/* What happens to one frame; all zero: nothing. */
struct sim_fault {
	bool drop, badfcs, ecn;
	uint32_t truncate;		/* new length; 0: as it is */
	unsigned int copies;		/* extra ones */
	unsigned int reorder;		/* hold until so many later frames have passed */
	uint64_t delay_ns;
	unsigned int n_bits;		/* bits to flip */
	uint32_t bits[8];
};

/* Per direction, what selectors remember: QPs in order of appearance, first PSNs, times seen. */
struct sim_flow {
	struct sim_map qps;		/* dest QP -> 1, 2, ... */
	struct sim_map first_psn;	/* dest QP << 1 | response -> 1 << 32 | PSN */
	struct sim_map rounds;		/* dest QP, PSN, opcode -> times seen */
};

struct sim_rules {
	unsigned int nics;
	bool has_peer;
	uint64_t seed;
	struct sim_rule *rule;
	unsigned int n;
	bool by_round;
	struct sim_flow *flows;		/* [src * SIM_MAX_PORTS + dst], made with the first rule */
};

void sim_rules_init(struct sim_rules *rules, unsigned int nics, bool has_peer, uint64_t seed);
/* 0, -EINVAL with a message in err (SIM_ERR_MAX), -ENOMEM. */
int sim_rules_add(struct sim_rules *rules, const char *text, char *err);
void sim_rules_clear(struct sim_rules *rules);
/* Adds to *fault what the rules want for this frame. */
void sim_rules_apply(struct sim_rules *rules, unsigned int src, unsigned int dst, uint64_t now,
		     const uint8_t *frame, uint32_t len, struct sim_fault *fault);

#endif
