// SPDX-License-Identifier: Apache-2.0
/*
 * Ports of the connection manager, and its thread.  One thread serves all ports of a process: it
 * takes what comes, runs timers, and closes ports that are no longer needed; it ends with the last
 * of them. When the process ends in an orderly way, peers are told what their connections have come
 * to.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "port.h"

#define MAX_PORTS 256u
#define THINKING 4u /* log2 */

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER; /* outer: who opens and closes */
static const struct port_client *client;

static uint64_t now_of(void *arg)
{
	(void)arg;
	return port_now();
}

static uint32_t random_of(void *arg)
{
	uint32_t value = 0;

	(void)arg;
	while (getrandom(&value, sizeof(value), 0) != sizeof(value))
		;
	return value;
}

static int own_gid(void *arg, const uint8_t gid[CM_GID_BYTES])
{
	return port_gid_index(arg, gid);
}

/* ---------------------------------------------------------------- ports */

static void close_port(struct port *port)
{
	address_forget(port);
	mad_close(port);
	cm_end(&port->cm);
	if (port->ctx)
		context_close(port->ctx);
	free(port);
}

/* What paths need and a command tells. */
static int learn(struct port *port)
{
	struct ibv_device_attr device;
	struct ibv_port_attr attr;
	int err = query_port(port->ctx, PORT, &attr, sizeof(attr));

	if (!err)
		err = query_device(port->ctx, &device);
	if (err)
		return err;
	port->mtu = (uint8_t)attr.active_mtu;
	port->ack_delay = device.local_ca_ack_delay;
	return 0;
}

/*
 * CAIRN_CM_TIMEOUT=EXPONENT[,RETRIES]: how long a peer may take for an answer, 4.096 us *
 * 2^EXPONENT, and how often it is asked again.  One that says that its program is thinking has 16
 * times as long.
 */
static void read_settings(struct cm *cm)
{
	const char *text = secure_getenv("CAIRN_CM_TIMEOUT");
	unsigned int exponent, retries = cm->max_retries;

	if (!text || !*text)
		return;
	if (sscanf(text, "%u,%u", &exponent, &retries) < 1 || exponent + THINKING > 31 ||
	    retries > 15) {
		cairn_warn("CAIRN_CM_TIMEOUT=%s is not EXPONENT[,RETRIES] (up to 27 and 15): not used",
			   text);
		return;
	}
	cm->response_timeout = (uint8_t)exponent;
	cm->mra_timeout = (uint8_t)(exponent + THINKING);
	cm->max_retries = (uint8_t)retries;
}

static struct port *open_port(struct nic *nic)
{
	struct port *port = calloc(1, sizeof(*port));
	struct cm_env env = { .send = address_send,
			      .now = now_of,
			      .random = random_of,
			      .request = client->request,
			      .own_gid = own_gid,
			      .arg = port };
	int err;

	if (!port)
		return fail_null(ENOMEM);
	port->nic = nic;
	port->ctx = context_open(nic);
	err = port->ctx ? cm_init(&port->cm, &env, nic->guid) : errno;
	if (!err)
		read_settings(&port->cm);
	if (!err)
		err = learn(port);
	if (!err)
		err = mad_open(port);
	if (!err)
		return port;
	close_port(port);
	return fail_null(err);
}

/* ---------------------------------------------------------------- the thread */

static void async_events(struct port *port)
{
	struct ibv_async_event event;
	struct pollfd fd = { .fd = port->ctx->async_fd, .events = POLLIN };

	while (!port->lost && poll(&fd, 1, 0) == 1) {
		if (event_get_async(port->ctx, &event) ||
		    event.event_type == IBV_EVENT_DEVICE_FATAL) {
			port->lost = true;
			client->lost(port);
		}
	}
}

static void completions(struct port *port)
{
	struct pollfd fd = { .fd = port->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *user;

	/* Armed first: what comes behind the poll raises another event. */
	if (!port->lost && poll(&fd, 1, 0) == 1 && !event_get_cq(port->channel, &cq, &user)) {
		cq->comp_events_completed++;
		cq_req_notify(cq, 0);
	}
	if (!port->lost)
		mad_poll(port);
}

/* Under cm_lock: what is due; returns how long to wait, ms. */
static int serve(void)
{
	uint64_t next = CM_NEVER, now;

	for (struct port *port = ports; port; port = port->next) {
		uint64_t due;

		async_events(port);
		completions(port);
		due = cm_run(&port->cm);
		next = due < next ? due : next;
	}
	if (next == CM_NEVER)
		return -1;
	now = port_now();
	return next <= now ? 0
			   : (int)((next - now) / 1000000 + 1 > 60000 ? 60000
								      : (next - now) / 1000000 + 1);
}

static struct port *take_unused(void)
{
	for (struct port **at = &ports; *at; at = &(*at)->next) {
		struct port *port = *at;

		if (port->users || (port->cm.ids && !port->lost))
			continue;
		*at = port->next;
		return port;
	}
	return NULL;
}

/* Closing talks to the device, so cm_lock is not held; who opens it anew waits. */
static void close_unused(void)
{
	struct port *port;

	pthread_mutex_lock(&open_lock);
	for (;;) {
		pthread_mutex_lock(&cm_lock);
		port = take_unused();
		pthread_mutex_unlock(&cm_lock);
		if (!port)
			break;
		close_port(port);
	}
	pthread_mutex_unlock(&open_lock);
}

static unsigned int descriptors(struct pollfd *fds)
{
	unsigned int n = 0;

	fds[n++] = (struct pollfd){ .fd = port_wake_fd, .events = POLLIN };
	for (struct port *port = ports; port && n + 2 < 2 * MAX_PORTS; port = port->next) {
		if (port->lost)
			continue;
		fds[n++] = (struct pollfd){ .fd = port->channel->fd, .events = POLLIN };
		fds[n++] = (struct pollfd){ .fd = port->ctx->async_fd, .events = POLLIN };
	}
	return n;
}

static void *thread(void *arg)
{
	static struct pollfd fds[2 * MAX_PORTS + 1];

	(void)arg;
	for (;;) {
		eventfd_t value;
		unsigned int n;
		int wait;

		pthread_mutex_lock(&cm_lock);
		wait = serve();
		pthread_mutex_unlock(&cm_lock);
		close_unused();
		pthread_mutex_lock(&cm_lock);
		if (!ports) {
			close(port_wake_fd);
			port_wake_fd = -1;
			pthread_mutex_unlock(&cm_lock);
			return NULL;
		}
		n = descriptors(fds);
		pthread_mutex_unlock(&cm_lock);
		if (poll(fds, n, wait) > 0 && fds[0].revents)
			eventfd_read(port_wake_fd, &value);
	}
}

/* Under both locks. */
static int start_thread(void)
{
	pthread_t id;
	sigset_t all, before;
	int err;

	if (port_wake_fd >= 0)
		return 0;
	port_wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (port_wake_fd < 0)
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&id, NULL, thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		close(port_wake_fd);
		port_wake_fd = -1;
		return err;
	}
	pthread_detach(id);
	return 0;
}

static struct port *of_nic(const struct nic *nic)
{
	struct port *port = ports;

	while (port && (port->nic != nic || port->lost))
		port = port->next;
	return port;
}

struct port *port_get(struct nic *nic)
{
	struct port *port, *fresh = NULL;
	int err = 0;
	UNCANCELLED;

	pthread_mutex_lock(&open_lock);
	pthread_mutex_lock(&cm_lock);
	port = of_nic(nic);
	if (port)
		port->users++;
	pthread_mutex_unlock(&cm_lock);
	if (!port) {
		fresh = open_port(nic);
		err = fresh ? 0 : errno;
	}
	if (fresh) {
		pthread_mutex_lock(&cm_lock);
		fresh->users = 1;
		fresh->next = ports;
		ports = fresh;
		err = start_thread();
		if (err)
			ports = fresh->next;
		pthread_mutex_unlock(&cm_lock);
		if (err)
			close_port(fresh);
		else
			port_kick();
		port = err ? NULL : fresh;
	}
	pthread_mutex_unlock(&open_lock);
	return port ? port : fail_null(err);
}

void port_serve(const struct port_client *who)
{
	client = who;
}

static void forked(bool child)
{
	if (!child)
		return;
	pthread_mutex_init(&open_lock, NULL);
	ports = NULL;
	if (port_wake_fd >= 0)
		close(port_wake_fd);
	port_wake_fd = -1;
	address_forked();
	if (client)
		client->forked();
}

__attribute__((constructor)) static void tell_of_forks(void)
{
	fork_part(FORK_PORTS, NULL, forked);
}
