// SPDX-License-Identifier: Apache-2.0
/* The run directory of `cairn sim` (sim_rundir.h). */
#include "sim_rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cairn_hw.h"
#include "sim_wire.h"

struct sim_rundir {
	char path[SIM_RUNDIR_PATH];
	int lock;
};

const char *sim_rundir_default(void)
{
	static char path[4096];
	const char *xdg = getenv("XDG_RUNTIME_DIR");

	snprintf(path, sizeof(path), "%s/cairn", xdg && *xdg ? xdg : "/run");
	return path;
}

bool sim_rundir_file(const char *dir, unsigned int index, const char *what, char *out)
{
	int n = snprintf(out, SIM_RUNDIR_PATH, "%s/nic%u.%s", dir, index, what);

	return n > 0 && n < SIM_RUNDIR_PATH;
}

/* Is it "nic<number>.sock", ".json" or ".stat"? */
static bool ours(const char *name)
{
	unsigned int index;
	char what[8];

	return sscanf(name, "nic%u.%7s", &index, what) == 2 &&
	       (!strcmp(what, "sock") || !strcmp(what, "json") || !strcmp(what, "stat"));
}

static void clean(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (ours(entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}

static int make_path(const char *path)
{
	char part[SIM_RUNDIR_PATH];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0755) && errno != EEXIST)
			return -errno;
	}
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

/* Take the lock; 0, or -EBUSY with the owner's process id in *owner. */
static int take_lock(struct sim_rundir *dir, long *owner)
{
	char file[SIM_RUNDIR_PATH + 8], text[32];
	ssize_t n;

	snprintf(file, sizeof(file), "%s/lock", dir->path);
	dir->lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (dir->lock < 0)
		return -errno;
	if (flock(dir->lock, LOCK_EX | LOCK_NB)) {
		n = pread(dir->lock, text, sizeof(text) - 1, 0);
		text[n > 0 ? n : 0] = '\0';
		*owner = strtol(text, NULL, 10);
		return -EBUSY;
	}
	n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (ftruncate(dir->lock, 0) || pwrite(dir->lock, text, (size_t)n, 0) != n)
		return -errno;
	return 0;
}

struct sim_rundir *sim_rundir_open(const char *path, char *err)
{
	struct sim_rundir *dir = calloc(1, sizeof(*dir));
	char longest[SIM_RUNDIR_PATH];
	long owner = 0;
	int ret;

	if (!dir || !*path || !sim_rundir_file(path, SIM_MAX_NICS, "sock", longest)) {
		snprintf(err, SIM_ERR_MAX,
			 "run directory \"%.200s\": a socket's path has at most %d characters; "
			 "choose a shorter one with -d", path, SIM_RUNDIR_PATH - 1);
		free(dir);
		return NULL;
	}
	strcpy(dir->path, path);
	dir->lock = -1;
	ret = make_path(path);
	if (!ret)
		ret = take_lock(dir, &owner);
	if (!ret) {
		clean(path);
		return dir;
	}
	if (ret == -EBUSY)
		snprintf(err, SIM_ERR_MAX,
			 "run directory %s is in use by another simulator (process %ld): stop it, "
			 "or choose another directory with -d", path, owner);
	else
		snprintf(err, SIM_ERR_MAX, "run directory %s: %s (choose another with -d)", path,
			 strerror(-ret));
	if (dir->lock >= 0)
		close(dir->lock);
	free(dir);
	return NULL;
}

void sim_rundir_close(struct sim_rundir *dir)
{
	char file[SIM_RUNDIR_PATH + 8];

	if (!dir)
		return;
	clean(dir->path);
	snprintf(file, sizeof(file), "%s/lock", dir->path);
	unlink(file);
	close(dir->lock);
	free(dir);
}

/* ---- nicN.json ---- */

static json_t *mac_text(uint64_t mac)
{
	return json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", (unsigned int)(mac >> 40) & 0xff,
			    (unsigned int)(mac >> 32) & 0xff, (unsigned int)(mac >> 24) & 0xff,
			    (unsigned int)(mac >> 16) & 0xff, (unsigned int)(mac >> 8) & 0xff,
			    (unsigned int)mac & 0xff);
}

/* Modified EUI-64 of a MAC: IEEE 802 address to interface identifier, RFC 4291 appendix A. */
static uint64_t eui64(uint64_t mac)
{
	return ((mac >> 24 ^ 0x020000) << 40) | 0xfffe000000ULL | (mac & 0xffffff);
}

static void default_gids(struct sim_nic_facts *facts)
{
	uint64_t id = eui64(facts->mac);

	facts->n_gids = 3;
	snprintf(facts->gid[0], sizeof(facts->gid[0]), "fe80::%x:%x:%x:%x",
		 (unsigned int)(id >> 48) & 0xffff, (unsigned int)(id >> 32) & 0xffff,
		 (unsigned int)(id >> 16) & 0xffff, (unsigned int)id & 0xffff);
	snprintf(facts->gid[1], sizeof(facts->gid[1]), "::ffff:10.0.0.%u", facts->index + 1);
	snprintf(facts->gid[2], sizeof(facts->gid[2]), "fd00::%x", facts->index + 1);
}

void sim_facts_gids(struct sim_nic_facts *facts, const char *const address[])
{
	default_gids(facts);
	for (unsigned int g = 0; g + 1 < SIM_RUNDIR_GIDS; g++) {
		if (!address[g])
			continue;
		snprintf(facts->gid[1 + g], sizeof(facts->gid[0]), "%s", address[g]);
		if (g >= 2)
			facts->n_gids = g + 2;
	}
}

int sim_rundir_describe(struct sim_rundir *dir, const struct sim_nic_facts *facts)
{
	char file[SIM_RUNDIR_PATH], socket[SIM_RUNDIR_PATH];
	uint64_t guid = eui64(facts->mac);
	json_t *gids = json_array(), *root = NULL;
	int ret = -ENOMEM;

	if (!sim_rundir_file(dir->path, facts->index, "json", file) ||
	    !sim_rundir_file(dir->path, facts->index, "sock", socket)) {
		json_decref(gids);
		return -ENAMETOOLONG;
	}
	for (unsigned int i = 0; gids && i < facts->n_gids; i++)
		json_array_append_new(gids, json_string(facts->gid[i]));
	root = json_pack("{s:o, s:i, s:o, s:o, s:O, s:s, s:i, s:i, s:i, s:i, s:i, s:i}", "name",
			 json_sprintf("cairn_%u", facts->index), "index", facts->index, "mac",
			 mac_text(facts->mac), "guid",
			 json_sprintf("%04x:%04x:%04x:%04x", (unsigned int)(guid >> 48),
				      (unsigned int)(guid >> 32) & 0xffff,
				      (unsigned int)(guid >> 16) & 0xffff,
				      (unsigned int)guid & 0xffff),
			 "gids", gids, "socket", socket, "pid", (int)getpid(), "vendor_id",
			 CAIRN_PCI_VENDOR, "device_id", CAIRN_PCI_DEVICE, "data_width",
			 facts->data_w, "link_gbps", facts->gbps, "eth_mtu", facts->eth_mtu);
	if (root)
		ret = json_dump_file(root, file, JSON_INDENT(2)) ? -EIO : 0;
	json_decref(root);
	json_decref(gids);
	return ret;
}
