// SPDX-License-Identifier: Apache-2.0
/*
 * The real libibverbs, for everything that is not ours.  A handle and not RTLD_NEXT: programs that
 * load their transports with RTLD_LOCAL have no next libibverbs to be found.  A name looked up in
 * the handle is the library's own, in its default version, never the preloaded one.
 */
#include <dlfcn.h>

#include "provider.h"

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
	UNCANCELLED;

	library = dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_LOCAL);
}

/* Without the library there are no other devices: the caller then fails with ENOSYS. */
void *real_symbol(const char *name)
{
	pthread_once(&once, load);
	return library ? dlsym(library, name) : NULL;
}
