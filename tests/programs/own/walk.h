/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk through the verbs on one device, which leaves nothing behind: for tests that ask what
 * a thread, a fork or a cancellation does to any of them.
 */
#ifndef CAIRN_TEST_WALK_H
#define CAIRN_TEST_WALK_H

#include <endian.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>

struct walk {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_cq_ex *cq_ex;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	uint8_t *mem;
};

#define WALK_BYTES 8192u

/* The first step that fails ends a function, which returns it in words; NULL: none did. */
#define WALK(step)                    \
	do {                          \
		if (!(step))          \
			return #step; \
	} while (0)

static inline const char *walk_open(struct walk *w, struct ibv_context *ctx)
{
	struct ibv_cq_init_attr_ex ex = { .cqe = 16, .wc_flags = IBV_WC_STANDARD_FLAGS };
	struct ibv_srq_init_attr shared = { .attr = { .max_wr = 8, .max_sge = 1 } };

	*w = (struct walk){ .ctx = ctx };
	WALK(w->mem = aligned_alloc(4096, WALK_BYTES));
	WALK(w->pd = ibv_alloc_pd(ctx));
	/* with atomics: there a registration has most to do */
	WALK(w->mr = ibv_reg_mr(w->pd, w->mem, WALK_BYTES,
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC));
	WALK(w->mw = ibv_alloc_mw(w->pd, IBV_MW_TYPE_2));
	WALK(w->channel = ibv_create_comp_channel(ctx));
	WALK(w->cq = ibv_create_cq(ctx, 16, w, w->channel, 0));
	WALK(w->cq_ex = ibv_create_cq_ex(ctx, &ex));
	WALK(w->srq = ibv_create_srq(w->pd, &shared));
	return NULL;
}

/* A QP in INIT with one receive. */
static inline const char *walk_qp(struct walk *w)
{
	struct ibv_qp_init_attr init = {
		.send_cq = w->cq,
		.recv_cq = w->cq,
		.cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_UD,
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 0x1234 };
	struct ibv_sge sge = { (uintptr_t)w->mem, WALK_BYTES, w->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = 7, .sg_list = &sge, .num_sge = 1 }, *bad;

	WALK(w->qp = ibv_create_qp(w->pd, &init));
	WALK(!ibv_modify_qp(w->qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
	WALK(!ibv_post_recv(w->qp, &wr, &bad));
	return NULL;
}

/* Its receive is flushed: a completion, and the event that was asked for. */
static inline const char *walk_flush(struct walk *w)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	WALK(!ibv_req_notify_cq(w->cq, 0));
	WALK(!ibv_modify_qp(w->qp, &attr, IBV_QP_STATE));
	return NULL;
}

/* Queries, and posts that need no peer. */
static inline const char *walk_around(struct walk *w)
{
	struct ibv_qp_init_attr init;
	struct ibv_device_attr device;
	struct ibv_srq_attr shared;
	struct ibv_port_attr port;
	struct ibv_qp_attr attr;
	struct ibv_recv_wr wr = { .wr_id = 8 }, *bad;
	struct ibv_poll_cq_attr poll = { 0 };
	struct ibv_wc wc;

	WALK(!ibv_query_device(w->ctx, &device));
	WALK(!ibv_query_port(w->ctx, 1, &port));
	WALK(!ibv_query_qp(w->qp, &attr, IBV_QP_STATE, &init));
	WALK(!ibv_query_srq(w->srq, &shared));
	WALK(!ibv_post_srq_recv(w->srq, &wr, &bad));
	WALK(!ibv_resize_cq(w->cq, 40));
	WALK(!ibv_req_notify_cq(w->cq, 0));
	for (int i = 0; i < 100; i++) /* long enough for a poll that rests */
		WALK(!ibv_poll_cq(w->cq, 1, &wc) && ibv_start_poll(w->cq_ex, &poll) == ENOENT);
	return NULL;
}

/* The event of walk_flush() and its completion. */
static inline const char *walk_event(struct walk *w)
{
	struct pollfd fd = { .fd = w->channel->fd, .events = POLLIN };
	struct ibv_wc wc;
	struct ibv_cq *cq;
	void *user;

	while (poll(&fd, 1, 10000) < 0) /* a signal of the program */
		;
	WALK(fd.revents);
	WALK(!ibv_get_cq_event(w->channel, &cq, &user));
	WALK(cq == w->cq && user == w);
	ibv_ack_cq_events(cq, 1);
	WALK(ibv_poll_cq(w->cq, 1, &wc) == 1);
	WALK(wc.status == IBV_WC_WR_FLUSH_ERR && wc.wr_id == 7);
	return NULL;
}

static inline const char *walk_close(struct walk *w)
{
	WALK(!w->qp || !ibv_destroy_qp(w->qp));
	WALK(!ibv_destroy_srq(w->srq));
	WALK(!ibv_destroy_cq(w->cq));
	WALK(!ibv_destroy_cq(ibv_cq_ex_to_cq(w->cq_ex)));
	WALK(!ibv_destroy_comp_channel(w->channel));
	WALK(!ibv_dealloc_mw(w->mw));
	WALK(!ibv_dereg_mr(w->mr));
	WALK(!ibv_dealloc_pd(w->pd));
	free(w->mem);
	return NULL;
}

#endif
