// SPDX-License-Identifier: Apache-2.0
/*
 * Every transport test's packets are recorded and judged by tests/trace/check, which knows the
 * protocol and nothing of the device; see rdma.h.  A capture without findings is removed.
 */
#define _GNU_SOURCE
#include "rdma.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[256];
static unsigned int captures, bad;

const char *rdma_trace_begin(const char *asked)
{
	const char *pcap = asked ? asked : getenv("PCAP");

	path[0] = 0;
	if (pcap)
		return *pcap ? pcap : NULL; /* whoever names a file looks at it, too */
	if (strncmp(program_invocation_short_name, "test_", 5) || access("tests/trace/check", X_OK))
		return NULL;
	/* the same program may run twice at a time, with other models */
	snprintf(path, sizeof(path), "build/integration/%s-%d-%u.pcapng",
		 program_invocation_short_name, (int)getpid(), ++captures);
	return path;
}

void rdma_trace_end(bool judge)
{
	char command[600];

	if (!path[0])
		return;
	snprintf(command, sizeof(command), "tests/trace/check %s > %s.txt 2>&1", path, path);
	if (judge && system(command)) {
		bad++;
		print_error("the packets in %s break rules: see %s.txt\n", path, path);
	} else if (judge) {
		unlink(path);
		snprintf(command, sizeof(command), "%s.txt", path);
		unlink(command);
	}
	path[0] = 0;
}

int rdma_trace_findings(void)
{
	return (int)bad;
}
