// SPDX-License-Identifier: Apache-2.0
/* Golden model, RC responder, rule by rule: silence where nothing may be said, NAKs once,
 * duplicates, regions that go away.  What is refused for good: test_model_refusals.c. */
#include "rig.h"

#define OP(name) CAIRN_OPCODE_RC_##name
#define ACK OP(ACKNOWLEDGE)

#define ON_KEY .va = BASE, .key = KEY

static struct rig *begin(void)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);

	return rig_begin(&cfg, MODEL_RTS);
}

/* ---------------------------------------------------------------- silence */

static void dropped(void **state)
{
	static const struct raw drops[] = {
		{ .opcode = OP(SEND_ONLY), .pkey = 0x7ffe },
		{ .opcode = OP(SEND_ONLY), .src = 9 },
		{ .opcode = OP(SEND_ONLY), .qpn = QPN + 1 },
		{ .opcode = CAIRN_OPCODE_UC_SEND_ONLY },
		{ .opcode = CAIRN_OPCODE_UD_SEND_ONLY },
		{ .opcode = 0x15 },
		{ .opcode = 0x18 },
		{ .opcode = 0x1c },
		{ .opcode = 0x1d },
		{ .opcode = 0xff },
		{ .opcode = CAIRN_OPCODE_CNP },
		{ .opcode = OP(SEND_ONLY), .tver = 1 },
		{ .opcode = OP(SEND_ONLY), .cut = 1 },
		{ .opcode = OP(WRITE_ONLY), .cut = 1 },
		{ .opcode = OP(SEND_ONLY), .pad = 3, .cut = 1 },
		{ .opcode = OP(FETCH_ADD), .cut = 28 },
	};
	struct model_view before, after;
	struct rig *r = begin();

	(void)state;
	rig_recv(r, 1, 100);
	model_look(r->m, QPN, &before);
	for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
		assert_int_equal(rig_give(r, &drops[i]), MODEL_DROPPED);
		model_look(r->m, QPN, &after);
		assert_memory_equal(&before, &after, sizeof(before));
	}
	rig_silent(r);
	/* A limited member of the same partition may talk to a full one. */
	assert_int_equal(give(r, .opcode = OP(SEND_ONLY), .ackreq = true, .pkey = 0x7fff),
			 MODEL_TAKEN);
	rig_end(r);
}

static void states(void **state)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct rig *r = rig_begin(&cfg, MODEL_INIT);

	(void)state;
	rig_recv(r, 1, 100);
	assert_int_equal(give(r, .opcode = OP(SEND_ONLY)), MODEL_DROPPED);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RTS), -EINVAL);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RTR), 0);
	rig_no_event(r);
	assert_int_equal(give(r, .opcode = OP(SEND_ONLY), .ackreq = true), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 1), MODEL_TAKEN);
	rig_event(r, MODEL_COMM_EST);
	rig_no_event(r);
	rig_completion(r, 1, true, MODEL_SUCCESS);
	rig_recv(r, 2, 100);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_ERR), 0);
	rig_completion(r, 2, true, MODEL_WR_FLUSH_ERR);
	rig_silent(r);
	rig_recv(r, 3, 100);
	rig_completion(r, 3, true, MODEL_WR_FLUSH_ERR);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RESET), 0);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_ERR), -EINVAL);
	rig_end(r);
}

/* ---------------------------------------------------------------- PSN */

static void one_nak(void **state)
{
	struct rig *r = begin();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 1), MODEL_REFUSED);
	rig_answer(r, ACK, ACK_NAK_SEQ, 0, 0);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 2, .ackreq = true),
			 MODEL_REFUSED);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 0x7fffff), MODEL_REFUSED);
	rig_silent(r);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 0, .ackreq = true), MODEL_TAKEN);
	rig_answer(r, ACK, ACK_OK, 0, 1);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 2), MODEL_REFUSED);
	rig_answer(r, ACK, ACK_NAK_SEQ, 1, 1);
	/* 2^23 away counts as a duplicate, of which nothing is known. */
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 0x800001), MODEL_DUPLICATE);
	rig_silent(r);
	rig_end(r);
}

/* Whether a duplicate makes room for the next NAK is a choice. */
static void nak_after_duplicate(void **state)
{
	(void)state;
	for (int ends = 0; ends <= 1; ends++) {
		struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
		struct rig *r;

		cfg.policy.duplicate_ends_nak = ends;
		r = rig_begin(&cfg, MODEL_RTS);
		assert_int_equal(give(r, .opcode = OP(WRITE_ONLY)), MODEL_TAKEN);
		assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 2), MODEL_REFUSED);
		rig_answer(r, ACK, ACK_NAK_SEQ, 1, 1);
		assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .ackreq = true),
				 MODEL_DUPLICATE);
		rig_answer(r, ACK, ACK_OK, 0, 1);
		assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 2), MODEL_REFUSED);
		if (ends)
			rig_answer(r, ACK, ACK_NAK_SEQ, 1, 1);
		rig_silent(r);
		rig_end(r);
	}
}

static void rnr(void **state)
{
	struct rig *r = begin();
	struct raw send = {
		.opcode = OP(SEND_ONLY), .ackreq = true, .len = 5, .fill = 1, .se = true
	};

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rig_give(r, &send), MODEL_REFUSED);
		rig_answer(r, ACK, ACK_RNR | 5, 0, 0);
		/* One NAK is enough. */
		assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 1), MODEL_REFUSED);
		rig_silent(r);
	}
	rig_recv(r, 1, 5);
	assert_int_equal(rig_give(r, &send), MODEL_TAKEN);
	rig_answer(r, ACK, ACK_OK, 0, 1);
	rig_completion(r, 1, true, MODEL_SUCCESS);
	assert_memory_equal(r->mem + 4096, "\1\2\3\4\5", 5);
	/* WRITE with immediate: only its last packet needs a receive;
	 * before its key is looked at. */
	assert_int_equal(give(r, .opcode = OP(WRITE_FIRST), .psn = 1, .len = PMTU, ON_KEY,
			      .length = PMTU + 1),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(WRITE_LAST_IMM), .psn = 2, .len = 1, .imm = 9),
			 MODEL_REFUSED);
	rig_answer(r, ACK, ACK_RNR | 5, 2, 1);
	rig_recv(r, 2, 0);
	assert_int_equal(give(r, .opcode = OP(WRITE_LAST_IMM), .psn = 2, .len = 1, .imm = 9),
			 MODEL_TAKEN);
	rig_completion(r, 2, true, MODEL_SUCCESS);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY_IMM), .psn = 3, .len = 1, .length = 1,
			      .key = NO_KEY),
			 MODEL_REFUSED);
	rig_answer(r, ACK, ACK_RNR | 5, 3, 2);
	rig_silent(r);
	rig_end(r);
}

/* Key and address of nothing mean nothing; still it is a message. */
static void zero_length(void **state)
{
	struct rig *r = begin();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 0, .ackreq = true, .key = NO_KEY),
			 MODEL_TAKEN);
	rig_answer(r, ACK, ACK_OK, 0, 1);
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 1, .key = NO_KEY), MODEL_TAKEN);
	rig_answer(r, OP(READ_RSP_ONLY), ACK_OK, 1, 2);
	rig_recv(r, 1, 0);
	assert_int_equal(give(r, .opcode = OP(SEND_ONLY_IMM), .psn = 2, .ackreq = true),
			 MODEL_TAKEN);
	rig_answer(r, ACK, ACK_OK, 2, 3);
	rig_completion(r, 1, true, MODEL_SUCCESS);
	rig_end(r);
}

/* ---------------------------------------------------------------- duplicates */

static void duplicates(void **state)
{
	struct raw read = { .opcode = OP(READ_REQUEST), .psn = 1, ON_KEY, .length = 600 },
		   part = read;
	struct rig *r = begin();

	(void)state;
	rig_recv(r, 1, 100);
	assert_int_equal(give(r, .opcode = OP(SEND_ONLY), .len = 1), MODEL_TAKEN);
	assert_int_equal(rig_give(r, &read), MODEL_TAKEN);
	rig_answer(r, OP(READ_RSP_FIRST), ACK_OK, 1, 2);
	rig_answer(r, OP(READ_RSP_MIDDLE), 0, 2, 0);
	rig_answer(r, OP(READ_RSP_LAST), ACK_OK, 3, 2);
	rig_completion(r, 1, true, MODEL_SUCCESS);
	/* Never executed again, whatever it says; answered if it asks. */
	assert_int_equal(give(r, .opcode = OP(SEND_MIDDLE), .len = 3), MODEL_DUPLICATE);
	rig_silent(r);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .ackreq = true, .key = NO_KEY,
			      .length = 77),
			 MODEL_DUPLICATE);
	rig_answer(r, ACK, ACK_OK, 3, 2);
	/* The tail of the READ, with memory as it is now. */
	r->mem[512] = 0x5a;
	part = (struct raw){
		.opcode = OP(READ_REQUEST), .psn = 3, .va = BASE + 512, .key = KEY, .length = 88
	};
	assert_int_equal(rig_give(r, &part), MODEL_DUPLICATE);
	rig_answer(r, OP(READ_RSP_ONLY), ACK_OK, 3, 2);
	assert_int_equal(r->sent.bytes[CAIRN_BTH_BYTES + CAIRN_AETH_BYTES], 0x5a);
	assert_int_equal(rig_give(r, &read), MODEL_DUPLICATE);
	rig_answer(r, OP(READ_RSP_FIRST), ACK_OK, 1, 2);
	rig_answer(r, OP(READ_RSP_MIDDLE), 0, 2, 0);
	rig_answer(r, OP(READ_RSP_LAST), ACK_OK, 3, 2);
	/* Anything else than a tail is not answered. */
	static const struct raw not [] = {
		{ .opcode = OP(READ_REQUEST),
		  .psn = 1,
		  .va = BASE,
		  .key = LOCAL_KEY,
		  .length = 600 },
		{ .opcode = OP(READ_REQUEST), .psn = 1, .va = BASE, .key = KEY, .length = 601 },
		{ .opcode = OP(READ_REQUEST), .psn = 1, .va = BASE, .key = KEY, .length = 256 },
		{ .opcode = OP(READ_REQUEST), .psn = 1, .va = BASE - 1, .key = KEY, .length = 600 },
		{ .opcode = OP(READ_REQUEST),
		  .psn = 3,
		  .va = BASE + 256,
		  .key = KEY,
		  .length = 344 },
		{ .opcode = OP(READ_REQUEST), .psn = 0, .va = BASE, .key = KEY, .length = 4 },
		{ .opcode = OP(FETCH_ADD), .psn = 1, .va = BASE, .key = KEY },
	};
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		assert_int_equal(rig_give(r, &not [i]), MODEL_DUPLICATE);
	rig_silent(r);
	model_region_remove(r->m, KEY);
	assert_int_equal(rig_give(r, &read), MODEL_DUPLICATE);
	rig_silent(r);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_RTS);
	rig_end(r);
}

/* Asked for again in the middle of its answer: a second answer, or this one goes on there. */
static void reads_anew(void **state)
{
	struct raw read = { .opcode = OP(READ_REQUEST), ON_KEY, .length = 600 };
	struct raw rest = {
		.opcode = OP(READ_REQUEST), .psn = 1, .va = BASE + 256, .key = KEY, .length = 344
	};

	(void)state;
	for (unsigned int anew = 0; anew < 2; anew++) {
		struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
		struct rig *r;

		cfg.policy.read_anew = anew;
		r = rig_begin(&cfg, MODEL_RTS);
		assert_int_equal(rig_give(r, &read), MODEL_TAKEN);
		rig_answer(r, OP(READ_RSP_FIRST), ACK_OK, 0, 1);
		rig_answer(r, OP(READ_RSP_MIDDLE), 0, 1, 0);
		assert_int_equal(rig_give(r, &rest), MODEL_DUPLICATE);
		if (!anew)
			rig_answer(r, OP(READ_RSP_LAST), ACK_OK, 2, 1);
		rig_answer(r, OP(READ_RSP_FIRST), ACK_OK, 1, 1);
		rig_answer(r, OP(READ_RSP_LAST), ACK_OK, 2, 1);
		rig_silent(r);
		/* behind it a second answer is all there is */
		assert_int_equal(rig_give(r, &rest), MODEL_DUPLICATE);
		rig_answer(r, OP(READ_RSP_FIRST), ACK_OK, 1, 1);
		rig_answer(r, OP(READ_RSP_LAST), ACK_OK, 2, 1);
		rig_silent(r);
		rig_end(r);
	}
}

static uint64_t original(const struct rig *r)
{
	return cairn_pkt_get(r->sent.bytes + CAIRN_BTH_BYTES + CAIRN_AETH_BYTES,
			     CAIRN_ATOMICACKETH_ORIG);
}

static void atomics(void **state)
{
	struct raw add = { .opcode = OP(FETCH_ADD), .psn = 0, ON_KEY, .swap_add = 5 };
	struct raw swap = {
		.opcode = OP(COMPARE_SWAP), .psn = 1, ON_KEY, .compare = 5, .swap_add = 100
	};
	struct raw miss = {
		.opcode = OP(COMPARE_SWAP), .psn = 2, ON_KEY, .compare = 5, .swap_add = 200
	};
	struct rig *r = begin();

	(void)state;
	assert_int_equal(rig_give(r, &add), MODEL_TAKEN);
	rig_answer(r, OP(ATOMIC_ACK), ACK_OK, 0, 1);
	assert_int_equal(original(r), 0);
	assert_int_equal(rig_give(r, &swap), MODEL_TAKEN);
	rig_answer(r, OP(ATOMIC_ACK), ACK_OK, 1, 2);
	assert_int_equal(original(r), 5);
	/* The saved value, and memory as it was. */
	assert_int_equal(rig_give(r, &add), MODEL_DUPLICATE);
	rig_answer(r, OP(ATOMIC_ACK), ACK_OK, 0, 2);
	assert_int_equal(original(r), 0);
	assert_int_equal(r->mem[0], 100);
	assert_int_equal(rig_give(r, &miss), MODEL_TAKEN);
	rig_answer(r, OP(ATOMIC_ACK), ACK_OK, 2, 3);
	assert_int_equal(original(r), 100);
	assert_int_equal(r->mem[0], 100);
	/* Two are remembered: the oldest is forgotten, and another operation was never there. */
	assert_int_equal(rig_give(r, &add), MODEL_DUPLICATE);
	add.psn = 1;
	assert_int_equal(rig_give(r, &add), MODEL_DUPLICATE);
	rig_silent(r);
	rig_end(r);
}

/* More than max_dest_rd_atomic without an answer; answered ones do not count. */
static void too_many_reads(void **state)
{
	struct rig *r = begin();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 0), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 1), MODEL_TAKEN);
	rig_answer(r, OP(READ_RSP_ONLY), ACK_OK, 0, 2);
	assert_int_equal(r->sent.msn_low, 1); /* accepted as the first message */
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 2), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), .psn = 3), MODEL_REFUSED);
	rig_answer(r, OP(READ_RSP_ONLY), ACK_OK, 1, 3);
	rig_answer(r, OP(READ_RSP_ONLY), ACK_OK, 2, 3);
	rig_answer(r, ACK, ACK_NAK_INV, 3, 3);
	rig_silent(r);
	rig_event(r, MODEL_QP_ACCESS_ERR);
	rig_end(r);
}

/* ---------------------------------------------------------------- regions that go away */

static void gone_during_write(void **state)
{
	struct rig *r = begin();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(WRITE_FIRST), .len = PMTU, ON_KEY, .length = 300),
			 MODEL_TAKEN);
	model_region_remove(r->m, KEY);
	assert_int_equal(give(r, .opcode = OP(WRITE_LAST), .psn = 1, .len = 44), MODEL_REFUSED);
	rig_answer(r, ACK, ACK_NAK_ACCESS, 1, 0);
	rig_end(r);
}

static void gone_during_read(void **state)
{
	struct rig *r = begin();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(READ_REQUEST), ON_KEY, .length = 600), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = 3, .ackreq = true), MODEL_TAKEN);
	rig_answer(r, OP(READ_RSP_FIRST), ACK_OK, 0, 2);
	model_region_remove(r->m, KEY);
	rig_answer(r, ACK, ACK_NAK_ACCESS, 1, 2);
	rig_silent(r);
	rig_event(r, MODEL_QP_ACCESS_ERR);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_ERR);
	rig_end(r);
}

/* The credit code is the largest that does not promise more than there are. */
static void credits(void **state)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	static const uint8_t codes[] = { 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7 };
	struct rig *r;

	(void)state;
	cfg.policy.send_credits = true;
	r = rig_begin(&cfg, MODEL_RTS);
	for (unsigned int i = 0; i < sizeof(codes); i++) {
		assert_int_equal(give(r, .opcode = OP(WRITE_ONLY), .psn = (int)i, .ackreq = true),
				 MODEL_TAKEN);
		rig_answer(r, ACK, codes[i], (int)i, i + 1);
		rig_recv(r, i, 1);
	}
	rig_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dropped),
		cmocka_unit_test(states),
		cmocka_unit_test(one_nak),
		cmocka_unit_test(nak_after_duplicate),
		cmocka_unit_test(rnr),
		cmocka_unit_test(zero_length),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(reads_anew),
		cmocka_unit_test(atomics),
		cmocka_unit_test(too_many_reads),
		cmocka_unit_test(gone_during_write),
		cmocka_unit_test(gone_during_read),
		cmocka_unit_test(credits),
	};

	return cmocka_run_group_tests_name("model_responder", tests, NULL, NULL);
}
