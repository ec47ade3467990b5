// SPDX-License-Identifier: Apache-2.0
/*
 * responder: what hardly ever happens: resources that cannot be read back, memory of this side that
 * fails again, a READ that pushes out the resource that is being answered once more.
 */
#include "rsp_srq.h"

#include <string.h>

#define READ 0x0c
#define SLOTS_AT 0x210000u
#define RING_AT 0x220000u
#define RES_BYTES 32u
#define RIVAL 5u
#define DEPTH CAIRN_RSP_RES_PER_QP

static void ask(struct world *w, unsigned int psn, unsigned int len)
{
	struct wpkt p = packet(READ, psn, 0);

	p.rlen = len;
	world_send(w, &p);
}

/* As many READs of one packet as resources are kept, all answered. */
static struct world *answered(void)
{
	struct world *w = setup(1, 0);

	CAIRN_SET(w->cfg[0].rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, DEPTH);
	world_cfg(w, 0);
	for (unsigned int i = 0; i < DEPTH; i++) {
		ask(w, i, 8);
		settle(w);
	}
	vtb_check_eq(w->tb, n_jobs, DEPTH);
	n_jobs = 0;
	return w;
}

/* An unreliable message for which there is no receive, by a doorbell that cannot be. */
static void uc_beyond(void **state)
{
	struct world *w = setup(1, 1);

	(void)state;
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_TYPE, CAIRN_QP_TYPE_UC);
	w->pi[0] = 17; /* of a ring of 16 */
	world_cfg(w, 0);
	send_one(w, 0x24, 0, 100);
	settle(w);
	vtb_check_eq(w->tb, w->cnt[C_UC], 1);
	vtb_check(w->tb, !n_cqes && !n_jobs && !n_errs);
	world_destroy(w);
}

/* Only the first failure is news. */
static void fails_twice(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	ask(w, 0, 600);
	settle(w);
	for (unsigned int i = 0; i < 2; i++) {
		w->txerr_psn = PSN0 + 1;
		w->txerr = 1;
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 4);
		expect_ack(w, 3, 0x63, 1, 1);
		vtb_check(w->tb, n_eqes == 1 && n_errs == 1 && w->cnt[C_OP] == 1);
	}
	world_destroy(w);
}

/* The MR service cannot read what it needs: not the peer's fault. */
static void key_unreadable(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	ask(w, 0, 16384);
	vtb_run_until(w->tb, n_jobs == 2, 2000);
	world_key(w, RKEY)->broken = true;
	settle(w);
	vtb_check(w->tb, n_jobs > 2 && n_jobs < 65);
	expect_ack(w, n_jobs - 1, 0x63, n_jobs - 1, 1);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type, CAIRN_EQE_TYPE_QP_FATAL);
	vtb_check_eq(w->tb, eqes[0].data, CAIRN_VENDOR_ERR_DMA_READ);
	world_destroy(w);
}

/* A second QP, whose resources have the same place on chip. */
static void rival(struct world *w)
{
	struct cairn_qp_rsp rsp;

	CAIRN_SET(w->cfg[RIVAL].rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, DEPTH);
	world_cfg(w, RIVAL);
	world_peek(w, 0, &rsp);
	rsp.tag = w->cfg[RIVAL].tag;
	rsp.epsn = PSN0;
	rsp.msn = rsp.ack_psn = 0;
	world_rsp(w, RIVAL, &rsp);
}

/* A fence starts nothing, but a failure is taken: where it waits, others may stand behind it. */
static void fails_in_fence(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	ask(w, 0, 600);
	settle(w);
	w->pi[RIVAL] = 2;
	CAIRN_SET(w->cfg[RIVAL].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
	rival(w);
	vtb_set(w->tb, "control_engine_halt_i", 1);
	w->kick = RIVAL + 1;
	vtb_run(w->tb, 400);
	vtb_check(w->tb, !n_cqes && vtb_get(w->tb, "idle_o"));
	w->txerr_psn = PSN0 + 1;
	w->txerr = 1;
	vtb_run(w->tb, 400);
	vtb_check_eq(w->tb, w->txerr, 0);
	vtb_check(w->tb, !n_cqes && n_errs == 1 && n_jobs == 3 && vtb_get(w->tb, "idle_o"));
	vtb_set(w->tb, "control_engine_halt_i", 0);
	settle(w);
	vtb_check(w->tb, n_cqes == 2 && n_jobs == 4 && n_errs == 1);
	expect_ack(w, 3, 0x63, 1, 1);
	world_destroy(w);
}

static unsigned int naks(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < n_jobs; i++)
		n += jobs[i].opcode == 0x11 && jobs[i].aeth >> 24 == 0x63 && !jobs[i].qpn;
	return n;
}

static unsigned int fatal(unsigned int why)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < n_eqes; i++)
		n += eqes[i].type == CAIRN_EQE_TYPE_QP_FATAL && !eqes[i].number &&
		     eqes[i].data == why;
	return n;
}

/* They take the line from each other, so the rival may end as well. */
static void any_qp(struct world *w, uint32_t qpn)
{
	vtb_check(w->tb, !qpn || qpn == RIVAL);
}

/*
 * All are answered again from the oldest on; meanwhile another QP takes their place on chip, and
 * they fail to come from memory, or come as something else.
 */
static unsigned int gone_at(unsigned int wait, bool damaged)
{
	struct world *w = answered();
	struct wpkt p = packet(READ, 0, 0);
	unsigned int n;

	rival(w);
	w->on_qp_err = any_qp;
	ask(w, 0, 8);
	vtb_run(w->tb, wait);
	p.qpn = RIVAL;
	p.rlen = 8;
	world_send(w, &p);
	if (damaged)
		memset(world_res(w, 0), 0xff, DEPTH * RES_BYTES);
	else
		w->read_fail = 100;
	settle(w);
	n = fatal(damaged ? CAIRN_VENDOR_ERR_CTX_CHECK : CAIRN_VENDOR_ERR_DMA_READ);
	vtb_check_eq(w->tb, naks(), n);
	world_destroy(w);
	return n;
}

static void resources_gone(void **state)
{
	unsigned int ends[2] = { 0 };

	(void)state;
	for (unsigned int wait = 0; wait < 400; wait += 5) {
		ends[0] += gone_at(wait, false);
		ends[1] += gone_at(wait, true);
	}
	print_message("# %u ended by reads, %u by contents\n", ends[0], ends[1]);
	assert_true(ends[0] && ends[1]);
}

/* A new READ while the oldest is answered again takes its place; its answer comes. */
static void pushed_out(void **state)
{
	unsigned int again = 0;

	(void)state;
	for (unsigned int wait = 0; wait < 240; wait += 3) {
		struct world *w = answered();
		unsigned int newest = 0;

		ask(w, 0, 8);
		vtb_run(w->tb, wait);
		ask(w, DEPTH, 8);
		settle(w);
		for (unsigned int i = 0; i < n_jobs; i++) {
			vtb_check(w->tb, jobs[i].opcode == 0x10);
			newest += jobs[i].psn == ((PSN0 + DEPTH) & 0xffffff);
			again += jobs[i].psn == PSN0;
		}
		vtb_check(w->tb, newest);
		vtb_check(w->tb, !n_errs);
		world_destroy(w);
	}
	print_message("# the oldest was answered again %u times\n", again);
}

/* A QP that takes no READs sees a duplicate of one: no resource, no answer. */
static void none_kept(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	CAIRN_SET(w->cfg[0].rd, CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, 0);
	world_cfg(w, 0);
	send_one(w, 0x0a, 0, 8);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	ask(w, 0, 8);
	settle(w);
	vtb_check(w->tb, n_jobs == 1 && !n_errs);
	vtb_check_eq(w->tb, w->cnt[C_DUP], 1);
	world_destroy(w);
}

/*
 * A receive of an SRQ that comes after its packet, which needs it for its completion alone: WRITE
 * with immediate, and SEND with invalidate without data.
 */
static void late_receives(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 30; i++) {
		struct world *w = setup(1, 0);
		struct srq s = { 2, 4, 2, SLOTS_AT, RING_AT, 0 };
		struct wpkt p = packet(i & 1 ? 0x17 : 0x0b, 0, i & 1 ? 0 : 40);

		world_region(w, SRQ_KEY, 1, SRQ_VA, 1024u << 4, SRQ_BUF(0));
		srq_init(w, &s);
		srq_use(w, 0, CAIRN_QP_TYPE_RC, s.srqn);
		srq_use(w, 1, CAIRN_QP_TYPE_RC, s.srqn);
		for (unsigned int k = 0; k < 3; k++) {
			srq_elements(w, &s, k, 300);
			srq_put(w, &s, k);
		}
		srq_doorbell(w, &s);
		vtb_set(w->tb, "control_engine_features_i", CAIRN_REG_FEATURES_MW);
		w->pause = i % 3 * 20;
		vtb_run(w->tb, i / 2);
		world_key(w, RKEY)->may_inv = true;
		p.key = RKEY;
		world_send(w, &p);
		p.qpn = 1;
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, w->change_count, i & 1 ? 2 : 0);
		vtb_check_eq(w->tb, n_cqes, 2);
		vtb_check(w->tb, !cqes[0].status && !cqes[1].status);
		vtb_check(w->tb, cqes[0].index + cqes[1].index == 1);
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uc_beyond),	  cmocka_unit_test(fails_twice),
		cmocka_unit_test(key_unreadable), cmocka_unit_test(none_kept),
		cmocka_unit_test(late_receives),  cmocka_unit_test(resources_gone),
		cmocka_unit_test(pushed_out),	  cmocka_unit_test(fails_in_fence),
	};

	return cmocka_run_group_tests_name("rsp_odd", tests, NULL, NULL);
}
