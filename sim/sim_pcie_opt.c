/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kind of host a simulated NIC sits in, as words: `cairn sim --host`, and $HOST_PCIE of the
 * transport tests.  docs/simulator.md lists them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_pcie.h"

#define MAX_RTT_NS 10000u
#define MAX_TEXT   256

static bool number(const char *text, unsigned int most, unsigned int *value)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || v > most)
		return false;
	*value = (unsigned int)v;
	return true;
}

static bool power_of_two(const char *text, unsigned int least, unsigned int most,
			 unsigned int *value)
{
	return number(text, most, value) && *value >= least && !(*value & (*value - 1));
}

static bool split(const char *text, enum sim_pcie_split *split)
{
	static const char *const names[] = {
		[SIM_SPLIT_MPS] = "mps", [SIM_SPLIT_RCB] = "rcb", [SIM_SPLIT_RANDOM] = "random"
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i])) {
			*split = (enum sim_pcie_split)i;
			return true;
		}
	return false;
}

static bool word(struct sim_pcie_cfg *cfg, const char *w)
{
	if (!strcmp(w, "no-ext-tag"))
		return cfg->no_ext_tag = true;
	if (!strcmp(w, "no-relaxed"))
		return cfg->no_relaxed = true;
	if (!strncmp(w, "mps=", 4))
		return power_of_two(w + 4, 128, 4096, &cfg->mps);
	if (!strncmp(w, "mrrs=", 5))
		return power_of_two(w + 5, 128, 4096, &cfg->mrrs);
	if (!strncmp(w, "rcb=", 4))
		return power_of_two(w + 4, 64, 128, &cfg->rcb);
	if (!strncmp(w, "split=", 6))
		return split(w + 6, &cfg->split);
	if (!strncmp(w, "rtt-ns=", 7))
		return number(w + 7, MAX_RTT_NS, &cfg->read_rtt_ns);
	return false;
}

bool sim_pcie_cfg_host(struct sim_pcie_cfg *cfg, const char *text, char *wrong, size_t size)
{
	char copy[MAX_TEXT], *rest, *w;

	snprintf(wrong, size, "%s", text);
	if (!*text || snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return false;
	for (rest = copy; (w = strsep(&rest, ","));)
		if (!word(cfg, w)) {
			snprintf(wrong, size, "%s", w);
			return false;
		}
	return true;
}
