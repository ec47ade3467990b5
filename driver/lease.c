// SPDX-License-Identifier: Apache-2.0
/* Which process uses a NIC, as this one sees it and takes part; see lease.h. */
#define _GNU_SOURCE
#include "lease.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lease_file.h"
#include "priv.h"

/* An owner may be about to be gone, as after a kill, and its locks not yet. */
#define TRIES 10
#define PAUSE_NS 25000000

struct cairn_lease {
	struct cairn_lease *next;
	char *path;
	int fd; /* -1: the program has closed it */
	dev_t dev;
	ino_t ino;
	unsigned int uses;
	bool kept, reserved;
	bool gone; /* the file is: its simulator has ended, and another may have a new one; or the
		      descriptor */
};

static struct cairn_lease *leases;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Programs close what they do not know, as daemons do, and the number is another file's then: it is
 * neither written to nor closed.  The lock is gone, and so is the lease. */
static bool is_ours(struct cairn_lease *lease)
{
	struct stat st;

	if (lease->fd >= 0 &&
	    (fstat(lease->fd, &st) || st.st_dev != lease->dev || st.st_ino != lease->ino))
		lease->fd = -1;
	return lease->fd >= 0;
}

static void free_lease(struct cairn_lease *lease)
{
	if (is_ours(lease))
		close(lease->fd);
	free(lease->path);
	free(lease);
}

/* ---------------------------------------------------------------- forks */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* The locks are the parent's as long as it has its descriptors. */
static void in_child(void)
{
	while (leases) {
		struct cairn_lease *lease = leases;

		leases = lease->next;
		free_lease(lease);
	}
	pthread_mutex_unlock(&lock);
}

static void watch(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

/* Before main(): not only from a first lease on, since a fork may have begun by then. */
__attribute__((constructor)) void cairn_lease_watch_forks(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch);
}

/* ---------------------------------------------------------------- this process' leases */

/* All below: under the lock. */

static void drop(struct cairn_lease *lease)
{
	struct cairn_lease **link;

	for (link = &leases; *link != lease; link = &(*link)->next)
		;
	*link = lease->next;
	free_lease(lease);
}

static void drop_idle(struct cairn_lease *lease)
{
	if (!lease->uses && !lease->kept && !lease->reserved)
		drop(lease);
}

static struct cairn_lease *find(const char *path)
{
	struct cairn_lease *lease;
	struct stat st;

	for (lease = leases; lease && (lease->gone || strcmp(lease->path, path));)
		lease = lease->next;
	if (!lease || (is_ours(lease) && !fstat(lease->fd, &st) && st.st_nlink))
		return lease;
	lease->gone = true;
	lease->kept = lease->reserved = false;
	drop_idle(lease);
	return NULL;
}

/* The one of a NIC, with nothing locked yet if it is new; NULL with -errno in *err. */
static struct cairn_lease *get(const char *addr, int *err)
{
	struct cairn_lease *lease;
	char path[PATH_MAX];
	struct stat st;
	bool make;

	*err = cairn_lease_path(addr, path, &make);
	if (*err)
		return NULL;
	lease = find(path);
	if (lease)
		return lease;
	*err = -ENOMEM;
	lease = calloc(1, sizeof(*lease));
	if (!lease || !(lease->path = strdup(path))) {
		free(lease);
		return NULL;
	}
	lease->fd = *err = cairn_lease_open(path, make);
	if (lease->fd < 0 || fstat(lease->fd, &st)) {
		free(lease->path);
		free(lease);
		return NULL;
	}
	*err = 0;
	lease->dev = st.st_dev;
	lease->ino = st.st_ino;
	lease->next = leases;
	leases = lease;
	return lease;
}

/* The right to use it. */
static int acquire(struct cairn_lease *lease)
{
	struct lease_record record;
	int err;

	if (lease->uses || lease->kept)
		return 0;
	err = cairn_lease_lock(lease->fd, F_WRLCK, BYTE_USE);
	if (err)
		return err;
	record = cairn_lease_record(lease->fd);
	if (cairn_lease_is_kept(&record)) {
		cairn_lease_lock(lease->fd, F_UNLCK, BYTE_USE);
		return -EBUSY;
	}
	return 0;
}

static void unreserve(struct cairn_lease *lease)
{
	if (lease->reserved && is_ours(lease))
		cairn_lease_lock(lease->fd, F_UNLCK, BYTE_RESERVED);
	lease->reserved = false;
}

static void unreserve_all(void)
{
	for (struct cairn_lease *lease = leases, *next; lease; lease = next) {
		next = lease->next;
		unreserve(lease);
		drop_idle(lease);
	}
}

/* ---------------------------------------------------------------- to use one */

static int take(const char *addr, struct cairn_lease **out)
{
	struct cairn_lease *lease;
	int err;

	pthread_mutex_lock(&lock);
	lease = get(addr, &err);
	if (lease)
		err = acquire(lease);
	if (lease && err)
		drop_idle(lease);
	if (lease && !err && !lease->uses++) {
		cairn_lease_lock(lease->fd, F_WRLCK, BYTE_OPEN);
		cairn_lease_write_record(lease->fd, lease->kept);
		unreserve_all();
	}
	*out = err ? NULL : lease;
	pthread_mutex_unlock(&lock);
	/* Whatever keeps us from an account does not keep us from the NIC. */
	return err == -EBUSY ? err : 0;
}

static void nap(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	nanosleep(&pause, NULL);
}

int cairn_lease_take(const char *addr, struct cairn_lease **lease)
{
	int err;
	UNCANCELLED;

	err = take(addr, lease);
	for (int i = 0; err == -EBUSY && i < TRIES; i++) {
		nap();
		err = take(addr, lease);
	}
	return err;
}

void cairn_lease_give(struct cairn_lease *lease)
{
	UNCANCELLED;

	if (!lease)
		return;
	pthread_mutex_lock(&lock);
	if (!--lease->uses && is_ours(lease)) {
		cairn_lease_clear(lease->fd, !lease->kept);
		cairn_lease_lock(lease->fd, F_UNLCK, BYTE_OPEN);
		if (!lease->kept)
			cairn_lease_lock(lease->fd, F_UNLCK, BYTE_USE);
	}
	drop_idle(lease);
	pthread_mutex_unlock(&lock);
}

/* ---------------------------------------------------------------- to keep one */

static int keep(const char *addr)
{
	struct cairn_lease *lease;
	int err;

	lease = get(addr, &err);
	if (!lease)
		return err;
	err = acquire(lease);
	if (!err) {
		lease->kept = true;
		cairn_lease_write_record(lease->fd, lease->kept);
	}
	drop_idle(lease);
	return err;
}

/* Did the program before this one, in the same process, keep it? */
static bool was_kept(const char *addr)
{
	struct lease_record mine = cairn_lease_process(), record = { 0 };
	char path[PATH_MAX];
	bool make;
	int fd = cairn_lease_path(addr, path, &make) ? -1 : cairn_lease_open(path, false);

	if (fd >= 0) {
		record = cairn_lease_record(fd);
		close(fd);
	}
	return record.kept && cairn_lease_same(&record, &mine);
}

/* last: nothing is waited for any more */
static int keep_one(const char *const *addrs, unsigned int n, bool last)
{
	bool busy = false;
	int err = -ENOENT;

	for (unsigned int i = 0; i < n; i++) {
		char path[PATH_MAX];
		bool make;
		struct cairn_lease *lease = cairn_lease_path(addrs[i], path, &make) ? NULL
										    : find(path);

		if (lease && lease->kept)
			return (int)i;
	}
	for (unsigned int i = 0; i < n; i++)
		if (was_kept(addrs[i])) {
			err = keep(addrs[i]);
			if (!err)
				return (int)i;
			if (err == -EBUSY && !last)
				return err; /* who has it is only looking */
		}
	for (unsigned int i = 0; i < n; i++) {
		err = keep(addrs[i]);
		if (!err)
			return (int)i;
		busy |= err == -EBUSY;
	}
	return busy ? -EBUSY : err;
}

int cairn_lease_keep(const char *const *addrs, unsigned int n)
{
	int got;
	UNCANCELLED;

	for (int i = 0;; i++) {
		pthread_mutex_lock(&lock);
		got = keep_one(addrs, n, i == TRIES);
		if (got >= 0)
			unreserve_all();
		pthread_mutex_unlock(&lock);
		if (got != -EBUSY || i == TRIES)
			return got;
		nap();
	}
}

/* ---------------------------------------------------------------- to reserve one */

/* Free: neither used nor reserved. */
static bool reserve(const char *addr)
{
	int err;
	struct cairn_lease *lease = get(addr, &err);
	struct lease_record record;

	if (!lease)
		return false;
	if (!lease->reserved && !cairn_lease_locked(lease->fd, BYTE_USE)) {
		record = cairn_lease_record(lease->fd);
		lease->reserved = !cairn_lease_is_kept(&record) &&
				  !cairn_lease_lock(lease->fd, F_WRLCK, BYTE_RESERVED);
	}
	if (lease->reserved && cairn_lease_locked(lease->fd, BYTE_USE)) /* by name, meanwhile */
		unreserve(lease);
	err = lease->reserved ? 0 : -EBUSY;
	drop_idle(lease);
	return !err;
}

/* Used or reserved by this process already. */
static bool has_one(const char *const *addrs, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		char path[PATH_MAX];
		bool make;
		struct cairn_lease *lease = cairn_lease_path(addrs[i], path, &make) ? NULL
										    : find(path);

		if (lease && (lease->uses || lease->kept || (lease->reserved && reserve(addrs[i]))))
			return true;
	}
	return false;
}

void cairn_lease_reserve(const char *const *addrs, unsigned int n)
{
	UNCANCELLED;

	pthread_mutex_lock(&lock);
	if (!has_one(addrs, n)) {
		unreserve_all();
		for (unsigned int i = 0; i < n && !reserve(addrs[i]); i++)
			;
	}
	pthread_mutex_unlock(&lock);
}

void cairn_lease_unreserve(void)
{
	UNCANCELLED;

	pthread_mutex_lock(&lock);
	unreserve_all();
	pthread_mutex_unlock(&lock);
}

/* ---------------------------------------------------------------- to look */

/* A descriptor to ask with; *lease: this process' own of that NIC, or NULL.  To be closed unless it
 * is the lease's. */
static int look_fd(const char *addr, struct cairn_lease **lease)
{
	char path[PATH_MAX];
	bool make;

	*lease = NULL;
	if (cairn_lease_path(addr, path, &make))
		return -ENOENT;
	*lease = find(path);
	return *lease ? (*lease)->fd : cairn_lease_open(path, false);
}

enum cairn_lease_state cairn_lease_state(const char *addr, char who[CAIRN_WHO_BYTES])
{
	enum cairn_lease_state state = CAIRN_LEASE_FREE;
	struct lease_record record;
	struct cairn_lease *lease;
	int fd;
	UNCANCELLED;

	who[0] = 0;
	pthread_mutex_lock(&lock);
	fd = look_fd(addr, &lease);
	if (lease && (lease->uses || lease->kept)) {
		state = CAIRN_LEASE_MINE;
	} else if (fd >= 0) {
		record = cairn_lease_record(fd);
		if (cairn_lease_locked(fd, BYTE_USE) || cairn_lease_is_kept(&record)) {
			state = CAIRN_LEASE_TAKEN;
			cairn_lease_describe(&record, who);
		} else if (lease && lease->reserved) {
			state = CAIRN_LEASE_MINE;
		} else if (cairn_lease_locked(fd, BYTE_RESERVED)) {
			state = CAIRN_LEASE_RESERVED;
		}
	}
	if (fd >= 0 && !lease)
		close(fd);
	pthread_mutex_unlock(&lock);
	return state;
}

/* ---------------------------------------------------------------- what is published */

int cairn_lease_publish(struct cairn_lease *lease, const void *data, size_t len)
{
	int err;
	UNCANCELLED;

	pthread_mutex_lock(&lock);
	err = is_ours(lease) ? cairn_lease_write_data(lease->fd, data, len) : -EBADF;
	pthread_mutex_unlock(&lock);
	return err;
}

int cairn_lease_read(const char *addr, void *data, size_t len)
{
	char who[CAIRN_WHO_BYTES], path[PATH_MAX];
	bool make;
	int fd, err;
	UNCANCELLED;

	if (cairn_lease_state(addr, who) != CAIRN_LEASE_TAKEN)
		return -ENOENT;
	err = cairn_lease_path(addr, path, &make);
	if (err)
		return err;
	fd = cairn_lease_open(path, false);
	if (fd < 0)
		return fd;
	err = cairn_lease_locked(fd, BYTE_OPEN) ? cairn_lease_read_data(fd, data, len) : -EBUSY;
	close(fd);
	return err;
}
