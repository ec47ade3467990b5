// SPDX-License-Identifier: Apache-2.0
/*
 * What an in-process host does to a NIC: BAR and configuration accesses, memory, interrupts,
 * function reset.
 */
#include <errno.h>
#include <string.h>

#include "sim_priv.h"

/* A BAR read ends by itself (sim_pcie's timeout); this only catches a model that stopped. */
#define READ_LIMIT_NS	1000000000ULL
#define FLR_LIMIT_NS	1000000000ULL

/* The root complex, knowing the time even if the NIC has slept. */
static struct sim_pcie *pcie(struct sim_nic *nic)
{
	sim_pcie_time(nic->pcie, nic->sim->now);
	return nic->pcie;
}

static bool read_done(void *arg)
{
	const struct sim_pcie_read *read = arg;

	return read->status != -EINPROGRESS;
}

int sim_nic_read(struct sim_nic *nic, unsigned int bar, uint64_t offset, unsigned int size,
		 uint64_t *value)
{
	struct sim_pcie_read read = { .bar = bar, .off = offset, .size = size, .buf = value };
	int ret;

	*value = 0;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return -EINVAL;
	ret = sim_pcie_mmio_read(pcie(nic), &read);
	if (ret)
		return ret;
	sim_run_until(nic->sim, read_done, &read, READ_LIMIT_NS / nic->sim->period);
	if (read.status == -EINPROGRESS) {
		sim_pcie_mmio_cancel(pcie(nic), &read);
		*value = size == 8 ? UINT64_MAX : (1ULL << 8 * size) - 1;
		return -ETIMEDOUT;
	}
	return read.status;
}

int sim_nic_write(struct sim_nic *nic, unsigned int bar, uint64_t offset, unsigned int size,
		  uint64_t value)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return -EINVAL;
	return sim_pcie_mmio_write(pcie(nic), bar, offset, &value, size);
}

int sim_nic_write_block(struct sim_nic *nic, unsigned int bar, uint64_t offset, const void *data,
			size_t len)
{
	return sim_pcie_mmio_write(pcie(nic), bar, offset, data, (uint32_t)len);
}

int sim_nic_cfg_read(struct sim_nic *nic, unsigned int offset, void *data, size_t len)
{
	return sim_pcie_cfg_read(pcie(nic), offset, data, (uint32_t)len);
}

int sim_nic_cfg_write(struct sim_nic *nic, unsigned int offset, const void *data, size_t len)
{
	return sim_pcie_cfg_write(pcie(nic), offset, data, (uint32_t)len);
}

static void flr_done(void *arg, int status)
{
	*(int *)arg = status;
}

static bool flr_is_done(void *arg)
{
	return *(int *)arg != -EINPROGRESS;
}

int sim_nic_flr(struct sim_nic *nic)
{
	/* static: a reset that never ends would write to it later */
	static int status;
	int ret;

	status = -EINPROGRESS;
	ret = sim_pcie_flr(pcie(nic), flr_done, &status);
	if (!ret)
		ret = sim_run_until(nic->sim, flr_is_done, &status,
				    FLR_LIMIT_NS / nic->sim->period);
	return ret ? ret : status;
}

int sim_nic_map(struct sim_nic *nic, uint64_t iova, void *ptr, size_t len, unsigned int perm)
{
	return sim_mem_add_ptr(nic->mem, iova, len, perm, ptr);
}

int sim_nic_unmap(struct sim_nic *nic, uint64_t iova, size_t len)
{
	sim_pcie_settle(pcie(nic));
	return sim_mem_del(nic->mem, iova, len) ? 0 : -ENOENT;
}

static void irq(void *arg, unsigned int vector)
{
	struct sim_nic *nic = arg;

	if (vector < CAIRN_MSIX_VECTORS && nic->irq[vector].fn)
		nic->irq[vector].fn(nic->irq[vector].arg, vector);
}

int sim_nic_set_irq(struct sim_nic *nic, unsigned int vector, sim_irq_fn fn, void *arg)
{
	if (vector >= CAIRN_MSIX_VECTORS)
		return -EINVAL;
	sim_pcie_set_irq(pcie(nic), irq, nic);
	if (!fn) {
		int ret = sim_pcie_irq_disable(pcie(nic), vector, 1);

		nic->irq[vector].fn = NULL;
		return ret;
	}
	nic->irq[vector].fn = fn;
	nic->irq[vector].arg = arg;
	return sim_pcie_irq_enable(pcie(nic), vector, 1);
}
