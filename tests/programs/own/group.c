// SPDX-License-Identifier: Apache-2.0
/*
 * Multicast through libibverbs alone: the server attaches two UD QPs to a group, one of them to
 * another as well; the client sends to both groups; after the detach nothing comes.
 */
#include "meet.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define GRH 40u
#define SIZE 1500u
#define DATAGRAMS 10u

/* IPv4 groups for IPv4 addresses, IPv6 ones for others. */
static union ibv_gid group(const struct meet *m, uint8_t last)
{
	union ibv_gid gid = { .raw = { 0xff, 0x0e, [14] = 1 } };

	if (m->gid.raw[10] == 0xff && m->gid.raw[11] == 0xff)
		gid = (union ibv_gid){
			.raw = { [10] = 0xff, [11] = 0xff, [12] = 239, [13] = 1, [14] = 2 }
		};
	gid.raw[15] = last;
	return gid;
}

static void send_to(struct meet *m, uint8_t last, uint8_t fill)
{
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = group(m, last), .sgid_index = m->gid_index, .hop_limit = 1 }
	};
	struct ibv_ah *ah = ibv_create_ah(m->pd, &attr);
	struct ibv_sge sge = { (uintptr_t)m->mem, SIZE, m->mr->lkey };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND,
				  .sg_list = &sge,
				  .num_sge = 1,
				  .send_flags = IBV_SEND_SIGNALED },
			   *bad;

	check(ah);
	memset(m->mem, fill, SIZE);
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = 0xffffff;
	wr.wr.ud.remote_qkey = MEET_QKEY;
	check(!ibv_post_send(m->qp, &wr, &bad));
	meet_wc(m, IBV_WC_SUCCESS);
	check(!ibv_destroy_ah(ah));
}

static void client(struct meet *m)
{
	meet_sync(m);
	for (unsigned int i = 0; i < DATAGRAMS; i++)
		send_to(m, (uint8_t)(i & 1), (uint8_t)i);
	meet_sync(m);
	meet_sync(m); /* nobody is attached any more */
	send_to(m, 0, 0xff);
	meet_sync(m);
}

static void receive(struct meet *m, struct ibv_qp *qp, unsigned int first, unsigned int n)
{
	for (unsigned int i = first; i < first + n; i++) {
		struct ibv_sge sge = { (uintptr_t)m->mem + 2048 * i, 2048, m->mr->lkey };
		struct ibv_recv_wr wr = { .wr_id = i, .sg_list = &sge, .num_sge = 1 }, *bad;

		check(!ibv_post_recv(qp, &wr, &bad));
	}
}

static void server(struct meet *m)
{
	struct ibv_qp *other = meet_qp(m, IBV_QPT_UD, NULL);
	union ibv_gid even = group(m, 0), odd = group(m, 1);
	unsigned int got[2] = { 0, 0 };
	struct ibv_wc wc;

	meet_ud(other);
	check(!ibv_attach_mcast(m->qp, &even, 0) && !ibv_attach_mcast(other, &even, 0));
	check(!ibv_attach_mcast(other, &odd, 0));
	check(ibv_detach_mcast(m->qp, &odd, 0) == EINVAL);
	receive(m, m->qp, 0, DATAGRAMS);
	receive(m, other, DATAGRAMS, DATAGRAMS);
	meet_sync(m);
	for (unsigned int i = 0; i < DATAGRAMS / 2 + DATAGRAMS; i++) {
		const uint8_t *at;
		unsigned int who;

		wc = meet_wc(m, IBV_WC_SUCCESS);
		at = m->mem + 2048 * wc.wr_id;
		who = wc.qp_num == other->qp_num;
		check(wc.byte_len == GRH + SIZE && wc.wc_flags & IBV_WC_GRH);
		/* all of them in order, or the even ones */
		check(at[GRH] == (who ? got[1] : 2 * got[0]));
		for (unsigned int b = 0; b < SIZE; b++)
			check(at[GRH + b] == at[GRH]);
		got[who]++;
	}
	check(got[0] == DATAGRAMS / 2 && got[1] == DATAGRAMS);
	meet_sync(m);
	check(!ibv_detach_mcast(m->qp, &even, 0) && !ibv_detach_mcast(other, &even, 0));
	meet_sync(m);
	meet_sync(m);
	check(!ibv_poll_cq(m->cq, 1, &wc));
	check(ibv_destroy_qp(other) == EBUSY); /* attached to one still */
	check(!ibv_detach_mcast(other, &odd, 0) && !ibv_destroy_qp(other));
}

int main(int argc, char **argv)
{
	struct ibv_device_attr attr;
	struct meet m;

	meet_open(&m, argc, argv, IBV_QPT_UD, IBV_ACCESS_LOCAL_WRITE, 65536);
	check(!ibv_query_device(m.ctx, &attr));
	check(attr.max_mcast_grp >= 2 && attr.max_mcast_qp_attach >= 2);
	meet_ud(m.qp);
	(m.server ? server : client)(&m);
	meet_close(&m);
	puts("multicast: all is well");
	return 0;
}
