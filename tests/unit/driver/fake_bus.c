// SPDX-License-Identifier: Apache-2.0
/* The software device: registers, rings, interrupts, memory map.  Commands are in fake_cmd.c. */
#include "fake_bus.h"

#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "priv.h"

struct fake fakes[FAKE_DEVICES];
const char *fake_leases;

static struct fake *to_fake(struct cairn_bus *bus)
{
	return (struct fake *)bus;
}

void fake_error(struct fake *f, const char *format, ...)
{
	va_list args;

	f->errors++;
	fprintf(stderr, "fake device: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* ---------------------------------------------------------------- memory */

void *fake_mem(struct fake *f, uint64_t iova, size_t len, uint32_t perm)
{
	for (unsigned int i = 0; i < f->n_maps; i++) {
		struct fake_map *m = &f->maps[i];

		if (iova >= m->iova && iova - m->iova < m->len &&
		    len <= m->len - (iova - m->iova) && (m->perm & perm) == perm)
			return m->va + (iova - m->iova);
	}
	fake_error(f, "access to %zu bytes at 0x%llx, which is not mapped for it", len,
		   (unsigned long long)iova);
	return NULL;
}

/* A call of the bus: counts, and may be the one that finds the device gone. */
static int enter(struct fake *f)
{
	pthread_mutex_lock(&f->lock);
	f->calls++;
	if (f->die_at != FAKE_NEVER && f->die_at-- == 0) {
		f->die_at = FAKE_NEVER;
		atomic_store(&f->bus.gone, true);
		for (unsigned int i = 0; i < f->n_irqs; i++)
			eventfd_write(f->irqs[i], 1);
	}
	if (!atomic_load(&f->bus.gone))
		return 0;
	pthread_mutex_unlock(&f->lock);
	return -ENODEV;
}

static int leave(struct fake *f, int err)
{
	pthread_mutex_unlock(&f->lock);
	return err;
}

static int dma_map(struct cairn_bus *bus, const struct cairn_dma_map *map)
{
	struct fake *f = to_fake(bus);
	uint64_t last = map->iova + map->len - 1;

	if (enter(f))
		return -ENODEV;
	if (f->map_error != FAKE_NEVER && f->map_error-- == 0) {
		f->map_error = FAKE_NEVER;
		return leave(f, -ENOMEM);
	}
	if (map->iova % 4096 || map->len % 4096 || (uintptr_t)map->va % 4096 || !map->len)
		fake_error(f, "map of odd pages");
	if (map->iova < bus->iova_min || last > bus->iova_max)
		fake_error(f, "map outside the address space");
	for (unsigned int i = 0; i < f->n_maps; i++)
		if (f->maps[i].iova <= last && f->maps[i].iova + f->maps[i].len - 1 >= map->iova)
			fake_error(f, "map over another map");
	if (f->n_maps == FAKE_MAPS)
		return leave(f, -ENOSPC);
	f->maps[f->n_maps++] =
		(struct fake_map){ map->iova, map->va, map->len, map->perm, map->fd >= 0 };
	return leave(f, 0);
}

static int dma_unmap(struct cairn_bus *bus, uint64_t iova, size_t len)
{
	struct fake *f = to_fake(bus);

	pthread_mutex_lock(&f->lock); /* works on a dead device too */
	for (unsigned int i = 0; i < f->n_maps; i++) {
		if (f->maps[i].iova != iova || f->maps[i].len != len)
			continue;
		for (unsigned int k = 0; k < FAKE_NUMBERS; k++)
			if (f->mrs[k].live && (f->mrs[k].flags & 3) == CAIRN_MR_MODE_DIRECT &&
			    f->mrs[k].map - iova < len && !atomic_load(&bus->gone))
				fake_error(f, "memory of key 0x%x unmapped while it is valid",
					   f->mrs[k].key);
		f->maps[i] = f->maps[--f->n_maps];
		return leave(f, 0);
	}
	fake_error(f, "unmap of 0x%llx, which is not mapped", (unsigned long long)iova);
	return leave(f, -EINVAL);
}

/* ---------------------------------------------------------------- interrupts and events */

static int set_irqs(struct cairn_bus *bus, const int *fds, unsigned int n)
{
	struct fake *f = to_fake(bus);

	pthread_mutex_lock(&f->lock);
	f->n_irqs = n;
	if (n)
		memcpy(f->irqs, fds, n * sizeof(*fds));
	pthread_mutex_unlock(&f->lock);
	return atomic_load(&bus->gone) ? -ENODEV : 0;
}

static void interrupt(struct fake *f, struct fake_eq *eq)
{
	if (!eq->armed || eq->pi == eq->ci)
		return;
	eq->armed = false;
	if (eq->vector < f->n_irqs)
		eventfd_write(f->irqs[eq->vector], 1);
}

static void event_locked(struct fake *f, uint32_t eqn, uint32_t type, uint32_t number,
			 uint32_t data)
{
	struct fake_eq *eq = &f->eqs[eqn];
	struct cairn_eqe *eqe;

	if (!eq->live) {
		fake_error(f, "event for EQ %u, which does not exist", eqn);
		return;
	}
	eqe = fake_mem(f, eq->ring + (eq->pi & ((1u << eq->log2) - 1)) * sizeof(*eqe), sizeof(*eqe),
		       CAIRN_DMA_WRITE);
	if (!eqe)
		return;
	if (((eq->pi - eq->ci) & 0xffff) >= 1u << eq->log2)
		fake_error(f, "EQ %u overflows", eqn);
	eqe->type = type;
	eqe->number = number;
	eqe->data = data;
	__atomic_store_n(&eqe->owner,
			 (eq->pi & 0xffff) | (eq->pi >> eq->log2 & 1 ? 0 : CAIRN_EQE_OWNER_PHASE),
			 __ATOMIC_RELEASE);
	eq->pi++;
	interrupt(f, eq);
}

void fake_event(struct fake *f, uint32_t eqn, uint32_t type, uint32_t number, uint32_t data)
{
	pthread_mutex_lock(&f->lock);
	event_locked(f, eqn, type, number, data);
	pthread_mutex_unlock(&f->lock);
}

void fake_cqe(struct fake *f, uint32_t cqn, uint32_t qpn)
{
	struct fake_cq *cq = &f->cqs[cqn];
	struct cairn_cqe *cqe;
	uint32_t mask = (1u << cq->attr.log2) - 1;

	pthread_mutex_lock(&f->lock);
	cqe = fake_mem(f, cq->attr.base + (cq->pi & mask) * sizeof(*cqe), sizeof(*cqe),
		       CAIRN_DMA_WRITE);
	if (cqe) {
		cqe->qpn_op = qpn;
		cqe->byte_len = cq->pi;
		__atomic_store_n(&cqe->status,
				 cq->pi >> cq->attr.log2 & 1 ? 0 : CAIRN_CQE_STATUS_PHASE,
				 __ATOMIC_RELEASE);
		cq->pi++;
	}
	pthread_mutex_unlock(&f->lock);
}

static void doorbell(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	struct fake *f = to_fake(bus);
	uint32_t number = (uint32_t)CAIRN_GET(value, CAIRN_DOORBELL_WORD_NUMBER);

	if (enter(f))
		return;
	f->doorbells++;
	f->last_db_offset = offset;
	f->last_db = value;
	if (offset % CAIRN_DB_PAGE_BYTES == CAIRN_DB_CQ_ARM)
		f->last_arm = value;
	if (offset % CAIRN_DB_PAGE_BYTES == CAIRN_DB_EQ && number < CAIRN_MSIX_VECTORS &&
	    f->eqs[number].live) {
		struct fake_eq *eq = &f->eqs[number];

		if (offset / CAIRN_DB_PAGE_BYTES != eq->page)
			fake_error(f, "EQ doorbell on page %u",
				   (unsigned int)(offset / CAIRN_DB_PAGE_BYTES));
		eq->ci += (uint16_t)(CAIRN_GET(value, CAIRN_DOORBELL_WORD_INDEX) - eq->ci);
		if (value & CAIRN_DOORBELL_WORD_ARM)
			eq->armed = true;
		interrupt(f, eq);
	}
	leave(f, 0);
}

static void push(struct cairn_bus *bus, uint32_t offset, const void *block)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return;
	f->last_db_offset = offset;
	memcpy(f->last_push, block, sizeof(f->last_push));
	leave(f, 0);
}

/* ---------------------------------------------------------------- the command queue */

static void fetch_commands(struct fake *f)
{
	if (!f->cmdq_enable || !(f->status & CAIRN_REG_STATUS_FW_READY))
		return;
	while ((uint16_t)f->cmd_ci != (uint16_t)f->cmd_pi) {
		if (f->n_pending == 1u << f->cmdq_size) {
			fake_error(f, "more commands than the ring has entries");
			return;
		}
		f->pending[f->n_pending++] = f->cmd_ci++;
	}
}

static void complete(struct fake *f, const struct cairn_cmd_cpl *answer)
{
	uint32_t size = 1u << f->cmdq_size;
	uint64_t at = f->cmdq_cpl_base + f->cpl_pi % size * sizeof(*answer);
	struct cairn_cmd_cpl *cpl = fake_mem(f, at, sizeof(*cpl), CAIRN_DMA_WRITE);
	uint32_t owner = (f->cpl_pi & 0xffff) ^ f->spoil_index;

	if (!cpl)
		return;
	cpl->head = answer->head ^ f->spoil_id;
	cpl->value0 = answer->value0;
	cpl->value1 = answer->value1;
	f->spoil_id = f->spoil_index = 0;
	if (!(f->cpl_pi / size & 1))
		owner |= CAIRN_CMD_CPL_OWNER_PHASE;
	__atomic_store_n(&cpl->owner, owner, __ATOMIC_RELEASE);
	f->cpl_pi++;
}

/* Execute one of the commands that wait. */
static void execute_one(struct fake *f)
{
	unsigned int which = f->reorder ? (unsigned int)rng_below(&f->rng, f->n_pending) : 0;
	uint32_t size = 1u << f->cmdq_size, index = f->pending[which];
	struct cairn_cmd_cpl cpl = { 0 };
	uint64_t at = f->cmdq_base + index % size * CAIRN_CMD_SLOT_BYTES;
	const struct cairn_cmd *ring = fake_mem(f, at, CAIRN_CMD_BYTES + CAIRN_CMD_BUFFER_BYTES,
						CAIRN_DMA_READ | CAIRN_DMA_WRITE);
	uint32_t status;

	f->last_end = f->now;
	memmove(&f->pending[which], &f->pending[which + 1],
		(--f->n_pending - which) * sizeof(*f->pending));
	if (!ring)
		return;
	f->last_cmd = *ring;
	f->commands++;
	cpl.head = (uint32_t)CAIRN_PUT(CAIRN_CMD_CPL_HEAD_ID,
				       CAIRN_GET(ring->head, CAIRN_CMD_HEAD_ID));
	if (f->drop_command != FAKE_NEVER && f->drop_command-- == 0) {
		f->drop_command = FAKE_NEVER;
		return;
	}
	if (f->fail_command != FAKE_NEVER && f->fail_command-- == 0) {
		f->fail_command = FAKE_NEVER;
		status = f->fail_status;
		cpl.head |= CAIRN_PUT(CAIRN_CMD_CPL_HEAD_STATUS, status) |
			    CAIRN_PUT(CAIRN_CMD_CPL_HEAD_DETAIL, CAIRN_CMD_DETAIL_NONE);
	} else if (CAIRN_GET(ring->check, CAIRN_CMD_CHECK_INDEX) != (index & 0xffff) ||
		   CAIRN_GET(ring->check, CAIRN_CMD_CHECK_MAGIC) != CAIRN_CMD_MAGIC) {
		fake_error(f, "command with a wrong check word");
		cpl.head |= CAIRN_PUT(CAIRN_CMD_CPL_HEAD_STATUS, CAIRN_CMD_STATUS_BAD_PARAM) |
			    CAIRN_PUT(CAIRN_CMD_CPL_HEAD_DETAIL, 15);
	} else {
		fake_execute(f, ring, &cpl);
	}
	complete(f, &cpl);
}

static void relax(struct cairn_bus *bus, unsigned int attempt)
{
	struct fake *f = to_fake(bus);

	(void)attempt;
	if (enter(f)) {
		sched_yield();
		return;
	}
	f->now += 1000;
	if (f->n_pending && !f->hold && f->now - f->last_end >= f->pace &&
	    (!f->reorder || rng_percent(&f->rng, 30)))
		execute_one(f);
	leave(f, 0);
	sched_yield();
}

/* ---------------------------------------------------------------- registers */

static void function_reset(struct fake *f)
{
	struct rng rng = f->rng;

	f->resets++;
	f->status = f->baked ? f->fw_status : 0;
	f->ctrl = f->baked ? CAIRN_REG_CTRL_CPU_RUN : 0;
	f->cmdq_enable = f->cmd_pi = f->cmd_ci = f->cpl_pi = f->n_pending = 0;
	f->log_base = f->pci_command = 0;
	f->enabled = false;
	memset(f->table_base, 0, sizeof(f->table_base));
	memset(f->eqs, 0, sizeof(f->eqs));
	memset(f->cqs, 0, sizeof(f->cqs));
	memset(f->qps, 0, sizeof(f->qps));
	memset(f->srqs, 0, sizeof(f->srqs));
	memset(f->mrs, 0, sizeof(f->mrs));
	memset(f->gid_valid, 0, sizeof(f->gid_valid));
	f->rng = rng;
}

/* As REG CTRL.CPU_RUN says. */
static void start_core(struct fake *f)
{
	const void *image = NULL;
	bool good;

	f->status &= ~(uint32_t)(CAIRN_REG_STATUS_FW_BAD | CAIRN_REG_STATUS_FW_UNREAD);
	if (!f->fw_len || f->fw_len % 4 || f->fw_len > sizeof(f->ram)) {
		f->status |= CAIRN_REG_STATUS_FW_BAD;
		return;
	}
	if (!f->unread_fw && f->pci_command & PCI_COMMAND_MASTER)
		image = fake_mem(f, f->fw_base, f->fw_len, CAIRN_DMA_READ);
	f->unread_fw = false;
	if (!image) {
		f->status |= CAIRN_REG_STATUS_FW_BAD | CAIRN_REG_STATUS_FW_UNREAD;
		return;
	}
	memcpy(f->ram, image, f->fw_len);
	f->ram[0] ^= (uint8_t)f->spoil_fw;
	f->spoil_fw = 0;
	good = cairn_crc32(f->ram, f->fw_len) == f->fw_crc;
	f->status |= good ? f->fw_status : CAIRN_REG_STATUS_FW_BAD;
}

static void write_reg(struct fake *f, uint32_t offset, uint64_t value)
{
	switch (offset) {
	case CAIRN_REG_CTRL:
		f->ctrl = (uint32_t)value;
		if (value & CAIRN_REG_CTRL_CPU_RUN)
			start_core(f);
		break;
	case CAIRN_REG_FW_BASE:
		f->fw_base = value;
		break;
	case CAIRN_REG_FW_LEN:
		f->fw_len = (uint32_t)value;
		break;
	case CAIRN_REG_FW_CRC:
		f->fw_crc = (uint32_t)value;
		break;
	case CAIRN_REG_CMDQ_BASE:
		f->cmdq_base = value;
		break;
	case CAIRN_REG_CMDQ_CPL_BASE:
		f->cmdq_cpl_base = value;
		break;
	case CAIRN_REG_CMDQ_SIZE:
		f->cmdq_size = (uint32_t)CAIRN_GET(value, CAIRN_REG_CMDQ_SIZE_LOG2);
		break;
	case CAIRN_REG_CMDQ_ENABLE:
		f->cmdq_enable = (uint32_t)value;
		f->cmd_pi = f->cmd_ci = f->cpl_pi = f->n_pending = 0;
		break;
	case CAIRN_REG_CMDQ_DB:
		f->cmd_pi += (uint16_t)(value - f->cmd_pi);
		fetch_commands(f);
		break;
	case CAIRN_REG_LOG_BASE:
		f->log_base = value;
		break;
	case CAIRN_REG_LOG_SIZE:
		f->log_size = (uint32_t)value;
		break;
	case CAIRN_REG_QP_SELECT:
		f->qp_select = (uint32_t)value;
		break;
	default:
		fake_error(f, "write of register 0x%x", offset);
	}
}

static uint64_t read_reg(struct fake *f, uint32_t offset)
{
	if (offset >= CAIRN_COUNTER_OFFSET &&
	    offset < CAIRN_COUNTER_OFFSET + 8 * CAIRN_COUNTER_COUNT)
		return 1000000000000ull + (offset - CAIRN_COUNTER_OFFSET) / 8;
	if (offset >= CAIRN_QP_COUNTER_OFFSET &&
	    offset < CAIRN_QP_COUNTER_OFFSET + 8 * CAIRN_COUNTER_COUNT)
		return 1000 * f->qp_select + (offset - CAIRN_QP_COUNTER_OFFSET) / 8;
	switch (offset) {
	case CAIRN_REG_ID:
		return f->id;
	case CAIRN_REG_STATUS:
		if (f->reset_polls) {
			f->reset_polls--;
			return f->status | CAIRN_REG_STATUS_IN_RESET;
		}
		return f->status;
	case CAIRN_REG_CTRL:
		return f->ctrl;
	case CAIRN_REG_TIME:
		return f->clock ? f->clock() : f->slow ? f->now / f->slow : f->now;
	case CAIRN_REG_MAC_ADDR:
		return 0x020000000a01 + (uint64_t)(f - fakes);
	default:
		return 0;
	}
}

static int read32(struct cairn_bus *bus, uint32_t offset, uint32_t *value)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	*value = (uint32_t)read_reg(f, offset);
	return leave(f, 0);
}

static int read64(struct cairn_bus *bus, uint32_t offset, uint64_t *value)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	*value = read_reg(f, offset);
	return leave(f, 0);
}

static int write32(struct cairn_bus *bus, uint32_t offset, uint32_t value)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	write_reg(f, offset, value);
	return leave(f, 0);
}

static int write64(struct cairn_bus *bus, uint32_t offset, uint64_t value)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	write_reg(f, offset, value);
	return leave(f, 0);
}

static int cfg_read(struct cairn_bus *bus, uint32_t offset, void *data, uint32_t len)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	memset(data, 0, len);
	if (offset == 4 && len == 2)
		memcpy(data, &f->pci_command, 2);
	return leave(f, 0);
}

static int cfg_write(struct cairn_bus *bus, uint32_t offset, const void *data, uint32_t len)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	if (offset == 4 && len == 2)
		memcpy(&f->pci_command, data, 2);
	return leave(f, 0);
}

static int reset(struct cairn_bus *bus)
{
	struct fake *f = to_fake(bus);

	if (enter(f))
		return -ENODEV;
	function_reset(f);
	return leave(f, 0);
}

static int wait_fd(struct cairn_bus *bus, int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	(void)bus;
	return poll(&pollfd, 1, timeout_ms);
}

static uint64_t now_ns(struct cairn_bus *bus)
{
	struct fake *f = to_fake(bus);
	uint64_t now;

	pthread_mutex_lock(&f->lock);
	now = f->now;
	pthread_mutex_unlock(&f->lock);
	return now;
}

static bool match(const char *addr)
{
	return !strcmp(addr, "fake:0") || !strcmp(addr, "fake:1");
}

static int fake_open(const char *addr, const struct cairn_bus_opts *opts, struct cairn_bus **bus)
{
	struct fake *f = &fakes[addr[5] - '0'];

	(void)opts;
	if (f->open)
		return cairn_fail(-EBUSY, "%s is open", addr);
	f->open = true;
	f->bus.ops = &fake_bus_ops;
	atomic_store(&f->bus.gone, false);
	f->bus.iova_min = 1 << 20;
	f->bus.iova_max = (1ull << 40) - 1;
	*bus = &f->bus;
	return 0;
}

static void fake_close(struct cairn_bus *bus)
{
	struct fake *f = to_fake(bus);

	if (f->n_maps)
		fake_error(f, "%u maps are left at close", f->n_maps);
	if (f->n_irqs)
		fake_error(f, "%u interrupts are left at close", f->n_irqs);
	f->n_maps = 0;
	f->open = false;
}

static bool lease(const char *addr, char *path, size_t size, bool *make)
{
	*make = false;
	return fake_leases && (size_t)snprintf(path, size, "%s/%s.lease", fake_leases, addr) < size;
}

const struct cairn_bus_ops fake_bus_ops = {
	.name = "fake",
	.match = match,
	.open = fake_open,
	.close = fake_close,
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
	.polled = relax,
	.wait_fd = wait_fd,
	.now_ns = now_ns,
	.lease = lease,
};
