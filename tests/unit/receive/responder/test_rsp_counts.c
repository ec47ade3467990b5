// SPDX-License-Identifier: Apache-2.0
/* rsp_counts against what the counters are defined as, for packets of all kinds and QPs. */
#include "cairn_hw.h"
#include "cairn_int.h"
#include "vtb_rec.h"

struct input {
	struct rec_rsp_rec r;
	bool done, run, dead, read, cqe, coalesced, stall;
	unsigned int status;
};

/* What may become of one packet is counted once at most. */
enum fate { F_NONE, F_DUP, F_OOS, F_SHARE, F_STATE, F_NO_RECV, F_UC, F_UD };

static enum fate fate(const struct input *i)
{
	const struct rec_rsp_rec *r = &i->r;

	if (r->over)
		return F_SHARE;
	if (r->kind == REC_RSK_DROP) {
		if (!r->silent)
			return r->verdict.vendor ? F_DUP : F_STATE;
		if (i->dead)
			return F_STATE;
		if (!r->verdict.vendor)
			return F_STATE;
		if (r->verdict.vendor == CAIRN_VENDOR_ERR_RNR)
			return F_NO_RECV;
		return r->ud.valid ? F_UD : F_UC;
	}
	if (i->dead)
		return F_STATE;
	if (r->kind == REC_RSK_DUP || r->kind == REC_RSK_DUPRD || r->kind == REC_RSK_DUPAT)
		return F_DUP;
	return r->kind == REC_RSK_OOS ? F_OOS : F_NONE;
}

static void check(struct vtb *tb, const struct input *i)
{
	enum fate f = i->done ? fate(i) : F_NONE;
	bool over = i->done && i->run && i->r.last;
	bool failed = i->cqe && i->status != CAIRN_WC_STATUS_SUCCESS &&
		      i->status != CAIRN_WC_STATUS_WR_FLUSH_ERR;

	vtb_check_eq(tb, vtb_get(tb, "events_duplicate_request_o"), f == F_DUP);
	vtb_check_eq(tb, vtb_get(tb, "events_out_of_sequence_o"), f == F_OOS);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_share_o"), f == F_SHARE);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_no_buffer_o"), f == F_SHARE);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_qp_state_o"), f == F_STATE);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_no_recv_o"), f == F_NO_RECV);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_uc_drop_o"), f == F_UC);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_ud_drop_o"), f == F_UD);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_send_o"), over && i->r.kind == REC_RSK_SEND);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_write_o"), over && i->r.kind == REC_RSK_WRITE);
	vtb_check_eq(tb, vtb_get(tb, "events_rx_read_o"), i->done && i->read);
	vtb_check_eq(tb, vtb_get(tb, "events_resp_cqe_err_o"), failed);
	vtb_check_eq(tb, vtb_get(tb, "events_resp_loc_len_o"),
		     i->cqe && i->status == CAIRN_WC_STATUS_LOC_LEN_ERR);
	vtb_check_eq(tb, vtb_get(tb, "events_cqe_coalesced_ack_o"), i->done && i->coalesced);
	vtb_check_eq(tb, vtb_get(tb, "events_stall_rsp_o"), i->stall);
}

static void packets(unsigned int done_percent)
{
	struct vtb *tb = vtb_create();
	struct rng *rng = &tb->rng;

	for (int n = 0; n < 30000; n++) {
		static const unsigned int reasons[] = { 0, CAIRN_VENDOR_ERR_RNR,
							CAIRN_VENDOR_ERR_REQ_LENGTH };
		struct input i = { .done = rng_percent(rng, done_percent),
				   .run = rng_percent(rng, 50),
				   .dead = rng_percent(rng, 30),
				   .read = rng_percent(rng, 20),
				   .cqe = rng_percent(rng, 30),
				   .coalesced = rng_percent(rng, 30),
				   .stall = rng_percent(rng, 30),
				   .status = (unsigned int)rng_below(rng, 24) };
		uint32_t qpn = (uint32_t)rng_below(rng, 1u << 24);

		i.r.kind = (uint8_t)rng_below(rng, REC_RSK_ACK + 1);
		i.r.last = rng_percent(rng, 50);
		i.r.over = i.r.kind == REC_RSK_DROP && rng_percent(rng, 30);
		i.r.silent = rng_percent(rng, 50);
		i.r.ud.valid = i.r.silent && rng_percent(rng, 50);
		i.r.verdict.vendor = (uint8_t)reasons[rng_below(rng, 3)];
		vtb_put_rsp_rec(vtb_port(tb, "rec_i"), 0, &i.r);
		vtb_set(tb, "qpn_i", qpn);
		vtb_set(tb, "done_i", i.done);
		vtb_set(tb, "run_i", i.run);
		vtb_set(tb, "dead_i", i.dead);
		vtb_set(tb, "read_i", i.read);
		vtb_set(tb, "cqe_i", i.cqe);
		vtb_set(tb, "status_i", i.status);
		vtb_set(tb, "coalesced_i", i.coalesced);
		vtb_set(tb, "stall_i", i.stall);
		vtb_eval(tb);
		vtb_check_eq(tb, vtb_get(tb, "events_qpn_o"), qpn);
		check(tb, &i);
	}
	vtb_destroy(tb);
}

static void idle(void **state)
{
	(void)state;
	packets(5);
}

static void busy(void **state)
{
	(void)state;
	packets(100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(idle), cmocka_unit_test(busy) };

	return cmocka_run_group_tests_name("rsp_counts", tests, NULL, NULL);
}
