// SPDX-License-Identifier: Apache-2.0
/*
 * Address handles for datagrams of the connection manager.  To find a neighbour takes a round trip
 * through the network, or a second in vain; threads do that, a few at a time since each holds a
 * command of firmware, and datagrams wait meanwhile, as do programs that resolve an address.  What
 * is known is believed as long as firmware believes it, 30 s.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "port.h"

#define WORKERS 3u
#define WAITING_MADS 8u
#define MAX_ADDRESSES 512u
#define FRESH_NS 30000000000ull

struct waiter {
	struct waiter *next;
	address_fn fn;
	void *arg;
	uint64_t until;
};

/* A neighbour, by what makes an address handle another one. */
struct port_address {
	struct port_address *next;     /* of its port */
	struct port_address *next_job; /* of all that are to be resolved */
	struct port *port;
	struct cm_path path;
	struct ibv_ah *ah; /* NULL: not known (yet) */
	bool pending;	   /* a job, or a thread is at it */
	uint64_t known;	   /* since */
	struct waiter *waiters;
	unsigned int n_mads;
	uint8_t mads[WAITING_MADS][MAD_BYTES];
};

static struct port_address *jobs, **jobs_end = &jobs;
static unsigned int workers;

static bool same(const struct cm_path *a, const struct cm_path *b)
{
	return a->sgid_index == b->sgid_index && a->sl == b->sl &&
	       a->traffic_class == b->traffic_class && !memcmp(a->dgid, b->dgid, CM_GID_BYTES);
}

static struct ibv_ah *make_handle(const struct port *port, const struct cm_path *path)
{
	struct ibv_ah_attr attr = { .is_global = 1,
				    .port_num = PORT,
				    .sl = path->sl,
				    .grh = { .sgid_index = (uint8_t)path->sgid_index,
					     .hop_limit = path->hop_limit,
					     .traffic_class = path->traffic_class } };

	memcpy(attr.grh.dgid.raw, path->dgid, CM_GID_BYTES);
	return ah_create(port->pd, &attr);
}

/* All that waited, in order; with err those who may wait longer stay. */
static void answer(struct port_address *address, int err)
{
	struct waiter *waiter, **at = &address->waiters;
	uint64_t now = port_now();

	for (unsigned int i = 0; !err && i < address->n_mads; i++)
		mad_post(address->port, address->ah, address->mads[i]);
	address->port->waiting -= address->n_mads;
	address->n_mads = 0;
	while ((waiter = *at)) {
		if (err && now < waiter->until) {
			at = &waiter->next;
			continue;
		}
		*at = waiter->next;
		waiter->fn(waiter->arg, err);
		free(waiter);
		at = &address->waiters; /* fn may have cancelled others */
	}
}

static void queue_job(struct port_address *address)
{
	address->next_job = NULL;
	*jobs_end = address;
	jobs_end = &address->next_job;
}

static struct port_address *next_job(void)
{
	struct port_address *address = jobs;

	if (address) {
		jobs = address->next_job;
		if (!jobs)
			jobs_end = &jobs;
	}
	return address;
}

static void *work(void *arg)
{
	struct port_address *address;

	(void)arg;
	pthread_mutex_lock(&cm_lock);
	while ((address = next_job())) {
		struct port *port = address->port;
		struct ibv_ah *ah = NULL;
		int err = ENODEV;

		if (!port->lost) {
			pthread_mutex_unlock(&cm_lock);
			ah = make_handle(port, &address->path);
			err = ah ? 0 : errno;
			pthread_mutex_lock(&cm_lock);
		}
		address->ah = ah;
		address->known = port_now();
		address->pending = false;
		answer(address, err);
		if (address->waiters) { /* who has more patience */
			address->pending = true;
			queue_job(address);
		} else {
			port_put(port);
		}
	}
	workers--;
	pthread_mutex_unlock(&cm_lock);
	return NULL;
}

static int start_worker(void)
{
	pthread_t thread;
	sigset_t all, before;
	int err;

	if (workers == WORKERS)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, work, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		pthread_detach(thread);
	workers += !err;
	return workers ? 0 : err;
}

static int resolve(struct port_address *address)
{
	int err = address->pending ? 0 : start_worker();

	if (err || address->pending)
		return err;
	address->pending = true;
	port_hold(address->port);
	queue_job(address);
	return 0;
}

static void drop(struct port_address **at)
{
	struct port_address *address = *at;

	*at = address->next;
	if (address->ah)
		ah_destroy(address->ah);
	free(address);
}

/* Room for another: of many without a waiter, the oldest ones go. */
static void make_room(struct port *port)
{
	struct port_address **at = &port->addresses;

	for (unsigned int n = 0; *at; n++) {
		if (n >= MAX_ADDRESSES && !(*at)->pending)
			drop(at);
		else
			at = &(*at)->next;
	}
}

static struct port_address *find(struct port *port, const struct cm_path *path)
{
	struct port_address **at = &port->addresses, *address;

	while (*at && !same(&(*at)->path, path))
		at = &(*at)->next;
	address = *at;
	if (address) {
		*at = address->next; /* to the front */
	} else {
		make_room(port);
		address = calloc(1, sizeof(*address));
		if (!address)
			return NULL;
		address->port = port;
		address->path = *path;
	}
	address->next = port->addresses;
	port->addresses = address;
	/* An answer that has been given is in use no longer than a call: posting copies it. */
	if (address->ah && port_now() - address->known > FRESH_NS) {
		ah_destroy(address->ah);
		address->ah = NULL;
	}
	return address;
}

void address_send(void *arg, const struct cm_path *path, const uint8_t mad[MAD_BYTES])
{
	struct port *port = arg;
	struct port_address *address = port->lost ? NULL : find(port, path);

	if (!address)
		return;
	if (address->ah) {
		mad_post(port, address->ah, mad);
		return;
	}
	if (address->n_mads == WAITING_MADS || resolve(address))
		return; /* lost; it is said again */
	memcpy(address->mads[address->n_mads++], mad, MAD_BYTES);
	port->waiting++;
}

int address_resolve(struct port *port, const struct cm_path *path, uint64_t until, address_fn fn,
		    void *arg)
{
	struct port_address *address = find(port, path);
	struct waiter *waiter = address ? calloc(1, sizeof(*waiter)) : NULL, **end;
	int err;

	if (!waiter)
		return ENOMEM;
	/* Also when it is known: the answer comes from a thread, after this call. */
	err = resolve(address);
	if (err) {
		free(waiter);
		return err;
	}
	if (address->ah) {
		ah_destroy(address->ah);
		address->ah = NULL;
	}
	*waiter = (struct waiter){ .fn = fn, .arg = arg, .until = until };
	for (end = &address->waiters; *end; end = &(*end)->next)
		;
	*end = waiter;
	return 0;
}

void address_cancel(struct port *port, const void *arg)
{
	for (struct port_address *address = port->addresses; address; address = address->next)
		for (struct waiter **at = &address->waiters; *at;) {
			struct waiter *waiter = *at;

			if (waiter->arg == arg) {
				*at = waiter->next;
				free(waiter);
			} else {
				at = &waiter->next;
			}
		}
}

void address_forget(struct port *port)
{
	while (port->addresses)
		drop(&port->addresses);
}

void address_forked(void)
{
	jobs = NULL;
	jobs_end = &jobs;
	workers = 0;
}
