// SPDX-License-Identifier: Apache-2.0
/*
 * A hostile peer (checks 99 to 102): keys that it guesses, PSNs that it sweeps, packets made to end
 * a connection, memory of another protection domain.
 *
 * Environment: GUESSES, SWEEP (packets).
 */
#include "peer.h"

#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define PSN 0x123400u

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static uint64_t count(struct peer *p, enum cairn_counter counter)
{
	return rdma_counter(p->r, 0, counter);
}

static void settle(struct peer *p)
{
	rdma_run(p->r, 1200); /* host memory has answered */
	rdma_settle(p->r, 20000);
}

/* ---------------------------------------------------------------- guessed keys (check 99) */

/* One wrong guess and the connection is gone: each more needs a new one. */
static void guessed_keys(void **state)
{
	struct peer *p = peer_begin();
	struct rdma_buf *buf = rdma_buf(p->r, 0, 4096, 0);
	struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);
	uint64_t tries = number("GUESSES", 6);
	uint64_t refused = count(p, CAIRN_COUNTER_MR_BAD_KEY);
	uint64_t naks = count(p, CAIRN_COUNTER_RESP_ACCESS_ERR);
	const uint8_t evil[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	for (uint64_t i = 0; i < tries; i++) {
		uint32_t key = (uint32_t)rng_u64(&p->r->rng);
		uint64_t dropped = count(p, CAIRN_COUNTER_RX_QP_STATE);

		if (i & 1) /* the index is known */
			key = (buf->mr->key & ~0xffu) | ((buf->mr->key + 1 + key % 255) & 0xff);
		peer_forget(p);
		peer_write(p, qp, PSN, buf->mr->va, key, evil, 8);
		peer_write(p, qp, PSN + 1, buf->mr->va, buf->mr->key, evil, 8); /* too late */
		settle(p);
		rdma_assert(p->r, p->n == 1 && peer_syndrome(peer_got(p, 0)) == 0x62);
		rdma_assert(p->r, count(p, CAIRN_COUNTER_MR_BAD_KEY) == refused + i + 1);
		rdma_assert(p->r, count(p, CAIRN_COUNTER_RESP_ACCESS_ERR) == naks + i + 1);
		rdma_assert(p->r, count(p, CAIRN_COUNTER_RX_QP_STATE) == dropped + 1);
		rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
		rdma_buf_check(p->r, buf);
		peer_reconnect(qp, PEER_QPN, PSN);
	}
	peer_canary(p, 3000);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- swept PSNs (check 100) */

/* All of the guesses but the one in 2^24 are counted, and change nothing. */
static void swept_psns(void **state)
{
	struct peer *p = peer_begin();
	struct rdma_buf *buf = rdma_buf(p->r, 0, 4096, 0);
	struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);
	unsigned int packets = (unsigned int)number("SWEEP", 600), behind = 0, ahead = 0;
	uint64_t dup = count(p, CAIRN_COUNTER_DUPLICATE_REQUEST);
	uint64_t oos = count(p, CAIRN_COUNTER_OUT_OF_SEQUENCE);
	const uint8_t evil[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	for (unsigned int i = 0; i < packets; i++) {
		uint32_t off = (uint32_t)rng_u64(&p->r->rng) & 0xffffff;

		if (i % 3 == 0) /* the edges of the window */
			off = (0x800000u * (i / 3 & 1) + 32 - i / 6 % 64) & 0xffffff;
		if (!off)
			continue;
		behind += off >= 0x800000;
		ahead += off < 0x800000;
		peer_write(p, qp, PSN + off, buf->mr->va, buf->mr->key, evil, 8);
		if (i % 8 == 7)
			settle(p);
	}
	settle(p);
	rdma_assert(p->r, count(p, CAIRN_COUNTER_DUPLICATE_REQUEST) == dup + behind);
	rdma_assert(p->r, count(p, CAIRN_COUNTER_OUT_OF_SEQUENCE) == oos + ahead);
	rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS);
	rdma_buf_check(p->r, buf);
	peer_write(p, qp, PSN, buf->mr->va, buf->mr->key, evil, 8); /* the one */
	settle(p);
	rdma_assert(p->r, !memcmp(buf->data, evil, 8));
	rdma_buf_forget(buf, 0, 8);
	peer_canary(p, 3000);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- one packet (check 101) */

enum kill { KILL_OPCODE, KILL_LENGTH, KILL_KEY, KILL_BOUNDS, KILL_ORDER, KILLS };

static struct model_packet killer(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf,
				  enum kill kind)
{
	static const uint8_t opcode[KILLS] = {
		CAIRN_OPCODE_RC_SEND_LAST, CAIRN_OPCODE_RC_WRITE_ONLY, CAIRN_OPCODE_RC_WRITE_ONLY,
		CAIRN_OPCODE_RC_READ_REQUEST, CAIRN_OPCODE_RC_WRITE_MIDDLE
	};
	static const uint8_t bytes[1024];
	struct model_packet packet = peer_packet(p, qp, opcode[kind], PSN);

	if (kind == KILL_LENGTH)
		peer_add_reth(&packet, buf->mr->va, buf->mr->key, 9);
	else if (kind == KILL_KEY)
		peer_add_reth(&packet, buf->mr->va, buf->mr->key ^ 1, 8);
	else if (kind == KILL_BOUNDS)
		peer_add_reth(&packet, buf->mr->va + 4089, buf->mr->key, 8);
	if (kind != KILL_BOUNDS)
		peer_add_payload(&packet, bytes, kind == KILL_ORDER ? 1024 : 8);
	return packet;
}

static void one_packet(void **state)
{
	static const enum cairn_eqe_type event[KILLS] = { CAIRN_EQE_TYPE_QP_REQ_ERR,
							  CAIRN_EQE_TYPE_QP_ACCESS_ERR,
							  CAIRN_EQE_TYPE_QP_ACCESS_ERR,
							  CAIRN_EQE_TYPE_QP_ACCESS_ERR,
							  CAIRN_EQE_TYPE_QP_REQ_ERR };
	static const uint8_t syndrome[KILLS] = { 0x61, 0x61, 0x62, 0x62, 0x61 };
	struct peer *p = peer_begin();
	struct rdma_buf *buf = rdma_buf(p->r, 0, 4096, 0);
	struct rdma_qp *qp = peer_connect(p, NULL, PEER_QPN, PSN);

	(void)state;
	for (enum kill kind = 0; kind < KILLS; kind++) {
		struct model_packet packet = killer(p, qp, buf, kind);
		uint64_t address = count(p, CAIRN_COUNTER_RX_BAD_ADDR);
		uint64_t inv = count(p, CAIRN_COUNTER_RESP_INV_REQ);
		uint64_t access = count(p, CAIRN_COUNTER_RESP_ACCESS_ERR);
		unsigned int events = rdma_events(p->r, 0, event[kind]);

		/* From anybody else it is nothing. */
		peer_forget(p);
		packet.src[15] ^= 1;
		peer_send(p, &packet);
		packet.src[15] ^= 1;
		packet.src[12] = 11;
		peer_send(p, &packet);
		packet.src[12] = peer_gid[12];
		settle(p);
		rdma_assert(p->r, count(p, CAIRN_COUNTER_RX_BAD_ADDR) == address + 2);
		rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_RTS && !p->n);
		/* From the peer's address it ends the connection, is counted, and an event says why
		 * and whose. */
		peer_send(p, &packet);
		settle(p);
		rdma_assert(p->r, p->n == 1 && peer_syndrome(peer_got(p, 0)) == syndrome[kind]);
		rdma_assert(p->r, rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
		rdma_assert(p->r,
			    count(p, CAIRN_COUNTER_RESP_INV_REQ) - inv == (syndrome[kind] == 0x61));
		rdma_assert(p->r, count(p, CAIRN_COUNTER_RESP_ACCESS_ERR) - access ==
					  (syndrome[kind] == 0x62));
		rdma_assert(p->r, rdma_events(p->r, 0, event[kind]) == events + 1);
		rdma_assert(p->r,
			    p->r->nic[0].event[p->r->nic[0].events - 1].number == qp->qp->qpn);
		rdma_assert(p->r, p->r->nic[0].event[p->r->nic[0].events - 1].data);
		rdma_buf_check(p->r, buf);
		peer_reconnect(qp, PEER_QPN, PSN);
	}
	peer_canary(p, 3000);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- domains (check 102) */

static struct model_packet request(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf,
				   uint8_t opcode)
{
	struct model_packet packet = peer_packet(p, qp, opcode, PSN);
	uint8_t eth[CAIRN_ATOMICETH_BYTES] = { 0 }, imm[4] = { 1 };

	if (opcode == CAIRN_OPCODE_RC_FETCH_ADD || opcode == CAIRN_OPCODE_RC_COMPARE_SWAP) {
		cairn_pkt_set(eth, CAIRN_ATOMICETH_VA, buf->mr->va);
		cairn_pkt_set(eth, CAIRN_ATOMICETH_RKEY, buf->mr->key);
		cairn_pkt_set(eth, CAIRN_ATOMICETH_SWAP_ADD, 1);
		peer_add(&packet, eth, sizeof(eth));
		return packet;
	}
	peer_add_reth(&packet, buf->mr->va, buf->mr->key, 8);
	if (opcode == CAIRN_OPCODE_RC_WRITE_ONLY_IMM)
		peer_add(&packet, imm, 4);
	if (opcode != CAIRN_OPCODE_RC_READ_REQUEST)
		peer_add_payload(&packet, "01234567", 8);
	return packet;
}

/* Each operation of the peer on memory of another domain: refused, no answer but the NAK. */
static void remote_ops(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf)
{
	static const uint8_t opcodes[] = { CAIRN_OPCODE_RC_WRITE_ONLY,
					   CAIRN_OPCODE_RC_WRITE_ONLY_IMM,
					   CAIRN_OPCODE_RC_READ_REQUEST, CAIRN_OPCODE_RC_FETCH_ADD,
					   CAIRN_OPCODE_RC_COMPARE_SWAP };

	for (size_t i = 0; i < LEN(opcodes); i++) {
		struct model_packet packet = request(p, qp, buf, opcodes[i]);
		uint64_t refused = count(p, CAIRN_COUNTER_MR_BAD_PD);

		if (opcodes[i] == CAIRN_OPCODE_RC_WRITE_ONLY_IMM) {
			rdma_post_recv_expect(qp, NULL, 0, CAIRN_WC_STATUS_WR_FLUSH_ERR,
					      CAIRN_VENDOR_ERR_NONE);
			rdma_ring_recv(qp);
		}
		peer_forget(p);
		peer_send(p, &packet);
		settle(p);
		rdma_wait(p->r);
		rdma_assert(p->r, p->n == 1 && peer_syndrome(peer_got(p, 0)) == 0x62);
		rdma_assert(p->r, count(p, CAIRN_COUNTER_MR_BAD_PD) > refused);
		rdma_buf_check(p->r, buf);
		peer_reconnect(qp, PEER_QPN, PSN);
	}
}

/* Answers a READ and an atomic with their data. */
static void give(struct peer *p, const struct model_packet *packet)
{
	bool read = peer_opcode(packet) == CAIRN_OPCODE_RC_READ_REQUEST;
	struct model_packet answer = peer_packet(
		p, p->arg, read ? CAIRN_OPCODE_RC_READ_RSP_ONLY : CAIRN_OPCODE_RC_ATOMIC_ACK,
		peer_psn(packet));

	peer_add_aeth(&answer, 31, 1);
	peer_add_payload(&answer, "evilevil", 8);
	peer_send(p, &answer);
}

/* Elements of work requests in another domain. */
static void local_ops(struct peer *p, struct rdma_qp *qp, struct rdma_buf *buf)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_SEND, CAIRN_WQE_OP_WRITE,
						 CAIRN_WQE_OP_READ, CAIRN_WQE_OP_ATOMIC_FA,
						 CAIRN_WQE_OP_ATOMIC_CS };

	p->arg = qp;
	for (size_t i = 0; i < LEN(ops); i++) {
		struct rdma_wr wr = rdma_wr(ops[i], buf, 0, NULL, 0, 8);

		peer_forget(p);
		p->answer = i < 2 ? NULL : give;
		wr.expect = CAIRN_WC_STATUS_LOC_PROT_ERR;
		wr.vendor = CAIRN_VENDOR_ERR_KEY_PD;
		rdma_do(qp, &wr);
		rdma_assert(p->r, p->n <= (i < 2 ? 0 : 1)); /* not a byte has left */
		rdma_buf_check(p->r, buf);
		peer_reconnect(qp, PEER_QPN, PSN);
	}
	p->answer = NULL;
}

static void domains(void **state)
{
	struct peer *p = peer_begin();
	struct rdma_buf_cfg buf_cfg = { .len = 4096,
					.access = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC };
	struct model_packet packet;
	struct rdma_qp_cfg cfg;
	struct cairn_sge sge;
	struct rdma_buf *buf;
	struct rdma_qp *qp;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.access |= CAIRN_ACCESS_REMOTE_ATOMIC;
	rdma_ok(p->r, cairn_alloc_pd(p->r->nic[0].dev, &buf_cfg.pd), "PD");
	buf = rdma_buf_with(p->r, 0, &buf_cfg);
	qp = peer_connect(p, &cfg, PEER_QPN, PSN);
	remote_ops(p, qp, buf);
	local_ops(p, qp, buf);
	sge = rdma_sge(buf, 0, 100);
	rdma_post_recv_expect(qp, &sge, 1, CAIRN_WC_STATUS_LOC_PROT_ERR, CAIRN_VENDOR_ERR_KEY_PD);
	rdma_ring_recv(qp);
	packet = peer_packet(p, qp, CAIRN_OPCODE_RC_SEND_ONLY, PSN);
	peer_add_payload(&packet, "evil", 4);
	peer_forget(p);
	peer_send(p, &packet);
	rdma_wait(p->r);
	settle(p);
	rdma_assert(p->r, p->n == 1 && peer_syndrome(peer_got(p, 0)) == 0x63);
	rdma_end(p->r);
	cairn_dealloc_pd(buf_cfg.pd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(guessed_keys),
		RDMA_TEST(swept_psns),
		RDMA_TEST(one_packet),
		RDMA_TEST(domains),
	};

	return RDMA_RUN("peer", tests);
}
