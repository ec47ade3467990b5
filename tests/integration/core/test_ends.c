// SPDX-License-Identifier: Apache-2.0
/*
 * QPs that end in the midst of traffic, by command or by an error: what was posted is left alone
 * afterwards, and no other QP notices.
 */
#include "rdma.h"

#define READS 40u
#define READ_LEN 64u

static unsigned int rounds(unsigned int otherwise)
{
	const char *text = getenv("ROUNDS");

	return text ? (unsigned int)strtoul(text, NULL, 0) : otherwise;
}

/* By error, by destruction, by RESET, which all wait for a fence. */
static void end(struct rdma_qp *qp, struct rdma_cq *cq, unsigned int how)
{
	struct cairn_qp_attr reset = { .state = CAIRN_QP_STATE_RESET };

	if (how % 3 == 0) {
		rdma_qp_error(qp);
		rdma_wait(qp->r);
	} else {
		rdma_ledger_drop(qp);
	}
	if (how % 3 == 1)
		rdma_ok(qp->r, cairn_modify_qp(qp->qp, &reset, CAIRN_QP_MASK_STATE), "reset");
	rdma_destroy_qp(qp);
	while (cairn_cq_next(cq->cq)) /* of a QP that is not there any more */
		cairn_cq_consume(cq->cq);
}

/*
 * Answers of READs that wait for the one before, when the QP stops: they hold up a fence, and so
 * all that needs one, if they wait for ever.
 */
static void among_reads(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	struct rdma_buf *a = rdma_buf(r, 0, READS * READ_LEN, 0);
	struct rdma_buf *b = rdma_buf(r, 1, READS * READ_LEN, 0);
	struct rdma_buf *c = rdma_buf(r, 0, 4096, 0), *d = rdma_buf(r, 1, 4096, 0);
	struct rdma_wr other = rdma_wr(CAIRN_WQE_OP_WRITE, c, 0, d, 0, 4096);
	struct rdma_qp *beside = rdma_pair(r, 0, 1, NULL);
	struct rdma_cq *cq = rdma_create_cq(r, 0, READS);
	struct rdma_qp_cfg cfg;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	for (unsigned int i = 0; i < rounds(30); i++) {
		struct rdma_qp *qp, *peer;

		cfg.send_cq = cq;
		qp = rdma_create_qp(r, 0, &cfg);
		cfg.send_cq = NULL;
		peer = rdma_create_qp(r, 1, &cfg);
		rdma_connect(qp, peer);
		for (unsigned int k = 0; k < READS; k++) {
			struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_READ, a, k * READ_LEN, b,
						    k * READ_LEN, READ_LEN);

			wr.no_data = true;
			rdma_post(qp, &wr);
		}
		rdma_ring(qp);
		rdma_run(r, 400 + rng_below(&r->rng, 1500));
		end(qp, cq, i);
		rdma_destroy_qp(peer);
		rdma_do(beside, &other);
	}
	rdma_buf_forget(a, 0, a->len);
	rdma_end(r);
}

#define LONG 60000u /* 15 packets: most of them wait for the ring of payload */

/*
 * A QP ends while its packets wait for their payload. When its work request has flushed, its memory
 * belongs to the program again: none of what that writes there may go out any more.
 */
static void ends_while_sending(bool by_timeout)
{
	static const struct rdma_cfg slow = { .eth_mtu = 4200, .mbps = 1000 };
	struct rdma *r = rdma_begin(&slow);
	struct rdma_buf *a = rdma_buf(r, 0, LONG, 0), *b = rdma_buf(r, 1, LONG, 0);
	uint8_t *was = malloc(2 * LONG);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, a, 0, b, 0, LONG);
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;
	unsigned int sent = 0;

	rdma_assert(r, was);
	memcpy(was, a->data, LONG);
	memcpy(was + LONG, b->data, LONG);
	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 5;
	if (by_timeout) {
		rdma_rule(r, "drop nic1>nic0 type=roce");
		wr.expect = CAIRN_WC_STATUS_RETRY_EXC_ERR;
		cfg.timeout = 4; /* 66 us, two packets */
		cfg.retry_cnt = 0;
	}
	qp = rdma_pair(r, 0, 1, &cfg);
	wr.no_data = true;
	rdma_post(qp, &wr);
	rdma_ring(qp);
	if (!by_timeout) {
		rdma_run(r, 6000);
		rdma_qp_error(qp);
	}
	rdma_wait(r);
	memset(a->data, 0xee, LONG);
	rdma_run(r, 200000);
	for (unsigned int i = 0; i < LONG; i++) {
		if (b->data[i] != was[i] && b->data[i] != was[LONG + i])
			rdma_fail(r, "byte %u was read after the flush", i);
		sent += b->data[i] == was[i];
	}
	rdma_assert(r, sent > 4096 && rdma_qp_state(qp) == CAIRN_QP_STATE_ERR);
	free(was);
	rdma_buf_forget(a, 0, LONG);
	rdma_buf_forget(b, 0, LONG);
	rdma_end(r);
}

static void error_while_sending(void **state)
{
	(void)state;
	ends_while_sending(false);
}

static void timeout_while_sending(void **state)
{
	(void)state;
	ends_while_sending(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(among_reads), RDMA_TEST(error_while_sending),
					    RDMA_TEST(timeout_while_sending) };

	return RDMA_RUN("ends", tests);
}
