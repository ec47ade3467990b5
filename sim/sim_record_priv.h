/* SPDX-License-Identifier: Apache-2.0 */
/* What recording and replay share (sim_record.h). */
#ifndef CAIRN_SIM_RECORD_PRIV_H
#define CAIRN_SIM_RECORD_PRIV_H

#include <stdbool.h>
#include <zlib.h>

#include "sim_record.h"

#define RECORD_MAGIC	   "cairn ports 1\n"
#define RECORD_PORTS	   64	/* of each direction */
#define RECORD_INPUT_BYTES 1024
#define RECORD_HEAD	   32	/* varint, or bit map */
#define RECORD_SUM0	   0x6b79d8c5f0a3421bULL

struct record_ports {
	const struct sim_port *in[RECORD_PORTS], *out[RECORD_PORTS];
	const uint8_t *gate[RECORD_PORTS];	/* of outputs */
	unsigned int n_in, n_out, in_bytes;
	uint8_t *old;				/* inputs of the last record */
	uint8_t *line;
};

/* 0, -E2BIG or -ENOMEM; free in any case. */
int record_ports_find(struct record_ports *p, const struct sim_dut_ops *ops, struct sim_dut *dut);
void record_ports_free(struct record_ports *p);
/* The checksum with this cycle's outputs added. */
uint64_t record_sum(const struct record_ports *p, uint64_t sum);

#endif
