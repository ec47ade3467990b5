// SPDX-License-Identifier: Apache-2.0
/*
 * sq_early: each doorbell becomes one fetch of the right blocks, in order, or one kick: with halt,
 * where no send queue is known, where nothing is left to be sent, and where nothing can be had
 * now.  What was known before a reset is not.  A crowd slows it down.  At random with both sides
 * held up; none is lost or comes twice.
 */
#include "vtb.h"

#define QPS 16u
#define WAITING 64u

struct place {
	uint8_t gen, log2;
	uint64_t base; /* 0: none */
};

struct posted {
	uint32_t qpn;
	uint16_t from, upto;
	unsigned int halts, steady; /* cycles of halt, and without, since it came */
};

static struct {
	struct place place[QPS];
	struct posted wait[WAITING];
	unsigned int in, out, fetched, kicked, retried;
	bool kick_due; /* the oldest one could not be had */
} m;

static struct posted *oldest(struct vtb *tb)
{
	vtb_check(tb, m.out != m.in);
	return &m.wait[m.out % WAITING];
}

static void told(struct vtb *tb, uint32_t qpn, const struct place *place)
{
	vtb_set(tb, "place_valid_i", 1);
	vtb_set(tb, "place_qpn_i", qpn);
	vtb_set(tb, "place_gen_i", place->gen);
	vtb_set(tb, "place_base_i", place->base);
	vtb_set(tb, "place_log2_i", place->log2);
	m.place[qpn] = *place;
}

/* Offered until it is taken (cycle). */
static void post(struct vtb *tb, uint32_t qpn, uint16_t from, uint16_t upto)
{
	if (vtb_get(tb, "posted_valid_i"))
		return;
	vtb_set(tb, "posted_valid_i", 1);
	vtb_set(tb, "posted_qpn_i", qpn);
	vtb_set(tb, "posted_from_i", from);
	vtb_set(tb, "posted_upto_i", upto);
}

static void fetch_is_right(struct vtb *tb)
{
	const struct posted *p = oldest(tb);
	const struct place *at = &m.place[p->qpn];

	vtb_check(tb, !m.kick_due && at->base && p->steady && p->from != p->upto);
	vtb_check_eq(tb, vtb_get(tb, "fetch_qpn_o"), p->qpn);
	vtb_check_eq(tb, vtb_get(tb, "fetch_gen_o"), at->gen);
	vtb_check_eq(tb, vtb_get(tb, "fetch_index_o"), p->from);
	vtb_check_eq(tb, vtb_get(tb, "fetch_limit_o"), p->upto);
	vtb_check_eq(tb, vtb_get(tb, "fetch_base_o"), at->base << 6);
	vtb_check_eq(tb, vtb_get(tb, "fetch_log2_o"), at->log2);
}

static void taken(struct vtb *tb)
{
	if (vtb_get(tb, "posted_ready_o"))
		m.wait[m.in++ % WAITING] =
			(struct posted){ .qpn = (uint32_t)vtb_get(tb, "posted_qpn_i"),
					 .from = (uint16_t)vtb_get(tb, "posted_from_i"),
					 .upto = (uint16_t)vtb_get(tb, "posted_upto_i") };
}

/* Before the edge, with all inputs set. */
static void account(struct vtb *tb)
{
	bool fetch = vtb_get(tb, "fetch_valid_o"), kick = vtb_get(tb, "kick_valid_o");

	vtb_check(tb, !(fetch && kick));
	if (fetch)
		fetch_is_right(tb);
	if (fetch && vtb_get(tb, "fetch_ready_i")) {
		m.kick_due = vtb_get(tb, "fetch_retry_i");
		m.retried += m.kick_due;
		m.fetched += !m.kick_due;
		m.out += !m.kick_due;
	}
	if (kick) {
		const struct posted *p = oldest(tb);

		vtb_check_eq(tb, vtb_get(tb, "kick_qpn_o"), p->qpn);
		vtb_check(tb,
			  m.kick_due || !m.place[p->qpn].base || p->halts || p->from == p->upto);
	}
	if (kick && vtb_get(tb, "kick_ready_i")) {
		m.kick_due = false;
		m.kicked++;
		m.out++;
	}
	for (unsigned int i = m.out; i != m.in; i++) {
		m.wait[i % WAITING].halts += vtb_get(tb, "halt_i");
		m.wait[i % WAITING].steady += !vtb_get(tb, "halt_i");
	}
	vtb_check(tb, m.out == m.in || !vtb_get(tb, "idle_o"));
	vtb_check(tb, vtb_get(tb, "busy_o") ? !vtb_get(tb, "idle_o") : m.out == m.in || kick);
	taken(tb);
}

static void cycle(struct vtb *tb)
{
	bool over;

	vtb_eval(tb);
	account(tb);
	over = vtb_get(tb, "posted_ready_o");
	vtb_tick(tb);
	vtb_set(tb, "place_valid_i", 0);
	if (over)
		vtb_set(tb, "posted_valid_i", 0);
}

static struct vtb *create(void)
{
	struct vtb *tb = vtb_create();

	m = (__typeof__(m)){ 0 };
	vtb_set(tb, "fetch_ready_i", 1);
	vtb_set(tb, "kick_ready_i", 1);
	for (unsigned int n = 0; n < QPS + 2; n++)
		cycle(tb);
	return tb;
}

static void drain(struct vtb *tb)
{
	vtb_set(tb, "fetch_ready_i", 1);
	vtb_set(tb, "kick_ready_i", 1);
	for (unsigned int n = 0; m.out != m.in || vtb_get(tb, "posted_valid_i"); n++) {
		vtb_check(tb, n < 1000);
		cycle(tb);
	}
	cycle(tb);
	vtb_check(tb, vtb_get(tb, "idle_o"));
}

/* Known: fetched.  Not known, without a queue, with halt, or not to be had: a kick. */
static void which(void **state)
{
	struct vtb *tb = create();

	(void)state;
	post(tb, 3, 0, 1);
	drain(tb);
	vtb_check(tb, m.kicked == 1 && !m.fetched);
	told(tb, 3, &(struct place){ .gen = 7, .log2 = 5, .base = 0x123456789abcd });
	post(tb, 3, 0xffff, 2);
	drain(tb);
	vtb_check(tb, m.kicked == 1 && m.fetched == 1);
	vtb_set(tb, "fetch_retry_i", 1);
	post(tb, 3, 2, 3);
	drain(tb);
	vtb_set(tb, "fetch_retry_i", 0);
	vtb_check(tb, m.kicked == 2 && m.retried == 1);
	vtb_set(tb, "halt_i", 1);
	post(tb, 3, 3, 4);
	drain(tb);
	vtb_set(tb, "halt_i", 0);
	vtb_check(tb, m.kicked == 3);
	told(tb, 3, &(struct place){ .gen = 8, .log2 = 5 });
	cycle(tb);
	post(tb, 3, 4, 5);
	drain(tb);
	vtb_check(tb, m.kicked == 4 && m.fetched == 1);
	vtb_destroy(tb);
}

/* A reset forgets; what is told while it still does so stands. */
static void forgets(void **state)
{
	struct vtb *tb = create();

	(void)state;
	for (uint32_t q = 0; q < QPS; q++) {
		told(tb, q, &(struct place){ .gen = 1, .log2 = 1, .base = q + 1 });
		cycle(tb);
	}
	vtb_set(tb, "rst_ni", 0);
	vtb_tick(tb);
	vtb_tick(tb);
	vtb_set(tb, "rst_ni", 1);
	m = (__typeof__(m)){ 0 };
	vtb_tick(tb);
	vtb_set(tb, "posted_valid_i", 1);
	vtb_eval(tb);
	vtb_check(tb, !vtb_get(tb, "posted_ready_o"));
	vtb_set(tb, "posted_valid_i", 0);
	told(tb, 0, &(struct place){ .gen = 2, .log2 = 2, .base = 77 });
	for (unsigned int n = 0; n < QPS + 4; n++)
		cycle(tb);
	for (uint32_t q = 0; q < QPS; q++) {
		post(tb, q, 0, 1);
		drain(tb);
	}
	vtb_check(tb, m.fetched == 1 && m.kicked == QPS - 1);
	vtb_destroy(tb);
}

/* In a crowd one in PACE cycles is taken, else one in two as long as its fetch is answered. */
static void crowd(void **state)
{
	struct vtb *tb = create();

	(void)state;
	told(tb, 1, &(struct place){ .gen = 1, .log2 = 1, .base = 1 });
	cycle(tb);
	for (unsigned int crowded = 0; crowded < 2; crowded++) {
		unsigned int was = m.fetched;

		vtb_set(tb, "crowd_i", crowded);
		for (unsigned int n = 0; n < 16 * 10; n++) {
			post(tb, 1, (uint16_t)n, (uint16_t)(n + 1));
			cycle(tb);
		}
		vtb_set(tb, "posted_valid_i", 0);
		drain(tb);
		if (crowded)
			vtb_check(tb, m.fetched - was >= 9 && m.fetched - was <= 11);
		else
			vtb_check(tb, m.fetched - was >= 79);
	}
	vtb_destroy(tb);
}

/* A place changes only while nothing of its QP waits, as firmware does it. */
static void change(struct vtb *tb)
{
	uint32_t qpn = (uint32_t)rng_below(&tb->rng, QPS);

	for (unsigned int i = m.out; i != m.in; i++) {
		if (m.wait[i % WAITING].qpn == qpn)
			return;
	}
	if (vtb_get(tb, "posted_valid_i") && vtb_get(tb, "posted_qpn_i") == qpn)
		return;
	told(tb, qpn,
	     &(struct place){ .gen = (uint8_t)rng_below(&tb->rng, 256),
			      .log2 = (uint8_t)rng_below(&tb->rng, 16),
			      .base = rng_percent(&tb->rng, 80) ? rng_u64(&tb->rng) >> 6 : 0 });
}

static void random_all(void **state)
{
	struct vtb *tb = create();
	unsigned int busy = 50, ready = 50;

	(void)state;
	for (unsigned int i = 0; i < 60000; i++) {
		struct rng *rng = &tb->rng;

		if (i % 300 == 0) {
			busy = (unsigned int)rng_range(rng, 5, 100);
			ready = (unsigned int)rng_range(rng, 5, 100);
			vtb_set(tb, "halt_i", rng_percent(rng, 20));
			vtb_set(tb, "crowd_i", rng_percent(rng, 30));
		}
		vtb_set(tb, "fetch_ready_i", rng_percent(rng, ready));
		vtb_set(tb, "kick_ready_i", rng_percent(rng, ready));
		vtb_set(tb, "fetch_retry_i", rng_percent(rng, 10));
		if (rng_percent(rng, 20))
			change(tb);
		if (rng_percent(rng, busy)) {
			uint16_t from = (uint16_t)rng_u64(rng);

			post(tb, (uint32_t)rng_below(rng, QPS), from,
			     (uint16_t)(from + rng_below(rng, 10)));
		}
		cycle(tb);
	}
	drain(tb);
	vtb_check(tb, m.fetched > 1000 && m.kicked > 1000 && m.retried > 100);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which),
		cmocka_unit_test(forgets),
		cmocka_unit_test(crowd),
		cmocka_unit_test(random_all),
	};

	return cmocka_run_group_tests_name("sq_early", tests, NULL, NULL);
}
