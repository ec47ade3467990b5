// SPDX-License-Identifier: Apache-2.0
/*
 * rqe_fetch: receive WQEs of several queues with any stride, taken in order by users that wait for
 * wakes; element data, however long the walk over an entry takes, no read past the producer index
 * or the ring's end, every wait followed by a wake or avail, failed reads reported, once each.
 */
#include "vtb_rec.h"

#include <stdlib.h>
#include <string.h>

#define N 6
#define PLACES 20u /* of 16 elements: four runs, four single entries */
#define PLACE(tag) ((tag)&0x3ff)
#define RING_LOG2 4
#define RING (1u << RING_LOG2)
#define SPACE 0x1000000u /* addresses of a queue */

struct queue {
	unsigned int stride;
	uint16_t index, pi; /* next to look at; posted */
	uint64_t base;
	unsigned int log2; /* of the ring */
	uint8_t *mem;
	bool asleep, on_avail;
};

struct read {
	bool used;
	unsigned int tag, len, pos;
	const uint8_t *data;
	uint64_t due;
	bool fail;
};

struct bench {
	struct vtb *tb;
	struct queue q[N];
	struct read rd[PLACES];
	unsigned int width, fails, hits, errors, reads, failed;
	unsigned int slow; /* cycles each element takes; 0: sometimes many */
	bool silent;	   /* no read is answered */
};

/* An empty ring of `1 << log2` entries, anything in them. */
static void set_queue(struct bench *b, unsigned int i, unsigned int log2, unsigned int stride)
{
	size_t bytes = (16ul * stride) << log2;

	b->q[i] = (struct queue){
		.stride = stride, .log2 = log2, .base = 0x100000 + i * SPACE, .mem = malloc(bytes)
	};
	vtb_check(b->tb, b->q[i].mem && bytes < SPACE);
	rng_bytes(&b->tb->rng, b->q[i].mem, bytes);
}

static void finish(struct bench *b)
{
	for (unsigned int i = 0; i < N; i++)
		free(b->q[i].mem);
	vtb_destroy(b->tb);
	free(b);
}

/* A read must lie inside one queue's posted entries. */
static void take_read(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct rec_dma_rd req = vtb_get_dma_rd(vtb_port(tb, "rd_req_o"), 0);
	uint64_t iova = req.iova;
	unsigned int len = req.len, q = (iova - 0x100000) / SPACE;
	struct queue *u = &b->q[q];
	unsigned int off = iova - u->base, es = 16 * u->stride, tag = req.tag;
	unsigned int ring = 1u << u->log2;

	vtb_check(tb, q < N && iova >= u->base && off % es == 0 && len % es == 0 && len <= 1024);
	vtb_check(tb, off + len <= ring * es);
	for (unsigned int i = 0; i < len / es; i++) {
		uint16_t ahead = (off / es + i - u->index) & (ring - 1);

		/* Behind index (read again after eviction) or before pi. */
		vtb_check(tb, ahead < (uint16_t)(u->pi - u->index));
	}
	vtb_check(tb, PLACE(tag) < PLACES && !b->rd[PLACE(tag)].used);
	b->rd[PLACE(tag)] = (struct read){ true,
					   tag,
					   len,
					   0,
					   u->mem + off,
					   tb->cycle + 5 + rng_below(&tb->rng, 80),
					   rng_percent(&tb->rng, b->fails) };
	b->reads++;
}

static void drive_data(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct rec_dma_rsp beat;
	uint8_t data[64] = { 0 };
	struct read *r = &b->rd[rng_below(&tb->rng, PLACES)];
	unsigned int n;

	for (unsigned int i = 0; i < PLACES && (!r->used || r->due > tb->cycle); i++)
		r = r + 1 < b->rd + PLACES ? r + 1 : b->rd;
	vtb_set(tb, "beat_valid_i", 0);
	if (b->silent || rng_percent(&tb->rng, 50) || !r->used || r->due > tb->cycle)
		return;
	/* Beats of any multiple of 16 bytes at 512 bit: pieces begin anywhere. */
	n = b->width == 64 ? 16 * (1 + rng_below(&tb->rng, 4)) : b->width;
	n = n > r->len - r->pos ? r->len - r->pos : n;
	memcpy(data, r->data + r->pos, n);
	beat = (struct rec_dma_rsp){
		.client = REC_RD_RQE,
		.tag = (uint16_t)r->tag,
		.offset = (uint16_t)r->pos,
		.nbytes = (uint8_t)n,
		.last = r->pos + n == r->len,
		.err = r->pos + n == r->len && r->fail,
	};
	vtb_set(tb, "beat_valid_i", 1);
	vtb_put_dma_rsp(vtb_port(tb, "beat_meta_i"), 0, &beat);
	vtb_put_bytes(vtb_port(tb, "beat_data_i"), 0, data, b->width);
	r->pos += n;
	r->used = r->pos != r->len;
	b->failed += !r->used && r->fail;
}

static void cycle(struct bench *b)
{
	struct vtb *tb = b->tb;

	drive_data(b);
	vtb_set(tb, "rd_ready_i", rng_percent(&tb->rng, 70));
	vtb_set(tb, "wake_ready_i", rng_percent(&tb->rng, 70));
	vtb_eval(tb);
	if (vtb_get(tb, "rd_valid_o") && vtb_get(tb, "rd_ready_i"))
		take_read(b);
	if (vtb_get(tb, "wake_valid_o") && vtb_get(tb, "wake_ready_i")) {
		vtb_check(tb, vtb_get(tb, "wake_slot_o") < N);
		b->q[vtb_get(tb, "wake_slot_o")].asleep = false;
	}
	for (unsigned int i = 0; i < N && vtb_get(tb, "avail_o"); i++)
		b->q[i].asleep &= !b->q[i].on_avail;
	vtb_tick(tb);
}

/* Element `addr` of the entry looked up last.  Whoever takes what the walk finds may be slow. */
static void element(struct bench *b, unsigned int addr, uint8_t got[16])
{
	unsigned int n = rng_percent(&b->tb->rng, 5) ? 1 + rng_below(&b->tb->rng, 200) : 1;

	n = b->slow ? b->slow : n;
	vtb_set(b->tb, "el_addr_i", addr);
	while (n--)
		cycle(b);
	vtb_get_bytes(vtb_port(b->tb, "el_o"), 0, got, 16);
}

static void look(struct bench *b, unsigned int i)
{
	struct vtb *tb = b->tb;
	struct queue *u = &b->q[i];
	unsigned int base;

	vtb_set(tb, "look_valid_i", 1);
	vtb_set(tb, "look_slot_i", i);
	vtb_set(tb, "look_qpn_i", 0x1000 + i);
	vtb_set(tb, "look_gen_i", 9);
	vtb_set(tb, "look_index_i", u->index);
	vtb_set(tb, "look_pi_i", u->pi);
	vtb_set(tb, "look_base_i", u->base);
	vtb_set(tb, "look_log2_i", u->log2);
	vtb_set(tb, "look_stride_i", u->stride);
	u->asleep = true; /* a wake may come in the cycle of the answer */
	u->on_avail = true;
	cycle(b);
	vtb_set(tb, "look_valid_i", 0);
	vtb_set(tb, "el_busy_i", 1);
	vtb_eval(tb);
	if (!vtb_get(tb, "found_hit_o")) {
		u->on_avail = !vtb_get(tb, "found_coming_o");
		cycle(b);
		vtb_set(tb, "el_busy_i", 0);
		return;
	}
	u->asleep = false;
	base = vtb_get(tb, "found_base_o");
	b->hits++;
	if (!vtb_get(tb, "found_good_o")) {
		b->errors++;
		u->index++;
		cycle(b);
		vtb_set(tb, "el_busy_i", 0);
		return;
	}
	for (unsigned int e = 0; e < u->stride; e++) {
		unsigned int at = (u->index & ((1u << u->log2) - 1)) * u->stride + e;
		uint8_t got[16];

		element(b, base + e, got);
		if (memcmp(got, u->mem + 16 * at, 16))
			vtb_fail(tb, "queue %u entry %u element %u is wrong", i, u->index, e);
	}
	vtb_set(tb, "el_busy_i", 0);
	u->index++;
}

static void run(unsigned int fails)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct vtb *tb = b->tb = vtb_create();

	b->fails = fails;
	b->width = vtb_port(tb, "beat_data_i")->width / 8;
	for (unsigned int i = 0; i < N; i++) {
		set_queue(b, i, RING_LOG2, i == 0 ? 1 : i == 1 ? 16 : 1 + rng_below(&tb->rng, 16));
		b->q[i].base += 16 * rng_below(&tb->rng, 8);
		b->q[i].index = b->q[i].pi = 0xfff0 + rng_below(&tb->rng, 16);
	}
	for (unsigned int n = 0; n < 20000; n++) {
		unsigned int i = rng_below(&tb->rng, N);
		struct queue *u = &b->q[i];

		if ((uint16_t)(u->pi - u->index) < RING && rng_percent(&tb->rng, 50)) {
			unsigned int es = 16 * u->stride;

			rng_bytes(&tb->rng, u->mem + u->pi % RING * es, es);
			u->pi++;
		}
		if (u->index != u->pi && !u->asleep)
			look(b, i);
		else
			cycle(b);
	}
	/* Nothing sleeps for ever. */
	for (unsigned int n = 0; n < 20000; n++) {
		unsigned int i = n % N;

		if (b->q[i].index != b->q[i].pi && !b->q[i].asleep)
			look(b, i);
		else
			cycle(b);
	}
	for (unsigned int i = 0; i < N; i++)
		vtb_check_eq(tb, b->q[i].index, b->q[i].pi);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check(tb, b->hits > 100 && (fails ? b->errors > 0 : b->errors == 0));
	vtb_check(tb, b->errors <= b->failed);
	print_message("# %u entries, %u reads, %u failed\n", b->hits, b->reads, b->errors);
	finish(b);
}

static void good(void **state)
{
	(void)state;
	run(0);
}

static void failing(void **state)
{
	(void)state;
	run(10);
}

/* Until the read for queue `i` is under way. */
static void ask(struct bench *b, unsigned int i)
{
	do {
		if (b->q[i].asleep)
			cycle(b);
		else
			look(b, i);
	} while (b->q[i].on_avail);
}

/* The next `n` entries of queue `i`. */
static void take(struct bench *b, unsigned int i, unsigned int n)
{
	uint16_t end = b->q[i].index + n;

	for (unsigned int cycles = 0; b->q[i].index != end; cycles++) {
		vtb_check(b->tb, cycles < 20000 + 100 * n);
		if (b->q[i].asleep)
			cycle(b);
		else
			look(b, i);
	}
}

/*
 * All runs are taken, and the oldest is the one in use when its second half begins: what is read
 * ahead then goes elsewhere, or waits when the others are under way themselves.
 */
static void read_ahead_of_itself(void **state)
{
	(void)state;
	for (unsigned int full = 0; full < 2; full++) {
		struct bench *b = calloc(1, sizeof(*b));
		struct vtb *tb = b->tb = vtb_create();

		b->width = vtb_port(tb, "beat_data_i")->width / 8;
		for (unsigned int i = 0; i < N; i++) {
			set_queue(b, i, RING_LOG2, 8);
			b->q[i].pi = RING; /* two runs */
		}
		take(b, 0, 4);
		b->silent = full;
		for (unsigned int i = 1; i < 4; i++) {
			if (full)
				ask(b, i);
			else
				take(b, i, 1);
		}
		vtb_check(tb, !full || (b->q[1].asleep && b->q[2].asleep && b->q[3].asleep));
		/* What others are in the middle of is theirs for 2048 cycles. */
		for (unsigned int n = 0; n < 2600 && !full; n++)
			cycle(b);
		b->slow = 400; /* a run has come long before an entry is through */
		take(b, 0, 1);
		vtb_check_eq(tb, b->reads, full ? 4 : 5);
		b->slow = 0;
		b->silent = false;
		for (unsigned int i = 0; i < 4; i++)
			take(b, i, RING - b->q[i].index);
		finish(b);
	}
}

/*
 * Queues that meet in one set: what one reads ahead does not take the place of a run that another
 * is in the middle of, so each run is read once.
 */
static void neighbours(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct vtb *tb = b->tb = vtb_create();

	(void)state;
	b->width = vtb_port(tb, "beat_data_i")->width / 8;
	b->slow = 1;
	for (unsigned int i = 0; i < 3; i++) {
		set_queue(b, i, RING_LOG2, 8);
		b->q[i].pi = RING; /* two runs of 8 */
	}
	for (unsigned int n = 0; n < RING; n++)
		for (unsigned int i = 0; i < 3; i++)
			take(b, i, 1);
	vtb_check_eq(tb, b->reads, 6);
	finish(b);
}

/*
 * What was read for a packet that waits is there when it comes, 3000 cycles later, though another
 * one asks for a place all the time: else many that wait would take each other's for ever.
 */
static void late_askers(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct vtb *tb = b->tb = vtb_create();

	(void)state;
	b->width = vtb_port(tb, "beat_data_i")->width / 8;
	b->slow = 1;
	for (unsigned int i = 0; i < 5; i++) {
		set_queue(b, i, 2, 8);
		b->q[i].pi = 4; /* one run */
	}
	for (unsigned int i = 0; i < 4; i++)
		ask(b, i);
	for (unsigned int n = 0; n < 3000; n++) {
		if (!b->q[4].asleep)
			look(b, 4);
		else
			cycle(b);
	}
	vtb_check_eq(tb, b->reads, 4);
	for (unsigned int i = 0; i < 4; i++)
		take(b, i, 4);
	take(b, 4, 4);
	vtb_check_eq(tb, b->reads, 5);
	finish(b);
}

/* All that was here is read again after it was to be forgotten; who asks meanwhile is told. */
static void forgotten(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct vtb *tb = b->tb = vtb_create();

	(void)state;
	b->width = vtb_port(tb, "beat_data_i")->width / 8;
	for (unsigned int i = 0; i < 4; i++) {
		set_queue(b, i, RING_LOG2, 4);
		b->q[i].pi = RING; /* a run */
		take(b, i, 2);
	}
	vtb_check_eq(tb, b->reads, 4);
	for (unsigned int n = 0; n < 20; n++) {
		unsigned int reads = b->reads;

		for (unsigned int i = 0; i < 4; i++) {
			/* The same receive has another content, as that of a new QP has. */
			rng_bytes(&tb->rng, b->q[i].mem, 16ul * 4 * RING);
		}
		vtb_set(tb, "forget_i", 1);
		cycle(b);
		vtb_set(tb, "forget_i", 0);
		vtb_check(tb, !vtb_get(tb, "idle_o"));
		for (unsigned int c = rng_below(&tb->rng, 6); c; c--)
			cycle(b);
		for (unsigned int i = 0; i < 4; i++) {
			b->q[i].index--;
			take(b, i, 1);
		}
		vtb_check_eq(tb, b->reads, reads + 4);
	}
	finish(b);
}

/* Slot `slot` of an SRQ, if there is a buffer for it. */
static void read_ahead(struct bench *b, unsigned int slot)
{
	struct vtb *tb = b->tb;

	vtb_set(tb, "ahead_valid_i", 1);
	vtb_set(tb, "ahead_srqn_i", 0);
	vtb_set(tb, "ahead_slot_i", slot);
	vtb_set(tb, "ahead_seq_i", slot);
	vtb_set(tb, "ahead_base_i", b->q[0].base);
	vtb_set(tb, "ahead_stride_i", 1);
	vtb_run_until(tb, vtb_get(tb, "ahead_ready_o"), 100);
	cycle(b);
	vtb_set(tb, "ahead_valid_i", 0);
	for (unsigned int i = 0; i < 200; i++)
		cycle(b);
}

/* Where the elements of slot `slot`, which is on chip, begin; from here on they are read. */
static unsigned int look_slot(struct bench *b, unsigned int slot)
{
	struct vtb *tb = b->tb;

	vtb_set(tb, "look_valid_i", 1);
	vtb_set(tb, "look_srq_i", 1);
	vtb_set(tb, "look_qpn_i", slot);
	vtb_set(tb, "look_gen_i", 0);
	vtb_set(tb, "look_index_i", slot);
	cycle(b);
	vtb_set(tb, "look_valid_i", 0);
	vtb_set(tb, "el_busy_i", 1);
	vtb_eval(tb);
	vtb_check(tb, vtb_get(tb, "found_hit_o"));
	return vtb_get(tb, "found_base_o");
}

static void check_slot(struct bench *b, unsigned int slot, unsigned int base)
{
	uint8_t got[16];

	element(b, base, got);
	vtb_check(b->tb, !memcmp(got, b->q[0].mem + slot * 16, 16));
}

/*
 * Entries of an SRQ that are in use keep their buffers while as many are read ahead as there are:
 * the one looked up last, and the one before, whose elements may still be read.
 */
static void in_use(void **state)
{
	(void)state;
	for (unsigned int two = 0; two < 2; two++) {
		struct bench *b = calloc(1, sizeof(*b));
		struct vtb *tb = b->tb = vtb_create();
		unsigned int base, next = 0;

		b->width = vtb_port(tb, "beat_data_i")->width / 8;
		set_queue(b, 0, RING_LOG2, 1);
		b->q[0].pi = RING;
		read_ahead(b, 3);
		read_ahead(b, 4);
		base = look_slot(b, 3);
		cycle(b);
		if (two)
			next = look_slot(b, 4);
		for (unsigned int slot = 5; slot < 13; slot++)
			read_ahead(b, slot);
		check_slot(b, 3, base);
		if (two)
			check_slot(b, 4, next);
		finish(b);
	}
}

/*
 * The longest ring, filled up again and again (check 120): the producer index is 0x8000 ahead, a
 * distance whose top bit is set, at the ring's start and end and where the index wraps.  A shorter
 * ring is used beside it.
 */
static void longest(void **state)
{
	static const struct {
		unsigned int stride;
		uint16_t from;
		unsigned int n;
	} cases[] = { { 1, 0x7f00, 0x10200 },
		      { 3, 0x7f00, 0x200 },
		      { 16, 0xff80, 0x100 },
		      { 8, 0x7f80, 0x100 } };

	(void)state;
	for (unsigned int k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct bench *b = calloc(1, sizeof(*b));
		struct vtb *tb = b->tb = vtb_create();
		unsigned int es = 16 * cases[k].stride;
		struct queue *u = &b->q[0];

		b->width = vtb_port(tb, "beat_data_i")->width / 8;
		b->slow = k ? 0 : 1; /* the long one, as fast as it goes */
		set_queue(b, 0, 15, cases[k].stride);
		set_queue(b, 1, RING_LOG2, 4);
		u->index = cases[k].from;
		u->pi = u->index + 0x8000;
		for (unsigned int n = 0; n < cases[k].n; n++) {
			take(b, 0, 1);
			/* Mostly at once, sometimes half the ring later. */
			if (n % 0x6000 == 0x5000)
				take(b, 0, 0x4000);
			while ((uint16_t)(u->pi - u->index) < 0x8000) {
				rng_bytes(&tb->rng, u->mem + (u->pi & 0x7fff) * es, es);
				u->pi++;
			}
			if (rng_percent(&tb->rng, 2)) {
				b->q[1].pi++;
				take(b, 1, 1);
			}
		}
		take(b, 0, 0x40);
		print_message("# stride %u: %u entries, %u reads, %llu cycles\n", u->stride,
			      b->hits, b->reads, (unsigned long long)tb->cycle);
		vtb_check(tb, !b->errors && b->reads < b->hits);
		finish(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(good),
					    cmocka_unit_test(failing),
					    cmocka_unit_test(read_ahead_of_itself),
					    cmocka_unit_test(neighbours),
					    cmocka_unit_test(late_askers),
					    cmocka_unit_test(forgotten),
					    cmocka_unit_test(in_use),
					    cmocka_unit_test(longest) };

	return cmocka_run_group_tests_name("rqe_fetch", tests, NULL, NULL);
}
