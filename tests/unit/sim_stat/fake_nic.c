// SPDX-License-Identifier: Apache-2.0
/* The NIC of fake_nic.h: what sim_stat.c calls of the simulator. */
#include "fake_nic.h"

#include <errno.h>
#include <string.h>

#include "sim.h"
#include "sim_pcie.h"

struct fake_nic fake;
static struct sim_pcie_read *pending;
static struct sim_pcie_stats pcie;
static struct sim_wire_stats wire;
static uint32_t posted;
static bool write_waits;

uint32_t fake_value(uint32_t qpn, unsigned int counter)
{
	return qpn * 1000 + counter;
}

void fake_count(unsigned int n)
{
	for (unsigned int q = 0; q < n; q++) {
		fake.qp[q].qpn = 3 + 2 * q;
		for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
			fake.qp[q].value[i] =
				cairn_counter_of_qp[i] ? fake_value(fake.qp[q].qpn, i) : 0;
	}
}

void fake_reset(unsigned int n)
{
	memset(&fake, 0, sizeof(fake));
	memset(&pcie, 0, sizeof(pcie));
	memset(&wire, 0, sizeof(wire));
	pending = NULL;
	write_waits = false;
	fake.features = CAIRN_REG_FEATURES_QP_COUNTERS;
	fake.qps = n;
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		fake.port[i] = 7000 + i;
	fake_count(n);
}

/* ---- BAR0 ---- */

static uint64_t qp_word(unsigned int index)
{
	for (unsigned int q = 0; q < fake.qps; q++) {
		if (index == CAIRN_QP_COUNTER_NEXT && fake.qp[q].qpn >= fake.selected)
			return fake.qp[q].qpn;
		if (index < CAIRN_COUNTERS && fake.qp[q].qpn == fake.selected)
			return fake.qp[q].value[index];
	}
	if (index != CAIRN_QP_COUNTER_NEXT)
		return 0;
	fake.walk_ended = true;
	return UINT32_MAX;
}

static uint64_t word(uint64_t off)
{
	if (off == CAIRN_REG_FEATURES)
		return fake.features;
	if (off >= CAIRN_QP_COUNTER_TOOLS)
		return qp_word((unsigned int)(off - CAIRN_QP_COUNTER_TOOLS) / 8);
	return fake.port[(off - CAIRN_COUNTER_OFFSET) / 8];
}

/* As in the root complex, a write gets to the device, and is counted, some time before that. */
bool fake_answer(void)
{
	struct sim_pcie_read *read = pending;

	if (!read)
		return false;
	pending = NULL;
	if (write_waits) {
		fake.selected = posted & 0xffffff;
		pcie.bar_wr_tlps++;
	}
	write_waits = false;
	fake.reads++;
	fake.walks += read->off == CAIRN_REG_FEATURES;
	if (read->off < CAIRN_QP_COUNTER_OFFSET && read->off >= CAIRN_COUNTER_OFFSET) {
		fake.port_parts++;
		fake.port_reads += read->off + read->size ==
				   CAIRN_COUNTER_OFFSET + 8ull * CAIRN_COUNTERS;
	}
	if (fake.fail_read && !--fake.fail_read) {
		memset(read->buf, 0xff, read->size);
		read->status = -EIO;
	} else {
		for (uint32_t at = 0; at < read->size; at += 8) {
			uint64_t value = word(read->off + at);

			memcpy((char *)read->buf + at, &value,
			       read->size - at < 8 ? read->size - at : 8);
		}
		read->status = 0;
	}
	read->done(read);
	return true;
}

int sim_pcie_mmio_read(struct sim_pcie *p, struct sim_pcie_read *r)
{
	(void)p;
	if (fake.refuse)
		return -EIO;
	r->status = -EINPROGRESS;
	pending = r;
	return 0;
}

int sim_pcie_mmio_write(struct sim_pcie *p, unsigned int bar, uint64_t off, const void *buf,
			uint32_t size)
{
	(void)p;
	if (bar || off != CAIRN_REG_QP_SELECT_TOOLS || size != 4)
		return -EINVAL;
	if (fake.fail_write && !--fake.fail_write)
		return -ENOMEM;
	/* two at once would be two posted writes: sim_stat.c never has more than one */
	if (write_waits)
		return -EBUSY;
	memcpy(&posted, buf, size);
	write_waits = true;
	fake.selects++;
	return 0;
}

void sim_pcie_mmio_cancel(struct sim_pcie *p, struct sim_pcie_read *r)
{
	(void)p;
	fake.canceled += r == pending;
	pending = NULL;
}

/* ---- the rest of the simulator ---- */

const struct sim_pcie_stats *sim_pcie_stats(const struct sim_pcie *p)
{
	(void)p;
	return &pcie;
}

struct sim_wire_stats *sim_wire_stats(struct sim_wire *w, unsigned int port)
{
	(void)w;
	(void)port;
	wire.tx_frames = fake.packets;
	return &wire;
}

bool sim_wire_stat_at(const struct sim_wire_stats *stats, unsigned int index, const char **name,
		      uint64_t *value)
{
	*name = "tx_frames";
	*value = stats->tx_frames;
	return !index;
}

struct sim *sim_nic_sim(struct sim_nic *nic)
{
	(void)nic;
	return NULL;
}

struct sim_pcie *sim_nic_pcie(struct sim_nic *nic)
{
	(void)nic;
	return NULL;
}

struct sim_wire *sim_wire(struct sim *sim)
{
	(void)sim;
	return NULL;
}

unsigned int sim_nic_index(const struct sim_nic *nic)
{
	(void)nic;
	return 5;
}

unsigned int sim_nic_errors(const struct sim_nic *nic)
{
	(void)nic;
	return 0;
}

uint64_t sim_now(const struct sim *sim)
{
	(void)sim;
	return fake.time;
}

uint64_t sim_cycle(const struct sim *sim)
{
	(void)sim;
	return 2;
}

uint64_t sim_evaluated(const struct sim *sim)
{
	(void)sim;
	return 3;
}
