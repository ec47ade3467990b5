// SPDX-License-Identifier: Apache-2.0
/*
 * qp_lookup, rule by rule (checks 28, 32, 33, 35): every opcode for every type of QP, every state,
 * P_Keys of both kinds, queue pair numbers that do not exist, each bit of the source.  One packet
 * at a time; the table of the test, the model of lookup_world.c and the RTL must agree.
 */
#include <string.h>

#include "cairn_bits.h"
#include "lookup_world.h"

static struct {
	unsigned int field[8];
	uint64_t value[8];
	unsigned int n;
} change;

static void tweak(struct world *w, uint8_t *meta)
{
	(void)w;
	for (unsigned int i = 0; i < change.n; i++)
		meta_set(meta, change.field[i], change.value[i]);
	change.n = 0;
}

static void with(unsigned int field, uint64_t value)
{
	change.field[change.n] = field;
	change.value[change.n++] = value;
}

static struct cairn_qp_cfg *cfg(struct world *w, unsigned int k)
{
	return (struct cairn_qp_cfg *)w->cfg[k];
}

static void set(struct world *w, unsigned int k, unsigned int type, unsigned int state)
{
	CAIRN_SET(cfg(w, k)->state, CAIRN_QP_CFG_STATE_TYPE, type);
	CAIRN_SET(cfg(w, k)->state, CAIRN_QP_CFG_STATE, state);
}

static struct world *open_world(void)
{
	struct world *w = world_create();

	w->tweak = tweak;
	w->work = 4;
	change.n = 0;
	return w;
}

static void expect(struct world *w, uint32_t qpn, enum fate fate)
{
	unsigned int before[FATES], passed = w->passed;
	struct packet *p;

	memcpy(before, w->dropped, sizeof(before));
	p = world_send(w, qpn, true, (unsigned int)rng_below(&w->rng, 3));
	if (p->fate != fate)
		vtb_fail(w->tb, "QP %u: the model says %u, the table %u", qpn, p->fate, fate);
	vtb_run_until(w->tb, w->passed + w->dropped[fate] > passed + before[fate], 600);
	before[fate] += fate != PASS;
	vtb_check_eq(w->tb, w->passed, passed + (fate == PASS));
	vtb_check(w->tb, !memcmp(before, w->dropped, sizeof(before)));
	if (p->cells)
		vtb_run(w->tb, 8);
}

static void opcodes(void **state)
{
	static const unsigned int of_type[4] = { CAIRN_TRANSPORT_RC, CAIRN_TRANSPORT_UC,
						 CAIRN_TRANSPORT_UD, CAIRN_TRANSPORT_UD };

	(void)state;
	for (unsigned int type = 0; type < 4; type++) {
		struct world *w = open_world();

		set(w, 3, type, CAIRN_QP_STATE_RTS);
		for (unsigned int op = 0; op < 256; op++) {
			const struct cairn_opcode_info *info = &cairn_opcode_table[op];
			bool cnp = info->flags & CAIRN_OPF_CNP;

			if (!(info->flags & CAIRN_OPF_VALID))
				continue; /* rx_parser has dropped it */
			with(META_opcode, op);
			expect(w, 3,
			       cnp					       ? CNP
			       : info->transport == of_type[type] ? PASS
								  : BAD_QPN);
		}
		world_destroy(w);
	}
}

/* Requests from RTR on, responses in RTS and SQD; nothing else, whatever the type. */
static void states(void **state)
{
	static const uint8_t request[4] = { CAIRN_OPCODE_RC_WRITE_ONLY, CAIRN_OPCODE_UC_SEND_ONLY,
					    CAIRN_OPCODE_UD_SEND_ONLY, CAIRN_OPCODE_UD_SEND_ONLY };
	struct world *w = open_world();

	(void)state;
	for (unsigned int type = 0; type < 4; type++) {
		for (unsigned int s = 0; s < 7; s++) {
			unsigned int k = type * 7 + s;
			bool rts = s == CAIRN_QP_STATE_RTS || s == CAIRN_QP_STATE_SQD;

			set(w, k, type, s);
			with(META_opcode, request[type]);
			expect(w, k,
			       rts || s == CAIRN_QP_STATE_RTR || s == CAIRN_QP_STATE_SQE ? PASS
											 : STATE);
			if (type)
				continue;
			with(META_opcode, CAIRN_OPCODE_RC_ACKNOWLEDGE);
			expect(w, k, rts ? PASS : STATE);
			with(META_opcode, CAIRN_OPCODE_RC_READ_RSP_LAST);
			expect(w, k, rts ? PASS : STATE);
		}
	}
	world_destroy(w);
}

/* The low 15 bits are the partition; of two limited members neither hears the other. */
static void pkeys(void **state)
{
	static const uint16_t keys[] = { 0x0000, 0x8000, 0x7fff, 0xffff, 0x0001,
					 0x8001, 0x1234, 0x9234, 0x1235, 0x5234 };
	struct world *w = open_world();

	(void)state;
	for (unsigned int type = 0; type < 3; type++) {
		for (unsigned int own = 0; own < 10; own++) {
			unsigned int k = type * 10 + own;

			set(w, k, type, CAIRN_QP_STATE_RTS);
			CAIRN_SET(cfg(w, k)->pkey_vlan, CAIRN_QP_CFG_PKEY_VLAN_PKEY, keys[own]);
			for (unsigned int i = 0; i < 10; i++) {
				bool same = !((keys[i] ^ keys[own]) & 0x7fff);

				with(META_pkey, keys[i]);
				expect(w, k,
				       same && ((keys[i] | keys[own]) & 0x8000) ? PASS : PKEY);
			}
			for (unsigned int bit = 0; bit < 15; bit++) {
				with(META_pkey, (keys[own] | 0x8000u) ^ 1u << bit);
				expect(w, k, PKEY);
			}
		}
	}
	world_destroy(w);
}

/* Numbers that are no QP: free ones, the first beyond the table, the last of all, each high bit. */
static void numbers(void **state)
{
	struct world *w = open_world();

	(void)state;
	for (unsigned int k = 0; k < KEYS; k++)
		set(w, k, CAIRN_QP_TYPE_RC, CAIRN_QP_STATE_RTS);
	set(w, 1, CAIRN_QP_TYPE_GSI, CAIRN_QP_STATE_RTS);
	w->kind[0] = w->kind[5] = CAIRN_CTX_RESULT_FREE;
	w->kind[6] = CAIRN_CTX_RESULT_DAMAGED;
	with(META_opcode, CAIRN_OPCODE_RC_SEND_ONLY);
	expect(w, 0, BAD_QPN);
	expect(w, 1, PASS);
	with(META_opcode, CAIRN_OPCODE_RC_SEND_ONLY);
	expect(w, 1, BAD_QPN); /* QP 1 takes datagrams only */
	expect(w, 2, PASS);
	expect(w, 5, BAD_QPN);
	expect(w, 6, CTX_ERROR);
	expect(w, KEYS - 1, PASS);
	expect(w, KEYS, BAD_QPN);
	expect(w, 0xffffff, BAD_QPN);
	expect(w, 0xfffffe, BAD_QPN);
	for (unsigned int bit = 6; bit < 24; bit++)
		expect(w, 2 | 1u << bit, BAD_QPN);
	world_destroy(w);
}

/* Each bit of the source address, and the entry of ours that it was sent to; but the peer's MAC,
 * its UDP port and how the switch marked it do not matter. */
static void sources(void **state)
{
	struct world *w = open_world();

	(void)state;
	for (unsigned int type = 0; type < 3; type++) {
		bool ud = type == CAIRN_QP_TYPE_UD;
		uint64_t hi = 0, lo = 0;

		set(w, type, type, CAIRN_QP_STATE_RTS);
		for (unsigned int i = 0; i < 8; i++) {
			hi = hi << 8 | cfg(w, type)->dgid[i];
			lo = lo << 8 | cfg(w, type)->dgid[8 + i];
		}
		for (unsigned int bit = 0; bit < 64; bit++) {
			with(META_sip_1, hi ^ 1ull << bit);
			expect(w, type, ud ? PASS : ADDR);
			with(META_sip_0, lo ^ 1ull << bit);
			expect(w, type, ud ? PASS : ADDR);
		}
		for (unsigned int i = 0; i < 16; i++) {
			with(META_sgid_index, i);
			expect(w, type, ud || i == cfg(w, type)->pd_sgid >> 24 ? PASS : ADDR);
			with(META_sport, 1u << i);
			with(META_smac, 1ull << 3 * i);
			with(META_ce, i & 1);
			expect(w, type, PASS);
		}
	}
	world_destroy(w);
}

static void qkeys(void **state)
{
	struct world *w = open_world();

	(void)state;
	set(w, 7, CAIRN_QP_TYPE_UD, CAIRN_QP_STATE_RTS);
	set(w, 8, CAIRN_QP_TYPE_GSI, CAIRN_QP_STATE_RTS);
	cfg(w, 7)->qkey = 0x11111111;
	cfg(w, 8)->qkey = 0x80010000;
	for (unsigned int k = 7; k < 9; k++) {
		with(META_qkey, 0);
		expect(w, k, QKEY);
		for (unsigned int bit = 0; bit < 32; bit++) {
			with(META_qkey, cfg(w, k)->qkey ^ 1u << bit);
			expect(w, k, QKEY);
		}
		with(META_qkey, cfg(w, k)->qkey);
		expect(w, k, PASS);
	}
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcodes), cmocka_unit_test(states),  cmocka_unit_test(pkeys),
		cmocka_unit_test(numbers), cmocka_unit_test(sources), cmocka_unit_test(qkeys),
	};

	return cmocka_run_group_tests_name("qp_lookup, rule by rule", tests, NULL, NULL);
}
