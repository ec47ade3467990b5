// SPDX-License-Identifier: Apache-2.0
/*
 * atomic_unit: random operations of several QPs on few addresses against a reference that executes
 * them one by one, over a memory whose writes arrive late and whose reads come back in any order
 * or fail; order of writes, resource, kick; what a failure skips; and how fast it is.
 */
#include "vtb_rec.h"
#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"

#include <string.h>

#define SLOTS 16
#define ADDRS 72
#define GROUPS (ADDRS / 3)
#define MAX_OPS 4096

enum stage { NEW, VALUE, ENTRY, CHIP, OVER };

struct op {
	unsigned int slot, addr, gen, psn, msn, res;
	uint64_t iova, swap_add, compare, original;
	bool cas, ack_before, skip, read, read_failed, failed, kicked;
	enum stage stage; /* passed */
	uint64_t done_at;
};

struct posted {
	unsigned int addr;
	uint64_t value, due;
};

struct read {
	bool used, fail;
	unsigned int tag, addr;
	uint16_t not_before;
	uint64_t due;
};

struct bench {
	struct vtb *tb;
	unsigned int depth, addrs, slots, pause, latency, delay, fail_pct, cas_pct, skip_pct, total;
	struct op op[MAX_OPS];
	unsigned int offered, taken, head; /* head: the oldest not over */
	bool showing, dead[SLOTS], walk,   /* 24 addresses in turn, each with a place of its own */
		pages;			   /* each address begins a page */
	unsigned int inside[SLOTS], res[SLOTS], psn[SLOTS];
	uint32_t qpn[SLOTS];
	uint8_t gen[SLOTS], eqn[SLOTS], func[2], res_func;
	uint64_t res_base, high[GROUPS]; /* high: of the address */
	uint64_t mem[ADDRS], ref[ADDRS];
	struct rec_dma_rsp beat;
	struct posted posted[64]; /* ADDRS: not of the test's memory */
	unsigned int p_head, p_tail;
	struct read rd[64];
	unsigned int reading, most_reading, reads, late, failures, executed, counted;
};

static uint64_t iova_of(const struct bench *b, unsigned int a)
{
	/* Three and three have one place in 2 MiB. */
	static const uint64_t same[] = { 0, 1u << CAIRN_ATOMIC_PLACE_LOG2, 1u << 24 };

	if (b->pages)
		return b->high[0] + a * 4096;
	return (b->high[a / 3] + a / 3 * 8 * 37) ^ same[a % 3];
}

static unsigned int func_of(const struct bench *b, unsigned int a)
{
	return b->func[a & 1];
}

static bool roll(struct bench *b, unsigned int percent)
{
	return rng_percent(&b->tb->rng, percent);
}

/* ---- operations ---- */

static void new_op(struct bench *b, struct op *o)
{
	struct rng *r = &b->tb->rng;
	unsigned int s = rng_below(r, b->slots);

	*o = (struct op){ .slot = s, .addr = rng_below(r, b->addrs), .gen = b->gen[s] };
	if (b->walk)
		o->addr = b->taken * 3 % ADDRS;
	if (b->dead[s] && !b->inside[s] && roll(b, 50))
		b->dead[s] = false; /* connected anew */
	o->iova = iova_of(b, o->addr);
	o->cas = roll(b, b->cas_pct);
	o->ack_before = roll(b, 30);
	o->skip = b->dead[s] || roll(b, b->skip_pct);
	o->psn = b->psn[s]++ & 0xffffff;
	o->msn = rng_below(r, 1 << 24);
	o->res = b->res[s]++ & 0xff;
	o->swap_add = roll(b, 10) ? 0 : roll(b, 50) ? rng_below(r, 4) : rng_u64(r);
	/* Often right: the value of this moment, which others ahead may change. */
	o->compare = roll(b, 70) ? b->ref[o->addr] : rng_below(r, 4);
}

static void show_op(struct bench *b)
{
	const struct op *o = &b->op[b->taken];
	struct rec_at_op op;

	vtb_set(b->tb, "op_valid_i", b->showing);
	if (!b->showing)
		return;
	op = (struct rec_at_op){
		.skip = o->skip,
		.cas = o->cas,
		.ack_before = o->ack_before,
		.func = (uint8_t)func_of(b, o->addr),
		.iova = o->iova,
		.swap_add = o->swap_add,
		.compare = o->compare,
		.slot = (uint16_t)o->slot,
		.qpn = b->qpn[o->slot],
		.gen = (uint8_t)o->gen,
		.psn = o->psn,
		.msn = o->msn,
		.res = (uint8_t)o->res,
		.eqn = b->eqn[o->slot],
	};
	vtb_put_at_op(vtb_port(b->tb, "op_i"), 0, &op);
}

/* ---- memory ---- */

static void put_beat(struct bench *b, bool valid)
{
	vtb_set(b->tb, "beat_valid_i", valid);
	vtb_put_dma_rsp(vtb_port(b->tb, "beat_meta_i"), 0, &b->beat);
}

/* The answer to one read that is due, if there is one. */
static bool answer(struct bench *b)
{
	struct vtb *tb = b->tb;
	const struct sim_port *data = vtb_port(tb, "beat_data_i");
	unsigned int start = rng_below(&tb->rng, 64);
	uint8_t bytes[64];

	for (unsigned int i = 0; i < 64; i++) {
		struct read *r = &b->rd[(start + i) % 64];

		if (!r->used || r->due > tb->cycle || (int16_t)(b->p_head - r->not_before) < 0)
			continue;
		rng_bytes(&tb->rng, bytes, sizeof(bytes));
		memcpy(bytes, &b->mem[r->addr], 8);
		vtb_put_bytes(data, 0, bytes, data->width / 8);
		b->beat = (struct rec_dma_rsp){
			.client = REC_RD_ATOM,
			.tag = (uint16_t)r->tag,
			.nbytes = r->fail && roll(b, 50) ? 0 : 8,
			.last = 1,
			.err = r->fail,
		};
		r->used = false;
		b->reading--;
		return true;
	}
	return false;
}

static void drive_memory(struct bench *b)
{
	struct rng *rng = &b->tb->rng;
	bool valid;

	while (b->p_head != b->p_tail && b->posted[b->p_head % 64].due <= b->tb->cycle) {
		const struct posted *p = &b->posted[b->p_head++ % 64];

		if (p->addr < ADDRS)
			b->mem[p->addr] = p->value;
	}
	vtb_set(b->tb, "last_ticket_i", b->p_tail & 0xffff);
	valid = answer(b);
	if (!valid) { /* of another client, or nothing */
		b->beat = (struct rec_dma_rsp){
			.client = (uint8_t)((REC_RD_ATOM + 1 + rng_below(rng, 15)) % 16),
			.tag = (uint16_t)rng_below(rng, roll(b, 50) ? b->depth : 1 << 12),
			.offset = (uint16_t)rng_below(rng, 1 << 13),
			.skip = (uint8_t)rng_below(rng, 4),
			.nbytes = (uint8_t)(roll(b, 50) ? 8 : rng_below(rng, 1 << 7)),
			.last = roll(b, 50),
			.err = roll(b, 10),
		};
		valid = roll(b, 30);
		if (!valid && roll(b, 50))
			b->beat.client = REC_RD_ATOM;
	}
	put_beat(b, valid);
}

static void drive(struct vtb *tb, void *arg)
{
	static const char *const ready[] = { "ev_ready_i",  "rd_ready_i",   "wr_ready_i",
					     "res_ready_i", "done_ready_i", "kick_ready_i" };
	struct bench *b = arg;

	drive_memory(b);
	vtb_set(tb, "epoch_i", roll(b, 50)); /* only passed on */
	if (!b->showing && b->taken < b->total && !roll(b, b->pause)) {
		new_op(b, &b->op[b->taken]);
		b->showing = true;
	}
	show_op(b);
	for (unsigned int i = 0; i < 6; i++)
		vtb_set(tb, ready[i], !roll(b, b->pause));
	if (b->p_tail - b->p_head >= 60)
		vtb_set(tb, "wr_ready_i", 0);
}

/* The one that is read: one taken may wait for the place of one that is in the ring. */
static struct op *op_of_tag(struct bench *b, unsigned int tag, uint64_t iova)
{
	unsigned int n = b->head - b->head % b->depth + tag;

	vtb_check(b->tb, tag < b->depth);
	for (n = n < b->head ? n + b->depth : n; n < b->taken; n += b->depth)
		if (b->op[n].stage == NEW && !b->op[n].read && b->op[n].iova == iova)
			return &b->op[n];
	vtb_fail(b->tb, "read of tag %u, address %llx: of no operation", tag,
		 (unsigned long long)iova);
}

static void sample_read(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct rec_dma_rd req;
	unsigned int i = 0;
	struct op *o;

	if (!vtb_get(tb, "rd_valid_o") || !vtb_get(tb, "rd_ready_i"))
		return;
	req = vtb_get_dma_rd(vtb_port(tb, "rd_req_o"), 0);
	o = op_of_tag(b, req.tag, req.iova);
	o->read = true;
	vtb_check_eq(tb, req.func, func_of(b, o->addr));
	vtb_check_eq(tb, req.len, 8);
	vtb_check_eq(tb, req.nb_valid, 1);
	while (b->rd[i].used)
		i++;
	b->rd[i] = (struct read){ .used = true,
				  .fail = roll(b, b->fail_pct),
				  .tag = req.tag,
				  .addr = o->addr,
				  .not_before = req.not_before,
				  .due = tb->cycle + b->latency / 2 +
					 rng_below(&tb->rng, b->latency / 2 + 1) };
	o->read_failed = b->rd[i].fail;
	b->reads++;
	b->reading++;
	if (b->reading > b->most_reading)
		b->most_reading = b->reading;
	for (struct op *k = &b->op[b->head]; k < o; k++)
		if (k->addr != o->addr && k->addr / 3 == o->addr / 3)
			b->late++;
}

/* ---- results, each of the oldest operation ---- */

static struct op *oldest(struct bench *b, enum stage min, enum stage max)
{
	struct op *o = &b->op[b->head];

	/* The next one may write while the last one's resource is put on chip, or its end
	 * is said. */
	if (o->stage > max || o->skip || o->failed)
		o++;
	vtb_check(b->tb, o < &b->op[b->taken] && o->stage >= min && o->stage <= max);
	return o;
}

static uint64_t outcome(struct bench *b, const struct op *o)
{
	uint64_t old = b->ref[o->addr];

	return !o->cas ? old + o->swap_add : old == o->compare ? o->swap_add : old;
}

static void check_entry(struct bench *b, const struct op *o, const struct cairn_rsp_res *e)
{
	struct cairn_rsp_res want = {
		.psn = o->psn | CAIRN_PUT(CAIRN_RSP_RES_PSN_KIND, CAIRN_RES_KIND_ATOMIC) |
		       CAIRN_RSP_RES_PSN_DONE | (o->cas ? CAIRN_RSP_RES_PSN_CAS : 0) |
		       (o->ack_before ? CAIRN_RSP_RES_PSN_ACK_BEFORE : 0),
		.msn = o->msn | CAIRN_PUT(CAIRN_RSP_RES_MSN_GEN, o->gen),
		.va = o->original,
		.ticket = CAIRN_PUT(CAIRN_RSP_RES_TICKET_ACK_MSN_LO, (o->msn - 1) & 0xffff),
		.qpn = b->qpn[o->slot],
	};

	vtb_check(b->tb, !memcmp(e, &want, sizeof(want)));
}

static void sample_write(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct posted *p = &b->posted[b->p_tail % 64];
	struct cairn_rsp_res e;
	struct rec_dma_wr cmd;
	uint64_t value;
	struct op *o;

	if (!vtb_get(tb, "wr_valid_o") || !vtb_get(tb, "wr_ready_i"))
		return;
	cmd = vtb_get_dma_wr(vtb_port(tb, "wr_cmd_o"), 0);
	vtb_check_eq(tb, cmd.payload, 0);
	*p = (struct posted){ .addr = ADDRS, .due = tb->cycle + 1 + rng_below(&tb->rng, b->delay) };
	b->p_tail++;
	o = oldest(b, NEW, VALUE);
	vtb_check(tb, !o->skip && !o->failed);
	value = outcome(b, o);
	if (cmd.len == 8) {
		vtb_check(tb, o->stage == NEW && value != b->ref[o->addr]);
		vtb_check_eq(tb, cmd.iova, o->iova);
		vtb_check_eq(tb, cmd.func, func_of(b, o->addr));
		p->value = cmd.data[0];
		vtb_check_eq(tb, p->value, value);
		p->addr = o->addr;
		o->stage = VALUE;
		return;
	}
	vtb_check(tb, o->stage == VALUE || value == b->ref[o->addr]);
	vtb_check_eq(tb, cmd.len, 32);
	vtb_check_eq(tb, cmd.func, b->res_func);
	vtb_check_eq(tb, cmd.iova, b->res_base + b->qpn[o->slot] * 512ull + (o->res & 15) * 32);
	o->original = b->ref[o->addr];
	memcpy(&e, cmd.data, sizeof(e));
	check_entry(b, o, &e);
	b->ref[o->addr] = value;
	o->stage = ENTRY;
	b->executed++;
}

static void sample_failure(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct rec_rsp_ev ev;
	struct op *o;

	if (!vtb_get(tb, "ev_valid_o") || !vtb_get(tb, "ev_ready_i"))
		return;
	o = oldest(b, NEW, NEW);
	vtb_check(tb, !o->skip && !o->failed && o->read_failed);
	ev = vtb_get_rsp_ev(vtb_port(tb, "ev_o"), 0);
	vtb_check_eq(tb, ev.kind, REC_RSE_ATOM);
	vtb_check_eq(tb, ev.slot, o->slot);
	vtb_check_eq(tb, ev.qpn, b->qpn[o->slot]);
	vtb_check_eq(tb, ev.gen, o->gen);
	vtb_check_eq(tb, ev.psn, o->psn);
	vtb_check_eq(tb, ev.msn, o->msn);
	vtb_check_eq(tb, ev.syn, 0x63);
	vtb_check_eq(tb, ev.vendor, CAIRN_VENDOR_ERR_DMA_READ);
	vtb_check_eq(tb, ev.eqn, b->eqn[o->slot]);
	vtb_check_eq(tb, ev.res, o->res);
	o->failed = true;
	b->failures++;
	b->dead[o->slot] = true;
	for (struct op *k = o + 1; k < &b->op[b->taken + b->showing]; k++)
		k->skip |= k->slot == o->slot;
}

static void sample_end(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct op *o = &b->op[b->head];

	if (vtb_get(tb, "res_valid_o") && vtb_get(tb, "res_ready_i")) {
		struct cairn_rsp_res e;

		vtb_check(tb, o->stage == ENTRY);
		vtb_get_bytes(vtb_port(tb, "res_entry_o"), 0, &e, sizeof(e));
		check_entry(b, o, &e);
		vtb_check_eq(tb, vtb_get(tb, "res_index_o"), o->res & 15);
		o->stage = CHIP;
	}
	if (vtb_get(tb, "kick_valid_o") && vtb_get(tb, "kick_ready_i")) {
		struct op *k = o->stage == OVER ? o : &b->op[b->head];

		vtb_check(tb, k->stage >= CHIP && !k->kicked && !k->skip && !k->failed);
		vtb_check_eq(tb, vtb_get(tb, "kick_qpn_o"), b->qpn[k->slot]);
		k->kicked = true;
	}
	if (vtb_get(tb, "done_valid_o") && vtb_get(tb, "done_ready_i")) {
		vtb_check(tb, o->stage == (o->skip || o->failed ? NEW : CHIP));
		vtb_check_eq(tb, vtb_get(tb, "done_slot_o"), o->slot);
		o->stage = OVER;
		o->done_at = tb->cycle;
		b->inside[o->slot]--;
	}
	if (o->stage == OVER && (o->kicked || o->skip || o->failed))
		b->head++;
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	sample_read(b);
	sample_write(b);
	sample_failure(b);
	sample_end(b);
	b->counted += vtb_get(tb, "events_rx_atomic_o");
	if (b->showing && vtb_get(tb, "op_ready_o")) {
		b->inside[b->op[b->taken].slot]++;
		b->taken++;
		b->showing = false;
	}
}

/* ---- tests ---- */

static void numbers(struct bench *b)
{
	struct rng *r = &b->tb->rng;

	for (unsigned int s = 0; s < SLOTS; s++) {
		b->qpn[s] = (uint32_t)rng_below(r, 1 << 24);
		b->psn[s] = (uint32_t)rng_below(r, 1 << 24);
		b->res[s] = (uint32_t)rng_below(r, 256);
		b->gen[s] = (uint8_t)rng_u64(r);
		b->eqn[s] = (uint8_t)rng_u64(r);
	}
	for (unsigned int i = 0; i < GROUPS; i++)
		b->high[i] = rng_u64(r) & ~0x3ffffffull;
	b->func[0] = (uint8_t)rng_u64(r);
	b->func[1] = b->func[0] ^ 0xff; /* which alone makes it another memory */
	b->res_base = rng_u64(r) & ~0xfffull;
	b->res_func = (uint8_t)rng_u64(r);
	vtb_set(b->tb, "res_base_i", b->res_base);
	vtb_set(b->tb, "res_func_i", b->res_func);
}

static struct bench *start(unsigned int total, unsigned int slots, unsigned int addrs)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	numbers(b);
	b->depth = 32;
	b->slots = slots;
	b->addrs = addrs;
	b->total = total;
	b->delay = 1;
	b->latency = 40;
	b->cas_pct = 50;
	for (unsigned int a = 0; a < ADDRS; a++)
		b->mem[a] = b->ref[a] = rng_below(&b->tb->rng, 4);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

static void finish(struct bench *b)
{
	vtb_run_until(b->tb, b->head == b->total && vtb_get(b->tb, "idle_o"), 400000);
	vtb_run(b->tb, 300);
	vtb_check(b->tb, vtb_get(b->tb, "idle_o") && b->p_head == b->p_tail && !b->reading);
	vtb_check(b->tb, !memcmp(b->mem, b->ref, sizeof(b->mem)));
	vtb_check_eq(b->tb, b->counted, b->executed);
	print_message("# %u operations in %llu cycles: %u executed, %u reads, %u failed, %u late, "
		      "at most %u reads under way\n",
		      b->total, (unsigned long long)b->tb->cycle, b->executed, b->reads,
		      b->failures, b->late, b->most_reading);
	vtb_destroy(b->tb);
	free(b);
}

static void mixed(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct bench *b = start(700, SLOTS, (const unsigned int[]){ 1, 3, 12, ADDRS }[i]);

		b->pause = i * 20;
		b->delay = 1 + i * 40;
		b->latency = 20 + 60 * i;
		b->skip_pct = i;
		finish(b);
	}
}

static void failures(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct bench *b = start(900, 2 + 2 * i, 2 + 3 * i);

		b->pause = i * 15;
		b->delay = 30;
		b->latency = 100;
		b->fail_pct = 3;
		finish(b);
	}
	/* with all places taken, and the next one waiting */
	for (unsigned int i = 0; i < 3; i++) {
		struct bench *b = start(900, 1 + i, ADDRS);

		b->walk = true;
		b->pause = 30 * i;
		b->latency = 300;
		b->fail_pct = 10;
		finish(b);
	}
}

/* All places of the ring read at the same time; none waits for another's answer. */
static void read_together(bool pages)
{
	struct bench *b = start(240, SLOTS, ADDRS);

	b->walk = true;
	b->pages = pages;
	b->latency = 400;
	vtb_run_until(b->tb, b->reading >= 16, 100);
	vtb_run_until(b->tb, b->head == b->total, 20000);
	vtb_check(b->tb, b->most_reading >= 16);
	finish(b);
}

static void different_addresses(void **state)
{
	(void)state;
	read_together(false);
}

static void page_aligned(void **state)
{
	(void)state;
	read_together(true);
}

static void one_address(void **state)
{
	struct bench *b = start(200, SLOTS, 1);
	uint64_t first;

	(void)state;
	b->cas_pct = 0;
	b->latency = 200;
	vtb_run_until(b->tb, b->head == 1, 1000);
	first = b->tb->cycle;
	vtb_run_until(b->tb, b->head == b->total, 1000);
	print_message("# one address: %llu cycles for %u more\n",
		      (unsigned long long)(b->tb->cycle - first), b->total - 1);
	vtb_check(b->tb, b->tb->cycle - first <= 4 * (b->total - 1));
	vtb_check(b->tb, b->reads < b->total / 16);
	finish(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(mixed), cmocka_unit_test(failures),
					    cmocka_unit_test(different_addresses),
					    cmocka_unit_test(page_aligned),
					    cmocka_unit_test(one_address) };

	return cmocka_run_group_tests_name("atomic_unit", tests, NULL, NULL);
}
