// SPDX-License-Identifier: Apache-2.0
/* timer_scan with 64 ids: what timer_wheel does, but that it has no span. */
#define GRAN_LOG2 10
#define SLOT_LOG2 4
#define LEVELS 6
#define WITHOUT_SPAN
#define JUMPS_GAIN 3
#include "timer_wheel_test.h"

#define ROUND 128	/* cycles */

/* As far away as the longest ACK timer of a QP (2^33 ticks), and due as long ago. */
static void far(void **state)
{
	static struct bench b;
	const uint64_t distance = 1ull << (GRAN_LOG2 + 33);

	(void)state;
	for (unsigned int k = 0; k < 8; k++) {
		/* over each of the quarters of the ticks' round */
		bench_open(&b, (1ull << 63) + ((uint64_t)k << (GRAN_LOG2 + 33)) - 5 * GRAN, 16);
		insert_now(&b, 0, 3, b.now + distance - 5);
		insert_now(&b, 1, 9, b.now + distance / 2);
		settle(&b, 4 * ROUND);
		vtb_check_eq(b.tb, b.fires, 0);
		vtb_check_eq(b.tb, run_jumps(&b, b.now + distance / 2 + GRAN), 1);
		vtb_check(b.tb, !b.armed[1][9] && b.armed[0][3]);
		vtb_check_eq(b.tb, run_jumps(&b, ~0ull), 1);
		insert_now(&b, 1, 1, b.now - distance);
		settle(&b, 4 * ROUND);
		vtb_check_eq(b.tb, b.fires, 3);
		bench_close(&b);
	}
}

/* All are due at once: a round is enough, whoever takes them in one cycle each. */
static void all_at_once(void **state)
{
	static struct bench b;
	uint64_t from;

	(void)state;
	bench_open(&b, 1ull << 41, 64);
	for (unsigned int i = 0; i < 128; i++)
		insert_now(&b, i >> 6, i & 63, b.now + 5 * GRAN + i);
	settle(&b, 4 * ROUND);
	b.now += 9 * GRAN;
	from = b.tb->cycle;
	settle(&b, 8 * ROUND);
	vtb_check_eq(b.tb, b.fires, 128);
	vtb_check(b.tb, b.tb->cycle - from <= 6 * ROUND);
	bench_close(&b);
}

/* How late a fire is: the rest of its slot and two rounds. */
static void lateness(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, (1ull << 48) - 300000, 16);
	for (unsigned int k = 0; k < 40; k++) {
		uint64_t deadline = b.now + rng_below(&b.tb->rng, 20000);

		insert_now(&b, 1, 7, deadline);
		while (b.armed[1][7]) {
			cycle(&b);
			b.now += CYCLE_NS;
			vtb_check(b.tb, b.now <= deadline + GRAN + (2 * ROUND + 10) * CYCLE_NS);
		}
	}
	bench_close(&b);
}

/* Inserts: one in three cycles, whatever goes on. */
static void inserts(void **state)
{
	static struct bench b;
	uint64_t from;

	(void)state;
	bench_open(&b, 1ull << 41, 64);
	from = b.tb->cycle;
	for (unsigned int i = 0; i < 1000; i++) {
		insert_now(&b, i & 1, i % 64, b.now + 5000);
		b.now += CYCLE_NS;
	}
	vtb_check(b.tb, b.tb->cycle - from <= 4000);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_times),
		cmocka_unit_test(replaced),
		cmocka_unit_test(under_load),
		cmocka_unit_test(replaced_while_moving),
		cmocka_unit_test(consumer_stopped),
		cmocka_unit_test(reset),
		cmocka_unit_test(same_with_jumps),
		cmocka_unit_test(far),
		cmocka_unit_test(all_at_once),
		cmocka_unit_test(lateness),
		cmocka_unit_test(inserts),
	};

	return cmocka_run_group_tests_name("timer_scan", tests, NULL, NULL);
}
