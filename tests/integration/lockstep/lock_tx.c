// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): requests that the NIC sends.  Each has to be the one that the shadow sends
 * next; when it is not, the NIC has seen a response that the shadow has not, or its timer ran out.
 */
#include "lock.h"

static const struct model_requester *requester(const struct lock_qp *qp)
{
	return &model_qp(qp->l->shadow, qp->qpn)->req;
}

void lock_rx_response(struct lock_qp *qp, const struct model_packet *packet)
{
	struct lock_rx rx = { .at = lock_now(qp->l), .packet = malloc(sizeof(*packet)) };
	struct model_headers h;

	assert_non_null(rx.packet);
	*rx.packet = *packet;
	lock_push(&qp->rx, rx);
	if (!model_parse(packet, &h) || model_psn_diff(h.psn, requester(qp)->max) >= 0)
		return;
	if (h.op->flags & CAIRN_OPF_ACK &&
	    cairn_pkt_get(h.aeth, CAIRN_AETH_SYNDROME) ==
		    (CAIRN_AETH_CLASS_NAK << 5 | CAIRN_AETH_NAK_SEQ)) {
		qp->nak = h.psn;
		qp->nak_at = lock_now(qp->l);
	}
	/* An ACK names its own PSN as well. */
	if (h.op->flags & CAIRN_OPF_ACK && !(cairn_pkt_get(h.aeth, CAIRN_AETH_SYNDROME) >> 5))
		h.psn = model_psn_add(h.psn, 1);
	if (h.psn != lock_psn(packet) &&
	    (!qp->ack || model_psn_diff(lock_psn(packet), lock_psn(qp->ack)) > 0)) {
		free(qp->ack);
		qp->ack = malloc(sizeof(*qp->ack));
		assert_non_null(qp->ack);
		*qp->ack = *packet;
	}
	if (!qp->any_acked || model_psn_diff(h.psn, qp->acked) > 0)
		qp->acked = h.psn;
	qp->any_acked = true;
}

/*
 * A response takes effect in the shadow when something shows that the NIC has seen it, which may be
 * late: if the NIC has gone back since it came, that was for this one as well, perhaps; or it goes
 * back once more.
 */
bool lock_tx_apply(struct lock_qp *qp)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	uint32_t next = shadow->req.next;
	struct lock_rx rx;

	if (!lock_count(&qp->rx))
		return false;
	rx = *lock_first(&qp->rx);
	lock_pop(&qp->rx);
	lock_log(qp->l, qp, "      shadow gets %s of %llu", lock_text(rx.packet),
		 (unsigned long long)rx.at);
	model_receive(qp->l->shadow, rx.packet, rx.at);
	if (model_psn_diff(shadow->req.next, next) < 0)
		qp->moved_back = rx.at;
	if (model_psn_diff(shadow->req.next, next) < 0 && rx.at < qp->went_back) {
		qp->may_go_back = true;
		qp->back_to = shadow->req.next;
		lock_log(qp->l, qp, "      shadow stays at 0x%06x, not 0x%06x", next, qp->back_to);
		model_req_go_back(shadow, next);
	}
	free(rx.packet);
	lock_cq_take(qp->l);
	return true;
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

/* The request is the rest of that READ. */
static bool rest_of(const struct lock_qp *qp, const struct model_packet *packet,
		    const struct lock_sent *sent)
{
	uint32_t into = (uint32_t)model_psn_diff(lock_psn(packet), sent->psn) * qp->cfg.pmtu;
	struct model_packet rest = *sent->packet;
	uint8_t *reth = rest.bytes + CAIRN_BTH_BYTES;

	cairn_pkt_set(rest.bytes, CAIRN_BTH_PSN, lock_psn(packet));
	cairn_pkt_set(reth, CAIRN_RETH_VA, cairn_pkt_get(reth, CAIRN_RETH_VA) + into);
	cairn_pkt_set(reth, CAIRN_RETH_LENGTH, reth_length(sent->packet) - into);
	return packet->len == rest.len && !memcmp(packet->bytes, rest.bytes, rest.len);
}

/*
 * What the NIC had put into its queue to the wire before it saw the acknowledgement: sent before,
 * and the same.
 */
static bool sent_before(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	bool read = lock_op(packet)->flags & CAIRN_OPF_READ;
	uint32_t psn = lock_psn(packet), end = model_psn_add(psn, 1);
	struct model_packet a = *packet;

	if (model_psn_diff(psn, shadow->req.una) >= 0)
		return false;
	for (uint32_t back = 0; back < (read ? LOCK_HISTORY : 1); back++) {
		uint32_t first = model_psn_add(psn, 0x1000000 - back);
		const struct lock_sent *sent = &qp->sent[first % LOCK_HISTORY];

		if (!sent->valid || sent->psn != first || back >= sent->npsn)
			continue;
		if (read && !rest_of(qp, packet, sent))
			return false;
		cairn_pkt_set(a.bytes, CAIRN_BTH_ACKREQ,
			      cairn_pkt_get(sent->packet->bytes, CAIRN_BTH_ACKREQ));
		if (!read &&
		    (a.len != sent->packet->len || memcmp(a.bytes, sent->packet->bytes, a.len)))
			return false;
		if (read)
			end = model_psn_add(first, sent->npsn);
		lock_log(qp->l, qp, "      as before");
		if (model_psn_diff(end, shadow->req.una) < 0)
			end = shadow->req.una;
		model_req_go_back(shadow, end);
		return true;
	}
	return false;
}

/* ---------------------------------------------------------------- what has to be sent */

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

/*
 * Going back for a READ, the NIC may leave out what a response has named since, other READs without
 * their data among that: it comes back for these.  True: so it did, and the shadow does.
 */
static bool left_out(struct lock_qp *qp, uint32_t psn)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	const struct model_requester *req = &shadow->req;

	if (!qp->any_acked || model_psn_diff(psn, qp->acked) > 0 ||
	    model_psn_diff(psn, req->next) <= 0 || model_psn_diff(psn, req->max) > 0)
		return false;
	lock_log(qp->l, qp, "      shadow leaves out from 0x%06x", req->next);
	model_req_go_back(shadow, psn);
	return true;
}

/* A READ or atomic is missing its answer, and a later response has come. */
static bool comes_back(struct lock_qp *qp, uint32_t psn)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	const struct model_requester *req = &shadow->req;
	const struct model_sqe *e = model_fifo_at(&req->queue, 0);

	if (psn != req->una || model_psn_diff(psn, req->next) >= 0 || !e || !e->started ||
	    !model_is_rd_atomic(e) || !qp->any_acked || model_psn_diff(qp->acked, psn) <= 0)
		return false;
	lock_log(qp->l, qp, "      shadow comes back for 0x%06x", psn);
	model_req_go_back(shadow, psn);
	return true;
}

/* The second chance of lock_tx_apply(). */
static bool goes_back(struct lock_qp *qp, uint32_t psn)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	uint32_t una = shadow->req.una;
	uint32_t to = model_psn_diff(qp->back_to, una) < 0 ? una : qp->back_to;
	uint32_t nak = model_psn_diff(qp->nak, una) < 0 ? una : qp->nak;
	/* The shadow may not have minded that NAK, for want of READ data before it. */
	bool by_nak = qp->nak_at && psn == nak && lock_now(qp->l) - qp->nak_at < LOCK_GO_BACK_NS;

	if (model_psn_diff(psn, shadow->req.next) >= 0 ||
	    !(by_nak || (qp->may_go_back && psn == to)))
		return false;
	if (by_nak)
		qp->nak_at = 0;
	lock_log(qp->l, qp, "      shadow goes back after all");
	qp->may_go_back = false;
	model_req_go_back(shadow, psn);
	return true;
}

/* The NIC has not gone back yet, where the shadow has: it goes on with what was in its queue. */
static bool goes_on(struct lock_qp *qp, uint32_t psn, uint32_t end)
{
	struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	const struct model_requester *req = &shadow->req;

	if (psn != end || psn == req->next || model_psn_diff(psn, req->una) < 0 ||
	    model_psn_diff(psn, req->max) > 0 || lock_now(qp->l) - qp->moved_back > LOCK_GO_BACK_NS)
		return false;
	lock_log(qp->l, qp, "      shadow goes on at 0x%06x, not 0x%06x", psn, req->next);
	if (model_psn_diff(req->next, psn) < 0) {
		qp->may_go_back = true;
		qp->back_to = req->next;
	}
	model_req_go_back(shadow, psn);
	return true;
}

static void sent(struct lock_qp *qp, const struct model_packet *packet, bool first_time)
{
	uint32_t psn = lock_psn(packet), npsn = 1;

	if (lock_op(packet)->flags & CAIRN_OPF_READ)
		npsn = model_packets(reth_length(packet), qp->cfg.pmtu);
	if (model_psn_diff(psn, qp->end) < 0)
		qp->went_back = lock_now(qp->l);
	qp->end = model_psn_add(psn, npsn);
	if (first_time)
		remember(qp, packet, npsn);
}

void lock_tx_request(struct lock_qp *qp, const struct model_packet *packet)
{
	const struct model_requester *req = requester(qp);
	uint64_t now = lock_now(qp->l) + LOCK_SLACK_NS;
	uint32_t psn = lock_psn(packet), max = req->max, end = qp->end;
	bool timed_out = false;

	sent(qp, packet, model_psn_diff(psn, max) >= 0);
	qp->ackreq = cairn_pkt_get(packet->bytes, CAIRN_BTH_ACKREQ);
	for (;;) {
		struct model_packet must;

		if (psn == req->next && model_transmit(qp->l->shadow, qp->qpn, now, &must)) {
			compare(qp, packet, &must);
			lock_cq_take(qp->l);
			return;
		}
		if (psn == req->next) {
			const struct model_sqe *e = model_fifo_at(&req->queue, req->cur);

			lock_log(qp->l, qp, "      shadow may not send it yet%s",
				 e && e->wr.fence ? ": fence" : "");
		}
		if (psn != req->next && left_out(qp, psn))
			continue;
		if (!timed_out && psn == req->una && req->timer != MODEL_NEVER &&
		    now + LOCK_QUEUE_NS >= req->timer) {
			timed_out = true;
			lock_log(qp->l, qp, "      shadow times out");
			qp->l->count[CAIRN_COUNTER_ACK_TIMEOUT]++;
			model_timeout(qp->l->shadow, qp->qpn, now + LOCK_QUEUE_NS);
			continue;
		}
		if (goes_back(qp, psn))
			continue;
		if (lock_tx_apply(qp))
			continue;
		if (sent_before(qp, packet))
			return;
		if (!goes_on(qp, psn, end) && !comes_back(qp, psn))
			break;
	}
	lock_fail(
		qp->l, qp,
		"request %s; the shadow would send PSN 0x%06x (unacknowledged 0x%06x, new 0x%06x, "
		"timer in %lld ns, RNR %lld ns)",
		lock_text(packet), req->next, req->una, req->max, (long long)(req->timer - now),
		(long long)(req->rnr_until - now));
}
