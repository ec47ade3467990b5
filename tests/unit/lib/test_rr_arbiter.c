// SPDX-License-Identifier: Apache-2.0
/* rr_arbiter with five requests against a model that walks the ring. */
#include "vtb.h"

#define N 5

struct model {
	unsigned int last;	/* winner of the last unlocked grant */
	int shown;		/* granted and not acknowledged, or -1 */
	int locked;		/* or -1 */
};

static int model_grant(const struct model *m, unsigned int req)
{
	if (m->locked >= 0)
		return req >> m->locked & 1 ? m->locked : -1;
	if (m->shown >= 0 && req >> m->shown & 1)
		return m->shown;
	for (unsigned int i = 1; i <= N; i++)
		if (req >> (m->last + i) % N & 1)
			return (int)((m->last + i) % N);
	return -1;
}

static void model_step(struct model *m, int grant, bool ack, bool lock)
{
	m->shown = ack ? -1 : grant;
	if (grant < 0 || !ack)
		return;
	m->locked = lock ? grant : -1;
	if (!lock)
		m->last = (unsigned int)grant;
}

static void random_requests(void **state)
{
	struct vtb *tb = vtb_create();
	struct model m = { N - 1, -1, -1 };
	unsigned int granted[N] = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned int req = (unsigned int)rng_below(&tb->rng, 1 << N);
		bool ack = rng_percent(&tb->rng, 70), lock = rng_percent(&tb->rng, 30);
		int want = model_grant(&m, req);

		vtb_set(tb, "req_i", req);
		vtb_set(tb, "ack_i", ack);
		vtb_set(tb, "lock_i", lock);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "gnt_valid_o"), want >= 0);
		vtb_check_eq(tb, vtb_get(tb, "gnt_o"), want >= 0 ? 1u << want : 0);
		if (want >= 0) {
			vtb_check_eq(tb, vtb_get(tb, "gnt_idx_o"), want);
			granted[want]++;
		}
		vtb_tick(tb);
		model_step(&m, want, ack, lock);
	}
	for (int i = 0; i < N; i++)
		vtb_check(tb, granted[i] > 1000);
	vtb_destroy(tb);
}

/* All ask all the time: strict turns. */
static void turns(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "req_i", (1 << N) - 1);
	vtb_set(tb, "ack_i", 1);
	for (unsigned int i = 0; i < 50; i++) {
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "gnt_idx_o"), i % N);
		vtb_tick(tb);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_requests), cmocka_unit_test(turns),
	};

	return cmocka_run_group_tests_name("rr_arbiter", tests, NULL, NULL);
}
