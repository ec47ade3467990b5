// SPDX-License-Identifier: Apache-2.0
/*
 * cmp_packet alone: ACKs of several QPs, whose PSNs are far apart, one after the other, while
 * kicks, timers and pins are taken late.  Each moves UNA_PSN of its own QP to the PSN behind it,
 * and none is taken for one that is not expected.  The scheduler is kicked by those that find a
 * quarter of the window in use, and by no others.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_int.h"
#include "cairn_pkt.h"
#include "vtb_rec.h"

#define QPS 6u
#define APART 0x2aaaab /* from the PSNs of a QP to those of the next */
#define ACKS 3000u
#define WIDE 8192u /* PSNs outstanding: the requester may wait for room */

struct bench {
	struct vtb *tb;
	unsigned int slow; /* percent of cycles in which something is not taken */
	struct cairn_qp_req req[QPS];
	struct cairn_qp_cmp cmp[QPS];
	uint32_t acked[QPS]; /* PSN of the last ACK that was handed in */
	unsigned int read;   /* slot of the last cycle */
	unsigned int qp;     /* of the ACK that is offered */
	bool offered, told, stop, alone, drain;
	unsigned int in, out;
	unsigned int wide, kicks; /* ACKs that find so much, kicks of the scheduler */
	unsigned int written[QPS];
};

static void offer(struct bench *b)
{
	const struct sim_port *pkt = vtb_port(b->tb, "pkt_i");
	struct cairn_qp_cfg cfg = { 0 };

	uint32_t una, more = (uint32_t)rng_below(&b->tb->rng, 4);

	b->qp = (unsigned int)rng_below(&b->tb->rng, QPS);
	una = b->acked[b->qp] + 1;
	b->acked[b->qp] = (una + (uint32_t)rng_below(&b->tb->rng, 3)) & 0xffffff;
	/* more is sent than what is acknowledged; sometimes just so much, or just less */
	if (b->alone)
		more = WIDE - 6 + (uint32_t)rng_below(&b->tb->rng, 12);
	b->req[b->qp].hi_psn = (b->acked[b->qp] + 1 + more) & 0xffffff;
	b->wide += ((b->req[b->qp].hi_psn - una) & 0xffffff) >= WIDE;
	CAIRN_SET(b->req[b->qp].psn, CAIRN_QP_REQ_PSN_NEXT_PSN, b->req[b->qp].hi_psn);
	cfg.tag = b->req[b->qp].tag;
	cfg.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
		    CAIRN_PUT(CAIRN_QP_CFG_STATE_TIMEOUT, 14);
	vtb_put_bytes(pkt, VTB_LSB(REC_RX_PKT_CFG), &cfg, 64);
	vtb_put_bits(pkt, REC_RX_PKT_META_OPFLAGS, CAIRN_OPF_RSP | CAIRN_OPF_ACK);
	vtb_put_bits(pkt, REC_RX_PKT_META_PSN, b->acked[b->qp]);
	vtb_put_bits(pkt, REC_RX_PKT_META_AETH, 31u << 24);
	vtb_put_bits(pkt, REC_RX_PKT_META_SLOT, b->qp);
	vtb_put_bits(pkt, REC_RX_PKT_META_QPN, b->qp);
	vtb_put_bits(pkt, REC_RX_PKT_META_GEN, 1);
	b->offered = true;
	b->in++;
}

static bool taken(struct bench *b)
{
	return !rng_percent(&b->tb->rng, b->slow);
}

/* One for which much is outstanding waits for those before it, and those behind it for that one:
 * they would see what is outstanding, too. */
static bool alone(struct bench *b)
{
	if (b->in != b->out && (b->alone || b->drain))
		return false;
	b->alone = b->drain;
	b->drain = !b->alone && rng_percent(&b->tb->rng, 10);
	return !b->drain;
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	if (!b->offered && !b->stop && b->in < ACKS && alone(b) &&
	    !rng_percent(&tb->rng, b->slow / 2))
		offer(b);
	vtb_set(tb, "pkt_valid_i", b->offered);
	vtb_set(tb, "place_room_i", 1);
	vtb_set(tb, "rd_ok_i", 1);
	vtb_set(tb, "time_now_i", 1000 + tb->cycle);
	vtb_set(tb, "rel_ready_i", taken(b));
	vtb_set(tb, "kick_sched_ready_i", taken(b));
	vtb_set(tb, "kick_walk_ready_i", taken(b));
	vtb_set(tb, "timer_ready_i", taken(b));
	vtb_put_bytes(vtb_port(tb, "part_req_i"), 0, &b->req[b->read], 64);
	vtb_put_bytes(vtb_port(tb, "part_cmp_i"), 0, &b->cmp[b->read], 64);
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	unsigned int slot = (unsigned int)vtb_get(tb, "write_slot_o");

	vtb_check(tb, !vtb_get(tb, "events_rx_ghost_ack_o"));
	vtb_check(tb, !vtb_get(tb, "place_valid_o"));
	b->read = (unsigned int)vtb_get(tb, "rd_slot_o") % QPS;
	if (vtb_get(tb, "write_valid_o")) {
		vtb_check(tb, slot < QPS);
		vtb_get_bytes(vtb_port(tb, "write_data_o"), 0, &b->cmp[slot], 32);
		/* what does not change is of the same QP, too */
		vtb_check_eq(tb, b->cmp[slot].tag, slot | 1u << 24);
		vtb_check_eq(tb, b->cmp[slot].wait, slot);
		b->written[slot] =
			(unsigned int)CAIRN_GET(b->cmp[slot].una, CAIRN_QP_CMP_UNA_UNA_PSN);
	}
	b->kicks += vtb_get(tb, "kick_sched_valid_o") && vtb_get(tb, "kick_sched_ready_i");
	b->out += vtb_get(tb, "rel_valid_o") && vtb_get(tb, "rel_ready_i");
	if (b->offered && vtb_get(tb, "pkt_ready_o"))
		b->offered = false;
}

static void acks(unsigned int slow)
{
	struct bench b = { .slow = slow, .tb = vtb_create() };

	for (unsigned int q = 0; q < QPS; q++) {
		uint32_t psn = (0xfffff0 + q * APART) & 0xffffff;

		b.req[q].tag = b.cmp[q].tag = q | 1u << 24;
		b.req[q].hi_psn = b.req[q].psn = b.req[q].msg_psn = b.req[q].recover = psn;
		b.cmp[q].una = b.cmp[q].gb = b.cmp[q].old_psn = psn;
		b.cmp[q].wait = q;
		CAIRN_SET(b.cmp[q].flags, CAIRN_QP_CMP_FLAGS_CREDITS_OFF, 1u);
		b.acked[q] = (psn - 1) & 0xffffff;
		b.written[q] = psn;
	}
	vtb_on_drive(b.tb, drive, &b);
	vtb_on_sample(b.tb, sample, &b);
	vtb_run_until(b.tb, b.in == ACKS && !b.offered && b.out == ACKS, 40 * ACKS);
	vtb_run(b.tb, 20);
	vtb_check(b.tb, b.wide > 100);
	vtb_check_eq(b.tb, b.kicks, b.wide);
	for (unsigned int q = 0; q < QPS; q++)
		vtb_check_eq(b.tb, b.written[q], (b.acked[q] + 1) & 0xffffff);
	vtb_destroy(b.tb);
}

static void at_once(void **state)
{
	(void)state;
	acks(0);
}

static void held_up(void **state)
{
	(void)state;
	acks(30);
	acks(80);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(at_once), cmocka_unit_test(held_up) };

	return cmocka_run_group_tests_name("cmp_packet", tests, NULL, NULL);
}
