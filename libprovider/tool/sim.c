// SPDX-License-Identifier: Apache-2.0
/* `cairn sim`: options of the simulator; sim/sim_main.c does the work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn.h"
#include "sim_main.h"
#include "sim_pcie.h"
#include "sim_rundir.h"
#include "tool.h"

#define MAX_RULES	64
#define MIN_MTU		576
#define MAX_MTU		(SIM_FRAME_MAX - 18)	/* Ethernet header with a VLAN tag */

enum {
	OPT_WIDTH = 0x100,
	OPT_MTU,
	OPT_GBPS,
	OPT_DELAY,
	OPT_LOSS,
	OPT_REORDER,
	OPT_DUP,
	OPT_CORRUPT,
	OPT_ECN,
	OPT_RULE,
	OPT_SEED,
	OPT_PCAP,
	OPT_PCAP_NIC,
	OPT_WAVES,
	OPT_WINDOW,
	OPT_RECORD,
	OPT_WIRE,
	OPT_ADDRESS,
	OPT_QUEUE,
	OPT_NO_JUMP,
	OPT_MESSAGES,
	OPT_HOST,
	OPT_HOSTS,
	OPT_FUNCTIONS,
	OPT_PORTS,
};

static const struct argp_option options[] = {
	{ "nics", 'n', "NICS", 0, "Number of NICs, a host for each (2)", 1 },
	{ "hosts", OPT_HOSTS, "HOSTS", 0, "Number of hosts (2)", 1 },
	{ "functions", OPT_FUNCTIONS, "F", 0, "NICs of each host: its functions (1)", 1 },
	{ "ports", OPT_PORTS, "one|each", 0,
	  "The functions of a host share one port, by a switch inside it (one), or have one each", 1 },
	{ "rundir", 'd', "RUNDIR", 0, "Where sockets and descriptions go (${XDG_RUNTIME_DIR:-/run}/cairn)", 1 },
	{ "width", OPT_WIDTH, "64|512", 0, "Data path width in bits (64)", 1 },
	{ "mtu", OPT_MTU, "BYTES", 0, "Ethernet MTU (4200: RoCE packets of 4096 bytes fit)", 1 },
	{ "address", OPT_ADDRESS, "NIC=ADDR[@VLAN]", 0,
	  "IPv4 or IPv6 address of a NIC, instead of 10.0.0.N+1 and fd00::N+1; a second of its kind, "
	  "or one in a VLAN, is one more", 1 },
	{ "host", OPT_HOST, "WORD[,WORD...]", 0,
	  "What the PCIe host is like: no-ext-tag, no-relaxed, mps=N, mrrs=N, rcb=64|128, "
	  "split=mps|rcb|random, rtt-ns=N", 1 },
	{ NULL, 0, NULL, 0, "The wire:", 2 },
	{ "wire", OPT_WIRE, "link|tap:NAME|dgram:LOCAL,REMOTE", 0,
	  "Nothing else on the wire (link), or also a TAP device or a UNIX datagram socket", 2 },
	{ "link-gbps", OPT_GBPS, "G", 0, "Link rate in Gb/s (what the width carries, at most 100)", 2 },
	{ "delay-ns", OPT_DELAY, "D", 0, "Delay of each cable, one way (500)", 2 },
	{ "queue", OPT_QUEUE, "BYTES", 0, "Queue of each port of the switch (524288)", 2 },
	{ "loss", OPT_LOSS, "P", 0, "Lose frames with probability P (0.01 is 1 %)", 3 },
	{ "reorder", OPT_REORDER, "P", 0, "Let 1 to 4 later frames overtake", 3 },
	{ "dup", OPT_DUP, "P", 0, "Deliver twice", 3 },
	{ "corrupt", OPT_CORRUPT, "P", 0, "Flip a bit that the FCS does not show", 3 },
	{ "ecn", OPT_ECN, "P", 0, "Mark \"congestion experienced\"", 3 },
	{ "rule", OPT_RULE, "RULE", 0,
	  "A fault by rule, as \"drop nic0>nic1 op=write k=3\" (docs/rules.md); several are allowed", 3 },
	{ NULL, 0, NULL, 0, "What is recorded:", 4 },
	{ "pcap", OPT_PCAP, "FILE", 0, "Capture every frame as it leaves its transmitter; FILE.pcapng: each port apart, arrivals too", 4 },
	{ "pcap-nic", OPT_PCAP_NIC, "NIC=FILE", 0, "Capture what a NIC sends and what reaches it", 4 },
	{ "waves", OPT_WAVES, "FILE", 0, "FST waves (needs make models TRACE=1)", 4 },
	{ "waves-window", OPT_WINDOW, "FROM:TO", 0, "Only between these device times, in ns", 4 },
	{ "record", OPT_RECORD, "DIR", 0,
	  "Record all that enters the NICs, for cairn replay DIR", 4 },
	{ NULL, 0, NULL, 0, "The simulation:", 5 },
	{ "seed", OPT_SEED, "N", 0, "Seed of all that is random (1)", 5 },
	{ "no-jump", OPT_NO_JUMP, NULL, 0, "Compute every clock cycle, idle ones too (slow)", 5 },
	{ "messages", OPT_MESSAGES, "all", OPTION_ARG_OPTIONAL,
	  "Reach host memory by messages to the client only; all: what it has not mapped, too", 5 },
	{ "verbose", 'v', NULL, 0, "Firmware console and client messages on stderr", 5 },
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, -1 },
	{ 0 },
};

struct input {
	struct sim_serve_cfg cfg;
	const char *rules[MAX_RULES];
	char *pcap_nic;
	const char *host;
	unsigned int nics, hosts, functions;	/* 0: not given */
	bool ports_each;
	struct sim_pcie_cfg pcie;
};

/* --link-gbps 2.5 */
static uint32_t gbps(struct argp_state *state, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0.001 && value <= 1000))
		argp_error(state, "--link-gbps: \"%s\" is no rate from 0.001 to 1000", text);
	return (uint32_t)(value * 1000 + 0.5);
}

/* "3=text" for the option's NIC; returns text. */
static const char *of_nic(struct argp_state *state, const char *option, const char *arg,
			  unsigned int *nic)
{
	char *end;
	unsigned long value = strtoul(arg, &end, 10);

	if (end == arg || *end != '=' || !end[1] || value >= SIM_MAX_NICS)
		argp_error(state, "%s: \"%s\" is not NIC=VALUE", option, arg);
	*nic = (unsigned int)value;
	return end + 1;
}

static void address(struct argp_state *state, struct input *in, const char *arg)
{
	unsigned int nic = 0, slot;
	const char *text = of_nic(state, "--address", arg, &nic), **address = in->cfg.address[nic];
	uint8_t gid[16];
	uint32_t vlan;

	tool_address(state, "--address", text, gid, &vlan);
	slot = strchr(text, ':') ? 1 : 0;
	if (vlan || address[slot])
		for (slot = 2; address[slot]; slot++)
			;
	if (slot + 1 >= SIM_RUNDIR_GIDS)
		argp_error(state, "--address: NIC %u has %d already", nic, SIM_RUNDIR_GIDS - 1);
	address[slot] = text;
}

static void window(struct argp_state *state, struct sim_cfg *sim, const char *arg)
{
	unsigned long long from, to;
	char rest;

	if (sscanf(arg, "%llu:%llu%c", &from, &to, &rest) != 2 || from >= to)
		argp_error(state, "--waves-window: \"%s\" is not FROM:TO in ns", arg);
	sim->waves_from = from;
	sim->waves_to = to;
}

static error_t parse_wire(int key, char *arg, struct argp_state *state, struct sim_wire_cfg *wire)
{
	struct input *in = state->input;

	switch (key) {
	case OPT_GBPS:
		wire->mbps = gbps(state, arg);
		return 0;
	case OPT_DELAY:
		wire->delay_ns = tool_number(state, "--delay-ns", arg, 0, 10000000000ULL);
		return 0;
	case OPT_QUEUE:
		wire->queue_bytes = (uint32_t)tool_number(state, "--queue", arg, 2048, 1 << 30);
		return 0;
	case OPT_LOSS:
		wire->loss = tool_fraction(state, "--loss", arg);
		return 0;
	case OPT_REORDER:
		wire->reorder = tool_fraction(state, "--reorder", arg);
		return 0;
	case OPT_DUP:
		wire->dup = tool_fraction(state, "--dup", arg);
		return 0;
	case OPT_CORRUPT:
		wire->corrupt = tool_fraction(state, "--corrupt", arg);
		return 0;
	case OPT_ECN:
		wire->ecn = tool_fraction(state, "--ecn", arg);
		return 0;
	case OPT_RULE:
		if (wire->n_rules == MAX_RULES)
			argp_error(state, "--rule: at most %d rules", MAX_RULES);
		in->rules[wire->n_rules++] = arg;
		return 0;
	case OPT_WIRE:
		wire->peer = arg;
		return 0;
	case OPT_PCAP:
		wire->pcap = arg;
		return 0;
	case OPT_PCAP_NIC:
		wire->pcap_nic_file = of_nic(state, "--pcap-nic", arg, &wire->pcap_nic);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_hosts(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;

	switch (key) {
	case 'n':
		in->nics = (unsigned int)tool_number(state, "--nics", arg, 1, SIM_MAX_NICS);
		return 0;
	case OPT_HOSTS:
		in->hosts = (unsigned int)tool_number(state, "--hosts", arg, 1, SIM_MAX_NICS);
		return 0;
	case OPT_FUNCTIONS:
		in->functions = (unsigned int)tool_number(state, "--functions", arg, 1, SIM_MAX_NICS);
		return 0;
	case OPT_PORTS:
		if (strcmp(arg, "one") && strcmp(arg, "each"))
			argp_error(state, "--ports: %s: one or each", arg);
		in->ports_each = !strcmp(arg, "each");
		return 0;
	default:
		return parse_wire(key, arg, state, &in->cfg.sim.wire);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct input *in = state->input;
	struct sim_cfg *sim = &in->cfg.sim;

	switch (key) {
	case 'd':
		in->cfg.rundir = arg;
		return 0;
	case 'v':
		in->cfg.verbose = true;
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case OPT_WIDTH:
		if (strcmp(arg, "64") && strcmp(arg, "512"))
			argp_error(state, "--width: %s: 64 or 512", arg);
		sim->data_w = arg[0] == '6' ? 64 : 512;
		return 0;
	case OPT_MTU:
		sim->eth_mtu = (unsigned int)tool_number(state, "--mtu", arg, MIN_MTU, MAX_MTU);
		return 0;
	case OPT_ADDRESS:
		address(state, in, arg);
		return 0;
	case OPT_HOST:
		in->host = arg;
		return 0;
	case OPT_WAVES:
		sim->waves = arg;
		return 0;
	case OPT_WINDOW:
		window(state, sim, arg);
		return 0;
	case OPT_RECORD:
		sim->record = arg;
		return 0;
	case OPT_SEED:
		sim->seed = sim->wire.seed = tool_number(state, "--seed", arg, 0, UINT64_MAX);
		return 0;
	case OPT_NO_JUMP:
		sim->no_jump = true;
		return 0;
	case OPT_MESSAGES:
		if (arg && strcmp(arg, "all"))
			argp_error(state, "--messages=%s: all, or nothing", arg);
		in->cfg.messages = true;
		in->cfg.ask_all = arg;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		return 0;
	default:
		return parse_hosts(key, arg, state);
	}
}

#define MAX_ADDRESSES	(SIM_MAX_NICS * SIM_RUNDIR_GIDS)

/* Each address belongs to one NIC that is there. */
static bool addresses(const struct input *in)
{
	static struct sim_nic_facts facts;
	static struct {
		uint8_t gid[16];
		uint32_t vlan;
		unsigned int nic;
	} all[MAX_ADDRESSES];
	unsigned int n = 0, nics = in->cfg.sim.wire.nics;

	for (unsigned int nic = nics; nic < SIM_MAX_NICS; nic++)
		for (unsigned int i = 0; i + 1 < SIM_RUNDIR_GIDS; i++)
			if (in->cfg.address[nic][i]) {
				tool_fail("--address %u=%s: there is no NIC %u among %u", nic,
					  in->cfg.address[nic][i], nic, nics);
				return false;
			}
	for (unsigned int nic = 0; nic < nics; nic++) {
		facts.index = nic;
		sim_facts_gids(&facts, in->cfg.address[nic]);
		for (unsigned int g = 1; g < facts.n_gids; g++, n++) {
			all[n].nic = nic;
			cairn_parse_gid(facts.gid[g], all[n].gid, &all[n].vlan);
			for (unsigned int i = 0; i < n; i++)
				if (all[i].vlan == all[n].vlan &&
				    !memcmp(all[i].gid, all[n].gid, 16)) {
					tool_fail("--address: NIC %u and NIC %u both have %s",
						  all[i].nic, nic, facts.gid[g]);
					return false;
				}
		}
	}
	return true;
}

static bool host(struct input *in)
{
	struct sim_cfg *sim = &in->cfg.sim;
	char wrong[64];

	if (!in->host)
		return true;
	sim_pcie_cfg_default(&in->pcie, sim->data_w, sim_default_period(sim->data_w));
	if (!sim_pcie_cfg_host(&in->pcie, in->host, wrong, sizeof(wrong))) {
		tool_fail("--host: \"%s\" says nothing about a host", wrong);
		return false;
	}
	sim->pcie = &in->pcie;
	return true;
}

/* NICs N * functions to N * functions + functions - 1 are those of host N. */
static bool hosts(struct input *in)
{
	struct sim_wire_cfg *wire = &in->cfg.sim.wire;
	unsigned int n = in->nics ? in->nics : in->hosts ? in->hosts : wire->nics;

	if (in->nics && (in->hosts || in->functions)) {
		tool_fail("--nics N is --hosts N with one function each: give one or the other");
		return false;
	}
	in->cfg.functions = in->functions ? in->functions : 1;
	wire->nics = n * in->cfg.functions;
	wire->nics_per_port = in->ports_each ? 1 : in->cfg.functions;
	if (wire->nics > SIM_MAX_NICS)
		tool_fail("%u hosts of %u functions are %u NICs: at most %d", n, in->cfg.functions,
			  wire->nics, SIM_MAX_NICS);
	return wire->nics <= SIM_MAX_NICS;
}

/* What depends on several options. */
static bool consistent(struct input *in)
{
	struct sim_wire_cfg *wire = &in->cfg.sim.wire;
	char err[SIM_ERR_MAX];
	struct sim_wire_cfg trial = *wire;
	struct sim_wire *made;

	if (!hosts(in) || !addresses(in) || !host(in))
		return false;
	if (in->cfg.sim.waves_to && !in->cfg.sim.waves) {
		tool_fail("--waves-window: of which --waves FILE?");
		return false;
	}
	wire->rules = in->rules;
	/* Rules and numbers of NICs are checked by a wire without files. */
	trial.rules = in->rules;
	trial.pcap = NULL;
	trial.pcap_nic_file = wire->pcap_nic_file ? "/dev/null" : NULL;
	trial.mbps = trial.mbps ? trial.mbps : 1000;
	if (trial.peer && strcmp(trial.peer, "link")) {
		if (strncmp(trial.peer, "tap:", 4) && strncmp(trial.peer, "dgram:", 6)) {
			tool_fail("--wire %s: link, tap:NAME or dgram:LOCAL,REMOTE", trial.peer);
			return false;
		}
		trial.n_rules = 0;
		trial.peer = NULL;
	}
	made = sim_wire_new(&trial, err);
	if (!made) {
		tool_fail("%s%s", strncmp(err, "rule", 4) ? "" : "--", err);
		return false;
	}
	sim_wire_free(made);
	return true;
}

int tool_sim(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, NULL,
		"Simulate NICs: each is the Verilated RTL behind a vfio-user socket RUNDIR/nicN.sock, and "
		"all are joined by a wire.  Prints \"ready\" once the sockets are there, and runs until "
		"SIGINT or SIGTERM.\vPrograms are run on the NICs with cairn run.  NIC N has the addresses "
		"10.0.0.N+1, fd00::N+1 and its link-local one.", NULL, NULL, NULL,
	};
	struct input in = { 0 };

	sim_cfg_init(&in.cfg.sim);
	in.cfg.rundir = sim_rundir_default();
	argp_parse(&argp, argc, argv, 0, NULL, &in);
	if (!consistent(&in))
		return TOOL_USAGE;
	return sim_serve(&in.cfg);
}
