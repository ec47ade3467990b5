// SPDX-License-Identifier: Apache-2.0
/*
 * What counts only under a condition is not looked at without it: receive limits beside an SRQ,
 * attributes that are not in a mask, fields of an extended structure that its comp_mask does not
 * name.  And it is looked at with it.
 */
#include "provider_test.h"

static struct ibv_qp *make(struct bench *b, enum ibv_qp_type type, struct ibv_srq *srq,
			   struct ibv_qp_cap *cap)
{
	struct ibv_qp_init_attr init = {
		.send_cq = b->cq, .recv_cq = b->cq, .srq = srq, .cap = *cap, .qp_type = type
	};
	struct ibv_qp *qp = ibv_create_qp(b->pd, &init);

	*cap = init.cap;
	return qp;
}

/* ibv_create_qp(3): "max_recv_wr and max_recv_sge are ignored if the QP is associated with an
 * SRQ". */
static void receives_beside_an_srq(void **state)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UD };
	struct bench *b = *state;
	const struct cairn_dev_caps *caps = &to_context(b->ctx)->nic->caps;
	const struct ibv_qp_cap asked[] = {
		{ 4, caps->max_qp_wr + 1, 2, 1, 0 },
		{ 4, 1, 2, caps->max_sge + 1, 0 },
		{ 4, UINT32_MAX, 2, UINT32_MAX, 0 },
		{ 4, 0, 2, 0, 0 },
	};
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_srq *srq = ibv_create_srq(b->pd, &init);

	assert_non_null(srq);
	for (unsigned int i = 0; i < 8; i++) {
		struct ibv_qp_cap cap = asked[i / 2], plain = cap;
		struct ibv_qp *qp = make(b, types[i & 1], srq, &cap);

		assert_non_null(qp);
		assert_int_equal(cap.max_recv_wr, 0);
		assert_int_equal(cap.max_recv_sge, 0);
		assert_in_range(cap.max_send_wr, 4, 64);
		assert_int_equal(ibv_destroy_qp(qp), 0);
		/* without one they count */
		if (i / 2 < 3) {
			assert_null(make(b, types[i & 1], NULL, &plain));
			assert_int_equal(errno, EINVAL);
		}
	}
	/* those of sends count beside one too */
	for (unsigned int i = 0; i < 3; i++) {
		struct ibv_qp_cap cap = { i == 0 ? caps->max_qp_wr + 1 : 4, 0,
					  i == 1 ? caps->max_sge + 1 : 1, 0,
					  i == 2 ? caps->max_inline + 1 : 0 };

		assert_null(make(b, IBV_QPT_RC, srq, &cap));
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(ibv_destroy_srq(srq), 0);
}

/* The largest of each that the device promises, alone, in both kinds of QP. */
static void limits_promised(void **state)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	struct bench *b = *state;
	const struct cairn_dev_caps *caps = &to_context(b->ctx)->nic->caps;

	for (unsigned int i = 0; i < 3; i++) {
		struct ibv_qp_cap cap[] = {
			{ 1, caps->max_qp_wr, 1, 1, 0 },
			{ 1, 1, caps->max_sge, caps->max_sge, 0 },
			{ 1, 1, 1, 1, caps->max_inline },
			{ 0, 0, 0, 0, 0 },
		};

		for (unsigned int k = 0; k < 4; k++) {
			struct ibv_qp_cap got = cap[k];
			struct ibv_qp *qp = make(b, types[i], NULL, &got);

			assert_non_null(qp);
			assert_true(got.max_send_wr >= cap[k].max_send_wr);
			assert_true(got.max_recv_wr >= cap[k].max_recv_wr);
			assert_true(got.max_send_sge >= cap[k].max_send_sge);
			assert_true(got.max_recv_sge >= cap[k].max_recv_sge);
			assert_true(got.max_inline_data >= cap[k].max_inline_data);
			assert_int_equal(ibv_destroy_qp(qp), 0);
		}
	}
}

/* Every move of a QP with all else in the structure set to something impossible. */
static void attributes_not_in_the_mask(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_cap cap = { 4, 4, 1, 1, 0 };
	struct ibv_qp *qp = make(b, IBV_QPT_UD, NULL, &cap);
	const struct fake_qp *fake = &fakes[0].qps[qp->qp_num];
	struct ibv_qp_attr attr;

	memset(&attr, 0xff, sizeof(attr));
	attr.qp_state = IBV_QPS_INIT;
	attr.pkey_index = 0;
	attr.port_num = PORT;
	attr.qkey = 5;
	assert_int_equal(ibv_modify_qp(qp, &attr,
				       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
					       IBV_QP_QKEY),
			 0);
	assert_int_equal(fake->attr.qkey, 5);
	memset(&attr, 0xff, sizeof(attr));
	attr.qp_state = IBV_QPS_RTR;
	assert_int_equal(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
	assert_int_equal(fake->mask, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	attr.sq_psn = 7;
	assert_int_equal(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
	/* no state in the mask: the state field is not looked at */
	memset(&attr, 0xff, sizeof(attr));
	attr.qkey = 6;
	assert_int_equal(ibv_modify_qp(qp, &attr, IBV_QP_QKEY), 0);
	assert_int_equal(qp->state, IBV_QPS_RTS);
	assert_int_equal(((struct qp *)qp)->qkey, 6);
	/* and one that is: refused */
	assert_int_equal(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EINVAL);
	assert_int_equal(qp->state, IBV_QPS_RTS);
	assert_int_equal(ibv_destroy_qp(qp), 0);
}

/* An address that is not global is no RoCE address, but only where the mask has one. */
static void address_not_in_the_mask(void **state)
{
	struct bench *b = *state;
	struct ibv_qp_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.min_rnr_timer = 3;
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_MIN_RNR_TIMER), 0);
	attr.qp_state = IBV_QPS_RTS;
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_STATE | IBV_QP_AV), EINVAL);
}

static void extended_structures(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex cq = { .cqe = 4, .flags = UINT32_MAX };
	struct ibv_qp_init_attr_ex qp;
	struct ibv_srq_init_attr_ex srq;
	struct ibv_modify_cq_attr moderate;
	struct ibv_cq_ex *made = ibv_create_cq_ex(b->ctx, &cq);
	struct ibv_srq *shared;
	struct ibv_qp *queue;

	assert_non_null(made); /* no mask: flags and parent domain are not looked at */
	assert_int_equal(ibv_destroy_cq(ibv_cq_ex_to_cq(made)), 0);
	memset(&qp, 0xff, sizeof(qp));
	qp.send_cq = qp.recv_cq = b->cq;
	qp.srq = NULL;
	qp.cap = (struct ibv_qp_cap){ 1, 1, 1, 1, 0 };
	qp.qp_type = IBV_QPT_UD;
	qp.sq_sig_all = 0;
	qp.comp_mask = IBV_QP_INIT_ATTR_PD;
	qp.pd = b->pd;
	queue = ibv_create_qp_ex(b->ctx, &qp);
	assert_non_null(queue);
	assert_null(ibv_qp_to_qp_ex(queue)); /* send operations were not in the mask */
	assert_int_equal(ibv_destroy_qp(queue), 0);
	memset(&srq, 0xff, sizeof(srq));
	srq.attr = (struct ibv_srq_attr){ .max_wr = 1, .max_sge = 1, .srq_limit = UINT32_MAX };
	srq.comp_mask = IBV_SRQ_INIT_ATTR_PD;
	srq.pd = b->pd;
	shared = ibv_create_srq_ex(b->ctx, &srq);
	assert_non_null(shared);
	srq.attr.max_wr = UINT32_MAX;
	srq.attr.srq_limit = 1;
	assert_int_equal(ibv_modify_srq(shared, &srq.attr, IBV_SRQ_LIMIT), 0);
	srq.attr.srq_limit = UINT32_MAX;
	assert_int_equal(ibv_modify_srq(shared, &srq.attr, 0), 0);
	assert_int_equal(ibv_modify_srq(shared, &srq.attr, IBV_SRQ_LIMIT), EINVAL);
	assert_int_equal(ibv_destroy_srq(shared), 0);
	memset(&moderate, 0xff, sizeof(moderate));
	moderate.attr_mask = 0;
	assert_int_equal(ibv_modify_cq(b->cq, &moderate), 0);
}

/* Of requests: what the operation does not have, is not read. */
static void fields_of_other_requests(void **state)
{
	struct bench *b = *state;
	struct ibv_send_wr wr, *bad;
	uint8_t bytes[8] = { 1 };
	struct ibv_sge sge = { (uintptr_t)bytes, 8, UINT32_MAX };

	memset(&wr, 0xff, sizeof(wr)); /* its address of a datagram, window, and keys are bad */
	wr.next = NULL;
	wr.sg_list = &sge;
	wr.num_sge = 1;
	wr.opcode = IBV_WR_SEND;
	wr.send_flags = IBV_SEND_INLINE; /* the key does not count */
	assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
	wr.sg_list = (void *)1;
	wr.num_sge = 0;
	wr.send_flags = 0;
	assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
	wr.opcode = IBV_WR_LOCAL_INV;
	wr.num_sge = INT32_MAX;
	assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
	wr.opcode = IBV_WR_SEND;
	assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(receives_beside_an_srq), BENCH_TEST(attributes_not_in_the_mask),
		BENCH_TEST(limits_promised),	    BENCH_TEST(address_not_in_the_mask),
		BENCH_TEST(extended_structures),    BENCH_TEST(fields_of_other_requests),
	};

	return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
