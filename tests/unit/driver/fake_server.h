/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vfio-user server in a thread of the test, with the software device fakes[1] behind it.  It is
 * written from the protocol's description, apart from the driver's and the simulator's code, and
 * can be told to misbehave.
 */
#ifndef FAKE_SERVER_H
#define FAKE_SERVER_H

#include "fake_bus.h"

/* Path of this process' socket, from the first server_start() on, and its directory; ".json" stands
 * beside it.  Both are gone after server_stop(). */
extern char server_dir[32], server_socket[64];

/* What a server that misbehaves does with the n-th message. */
enum server_fault {
	SERVER_DIES,	       /* closes the connection */
	SERVER_STALLS,	       /* reads and answers nothing any more */
	SERVER_SENDS_NONSENSE, /* a reply with an id that nobody waits for */
	SERVER_SENDS_HUGE,     /* a reply that claims 2 GiB */
	SERVER_SENDS_SHORT,    /* a reply without its payload */
	SERVER_SENDS_LONG,     /* a reply with 8 bytes too many */
	SERVER_SAYS_NO,	       /* an error reply: EPERM */
};

struct server {
	/* Knobs. */
	uint32_t fault_at; /* message from now on; FAKE_NEVER */
	enum server_fault fault;
	uint32_t bar2_bytes; /* 0: as it should be */
	/* Seen. */
	/* ... wide: a descriptor of more than the mapped piece */
	unsigned int messages, clients, refused, fd_maps, message_maps, wide_maps, bad;
	/* Own. */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t done;
	atomic_bool stop;
	bool stalled, dead;
	int listener, sock;
	struct fake *fake;
	struct server_dma *dma; /* to be done */
};

extern struct server server;

void server_start(void);
void server_stop(void);
/* Close the client's connection. */
void server_drop_client(void);

/* Ask the client for memory, or give it some, by message: 0, -errno of its answer, -EPROTO. */
int server_dma_read(uint64_t iova, void *data, uint64_t len);
int server_dma_write(uint64_t iova, const void *data, uint64_t len);

#endif
