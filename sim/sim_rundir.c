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
#include "trust.h"

struct sim_rundir {
	char path[SIM_RUNDIR_PATH];
	int fd;		/* O_PATH: the directory that was looked at, whatever is at the path now */
	int lock;
};

const char *sim_rundir_default(void)
{
	static char path[4096];

	trust_rundir(path, sizeof(path));
	return path;
}

bool sim_rundir_file(const char *dir, unsigned int index, const char *what, char *out)
{
	int n = snprintf(out, SIM_RUNDIR_PATH, "%s/nic%u.%s", dir, index, what);

	return n > 0 && n < SIM_RUNDIR_PATH;
}

bool sim_rundir_at(const struct sim_rundir *dir, unsigned int index, const char *what, char *out)
{
	char name[32];

	snprintf(name, sizeof(name), "nic%u.%.8s", index, what);
	return trust_at(dir->fd, name, out, SIM_RUNDIR_PATH);
}

/* Is it "nic<number>." and one of ours?  (.lat: of the last program, libprovider/lat_page.h) */
static bool ours(const char *name)
{
	static const char *const kinds[] = { "sock", "json", "stat", "lease", "time", "lat" };
	unsigned int index;
	char what[8];
	bool found = false;

	if (sscanf(name, "nic%u.%7s", &index, what) == 2)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			found |= !strcmp(what, kinds[i]);
	return found;
}

static DIR *list(const struct sim_rundir *dir)
{
	int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);

	if (!entries && fd >= 0)
		close(fd);
	return entries;
}

static void clean(const struct sim_rundir *dir)
{
	DIR *entries = list(dir);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		if (ours(entry->d_name))
			unlinkat(dir->fd, entry->d_name, 0);
	if (entries)
		closedir(entries);
}

/* Nothing in it but what a simulator leaves there. */
static bool only_ours(const struct sim_rundir *dir)
{
	DIR *entries = list(dir);
	const struct dirent *entry;
	bool only = entries != NULL;

	while (only && (entry = readdir(entries)))
		only = ours(entry->d_name) || !strcmp(entry->d_name, "lock") ||
		       !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	if (entries)
		closedir(entries);
	return only;
}

static int make_path(const char *path)
{
	char part[SIM_RUNDIR_PATH];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0755) && errno != EEXIST)
			return -errno;
	}
	return mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
}

/*
 * Through the descriptor, whatever the umask made of a new one.  One of ours that others can only
 * look into is shut if there is nothing in it; where they can write, they may have.
 */
static void shut(const struct sim_rundir *dir)
{
	char path[TRUST_PATH];
	struct stat st;

	if (fstat(dir->fd, &st) || st.st_uid != geteuid() || (st.st_mode & 07777) == 0700 ||
	    st.st_mode & 022)
		return;
	trust_at(dir->fd, ".", path, sizeof(path));
	if ((st.st_mode & 0700) != 0700 || only_ours(dir))
		chmod(path, 0700);
}

/* The directory's descriptor; 0, or -errno with a message. */
static int open_dir(struct sim_rundir *dir, char *err)
{
	char why[256];
	int ret = make_path(dir->path);

	if (ret) {
		snprintf(err, SIM_ERR_MAX, "run directory %s: %s (choose another with -d)",
			 dir->path, strerror(-ret));
		return ret;
	}
	dir->fd = trust_open_dir(dir->path, 0, why, sizeof(why));
	if (dir->fd >= 0) {
		struct stat st;

		shut(dir);
		ret = fstat(dir->fd, &st) ? -errno : trust_stat(&st, TRUST_PRIVATE, dir->path, why,
								sizeof(why));
	}
	if (dir->fd < 0 || ret)
		snprintf(err, SIM_ERR_MAX, "run directory %s (choose another with -d)", why);
	return dir->fd < 0 ? dir->fd : ret;
}

/* A new file for its owner, whatever was there and whatever the umask is. */
static int make_file(const struct sim_rundir *dir, const char *name, int flags)
{
	int fd = openat(dir->fd, name, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd >= 0 && fchmod(fd, 0600)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Take the lock; 0, or -EBUSY with the owner's process id in *owner. */
static int take_lock(struct sim_rundir *dir, long *owner)
{
	char text[32];
	struct stat st;
	ssize_t n;

	dir->lock = make_file(dir, "lock", O_RDWR);
	if (dir->lock < 0 || fstat(dir->lock, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_nlink > 1)
		return -EPERM;
	if (flock(dir->lock, LOCK_EX | LOCK_NB)) {
		n = pread(dir->lock, text, sizeof(text) - 1, 0);
		text[n > 0 ? n : 0] = '\0';
		*owner = strtol(text, NULL, 10);
		return -EBUSY;
	}
	n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (ftruncate(dir->lock, 0))
		return -errno;
	errno = ENOSPC; /* of a write that ends early */
	return pwrite(dir->lock, text, (size_t)n, 0) == n ? 0 : -errno;
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
	dir->fd = dir->lock = -1;
	if (!open_dir(dir, err)) {
		ret = take_lock(dir, &owner);
		if (!ret) {
			clean(dir);
			return dir;
		}
		if (ret == -EBUSY)
			snprintf(err, SIM_ERR_MAX,
				 "run directory %s is in use by another simulator (process %ld): stop "
				 "it, or choose another directory with -d", path, owner);
		else
			snprintf(err, SIM_ERR_MAX, "%s/lock: %s (choose another directory with -d)",
				 path, strerror(-ret));
	}
	if (dir->lock >= 0)
		close(dir->lock);
	if (dir->fd >= 0)
		close(dir->fd);
	free(dir);
	return NULL;
}

void sim_rundir_close(struct sim_rundir *dir)
{
	if (!dir)
		return;
	clean(dir);
	unlinkat(dir->fd, "lock", 0);
	close(dir->lock);
	close(dir->fd);
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

static int write_json(const struct sim_rundir *dir, const char *name, const json_t *root)
{
	int fd = make_file(dir, name, O_WRONLY | O_EXCL), ret = fd < 0 ? -errno : 0;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (ret)
		return ret;
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	errno = EIO;
	if (json_dumpf(root, file, JSON_INDENT(2)) || fflush(file))
		ret = -errno;
	return fclose(file) && !ret ? -errno : ret;
}

/* The socket's path, also for who is somewhere else. */
static void socket_path(const struct sim_rundir *dir, unsigned int index, char *out, size_t size)
{
	char *whole = realpath(dir->path, NULL);

	snprintf(out, size, "%s/nic%u.sock", whole ? whole : dir->path, index);
	free(whole);
}

/* That it is there says that account is kept of who uses the NIC. */
static int make_lease(const struct sim_rundir *dir, unsigned int index)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "nic%u.lease", index);
	fd = make_file(dir, name, O_RDWR | O_EXCL);
	return fd < 0 || close(fd) ? -errno : 0;
}

int sim_rundir_describe(struct sim_rundir *dir, const struct sim_nic_facts *facts)
{
	char file[32], socket[4096 + 32];
	uint64_t guid = eui64(facts->mac);
	json_t *gids = json_array(), *root = NULL;
	int ret = -ENOMEM;

	snprintf(file, sizeof(file), "nic%u.json", facts->index);
	socket_path(dir, facts->index, socket, sizeof(socket));
	for (unsigned int i = 0; gids && i < facts->n_gids; i++)
		json_array_append_new(gids, json_string(facts->gid[i]));
	root = json_pack("{s:o, s:i, s:i, s:i, s:o, s:o, s:O, s:s, s:i, s:i, s:i, s:i, s:i, s:i}",
			 "name", json_sprintf("cairn_%u", facts->index), "index", facts->index,
			 "host", facts->host, "function", facts->function, "mac",
			 mac_text(facts->mac), "guid",
			 json_sprintf("%04x:%04x:%04x:%04x", (unsigned int)(guid >> 48),
				      (unsigned int)(guid >> 32) & 0xffff,
				      (unsigned int)(guid >> 16) & 0xffff,
				      (unsigned int)guid & 0xffff),
			 "gids", gids, "socket", socket, "pid", (int)getpid(), "vendor_id",
			 CAIRN_PCI_VENDOR, "device_id", CAIRN_PCI_DEVICE, "data_width",
			 facts->data_w, "link_gbps", facts->gbps, "eth_mtu", facts->eth_mtu);
	if (root)
		ret = make_lease(dir, facts->index);
	if (root && !ret)
		ret = write_json(dir, file, root);
	json_decref(root);
	json_decref(gids);
	return ret;
}
