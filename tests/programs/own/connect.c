// SPDX-License-Identifier: Apache-2.0
/*
 * Connections by rdma_cm, one after the other, and ends that die in the middle.
 *
 *   connect serve|call ADDRESS COUNT [WHAT]
 *
 * Each end says every event with its status, one a line.  WHAT a server does with a request: accept
 * (receives a message and waits for the end), reject, ignore (until it is killed), or dies: at-req,
 * at-rep (when it has accepted), at-est (when it is established).  WHAT a client does: close (sends
 * a message, disconnects), leave (ends without a word), send (goes on until a send fails), or dies:
 * at-req, at-est.  At the end an end that has lived says how many descriptors and threads it has
 * more than after its first connection.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entries.h"

#define PORT 7174
#define need(condition)                                                                    \
	do {                                                                               \
		if (!(condition)) {                                                        \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, \
				strerror(errno));                                          \
			exit(1);                                                           \
		}                                                                          \
	} while (0)

static struct rdma_event_channel *channel;
static const char *what;

static bool is(const char *word)
{
	return !strcmp(what, word);
}

static void die(void)
{
	fflush(stdout);
	kill(getpid(), SIGKILL);
}

/* The next event, acknowledged; its ID and status. */
static enum rdma_cm_event_type next(struct rdma_cm_id **id, int *status)
{
	enum rdma_cm_event_type type;
	struct rdma_cm_event *event;

	need(!rdma_get_cm_event(channel, &event));
	type = event->event;
	*id = event->id;
	*status = event->status;
	rdma_ack_cm_event(event);
	printf("%s %d\n", rdma_event_str(type), *status);
	fflush(stdout);
	return type;
}

static void create_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr attr = { .cap = { .max_send_wr = 4,
						  .max_recv_wr = 4,
						  .max_send_sge = 1,
						  .max_recv_sge = 1 },
					 .qp_type = IBV_QPT_RC };

	need(!rdma_create_qp(id, NULL, &attr));
}

static void destroy(struct rdma_cm_id *id)
{
	if (id->qp)
		rdma_destroy_qp(id);
	need(!rdma_destroy_id(id));
}

static struct rdma_conn_param parameters(void)
{
	return (struct rdma_conn_param){ .responder_resources = 1,
					 .initiator_depth = 1,
					 .retry_count = 1,
					 .rnr_retry_count = 7 };
}

/* One message; the status of its completion. */
static enum ibv_wc_status message(struct rdma_cm_id *id)
{
	static char text[64] = "hello";
	struct ibv_mr *mr = rdma_reg_msgs(id, text, sizeof(text));
	struct ibv_wc wc;

	need(mr);
	need(!rdma_post_send(id, NULL, text, sizeof(text), mr, IBV_SEND_SIGNALED));
	need(rdma_get_send_comp(id, &wc) == 1);
	need(!rdma_dereg_mr(mr));
	return wc.status;
}

/* Until the other end has ended it, or this one knows that it is gone. */
static void until_disconnected(struct rdma_cm_id *id)
{
	struct rdma_cm_id *of;
	int status;

	for (;;) {
		enum rdma_cm_event_type type = next(&of, &status);

		need(of == id);
		if (type == RDMA_CM_EVENT_DISCONNECTED)
			return;
	}
}

/* ---------------------------------------------------------------- the server */

static void accept_one(struct rdma_cm_id *id)
{
	struct rdma_conn_param param = parameters();
	static char text[64];
	struct rdma_cm_id *of;
	struct ibv_mr *mr;
	int status;

	create_qp(id);
	mr = rdma_reg_msgs(id, text, sizeof(text));
	need(mr && !rdma_post_recv(id, NULL, text, sizeof(text), mr));
	if (rdma_accept(id, &param)) { /* its QP does not find the other end any more */
		printf("accept: %s\n", strerror(errno));
	} else if (is("at-rep")) {
		die();
	} else if (next(&of, &status) == RDMA_CM_EVENT_ESTABLISHED) {
		if (is("at-est"))
			die();
		if (is("send")) {
			while (message(id) == IBV_WC_SUCCESS)
				;
			puts("send failed");
			need(!rdma_disconnect(id));
		}
		until_disconnected(id);
		rdma_disconnect(id); /* the answer, where the other end has asked */
	}
	need(!rdma_dereg_mr(mr));
	destroy(id);
}

static void request(struct rdma_cm_id *id)
{
	if (is("at-req"))
		die();
	if (is("ignore"))
		return;
	if (is("reject")) {
		need(!rdma_reject(id, "no", 3));
		destroy(id);
		return;
	}
	accept_one(id);
}

static void serve(struct sockaddr_in *addr, unsigned int count)
{
	struct rdma_cm_id *listener, *id;
	unsigned int before = 0;
	int status;

	need(!rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP));
	need(!rdma_bind_addr(listener, (struct sockaddr *)addr));
	need(!rdma_listen(listener, 1));
	puts("listening");
	fflush(stdout);
	for (unsigned int i = 0; i < count || is("ignore");) {
		if (next(&id, &status) != RDMA_CM_EVENT_CONNECT_REQUEST)
			continue; /* TIMEWAIT_EXIT of one before is dropped with its ID */
		request(id);
		if (!i++)
			before = entries("/proc/self/fd") + entries("/proc/self/task");
	}
	printf("more: %d\n",
	       (int)(entries("/proc/self/fd") + entries("/proc/self/task") - before));
	need(!rdma_destroy_id(listener));
}

/* ---------------------------------------------------------------- the client */

static void established(struct rdma_cm_id *id)
{
	if (is("at-est"))
		die();
	if (is("leave"))
		exit(0);
	while (message(id) == IBV_WC_SUCCESS && is("send"))
		usleep(100000);
	need(!rdma_disconnect(id));
	until_disconnected(id);
}

static void call_one(struct sockaddr_in *addr)
{
	struct rdma_conn_param param = parameters();
	struct rdma_cm_id *id, *of;
	int status;

	need(!rdma_create_id(channel, &id, NULL, RDMA_PS_TCP));
	need(!rdma_resolve_addr(id, NULL, (struct sockaddr *)addr, 5000));
	need(next(&of, &status) == RDMA_CM_EVENT_ADDR_RESOLVED && of == id);
	need(!rdma_resolve_route(id, 1000));
	need(next(&of, &status) == RDMA_CM_EVENT_ROUTE_RESOLVED && of == id);
	create_qp(id);
	need(!rdma_connect(id, &param));
	if (is("at-req")) {
		usleep(300000);
		die();
	}
	if (next(&of, &status) == RDMA_CM_EVENT_ESTABLISHED)
		established(id);
	destroy(id);
}

int main(int argc, char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	unsigned int count, before = 0;

	if (argc < 4 || inet_pton(AF_INET, argv[2], &addr.sin_addr) != 1) {
		fprintf(stderr, "usage: connect serve|call ADDRESS COUNT [WHAT]\n");
		return 2;
	}
	count = (unsigned int)atoi(argv[3]);
	what = argc > 4 ? argv[4] : "";
	channel = rdma_create_event_channel();
	need(channel);
	if (!strcmp(argv[1], "serve")) {
		serve(&addr, count);
		return 0;
	}
	for (unsigned int i = 0; i < count; i++) {
		call_one(&addr);
		if (!i)
			before = entries("/proc/self/fd") + entries("/proc/self/task");
	}
	printf("more: %d\n",
	       (int)(entries("/proc/self/fd") + entries("/proc/self/task") - before));
	return 0;
}
