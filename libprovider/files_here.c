// SPDX-License-Identifier: Apache-2.0
/* The working directory as far as it is known: one of ours, and which, or the system's. */
#include "files_priv.h"

/* Who reads takes no lock: seq is odd while it is written, and counts. */
static atomic_uint seq;
static char current[FILE_PATH_BYTES]; /* "": none of ours */
static atomic_int state;	      /* enum files_here */

void files_set_here(const char *path)
{
	char zero[FILE_PATH_BYTES] = "";
	unsigned int before = atomic_load(&seq) | 1;

	atomic_store(&seq, before);
	memcpy(zero, path, strlen(path) + 1);
	memcpy(current, zero, sizeof(current));
	atomic_store(&seq, before + 1);
	atomic_store(&state, *path ? FILES_HERE_OURS : FILES_HERE_SYSTEMS);
}

void files_here_is_systems(void)
{
	atomic_store(&state, FILES_HERE_SYSTEMS);
}

enum files_here files_here(void)
{
	return (enum files_here)atomic_load(&state);
}

bool files_here_path(char path[FILE_PATH_BYTES])
{
	/* Writing never takes long, unless this is the child of a fork in the middle of it. */
	for (unsigned int tries = 0; tries < 1000; tries++) {
		unsigned int before = atomic_load(&seq);

		memcpy(path, current, sizeof(current));
		atomic_thread_fence(memory_order_acquire);
		if (!(before & 1) && atomic_load(&seq) == before)
			return *path != '\0';
	}
	return false;
}
