// SPDX-License-Identifier: Apache-2.0
/* What a failure leaves behind (sim_bundle() of sim.h), and recordings (sim_cfg.record). */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
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
		"{s:s?, s:i, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:i, s:b, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:s?}",
		"command", command, "number", (int)sim->number, "cycles",
		(json_int_t)sim->evaluated, "seed", (json_int_t)cfg->seed, "wire_seed", (json_int_t)wire->seed,
		"time_ns", (json_int_t)sim->now, "errors", (json_int_t)sim_errors(sim), "nics",
		(int)sim->n_nics, "nics_per_port", (int)wire->nics_per_port, "data_w",
		(int)cfg->data_w, "period_ns", (int)sim->period,
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

/* The capture, if there is one and it is not in the bundle already. */
static int copy_capture(const char *from, const char *dir)
{
	const char *dot = strrchr(from, '.');
	char path[PATH_LEN], block[65536];
	FILE *in, *out;
	size_t n;
	int ret = 0;

	snprintf(path, sizeof(path), "%.4000s/wire%.16s", dir, dot ? dot : "");
	if (!strcmp(path, from))
		return 0;
	in = fopen(from, "re");
	out = in ? fopen(path, "we") : NULL;
	if (!out)
		ret = -errno;
	while (out && (n = fread(block, 1, sizeof(block), in)) > 0)
		if (fwrite(block, 1, n, out) != n)
			ret = -EIO;
	if (in)
		fclose(in);
	if (out && fclose(out))
		ret = -EIO;
	return ret;
}

/* Simulations made by this process so far. */
static unsigned int made;

int sim_record_begin(struct sim *sim, char *err)
{
	const char *dir = sim->cfg.record, *number = getenv("CAIRN_RECORD_NUMBER");

	sim->number = ++made;
	if (!dir && (!number || strtoul(number, NULL, 10) == sim->number))
		dir = getenv("CAIRN_RECORD");
	if (!dir || !*dir)
		return 0;
	if (mkdir(dir, 0755) && errno != EEXIST) {
		snprintf(err, SIM_ERR_MAX, "recording: cannot make %.300s: %s", dir, strerror(errno));
		return -errno;
	}
	sim->record_dir = strdup(dir);
	for (unsigned int i = 0; i < sim->n_nics; i++)
		if (sim_nic_record(sim->nic[i], dir, err))
			return -EIO;
	return sim->record_dir ? 0 : -ENOMEM;
}

static int file_error(char *err, const char *what, const char *path, int ret)
{
	if (ret)
		snprintf(err, SIM_ERR_MAX, "%s %.300s cannot be written: %s", what, path,
			 strerror(-ret));
	return ret;
}

int sim_files_failed(struct sim *sim, char *err)
{
	const char *path;
	int ret = sim_wire_failed(sim->wire, &path);

	if (ret)
		return file_error(err, "capture file", path, ret);
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		const struct sim_record *record = sim->nic[i]->record;

		if (record && sim_record_error(record))
			return file_error(err, "recording", sim_record_path(record),
					  sim_record_error(record));
	}
	return 0;
}

int sim_close_files(struct sim *sim, char *err)
{
	int ret = sim->wire ? (sim_wire_flush(sim->wire), sim_files_failed(sim, err)) : 0;

	if (sim->record_dir && sim->wire && !sim->record_bundled) {
		int bundled = sim_bundle(sim, sim->record_dir, NULL);

		if (!ret)
			ret = file_error(err, "bundle", sim->record_dir, bundled);
	}
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		char path[PATH_LEN];
		int ended;

		snprintf(path, sizeof(path), "%.4000s/nic%u.rec",
			 sim->record_dir ? sim->record_dir : "", i);
		ended = sim_record_free(sim->nic[i]->record);
		sim->nic[i]->record = NULL;
		if (!ret)
			ret = file_error(err, "recording", path, ended);
	}
	free(sim->record_dir);
	sim->record_dir = NULL;
	return ret;
}

int sim_bundle(struct sim *sim, const char *dir, const char *command)
{
	char path[PATH_LEN];
	int ret;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return -errno;
	sim_wire_flush(sim->wire);
	sim->record_bundled |= sim->record_dir && !strcmp(dir, sim->record_dir);
	for (unsigned int i = 0; i < sim->n_nics; i++) {
		FILE *file;

		if (sim->nic[i]->record)
			sim_record_flush(sim->nic[i]->record);
		snprintf(path, sizeof(path), "%s/nic%u.tlp", dir, i);
		file = fopen(path, "we");
		if (!file)
			return -errno;
		sim_pcie_dump_log(sim->nic[i]->pcie, file);
		ret = ferror(file) ? -EIO : 0;
		if (fclose(file) || ret)
			return ret ? ret : -errno;
	}
	if (sim_wire_cfg(sim->wire)->pcap) {
		int ret = copy_capture(sim_wire_cfg(sim->wire)->pcap, dir);

		if (ret)
			return ret;
	}
	return write_config(sim, dir, command);
}
