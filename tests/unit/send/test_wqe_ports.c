// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_fetch, its ports beside one another: intervals, both that ask at once for a group or a set,
 * one that asks for something else before it is answered, kicks and reads that nobody takes.
 */
#include <string.h>

#include "wqe_bench.h"

/* Cycles of a fetch, how many ports look in one, and read requests that wait for dma_read. */
#ifdef ONE
#define EVERY 3
#define LOOKS 1
#define READS_HELD 1u
#else
#define EVERY 1
#define LOOKS 2
#define READS_HELD 2u
#endif

/* A fetch that must be taken, to its kick. */
static void bring(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index,
		  uint16_t limit)
{
	unsigned int kicks = b->kicks[port];

	vtb_check_eq(b->tb, wqe_fetch(b, port, r, index, limit), 0);
	vtb_run_until(b->tb, b->kicks[port] == kicks + 1, 3000);
	vtb_check_eq(b->tb, b->kick_qpn[port], r->qpn);
}

/* A lookup of each port in each cycle, or of one of them: then the requester's waits. */
static void look_rate(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x40, 3, 0);

	(void)state;
	wqe_posts(b, &r, 0, 8);
	bring(b, 1, &r, 0, 8);
	for (unsigned int i = 0, was = 2; i < 20; i++) {
		for (unsigned int p = 0; p < 2; p++) {
			struct lookup l = wqe_look_get(b, p);
			bool looked = LOOKS == 2 || (p ? i % 3 != 0 : i % 3 != 1);

			if (i && (LOOKS == 2 || was == p))
				vtb_check(b->tb,
					  l.hit && !l.err &&
						  wqe_same(b, &l, b->mem[(i - 1 + 3 * p) % 8]));
			else
				vtb_check(b->tb, !l.hit && !l.err);
			wqe_look_set(b, p, looked, wqe_key(&r, (uint16_t)((i + 3 * p) % 8)));
		}
		was = i % 3 ? 1 : 0;
		vtb_eval(b->tb);
		vtb_check_eq(b->tb, vtb_get(b->tb, "req_wqe_ready_o"), LOOKS == 2 || !was);
		vtb_tick(b->tb);
		vtb_eval(b->tb);
	}
	wqe_look_set(b, 0, false, wqe_key(&r, 0));
	wqe_look_set(b, 1, false, wqe_key(&r, 0));
	wqe_bench_destroy(b);
}

/* Blocks that are here: a fetch and its kick each cycle (EVERY), each port's every second one. */
static void kick_rate(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring s[2];
	unsigned int from;

	(void)state;
	for (unsigned int p = 0; p < 2; p++) {
		s[p] = wqe_ring(0x60 + p, 2, 16 + 8 * p);
		wqe_posts(b, &s[p], 0, 4);
		bring(b, p, &s[p], 0, 4);
	}
	from = b->kicks[0] + b->kicks[1];
	for (unsigned int p = 0; p < 2; p++)
		wqe_fetch_set(b, p, &s[p], 1, 4);
	vtb_run(b->tb, EVERY == 1);
	for (unsigned int i = 0; i < 20; i++) {
		vtb_run(b->tb, EVERY);
		vtb_check(b->tb, b->ft_ready == 1u << (i & 1) && !b->ft_retry);
	}
	wqe_fetch_clear(b, 0);
	wqe_fetch_clear(b, 1);
	vtb_run(b->tb, 2);
	vtb_check_eq(b->tb, b->kicks[0] + b->kicks[1], from + 20);
	wqe_bench_destroy(b);
}

/* New groups, ports in turn: a read each cycle (EVERY). */
static void read_rate(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring s[8];
	unsigned int from;

	(void)state;
	vtb_run(b->tb, 3 * SETS); /* two for each set: nothing is here yet */
	b->hold = true;
	from = b->reads;
	for (unsigned int i = 0; i < 8; i++) {
		/* the next one is of another set */
		s[i] = wqe_ring(0x80 + (i ^ (i >> 1 & 1)), 2, 16 + 8 * i);
		wqe_posts(b, &s[i], 0, 4);
	}
	wqe_fetch_set(b, 0, &s[0], 0, 4);
	wqe_fetch_set(b, 1, &s[1], 0, 4);
	vtb_run(b->tb, EVERY == 1);
	for (unsigned int i = 0; i < 8; i++) {
		vtb_run(b->tb, EVERY);
		vtb_check(b->tb, b->ft_ready == 1u << (i & 1) && !b->ft_retry);
		if (i < 6)
			wqe_fetch_set(b, i & 1, &s[i + 2], 0, 4);
		else
			wqe_fetch_clear(b, i & 1);
	}
	vtb_run(b->tb, 3);
	vtb_check_eq(b->tb, b->reads, from + 8);
	vtb_check_eq(b->tb, vtb_max_gap(b->rd, (unsigned int)from, (unsigned int)from + 7), EVERY);
	/* Port 0 goes first. */
	wqe_fetch_set(b, 0, &s[0], 0, 4);
	wqe_fetch_set(b, 1, &s[1], 0, 4);
	vtb_run(b->tb, EVERY == 1 ? 1 : EVERY - 1);
	vtb_check_eq(b->tb, b->ft_ready, 0);
	vtb_tick(b->tb);
	vtb_check_eq(b->tb, b->ft_ready, 1);
	wqe_fetch_clear(b, 0);
	vtb_run(b->tb, EVERY);
	vtb_check_eq(b->tb, b->ft_ready, 2);
	wqe_fetch_clear(b, 1);
	wqe_bench_destroy(b);
}

static uint32_t kicked[2];

static void note_kick(struct wqe_bench *b, unsigned int port, uint32_t qpn)
{
	(void)b;
	kicked[port] = qpn;
}

/*
 * Both ports ask in the same cycle, or one cycle apart, for the same group, or for groups of the
 * same set: one read of each, a way of its own for each, a kick for each.
 */
static void at_once(void **state)
{
	struct wqe_bench *b = wqe_bench_create();

	(void)state;
	b->on_kick = note_kick;
	for (unsigned int i = 0; i < 60; i++) {
		struct ring r[2];
		unsigned int reads = b->reads, k0 = b->kicks[0], k1 = b->kicks[1], asking = 3;
		unsigned int late = i % 3; /* 0: none, 1: port 0, 2: port 1 */

		for (unsigned int p = 0; p < 2; p++) {
			bool other = p && i % 2;

			r[p] = wqe_ring((2 * i + 1 + other) << 12, 3, 8 * other);
			wqe_posts(b, &r[p], 0, 8);
		}
		b->hold = rng_percent(&b->rng, 50);
		for (unsigned int t = 0; asking; t++) {
			for (unsigned int p = 0; p < 2; p++)
				if (t == (late == p + 1))
					wqe_fetch_set(b, p, &r[p], (uint16_t)(i % 5), 8);
			vtb_tick(b->tb);
			for (unsigned int p = 0; p < 2; p++) {
				if (!(b->ft_ready >> p & 1))
					continue;
				vtb_check_eq(b->tb, b->ft_retry, 0);
				wqe_fetch_clear(b, p);
				asking &= ~(1u << p);
			}
			vtb_check(b->tb, t < 20);
		}
		b->hold = false;
		vtb_run_until(b->tb, b->kicks[0] == k0 + 1 && b->kicks[1] == k1 + 1, 500);
		vtb_check_eq(b->tb, b->reads, reads + 1 + i % 2);
		vtb_check_eq(b->tb, kicked[0], r[0].qpn);
		vtb_check_eq(b->tb, kicked[1], r[1].qpn);
		for (uint16_t k = (uint16_t)(i % 5); k < 8; k++)
			for (unsigned int p = 0; p < 2; p++)
				wqe_hits(b, p, &r[p], k);
	}
	wqe_bench_destroy(b);
}

#ifdef ONE
/* If port 1 asks for another QP before it was answered it has the answer of that one. */
static void changes_mind(void **state)
{
	struct wqe_bench *b = wqe_bench_create();

	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		struct ring r[2];
		unsigned int kicks = b->kicks[1];

		for (unsigned int k = 0; k < 2; k++) {
			r[k] = wqe_ring(0x100 + 2 * i + k, 3, 8 * k);
			wqe_posts(b, &r[k], 0, 8);
		}
		wqe_fetch_set(b, 1, &r[0], 0, 8);
		vtb_tick(b->tb);
		vtb_check_eq(b->tb, b->ft_ready, 0);
		vtb_check_eq(b->tb, wqe_fetch(b, 1, &r[1], 0, 8), 0);
		vtb_run_until(b->tb, b->kicks[1] == kicks + 1, 100);
		vtb_check_eq(b->tb, b->kick_qpn[1], r[1].qpn);
		wqe_misses(b, 0, wqe_key(&r[0], 0));
		for (uint16_t k = 0; k < 8; k++)
			wqe_hits(b, k & 1, &r[1], k);
	}
	wqe_bench_destroy(b);
}
#endif

/* Kicks that nobody takes and reads that nobody takes stop fetches, lose nothing. */
static void blocked(void **state)
{
	struct wqe_bench *b = wqe_bench_create();
	struct ring r = wqe_ring(0x40, 2, 0);
	unsigned int taken = 0;

	(void)state;
	wqe_posts(b, &r, 0, 4);
	bring(b, 0, &r, 0, 4);
	b->kick_pause = 100;
	wqe_fetch_set(b, 0, &r, 0, 4);
	for (unsigned int i = 0; i < 50; i++) {
		vtb_tick(b->tb);
		taken += b->ft_ready & 1;
		if (b->ft_ready)
			vtb_check_eq(b->tb, b->ft_retry, 0);
	}
	wqe_fetch_clear(b, 0);
	vtb_check(b->tb, taken >= GROUPS / 2 && taken < GROUPS);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0);
	b->kick_pause = 0;
	vtb_run(b->tb, 20);
	vtb_check_eq(b->tb, b->kicks[0], 1 + taken);
	vtb_stream_pause(b->rd, 100);
	for (unsigned int i = 0; i < 4; i++) {
		r.qpn++;
		vtb_check_eq(b->tb, wqe_fetch(b, 1, &r, 0, 4), i >= READS_HELD);
	}
	vtb_stream_pause(b->rd, 0);
	vtb_run_until(b->tb, b->kicks[1] == 1, 100);
	vtb_check_eq(b->tb, b->kick_qpn[1], 0x41);
	wqe_bench_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(look_rate),	cmocka_unit_test(kick_rate),
		cmocka_unit_test(read_rate),	cmocka_unit_test(at_once),
#ifdef ONE
		cmocka_unit_test(changes_mind),
#endif
		cmocka_unit_test(blocked),
	};

	return cmocka_run_group_tests_name("wqe_fetch, its ports", tests, NULL, NULL);
}
