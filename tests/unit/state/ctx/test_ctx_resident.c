// SPDX-License-Identifier: Apache-2.0
/*
 * ctx_resident: each lookup is answered once, in order, two cycles later, by what firmware has made
 * and dropped before; numbers beyond the table, or beyond the slots, are free.
 */
#include "cairn_hw.h"
#include "rng.h"
#include "vtb.h"

#define SLOTS 16u
#define SOURCES 3u
#define ENTRIES 13u

struct asked {
	unsigned int source;
	uint32_t key;
	bool there, any; /* any: asked while it changed */
	uint64_t cycle;
};

struct world {
	struct vtb *tb;
	struct rng rng;
	bool live[SLOTS];
	uint32_t key[SOURCES];
	bool wants[SOURCES];
	struct asked asked[8];
	unsigned int put, got, served[SOURCES];
	bool fw_taken, changing;
	uint32_t changed;
	unsigned int load; /* percent */
};

static uint32_t any_key(struct world *w)
{
	if (rng_percent(&w->rng, 10))
		return (uint32_t)rng_below(&w->rng, SLOTS) | 1u << rng_range(&w->rng, 4, 23);
	return (uint32_t)rng_below(&w->rng, SLOTS);
}

static bool there(const struct world *w, uint32_t key)
{
	return key < ENTRIES && w->live[key];
}

static void answers(struct world *w)
{
	struct vtb *tb = w->tb;
	uint64_t valid = vtb_get(tb, "found_valid_o");

	if (w->got == w->put || w->asked[w->got % 8].cycle + 2 != tb->cycle) {
		vtb_check_eq(tb, valid, 0);
		return;
	}
	const struct asked *a = &w->asked[w->got++ % 8];

	vtb_check_eq(tb, valid, 1ull << a->source);
	vtb_check_eq(tb, vtb_get(tb, "found_key_o"), a->key);
	w->served[a->source]++;
	if (a->any)
		return;
	vtb_check_eq(tb, vtb_get(tb, "found_status_o"),
		     a->there ? CAIRN_CTX_RESULT_OK : CAIRN_CTX_RESULT_FREE);
	if (a->there)
		vtb_check_eq(tb, vtb_get(tb, "found_slot_o"), a->key);
}

/* A cycle: new lookups, the one that enters, the answer. */
static void cycle(struct world *w)
{
	struct vtb *tb = w->tb;
	uint64_t valid = 0, ready;

	answers(w);
	for (unsigned int i = 0; i < SOURCES; i++) {
		if (!w->wants[i] && rng_percent(&w->rng, w->load)) {
			w->wants[i] = true;
			w->key[i] = any_key(w);
		}
		valid |= (uint64_t)w->wants[i] << i;
		vtb_put_bits(vtb_port(tb, "look_key_i"), 24 * i, 24, w->key[i]);
	}
	vtb_set(tb, "look_valid_i", valid);
	vtb_eval(tb);
	ready = vtb_get(tb, "look_ready_o");
	w->fw_taken = vtb_get(tb, "fw_ready_o");
	vtb_check_eq(tb, ready & (ready - 1), 0);
	for (unsigned int i = 0; i < SOURCES; i++) {
		if (!(valid & ready & 1u << i))
			continue;
		w->asked[w->put++ % 8] =
			(struct asked){ i, w->key[i], there(w, w->key[i]),
					w->changing && w->key[i] == w->changed, tb->cycle };
		w->wants[i] = false;
	}
	vtb_tick(tb);
}

static void quiet(struct world *w)
{
	unsigned int load = w->load;

	w->load = 0;
	for (unsigned int i = 0; i < 12; i++)
		cycle(w);
	w->load = load;
}

/* Firmware's lookup, with lookups of others around it; its status. */
static unsigned int firmware(struct world *w, unsigned int op, uint32_t key)
{
	struct vtb *tb = w->tb;
	unsigned int waited = 0;
	bool taken = false;

	vtb_set(tb, "fw_op_i", op);
	vtb_set(tb, "fw_key_i", key);
	vtb_set(tb, "fw_valid_i", 1);
	w->changing = op >= 2;
	w->changed = key;
	for (; !taken; waited++) {
		vtb_check(tb, waited < 40);
		cycle(w);
		taken = w->fw_taken;
	}
	vtb_set(tb, "fw_valid_i", 0);
	for (; !vtb_get(tb, "fw_done_o"); waited++) {
		vtb_check(tb, waited < 45);
		cycle(w);
	}
	w->changing = false;
	if (op >= 2 && key < SLOTS)
		w->live[key] = false;
	if (op < 2)
		vtb_check(tb, key >= SLOTS || vtb_get(tb, "fw_slot_o") == key);
	return (unsigned int)vtb_get(tb, "fw_status_o");
}

static void filled(struct world *w, uint32_t key)
{
	vtb_set(w->tb, "fw_filled_i", 1);
	vtb_check(w->tb, vtb_get(w->tb, "fw_filled_ready_o"));
	w->live[key] = true;
	w->changing = true;
	w->changed = key;
	cycle(w);
	w->changing = false;
	vtb_set(w->tb, "fw_filled_i", 0);
}

static struct world *start(unsigned int load)
{
	static struct world w;

	w = (struct world){ .tb = vtb_create(), .load = load };
	w.rng = w.tb->rng;
	vtb_set(w.tb, "entries_i", ENTRIES);
	for (unsigned int i = 0; i < SLOTS; i++) /* clearing: nobody enters */
		vtb_tick(w.tb);
	vtb_tick(w.tb);
	return &w;
}

static void made_and_dropped(void **state)
{
	static const unsigned int loads[] = { 3, 40, 80 };

	(void)state;
	for (unsigned int l = 0; l < 3; l++) {
		struct world *w = start(loads[l]);

		for (unsigned int i = 0; i < 400; i++) {
			uint32_t key = any_key(w);
			bool was = there(w, key);
			unsigned int op = (unsigned int)rng_below(&w->rng, 4), status;

			status = firmware(w, op, key);
			if (op == 1) {
				vtb_check_eq(w->tb, status,
					     key < ENTRIES ? CAIRN_CTX_RESULT_OK
							   : CAIRN_CTX_RESULT_FREE);
				for (unsigned int n = 0; n < 9; n++)
					cycle(w); /* as before until all of it is there */
				if (key < ENTRIES)
					filled(w, key);
			} else {
				vtb_check_eq(w->tb, status,
					     was ? CAIRN_CTX_RESULT_OK : CAIRN_CTX_RESULT_FREE);
			}
			for (unsigned int n = 0; n < 20; n++)
				cycle(w);
		}
		quiet(w);
		vtb_check(w->tb, vtb_get(w->tb, "idle_o") && w->got == w->put);
		for (unsigned int i = 0; i < SOURCES; i++)
			vtb_check(w->tb, w->served[i] > 50);
		vtb_destroy(w->tb);
	}
}

/* A reset forgets all records. */
static void forgets(void **state)
{
	struct world *w = start(0);

	(void)state;
	for (uint32_t key = 0; key < ENTRIES; key++) {
		firmware(w, 1, key);
		filled(w, key);
	}
	for (uint32_t key = 0; key < ENTRIES; key++)
		vtb_check_eq(w->tb, firmware(w, 0, key), CAIRN_CTX_RESULT_OK);
	vtb_reset(w->tb, 2);
	vtb_run(w->tb, SLOTS + 1);
	for (uint32_t key = 0; key < ENTRIES; key++)
		vtb_check_eq(w->tb, firmware(w, 0, key), CAIRN_CTX_RESULT_FREE);
	vtb_destroy(w->tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(made_and_dropped),
					    cmocka_unit_test(forgets) };

	return cmocka_run_group_tests_name("ctx_resident", tests, NULL, NULL);
}
