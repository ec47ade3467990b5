// SPDX-License-Identifier: Apache-2.0
/*
 * cq_items: what each of its four sources offers comes out once, in its order, and stays until its
 * end; no source waits for more than one item of each other one. Sources pause at random, and so
 * does whoever ends the items.
 */
#include <string.h>

#include "cairn_int.h"
#include "vtb.h"

enum { RSP, CMP, ARM, TMR, SOURCES };

static struct {
	bool offered[SOURCES];
	uint32_t sent[SOURCES], got[SOURCES];	/* how many; the next one's number is in it */
	unsigned int passed[SOURCES];		/* items of others since it was offered */
	bool here;
	unsigned int pause;
} s;

static const char *const valid[] = { "rsp_valid_i", "cmp_valid_i", "arm_valid_i", "tmr_valid_i" };

static bool ready(struct vtb *tb, unsigned int i)
{
	if (i < ARM)
		return vtb_get(tb, "cqe_ready_o") >> i & 1;
	return vtb_get(tb, i == ARM ? "arm_ready_o" : "tmr_ready_o");
}

static void offer(struct vtb *tb, unsigned int i)
{
	const struct sim_port *req = i < ARM ? vtb_port(tb, i ? "cmp_req_i" : "rsp_req_i") : NULL;

	if (i == ARM) {
		vtb_set(tb, "arm_cqn_i", s.sent[i] & 0xffffff);
		vtb_set(tb, "arm_word_i", s.sent[i] * 7 & 0x7ffff);
	} else if (i == TMR) {
		vtb_set(tb, "tmr_cqn_i", s.sent[i] & 0xffffff);
	} else {
		vtb_put_bits(req, REC_CQE_REQ_CQN, s.sent[i] & 0xffffff);
		vtb_put_bits(req, REC_CQE_REQ_IMM, s.sent[i] * 3);
		vtb_put_bits(req, REC_CQE_REQ_QPN, i);
	}
	s.offered[i] = true;
	s.passed[i] = 0;
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < SOURCES; i++) {
		if (!s.offered[i] && !rng_percent(&tb->rng, s.pause))
			offer(tb, i);
		vtb_set(tb, valid[i], s.offered[i]);
	}
	vtb_set(tb, "end_i", vtb_get(tb, "valid_o") && !rng_percent(&tb->rng, s.pause));
}

/* Whose it is, and that it is that source's next. */
static void check_item(struct vtb *tb)
{
	const struct sim_port *item = vtb_port(tb, "item_o");
	uint32_t cqn = (uint32_t)vtb_get_bits(item, REC_CQE_REQ_CQN);
	uint32_t imm = (uint32_t)vtb_get_bits(item, REC_CQE_REQ_IMM);
	unsigned int i = (unsigned int)vtb_get_bits(item, REC_CQE_REQ_QPN);

	if (vtb_get(tb, "arm_o"))
		i = imm >> 19 & 1 ? TMR : ARM;
	vtb_check(tb, i < SOURCES && s.got[i] + 1 == s.sent[i]);
	vtb_check_eq(tb, cqn, s.got[i] & 0xffffff);
	if (i == ARM)
		vtb_check_eq(tb, imm, s.got[i] * 7 & 0x7ffff);
	else if (i != TMR)
		vtb_check_eq(tb, imm, s.got[i] * 3);
	if (vtb_get(tb, "end_i"))
		s.got[i]++;
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	if (vtb_get(tb, "valid_o"))
		check_item(tb);
	vtb_check(tb, !vtb_get(tb, "idle_o") || !vtb_get(tb, "valid_o"));
	for (unsigned int i = 0; i < SOURCES; i++) {
		if (!s.offered[i] || !ready(tb, i))
			continue;
		vtb_check(tb, s.got[i] == s.sent[i]); /* one at a time */
		s.sent[i]++;
		s.offered[i] = false;
		for (unsigned int k = 0; k < SOURCES; k++)
			vtb_check(tb, k == i || !s.offered[k] || ++s.passed[k] <= SOURCES);
	}
}

static void run(unsigned int pause)
{
	struct vtb *tb = vtb_create();

	memset(&s, 0, sizeof(s));
	s.pause = pause;
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_run(tb, 20000);
	for (unsigned int i = 0; i < SOURCES; i++)
		vtb_check(tb, s.got[i] > 100);
	vtb_destroy(tb);
}

static void without_gap(void **state) { (void)state; run(0); }
static void with_pauses(void **state) { (void)state; run(60); run(95); }

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_gap),
		cmocka_unit_test(with_pauses),
	};

	return cmocka_run_group_tests_name("cq_items", tests, NULL, NULL);
}
