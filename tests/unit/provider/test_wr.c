// SPDX-License-Identifier: Apache-2.0
/* Work requests in the ring: each operation's WQE, elements and inline bytes over block and ring
 * borders, full queues, refusals that leave nothing behind, one doorbell a list. */
#include <endian.h>

#include "provider_test.h"

#define BLOCK(qp, i) ((struct cairn_wqe *)cairn_sq_block((qp)->hw, i))

static uint64_t doorbell_of(const struct qp *qp, uint32_t index)
{
	return cairn_db_word(qp->ibv.qp_num, index);
}

static int post(struct qp *qp, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad = NULL;
	int err = ibv_post_send(&qp->ibv, wr, &bad);

	if (err)
		assert_non_null(bad);
	return err;
}

/* Everything is retired. */
static void drain(struct qp *qp)
{
	atomic_store(&qp->sq_tail, qp->hw->sq_pi);
}

static void check_ctrl(const struct qp *qp, uint32_t index, uint32_t ctrl, uint32_t length)
{
	const struct cairn_wqe *wqe = BLOCK(qp, index);

	assert_int_equal(wqe->ctrl, ctrl);
	assert_int_equal(wqe->length, length);
	assert_int_equal(wqe->check, (index & 0xffff) | qp->hw->owner << 16);
}

static void check_head(const struct qp *qp, uint32_t index, uint32_t ctrl, uint32_t length)
{
	check_ctrl(qp, index, ctrl, length);
	assert_int_equal(BLOCK(qp, index)->rsvd, 0);
}

static uint32_t control(uint32_t op, uint32_t sges, uint32_t blocks, uint32_t flags)
{
	return op | sges << 16 | blocks << 24 | flags;
}

static void each_operation(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_sge sge = { 0x1122334455667788, 100, 0xabcd01 };
	static const struct {
		enum ibv_wr_opcode verbs;
		uint32_t hw, wc;
		bool rdma, imm;
	} ops[] = {
		{ IBV_WR_SEND, CAIRN_WQE_OP_SEND, IBV_WC_SEND, false, false },
		{ IBV_WR_SEND_WITH_IMM, CAIRN_WQE_OP_SEND_IMM, IBV_WC_SEND, false, true },
		{ IBV_WR_SEND_WITH_INV, CAIRN_WQE_OP_SEND_INV, IBV_WC_SEND, false, true },
		{ IBV_WR_RDMA_WRITE, CAIRN_WQE_OP_WRITE, IBV_WC_RDMA_WRITE, true, false },
		{ IBV_WR_RDMA_WRITE_WITH_IMM, CAIRN_WQE_OP_WRITE_IMM, IBV_WC_RDMA_WRITE, true,
		  true },
		{ IBV_WR_RDMA_READ, CAIRN_WQE_OP_READ, IBV_WC_RDMA_READ, true, false },
	};

	for (uint32_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		bool rdma = ops[i].rdma, imm = ops[i].imm;
		uint32_t at = qp->hw->sq_pi;
		struct ibv_send_wr wr = {
			.wr_id = 0x1000 + i,
			.sg_list = &sge,
			.num_sge = 1,
			.opcode = ops[i].verbs,
			.send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE,
			.imm_data = htobe32(0x01020304),
			.wr.rdma = { 0x8877665544332211, 0x4321 },
		};

		assert_int_equal(post(qp, &wr), 0);
		check_head(qp, at, control(ops[i].hw, 1, 1, 1 << 8 | 1 << 10), 100);
		assert_int_equal(BLOCK(qp, at)->imm, imm ? htobe32(0x01020304) : 0);
		assert_int_equal(BLOCK(qp, at)->raddr, rdma ? 0x8877665544332211 : 0);
		assert_int_equal(BLOCK(qp, at)->rkey, rdma ? 0x4321 : 0);
		assert_int_equal(BLOCK(qp, at)->sge0_addr, sge.addr);
		assert_int_equal(BLOCK(qp, at)->sge0_lkey, sge.lkey);
		assert_int_equal(BLOCK(qp, at)->sge0_length, 100);
		assert_int_equal(qp->hw->sq_pi, at + 1);
		assert_int_equal(qp->sq[at & qp->sq_mask].wr_id, 0x1000 + i);
		assert_int_equal(qp->sq[at & qp->sq_mask].opcode, ops[i].wc);
	}
}

static void atomics(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_sge sge = { 0x5000, 8, 7 };
	struct ibv_send_wr wr[2] = {
		{ .opcode = IBV_WR_ATOMIC_CMP_AND_SWP, .next = &wr[1] },
		{ .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD },
	};
	const struct cairn_wqe_atomic *wqe = (void *)BLOCK(qp, 0);

	for (int i = 0; i < 2; i++) {
		wr[i].sg_list = &sge;
		wr[i].num_sge = 1;
		wr[i].wr.atomic.remote_addr = 0x40;
		wr[i].wr.atomic.rkey = 0x99;
		wr[i].wr.atomic.compare_add = 11;
		wr[i].wr.atomic.swap = 22;
	}
	assert_int_equal(post(qp, wr), 0);
	check_head(qp, 0, control(CAIRN_WQE_OP_ATOMIC_CS, 1, 1, 0), 8);
	assert_int_equal(wqe->swap_add, 22);
	assert_int_equal(wqe->compare, 11);
	assert_int_equal(wqe->sge0_addr, 0x5000);
	wqe = (void *)BLOCK(qp, 1);
	check_head(qp, 1, control(CAIRN_WQE_OP_ATOMIC_FA, 1, 1, 0), 8);
	assert_int_equal(wqe->swap_add, 11);
	assert_int_equal(wqe->raddr, 0x40);
	assert_int_equal(wqe->sge0_length, 8);
}

/* Elements of all counts, from every block of the ring, so that each border is crossed. */
static void elements(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_sge sge[6];
	struct ibv_send_wr wr = { .sg_list = sge, .opcode = IBV_WR_SEND };

	for (unsigned int lap = 0; lap < 3 * (qp->sq_mask + 1); lap++) {
		uint32_t at = qp->hw->sq_pi, total = 0;

		wr.num_sge = (int)(lap % 7);
		for (uint32_t i = 0; i < 6; i++)
			sge[i] = (struct ibv_sge){ lap << 16 | i, 10 + i, lap + i };
		assert_int_equal(post(qp, &wr), 0);
		for (uint32_t i = 0; i < lap % 7; i++) {
			uint32_t offset = 32 + 16 * i;
			const struct cairn_sge *got =
				(void *)((uint8_t *)BLOCK(qp, at + offset / 64) + offset % 64);

			assert_int_equal(got->addr, lap << 16 | i);
			assert_int_equal(got->lkey, lap + i);
			assert_int_equal(got->length, 10 + i);
			total += 10 + i;
		}
		check_head(qp, at, control(0, lap % 7, lap % 7 > 2 ? 2 : 1, 0), total);
		assert_int_equal(qp->hw->sq_pi - at, lap % 7 > 2 ? 2 : 1);
		drain(qp);
	}
}

static void inline_data(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	uint8_t data[96];
	struct ibv_sge sge[2];
	struct ibv_send_wr wr = { .sg_list = sge,
				  .num_sge = 2,
				  .opcode = IBV_WR_RDMA_WRITE,
				  .send_flags = IBV_SEND_INLINE };

	assert_true(qp->cap.max_inline_data >= 60 && qp->cap.max_inline_data <= sizeof(data));
	for (uint32_t n = 0; n <= qp->cap.max_inline_data; n++) {
		uint32_t at = qp->hw->sq_pi, blocks = n > 32 ? 2 : 1;

		for (uint32_t i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)(n * 3 + i);
		sge[0] = (struct ibv_sge){ (uintptr_t)data, n / 3, 0 };
		sge[1] = (struct ibv_sge){ (uintptr_t)data + n / 3, n - n / 3, 0 };
		assert_int_equal(post(qp, &wr), 0);
		check_head(qp, at, control(CAIRN_WQE_OP_WRITE, 0, blocks, 1 << 11), n);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(((uint8_t *)BLOCK(qp, at + (32 + i) / 64))[(32 + i) % 64],
					 data[i]);
		drain(qp);
	}
	sge[1].length = qp->cap.max_inline_data + 1 - sge[0].length;
	assert_int_equal(post(qp, &wr), EINVAL);
}

static void full_and_refused(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_sge sge[7] = { { 0, 1, 1 } };
	struct ibv_send_wr wr[3] = {
		{ .sg_list = sge, .num_sge = 1, .opcode = IBV_WR_SEND, .next = &wr[1] },
		{ .sg_list = sge, .num_sge = 7, .opcode = IBV_WR_SEND, .next = &wr[2] },
		{ .sg_list = sge, .num_sge = 1, .opcode = IBV_WR_SEND },
	};
	struct ibv_send_wr *bad;

	/* The good one before the bad one goes out. */
	assert_int_equal(ibv_post_send(&qp->ibv, wr, &bad), EINVAL);
	assert_ptr_equal(bad, &wr[1]);
	assert_int_equal(qp->hw->sq_pi, 1);
	wr[1].num_sge = 6;
	for (unsigned int i = 1; i < qp->cap.max_send_wr; i++) {
		wr[1].next = NULL;
		assert_int_equal(post(qp, &wr[1]), 0);
	}
	assert_int_equal(post(qp, &wr[1]), ENOMEM);
	atomic_fetch_add(&qp->sq_tail, 2);
	assert_int_equal(post(qp, &wr[1]), 0);
	wr[2].opcode = IBV_WR_BIND_MW;
	drain(qp);
	assert_int_equal(post(qp, &wr[2]), EINVAL);
}

static void one_doorbell(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_sge sge[2] = { { 0x10, 1, 1 }, { 0x20, 2, 2 } };
	struct ibv_send_wr wr[8];
	unsigned int before = fakes[0].doorbells;
	uint64_t last;

	for (int i = 0; i < 8; i++)
		wr[i] = (struct ibv_send_wr){ .sg_list = sge, .num_sge = 2, .next = &wr[i + 1] };
	wr[7].next = NULL;
	assert_int_equal(post(qp, wr), 0);
	assert_int_equal(fakes[0].doorbells, before + 1);
	assert_int_equal(fakes[0].last_db, doorbell_of(qp, 8));
	/* A single small one is pushed. */
	wr[7].num_sge = 1;
	assert_int_equal(post(qp, &wr[7]), 0);
	assert_int_equal(fakes[0].last_db_offset % 4096, CAIRN_DB_PUSH);
	assert_memory_equal(fakes[0].last_push, BLOCK(qp, 8), 56);
	memcpy(&last, fakes[0].last_push + 56, 8);
	assert_int_equal(last, doorbell_of(qp, 9));
}

static void receives(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_sge sge[3] = { { 0x10, 100, 1 }, { 0x20, 200, 2 }, { 0x30, 300, 3 } };
	struct ibv_recv_wr wr = { .sg_list = sge }, *bad;

	for (uint32_t i = 0; i < qp->cap.max_recv_wr; i++) {
		const struct cairn_sge *got = cairn_rq_entry(qp->hw, i);

		wr.wr_id = i;
		wr.num_sge = (int)(i % 4);
		memset((void *)got, 0xff, qp->hw->rq_stride * sizeof(*got));
		assert_int_equal(ibv_post_recv(&qp->ibv, &wr, &bad), 0);
		for (uint32_t j = 0; j < qp->hw->rq_stride; j++)
			assert_int_equal(got[j].length, j < i % 4 ? sge[j].length : 0);
		assert_int_equal(fakes[0].last_db, doorbell_of(qp, i + 1));
		assert_int_equal(fakes[0].last_db_offset % 4096, CAIRN_DB_RQ);
	}
	assert_int_equal(ibv_post_recv(&qp->ibv, &wr, &bad), ENOMEM);
	assert_ptr_equal(bad, &wr);
	wr.num_sge = (int)qp->cap.max_recv_sge + 1;
	assert_int_equal(ibv_post_recv(&qp->ibv, &wr, &bad), EINVAL);
}

static void extended_calls(void **state)
{
	struct qp *qp = ((struct bench *)*state)->qp;
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(&qp->ibv);
	struct ibv_data_buf pieces[2] = { { "abc", 3 }, { "defg", 4 } };
	unsigned int before = fakes[0].doorbells;

	assert_non_null(ex);
	ibv_wr_start(ex);
	ex->wr_id = 1;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_send(ex);
	ibv_wr_set_inline_data_list(ex, 2, pieces);
	ex->wr_id = 2;
	ex->wr_flags = 0;
	ibv_wr_rdma_write(ex, 0x77, 0x1000);
	ibv_wr_set_sge(ex, 5, 0x2000, 50);
	assert_int_equal(fakes[0].doorbells, before);
	assert_int_equal(ibv_wr_complete(ex), 0);
	assert_int_equal(fakes[0].doorbells, before + 1);
	assert_int_equal(fakes[0].last_db, doorbell_of(qp, 2));
	check_head(qp, 0, control(CAIRN_WQE_OP_SEND, 0, 1, 1 << 8 | 1 << 11), 7);
	assert_memory_equal((uint8_t *)BLOCK(qp, 0) + 32, "abcdefg", 7);
	check_head(qp, 1, control(CAIRN_WQE_OP_WRITE, 1, 1, 0), 50);
	assert_int_equal(BLOCK(qp, 1)->rkey, 0x77);
	/* Nothing of an aborted or a failed batch goes out. */
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_abort(ex);
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_set_sge(ex, 5, 0x2000, 50);
	ibv_wr_send(ex);
	ibv_wr_set_inline_data(ex, BLOCK(qp, 0), 1000);
	assert_int_equal(ibv_wr_complete(ex), EINVAL);
	assert_int_equal(qp->hw->sq_pi, 2);
	assert_int_equal(fakes[0].doorbells, before + 1);
}

/* The whole address is in the first block, payload starts in the second. */
static void datagrams(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_init_attr init = {
		.send_cq = b->cq, .recv_cq = b->cq, .cap = { 8, 1, 2, 1, 0 }, .qp_type = IBV_QPT_UD
	};
	struct ibv_ah_attr address = { .is_global = 1, .port_num = PORT, .sl = 3 };
	struct qp *qp = (struct qp *)ibv_create_qp(b->pd, &init);
	struct ibv_sge sge = { 0x5000, 64, 7 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND };
	const struct cairn_wqe_ud *wqe;
	const struct cairn_sge *got;

	address.grh.dgid.raw[0] = 0xfe;
	address.grh.dgid.raw[15] = 5;
	address.grh.flow_label = 0x54321;
	address.grh.hop_limit = 9;
	address.grh.traffic_class = 0x68;
	wr.wr.ud.ah = ibv_create_ah(b->pd, &address);
	wr.wr.ud.remote_qpn = 0x123;
	wr.wr.ud.remote_qkey = 0x11111111;
	assert_non_null(wr.wr.ud.ah);
	qp->hw->state = CAIRN_QP_STATE_RTS;
	qp->qkey = 0x22222222;
	assert_int_equal(post(qp, &wr), 0);
	check_ctrl(qp, 0, control(0, 1, 2, 0), 64);
	wqe = (void *)BLOCK(qp, 0);
	assert_int_equal(wqe->dqpn_sgid, 0x123);
	assert_int_equal(wqe->qkey, 0x11111111);
	assert_memory_equal(wqe->dgid, address.grh.dgid.raw, 16);
	assert_int_equal(wqe->flow_tclass, 0x54321 | 0x68 << 20);
	assert_int_equal(wqe->hop_sl, 9 | 3 << 8);
	got = (void *)BLOCK(qp, 1);
	assert_int_equal(got->addr, 0x5000);
	assert_int_equal(got->length, 64);
	wr.wr.ud.remote_qkey = 0x80000000; /* the QP's own */
	assert_int_equal(post(qp, &wr), 0);
	assert_int_equal(((struct cairn_wqe_ud *)BLOCK(qp, 2))->qkey, 0x22222222);
	wr.opcode = IBV_WR_RDMA_WRITE;
	assert_int_equal(post(qp, &wr), EINVAL);
	assert_int_equal(ibv_destroy_ah(wr.wr.ud.ah), 0);
	wr.opcode = IBV_WR_SEND;
	wr.wr.ud.ah = NULL;
	assert_int_equal(post(qp, &wr), EINVAL);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
}

#define LONGEST 32768u

/* Indices count to 2^16 and doorbells to 2^15 at once: a full longest ring takes two. */
static void longest_ring(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_init_attr init = { .send_cq = b->cq,
					 .recv_cq = b->cq,
					 .cap = { LONGEST, 1, 1, 1, 0 },
					 .qp_type = IBV_QPT_RC };
	struct qp *qp = (struct qp *)ibv_create_qp(b->pd, &init);
	struct ibv_send_wr *wr = calloc(LONGEST, sizeof(*wr));
	unsigned int before;

	assert_non_null(qp);
	assert_int_equal(qp->cap.max_send_wr, LONGEST);
	assert_int_equal(post(qp, wr), EINVAL); /* in RESET */
	assert_int_equal(bench_to_rts(&qp->ibv), 0);
	for (unsigned int i = 0; i < LONGEST - 1; i++)
		wr[i].next = &wr[i + 1];
	before = fakes[0].doorbells;
	assert_int_equal(post(qp, wr), 0);
	assert_int_equal(fakes[0].doorbells, before + 2);
	assert_int_equal(post(qp, &wr[LONGEST - 1]), ENOMEM);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	free(wr);
}

/* One request more than there is room for, in one list; each names itself in its one element. */
static struct ibv_recv_wr *long_list(struct ibv_sge *sge)
{
	struct ibv_recv_wr *wr = calloc(LONGEST + 1, sizeof(*wr));

	assert_non_null(wr);
	for (unsigned int i = 0; i <= LONGEST; i++) {
		sge[i] = (struct ibv_sge){ 0x100000 + i, 1, i };
		wr[i] = (struct ibv_recv_wr){ .wr_id = i, .sg_list = &sge[i], .num_sge = 1 };
		wr[i].next = i < LONGEST ? &wr[i + 1] : NULL;
	}
	return wr;
}

/* A doorbell may be less than 2^15 ahead: there were two, the last one names them all. */
static void check_rung(unsigned int before, uint64_t db, unsigned int offset)
{
	assert_int_equal(fakes[0].doorbells, before + 2);
	assert_int_equal(fakes[0].last_db, db);
	assert_int_equal(fakes[0].last_db_offset % 4096, offset);
}

/*
 * The longest receive ring, full twice: over its end, and over that of the index.  Between, all is
 * consumed but for the last.
 */
static void longest_receive_ring(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_init_attr init = { .send_cq = b->cq,
					 .recv_cq = b->cq,
					 .cap = { 1, LONGEST, 1, 1, 0 },
					 .qp_type = IBV_QPT_RC };
	struct qp *qp = (struct qp *)ibv_create_qp(b->pd, &init);
	struct ibv_sge *sge = calloc(LONGEST + 1, sizeof(*sge));
	struct ibv_recv_wr *wr = long_list(sge), *bad;
	uint32_t pi = 0;

	assert_non_null(qp);
	assert_int_equal(qp->cap.max_recv_wr, LONGEST);
	assert_int_equal(bench_to_rts(&qp->ibv), 0);
	for (unsigned int lap = 0; lap < 4; lap++) {
		unsigned int before = fakes[0].doorbells, room = LONGEST - !!lap;

		assert_int_equal(ibv_post_recv(&qp->ibv, wr, &bad), ENOMEM);
		assert_ptr_equal(bad, &wr[room]); /* the rest is not lost */
		for (uint32_t i = 0; i < room; i += 1 + i / 7) {
			const struct cairn_sge *got = cairn_rq_entry(qp->hw, pi + i);

			assert_int_equal(got->addr, 0x100000 + i);
			assert_int_equal(qp->rq[(pi + i) & (LONGEST - 1)], i);
		}
		pi += room;
		check_rung(before, doorbell_of(qp, pi), CAIRN_DB_RQ);
		assert_int_equal(ibv_post_recv(&qp->ibv, wr, &bad), ENOMEM);
		assert_ptr_equal(bad, wr);
		assert_int_equal(fakes[0].doorbells, before + 2); /* none for nothing */
		atomic_store(&qp->rq_tail, pi - 1);
	}
	assert_true(pi > 0x10000);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	free(wr);
	free(sge);
}

/* The same of a shared one: its slots come back in any order, each is given to the device once. */
static void longest_shared_ring(void **state)
{
	struct bench *b = *state;
	struct ibv_srq_init_attr init = { .attr = { LONGEST, 1, 0 } };
	struct srq *srq = (struct srq *)ibv_create_srq(b->pd, &init);
	struct ibv_sge *sge = calloc(LONGEST + 1, sizeof(*sge));
	struct ibv_recv_wr *wr = long_list(sge), *bad;
	bool *given = calloc(LONGEST, sizeof(*given)); /* slots that the device has */
	uint32_t pi = 0;

	assert_non_null(srq);
	assert_int_equal(init.attr.max_wr, LONGEST);
	for (unsigned int lap = 0; lap < 4; lap++) {
		unsigned int before = fakes[0].doorbells, room = LONGEST - !!lap;

		assert_int_equal(ibv_post_srq_recv(&srq->ibv, wr, &bad), ENOMEM);
		assert_ptr_equal(bad, &wr[room]);
		for (uint32_t i = 0; i < room; i++) {
			uint32_t slot = srq->hw->ring[(pi + i) & (LONGEST - 1)];

			assert_true(slot < LONGEST && !given[slot]);
			given[slot] = true;
			assert_int_equal(srq->wr_id[slot], i);
		}
		pi += room;
		check_rung(before, cairn_db_word(srq->hw->srqn, pi), CAIRN_DB_SRQ);
		for (uint32_t i = 0; i + 1 < LONGEST; i++) {
			/* 5 has no divisor in common with their number; the last one stays */
			uint32_t at = pi - LONGEST + (5 * i) % (LONGEST - 1);
			uint32_t slot = srq->hw->ring[at & (LONGEST - 1)];

			assert_int_equal(srq_complete(srq, slot), srq->wr_id[slot]);
			given[slot] = false;
		}
	}
	assert_true(pi > 0x10000);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), 0);
	free(given);
	free(wr);
	free(sge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(each_operation),
		BENCH_TEST(atomics),
		BENCH_TEST(elements),
		BENCH_TEST(inline_data),
		BENCH_TEST(full_and_refused),
		BENCH_TEST(one_doorbell),
		BENCH_TEST(receives),
		BENCH_TEST(extended_calls),
		BENCH_TEST(longest_ring),
		BENCH_TEST(datagrams),
		BENCH_TEST(longest_receive_ring),
		BENCH_TEST(longest_shared_ring),
	};

	return cmocka_run_group_tests_name("test_wr", tests, NULL, NULL);
}
