// SPDX-License-Identifier: Apache-2.0
/*
 * responder: whole matrices instead of single rows (checks 28 to 30, 34, 36 to 38): each opcode
 * behind each other, undefined opcodes in each state, pads, PSNs, addresses and lengths of RETHs,
 * messages longer and shorter than they said, atomics.
 */
#include "rsp_one.h"

#include <string.h>

#define MTU 256u
#define INV_KEY 0x333
#define FEATURES (CAIRN_REG_FEATURES_ATOMIC | CAIRN_REG_FEATURES_MW)
#define UC(op) (0x20 | (op))
#define INV_REQ 0x61
#define ACCESS 0x62
#define RECEIVES 8u

enum kind { NONE, SEND, WRITE, OTHER };

static const uint8_t rc_ops[] = { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
				  0x09, 0x0a, 0x0b, 0x0c, 0x13, 0x14, 0x16, 0x17 };
#define RC_OPS (sizeof(rc_ops) / sizeof(rc_ops[0]))
#define UC_OPS 12u /* the first of them */

/* From the opcode's name alone. */
static enum kind kind_of(unsigned int op)
{
	op &= 0x1f;
	return op <= 5 || op >= 0x16 ? SEND : op <= 0xb ? WRITE : OTHER;
}

static bool starts(unsigned int op)
{
	op &= 0x1f;
	return op == 0 || op == 4 || op == 5 || op == 6 || op >= 0xa;
}

static bool starts_message(unsigned int op)
{
	return starts(op) && (op & 0x1f) != 0x16;
}

static bool goes_on(unsigned int op) /* FIRST and MIDDLE */
{
	op &= 0x1f;
	return op == 0 || op == 1 || op == 6 || op == 7;
}

static struct world *start(unsigned int type)
{
	struct world *w = setup(4, RECEIVES);

	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_TYPE, type);
	world_cfg(w, 0);
	vtb_set(w->tb, "control_engine_features_i", FEATURES);
	world_region(w, INV_KEY, 7, RVA, 64, 0);
	world_key(w, INV_KEY)->may_inv = true;
	w->pause = 0;
	w->latency = 5;
	return w;
}

static unsigned int length_of(unsigned int op)
{
	return kind_of(op) == OTHER ? 0 : goes_on(op) ? MTU : 8;
}

/* `total`: of the message, for its RETH. */
static void send_op(struct world *w, unsigned int op, unsigned int psn, unsigned int total)
{
	struct wpkt p = packet(op, psn, length_of(op));

	p.rlen = kind_of(op) == OTHER ? 8 : total;
	if ((op & 0x1f) >= 0x16)
		p.key = INV_KEY;
	world_send(w, &p);
}

/*
 * What must come before `op` so that it is right, then `op`; returns the number of packets.  The
 * message goes on with `next`.
 */
static unsigned int lead_to(struct world *w, unsigned int op, unsigned int next)
{
	unsigned int psn = 0, total, after = 8;

	if (goes_on(op) && !starts_message(next))
		after = length_of(next);
	/* what follows may be the message's last packet, or not */
	total = length_of(op) + (goes_on(op) ? after + (goes_on(next) ? 8 : 0) : 0);
	if (!starts_message(op)) {
		total += MTU;
		send_op(w, (op & 0xe0) | (kind_of(op) == SEND ? 0 : 6), psn++, total);
	}
	send_op(w, op, psn++, total);
	return psn;
}

static void send_next(struct world *w, unsigned int op, unsigned int psn)
{
	send_op(w, op, psn, kind_of(op) == WRITE ? length_of(op) + 8 * goes_on(op) : 0);
}

static bool legal(unsigned int op, unsigned int next)
{
	if (!goes_on(op))
		return starts_message(next);
	return !starts_message(next) && kind_of(op) == kind_of(next);
}

static void opcode_pairs(void **state)
{
	unsigned int refused = 0;

	(void)state;
	for (unsigned int i = 0; i < RC_OPS * RC_OPS; i++) {
		unsigned int op = rc_ops[i / RC_OPS], next = rc_ops[i % RC_OPS], n, good;
		struct world *w = start(CAIRN_QP_TYPE_RC);

		n = lead_to(w, op, next);
		settle(w);
		vtb_check_eq(w->tb, n_errs, 0);
		good = n_jobs;
		send_next(w, next, n);
		settle(w);
		if (legal(op, next)) {
			vtb_check_eq(w->tb, n_errs, 0);
			vtb_check(w->tb, n_jobs > good);
			vtb_check(w->tb, jobs[n_jobs - 1].opcode != 0x11 ||
						 jobs[n_jobs - 1].aeth >> 29 == 0);
			vtb_check_eq(w->tb, w->cnt[C_INV], 0);
		} else {
			vtb_check_eq(w->tb, n_errs, 1);
			expect_ack(w, n_jobs - 1, INV_REQ, n, jobs[n_jobs - 1].aeth & 0xffffff);
			vtb_check_eq(w->tb, n_eqes, 1);
			vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_QP_REQ_ERR);
			vtb_check_eq(w->tb, eqes[0].data, CAIRN_VENDOR_ERR_REQ_OPCODE);
			vtb_check_eq(w->tb, w->cnt[C_INV], 1);
			refused++;
		}
		world_destroy(w);
	}
	/* behind 13 of them 7 go on with a message that is not there; 2 + 2 leave one open, behind
	 * which all are wrong but 4 or 3 */
	assert_int_equal(refused, 13 * 7 + 2 * (17 - 4) + 2 * (17 - 3));
}

/* UC: nobody hears anything, and the next message is taken whatever came before. */
static void uc_pairs(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < UC_OPS * UC_OPS; i++) {
		unsigned int op = UC(rc_ops[i / UC_OPS]), next = UC(rc_ops[i % UC_OPS]), n;
		struct world *w = start(CAIRN_QP_TYPE_UC);
		unsigned int done;

		n = lead_to(w, op, next);
		settle(w);
		send_next(w, next, n);
		settle(w);
		done = n_cqes;
		if (!legal(op, next) && !starts_message(next))
			vtb_check(w->tb, w->cnt[C_UC] >= 1);
		send_one(w, UC(0x04), n + 1, 9);
		settle(w);
		vtb_check_eq(w->tb, n_cqes, done + 1);
		vtb_check_eq(w->tb, cqes[done].status, 0);
		vtb_check_eq(w->tb, cqes[done].byte_len, 9);
		vtb_check(w->tb, !n_jobs && !n_errs && !n_eqes);
		world_destroy(w);
	}
}

/* In each state of a message: dropped before anything is computed, and the message goes on. */
static void undefined(void **state)
{
	static const struct {
		unsigned int first, last, len;
	} open[] = { { 0x100, 0x04, 8 }, { 0x00, 0x02, 8 }, { 0x06, 0x08, 8 } };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct world *w = start(CAIRN_QP_TYPE_RC);
		unsigned int psn = 0, n = 0;

		if (open[i].first < 0x100)
			send_op(w, open[i].first, psn++, MTU + 8);
		settle(w);
		n_jobs = 0;
		for (unsigned int op = 0; op < 256; op++) {
			if (cairn_opcode_table[op].flags & CAIRN_OPF_VALID)
				continue;
			send_one(w, op, psn, 8);
			if (++n % 32 == 0)
				settle(w);
		}
		settle(w);
		vtb_check(w->tb, !n_jobs && !n_eqes && !n_errs && !n_cqes);
		vtb_check_eq(w->tb, w->cnt[C_STATE], n);
		vtb_check(w->tb, n > 150);
		send_op(w, open[i].last, psn, 8);
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 1);
		expect_ack(w, 0, jobs[0].aeth >> 24, psn, 1);
		vtb_check(w->tb, jobs[0].aeth >> 29 == 0);
		world_destroy(w);
	}
}

static void pads(void **state)
{
	static const uint8_t ops[] = { 0x04, 0x0a, 0x17, 0x0c, 0x13, 0x14 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(ops) * 32; i++) {
		unsigned int op = ops[i / 32], len = i % 8, wrong = i / 8 % 4;
		struct world *w = start(CAIRN_QP_TYPE_RC);
		struct wpkt p = packet(op, 0, len);
		bool data = kind_of(op) != OTHER, ok = !wrong && (data || !len);

		if (op == 0x17)
			p.key = INV_KEY;
		if (!data)
			p.rlen = 8;
		p.bad_pad = wrong;
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 1);
		vtb_check_eq(w->tb, n_errs, !ok);
		if (!ok) {
			expect_ack(w, 0, INV_REQ, 0, 0);
			vtb_check_eq(w->tb, eqes[0].data, CAIRN_VENDOR_ERR_REQ_LENGTH);
		}
		world_destroy(w);
	}
}

/* ---- PSNs ---- */

static void psn_at(struct world *w, uint32_t offset, unsigned int *old, unsigned int *ahead)
{
	if (!offset)
		return;
	send_one(w, 0x0a, offset, 8);
	*(offset < 0x800000 ? ahead : old) += 1;
	if ((*old + *ahead) % 60 == 0) {
		settle(w);
		n_jobs = 0;
	}
}

/* Duplicates are the 2^23 before, all else but one lies ahead. */
static void psn_window(void **state)
{
	struct world *w = start(CAIRN_QP_TYPE_RC);
	unsigned int old = 0, ahead = 0;

	(void)state;
	for (uint32_t d = 0; d < 700; d++) {
		psn_at(w, d, &old, &ahead);
		psn_at(w, 0xffffff - d, &old, &ahead);
		psn_at(w, 0x7fffff - d, &old, &ahead);
		psn_at(w, 0x800000 + d, &old, &ahead);
	}
	for (uint32_t psn = 1; psn < 0x1000000; psn += 16381)
		psn_at(w, psn, &old, &ahead);
	for (unsigned int bit = 0; bit < 24; bit++)
		psn_at(w, 1u << bit, &old, &ahead);
	settle(w);
	n_jobs = 0;
	vtb_check_eq(w->tb, w->cnt[C_DUP], old);
	vtb_check_eq(w->tb, w->cnt[C_OOS], ahead);
	vtb_check_eq(w->tb, w->cnt[C_WRITE], 0);
	vtb_check(w->tb, !n_errs && !n_eqes);
	send_one(w, 0x0a, 0, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	expect_ack(w, 0, jobs[0].aeth >> 24, 0, 1);
	world_destroy(w);
}

/* ---- RETH ---- */

static void reths(void **state)
{
	static const uint64_t vas[] = { 0, RVA - 1, RVA, RVA + 0xffff, RVA + 0x10000,
					UINT64_MAX, UINT64_MAX - 7 };
	static const uint32_t lens[] = { 0,	  1,	      8,	  256,
					 0x10000, 0x80000000, 0x80000001, 0xffffffff };
	static const uint32_t keys[] = { RKEY, RKEY ^ 1, 0, 0xffffffff };
	static const uint8_t ops[] = { 0x0c, 0x0a, 0x06, 0x0b };

	(void)state;
	for (unsigned int i = 0; i < 4 * 4 * 7 * 8; i++) {
		struct wpkt p = packet(ops[i % 4], 0, 0);
		struct world *w = start(CAIRN_QP_TYPE_RC);
		uint8_t *before = malloc(0x20000);
		bool fits, only;
		unsigned int want;

		p.key = keys[i / 4 % 4];
		p.va = vas[i / 16 % 7];
		p.rlen = lens[i / 112];
		only = p.opcode != 0x0c && p.opcode != 0x06;
		/* what does not fit one packet is begun by another opcode */
		if (p.opcode == 0x0c || (only && p.rlen <= MTU) ||
		    (p.opcode == 0x06 && (p.rlen > MTU || !p.rlen)))
			p.len = p.opcode == 0x0c ? 0 : only ? p.rlen : MTU;
		else
			p.len = MTU;
		memcpy(before, w->mem, 0x20000);
		fits = !p.rlen || (p.key == RKEY && p.va >= RVA && p.va - RVA <= 0x10000 &&
				   p.rlen <= 0x10000 - (p.va - RVA));
		want = p.rlen > 0x80000000u			     ? INV_REQ
		       : only && p.rlen != p.len		     ? INV_REQ
		       : p.opcode == 0x06 && p.rlen < p.len	     ? INV_REQ
		       : fits					     ? 0
								     : ACCESS;
		world_send(w, &p);
		if (!want && p.rlen > 2000) /* one response or packet is enough */
			vtb_run(w->tb, 600);
		else
			settle(w);
		vtb_check_eq(w->tb, n_errs, want != 0);
		if (want) {
			vtb_check_eq(w->tb, n_jobs, 1);
			expect_ack(w, 0, want, 0, 0);
		}
		if (want || p.opcode == 0x0c || !p.rlen)
			vtb_check(w->tb, !memcmp(before, w->mem, 0x20000));
		settle(w);
		n_jobs = 0;
		free(before);
		world_destroy(w);
	}
}

/* Packets that bring more or less than the RETH announced: nothing is written beyond it. */
static void reth_and_payload(void **state)
{
	static const int off[] = { -257, -256, -255, -9, -1, 0, 1, 9, 255, 256, 257 };

	(void)state;
	for (unsigned int i = 0; i < 4 * 3 * 11; i++) {
		static const unsigned int lasts[] = { 1, 9, 256 };
		unsigned int n = 1 + i % 4, last = lasts[i / 4 % 3];
		unsigned int real = (n - 1) * MTU + last;
		int said = (int)real + off[i / 12];
		struct world *w = start(CAIRN_QP_TYPE_RC);
		uint8_t before[8 * MTU];

		if (said <= 0) {
			world_destroy(w);
			continue;
		}
		memcpy(before, w->mem, sizeof(before));
		for (unsigned int k = 0; k < n; k++) {
			bool end = k == n - 1;
			struct wpkt p = packet(n == 1 ? 0x0a : !k ? 0x06 : end ? 0x08 : 0x07, k,
					       end ? last : MTU);

			p.rlen = (unsigned int)said;
			p.ackreq = end;
			world_send(w, &p);
		}
		settle(w);
		vtb_check_eq(w->tb, n_errs, said != (int)real);
		if (said != (int)real) {
			vtb_check_eq(w->tb, n_jobs, 1);
			vtb_check_eq(w->tb, jobs[0].aeth >> 24, INV_REQ);
			vtb_check_eq(w->tb, eqes[0].data, CAIRN_VENDOR_ERR_REQ_LENGTH);
		} else {
			vtb_check(w->tb, !memcmp(w->mem, payload, real > MTU ? MTU : real));
		}
		for (unsigned int k = (unsigned int)said; k < sizeof(before); k++)
			vtb_check_eq(w->tb, w->mem[k], before[k]);
		world_destroy(w);
	}
}

/* ---- atomics ---- */

static void atomics(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2 * 13; i++) {
		struct wpkt p = packet(i & 1 ? 0x13 : 0x14, 0, 0);
		struct world *w = start(CAIRN_QP_TYPE_RC);
		unsigned int kind = i / 2, want = INV_REQ;
		uint8_t before[64];

		memset(w->mem, 0x5a, 64);
		p.swap_add = 1;
		p.compare = 0x5a5a5a5a5a5a5a5a;
		p.va = RVA + (kind < 8 ? kind : 0);
		if (kind == 0)
			want = 0;
		else if (kind == 8)
			p.len = 8; /* an atomic brings no payload */
		else if (kind == 9)
			p.len = 1;
		else if (kind == 10 || kind == 11)
			want = ACCESS;
		if (kind == 10)
			world_key(w, RKEY)->rights = 7;
		if (kind == 11)
			p.va = RVA + 0x10000;
		if (kind == 12) {
			w->cfg[0].state &= ~CAIRN_QP_CFG_STATE_REMOTE_ATOMIC;
			world_cfg(w, 0);
		}
		memcpy(before, w->mem, 64);
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 1);
		vtb_check_eq(w->tb, n_errs, want != 0);
		if (want)
			expect_ack(w, 0, want, 0, 0);
		else
			vtb_check_eq(w->tb, jobs[0].opcode, 0x12);
		vtb_check_eq(w->tb, !memcmp(before, w->mem, 64), want != 0);
		vtb_check_eq(w->tb, w->cnt[C_ATOMIC], !want);
		world_destroy(w);
	}
}

/* WRITE with immediate and nothing posted: asked to wait, and nothing of it is lost. */
static void immediate_waits(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct world *w = setup(1, 0);
		struct wpkt p = packet(i ? 0x09 : 0x0b, i, 8);

		if (i)
			send_op(w, 0x06, 0, MTU + 8);
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, jobs[n_jobs - 1].aeth >> 24, 0x29);
		vtb_check_eq(w->tb, jobs[n_jobs - 1].psn, (PSN0 + i) & 0xffffff);
		vtb_check(w->tb, !n_cqes && !n_errs);
		w->pi[0] = 1;
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, n_cqes, 1);
		vtb_check_eq(w->tb, cqes[0].opcode, CAIRN_CQE_OP_RECV_WRITE_IMM);
		vtb_check(w->tb, !memcmp(w->mem + i * MTU, payload, 8));
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcode_pairs),	    cmocka_unit_test(uc_pairs),
		cmocka_unit_test(undefined),	    cmocka_unit_test(pads),
		cmocka_unit_test(psn_window),	    cmocka_unit_test(reths),
		cmocka_unit_test(reth_and_payload), cmocka_unit_test(atomics),
		cmocka_unit_test(immediate_waits),
	};

	return cmocka_run_group_tests_name("responder matrices", tests, NULL, NULL);
}
