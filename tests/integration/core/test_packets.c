// SPDX-License-Identifier: Apache-2.0
/*
 * Single packets of a scripted peer: each bit of one flipped, duplicates as old as they can be,
 * another path MTU than agreed, answers to a QP that is gone; and that no old bytes leave the NIC.
 */
#include <stdio.h>
#include <string.h>

#include "peer.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define PSN 0x123400u

static uint64_t count(struct peer *p, enum cairn_counter counter)
{
	return rdma_counter(p->r, 0, counter);
}

static void settle(struct peer *p)
{
	rdma_run(p->r, 1200); /* host memory has answered */
	rdma_settle(p->r, 20000);
}

static struct rdma_buf *buffer(struct peer *p, size_t len)
{
	struct rdma_buf_cfg cfg = { .len = len,
				    .access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };

	return rdma_buf_with(p->r, 0, &cfg);
}

static struct rdma_qp_cfg all_rights(void)
{
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	return cfg;
}

static struct model_packet atomic(const struct peer *p, const struct rdma_qp *qp, uint32_t psn,
				  const struct rdma_buf *buf, uint64_t add)
{
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_RC_FETCH_ADD, psn);
	uint8_t eth[CAIRN_ATOMICETH_BYTES] = { 0 };

	cairn_pkt_set(eth, CAIRN_ATOMICETH_VA, buf->mr->va + 8);
	cairn_pkt_set(eth, CAIRN_ATOMICETH_RKEY, buf->mr->key);
	cairn_pkt_set(eth, CAIRN_ATOMICETH_SWAP_ADD, add);
	peer_add(&packet, eth, sizeof(eth));
	return packet;
}

static struct model_packet read(const struct peer *p, const struct rdma_qp *qp, uint32_t psn,
				const struct rdma_buf *buf, uint32_t len)
{
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_RC_READ_REQUEST, psn);

	peer_add_reth(&packet, buf->mr->va, buf->mr->key, len);
	return packet;
}

/* ---------------------------------------------------------------- each bit (check 8) */

/* Bits that neither ICRC nor address filter covers. */
static bool masked(uint32_t bit)
{
	uint32_t byte = bit / 8;

	return (byte >= 6 && byte < 12) /* source MAC */ || byte == 15 /* DSCP, ECN */ ||
	       byte == 22 /* TTL */ || byte == 40 || byte == 41 /* UDP checksum */ ||
	       byte == 46 /* FECN, BECN, reserved */;
}

/* What a frame that is not taken moves: one of these. */
static uint64_t refused(struct peer *p)
{
	static const enum cairn_counter counters[] = {
		CAIRN_COUNTER_RX_MAC_ERROR,   CAIRN_COUNTER_RX_LENGTH_ERROR,
		CAIRN_COUNTER_RX_IP_ERROR,    CAIRN_COUNTER_RX_OPCODE_ERROR,
		CAIRN_COUNTER_RX_ICRC_ERROR,  CAIRN_COUNTER_RX_NOT_OURS,
		CAIRN_COUNTER_RX_RAW_PACKETS, CAIRN_COUNTER_RX_RAW_DROP,
	};
	uint64_t sum = 0;

	for (size_t i = 0; i < LEN(counters); i++)
		sum += count(p, counters[i]);
	return sum;
}

/* Eight flips of each byte of a duplicate WRITE, which is acknowledged where it is taken. */
static void each_bit(void **state)
{
	struct peer *p = peer_begin();
	struct rdma_buf *buf = buffer(p, 4096);
	struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);
	struct model_packet packet = peer_packet(p, qp, CAIRN_OPCODE_RC_WRITE_ONLY, PSN - 1);
	uint32_t bytes;

	(void)state;
	cairn_pkt_set(packet.bytes, CAIRN_BTH_ACKREQ, 1);
	peer_add_reth(&packet, buf->mr->va, buf->mr->key, 8);
	peer_add_payload(&packet, "01234567", 8);
	bytes = 42 + packet.len + CAIRN_ICRC_BYTES;
	for (uint32_t byte = 0; byte < bytes; byte++) {
		uint64_t dup = count(p, CAIRN_COUNTER_DUPLICATE_REQUEST), no = refused(p);
		uint64_t icrc = count(p, CAIRN_COUNTER_RX_ICRC_ERROR);
		uint64_t taken = 0;

		peer_forget(p);
		for (uint32_t bit = 8 * byte; bit < 8 * byte + 8; bit++) {
			peer_send_damaged(p, &packet, bit);
			taken += masked(bit);
		}
		settle(p);
		dup = count(p, CAIRN_COUNTER_DUPLICATE_REQUEST) - dup;
		no = refused(p) - no;
		icrc = count(p, CAIRN_COUNTER_RX_ICRC_ERROR) - icrc;
		if (dup != taken || no != 8 - taken || !p->total != !taken)
			rdma_fail(p->r, "byte %u: %u taken, %u refused, %u answers", byte,
				  (unsigned int)dup, (unsigned int)no, (unsigned int)p->total);
		/* BTH and what follows, but for opcode, TVer and pad: nothing else can tell */
		if (byte > 43 && !taken)
			rdma_assert(p->r, icrc == 8);
	}
	rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS);
	peer_write(p, qp, PSN, buf->mr->va, buf->mr->key, "89abcdef", 8);
	settle(p);
	rdma_assert(p->r, !memcmp(buf->data, "89abcdef", 8));
	rdma_buf_forget(buf, 0, 8);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- old ones (check 6) */

static void old_duplicates(void **state)
{
	static const uint32_t back[] = { 1, 2, 17, 1000, 1u << 16, 1u << 20, 1u << 22, 0x7fffff };
	const struct rdma_qp_cfg cfg = all_rights();
	struct peer *p = peer_begin();
	struct rdma_buf *buf = buffer(p, 4096);
	struct rdma_qp *qp = peer_connect(p, &cfg, PEER_QPN, PSN);
	struct cairn_sge sge = rdma_sge(buf, 2000, 1000);
	uint64_t dup = count(p, CAIRN_COUNTER_DUPLICATE_REQUEST);

	(void)state;
	rdma_post_recv(qp, &sge, 1);
	rdma_ring_recv(qp);
	peer_write(p, qp, PSN, buf->mr->va, buf->mr->key, "first...", 8);
	peer_write(p, qp, PSN + 1, buf->mr->va, buf->mr->key, "second..", 8);
	settle(p);
	rdma_assert(p->r, !memcmp(buf->data, "second..", 8));
	rdma_buf_forget(buf, 0, 8);
	peer_write(p, qp, PSN, buf->mr->va, buf->mr->key, "first...", 8); /* undoes nothing */
	for (size_t i = 0; i < LEN(back); i++) {
		uint32_t psn = PSN + 2 - back[i];
		struct model_packet packet;

		peer_forget(p);
		packet = peer_packet(p, qp, CAIRN_OPCODE_RC_SEND_ONLY, psn);
		peer_add_payload(&packet, "evil", 4);
		peer_send(p, &packet);
		packet = atomic(p, qp, psn, buf, 5);
		peer_send(p, &packet);
		packet = read(p, qp, psn, buf, 100);
		peer_send(p, &packet);
		peer_write(p, qp, psn, buf->mr->va, buf->mr->key, "evil", 4);
		settle(p);
		for (unsigned int k = 0; k < p->n; k++) /* ACKs at most, of the last request */
			rdma_assert(p->r,
				    peer_opcode(peer_got(p, k)) == CAIRN_OPCODE_RC_ACKNOWLEDGE &&
					    peer_psn(peer_got(p, k)) == PSN + 1 &&
					    !(peer_syndrome(peer_got(p, k)) >> 5));
		rdma_assert(p->r, p->n);
		rdma_buf_check(p->r, buf);
	}
	rdma_assert(p->r, count(p, CAIRN_COUNTER_DUPLICATE_REQUEST) == dup + 1 + 4 * LEN(back));
	rdma_assert(p->r, !rdma_poll(p->r)); /* the receive is still there */
	rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS);
	rdma_ledger_drop(qp);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- another MTU (check 18) */

static void other_mtu(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf, uint32_t theirs,
		      unsigned int kind)
{
	static const uint8_t opcode[] = { CAIRN_OPCODE_RC_WRITE_FIRST, CAIRN_OPCODE_RC_SEND_FIRST,
					  CAIRN_OPCODE_RC_WRITE_ONLY };
	struct model_packet packet = peer_packet(p, qp, opcode[kind], PSN);
	uint64_t inv = count(p, CAIRN_COUNTER_RESP_INV_REQ);
	static const uint8_t bytes[4096];

	if (kind == 1) {
		struct cairn_sge sge = rdma_sge(buf, 0, 2 * theirs);

		rdma_post_recv_expect(qp, &sge, 1, CAIRN_WC_STATUS_REM_INV_REQ_ERR,
				      CAIRN_VENDOR_ERR_NONE);
		rdma_ring_recv(qp);
	} else {
		peer_add_reth(&packet, buf->mr->va, buf->mr->key, kind ? theirs : 2 * theirs);
	}
	peer_add_payload(&packet, bytes, theirs);
	peer_forget(p);
	peer_send(p, &packet);
	settle(p);
	rdma_wait(p->r);
	if (p->n != 1 || peer_syndrome(peer_got(p, 0)) != 0x61)
		rdma_fail(p->r, "packet 0x%02x of %u bytes at MTU %u: no NAK", opcode[kind], theirs,
			  128u << qp->cfg.pmtu);
	rdma_assert(p->r, count(p, CAIRN_COUNTER_RESP_INV_REQ) == inv + 1);
	rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	rdma_buf_check(p->r, buf);
	peer_reconnect(qp, PEER_QPN, PSN);
}

static void mtu_mismatch(void **state)
{
	struct peer *p = peer_begin_mtu(4400);
	struct rdma_buf *buf = buffer(p, 9000);
	unsigned int kind = 0;

	(void)state;
	for (uint32_t ours = 1; ours <= 5; ours++) {
		struct rdma_qp_cfg cfg = all_rights();
		struct rdma_qp *qp;

		cfg.pmtu = ours;
		qp = peer_connect(p, &cfg, PEER_QPN, PSN);
		for (uint32_t theirs = 1; theirs <= 5; theirs++)
			if (theirs != ours)
				other_mtu(p, qp, buf, 128u << theirs,
					  kind++ % (theirs > ours ? 3 : 2));
		rdma_destroy_qp(qp);
	}
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- too late (check 19) */

static void answers(struct peer *p, struct rdma_qp *qp, uint32_t psn)
{
	static const uint8_t bytes[64] = { 0xee, 0xee };
	struct model_packet packet;

	peer_ack(p, qp, psn, 31, 1);
	packet = peer_packet(p, qp, CAIRN_OPCODE_RC_READ_RSP_ONLY, psn + 1);
	peer_add_aeth(&packet, 31, 2);
	peer_add_payload(&packet, bytes, 64);
	peer_send(p, &packet);
	packet = peer_packet(p, qp, CAIRN_OPCODE_RC_ATOMIC_ACK, psn + 2);
	peer_add_aeth(&packet, 31, 3);
	peer_add(&packet, bytes, 8);
	peer_send(p, &packet);
	peer_ack(p, qp, psn, 0x62, 1);
}

/* A WRITE, a READ and an atomic, all of them waiting for their answers. */
static void requests(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_READ,
						 CAIRN_WQE_OP_ATOMIC_FA };

	for (size_t i = 0; i < LEN(ops); i++) {
		struct rdma_wr wr = rdma_wr(ops[i], buf, 0, NULL, 0, i == 2 ? 8 : 64);

		wr.no_data = true;
		rdma_post(qp, &wr);
	}
	rdma_ring(qp);
	settle(p);
}

/* Answers 10 s late, to a number that another QP has by now. */
static void late_answers(void **state)
{
	struct rdma_qp_cfg cfg = all_rights();
	struct peer *p = peer_begin();
	struct rdma_buf *buf = buffer(p, 4096);
	struct rdma_qp *qp;
	uint64_t ghosts, end;

	(void)state;
	cfg.timeout = 0;
	for (unsigned int busy = 0; busy < 2; busy++) {
		cfg.qpn = CAIRN_ANY;
		cfg.sq_psn = 5000;
		qp = peer_connect(p, &cfg, PEER_QPN, PSN);
		requests(p, qp, buf);
		rdma_assert(p->r, p->n == 3);
		cfg.qpn = qp->qp->qpn;
		cfg.sq_psn = 0x400000;
		rdma_destroy_qp(qp);
		qp = peer_connect(p, &cfg, PEER_QPN, PSN);
		if (busy)
			requests(p, qp, buf);
		for (end = sim_now(p->r->sim) + 10000000000ull; sim_now(p->r->sim) < end;)
			rdma_run(p->r, (end - sim_now(p->r->sim)) / sim_period(p->r->sim) + 1);
		ghosts = count(p, CAIRN_COUNTER_RX_GHOST_ACK);
		answers(p, qp, 5000);
		settle(p);
		rdma_assert(p->r, count(p, CAIRN_COUNTER_RX_GHOST_ACK) == ghosts + 4);
		rdma_buf_check(p->r, buf);
		rdma_assert(p->r, !rdma_poll(p->r));
		rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS);
		if (busy) { /* the right ones */
			answers(p, qp, 0x400000);
			rdma_wait(p->r);
			rdma_buf_forget(buf, 0, 64);
		}
		rdma_destroy_qp(qp);
		peer_forget(p);
	}
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- old bytes (check 109) */

/* Pads are zero, whatever lies behind the last byte; so is what a completion does not use. */
static void pads(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf)
{
	uint8_t here[64];

	memset(here, 0xa5, sizeof(here));
	for (unsigned int len = 1; len <= 60; len += len < 9 ? 1 : 17)
		for (unsigned int in_wqe = 0; in_wqe < 2; in_wqe++) {
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, buf, 3, NULL, 0, len);
			const struct cairn_cqe *cqe;
			const struct model_packet *got;
			uint32_t pad = -len & 3;

			wr.no_data = true;
			if (in_wqe) {
				wr.in_wqe = true;
				wr.sge[0].addr = (uintptr_t)here;
			}
			peer_forget(p);
			rdma_post(qp, &wr);
			rdma_ring(qp);
			for (unsigned int i = 0; i < 20 && !p->n; i++)
				settle(p);
			got = peer_got(p, 0);
			rdma_assert(p->r,
				    got->len == CAIRN_BTH_BYTES + CAIRN_RETH_BYTES + len + pad);
			for (uint32_t i = 1; i <= pad; i++)
				rdma_assert(p->r, !got->bytes[got->len - i]);
			peer_ack(p, qp, peer_psn(got), 31, 1);
			cqe = rdma_raw_cqe(qp->cfg.send_cq);
			rdma_assert(p->r, cqe && !cqe->byte_len && !cqe->imm && !cqe->src);
			rdma_assert(p->r,
				    !(cqe->wqe & ~(CAIRN_CQE_WQE_INDEX | CAIRN_CQE_WQE_IS_SQ)));
			rdma_assert(p->r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_RSVD));
			rdma_poll(p->r);
		}
}

/* What the QP answered in an earlier life is not answered again. */
static void after_reset(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf)
{
	struct model_packet one = read(p, qp, PSN, buf, 61), two = atomic(p, qp, PSN + 1, buf, 5);
	const struct model_packet *got;
	uint64_t dup;

	peer_forget(p);
	peer_send(p, &one);
	peer_send(p, &two);
	settle(p);
	rdma_assert(p->r, p->n == 2);
	got = peer_got(p, 0);
	rdma_assert(p->r, peer_opcode(got) == CAIRN_OPCODE_RC_READ_RSP_ONLY);
	rdma_assert(p->r, got->len == CAIRN_BTH_BYTES + CAIRN_AETH_BYTES + 64);
	for (unsigned int i = 1; i <= 3; i++)
		rdma_assert(p->r, !got->bytes[got->len - i]);
	rdma_buf_forget(buf, 8, 8);
	peer_forget(p);
	peer_reconnect(qp, PEER_QPN, PSN + 2);
	dup = count(p, CAIRN_COUNTER_DUPLICATE_REQUEST);
	peer_send(p, &one);
	peer_send(p, &two);
	settle(p);
	rdma_assert(p->r, !p->n);
	rdma_assert(p->r, count(p, CAIRN_COUNTER_DUPLICATE_REQUEST) == dup + 2);
}

static void old_bytes(void **state)
{
	struct rdma_qp_cfg cfg = all_rights();
	struct peer *p = peer_begin();
	struct rdma_buf *buf = buffer(p, 4096);
	struct rdma_qp *qp;

	(void)state;
	cfg.timeout = 0;
	cfg.send_cq = rdma_create_cq(p->r, 0, 64);
	qp = peer_connect(p, &cfg, PEER_QPN, PSN);
	pads(p, qp, buf);
	after_reset(p, qp, buf);
	rdma_end(p->r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(each_bit),  RDMA_TEST(old_duplicates), RDMA_TEST(late_answers),
		RDMA_TEST(old_bytes), RDMA_TEST(mtu_mismatch),
	};

	return RDMA_RUN("packets", tests);
}
