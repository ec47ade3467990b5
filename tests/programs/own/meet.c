// SPDX-License-Identifier: Apache-2.0
/* See meet.h. */
#include "meet.h"

#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WAIT_S 120

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, " (%s)\n", strerror(errno));
	exit(1);
}

static int meet_socket(const char *name, const char *port)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *at;
	int one = 1, listener, fd;

	hints.ai_flags = name ? 0 : AI_PASSIVE;
	check(!getaddrinfo(name, port, &hints, &at));
	fd = socket(at->ai_family, SOCK_STREAM, 0);
	check(fd >= 0);
	if (name) {
		check(!connect(fd, at->ai_addr, at->ai_addrlen));
		freeaddrinfo(at);
		return fd;
	}
	listener = fd;
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	check(!bind(listener, at->ai_addr, at->ai_addrlen) && !listen(listener, 1));
	freeaddrinfo(at);
	fd = accept(listener, NULL, NULL);
	check(fd >= 0);
	close(listener);
	return fd;
}

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;

	for (int i = 0; list && list[i] && !ctx; i++)
		if (!name || !strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (!ctx)
		fail("no device %s", name ? name : "");
	ibv_free_device_list(list);
	return ctx;
}

struct ibv_qp *meet_qp(struct meet *m, enum ibv_qp_type type, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = { .qp_type = type,
					 .send_cq = m->cq,
					 .recv_cq = m->cq,
					 .srq = srq,
					 .cap = { .max_send_wr = 64,
						  .max_recv_wr = srq ? 0 : 64,
						  .max_send_sge = 1,
						  .max_recv_sge = srq ? 0 : 1 } };
	struct ibv_qp *qp = ibv_create_qp(m->pd, &init);

	check(qp);
	return qp;
}

void meet_open(struct meet *m, int argc, char **argv, enum ibv_qp_type type, int access,
	       size_t bytes)
{
	const char *device = NULL, *port = "18515";
	int c;

	*m = (struct meet){ .mtu = 1024, .option = "" };
	while ((c = getopt(argc, argv, "d:g:x:p:m:o:")) != -1) {
		if (c == 'd')
			device = optarg;
		else if (c == 'p')
			port = optarg;
		else if (c == 'g' || c == 'x')
			m->gid_index = (uint8_t)atoi(optarg);
		else if (c == 'm')
			m->mtu = (unsigned int)atoi(optarg);
		else if (c == 'o')
			m->option = optarg;
		else
			fail("usage: %s -d DEVICE -g GID -p PORT [-m MTU] [-o OPTION] [SERVER]",
			     argv[0]);
	}
	m->server = optind == argc;
	m->ctx = open_device(device);
	check(!ibv_query_gid(m->ctx, 1, m->gid_index, &m->gid));
	m->pd = ibv_alloc_pd(m->ctx);
	m->cq = m->pd ? ibv_create_cq(m->ctx, 256, NULL, NULL, 0) : NULL;
	m->mem = aligned_alloc(4096, bytes);
	check(m->cq && m->mem);
	memset(m->mem, m->server ? 0x11 : 0x22, bytes);
	m->mr = ibv_reg_mr(m->pd, m->mem, bytes, access);
	check(m->mr);
	m->qp = meet_qp(m, type, NULL);
	m->socket = meet_socket(m->server ? NULL : argv[optind], port);
}

void meet_close(struct meet *m)
{
	meet_sync(m);
	check(!ibv_destroy_qp(m->qp));
	check(!ibv_dereg_mr(m->mr));
	check(!ibv_destroy_cq(m->cq));
	check(!ibv_dealloc_pd(m->pd));
	check(!ibv_close_device(m->ctx));
	close(m->socket);
	free(m->mem);
}

void meet_swap(struct meet *m, const void *mine, void *other, uint32_t size)
{
	uint8_t *to = other;

	check(write(m->socket, mine, size) == (ssize_t)size);
	while (size) {
		ssize_t n = read(m->socket, to, size);

		if (n <= 0)
			fail("the other side is gone");
		to += n;
		size -= (uint32_t)n;
	}
}

void meet_sync(struct meet *m)
{
	uint32_t mine = 0x600d, other = 0;

	meet_swap(m, &mine, &other, sizeof(mine));
	check(other == mine);
}

static uint8_t or_else(uint8_t value, uint8_t otherwise)
{
	return value ? value : otherwise;
}

static void to_rts(struct meet *m, struct ibv_qp *qp, const struct meet_path *path,
		   const struct meet_end *to)
{
	bool rc = qp->qp_type == IBV_QPT_RC;
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR,
				    .path_mtu = IBV_MTU_256,
				    .dest_qp_num = to->qpn,
				    .rq_psn = to->psn,
				    .max_dest_rd_atomic = or_else(path->reads, 1),
				    .min_rnr_timer = or_else(path->rnr_timer, 12),
				    .ah_attr = { .is_global = 1,
						 .port_num = 1,
						 .grh = { .dgid = to->gid,
							  .sgid_index = m->gid_index,
							  .hop_limit = 64 } } };

	while (attr.path_mtu < IBV_MTU_4096 && 128u << attr.path_mtu < m->mtu)
		attr.path_mtu++;
	check(!ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				     IBV_QP_RQ_PSN |
				     (rc ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0)));
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS,
				     .sq_psn = path->psn,
				     .timeout = or_else(path->timeout, 18),
				     .retry_cnt = or_else(path->retry, 7),
				     .rnr_retry = or_else(path->rnr, 7),
				     .max_rd_atomic = or_else(path->reads, 1) };
	check(!ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_SQ_PSN |
				     (rc ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
						      IBV_QP_MAX_QP_RD_ATOMIC
					 : 0)));
}

void meet_ud(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = MEET_QKEY };

	check(!ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
	attr.qp_state = IBV_QPS_RTR;
	check(!ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	attr.qp_state = IBV_QPS_RTS;
	check(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN));
}

struct meet_end meet_connect(struct meet *m, struct ibv_qp *qp, const struct meet_path *path)
{
	struct meet_end mine = { m->gid, qp->qp_num, path->psn }, other;
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };

	check(!ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	meet_swap(m, &mine, &other, sizeof(mine));
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT,
				     .port_num = 1,
				     .qp_access_flags = (unsigned int)path->access };
	check(!ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
	to_rts(m, qp, path, &other);
	meet_sync(m);
	return other;
}

struct ibv_wc meet_any(struct meet *m)
{
	time_t until = time(NULL) + WAIT_S;
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(m->cq, 1, &wc)))
		if (time(NULL) > until)
			fail("no completion in %d s", WAIT_S);
	check(n == 1);
	return wc;
}

struct ibv_wc meet_wc(struct meet *m, enum ibv_wc_status status)
{
	struct ibv_wc wc = meet_any(m);

	if (wc.status != status)
		fail("status %s, not %s", ibv_wc_status_str(wc.status), ibv_wc_status_str(status));
	return wc;
}
