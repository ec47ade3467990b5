// SPDX-License-Identifier: Apache-2.0
/*
 * The bus of a simulated NIC: a vfio-user client on a UNIX socket.  The driver's own memory goes
 * over as memfds that the server maps.  The application's has no descriptor that stands for the
 * registered piece and nothing else, so the server gets none: it asks by message, and a thread of
 * ours copies what lies in a mapped range and has the right (docs/simulator.md has the reasons and
 * what it costs).  A doorbell is one message without reply.  Interrupts are eventfds.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/vfio.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "nic_json.h"
#include "priv.h"
#include "vfu_conn.h"

#define MAX_MSG_FDS 8u /* what we and every server allow */

struct map {
	uint64_t start, last;
	uintptr_t va;
	uint32_t perm;
};

struct vfu {
	struct cairn_bus bus;
	struct vfu_conn conn;
	int self_mem;	      /* /proc/self/mem, for our own thread */
	pthread_mutex_t lock; /* maps, irqs */
	void *maps;	      /* tree, by IOVA */
	int irqs[CAIRN_MSIX_VECTORS];
	unsigned int n_irqs;
};

static struct vfu *to_vfu(struct cairn_bus *bus)
{
	return (struct vfu *)bus;
}

/* ---------------------------------------------------------------- regions */

static int region_read(struct vfu *vfu, uint32_t region, uint64_t offset, void *data, uint32_t len)
{
	struct vfu_region_rw rw = { offset, region, len };
	struct iovec part = { &rw, sizeof(rw) };
	struct {
		struct vfu_region_rw rw;
		uint8_t data[8];
	} answer;
	int n = cairn_vfu_call(&vfu->conn, VFU_REGION_READ, &part, 1, NULL, 0, &answer,
			       sizeof(answer));

	if (n < 0)
		return n;
	if ((size_t)n != sizeof(rw) + len)
		return -EPROTO;
	memcpy(data, answer.data, len);
	return 0;
}

/* Posted: an error of it shows at the next call. */
static int region_write(struct vfu *vfu, uint32_t region, uint64_t offset, const void *data,
			uint32_t len)
{
	struct vfu_region_rw rw = { offset, region, len };
	struct iovec parts[] = { { &rw, sizeof(rw) }, { (void *)data, len } };

	return cairn_vfu_post(&vfu->conn, VFU_REGION_WRITE, parts, 2);
}

static int cfg_read(struct cairn_bus *bus, uint32_t offset, void *data, uint32_t len)
{
	return len > 8 ? -EINVAL
		       : region_read(to_vfu(bus), VFIO_PCI_CONFIG_REGION_INDEX, offset, data, len);
}

/* With reply: bus mastering is on before anything else happens. */
static int cfg_write(struct cairn_bus *bus, uint32_t offset, const void *data, uint32_t len)
{
	struct vfu_region_rw rw = { offset, VFIO_PCI_CONFIG_REGION_INDEX, len };
	struct iovec parts[] = { { &rw, sizeof(rw) }, { (void *)data, len } };
	struct vfu_region_rw echo;
	int n = cairn_vfu_call(&to_vfu(bus)->conn, VFU_REGION_WRITE, parts, 2, NULL, 0, &echo,
			       sizeof(echo));

	return n < 0 ? n : 0;
}

static int read32(struct cairn_bus *bus, uint32_t offset, uint32_t *value)
{
	return region_read(to_vfu(bus), VFIO_PCI_BAR0_REGION_INDEX, offset, value, sizeof(*value));
}

static int read64(struct cairn_bus *bus, uint32_t offset, uint64_t *value)
{
	return region_read(to_vfu(bus), VFIO_PCI_BAR0_REGION_INDEX, offset, value, sizeof(*value));
}

static int write32(struct cairn_bus *bus, uint32_t offset, uint32_t value)
{
	return region_write(to_vfu(bus), VFIO_PCI_BAR0_REGION_INDEX, offset, &value, sizeof(value));
}

static int write64(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	return region_write(to_vfu(bus), VFIO_PCI_BAR0_REGION_INDEX, offset, &value, sizeof(value));
}

static void doorbell(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	region_write(to_vfu(bus), VFIO_PCI_BAR2_REGION_INDEX, offset, &value, sizeof(value));
}

static void push(struct cairn_bus *bus, uint32_t offset, const void *block)
{
	region_write(to_vfu(bus), VFIO_PCI_BAR2_REGION_INDEX, offset, block, 64);
}

/* ---------------------------------------------------------------- DMA */

static int compare(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return x->last < y->start ? -1 : x->start > y->last;
}

static struct map *find_map(struct vfu *vfu, uint64_t iova, size_t len)
{
	struct map key = { .start = iova, .last = iova + len - 1 };
	struct map **node = tfind(&key, &vfu->maps, compare);

	if (!node || (*node)->start > key.start || (*node)->last < key.last)
		return NULL;
	return *node;
}

/*
 * DMA by message.  Through /proc/self/mem, so that memory the application has unmapped is an error
 * and no fault of this thread.
 */
static int dma_access(struct vfu *vfu, uint64_t iova, void *data, size_t len, bool write)
{
	uint32_t need = write ? CAIRN_DMA_WRITE : CAIRN_DMA_READ;
	struct map *map;
	off_t at = 0;
	ssize_t n;

	if (!len)
		return 0;
	pthread_mutex_lock(&vfu->lock);
	map = find_map(vfu, iova, len);
	if (map && map->perm & need)
		at = (off_t)(map->va + (iova - map->start));
	pthread_mutex_unlock(&vfu->lock);
	if (!at)
		return -EFAULT;
	n = write ? pwrite(vfu->self_mem, data, len, at) : pread(vfu->self_mem, data, len, at);
	return n == (ssize_t)len ? 0 : -EFAULT;
}

static int serve_read(void *arg, uint64_t iova, void *data, size_t len)
{
	return dma_access(arg, iova, data, len, false);
}

static int serve_write(void *arg, uint64_t iova, const void *data, size_t len)
{
	return dma_access(arg, iova, (void *)data, len, true);
}

static int send_map(struct vfu *vfu, const struct cairn_dma_map *map)
{
	struct vfu_dma_map msg = {
		.argsz = sizeof(msg),
		.flags = (map->perm & CAIRN_DMA_READ ? VFU_MAP_READ : 0) |
			 (map->perm & CAIRN_DMA_WRITE ? VFU_MAP_WRITE : 0),
		.offset = map->fd_offset,
		.iova = map->iova,
		.size = map->len,
	};
	struct iovec part = { &msg, sizeof(msg) };
	int n;

	if (map->fd < 0)
		msg.offset = 0;
	n = cairn_vfu_call(&vfu->conn, VFU_DMA_MAP, &part, 1, &map->fd, map->fd >= 0, NULL, 0);
	return n < 0 ? n : 0;
}

static int dma_map(struct cairn_bus *bus, const struct cairn_dma_map *map)
{
	struct vfu *vfu = to_vfu(bus);
	struct map *entry = malloc(sizeof(*entry));
	bool known;
	int err;

	if (!entry)
		return -ENOMEM;
	*entry = (struct map){ map->iova, map->iova + map->len - 1, (uintptr_t)map->va, map->perm };
	pthread_mutex_lock(&vfu->lock);
	known = tsearch(entry, &vfu->maps, compare);
	pthread_mutex_unlock(&vfu->lock);
	if (!known) {
		free(entry);
		return -ENOMEM;
	}
	err = send_map(vfu, map);
	if (err) {
		pthread_mutex_lock(&vfu->lock);
		tdelete(entry, &vfu->maps, compare);
		pthread_mutex_unlock(&vfu->lock);
		free(entry);
	}
	return err;
}

static int dma_unmap(struct cairn_bus *bus, uint64_t iova, size_t len)
{
	struct vfu *vfu = to_vfu(bus);
	struct vfu_dma_unmap msg = { .argsz = sizeof(msg), .iova = iova, .size = len }, echo;
	struct iovec part = { &msg, sizeof(msg) };
	int n = cairn_vfu_call(&vfu->conn, VFU_DMA_UNMAP, &part, 1, NULL, 0, &echo, sizeof(echo));
	struct map *entry;

	pthread_mutex_lock(&vfu->lock);
	entry = find_map(vfu, iova, len);
	if (entry)
		tdelete(entry, &vfu->maps, compare);
	pthread_mutex_unlock(&vfu->lock);
	free(entry);
	return n < 0 ? n : 0;
}

/* ---------------------------------------------------------------- interrupts, reset */

static int set_irqs(struct cairn_bus *bus, const int *fds, unsigned int n)
{
	struct vfu *vfu = to_vfu(bus);
	struct vfio_irq_set set = {
		.argsz = sizeof(set),
		.flags = VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_NONE,
		.index = VFIO_PCI_MSIX_IRQ_INDEX,
	};
	struct iovec part = { &set, sizeof(set) };
	int err = 0;

	if (n > CAIRN_MSIX_VECTORS)
		return -EINVAL;
	pthread_mutex_lock(&vfu->lock);
	vfu->n_irqs = n;
	if (n)
		memcpy(vfu->irqs, fds, n * sizeof(*fds));
	pthread_mutex_unlock(&vfu->lock);
	if (!n)
		err = cairn_vfu_call(&vfu->conn, VFU_SET_IRQS, &part, 1, NULL, 0, NULL, 0);
	set.flags = VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD;
	for (unsigned int i = 0; i < n && err >= 0; i += set.count) {
		set.start = i;
		set.count = n - i < MAX_MSG_FDS ? n - i : MAX_MSG_FDS;
		err = cairn_vfu_call(&vfu->conn, VFU_SET_IRQS, &part, 1, fds + i, (int)set.count,
				     NULL, 0);
	}
	return err < 0 ? err : 0;
}

/* From the receiving thread: waiters for an interrupt look again. */
static void on_loss(void *arg)
{
	struct vfu *vfu = arg;

	atomic_store(&vfu->bus.gone, true);
	pthread_mutex_lock(&vfu->lock);
	for (unsigned int i = 0; i < vfu->n_irqs; i++)
		eventfd_write(vfu->irqs[i], 1);
	pthread_mutex_unlock(&vfu->lock);
}

static int reset(struct cairn_bus *bus)
{
	int n = cairn_vfu_call(&to_vfu(bus)->conn, VFU_RESET, NULL, 0, NULL, 0, NULL, 0);

	return n < 0 ? n : 0;
}

static int gids(struct cairn_bus *bus, struct cairn_bus_gid *gids, unsigned int max)
{
	return cairn_nic_json_gids(to_vfu(bus)->conn.path, gids, max);
}

/* Beside the socket, made by the simulator: who serves the socket without one keeps no account. */
static bool lease(const char *addr, char *path, size_t size, bool *make)
{
	size_t stem = strlen(addr);

	*make = false;
	if (stem > 5 && !strcmp(addr + stem - 5, ".sock"))
		stem -= 5;
	return strchr(addr, '/') &&
	       (size_t)snprintf(path, size, "%.*s.lease", (int)stem, addr) < size;
}

/* ---------------------------------------------------------------- opening */

static bool match(const char *addr)
{
	return strchr(addr, '/') || (strlen(addr) > 5 && !strcmp(addr + strlen(addr) - 5, ".sock"));
}

/* Both BARs as large as the contract says, and enough vectors. */
static int check_device(struct vfu *vfu)
{
	static const struct {
		uint32_t region;
		uint64_t bytes;
	} want[] = {
		{ VFIO_PCI_BAR0_REGION_INDEX, CAIRN_BAR0_BYTES },
		{ VFIO_PCI_BAR2_REGION_INDEX, CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES },
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct vfio_region_info info = { .argsz = sizeof(info), .index = want[i].region };
		struct iovec part = { &info, sizeof(info) };
		uint8_t answer[256];
		int n = cairn_vfu_call(&vfu->conn, VFU_GET_REGION_INFO, &part, 1, NULL, 0, answer,
				       sizeof(answer));

		if (n >= 0 && (size_t)n >= sizeof(info))
			memcpy(&info, answer, sizeof(info));
		if (n < 0 || (size_t)n < sizeof(info) || info.size < want[i].bytes)
			return cairn_fail(n == -ENODEV ? n : -EPROTO,
					  "%s: no Cairn NIC behind this socket (region %u)",
					  vfu->conn.path, want[i].region);
	}
	return 0;
}

static void vfu_free(struct vfu *vfu)
{
	tdestroy(vfu->maps, free);
	if (vfu->self_mem >= 0)
		close(vfu->self_mem);
	pthread_mutex_destroy(&vfu->lock);
	free(vfu->conn.path);
	free(vfu);
}

static void vfu_close(struct cairn_bus *bus)
{
	cairn_vfu_close(&to_vfu(bus)->conn);
	vfu_free(to_vfu(bus));
}

static int vfu_open(const char *addr, const struct cairn_bus_opts *opts, struct cairn_bus **bus)
{
	struct vfu *vfu = calloc(1, sizeof(*vfu));
	int err;

	if (!vfu || !(vfu->conn.path = strdup(addr))) {
		free(vfu);
		return cairn_fail(-ENOMEM, "out of memory");
	}
	pthread_mutex_init(&vfu->lock, NULL);
	vfu->bus.ops = &cairn_bus_vfu;
	vfu->bus.iova_min = 16ull << 20; /* low ones make 3-DW requests, high ones 4-DW */
	vfu->bus.iova_max = (1ull << 44) - 1;
	vfu->conn.timeout_ms = opts->timeout_ms ? opts->timeout_ms : 10000;
	vfu->conn.dma_read = serve_read;
	vfu->conn.dma_write = serve_write;
	vfu->conn.on_loss = on_loss;
	vfu->conn.arg = vfu;
	vfu->self_mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	if (vfu->self_mem < 0)
		err = cairn_fail(-errno, "/proc/self/mem: %s; is /proc mounted?", strerror(errno));
	else
		err = cairn_vfu_open(&vfu->conn);
	if (err) {
		vfu_free(vfu);
		return err;
	}
	err = check_device(vfu);
	if (err) {
		vfu_close(&vfu->bus);
		return err;
	}
	*bus = &vfu->bus;
	return 0;
}

/* The server sees the parent go even if this child lives on. */
static void forked(struct cairn_bus *bus)
{
	close(to_vfu(bus)->conn.sock);
	close(to_vfu(bus)->self_mem);
	atomic_store(&to_vfu(bus)->conn.lost, true);
}

const struct cairn_bus_ops cairn_bus_vfu = {
	.name = "vfio-user",
	.match = match,
	.open = vfu_open,
	.close = vfu_close,
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
	.relax = cairn_bus_relax,
	.polled = cairn_bus_relax, /* the server may need this processor */
	.wait_fd = cairn_bus_wait_fd,
	.now_ns = cairn_bus_now_ns,
	.gids = gids,
	.lease = lease,
	.forked = forked,
};
