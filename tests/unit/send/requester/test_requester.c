// SPDX-License-Identifier: Apache-2.0
/*
 * The requester (req_visit, req_start, req_passed, req_build, req_record, req_issue, req_send,
 * req_local, req_mr_wait) with its WQE cache against a reference: each packet must be what its PSN
 * says it is (operation, position in the message, addresses, pieces, inline bytes), PSNs follow one
 * another, a go-back starts where it should, and everything posted gets sent. The environment
 * (req_world.c) answers MR requests late, with misses and errors, loses context lookups,
 * acknowledges and goes back; what is sent is compared in req_expect.c.
 */
#include "req_world.h"

static unsigned int room(const struct qp *p)
{
	return RING - (uint16_t)(p->pi - (uint16_t)p->cmp.oldest);
}

/* Every QP has sent all that was posted to it. */
static void check_done(struct vtb *tb)
{
	for (unsigned int q = 0; q < QPS; q++) {
		struct qp *p = &w.q[q];

		if (p->err)
			vtb_fail(tb, "QP %u: error, flags %08x", q, p->req.flags);
		if (p->old_msg != p->n_msg)
			vtb_fail(
				tb,
				"QP %u: %u of %u messages done, next %06x of %06x, una %06x, index %04x of %04x, state %u",
				q, p->old_msg, p->n_msg, p->req.psn & 0xffffff, p->end_psn,
				p->cmp.una & 0xffffff, p->req.index & 0xffff, p->pi, p->st);
		vtb_check_eq(tb, p->req.index & 0xffff, p->pi);
	}
}

static void run(unsigned int cycles, unsigned int pause, unsigned int miss, unsigned int lk_bad,
		bool gobacks, unsigned int messages)
{
	struct vtb *tb = world_start();
	unsigned int posted = 0;

	w.pause = pause;
	w.miss = miss;
	w.lk_bad = lk_bad;
	w.gobacks = gobacks;
	for (unsigned int i = 0; i < cycles; i++) {
		unsigned int q = (unsigned int)rng_below(&w.rng, QPS);

		if (rng_percent(&w.rng, 5) && posted < messages && room(&w.q[q]) >= 8 &&
		    w.q[q].n_msg - w.q[q].old_msg < 400) {
			world_random_msg(q);
			posted++;
		}
		if (rng_percent(&w.rng, 3))
			world_completer();
		vtb_tick(tb);
		if (posted == messages && world_all_done())
			break;
	}
	check_done(tb);
	vtb_check_eq(tb, posted, messages);
	w.pause = 0;
	for (int i = 0; i < 3000; i++)
		vtb_tick(tb);
	for (unsigned int q = 0; q < QPS; q++) {
		vtb_check_eq(tb, w.q[q].pins, 0);
		vtb_check_eq(tb, w.q[q].st, S_IDLE);
		vtb_check_eq(tb, w.q[q].req.ssn & 0xffffff, w.q[q].started);
		vtb_check_eq(tb, w.q[q].req.free_msg, w.q[q].free);
		vtb_check_eq(tb, CAIRN_GET(w.q[q].req.hi_psn, CAIRN_QP_REQ_HI_PSN_RD_ISSUED),
			     w.q[q].rd_done & 255);
	}
	vtb_check(tb, vtb_get(tb, "idle_o"));
	print_message("# %u messages, %llu packets, %llu again\n", posted,
		      (unsigned long long)w.jobs, (unsigned long long)w.retx);
	vtb_destroy(tb);
}

static void plain(void **s)
{
	(void)s;
	run(120000, 0, 0, 0, false, 300);
}
static void pauses(void **s)
{
	(void)s;
	run(180000, 40, 0, 10, false, 300);
}
static void misses(void **s)
{
	(void)s;
	run(240000, 20, 10, 10, false, 300);
}
static void back(void **s)
{
	(void)s;
	run(300000, 0, 0, 0, true, 300);
}
static void everything(void **s)
{
	(void)s;
	run(450000, 20, 5, 5, true, 500);
}

/* What is wrong with the WQE of QP 2, and the cause it is stopped with. */
enum fault {
	BAD_CHECK,
	BAD_OPCODE,
	BAD_LENGTH,
	BAD_LIST,  /* of five elements */
	SUM_WRAPS, /* two, that add up to the length modulo 2^32 */
	LIST_WRAPS,
	BAD_BLOCKS,
	BAD_LKEY,
	RING_OVERRUN,
	FETCH_FAILS,
	BLOCK_MISSING, /* the second one is not posted */
	PAYLOAD_FAILS,
};

static const struct fault_row {
	enum fault fault;
	unsigned int status, vendor;
} fault_rows[] = {
	{ BAD_CHECK, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_CHECK },
	{ BAD_OPCODE, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_OPCODE },
	{ BAD_LENGTH, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
	{ BAD_LIST, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
	{ SUM_WRAPS, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
	{ LIST_WRAPS, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
	{ BAD_BLOCKS, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_SGE },
	{ BAD_LKEY, CAIRN_WC_STATUS_LOC_PROT_ERR, MR_VENDOR },
	{ RING_OVERRUN, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_INDEX },
	{ FETCH_FAILS, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_DMA_READ },
	{ BLOCK_MISSING, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_INDEX },
	{ PAYLOAD_FAILS, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_DMA_READ },
};

/* Good WRITEs of three packets each. */
static void post_good(unsigned int n)
{
	struct qp *p = &w.q[2];

	for (unsigned int i = 0; i < n; i++) {
		struct msg *m = world_new_msg(2);

		m->op = CAIRN_WQE_OP_WRITE;
		m->nsge = 1;
		m->sge[0].len = m->len = 3 * p->mtu;
		m->sge[0].lkey = 1;
		world_post(2, m);
	}
}

static void post_bad(enum fault fault)
{
	struct qp *p = &w.q[2];
	struct cairn_wqe *x = (struct cairn_wqe *)(p->ring + p->pi % RING * 64);
	struct msg *m = world_new_msg(2);

	m->op = CAIRN_WQE_OP_WRITE;
	m->nsge = fault == BAD_LIST || fault == LIST_WRAPS || fault == BLOCK_MISSING ? 5 : 2;
	for (unsigned int i = 0; i < m->nsge; i++) {
		m->sge[i].len = p->mtu + 7;
		m->sge[i].lkey = fault == BAD_LKEY && i ? BAD_KEY : 3;
		if (i < 2 && (fault == SUM_WRAPS || fault == LIST_WRAPS))
			m->sge[i].len = 0x80000000;
		m->len += m->sge[i].len;
	}
	world_put_wqe(2, m);
	p->n_msg++;
	switch (fault) {
	case BAD_CHECK:
		x->check ^= 0x10000;
		break;
	case BAD_OPCODE:
		x->ctrl |= 0x40;
		break;
	case BAD_LENGTH:
	case BAD_LIST:
		x->length++;
		break;
	case BAD_BLOCKS:
		x->ctrl += 1u << CAIRN_WQE_CTRL_BLOCKS_SHIFT;
		m->blocks = 2;
		break;
	case RING_OVERRUN:
		m->blocks = RING + 1;
		break;
	case FETCH_FAILS:
		w.read_fail = 100;
		break;
	case BLOCK_MISSING:
		m->blocks = 1;
		break;
	default:
		break;
	}
	p->pi = (uint16_t)(p->pi + m->blocks);
	world_kick(2);
}

/* tx_payload reports that it could not read the payload of a packet. */
static void payload_read_fails(struct vtb *tb, unsigned int q, uint32_t psn)
{
	struct rec_tx_lost lost = { .qpn = q, .gen = GEN, .psn = psn & 0xffffff };

	vtb_put_tx_lost(vtb_port(tb, "tx_err_lost_i"), 0, &lost);
	vtb_set(tb, "tx_err_valid_i", 1);
	while (!vtb_get(tb, "tx_err_ready_o"))
		vtb_tick(tb);
	vtb_tick(tb);
	vtb_set(tb, "tx_err_valid_i", 0);
}

static void check_fault(const struct fault_row *row)
{
	struct vtb *tb = world_start();
	struct qp *p = &w.q[2];
	unsigned int n = row->fault == RING_OVERRUN || row->fault == FETCH_FAILS ? 0 : 3, index;
	uint32_t psn;

	post_good(n);
	index = p->pi;
	psn = p->end_psn;
	post_bad(row->fault);
	if (row->fault == PAYLOAD_FAILS) {
		vtb_run(tb, 1500);
		payload_read_fails(tb, 2, psn + 1);
	}
	vtb_run(tb, 2000);
	if (!p->err)
		vtb_fail(tb, "fault %u: no error", (unsigned int)row->fault);
	vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_VENDOR), row->vendor);
	vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_STATUS), row->status);
	vtb_check_eq(tb, p->req.index & 0xffff, index);
	vtb_check_eq(tb, p->req.msg_psn & 0xffffff, psn);
	vtb_check(tb, p->cmp_kicked);
	if (row->fault != BAD_LKEY && row->fault != PAYLOAD_FAILS)
		vtb_check_eq(tb, w.jobs, 3 * n);
	vtb_check_eq(tb, p->pins, 0);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

/* Each malformed WQE stops its QP with the right cause, after what was posted before it. */
static void errors(void **s)
{
	(void)s;
	for (unsigned int r = 0; r < sizeof(fault_rows) / sizeof(fault_rows[0]); r++)
		check_fault(&fault_rows[r]);
}

/*
 * When the failure is told, the WQE is not on chip any more: the visit that is to find it has to
 * read it again first.  Nobody else would ever tell: an unreliable QP has no timer.
 */
static void failed_read_of_evicted(void **s)
{
	static const unsigned int qps[] = { UC_QP, UD_QP, 2 };

	(void)s;
	for (unsigned int i = 0; i < 3; i++) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[qps[i]];
		struct msg *m = world_new_msg(qps[i]);

		m->op = CAIRN_WQE_OP_SEND;
		m->nsge = 1;
		m->sge[0].lkey = 0x1000;
		m->len = m->sge[0].len = 100;
		world_post(qps[i], m);
		vtb_run_until(tb, w.jobs == 1, 2000);
		for (unsigned int q = 0; q < 12; q++) /* groups of two other QPs */
			for (unsigned int k = 0; k < 8; k++) {
				m = world_new_msg(q % 2);
				m->op = CAIRN_WQE_OP_NOP;
				world_post(q % 2, m);
				vtb_run(tb, 40);
			}
		vtb_run(tb, 2000);
		payload_read_fails(tb, qps[i], p->m[0].first);
		vtb_run(tb, 4000);
		vtb_check(tb, p->err && p->cmp_kicked);
		vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_VENDOR),
			     CAIRN_VENDOR_ERR_DMA_READ);
		vtb_check_eq(tb, p->req.index & 0xffff, (uint16_t)p->m[0].index);
		vtb_check_eq(tb, p->pins, 0);
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

/* The payload of a message cannot be read after one behind it has failed: the first error is what
 * counts. */
static void failed_read_before_error(void **s)
{
	static const unsigned int qps[] = { UC_QP, UD_QP, 2 };

	(void)s;
	for (unsigned int i = 0; i < 6; i++) {
		struct vtb *tb = world_start();
		unsigned int q = qps[i % 3];
		struct qp *p = &w.q[q];

		for (unsigned int k = 0; k < 2; k++) {
			struct msg *m = world_new_msg(q);

			m->op = CAIRN_WQE_OP_SEND;
			m->nsge = 1;
			m->sge[0].lkey = k ? BAD_KEY : 0x1000;
			m->len = m->sge[0].len = 100;
			world_post(q, m);
		}
		vtb_run_until(tb, p->err, 3000);
		vtb_run(tb, 200);
		vtb_check_eq(tb, w.jobs, 1);
		vtb_check_eq(tb, p->req.index & 0xffff, p->m[1].index);
		if (i / 3 && q != 2) /* firmware has heard of it */
			CAIRN_SET(p->cfg.state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_SQE);
		p->cmp_kicked = false;
		payload_read_fails(tb, q, p->m[0].first);
		vtb_run(tb, 2000);
		vtb_check(tb, p->cmp_kicked);
		vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_VENDOR),
			     CAIRN_VENDOR_ERR_DMA_READ);
		vtb_check_eq(tb, p->req.index & 0xffff, p->m[0].index);
		vtb_check_eq(tb, w.jobs, 1);
		vtb_check_eq(tb, p->pins, 0);
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

static struct msg *post_write(unsigned int q, unsigned int len)
{
	struct msg *m = world_new_msg(q);

	m->op = CAIRN_WQE_OP_WRITE;
	m->nsge = 1;
	m->sge[0].lkey = 0x1000;
	m->len = m->sge[0].len = len;
	world_post(q, m);
	return m;
}

/* The front of the message is acknowledged already: the failure counts at once all the same. */
static void failed_read_behind_acks(void **s)
{
	(void)s;
	for (unsigned int acked = 0; acked <= 9; acked += 3) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[2];
		struct msg *m = post_write(2, 12 * p->mtu);

		vtb_run_until(tb, w.jobs == 12, 5000);
		vtb_run(tb, 200);
		world_ack(2, (m->first + acked) & 0xffffff);
		payload_read_fails(tb, 2, m->first + 9);
		vtb_run(tb, 2000);
		vtb_check(tb, p->err && p->cmp_kicked);
		vtb_check_eq(tb, CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_VENDOR),
			     CAIRN_VENDOR_ERR_DMA_READ);
		vtb_check_eq(tb, p->req.index & 0xffff, m->index);
		vtb_check_eq(tb, p->req.msg_psn & 0xffffff, m->first & 0xffffff);
		vtb_check_eq(tb, w.jobs, 12);
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

/*
 * A message is sent again, and that time its payload cannot be read; then its first sending turns
 * out to have arrived.  Told before that (0), the error is none any more; told after it, with
 * nothing behind (1) or another message under way (2), it is nobody's.  None is sent once more.
 */
static void failed_read_of_acked(void **s)
{
	(void)s;
	for (unsigned int when = 0; when < 3; when++) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[2];
		struct msg *m[3];

		m[0] = post_write(2, 10);
		m[1] = post_write(2, 20);
		vtb_run_until(tb, w.jobs == 2, 3000);
		vtb_run(tb, 200);
		p->cmp.flags |= CAIRN_QP_CMP_FLAGS_DOUBT;
		world_go_back(2, m[0]->first & 0xffffff);
		vtb_run_until(tb, w.jobs == 4, 3000);
		vtb_run(tb, 200);
		if (when == 0) {
			payload_read_fails(tb, 2, m[1]->first);
			vtb_run(tb, 1000);
			vtb_check_eq(tb, p->req.index & 0xffff, m[1]->index);
			vtb_check(tb, p->err);
		}
		world_ack(2, (m[1]->first + 1) & 0xffffff);
		if (when == 1)
			payload_read_fails(tb, 2, m[1]->first);
		vtb_run(tb, 1000);
		m[2] = post_write(2, 30);
		vtb_run_until(tb, w.jobs == 5, 3000);
		if (when == 2)
			payload_read_fails(tb, 2, m[1]->first);
		vtb_run(tb, 2000);
		vtb_check_eq(tb, p->req.flags & CAIRN_QP_REQ_FLAGS_ERR, 0);
		vtb_check_eq(tb, w.jobs, 5);
		vtb_check_eq(tb, p->req.psn & 0xffffff, (m[2]->first + 1) & 0xffffff);
		vtb_check_eq(tb, p->req.hi_psn & 0xffffff, (m[2]->first + 1) & 0xffffff);
		vtb_check_eq(tb, p->req.index & 0xffff, p->pi);
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

/* SQD: what is wrong with a message that has not begun is not looked at. */
static void drain_before_error(void **s)
{
	static const enum fault faults[] = { BAD_OPCODE, BAD_CHECK, BLOCK_MISSING };

	(void)s;
	for (unsigned int i = 0; i < 3; i++) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[2];
		struct msg *m = post_write(2, 12 * p->mtu);

		vtb_run_until(tb, w.jobs == 3, 3000);
		CAIRN_SET(p->cfg.state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_SQD);
		post_bad(faults[i]);
		vtb_run(tb, 4000);
		vtb_check_eq(tb, w.jobs, 12);
		vtb_check_eq(tb, p->req.flags & CAIRN_QP_REQ_FLAGS_ERR, 0);
		world_go_back(2, (m->first + 12) & 0xffffff);
		vtb_run(tb, 2000);
		vtb_check_eq(tb, w.jobs, 12);
		vtb_check_eq(tb, p->req.flags & CAIRN_QP_REQ_FLAGS_ERR, 0);
		CAIRN_SET(p->cfg.state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS);
		world_kick(2);
		vtb_run(tb, 2000);
		vtb_check(tb, p->req.flags & CAIRN_QP_REQ_FLAGS_ERR);
		vtb_check_eq(tb, p->req.index & 0xffff, (uint16_t)(m->index + m->blocks));
		vtb_destroy(tb);
	}
}

/* Inline WRITEs of 8 bytes, sent once, so that their WQEs are on chip. */
static void small_writes(unsigned int q, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct msg *m = world_new_msg(q);

		m->op = CAIRN_WQE_OP_WRITE;
		m->inl = true;
		m->len = 8;
		world_post(q, m);
	}
	vtb_run(w.tb, 1200);
}

static void send_again(unsigned int q)
{
	world_go_back(q, w.q[q].m[0].first & 0xffffff);
}

/*
 * Cycles a message and a visit take. With a narrow data path a WQE comes in parts, and visits wait
 * for the ones before.
 */
#ifndef A_MESSAGE
#define A_MESSAGE 2
#define A_VISIT 4
#endif

/* One QP in one visit, which may be as long as nobody else waits. */
static void rate(void **s)
{
	struct vtb *tb = world_start();

	(void)s;
	w.latency = 1;
	small_writes(1, 48);
	vtb_check_eq(tb, w.jobs, 48);
	send_again(1);
	vtb_run_until(tb, w.jobs == 96, 60 * A_MESSAGE + 180);
	vtb_check(tb, w.job_cycle[95] - w.job_cycle[48] <= A_MESSAGE * 47);
	vtb_destroy(tb);
}

/* The same with a piece in host memory each: MR answers and segments keep up. */
static void rate_of_pieces(void **s)
{
	struct vtb *tb = world_start();

	(void)s;
	w.latency = 1;
	for (unsigned int i = 0; i < 48; i++)
		post_write(1, 40);
	vtb_run(tb, 1200);
	vtb_check_eq(tb, w.jobs, 48);
	send_again(1);
	vtb_run_until(tb, w.jobs == 96, 60 * A_MESSAGE + 180);
	vtb_check(tb, w.job_cycle[95] - w.job_cycle[48] <= A_MESSAGE * 47);
	vtb_destroy(tb);
}

/* Visits of one message, each after a go-back, which is a step of its own. */
static void rate_of_visits(void **s)
{
	struct vtb *tb = world_start();

	(void)s;
	w.latency = 1;
	for (unsigned int q = 0; q < UC_QP; q++)
		small_writes(q, 1);
	vtb_check_eq(tb, w.jobs, UC_QP);
	for (unsigned int q = 0; q < UC_QP; q++)
		send_again(q);
	vtb_run_until(tb, w.jobs == 2 * UC_QP, 200 + A_VISIT * UC_QP);
	vtb_check(tb, w.job_cycle[2 * UC_QP - 1] - w.job_cycle[UC_QP] <= A_VISIT * (UC_QP - 1));
	vtb_destroy(tb);
}

/* While others wait a visit ends after sixteen packets, in a message's middle too. */
static void quantum(void **s)
{
	struct vtb *tb = world_start();

	(void)s;
	w.latency = 1;
	small_writes(1, 24);
	post_write(2, 24 * w.q[2].mtu);
	vtb_run(tb, 500);
	vtb_check_eq(tb, w.jobs, 48);
	send_again(1);
	send_again(2);
	vtb_run_until(tb, w.jobs == 96, 500);
	for (unsigned int i = 0; i < 48; i++)
		vtb_check_eq(tb, w.job_qpn[48 + i], i < 16 || (i >= 32 && i < 40) ? 1 : 2);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(pauses),
		cmocka_unit_test(misses),
		cmocka_unit_test(back),
		cmocka_unit_test(everything),
		cmocka_unit_test(errors),
		cmocka_unit_test(rate),
		cmocka_unit_test(rate_of_pieces),
		cmocka_unit_test(rate_of_visits),
		cmocka_unit_test(quantum),
		cmocka_unit_test(failed_read_of_evicted),
		cmocka_unit_test(failed_read_before_error),
		cmocka_unit_test(failed_read_behind_acks),
		cmocka_unit_test(failed_read_of_acked),
		cmocka_unit_test(drain_before_error),
	};

	return cmocka_run_group_tests_name("requester", tests, NULL, NULL);
}
