// SPDX-License-Identifier: Apache-2.0
/*
 * rx_mcast and rx_refs: each member of a group gets the packet once, others pass untouched and in
 * order; the cells of a packet are given back once, after the last of its copies, whichever way
 * each of them goes; too many at a time are refused, not waited for.
 */
#include <string.h>

#include "int_records.h"
#include "vtb.h"

#define GROUPS 16u
#define MEMBERS 8u
#define PACKETS 2000u
#define AT_A_TIME 16u /* packets that rx_refs counts */
#define NOBODY 0xffffffu

struct packet {
	uint8_t meta[VTB_META_BYTES];
	unsigned int cell, left; /* copies not given back */
	bool shared;
};

struct world {
	struct vtb *tb;
	uint32_t member[GROUPS * MEMBERS]; /* NOBODY: none */
	struct packet pkt[PACKETS];
	unsigned int in, n, out, place; /* next to go in; next to come out, and its next member */
	unsigned int held[PACKETS * MEMBERS], n_held; /* packets of copies not given back */
	unsigned int idle, pause, keep;		      /* percent */
	unsigned int shared, refused, copies;
	bool shown;
	int back[2]; /* packet that the read side, a dropper gives back; -1 */
};

static uint64_t get(const uint8_t *meta, unsigned int f)
{
	return vtb_meta_bits(meta, meta_fields[f].lsb, meta_fields[f].width);
}

static void put(uint8_t *meta, unsigned int f, uint64_t v)
{
	vtb_meta_put(meta, meta_fields[f].lsb, meta_fields[f].width, v);
}

static uint64_t seen(struct world *w, unsigned int f)
{
	return vtb_get_bits(vtb_port(w->tb, "out_o"), meta_fields[f].lsb,
			    meta_fields[f].width);
}

static void set_member(struct world *w, unsigned int index, uint32_t qpn)
{
	vtb_set(w->tb, "mb_we_i", 1);
	vtb_set(w->tb, "mb_index_i", index);
	vtb_set(w->tb, "mb_valid_i", qpn != NOBODY);
	vtb_set(w->tb, "mb_qpn_i", qpn);
	vtb_run(w->tb, 1);
	vtb_set(w->tb, "mb_we_i", 0);
	w->member[index] = qpn;
}

/* Members of the group that the packet names; 0 when it names none. */
static unsigned int members(const struct world *w, const uint8_t *meta)
{
	uint64_t group = get(meta, META_qpn);
	unsigned int n = 0;

	if (get(meta, META_mcast) && group < GROUPS)
		for (unsigned int i = 0; i < MEMBERS; i++)
			n += w->member[group * MEMBERS + i] != NOBODY;
	return n;
}

static void show_back(struct world *w, unsigned int side, const char *valid, const char *cell)
{
	struct vtb *tb = w->tb;

	if (w->back[side] < 0 && w->n_held && !rng_percent(&tb->rng, w->keep)) {
		unsigned int i = (unsigned int)rng_below(&tb->rng, w->n_held);

		w->back[side] = (int)w->held[i];
		w->held[i] = w->held[--w->n_held];
	}
	vtb_set(tb, valid, w->back[side] >= 0);
	if (w->back[side] >= 0)
		vtb_set(tb, cell, w->pkt[w->back[side]].cell);
}

static void drive(struct vtb *tb, void *arg)
{
	struct world *w = arg;

	w->shown = w->in < w->n && (w->shown || !rng_percent(&tb->rng, w->idle));
	vtb_set(tb, "in_valid_i", w->shown);
	if (w->shown)
		vtb_put_record(vtb_port(tb, "in_i"), 0, w->pkt[w->in].meta,
			       meta_fields[META_N].width);
	vtb_set(tb, "out_ready_i", !rng_percent(&tb->rng, w->pause));
	vtb_set(tb, "rel_ready_i", !rng_percent(&tb->rng, w->pause));
	vtb_set(tb, "free_ready_i", !rng_percent(&tb->rng, w->pause));
	show_back(w, 0, "rel_valid_i", "rel_cell_i");
	show_back(w, 1, "free_valid_i", "free_cell_i");
}

static void leaves(struct world *w)
{
	struct packet *p = &w->pkt[w->out];
	unsigned int n = members(w, p->meta);
	bool has_cells = get(p->meta, META_has_cells), copy = n && !seen(w, META_mcast);
	uint64_t group = get(p->meta, META_qpn), qpn = group;

	vtb_check(w->tb, w->out < w->n && w->out <= w->in);
	if (n && !copy) { /* refused: only when too many wait */
		vtb_check(w->tb, n > 1 && has_cells && !w->place && w->shared >= AT_A_TIME - 1);
		w->refused++;
	}
	while (copy && w->member[group * MEMBERS + w->place] == NOBODY)
		w->place++;
	if (copy)
		qpn = w->member[group * MEMBERS + w->place++];
	w->copies += copy;
	for (unsigned int f = 0; f < META_N; f++) {
		uint64_t want = f == META_qpn ? qpn : get(p->meta, f);

		if (f == META_mcast && copy)
			want = 0;
		if (seen(w, f) != want)
			vtb_fail(w->tb, "record of packet %u: %s is 0x%llx, not 0x%llx", w->out,
				 meta_fields[f].name, (unsigned long long)seen(w, f),
				 (unsigned long long)want);
	}
	if (!p->left) {
		p->left = copy ? n : 1;
		p->shared = copy && n > 1 && has_cells;
		w->shared += p->shared;
	}
	if (has_cells)
		w->held[w->n_held++] = w->out;
	while (copy && w->place < MEMBERS && w->member[group * MEMBERS + w->place] == NOBODY)
		w->place++;
	if (!copy || w->place == MEMBERS) {
		w->out++;
		w->place = 0;
	}
}

/* The last copy's goes on, that of others ends here. */
static void sample_back(struct world *w, unsigned int side, const char *ready, const char *valid)
{
	struct packet *p;

	if (w->back[side] < 0 || !vtb_get(w->tb, ready))
		return;
	p = &w->pkt[w->back[side]];
	w->back[side] = -1;
	vtb_check_eq(w->tb, vtb_get(w->tb, valid), p->left == 1);
	w->shared -= --p->left == 0 && p->shared;
}

static void sample(struct vtb *tb, void *arg)
{
	struct world *w = arg;

	sample_back(w, 1, "free_ready_o", "free_valid_o");
	sample_back(w, 0, "rel_ready_o", "rel_valid_o");
	if (vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_ready_i"))
		leaves(w);
	if (w->shown && vtb_get(tb, "in_ready_o")) {
		w->in++;
		w->shown = false;
	}
}

static struct world *create(void)
{
	struct world *w = calloc(1, sizeof(*w));

	w->tb = vtb_create();
	w->back[0] = w->back[1] = -1;
	for (unsigned int i = 0; i < GROUPS * MEMBERS; i++)
		w->member[i] = NOBODY;
	vtb_on_drive(w->tb, drive, w);
	vtb_on_sample(w->tb, sample, w);
	return w;
}

/* Cells of packets that are under way at the same time differ. */
static void add(struct world *w, bool mcast, uint32_t qpn, bool has_cells)
{
	struct packet *p = &w->pkt[w->n];

	vtb_check(w->tb, w->n < PACKETS);
	memset(p, 0, sizeof(*p));
	rng_bytes(&w->tb->rng, p->meta, sizeof(p->meta));
	p->cell = w->n % 1024;
	put(p->meta, META_cell_head, p->cell);
	put(p->meta, META_has_cells, has_cells);
	put(p->meta, META_mcast, mcast);
	put(p->meta, META_qpn, qpn);
	w->n++;
}

static void add_random(struct world *w, unsigned int n)
{
	struct rng *rng = &w->tb->rng;

	while (n--) {
		bool mcast = rng_percent(rng, 60);

		add(w, mcast,
		    mcast && !rng_percent(rng, 10) ? (uint32_t)rng_below(rng, GROUPS)
		    : mcast			   ? NOBODY
						   : (uint32_t)rng_below(rng, 1 << 24),
		    rng_percent(rng, 90));
	}
}

static void finish(struct world *w)
{
	w->keep = 0;
	vtb_run_until(w->tb, w->out == w->n && !w->n_held && w->back[0] < 0 && w->back[1] < 0,
		      100000);
	vtb_run(w->tb, 3);
	vtb_check(w->tb, !w->shared && vtb_get(w->tb, "idle_o"));
}

static void destroy(struct world *w)
{
	finish(w);
	vtb_destroy(w->tb);
	free(w);
}

/* Members come and go between bursts. */
static void random_groups(void **state)
{
	static const unsigned int percent[][3] = {
		{ 0, 0, 0 }, { 40, 40, 70 }, { 0, 70, 20 }, { 10, 0, 95 }
	};

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct world *w = create();

		w->idle = percent[i][0];
		w->pause = percent[i][1];
		for (unsigned int burst = 0; burst < 20; burst++) {
			for (unsigned int k = 0; k < 30; k++)
				set_member(w,
					   (unsigned int)rng_below(&w->tb->rng, GROUPS * MEMBERS),
					   rng_percent(&w->tb->rng, 60)
						   ? (uint32_t)rng_below(&w->tb->rng, NOBODY)
						   : NOBODY);
			w->keep = percent[i][2];
			add_random(w, 60);
			finish(w);
		}
		vtb_check(w->tb, w->copies > 300);
		destroy(w);
	}
}

/* Others at one a cycle; a group of eight in nine. */
static void speed(void **state)
{
	struct world *w = create();
	uint64_t start;

	(void)state;
	for (unsigned int i = 0; i < 500; i++)
		add(w, false, i, true);
	start = w->tb->cycle;
	vtb_run_until(w->tb, w->out == 500, 10000);
	vtb_check(w->tb, w->tb->cycle - start <= 503);
	finish(w);
	for (unsigned int i = 0; i < MEMBERS; i++)
		set_member(w, 5 * MEMBERS + i, 100 + i);
	for (unsigned int i = 0; i < 100; i++)
		add(w, true, 5, true);
	start = w->tb->cycle;
	vtb_run_until(w->tb, w->out == 600, 10000);
	vtb_check(w->tb, w->tb->cycle - start <= 100 * (MEMBERS + 1) + 3);
	vtb_check(w->tb, !w->refused && w->copies == 100 * MEMBERS);
	destroy(w);
}

/* Nothing is given back: sixteen pass, further ones are refused, unicast passes;
 * then all is well. */
static void too_many(void **state)
{
	struct world *w = create();

	(void)state;
	w->keep = 100;
	set_member(w, 3 * MEMBERS + 1, 11);
	set_member(w, 3 * MEMBERS + 7, 12);
	set_member(w, 4 * MEMBERS, 13); /* alone: nothing to count */
	for (unsigned int i = 0; i < AT_A_TIME + 5; i++)
		add(w, true, 3, true);
	for (unsigned int i = 0; i < 10; i++)
		add(w, i & 1, i & 1 ? 4 : 77, true);
	vtb_run_until(w->tb, w->out == w->n, 1000);
	vtb_check_eq(w->tb, w->refused, 5);
	vtb_check_eq(w->tb, w->copies, 2 * AT_A_TIME + 5);
	finish(w);
	add(w, true, 3, true);
	finish(w);
	vtb_check_eq(w->tb, w->refused, 5);
	vtb_check_eq(w->tb, w->copies, 2 * AT_A_TIME + 7);
	destroy(w);
}

static uint64_t at_the_end(struct vtb *tb, unsigned int f)
{
	return vtb_get_bits(vtb_port(tb, "out_o"), meta_fields[f].lsb, meta_fields[f].width);
}

/* Members that leave while the copies stand, theirs in front too: none of them gets one, and all
 * the packet's cells come back. */
static void left_meanwhile(void **state)
{
	(void)state;
	for (unsigned int gone = 0; gone < 8; gone++) { /* bit per member */
		struct world w = { 0 };
		uint8_t meta[VTB_META_BYTES] = { 0 };

		w.tb = vtb_create();
		for (unsigned int i = 0; i < 3; i++)
			set_member(&w, 5 * MEMBERS + 2 * i, 100 + i);
		put(meta, META_mcast, 1);
		put(meta, META_qpn, 5);
		put(meta, META_has_cells, 1);
		vtb_set(w.tb, "in_valid_i", 1);
		vtb_put_record(vtb_port(w.tb, "in_i"), 0, meta,
			       meta_fields[META_N].width);
		vtb_run_until(w.tb, vtb_get(w.tb, "out_valid_o"), 10);
		vtb_run(w.tb, rng_below(&w.tb->rng, 3));
		for (unsigned int i = 0; i < 3; i++)
			if (gone >> i & 1)
				set_member(&w, 5 * MEMBERS + 2 * i, NOBODY);
		vtb_set(w.tb, "out_ready_i", 1);
		for (unsigned int i = 0; i < 3; i++) {
			vtb_eval(w.tb);
			vtb_check(w.tb, vtb_get(w.tb, "out_valid_o"));
			vtb_check_eq(w.tb, at_the_end(w.tb, META_mcast), gone >> i & 1);
			vtb_check_eq(w.tb, at_the_end(w.tb, META_qpn), gone >> i & 1 ? 5 : 100 + i);
			vtb_check_eq(w.tb, vtb_get(w.tb, "in_ready_o"), i == 2);
			vtb_tick(w.tb);
		}
		vtb_destroy(w.tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_groups),
					    cmocka_unit_test(speed), cmocka_unit_test(too_many),
					    cmocka_unit_test(left_meanwhile) };

	return cmocka_run_group_tests_name("rx_mcast", tests, NULL, NULL);
}
