/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What surrounds pcie_tlp: the host's TLP stream, a link with credits that watches what leaves,
 * stand-ins for dma_write and dma_read, and a register file.
 */
#ifndef CAIRN_TEST_TLP_BENCH_H
#define CAIRN_TEST_TLP_BENCH_H

#include "../dma/tlp.h"

#define TB_QUEUE 2048
#define TB_BEATS 8 /* of posted TLPs */

enum tb_class { TB_POSTED, TB_NONPOSTED, TB_COMPLETION, TB_CLASSES };

struct tb_tlp {
	struct tlp_hdr hdr;
	unsigned int bar, beats;
	uint8_t data[512];
};

struct tb_queue {
	struct tb_tlp t[TB_QUEUE];
	unsigned int put, get, beat;
	bool shown;
	unsigned int gap; /* percent */
};

struct tb_access { /* as the register file saw it */
	bool we;
	unsigned int addr, be;
	uint64_t data;
};

struct tb_db {
	unsigned int page, offset;
	uint64_t data, cycle;
	bool push;
	uint8_t bytes[64];
};

struct tlp_bench {
	struct vtb *tb;
	unsigned int bytes;	  /* of a beat */
	struct tb_queue rx, p, n; /* from the host; from dma_write and dma_read */
	unsigned int tx_stall, cpl_stall, csr_wait, credit,
		credit_pct; /* credit: mask; or random */
	bool bme, flr;
	/* link */
	struct tb_tlp tx[TB_QUEUE];
	unsigned int n_tx, by_class[TB_CLASSES], p_out, n_out, p_dropped, n_dropped;
	bool offered, mid;
	unsigned int offered_class;
	struct tlp_hdr offered_hdr;
	uint64_t tx_cycle[TB_QUEUE];
	/* device */
	uint8_t regs[65536];
	unsigned int wait;
	struct tb_access access[TB_QUEUE];
	unsigned int n_access;
	struct tb_db db[TB_QUEUE];
	unsigned int n_db, n_db_bad, n_bar_bad, n_cpl_beats, n_cpl;
	struct tb_tlp cpl[64]; /* last completions passed to dma_read */
	const struct sim_port *rx_valid, *rx_ready, *rx_sop, *rx_last, *rx_hdr, *rx_bar, *rx_data,
		*tx_valid, *tx_ready, *tx_sop, *tx_last, *tx_hdr, *tx_data, *credit_port, *p_valid,
		*p_ready, *p_drop, *p_sop, *p_last, *p_hdr, *p_data, *n_valid, *n_ready, *n_drop,
		*n_hdr, *c_valid, *c_ready, *c_sop, *c_last, *c_hdr, *c_data, *csr_valid,
		*csr_ready, *csr_we, *csr_addr, *csr_be, *csr_wdata, *csr_rdata, *db_valid,
		*db_page, *db_offset, *db_data, *push_valid, *push_data, *db_bad, *bar_bad;
};

struct tlp_bench *tlp_bench_new(void);
void tlp_bench_free(struct tlp_bench *b);

/* The host's requests.  be: of the first and last DW; dw 1 to 1024. */
struct tb_tlp *tb_write(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int dw,
			unsigned int fbe, unsigned int lbe, const void *data);
struct tb_tlp *tb_read(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int dw,
		       unsigned int fbe, unsigned int lbe, unsigned int tag);
/* A store or load of the CPU: natural bytes. */
void tb_store(struct tlp_bench *b, unsigned int bar, uint64_t addr, unsigned int len,
	      const void *data);
void tb_cpl(struct tlp_bench *b, unsigned int tag, unsigned int dw);
/* The device's own TLPs. */
void tb_posted(struct tlp_bench *b, unsigned int beats);
void tb_nonposted(struct tlp_bench *b);

#endif
