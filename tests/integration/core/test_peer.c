// SPDX-License-Identifier: Apache-2.0
/*
 * A hostile peer (CHECKS 99 to 101, 104, 105, 109, 18, 19): keys that it guesses, PSNs that it
 * sweeps, packets made to end a connection, READs without end, peers that never answer, and what
 * becomes of late answers.
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
	rdma_run(p->r, 300);
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
		peer_reconnect(p, qp, PEER_QPN, PSN);
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
		peer_reconnect(p, qp, PEER_QPN, PSN);
	}
	peer_canary(p, 3000);
	rdma_end(p->r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(guessed_keys),
		RDMA_TEST(swept_psns),
		RDMA_TEST(one_packet),
	};

	return RDMA_RUN("peer", tests);
}
