// SPDX-License-Identifier: Apache-2.0
/* responder: one directed case for each row of the error table: NAK code, completion status, event,
 * flush. */
#include "rsp_one.h"

#include <string.h>

/* ---- errors ---- */

struct fault {
	const char *name;
	unsigned int first;			 /* opcode of a good packet before, 0x100 none */
	struct wpkt p;				 /* PSN and the rest are filled in */
	unsigned int syn, status, vendor, etype; /* status 0: no completion of an error */
	uint32_t state_clear;			 /* cfg.state bits off */
	bool taken; /* the first packet's receive WQE completes with the error */
	bool max_rd_0;
	uint32_t features;
	unsigned int stride, spoil; /* spoil: 1 all-ones WQE, 2 bad lkey, 3 read fails, 4 index
				       beyond the ring */
};

#define NONE 0x100
#define REQ CAIRN_EQE_TYPE_QP_REQ_ERR
#define ACC CAIRN_EQE_TYPE_QP_ACCESS_ERR
#define OPC CAIRN_VENDOR_ERR_REQ_OPCODE
#define LENV CAIRN_VENDOR_ERR_REQ_LENGTH
#define RIGHTS CAIRN_VENDOR_ERR_REQ_RIGHTS
#define W_BIT CAIRN_QP_CFG_STATE_REMOTE_WRITE
#define R_BIT CAIRN_QP_CFG_STATE_REMOTE_READ
#define ATOMICS CAIRN_REG_FEATURES_ATOMIC
#define INVS CAIRN_WC_STATUS_REM_INV_REQ_ERR

/* Fields not named are zero. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
static const struct fault faults[] = {
	{ "SEND middle outside a message",
	  NONE,
	  { .opcode = 0x01, .len = 256 },
	  0x61,
	  0,
	  OPC,
	  REQ },
	{ "SEND last outside a message", NONE, { .opcode = 0x02, .len = 8 }, 0x61, 0, OPC, REQ },
	{ "WRITE middle outside a message",
	  NONE,
	  { .opcode = 0x07, .len = 256 },
	  0x61,
	  0,
	  OPC,
	  REQ },
	{ "WRITE only inside a SEND",
	  0x00,
	  { .opcode = 0x0a, .len = 8, .rlen = 8 },
	  0x61,
	  INVS,
	  OPC,
	  REQ,
	  .taken = true },
	{ "SEND only inside a SEND",
	  0x00,
	  { .opcode = 0x04, .len = 8 },
	  0x61,
	  INVS,
	  OPC,
	  REQ,
	  .taken = true },
	{ "READ inside a SEND",
	  0x00,
	  { .opcode = 0x0c, .rlen = 8 },
	  0x61,
	  INVS,
	  OPC,
	  REQ,
	  .taken = true },
	{ "SEND middle inside a WRITE", 0x06, { .opcode = 0x01, .len = 256 }, 0x61, 0, OPC, REQ },
	{ "atomic", NONE, { .opcode = 0x13 }, 0x61, 0, OPC, REQ },
	{ "SEND with invalidate", NONE, { .opcode = 0x17, .len = 8 }, 0x61, 0, OPC, REQ },
	{ "atomic not allowed",
	  NONE,
	  { .opcode = 0x14 },
	  0x61,
	  0,
	  RIGHTS,
	  ACC,
	  CAIRN_QP_CFG_STATE_REMOTE_ATOMIC,
	  .features = ATOMICS },
	{ "no atomics at all",
	  NONE,
	  { .opcode = 0x14 },
	  0x61,
	  0,
	  CAIRN_VENDOR_ERR_REQ_RESOURCES,
	  ACC,
	  .max_rd_0 = true,
	  .features = ATOMICS },
	{ "atomic with a pad",
	  NONE,
	  { .opcode = 0x14, .bad_pad = true },
	  0x61,
	  0,
	  LENV,
	  ACC,
	  .features = ATOMICS },
	{ "atomic inside a WRITE",
	  0x06,
	  { .opcode = 0x13 },
	  0x61,
	  0,
	  OPC,
	  REQ,
	  .features = ATOMICS },
	{ "atomic, unknown R_Key, not aligned either",
	  NONE,
	  { .opcode = 0x13, .key = 0x999, .va = RVA + 4 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_INDEX,
	  ACC,
	  .features = ATOMICS },
	{ "atomic not aligned",
	  NONE,
	  { .opcode = 0x13, .va = RVA + 4 },
	  0x61,
	  0,
	  CAIRN_VENDOR_ERR_REQ_ALIGN,
	  ACC,
	  .features = ATOMICS },
	{ "atomic over the bounds",
	  NONE,
	  { .opcode = 0x14, .va = RVA + 0x10000 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_BOUNDS,
	  ACC,
	  .features = ATOMICS },
	{ "READ with a pad",
	  NONE,
	  { .opcode = 0x0c, .rlen = 8, .bad_pad = true },
	  0x61,
	  0,
	  LENV,
	  ACC },
	{ "WRITE not allowed",
	  NONE,
	  { .opcode = 0x0a, .len = 8, .rlen = 8 },
	  0x61,
	  0,
	  RIGHTS,
	  ACC,
	  W_BIT },
	{ "READ not allowed", NONE, { .opcode = 0x0c, .rlen = 8 }, 0x61, 0, RIGHTS, ACC, R_BIT },
	{ "no READs at all",
	  NONE,
	  { .opcode = 0x0c, .rlen = 8 },
	  0x61,
	  0,
	  CAIRN_VENDOR_ERR_REQ_RESOURCES,
	  ACC,
	  .max_rd_0 = true },
	{ "SEND first too short", NONE, { .opcode = 0x00, .len = 255 }, 0x61, INVS, LENV, ACC },
	{ "SEND only too long", NONE, { .opcode = 0x04, .len = 257 }, 0x61, INVS, LENV, ACC },
	{ "SEND last empty", 0x00, { .opcode = 0x02 }, 0x61, INVS, LENV, ACC, .taken = true },
	{ "SEND middle too short",
	  0x00,
	  { .opcode = 0x01, .len = 64 },
	  0x61,
	  INVS,
	  LENV,
	  ACC,
	  .taken = true },
	{ "wrong pad",
	  NONE,
	  { .opcode = 0x0a, .len = 8, .rlen = 8, .bad_pad = true },
	  0x61,
	  0,
	  LENV,
	  ACC },
	{ "WRITE only, length differs",
	  NONE,
	  { .opcode = 0x0a, .len = 8, .rlen = 9 },
	  0x61,
	  0,
	  LENV,
	  ACC },
	{ "WRITE first, message too short",
	  NONE,
	  { .opcode = 0x06, .len = 256, .rlen = 255 },
	  0x61,
	  0,
	  LENV,
	  ACC },
	{ "WRITE over 2^31",
	  NONE,
	  { .opcode = 0x06, .len = 256, .rlen = 0x80000001u },
	  0x61,
	  0,
	  LENV,
	  ACC },
	{ "WRITE last too early", 0x06, { .opcode = 0x08, .len = 8 }, 0x61, 0, LENV, ACC },
	{ "WRITE middle beyond the end",
	  0x06,
	  { .opcode = 0x07, .len = 256 },
	  0x61,
	  0,
	  LENV,
	  ACC,
	  .spoil = 5 },
	{ "READ over 2^31", NONE, { .opcode = 0x0c, .rlen = 0x80000001u }, 0x61, 0, LENV, ACC },
	{ "WRITE, unknown R_Key",
	  NONE,
	  { .opcode = 0x0a, .len = 8, .rlen = 8, .key = 0x999 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_INDEX,
	  ACC },
	{ "WRITE with immediate, unknown R_Key",
	  NONE,
	  { .opcode = 0x0b, .len = 8, .rlen = 8, .key = 0x999 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_INDEX,
	  ACC },
	{ "WRITE over the bounds",
	  NONE,
	  { .opcode = 0x06, .len = 256, .rlen = 0x10001 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_BOUNDS,
	  ACC },
	{ "READ, unknown R_Key",
	  NONE,
	  { .opcode = 0x0c, .rlen = 8, .key = 0x999 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_INDEX,
	  ACC },
	{ "READ over the bounds",
	  NONE,
	  { .opcode = 0x0c, .rlen = 0x10001 },
	  0x62,
	  0,
	  CAIRN_VENDOR_ERR_KEY_BOUNDS,
	  ACC },
	{ "receive buffer too small",
	  0x00,
	  { .opcode = 0x01, .len = 256 },
	  0x61,
	  CAIRN_WC_STATUS_LOC_LEN_ERR,
	  CAIRN_VENDOR_ERR_RQ_LENGTH,
	  ACC,
	  .taken = true,
	  .spoil = 6 },
	{ "receive WQE all ones",
	  NONE,
	  { .opcode = 0x04, .len = 8 },
	  0x63,
	  CAIRN_WC_STATUS_LOC_QP_OP_ERR,
	  CAIRN_VENDOR_ERR_RQE_CHECK,
	  0,
	  .spoil = 1 },
	{ "receive WQE, unknown L_Key",
	  NONE,
	  { .opcode = 0x04, .len = 8 },
	  0x63,
	  CAIRN_WC_STATUS_LOC_PROT_ERR,
	  CAIRN_VENDOR_ERR_KEY_INDEX,
	  0,
	  .spoil = 2 },
	{ "receive WQE unreadable",
	  NONE,
	  { .opcode = 0x04, .len = 8 },
	  0x63,
	  CAIRN_WC_STATUS_LOC_QP_OP_ERR,
	  CAIRN_VENDOR_ERR_DMA_READ,
	  0,
	  .spoil = 3 },
	{ "producer index beyond the ring",
	  NONE,
	  { .opcode = 0x04, .len = 8 },
	  0x63,
	  CAIRN_WC_STATUS_LOC_QP_OP_ERR,
	  CAIRN_VENDOR_ERR_WQE_INDEX,
	  0,
	  .spoil = 4 },
};

static void spoil(struct world *w, const struct fault *f)
{
	struct cairn_sge *e = (void *)(w->mem + 0x200000);

	switch (f->spoil) {
	case 1:
		memset(e, 0xff, 16);
		break;
	case 2:
		e->lkey = 0x999;
		break;
	case 3:
		w->read_fail = 100;
		break;
	case 4:
		w->pi[0] = 17;
		break;
	case 6:
		e->length = 511;
		break;
	}
}

static void check_flush(struct world *w, const struct fault *f, unsigned int taken)
{
	/* The one taken with its own status, then the others flushed in order. */
	unsigned int i = 0, index = 0;

	if (f->status) {
		vtb_check(w->tb, n_cqes > 0);
		vtb_check_eq(w->tb, cqes[0].status, f->status);
		vtb_check_eq(w->tb, cqes[0].vendor, f->vendor);
		vtb_check_eq(w->tb, cqes[0].index, 0);
		vtb_check(w->tb, cqes[0].sol);
		i = index = 1;
	}
	vtb_check(w->tb, taken <= 1);
	for (; index < w->pi[0]; i++, index++) {
		vtb_check(w->tb, i < n_cqes);
		vtb_check_eq(w->tb, cqes[i].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, cqes[i].vendor, CAIRN_VENDOR_ERR_FLUSH);
		vtb_check_eq(w->tb, cqes[i].index, index);
		vtb_check_eq(w->tb, cqes[i].cqn, 0x300);
	}
	vtb_check_eq(w->tb, n_cqes, i);
}

static void fault(const struct fault *f)
{
	struct world *w = setup(f->stride ? f->stride : 1, 3);
	unsigned int psn = 0, before;
	struct wpkt p = f->p;

	print_message("# %s\n", f->name);
	w->cfg[0].state &= ~f->state_clear;
	if (f->max_rd_0)
		w->cfg[0].rd = 0;
	world_cfg(w, 0);
	vtb_set(w->tb, "control_engine_features_i", f->features);
	spoil(w, f);
	if (f->first != NONE) {
		struct wpkt first = packet(f->first, psn++, 256);

		first.rlen = f->spoil == 5 ? 300 : 1024;
		first.ackreq = false;
		world_send(w, &first);
		if (f->spoil == 6) { /* two whole packets do not fit 511 bytes */
			settle(w);
			vtb_check_eq(w->tb, n_jobs, 0);
		}
	}
	p.gen = 7;
	p.psn = PSN0 + psn;
	p.va = p.va ? p.va : RVA;
	p.key = p.key ? p.key : RKEY;
	p.payload = payload;
	world_send(w, &p);
	send_one(w, 0x0a, psn + 1, 8); /* never executed */
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	expect_ack(w, 0, f->syn, psn, 0);
	vtb_check_eq(w->tb, n_eqes, f->etype != 0);
	if (f->etype) {
		vtb_check_eq(w->tb, eqes[0].type, f->etype);
		vtb_check_eq(w->tb, eqes[0].data, f->vendor);
	}
	vtb_check_eq(w->tb, n_errs, 1);
	check_flush(w, f, f->taken);
	vtb_check_eq(w->tb, w->cnt[C_STATE], 1);
	vtb_check_eq(w->tb, w->cnt[C_INV] + w->cnt[C_ACCESS] + w->cnt[C_OP], 1);
	/* A receive WQE posted later is flushed too. */
	before = n_cqes;
	w->pi[0]++;
	w->kick = 1;
	settle(w);
	vtb_check_eq(w->tb, n_cqes, before + 1);
	vtb_check_eq(w->tb, cqes[before].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
	world_destroy(w);
}

static void error_rows(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		fault(&faults[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(error_rows) };

	return cmocka_run_group_tests_name("responder errors", tests, NULL, NULL);
}
