// SPDX-License-Identifier: Apache-2.0
/*
 * completer: what a peer may say wrongly (checks 39, 40): every credit with message numbers that
 * jump, READ responses of each kind and length at each place of a READ, responses to nothing.
 */
#include "cmp_desk.h"

#define SEND CAIRN_WQE_OP_SEND
#define READ CAIRN_WQE_OP_READ
#define T0 1000000ull
#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* Message numbers and credits say nothing about what is complete: the PSN does. */
static void message_numbers(void **state)
{
	static const uint32_t msns[] = { 0, 1, 2, 3, 100, 0x7fffff, 0x800000, 0xfffffe, 0xffffff };

	(void)state;
	for (unsigned int i = 0; i < 32 * LEN(msns); i++) {
		struct desk *d = desk_open(T0);

		desk_post(d, SEND, 20, true);
		desk_post(d, SEND, 300, true);
		desk_post(d, SEND, 20, false); /* not sent yet */
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, DESK_PSN, i % 32, msns[i / 32], 0);
		vtb_check_eq(d->tb, d->cqes, 1);
		desk_expect_cqe(d, 0, SEND, SUCCESS, NONE);
		vtb_check_eq(d->tb, desk_una(d), DESK_PSN + 1);
		/* a part of the second, then all of it; never the third */
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, DESK_PSN + 1, i % 32, msns[i / 32],
			      0);
		vtb_check_eq(d->tb, d->cqes, 1);
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, DESK_PSN + 2, i % 32,
			      msns[i / 32] + 1, 0);
		vtb_check_eq(d->tb, d->cqes, 2);
		desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, DESK_PSN + 3, i % 32,
			      msns[i / 32] + 2, 0);
		vtb_check_eq(d->tb, d->cqes, 2);
		vtb_check_eq(d->tb, d->counts[N_GHOST], 1);
		vtb_check_eq(d->tb, d->qp_errs, 0);
		desk_close(d);
	}
}

/* ---- READ responses ---- */

static const uint8_t kinds[] = { CAIRN_OPCODE_RC_READ_RSP_FIRST, CAIRN_OPCODE_RC_READ_RSP_MIDDLE,
				 CAIRN_OPCODE_RC_READ_RSP_LAST, CAIRN_OPCODE_RC_READ_RSP_ONLY };

/* Of a READ of three packets, the last of `tail` bytes: the place-th right answer. */
static void answer(struct desk *d, unsigned int place, unsigned int tail)
{
	desk_response(d, kinds[place], DESK_PSN + place, 31, 1, place == 2 ? tail : DESK_MTU);
}

static void places(void **state)
{
	static const unsigned int lens[] = { 0, 1, 99, 100, 101, 255, 256 };

	(void)state;
	for (unsigned int i = 0; i < 3 * 4 * LEN(lens); i++) {
		struct desk *d = desk_open(T0);
		unsigned int place = i % 3, kind = i / 3 % 4, len = lens[i / 12], written = 0;
		/* a READ asked for again from its middle begins there with FIRST or ONLY */
		bool right_kind = kind == place || (place == 1 && kind == 0) ||
				  (place == 2 && kind == 3);
		bool right_len = len == (place == 2 ? 100 : DESK_MTU);

		desk_post(d, READ, 2 * DESK_MTU + 100, true);
		desk_post(d, SEND, 20, true);
		for (unsigned int k = 0; k < place; k++)
			answer(d, k, 100);
		vtb_check(d->tb, !d->cqes && !d->counts[N_BAD_RESP]);
		desk_response(d, kinds[kind], DESK_PSN + place, 31, 1, len);
		if (right_kind && right_len) {
			vtb_check_eq(d->tb, d->cqes, place == 2);
			vtb_check_eq(d->tb, d->counts[N_BAD_RESP], 0);
			for (unsigned int k = place + 1; k < 3; k++)
				answer(d, k, 100);
			desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
			vtb_check_eq(d->tb, d->writes, 3);
		} else {
			if (d->cqes != 2)
				vtb_fail(d->tb, "place %u, opcode 0x%02x, %u bytes: %u completions",
					 place, kinds[kind], len, d->cqes);
			vtb_check_eq(d->tb, d->cqe[0].opcode, CAIRN_CQE_OP_READ);
			/* where both are wrong, either may be blamed */
			vtb_check(d->tb, (d->cqe[0].status == CAIRN_WC_STATUS_LOC_LEN_ERR &&
					  !right_len) ||
						 (d->cqe[0].status ==
							  CAIRN_WC_STATUS_BAD_RESP_ERR &&
						  !right_kind));
			vtb_check_eq(d->tb, d->cqe[1].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
			vtb_check_eq(d->tb, d->counts[N_BAD_RESP], 1);
			vtb_check_eq(d->tb, d->qp_errs, 1);
			/* what it goes on with, right or not, is nobody's */
			if (place < 2)
				answer(d, place + 1, 100);
			vtb_check_eq(d->tb, d->cqes, 2);
		}
		/* each byte at its place, none beyond the elements */
		for (unsigned int k = 0; k < d->writes; k++) {
			if (!d->write[k].len)
				continue;
			vtb_check_eq(d->tb, d->write[k].iova, DESK_VA + written);
			written += d->write[k].len;
		}
		vtb_check_eq(d->tb, written,
			     right_kind && right_len ? 2 * DESK_MTU + 100 : place * DESK_MTU);
		desk_close(d);
	}
}

/* Nothing outstanding, only SENDs that are done, or a READ that has had all of its data. */
static void to_nothing(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3 * 4; i++) {
		struct desk *d = desk_open(T0);
		unsigned int before, ghosts;

		if (i % 3 == 1) {
			desk_post(d, SEND, 20, true);
			desk_ack(d, DESK_PSN, 31);
		} else if (i % 3 == 2) {
			desk_post(d, READ, 100, true);
			desk_response(d, CAIRN_OPCODE_RC_READ_RSP_ONLY, DESK_PSN, 31, 1, 100);
		}
		before = d->cqes;
		ghosts = (unsigned int)d->counts[N_GHOST];
		desk_response(d, kinds[i / 3], d->psn, 31, 1, DESK_MTU);
		desk_response(d, kinds[i / 3], d->psn - 1, 31, 1, DESK_MTU);
		desk_response(d, kinds[i / 3], d->psn + 1000, 31, 1, 8);
		vtb_check_eq(d->tb, d->cqes, before);
		vtb_check_eq(d->tb, d->counts[N_GHOST] + d->counts[N_DUP], ghosts + 3);
		vtb_check_eq(d->tb, d->qp_errs, 0);
		for (unsigned int k = i % 3 == 2; k < d->writes; k++)
			vtb_check(d->tb, d->write[k].len == 0 && d->write[k].free);
		desk_close(d);
	}
}

/* ---- READs whose answers were lost ---- */

/*
 * A READ is asked for again, and with it what follows.  Acknowledgements of duplicates name PSNs
 * behind the next READ, which says nothing of its answer: only what is newer than the go-back does.
 */
static void asked_again(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct desk *d = desk_open(T0);

		for (unsigned int k = 0; k < 4; k++)
			desk_post(d, k % 2 ? SEND : READ, 20, true);
		desk_ack(d, DESK_PSN + 3, 31);
		vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
		vtb_check_eq(d->tb, desk_una(d), DESK_PSN);
		desk_resume(d);
		desk_ack(d, DESK_PSN + 3, 31);
		desk_response(d, CAIRN_OPCODE_RC_READ_RSP_ONLY, DESK_PSN, 31, 4, 20);
		vtb_check_eq(d->tb, d->cqes, 2);
		desk_ack(d, DESK_PSN + 3, 31);
		vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
		if (i) { /* lost again: an answer to something new proves it */
			desk_post(d, SEND, 20, true);
			desk_ack(d, DESK_PSN + 4, 31);
			vtb_check_eq(d->tb, d->counts[N_IMPLIED], 2);
			vtb_check_eq(d->tb, desk_una(d), DESK_PSN + 2);
			desk_resume(d);
		}
		desk_response(d, CAIRN_OPCODE_RC_READ_RSP_ONLY, DESK_PSN + 2, 31, 4, 20);
		desk_ack(d, DESK_PSN + 3 + i, 31);
		vtb_check_eq(d->tb, d->cqes, 4 + i);
		vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1 + i);
		vtb_check_eq(d->tb, d->qp_errs, 0);
		desk_close(d);
	}
}

/* A NAK of a later packet goes back behind a READ: nobody asks for it again, so it is lost. */
static void before_the_go_back(void **state)
{
	struct desk *d = desk_open(T0);

	(void)state;
	desk_post(d, READ, 20, true);
	desk_post(d, SEND, 20, true);
	desk_post(d, SEND, 20, true);
	desk_ack(d, DESK_PSN + 1, 0x60); /* PSN sequence error */
	vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
	vtb_check_eq(d->tb, desk_una(d), DESK_PSN);
	desk_close(d);
}

/*
 * Data of one READ, in order but with duplicates, that misses regions and WQE blocks on its way:
 * what is parked comes again while the progress of earlier packets is still under way.
 */
static void missed_and_doubled(void **state)
{
	/* two requests: of 4 packets (READ_CHUNK of the bench) and of 3 */
	const uint8_t kind[] = { kinds[0], kinds[1], kinds[1], kinds[2],
				 kinds[0], kinds[1], kinds[2] };

	(void)state;
	for (unsigned int i = 0; i < 60; i++) {
		struct desk *d = desk_open(T0);
		struct rng *rng = &d->tb->rng;
		uint32_t there = 0;

		for (unsigned int k = 0; k < i; k++)
			rng_u64(rng);
		vtb_set(d->tb, "miss_i", 20 + i % 4 * 50);
		desk_post(d, READ, 7 * DESK_MTU, true);
		for (unsigned int k = 0; k < 7; k++) {
			unsigned int copies = 1 + rng_percent(rng, 30);

			while (copies--)
				desk_begin(d, kind[k], DESK_PSN + k, 31, DESK_MTU);
			vtb_set(d->tb, "wr_ready_i", rng_percent(rng, 40));
			vtb_run(d->tb, (unsigned int)rng_below(rng, 40));
		}
		vtb_set(d->tb, "wr_ready_i", 1);
		vtb_run(d->tb, 2000);
		vtb_set(d->tb, "miss_i", 0);
		vtb_run(d->tb, 500);
		desk_kick(d);
		for (unsigned int k = 0; k < d->writes; k++)
			if (d->write[k].payload && d->write[k].len)
				there |= 1u << (d->write[k].iova - DESK_VA) / DESK_MTU;
		vtb_check_eq(d->tb, there, 0x7f);
		vtb_check_eq(d->tb, d->counts[N_READ_RSP], 7);
		vtb_check_eq(d->tb, d->counts[N_BAD_RESP], 0);
		vtb_check_eq(d->tb, d->counts[N_IMPLIED], 0);
		desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
		desk_close(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(message_numbers),
					    cmocka_unit_test(places),
					    cmocka_unit_test(to_nothing),
					    cmocka_unit_test(asked_again),
					    cmocka_unit_test(before_the_go_back),
					    cmocka_unit_test(missed_and_doubled) };

	return cmocka_run_group_tests_name("completer answers", tests, NULL, NULL);
}
