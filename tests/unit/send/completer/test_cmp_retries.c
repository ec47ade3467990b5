// SPDX-License-Identifier: Apache-2.0
/*
 * completer: what counts as progress between retries.  A message that gets on, however little, has
 * all its retries again; a READ or atomic whose answer never comes whole ends with RETRY_EXC_ERR,
 * whatever else is acknowledged or answered in each round.
 */
#include "cmp_desk.h"

#define SEND CAIRN_WQE_OP_SEND
#define WRITE CAIRN_WQE_OP_WRITE
#define READ CAIRN_WQE_OP_READ
#define FETCH_ADD CAIRN_WQE_OP_ATOMIC_FA
#define ACK 31u
#define RNR 0x21u
#define NAK_SEQ 0x60u
#define T0 1000000ull
#define RETRIES 2u
#define PERIOD 8192u
#define READ_CHUNK 4u /* of the bench */

static struct desk *open_desk(void)
{
	struct desk *d = desk_open(T0);

	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_RETRY_CNT, RETRIES);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_RNR_RETRY, RETRIES);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TIMEOUT, 1);
	desk_put(d);
	CAIRN_SET(d->cmp.flags, CAIRN_QP_CMP_FLAGS_RETRY_LEFT, RETRIES);
	CAIRN_SET(d->cmp.flags, CAIRN_QP_CMP_FLAGS_RNR_LEFT, RETRIES);
	desk_put_cmp(d);
	return d;
}

/* Until the next go-back, by timer if not before, which the requester follows; or the end. */
static void round_over(struct desk *d, unsigned int epoch)
{
	for (unsigned int i = 0; i < 4 && desk_epoch(d) == epoch; i++)
		desk_time(d, d->now + PERIOD + 4096);
	vtb_check(d->tb, desk_epoch(d) != epoch);
	desk_resume(d);
}

/*
 * The same answers in each round, none of which is the one that the oldest work request lacks:
 * `answer` hands them in.
 */
static void never_whole(unsigned int op, uint32_t len, void (*answer)(struct desk *d))
{
	struct desk *d = open_desk();

	desk_post(d, op, len, true);
	desk_post(d, SEND, 20, true);
	desk_kick(d); /* the walker knows what stands first */
	desk_timer(d, d->now + PERIOD);
	for (unsigned int i = 0; i <= RETRIES && !d->cqes; i++) {
		unsigned int epoch = desk_epoch(d);

		answer(d);
		round_over(d, epoch);
	}
	vtb_check_eq(d->tb, d->cqes, 2);
	vtb_check_eq(d->tb, d->cqe[0].status, CAIRN_WC_STATUS_RETRY_EXC_ERR);
	desk_expect_cqe(d, 1, SEND, WR_FLUSH_ERR, FLUSH);
	vtb_check_eq(d->tb, d->counts[N_RETRY_EXC], 1);
	/* A NAK beyond it is not one of its retries: the walker finds it lost and counts that. */
	vtb_check_eq(d->tb, d->counts[N_IMPLIED] + d->counts[N_TIMEOUT], RETRIES + 1);
	desk_close(d);
}

static void last_comes(struct desk *d)
{
	desk_response(d, CAIRN_OPCODE_RC_READ_RSP_LAST, DESK_PSN + 1, ACK, 1, DESK_MTU);
}

static void next_acked(struct desk *d)
{
	desk_ack(d, d->psn - 1, ACK);
}

static void next_nak(struct desk *d)
{
	desk_ack(d, d->psn - 1, NAK_SEQ);
}

/* What the oldest one lacks is passed by an ACK first: the NAK itself acknowledges nothing. */
static void acked_then_nak(struct desk *d)
{
	desk_ack(d, d->psn - 2, ACK);
	desk_ack(d, d->psn - 1, NAK_SEQ);
}

static void acked_then_late(struct desk *d)
{
	desk_ack(d, d->psn - 2, ACK);
	desk_ack(d, d->psn - 1, RNR);
	for (unsigned int k = 0; k < 20 && d->cmp.flags & CAIRN_QP_CMP_FLAGS_RNR_WAIT; k++)
		desk_time(d, d->now + 1500);
}

static void next_late(struct desk *d)
{
	unsigned int epoch = desk_epoch(d);

	desk_ack(d, d->psn - 1, RNR);
	/* The READ before it was not answered: that comes first. */
	if (desk_epoch(d) == epoch + 1 && d->cmp.flags & CAIRN_QP_CMP_FLAGS_RNR_WAIT)
		desk_resume(d);
}

static void first_lost(void **state)
{
	(void)state;
	never_whole(READ, 2 * DESK_MTU, last_comes);
}

static void answer_lost(void **state)
{
	static const struct {
		unsigned int op;
		uint32_t len;
	} ops[] = { { READ, 20 }, { READ, 3 * DESK_MTU }, { FETCH_ADD, 8 } };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		never_whole(ops[i].op, ops[i].len, next_acked);
		never_whole(ops[i].op, ops[i].len, next_nak);
		never_whole(ops[i].op, ops[i].len, acked_then_nak);
		never_whole(ops[i].op, ops[i].len, acked_then_late);
	}
}

/* Of the packet of a long READ, which is asked for in pieces of READ_CHUNK packets. */
static unsigned int read_opcode(unsigned int packet)
{
	if (packet % READ_CHUNK == READ_CHUNK - 1)
		return CAIRN_OPCODE_RC_READ_RSP_LAST;
	return packet % READ_CHUNK ? CAIRN_OPCODE_RC_READ_RSP_MIDDLE
				   : CAIRN_OPCODE_RC_READ_RSP_FIRST;
}

/* One packet of the READ more in each round, or one of the WRITE acknowledged. */
static void little_by_little(void **state)
{
	const unsigned int n = 6 * RETRIES;

	(void)state;
	for (unsigned int read = 0; read < 2; read++) {
		struct desk *d = open_desk();

		desk_post(d, read ? READ : WRITE, n * DESK_MTU, true);
		desk_post(d, SEND, 20, true);
		desk_timer(d, d->now + PERIOD);
		for (unsigned int i = 0; i < n; i++) {
			uint32_t psn = DESK_PSN + i;

			if (read)
				desk_response(d, read_opcode(i), psn, ACK, 1, DESK_MTU);
			else
				desk_ack(d, psn, ACK);
			vtb_check_eq(d->tb, d->cqes, i + 1 == n);
			/* all retries but the last are used up each time */
			for (unsigned int k = 0; k < RETRIES; k++)
				round_over(d, desk_epoch(d));
		}
		vtb_check_eq(d->tb, d->cqe[0].status, CAIRN_WC_STATUS_SUCCESS);
		desk_ack(d, d->psn - 1, ACK);
		desk_expect_cqe(d, 1, SEND, SUCCESS, NONE);
		desk_close(d);
	}
}

/* The retries after RNR NAKs come back by the same measure. */
static void not_ready(void **state)
{
	struct desk *d = open_desk();
	unsigned int i;

	(void)state;
	desk_post(d, READ, 20, true);
	desk_post(d, SEND, 20, true);
	for (i = 0; i < 20 && !d->cqes; i++) {
		unsigned int epoch = desk_epoch(d);

		next_late(d);
		if (desk_epoch(d) != epoch && !d->cqes)
			desk_resume(d);
		desk_time(d, d->now + 20000);
	}
	vtb_check_eq(d->tb, d->cqes, 2);
	vtb_check(d->tb, d->cqe[0].status == CAIRN_WC_STATUS_RETRY_EXC_ERR ||
				 d->cqe[0].status == CAIRN_WC_STATUS_RNR_RETRY_EXC_ERR);
	desk_expect_cqe(d, 1, SEND, WR_FLUSH_ERR, FLUSH);
	desk_close(d);
}

/* Loses the newest work request once more: a NAK, an RNR NAK and its wait, or nothing comes. */
static void lose(struct desk *d, unsigned int syndrome)
{
	unsigned int epoch = desk_epoch(d);

	if (syndrome)
		desk_ack(d, d->psn - 1, syndrome);
	round_over(d, epoch);
	if (syndrome == RNR)
		desk_time(d, d->now + 20000);
}

/*
 * Retry counts that were changed while nothing was under way (SQD) hold from the next loss on, be
 * it of the first packet, as firmware starts a QP, or any number of packets behind the last
 * go-back: 2^22 at a time here, up to the whole circle of PSNs.
 */
static void count_changed(unsigned int op, unsigned int syndrome, unsigned int sent,
			  unsigned int retries)
{
	struct desk *d = open_desk();

	CAIRN_SET(d->cmp.gb, CAIRN_QP_CMP_GB_GB_PSN, DESK_PSN - 1);
	desk_put_cmp(d);
	for (unsigned int k = 1; k <= sent; k++) {
		desk_post(d, WRITE, (k < 4 ? 0x400000 : 0x3ffffe) * DESK_MTU, true);
		desk_ack(d, d->psn - 1, ACK);
	}
	/* of a READ as long ago, by chance at the same low bits */
	CAIRN_SET(d->cmp.gb, CAIRN_QP_CMP_GB_GB_DONE, d->psn & 0xff);
	desk_put_cmp(d);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_RETRY_CNT, retries);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_RNR_RETRY, retries);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TIMEOUT, syndrome ? 14 : 1);
	desk_post(d, op, 20, true);
	desk_kick(d);
	if (!syndrome)
		desk_timer(d, d->now + PERIOD);
	for (unsigned int k = 0; k < retries; k++) {
		lose(d, syndrome);
		vtb_check_eq(d->tb, d->cqes, sent);
	}
	lose(d, syndrome);
	vtb_check_eq(d->tb, d->cqes, sent + 1);
	vtb_check_eq(d->tb, d->cqe[sent].status,
		     syndrome == RNR ? CAIRN_WC_STATUS_RNR_RETRY_EXC_ERR :
				       CAIRN_WC_STATUS_RETRY_EXC_ERR);
	desk_close(d);
}

static void counts_changed(void **state)
{
	static const unsigned int syndromes[] = { NAK_SEQ, RNR, 0 };

	(void)state;
	for (unsigned int i = 0; i < 2 * 3 * 5; i++) {
		for (unsigned int less = 0; less < 2; less++)
			count_changed(i & 1 ? READ : SEND, syndromes[i / 2 % 3], i / 6,
				      less ? RETRIES - 1 : RETRIES + 2);
	}
}

/*
 * A READ behind others, and what is behind it, are lost together: the NAK is not one of the retries
 * of the READ, which is found lost for the same reason, so one retry is enough.
 */
static void lost_together(void **state)
{
	struct desk *d = open_desk();

	(void)state;
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_RETRY_CNT, 1);
	desk_put(d);
	desk_post(d, SEND, 20, true);
	desk_ack(d, DESK_PSN, ACK);
	desk_post(d, READ, 20, true);
	desk_post(d, SEND, 20, true);
	desk_kick(d);
	desk_ack(d, d->psn - 1, NAK_SEQ);
	vtb_check_eq(d->tb, d->cqes, 1);
	vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
	desk_resume(d);
	desk_response(d, CAIRN_OPCODE_RC_READ_RSP_ONLY, DESK_PSN + 1, ACK, 1, 20);
	desk_ack(d, d->psn - 1, ACK);
	desk_expect_cqe(d, 1, READ, SUCCESS, NONE);
	desk_expect_cqe(d, 2, SEND, SUCCESS, NONE);
	desk_close(d);
}

/* For ever, as far as RNR goes. */
static struct desk *open_patient(unsigned int timeout)
{
	struct desk *d = open_desk();

	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_RNR_RETRY, 7);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TIMEOUT, timeout);
	desk_put(d);
	return d;
}

/*
 * The answer of a READ is lost, and the peer is not ready for the SEND behind it for long: the READ
 * is asked for again all the same, by its own retries (its data may be what the peer waits for).
 */
static void lost_before_not_ready(void **state)
{
	struct desk *d = open_patient(14);

	(void)state;
	desk_post(d, READ, 20, true);
	desk_post(d, SEND, 20, true);
	desk_kick(d);
	for (unsigned int i = 0; i < 2 * RETRIES + 2 && !d->cqes; i++) {
		desk_ack(d, d->psn - 1, RNR);
		for (unsigned int k = 0; k < 20 && d->cmp.flags & CAIRN_QP_CMP_FLAGS_RNR_WAIT; k++)
			desk_time(d, d->now + 1500);
		if (!i) {
			vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
			vtb_check_eq(d->tb, CAIRN_GET(d->cmp.gb, CAIRN_QP_CMP_GB_GB_PSN), DESK_PSN);
		}
		desk_resume(d);
	}
	vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 0);
	vtb_check_eq(d->tb, d->counts[N_IMPLIED], RETRIES + 1);
	vtb_check_eq(d->tb, d->cqes, 2);
	vtb_check_eq(d->tb, d->cqe[0].status, CAIRN_WC_STATUS_RETRY_EXC_ERR);
	desk_close(d);
}

/*
 * The ack timer's entry lies in the tick in which an RNR wait ends, and its visit comes when the
 * wait is just over: the time before the wait is none in which an answer was owed.
 */
static void timer_behind_wait(void **state)
{
	struct desk *d = open_patient(1);

	(void)state;
	desk_post(d, SEND, 20, true);
	for (unsigned int i = 0; i < 2 * RETRIES + 2; i++) {
		uint64_t end, tick;

		d->now = ((d->now + 2048) & ~1023ull) + 1024 - (10064 & 1023) + 60;
		desk_resume(d);
		desk_ack(d, d->psn - 1, RNR);
		end = d->now + 10064; /* RNR code 1, rounded up to 64 ns */
		tick = end & ~1023ull;
		vtb_check_eq(d->tb, end - tick, 60);
		desk_timer(d, tick);	   /* the ack timer's */
		desk_time(d, tick + 140);  /* when its visit comes, the wait is over */
		desk_time(d, tick + 1024); /* the entry of the wait itself */
		vtb_check(d->tb, !(d->cmp.flags & CAIRN_QP_CMP_FLAGS_RNR_WAIT));
		vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 0);
	}
	vtb_check_eq(d->tb, d->cqes, 0);
	/* an answer that then does not come is missed as ever */
	desk_resume(d);
	desk_time(d, d->now + PERIOD + 2048);
	vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 1);
	desk_close(d);
}

/* In each round one packet of a READ, close before a NAK for what is behind it. */
static void little_before_nak(void **state)
{
	const unsigned int n = 4 * RETRIES;
	struct desk *d = open_desk();

	(void)state;
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TIMEOUT, 14);
	desk_put(d);
	desk_post(d, READ, n * DESK_MTU, true);
	desk_post(d, SEND, 20, true);
	desk_kick(d);
	for (unsigned int i = 0; i < n; i++) {
		desk_begin(d, read_opcode(i), DESK_PSN + i, ACK, DESK_MTU);
		desk_ack(d, d->psn - 1, NAK_SEQ);
		vtb_check_eq(d->tb, d->cqes, i + 1 == n);
		desk_resume(d);
	}
	vtb_check_eq(d->tb, d->cqe[0].status, CAIRN_WC_STATUS_SUCCESS);
	desk_close(d);
}

/*
 * The end of a READ is lost, and the ACK of the SEND behind it comes while the data before is on
 * its way to memory: the READ is found lost when that data is there, though nothing else comes, and
 * without any timer.
 */
static void end_lost(void **state)
{
	struct desk *d = open_desk();

	(void)state;
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TIMEOUT, 0);
	desk_put(d);
	desk_post(d, READ, 2 * DESK_MTU, true);
	desk_post(d, SEND, 20, true);
	desk_kick(d);
	desk_begin(d, CAIRN_OPCODE_RC_READ_RSP_FIRST, DESK_PSN, ACK, DESK_MTU);
	desk_ack(d, d->psn - 1, ACK);
	desk_time(d, d->now + 1000);
	vtb_check_eq(d->tb, d->cmp.rd_placed, DESK_MTU);
	vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
	vtb_check_eq(d->tb, CAIRN_GET(d->cmp.gb, CAIRN_QP_CMP_GB_GB_PSN), DESK_PSN + 1);
	desk_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_lost),
		cmocka_unit_test(answer_lost),
		cmocka_unit_test(little_by_little),
		cmocka_unit_test(not_ready),
		cmocka_unit_test(counts_changed),
		cmocka_unit_test(lost_together),
		cmocka_unit_test(lost_before_not_ready),
		cmocka_unit_test(timer_behind_wait),
		cmocka_unit_test(little_before_nak),
		cmocka_unit_test(end_lost),
	};

	return cmocka_run_group_tests_name("cmp_retries", tests, NULL, NULL);
}
