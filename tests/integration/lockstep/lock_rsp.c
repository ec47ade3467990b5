// SPDX-License-Identifier: Apache-2.0
/*
 * Lock-step (lock.h): the responder.  The shadow executes each request when it reaches the NIC and
 * says what has to be answered; the NIC's answers are held against that.
 *
 * READ data and atomic results come in the order of their requests.  A duplicate moves the NIC back
 * to it, and it goes on from there through all that follow, asked or not.  An ACK may stand for
 * several, but not for anything behind a READ or atomic that was not answered.
 */
#include "lock.h"

static struct lock_resource *resource(struct lock_qp *qp, uint32_t number)
{
	return &qp->resource[number % LOCK_RESOURCES];
}

static bool exists(const struct lock_qp *qp, uint32_t number)
{
	return number < qp->resources && number + LOCK_RESOURCES >= qp->resources;
}

/* ---------------------------------------------------------------- requests */

static struct lock_resource describe(const struct lock_qp *qp, const struct model_headers *h)
{
	struct lock_resource res = { .atomic = h->atomiceth, .psn = h->psn, .npsn = 1 };

	if (h->reth) {
		res.va = cairn_pkt_get(h->reth, CAIRN_RETH_VA);
		res.key = (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_RKEY);
		res.length = (uint32_t)cairn_pkt_get(h->reth, CAIRN_RETH_LENGTH);
		res.npsn = model_packets(res.length, qp->cfg.pmtu);
	}
	return res;
}

static void count_request(struct lock_qp *qp, const struct model_headers *h, enum model_fate fate,
			  bool ahead)
{
	uint64_t *count = qp->l->count;
	bool end = h->op->flags & CAIRN_OPF_END;

	qp->l->dropped += fate == MODEL_DROPPED && !lock_rc(qp);
	count[CAIRN_COUNTER_DUPLICATE_REQUEST] += fate == MODEL_DUPLICATE;
	count[CAIRN_COUNTER_OUT_OF_SEQUENCE] += ahead;
	if (fate != MODEL_TAKEN)
		return;
	count[CAIRN_COUNTER_RX_SEND] += end && h->op->flags & CAIRN_OPF_SEND;
	count[CAIRN_COUNTER_RX_WRITE] += end && h->op->flags & CAIRN_OPF_WRITE;
	count[CAIRN_COUNTER_RX_READ] += !!(h->op->flags & CAIRN_OPF_READ);
	count[CAIRN_COUNTER_RX_ATOMIC] += !!(h->op->flags & CAIRN_OPF_ATOMIC);
}

static bool seq_nak(const struct lock_owed *owed)
{
	return owed->class == CAIRN_AETH_CLASS_NAK && owed->code == CAIRN_AETH_NAK_SEQ;
}

static void answer_due(struct lock_qp *qp, const struct model_packet *answer,
		       struct lock_resource *res)
{
	const uint8_t *aeth = answer->bytes + CAIRN_BTH_BYTES;
	struct lock_owed owed = { .psn = lock_psn(answer),
				  .msn = answer->msn_low,
				  .since = lock_when(qp->l) };

	if (lock_op(answer)->flags & CAIRN_OPF_ATOMIC)
		res->original = cairn_pkt_get(aeth + CAIRN_AETH_BYTES, CAIRN_ATOMICACKETH_ORIG);
	if (!(lock_op(answer)->flags & CAIRN_OPF_ACK))
		return;
	owed.class = (uint8_t)(cairn_pkt_get(aeth, CAIRN_AETH_SYNDROME) >> 5);
	owed.code = cairn_pkt_get(aeth, CAIRN_AETH_SYNDROME) & 31;
	lock_push(&qp->owed, owed);
	if (seq_nak(&owed)) {
		qp->gap_named = true;
		qp->gap_behind = false;
	}
}

/* So many ACKs may be sent that say nothing new. */
static void spare(struct lock_qp *qp, uint32_t n)
{
	qp->spare += n;
	if (n)
		qp->spared = lock_when(qp->l);
}

/*
 * What a request does to NAKs that were due before.
 *
 * The packet that one names has come (`filled`): executed, without a receive, or refused for
 * another reason, it has an answer of its own, which takes the place of a NAK that has not left.
 *
 * A duplicate after the NAK of a gap: the peer has gone back, so a packet beyond the gap is news
 * once more, and the NIC may name the gap again.  It need not: it says nothing new as long as the
 * first NAK has not left, which only the NIC knows.  Not while an RNR NAK stands, since all that
 * follows is beyond it.
 */
static void note_gap(struct lock_qp *qp, uint32_t psn, uint32_t epsn, enum model_fate fate)
{
	struct lock_owed nak = { .class = CAIRN_AETH_CLASS_NAK,
				 .code = CAIRN_AETH_NAK_SEQ,
				 .psn = epsn,
				 .may = true,
				 .since = lock_when(qp->l) };
	struct model_view view;

	model_look(qp->l->shadow, qp->qpn, &view);
	nak.msn = view.msn;
	for (size_t i = qp->owed.head; psn == epsn && i < qp->owed.end; i++)
		qp->owed.item[i].filled |= qp->owed.item[i].psn == psn &&
					   qp->owed.item[i].class != CAIRN_AETH_CLASS_ACK;
	if (fate == MODEL_DUPLICATE) {
		qp->gap_behind = true;
	} else if (psn == epsn) {
		qp->gap_named = qp->gap_behind = false;
	} else if (qp->gap_named && qp->gap_behind) {
		lock_push(&qp->owed, nak);
		qp->gap_behind = false;
	}
}

void lock_rx_request(struct lock_qp *qp, const struct model_packet *packet)
{
	struct model *shadow = qp->l->shadow;
	struct model_view before, after;
	struct model_packet answer;
	struct lock_resource res = { 0 };
	struct model_headers h;
	enum model_fate fate;
	unsigned int answers = 0;
	bool taken;

	if (!model_parse(packet, &h))
		return;
	model_look(shadow, qp->qpn, &before);
	taken = model_qp_state(shadow, qp->qpn) != MODEL_ERR;
	fate = model_receive(shadow, packet, lock_now(qp->l));
	model_look(shadow, qp->qpn, &after);
	count_request(qp, &h, fate,
		      taken && fate == MODEL_REFUSED && model_psn_diff(h.psn, before.epsn) > 0);
	if (taken && lock_rc(qp))
		note_gap(qp, h.psn, before.epsn, fate);
	if (h.op->flags & (CAIRN_OPF_READ | CAIRN_OPF_ATOMIC))
		res = describe(qp, &h);
	while (model_respond(shadow, qp->qpn, &answer)) {
		answer_due(qp, &answer, &res);
		answers++;
	}
	res.msn = after.msn;
	if (res.npsn && fate == MODEL_TAKEN) {
		*resource(qp, qp->resources++) = res;
	} else if (res.npsn && fate == MODEL_DUPLICATE && answers) {
		lock_push(&qp->again, res);
	} else if (!res.npsn && fate == MODEL_DUPLICATE && !answers) {
		spare(qp, 1); /* need not be acknowledged, and may be */
	}
	lock_cq_take(qp->l);
}

/* ---------------------------------------------------------------- READ data, atomic results */

/* Whose turn the response with that PSN is: go on, back, or to the next.  False: nobody's. */
static bool find_run(struct lock_qp *qp, uint32_t psn)
{
	uint32_t next = qp->run.npsn ? qp->run_of + 1 : 0;

	if (qp->run_at < qp->run.npsn && psn == model_psn_add(qp->run.psn, qp->run_at))
		return true;
	if (qp->run_at >= qp->run.npsn && exists(qp, next) && resource(qp, next)->psn == psn) {
		qp->run = *resource(qp, next);
		qp->run_of = next;
		qp->run_at = 0;
		return true;
	}
	/* Each duplicate leads back once, also when it was answered before the NIC looked at it. */
	for (size_t i = qp->again.head; i < qp->again.end; i++) {
		struct lock_resource *again = &qp->again.item[i];

		if (again->psn != psn)
			continue;
		for (uint32_t n = qp->resources; n-- > 0 && exists(qp, n);) {
			int32_t into = model_psn_diff(psn, resource(qp, n)->psn);

			if (into < 0 || (uint32_t)into >= resource(qp, n)->npsn)
				continue;
			qp->run = again->atomic ? *resource(qp, n) : *again;
			qp->run.msn = resource(qp, n)->msn;
			qp->run_of = n;
			qp->run_at = 0;
			*again = *lock_first(&qp->again);
			lock_pop(&qp->again);
			return true;
		}
	}
	return false;
}

/* The packet that has to be sent now. */
static void expected(const struct lock_qp *qp, const struct model_packet *is,
		     struct model_packet *must)
{
	const struct model_qp *shadow = model_qp(qp->l->shadow, qp->qpn);
	uint32_t done = qp->run_at * qp->cfg.pmtu, rest = qp->run.length - done;
	uint32_t n = qp->run.atomic ? 0 : rest < qp->cfg.pmtu ? rest : qp->cfg.pmtu;
	uint32_t psn = model_psn_add(qp->run.psn, qp->run_at);
	uint32_t flags = CAIRN_OPF_READ | CAIRN_OPF_RSP;
	const uint8_t *aeth = is->bytes + CAIRN_BTH_BYTES;
	uint8_t opcode = CAIRN_OPCODE_RC_ATOMIC_ACK, *ext;

	flags |= (qp->run_at ? 0 : CAIRN_OPF_START) |
		 (qp->run_at + 1 == qp->run.npsn ? CAIRN_OPF_END : 0);
	if (!qp->run.atomic)
		opcode = model_opcode(CAIRN_TRANSPORT_RC, flags);
	ext = model_build(shadow, must, opcode, psn);
	/* credits and MSN are looked at apart */
	if (cairn_opcode_table[opcode].ext & CAIRN_EXT_AETH)
		memcpy(ext, aeth, CAIRN_AETH_BYTES);
	if (qp->run.atomic)
		cairn_pkt_set(ext + CAIRN_AETH_BYTES, CAIRN_ATOMICACKETH_ORIG, qp->run.original);
	if (n)
		memcpy(model_payload(must),
		       model_mem(qp->l->shadow, LOCK_PD, qp->run.key, qp->run.va + done, n,
				 MODEL_REMOTE_READ),
		       n);
	model_finish(must, n);
}

static void check_msn(struct lock_qp *qp, const struct model_packet *packet, uint32_t low)
{
	uint32_t msn = (uint32_t)cairn_pkt_get(packet->bytes + CAIRN_BTH_BYTES, CAIRN_AETH_MSN);
	struct model_view view;

	model_look(qp->l->shadow, qp->qpn, &view);
	if (model_psn_diff(msn, low) < 0 || model_psn_diff(view.msn, msn) < 0)
		lock_fail(qp->l, qp, "response %s has MSN 0x%06x, must be 0x%06x to 0x%06x",
			  lock_text(packet), msn, low, view.msn);
}

/* A NAK that need not be sent, or no more. */
static bool optional(const struct lock_owed *owed)
{
	bool fatal = !seq_nak(owed) && owed->class == CAIRN_AETH_CLASS_NAK;

	return owed->may || (owed->filled && !fatal);
}

/*
 * ACKs that are due up to a PSN need not be sent any more, nor NAKs of what has come up to `nak`.
 * Returns how many ACKs these were.
 */
static unsigned int settle(struct lock_qp *qp, uint32_t psn, uint32_t nak)
{
	unsigned int n = 0;

	while (lock_count(&qp->owed)) {
		const struct lock_owed *owed = lock_first(&qp->owed);
		bool ack = owed->class == CAIRN_AETH_CLASS_ACK;

		if (model_psn_diff(owed->psn, ack ? psn : nak) > 0 || (!ack && !optional(owed)))
			break;
		lock_pop(&qp->owed);
		n += ack;
	}
	return n;
}

static void data_sent(struct lock_qp *qp, const struct model_packet *packet)
{
	uint32_t psn = lock_psn(packet);
	struct model_packet must;

	if (!find_run(qp, psn)) {
		lock_fail(qp->l, qp, "response %s, which nobody asked for now", lock_text(packet));
		return;
	}
	expected(qp, packet, &must);
	cairn_pkt_set(must.bytes, CAIRN_BTH_MIGREQ, cairn_pkt_get(packet->bytes, CAIRN_BTH_MIGREQ));
	if (packet->len != must.len || memcmp(packet->bytes, must.bytes, must.len) ||
	    memcmp(packet->dst, must.dst, 16) || memcmp(packet->src, must.src, 16))
		lock_fail(qp->l, qp, "response %s (%u bytes), must be %s (%u bytes)",
			  lock_text(packet), packet->len, lock_text(&must), must.len);
	if (lock_op(packet)->ext & CAIRN_EXT_AETH) {
		if (cairn_pkt_get(packet->bytes + CAIRN_BTH_BYTES, CAIRN_AETH_SYNDROME) >> 5)
			lock_fail(qp->l, qp, "response %s is no ACK", lock_text(packet));
		check_msn(qp, packet, qp->run.msn);
	}
	for (size_t i = qp->again.head; i < qp->again.end; i++)
		qp->again.item[i].served |= qp->again.item[i].psn == psn;
	if (!qp->run.atomic)
		qp->l->count[CAIRN_COUNTER_READ_RSP_SENT]++;
	qp->run_at++;
	if (qp->run_at == qp->run.npsn && qp->run_of == qp->answered)
		qp->answered++;
	settle(qp, model_psn_add(psn, 0xffffff), psn);
	if (model_psn_diff(psn, qp->sent_ack) >= 0)
		qp->sent_ack = model_psn_add(psn, 1);
}

/* ---------------------------------------------------------------- ACKs and NAKs */

/* A READ or atomic before that PSN has not been answered. */
static bool unanswered_before(struct lock_qp *qp, uint32_t psn)
{
	return qp->answered < qp->resources && exists(qp, qp->answered) &&
	       model_psn_diff(resource(qp, qp->answered)->psn, psn) < 0;
}

/*
 * The ACK for what comes before a READ waits with the READ's answer; meanwhile it may have been
 * sent on its own.  An answer that is given again, since one before it was asked for again, has its
 * ACK with it again, too.
 */
static bool goes_with_next(struct lock_qp *qp, uint32_t psn)
{
	uint32_t next = qp->run.npsn ? qp->run_of + 1 : 0;

	return qp->run_at >= qp->run.npsn && exists(qp, next) &&
	       resource(qp, next)->psn == model_psn_add(psn, 1);
}

/* One for each that was asked for and went with another, as long as that may have left before. */
static bool take_spare(struct lock_qp *qp)
{
	if (lock_late(qp->l, qp->spared) && lock_late(qp->l, qp->responded))
		qp->spare = 0;
	if (!qp->spare)
		return false;
	qp->spare--;
	return true;
}

static void ack_sent(struct lock_qp *qp, const struct model_packet *packet, uint32_t psn)
{
	struct model_view view;
	bool news = model_psn_diff(psn, qp->sent_ack) >= 0;
	unsigned int settled;

	qp->l->count[CAIRN_COUNTER_ACK_SENT]++;
	model_look(qp->l->shadow, qp->qpn, &view);
	if (model_psn_diff(psn, view.epsn) >= 0)
		lock_fail(qp->l, qp, "%s, and 0x%06x has not been executed", lock_text(packet),
			  view.epsn);
	if (unanswered_before(qp, model_psn_add(psn, 1)))
		lock_fail(qp->l, qp, "%s, and the READ or atomic 0x%06x was not answered",
			  lock_text(packet), resource(qp, qp->answered)->psn);
	/* The NIC may be asked again before an ACK leaves that names as much already. */
	settled = settle(qp, psn, psn);
	spare(qp, settled ? settled - 1 : 0);
	if (!settled && !news && !goes_with_next(qp, psn) && !take_spare(qp))
		lock_fail(qp->l, qp, "%s, which nobody asked for", lock_text(packet));
	check_msn(qp, packet, 0);
	if (news)
		qp->sent_ack = model_psn_add(psn, 1);
}

static bool is_due(const struct lock_owed *owed, const struct lock_owed *nak)
{
	return owed->class == nak->class && owed->code == nak->code && owed->psn == nak->psn;
}

/* The NAK that is meant: all that was due before it either is said by it, or need not be said. */
static const struct lock_owed *find_nak(struct lock_qp *qp, const struct lock_owed *nak)
{
	while (lock_count(&qp->owed)) {
		const struct lock_owed *owed = lock_first(&qp->owed);

		if (is_due(owed, nak))
			return owed;
		if (owed->class != CAIRN_AETH_CLASS_ACK && !optional(owed))
			return NULL;
		lock_pop(&qp->owed);
	}
	return NULL;
}

static void nak_sent(struct lock_qp *qp, const struct model_packet *packet,
		     const struct lock_owed *nak)
{
	const struct lock_owed *owed;

	if (nak->class == CAIRN_AETH_CLASS_RNR)
		qp->l->count[CAIRN_COUNTER_RNR_NAK_SENT]++;
	else if (nak->code == CAIRN_AETH_NAK_SEQ)
		qp->l->count[CAIRN_COUNTER_SEQ_NAK_SENT]++;
	owed = find_nak(qp, nak);
	if (!owed) {
		owed = lock_count(&qp->owed) ? lock_first(&qp->owed) : NULL;
		lock_fail(qp->l, qp, "%s class %u code %u; due: class %d code %d PSN 0x%06x",
			  lock_text(packet), nak->class, nak->code, owed ? owed->class : -1,
			  owed ? owed->code : -1, owed ? owed->psn : 0);
		return;
	}
	if (unanswered_before(qp, nak->psn))
		lock_fail(qp->l, qp, "%s, and the READ or atomic 0x%06x was not answered",
			  lock_text(packet), resource(qp, qp->answered)->psn);
	check_msn(qp, packet, owed->msn);
	lock_pop(&qp->owed);
}

void lock_tx_response(struct lock_qp *qp, const struct model_packet *packet)
{
	struct lock_owed nak = { .psn = lock_psn(packet) };
	struct model_headers h;
	uint8_t syndrome;

	if (!model_parse(packet, &h) || h.dest_qp != qp->peer_qpn || h.ackreq || h.se ||
	    h.pkey != qp->cfg.pkey) {
		lock_fail(qp->l, qp, "response %s: BTH", lock_text(packet));
		return;
	}
	syndrome = h.aeth ? (uint8_t)cairn_pkt_get(h.aeth, CAIRN_AETH_SYNDROME) : 0;
	nak.class = syndrome >> 5;
	nak.code = syndrome & 31;
	if (!(h.op->flags & CAIRN_OPF_ACK))
		data_sent(qp, packet);
	else if (nak.class == CAIRN_AETH_CLASS_ACK)
		ack_sent(qp, packet, nak.psn);
	else
		nak_sent(qp, packet, &nak);
	qp->responded = lock_when(qp->l);
}

/* A NAK has to leave when the READs before it are answered, unless what it names has come. */
void lock_rsp_check(struct lock_qp *qp)
{
	if (!lock_count(&qp->owed) || qp->answered != qp->resources ||
	    qp->run_at < qp->run.npsn || !lock_late(qp->l, qp->responded))
		return;
	for (size_t i = qp->owed.head; i < qp->owed.end; i++) {
		const struct lock_owed *owed = &qp->owed.item[i];

		if (owed->class != CAIRN_AETH_CLASS_ACK && !optional(owed) &&
		    lock_late(qp->l, owed->since))
			lock_fail(qp->l, qp, "NAK class %u code %u PSN 0x%06x is due for %llu ns",
				  owed->class, owed->code, owed->psn,
				  (unsigned long long)(lock_now(qp->l) - owed->since.ns));
	}
}

/* In error: the NAK that tells the peer why; what else was asked for may be left out. */
static bool nak_done(const struct lock_qp *qp)
{
	for (size_t i = qp->owed.head; i < qp->owed.end; i++)
		if (qp->owed.item[i].class == CAIRN_AETH_CLASS_NAK &&
		    qp->owed.item[i].code != CAIRN_AETH_NAK_SEQ)
			return false;
	return true;
}

bool lock_rsp_done(const struct lock_qp *qp)
{
	if (qp->failed)
		return nak_done(qp);
	for (size_t i = qp->again.head; i < qp->again.end; i++)
		if (!qp->again.item[i].served)
			return false;
	for (size_t i = qp->owed.head; i < qp->owed.end; i++)
		if (!optional(&qp->owed.item[i]))
			return false;
	return qp->answered == qp->resources;
}
