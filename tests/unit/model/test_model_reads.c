// SPDX-License-Identifier: Apache-2.0
/* Golden model, RC requester: answers that carry data, what is missing of them, and what they must
 * not be; local memory that is not right. */
#include "rig.h"

#define OP(name) CAIRN_OPCODE_RC_##name
#define ACK OP(ACKNOWLEDGE)
#define OK .syndrome = ACK_OK
#define TARGET 2048 /* in memory */

static struct rig *begin(void)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);

	return rig_begin(&cfg, MODEL_RTS);
}

static void post(struct rig *r, uint64_t id, enum model_op op, uint32_t len, uint32_t key)
{
	struct model_send wr = { .id = id,
				 .op = op,
				 .signaled = true,
				 .remote_key = 0x777,
				 .remote_addr = 0x5000,
				 .sges = 1,
				 .sge = { { BASE + TARGET, len, key } } };

	assert_int_equal(model_post_send(r->m, QPN, &wr), 0);
}

/* A READ of 600 bytes and a SEND, sent. */
static struct rig *read_and_send(void)
{
	struct rig *r = begin();

	post(r, 0, MODEL_READ, 600, KEY);
	post(r, 1, MODEL_SEND, 1, KEY);
	rig_request(r, OP(READ_REQUEST), 0, 0);
	rig_request(r, OP(SEND_ONLY), 3, 1);
	return r;
}

static void expect_again(struct rig *r, int psn, uint32_t done)
{
	const uint8_t *reth = r->sent.bytes + CAIRN_BTH_BYTES;

	rig_request(r, OP(READ_REQUEST), psn, 0);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_VA), 0x5000 + done);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_LENGTH), 600 - done);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_RKEY), 0x777);
}

static void whole(void **state)
{
	struct rig *r = read_and_send();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 0, OK, .len = 256),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_MIDDLE), .psn = 1, .len = 256, .fill = 1),
			 MODEL_TAKEN);
	/* Twice does nothing. */
	assert_int_equal(give(r, .opcode = OP(READ_RSP_MIDDLE), .psn = 1, .len = 256, .fill = 9),
			 MODEL_DUPLICATE);
	rig_no_completion(r);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_LAST), .psn = 2, OK, .len = 88, .fill = 2),
			 MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	rig_no_completion(r);
	for (unsigned int i = 0; i < 600; i++)
		assert_int_equal(r->mem[TARGET + i], (uint8_t)(i + i / 256));
	assert_int_equal(r->mem[TARGET + 600], 0);
	rig_end(r);
}

/* Data lost: asked for again from there, once, until there is progress. */
static void gap(void **state)
{
	struct rig *r = read_and_send();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 0, OK, .len = 256),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_LAST), .psn = 2, OK, .len = 88),
			 MODEL_REFUSED);
	expect_again(r, 1, 256);
	rig_request(r, OP(SEND_ONLY), 3, 1);
	assert_int_equal(give(r, .opcode = ACK, .psn = 3, OK), MODEL_DROPPED);
	rig_quiet(r);
	/* As it would have come, or as the answer of a new request. */
	assert_int_equal(give(r, .opcode = OP(READ_RSP_MIDDLE), .psn = 1, .len = 256), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = ACK, .psn = 3, OK), MODEL_REFUSED);
	expect_again(r, 2, 512);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 2, OK, .len = 88),
			 MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	assert_int_equal(give(r, .opcode = ACK, .psn = 3, OK), MODEL_TAKEN);
	rig_completion(r, 1, false, MODEL_SUCCESS);
	rig_quiet(r);
	rig_end(r);
}

/* All of the data lost: the ACK behind it says so.  So does the answer of a later atomic. */
static void implied(void **state)
{
	struct rig *r = read_and_send();

	(void)state;
	assert_int_equal(give(r, .opcode = ACK, .psn = 3, OK), MODEL_REFUSED);
	expect_again(r, 0, 0);
	rig_request(r, OP(SEND_ONLY), 3, 1);
	rig_no_completion(r);
	rig_end(r);

	r = begin();
	post(r, 0, MODEL_FETCH_ADD, 8, KEY);
	post(r, 1, MODEL_FETCH_ADD, 8, KEY);
	rig_request(r, OP(FETCH_ADD), 0, 0);
	rig_request(r, OP(FETCH_ADD), 1, 0);
	assert_int_equal(give(r, .opcode = OP(ATOMIC_ACK), .psn = 1, OK, .swap_add = 5),
			 MODEL_REFUSED);
	rig_request(r, OP(FETCH_ADD), 0, 0);
	rig_request(r, OP(FETCH_ADD), 1, 0);
	assert_int_equal(give(r, .opcode = OP(ATOMIC_ACK), .psn = 0, OK, .swap_add = 4),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(ATOMIC_ACK), .psn = 1, OK, .swap_add = 5),
			 MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	rig_completion(r, 1, false, MODEL_SUCCESS);
	assert_int_equal(r->mem[TARGET], 5);
	rig_end(r);
}

/* A NAK in the middle of the data ends the READ; a NAK behind it does not, it is not complete. */
static void nak_of_read(void **state)
{
	struct rig *r = read_and_send();

	(void)state;
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 0, OK, .len = 256),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = ACK, .psn = 1, .syndrome = ACK_NAK_ACCESS),
			 MODEL_REFUSED);
	rig_completion(r, 0, false, MODEL_REM_ACCESS_ERR);
	rig_completion(r, 1, false, MODEL_WR_FLUSH_ERR);
	rig_end(r);

	/* One that asks to go on is given what is missing. */
	r = read_and_send();
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 0, OK, .len = 256),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = ACK, .psn = 2, .syndrome = ACK_NAK_SEQ), MODEL_REFUSED);
	expect_again(r, 1, 256);
	rig_end(r);

	r = read_and_send();
	assert_int_equal(give(r, .opcode = ACK, .psn = 3, .syndrome = ACK_NAK_INV), MODEL_REFUSED);
	rig_no_completion(r);
	expect_again(r, 0, 0);
	rig_end(r);
}

static bool cut_at_2(void *ctx, uint32_t qpn, uint32_t packet)
{
	(void)ctx, (void)qpn;
	return packet % 2 == 0;
}

static void expect_part(struct rig *r, int psn, uint32_t from, uint32_t len)
{
	const uint8_t *reth = r->sent.bytes + CAIRN_BTH_BYTES;

	rig_request(r, OP(READ_REQUEST), psn, 0);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_VA), 0x5000 + from);
	assert_int_equal(cairn_pkt_get(reth, CAIRN_RETH_LENGTH), len);
}

/* A READ of 5 packets as requests of 2: each is outstanding, and each has a FIRST and a LAST. */
static void in_parts(void **state)
{
	static const struct model_hooks hooks = { .cut_read = cut_at_2 };
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct rig *r = rig_begin_hooks(&cfg, MODEL_RTS, &hooks);

	(void)state;
	post(r, 0, MODEL_READ, 1025, KEY);
	post(r, 1, MODEL_SEND, 1, KEY);
	expect_part(r, 0, 0, 512);
	expect_part(r, 2, 512, 512);
	rig_quiet(r); /* two are under way */
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 0, OK, .len = 256),
			 MODEL_TAKEN);
	rig_quiet(r);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_LAST), .psn = 1, OK, .len = 256),
			 MODEL_TAKEN);
	expect_part(r, 4, 1024, 1);
	rig_request(r, OP(SEND_ONLY), 5, 1);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 2, OK, .len = 256),
			 MODEL_TAKEN);
	/* Again from the middle of a part: the rest of it, and the parts behind it. */
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 4, OK, .len = 1),
			 MODEL_REFUSED);
	expect_part(r, 3, 768, 256);
	expect_part(r, 4, 1024, 1);
	rig_request(r, OP(SEND_ONLY), 5, 1);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 3, OK, .len = 256),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 4, OK, .len = 1), MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	assert_int_equal(give(r, .opcode = ACK, .psn = 5, OK), MODEL_TAKEN);
	rig_completion(r, 1, false, MODEL_SUCCESS);
	rig_end(r);
}

/* The peer counts each part as a message: so do the credits. */
static void credits_of_parts(void **state)
{
	static const struct model_hooks hooks = { .cut_read = cut_at_2 };
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct rig *r;

	(void)state;
	cfg.policy.honour_credits = true;
	r = rig_begin_hooks(&cfg, MODEL_RTS, &hooks);
	post(r, 0, MODEL_READ, 600, KEY);
	for (uint64_t id = 1; id <= 3; id++)
		post(r, id, MODEL_SEND, 1, KEY);
	expect_part(r, 0, 0, 512);
	expect_part(r, 2, 512, 88);
	rig_request(r, OP(SEND_ONLY), 3, 1);
	rig_quiet(r);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), .psn = 0, .msn = 3, .len = 256),
			 MODEL_TAKEN);
	rig_request(r, OP(SEND_ONLY), 4, 1); /* one more than the none there are */
	rig_quiet(r);
	rig_end(r);
}

/* Answers that cannot be right end the connection. */
static void wrong(void **state)
{
	static const struct {
		struct raw raw;
		enum model_status status;
	} cases[] = {
		{ { .opcode = OP(READ_RSP_MIDDLE), .len = 256 }, MODEL_BAD_RESP_ERR },
		{ { .opcode = OP(READ_RSP_LAST), .len = 88, OK }, MODEL_BAD_RESP_ERR },
		{ { .opcode = OP(READ_RSP_ONLY), .len = 88, OK }, MODEL_BAD_RESP_ERR },
		{ { .opcode = OP(ATOMIC_ACK), OK }, MODEL_BAD_RESP_ERR },
		{ { .opcode = OP(READ_RSP_FIRST), .len = 252, OK }, MODEL_LOC_LEN_ERR },
		{ { .opcode = OP(READ_RSP_FIRST), .len = 260, OK }, MODEL_LOC_LEN_ERR },
		{ { .opcode = OP(READ_RSP_FIRST), .len = 256, .pad = 1, OK }, MODEL_LOC_LEN_ERR },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig *r = read_and_send();

		assert_int_equal(rig_give(r, &cases[i].raw), MODEL_REFUSED);
		rig_completion(r, 0, false, cases[i].status);
		rig_completion(r, 1, false, MODEL_WR_FLUSH_ERR);
		assert_int_equal(r->mem[TARGET + 1], 0);
		rig_end(r);
	}
	/* Data for a SEND. */
	struct rig *r = begin();

	post(r, 0, MODEL_SEND, 1, KEY);
	rig_request(r, OP(SEND_ONLY), 0, 1);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), OK, .len = 1), MODEL_REFUSED);
	rig_completion(r, 0, false, MODEL_BAD_RESP_ERR);
	rig_end(r);
}

static void wrong_later(void **state)
{
	static const struct {
		struct raw raw;
		enum model_status status;
	} cases[] = {
		{ { .opcode = OP(READ_RSP_FIRST), .psn = 1, .len = 256, OK }, MODEL_BAD_RESP_ERR },
		{ { .opcode = OP(READ_RSP_LAST), .psn = 1, .len = 88, OK }, MODEL_BAD_RESP_ERR },
		{ { .opcode = OP(READ_RSP_MIDDLE), .psn = 1, .len = 88 }, MODEL_LOC_LEN_ERR },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig *r = read_and_send();

		assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), OK, .len = 256),
				 MODEL_TAKEN);
		assert_int_equal(rig_give(r, &cases[i].raw), MODEL_REFUSED);
		rig_completion(r, 0, false, cases[i].status);
		rig_end(r);
	}
}

/* ---------------------------------------------------------------- local memory */

/* Nothing of a request with wrong memory leaves, and it fails after those before it. */
static void local(void **state)
{
	static const struct {
		enum model_op op;
		uint32_t len, key;
		enum model_status status;
	} cases[] = {
		{ MODEL_SEND, 1, NO_KEY, MODEL_LOC_PROT_ERR },
		{ MODEL_WRITE, 1, OTHER_PD_KEY, MODEL_LOC_PROT_ERR },
		{ MODEL_WRITE, MEM, KEY, MODEL_LOC_PROT_ERR },
		{ MODEL_READ, 1, NO_KEY, MODEL_LOC_PROT_ERR },
		{ MODEL_FETCH_ADD, 4, KEY, MODEL_LOC_LEN_ERR },
		{ MODEL_SEND, 0xffffffff, KEY, MODEL_LOC_LEN_ERR },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig *r = begin();

		post(r, 0, MODEL_SEND, 1, KEY);
		post(r, 1, cases[i].op, cases[i].len, cases[i].key);
		post(r, 2, MODEL_SEND, 1, KEY);
		rig_request(r, OP(SEND_ONLY), 0, 1);
		rig_quiet(r);
		rig_no_completion(r);
		assert_int_equal(give(r, .opcode = ACK, OK), MODEL_TAKEN);
		rig_completion(r, 0, false, MODEL_SUCCESS);
		rig_quiet(r);
		rig_completion(r, 1, false, cases[i].status);
		rig_completion(r, 2, false, MODEL_WR_FLUSH_ERR);
		rig_end(r);
	}
}

/* A READ writes: its target needs LOCAL_WRITE; a SEND only reads. */
static void local_rights(void **state)
{
	struct model_region region = { .key = 0x600, .pd = PD, .base = BASE, .length = MEM };
	struct rig *r = begin();

	(void)state;
	region.data = r->mem;
	assert_int_equal(model_region_add(r->m, &region), 0);
	assert_int_equal(model_region_add(r->m, &region), -EEXIST);
	post(r, 0, MODEL_SEND, 1, 0x600);
	rig_request(r, OP(SEND_ONLY), 0, 1);
	assert_int_equal(give(r, .opcode = ACK, OK), MODEL_TAKEN);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	post(r, 1, MODEL_READ, 0, NO_KEY); /* of nothing: no key */
	rig_request(r, OP(READ_REQUEST), 1, 0);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_ONLY), .psn = 1, OK), MODEL_TAKEN);
	rig_completion(r, 1, false, MODEL_SUCCESS);
	post(r, 2, MODEL_READ, 1, 0x600);
	rig_quiet(r);
	rig_completion(r, 2, false, MODEL_LOC_PROT_ERR);
	rig_end(r);
}

/* A target that goes away while data is on its way. */
static void target_gone(void **state)
{
	struct rig *r = read_and_send();

	(void)state;
	model_region_remove(r->m, KEY);
	assert_int_equal(give(r, .opcode = OP(READ_RSP_FIRST), OK, .len = 256), MODEL_REFUSED);
	rig_completion(r, 0, false, MODEL_LOC_PROT_ERR);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_ERR);
	rig_end(r);
}

static void posting(void **state)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct rig *r = rig_begin(&cfg, MODEL_RTR);
	struct model_send wr = { .op = MODEL_SEND };
	struct model_recv recv = { .sges = MODEL_MAX_SGE + 1 };

	(void)state;
	assert_int_equal(model_post_send(r->m, QPN, &wr), -EINVAL);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RTS), 0);
	assert_int_equal(model_post_send(r->m, QPN, &wr), 0);
	assert_int_equal(model_post_send(r->m, QPN + 1, &wr), -ENOENT);
	wr.sges = MODEL_MAX_SGE + 1;
	assert_int_equal(model_post_send(r->m, QPN, &wr), -EINVAL);
	wr = (struct model_send){ .op = MODEL_WRITE, .extra = MODEL_INV };
	assert_int_equal(model_post_send(r->m, QPN, &wr), -EINVAL);
	wr = (struct model_send){ .op = MODEL_READ, .extra = MODEL_IMM };
	assert_int_equal(model_post_send(r->m, QPN, &wr), -EINVAL);
	assert_int_equal(model_post_recv(r->m, QPN, &recv), -EINVAL);
	assert_int_equal(model_qp_create(r->m, &cfg), -EEXIST);
	cfg.pmtu = 300;
	assert_int_equal(model_qp_create(r->m, &cfg), -EINVAL);
	rig_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),       cmocka_unit_test(gap),
		cmocka_unit_test(implied),     cmocka_unit_test(nak_of_read),
		cmocka_unit_test(in_parts),    cmocka_unit_test(credits_of_parts),
		cmocka_unit_test(wrong),       cmocka_unit_test(wrong_later),
		cmocka_unit_test(local),       cmocka_unit_test(local_rights),
		cmocka_unit_test(target_gone), cmocka_unit_test(posting),
	};

	return cmocka_run_group_tests_name("model_reads", tests, NULL, NULL);
}
