// SPDX-License-Identifier: Apache-2.0
/* Requests at their limits and over them: the largest WQEs of each transport, the same WQE from
 * both send APIs, and each refusal with its errno, its bad_wr and nothing left in the ring. */
#include <endian.h>

#include "provider_test.h"
#include "rng.h"

#define EX_ALL                                                                               \
	(IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_WRITE |    \
	 IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ |                     \
	 IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD |           \
	 IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_SEND_WITH_INV)
#define EX_UC                                                                             \
	(IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_WRITE | \
	 IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)
#define EX_UD (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM)

static uint64_t possible(enum ibv_qp_type type)
{
	return type == IBV_QPT_RC ? EX_ALL : type == IBV_QPT_UC ? EX_UC : EX_UD;
}

/* Of that type with everything at its largest, sending. */
static struct qp *large_qp(struct bench *b, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = b->cq,
		.recv_cq = b->cq,
		.cap = { 16, 1, CAIRN_MAX_SGE, 1, CAIRN_MAX_INLINE },
		.qp_type = type,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = b->pd,
		.send_ops_flags = possible(type),
	};
	struct qp *qp = (struct qp *)ibv_create_qp_ex(b->ctx, &init);

	assert_non_null(qp);
	assert_int_equal(qp->cap.max_send_sge, CAIRN_MAX_SGE);
	assert_int_equal(qp->cap.max_inline_data, CAIRN_MAX_INLINE);
	qp->hw->state = CAIRN_QP_STATE_RTS;
	return qp;
}

static struct ibv_ah *make_ah(struct bench *b, struct ibv_pd *pd)
{
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = PORT };

	(void)b;
	attr.grh.dgid.raw[0] = 0xfe;
	attr.grh.dgid.raw[15] = 5;
	return ibv_create_ah(pd, &attr);
}

static const uint8_t *byte_of(const struct qp *qp, uint32_t block, uint32_t offset)
{
	return (const uint8_t *)cairn_sq_block(qp->hw, block + offset / 64) + offset % 64;
}

/* Elements and inline bytes of every count, from every block of the ring. */
static void largest(struct bench *b, enum ibv_qp_type type)
{
	struct qp *qp = large_qp(b, type);
	struct ibv_ah *ah = type == IBV_QPT_UD ? make_ah(b, b->pd) : NULL;
	uint32_t first = ah ? 64 : 32; /* where the payload begins */
	struct rng rng = { .state = test_seed() };
	uint8_t data[CAIRN_MAX_INLINE];
	struct ibv_sge sge[CAIRN_MAX_SGE];
	struct ibv_send_wr wr = { .sg_list = sge, .opcode = IBV_WR_SEND, .wr.ud = { ah, 5, 6 } };
	struct ibv_send_wr *bad;

	for (unsigned int i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)rng_u64(&rng);
	for (unsigned int lap = 0; lap < 1000; lap++) {
		uint32_t at = qp->hw->sq_pi, n = lap % (CAIRN_MAX_SGE + 1), bytes = n * 16;
		const struct cairn_wqe *wqe = cairn_sq_block(qp->hw, at);
		bool inlined = lap & 1;

		if (inlined) {
			n = 1;
			bytes = lap % (CAIRN_MAX_INLINE + 1);
			sge[0] = (struct ibv_sge){ (uintptr_t)data, bytes, 0 };
		} else {
			for (uint32_t i = 0; i < n; i++)
				sge[i] = (struct ibv_sge){ lap + i, i, lap };
		}
		wr.num_sge = (int)n;
		wr.send_flags = inlined ? IBV_SEND_INLINE | IBV_SEND_SOLICITED : 0;
		assert_int_equal(ibv_post_send(&qp->ibv, &wr, &bad), 0);
		assert_int_equal(CAIRN_GET(wqe->ctrl, CAIRN_WQE_CTRL_BLOCKS),
				 (first + bytes + 63) / 64);
		assert_int_equal(qp->hw->sq_pi - at, (first + bytes + 63) / 64);
		assert_int_equal(CAIRN_GET(wqe->ctrl, CAIRN_WQE_CTRL_NUM_SGE), inlined ? 0 : n);
		assert_int_equal(!!(wqe->ctrl & CAIRN_WQE_CTRL_INLINE), inlined);
		assert_int_equal(!!(wqe->ctrl & CAIRN_WQE_CTRL_SOLICITED), inlined);
		assert_int_equal(wqe->length, inlined ? bytes : n ? n * (n - 1) / 2 : 0);
		for (uint32_t i = 0; inlined && i < bytes; i++)
			assert_int_equal(*byte_of(qp, at, first + i), data[i]);
		for (uint32_t i = 0; !inlined && i < n; i++) {
			const struct cairn_sge *got = (void *)byte_of(qp, at, first + 16 * i);

			assert_int_equal(got->addr, lap + i);
			assert_int_equal(got->length, i);
		}
		atomic_store(&qp->sq_tail, qp->hw->sq_pi);
	}
	if (ah)
		assert_int_equal(ibv_destroy_ah(ah), 0);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
}

static void largest_rc(void **state)
{
	largest(*state, IBV_QPT_RC);
}

static void largest_uc(void **state)
{
	largest(*state, IBV_QPT_UC);
}

static void largest_ud(void **state)
{
	largest(*state, IBV_QPT_UD);
}

/* ---------------------------------------------------------------- both APIs */

struct subject {
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	struct ibv_ah *ah;
};

static void by_wr(struct ibv_qp_ex *ex, const struct subject *s, enum ibv_wr_opcode op)
{
	struct ibv_mw_bind_info info = { s->mr, (uintptr_t)s->mr->addr, 64, 4 };

	switch (op) {
	case IBV_WR_SEND:
		ibv_wr_send(ex);
		break;
	case IBV_WR_SEND_WITH_IMM:
		ibv_wr_send_imm(ex, htobe32(7));
		break;
	case IBV_WR_SEND_WITH_INV:
		ibv_wr_send_inv(ex, 0x777);
		break;
	case IBV_WR_RDMA_WRITE:
		ibv_wr_rdma_write(ex, 0x99, 0x4000);
		break;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		ibv_wr_rdma_write_imm(ex, 0x99, 0x4000, htobe32(7));
		break;
	case IBV_WR_RDMA_READ:
		ibv_wr_rdma_read(ex, 0x99, 0x4000);
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		ibv_wr_atomic_cmp_swp(ex, 0x99, 0x4000, 11, 22);
		break;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		ibv_wr_atomic_fetch_add(ex, 0x99, 0x4000, 11);
		break;
	case IBV_WR_LOCAL_INV:
		ibv_wr_local_inv(ex, 0x777);
		return;
	default:
		ibv_wr_bind_mw(ex, s->mw, ibv_inc_rkey(s->mw->rkey), &info);
		return;
	}
	ibv_wr_set_sge(ex, 3, 0x8000, 8);
	if (s->ah)
		ibv_wr_set_ud_addr(ex, s->ah, 0x123, 0x456);
}

static int by_post(struct ibv_qp *qp, const struct subject *s, enum ibv_wr_opcode op)
{
	struct ibv_sge sge = { 0x8000, 8, 3 };
	struct ibv_send_wr wr = { .sg_list = &sge,
				  .num_sge = 1,
				  .opcode = op,
				  .send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE };
	struct ibv_send_wr *bad = NULL;
	int err;

	if (op == IBV_WR_SEND_WITH_INV || op == IBV_WR_LOCAL_INV)
		wr.invalidate_rkey = 0x777;
	else if (op == IBV_WR_SEND_WITH_IMM || op == IBV_WR_RDMA_WRITE_WITH_IMM)
		wr.imm_data = htobe32(7);
	if (op == IBV_WR_BIND_MW) {
		wr.bind_mw.mw = s->mw;
		wr.bind_mw.rkey = ibv_inc_rkey(s->mw->rkey);
		wr.bind_mw.bind_info = (struct ibv_mw_bind_info){
			s->mr, (uintptr_t)s->mr->addr, 64, IBV_ACCESS_REMOTE_READ
		};
	} else if (s->ah) {
		wr.wr.ud.ah = s->ah;
		wr.wr.ud.remote_qpn = 0x123;
		wr.wr.ud.remote_qkey = 0x456;
	} else if (op == IBV_WR_ATOMIC_CMP_AND_SWP || op == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = 0x4000;
		wr.wr.atomic.rkey = 0x99;
		wr.wr.atomic.compare_add = 11;
		wr.wr.atomic.swap = 22;
	} else if (op != IBV_WR_SEND && op != IBV_WR_SEND_WITH_IMM && op != IBV_WR_SEND_WITH_INV) {
		wr.wr.rdma.remote_addr = 0x4000;
		wr.wr.rdma.rkey = 0x99;
	}
	err = ibv_post_send(qp, &wr, &bad);
	if (err)
		assert_ptr_equal(bad, &wr);
	return err;
}

/* Every operation over every transport: the same WQE both ways, or refused both ways. */
static void same_both_ways(void **state)
{
	static const struct {
		enum ibv_wr_opcode op;
		uint64_t flag;
	} ops[] = {
		{ IBV_WR_SEND, IBV_QP_EX_WITH_SEND },
		{ IBV_WR_SEND_WITH_IMM, IBV_QP_EX_WITH_SEND_WITH_IMM },
		{ IBV_WR_SEND_WITH_INV, IBV_QP_EX_WITH_SEND_WITH_INV },
		{ IBV_WR_RDMA_WRITE, IBV_QP_EX_WITH_RDMA_WRITE },
		{ IBV_WR_RDMA_WRITE_WITH_IMM, IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM },
		{ IBV_WR_RDMA_READ, IBV_QP_EX_WITH_RDMA_READ },
		{ IBV_WR_ATOMIC_CMP_AND_SWP, IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP },
		{ IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD },
		{ IBV_WR_LOCAL_INV, IBV_QP_EX_WITH_LOCAL_INV },
		{ IBV_WR_BIND_MW, IBV_QP_EX_WITH_BIND_MW },
	};
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	struct bench *b = *state;
	static uint8_t area[64];
	struct subject s = { .mr = ibv_reg_mr(b->pd, area, sizeof(area), IBV_ACCESS_MW_BIND),
			     .mw = ibv_alloc_mw(b->pd, IBV_MW_TYPE_2) };

	for (unsigned int t = 0; t < 3; t++) {
		struct qp *qp = large_qp(b, types[t]);
		struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(&qp->ibv);

		s.ah = types[t] == IBV_QPT_UD ? make_ah(b, b->pd) : NULL;
		for (unsigned int i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
			bool can = possible(types[t]) & ops[i].flag;
			uint32_t at = qp->hw->sq_pi, blocks = s.ah ? 2 : 1;
			struct cairn_wqe first[2], second[2];

			assert_int_equal(by_post(&qp->ibv, &s, ops[i].op), can ? 0 : EINVAL);
			ibv_wr_start(ex);
			ex->wr_id = 0;
			ex->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE;
			by_wr(ex, &s, ops[i].op);
			assert_int_equal(ibv_wr_complete(ex), can ? 0 : EINVAL);
			assert_int_equal(qp->hw->sq_pi - at, can ? 2 * blocks : 0);
			for (uint32_t k = 0; can && k < blocks; k++) {
				first[k] = *cairn_sq_block(qp->hw, at + k);
				second[k] = *cairn_sq_block(qp->hw, at + blocks + k);
			}
			first[0].check = second[0].check = 0;
			if (can && blocks == 2)
				/* one element; behind it stands what stood there */
				memcpy((uint8_t *)&first[1] + 16, (uint8_t *)&second[1] + 16, 48);
			else if (can && ops[i].op < IBV_WR_ATOMIC_CMP_AND_SWP)
				memcpy(&first[0].sge1_addr, &second[0].sge1_addr, 16);
			if (can)
				assert_memory_equal(first, second, 64 * blocks);
			atomic_store(&qp->sq_tail, qp->hw->sq_pi);
		}
		if (s.ah)
			assert_int_equal(ibv_destroy_ah(s.ah), 0);
		assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	}
	assert_int_equal(ibv_dealloc_mw(s.mw), 0);
	assert_int_equal(ibv_dereg_mr(s.mr), 0);
}

/* ---------------------------------------------------------------- refusals */

static void refuse(struct qp *qp, struct ibv_send_wr wr)
{
	struct ibv_sge good = { 0, 1, 1 };
	struct ibv_send_wr first = { .sg_list = &good, .num_sge = 1, .next = &wr }, *bad = NULL;
	uint32_t at = qp->hw->sq_pi;

	if (qp->ud)
		first.wr.ud = wr.wr.ud;
	if (qp->ud && !wr.wr.ud.ah) {
		assert_int_equal(ibv_post_send(&qp->ibv, &wr, &bad), EINVAL);
		assert_ptr_equal(bad, &wr);
		assert_int_equal(qp->hw->sq_pi, at);
		return;
	}
	assert_int_equal(ibv_post_send(&qp->ibv, &first, &bad), EINVAL);
	if (bad == &first) /* its address is no better */
		at -= qp->ud ? 2 : 1;
	else
		assert_ptr_equal(bad, &wr);
	assert_int_equal(qp->hw->sq_pi, at + (qp->ud ? 2 : 1));
	atomic_store(&qp->sq_tail, qp->hw->sq_pi);
}

static void refusals(void **state)
{
	struct bench *b = *state;
	struct qp *qp = large_qp(b, IBV_QPT_RC);
	static uint8_t data[CAIRN_MAX_INLINE + 1];
	struct ibv_sge sge[CAIRN_MAX_SGE + 1] = { { (uintptr_t)data, 8, 1 },
						  { (uintptr_t)data, 8, 1 } };
	struct ibv_send_wr wr = { .sg_list = sge, .num_sge = CAIRN_MAX_SGE + 1 };

	refuse(qp, wr);
	wr.num_sge = -1;
	refuse(qp, wr);
	wr.num_sge = 1;
	wr.send_flags = IBV_SEND_IP_CSUM;
	refuse(qp, wr);
	wr.send_flags = 1 << 20;
	refuse(qp, wr);
	wr.send_flags = 0;
	wr.opcode = IBV_WR_TSO;
	refuse(qp, wr);
	wr.opcode = (enum ibv_wr_opcode)1000;
	refuse(qp, wr);
	wr.send_flags = IBV_SEND_INLINE;
	sge[0].length = sizeof(data);
	wr.opcode = IBV_WR_SEND;
	refuse(qp, wr);
	sge[0].length = 8;
	wr.opcode = IBV_WR_RDMA_READ;
	refuse(qp, wr);
	wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
	refuse(qp, wr);
	wr.send_flags = 0;
	wr.num_sge = 2;
	refuse(qp, wr);
	wr.num_sge = 0;
	refuse(qp, wr);
	wr.num_sge = 1;
	sge[0].length = 4;
	refuse(qp, wr);
	wr.opcode = IBV_WR_RDMA_WRITE; /* over 2^31 bytes in all */
	sge[0].length = sge[1].length = 0x60000000;
	wr.num_sge = 2;
	refuse(qp, wr);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
}

static void refused_addresses(void **state)
{
	struct bench *b = *state;
	struct qp *qp = large_qp(b, IBV_QPT_UD);
	struct ibv_pd *other = ibv_alloc_pd(b->ctx);
	struct ibv_sge sge = { 0, 8, 1 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 };
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(&qp->ibv);

	refuse(qp, wr); /* no AH */
	wr.wr.ud.ah = make_ah(b, other);
	refuse(qp, wr); /* another PD's */
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_set_sge(ex, 1, 2, 3);
	assert_int_equal(ibv_wr_complete(ex), EINVAL); /* no address at all */
	assert_int_equal(qp->hw->sq_pi, 0);
	assert_int_equal(ibv_destroy_ah(wr.wr.ud.ah), 0);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	qp = large_qp(b, IBV_QPT_RC);
	ex = ibv_qp_to_qp_ex(&qp->ibv);
	wr.wr.ud.ah = make_ah(b, b->pd);
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, wr.wr.ud.ah, 1, 2); /* connected */
	assert_int_equal(ibv_wr_complete(ex), EINVAL);
	assert_int_equal(ibv_destroy_ah(wr.wr.ud.ah), 0);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	assert_int_equal(ibv_dealloc_pd(other), 0);
}

static void refused_binds(void **state)
{
	struct bench *b = *state;
	static uint8_t area[64];
	struct ibv_pd *other = ibv_alloc_pd(b->ctx);
	struct ibv_mr *mr = ibv_reg_mr(b->pd, area, sizeof(area), IBV_ACCESS_MW_BIND);
	struct ibv_mr *foreign = ibv_reg_mr(other, area, sizeof(area), IBV_ACCESS_MW_BIND);
	struct ibv_mw *mw = ibv_alloc_mw(b->pd, IBV_MW_TYPE_2);
	struct ibv_mw *type1 = ibv_alloc_mw(b->pd, IBV_MW_TYPE_1);
	struct ibv_mw *elsewhere = ibv_alloc_mw(other, IBV_MW_TYPE_2);
	struct qp *qp = large_qp(b, IBV_QPT_RC);
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(&qp->ibv);
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW };
	struct ibv_mw_bind bind = { .bind_info = { foreign, 0, 8, 0 } };

	refuse(qp, wr); /* no window */
	wr.bind_mw.mw = type1;
	refuse(qp, wr);
	wr.bind_mw.mw = elsewhere;
	wr.bind_mw.rkey = elsewhere->rkey;
	refuse(qp, wr);
	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = mw->rkey ^ 0x100; /* another index */
	refuse(qp, wr);
	wr.bind_mw.rkey = mw->rkey + (mw->rkey & 0xff ? -1 : 1);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){ NULL, 0, 8, 0 };
	refuse(qp, wr);
	wr.bind_mw.bind_info.mr = foreign;
	refuse(qp, wr);
	assert_int_equal(ibv_bind_mw(&qp->ibv, mw, &bind), EINVAL);
	assert_int_equal(ibv_bind_mw(&qp->ibv, type1, &bind), EPERM);
	ibv_wr_start(ex);
	ibv_wr_bind_mw(ex, type1, ibv_inc_rkey(type1->rkey), &bind.bind_info);
	assert_int_equal(ibv_wr_complete(ex), EINVAL);
	/* No data goes with it. */
	bind.bind_info.mr = mr;
	ibv_wr_start(ex);
	ex->wr_flags = 0;
	ibv_wr_bind_mw(ex, mw, ibv_inc_rkey(mw->rkey), &bind.bind_info);
	ibv_wr_set_sge(ex, 1, 2, 3);
	assert_int_equal(ibv_wr_complete(ex), EINVAL);
	ibv_wr_start(ex);
	ibv_wr_local_inv(ex, 1);
	ibv_wr_set_inline_data(ex, area, 1);
	assert_int_equal(ibv_wr_complete(ex), EINVAL);
	ibv_wr_start(ex); /* inline bytes, then an element */
	ibv_wr_send(ex);
	ibv_wr_set_inline_data(ex, area, 1);
	ibv_wr_set_sge(ex, 1, 2, 3);
	assert_int_equal(ibv_wr_complete(ex), EINVAL);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	assert_int_equal(ibv_dealloc_mw(mw) | ibv_dealloc_mw(type1) | ibv_dealloc_mw(elsewhere), 0);
	assert_int_equal(ibv_dereg_mr(mr) | ibv_dereg_mr(foreign), 0);
	assert_int_equal(ibv_dealloc_pd(other), 0);
}

/* Who may post in which state: receives from INIT on, sends from RTS on, flushed ones too. */
static void states(void **state)
{
	struct bench *b = *state;
	struct qp *qp = large_qp(b, IBV_QPT_RC);
	struct ibv_sge sge = { 0, 8, 1 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_recv_wr recv = { 0 }, *bad_recv;

	for (uint32_t s = CAIRN_QP_STATE_RESET; s <= CAIRN_QP_STATE_ERR; s++) {
		qp->hw->state = s;
		assert_int_equal(ibv_post_send(&qp->ibv, &wr, &bad),
				 s < CAIRN_QP_STATE_RTS ? EINVAL : 0);
		assert_int_equal(ibv_post_recv(&qp->ibv, &recv, &bad_recv),
				 s == CAIRN_QP_STATE_RESET ? EINVAL : 0);
		atomic_store(&qp->rq_tail, qp->hw->rq_pi);
	}
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(largest_rc),	  BENCH_TEST(largest_uc),     BENCH_TEST(largest_ud),
		BENCH_TEST(same_both_ways), BENCH_TEST(refusals),     BENCH_TEST(refused_addresses),
		BENCH_TEST(refused_binds),  BENCH_TEST(states),
	};

	return cmocka_run_group_tests_name("test_requests", tests, NULL, NULL);
}
