// SPDX-License-Identifier: Apache-2.0
/* Reading a statistics page (sim_stat.h), for tools and for the verbs provider. */
#include "sim_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PAGE	(1 << 20)

static bool valid(const struct sim_stat_page *page, size_t bytes)
{
	return bytes >= sizeof(*page) &&
	       !memcmp(page->magic, SIM_STAT_MAGIC, sizeof(page->magic)) &&
	       page->qps <= SIM_STAT_QPS && page->n <= MAX_PAGE / sizeof(page->entry[0]) &&
	       bytes >= sizeof(*page) + page->n * sizeof(page->entry[0]);
}

/* 0: the same page all through, or the last try; -EAGAIN. */
static int read_page(int fd, struct sim_stat_page *copy, size_t bytes, bool last)
{
	uint32_t seq;
	ssize_t n = pread(fd, copy, bytes, 0);

	if (n < 0)
		return -errno;
	if ((size_t)n != bytes || !valid(copy, bytes))
		return -EPROTO;
	if (pread(fd, &seq, sizeof(seq), offsetof(struct sim_stat_page, seq)) != sizeof(seq))
		return -EPROTO;
	return last || (!(seq & 1) && seq == copy->seq) ? 0 : -EAGAIN;
}

int sim_stat_read(const char *path, struct sim_stat_page **copy)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = -EPROTO;
	struct stat info;

	*copy = NULL;
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) &&
	    info.st_size >= (off_t)sizeof(**copy) && info.st_size <= MAX_PAGE) {
		*copy = malloc((size_t)info.st_size);
		ret = *copy ? -EAGAIN : -ENOMEM;
		/* A writer that died inside an update leaves seq odd: take what is there. */
		for (int attempt = 0; ret == -EAGAIN; attempt++) {
			if (attempt)
				usleep(100);
			ret = read_page(fd, *copy, (size_t)info.st_size, attempt == 1000);
		}
	}
	close(fd);
	if (ret) {
		free(*copy);
		*copy = NULL;
	}
	return ret;
}
