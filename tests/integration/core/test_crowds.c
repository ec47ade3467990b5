// SPDX-License-Identifier: Apache-2.0
/*
 * Peers that ask for too much or do not answer, on many QPs at once, beside a QP that works: RNR
 * without end, half-open connections, READs of 2^31 bytes.
 *
 * Environment: QPS (10), at most 240.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "peer.h"

#define PSN 0x123400u
#define MOST 240u
#define ROUNDS 12u
#define FIRE 3000u

static struct peer *p;
static struct rdma_qp *qp[MOST];
static unsigned int n;
static bool relent; /* the peer takes what it refused */

static unsigned int wanted(void)
{
	const char *text = getenv("QPS");
	unsigned int qps = text && *text ? (unsigned int)strtoul(text, NULL, 0) : 10;

	assert_in_range(qps, 1, MOST);
	return qps;
}

static uint64_t count(enum cairn_counter counter)
{
	return rdma_counter(p->r, 0, counter);
}

static struct rdma_buf *open_all(const struct rdma_qp_cfg *cfg)
{
	p = peer_begin();
	n = wanted();
	for (unsigned int i = 0; i < n; i++)
		qp[i] = peer_connect(p, cfg, PEER_QPN + i, PSN);
	return rdma_buf(p->r, 0, 4096, 0);
}

/* One small request of each. */
static void everybody(enum cairn_wqe_op op, struct rdma_buf *buf, enum cairn_wc_status expect)
{
	for (unsigned int i = 0; i < n; i++) {
		struct rdma_wr wr = rdma_wr(op, buf, 8 * i, NULL, 0, 8);

		wr.no_data = true;
		wr.expect = expect;
		rdma_post(qp[i], &wr);
		rdma_ring(qp[i]);
	}
}

/* ns of some messages of the bystander; what else is due stays so. */
static uint64_t live(uint32_t len)
{
	uint64_t begin;

	if (!p->canary)
		peer_canary(p, 8);
	begin = sim_now(p->r->sim);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, p->near, 0, p->far, 50, len);

		rdma_post(p->canary, &wr);
		rdma_ring(p->canary);
	}
	while (rdma_room(p->canary) < 1u << p->canary->qp->sq_log2) {
		rdma_run(p->r, 64);
		rdma_poll(p->r);
	}
	return sim_now(p->r->sim) - begin;
}

/* ---------------------------------------------------------------- RNR storm (check 12) */

static struct rdma_qp *owner(uint32_t peer_qpn)
{
	return peer_qpn - PEER_QPN < n ? qp[peer_qpn - PEER_QPN] : NULL;
}

static void not_ready(struct peer *peer, const struct model_packet *packet)
{
	struct rdma_qp *of = owner(peer_dest(packet));

	if (of) /* 0.01 ms */
		peer_ack(peer, of, peer_psn(packet), relent ? 31 : 0x21, relent);
}

static void rnr_storm(void **state)
{
	struct rdma_buf *buf = open_all(NULL);
	uint64_t alone = live(20000), beside, naks = count(CAIRN_COUNTER_RNR_NAK_RCVD);

	(void)state;
	relent = false;
	p->quiet = true;
	p->answer = not_ready;
	everybody(CAIRN_WQE_OP_SEND, buf, CAIRN_WC_STATUS_SUCCESS);
	rdma_run(p->r, 2000);
	beside = live(20000);
	naks = count(CAIRN_COUNTER_RNR_NAK_RCVD) - naks;
	printf("# %u QPs, %llu RNR NAKs: the bystander took %llu ns, %llu alone\n", n,
	       (unsigned long long)naks, (unsigned long long)beside, (unsigned long long)alone);
	rdma_assert(p->r, naks > 4ull * n);
	if (alone < beside * 9 / 10)
		rdma_fail(p->r, "a storm of RNR NAKs slows others down");
	relent = true;
	rdma_wait(p->r);
	p->answer = NULL;
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- half open (check 105) */

/* First transmission and seven more, each in its time, then an error; nobody else notices. */
static void half_open(void **state)
{
	struct rdma_qp_cfg cfg;
	struct rdma_buf *buf;
	uint64_t alone, beside, begin, took, timeouts;
	const uint64_t timeout = 4096ull << 5;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.timeout = 5;
	buf = open_all(&cfg);
	alone = live(3000);
	timeouts = count(CAIRN_COUNTER_ACK_TIMEOUT);
	p->quiet = true;
	peer_forget(p);
	begin = sim_now(p->r->sim);
	everybody(CAIRN_WQE_OP_WRITE, buf, CAIRN_WC_STATUS_RETRY_EXC_ERR);
	beside = live(3000);
	rdma_wait(p->r);
	took = sim_now(p->r->sim) - begin;
	printf("# %u QPs without answers end after %llu us; bystander %llu ns, %llu alone\n", n,
	       (unsigned long long)took / 1000, (unsigned long long)beside,
	       (unsigned long long)alone);
	rdma_assert(p->r, p->total == 8 * n);
	rdma_assert(p->r, count(CAIRN_COUNTER_ACK_TIMEOUT) == timeouts + 8 * n);
	rdma_assert(p->r, took >= 8 * timeout && took <= 32 * timeout);
	rdma_assert(p->r, beside < alone + alone / 2 + n * 200);
	live(3000);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- endless READs (check 104) */

#define HUGE_BYTES (1ull << 31)

static void ask(struct rdma_qp *of, uint32_t psn, const struct cairn_mr *mr, uint32_t len)
{
	struct model_packet packet = peer_packet(p, of, CAIRN_OPCODE_RC_READ_REQUEST, psn);

	peer_add_reth(&packet, mr->va, mr->key, len);
	peer_send(p, &packet);
}

static void too_many(struct cairn_mr *mr)
{
	unsigned int most = p->r->nic[0].caps.max_dest_rd_atomic;
	uint64_t inv = count(CAIRN_COUNTER_RESP_INV_REQ);

	for (unsigned int i = 0; i <= most; i++)
		ask(qp[0], PSN + 32 * i, mr, 32768);
	for (unsigned int i = 0; i < 400 && count(CAIRN_COUNTER_RESP_INV_REQ) == inv; i++)
		rdma_run(p->r, 500);
	rdma_assert(p->r, rdma_qp_state(qp[0]) == CAIRN_QP_STATE_ERR);
	rdma_assert(p->r, count(CAIRN_COUNTER_RESP_INV_REQ) == inv + 1);
}

static void endless_reads(void **state)
{
	void *huge = mmap(NULL, HUGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			  -1, 0);
	uint64_t alone, beside, sent;
	struct rdma_qp_cfg cfg;
	struct cairn_mr *mr;

	(void)state;
	assert_true(huge != MAP_FAILED);
	p = peer_begin();
	p->quiet = true;
	rdma_ok(p->r,
		cairn_reg_mr(p->r->nic[0].pd, huge, HUGE_BYTES, 0x100000000000ull,
			     CAIRN_ACCESS_REMOTE_READ, &mr),
		"2 GiB");
	rdma_qp_cfg_init(&cfg);
	qp[0] = peer_connect(p, &cfg, PEER_QPN, PSN);
	alone = live(20000);
	for (unsigned int i = 0; i < 4; i++) /* 2^21 PSNs each: the window has room for no more */
		ask(qp[0], PSN + i * 0x200000, mr, HUGE_BYTES);
	rdma_run(p->r, 3000);
	sent = p->total;
	beside = live(20000);
	printf("# beside endless READs the bystander took %llu ns, %llu alone; %llu responses\n",
	       (unsigned long long)beside, (unsigned long long)alone,
	       (unsigned long long)(p->total - sent));
	rdma_assert(p->r, p->total - sent > 50);
	if (alone < beside * 3 / 10)
		rdma_fail(p->r, "endless READs leave others less than a fair share");
	rdma_destroy_qp(qp[0]);
	sent = p->total;
	rdma_run(p->r, 20000);
	printf("# %llu responses after the QP was destroyed\n",
	       (unsigned long long)(p->total - sent));
	rdma_assert(p->r, p->total - sent <= 4);
	live(3000);
	qp[0] = peer_connect(p, &cfg, PEER_QPN, PSN);
	too_many(mr);
	live(3000);
	rdma_destroy_qp(qp[0]);
	rdma_ok(p->r, cairn_dereg_mr(mr), "end of 2 GiB");
	munmap(huge, HUGE_BYTES);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- more READs than cached QPs */

#define READ_PACKETS 12u
#define READ_MTU 256u

static unsigned int answered[MOST]; /* READ responses, in order */
static unsigned int strays;	    /* READ responses that come again, or out of turn */

static void count_response(struct peer *peer, const struct model_packet *packet)
{
	uint32_t i = peer_dest(packet) - PEER_QPN;

	(void)peer;
	if (i >= n)
		return;
	if (peer_psn(packet) == PSN + answered[i])
		answered[i]++;
	else
		strays++;
}

/*
 * Each QP is asked for more than one visit's responses, and between two of its visits others have
 * had its place in the QP cache: it goes on where it was.
 */
static void reads_of_many(void **state)
{
	struct rdma_qp_cfg cfg;
	struct rdma_buf *far;
	unsigned int done = 0;

	(void)state;
	rdma_qp_cfg_init(&cfg);
	cfg.pmtu = 1;
	open_all(&cfg);
	far = rdma_buf(p->r, 0, 4096, CAIRN_ACCESS_REMOTE_READ);
	p->quiet = true;
	p->answer = count_response;
	memset(answered, 0, sizeof(answered));
	strays = 0;
	for (unsigned int i = 0; i < 4000 && done < n; i++) {
		/* what has not begun after a while was lost: requests that wait for records */
		for (unsigned int k = 0; k < n && i % 1000 == 0; k++) {
			if (!answered[k])
				ask(qp[k], PSN, far->mr, READ_PACKETS * READ_MTU);
			if (k % 8 == 7)
				rdma_run(p->r, 500);
		}
		rdma_run(p->r, 100);
		done = 0;
		for (unsigned int k = 0; k < n; k++)
			done += answered[k] == READ_PACKETS;
	}
	printf("# %u of %u READs answered, %u responses again\n", done, n, strays);
	rdma_assert(p->r, done == n && !strays);
	rdma_end(p->r);
}

/* ---------------------------------------------------------------- RESET under fire */

static unsigned int complaints; /* of qp[0] */

static void count_complaint(struct peer *peer, const struct model_packet *packet)
{
	(void)peer;
	complaints += peer_dest(packet) == PEER_QPN &&
		      peer_opcode(packet) == CAIRN_OPCODE_RC_ACKNOWLEDGE &&
		      peer_syndrome(packet) != 31;
}

/*
 * Moved to RESET while its peer goes on: what the QP was when it last left the cache does not come
 * back, not for a moment. The packets are ahead of what it expects: it says so once; a QP that is
 * read again from host memory would say it again.
 */
static void reset_under_fire(void **state)
{
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_RESET };
	struct rdma_buf *far;

	(void)state;
	open_all(NULL);
	far = rdma_buf(p->r, 0, 4096, CAIRN_ACCESS_REMOTE_WRITE);
	p->quiet = true;
	p->answer = count_complaint;
	complaints = 0;
	for (unsigned int i = 1; i < 4 * n; i++) { /* the others take its place */
		if (i % n)
			peer_write(p, qp[i % n], PSN + i / n, far->mr->va, far->mr->key, "", 0);
		rdma_run(p->r, 300);
	}
	for (unsigned int i = 0; i < FIRE; i++)
		peer_write(p, qp[0], PSN + 5, far->mr->va + 64, far->mr->key, "QP 0", 4);
	rdma_run(p->r, 300);
	rdma_other_qps(p->r); /* it counts what comes before and after */
	assert_int_equal(cairn_modify_qp(qp[0]->qp, &attr, CAIRN_QP_MASK_STATE), 0);
	printf("# %u complaints\n", complaints);
	rdma_assert(p->r, complaints == 1);
	rdma_assert(p->r, rdma_qp_state(qp[0]) == CAIRN_QP_STATE_RESET);
	rdma_run(p->r, 20000);
	rdma_assert(p->r, complaints == 1);
	rdma_end(p->r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(rnr_storm),
		RDMA_TEST(half_open),
		RDMA_TEST(endless_reads),
		RDMA_TEST(reads_of_many),
		RDMA_TEST(reset_under_fire),
	};

	return RDMA_RUN("crowds", tests);
}
