// SPDX-License-Identifier: Apache-2.0
/* The VFIO bus on a fake kernel, by group and by iommufd: all of the driver's life, and each
 * operation of the bus. */
#include <fcntl.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nic_json.h"
#include "vfio_test.h"

/* ---------------------------------------------------------------- the driver's life */

static void wait_for_doorbell(unsigned int seen)
{
	for (int i = 0; i < 5000 && fakes[1].doorbells == seen; i++)
		usleep(1000);
	assert_int_not_equal(fakes[1].doorbells, seen);
}

static void whole_life(void **state)
{
	static uint8_t buffer[10000];
	struct cairn_dev *dev, *again;
	struct cairn_pd *pd;
	struct cairn_mr *mr;
	struct cairn_cq *cq;
	unsigned int doorbells;
	void *object = NULL;

	kernel_run_nic();
	dev = open_nic("vfio:01:00.0");
	assert_int_equal(kernel.group_opens, !*state);
	assert_int_equal(kernel.cdev_opens, !!*state);
	assert_string_equal(cairn_dev_name(dev), FAKE_BDF);
	assert_true(kernel.resets > 0);
	assert_int_equal(kernel.config[4] & 6, 6); /* memory and bus master are enabled */
	assert_int_equal(kernel.n_msix, 4);
	again = open_nic(FAKE_BDF); /* another name of the same */
	assert_ptr_equal(again, dev);
	cairn_close(again);
	assert_int_equal(cairn_alloc_pd(dev, &pd), 0);
	assert_int_equal(cairn_reg_mr(pd, buffer, sizeof(buffer), 0, CAIRN_ACCESS_LOCAL_WRITE, &mr),
			 0);
	assert_ptr_equal(kernel_find_map(mr->iova)->va + mr->iova % 4096, buffer);
	assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &cq), 0);
	for (int i = 0; i < 5000 && !fakes[1].eqs[1].armed; i++)
		usleep(1000);
	fake_cqe(&fakes[1], cq->cqn, 2);
	fake_event(&fakes[1], 1, CAIRN_EQE_TYPE_CQ, cq->cqn, 0);
	assert_int_equal(cairn_wait_event(dev, 0, 5000), 1);
	assert_int_equal(cairn_poll_events(dev, 0, on_event, &object), 1);
	assert_ptr_equal(object, cq);
	doorbells = fakes[1].doorbells;
	cairn_db_ring(cq->db, CAIRN_DB_CQ_ARM, 0x1122334455667788);
	wait_for_doorbell(doorbells);
	assert_int_equal(cairn_destroy_cq(cq), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(cairn_dealloc_pd(pd), 0);
	cairn_close(dev);
	cairn_close(open_nic(FAKE_BDF));
}

static _Thread_local unsigned int pauses; /* system calls that give the processor away */

int __real_sched_yield(void);
int __wrap_sched_yield(void);
int __real_nanosleep(const struct timespec *nap, struct timespec *left);
int __wrap_nanosleep(const struct timespec *nap, struct timespec *left);

int __wrap_sched_yield(void)
{
	pauses++;
	return __real_sched_yield();
}

int __wrap_nanosleep(const struct timespec *nap, struct timespec *left)
{
	pauses++;
	return __real_nanosleep(nap, left);
}

/* A command waits with the processor given away; polls in vain do not. */
static void empty_polls(void **state)
{
	struct cairn_dev *dev;
	struct cairn_cq *cq;

	(void)state;
	kernel_run_nic();
	dev = open_nic("vfio:01:00.0");
	pauses = 0;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &cq), 0);
		assert_int_equal(cairn_destroy_cq(cq), 0);
	}
	assert_int_not_equal(pauses, 0);
	assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &cq), 0);
	pauses = 0;
	for (unsigned int i = 0; i < 5000; i++) {
		assert_null(cairn_cq_next(cq));
		cairn_relax(dev, i);
	}
	assert_int_equal(pauses, 0);
	assert_int_equal(cairn_destroy_cq(cq), 0);
	cairn_close(dev);
}

static void one_owner(void **state)
{
	const struct cairn_bus_opts opts = { 0 };
	struct cairn_bus *bus = open_bus(), *second = NULL;

	(void)state;
	assert_int_equal(cairn_bus_vfio.open(FAKE_BDF, &opts, &second), -EBUSY);
	assert_message("one owner");
	assert_null(second);
	bus->ops->close(bus);
	bus = open_bus();
	bus->ops->close(bus);
}

/* ---------------------------------------------------------------- registers */

static void configuration(void **state)
{
	struct cairn_bus *bus = open_bus();
	uint32_t value = 0;

	(void)state;
	assert_int_equal(bus->ops->cfg_read(bus, 0, &value, 4), 0);
	assert_int_equal(value, CAIRN_PCI_DEVICE << 16 | CAIRN_PCI_VENDOR);
	value = 0xa5;
	assert_int_equal(bus->ops->cfg_write(bus, 0x0d, &value, 1), 0);
	assert_int_equal(kernel.config[0x0d], 0xa5);
	value = 0;
	assert_int_equal(bus->ops->cfg_read(bus, 0x0d, &value, 1), 0);
	assert_int_equal(value, 0xa5);
	value = 0x12345678;
	assert_int_equal(bus->ops->cfg_write(bus, 0x10, &value, 4), 0);
	assert_memory_equal(kernel.config + 0x10, &value, 4);
	/* Neither a width of the bus, nor inside. */
	assert_int_equal(bus->ops->cfg_read(bus, 0, &value, 3), -EINVAL);
	assert_int_equal(bus->ops->cfg_write(bus, 0, &value, 8), -EINVAL);
	assert_int_equal(bus->ops->cfg_read(bus, 4096, &value, 4), -EINVAL);
	assert_int_equal(bus->ops->cfg_write(bus, 0xfffffffc, &value, 4), -EINVAL);
	assert_false(atomic_load(&bus->gone));
	bus->ops->close(bus);
}

/* The same registers, however they are reached; below and above the MSI-X table. */
static void registers(void **state)
{
	static const enum fake_mmap ways[] = { MMAP_WHOLE, MMAP_SPARSE, MMAP_REFUSED, MMAP_NONE };
	static const unsigned int mapped[] = { 2, 2, 1, 1 }; /* with BAR2 */
	static const uint32_t offsets[] = { 0, 8, 0x4000, 0x7ff8, 0xc000, 0xfff8 };

	(void)state;
	for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++) {
		struct cairn_bus *bus;

		kernel.bar0 = ways[w];
		bus = open_bus();
		assert_int_equal(kernel.n_bar_maps, mapped[w]);
		for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
			uint64_t wide = 0x0123456789abcdef + i, value = 0;
			uint32_t narrow = 0xdead0000 + (uint32_t)i, half = 0;

			assert_int_equal(bus->ops->write64(bus, offsets[i], wide), 0);
			assert_memory_equal(kernel.bar[0] + offsets[i], &wide, 8);
			assert_int_equal(bus->ops->read64(bus, offsets[i], &value), 0);
			assert_int_equal(value, wide);
			assert_int_equal(bus->ops->write32(bus, offsets[i] + 4, narrow), 0);
			assert_memory_equal(kernel.bar[0] + offsets[i] + 4, &narrow, 4);
			assert_int_equal(bus->ops->read32(bus, offsets[i] + 4, &half), 0);
			assert_int_equal(half, narrow);
		}
		/* All ones in a register other than the ID, while the device is there. */
		assert_int_equal(bus->ops->write64(bus, 8, UINT64_MAX), 0);
		assert_int_equal(bus->ops->read64(bus, 8, &(uint64_t){ 0 }), 0);
		assert_int_equal(bus->ops->read32(bus, 8, &(uint32_t){ 0 }), 0);
		assert_int_equal(bus->ops->read32(bus, CAIRN_BAR0_BYTES, &(uint32_t){ 0 }),
				 -EINVAL);
		assert_int_equal(bus->ops->write64(bus, CAIRN_BAR0_BYTES - 4, 0), -EINVAL);
		bus->ops->close(bus);
	}
}

/* What `cairn bind` has written down, behind the link-local address. */
static void addresses(void **state)
{
	struct cairn_bus *bus = open_bus();
	char dir[] = "/tmp/cairn-vfio-XXXXXX", path[128];
	const char *before = cairn_vfio_run;
	struct cairn_bus_gid gids[8];
	uint8_t local[16];
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	cairn_vfio_run = dir;
	assert_int_equal(bus->ops->gids(bus, gids, 8), 0);
	cairn_vfio_file("01:00.0", path, sizeof(path));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("{\"gids\": [\"10.0.0.5\", \"fd00::5\", \"fd05::5@4094\"]}", file);
	fclose(file);
	assert_int_equal(bus->ops->write64(bus, CAIRN_REG_MAC_ADDR, 0x020304050607), 0);
	assert_int_equal(bus->ops->gids(bus, gids, 8), 4);
	cairn_gid_link_local(0x020304050607, local);
	assert_memory_equal(gids[0].gid, local, 16);
	assert_memory_equal(gids[1].gid, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\x05", 16);
	assert_memory_equal(gids[2].gid, "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05", 16);
	assert_int_equal(gids[2].vlan, 0);
	assert_int_equal(gids[3].vlan, CAIRN_GID_VLAN | 4094);
	assert_int_equal(bus->ops->gids(bus, gids, 2), 2);
	unlink(path);
	rmdir(dir);
	cairn_vfio_run = before;
	bus->ops->close(bus);
}

static void doorbells(void **state)
{
	struct cairn_bus *bus = open_bus();
	uint64_t block[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	assert_non_null(bus->db_map);
	cairn_mmio_write64(bus->db_map + 0x1008, 0x1122334455667788);
	assert_int_equal(cairn_mmio_read64(kernel.bar[2] + 0x1008), 0x1122334455667788);
	bus->ops->doorbell(bus, 0xff020, 42);
	assert_int_equal(cairn_mmio_read64(kernel.bar[2] + 0xff020), 42);
	bus->ops->push(bus, 0x2800, block);
	assert_memory_equal(kernel.bar[2] + 0x2800, block, sizeof(block));
	bus->ops->close(bus);
}

/* ---------------------------------------------------------------- interrupts, reset */

static void interrupts(void **state)
{
	struct cairn_bus *bus = open_bus();
	int fds[CAIRN_MSIX_VECTORS];
	eventfd_t value;

	(void)state;
	for (unsigned int i = 0; i < CAIRN_MSIX_VECTORS; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	assert_int_equal(bus->ops->set_irqs(bus, NULL, 0), 0); /* off already */
	assert_int_equal(bus->ops->set_irqs(bus, fds, 3), 0);
	kernel_interrupt(2);
	assert_int_equal(bus->ops->wait_fd(bus, fds[2], 0), 1);
	assert_int_equal(bus->ops->wait_fd(bus, fds[1], 0), 0);
	/* More: the ones before look again, as something may have been lost, the new ones
	 * do not. */
	assert_int_equal(bus->ops->set_irqs(bus, fds, CAIRN_MSIX_VECTORS), 0);
	for (unsigned int i = 0; i < CAIRN_MSIX_VECTORS; i++)
		assert_int_equal(bus->ops->wait_fd(bus, fds[i], 0), i < 3);
	assert_int_equal(eventfd_read(fds[2], &value), 0);
	assert_int_equal(value, 2); /* what was pending, and the wake */
	kernel_interrupt(31);
	assert_int_equal(bus->ops->wait_fd(bus, fds[31], 0), 1);
	assert_int_equal(bus->ops->set_irqs(bus, fds, CAIRN_MSIX_VECTORS + 1), -EINVAL);
	assert_int_equal(bus->ops->set_irqs(bus, fds, 2), 0); /* fewer */
	assert_int_equal(kernel.n_msix, 2);
	assert_int_equal(bus->ops->set_irqs(bus, NULL, 0), 0);
	assert_int_equal(kernel.n_msix, 0);
	kernel.free_vectors = 2; /* the machine has no more interrupts to give */
	errno = 0;
	assert_int_equal(bus->ops->set_irqs(bus, fds, 3), -ENOSPC);
	assert_int_equal(bus->ops->set_irqs(bus, NULL, 0), 0);
	kernel.free_vectors = CAIRN_MSIX_VECTORS;
	kernel.fail_request = VFIO_DEVICE_SET_IRQS;
	kernel.fail_errno = ENOSPC;
	assert_int_equal(bus->ops->set_irqs(bus, fds, 2), -ENOSPC);
	assert_int_equal(bus->ops->set_irqs(bus, NULL, 0), 0);
	bus->ops->close(bus);
	for (unsigned int i = 0; i < CAIRN_MSIX_VECTORS; i++)
		close(fds[i]);
}

static void resets(void **state)
{
	struct cairn_bus *bus = open_bus();
	uint32_t value = 1;

	(void)state;
	assert_int_equal(bus->ops->write32(bus, 0x100, 7), 0);
	kernel.busy_resets = 3;
	assert_int_equal(bus->ops->reset(bus), 0);
	assert_int_equal(kernel.resets, 1);
	assert_int_equal(bus->ops->read32(bus, 0x100, &value), 0);
	assert_int_equal(value, 0);
	kernel.fail_request = VFIO_DEVICE_RESET;
	kernel.fail_errno = ENOTTY;
	assert_int_equal(bus->ops->reset(bus), -ENOTTY);
	assert_false(atomic_load(&bus->gone));
	bus->ops->close(bus);
}

/* ---------------------------------------------------------------- DMA */

static void maps(void **state)
{
	struct cairn_bus *bus = open_bus();
	uint8_t *va = pages(4);
	struct cairn_dma_map map = { bus->iova_min, va, 4 * 4096, -1, 0, CAIRN_DMA_READ }, other;

	(void)state;
	assert_int_equal(bus->ops->dma_map(bus, &map), 0);
	assert_int_equal(kernel.n_maps, 1);
	assert_int_equal(kernel.maps[0].perm, CAIRN_DMA_READ);
	assert_ptr_equal(kernel.maps[0].va, va);
	other = map;
	other.iova = bus->iova_max - 4095;
	other.len = 4096;
	other.perm = CAIRN_DMA_READ | CAIRN_DMA_WRITE;
	assert_int_equal(bus->ops->dma_map(bus, &other), 0);
	assert_int_equal(kernel.maps[1].perm, other.perm);
	assert_int_equal(bus->ops->dma_unmap(bus, map.iova, map.len), 0);
	assert_int_equal(kernel.n_maps, 1);
	assert_int_equal(bus->ops->dma_unmap(bus, other.iova, other.len), 0);
	munmap(va, 4 * 4096);
	bus->ops->close(bus);
}

/* Bits of a page in /proc/self/pagemap; false: no such file. */
static bool page_bits(const void *va, uint64_t *bits)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, bits, sizeof(*bits), (off_t)((uintptr_t)va / 4096 * 8));

	if (fd >= 0)
		close(fd);
	return n == sizeof(*bits);
}

/* Memory the device may only read is the process' own before an old Linux pins it, not the page of
 * zeros. */
static void pages_are_private(void **state)
{
	struct cairn_bus *bus = open_bus();
	uint8_t *va = pages(2), *readonly = pages(1);
	struct cairn_dma_map map = { bus->iova_min, va, 2 * 4096, -1, 0, CAIRN_DMA_READ };
	uint64_t bits;

	(void)state;
	kernel.old = true;
	assert_int_equal(*(volatile uint8_t *)va, 0); /* the page of zeros is there now */
	assert_int_equal(bus->ops->dma_map(bus, &map), 0);
	for (int i = 0; i < 2; i++)
		if (page_bits(va + i * 4096, &bits))
			assert_int_equal(bits >> 56 & 0x81, 0x81); /* present, nobody else's */
	assert_int_equal(bus->ops->dma_unmap(bus, map.iova, map.len), 0);
	/* What the process cannot write is mapped as it is. */
	mprotect(readonly, 4096, PROT_READ);
	map.va = readonly;
	map.len = 4096;
	assert_int_equal(bus->ops->dma_map(bus, &map), 0);
	assert_int_equal(bus->ops->dma_unmap(bus, map.iova, map.len), 0);
	/* Linux does it by itself since 6.2. */
	kernel.old = false;
	munmap(va, 2 * 4096);
	map.va = va = pages(2);
	assert_int_equal(bus->ops->dma_map(bus, &map), 0);
	if (page_bits(va, &bits))
		assert_int_equal(bits >> 63, 0); /* not touched */
	assert_int_equal(bus->ops->dma_unmap(bus, map.iova, map.len), 0);
	munmap(va, 2 * 4096);
	munmap(readonly, 4096);
	bus->ops->close(bus);
}

/* The linker sends the driver's call here (--wrap): the limit of the test, not of this process. */
static uint64_t memlock_kib;
int __wrap_getrlimit(int resource, struct rlimit *limit);

int __wrap_getrlimit(int resource, struct rlimit *limit)
{
	limit->rlim_cur = limit->rlim_max =
		resource == RLIMIT_MEMLOCK && memlock_kib ? memlock_kib * 1024 : RLIM_INFINITY;
	return 0;
}

/* 0: none */
static void limit_memlock(uint64_t kib)
{
	memlock_kib = kib;
	kernel.memlock = kib ? kib * 1024 : UINT64_MAX;
}

/* The registration that passes the limit fails with the number needed, is undone, and works once
 * there is room. */
static void locked_memory(void **state)
{
	uint8_t *va = pages(512);
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	struct cairn_mr *mr, *more;
	uint64_t pinned;
	char number[64];

	(void)state;
	kernel_run_nic();
	dev = open_nic(FAKE_BDF);
	assert_int_equal(cairn_alloc_pd(dev, &pd), 0);
	pinned = kernel.pinned / 1024;
	limit_memlock(pinned + 1024);
	assert_int_equal(cairn_reg_mr(pd, va, 1 << 20, 0, 0, &mr), 0);
	assert_int_equal(cairn_reg_mr(pd, va, 2 << 20, 0, 0, &more), -ENOMEM);
	snprintf(number, sizeof(number), "`ulimit -l %llu`", (unsigned long long)pinned + 3 * 1024);
	assert_message(number);
	assert_int_equal(kernel.pinned / 1024, pinned + 1024);
	/* The kernel counts more than we know. */
	limit_memlock(pinned + 8 * 1024);
	kernel.memlock = 0;
	assert_int_equal(cairn_reg_mr(pd, va, 1 << 20, 0, 0, &more), -ENOMEM);
	assert_message("would do");
	limit_memlock(0);
	kernel.memlock = 0;
	assert_int_equal(cairn_reg_mr(pd, va, 1 << 20, 0, 0, &more), -ENOMEM);
	assert_message("not so much memory");
	limit_memlock(0);
	assert_int_equal(cairn_reg_mr(pd, va, 2 << 20, 0, 0, &more), 0);
	assert_int_equal(cairn_dereg_mr(more), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(cairn_dealloc_pd(pd), 0);
	cairn_close(dev);
	munmap(va, 512 * 4096);
}

/* An open that fails leaves nothing, and names what is enough, however far it has come. */
static void open_without_memory(void **state)
{
	struct cairn_dev *dev = NULL;
	unsigned int failed = 0;

	(void)state;
	kernel_run_nic();
	limit_memlock(64);
	while (cairn_open(FAKE_BDF, NULL, &dev)) {
		const char *named = strstr(cairn_last_error(), "at least ");

		assert_non_null(named);
		if (!failed)
			assert_message("limit is 64 KiB, at least 33024 KiB are needed");
		limit_memlock(strtoull(named + strlen("at least "), NULL, 10));
		cairn_close(open_nic(FAKE_BDF));
		limit_memlock(64 + 256 * ++failed);
	}
	cairn_close(dev);
	limit_memlock(0);
	assert_true(failed >= 4);
}

static void map_errors(void **state)
{
	static const struct {
		int err;
		const char *part;
	} rows[] = {
		{ EFAULT, "cannot be pinned" },
		{ ENOSPC, "dma_entry_limit" },
		{ EINVAL, "kernel's log" },
	};
	struct cairn_bus *bus = open_bus();
	struct cairn_dma_map map = { bus->iova_min, pages(1), 4096, -1, 0, CAIRN_DMA_READ };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int err;

		kernel.fail_request = *state ? IOMMU_IOAS_MAP : VFIO_IOMMU_MAP_DMA;
		kernel.fail_errno = rows[i].err;
		kernel.fail_after = 0;
		err = bus->ops->dma_map(bus, &map);
		assert_int_equal(err, -rows[i].err);
		assert_int_equal(cairn_dma_map_failed(bus, &map, err), err);
		assert_message(rows[i].part);
	}
	kernel.fail_request = 0;
	assert_int_equal(bus->ops->dma_map(bus, &map), 0);
	kernel.fail_request = *state ? IOMMU_IOAS_UNMAP : VFIO_IOMMU_UNMAP_DMA;
	kernel.fail_errno = EINVAL;
	kernel.fail_after = 0;
	assert_int_equal(bus->ops->dma_unmap(bus, map.iova, map.len), -EINVAL);
	kernel.fail_request = 0;
	assert_int_equal(bus->ops->dma_unmap(bus, map.iova, map.len), 0);
	munmap(map.va, 4096);
	bus->ops->close(bus);
}

/* The largest range between the holes, from 16 MiB on, in whole pages. */
static void iova_ranges(void **state)
{
	static const struct {
		struct iommu_iova_range ranges[FAKE_RANGES];
		unsigned int n;
		uint64_t min, max;
	} rows[] = {
		{ { { 0, 0xfedfffff }, { 0xfef00000, (1ull << 48) - 1 } },
		  2,
		  0xfef00000,
		  (1ull << 48) - 1 },
		{ { { 0, UINT64_MAX } }, 1, 16 << 20, UINT64_MAX },
		{ { { 0, 0xfedfffff }, { 0xfef00000, 0xffffffff } }, 2, 16 << 20, 0xfedfffff },
		{ { { 0x1000800, 0x20007ff }, { 0, 4095 }, { 100, 50 } }, 3, 0x1001000, 0x1ffffff },
		{ { { 0, 0xfff },
		    { 0x2000, 0x2fff },
		    { 0x4000, 0x4fff },
		    { 0x6000, 0x6fff },
		    { 0x8000, 0x8fff },
		    { 0xa000, 0xafff },
		    { 0xc000, 0xcfff },
		    { 0xe000, 0xefff },
		    { 0x10000, 0x10fff },
		    { 0x100000000, 0x1ffffffff },
		    { 0x300000000, 0x300000fff } },
		  11,
		  0x100000000,
		  0x1ffffffff },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct cairn_bus *bus;

		memcpy(kernel.ranges, rows[i].ranges, sizeof(kernel.ranges));
		kernel.n_ranges = rows[i].n;
		bus = open_bus();
		assert_int_equal(bus->iova_min, rows[i].min);
		assert_int_equal(bus->iova_max, rows[i].max);
		bus->ops->close(bus);
	}
}

static void old_kernel_without_ranges(void **state)
{
	struct cairn_bus *bus;

	(void)state;
	kernel.no_ranges = true;
	bus = open_bus();
	assert_int_equal(bus->iova_min, 1ull << 32);
	assert_int_equal(bus->iova_max, (1ull << 39) - 1);
	bus->ops->close(bus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(whole_life),
		BOTH_WAYS(empty_polls),
		BOTH_WAYS(one_owner),
		BOTH_WAYS(configuration),
		BOTH_WAYS(registers),
		BOTH_WAYS(doorbells),
		BOTH_WAYS(addresses),
		BOTH_WAYS(interrupts),
		BOTH_WAYS(resets),
		BOTH_WAYS(maps),
		GROUP_TEST(pages_are_private),
		BOTH_WAYS(locked_memory),
		BOTH_WAYS(open_without_memory),
		BOTH_WAYS(map_errors),
		BOTH_WAYS(iova_ranges),
		GROUP_TEST(old_kernel_without_ranges),
	};

	return cmocka_run_group_tests_name("vfio", tests, NULL, NULL);
}
