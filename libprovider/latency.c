// SPDX-License-Identifier: Apache-2.0
/*
 * The page of latencies (lat_page.h): made when a device is opened, its figures kept in its file
 * when it is closed; a slot of it for each QP; and the counting (latency.h).
 *
 * A slot is its QP's until another QP needs one, so that figures of a QP that is gone can still be
 * read; then they go into the slot that is for all others, and what the device's QPs make together
 * never goes back.
 */
#include "latency.h"

#include <stdlib.h>
#include <string.h>

#include "provider.h"
#include "sealed.h"
#include "trust.h"

#define ALWAYS UINT64_MAX
#define LOOK_AFTER 256u /* requests, at the end of watching */

static const uint64_t nobody_watches;

/* ---------------------------------------------------------------- the page's life */

static bool wanted(void)
{
	const char *text = secure_getenv("CAIRN_STATS");

	return text && *text && strcmp(text, "0");
}

/*
 * The directory of a device's files, and what their names begin with: beside the socket of a
 * simulated NIC, else the user's run directory, which is made if need be.  False: it has none.
 */
static bool place(const struct nic *nic, char *dir, char *stem, size_t size)
{
	const char *slash = strrchr(nic->addr, '/');
	size_t len;

	if (!slash) {
		if (!trust_rundir(dir, size) || !cairn_bdf(nic->addr, stem))
			return false;
		mkdir(dir, 0700);
		return true;
	}
	len = strlen(slash + 1);
	if (len > 5 && !strcmp(slash + 1 + len - 5, ".sock"))
		len -= 5;
	snprintf(dir, size, "%.*s", slash == nic->addr ? 1 : (int)(slash - nic->addr), nic->addr);
	snprintf(stem, size, "%.*s", (int)len, slash + 1);
	return true;
}

static int make_page(struct latency *lat, const struct nic *nic)
{
	void *map;
	int fd = sealed_new("cairn latencies", sizeof(*lat->page), true, &map);

	if (fd < 0)
		return fd;
	lat->page = map;
	lat->page_fd = fd;
	memcpy(lat->page->head.magic, LAT_MAGIC, sizeof(lat->page->head.magic));
	memcpy(lat->page->head.device, nic->ibv.name, sizeof(lat->page->head.device));
	lat->page->head.owner[0].qpn = LAT_NO_QP;
	lat->page->head.used = lat->used = 1;
	lat->page->head.watch = wanted() ? ALWAYS : 0;
	return 0;
}

static void drop_page(struct latency *lat)
{
	munmap(lat->page, sizeof(*lat->page));
	close(lat->page_fd);
	lat->page = NULL;
}

static int make(struct nic *nic, int dir, const char *stem, char *why, size_t size)
{
	struct sealed_at at = { LAT_MAGIC, (uint32_t)getpid(), -1, sizeof(*nic->lat.page), { 0 } };
	bool simulated = strchr(nic->addr, '/');
	struct latency *lat = &nic->lat;
	char name[NIC_ADDR_BYTES + 16];
	int err;

	snprintf(name, sizeof(name), "%s.time", stem);
	err = lat_clock_start(&lat->clock, dir, simulated ? name : NULL, why, size);
	if (err)
		goto err_clock;
	err = make_page(lat, nic);
	if (err) {
		snprintf(why, size, "no page for them: %s", strerror(-err));
		goto err_clock;
	}
	at.fd = lat->page_fd;
	snprintf(name, sizeof(name), "%s.lat", stem);
	lat->file_fd = sealed_announce(dir, name, &at);
	if (lat->file_fd >= 0) {
		lat->watch = &lat->page->head.watch;
		return 0;
	}
	err = lat->file_fd;
	snprintf(why, size, "%.160s: %s", name, strerror(-err));
	drop_page(lat);
err_clock:
	lat_clock_stop(&lat->clock);
	return err;
}

void lat_open(struct nic *nic)
{
	char path[NIC_ADDR_BYTES + 8], stem[NIC_ADDR_BYTES + 8], why[256];
	struct latency *lat = &nic->lat;
	int dir, err;

	memset(lat, 0, sizeof(*lat));
	lat->watch = &nobody_watches;
	pthread_mutex_init(&lat->lock, NULL);
	if (!place(nic, path, stem, sizeof(path)))
		return;
	dir = err = trust_open_dir(path, TRUST_PRIVATE, why, sizeof(why));
	if (dir >= 0) {
		err = make(nic, dir, stem, why, sizeof(why));
		close(dir);
	}
	if (err && wanted())
		cairn_warn("%s: latencies are not measured: %s", nic->addr, why);
}

static bool put(int fd, const void *data, size_t len, off_t at)
{
	return pwrite(fd, data, len, LAT_FILE_OFFSET + at) == (ssize_t)len;
}

/* Into the file, for those who look later; another program may have made a new one of its name
 * since.  What cannot be written is not worth a message to a program that is done. */
static void keep(const struct latency *lat)
{
	struct sealed_at at = { LAT_MAGIC, 0, -1, 0, { 0 } };
	const struct lat_page *page = lat->page;
	bool good = sealed_fits(LAT_FILE_OFFSET + sizeof(*page)) &&
		    put(lat->file_fd, &page->head, sizeof(page->head), 0);

	for (unsigned int i = 0; good && i < lat->used; i++)
		if (page->slot[i].count)
			good = put(lat->file_fd, &page->slot[i], sizeof(page->slot[i]),
				   (off_t)((const char *)&page->slot[i] - (const char *)page));
	/* What was not counted is a hole; the last slot's end must be there. */
	if (good && !ftruncate(lat->file_fd, (off_t)(LAT_FILE_OFFSET + sizeof(*page))))
		at.bytes = sizeof(*page);
	(void)!pwrite(lat->file_fd, &at, sizeof(at), 0);
}

void lat_close(struct nic *nic)
{
	struct latency *lat = &nic->lat;

	lat->watch = &nobody_watches;
	if (lat->page) {
		keep(lat);
		close(lat->file_fd);
		drop_page(lat);
		lat_clock_stop(&lat->clock);
	}
	pthread_mutex_destroy(&lat->lock);
}

void lat_forked(struct nic *nic)
{
	struct latency *lat = &nic->lat;

	lat->watch = &nobody_watches;
	if (!lat->page)
		return;
	close(lat->page_fd);
	close(lat->file_fd);
	lat->page = NULL; /* children do not have it mapped */
	lat_clock_stop(&lat->clock);
}

/* ---------------------------------------------------------------- whose slot is whose */

/* The slot of all others is counted in by several at once. */
static void add(uint64_t *word, uint64_t n, bool shared)
{
	if (shared)
		__atomic_fetch_add(word, n, __ATOMIC_RELAXED);
	else
		__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

static void set_max(uint64_t *max, uint64_t n)
{
	if (n > __atomic_load_n(max, __ATOMIC_RELAXED))
		__atomic_store_n(max, n, __ATOMIC_RELAXED);
}

/* Its figures go to those of all others, and it has another owner. */
static void hand_over(struct latency *lat, unsigned int i, uint32_t qpn)
{
	struct lat_page *page = lat->page;
	struct lat_slot *from = &page->slot[i], *to = &page->slot[0];

	__atomic_fetch_add(&page->head.seq, 1, __ATOMIC_ACQ_REL);
	if (from->count) {
		for (unsigned int b = 0; b < LAT_BUCKETS; b++)
			if (from->bucket[b])
				add(&to->bucket[b], from->bucket[b], true);
		add(&to->count, from->count, true);
		add(&to->sum, from->sum, true);
		set_max(&to->max, from->max);
		memset(from, 0, sizeof(*from));
	}
	page->head.owner[i] = (struct lat_owner){ qpn, ++lat->lives };
	__atomic_fetch_add(&page->head.seq, 1, __ATOMIC_RELEASE);
}

/* A slot for that QP, with the lock held: the one of a former QP of its number, a fresh one, one of
 * a QP that is gone, or that of all others. */
static unsigned int choose_slot(struct latency *lat, uint32_t qpn)
{
	const struct lat_page *page = lat->page;
	unsigned int gone = 0;

	for (unsigned int i = lat->used - 1; i; i--) {
		if (lat->alive[i])
			continue;
		gone = i;
		if (page->head.owner[i].qpn == qpn)
			return i;
	}
	return lat->used < LAT_SLOTS ? lat->used : gone;
}

void lat_qp_created(struct qp *qp)
{
	struct latency *lat = &qp->nic->lat;
	unsigned int i;

	qp->watch = lat->watch;
	if (!lat->page)
		return;
	pthread_mutex_lock(&lat->lock);
	i = choose_slot(lat, qp->hw->qpn);
	if (i) {
		hand_over(lat, i, qp->hw->qpn);
		lat->alive[i] = true;
		if (i == lat->used)
			__atomic_store_n(&lat->page->head.used, ++lat->used, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lat->lock);
	qp->lat = i;
}

void lat_qp_reset(struct qp *qp)
{
	struct latency *lat = &qp->nic->lat;

	if (!lat->page || !qp->lat)
		return;
	pthread_mutex_lock(&lat->lock);
	hand_over(lat, qp->lat, qp->hw->qpn);
	pthread_mutex_unlock(&lat->lock);
}

void lat_qp_destroyed(struct qp *qp)
{
	struct latency *lat = &qp->nic->lat;

	if (!lat->page || !qp->lat)
		return;
	pthread_mutex_lock(&lat->lock);
	lat->alive[qp->lat] = false;
	pthread_mutex_unlock(&lat->lock);
}

/* ---------------------------------------------------------------- counting */

void lat_posting(struct qp *qp)
{
	uint64_t now = lat_clock_now(&qp->nic->lat.clock) & LAT_TIME_MASK;

	qp->build.posted = now > LAT_ASK ? now : LAT_ASK;
}

/* A tool that was killed has not said that it is done. */
static void end_of_watch(uint64_t *watch)
{
	uint64_t until = __atomic_load_n(watch, __ATOMIC_RELAXED);

	if (until != ALWAYS && until < devtime_wall())
		__atomic_compare_exchange_n(watch, &until, 0, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
}

void lat_completed(struct qp *qp, uint64_t posted, const struct cairn_cqe *cqe)
{
	struct latency *lat = &qp->nic->lat;
	uint64_t ns = (cqe->timestamp - posted) & LAT_TIME_MASK;
	struct lat_slot *slot = &lat->page->slot[qp->lat];

	lat_clock_renew(&lat->clock, qp->nic, cqe->timestamp, posted == LAT_ASK);
	if (posted == LAT_ASK || cqe->status & CAIRN_CQE_STATUS)
		return;
	if (ns > LAT_TIME_MASK / 2) {
		add(&lat->page->head.early, 1, true);
		return;
	}
	add(&slot->bucket[lat_bucket(ns)], 1, !qp->lat);
	add(&slot->sum, ns, !qp->lat);
	add(&slot->count, 1, !qp->lat);
	set_max(&slot->max, ns);
	if (!(slot->count % LOOK_AFTER))
		end_of_watch(&lat->page->head.watch);
}
