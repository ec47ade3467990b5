// SPDX-License-Identifier: Apache-2.0
/*
 * doorbell: random doorbells on every cycle, good and bad, with firmware operations between them,
 * against a model of the tables; kicks and arm words come, wrong ones are counted by cause.
 * doorbell_push in it: blocks in the push window come out in order and whole, or not at all; none
 * that its doorbell or its own words speak against; each doorbell of the window counts once.
 * doorbell_posted: what is no kick is told once for each QP, with all that is posted by then, and
 * only of queues that rested twice, or of four blocks at once.
 */
#include <stdio.h>
#include <string.h>

#include "vtb.h"
#include "cairn_bits.h"
#include "cairn_hw.h"

#define N 16

#define PUSHES 65536

struct entry {
	bool valid, err;
	unsigned int page;
	uint16_t index;
	uint8_t gen;
};

/* A block that may come out. */
struct pushed {
	uint32_t qpn;
	uint8_t gen, block[64];
	uint16_t index;
};

static struct {
	struct pushed may[PUSHES];
	unsigned int may_n, may_at;
	unsigned long windows, taken, ignored, out, put;
} p;

static struct {
	struct entry t[5][N];
	bool kick[3][N], arm[N], armed[N];
	uint64_t kick_at[3][N];
	uint32_t arm_word[N];
	uint8_t oldest[N]; /* how far each send queue is retired, low bits */
	bool early[N];	   /* something was posted that may be told so */
	unsigned long posted, kicked_sq;
	unsigned long bad_page, bad_index, bad_form, sq, rq, cq, got[6], eq, eq_got;
} m;

static const char *const counter[6] = { "events_db_bad_page_o", "events_db_bad_index_o",
					"events_db_bad_form_o", "events_db_sq_o",
					"events_db_rq_o",	"events_db_cq_o" };

static void pushes(struct vtb *tb)
{
	uint8_t block[64];

	p.taken += vtb_get(tb, "events_push_taken_o");
	p.ignored += vtb_get(tb, "events_push_ignored_o");
	if (!vtb_get(tb, "pushed_valid_o") || !vtb_get(tb, "pushed_ready_i"))
		return;
	p.out++;
	p.put += vtb_get(tb, "pushed_taken_i");
	vtb_get_bytes(vtb_port(tb, "pushed_block_o"), 0, block, 64);
	/* Some found no place on their way. */
	for (; p.may_at < p.may_n; p.may_at++) {
		const struct pushed *may = &p.may[p.may_at];

		if (!memcmp(may->block, block, 64) && may->qpn == vtb_get(tb, "pushed_qpn_o") &&
		    may->gen == vtb_get(tb, "pushed_gen_o") &&
		    may->index == vtb_get(tb, "pushed_index_o")) {
			p.may_at++;
			return;
		}
	}
	vtb_fail(tb, "a block that must not be used, or of another queue");
}

/* A QP whose work is to be read: up to where the newest doorbell was, or one under way. */
static void posted(struct vtb *tb)
{
	unsigned int q = (unsigned int)vtb_get(tb, "posted_qpn_o");
	uint16_t from = (uint16_t)vtb_get(tb, "posted_from_o");
	uint16_t upto = (uint16_t)vtb_get(tb, "posted_upto_o");

	if (!vtb_get(tb, "posted_valid_o") || !vtb_get(tb, "posted_ready_i"))
		return;
	vtb_check(tb, m.early[q]);
	vtb_check(tb, (uint16_t)(upto - from) < 64);
	/* Of doorbells that have come since it was read there is another one, or a kick. */
	vtb_check(tb, (uint16_t)(m.t[CAIRN_DB_TABLE_SQ][q].index - upto) < 0x8000);
	if (tb->cycle - m.kick_at[0][q] > 4) {
		vtb_check_eq(tb, upto, m.t[CAIRN_DB_TABLE_SQ][q].index);
		m.kick[0][q] = false;
	}
	m.posted++;
}

static void outputs(struct vtb *tb, void *arg)
{
	static const char *const k[3] = { "sq", "cmp", "rsp" };
	char port[32];

	(void)arg;
	pushes(tb);
	posted(tb);
	for (int i = 0; i < 6; i++)
		m.got[i] += vtb_get(tb, counter[i]);
	m.eq_got += vtb_get(tb, "eq_valid_o");
	for (int i = 0; i < 3; i++) {
		snprintf(port, sizeof(port), "kick_%s_valid_o", k[i]);
		if (!vtb_get(tb, port))
			continue;
		snprintf(port, sizeof(port), "kick_%s_ready_i", k[i]);
		if (!vtb_get(tb, port))
			continue;
		snprintf(port, sizeof(port), "kick_%s_qpn_o", k[i]);
		/* one that has left before the doorbell was through does not count */
		vtb_check(tb, m.kick_at[i][vtb_get(tb, port)]);
		if (tb->cycle - m.kick_at[i][vtb_get(tb, port)] > 2)
			m.kick[i][vtb_get(tb, port)] = false;
		m.kicked_sq += i == 0;
	}
	if (vtb_get(tb, "arm_valid_o") && vtb_get(tb, "arm_ready_i")) {
		unsigned int cqn = (unsigned int)vtb_get(tb, "arm_cqn_o");

		/* an older word, or the newest once more, is no harm: the sequence number tells */
		vtb_check(tb, m.armed[cqn]);
		if (vtb_get(tb, "arm_word_o") == m.arm_word[cqn])
			m.arm[cqn] = false;
	}
}

static void kick(struct vtb *tb, unsigned int i, unsigned int num)
{
	m.kick[i][num] = true;
	m.kick_at[i][num] = tb->cycle;
}

static void model(struct vtb *tb, unsigned int kind, unsigned int page, unsigned int num,
		  uint32_t word)
{
	struct entry *e = &m.t[kind][num % N];
	unsigned int limit = kind == CAIRN_DB_TABLE_SRQ ? 4 : N;
	uint16_t ahead = (uint16_t)(word - e->index);

	if (num >= limit || !e->valid || e->page != page) {
		m.bad_page++;
	} else if (kind == CAIRN_DB_TABLE_CQ) {
		m.cq++;
		m.arm[num] = m.armed[num] = true;
		m.arm_word[num] = word & 0x7ffff;
	} else if (kind == CAIRN_DB_TABLE_EQ) {
		m.eq++;
	} else if (ahead >= 0x8000) {
		m.bad_index++;
	} else if (ahead) {
		e->index = (uint16_t)word;
		if (kind == CAIRN_DB_TABLE_SQ) {
			m.sq++;
			m.early[num] = true;
			kick(tb, e->err, num);
		} else {
			m.rq++;
			if (kind == CAIRN_DB_TABLE_RQ && e->err)
				kick(tb, 2, num);
		}
	}
}

static uint16_t fw(struct vtb *tb, unsigned int kind, unsigned int op, unsigned int num,
		   unsigned int page)
{
	vtb_set(tb, "op_valid_i", 1);
	vtb_set(tb, "op_kind_i", kind);
	vtb_set(tb, "op_op_i", op);
	vtb_set(tb, "op_number_i", num);
	vtb_set(tb, "op_page_i", page);
	vtb_set(tb, "op_gen_i", num * 5 + page);
	vtb_run_until(tb, vtb_get(tb, "op_ready_o"), 100);
	vtb_set(tb, "op_valid_i", 0);
	vtb_tick(tb);
	return (uint16_t)vtb_get(tb, "op_index_o");
}

/* One change of a table by firmware; no doorbell is under way. */
static void change(struct vtb *tb)
{
	unsigned int kind = (unsigned int)rng_below(&tb->rng, 5);
	unsigned int num = (unsigned int)rng_below(&tb->rng, kind == CAIRN_DB_TABLE_SRQ ? 4 : N);
	unsigned int page = (unsigned int)rng_below(&tb->rng, 3);
	struct entry *e = &m.t[kind][num];

	switch (rng_below(&tb->rng, 5)) {
	case 0:
	case 1:
		fw(tb, kind, CAIRN_DB_OP_OPEN, num, page);
		*e = (struct entry){ .valid = true, .page = page };
		e->gen = (uint8_t)(num * 5 + page);
		break;
	case 2:
		fw(tb, kind, CAIRN_DB_OP_ERROR, num, page);
		e->err = !(page & 1);
		break;
	case 3:
		vtb_check_eq(tb, fw(tb, kind, CAIRN_DB_OP_READ, num, page), e->index);
		break;
	default:
		if (rng_percent(&tb->rng, 20)) {
			fw(tb, kind, CAIRN_DB_OP_CLOSE, num, page);
			*e = (struct entry){ 0 };
		}
	}
}

static void ready(struct vtb *tb, unsigned int kicks, unsigned int arms)
{
	vtb_set(tb, "kick_sq_ready_i", rng_percent(&tb->rng, kicks));
	vtb_set(tb, "kick_cmp_ready_i", rng_percent(&tb->rng, kicks));
	vtb_set(tb, "kick_rsp_ready_i", rng_percent(&tb->rng, kicks));
	vtb_set(tb, "posted_ready_i", rng_percent(&tb->rng, kicks));
	vtb_set(tb, "arm_ready_i", rng_percent(&tb->rng, arms));
	vtb_set(tb, "pushed_ready_i", rng_percent(&tb->rng, kicks));
	vtb_set(tb, "pushed_taken_i", rng_percent(&tb->rng, 70));
}

/* An operation that may be pushed, or any number that may not. */
static uint32_t pushed_op(struct vtb *tb, bool may)
{
	static const uint8_t ops[] = { CAIRN_WQE_OP_SEND,      CAIRN_WQE_OP_SEND_IMM,
				       CAIRN_WQE_OP_SEND_INV,  CAIRN_WQE_OP_WRITE,
				       CAIRN_WQE_OP_WRITE_IMM, CAIRN_WQE_OP_READ };
	uint32_t op = ops[rng_below(&tb->rng, sizeof(ops))];

	while (!may) {
		op = (uint32_t)rng_below(&tb->rng, 256);
		may = !memchr(ops, (int)op, sizeof(ops));
	}
	return op;
}

/* A block for the window, mostly one that may be used if its doorbell is the next one. */
static void push(struct vtb *tb, unsigned int page, unsigned int num, uint32_t word)
{
	const struct entry *e = &m.t[CAIRN_DB_TABLE_SQ][num % N];
	unsigned int wrong = (unsigned int)rng_below(&tb->rng, 16), sges = rng_below(&tb->rng, 2);
	struct cairn_wqe wqe;
	bool good = wrong > 8 && num < N && e->valid && e->page == page && !e->err &&
		    (uint16_t)(e->index + 1) == (uint16_t)word;
	uint32_t op = pushed_op(tb, true), in_wqe = 0, blocks = 1;

	rng_bytes(&tb->rng, &wqe, sizeof(wqe));
	wqe.check = (uint16_t)(word - 1) | cairn_wqe_owner(num, e->gen)
						   << CAIRN_WQE_CHECK_OWNER_SHIFT;
	if (rng_percent(&tb->rng, 30)) {
		in_wqe = 1;
		wqe.length = (uint32_t)rng_below(&tb->rng, 25);
		sges = (unsigned int)rng_below(&tb->rng, 32);
	}
	if (wrong < 2)
		wqe.check ^= 1u << rng_below(&tb->rng, 32);
	else if (wrong < 4)
		blocks = rng_percent(&tb->rng, 50) ? 0 : 2 + (uint32_t)rng_below(&tb->rng, 14);
	else if (wrong < 6)
		op = pushed_op(tb, false);
	else if (in_wqe)
		wqe.length += wrong <= 8 ? 25 : 0;
	else
		sges += wrong <= 8 ? 2 : 0;
	wqe.ctrl = op | in_wqe << CAIRN_WQE_CTRL_INLINE_SHIFT |
		   sges << CAIRN_WQE_CTRL_NUM_SGE_SHIFT | blocks << CAIRN_WQE_CTRL_BLOCKS_SHIFT;
	vtb_put_bytes(vtb_port(tb, "db_block_i"), 0, (const uint8_t *)&wqe, 56);
	vtb_set(tb, "db_pushed_i", 1);
	memset((uint8_t *)&wqe + 56, 0, 8);
	if (good) {
		struct pushed *may = &p.may[p.may_n++];

		vtb_check(tb, p.may_n < PUSHES);
		*may = (struct pushed){ .qpn = num, .gen = e->gen, .index = e->index };
		memcpy(may->block, &wqe, 64);
	}
}

/* Work of a queue is retired, all or a part. */
static void retire(struct vtb *tb, bool now)
{
	unsigned int q = (unsigned int)rng_below(&tb->rng, N);

	vtb_set(tb, "sq_rd_retired_valid_i", now);
	vtb_set(tb, "sq_rd_retired_qpn_i", q);
	vtb_set(tb, "sq_rd_retired_index_i",
		(m.t[CAIRN_DB_TABLE_SQ][q].index - rng_below(&tb->rng, 3)) & 63);
}

/* One cycle with a doorbell, right or wrong in page, index or form, in `busy` % of them. */
static void ring(struct vtb *tb, unsigned int busy)
{
	static const unsigned int offset[5] = { CAIRN_DB_SQ, CAIRN_DB_RQ, CAIRN_DB_SRQ,
						CAIRN_DB_CQ_ARM, CAIRN_DB_EQ };
	unsigned int kind = (unsigned int)rng_below(&tb->rng, 5);
	unsigned int num = (unsigned int)rng_below(&tb->rng, N + 1);
	unsigned int page = rng_percent(&tb->rng, 80) ? m.t[kind][num % N].page
						      : (unsigned int)rng_below(&tb->rng, 4);
	uint32_t word = (uint32_t)rng_u64(&tb->rng) & 0xf0000, at = offset[kind];
	bool form = rng_percent(&tb->rng, 3), part = rng_percent(&tb->rng, 3);

	word |= (uint16_t)(m.t[kind][num % N].index + (rng_percent(&tb->rng, 80)
							       ? rng_below(&tb->rng, 4)
							       : rng_u64(&tb->rng)));
	/* the push window: its last quadword rings, a part of it does nothing */
	if (form)
		at = 0x28;
	else if (part)
		at = CAIRN_DB_PUSH + 8 * (uint32_t)rng_below(&tb->rng, 7);
	else if (kind == CAIRN_DB_TABLE_SQ && rng_percent(&tb->rng, 70))
		at = CAIRN_DB_PUSH + 56;
	vtb_set(tb, "db_valid_i", rng_percent(&tb->rng, busy));
	vtb_set(tb, "db_pushed_i", 0);
	vtb_set(tb, "db_page_i", page);
	vtb_set(tb, "db_offset_i", at);
	vtb_set(tb, "db_data_i", (uint64_t)num << 32 | word);
	ready(tb, 50, 30);
	retire(tb, rng_percent(&tb->rng, 30));
	if (vtb_get(tb, "db_valid_i")) {
		if (form)
			m.bad_form++;
		p.windows += !form && !part && at == CAIRN_DB_PUSH + 56;
		if (!form && !part && at == CAIRN_DB_PUSH + 56 && rng_percent(&tb->rng, 80))
			push(tb, page, num, word);
		if (!form && !part)
			model(tb, kind, page, num, word);
	}
	vtb_tick(tb);
}

/* All kicks have come out and the tables hold what the model does. */
static void check_tables(struct vtb *tb)
{
	for (unsigned int q = 0; q < N; q++) {
		vtb_check(tb, !m.kick[0][q] && !m.kick[1][q] && !m.kick[2][q] && !m.arm[q]);
		vtb_set(tb, "sq_rd_walk_i", q);
		vtb_set(tb, "rq_rd_qpn_i", q);
		vtb_tick(tb);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "sq_rd_walk_o"), m.t[0][q].index);
		vtb_check_eq(tb, vtb_get(tb, "rq_rd_pi_o"), m.t[1][q].index);
	}
}

static void rings(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	memset(&m, 0, sizeof(m));
	memset(&p, 0, sizeof(p));
	vtb_set(tb, "enable_i", 1);
	vtb_run(tb, 60);
	vtb_on_sample(tb, outputs, NULL);
	for (int round = 0; round < 400; round++) {
		for (int i = 0; i < 4; i++)
			change(tb);
		for (int i = 0; i < 100; i++)
			ring(tb, round & 1 ? 100 : 40);
		vtb_set(tb, "db_valid_i", 0);
		vtb_set(tb, "db_pushed_i", 0);
		retire(tb, false);
		ready(tb, 100, 100);
		vtb_run(tb, 80);
		check_tables(tb);
	}
	vtb_check_eq(tb, m.got[0], m.bad_page);
	vtb_check_eq(tb, m.got[1], m.bad_index);
	vtb_check_eq(tb, m.got[2], m.bad_form);
	vtb_check_eq(tb, m.got[3], m.sq);
	vtb_check_eq(tb, m.got[4], m.rq);
	vtb_check_eq(tb, m.got[5], m.cq);
	vtb_check_eq(tb, m.eq_got, m.eq);
	vtb_check_eq(tb, p.taken, p.put);
	vtb_check_eq(tb, p.taken + p.ignored, p.windows);
	vtb_check(tb, p.put > 30 && p.put < p.out && p.may_n < 2 * p.out);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check(tb, m.posted > 100 && m.kicked_sq > 100);
	vtb_check(tb, m.sq > 300 && m.bad_page && m.bad_index && m.cq);
	vtb_destroy(tb);
}

/* A doorbell a cycle, each with its block, and nobody takes them: four wait, no doorbell does. */
static void pushes_wait(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	memset(&m, 0, sizeof(m));
	memset(&p, 0, sizeof(p));
	vtb_set(tb, "enable_i", 1);
	vtb_run(tb, 60);
	vtb_on_sample(tb, outputs, NULL);
	fw(tb, CAIRN_DB_TABLE_SQ, CAIRN_DB_OP_OPEN, 5, 1);
	m.t[CAIRN_DB_TABLE_SQ][5] = (struct entry){ .valid = true, .page = 1, .gen = 26 };
	vtb_set(tb, "pushed_taken_i", 1);
	vtb_set(tb, "kick_sq_ready_i", 1);
	vtb_set(tb, "db_page_i", 1);
	vtb_set(tb, "db_offset_i", CAIRN_DB_PUSH + 56);
	while (p.windows < 40) {
		uint32_t word = m.t[CAIRN_DB_TABLE_SQ][5].index + 1u;

		p.windows++;
		vtb_set(tb, "db_valid_i", 1);
		vtb_set(tb, "db_data_i", 5ull << 32 | word);
		push(tb, 1, 5, word);
		model(tb, CAIRN_DB_TABLE_SQ, 1, 5, word);
		vtb_tick(tb);
	}
	vtb_set(tb, "db_valid_i", 0);
	vtb_run(tb, 10);
	vtb_check_eq(tb, vtb_get(tb, "idle_o"), 0);
	vtb_check_eq(tb, p.out, 0);
	vtb_set(tb, "pushed_ready_i", 1);
	vtb_run(tb, 20);
	vtb_check(tb, p.out && p.out <= 4);
	vtb_check_eq(tb, p.taken, p.out);
	vtb_check_eq(tb, p.taken + p.ignored, p.windows);
	vtb_check_eq(tb, m.got[3], p.windows);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

/* What a doorbell of `blocks` becomes: a kick, or told as posted, up to `index`. */
static void becomes(struct vtb *tb, unsigned int blocks, bool early)
{
	uint16_t was = m.t[CAIRN_DB_TABLE_SQ][5].index, index = (uint16_t)(was + blocks);

	vtb_set(tb, "db_valid_i", 1);
	vtb_set(tb, "db_page_i", 1);
	vtb_set(tb, "db_offset_i", CAIRN_DB_SQ);
	vtb_set(tb, "db_data_i", 5ull << 32 | index);
	vtb_tick(tb);
	vtb_set(tb, "db_valid_i", 0);
	vtb_set(tb, "posted_ready_i", 0);
	vtb_set(tb, "kick_sq_ready_i", 0);
	vtb_run(tb, 8);
	vtb_check_eq(tb, vtb_get(tb, "posted_valid_o"), early);
	vtb_check_eq(tb, vtb_get(tb, "kick_sq_valid_o"), !early);
	if (early)
		vtb_check_eq(tb, vtb_get(tb, "posted_upto_o"), index);
	vtb_set(tb, "posted_ready_i", 1);
	vtb_set(tb, "kick_sq_ready_i", 1);
	vtb_run(tb, 4);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	m.t[CAIRN_DB_TABLE_SQ][5].index = index;
}

static void retired(struct vtb *tb)
{
	vtb_set(tb, "sq_rd_retired_valid_i", 1);
	vtb_set(tb, "sq_rd_retired_qpn_i", 5);
	vtb_set(tb, "sq_rd_retired_index_i", m.t[CAIRN_DB_TABLE_SQ][5].index & 63);
	vtb_tick(tb);
	vtb_set(tb, "sq_rd_retired_valid_i", 0);
}

/* A queue that rested is read before its visit, if it did so at the doorbell before; and so are
 * four blocks and more. */
static void which_early(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	memset(&m, 0, sizeof(m));
	vtb_set(tb, "enable_i", 1);
	vtb_run(tb, 60);
	fw(tb, CAIRN_DB_TABLE_SQ, CAIRN_DB_OP_OPEN, 5, 1);
	becomes(tb, 1, true);
	retired(tb);
	becomes(tb, 3, true);
	becomes(tb, 1, false);
	retired(tb);
	becomes(tb, 1, false);
	becomes(tb, 4, true);
	becomes(tb, 3, false);
	retired(tb);
	becomes(tb, 2, false);
	retired(tb);
	becomes(tb, 2, true);
	becomes(tb, 100, true);
	vtb_destroy(tb);
}

static unsigned int forgets;

static void count_forgets(struct vtb *tb, void *arg)
{
	(void)arg;
	forgets += (unsigned int)vtb_get(tb, "forget_o");
}

/* When the generations of a QP begin again, what is on chip of any is forgotten, and only then. */
static void rounds(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "enable_i", 1);
	vtb_run(tb, 60);
	vtb_on_sample(tb, count_forgets, NULL);
	forgets = 0;
	for (unsigned int gen = 0; gen < 256; gen++) {
		for (unsigned int kind = 0; kind < 5; kind++) {
			for (unsigned int op = 0; op < 4; op++) {
				/* fw() names the generation number * 5 + page */
				fw(tb, kind, op, 0, gen);
				vtb_run(tb, 3);
			}
		}
		vtb_check_eq(tb, forgets, gen >= 1);
	}
	vtb_destroy(tb);
}

/* During a fence an arm waits, or they could hold it up for ever; then the last one counts. */
static void arms_wait(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "enable_i", 1);
	vtb_run(tb, 60);
	fw(tb, CAIRN_DB_TABLE_CQ, CAIRN_DB_OP_OPEN, 5, 1);
	vtb_set(tb, "arm_ready_i", 1);
	vtb_set(tb, "halt_i", 1);
	vtb_set(tb, "db_page_i", 1);
	vtb_set(tb, "db_offset_i", CAIRN_DB_CQ_ARM);
	for (unsigned int i = 0; i < 30; i++) {
		vtb_set(tb, "db_valid_i", i < 10);
		vtb_set(tb, "db_data_i", 5ull << 32 | i);
		vtb_tick(tb);
		vtb_check(tb, !vtb_get(tb, "arm_valid_o"));
	}
	vtb_set(tb, "halt_i", 0);
	vtb_run_until(tb, vtb_get(tb, "arm_valid_o"), 5);
	vtb_check(tb, vtb_get(tb, "arm_cqn_o") == 5 && vtb_get(tb, "arm_word_o") == 9);
	vtb_tick(tb);
	for (unsigned int i = 0; i < 10; i++) {
		vtb_check(tb, !vtb_get(tb, "arm_valid_o"));
		vtb_tick(tb);
	}
	vtb_destroy(tb);
}

/* Stores in every cycle from reset on: while the tables are cleared no queue is open, and none
 * is kept. */
static void while_cleared(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "enable_i", 1);
	vtb_set(tb, "db_valid_i", 1);
	vtb_set(tb, "db_offset_i", CAIRN_DB_SQ);
	vtb_run(tb, 60); /* an assertion tells of one that is lost */
	vtb_set(tb, "db_valid_i", 0);
	vtb_run(tb, 40);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rings),       cmocka_unit_test(pushes_wait),
		cmocka_unit_test(which_early), cmocka_unit_test(rounds),
		cmocka_unit_test(arms_wait),   cmocka_unit_test(while_cleared),
	};

	return cmocka_run_group_tests_name("doorbell", tests, NULL, NULL);
}
