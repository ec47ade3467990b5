// SPDX-License-Identifier: Apache-2.0
/*
 * doorbell: random doorbells on every cycle, good and bad, with firmware operations between them,
 * against a model of the tables; kicks and arm words come, wrong ones are counted by cause.
 */
#include <stdio.h>
#include <string.h>

#include "vtb.h"
#include "cairn_hw.h"

#define N 16

struct entry {
	bool valid, err;
	unsigned int page;
	uint16_t index;
};

static struct {
	struct entry t[5][N];
	bool kick[3][N], arm[N], armed[N];
	uint64_t kick_at[3][N];
	uint32_t arm_word[N];
	unsigned long bad_page, bad_index, bad_form, sq, rq, cq, got[6], eq, eq_got;
} m;

static const char *const counter[6] = { "cnt_doorbell_bad_page_o", "cnt_doorbell_bad_index_o",
					"cnt_doorbell_bad_form_o", "cnt_doorbell_sq_o",
					"cnt_doorbell_rq_o",	   "cnt_doorbell_cq_o" };

static void outputs(struct vtb *tb, void *arg)
{
	static const char *const k[3] = { "sq", "cmp", "rsp" };
	char port[32];

	(void)arg;
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
	vtb_set(tb, "fw_valid_i", 1);
	vtb_set(tb, "fw_kind_i", kind);
	vtb_set(tb, "fw_op_i", op);
	vtb_set(tb, "fw_number_i", num);
	vtb_set(tb, "fw_page_i", page);
	vtb_run_until(tb, vtb_get(tb, "fw_ready_o"), 100);
	vtb_set(tb, "fw_valid_i", 0);
	vtb_tick(tb);
	return (uint16_t)vtb_get(tb, "fw_index_o");
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
	vtb_set(tb, "arm_ready_i", rng_percent(&tb->rng, arms));
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
	else if (kind == CAIRN_DB_TABLE_SQ && rng_percent(&tb->rng, 30))
		at = CAIRN_DB_PUSH + 56;
	vtb_set(tb, "db_valid_i", rng_percent(&tb->rng, busy));
	vtb_set(tb, "db_page_i", page);
	vtb_set(tb, "db_offset_i", at);
	vtb_set(tb, "db_data_i", (uint64_t)num << 32 | word);
	ready(tb, 50, 30);
	if (vtb_get(tb, "db_valid_i")) {
		if (form)
			m.bad_form++;
		else if (!part)
			model(tb, kind, page, num, word);
	}
	vtb_tick(tb);
}

/* All kicks have come out and the tables hold what the model does. */
static void check_tables(struct vtb *tb)
{
	for (unsigned int q = 0; q < N; q++) {
		vtb_check(tb, !m.kick[0][q] && !m.kick[1][q] && !m.kick[2][q] && !m.arm[q]);
		vtb_put_bits(vtb_port(tb, "sq_rd_qpn_i"), 24, 24, q);
		vtb_set(tb, "rq_rd_qpn_i", q);
		vtb_tick(tb);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get_bits(vtb_port(tb, "sq_rd_pi_o"), 16, 16), m.t[0][q].index);
		vtb_check_eq(tb, vtb_get(tb, "rq_rd_pi_o"), m.t[1][q].index);
	}
}

static void rings(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	memset(&m, 0, sizeof(m));
	vtb_set(tb, "enable_i", 1);
	vtb_run(tb, 60);
	vtb_on_sample(tb, outputs, NULL);
	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < 4; i++)
			change(tb);
		for (int i = 0; i < 100; i++)
			ring(tb, round & 1 ? 100 : 40);
		vtb_set(tb, "db_valid_i", 0);
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
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check(tb, m.sq > 300 && m.bad_page && m.bad_index && m.cq);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rings) };

	return cmocka_run_group_tests_name("doorbell", tests, NULL, NULL);
}
