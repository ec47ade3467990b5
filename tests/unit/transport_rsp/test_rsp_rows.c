// SPDX-License-Identifier: Apache-2.0
/*
 * responder: one directed case for each row of the responder's tables (order of checks, NAK codes, completion statuses, events,
 * duplicates), and the initiation intervals.
 */
#include "rsp_env.h"

#include <string.h>

#define PSN0 0xfffffau
#define RVA 0x5000000000ull
#define LVA 0x6000000000ull
#define RKEY 0x111
#define LKEY 0x222

static struct wjob jobs[256];
static struct wcqe cqes[256];
static struct weqe eqes[64];
static unsigned int n_jobs, n_cqes, n_eqes, n_errs;
static uint8_t payload[8192];

static void on_job(struct world *w, const struct wjob *j)
{
	vtb_check(w->tb, n_jobs < 256);
	jobs[n_jobs++] = *j;
}

static void on_cqe(struct world *w, const struct wcqe *c)
{
	vtb_check(w->tb, n_cqes < 256);
	cqes[n_cqes++] = *c;
}

static void on_eqe(struct world *w, const struct weqe *e)
{
	vtb_check(w->tb, n_eqes < 64 && e->eqn == 5);
	eqes[n_eqes++] = *e;
}

static void on_qp_err(struct world *w, uint32_t qpn)
{
	vtb_check_eq(w->tb, qpn, 0);
	n_errs++;
}

/* QP 0: pmtu 256, ring of 16 receive WQEs with `stride` elements of 512 bytes each, `posted` of them. */
static struct world *setup(unsigned int stride, unsigned int posted)
{
	struct world *w = world_create();
	struct cairn_qp_rsp rsp = { 0 };
	struct cairn_sge *e = (void *)(w->mem + 0x200000);

	n_jobs = n_cqes = n_eqes = n_errs = 0;
	w->on_job = on_job;
	w->on_cqe = on_cqe;
	w->on_eqe = on_eqe;
	w->on_qp_err = on_qp_err;
	w->latency = 20;
	for (unsigned int i = 0; i < sizeof(payload); i++)
		payload[i] = rng_u64(&w->rng);
	world_region(w, RKEY, 7, RVA, 0x10000, 0);
	world_region(w, LKEY, 1, LVA, 0x10000, 0x20000);
	for (unsigned int i = 0; i < 16 * stride; i++)
		e[i] = (struct cairn_sge){ LVA + 512 * i, LKEY, 512 };
	w->pi[0] = posted;
	world_cfg(w, 0);
	rsp.tag = w->cfg[0].tag;
	rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 4) | CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, stride);
	rsp.rq_base = 0x200000;
	rsp.epsn = PSN0;
	rsp.rq_cqn = 0x300;
	world_rsp(w, 0, &rsp);
	return w;
}

static struct wpkt packet(unsigned int opcode, unsigned int psn, unsigned int len)
{
	return (struct wpkt){ .opcode = opcode, .gen = 7, .psn = PSN0 + psn, .key = RKEY, .va = RVA, .rlen = len, .len = len,
			      .payload = payload, .ackreq = true, .imm = 0xabcd };
}

static void send(struct world *w, unsigned int opcode, unsigned int psn, unsigned int len)
{
	struct wpkt p = packet(opcode, psn, len);

	world_send(w, &p);
}

static void settle(struct world *w)
{
	world_drain(w, 20000);
}

static void expect_ack(struct world *w, unsigned int i, unsigned int syn, unsigned int psn, unsigned int msn)
{
	vtb_check(w->tb, i < n_jobs);
	vtb_check_eq(w->tb, jobs[i].opcode, 0x11);
	vtb_check_eq(w->tb, jobs[i].aeth >> 24, syn);
	vtb_check_eq(w->tb, jobs[i].psn, (PSN0 + psn) & 0xffffff);
	vtb_check_eq(w->tb, jobs[i].aeth & 0xffffff, msn);
	vtb_check_eq(w->tb, jobs[i].dest, 0x77);
}

/* ---- errors ---- */

struct fault {
	const char *name;
	unsigned int first;	/* opcode of a good packet before, 0x100 none */
	struct wpkt p;		/* PSN and the rest are filled in */
	unsigned int syn, status, vendor, etype; /* status 0: no completion of an error */
	uint32_t state_clear;	/* cfg.state bits off */
	bool taken;		/* the first packet's receive WQE completes with the error */
	bool max_rd_0;
	unsigned int stride, spoil; /* spoil: 1 all-ones WQE, 2 bad lkey, 3 read fails, 4 index beyond the ring */
};

#define NONE 0x100
#define REQ CAIRN_EQE_TYPE_QP_REQ_ERR
#define ACC CAIRN_EQE_TYPE_QP_ACCESS_ERR
#define OPC CAIRN_VENDOR_ERR_REQ_OPCODE
#define LENV CAIRN_VENDOR_ERR_REQ_LENGTH
#define RIGHTS CAIRN_VENDOR_ERR_REQ_RIGHTS
#define W_BIT CAIRN_QP_CFG_STATE_REMOTE_WRITE
#define R_BIT CAIRN_QP_CFG_STATE_REMOTE_READ
#define INVS CAIRN_WC_STATUS_REM_INV_REQ_ERR

/* Fields not named are zero. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
static const struct fault faults[] = {
	{ "SEND middle outside a message", NONE, { .opcode = 0x01, .len = 256 }, 0x61, 0, OPC, REQ },
	{ "SEND last outside a message", NONE, { .opcode = 0x02, .len = 8 }, 0x61, 0, OPC, REQ },
	{ "WRITE middle outside a message", NONE, { .opcode = 0x07, .len = 256 }, 0x61, 0, OPC, REQ },
	{ "WRITE only inside a SEND", 0x00, { .opcode = 0x0a, .len = 8, .rlen = 8 }, 0x61, INVS, OPC, REQ, .taken = true },
	{ "SEND only inside a SEND", 0x00, { .opcode = 0x04, .len = 8 }, 0x61, INVS, OPC, REQ, .taken = true },
	{ "READ inside a SEND", 0x00, { .opcode = 0x0c, .rlen = 8 }, 0x61, INVS, OPC, REQ, .taken = true },
	{ "SEND middle inside a WRITE", 0x06, { .opcode = 0x01, .len = 256 }, 0x61, 0, OPC, REQ },
	{ "atomic", NONE, { .opcode = 0x13 }, 0x61, 0, OPC, REQ },
	{ "SEND with invalidate", NONE, { .opcode = 0x17, .len = 8 }, 0x61, 0, OPC, REQ },
	{ "undefined opcode", NONE, { .opcode = 0x1e }, 0x61, 0, OPC, REQ },
	{ "WRITE not allowed", NONE, { .opcode = 0x0a, .len = 8, .rlen = 8 }, 0x61, 0, RIGHTS, ACC, W_BIT },
	{ "READ not allowed", NONE, { .opcode = 0x0c, .rlen = 8 }, 0x61, 0, RIGHTS, ACC, R_BIT },
	{ "no READs at all", NONE, { .opcode = 0x0c, .rlen = 8 }, 0x61, 0, CAIRN_VENDOR_ERR_REQ_RESOURCES, ACC, .max_rd_0 = true },
	{ "SEND first too short", NONE, { .opcode = 0x00, .len = 255 }, 0x61, 0, LENV, ACC },
	{ "SEND only too long", NONE, { .opcode = 0x04, .len = 257 }, 0x61, 0, LENV, ACC },
	{ "SEND last empty", 0x00, { .opcode = 0x02 }, 0x61, INVS, LENV, ACC, .taken = true },
	{ "SEND middle too short", 0x00, { .opcode = 0x01, .len = 64 }, 0x61, INVS, LENV, ACC, .taken = true },
	{ "wrong pad", NONE, { .opcode = 0x0a, .len = 8, .rlen = 8, .bad_pad = true }, 0x61, 0, LENV, ACC },
	{ "WRITE only, length differs", NONE, { .opcode = 0x0a, .len = 8, .rlen = 9 }, 0x61, 0, LENV, ACC },
	{ "WRITE first, message too short", NONE, { .opcode = 0x06, .len = 256, .rlen = 256 }, 0x61, 0, LENV, ACC },
	{ "WRITE over 2^31", NONE, { .opcode = 0x06, .len = 256, .rlen = 0x80000001u }, 0x61, 0, LENV, ACC },
	{ "WRITE last too early", 0x06, { .opcode = 0x08, .len = 8 }, 0x61, 0, LENV, ACC },
	{ "WRITE middle beyond the end", 0x06, { .opcode = 0x07, .len = 256 }, 0x61, 0, LENV, ACC, .spoil = 5 },
	{ "READ over 2^31", NONE, { .opcode = 0x0c, .rlen = 0x80000001u }, 0x61, 0, LENV, ACC },
	{ "WRITE, unknown R_Key", NONE, { .opcode = 0x0a, .len = 8, .rlen = 8, .key = 0x999 }, 0x62, 0, CAIRN_VENDOR_ERR_KEY_INDEX, ACC },
	{ "WRITE with immediate, unknown R_Key", NONE, { .opcode = 0x0b, .len = 8, .rlen = 8, .key = 0x999 }, 0x62, 0,
	  CAIRN_VENDOR_ERR_KEY_INDEX, ACC },
	{ "WRITE over the bounds", NONE, { .opcode = 0x06, .len = 256, .rlen = 0x10001 }, 0x62, 0, CAIRN_VENDOR_ERR_KEY_BOUNDS, ACC },
	{ "READ, unknown R_Key", NONE, { .opcode = 0x0c, .rlen = 8, .key = 0x999 }, 0x62, 0, CAIRN_VENDOR_ERR_KEY_INDEX, ACC },
	{ "READ over the bounds", NONE, { .opcode = 0x0c, .rlen = 0x10001 }, 0x62, 0, CAIRN_VENDOR_ERR_KEY_BOUNDS, ACC },
	{ "receive buffer too small", 0x00, { .opcode = 0x01, .len = 256 }, 0x61, CAIRN_WC_STATUS_LOC_LEN_ERR,
	  CAIRN_VENDOR_ERR_RQ_LENGTH, 0, .taken = true, .spoil = 6 },
	{ "receive WQE all ones", NONE, { .opcode = 0x04, .len = 8 }, 0x63, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
	  CAIRN_VENDOR_ERR_RQE_CHECK, 0, .spoil = 1 },
	{ "receive WQE, unknown L_Key", NONE, { .opcode = 0x04, .len = 8 }, 0x63, CAIRN_WC_STATUS_LOC_PROT_ERR,
	  CAIRN_VENDOR_ERR_KEY_INDEX, 0, .spoil = 2 },
	{ "receive WQE unreadable", NONE, { .opcode = 0x04, .len = 8 }, 0x63, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
	  CAIRN_VENDOR_ERR_DMA_READ, 0, .spoil = 3 },
	{ "producer index beyond the ring", NONE, { .opcode = 0x04, .len = 8 }, 0x63, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
	  CAIRN_VENDOR_ERR_WQE_INDEX, 0, .spoil = 4 },
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
	p.va = RVA;
	p.key = p.key ? p.key : RKEY;
	p.payload = payload;
	world_send(w, &p);
	send(w, 0x0a, psn + 1, 8); /* never executed */
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

/* ---- sequence, RNR, duplicates ---- */

static void sequence(void **state)
{
	struct world *w = setup(1, 1);
	struct wpkt p;

	(void)state;
	send(w, 0x0a, 0, 8);
	settle(w);
	expect_ack(w, 0, 0x1f, 0, 1);
	send(w, 0x0a, 2, 8); /* 1 is lost */
	send(w, 0x0a, 3, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 2);
	expect_ack(w, 1, 0x60, 1, 1);
	send(w, 0x0a, 0, 8); /* duplicate: the last completed is acknowledged again */
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 3);
	expect_ack(w, 2, 0x1f, 0, 1);
	p = packet(0x13, 0, 0); /* duplicate that nothing is known of */
	world_send(w, &p);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 3);
	send(w, 0x04, 1, 8); /* takes the only receive WQE */
	settle(w);
	expect_ack(w, 3, 0x1f, 1, 2);
	send(w, 0x05, 2, 8);
	send(w, 0x0a, 3, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 5); /* RNR, and no sequence NAK while it stands */
	expect_ack(w, 4, 0x29, 2, 2);
	w->pi[0] = 2;
	send(w, 0x05, 2, 8);
	settle(w);
	expect_ack(w, 5, 0x1f, 2, 3);
	vtb_check_eq(w->tb, n_cqes, 2);
	vtb_check_eq(w->tb, cqes[1].opcode, CAIRN_CQE_OP_RECV_IMM);
	vtb_check_eq(w->tb, w->cnt[C_OOS], 3);
	vtb_check_eq(w->tb, w->cnt[C_DUP], 2);
	vtb_check_eq(w->tb, w->cnt[C_RNR], 1);
	vtb_check_eq(w->tb, w->cnt[C_SEQ], 1);
	vtb_check_eq(w->tb, n_eqes, 0);
	world_destroy(w);
}

static void read_at(struct world *w, unsigned int psn, uint64_t va, unsigned int len, uint32_t key)
{
	struct wpkt p = packet(0x0c, psn, 0);

	p.va = va;
	p.rlen = len;
	p.key = key;
	world_send(w, &p);
	settle(w);
}

static void duplicate_reads(void **state)
{
	struct world *w = setup(1, 1);

	(void)state;
	read_at(w, 0, RVA + 100, 1000, RKEY); /* PSN 0 to 3 */
	vtb_check_eq(w->tb, n_jobs, 4);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x0d);
	vtb_check_eq(w->tb, jobs[1].opcode, 0x0e);
	vtb_check_eq(w->tb, jobs[3].opcode, 0x0f);
	vtb_check_eq(w->tb, jobs[3].len, 232);
	vtb_check_eq(w->tb, jobs[3].aeth, 0x1f000001);
	n_jobs = 0;
	read_at(w, 2, RVA + 100 + 512, 488, RKEY); /* its tail */
	vtb_check_eq(w->tb, n_jobs, 2);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x0d);
	vtb_check_eq(w->tb, jobs[0].psn, (PSN0 + 2) & 0xffffff);
	vtb_check_eq(w->tb, jobs[0].seg[0].iova, 612);
	vtb_check_eq(w->tb, jobs[1].opcode, 0x0f);
	n_jobs = 0;
	read_at(w, 3, RVA + 100 + 768, 232, RKEY);
	vtb_check_eq(w->tb, n_jobs, 1);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x10);
	n_jobs = 0;
	read_at(w, 2, RVA + 100 + 512, 256, RKEY); /* not the tail */
	read_at(w, 2, RVA + 100 + 511, 488, RKEY); /* other address */
	read_at(w, 2, RVA + 100 + 512, 488, 0x998); /* other key */
	read_at(w, 0xffffff & -1, RVA, 8, RKEY);    /* never seen */
	vtb_check_eq(w->tb, n_jobs, 0);
	vtb_check_eq(w->tb, n_eqes, 0);
	read_at(w, 4, RVA, 0, 0x997); /* zero length: no key check; next PSN 5 */
	vtb_check_eq(w->tb, n_jobs, 1);
	vtb_check_eq(w->tb, jobs[0].opcode, 0x10);
	vtb_check_eq(w->tb, jobs[0].aeth, 0x1f000002);
	world_destroy(w);
}

static void read_faults(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	/* The region shrinks behind the request: the first packet that lies outside is refused. */
	w->pause = 0;
	{
		struct wpkt p = packet(0x0c, 0, 0);

		p.rlen = 4096;
		world_send(w, &p);
	}
	vtb_run_until(w->tb, n_jobs == 3, 2000);
	world_key(w, RKEY)->len = 100;
	settle(w);
	vtb_check(w->tb, n_jobs > 3 && n_jobs < 17);
	expect_ack(w, n_jobs - 1, 0x62, n_jobs - 1, 1);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type, ACC);
	vtb_check_eq(w->tb, n_errs, 1);
	world_destroy(w);

	w = setup(1, 0);
	read_at(w, 0, RVA, 600, RKEY);
	vtb_check_eq(w->tb, n_jobs, 3);
	w->txerr_psn = PSN0 + 1;
	w->txerr = 1;
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 4);
	expect_ack(w, 3, 0x63, 1, 1);
	vtb_check_eq(w->tb, w->cnt[C_OP], 1);
	world_destroy(w);
}

static void established_and_flush(void **state)
{
	struct world *w = setup(2, 3);

	(void)state;
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_STATE, CAIRN_QP_STATE_RTR);
	world_cfg(w, 0);
	send(w, 0x0a, 1, 8); /* not yet: out of sequence */
	settle(w);
	vtb_check_eq(w->tb, n_eqes, 0);
	send(w, 0x0a, 0, 0); /* zero length */
	send(w, 0x00, 1, 256);
	settle(w);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_COMM_EST);
	/* Firmware moves the QP to error: the WQE in use and the others are flushed, one completion each. */
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_STATE, CAIRN_QP_STATE_ERR);
	world_cfg(w, 0);
	w->kick = 1;
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 3);
	for (unsigned int i = 0; i < 3; i++) {
		vtb_check_eq(w->tb, cqes[i].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, cqes[i].index, i);
	}
	world_destroy(w);
}

/* ---- initiation intervals ---- */

static void interval(unsigned int opcode, unsigned int qps)
{
	struct world *w = setup(1, 0);

	for (unsigned int q = 1; q < qps; q++) {
		struct cairn_qp_rsp rsp;

		world_cfg(w, q);
		world_peek(w, 0, &rsp);
		rsp.tag = w->cfg[q].tag;
		world_rsp(w, q, &rsp);
	}
	for (unsigned int q = 0; q < qps; q++)
		w->pi[q] = 15;
	w->region[0].cached = w->region[1].cached = true;
	for (unsigned int q = 0; q < qps; q++) { /* receive WQEs on chip */
		struct wpkt p = packet(opcode, 0, 8);

		p.qpn = q;
		world_send(w, &p);
	}
	settle(w);
	w->first_pkt_cycle = 0;
	for (unsigned int i = 1; i < 14; i++) {
		for (unsigned int q = 0; q < qps; q++) {
			struct wpkt p = packet(opcode, i, 8);

			p.qpn = q;
			p.ackreq = i == 13;
			world_send(w, &p);
		}
	}
	settle(w);
	print_message("# opcode 0x%02x, %u QPs: %u packets in %u cycles\n", opcode, qps, 13 * qps,
		      (unsigned int)(w->last_pkt_cycle - w->first_pkt_cycle));
	vtb_check(w->tb, w->last_pkt_cycle - w->first_pkt_cycle <= 4 * (13 * qps - 1) + 4);
	world_destroy(w);
}

static void intervals(void **state)
{
	(void)state;
	interval(0x0a, 1);
	interval(0x0a, 4);
	interval(0x04, 1);
	interval(0x04, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_rows),	     cmocka_unit_test(sequence),  cmocka_unit_test(duplicate_reads),
		cmocka_unit_test(read_faults),	     cmocka_unit_test(established_and_flush),
		cmocka_unit_test(intervals),
	};

	return cmocka_run_group_tests_name("responder rows", tests, NULL, NULL);
}
