/* SPDX-License-Identifier: Apache-2.0 */
/* How many entries a directory has: of /proc/self/fd and /proc/self/task, what a test leaves. */
#ifndef CAIRN_TEST_ENTRIES_H
#define CAIRN_TEST_ENTRIES_H

#include <dirent.h>
#include <stdlib.h>

static inline unsigned int entries(const char *path)
{
	unsigned int n = 0;
	DIR *dir = opendir(path);

	if (!dir)
		abort();
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

#endif
