// SPDX-License-Identifier: Apache-2.0
/*
 * Windows of both types, invalidation by the owner and by the peer, through libibverbs alone: the
 * server owns memory and binds windows to it, the client goes through them, or is refused.
 */
#include "meet.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cairndv.h"

#define BYTES 65536u
#define FROM 4000u
#define SHOWN 20000u
#define RIGHTS (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

struct offer {
	uint64_t addr;
	uint32_t rkey;
};

static void to_rts(struct meet *m)
{
	const struct meet_path path = { .access = RIGHTS, .psn = 77 };

	meet_connect(m, m->qp, &path);
}

/* What the QP has counted since it was reset, where the provider tells: not rxe's. */
static void counted(struct meet *m, const char *name, uint64_t want)
{
	__typeof__(&cairndv_query_qp_counter) query =
		(__typeof__(query))(uintptr_t)dlsym(RTLD_DEFAULT, "cairndv_query_qp_counter");
	uint64_t value;

	if (query)
		check(!query(m->qp, name, &value) && value == want);
}

static struct ibv_wc send_wr(struct meet *m, struct ibv_send_wr *wr, enum ibv_wc_status status)
{
	struct ibv_send_wr *bad;
	struct ibv_wc wc;

	wr->wr_id = 1234;
	wr->send_flags |= IBV_SEND_SIGNALED;
	check(!ibv_post_send(m->qp, wr, &bad));
	wc = meet_wc(m, status);
	check(wc.wr_id == 1234);
	return wc;
}

/* ---------------------------------------------------------------- client */

static void go(struct meet *m, enum ibv_wr_opcode op, const struct offer *to, uint32_t offset,
	       enum ibv_wc_status status)
{
	struct ibv_sge sge = { (uintptr_t)m->mem + (op == IBV_WR_RDMA_READ ? 30000 : 0), 5000,
			       m->mr->lkey };
	struct ibv_send_wr wr = { .opcode = op, .sg_list = &sge, .num_sge = 1 };

	wr.wr.rdma.remote_addr = to->addr + offset;
	wr.wr.rdma.rkey = to->rkey;
	send_wr(m, &wr, status);
}

/* The server offers a window: what goes in comes out again. */
static struct offer use(struct meet *m)
{
	struct offer none = { 0, 0 }, to;

	meet_swap(m, &none, &to, sizeof(to));
	go(m, IBV_WR_RDMA_WRITE, &to, SHOWN - 5000, IBV_WC_SUCCESS);
	go(m, IBV_WR_RDMA_READ, &to, SHOWN - 5000, IBV_WC_SUCCESS);
	check(!memcmp(m->mem, m->mem + 30000, 5000));
	meet_sync(m);
	return to;
}

static void refused(struct meet *m, const struct offer *to)
{
	meet_sync(m);
	counted(m, "req_remote_access_errors", 0);
	go(m, IBV_WR_RDMA_WRITE, to, 0, IBV_WC_REM_ACCESS_ERR);
	counted(m, "req_remote_access_errors", 1);
	meet_sync(m);
	to_rts(m);
}

static void client(struct meet *m)
{
	struct ibv_sge sge = { (uintptr_t)m->mem, 100, m->mr->lkey };
	struct ibv_send_wr inv = { .opcode = IBV_WR_SEND_WITH_INV, .sg_list = &sge, .num_sge = 1 };
	struct offer to;

	to = use(m); /* type 1 */
	refused(m, &to);
	to = use(m); /* type 2 */
	inv.invalidate_rkey = to.rkey;
	send_wr(m, &inv, IBV_WC_SUCCESS);
	refused(m, &to);
	to = use(m);
	refused(m, &to);
}

/* ---------------------------------------------------------------- server */

static void offer(struct meet *m, uint32_t rkey, uint8_t fill)
{
	struct offer mine = { (uintptr_t)m->mem + FROM, rkey }, none;

	memset(m->mem, fill, BYTES);
	meet_swap(m, &mine, &none, sizeof(mine));
	meet_sync(m);
	check(m->mem[FROM + SHOWN - 5001] == fill && m->mem[FROM + SHOWN] == fill);
	for (uint32_t i = 0; i < 5000; i++)
		check(m->mem[FROM + SHOWN - 5000 + i] == 0x22);
}

static void client_refused(struct meet *m)
{
	counted(m, "resp_remote_access_errors", 0);
	meet_sync(m);
	meet_sync(m); /* it is, and this QP may be reset */
	counted(m, "resp_remote_access_errors", 1);
	to_rts(m);
}

static struct ibv_mw_bind_info part(struct meet *m, uint64_t length)
{
	return (struct ibv_mw_bind_info){ .mr = m->mr,
					  .addr = (uintptr_t)m->mem + FROM,
					  .length = length,
					  .mw_access_flags = length ? RIGHTS : 0 };
}

static void type_1(struct meet *m)
{
	struct ibv_mw *mw = ibv_alloc_mw(m->pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind bind = { .wr_id = 5,
				    .send_flags = IBV_SEND_SIGNALED,
				    .bind_info = part(m, SHOWN) };
	struct ibv_wc wc;
	int refused;

	check(mw);
	check(!ibv_bind_mw(m->qp, mw, &bind));
	wc = meet_wc(m, IBV_WC_SUCCESS);
	check(wc.wr_id == 5 && wc.opcode == IBV_WC_BIND_MW);
	offer(m, mw->rkey, 0x31);
	refused = ibv_dereg_mr(m->mr);
	check(refused == EBUSY || refused == EINVAL); /* EINVAL: rxe */
	bind.bind_info = part(m, 0);
	check(!ibv_bind_mw(m->qp, mw, &bind));
	meet_wc(m, IBV_WC_SUCCESS);
	client_refused(m);
	check(!ibv_dealloc_mw(mw));
}

static void bind_2(struct meet *m, struct ibv_mw *mw)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW };

	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
	wr.bind_mw.bind_info = part(m, SHOWN);
	check(send_wr(m, &wr, IBV_WC_SUCCESS).opcode == IBV_WC_BIND_MW);
	mw->rkey = wr.bind_mw.rkey;
}

static void type_2(struct meet *m)
{
	struct ibv_mw *mw = ibv_alloc_mw(m->pd, IBV_MW_TYPE_2);
	struct ibv_sge sge = { (uintptr_t)m->mem, 1000, m->mr->lkey };
	struct ibv_recv_wr recv = { .wr_id = 9, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_send_wr inv = { .opcode = IBV_WR_LOCAL_INV };
	struct ibv_wc wc;

	check(mw);
	bind_2(m, mw);
	check(!ibv_post_recv(m->qp, &recv, &bad));
	offer(m, mw->rkey, 0x32);
	wc = meet_wc(m, IBV_WC_SUCCESS);
	check(wc.wr_id == 9 && wc.opcode == IBV_WC_RECV && wc.byte_len == 100);
	/* rxe (Linux 6.1) gives the kernel's bit for it, which is another one's here */
	check(wc.wc_flags & (IBV_WC_WITH_INV | IBV_WC_IP_CSUM_OK));
	check(wc.invalidated_rkey == mw->rkey);
	client_refused(m);
	bind_2(m, mw);
	offer(m, mw->rkey, 0x33);
	inv.invalidate_rkey = mw->rkey;
	check(send_wr(m, &inv, IBV_WC_SUCCESS).opcode == IBV_WC_LOCAL_INV);
	client_refused(m);
	check(!ibv_dealloc_mw(mw));
}

int main(int argc, char **argv)
{
	const unsigned int all = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
				 IBV_DEVICE_MEM_MGT_EXTENSIONS;
	struct ibv_device_attr attr;
	struct meet m;

	meet_open(&m, argc, argv, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND, BYTES);
	check(!ibv_query_device(m.ctx, &attr));
	check((attr.device_cap_flags & all) == all && attr.max_mw > 0);
	to_rts(&m);
	if (m.server) {
		type_1(&m);
		type_2(&m);
	} else {
		client(&m);
	}
	meet_close(&m);
	puts("windows: all is well");
	return 0;
}
