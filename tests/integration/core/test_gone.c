// SPDX-License-Identifier: Apache-2.0
/*
 * Memory is no longer touched when a key counts as gone.  How it went: LOCAL_INV, SEND with
 * invalidate, a bind elsewhere, a command.  What used it: the peer, or the owner's own requests.
 * What the accesses stood in front of: the wire, the PCIe link, memory that answers late.  IBTA
 * 10.6.5, 10.7.2; docs/rtl/mr.md.  CASE=atomics: cases with that in their names.
 */
#include "windows.h"
#include "sim_priv.h"

#define LARGE 65536u	/* more than a ring of payload holds */
#define SOME 16384u	/* as much as is let in at once */
#define NEW 0xee	/* what its owner writes when the key is gone */
#define USERS 3u	/* QPs that use it, those with atomics: more than fit into atomic_unit */
#define DEEP 16u	/* atomics of each */
#define STOP_NS 200000u /* longer than a command takes */
#define LATE_NS 30000u
#define MW_ACCESS (RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC | CAIRN_ACCESS_MW_BIND)

/* By the peer; by the owner, for whom it is a local key. */
enum use { WRITES, READS, ATOMICS, SENDING, PLACING, RESULTS };
/* BIND_2: of a type 2 window, which goes by LOCAL_INV, and is bound elsewhere at once. */
enum way { LOCAL_INV, BY_PEER, BIND, BIND_2, DEREG, DEALLOC, WAYS };
/* What stops accesses: the owner's wire stands, is slow, its PCIe link is slow, its memory late. */
enum hold { WIRE, SLOW_WIRE, LINK, LATE };

static const char *const ways[WAYS] = { "LOCAL_INV",	  "SEND with invalidate",
					"a bind",	  "LOCAL_INV and a bind",
					"deregistration", "the end of the window" };

/* NIC 1 owns memory, which is used by QPs of its own and of NIC 0. */
struct owner {
	struct rdma *r;
	struct rdma_qp *c, *user[USERS]; /* QPs of NIC 1: by which the key comes and goes, others */
	struct rdma_cq *cq, *rest[2];	 /* of c, of the others */
	struct rdma_buf *mine, *there, *spare;
	struct cairn_mr *second; /* of the same memory */
	struct cairn_mw *mw;
	bool valid; /* the region, by work request */
	uint32_t key;
	uint64_t iova, errors;
};

static struct rdma_qp *raw_pair(struct owner *o, struct rdma_cq *cq)
{
	struct rdma_qp_cfg cfg;
	struct rdma_qp *qp;

	rdma_qp_cfg_init(&cfg);
	cfg.access = WINDOW;
	cfg.send_cq = cfg.recv_cq = cq;
	qp = rdma_create_qp(o->r, 1, &cfg);
	cfg.send_cq = cfg.recv_cq = o->rest[0];
	rdma_connect(qp, rdma_create_qp(o->r, 0, &cfg));
	return qp;
}

static struct rdma *nics(enum hold hold)
{
	static struct sim_pcie_cfg pcie[LATE + 1];
	struct rdma_cfg cfg = { .pcie = &pcie[hold] };
	const char *width = getenv("WIDTH");
	unsigned int data_w = width && *width ? (unsigned int)atoi(width) : 64;

	sim_pcie_cfg_default(&pcie[hold], data_w, data_w >= 256 ? 4 : 8);
	if (hold == LINK) {
		pcie[hold].up_rate = 100;
		cfg.pcap = ""; /* frames are lost for want of room, which it does not show */
	}
	if (hold == LATE)
		pcie[hold].sample = SIM_SAMPLE_LATE;
	if (hold == SLOW_WIRE)
		cfg.mbps = 1000;
	return rdma_begin(&cfg);
}

static struct owner owner(enum hold hold)
{
	struct rdma_buf_cfg buf = { .len = LARGE,
				    .access = MW_ACCESS,
				    .kind = CAIRN_MR_BY_WORK_REQUEST };
	struct owner o = { .r = nics(hold) };

	o.rest[0] = rdma_create_cq(o.r, 0, 512);
	o.rest[1] = rdma_create_cq(o.r, 1, 512);
	o.cq = rdma_create_cq(o.r, 1, 64);
	o.c = raw_pair(&o, o.cq);
	o.mine = rdma_buf_with(o.r, 1, &buf);
	buf.kind = CAIRN_MR_AUTO;
	o.spare = rdma_buf_with(o.r, 1, &buf);
	o.there = rdma_buf_with(o.r, 0, &buf);
	return o;
}

static void post(struct rdma_qp *qp, const struct rdma_wr *wr)
{
	rdma_post(qp, wr);
	rdma_ring(qp);
	rdma_ledger_drop(qp); /* what comes of it is looked at here */
}

static void done(struct owner *o, struct rdma_cq *cq)
{
	const struct cairn_cqe *cqe = rdma_raw_cqe(cq);
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);

	if (status)
		rdma_fail(o->r, "a key comes or goes with status %u", status);
	cairn_cq_consume(cq->cq);
}

/* The region's own by work request, one of another region of that memory, or a window on it. */
static void make_key(struct owner *o, enum way way)
{
	/* a type 2 window is its QP's */
	struct rdma_qp *qp = way == BIND_2 ? o->user[0] : o->c;
	struct rdma_wr wr;

	if (way == DEREG) {
		rdma_ok(o->r,
			cairn_reg_mr(o->r->nic[1].pd, o->mine->data, LARGE,
				     (uintptr_t)o->mine->data, MW_ACCESS, &o->second),
			"region");
		o->key = o->second->key;
		o->iova = o->second->iova;
		return;
	}
	if (!o->valid) {
		wr = rdma_reg(o->mine, (uint8_t)(o->mine->mr->key + 1), LARGE, MW_ACCESS);
		post(o->c, &wr);
		done(o, o->cq);
		o->mine->mr->key = wr.imm;
	}
	o->valid = true;
	o->key = o->mine->mr->key;
	o->iova = o->mine->mr->iova;
	if (way == LOCAL_INV || way == BY_PEER)
		return;
	rdma_ok(o->r, cairn_alloc_mw(o->r->nic[1].pd, way == BIND_2 ? 2 : 1, &o->mw), "window");
	wr = rdma_bind(o->mw, 1, o->mine, 0, LARGE, WINDOW);
	post(qp, &wr);
	done(o, way == BIND_2 ? o->rest[1] : o->cq);
	o->key = o->mw->key = wr.imm;
}

/* When this returns its owner knows that the key is gone. */
static void take_away(struct owner *o, enum way way)
{
	struct rdma_wr inv = rdma_inv(o->key), wr;

	if (way == DEREG) {
		rdma_ok(o->r, cairn_dereg_mr(o->second), "deregistration");
	} else if (way == DEALLOC) {
		rdma_ok(o->r, cairn_dealloc_mw(o->mw), "end of the window");
		o->mw = NULL;
	} else if (way == BY_PEER) {
		wr = rdma_wr(CAIRN_WQE_OP_SEND_INV, NULL, 0, NULL, 0, 0);
		wr.imm = o->key;
		wr.no_data = true;
		post(o->c->peer, &wr);
		done(o, o->cq);
		o->valid = false;
	} else if (way == LOCAL_INV) {
		post(o->c, &inv);
		done(o, o->cq);
		o->valid = false;
	} else {
		inv.unsignaled = true;
		if (way == BIND_2)
			post(o->c, &inv);
		wr = rdma_bind(o->mw, (uint8_t)(o->mw->key + 1), o->spare, 0, LARGE, WINDOW);
		post(o->c, &wr);
		done(o, o->cq);
		o->mw->key = wr.imm;
	}
}

static bool atomic(enum use use)
{
	return use == ATOMICS || use == RESULTS;
}

/* One access to all of it, or atomics of several QPs. */
static void use_key(struct owner *o, enum use use, uint32_t len)
{
	static const enum cairn_wqe_op ops[] = { CAIRN_WQE_OP_WRITE, CAIRN_WQE_OP_READ,
						 CAIRN_WQE_OP_ATOMIC_FA };

	for (unsigned int i = 0; i < (atomic(use) ? USERS * DEEP : 1); i++) {
		struct rdma_qp *qp = o->user[i / DEEP];
		struct rdma_wr wr;

		if (use < SENDING) {
			qp = qp->peer;
			wr = rdma_wr(ops[use], o->there, i * 64, o->mine, i * 64, len);
			wr.rkey = o->key;
		} else {
			wr = rdma_wr(ops[use - SENDING], o->mine, i * 64, o->there, i * 64, len);
			wr.sge[0].lkey = o->key;
		}
		wr.swap_add = 1;
		wr.no_data = true;
		rdma_post(qp, &wr);
		if (!atomic(use) || i % DEEP == DEEP - 1)
			rdma_ring(qp);
		rdma_ledger_drop(qp);
	}
}

/* Reads of the memory come back so late; how many there have been. */
static void late(struct owner *o, uint64_t ns)
{
	const struct sim_pcie_fault_rule rule = { .fault = SIM_FAULT_LATE,
						  .first = o->iova,
						  .last = o->iova + LARGE - 1,
						  .delay_ns = ns };
	struct sim_pcie *pcie = sim_nic_pcie(o->r->nic[1].sim);

	sim_pcie_fault_clear(pcie);
	rdma_assert(o->r, sim_pcie_fault_add(pcie, &rule) == 0);
}

static uint64_t reads(struct owner *o)
{
	return sim_pcie_fault_hits(sim_nic_pcie(o->r->nic[1].sim), 0);
}

static uint64_t dma_errors(struct owner *o)
{
	return sim_pcie_stats(sim_nic_pcie(o->r->nic[1].sim))->dma_errors;
}

static void stop_wire(struct rdma *r, unsigned int nic, uint64_t ns)
{
	r->nic[nic].sim->mac.line.ns = sim_now(r->sim) + ns;
}

/* None of the owner's bytes there, all of them here; nor was it looked at. */
static void untouched(struct owner *o, const char *what)
{
	static uint8_t all[8];

	memset(all, NEW, sizeof(all));
	for (size_t i = 0; i < LARGE; i += sizeof(all)) {
		if (memcmp(o->mine->data + i, all, sizeof(all)))
			rdma_fail(o->r, "%s: written at %zu after the key was gone", what, i);
		if (!memcmp(o->there->data + i, all, sizeof(all)))
			rdma_fail(o->r, "%s: read at %zu after the key was gone", what, i);
	}
	if (reads(o))
		rdma_fail(o->r, "%s: %u reads after the key was gone", what,
			  (unsigned int)reads(o));
	if (dma_errors(o) != o->errors)
		rdma_fail(o->r, "%s: the device reached for what is not mapped any more", what);
}

/* Completions of those that used the key; has one failed. */
static bool failed(struct rdma_cq *cq)
{
	const struct cairn_cqe *cqe;
	bool any = false;

	for (; (cqe = cairn_cq_next(cq->cq)); cairn_cq_consume(cq->cq))
		any |= CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) != 0;
	return any;
}

/* QPs that can be used, new ones in place of those that failed. */
static void users(struct owner *o, unsigned int n, bool renew)
{
	for (unsigned int i = 0; i < USERS; i++) {
		if (renew && o->user[i]) {
			struct rdma_qp *peer = o->user[i]->peer;

			rdma_destroy_qp(o->user[i]);
			rdma_destroy_qp(peer);
			o->user[i] = NULL;
		}
		if (i < n && !o->user[i])
			o->user[i] = raw_pair(o, o->rest[1]);
	}
}

static const struct held {
	const char *what;
	enum use use;
	enum hold hold;
	uint32_t len;
	unsigned int cycles; /* when the key goes */
} cases[] = {
	{ "WRITEs in front of a slow PCIe link", WRITES, LINK, SOME, 6000 },
	{ "READs in front of a wire that stands", READS, WIRE, LARGE, 4000 },
	{ "READs of memory that is late", READS, LATE, SOME, 1000 },
	{ "atomics on memory that is late", ATOMICS, LATE, 8, 1500 },
	{ "own WRITEs in front of a wire that stands", SENDING, WIRE, LARGE, 4000 },
	{ "own WRITEs in front of a slow wire", SENDING, SLOW_WIRE, LARGE, 6000 },
	{ "own WRITEs of memory that is late", SENDING, LATE, SOME, 400 },
	{ "data of own READs in front of a slow PCIe link", PLACING, LINK, SOME, 6000 },
	{ "results of own atomics in front of a link that stands", RESULTS, LINK, 8, 8000 },
};

static void goes(struct owner *o, const struct held *h, enum way way)
{
	uint64_t began;
	char what[128];
	bool renew;

	users(o, atomic(h->use) ? USERS : 1, false);
	if (way == BY_PEER) {
		rdma_post_recv(o->c, NULL, 0);
		rdma_ring_recv(o->c);
		rdma_ledger_drop(o->c);
	}
	make_key(o, way);
	late(o, h->hold == LATE ? LATE_NS : 0);
	if (h->hold == WIRE)
		stop_wire(o->r, 1, STOP_NS);
	if (h->use == RESULTS) /* small, and the peer is as slow */
		sim_pcie_hold_credits(sim_nic_pcie(o->r->nic[1].sim), 1,
				      sim_now(o->r->sim) + 80000);
	use_key(o, h->use, h->len);
	rdma_run(o->r, h->cycles);
	began = sim_now(o->r->sim);
	take_away(o, way);
	memset(o->mine->data, NEW, LARGE);
	o->errors = dma_errors(o);
	late(o, 0);
	snprintf(what, sizeof(what), "%s, by %s", h->what, ways[way]);
	print_message("# %s: %llu ns\n", what, (unsigned long long)(sim_now(o->r->sim) - began));
	rdma_run(o->r, 5000); /* a NIC is quiet while a frame or what it reads is on its way */
	rdma_settle(o->r, 100000);
	untouched(o, what);
	rdma_buf_refill(o->r, o->mine);
	rdma_buf_refill(o->r, o->there);
	renew = failed(o->rest[0]);
	renew |= failed(o->rest[1]);
	failed(o->cq);
	if (o->mw)
		rdma_ok(o->r, cairn_dealloc_mw(o->mw), "end of the window");
	o->mw = NULL;
	if (o->valid && way > BY_PEER) { /* the windows are gone, so may the region */
		struct rdma_wr wr = rdma_inv(o->mine->mr->key);

		post(o->c, &wr);
		done(o, o->cq);
		o->valid = false;
	}
	users(o, 0, renew);
}

static void all_of(enum hold hold)
{
	struct owner o = owner(hold);
	const char *only = getenv("CASE");

	for (size_t i = 0; i < LEN(cases); i++) {
		if (cases[i].hold != hold || (only && !strstr(cases[i].what, only)))
			continue;
		for (enum way way = LOCAL_INV; way < WAYS; way++) {
			bool window = way == BIND || way == BIND_2 || way == DEALLOC;

			if (window && cases[i].use >= SENDING)
				continue; /* windows are for peers */
			if (way == BIND_2 && cases[i].use == ATOMICS)
				continue; /* of one QP */
			goes(&o, &cases[i], way);
		}
	}
	sim_pcie_fault_clear(sim_nic_pcie(o.r->nic[1].sim));
	rdma_end(o.r);
}

static void behind_the_link(void **state)
{
	(void)state;
	all_of(LINK);
}

static void behind_the_wire(void **state)
{
	(void)state;
	all_of(WIRE);
}

static void behind_a_slow_wire(void **state)
{
	(void)state;
	all_of(SLOW_WIRE);
}

static void behind_late_memory(void **state)
{
	(void)state;
	all_of(LATE);
}

/* ---------------------------------------------------------------- who waits, and who does not */

#define FLOW 600u
#define MANY 8u /* more than there are places for operations that wait */
#define WAIT_NS 400000u
#define SOON_NS 100000u /* behind a ring of packets before it */

/* A connection with WRITEs both ways, beside all that. */
struct flow {
	struct rdma_qp *qp;
	struct rdma_cq *cq[2];
	struct rdma_buf *buf[2];
	uint64_t began;
};

static struct flow flow_on(struct owner *o)
{
	struct flow f = { .buf = { o->there, o->spare } };
	struct rdma_qp_cfg cfg;

	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = 1024;
	for (unsigned int n = 0; n < 2; n++) {
		struct rdma_qp *qp;

		cfg.send_cq = f.cq[n] = rdma_create_cq(o->r, n, 64);
		qp = rdma_create_qp(o->r, n, &cfg);
		if (n)
			rdma_connect(f.qp, qp);
		else
			f.qp = qp;
	}
	return f;
}

static void start(struct owner *o, struct flow *f, uint32_t len)
{
	f->began = sim_now(o->r->sim);
	for (unsigned int n = 0; n < 2; n++) {
		struct rdma_qp *qp = n ? f->qp->peer : f->qp;
		struct rdma_wr wr =
			rdma_wr(CAIRN_WQE_OP_WRITE, f->buf[n], 0, f->buf[!n], LARGE / 2, len);

		wr.no_data = true;
		for (unsigned int i = 0; i < FLOW; i++) {
			wr.unsignaled = i < FLOW - 1;
			rdma_post(qp, &wr);
		}
		rdma_ring(qp);
		rdma_ledger_drop(qp);
	}
}

/* How long it took. */
static uint64_t finish(struct owner *o, struct flow *f)
{
	done(o, f->cq[0]);
	done(o, f->cq[1]);
	return sim_now(o->r->sim) - f->began;
}

/* A QP and a region each, whose key it takes away. */
struct key {
	struct rdma_qp *qp;
	struct rdma_buf *buf;
};

static void all_valid(struct owner *o, struct key *keys, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct rdma_wr wr = rdma_reg(keys[i].buf, (uint8_t)(keys[i].buf->mr->key + 1),
					     keys[i].buf->len, MW_ACCESS);

		post(keys[i].qp, &wr);
		done(o, o->cq);
		keys[i].buf->mr->key = wr.imm;
	}
}

static void all_away(struct key *keys, unsigned int n, bool by_peer)
{
	for (unsigned int i = 0; i < n; i++) {
		struct rdma_wr wr = rdma_inv(keys[i].buf->mr->key);

		if (by_peer) {
			rdma_post_recv(keys[i].qp, NULL, 0);
			rdma_ring_recv(keys[i].qp);
			wr = rdma_wr(CAIRN_WQE_OP_SEND_INV, NULL, 0, NULL, 0, 0);
			wr.imm = keys[i].buf->mr->key;
			wr.no_data = true;
		}
		post(by_peer ? keys[i].qp->peer : keys[i].qp, &wr);
		rdma_ledger_drop(keys[i].qp);
	}
}

/*
 * Invalidations wait for an atomic whose memory is late: one, more than there are places for, and
 * as many by the peer.  What others send and get meanwhile keeps its rate.
 */
static void others_go_on(void **state)
{
	static const struct {
		const char *what;
		unsigned int n;
		bool by_peer;
	} rounds[] = { { "nothing", 0, false },
		       { "a LOCAL_INV", 1, false },
		       { "many LOCAL_INVs", MANY, false },
		       { "many SENDs with invalidate", MANY, true } };
	struct rdma_buf_cfg cfg = { .len = 4096,
				    .access = MW_ACCESS,
				    .kind = CAIRN_MR_BY_WORK_REQUEST };
	struct owner o = owner(LATE);
	struct flow f = flow_on(&o);
	struct key keys[MANY];
	uint64_t alone = 0;

	(void)state;
	users(&o, 1, false);
	make_key(&o, LOCAL_INV);
	for (unsigned int i = 0; i < MANY; i++)
		keys[i] = (struct key){ i ? raw_pair(&o, o.cq) : o.c, rdma_buf_with(o.r, 1, &cfg) };
	for (size_t i = 0; i < LEN(rounds); i++) {
		struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, o.there, 0, o.mine, 0, 8);
		uint64_t took;

		all_valid(&o, keys, rounds[i].n);
		late(&o, WAIT_NS);
		wr.no_data = true;
		post(o.user[0]->peer, &wr);
		rdma_run(o.r, 500);
		all_away(keys, rounds[i].n, rounds[i].by_peer);
		rdma_run(o.r, 500);
		start(&o, &f, 8);
		took = finish(&o, &f);
		print_message("# behind %s: %llu ns\n", rounds[i].what, (unsigned long long)took);
		/* (a visit that finds no place for its operation costs as much as another) */
		if (i && took * 5 > alone * 6)
			rdma_fail(o.r, "while %s waits, others take %llu ns instead of %llu",
				  rounds[i].what, (unsigned long long)took,
				  (unsigned long long)alone);
		if (cairn_cq_next(o.cq->cq) || cairn_cq_next(o.rest[0]->cq))
			rdma_fail(o.r, "%s did not wait", rounds[i].what);
		alone = i ? alone : took;
		for (unsigned int k = 0; k < rounds[i].n; k++)
			done(&o, o.cq);
		done(&o, o.rest[0]); /* the atomic */
		rdma_settle(o.r, 100000);
		rdma_assert(o.r, !failed(o.rest[0]) && !failed(o.rest[1]));
	}
	rdma_buf_forget(o.mine, 0, LARGE);
	rdma_buf_forget(o.there, 0, LARGE);
	rdma_buf_forget(o.spare, 0, LARGE);
	sim_pcie_fault_clear(sim_nic_pcie(o.r->nic[1].sim));
	rdma_end(o.r);
}

/* An invalidation waits for what was before it, not for what goes on. */
static void ends_under_load(void **state)
{
	struct owner o = owner(WIRE);
	struct flow f = flow_on(&o);

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t began;

		make_key(&o, i ? BY_PEER : LOCAL_INV);
		rdma_post_recv(o.c, NULL, 0);
		rdma_ring_recv(o.c);
		rdma_ledger_drop(o.c);
		start(&o, &f, 1024);
		rdma_run(o.r, 4000);
		began = sim_now(o.r->sim);
		take_away(&o, i ? BY_PEER : LOCAL_INV);
		began = sim_now(o.r->sim) - began;
		print_message("# under load: %llu ns\n", (unsigned long long)began);
		if (cairn_cq_next(f.cq[0]->cq) || cairn_cq_next(f.cq[1]->cq))
			rdma_fail(o.r, "an invalidation ends no sooner than what goes on");
		if (began > SOON_NS)
			rdma_fail(o.r, "an invalidation under load takes %llu ns",
				  (unsigned long long)began);
		finish(&o, &f);
	}
	rdma_buf_forget(o.there, 0, LARGE);
	rdma_buf_forget(o.spare, 0, LARGE);
	failed(o.rest[0]);
	rdma_end(o.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(behind_the_link),    RDMA_TEST(behind_the_wire),
		RDMA_TEST(behind_a_slow_wire), RDMA_TEST(behind_late_memory),
		RDMA_TEST(others_go_on),       RDMA_TEST(ends_under_load),
	};

	return RDMA_RUN("gone", tests);
}
