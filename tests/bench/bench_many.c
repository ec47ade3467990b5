// SPDX-License-Identifier: Apache-2.0
/*
 * Thousands of connected QPs: a record of four parts each, written into the table in host memory as
 * firmware would have it after CREATE_QP and three MODIFY_QPs, and one SET_DB_PAGES for all of a
 * NIC.  See bench.h.
 */
#include "bench.h"

#include <string.h>

#include "priv.h"

#define FIRST_QPN 16u /* commands give out numbers at random: tests/bench makes none beside these */
#define GEN 1u
#define DB_PAGES 4096u /* in one command, as long as a program waits for one */
#define SQ_LOG2 2u
#define FIRST_PSN 0x100u

struct record {
	struct cairn_qp_cfg cfg;
	struct cairn_qp_req req;
	struct cairn_qp_cmp cmp;
	struct cairn_qp_rsp rsp;
};

static uint32_t psn_of(uint32_t qpn)
{
	return FIRST_PSN + 16 * qpn;
}

/* Both ends have the same number. */
static void write_record(struct rdma *r, unsigned int nic, const struct rdma_qp_cfg *cfg,
			 const struct cairn_qp *qp, struct record *record)
{
	uint32_t tag = CAIRN_PUT(CAIRN_QP_CFG_TAG_QPN, qp->qpn) |
		       CAIRN_PUT(CAIRN_QP_CFG_TAG_GEN, GEN);
	uint32_t psn = psn_of(qp->qpn), vlan;

	memset(record, 0, sizeof(*record));
	record->cfg = (struct cairn_qp_cfg){
		.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_TYPE, CAIRN_QP_TYPE_RC) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, cfg->pmtu) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_RETRY_CNT, cfg->retry_cnt) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_RNR_RETRY, cfg->rnr_retry) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_TIMEOUT, cfg->timeout) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_MIN_RNR_TIMER, cfg->min_rnr_timer) |
			 CAIRN_QP_CFG_STATE_REMOTE_WRITE | CAIRN_QP_CFG_STATE_REMOTE_READ,
		.pd_sgid = CAIRN_PUT(CAIRN_QP_CFG_PD_SGID_PD, r->nic[nic].pd->pdn) |
			   CAIRN_PUT(CAIRN_QP_CFG_PD_SGID_SGID_INDEX, cfg->gid_index),
		.rqpn_hop = CAIRN_PUT(CAIRN_QP_CFG_RQPN_HOP_RQPN, qp->qpn) |
			    CAIRN_PUT(CAIRN_QP_CFG_RQPN_HOP_HOP_LIMIT, 64),
		.dmac_sport = CAIRN_PUT(CAIRN_QP_CFG_DMAC_SPORT_DMAC,
					sim_nic_mac(r->nic[!nic].sim)) |
			      CAIRN_PUT(CAIRN_QP_CFG_DMAC_SPORT_SPORT, 0xc000ull + qp->qpn),
		.pkey_vlan = CAIRN_PUT(CAIRN_QP_CFG_PKEY_VLAN_PKEY, 0xffffu),
		.rd = CAIRN_PUT(CAIRN_QP_CFG_RD_DB_PAGE, qp->db->page) |
		      CAIRN_PUT(CAIRN_QP_CFG_RD_MAX_RD_ATOMIC, CAIRN_MAX_RD_ATOMIC) |
		      CAIRN_PUT(CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, CAIRN_MAX_RD_ATOMIC),
		.eqn = CAIRN_PUT(CAIRN_QP_CFG_EQN_ASYNC_EQN, CAIRN_EQN_ASYNC),
	};
	rdma_ok(r, cairn_query_gid(r->nic[!nic].dev, cfg->gid_index, record->cfg.dgid, &vlan),
		"GID");
	record->req = (struct cairn_qp_req){
		.flags = CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, SQ_LOG2),
		.sq_base = qp->mem.iova,
		.psn = CAIRN_PUT(CAIRN_QP_REQ_PSN_NEXT_PSN, psn),
		.hi_psn = CAIRN_PUT(CAIRN_QP_REQ_HI_PSN, psn),
		.msg_psn = CAIRN_PUT(CAIRN_QP_REQ_MSG_PSN, psn),
		.recover = CAIRN_PUT(CAIRN_QP_REQ_RECOVER_REC_END, psn),
	};
	record->cmp = (struct cairn_qp_cmp){
		.flags = CAIRN_PUT(CAIRN_QP_CMP_FLAGS_RETRY_LEFT, cfg->retry_cnt) |
			 CAIRN_PUT(CAIRN_QP_CMP_FLAGS_RNR_LEFT, cfg->rnr_retry),
		.una = CAIRN_PUT(CAIRN_QP_CMP_UNA_UNA_PSN, psn),
		.gb = CAIRN_PUT(CAIRN_QP_CMP_GB_GB_PSN, psn - 1),
		.old_psn = CAIRN_PUT(CAIRN_QP_CMP_OLD_PSN, psn),
		.sq_cqn = CAIRN_PUT(CAIRN_QP_CMP_SQ_CQN, r->nic[nic].cq->cq->cqn),
	};
	record->rsp = (struct cairn_qp_rsp){
		.epsn = CAIRN_PUT(CAIRN_QP_RSP_EPSN, psn),
		.ack_psn = CAIRN_PUT(CAIRN_QP_RSP_ACK_PSN, psn - 1),
		.rq_cqn = CAIRN_PUT(CAIRN_QP_RSP_RQ_CQN, r->nic[nic].cq->cq->cqn),
		.srqn = CAIRN_NO_NUMBER,
	};
	record->cfg.tag = record->req.tag = record->cmp.tag = record->rsp.tag = tag;
}

static void of_nic(struct rdma *r, unsigned int nic, const struct rdma_qp_cfg *cfg,
		   struct bench_many *many)
{
	struct cairn_dev *dev = r->nic[nic].dev;
	struct record *table = dev->tables[CAIRN_TABLE_QP].mem.va;
	struct cairn_request open = {
		.op = CAIRN_CMD_OP_SET_DB_PAGES,
		.number = FIRST_QPN,
		.flags = CAIRN_DB_KIND_QP,
		.arg = { many->n, dev->shared_db->page },
	};
	size_t ring = (size_t)CAIRN_SQ_BLOCK_BYTES << SQ_LOG2;

	if (FIRST_QPN + many->n > 1u << dev->tables[CAIRN_TABLE_QP].log2)
		rdma_fail(r, "the device has not %u QPs", many->n);
	rdma_ok(r, cairn_dma_alloc(dev, many->n * ring, &many->mem[nic]), "rings");
	for (unsigned int i = 0; i < many->n; i++) {
		struct cairn_qp *qp = &many->ring[nic * many->n + i];

		*qp = (struct cairn_qp){
			.dev = dev,
			.qpn = FIRST_QPN + i,
			.owner = cairn_wqe_owner(FIRST_QPN + i, GEN),
			.sq_log2 = SQ_LOG2,
			.sq = (void *)((uint8_t *)many->mem[nic].va + i * ring),
			.db = dev->shared_db,
			.mem.iova = many->mem[nic].iova + i * ring,
		};
		many->qp[nic][i] = (struct rdma_qp){
			.r = r, .nic = nic, .qp = qp, .peer = &many->qp[!nic][i]
		};
		write_record(r, nic, cfg, qp, &table[qp->qpn]);
	}
	for (unsigned int left = many->n, n; left; left -= n) {
		n = left < DB_PAGES ? left : DB_PAGES;
		open.arg[0] = n;
		rdma_ok(r, cairn_cmd(dev, &open), "SET_DB_PAGES");
		open.number += n;
	}
}

void bench_many_begin(struct rdma *r, const struct rdma_qp_cfg *cfg, unsigned int n,
		      struct bench_many *many)
{
	*many = (struct bench_many){ .n = n, .ring = calloc(2 * (size_t)n, sizeof(*many->ring)) };
	for (unsigned int nic = 0; nic < 2; nic++)
		many->qp[nic] = calloc(n, sizeof(*many->qp[nic]));
	if (!many->ring || !many->qp[0] || !many->qp[1])
		rdma_fail(r, "no memory");
	rdma_other_qps(r);
	for (unsigned int nic = 0; nic < 2; nic++)
		of_nic(r, nic, cfg, many);
}

void bench_many_end(struct rdma *r, struct bench_many *many)
{
	for (unsigned int nic = 0; nic < 2 && many->n; nic++) {
		cairn_dma_free(r->nic[nic].dev, &many->mem[nic]);
		free(many->qp[nic]);
	}
	free(many->ring);
}
