// SPDX-License-Identifier: Apache-2.0
/* srq_port: the operation is told with all words of its record, and what MODIFY changes; the answer
 * comes back word by word for READ and MODIFY; the one who does it takes as long as it likes. */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_ctx.h"

static struct {
	struct vtb *tb;
	struct vtb_ctx port;
	unsigned int slow;
	struct cairn_srq_ctx in, rec; /* as srq_state sees it; its answer */
	unsigned int status, limit_mask, armed_mask, begun;
	bool ends;
} W;

static void drive(struct vtb *tb, void *arg)
{
	(void)arg;
	W.ends = vtb_get(tb, "valid_o") && !rng_percent(&tb->rng, W.slow);
	vtb_set(tb, "ends_i", W.ends);
	vtb_set(tb, "status_i", W.ends ? W.status : rng_below(&tb->rng, 8));
	if (!W.ends) {
		uint8_t noise[64];

		rng_bytes(&tb->rng, noise, sizeof(noise));
		vtb_put_bytes(vtb_port(tb, "rec_i"), 0, noise, sizeof(noise));
		return;
	}
	vtb_put_bytes(vtb_port(tb, "rec_i"), 0, &W.rec, sizeof(W.rec));
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	vtb_check(tb, !vtb_get(tb, "valid_o") || vtb_get(tb, "op_valid_i"));
	if (!W.ends)
		return;
	W.begun++;
	vtb_get_bytes(vtb_port(tb, "in_o"), 0, &W.in, sizeof(W.in));
	W.limit_mask = (unsigned int)vtb_get(tb, "limit_mask_o");
	W.armed_mask = (unsigned int)vtb_get(tb, "armed_mask_o");
}

/* The words that there are. */
static void random_record(struct cairn_srq_ctx *rec)
{
	memset(rec, 0, sizeof(*rec));
	rng_bytes(&W.tb->rng, rec, offsetof(struct cairn_srq_ctx, rsvd0));
}

static void one(unsigned int op)
{
	struct cairn_srq_ctx data, mask, got;
	struct vtb *tb = W.tb;
	bool reads = op == CAIRN_CTX_OP_READ || op == CAIRN_CTX_OP_MODIFY;

	random_record(&data);
	random_record(&mask);
	if (op == CAIRN_CTX_OP_INIT)
		memset(&mask, 0xff, sizeof(mask));
	random_record(&W.rec);
	W.status = (unsigned int)rng_below(&tb->rng, 8);
	W.begun = 0;
	vtb_ctx_put(&W.port, &data, &mask);
	vtb_set(tb, "op_op_i", op);
	vtb_set(tb, "op_key_i", rng_u64(&tb->rng) >> 32);
	vtb_set(tb, "op_valid_i", 1);
	do
		vtb_tick(tb);
	while (!vtb_get(tb, "op_done_o"));
	vtb_check_eq(tb, vtb_get(tb, "op_status_o"), W.status);
	vtb_check_eq(tb, W.begun, 1);
	if (op == CAIRN_CTX_OP_INIT)
		assert_memory_equal(&W.in, &data, sizeof(data));
	if (op == CAIRN_CTX_OP_MODIFY) {
		vtb_check_eq(tb, W.limit_mask, CAIRN_GET(mask.index, CAIRN_SRQ_CTX_INDEX_LIMIT));
		vtb_check_eq(tb, W.armed_mask,
			     CAIRN_GET(mask.flags, CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED));
		vtb_check_eq(tb,
			     (W.in.index ^ data.index) & mask.index &
				     CAIRN_SRQ_CTX_INDEX_LIMIT,
			     0);
		vtb_check_eq(tb,
			     (W.in.flags ^ data.flags) & mask.flags &
				     CAIRN_SRQ_CTX_FLAGS_LIMIT_ARMED,
			     0);
	}
	memcpy(&got, W.port.got, sizeof(got));
	assert_memory_equal(&got, reads ? &W.rec : &data, sizeof(got));
	vtb_set(tb, "op_valid_i", 0);
	vtb_run(tb, 1 + rng_below(&tb->rng, 4));
}

static void operations(void **state)
{
	(void)state;
	W.tb = vtb_create();
	vtb_on_drive(W.tb, drive, NULL);
	vtb_on_sample(W.tb, sample, NULL);
	vtb_ctx_attach(&W.port, W.tb, "op", "op");
	for (unsigned int i = 0; i < 400; i++) {
		W.slow = i % 3 * 40;
		one((unsigned int)rng_below(&W.tb->rng, 5));
	}
	vtb_destroy(W.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(operations) };

	return cmocka_run_group_tests_name("srq_port", tests, NULL, NULL);
}
