// SPDX-License-Identifier: Apache-2.0
/* Pages of a run directory (nics.h). */
#include "nics.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn.h"
#include "devtime.h"
#include "sealed.h"
#include "sim_rundir.h"

#define LAT_ENDING ".lat"

/* Names come from files, and go to terminals. */
static void make_printable(char *name)
{
	for (; *name; name++)
		if (*name < ' ' || *name > '~')
			*name = '?';
}

static bool gone(const struct sim_stat_page *page)
{
	return kill((pid_t)page->pid, 0) && errno == ESRCH;
}

/* What the description of a simulated NIC says; it is the same for every program. */
static void device_name(int dir, unsigned int index, char *name)
{
	char file[NICS_NAME], why[256];
	json_t *root = NULL;
	const char *said;
	int fd;

	snprintf(file, sizeof(file), "nic%u.json", index);
	fd = trust_open_file(dir, file, why, sizeof(why));
	if (fd >= 0) {
		root = json_loadfd(fd, 0, NULL);
		close(fd);
	}
	said = json_string_value(json_object_get(root, "name"));
	if (said)
		snprintf(name, LAT_DEVICE_BYTES + 1, "%s", said);
	else
		snprintf(name, LAT_DEVICE_BYTES + 1, "cairn_%u", index);
	json_decref(root);
	make_printable(name);
}

/* Without it, or of a program that may not be looked into (PR_SET_DUMPABLE), there are no latencies
 * to show, and that is no failure. */
static unsigned int read_latencies(int dir, uint64_t watch_ns, int (*say)(const char *fmt, ...),
				   struct nic_pages *nic)
{
	char file[NICS_NAME + sizeof(LAT_ENDING)], why[256];
	int ret;

	snprintf(file, sizeof(file), "%s" LAT_ENDING, nic->name);
	ret = lat_read(dir, file, watch_ns, &nic->lat, why, sizeof(why));
	if (!ret || ret == -ENOENT || ret == -ESRCH || ret == -EACCES)
		return 0;
	say("%s: %s", nic->name, why);
	return 1;
}

/* Of a simulator that runs; its page is copied, not mapped. */
static uint64_t device_time(int dir, const char *nic)
{
	char file[NICS_NAME + 8], why[256];
	struct devtime_page page;
	struct sealed_at at;
	uint64_t now = 0;
	int fd;

	snprintf(file, sizeof(file), "%s.time", nic);
	fd = sealed_find(dir, file, DEVTIME_MAGIC, &at, why, sizeof(why));
	if (fd < 0)
		return 0;
	close(fd);
	fd = sealed_open(&at, O_RDONLY, why, sizeof(why));
	if (fd < 0)
		return 0;
	if (pread(fd, &page, sizeof(page), 0) == sizeof(page))
		now = devtime_now(&page);
	close(fd);
	return now;
}

static unsigned int read_simulated(int dir, const struct tool_where *where, unsigned int index,
				   int (*say)(const char *fmt, ...), struct nic_pages *nic)
{
	char path[SIM_RUNDIR_PATH];
	int ret;

	memset(nic, 0, sizeof(*nic));
	snprintf(nic->name, sizeof(nic->name), "nic%u", index);
	if (!sim_rundir_file(where->rundir, index, "stat", path)) {
		say("-d %s: path too long", where->rundir);
		return 1;
	}
	ret = sim_stat_read(path, &nic->page);
	if (ret) {
		say("%s: %s", path,
		    ret == -EPROTO ? "no statistics page of this version of cairn" :
				     strerror(-ret));
		return 1;
	}
	nic->gone = gone(nic->page);
	nic->now = nic->gone ? 0 : device_time(dir, nic->name);
	device_name(dir, index, nic->device);
	return 0;
}

static int is_function(const struct dirent *entry)
{
	char name[sizeof(entry->d_name)];
	size_t len = strlen(entry->d_name), end = strlen(LAT_ENDING);

	if (len <= end || len - end >= NICS_NAME || strcmp(entry->d_name + len - end, LAT_ENDING))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(len - end), entry->d_name);
	return cairn_bdf(name, NULL);
}

/* Functions whose programs measure: all that is known of them from outside. */
static unsigned int read_functions(int dir, uint64_t watch_ns, int (*say)(const char *fmt, ...),
				   struct nics *nics)
{
	struct dirent **found = NULL;
	int n = scandirat(dir, ".", &found, is_function, alphasort);
	unsigned int failed = 0;

	for (int i = 0; i < n; i++) {
		if (nics->n < NICS_MAX) {
			struct nic_pages *nic = &nics->nic[nics->n];

			memset(nic, 0, sizeof(*nic));
			snprintf(nic->name, sizeof(nic->name), "%.*s",
				 (int)(strlen(found[i]->d_name) - strlen(LAT_ENDING)),
				 found[i]->d_name);
			failed += read_latencies(dir, watch_ns, say, nic);
			if (nic->lat) {
				memcpy(nic->device, nic->lat->device, sizeof(nic->device));
				make_printable(nic->device);
				nics->n++;
			}
		}
		free(found[i]);
	}
	free(found);
	return failed;
}

unsigned int nics_read(const struct tool_where *where, uint64_t watch_ns,
		       int (*say)(const char *fmt, ...), struct nics *nics)
{
	unsigned int index[SIM_MAX_NICS], n, failed = 0;
	char why[256];
	int dir = trust_open_dir(where->rundir, TRUST_PRIVATE, why, sizeof(why));

	nics->n = 0;
	nics->wall = devtime_wall();
	if (dir < 0) {
		if (dir != -ENOENT && dir != -ENOTDIR)
			say("run directory %s", why);
		return dir != -ENOENT && dir != -ENOTDIR;
	}
	n = tool_find_nics(where, "stat", index, SIM_MAX_NICS);
	for (unsigned int i = 0; i < n; i++) {
		struct nic_pages *nic = &nics->nic[nics->n];

		if (read_simulated(dir, where, index[i], say, nic)) {
			failed++;
			continue;
		}
		nics->n++;
		failed += read_latencies(dir, watch_ns, say, nic);
	}
	if (where->nic == TOOL_ALL_NICS)
		failed += read_functions(dir, watch_ns, say, nics);
	close(dir);
	return failed;
}

void nics_free(struct nics *nics)
{
	for (unsigned int i = 0; i < nics->n; i++) {
		free(nics->nic[i].page);
		free(nics->nic[i].lat);
	}
	nics->n = 0;
}

static const struct sim_stat_entry *find(const struct sim_stat_page *page, const char *name)
{
	for (uint32_t i = 0; page && i < page->n; i++)
		if (!strncmp(page->entry[i].name, name, SIM_STAT_NAME_BYTES))
			return &page->entry[i];
	return NULL;
}

bool nics_has(const struct sim_stat_page *page, const char *name)
{
	return find(page, name) != NULL;
}

uint64_t nics_value(const struct sim_stat_page *page, const char *name)
{
	const struct sim_stat_entry *entry = find(page, name);

	return entry ? entry->value : 0;
}

bool nics_good_name(const char *name)
{
	size_t len = strnlen(name, SIM_STAT_NAME_BYTES);
	bool good = len && !isdigit((unsigned char)*name);

	for (size_t i = 0; i < len; i++)
		good &= isalnum((unsigned char)name[i]) || name[i] == '_';
	return good;
}

int nics_find_qp(const struct sim_stat_page *page, uint32_t qpn)
{
	for (uint32_t q = 0; page && q < page->qps; q++)
		if (page->qp[q].qpn == qpn)
			return (int)q;
	return -1;
}
