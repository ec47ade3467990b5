// SPDX-License-Identifier: Apache-2.0
/* responder: atomics one by one: values, answers, duplicates in all phases, order with what comes
 * before and behind, failures. */
#include "rsp_one.h"

#include <string.h>

#define CAS 0x13
#define ADD 0x14

static struct world *start(unsigned int posted)
{
	struct world *w = setup(1, posted);

	vtb_set(w->tb, "control_engine_features_i", CAIRN_REG_FEATURES_ATOMIC);
	world_key(w, RKEY)->rights = 15;
	world_key(w, RKEY)->cached = true;
	return w;
}

static uint64_t *word(struct world *w, unsigned int n)
{
	return (uint64_t *)w->mem + n;
}

static void atomic(struct world *w, unsigned int op, unsigned int psn, unsigned int n,
		   uint64_t value, uint64_t compare)
{
	struct wpkt p = packet(op, psn, 0);

	p.va = RVA + 8 * n;
	p.rlen = 0;
	p.swap_add = value;
	p.compare = compare;
	world_send(w, &p);
}

static void expect_answer(struct world *w, unsigned int i, unsigned int psn, unsigned int msn,
			  uint64_t original)
{
	vtb_check(w->tb, i < n_jobs);
	vtb_check_eq(w->tb, jobs[i].opcode, 0x12);
	vtb_check_eq(w->tb, jobs[i].port, 0);
	vtb_check_eq(w->tb, jobs[i].kind, 1);
	vtb_check_eq(w->tb, jobs[i].len, 0);
	vtb_check_eq(w->tb, jobs[i].psn, (PSN0 + psn) & 0xffffff);
	vtb_check_eq(w->tb, jobs[i].aeth >> 29, 0);
	vtb_check_eq(w->tb, jobs[i].aeth & 0xffffff, msn);
	vtb_check_eq(w->tb, jobs[i].value, original);
}

static void values(void **state)
{
	struct world *w = start(0);

	(void)state;
	*word(w, 2) = 0x1122334455667788;
	atomic(w, CAS, 0, 2, 5, 0x1122334455667788); /* hit */
	atomic(w, CAS, 1, 2, 6, 7);		     /* miss */
	atomic(w, ADD, 2, 2, UINT64_MAX, 0);	     /* wraps: 4 */
	atomic(w, ADD, 3, 2, 0, 0);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 4);
	/* The MSN is that of the moment: up to 4, if all have been taken by then. */
	vtb_check(w->tb, (jobs[0].aeth & 0xffffff) >= 1 && (jobs[0].aeth & 0xffffff) <= 4);
	expect_answer(w, 0, 0, jobs[0].aeth & 0xffffff, 0x1122334455667788);
	for (unsigned int i = 1; i < 4; i++)
		vtb_check_eq(w->tb, jobs[i].value, i == 3 ? 4 : 5);
	expect_answer(w, 3, 3, 4, 4);
	vtb_check_eq(w->tb, *word(w, 2), 4);
	vtb_check_eq(w->tb, w->cnt[C_ATOMIC], 4);
	vtb_check_eq(w->tb, n_eqes + n_cqes + n_errs, 0);
	world_destroy(w);
}

/* An ACK may be given once more with the answer behind it, when that is committed as it leaves. */
static void forget_repeated_acks(void)
{
	unsigned int n = 1;

	for (unsigned int i = 1; i < n_jobs; i++)
		if (jobs[i].opcode != 0x11 || jobs[n - 1].opcode != 0x11 ||
		    jobs[i].psn != jobs[n - 1].psn)
			jobs[n++] = jobs[i];
	n_jobs = n_jobs ? n : 0;
}

/* An ACK that is owed goes out before the answer; nothing overtakes. */
static void order(void **state)
{
	struct world *w = start(2);
	uint64_t *at = word(w, 1);
	struct wpkt p;

	(void)state;
	w->atomic_latency = 600;
	*at = 100;
	send_one(w, 0x0a, 0, 16);   /* WRITE over words 0 and 1, acknowledged with the ... */
	atomic(w, ADD, 1, 1, 1, 0); /* ... atomic, */
	send_one(w, 0x04, 2, 8);    /* which holds up a SEND, */
	p = packet(0x0c, 3, 0);	    /* a READ, */
	p.rlen = 8;
	world_send(w, &p);
	send_one(w, 0x0a, 4, 16); /* and a WRITE; */
	atomic(w, ADD, 5, 1, 5, 0);
	vtb_run(w->tb, 400);
	vtb_check_eq(w->tb, n_cqes, 0);
	vtb_check(w->tb, !memcmp(w->mem, payload, 16));
	memset(payload + 8, 0x5a, 8); /* the second WRITE brings something else */
	settle(w);
	forget_repeated_acks();
	vtb_check_eq(w->tb, n_jobs, 6);
	expect_ack(w, 0, jobs[0].aeth >> 24, 0, jobs[0].aeth & 0xffffff);
	vtb_check_eq(w->tb, jobs[1].opcode, 0x12);
	expect_ack(w, 2, jobs[2].aeth >> 24, 2, jobs[2].aeth & 0xffffff);
	vtb_check_eq(w->tb, jobs[3].opcode, 0x10);
	expect_ack(w, 4, jobs[4].aeth >> 24, 4, jobs[4].aeth & 0xffffff);
	expect_answer(w, 5, 5, 6, 0x5a5a5a5a5a5a5a5a);
	vtb_check_eq(w->tb, *at, 0x5a5a5a5a5a5a5a5a + 5);
	vtb_check_eq(w->tb, n_cqes, 1);
	vtb_check(w->tb, w->cnt[C_PARK] >= 2);
	world_destroy(w);
}

static void duplicates(void **state)
{
	struct world *w = start(0);

	(void)state;
	w->atomic_latency = 600;
	*word(w, 3) = 10;
	atomic(w, ADD, 0, 3, 1, 0);
	atomic(w, ADD, 0, 3, 1, 0); /* asked again before it has been executed: one answer */
	vtb_run(w->tb, 300);
	atomic(w, ADD, 0, 3, 1, 0);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 1);
	expect_answer(w, 0, 0, 1, 10);
	vtb_check_eq(w->tb, *word(w, 3), 11);
	*word(w, 3) = 77; /* whatever is there now: the saved value, memory as it is */
	atomic(w, ADD, 0, 3, 1, 0);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 2);
	expect_answer(w, 1, 0, 1, 10);
	vtb_check_eq(w->tb, *word(w, 3), 77);
	/* Not known: other opcode, never seen, a READ at this PSN. */
	atomic(w, CAS, 0, 3, 1, 77);
	settle(w);
	atomic(w, ADD, 0xffffff & -2, 3, 1, 0);
	settle(w);
	{
		struct wpkt p = packet(0x0c, 0, 0);

		p.rlen = 8;
		world_send(w, &p);
	}
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 2);
	vtb_check_eq(w->tb, w->cnt[C_DUP], 6);
	/* Four are kept. */
	for (unsigned int i = 1; i < 5; i++) {
		atomic(w, CAS, i, 3 + i, 1, 0);
		settle(w);
	}
	n_jobs = 0;
	atomic(w, ADD, 0, 3, 1, 0);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 0);
	atomic(w, CAS, 1, 4, 1, 0); /* the oldest kept, and with it all behind it */
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 4);
	for (unsigned int i = 0; i < 4; i++)
		expect_answer(w, i, i + 1, 5, 0);
	vtb_check_eq(w->tb, w->cnt[C_ATOMIC], 5);
	vtb_check_eq(w->tb, n_eqes + n_errs, 0);
	/* Kept beside its line on chip too: other QPs take that away. */
	vtb_check_eq(w->tb, *word(w, 4), 1);
	world_destroy(w);
}

/* More under way than the QP may have. */
static void limit(void **state)
{
	struct world *w = start(0);

	(void)state;
	w->atomic_latency = 500;
	for (unsigned int i = 0; i < 5; i++)
		atomic(w, ADD, i, 8 + i, 1 + i, 0);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 5);
	for (unsigned int i = 0; i < 4; i++)
		expect_answer(w, i, i, 4, 0);
	expect_ack(w, 4, 0x61, 4, 4);
	vtb_check_eq(w->tb, *word(w, 11), 4);
	vtb_check_eq(w->tb, *word(w, 12), 0);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].data, CAIRN_VENDOR_ERR_REQ_RESOURCES);
	world_destroy(w);
}

/* Firmware has moved the QP to error at once: what came before the NAK is answered all the same. */
static void limit_in_error(void **state)
{
	struct world *w = start(0);

	(void)state;
	w->atomic_latency = 500;
	for (unsigned int i = 0; i < 5; i++)
		atomic(w, ADD, i, 8 + i, 1 + i, 0);
	vtb_run_until(w->tb, n_errs == 1, 400);
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
	world_cfg(w, 0);
	w->kick = 1;
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 5);
	expect_answer(w, 3, 3, 4, 0);
	expect_ack(w, 4, 0x61, 4, 4);
	world_destroy(w);

	/* Moved there by software: silence, and the atomic ends. */
	w = start(1);
	w->atomic_latency = 500;
	atomic(w, ADD, 0, 8, 1, 0);
	vtb_run(w->tb, 100);
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
	world_cfg(w, 0);
	w->kick = 1;
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 0);
	vtb_check_eq(w->tb, n_cqes, 1);
	world_destroy(w);
}

/* Host memory fails: NAK 0x63 at that PSN, behind what is older; nothing behind it is executed. */
static void unreadable(bool refused_too)
{
	struct world *w = start(1);
	struct wpkt p = packet(0x0c, 0, 0);

	w->atomic_fail = 100;
	w->atomic_latency = 300;
	p.rlen = 600; /* PSN 0 to 2 */
	world_send(w, &p);
	atomic(w, ADD, 3, 8, 1, 0);
	atomic(w, ADD, 4, 9, 1, 0);
	atomic(w, CAS, 5, 8, 1, 0);
	if (refused_too) { /* its NAK gives way to the older one */
		p = packet(0x0a, 6, 8);
		p.key = 0x999;
		world_send(w, &p);
	} else {
		send_one(w, 0x0a, 6, 8);
	}
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 4);
	vtb_check_eq(w->tb, jobs[2].opcode, 0x0f);
	expect_ack(w, 3, 0x63, 3, 1);
	vtb_check_eq(w->tb, *word(w, 8), 0);
	vtb_check_eq(w->tb, *word(w, 9), 0);
	vtb_check_eq(w->tb, *word(w, 0), 0);
	vtb_check_eq(w->tb, n_errs, 1);
	vtb_check_eq(w->tb, n_eqes, 1);
	vtb_check_eq(w->tb, eqes[0].type,
		     refused_too ? CAIRN_EQE_TYPE_QP_ACCESS_ERR : CAIRN_EQE_TYPE_QP_FATAL);
	vtb_check_eq(w->tb, eqes[0].data,
		     refused_too ? CAIRN_VENDOR_ERR_KEY_INDEX : CAIRN_VENDOR_ERR_DMA_READ);
	vtb_check_eq(w->tb, w->cnt[C_OP], 1);
	vtb_check_eq(w->tb, w->cnt[C_ATOMIC], 0);
	vtb_check_eq(w->tb, n_cqes, 1); /* flushed */
	vtb_check_eq(w->tb, cqes[0].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
	world_destroy(w);
}

/* A READ fails, and an atomic behind it later, before the NAK of the READ has left: that stays. */
static void behind_failed_read(void)
{
	struct world *w = start(1);
	struct wpkt p = packet(0x0c, 0, 8);

	for (unsigned int i = 0; i < CAIRN_RSP_RES_PER_QP;
	     i++) { /* what is kept could be sent again */
		p = packet(0x0c, i, 0);
		p.rlen = 8;
		world_send(w, &p);
		settle(w);
	}
	n_jobs = 0;
	w->atomic_fail = 100;
	w->atomic_latency = 1500;
	p = packet(0x0c, CAIRN_RSP_RES_PER_QP, 0);
	p.rlen = 600;
	world_send(w, &p);
	atomic(w, ADD, CAIRN_RSP_RES_PER_QP + 3, 8, 1, 0);
	vtb_run_until(w->tb, n_jobs == 3, 1000);
	vtb_set(w->tb, "control_engine_halt_i", 1); /* it is told of failures, and sends nothing */
	w->txerr_psn = PSN0 + CAIRN_RSP_RES_PER_QP + 1;
	w->txerr = 1;
	vtb_run(w->tb, 3000);
	vtb_check(w->tb, !w->txerr && n_jobs == 3);
	vtb_set(w->tb, "control_engine_halt_i", 0);
	settle(w);
	vtb_check_eq(w->tb, n_jobs, 4);
	expect_ack(w, 3, 0x63, CAIRN_RSP_RES_PER_QP + 1, CAIRN_RSP_RES_PER_QP + 2);
	vtb_check(w->tb, n_cqes == 1 && n_errs == 1 && n_eqes == 1); /* the receive is flushed */
	world_destroy(w);
}

static void failures(void **state)
{
	(void)state;
	behind_failed_read();
	unreadable(false);
	unreadable(true);
}

/* The result is in the table in host memory: entries of other QPs on the same line push it out. */
static void from_memory(void **state)
{
	struct world *w = start(0);

	(void)state;
	for (unsigned int q = 0; q < QPS; q += 5) { /* four lines: of one */
		struct cairn_qp_rsp rsp;

		world_cfg(w, q);
		world_peek(w, 0, &rsp);
		rsp.tag = w->cfg[q].tag;
		world_rsp(w, q, &rsp);
	}
	*word(w, 20) = 5;
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int q = 0; q < QPS; q += 5) {
			struct wpkt p = packet(ADD, 0, 0);

			p.qpn = q;
			p.va = RVA + 8 * (20 + q);
			p.swap_add = 3;
			world_send(w, &p);
			settle(w);
			vtb_check(w->tb, n_jobs > 0);
			vtb_check_eq(w->tb, jobs[n_jobs - 1].opcode, 0x12);
			vtb_check_eq(w->tb, jobs[n_jobs - 1].value, q ? 0 : 5);
		}
	}
	vtb_check_eq(w->tb, n_jobs, 6);
	vtb_check_eq(w->tb, w->cnt[C_ATOMIC], 2);
	world_destroy(w);
}

/*
 * A drain waits for what was answered before it, wherever that is: atomics that have not been read,
 * a write that is not accepted.  What comes later does not hold it up.
 */
static void drains(void **state)
{
	(void)state;
	for (unsigned int n = 1; n <= 4; n++) {
		struct world *w = start(0);
		uint64_t was[8];

		w->own_drains = true;
		w->atomic_latency = 600;
		memcpy(was, w->mem, sizeof(was));
		for (unsigned int i = 0; i < n; i++)
			atomic(w, ADD, i, i % 8, 1, 0);
		vtb_run(w->tb, 500);
		world_mark(w, 0);
		vtb_run(w->tb, 60);
		vtb_check(w->tb, w->drain[0].on); /* all are being read */
		for (unsigned int i = 0; i < n; i++)
			vtb_check_eq(w->tb, *word(w, i % 8), was[i % 8]);
		vtb_run_until(w->tb, !w->drain[0].on, 2500);
		for (unsigned int i = 0; i < n; i++)
			vtb_check(w->tb, *word(w, i % 8) > was[i % 8]);
		settle(w);
		world_mark(w, 0); /* nothing left */
		vtb_run_until(w->tb, !w->drain[0].on, 10);
		w->no_write = true;
		send_one(w, 0x0a, n, 64);
		vtb_run(w->tb, 200);
		world_mark(w, 0);
		vtb_run(w->tb, 300);
		vtb_check(w->tb, w->drain[0].on);
		send_one(w, 0x0a, n + 1, 64);
		vtb_run(w->tb, 100);
		w->no_write = false;
		vtb_run_until(w->tb, !w->drain[0].on, 60);
		settle(w);
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),	  cmocka_unit_test(order),
		cmocka_unit_test(duplicates),	  cmocka_unit_test(limit),
		cmocka_unit_test(limit_in_error), cmocka_unit_test(failures),
		cmocka_unit_test(from_memory),	  cmocka_unit_test(drains),
	};

	return cmocka_run_group_tests_name("responder atomics", tests, NULL, NULL);
}
