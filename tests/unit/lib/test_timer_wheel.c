// SPDX-License-Identifier: Apache-2.0
/* timer_wheel as built for 64 K QPs: six levels of sixteen slots, of 1024 ns and up. */
#define GRAN_LOG2 10
#define SLOT_LOG2 4
#define LEVELS 6
#include "timer_wheel_test.h"

/*
 * Very many entries: ack timers of 67 ms for 20000 QPs, touched again and again, then all expire
 * after one leap.  Bounds on the cycles of each kind of operation.
 */
static void many(void **state)
{
	static struct bench b;
	const unsigned int n = 20000;
	uint64_t from;

	(void)state;
	bench_open(&b, 1ull << 41, n);
	from = b.tb->cycle;
	for (unsigned int i = 0; i < n; i++)
		insert_now(&b, 0, i, b.now + 67108864);
	vtb_check(b.tb, b.tb->cycle - from <= 12ull * n);
	b.now += 1000000;
	settle(&b, 100);
	from = b.tb->cycle;
	for (unsigned int i = 0; i < n; i++)
		insert_now(&b, 0, i, b.now + 67108864);
	vtb_check(b.tb, b.tb->cycle - from <= 4ull * n);
	vtb_check_eq(b.tb, b.fires, 0);
	b.now += 80000000;
	from = b.tb->cycle;
	settle(&b, 60ull * n);
	vtb_check_eq(b.tb, b.fires, n);
	bench_close(&b);
}

/* How late a fire is: the rest of its slot and a handful of cycles. */
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
			vtb_check(b.tb, b.now <= deadline + GRAN + 40 * CYCLE_NS);
		}
	}
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_times),
		cmocka_unit_test(beyond_span),
		cmocka_unit_test(replaced),
		cmocka_unit_test(under_load),
		cmocka_unit_test(replaced_while_moving),
		cmocka_unit_test(consumer_stopped),
		cmocka_unit_test(reset),
		cmocka_unit_test(same_with_jumps),
		cmocka_unit_test(many),
		cmocka_unit_test(lateness),
	};

	return cmocka_run_group_tests_name("timer_wheel", tests, NULL, NULL);
}
