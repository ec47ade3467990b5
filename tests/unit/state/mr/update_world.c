// SPDX-License-Identifier: Apache-2.0
#include "update_world.h"

#include <string.h>

static struct bench B;
struct upd_env E;

static uint64_t *ptes(struct bench *b)
{
	return (uint64_t *)(b->h.mem + MTT);
}

void upd_version(struct bench *b, unsigned int i, uint64_t from)
{
	struct version *v = &E.v[i][E.n_v[i] % VERSIONS];

	if (E.n_v[i])
		E.v[i][(E.n_v[i] - 1) % VERSIONS].to = b->tb->cycle;
	v->m = E.now[i];
	v->from = from;
	v->to = UINT64_MAX;
	memcpy(v->ptes, ptes(b), sizeof(v->ptes));
	E.n_v[i]++;
}

/* ---- operations ---- */

/* A lookup of the key, or an operation on it, is under way. */
static bool in_use(struct bench *b, unsigned int key)
{
	for (unsigned int i = 0; i < 4; i++) {
		const struct client *c = &b->c[i];

		if (c->offering && c->offer.key >> 8 == key)
			return true;
		for (unsigned int k = 0; k < c->n_again; k++)
			if (c->again[k].key >> 8 == key)
				return true;
		for (unsigned int k = c->head; k != c->tail; k++)
			if (c->fly[k % MRQ].key >> 8 == key)
				return true;
	}
	for (unsigned int i = 0; i < 2; i++)
		if ((E.change[i].offering || E.change[i].busy) && E.change[i].u.key >> 8 == key)
			return true;
	return false;
}

static unsigned int pick(struct rng *r, unsigned int from, unsigned int to)
{
	return from + (unsigned int)rng_below(r, to - from + 1);
}

static bool make_reg(struct bench *b, struct upd *u)
{
	static const unsigned int lg[] = { 12, 16, 21, 30 };
	struct rng *r = &b->tb->rng;
	unsigned int i = pick(r, 1, 6);
	struct cairn_mpt *m = &E.now[i];
	uint64_t page, room;

	if (in_use(b, i))
		return false;
	u->key = i << 8 | (uint32_t)rng_below(r, 256);
	u->page_log2 = lg[rng_below(r, 4)];
	page = 1ull << u->page_log2;
	u->addr = rng_u64(r) >> 1;
	if (rng_percent(r, 10))
		u->addr = (uint64_t) - (int)(1 + rng_below(r, 9000));
	room = m->pages * page - u->addr % page;
	u->length = 1 + rng_below(r, room < 30000 ? room : 30000);
	if (rng_percent(r, 10))
		u->length = room + rng_below(r, 2);
	if (rng_percent(r, 2))
		u->length = 0;
	if (rng_percent(r, 3))
		u->page_log2++;
	u->page_list = m->map + rng_percent(r, 3);
	u->access = (unsigned int)rng_below(r, rng_percent(r, 90) ? 64 : 256);
	if (rng_percent(r, 70))
		u->access |= 17;
	if (m->flags & CAIRN_MPT_FLAGS_FREED && m->pages) /* a new list */
		for (unsigned int k = 0; k < LIST; k++)
			ptes(b)[i * LIST + k] = (rng_u64(r) & ~0xfffull) | rng_percent(r, 95);
	return true;
}

static void make_bind(struct rng *r, struct upd *u)
{
	unsigned int i = pick(r, 15, 28), k = rng_percent(r, 70) ? pick(r, 7, 14) : pick(r, 1, 6);
	struct cairn_mpt *m;

	if (rng_percent(r, 5))
		k = rng_percent(r, 50) ? DAMAGED : pick(r, 0, 31);
	if (rng_percent(r, 5))
		i = pick(r, 0, 31);
	m = &E.now[k];
	u->key = i << 8 | (uint32_t)rng_below(r, 256);
	u->mr_key = rng_percent(r, 95) && m->key ? m->key : k << 8 | (uint32_t)rng_below(r, 256);
	u->access = (unsigned int)rng_below(r, rng_percent(r, 95) ? 8 : 128) << 1;
	u->access &= rng_percent(r, 95) ? 46 : 255;
	if (i < 21)
		u->access &= rng_percent(r, 95) ? 14 : 255;
	u->length = m->length ? 1 + rng_below(r, m->length) : 1;
	u->addr = m->base + (m->length ? rng_below(r, m->length - u->length + 1) : 0);
	if (rng_percent(r, 10)) {
		u->addr = m->base;
		u->length = m->length;
	}
	if (rng_percent(r, 6))
		u->addr += rng_percent(r, 50) ? 1 : (uint64_t)-1;
	if (rng_percent(r, 4))
		u->length = 0;
	if (rng_percent(r, 2))
		u->length = UINT64_MAX - rng_below(r, 100);
	if (rng_percent(r, 60) && m->key)
		u->pd = m->pd;
}

/* Client c gives the key new life meanwhile. */
static bool bound_anew(unsigned int key, unsigned int c)
{
	return (E.change[c].busy || E.change[c].offering) && E.change[c].u.key >> 8 == key &&
	       (E.change[c].u.op == BIND || E.change[c].u.op == REG);
}

static bool make_upd(struct bench *b, struct upd *u)
{
	struct rng *r = &b->tb->rng;
	unsigned int i = rng_percent(r, 90) ? (rng_percent(r, 50) ? pick(r, 1, 6) : pick(r, 21, 28))
					    : pick(r, 0, 31);

	memset(u, 0, sizeof(*u));
	u->op = (unsigned int)rng_below(r, 4);
	u->pd = 1 + (uint32_t)rng_below(r, 2);
	u->qpn = (uint32_t)rng_below(r, 2);
	u->key = E.now[i].key;
	if (!u->key || rng_percent(r, 4))
		u->key = i << 8 | (uint32_t)rng_below(r, 256);
	if (u->op == BIND)
		make_bind(r, u);
	if (u->op == REG && !make_reg(b, u))
		return false;
	if (u->op == BIND && (bound_anew(u->key >> 8, 0) || bound_anew(u->key >> 8, 1)))
		return false; /* which is the last one would not show */
	if (rng_percent(r, 92) && u->op != BIND)
		u->pd = E.now[u->key >> 8].pd;
	if (u->op == RINV && rng_percent(r, 90))
		u->qpn = E.now[u->key >> 8].qpn;
	return true;
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	for (unsigned int i = 0; i < 2; i++) {
		if (!E.change[i].offering && !E.change[i].busy && !b->stop &&
		    rng_percent(&tb->rng, E.upd_pc) && make_upd(b, &E.change[i].u)) {
			E.change[i].offering = true;
			mr_put_upd(b, i, &E.change[i].u);
		}
		vtb_put(mr_port(b, mr_side[i], "key_change_valid_i"), E.change[i].offering);
		vtb_put(mr_port(b, mr_side[i], "key_change_ready_i"),
			!rng_percent(&tb->rng, E.rsp_busy));
	}
}

/* ---- what is seen ---- */

static void count(unsigned int vendor)
{
	if (vendor == CAIRN_VENDOR_ERR_KEY_INDEX || vendor == CAIRN_VENDOR_ERR_KEY_TAG)
		E.cnt[0]++;
	if (vendor == CAIRN_VENDOR_ERR_KEY_PD)
		E.cnt[1]++;
	if (vendor == CAIRN_VENDOR_ERR_KEY_RIGHTS || vendor == CAIRN_VENDOR_ERR_KEY_STATE ||
	    vendor == CAIRN_VENDOR_ERR_KEY_BUSY)
		E.cnt[2]++;
	if (vendor == CAIRN_VENDOR_ERR_KEY_BOUNDS || vendor == CAIRN_VENDOR_ERR_KEY_PTE)
		E.cnt[3]++;
}

/* Of two operations answered in one cycle: which was the first? */
static unsigned int first_of(const unsigned int *vendor)
{
	struct cairn_mpt then[KEYS];
	uint64_t changed;

	memcpy(then, E.now, sizeof(then));
	if (mr_ref(then, &E.change[0].u, &changed) != vendor[0])
		return 1;
	return mr_ref(then, &E.change[1].u, &changed) != vendor[1];
}

static void executed(struct bench *b, unsigned int c, unsigned int vendor)
{
	const struct upd *u = &E.change[c].u;
	uint64_t changed;
	unsigned int want = mr_ref(E.now, u, &changed);

	if (vendor != want)
		vtb_fail(b->tb,
			 "client %u op %u key %x region %x addr %llx length %llx access %x: "
			 "%u, %u expected",
			 c, u->op, u->key, u->mr_key, (unsigned long long)u->addr,
			 (unsigned long long)u->length, u->access, vendor, want);
	if (!want && (u->op == INV || u->op == RINV) && b->use && !bound_anew(u->key >> 8, !c)) {
		if (b->key_until[u->key >> 8] > b->tb->cycle)
			vtb_fail(b->tb, "key %x is gone, and used until %llu", u->key,
				 (unsigned long long)b->key_until[u->key >> 8]);
		E.gone[u->key >> 8] = b->tb->cycle;
	}
	if (!want && (u->op == REG || u->op == BIND))
		E.gone[u->key >> 8] = 0;
	E.upds++;
	E.outcome[u->op][want]++;
	count(want);
	for (unsigned int i = 0; i < KEYS; i++)
		if (changed >> i & 1)
			upd_version(b, i, E.change[c].since);
}

static void judge_now(struct bench *b, const struct req *q, const struct answer *a, uint64_t at)
{
	unsigned int i = q->key >> 8, n = i < KEYS ? E.n_v[i] : 0, vendor = 0;
	struct answer want;

	count(a->status ? a->vendor : 0);
	if (!n) {
		vendor = mr_verdict(i == DAMAGED ? mr_mpt(b, DAMAGED) : NULL, ptes(b), q, &want);
		vtb_check(b->tb, mr_same(q, vendor, &want, a));
		return;
	}
	for (unsigned int k = n > VERSIONS ? n - VERSIONS : 0; k < n; k++) {
		const struct version *v = &E.v[i][k % VERSIONS];

		if (k && k == n - VERSIONS && v->from > q->since) {
			E.skipped++;
			return;
		}
		if (v->from > at || v->to < q->since)
			continue;
		vendor = mr_verdict(&v->m, v->ptes, q, &want);
		if (mr_same(q, vendor, &want, a))
			return;
	}
	vtb_fail(b->tb,
		 "lookup of %x from %llu to %llu, va %llx inv %u: status %u %u iova %llx, "
		 "last expected %u %llx",
		 q->key, (unsigned long long)q->since, (unsigned long long)at,
		 (unsigned long long)q->va, q->inv, a->status, a->vendor,
		 (unsigned long long)a->iova[0], vendor, (unsigned long long)want.iova[0]);
}

static void judge(struct bench *b, const struct req *q, const struct answer *a)
{
	vtb_check(b->tb, E.n_late < 4096);
	if (!a->status && E.gone[q->key >> 8] && !bound_anew(q->key >> 8, 0) &&
	    !bound_anew(q->key >> 8, 1))
		vtb_fail(b->tb, "key %x is gone, and a client may begin", q->key);
	E.late[E.n_late].q = *q;
	E.late[E.n_late].a = *a;
	E.late[E.n_late++].at = b->tb->cycle;
}

/* Once nothing that began before the answer is open. */
static void judge_late(struct bench *b)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < E.n_late; i++) {
		bool open = false;

		for (unsigned int c = 0; c < 2; c++)
			open |= E.change[c].busy && !E.change[c].shown &&
				E.change[c].since <= E.late[i].at;
		if (open)
			E.late[n++] = E.late[i];
		else
			judge_now(b, &E.late[i].q, &E.late[i].a, E.late[i].at);
	}
	E.n_late = n;
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	unsigned int shows = 0, first = 0, valid = 0, taken = 0, v[2];

	for (unsigned int c = 0; c < 2; c++) {
		unsigned int on = vtb_read(mr_port(b, mr_side[c], "key_change_valid_o")) != 0;

		valid |= on << c;
		taken |= (on && vtb_read(mr_port(b, mr_side[c], "key_change_ready_i"))) << c;
		v[c] = (unsigned int)vtb_read(mr_port(b, mr_side[c], "key_change_vendor_o"));
		shows |= (unsigned int)(E.change[c].busy && !E.change[c].shown && (valid >> c & 1))
			 << c;
	}
	if (shows == 3)
		first = first_of(v);
	for (unsigned int k = 0; k < 2; k++) {
		unsigned int c = first ^ k;

		if (shows >> c & 1) {
			executed(b, c, v[c]);
			E.change[c].shown = true;
		}
	}
	for (unsigned int c = 0; c < 2; c++) {
		if (E.change[c].busy && tb->cycle > E.change[c].since + 6000)
			vtb_fail(tb, "client %u: no answer to operation %u of %x, region %x", c,
				 E.change[c].u.op, E.change[c].u.key, E.change[c].u.mr_key);
		if (taken >> c & 1)
			E.change[c].busy = false;
		if (E.change[c].offering &&
		    vtb_read(mr_port(b, mr_side[c], "key_change_ready_o"))) {
			E.change[c].offering = E.change[c].shown = false;
			E.change[c].busy = true;
			E.change[c].since = tb->cycle;
		}
	}
	if (E.fw_was && !b->fw && E.fw_mod)
		E.now[E.fw_key].rsvd1 = E.fw_value;
	E.fw_was = b->fw;
	judge_late(b);
}

static bool make(struct bench *b, struct req *q)
{
	struct rng *r = &b->tb->rng;
	unsigned int i = E.only ? E.only : pick(r, 0, 31);
	const struct cairn_mpt *m = &E.now[i];
	bool window = m->flags & CAIRN_MPT_FLAGS_WINDOW;

	memset(q, 0, sizeof(*q));
	q->key = m->key && rng_percent(r, 95) ? m->key : i << 8 | (uint32_t)rng_below(r, 256);
	q->pd = m->pd;
	q->qpn = rng_percent(r, 90) ? m->qpn : 1;
	q->remote = window || rng_percent(r, 50);
	q->rights = rng_percent(r, 50) ? 0 : 1u << rng_below(r, 4);
	q->inv = rng_percent(r, 10);
	q->len = 1 + (uint32_t)rng_below(r, m->length < 4096 ? m->length + 1 : 4096);
	if (q->len > 4096)
		q->len = 4096;
	q->chk = q->len;
	q->va = ACC(m) & CAIRN_ACCESS_ZERO_BASED ? 0 : m->base;
	if (m->length > q->chk)
		q->va += rng_below(r, m->length - q->chk + 1);
	if (rng_percent(r, 5))
		q->va += rng_below(r, 5) - 2;
	return true;
}

static void fw_random(struct bench *b)
{
	static const unsigned int ops[] = { CAIRN_CTX_OP_READ, CAIRN_CTX_OP_EVICT,
					    CAIRN_CTX_OP_MODIFY, CAIRN_CTX_OP_MODIFY };
	struct rng *r = &b->tb->rng;
	struct cairn_mpt data = { 0 }, mask = { .rsvd1 = ~0ull };
	unsigned int op = ops[rng_below(r, 4)];

	E.fw_mod = false;
	b->fw_sel = rng_percent(r, 20);
	E.fw_key = pick(r, 1, LAST_KEY);
	E.fw_value = rng_u64(r);
	data.rsvd1 = E.fw_value;
	if (b->fw_sel) {
		E.fw_key = (unsigned int)rng_below(r, PTES / 8);
		op = CAIRN_CTX_OP_DROP;
		data.key = (uint32_t)rng_below(r, 4); /* lines */
	}
	E.fw_mod = op == CAIRN_CTX_OP_MODIFY;
	vtb_ctx_put(&b->port, &data, &mask);
	vtb_set(b->tb, "fw_key_i", E.fw_key);
	vtb_set(b->tb, "fw_op_i", op);
}

static void region(struct rng *r, unsigned int i)
{
	static const unsigned int lg[] = { 12, 16, 21, 30 };
	struct cairn_mpt *m = &E.now[i];

	m->key = i << 8 | (uint32_t)rng_below(r, 256);
	m->pd = 1 + (uint32_t)rng_percent(r, 25);
	m->flags = (uint32_t)rng_below(r, 4) << 24;
	m->map = i * LIST;
	if (FAST(i)) {
		m->flags |= CAIRN_MPT_FLAGS_FREED;
		m->pages = pick(r, 1, LIST);
	} else if (REGION(i)) {
		m->flags |= i < 11 ? CAIRN_MR_MODE_DIRECT : CAIRN_MR_MODE_PAGED | lg[i - 11] << 16;
		m->flags |= (uint32_t)rng_below(r, 16) << 8 | (rng_percent(r, 90) ? 0x1000 : 0);
		m->base = rng_percent(r, 10) ? 0 : rng_u64(r) >> 1;
		m->length = 1 + rng_below(r, 20000);
		if (i < 11)
			m->map = rng_u64(r) >> 4;
	} else {
		m->flags |= CAIRN_MPT_FLAGS_FREED | CAIRN_MPT_FLAGS_WINDOW;
		m->flags |= TYPE2(i) ? CAIRN_MPT_FLAGS_TYPE2 : 0;
		m->map = 0;
	}
}

struct bench *upd_start(void)
{
	struct bench *b = mr_bench(&B);

	memset(&E, 0, sizeof(E));
	b->make = make;
	b->judge = judge;
	b->fw_random = fw_random;
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	for (unsigned int i = 0; i < PTES; i++)
		ptes(b)[i] = (rng_u64(&b->tb->rng) & ~0xfffull) | rng_percent(&b->tb->rng, 95);
	for (unsigned int i = 1; i <= LAST_KEY; i++) {
		region(&b->tb->rng, i);
		*mr_mpt(b, i) = E.now[i];
		upd_version(b, i, 0);
	}
	mr_mpt(b, DAMAGED)->key = 28 << 8; /* damaged */
	return b;
}

static bool still(void *arg)
{
	return mr_quiet(arg) && !E.change[0].busy && !E.change[1].busy && !E.change[0].offering &&
	       !E.change[1].offering;
}

void upd_finish(struct bench *b)
{
	b->stop = true;
	vtb_run_until_fn(b->tb, still, b, 20000, "all done");
	b->fw_random = NULL;
	for (unsigned int i = 1; i <= LAST_KEY; i++)
		vtb_check_eq(b->tb, mr_fw(b, 0, CAIRN_CTX_OP_EVICT, i, NULL, NULL),
			     CAIRN_CTX_RESULT_OK);
	vtb_run_until_fn(b->tb, mr_quiet, b, 2000, "written back");
	vtb_check_eq(b->tb, E.n_late, 0);
	for (unsigned int i = 1; i <= LAST_KEY; i++)
		if (memcmp(mr_mpt(b, i), &E.now[i], 64))
			vtb_fail(b->tb, "record %u is not what it should be", i);
	for (unsigned int i = 0; i < 4; i++)
		vtb_check_eq(b->tb, b->cnt[i], E.cnt[i]);
}

unsigned int upd_cycles(struct bench *b, const struct upd *u)
{
	uint64_t from;

	E.change[0].u = *u;
	E.change[0].offering = true;
	mr_put_upd(b, 0, u);
	vtb_tick(b->tb);
	from = b->tb->cycle;
	vtb_run_until(b->tb, E.change[0].shown, 2000);
	vtb_run_until(b->tb, !E.change[0].busy, 2000);
	return (unsigned int)(b->tb->cycle - from);
}
