// SPDX-License-Identifier: Apache-2.0
/*
 * The simulator end to end, in-process, with the stand-in core: registers, DMA, frames, interrupts,
 * timers, function reset, errors; and that jumping over idle time changes nothing that can be seen.
 */
#include "rig.h"

/* ---- tests ---- */

static void registers(void **state)
{
	(void)state;
	for (int w = 0; w < 2; w++) {
		struct rig *rig = rig_of_width(widths[w]);
		struct host *host = &rig->host[0];
		uint64_t value, t;

		assert_int_equal(reg(host, CAIRN_REG_ID, 4),
				 CAIRN_PUT(CAIRN_REG_ID_MAGIC, CAIRN_CONTRACT_MAGIC) |
				 CAIRN_PUT(CAIRN_REG_ID_VERSION, CAIRN_CONTRACT_VERSION));
		assert_int_equal(sim_nic_write(host->nic, 0, STANDIN_SCRATCH, 4, 0x11223344), 0);
		assert_int_equal(sim_nic_write(host->nic, 0, STANDIN_SCRATCH + 1, 1, 0xaa), 0);
		assert_int_equal(reg(host, STANDIN_SCRATCH, 4), 0x1122aa44);
		assert_int_equal(sim_nic_write(host->nic, 0, STANDIN_SCRATCH + 2, 2, 0xbbcc), 0);
		assert_int_equal(reg(host, STANDIN_SCRATCH, 8), 0xbbccaa44);
		assert_int_equal(reg(host, STANDIN_SCRATCH + 3, 1), 0xbb);
		assert_int_equal(reg(host, STANDIN_SCRATCH + 2, 2), 0xbbcc);
		t = reg(host, CAIRN_REG_TIME, 8);
		assert_in_range(t, 1, sim_now(rig->sim));
		sim_run(rig->sim, 1000);
		value = reg(host, CAIRN_REG_TIME, 8);
		assert_in_range(value, t + 1000 * sim_period(rig->sim), sim_now(rig->sim));
		assert_int_equal(sim_nic_read(host->nic, 0, STANDIN_UNSUPPORTED, 4, &value), -EIO);
		assert_int_equal(value, 0xffffffff);
		assert_int_equal(sim_nic_read(host->nic, 0, 0, 3, &value), -EINVAL);
		assert_int_equal(sim_nic_read(host->nic, 1, 0, 4, &value), -EINVAL);
		rig_free(rig);
	}
}

static void console(void **state)
{
	struct rig *rig = rig_of_width(64);

	(void)state;
	for (const char *s = "hello\n"; *s; s++)
		sim_nic_write(rig->host[1].nic, 0, STANDIN_UART, 4, (uint8_t)*s);
	sim_run(rig->sim, 1000);
	assert_string_equal(rig->console, "1:hello");
	rig_free(rig);
}

static void copies(void **state)
{
	(void)state;
	for (int w = 0; w < 2; w++) {
		struct rig *rig = rig_of_width(widths[w]);
		struct host *host = &rig->host[0];
		struct rng rng = { test_seed() };

		for (uint32_t i = 0; i < 24; i++) {
			uint32_t len = 4 * (uint32_t)rng_range(&rng, 1, i % 3 ? 300 : 4000);
			uint32_t src = 0x10000 + 4 * (uint32_t)rng_below(&rng, 5000);
			uint32_t dst = 0x40000 + 4 * (uint32_t)rng_below(&rng, 5000);
			bool up = i & 1;
			uint8_t *from = up ? host->low : host->high,
				*to = up ? host->high : host->low;
			struct standin_desc desc = {
				.src = (up ? LOW : HIGH) + src, .dst = (up ? HIGH : LOW) + dst,
				.len = len, .op = STANDIN_COPY,
			};

			rng_bytes(&rng, from + src, len);
			memset(to + dst - 4, 0xee, len + 8);
			ring(host, i % 8, &desc);
			wait_for(rig, &host->irqs[0], i + 1);
			assert_int_equal(result(host, i % 8)->error, 0);
			assert_int_equal(result(host, i % 8)->seq, i + 1);
			assert_memory_equal(to + dst, from + src, len);
			assert_memory_equal(to + dst - 4, "\xee\xee\xee\xee", 4);
			assert_memory_equal(to + dst + len, "\xee\xee\xee\xee", 4);
		}
		assert_int_equal(reg(host, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_DB_SQ, 8), 24);
		assert_int_equal(reg(host, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_MSIX_SENT, 8),
				 24);
		rig_free(rig);
	}
}

/* Frames of NIC 0 reach NIC 1 whole, in order, and at the time that rate, length and cable give. */
static void frames(void **state)
{
	(void)state;
	for (int w = 0; w < 2; w++) {
		struct rig *rig = rig_of_width(widths[w]);
		struct host *tx = &rig->host[0], *rx = &rig->host[1];
		struct rng rng = { test_seed() };

		sim_nic_write(rx->nic, 0, STANDIN_RX_BASE, 8, HIGH);
		for (uint32_t i = 0; i < 20; i++) {
			uint32_t len = i < 4 ? 60 + i : (uint32_t)rng_range(&rng, 60, 4214);
			struct standin_desc desc = { .src = LOW + 0x10000,
						     .len = len,
						     .op = STANDIN_SEND };
			const struct standin_slot *slot =
				(void *)(rx->high + i % STANDIN_SLOTS * STANDIN_SLOT_BYTES);
			unsigned int period = sim_period(rig->sim), beat = widths[w] / 8;
			uint64_t end = 0;

			rng_bytes(&rng, tx->low + 0x10000, len);
			ring(tx, 0, &desc);
			wait_for(rig, &rx->irqs[STANDIN_IRQ_RX], i + 1);
			assert_int_equal(slot->len, len);
			assert_int_equal(slot->seq, i + 1);
			assert_memory_equal(slot->frame, tx->low + 0x10000, len);
			/*
			 * The last beat: when the last bit is there; a frame longer than the cable
			 * is given whole after the sender's last beat.
			 */
			for (unsigned int e = 0; e < rig->events; e++)
				if (rig->log[e].what == 3000) {
					uint64_t whole = rig->log[e].time +
							 ((len + beat - 1) / beat) * period;

					end = rig->log[e].value + 500;
					end = end > whole ? end : whole;
				}
			assert_in_range(slot->time, end, end + period - 1);
		}
		assert_int_equal(reg(tx, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_TX_PACKETS, 8),
				 20);
		assert_int_equal(reg(rx, CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_RX_PACKETS, 8),
				 20);
		assert_int_equal(sim_wire_stats(sim_wire(rig->sim), 0)->tx_underrun, 0);
		rig_free(rig);
	}
}

static void bad_fcs_is_dropped(void **state)
{
	struct rig *rig = rig_of_width(64);
	struct standin_desc desc = { .src = LOW + 0x10000, .len = 200, .op = STANDIN_SEND_BAD_FCS };

	(void)state;
	ring(&rig->host[0], 0, &desc);
	wait_for(rig, &rig->host[0].irqs[0], 1);
	sim_run(rig->sim, 2000);
	assert_int_equal(sim_wire_stats(sim_wire(rig->sim), 0)->tx_bad_fcs, 1);
	assert_int_equal(reg(&rig->host[1], CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_RX_PACKETS, 8),
			 0);
	assert_int_equal(
		reg(&rig->host[1], CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_RX_RAW_DROP, 8), 1);
	rig_free(rig);
}

static void unmapped_is_an_error(void **state)
{
	struct rig *rig = rig_of_width(64);
	struct host *host = &rig->host[0];
	struct standin_desc desc = {
		.src = 0x900000000ULL, .dst = HIGH, .len = 64, .op = STANDIN_COPY
	};

	(void)state;
	sim_pcie_expect(sim_nic_pcie(host->nic), SIM_TLP_UNMAPPED, true);
	ring(host, 0, &desc);
	wait_for(rig, &host->irqs[0], 1);
	assert_int_equal(result(host, 0)->error, 1);
	assert_int_equal(sim_pcie_expected_count(sim_nic_pcie(host->nic), SIM_TLP_UNMAPPED), 1);
	rig_free(rig);
}

static bool never(void *arg)
{
	(void)arg;
	return false;
}

static void timers_and_jumps(void **state)
{
	(void)state;
	for (int w = 0; w < 2; w++) {
		struct rig *rig = rig_of_width(widths[w]);
		struct host *host = &rig->host[0];
		uint64_t at = 5000001, before;

		sim_run(rig->sim, 1000);
		assert_int_equal(sim_run_until(rig->sim, never, NULL, 1000), -EAGAIN);
		assert_int_equal(sim_next(rig->sim), SIM_NEVER);
		assert_true(sim_idle(rig->sim));
		sim_nic_write(host->nic, 0, STANDIN_TIMER, 8, at);
		sim_run(rig->sim, 1000);
		assert_true(sim_idle(rig->sim));
		/* the last edge before the deadline is computed */
		assert_in_range(sim_next(rig->sim), at - sim_period(rig->sim) + 1, at);
		before = sim_evaluated(rig->sim);
		sim_run(rig->sim, (at - sim_now(rig->sim)) / sim_period(rig->sim));
		assert_in_range(sim_now(rig->sim), at - sim_period(rig->sim) + 1, at);
		assert_int_equal(host->irqs[STANDIN_IRQ_TIMER], 0);
		assert_in_range(sim_evaluated(rig->sim) - before, 0, 2);
		wait_for(rig, &host->irqs[STANDIN_IRQ_TIMER], 1);
		/* half a round trip of the root complex and some cycles */
		assert_in_range(sim_now(rig->sim), at, at + 1000);

		/* 100 expiries 1 ms apart, hardly a cycle computed */
		sim_nic_write(host->nic, 0, STANDIN_TIMER_PERIOD, 4, 1000000);
		sim_nic_write(host->nic, 0, STANDIN_TIMER, 8, at + 1000000);
		before = sim_evaluated(rig->sim);
		sim_run(rig->sim, 100500000 / sim_period(rig->sim));
		assert_int_equal(host->irqs[STANDIN_IRQ_TIMER], 101);
		assert_in_range(sim_evaluated(rig->sim) - before, 100, 60000);
		assert_int_equal(sim_run_until(rig->sim, never, NULL, 1000), -ETIMEDOUT);
		rig_free(rig);
	}
}

static void function_reset(void **state)
{
	(void)state;
	for (int w = 0; w < 2; w++) {
		struct rig *rig = rig_of_width(widths[w]);
		struct host *host = &rig->host[0];
		struct standin_desc desc = {
			.src = LOW + 0x20000, .dst = HIGH, .len = 65536, .op = STANDIN_COPY
		};
		uint16_t command = 6;

		sim_nic_write(host->nic, 0, STANDIN_SCRATCH, 4, 7);
		for (unsigned int delay = 0; delay < 4; delay++) {
			ring(host, 0, &desc);
			sim_run(rig->sim, 300 + 111 * delay);
			assert_int_equal(sim_nic_flr(host->nic), 0);
			assert_int_equal(sim_nic_cfg_write(host->nic, 4, &command, 2), 0);
			assert_int_equal(reg(host, STANDIN_SCRATCH, 4), 0);
			assert_int_equal(host->irqs[0], 0);
		}
		/* and it works again */
		memset(host->low + 0x20000, 0x3c, 4096);
		desc.len = 4096;
		ring(host, 1, &desc);
		wait_for(rig, &host->irqs[0], 1);
		assert_memory_equal(host->high, host->low + 0x20000, 4096);
		rig_free(rig);
	}
}

static void link_down(void **state)
{
	struct rig *rig = rig_of_width(64);
	struct standin_desc desc = { .src = LOW + 0x10000, .len = 100, .op = STANDIN_SEND };

	(void)state;
	sim_nic_set_link(rig->host[1].nic, false);
	ring(&rig->host[0], 0, &desc);
	wait_for(rig, &rig->host[0].irqs[0], 1);
	sim_run(rig->sim, 1000);
	assert_int_equal(sim_wire_stats(sim_wire(rig->sim), 1)->link_down, 1);
	rig_free(rig);
}

/* ---- the same with and without jumps ---- */

/*
 * Both hosts copy, send and set timers at random, with pauses between that are long enough to jump
 * over.  Returns the log of all that was seen; memory and statistics are folded into it.
 */
static struct rig *scenario(unsigned int data_w, unsigned int nics, bool no_jump, const char *rule,
			    const char *pcap)
{
	struct rng rng = { test_seed() };
	struct sim_cfg cfg;
	struct rig *rig;

	sim_cfg_init(&cfg);
	cfg.data_w = data_w;
	cfg.no_jump = no_jump;
	cfg.wire.nics = nics;
	cfg.wire.nics_per_port = nics == 4 ? 2 : 1; /* two hosts of two */
	cfg.wire.loss = 0.1;
	cfg.wire.dup = 0.1;
	cfg.wire.reorder = 0.2;
	cfg.wire.rules = &rule;
	cfg.wire.n_rules = 1;
	cfg.wire.pcap = pcap;
	rig = rig_new(&cfg);
	for (int i = 0; i < 2; i++)
		sim_nic_write(rig->host[i].nic, 0, STANDIN_RX_BASE, 8, HIGH);
	for (unsigned int i = 0; i < 60; i++) {
		struct host *host = &rig->host[rng_below(&rng, 2)];
		struct standin_desc desc = {
			.src = LOW + 0x10000 + 4 * rng_below(&rng, 1000),
			.dst = LOW + 0x80000 + 4 * rng_below(&rng, 1000),
			.len = 4 * (uint32_t)rng_range(&rng, 15, 500),
			.vector = (uint32_t)rng_below(&rng, 2) * 3,
			.op = rng_percent(&rng, 60) ? STANDIN_SEND : STANDIN_COPY,
		};

		rng_bytes(&rng, host->low + (desc.src - LOW), desc.len);
		host->low[desc.src - LOW] &= 0xfe;
		ring(host, i % 16, &desc);
		if (rng_percent(&rng, 20))
			sim_nic_write(host->nic, 0, STANDIN_TIMER, 8,
				      sim_now(rig->sim) + rng_below(&rng, 40000));
		if (rng_percent(&rng, 20))
			note(rig, 1, (uint32_t)reg(host, CAIRN_REG_TIME, 8));
		if (rng_percent(&rng, 60))
			sim_run(rig->sim, rng_below(&rng, rng_percent(&rng, 30) ? 20000 : 400));
	}
	sim_run(rig->sim, 40000);
	note(rig, 2, (uint32_t)sim_cycle(rig->sim));
	note(rig, 3, (uint32_t)sim_run_until(rig->sim, never, NULL, 100000));
	note(rig, 4, (uint32_t)sim_cycle(rig->sim));
	for (int i = 0; i < 2; i++)
		for (unsigned int c = 0; c < 64; c++)
			note(rig, 100 + c,
			     (uint32_t)reg(&rig->host[i], CAIRN_COUNTER_OFFSET + 8 * c, 8));
	return rig;
}

static void same_rigs(struct rig *a, struct rig *b)
{
	for (unsigned int i = 0; i < a->events && i < b->events; i++)
		if (memcmp(&a->log[i], &b->log[i], sizeof(a->log[i])))
			fail_msg("event %u: %u = %u at %llu, but %u = %u at %llu (SEED=0x%llx)", i,
				 a->log[i].what, a->log[i].value,
				 (unsigned long long)a->log[i].time, b->log[i].what,
				 b->log[i].value, (unsigned long long)b->log[i].time,
				 (unsigned long long)test_seed());
	assert_int_equal(a->events, b->events);
	assert_in_range(a->events, 100, LOG_MAX - 1);
	for (int i = 0; i < 2; i++) {
		assert_memory_equal(a->host[i].low, b->host[i].low, MEM_BYTES);
		assert_memory_equal(a->host[i].high, b->host[i].high, MEM_BYTES);
		assert_memory_equal(sim_wire_stats(sim_wire(a->sim), (unsigned int)i),
				    sim_wire_stats(sim_wire(b->sim), (unsigned int)i),
				    sizeof(struct sim_wire_stats));
	}
}

static void same_file(const char *a, const char *b)
{
	char line[256];

	snprintf(line, sizeof(line), "cmp %s %s", a, b);
	assert_int_equal(system(line), 0);
	unlink(b);
}

static void jumps_change_nothing(void **state)
{
	static const char *const rules[] = { "delay:7us every=3", "ecn k=1" };

	(void)state;
	for (int w = 0; w < 2; w++)
		for (unsigned int nics = 2; nics < 5; nics++) {
			const char *one = "build/integration/jump.pcap", *two = "build/integration/no-jump.pcap";
			struct rig *a = scenario(widths[w], nics, false, rules[nics % 2], one);
			struct rig *b = scenario(widths[w], nics, true, rules[nics % 2], two);
			struct rig *c = scenario(widths[w], nics, false, rules[nics % 2], NULL);

			same_rigs(a, b);
			same_rigs(a, c);
			/* it did jump */
			assert_true(sim_evaluated(a->sim) * 2 < sim_evaluated(b->sim));
			assert_int_equal(sim_evaluated(a->sim), sim_evaluated(c->sim));
			rig_free(a);
			rig_free(b);
			rig_free(c);
			same_file(one, two);
		}
}

static void bad_configurations(void **state)
{
	struct sim_cfg cfg;
	char err[SIM_ERR_MAX];

	(void)state;
	sim_cfg_init(&cfg);
	cfg.data_w = 100;
	assert_null(sim_new(&cfg, err));
	assert_non_null(strstr(err, "100 bits"));
	sim_cfg_init(&cfg);
	cfg.data_w = 128;
	cfg.model = cairn_dut_standin64();
	assert_null(sim_new(&cfg, err));
	assert_non_null(strstr(err, "64 bits wide, not 128"));
	sim_cfg_init(&cfg);
	cfg.wire.loss = 2;
	cfg.model = cairn_dut_standin64();
	assert_null(sim_new(&cfg, err));
	assert_non_null(strstr(err, "loss"));
	sim_cfg_init(&cfg);
	setenv("CAIRN_MODEL_DIR", "/nonexistent", 1);
	assert_null(sim_new(&cfg, err));
	assert_non_null(strstr(err, "cairn-model-64.so"));
	unsetenv("CAIRN_MODEL_DIR");
}

/* Models as shared objects, loaded and unloaded, two widths and several instances at a time. */
static void models_are_loaded(void **state)
{
	struct sim_cfg cfg;
	char err[SIM_ERR_MAX];
	uint64_t value;

	(void)state;
	setenv("CAIRN_MODEL_DIR", "build/lib/standin", 1);
	for (int round = 0; round < 2; round++) {
		struct sim *sim[2];
		uint16_t command = 6;

		for (int w = 0; w < 2; w++) {
			sim_cfg_init(&cfg);
			cfg.data_w = widths[w];
			sim[w] = sim_new(&cfg, err);
			if (!sim[w])
				fail_msg("%s", err);
		}
		for (int w = 0; w < 2; w++) {
			struct sim_nic *nic = sim_nic(sim[w], 1);

			assert_int_equal(sim_nic_cfg_write(nic, 4, &command, 2), 0);
			assert_int_equal(sim_nic_read(nic, 0, CAIRN_REG_ID, 4, &value), 0);
			assert_int_equal(CAIRN_GET(value, (uint64_t)CAIRN_REG_ID_MAGIC),
					 CAIRN_CONTRACT_MAGIC);
			sim_free(sim[w]);
		}
	}
	unsetenv("CAIRN_MODEL_DIR");
}

/* What is left of a failure: enough to look at and to repeat it. */
static void bundle(void **state)
{
	static const char dir[] = "build/integration/bundle";
	struct rig *rig = rig_of_width(64);
	struct host *host = &rig->host[0];
	struct standin_desc desc = { .src = 0x900000000ULL, .dst = HIGH, .len = 64 };

	(void)state;
	sim_pcie_expect(sim_nic_pcie(host->nic), SIM_TLP_UNMAPPED, true);
	ring(host, 0, &desc);
	wait_for(rig, &host->irqs[0], 1);
	assert_int_equal(sim_bundle(rig->sim, dir, "repeat me"), 0);
	assert_int_equal(system("grep -q '\"seed\"' build/integration/bundle/config.json"), 0);
	assert_int_equal(system("grep -q 'repeat me' build/integration/bundle/config.json"), 0);
	assert_int_equal(system("grep -q 0x900000000 build/integration/bundle/nic0.tlp"), 0);
	assert_int_equal(system("rm -r build/integration/bundle"), 0);
	assert_int_equal(sim_bundle(rig->sim, "/proc/nothing", NULL), -ENOENT);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers),
		cmocka_unit_test(console),
		cmocka_unit_test(copies),
		cmocka_unit_test(frames),
		cmocka_unit_test(bad_fcs_is_dropped),
		cmocka_unit_test(unmapped_is_an_error),
		cmocka_unit_test(timers_and_jumps),
		cmocka_unit_test(function_reset),
		cmocka_unit_test(link_down),
		cmocka_unit_test(jumps_change_nothing),
		cmocka_unit_test(bad_configurations),
		cmocka_unit_test(models_are_loaded),
		cmocka_unit_test(bundle),
	};

	return cmocka_run_group_tests_name("standin", tests, NULL, NULL);
}
