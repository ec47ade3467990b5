// SPDX-License-Identifier: Apache-2.0
/*
 * Makes every call of verbs.h on a device and says what came: "NAME offered", "NAME errno
 * EOPNOTSUPP", or "NAME pointer set" and "NAME pointer none" of the functions that programs call
 * through a context. test_verbs_table compares it with docs/verbs.md.
 */
#include <stdlib.h>

#include "provider_test.h"

int ibv_query_gid_type(struct ibv_context *ctx, uint8_t port, unsigned int index, int *type);

static void say(const char *name, int err)
{
	if (err)
		printf("%s errno %s\n", name, strerrorname_np(err < 0 ? -err : err));
	else
		printf("%s offered\n", name);
}

/* A call that returns a positive errno; one that returns -1 and sets it; one that returns NULL. */
#define ERRNO(name, call) say(name, call)
#define MINUS(name, call) say(name, (errno = 0, (call) == -1) ? errno : 0)
#define MADE(name, call) say(name, (errno = 0, (call) == NULL) ? errno : 0)
/* One that says nothing: it is enough that it comes back. */
#define NOTHING(name, call) (call, say(name, 0))

static uint8_t memory[2 * 4096];
static struct bench b;

static void devices(void)
{
	struct ibv_device **list;
	struct ibv_context *ctx;
	uint64_t speed;

	(void)speed;
	MADE("ibv_get_device_list", list = ibv_get_device_list(NULL));
	ERRNO("ibv_get_device_guid", !ibv_get_device_guid(list[0]));
	NOTHING("ibv_free_device_list", ibv_free_device_list(list));
	MADE("ibv_open_device", ctx = ibv_open_device(&bench_nic()->ibv));
	ERRNO("ibv_get_device_index", ibv_get_device_index(ctx->device) < 0 ? ENODATA : 0);
	MADE("ibv_import_device", ibv_import_device(ctx->cmd_fd));
	ERRNO("ibv_close_device", ibv_close_device(ctx));
}

static void queries(void)
{
	struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
	struct ibv_ah_attr address = { .is_global = 1, .port_num = PORT };
	struct ibv_device_attr_ex ex;
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	struct ibv_gid_entry entry;
	union ibv_gid gid;
	uint8_t mac[6];
	uint16_t vid;
	__be16 pkey;
	int type;

	ERRNO("ibv_query_device", ibv_query_device(b.ctx, &attr));
	ERRNO("ibv_query_device_ex", ibv_query_device_ex(b.ctx, NULL, &ex));
	ERRNO("ibv_query_rt_values_ex", ibv_query_rt_values_ex(b.ctx, &values));
	ERRNO("ibv_query_port", ibv_query_port(b.ctx, PORT, &port));
	MINUS("ibv_query_gid", ibv_query_gid(b.ctx, PORT, 0, &gid));
	MINUS("ibv_query_gid_type", ibv_query_gid_type(b.ctx, PORT, 0, &type));
	ERRNO("ibv_query_gid_ex", ibv_query_gid_ex(b.ctx, PORT, 0, &entry, 0));
	ERRNO("ibv_query_gid_table", ibv_query_gid_table(b.ctx, &entry, 1, 0) == 1 ? 0 : EIO);
	MINUS("ibv_query_pkey", ibv_query_pkey(b.ctx, PORT, 0, &pkey));
	MINUS("ibv_get_pkey_index", ibv_get_pkey_index(b.ctx, PORT, pkey));
	address.grh.dgid = gid;
	ERRNO("ibv_resolve_eth_l2_from_gid",
	      ibv_resolve_eth_l2_from_gid(b.ctx, &address, mac, &vid));
}

static void domains(void)
{
	struct ibv_parent_domain_init_attr attr = { .pd = b.pd };
	struct ibv_xrcd_init_attr xrcd = { 0 };
	struct ibv_td_init_attr td_attr = { 0 };
	struct ibv_pd *pd, *parent;
	struct ibv_td *td;

	MADE("ibv_alloc_pd", pd = ibv_alloc_pd(b.ctx));
	ERRNO("ibv_dealloc_pd", ibv_dealloc_pd(pd));
	MADE("ibv_import_pd", ibv_import_pd(b.ctx, b.pd->handle));
	NOTHING("ibv_unimport_pd", ibv_unimport_pd(b.pd));
	MADE("ibv_alloc_td", td = ibv_alloc_td(b.ctx, &td_attr));
	attr.td = td;
	MADE("ibv_alloc_parent_domain", parent = ibv_alloc_parent_domain(b.ctx, &attr));
	ibv_dealloc_pd(parent);
	ERRNO("ibv_dealloc_td", ibv_dealloc_td(td));
	attr = (struct ibv_parent_domain_init_attr){
		.pd = b.pd, .comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS
	};
	MADE("IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS", ibv_alloc_parent_domain(b.ctx, &attr));
	attr.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
	MADE("IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT", ibv_alloc_parent_domain(b.ctx, &attr));
	MADE("ibv_open_xrcd", ibv_open_xrcd(b.ctx, &xrcd));
}

static void regions(void)
{
	const unsigned int write = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND;
	struct ibv_alloc_dm_attr dm = { .length = 64 };
	struct ibv_sge sge = { (uintptr_t)memory, 64, 0 };
	struct ibv_mw_bind bind = { .bind_info = { NULL, (uintptr_t)memory, 64, 0 } };
	struct ibv_mr *mr;
	struct ibv_mw *mw;

	MADE("ibv_reg_mr", mr = ibv_reg_mr(b.pd, memory, 4096, IBV_ACCESS_LOCAL_WRITE));
	ERRNO("ibv_rereg_mr",
	      ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0) ? errno : 0);
	ERRNO("ibv_dereg_mr", ibv_dereg_mr(mr));
	MADE("ibv_reg_mr_iova", mr = ibv_reg_mr_iova(b.pd, memory, 4096, 0x5000, 0));
	ibv_dereg_mr(mr);
	MADE("ibv_reg_mr_iova2",
	     mr = ibv_reg_mr_iova2(b.pd, memory, 4096, 0x5000, IBV_ACCESS_RELAXED_ORDERING));
	ibv_dereg_mr(mr);
	MADE("ibv_reg_dmabuf_mr", ibv_reg_dmabuf_mr(b.pd, 0, 4096, 0, 0, 0));
	MADE("ibv_alloc_null_mr", ibv_alloc_null_mr(b.pd));
	ERRNO("ibv_advise_mr", ibv_advise_mr(b.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1));
	MADE("IBV_ACCESS_ON_DEMAND", ibv_reg_mr(b.pd, memory, 4096, IBV_ACCESS_ON_DEMAND));
	MADE("IBV_ACCESS_ZERO_BASED", mr = ibv_reg_mr(b.pd, memory, 4096, IBV_ACCESS_ZERO_BASED));
	ibv_dereg_mr(mr);
	MADE("IBV_ACCESS_HUGETLB", mr = ibv_reg_mr(b.pd, memory, 4096, IBV_ACCESS_HUGETLB));
	MADE("ibv_import_mr", ibv_import_mr(b.pd, mr->handle));
	NOTHING("ibv_unimport_mr", ibv_unimport_mr(mr));
	ibv_dereg_mr(mr);
	MADE("ibv_alloc_dm", ibv_alloc_dm(b.ctx, &dm));
	MADE("ibv_import_dm", ibv_import_dm(b.ctx, 1));
	mr = ibv_reg_mr(b.pd, memory, 4096, (int)write);
	MADE("ibv_alloc_mw", mw = ibv_alloc_mw(b.pd, IBV_MW_TYPE_1));
	bind.bind_info.mr = mr;
	ERRNO("ibv_bind_mw", ibv_bind_mw(&b.qp->ibv, mw, &bind));
	ERRNO("ibv_dealloc_mw", ibv_dealloc_mw(mw));
	ibv_dereg_mr(mr);
}

static void cq_with(const char *name, uint64_t wc_flags, uint32_t flags)
{
	struct ibv_cq_init_attr_ex attr = { .cqe = 10,
					    .wc_flags = wc_flags,
					    .comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS,
					    .flags = flags };
	struct ibv_cq_ex *cq;

	MADE(name, cq = ibv_create_cq_ex(b.ctx, &attr));
	if (cq)
		ibv_destroy_cq(ibv_cq_ex_to_cq(cq));
}

static void completions(void)
{
	struct ibv_modify_cq_attr moderate = { IBV_CQ_ATTR_MODERATE, { 1, 1 } };
	struct ibv_cq_init_attr_ex attr = { .cqe = 10 };
	struct ibv_poll_cq_attr none = { 0 };
	struct ibv_comp_channel *channel;
	struct ibv_cq_ex *ex;
	struct ibv_cq *cq;
	struct ibv_wc wc;

	MADE("ibv_create_comp_channel", channel = ibv_create_comp_channel(b.ctx));
	MADE("ibv_create_cq", cq = ibv_create_cq(b.ctx, 10, NULL, channel, 0));
	ERRNO("ibv_resize_cq", ibv_resize_cq(cq, 20));
	ERRNO("ibv_modify_cq", ibv_modify_cq(cq, &moderate));
	ERRNO("ibv_poll_cq", ibv_poll_cq(cq, 1, &wc));
	ERRNO("ibv_req_notify_cq", ibv_req_notify_cq(cq, 0));
	NOTHING("ibv_ack_cq_events", ibv_ack_cq_events(cq, 0));
	ERRNO("ibv_destroy_cq", ibv_destroy_cq(cq));
	ERRNO("ibv_destroy_comp_channel", ibv_destroy_comp_channel(channel));
	MADE("ibv_create_cq_ex", ex = ibv_create_cq_ex(b.ctx, &attr));
	ERRNO("ibv_start_poll", ibv_start_poll(ex, &none) == ENOENT ? 0 : EIO);
	ibv_destroy_cq(ibv_cq_ex_to_cq(ex));
	cq_with("IBV_WC_STANDARD_FLAGS", IBV_WC_STANDARD_FLAGS, 0);
	cq_with("IBV_WC_EX_WITH_COMPLETION_TIMESTAMP", IBV_WC_EX_WITH_COMPLETION_TIMESTAMP, 0);
	cq_with("IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK",
		IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK, 0);
	cq_with("IBV_WC_EX_WITH_CVLAN", IBV_WC_EX_WITH_CVLAN, 0);
	cq_with("IBV_WC_EX_WITH_FLOW_TAG", IBV_WC_EX_WITH_FLOW_TAG, 0);
	cq_with("IBV_WC_EX_WITH_TM_INFO", IBV_WC_EX_WITH_TM_INFO, 0);
	cq_with("IBV_CREATE_CQ_ATTR_SINGLE_THREADED", 0, IBV_CREATE_CQ_ATTR_SINGLE_THREADED);
	cq_with("IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN", 0, IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN);
}

/* Events of a CQ, taken as programs take them. */
static void events(void)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(b.ctx);
	struct ibv_cq *cq = ibv_create_cq(b.ctx, 10, NULL, channel, 0), *from;
	struct ibv_async_event event;
	void *user;

	fake_event(&fakes[0], ((struct cq *)cq)->hw->vector + 1, CAIRN_EQE_TYPE_CQ,
		   ((struct cq *)cq)->hw->cqn, 0);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_CQ_ERR, ((struct cq *)cq)->hw->cqn, 0);
	MINUS("ibv_get_cq_event", ibv_get_cq_event(channel, &from, &user));
	ibv_ack_cq_events(cq, 1);
	MINUS("ibv_get_async_event", ibv_get_async_event(b.ctx, &event));
	NOTHING("ibv_ack_async_event", ibv_ack_async_event(&event));
	ibv_destroy_cq(cq);
	ibv_destroy_comp_channel(channel);
}

static void srq_of_type(const char *name, enum ibv_srq_type type)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = 16, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = type,
		.pd = b.pd,
	};
	struct ibv_srq *srq;

	MADE(name, srq = ibv_create_srq_ex(b.ctx, &attr));
	if (srq)
		ibv_destroy_srq(srq);
}

static void shared_queues(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_ops_wr ops = { 0 }, *bad_ops;
	struct ibv_recv_wr wr = { 0 }, *bad;
	struct ibv_srq_attr attr = { .srq_limit = 1 };
	struct ibv_srq *srq;
	uint32_t number;

	MADE("ibv_create_srq", srq = ibv_create_srq(b.pd, &init));
	ERRNO("ibv_post_srq_recv", ibv_post_srq_recv(srq, &wr, &bad));
	ERRNO("ibv_modify_srq", ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT));
	ERRNO("ibv_query_srq", ibv_query_srq(srq, &attr));
	ERRNO("ibv_get_srq_num", ibv_get_srq_num(srq, &number));
	ERRNO("ibv_post_srq_ops", ibv_post_srq_ops(srq, &ops, &bad_ops));
	ERRNO("ibv_destroy_srq", ibv_destroy_srq(srq));
	srq_of_type("ibv_create_srq_ex", IBV_SRQT_BASIC);
	srq_of_type("IBV_SRQT_XRC", IBV_SRQT_XRC);
	srq_of_type("IBV_SRQT_TM", IBV_SRQT_TM);
}

static void qp_of_type(const char *name, enum ibv_qp_type type, uint64_t ops, uint32_t flags)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = b.cq,
		.recv_cq = b.cq,
		.cap = { 16, 16, 1, 1, 0 },
		.qp_type = type,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS |
			     IBV_QP_INIT_ATTR_CREATE_FLAGS,
		.create_flags = flags,
		.pd = b.pd,
		.send_ops_flags = ops,
	};
	struct ibv_qp *qp;

	MADE(name, qp = ibv_create_qp_ex(b.ctx, &attr));
	if (qp)
		ibv_destroy_qp(qp);
}

static void kinds_of_qps(void)
{
	qp_of_type("IBV_QPT_RC", IBV_QPT_RC, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("IBV_QPT_UC", IBV_QPT_UC, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("IBV_QPT_UD", IBV_QPT_UD, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("IBV_QPT_RAW_PACKET", IBV_QPT_RAW_PACKET, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("IBV_QPT_XRC_SEND", IBV_QPT_XRC_SEND, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("IBV_QPT_XRC_RECV", IBV_QPT_XRC_RECV, 0, 0);
	qp_of_type("IBV_QPT_DRIVER", IBV_QPT_DRIVER, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("ibv_wr_send_tso", IBV_QPT_UD, IBV_QP_EX_WITH_TSO, 0);
	qp_of_type("ibv_wr_atomic_write", IBV_QPT_RC, IBV_QP_EX_WITH_ATOMIC_WRITE, 0);
	qp_of_type("ibv_wr_set_xrc_srqn", IBV_QPT_XRC_SEND, IBV_QP_EX_WITH_SEND, 0);
	qp_of_type("IBV_QP_CREATE_BLOCK_SELF_MCAST_LB", IBV_QPT_UD, 0,
		   IBV_QP_CREATE_BLOCK_SELF_MCAST_LB);
	qp_of_type("IBV_QP_CREATE_SOURCE_QPN", IBV_QPT_UD, 0, IBV_QP_CREATE_SOURCE_QPN);
	qp_of_type("IBV_QP_CREATE_PCI_WRITE_END_PADDING", IBV_QPT_RC, 0,
		   IBV_QP_CREATE_PCI_WRITE_END_PADDING);
}

/* One request of the extended API: from start to complete. */
#define REQUEST(name, call)                                         \
	do {                                                        \
		ibv_wr_start(&b.qp->ex);                            \
		call;                                               \
		ibv_wr_set_sge(&b.qp->ex, 1, (uintptr_t)memory, 8); \
		say(name, ibv_wr_complete(&b.qp->ex));              \
		bench_send_cqe(&b, b.qp, b.qp->hw->sq_pi - 1, 0);   \
		ibv_poll_cq(b.cq, 1, &wc);                          \
	} while (0)
#define LOCAL(name, call)                                         \
	do {                                                      \
		ibv_wr_start(&b.qp->ex);                          \
		call;                                             \
		say(name, ibv_wr_complete(&b.qp->ex));            \
		bench_send_cqe(&b, b.qp, b.qp->hw->sq_pi - 1, 0); \
		ibv_poll_cq(b.cq, 1, &wc);                        \
	} while (0)

static void requests(void)
{
	struct ibv_mr *mr =
		ibv_reg_mr(b.pd, memory, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	struct ibv_mw *mw = ibv_alloc_mw(b.pd, IBV_MW_TYPE_2);
	struct ibv_mw_bind_info bind = { mr, (uintptr_t)memory, 64, 0 };
	struct ibv_data_buf buf = { memory, 4 };
	struct ibv_qp_ex *ex = &b.qp->ex;
	struct ibv_wc wc;

	MADE("ibv_qp_to_qp_ex", ibv_qp_to_qp_ex(&b.qp->ibv));
	REQUEST("ibv_wr_send", ibv_wr_send(ex));
	REQUEST("ibv_wr_send_imm", ibv_wr_send_imm(ex, 1));
	REQUEST("ibv_wr_send_inv", ibv_wr_send_inv(ex, 1));
	REQUEST("ibv_wr_rdma_write", ibv_wr_rdma_write(ex, 1, 0));
	REQUEST("ibv_wr_rdma_write_imm", ibv_wr_rdma_write_imm(ex, 1, 0, 1));
	REQUEST("ibv_wr_rdma_read", ibv_wr_rdma_read(ex, 1, 0));
	REQUEST("ibv_wr_atomic_cmp_swp", ibv_wr_atomic_cmp_swp(ex, 1, 0, 0, 0));
	REQUEST("ibv_wr_atomic_fetch_add", ibv_wr_atomic_fetch_add(ex, 1, 0, 0));
	LOCAL("ibv_wr_local_inv", ibv_wr_local_inv(ex, mr->lkey));
	LOCAL("ibv_wr_bind_mw", ibv_wr_bind_mw(ex, mw, ibv_inc_rkey(mw->rkey), &bind));
	LOCAL("ibv_wr_set_sge_list", (ibv_wr_send(ex), ibv_wr_set_sge_list(ex, 0, NULL)));
	LOCAL("ibv_wr_set_inline_data", (ibv_wr_send(ex), ibv_wr_set_inline_data(ex, memory, 4)));
	LOCAL("ibv_wr_set_inline_data_list",
	      (ibv_wr_send(ex), ibv_wr_set_inline_data_list(ex, 1, &buf)));
	ibv_wr_start(ex);
	NOTHING("ibv_wr_abort", ibv_wr_abort(ex));
	ibv_dealloc_mw(mw);
	ibv_dereg_mr(mr);
}

/* A datagram, by the extended API. */
static void datagram(struct ibv_ah *ah)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = b.cq,
		.recv_cq = b.cq,
		.cap = { 16, 16, 1, 1, 0 },
		.qp_type = IBV_QPT_UD,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = b.pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(b.ctx, &init);
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = PORT };
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);

	ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
	attr.qp_state = IBV_QPS_RTR;
	ibv_modify_qp(qp, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
	ibv_wr_start(ex);
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, ah, 5, 6);
	ibv_wr_set_sge(ex, 1, (uintptr_t)memory, 8);
	say("ibv_wr_set_ud_addr", ibv_wr_complete(ex));
	ibv_destroy_qp(qp);
}

static void queue_pairs(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = b.cq, .recv_cq = b.cq, .cap = { 16, 16, 1, 1, 0 }, .qp_type = IBV_QPT_UD
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = PORT };
	struct ibv_qp_rate_limit_attr limit = { .rate_limit = 1 };
	union ibv_gid group = { .raw = { 0xff, 0x0e, [15] = 1 } };
	struct ibv_qp_open_attr open_attr = { 0 };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND }, *bad;
	struct ibv_recv_wr recv = { 0 }, *bad_recv;
	struct ibv_ece ece = { 0 };
	struct ibv_qp *qp;

	MADE("ibv_create_qp", qp = ibv_create_qp(b.pd, &init));
	ERRNO("ibv_modify_qp",
	      ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
	ERRNO("ibv_query_qp", ibv_query_qp(qp, &attr, IBV_QP_STATE, &init));
	ERRNO("ibv_attach_mcast", ibv_attach_mcast(qp, &group, 0));
	ERRNO("ibv_detach_mcast", ibv_detach_mcast(qp, &group, 0));
	ERRNO("ibv_query_qp_data_in_order",
	      ibv_query_qp_data_in_order(qp, IBV_WR_RDMA_WRITE, 0) ? EIO : 0);
	ERRNO("ibv_set_ece", ibv_set_ece(qp, &ece));
	ERRNO("ibv_query_ece", ibv_query_ece(qp, &ece));
	ERRNO("ibv_modify_qp_rate_limit", ibv_modify_qp_rate_limit(qp, &limit));
	ERRNO("ibv_destroy_qp", ibv_destroy_qp(qp));
	MADE("ibv_open_qp", ibv_open_qp(b.ctx, &open_attr));
	qp_of_type("ibv_create_qp_ex", IBV_QPT_RC, IBV_QP_EX_WITH_SEND, 0);
	ERRNO("ibv_post_send", ibv_post_send(&b.qp->ibv, &wr, &bad));
	ERRNO("ibv_post_recv", ibv_post_recv(&b.qp->ibv, &recv, &bad_recv));
}

static void addresses(void)
{
	struct ibv_wc wc = { .wc_flags = IBV_WC_GRH, .src_qp = 9 };
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = PORT };
	struct ibv_grh grh = { .version_tclass_flow = htobe32(6u << 28), .next_hdr = 17 };
	struct ibv_ah *ah;

	attr.grh.dgid.raw[0] = 0xfe;
	attr.grh.dgid.raw[1] = 0x80;
	attr.grh.dgid.raw[15] = 9;
	MADE("ibv_create_ah", ah = ibv_create_ah(b.pd, &attr));
	datagram(ah);
	ERRNO("ibv_destroy_ah", ibv_destroy_ah(ah));
	grh.sgid = attr.grh.dgid;
	ibv_query_gid(b.ctx, PORT, 0, &grh.dgid);
	ERRNO("ibv_init_ah_from_wc",
	      ibv_init_ah_from_wc(b.ctx, PORT, &wc, &grh, &attr) ? errno : 0);
	MADE("ibv_create_ah_from_wc", ah = ibv_create_ah_from_wc(b.pd, &wc, &grh, PORT));
	ibv_destroy_ah(ah);
}

/* What no device of ours has: flows, work queues, counters of objects. */
static void others(void)
{
	struct ibv_flow_attr flow = { .size = sizeof(flow), .port = PORT };
	struct ibv_flow_action_esp_attr esp = { 0 };
	struct ibv_wq_init_attr wq = { .pd = b.pd, .cq = b.cq, .max_wr = 1, .max_sge = 1 };
	struct ibv_rwq_ind_table_init_attr table = { 0 };
	struct ibv_counters_init_attr counters = { 0 };

	MADE("ibv_create_flow", ibv_create_flow(&b.qp->ibv, &flow));
	MADE("ibv_create_flow_action_esp", ibv_create_flow_action_esp(b.ctx, &esp));
	MADE("ibv_create_wq", ibv_create_wq(b.ctx, &wq));
	MADE("ibv_create_rwq_ind_table", ibv_create_rwq_ind_table(b.ctx, &table));
	MADE("ibv_create_counters", ibv_create_counters(b.ctx, &counters));
}

#define POINTER(name) printf("ibv_%s pointer %s\n", #name, verbs->name ? "set" : "none")

static void pointers(void)
{
	struct verbs_context *verbs = &to_context(b.ctx)->verbs;

	POINTER(query_port);
	POINTER(advise_mr);
	POINTER(alloc_null_mr);
	POINTER(read_counters);
	POINTER(attach_counters_point_flow);
	POINTER(create_counters);
	POINTER(destroy_counters);
	POINTER(reg_dm_mr);
	POINTER(alloc_dm);
	POINTER(free_dm);
	POINTER(modify_flow_action_esp);
	POINTER(destroy_flow_action);
	POINTER(create_flow_action_esp);
	POINTER(modify_qp_rate_limit);
	POINTER(alloc_parent_domain);
	POINTER(dealloc_td);
	POINTER(alloc_td);
	POINTER(modify_cq);
	POINTER(post_srq_ops);
	POINTER(destroy_rwq_ind_table);
	POINTER(create_rwq_ind_table);
	POINTER(destroy_wq);
	POINTER(modify_wq);
	POINTER(create_wq);
	printf("ibv_query_rt_values_ex pointer %s\n", verbs->query_rt_values ? "set" : "none");
	POINTER(create_cq_ex);
	POINTER(query_device_ex);
	printf("ibv_destroy_flow pointer %s\n", verbs->ibv_destroy_flow ? "set" : "none");
	printf("ibv_create_flow pointer %s\n", verbs->ibv_create_flow ? "set" : "none");
	POINTER(open_qp);
	POINTER(create_qp_ex);
	POINTER(get_srq_num);
	POINTER(create_srq_ex);
	POINTER(open_xrcd);
	POINTER(close_xrcd);
}

int main(void)
{
	cairn_set_log(NULL, NULL);
	fake_start();
	setenv("CAIRN_SOCKETS", "", 1);
	setenv("CAIRN_NO_VFIO", "1", 1);
	b.ctx = bench_context();
	if (!b.ctx || bench_objects(&b))
		return 1;
	/* all operations that are offered */
	to_context(b.ctx);
	devices();
	queries();
	domains();
	regions();
	completions();
	events();
	shared_queues();
	kinds_of_qps();
	requests();
	queue_pairs();
	addresses();
	others();
	pointers();
	return ibv_close_device(b.ctx) || fake_stop();
}
