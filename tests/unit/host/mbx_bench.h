/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_mailbox with its fw_dma between the management core's accesses (mbx_get, mbx_put), the core's
 * RAM, ready when it likes, and a host that answers reads in any order and whenever it likes.
 */
#ifndef CAIRN_TEST_MBX_BENCH_H
#define CAIRN_TEST_MBX_BENCH_H

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb_rec.h"

#define MBX 0x00000
#define DMA 0x20000
#define MBX_HOST_BYTES (2 * CAIRN_CPU_RAM_BYTES)
#define MBX_LINE 64
#define MBX_LINES 32 /* more than this many in flight fail the test */

struct mbx_line { /* a read at the host, all of it in one line */
	bool live, err;
	unsigned int cut; /* as cut_at */
	unsigned int tag, addr, len, sent;
	uint64_t due; /* cycle */
};

struct mbx_bench {
	struct vtb *tb;
	unsigned int bytes; /* of a beat */
	/* the surroundings */
	unsigned int busy_pct, ram_busy_pct; /* of cycles without ready */
	unsigned int latency;		     /* cycles from a read to its answer */
	bool hold_rsp, hold_wr, hold_msix;
	int fail_in, cut_in; /* reads until one that fails, or is cut where it must not; -1: none */
	unsigned int cut_at; /* bit per word of that line: a completion begins there */
	uint8_t host[MBX_HOST_BYTES], ram[CAIRN_CPU_RAM_BYTES];
	struct mbx_line lines[MBX_LINES];
	bool ram_read; /* the RAM gives this word in the next cycle */
	uint32_t ram_word;
	/* what was seen */
	unsigned int n_rd, n_wr, n_ram, max_lines;
	unsigned int vectors[64], n_vectors, wr_at_vector[64];
	unsigned int load_words, load_ends; /* of the image; its words are compared as they come */
	unsigned int load_iova;
	bool load_err;
	const struct sim_port *rd_req, *rsp_meta, *rsp_data, *wr_cmd;
};

struct mbx_bench *mbx_new(void);
void mbx_free(struct mbx_bench *b);

uint32_t mbx_access(struct mbx_bench *b, bool we, unsigned int addr, uint32_t data,
		    unsigned int strb);
uint32_t mbx_get(struct mbx_bench *b, unsigned int addr);
void mbx_put(struct mbx_bench *b, unsigned int addr, uint32_t data);

/* flags: bits of DMA_START. */
void mbx_start(struct mbx_bench *b, unsigned int slot, uint32_t flags, unsigned int iova,
	       unsigned int len, unsigned int ram);
/* Wait for the slots' DONE bits, clear them, give back their ERR bits. */
unsigned int mbx_finish(struct mbx_bench *b, unsigned int slots);

#endif
