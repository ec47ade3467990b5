// SPDX-License-Identifier: Apache-2.0
/*
 * completer with the longest send queue, 2^15 blocks, full to the last: the producer, and what the
 * requester has executed, are 0x8000 ahead of the oldest work request, a distance whose top bit is
 * set (check 120).  Most are local operations and unsignalled; they retire in order and none twice.
 */
#include <stdlib.h>

#include "cmp_desk.h"

#define QPN 3u
#define RING 0x8000u
#define SEND CAIRN_WQE_OP_SEND
#define INV CAIRN_WQE_OP_LOCAL_INV
#define RC_ACK 0x1fu
#define NAK_SEQ 0x60u
#define NAK_OP 0x63u
#define T0 1000000ull

/* Which are sends, of a packet each: the first, none, or each second. */
enum mix { FIRST_SENDS, NONE_SENDS, HALF_SEND };

struct ring {
	struct desk *d;
	enum mix mix;
	bool all_told;	 /* errors: each has a completion */
	uint32_t put;	 /* blocks in the bench's store, counted from the first */
	uint32_t told;	 /* completions */
	uint32_t next;	 /* work request that the next completion may be of, at least */
	uint32_t failed; /* those with an error that is no flush */
	uint32_t busy;	 /* percent without ready */
};

static unsigned int op_of(const struct ring *r, uint32_t i)
{
	bool send = r->mix == HALF_SEND ? !(i & 1) : r->mix == FIRST_SENDS && !i;

	return send ? SEND : INV;
}

static bool signalled(uint32_t i)
{
	return i % 1000 == 7 || i == RING - 1;
}

static uint32_t sends(const struct ring *r, uint32_t before)
{
	return r->mix == HALF_SEND ? (before + 1) / 2 : r->mix == FIRST_SENDS && before;
}

static uint32_t retired(const struct ring *r)
{
	uint8_t cmp[64];
	const struct cairn_qp_cmp *c = (void *)cmp;

	vtb_get_bytes(vtb_port(r->d->tb, "peek_o"), 0, cmp, 64);
	return (uint16_t)(c->oldest - DESK_INDEX);
}

/* The store holds 64 blocks: the window moves with the oldest, far enough ahead of a visit. */
static void feed(struct vtb *tb, void *arg)
{
	struct ring *r = arg;
	uint32_t i = r->put;
	uint16_t index = (uint16_t)(DESK_INDEX + i);
	struct cairn_wqe w = {
		.ctrl = CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE, op_of(r, i)) |
			CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1) |
			(signalled(i) ? CAIRN_WQE_CTRL_SIGNALED : 0),
		.check = index | QPN << 16,
	};

	vtb_set(tb, "cqe_ready_i", !rng_percent(&tb->rng, r->busy));
	vtb_set(tb, "peek_slot_i", QPN);
	vtb_set(tb, "wq_valid_i", 0);
	if (r->put == RING || r->put - retired(r) >= 64)
		return;
	vtb_set(tb, "wq_valid_i", 1);
	vtb_set(tb, "wq_addr_i", QPN << 6 | (index & 63));
	vtb_put_bytes(vtb_port(tb, "wq_data_i"), 0, &w, 64);
	r->put++;
}

/* In order, none left out that must be told, none twice. */
static void check(struct vtb *tb, void *arg)
{
	struct ring *r = arg;
	uint32_t i;

	if (!vtb_get(tb, "cqe_valid_o") || !vtb_get(tb, "cqe_ready_i"))
		return;
	i = (uint16_t)(vtb_get(tb, "cqe_index_o") - DESK_INDEX);
	vtb_check(tb, i >= r->next && i < RING);
	for (uint32_t k = r->next; k < i; k++)
		vtb_check(tb, !r->all_told && !signalled(k));
	vtb_check_eq(tb, vtb_get(tb, "cqe_opcode_o"),
		     op_of(r, i) == SEND ? CAIRN_CQE_OP_SEND : CAIRN_CQE_OP_LOCAL);
	if (!r->all_told)
		vtb_check_eq(tb, vtb_get(tb, "cqe_status_o"), CAIRN_WC_STATUS_SUCCESS);
	else
		r->failed += vtb_get(tb, "cqe_status_o") != CAIRN_WC_STATUS_WR_FLUSH_ERR;
	r->next = i + 1;
	r->told++;
}

/* All posted, all that the requester has to do done. */
static void open_ring(struct ring *r, enum mix mix, unsigned int busy)
{
	struct desk *d = desk_open(T0);

	*r = (struct ring){ .d = d, .mix = mix, .busy = busy };
	CAIRN_SET(d->req.flags, CAIRN_QP_REQ_FLAGS_SQ_LOG2, 15);
	d->index = (uint16_t)(DESK_INDEX + RING);
	d->pi = d->index;
	d->psn = (d->psn + sends(r, RING)) & 0xffffff;
	d->req.index = d->index | (uint32_t)d->index << 16;
	CAIRN_SET(d->req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, d->psn);
	CAIRN_SET(d->req.hi_psn, CAIRN_QP_REQ_HI_PSN, d->psn);
	desk_put(d);
	vtb_set(d->tb, "miss_i", busy / 4);
	vtb_on_drive(d->tb, feed, r);
	vtb_on_sample(d->tb, check, r);
	vtb_run(d->tb, 100);
}

static void close_ring(struct ring *r)
{
	print_message("# seed 0x%llx, %u completions, %llu cycles\n",
		      (unsigned long long)r->d->tb->seed, r->told,
		      (unsigned long long)r->d->tb->cycle);
	vtb_set(r->d->tb, "miss_i", 0);
	desk_close(r->d);
}

/* Until `n` are retired; a little later no more are. */
static void expect_retired(struct ring *r, uint32_t n)
{
	vtb_run_until(r->d->tb, retired(r) == n, 20ull * RING);
	vtb_run(r->d->tb, 500);
	vtb_check_eq(r->d->tb, retired(r), n);
	vtb_check(r->d->tb, vtb_get(r->d->tb, "idle_o"));
}

static void all_told(struct ring *r)
{
	uint32_t want = 0;

	for (uint32_t i = 0; i < RING; i++)
		want += r->all_told || signalled(i);
	vtb_check_eq(r->d->tb, r->told, want);
	vtb_check_eq(r->d->tb, r->d->qp_errs, 0);
}

/* One send is outstanding, all behind it is executed: nothing retires before its ACK. */
static void behind_a_send(void **state)
{
	struct ring r;

	(void)state;
	for (unsigned int busy = 0; busy <= 30; busy += 30) {
		open_ring(&r, FIRST_SENDS, busy);
		desk_kick(r.d);
		expect_retired(&r, 0);
		vtb_check_eq(r.d->tb, r.told, 0);
		desk_ack(r.d, DESK_PSN, NAK_SEQ); /* lost, and sent again */
		vtb_check_eq(r.d->tb, desk_epoch(r.d), 1);
		desk_resume(r.d);
		expect_retired(&r, 0);
		desk_ack(r.d, DESK_PSN, RC_ACK);
		expect_retired(&r, RING);
		all_told(&r);
		vtb_check_eq(r.d->tb, r.d->counts[N_GO_BACK], 1);
		close_ring(&r);
	}
}

/* Each second one is a send: acknowledged in the middle, then to the end. */
static void among_sends(void **state)
{
	struct ring r;

	(void)state;
	open_ring(&r, HALF_SEND, 20);
	desk_kick(r.d);
	expect_retired(&r, 0);
	desk_ack(r.d, DESK_PSN, RC_ACK);
	expect_retired(&r, 2);
	desk_ack(r.d, DESK_PSN + RING / 4 - 1, RC_ACK);
	expect_retired(&r, RING / 2);
	desk_ack(r.d, r.d->psn - 1, RC_ACK);
	expect_retired(&r, RING);
	all_told(&r);
	close_ring(&r);
}

/* The full ring is flushed, each told once: by firmware, and after a NAK of the first. */
static void flushed(void **state)
{
	struct ring r;

	(void)state;
	for (unsigned int nak = 0; nak < 2; nak++) {
		open_ring(&r, nak ? FIRST_SENDS : HALF_SEND, 10);
		r.all_told = true;
		if (nak) {
			desk_ack(r.d, DESK_PSN, NAK_OP);
		} else {
			CAIRN_SET(r.d->cfg.state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
			desk_put(r.d);
			desk_kick(r.d);
		}
		expect_retired(&r, RING);
		vtb_check_eq(r.d->tb, r.told, RING);
		vtb_check_eq(r.d->tb, r.failed, nak);
		vtb_check_eq(r.d->tb, r.d->qp_errs, nak);
		close_ring(&r);
	}
}

/*
 * Local operations alone, all executed before the walker looks for the first time (it was held up
 * by completions of others): a ring less one, and the full one.
 */
static void executed_unseen(void **state)
{
	struct ring r;

	(void)state;
	for (unsigned int less = 2; less--;) {
		open_ring(&r, NONE_SENDS, 0);
		r.d->pi = (uint16_t)(r.d->pi - less);
		r.d->req.index = r.d->pi | (uint32_t)r.d->pi << 16;
		desk_put(r.d);
		desk_kick(r.d);
		expect_retired(&r, RING - less);
		close_ring(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(behind_a_send),
		cmocka_unit_test(among_sends),
		cmocka_unit_test(flushed),
		cmocka_unit_test(executed_unseen),
	};

	return cmocka_run_group_tests_name("completer, longest ring", tests, NULL, NULL);
}
