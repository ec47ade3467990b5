// SPDX-License-Identifier: Apache-2.0
/*
 * Data-checked transfers between two verbs devices of any kind: started on both machines, it sends,
 * writes and reads messages of many sizes from the client and then from the server, and compares
 * every byte of what arrives, and of what lies around it.
 *
 *     transfer -d DEVICE -g GID_INDEX -p PORT [-m MTU] [SERVER]
 *
 * Without SERVER it waits for a client.  Both keep step through a TCP connection.  One line for
 * each kind of message and each side that asked; exit status 0: all bytes right, 1: not so, 2:
 * could not be run.
 */
#include <getopt.h>
#include <infiniband/verbs.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define AREA 131072u /* of each of the three: what is sent, what comes in, what is read */
#define GUARD 512u   /* bytes compared on both sides of a message */
#define FILL 0xee
#define IMM 0x1ca12u  /* and the number of the message */
#define QP_TIMEOUT 18 /* 1.07 s: one side may be a slow simulation */
#define WAIT_S 60
#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

struct address {
	uint32_t qpn, psn, rkey, reserved;
	uint64_t base;
	union ibv_gid gid;
};

static struct {
	const char *device, *port, *server;
	int gid, mtu, sock;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *out, *in, *back; /* one registration */
	struct address mine, its;
} t = { .port = "18515", .gid = 1, .mtu = 1024 };

static const struct kind {
	const char *name;
	enum ibv_wr_opcode op;
	bool imm;
} kinds[] = {
	{ "SEND", IBV_WR_SEND, false },
	{ "SEND with immediate", IBV_WR_SEND_WITH_IMM, true },
	{ "RDMA WRITE", IBV_WR_RDMA_WRITE, false },
	{ "RDMA WRITE with immediate", IBV_WR_RDMA_WRITE_WITH_IMM, true },
	{ "RDMA READ", IBV_WR_RDMA_READ, false },
};

/* 0, 1, around the pad and around the path MTU, several packets; last one long. */
static const uint32_t sizes[] = { 0, 1, 3, 64, 1000, 1023, 1024, 1025, 4096, 4097, 10001, 65536 };

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "transfer: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

static void exchange(const void *out, void *in, size_t len)
{
	if (send(t.sock, out, len, MSG_NOSIGNAL) != (ssize_t)len ||
	    recv(t.sock, in, len, MSG_WAITALL) != (ssize_t)len)
		die("the other side has ended");
}

/* Wait for the other side; false when it or this one has seen something wrong. */
static bool step(bool good)
{
	char out = good ? 'y' : 'n', in;

	exchange(&out, &in, 1);
	return good && in == 'y';
}

static uint8_t pattern(unsigned int salt, uint32_t at)
{
	uint32_t x = (at + 1) * 2654435761u ^ salt * 40503u;

	return (uint8_t)(x >> 11 ^ x >> 23);
}

static void fill(uint8_t *to, unsigned int salt, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		to[i] = pattern(salt, i);
}

/* Exactly the message at `at` of an area that was all FILL. */
static bool arrived(const char *where, const uint8_t *area, uint32_t at, unsigned int salt,
		    uint32_t len)
{
	for (uint32_t i = at - GUARD; i < at + len + GUARD; i++) {
		bool inside = i >= at && i < at + len;
		uint8_t want = inside ? pattern(salt, i - at) : FILL;

		if (area[i] == want)
			continue;
		printf("%s: byte %d of a message of %u is %02x, not %02x\n", where,
		       (int)i - (int)at, len, area[i], want);
		return false;
	}
	return true;
}

static bool completion(const char *what, struct ibv_wc *wc)
{
	struct timespec began, now;
	int n;

	clock_gettime(CLOCK_MONOTONIC, &began);
	do {
		n = ibv_poll_cq(t.cq, 1, wc);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (!n && now.tv_sec - began.tv_sec < WAIT_S);
	if (n == 1 && wc->status == IBV_WC_SUCCESS)
		return true;
	if (n == 1)
		printf("%s: completion with %s (%d), vendor error 0x%x\n", what,
		       ibv_wc_status_str(wc->status), wc->status, wc->vendor_err);
	else
		printf("%s: no completion in %d s\n", what, WAIT_S);
	return false;
}

/* Offset of a message in its area: all alignments come along. */
static uint32_t place(unsigned int number)
{
	return GUARD + 64 + number % 67;
}

static bool post(struct ibv_send_wr *wr, const char *what)
{
	struct ibv_send_wr *bad;
	struct ibv_wc wc;

	if (ibv_post_send(t.qp, wr, &bad))
		die("ibv_post_send of %s: %m", what);
	do {
		if (!completion(what, &wc))
			return false;
		if (wc.wr_id != wr->wr_id) {
			printf("%s: completion of request %u, not %u\n", what,
			       (unsigned int)wc.wr_id, (unsigned int)wr->wr_id);
			return false;
		}
		wr = wr->next;
	} while (wr);
	return true;
}

static bool ask(const struct kind *kind, uint32_t len, unsigned int number)
{
	bool reads = kind->op == IBV_WR_RDMA_READ;
	uint32_t at = place(number);
	struct ibv_sge sge = { (uintptr_t)(reads ? t.back + at : t.out), len, t.mr->lkey };
	struct ibv_send_wr wr = { .wr_id = number,
				  .sg_list = &sge,
				  .num_sge = len ? 1 : 0,
				  .opcode = kind->op,
				  .send_flags = IBV_SEND_SIGNALED };
	struct ibv_send_wr tell = { .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED };

	/* its areas lie as ours do */
	wr.wr.rdma.remote_addr = t.its.base + (reads ? 0 : AREA + at);
	wr.wr.rdma.rkey = t.its.rkey;
	if (kind->imm)
		wr.imm_data = htobe32(IMM + number);
	if (kind->op ==
	    IBV_WR_RDMA_WRITE) /* it is in memory when a later SEND has completed there */
		wr.next = &tell;
	if (!post(&wr, kind->name))
		return false;
	return !reads || arrived(kind->name, t.back, at, number, len);
}

/* The other side asked: what has come of it here? */
static bool answer(const struct kind *kind, uint32_t len, unsigned int number)
{
	uint32_t told = kind->op == IBV_WR_RDMA_WRITE ? 0 : len;
	struct ibv_wc wc;

	if (kind->op == IBV_WR_RDMA_READ)
		return true;
	if (!completion("receive", &wc))
		return false;
	if (wc.byte_len != told || wc.wr_id != number ||
	    (kind->imm &&
	     (!(wc.wc_flags & IBV_WC_WITH_IMM) || be32toh(wc.imm_data) != IMM + number))) {
		printf("receive: %u bytes, request %u, flags 0x%x, immediate 0x%x\n", wc.byte_len,
		       (unsigned int)wc.wr_id, wc.wc_flags, be32toh(wc.imm_data));
		return false;
	}
	return arrived(kind->name, t.in, place(number), number, len);
}

static void post_recv(const struct kind *kind, uint32_t len, unsigned int number)
{
	bool lands = (kind->op == IBV_WR_SEND || kind->op == IBV_WR_SEND_WITH_IMM) && len;
	struct ibv_sge sge = { (uintptr_t)(t.in + place(number)), len, t.mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = number, .sg_list = &sge, .num_sge = lands }, *bad;

	if (ibv_post_recv(t.qp, &wr, &bad))
		die("ibv_post_recv: %m");
}

static bool message(const struct kind *kind, uint32_t len, unsigned int number, bool asking)
{
	bool reads = kind->op == IBV_WR_RDMA_READ;

	memset(t.in, FILL, AREA);
	memset(t.back, FILL, AREA);
	if (asking != reads)
		fill(t.out, number, len);
	if (!asking && !reads)
		post_recv(kind, len, number);
	if (!step(true) || !step(asking ? ask(kind, len, number) : true))
		return false;
	return step(asking ? true : answer(kind, len, number));
}

static bool run(void)
{
	unsigned int number = 1;

	for (int turn = 0; turn < 2; turn++) {
		bool asking = (turn == 0) == !!t.server;

		for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			for (unsigned int s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
				if (!message(&kinds[k], sizes[s], number++, asking)) {
					printf("%s of %u bytes from the %s: wrong\n", kinds[k].name,
					       sizes[s], turn ? "server" : "client");
					return false;
				}
			printf("%s from the %s: right\n", kinds[k].name,
			       turn ? "server" : "client");
			fflush(stdout);
		}
	}
	return true;
}

static int tcp(void)
{
	struct addrinfo hints = { .ai_family = AF_INET,
				  .ai_socktype = SOCK_STREAM,
				  .ai_flags = t.server ? 0 : AI_PASSIVE };
	struct addrinfo *to;
	int fd, one = 1, err;

	err = getaddrinfo(t.server, t.port, &hints, &to);
	if (err)
		die("%s: %s", t.server ? t.server : "port", gai_strerror(err));
	fd = socket(to->ai_family, to->ai_socktype, 0);
	if (fd < 0)
		die("socket: %m");
	if (t.server) {
		if (connect(fd, to->ai_addr, to->ai_addrlen))
			die("cannot connect to %s port %s: %m", t.server, t.port);
	} else {
		int listening = fd;

		setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (bind(listening, to->ai_addr, to->ai_addrlen) || listen(listening, 1))
			die("cannot listen on port %s: %m", t.port);
		fd = accept(listening, NULL, NULL);
		if (fd < 0)
			die("accept: %m");
		close(listening);
	}
	freeaddrinfo(to);
	return fd;
}

static void open_device(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	for (int i = 0; list && list[i] && !t.ctx; i++)
		if (!t.device || !strcmp(t.device, ibv_get_device_name(list[i])))
			t.ctx = ibv_open_device(list[i]);
	if (!t.ctx)
		die("no verbs device %s", t.device ? t.device : "at all");
	ibv_free_device_list(list);
	t.pd = ibv_alloc_pd(t.ctx);
	t.cq = t.pd ? ibv_create_cq(t.ctx, 16, NULL, NULL, 0) : NULL;
	t.out = aligned_alloc(4096, 3 * AREA);
	if (!t.cq || !t.out)
		die("cannot allocate PD, CQ or memory: %m");
	t.in = t.out + AREA;
	t.back = t.in + AREA;
	t.mr = ibv_reg_mr(t.pd, t.out, 3 * AREA, ACCESS);
	if (!t.mr)
		die("ibv_reg_mr: %m");
}

static enum ibv_mtu path_mtu(void)
{
	enum ibv_mtu mtu = IBV_MTU_256;

	while (mtu < IBV_MTU_4096 && 128 << mtu < t.mtu)
		mtu++;
	return mtu;
}

static void connect_qp(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = t.cq, .recv_cq = t.cq, .qp_type = IBV_QPT_RC, .cap = { 4, 4, 1, 1, 0 }
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT,
				    .port_num = 1,
				    .qp_access_flags = ACCESS };

	t.qp = ibv_create_qp(t.pd, &init);
	if (!t.qp)
		die("ibv_create_qp: %m");
	if (ibv_modify_qp(t.qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		die("QP to INIT: %m");
	t.mine = (struct address){ .qpn = t.qp->qp_num,
				   .rkey = t.mr->rkey,
				   .base = (uintptr_t)t.out,
				   .psn = t.server ? 0xffffe0 : 0x7fff80 }; /* the client's wraps */
	if (ibv_query_gid(t.ctx, 1, t.gid, &t.mine.gid))
		die("no GID %d: %m", t.gid);
	exchange(&t.mine, &t.its, sizeof(t.mine));
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTR,
				     .path_mtu = path_mtu(),
				     .dest_qp_num = t.its.qpn,
				     .rq_psn = t.its.psn,
				     .max_dest_rd_atomic = 4,
				     .min_rnr_timer = 12,
				     .ah_attr = { .is_global = 1,
						  .port_num = 1,
						  .grh = { .dgid = t.its.gid,
							   .sgid_index = (uint8_t)t.gid,
							   .hop_limit = 64 } } };
	if (ibv_modify_qp(t.qp, &attr,
			  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		die("QP to RTR: %m");
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS,
				     .sq_psn = t.mine.psn,
				     .timeout = QP_TIMEOUT,
				     .retry_cnt = 7,
				     .rnr_retry = 7,
				     .max_rd_atomic = 4 };
	if (ibv_modify_qp(t.qp, &attr,
			  IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				  IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC))
		die("QP to RTS: %m");
}

int main(int argc, char **argv)
{
	int option;
	bool good;

	while ((option = getopt(argc, argv, "d:g:p:m:")) != -1) {
		switch (option) {
		case 'd':
			t.device = optarg;
			break;
		case 'g':
			t.gid = atoi(optarg);
			break;
		case 'p':
			t.port = optarg;
			break;
		case 'm':
			t.mtu = atoi(optarg);
			break;
		default:
			die("usage: transfer -d DEVICE -g GID_INDEX -p PORT [-m MTU] [SERVER]");
		}
	}
	t.server = optind < argc ? argv[optind] : NULL;
	open_device();
	t.sock = tcp();
	connect_qp();
	good = step(true) && run();
	ibv_destroy_qp(t.qp);
	ibv_dereg_mr(t.mr);
	ibv_destroy_cq(t.cq);
	ibv_dealloc_pd(t.pd);
	ibv_close_device(t.ctx);
	return good ? 0 : 1;
}
