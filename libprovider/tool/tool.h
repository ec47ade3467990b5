/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The `cairn` tool: tool.c finds the subcommand, each has a file of its own and a row in the table
 * of tool.c.  Exit status: 0 done, 1 failed with a message, 2 wrong usage; `cairn run` has that of
 * its program.
 */
#ifndef CAIRN_TOOL_H
#define CAIRN_TOOL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOOL_USAGE	2	/* exit status of wrong usage */
#define TOOL_PATH	4096
#define TOOL_ALL_NICS	(-1)
#define TOOL_ALL_HOSTS	(-1)

/* argv[0] is "cairn <subcommand>". */
int tool_sim(int argc, char **argv);
int tool_run(int argc, char **argv);
int tool_stat(int argc, char **argv);
int tool_top(int argc, char **argv);
int tool_replay(int argc, char **argv);
int tool_report(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_bind(int argc, char **argv);
int tool_unbind(int argc, char **argv);

/* What messages begin with from now on; the string stays. */
void tool_called(const char *name);
/* "<argv0>: <message>" on stderr; returns 1. */
int tool_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Values of options: anything wrong ends the program with a message that names the option. */
uint64_t tool_number(struct argp_state *state, const char *option, const char *text, uint64_t lo,
		     uint64_t hi);
double tool_fraction(struct argp_state *state, const char *option, const char *text);
/* "ADDR[@VLAN]" that a NIC may have. */
void tool_address(struct argp_state *state, const char *option, const char *text, uint8_t gid[16],
		  uint32_t *vlan);

/* Options -d RUNDIR, -H HOST and -i NIC of run, stat and info; a child parser for argp. */
struct tool_where {
	const char *rundir;
	int host;			/* TOOL_ALL_HOSTS */
	int nic;			/* TOOL_ALL_NICS */
	bool given;			/* one of them was */
};

extern const struct argp tool_where_argp;
void tool_where_init(struct tool_where *where);

/*
 * The NICs whose nicN.<what> exists in the run directory, in order; at most `max` indices.  Only
 * where->nic, or those of where->host, if that was given.
 */
unsigned int tool_find_nics(const struct tool_where *where, const char *what, unsigned int *index,
			    unsigned int max);
/* "no simulated NIC in DIR: ..."; returns 1. */
int tool_no_nics(const struct tool_where *where);

/*
 * Into path[TOOL_PATH]: the first of n files, named from the tool's own folder, that can be read,
 * else the `installed` one; false if that cannot be read either.
 */
bool tool_find(char *path, const char *const *beside, size_t n, const char *installed);

#endif
