/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long send work requests take, in device time: from the call that posts them to the time stamp
 * of their completion.  Signalled requests only, for others have no completion, and only those that
 * succeed; receives are not measured.
 *
 *   latency.c    the page (lat_page.h): its life, whose slot is whose, counting
 *   lat_clock.c  device time at the moment of posting, without asking the device
 *
 * While no tool watches, a post costs two loads and a branch, a completion a branch.
 */
#ifndef LATENCY_H
#define LATENCY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "devtime.h"
#include "lat_page.h"

struct qp;
struct nic;
struct cairn_cqe;

/* Of device time: what a slot of the send queue keeps, modulo three days. */
#define LAT_TIME_MASK ((1ull << 48) - 1)
/* In its place: */
#define LAT_UNMEASURED 0u
#define LAT_ASK 1u /* the time is not known: its completion reads the clocks */

/* A simulated device's time is a page; of a real one there is a line through pairs (struct wall),
 * which who polls renews and who posts reads. */
struct lat_clock {
	const struct devtime_page *page;
	uint32_t seq;	/* odd while the next three are changed */
	uint32_t pairs; /* 0, 1, or 2: enough */
	uint64_t device[2], system[2];
	pthread_mutex_t lock; /* who renews it */
};

struct latency {
	struct lat_page *page; /* NULL: nothing is measured */
	int page_fd, file_fd;
	const uint64_t *watch; /* never NULL once the device is open */
	struct lat_clock clock;
	pthread_mutex_t lock;  /* owners */
	bool alive[LAT_SLOTS]; /* its QP is */
	unsigned int used;     /* what the page should say */
	uint32_t lives;
};

/* ---- latency.c ---- */

/* At the first open and the last close of a device.  It works without, if that is how it is. */
void lat_open(struct nic *nic);
void lat_close(struct nic *nic);
/* In the child of a fork. */
void lat_forked(struct nic *nic);
void lat_qp_created(struct qp *qp);
/* Nothing of it is under way. */
void lat_qp_reset(struct qp *qp);
void lat_qp_destroyed(struct qp *qp);

static inline bool lat_watched(const uint64_t *watch)
{
	return __builtin_expect(!!__atomic_load_n(watch, __ATOMIC_RELAXED), 0);
}

/* A tool watches: what the slots of this batch get, into qp->build.posted. */
void lat_posting(struct qp *qp);
/* A send's completion, of one that was posted then (not LAT_UNMEASURED); under the CQ's lock. */
void lat_completed(struct qp *qp, uint64_t posted, const struct cairn_cqe *cqe);

/* ---- lat_clock.c ---- */

/* Of a simulated NIC `name` in that directory, or (NULL) of another.  0, or -errno with the reason
 * in why. */
int lat_clock_start(struct lat_clock *clock, int dir, const char *name, char *why, size_t size);
void lat_clock_stop(struct lat_clock *clock);
/* Device time, or 0: not known. */
uint64_t lat_clock_now(const struct lat_clock *clock);
/* A completion has that time stamp; asks: its request could not be measured. */
void lat_clock_renew(struct lat_clock *clock, struct nic *nic, uint64_t timestamp, bool asks);

#endif
