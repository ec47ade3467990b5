// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model: random packets, most of them nearly right.  Memory outside the regions stays as it
 * is (the sanitizer looks), the state moves only as the rules allow, and nothing is answered twice.
 */
#include "rig.h"
#include "rng.h"

#define PACKETS 30000

static uint8_t any_opcode(struct rng *rng)
{
	uint8_t opcode;

	if (rng_percent(rng, 5))
		return (uint8_t)rng_u64(rng);
	do
		opcode = (uint8_t)rng_below(rng, 0x66);
	while (!(cairn_opcode_table[opcode].flags & CAIRN_OPF_VALID));
	return opcode;
}

static struct raw any_packet(struct rng *rng, const struct model_view *view,
			     enum cairn_transport type)
{
	static const uint32_t keys[] = { KEY, KEY, KEY, LOCAL_KEY, OTHER_PD_KEY, ZERO_KEY, NO_KEY };
	static const uint32_t lens[] = { 0, 1, 4, 100, 255, 256, 256, 256, 257 };
	struct raw raw = { .opcode = any_opcode(rng) };
	bool response = cairn_opcode_table[raw.opcode].flags & CAIRN_OPF_RSP;
	uint32_t near = (uint32_t)rng_range(rng, 0, 8) - 4;

	while (rng_percent(rng, 90) && cairn_opcode_table[raw.opcode].transport != type)
		raw.opcode = any_opcode(rng);
	response = cairn_opcode_table[raw.opcode].flags & CAIRN_OPF_RSP;
	raw.psn = (int)(response ? view->una - SQ_PSN : view->epsn - RQ_PSN);
	if (rng_percent(rng, 40))
		raw.psn += (int)near;
	raw.ackreq = rng_percent(rng, 50);
	raw.len = lens[rng_below(rng, sizeof(lens) / sizeof(lens[0]))];
	raw.pad = rng_percent(rng, 3);
	raw.va = rng_percent(rng, 80) ? BASE + 8 * rng_below(rng, MEM / 8) : rng_u64(rng);
	raw.key = keys[rng_below(rng, sizeof(keys) / sizeof(keys[0]))];
	raw.length = rng_percent(rng, 70) ? raw.len : (uint32_t)rng_below(rng, 2000);
	raw.swap_add = rng_u64(rng);
	raw.qkey = QKEY;
	raw.syndrome = rng_percent(rng, 60) ? ACK_OK : (uint8_t)rng_u64(rng);
	raw.cut = rng_percent(rng, 3) ? (uint32_t)rng_below(rng, 12) : 0;
	return raw;
}

static void post_something(struct rig *r, struct rng *rng, enum cairn_transport type)
{
	struct model_send wr = { .op = (enum model_op)rng_below(rng, MODEL_FETCH_ADD + 1),
				 .signaled = true,
				 .remote_key = KEY,
				 .sges = 1,
				 .sge = { { BASE, (uint32_t)rng_below(rng, 700), KEY } } };

	if (type == CAIRN_TRANSPORT_UD)
		wr.op = MODEL_SEND;
	if (wr.op == MODEL_LOCAL)
		wr.sges = 0;
	if (wr.op > MODEL_READ)
		wr.sge[0].length = 8;
	model_post_send(r->m, QPN, &wr);
}

/* What one packet may have done to the state. */
static void check_step(const struct raw *raw, enum model_fate fate, const struct model_view *before,
		       const struct model_view *after, enum cairn_transport type)
{
	bool response = cairn_opcode_table[raw->opcode].flags & CAIRN_OPF_RSP;
	uint32_t messages = model_psn_add(after->msn, -before->msn & 0xffffff);

	if (fate == MODEL_TAKEN && !response && type == CAIRN_TRANSPORT_RC)
		assert_true(messages <= 1 && after->epsn != before->epsn);
	else
		assert_int_equal(messages, 0);
	if (type == CAIRN_TRANSPORT_RC && (fate != MODEL_TAKEN || response))
		assert_int_equal(after->epsn, before->epsn);
	if (fate == MODEL_DROPPED && type == CAIRN_TRANSPORT_RC && !response)
		assert_memory_equal(before, after, sizeof(*before));
	assert_true(after->answers <= before->answers + 1);
	if (type != CAIRN_TRANSPORT_RC)
		assert_int_equal(after->answers, 0);
	if (!response && fate != MODEL_REFUSED)
		assert_int_equal(after->una, before->una);
}

static void revive(struct rig *r)
{
	model_qp_move(r->m, QPN, MODEL_RESET);
	for (enum model_state to = MODEL_INIT; to <= MODEL_RTS; to++)
		assert_int_equal(model_qp_move(r->m, QPN, to), 0);
}

static void fuzz(enum cairn_transport type)
{
	struct model_qp_config cfg = rig_config(type);
	struct rng rng = { test_seed() };
	struct rig *r = rig_begin(&cfg, MODEL_RTS);
	struct model_completion c = { 0 };
	struct model_event event;
	unsigned int fates[4] = { 0 };

	print_message("SEED=%#llx\n", (unsigned long long)rng.state);
	for (unsigned int i = 0; i < PACKETS; i++) {
		struct model_view before, after;
		enum model_fate fate;
		struct raw raw;

		if (rng_percent(&rng, 40))
			rig_recv(r, i,
				 (type == CAIRN_TRANSPORT_UD ? MODEL_GRH_BYTES : 0) +
					 (uint32_t)rng_below(&rng, 1000));
		if (rng_percent(&rng, 20))
			post_something(r, &rng, type);
		if (rng_percent(&rng, 40))
			model_transmit(r->m, QPN, r->now, &r->sent);
		while (rng_percent(&rng, 60) && model_respond(r->m, QPN, &r->sent))
			assert_true(r->sent.len <= CAIRN_BTH_BYTES + CAIRN_AETH_BYTES + PMTU + 8);
		r->now += rng_below(&rng, 3000);
		model_timeout(r->m, QPN, r->now);
		model_look(r->m, QPN, &before);
		raw = any_packet(&rng, &before, type);
		fate = rig_give(r, &raw);
		model_look(r->m, QPN, &after);
		check_step(&raw, fate, &before, &after, type);
		fates[fate]++;
		while (model_completion(r->m, &c) || model_event(r->m, &event))
			assert_true(c.status <= MODEL_RNR_RETRY_EXC_ERR);
		if (model_qp_state(r->m, QPN) >= MODEL_SQE)
			revive(r);
		if (!model_region_valid(r->m, KEY) || !model_region_valid(r->m, LOCAL_KEY)) {
			rig_end(r); /* invalidated */
			r = rig_begin(&cfg, MODEL_RTS);
		}
	}
	for (unsigned int i = 0; i < (type == CAIRN_TRANSPORT_RC ? 4 : 2); i++)
		assert_true(fates[i] > PACKETS / 100);
	rig_end(r);
}

static void rc(void **state)
{
	(void)state;
	fuzz(CAIRN_TRANSPORT_RC);
}

static void uc(void **state)
{
	(void)state;
	fuzz(CAIRN_TRANSPORT_UC);
}

static void ud(void **state)
{
	(void)state;
	fuzz(CAIRN_TRANSPORT_UD);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rc), cmocka_unit_test(uc),
					    cmocka_unit_test(ud) };

	return cmocka_run_group_tests_name("model_fuzz", tests, NULL, NULL);
}
