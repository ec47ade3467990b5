/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The software device under another address: that of a PCI function, or the path of a simulated
 * NIC's socket.  What the provider keeps in files it keeps for such devices only.
 */
#ifndef ALIAS_BUS_H
#define ALIAS_BUS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_bus.h"

#define ALIAS_FUNCTION "0000:0f:00.0"

static struct cairn_bus_ops alias_ops;
static char alias_addr[256];
static char alias_dir[64]; /* XDG_RUNTIME_DIR; the run directory is "cairn" in it */

static inline bool alias_match(const char *addr)
{
	return !strcmp(addr, alias_addr);
}

static inline int alias_open(const char *addr, const struct cairn_bus_opts *opts,
			     struct cairn_bus **bus)
{
	(void)addr;
	return fake_bus_ops.open("fake:0", opts, bus);
}

/* From here to alias_stop() that address is the first software device's. */
static inline void alias_start(const char *addr)
{
	snprintf(alias_addr, sizeof(alias_addr), "%s", addr);
	alias_ops = fake_bus_ops;
	alias_ops.match = alias_match;
	alias_ops.open = alias_open;
	cairn_bus_register(&alias_ops);
}

static inline void alias_stop(void)
{
	cairn_bus_unregister(&alias_ops);
}

/* A directory for this user's files, in place of the real one. */
static inline int alias_make_dir(void)
{
	snprintf(alias_dir, sizeof(alias_dir), "/tmp/cairn-alias-XXXXXX");
	return mkdtemp(alias_dir) ? setenv("XDG_RUNTIME_DIR", alias_dir, 1) : -1;
}

static inline void alias_remove(const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", alias_dir, name);
	remove(path);
}

static inline void alias_remove_dir(void)
{
	alias_remove("cairn/" ALIAS_FUNCTION ".lat");
	alias_remove("cairn");
	alias_remove("");
}

#endif
