// SPDX-License-Identifier: Apache-2.0
/*
 * rx_dispatch: requests to one side, responses to the other, each in order and whole; one packet a
 * cycle; a side that pauses holds up the other only behind a packet of its own.
 */
#include <string.h>

#include "vtb_rec.h"

#include "cairn_pkt.h"

#define PACKETS 2000

struct packet {
	uint8_t meta[VTB_META_BYTES], cfg[64];
	bool rsp;
};

struct world {
	struct vtb *tb;
	struct packet *pkt;
	unsigned int in, out[2], n, idle, pause[2];
	bool shown;
};

static void show(struct vtb *tb, void *arg)
{
	struct world *w = arg;
	const struct packet *p = &w->pkt[w->in];

	w->shown = w->in < w->n && (w->shown || !rng_percent(&tb->rng, w->idle));
	vtb_set(tb, "in_valid_i", w->shown);
	if (w->shown) {
		vtb_put_record(vtb_port(tb, "in_i"), 0, p->meta, REC_RX_META_W);
		for (unsigned int i = 0; i < 64; i++)
			vtb_put_bits(vtb_port(tb, "in_i"), REC_RX_META_W + 8 * i, 8, p->cfg[i]);
	}
	vtb_set(tb, "rsp_ready_i", !rng_percent(&tb->rng, w->pause[0]));
	vtb_set(tb, "cmp_ready_i", !rng_percent(&tb->rng, w->pause[1]));
}

static void compare(struct world *w, unsigned int side)
{
	const struct sim_port *port = vtb_port(w->tb, side ? "cmp_pkt_o" : "rsp_pkt_o");
	unsigned int width = REC_RX_META_W; /* of rx_pkt, which has the meta below the cfg */
	const struct packet *p;

	while (w->out[side] < w->in && w->pkt[w->out[side]].rsp != side)
		w->out[side]++;
	vtb_check(w->tb, w->out[side] < w->in);
	p = &w->pkt[w->out[side]++];
	for (unsigned int i = 0; i < width; i += 32) {
		unsigned int n = width - i < 32 ? width - i : 32;

		vtb_check_eq(w->tb, vtb_get_bits(port, i, n), vtb_meta_bits(p->meta, i, n));
	}
	for (unsigned int i = 0; i < 64; i++)
		vtb_check_eq(w->tb, vtb_get_bits(port, width + 8 * i, 8), p->cfg[i]);
}

static void sample(struct vtb *tb, void *arg)
{
	struct world *w = arg;
	bool taken = vtb_get(tb, "in_valid_i") && vtb_get(tb, "in_ready_o");

	if (vtb_get(tb, "rsp_valid_o") && vtb_get(tb, "rsp_ready_i"))
		compare(w, 0);
	if (vtb_get(tb, "cmp_valid_o") && vtb_get(tb, "cmp_ready_i"))
		compare(w, 1);
	vtb_check(tb, !vtb_get(tb, "idle_o") ||
			      !(vtb_get(tb, "rsp_valid_o") || vtb_get(tb, "cmp_valid_o")));
	if (taken) {
		w->in++;
		w->shown = false;
	}
}

static bool all_out(const struct world *w)
{
	unsigned int left[2] = { 0, 0 };

	for (unsigned int side = 0; side < 2; side++)
		for (unsigned int i = w->out[side]; i < w->n; i++)
			left[side] += w->pkt[i].rsp == side;
	return !left[0] && !left[1];
}

static struct world *create(unsigned int n)
{
	struct world *w = calloc(1, sizeof(*w));

	w->tb = vtb_create();
	w->pkt = calloc(n, sizeof(*w->pkt));
	w->n = n;
	for (unsigned int i = 0; i < n; i++) {
		struct packet *p = &w->pkt[i];

		rng_bytes(&w->tb->rng, p->meta, sizeof(p->meta));
		rng_bytes(&w->tb->rng, p->cfg, sizeof(p->cfg));
		p->rsp = rng_below(&w->tb->rng, 2);
		vtb_meta_put(
			p->meta, REC_RX_META_OPFLAGS,
			p->rsp ? CAIRN_OPF_VALID | CAIRN_OPF_RSP : CAIRN_OPF_VALID | CAIRN_OPF_REQ);
	}
	vtb_on_drive(w->tb, show, w);
	vtb_on_sample(w->tb, sample, w);
	return w;
}

static void destroy(struct world *w)
{
	vtb_run(w->tb, 5);
	vtb_check(w->tb, all_out(w) && vtb_get(w->tb, "idle_o"));
	vtb_destroy(w->tb);
	free(w->pkt);
	free(w);
}

static void pauses(void **state)
{
	static const unsigned int percent[][3] = {
		{ 0, 0, 0 }, { 40, 40, 40 }, { 0, 70, 0 }, { 20, 0, 80 }
	};

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct world *w = create(PACKETS);
		uint64_t start = w->tb->cycle;

		w->idle = percent[i][0];
		w->pause[0] = percent[i][1];
		w->pause[1] = percent[i][2];
		vtb_run_until(w->tb, all_out(w), 20 * PACKETS);
		if (!i) /* one a cycle */
			vtb_check(w->tb, w->tb->cycle - start <= PACKETS + 3);
		destroy(w);
	}
}

static void one_side_stops(void **state)
{
	(void)state;
	for (unsigned int side = 0; side < 2; side++) {
		struct world *w = create(102);

		/* Its register takes one; the next stands before all others. */
		for (unsigned int i = 0; i < 102; i++) {
			w->pkt[i].rsp = (i == 10 || i == 60) == side;
			vtb_meta_put(w->pkt[i].meta, REC_RX_META_OPFLAGS,
				     w->pkt[i].rsp ? CAIRN_OPF_RSP : CAIRN_OPF_REQ);
		}
		w->pause[side] = 100;
		vtb_run(w->tb, 300);
		vtb_check_eq(w->tb, w->in, 60);
		w->pause[side] = 0;
		vtb_run_until(w->tb, all_out(w), 300);
		destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(pauses),
					    cmocka_unit_test(one_side_stops) };

	return cmocka_run_group_tests_name("rx_dispatch", tests, NULL, NULL);
}
