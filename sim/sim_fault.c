// SPDX-License-Identifier: Apache-2.0
/*
 * Faults between a transmitter and a receiver: rules first, then probabilities.  For each frame the
 * same random numbers are drawn whatever is switched on, so that adding one kind of fault does not
 * move the others.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_pkt.h"
#include "sim_wire_priv.h"

/* A held frame goes after this time even if nothing follows it: reordering must not become loss. */
#define HOLD_NS		20000
#define MAX_REORDER	4	/* frames that overtake, by probability: 1 to this */

static void by_chance(struct sim_wire *wire, unsigned int src, unsigned int dst, uint32_t len,
		      struct sim_fault *fault)
{
	const struct sim_wire_cfg *cfg = &wire->cfg;
	struct sim_rand *rand = &wire->rand[src * wire->n_ports + dst];
	bool loss = sim_rand_hit(rand, cfg->loss), corrupt = sim_rand_hit(rand, cfg->corrupt);
	bool dup = sim_rand_hit(rand, cfg->dup), reorder = sim_rand_hit(rand, cfg->reorder);
	bool ecn = sim_rand_hit(rand, cfg->ecn);
	/* independent of the frame's length: one number each */
	uint32_t bit = (uint32_t)sim_rand_below(rand, len * 8ULL);
	unsigned int behind = 1 + (unsigned int)sim_rand_below(rand, MAX_REORDER);

	fault->drop |= loss;
	fault->ecn |= ecn;
	fault->copies += dup;
	if (corrupt && fault->n_bits < 8)
		fault->bits[fault->n_bits++] = bit;
	if (reorder && !fault->reorder)
		fault->reorder = behind;
}

/* Change the bytes of a frame as the fault says. */
static void damage(struct sim_frame *frame, const struct sim_fault *fault,
		   struct sim_wire_stats *stats)
{
	if (fault->ecn) {
		struct sim_pkt pkt;

		sim_pkt_parse(frame->data, frame->len, &pkt);
		stats->ecn_marked += sim_pkt_mark_ce(frame->data, &pkt);
	}
	for (unsigned int i = 0; i < fault->n_bits; i++)
		frame->data[fault->bits[i] / 8] ^= (uint8_t)(1 << fault->bits[i] % 8);
	frame->err |= fault->badfcs;
	stats->corrupted += fault->n_bits || fault->badfcs;
	if (fault->truncate) {
		frame->len = fault->truncate;
		stats->truncated++;
	}
}

static void hold(struct sim_wire *wire, unsigned int src, unsigned int dst, struct sim_frame *frame,
		 unsigned int behind, uint64_t now)
{
	struct sim_held *held = malloc(sizeof(*held)), **at = &wire->held;

	if (!held) {
		sim_wire_deliver(wire, dst, frame);
		return;
	}
	*held = (struct sim_held){ NULL, frame, src, dst, behind, now + HOLD_NS };
	while (*at)
		at = &(*at)->next;
	*at = held;
	sim_wire_due(wire, held->until);
}

/* A frame has passed at time t: those it overtook may be free now. */
static void release(struct sim_wire *wire, unsigned int src, unsigned int dst, uint64_t t)
{
	for (struct sim_held **at = &wire->held; *at;) {
		struct sim_held *held = *at;

		if (held->src != src || held->dst != dst || --held->left) {
			at = &held->next;
			continue;
		}
		*at = held->next;
		if (held->frame->t < t)
			held->frame->t = t;
		sim_wire_deliver(wire, dst, held->frame);
		free(held);
	}
}

void sim_fault_pass(struct sim_wire *wire, unsigned int src, unsigned int dst,
		    struct sim_frame *frame, uint64_t now)
{
	struct sim_wire_stats *stats = &wire->port[src].stats;
	struct sim_fault fault;
	uint64_t t;

	if (!wire->faults && !wire->rules.n && !wire->held) {
		sim_wire_deliver(wire, dst, frame);
		return;
	}
	memset(&fault, 0, sizeof(fault));
	sim_rules_apply(&wire->rules, src, dst, now, frame->data, frame->len, &fault);
	if (wire->faults)
		by_chance(wire, src, dst, frame->len, &fault);
	if (fault.drop) {
		stats->dropped++;
		sim_frame_free(frame);
		return;
	}
	damage(frame, &fault, stats);
	frame->t += fault.delay_ns;
	stats->delayed += !!fault.delay_ns;
	stats->duplicated += fault.copies;
	t = frame->t;
	for (unsigned int i = 0; i < fault.copies; i++) {
		struct sim_frame *copy = sim_frame_new(frame->data, frame->len);

		if (!copy)
			break;
		copy->t = t;
		copy->err = frame->err;
		sim_wire_deliver(wire, dst, copy);
	}
	if (fault.reorder) {
		stats->reordered++;
		hold(wire, src, dst, frame, fault.reorder, now);
	} else {
		sim_wire_deliver(wire, dst, frame);
		release(wire, src, dst, t);
	}
}

void sim_fault_run(struct sim_wire *wire, uint64_t now)
{
	for (struct sim_held **at = &wire->held; *at;) {
		struct sim_held *held = *at;

		if (held->until > now) {
			at = &held->next;
			continue;
		}
		*at = held->next;
		if (held->frame->t < held->until)
			held->frame->t = held->until;
		sim_wire_deliver(wire, held->dst, held->frame);
		free(held);
	}
}

uint64_t sim_fault_next(const struct sim_wire *wire)
{
	uint64_t next = SIM_NEVER;

	for (const struct sim_held *held = wire->held; held; held = held->next)
		if (held->until < next)
			next = held->until;
	return next;
}

void sim_fault_clear(struct sim_wire *wire)
{
	while (wire->held) {
		struct sim_held *held = wire->held;

		wire->held = held->next;
		sim_frame_free(held->frame);
		free(held);
	}
}
