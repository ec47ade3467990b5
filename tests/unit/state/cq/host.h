/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory behind the read port rd_*, rsp_* of one block (one DMA client), for the unit tests of
 * the CQ and MR services: any order, random latency, pieces, failures, beats of other clients.
 */
#ifndef CQ_MR_HOST_H
#define CQ_MR_HOST_H

#include "vtb.h"

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
/* A request or answer as a flat vector: bits from lsb up. */
uint64_t host_bits(const uint8_t *v, unsigned int lsb, unsigned int n);
/* Small posted write command: to memory; false when it is not one. */
bool host_write(struct host *h, const uint8_t *cmd, uint64_t *iova, unsigned int *len);

#endif
