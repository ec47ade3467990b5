/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files behind host memory: a client's memfd, mapped once as a whole, or its /proc/self/mem, which
 * cannot be mapped and is reached by pread and pwrite at the virtual address (the descriptor
 * carries the right: no ptrace permission is needed).
 *
 * A client may truncate its file after handing it over.  Touching the lost pages raises SIGBUS,
 * which must not end the simulator: unless the file is sealed against shrinking, accesses run under
 * a guard that turns the signal into -EIO.
 */
#include "sim_mem_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_KEPT_FDS 64	/* files that cannot be mapped; a usual client has one */

static __thread sigjmp_buf *guard_env;
static struct sigaction guard_old;

static void guard_handler(int sig, siginfo_t *info, void *ctx)
{
	if (guard_env)
		siglongjmp(*guard_env, 1);
	/* Not ours: as if this handler did not exist. */
	if (guard_old.sa_flags & SA_SIGINFO) {
		guard_old.sa_sigaction(sig, info, ctx);
	} else if (guard_old.sa_handler != SIG_DFL && guard_old.sa_handler != SIG_IGN) {
		guard_old.sa_handler(sig);
	} else {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

/* Looked at for each new file: the program around this library may have set its own meanwhile. */
static void guard_install(void)
{
	/*
	 * NODEFER: siglongjmp() leaves without restoring the mask, which is cheaper for each access
	 */
	struct sigaction sa = { .sa_sigaction = guard_handler,
				.sa_flags = SA_SIGINFO | SA_NODEFER };
	struct sigaction now;

	if (sigaction(SIGBUS, NULL, &now) ||
	    (now.sa_flags & SA_SIGINFO && now.sa_sigaction == guard_handler))
		return;
	guard_old = now;
	sigemptyset(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}

/* Map the whole file, or grow the mapping after the file has grown. */
static int file_map(struct sim_mem_file *f, int fd, uint64_t size)
{
	int prot = PROT_READ | (f->writable ? PROT_WRITE : 0);
	void *base;

	if (f->base)
		base = mremap(f->base, f->size, size, MREMAP_MAYMOVE);
	else
		base = mmap(NULL, size, prot, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	f->base = base;
	f->size = size;
	return 0;
}

static struct sim_mem_file *file_find(struct sim_mem_file *list, const struct stat *st,
				      bool writable)
{
	for (; list; list = list->next)
		if (list->dev == st->st_dev && list->ino == st->st_ino &&
		    list->writable == writable)
			return list;
	return NULL;
}

/* Can the descriptor be used for what the map allows? */
static int check_mode(int fd, bool writable)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -errno;
	if ((flags & O_ACCMODE) == O_WRONLY || (flags & O_PATH))
		return -EACCES;
	return writable && (flags & O_ACCMODE) == O_RDONLY ? -EACCES : 0;
}

/* One client must not use up the descriptors of all. */
static bool may_keep_fd(const struct sim_mem_file *list)
{
	unsigned int n = 0;

	for (; list; list = list->next)
		n += list->fd >= 0;
	return n < MAX_KEPT_FDS;
}

/* A new object: mapped when possible and not declined, else with a descriptor of its own. */
static int file_open(const struct sim_mem_file *list, int fd, const struct stat *st, bool writable,
		     bool file_io, struct sim_mem_file **out)
{
	struct sim_mem_file *f = calloc(1, sizeof(*f));
	uint64_t size = st->st_size > 0 ? (uint64_t)st->st_size : 0;
	int seals;

	if (!f)
		return -ENOMEM;
	f->dev = st->st_dev;
	f->ino = st->st_ino;
	f->writable = writable;
	f->fd = -1;
	if (!file_io && size && !file_map(f, fd, size)) {
		seals = fcntl(fd, F_GET_SEALS);
		f->guard = seals < 0 || !(seals & F_SEAL_SHRINK);
		if (f->guard)
			guard_install();
	} else {
		f->fd = may_keep_fd(list) ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
		if (f->fd < 0) {
			int err = may_keep_fd(list) ? -errno : -EMFILE;

			free(f);
			return err;
		}
	}
	*out = f;
	return 0;
}

int sim_mem_file_get(struct sim_mem_file **list, int fd, bool writable, bool file_io, uint64_t end,
		     struct sim_mem_file **out)
{
	struct sim_mem_file *f;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	/* A pipe, socket or device could block or makes no sense as memory. */
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	err = check_mode(fd, writable);
	if (err)
		return err;
	f = file_find(*list, &st, writable);
	if (!f) {
		err = file_open(*list, fd, &st, writable, file_io, &f);
		if (err)
			return err;
		f->next = *list;
		*list = f;
	} else if (f->base && f->size < end && (uint64_t)st.st_size > f->size) {
		err = file_map(f, fd, (uint64_t)st.st_size);
		if (err)
			return err;
	}
	f->refs++;
	if (f->base && f->size < end) {
		sim_mem_file_put(list, f);
		return -EINVAL;
	}
	*out = f;
	return 0;
}

void sim_mem_file_put(struct sim_mem_file **list, struct sim_mem_file *f)
{
	if (--f->refs)
		return;
	while (*list != f)
		list = &(*list)->next;
	*list = f->next;
	if (f->base)
		munmap(f->base, f->size);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

void sim_mem_store(uint8_t *dst, const uint8_t *src, size_t len)
{
	uint64_t word;

	for (; len && (uintptr_t)dst % 8; len--)
		__atomic_store_n(dst++, *src++, __ATOMIC_RELEASE);
	for (; len >= 8; len -= 8, dst += 8, src += 8) {
		memcpy(&word, src, 8);
		__atomic_store_n((uint64_t *)(void *)dst, word, __ATOMIC_RELEASE);
	}
	for (; len; len--)
		__atomic_store_n(dst++, *src++, __ATOMIC_RELEASE);
}

/* Apart from the callers so that no local of theirs lives across the jump. */
static int guarded_copy(uint8_t *dst, const uint8_t *src, size_t len, bool store)
{
	sigjmp_buf env;
	int err = 0;

	guard_env = &env;
	if (sigsetjmp(env, 0)) {
		guard_env = NULL;
		return -EIO;
	}
	if (store)
		sim_mem_store(dst, src, len);
	else
		memcpy(dst, src, len);
	guard_env = NULL;
	return err;
}

int sim_mem_file_read(struct sim_mem_file *f, uint64_t off, void *buf, size_t len)
{
	uint8_t *p = buf;

	if (f->base && f->guard)
		return guarded_copy(buf, f->base + off, len, false);
	if (f->base) {
		memcpy(buf, f->base + off, len);
		return 0;
	}
	while (len) {
		ssize_t n = pread(f->fd, p, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EIO;
		p += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

int sim_mem_file_write(struct sim_mem_file *f, uint64_t off, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	if (f->base && f->guard)
		return guarded_copy(f->base + off, buf, len, true);
	if (f->base) {
		sim_mem_store(f->base + off, buf, len);
		return 0;
	}
	while (len) {
		ssize_t n = pwrite(f->fd, p, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EIO;
		p += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}
