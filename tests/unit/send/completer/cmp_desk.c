// SPDX-License-Identifier: Apache-2.0
/* completer: one QP, step by step (cmp_desk.h). */
#include "cmp_desk.h"

#include <stdlib.h>
#include <string.h>

#define QPN 3u
#define GEN 5u
#define STEP 150 /* cycles in which something completes, or everything is over */

static void put_part(struct desk *d, unsigned int part, const void *bytes)
{
	vtb_set(d->tb, "host_write_valid_i", 1);
	vtb_set(d->tb, "host_write_part_i", part);
	vtb_set(d->tb, "host_write_slot_i", QPN);
	vtb_put_bytes(vtb_port(d->tb, "host_write_data_i"), 0, bytes, 64);
	vtb_tick(d->tb);
	vtb_set(d->tb, "host_write_valid_i", 0);
}

static void drive(struct vtb *tb, void *arg)
{
	struct desk *d = arg;

	vtb_set(tb, "time_i", d->now);
	vtb_set(tb, "rnd_i", rng_u64(&tb->rng) & 0xffffffff);
	vtb_set(tb, "pi_i", d->pi);
	vtb_set(tb, "sent_gen_i", d->sent_gen);
	vtb_set(tb, "sent_psn_i", d->sent_psn);
}

static void sample(struct vtb *tb, void *arg)
{
	struct desk *d = arg;

	if (vtb_get(tb, cmp_strobe[N_READ_RSP]) && d->counts[N_READ_RSP] < DESK_MAX)
		d->placed_at[d->counts[N_READ_RSP]] = tb->cycle;
	for (unsigned int i = 0; i < N_COUNTS; i++)
		d->counts[i] += vtb_get(tb, cmp_strobe[i]);
	d->kicks += vtb_get(tb, "sched_o");
	d->walk_kicks += vtb_get(tb, "sched_walk_o");
	d->qp_errs += vtb_get(tb, "qp_err_valid_o");
	if (vtb_get(tb, "eqe_valid_o") && d->eqes < DESK_MAX)
		d->eqe[d->eqes++] = vtb_get(tb, "eqe_type_o");
	if (vtb_get(tb, "cqe_valid_o") && d->cqes < DESK_MAX) {
		d->cqe[d->cqes].opcode = vtb_get(tb, "cqe_opcode_o");
		d->cqe[d->cqes].status = vtb_get(tb, "cqe_status_o");
		d->cqe[d->cqes].vendor = vtb_get(tb, "cqe_vendor_o");
		d->cqe[d->cqes].index = vtb_get(tb, "cqe_index_o");
		d->cqe[d->cqes++].len = vtb_get(tb, "cqe_len_o");
	}
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i") && d->writes < DESK_MAX) {
		d->write[d->writes].iova = vtb_get(tb, "wr_iova_o");
		d->write[d->writes].len = vtb_get(tb, "wr_len_o");
		d->write[d->writes].payload = vtb_get(tb, "wr_payload_o");
		d->write[d->writes].free = vtb_get(tb, "wr_free_o");
		d->write[d->writes++].data = vtb_get(tb, "wr_data_o");
	}
}

static void look(struct desk *d)
{
	vtb_set(d->tb, "peek_slot_i", QPN);
	vtb_run(d->tb, 2);
	vtb_get_bytes(vtb_port(d->tb, "peek_o"), 0, &d->cmp, 64);
}

static void settle(struct desk *d)
{
	unsigned int before;

	do {
		before = d->cqes;
		vtb_run(d->tb, STEP);
	} while (d->cqes != before);
	look(d);
}

void desk_put(struct desk *d)
{
	put_part(d, 0, &d->cfg);
	put_part(d, 1, &d->req);
}

void desk_put_cmp(struct desk *d)
{
	put_part(d, 2, &d->cmp);
}

struct desk *desk_open(uint64_t now)
{
	struct desk *d = calloc(1, sizeof(*d));
	static unsigned int generation;

	d->tb = vtb_create();
	for (unsigned int i = 0; i < 7 * generation; i++)
		rng_u64(&d->tb->rng); /* no two are alike */
	generation++;
	d->now = now;
	vtb_on_drive(d->tb, drive, d);
	vtb_on_sample(d->tb, sample, d);
	vtb_set(d->tb, "wr_ready_i", 1);
	vtb_set(d->tb, "cqe_ready_i", 1);
	vtb_run(d->tb, 100);
	d->psn = d->sent_psn = DESK_PSN;
	d->index = d->pi = DESK_INDEX;
	d->cfg.tag = d->req.tag = d->cmp.tag = QPN | GEN << 24;
	d->cfg.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, 1) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_RETRY_CNT, 7) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_RNR_RETRY, 6) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_TIMEOUT, 14);
	d->req.flags = CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, 6);
	d->req.index = DESK_INDEX | DESK_INDEX << 16;
	d->req.psn = d->req.hi_psn = d->req.msg_psn = d->req.recover = DESK_PSN;
	d->req.t_start = now;
	d->cmp.flags = CAIRN_PUT(CAIRN_QP_CMP_FLAGS_RETRY_LEFT, 7) |
		       CAIRN_PUT(CAIRN_QP_CMP_FLAGS_RNR_LEFT, 6);
	d->cmp.una = d->cmp.gb = d->cmp.old_psn = DESK_PSN;
	d->cmp.oldest = DESK_INDEX;
	desk_put(d);
	desk_put_cmp(d);
	return d;
}

void desk_close(struct desk *d)
{
	vtb_check_eq(d->tb, vtb_get(d->tb, "pins_o"), 0);
	vtb_destroy(d->tb);
	free(d);
}

static void put_block(struct desk *d, const void *block)
{
	vtb_set(d->tb, "wq_valid_i", 1);
	vtb_set(d->tb, "wq_addr_i", QPN << 6 | (d->index & 63));
	vtb_put_bytes(vtb_port(d->tb, "wq_data_i"), 0, block, 64);
	vtb_tick(d->tb);
	vtb_set(d->tb, "wq_valid_i", 0);
}

static uint32_t span(unsigned int op, uint32_t len, unsigned int type)
{
	if (op == CAIRN_WQE_OP_NOP || op == CAIRN_WQE_OP_LOCAL_INV ||
	    op == CAIRN_WQE_OP_REG_MR || op == CAIRN_WQE_OP_BIND_MW)
		return 0;
	if (type == CAIRN_QP_TYPE_UD)
		return len <= DESK_MTU;
	return len ? (len + DESK_MTU - 1) / DESK_MTU : 1;
}

void desk_post_key(struct desk *d, unsigned int op, uint32_t len, uint32_t key, bool sent)
{
	struct cairn_wqe w = {
		.ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, op) |
			CAIRN_WQE_CTRL_SIGNALED | CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1) |
			CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1),
		.length = len,
		.check = d->index | QPN << 16,
		.sge0_addr = DESK_VA,
		.sge0_lkey = key,
		.sge0_length = len,
		.sge1_addr = DESK_VA,
		.sge1_lkey = key,
		.sge1_length = len,
	};

	put_block(d, &w);
	d->index++;
	d->pi = d->index;
	if (!sent)
		return;
	d->psn += span(op, len, CAIRN_GET(d->cfg.state, CAIRN_QP_CFG_STATE_TYPE));
	d->psn &= 0xffffff;
	d->req.index = d->index | (uint32_t)d->index << 16;
	CAIRN_SET(d->req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, d->psn);
	CAIRN_SET(d->req.hi_psn, CAIRN_QP_REQ_HI_PSN, d->psn);
	desk_put(d);
}

void desk_another(struct desk *d, uint32_t first)
{
	uint32_t len = d->cmp.rd_len;
	struct cairn_wqe w = {
		.ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, CAIRN_WQE_OP_READ) |
			CAIRN_WQE_CTRL_SIGNALED | CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1) |
			CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 2),
		.length = len,
		.check = DESK_INDEX | QPN << 16,
		.sge0_addr = DESK_VA,
		.sge0_lkey = 0x1234,
		.sge0_length = first,
		.sge1_addr = DESK_VA + DESK_APART,
		.sge1_lkey = 0x1234,
		.sge1_length = len - first,
	};

	d->index = DESK_INDEX;
	put_block(d, &w);
	d->index++;
	d->cfg.tag = d->req.tag = d->cmp.tag = QPN | (GEN + 1) << 24;
	vtb_set(d->tb, "pkt_later_gen_i", 1);
	desk_put(d);
	desk_put_cmp(d);
}

uint16_t desk_post(struct desk *d, unsigned int op, uint32_t len, bool sent)
{
	uint16_t index = d->index;

	desk_post_key(d, op, len, 0x1234, sent);
	return index;
}

void desk_describe(struct desk *d, uint16_t index, uint32_t psn, unsigned int op, uint32_t len)
{
	vtb_set(d->tb, "desc_valid_i", 1);
	vtb_set(d->tb, "desc_qpn_i", QPN);
	vtb_set(d->tb, "desc_index_i", index);
	vtb_set(d->tb, "desc_first_i", psn & 0xffffff);
	vtb_set(d->tb, "desc_next_i", (psn + 1) & 0xffffff);
	vtb_set(d->tb, "desc_op_i", op);
	vtb_set(d->tb, "desc_blocks_i", 1);
	vtb_set(d->tb, "desc_signaled_i", 1);
	vtb_set(d->tb, "desc_len_i", len);
	vtb_tick(d->tb);
	vtb_set(d->tb, "desc_valid_i", 0);
}

void desk_post_broken(struct desk *d)
{
	uint8_t block[64];

	memset(block, 0xff, sizeof(block));
	put_block(d, block);
	d->pi = ++d->index;
}

void desk_error(struct desk *d, unsigned int status, unsigned int vendor)
{
	d->req.flags |= CAIRN_QP_REQ_FLAGS_ERR |
			CAIRN_PUT(CAIRN_QP_REQ_FLAGS_ERR_STATUS, status) |
			CAIRN_PUT(CAIRN_QP_REQ_FLAGS_ERR_VENDOR, vendor);
	desk_put(d);
	desk_kick(d);
}

void desk_kick(struct desk *d)
{
	vtb_set(d->tb, "kick_valid_i", 1);
	vtb_set(d->tb, "kick_qpn_i", QPN);
	vtb_eval(d->tb);
	vtb_run_until(d->tb, vtb_get(d->tb, "kick_ready_o"), 100);
	vtb_tick(d->tb);
	vtb_set(d->tb, "kick_valid_i", 0);
	settle(d);
}

void desk_timer(struct desk *d, uint64_t deadline)
{
	vtb_set(d->tb, "tmr_valid_i", 1);
	vtb_set(d->tb, "tmr_qpn_i", QPN);
	vtb_set(d->tb, "tmr_deadline_i", deadline);
	vtb_eval(d->tb);
	vtb_run_until(d->tb, vtb_get(d->tb, "tmr_ready_o"), 100);
	vtb_tick(d->tb);
	vtb_set(d->tb, "tmr_valid_i", 0);
	settle(d);
}

static void hand_in(struct desk *d, unsigned int opcode, uint32_t psn, uint32_t aeth,
		    unsigned int len)
{
	vtb_set(d->tb, "pkt_valid_i", 1);
	vtb_set(d->tb, "pkt_qpn_i", QPN);
	vtb_set(d->tb, "pkt_opcode_i", opcode);
	vtb_set(d->tb, "pkt_psn_i", psn & 0xffffff);
	vtb_set(d->tb, "pkt_aeth_i", aeth);
	vtb_set(d->tb, "pkt_len_i", len);
	vtb_set(d->tb, "pkt_orig_i", 0x1122334455667788);
	vtb_put_bytes(vtb_port(d->tb, "pkt_cfg_i"), 0, &d->cfg, 64);
	vtb_eval(d->tb);
	vtb_run_until(d->tb, vtb_get(d->tb, "pkt_ready_o"), 200);
	vtb_tick(d->tb);
	vtb_set(d->tb, "pkt_valid_i", 0);
}

void desk_begin(struct desk *d, unsigned int opcode, uint32_t psn, unsigned int syndrome,
		unsigned int len)
{
	hand_in(d, opcode, psn, syndrome << 24, len);
}

void desk_response(struct desk *d, unsigned int opcode, uint32_t psn, unsigned int syndrome,
		   uint32_t msn, unsigned int len)
{
	hand_in(d, opcode, psn, syndrome << 24 | (msn & 0xffffff), len);
	settle(d);
}

void desk_ack(struct desk *d, uint32_t psn, unsigned int syndrome)
{
	desk_response(d, CAIRN_OPCODE_RC_ACKNOWLEDGE, psn, syndrome, 0, 0);
}

static bool wheel_done(void *arg)
{
	struct desk *d = arg;

	return vtb_get(d->tb, "idle_o") &&
	       (!vtb_get(d->tb, "next_valid_o") || vtb_get(d->tb, "next_deadline_o") > d->now);
}

void desk_time(struct desk *d, uint64_t now)
{
	d->now = now;
	vtb_run(d->tb, 4);
	vtb_run_until_fn(d->tb, wheel_done, d, 2000, "all that is due");
	settle(d);
}

void desk_resume(struct desk *d)
{
	CAIRN_SET(d->req.psn, CAIRN_QP_REQ_PSN_SEND_EPOCH, desk_epoch(d));
	d->req.recover = CAIRN_GET(d->req.hi_psn, CAIRN_QP_REQ_HI_PSN);
	d->req.t_start = d->now;
	desk_put(d);
}
