// SPDX-License-Identifier: Apache-2.0
/* Shared receive queues, address handles, windows, multicast, what can be done to a CQ, and the
 * refusals of each. */
#include <endian.h>
#include <netinet/ip.h>

#include "provider_test.h"

static struct ibv_qp *make_qp(struct bench *b, enum ibv_qp_type type, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = { .send_cq = b->cq,
					 .recv_cq = b->cq,
					 .srq = srq,
					 .cap = { 8, 8, 2, 2, 0 },
					 .qp_type = type };

	return ibv_create_qp(b->pd, &init);
}

static int post_shared(struct ibv_srq *srq, uint64_t wr_id, int sges)
{
	struct ibv_sge sge[17] = { { 0x1000, 10, 1 } };
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = sge, .num_sge = sges }, *bad = NULL;
	int err = ibv_post_srq_recv(srq, &wr, &bad);

	if (err)
		assert_ptr_equal(bad, &wr);
	return err;
}

static void shared_queues(void **state)
{
	struct bench *b = *state;
	struct ibv_srq_init_attr init = { .srq_context = b,
					  .attr = { .max_wr = 20, .max_sge = 3, .srq_limit = 4 } };
	struct ibv_srq *srq = ibv_create_srq(b->pd, &init);
	struct ibv_srq_attr attr;

	assert_non_null(srq);
	assert_ptr_equal(srq->srq_context, b);
	assert_in_range(init.attr.max_wr, 20, 64);
	assert_in_range(init.attr.max_sge, 3, 16);
	assert_int_equal(ibv_query_srq(srq, &attr), 0);
	assert_int_equal(attr.max_wr, init.attr.max_wr);
	assert_int_equal(attr.max_sge, init.attr.max_sge);
	assert_int_equal(attr.srq_limit, 0); /* at creation it means nothing */
	attr.srq_limit = init.attr.max_wr;
	assert_int_equal(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0);
	assert_int_equal(ibv_query_srq(srq, &attr), 0);
	assert_int_equal(attr.srq_limit, init.attr.max_wr);
	attr.srq_limit++;
	assert_int_equal(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), EINVAL);
	assert_int_equal(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), EOPNOTSUPP);
	assert_int_equal(ibv_modify_srq(srq, &attr, 0), 0);
	assert_int_equal(post_shared(srq, 1, (int)init.attr.max_sge), 0);
	assert_int_equal(post_shared(srq, 1, (int)init.attr.max_sge + 1), EINVAL);
	assert_int_equal(post_shared(srq, 1, -1), EINVAL);
	assert_int_equal(ibv_dealloc_pd(b->pd), EBUSY);
	assert_int_equal(ibv_destroy_srq(srq), 0);
	init.attr.max_wr = to_context(b->ctx)->nic->caps.max_srq_wr + 1;
	assert_null(ibv_create_srq(b->pd, &init));
	assert_int_equal(errno, EINVAL);
	init.attr = (struct ibv_srq_attr){ .max_wr = 16, .max_sge = 1, .srq_limit = 17 };
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_NO_RESOURCE;
	assert_null(ibv_create_srq(b->pd, &init));
	assert_int_equal(errno, ENOSPC);
}

static void shared_queues_ex(void **state)
{
	struct bench *b = *state;
	struct ibv_srq_init_attr_ex init = {
		.attr = { .max_wr = 16, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_BASIC,
		.pd = b->pd,
	};
	struct ibv_srq *srq = ibv_create_srq_ex(b->ctx, &init);

	assert_non_null(srq);
	assert_int_equal(ibv_destroy_srq(srq), 0);
	init.srq_type = IBV_SRQT_XRC;
	assert_null(ibv_create_srq_ex(b->ctx, &init));
	assert_int_equal(errno, EOPNOTSUPP);
	init.comp_mask = IBV_SRQ_INIT_ATTR_TM | IBV_SRQ_INIT_ATTR_PD;
	assert_null(ibv_create_srq_ex(b->ctx, &init));
	assert_int_equal(errno, EOPNOTSUPP);
}

/* What a QP had taken and not completed comes back to the ring; what it completed, to the free
 * slots, though nobody polled it. */
static void slots_of_a_dead_qp(void **state)
{
	struct bench *b = *state;
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct srq *srq = (struct srq *)ibv_create_srq(b->pd, &init);
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
	struct ibv_recv_wr wr = { 0 }, *bad;
	struct ibv_qp *qp = make_qp(b, IBV_QPT_RC, &srq->ibv);
	struct ibv_wc wc;

	assert_int_equal(bench_to_rts(qp), 0);
	assert_int_equal(ibv_post_recv(qp, &wr, &bad), EINVAL); /* it has none of its own */
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(post_shared(&srq->ibv, i, 1), 0);
	assert_int_equal(post_shared(&srq->ibv, 99, 1), ENOMEM);
	bench_cqe(b, (struct cairn_cqe){ .qpn_op = qp->qp_num | (uint32_t)CAIRN_CQE_OP_RECV << 24,
					 .wqe = CAIRN_CQE_WQE_SRQ | 3 });
	/* The device says at RESET that the QP holds slot 5, and at the end slot 7. */
	assert_int_equal(ibv_modify_qp(qp, &reset, IBV_QP_STATE), 0);
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 0);
	assert_int_equal(srq->hw->pi, 17);
	assert_int_equal(srq->hw->ring[0], 5);
	assert_int_equal(fakes[0].last_db, cairn_db_word(srq->hw->srqn, 17));
	assert_int_equal(srq->n_free, 1);
	assert_int_equal(srq->free[0], 3);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), EBUSY);
	assert_int_equal(ibv_destroy_qp(qp), 0);
	assert_int_equal(srq->hw->pi, 18);
	assert_int_equal(srq->hw->ring[1], 7);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), 0);
}

static void address_handles(void **state)
{
	struct bench *b = *state;
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = PORT, .sl = 5 };
	const struct cairn_wqe_ud *av;
	struct ibv_ah *ah;

	attr.grh.dgid.raw[0] = 0xfe;
	attr.grh.dgid.raw[15] = 1;
	ah = ibv_create_ah(b->pd, &attr);
	assert_non_null(ah);
	av = &((struct ah *)ah)->hw->av;
	assert_int_equal(CAIRN_GET(av->hop_sl, CAIRN_WQE_UD_HOP_SL_SL), 5);
	assert_int_equal(CAIRN_GET(av->hop_sl, CAIRN_WQE_UD_HOP_SL_HOP_LIMIT), 64); /* 0: default */
	assert_int_equal(ibv_dealloc_pd(b->pd), EBUSY);
	assert_int_equal(ibv_destroy_ah(ah), 0);
	attr.is_global = 0;
	assert_null(ibv_create_ah(b->pd, &attr));
	assert_int_equal(errno, EINVAL);
	attr.is_global = 1;
	attr.port_num = 2;
	assert_null(ibv_create_ah(b->pd, &attr));
	assert_int_equal(errno, EINVAL);
	attr.port_num = PORT;
	attr.grh.sgid_index = 9; /* empty */
	assert_null(ibv_create_ah(b->pd, &attr));
	assert_int_equal(errno, EINVAL);
	attr.grh.sgid_index = 0;
	attr.grh.dgid.raw[12] = 9; /* nobody answers for it */
	assert_null(ibv_create_ah(b->pd, &attr));
	assert_int_equal(errno, ETIMEDOUT);
}

static uint16_t ip_checksum(const void *header)
{
	const uint16_t *word = header;
	uint32_t sum = 0;

	for (unsigned int i = 0; i < 10; i++)
		sum += word[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t) ~(sum + (sum >> 16));
}

/* libibverbs makes an address of what a datagram brought: the 40 bytes as the device writes them,
 * with our GID table behind it. */
static void answer_to_a_datagram(void **state)
{
	struct bench *b = *state;
	static const uint8_t own4[16] = { [10] = 0xff, 0xff, 10, 0, 0, 1 };
	static const uint8_t peer4[16] = { [10] = 0xff, 0xff, 10, 0, 0, 2 };
	struct ibv_wc wc = { .wc_flags = IBV_WC_GRH, .sl = 0 };
	struct ibv_grh grh = { 0 };
	struct iphdr *ip = (struct iphdr *)((uint8_t *)&grh + 20);
	struct ibv_ah_attr attr;
	struct ibv_ah *ah;
	union ibv_gid own6;

	assert_int_equal(cairn_set_gid(to_context(b->ctx)->dev, 2, own4, 0), 0);
	*ip = (struct iphdr){ .version = 4,
			      .ihl = 5,
			      .tos = 0x20,
			      .tot_len = htobe16(68),
			      .ttl = 31,
			      .protocol = 17 };
	memcpy(&ip->saddr, peer4 + 12, 4);
	memcpy(&ip->daddr, own4 + 12, 4);
	ip->check = ip_checksum(ip);
	assert_int_equal(ibv_init_ah_from_wc(b->ctx, PORT, &wc, &grh, &attr), 0);
	assert_int_equal(attr.is_global, 1);
	assert_int_equal(attr.grh.sgid_index, 2);
	assert_memory_equal(attr.grh.dgid.raw, peer4, 16);
	/* IPv6: the header itself. */
	assert_int_equal(ibv_query_gid(b->ctx, PORT, 0, &own6), 0);
	memset(&grh, 0, sizeof(grh));
	grh.version_tclass_flow = htobe32(6u << 28 | 0x20u << 20 | 0x12345);
	grh.next_hdr = 17;
	grh.hop_limit = 17;
	grh.dgid = own6;
	grh.sgid.raw[0] = 0xfe;
	grh.sgid.raw[1] = 0x80;
	grh.sgid.raw[15] = 0x33;
	assert_int_equal(ibv_init_ah_from_wc(b->ctx, PORT, &wc, &grh, &attr), 0);
	assert_int_equal(attr.grh.sgid_index, 0);
	assert_memory_equal(attr.grh.dgid.raw, grh.sgid.raw, 16);
	assert_int_equal(attr.grh.flow_label, 0x12345);
	ah = ibv_create_ah_from_wc(b->pd, &wc, &grh, PORT);
	assert_non_null(ah);
	assert_int_equal(ibv_destroy_ah(ah), 0);
	grh.dgid.raw[15] ^= 1; /* not an address of ours */
	assert_null(ibv_create_ah_from_wc(b->pd, &wc, &grh, PORT));
}

static void windows(void **state)
{
	struct bench *b = *state;
	static _Alignas(4096) uint8_t area[4096];
	struct ibv_mr *mr =
		ibv_reg_mr(b->pd, area, sizeof(area), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	struct ibv_mw *mw = ibv_alloc_mw(b->pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind bind = {
		.wr_id = 77,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = { mr, (uintptr_t)area + 64, 128,
			       IBV_ACCESS_REMOTE_READ | IBV_ACCESS_LOCAL_WRITE },
	};
	const struct cairn_wqe_local *wqe = (void *)cairn_sq_block(b->qp->hw, 0);
	uint32_t before = mw->rkey, key;
	struct ibv_wc wc;

	assert_ptr_equal(mw->pd, b->pd);
	assert_int_equal(mw->type, IBV_MW_TYPE_1);
	assert_int_equal(ibv_bind_mw(&b->qp->ibv, mw, &bind), 0);
	assert_int_equal(mw->rkey, ibv_inc_rkey(before));
	assert_int_equal(CAIRN_GET(wqe->ctrl, CAIRN_WQE_CTRL_OPCODE), CAIRN_WQE_OP_BIND_MW);
	assert_int_equal(CAIRN_GET(wqe->ctrl, CAIRN_WQE_CTRL_BLOCKS), 1);
	assert_true(wqe->ctrl & CAIRN_WQE_CTRL_SIGNALED);
	assert_int_equal(wqe->key, mw->rkey);
	assert_int_equal(wqe->addr, (uintptr_t)area + 64);
	assert_int_equal(wqe->length, 128);
	assert_int_equal(wqe->mr_key, mr->lkey);
	assert_int_equal(wqe->access, IBV_ACCESS_REMOTE_READ);
	bench_cqe(b, (struct cairn_cqe){ .qpn_op = b->qp->ibv.qp_num | (uint32_t)CAIRN_CQE_OP_LOCAL
									       << 24,
					 .wqe = CAIRN_CQE_WQE_IS_SQ });
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
	assert_int_equal(wc.wr_id, 77);
	assert_int_equal(wc.opcode, IBV_WC_BIND_MW);
	key = mw->rkey;
	bind.bind_info.mw_access_flags = IBV_ACCESS_ZERO_BASED;
	assert_int_equal(ibv_bind_mw(&b->qp->ibv, mw, &bind), EINVAL);
	assert_int_equal(mw->rkey, key); /* a refused bind leaves it */
	bind.bind_info.mw_access_flags = 0;
	bind.bind_info.mr = NULL;
	assert_int_equal(ibv_bind_mw(&b->qp->ibv, mw, &bind), EINVAL);
	bind.bind_info = (struct ibv_mw_bind_info){ 0 }; /* unbind */
	assert_int_equal(ibv_bind_mw(&b->qp->ibv, mw, &bind), 0);
	wqe = (void *)cairn_sq_block(b->qp->hw, 1);
	assert_int_equal(wqe->length, 0);
	assert_int_equal(wqe->mr_key, 0);
	assert_int_equal(ibv_dealloc_mw(mw), 0);
	assert_int_equal(ibv_dereg_mr(mr), 0);
	assert_null(ibv_alloc_mw(b->pd, (enum ibv_mw_type)3));
	assert_int_equal(errno, EINVAL);
}

/* A program that binds by its own choice of keys and does not tell the window: the number comes
 * back with a key that no peer has. */
static void keys_of_windows(void **state)
{
	struct bench *b = *state;
	struct ibv_mw *mw = ibv_alloc_mw(b->pd, IBV_MW_TYPE_2);
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW, .bind_mw = { .mw = mw } }, *bad;
	const struct cairn_dev *dev = to_context(b->ctx)->dev;
	uint32_t index = mw->rkey >> 8;

	for (unsigned int i = 0; i < 3; i++) {
		wr.bind_mw.rkey = index << 8 | ((mw->rkey + i + 1) & 0xff);
		assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
	}
	assert_int_equal(ibv_dealloc_mw(mw), 0);
	assert_int_equal(dev->key_tags[index], wr.bind_mw.rkey & 0xff);
}

static void multicast(void **state)
{
	struct bench *b = *state;
	union ibv_gid group = { .raw = { 0xff, 0x0e, [15] = 5 } }, plain = { .raw = { 0xfe } };
	union ibv_gid plain4 = { .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 } };
	struct ibv_qp *ud = make_qp(b, IBV_QPT_UD, NULL);

	assert_int_equal(ibv_attach_mcast(&b->qp->ibv, &group, 0), EINVAL); /* not UD */
	assert_int_equal(ibv_attach_mcast(ud, &plain, 0), EINVAL);
	assert_int_equal(ibv_attach_mcast(ud, &plain4, 0), EINVAL);
	assert_int_equal(ibv_attach_mcast(ud, &group, 0), 0);
	assert_true(fakes[0].qps[ud->qp_num].attached);
	assert_memory_equal(fakes[0].qps[ud->qp_num].group, group.raw, 16);
	assert_int_equal(ibv_attach_mcast(ud, &group, 0), 0); /* it is */
	assert_int_equal(ibv_destroy_qp(ud), EBUSY);
	assert_int_equal(ibv_detach_mcast(ud, &group, 0), 0);
	assert_int_equal(ibv_detach_mcast(ud, &group, 0), EINVAL);
	assert_int_equal(ibv_destroy_qp(ud), 0);
}

/* Entries that stand in the ring are polled from the new one, more can come, and none is lost. */
static void resized(void **state)
{
	struct bench *b = *state;
	struct ibv_sge sge = { 0, 1, 1 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
	struct cq *cq = (struct cq *)b->cq;
	struct ibv_wc wc;

	for (uint64_t i = 0; i < 3; i++) {
		wr.wr_id = i;
		assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
		bench_send_cqe(b, b->qp, (uint32_t)i, 0);
	}
	fakes[0].cqs[cq->hw->cqn].pi = 3; /* what the device knows of them */
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
	assert_int_equal(ibv_resize_cq(b->cq, 2000), 0);
	assert_int_equal(b->cq->cqe, 2000);
	assert_in_range(1u << cq->hw->log2, 2000, 8192);
	wr.wr_id = 3;
	assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
	bench_send_cqe(b, b->qp, 3, 0);
	for (uint64_t i = 1; i < 4; i++) {
		assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
		assert_int_equal(wc.wr_id, i);
	}
	for (uint64_t i = 4; i < 7; i++) { /* three wait, so two are too few */
		wr.wr_id = i;
		assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
		bench_send_cqe(b, b->qp, (uint32_t)i, 0);
	}
	fakes[0].cqs[cq->hw->cqn].pi = b->pi;
	assert_int_equal(ibv_resize_cq(b->cq, 2), EINVAL);
	assert_int_equal(b->cq->cqe, 2000);
	assert_int_equal(ibv_resize_cq(b->cq, 3), 0);
	for (uint64_t i = 4; i < 7; i++) {
		assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
		assert_int_equal(wc.wr_id, i);
	}
	assert_int_equal(ibv_resize_cq(b->cq, 2000), 0);
	assert_int_equal(ibv_resize_cq(b->cq, 0), EINVAL);
	assert_int_equal(ibv_resize_cq(b->cq, (int)to_context(b->ctx)->nic->caps.max_cqe + 1),
			 EINVAL);
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_BAD_STATE; /* more entries than would fit */
	assert_int_equal(ibv_resize_cq(b->cq, 1), EINVAL);
	assert_int_equal(b->cq->cqe, 2000);
}

static void one_more(void *arg)
{
	struct bench *b = arg;

	bench_send_cqe(b, b->qp, b->pi, 0);
	fakes[0].cqs[((struct cq *)b->cq)->hw->cqn].pi = b->pi;
}

/* What comes while the command is under way counts, and is still there afterwards. */
static void resized_too_late(void **state)
{
	struct bench *b = *state;
	struct ibv_sge sge = { 0, 1, 1 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_wc wc;

	for (uint64_t i = 0; i < 6; i++) {
		wr.wr_id = i;
		assert_int_equal(ibv_post_send(&b->qp->ibv, &wr, &bad), 0);
	}
	one_more(b);
	fakes[0].arg = b;
	fakes[0].at_resize = one_more;
	assert_int_equal(ibv_resize_cq(b->cq, 1), EINVAL);
	assert_int_equal(b->cq->cqe, 100);
	fakes[0].at_resize = one_more;
	assert_int_equal(ibv_resize_cq(b->cq, 3), 0);
	assert_int_equal(b->cq->cqe, 3);
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
		assert_int_equal(wc.wr_id, i);
	}
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 0);
}

static void moderated(void **state)
{
	struct bench *b = *state;
	struct ibv_modify_cq_attr attr = { .attr_mask = IBV_CQ_ATTR_MODERATE,
					   .moderate = { .cq_count = 5, .cq_period = 70 } };

	assert_int_equal(ibv_modify_cq(b->cq, &attr), 0);
	assert_int_equal(fakes[0].cqs[b->cq->handle].moderation, 5 | 70 << 16);
	attr.attr_mask = 0;
	assert_int_equal(ibv_modify_cq(b->cq, &attr), 0);
	attr.attr_mask = 1 << 5;
	assert_int_equal(ibv_modify_cq(b->cq, &attr), EOPNOTSUPP);
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_NOT_SUPPORTED;
	attr.attr_mask = IBV_CQ_ATTR_MODERATE;
	assert_int_equal(ibv_modify_cq(b->cq, &attr), EOPNOTSUPP);
}

static void created_wrongly(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex cq = { .cqe = 10, .comp_mask = IBV_CQ_INIT_ATTR_MASK_PD };
	struct ibv_qp_init_attr qp = { .send_cq = b->cq, .recv_cq = b->cq, .qp_type = IBV_QPT_RC };
	struct ibv_qp_init_attr_ex ex = {
		.send_cq = b->cq, .recv_cq = b->cq, .qp_type = IBV_QPT_UD, .pd = b->pd
	};

	assert_null(ibv_create_cq(b->ctx, 0, NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	assert_null(ibv_create_cq(b->ctx, 10, NULL, NULL, b->ctx->num_comp_vectors));
	assert_int_equal(errno, EINVAL);
	assert_null(ibv_create_cq_ex(b->ctx, &cq)); /* which parent domain? */
	assert_int_equal(errno, EINVAL);
	cq.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
	cq.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	assert_null(ibv_create_cq_ex(b->ctx, &cq));
	assert_int_equal(errno, EOPNOTSUPP);
	qp.send_cq = NULL;
	assert_null(ibv_create_qp(b->pd, &qp));
	assert_int_equal(errno, EINVAL);
	qp.send_cq = b->cq;
	qp.cap.max_send_sge = CAIRN_MAX_SGE + 1;
	assert_null(ibv_create_qp(b->pd, &qp));
	assert_int_equal(errno, EINVAL);
	qp.cap = (struct ibv_qp_cap){ .max_inline_data = CAIRN_MAX_INLINE + 1 };
	assert_null(ibv_create_qp(b->pd, &qp));
	assert_int_equal(errno, EINVAL);
	assert_null(ibv_create_qp_ex(b->ctx, &ex)); /* whose PD? */
	assert_int_equal(errno, EINVAL);
	ex.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	ex.send_ops_flags = IBV_QP_EX_WITH_RDMA_READ;
	assert_null(ibv_create_qp_ex(b->ctx, &ex)); /* not over UD */
	assert_int_equal(errno, EOPNOTSUPP);
	ex.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS;
	ex.create_flags = IBV_QP_CREATE_SCATTER_FCS;
	assert_null(ibv_create_qp_ex(b->ctx, &ex));
	assert_int_equal(errno, EOPNOTSUPP);
}

static void refused_qp(struct bench *b, struct ibv_cq *send, struct ibv_cq *recv,
		       struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = { .send_cq = send,
					 .recv_cq = recv,
					 .srq = srq,
					 .cap = { 8, 8, 2, 2, 0 },
					 .qp_type = IBV_QPT_RC };

	errno = 0;
	assert_null(ibv_create_qp(b->pd, &init));
	assert_int_equal(errno, EINVAL);
}

/* Nothing of another context goes into an object, though queues here have the same numbers. */
static void refuses_what_is_of(struct bench *b, struct ibv_context *other)
{
	struct ibv_pd *pd = ibv_alloc_pd(other);
	struct ibv_cq *cq = ibv_create_cq(other, 10, NULL, NULL, 0);
	struct ibv_srq_init_attr_ex shared = { .attr = { .max_wr = 16, .max_sge = 1 },
					       .comp_mask = IBV_SRQ_INIT_ATTR_TYPE |
							    IBV_SRQ_INIT_ATTR_PD,
					       .srq_type = IBV_SRQT_BASIC,
					       .pd = pd };
	struct ibv_srq *srq = ibv_create_srq_ex(other, &shared);
	struct ibv_qp_init_attr_ex init = { .send_cq = b->cq,
					    .recv_cq = b->cq,
					    .cap = { 8, 8, 2, 2, 0 },
					    .qp_type = IBV_QPT_RC,
					    .comp_mask = IBV_QP_INIT_ATTR_PD |
							 IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
					    .pd = b->pd };
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind bind = { 0 };
	bool live_cq = fakes[0].cqs[cq->handle].live, live_srq = fakes[0].srqs[srq->handle].live;

	assert_non_null(srq);
	fakes[0].cqs[cq->handle].live = fakes[0].srqs[srq->handle].live = true;
	refused_qp(b, cq, b->cq, NULL);
	refused_qp(b, b->cq, cq, NULL);
	refused_qp(b, b->cq, b->cq, srq);
	fakes[0].cqs[cq->handle].live = live_cq;
	fakes[0].srqs[srq->handle].live = live_srq;
	assert_null(ibv_create_qp_ex(other, &init)); /* all of ours */
	assert_int_equal(errno, EINVAL);
	errno = 0;
	/* verbs.h makes a plain one of this, by the PD's context */
	assert_null(srq_create_ex(b->ctx, &shared));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(ibv_bind_mw(&b->qp->ibv, mw, &bind), EINVAL);
	assert_int_equal(ibv_dealloc_mw(mw), 0);
	assert_int_equal(ibv_destroy_srq(srq), 0);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

/* Another NIC, the same one opened again, and another provider, whose structures are shorter. */
static void of_another_context(void **state)
{
	struct bench *b = *state;
	struct nic *nic = nic_add("fake:1", "cairn_8", "/nonexistent/cairn_8");
	struct ibv_context *other = ibv_open_device(&nic->ibv), *again = bench_context();
	struct ibv_context foreign = { 0 };
	struct ibv_cq cq = { .context = &foreign };
	struct ibv_srq srq = { .context = &foreign };
	struct ibv_qp qp = { .context = &foreign };
	struct ibv_mw *mw = ibv_alloc_mw(b->pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind bind = { 0 };

	refuses_what_is_of(b, other);
	refuses_what_is_of(b, again);
	refused_qp(b, &cq, b->cq, NULL);
	refused_qp(b, b->cq, &cq, NULL);
	refused_qp(b, b->cq, b->cq, &srq);
	assert_int_equal(ibv_bind_mw(&qp, mw, &bind), EINVAL);
	assert_int_equal(ibv_dealloc_mw(mw), 0);
	assert_int_equal(ibv_close_device(other) | ibv_close_device(again), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(shared_queues),
		BENCH_TEST(shared_queues_ex),
		BENCH_TEST(slots_of_a_dead_qp),
		BENCH_TEST(address_handles),
		BENCH_TEST(answer_to_a_datagram),
		BENCH_TEST(windows),
		BENCH_TEST(keys_of_windows),
		BENCH_TEST(multicast),
		BENCH_TEST(resized),
		BENCH_TEST(resized_too_late),
		BENCH_TEST(moderated),
		BENCH_TEST(created_wrongly),
		BENCH_TEST(of_another_context),
	};

	return cmocka_run_group_tests_name("test_object_verbs", tests, NULL, NULL);
}
