// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the "gids" array of RUNDIR/nicN.json: strings as of cairn_parse_gid().  Anything else in
 * the file, and in the array, is passed over.
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

/* The file, out of a directory that only its owner and root can write; NULL: none, or no such. */
static FILE *open_facts(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char parent[PATH_MAX] = ".", why[256];
	int dir, fd = -1;

	if (slash && (size_t)(name - path) < sizeof(parent))
		memcpy(parent, path, (size_t)(name - path));
	dir = trust_open_dir(parent, TRUST_OURS, why, sizeof(why));
	if (dir >= 0) {
		fd = trust_open_file(dir, name, why, sizeof(why));
		close(dir);
	} else {
		fd = dir;
	}
	if (fd < 0 && fd != -ENOENT && fd != -ENOTDIR)
		cairn_warn("%s: %s; the NIC's addresses are not known", path, why);
	return fd < 0 ? NULL : fdopen(fd, "r");
}

unsigned int cairn_nic_json_gids(const char *sock, struct cairn_bus_gid *gids, unsigned int max)
{
	size_t stem = strlen(sock);
	char path[PATH_MAX], *text;
	unsigned int n = 0;
	FILE *file;

	if (stem > 5 && !strcmp(sock + stem - 5, ".sock"))
		stem -= 5;
	if ((size_t)snprintf(path, sizeof(path), "%.*s.json", (int)stem, sock) >= sizeof(path))
		return 0;
	file = open_facts(path);
	if (!file)
		return 0;
	text = malloc(MAX_FILE + 1);
	if (text) {
		text[fread(text, 1, MAX_FILE, file)] = 0;
		n = parse(text, gids, max);
	}
	free(text);
	fclose(file);
	return n;
}
