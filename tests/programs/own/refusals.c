// SPDX-License-Identifier: Apache-2.0
/*
 * What must be refused, between two verbs devices of any kind: wrong keys, places and rights,
 * receives that are too short, late or never there, a QP that is gone; asked by the client and then
 * by the server.  Wanted is the status that the IBTA has for it, and memory that has not changed.
 * One line for each, with the status.
 *
 *     refusals -d DEVICE -g GID -p PORT [-m MTU] [SERVER]
 */
#include "meet.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BYTES 65536u
#define AT 4096u   /* what is asked for lies there */
#define PART 3000u /* length of a message */
#define SHORT 100u /* of a receive that is too short */
#define LATE_US 200000u
#define RIGHTS                                                                       \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)

enum wrong {
	NOTHING,
	KEY,
	PLACE,
	MR_RIGHTS,
	QP_RIGHTS,
	ALIGNMENT,
	TOO_SHORT,
	NO_RECEIVE,
	LATE,
	GONE
};

static const struct refusal {
	const char *name;
	enum wrong wrong;
	enum ibv_wr_opcode op;
	enum ibv_wc_status status;
	enum ibv_wc_status also; /* what a peer may say instead, or 0 */
} refusals[] = {
	{ "RDMA_WRITE, wrong rkey", KEY, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR, 0 },
	{ "RDMA_READ, wrong rkey", KEY, IBV_WR_RDMA_READ, IBV_WC_REM_ACCESS_ERR, 0 },
	{ "FETCH_AND_ADD, wrong rkey", KEY, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WC_REM_ACCESS_ERR, 0 },
	{ "RDMA_WRITE behind the end", PLACE, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR, 0 },
	{ "RDMA_READ behind the end", PLACE, IBV_WR_RDMA_READ, IBV_WC_REM_ACCESS_ERR, 0 },
	{ "RDMA_WRITE, no right on the MR", MR_RIGHTS, IBV_WR_RDMA_WRITE, IBV_WC_REM_ACCESS_ERR,
	  0 },
	{ "RDMA_READ, no right on the MR", MR_RIGHTS, IBV_WR_RDMA_READ, IBV_WC_REM_ACCESS_ERR, 0 },
	{ "CMP_AND_SWP, no right on the MR", MR_RIGHTS, IBV_WR_ATOMIC_CMP_AND_SWP,
	  IBV_WC_REM_ACCESS_ERR, 0 },
	{ "RDMA_WRITE, no right on the QP", QP_RIGHTS, IBV_WR_RDMA_WRITE, IBV_WC_REM_INV_REQ_ERR,
	  0 },
	{ "RDMA_READ, no right on the QP", QP_RIGHTS, IBV_WR_RDMA_READ, IBV_WC_REM_INV_REQ_ERR, 0 },
	{ "FETCH_AND_ADD, no right on the QP", QP_RIGHTS, IBV_WR_ATOMIC_FETCH_AND_ADD,
	  IBV_WC_REM_INV_REQ_ERR, 0 },
	{ "FETCH_AND_ADD, not aligned", ALIGNMENT, IBV_WR_ATOMIC_FETCH_AND_ADD,
	  IBV_WC_REM_INV_REQ_ERR, 0 },
	/* Linux's rxe says "remote operational error" */
	{ "SEND, receive too short", TOO_SHORT, IBV_WR_SEND, IBV_WC_REM_INV_REQ_ERR,
	  IBV_WC_REM_OP_ERR },
	{ "SEND, no receive", NO_RECEIVE, IBV_WR_SEND, IBV_WC_RNR_RETRY_EXC_ERR, 0 },
	{ "RDMA_WRITE_WITH_IMM, no receive", NO_RECEIVE, IBV_WR_RDMA_WRITE_WITH_IMM,
	  IBV_WC_RNR_RETRY_EXC_ERR, 0 },
	{ "SEND, late receive", LATE, IBV_WR_SEND, IBV_WC_SUCCESS, 0 },
	{ "RDMA_WRITE, QP in ERR", GONE, IBV_WR_RDMA_WRITE, IBV_WC_RETRY_EXC_ERR, 0 },
	{ "SEND, nothing wrong", NOTHING, IBV_WR_SEND, IBV_WC_SUCCESS, 0 },
};

struct offer {
	uint64_t addr;
	uint32_t rkey;
};

static struct {
	struct meet m;
	struct ibv_mr *closed; /* the same memory, without rights */
	uint64_t id;	       /* wr_id of the case; receives of earlier ones may be flushed late */
} t;

static bool atomic(enum ibv_wr_opcode op)
{
	return op == IBV_WR_ATOMIC_FETCH_AND_ADD || op == IBV_WR_ATOMIC_CMP_AND_SWP;
}

/* The completion that belongs to this case. */
static struct ibv_wc mine(void)
{
	struct ibv_wc wc;

	do
		wc = meet_any(&t.m);
	while (wc.wr_id != t.id);
	return wc;
}

static void post_recv(uint32_t len)
{
	struct ibv_sge sge = { (uintptr_t)t.m.mem + AT, len, t.m.mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = t.id, .sg_list = &sge, .num_sge = 1 }, *bad;

	check(!ibv_post_recv(t.m.qp, &wr, &bad));
}

/* ---------------------------------------------------------------- the side that asks */

static const char *ask(const struct refusal *r)
{
	struct ibv_sge sge = { (uintptr_t)t.m.mem + AT, PART, t.m.mr->lkey };
	struct ibv_send_wr wr = { .wr_id = t.id,
				  .sg_list = &sge,
				  .num_sge = 1,
				  .opcode = r->op,
				  .send_flags = IBV_SEND_SIGNALED },
			   *bad;
	struct offer none = { 0, 0 }, to;
	struct ibv_wc wc;

	meet_swap(&t.m, &none, &to, sizeof(to));
	if (atomic(r->op)) {
		sge.length = 8;
		wr.wr.atomic.remote_addr = to.addr;
		wr.wr.atomic.rkey = to.rkey;
		wr.wr.atomic.compare_add = 1;
	} else {
		wr.wr.rdma.remote_addr = to.addr;
		wr.wr.rdma.rkey = to.rkey;
	}
	if (ibv_post_send(t.m.qp, &wr, &bad)) {
		if (r->wrong == ALIGNMENT) /* rxe looks at it before it sends */
			return "not posted";
		fail("%s: ibv_post_send", r->name);
	}
	wc = mine();
	if (wc.status != r->status && (!r->also || wc.status != r->also))
		fail("%s: status %s, not %s", r->name, ibv_wc_status_str(wc.status),
		     ibv_wc_status_str(r->status));
	return ibv_wc_status_str(wc.status);
}

/* ---------------------------------------------------------------- the side that refuses */

static struct offer offer(const struct refusal *r)
{
	struct offer to = { (uintptr_t)t.m.mem + AT, t.m.mr->rkey };

	if (r->wrong == KEY)
		to.rkey ^= 0x5a5a00;
	if (r->wrong == PLACE)
		to.addr = (uintptr_t)t.m.mem + BYTES - PART / 2;
	if (r->wrong == MR_RIGHTS)
		to.rkey = t.closed->rkey;
	if (r->wrong == ALIGNMENT)
		to.addr += 4;
	return to;
}

static void refuse(const struct refusal *r)
{
	struct offer to = offer(r), none;
	struct ibv_qp_attr error = { .qp_state = IBV_QPS_ERR };
	bool takes = r->wrong == NOTHING || r->wrong == LATE;
	uint32_t filled;

	memset(t.m.mem, 0x33, BYTES);
	if (r->wrong == NOTHING)
		post_recv(PART);
	if (r->wrong == TOO_SHORT)
		post_recv(SHORT);
	if (r->wrong == GONE)
		check(!ibv_modify_qp(t.m.qp, &error, IBV_QP_STATE));
	meet_swap(&t.m, &to, &none, sizeof(to));
	if (r->wrong == LATE) {
		usleep(LATE_US);
		post_recv(PART);
	}
	if (takes) {
		struct ibv_wc wc = mine();

		if (wc.status != IBV_WC_SUCCESS)
			fail("%s: receive with status %s", r->name, ibv_wc_status_str(wc.status));
	}
	meet_sync(&t.m);
	/* A receive that is too short may be filled, and a WRITE that only its last packet
	 * refuses. */
	filled = takes || r->op == IBV_WR_RDMA_WRITE_WITH_IMM ? PART
		 : r->wrong == TOO_SHORT		      ? SHORT
							      : 0;
	for (uint32_t i = 0; i < BYTES; i++)
		if (i >= AT && i < AT + filled ? takes && t.m.mem[i] != 0x44 : t.m.mem[i] != 0x33)
			fail("%s: byte %u is %#x", r->name, i, t.m.mem[i]);
}

/* ---------------------------------------------------------------- both */

static void run(const struct refusal *r, bool asks)
{
	struct meet_path path = { .access = r->wrong == QP_RIGHTS && !asks ? 0 : RIGHTS,
				  .psn = 500 };
	const char *status = NULL;

	if (r->wrong == NO_RECEIVE) {
		path.rnr = 2;
		path.rnr_timer = 1; /* 10 us */
	}
	if (r->wrong == GONE) {
		path.timeout = 12; /* 17 ms */
		path.retry = 2;
	}
	t.id++;
	/* another one each time, so that captures tell them apart */
	check(!ibv_destroy_qp(t.m.qp));
	t.m.qp = meet_qp(&t.m, IBV_QPT_RC, NULL);
	meet_connect(&t.m, t.m.qp, &path);
	if (asks) {
		memset(t.m.mem, 0x44, BYTES);
		status = ask(r);
		meet_sync(&t.m);
	} else {
		refuse(r);
	}
	if (status)
		printf("%s, asked by the %s: %s\n", r->name, t.m.server ? "server" : "client",
		       status);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	meet_open(&t.m, argc, argv, IBV_QPT_RC, RIGHTS, BYTES);
	t.closed = ibv_reg_mr(t.m.pd, t.m.mem, BYTES, 0);
	check(t.closed);
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
			run(&refusals[i], (turn == 0) != t.m.server);
	check(!ibv_dereg_mr(t.closed));
	meet_close(&t.m);
	return 0;
}
