/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What surrounds dma_write: eight clients, the RX pool's reader with packets of known bytes, and
 * the TLP stream, on which every byte must come from the oldest unfinished command.
 */
#ifndef CAIRN_TEST_WR_BENCH_H
#define CAIRN_TEST_WR_BENCH_H

#include "tlp.h"

#define WR_CLIENTS 8
#define WR_MAX_CMDS 8192

struct wr_cmd {
	unsigned int client, len, cell, off, func, done, ticket;
	uint64_t iova;
	bool payload, first, free, relaxed, epoch, taken, sent;
	uint8_t data[4096];
	uint64_t t_taken;
};

struct wr_bench {
	struct vtb *tb;
	unsigned int bytes; /* of a beat */
	/* knobs */
	bool strict; /* the host lets nothing be marked relaxed */
	unsigned int mps, mwr_stall, pool_gap, pool_cmd_stall, cmd_idle;
	bool drop;
	/* commands in order of creation, and in order of acceptance */
	struct wr_cmd *cmds;
	unsigned int n_cmds, head[WR_CLIENTS];
	struct wr_cmd *shown[WR_CLIENTS], **order;
	unsigned int n_taken, n_sent;
	unsigned int locked; /* client + 1 of the unfinished packet */
	/* pool reader: commands taken and their bytes */
	unsigned int pool_cmds, pool_fed, pool_pos; /* pool_pos: byte in the command being fed */
	bool pool_shown;
	/* TLP stream */
	bool mid;
	struct tlp_mem tlp;
	struct wr_cmd *tlp_cmd;
	unsigned int tlp_beat;
	unsigned int limit; /* bytes of the longest payload */
	uint64_t n_tlps, n_dropped, n_beats, first_beat, last_beat, max_gap;
	uint64_t ev_wr, ev_bytes, tlp_bytes, ev_drop, events_seen;
	const struct sim_port *wr_valid[WR_CLIENTS], *wr_ready[WR_CLIENTS], *wr_cmd[WR_CLIENTS];
	unsigned int stands, late; /* cycles: the link has taken nothing; an answer had to wait */
	const struct sim_port *ticket, *sent, *pc_valid, *pc_ready, *pd_valid, *pd_ready, *pd_data,
		*m_valid, *m_ready, *m_drop, *m_sop, *m_last, *m_hdr, *m_data, *ev[3];
};

struct wr_bench *wr_bench_new(unsigned int mps, unsigned int mps_max);
void wr_bench_free(struct wr_bench *b);
/* A small write; len 0: random. */
struct wr_cmd *wr_small(struct wr_bench *b, unsigned int client, unsigned int len,
			unsigned int off);
/* One command of a packet (client 0 or 1): of a new one with first, else going on in the last. */
struct wr_cmd *wr_payload(struct wr_bench *b, unsigned int client, unsigned int len,
			  unsigned int off, bool first, bool free);
/* Run until all is sent, and check totals. */
void wr_finish(struct wr_bench *b, uint64_t max_cycles);

#endif
