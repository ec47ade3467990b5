/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run directory of `cairn sim`: for each NIC nicN.sock (vfio-user), nicN.json (what can be
 * known without opening it), nicN.stat (sim_stat.h), nicN.time (sim_time.h) and nicN.lease
 * (driver/lease.h; empty, for the NIC's users), and the file `lock`, which is locked as long as the
 * simulator lives.  What an earlier one left behind is removed, and nicN.lat of the programs.
 *
 * The directory is this user's (or root's) and its mode is 0700, all files 0600.  It is opened
 * once, not through a symbolic link, looked at, and everything is done through that descriptor.
 */
#ifndef CAIRN_SIM_RUNDIR_H
#define CAIRN_SIM_RUNDIR_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_RUNDIR_PATH 108	/* longest path of a file in it, as for a socket */
#define SIM_RUNDIR_GIDS 16

struct sim_rundir;

struct sim_nic_facts {
	unsigned int index;
	unsigned int host, function;	/* which of the simulated hosts, which of its functions */
	uint64_t mac;			/* first wire byte in bits 47:40 */
	unsigned int n_gids;
	char gid[SIM_RUNDIR_GIDS][64];	/* as of cairn_parse_gid(); 0 link-local, 1 IPv4, 2 IPv6 */
	unsigned int data_w, gbps, eth_mtu;
};

/* $XDG_RUNTIME_DIR/cairn, or /run/cairn. */
const char *sim_rundir_default(void);

/* Makes the directory if need be.  NULL with a message in err (SIM_ERR_MAX bytes). */
struct sim_rundir *sim_rundir_open(const char *path, char *err);
/* Removes what was put into it; the directory itself stays. */
void sim_rundir_close(struct sim_rundir *dir);

/* "nic<index>.<what>" in it, in `out` of SIM_RUNDIR_PATH bytes; false: too long. */
bool sim_rundir_file(const char *dir, unsigned int index, const char *what, char *out);

/* The same file through the descriptor of the directory, to be opened or bound. */
bool sim_rundir_at(const struct sim_rundir *dir, unsigned int index, const char *what, char *out);

/* Write nicN.json, beside an empty nicN.lease.  0 or -errno. */
int sim_rundir_describe(struct sim_rundir *dir, const struct sim_nic_facts *facts);

/*
 * By index and mac: the link-local GID, then 10.0.0.(i+1) and fd00::(i+1), or what address[0] and
 * [1] name instead, then address[2] and so on (SIM_RUNDIR_GIDS pointers; NULL: none).
 */
void sim_facts_gids(struct sim_nic_facts *facts, const char *const address[]);

#endif
