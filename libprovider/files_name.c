// SPDX-License-Identifier: Apache-2.0
/* The path that a descriptor of ours stands for: the name of its memfd, as the kernel shows it. */
#include "files_priv.h"

#include <stdio.h>
#include <unistd.h>

atomic_uint files_given;

bool files_path_of(int fd, char path[FILE_PATH_BYTES])
{
	static const char end[] = " (deleted)";
	char name[64], link[sizeof(FILES_LINK) + FILE_PATH_BYTES + sizeof(end)];
	int error = errno;
	size_t len;
	ssize_t n;

	if (!atomic_load(&files_given) || fd < 0)
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, link, sizeof(link) - 1);
	errno = error;
	if (n < (ssize_t)(sizeof(FILES_LINK) + sizeof(end)))
		return false;
	link[n] = '\0';
	len = (size_t)n - (sizeof(FILES_LINK) - 1) - (sizeof(end) - 1);
	if (strncmp(link, FILES_LINK "/", sizeof(FILES_LINK)) ||
	    strcmp(link + n - (sizeof(end) - 1), end) || len >= FILE_PATH_BYTES)
		return false;
	memcpy(path, link + sizeof(FILES_LINK) - 1, len);
	path[len] = '\0';
	return true;
}
