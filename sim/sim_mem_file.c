/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files behind host memory: a client's memfd, or one of tmpfs or of huge pages, mapped once as a
 * whole.  Others are not taken: a page of a disk, or of a file system that is a program's, may be
 * long in coming, and all NICs would wait for it.
 *
 * A page may be missing although the file was long enough: the client truncates it, punches a hole
 * into it, its file system is full, no huge page is left.  Touching it raises SIGBUS, which must
 * not end the simulator: accesses run under a guard that turns the signal into -EIO.  Seals promise
 * too little to do without.
 */
#include "sim_mem_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * Mappings of one client: the kernel gives a process 65530 in all.  The driver makes one a 2 MiB of
 * rings, or a larger ring.
 */
#define MAX_FILES 1024

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

static bool may_have_more(const struct sim_mem_file *list)
{
	unsigned int n = 0;

	for (; list; list = list->next)
		n++;
	return n < MAX_FILES;
}

static bool in_memory(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && (fs.f_type == TMPFS_MAGIC || fs.f_type == HUGETLBFS_MAGIC ||
				     fs.f_type == RAMFS_MAGIC);
}

static int file_open(const struct sim_mem_file *list, int fd, const struct stat *st, bool writable,
		     struct sim_mem_file **out)
{
	struct sim_mem_file *f;
	int err;

	if (!in_memory(fd))
		return -ENOTSUP;
	if (st->st_size <= 0)
		return -EINVAL;
	if (!may_have_more(list))
		return -EMFILE;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->dev = st->st_dev;
	f->ino = st->st_ino;
	f->writable = writable;
	err = file_map(f, fd, (uint64_t)st->st_size);
	if (err) {
		free(f);
		return err;
	}
	guard_install();
	*out = f;
	return 0;
}

int sim_mem_file_get(struct sim_mem_file **list, int fd, bool writable, uint64_t end,
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
		err = file_open(*list, fd, &st, writable, &f);
		if (err)
			return err;
		f->next = *list;
		*list = f;
	} else if (f->size < end && (uint64_t)st.st_size > f->size) {
		err = file_map(f, fd, (uint64_t)st.st_size);
		if (err)
			return err;
	}
	f->refs++;
	if (f->size < end) {
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
	munmap(f->base, f->size);
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
	return guarded_copy(buf, f->base + off, len, false);
}

int sim_mem_file_write(struct sim_mem_file *f, uint64_t off, const void *buf, size_t len)
{
	return guarded_copy(f->base + off, buf, len, true);
}
