// SPDX-License-Identifier: Apache-2.0
/* Captures replayed (capt.h): QPs, their partners, PSNs, path MTUs and keys, as packets show. */
#include "capt.h"

bool capt_is_out(const struct capt *c, const struct capture_frame *f)
{
	/* either may be damaged */
	return cairn_pkt_get(f->raw, CAIRN_ETH_SRC) == c->mac ||
	       cairn_pkt_get(f->raw, CAIRN_ETH_DST) == c->peer_mac;
}

bool capt_is_response(const struct capture_frame *f)
{
	return f->pkt.flags & CAIRN_OPF_RSP;
}

const uint8_t *capt_ext(const struct model_packet *packet)
{
	return packet->bytes + CAIRN_BTH_BYTES;
}

const uint8_t *capt_payload(const struct model_packet *packet)
{
	return capt_ext(packet) + cairn_opcode_table[packet->bytes[0]].ext_bytes;
}

static enum cairn_transport transport_of(const struct capture_frame *f)
{
	return cairn_opcode_table[f->pkt.opcode].transport;
}

/* Number on the NIC's side; CAIRN_ANY: the packet does not have it. */
static uint32_t local_qpn(const struct capt *c, const struct capture_frame *f)
{
	if (!capt_is_out(c, f))
		return f->pkt.qp;
	if (transport_of(f) != CAIRN_TRANSPORT_UD)
		return CAIRN_ANY;
	return (uint32_t)cairn_pkt_get(capt_ext(&f->packet), CAIRN_DETH_SRC_QP);
}

struct capt_qp *capt_qp_of(struct capt *c, const struct capture_frame *f)
{
	uint32_t local = local_qpn(c, f);

	for (unsigned int i = 0; f->good && i < c->qps; i++) {
		struct capt_qp *qp = c->qp[i];

		if (qp->transport == transport_of(f) &&
		    (local == CAIRN_ANY ? qp->peer_qpn == f->pkt.qp : qp->qpn == local))
			return qp;
	}
	return NULL;
}

uint32_t capt_psns(const struct capt_qp *qp, const struct model_packet *packet)
{
	uint32_t len;

	if (!(cairn_opcode_table[packet->bytes[0]].flags & CAIRN_OPF_READ))
		return 1;
	len = (uint32_t)cairn_pkt_get(capt_ext(packet), CAIRN_RETH_LENGTH);
	return len > qp->pmtu ? (len + qp->pmtu - 1) / qp->pmtu : 1;
}

/* The response may answer the request, as far as PSNs tell. */
static bool answers(const struct capture_frame *request, const struct capture_frame *response)
{
	static const struct capt_qp smallest = { .pmtu = 256 };
	int32_t diff = model_psn_diff(response->pkt.psn, request->pkt.psn);

	return diff >= 0 && diff < (int32_t)capt_psns(&smallest, &request->packet);
}

/* The partner of a QP of the other host: who answers, or is answered. */
static struct capt_qp *partner(struct capt *c, const struct capture_frame *out)
{
	for (unsigned int i = 0; i < c->n_frames; i++) {
		const struct capture_frame *in = &c->frames[i];
		struct capt_qp *qp;

		if (!in->good || capt_is_out(c, in) || transport_of(in) != transport_of(out) ||
		    capt_is_response(in) == capt_is_response(out))
			continue;
		if (capt_is_response(in) ? !answers(out, in) : !answers(in, out))
			continue;
		qp = capt_qp_of(c, in);
		if (qp && qp->peer_qpn == CAIRN_ANY)
			return qp;
	}
	return NULL;
}

static struct capt_qp *add_qp(struct capt *c, const struct capture_frame *f)
{
	struct capt_qp *qp = calloc(1, sizeof(*qp));

	assert_non_null(qp);
	assert_true(c->qps < CAPT_QPS);
	c->qp[c->qps++] = qp;
	qp->c = c;
	qp->transport = transport_of(f);
	qp->qpn = local_qpn(c, f);
	qp->peer_qpn = CAIRN_ANY;
	qp->pmtu = qp->transport == CAIRN_TRANSPORT_UD ? 4096 : 256;
	qp->rnr = c->scene->rnr;
	return qp;
}

/* UC says nothing about the sender: with one QP on each side they belong together. */
static struct capt_qp *only_one(struct capt *c, enum cairn_transport transport)
{
	struct capt_qp *only = NULL;

	for (unsigned int i = 0; i < c->qps; i++)
		if (c->qp[i]->transport == transport) {
			if (only || c->qp[i]->peer_qpn != CAIRN_ANY)
				return NULL;
			only = c->qp[i];
		}
	return only;
}

static void find_qps(struct capt *c)
{
	for (unsigned int i = 0; i < c->n_frames; i++)
		if (c->frames[i].good && local_qpn(c, &c->frames[i]) != CAIRN_ANY &&
		    !capt_qp_of(c, &c->frames[i]))
			add_qp(c, &c->frames[i]);
	/* Twice: a QP's first packets need not be those that were answered. */
	for (unsigned int pass = 0; pass < 2; pass++)
		for (unsigned int i = 0; i < c->n_frames; i++) {
			const struct capture_frame *f = &c->frames[i];
			struct capt_qp *qp;

			if (!f->good || local_qpn(c, f) != CAIRN_ANY || capt_qp_of(c, f))
				continue;
			qp = transport_of(f) == CAIRN_TRANSPORT_UC
				     ? only_one(c, CAIRN_TRANSPORT_UC)
				     : partner(c, f);
			if (!qp && pass)
				qp = add_qp(c, f);
			if (qp)
				qp->peer_qpn = f->pkt.qp;
		}
}

static void note_key(struct capt *c, uint32_t key, uint64_t low, uint64_t len)
{
	unsigned int i = 0;

	while (i < c->keys && c->key[i].key != key)
		i++;
	if (i == c->keys) {
		assert_true(++c->keys < CAPT_KEYS);
		c->key[i].key = key;
		c->key[i].low = c->key[i].high = low;
	}
	if (low < c->key[i].low)
		c->key[i].low = low;
	if (low + len > c->key[i].high)
		c->key[i].high = low + len;
}

static void note_request(struct capt_qp *qp, const struct capture_frame *f, bool out)
{
	const uint8_t *ext = capt_ext(&f->packet);
	uint8_t has = cairn_opcode_table[f->pkt.opcode].ext;
	uint32_t *first = out ? &qp->sq_psn : &qp->rq_psn;
	bool *seen = out ? &qp->sends : &qp->receives;
	bool of_client = out == qp->c->client;

	if (!*seen)
		*first = qp->c->scene->first_psn && of_client ? qp->c->scene->first_psn
							      : f->pkt.psn;
	*seen = true;
	if (has & CAIRN_EXT_DETH && (!out || !qp->has_qkey)) {
		qp->qkey = (uint32_t)cairn_pkt_get(ext, CAIRN_DETH_QKEY);
		qp->has_qkey |= !out;
		if (!out && qp->c->scene->qkey)
			qp->qkey = qp->c->scene->qkey;
	}
	if (out)
		return;
	if (has & CAIRN_EXT_RETH)
		note_key(qp->c, (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_RKEY),
			 cairn_pkt_get(ext, CAIRN_RETH_VA), cairn_pkt_get(ext, CAIRN_RETH_LENGTH));
	if (has & CAIRN_EXT_ATOMICETH)
		note_key(qp->c, (uint32_t)cairn_pkt_get(ext, CAIRN_ATOMICETH_RKEY),
			 cairn_pkt_get(ext, CAIRN_ATOMICETH_VA), 8);
}

static uint16_t tci_of(const uint8_t *frame)
{
	bool tagged = cairn_pkt_get(frame, CAIRN_ETH_TYPE) == CAIRN_ETHERTYPE_VLAN;

	return tagged ? (uint16_t)(frame[CAIRN_ETH_BYTES] << 8 | frame[CAIRN_ETH_BYTES + 1]) : 0;
}

static void note(struct capt *c, const struct capture_frame *f)
{
	struct capt_qp *qp = capt_qp_of(c, f);
	bool out = capt_is_out(c, f);
	const uint8_t *ip = f->raw + f->pkt.l3;

	memcpy(out ? qp->gid : qp->peer_gid, f->packet.src, 16);
	memcpy(out ? qp->peer_gid : qp->gid, f->packet.dst, 16);
	qp->tci = tci_of(f->raw);
	if (out)
		qp->tos = f->pkt.ipv6 ? (uint8_t)(ip[0] << 4 | ip[1] >> 4) : ip[1];
	if (qp->transport != CAIRN_TRANSPORT_UD && capture_payload(&f->packet) > qp->pmtu)
		qp->pmtu = capture_payload(&f->packet);
	if (!capt_is_response(f))
		note_request(qp, f, out);
}

void capt_learn(struct capt *c)
{
	find_qps(c);
	for (unsigned int i = 0; i < c->n_frames; i++)
		if (c->frames[i].good)
			note(c, &c->frames[i]);
	for (unsigned int i = 0; i < c->qps; i++) {
		struct capt_qp *qp = c->qp[i];

		for (uint32_t mtu = 256; qp->pmtu & (qp->pmtu - 1); mtu *= 2)
			if (mtu > qp->pmtu)
				qp->pmtu = mtu;
		qp->epsn = qp->rq_psn;
		qp->next = qp->una = qp->sq_psn;
	}
}
