// SPDX-License-Identifier: Apache-2.0
/* See rsp_one.h. */
#include "rsp_one.h"

#include <string.h>

struct wjob jobs[256];
struct wcqe cqes[256];
struct weqe eqes[64];
unsigned int n_jobs, n_cqes, n_eqes, n_errs;
uint8_t payload[8192];

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

/* QP 0: pmtu 256, ring of 16 receive WQEs with `stride` elements of 512 bytes each, `posted` of
 * them. */
struct world *setup(unsigned int stride, unsigned int posted)
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
	world_region(w, RKEY, 15, RVA, 0x10000, 0);
	world_region(w, LKEY, 1, LVA, 0x10000, 0x20000);
	for (unsigned int i = 0; i < 16 * stride; i++)
		e[i] = (struct cairn_sge){ LVA + 512 * i, LKEY, 512 };
	w->pi[0] = posted;
	world_cfg(w, 0);
	rsp.tag = w->cfg[0].tag;
	rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 4) |
		    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, stride);
	rsp.rq_base = 0x200000;
	rsp.epsn = PSN0;
	rsp.rq_cqn = 0x300;
	world_rsp(w, 0, &rsp);
	return w;
}

struct wpkt packet(unsigned int opcode, unsigned int psn, unsigned int len)
{
	return (struct wpkt){ .opcode = opcode,
			      .gen = 7,
			      .psn = PSN0 + psn,
			      .key = RKEY,
			      .va = RVA,
			      .rlen = len,
			      .len = len,
			      .payload = payload,
			      .ackreq = true,
			      .imm = 0xabcd };
}

void send_one(struct world *w, unsigned int opcode, unsigned int psn, unsigned int len)
{
	struct wpkt p = packet(opcode, psn, len);

	world_send(w, &p);
}

void settle(struct world *w)
{
	world_drain(w, 20000);
}

void expect_ack(struct world *w, unsigned int i, unsigned int syn, unsigned int psn,
		unsigned int msn)
{
	vtb_check(w->tb, i < n_jobs);
	vtb_check_eq(w->tb, jobs[i].opcode, 0x11);
	vtb_check_eq(w->tb, jobs[i].aeth >> 24, syn);
	vtb_check_eq(w->tb, jobs[i].psn, (PSN0 + psn) & 0xffffff);
	vtb_check_eq(w->tb, jobs[i].aeth & 0xffffff, msn);
	vtb_check_eq(w->tb, jobs[i].dest, 0x77);
}
