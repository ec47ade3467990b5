// SPDX-License-Identifier: Apache-2.0
/*
 * completer: queues without acknowledgements, local operations, the states of a QP and the ways
 * into and out of them, errors that meet data on its way.
 */
#include "cmp_desk.h"

#define SEND CAIRN_WQE_OP_SEND
#define WRITE CAIRN_WQE_OP_WRITE
#define READ CAIRN_WQE_OP_READ
#define FETCH_ADD CAIRN_WQE_OP_ATOMIC_FA
#define READ_ONLY CAIRN_OPCODE_RC_READ_RSP_ONLY
#define NAK(code) (0x60u | (code))
#define GEN 5
#define T0 1000000ull

static void set_state(struct desk *d, unsigned int state)
{
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE, state);
	desk_put(d);
	desk_kick(d);
}

static struct desk *unreliable(unsigned int type)
{
	struct desk *d = desk_open(T0);

	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TYPE, type);
	d->sent_gen = GEN;
	desk_put(d);
	return d;
}

/* ---- UC, UD ---- */

static void left(void **state)
{
	static const unsigned int types[] = { CAIRN_QP_TYPE_UC, CAIRN_QP_TYPE_UD,
					      CAIRN_QP_TYPE_GSI };

	(void)state;
	for (unsigned int t = 0; t < 3; t++) {
		struct desk *d = unreliable(types[t]);
		unsigned int n = types[t] == CAIRN_QP_TYPE_UC ? 3 : 1;

		desk_post(d, SEND, n * 200, true);
		desk_post(d, SEND, 20, true);
		desk_post(d, SEND, 20, true);
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 0);
		d->sent_psn = DESK_PSN + n - 1; /* not its last packet, or nothing */
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 0);
		d->sent_psn = DESK_PSN + n + 1;
		d->sent_gen = GEN + 1; /* of a QP before or after this one */
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 0);
		d->sent_gen = GEN;
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 2);
		d->sent_psn = DESK_PSN + n + 2;
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 3);
		for (unsigned int i = 0; i < 3; i++) {
			desk_expect_cqe(d, i, SEND, SUCCESS, NONE);
			vtb_check_eq(d->tb, d->cqe[i].index, (DESK_INDEX + i) & 0xffff);
		}
		/* no timer, no going back */
		desk_timer(d, d->now + 100);
		desk_time(d, d->now + (1ull << 40));
		vtb_check_eq(d->tb, desk_epoch(d), 0);
		desk_close(d);
	}
}

/* A datagram longer than a packet takes no PSN and is complete when the requester has passed it. */
static void long_datagram(void **state)
{
	struct desk *d = unreliable(CAIRN_QP_TYPE_UD);

	(void)state;
	desk_post(d, SEND, DESK_MTU + 1, false);
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 0);
	d->req.index = d->index | (uint32_t)d->index << 16;
	desk_put(d);
	desk_kick(d);
	desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
	desk_post(d, SEND, DESK_MTU, true);
	d->sent_psn = DESK_PSN + 1;
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 2);
	desk_close(d);
}

/* What firmware does for SQE -> RTS (docs/rtl/completer.md). */
static void back_to_rts(struct desk *d)
{
	d->cmp.rflags &= ~(CAIRN_QP_CMP_RFLAGS_FLUSHING | CAIRN_QP_CMP_RFLAGS_RD_VALID |
			   CAIRN_QP_CMP_RFLAGS_RD_STOP | CAIRN_QP_CMP_RFLAGS_PLAIN);
	d->cmp.old_psn = CAIRN_GET(d->req.hi_psn, CAIRN_QP_REQ_HI_PSN);
	desk_put_cmp(d);
	d->req.flags &= CAIRN_QP_REQ_FLAGS_SQ_LOG2;
	d->req.index = (d->cmp.oldest & 0xffff) * 0x10001u;
	CAIRN_SET(d->req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, d->cmp.old_psn);
	set_state(d, CAIRN_QP_STATE_RTS);
}

static void sqe(void **state)
{
	struct desk *d = unreliable(CAIRN_QP_TYPE_UC);

	(void)state;
	desk_post(d, SEND, 20, true);
	desk_post(d, SEND, 20, false); /* this one is bad */
	desk_post(d, SEND, 20, false);
	desk_error(d, CAIRN_WC_STATUS_LOC_PROT_ERR, CAIRN_VENDOR_ERR_KEY_TAG);
	vtb_check_eq(d->tb, d->cqes, 0); /* the first has not left yet */
	d->sent_psn = DESK_PSN + 1;
	desk_kick(d);
	desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
	desk_expect_cqe(d, 1, SEND, LOC_PROT_ERR, KEY_TAG);
	desk_expect_cqe(d, 2, SEND, WR_FLUSH_ERR, FLUSH);
	vtb_check_eq(d->tb, d->qp_errs, 1);
	vtb_check_eq(d->tb, d->eqes, 0);
	set_state(d, CAIRN_QP_STATE_SQE);
	desk_post(d, SEND, 20, false);
	desk_kick(d);
	desk_expect_cqe(d, 3, SEND, WR_FLUSH_ERR, FLUSH);
	vtb_check_eq(d->tb, d->qp_errs, 1);
	back_to_rts(d);
	desk_post(d, SEND, 20, true);
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 4);
	d->sent_psn = DESK_PSN + 2;
	desk_kick(d);
	desk_expect_cqe(d, 4, SEND, SUCCESS, NONE);
	vtb_check_eq(d->tb, d->cqes, 5);
	/* and a second error is told again */
	desk_post(d, SEND, 20, false);
	desk_error(d, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_WQE_OPCODE);
	desk_expect_cqe(d, 5, SEND, LOC_QP_OP_ERR, WQE_OPCODE);
	vtb_check_eq(d->tb, d->qp_errs, 2);
	vtb_check(d->tb, d->counts[N_WQE_PROT] == 1 && d->counts[N_WQE_OP] == 1);
	desk_close(d);
}

/* ---- local operations ---- */

static void local(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	desk_post(d, SEND, 20, true);
	desk_post(d, CAIRN_WQE_OP_REG_MR, 0, true);
	desk_post(d, CAIRN_WQE_OP_LOCAL_INV, 0, true);
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 0); /* in order, though they are done */
	desk_ack(d, DESK_PSN, 31);
	vtb_check_eq(d->tb, d->cqes, 3);
	desk_expect_cqe(d, 1, LOCAL, SUCCESS, NONE);
	desk_post(d, CAIRN_WQE_OP_LOCAL_INV, 0, false);
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 3); /* not executed yet */
	d->req.index = d->index | (uint32_t)d->index << 16;
	desk_put(d);
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 4);
	desk_post(d, WRITE, 20, true);
	desk_post(d, CAIRN_WQE_OP_BIND_MW, 0, false);
	desk_post(d, SEND, 20, false);
	desk_error(d, CAIRN_WC_STATUS_MW_BIND_ERR, CAIRN_VENDOR_ERR_KEY_RIGHTS);
	vtb_check_eq(d->tb, d->cqes, 4);
	desk_ack(d, DESK_PSN + 1, 31);
	desk_expect_cqe(d, 4, WRITE, SUCCESS, NONE);
	desk_expect_cqe(d, 5, LOCAL, MW_BIND_ERR, KEY_RIGHTS);
	desk_expect_cqe(d, 6, SEND, WR_FLUSH_ERR, FLUSH);
	desk_close(d);
}

/* ---- SQD ---- */

static void drained(void **state)
{
	static const struct {
		uint8_t type, op, opcode;
	} row[] = {
		{ CAIRN_QP_TYPE_RC, SEND, CAIRN_OPCODE_RC_ACKNOWLEDGE },
		{ CAIRN_QP_TYPE_RC, READ, READ_ONLY },
		{ CAIRN_QP_TYPE_RC, FETCH_ADD, CAIRN_OPCODE_RC_ATOMIC_ACK },
		{ CAIRN_QP_TYPE_UC, SEND, 0 },
		{ CAIRN_QP_TYPE_UD, SEND, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct desk *d = desk_open(T0);

		CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TYPE, row[i].type);
		d->cfg.flow_tclass |= CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
		d->sent_gen = GEN;
		desk_post(d, row[i].op, 8, true);
		desk_post(d, SEND, 20, false); /* waits for RTS */
		set_state(d, CAIRN_QP_STATE_SQD);
		vtb_check_eq(d->tb, d->eqes, 0);
		d->req.flags |= CAIRN_QP_REQ_FLAGS_IN_MSG; /* part of the next one is out */
		desk_put(d);
		if (row[i].opcode)
			desk_response(d, row[i].opcode, DESK_PSN, 31, 0,
				      row[i].opcode == READ_ONLY ? 8 : 0);
		d->sent_psn = DESK_PSN + 1;
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 1);
		vtb_check_eq(d->tb, d->eqes, 0);
		d->req.flags &= ~CAIRN_QP_REQ_FLAGS_IN_MSG;
		desk_put(d);
		desk_kick(d);
		vtb_check_eq(d->tb, d->eqes, 1);
		vtb_check_eq(d->tb, d->eqe[0], CAIRN_EQE_TYPE_SQ_DRAINED);
		desk_kick(d);
		vtb_check_eq(d->tb, d->eqes, 1); /* once */
		set_state(d, CAIRN_QP_STATE_RTS);
		set_state(d, CAIRN_QP_STATE_SQD); /* drained already */
		vtb_check_eq(d->tb, d->eqes, 2);
		d->cfg.flow_tclass &= ~CAIRN_QP_CFG_FLOW_TCLASS_SQD_NOTIFY;
		set_state(d, CAIRN_QP_STATE_RTS);
		set_state(d, CAIRN_QP_STATE_SQD); /* nobody wants to know */
		vtb_check_eq(d->tb, d->eqes, 2);
		desk_close(d);
	}
}

/* ---- a crowded CQ ---- */

/* Completions wait where they are until the CQ has room again; what needs none goes on before. */
static void crowded(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct desk *d = desk_open(T0);

		desk_post(d, SEND, 20, true);
		desk_post(d, i == 1 ? READ : SEND, 8, true);
		desk_post(d, SEND, 20, true);
		vtb_set(d->tb, "crowded_i", 1);
		if (i == 1)
			desk_response(d, READ_ONLY, DESK_PSN + 1, 31, 0, 8);
		desk_ack(d, DESK_PSN + 2, 31);
		if (i == 2)
			set_state(d, CAIRN_QP_STATE_ERR);
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes, 0);
		vtb_check_eq(d->tb, desk_una(d), DESK_PSN + 3);
		vtb_run(d->tb, 2000);
		vtb_check_eq(d->tb, d->cqes, 0);
		/* what is held does not hold up a fence, but data that waits for the walker */
		if (i != 1)
			vtb_run_until(d->tb, vtb_get(d->tb, "idle_o"), 80);
		vtb_set(d->tb, "crowded_i", 0);
		vtb_run(d->tb, 300);
		vtb_check_eq(d->tb, d->cqes, 3);
		desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
		vtb_check_eq(d->tb, d->qp_errs, 0);
		desk_close(d);
	}
}

/* ---- ERR ---- */

static void err_with_data(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct desk *d = desk_open(T0);

		desk_post(d, SEND, 20, true);
		desk_post(d, i ? FETCH_ADD : READ, 8, true);
		desk_post(d, WRITE, 20, false);
		desk_ack(d, DESK_PSN, 31);
		vtb_check_eq(d->tb, d->cqes, 1);
		vtb_check(d->tb, d->cmp.rflags & CAIRN_QP_CMP_RFLAGS_RD_VALID);
		vtb_check_eq(d->tb, !!(d->cmp.rflags & CAIRN_QP_CMP_RFLAGS_RD_ATOMIC), i);
		set_state(d, CAIRN_QP_STATE_ERR);
		vtb_check_eq(d->tb, d->cqes, 3);
		desk_expect_cqe(d, 2, WRITE, WR_FLUSH_ERR, FLUSH);
		vtb_check_eq(d->tb, d->cqe[1].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(d->tb, d->qp_errs, 0); /* firmware knows */
		/* its data comes after all, from before the change */
		desk_response(d, i ? CAIRN_OPCODE_RC_ATOMIC_ACK : READ_ONLY, DESK_PSN + 1, 31, 0,
			      i ? 0 : 8);
		vtb_check_eq(d->tb, d->counts[N_GHOST], 1);
		vtb_check_eq(d->tb, d->writes, !i);
		vtb_check(d->tb, i || (d->write[0].len == 0 && d->write[0].free));
		desk_close(d);
	}
}

/* The data of a READ waits for its region while the NAK of a later request is already here. */
static void nak_behind_data(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		struct desk *d = desk_open(T0);

		vtb_set(d->tb, "miss_i", 220);
		desk_post(d, READ, 200, true);
		desk_post(d, WRITE, 20, true);
		desk_post(d, SEND, 20, true);
		desk_begin(d, READ_ONLY, DESK_PSN, 31, 200);
		desk_begin(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, DESK_PSN + 1, NAK(2), 0);
		vtb_run(d->tb, 3000);
		vtb_set(d->tb, "miss_i", 0);
		vtb_run(d->tb, 3000);
		vtb_check_eq(d->tb, d->cqes, 3);
		desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
		desk_expect_cqe(d, 1, WRITE, REM_ACCESS_ERR, NAK_ACCESS);
		desk_expect_cqe(d, 2, SEND, WR_FLUSH_ERR, FLUSH);
		vtb_check_eq(d->tb, d->counts[N_IMPLIED], 0);
		vtb_check_eq(d->tb, d->qp_errs, 1);
		desk_close(d);
	}
}

/* The QP is flushed while data of its READ waits inside: nothing is written after that. */
static void flush_over_data(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		struct desk *d = desk_open(T0);
		unsigned int written;

		vtb_set(d->tb, "miss_i", i % 4 * 60);
		desk_post(d, READ, 600, true);
		desk_begin(d, CAIRN_OPCODE_RC_READ_RSP_FIRST, DESK_PSN, 31, 256);
		desk_begin(d, CAIRN_OPCODE_RC_READ_RSP_MIDDLE, DESK_PSN + 1, 31, 256);
		desk_begin(d, CAIRN_OPCODE_RC_READ_RSP_LAST, DESK_PSN + 2, 31, 88);
		vtb_run(d->tb, rng_below(&d->tb->rng, 80));
		CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
		desk_put(d);
		vtb_set(d->tb, "kick_valid_i", 1);
		vtb_set(d->tb, "kick_qpn_i", 3);
		vtb_run(d->tb, 2);
		vtb_set(d->tb, "kick_valid_i", 0);
		vtb_run_until(d->tb, d->cqes, 20000);
		written = d->writes;
		vtb_set(d->tb, "miss_i", 0);
		vtb_run(d->tb, 2000);
		for (unsigned int w = written; w < d->writes; w++)
			vtb_check_eq(d->tb, d->write[w].len, 0);
		desk_close(d);
	}
}

static void unreadable(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	desk_post(d, SEND, 20, true);
	desk_post(d, SEND, 20, true);
	desk_post_broken(d); /* how long it is cannot be known: nor where the next one begins */
	desk_post(d, SEND, 20, false);
	desk_ack(d, DESK_PSN, NAK(3));
	vtb_check_eq(d->tb, d->cqes, 2);
	desk_expect_cqe(d, 0, SEND, REM_OP_ERR, NAK_OP);
	desk_expect_cqe(d, 1, SEND, WR_FLUSH_ERR, FLUSH);
	vtb_check_eq(d->tb, d->eqes, 1);
	vtb_check_eq(d->tb, d->eqe[0], CAIRN_EQE_TYPE_QP_FATAL);
	vtb_check_eq(d->tb, d->cmp.oldest, d->pi);
	desk_close(d);
}

/* Before RTS nothing is done, whatever a doorbell says. */
static void not_ready(void **state)
{
	(void)state;
	for (unsigned int st = CAIRN_QP_STATE_RESET; st < CAIRN_QP_STATE_RTS; st++) {
		struct desk *d = desk_open(T0);

		CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE, st);
		desk_put(d);
		desk_post(d, SEND, 20, false);
		desk_kick(d);
		desk_ack(d, DESK_PSN, 31);
		desk_ack(d, DESK_PSN, NAK(1));
		desk_timer(d, d->now + 1);
		desk_time(d, d->now + 4096);
		vtb_check_eq(d->tb, d->cqes + d->eqes + d->qp_errs, 0);
		vtb_check_eq(d->tb, d->counts[N_GHOST], 2);
		desk_close(d);
	}
}

/*
 * The state changes to one in which the walker does nothing, at any moment between two answers and
 * their placing: an answer that would wait for it is dropped, since a fence waits for the answer.
 */
static void closed_between(void **state)
{
	static const unsigned int states[] = { CAIRN_QP_STATE_RESET, CAIRN_QP_STATE_INIT,
					       CAIRN_QP_STATE_RTR };

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int after = 0; after < 60; after++) {
			struct desk *d = desk_open(T0);

			for (unsigned int k = 0; k < 3; k++)
				desk_post(d, READ, 20, true);
			for (unsigned int k = 0; k < 3; k++)
				desk_begin(d, READ_ONLY, DESK_PSN + k, 31, 20);
			vtb_run(d->tb, after);
			CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE, states[i]);
			desk_put(d);
			vtb_run(d->tb, 2000);
			if (!vtb_get(d->tb, "idle_o"))
				vtb_fail(d->tb, "state %u after %u cycles: not idle", states[i],
					 after);
			desk_close(d);
		}
}

/*
 * The queue goes into error while data of READs that the walker has not come to is inside: nothing
 * is told before the data is placed, and what has it all is no error.
 */
static void err_ahead(void **state)
{
	(void)state;
	for (unsigned int after = 0; after < 24; after++) {
		struct desk *d = desk_open(T0);

		vtb_set(d->tb, "wq_here_i", 1);
		for (unsigned int k = 0; k < 3; k++)
			desk_describe(d, desk_post(d, READ, 20, true), DESK_PSN + k, READ, 20);
		vtb_set(d->tb, "hold_i", 1);
		for (unsigned int k = 0; k < 2; k++)
			desk_begin(d, READ_ONLY, DESK_PSN + k, 31, 20);
		vtb_run(d->tb, 16 + after); /* both have been looked at */
		CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
		desk_put(d);
		desk_kick(d);
		vtb_check_eq(d->tb, d->cqes + d->writes, 0);
		vtb_set(d->tb, "hold_i", 0);
		desk_kick(d);
		vtb_check_eq(d->tb, d->writes, 2);
		vtb_check_eq(d->tb, d->cqes, 3);
		desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
		desk_expect_cqe(d, 1, READ, SUCCESS, NONE);
		desk_expect_cqe(d, 2, READ, WR_FLUSH_ERR, FLUSH);
		desk_close(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(left),
		cmocka_unit_test(long_datagram),
		cmocka_unit_test(sqe),
		cmocka_unit_test(local),
		cmocka_unit_test(drained), cmocka_unit_test(crowded),
		cmocka_unit_test(err_with_data),
		cmocka_unit_test(nak_behind_data),
		cmocka_unit_test(flush_over_data),
		cmocka_unit_test(unreadable),
		cmocka_unit_test(not_ready),
		cmocka_unit_test(closed_between),
		cmocka_unit_test(err_ahead),
	};

	return cmocka_run_group_tests_name("completer states", tests, NULL, NULL);
}
