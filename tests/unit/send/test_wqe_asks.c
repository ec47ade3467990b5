// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_asks: two who ask at random and stay until they are answered, and a wqe_fetch that answers
 * when it likes. Each request comes through once and whole, its answer goes to who asked, and the
 * first one never waits for more than one answer of the second. NOW: without a register.
 */
#include <stdio.h>

#include "vtb.h"

#ifdef NOW
enum { HELD = 0 };
#else
enum { HELD = 1 };
#endif

static const char *const side[2] = { "first", "second" };
static const char *const field[] = { "qpn", "gen", "index", "limit", "base", "log2" };
#define FIELDS (sizeof(field) / sizeof(field[0]))

struct want {
	bool valid;
	uint64_t of[FIELDS];
};

static uint64_t member(struct vtb *tb, const char *who, const char *what, const char *way)
{
	char name[40];

	snprintf(name, sizeof(name), "%s_%s_%s", who, what, way);
	return vtb_get(tb, name);
}

static void put(struct vtb *tb, const char *who, const char *what, uint64_t value)
{
	char name[40];

	snprintf(name, sizeof(name), "%s_%s_i", who, what);
	vtb_set(tb, name, value);
}

static void offer(struct vtb *tb, unsigned int w, struct want *want, unsigned int percent)
{
	static const unsigned int bits[FIELDS] = { 24, 8, 16, 16, 64, 4 };

	if (!want->valid && rng_percent(&tb->rng, percent)) {
		want->valid = true;
		for (unsigned int i = 0; i < FIELDS; i++)
			want->of[i] = rng_u64(&tb->rng) >> (64 - bits[i]);
	}
	put(tb, side[w], "valid", want->valid);
	for (unsigned int i = 0; i < FIELDS; i++)
		put(tb, side[w], field[i], want->of[i]);
}

/* Whose request is shown; without a register it is the first one's whenever that asks. */
static unsigned int shown(struct vtb *tb, const struct want want[2])
{
	for (unsigned int w = 0; w < 2; w++) {
		bool same = want[w].valid;

		for (unsigned int i = 0; i < FIELDS; i++)
			same &= member(tb, "fetch", field[i], "o") == want[w].of[i];
		if (same)
			return w;
	}
	vtb_fail(tb, "what is asked for is nobody's");
	return 0;
}

static void run(unsigned int asks, unsigned int answers)
{
	struct vtb *tb = vtb_create();
	struct want want[2] = { { 0 } };
	unsigned int done[2] = { 0 }, passed = 0, silent = 0;

	for (unsigned int n = 0; n < 10000; n++) {
		bool valid, ready = rng_percent(&tb->rng, answers);
		bool retry = rng_percent(&tb->rng, 30);
		unsigned int w = 0;

		for (unsigned int i = 0; i < 2; i++)
			offer(tb, i, &want[i], asks);
		vtb_eval(tb);
		valid = vtb_get(tb, "fetch_valid_o");
		ready &= valid;
		vtb_set(tb, "fetch_ready_i", ready);
		vtb_set(tb, "fetch_retry_i", retry);
		vtb_eval(tb);
		if (valid)
			w = shown(tb, want);
		if (!HELD)
			vtb_check(tb, valid == (want[0].valid || want[1].valid) &&
					      (!valid || w == !want[0].valid));
		silent = valid || !(want[0].valid || want[1].valid) ? 0 : silent + 1;
		vtb_check(tb, silent <= HELD);
		for (unsigned int i = 0; i < 2; i++) {
			vtb_check_eq(tb, member(tb, side[i], "ready", "o"), ready && w == i);
			if (ready && w == i)
				vtb_check_eq(tb, member(tb, side[i], "retry", "o"), retry);
		}
		passed = ready && w && want[0].valid ? passed + 1 : want[0].valid ? passed : 0;
		if (ready && !w)
			passed = 0;
		vtb_check(tb, passed <= 1);
		vtb_tick(tb);
		if (ready) {
			done[w]++;
			want[w].valid = false;
		}
	}
	vtb_check(tb, done[0] > 300 && done[1] > 50);
	vtb_destroy(tb);
}

static void idle_and_busy(void **state)
{
	(void)state;
	run(10, 100);
	run(60, 20);
	run(30, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle_and_busy) };

	return cmocka_run_group_tests_name("wqe_asks", tests, NULL, NULL);
}
