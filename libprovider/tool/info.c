// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn info`: open a NIC through libcairn and show what it is and can do.  Of one that a program
 * is using it is what that has found out; of one that a program has taken and not opened yet, if it
 * is a simulated one, what its description file says.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cairn.h"
#include "cairn_bits.h"
#include "sim_rundir.h"
#include "sim_wire.h"
#include "tool.h"

struct input {
	struct tool_where where;
	const char *address;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &in->where;
		return 0;
	case ARGP_KEY_ARG:
		if (in->address)
			argp_error(state, "one ADDRESS at a time");
		in->address = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- printing ---- */

static void row(const char *name, const char *value)
{
	printf("  %-20s %s\n", name, value);
}

static void number(const char *name, uint64_t value)
{
	printf("  %-20s %llu\n", name, (unsigned long long)value);
}

static void features(uint32_t bits)
{
	static const struct {
		uint32_t mask;
		const char *name;
	} names[] = {
		{ CAIRN_REG_FEATURES_RC, "RC" }, { CAIRN_REG_FEATURES_UC, "UC" },
		{ CAIRN_REG_FEATURES_UD, "UD" }, { CAIRN_REG_FEATURES_ATOMIC, "atomics" },
		{ CAIRN_REG_FEATURES_SRQ, "SRQ" }, { CAIRN_REG_FEATURES_MW, "windows" },
		{ CAIRN_REG_FEATURES_PUSH, "push" }, { CAIRN_REG_FEATURES_IPV6, "IPv6" },
		{ CAIRN_REG_FEATURES_VLAN, "VLAN" }, { CAIRN_REG_FEATURES_LOOP, "loop back" },
		{ CAIRN_REG_FEATURES_MCAST, "multicast" },
		{ CAIRN_REG_FEATURES_QP_COUNTERS, "QP counters" },
	};

	printf("  %-20s", "features");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (bits & names[i].mask)
			printf(" %s", names[i].name);
	putchar('\n');
}

static void page_sizes(uint64_t bits)
{
	static const char *const unit[] = { "", "K", "M", "G", "T" };

	printf("  %-20s", "page sizes");
	for (unsigned int i = 0; i < 50; i++)
		if (bits >> i & 1)
			printf(" %u%s", 1U << i % 10, unit[i / 10]);
	putchar('\n');
}

static void show_caps(struct cairn_dev *dev)
{
	struct cairn_dev_caps caps;

	if (cairn_query_device(dev, &caps)) {
		row("device", cairn_last_error());
		return;
	}
	printf("  %-20s %u.%u\n", "firmware", caps.fw_version >> 16, caps.fw_version & 0xffff);
	features(caps.features);
	number("max_qp", caps.max_qp);
	number("max_qp_wr", caps.max_qp_wr);
	number("max_cq", caps.max_cq);
	number("max_cqe", caps.max_cqe);
	number("max_mr", caps.max_mr);
	number("max_mr_size", caps.max_mr_size);
	number("max_pd", caps.max_pd);
	number("max_srq", caps.max_srq);
	number("max_eq", caps.max_eq);
	number("max_gid", caps.max_gid);
	number("max_mcast_grp", caps.max_mcast_grp);
	number("max_sge", caps.max_sge);
	number("max_inline", caps.max_inline);
	number("max_rd_atomic", caps.max_rd_atomic);
	number("max_dest_rd_atomic", caps.max_dest_rd_atomic);
	number("max_msg", caps.max_msg);
	page_sizes(caps.page_sizes);
	number("clock_khz", caps.hca_clock_khz);
}

static void show_port(struct cairn_dev *dev)
{
	static const unsigned int mtu[] = { 0, 256, 512, 1024, 2048, 4096 };
	struct cairn_port_attr port;

	if (cairn_query_port(dev, &port)) {
		row("port", cairn_last_error());
		return;
	}
	printf("  %-20s %02x:%02x:%02x:%02x:%02x:%02x\n", "mac", (unsigned int)(port.mac >> 40) & 0xff,
	       (unsigned int)(port.mac >> 32) & 0xff, (unsigned int)(port.mac >> 24) & 0xff,
	       (unsigned int)(port.mac >> 16) & 0xff, (unsigned int)(port.mac >> 8) & 0xff,
	       (unsigned int)port.mac & 0xff);
	row("port state", port.state == 4 ? "active" : "down");
	number("link Gb/s", port.gbps);
	number("active MTU", port.active_mtu <= 5 ? mtu[port.active_mtu] : 0);
	number("Ethernet MTU", port.eth_mtu);
	row("loop back", port.flags & CAIRN_PORT_FLAG_LOOP ? "on" : "off");
	for (unsigned int i = 0; i < port.gid_count && i < CAIRN_MAX_GIDS; i++) {
		char name[24], text[INET6_ADDRSTRLEN];
		uint8_t gid[16];
		uint32_t vlan;

		if (cairn_query_gid(dev, i, gid, &vlan))
			continue;
		snprintf(name, sizeof(name), "gid %u", i);
		row(name, inet_ntop(AF_INET6, gid, text, sizeof(text)));
	}
}

static int show(const char *address)
{
	char who[CAIRN_WHO_BYTES];
	struct cairn_opts opts;
	struct cairn_dev *dev;
	uint32_t id, build;

	cairn_opts_init(&opts);
	opts.look = 1;
	if (cairn_open(address, &opts, &dev))
		return -1;
	printf("%s\n", cairn_dev_name(dev));
	if (cairn_dev_looks(dev) &&
	    cairn_lease_state(cairn_dev_name(dev), who) == CAIRN_LEASE_TAKEN)
		row("used by", who);
	if (!cairn_read_reg(dev, CAIRN_REG_ID, &id))
		printf("  %-20s %04x:%04x, contract version %u\n", "device", CAIRN_PCI_VENDOR,
		       CAIRN_PCI_DEVICE, CAIRN_GET(id, CAIRN_REG_ID_VERSION));
	if (!cairn_read_reg(dev, CAIRN_REG_BUILD, &build))
		printf("  %-20s %u bits, %u ns\n", "data path",
		       1U << CAIRN_GET(build, CAIRN_REG_BUILD_DATA_W_LOG2),
		       CAIRN_GET(build, CAIRN_REG_BUILD_CLK_PERIOD_NS));
	show_caps(dev);
	show_port(dev);
	cairn_close(dev);
	return 0;
}

/* What nicN.json says, for a NIC that cannot be opened. */
static void show_description(const char *rundir, unsigned int nic)
{
	char path[SIM_RUNDIR_PATH];
	const char *name, *mac, *socket;
	json_t *root, *gids, *gid;
	size_t i;

	if (!sim_rundir_file(rundir, nic, "json", path))
		return;
	root = json_load_file(path, 0, NULL);
	if (!json_unpack(root, "{s:s, s:s, s:s, s:o}", "name", &name, "mac", &mac, "socket", &socket,
			 "gids", &gids)) {
		printf("%s (%s)\n", socket, name);
		row("mac", mac);
		json_array_foreach(gids, i, gid) {
			char label[32];

			snprintf(label, sizeof(label), "gid %zu", i);
			row(label, json_string_value(gid));
		}
	}
	json_decref(root);
}

int tool_info(int argc, char **argv)
{
	static const struct argp_child children[] = { { &tool_where_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		NULL, parse, "[ADDRESS]",
		"Show what NICs are, and who uses them: all simulated ones of a run directory, those of -H, the one of -i, "
		"or the one at ADDRESS (a socket's path, or dddd:bb:dd.f of a function bound to vfio-pci).",
		children, NULL, NULL,
	};
	struct input in = { 0 };
	unsigned int index[SIM_MAX_NICS], n;
	char path[SIM_RUNDIR_PATH];
	int status = 0;

	tool_where_init(&in.where);
	argp_parse(&argp, argc, argv, 0, NULL, &in);
	cairn_set_log(NULL, NULL);
	if (in.address)
		return show(in.address) ? tool_fail("%s", cairn_last_error()) : 0;
	n = tool_find_nics(&in.where, "sock", index, SIM_MAX_NICS);
	if (!n)
		return tool_no_nics(&in.where);
	for (unsigned int i = 0; i < n; i++) {
		if (!sim_rundir_file(in.where.rundir, index[i], "sock", path))
			return tool_fail("-d %s: path too long", in.where.rundir);
		if (!show(path))
			continue;
		show_description(in.where.rundir, index[i]);
		fflush(stdout);
		status = tool_fail("nic%u: %s", index[i], cairn_last_error());
	}
	return status;
}
