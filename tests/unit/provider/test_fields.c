// SPDX-License-Identifier: Apache-2.0
/*
 * Each field of a completion, as ibv_poll_cq(3) and ibv_wc_read_*() give it: of a datagram in every
 * kind of frame, of a receive of a connected QP, of a send, of an error.
 */
#include <endian.h>

#include "provider_test.h"

/* Everything a receive can carry but what the case adds. */
static struct cairn_cqe receive_cqe(const struct qp *qp, uint32_t op, uint32_t index,
				    uint32_t flags)
{
	return (struct cairn_cqe){
		.qpn_op = qp->ibv.qp_num | (uint32_t)CAIRN_PUT(CAIRN_CQE_QPN_OP_OPCODE, op),
		.wqe = (uint32_t)CAIRN_PUT(CAIRN_CQE_WQE_INDEX, index) | flags,
		.byte_len = 1234,
		.timestamp = 987654321,
	};
}

static void post_receive(struct qp *qp, uint64_t wr_id)
{
	struct ibv_recv_wr wr = { .wr_id = wr_id }, *bad;

	assert_int_equal(ibv_post_recv(&qp->ibv, &wr, &bad), 0);
}

/* The same completion through both interfaces: the plain CQ of the bench, and one more. */
struct both {
	struct bench *plain, ex;
	struct ibv_cq_ex *cq;
};

static struct both begin(struct bench *b)
{
	struct ibv_cq_init_attr_ex init = {
		.cqe = 10, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP
	};
	struct both both = { .plain = b, .ex = *b, .cq = ibv_create_cq_ex(b->ctx, &init) };

	assert_non_null(both.cq);
	both.ex.cq = ibv_cq_ex_to_cq(both.cq);
	both.ex.pi = 0;
	both.ex.qp = bench_qp(&both.ex, NULL);
	assert_non_null(both.ex.qp);
	return both;
}

static void end(struct both *both)
{
	assert_int_equal(ibv_destroy_qp(&both->ex.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(both->ex.cq), 0);
}

static void same(struct both *both, const struct ibv_wc *wc, uint64_t timestamp)
{
	struct ibv_poll_cq_attr poll = { 0 };
	struct ibv_cq_ex *cq = both->cq;

	assert_int_equal(ibv_start_poll(cq, &poll), 0);
	assert_int_equal(cq->wr_id, wc->wr_id);
	assert_int_equal(cq->status, wc->status);
	assert_int_equal(ibv_wc_read_vendor_err(cq), wc->vendor_err);
	assert_int_equal(ibv_wc_read_opcode(cq), wc->opcode);
	assert_int_equal(ibv_wc_read_byte_len(cq), wc->byte_len);
	assert_int_equal(ibv_wc_read_imm_data(cq), wc->imm_data);
	assert_int_equal(ibv_wc_read_invalidated_rkey(cq), wc->invalidated_rkey);
	assert_int_equal(ibv_wc_read_qp_num(cq), both->ex.qp->ibv.qp_num);
	assert_int_equal(ibv_wc_read_src_qp(cq), wc->src_qp);
	assert_int_equal(ibv_wc_read_wc_flags(cq), wc->wc_flags);
	assert_int_equal(ibv_wc_read_slid(cq), wc->slid);
	assert_int_equal(ibv_wc_read_sl(cq), wc->sl);
	assert_int_equal(ibv_wc_read_dlid_path_bits(cq), wc->dlid_path_bits);
	assert_int_equal(ibv_wc_read_completion_ts(cq), timestamp);
	ibv_end_poll(cq);
}

/* Both complete with that; what the plain one gives. */
static struct ibv_wc complete(struct both *both, struct cairn_cqe cqe)
{
	struct ibv_wc wc;

	bench_cqe(both->plain, cqe);
	CAIRN_SET(cqe.qpn_op, CAIRN_CQE_QPN_OP_QPN, both->ex.qp->ibv.qp_num);
	bench_cqe(&both->ex, cqe);
	memset(&wc, 0xa5, sizeof(wc));
	assert_int_equal(ibv_poll_cq(both->plain->cq, 1, &wc), 1);
	assert_int_equal(wc.qp_num, both->plain->qp->ibv.qp_num);
	/* there are no LIDs, and no second P_Key */
	assert_int_equal(wc.slid, 0);
	assert_int_equal(wc.dlid_path_bits, 0);
	assert_int_equal(wc.pkey_index, 0);
	same(both, &wc, cqe.timestamp);
	return wc;
}

static void datagrams(void **state)
{
	static const struct {
		uint32_t frame;
		unsigned int sl;
	} cases[] = {
		{ 0, 2 }, /* IPv4, no tag: the kind of header, as mlx5 tells it */
		{ CAIRN_CQE_STATUS_IPV6, 1 },
		{ CAIRN_CQE_STATUS_TAGGED, 0 }, /* a tag: its priority */
		{ CAIRN_CQE_STATUS_TAGGED | CAIRN_CQE_STATUS_IPV6, 0 },
		{ CAIRN_CQE_STATUS_TAGGED | 5u << 8, 5 },
		{ CAIRN_CQE_STATUS_TAGGED | CAIRN_CQE_STATUS_IPV6 | 7u << 8, 7 },
	};
	struct both both = begin(*state);

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cairn_cqe cqe = receive_cqe(
			both.plain->qp, i & 1 ? CAIRN_CQE_OP_RECV_IMM : CAIRN_CQE_OP_RECV, i,
			CAIRN_CQE_WQE_GRH | (i & 1 ? CAIRN_CQE_WQE_IMM : 0));
		struct ibv_wc wc;

		post_receive(both.plain->qp, 70 + i);
		post_receive(both.ex.qp, 70 + i);
		cqe.status = cases[i].frame;
		cqe.src = 0xabcde;
		cqe.imm = i & 1 ? htobe32(0x1234) : 0;
		wc = complete(&both, cqe);
		assert_int_equal(wc.wr_id, 70 + i);
		assert_int_equal(wc.status, IBV_WC_SUCCESS);
		assert_int_equal(wc.opcode, IBV_WC_RECV);
		assert_int_equal(wc.byte_len, 1234); /* header area included */
		assert_int_equal(wc.src_qp, 0xabcde);
		assert_int_equal(wc.sl, cases[i].sl);
		assert_int_equal(wc.wc_flags, IBV_WC_GRH | (i & 1 ? IBV_WC_WITH_IMM : 0));
		assert_int_equal(wc.imm_data, cqe.imm);
		assert_int_equal(wc.vendor_err, 0);
	}
	end(&both);
}

static void connected(void **state)
{
	static const struct {
		uint32_t op, flags, imm;
		enum ibv_wc_opcode opcode;
		unsigned int wc_flags;
	} cases[] = {
		{ CAIRN_CQE_OP_RECV, CAIRN_CQE_WQE_SOLICITED, 0, IBV_WC_RECV, 0 },
		{ CAIRN_CQE_OP_RECV_IMM, CAIRN_CQE_WQE_IMM, 0x11223344, IBV_WC_RECV,
		  IBV_WC_WITH_IMM },
		{ CAIRN_CQE_OP_RECV_INV, CAIRN_CQE_WQE_INV, 0x55667788, IBV_WC_RECV,
		  IBV_WC_WITH_INV },
		{ CAIRN_CQE_OP_RECV_WRITE_IMM, CAIRN_CQE_WQE_IMM, 0x99aabbcc,
		  IBV_WC_RECV_RDMA_WITH_IMM, IBV_WC_WITH_IMM },
	};
	struct both both = begin(*state);

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cairn_cqe cqe = receive_cqe(both.plain->qp, cases[i].op, i, cases[i].flags);
		struct ibv_wc wc;

		post_receive(both.plain->qp, 80 + i);
		post_receive(both.ex.qp, 80 + i);
		cqe.imm = cases[i].imm;
		wc = complete(&both, cqe);
		assert_int_equal(wc.wr_id, 80 + i);
		assert_int_equal(wc.opcode, cases[i].opcode);
		assert_int_equal(wc.wc_flags, cases[i].wc_flags);
		assert_int_equal(wc.imm_data, cases[i].imm);
		assert_int_equal(wc.invalidated_rkey, cases[i].imm);
		assert_int_equal(wc.sl, 0); /* only a datagram has one */
		assert_int_equal(wc.src_qp, 0);
	}
	end(&both);
}

static void failed(void **state)
{
	struct both both = begin(*state);
	struct cairn_cqe cqe = receive_cqe(both.plain->qp, CAIRN_CQE_OP_RECV, 0, 0);
	struct ibv_wc wc;

	post_receive(both.plain->qp, 90);
	post_receive(both.ex.qp, 90);
	cqe.byte_len = 0;
	cqe.status = IBV_WC_LOC_LEN_ERR;
	cqe.src = (uint32_t)CAIRN_PUT(CAIRN_CQE_SRC_VENDOR_ERR, CAIRN_VENDOR_ERR_RQ_LENGTH);
	wc = complete(&both, cqe);
	/* with an error only these mean something: ibv_poll_cq(3) */
	assert_int_equal(wc.wr_id, 90);
	assert_int_equal(wc.status, IBV_WC_LOC_LEN_ERR);
	assert_int_equal(wc.vendor_err, CAIRN_VENDOR_ERR_RQ_LENGTH);
	end(&both);
}

/* An answer to a datagram carries its service level, whatever that says. */
static void service_level_goes_back(void **state)
{
	struct bench *b = *state;
	struct ibv_wc wc = { .wc_flags = IBV_WC_GRH };
	struct ibv_grh grh = { .version_tclass_flow = htobe32(6u << 28),
			       .next_hdr = 17,
			       .hop_limit = 64 };
	struct ibv_ah_attr attr;

	assert_int_equal(ibv_query_gid(b->ctx, PORT, 0, &grh.dgid), 0);
	grh.sgid = grh.dgid;
	grh.sgid.raw[15] ^= 9;
	for (wc.sl = 0; wc.sl < 8; wc.sl++) {
		struct ibv_ah *ah = ibv_create_ah_from_wc(b->pd, &wc, &grh, PORT);

		assert_non_null(ah);
		assert_int_equal(ibv_init_ah_from_wc(b->ctx, PORT, &wc, &grh, &attr), 0);
		assert_int_equal(attr.sl, wc.sl);
		assert_int_equal(ibv_destroy_ah(ah), 0);
	}
}

/* What a CQE does not hold cannot be asked for, alone or beside what it holds. */
static void not_in_a_completion(void **state)
{
	static const uint64_t flags[] = { IBV_WC_EX_WITH_CVLAN, IBV_WC_EX_WITH_FLOW_TAG,
					  IBV_WC_EX_WITH_TM_INFO };
	struct bench *b = *state;

	for (unsigned int i = 0; i < 6; i++) {
		struct ibv_cq_init_attr_ex init = {
			.cqe = 10, .wc_flags = flags[i / 2] | (i & 1 ? IBV_WC_STANDARD_FLAGS : 0)
		};

		errno = 0;
		assert_null(ibv_create_cq_ex(b->ctx, &init));
		assert_int_equal(errno, EOPNOTSUPP);
	}
}

/* Each flag alone makes a CQ. */
static void each_flag(void **state)
{
	struct bench *b = *state;

	for (uint64_t flag = 1; flag <= IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK; flag <<= 1) {
		struct ibv_cq_init_attr_ex init = { .cqe = 1, .wc_flags = flag };
		struct ibv_cq_ex *cq = ibv_create_cq_ex(b->ctx, &init);
		bool refused = flag & (IBV_WC_EX_WITH_CVLAN | IBV_WC_EX_WITH_FLOW_TAG |
				       IBV_WC_EX_WITH_TM_INFO);

		assert_int_equal(!cq, refused);
		if (cq)
			assert_int_equal(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(datagrams),
		BENCH_TEST(connected),
		BENCH_TEST(failed),
		BENCH_TEST(each_flag),
		BENCH_TEST(service_level_goes_back),
		BENCH_TEST(not_in_a_completion),
	};

	return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
