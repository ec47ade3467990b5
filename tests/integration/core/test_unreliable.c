// SPDX-License-Identifier: Apache-2.0
/*
 * UC and UD on a wire that loses and reorders (checks 20): of UC each message arrives whole or not
 * at all, and the next one is whole again; datagrams do not depend on one another.  Nothing is sent
 * twice.
 */
#include <string.h>

#include "rdma.h"

#define MASK(name) CAIRN_QP_MASK_##name
#define SLOT 1024u
#define SLOTS 16u
#define GRH 40u
#define UC_LEN 600u /* three packets of 256 */
#define UD_LEN 200u
#define MESSAGES 4u
#define QKEY 0x1234567u

struct end {
	struct cairn_cq *cq;
	struct rdma_qp q; /* for rdma_write_wqe(): it is not in the ledger */
	struct rdma_buf *buf;
	unsigned int posted; /* receives not used yet */
	uint8_t gid[16];
};

struct scene {
	struct rdma *r;
	enum cairn_qp_type type;
	struct end end[2];
};

static void make(struct scene *s, unsigned int i)
{
	struct end *e = &s->end[i];
	struct cairn_qp_init init = {
		.type = s->type,
		.max_send_wr = 16,
		.max_recv_wr = SLOTS,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.qpn = CAIRN_ANY,
	};
	uint32_t vlan;

	rdma_ok(s->r, cairn_query_gid(s->r->nic[i].dev, 1, e->gid, &vlan), "GID");
	e->buf = rdma_buf(s->r, i, 2 * SLOTS * SLOT, 0);
	rdma_ok(s->r, cairn_create_cq(s->r->nic[i].dev, 64, CAIRN_ANY, NULL, NULL, &e->cq), "CQ");
	init.send_cq = init.recv_cq = e->cq;
	rdma_ok(s->r, cairn_create_qp(s->r->nic[i].pd, &init, &e->q.qp), "QP");
	rdma_other_qps(s->r);
	e->q.cfg.type = s->type;
}

static void connect(struct scene *s, unsigned int i)
{
	struct end *e = &s->end[i], *other = &s->end[!i];
	bool uc = s->type == CAIRN_QP_TYPE_UC;
	struct cairn_qp_attr attr = {
		.state = CAIRN_QP_STATE_INIT,
		.port = 1,
		.qkey = QKEY,
		.access = RDMA_ALL_ACCESS,
		.path_mtu = 1,
		.rq_psn = 0xfffffa, /* into the wrap */
		.sq_psn = 0xfffffa,
		.dest_qpn = other->q.qp->qpn,
		.sgid_index = 1,
		.hop_limit = 64,
		.dmac = sim_nic_mac(s->r->nic[!i].sim),
	};

	memcpy(attr.dgid, other->gid, 16);
	rdma_ok(s->r,
		cairn_modify_qp(e->q.qp, &attr,
				MASK(STATE) | MASK(PKEY_INDEX) | MASK(PORT) |
					(uc ? MASK(ACCESS) : MASK(QKEY))),
		"INIT");
	attr.state = CAIRN_QP_STATE_RTR;
	rdma_ok(s->r,
		cairn_modify_qp(e->q.qp, &attr,
				MASK(STATE) | (uc ? MASK(AV) | MASK(PATH_MTU) | MASK(DEST_QPN) |
							       MASK(RQ_PSN)
						  : 0)),
		"RTR");
	attr.state = CAIRN_QP_STATE_RTS;
	rdma_ok(s->r, cairn_modify_qp(e->q.qp, &attr, MASK(STATE) | MASK(SQ_PSN)), "RTS");
}

static struct scene scene(enum cairn_qp_type type)
{
	struct scene s = { .r = rdma_begin(NULL), .type = type };

	for (unsigned int i = 0; i < 2; i++)
		make(&s, i);
	for (unsigned int i = 0; i < 2; i++)
		connect(&s, i);
	return s;
}

static void end(struct scene *s)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct end *e = &s->end[i];

		rdma_assert(s->r, !cairn_cq_next(e->cq));
		rdma_ok(s->r, cairn_destroy_qp(e->q.qp, NULL), "QP");
		rdma_ok(s->r, cairn_destroy_cq(e->cq), "CQ");
		rdma_buf_forget(e->buf, 0, e->buf->len);
	}
	rdma_end(s->r);
}

static void receives(struct end *e, unsigned int n)
{
	for (; e->posted < n; e->posted++) {
		unsigned int slot = e->q.qp->rq_pi % SLOTS;

		*cairn_rq_entry(e->q.qp, e->q.qp->rq_pi++) = rdma_sge(e->buf, slot * SLOT, SLOT);
	}
	cairn_rq_ring(e->q.qp);
}

/* Where message m lies at the sender, and where a WRITE brings it. */
static uint32_t source(unsigned int m)
{
	return m * 100 + 3;
}

static uint32_t target(unsigned int m)
{
	return (SLOTS + m) * SLOT + 5;
}

static void send_uc(struct scene *s, unsigned int m)
{
	struct rdma_wr wr = rdma_wr(m & 1 ? CAIRN_WQE_OP_WRITE_IMM : CAIRN_WQE_OP_SEND_IMM,
				    s->end[0].buf, source(m), s->end[1].buf, target(m), UC_LEN);

	wr.imm = m;
	rdma_write_wqe(&s->end[0].q, &wr, UC_LEN, 1);
}

static void send_ud(struct scene *s, unsigned int m)
{
	const struct rdma_buf *from = s->end[0].buf;
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND_IMM, from, source(m), NULL, 0, UD_LEN);

	wr.imm = m;
	wr.av = (struct rdma_av){ .dmac = sim_nic_mac(s->r->nic[1].sim),
				  .sport = 0xc001,
				  .sgid_index = 1,
				  .dqpn = s->end[1].q.qp->qpn,
				  .qkey = QKEY };
	memcpy(wr.av.dgid, s->end[1].gid, 16);
	rdma_write_wqe(&s->end[0].q, &wr, UD_LEN, 2);
}

/* Completions of the sender: all of them succeed. */
static void all_sent(struct scene *s, unsigned int n)
{
	struct cairn_cq *cq = s->end[0].cq;
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(cq))) {
		rdma_assert(s->r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
		cairn_cq_consume(cq);
		n--;
	}
	cairn_cq_update(cq);
	rdma_assert(s->r, !n);
}

/* What arrived, one bit a message; each must be whole. */
static unsigned int arrived(struct scene *s)
{
	bool uc = s->type == CAIRN_QP_TYPE_UC;
	struct end *e = &s->end[1];
	unsigned int set = 0;
	const struct cairn_cqe *cqe;

	while ((cqe = cairn_cq_next(e->cq))) {
		uint32_t m = cqe->imm, len = uc ? UC_LEN : UD_LEN;
		uint32_t at = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX) % SLOTS * SLOT;

		rdma_assert(s->r, !CAIRN_GET(cqe->status, CAIRN_CQE_STATUS));
		rdma_assert(s->r, m < MESSAGES && !(set >> m & 1));
		rdma_assert(s->r, cqe->byte_len == len + (uc ? 0 : GRH));
		at = uc && m & 1 ? target(m) : at + (uc ? 0 : GRH);
		rdma_assert(s->r, !memcmp(e->buf->data + at, s->end[0].buf->data + source(m), len));
		set |= 1u << m;
		e->posted--;
		cairn_cq_consume(e->cq);
	}
	cairn_cq_update(e->cq);
	return set;
}

/* All messages under that rule; which of them arrived. */
static unsigned int messages(struct scene *s, const char *action, unsigned int k)
{
	uint64_t begin = rdma_counter(s->r, 0, CAIRN_COUNTER_TX_PACKETS);
	unsigned int per = s->type == CAIRN_QP_TYPE_UC ? 3 : 1;

	rdma_clear_rules(s->r);
	rdma_rule(s->r, "%s nic0>nic1 type=roce k=%u", action, k);
	receives(&s->end[1], MESSAGES);
	for (unsigned int m = 0; m < MESSAGES; m++)
		per == 3 ? send_uc(s, m) : send_ud(s, m);
	cairn_sq_ring(s->end[0].q.qp);
	rdma_run(s->r, 6000);
	rdma_settle(s->r, 20000);
	rdma_assert(s->r, sim_wire_rule_hits(sim_wire(s->r->sim), 0) == 1);
	rdma_assert(s->r,
		    rdma_counter(s->r, 0, CAIRN_COUNTER_TX_PACKETS) == begin + MESSAGES * per);
	all_sent(s, MESSAGES);
	return arrived(s);
}

static void uc(void **state)
{
	struct scene s = scene(CAIRN_QP_TYPE_UC);
	const unsigned int all = (1u << MESSAGES) - 1;
	uint64_t drops = rdma_counter(s.r, 1, CAIRN_COUNTER_RX_UC_DROP);

	(void)state;
	for (unsigned int k = 1; k <= 3 * MESSAGES; k++) {
		rdma_assert(s.r, messages(&s, "drop", k) == (all & ~(1u << (k - 1) / 3)));
		rdma_assert(s.r, messages(&s, "corrupt", k) == (all & ~(1u << (k - 1) / 3)));
	}
	/* the packet, and the one that overtakes it */
	for (unsigned int k = 1; k < 3 * MESSAGES; k++) {
		unsigned int touched = 1u << (k - 1) / 3 | 1u << k / 3;
		unsigned int got = messages(&s, "reorder", k);

		rdma_assert(s.r, (got | touched) == all);
		rdma_assert(s.r, got != all);
	}
	rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_RX_UC_DROP) > drops + 3 * MESSAGES);
	end(&s);
}

static void ud(void **state)
{
	struct scene s = scene(CAIRN_QP_TYPE_UD);
	const unsigned int all = (1u << MESSAGES) - 1;

	(void)state;
	for (unsigned int k = 1; k <= MESSAGES; k++) {
		rdma_assert(s.r, messages(&s, "drop", k) == (all & ~(1u << (k - 1))));
		rdma_assert(s.r, messages(&s, "corrupt", k) == (all & ~(1u << (k - 1))));
		rdma_assert(s.r, messages(&s, "reorder:2", k) == all);
	}
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(uc), RDMA_TEST(ud) };

	return RDMA_RUN("unreliable", tests);
}
