// SPDX-License-Identifier: Apache-2.0
/*
 * mr_service against the checks of ROCE.md 12: four clients with random requests to random regions
 * (good, free, damaged; direct and paged with all page sizes; windows), caches far smaller than the
 * tables, firmware that evicts meanwhile. A miss must be followed by the strobe, and a repeated
 * request must come to an end. Directed: initiation interval, firmware's operations.
 */
#include "../queue_cq/host.h"

#include <string.h>

#include "cairn_hw.h"

#define KEYS 32
#define MPT 0x1000u
#define MTT 0x4000u
#define PTES 512
#define REQ_W 199
#define RSP_W 173
#define Q 64

struct req {
	uint32_t key, pd, qpn, chk, len;
	uint64_t va;
	unsigned int rights, remote, last;
};

struct client {
	struct req fly[Q], again[Q], offer;
	unsigned int head, tail, n_again;
	bool offering, wait; /* wait: for the strobe */
	uint64_t since;
	unsigned int done;
};

static struct env {
	struct vtb *tb;
	struct host h;
	struct client c[4];
	unsigned int send_pc, busy, clients, done, ok, errs[256], misses;
	bool fw, stop;
	unsigned int fw_sel, fw_pc, fw_status;
	uint8_t fw_data[64];
	bool simple;
} E;

static struct cairn_mpt *mpt(struct env *e, unsigned int i)
{
	return (struct cairn_mpt *)(e->h.mem + MPT + 64 * i);
}

static void region(struct env *e, unsigned int i)
{
	static const unsigned int lg[] = { 12, 16, 21, 30 };
	struct rng *r = &e->tb->rng;
	struct cairn_mpt *m = mpt(e, i);
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
		m->qpn = (uint32_t)rng_below(r, 3);
	}
	if (i == 9)
		m->key ^= 0x100; /* another's record: damaged */
}

/* The verdict, from ROCE.md 12. */
static unsigned int verdict(struct env *e, const struct req *q, uint64_t *iova, uint32_t *len)
{
	struct cairn_mpt *m = mpt(e, q->key >> 8);
	uint64_t lgp, page, off, first;
	unsigned int need = q->rights, n;

	iova[0] = iova[1] = 0;
	len[0] = q->len;
	len[1] = 0;
	if (q->key >> 8 >= KEYS || !m->key)
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	if (m->key >> 8 != q->key >> 8)
		return CAIRN_VENDOR_ERR_CTX_CHECK;
	if (!(m->flags & 3) || m->flags & CAIRN_MPT_FLAGS_FREED)
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	if (m->key != q->key)
		return CAIRN_VENDOR_ERR_KEY_TAG;
	if (m->pd != q->pd || (m->flags & CAIRN_MPT_FLAGS_WINDOW && m->qpn && m->qpn != q->qpn))
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (q->remote && !(m->flags & CAIRN_MPT_FLAGS_WINDOW) &&
	    need & (CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC))
		need |= CAIRN_ACCESS_LOCAL_WRITE;
	if (need & ~(m->flags >> 8 & 0xff) || (m->flags & CAIRN_MPT_FLAGS_WINDOW && !q->remote))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	if ((unsigned __int128)q->va + q->chk > (unsigned __int128)m->base + m->length ||
	    q->va < m->base)
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	if ((m->flags & 3) == CAIRN_MR_MODE_DIRECT) {
		iova[0] = m->map + (q->va - m->base);
		return 0;
	}
	lgp = m->flags >> 16 & 63;
	page = 1ull << lgp;
	off = q->va - (m->base - m->base % page); /* from the start of the first page */
	first = m->map + off / page;
	n = q->va % page + q->len > page ? 2 : 1;
	if (n == 2) {
		len[0] = (uint32_t)(page - q->va % page);
		len[1] = q->len - len[0];
	}
	for (unsigned int k = 0; k < n; k++) {
		uint64_t pte = 0;

		if (first + k < PTES)
			memcpy(&pte, e->h.mem + MTT + 8 * (first + k), 8);
		if (!(pte & 1))
			return CAIRN_VENDOR_ERR_KEY_PTE;
		iova[k] = (pte & ~(page - 1)) + (k ? 0 : q->va % page);
	}
	return 0;
}

static void make(struct env *e, struct req *q)
{
	struct rng *r = &e->tb->rng;
	unsigned int i = (unsigned int)rng_below(r, KEYS + rng_percent(r, 5));
	struct cairn_mpt *m = mpt(e, i < KEYS ? i : 0);

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
	q->va = m->base;
	if (m->length > q->chk)
		q->va += rng_below(r, m->length - q->chk + 1);
	if (rng_percent(r, 5))
		q->va += (uint64_t)rng_below(r, 5) - 2;
	if (rng_percent(r, 2))
		q->chk = 0xffffffff;
	q->last = (unsigned int)rng_below(r, 2);
	if (e->simple) {
		q->key = m->key;
		q->pd = m->pd;
		q->rights = 0;
		q->chk = q->len = 64;
		q->va = m->base;
	}
}

static void put_req(struct env *e, unsigned int c)
{
	const struct sim_port *p = vtb_port(e->tb, "mr_req_i");
	const struct req *q = &e->c[c].offer;
	unsigned int at = c * REQ_W;

	vtb_put_bits(p, at, 1, q->last);
	vtb_put_bits(p, at + 1, 1, q->remote);
	vtb_put_bits(p, at + 2, 8, q->rights);
	vtb_put_bits(p, at + 10, 32, q->chk);
	vtb_put_bits(p, at + 42, 13, q->len);
	vtb_put_bits(p, at + 55, 64, q->va);
	vtb_put_bits(p, at + 119, 24, q->qpn);
	vtb_put_bits(p, at + 143, 24, q->pd);
	vtb_put_bits(p, at + 167, 32, q->key);
}

static void drive(struct vtb *tb, void *arg)
{
	struct env *e = arg;
	unsigned int valid = 0, ready = 0;

	for (unsigned int i = 0; i < e->clients; i++) {
		struct client *c = &e->c[i];

		if (!c->offering && c->n_again && !c->wait) {
			c->offer = c->again[--c->n_again];
			c->offering = true;
			put_req(e, i);
		} else if (!c->offering && !e->stop && c->n_again < 3 &&
			   rng_percent(&tb->rng, e->send_pc)) {
			make(e, &c->offer);
			c->offering = true;
			put_req(e, i);
		}
		valid |= (unsigned int)c->offering << i;
		ready |= (unsigned int)!rng_percent(&tb->rng, e->busy) << i;
	}
	vtb_set(tb, "mr_req_valid_i", valid);
	vtb_set(tb, "mr_rsp_ready_i", ready);
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, e->busy));
	vtb_set(tb, "wr_ticket_i", (uint16_t)(e->h.ticket + 1));
	if (!e->fw && !e->stop && rng_percent(&tb->rng, e->fw_pc)) {
		uint8_t lines[64] = { (uint8_t)rng_below(&tb->rng, 4) };

		e->fw = true;
		e->fw_sel = (unsigned int)rng_below(&tb->rng, 2);
		vtb_set(tb, "fw_key_i", rng_below(&tb->rng, e->fw_sel ? PTES / 8 : KEYS));
		vtb_set(tb, "fw_op_i", e->fw_sel ? CAIRN_CTX_OP_DROP : CAIRN_CTX_OP_EVICT);
		vtb_put_bytes(vtb_port(tb, "fw_data_i"), 0, lines, 64);
	}
	vtb_set(tb, "fw_valid_i", (uint64_t)e->fw << e->fw_sel);
}

static void answer(struct env *e, unsigned int i)
{
	struct client *c = &e->c[i];
	uint64_t iova[2];
	uint32_t len[2];
	unsigned int want, at = i * RSP_W, status;
	const struct sim_port *p = vtb_port(e->tb, "mr_rsp_o");
	struct req q;

	vtb_check(e->tb, c->head != c->tail);
	q = c->fly[c->head++ % Q];
	status = (unsigned int)vtb_get_bits(p, at + 171, 2);
	vtb_check_eq(e->tb, vtb_get_bits(p, at, 1), q.last);
	if (status == 1) {
		e->misses++;
		c->again[c->n_again++] = q;
		c->wait = true;
		c->since = e->tb->cycle;
		return;
	}
	want = verdict(e, &q, iova, len);
	e->done++;
	e->errs[want]++;
	if (want) {
		vtb_check_eq(e->tb, status, 2);
		vtb_check_eq(e->tb, vtb_get_bits(p, at + 163, 8), want);
		return;
	}
	if (status)
		vtb_fail(e->tb, "key %x va %llx len %u chk %u: error %llu, none expected", q.key,
			 (unsigned long long)q.va, q.len, q.chk,
			 (unsigned long long)vtb_get_bits(p, at + 163, 8));
	vtb_check_eq(e->tb, vtb_get_bits(p, at + 155, 8), mpt(e, q.key >> 8)->flags >> 24);
	vtb_check_eq(e->tb, vtb_get_bits(p, at + 91, 64), iova[0]);
	vtb_check_eq(e->tb, vtb_get_bits(p, at + 78, 13), len[0]);
	vtb_check_eq(e->tb, vtb_get_bits(p, at + 1, 13), len[1]);
	if (len[1])
		vtb_check_eq(e->tb, vtb_get_bits(p, at + 14, 64), iova[1]);
}

static void sample(struct vtb *tb, void *arg)
{
	struct env *e = arg;
	uint64_t valid = vtb_get(tb, "mr_rsp_valid_o"), ready = vtb_get(tb, "mr_rsp_ready_i");
	bool strobe = vtb_get(tb, "mr_fill_o");
	uint64_t iova;
	unsigned int len;
	uint8_t cmd[96];

	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i")) {
		vtb_get_bytes(vtb_port(tb, "wr_cmd_o"), 0, cmd, 77);
		vtb_check(tb, host_write(&e->h, cmd, &iova, &len));
	}
	if (vtb_get(tb, "fw_done_o")) {
		vtb_check_eq(tb, vtb_get(tb, "fw_done_o"), 1u << e->fw_sel);
		e->fw_status = (unsigned int)vtb_get(tb, "fw_status_o") >> 3 * e->fw_sel & 7;
		vtb_get_bytes(vtb_port(tb, "fw_data_o"), 512 * e->fw_sel, e->fw_data, 64);
		e->fw = false;
	}
	for (unsigned int i = 0; i < e->clients; i++) {
		struct client *c = &e->c[i];

		/* A strobe in the cycle of the answer is the last one's. */
		if (c->wait && strobe)
			c->wait = false;
		if (c->wait && tb->cycle > c->since + 3000)
			vtb_fail(tb, "client %u: no strobe after a miss", i);
		if (valid >> i & ready >> i & 1)
			answer(e, i);
		if (c->offering && vtb_get(tb, "mr_req_ready_o") >> i & 1) {
			c->fly[c->tail++ % Q] = c->offer;
			c->offering = false;
			vtb_check(tb, c->tail - c->head <= 16);
		}
	}
}

static struct env *start(void)
{
	struct env *e = &E;
	static unsigned int runs;

	memset(e, 0, sizeof(*e));
	e->tb = vtb_create();
	for (unsigned int i = 0; i < runs; i++) /* each run is another one */
		rng_u64(&e->tb->rng);
	runs += 7;
	host_init(&e->h, e->tb, 4);
	e->clients = 4;
	for (unsigned int i = 0; i < KEYS; i++)
		region(e, i);
	for (unsigned int i = 0; i < PTES; i++) {
		uint64_t pte = rng_u64(&e->tb->rng) & ~0xfffull;

		if (rng_percent(&e->tb->rng, 92))
			pte |= 1;
		memcpy(e->h.mem + MTT + 8 * i, &pte, 8);
	}
	vtb_set(e->tb, "mpt_base_i", MPT);
	vtb_set(e->tb, "mpt_entries_i", KEYS);
	vtb_set(e->tb, "mtt_base_i", MTT);
	vtb_set(e->tb, "mtt_entries_i", PTES);
	vtb_on_drive(e->tb, drive, e);
	vtb_on_sample(e->tb, sample, e);
	return e;
}

static bool quiet(void *arg)
{
	struct env *e = arg;

	for (unsigned int i = 0; i < 4; i++)
		if (e->c[i].offering || e->c[i].n_again || e->c[i].head != e->c[i].tail)
			return false;
	return !e->fw && vtb_get(e->tb, "idle_o");
}

static unsigned int seen[256];

static void traffic(unsigned int send, unsigned int busy, unsigned int fw, unsigned int cycles)
{
	struct env *e = start();

	e->send_pc = send;
	e->busy = e->h.busy = busy;
	e->fw_pc = fw;
	vtb_run(e->tb, cycles);
	e->stop = true;
	vtb_run_until_fn(e->tb, quiet, e, 20000, "all requests answered");
	if (e->done < 100 || !e->misses || e->errs[0] < 25)
		vtb_fail(e->tb, "too little done: %u, %u misses, %u good", e->done, e->misses,
			 e->errs[0]);
	for (unsigned int i = 0; i < 256; i++)
		seen[i] += e->errs[i];
	vtb_destroy(e->tb);
}

static bool all_seen(void)
{
	for (unsigned int i = CAIRN_VENDOR_ERR_KEY_INDEX; i <= CAIRN_VENDOR_ERR_KEY_PTE; i++)
		if (!seen[i])
			return false;
	return seen[CAIRN_VENDOR_ERR_CTX_CHECK];
}

static void random_traffic(void **state)
{
	(void)state;
	traffic(30, 30, 2, 12000);
	traffic(5, 0, 0, 15000);
	traffic(100, 10, 1, 12000);
	/* what is rare may take longer */
	for (int round = 0; round < 8 && !all_seen(); round++)
		traffic(30, 30, 2, 12000);
	assert_true(all_seen());
}

static void interval(void **state)
{
	struct env *e = start();
	unsigned int from;

	(void)state;
	for (unsigned int i = 0; i < KEYS; i++) {
		*mpt(e, i) = *mpt(e, i % 4);
		mpt(e, i)->key = 0;
	}
	for (unsigned int i = 0; i < 4; i++) {
		struct cairn_mpt m = { .key = i << 8 | 5,
				       .pd = 1,
				       .base = 0x10000 * i,
				       .length = 1000,
				       .map = 8 * i };

		m.flags = (i & 1 ? CAIRN_MR_MODE_PAGED : CAIRN_MR_MODE_DIRECT) | 12 << 16;
		*mpt(e, i) = m;
		e->h.mem[MTT + 64 * i] |= 1;
	}
	for (unsigned int i = 4; i < KEYS; i++)
		*mpt(e, i) = *mpt(e, i % 4); /* make() then asks for one of four keys */
	e->simple = true;
	e->send_pc = 5;
	vtb_run(e->tb, 600);
	e->send_pc = 100;
	vtb_run(e->tb, 50);
	from = e->done;
	vtb_run(e->tb, 200);
	vtb_check(e->tb, e->done - from >= 199);
	vtb_destroy(e->tb);
}

static unsigned int fw_op(struct env *e, unsigned int sel, unsigned int op, uint32_t key,
			  const void *data, const void *mask)
{
	vtb_put_bytes(vtb_port(e->tb, "fw_data_i"), 0, data, 64);
	vtb_put_bytes(vtb_port(e->tb, "fw_mask_i"), 0, mask, 64);
	vtb_set(e->tb, "fw_op_i", op);
	vtb_set(e->tb, "fw_key_i", key);
	e->fw_sel = sel;
	e->fw = true;
	vtb_run_until(e->tb, !e->fw, 3000);
	return e->fw_status;
}

/* INIT, READ, MODIFY, EVICT and DROP do to the record in memory what hw.def says. */
static void firmware(void **state)
{
	struct env *e = start();
	struct cairn_mpt m = {
		.key = 0x705, .flags = 1 | 0x1f00, .pd = 1, .base = 4096, .length = 100
	};
	struct cairn_mpt got, mask = { .length = ~0ull }, change = { .length = 77, .pd = 9 };
	static const uint8_t zero[64];

	(void)state;
	mpt(e, 9)->key = 8 << 8; /* another record's */
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_FREE);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_READ, 9, zero, zero),
		     CAIRN_CTX_RESULT_DAMAGED);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_READ, KEYS, zero, zero),
		     CAIRN_CTX_RESULT_FREE);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_INIT, 7, &m, zero), CAIRN_CTX_RESULT_OK);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_MODIFY, 7, &change, &mask),
		     CAIRN_CTX_RESULT_OK);
	m.length = 77;
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	assert_memory_equal(e->fw_data, &m, 64);
	memcpy(&got, mpt(e, 7), 64);
	assert_memory_equal(&got, zero, 64);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_EVICT, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	vtb_run_until_fn(e->tb, quiet, e, 500, "write-back");
	assert_memory_equal(mpt(e, 7), &m, 64);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	memset(mpt(e, 7), 0, 64);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_DROP, 7, zero, zero), CAIRN_CTX_RESULT_OK);
	vtb_check_eq(e->tb, fw_op(e, 0, CAIRN_CTX_OP_READ, 7, zero, zero), CAIRN_CTX_RESULT_FREE);
	vtb_destroy(e->tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interval),
		cmocka_unit_test(firmware),
		cmocka_unit_test(random_traffic),
	};

	return cmocka_run_group_tests_name("mr_service", tests, NULL, NULL);
}
