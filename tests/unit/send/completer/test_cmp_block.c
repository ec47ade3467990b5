// SPDX-License-Identifier: Apache-2.0
/*
 * cmp_block: what is loaded, or given by a descriptor, stands in the next cycle, and serves what
 * has the same QPN, generation, block and (in parts) element, and nothing else.
 */
#include <string.h>

#include "vtb.h"

#ifndef PARTS
#define PARTS 1
#endif

static struct {
	bool have;
	uint64_t tag;
	unsigned int at;
	uint8_t bytes[64], one[16];
} m;

static void cycle(struct vtb *tb)
{
	uint64_t tag = rng_below(&tb->rng, 3);
	unsigned int at = (unsigned int)rng_below(&tb->rng, 4);
	bool load = rng_percent(&tb->rng, 30), given = !load && rng_percent(&tb->rng, 20);
	bool one = !load && !given && rng_percent(&tb->rng, 20), hit = rng_percent(&tb->rng, 80);
	bool have = m.have && m.tag == tag && (PARTS == 1 || m.at == at);
	uint8_t block[64], sge[16], element[16];

	rng_bytes(&tb->rng, block, sizeof(block));
	for (unsigned int i = sizeof(block) / PARTS; i < sizeof(block); i++)
		block[i] = block[i % (sizeof(block) / PARTS)]; /* a part in the place of each */
	rng_bytes(&tb->rng, sge, sizeof(sge));
	vtb_put_bytes(vtb_port(tb, "found_wqe_i"), 0, block, sizeof(block));
	vtb_put_bytes(vtb_port(tb, "sge_i"), 0, sge, sizeof(sge));
	vtb_set(tb, "found_hit_i", hit);
	vtb_set(tb, "one_i", one);
	vtb_set(tb, "given_i", given);
	vtb_set(tb, "load_i", load);
	vtb_set(tb, "tag_i", tag);
	vtb_set(tb, "at_i", at);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "have_o"), have);
	vtb_get_bytes(vtb_port(tb, "element_o"), 0, element, sizeof(element));
	if (have)
		vtb_check(tb, !memcmp(element, m.bytes + 16 * at, sizeof(element)));
	vtb_tick(tb);
	if (one)
		memcpy(m.one, sge, sizeof(sge));
	if (load || given) {
		m.have = given || hit;
		m.tag = tag;
		m.at = at;
	}
	if (load)
		memcpy(m.bytes, block, sizeof(block));
	for (unsigned int i = 0; given && i < 4; i++)
		memcpy(m.bytes + 16 * i, m.one, sizeof(m.one));
}

static void as_the_model(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "one_i", 1);
	vtb_tick(tb);
	vtb_get_bytes(vtb_port(tb, "sge_i"), 0, m.one, sizeof(m.one));
	for (unsigned int i = 0; i < 20000; i++)
		cycle(tb);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_the_model) };

	return cmocka_run_group_tests_name("cmp_block", tests, NULL, NULL);
}
