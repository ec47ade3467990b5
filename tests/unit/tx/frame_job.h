/* SPDX-License-Identifier: Apache-2.0 */
/* The job that makes a frame: what the engines of the send and the receive side hand to tx_path. */
#ifndef CAIRN_TEST_FRAME_JOB_H
#define CAIRN_TEST_FRAME_JOB_H

#include "roce_frame.h"
#include "vtb_rec.h"

/* n bytes, 8 at most, the first one on top. */
static inline uint64_t be(const uint8_t *bytes, unsigned int n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | *bytes++;
	return value;
}

/* All that the frame says, its source GID being entry gid; the rest is 0. */
static inline struct rec_tx_job frame_job(const struct roce_frame *f, unsigned int gid)
{
	return (struct rec_tx_job){ .opcode = f->opcode,
				    .psn = f->psn,
				    .ackreq = f->ackreq,
				    .se = f->se,
				    .pay_len = (uint16_t)f->pay_len,
				    .args.va = f->va,
				    .args.key = f->key,
				    .args.len = f->len,
				    .args.imm = f->imm,
				    .args.aeth = f->aeth,
				    .args.swap_add = f->swap_add,
				    .args.compare = f->compare,
				    .qkey = f->qkey,
				    .av.dmac = be(f->dmac, 6),
				    .av.dgid[1] = be(f->dgid, 8),
				    .av.dgid[0] = be(f->dgid + 8, 8),
				    .av.ipv6 = f->ipv6,
				    .av.sgid_index = (uint8_t)gid,
				    .av.sport = f->sport,
				    .av.tclass = f->tclass,
				    .av.hop = f->hop,
				    .av.flow = f->flow,
				    .av.vlan = f->vlan,
				    .av.tci = f->tci,
				    .av.pkey = f->pkey,
				    .av.dest_qp = f->dest_qp };
}

#endif
