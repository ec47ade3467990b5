// SPDX-License-Identifier: Apache-2.0
/* What a failure leaves behind (sim_bundle() of sim.h). */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim_priv.h"

#define PATH_LEN 4096

static int write_config(const struct sim *sim, const char *dir, const char *command)
{
	const struct sim_cfg *cfg = &sim->cfg;
	const struct sim_wire_cfg *wire = sim_wire_cfg(sim->wire);
	char path[PATH_LEN];
	json_t *root = json_pack(
		"{s:s?, s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:b, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:s?}",
		"command", command, "seed", (json_int_t)cfg->seed, "wire_seed", (json_int_t)wire->seed,
		"time_ns", (json_int_t)sim->now, "errors", (json_int_t)sim_errors(sim), "nics",
		(int)sim->n_nics, "data_w", (int)cfg->data_w, "period_ns", (int)sim->period,
		"no_jump", (int)cfg->no_jump, "link_mbps", (int)wire->mbps, "delay_ns",
		(json_int_t)wire->delay_ns, "loss", wire->loss, "reorder", wire->reorder, "dup",
		wire->dup, "corrupt", wire->corrupt, "ecn", wire->ecn, "pcap", wire->pcap);
	int ret;

	if (!root)
		return -ENOMEM;
	snprintf(path, sizeof(path), "%s/config.json", dir);
	ret = json_dump_file(root, path, JSON_INDENT(2));
	json_decref(root);
	return ret ? -EIO : 0;
}

int sim_bundle(struct sim *sim, const char *dir, const char *command)
{
	char path[PATH_LEN];
	int ret;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return -errno;
	sim_wire_flush(sim->wire);
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/nic%u.tlp", dir, i);
		file = fopen(path, "we");
		if (!file)
			return -errno;
		sim_pcie_dump_log(sim->nic[i]->pcie, file);
		ret = ferror(file) ? -EIO : 0;
		if (fclose(file) || ret)
			return ret ? ret : -errno;
	}
	return write_config(sim, dir, command);
}
