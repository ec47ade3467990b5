// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_fetch, blocks that come with their doorbell: found as fetched ones are, beside fetches
 * of their group, where there is no place, while others use the memory.
 */
#include <string.h>

#include "wqe_bench.h"

/* A fetch of port 0, to its kick. */
static void bring(struct wqe_bench *b, const struct ring *r, uint16_t index, uint16_t limit)
{
	unsigned int kicks = b->kicks[0];

	vtb_check_eq(b->tb, wqe_fetch(b, 0, r, index, limit), 0);
	vtb_run_until(b->tb, b->kicks[0] == kicks + 1, 3000);
}

/* A pushed block, to the cycle in which it is taken or passed by. */
static bool push(struct wqe_bench *b, const struct ring *r, uint16_t index)
{
	struct vtb *tb = b->tb;
	bool ready = false;

	vtb_set(tb, "pushed_valid_i", 1);
	vtb_set(tb, "pushed_qpn_i", r->qpn);
	vtb_set(tb, "pushed_gen_i", r->gen);
	vtb_set(tb, "pushed_index_i", index);
	vtb_put_bytes(vtb_port(tb, "pushed_block_i"), 0, wqe_block(b, r, index), 64);
	for (unsigned int i = 0; i < 200 && !ready; i++) {
		vtb_tick(tb);
		ready = b->pushed_ready;
	}
	vtb_check(tb, ready);
	vtb_set(tb, "pushed_valid_i", 0);
	return b->pushed_taken;
}

/* Found under its key alone, one after another in a group, joined by a fetch. */
static void pushes(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x123456, 4, 0), other;
	unsigned int kicks;

	(void)state;
	wqe_posts(b, &r, 0xfff6, 16);
	for (unsigned int i = 0; i < 12; i++) {
		wqe_misses(b, 0, wqe_key(&r, (uint16_t)(0xfff6 + i)));
		vtb_check(b->tb, push(b, &r, (uint16_t)(0xfff6 + i)));
		wqe_hits(b, i & 1, &r, (uint16_t)(0xfff6 + i));
		wqe_hits(b, 0, &r, (uint16_t)(0xfff6 + i));
		vtb_check(b->tb, !push(b, &r, (uint16_t)(0xfff6 + i))); /* it is here */
	}
	wqe_misses(b, 0, wqe_key(&r, 2));
	other = r;
	other.gen++;
	wqe_misses(b, 0, wqe_key(&other, 1));
	other = r;
	other.qpn ^= 0x800000;
	wqe_misses(b, 1, wqe_key(&other, 1));
	vtb_run(b->tb, 20);
	vtb_check_eq(b->tb, b->issues + b->kicks[0] + b->kicks[1], 0);
	/* The rest of the group is fetched: what is coming is passed by, what is not is put in. */
	b->hold = true;
	vtb_check_eq(b->tb, wqe_fetch(b, 0, &r, 2, 4), 0);
	vtb_check(b->tb, !push(b, &r, 3));
	vtb_check(b->tb, push(b, &r, 4));
	wqe_hits(b, 0, &r, 4);
	wqe_misses(b, 0, wqe_key(&r, 3));
	kicks = b->kicks[0];
	b->hold = false;
	vtb_run_until(b->tb, b->kicks[0] == kicks + 1, 1000);
	for (uint16_t i = 0; i < 5; i++)
		wqe_hits(b, 0, &r, i);
	/* One that could not be read is not mended by a push. */
	b->fail = 100;
	bring(b, &r, 5, 6);
	vtb_check_eq(b->tb, wqe_look(b, 0, wqe_key(&r, 5)).err, 1);
	vtb_check(b->tb, !push(b, &r, 5));
	wqe_bench_destroy(b);
}

/*
 * No place but the two that fetches are left: passed by.  A group that nobody takes up ages where
 * nothing is fetched.
 */
static void push_room(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r[8];

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		r[i] = wqe_ring((i + 1) << 12, 2, 16 * i);
		wqe_posts(b, &r[i], 0, 4);
	}
	vtb_check(b->tb, push(b, &r[0], 0));
	vtb_check(b->tb, push(b, &r[1], 0));
	vtb_check(b->tb, !push(b, &r[2], 0));
	vtb_check(b->tb, push(b, &r[0], 1)); /* its group is there */
	bring(b, &r[3], 0, 4);
	bring(b, &r[4], 0, 4);
	wqe_hits(b, 0, &r[0], 0);
	wqe_hits(b, 0, &r[0], 1);
	wqe_hits(b, 0, &r[1], 0);
	wqe_misses(b, 0, wqe_key(&r[2], 0));
	/* Both are used up: the next one replaces none but those, and what it finds is its own. */
	for (uint16_t i = 0; i < 4; i++) {
		wqe_hits(b, 0, &r[3], i);
		wqe_hits(b, 0, &r[4], i);
	}
	vtb_check(b->tb, push(b, &r[2], 0));
	wqe_hits(b, 0, &r[2], 0);
	/* Never looked at: there for a while, gone after enough groups elsewhere. */
	vtb_check(b->tb, push(b, &r[5], 3));
	vtb_check(b->tb, push(b, &r[6], 3));
	for (unsigned int n = 0; n < 16 * GROUPS; n++) {
		struct ring s = wqe_ring(0x100 + n, 2, 16 * 8);

		wqe_posts(b, &s, 0, 1);
		if (push(b, &s, 0))
			wqe_hits(b, 0, &s, 0);
		if (n == 2 * GROUPS)
			wqe_hits(b, 0, &r[6], 3);
	}
	wqe_misses(b, 0, wqe_key(&r[5], 3));
	vtb_check_eq(b->tb, b->issues, 2);
	wqe_bench_destroy(b);
}

/* It waits for data that is being written, and loses nothing. */
static void push_waits(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x77, 4, 0), s = wqe_ring(0x88, 3, 16);

	(void)state;
	b->noise = 50;
	b->latency = 30;
	b->beat_pause = 20;
	for (uint16_t i = 0; i < 200; i++) {
		wqe_posts(b, &r, i, 1);
		wqe_posts(b, &s, i, 1);
		if (rng_percent(&b->rng, 30)) {
			wqe_fetch(b, 1, &s, i, (uint16_t)(i + 1));
			vtb_run(b->tb, (unsigned int)rng_below(&b->rng, 40));
		}
		if (push(b, &r, i))
			wqe_hits(b, 0, &r, i);
		else
			wqe_misses(b, 0, wqe_key(&r, i));
		if (wqe_look(b, 1, wqe_key(&s, i)).hit)
			wqe_hits(b, 1, &s, i);
	}
	wqe_bench_destroy(b);
}

/*
 * The group that gives way is looked up in each cycle: what is found is what it had, then nothing,
 * and never what takes its place; that is found from the third cycle on after it was put in.
 */
static void push_over(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct vtb *tb = b->tb;
	struct ring old[5];

	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		bool ready = false;

		for (unsigned int k = 0; k < 5; k++) {
			old[k] = wqe_ring((i * 5 + k + 1) << 12, 2, 16 * k);
			wqe_posts(b, &old[k], 0, 1);
			if (k == 4)
				break;
			bring(b, &old[k], 0, 1);
			wqe_hits(b, 0, &old[k], 0);
		}
		vtb_run(tb, 3);
		vtb_set(tb, "pushed_valid_i", 1);
		vtb_set(tb, "pushed_qpn_i", old[4].qpn);
		vtb_set(tb, "pushed_gen_i", old[4].gen);
		vtb_set(tb, "pushed_index_i", 0);
		vtb_put_bytes(vtb_port(tb, "pushed_block_i"), 0, wqe_block(b, &old[4], 0), 64);
		for (unsigned int t = 0; t < 8 || !ready; t++) {
			unsigned int from = 0, to = 2;

#ifdef ONE /* port in a cycle; pushes wait for look-ups */
			from = t % 3;
			to = from == 2 ? 2 : from + 1;
#endif
			for (unsigned int p = 0; p < 2; p++)
				wqe_look_set(b, p, p >= from && p < to,
					     wqe_key(&old[(t + 2 * p + i) % 4], 0));
			vtb_check(tb, t < 40);
			vtb_tick(tb);
			if (b->pushed_ready) {
				vtb_check(tb, b->pushed_taken);
				ready = true;
				vtb_set(tb, "pushed_valid_i", 0);
			}
			vtb_eval(tb);
			for (unsigned int p = 0; p < 2; p++) {
				struct lookup l = wqe_look_get(b, p);
				struct ring *r = &old[(t + 2 * p + i) % 4];

				vtb_check(tb, !l.err);
				if (l.hit)
					vtb_check(tb, wqe_same(b, &l, wqe_block(b, r, 0)));
			}
		}
		wqe_look_set(b, 0, false, wqe_key(&old[0], 0));
		wqe_look_set(b, 1, false, wqe_key(&old[0], 0));
		wqe_hits(b, i & 1, &old[4], 0);
	}
	wqe_bench_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushes),
		cmocka_unit_test(push_room),
		cmocka_unit_test(push_waits),
		cmocka_unit_test(push_over),
	};

	return cmocka_run_group_tests_name("wqe_fetch, pushed blocks", tests, NULL, NULL);
}
