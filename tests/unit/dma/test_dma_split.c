// SPDX-License-Identifier: Apache-2.0
/*
 * dma_split, as it is for a wide path and as it is for a narrow one (dma_cut): the pieces of random
 * commands, under back-pressure and with none, against a count byte by byte.
 */
#include "rng.h"
#include "vtb.h"

#define AHEAD 4u

struct cmd {
	uint64_t addr;
	unsigned int len, block, meta;
};

static struct world {
	struct vtb *tb;
	struct cmd offer, in[AHEAD];
	unsigned int head, tail, done; /* done: bytes of in[head] that have come out */
	bool offers;
	unsigned int load, ready, finished, pieces;
} W;

static struct cmd random_cmd(void)
{
	struct rng *r = &W.tb->rng;
	struct cmd c = { .addr = rng_u64(r) & 0x7fffffffffffffff,
			 .len = (unsigned int)rng_below(r, 4097),
			 .block = (unsigned int)rng_below(r, 8),
			 .meta = (unsigned int)rng_below(r, 256) };

	if (rng_percent(r, 30))
		c.addr &= ~0x7full;
	if (rng_percent(r, 20))
		c.addr |= 0xffffffff000;
	if (rng_percent(r, 30))
		c.len &= ~0x7fu;
	if (rng_percent(r, 40))
		c.len &= 0x7f;
	return c;
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	if (!W.offers && rng_percent(&tb->rng, W.load)) {
		W.offers = true;
		W.offer = random_cmd();
	}
	vtb_set(tb, "in_valid_i", W.offers);
	vtb_set(tb, "in_addr_i", W.offers ? W.offer.addr : rng_u64(&tb->rng));
	vtb_set(tb, "in_len_i", W.offers ? W.offer.len : 4096);
	vtb_set(tb, "in_meta_i", W.offers ? W.offer.meta : 0);
	vtb_set(tb, "block_i", W.offers ? W.offer.block : rng_below(&tb->rng, 8));
	vtb_set(tb, "out_ready_i", rng_percent(&tb->rng, W.ready));
}

static void piece(struct vtb *tb)
{
	const struct cmd *c = &W.in[W.head % AHEAD];
	uint64_t size = 128u << (c->block > 5 ? 5 : c->block), at = c->addr + W.done;
	uint64_t end = (at / size + 1) * size, last = c->addr + c->len;
	unsigned int len = (unsigned int)((last < end ? last : end) - at);

	vtb_check(tb, W.head != W.tail);
	vtb_check_eq(tb, vtb_get(tb, "out_addr_o"), at);
	vtb_check_eq(tb, vtb_get(tb, "out_len_o"), len);
	vtb_check_eq(tb, vtb_get(tb, "out_ends_o"), len + (at & 3));
	vtb_check_eq(tb, vtb_get(tb, "out_off_o"), W.done);
	vtb_check_eq(tb, vtb_get(tb, "out_first_o"), !W.done);
	vtb_check_eq(tb, vtb_get(tb, "out_last_o"), W.done + len == c->len);
	vtb_check_eq(tb, vtb_get(tb, "out_meta_o"), c->meta);
	if (c->len)
		vtb_check_eq(tb, vtb_get(tb, "out_pieces_o"),
			     (last - 1) / size - c->addr / size + 1);
	W.pieces++;
	W.done += len;
	if (W.done == c->len) {
		W.done = 0;
		W.head++;
		W.finished++;
	}
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	if (vtb_get(tb, "out_valid_o") && vtb_get(tb, "out_ready_i"))
		piece(tb);
	if (W.offers && vtb_get(tb, "in_ready_o")) {
		W.in[W.tail++ % AHEAD] = W.offer;
		W.offers = false;
		vtb_check(tb, W.tail - W.head <= AHEAD);
	}
}

static void commands(void **state)
{
	static const unsigned int mix[][2] = { { 100, 100 }, { 100, 30 }, { 20, 100 }, { 50, 50 } };

	(void)state;
	for (unsigned int k = 0; k < 4; k++) {
		W = (struct world){ .tb = vtb_create(), .load = mix[k][0], .ready = mix[k][1] };
		vtb_on_drive(W.tb, drive, NULL);
		vtb_on_sample(W.tb, sample, NULL);
		vtb_run(W.tb, 40000);
		vtb_check(W.tb, W.finished > 1000 && (k || W.pieces > 15000));
		W.load = 0;
		W.ready = 100;
		vtb_run_until(W.tb, !W.offers && W.head == W.tail, 100);
		vtb_destroy(W.tb);
	}
}

/* Nothing of a command is left behind a reset. */
static void reset(void **state)
{
	(void)state;
	W = (struct world){ .tb = vtb_create(), .load = 100 };
	vtb_on_drive(W.tb, drive, NULL);
	vtb_on_sample(W.tb, sample, NULL);
	for (unsigned int i = 0; i < 20; i++) {
		vtb_run(W.tb, 5);
		vtb_check_eq(W.tb, vtb_get(W.tb, "out_valid_o"), 1);
		vtb_set(W.tb, "rst_ni", 0);
		W.load = 0;
		W.offers = false;
		vtb_run(W.tb, 1);
		vtb_set(W.tb, "rst_ni", 1);
		W.head = W.tail;
		vtb_run(W.tb, 5);
		vtb_check_eq(W.tb, vtb_get(W.tb, "out_valid_o"), 0);
		W.load = 100;
	}
	vtb_destroy(W.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(commands), cmocka_unit_test(reset) };

	return cmocka_run_group_tests_name("dma_split", tests, NULL, NULL);
}
