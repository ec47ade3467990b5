// SPDX-License-Identifier: Apache-2.0
/* A scripted peer; see peer.h. */
#include "peer.h"

#include <string.h>

#define CANARY_BYTES 65536u

const uint8_t peer_gid[16] = { [10] = 0xff, 0xff, 10, 0, 0, 254 };
const uint64_t peer_mac = 0x02ca110000feull;

static struct peer the_peer;

static void take(void *arg, const struct sim_frame *frame)
{
	struct peer *p = arg;
	static struct model_packet packet;

	if (!p->r)
		return;
	if (cairn_pkt_get(frame->data, CAIRN_ETH_DST) == p->nic_mac) { /* to itself */
		struct sim_frame *back = sim_frame_new(frame->data, frame->len);

		assert_non_null(back);
		back->t = sim_line_frame(&p->line, sim_now(p->r->sim), back->len);
		sim_wire_send(sim_wire(p->r->sim), 1, back, sim_now(p->r->sim));
		return;
	}
	if (!frame_take(frame, peer_mac, &packet))
		return;
	p->total++;
	if (!p->quiet && p->n < PEER_SEEN)
		p->seen[p->n++] = (struct peer_packet){ frame->t, packet };
	if (p->answer)
		p->answer(p, &packet);
}

struct peer *peer_begin_mtu(unsigned int eth_mtu)
{
	struct rdma_cfg cfg = {
		.nics = 1, .peer_fn = take, .peer_arg = &the_peer, .pcap = "", .eth_mtu = eth_mtu
	};
	struct peer *p = &the_peer;
	struct peer_packet *seen = p->seen;
	uint32_t vlan;

	memset(p, 0, sizeof(*p));
	p->seen = seen ? seen : calloc(PEER_SEEN, sizeof(*p->seen));
	assert_non_null(p->seen);
	p->r = rdma_begin(&cfg);
	p->nic_mac = sim_nic_mac(p->r->nic[0].sim);
	p->line.mbps = sim_wire_cfg(sim_wire(p->r->sim))->mbps;
	rdma_ok(p->r, cairn_query_gid(p->r->nic[0].dev, 1, p->nic_gid, &vlan), "GID");
	/* what the NIC sends to itself comes by the wire, among what we send */
	rdma_ok(p->r, cairn_set_port(p->r->nic[0].dev, 0), "no loop");
	return p;
}

struct peer *peer_begin(void)
{
	return peer_begin_mtu(0);
}

/* ---------------------------------------------------------------- QPs */

static void to_rts(struct rdma_qp *qp, uint32_t qpn, uint32_t psn)
{
	struct rdma_far far = { .qpn = qpn, .psn = psn, .mac = peer_mac };

	memcpy(far.gid, peer_gid, 16);
	rdma_to_rts(qp, &far);
}

struct rdma_qp *peer_connect(struct peer *p, const struct rdma_qp_cfg *cfg, uint32_t qpn,
			     uint32_t psn)
{
	struct rdma_qp *qp = rdma_create_qp(p->r, 0, cfg);

	to_rts(qp, qpn, psn);
	return qp;
}

void peer_reconnect(struct rdma_qp *qp, uint32_t qpn, uint32_t psn)
{

	rdma_reset_qp(qp);
	rdma_ledger_drop(qp);
	qp->moved = qp->sq_failed = qp->rq_failed = false;
	to_rts(qp, qpn, psn);
}

/* ---------------------------------------------------------------- packets */

struct model_packet peer_packet(const struct peer *p, const struct rdma_qp *qp, uint8_t opcode,
				uint32_t psn)
{
	struct model_packet packet = { .len = CAIRN_BTH_BYTES };

	memcpy(packet.src, peer_gid, 16);
	memcpy(packet.dst, p->nic_gid, 16);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_OPCODE, opcode);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_MIGREQ, 1);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_PKEY, 0xffff);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_DEST_QP, qp->qp->qpn);
	cairn_pkt_set(packet.bytes, CAIRN_BTH_PSN, psn & 0xffffff);
	return packet;
}

void peer_add(struct model_packet *packet, const void *bytes, uint32_t len)
{
	assert_true(packet->len + len <= sizeof(packet->bytes));
	memcpy(packet->bytes + packet->len, bytes, len);
	packet->len += len;
}

void peer_add_reth(struct model_packet *packet, uint64_t va, uint32_t rkey, uint32_t len)
{
	uint8_t reth[CAIRN_RETH_BYTES] = { 0 };

	cairn_pkt_set(reth, CAIRN_RETH_VA, va);
	cairn_pkt_set(reth, CAIRN_RETH_RKEY, rkey);
	cairn_pkt_set(reth, CAIRN_RETH_LENGTH, len);
	peer_add(packet, reth, sizeof(reth));
}

void peer_add_aeth(struct model_packet *packet, uint8_t syndrome, uint32_t msn)
{
	uint8_t aeth[CAIRN_AETH_BYTES] = { 0 };

	cairn_pkt_set(aeth, CAIRN_AETH_SYNDROME, syndrome);
	cairn_pkt_set(aeth, CAIRN_AETH_MSN, msn & 0xffffff);
	peer_add(packet, aeth, sizeof(aeth));
}

void peer_add_payload(struct model_packet *packet, const void *bytes, uint32_t len)
{
	static const uint8_t zero[4];

	peer_add(packet, bytes, len);
	peer_add(packet, zero, -len & 3);
	cairn_pkt_set(packet->bytes, CAIRN_BTH_PAD, -len & 3);
}

static uint16_t ipv4_sum(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i < CAIRN_IPV4_BYTES; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/* The IPv4 checksum follows what it covers, so that another check has to find the damage. */
static void flip(uint8_t *frame, uint32_t bit)
{
	uint8_t *ip = frame + CAIRN_ETH_BYTES, *sum = ip + 10;
	uint32_t byte = bit / 8;

	frame[byte] ^= (uint8_t)(1u << bit % 8);
	if (frame + byte < ip || frame + byte >= ip + CAIRN_IPV4_BYTES || byte / 2 == 12)
		return;
	memset(sum, 0, 2);
	cairn_pkt_set(ip, CAIRN_IPV4_CHECKSUM, (uint16_t)~ipv4_sum(ip));
}

void peer_send(struct peer *p, const struct model_packet *packet)
{
	peer_send_damaged(p, packet, UINT32_MAX);
}

void peer_send_damaged(struct peer *p, const struct model_packet *packet, uint32_t bit)
{
	struct frame_path path = {
		.dmac = p->nic_mac, .smac = peer_mac, .sport = 0xc123, .hops = 64,
		.tci = p->tci
	};
	struct sim_frame *frame = frame_build(packet, &path);

	assert_non_null(frame);
	if (bit / 8 < frame->len)
		flip(frame->data, bit);
	frame->t = sim_line_frame(&p->line, sim_now(p->r->sim), frame->len);
	sim_wire_send(sim_wire(p->r->sim), 1, frame, sim_now(p->r->sim));
}

void peer_ack(struct peer *p, const struct rdma_qp *qp, uint32_t psn, uint8_t syndrome,
	      uint32_t msn)
{
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_RC_ACKNOWLEDGE, psn);

	peer_add_aeth(&packet, syndrome, msn);
	peer_send(p, &packet);
}

void peer_write(struct peer *p, const struct rdma_qp *qp, uint32_t psn, uint64_t va, uint32_t rkey,
		const void *bytes, uint32_t len)
{
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_RC_WRITE_ONLY, psn);

	cairn_pkt_set(packet.bytes, CAIRN_BTH_ACKREQ, 1);
	peer_add_reth(&packet, va, rkey, len);
	peer_add_payload(&packet, bytes, len);
	peer_send(p, &packet);
}

uint8_t peer_opcode(const struct model_packet *packet)
{
	return (uint8_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_OPCODE);
}

uint32_t peer_psn(const struct model_packet *packet)
{
	return (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_PSN);
}

uint32_t peer_dest(const struct model_packet *packet)
{
	return (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_DEST_QP);
}

uint8_t peer_syndrome(const struct model_packet *packet)
{
	return (uint8_t)cairn_pkt_get(packet->bytes + CAIRN_BTH_BYTES, CAIRN_AETH_SYNDROME);
}

const struct model_packet *peer_got(struct peer *p, unsigned int i)
{
	if (i >= p->n)
		rdma_fail(p->r, "packet %u of the NIC is missing, it sent %u", i, p->n);
	return &p->seen[i].packet;
}

void peer_forget(struct peer *p)
{
	p->n = 0;
	p->total = 0;
}

/* ---------------------------------------------------------------- the bystander */

uint64_t peer_canary(struct peer *p, uint32_t len)
{
	uint64_t begin = sim_now(p->r->sim);
	struct rdma_wr wr;

	if (!p->canary) {
		p->canary = rdma_pair(p->r, 0, 0, NULL);
		p->near = rdma_buf(p->r, 0, CANARY_BYTES, 5);
		p->far = rdma_buf(p->r, 0, CANARY_BYTES, 9);
		begin = sim_now(p->r->sim);
	}
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, p->near, 0, p->far, rng_below(&p->r->rng, 100), len);
	rdma_do(p->canary, &wr);
	return sim_now(p->r->sim) - begin;
}
