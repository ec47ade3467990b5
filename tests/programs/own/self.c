// SPDX-License-Identifier: Apache-2.0
/*
 * One verbs device with itself, in one process: RC, UC and UD between two QPs at the GIDs given,
 * which must reach one another (same family, same VLAN), RC with a shared receive queue, a QP
 * connected with itself, multicast to two members of which one is the sender. Every byte is
 * compared. One line each.
 *
 *     self -d DEVICE -g FROM -g TO [-g FROM -g TO]...       indices of GIDs
 */
#include <infiniband/verbs.h>

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BYTES 65536u
#define GRH 40u
#define QKEY 0x11111111u
#define WAIT_S 60
#define RIGHTS                                                                       \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC)

static struct {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_mr *mr;
	uint8_t *from, *to; /* halves of the region */
} t;

#define check(condition)                                                                    \
	do {                                                                                \
		if (!(condition)) {                                                         \
			fprintf(stderr, "%s:%d: %s: %m\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                            \
		}                                                                           \
	} while (0)

static struct ibv_qp *make(enum ibv_qp_type type, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = {
		.qp_type = type,
		.send_cq = t.cq,
		.recv_cq = t.cq,
		.srq = srq,
		.sq_sig_all = 1,
		.cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 },
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY };
	struct ibv_qp *qp = ibv_create_qp(t.pd, &init);

	check(qp);
	if (type != IBV_QPT_UD)
		attr.qp_access_flags = RIGHTS;
	check(!ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     (type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS)));
	return qp;
}

static void grh_to(struct ibv_ah_attr *ah, int sgid, const union ibv_gid *dgid)
{
	*ah = (struct ibv_ah_attr){ .is_global = 1, .port_num = 1 };
	ah->grh = (struct ibv_global_route){ .dgid = *dgid,
					     .sgid_index = (uint8_t)sgid,
					     .hop_limit = 64 };
}

/* To the other one, or to itself. */
static void connect_to(struct ibv_qp *qp, int sgid, const struct ibv_qp *peer, int dgid)
{
	bool rc = qp->qp_type == IBV_QPT_RC, ud = qp->qp_type == IBV_QPT_UD;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer->qp_num,
		.rq_psn = peer->qp_num * 7 & 0xffffff,
		.max_dest_rd_atomic = 4,
		.min_rnr_timer = 12,
		.sq_psn = qp->qp_num * 7 & 0xffffff,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 4,
	};
	union ibv_gid gid;

	check(!ibv_query_gid(t.ctx, 1, dgid, &gid));
	grh_to(&attr.ah_attr, sgid, &gid);
	check(!ibv_modify_qp(
		qp, &attr,
		IBV_QP_STATE |
			(ud ? 0 : IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN) |
			(rc ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0)));
	attr.qp_state = IBV_QPS_RTS;
	check(!ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_SQ_PSN |
				     (rc ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
						      IBV_QP_MAX_QP_RD_ATOMIC
					 : 0)));
}

static struct ibv_wc completion(void)
{
	time_t until = time(NULL) + WAIT_S;
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(t.cq, 1, &wc)))
		if (time(NULL) > until) {
			fprintf(stderr, "no completion\n");
			exit(1);
		}
	check(n == 1);
	if (wc.status) {
		fprintf(stderr, "completion: %s\n", ibv_wc_status_str(wc.status));
		exit(1);
	}
	return wc;
}

static void receive(struct ibv_qp *qp, struct ibv_srq *srq, uint32_t at, uint32_t len)
{
	struct ibv_sge sge = { (uintptr_t)t.to + at, len, t.mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = at, .sg_list = &sge, .num_sge = 1 }, *bad;

	check(!(srq ? ibv_post_srq_recv(srq, &wr, &bad) : ibv_post_recv(qp, &wr, &bad)));
}

static void post(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t len, struct ibv_ah *ah,
		 uint32_t qpn)
{
	struct ibv_sge sge = { (uintptr_t)t.from, len, t.mr->lkey };
	struct ibv_send_wr wr = { .wr_id = 77, .sg_list = &sge, .num_sge = 1, .opcode = op }, *bad;

	if (ah) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = qpn;
		wr.wr.ud.remote_qkey = QKEY;
	} else if (op != IBV_WR_SEND) {
		wr.wr.rdma.remote_addr = (uintptr_t)t.to;
		wr.wr.rdma.rkey = t.mr->rkey;
	}
	check(!ibv_post_send(qp, &wr, &bad));
}

static void fill(void)
{
	for (uint32_t i = 0; i < BYTES; i++) {
		t.from[i] = (uint8_t)random();
		t.to[i] = 0x55;
	}
}

/* `n` completions, `receives` of them of receives of that length. */
static void settle(unsigned int n, unsigned int receives, uint32_t byte_len)
{
	unsigned int got = 0;

	for (unsigned int i = 0; i < n; i++) {
		struct ibv_wc wc = completion();

		got += wc.opcode == IBV_WC_RECV;
		check(wc.opcode != IBV_WC_RECV || wc.byte_len == byte_len);
	}
	check(got == receives);
}

static void arrived(uint32_t len)
{
	time_t until = time(NULL) + WAIT_S;
	struct ibv_wc wc;

	while (memcmp(t.from, t.to, len) && time(NULL) <= until)
		check(!ibv_poll_cq(t.cq, 1, &wc)); /* gives way to the simulation */
}

static void one(struct ibv_qp *qp, struct ibv_qp *peer, enum ibv_wr_opcode op, uint32_t len,
		struct ibv_srq *srq)
{
	fill();
	if (op == IBV_WR_SEND)
		receive(peer, srq, 0, len);
	post(qp, op, len, NULL, 0);
	settle(op == IBV_WR_SEND ? 2 : 1, op == IBV_WR_SEND, len);
	if (qp->qp_type == IBV_QPT_UC) /* sent is not yet arrived */
		arrived(len);
	check(!memcmp(t.from, t.to, len) && t.to[len] == 0x55);
}

static void connected(enum ibv_qp_type type, int a, int b, struct ibv_srq *srq, bool self)
{
	static const uint32_t lens[] = { 1, 1000, 5000 };
	struct ibv_qp *x = make(type, self ? NULL : srq), *y = self ? x : make(type, srq);

	connect_to(x, a, y, b);
	if (!self)
		connect_to(y, b, x, a);
	for (unsigned int i = 0; i < 3; i++) {
		one(x, y, IBV_WR_SEND, lens[i], srq);
		one(x, y, IBV_WR_RDMA_WRITE, lens[i], srq);
		if (type == IBV_QPT_RC)
			one(y, x, IBV_WR_RDMA_READ, lens[i], srq);
	}
	printf("%s GID %d to %d%s%s\n", type == IBV_QPT_RC ? "RC" : "UC", a, b, srq ? ", SRQ" : "",
	       self ? ", with itself" : "");
	check(!ibv_destroy_qp(x) && (self || !ibv_destroy_qp(y)));
}

static void datagram(int a, int b)
{
	struct ibv_qp *x = make(IBV_QPT_UD, NULL), *y = make(IBV_QPT_UD, NULL);
	struct ibv_ah_attr attr;
	union ibv_gid gid;
	struct ibv_ah *ah;

	connect_to(x, a, y, b);
	connect_to(y, b, x, a);
	check(!ibv_query_gid(t.ctx, 1, b, &gid));
	grh_to(&attr, a, &gid);
	ah = ibv_create_ah(t.pd, &attr);
	check(ah);
	fill();
	receive(y, NULL, 0, GRH + 1000);
	post(x, IBV_WR_SEND, 1000, ah, y->qp_num);
	settle(2, 1, GRH + 1000);
	check(!memcmp(t.from, t.to + GRH, 1000));
	printf("UD GID %d to %d\n", a, b);
	check(!ibv_destroy_ah(ah) && !ibv_destroy_qp(x) && !ibv_destroy_qp(y));
}

static void multicast(int a)
{
	struct ibv_qp *x = make(IBV_QPT_UD, NULL), *y = make(IBV_QPT_UD, NULL);
	struct ibv_ah_attr attr;
	union ibv_gid own, group;
	struct ibv_ah *ah;

	check(!ibv_query_gid(t.ctx, 1, a, &own));
	check(inet_pton(AF_INET6, own.raw[10] == 0xff ? "::ffff:239.9.8.7" : "ff0e::9:8:7",
			group.raw) == 1);
	connect_to(x, a, y, a);
	connect_to(y, a, x, a);
	check(!ibv_attach_mcast(x, &group, 0) && !ibv_attach_mcast(y, &group, 0));
	grh_to(&attr, a, &group);
	ah = ibv_create_ah(t.pd, &attr);
	check(ah);
	fill();
	receive(x, NULL, 0, GRH + 500);
	receive(y, NULL, 4096, GRH + 500);
	post(x, IBV_WR_SEND, 500, ah, 0xffffff);
	settle(3, 2, GRH + 500);
	check(!memcmp(t.from, t.to + GRH, 500) && !memcmp(t.from, t.to + 4096 + GRH, 500));
	printf("multicast from GID %d\n", a);
	check(!ibv_detach_mcast(x, &group, 0) && !ibv_detach_mcast(y, &group, 0));
	check(!ibv_destroy_ah(ah) && !ibv_destroy_qp(x) && !ibv_destroy_qp(y));
}

static void open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };

	check(list);
	for (unsigned int i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			t.ctx = ibv_open_device(list[i]);
	check(t.ctx);
	ibv_free_device_list(list);
	t.from = aligned_alloc(4096, 2 * BYTES);
	check(t.from && (t.pd = ibv_alloc_pd(t.ctx)));
	t.to = t.from + BYTES;
	check((t.mr = ibv_reg_mr(t.pd, t.from, 2 * BYTES, RIGHTS)));
	check((t.cq = ibv_create_cq(t.ctx, 64, NULL, NULL, 0)));
	check((t.srq = ibv_create_srq(t.pd, &init)));
}

int main(int argc, char **argv)
{
	const char *name = "cairn_0";
	int gid[16], n = 0, option;

	while ((option = getopt(argc, argv, "d:g:")) != -1) {
		if (option == 'd')
			name = optarg;
		else if (option == 'g' && n < 16)
			gid[n++] = atoi(optarg);
		else
			return 2;
	}
	if (n < 2 || n % 2)
		return 2;
	open_device(name);
	for (int i = 0; i < n; i += 2) {
		connected(IBV_QPT_RC, gid[i], gid[i + 1], NULL, false);
		connected(IBV_QPT_UC, gid[i], gid[i + 1], NULL, false);
		datagram(gid[i], gid[i + 1]);
		multicast(gid[i]);
	}
	connected(IBV_QPT_RC, gid[0], gid[0], t.srq, false);
	connected(IBV_QPT_RC, gid[0], gid[0], NULL, true);
	check(!ibv_destroy_srq(t.srq) && !ibv_destroy_cq(t.cq) && !ibv_dereg_mr(t.mr));
	check(!ibv_dealloc_pd(t.pd) && !ibv_close_device(t.ctx));
	free(t.from);
	return 0;
}
