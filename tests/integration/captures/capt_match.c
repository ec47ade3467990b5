// SPDX-License-Identifier: Apache-2.0
/*
 * Captures replayed (capt.h): is what the NIC has sent what the captured host has sent?
 */
#include "capt.h"

#include <stdio.h>

#define PATIENCE_CYCLES 250000000u /* 2 s of device time, nearly all of it jumped over */

static const struct capt_exception exceptions[] = {
	{ "err_rnr_then_ok", false, true, 1, CAPT_PEER_ONLY, 0,
	  "RXE-GUEST.md 7: a sequence NAK while an RNR NAK is outstanding" },
	{ "err_rnr_write_imm", true, false, 2, CAPT_PEER_ONLY, 0,
	  "IBTA 9.7.5.2.8: after an RNR NAK it goes on from the PSN of the NAK" },
	{ "err_send_inv_bad", false, true, 0, CAPT_DIFFERENT, 0x62,
	  "RXE-GUEST.md 7: an ACK for a SEND that invalidates no valid key" },
	{ "err_send_too_long", false, true, 0, CAPT_DIFFERENT, 0x61,
	  "RXE-GUEST.md 7: NAK of an operational error for a SEND that is too long" },
};

static const struct capt_exception *exception_of(const struct capt *c, bool response,
						 unsigned int index)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++) {
		const struct capt_exception *e = &exceptions[i];

		if (!strcmp(e->file, c->name) && e->client == c->client &&
		    e->response == response && e->index == index)
			return e;
	}
	return NULL;
}

const char *capt_text(const struct model_packet *packet)
{
	const struct cairn_opcode_info *op = &cairn_opcode_table[packet->bytes[0]];
	static char text[4][160];
	static unsigned int turn;
	char *out = text[turn++ % 4];
	int n = snprintf(out, sizeof(text[0]), "%s PSN 0x%06x DestQP 0x%x AckReq %u",
			 op->name ? op->name : "?",
			 (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_PSN),
			 (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_DEST_QP),
			 (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_ACKREQ));

	if (op->ext & CAIRN_EXT_AETH)
		n += snprintf(out + n, sizeof(text[0]) - (size_t)n, " syndrome 0x%02x MSN 0x%06x",
			      (uint32_t)cairn_pkt_get(capt_ext(packet), CAIRN_AETH_SYNDROME),
			      (uint32_t)cairn_pkt_get(capt_ext(packet), CAIRN_AETH_MSN));
	snprintf(out + n, sizeof(text[0]) - (size_t)n, ", %u bytes", capture_payload(packet));
	return out;
}

/* Without what is not compared. */
static struct model_packet plain(const struct model_packet *packet, uint32_t src_qpn)
{
	const struct cairn_opcode_info *op = &cairn_opcode_table[packet->bytes[0]];
	struct model_packet p = *packet;
	uint8_t *ext = p.bytes + CAIRN_BTH_BYTES;

	cairn_pkt_set(p.bytes, CAIRN_BTH_MIGREQ, 0);
	if (!(op->flags & CAIRN_OPF_END) || op->transport != CAIRN_TRANSPORT_RC)
		cairn_pkt_set(p.bytes, CAIRN_BTH_ACKREQ, 0);
	if (op->ext & CAIRN_EXT_AETH &&
	    cairn_pkt_get(ext, CAIRN_AETH_SYNDROME) >> 5 == CAIRN_AETH_CLASS_ACK)
		cairn_pkt_set(ext, CAIRN_AETH_SYNDROME, 0);
	if (op->ext & CAIRN_EXT_DETH)
		cairn_pkt_set(ext, CAIRN_DETH_SRC_QP, src_qpn);
	return p;
}

/*
 * An exception of a whole capture (scene `resumes`): the answers to each READ request begin with
 * FIRST or ONLY, but rxe goes on with MIDDLE and LAST where the rest of a READ is asked for.  The
 * same bytes must be in them.
 */
static void resume(const struct capt *c, struct model_packet *nic, const struct model_packet *peer)
{
	uint32_t len = capture_payload(peer);

	if (!c->scene->resumes || nic->bytes[0] == peer->bytes[0])
		return;
	if (nic->bytes[0] == CAIRN_OPCODE_RC_READ_RSP_FIRST &&
	    peer->bytes[0] == CAIRN_OPCODE_RC_READ_RSP_MIDDLE) {
		memmove(nic->bytes + CAIRN_BTH_BYTES,
			nic->bytes + CAIRN_BTH_BYTES + CAIRN_AETH_BYTES, len);
		nic->len -= CAIRN_AETH_BYTES;
		nic->bytes[0] = peer->bytes[0];
	} else if (nic->bytes[0] == CAIRN_OPCODE_RC_READ_RSP_ONLY &&
		   peer->bytes[0] == CAIRN_OPCODE_RC_READ_RSP_LAST) {
		nic->bytes[0] = peer->bytes[0];
	}
}

static bool same(const struct capt_qp *qp, const struct capture_frame *f,
		 const struct capt_sent *sent)
{
	struct model_packet peer = plain(&f->packet, 0), nic = plain(sent->packet, 0);

	resume(qp->c, &nic, &peer);
	return nic.len == peer.len && !memcmp(nic.bytes, peer.bytes, nic.len) &&
	       !memcmp(nic.src, peer.src, 16) && !memcmp(nic.dst, peer.dst, 16) &&
	       sent->tos == qp->tos && sent->tci == qp->tci;
}

/* Where in the list the captured packet is, or n. */
static unsigned int find(const struct capt_qp *qp, const struct capt_list *list,
			 const struct capture_frame *f)
{
	unsigned int i;

	if (!qp->c->lossy)
		return list->at < list->n && same(qp, f, &list->sent[list->at]) ? list->at
										: list->n;
	for (i = list->at; i < list->n; i++)
		if (!list->sent[i].used && same(qp, f, &list->sent[i]))
			return i;
	for (i = 0; i < list->at && qp->c->reordered; i++) /* overtaken by others on the wire */
		if (!list->sent[i].used && same(qp, f, &list->sent[i]))
			return i;
	return list->n;
}

static bool copy_of_last(const struct capt_list *list, const struct capture_frame *f)
{
	return list->last && list->last->packet.len == f->packet.len &&
	       !memcmp(list->last->packet.bytes, f->packet.bytes, f->packet.len);
}

struct more {
	struct capt *c;
	const struct capt_list *list;
	unsigned int n;
};

static bool more_sent(void *arg)
{
	const struct more *more = arg;

	return more->list->n > more->n || more->c->trouble[0];
}

/* Let timers run out.  False: nothing comes. */
static bool await(struct capt *c, const struct capt_list *list)
{
	struct more more = { c, list, list->n };

	if (sim_run_until(c->r->sim, more_sent, &more, PATIENCE_CYCLES))
		return false;
	capt_settle(c);
	return true;
}

/* True: an exception speaks of it, and it is so. */
static bool excused(struct capt_qp *qp, struct capt_list *list, const struct capture_frame *f,
		    unsigned int index)
{
	const struct capt_exception *e = exception_of(qp->c, capt_is_response(f), index);
	struct capture_frame *other;

	if (!e)
		return false;
	if (find(qp, list, f) < list->n)
		capt_fail(qp->c, f, "agrees; the exception (%s) is to be removed", e->reason);
	qp->c->exceptions++;
	if (e->kind == CAPT_PEER_ONLY)
		return true;
	other = malloc(sizeof(*other));
	assert_non_null(other);
	*other = *f;
	cairn_pkt_set(other->packet.bytes + CAIRN_BTH_BYTES, CAIRN_AETH_SYNDROME, e->syndrome);
	if (find(qp, list, other) == list->n)
		capt_fail(qp->c, f, "there is no answer with syndrome 0x%02x (exception: %s)",
			  e->syndrome, e->reason);
	list->at++;
	free(other);
	return true;
}

void capt_expect(struct capt_qp *qp, const struct capture_frame *f, bool pause)
{
	struct capt_list *list = &qp->out[capt_is_response(f)];
	unsigned int index = list->seen++, i;
	struct capt *c = qp->c;

	if (excused(qp, list, f, index))
		return;
	while ((i = find(qp, list, f)) == list->n) {
		if (c->lossy && copy_of_last(list, f))
			return;
		if (!c->lossy && list->at < list->n)
			capt_fail(c, f, "the NIC has sent %s",
				  capt_text(list->sent[list->at].packet));
		if (!pause || !await(c, list))
			capt_fail(c, f, "the NIC has not sent it");
	}
	c->exceptions += list->sent[i].packet->bytes[0] != f->packet.bytes[0];
	list->sent[i].used = true;
	list->last = f;
	if (i >= list->at) {
		c->skipped += i - list->at;
		list->at = i + 1;
	} else {
		c->skipped--;
	}
	c->compared++;
}

void capt_nothing_else(struct capt *c)
{
	for (unsigned int i = 0; i < c->qps; i++)
		for (unsigned int k = 0; k < 2; k++) {
			const struct capt_list *list = &c->qp[i]->out[k];

			if (c->lossy)
				c->skipped += list->n - list->at;
			else if (list->at < list->n && (k || !c->scene->unfinished))
				capt_fail(c, NULL, "the NIC has also sent %s",
					  capt_text(list->sent[list->at].packet));
		}
}
