// SPDX-License-Identifier: Apache-2.0
/* skid_buffer: order and data kept under random pauses, one word a cycle without them. */
#include "vtb.h"

static void words(unsigned int idle, unsigned int busy)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	struct rng expect = tb->rng;

	vtb_stream_pause(in, idle);
	vtb_stream_pause(out, busy);
	for (int i = 0; i < 1000; i++)
		vtb_send_word(in, rng_u64(&tb->rng));
	for (int i = 0; i < 1000; i++) {
		vtb_run_until(tb, vtb_received(out), 200);
		vtb_check_eq(tb, vtb_recv_word(out), rng_u64(&expect));
	}
	if (!idle && !busy)
		vtb_check_eq(tb, vtb_max_gap(out, 0, 999), 1);
	vtb_destroy(tb);
}

static void full_rate(void **state) { (void)state; words(0, 0); }
static void pauses(void **state) { (void)state; words(50, 50); words(0, 80); words(80, 0); }

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(full_rate), cmocka_unit_test(pauses) };

	return cmocka_run_group_tests_name("skid_buffer", tests, NULL, NULL);
}
