/* SPDX-License-Identifier: Apache-2.0 */
/* What recording and replay share (sim_record.h). */
#ifndef CAIRN_SIM_RECORD_PRIV_H
#define CAIRN_SIM_RECORD_PRIV_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

#include "sim_record.h"

#define RECORD_MAGIC	   "cairn ports 2\n"
#define RECORD_END	   "cairnend"
#define RECORD_END_BYTES   28
#define RECORD_PORTS	   64	/* of each direction */
#define RECORD_INPUT_BYTES 1024
#define RECORD_HEAD	   32	/* varint, or bit map */
#define RECORD_SUM0	   0x6b79d8c5f0a3421bULL

/* The last bytes of a whole recording. */
struct record_end {
	char magic[8];
	uint64_t cycles;			/* records before it */
	uint64_t sum;				/* of all outputs */
	uint32_t crc;				/* of all bytes before it, CRC-32 of zlib */
};
static_assert(offsetof(struct record_end, crc) + 4 == RECORD_END_BYTES, "no holes");

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
