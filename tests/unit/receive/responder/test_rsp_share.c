// SPDX-License-Identifier: Apache-2.0
/*
 * responder: what one QP may hold of what all use. Packets beyond its share are lost as if the wire
 * had lost them, counted, and the rest goes on in order; in cells and in packets. A packet whose
 * completion would go to a crowded CQ waits, and what is behind it on its QP.
 */
#include "rsp_one.h"

#include <string.h>

#define FEW 8 /* rsp_check MIN_PACKETS */

static unsigned int shares;

static void count(struct world *w)
{
	shares += (unsigned int)vtb_get(w->tb, "events_rsp_commit_rx_share_o");
}

static struct world *start(unsigned int posted)
{
	struct world *w = setup(1, posted);

	shares = 0;
	w->on_cycle = count;
	world_key(w, RKEY)->cached = true;
	world_key(w, LKEY)->cached = true;
	return w;
}

/* One QP sends on while its region's line is long in coming: `want` of 60 packets find a place. */
static void writes(unsigned int left, unsigned int len, unsigned int want)
{
	struct world *w = start(0);
	struct cairn_qp_rsp rsp;

	send_one(w, 0x0a, 0, 8);
	settle(w);
	vtb_check_eq(w->tb, w->cnt[C_WRITE], 1);
	vtb_set(w->tb, "left_i", left);
	world_key(w, RKEY)->cached = false;
	for (unsigned int i = 1; i <= 60; i++) {
		struct wpkt p = packet(0x0a, i, len);

		world_send(w, &p);
		if (i == 1) {
			vtb_run_until(w->tb, w->n_fill == 1, 200);
			w->fill_due[0] = w->tb->cycle + 2000;
		}
	}
	vtb_run(w->tb, 1900);
	/* what is lost does not wait for those in front */
	vtb_check_eq(w->tb, shares, 60 - want);
	vtb_check_eq(w->tb, w->cnt[C_WRITE], 1);
	settle(w);
	vtb_check_eq(w->tb, w->cnt[C_WRITE] + shares, 61);
	if (w->cnt[C_WRITE] - 1 != want)
		vtb_fail(w->tb, "%u packets of %u bytes, not %u, with %u left",
			 (unsigned int)w->cnt[C_WRITE] - 1, len, want, left);
	world_peek(w, 0, &rsp);
	vtb_check_eq(w->tb, rsp.epsn & 0xffffff, (PSN0 + 1 + want) & 0xffffff);
	/* the next one is out of sequence, and asks for what was lost */
	vtb_set(w->tb, "left_i", 64);
	n_jobs = 0;
	if (want < 60) {
		send_one(w, 0x0a, 61, 8);
		settle(w);
		vtb_check(w->tb, n_jobs <= 1);
		for (unsigned int i = want + 1; i <= 61; i++) {
			send_one(w, 0x0a, i, 8);
			settle(w);
		}
	} else {
		send_one(w, 0x0a, 61, 8);
		settle(w);
	}
	vtb_check_eq(w->tb, w->cnt[C_WRITE], 62);
	vtb_check(w->tb, !n_errs && !n_eqes);
	world_destroy(w);
}

static void packets(void **state)
{
	(void)state;
	writes(64, 8, 60);
	writes(60, 8, 60);
	writes(0, 8, FEW);
	writes(10, 8, 11);
	writes(4, 8, FEW);
	writes(40, 8, 41);
}

/* ---- a crowded CQ ---- */

static void crowded_cq(void **state)
{
	(void)state;
	for (unsigned int len = 0; len <= 8; len += 8) {
		struct world *w = start(8);

		vtb_set(w->tb, "cq_crowded_i", 1);
		send_one(w, 0x04, 0, len); /* SEND */
		send_one(w, 0x0a, 1, 8);   /* WRITE, behind it */
		vtb_run(w->tb, 2000);
		vtb_check_eq(w->tb, n_cqes, 0);
		vtb_check_eq(w->tb, w->cnt[C_WRITE] + w->cnt[C_SEND], 0);
		/* others come and go in vain */
		vtb_set(w->tb, "cq_room_i", 1);
		vtb_tick(w->tb);
		vtb_set(w->tb, "cq_room_i", 0);
		vtb_run(w->tb, 500);
		vtb_check_eq(w->tb, n_cqes, 0);
		vtb_set(w->tb, "cq_crowded_i", 0);
		vtb_run(w->tb, 500);
		vtb_check_eq(w->tb, n_cqes, 0);
		vtb_set(w->tb, "cq_room_i", 1);
		vtb_tick(w->tb);
		vtb_set(w->tb, "cq_room_i", 0);
		settle(w);
		vtb_check_eq(w->tb, n_cqes, 1);
		vtb_check(w->tb, w->cnt[C_WRITE] == 1 && w->cnt[C_SEND] == 1);
		/* a WRITE needs no completion */
		vtb_set(w->tb, "cq_crowded_i", 1);
		send_one(w, 0x0a, 2, 8);
		settle(w);
		vtb_check_eq(w->tb, w->cnt[C_WRITE], 2);
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(packets),
					    cmocka_unit_test(crowded_cq) };

	return cmocka_run_group_tests_name("responder, shares", tests, NULL, NULL);
}
