/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory behind the read port rd_*, beat_* of one block (one DMA client), for the unit tests
 * of the CQ and MR services: any order, random latency, pieces, failures, beats of other clients.
 */
#ifndef CQ_MR_HOST_H
#define CQ_MR_HOST_H

#include "vtb_rec.h"

#define HOST_BYTES (1u << 22)

struct host {
	struct vtb *tb;
	uint8_t mem[HOST_BYTES];
	unsigned int client, width; /* width: bytes of a beat */
	unsigned int latency, busy, fail; /* cycles at most; percent without ready; percent */
	struct {
		bool used, bad;
		uint64_t iova, due;
		unsigned int len, tag, off;
	} rd[64];
	unsigned int n_read;
	uint16_t ticket;
};

void host_init(struct host *h, struct vtb *tb, unsigned int client);
/* The small posted write at this port (x_cmd_o), which goes to memory. */
struct rec_dma_wr host_write(struct host *h, const char *port);

#endif
