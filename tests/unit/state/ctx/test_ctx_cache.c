// SPDX-License-Identifier: Apache-2.0
/*
 * ctx_cache with ctx_source, ctx_slots, ctx_fill, ctx_wb and ctx_pins, and ctx_fw,
 * against a model of the records: every hit shows what was last written, whatever was written back
 * and read again in between; no record leaves while it is pinned; each WAIT is followed by a fill;
 * firmware operations in between.
 */
#include <string.h>

#include "cairn_hw.h"
#include "vtb_ctx.h"
#include "vtb_rec.h"

#define KEYS 60 /* entries_i of the bench; keys 48.. are special */
#define FREE_KEY 48
#define BAD_KEY 54
#define USERS 12

struct user {
	enum { U_NONE, U_ASKED, U_WAIT, U_HELD } st;
	unsigned int src, slot;
	uint32_t key;
	uint64_t until, since;
};

struct rd {
	bool used;
	unsigned int tag, key, sent, left;
	bool nb, taken, fail;
	uint16_t nb_ticket;
	uint64_t due;
	uint8_t data[256];
};

struct post {
	unsigned int key, part;
	uint8_t data[64];
	uint64_t due;
	uint16_t ticket;
};

static struct vtb_ctx port;

static const char *const key_ports[] = { "key0_i", "key1_i", "key2_i" };

static struct {
	struct vtb *tb;
	struct rng rng;
	uint8_t truth[64][4][64], mem[64][4][64], posted[64][4][64];
	bool exists[64], nolook[64];
	struct user u[USERS];
	int asked[3][2], n_asked[3]; /* users whose answers come, per source */
	int showing[3];
	struct rd rd[4];
	struct post q[256];
	unsigned int q_head, q_tail;
	uint16_t ticket, sent;
	unsigned int others; /* writes a cycle */
	unsigned int width, key_count, latency, fail;
	long hits, waits, retries, fills;
	int held[16];
	int reading; /* user whose record is read now, -1 none */
	bool wrote_last[4];
	int op; /* -1 none */
	unsigned int op_key, op_part;
	uint8_t op_data[64], op_mask[64];
	long ops;
	bool dropping[64];
} w;

static void record(unsigned int key)
{
	for (unsigned int p = 0; p < 4; p++) {
		rng_bytes(&w.rng, w.truth[key][p], 64);
		w.truth[key][p][0] = (uint8_t)key;
		w.truth[key][p][1] = w.truth[key][p][2] = 0;
		w.truth[key][p][3] = 7;
	}
}

static void posted_writes(void)
{
	while (w.q_head != w.q_tail && w.q[w.q_head % 256].due <= w.tb->cycle) {
		struct post *p = &w.q[w.q_head++ % 256];

		memcpy(w.mem[p->key][p->part], p->data, 64);
		w.sent = p->ticket;
	}
	/* writes of others, which are sent at once */
	if (w.others && w.q_head == w.q_tail)
		w.sent = w.ticket += (uint16_t)rng_below(&w.rng, w.others);
}

static void drive_lookups(struct vtb *tb)
{
	unsigned int valid = 0;

	for (int i = 0; i < USERS; i++) {
		struct user *u = &w.u[i];

		if (u->st == U_NONE && w.showing[u->src] < 0 && w.n_asked[u->src] < 2 &&
		    rng_percent(&w.rng, 30)) {
			u->key = (uint32_t)rng_below(&w.rng, w.key_count);
			if (rng_percent(&w.rng, 3))
				u->key = FREE_KEY + (uint32_t)rng_below(&w.rng, 16);
			if (u->key < 64 && w.dropping[u->key])
				continue;
			w.showing[u->src] = i;
		}
	}
	for (unsigned int s = 0; s < 3; s++) {
		if (w.showing[s] >= 0) {
			valid |= 1u << s;
			vtb_set(tb, key_ports[s], w.u[w.showing[s]].key);
		}
	}
	vtb_set(tb, "look_valid_i", valid);
}

static void drive_releases(struct vtb *tb)
{
	unsigned int unpin = 0;

	for (int i = 0; i < USERS; i++) {
		struct user *u = &w.u[i];

		if (u->st == U_HELD && u->until <= tb->cycle && w.reading != i &&
		    !(unpin & 1u << u->src)) {
			unpin |= 1u << u->src;
			vtb_put_bits(vtb_port(tb, "unpin_slot_i"), w.width * u->src, w.width,
				     u->slot);
			w.held[u->slot]--;
			u->st = U_NONE;
		}
	}
	vtb_set(tb, "unpin_valid_i", unpin);
}

/* Owners' writes: parts 1 to 3, at most every second cycle; else one holder looks. */
static void drive_records(struct vtb *tb)
{
	unsigned int ow = 0, often = 30;

	if (w.others && tb->cycle % 2000 > 300) /* long without a write-back */
		often = 0;
	for (unsigned int p = 1; p < 4; p++) {
		struct user *u = &w.u[rng_below(&w.rng, USERS)];

		if (w.wrote_last[p] || u->st != U_HELD || !w.exists[u->key] || w.fail ||
		    !rng_percent(&w.rng, often)) {
			w.wrote_last[p] = false;
			continue;
		}
		w.wrote_last[p] = true;
		ow |= 1u << p;
		rng_bytes(&w.rng, w.truth[u->key][p] + 4, 60);
		vtb_put_bits(vtb_port(tb, "part_write_slot_i"), w.width * p, w.width, u->slot);
		vtb_put_bytes(vtb_port(tb, "part_write_data_i"), 512 * p, w.truth[u->key][p], 64);
	}
	vtb_set(tb, "part_write_valid_i", ow);
	w.reading = -1;
	if (!ow) {
		int i = (int)rng_below(&w.rng, USERS);

		if (w.u[i].st == U_HELD) {
			w.reading = i;
			vtb_set(tb, "rd_slot_i", w.u[i].slot);
		}
	}
}

static void drive_host(struct vtb *tb)
{
	struct rec_dma_rsp meta = { .client = REC_RD_QPC };

	vtb_set(tb, "rd_ready_i", rng_percent(&w.rng, 60));
	vtb_set(tb, "wr_ready_i", w.q_tail - w.q_head < 200 && rng_percent(&w.rng, 60));
	vtb_set(tb, "ticket_i", (uint16_t)(w.ticket + 1));
	vtb_set(tb, "beat_valid_i", 0);
	for (int k = 0; k < 4; k++) {
		struct rd *r = &w.rd[(k + (int)(tb->cycle & 3)) & 3];
		unsigned int beat = (unsigned int)vtb_port(tb, "beat_data_i")->width / 8;

		if (!r->used || r->due > tb->cycle)
			continue;
		if (!r->taken) {
			if (r->nb && (int16_t)(w.sent - r->nb_ticket) < 0)
				continue;
			for (unsigned int p = 0; p < 4; p++)
				memcpy(r->data + 64 * p, w.mem[r->key][p], 64);
			r->taken = true;
		}
		vtb_set(tb, "beat_valid_i", 1);
		meta.tag = (uint16_t)r->tag;
		meta.offset = (uint16_t)r->sent;
		meta.nbytes = (uint8_t)(r->fail && r->sent ? 0 : beat);
		vtb_put_bytes(vtb_port(tb, "beat_data_i"), 0, r->data + r->sent, beat);
		r->sent += beat;
		meta.last = r->sent == 256 || r->fail;
		meta.err = r->fail;
		vtb_put_dma_rsp(vtb_port(tb, "beat_meta_i"), 0, &meta);
		r->used = !(r->sent == 256 || r->fail);
		break;
	}
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	posted_writes();
	drive_lookups(tb);
	drive_releases(tb);
	drive_records(tb);
	drive_host(tb);
}

/* The answer to the oldest lookup of source s. */
static void answer(struct vtb *tb, unsigned int s)
{
	struct user *u = &w.u[w.asked[s][0]];
	unsigned int status = (unsigned int)vtb_get(tb, "found_status_o");
	unsigned int slot = (unsigned int)vtb_get(tb, "found_slot_o");

	vtb_check(tb, w.n_asked[s] > 0);
	w.asked[s][0] = w.asked[s][1];
	w.n_asked[s]--;
	vtb_check_eq(tb, vtb_get(tb, "found_key_o"), u->key);
	u->st = U_NONE;
	u->slot = slot;
	u->since = tb->cycle;
	if (status == CAIRN_CTX_RESULT_OK || status == CAIRN_CTX_RESULT_WAITING) {
		vtb_check(tb, u->key < KEYS);
		for (int i = 0; i < USERS; i++)
			if (&w.u[i] != u && (w.u[i].st == U_HELD || w.u[i].st == U_WAIT))
				vtb_check(tb, (w.u[i].slot == slot) == (w.u[i].key == u->key));
		w.held[slot]++;
	}
	if (status == CAIRN_CTX_RESULT_OK) {
		vtb_check(tb, w.exists[u->key]);
		u->st = U_HELD;
		u->until = tb->cycle + 3 + rng_below(&w.rng, 20);
		w.hits++;
	} else if (status == CAIRN_CTX_RESULT_WAITING) {
		u->st = U_WAIT;
		w.waits++;
	} else if (status == CAIRN_CTX_RESULT_RETRY) {
		w.retries++;
	} else {
		vtb_check(tb, u->key >= KEYS || !w.exists[u->key] || w.fail || w.dropping[u->key]);
		if (u->key >= KEYS)
			vtb_check_eq(tb, status, CAIRN_CTX_RESULT_FREE);
	}
}

static void filled(struct vtb *tb)
{
	unsigned int slot = (unsigned int)vtb_get(tb, "fill_slot_o");
	unsigned int key = (unsigned int)vtb_get(tb, "fill_key_o");
	unsigned int status = (unsigned int)vtb_get(tb, "fill_status_o");
	unsigned int expected = CAIRN_CTX_RESULT_DAMAGED;

	w.fills++;
	if (w.exists[key])
		expected = CAIRN_CTX_RESULT_OK;
	else if (key >= FREE_KEY && key < BAD_KEY)
		expected = CAIRN_CTX_RESULT_FREE;
	if (!w.fail)
		vtb_check_eq(tb, status, expected);
	for (int i = 0; i < USERS; i++) {
		struct user *u = &w.u[i];

		if (u->st != U_WAIT || u->slot != slot)
			continue;
		vtb_check_eq(tb, u->key, key);
		u->st = U_HELD;
		u->until = tb->cycle + 1 + rng_below(&w.rng, 20);
		if (status) /* only the pin goes back */
			u->until = 0;
	}
}

static void sample_host(struct vtb *tb)
{
	if (vtb_get(tb, "rd_valid_o") && vtb_get(tb, "rd_ready_i")) {
		struct rec_dma_rd req = vtb_get_dma_rd(vtb_port(tb, "rd_req_o"), 0);
		struct rd *r = &w.rd[req.tag - 16];

		vtb_check(tb, !r->used);
		memset(r, 0, sizeof(*r));
		r->used = true;
		r->tag = req.tag;
		r->key = (unsigned int)(req.iova - 0x10000) / 256;
		vtb_check_eq(tb, req.len, 256);
		vtb_check(tb, r->key < KEYS);
		r->nb = req.nb_valid;
		r->nb_ticket = req.not_before;
		/* one that was given: older ones than half of all look like ones to come */
		vtb_check(tb, !r->nb || (int16_t)(w.ticket - r->nb_ticket) >= 0);
		r->due = tb->cycle + rng_below(&w.rng, w.latency);
		r->fail = rng_percent(&w.rng, w.fail);
	}
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i")) {
		struct rec_dma_wr cmd = vtb_get_dma_wr(vtb_port(tb, "wr_cmd_o"), 0);
		uint64_t at = cmd.iova - 0x10000;
		struct post *p = &w.q[w.q_tail++ % 256];

		p->key = (unsigned int)(at / 256);
		p->part = (unsigned int)(at / 64 % 4);
		memcpy(p->data, cmd.data, 64);
		p->due = tb->cycle + rng_below(&w.rng, w.latency);
		memcpy(w.posted[p->key][p->part], p->data, 64);
		p->ticket = ++w.ticket;
	}
}

static void sample(struct vtb *tb, void *arg)
{
	unsigned int ready = (unsigned int)vtb_get(tb, "look_ready_o");
	unsigned int got = (unsigned int)vtb_get(tb, "found_valid_o");

	(void)arg;
	vtb_check(tb, (got & (got - 1)) == 0);
	for (unsigned int s = 0; s < 3; s++) {
		if (got & 1u << s)
			answer(tb, s);
		if (ready & 1u << s && w.showing[s] >= 0) {
			w.asked[s][w.n_asked[s]++] = w.showing[s];
			w.u[w.showing[s]].st = U_ASKED;
			w.showing[s] = -1;
		}
	}
	if (vtb_get(tb, "fill_valid_o"))
		filled(tb);
	for (int i = 0; i < USERS; i++)
		if (w.u[i].st == U_WAIT)
			vtb_check(tb, tb->cycle - w.u[i].since < 4000);
	sample_host(tb);
}

static void look(struct vtb *tb)
{
	uint8_t got[64];

	if (w.reading < 0)
		return;
	for (unsigned int p = 0; p < 4; p++) {
		struct user *u = &w.u[w.reading];

		if (!w.exists[u->key] || w.nolook[u->key] || w.fail)
			continue;
		vtb_get_bytes(vtb_port(tb, "rd_data_o"), 512 * p, got, 64);
		if (memcmp(got, w.truth[u->key][p], 64))
			vtb_fail(tb, "key %u part %u in slot %u is not what was written", u->key, p,
				 u->slot);
	}
}

/* One firmware operation now and then; returns when it has ended. */
static void tick(struct vtb *tb)
{
	vtb_tick(tb);
	vtb_eval(tb);
	look(tb);
}

static unsigned int fw(unsigned int op, unsigned int key, unsigned int part, const uint8_t *data,
		       const uint8_t *mask)
{
	struct vtb *tb = w.tb;
	unsigned int status;
	uint64_t end = tb->cycle + 20000; /* lookups of others are turned away */

	vtb_set(tb, "op_valid_i", 1);
	vtb_set(tb, "op_op_i", op);
	vtb_set(tb, "op_key_i", key);
	vtb_set(tb, "op_part_i", part);
	vtb_ctx_put(&port, data, mask);
	while (!vtb_get(tb, "done_done_o")) {
		vtb_check(tb, tb->cycle < end);
		tick(tb);
	}
	status = (unsigned int)vtb_get(tb, "done_status_o");
	memcpy(w.op_data, port.got, 64);
	vtb_set(tb, "op_valid_i", 0);
	tick(tb);
	w.ops++;
	return status;
}

/* What was being written back is posted by then, also where others write a lot. */
static void settle(void)
{
	for (int i = 0; i < 4000; i++)
		tick(w.tb);
}

/* READ of a free record, INIT of it, EVICT; in the end it is free again. */
static void new_record(struct vtb *tb)
{
	unsigned int key = FREE_KEY + (unsigned int)rng_below(&w.rng, BAD_KEY - FREE_KEY);
	uint8_t zero[64] = { 0 }, ones[64];

	memset(ones, 0xff, sizeof(ones));
	w.dropping[key] = true;
	settle();
	vtb_check_eq(tb, fw(CAIRN_CTX_OP_READ, key, 0, zero, zero), CAIRN_CTX_RESULT_FREE);
	record(key);
	w.exists[key] = true;
	for (unsigned int p = 0; p < 4; p++)
		vtb_check_eq(tb, fw(CAIRN_CTX_OP_INIT, key, p, w.truth[key][p], ones), 0);
	w.dropping[key] = false;
	for (int i = 0; i < 300; i++)
		tick(tb);
	w.dropping[key] = true;
	settle();
	for (unsigned int p = 0; p < 4; p++) {
		vtb_check_eq(tb, fw(CAIRN_CTX_OP_READ, key, p, zero, zero), 0);
		vtb_check(tb, !memcmp(w.op_data, w.truth[key][p], 64));
	}
	/* free again, in the cache, then in memory */
	vtb_check_eq(tb, fw(CAIRN_CTX_OP_EVICT, key, 0, zero, zero), 0);
	w.exists[key] = false;
	for (int i = 0; i < 1000; i++)
		tick(tb);
	for (unsigned int p = 0; p < 4; p++)
		vtb_check(tb, !memcmp(w.mem[key][p], w.truth[key][p], 64));
	memset(w.mem[key], 0, 256);
	w.dropping[key] = false;
}

static void firmware(struct vtb *tb)
{
	uint8_t zero[64] = { 0 }, data[64], mask[64];
	unsigned int key = (unsigned int)rng_below(&w.rng, w.key_count);

	switch (rng_below(&w.rng, 5)) {
	case 0: /* READ */
		vtb_check_eq(tb, fw(CAIRN_CTX_OP_READ, key, 0, zero, zero), 0);
		vtb_check(tb, !memcmp(w.op_data, w.truth[key][0], 64));
		break;
	case 1: /* MODIFY of part 0, which no engine writes */
		rng_bytes(&w.rng, data, 64);
		rng_bytes(&w.rng, mask, 64);
		memset(mask, 0, 4);
		/* Readers may see either while it is under way: nobody may look. */
		w.nolook[key] = true;
		vtb_check_eq(tb, fw(CAIRN_CTX_OP_MODIFY, key, 0, data, mask), 0);
		for (int i = 0; i < 64; i++)
			w.truth[key][0][i] =
				(uint8_t)((w.truth[key][0][i] & ~mask[i]) | (data[i] & mask[i]));
		w.nolook[key] = false;
		break;
	case 2: /* lookups that meet it are told that there is none */
		w.dropping[key] = true;
		vtb_check_eq(tb, fw(CAIRN_CTX_OP_EVICT, key, 0, zero, zero), 0);
		w.dropping[key] = false;
		break;
	case 3: /* DROP: what has been posted is what counts */
		w.dropping[key] = true;
		settle();
		vtb_check_eq(tb, fw(CAIRN_CTX_OP_DROP, key, 0, zero, zero), 0);
		memcpy(w.truth[key], w.posted[key], 256);
		w.dropping[key] = false;
		break;
	default:
		new_record(tb);
		break;
	}
}

static void run_with(unsigned int keys, unsigned int latency, unsigned int fail,
		     unsigned int cycles, bool ops, unsigned int others)
{
	struct vtb *tb = vtb_create();
	unsigned int aw = (unsigned int)vtb_port(tb, "unpin_slot_i")->width / 3;

	memset(&w, 0, sizeof(w));
	w.tb = tb;
	w.rng = tb->rng;
	w.width = aw;
	w.key_count = keys;
	w.latency = latency;
	w.fail = fail;
	w.others = others;
	w.reading = -1;
	for (unsigned int k = 0; k < FREE_KEY; k++) {
		record(k);
		w.exists[k] = true;
	}
	memcpy(w.mem, w.truth, sizeof(w.mem));
	memcpy(w.posted, w.truth, sizeof(w.mem));
	for (unsigned int k = BAD_KEY; k < KEYS; k++)
		rng_bytes(&w.rng, w.mem[k][0], 256);
	for (unsigned int k = BAD_KEY; k < KEYS; k++)
		w.mem[k][0][0] = (uint8_t)(k + 1);
	for (int s = 0; s < 3; s++)
		w.showing[s] = -1;
	for (int i = 0; i < USERS; i++)
		w.u[i].src = (unsigned int)i % 3;
	vtb_run(tb, 20);
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_ctx_attach(&port, tb, "op", "done");
	for (unsigned int i = 0; i < cycles; i++) {
		tick(tb);
		if (ops && rng_percent(&w.rng, 1))
			firmware(tb);
	}
	vtb_check(tb, w.hits > 10);
	vtb_check(tb, w.waits > 20);
	print_message("# hits %ld waits %ld retries %ld fills %ld operations %ld\n", w.hits,
		      w.waits, w.retries, w.fills, w.ops);
	vtb_destroy(tb);
}

static void run(unsigned int keys, unsigned int latency, unsigned int fail, unsigned int cycles,
		bool ops)
{
	run_with(keys, latency, fail, cycles, ops, 0);
}

static void small_set(void **s)
{
	(void)s;
	run(6, 30, 0, 4000, false);
}
static void thrash(void **s)
{
	(void)s;
	run(48, 100, 0, 20000, false);
}
static void operations(void **s)
{
	(void)s;
	run(30, 60, 0, 6000, true);
}
static void slow_memory(void **s)
{
	(void)s;
	run(48, 600, 0, 10000, true);
}
static void failures(void **s)
{
	(void)s;
	run(30, 60, 20, 10000, false);
}

/* Others write so much that tickets wrap between two write-backs. */
static void old_tickets(void **s)
{
	(void)s;
	run_with(48, 30, 0, 8000, false, 900);
}

/* One lookup a cycle on hits. */
static void full_rate(void **s)
{
	struct vtb *tb;
	unsigned int taken = 0, hits = 0;

	(void)s;
	tb = vtb_create();
	vtb_run(tb, 40);
	/* key 60 and above need no memory */
	vtb_set(tb, "look_valid_i", 1);
	vtb_set(tb, "key0_i", 61);
	for (int i = 0; i < 100; i++) {
		vtb_eval(tb);
		taken += vtb_get(tb, "look_ready_o") & 1;
		hits += vtb_get(tb, "found_valid_o") & 1;
		vtb_tick(tb);
	}
	vtb_check_eq(tb, taken, 100);
	vtb_check_eq(tb, hits, 97);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_set),  cmocka_unit_test(thrash),
		cmocka_unit_test(operations), cmocka_unit_test(slow_memory),
		cmocka_unit_test(failures),   cmocka_unit_test(old_tickets),
		cmocka_unit_test(full_rate),
	};

	return cmocka_run_group_tests_name("ctx_cache", tests, NULL, NULL);
}
