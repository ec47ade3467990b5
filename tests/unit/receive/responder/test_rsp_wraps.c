// SPDX-License-Identifier: Apache-2.0
/*
 * responder: numbers that go all the way round (checks 100, 118, 119, 120): cycles of PSNs in
 * steps, with duplicates up to exactly 2^23 back and packets up to 2^23 - 1 ahead at each step;
 * MSNs and receive ring indices over their wraps.
 *
 * Environment: PACKETS of one QP without a pause (50331648: three cycles of PSNs, half an hour).
 */
#include "rsp_one.h"

#include <stdlib.h>
#include <string.h>

#define WRITE 0x0a
#define SEND 0x04
#define HALF 0x800000u

static void jump(struct world *w, uint32_t epsn)
{
	struct cairn_qp_rsp rsp;

	world_peek(w, 0, &rsp);
	CAIRN_SET(rsp.epsn, CAIRN_QP_RSP_EPSN, epsn & 0xffffff);
	world_rsp(w, 0, &rsp);
	n_jobs = 0;
}

/* A WRITE with this PSN whose bytes say so. */
static void write_at(struct world *w, uint32_t psn, uint64_t offset, uint8_t byte)
{
	struct wpkt p = packet(WRITE, 0, 8);

	memset(payload, byte, 8);
	p.psn = psn & 0xffffff;
	p.va = RVA + offset;
	world_send(w, &p);
	settle(w);
}

static void expect_nothing(struct world *w, const uint8_t before[64])
{
	vtb_check(w->tb, !memcmp(w->mem, before, 64));
	vtb_check_eq(w->tb, n_cqes + n_eqes + n_errs, 0);
}

/* Around the expected PSN: what is behind, then what is ahead, then the one. */
static void split(struct world *w, uint32_t epsn)
{
	static const uint32_t back[] = { 1, 2, 77, HALF - 1, HALF };
	static const uint32_t ahead[] = { 1, 2, 77, HALF - 1 };
	uint64_t dup = w->cnt[C_DUP], oos = w->cnt[C_OOS], seq = w->cnt[C_SEQ];
	uint8_t before[64];

	memcpy(before, w->mem, 64);
	for (unsigned int i = 0; i < 5; i++)
		write_at(w, epsn - back[i], 16, 0xdd);
	vtb_check_eq(w->tb, w->cnt[C_DUP] - dup, 5);
	for (unsigned int i = 0; i < n_jobs; i++) { /* each acknowledged again */
		vtb_check_eq(w->tb, jobs[i].psn, (epsn - 1) & 0xffffff);
		vtb_check_eq(w->tb, jobs[i].aeth >> 29, 0);
	}
	vtb_check_eq(w->tb, n_jobs, 5);
	for (unsigned int i = 0; i < 4; i++)
		write_at(w, epsn + ahead[i], 24, 0xee);
	vtb_check_eq(w->tb, w->cnt[C_OOS] - oos, 4);
	vtb_check_eq(w->tb, w->cnt[C_SEQ] - seq, 1); /* one NAK for all of them */
	vtb_check_eq(w->tb, n_jobs, 6);
	vtb_check_eq(w->tb, jobs[5].aeth >> 24, 0x60);
	vtb_check_eq(w->tb, jobs[5].psn, epsn);
	expect_nothing(w, before);
	write_at(w, epsn, 8 * (epsn & 1), (uint8_t)(epsn >> 16 ^ epsn));
	vtb_check_eq(w->tb, n_jobs, 7);
	vtb_check_eq(w->tb, jobs[6].psn, epsn);
	memset(before + 8 * (epsn & 1), (uint8_t)(epsn >> 16 ^ epsn), 8);
	expect_nothing(w, before);
}

static void psn_cycles(void **state)
{
	struct world *w = setup(1, 0);

	(void)state;
	w->latency = 4;
	for (uint64_t psn = PSN0; psn < PSN0 + 3 * 0x1000000ull; psn += 0x10000) {
		jump(w, (uint32_t)psn);
		split(w, psn & 0xffffff);
	}
	for (uint32_t k = 0; k < 24; k++) { /* packet by packet over the wrap and over the turn */
		uint32_t psn = (k < 12 ? 0xfffffa : 0x7ffffa) + k % 12;

		if (k % 12 == 0)
			jump(w, psn);
		n_jobs = 0;
		split(w, psn & 0xffffff);
	}
	world_destroy(w);
}

static void only_last(struct world *w, const struct wjob *job)
{
	vtb_check_eq(w->tb, job->aeth >> 29, 0);
	jobs[0] = *job;
}

/*
 * Each PSN by its packet, one behind the other; now and then an old one, which changes nothing.
 * The last packet of each stretch asks for an ACK.
 */
static void each_psn(void **state)
{
	static const uint32_t back[] = { 1, 3000, HALF - 1, HALF };
	const char *text = getenv("PACKETS");
	uint64_t packets = text && *text ? strtoull(text, NULL, 0) : 20000, old = 0;
	struct world *w = setup(1, 0);

	(void)state;
	w->latency = 4;
	w->on_job = only_last;
	for (uint64_t i = 0; i < packets; i++) {
		struct wpkt p = packet(WRITE, 0, 8);
		bool last = i % 1024 == 1023 || i == packets - 1;

		p.psn = (PSN0 + (uint32_t)i) & 0xffffff;
		p.ackreq = last;
		world_send(w, &p);
		if (i % 256 == 77) {
			p.psn = (p.psn + 1 - back[old++ % 4]) & 0xffffff;
			world_send(w, &p);
		}
		while (world_queued(w) > 200)
			vtb_tick(w->tb);
		if (!last)
			continue;
		settle(w);
		vtb_check_eq(w->tb, jobs[0].psn, (PSN0 + (uint32_t)i) & 0xffffff);
		vtb_check_eq(w->tb, jobs[0].aeth & 0xffffff, (i + 1) & 0xffffff);
	}
	vtb_check_eq(w->tb, w->cnt[C_DUP], old);
	vtb_check_eq(w->tb, w->cnt[C_WRITE], packets);
	vtb_check_eq(w->tb, w->cnt[C_OOS] + n_cqes + n_eqes + n_errs, 0);
	world_destroy(w);
}

/* Every other packet a SEND; the ring has 16 entries. */
static void msn_and_index(void **state)
{
	struct world *w = setup(1, 0);
	struct cairn_qp_rsp rsp;
	uint32_t msn = 0xfffff0;
	uint16_t index = 0xfff4;

	(void)state;
	world_peek(w, 0, &rsp);
	CAIRN_SET(rsp.msn, CAIRN_QP_RSP_MSN, msn);
	CAIRN_SET(rsp.rq, CAIRN_QP_RSP_RQ_RQ_INDEX, index);
	world_rsp(w, 0, &rsp);
	w->pi[0] = index;
	for (unsigned int i = 0; i < 40; i++) {
		bool send = i & 1;

		/* full, half full, one; none: refused first */
		unsigned int posted = i < 14 ? 16 : i < 26 ? 8 : i < 34 ? 1 : 0;

		w->pi[0] = (uint16_t)(index + posted);
		n_jobs = n_cqes = 0;
		send_one(w, send ? SEND : WRITE, i, 8);
		settle(w);
		if (send && !posted) {
			expect_ack(w, 0, 0x29, i, msn & 0xffffff);
			w->pi[0] = (uint16_t)(index + 1);
			n_jobs = 0;
			send_one(w, SEND, i, 8);
			settle(w);
		}
		msn++;
		vtb_check_eq(w->tb, n_jobs, 1);
		vtb_check_eq(w->tb, jobs[0].aeth & 0xffffff, msn & 0xffffff);
		vtb_check_eq(w->tb, jobs[0].psn, (PSN0 + i) & 0xffffff);
		vtb_check_eq(w->tb, n_cqes, send);
		if (!send)
			continue;
		vtb_check_eq(w->tb, cqes[0].status, 0);
		vtb_check_eq(w->tb, cqes[0].index, index);
		index++;
	}
	vtb_check_eq(w->tb, n_eqes + n_errs, 0);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(psn_cycles),
					    cmocka_unit_test(each_psn),
					    cmocka_unit_test(msn_and_index) };

	return cmocka_run_group_tests_name("responder wraps", tests, NULL, NULL);
}
