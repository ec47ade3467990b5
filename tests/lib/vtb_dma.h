/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ports of the clients of dma_read and dma_write (RD_*, WR_*), which have names where a bench
 * has numbers: the members of the bundles dma_reads and dma_writes of rtl/hw/int.def.
 */
#ifndef CAIRN_VTB_DMA_H
#define CAIRN_VTB_DMA_H

#include <stdio.h>

#include "vtb_rec.h"

/* `form` is a port's name with %s for the client. */
static inline const struct sim_port *vtb_client_port(struct vtb *tb, const char *form,
						     const char *client)
{
	char name[64];

	snprintf(name, sizeof(name), form, client); /* NOLINT: the caller's own text */
	return vtb_port(tb, name);
}

static inline const struct sim_port *vtb_rd_port(struct vtb *tb, const char *form,
						 unsigned int client)
{
	static const char *const names[REC_RD_N] = {
		[REC_RD_TXP] = "txp", [REC_RD_WQE] = "wqe",   [REC_RD_RQE] = "rqe",
		[REC_RD_QPC] = "qpc", [REC_RD_MR] = "mr",     [REC_RD_CQ] = "cq",
		[REC_RD_FW] = "fw",   [REC_RD_ATOM] = "atom",
	};

	return vtb_client_port(tb, form, names[client]);
}

static inline const struct sim_port *vtb_wr_port(struct vtb *tb, const char *form,
						 unsigned int client)
{
	static const char *const names[REC_WR_N] = {
		[REC_WR_RSP] = "rsp", [REC_WR_CMP] = "cmp",   [REC_WR_CQE] = "cqe",
		[REC_WR_EQE] = "eqe", [REC_WR_QPC] = "qpc",   [REC_WR_CQC] = "cqc",
		[REC_WR_FW] = "fw",   [REC_WR_ATOM] = "atom",
	};

	return vtb_client_port(tb, form, names[client]);
}

#endif
