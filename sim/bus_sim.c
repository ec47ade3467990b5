// SPDX-License-Identifier: Apache-2.0
/* The in-process bus; see bus_sim.h. */
#include "bus_sim.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "bus.h"
#include "cairn.h"
#include "sim_mem.h"

#define NAME "sim:"
#define NS_PER_MS 1000000ull
/* Clock periods of one relax(): a poll's worth at first, more when the wait is long. */
#define SHORT_RUN 16u
#define LONG_RUN 65536u

static pthread_mutex_t sim_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim *the_sim;
static const struct cairn_bus_ops sim_ops;

struct sim_bus {
	struct cairn_bus bus;
	struct sim *sim;
	struct sim_nic *nic;
	int irqs[CAIRN_MSIX_VECTORS];
	unsigned int n_irqs;
};

void cairn_sim_lock(void)
{
	pthread_mutex_lock(&sim_lock);
}

void cairn_sim_unlock(void)
{
	pthread_mutex_unlock(&sim_lock);
}

static struct sim_bus *to_sim(struct cairn_bus *bus)
{
	return (struct sim_bus *)bus;
}

/* ---------------------------------------------------------------- registers and doorbells */

static int cfg_read(struct cairn_bus *bus, uint32_t offset, void *data, uint32_t len)
{
	int err;

	cairn_sim_lock();
	err = sim_nic_cfg_read(to_sim(bus)->nic, offset, data, len);
	cairn_sim_unlock();
	return err;
}

static int cfg_write(struct cairn_bus *bus, uint32_t offset, const void *data, uint32_t len)
{
	int err;

	cairn_sim_lock();
	err = sim_nic_cfg_write(to_sim(bus)->nic, offset, data, len);
	cairn_sim_unlock();
	return err;
}

static int bar_read(struct cairn_bus *bus, uint32_t offset, unsigned int size, uint64_t *value)
{
	int err;

	cairn_sim_lock();
	err = sim_nic_read(to_sim(bus)->nic, 0, offset, size, value);
	cairn_sim_unlock();
	return err;
}

static int bar_write(struct cairn_bus *bus, unsigned int bar, uint32_t offset, unsigned int size,
		     uint64_t value)
{
	int err;

	cairn_sim_lock();
	err = sim_nic_write(to_sim(bus)->nic, bar, offset, size, value);
	cairn_sim_unlock();
	return err;
}

static int read32(struct cairn_bus *bus, uint32_t offset, uint32_t *value)
{
	uint64_t wide = 0;
	int err = bar_read(bus, offset, sizeof(*value), &wide);

	*value = (uint32_t)wide;
	return err;
}

static int read64(struct cairn_bus *bus, uint32_t offset, uint64_t *value)
{
	return bar_read(bus, offset, sizeof(*value), value);
}

static int write32(struct cairn_bus *bus, uint32_t offset, uint32_t value)
{
	return bar_write(bus, 0, offset, sizeof(value), value);
}

static int write64(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	return bar_write(bus, 0, offset, sizeof(value), value);
}

static void doorbell(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	bar_write(bus, 2, offset, sizeof(value), value);
}

static void push(struct cairn_bus *bus, uint32_t offset, const void *block)
{
	cairn_sim_lock();
	sim_nic_write_block(to_sim(bus)->nic, 2, offset, block, 64);
	cairn_sim_unlock();
}

/* ---------------------------------------------------------------- memory, interrupts, reset */

static int dma_map(struct cairn_bus *bus, const struct cairn_dma_map *map)
{
	unsigned int perm = (map->perm & CAIRN_DMA_READ ? SIM_MEM_READ : 0) |
			    (map->perm & CAIRN_DMA_WRITE ? SIM_MEM_WRITE : 0);
	int err;

	cairn_sim_lock();
	err = sim_nic_map(to_sim(bus)->nic, map->iova, map->va, map->len, perm);
	cairn_sim_unlock();
	return err;
}

static int dma_unmap(struct cairn_bus *bus, uint64_t iova, size_t len)
{
	int err;

	cairn_sim_lock();
	err = sim_nic_unmap(to_sim(bus)->nic, iova, len);
	cairn_sim_unlock();
	return err;
}

static void on_irq(void *arg, unsigned int vector)
{
	struct sim_bus *sim_bus = arg;

	if (vector < sim_bus->n_irqs)
		eventfd_write(sim_bus->irqs[vector], 1);
}

static int set_irqs(struct cairn_bus *bus, const int *fds, unsigned int n)
{
	struct sim_bus *sim_bus = to_sim(bus);
	unsigned int had = sim_bus->n_irqs;
	int err = 0;

	if (n > CAIRN_MSIX_VECTORS)
		return -EINVAL;
	cairn_sim_lock();
	if (n)
		memcpy(sim_bus->irqs, fds, n * sizeof(*fds));
	sim_bus->n_irqs = n;
	for (unsigned int v = 0; v < (n > had ? n : had) && !err; v++)
		err = sim_nic_set_irq(sim_bus->nic, v, v < n ? on_irq : NULL, sim_bus);
	cairn_sim_unlock();
	return err;
}

static int reset(struct cairn_bus *bus)
{
	int err;

	cairn_sim_lock();
	err = sim_nic_flr(to_sim(bus)->nic);
	cairn_sim_unlock();
	return err;
}

/* ---------------------------------------------------------------- time */

static void relax(struct cairn_bus *bus, unsigned int attempt)
{
	unsigned int doublings = attempt / 64;

	cairn_sim_lock();
	sim_run(to_sim(bus)->sim, doublings > 12 ? LONG_RUN : SHORT_RUN << doublings);
	cairn_sim_unlock();
	sched_yield();
}

static uint64_t now_ns(struct cairn_bus *bus)
{
	uint64_t now;

	cairn_sim_lock();
	now = sim_now(to_sim(bus)->sim);
	cairn_sim_unlock();
	return now;
}

/* The timeout is device time; time passes even when nothing is left to happen. */
static int wait_fd(struct cairn_bus *bus, int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	uint64_t deadline = now_ns(bus) + (uint64_t)(timeout_ms < 0 ? 0 : timeout_ms) * NS_PER_MS;
	unsigned int attempt = 0;
	int n;

	while (!(n = poll(&pollfd, 1, 0)) && !atomic_load(&bus->gone)) {
		if (timeout_ms >= 0 && now_ns(bus) >= deadline)
			return 0;
		relax(bus, attempt++);
	}
	return n < 0 ? -errno : n;
}

/* As NICs of `cairn sim`: link-local, 10.0.0.(i+1), fd00::(i+1). */
static int gids(struct cairn_bus *bus, struct cairn_bus_gid *gids, unsigned int max)
{
	struct sim_bus *sim_bus = to_sim(bus);
	uint8_t host = (uint8_t)(sim_nic_index(sim_bus->nic) + 1);
	struct cairn_bus_gid all[3] = {
		[1] = { .gid = { [10] = 0xff, 0xff, 10, 0, 0, host } },
		[2] = { .gid = { 0xfd, [15] = host } },
	};
	unsigned int n = max < 3 ? max : 3;

	cairn_gid_link_local(sim_nic_mac(sim_bus->nic), all[0].gid);
	memcpy(gids, all, n * sizeof(*all));
	return n;
}

/* ---------------------------------------------------------------- opening */

static bool match(const char *addr)
{
	return !strncmp(addr, NAME, strlen(NAME));
}

static int sim_open(const char *addr, const struct cairn_bus_opts *opts, struct cairn_bus **bus)
{
	struct sim_bus *sim_bus;
	char *end;
	unsigned long index = strtoul(addr + strlen(NAME), &end, 10);

	(void)opts;
	if (!the_sim || *end || end == addr + strlen(NAME) || index >= sim_nics(the_sim))
		return cairn_fail(-ENODEV, "%s: no such NIC in the simulator of this process",
				  addr);
	sim_bus = calloc(1, sizeof(*sim_bus));
	if (!sim_bus)
		return cairn_fail(-ENOMEM, "out of memory");
	sim_bus->bus.ops = &sim_ops;
	sim_bus->bus.iova_min = 16ull << 20;
	sim_bus->bus.iova_max = (1ull << 44) - 1;
	sim_bus->sim = the_sim;
	sim_bus->nic = sim_nic(the_sim, (unsigned int)index);
	*bus = &sim_bus->bus;
	return 0;
}

static void sim_close(struct cairn_bus *bus)
{
	free(to_sim(bus));
}

static const struct cairn_bus_ops sim_ops = {
	.name = "in-process",
	.match = match,
	.open = sim_open,
	.close = sim_close,
	.cfg_read = cfg_read,
	.cfg_write = cfg_write,
	.read32 = read32,
	.read64 = read64,
	.write32 = write32,
	.write64 = write64,
	.doorbell = doorbell,
	.push = push,
	.dma_map = dma_map,
	.dma_unmap = dma_unmap,
	.set_irqs = set_irqs,
	.reset = reset,
	.relax = relax,
	.polled = relax, /* time stands still else */
	.wait_fd = wait_fd,
	.now_ns = now_ns,
	.gids = gids,
};

int cairn_sim_attach(struct sim *sim)
{
	if (the_sim)
		cairn_bus_unregister(&sim_ops);
	the_sim = sim;
	return sim ? cairn_bus_register(&sim_ops) : 0;
}
