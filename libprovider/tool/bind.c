// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn bind`, `cairn unbind`: give a PCI function to vfio-pci, and back; and write down the
 * addresses that its port is to have, for the programs that open it.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cairn.h"
#include "tool.h"

#define MAX_ADDRESSES (CAIRN_MAX_GIDS - 1) /* and the link-local one */

struct input {
	const char *bdf;
	const char *address[MAX_ADDRESSES];
	unsigned int n;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	uint8_t gid[16];
	uint32_t vlan;

	switch (key) {
	case 'a':
		tool_address(state, "--address", arg, gid, &vlan);
		if (in->n == MAX_ADDRESSES)
			argp_error(state, "more than %d addresses", MAX_ADDRESSES);
		in->address[in->n++] = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (in->bdf)
			argp_error(state, "one BDF at a time");
		if (!cairn_bdf(arg, NULL))
			argp_error(state, "%s is no address of a PCI function: dddd:bb:dd.f or bb:dd.f",
				   arg);
		in->bdf = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which BDF?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int act(const struct argp *argp, int argc, char **argv, struct input *in,
	       int (*fn)(const char *addr, char *text, size_t size))
{
	char text[1024];

	argp_parse(argp, argc, argv, 0, NULL, in);
	cairn_set_log(NULL, NULL);
	if (fn(in->bdf, text, sizeof(text)))
		return tool_fail("%s", cairn_last_error());
	fputs(text, stdout);
	return 0;
}

/* Takes the place of what was written before, also when no address is given. */
static int write_addresses(const struct input *in)
{
	char path[TOOL_PATH], part[TOOL_PATH + 8], dir[TOOL_PATH];
	json_t *gids = json_array(), *root;
	int err = 0;

	cairn_vfio_file(in->bdf, path, sizeof(path));
	if (!in->n) {
		json_decref(gids);
		unlink(path);
		return 0;
	}
	for (unsigned int i = 0; i < in->n; i++)
		json_array_append_new(gids, json_string(in->address[i]));
	root = json_pack("{s:o}", "gids", gids);
	snprintf(part, sizeof(part), "%s.part", path);
	umask(022); /* every program that opens the NIC reads it */
	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
	mkdir(dir, 0755);
	if (!root || json_dump_file(root, part, JSON_INDENT(2)) || rename(part, path))
		err = tool_fail("%s cannot be written: %s; the NIC is bound, without addresses",
				path, strerror(errno));
	json_decref(root);
	return err;
}

int tool_bind(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "address", 'a', "ADDR[@VLAN]", 0,
		  "IPv4 or IPv6 address of its port, besides the link-local one; several are allowed",
		  0 },
		{ 0 },
	};
	static const struct argp argp = {
		options,
		parse,
		"BDF",
		"Bind the NIC at PCI address BDF (dddd:bb:dd.f or bb:dd.f) to vfio-pci, so that programs "
		"can use it.  Needs root.",
		NULL,
		NULL,
		NULL,
	};
	struct input in = { 0 };
	int err = act(&argp, argc, argv, &in, cairn_vfio_bind);

	return err ? err : write_addresses(&in);
}

int tool_unbind(int argc, char **argv)
{
	static const struct argp argp = {
		NULL,
		parse,
		"BDF",
		"Take the NIC at PCI address BDF from vfio-pci; the kernel picks its driver, if it has "
		"one.  Needs root.",
		NULL,
		NULL,
		NULL,
	};
	struct input in = { 0 };
	int err = act(&argp, argc, argv, &in, cairn_vfio_unbind);

	return err ? err : write_addresses(&in);
}
