// SPDX-License-Identifier: Apache-2.0
/*
 * Which devices there are: sockets named by CAIRN_SOCKETS (colon-separated) or, without it, found
 * in the run directory of `cairn sim`, and functions bound to vfio-pci that have our PCI id, or
 * those of them that CAIRN_FUNCTIONS names (comma-separated).  Nothing is opened for this: names
 * and GUIDs of simulated NICs are in RUNDIR/nicN.json, beside the socket.  A device keeps its
 * ibv_device as long as the process lives; programs compare the pointers.
 *
 * Which of them are for this process: choose.c.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "facts.h"
#include "files.h"
#include "provider.h"
#include "trust.h"

static struct nic *nics;
/* What a scan lacked, memory or descriptors: it does not know what there is then.  Under the
 * lock. */
static int lacking;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Not the lock again in a handler of this thread that looks at our files. */
static void take(void)
{
	files_hide();
	pthread_mutex_lock(&lock);
}

static void give(void)
{
	pthread_mutex_unlock(&lock);
	files_show();
}

static void lacks(int err)
{
	if (!lacking && (err == ENOMEM || err == EMFILE || err == ENFILE))
		lacking = err;
}

/* In the child of a fork, where who held a lock may not exist. */
static void forked(bool child)
{
	if (!child)
		return;
	pthread_mutex_init(&lock, NULL);
	for (struct nic *nic = nics; nic; nic = nic->next)
		contexts_forked(nic);
}

__attribute__((constructor)) static void tell_of_forks(void)
{
	fork_part(FORK_NICS, NULL, forked);
}

/* A GUID of the locally administered kind for a device that does not tell its own unopened. */
static uint64_t guid_from_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
	return (hash & 0x00ffff0000ffffffull) | 0x020000fffe000000ull;
}

static struct nic *find(const char *addr)
{
	for (struct nic *nic = nics; nic; nic = nic->next)
		if (!strcmp(nic->addr, addr))
			return nic;
	return NULL;
}

static bool name_taken(const char *name)
{
	for (struct nic *nic = nics; nic; nic = nic->next)
		if (!strcmp(nic->ibv.name, name))
			return true;
	return false;
}

static void set_name(struct nic *nic, const char *wanted)
{
	char name[IBV_SYSFS_NAME_MAX];

	snprintf(name, sizeof(name), "%s", wanted && *wanted ? wanted : "cairn_0");
	for (unsigned int i = 0; name_taken(name); i++)
		snprintf(name, sizeof(name), "cairn_%u", i);
	memcpy(nic->ibv.name, name, sizeof(name));
}

/* Above those of the NICs before it. */
static unsigned int next_number(void)
{
	unsigned int next = 0;

	for (struct nic *nic = nics; nic; nic = nic->next)
		next = nic->number + 1;
	return next;
}

struct nic *nic_add(const char *addr, const char *name, const char *place)
{
	struct nic *nic, **end = &nics;

	if (strlen(addr) >= sizeof(nic->addr) || strlen(place) >= sizeof(nic->place))
		return NULL;
	nic = calloc(1, sizeof(*nic));
	if (!nic) {
		lacks(ENOMEM);
		return NULL;
	}
	strcpy(nic->addr, addr);
	nic->ibv.node_type = IBV_NODE_CA;
	nic->ibv.transport_type = IBV_TRANSPORT_IB;
	strcpy(nic->place, place);
	nic->guid = guid_from_text(addr);
	pthread_mutex_init(&nic->lock, NULL);
	pthread_mutex_init(&nic->contexts_lock, NULL);
	set_name(nic, name);
	nic_files_name(nic, next_number());
	while (*end)
		end = &(*end)->next;
	*end = nic;
	return nic;
}

/* "1234:5678:..." in hexadecimal */
static bool parse_guid(const char *text, uint64_t *guid)
{
	unsigned int part[4];

	if (!text || sscanf(text, "%4x:%4x:%4x:%4x", &part[0], &part[1], &part[2], &part[3]) != 4)
		return false;
	*guid = (uint64_t)part[0] << 48 | (uint64_t)part[1] << 32 | (uint64_t)part[2] << 16 |
		part[3];
	return true;
}

/* The description beside a socket. */
static json_t *load(int dir, const char *name)
{
	json_t *facts = facts_load(dir, name);

	if (!facts)
		lacks(errno);
	return facts;
}

/* dir/base is nicN.sock, and what is known of it is in dir/nicN.json.  What the path leads to must
 * be the same when the program opens the device from elsewhere. */
static void add_socket_in(int fd, const char *dir, const char *base)
{
	char path[NIC_ADDR_BYTES], file[NIC_ADDR_BYTES + 8];
	size_t len = strlen(base);
	struct nic *nic;
	struct stat st;
	uint64_t guid;
	json_t *facts;

	if (fstatat(fd, base, &st, AT_SYMLINK_NOFOLLOW) || !S_ISSOCK(st.st_mode) ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", dir, base) >= sizeof(path))
		return;
	nic = find(path);
	if (nic) {
		nic->present = true;
		return;
	}
	if (len > 5 && !strcmp(base + len - 5, ".sock"))
		len -= 5;
	snprintf(file, sizeof(file), "%.*s.json", (int)len, base);
	facts = load(fd, file);
	snprintf(file, sizeof(file), "%s/%.*s", dir, (int)len, base);
	/* Without its name it would be another device for as long as the process lives. */
	nic = lacking ? NULL
		      : nic_add(path, json_string_value(json_object_get(facts, "name")), file);
	if (nic) {
		nic->present = true;
		if (parse_guid(json_string_value(json_object_get(facts, "guid")), &guid)) {
			atomic_store(&nic->guid, guid);
			atomic_store(&nic->guid_known, true);
		}
	}
	json_decref(facts);
}

/* A directory that others get into has nothing for us; said once, and the program goes on. */
static int open_directory(const char *path)
{
	static bool said;
	char why[256];
	int fd = trust_open_dir(path, TRUST_PRIVATE, why, sizeof(why));

	if ((fd == -EPERM || fd == -ELOOP) && !said) {
		said = true;
		cairn_warn("run directory %s; its NICs are left out", why);
	}
	return fd;
}

static void add_socket(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *dir = slash == path ? strdup("/")
		    : slash	  ? strndup(path, (size_t)(slash - path))
				  : strdup(".");
	int fd = dir ? open_directory(dir) : -1;
	char *whole = fd < 0 ? NULL : canonicalize_file_name(dir);

	if (!dir || !whole)
		lacks(!dir ? ENOMEM : fd < 0 ? -fd : errno);
	if (whole)
		add_socket_in(fd, whole, base);
	if (fd >= 0)
		close(fd);
	free(whole);
	free(dir);
}

static void add_sockets(const char *list)
{
	char *copy = strdup(list), *rest = NULL;

	if (!copy)
		lacks(ENOMEM);
	for (char *path = copy ? strtok_r(copy, ":", &rest) : NULL; path;
	     path = strtok_r(NULL, ":", &rest))
		add_socket(path);
	free(copy);
}

static int is_socket(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 8 && !strncmp(entry->d_name, "nic", 3) &&
	       !strcmp(entry->d_name + len - 5, ".sock");
}

/* The default run directory of `cairn sim`. */
static void add_run_directory(void)
{
	char dir[NIC_ADDR_BYTES], *whole;
	struct dirent **found;
	int n, fd;

	if (!trust_rundir(dir, sizeof(dir))) {
		lacks(ENAMETOOLONG);
		return;
	}
	fd = open_directory(dir);
	if (fd < 0) {
		lacks(-fd);
		return;
	}
	whole = canonicalize_file_name(dir);
	if (!whole)
		lacks(errno);
	n = scandirat(fd, ".", &found, is_socket, versionsort);
	if (n < 0)
		lacks(errno);
	for (int i = 0; i < n; i++) {
		if (whole)
			add_socket_in(fd, whole, found[i]->d_name);
		free(found[i]);
	}
	if (n >= 0)
		free(found);
	free(whole);
	close(fd);
}

static bool pci_id_is(const char *function, const char *what, unsigned int wanted)
{
	char path[128];
	unsigned int id = 0;
	FILE *file;
	int got;

	snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%.20s/%s", function, what);
	file = fopen(path, "re");
	if (!file) {
		lacks(errno);
		return false;
	}
	got = fscanf(file, "%x", &id);
	fclose(file);
	return got == 1 && id == wanted;
}

/* All are, or those of CAIRN_FUNCTIONS. */
static bool is_wanted(const char *function)
{
	const char *list = secure_getenv("CAIRN_FUNCTIONS");
	char word[CAIRN_BDF_BYTES + 8], bdf[CAIRN_BDF_BYTES];
	bool wanted = !list;
	size_t len;

	for (; list && !wanted; list = list[len] ? list + len + 1 : NULL) {
		len = strcspn(list, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, list);
		wanted = len < sizeof(word) && cairn_bdf(word, bdf) && !strcmp(bdf, function);
	}
	return wanted;
}

static int is_our_function(const struct dirent *entry)
{
	return strchr(entry->d_name, ':') && pci_id_is(entry->d_name, "vendor", CAIRN_PCI_VENDOR) &&
	       pci_id_is(entry->d_name, "device", CAIRN_PCI_DEVICE) &&
	       cairn_reaches(entry->d_name) && is_wanted(entry->d_name);
}

static void add_functions(void)
{
	struct dirent **found;
	char path[128];
	int n = scandir(CAIRN_PCI_DRIVERS "/" CAIRN_VFIO_DRIVER, &found, is_our_function,
			alphasort);

	if (n < 0)
		lacks(errno);
	for (int i = 0; i < n; i++) {
		struct nic *nic = find(found[i]->d_name);

		snprintf(path, sizeof(path), CAIRN_PCI_DEVICES "/%.20s", found[i]->d_name);
		if (!nic)
			nic = nic_add(found[i]->d_name, NULL, path);
		if (nic)
			nic->present = true;
		free(found[i]);
	}
	if (n >= 0)
		free(found);
}

/* What is there, in use or not; under the lock. */
static int look(void)
{
	const char *sockets = secure_getenv("CAIRN_SOCKETS");

	lacking = 0;
	for (struct nic *nic = nics; nic; nic = nic->next) {
		nic->was_present = nic->present;
		nic->present = atomic_load(&nic->opens) != 0;
	}
	if (sockets)
		add_sockets(sockets);
	else
		add_run_directory();
	if (!secure_getenv("CAIRN_NO_VFIO"))
		add_functions();
	for (struct nic *nic = nics; nic && lacking; nic = nic->next)
		nic->present |= nic->was_present;
	return lacking;
}

int nics_look(void)
{
	int err;
	UNCANCELLED;

	take();
	err = look();
	give();
	return err;
}

int nics_scan(void)
{
	struct nic *there[MAX_NICS];
	unsigned int n = 0;
	int err;
	UNCANCELLED;

	take();
	err = look();
	for (struct nic *nic = nics; nic && n < MAX_NICS; nic = nic->next)
		if (nic->present)
			there[n++] = nic;
	if (!err)
		err = choose(there, n);
	give();
	return err;
}

unsigned int nics_present(struct ibv_device **list, unsigned int max)
{
	unsigned int n = 0;

	take();
	for (unsigned int rank = 0; rank < CHOOSE_RANKS; rank++)
		for (struct nic *nic = nics; nic && n < max; nic = nic->next)
			if (nic->present && !nic->hidden && nic->rank == rank)
				list[n++] = &nic->ibv;
	give();
	return n;
}

bool nic_is_ours(const struct ibv_device *device)
{
	bool ours = false;

	take();
	for (struct nic *nic = nics; nic && !ours; nic = nic->next)
		ours = &nic->ibv == device;
	give();
	return ours;
}

bool nics_own_fd(int fd)
{
	bool own = false;

	take();
	for (struct nic *nic = nics; nic && !own; nic = nic->next)
		own = contexts_own_fd(nic, fd);
	give();
	return own;
}
