/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording of everything that enters one NIC's core, cycle by cycle, and its replay into a fresh
 * model: the same cycles whatever host, wire and wall clock did.  What the core put out is kept as
 * checksums, so that a replay knows whether it was the same.
 *
 * File (gzip): the line MAGIC; a line of JSON {model, data_w, period_ns, dut_seed, inputs [[name,
 * bytes], ...]}; then one record per computed clock cycle: varint (clock periods since the last
 * record << 1 | inputs changed), and if so a bit per input (clk_i and time_now_i have none) and the
 * bytes of those that changed.  After every SIM_RECORD_BLOCK records the checksum of the outputs in
 * these cycles, 8 bytes.  At the end "cairnend", the number of records, the checksum, a CRC-32 of
 * all before it: a recording without is cut, one that does not agree with it is damaged.  Outputs
 * x_<name>_o count only while x_valid_o, if there is one.
 */
#ifndef CAIRN_SIM_RECORD_H
#define CAIRN_SIM_RECORD_H

#include <stdint.h>

#include "sim_dut.h"

#define SIM_RECORD_BLOCK 64

struct sim_record;

/* NULL with a message in err (SIM_ERR_MAX bytes).  To be opened before the first cycle. */
struct sim_record *sim_record_new(const char *path, const struct sim_dut_ops *ops,
				  struct sim_dut *dut, unsigned int data_w, unsigned int period_ns,
				  uint32_t dut_seed, char *err);
/* Inputs and outputs stand as the rising edge at `now` will see them. */
void sim_record_cycle(struct sim_record *record, uint64_t now);
/* What was recorded so far can be read from the file. */
void sim_record_flush(struct sim_record *record);
/* 0, or -errno of a write that failed: the file will not be whole. */
int sim_record_error(const struct sim_record *record);
const char *sim_record_path(const struct sim_record *record);
/* Writes the end; 0, or -errno: the file is not whole. */
int sim_record_free(struct sim_record *record);

struct sim_replay_cfg {
	const char *path;
	const char *waves;		/* FST file, or NULL */
	uint64_t waves_from, waves_to;	/* ns; to 0: to the end */
};

struct sim_replay_result {
	uint64_t cycles, now;		/* computed; time of the last one, ns */
	uint64_t differs_ns;		/* start of the first block that differs, or SIM_NEVER */
	unsigned int errors;		/* failed assertions of the model */
	bool cut;			/* the recording has no end; up to there it was computed */
};

/* 0, or -errno with a message in err; -EBADMSG: the recording is damaged. */
int sim_replay(const struct sim_replay_cfg *cfg, struct sim_replay_result *result, char *err);

#endif
