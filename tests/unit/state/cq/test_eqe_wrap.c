// SPDX-License-Identifier: Apache-2.0
/*
 * eqe_write: index and phase of an EQ over its wraps and over that of the 16-bit index, smallest
 * and largest ring; a full ring at the wrap loses exactly what does not fit (checks 59, 121).
 */
#include <string.h>

#include "cairn_hw.h"
#include "host.h"

#define BASE 0x40000ull
#define EQN 4u

static struct env {
	struct vtb *tb;
	unsigned int log2, to_send, batch, overs;
	uint32_t written, consumed;
	bool ready;
} E;

static void set(unsigned int addr, uint32_t v)
{
	vtb_set(E.tb, "mmio_valid_i", 1);
	vtb_set(E.tb, "mmio_we_i", 1);
	vtb_set(E.tb, "mmio_addr_i", addr);
	vtb_set(E.tb, "mmio_wdata_i", v);
	E.ready = false;
	vtb_run_until(E.tb, E.ready, 100);
	vtb_set(E.tb, "mmio_valid_i", 0);
	vtb_tick(E.tb);
}

static void drive(struct vtb *tb, void *arg)
{
	const struct sim_port *p = vtb_port(tb, "cq_req_i");

	(void)arg;
	vtb_put_bits(p, REC_EQE_REQ_NUMBER, E.written & 0xffffff);
	vtb_put_bits(p, REC_EQE_REQ_ETYPE, CAIRN_EQE_TYPE_PORT_ERR);
	vtb_put_bits(p, REC_EQE_REQ_EQN, EQN);
	vtb_set(tb, "cq_valid_i", E.to_send > 0);
	vtb_set(tb, "wr_ready_i", 1);
	vtb_set(tb, "msix_ready_i", 1);
	vtb_set(tb, "ovf_ready_i", 1);
	vtb_set(tb, "db_valid_i", E.written - E.consumed >= E.batch);
	vtb_set(tb, "db_eqn_i", EQN);
	vtb_set(tb, "db_ci_i", E.written & 0xffff);
	if (E.written - E.consumed >= E.batch)
		E.consumed = E.written;
}

static void sample(struct vtb *tb, void *arg)
{
	struct rec_dma_wr cmd;
	uint32_t w[4];

	(void)arg;
	E.ready |= vtb_get(tb, "mmio_ready_o");
	E.overs += (unsigned int)vtb_get(tb, "events_eq_overflow_o");
	if (E.to_send && vtb_get(tb, "eqe_ready_o") & 1)
		E.to_send--;
	if (!vtb_get(tb, "wr_valid_o"))
		return;
	cmd = vtb_get_dma_wr(vtb_port(tb, "wr_cmd_o"), 0);
	memcpy(w, cmd.data, sizeof(w));
	vtb_check_eq(tb, cmd.iova, BASE + 16 * (E.written & ((1u << E.log2) - 1)));
	vtb_check_eq(tb, w[3], (E.written & 0xffff) | (~(E.written >> E.log2) & 1) << 31);
	E.written++;
}

static void events(unsigned int n)
{
	E.to_send = n;
	vtb_run_until(E.tb, !E.to_send, 12ull * n + 100);
	vtb_run_until(E.tb, vtb_get(E.tb, "idle_o"), 100);
}

static void start(unsigned int log2, unsigned int batch)
{
	memset(&E, 0, sizeof(E));
	E.tb = vtb_create();
	E.log2 = log2;
	E.batch = batch;
	vtb_on_drive(E.tb, drive, NULL);
	vtb_on_sample(E.tb, sample, NULL);
	set(CAIRN_REG_EQ_BASE, (uint32_t)BASE);
	set(CAIRN_REG_EQ_BASE + 4, 0);
	set(CAIRN_REG_EQ_SET, EQN | log2 << 8 | 1u << 31);
}

static void wraps(void **state)
{
	static const unsigned int sizes[] = { 4, 15 };

	(void)state;
	for (unsigned int k = 0; k < 2; k++) {
		start(sizes[k], 1 + 3 * k);
		events(0x10000 + 100);
		vtb_check_eq(E.tb, E.written, 0x10000 + 100);
		vtb_check_eq(E.tb, E.overs, 0);
		vtb_destroy(E.tb);
	}
}

/* Full just before, at and after the wrap of the index. */
static void full(void **state)
{
	(void)state;
	start(4, 1);
	events(0x10000 - 24);
	for (unsigned int i = 0; i < 3; i++) {
		unsigned int overs = E.overs;
		uint32_t from;

		vtb_run(E.tb, 20); /* the last doorbell */
		from = E.written;
		E.batch = 1000; /* nobody consumes */
		events(19);
		vtb_check_eq(E.tb, E.written - from, 16);
		vtb_check_eq(E.tb, E.overs - overs, 3);
		E.batch = 1;
		vtb_run(E.tb, 20);
		events(1);
		vtb_check_eq(E.tb, E.written - from, 17);
	}
	vtb_check_eq(E.tb, vtb_get(E.tb, "fatal_o"), 0);
	vtb_destroy(E.tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(wraps), cmocka_unit_test(full) };

	return cmocka_run_group_tests_name("eqe_wrap", tests, NULL, NULL);
}
