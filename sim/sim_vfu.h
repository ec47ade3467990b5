/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server: one NIC on one UNIX socket, for the driver's socket bus and for QEMU's
 * vfio-user-pci. Never blocks; the main loop polls its descriptors and calls it.  One client owns
 * the device; others are answered EBUSY, and those of another user than ours and root EPERM.
 * When a client goes, for whatever reason, the function is reset, then its maps, interrupts and
 * descriptors are dropped, then the next is taken.
 *
 * Main loop, with all servers of the process:
 *     n = sim_vfu_pollfds(v, fds, room);  poll(fds, ...);  sim_vfu_service(v);
 * every few hundred cycles while clocks run (timeout 0), and whenever poll() returns while they
 * stand.
 */
#ifndef CAIRN_SIM_VFU_H
#define CAIRN_SIM_VFU_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_mem.h"
#include "sim_pcie.h"

struct sim_vfu;

struct sim_vfu_cfg {
	const char *name;		/* for messages; "nic0" */
	const char *path;		/* of the socket */
	const char *shown;		/* what messages call it; NULL: path */
	struct sim_pcie *pcie;
	struct sim_mem *mem;
	bool messages; /* use DMA_READ and DMA_WRITE messages even where an fd was passed */
	bool ask_all;  /* ... and for what the client has not mapped */
	/* a client that does not answer a DMA message is dropped after this; 0: 10 s */
	unsigned int dma_timeout_ms;
	void (*log)(void *arg, const char *text);	/* NULL: stderr */
	void *arg;
	/* The client asks for a reset, which begins with done(done_arg).  NULL: at once. */
	void (*before_reset)(void *arg, void (*done)(void *done_arg), void *done_arg);
	void *before_arg;
	bool verbose;			/* log every message */
};

#define SIM_VFU_MAX_FDS 8	/* descriptors that sim_vfu_pollfds() fills at most */

/*
 * Listen.  NULL with errno set after a message: EADDRINUSE (that path has a server), EEXIST
 * (path is no socket), ENAMETOOLONG, or what the system said.  A stale socket file is replaced.
 */
struct sim_vfu *sim_vfu_new(const struct sim_vfu_cfg *cfg);
/* Closes everything and removes the socket file. */
void sim_vfu_free(struct sim_vfu *v);

unsigned int sim_vfu_pollfds(const struct sim_vfu *v, struct pollfd *fds, unsigned int room);
/* Do all that can be done without waiting.  Returns true if anything was done. */
bool sim_vfu_service(struct sim_vfu *v);
/*
 * Call sim_vfu_service() again after so many ms at the latest; -1: only when a descriptor is ready.
 */
int sim_vfu_timeout(const struct sim_vfu *v);

/*
 * Would an answer of the client be read?  While this is false its NIC's clock has to run even if a
 * message is unanswered (sim_pcie_stalled()): the answer lies behind requests that are not read
 * before the core has taken others.
 */
bool sim_vfu_listens(const struct sim_vfu *v);

/* A client is connected, or the reset after the last one is not done. */
bool sim_vfu_busy(const struct sim_vfu *v);

struct sim_vfu_stats {
	uint64_t clients, refused;		/* served; turned away */
	uint64_t messages, errors;		/* requests; error replies */
	uint64_t bar_reads, bar_writes;
	uint64_t dma_messages;
	uint64_t irqs;				/* eventfds written */
	uint64_t bad_clients;			/* dropped for breaking the protocol */
};
const struct sim_vfu_stats *sim_vfu_stats(const struct sim_vfu *v);

#endif
