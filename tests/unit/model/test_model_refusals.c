// SPDX-License-Identifier: Apache-2.0
/* Golden model, RC responder: each request that ends the connection, the answer it gets, and which
 * of two reasons wins.  After it come an event, the completions, and silence. */
#include "rig.h"

#define OP(name) CAIRN_OPCODE_RC_##name
#define ACK OP(ACKNOWLEDGE)

struct refusal {
	const char *name;
	struct raw before; /* executed first, when it has an AckReq */
	struct raw raw;
	uint8_t syndrome;
	enum model_event_kind event; /* 0: none */
	uint32_t rights;	     /* that the QP lacks */
	uint32_t recv;		     /* bytes of a receive; 0: there is none */
	enum model_status status;    /* of that receive; 0: flushed */
	bool no_resources;	     /* max_dest_rd_atomic is 0 */
	bool bad_recv;		     /* the receive has no valid key */
};

#define REQ MODEL_QP_REQ_ERR
#define ACC MODEL_QP_ACCESS_ERR
#define INV MODEL_REM_INV_REQ_ERR
#define ON_KEY .va = BASE, .key = KEY
#define SEND_1ST                                                      \
	{                                                             \
		.opcode = OP(SEND_FIRST), .ackreq = true, .len = PMTU \
	}
#define WRITE_1ST                                                                             \
	{                                                                                     \
		.opcode = OP(WRITE_FIRST), .ackreq = true, .len = PMTU, ON_KEY, .length = 300 \
	}

static const struct refusal refusals[] = {
	/* place in the message: before the rights of the QP */
	{ .name = "middle outside",
	  .raw = { .opcode = OP(SEND_MIDDLE), .len = PMTU },
	  .syndrome = 0x61,
	  .event = REQ },
	{ .name = "last outside, no right",
	  .raw = { .opcode = OP(WRITE_LAST), .len = 4 },
	  .syndrome = 0x61,
	  .event = REQ,
	  .rights = MODEL_REMOTE_WRITE },
	{ .name = "first inside a send",
	  .before = SEND_1ST,
	  .raw = { .opcode = OP(SEND_FIRST), .psn = 1, .len = PMTU },
	  .syndrome = 0x61,
	  .event = REQ,
	  .recv = 999,
	  .status = INV },
	{ .name = "write inside a send",
	  .before = SEND_1ST,
	  .raw = { .opcode = OP(WRITE_MIDDLE), .psn = 1, .len = PMTU },
	  .syndrome = 0x61,
	  .event = REQ,
	  .recv = 999,
	  .status = INV },
	{ .name = "read inside a write",
	  .before = WRITE_1ST,
	  .raw = { .opcode = OP(READ_REQUEST), .psn = 1, ON_KEY },
	  .syndrome = 0x61,
	  .event = REQ },
	{ .name = "send inside a write",
	  .before = WRITE_1ST,
	  .raw = { .opcode = OP(SEND_LAST), .psn = 1, .len = 44 },
	  .syndrome = 0x61,
	  .event = REQ },
	/* rights of the QP: before the keys, and not an access error */
	{ .name = "write, no right",
	  .raw = { .opcode = OP(WRITE_ONLY), .len = 4, .length = 4, .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC,
	  .rights = MODEL_REMOTE_WRITE },
	{ .name = "read, no right",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC,
	  .rights = MODEL_REMOTE_READ },
	{ .name = "atomic, no right",
	  .raw = { .opcode = OP(FETCH_ADD), .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC,
	  .rights = MODEL_REMOTE_ATOMIC },
	/* resources: before length and keys */
	{ .name = "read, no resource",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC,
	  .no_resources = true },
	{ .name = "atomic, no resource",
	  .raw = { .opcode = OP(COMPARE_SWAP), .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC,
	  .no_resources = true },
	/* length: before the keys */
	{ .name = "first too short",
	  .raw = { .opcode = OP(SEND_FIRST), .len = 252 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 999,
	  .status = INV },
	{ .name = "first with pad",
	  .raw = { .opcode = OP(SEND_FIRST), .len = 255 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 999,
	  .status = INV },
	{ .name = "only too long",
	  .raw = { .opcode = OP(SEND_ONLY), .len = 260 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 999,
	  .status = INV },
	{ .name = "last empty",
	  .before = SEND_1ST,
	  .raw = { .opcode = OP(SEND_LAST), .psn = 1 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 999,
	  .status = INV },
	{ .name = "pad not needed",
	  .raw = { .opcode = OP(SEND_ONLY), .len = 2, .pad = 1 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 999,
	  .status = INV },
	{ .name = "read with payload",
	  .raw = { .opcode = OP(READ_REQUEST), .len = 4, ON_KEY },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "write says more",
	  .raw = { .opcode = OP(WRITE_ONLY), .len = 4, .length = 5, .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "write says less",
	  .raw = { .opcode = OP(WRITE_ONLY), .len = 4, .length = 3, .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "write ends early",
	  .before = WRITE_1ST,
	  .raw = { .opcode = OP(WRITE_LAST), .psn = 1, .len = 40 },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "write goes on",
	  .before = WRITE_1ST,
	  .raw = { .opcode = OP(WRITE_MIDDLE), .psn = 1, .len = PMTU },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "write goes on, a little too far",
	  .before = { .opcode = OP(WRITE_FIRST),
		      .ackreq = true,
		      .len = PMTU,
		      ON_KEY,
		      .length = 510 },
	  .raw = { .opcode = OP(WRITE_MIDDLE), .psn = 1, .len = PMTU },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "more than 2^31",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 0x80000001, .key = NO_KEY },
	  .syndrome = 0x61,
	  .event = ACC },
	{ .name = "receive too short",
	  .raw = { .opcode = OP(SEND_ONLY), .len = 101 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 100,
	  .status = MODEL_LOC_LEN_ERR },
	{ .name = "receive too short later",
	  .before = SEND_1ST,
	  .raw = { .opcode = OP(SEND_LAST), .psn = 1, .len = 5 },
	  .syndrome = 0x61,
	  .event = ACC,
	  .recv = 260,
	  .status = MODEL_LOC_LEN_ERR },
	/* keys: before alignment */
	{ .name = "write, no key",
	  .raw = { .opcode = OP(WRITE_ONLY), .len = 4, .length = 4, .va = BASE, .key = NO_KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "write, local key",
	  .raw = { .opcode = OP(WRITE_ONLY), .len = 4, .length = 4, .va = BASE, .key = LOCAL_KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "read, key of another PD",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .va = BASE, .key = OTHER_PD_KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "tag differs",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .va = BASE, .key = KEY + 1 },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "below the region",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .va = BASE - 1, .key = KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "past the region",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .va = BASE + MEM - 3, .key = KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "round the end of addresses",
	  .raw = { .opcode = OP(READ_REQUEST), .length = 4, .va = ~0ull - 1, .key = ZERO_KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "whole write checked first",
	  .raw = { .opcode = OP(WRITE_FIRST),
		   .len = PMTU,
		   .length = 300,
		   .va = BASE + MEM - 299,
		   .key = KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "atomic, no key, not aligned",
	  .raw = { .opcode = OP(FETCH_ADD), .va = BASE + 4, .key = NO_KEY },
	  .syndrome = 0x62,
	  .event = ACC },
	{ .name = "invalidates nothing",
	  .raw = { .opcode = OP(SEND_ONLY_INV), .len = 4, .key = NO_KEY },
	  .syndrome = 0x62,
	  .event = ACC,
	  .recv = 100,
	  .status = INV },
	{ .name = "invalidates another PD's",
	  .raw = { .opcode = OP(SEND_ONLY_INV), .len = 4, .key = OTHER_PD_KEY },
	  .syndrome = 0x62,
	  .event = ACC,
	  .recv = 100,
	  .status = INV },
	{ .name = "atomic, not aligned",
	  .raw = { .opcode = OP(COMPARE_SWAP), .va = BASE + 4, .key = KEY },
	  .syndrome = 0x61,
	  .event = ACC },
	/* the receiver's own fault */
	{ .name = "receive without key",
	  .raw = { .opcode = OP(SEND_ONLY), .len = 4 },
	  .syndrome = 0x63,
	  .recv = 100,
	  .status = MODEL_LOC_PROT_ERR,
	  .bad_recv = true },
};

static void refuse(const struct refusal *t)
{
	struct model_qp_config cfg = rig_config(CAIRN_TRANSPORT_RC);
	struct model_recv recv = { .id = 7, .sges = 1, .sge = { { BASE, t->recv, LOCAL_KEY } } };
	struct rig *r;
	int psn = 0;

	cfg.rights &= ~t->rights;
	if (t->no_resources)
		cfg.max_dest_rd_atomic = 0;
	r = rig_begin(&cfg, MODEL_RTS);
	if (t->bad_recv)
		recv.sge[0].key = NO_KEY;
	if (t->recv)
		assert_int_equal(model_post_recv(r->m, QPN, &recv), 0);
	if (t->before.ackreq) {
		assert_int_equal(rig_give(r, &t->before), MODEL_TAKEN);
		rig_answer(r, ACK, ACK_OK, psn++, 0);
	}
	rig_recv(r, 8, 100);
	assert_int_equal(rig_give(r, &t->raw), MODEL_REFUSED);
	assert_int_equal(model_qp_state(r->m, QPN), MODEL_ERR);
	rig_answer(r, ACK, t->syndrome, psn, 0);
	rig_silent(r);
	if (t->recv)
		rig_completion(r, 7, true, t->status ? t->status : MODEL_WR_FLUSH_ERR);
	rig_completion(r, 8, true, MODEL_WR_FLUSH_ERR);
	rig_no_completion(r);
	if (t->event)
		rig_event(r, t->event);
	rig_no_event(r);
	/* Dead: not even the same again is answered. */
	assert_int_equal(rig_give(r, &t->raw), MODEL_DROPPED);
	rig_silent(r);
	rig_end(r);
}

static void refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		print_message("%s\n", refusals[i].name);
		refuse(&refusals[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(refused) };

	return cmocka_run_group_tests_name("model_refusals", tests, NULL, NULL);
}
