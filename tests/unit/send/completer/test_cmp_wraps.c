// SPDX-License-Identifier: Apache-2.0
/*
 * completer: numbers that go all the way round (checks 16, 118, 120): three cycles of PSNs with one
 * ACK for 2^22 packets each, and a send ring that is full, half full and sent again where the
 * 16-bit block index wraps.
 */
#include "cmp_desk.h"

#define SEND CAIRN_WQE_OP_SEND
#define WRITE CAIRN_WQE_OP_WRITE
#define ACK 31u
#define NAK_SEQ 0x60u
#define HALF 0x800000u
#define QUARTER 0x400000u
#define T0 1000000ull

/* Old answers, 2^23 - 1 and 2^23 back among them, and answers to what was never sent. */
static void strangers(struct desk *d, uint32_t una)
{
	static const uint32_t back[] = { 1, 2, QUARTER, HALF - 1, HALF };
	uint64_t ghosts = d->counts[N_GHOST];
	unsigned int cqes = d->cqes;

	for (unsigned int i = 0; i < 5; i++)
		desk_ack(d, una - back[i], ACK);
	desk_ack(d, d->psn, ACK);
	desk_ack(d, d->psn + 1, NAK_SEQ);
	vtb_check_eq(d->tb, d->counts[N_GHOST] - ghosts, 7);
	vtb_check_eq(d->tb, d->cqes, cqes);
	vtb_check_eq(d->tb, desk_una(d), una);
}

static void psn_cycles(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	for (unsigned int i = 0; i < 12; i++) { /* four to a cycle */
		uint32_t first = d->psn;

		strangers(d, first);
		desk_post(d, WRITE, QUARTER * DESK_MTU, true);
		vtb_check_eq(d->tb, (d->psn - first) & 0xffffff, QUARTER);
		strangers(d, first);
		if (i % 3 == 0) { /* part of the way */
			desk_ack(d, first + QUARTER / 2, ACK);
			vtb_check_eq(d->tb, desk_una(d), (first + QUARTER / 2 + 1) & 0xffffff);
			strangers(d, desk_una(d));
		} else if (i % 3 == 1) { /* go back to the middle */
			unsigned int epoch = desk_epoch(d);

			desk_ack(d, first + QUARTER / 2, NAK_SEQ);
			vtb_check_eq(d->tb, desk_epoch(d), (epoch + 1) & 0xff);
			vtb_check_eq(d->tb, desk_una(d), (first + QUARTER / 2) & 0xffffff);
			desk_resume(d);
		}
		vtb_check_eq(d->tb, d->cqes, i);
		desk_ack(d, d->psn - 1, ACK);
		desk_expect_cqe(d, i, WRITE, SUCCESS, NONE);
		vtb_check_eq(d->tb, d->cqes, i + 1);
	}
	vtb_check_eq(d->tb, d->psn, DESK_PSN); /* three times round */
	desk_close(d);
}

/* The longest message at the smallest MTU: 2^23 packets, acknowledged in steps or
 * sent unreliably. */
static void longest(void **state)
{
	struct desk *d = desk_open(T0);
	uint32_t first = d->psn;

	(void)state;
	desk_post(d, WRITE, HALF * DESK_MTU, true);
	vtb_check_eq(d->tb, (d->psn - first) & 0xffffff, HALF);
	for (uint32_t at = 0; at < HALF - 1; at += QUARTER / 2 - 1) {
		desk_ack(d, first + at, ACK);
		vtb_check_eq(d->tb, desk_una(d), (first + at + 1) & 0xffffff);
		vtb_check_eq(d->tb, d->cqes, 0);
	}
	desk_ack(d, d->psn - 1, ACK);
	desk_expect_cqe(d, 0, WRITE, SUCCESS, NONE);
	desk_post(d, SEND, 100, true);
	desk_ack(d, d->psn - 1, ACK);
	desk_expect_cqe(d, 1, SEND, SUCCESS, NONE);
	vtb_check_eq(d->tb, d->cqes, 2);
	desk_close(d);

	d = desk_open(T0);
	CAIRN_SET(d->cfg.state, CAIRN_QP_CFG_STATE_TYPE, CAIRN_QP_TYPE_UC);
	first = d->psn;
	desk_post(d, WRITE, HALF * DESK_MTU, true);
	d->sent_gen = d->cmp.tag >> 24;
	d->sent_psn = (first + HALF - 1) & 0xffffff;
	desk_kick(d);
	vtb_check_eq(d->tb, d->cqes, 0);
	d->sent_psn = (first + HALF) & 0xffffff;
	desk_kick(d);
	desk_expect_cqe(d, 0, WRITE, SUCCESS, NONE);
	desk_close(d);
}

/* 64 blocks from DESK_INDEX on; the wrap is behind the fourth. */
static void ring(unsigned int posted, unsigned int nak_at)
{
	struct desk *d = desk_open(T0);

	for (unsigned int i = 0; i < posted; i++)
		desk_post(d, i & 1 ? WRITE : SEND, 20 + i, true);
	desk_ack(d, DESK_PSN + nak_at, NAK_SEQ);
	vtb_check_eq(d->tb, d->cqes, nak_at);
	vtb_check_eq(d->tb, desk_epoch(d), 1);
	desk_resume(d);
	desk_ack(d, DESK_PSN + nak_at, NAK_SEQ); /* the same is lost again */
	vtb_check_eq(d->tb, desk_epoch(d), 2);
	desk_resume(d);
	desk_ack(d, DESK_PSN + nak_at, ACK);
	desk_ack(d, d->psn - 1, ACK);
	vtb_check_eq(d->tb, d->cqes, posted);
	for (unsigned int i = 0; i < posted; i++) {
		vtb_check_eq(d->tb, d->cqe[i].index, (DESK_INDEX + i) & 0xffff);
		vtb_check_eq(d->tb, d->cqe[i].status, 0);
	}
	vtb_check_eq(d->tb, d->cmp.oldest & 0xffff, (DESK_INDEX + posted) & 0xffff);
	desk_close(d);
}

static void index_wrap(void **state)
{
	(void)state;
	for (unsigned int nak_at = 2; nak_at < 7; nak_at++) {
		ring(64, nak_at);
		ring(32, nak_at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(psn_cycles), cmocka_unit_test(longest),
					    cmocka_unit_test(index_wrap) };

	return cmocka_run_group_tests_name("completer wraps", tests, NULL, NULL);
}
