// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the "gids" array of RUNDIR/nicN.json or BDF.json: strings as of cairn_parse_gid(). Anything
 * else in the file, and in the array, is passed over.
 */
#define _GNU_SOURCE
#include "nic_json.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn.h"
#include "priv.h"
#include "trust.h"

#define MAX_FILE 65536

/* Not that of the simulator, which is its own: the process that opens the function reads these. */
const char *cairn_vfio_run = "/run/cairn-vfio";

static bool parse_gid(const char *text, size_t len, struct cairn_bus_gid *gid)
{
	char name[INET6_ADDRSTRLEN + 8];

	if (len >= sizeof(name))
		return false;
	memcpy(name, text, len);
	name[len] = 0;
	return cairn_parse_gid(name, gid->gid, &gid->vlan);
}

static unsigned int parse(const char *text, struct cairn_bus_gid *gids, unsigned int max)
{
	const char *p = strstr(text, "\"gids\""), *end;
	unsigned int n = 0;

	p = p ? strchr(p, '[') : NULL;
	end = p ? strchr(p, ']') : NULL;
	while (end && n < max) {
		const char *open = memchr(p, '"', (size_t)(end - p)), *shut;

		shut = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
		if (!shut)
			break;
		n += parse_gid(open + 1, (size_t)(shut - open - 1), &gids[n]);
		p = shut + 1;
	}
	return n;
}

/* The file, out of a directory that only its owner and root can write.  0: it is open, or it
 * does not exist, or it must not be believed (said).  -errno: something that opening needs is
 * missing. */
static int open_facts(const char *path, FILE **file)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char parent[PATH_MAX] = ".", why[256];
	int dir, fd;

	*file = NULL;
	if (slash && (size_t)(name - path) < sizeof(parent))
		memcpy(parent, path, (size_t)(name - path));
	dir = trust_open_dir(parent, TRUST_OURS, why, sizeof(why));
	fd = dir;
	if (dir >= 0) {
		fd = trust_open_file(dir, name, why, sizeof(why));
		close(dir);
	}
	if (fd >= 0) {
		*file = fdopen(fd, "r");
		if (*file)
			return 0;
		close(fd);
		fd = -ENOMEM;
	}
	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
		return cairn_fail(fd, "%s: %s; raise the limit on open files or memory", path,
				  strerror(-fd));
	if (fd != -ENOENT && fd != -ENOTDIR)
		cairn_warn("%s: %s; the NIC's addresses are not known", path, why);
	return 0;
}

int cairn_nic_json_gids(const char *sock, struct cairn_bus_gid *gids, unsigned int max)
{
	size_t stem = strlen(sock);
	char path[PATH_MAX], *text;
	FILE *file;
	int n;

	if (stem > 5 && !strcmp(sock + stem - 5, ".sock"))
		stem -= 5;
	if ((size_t)snprintf(path, sizeof(path), "%.*s.json", (int)stem, sock) >= sizeof(path))
		return 0;
	n = open_facts(path, &file);
	if (!file)
		return n;
	text = malloc(MAX_FILE + 1);
	if (text) {
		text[fread(text, 1, MAX_FILE, file)] = 0;
		n = (int)parse(text, gids, max);
	} else {
		n = cairn_fail(-ENOMEM, "out of memory for the NIC's addresses");
	}
	free(text);
	fclose(file);
	return n;
}

int cairn_nic_json_function(const char *bdf, struct cairn_bus_gid *gids, unsigned int max)
{
	char path[PATH_MAX];

	cairn_vfio_file(bdf, path, sizeof(path));
	path[strlen(path) - strlen(".json")] = 0;
	return cairn_nic_json_gids(path, gids, max);
}

void cairn_vfio_file(const char *addr, char *path, size_t size)
{
	char bdf[CAIRN_BDF_BYTES] = "";

	cairn_bdf(addr, bdf);
	snprintf(path, size, "%s/%s.json", cairn_vfio_run, bdf);
}

unsigned int cairn_known_gids(const char *addr, uint8_t (*gids)[16], unsigned int max)
{
	struct cairn_bus_gid known[CAIRN_MAX_GIDS];
	char bdf[CAIRN_BDF_BYTES];
	bool function = cairn_bdf(addr, bdf);
	int n = 0;

	memset(&known[0], 0, sizeof(known[0]));
	if (function)
		n = cairn_nic_json_function(bdf, known + 1, CAIRN_MAX_GIDS - 1);
	else if (addr[0] == '/')
		n = cairn_nic_json_gids(addr, known, CAIRN_MAX_GIDS);
	if (n <= 0)
		return 0;
	n += function;
	for (unsigned int i = 0; i < (unsigned int)n && i < max; i++)
		memcpy(gids[i], known[i].gid, sizeof(gids[i]));
	return (unsigned int)n < max ? (unsigned int)n : max;
}
