// SPDX-License-Identifier: Apache-2.0
/* cq_sums against the rules of cq_event, on records whose counters and times lie close together. */
#include <string.h>

#include "cairn_hw.h"
#include "vtb.h"

enum kind { CQE, ARM, TIMER };

static struct cairn_cq_ctx record(struct rng *rng, uint64_t now)
{
	struct cairn_cq_ctx c = { .flags = (uint32_t)rng_u64(rng) };

	c.pi = (uint32_t)rng_u64(rng) & (rng_percent(rng, 50) ? 0xffff0007 : 0x7);
	c.sol_pi = c.pi - (uint32_t)rng_below(rng, 6);
	c.mod_pi = c.pi - (uint32_t)rng_below(rng, 6);
	c.mod = (uint32_t)(rng_below(rng, 6) | rng_below(rng, 4) << 16);
	if (rng_percent(rng, 10))
		c.mod |= 0xfff0fff0;
	c.mod_since = now - rng_below(rng, 5000);
	if (rng_percent(rng, 10))
		c.mod_since = now - (uint64_t)(c.mod >> 16) * 1000; /* just over */
	return c;
}

static void check(struct vtb *tb, const struct cairn_cq_ctx *c, uint64_t now, enum kind kind,
		  uint32_t word)
{
	bool armed = c->flags & CAIRN_CQ_CTX_FLAGS_ARMED;
	bool same = armed && (word >> 16 & 3) == (c->flags >> 4 & 3);
	bool sol = (word >> 18 & 1) && !(same && !(c->flags & CAIRN_CQ_CTX_FLAGS_ARM_SOLICITED));
	bool keeps = armed && (c->flags & CAIRN_CQ_CTX_FLAGS_MOD_WAIT) && (kind != ARM || same);
	uint16_t past = (uint16_t)(c->pi - word);
	uint32_t first = keeps ? c->mod_pi : kind == ARM ? c->pi - past : c->pi;
	uint32_t count = c->mod & 0xffff, period = c->mod >> 16;
	uint64_t since = keeps ? c->mod_since : now;

	vtb_put(vtb_port(tb, "time_now_i"), now);
	vtb_put_bytes(vtb_port(tb, "c_i"), 0, c, sizeof(*c));
	vtb_set(tb, "is_cqe_i", kind == CQE);
	vtb_set(tb, "is_arm_i", kind == ARM);
	vtb_set(tb, "arm_word_i", word);
	vtb_eval(tb);
	if (kind == ARM)
		vtb_check_eq(tb, vtb_get(tb, "sums_past_o"),
			     sol ? c->pi - c->sol_pi < past : past != 0);
	vtb_check_eq(tb, vtb_get(tb, "sums_first_o"), first);
	vtb_check_eq(tb, vtb_get(tb, "sums_since_o"), since);
	vtb_check_eq(tb, vtb_get(tb, "sums_deadline_o"), since + 1000ull * period);
	vtb_check_eq(tb, vtb_get(tb, "sums_enough_o"),
		     count && c->pi + (kind == CQE) - first >= count);
	vtb_check_eq(tb, vtb_get(tb, "sums_elapsed_o"), period && now - since >= 1000ull * period);
}

static void as_the_rules(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		uint64_t now = rng_u64(&tb->rng) >> rng_below(&tb->rng, 48);
		struct cairn_cq_ctx c = record(&tb->rng, now);
		uint32_t past = (uint32_t)rng_below(&tb->rng, 6);

		check(tb, &c, now, (enum kind)rng_below(&tb->rng, 3),
		      ((c.pi - past) & 0xffff) | (uint32_t)rng_below(&tb->rng, 8) << 16);
	}
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_the_rules) };

	return cmocka_run_group_tests_name("cq_sums", tests, NULL, NULL);
}
