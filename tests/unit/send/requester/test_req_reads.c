// SPDX-License-Identifier: Apache-2.0
/*
 * req_reads against sums of its own: what is issued, done, gone back and closed, of all QPs, in any
 * order and at once, as counts that wrap; full from ROOM on, until HOLD fewer are outstanding.
 */
#include <stdio.h>
#include <string.h>

#include "vtb.h"

#define QPS 16u
#define ROOM 24
#define HOLD 4
#define MOST 8 /* of a QP */

static struct {
	uint8_t issued[QPS], done[QPS];
	int total;
	bool full;
} s;
static struct vtb *tb;

static int outstanding(unsigned int q)
{
	return (int8_t)(s.issued[q] - s.done[q]);
}

/* One event after the other, as they are counted. */
static void set(unsigned int q, uint8_t issued, uint8_t done)
{
	s.total -= outstanding(q);
	s.issued[q] = issued;
	s.done[q] = done;
	s.total += outstanding(q);
	if (s.total >= ROOM)
		s.full = true;
	else if (s.total < ROOM - HOLD)
		s.full = false;
}

static void begin(uint8_t count)
{
	tb = vtb_create();
	memset(&s, 0, sizeof(s));
	vtb_run(tb, QPS + 2);
	vtb_check(tb, !vtb_get(tb, "full_o"));
	/* as records of QPs that have been at it for long */
	for (unsigned int q = 0; count && q < QPS; q++) {
		for (const char *const *of = (const char *const[]){ "done", "issued", NULL }; *of; of++) {
			char port[32];

			snprintf(port, sizeof(port), "%s_valid_i", *of);
			vtb_set(tb, port, 1);
			snprintf(port, sizeof(port), "%s_qpn_i", *of);
			vtb_set(tb, port, q);
			snprintf(port, sizeof(port), "%s_count_i", *of);
			vtb_set(tb, port, count);
			vtb_tick(tb);
			snprintf(port, sizeof(port), "%s_valid_i", *of);
			vtb_set(tb, port, 0);
		}
		s.issued[q] = s.done[q] = count;
	}
	vtb_run(tb, 8);
	vtb_check(tb, !vtb_get(tb, "full_o"));
}

static void tell(const char *valid, const char *qpn, unsigned int q, const char *count, uint8_t n)
{
	vtb_set(tb, valid, 1);
	vtb_set(tb, qpn, q);
	if (count)
		vtb_set(tb, count, n);
}

/* Up to three at once; then they are counted, and full_o must be what the sums say. */
static void step(unsigned int issues, unsigned int ends)
{
	struct rng *rng = &tb->rng;
	unsigned int q;

	if (rng_percent(rng, 3)) {
		q = (unsigned int)rng_below(rng, QPS);
		tell("closed_valid_i", "closed_qpn_i", q, NULL, 0);
		set(q, 0, 0);
	}
	q = (unsigned int)rng_below(rng, QPS);
	if (rng_percent(rng, ends) && outstanding(q) > 0) {
		unsigned int n = 1 + (unsigned int)rng_below(rng, (unsigned int)outstanding(q));

		tell("done_valid_i", "done_qpn_i", q, "done_count_i", (uint8_t)(s.done[q] + n));
		set(q, s.issued[q], (uint8_t)(s.done[q] + n));
	}
	q = (unsigned int)rng_below(rng, QPS);
	if (rng_percent(rng, issues) && outstanding(q) < MOST) {
		/* now and then it has gone back */
		uint8_t to = (uint8_t)(rng_percent(rng, 10) ? s.done[q] + 1 : s.issued[q] + 1);

		tell("issued_valid_i", "issued_qpn_i", q, "issued_count_i", to);
		set(q, to, s.done[q]);
	}
	vtb_tick(tb);
	vtb_set(tb, "closed_valid_i", 0);
	vtb_set(tb, "done_valid_i", 0);
	vtb_set(tb, "issued_valid_i", 0);
	vtb_run(tb, 8);
	vtb_check_eq(tb, vtb_get(tb, "full_o"), s.full);
}

static void any_order(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < 2; round++) {
		bool was[2] = { false, false };

		begin(round ? 250 : 0);
		for (unsigned int i = 0; i < 4000; i++) {
			step(i / 100 % 2 ? 70 : 40, i / 100 % 2 ? 20 : 60);
			was[s.full] = true;
		}
		vtb_check(tb, was[0] && was[1]);
		vtb_destroy(tb);
	}
}

/* Four of each source in a row, one a cycle of all three. */
static void bursts(void **state)
{
	(void)state;
	begin(0);
	for (unsigned int i = 0; i < 4; i++) {
		tell("closed_valid_i", "closed_qpn_i", 12 + i, NULL, 0);
		tell("done_valid_i", "done_qpn_i", 8 + i, "done_count_i", 256 - 2);
		tell("issued_valid_i", "issued_qpn_i", i, "issued_count_i", 4);
		vtb_tick(tb);
	}
	vtb_set(tb, "closed_valid_i", 0);
	vtb_set(tb, "done_valid_i", 0);
	vtb_set(tb, "issued_valid_i", 0);
	vtb_run(tb, 20);
	/* 4 times 4, and 4 times 2 by what has ended before it was told of */
	vtb_check(tb, vtb_get(tb, "full_o"));
	for (unsigned int i = 0; i < 2; i++) {
		vtb_check(tb, vtb_get(tb, "full_o"));
		tell("closed_valid_i", "closed_qpn_i", 3 * i, NULL, 0);
		vtb_tick(tb);
		vtb_set(tb, "closed_valid_i", 0);
		vtb_run(tb, 8);
	}
	vtb_check(tb, !vtb_get(tb, "full_o"));
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order),
		cmocka_unit_test(bursts),
	};

	return cmocka_run_group_tests_name("req_reads", tests, NULL, NULL);
}
