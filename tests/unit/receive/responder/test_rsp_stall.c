// SPDX-License-Identifier: Apache-2.0
/*
 * responder: what comes after the walk over a receive WQE stands still, for longer than memory
 * takes to answer, at each message of a row; each payload must be in the receive that its message
 * took, although others are read ahead meanwhile and the only room for them is what is in use.
 * What comes meanwhile for a packet behind it is not forgotten, however much it is.
 */
#include "rsp_srq.h"

#include <string.h>

#define RUNS 4 /* of responder_tb */
#define ONES 8
#define MESSAGES 48
#define STALL 500 /* cycles; a read takes 50 at most */
#define LEN 8

static unsigned int n_sent[QPS];

/* Message i of a QP is this part of `payload`; it takes receive i. */
static const uint8_t *bytes_of(unsigned int qpn, unsigned int i)
{
	return payload + (qpn * MESSAGES + i) * LEN;
}

static void send_some(struct world *w, unsigned int qpn, unsigned int count)
{
	while (count--) {
		struct wpkt p = packet(0x04, n_sent[qpn], LEN);

		p.qpn = qpn;
		p.payload = bytes_of(qpn, n_sent[qpn]++);
		world_send(w, &p);
	}
}

static void stop(struct world *w, bool writes)
{
	w->no_write = writes;
	w->no_cqe = !writes;
}

static void go_on(struct world *w)
{
	w->no_write = w->no_cqe = false;
	settle(w);
}

static struct world *create(unsigned int slots)
{
	struct world *w = setup(1, 0);

	_Static_assert(sizeof(payload) >= RUNS * MESSAGES * LEN, "payload of all messages");
	memset(n_sent, 0, sizeof(n_sent));
	world_region(w, SRQ_KEY, 1, SRQ_VA, 1024u * slots, SRQ_BUF(0));
	return w;
}

static void check_buffer(struct world *w, unsigned int buffer, unsigned int qpn, unsigned int i)
{
	if (memcmp(w->mem + SRQ_BUF(buffer), bytes_of(qpn, i), LEN))
		vtb_fail(w->tb, "message %u of QP %u is not in its receive", i, qpn);
}

/* Entry i of QP q's ring of 128 is buffer 128 q + i. */
static void own_queue(struct world *w, uint32_t qpn, unsigned int stride)
{
	struct srq s = { 0, 7, stride, 0x210000 + 0x8000 * qpn, 0, 0 };
	struct cairn_qp_rsp rsp = { 0 };

	s.slots -= 16 * stride * 128 * qpn;
	for (unsigned int i = 0; i < 128; i++)
		srq_elements(w, &s, 128 * qpn + i, 512);
	world_cfg(w, qpn);
	rsp.tag = w->cfg[qpn].tag;
	rsp.flags = CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_LOG2, 7) |
		    CAIRN_PUT(CAIRN_QP_RSP_FLAGS_RQ_STRIDE, stride);
	rsp.rq_base = 0x210000 + 0x8000 * qpn;
	rsp.epsn = PSN0;
	rsp.rq_cqn = 0x300;
	world_rsp(w, qpn, &rsp);
	w->pi[qpn] = 128;
}

/*
 * As many QPs as runs. QP 0 has the oldest run; after `before` messages what follows the walk
 * stands still, so that for one of these numbers the walk does at the first entry past the middle.
 */
static void queues(unsigned int stride, unsigned int before, bool writes)
{
	struct world *w = create(RUNS * 128);

	for (unsigned int q = 0; q < RUNS; q++) {
		own_queue(w, q, stride);
		send_some(w, q, 1);
		settle(w);
	}
	vtb_check_eq(w->tb, w->cnt[C_FETCH], RUNS);
	send_some(w, 0, before);
	settle(w);
	stop(w, writes);
	send_some(w, 0, MESSAGES - n_sent[0]);
	vtb_run(w->tb, STALL);
	go_on(w);
	vtb_check_eq(w->tb, n_cqes, RUNS - 1 + MESSAGES);
	for (unsigned int i = 0; i < n_cqes; i++)
		vtb_check_eq(w->tb, cqes[i].status, 0);
	for (unsigned int i = 0; i < MESSAGES; i++)
		check_buffer(w, i, 0, i);
	for (unsigned int q = 1; q < RUNS; q++)
		check_buffer(w, 128 * q, q, 0);
	world_destroy(w);
}

static void one_element(void **state)
{
	(void)state;
	for (unsigned int before = 0; before < 36; before++) /* runs of 64 */
		queues(1, before, before & 1);
	for (unsigned int before = 0; before < 36; before++)
		queues(1, before, !(before & 1));
}

static void four_elements(void **state)
{
	(void)state;
	for (unsigned int before = 0; before < 10; before++) { /* runs of 16 */
		queues(4, before, false);
		queues(4, before, true);
	}
}

/* As many slots as there is room for are on chip; more come while the walk stands still. */
static void shared(unsigned int before, bool writes)
{
	struct world *w = create(64);
	struct srq s = { 1, 6, 4, 0x210000, 0x220000, 0 };

	srq_init(w, &s);
	srq_use(w, 0, CAIRN_QP_TYPE_RC, s.srqn);
	for (unsigned int i = 0; i < 64; i++)
		srq_elements(w, &s, i, 512);
	for (unsigned int i = 0; i < ONES; i++)
		srq_put(w, &s, 37 * i % 64);
	srq_doorbell(w, &s);
	vtb_run(w->tb, STALL);
	send_some(w, 0, before);
	settle(w);
	stop(w, writes);
	send_some(w, 0, ONES - before);
	vtb_run(w->tb, STALL);
	for (unsigned int i = ONES; i < 2 * ONES; i++)
		srq_put(w, &s, 37 * i % 64);
	srq_doorbell(w, &s);
	vtb_run(w->tb, STALL);
	go_on(w);
	send_some(w, 0, ONES);
	settle(w);
	vtb_check_eq(w->tb, n_cqes, 2 * ONES);
	for (unsigned int i = 0; i < n_cqes; i++) {
		vtb_check_eq(w->tb, cqes[i].status, 0);
		vtb_check_eq(w->tb, cqes[i].index, 37 * i % 64);
		check_buffer(w, 37 * i % 64, 0, i);
	}
	world_destroy(w);
}

static void slots_of_an_srq(void **state)
{
	(void)state;
	for (unsigned int before = 0; before < 6; before++) {
		shared(before, false);
		shared(before, true);
	}
}

/* Packets that stand in front of the one that is asked about: a narrow data path holds fewer. */
#ifndef IN_FRONT
#define IN_FRONT 9u
#endif
#if IN_FRONT
#define OTHER_KEY 0x333
#define OTHER_RVA 0x7000000000ull

/*
 * A WRITE that misses its region stands behind others that find no room, while exactly `fills`
 * lines arrive, its own among them.
 */
static void fills_that_wrap(void **state)
{
	(void)state;
	for (unsigned int fills = 1; fills <= 1u << 16; fills <<= 4) {
		struct world *w = setup(1, 0);
		struct wpkt p = packet(0x0a, 0, 8);

		w->mr_miss = 0;
		world_key(w, RKEY)->cached = true;
		world_region(w, OTHER_KEY, 15, OTHER_RVA, 4096, 0x40000);
		world_key(w, OTHER_KEY)->cached = false;
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, w->cnt[C_WRITE], 1);
		w->no_write = true;
		for (unsigned int i = 1; i <= IN_FRONT; i++) {
			p = packet(0x0a, i, 8);
			p.key = i < IN_FRONT ? p.key : OTHER_KEY;
			p.va = i < IN_FRONT ? p.va : OTHER_RVA;
			world_send(w, &p);
		}
		vtb_run(w->tb, 1000); /* its line comes */
		vtb_check_eq(w->tb, w->n_fill, 0);
		vtb_check(w->tb, world_key(w, OTHER_KEY)->cached);
		vtb_check_eq(w->tb, w->cnt[C_PARK], 0);
		w->fills = 100;
		vtb_run(w->tb, fills - 1);
		w->fills = 0;
		vtb_tick(w->tb); /* the last one is taken */
		w->no_write = false;
		settle(w);
		vtb_check_eq(w->tb, w->cnt[C_WRITE], IN_FRONT + 1);
		vtb_check_eq(w->tb, w->cnt[C_PARK], 1);
		world_destroy(w);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(one_element),
					    cmocka_unit_test(four_elements),
					    cmocka_unit_test(slots_of_an_srq),
#if IN_FRONT
					    cmocka_unit_test(fills_that_wrap),
#endif
	};

	return cmocka_run_group_tests_name("responder stands still", tests, NULL, NULL);
}
