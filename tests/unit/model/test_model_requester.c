// SPDX-License-Identifier: Apache-2.0
/* Golden model, RC requester, rule by rule: how messages are cut, what limits and orders them, what
 * each answer does, retries and waits, errors and the flush after them. */
#include "rig.h"

#define OP(name) CAIRN_OPCODE_RC_##name
#define ACK OP(ACKNOWLEDGE)
#define SYN(s) .syndrome = (s)
#define T_NS (4096ull << 1) /* rig_config(): timeout 1 */

static struct rig *begin(void)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);

	return rig_begin(&cfg, MODEL_RTS);
}

static void post_wr(struct rig *r, struct model_send wr, uint32_t len)
{
	wr.signaled = true;
	wr.remote_key = 0x777;
	wr.remote_addr = 0x5000;
	if (!wr.sges) {
		wr.sges = 1;
		wr.sge[0] = (struct model_sge){ BASE, len, KEY };
	}
	assert_int_equal(model_post_send(r->m, QPN, &wr), 0);
}

static void post(struct rig *r, uint64_t id, enum model_op op, uint32_t len)
{
	post_wr(r, (struct model_send){ .id = id, .op = op }, len);
}

static bool bit_ackreq(const struct rig *r)
{
	return cairn_pkt_get(r->sent.bytes, CAIRN_BTH_ACKREQ);
}

static bool bit_se(const struct rig *r)
{
	return cairn_pkt_get(r->sent.bytes, CAIRN_BTH_SE);
}

static void expect_reth(const struct rig *r, uint64_t va, uint32_t length)
{
	const uint8_t *reth = r->sent.bytes + CAIRN_BTH_BYTES;

	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_VA), va);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_RKEY), 0x777);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_LENGTH), length);
}

/* ---------------------------------------------------------------- packets */

static const struct cut_case {
	enum model_op op;
	enum model_extra extra;
	uint32_t len;
	unsigned int n;
	struct {
		uint8_t opcode;
		uint32_t len;
	} packets[3];
} cut_cases[] = {
	{ MODEL_SEND, MODEL_PLAIN, 0, 1, { { OP(SEND_ONLY), 0 } } },
	{ MODEL_SEND, MODEL_IMM, 256, 1, { { OP(SEND_ONLY_IMM), 256 } } },
	{ MODEL_SEND, MODEL_INV, 1, 1, { { OP(SEND_ONLY_INV), 1 } } },
	{ MODEL_SEND, MODEL_PLAIN, 257, 2, { { OP(SEND_FIRST), 256 }, { OP(SEND_LAST), 1 } } },
	{ MODEL_SEND, MODEL_IMM, 512, 2, { { OP(SEND_FIRST), 256 }, { OP(SEND_LAST_IMM), 256 } } },
	{ MODEL_SEND,
	  MODEL_INV,
	  515,
	  3,
	  { { OP(SEND_FIRST), 256 }, { OP(SEND_MIDDLE), 256 }, { OP(SEND_LAST_INV), 3 } } },
	{ MODEL_WRITE, MODEL_PLAIN, 0, 1, { { OP(WRITE_ONLY), 0 } } },
	{ MODEL_WRITE, MODEL_IMM, 7, 1, { { OP(WRITE_ONLY_IMM), 7 } } },
	{ MODEL_WRITE,
	  MODEL_PLAIN,
	  768,
	  3,
	  { { OP(WRITE_FIRST), 256 }, { OP(WRITE_MIDDLE), 256 }, { OP(WRITE_LAST), 256 } } },
	{ MODEL_WRITE,
	  MODEL_IMM,
	  300,
	  2,
	  { { OP(WRITE_FIRST), 256 }, { OP(WRITE_LAST_IMM), 44 } } },
};

/* The packets of one message, the first of which has PSN `psn`. */
static void expect_cut(struct rig *r, const struct cut_case *c, int psn)
{
	uint32_t done = 0;

	for (unsigned int k = 0; k < c->n; k++) {
		uint8_t opcode = c->packets[k].opcode;
		const struct cairn_opcode_info *op = &cairn_opcode_table[opcode];
		const uint8_t *payload = r->sent.bytes + CAIRN_BTH_BYTES + op->ext_bytes;
		bool last = k + 1 == c->n;

		rig_request(r, opcode, psn + (int)k, c->packets[k].len);
		assert_int_equal(bit_ackreq(r), last);
		assert_int_equal(bit_se(r), last && (c->op == MODEL_SEND || c->extra));
		assert_memory_equal(payload, r->mem + done, c->packets[k].len);
		if (op->ext & CAIRN_EXT_RETH)
			expect_reth(r, 0x5000, c->len);
		if (op->ext & (CAIRN_EXT_IMMDT | CAIRN_EXT_IETH))
			assert_int_equal(cairn_pkt_get(payload - 4, CAIRN_IMMDT_IMM), 0xabcdef01);
		done += c->packets[k].len;
	}
	assert_int_equal(done, c->len);
}

static void cut(void **state)
{
	struct rig *r = begin();
	int psn = 0;

	(void)state;
	for (uint32_t i = 0; i < 1024; i++)
		r->mem[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t i = 0; i < sizeof(cut_cases) / sizeof(cut_cases[0]); i++) {
		const struct cut_case *c = &cut_cases[i];
		struct model_send wr = { .id = i,
					 .op = c->op,
					 .extra = c->extra,
					 .solicited = true,
					 .imm_or_key = 0xabcdef01 };

		post_wr(r, wr, c->len);
		expect_cut(r, c, psn);
		psn += (int)c->n;
	}
	rig_quiet(r);
	rig_end(r);
}

/* A READ takes the PSNs of its responses; atomics one. */
static void psns(void **state)
{
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_READ, 513);
	post(r, 1, MODEL_READ, 0);
	rig_request(r, OP(READ_REQUEST), 0, 0);
	expect_reth(r, 0x5000, 513);
	assert_true(bit_ackreq(r));
	rig_request(r, OP(READ_REQUEST), 3, 0);
	expect_reth(r, 0x5000, 0);
	post(r, 2, MODEL_SEND, 1);
	rig_request(r, OP(SEND_ONLY), 4, 1);
	rig_quiet(r);
	rig_end(r);
}

/* ---------------------------------------------------------------- order and limits */

static void limits(void **state)
{
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_READ, 1);
	post(r, 1, MODEL_FETCH_ADD, 8);
	post(r, 2, MODEL_SEND, 1);
	post(r, 3, MODEL_CMP_SWAP, 8);
	rig_request(r, OP(READ_REQUEST), 0, 0);
	rig_request(r, OP(FETCH_ADD), 1, 0);
	rig_request(r, OP(SEND_ONLY), 2, 1);
	rig_quiet(r); /* max_rd_atomic is 2 */
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 0, .len = 1, SYN(ACK_OK)),
			 MODEL_TAKEN);
	rig_request(r, OP(COMPARE_SWAP), 3, 0);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	/* An answer also acknowledges what was before it. */
	assert_int_equal(give(r, .opcode = OP(ATOMIC_ACK), .psn = 1, SYN(ACK_OK), .swap_add = 77),
			 MODEL_TAKEN);
	assert_int_equal(r->mem[0], 77);
	assert_int_equal(give(r, .opcode = OP(ATOMIC_ACK), .psn = 3, SYN(ACK_OK)), MODEL_TAKEN);
	for (uint64_t id = 1; id <= 3; id++)
		rig_completion(r, id, false, MODEL_SUCCESS);
	assert_int_equal(model_deadline(r->m, QPN), MODEL_NEVER);
	rig_end(r);
}

/* Where none may be outstanding a READ fails, and does not wait for ever. */
static void no_reads(void **state)
{
	static const enum model_op ops[] = { MODEL_READ, MODEL_FETCH_ADD, MODEL_CMP_SWAP };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
		struct rig *r;

		cfg.max_rd_atomic = 0;
		r = rig_begin(&cfg, MODEL_RTS);
		post(r, 0, MODEL_SEND, 1);
		post(r, 1, ops[i], 8);
		rig_request(r, OP(SEND_ONLY), 0, 1);
		rig_quiet(r); /* the SEND completes first */
		assert_int_equal(give(r, .opcode = ACK, .psn = 0, .msn = 1, SYN(ACK_OK)),
				 MODEL_TAKEN);
		rig_quiet(r);
		rig_completion(r, 0, false, MODEL_SUCCESS);
		rig_completion(r, 1, false, MODEL_LOC_QP_OP_ERR);
		rig_end(r);
	}
}

static void fence(void **state)
{
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_READ, 1);
	post(r, 1, MODEL_SEND, 1);
	post_wr(r, (struct model_send){ .id = 2, .op = MODEL_SEND, .fence = true }, 2);
	rig_request(r, OP(READ_REQUEST), 0, 0);
	rig_request(r, OP(SEND_ONLY), 1, 1);
	rig_quiet(r);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 0, .len = 1, SYN(ACK_OK)),
			 MODEL_TAKEN);
	rig_request(r, OP(SEND_ONLY), 2, 2); /* SENDs need not be complete */
	rig_end(r);
}

/* No packet; in order, behind what is fenced; passed over when sending again. */
static void local_operations(void **state)
{
	struct rig *r = begin();
	struct model_send bind = { .id = 1, .op = MODEL_LOCAL, .signaled = true, .fence = true };
	struct model_send end = { .id = 3, .op = MODEL_LOCAL, .signaled = true, .gone = 0x999 };

	(void)state;
	bind.made = (struct model_region){ .key = 0x999, .pd = PD, .length = 8, .data = r->mem };
	post(r, 0, MODEL_READ, 1);
	assert_int_equal(model_post_send(r->m, QPN, &bind), 0);
	post(r, 2, MODEL_SEND, 1);
	for (int twice = 0; twice < 2; twice++)
		assert_int_equal(model_post_send(r->m, QPN, &end), 0);
	rig_request(r, OP(READ_REQUEST), 0, 0);
	rig_quiet(r);
	model_local(r->m, QPN);
	assert_false(model_region_valid(r->m, 0x999));
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 0, .len = 1, SYN(ACK_OK)),
			 MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	model_local(r->m, QPN);
	assert_true(model_region_valid(r->m, 0x999));
	rig_completion(r, 1, false, MODEL_SUCCESS);
	rig_request(r, OP(SEND_ONLY), 1, 1);
	rig_quiet(r);
	assert_false(model_region_valid(r->m, 0x999));
	rig_no_completion(r); /* before the SEND's */
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, SYN(ACK_NAK_SEQ)), MODEL_REFUSED);
	rig_request(r, OP(SEND_ONLY), 1, 1);
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, SYN(ACK_OK)), MODEL_TAKEN);
	rig_completion(r, 2, false, MODEL_SUCCESS);
	rig_completion(r, 3, false, MODEL_SUCCESS);
	rig_quiet(r); /* the second time there is no such key */
	rig_completion(r, 3, false, MODEL_LOC_QP_OP_ERR);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_ERR);
	rig_end(r);
}

static void credits(void **state)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct rig *r;

	(void)state;
	cfg.policy.honour_credits = true;
	r = rig_begin(&cfg, MODEL_RTS);
	for (uint64_t id = 0; id < 6; id++)
		post(r, id, id == 1 ? MODEL_WRITE : MODEL_SEND, 1);
	rig_request(r, OP(SEND_ONLY), 0, 1); /* one more than the none there are */
	rig_request(r, OP(WRITE_ONLY), 1, 1);
	rig_quiet(r);
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, .msn = 2, SYN(0)), MODEL_TAKEN);
	rig_request(r, OP(SEND_ONLY), 2, 1);
	rig_quiet(r);
	/* Credits of a late ACK count, its PSN does not. */
	assert_int_equal(give(r, .opcode = ACK, .psn = 0, .msn = 3, SYN(1)), MODEL_DUPLICATE);
	rig_request(r, OP(SEND_ONLY), 3, 1);
	rig_request(r, OP(SEND_ONLY), 4, 1);
	rig_quiet(r);
	assert_int_equal(give(r, .opcode = ACK, .psn = 2, .msn = 3, SYN(ACK_OK)), MODEL_TAKEN);
	rig_request(r, OP(SEND_ONLY), 5, 1);
	rig_end(r);
}

static void drained(void **state)
{
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_SEND, 300);
	rig_request(r, OP(SEND_FIRST), 0, 256);
	post(r, 1, MODEL_SEND, 1);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_SQD), 0);
	rig_request(r, OP(SEND_LAST), 1, 44);
	rig_quiet(r);
	rig_no_event(r);
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, SYN(ACK_OK)), MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	rig_event(r, MODEL_SQ_DRAINED);
	rig_quiet(r);
	rig_no_event(r);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RTS), 0);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_SQD), 0);
	rig_event(r, MODEL_SQ_DRAINED); /* at once: nothing is under way */
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RTS), 0);
	rig_request(r, OP(SEND_ONLY), 2, 1);
	rig_end(r);
}

/* ---------------------------------------------------------------- answers */

static void ignored(void **state)
{
	static const struct raw cases[] = {
		{ .opcode = ACK, .psn = 2, SYN(ACK_OK) }, /* not sent yet */
		{ .opcode = ACK, .psn = 0x7fffff, SYN(ACK_OK) },
		{ .opcode = ACK, .psn = -1, SYN(ACK_NAK_INV) }, /* long acknowledged */
		{ .opcode = ACK, .psn = 0, SYN(0x40) },		/* reserved */
		{ .opcode = ACK, .psn = 0, SYN(0x9f) },		/* bit 7 */
		{ .opcode = ACK, .psn = 0, SYN(0x64) },		/* RD */
		{ .opcode = ACK, .psn = 0, SYN(0x7f) },		/* no such code */
		{ .opcode = OP(READ_RSP_ONLY), .psn = -5, SYN(ACK_OK) },
	};
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_SEND, 300);
	rig_request(r, OP(SEND_FIRST), 0, 256);
	rig_request(r, OP(SEND_LAST), 1, 44);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum model_fate fate = rig_give(r, &cases[i]);

		assert_true(fate == MODEL_DROPPED || fate == MODEL_DUPLICATE);
	}
	rig_quiet(r);
	rig_no_completion(r);
	assert_int_equal(model_deadline(r->m, QPN), r->now + T_NS);
	/* A part may be acknowledged. */
	r->now += 100;
	assert_int_equal(give(r, .opcode = ACK, .psn = 0, SYN(ACK_OK)), MODEL_TAKEN);
	assert_int_equal(model_deadline(r->m, QPN), r->now + T_NS);
	rig_no_completion(r);
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, SYN(ACK_OK)), MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	rig_end(r);
}

static void fatal_naks(void **state)
{
	static const struct {
		uint8_t syndrome;
		enum model_status status;
	} naks[] = {
		{ ACK_NAK_INV, MODEL_REM_INV_REQ_ERR },
		{ ACK_NAK_ACCESS, MODEL_REM_ACCESS_ERR },
		{ ACK_NAK_OP, MODEL_REM_OP_ERR },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(naks) / sizeof(naks[0]); i++) {
		struct rig *r = begin();

		for (uint64_t id = 0; id < 3; id++)
			post(r, id, MODEL_SEND, 1);
		rig_recv(r, 9, 1);
		for (int n = 0; n < 3; n++)
			rig_request(r, OP(SEND_ONLY), n, 1);
		assert_int_equal(give(r, .opcode = ACK, .psn = 1, SYN(naks[i].syndrome)),
				 MODEL_REFUSED);
		rig_completion(r, 0, false, MODEL_SUCCESS);
		rig_completion(r, 1, false, naks[i].status);
		rig_completion(r, 2, false, MODEL_WR_FLUSH_ERR);
		rig_completion(r, 9, true, MODEL_WR_FLUSH_ERR);
		post(r, 3, MODEL_WRITE, 1);
		rig_completion(r, 3, false, MODEL_WR_FLUSH_ERR);
		rig_quiet(r);
		assert_int_equal(model_deadline(r->m, QPN), MODEL_NEVER);
		assert_int_equal(model_qp_state(r->m, QPN), MODEL_ERR);
		rig_end(r);
	}
}

static void sequence_nak(void **state)
{
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_SEND, 600);
	rig_request(r, OP(SEND_FIRST), 0, 256);
	rig_request(r, OP(SEND_MIDDLE), 1, 256);
	rig_request(r, OP(SEND_LAST), 2, 88);
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, SYN(ACK_NAK_SEQ)), MODEL_REFUSED);
	rig_request(r, OP(SEND_MIDDLE), 1, 256);
	/* A late ACK overtakes it. */
	assert_int_equal(give(r, .opcode = ACK, .psn = 2, SYN(ACK_OK)), MODEL_TAKEN);
	rig_quiet(r);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	post(r, 1, MODEL_SEND, 1);
	rig_request(r, OP(SEND_ONLY), 3, 1);
	/* retry_cnt is 2, and progress made it full again. */
	for (int i = 0; i < 2; i++) {
		assert_int_equal(give(r, .opcode = ACK, .psn = 3, SYN(ACK_NAK_SEQ)), MODEL_REFUSED);
		rig_request(r, OP(SEND_ONLY), 3, 1);
	}
	assert_int_equal(give(r, .opcode = ACK, .psn = 3, SYN(ACK_NAK_SEQ)), MODEL_REFUSED);
	rig_completion(r, 1, false, MODEL_RETRY_EXC_ERR);
	rig_end(r);
}

/* ---------------------------------------------------------------- time */

static void timeouts(void **state)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);

	(void)state;
	for (uint8_t retries = 0; retries <= 7; retries++) {
		struct rig *r;

		cfg.retry_cnt = retries; /* 7 is seven, not for ever */
		r = rig_begin(&cfg, MODEL_RTS);
		assert_int_equal(model_deadline(r->m, QPN), MODEL_NEVER);
		post(r, 0, MODEL_SEND, 1);
		post(r, 1, MODEL_SEND, 1);
		rig_request(r, OP(SEND_ONLY), 0, 1);
		assert_int_equal(model_deadline(r->m, QPN), r->now + T_NS);
		for (unsigned int i = 0; i < retries; i++) {
			r->now = model_deadline(r->m, QPN) - 1;
			model_timeout(r->m, QPN, r->now); /* too early for that */
			assert_int_equal(model_deadline(r->m, QPN), r->now + 1);
			r->now += 1 + 2 * T_NS;
			model_timeout(r->m, QPN, r->now);
			rig_request(r, OP(SEND_ONLY), 0, 1);
			assert_int_equal(model_deadline(r->m, QPN), r->now + T_NS);
		}
		r->now += T_NS;
		rig_no_completion(r);
		model_timeout(r->m, QPN, r->now);
		rig_completion(r, 0, false, MODEL_RETRY_EXC_ERR);
		rig_completion(r, 1, false, MODEL_WR_FLUSH_ERR);
		rig_end(r);
	}
	cfg.timeout = 0; /* never */
	struct rig *r = rig_begin(&cfg, MODEL_RTS);

	post(r, 0, MODEL_SEND, 1);
	rig_request(r, OP(SEND_ONLY), 0, 1);
	assert_int_equal(model_deadline(r->m, QPN), MODEL_NEVER);
	rig_end(r);
}

static void rnr_waits(void **state)
{
	static const struct {
		uint8_t code;
		uint64_t ns;
	} waits[] = {
		{ 0, 655360000 }, { 1, 10000 },	     { 5, 60000 },	{ 14, 1280000 },
		{ 25, 61440000 }, { 30, 327680000 }, { 31, 491520000 },
	};
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct rig *r;

	(void)state;
	cfg.rnr_retry = MODEL_RNR_FOREVER;
	r = rig_begin(&cfg, MODEL_RTS);
	post(r, 0, MODEL_WRITE, 1);
	post(r, 1, MODEL_SEND, 1);
	rig_request(r, OP(WRITE_ONLY), 0, 1);
	rig_request(r, OP(SEND_ONLY), 1, 1);
	for (size_t i = 0; i < 70; i++) {
		uint64_t ns = waits[i % 7].ns;

		assert_int_equal(give(r, .opcode = ACK, .psn = 1,
				      SYN((uint8_t)(ACK_RNR | waits[i % 7].code))),
				 MODEL_REFUSED);
		assert_int_equal(model_deadline(r->m, QPN), r->now + ns);
		r->now += ns - 1;
		rig_quiet(r);
		model_timeout(r->m, QPN, r->now); /* no matter */
		rig_quiet(r);
		r->now++;
		rig_request(r, OP(SEND_ONLY), 1, 1);
		assert_int_equal(model_deadline(r->m, QPN), r->now + T_NS);
	}
	rig_completion(r, 0, false, MODEL_SUCCESS);
	rig_no_completion(r);
	rig_end(r);
}

static void rnr_retries(void **state)
{
	struct rig *r = begin();

	(void)state;
	post(r, 0, MODEL_SEND, 1);
	rig_request(r, OP(SEND_ONLY), 0, 1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(give(r, .opcode = ACK, SYN(ACK_RNR | 1)), MODEL_REFUSED);
		r->now += 10000;
		rig_request(r, OP(SEND_ONLY), 0, 1);
	}
	assert_int_equal(give(r, .opcode = ACK, SYN(ACK_RNR | 1)), MODEL_REFUSED);
	rig_completion(r, 0, false, MODEL_RNR_RETRY_EXC_ERR);
	rig_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut),	       cmocka_unit_test(psns),
		cmocka_unit_test(limits),      cmocka_unit_test(no_reads),
		cmocka_unit_test(fence),       cmocka_unit_test(credits),
		cmocka_unit_test(drained),     cmocka_unit_test(ignored),
		cmocka_unit_test(fatal_naks),  cmocka_unit_test(sequence_nak),
		cmocka_unit_test(timeouts),    cmocka_unit_test(rnr_waits),
		cmocka_unit_test(rnr_retries), cmocka_unit_test(local_operations),
	};

	return cmocka_run_group_tests_name("model_requester", tests, NULL, NULL);
}
