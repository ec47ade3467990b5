// SPDX-License-Identifier: Apache-2.0
/*
 * completer: how many cycles the walker takes for a visit, a work request and READ data, with all
 * descriptors at hand.  Several QPs have all they need before the walker is let go: completions are
 * not taken until then.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "cmp_strobes.h"
#include "vtb.h"

#define QPS 8u
#define MOST 8u /* work requests of one */
#define PSN 0xfffffeu
#define INDEX 0xfffeu
#define GEN 5u
#define ACK_TO_CQE 14u

struct rates {
	struct vtb *tb;
	unsigned int op, len, each;
	unsigned int told[QPS + 1], cqes, kicks, parked;
	uint64_t at[QPS * MOST];
};

static void put_part(struct vtb *tb, unsigned int part, unsigned int slot, const void *bytes)
{
	vtb_set(tb, "host_write_valid_i", 1);
	vtb_set(tb, "host_write_part_i", part);
	vtb_set(tb, "host_write_slot_i", slot);
	vtb_put_bytes(vtb_port(tb, "host_write_data_i"), 0, bytes, 64);
	vtb_tick(tb);
	vtb_set(tb, "host_write_valid_i", 0);
}

static void put_records(struct rates *r, unsigned int qpn)
{
	uint32_t next = (PSN + r->each) & 0xffffff;
	uint16_t index = (uint16_t)(INDEX + r->each);
	struct cairn_qp_cfg cfg = {
		.tag = qpn | GEN << 24,
		.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, 1),
	};
	struct cairn_qp_req req = {
		.tag = qpn | GEN << 24,
		.flags = CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, 6),
		.index = index | (uint32_t)index << 16,
		.psn = next,
		.hi_psn = next,
		.msg_psn = next,
	};
	struct cairn_qp_cmp cmp = {
		.tag = qpn | GEN << 24,
		.una = PSN,
		.gb = PSN,
		.oldest = INDEX,
		.old_psn = PSN,
		.sq_cqn = qpn,
	};

	put_part(r->tb, 0, qpn, &cfg);
	put_part(r->tb, 1, qpn, &req);
	put_part(r->tb, 2, qpn, &cmp);
}

static void put_request(struct rates *r, unsigned int qpn, unsigned int i)
{
	struct vtb *tb = r->tb;
	uint16_t index = (uint16_t)(INDEX + i);
	struct cairn_wqe w = {
		.ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, r->op) | CAIRN_WQE_CTRL_SIGNALED |
			CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1) |
			CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1),
		.length = r->len,
		.check = index | qpn << 16,
		.sge0_addr = 0x10000,
		.sge0_lkey = 0x1234,
		.sge0_length = r->len,
		.sge1_addr = 0x10000,
		.sge1_lkey = 0x1234,
		.sge1_length = r->len,
	};

	vtb_set(tb, "wq_valid_i", 1);
	vtb_set(tb, "wq_here_i", 1);
	vtb_set(tb, "wq_addr_i", qpn << 6 | (index & 63));
	vtb_put_bytes(vtb_port(tb, "wq_data_i"), 0, &w, 64);
	vtb_set(tb, "desc_valid_i", 1);
	vtb_set(tb, "desc_qpn_i", qpn);
	vtb_set(tb, "desc_index_i", index);
	vtb_set(tb, "desc_first_i", (PSN + i) & 0xffffff);
	vtb_set(tb, "desc_next_i", (PSN + i + 1) & 0xffffff);
	vtb_set(tb, "desc_op_i", r->op);
	vtb_set(tb, "desc_blocks_i", 1);
	vtb_set(tb, "desc_signaled_i", 1);
	vtb_set(tb, "desc_len_i", r->len);
	vtb_set(tb, "desc_one_i", 1);
	vtb_put_bytes(vtb_port(tb, "desc_sge_i"), 0, &w.sge0_addr, 16);
	vtb_tick(tb);
	vtb_set(tb, "wq_valid_i", 0);
	vtb_set(tb, "desc_valid_i", 0);
}

static void sample(struct vtb *tb, void *arg)
{
	struct rates *r = arg;
	unsigned int qpn;

	r->kicks += vtb_get(tb, "sched_o");
	r->parked += vtb_get(tb, cmp_strobe[N_PARKED]);
	if (!vtb_get(tb, "cqe_valid_o") || !vtb_get(tb, "cqe_ready_i"))
		return;
	qpn = (unsigned int)vtb_get(tb, "cqe_qpn_o");
	vtb_check(tb, qpn && qpn <= QPS);
	vtb_check_eq(tb, vtb_get(tb, "cqe_status_o"), CAIRN_WC_STATUS_SUCCESS);
	vtb_check_eq(tb, vtb_get(tb, "cqe_index_o"), (uint16_t)(INDEX + r->told[qpn]));
	r->told[qpn]++;
	r->at[r->cqes++] = tb->cycle;
}

static void drive(struct vtb *tb, void *arg)
{
	const struct rates *r = arg;

	vtb_set(tb, "rnd_i", rng_u64(&tb->rng) & 0xffffffff);
	vtb_set(tb, "pi_i", (uint16_t)(INDEX + r->each));
}

static void begin(struct rates *r, unsigned int op, unsigned int len, unsigned int each)
{
	memset(r, 0, sizeof(*r));
	r->tb = vtb_create();
	r->op = op;
	r->len = len;
	r->each = each;
	vtb_on_sample(r->tb, sample, r);
	vtb_on_drive(r->tb, drive, r);
	vtb_set(r->tb, "wr_ready_i", 1);
	vtb_run(r->tb, 300); /* tables are clear */
	for (unsigned int q = 1; q <= QPS; q++) {
		put_records(r, q);
		for (unsigned int i = 0; i < each; i++)
			put_request(r, q, i);
	}
}

static void end(struct rates *r)
{
	vtb_run_until(r->tb, vtb_get(r->tb, "idle_o"), 1000);
	for (unsigned int q = 1; q <= QPS; q++)
		vtb_check_eq(r->tb, r->told[q], r->each);
	vtb_check_eq(r->tb, vtb_get(r->tb, "pins_o"), 0);
	vtb_destroy(r->tb);
}

static void respond(struct rates *r, unsigned int qpn, unsigned int opcode, unsigned int psn)
{
	struct vtb *tb = r->tb;
	struct cairn_qp_cfg cfg = {
		.tag = qpn | GEN << 24,
		.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
			 CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, 1),
	};

	vtb_set(tb, "pkt_valid_i", 1);
	vtb_set(tb, "pkt_qpn_i", qpn);
	vtb_set(tb, "pkt_opcode_i", opcode);
	vtb_set(tb, "pkt_psn_i", psn & 0xffffff);
	vtb_set(tb, "pkt_aeth_i", 0x1f000000);
	vtb_set(tb, "pkt_len_i", opcode == CAIRN_OPCODE_RC_READ_RSP_ONLY ? r->len : 0);
	vtb_put_bytes(vtb_port(tb, "pkt_cfg_i"), 0, &cfg, 64);
	vtb_eval(tb);
	vtb_run_until(tb, vtb_get(tb, "pkt_ready_o"), 200);
	vtb_tick(tb);
	vtb_set(tb, "pkt_valid_i", 0);
}

/* All is acknowledged, then the walker runs.  One that has begun sees the first completions off. */
static void sends(unsigned int each)
{
	struct rates r;
	uint64_t took;

	begin(&r, CAIRN_WQE_OP_SEND, 8, each);
	for (unsigned int q = 1; q <= QPS; q++)
		respond(&r, q, CAIRN_OPCODE_RC_ACKNOWLEDGE, PSN + each - 1);
	vtb_run(r.tb, 100);
	vtb_set(r.tb, "cqe_ready_i", 1);
	vtb_run_until(r.tb, r.cqes == QPS * each, 1000);
	/* of the visits that began after it was let go: a cycle each, and 2 for a work request:
	 * nothing is looked for behind the last one */
	took = r.at[QPS * each - 1] - r.at[3 * each - 1];
	if (took > (QPS - 3) * (1 + 2 * each))
		vtb_fail(r.tb, "%llu cycles for %u visits of %u", (unsigned long long)took, QPS - 3,
			 each);
	end(&r);
}

static void visits(void **state)
{
	(void)state;
	sends(1);
	sends(3);
	sends(MOST - 1);
}

/* ACKs are taken every third cycle, also of one QP, whose record is being written meanwhile. */
static void acks(void **state)
{
	(void)state;
	for (unsigned int each = 1; each <= MOST; each += MOST - 1) {
		uint64_t begun = 0;
		struct rates r;

		begin(&r, CAIRN_WQE_OP_SEND, 8, each);
		vtb_set(r.tb, "cqe_ready_i", 1);
		for (unsigned int i = 0; i < QPS * each; i++) {
			respond(&r, 1 + i / each, CAIRN_OPCODE_RC_ACKNOWLEDGE,
				PSN + i % each);
			if (!i)
				begun = r.tb->cycle;
		}
		if (r.tb->cycle - begun > 3 * (QPS * each - 1))
			vtb_fail(r.tb, "%llu cycles", (unsigned long long)(r.tb->cycle - begun));
		end(&r);
	}
}

/* From the acceptance of an ACK to its completion, with nothing else to do. */
static void latency(void **state)
{
	struct rates r;
	uint64_t begun;

	(void)state;
	begin(&r, CAIRN_WQE_OP_SEND, 8, 1);
	vtb_set(r.tb, "cqe_ready_i", 1);
	for (unsigned int q = 1; q <= QPS; q++) {
		begun = r.tb->cycle;
		respond(&r, q, CAIRN_OPCODE_RC_ACKNOWLEDGE, PSN);
		vtb_run_until(r.tb, r.cqes == q, 100);
		if (r.at[q - 1] - begun > ACK_TO_CQE)
			vtb_fail(r.tb, "%u cycles", (unsigned int)(r.at[q - 1] - begun));
		vtb_run(r.tb, 50);
	}
	end(&r);
}

/* READs or atomics of all QPs in turn, or of one after the other, answered as fast as may be. */
static void answers(unsigned int op, bool in_turn, unsigned int bound)
{
	unsigned int opcode = op == CAIRN_WQE_OP_READ ? CAIRN_OPCODE_RC_READ_RSP_ONLY
						      : CAIRN_OPCODE_RC_ATOMIC_ACK;
	const unsigned int n = QPS * MOST;
	struct rates r;
	uint64_t took;

	begin(&r, op, op == CAIRN_WQE_OP_READ ? 64 : 8, MOST);
	vtb_set(r.tb, "cqe_ready_i", 1);
	for (unsigned int i = 0; i < n; i++)
		respond(&r, 1 + (in_turn ? i % QPS : i / MOST), opcode,
			PSN + (in_turn ? i / QPS : i % MOST));
	vtb_run_until(r.tb, r.cqes == n, 1000);
	took = r.at[n - 1] - r.at[0];
	if (took > bound * n)
		vtb_fail(r.tb, "%llu cycles for %u answers", (unsigned long long)took, n);
	vtb_check_eq(r.tb, r.parked, 0);
	/* Each is told to the scheduler at most once more than it is counted. */
	vtb_check(r.tb, r.kicks <= 2 * n);
	end(&r);
}

/* All that are asked for are open: none waits for the walker. */
static void reads(void **state)
{
	(void)state;
	answers(CAIRN_WQE_OP_READ, false, 6);
	answers(CAIRN_WQE_OP_READ, true, 6);
	answers(CAIRN_WQE_OP_ATOMIC_FA, false, 6);
	answers(CAIRN_WQE_OP_ATOMIC_FA, true, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(visits),
		cmocka_unit_test(acks),
		cmocka_unit_test(latency),
		cmocka_unit_test(reads),
	};

	return cmocka_run_group_tests_name("cmp_rates", tests, NULL, NULL);
}
