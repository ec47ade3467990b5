// SPDX-License-Identifier: Apache-2.0
/* Golden model, UC and UD, rule by rule: nothing is ever answered, what is not right is lost, and
 * nothing that comes from outside ends a QP. */
#include "rig.h"

#define UC(name) CAIRN_OPCODE_UC_##name
#define UD(name) CAIRN_OPCODE_UD_##name
#define ON_KEY .va = BASE, .key = KEY

static struct rig *begin(enum cairn_transport transport)
{
	struct model_qp_config cfg = rig_config(transport);

	return rig_begin(&cfg, MODEL_RTS);
}

static void post(struct rig *r, uint64_t id, enum model_op op, uint32_t len, uint32_t qkey)
{
	struct model_send wr = { .id = id,
				 .op = op,
				 .signaled = true,
				 .remote_key = 0x777,
				 .ud_qpn = 0x99,
				 .ud_qkey = qkey,
				 .ud_gid = { 7 },
				 .sges = 1,
				 .sge = { { BASE, len, KEY } } };

	assert_int_equal(model_post_send(r->m, QPN, &wr), 0);
}

/* The next receive completion. */
static struct model_completion received(struct rig *r, uint64_t id)
{
	struct model_completion c;

	assert_true(model_completion(r->m, &c));
	assert_true(c.recv);
	assert_int_equal(c.id, id);
	assert_int_equal(c.status, MODEL_SUCCESS);
	return c;
}

/* ---------------------------------------------------------------- UC */

static void uc_messages(void **state)
{
	struct rig *r = begin(CAIRN_TRANSPORT_UC);
	struct model_completion c;

	(void)state;
	rig_recv(r, 1, 1000);
	assert_int_equal(give(r, .opcode = UC(SEND_FIRST), .len = 256, .ackreq = true),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = UC(SEND_MIDDLE), .psn = 1, .len = 256, .fill = 1),
			 MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = UC(SEND_LAST_IMM), .psn = 2, .len = 3, .fill = 2,
			      .imm = 5),
			 MODEL_TAKEN);
	c = received(r, 1);
	assert_int_equal(c.byte_len, 515);
	assert_true(c.with_imm && !c.write_imm);
	assert_int_equal(c.imm_or_key, 5);
	for (unsigned int i = 0; i < 515; i++)
		assert_int_equal(r->mem[4096 + i], (uint8_t)(i + i / 256));
	rig_recv(r, 2, 0);
	assert_int_equal(give(r, .opcode = UC(WRITE_ONLY_IMM), .psn = 3, .len = 7, ON_KEY,
			      .length = 7),
			 MODEL_TAKEN);
	c = received(r, 2);
	assert_true(c.write_imm);
	assert_int_equal(c.byte_len, 7);
	rig_silent(r);
	rig_end(r);
}

/* A packet lost is a message lost; the next FIRST or ONLY starts afresh, with the same receive. */
static void uc_loss(void **state)
{
	struct rig *r = begin(CAIRN_TRANSPORT_UC);

	(void)state;
	rig_recv(r, 1, 1000);
	assert_int_equal(give(r, .opcode = UC(SEND_FIRST), .len = 256), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = UC(SEND_MIDDLE), .psn = 2, .len = 256), MODEL_DROPPED);
	assert_int_equal(give(r, .opcode = UC(SEND_LAST), .psn = 3, .len = 2), MODEL_DROPPED);
	/* From anywhere, even backwards. */
	assert_int_equal(give(r, .opcode = UC(SEND_FIRST), .psn = 900, .len = 256), MODEL_TAKEN);
	/* Its end is lost: the next begins. */
	assert_int_equal(give(r, .opcode = UC(SEND_ONLY), .psn = 5, .len = 2), MODEL_TAKEN);
	assert_int_equal(received(r, 1).byte_len, 2);
	rig_recv(r, 2, 1000);
	assert_int_equal(give(r, .opcode = UC(SEND_FIRST), .psn = 6, .len = 256), MODEL_TAKEN);
	assert_int_equal(give(r, .opcode = UC(SEND_ONLY), .psn = 7, .len = 3), MODEL_TAKEN);
	assert_int_equal(received(r, 2).byte_len, 3);
	/* No receive: lost, and nobody hears of it. */
	assert_int_equal(give(r, .opcode = UC(SEND_ONLY), .psn = 8, .len = 2), MODEL_DROPPED);
	rig_no_completion(r);
	rig_silent(r);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_RTS);
	rig_end(r);
}

static void uc_wrong(void **state)
{
	static const struct raw cases[] = {
		{ .opcode = UC(WRITE_ONLY), .len = 4, .va = BASE, .key = NO_KEY, .length = 4 },
		{ .opcode = UC(WRITE_ONLY), .len = 4, .va = BASE, .key = LOCAL_KEY, .length = 4 },
		{ .opcode = UC(WRITE_ONLY), .len = 4, ON_KEY, .length = 5 },
		{ .opcode = UC(SEND_ONLY), .len = 101 },
		{ .opcode = UC(SEND_ONLY), .len = 4, .pad = 2 },
		{ .opcode = UC(SEND_FIRST), .len = 4 },
		{ .opcode = UC(WRITE_MIDDLE), .len = 256 },
		{ .opcode = CAIRN_OPCODE_RC_SEND_ONLY },
		{ .opcode = CAIRN_OPCODE_RC_ACKNOWLEDGE, .syndrome = ACK_NAK_INV },
		{ .opcode = 0x2c }, /* there is no READ */
		{ .opcode = 0x36 }, /* nor SEND with invalidate */
	};
	struct rig *r = begin(CAIRN_TRANSPORT_UC);

	(void)state;
	rig_recv(r, 1, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rig_give(r, &cases[i]), MODEL_DROPPED);
	assert_int_equal(give(r, .opcode = UC(SEND_ONLY), .psn = 77, .len = 4), MODEL_TAKEN);
	received(r, 1);
	rig_no_completion(r);
	rig_no_event(r);
	rig_silent(r);
	rig_end(r);
}

static void uc_sends(void **state)
{
	struct rig *r = begin(CAIRN_TRANSPORT_UC);

	(void)state;
	post(r, 0, MODEL_SEND, 300, 0);
	post(r, 1, MODEL_WRITE, 4, 0);
	rig_request(r, UC(SEND_FIRST), 0, 256);
	rig_no_completion(r);
	rig_request(r, UC(SEND_LAST), 1, 44);
	assert_int_equal(cairn_pkt_get(r->sent.bytes, CAIRN_BTH_ACKREQ), 0);
	rig_completion(r, 0, false, MODEL_SUCCESS); /* it has left, that is all */
	rig_request(r, UC(WRITE_ONLY), 2, 4);
	rig_completion(r, 1, false, MODEL_SUCCESS);
	assert_int_equal(model_deadline(r->m, QPN), MODEL_NEVER);
	struct model_send wr = { .op = MODEL_READ };

	assert_int_equal(model_post_send(r->m, QPN, &wr), -EINVAL);
	/* An error stops sending, not receiving; and can be mended. */
	post(r, 2, MODEL_SEND, MEM + 1, 0);
	post(r, 3, MODEL_SEND, 1, 0);
	rig_quiet(r);
	rig_completion(r, 2, false, MODEL_LOC_PROT_ERR);
	rig_completion(r, 3, false, MODEL_WR_FLUSH_ERR);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_SQE);
	post(r, 4, MODEL_SEND, 1, 0);
	rig_completion(r, 4, false, MODEL_WR_FLUSH_ERR);
	rig_recv(r, 9, 10);
	assert_int_equal(give(r, .opcode = UC(SEND_ONLY), .len = 1), MODEL_TAKEN);
	received(r, 9);
	assert_int_equal(model_qp_move(r->m, QPN, MODEL_RTS), 0);
	post(r, 5, MODEL_SEND, 1, 0);
	rig_request(r, UC(SEND_ONLY), 3, 1);
	rig_completion(r, 5, false, MODEL_SUCCESS);
	rig_end(r);
}

/* ---------------------------------------------------------------- UD */

static void ud_receives(void **state)
{
	struct rig *r = begin(CAIRN_TRANSPORT_UD);
	struct model_completion c;

	(void)state;
	rig_recv(r, 1, 140);
	/* From anywhere, any PSN. */
	assert_int_equal(give(r, .opcode = UD(SEND_ONLY_IMM), .psn = 4711, .len = 100, .fill = 1,
			      .qkey = QKEY, .imm = 3, .src = 77),
			 MODEL_TAKEN);
	c = received(r, 1);
	assert_int_equal(c.byte_len, 140);
	assert_int_equal(c.src_qpn, PEER);
	assert_true(c.grh && c.with_imm);
	assert_int_equal(c.imm_or_key, 3);
	for (unsigned int i = 0; i < 140; i++)
		assert_int_equal(r->mem[4096 + i], i < 40 ? 0xab : i - 39);
	rig_silent(r);
	rig_end(r);
}

static void ud_wrong(void **state)
{
	static const struct raw cases[] = {
		{ .opcode = UD(SEND_ONLY), .len = 4, .qkey = QKEY + 1 },
		{ .opcode = UD(SEND_ONLY), .len = 61, .qkey = QKEY },
		{ .opcode = UD(SEND_ONLY), .len = 260, .qkey = QKEY },
		{ .opcode = UD(SEND_ONLY), .len = 4, .pad = 1, .qkey = QKEY },
		{ .opcode = UD(SEND_ONLY), .len = 4, .qkey = QKEY, .pkey = 0x8001 },
		{ .opcode = UC(SEND_ONLY), .len = 4 },
	};
	struct rig *r = begin(CAIRN_TRANSPORT_UD);

	(void)state;
	assert_int_equal(give(r, .opcode = UD(SEND_ONLY), .len = 4, .qkey = QKEY), MODEL_DROPPED);
	rig_recv(r, 1, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rig_give(r, &cases[i]), MODEL_DROPPED);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_RTS);
	assert_int_equal(give(r, .opcode = UD(SEND_ONLY), .qkey = QKEY), MODEL_TAKEN);
	assert_int_equal(received(r, 1).byte_len, 40);
	rig_end(r);
}

static void ud_sends(void **state)
{
	const uint8_t *deth;
	struct rig *r = begin(CAIRN_TRANSPORT_UD);

	(void)state;
	deth = r->sent.bytes + CAIRN_BTH_BYTES;
	post(r, 0, MODEL_SEND, 256, 0x4444);
	rig_request(r, UD(SEND_ONLY), 0, 256);
	assert_int_equal(cairn_pkt_get(r->sent.bytes, CAIRN_BTH_DEST_QP), 0x99);
	assert_int_equal(cairn_pkt_get(deth, CAIRN_DETH_QKEY), 0x4444);
	assert_int_equal(cairn_pkt_get(deth, CAIRN_DETH_SRC_QP), QPN);
	assert_int_equal(r->sent.dst[0], 7);
	rig_completion(r, 0, false, MODEL_SUCCESS);
	/* Bit 31: the QP's own key. */
	post(r, 1, MODEL_SEND, 0, 0x80000001);
	rig_request(r, UD(SEND_ONLY), 1, 0);
	assert_int_equal(cairn_pkt_get(deth, CAIRN_DETH_QKEY), QKEY);
	rig_completion(r, 1, false, MODEL_SUCCESS);
	/* Too long for a packet: none, and no error. */
	post(r, 2, MODEL_SEND, 257, 0);
	post(r, 3, MODEL_SEND, 1, 0);
	rig_request(r, UD(SEND_ONLY), 2, 1);
	rig_completion(r, 2, false, MODEL_SUCCESS);
	rig_completion(r, 3, false, MODEL_SUCCESS);
	rig_quiet(r);
	rig_end(r);
}

/* The capture in the protocol's description: a congestion notification of a ConnectX-4. */
static void icrc(void **state)
{
	static const uint8_t cnp[] = {
		0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40,	 0x00, 0x40, 0x11,
		0x91, 0x61, 0x0a, 0x00, 0x11, 0x01, 0x0a,	 0x00, 0x12, 0x01,
		0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00,	 0x00, 0x81, 0x00,
		0xff, 0xff, 0x40, 0x00, 0x01, 0x18, [56] = 0x82, 0xfd, 0x00, 0x2a,
	};
	uint32_t crc = model_icrc(cnp, 56);

	(void)state;
	assert_memory_equal(&crc, cnp + 56, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uc_messages), cmocka_unit_test(uc_loss),
		cmocka_unit_test(uc_wrong),    cmocka_unit_test(uc_sends),
		cmocka_unit_test(ud_receives), cmocka_unit_test(ud_wrong),
		cmocka_unit_test(ud_sends),    cmocka_unit_test(icrc),
	};

	return cmocka_run_group_tests_name("model_dgram", tests, NULL, NULL);
}
