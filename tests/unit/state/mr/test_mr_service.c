// SPDX-License-Identifier: Apache-2.0
/*
 * mr_service against the checks of IBTA 10.6.7: four clients with random requests to random regions
 * (good, free, damaged; direct and paged with all page sizes; zero based; windows), caches far
 * smaller than the tables, firmware that evicts meanwhile. A miss must be followed by the strobe,
 * and a repeated request must come to an end. Counters agree. Directed: initiation interval,
 * firmware's operations.  Stands for ctx_table, too.
 */
#include "mr_bench.h"

#include <string.h>

static struct bench B;
static bool simple;

static void region(struct bench *b, unsigned int i)
{
	static const unsigned int lg[] = { 12, 16, 21, 30 };
	struct rng *r = &b->tb->rng;
	struct cairn_mpt *m = mr_mpt(b, i);
	unsigned int kind = (unsigned int)rng_below(r, 10), l = lg[rng_below(r, 4)];

	memset(m, 0, 64);
	if (i == 7 || (kind == 0 && i))
		return; /* no such record */
	m->key = i << 8 | (uint32_t)rng_below(r, 256) | !i;
	m->pd = 1 + (uint32_t)rng_below(r, 2);
	m->base = rng_u64(r) >> 1;
	if (rng_percent(r, 10))
		m->base = 0;
	if (rng_percent(r, 10))
		m->base = (uint64_t)-20000; /* up to the last address */
	m->length = 1 + rng_below(r, 20000);
	m->flags = (uint32_t)rng_below(r, 32) << 8 | (uint32_t)rng_below(r, 4) << 24;
	if (rng_percent(r, 50))
		m->flags |= 0x1f00;
	if (rng_percent(r, 20))
		m->flags |= CAIRN_ACCESS_ZERO_BASED << 8;
	m->pages = (uint32_t)rng_below(r, 3);
	m->windows = m->unbound = (uint32_t)rng_below(r, 3);
	if (rng_percent(r, 10))
		m->windows++;
	if (kind < 4) {
		m->flags |= CAIRN_MR_MODE_DIRECT | 12 << 16;
		m->map = rng_u64(r) >> 4;
	} else {
		m->flags |= CAIRN_MR_MODE_PAGED | l << 16;
		m->map = rng_below(r, PTES - 8);
		if (kind == 9)
			m->map = PTES - 2; /* may run out of the table */
	}
	if (rng_percent(r, 10))
		m->flags |= CAIRN_MPT_FLAGS_FREED;
	if (rng_percent(r, 20)) {
		m->flags |= CAIRN_MPT_FLAGS_WINDOW;
		if (rng_percent(r, 60))
			m->flags |= CAIRN_MPT_FLAGS_TYPE2;
		m->qpn = (uint32_t)rng_below(r, 3);
	}
	if (i == 9)
		m->key ^= 0x100; /* another's record: damaged */
}

static bool make(struct bench *b, struct req *q)
{
	struct rng *r = &b->tb->rng;
	unsigned int i = (unsigned int)rng_below(r, KEYS + rng_percent(r, 5));
	struct cairn_mpt *m = mr_mpt(b, i < KEYS ? i : 0);

	memset(q, 0, sizeof(*q));
	q->key = rng_percent(r, 95) ? m->key : i << 8 | (uint32_t)rng_below(r, 256);
	if (i == KEYS || i == 9)
		q->key = i << 8;
	q->pd = m->pd;
	if (rng_percent(r, 4))
		q->pd ^= 3;
	q->qpn = rng_percent(r, 80) ? m->qpn : (uint32_t)rng_below(r, 3);
	q->remote = m->flags & CAIRN_MPT_FLAGS_WINDOW ? rng_percent(r, 90) : rng_percent(r, 50);
	q->rights = rng_percent(r, 50) ? 0 : 1u << rng_below(r, 4);
	q->len = 1 + (uint32_t)rng_below(r, m->length < 4096 ? m->length + 1 : 4096);
	if (q->len > 4096)
		q->len = 4096;
	q->chk = q->len;
	if (rng_percent(r, 20))
		q->chk += (uint32_t)rng_below(r, 20000);
	q->va = m->flags >> 8 & CAIRN_ACCESS_ZERO_BASED ? 0 : m->base;
	q->inv = rng_percent(r, 10);
	if (m->length > q->chk)
		q->va += rng_below(r, m->length - q->chk + 1);
	if (rng_percent(r, 5))
		q->va += (uint64_t)rng_below(r, 5) - 2;
	if (rng_percent(r, 2))
		q->chk = 0xffffffff;
	q->last = (unsigned int)rng_below(r, 2);
	if (simple) {
		q->key = m->key;
		q->pd = m->pd;
		q->rights = q->inv = 0;
		q->chk = q->len = 64;
		q->va = m->base;
	}
	return true;
}

static void judge(struct bench *b, const struct req *q, const struct answer *a)
{
	const struct cairn_mpt *m = q->key >> 8 < KEYS ? mr_mpt(b, q->key >> 8) : NULL;
	struct answer want;
	unsigned int err = mr_verdict(m, (const uint64_t *)(b->h.mem + MTT), q, &want);

	if (!mr_same(q, err, &want, a))
		vtb_fail(b->tb, "key %x va %llx len %u chk %u inv %u: status %u, %u; %u expected",
			 q->key, (unsigned long long)q->va, q->len, q->chk, q->inv, a->status,
			 a->vendor, err);
}

static void fw_random(struct bench *b)
{
	uint8_t lines[64] = { (uint8_t)rng_below(&b->tb->rng, 4) };

	b->fw_sel = (unsigned int)rng_below(&b->tb->rng, 2);
	vtb_set(b->tb, "fw_key_i", rng_below(&b->tb->rng, b->fw_sel ? PTES / 8 : KEYS));
	vtb_set(b->tb, "fw_op_i", b->fw_sel ? CAIRN_CTX_OP_DROP : CAIRN_CTX_OP_EVICT);
	vtb_ctx_put(&b->port, lines, NULL);
}

static struct bench *start(void)
{
	struct bench *b = mr_bench(&B);

	simple = false;
	b->make = make;
	b->judge = judge;
	b->fw_random = fw_random;
	for (unsigned int i = 0; i < KEYS; i++)
		region(b, i);
	for (unsigned int i = 0; i < PTES; i++) {
		uint64_t pte = rng_u64(&b->tb->rng) & ~0xfffull;

		if (rng_percent(&b->tb->rng, 92))
			pte |= 1;
		memcpy(b->h.mem + MTT + 8 * i, &pte, 8);
	}
	return b;
}

static unsigned int seen[256];

/* MR_BAD_KEY, MR_BAD_PD, MR_BAD_RIGHTS, MR_BAD_BOUNDS */
static void check_counters(struct bench *b)
{
	const unsigned int *n = b->errs;

	vtb_check_eq(b->tb, b->cnt[0], n[CAIRN_VENDOR_ERR_KEY_INDEX] + n[CAIRN_VENDOR_ERR_KEY_TAG]);
	vtb_check_eq(b->tb, b->cnt[1], n[CAIRN_VENDOR_ERR_KEY_PD]);
	vtb_check_eq(b->tb, b->cnt[2],
		     n[CAIRN_VENDOR_ERR_KEY_RIGHTS] + n[CAIRN_VENDOR_ERR_KEY_STATE] +
			     n[CAIRN_VENDOR_ERR_KEY_BUSY]);
	vtb_check_eq(b->tb, b->cnt[3],
		     n[CAIRN_VENDOR_ERR_KEY_BOUNDS] + n[CAIRN_VENDOR_ERR_KEY_PTE]);
}

static void traffic(unsigned int send, unsigned int busy, unsigned int fw, unsigned int ahead,
		    unsigned int cycles)
{
	struct bench *b = start();

	b->send_pc = send;
	b->busy = b->h.busy = busy;
	b->fw_pc = fw;
	b->ahead_pc = ahead;
	vtb_run(b->tb, cycles);
	b->stop = true;
	vtb_run_until_fn(b->tb, mr_quiet, b, 20000, "all requests answered");
	if (b->done < 100 || !b->misses || b->errs[0] < 25)
		vtb_fail(b->tb, "too little done: %u, %u misses, %u good", b->done, b->misses,
			 b->errs[0]);
	check_counters(b);
	for (unsigned int i = 0; i < 256; i++)
		seen[i] += b->errs[i];
	vtb_destroy(b->tb);
}

static bool all_seen(void)
{
	for (unsigned int i = CAIRN_VENDOR_ERR_KEY_INDEX; i <= CAIRN_VENDOR_ERR_KEY_BUSY; i++)
		if (!seen[i])
			return false;
	return seen[CAIRN_VENDOR_ERR_CTX_CHECK];
}

static void random_traffic(void **state)
{
	(void)state;
	traffic(30, 30, 2, 0, 12000);
	traffic(5, 0, 0, 0, 15000);
	traffic(100, 10, 1, 10, 12000);
	/* what is rare may take longer */
	for (int round = 0; round < 8 && !all_seen(); round++)
		traffic(30, 30, 2, 10, 12000);
	assert_true(all_seen());
}

static bool wide(struct bench *b)
{
	return vtb_port(b->tb, "beat_data_i")->width == 512;
}

/* One a cycle; at 64 bit one in 5, of a paged region one in 9. */
static void interval(void **state)
{
	struct bench *b = start();
	unsigned int from;

	(void)state;
	for (unsigned int i = 0; i < KEYS; i++) {
		*mr_mpt(b, i) = *mr_mpt(b, i % 4);
		mr_mpt(b, i)->key = 0;
	}
	for (unsigned int i = 0; i < 4; i++) {
		struct cairn_mpt m = { .key = i << 8 | 5,
				       .pd = 1,
				       .base = 0x10000 * i,
				       .length = 1000,
				       .map = 8 * i };

		m.flags = (i & 1 ? CAIRN_MR_MODE_PAGED : CAIRN_MR_MODE_DIRECT) | 12 << 16;
		*mr_mpt(b, i) = m;
		b->h.mem[MTT + 64 * i] |= 1;
	}
	for (unsigned int i = 4; i < KEYS; i++)
		*mr_mpt(b, i) = *mr_mpt(b, i % 4); /* make() then asks for one of four keys */
	simple = true;
	b->send_pc = 5;
	vtb_run(b->tb, 3000); /* a cache clears a slot a cycle first */
	b->send_pc = 100;
	vtb_run(b->tb, 50);
	from = b->done;
	vtb_run(b->tb, 200);
	vtb_check(b->tb, b->done - from >= (wide(b) ? 199 : 25));
	vtb_destroy(b->tb);
}

static unsigned int alone; /* the client that asks */

static bool make_alone(struct bench *b, struct req *q)
{
	return q == &b->c[alone].offer && make(b, q);
}

/*
 * A client that takes no answers is told that it may ask as often as there is room for them, also
 * when nobody else asks; none of its requests is lost.
 */
static void no_room(void **state)
{
	enum { MOST = 16 };

	(void)state;
	for (alone = 0; alone < 4; alone++) {
		struct bench *b = start();
		struct client *c = &b->c[alone];

		b->make = make_alone;
		b->send_pc = 100;
		c->held = true;
		vtb_run(b->tb, 3000);
		vtb_check_eq(b->tb, c->tail - c->head,
			     wide(b) || alone == REC_MRC_REQ ? MOST : 1);
		c->held = false;
		vtb_run(b->tb, 1000);
		b->stop = true;
		vtb_run_until_fn(b->tb, mr_quiet, b, 20000, "all requests answered");
		vtb_destroy(b->tb);
	}
}

static struct {
	unsigned int key; /* that is asked for next; 0: none */
} one;

static bool make_one(struct bench *b, struct req *q)
{
	(void)b;
	if (!one.key)
		return false;
	*q = (struct req){ .key = one.key << 8 | 5, .pd = 1, .va = 0x10000, .len = 8, .last = 1 };
	q->chk = q->len;
	one.key = 0;
	return true;
}

static void judge_good(struct bench *b, const struct req *q, const struct answer *a)
{
	(void)q;
	vtb_check_eq(b->tb, a->status, REC_MRS_OK);
}

/* Keys told ahead are read at once, are no hits, and miss no more. */
static void ahead(void **state)
{
	enum { FROM = 2, N = 6 };
	struct bench *b = start();
	unsigned int hits = 0, misses = 0;

	(void)state;
	for (unsigned int i = FROM; i < FROM + N; i++)
		*mr_mpt(b, i) = (struct cairn_mpt){ .key = i << 8 | 5,
						    .pd = 1,
						    .flags = CAIRN_MR_MODE_DIRECT,
						    .base = 0x10000,
						    .length = 1000 };
	b->make = make_one;
	b->judge = judge_good;
	b->send_pc = 100;
	vtb_run(b->tb, 3000); /* a cache clears a slot a cycle first */
	for (unsigned int i = 0; i < 400; i++) {
		vtb_set(b->tb, "receive_mr_ahead_valid_i", i < N);
		vtb_set(b->tb, "receive_mr_ahead_key_i", FROM + i);
		misses += (unsigned int)vtb_get(b->tb, "events_mpt_miss_o");
		hits += (unsigned int)vtb_get(b->tb, "events_mpt_hit_o");
		vtb_run(b->tb, 1);
	}
	vtb_check_eq(b->tb, misses, N);
	vtb_check_eq(b->tb, hits, 0);
	for (unsigned int i = FROM; i < FROM + N; i++) {
		one.key = i;
		vtb_run(b->tb, 30);
		vtb_check_eq(b->tb, b->done, i - FROM + 1);
	}
	vtb_check_eq(b->tb, b->misses, 0);
	vtb_destroy(b->tb);
}

/* INIT, READ, MODIFY, EVICT and DROP do to the record in memory what hw.def says. */
static void firmware(void **state)
{
	struct bench *b = start();
	struct cairn_mpt m = {
		.key = 0x705, .flags = 1 | 0x1f00, .pd = 1, .base = 4096, .length = 100
	};
	struct cairn_mpt got, mask = { .length = ~0ull }, change = { .length = 77, .pd = 9 };
	static const uint8_t zero[64];
	uint8_t ones[64];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	mr_mpt(b, 9)->key = 8 << 8; /* another record's */
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_FREE);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_READ, 9, zero, zero),
		     CAIRN_CTX_RESULT_DAMAGED);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_READ, KEYS, zero, zero),
		     CAIRN_CTX_RESULT_FREE);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_INIT, 7, &m, ones), CAIRN_CTX_RESULT_OK);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_MODIFY, 7, &change, &mask),
		     CAIRN_CTX_RESULT_OK);
	m.length = 77;
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	assert_memory_equal(b->port.got, &m, 64);
	memcpy(&got, mr_mpt(b, 7), 64);
	assert_memory_equal(&got, zero, 64);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_EVICT, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	vtb_run_until_fn(b->tb, mr_quiet, b, 500, "write-back");
	assert_memory_equal(mr_mpt(b, 7), &m, 64);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	memset(mr_mpt(b, 7), 0, 64);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_DROP, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_FREE);
	vtb_destroy(b->tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interval),
		cmocka_unit_test(firmware),
		cmocka_unit_test(ahead),
		cmocka_unit_test(no_room),
		cmocka_unit_test(random_traffic),
	};

	return cmocka_run_group_tests_name("mr_service", tests, NULL, NULL);
}
