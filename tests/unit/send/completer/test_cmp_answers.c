// SPDX-License-Identifier: Apache-2.0
/*
 * completer: what a peer may say wrongly (checks 39, 40): every credit with message numbers that
 * jump, READ responses of each kind and length at each place of a READ, responses to nothing, READ
 * data out of order behind what waits for memory.
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
			vtb_check(d->tb,
				  (d->cqe[0].status == CAIRN_WC_STATUS_LOC_LEN_ERR && !right_len) ||
					  (d->cqe[0].status == CAIRN_WC_STATUS_BAD_RESP_ERR &&
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

/* What the one before it of that number and PSNs had used of its elements says nothing of it. */
static void of_another(void **state)
{
	(void)state;
	for (unsigned int first = 1; first < 600; first += 57) {
		struct desk *d = desk_open(T0);
		uint32_t at = DESK_MTU;

		desk_post(d, READ, 2 * DESK_MTU + 100, true);
		answer(d, 0, 100);
		vtb_check_eq(d->tb, d->writes, 1);
		desk_another(d, first);
		answer(d, 1, 100);
		answer(d, 2, 100);
		desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
		for (unsigned int k = 1; k < d->writes; k++) {
			if (!d->write[k].len)
				continue;
			vtb_check_eq(d->tb, d->write[k].iova,
				     at < first ? DESK_VA + at : DESK_VA + DESK_APART + at - first);
			at += d->write[k].len;
		}
		vtb_check_eq(d->tb, at, 2 * DESK_MTU + 100);
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

			while (copies--) {
#ifdef ONE_AT_A_TIME
				vtb_set(d->tb, "wr_ready_i", 1);
#endif
				desk_begin(d, kind[k], DESK_PSN + k, 31, DESK_MTU);
			}
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

/*
 * A packet is parked, as the last of those under way, while the next is being looked at: that one
 * is parked behind it, and the first, which comes again before, is no duplicate of what was
 * believed when the next was looked at.
 */
static void parked_before_next(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 16; i++) {
		struct desk *d = desk_open(T0);

		desk_post(d, READ, 4 * DESK_MTU, true);
		desk_response(d, kinds[0], DESK_PSN, 31, 1, DESK_MTU);
		vtb_set(d->tb, "hold_i", 1);
		vtb_set(d->tb, "absent_i", 1);
		desk_begin(d, kinds[1], DESK_PSN + 1, 31, DESK_MTU);
		vtb_run(d->tb, 12); /* its region is asked for, and is not there */
		vtb_set(d->tb, "absent_i", 0);
		desk_begin(d, kinds[1], DESK_PSN + 2, 31, DESK_MTU);
		vtb_run(d->tb, i);
		vtb_set(d->tb, "hold_i", 0);
		vtb_tick(d->tb); /* the first one's answer */
		vtb_set(d->tb, "hold_i", 1);
		vtb_run(d->tb, 100);
		vtb_set(d->tb, "hold_i", 0);
		vtb_run(d->tb, 200);
		desk_response(d, kinds[2], DESK_PSN + 3, 31, 1, DESK_MTU);
		vtb_check_eq(d->tb, d->counts[N_READ_RSP], 4);
		vtb_check_eq(d->tb, d->counts[N_DUP], 0);
		vtb_check_eq(d->tb, d->counts[N_IMPLIED], 0);
		desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
		desk_close(d);
	}
}

#ifndef ONE_AT_A_TIME
/*
 * READ data that misses its region stands behind other data that finds no room, while exactly
 * `fills` lines arrive, its own among them, and the walker looks at the QP `visits` times and once
 * or twice more: what came is not forgotten, whatever the counts.
 */
static void events_that_wrap(void **state)
{
	(void)state;
	for (unsigned int i = 0; i <= 32; i++) {
		unsigned int fills = i <= 16 ? 256 : 1u << (i - 16), visits = i <= 16 ? i : 15;
		struct desk *d = desk_open(T0);

		desk_post(d, READ, 4 * DESK_MTU + 100, true);
		answer(d, 0, 100);
		vtb_check_eq(d->tb, d->counts[N_READ_RSP], 1);
		vtb_set(d->tb, "wr_ready_i", 0);
		desk_begin(d, kinds[1], DESK_PSN + 1, 31, DESK_MTU);
		desk_begin(d, kinds[1], DESK_PSN + 2, 31, DESK_MTU);
		vtb_run(d->tb, 60);
		vtb_set(d->tb, "absent_i", 1);
		desk_begin(d, kinds[2], DESK_PSN + 3, 31, DESK_MTU);
		vtb_run(d->tb, 60);
		vtb_check_eq(d->tb, d->counts[N_PARKED], 1); /* the first, for its block */
		vtb_set(d->tb, "absent_i", 0);
		vtb_run(d->tb, 400); /* it comes */
		vtb_set(d->tb, "fill_i", 1);
		vtb_run(d->tb, fills - 1);
		vtb_set(d->tb, "fill_i", 0);
		for (unsigned int k = 0; k < visits; k++)
			desk_kick(d);
		vtb_set(d->tb, "wr_ready_i", 1);
		vtb_run(d->tb, 200);
		if (d->counts[N_READ_RSP] != 4)
			vtb_fail(d->tb, "%u lines, %u visits: the data waits for ever", fills,
				 visits);
		desk_response(d, kinds[3], DESK_PSN + 4, 31, 1, 100);
		desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
		vtb_check_eq(d->tb, d->counts[N_PARKED], 2);
		desk_close(d);
	}
}

#endif
/* Forget writes that only give cells back: there is no end of duplicates, but of write[]. */
static void only_data(struct desk *d)
{
	unsigned int kept = 0;

	vtb_check(d->tb, d->writes < DESK_MAX);
	for (unsigned int k = 0; k < d->writes; k++)
		if (d->write[k].payload && d->write[k].len)
			d->write[kept++] = d->write[k];
	d->writes = kept;
}

/* Each packet of a READ was written once, in order; then it completed, and nobody is blamed. */
static void all_in_order(struct desk *d, unsigned int packets)
{
	only_data(d);
	for (unsigned int k = 0; k < d->writes; k++)
		vtb_check_eq(d->tb, d->write[k].iova, DESK_VA + DESK_MTU * k);
	vtb_check_eq(d->tb, d->writes, packets);
	vtb_check_eq(d->tb, d->counts[N_READ_RSP], packets);
	vtb_check_eq(d->tb, d->counts[N_BAD_RESP], 0);
	vtb_check_eq(d->tb, d->qp_errs, 0);
	vtb_check_eq(d->tb, d->cqes, 1);
	desk_expect_cqe(d, 0, READ, SUCCESS, NONE);
}

/*
 * The last packet of a READ overtakes the third and waits, without a look, behind the second, whose
 * region is missing.  The second goes on; before the last is in the list of those that wait, the
 * third comes, is looked at and let through.  Then the list is not empty any more and the third has
 * to wait too, while the last comes out of it and believes the third to be before it: either both
 * looks are over then, or the last is being looked at.  The third comes `late` cycles after the
 * region's answer for the second, its own answer `slow` cycles after it.
 */
static void overtaken_once(unsigned int late, unsigned int slow)
{
	struct desk *d = desk_open(T0);

	desk_post(d, READ, 3 * DESK_MTU + 100, true);
	desk_response(d, kinds[0], DESK_PSN, 31, 1, DESK_MTU);
	vtb_check_eq(d->tb, d->counts[N_READ_RSP], 1);
	d->counts[N_PARKED] = 0; /* it had to wait for its block */
	vtb_set(d->tb, "absent_i", 1);
	desk_begin(d, kinds[1], DESK_PSN + 1, 31, DESK_MTU);
	vtb_run_until(d->tb, d->counts[N_PARKED] == 1, 100);
	vtb_set(d->tb, "hold_i", 1);
	vtb_set(d->tb, "absent_i", 0);
	vtb_run(d->tb, 100);
	desk_begin(d, kinds[2], DESK_PSN + 3, 31, 100);
	vtb_run(d->tb, 20);
	vtb_check_eq(d->tb, d->counts[N_READ_RSP], 1);
	vtb_set(d->tb, "hold_i", 0);
	vtb_tick(d->tb); /* one answer */
	vtb_set(d->tb, "hold_i", 1);
	vtb_run(d->tb, late);
	desk_begin(d, kinds[1], DESK_PSN + 2, 31, DESK_MTU);
	vtb_run(d->tb, slow);
	vtb_set(d->tb, "hold_i", 0);
	vtb_run(d->tb, 100);
	if (d->counts[N_BAD_RESP])
		vtb_fail(d->tb, "the third %u cycles late, its answer %u: out of order", late,
			 slow);
	/* the gap was seen: what is behind it is asked for again */
	vtb_check_eq(d->tb, d->counts[N_IMPLIED], 1);
	vtb_check_eq(d->tb, d->counts[N_READ_RSP], 3);
	desk_resume(d);
	desk_response(d, kinds[0], DESK_PSN + 2, 31, 1, DESK_MTU);
	desk_response(d, kinds[2], DESK_PSN + 3, 31, 1, 100);
	all_in_order(d, 4);
	desk_close(d);
}

static void overtaken(void **state)
{
	(void)state;
	for (unsigned int late = 0; late < 8; late++)
		for (unsigned int slow = 0; slow < 24; slow++)
			overtaken_once(late, slow);
}

/* From packet `from` on, some lost, while the region comes and goes: the first is never lost. */
static void some_of_it(struct desk *d, unsigned int from, unsigned int packets)
{
	struct rng *rng = &d->tb->rng;

	for (unsigned int k = from; k < packets; k++) {
		bool start = k == from || k % 4 == 0, end = k % 4 == 3 || k + 1 == packets, room;

		if (k != from && rng_percent(rng, 20))
			continue;
		vtb_set(d->tb, "absent_i", rng_percent(rng, 30));
		/* one takes 3 cycles; none is taken while too many wait for answers or writes */
		room = vtb_get(d->tb, "pkt_ready_o");
		for (unsigned int n = 0; n < 4 && !room; n++) {
			vtb_tick(d->tb);
			room = vtb_get(d->tb, "pkt_ready_o");
		}
		vtb_set(d->tb, "hold_i", room && rng_percent(rng, 50));
		vtb_set(d->tb, "wr_ready_i", !room || rng_percent(rng, 70));
		desk_begin(d, start ? kinds[end ? 3 : 0] : kinds[end ? 2 : 1], DESK_PSN + k, 31,
			   k + 1 == packets ? 100 : DESK_MTU);
		vtb_run(d->tb, (unsigned int)rng_below(rng, 16));
	}
}

/*
 * Data of one READ that is lost in places and asked for again, before what is there or was thrown
 * away, while what came of earlier times waits for the region or comes out of the list.
 */
static void lost_and_parked(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 120; i++) {
		struct desk *d = desk_open(T0);
		unsigned int times = 0;

		desk_post(d, READ, 6 * DESK_MTU + 100, true);
		while (!d->cqes) {
			unsigned int from = (unsigned int)d->counts[N_READ_RSP];

			vtb_check(d->tb, times++ < 20);
			some_of_it(d, from - (unsigned int)rng_below(&d->tb->rng, from + 1), 7);
			/* parts of it come late, or again, while the rest is under way */
			for (unsigned int k = 0; k < 2; k++)
				some_of_it(d, (unsigned int)rng_below(&d->tb->rng, 7), 7);
			vtb_set(d->tb, "absent_i", 0);
			vtb_set(d->tb, "hold_i", 0);
			vtb_set(d->tb, "wr_ready_i", 1);
			vtb_run(d->tb, 400);
			desk_kick(d);
			desk_resume(d);
			only_data(d);
		}
		all_in_order(d, 7);
		desk_close(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_numbers),    cmocka_unit_test(places),
		cmocka_unit_test(to_nothing),	      cmocka_unit_test(asked_again),
		cmocka_unit_test(before_the_go_back), cmocka_unit_test(missed_and_doubled),
#ifndef ONE_AT_A_TIME
		cmocka_unit_test(events_that_wrap),
#endif
		cmocka_unit_test(parked_before_next), cmocka_unit_test(overtaken),
		cmocka_unit_test(lost_and_parked),    cmocka_unit_test(of_another)
	};

	return cmocka_run_group_tests_name("completer answers", tests, NULL, NULL);
}
