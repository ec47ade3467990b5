// SPDX-License-Identifier: Apache-2.0
/* ctx_words: a record comes whole, passes are merged with what the port shows or leave it as it is,
 * with pauses in them; what is put back is the record's word, zero behind those that it keeps. */
#include <string.h>

#include "cairn_hw.h"
#include "vtb_ctx.h"

#ifndef WORDS
#define WORDS 16u
#endif

struct model {
	struct vtb *tb;
	uint32_t record[WORDS];
};

static uint32_t random32(struct vtb *tb)
{
	return (uint32_t)(rng_u64(&tb->rng) >> 32);
}

static void load(struct model *m)
{
	for (unsigned int i = 0; i < WORDS; i++)
		m->record[i] = random32(m->tb);
	vtb_put_bytes(vtb_port(m->tb, "record_i"), 0, m->record, sizeof(m->record));
	vtb_set(m->tb, "load_i", 1);
	vtb_tick(m->tb);
	vtb_set(m->tb, "load_i", 0);
}

static void check_record(struct model *m)
{
	uint32_t now[WORDS];

	vtb_eval(m->tb);
	vtb_get_bytes(vtb_port(m->tb, "record_o"), 0, now, sizeof(now));
	assert_memory_equal(now, m->record, sizeof(now));
	vtb_check_eq(m->tb, vtb_get(m->tb, "done_word_o"), 0);
	vtb_check_eq(m->tb, vtb_get(m->tb, "done_put_o"), 0);
	vtb_check_eq(m->tb, vtb_get(m->tb, "done_data_o"), 0);
}

/* Nothing moves in a pause; the port shows what it was asked for all the time. */
static void pass(struct model *m, bool keep, unsigned int pauses)
{
	struct vtb *tb = m->tb;
	unsigned int asked = (unsigned int)vtb_get(tb, "done_word_o");

	for (unsigned int i = 0; i < 16; i++) {
		uint32_t data = random32(tb), mask = random32(tb);

		vtb_set(tb, "keep_i", keep);
		vtb_set(tb, "data_i", data);
		vtb_set(tb, "mask_i", mask);
		while (rng_percent(&tb->rng, pauses)) {
			vtb_set(tb, "step_i", 0);
			vtb_eval(tb);
			vtb_check_eq(tb, vtb_get(tb, "done_word_o"), i);
			vtb_check_eq(tb, vtb_get(tb, "done_put_o"), 0);
			vtb_tick(tb);
		}
		vtb_set(tb, "step_i", 1);
		vtb_eval(tb);
		vtb_check_eq(tb, asked, i);
		asked = (unsigned int)vtb_get(tb, "done_word_o");
		vtb_check_eq(tb, vtb_get(tb, "done_put_o"), 1);
		vtb_check_eq(tb, vtb_get(tb, "last_o"), i == 15);
		if (i < WORDS && !keep)
			m->record[i] = (m->record[i] & ~mask) | (data & mask);
		vtb_check_eq(tb, vtb_get(tb, "done_data_o"), i < WORDS ? m->record[i] : 0);
		vtb_tick(tb);
	}
	vtb_set(tb, "step_i", 0);
	vtb_check_eq(tb, asked, 0);
}

static void passes(void **state)
{
	struct model m = { .tb = vtb_create() };

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		if (i == 0 || rng_percent(&m.tb->rng, 40))
			load(&m);
		check_record(&m);
		pass(&m, rng_percent(&m.tb->rng, 40), i % 3 * 30);
		check_record(&m);
	}
	vtb_destroy(m.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(passes) };

	return cmocka_run_group_tests_name("ctx_words", tests, NULL, NULL);
}
