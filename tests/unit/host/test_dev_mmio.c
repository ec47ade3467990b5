// SPDX-License-Identifier: Apache-2.0
/*
 * dev_mmio: every register of MMIO_DEV, strobes, doorbell entries and kicks that make the access
 * wait, event queue, interrupts.  dev_bench compares every cycle with its model; the tests drive it
 * into the corners and say in numbers what must come out.
 */
#include "dev_bench.h"

static uint32_t random32(struct bench *b)
{
	return (uint32_t)(rng_u64(&b->tb->rng) >> 32);
}

/* Read only, and live: as the pins are now. */
static void facts(void **state)
{
	struct bench *b = dev_bench_new();
	static const uint32_t regs[] = { CAIRN_REG_DEV_FEATURES, CAIRN_REG_DEV_BUILD,
					 CAIRN_REG_DEV_PORT, CAIRN_REG_DEV_MAC,
					 CAIRN_REG_DEV_MAC + 4, CAIRN_REG_DEV_SIZES };

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		uint32_t want[] = { random32(b), random32(b), random32(b), random32(b),
				    random32(b) & 0xffff, random32(b) };

		b->idle_pct = i % 3 * 30;
		vtb_set(b->tb, "facts_features_i", want[0]);
		vtb_set(b->tb, "facts_build_i", want[1]);
		vtb_set(b->tb, "facts_port_i", want[2]);
		vtb_set(b->tb, "facts_mac_i", (uint64_t)want[4] << 32 | want[3]);
		vtb_set(b->tb, "facts_sizes_i", want[5]);
		for (unsigned int r = 0; r < 6; r++) {
			if (i & 1)
				dev_put(b, regs[r], random32(b));
			vtb_check_eq(b->tb, dev_get(b, regs[r]), want[r]);
		}
	}
	dev_bench_free(b);
}

static void control(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_CTRL), 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "loop_o"), 1);
	/* other bits mean nothing */
	dev_put(b, CAIRN_REG_DEV_CTRL, ~(CAIRN_REG_DEV_CTRL_ENABLE | CAIRN_REG_DEV_CTRL_NO_LOOP));
	vtb_check_eq(b->tb, vtb_get(b->tb, "enable_o"), 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "loop_o"), 1);
	dev_put(b, CAIRN_REG_DEV_CTRL, CAIRN_REG_DEV_CTRL_NO_LOOP);
	vtb_check_eq(b->tb, vtb_get(b->tb, "enable_o"), 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "loop_o"), 0);
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_CTRL), CAIRN_REG_DEV_CTRL_NO_LOOP);
	dev_put(b, CAIRN_REG_DEV_CTRL, CAIRN_REG_DEV_CTRL_ENABLE);
	vtb_check_eq(b->tb, vtb_get(b->tb, "enable_o"), 1);
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_CTRL), CAIRN_REG_DEV_CTRL_ENABLE);
	dev_put(b, CAIRN_REG_DEV_CTRL, 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "enable_o"), 0);
	dev_bench_free(b);
}

/* One strobe a fence; a second request while it is under way is ignored; DONE until cleared. */
static void fence(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	b->wild_done = true; /* without a fence: nothing */
	b->done_pct = 50;
	vtb_run(b->tb, 30);
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_FENCE_STATUS), 0);
	for (unsigned int i = 0; i < 20; i++) {
		b->idle_pct = i % 3 * 30;
		b->done_pct = 0;
		dev_put(b, CAIRN_REG_DEV_FENCE, 1);
		vtb_run(b->tb, rng_below(&b->tb->rng, 5));
		dev_put(b, CAIRN_REG_DEV_FENCE, 1);
		vtb_run(b->tb, 3);
		vtb_check_eq(b->tb, b->n_fence, i + 1);
		vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_FENCE_STATUS),
			     CAIRN_REG_DEV_FENCE_STATUS_BUSY);
		dev_put(b, CAIRN_REG_DEV_FENCE_STATUS, ~0u); /* BUSY is read only */
		b->done_pct = 20;
		vtb_run_until(b->tb, vtb_get(b->tb, "irq_fence_o"), 500);
		vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_FENCE_STATUS),
			     CAIRN_REG_DEV_FENCE_STATUS_DONE);
		dev_put(b, CAIRN_REG_DEV_FENCE_STATUS, ~CAIRN_REG_DEV_FENCE_STATUS_DONE);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_fence_o"), 1);
		dev_put(b, CAIRN_REG_DEV_FENCE_STATUS, CAIRN_REG_DEV_FENCE_STATUS_DONE);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_fence_o"), 0);
		vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_FENCE_STATUS), 0);
	}
	dev_bench_free(b);
}

static void link(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	vtb_run(b->tb, 5);
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_LINK), 0); /* down from reset: no change */
	for (unsigned int i = 0; i < 20; i++) {
		bool up = !(i & 1);

		vtb_set(b->tb, "facts_link_i", up);
		vtb_run(b->tb, 2 + rng_below(&b->tb->rng, 5));
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_link_o"), 1);
		vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_LINK),
			     CAIRN_REG_DEV_LINK_CHANGED | (up ? CAIRN_REG_DEV_LINK_UP : 0));
		dev_put(b, CAIRN_REG_DEV_LINK, ~CAIRN_REG_DEV_LINK_CHANGED);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_link_o"), 1);
		dev_put(b, CAIRN_REG_DEV_LINK, CAIRN_REG_DEV_LINK_CHANGED);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_link_o"), 0);
		vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_LINK), up ? CAIRN_REG_DEV_LINK_UP : 0);
	}
	vtb_set(b->tb, "facts_link_i", 1); /* down and up between two looks is a change */
	vtb_tick(b->tb);
	vtb_set(b->tb, "facts_link_i", 0);
	vtb_run(b->tb, 2);
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_LINK), CAIRN_REG_DEV_LINK_CHANGED);
	dev_bench_free(b);
}

static void set_table(struct bench *b, unsigned int table, unsigned int log2, bool valid)
{
	dev_put(b, CAIRN_REG_DEV_TABLE,
		CAIRN_PUT(CAIRN_REG_DEV_TABLE_TABLE, table) |
			CAIRN_PUT(CAIRN_REG_DEV_TABLE_LOG2, log2) |
			(valid ? CAIRN_REG_DEV_TABLE_VALID : 0));
}

/* All sizes of all tables; the bench sees that no other one moves; numbers past the last: none. */
static void tables(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	for (unsigned int i = 0; i < TABLES * 32; i++) {
		unsigned int t = i % TABLES, log2 = i / TABLES;

		b->idle_pct = i % 3 * 25;
		dev_put(b, CAIRN_REG_DEV_TABLE_BASE, random32(b));
		if (i % 5) /* the other half keeps its value */
			dev_put(b, CAIRN_REG_DEV_TABLE_BASE + 4, random32(b));
		set_table(b, t, log2, true);
		vtb_check_eq(b->tb, vtb_get_bits(b->entries, 33 * t, 33), 1ULL << log2);
		if (i % 3 == 0) {
			set_table(b, t, log2, false);
			vtb_check_eq(b->tb, vtb_get_bits(b->entries, 33 * t, 33), 0);
			set_table(b, (t + 1) % TABLES, 31 - log2, true); /* the same base */
		}
		set_table(b, TABLES + t, random32(b) & 31, i & 1);
	}
	dev_bench_free(b);
}

static void gids(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	for (unsigned int i = 0; i < 64; i++) {
		uint8_t first;
		uint32_t word = random32(b);

		b->idle_pct = i % 3 * 25;
		for (unsigned int w = 0; w < 4; w++)
			if (i < 16 || rng_percent(&b->tb->rng, 60))
				dev_put(b, CAIRN_DEV_GID_DATA + 4 * w, random32(b));
		dev_put(b, CAIRN_DEV_GID_DATA, word);
		vtb_check_eq(b->tb, b->n_gid, i); /* data alone writes nothing */
		dev_put(b, CAIRN_REG_DEV_GID,
			(random32(b) & ~CAIRN_REG_DEV_GID_INDEX) |
				CAIRN_PUT(CAIRN_REG_DEV_GID_INDEX, i));
		vtb_check_eq(b->tb, b->n_gid, i + 1);
		first = (uint8_t)vtb_get_bits(b->gid, b->gid->width - 8, 8);
		vtb_check_eq(b->tb, first, word & 0xff);
		dev_put(b, CAIRN_REG_DEV_GROUP, random32(b));
		dev_put(b, CAIRN_REG_DEV_MEMBER, random32(b));
		b->n_gid -= 2;
		vtb_check_eq(b->tb, dev_get(b, CAIRN_DEV_GID_DATA + 4 * (i & 3)),
			     0); /* write only */
	}
	dev_bench_free(b);
}

/* A write of DEV_DB is answered when the doorbell module has it, not before, and comes once. */
static void doorbells(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	for (unsigned int i = 0; i < 120; i++) {
		unsigned int op = i % 4, before = b->n_db;
		uint32_t number = random32(b);

		b->idle_pct = i % 3 * 25;
		b->busy_pct = i % 5 * 22;
		dev_put(b, CAIRN_REG_DEV_DB_NUMBER, number);
		vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_DB_NUMBER), number & 0xffffff);
		dev_put(b, CAIRN_REG_DEV_DB,
			CAIRN_PUT(CAIRN_REG_DEV_DB_KIND, i % (CAIRN_DB_TABLE_EQ + 1)) |
				CAIRN_PUT(CAIRN_REG_DEV_DB_OP, op) |
				CAIRN_PUT(CAIRN_REG_DEV_DB_PAGE, random32(b) & 0xff) |
				CAIRN_PUT(CAIRN_REG_DEV_DB_GEN, random32(b) & 0xff));
		vtb_check_eq(b->tb, b->n_db, before + 1);
		if (op == CAIRN_DB_OP_READ)
			vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_DB_INDEX), b->m.index);
		dev_get(b, CAIRN_REG_DEV_DB); /* a read rings nothing */
		vtb_check_eq(b->tb, b->n_db, before + 1);
	}
	dev_bench_free(b);
}

static void kicks(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	for (unsigned int i = 0; i < 120; i++) {
		unsigned int who = i % 4, before = b->n_kick[0] + b->n_kick[1] + b->n_kick[2];
		unsigned int mine = who != NOBODY ? b->n_kick[who] : 0;

		b->idle_pct = i % 3 * 25;
		b->busy_pct = i % 5 * 22;
		dev_put(b, CAIRN_REG_DEV_DB_NUMBER, random32(b));
		if (who == NOBODY)
			b->busy_pct = 100; /* is answered all the same */
		dev_put(b, CAIRN_REG_DEV_KICK,
			(random32(b) & ~CAIRN_REG_DEV_KICK_WHO) |
				CAIRN_PUT(CAIRN_REG_DEV_KICK_WHO, who));
		vtb_check_eq(b->tb, b->n_kick[0] + b->n_kick[1] + b->n_kick[2],
			     before + (who != NOBODY));
		if (who != NOBODY)
			vtb_check_eq(b->tb, b->n_kick[who], mine + 1);
		dev_get(b, CAIRN_REG_DEV_KICK);
	}
	dev_bench_free(b);
}

/* Nobody takes it: the access waits, and the request stands still (the bench looks each cycle). */
static void held_back(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		bool db = i == NOBODY;

		b->busy_pct = 100;
		vtb_set(b->tb, "mmio_valid_i", 1);
		vtb_set(b->tb, "mmio_we_i", 1);
		vtb_set(b->tb, "mmio_addr_i", db ? CAIRN_REG_DEV_DB : CAIRN_REG_DEV_KICK);
		vtb_set(b->tb, "mmio_wdata_i", db ? 0 : CAIRN_PUT(CAIRN_REG_DEV_KICK_WHO, i));
		for (unsigned int t = 0; t < 200; t++) {
			vtb_tick(b->tb);
			vtb_check_eq(b->tb, vtb_get(b->tb, "mmio_ready_o"), 0);
		}
		b->busy_pct = 0;
		vtb_run_until(b->tb, vtb_get(b->tb, "mmio_ready_o"), 3);
		vtb_tick(b->tb);
		vtb_set(b->tb, "mmio_valid_i", 0);
		vtb_run(b->tb, 3);
		vtb_check_eq(b->tb, db ? b->n_db : b->n_kick[i], 1);
	}
	dev_bench_free(b);
}

static unsigned int pop_kind(struct bench *b)
{
	uint32_t ev = dev_get(b, CAIRN_REG_DEV_EVENT);

	vtb_check(b->tb, ev & CAIRN_REG_DEV_EVENT_VALID);
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_EVENT), ev); /* reading drops nothing */
	dev_put(b, CAIRN_REG_DEV_EVENT_POP, random32(b));
	return CAIRN_GET(ev, CAIRN_REG_DEV_EVENT_KIND);
}

/* All four at once, in their order; more than fit wait; each pop lets one in. */
static void event_order(void **state)
{
	struct bench *b = dev_bench_new();
	static const unsigned int order[] = { CAIRN_DEV_EVENT_CQ_ERROR, CAIRN_DEV_EVENT_DB_BAD,
					      CAIRN_DEV_EVENT_EQ_OVERFLOW,
					      CAIRN_DEV_EVENT_QP_ERROR };

	(void)state;
	vtb_check_eq(b->tb, dev_get(b, CAIRN_REG_DEV_EVENT) & CAIRN_REG_DEV_EVENT_VALID, 0);
	dev_put(b, CAIRN_REG_DEV_EVENT_POP, 1); /* of nothing */
	b->event_pct = 100;
	vtb_run(b->tb, 2 * QUEUE + 2);
	vtb_check_eq(b->tb, b->m.n_events, QUEUE);
	for (unsigned int t = 0; t < 100; t++) {
		vtb_tick(b->tb);
		vtb_check_eq(b->tb, dev_bench_ready(b), 0);
	}
	for (unsigned int i = 0; i < 40; i++) {
		vtb_check_eq(b->tb, pop_kind(b), order[i % SOURCES]);
		vtb_run(b->tb, 3);
		vtb_check_eq(b->tb, b->m.n_events, QUEUE);
	}
	b->event_pct = 0;
	for (unsigned int i = 0; i < QUEUE + SOURCES; i++) /* those that wait come too */
		vtb_check_eq(b->tb, pop_kind(b), order[i % SOURCES]);
	vtb_check_eq(b->tb, vtb_get(b->tb, "irq_evt_o"), 0);
	dev_bench_free(b);
}

static void event_load(void **state)
{
	struct bench *b = dev_bench_new();
	unsigned int kinds[SOURCES + 1] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 600; i++) {
		b->event_pct = i / 100 % 3 * 15 + 1;
		b->idle_pct = i / 150 * 25;
		vtb_run_until(b->tb, vtb_get(b->tb, "irq_evt_o"), 2000);
		kinds[pop_kind(b)]++;
	}
	for (unsigned int k = 1; k <= SOURCES; k++)
		vtb_check(b->tb, kinds[k] > 60);
	dev_bench_free(b);
}

/* Registers of other regions, and holes, read 0 and change nothing. */
static void foreign(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	for (unsigned int i = 0; i < 1500; i++) {
		uint32_t addr = 4 * (uint32_t)rng_below(&b->tb->rng, 0x4000);

		if (i & 1) /* near by */
			addr = CAIRN_REG_DEV_EVENT_POP + 4 + 4 * (i & 63);
		if (addr >= CAIRN_REG_DEV_CTRL && addr <= CAIRN_REG_DEV_EVENT_POP)
			continue;
		dev_put(b, addr, random32(b));
		vtb_check_eq(b->tb, dev_get(b, addr), 0);
	}
	vtb_check_eq(b->tb, b->n_db + b->n_kick[0] + b->n_kick[1] + b->n_kick[2], 0);
	vtb_check_eq(b->tb, b->n_fence + b->n_gid, 0);
	dev_bench_free(b);
}

/* Everything at the same time, with resets. */
static void mixture(void **state)
{
	struct bench *b = dev_bench_new();

	(void)state;
	b->wild_done = true;
	for (unsigned int i = 0; i < 6000; i++) {
		uint32_t addr = CAIRN_REG_DEV_CTRL + 4 * (uint32_t)rng_below(&b->tb->rng, 27);
		bool we = rng_percent(&b->tb->rng, 50);

		if (i % 500 == 0) {
			b->idle_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 25;
			b->busy_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 30;
			b->event_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 4;
			b->link_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 8;
			b->done_pct = (unsigned int)rng_below(&b->tb->rng, 4) * 15;
		}
		if (i % 1500 == 1499)
			vtb_reset(b->tb, 2);
		dev_mmio(b, we, addr, random32(b));
	}
	vtb_check(b->tb, b->n_db > 20 && b->n_fence > 10 && b->n_gid > 20);
	vtb_check(b->tb, b->n_kick[0] && b->n_kick[1] && b->n_kick[2]);
	dev_bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts),      cmocka_unit_test(control),
		cmocka_unit_test(fence),      cmocka_unit_test(link),
		cmocka_unit_test(tables),     cmocka_unit_test(gids),
		cmocka_unit_test(doorbells),  cmocka_unit_test(kicks),
		cmocka_unit_test(held_back),  cmocka_unit_test(event_order),
		cmocka_unit_test(event_load), cmocka_unit_test(foreign),
		cmocka_unit_test(mixture),
	};

	return cmocka_run_group_tests_name("dev_mmio", tests, NULL, NULL);
}
