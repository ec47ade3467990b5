// SPDX-License-Identifier: Apache-2.0
/*
 * completer: each rule of the requester's side alone: every NAK and RNR code, timeout exponent and
 * retry count, ghosts, credits, answers of the wrong kind or length, clocks and numbers that wrap.
 */
#include "cmp_desk.h"

#define SEND CAIRN_WQE_OP_SEND
#define WRITE CAIRN_WQE_OP_WRITE
#define READ CAIRN_WQE_OP_READ
#define FETCH_ADD CAIRN_WQE_OP_ATOMIC_FA
#define READ_ONLY CAIRN_OPCODE_RC_READ_RSP_ONLY
#define ACK(credit) (credit)
#define RNR(code) (0x20u | (code))
#define NAK(code) (0x60u | (code))
#define T0 1000000ull

static void set_cfg(struct desk *d, uint32_t mask, unsigned int value)
{
	CAIRN_SET(d->cfg.state, mask, value);
	desk_put(d);
}

/* ---- NAKs ---- */

static void nak_codes(void **state)
{
	(void)state;
	for (unsigned int code = 0; code < 32; code++) {
		struct desk *d = desk_open(T0);

		desk_post(d, WRITE, 300, true);
		desk_post(d, SEND, 20, true);
		desk_post(d, SEND, 20, true);
		/* of the second: acknowledges the first */
		desk_ack(d, DESK_PSN + 2, NAK(code));
		if (code > 3) { /* not known: as if it had never come */
			vtb_check_eq(d->tb, d->cqes, 0);
			vtb_check_eq(d->tb, d->counts[N_GHOST], 1);
			vtb_check_eq(d->tb, desk_una(d), DESK_PSN);
			desk_close(d);
			continue;
		}
		desk_expect_cqe(d, 0, WRITE, SUCCESS, NONE);
		vtb_check_eq(d->tb, d->counts[code ? N_INV + code - 1 : N_SEQ], 1);
		if (code == 0) {
			vtb_check_eq(d->tb, d->cqes, 1);
			vtb_check_eq(d->tb, desk_una(d), DESK_PSN + 2);
			vtb_check_eq(d->tb, desk_epoch(d), 1);
			desk_ack(d, DESK_PSN + 2, NAK(0)); /* again, before the requester went */
			vtb_check_eq(d->tb, desk_epoch(d), 1);
			vtb_check_eq(d->tb, d->counts[N_GHOST], 1);
			desk_close(d);
			continue;
		}
		if (code == CAIRN_AETH_NAK_INV_REQ)
			desk_expect_cqe(d, 1, SEND, REM_INV_REQ_ERR, NAK_INV);
		else if (code == CAIRN_AETH_NAK_ACCESS)
			desk_expect_cqe(d, 1, SEND, REM_ACCESS_ERR, NAK_ACCESS);
		else
			desk_expect_cqe(d, 1, SEND, REM_OP_ERR, NAK_OP);
		desk_expect_cqe(d, 2, SEND, WR_FLUSH_ERR, FLUSH);
		vtb_check_eq(d->tb, d->cqes, 3);
		vtb_check_eq(d->tb, desk_epoch(d), 1); /* what waits to be sent is stale */
		vtb_check_eq(d->tb, d->qp_errs, 1);
		vtb_check(d->tb, !d->counts[N_WQE_PROT] && !d->counts[N_WQE_OP]);
		desk_post(d, SEND, 1, false); /* posted later: flushed too */
		desk_kick(d);
		desk_expect_cqe(d, 3, SEND, WR_FLUSH_ERR, FLUSH);
		vtb_check_eq(d->tb, d->qp_errs, 1);
		desk_close(d);
	}
}

static void reserved_class(void **state)
{
	(void)state;
	for (unsigned int syndrome = 0x40; syndrome < 0x100; syndrome++) {
		struct desk *d;

		if (syndrome >= 0x60 && syndrome < 0x80)
			continue;
		d = desk_open(T0);
		desk_post(d, SEND, 20, true);
		desk_ack(d, DESK_PSN, syndrome);
		vtb_check_eq(d->tb, d->cqes, 0);
		vtb_check_eq(d->tb, d->counts[N_GHOST], 1);
		vtb_check_eq(d->tb, desk_una(d), DESK_PSN);
		desk_close(d);
	}
}

static void ghosts(void **state)
{
	struct desk *d = desk_open(T0);
	static const int off[] = { 1, 2, 1000, 0x7fffff, -1, -2, -1000, -0x7fffff };

	(void)state;
	desk_post(d, SEND, 20, true);
	desk_post(d, SEND, 20, false); /* posted, not sent */
	for (unsigned int i = 0; i < 8; i++) {
		desk_ack(d, DESK_PSN + (uint32_t)off[i], ACK(31));
		desk_ack(d, DESK_PSN + (uint32_t)off[i], NAK(2));
		desk_ack(d, DESK_PSN + (uint32_t)off[i], RNR(1));
		desk_response(d, READ_ONLY, DESK_PSN + (uint32_t)off[i], 31, 0, 16);
		desk_response(d, CAIRN_OPCODE_RC_ATOMIC_ACK, DESK_PSN + (uint32_t)off[i], 31, 0, 0);
	}
	vtb_check_eq(d->tb, d->counts[N_GHOST], 40);
	vtb_check_eq(d->tb, d->cqes, 0);
	vtb_check_eq(d->tb, desk_epoch(d), 0);
	vtb_check_eq(d->tb, d->writes, 8); /* only the cells come back */
	desk_ack(d, DESK_PSN, ACK(31));
	desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
	desk_ack(d, DESK_PSN, ACK(31)); /* again */
	desk_ack(d, DESK_PSN + 1, ACK(31));
	vtb_check_eq(d->tb, d->counts[N_GHOST], 42);
	vtb_check_eq(d->tb, d->cqes, 1);
	desk_close(d);
}

/* One ACK for many work requests, across the end of PSNs and of block indices. */
static void coalesced(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	for (unsigned int i = 0; i < 40; i++)
		desk_post(d, i & 1 ? WRITE : SEND, 20 + 100 * i, true);
	desk_ack(d, d->psn - 1, ACK(31));
	vtb_check_eq(d->tb, d->cqes, 40);
	for (unsigned int i = 0; i < 40; i++) {
		vtb_check_eq(d->tb, d->cqe[i].index, (DESK_INDEX + i) & 0xffff);
		vtb_check_eq(d->tb, d->cqe[i].status, 0);
	}
	vtb_check_eq(d->tb, d->counts[N_ACK], 1);
	desk_close(d);
}

/* ---- RNR ---- */

static const uint32_t rnr_10us[32] = { 65536, 1,    2,	  3,	 4,	6,     8,     12,
				       16,    24,   32,	  48,	 64,	96,    128,   192,
				       256,   384,  512,  768,	 1024,	1536,  2048,  3072,
				       4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152 };

static bool waits(const struct desk *d)
{
	return d->cmp.flags & CAIRN_QP_CMP_FLAGS_RNR_WAIT;
}

/* Waits at least as long as the code says, and not much longer, wherever the clock stands. */
static void rnr_codes(void **state)
{
	static const uint64_t starts[] = { T0, (1ull << 32) - 3000, (1ull << 46) - 3000,
					   (1ull << 48) - 3000 };

	(void)state;
	for (unsigned int k = 0; k < 32 + 3; k++) {
		unsigned int code = k < 32 ? k : 1;
		struct desk *d = desk_open(starts[k < 32 ? k % 4 : k - 31]);
		uint64_t t = d->now, ns = rnr_10us[code] * 10000ull;

		desk_post(d, SEND, 20, true);
		desk_ack(d, DESK_PSN, RNR(code));
		vtb_check(d->tb, waits(d));
		vtb_check_eq(d->tb, desk_epoch(d), 1);
		vtb_check_eq(d->tb, d->counts[N_RNR], 1);
		desk_time(d, t + ns - 1);
		vtb_check(d->tb, waits(d));
		d->kicks = 0;
		desk_time(d, t + ns + 4096);
		vtb_check(d->tb, !waits(d));
		vtb_check(d->tb, d->kicks); /* the requester may go on */
		desk_resume(d);
		desk_ack(d, DESK_PSN, ACK(31));
		desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
		desk_close(d);
	}
}

static void rnr_retries(void **state)
{
	(void)state;
	for (unsigned int retries = 0; retries < 8; retries++) {
		unsigned int tries = retries == 7 ? 20 : retries;
		struct desk *d = desk_open(T0);

		set_cfg(d, CAIRN_QP_CFG_STATE_RNR_RETRY, retries);
		CAIRN_SET(d->cmp.flags, CAIRN_QP_CMP_FLAGS_RNR_LEFT, retries);
		desk_put_cmp(d);
		desk_post(d, SEND, 20, true);
		for (unsigned int i = 0; i < tries; i++) {
			desk_ack(d, DESK_PSN, RNR(1));
			vtb_check(d->tb, waits(d));
			desk_ack(d, DESK_PSN, RNR(1)); /* of a packet before: ignored */
			desk_time(d, d->now + 20000);
			vtb_check(d->tb, !waits(d));
			desk_resume(d);
		}
		vtb_check_eq(d->tb, d->cqes, 0);
		vtb_check_eq(d->tb, d->counts[N_RNR], tries);
		if (retries != 7) {
			desk_ack(d, DESK_PSN, RNR(1));
			desk_expect_cqe(d, 0, SEND, RNR_RETRY_EXC_ERR, RNR);
			vtb_check_eq(d->tb, d->counts[N_RNR_EXC], 1);
			vtb_check_eq(d->tb, d->qp_errs, 1);
		}
		desk_close(d);
	}
}

/* Progress gives the retries back; an ack timer that fires during the wait is nothing. */
static void rnr_progress(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	set_cfg(d, CAIRN_QP_CFG_STATE_RNR_RETRY, 1);
	CAIRN_SET(d->cmp.flags, CAIRN_QP_CMP_FLAGS_RNR_LEFT, 1);
	desk_put_cmp(d);
	for (unsigned int i = 0; i < 5; i++)
		desk_post(d, SEND, 20, true);
	for (unsigned int i = 0; i < 4; i++) {
		desk_ack(d, DESK_PSN + i, RNR(1));
		vtb_check_eq(d->tb, d->cqes, i);
		desk_timer(d, d->now + 1);
		desk_time(d, d->now + 2000);
		vtb_check(d->tb, waits(d));
		vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 0);
		desk_time(d, d->now + 20000);
		vtb_check(d->tb, !waits(d));
		desk_resume(d);
	}
	desk_ack(d, DESK_PSN + 4, ACK(31));
	vtb_check_eq(d->tb, d->cqes, 5);
	desk_close(d);
}

/* ---- the ack timer ---- */

static void timeouts(void **state)
{
	static const uint64_t starts[] = { T0, (1ull << 32) - 3000, (1ull << 46) - 3000,
					   (1ull << 48) - 3000 };

	(void)state;
	for (unsigned int x = 0; x < 32; x++) {
		struct desk *d = desk_open(starts[x % 4]);
		uint64_t t = d->now, period = 4096ull << x;

		set_cfg(d, CAIRN_QP_CFG_STATE_TIMEOUT, x);
		desk_post(d, SEND, 20, true);
		if (!x) { /* none: also an entry from before the change is nothing */
			desk_timer(d, t + 4096);
			desk_time(d, t + (1ull << 45));
			vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 0);
			vtb_check_eq(d->tb, desk_epoch(d), 0);
			desk_close(d);
			continue;
		}
		desk_timer(d, t + period);
		desk_time(d, t + period - 1);
		vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 0);
		desk_time(d, t + period + 2048);
		vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 1);
		vtb_check_eq(d->tb, desk_epoch(d), 1);
		vtb_check_eq(d->tb, desk_una(d), DESK_PSN);
		desk_close(d);
	}
}

static void retries(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 8; n++) {
		struct desk *d = desk_open(T0);

		set_cfg(d, CAIRN_QP_CFG_STATE_RETRY_CNT, n);
		set_cfg(d, CAIRN_QP_CFG_STATE_TIMEOUT, 1);
		CAIRN_SET(d->cmp.flags, CAIRN_QP_CMP_FLAGS_RETRY_LEFT, n);
		desk_put_cmp(d);
		desk_post(d, SEND, 300, true);
		desk_timer(d, d->now + 8192);
		for (unsigned int i = 0; i < n; i++) {
			desk_time(d, d->now + 8192 + 2048);
			vtb_check_eq(d->tb, d->counts[N_TIMEOUT], i + 1);
			vtb_check_eq(d->tb, desk_epoch(d), i + 1);
			desk_resume(d);
		}
		vtb_check_eq(d->tb, d->cqes, 0);
		desk_time(d, d->now + 8192 + 2048);
		desk_expect_cqe(d, 0, SEND, RETRY_EXC_ERR, TIMEOUT);
		vtb_check_eq(d->tb, d->counts[N_RETRY_EXC], 1);
		vtb_check_eq(d->tb, d->qp_errs, 1);
		desk_close(d);

		/* the same with sequence NAKs; progress in between gives all of them back */
		d = desk_open(T0);
		set_cfg(d, CAIRN_QP_CFG_STATE_RETRY_CNT, n);
		CAIRN_SET(d->cmp.flags, CAIRN_QP_CMP_FLAGS_RETRY_LEFT, n);
		desk_put_cmp(d);
		desk_post(d, SEND, 600, true);
		for (unsigned int i = 0; i < 2 * n; i++) {
			desk_ack(d, DESK_PSN + i / n, NAK(0));
			vtb_check_eq(d->tb, desk_epoch(d), i + 1);
			desk_resume(d);
		}
		desk_ack(d, DESK_PSN + (n != 0), NAK(0));
		desk_expect_cqe(d, 0, SEND, RETRY_EXC_ERR, NAK_SEQ);
		desk_close(d);
	}
}

/*
 * Nothing outstanding: a timer that fires is dropped, and not even the record is looked up; an
 * early one is armed again.
 */
static void idle_timer(void **state)
{
	struct desk *d = desk_open(T0);
	uint64_t looks;

	(void)state;
	desk_post(d, SEND, 20, true);
	desk_ack(d, DESK_PSN, ACK(31));
	desk_timer(d, T0 + 100);
	looks = vtb_get(d->tb, "looks_o");
	desk_time(d, T0 + (1ull << 40));
	vtb_check_eq(d->tb, vtb_get(d->tb, "next_valid_o"), 0);
	vtb_check_eq(d->tb, vtb_get(d->tb, "looks_o"), looks);
	desk_post(d, SEND, 20, true);
	d->req.t_start = d->now;
	desk_put(d);
	desk_timer(d, d->now + 10);
	desk_time(d, d->now + 5000);
	vtb_check(d->tb, vtb_get(d->tb, "next_valid_o"));
	vtb_check_eq(d->tb, d->counts[N_TIMEOUT], 0);
	desk_close(d);
}

/* ---- credits ---- */

static const uint16_t credit[31] = { 0,	   1,	 2,    3,     4,     6,	    8,	  12,
				     16,   24,	 32,   48,    64,    96,    128,  192,
				     256,  384,	 512,  768,   1024,  1536,  2048, 3072,
				     4096, 6144, 8192, 12288, 16384, 24576, 32768 };

static uint32_t lsn(const struct desk *d)
{
	return CAIRN_GET(d->cmp.wait, CAIRN_QP_CMP_WAIT_LSN);
}

static bool unlimited(const struct desk *d)
{
	return d->cmp.flags & CAIRN_QP_CMP_FLAGS_CREDITS_OFF;
}

#define NEAR 32u /* as of cmp_next */

static void credits(void **state)
{
	struct desk *d = desk_open(T0);
	const uint32_t msn = 0xfffff8; /* goes through zero */
	uint32_t lsn_was;

	(void)state;
	CAIRN_SET(d->cmp.wait, CAIRN_QP_CMP_WAIT_LSN, msn);
	desk_put_cmp(d);
	for (unsigned int code = 0; code < 31; code++) {
		uint32_t limit = (msn + code + credit[code]) & 0xffffff;
		uint32_t spent = CAIRN_GET(d->req.ssn, CAIRN_QP_REQ_SSN) -
				 CAIRN_GET(d->req.free_msg, CAIRN_QP_REQ_FREE_MSG);
		uint32_t room = (lsn(d) - spent) & 0xffffff;

		desk_post(d, SEND, 20, true);
		d->kicks = 0;
		lsn_was = lsn(d);
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn - 1, code, msn + code, 0);
		vtb_check_eq(d->tb, lsn(d), limit);
		/* the requester may wait for them, if it has not plenty */
		vtb_check_eq(d->tb, d->kicks != 0,
			     limit != lsn_was && (room < NEAR || room & 0x800000));
		/* fewer, by a stale answer or a forged one: what was given is given */
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn - 1, code, msn - 1, 0);
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn - 1, 0, msn - 0x700000, 0);
		vtb_check_eq(d->tb, lsn(d), limit);
	}
	vtb_check_eq(d->tb, d->cqes, 31);
	vtb_check_eq(d->tb, d->counts[N_GHOST], 62);
	/* an old answer may bring more; one that answers nothing may not */
	desk_ack(d, d->psn, ACK(30));
	desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn, 30, 0x10000, 0);
	vtb_check_eq(d->tb, lsn(d), msn + 30 + 32768 - 0x1000000);
	desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn - 1, 30, 0x10000, 0);
	vtb_check_eq(d->tb, lsn(d), 0x18000);
	desk_post(d, READ, 20, true);
	desk_response(d, READ_ONLY, d->psn - 1, 1, 0x20000, 20);
	vtb_check_eq(d->tb, lsn(d), 0x20001);
	vtb_check(d->tb, !unlimited(d));
	/* messages that take no receive of the peer are left out */
	d->req.free_msg = 0x10;
	desk_post(d, WRITE, 20, true);
	desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn - 1, 2, 0x20100, 0);
	vtb_check_eq(d->tb, lsn(d), 0x200f2);
	/* NAKs bring none */
	desk_post(d, SEND, 20, true);
	desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, d->psn - 1, RNR(1), 0x30000, 0);
	vtb_check_eq(d->tb, lsn(d), 0x200f2);
	desk_close(d);
}

/* "No credits" is for good. */
static void no_credits(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct desk *d = desk_open(T0);

		desk_post(d, i ? READ : SEND, 20, true);
		desk_post(d, SEND, 20, true);
		desk_ack(d, DESK_PSN + 2, ACK(31)); /* not sent yet */
		vtb_check(d->tb, !unlimited(d));
		if (i)
			desk_response(d, READ_ONLY, DESK_PSN, 31, 1, 20);
		else
			desk_ack(d, DESK_PSN, ACK(31));
		vtb_check(d->tb, unlimited(d));
		vtb_check_eq(d->tb, lsn(d), 0);
		desk_ack(d, DESK_PSN + 1, ACK(5));
		vtb_check(d->tb, unlimited(d));
		vtb_check_eq(d->tb, d->cqes, 2);
		desk_close(d);
	}
}

/* ---- data ---- */

static void atomic(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	desk_post(d, SEND, 20, true);
	desk_post(d, FETCH_ADD, 8, true);
	desk_post(d, CAIRN_WQE_OP_ATOMIC_CS, 8, true);
	/* acknowledges the SEND too */
	desk_response(d, CAIRN_OPCODE_RC_ATOMIC_ACK, DESK_PSN + 1, 31, 2, 0);
	desk_response(d, CAIRN_OPCODE_RC_ATOMIC_ACK, DESK_PSN + 1, 31, 2, 0); /* again */
	vtb_check_eq(d->tb, d->writes, 1);
	vtb_check_eq(d->tb, d->write[0].iova, DESK_VA);
	vtb_check_eq(d->tb, d->write[0].len, 8);
	vtb_check_eq(d->tb, d->write[0].data, 0x1122334455667788);
	vtb_check(d->tb, !d->write[0].payload && !d->write[0].free);
	desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
	desk_expect_cqe(d, 1, ATOMIC, SUCCESS, NONE);
	vtb_check_eq(d->tb, d->cqe[1].len, 8);
	vtb_check_eq(d->tb, CAIRN_GET(d->cmp.rflags, CAIRN_QP_CMP_RFLAGS_RD_DONE), 1);
	/* an ACK for it is no answer: it is asked for again */
	desk_ack(d, DESK_PSN + 2, ACK(31));
	vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
	vtb_check_eq(d->tb, desk_una(d), DESK_PSN + 2);
	desk_resume(d);
	desk_response(d, CAIRN_OPCODE_RC_ATOMIC_ACK, DESK_PSN + 2, 31, 3, 0);
	desk_expect_cqe(d, 2, ATOMIC, SUCCESS, NONE);
	vtb_check_eq(d->tb, d->counts[N_ATOMIC], 2);
	vtb_check_eq(d->tb, d->counts[N_GHOST], 1);
	desk_close(d);
}

/* What stands first, and what answers it. */
static void wrong_answers(void **state)
{
	static const struct {
		uint8_t op, opcode;
		uint16_t len, answer;
		uint8_t status;
	} row[] = {
		{ READ, CAIRN_OPCODE_RC_ATOMIC_ACK, 100, 0, 7 },
		{ FETCH_ADD, READ_ONLY, 8, 8, 7 },
		{ SEND, READ_ONLY, 100, 100, 7 },
		{ SEND, READ_ONLY, 0, 0, 7 },
		{ WRITE, CAIRN_OPCODE_RC_ATOMIC_ACK, 8, 0, 7 },
		{ READ, CAIRN_OPCODE_RC_READ_RSP_FIRST, 100, 256, 7 },
		{ READ, CAIRN_OPCODE_RC_READ_RSP_MIDDLE, 600, 256, 7 },
		{ READ, CAIRN_OPCODE_RC_READ_RSP_LAST, 100, 100, 7 },
		{ READ, READ_ONLY, 600, 256, 7 },
		{ READ, READ_ONLY, 100, 99, 1 },
		{ READ, READ_ONLY, 100, 101, 1 },
		{ READ, READ_ONLY, 0, 1, 1 },
		{ READ, READ_ONLY, 100, 0, 1 },
		{ READ, CAIRN_OPCODE_RC_READ_RSP_FIRST, 600, 255, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct desk *d = desk_open(T0);
		unsigned int cells = row[i].answer != 0;

		desk_post(d, WRITE, 20, true);
		desk_post(d, row[i].op, row[i].len, true);
		desk_post(d, SEND, 20, true);
		desk_response(d, row[i].opcode, DESK_PSN + 1, 31, 0, row[i].answer);
		desk_expect_cqe(d, 0, WRITE, SUCCESS, NONE);
		vtb_check_eq(d->tb, d->cqes, 3);
		vtb_check_eq(d->tb, d->cqe[1].status, row[i].status);
		vtb_check_eq(d->tb, d->cqe[2].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(d->tb, d->writes, cells);
		vtb_check(d->tb, !cells || (d->write[0].len == 0 && d->write[0].free));
		vtb_check_eq(d->tb, d->counts[N_BAD_RESP], 1);
		vtb_check_eq(d->tb, d->qp_errs, 1);
		desk_close(d);
	}
}

/* 256-byte responses, as fast as they come: 4 cycles each, visits of the walker included. */
static void rate(void **state)
{
	struct desk *d = desk_open(T0);
	const unsigned int n = 40;
	uint64_t cycles;

	(void)state;
	desk_post(d, READ, n * DESK_MTU, true);
	for (unsigned int k = 0; k < n; k++) {
		static const uint8_t opcode[4] = {
			CAIRN_OPCODE_RC_READ_RSP_FIRST,
			CAIRN_OPCODE_RC_READ_RSP_MIDDLE,
			CAIRN_OPCODE_RC_READ_RSP_MIDDLE,
			CAIRN_OPCODE_RC_READ_RSP_LAST,
		};

		desk_begin(d, opcode[k % 4], DESK_PSN + k, 31, DESK_MTU);
		if (!k)
			vtb_run(d->tb, 300); /* its WQE is here then */
	}
	vtb_run(d->tb, 200);
	vtb_check_eq(d->tb, d->counts[N_READ_RSP], n);
	desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
	cycles = d->placed_at[n - 1] - d->placed_at[1];
	if (cycles > 4 * (n - 2) + 8)
		vtb_fail(d->tb, "%llu cycles for %u packets", (unsigned long long)cycles, n - 2);
	desk_close(d);
}

static void protection(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct desk *d = desk_open(T0);

		desk_post_key(d, i ? FETCH_ADD : READ, 8, 0x777, true);
		desk_response(d, i ? CAIRN_OPCODE_RC_ATOMIC_ACK : READ_ONLY, DESK_PSN, 31, 0,
			      i ? 0 : 8);
		vtb_check_eq(d->tb, d->cqe[0].status, CAIRN_WC_STATUS_LOC_PROT_ERR);
		vtb_check_eq(d->tb, d->counts[N_PROT], 1);
		vtb_check_eq(d->tb, d->writes, !i);
		desk_close(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nak_codes),	cmocka_unit_test(reserved_class),
		cmocka_unit_test(ghosts),	cmocka_unit_test(coalesced),
		cmocka_unit_test(rnr_codes),	cmocka_unit_test(rnr_retries),
		cmocka_unit_test(rnr_progress), cmocka_unit_test(timeouts),
		cmocka_unit_test(retries),	cmocka_unit_test(idle_timer),
		cmocka_unit_test(atomic),	cmocka_unit_test(wrong_answers),
		cmocka_unit_test(protection),	cmocka_unit_test(credits),
		cmocka_unit_test(no_credits),	cmocka_unit_test(rate),
	};

	return cmocka_run_group_tests_name("completer rules", tests, NULL, NULL);
}
