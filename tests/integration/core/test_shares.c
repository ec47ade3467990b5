// SPDX-License-Identifier: Apache-2.0
/*
 * No share of what all use is so large that others feel it: a QP that holds all it can of the
 * receive path, a consumer that keeps its CQ full.  Two flows beside each keep at least seven
 * eighths of the rate that they have alone; cycle by cycle the same each time.  The memory of the
 * NIC where the others wait is far away, so that they wait long.
 */
#include "rdma.h"

#define WARM 8000u /* cycles */
#define WINDOW 16000u
#define STEP 10u
#define VICTIMS 2u
#define DEPTH 4u				  /* requests under way of each victim */
#define MOST 8u					  /* other QPs, CQs of them */
#define MOST_WR 1000u				  /* requests under way of one */
#define GROUP 17u				  /* an atomic and the WRITEs that follow it */
#define FAR_APART (1u << CAIRN_ATOMIC_PLACE_LOG2) /* atomics that wait for one another */
#define BYTES 64u
#define CQES 255u /* half of the smallest ring */
#define NEAR_NS 600u

struct attack {
	unsigned int nic, rtt_ns; /* where they wait, and how far the memory is there */
	unsigned int qps, depth;
	bool atomics, sends; /* an atomic in front of each group of WRITEs */
	/* Their CQs there, and how many completions have room in each; 0: any number. */
	unsigned int cqs, cqes, room;
	enum cairn_counter sign; /* what counts when they are held back */
};

struct flow {
	struct rdma_qp *qp, *peer;
	struct rdma_buf *a, *b;
	struct rdma_wr wr, atomic;
	const struct attack *how; /* NULL: a victim */
	unsigned int depth, posted;
	uint64_t done;
};

static void flow_init(struct flow *f, struct rdma *r, const struct attack *how, unsigned int depth,
		      struct rdma_cq *cq, struct rdma_cq *peer_cq)
{
	uint32_t all = RDMA_ALL_ACCESS | CAIRN_ACCESS_REMOTE_ATOMIC;
	struct rdma_buf_cfg at = { .len = BYTES, .access = all };
	struct rdma_qp_cfg cfg;

	*f = (struct flow){ .how = how, .depth = depth };
	f->a = rdma_buf(r, 0, BYTES, 0);
	if (how && how->atomics)
		at.len = FAR_APART + BYTES;
	f->b = rdma_buf_with(r, 1, &at);
	rdma_qp_cfg_init(&cfg);
	cfg.send_wr = cfg.recv_wr = MOST_WR;
	cfg.access = all;
	cfg.timeout = 6; /* 262 us: not to be waited for */
	cfg.send_cq = cq;
	f->qp = rdma_create_qp(r, 0, &cfg);
	cfg.send_cq = NULL;
	cfg.recv_cq = peer_cq;
	f->peer = rdma_create_qp(r, 1, &cfg);
	rdma_connect(f->qp, f->peer);
	f->wr = rdma_wr(how && how->sends ? CAIRN_WQE_OP_SEND : CAIRN_WQE_OP_WRITE, f->a, 0, f->b,
			0, 8);
	f->wr.in_wqe = true;
	f->wr.sge[0].addr = (uint64_t)(uintptr_t)f->a->data;
	f->atomic = rdma_wr(CAIRN_WQE_OP_ATOMIC_FA, f->a, 8, f->b, 8, 8);
}

static void flow_post_recv(struct flow *f)
{
	struct cairn_sge sge = rdma_sge(f->b, 0, 8);
	struct cairn_qp *qp = f->peer->qp;

	memcpy(cairn_rq_entry(qp, qp->rq_pi++), &sge, sizeof(sge));
}

static void flow_post(struct flow *f)
{
	unsigned int before = f->posted;

	for (; f->posted - f->done < f->depth; f->posted++) {
		bool first = f->how && f->how->atomics && f->posted % GROUP == 0;
		struct rdma_wr wr = first ? f->atomic : f->wr;

		if (first && f->posted / GROUP % 2)
			wr.raddr += FAR_APART;
		if (f->how && f->how->sends)
			flow_post_recv(f);
		rdma_write_wqe(f->qp, &wr, 8, 1);
	}
	if (f->posted == before)
		return;
	if (f->how && f->how->sends)
		rdma_ring_recv(f->peer);
	rdma_ring(f->qp);
}

/* Takes completions, those of the flows' requests among them, so that `room` are free; 0: all. */
static void reap(struct rdma_cq *of, uint32_t room, struct flow *f, unsigned int flows)
{
	struct cairn_cq *cq = of->cq;
	uint32_t there = 0, keep = room ? (1u << cq->log2) - room : 0;

	while (there < 1u << cq->log2 && cairn_cq_written(cq, cq->ci + there))
		there++;
	for (; there > keep; there--) {
		const struct cairn_cqe *cqe = cairn_cq_next(cq);
		uint32_t qpn = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN);

		rdma_assert(of->r, CAIRN_GET(cqe->status, CAIRN_CQE_STATUS) ==
					   CAIRN_WC_STATUS_SUCCESS);
		for (unsigned int i = 0; i < flows; i++)
			f[i].done += f[i].qp->nic == of->nic && f[i].qp->qp->qpn == qpn;
		cairn_cq_consume(cq);
	}
	cairn_cq_update(cq);
}

static uint64_t flows_done(const struct flow *f, unsigned int flows)
{
	uint64_t n = 0;

	while (flows)
		n += f[--flows].done;
	return n;
}

static bool flows_under_way(const struct flow *f, unsigned int flows)
{
	while (flows && f[flows - 1].done == f[flows - 1].posted)
		flows--;
	return flows;
}

/* What the requests have left in memory is nobody's business here. */
static void flows_end(struct flow *f, unsigned int flows)
{
	for (unsigned int i = 0; i < flows; i++) {
		rdma_buf_forget(f[i].a, 0, BYTES);
		rdma_buf_forget(f[i].b, 0, f[i].b->len);
	}
}

struct scene {
	struct rdma *r;
	const struct attack *a;
	struct rdma_cq *cq, *plain, *tight[MOST];
	struct flow victim[VICTIMS], other[MOST];
};

static void scene_init(struct scene *s, const struct attack *a, bool others)
{
	/* No capture: the judge of packets cannot know what is dropped inside. */
	static const struct rdma_cfg cfg = { .data_w = 512, .pcap = "" };
	unsigned int depth = others ? a->depth : 0;

	*s = (struct scene){ .r = rdma_begin(&cfg), .a = a };
	s->cq = rdma_create_cq(s->r, 0, MOST_WR);
	s->plain = rdma_create_cq(s->r, !a->nic, MOST * MOST_WR);
	for (unsigned int i = 0; i < a->cqs; i++)
		s->tight[i] = rdma_create_cq(s->r, a->nic, a->cqes);
	for (unsigned int i = 0; i < a->qps; i++) {
		struct rdma_cq *t = s->tight[i % a->cqs];

		flow_init(&s->other[i], s->r, a, depth, a->nic ? s->plain : t,
			  a->nic ? t : s->plain);
	}
	for (unsigned int i = 0; i < VICTIMS; i++)
		flow_init(&s->victim[i], s->r, NULL, DEPTH, s->cq, NULL);
	/* NICs may be those of the test before. */
	for (unsigned int nic = 0; nic < 2; nic++)
		sim_pcie_set_rtt(sim_nic_pcie(sim_nic(s->r->sim, nic)),
				 nic == a->nic ? a->rtt_ns : NEAR_NS);
}

static void scene_run(struct scene *s, unsigned int cycles, uint32_t room)
{
	rdma_run(s->r, cycles);
	reap(s->cq, 0, s->victim, VICTIMS);
	reap(s->plain, 0, s->other, s->a->qps);
	for (unsigned int i = 0; i < s->a->cqs; i++)
		reap(s->tight[i], room, s->other, s->a->qps);
}

enum others { NONE, BUSY, HELD };

/* Completions of the victims in the window.  BUSY: the others are there, and nothing holds them. */
static uint64_t measure(const struct attack *a, enum others others)
{
	uint64_t before = 0, done, held, their;
	struct scene s;

	scene_init(&s, a, others != NONE);
	held = rdma_counter(s.r, a->nic, a->sign);
	for (unsigned int at = 0; at < WARM + WINDOW; at += STEP) {
		if (at == WARM)
			before = flows_done(s.victim, VICTIMS);
		for (unsigned int i = 0; i < VICTIMS; i++)
			flow_post(&s.victim[i]);
		for (unsigned int i = 0; i < a->qps; i++)
			flow_post(&s.other[i]);
		scene_run(&s, STEP, others == HELD ? a->room : 0);
	}
	done = flows_done(s.victim, VICTIMS) - before;
	their = flows_done(s.other, a->qps);
	for (unsigned int at = 0;
	     flows_under_way(s.other, a->qps) || flows_under_way(s.victim, VICTIMS); at += STEP) {
		rdma_assert(s.r, at < WINDOW);
		scene_run(&s, 20 * STEP, 0);
	}
	scene_run(&s, WARM, 0); /* what is received may complete later */
	/* Not before: the consumer stands still meanwhile, and a full CQ would be in error. */
	held = rdma_counter(s.r, a->nic, a->sign) - held;
	if (others == HELD) { /* they went on, and were held back */
		rdma_assert(s.r, their > WINDOW / 200);
		rdma_assert(s.r, held);
	}
	flows_end(s.other, a->qps);
	flows_end(s.victim, VICTIMS);
	rdma_end(s.r);
	return done;
}

static void keeps_its_rate(const struct attack *a, enum others without, const char *what)
{
	uint64_t alone = measure(a, without), beside = measure(a, HELD);

	print_message("# %s: %llu completions without, %llu beside it\n", what,
		      (unsigned long long)alone, (unsigned long long)beside);
	if (beside * 8 < alone * 7)
		fail_msg("%s: %llu completions of the victims, %llu without it", what,
			 (unsigned long long)beside, (unsigned long long)alone);
}

/* WRITEs of one QP wait for its atomics, and these for one another. */
static void behind_atomics(void **state)
{
	static const struct attack a = { .nic = 1,
					 .rtt_ns = 4000,
					 .qps = 1,
					 .depth = MOST_WR,
					 .atomics = true,
					 .cqs = 1,
					 .cqes = MOST_WR,
					 .sign = CAIRN_COUNTER_RX_SHARE };

	(void)state;
	keeps_its_rate(&a, NONE, "WRITEs behind atomics");
}

/* SENDs of one QP wait for receive WQEs. */
static void behind_receives(void **state)
{
	static const struct attack a = { .nic = 1,
					 .rtt_ns = 4000,
					 .qps = 1,
					 .depth = 320,
					 .sends = true,
					 .cqs = 1,
					 .cqes = MOST_WR,
					 .sign = CAIRN_COUNTER_RX_SHARE };

	(void)state;
	keeps_its_rate(&a, NONE, "SENDs that wait for receive WQEs");
}

/* A CQ is full all the time, and the consumer takes a few from it each time. */
static void cq_at_the_brim(void **state)
{
	static const struct attack a = { .nic = 0,
					 .rtt_ns = 1000,
					 .qps = MOST,
					 .depth = 128,
					 .cqs = 1,
					 .cqes = CQES,
					 .room = 16,
					 .sign = CAIRN_COUNTER_CQ_CROWDED };

	(void)state;
	keeps_its_rate(&a, NONE, "a CQ that is kept full");
}

/* The shares of some together would be all places.  So many QPs are felt, held or not. */
static void cqs_at_the_brim(void **state)
{
	static const struct attack a = { .nic = 0,
					 .rtt_ns = 1000,
					 .qps = MOST,
					 .depth = 768,
					 .cqs = MOST,
					 .cqes = CQES,
					 .room = 16,
					 .sign = CAIRN_COUNTER_CQ_CROWDED };

	(void)state;
	keeps_its_rate(&a, BUSY, "eight CQs that are kept full");
}

/* What is received completes there. */
static void receives_at_the_brim(void **state)
{
	static const struct attack a = { .nic = 1,
					 .rtt_ns = 1000,
					 .qps = 1,
					 .depth = 600,
					 .sends = true,
					 .cqs = 1,
					 .cqes = CQES,
					 .room = 16,
					 .sign = CAIRN_COUNTER_CQ_CROWDED };

	(void)state;
	keeps_its_rate(&a, BUSY, "a CQ of receives that is kept full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(behind_atomics),	 RDMA_TEST(behind_receives),
		RDMA_TEST(cq_at_the_brim),	 RDMA_TEST(cqs_at_the_brim),
		RDMA_TEST(receives_at_the_brim),
	};

	return RDMA_RUN("shares", tests);
}
