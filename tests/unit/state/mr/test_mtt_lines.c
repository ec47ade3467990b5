// SPDX-License-Identifier: Apache-2.0
/*
 * mtt_lines: a line that is answered OK has the words that host memory has, in the cycle of the
 * answer and in the next one; whoever asks again finds its line in the end, also when more lines of
 * a set are wanted than it has ways and some who asked never come back; what firmware drops is read
 * anew; a failed read is DAMAGED until it is dropped.
 */
#include <string.h>

#include "../cq/host.h"
#include "cairn_hw.h"

#define TABLE 0x2000u
#define LINES 40u /* of the table; there are 16 here, in two sets */
#define WANTED 12u

static struct world {
	struct vtb *tb;
	struct host h;
	/* who asks: a line each, until it is found; waits for the end of a fill after a miss */
	struct {
		uint32_t key;
		bool wants, waits;
		uint64_t since;
	} user[WANTED];
	unsigned int load, leave, apart; /* percent; keys are multiples of apart */
	uint32_t closed_from, closed_n;	 /* lines that are being dropped: nobody asks for them */
	int asked;			 /* whose look-up is under way; -1: none */
	bool offer;
	unsigned int found, damaged, read, word[2];
	uint32_t key[2]; /* of the words that are read in this cycle and come in the next one */
	bool reads[2];
	unsigned int slot;
	bool op;
	unsigned int status, answer; /* of the last operation, of the last look-up */
} W;

static bool closed(uint32_t key)
{
	return key - W.closed_from < W.closed_n;
}

static void want(unsigned int i)
{
	uint32_t key = (uint32_t)rng_below(&W.tb->rng, LINES + 2);

	if (rng_percent(&W.tb->rng, 70))
		key -= key % W.apart;
	if (closed(key))
		return;
	W.user[i].key = key;
	W.user[i].wants = true;
	W.user[i].waits = false;
	W.user[i].since = W.tb->cycle;
}

static void drive(struct vtb *tb, void *arg)
{
	unsigned int i = (unsigned int)rng_below(&tb->rng, WANTED);
	bool now = vtb_get(tb, "ctx_valid_o") && vtb_get(tb, "ctx_status_o") == CAIRN_CTX_RESULT_OK;

	(void)arg;
	if (W.asked < 0 && rng_percent(&tb->rng, W.load)) {
		if (!W.user[i].wants)
			want(i);
		if (W.user[i].wants && !W.user[i].waits && !closed(W.user[i].key)) {
			W.asked = (int)i;
			W.offer = true;
		}
	}
	vtb_set(tb, "ctx_valid_i", W.offer);
	vtb_set(tb, "ctx_key_i", W.offer ? W.user[W.asked].key : rng_u64(&tb->rng) & 0xffffff);
	/* The words: one now, one in the next cycle. */
	W.reads[1] = W.reads[0];
	W.key[1] = W.key[0];
	W.word[1] = W.word[0];
	if (now) {
		W.slot = (unsigned int)vtb_get(tb, "ctx_slot_o");
		W.key[0] = (uint32_t)vtb_get(tb, "ctx_key_o");
		W.read = 2;
	}
	W.reads[0] = W.read != 0;
	W.read -= W.read != 0;
	W.word[0] = (unsigned int)rng_below(&tb->rng, 8);
	vtb_set(tb, "rd_slot_i", W.reads[0] ? W.slot : rng_below(&tb->rng, 16));
	vtb_set(tb, "rd_word_i", W.word[0]);
	vtb_set(tb, "op_valid_i", W.op);
}

static void answered(struct vtb *tb)
{
	unsigned int status = (unsigned int)vtb_get(tb, "ctx_status_o"), i = (unsigned int)W.asked;
	bool beyond = W.user[i].key >= LINES, ok = status == CAIRN_CTX_RESULT_OK;

	vtb_check(tb, W.asked >= 0 && !W.offer);
	vtb_check_eq(tb, vtb_get(tb, "ctx_key_o"), W.user[i].key);
	vtb_check_eq(tb, status == CAIRN_CTX_RESULT_FREE, beyond);
	vtb_check_eq(tb, vtb_get(tb, "hit_o"), ok);
	vtb_check(tb, W.h.fail || status != CAIRN_CTX_RESULT_DAMAGED);
	W.answer = status;
	W.found += ok;
	W.damaged += status == CAIRN_CTX_RESULT_DAMAGED;
	W.user[i].waits = status == CAIRN_CTX_RESULT_WAITING || status == CAIRN_CTX_RESULT_RETRY;
	W.user[i].wants = W.user[i].waits && !rng_percent(&tb->rng, W.leave);
	W.asked = -1;
}

static void sample(struct vtb *tb, void *arg)
{
	uint64_t word;

	(void)arg;
	if (W.reads[1]) {
		memcpy(&word, W.h.mem + TABLE + 64 * W.key[1] + 8 * W.word[1], 8);
		vtb_check_eq(tb, vtb_get(tb, "rd_data_o"), word);
	}
	if (vtb_get(tb, "ctx_valid_o"))
		answered(tb);
	if (W.offer && vtb_get(tb, "ctx_ready_o"))
		W.offer = false;
	for (unsigned int i = 0; i < WANTED; i++) {
		if (vtb_get(tb, "fill_valid_o") || !vtb_get(tb, "busy_o"))
			W.user[i].waits = false;
		if (closed(W.user[i].key) && (int)i != W.asked)
			W.user[i].wants = false;
		vtb_check(tb, !W.user[i].wants || tb->cycle < W.user[i].since + 30000);
	}
	if (vtb_get(tb, "op_done_o")) {
		vtb_check(tb, W.op);
		W.op = false;
		W.status = (unsigned int)vtb_get(tb, "op_status_o");
	}
}

static void operate(unsigned int op, uint32_t from, uint32_t n)
{
	vtb_set(W.tb, "op_op_i", op);
	vtb_set(W.tb, "op_key_i", from);
	vtb_put_bytes(vtb_port(W.tb, "op_data_i"), 0, &n, sizeof(n));
	W.op = true;
	vtb_run_until(W.tb, !W.op, 20000);
}

static void start(unsigned int load, unsigned int apart)
{
	memset(&W, 0, sizeof(W));
	W.tb = vtb_create();
	W.load = load;
	W.apart = apart;
	W.asked = -1;
	host_init(&W.h, W.tb, REC_RD_MR);
	rng_bytes(&W.tb->rng, W.h.mem + TABLE, 64 * LINES);
	vtb_set(W.tb, "base_i", TABLE);
	vtb_set(W.tb, "entries_i", LINES);
	vtb_on_drive(W.tb, drive, NULL);
	vtb_on_sample(W.tb, sample, NULL);
}

/* What is of a range changes in memory, then it is dropped; the others go on. */
static void change(unsigned int load)
{
	bool whole = rng_percent(&W.tb->rng, 10);

	W.closed_from = whole ? 0 : (uint32_t)rng_below(&W.tb->rng, LINES);
	W.closed_n = whole ? LINES : 1 + (uint32_t)rng_below(&W.tb->rng, 6);
	W.load = load;
	vtb_run_until(W.tb, W.asked < 0 || !closed(W.user[W.asked].key), 200);
	vtb_run(W.tb, 3);
	if (W.closed_from + W.closed_n > LINES)
		W.closed_n = LINES - W.closed_from;
	rng_bytes(&W.tb->rng, W.h.mem + TABLE + 64 * W.closed_from, 64 * W.closed_n);
	if (W.closed_n == 1 && rng_percent(&W.tb->rng, 50))
		operate(CAIRN_CTX_OP_EVICT, W.closed_from, 0);
	else
		operate(CAIRN_CTX_OP_DROP, W.closed_from, whole ? ~0u : W.closed_n);
	vtb_check_eq(W.tb, W.status, CAIRN_CTX_RESULT_OK);
	W.closed_n = 0;
	vtb_run(W.tb, (unsigned int)rng_below(&W.tb->rng, 400));
}

static void random_lines(void **state)
{
	static const struct {
		unsigned int load, apart, busy, fail, leave;
	} mix[] = { { 100, 1, 0, 0, 0 },  { 20, 1, 50, 0, 0 },	{ 100, 2, 30, 0, 0 },
		    { 100, 4, 0, 0, 30 }, { 60, 8, 80, 20, 5 }, { 100, 2, 95, 0, 50 } };

	(void)state;
	for (unsigned int k = 0; k < sizeof(mix) / sizeof(mix[0]); k++) {
		start(mix[k].load, mix[k].apart);
		W.h.busy = mix[k].busy;
		W.h.fail = mix[k].fail;
		W.leave = mix[k].leave;
		for (unsigned int i = 0; i < 150; i++)
			change(mix[k].load);
		vtb_check(W.tb, W.found > 500 && (!W.h.fail || W.damaged > 20));
		W.load = 0;
		W.h.busy = 0;
		vtb_run_until(W.tb, W.asked < 0 && vtb_get(W.tb, "idle_o"), 1000);
		vtb_check_eq(W.tb, vtb_get(W.tb, "busy_o"), 0);
		vtb_destroy(W.tb);
	}
}

/* One look-up, and the end of the fill it began. */
static unsigned int ask(uint32_t key)
{
	W.user[0].key = key;
	W.user[0].wants = true;
	W.user[0].since = W.tb->cycle;
	W.asked = 0;
	W.offer = true;
	vtb_run_until(W.tb, W.asked < 0, 200);
	W.user[0].wants = false;
	vtb_run_until(W.tb, vtb_get(W.tb, "idle_o"), 1000);
	return W.answer;
}

/* A line that has come goes when it was found, or nobody else gets one any more. */
static void fresh(void **state)
{
	unsigned int retries = 0;

	(void)state;
	start(0, 1);
	vtb_run_until(W.tb, vtb_get(W.tb, "idle_o"), 100);
	for (uint32_t key = 0; key < 16; key += 2) /* all of a set */
		vtb_check_eq(W.tb, ask(key), CAIRN_CTX_RESULT_WAITING);
	vtb_check_eq(W.tb, ask(16), CAIRN_CTX_RESULT_RETRY);
	vtb_check_eq(W.tb, ask(6), CAIRN_CTX_RESULT_OK);
	vtb_check_eq(W.tb, ask(16), CAIRN_CTX_RESULT_WAITING);
	while (ask(6) == CAIRN_CTX_RESULT_RETRY)
		retries++;
	vtb_check_eq(W.tb, W.answer, CAIRN_CTX_RESULT_WAITING);
	vtb_check_eq(W.tb, retries, 64);
	vtb_check_eq(W.tb, ask(6), CAIRN_CTX_RESULT_OK);
	vtb_destroy(W.tb);
}

/* Nothing but DROP and EVICT is known of lines. */
static void others(void **state)
{
	static const unsigned int ops[] = { CAIRN_CTX_OP_INIT, CAIRN_CTX_OP_MODIFY,
					    CAIRN_CTX_OP_READ };

	(void)state;
	start(50, 1);
	for (unsigned int i = 0; i < 30; i++) {
		operate(ops[i % 3], i, 1);
		vtb_check_eq(W.tb, W.status, CAIRN_CTX_RESULT_FREE);
	}
	vtb_destroy(W.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_lines), cmocka_unit_test(fresh),
					    cmocka_unit_test(others) };

	return cmocka_run_group_tests_name("mtt_lines", tests, NULL, NULL);
}
