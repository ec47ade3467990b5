// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): the other end of the wire, a golden model that takes its time at random.
 */
#include "lock.h"

#define AHEAD_NS 500 /* frames wait in the model, not on the line */
/* Of a byte: one QP may hold two large packets in the NIC, which then drops what comes. */
#define PACE_NS 4

void lock_peer_begin(struct lock *l)
{
	unsigned int mbps = sim_wire_cfg(sim_wire(l->r->sim))->mbps;

	l->line = (struct sim_line){ .mbps = l->run.mbps ? l->run.mbps : mbps };
}

void lock_peer_frame(void *arg, const struct sim_frame *frame)
{
	struct lock *l = arg;
	struct model_packet packet;
	struct lock_rx rx;

	if (!l->peer || !frame_take(frame, l->peer_mac, &packet))
		return;
	rx = (struct lock_rx){ .at = frame->t, .packet = malloc(sizeof(packet)) };
	assert_non_null(rx.packet);
	*rx.packet = packet;
	lock_push(&l->inbox, rx);
}

static void take_in(struct lock *l)
{
	struct model_completion c;
	struct model_event event;

	while (lock_count(&l->inbox) && !rng_percent(&l->rng, l->run.stall)) {
		struct lock_rx rx = *lock_first(&l->inbox);

		lock_pop(&l->inbox);
		model_receive(l->peer, rx.packet, lock_now(l));
		free(rx.packet);
	}
	while (model_completion(l->peer, &c))
		if (c.status && !l->run.error)
			lock_fail(l, NULL, "peer's QP 0x%06x: completion with status %d", c.qpn,
				  c.status);
	while (model_event(l->peer, &event))
		;
}

static void send_frame(struct lock *l, struct lock_qp *qp, const struct model_packet *packet)
{
	struct frame_path path = { .dmac = l->mac,
				   .smac = l->peer_mac,
				   .sport = (uint16_t)(0xc000 + qp->peer_qpn % 1000),
				   .hops = 64 };
	struct sim_frame *frame = frame_build(packet, &path);

	assert_non_null(frame);
	frame->t = sim_line_frame(&l->line, lock_now(l), frame->len);
	qp->pace_until = frame->t + (uint64_t)frame->len * PACE_NS;
	sim_wire_send(sim_wire(l->r->sim), 1, frame, lock_now(l));
}

static bool gate_open(const struct lock *l, const struct lock_qp *qp)
{
	return !qp->gate_closed && lock_now(l) >= qp->gate_until;
}

/* One packet of this QP; false: it has none now. */
static bool send_one(struct lock *l, struct lock_qp *qp)
{
	bool request_first = rng_percent(&l->rng, 50);
	struct model_packet packet;
	uint64_t deadline = model_deadline(l->peer, qp->peer_qpn);

	if (deadline <= lock_now(l) && rng_percent(&l->rng, 30))
		model_timeout(l->peer, qp->peer_qpn, lock_now(l));
	for (unsigned int i = 0; i < 2 && lock_now(l) >= qp->pace_until; i++) {
		bool request = request_first ^ i;
		bool got = !request ? model_respond(l->peer, qp->peer_qpn, &packet)
			   : gate_open(l, qp)
				   ? model_transmit(l->peer, qp->peer_qpn, lock_now(l), &packet)
				   : false;

		if (!got)
			continue;
		send_frame(l, qp, &packet);
		return true;
	}
	return false;
}

bool lock_peer_step(struct lock *l)
{
	unsigned int idle = 0;
	bool busy = false;

	take_in(l);
	while (idle < 2 * l->n && l->line.ns < lock_now(l) + AHEAD_NS) {
		struct lock_qp *qp = &l->qp[rng_below(&l->rng, l->n)];

		if (rng_percent(&l->rng, l->run.stall) || !send_one(l, qp))
			idle++;
		else
			busy = true;
	}
	return busy || lock_count(&l->inbox) || l->line.ns >= lock_now(l);
}

uint64_t lock_peer_deadline(const struct lock *l)
{
	uint64_t first = MODEL_NEVER;

	for (unsigned int i = 0; i < l->n; i++) {
		uint64_t at = model_deadline(l->peer, l->qp[i].peer_qpn);

		if (l->qp[i].gate_until > lock_now(l) && l->qp[i].gate_until < first)
			first = l->qp[i].gate_until;
		if (l->qp[i].pace_until > lock_now(l) && l->qp[i].pace_until < first)
			first = l->qp[i].pace_until;
		first = at < first ? at : first;
	}
	return first;
}

bool lock_peer_done(const struct lock *l)
{
	for (unsigned int i = 0; i < l->n; i++) {
		struct model_view view;

		model_look(l->peer, l->qp[i].peer_qpn, &view);
		if (view.sends || view.answers)
			return false;
	}
	return !lock_count(&l->inbox);
}
