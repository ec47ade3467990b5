// SPDX-License-Identifier: Apache-2.0
/*
 * The files of our NICs (files.h), as the kernel has them for its own:
 *
 *   /dev/infiniband/uverbsN             a character device; also by the NIC's name, as older UCX
 *                                       looks for it
 *   /sys/class/infiniband/NAME          -> BASE/infiniband/NAME
 *   /sys/class/infiniband_verbs/uverbsN -> BASE/infiniband_verbs/uverbsN
 *   BASE                                a function's own directory, or, of a simulated NIC,
 *                                       /sys/devices/cairn/NAME-nic with what a function
 *                                       would have there.  (Not in /sys/devices/virtual, where
 *                                       hwloc passes over what it finds; and no number at the
 *                                       end, which NCCL takes for a function's, to merge them.)
 *
 * Values are the device's where this process has it open, else what facts.h knows; a file whose
 * text is not known does not exist. gid_attrs/ndevs/N has the answer of a GID without network
 * interface: it cannot be read. (UCX 1.13 and libfabric do without; none would be right.)
 *
 * uverbsN can be opened, as programs do to see whether they might use it, but no command be written
 * to it: the NIC is reached through libibverbs alone.
 */
#include "files.h"

#include <stdio.h>
#include <string.h>

#include "nic_attrs.h"
#include "nic_names.h"

#define DEV "/dev/infiniband"
#define PCI "/sys/devices"

/* ---------------------------------------------------------------- which NIC */

static int refresh(void)
{
	return nics_look();
}

/* The first for which fits() is true; NULL: none. */
static struct nic *find(bool (*fits)(const struct nic *nic, const char *arg), const char *arg)
{
	struct ibv_device *list[MAX_NICS];
	unsigned int n = nics_present(list, MAX_NICS);

	for (unsigned int i = 0; i < n; i++)
		if (fits(to_nic(list[i]), arg))
			return to_nic(list[i]);
	return NULL;
}

static bool any(const struct nic *nic, const char *arg)
{
	(void)nic;
	(void)arg;
	return true;
}

static bool is_named(const struct nic *nic, const char *name)
{
	return !strcmp(nic->ibv.name, name);
}

static bool is_uverbs(const struct nic *nic, const char *name)
{
	return !strcmp(nic->ibv.dev_name, name);
}

static bool has_device_file(const struct nic *nic, const char *name)
{
	return is_uverbs(nic, name) || is_named(nic, name);
}

/* The path is, or is in, what the NIC's base has of ours. */
static bool is_based(const struct nic *nic, const char *path)
{
	size_t len = strlen(nic->base);

	return *nic->base && !strncmp(path, nic->base, len) && (!path[len] || path[len] == '/');
}

/* What follows a directory in the path of something in it: "" for itself. */
static const char *in(const char *path, const char *dir)
{
	path += strlen(dir);
	return *path == '/' ? path + 1 : path;
}

static void add_all(file_add add, void *arg, bool by_name, enum file_kind kind)
{
	struct ibv_device *list[MAX_NICS];
	unsigned int n = nics_present(list, MAX_NICS);

	for (unsigned int i = 0; i < n; i++)
		if (kind != FILE_LINK || *to_nic(list[i])->base)
			add(arg, by_name ? list[i]->name : list[i]->dev_name, kind);
}

static int a_directory(struct file *file)
{
	file->kind = FILE_DIR;
	return 0;
}

/* ---------------------------------------------------------------- /dev/infiniband */

static int look_dev(const char *path, struct file *file)
{
	const char *name = in(path, DEV);
	const struct nic *nic;

	if (!*name)
		return find(any, NULL) ? a_directory(file) : FILE_SYSTEMS;
	nic = find(has_device_file, name);
	if (!nic)
		return FILE_SYSTEMS;
	file->kind = FILE_DEVICE;
	file->device = nic_device_number(nic);
	return 0;
}

static void list_dev(const char *path, file_add add, void *arg)
{
	(void)path;
	add_all(add, arg, false, FILE_DEVICE);
}

const struct file_tree nic_dev_files = { .root = DEV,
					 .refresh = refresh,
					 .look = look_dev,
					 .list = list_dev };

/* ---------------------------------------------------------------- classes */

/* A link to a NIC's directory, if it has one. */
static int a_link(const struct nic *nic, struct file *file)
{
	file->kind = FILE_LINK;
	return nic && *nic->base ? 0 : FILE_SYSTEMS;
}

static int look_class(const char *path, struct file *file)
{
	const char *name = in(path, CLASS);

	if (!*name)
		return find(any, NULL) ? a_directory(file) : FILE_SYSTEMS;
	return a_link(find(is_named, name), file);
}

/* From a directory of /sys/class. */
static int link_to(const struct nic *nic, const char *kind, const char *name,
		   char target[FILE_PATH_BYTES])
{
	if (!nic)
		return ENOENT;
	return (size_t)snprintf(target, FILE_PATH_BYTES, "../..%s/%s/%s",
				nic->base + strlen("/sys"), kind, name) < FILE_PATH_BYTES
		       ? 0
		       : ENAMETOOLONG;
}

static int link_class(const char *path, char target[FILE_PATH_BYTES])
{
	const char *name = in(path, CLASS);

	return link_to(find(is_named, name), "infiniband", name, target);
}

static void list_class(const char *path, file_add add, void *arg)
{
	(void)path;
	add_all(add, arg, true, FILE_LINK);
}

const struct file_tree nic_class_files = {
	.root = CLASS,
	.refresh = refresh,
	.look = look_class,
	.link = link_class,
	.list = list_class,
};

static int look_verbs(const char *path, struct file *file)
{
	const char *name = in(path, VERBS_CLASS);

	if (!find(any, NULL))
		return FILE_SYSTEMS;
	if (!*name)
		return a_directory(file);
	if (strcmp(name, "abi_version"))
		return a_link(find(is_uverbs, name), file);
	file->kind = FILE_TEXT;
	return 0;
}

static int link_verbs(const char *path, char target[FILE_PATH_BYTES])
{
	const char *name = in(path, VERBS_CLASS);

	return link_to(find(is_uverbs, name), "infiniband_verbs", name, target);
}

/* The one that libibverbs asks for; the calls behind it are never made to our devices. */
static int text_verbs(const char *path, char text[FILE_TEXT_BYTES])
{
	(void)path;
	return snprintf(text, FILE_TEXT_BYTES, "6\n");
}

static void list_verbs(const char *path, file_add add, void *arg)
{
	(void)path;
	add_all(add, arg, false, FILE_LINK);
	add(arg, "abi_version", FILE_TEXT);
}

const struct file_tree nic_verbs_files = {
	.root = VERBS_CLASS,
	.refresh = refresh,
	.look = look_verbs,
	.link = link_verbs,
	.text = text_verbs,
	.list = list_verbs,
};

/* ---------------------------------------------------------------- /sys/devices */

static int look_device(const char *path, struct file *file)
{
	struct nic *nic = find(is_based, path);

	return nic ? nic_attr_look(nic, in(path, nic->base), file) : FILE_SYSTEMS;
}

static int link_device(const char *path, char target[FILE_PATH_BYTES])
{
	struct nic *nic = find(is_based, path);

	return nic ? nic_attr_link(nic, in(path, nic->base), target) : ENOENT;
}

static int text_device(const char *path, char text[FILE_TEXT_BYTES])
{
	struct nic *nic = find(is_based, path);

	return nic ? nic_attr_text(nic, in(path, nic->base), text) : -ENOENT;
}

static void list_device(const char *path, file_add add, void *arg)
{
	struct nic *nic = find(is_based, path);

	if (nic)
		nic_attr_list(nic, in(path, nic->base), add, arg);
}

static bool is_own(const struct nic *nic, const char *arg)
{
	(void)arg;
	return !strncmp(nic->base, OWN, strlen(OWN));
}

static int look_own(const char *path, struct file *file)
{
	if (*in(path, OWN))
		return look_device(path, file);
	return find(is_own, NULL) ? a_directory(file) : FILE_SYSTEMS;
}

static void list_own(const char *path, file_add add, void *arg)
{
	struct ibv_device *list[MAX_NICS];
	unsigned int n = nics_present(list, MAX_NICS);

	if (*in(path, OWN)) {
		list_device(path, add, arg);
		return;
	}
	for (unsigned int i = 0; i < n; i++)
		if (is_own(to_nic(list[i]), NULL))
			add(arg, in(to_nic(list[i])->base, OWN), FILE_DIR);
}

const struct file_tree nic_own_files = {
	.root = OWN,
	.refresh = refresh,
	.look = look_own,
	.link = link_device,
	.text = text_device,
	.list = list_own,
};

/* In directories that the kernel has: our part of them is below "infiniband". */
const struct file_tree nic_pci_files = {
	.root = PCI,
	.needs = "/infiniband",
	.refresh = refresh,
	.look = look_device,
	.link = link_device,
	.text = text_device,
	.list = list_device,
};
