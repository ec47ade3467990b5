/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware's side of the context port (bundles ctx_op, ctx_done of rtl/hw/int.def), as ctx_mmio is
 * it: the words that an operation asks for are shown in the next cycle, anything before and behind
 * it; what it puts takes their place. The bench drives valid, table, op, part and key itself.
 */
#ifndef CAIRN_VTB_CTX_H
#define CAIRN_VTB_CTX_H

#include "vtb.h"

struct vtb_ctx {
	uint32_t data[16], mask[16]; /* of the next operation; of the one under way */
	uint32_t got[16];	     /* data as it is now: complete when done */
	bool was_valid;
	unsigned int asked;
	uint64_t noise;
	const struct sim_port *valid, *op, *data_i, *mask_i, *done, *word, *put, *data_o;
};

/* `in`, `out`: what the names of the two bundles' ports begin with ("fw", "op"). */
void vtb_ctx_attach(struct vtb_ctx *p, struct vtb *tb, const char *in, const char *out);
/* 64 bytes each; NULL: zeros. */
void vtb_ctx_put(struct vtb_ctx *p, const void *data, const void *mask);

#endif
