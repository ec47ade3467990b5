/* SPDX-License-Identifier: Apache-2.0 */
/* All entries of a directory of ours. */
#ifndef FILES_DIR_H
#define FILES_DIR_H

#include <dirent.h>

struct place;

struct files_entries {
	struct dirent *entry; /* n of them, to be freed */
	unsigned int n;
	int err;
};

/* 0, or an errno and nothing to be freed. */
int files_read_entries(const struct place *place, struct files_entries *list);

#endif
