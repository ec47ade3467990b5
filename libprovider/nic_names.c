// SPDX-License-Identifier: Apache-2.0
/* What the files of a NIC are called, and the number of its device (nic_files.c shows them). */
#include "nic_names.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "facts.h"
#include "files.h"
#include "provider.h"

#define UVERBS "uverbs"
/* as the kernel's of uverbs devices */
#define MAJOR 231u
#define MINOR 192u

dev_t nic_device_number(const struct nic *nic)
{
	return makedev(MAJOR, MINOR + nic->number);
}

/* The lowest number from `first` on that no uverbs device of the kernel has, nor one above it. */
static unsigned int free_number(unsigned int first)
{
	unsigned int number;
	const struct dirent *entry;
	DIR *dir;

	files_hide();
	dir = opendir(VERBS_CLASS);
	while (dir && (entry = readdir(dir)))
		if (sscanf(entry->d_name, UVERBS "%u", &number) == 1 && number >= first)
			first = number + 1;
	if (dir)
		closedir(dir);
	files_show();
	return first;
}

void nic_files_name(struct nic *nic, unsigned int first)
{
	struct ibv_device *ibv = &nic->ibv;

	nic->number = free_number(first);
	snprintf(ibv->dev_name, sizeof(ibv->dev_name), UVERBS "%u", nic->number);
	snprintf(ibv->dev_path, sizeof(ibv->dev_path), VERBS_CLASS "/%s", ibv->dev_name);
	snprintf(ibv->ibdev_path, sizeof(ibv->ibdev_path), CLASS "/%s", ibv->name);
	if (facts_is_function(nic)) {
		char *whole = canonicalize_file_name(nic->place);

		if (whole && strlen(whole) < sizeof(nic->base))
			strcpy(nic->base, whole);
		free(whole);
	} else {
		snprintf(nic->base, sizeof(nic->base), OWN "/%s-nic", ibv->name);
	}
}
