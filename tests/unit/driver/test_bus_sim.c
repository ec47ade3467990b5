// SPDX-License-Identifier: Apache-2.0
/*
 * The in-process bus with a real simulator behind it and the stand-in core
 * (tests/integration/standin) as the NIC: every operation of the table, and that the clock is the
 * device's.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bus_sim.h"
#include "driver_test.h"
#include "standin.h"

const struct sim_dut_ops *cairn_dut_standin64(void);

static struct sim *sim;
static struct cairn_bus *bus;
static const struct cairn_bus_ops *ops;

static int setup(void **state)
{
	struct cairn_bus_opts opts = { 0 };
	struct sim_cfg cfg;
	char err[SIM_ERR_MAX];
	uint16_t command = 6;

	(void)state;
	cairn_set_log(NULL, NULL);
	sim_cfg_init(&cfg);
	cfg.model = cairn_dut_standin64();
	cfg.seed = test_seed();
	sim = sim_new(&cfg, err);
	if (!sim || cairn_sim_attach(sim))
		return -1;
	ops = cairn_bus_find("sim:1");
	if (!ops || ops->open("sim:1", &opts, &bus))
		return -1;
	return ops->cfg_write(bus, 4, &command, 2);
}

static int teardown(void **state)
{
	unsigned int errors = sim_errors(sim);

	(void)state;
	ops->close(bus);
	cairn_sim_attach(NULL);
	sim_free(sim);
	return errors ? -1 : 0;
}

#define SIM_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void registers(void **state)
{
	uint32_t id, scratch;
	uint64_t before, time;
	uint16_t command = 0;

	(void)state;
	assert_int_equal(ops->read32(bus, CAIRN_REG_ID, &id), 0);
	assert_int_equal(CAIRN_GET(id, CAIRN_REG_ID_MAGIC), CAIRN_CONTRACT_MAGIC);
	assert_int_equal(ops->write32(bus, STANDIN_SCRATCH, 0x12345678), 0);
	assert_int_equal(ops->read32(bus, STANDIN_SCRATCH, &scratch), 0);
	assert_int_equal(scratch, 0x12345678);
	before = ops->now_ns(bus);
	assert_int_equal(ops->read64(bus, CAIRN_REG_TIME, &time), 0);
	assert_in_range(time, before, ops->now_ns(bus));
	assert_int_equal(ops->cfg_read(bus, 4, &command, 2), 0);
	assert_int_equal(command & 6, 6);
	assert_int_not_equal(ops->read32(bus, STANDIN_UNSUPPORTED, &id), 0);
}

static void time_moves_when_we_wait(void **state)
{
	uint64_t before = ops->now_ns(bus), short_step, long_step;

	(void)state;
	assert_int_equal(ops->now_ns(bus), before);
	ops->relax(bus, 0);
	short_step = ops->now_ns(bus) - before;
	assert_true(short_step > 0);
	ops->relax(bus, 2000);
	long_step = ops->now_ns(bus) - before - short_step;
	assert_true(long_step > short_step);
}

/* A descriptor by doorbell: DMA both ways, interrupt by eventfd; then the map goes and the device's
 * read fails. */
static void dma_and_interrupt(void **state)
{
	static _Alignas(4096) uint8_t memory[3][4096];
	struct standin_desc *desc = (void *)memory[0];
	struct cairn_dma_map map = { .iova = 0x7f0000000,
				     .va = memory,
				     .len = sizeof(memory),
				     .fd = -1,
				     .perm = CAIRN_DMA_READ | CAIRN_DMA_WRITE };
	int fds[4];
	eventfd_t n;

	(void)state;
	for (int i = 0; i < 4; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK);
	assert_int_equal(ops->set_irqs(bus, fds, 4), 0);
	assert_int_equal(ops->dma_map(bus, &map), 0);
	for (int i = 0; i < 4096; i++)
		memory[1][i] = (uint8_t)(i * 13);
	*desc = (struct standin_desc){
		.src = map.iova + 4096, .dst = map.iova + 8192, .len = 4096, .vector = 3
	};
	ops->doorbell(bus, CAIRN_DB_SQ, map.iova);
	assert_int_equal(ops->wait_fd(bus, fds[3], 1000), 1);
	assert_int_equal(eventfd_read(fds[3], &n), 0);
	assert_memory_equal(memory[1], memory[2], 4096);
	assert_int_equal(desc->error, 0);
	assert_int_equal(desc->seq, 1);
	/* Nothing more comes: the timeout is device time. */
	assert_int_equal(ops->wait_fd(bus, fds[3], 1), 0);
	assert_int_equal(ops->set_irqs(bus, NULL, 0), 0);
	assert_int_equal(ops->dma_unmap(bus, map.iova, map.len), 0);
	for (int i = 0; i < 4; i++)
		close(fds[i]);
}

static void reset_comes_back(void **state)
{
	const uint16_t command = 6;
	uint32_t scratch = 1;

	(void)state;
	assert_int_equal(ops->write32(bus, STANDIN_SCRATCH, 0x55), 0);
	assert_int_equal(ops->reset(bus), 0);
	assert_int_not_equal(ops->read32(bus, STANDIN_SCRATCH, &scratch),
			     0); /* memory space is off */
	assert_int_equal(ops->cfg_write(bus, 4, &command, 2), 0);
	assert_int_equal(ops->read32(bus, STANDIN_SCRATCH, &scratch), 0);
	assert_int_equal(scratch, 0);
}

static void gids(void **state)
{
	static const uint8_t v4[16] = { [10] = 0xff, 0xff, 10, 0, 0, 2 },
			     v6[16] = { 0xfd, [15] = 2 };
	struct cairn_bus_gid gids[8];

	(void)state;
	assert_int_equal(ops->gids(bus, gids, 8), 3);
	assert_int_equal(gids[0].gid[0], 0xfe);
	assert_memory_equal(gids[1].gid, v4, 16);
	assert_memory_equal(gids[2].gid, v6, 16);
	assert_int_equal(ops->gids(bus, gids, 1), 1);
}

static void addresses(void **state)
{
	struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *none;

	(void)state;
	assert_int_equal(ops->open("sim:2", &opts, &none), -ENODEV);
	assert_int_equal(ops->open("sim:", &opts, &none), -ENODEV);
	assert_int_equal(ops->open("sim:0x", &opts, &none), -ENODEV);
	assert_ptr_not_equal(cairn_bus_find("/x.sock"), ops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SIM_TEST(registers),
		SIM_TEST(time_moves_when_we_wait),
		SIM_TEST(dma_and_interrupt),
		SIM_TEST(reset_comes_back),
		SIM_TEST(gids),
		SIM_TEST(addresses),
	};

	return cmocka_run_group_tests_name("bus_sim", tests, NULL, NULL);
}
