// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): requests that the NIC sends.  The shadow takes each response when it reaches
 * the NIC, so it knows at least as much.  Then
 *
 *     new packets      are those of the shadow, and it may send them;
 *     packets again    are those sent before, READs and what is left of them;
 *     going back       has a cause, and leads to where something was missing;
 *     jumping forward  leaves out only what a response has named.
 *
 * A NIC takes time: what it sends may be decided before the last responses came, by lock_late() at
 * most, and as long it may take to go back when it has to.
 */
#include "lock.h"

static struct model_requester *requester(const struct lock_qp *qp)
{
	return &model_qp(qp->l->shadow, qp->qpn)->req;
}

/* ---------------------------------------------------------------- time */

struct lock_when lock_when(const struct lock *l)
{
	return (struct lock_when){ .ns = lock_now(l), .sent = l->sent_bytes };
}

/*
 * What the NIC does now cannot be for want of what it learnt at `then`.  Its packets of all
 * QPs wait for the wire in one queue, behind them those of the visit that is under way, and
 * each other QP may have a visit before its turn comes; responses take every second turn on
 * the wire.  While it sends, host memory may be half as fast as the wire.
 */
bool lock_late(const struct lock *l, struct lock_when then)
{
	uint64_t bytes = l->sent_bytes - then.sent;

	return bytes > 2 * LOCK_RING_BYTES + 2 * l->visits_bytes ||
	       lock_now(l) - then.ns > LOCK_REACT_NS + l->turn_ns + 2 * bytes * LOCK_BYTE_NS;
}

/* ---------------------------------------------------------------- responses */

/* From here on something may be sent again. */
static void mark(struct lock_qp *qp, uint32_t psn)
{
	struct lock_mark m = { .psn = psn, .when = lock_when(qp->l) };

	while (lock_count(&qp->marks) && lock_late(qp->l, lock_first(&qp->marks)->when))
		lock_pop(&qp->marks);
	lock_push(&qp->marks, m);
}

/*
 * After an implied NAK it passes over nothing but what is complete (docs/rtl/requester.md: "A READ
 * asked for again is not taken for answered"), though a part of the next message may be
 * acknowledged.
 */
static bool doubts(const struct lock_qp *qp)
{
	return qp->any_missed && !lock_late(qp->l, qp->missed);
}

static uint32_t incomplete(const struct lock_qp *qp)
{
	const struct model_requester *req = requester(qp);
	const struct model_sqe *e = model_fifo_at(&req->queue, 0);

	return e && e->started && !model_is_rd_atomic(e) ? e->psn : req->una;
}

static bool marked(const struct lock_qp *qp, uint32_t psn)
{
	for (size_t i = qp->marks.head; i < qp->marks.end; i++)
		if (qp->marks.item[i].psn == psn && !lock_late(qp->l, qp->marks.item[i].when))
			return true;
	return psn == requester(qp)->una || (qp->any_acked && psn == qp->acked) ||
	       (qp->forgot && psn == qp->redo) || (doubts(qp) && psn == incomplete(qp));
}

/* The answer of a READ or atomic is missing, and something behind it was answered. */
static bool missing(const struct lock_qp *qp)
{
	const struct model_requester *req = requester(qp);
	const struct model_sqe *e = model_fifo_at(&req->queue, 0);

	return e && e->started && model_is_rd_atomic(e) && qp->any_acked &&
	       model_psn_diff(qp->acked, req->una) > 0;
}

static void note_missing(struct lock_qp *qp)
{
	if (missing(qp)) {
		qp->missed = lock_when(qp->l);
		qp->any_missed = true;
	}
}

/*
 * While what was sent before is sent again, ACKs may be those of duplicates: that a READ is missing
 * again may show with the ACK timer only (docs/rtl/requester.md).  "Sent" is for the NIC what it has
 * handed to its ring, from where a go-back takes it back.
 */
static bool may_wait(const struct lock_qp *qp, const struct model_packet *packet)
{
	const uint8_t *aeth = packet->bytes + CAIRN_BTH_BYTES;
	bool ack = lock_op(packet)->flags & CAIRN_OPF_ACK;

	if (ack && cairn_pkt_get(aeth, CAIRN_AETH_SYNDROME) >> 5 != CAIRN_AETH_CLASS_ACK)
		return false;
	return qp->recovers && model_psn_diff(requester(qp)->una, qp->recovers_to) < 0;
}

static void owe(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model_requester *req = requester(qp);

	mark(qp, req->next);
	if (may_wait(qp, packet))
		return;
	if (!qp->owes) {
		qp->owes = true;
		qp->owes_since = lock_when(qp->l);
	}
	qp->owes_psn = req->next;
	lock_log(qp->l, qp, "      has to go back to 0x%06x for %s", req->next, lock_text(packet));
}

/* The shadow takes a response; its next packet is always a new one. */
static void give(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	struct model_requester *req = &shadow->req;
	uint64_t now = lock_now(qp->l), rnr = req->rnr_until;
	uint32_t una = req->una, message = incomplete(qp);

	note_missing(qp);
	req->retries = qp->cfg.retry_cnt;
	model_receive(qp->l->shadow, packet, now);
	if (req->rnr_until != rnr) {
		if (rnr > now) /* once more: the NIC waits already */
			req->rnr_until = rnr;
		qp->rnr = lock_when(qp->l);
	}
	if (req->una != una) {
		qp->moved_at = now;
		mark(qp, una); /* true until now */
		if (doubts(qp))
			mark(qp, message);
		if (qp->owes && model_psn_diff(req->una, qp->owes_psn) > 0)
			qp->owes = false;
	}
	if (req->next != req->max) {
		owe(qp, packet);
		model_req_go_back(shadow, req->max);
	}
	note_missing(qp);
	lock_cq_take(qp->l);
}

/* It was not believed when it came, for want of READ data before it; the NIC remembers it. */
static void give_again(struct lock_qp *qp)
{
	const struct model_requester *req = requester(qp);

	while (qp->ack && model_psn_diff(lock_psn(qp->ack), req->una) >= 0) {
		const struct model_sqe *e = model_fifo_at(&req->queue, 0);

		if (!e || !e->started || model_is_rd_atomic(e))
			break;
		give(qp, qp->ack);
	}
}

/* A NIC that goes back before it has forgotten it: UNA_PSN goes back, too (cmp_next). */
static void forget_ack(struct lock_qp *qp, uint32_t psn)
{
	if (!qp->ack || model_psn_diff(lock_psn(qp->ack), psn) < 0)
		return;
	free(qp->ack);
	qp->ack = NULL;
	qp->any_ack = false;
}

static void note_ack(struct lock_qp *qp, const struct model_packet *packet,
		     const struct model_headers *h)
{
	uint32_t named = h->psn;
	uint8_t syndrome = h->aeth ? (uint8_t)cairn_pkt_get(h->aeth, CAIRN_AETH_SYNDROME) : 0;

	if (h->op->flags & CAIRN_OPF_ACK && syndrome >> 5 != CAIRN_AETH_CLASS_ACK) {
		mark(qp, h->psn);
		qp->nak = lock_when(qp->l);
		qp->any_nak = true;
	}
	/* An ACK names its own PSN as well. */
	if (h->op->flags & CAIRN_OPF_ACK && syndrome >> 5 == CAIRN_AETH_CLASS_ACK) {
		named = model_psn_add(h->psn, 1);
		if (!qp->ack)
			qp->ack = malloc(sizeof(*qp->ack));
		assert_non_null(qp->ack);
		if (!qp->any_ack || model_psn_diff(h->psn, lock_psn(qp->ack)) > 0)
			*qp->ack = *packet;
		qp->any_ack = true;
	}
	if (!qp->any_acked || model_psn_diff(named, qp->acked) > 0) {
		if (qp->any_acked)
			mark(qp, qp->acked);
		qp->acked = named;
		qp->any_acked = true;
	}
}

/* What was sent first with that PSN, or NULL; a READ's response PSNs are its own. */
static const struct lock_sent *sent_with(const struct lock_qp *qp, uint32_t psn)
{
	for (uint32_t back = 0; back < LOCK_HISTORY; back++) {
		uint32_t first = model_psn_add(psn, 0x1000000 - back);
		const struct lock_sent *sent = &qp->sent[first % LOCK_HISTORY];

		if (sent->valid && sent->psn == first)
			return back < sent->npsn ? sent : NULL;
	}
	return NULL;
}

/*
 * Between an implied NAK and its restart a NIC may disregard what comes (tests/trace/README.md), up
 * to data that the shadow has taken.  From then on, until it has that again, it may find a READ's
 * answer missing that is not for the shadow: `redo` is where it stands.
 */
static void redo(struct lock_qp *qp, const struct model_headers *h)
{
	bool data = !(h->op->flags & CAIRN_OPF_ACK);
	bool ack = !data && !(cairn_pkt_get(h->aeth, CAIRN_AETH_SYNDROME) >> 5);
	uint32_t named = model_psn_add(h->psn, ack), at = qp->redo;
	const struct lock_sent *sent;

	if (model_psn_diff(named, qp->redo_acked) > 0)
		qp->redo_acked = named;
	while ((sent = sent_with(qp, qp->redo)) && model_psn_diff(qp->redo, qp->redo_acked) < 0 &&
	       !(lock_op(sent->packet)->flags & (CAIRN_OPF_READ | CAIRN_OPF_ATOMIC)))
		qp->redo = model_psn_add(qp->redo, 1);
	if (data && h->psn == qp->redo) {
		qp->redo = model_psn_add(qp->redo, 1);
	} else if (model_psn_diff(named, qp->redo) > 0) {
		qp->missed = lock_when(qp->l);
		qp->any_missed = true;
	}
	if (qp->redo != at)
		mark(qp, at); /* true until now */
	qp->forgot = model_psn_diff(qp->redo, requester(qp)->una) < 0;
}

void lock_rx_response(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model_headers h;

	if (!model_parse(packet, &h) || model_psn_diff(h.psn, requester(qp)->max) >= 0)
		return;
	note_ack(qp, packet, &h);
	if (qp->forgot)
		redo(qp, &h);
	give(qp, packet);
	give_again(qp);
}

/* ---------------------------------------------------------------- what was sent before */

static void remember(struct lock_qp *qp, const struct model_packet *packet, uint32_t npsn)
{
	uint32_t psn = lock_psn(packet);
	struct lock_sent *sent = &qp->sent[psn % LOCK_HISTORY];

	if (!sent->packet)
		sent->packet = malloc(sizeof(*sent->packet));
	assert_non_null(sent->packet);
	*sent->packet = *packet;
	sent->valid = true;
	sent->psn = psn;
	sent->npsn = npsn;
}

static uint32_t reth_length(const struct model_packet *packet)
{
	return (uint32_t)cairn_pkt_get(packet->bytes + CAIRN_BTH_BYTES, CAIRN_RETH_LENGTH);
}

/* The answer to the rest of a READ begins where it was asked for. */
static void asked_again(struct lock_qp *qp, uint32_t psn)
{
	struct model_requester *req = requester(qp);
	struct model_sqe *e;

	for (size_t i = 0; (e = model_fifo_at(&req->queue, i)) && e->started; i++)
		if (e->wr.op == MODEL_READ && model_psn_diff(psn, e->psn) > 0 &&
		    model_psn_diff(psn, model_psn_add(e->psn, e->npsn)) < 0)
			e->asked = psn;
}

/* The same packet, or what is left of the READ; whether it asks for an ACK is free. */
static void compare_again(struct lock_qp *qp, const struct model_packet *packet)
{
	const struct lock_sent *sent = sent_with(qp, lock_psn(packet));
	struct model_packet must;
	uint32_t into;

	if (!sent) {
		lock_fail(qp->l, qp, "request %s, and no such one was sent before", lock_text(packet));
		return;
	}
	must = *sent->packet;
	into = (uint32_t)model_psn_diff(lock_psn(packet), sent->psn) * qp->cfg.pmtu;
	cairn_pkt_set(must.bytes, CAIRN_BTH_PSN, lock_psn(packet));
	cairn_pkt_set(must.bytes, CAIRN_BTH_ACKREQ,
		      cairn_pkt_get(packet->bytes, CAIRN_BTH_ACKREQ));
	if (into) {
		uint8_t *reth = must.bytes + CAIRN_BTH_BYTES;

		cairn_pkt_set(reth, CAIRN_RETH_VA, cairn_pkt_get(reth, CAIRN_RETH_VA) + into);
		cairn_pkt_set(reth, CAIRN_RETH_LENGTH, reth_length(sent->packet) - into);
		asked_again(qp, lock_psn(packet));
	}
	if (packet->len != must.len || memcmp(packet->bytes, must.bytes, must.len))
		lock_fail(qp->l, qp, "request %s, sent again, is not as it was", lock_text(packet));
}

/* ---------------------------------------------------------------- what is new */

static void compare(struct lock_qp *qp, const struct model_packet *is,
		    const struct model_packet *must)
{
	struct model_packet a = *is, b = *must;

	cairn_pkt_set(a.bytes, CAIRN_BTH_MIGREQ, 0);
	cairn_pkt_set(b.bytes, CAIRN_BTH_MIGREQ, 0);
	if (a.len == b.len && !memcmp(a.bytes, b.bytes, a.len) && !memcmp(a.src, b.src, 16) &&
	    !memcmp(a.dst, b.dst, 16))
		return;
	for (uint32_t i = 0; i < a.len && i < b.len; i++)
		if (a.bytes[i] != b.bytes[i]) {
			lock_fail(qp->l, qp,
				  "request %s, must be %s; byte %u is 0x%02x, not 0x%02x",
				  lock_text(is), lock_text(must), i, a.bytes[i], b.bytes[i]);
			return;
		}
	lock_fail(qp->l, qp, "request %s of %u bytes, must be %s of %u", lock_text(is), is->len,
		  lock_text(must), must->len);
}

static const char *why_not(const struct lock_qp *qp)
{
	const struct model_requester *req = requester(qp);
	const struct model_sqe *e = model_fifo_at(&req->queue, req->cur);

	return model_qp_state(qp->l->shadow, qp->qpn) != MODEL_RTS ? "the QP is in error"
	       : req->rnr_until					   ? "the peer was not ready"
	       : !e						   ? "nothing is posted"
	       : e->wr.fence					   ? "of its fence"
	       : model_is_rd_atomic(e)				   ? "too many READs are open"
								   : "of the window or its memory";
}

static void compare_new(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model_requester *req = requester(qp);
	uint64_t rnr = req->rnr_until;
	struct model_packet must;
	bool may;

	if (lock_psn(packet) != req->max) {
		lock_fail(qp->l, qp, "request %s, must have PSN 0x%06x", lock_text(packet),
			  req->max);
		return;
	}
	if (rnr && !lock_late(qp->l, qp->rnr))
		req->rnr_until = 0;
	qp->ackreq = cairn_pkt_get(packet->bytes, CAIRN_BTH_ACKREQ);
	may = model_transmit(qp->l->shadow, qp->qpn, lock_now(qp->l) + LOCK_SLACK_NS, &must);
	if (!may)
		lock_fail(qp->l, qp, "request %s may not be sent, because %s", lock_text(packet),
			  why_not(qp));
	else
		compare(qp, packet, &must);
	if (rnr > lock_now(qp->l) + LOCK_SLACK_NS)
		req->rnr_until = rnr;
	lock_cq_take(qp->l);
}

/* ---------------------------------------------------------------- back and forward */

/*
 * Earliest end of the ACK timer; the NIC's began when a packet went into its queue, and if it has
 * forgotten nothing (redo()), the shadow's progress was the last.
 */
static bool timed_out(const struct lock_qp *qp)
{
	uint64_t start = qp->moved_at > qp->went_back ? qp->moved_at : qp->went_back;

	return qp->cfg.timeout && lock_now(qp->l) + LOCK_QUEUE_NS + qp->l->turn_ns >=
					  start + (4096ull << qp->cfg.timeout);
}

static void check_back(struct lock_qp *qp, const struct model_packet *packet)
{
	const struct model_requester *req = requester(qp);
	uint32_t psn = lock_psn(packet);
	bool nak = qp->any_nak && !lock_late(qp->l, qp->nak);
	bool lost = missing(qp) || doubts(qp);
	bool waits = req->rnr_until > lock_now(qp->l) + LOCK_SLACK_NS && lock_late(qp->l, qp->rnr);

	if (waits || (!nak && !lost && !req->rnr_until && !timed_out(qp)))
		lock_fail(qp->l, qp,
			  "goes back with %s without a cause (unacknowledged 0x%06x, new 0x%06x, "
			  "RNR for %lld ns)",
			  lock_text(packet), req->una, req->max,
			  (long long)(req->rnr_until - lock_now(qp->l)));
	if (!marked(qp, psn))
		lock_fail(qp->l, qp, "goes back to %s, must be 0x%06x", lock_text(packet), req->una);
	lock_log(qp->l, qp, "      goes back:%s%s%s", nak ? " NAK" : "", lost ? " lost READ" : "",
		 timed_out(qp) ? " time" : "");
	qp->forgot = model_psn_diff(psn, req->una) < 0;
	qp->redo = qp->redo_acked = psn;
	forget_ack(qp, psn);
	qp->went_back = lock_now(qp->l);
	qp->recovers_to = model_psn_add(req->max, LOCK_AHEAD);
	qp->recovers = true;
}

void lock_tx_request(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model_requester *req = requester(qp);
	uint32_t psn = lock_psn(packet), npsn = 1;
	int32_t jump = model_psn_diff(psn, qp->end);
	bool first = model_psn_diff(psn, req->max) >= 0;

	if (!lock_rc(qp)) { /* nothing is sent twice */
		compare_new(qp, packet);
		return;
	}
	if (qp->failed) { /* it may not have known yet */
		if (lock_late(qp->l, qp->failed_at))
			lock_fail(qp->l, qp, "request %s of a QP in error", lock_text(packet));
		return;
	}
	lock_tx_check(qp);
	if (lock_op(packet)->flags & CAIRN_OPF_READ)
		npsn = model_packets(reth_length(packet), qp->cfg.pmtu);
	if (req->una == req->max && !qp->forgot)
		qp->moved_at = lock_now(qp->l); /* the timer begins */
	if (jump < 0 || psn == qp->owes_psn)
		qp->owes = false;
	if (jump < 0)
		check_back(qp, packet);
	else if (jump && model_psn_diff(psn, req->una) > 0 &&
		 (!qp->any_acked || model_psn_diff(psn, qp->acked) > 0))
		lock_fail(qp->l, qp, "request %s leaves out 0x%06x, which nothing has named",
			  lock_text(packet), qp->end);
	if (first) {
		if (req->rnr_until && req->rnr_until <= lock_now(qp->l) + LOCK_SLACK_NS)
			req->rnr_until = 0;
		compare_new(qp, packet);
		remember(qp, packet, npsn);
	} else {
		compare_again(qp, packet);
	}
	qp->end = model_psn_add(psn, npsn);
}

/* What the NIC has to do and has not done. */
void lock_tx_check(struct lock_qp *qp)
{
	const struct model_requester *req = requester(qp);

	if (!qp->owes || model_qp_state(qp->l->shadow, qp->qpn) != MODEL_RTS)
		return;
	if (req->rnr_until + LOCK_REACT_NS + qp->l->turn_ns > lock_now(qp->l)) {
		qp->owes_since = lock_when(qp->l);
		return;
	}
	if (lock_late(qp->l, qp->owes_since))
		lock_fail(qp->l, qp,
			  "does not go back to 0x%06x, %llu ns and %llu bytes after it had to",
			  qp->owes_psn,
			  (unsigned long long)(lock_now(qp->l) - qp->owes_since.ns),
			  (unsigned long long)(qp->l->sent_bytes - qp->owes_since.sent));
}
