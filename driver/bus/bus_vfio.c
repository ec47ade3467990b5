// SPDX-License-Identifier: Apache-2.0
/*
 * The bus of a PCIe function that is bound to the kernel's vfio-pci.  Registers below the MSI-X
 * table and all doorbells are mapped: a doorbell is one 64-bit store, and there is no system call
 * on the data path.  Memory is pinned and mapped by the kernel, interrupts are eventfds.
 *
 * The push window: VFIO maps BARs uncached, and offers nothing else (write-combining needs the
 * kernel, or root and the function's resource2_wc file in sysfs, whose mapping the kernel does not
 * mix with this one).  So each of the eight stores of a push is a TLP of its own, in order; the
 * device takes the last one for the plain doorbell that it is and fetches the WQE from the ring.
 *
 * A thread waits for what the kernel tells besides interrupts: a PCIe error, and that the function
 * is wanted back (unbind, hot unplug), in which case the kernel waits until we close.  Either way,
 * and when the ID register reads as all ones, the device is gone.  (The vendor id would tell
 * nothing: vfio-pci answers that out of its own memory.)  A reset by another party is not reported:
 * the thread looks whether the command queue is still enabled.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "nic_json.h"
#include "trust.h"
#include "vfio_dev.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define RESET_TRIES 100 /* of a function that the kernel has locked, RESET_PAUSE_NS apart */
#define RESET_PAUSE_NS 10000000
#define LOOK_MS 200	  /* how often the thread looks */
#define SILENCE_TRIES 100 /* at 1 ms, that a reset by register takes */

enum { STOP, ERROR, REQUEST, SIGNALS };

struct vfio {
	struct cairn_bus bus;
	struct vfio_dev dev;
	pthread_t watcher;
	int signals[SIGNALS];
	pthread_mutex_t lock; /* irqs, replacing maps */
	int irqs[CAIRN_MSIX_VECTORS];
	unsigned int n_irqs;
	atomic_bool enabled; /* we have enabled the command queue */
};

static struct vfio *to_vfio(struct cairn_bus *bus)
{
	return (struct vfio *)bus;
}

/* ---------------------------------------------------------------- loss */

/* Once.  Who waits looks again; stores to the BARs, also those under way in other threads, go
 * nowhere. */
static int lose(struct vfio *vfio)
{
	UNCANCELLED;

	pthread_mutex_lock(&vfio->lock);
	if (!atomic_exchange(&vfio->bus.gone, true)) {
		cairn_vfio_dev_drop_bars(&vfio->dev);
		for (unsigned int i = 0; i < vfio->n_irqs; i++)
			eventfd_write(vfio->irqs[i], 1);
	}
	pthread_mutex_unlock(&vfio->lock);
	return -ENODEV;
}

static bool gone(struct vfio *vfio)
{
	return atomic_load(&vfio->bus.gone);
}

/* ---------------------------------------------------------------- regions */

/* By system call; len bytes or an error. */
static int region_read(struct vfio *vfio, const struct vfio_region *region, uint32_t offset,
		       void *data, uint32_t len)
{
	ssize_t n;
	UNCANCELLED;

	if (gone(vfio))
		return -ENODEV;
	if (offset > region->size || len > region->size - offset)
		return -EINVAL;
	n = cairn_vfio_sys->pread(vfio->dev.fd, data, len, (off_t)(region->offset + offset));
	return n == (ssize_t)len ? 0 : lose(vfio);
}

static int region_write(struct vfio *vfio, const struct vfio_region *region, uint32_t offset,
			const void *data, uint32_t len)
{
	ssize_t n;
	UNCANCELLED;

	if (gone(vfio))
		return -ENODEV;
	if (offset > region->size || len > region->size - offset)
		return -EINVAL;
	n = cairn_vfio_sys->pwrite(vfio->dev.fd, data, len, (off_t)(region->offset + offset));
	return n == (ssize_t)len ? 0 : lose(vfio);
}

static int cfg_read(struct cairn_bus *bus, uint32_t offset, void *data, uint32_t len)
{
	if (len != 1 && len != 2 && len != 4)
		return -EINVAL;
	return region_read(to_vfio(bus), &to_vfio(bus)->dev.config, offset, data, len);
}

static int cfg_write(struct cairn_bus *bus, uint32_t offset, const void *data, uint32_t len)
{
	if (len != 1 && len != 2 && len != 4)
		return -EINVAL;
	return region_write(to_vfio(bus), &to_vfio(bus)->dev.config, offset, data, len);
}

/* There is no answer: that is what a PCIe read of all ones means, if that of the ID, which is never
 * so, reads so too. */
static int still_there(struct vfio *vfio)
{
	volatile uint8_t *p = cairn_vfio_mapped(&vfio->dev.bar0, CAIRN_REG_ID, sizeof(uint32_t));
	uint32_t id = UINT32_MAX;
	int err = 0;

	if (p)
		id = cairn_mmio_read32(p);
	else
		err = region_read(vfio, &vfio->dev.bar0, CAIRN_REG_ID, &id, sizeof(id));
	if (err || id != UINT32_MAX)
		return err;
	if (!gone(vfio))
		cairn_warn(
			"%s: its registers read as all ones: link down, or the card reconfigured; close "
			"the device",
			vfio->dev.bdf);
	return lose(vfio);
}

/* The end of a read.  One that met the memory which replaces a lost BAR counts for nothing. */
static int believe(struct vfio *vfio, int err, bool all_ones)
{
	if (!err && all_ones)
		err = still_there(vfio);
	return !err && gone(vfio) ? -ENODEV : err;
}

static int read32(struct cairn_bus *bus, uint32_t offset, uint32_t *value)
{
	struct vfio *vfio = to_vfio(bus);
	volatile uint8_t *p = cairn_vfio_mapped(&vfio->dev.bar0, offset, sizeof(*value));
	int err = 0;

	if (gone(vfio))
		return -ENODEV;
	if (p)
		*value = cairn_mmio_read32(p);
	else
		err = region_read(vfio, &vfio->dev.bar0, offset, value, sizeof(*value));
	return believe(vfio, err, !err && *value == UINT32_MAX);
}

static int read64(struct cairn_bus *bus, uint32_t offset, uint64_t *value)
{
	struct vfio *vfio = to_vfio(bus);
	volatile uint8_t *p = cairn_vfio_mapped(&vfio->dev.bar0, offset, sizeof(*value));
	int err = 0;

	if (gone(vfio))
		return -ENODEV;
	if (p)
		*value = cairn_mmio_read64(p);
	else
		err = region_read(vfio, &vfio->dev.bar0, offset, value, sizeof(*value));
	return believe(vfio, err, !err && *value == UINT64_MAX);
}

static int write32(struct cairn_bus *bus, uint32_t offset, uint32_t value)
{
	struct vfio *vfio = to_vfio(bus);
	volatile uint8_t *p = cairn_vfio_mapped(&vfio->dev.bar0, offset, sizeof(value));
	int err = 0;

	if (offset == CAIRN_REG_CMDQ_ENABLE)
		atomic_store(&vfio->enabled, false);
	if (gone(vfio))
		return -ENODEV;
	if (p)
		cairn_mmio_write32(p, value);
	else
		err = region_write(vfio, &vfio->dev.bar0, offset, &value, sizeof(value));
	if (offset == CAIRN_REG_CMDQ_ENABLE && !err)
		atomic_store(&vfio->enabled, value != 0);
	return err;
}

static int write64(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	struct vfio *vfio = to_vfio(bus);
	volatile uint8_t *p = cairn_vfio_mapped(&vfio->dev.bar0, offset, sizeof(value));

	if (!p)
		return region_write(vfio, &vfio->dev.bar0, offset, &value, sizeof(value));
	if (gone(vfio))
		return -ENODEV;
	cairn_mmio_write64(p, value);
	return 0;
}

static void doorbell(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	cairn_mmio_write64(bus->db_map + offset, value);
}

static void push(struct cairn_bus *bus, uint32_t offset, const void *block)
{
	cairn_mmio_push(bus->db_map + offset, block);
	cairn_wmb_after_push();
}

/* ---------------------------------------------------------------- DMA */

/*
 * The kernel pins pages that the device only reads as they are.  One that the process has not
 * written to yet may be the common page of zeros, or shared with a child since a fork, and then
 * stays with the device when the process gets a page of its own by writing (Linux before 6.2): so
 * each is made the process' own first.  Where that fails the process cannot write either, or Linux
 * is older than 5.14.
 */
static int dma_map(struct cairn_bus *bus, const struct cairn_dma_map *map)
{
	struct vfio *vfio = to_vfio(bus);

	if (gone(vfio))
		return -ENODEV;
	if (!(map->perm & CAIRN_DMA_WRITE) && cairn_vfio_sys->linux_before(6, 2))
		madvise(map->va, map->len, MADV_POPULATE_WRITE);
	return cairn_vfio_map(&vfio->dev, map);
}

/* Also of a lost device: the memory is to be unpinned. */
static int dma_unmap(struct cairn_bus *bus, uint64_t iova, size_t len)
{
	return cairn_vfio_unmap(&to_vfio(bus)->dev, iova, len);
}

static void dma_remedy(struct cairn_bus *bus, int err, size_t len, char *text, size_t size)
{
	cairn_vfio_remedy(err, len + bus->dma_soon, text, size);
}

/* ---------------------------------------------------------------- interrupts, reset */

/* n vectors of an interrupt kind raise fds from now on; n 0: off.  A positive answer is how many
 * vectors the kernel could have had, of which it took none. */
static int trigger(struct vfio *vfio, uint32_t index, const int *fds, unsigned int n)
{
	union {
		struct vfio_irq_set set;
		uint8_t bytes[sizeof(struct vfio_irq_set) + CAIRN_MSIX_VECTORS * sizeof(*fds)];
	} arg = { 0 };
	int ret;

	arg.set.argsz = (uint32_t)(sizeof(arg.set) + n * sizeof(*fds));
	arg.set.flags = VFIO_IRQ_SET_ACTION_TRIGGER |
			(n ? VFIO_IRQ_SET_DATA_EVENTFD : VFIO_IRQ_SET_DATA_NONE);
	arg.set.index = index;
	arg.set.count = n;
	if (n)
		memcpy(arg.bytes + sizeof(arg.set), fds, n * sizeof(*fds));
	ret = cairn_vfio_sys->ioctl(vfio->dev.fd, VFIO_DEVICE_SET_IRQS, &arg);
	if (ret < 0)
		return -errno;
	return ret ? -ENOSPC : 0;
}

/* Whom a loss wakes, from now on; returns how many there were. */
static unsigned int remember_irqs(struct vfio *vfio, const int *fds, unsigned int n)
{
	unsigned int before;

	pthread_mutex_lock(&vfio->lock);
	before = vfio->n_irqs;
	vfio->n_irqs = n;
	if (n)
		memcpy(vfio->irqs, fds, n * sizeof(*fds));
	pthread_mutex_unlock(&vfio->lock);
	return before;
}

/*
 * The kernel fixes the number of vectors when MSI-X goes on, so another number is off and on again.
 * What the device raised in between may be lost: waiters are woken to look for themselves.
 */
static int set_irqs(struct cairn_bus *bus, const int *fds, unsigned int n)
{
	struct vfio *vfio = to_vfio(bus);
	unsigned int before;
	int err = 0;
	UNCANCELLED;

	if (n > vfio->dev.irqs || n > CAIRN_MSIX_VECTORS)
		return -EINVAL;
	before = remember_irqs(vfio, fds, n);
	if (before)
		err = trigger(vfio, VFIO_PCI_MSIX_IRQ_INDEX, NULL, 0);
	if (!err && n)
		err = gone(vfio) ? -ENODEV : trigger(vfio, VFIO_PCI_MSIX_IRQ_INDEX, fds, n);
	if (err)
		remember_irqs(vfio, NULL, 0); /* off */
	for (unsigned int i = 0; !err && i < before && i < n; i++)
		eventfd_write(fds[i], 1);
	return err;
}

/*
 * FLR.  The kernel waits until the function answers, and restores its configuration: its registers
 * can be asked whether it is still there where it was told to answer for them before.
 */
static int reset(struct cairn_bus *bus)
{
	const struct timespec pause = { .tv_nsec = RESET_PAUSE_NS };
	struct vfio *vfio = to_vfio(bus);
	uint16_t command = 0;
	int err = EAGAIN;
	UNCANCELLED;

	if (gone(vfio))
		return -ENODEV;
	atomic_store(&vfio->enabled, false);
	for (int i = 0; err == EAGAIN && i < RESET_TRIES; i++) {
		if (i)
			nanosleep(&pause, NULL);
		err = cairn_vfio_sys->ioctl(vfio->dev.fd, VFIO_DEVICE_RESET, NULL) ? errno : 0;
	}
	if (err == EIO || err == ENODEV)
		return lose(vfio);
	if (err)
		return -err;
	err = cfg_read(bus, PCI_COMMAND, &command, sizeof(command));
	return err || !(command & PCI_COMMAND_MEMORY) ? err : still_there(vfio);
}

/* ---------------------------------------------------------------- addresses */

/* The link-local one, and what `cairn bind` was told; none if it was told none. */
static int gids(struct cairn_bus *bus, struct cairn_bus_gid *gids, unsigned int max)
{
	int n = cairn_nic_json_function(to_vfio(bus)->dev.bdf, gids + 1, max - 1);
	uint64_t mac;

	if (n <= 0 || read64(bus, CAIRN_REG_MAC_ADDR, &mac))
		return n < 0 ? n : 0;
	gids[0].vlan = 0;
	cairn_gid_link_local(mac, gids[0].gid);
	return n + 1;
}

/* ---------------------------------------------------------------- opening */

static bool match(const char *addr)
{
	return cairn_bdf(addr, NULL);
}

static void close_signals(struct vfio *vfio)
{
	for (int i = 0; i < SIGNALS; i++) {
		if (vfio->signals[i] >= 0)
			close(vfio->signals[i]);
		vfio->signals[i] = -1;
	}
}

/* What we have enabled is not any more. */
static bool was_reset(struct vfio *vfio)
{
	uint32_t on = 1;

	return atomic_load(&vfio->enabled) && !read32(&vfio->bus, CAIRN_REG_CMDQ_ENABLE, &on) &&
	       !on && atomic_load(&vfio->enabled);
}

/* It says so itself, and no command may be waiting that would look. */
static bool is_fatal(struct vfio *vfio)
{
	uint32_t status = 0;

	return atomic_load(&vfio->enabled) &&
	       !read32(&vfio->bus, CAIRN_REG_STATUS, &status) &&
	       status != UINT32_MAX && status & CAIRN_REG_STATUS_FATAL &&
	       atomic_load(&vfio->enabled);
}

/*
 * Somebody's reset takes the function off the bus first, and what it then could not read is a fatal
 * error to it.  The kernel lets nobody read configuration until its reset is over.
 */
static bool is_being_reset(struct vfio *vfio)
{
	uint32_t command;

	return !cfg_read(&vfio->bus, PCI_COMMAND, &command, sizeof(command)) && was_reset(vfio);
}

/*
 * Memory of the device is freed and unmapped soon, and the kernel, which is taking the function
 * from us, refuses to reset it: so it is stopped by its own register, and kept off the bus.  A
 * function that does not answer is not waited for.
 */
static void silence(struct vfio *vfio)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint32_t ctrl = CAIRN_REG_CTRL_FN_RESET;
	uint16_t command;

	atomic_store(&vfio->enabled, false);
	if (write32(&vfio->bus, CAIRN_REG_CTRL, ctrl))
		return;
	for (int i = 0; i < SILENCE_TRIES && ctrl & CAIRN_REG_CTRL_FN_RESET; i++) {
		nanosleep(&pause, NULL);
		if (read32(&vfio->bus, CAIRN_REG_CTRL, &ctrl))
			return;
	}
	if (cfg_read(&vfio->bus, PCI_COMMAND, &command, sizeof(command)))
		return;
	command &= (uint16_t)~PCI_COMMAND_MASTER;
	cfg_write(&vfio->bus, PCI_COMMAND, &command, sizeof(command));
}

static void *watch(void *arg)
{
	struct vfio *vfio = arg;
	struct pollfd fds[SIGNALS];
	bool reset = false, fatal = false;
	int n = 0;

	for (int i = 0; i < SIGNALS; i++)
		fds[i] = (struct pollfd){ .fd = vfio->signals[i], .events = POLLIN };
	while (n <= 0 && !reset && !fatal && !gone(vfio)) {
		n = poll(fds, SIGNALS, LOOK_MS);
		reset = !n && was_reset(vfio);
		fatal = !n && !reset && is_fatal(vfio);
		if (fatal && is_being_reset(vfio)) {
			reset = true;
			fatal = false;
		}
	}
	if (n <= 0 && !reset && !fatal)
		return NULL; /* lost in another way */
	if (fds[STOP].revents)
		return NULL;
	if (reset)
		cairn_warn("%s: somebody else has reset the function; close the device",
			   vfio->dev.bdf);
	else if (fatal)
		cairn_warn("%s: the device reports a fatal error; close it and open it again",
			   vfio->dev.bdf);
	else if (fds[ERROR].revents)
		cairn_warn("%s: the kernel reports a PCIe error; close the device, see the "
			   "kernel's log",
			   vfio->dev.bdf);
	else
		cairn_warn("%s: the kernel wants the function back (unbind or hot unplug); close "
			   "the device",
			   vfio->dev.bdf);
	if (!reset)
		silence(vfio);
	lose(vfio);
	return NULL;
}

/* What the kernel does not offer, or refuses, is noticed by reads of all ones only. */
static int start_watcher(struct vfio *vfio)
{
	sigset_t all, old;
	int err;

	for (int i = 0; i < SIGNALS; i++) {
		vfio->signals[i] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (vfio->signals[i] < 0)
			return cairn_fail(-errno, "no eventfd: %s; raise the limit on open files",
					  strerror(errno));
	}
	if (vfio->dev.has_err_irq)
		trigger(vfio, VFIO_PCI_ERR_IRQ_INDEX, &vfio->signals[ERROR], 1);
	if (vfio->dev.has_req_irq)
		trigger(vfio, VFIO_PCI_REQ_IRQ_INDEX, &vfio->signals[REQUEST], 1);
	sigfillset(&all); /* the application's signals are for its own threads */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&vfio->watcher, NULL, watch, vfio);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err ? cairn_fail(-err, "no thread for the device: %s", strerror(err)) : 0;
}

static void vfio_free(struct vfio *vfio)
{
	cairn_vfio_dev_close(&vfio->dev);
	close_signals(vfio);
	pthread_mutex_destroy(&vfio->lock);
	free(vfio);
}

/* With the last descriptor the kernel resets the function and takes its interrupts. */
static void vfio_close(struct cairn_bus *bus)
{
	struct vfio *vfio = to_vfio(bus);

	eventfd_write(vfio->signals[STOP], 1);
	pthread_join(vfio->watcher, NULL);
	vfio_free(vfio);
}

static int vfio_open(const char *addr, const struct cairn_bus_opts *opts, struct cairn_bus **bus)
{
	struct vfio *vfio = calloc(1, sizeof(*vfio));
	char bdf[CAIRN_BDF_BYTES];
	int err;

	(void)opts; /* the kernel answers at once */
	if (!vfio)
		return cairn_fail(-ENOMEM, "out of memory");
	vfio->bus.ops = &cairn_bus_vfio;
	memset(vfio->signals, 0xff, sizeof(vfio->signals));
	pthread_mutex_init(&vfio->lock, NULL);
	err = cairn_bdf(addr, bdf) ? cairn_vfio_dev_open(&vfio->dev, bdf) : -EINVAL;
	if (err) {
		pthread_mutex_destroy(&vfio->lock);
		free(vfio);
		return err;
	}
	vfio->bus.db_map = cairn_vfio_mapped(&vfio->dev.bar2, 0, VFIO_DB_BYTES);
	vfio->bus.iova_min = vfio->dev.iova_min;
	vfio->bus.iova_max = vfio->dev.iova_max;
	err = start_watcher(vfio);
	if (err) {
		vfio_free(vfio);
		return err;
	}
	*bus = &vfio->bus;
	return 0;
}

/* In the user's own run directory: the right to open a function is a user's, too. */
static bool lease(const char *addr, char *path, size_t size, bool *make)
{
	char bdf[CAIRN_BDF_BYTES], dir[PATH_MAX];

	*make = true;
	return cairn_bdf(addr, bdf) && trust_rundir(dir, sizeof(dir)) &&
	       (size_t)snprintf(path, size, "%s/%s.lease", dir, bdf) < size;
}

/* The child's doorbells go nowhere, and it does not keep the function from the parent's
 * successor. */
static void forked(struct cairn_bus *bus)
{
	cairn_vfio_dev_drop_bars(&to_vfio(bus)->dev);
	cairn_vfio_dev_drop_files(&to_vfio(bus)->dev);
	cairn_vfio_unmapped_all(&to_vfio(bus)->dev);
	close_signals(to_vfio(bus));
}

const struct cairn_bus_ops cairn_bus_vfio = {
	.name = "vfio",
	.match = match,
	.open = vfio_open,
	.close = vfio_close,
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
	.dma_remedy = dma_remedy,
	.set_irqs = set_irqs,
	.reset = reset,
	.gids = gids,
	.lease = lease,
	.relax = cairn_bus_relax,
	.wait_fd = cairn_bus_wait_fd,
	.now_ns = cairn_bus_now_ns,
	.forked = forked,
};
