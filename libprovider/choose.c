// SPDX-License-Identifier: Apache-2.0
/*
 * Which of the NICs that are there are for this process (driver/lease.h).
 *
 * All of them, in the order in which a program should try them: its own, the free ones, those that
 * another process has listed, those that others use.  The first free one is reserved, until a
 * device is opened or the list is given back, so that of programs that open the first device of
 * their list each gets its own, however close together they start.
 *
 * Or, where CAIRN_LEASE is set (`cairn run -H`, `--functions`), one that is free, which the process
 * keeps until it exits; the others are not there.  Its value is what they are called together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider.h"

static_assert(CAIRN_LEASE_TAKEN + 1 == CHOOSE_RANKS, "a rank for each state");

/* "cairn_0 by process 12 (a), cairn_1 by ...", once until one was free */
static void say_none_free(const char *which, struct nic *const *nics, unsigned int n)
{
	char text[320] = "", who[CAIRN_WHO_BYTES];
	size_t used = 0;

	for (unsigned int i = 0; i < n && used < sizeof(text); i++) {
		cairn_lease_state(nics[i]->addr, who);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s by %s",
					 i ? ", " : "", nics[i]->ibv.name,
					 *who ? who : "another process");
	}
	if (used >= sizeof(text))
		strcpy(text + sizeof(text) - 4, "...");
	cairn_warn("no NIC of %s is free, they are used: %s; end one of these, or give more (cairn "
		   "sim --functions, cairn run --functions)",
		   which, text);
}

static int keep_one(const char *which, const char *const *addrs, struct nic *const *nics,
		    unsigned int n)
{
	static bool said;
	int got = cairn_lease_keep(addrs, n);

	for (unsigned int i = 0; i < n; i++)
		nics[i]->hidden = got != (int)i && !atomic_load(&nics[i]->opens);
	if (got < 0 && !said && got == -EBUSY)
		say_none_free(which, nics, n);
	else if (got < 0 && !said)
		cairn_warn("no NIC of %s can be kept for this process: %s", which, strerror(-got));
	said = got < 0;
	return got < 0 ? -got : 0;
}

static void in_order(const char *const *addrs, struct nic *const *nics, unsigned int n)
{
	char who[CAIRN_WHO_BYTES];

	cairn_lease_reserve(addrs, n);
	for (unsigned int i = 0; i < n; i++) {
		nics[i]->hidden = false;
		nics[i]->rank = cairn_lease_state(addrs[i], who);
	}
}

void nics_unreserve(void)
{
	cairn_lease_unreserve();
}

int choose(struct nic *const *nics, unsigned int n)
{
	const char *which = secure_getenv("CAIRN_LEASE");
	const char *addrs[MAX_NICS];

	for (unsigned int i = 0; i < n; i++)
		addrs[i] = nics[i]->addr;
	if (n && which)
		return keep_one(which, addrs, nics, n);
	in_order(addrs, nics, n);
	return 0;
}
