// SPDX-License-Identifier: Apache-2.0
/*
 * wqe_words: beats from the host go where they belong, each with its verdict; a pushed block
 * follows word by word in the cycles between them, and says so until its last.
 */
#include <string.h>

#include "vtb.h"

static struct {
	unsigned int bytes, beats, parts; /* of a beat; in a word; words of a block */
	bool pushing;
	unsigned int part, at;
	uint8_t block[64];
} m;

/* A beat in a word: what stands beside its bytes is the verdict. */
static void check_beat(struct vtb *tb, unsigned int i, const uint8_t *data, bool bad)
{
	const struct sim_port *word = vtb_port(tb, "word_o");
	unsigned int at = i * (8 * m.bytes + 1);

	for (unsigned int k = 0; k < m.bytes; k++)
		vtb_check_eq(tb, vtb_get_bits(word, at + 8 * k, 8), data[k]);
	vtb_check_eq(tb, vtb_get_bits(word, at + 8 * m.bytes, 1), bad);
}

static void cycle(struct vtb *tb, unsigned int host, unsigned int push)
{
	bool mine = rng_percent(&tb->rng, host), some = rng_percent(&tb->rng, 80),
	     bad = rng_percent(&tb->rng, 30), puts;
	unsigned int at = (unsigned int)rng_below(&tb->rng, 32);
	unsigned int offset = m.bytes * (unsigned int)rng_below(&tb->rng, 64 / m.bytes);
	unsigned int beat = offset / m.bytes % m.beats;
	uint8_t data[64];

	if (!m.pushing && rng_percent(&tb->rng, push)) {
		m.pushing = true;
		m.part = 0;
		m.at = (unsigned int)rng_below(&tb->rng, 32);
		rng_bytes(&tb->rng, m.block, sizeof(m.block));
	}
	rng_bytes(&tb->rng, data, sizeof(data));
	vtb_set(tb, "mine_i", mine);
	vtb_set(tb, "some_i", some);
	vtb_set(tb, "bad_i", bad);
	vtb_set(tb, "at_i", at);
	vtb_set(tb, "offset_i", offset);
	vtb_put_bytes(vtb_port(tb, "data_i"), 0, data, m.bytes);
	vtb_set(tb, "push_i", m.pushing);
	vtb_set(tb, "push_at_i", m.at);
	vtb_put_bytes(vtb_port(tb, "block_i"), 0, m.block, sizeof(m.block));
	vtb_eval(tb);
	puts = m.pushing && !mine;
	vtb_check_eq(tb, vtb_get(tb, "more_o"), puts && m.part + 1 < m.parts);
	vtb_check_eq(tb, vtb_get(tb, "we_o"),
		     puts ? (1u << m.beats) - 1 : mine && some ? 1u << beat : 0);
	if (mine && some) {
		vtb_check_eq(tb, vtb_get(tb, "at_o"), at * m.parts + offset / (m.bytes * m.beats));
		check_beat(tb, beat, data, bad);
	}
	if (puts) {
		vtb_check_eq(tb, vtb_get(tb, "at_o"), m.at * m.parts + m.part);
		for (unsigned int i = 0; i < m.beats; i++)
			check_beat(tb, i, m.block + m.bytes * (m.part * m.beats + i), false);
		m.pushing = ++m.part < m.parts;
	}
	vtb_tick(tb);
}

static void run(unsigned int host, unsigned int push)
{
	struct vtb *tb = vtb_create();

	memset(&m, 0, sizeof(m));
	m.bytes = vtb_port(tb, "data_i")->width / 8;
	m.beats = vtb_port(tb, "we_o")->width;
	m.parts = 64 / (m.bytes * m.beats);
	for (unsigned int i = 0; i < 5000; i++)
		cycle(tb, host, push);
	vtb_destroy(tb);
}

static void apart(void **state) { (void)state; run(0, 30); run(50, 0); }
static void mixed(void **state) { (void)state; run(50, 50); run(90, 100); run(20, 100); }

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(apart), cmocka_unit_test(mixed) };

	return cmocka_run_group_tests_name("wqe_words", tests, NULL, NULL);
}
