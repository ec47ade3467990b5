// SPDX-License-Identifier: Apache-2.0
/*
 * responder (checks 48, 118): what is kept of each context slot, in every slot: counters of packets
 * and of atomics that go all the way round, duplicates, hints, packets that are parked, and the
 * receives of an unreliable QP over the wrap of their index.
 */
#include "rsp_one.h"

#include <string.h>

#define ROUND 1024u  /* packets: CNT_W of rsp_check */
#define ATOMICS 128u /* ATW of rsp_join */

static unsigned int answers, completions;
static struct wcqe last;
static uint32_t psn;

static void count_answer(struct world *w, const struct wjob *j)
{
	vtb_check(w->tb, j->opcode != 0x11 || j->aeth >> 29 == 0);
	answers += j->opcode != 0x11;
}

static void count_completion(struct world *w, const struct wcqe *c)
{
	vtb_check_eq(w->tb, c->status, 0);
	completions++;
	last = *c;
}

static void put(struct world *w, unsigned int opcode, unsigned int len, uint32_t rlen)
{
	struct wpkt p = packet(opcode, 0, len);

	p.psn = psn++ & 0xffffff;
	p.rlen = rlen;
	p.ackreq = false;
	world_send(w, &p);
}

/* QP 0 is in this slot now, of this type, with receives from `index` on. */
static void move(struct world *w, unsigned int slot, unsigned int type, uint16_t index)
{
	struct cairn_qp_rsp rsp = { 0 };

	for (unsigned int q = 1; q < QPS; q++)
		if (w->slot[q] == slot)
			w->slot[q] = w->slot[0];
	w->slot[0] = slot;
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_TYPE, type);
	CAIRN_SET(w->cfg[0].rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, CAIRN_RSP_RES_PER_QP);
	world_cfg(w, 0);
	rsp.tag = w->cfg[0].tag;
	rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 4) |
		    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, 1);
	rsp.rq_base = 0x200000;
	rsp.epsn = psn & 0xffffff;
	rsp.rq_cqn = 0x300;
	rsp.rq = index;
	w->pi[0] = (uint16_t)(index + 8);
	world_rsp(w, 0, &rsp);
	answers = completions = 0;
}

static void reliable(struct world *w, unsigned int slot)
{
	struct wpkt again;

	vtb_set(w->tb, "control_engine_features_i",
		CAIRN_REG_FEATURES_ATOMIC | CAIRN_REG_FEATURES_MW);
	move(w, slot, CAIRN_QP_TYPE_RC, 0xfffe);
	/* two packets, the second with what the first left of the receive;
	 * then one that is parked */
	put(w, 0x00, 256, 256);
	put(w, 0x02, 100, 100);
	put(w, 0x04, 10, 10);
	settle(w);
	vtb_check(w->tb, completions == 2 && last.index == 0xffff);
	world_key(w, RKEY)->cached = false;
	put(w, 0x0a, 8, 8);
	settle(w);
	put(w, 0x0c, 0, 8);
	settle(w);
	vtb_check_eq(w->tb, answers, 1);
	again = packet(0x0c, 0, 0);
	again.psn = (psn - 1) & 0xffffff;
	again.rlen = 8;
	world_send(w, &again);
	settle(w);
	vtb_check_eq(w->tb, answers, 2);
	for (unsigned int i = 0; i <= ATOMICS; i++) {
		put(w, 0x14, 0, 0);
		if (i % CAIRN_RSP_RES_PER_QP == CAIRN_RSP_RES_PER_QP - 1)
			settle(w);
	}
	settle(w);
	vtb_check_eq(w->tb, answers, ATOMICS + 3);
	for (unsigned int i = 0; i < ROUND; i++) {
		put(w, 0x0a, 0, 0);
		while (world_queued(w) > 100)
			vtb_tick(w->tb);
	}
	settle(w);
}

static void unreliable(struct world *w, unsigned int slot)
{
	vtb_set(w->tb, "control_engine_features_i", 0); /* none is needed here */
	move(w, slot, CAIRN_QP_TYPE_UC, 0xfffe);
	for (unsigned int i = 0; i < 3; i++) {
		put(w, 0x24, 10, 10);
		settle(w);
		vtb_check(w->tb, completions == i + 1 && last.index == ((0xfffe + i) & 0xffff));
	}
	/* behind a message that is lost the same receive serves the next one */
	put(w, 0x20, 256, 256);
	put(w, 0x22, 300, 300); /* too long */
	put(w, 0x24, 10, 10);
	settle(w);
	vtb_check(w->tb, completions == 4 && last.index == 1);
	vtb_check_eq(w->tb, w->cnt[C_UC], 1);
	w->cnt[C_UC] = 0;
}

static void every_slot(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	w->fills = 60; /* more than 2^16 in all: rsp_join and rsp_tx_kick count them */
	world_key(w, RKEY)->cached = true;
	world_key(w, LKEY)->cached = true;
	w->on_job = count_answer;
	w->on_cqe = count_completion;
	memset(payload, 1, sizeof(payload));
	psn = PSN0;
	for (unsigned int slot = 0; slot < SLOTS; slot++) {
		unreliable(w, slot);
		reliable(w, slot);
		vtb_check(w->tb, !n_errs && !n_eqes);
	}
	vtb_check_eq(w->tb, w->cnt[C_ATOMIC], SLOTS * (ATOMICS + 1));
	vtb_check_eq(w->tb, w->cnt[C_WRITE], SLOTS * (ROUND + 1));
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_slot) };

	return cmocka_run_group_tests_name("responder, slots", tests, NULL, NULL);
}
