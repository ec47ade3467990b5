// SPDX-License-Identifier: Apache-2.0
/*
 * Verbs of a program whose limits are low, on one simulated NIC: any number of descriptors, and
 * sizes of the address space, from too few to enough; files may have no bytes, and the signal for
 * that would end the program; nothing may be locked, which a simulated NIC does not need.
 *
 * Each life opens the NIC, makes one of every object and closes it.  It succeeds, or a verb fails
 * with an errno of that limit; nothing stays, and a life without the limit is a good one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "walk.h"

static unsigned int open_files(void)
{
	unsigned int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void fail(const char *what, unsigned long limit, int err)
{
	fprintf(stderr, "limit %lu: %s: %s\n", limit, what, strerror(err));
	_exit(1);
}

/* 0, or the errno of the first verb that fails. */
static int begin(struct ibv_device ***list, struct ibv_context **ctx, struct walk *w)
{
	errno = 0;
	*list = ibv_get_device_list(NULL);
	if (!*list)
		return errno;
	if (!**list)
		fail("a list without the NIC", 0, 0);
	*ctx = ibv_open_device(**list);
	if (!*ctx)
		return errno;
	return walk_open(w, *ctx) ? errno : 0;
}

static int live(int resource, const struct rlimit *limit, const struct rlimit *none)
{
	struct ibv_device **list = NULL;
	struct ibv_context *ctx = NULL;
	struct walk w = { 0 };
	int err;

	setrlimit(resource, limit);
	err = begin(&list, &ctx, &w);
	setrlimit(resource, none);
	if (w.cq)
		ibv_destroy_cq(w.cq);
	if (w.channel && ibv_destroy_comp_channel(w.channel))
		fail("channel", limit->rlim_cur, errno);
	if (ctx && ibv_close_device(ctx))
		fail("close", limit->rlim_cur, errno);
	if (list)
		ibv_free_device_list(list);
	free(w.mem);
	return err;
}

static unsigned long address_space(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file || fscanf(file, "%lu", &pages) != 1)
		fail("/proc/self/statm", 0, errno);
	fclose(file);
	return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

/* From `from` on in steps; each life but the good ones ends with an errno of `allowed`. */
static void search(int resource, unsigned long from, unsigned long step, const int allowed[2])
{
	unsigned int refused = 0, files = open_files();
	struct rlimit none, limit;
	int err = 1;

	getrlimit(resource, &none);
	for (limit = none, limit.rlim_cur = from; err; limit.rlim_cur += step) {
		err = live(resource, &limit, &none);
		if (err && err != allowed[0] && err != allowed[1])
			fail("a verb", limit.rlim_cur, err);
		refused += err != 0;
		if (open_files() != files)
			fail("descriptors stay open", limit.rlim_cur, 0);
		if (refused > 400)
			fail("never enough", limit.rlim_cur, err);
	}
	printf("refused %u times, enough at %lu\n", refused, (unsigned long)limit.rlim_cur - step);
	if (refused < 4)
		fail("hardly refused", from, 0);
}

static void once(int resource, int wanted)
{
	struct rlimit none, zero;
	int err;

	getrlimit(resource, &none);
	zero = none;
	zero.rlim_cur = 0;
	err = live(resource, &zero, &none);
	if (err != wanted)
		fail("not what was to come", 0, err);
}

int main(void)
{
	static const int files[] = { EMFILE, EMFILE }, memory[] = { ENOMEM, EAGAIN };
	struct rlimit none;

	alarm(600);
	getrlimit(RLIMIT_NOFILE, &none);
	if (live(RLIMIT_NOFILE, &none, &none)) /* all that is loaded later is there */
		fail("without a limit", 0, errno);
	once(RLIMIT_FSIZE, EFBIG);
	once(RLIMIT_MEMLOCK, 0);
	search(RLIMIT_NOFILE, 3, 1, files);
	search(RLIMIT_AS, address_space(), 1ul << 20, memory);
	return 0;
}
