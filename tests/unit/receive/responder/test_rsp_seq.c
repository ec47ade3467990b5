// SPDX-License-Identifier: Apache-2.0
/* responder: sequence errors, RNR, duplicates, failing READs, flush, and the initiation
 * intervals. */
#include "rsp_one.h"

/* ---- sequence, RNR, duplicates ---- */

static void sequence(void **state)
{
	struct world *w = setup(1, 1);
	struct wpkt p;

	(void)state;
	send_one(w, 0x0a, 0, 8);
	settle(w);
	expect_ack(w, 0, 1, 0, 1); /* one receive WQE: credit code 1 */
	send_one(w, 0x0a, 2, 8);   /* 1 is lost */
	send_one(w, 0x0a, 3, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 2);
	expect_ack(w, 1, 0x60, 1, 1);
	send_one(w, 0x0a, 0, 8); /* duplicate: the last completed is acknowledged again */
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 3);
	expect_ack(w, 2, 1, 0, 1);
	p = packet(0x13, 0, 0); /* duplicate that nothing is known of */
	world_send(w, &p);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 3);
	send_one(w, 0x04, 1, 8); /* takes the only receive WQE */
	settle(w);
	expect_ack(w, 3, 0, 1, 2);
	send_one(w, 0x05, 2, 8);
	send_one(w, 0x0a, 3, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 5); /* RNR, and no sequence NAK while it stands */
	expect_ack(w, 4, 0x29, 2, 2);
	w->pi[0] = 2;
	send_one(w, 0x05, 2, 8);
	settle(w);
	expect_ack(w, 5, 0, 2, 3);
	vtb_check_eq(w->tb, n_cqes, 2);
	vtb_check_eq(w->tb, cqes[1].opcode, CAIRN_CQE_OP_RECV_IMM);
	vtb_check_eq(w->tb, w->cnt[C_OOS], 3);
	vtb_check_eq(w->tb, w->cnt[C_DUP], 2);
	vtb_check_eq(w->tb, w->cnt[C_RNR], 1);
	vtb_check_eq(w->tb, w->cnt[C_SEQ], 1);
	vtb_check_eq(w->tb, n_eqes, 0);
	world_destroy(w);
}

/* A duplicate ends the silence after a sequence NAK, whatever it is, but not that
 * after an RNR NAK. */
static void silence(void **state)
{
	struct world *w = setup(1, 0);
	struct wpkt p;

	(void)state;
	p = packet(0x0c, 0, 0);
	p.rlen = 8;
	world_send(w, &p);
	send_one(w, 0x0a, 1, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 2);
	n_jobs = 0;
	send_one(w, 0x0a, 3, 8); /* 2 is lost */
	settle(w);
	expect_ack(w, 0, 0x60, 2, 2);
	send_one(w, 0x0a, 4, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	world_send(w, &p); /* the READ again, 2 is lost again */
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 2);
	vtb_check_eq(w->tb, jobs[1].opcode, 0x10);
	send_one(w, 0x0a, 3, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 3);
	expect_ack(w, 2, 0x60, 2, 2);
	send_one(w, 0x0a, 1, 8);
	settle(w);
	expect_ack(w, 3, 0, 1, 2);
	send_one(w, 0x0a, 3, 8);
	settle(w);
	expect_ack(w, 4, 0x60, 2, 2);
	n_jobs = 0;
	send_one(w, 0x04, 2, 8); /* no receive WQE */
	settle(w);
	expect_ack(w, 0, 0x29, 2, 2);
	for (unsigned int i = 0; i < 3; i++) {
		send_one(w, 0x0a, 1, 8);
		settle(w);
		expect_ack(w, 1 + i, 0, 1, 2);
		send_one(w, 0x0a, 3 + i, 8);
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 2 + i);
	}
	world_send(w, &p);
	settle(w);
	send_one(w, 0x0a, 3, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 5);
	send_one(w, 0x04, 2, 8);
	settle(w);
	expect_ack(w, 5, 0x29, 2, 2);
	vtb_check_eq(w->tb, w->cnt[C_RNR], 2);
	vtb_check_eq(w->tb, w->cnt[C_SEQ], 3);
	world_destroy(w);
}

static void read_at(struct world *w, unsigned int psn, uint64_t va, unsigned int len, uint32_t key)
{
	struct wpkt p = packet(0x0c, psn, 0);

	p.va = va;
	p.rlen = len;
	p.key = key;
	world_send(w, &p);
	settle(w);
}

/* Each gap has a sequence NAK of its own, once what was missing has come. */
static void every_gap(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	for (uint32_t psn = 0; psn < 30; psn += 3) {
		send_one(w, 0x0a, psn, 8);
		settle(w);
		send_one(w, 0x0a, psn + 2, 8); /* psn + 1 is lost */
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 2);
		expect_ack(w, 1, 0x60, psn + 1, psn + 1);
		send_one(w, 0x0a, psn + 1, 8);
		send_one(w, 0x0a, psn + 2, 8);
		settle(w);
		n_jobs = 0;
	}
	vtb_check_eq(w->tb, w->cnt[C_OOS], 10);
	vtb_check_eq(w->tb, w->cnt[C_SEQ], 10);
	world_destroy(w);
}

static void duplicate_reads(void **state)
{
	struct world *w = setup(1, 1);

	(void)state;
	read_at(w, 0, RVA + 100, 1000, RKEY); /* PSN 0 to 3 */
	vtb_check_eq(w->tb, n_jobs, 4);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x0d);
	vtb_check_eq(w->tb, jobs[1].opcode, 0x0e);
	vtb_check_eq(w->tb, jobs[3].opcode, 0x0f);
	vtb_check_eq(w->tb, jobs[3].len, 232);
	vtb_check_eq(w->tb, jobs[3].aeth, 0x01000001);
	n_jobs = 0;
	read_at(w, 2, RVA + 100 + 512, 488, RKEY); /* its tail */
	vtb_check_eq(w->tb, n_jobs, 2);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x0d);
	vtb_check_eq(w->tb, jobs[0].psn, (PSN0 + 2) & 0xffffff);
	vtb_check_eq(w->tb, jobs[0].seg[0].iova, 612);
	vtb_check_eq(w->tb, jobs[1].opcode, 0x0f);
	n_jobs = 0;
	read_at(w, 3, RVA + 100 + 768, 232, RKEY);
	vtb_check_eq(w->tb, n_jobs, 1);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x10);
	n_jobs = 0;
	read_at(w, 2, RVA + 100 + 512, 256, RKEY);  /* not the tail */
	read_at(w, 2, RVA + 100 + 511, 488, RKEY);  /* other address */
	read_at(w, 2, RVA + 100 + 512, 488, 0x998); /* other key */
	read_at(w, 0xffffff & -1, RVA, 8, RKEY);    /* never seen */
	vtb_check_eq(w->tb, n_jobs, 0);
	vtb_check_eq(w->tb, n_eqes, 0);
	read_at(w, 4, RVA, 0, 0x997); /* zero length: no key check; next PSN 5 */
	vtb_check_eq(w->tb, n_jobs, 1);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x10);
	vtb_check_eq(w->tb, jobs[0].aeth, 0x01000002);
	world_destroy(w);
}

static void read_faults(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	/* The region shrinks behind the request: the first packet that lies outside is refused. */
	w->pause = 0;
	{
		struct wpkt p = packet(0x0c, 0, 0);

		p.rlen = 16384;
		world_send(w, &p);
	}
	vtb_run_until(w->tb, n_jobs == 3, 2000);
	world_key(w, RKEY)->len = 100;
	settle(w);
	vtb_check(w->tb, n_jobs > 3 && n_jobs < 65);
	expect_ack(w, n_jobs - 1, 0x62, n_jobs - 1, 1);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_QP_ACCESS_ERR);
	vtb_check_eq(w->tb, n_errs, 1);
	world_destroy(w);

	w = setup(1, 0);
	read_at(w, 0, RVA, 600, RKEY);
	vtb_check_eq(w->tb, n_jobs, 3);
	w->txerr_psn = PSN0 + 1;
	w->txerr = 1;
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 4);
	expect_ack(w, 3, 0x63, 1, 1);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_QP_FATAL);
	vtb_check_eq(w->tb, eqes[0].data, CAIRN_VENDOR_ERR_DMA_READ);
	vtb_check_eq(w->tb, w->cnt[C_OP], 1);
	world_destroy(w);
}

static void established_and_flush(void **state)
{
	struct world *w = setup(2, 3);

	(void)state;
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTR);
	world_cfg(w, 0);
	send_one(w, 0x0a, 1, 8); /* not yet: out of sequence */
	settle(w);
	vtb_check_eq(w->tb, n_eqes, 0);
	send_one(w, 0x0a, 0, 0); /* zero length */
	send_one(w, 0x00, 1, 256);
	settle(w);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_COMM_EST);
	/* Firmware moves the QP to error: the WQE in use and the others are flushed, one completion
	 * each. */
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
	world_cfg(w, 0);
	w->kick = 1;
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 3);
	for (unsigned int i = 0; i < 3; i++) {
		vtb_check_eq(w->tb, cqes[i].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, cqes[i].index, i);
	}
	world_destroy(w);
}

/*
 * READs that have not been answered when the QP goes into error never are, also when a sequence NAK
 * was the last thing it said; nor do they keep its receives from being flushed.
 */
static void nothing_after_error(void **state)
{
	(void)state;
	for (unsigned int bad_key = 0; bad_key < 2; bad_key++) {
		struct world *w = setup(1, 3);

		struct wpkt p = packet(0x0c, 1, 0);
		unsigned int done;

		p.rlen = 300;
		world_send(w, &p); /* 0 is lost */
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 1);
		expect_ack(w, 0, 0x60, 0, 0);
		done = w->done;
		p.psn = (p.psn - 1) & 0xffffff;
		world_send(w, &p);
		vtb_run_until(w->tb, w->done > done, 500);
		/* taken, and before rsp_tx has looked at it ... */
		CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
		world_cfg(w, 0);
		if (bad_key)
			world_key(w, RKEY)->rights = 0;
		w->kick = 1;
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 1);
		vtb_check_eq(w->tb, n_cqes, 3);
		world_destroy(w);
	}
}

/* Not even the PSN counts, and nobody is told. */
static void undefined_opcodes(void **state)
{
	struct world *w = setup(1, 1);

	(void)state;
	for (unsigned int op = 0x15; op < 0x20; op += op == 0x15 ? 3 : 1)
		send_one(w, op, 0, 0);
	settle(w);
	vtb_check(w->tb, !n_jobs && !n_eqes && !n_errs && !n_cqes);
	vtb_check_eq(w->tb, w->cnt[C_STATE], 9);
	send_one(w, 0x0a, 0, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	expect_ack(w, 0, 1, 0, 1);
	world_destroy(w);
}

/* Every answer carries the credits of its moment, those of WRITEs and READs too. */
static void credits(void **state)
{
	static const struct {
		unsigned int posted, code;
	} rows[] = { { 0, 0 },	    { 1, 1 },	   { 2, 2 },	  { 3, 3 },	 { 4, 4 },
		     { 5, 4 },	    { 6, 5 },	   { 7, 5 },	  { 8, 6 },	 { 11, 6 },
		     { 12, 7 },	    { 16, 8 },	   { 23, 8 },	  { 24, 9 },	 { 767, 18 },
		     { 768, 19 },   { 1024, 20 },  { 1535, 20 },  { 1536, 21 },	 { 16384, 28 },
		     { 24575, 28 }, { 24576, 29 }, { 32767, 29 }, { 32768, 30 }, { 32769, 0 },
		     { 0, 0 } };
	struct world *w = setup(1, 0);
	unsigned int psn = 0;

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		w->pi[0] = rows[i].posted;
		send_one(w, 0x0a, psn++, 8);
		settle(w);
		expect_ack(w, 0, rows[i].code, psn - 1, psn);
		n_jobs = 0;
	}
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_USE_SRQ, 1);
	world_cfg(w, 0);
	w->pi[0] = 3;
	send_one(w, 0x0a, psn++, 8);
	settle(w);
	expect_ack(w, 0, 0x1f, psn - 1, psn);
	world_destroy(w);
}

/* ---- initiation intervals ---- */

static void interval(unsigned int opcode, unsigned int qps)
{
	struct world *w = setup(1, 0);

	for (unsigned int q = 1; q < qps; q++) {
		struct cairn_qp_rsp rsp;

		world_cfg(w, q);
		world_peek(w, 0, &rsp);
		rsp.tag = w->cfg[q].tag;
		world_rsp(w, q, &rsp);
	}
	for (unsigned int q = 0; q < qps; q++)
		w->pi[q] = 15;
	w->region[0].cached = w->region[1].cached = true;
	for (unsigned int q = 0; q < qps; q++) { /* receive WQEs on chip */
		struct wpkt p = packet(opcode, 0, 8);

		p.qpn = q;
		world_send(w, &p);
	}
	settle(w);
	w->first_pkt_cycle = 0;
	for (unsigned int i = 1; i < 14; i++) {
		for (unsigned int q = 0; q < qps; q++) {
			struct wpkt p = packet(opcode, i, 8);

			p.qpn = q;
			p.ackreq = i == 13;
			world_send(w, &p);
		}
	}
	settle(w);
	print_message("# opcode 0x%02x, %u QPs: %u packets in %u cycles\n", opcode, qps, 13 * qps,
		      (unsigned int)(w->last_pkt_cycle - w->first_pkt_cycle));
	vtb_check(w->tb, w->last_pkt_cycle - w->first_pkt_cycle <= 4 * (13 * qps - 1) + 4);
	world_destroy(w);
}

static void intervals(void **state)
{
	(void)state;
	interval(0x0a, 1);
	interval(0x0a, 4);
	interval(0x04, 1);
	interval(0x04, 3);
}

/* A SEND that goes on and on: one byte more than a message may have is refused. */
static void endless_send(void **state)
{
	(void)state;
	for (unsigned int more = 0; more < 2; more++) {
		struct world *w = setup(1, 1);
		struct cairn_qp_rsp rsp;

		world_peek(w, 0, &rsp);
		rsp.flags |= CAIRN_PUT(CAIRN_QP_RSP_FLAGS_MSG, CAIRN_RSP_MSG_SEND) |
			     CAIRN_QP_RSP_FLAGS_RQE_TAKEN;
		rsp.remaining = CAIRN_MAX_MSG_BYTES - 8;
		rsp.rq = 1;
		world_rsp(w, 0, &rsp);
		send_one(w, 0x02, 0, 8 + more);
		settle(w);
		vtb_check_eq(w->tb, n_cqes, 1);
		vtb_check_eq(w->tb, cqes[0].status,
			     more ? CAIRN_WC_STATUS_REM_INV_REQ_ERR : CAIRN_WC_STATUS_LOC_LEN_ERR);
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sequence),
					    cmocka_unit_test(silence),
					    cmocka_unit_test(every_gap),
					    cmocka_unit_test(duplicate_reads),
					    cmocka_unit_test(read_faults),
					    cmocka_unit_test(endless_send),
					    cmocka_unit_test(established_and_flush),
					    cmocka_unit_test(nothing_after_error),
					    cmocka_unit_test(undefined_opcodes),
					    cmocka_unit_test(credits),
					    cmocka_unit_test(intervals) };

	return cmocka_run_group_tests_name("responder sequence", tests, NULL, NULL);
}
