// SPDX-License-Identifier: Apache-2.0
/* The VFIO bus when the function is lost, in each way in which that shows, and in the child of a
 * fork. */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vfio_test.h"

static void wait_gone(struct cairn_bus *bus)
{
	for (int i = 0; i < 5000 && !atomic_load(&bus->gone); i++)
		usleep(1000);
	assert_true(atomic_load(&bus->gone));
}

/* Its memory is about to be freed: stopped by register, since the kernel would not, and kept off
 * the bus. */
static void check_silent(void)
{
	assert_int_equal(cairn_mmio_read32(kernel.bar[0] + CAIRN_REG_CTRL),
			 CAIRN_REG_CTRL_FN_RESET);
	assert_int_equal(kernel.config[4] & 6, 2);
}

/* Everything says so, waiters are awake, stores go nowhere; what is mapped can be unmapped. */
static void check_gone(struct cairn_bus *bus, int fd, uint64_t iova)
{
	struct cairn_dma_map map = { iova + 4096, pages(1), 4096, -1, 0, CAIRN_DMA_READ };
	uint64_t block[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint64_t value = 0;

	wait_gone(bus);
	assert_int_equal(bus->ops->wait_fd(bus, fd, 5000), 1);
	assert_int_equal(bus->ops->read32(bus, 0, (uint32_t *)&value), -ENODEV);
	assert_int_equal(bus->ops->read64(bus, 0, &value), -ENODEV);
	assert_int_equal(bus->ops->write32(bus, 0, 1), -ENODEV);
	assert_int_equal(bus->ops->write64(bus, 0, 1), -ENODEV);
	assert_int_equal(bus->ops->cfg_read(bus, 0, &value, 4), -ENODEV);
	assert_int_equal(bus->ops->cfg_write(bus, 4, &value, 2), -ENODEV);
	assert_int_equal(bus->ops->reset(bus), -ENODEV);
	assert_int_equal(bus->ops->dma_map(bus, &map), -ENODEV);
	assert_int_equal(bus->ops->set_irqs(bus, &fd, 1), -ENODEV);
	bus->ops->doorbell(bus, 8, 5);
	bus->ops->push(bus, 0x800, block);
	assert_int_equal(cairn_mmio_read64(kernel.bar[2] + 8), 0);
	assert_int_equal(cairn_mmio_read64(kernel.bar[2] + 0x800), 0);
	assert_int_equal(bus->ops->set_irqs(bus, NULL, 0), 0);
	assert_int_equal(bus->ops->dma_unmap(bus, iova, 4096), 0);
	munmap(map.va, 4096);
	bus->ops->close(bus);
}

enum cause {
	ALL_ONES,
	IO_ERROR,
	PCIE_ERROR,
	WANTED_BACK,
	DIES_IN_RESET,
	RESET_BY_OTHERS,
	SAYS_FATAL,
	CAUSES,
};

/* Our own is not, nor is a queue that was never enabled, or not any more. */
static void reset_by_others(struct cairn_bus *bus)
{
	static const uint32_t enables[] = { 0, 1, 0, 1 };

	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(bus->ops->write32(bus, CAIRN_REG_CMDQ_ENABLE, enables[i]), 0);
		usleep(300000);
		assert_false(atomic_load(&bus->gone));
	}
	cairn_mmio_write32(kernel.bar[0] + CAIRN_REG_CMDQ_ENABLE, 0);
}

/* As long as it is in use; what it says before that is the business of the open. */
static void says_fatal(struct cairn_bus *bus)
{
	cairn_mmio_write32(kernel.bar[0] + CAIRN_REG_STATUS, CAIRN_REG_STATUS_FATAL);
	usleep(300000);
	assert_false(atomic_load(&bus->gone));
	assert_int_equal(bus->ops->write32(bus, CAIRN_REG_CMDQ_ENABLE, 1), 0);
}

static void loss(void **state)
{
	(void)state;
	for (unsigned int cause = 0; cause < CAUSES; cause++)
		for (unsigned int way = 0; way < 2; way++) {
			struct cairn_bus *bus;
			struct cairn_dma_map map;
			int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
			uint64_t value = 0;

			kernel.bar0 = way ? MMAP_NONE : MMAP_WHOLE;
			kernel.dead = kernel.dead_io = false;
			bus = open_bus();
			map = (struct cairn_dma_map){ bus->iova_min,  pages(1), 4096, -1, 0,
						      CAIRN_DMA_WRITE };
			assert_int_equal(bus->ops->dma_map(bus, &map), 0);
			assert_int_equal(bus->ops->set_irqs(bus, &fd, 1), 0);
			assert_int_equal(bus->ops->write64(bus, 0, UINT64_MAX), 0);
			kernel.dead = cause == ALL_ONES || cause == DIES_IN_RESET;
			kernel.dead_io = cause == IO_ERROR;
			if (cause == ALL_ONES)
				assert_int_equal(way ? bus->ops->read64(bus, 0, &value)
						     : bus->ops->read32(bus, 0, (uint32_t *)&value),
						 -ENODEV);
			else if (cause == IO_ERROR)
				assert_int_equal(bus->ops->read32(bus, 0, (uint32_t *)&value),
						 -ENODEV);
			else if (cause == DIES_IN_RESET)
				assert_int_equal(bus->ops->reset(bus), -ENODEV);
			else if (cause == RESET_BY_OTHERS)
				reset_by_others(bus);
			else if (cause == SAYS_FATAL)
				says_fatal(bus);
			else
				eventfd_write(cause == PCIE_ERROR ? kernel.err_fd : kernel.req_fd,
					      1);
			wait_gone(bus);
			if (cause == PCIE_ERROR || cause == WANTED_BACK || cause == SAYS_FATAL)
				check_silent();
			cairn_mmio_write32(kernel.bar[0] + CAIRN_REG_STATUS, 0);
			check_gone(bus, fd, map.iova);
			munmap(map.va, 4096);
			close(fd);
		}
}

static void keep(void *arg, const char *message)
{
	snprintf(arg, 256, "%s", message);
}

/* Off the bus for somebody's reset, the device says it has a fatal error before the reset comes. */
static void fatal_before_the_reset(void **state)
{
	struct cairn_bus *bus = open_bus();
	char said[256] = "";

	(void)state;
	assert_int_equal(bus->ops->write32(bus, CAIRN_REG_CMDQ_ENABLE, 1), 0);
	cairn_set_log(keep, said);
	kernel.resetting = true;
	cairn_mmio_write32(kernel.bar[0] + CAIRN_REG_STATUS, CAIRN_REG_STATUS_FATAL);
	wait_gone(bus);
	bus->ops->close(bus); /* waits for who says it */
	assert_false(kernel.resetting);
	cairn_set_log(NULL, NULL);
	assert_non_null(strstr(said, "somebody else has reset the function"));
}

/* A reset that the kernel says has failed for good. */
static void reset_io_error(void **state)
{
	struct cairn_bus *bus = open_bus();

	(void)state;
	kernel.dead_io = true;
	assert_int_equal(bus->ops->reset(bus), -ENODEV);
	assert_true(atomic_load(&bus->gone));
	bus->ops->close(bus);
}

/* The driver above: a waiter wakes, calls say so, all can be taken down. */
static void the_driver_loses_it(void **state)
{
	struct cairn_dev *dev;
	void *object = &dev;

	(void)state;
	kernel_run_nic();
	dev = open_nic(FAKE_BDF);
	eventfd_write(kernel.req_fd, 1);
	assert_int_equal(cairn_wait_event(dev, CAIRN_VECTOR_ASYNC, 20000), 1);
	assert_true(cairn_dev_gone(dev));
	assert_int_equal(cairn_poll_events(dev, CAIRN_VECTOR_ASYNC, on_event, &object), 1);
	assert_null(object);
	assert_int_equal(cairn_query_port(dev, &(struct cairn_port_attr){ 0 }), -ENODEV);
	cairn_close(dev);
}

static void kernel_without_signals(void **state)
{
	struct cairn_bus *bus;

	(void)state;
	kernel.no_signals = true;
	bus = open_bus();
	assert_int_equal(kernel.err_fd, -1);
	assert_int_equal(kernel.req_fd, -1);
	bus->ops->close(bus);
}

/* ---------------------------------------------------------------- fork */

static unsigned int open_files(void)
{
	unsigned int n = 0;

	for (int fd = 0; fd < 200; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* The child has neither descriptors of the device nor its doorbells, and the parent goes on. */
static void a_child_lets_go(void **state)
{
	struct cairn_dev *dev;
	struct cairn_db *db;
	unsigned int files, fds = *state ? 6 : 7; /* device, its way in, three eventfds, lease */
	struct cairn_pd *pd;
	pid_t child;
	int status;

	kernel_run_nic();
	dev = open_nic(FAKE_BDF);
	assert_int_equal(cairn_alloc_db(dev, &db), 0);
	files = open_files();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		cairn_db_ring(db, CAIRN_DB_SQ, 0x77);
		_exit((open_files() != files - fds) | (cairn_alloc_pd(dev, &pd) != -ENODEV) << 1 |
		      (cairn_mmio_read64(kernel.bar[2] + db->offset + CAIRN_DB_SQ) == 0x77) << 2 |
		      (fakes[1].last_db == 0x77) << 3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(cairn_query_port(dev, &(struct cairn_port_attr){ 0 }), 0);
	assert_int_not_equal(fakes[1].last_db, 0x77);
	cairn_free_db(dev, db);
	cairn_close(dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(loss),
		BOTH_WAYS(fatal_before_the_reset),
		BOTH_WAYS(reset_io_error),
		BOTH_WAYS(the_driver_loses_it),
		BOTH_WAYS(kernel_without_signals),
		BOTH_WAYS(a_child_lets_go),
	};

	return cmocka_run_group_tests_name("vfio_loss", tests, NULL, NULL);
}
