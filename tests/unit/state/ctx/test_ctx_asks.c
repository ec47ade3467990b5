// SPDX-License-Identifier: Apache-2.0
/*
 * ctx_cache as its engines use it: source 0 waits with its pin, 1 and 2 give theirs back, sleep,
 * and look again only when the strobe of a fill names them.  Many keys on 8 slots, random pauses
 * everywhere: no source sleeps without end, none is woken that did not ask, and a record stays
 * until those that asked for it have found it, so that there is hardly a fill more than there are
 * reasons for one.
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb_rec.h"

#define SRCS 3u
#define KEYS 24u
#define READS 4u
#define PATIENCE 30000u

enum state { IDLE, WANTED, ASKED, ASLEEP, PINNED, HELD };

struct task {
	enum state st;
	unsigned int slot;
	uint64_t since, until;
	bool woken; /* by a strobe, and not looked up since */
};

static const char *const key_ports[] = { "key0_i", "key1_i", "key2_i" };

static struct {
	struct vtb *tb;
	struct rng rng;
	struct task t[SRCS][KEYS];
	int showing[SRCS], asked[SRCS][2];
	unsigned int n_asked[SRCS];
	unsigned int asks[8], asks_before[8]; /* of a slot's fill: who is to be woken */
	bool over[8];			      /* its strobe has come */
	struct {
		bool used;
		unsigned int key, sent;
		uint64_t due;
	} rd[READS];
	unsigned int latency, keys, busy, linger;
	long done, fills, naps, retries, wakes, futile;
	bool quiet;
	unsigned int unpin_slot[SRCS][64], unpins[SRCS]; /* pins to give back */
} w;

static unsigned int sources(struct vtb *tb)
{
	return (unsigned int)vtb_get(tb, "look_valid_i");
}

static void drive_lookups(struct vtb *tb)
{
	unsigned int valid = 0;

	for (unsigned int s = 0; s < SRCS; s++) {
		for (unsigned int k = 0; k < w.keys && !w.quiet; k++)
			if (w.t[s][k].st == IDLE && rng_percent(&w.rng, s ? w.busy : w.busy / 4) &&
			    rng_percent(&w.rng, 10)) {
				w.t[s][k].st = WANTED;
				w.t[s][k].since = tb->cycle;
			}
		if (w.showing[s] < 0 && w.n_asked[s] < 2 && rng_percent(&w.rng, 50)) {
			unsigned int at = (unsigned int)rng_below(&w.rng, w.keys);

			/* those that were woken first (wake_first) */
			for (unsigned int i = 0; i < 2 * w.keys && w.showing[s] < 0; i++) {
				struct task *t = &w.t[s][(at + i) % w.keys];

				if (t->st == WANTED && t->until <= tb->cycle &&
				    (t->woken || i >= w.keys))
					w.showing[s] = (int)((at + i) % w.keys);
			}
		}
		if (w.showing[s] >= 0) {
			valid |= 1u << s;
			vtb_set(tb, key_ports[s], (unsigned int)w.showing[s]);
		}
	}
	vtb_set(tb, "look_valid_i", valid);
}

static void drive_unpins(struct vtb *tb)
{
	unsigned int unpin = 0;

	for (unsigned int s = 0; s < SRCS; s++) {
		for (unsigned int k = 0; k < w.keys; k++) {
			struct task *t = &w.t[s][k];

			if (t->st == HELD && t->until <= tb->cycle) {
				w.unpin_slot[s][w.unpins[s]++] = t->slot;
				t->st = IDLE;
				w.done++;
			}
		}
		if (!w.unpins[s] || !rng_percent(&w.rng, 60))
			continue;
		unpin |= 1u << s;
		vtb_put_bits(vtb_port(tb, "unpin_slot_i"), 3 * s, 3,
			     w.unpin_slot[s][--w.unpins[s]]);
	}
	vtb_set(tb, "unpin_valid_i", unpin);
}

static void drive_host(struct vtb *tb)
{
	struct rec_dma_rsp beat = { .client = REC_RD_QPC, .nbytes = 64 };

	vtb_set(tb, "rd_ready_i", rng_percent(&w.rng, 60));
	vtb_set(tb, "beat_valid_i", 0);
	for (unsigned int i = 0; i < READS; i++) {
		unsigned int r = (i + (unsigned int)tb->cycle) % READS;
		uint32_t word = w.rd[r].key | 7u << 24;

		if (!w.rd[r].used || w.rd[r].due > tb->cycle || rng_percent(&w.rng, 20))
			continue;
		vtb_set(tb, "beat_valid_i", 1);
		beat.tag = (uint16_t)(16 + r);
		beat.offset = (uint16_t)w.rd[r].sent;
		vtb_put_bytes(vtb_port(tb, "beat_data_i"), 0, &word, 4);
		w.rd[r].sent += 64;
		beat.last = w.rd[r].sent == 256;
		vtb_put_dma_rsp(vtb_port(tb, "beat_meta_i"), 0, &beat);
		w.rd[r].used = w.rd[r].sent != 256;
		break;
	}
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	drive_lookups(tb);
	drive_unpins(tb);
	drive_host(tb);
}

static void answer(struct vtb *tb, unsigned int s)
{
	unsigned int status = (unsigned int)vtb_get(tb, "found_status_o");
	unsigned int slot = (unsigned int)vtb_get(tb, "found_slot_o");
	struct task *t = &w.t[s][w.asked[s][0]];

	vtb_check(tb, w.n_asked[s] && t->st == ASKED);
	w.asked[s][0] = w.asked[s][1];
	w.n_asked[s]--;
	t->slot = slot;
	if (status == CAIRN_CTX_RESULT_OK) {
		t->st = HELD;
		t->until = tb->cycle + 1 + rng_below(&w.rng, w.linger);
		w.asks[slot] &= ~(1u << s);
	} else if (status == CAIRN_CTX_RESULT_WAITING) {
		if (w.over[slot])
			w.asks[slot] = 0;
		w.over[slot] = false;
		w.futile += t->woken;
		w.naps++;
		t->since = tb->cycle;
		t->st = s ? ASLEEP : PINNED;
		if (s) {
			w.asks[slot] |= 1u << s;
			w.unpin_slot[s][w.unpins[s]++] = slot;
		}
	} else {
		vtb_check_eq(tb, status, CAIRN_CTX_RESULT_RETRY);
		w.retries++;
		t->st = WANTED;
		t->until = tb->cycle + rng_below(&w.rng, 20);
	}
	if (status != CAIRN_CTX_RESULT_RETRY)
		t->woken = false;
}

static void filled(struct vtb *tb)
{
	unsigned int slot = (unsigned int)vtb_get(tb, "fill_slot_o");
	unsigned int key = (unsigned int)vtb_get(tb, "fill_key_o");
	unsigned int ask = (unsigned int)vtb_get(tb, "fill_ask_o");

	w.fills++;
	vtb_check_eq(tb, vtb_get(tb, "fill_status_o"), 0);
	vtb_check_eq(tb, ask, w.over[slot] ? 0 : w.asks_before[slot]);
	w.over[slot] = true;
	for (unsigned int s = 0; s < SRCS; s++) {
		struct task *t = &w.t[s][key];

		if (!s && t->st == PINNED) {
			vtb_check_eq(tb, t->slot, slot);
			t->st = HELD;
			t->until = tb->cycle + 1 + rng_below(&w.rng, w.linger);
		} else if (ask >> s & 1) {
			w.wakes++;
			vtb_check(tb, t->st == ASLEEP || t->st == HELD || t->st == IDLE);
			if (t->st != ASLEEP)
				continue;
			t->st = WANTED;
			t->woken = true;
			t->until = tb->cycle + rng_below(&w.rng, 20);
		}
	}
}

static void sample(struct vtb *tb, void *arg)
{
	unsigned int ready = (unsigned int)vtb_get(tb, "look_ready_o") & sources(tb);
	unsigned int got = (unsigned int)vtb_get(tb, "found_valid_o");

	(void)arg;
	memcpy(w.asks_before, w.asks, sizeof(w.asks));
	for (unsigned int s = 0; s < SRCS; s++) {
		if (got & 1u << s)
			answer(tb, s);
		if (ready & 1u << s) {
			w.t[s][w.showing[s]].st = ASKED;
			w.t[s][w.showing[s]].since = tb->cycle;
			w.asked[s][w.n_asked[s]++] = w.showing[s];
			w.showing[s] = -1;
		}
	}
	if (vtb_get(tb, "fill_valid_o"))
		filled(tb);
	for (unsigned int s = 0; s < SRCS; s++)
		for (unsigned int k = 0; k < w.keys; k++)
			if (w.t[s][k].st > WANTED && tb->cycle - w.t[s][k].since > PATIENCE)
				vtb_fail(tb, "source %u, key %u in state %u: nobody wakes it", s, k,
					 w.t[s][k].st);
	if (vtb_get(tb, "rd_valid_o") && vtb_get(tb, "rd_ready_i")) {
		struct rec_dma_rd req = vtb_get_dma_rd(vtb_port(tb, "rd_req_o"), 0);
		unsigned int r = req.tag - 16u;

		vtb_check(tb, r < READS && !w.rd[r].used);
		w.rd[r].used = true;
		w.rd[r].sent = 0;
		w.rd[r].key = (unsigned int)(req.iova - 0x10000) / 256;
		w.rd[r].due = tb->cycle + w.latency / 2 + rng_below(&w.rng, w.latency);
	}
}

static bool all_idle(void)
{
	for (unsigned int s = 0; s < SRCS; s++)
		for (unsigned int k = 0; k < w.keys; k++)
			if (w.t[s][k].st != IDLE || w.unpins[s])
				return false;
	return true;
}

static void run(unsigned int keys, unsigned int latency, unsigned int busy, unsigned int linger,
		unsigned int cycles)
{
	struct vtb *tb = vtb_create();

	memset(&w, 0, sizeof(w));
	w.tb = tb;
	w.rng = tb->rng;
	w.keys = keys;
	w.latency = latency;
	w.busy = busy;
	w.linger = linger;
	for (unsigned int s = 0; s < SRCS; s++)
		w.showing[s] = -1;
	memset(w.over, 1, sizeof(w.over));
	vtb_set(tb, "wr_ready_i", 1);
	vtb_run(tb, 20);
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_run(tb, cycles);
	w.quiet = true;
	vtb_run_until(tb, all_idle(), 2 * PATIENCE);
	print_message(
		"# %ld done, %ld fills, %ld naps, %ld retries, %ld woken, %ld to find it gone\n",
		w.done, w.fills, w.naps, w.retries, w.wakes, w.futile);
	vtb_check(tb, w.done > 500 && w.wakes > 100 && w.retries > 20);
	vtb_check(tb, w.futile <= w.wakes / 50);
	vtb_destroy(tb);
}

static void few_keys(void **s)
{
	(void)s;
	run(10, 40, 20, 10, 40000);
}

static void crowd(void **s)
{
	(void)s;
	run(24, 60, 30, 10, 60000);
}

static void slow_host(void **s)
{
	(void)s;
	run(24, 400, 30, 6, 60000);
}

static void quick_host(void **s)
{
	(void)s;
	run(24, 4, 60, 4, 60000);
}

/* Pins that stay long: often no way is free. */
static void held_long(void **s)
{
	(void)s;
	run(16, 30, 30, 150, 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_keys),  cmocka_unit_test(crowd),
		cmocka_unit_test(slow_host), cmocka_unit_test(quick_host),
		cmocka_unit_test(held_long),
	};

	return cmocka_run_group_tests_name("ctx_asks", tests, NULL, NULL);
}
