// SPDX-License-Identifier: Apache-2.0
/*
 * Attributes of a NIC in the kernel's words (Documentation/ABI/stable/sysfs-class-infiniband of
 * Linux), by rows: a directory, and what is in it.  A row's text is made when it is read, and where
 * there is none (-ENOENT) there is no file.
 */
#include "nic_attrs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define IB "infiniband"
#define VERBS "infiniband_verbs"
#define PORTS "ports/1"

/* Of entry i of its directory; length or -errno. */
typedef int (*text_fn)(struct nic *nic, unsigned int i, char *text);

#define SAY(text, ...) snprintf(text, FILE_TEXT_BYTES, __VA_ARGS__)

/* ---------------------------------------------------------------- the device */

static int guid(struct nic *nic, unsigned int i, char *text)
{
	uint64_t value = atomic_load(&nic->guid);

	(void)i;
	return SAY(text, "%04x:%04x:%04x:%04x\n", (unsigned int)(value >> 48),
		   (unsigned int)(value >> 32) & 0xffff, (unsigned int)(value >> 16) & 0xffff,
		   (unsigned int)value & 0xffff);
}

static int fw_ver(struct nic *nic, unsigned int i, char *text)
{
	uint32_t version;

	(void)i;
	if (facts_firmware(nic, &version))
		return -ENOENT;
	return SAY(text, "%u.%u\n", version >> 16, version & 0xffff);
}

static int hw_rev(struct nic *nic, unsigned int i, char *text)
{
	(void)nic;
	(void)i;
	return SAY(text, "%x\n", CAIRN_CONTRACT_VERSION);
}

/* A number that the kernel has of the function. */
static bool id_of(const struct nic *nic, const char *name, unsigned int *id)
{
	char path[sizeof(nic->base) + 32];
	FILE *file;
	bool got;

	snprintf(path, sizeof(path), "%s/%s", nic->base, name);
	file = fopen(path, "re");
	got = file && fscanf(file, "%x", id) == 1;
	if (file)
		fclose(file);
	return got;
}

/* Which board: the ids of the subsystem, as a simulated function has them, too. */
static int board_id(struct nic *nic, unsigned int i, char *text)
{
	unsigned int vendor = CAIRN_PCI_VENDOR, device = CAIRN_PCI_DEVICE;

	(void)i;
	if (facts_is_function(nic) &&
	    (!id_of(nic, "subsystem_vendor", &vendor) || !id_of(nic, "subsystem_device", &device)))
		return -ENOENT;
	return SAY(text, "%04x:%04x\n", vendor, device);
}

static int node_desc(struct nic *nic, unsigned int i, char *text)
{
	(void)i;
	return SAY(text, "Cairn %s\n", nic->ibv.name);
}

/* ---------------------------------------------------------------- the port */

static int state(struct nic *nic, unsigned int i, char *text)
{
	struct facts_port port;

	(void)i;
	facts_port(nic, &port);
	return SAY(text, port.active ? "4: ACTIVE\n" : "1: DOWN\n");
}

static int phys_state(struct nic *nic, unsigned int i, char *text)
{
	struct facts_port port;

	(void)i;
	facts_port(nic, &port);
	return SAY(text, port.active ? "5: LinkUp\n" : "3: Disabled\n");
}

static int rate(struct nic *nic, unsigned int i, char *text)
{
	struct query_rate rate;
	struct facts_port port;

	(void)i;
	facts_port(nic, &port);
	if (!port.gbps)
		return -ENOENT;
	query_rate(port.gbps, &rate);
	return SAY(text, "%u%s Gb/sec (%uX%s)\n", rate.lanes * rate.lane_mbps / 1000,
		   rate.lanes * rate.lane_mbps % 1000 ? ".5" : "", rate.lanes, rate.name);
}

static int cap_mask(struct nic *nic, unsigned int i, char *text)
{
	(void)nic;
	(void)i;
	return SAY(text, "0x%08x\n", PORT_CAP_FLAGS);
}

/* ---------------------------------------------------------------- tables */

static int gid(struct nic *nic, unsigned int i, char *text)
{
	uint8_t raw[16];
	int err = facts_gid(nic, i, raw), n = 0;

	if (err && err != ENODATA)
		return -err;
	for (unsigned int b = 0; b < 16; b += 2)
		n += sprintf(text + n, "%02x%02x%c", raw[b], raw[b + 1], b < 14 ? ':' : '\n');
	return n;
}

/* The kernel's answers for an entry that is empty, and for one without network interface, are
 * errors of read(). */
static int gid_type(struct nic *nic, unsigned int i, char *text)
{
	uint8_t raw[16];

	return facts_gid(nic, i, raw) ? -EINVAL : SAY(text, "RoCE v2\n");
}

static int gid_ndev(struct nic *nic, unsigned int i, char *text)
{
	(void)nic;
	(void)i;
	(void)text;
	return -EINVAL;
}

static int pkey(struct nic *nic, unsigned int i, char *text)
{
	(void)nic;
	(void)i;
	return SAY(text, "0x%04x\n", PKEY);
}

/* ---------------------------------------------------------------- counters */

static int counter(struct nic *nic, unsigned int index, unsigned int unit, char *text)
{
	uint64_t value;
	int err = facts_counter(nic, index, &value);

	return err ? -err : SAY(text, "%llu\n", (unsigned long long)value / unit);
}

/* IBTA's counters of a port; its data counters have units of four bytes. */
#define PORT_COUNTER(name, index, unit)                                 \
	static int name(struct nic *nic, unsigned int i, char *text)    \
	{                                                               \
		(void)i;                                                \
		return counter(nic, CAIRN_COUNTER_##index, unit, text); \
	}

PORT_COUNTER(port_rcv_data, RX_BYTES, 4)
PORT_COUNTER(port_rcv_packets, RX_PACKETS, 1)
PORT_COUNTER(port_rcv_errors, RX_MAC_ERROR, 1)
PORT_COUNTER(port_xmit_data, TX_BYTES, 4)
PORT_COUNTER(port_xmit_packets, TX_PACKETS, 1)

static int hw_counter(struct nic *nic, unsigned int i, char *text)
{
	return counter(nic, i, 1, text);
}

/* ---------------------------------------------------------------- the function */

#define ID(name, format, value)                                      \
	static int name(struct nic *nic, unsigned int i, char *text) \
	{                                                            \
		(void)nic;                                           \
		(void)i;                                             \
		return SAY(text, format "\n", value);                \
	}

ID(vendor, "0x%04x", CAIRN_PCI_VENDOR)
ID(device, "0x%04x", CAIRN_PCI_DEVICE)
ID(class, "0x%06x", CAIRN_PCI_CLASS)
ID(revision, "0x%02x", CAIRN_CONTRACT_VERSION)
ID(numa_node, "%d", -1)

/* A simulated NIC is near to every processor: the text of a file of the system. */
static int online(char *text)
{
	FILE *file = fopen("/sys/devices/system/cpu/online", "re");
	size_t n = file ? fread(text, 1, FILE_TEXT_BYTES - 1, file) : 0;

	if (file)
		fclose(file);
	text[n] = '\0';
	return n ? (int)n : -ENOENT;
}

static int local_cpulist(struct nic *nic, unsigned int i, char *text)
{
	(void)nic;
	(void)i;
	return online(text);
}

#define MAX_CPUS 4096u

/* "0-3,8" to "0000010f", words of 32 bits with commas between them. */
static int local_cpus(struct nic *nic, unsigned int i, char *text)
{
	uint32_t words[MAX_CPUS / 32] = { 0 };
	unsigned int last = 0, from, to;
	char list[FILE_TEXT_BYTES], *at = list, *end;
	int n = online(list);

	(void)nic;
	(void)i;
	while (n > 0 && isdigit((unsigned char)*at)) {
		from = to = (unsigned int)strtoul(at, &end, 10);
		if (*end == '-')
			to = (unsigned int)strtoul(end + 1, &end, 10);
		for (; from <= to && from < MAX_CPUS; last = from++)
			words[from / 32] |= 1u << from % 32;
		at = *end == ',' ? end + 1 : end;
	}
	if (n < 0)
		return n;
	n = 0;
	for (unsigned int w = last / 32 + 1; w--;)
		n += sprintf(text + n, "%08x%c", words[w], w ? ',' : '\n');
	return n;
}

/* ---------------------------------------------------------------- uverbs */

static int ibdev(struct nic *nic, unsigned int i, char *text)
{
	(void)i;
	return SAY(text, "%s\n", nic->ibv.name);
}

static int device_number(struct nic *nic, unsigned int i, char *text)
{
	dev_t number = nic_device_number(nic);

	(void)i;
	return SAY(text, "%u:%u\n", (unsigned int)major(number), (unsigned int)minor(number));
}

/* What device managers read. */
static int verbs_uevent(struct nic *nic, unsigned int i, char *text)
{
	dev_t number = nic_device_number(nic);

	(void)i;
	return SAY(text, "MAJOR=%u\nMINOR=%u\nDEVNAME=infiniband/%s\n", (unsigned int)major(number),
		   (unsigned int)minor(number), nic->ibv.dev_name);
}

/* ---------------------------------------------------------------- rows */

static unsigned int n_gids(struct nic *nic)
{
	return facts_gids(nic);
}

static unsigned int n_pkeys(struct nic *nic)
{
	(void)nic;
	return 1;
}

static unsigned int n_counters(struct nic *nic)
{
	return facts_counters(nic) ? CAIRN_COUNTERS : 0;
}

/* Where a directory is: the function's, below "infiniband", below "infiniband_verbs". */
enum part { PART_FUNCTION, PART_IB, PART_VERBS };

struct row {
	enum part part;
	const char *dir, *name;
	const char *always; /* its text, or text() has it */
	text_fn text;
	unsigned int (*count)(struct nic *nic);
	bool numbered;
};

#define ONE(p, d, n, fn)                                          \
	{                                                         \
		.part = PART_##p, .dir = d, .name = n, .text = fn \
	}
#define ALWAYS(p, d, n, says)                                         \
	{                                                             \
		.part = PART_##p, .dir = d, .name = n, .always = says \
	}
/* count() of them, numbered or of hw.def's names. */
#define MANY(p, d, fn, how_many, numbers)                                                      \
	{                                                                                      \
		.part = PART_##p, .dir = d, .text = fn, .count = how_many, .numbered = numbers \
	}

static const struct row rows[] = {
	ONE(FUNCTION, "", "vendor", vendor),
	ONE(FUNCTION, "", "device", device),
	ONE(FUNCTION, "", "subsystem_vendor", vendor),
	ONE(FUNCTION, "", "subsystem_device", device),
	ONE(FUNCTION, "", "class", class),
	ONE(FUNCTION, "", "revision", revision),
	ONE(FUNCTION, "", "numa_node", numa_node),
	ONE(FUNCTION, "", "local_cpus", local_cpus),
	ONE(FUNCTION, "", "local_cpulist", local_cpulist),
	ONE(VERBS, "", "ibdev", ibdev),
	ONE(VERBS, "", "dev", device_number),
	ALWAYS(VERBS, "", "abi_version", "1\n"),
	ONE(VERBS, "", "uevent", verbs_uevent),
	ALWAYS(IB, "", "node_type", "1: CA\n"),
	ONE(IB, "", "node_guid", guid),
	ONE(IB, "", "sys_image_guid", guid),
	ONE(IB, "", "fw_ver", fw_ver),
	ONE(IB, "", "hw_rev", hw_rev),
	ALWAYS(IB, "", "hca_type", "Cairn\n"),
	ONE(IB, "", "board_id", board_id),
	ONE(IB, "", "node_desc", node_desc),
	ONE(IB, PORTS, "state", state),
	ONE(IB, PORTS, "phys_state", phys_state),
	ONE(IB, PORTS, "rate", rate),
	ALWAYS(IB, PORTS, "link_layer", "Ethernet\n"),
	ALWAYS(IB, PORTS, "lid", "0x0\n"), /* there are none on Ethernet */
	ALWAYS(IB, PORTS, "lid_mask_count", "0\n"),
	ALWAYS(IB, PORTS, "sm_lid", "0x0\n"),
	ALWAYS(IB, PORTS, "sm_sl", "0\n"),
	ONE(IB, PORTS, "cap_mask", cap_mask),
	MANY(IB, PORTS "/gids", gid, n_gids, true),
	MANY(IB, PORTS "/gid_attrs/types", gid_type, n_gids, true),
	MANY(IB, PORTS "/gid_attrs/ndevs", gid_ndev, n_gids, true),
	MANY(IB, PORTS "/pkeys", pkey, n_pkeys, true),
	ONE(IB, PORTS "/counters", "port_rcv_data", port_rcv_data),
	ONE(IB, PORTS "/counters", "port_rcv_packets", port_rcv_packets),
	ONE(IB, PORTS "/counters", "port_rcv_errors", port_rcv_errors),
	ONE(IB, PORTS "/counters", "port_xmit_data", port_xmit_data),
	ONE(IB, PORTS "/counters", "port_xmit_packets", port_xmit_packets),
	MANY(IB, PORTS "/hw_counters", hw_counter, n_counters, false),
};
#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

/* Name of entry i of a row with several; NULL: it has none. */
static const char *name_of(const struct row *row, unsigned int i, char number[16])
{
	if (!row->numbered)
		return cairn_counter_names[i];
	snprintf(number, 16, "%u", i);
	return number;
}

/* ---------------------------------------------------------------- paths */

/* What follows the components of `dir` in a path; NULL: it is somewhere else. */
static const char *beneath(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strncmp(path, dir, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path[len] ? path + len + 1 : path + len;
}

/* Which part the path is in, and where there; NULL: in none. */
static const char *part_of(const struct nic *nic, const char *path, enum part *part)
{
	const char *rest = beneath(path, IB), *name = nic->ibv.name;

	*part = PART_IB;
	if (!rest) {
		*part = PART_VERBS;
		name = nic->ibv.dev_name;
		rest = beneath(path, VERBS);
	}
	if (rest)
		return beneath(rest, name);
	*part = PART_FUNCTION;
	return facts_is_function(nic) ? NULL : path;
}

/* The directories that hold one of each part. */
static bool holds_part(const char *path)
{
	return !strcmp(path, IB) || !strcmp(path, VERBS);
}

/* The row of a file, and which of its entries that is; NULL: no such file. */
static const struct row *row_of(struct nic *nic, const char *path, unsigned int *i)
{
	enum part part;
	const char *rest = part_of(nic, path, &part), *name;
	char number[16];

	for (const struct row *row = rows; rest && row < rows + N_ROWS; row++) {
		name = row->part != part ? NULL : *row->dir ? beneath(rest, row->dir) : rest;
		if (!name || !*name || strchr(name, '/'))
			continue;
		*i = 0;
		if (row->name && !strcmp(name, row->name))
			return row;
		for (unsigned int n = row->count ? row->count(nic) : 0; *i < n; (*i)++) {
			const char *entry = name_of(row, *i, number);

			if (entry && !strcmp(name, entry))
				return row;
		}
	}
	return NULL;
}

/* Without a text there is no file; those of which there are several count their own. */
static bool is_there(struct nic *nic, const struct row *row)
{
	char text[FILE_TEXT_BYTES];

	return row->count || row->always || row->text(nic, 0, text) != -ENOENT;
}

static bool is_link(const struct nic *nic, const char *path)
{
	enum part part;
	const char *rest = part_of(nic, path, &part);

	return rest && part != PART_FUNCTION && !strcmp(rest, "device");
}

static bool is_directory(const struct nic *nic, const char *path)
{
	enum part part;
	const char *rest = part_of(nic, path, &part);

	if (holds_part(path) || (rest && !*rest))
		return true;
	for (const struct row *row = rows; rest && row < rows + N_ROWS; row++)
		if (row->part == part && beneath(row->dir, rest))
			return true;
	return false;
}

int nic_attr_look(struct nic *nic, const char *path, struct file *file)
{
	const struct row *row;
	unsigned int i;

	file->kind = FILE_DIR;
	if (is_directory(nic, path))
		return 0;
	file->kind = FILE_LINK;
	if (is_link(nic, path))
		return 0;
	file->kind = FILE_TEXT;
	row = row_of(nic, path, &i);
	return row && is_there(nic, row) ? 0 : ENOENT;
}

int nic_attr_link(struct nic *nic, const char *path, char target[FILE_PATH_BYTES])
{
	if (!is_link(nic, path))
		return EINVAL;
	snprintf(target, FILE_PATH_BYTES, "../../..%s", strrchr(nic->base, '/'));
	return 0;
}

int nic_attr_text(struct nic *nic, const char *path, char text[FILE_TEXT_BYTES])
{
	unsigned int i;
	const struct row *row = row_of(nic, path, &i);

	if (!row)
		return -ENOENT;
	return row->always ? SAY(text, "%s", row->always) : row->text(nic, i, text);
}

/* ---------------------------------------------------------------- listings */

static void list_row(struct nic *nic, const struct row *row, file_add add, void *arg)
{
	char number[16];

	if (row->name) {
		if (is_there(nic, row))
			add(arg, row->name, FILE_TEXT);
		return;
	}
	for (unsigned int i = 0, n = row->count(nic); i < n; i++) {
		const char *name = name_of(row, i, number);

		if (name)
			add(arg, name, FILE_TEXT);
	}
}

/* Where a row is: in this directory, or in one of it; each is named as often as rows are there. */
static void list_part(struct nic *nic, enum part part, const char *dir, file_add add, void *arg)
{
	for (const struct row *row = rows; row < rows + N_ROWS; row++) {
		const char *rest = row->part != part ? NULL
				   : *dir	     ? beneath(row->dir, dir)
						     : row->dir;
		char name[64];

		if (rest && !*rest) {
			list_row(nic, row, add, arg);
		} else if (rest) {
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, "/"), rest);
			add(arg, name, FILE_DIR);
		}
	}
}

void nic_attr_list(struct nic *nic, const char *path, file_add add, void *arg)
{
	enum part part;
	const char *rest = part_of(nic, path, &part);

	if (holds_part(path)) {
		add(arg, strcmp(path, IB) ? nic->ibv.dev_name : nic->ibv.name, FILE_DIR);
		return;
	}
	if (!rest)
		return;
	if (!*rest && part == PART_FUNCTION) {
		add(arg, IB, FILE_DIR);
		add(arg, VERBS, FILE_DIR);
	} else if (!*rest) {
		add(arg, "device", FILE_LINK);
	}
	list_part(nic, part, rest, add, arg);
}
