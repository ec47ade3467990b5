// SPDX-License-Identifier: Apache-2.0
/*
 * eqe_write against software that sleeps until its interrupt: events of three sources and of
 * firmware, several EQs, consumers that take entries by phase only after an MSI-X message, then
 * ring the doorbell with ARM. No event lost, doubled or out of order, no interrupt without an arm,
 * none missing. Directed: overflow, closed EQ, reserved slots.
 */
#include "vtb_rec.h"

#include <string.h>

#include "cairn_hw.h"

#define EQS 5
#define SOURCES 2 /* of events */
#define RING(n) (0x1000u * ((n) + 1))
#define MAX_EV 8192

struct eq {
	unsigned int log2, vector;
	uint16_t ci;
	uint32_t sent, got, freed, told; /* told: by the last doorbell */
	uint64_t want[MAX_EV]; /* type, seq, number in one word, data in the other */
	uint32_t data[MAX_EV];
	uint64_t irq_at;
	bool irq;
	unsigned int arms, irqs;
	uint8_t ring[16 * 64] __attribute__((aligned(8)));
};

static struct env {
	struct vtb *tb;
	struct eq eq[EQS];
	bool offer[SOURCES], stop, no_credit;
	struct rec_eqe_req ev[SOURCES];
	unsigned int send_pc, busy, overs, reported, slow;
	bool mmio_ready;
	uint32_t rdata;
	uint64_t last_write;
} E;

static uint32_t mmio(struct env *e, bool we, unsigned int addr, uint32_t v)
{
	vtb_set(e->tb, "mmio_valid_i", 1);
	vtb_set(e->tb, "mmio_we_i", we);
	vtb_set(e->tb, "mmio_addr_i", addr);
	vtb_set(e->tb, "mmio_wdata_i", v);
	e->mmio_ready = false;
	vtb_run_until(e->tb, e->mmio_ready, 3000);
	vtb_set(e->tb, "mmio_valid_i", 0);
	vtb_tick(e->tb);
	return e->rdata;
}

static void set_eq(struct env *e, unsigned int n, bool valid, bool async)
{
	mmio(e, true, CAIRN_REG_EQ_BASE, RING(n));
	mmio(e, true, CAIRN_REG_EQ_BASE + 4, 0);
	mmio(e, true, CAIRN_REG_EQ_SET,
	     n | e->eq[n].log2 << 8 | e->eq[n].vector << 16 | (uint32_t)async << 30 |
		     (uint32_t)valid << 31);
}

static void drive(struct vtb *tb, void *arg)
{
	struct env *e = arg;
	unsigned int n = (unsigned int)rng_below(&tb->rng, EQS);
	struct eq *q = &e->eq[n];

	/* An event that is taken with the doorbell does not find the room that it makes. */
	for (unsigned int k = 0; k < EQS; k++)
		e->eq[k].freed = e->eq[k].told;
	vtb_set(tb, "db_valid_i", 0);
	if (q->irq && tb->cycle >= q->irq_at) {
		while ((*(uint32_t *)(q->ring + 16 * (q->ci & ((1u << q->log2) - 1)) + 12) >> 31) ==
		       (~(q->ci >> q->log2) & 1u)) {
			const uint32_t *w =
				(uint32_t *)(q->ring + 16 * (q->ci & ((1u << q->log2) - 1)));

			vtb_check(tb, q->got < q->sent);
			vtb_check_eq(tb, w[0] | (uint64_t)w[1] << 32, q->want[q->got]);
			vtb_check_eq(tb, w[2], q->data[q->got]);
			vtb_check_eq(tb, w[3] & 0xffff, q->ci);
			q->got++;
			q->ci++;
		}
		q->irq = false;
		q->arms++;
		q->told = q->got;
		vtb_set(tb, "db_valid_i", 1);
		vtb_set(tb, "db_eqn_i", n);
		vtb_set(tb, "db_ci_i", q->ci);
		vtb_set(tb, "db_arm_i", 1);
	}
	for (unsigned int s = 0; s < SOURCES; s++) {
		unsigned int k = (unsigned int)rng_below(&tb->rng, EQS), fly = 0;

		for (unsigned int j = 0; j < SOURCES; j++)
			fly += e->offer[j] && e->ev[j].eqn == k;
		if (!e->offer[s] && !e->stop && rng_percent(&tb->rng, e->send_pc) &&
		    (e->no_credit || e->eq[k].sent + fly - e->eq[k].freed < 1u << e->eq[k].log2) &&
		    e->eq[k].sent < MAX_EV - 4) {
			e->offer[s] = true;
			e->ev[s] = (struct rec_eqe_req){
				.eqn = (uint8_t)k,
				.etype = (uint8_t)rng_u64(&tb->rng),
				.arm_seq = (uint8_t)rng_below(&tb->rng, 4),
				.number = (uint32_t)rng_below(&tb->rng, 1u << 24),
				.data = (uint32_t)rng_u64(&tb->rng),
			};
			vtb_put_eqe_req(vtb_port(tb, s ? "async_req_i" : "cq_req_i"), 0, &e->ev[s]);
		}
		vtb_set(tb, s ? "async_valid_i" : "cq_valid_i", e->offer[s]);
	}
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, e->busy));
	vtb_set(tb, "msix_ready_i", !rng_percent(&tb->rng, e->busy));
	vtb_set(tb, "ovf_ready_i", !rng_percent(&tb->rng, e->busy));
}

static void expect(struct eq *q, const struct rec_eqe_req *ev)
{
	q->want[q->sent] = ev->etype | (uint64_t)ev->arm_seq << 16 | (uint64_t)ev->number << 32;
	q->data[q->sent++] = ev->data;
}

static void take_write(struct env *e)
{
	struct rec_dma_wr w = vtb_get_dma_wr(vtb_port(e->tb, "wr_cmd_o"), 0);

	vtb_check_eq(e->tb, w.len, 16);
	for (unsigned int n = 0; n < EQS; n++) {
		struct eq *q = &e->eq[n];

		if (w.iova >= RING(n) && w.iova < RING(n) + (16u << q->log2)) {
			memcpy(q->ring + (w.iova - RING(n)), w.data, 16);
			return;
		}
	}
	vtb_fail(e->tb, "write outside the rings: %llx", (unsigned long long)w.iova);
}

static void sample(struct vtb *tb, void *arg)
{
	struct env *e = arg;

	if (vtb_get(tb, "mmio_ready_o")) {
		e->mmio_ready = true;
		e->rdata = (uint32_t)vtb_get(tb, "mmio_rdata_o");
	}
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i"))
		take_write(e);
	if (vtb_get(tb, "msix_valid_o") && vtb_get(tb, "msix_ready_i")) {
		struct eq *q = NULL;

		for (unsigned int n = 0; n < EQS; n++)
			if (e->eq[n].vector == vtb_get(tb, "msix_vector_o"))
				q = &e->eq[n];
		vtb_check(tb, q);
		q->irqs++;
		vtb_check(tb, q->irqs <= q->arms && !q->irq);
		q->irq = true;
		q->irq_at = tb->cycle + rng_below(&tb->rng, e->slow);
	}
	for (unsigned int s = 0; s < SOURCES; s++) {
		if (e->offer[s] && vtb_get(tb, "eqe_ready_o") >> s & 1) {
			e->offer[s] = false;
			expect(&e->eq[e->ev[s].eqn], &e->ev[s]);
		}
	}
	e->overs += (unsigned int)vtb_get(tb, "events_eq_overflow_o");
	e->reported += vtb_get(tb, "ovf_valid_o") && vtb_get(tb, "ovf_ready_i");
}

static struct env *start(unsigned int busy)
{
	struct env *e = &E;

	memset(e, 0, sizeof(*e));
	e->tb = vtb_create();
	e->busy = busy;
	e->slow = 60;
	vtb_on_drive(e->tb, drive, e);
	vtb_on_sample(e->tb, sample, e);
	for (unsigned int n = 0; n < EQS; n++) {
		e->eq[n].log2 = 1 + n;
		e->eq[n].vector = 3 + n;
		set_eq(e, n, true, n == 0);
	}
	return e;
}

static void wake_all(struct env *e)
{
	for (unsigned int n = 0; n < EQS; n++)
		e->eq[n].irq = true; /* the first arm */
}

static bool finished(void *arg)
{
	struct env *e = arg;

	for (unsigned int n = 0; n < EQS; n++)
		if (e->eq[n].got != e->eq[n].sent || e->eq[n].irq)
			return false;
	return vtb_get(e->tb, "idle_o") && !e->offer[0] && !e->offer[1];
}

static void traffic(void **state)
{
	(void)state;
	for (unsigned int busy = 0; busy < 60; busy += 25) {
		struct env *e = start(busy);

		wake_all(e);
		e->send_pc = 40;
		vtb_run(e->tb, 8000);
		e->send_pc = 1; /* events that arrive in any cycle of an arm */
		vtb_run(e->tb, 8000);
		e->stop = true;
		vtb_run_until_fn(e->tb, finished, e, 3000,
				 "every event seen by a consumer that sleeps");
		vtb_check_eq(e->tb, e->overs, 0);
		for (unsigned int n = 0; n < EQS; n++)
			vtb_check(e->tb, e->eq[n].sent > 40 && e->eq[n].irqs > 10);
		vtb_destroy(e->tb);
	}
}

/* EQ 0 (2 entries) is full: the third event is lost, counted, reported, and fatal
 * for ASYNC only. */
static void overflow(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 2; n++) {
		struct env *e = start(0);
		unsigned int room = 1u << e->eq[n].log2;

		for (unsigned int i = 0; i < room + 1; i++) {
			vtb_check_eq(e->tb, vtb_get(e->tb, "fatal_o"), 0);
			mmio(e, true, CAIRN_REG_EQ_POST_NUMBER, 100 + i);
			mmio(e, true, CAIRN_REG_EQ_POST_DATA, 7 * i);
			mmio(e, true, CAIRN_REG_EQ_POST, n | CAIRN_EQE_TYPE_PORT_ERR << 8);
			vtb_run_until(e->tb, vtb_get(e->tb, "idle_o"), 50);
			if (i < room)
				expect(&e->eq[n], &(struct rec_eqe_req){
							  .etype = CAIRN_EQE_TYPE_PORT_ERR,
							  .number = 100 + i,
							  .data = 7 * i,
						  });
		}
		vtb_check_eq(e->tb, e->overs, 1);
		vtb_check_eq(e->tb, e->reported, 1);
		vtb_check_eq(e->tb, vtb_get(e->tb, "ovf_number_o"), n);
		vtb_check_eq(e->tb, vtb_get(e->tb, "fatal_o"), n == 0);
		e->eq[n].irq = true; /* the consumer finds what was kept */
		vtb_run_until(e->tb, !e->eq[n].irq, 100);
		vtb_check_eq(e->tb, e->eq[n].got, room);
		vtb_destroy(e->tb);
	}
}

static void reserve(void **state)
{
	struct env *e = start(0);

	(void)state;
	for (unsigned int i = 0; i < 7; i++) {
		mmio(e, true, CAIRN_REG_EQ_RESERVE, 2);
		vtb_check_eq(e->tb, mmio(e, false, CAIRN_REG_EQ_RESERVE_STATUS, 0), 0);
	}
	mmio(e, true, CAIRN_REG_EQ_RESERVE, 2);
	vtb_check_eq(e->tb, mmio(e, false, CAIRN_REG_EQ_RESERVE_STATUS, 0), 1);
	mmio(e, true, CAIRN_REG_EQ_RESERVE, 2 | 1u << 31);
	mmio(e, true, CAIRN_REG_EQ_RESERVE, 2);
	vtb_check_eq(e->tb, mmio(e, false, CAIRN_REG_EQ_RESERVE_STATUS, 0), 0);
	/* A closed EQ takes nothing. */
	set_eq(e, 3, false, false);
	mmio(e, true, CAIRN_REG_EQ_POST, 3 | CAIRN_EQE_TYPE_CMD << 8);
	vtb_run(e->tb, 30);
	for (unsigned int i = 0; i < sizeof(e->eq[3].ring); i++)
		vtb_check_eq(e->tb, e->eq[3].ring[i], 0);
	vtb_check(e->tb, vtb_get(e->tb, "idle_o"));
	vtb_destroy(e->tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traffic),
		cmocka_unit_test(overflow),
		cmocka_unit_test(reserve),
	};

	return cmocka_run_group_tests_name("eqe_write", tests, NULL, NULL);
}
