// SPDX-License-Identifier: Apache-2.0
/*
 * QPs of an SRQ that end (check 65): in error, by a command or of themselves, by RESET, destroyed;
 * in the middle of a message, and at any moment of traffic.  No slot is lost, none comes twice, and
 * LAST_WQE_REACHED comes once, behind the last of them.
 *
 * Environment: ENDS (rounds of any_moment).
 */
#include "srq.h"

static unsigned int last_wqes(struct srq_scene *s, const struct srq_lane *l)
{
	return srq_events(s, CAIRN_EQE_TYPE_LAST_WQE_REACHED, l->qpn);
}

/* ---------------------------------------------------------------- QPs that end */

#define LATER 40000u /* cycles; firmware takes half of them to raise an event of a QP */

enum way { TO_ERR, TO_RESET, DESTROYED, BY_ITSELF, WAYS };

/* ERR has come: all that the QP took is back before the event, which is the only one. */
static void reached(struct srq_scene *s, struct srq_lane *l, enum way way)
{
	for (unsigned int i = 0; i < 4000 && !last_wqes(s, l); i++) {
		rdma_poll(s->r);
		srq_take(s);
		if (way == BY_ITSELF && i % 50 == 0) /* it fails once a slot is there */
			srq_give(s, 2);
		rdma_run(s->r, 20);
	}
	rdma_assert(s->r, last_wqes(s, l) == 1);
	srq_take(s);
	l->over = true;
	rdma_qp_error(l->rx); /* it is there already: no second event */
	srq_step(s, LATER);
	rdma_assert(s->r, last_wqes(s, l) == 1);
}

/* The receiver ends; what it held is given back or has come back. */
static void finish_receiver(struct srq_scene *s, struct srq_lane *l, enum way way)
{
	uint32_t qpn = l->qpn, held;

	if (way == TO_ERR)
		rdma_qp_error(l->rx);
	if (way == TO_ERR || way == BY_ITSELF)
		reached(s, l, way);
	if (way == DESTROYED) {
		held = rdma_destroy_qp(l->rx);
	} else {
		rdma_reset_qp(l->rx);
		held = l->rx->qp->held_slot;
		rdma_assert(s->r, rdma_destroy_qp(l->rx) == CAIRN_ANY);
	}
	l->rx = NULL;
	srq_take(s); /* written before it ended */
	l->over = true;
	rdma_assert(s->r, held == CAIRN_ANY || way == TO_RESET || way == DESTROYED);
	srq_take_back(s, held);
	srq_step(s, LATER);
	/* no event of a QP that did not fail */
	rdma_assert(s->r, srq_events(s, CAIRN_EQE_TYPE_LAST_WQE_REACHED, qpn) ==
				  (way == TO_ERR || way == BY_ITSELF));
	rdma_assert(s->r, l->failed == (way == BY_ITSELF));
}

/* Both ends anew, with other numbers: the checker of captures takes a QP for one connection. */
static void revive(struct srq_scene *s, struct srq_lane *l)
{
	rdma_clear_rules(s->r);
	rdma_destroy_qp(l->tx);
	s->r->nic[1].events = 0;
	srq_create_lane(s, l, CAIRN_QP_TYPE_RC);
}

/*
 * The sender falls silent behind a first packet: the receiver holds the slot of a message that does
 * not end.  The other QP goes on meanwhile.
 */
static void ends_holding(enum way way)
{
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_RC, 4000, NULL);
	struct srq_lane *l = &s.lane[0];
	unsigned int before, flushed;
	uint32_t slot;

	for (unsigned int round = 0; round < 3; round++) {
		srq_give(&s, SRQ_SLOTS);
		before = srq_left(&s);
		slot = srq_next_slot(&s, before);
		rdma_rule(s.r, "drop nic0>nic1 qp=%u op=send+middle,send+last", l->qpn);
		srq_post(&s, l, CAIRN_WQE_OP_SEND, 3000, CAIRN_WC_STATUS_RETRY_EXC_ERR);
		rdma_ring(l->tx);
		for (unsigned int i = 0; i < 200 && srq_left(&s) == before; i++)
			srq_step(&s, 100);
		rdma_assert(s.r, srq_left(&s) == before - 1 && srq_outside(&s) == before);
		srq_send(&s, &s.lane[1], 6);
		srq_step(&s, rng_below(&s.r->rng, 3000));
		finish_receiver(&s, l, way);
		flushed = way == TO_ERR;
		rdma_assert(s.r, l->flushed == flushed && !l->failed);
		rdma_assert(s.r, s.given[slot] == !flushed);
		rdma_assert(s.r, s.taken_back == (flushed ? 0 : round + 1));
		l->head = l->tail; /* it does not arrive */
		srq_finish(&s, 0);
		revive(&s, l);
		srq_all_usable(&s);
	}
	/* the other has noticed nothing */
	rdma_assert(s.r, !rdma_qp_counter(s.lane[1].tx, CAIRN_COUNTER_ACK_TIMEOUT));
	rdma_assert(s.r, !rdma_qp_counter(s.lane[1].rx, CAIRN_COUNTER_RNR_NAK_SENT));
	srq_end(&s);
}

static void error_holding(void **state)
{
	(void)state;
	ends_holding(TO_ERR);
}

static void reset_holding(void **state)
{
	(void)state;
	ends_holding(TO_RESET);
}

static void destroyed_holding(void **state)
{
	(void)state;
	ends_holding(DESTROYED);
}

/* Several packets, most of them, so that an end often finds a message that has begun. */
static uint32_t length(struct srq_scene *s)
{
	return (uint32_t)(rng_percent(&s->r->rng, 80) ? rng_range(&s->r->rng, 2000, 4000)
						      : rng_below(&s->r->rng, 64));
}

/*
 * At any moment of the traffic of both, with plenty of slots or hardly any: the end finds messages
 * on their way, or one that has begun.  The wire is slow, so that traffic outlasts a command.
 */
static void any_moment(void **state)
{
	/* a sender that is ended leaves requests without an answer: no capture */
	static const struct rdma_cfg cfg = { .mbps = 2000, .pcap = "" };
	const char *text = getenv("ENDS");
	unsigned int rounds = text && *text ? (unsigned int)strtoul(text, NULL, 0) : 12;
	struct srq_scene s = srq_begin(CAIRN_QP_TYPE_RC, 4000, &cfg);
	struct srq_lane *l = &s.lane[0];
	unsigned int flushed = 0;

	(void)state;
	for (unsigned int round = 0; round < rounds; round++) {
		enum way way = round % WAYS;

		srq_give(&s, rng_percent(&s.r->rng, 25) ? 3 : SRQ_SLOTS);
		srq_send(&s, &s.lane[1], 4);
		for (unsigned int i = 0; i < 16; i++)
			if (i == 5 && way == BY_ITSELF) /* longer than a slot */
				srq_post(&s, l, CAIRN_WQE_OP_SEND, 4001,
					 CAIRN_WC_STATUS_REM_INV_REQ_ERR);
			else
				srq_post(&s, l, CAIRN_WQE_OP_SEND, length(&s),
					 CAIRN_WC_STATUS_SUCCESS);
		rdma_ring(l->tx);
		srq_step(&s, rng_below(&s.r->rng, 12000));
		srq_give(&s, (unsigned int)rng_below(&s.r->rng, SRQ_SLOTS));
		srq_step(&s, rng_below(&s.r->rng, 200));
		finish_receiver(&s, l, way);
		flushed += l->flushed;
		if (way != BY_ITSELF)
			rdma_qp_error(l->tx);
		l->head = l->tail; /* the rest does not arrive */
		srq_finish(&s, 3);
		revive(&s, l);
		rdma_assert(s.r, srq_left(&s) == srq_outside(&s));
	}
	/* not each end finds a message that has begun, but of many some do */
	rdma_assert(s.r, rounds < 24 || (flushed && s.taken_back));
	print_message("# %u slots flushed, %u given back\n", flushed, s.taken_back);
	srq_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(error_holding), RDMA_TEST(reset_holding),
					    RDMA_TEST(destroyed_holding), RDMA_TEST(any_moment) };

	return RDMA_RUN("srq_ends", tests);
}
