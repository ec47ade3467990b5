/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_if between the simulator's root complex (with its TLP monitor) and simple clients: random
 * reads of constant memory, writes to places of their own with payload from a pretended RX pool,
 * reads back behind a write's ticket, and events with interrupts.
 */
#ifndef CAIRN_TEST_HIF_BENCH_H
#define CAIRN_TEST_HIF_BENCH_H

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "sim_pcie.h"
#include "vtb.h"

#define HIF_RO_BASE 0x40000000ull /* below 4 GiB */
#define HIF_RO_BYTES 0x40000u
#define HIF_WR_BASE 0x7700000000ull /* above */
#define HIF_WR_BYTES 0x200000u
#define HIF_BLANK 0xee
#define HIF_VECTOR 9
#define HIF_POOL 256

struct hif_read {
	bool open, back; /* back: of the written area */
	unsigned int addr, len, got, ticket;
	uint8_t seen[4096];
};

struct hif_write {
	unsigned int client, addr, len;
	bool first, free, payload;
};

struct hif_bench {
	struct vtb *tb;
	struct sim_pcie *pcie;
	struct sim_mem *mem;
	unsigned int bytes;
	uint64_t now, clk_ns;
	uint8_t *ro, *wr, *want; /* memory, and what the written area must become */
	unsigned int used;	 /* bytes of the written area given out */
	/* work: percent of the cycles in which a client starts something */
	unsigned int rd_pct, wr_pct, ev_pct;
	bool max_size; /* payload of 4096, no small writes */
	/* clients */
	struct hif_read reads[8][64];
	int rd_shown[8]; /* tag on offer, -1: none */
	bool wr_busy[8];
	struct hif_write wr_shown[8];
	bool wr_more; /* client 0 has the second half of a packet to come */
	struct {
		unsigned int addr, len;
	} pool[HIF_POOL];
	unsigned int pool_put, pool_cmd, pool_get, pool_pos;
	bool pool_shown;
	unsigned int back_addr[64], back_len[64], back_ticket[64], n_back;
	unsigned int ev_addr[64], ev_put, ev_get, ev_asked; /* EQEs written; interrupts asked for */
	bool ev_ask;
	uint64_t n_reads, n_errs, n_writes, n_irqs, rd_bytes, wr_bytes, bad_irqs;
	const struct sim_port *rd_valid[8], *rd_ready[8], *rd_req[8];
	const struct sim_port *wr_valid[8], *wr_ready[8], *wr_cmd[8];
	const struct sim_port *beat_valid, *beat_meta, *beat_data, *ticket, *pc_valid, *pc_cmd,
		*pd_valid, *pd_ready, *pd_data, *mx_valid, *mx_ready, *core_rst, *time_now;
};

struct hif_bench *hif_new(bool stress, unsigned int mps, unsigned int mrrs);
void hif_free(struct hif_bench *b);
/* Run, then stop the clients, let everything end and compare memory. */
void hif_run(struct hif_bench *b, uint64_t cycles);
void hif_drain(struct hif_bench *b, uint64_t max_cycles);
uint64_t hif_bar_read(struct hif_bench *b, unsigned int bar, uint64_t off, unsigned int size);

#endif
