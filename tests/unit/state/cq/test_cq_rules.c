// SPDX-License-Identifier: Apache-2.0
/*
 * cq_service: moderation of events (docs/commands.md 6, MODIFY_CQ), resize, and the wraps of index
 * and phase. One CQ at a time but for the timers of many; the record is what firmware sets.
 */
#include <string.h>

#include "cairn_hw.h"
#include "host.h"
#include "vtb_ctx.h"

#ifndef ON_CHIP /* test_cq_resident_rules.c: firmware makes the records */
#define ON_CHIP 0
#endif
#define CQS 32
#define TABLE 0x1000u
#define CI_AT(n) (0x8000u + (n)*8)
#define RING(n) (0x10000u + (n)*0x8000u)
#define OTHER 0x120000u /* ring after a resize */
#define OTHER_CI 0x9000u
#define US 1000ull

static struct env {
	struct vtb *tb;
	struct host h;
	uint64_t now, step;
	unsigned int to_send, send_cq, spread, sol; /* spread: one to each CQ */
	uint32_t written[CQS];
	struct {
		unsigned int cq;
		uint64_t at, seq;
	} ev[256];
	unsigned int n_ev, overs;
	struct {
		uint64_t iova, at;
		struct cairn_cqe cqe;
	} out[8];
	unsigned int n_out;
	bool arm, fw;
	unsigned int fw_status;
	struct vtb_ctx port;
	struct cairn_cq_ctx rec;
} E;

static void drive(struct vtb *tb, void *arg)
{
	const struct sim_port *p = vtb_port(tb, "cq_rsp_put_req_i");

	(void)arg;
	E.now += E.step;
	vtb_set(tb, "time_now_i", E.now);
	vtb_put_bits(p, REC_CQE_REQ_EVENT_SOL, E.sol);
	vtb_put_bits(p, REC_CQE_REQ_CQN, E.send_cq);
	vtb_set(tb, "cq_rsp_put_valid_i", E.to_send > 0);
	vtb_set(tb, "arm_valid_i", E.arm);
	vtb_set(tb, "fw_valid_i", E.fw);
	vtb_set(tb, "wr_ready_i", 1);
	vtb_set(tb, "cqc_ready_i", 1);
	vtb_set(tb, "ticket_i", (uint16_t)(E.h.ticket + 1));
	vtb_set(tb, "eqe_ready_i", 1);
	vtb_set(tb, "cq_error_ready_i", 1);
}

static void take_cqe(struct vtb *tb)
{
	struct rec_dma_wr w = host_write(&E.h, "wr_cmd_o");

	vtb_check_eq(tb, w.len, 32);
	E.out[E.n_out % 8].iova = w.iova;
	memcpy(&E.out[E.n_out % 8].cqe, w.data, 32);
	E.n_out++;
	if (w.iova < OTHER)
		E.written[(w.iova - RING(0)) / 0x8000 % CQS]++;
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	if (vtb_get(tb, "wr_valid_o"))
		take_cqe(tb);
	if (vtb_get(tb, "cqc_valid_o"))
		host_write(&E.h, "cqc_cmd_o");
	if (vtb_get(tb, "eqe_valid_o")) {
		struct rec_eqe_req e = vtb_get_eqe_req(vtb_port(tb, "eqe_req_o"), 0);

		if (e.etype == CAIRN_EQE_TYPE_CQ) {
			E.ev[E.n_ev % 256].cq = e.number;
			E.ev[E.n_ev % 256].seq = e.arm_seq;
			E.ev[E.n_ev++ % 256].at = E.now;
		}
	}
	if (E.to_send && vtb_get(tb, "cq_rsp_ready_o")) {
		E.to_send--;
		E.send_cq += E.spread;
	}
	if (E.arm && vtb_get(tb, "arm_ready_o"))
		E.arm = false;
	if (vtb_get(tb, "fw_done_o")) {
		E.fw = false;
		E.fw_status = (unsigned int)vtb_get(tb, "fw_status_o");
		memcpy(&E.rec, E.port.got, 64);
	}
	E.overs += (unsigned int)vtb_get(tb, "events_cq_overflow_o");
}

static void put_record(unsigned int n, unsigned int log2, uint32_t index, uint32_t mod)
{
	struct cairn_cq_ctx c = { .tag = n | 1u << 24, .base = RING(n), .ci_iova = CI_AT(n) }, ones;

	c.flags = CAIRN_CQ_CTX_FLAGS_VALID | log2 << 8;
	c.pi = c.ci = c.sol_pi = index;
	c.mod = mod;
	memcpy(E.h.mem + CI_AT(n), &index, 4);
	if (!ON_CHIP) {
		memcpy(E.h.mem + TABLE + 64 * n, &c, 64);
		return;
	}
	memset(&ones, 0xff, sizeof(ones));
	vtb_ctx_put(&E.port, &c, &ones);
	vtb_set(E.tb, "fw_key_i", n);
	vtb_set(E.tb, "fw_op_i", CAIRN_CTX_OP_INIT);
	E.fw = true;
	vtb_run_until(E.tb, !E.fw, 2000);
}

static void start(unsigned int log2, uint32_t index, uint32_t mod)
{
	memset(&E, 0, sizeof(E));
	E.tb = vtb_create();
	host_init(&E.h, E.tb, 5);
	E.now = 1000000;
	E.step = 4;
	vtb_set(E.tb, "cq_base_i", TABLE);
	vtb_set(E.tb, "cq_entries_i", CQS);
	vtb_on_drive(E.tb, drive, NULL);
	vtb_on_sample(E.tb, sample, NULL);
	vtb_ctx_attach(&E.port, E.tb, "fw", "fw");
	for (unsigned int n = 0; n < CQS; n++)
		put_record(n, log2, index, mod);
	vtb_run_until(E.tb, vtb_get(E.tb, "idle_o"), 500);
}

static void settle(void)
{
	vtb_tick(E.tb);
	vtb_run_until(E.tb, vtb_get(E.tb, "idle_o") && !E.to_send && !E.arm && !E.fw, 10000);
}

static void send(unsigned int cq, unsigned int n, unsigned int sol)
{
	E.send_cq = cq;
	E.sol = sol;
	E.to_send = n;
	settle();
}

static void arm(unsigned int cq, uint32_t ci, unsigned int seq, unsigned int sol)
{
	E.arm = true;
	vtb_set(E.tb, "arm_cqn_i", cq);
	vtb_set(E.tb, "arm_word_i", (ci & 0xffff) | seq << 16 | sol << 18);
	settle();
}

static void modify(unsigned int cq, const struct cairn_cq_ctx *data,
		   const struct cairn_cq_ctx *mask)
{
	vtb_ctx_put(&E.port, data, mask);
	vtb_set(E.tb, "fw_key_i", cq);
	vtb_set(E.tb, "fw_op_i", CAIRN_CTX_OP_MODIFY);
	E.fw = true;
	vtb_run_until(E.tb, !E.fw, 2000);
}

static void moderate(unsigned int cq, uint32_t count, uint32_t us)
{
	struct cairn_cq_ctx data = { .mod = count | us << 16 }, mask = { .mod = ~0u };

	modify(cq, &data, &mask);
	vtb_check_eq(E.tb, E.fw_status, CAIRN_CTX_RESULT_OK);
	vtb_check_eq(E.tb, E.rec.mod, count | us << 16); /* the whole part comes back */
	vtb_check_eq(E.tb, E.rec.base, RING(cq));
}

static void events(unsigned int n)
{
	vtb_check_eq(E.tb, E.n_ev, n);
}

/* Completions are counted from the first that counts; what lies past the index of an arm counts. */
static void by_count(void **state)
{
	(void)state;
	start(8, 0xfffffffe, 0);
	moderate(3, 5, 0);
	arm(3, 0xfffe, 0, 0);
	send(3, 4, 0);
	events(0);
	send(3, 1, 0);
	events(1);
	vtb_check(E.tb, E.ev[0].cq == 3 && E.ev[0].seq == 0);
	send(3, 20, 0); /* not armed */
	events(1);
	arm(3, 0xfffe + 22, 1, 0); /* three are past it */
	events(1);
	send(3, 1, 0);
	events(1);
	send(3, 1, 0);
	events(2);
	arm(3, 0xfffe + 20, 2, 0); /* seven are */
	events(3);
	arm(3, 0xfffe + 27, 3, 1); /* solicited only: counting begins with the first of them */
	send(3, 10, 0);
	events(3);
	send(3, 1, 1);
	send(3, 3, 0);
	events(3);
	send(3, 1, 0);
	events(4);
	moderate(3, 1, 0);
	arm(3, 0xfffe + 42, 0, 0);
	send(3, 1, 0);
	events(5);
	vtb_destroy(E.tb);
}

static void until(unsigned int n, uint64_t from, uint64_t to)
{
	uint64_t limit = E.tb->cycle + 40000;

	while (E.n_ev < n && E.tb->cycle < limit)
		vtb_tick(E.tb);
	events(n);
	if (E.ev[n - 1].at < from || E.ev[n - 1].at > to)
		vtb_fail(E.tb, "event after %llu ns, %llu to %llu expected",
			 (unsigned long long)E.ev[n - 1].at, (unsigned long long)from,
			 (unsigned long long)to);
}

/* A timer fires in the 1024 ns after its time. */
#define LATE 1500u

static void by_time(void **state)
{
	uint64_t from;

	(void)state;
	start(8, 0, 0);
	moderate(5, 0, 20);
	vtb_run(E.tb, 10);
	vtb_check(E.tb, vtb_get(E.tb, "idle_o"));
	arm(5, 0, 0, 0);
	vtb_run(E.tb, 6000);
	events(0);
	from = E.now;
	send(5, 1, 0);
	vtb_check(E.tb, vtb_get(E.tb, "deadline_valid_o"));
	vtb_check(E.tb, vtb_get(E.tb, "deadline_at_o") <= from + 20 * US + LATE);
	vtb_run(E.tb, 1000);
	send(5, 3, 0);
	arm(5, 0, 0, 0); /* again: no longer wait */
	until(1, from + 20 * US, E.now + 20 * US);
	vtb_check(E.tb, E.ev[0].at <= from + 20 * US + LATE);
	vtb_run(E.tb, 10000);
	events(1);
	from = E.now;
	arm(5, 1, 1, 0); /* three are past it */
	until(2, from + 20 * US, from + 20 * US + LATE);
	/* both limits */
	moderate(5, 3, 10);
	arm(5, 4, 2, 0);
	from = E.now;
	send(5, 2, 0);
	until(3, from + 10 * US, from + 10 * US + LATE);
	arm(5, 6, 3, 0);
	from = E.now;
	send(5, 3, 0);
	until(4, from, from + 1 * US);
	vtb_run(E.tb, 6000); /* its timer has gone off for nothing */
	events(4);
	vtb_check(E.tb, !vtb_get(E.tb, "deadline_valid_o"));
	/* time jumps: the timer fires as soon as its time has passed */
	arm(5, 9, 0, 0);
	send(5, 1, 0);
	vtb_check(E.tb, vtb_get(E.tb, "idle_o") && vtb_get(E.tb, "deadline_valid_o"));
	E.now = vtb_get(E.tb, "deadline_at_o");
	vtb_run(E.tb, 200);
	while (vtb_get(E.tb, "deadline_valid_o")) {
		E.now = vtb_get(E.tb, "deadline_at_o");
		vtb_run(E.tb, 200);
	}
	events(5);
	vtb_destroy(E.tb);
}

/* A change of the rules during a wait. */
static void change(void **state)
{
	uint64_t from;

	(void)state;
	start(8, 0, 0);
	moderate(1, 100, 0);
	arm(1, 0, 0, 0);
	send(1, 3, 0);
	vtb_run(E.tb, 3000);
	events(0);
	from = E.now;
	moderate(1, 0, 0);
	until(1, from, from + LATE);
	moderate(1, 100, 0);
	arm(1, 3, 1, 0);
	send(1, 3, 0);
	from = E.now;
	moderate(1, 100, 30);
	until(2, from, from + 30 * US + LATE);
	moderate(1, 100, 0);
	arm(1, 6, 2, 0);
	send(1, 3, 0);
	from = E.now;
	moderate(1, 2, 0);
	until(3, from, from + LATE);
	vtb_destroy(E.tb);
}

/*
 * Changes of two CQs while the queue before the wheel is full of other timers: each wait is looked
 * at under its new rules.
 */
static void change_two(void **state)
{
	(void)state;
	for (unsigned int gap = 0; gap < 200; gap += 5) {
		start(4, 0, 0);
		for (unsigned int n = 0; n < 2; n++) {
			moderate(n, 10, 0);
			arm(n, 0, 0, 0);
			send(n, 3, 0);
		}
		for (unsigned int n = 2; n < CQS; n++) {
			moderate(n, 10, 60);
			arm(n, 0, 0, 0);
		}
		vtb_run(E.tb, 3000);
		events(0);
		E.step = 1000; /* about a tick of the wheel each cycle: it takes timers slowly */
		E.send_cq = 2;
		E.to_send = CQS - 2;
		E.spread = 1;
		vtb_run(E.tb, gap);
		moderate(0, 1, 0);
		moderate(1, 1, 0);
		E.step = 4;
		vtb_run_until(E.tb, !E.to_send, 5000);
		vtb_run(E.tb, 20000);
		for (unsigned int n = 0; n < CQS; n++) {
			unsigned int seen = 0;

			for (unsigned int i = 0; i < E.n_ev; i++)
				seen += E.ev[i].cq == n;
			if (seen != 1)
				vtb_fail(E.tb, "%u events of CQ %u, gap %u", seen, n, gap);
		}
		vtb_destroy(E.tb);
	}
}

/* More timers at once than the queue before the wheel holds: none is lost, none is much early. */
static void many(void **state)
{
	unsigned int seen = 0;
	uint64_t from, first;

	(void)state;
	start(4, 0, 0 | 50u << 16);
	for (unsigned int n = 0; n < CQS; n++)
		arm(n, 0, 0, 0);
	first = E.now;
	for (unsigned int n = 0; n < CQS; n++) {
		E.send_cq = n;
		E.to_send = 1;
		vtb_run_until(E.tb, !E.to_send, 2000);
	}
	settle();
	from = E.now;
	vtb_run(E.tb, 20000);
	events(CQS);
	for (unsigned int i = 0; i < CQS; i++) {
		seen |= 1u << E.ev[i].cq;
		vtb_check(E.tb, E.ev[i].at >= first + 50 * US);
		/* each record may have to be read first */
		vtb_check(E.tb, E.ev[i].at <= from + 50 * US + LATE + 20 * US);
	}
	vtb_check_eq(E.tb, seen, ~0u);
	vtb_destroy(E.tb);
}

static void resize_to(unsigned int log2, uint32_t ci)
{
	struct cairn_cq_ctx data = { .base = OTHER, .ci_iova = OTHER_CI, .ci = ci },
			    mask = { .base = ~0ull, .ci_iova = ~0ull, .ci = ~0u };

	data.flags = log2 << CAIRN_CQ_CTX_FLAGS_LOG2_SHIFT;
	mask.flags = CAIRN_CQ_CTX_FLAGS_LOG2;
	memcpy(E.h.mem + OTHER_CI, &ci, 4);
	modify(2, &data, &mask);
}

static void expect(unsigned int back, uint64_t base, unsigned int log2, uint32_t index)
{
	unsigned int i = (E.n_out - 1 - back) % 8;

	vtb_check_eq(E.tb, E.out[i].iova, base + (index & ((1u << log2) - 1)) * 32);
	vtb_check_eq(E.tb, E.out[i].cqe.status >> 31, ~(index >> log2) & 1);
}

/* The producer index comes back; what does not fit is refused and changes nothing. */
static void resize(void **state)
{
	static const uint32_t first[] = { 0, 6, 0xfffffffc, 0x7ffffffe };

	(void)state;
	for (unsigned int k = 0; k < 4; k++) {
		uint32_t i = first[k];

		start(3, i, 0);
		send(2, 5, 0);
		expect(0, RING(2), 3, i + 4);
		resize_to(2, i);
		vtb_check_eq(E.tb, E.fw_status, CAIRN_CTX_RESULT_REFUSED);
		send(2, 1, 0);
		expect(0, RING(2), 3, i + 5);
		resize_to(2, i + 2); /* four left: full, but they fit */
		vtb_check_eq(E.tb, E.fw_status, CAIRN_CTX_RESULT_OK);
		vtb_check_eq(E.tb, E.rec.pi, i + 6);
		vtb_check_eq(E.tb, E.rec.ci, i + 2);
		i += 4; /* the consumer takes two of them */
		memcpy(E.h.mem + OTHER_CI, &i, 4);
		send(2, 2, 0);
		expect(1, OTHER, 2, first[k] + 6);
		expect(0, OTHER, 2, first[k] + 7);
		resize_to(10, i);
		vtb_check_eq(E.tb, E.fw_status, CAIRN_CTX_RESULT_OK);
		vtb_check_eq(E.tb, E.rec.pi, first[k] + 8);
		send(2, 600, 0);
		expect(0, OTHER, 10, first[k] + 607);
		vtb_check_eq(E.tb, E.overs, 0);
		vtb_destroy(E.tb);
	}
}

/* A full CQ whose completion waits for the consumer gets room by a resize. */
static void resize_full(void **state)
{
	uint32_t index = 0;
	unsigned int n;

	(void)state;
	start(2, 0, 0);
	send(2, 4, 0);
	E.send_cq = 2;
	E.to_send = 1;
	vtb_run_until(E.tb, !E.to_send, 100);
	/* The read that decides is under way. */
	for (n = 0; n < 64 && !E.h.rd[n].used;)
		n = n < 63 ? n + 1 : (vtb_tick(E.tb), 0);
	E.h.rd[n].due = E.tb->cycle + 1000;
	vtb_run(E.tb, 60);
	resize_to(4, index);
	vtb_check_eq(E.tb, E.fw_status, CAIRN_CTX_RESULT_OK);
	settle();
	vtb_run_until(E.tb, E.n_out == 5, 8000);
	expect(0, OTHER, 4, 4);
	vtb_check_eq(E.tb, E.overs, 0);
	vtb_destroy(E.tb);
}

/* Three laps and more over the wraps of the ring and of the 32-bit index; test_cq_large has the
 * largest rings. */
static void wraps(void **state)
{
	static const unsigned int sizes[] = { 0, 1, 2, 4, 10 };

	(void)state;
	for (unsigned int k = 0; k < 5; k++) {
		unsigned int log2 = sizes[k], laps = log2 == 10 ? 3 : 8;
		uint32_t i = 0u - (laps / 2 << log2);

		start(log2, i, 0);
		for (unsigned int n = 0; n < laps << log2; n++, i++) {
			uint32_t ci = i + 1;

			send(2, 1, 0);
			vtb_check_eq(E.tb, E.n_out, n + 1);
			expect(0, RING(2), log2, i);
			memcpy(E.h.mem + CI_AT(2), &ci, 4);
		}
		vtb_check_eq(E.tb, E.overs, 0);
		vtb_destroy(E.tb);
	}
}

/* A consumer that says anything: no entry lands outside of its ring, other CQs go on. */
static void consumer_lies(void **state)
{
	static const uint32_t says[] = {
		9, 100, 0x7fff, 0x8000, 0xffff, 0xfffffff8, 0x80000000, 7
	};
	const unsigned int slots = 8;

	(void)state;
	for (unsigned int i = 0; i < 2 * sizeof(says) / sizeof(says[0]); i++) {
		uint32_t ci = says[i / 2];

		start(3, 0, 0);
		send(0, 3, 0);
		memcpy(E.h.mem + CI_AT(0), &ci, 4);
		if (i & 1)
			arm(0, ci, 1, 0);
		for (unsigned int n = 0; n < 12; n++) {
			unsigned int before = E.n_out;

			send(0, 1, 0);
			for (unsigned int k = before; k < E.n_out; k++)
				vtb_check(E.tb, E.out[k % 8].iova >= RING(0) &&
							E.out[k % 8].iova < RING(0) + 32 * slots);
		}
		vtb_check(E.tb, E.overs <= 1 && E.written[0] >= 3);
		send(1, 4, 0);
		vtb_check_eq(E.tb, E.written[1], 4);
		vtb_destroy(E.tb);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_count),	 cmocka_unit_test(by_time),
		cmocka_unit_test(change),	 cmocka_unit_test(change_two),
		cmocka_unit_test(many),		 cmocka_unit_test(resize),
		cmocka_unit_test(resize_full),	 cmocka_unit_test(wraps),
		cmocka_unit_test(consumer_lies),
	};

	return cmocka_run_group_tests_name("cq_rules", tests, NULL, NULL);
}
