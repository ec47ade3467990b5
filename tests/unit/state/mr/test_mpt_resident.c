// SPDX-License-Identifier: Apache-2.0
/*
 * mpt_resident: each lookup is answered in the next cycle, and has the record a cycle later as
 * firmware made, changed and dropped it before; keys beyond the table, or beyond the records, are
 * free. Firmware is answered whatever lookups there are.
 */
#include <string.h>

#include "cairn_hw.h"
#include "rng.h"
#include "vtb_ctx.h"

#define KEYS 32u
#define ENTRIES 29u

static struct world {
	struct vtb_ctx port;
	struct vtb *tb;
	struct cairn_mpt rec[KEYS];
	bool there[KEYS];
	uint32_t want, key[2]; /* asked for; taken a cycle ago, two cycles ago */
	bool wants, taken[2];
	unsigned int load, looked;
	bool op;
	unsigned int status;
	struct cairn_mpt got;
} W;

static uint32_t any_key(void)
{
	uint32_t key = (uint32_t)rng_below(&W.tb->rng, KEYS);

	return rng_percent(&W.tb->rng, 8) ? key | 1u << rng_range(&W.tb->rng, 5, 23) : key;
}

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	if (!W.wants && rng_percent(&tb->rng, W.load)) {
		W.wants = true;
		W.want = any_key();
	}
	vtb_set(tb, "ctx_valid_i", W.wants);
	vtb_set(tb, "ctx_key_i", W.want);
	vtb_set(tb, "op_valid_i", W.op);
}

static void sample(struct vtb *tb, void *arg)
{
	struct cairn_mpt m;
	uint32_t k = W.key[1];

	(void)arg;
	if (W.taken[1] && k < ENTRIES) {
		vtb_get_bytes(vtb_port(tb, "rd_data_o"), 0, &m, sizeof(m));
		if (W.there[k])
			assert_memory_equal(&m, &W.rec[k], sizeof(m));
		else
			vtb_check_eq(tb, m.flags & CAIRN_MPT_FLAGS_MODE, CAIRN_MR_MODE_FREE);
		W.looked++;
	}
	vtb_check_eq(tb, vtb_get(tb, "ctx_valid_o"), W.taken[0]);
	if (W.taken[0]) {
		vtb_check_eq(tb, vtb_get(tb, "ctx_key_o"), W.key[0]);
		vtb_check_eq(tb, vtb_get(tb, "ctx_status_o"),
			     W.key[0] < ENTRIES ? CAIRN_CTX_RESULT_OK : CAIRN_CTX_RESULT_FREE);
		vtb_check_eq(tb, vtb_get(tb, "hit_o"), W.key[0] < ENTRIES);
	}
	W.taken[1] = W.taken[0];
	W.key[1] = W.key[0];
	W.taken[0] = W.wants && vtb_get(tb, "ctx_ready_o");
	W.key[0] = W.want;
	W.wants &= !W.taken[0];
	if (vtb_get(tb, "op_done_o")) {
		vtb_check(tb, W.op);
		W.op = false;
		W.status = (unsigned int)vtb_get(tb, "op_status_o");
		memcpy(&W.got, W.port.got, sizeof(W.got));
	}
}

static void operate(unsigned int op, uint32_t key, const struct cairn_mpt *data,
		    const struct cairn_mpt *mask)
{
	struct cairn_mpt ones;

	memset(&ones, 0xff, sizeof(ones));
	vtb_ctx_put(&W.port, data, op == CAIRN_CTX_OP_INIT ? &ones : mask);
	vtb_set(W.tb, "op_op_i", op);
	vtb_set(W.tb, "op_key_i", key);
	W.op = true;
	vtb_run_until(W.tb, !W.op, 40);
}

/* What the fields that a build without windows has can be. */
static struct cairn_mpt random_record(void)
{
	struct cairn_mpt m = { .key = (uint32_t)rng_u64(&W.tb->rng),
			       .pd = (uint32_t)rng_u64(&W.tb->rng) & CAIRN_MPT_PD,
			       .base = rng_u64(&W.tb->rng),
			       .length = rng_u64(&W.tb->rng),
			       .map = rng_u64(&W.tb->rng) };

	m.flags = (uint32_t)rng_u64(&W.tb->rng) &
		  (CAIRN_MPT_FLAGS_MODE | CAIRN_MPT_FLAGS_FREED | CAIRN_MPT_FLAGS_ACCESS |
		   CAIRN_MPT_FLAGS_PAGE_LOG2 | CAIRN_MPT_FLAGS_FUNC);
	return m;
}

static void merge(struct cairn_mpt *m, const struct cairn_mpt *data, const struct cairn_mpt *mask)
{
	uint64_t to[8], d[8], k[8];

	memcpy(to, m, 64);
	memcpy(d, data, 64);
	memcpy(k, mask, 64);
	for (unsigned int i = 0; i < 8; i++)
		to[i] = (to[i] & ~k[i]) | (d[i] & k[i]);
	memcpy(m, to, 64);
}

static void one(void)
{
	static const unsigned int ops[] = { CAIRN_CTX_OP_INIT, CAIRN_CTX_OP_MODIFY,
					    CAIRN_CTX_OP_READ, CAIRN_CTX_OP_DROP,
					    CAIRN_CTX_OP_EVICT };
	unsigned int op = ops[rng_below(&W.tb->rng, 5)];
	struct cairn_mpt data = random_record(), mask = random_record();
	uint32_t key = any_key();
	bool known = key < ENTRIES, found = known && W.there[key];
	bool forget = op == CAIRN_CTX_OP_DROP || op == CAIRN_CTX_OP_EVICT;

	operate(op, key, &data, &mask);
	vtb_check_eq(W.tb, W.status,
		     forget || found || (known && op == CAIRN_CTX_OP_INIT) ? CAIRN_CTX_RESULT_OK
									   : CAIRN_CTX_RESULT_FREE);
	if (known && op == CAIRN_CTX_OP_INIT) {
		W.there[key] = true;
		W.rec[key] = data;
	} else if (found && op == CAIRN_CTX_OP_MODIFY) {
		merge(&W.rec[key], &data, &mask);
	} else if (known && forget) {
		W.there[key] = false;
	}
	if (known && W.there[key] && !forget)
		assert_memory_equal(&W.got, &W.rec[key], sizeof(W.got));
	vtb_run(W.tb, 1 + (unsigned int)rng_below(&W.tb->rng, 20));
}

static void random_operations(void **state)
{
	(void)state;
	for (unsigned int load = 0; load <= 100; load += 50) {
		memset(&W, 0, sizeof(W));
		W.tb = vtb_create();
		vtb_set(W.tb, "entries_i", ENTRIES);
		vtb_on_drive(W.tb, drive, NULL);
		vtb_on_sample(W.tb, sample, NULL);
		vtb_ctx_attach(&W.port, W.tb, "op", "op");
		vtb_run_until(W.tb, vtb_get(W.tb, "idle_o"), 2 * KEYS);
		W.load = load;
		for (unsigned int i = 0; i < 2000; i++)
			one();
		vtb_check(W.tb, load < 100 || W.looked > 5000);
		vtb_destroy(W.tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_operations) };

	return cmocka_run_group_tests_name("mpt_resident", tests, NULL, NULL);
}
