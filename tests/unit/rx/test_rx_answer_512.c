// SPDX-License-Identifier: Apache-2.0
/*
 * rx_answer: which frames are answers that are awaited. ARP replies and neighbour advertisements,
 * with and without tag, back to back and with pauses; a frame that differs in one field is no
 * answer.
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb.h"

#define ENTRIES CAIRN_RAW_ANSWERS
#define LATENCY 8
#define MAX_FRAMES 8192

static struct vtb *tb;
static struct vtb_stream *mac;
static int expect[MAX_FRAMES]; /* index, or -1 */
static unsigned int n_sent, n_ended, n_hits;
static int line[LATENCY + 1]; /* of frames that ended so many cycles ago; -2: none ended */

static struct {
	bool v6;
	unsigned int vid;
	uint32_t key;
} entry[ENTRIES];

static void watch(struct vtb *t, void *arg)
{
	bool ends = vtb_get(t, "mac_valid_i") && vtb_get(t, "mac_last_i");

	(void)arg;
	memmove(line + 1, line, LATENCY * sizeof(line[0]));
	line[0] = ends ? expect[n_ended++] : -2;
	if (line[LATENCY] >= 0) {
		n_hits++;
		if (!vtb_get(t, "hit_o") || vtb_get(t, "index_o") != (unsigned int)line[LATENCY])
			vtb_fail(t, "answer %d not seen", line[LATENCY]);
	} else if (vtb_get(t, "hit_o")) {
		vtb_fail(t, "%s is no answer", line[LATENCY] == -1 ? "this frame" : "nothing");
	}
}

static void put(uint8_t *p, uint32_t v, unsigned int bytes)
{
	while (bytes--) {
		p[bytes] = (uint8_t)v;
		v >>= 8;
	}
}

/* What differs from an answer of an entry; NONE: it is one. */
enum flaw { NONE, GROUP, TYPE, OPERATION, KEY, FAMILY, VLAN, NO_TAG, SHORT, FLAWS };

static void frame(unsigned int e, enum flaw flaw, bool priority_tag)
{
	bool v6 = entry[e].v6, tag = entry[e].vid || priority_tag;
	unsigned int vid = entry[e].vid, at, len;
	uint8_t f[200];
	int want = flaw == NONE ? (int)e : -1;
	uint32_t key = entry[e].key;

	rng_bytes(&tb->rng, f, sizeof(f));
	if (flaw == NO_TAG)
		tag = !vid;
	if (flaw == NO_TAG && tag)
		vid = 77;
	if (flaw == VLAN) {
		tag = true;
		vid ^= 1u << rng_below(&tb->rng, 12);
	}
	if (flaw == KEY)
		key ^= 1u << rng_below(&tb->rng, 32);
	if (flaw == FAMILY)
		v6 = !v6;
	f[0] = flaw == GROUP ? 0x33 : 2;
	at = tag ? 18 : 14;
	if (tag) {
		put(f + 12, 0x8100, 2);
		put(f + 14, vid | (uint32_t)rng_below(&tb->rng, 16) << 12, 2);
	}
	put(f + at - 2, (v6 ? 0x86ddu : 0x0806u) ^ (flaw == TYPE), 2);
	if (v6) {
		f[at + 6] = 58;
		f[at + 40] = 136;
		if (flaw == OPERATION)
			f[at + 40] = 135;
		put(f + at + 60, key, 4);
		len = at + 64;
	} else {
		put(f + at + 6, flaw == OPERATION ? 1 : 2, 2);
		put(f + at + 14, key, 4);
		len = at + 28;
	}
	if (flaw == SHORT)
		len -= 1 + (unsigned int)rng_below(&tb->rng, 6);
	else
		len += (unsigned int)rng_below(&tb->rng, 50);
	expect[n_sent++] = want;
	vtb_send(mac, f, len, false, NULL, 0);
}

static void begin(unsigned int pause)
{
	tb = vtb_create();
	mac = vtb_source(tb, "mac");
	vtb_stream_pause(mac, pause);
	n_sent = n_ended = n_hits = 0;
	for (unsigned int i = 0; i <= LATENCY; i++)
		line[i] = -2;
	for (unsigned int i = 0; i < ENTRIES; i++) {
		entry[i].v6 = i & 1;
		entry[i].vid = i & 2 ? 5 + i : 0;
		entry[i].key = i < 4 ? 0x0a000001 : 0x0b5a0777 * i; /* the first four share it */
		vtb_set(tb, "await_we_i", 1);
		vtb_set(tb, "await_index_i", i);
		vtb_set(tb, "await_ipv6_i", entry[i].v6);
		vtb_set(tb, "await_vid_i", entry[i].vid);
		vtb_set(tb, "await_key_i", entry[i].key);
		vtb_tick(tb);
		vtb_set(tb, "await_we_i", 0);
		vtb_run(tb, 9); /* at 64 bit its place has to come round */
	}
	vtb_on_sample(tb, watch, NULL);
}

static void answers(unsigned int pause)
{
	begin(pause);
	for (unsigned int i = 0; i < 6000; i++) {
		enum flaw flaw = rng_percent(&tb->rng, 50)
					 ? NONE
					 : (enum flaw)(1 + rng_below(&tb->rng, FLAWS - 1));
		unsigned int e = (unsigned int)rng_below(&tb->rng, ENTRIES);

		/* 0 to 3 share a key: there the other family and no tag are other entries */
		if (e < 4 && (flaw == FAMILY || flaw == NO_TAG || flaw == VLAN || flaw == KEY))
			e += 4;
		frame(e, flaw, rng_percent(&tb->rng, 20));
	}
	vtb_run_until(tb, !vtb_pending(mac), 200000);
	vtb_run(tb, LATENCY + 2);
	vtb_check_eq(tb, n_ended, n_sent);
	vtb_check(tb, n_hits > 2500);
	vtb_destroy(tb);
}

static void back_to_back(void **state)
{
	(void)state;
	answers(0);
}

static void with_pauses(void **state)
{
	(void)state;
	answers(40);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(back_to_back),
					    cmocka_unit_test(with_pauses) };

	return cmocka_run_group_tests_name("rx_answer", tests, NULL, NULL);
}
