// SPDX-License-Identifier: Apache-2.0
/* The registers that firmware sees (fw_hw.h). */
#include "fw_regs.h"

struct hw hw;
struct hw_regs r;

void hw_fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fprintf(stderr, " (SEED=0x%llx)\n", (unsigned long long)test_seed());
	fail();
	abort();
}

static uint32_t delay(void)
{
	return rng_percent(&hw.rng, 50) ? 0 : (uint32_t)rng_below(&hw.rng, 6);
}

/* ---- time, sleep ---- */

uint64_t cpu_now(void)
{
	return hw.now;
}

void cpu_timer_set(uint64_t deadline)
{
	hw.timer = deadline;
}

uint32_t cpu_pending(void)
{
	return (r.mbx_irq ? CPU_LINE_BIT(CAIRN_IRQ_CMD) : 0) |
	       (r.dma_done ? CPU_LINE_BIT(CAIRN_IRQ_DMA) : 0) |
	       (r.ctx_status & CAIRN_REG_CTX_STATUS_DONE ? CPU_LINE_BIT(CAIRN_IRQ_CTX) : 0) |
	       (hw.n_rx ? CPU_LINE_BIT(CAIRN_IRQ_RAW) : 0) |
	       (r.fence_status & CAIRN_REG_DEV_FENCE_STATUS_DONE ? CPU_LINE_BIT(CAIRN_IRQ_FENCE)
								 : 0) |
	       (hw.link & CAIRN_REG_DEV_LINK_CHANGED ? CPU_LINE_BIT(CAIRN_IRQ_LINK) : 0) |
	       (hw.n_reports ? CPU_LINE_BIT(CAIRN_IRQ_EVT) : 0) |
	       (hw.timer <= hw.now ? CPU_TIMER_BIT : 0);
}

void cpu_wfi(void)
{
	r.asleep = true;
}

/* Objects of the program lie together: the distance from one of them has 32 bits. */
uint32_t cpu_address(const void *object)
{
	return (uint32_t)((const uint8_t *)object - (const uint8_t *)&hw);
}

static uint8_t *object_at(uint32_t address)
{
	return (uint8_t *)&hw + (int32_t)address;
}

/* ---- context port ---- */

static uint32_t *record(uint32_t table, uint32_t key, uint32_t part)
{
	if (table > CAIRN_TABLE_MTT || !(hw.table_valid >> table & 1) ||
	    key >> hw.table_log2[table])
		return NULL;
	switch (table) {
	case CAIRN_TABLE_QP:
		return hw.qp[key][part];
	case CAIRN_TABLE_CQ:
		return hw.cq[key];
	case CAIRN_TABLE_SRQ:
		return hw.srq[key];
	case CAIRN_TABLE_MPT:
		return hw.mpt[key];
	default:
		hw_fail("context port: table %u", table);
	}
}

static void drop(uint32_t table, uint32_t key)
{
	uint32_t *rec;

	if (table == CAIRN_TABLE_MTT) {
		hw_assert(key + (uint64_t)r.ctx_data[0] <= 1ull << (HW_MTT_LOG2 - 3));
		hw.drops += r.ctx_data[0];
		return;
	}
	rec = record(table, key, 0);
	if (rec)
		memset(rec, 0, table == CAIRN_TABLE_QP ? 256 : 64);
}

/* As cq_service: the entries past ci in a ring of the new size. */
static bool resize_fits(const uint32_t *rec)
{
	const struct cairn_cq_ctx *old = (const void *)rec, *mask = (const void *)r.ctx_mask,
				  *new = (const void *)r.ctx_data;

	if (!(mask->flags & CAIRN_CQ_CTX_FLAGS_LOG2) || mask->flags & CAIRN_CQ_CTX_FLAGS_VALID)
		return true;
	return old->pi - new->ci <= 1u << CAIRN_GET(new->flags, CAIRN_CQ_CTX_FLAGS_LOG2);
}

static uint32_t ctx_execute(void)
{
	uint32_t op = CAIRN_GET(r.ctx_start, CAIRN_REG_CTX_START_OP);
	uint32_t table = CAIRN_GET(r.ctx_start, CAIRN_REG_CTX_START_TABLE);
	uint32_t part = CAIRN_GET(r.ctx_start, CAIRN_REG_CTX_START_PART);
	uint32_t *rec;

	if (op == CAIRN_CTX_OP_DROP) {
		drop(table, r.ctx_key);
		return CAIRN_CTX_RESULT_OK;
	}
	if (op == CAIRN_CTX_OP_EVICT)
		return CAIRN_CTX_RESULT_OK;
	rec = record(table, r.ctx_key, part);
	if (!rec)
		return CAIRN_CTX_RESULT_FREE;
	if (op == CAIRN_CTX_OP_INIT) {
		memset(r.ctx_mask, 0xff, sizeof(r.ctx_mask));
		memcpy(rec, r.ctx_data, 64);
		return CAIRN_CTX_RESULT_OK;
	}
	if (!rec[0])
		return CAIRN_CTX_RESULT_FREE;
	if (op == CAIRN_CTX_OP_MODIFY && table == CAIRN_TABLE_CQ && !resize_fits(rec))
		return CAIRN_CTX_RESULT_REFUSED;
	if (op == CAIRN_CTX_OP_MODIFY)
		for (unsigned int i = 0; i < 16; i++)
			rec[i] = (rec[i] & ~r.ctx_mask[i]) | (r.ctx_data[i] & r.ctx_mask[i]);
	memcpy(r.ctx_data, rec, 64);
	return CAIRN_CTX_RESULT_OK;
}

static void ctx_tick(void)
{
	if (!(r.ctx_status & CAIRN_REG_CTX_STATUS_BUSY) || r.ctx_delay--)
		return;
	r.ctx_status = CAIRN_REG_CTX_STATUS_DONE |
		       CAIRN_PUT(CAIRN_REG_CTX_STATUS_RESULT, ctx_execute());
}

static bool ctx_write(uint32_t at, uint32_t value)
{
	if (at >= CAIRN_CTX_DATA && at < CAIRN_CTX_DATA + 64)
		r.ctx_data[(at - CAIRN_CTX_DATA) / 4] = value;
	else if (at >= CAIRN_CTX_MASK && at < CAIRN_CTX_MASK + 64)
		r.ctx_mask[(at - CAIRN_CTX_MASK) / 4] = value;
	else if (at == CAIRN_REG_CTX_KEY)
		r.ctx_key = value & 0xffffff;
	else if (at == CAIRN_REG_CTX_STATUS)
		r.ctx_status &= ~(value & CAIRN_REG_CTX_STATUS_DONE);
	else
		return false;
	return true;
}

/* ---- firmware DMA ---- */

static void dma_tick(void)
{
	for (unsigned int i = 0; i < SLOTS; i++) {
		bool ok = r.op[i].iova >= HW_WINDOW && r.op[i].len &&
			  r.op[i].iova - HW_WINDOW <= HW_MEM - r.op[i].len;

		if (!(r.dma_busy >> i & 1) || r.op[i].delay--)
			continue;
		r.dma_busy &= ~(1u << i);
		r.dma_done |= (uint32_t)!r.op[i].quiet << i;
		if (ok && r.op[i].write)
			memcpy(hw.mem + (r.op[i].iova - HW_WINDOW), object_at(r.op[i].ram),
			       r.op[i].len);
		else if (ok)
			memcpy(object_at(r.op[i].ram), hw.mem + (r.op[i].iova - HW_WINDOW),
			       r.op[i].len);
		else if (!r.op[i].write)
			r.dma_done |= 0x100u << i;
	}
}

static void dma_start(uint32_t value)
{
	uint32_t slot = CAIRN_GET(value, CAIRN_REG_DMA_START_SLOT);

	hw_assert(!(r.dma_busy >> slot & 1) && !(r.dma_done >> slot & 1));
	hw_assert(r.dma_len && r.dma_len % 4 == 0 && r.dma_len <= 4096 && r.dma_ram % 4 == 0);
	r.dma_busy |= 1u << slot;
	r.op[slot].iova = r.dma_iova;
	r.op[slot].len = r.dma_len;
	r.op[slot].ram = r.dma_ram;
	r.op[slot].delay = delay();
	r.op[slot].write = value & CAIRN_REG_DMA_START_WRITE;
	r.op[slot].quiet = value & CAIRN_REG_DMA_START_QUIET;
}

/* ---- MMIO_DEV, MMIO_EQ ---- */

static void db_write(uint32_t value)
{
	uint32_t kind = CAIRN_GET(value, CAIRN_REG_DEV_DB_KIND);
	uint32_t page = CAIRN_GET(value, CAIRN_REG_DEV_DB_PAGE);

	hw_assert(kind <= CAIRN_DB_TABLE_EQ);
	if (r.db_number >= 1024)
		return;
	switch (CAIRN_GET(value, CAIRN_REG_DEV_DB_OP)) {
	case CAIRN_DB_OP_OPEN:
		hw.db[kind][r.db_number].valid = 1;
		hw.db[kind][r.db_number].error = 0;
		hw.db[kind][r.db_number].page = (uint8_t)page;
		hw.db[kind][r.db_number].index = 0;
		break;
	case CAIRN_DB_OP_CLOSE:
		memset(&hw.db[kind][r.db_number], 0, sizeof(hw.db[0][0]));
		break;
	case CAIRN_DB_OP_ERROR:
		hw.db[kind][r.db_number].error = !(page & 1);
		break;
	default:
		r.db_index = hw.db[kind][r.db_number].index;
	}
}

static void dev_write(uint32_t at, uint32_t value)
{
	uint32_t n = CAIRN_GET(value, CAIRN_REG_DEV_TABLE_TABLE);

	if (at >= CAIRN_DEV_GID_DATA && at < CAIRN_DEV_GID_DATA + 16)
		memcpy(r.gid + (at - CAIRN_DEV_GID_DATA), &value, 4);
	else if (at == CAIRN_REG_DEV_CTRL)
		hw.ctrl = value;
	else if (at == CAIRN_REG_DEV_FENCE) {
		hw_assert(!(r.fence_status & 1));
		r.fence_status |= CAIRN_REG_DEV_FENCE_STATUS_BUSY;
		r.fence_delay = delay();
	} else if (at == CAIRN_REG_DEV_FENCE_STATUS)
		r.fence_status &= ~(value & CAIRN_REG_DEV_FENCE_STATUS_DONE);
	else if (at == CAIRN_REG_DEV_LINK)
		hw.link &= ~(value & CAIRN_REG_DEV_LINK_CHANGED);
	else if (at == CAIRN_REG_DEV_TABLE_BASE)
		r.table_base = (r.table_base & ~0xffffffffull) | value;
	else if (at == CAIRN_REG_DEV_TABLE_BASE + 4)
		r.table_base = (uint32_t)r.table_base | (uint64_t)value << 32;
	else if (at == CAIRN_REG_DEV_TABLE) {
		hw.table_base[n] = r.table_base;
		hw.table_log2[n] = CAIRN_GET(value, CAIRN_REG_DEV_TABLE_LOG2);
		hw.table_valid &= ~(1u << n);
		hw.table_valid |= (value >> 31) << n;
	} else if (at == CAIRN_REG_DEV_GID) {
		n = CAIRN_GET(value, CAIRN_REG_DEV_GID_INDEX);
		memcpy(hw.gids[n].raw, r.gid, 16);
		hw.gids[n].reg = value;
	} else if (at == CAIRN_REG_DEV_GROUP) {
		n = CAIRN_GET(value, CAIRN_REG_DEV_GROUP_INDEX);
		memcpy(hw.groups[n].raw, r.gid, 16);
		hw.groups[n].reg = value;
	} else if (at == CAIRN_REG_DEV_MEMBER)
		hw.members[CAIRN_GET(value, CAIRN_REG_DEV_MEMBER_INDEX)] = value;
	else if (at == CAIRN_REG_DEV_DB_NUMBER)
		r.db_number = value & 0xffffff;
	else if (at == CAIRN_REG_DEV_DB)
		db_write(value);
	else if (at == CAIRN_REG_DEV_KICK) {
		hw_assert(value < 3);
		hw.kicks[value]++;
		hw.last_kick[value] = r.db_number;
	} else if (at == CAIRN_REG_DEV_EVENT_POP) {
		hw_assert(hw.n_reports);
		memmove(hw.reports, hw.reports + 1, --hw.n_reports * 4);
	} else
		hw_fail("MMIO_DEV: write to 0x%x", at);
}

static uint32_t dev_read(uint32_t at)
{
	switch (at) {
	case CAIRN_REG_DEV_FEATURES:
		return hw.features;
	case CAIRN_REG_DEV_BUILD:
		return HW_QPS_LOG2 << CAIRN_REG_BUILD_QPS_LOG2_SHIFT |
		       7u << CAIRN_REG_BUILD_CQS_LOG2_SHIFT | 4u << CAIRN_REG_BUILD_SRQS_LOG2_SHIFT;
	case CAIRN_REG_DEV_SIZES:
		return CAIRN_PUT(CAIRN_REG_SIZES_GIDS, 16u) |
		       CAIRN_PUT(CAIRN_REG_SIZES_EQS, HW_EQS) |
		       CAIRN_PUT(CAIRN_REG_SIZES_GROUPS, (uint32_t)CAIRN_MCAST_GROUPS);
	case CAIRN_REG_DEV_PORT:
		return hw.port;
	case CAIRN_REG_DEV_MAC:
		return (uint32_t)HW_MAC;
	case CAIRN_REG_DEV_MAC + 4:
		return (uint32_t)(HW_MAC >> 32);
	case CAIRN_REG_DEV_LINK:
		return hw.link;
	case CAIRN_REG_DEV_FENCE_STATUS:
		return r.fence_status;
	case CAIRN_REG_DEV_DB_INDEX:
		return r.db_index;
	case CAIRN_REG_DEV_EVENT:
		return hw.n_reports ? hw.reports[0] | CAIRN_REG_DEV_EVENT_VALID : 0;
	default:
		hw_fail("MMIO_DEV: read of 0x%x", at);
	}
}

static void eq_write(uint32_t at, uint32_t value)
{
	uint32_t eqn = value & 31;

	if (at == CAIRN_REG_EQ_SET) {
		hw.eq_valid &= ~(1u << eqn);
		hw.eq_valid |= (value >> 31) << eqn;
	} else if (at == CAIRN_REG_EQ_RESERVE) {
		r.eq_reserve_status = !(value >> 31) && hw.eq_users[eqn] == 200;
		if (value >> 31)
			hw.eq_users[eqn]--;
		else
			hw.eq_users[eqn] += !r.eq_reserve_status;
	} else if (at == CAIRN_REG_EQ_POST_NUMBER)
		r.post_number = value;
	else if (at == CAIRN_REG_EQ_POST_DATA)
		r.post_data = value;
	else if (at == CAIRN_REG_EQ_POST) {
		hw_assert(hw.eq_valid >> eqn & 1);
		hw.events[hw.n_events++ % HW_EVENTS] =
			(struct hw_event){ eqn, CAIRN_GET(value, CAIRN_REG_EQ_POST_TYPE),
					   r.post_number, r.post_data };
	} else if (at != CAIRN_REG_EQ_BASE && at != CAIRN_REG_EQ_BASE + 4)
		hw_fail("MMIO_EQ: write to 0x%x", at);
}

/* ---- MMIO_RAW ---- */

static void raw_write(uint32_t at, uint32_t value)
{
	uint32_t len = CAIRN_GET(value, CAIRN_REG_RAW_TX_LEN);

	if (at >= CAIRN_RAW_TX_BUFFER && at < CAIRN_RAW_TX_BUFFER + sizeof(r.tx)) {
		hw_assert(!r.tx_delay);
		memcpy(r.tx + (at - CAIRN_RAW_TX_BUFFER), &value, 4);
	} else if (at == CAIRN_REG_RAW_TX) {
		hw_assert(!r.tx_delay && len >= 14 && len <= sizeof(r.tx));
		memcpy(hw.tx[hw.n_tx % 64].data, r.tx, len);
		hw.tx[hw.n_tx++ % 64].len = len;
		r.tx_delay = hw.tx_slow ? hw.tx_slow : delay();
	} else if (at == CAIRN_REG_RAW_AWAIT_KEY) {
		r.await_key = value;
	} else if (at == CAIRN_REG_RAW_AWAIT) {
		uint32_t i = CAIRN_GET(value, CAIRN_REG_RAW_AWAIT_INDEX);

		hw.await[i].reg = value;
		hw.await[i].key = r.await_key;
	} else if (at == CAIRN_REG_RAW_RX_POP) {
		hw_assert(hw.n_rx && value < CAIRN_NET_OUTCOMES);
		hw.outcomes[value]++;
		memmove(hw.rx, hw.rx + 1, --hw.n_rx * sizeof(hw.rx[0]));
	} else
		hw_fail("MMIO_RAW: write to 0x%x", at);
}

static uint32_t raw_read(uint32_t at)
{
	uint32_t word;

	if (at == CAIRN_REG_RAW_RX)
		return hw.n_rx ? CAIRN_REG_RAW_RX_VALID | hw.rx[0].len |
					 (hw.rx[0].awaited ? CAIRN_REG_RAW_RX_ANSWER : 0)
			       : 0;
	if (at == CAIRN_REG_RAW_TX)
		return r.tx_delay ? CAIRN_REG_RAW_TX_BUSY : 0;
	hw_assert(at >= CAIRN_RAW_RX_BUFFER && at < CAIRN_RAW_RX_BUFFER + 2048 && hw.n_rx);
	memcpy(&word, hw.rx[0].data + (at - CAIRN_RAW_RX_BUFFER), 4);
	return word;
}

/* ---- all regions ---- */

static uint32_t mbx_read(uint32_t at)
{
	switch (at) {
	case CAIRN_REG_MBX_IRQ:
		return r.mbx_irq;
	case CAIRN_REG_MBX_ENABLE:
		return r.mbx_enable;
	case CAIRN_REG_MBX_CMD_BASE:
		return (uint32_t)HW_WINDOW;
	case CAIRN_REG_MBX_CMD_BASE + 4:
	case CAIRN_REG_MBX_CPL_BASE + 4:
		return (uint32_t)(HW_WINDOW >> 32);
	case CAIRN_REG_MBX_CPL_BASE:
		return (uint32_t)(HW_WINDOW + 0x10000);
	case CAIRN_REG_MBX_SIZE:
		return RING_LOG2;
	case CAIRN_REG_MBX_DB:
		return r.mbx_db;
	default:
		return 0; /* no log */
	}
}

uint32_t mmio_read32(uint32_t addr)
{
	uint32_t at = addr & 0xffff;

	switch (addr & 0xffff0000) {
	case CAIRN_MMIO_MBX:
		return mbx_read(at);
	case CAIRN_MMIO_CTX:
		if (at == CAIRN_REG_CTX_STATUS)
			return r.ctx_status;
		hw_assert(at >= CAIRN_CTX_DATA && at < CAIRN_CTX_DATA + 64);
		return r.ctx_data[(at - CAIRN_CTX_DATA) / 4];
	case CAIRN_MMIO_DMA:
		hw_assert(at == CAIRN_REG_DMA_DONE || at == CAIRN_REG_DMA_BUSY);
		return at == CAIRN_REG_DMA_DONE ? r.dma_done : r.dma_busy;
	case CAIRN_MMIO_RAW:
		return raw_read(at);
	case CAIRN_MMIO_DEV:
		return dev_read(at);
	case CAIRN_MMIO_EQ:
		hw_assert(at == CAIRN_REG_EQ_RESERVE_STATUS);
		return r.eq_reserve_status;
	default:
		hw_fail("read of 0x%x", addr);
	}
}

static void dma_write(uint32_t at, uint32_t value)
{
	if (at == CAIRN_REG_DMA_IOVA)
		r.dma_iova = (r.dma_iova & ~0xffffffffull) | value;
	else if (at == CAIRN_REG_DMA_IOVA + 4)
		r.dma_iova = (uint32_t)r.dma_iova | (uint64_t)value << 32;
	else if (at == CAIRN_REG_DMA_LEN)
		r.dma_len = value;
	else if (at == CAIRN_REG_DMA_RAM)
		r.dma_ram = value;
	else if (at == CAIRN_REG_DMA_START)
		dma_start(value);
	else if (at == CAIRN_REG_DMA_DONE)
		r.dma_done &= ~(value | value << 8);
	else
		hw_fail("MMIO_DMA: write to 0x%x", at);
}

void mmio_write32(uint32_t addr, uint32_t value)
{
	uint32_t at = addr & 0xffff;

	switch (addr & 0xffff0000) {
	case CAIRN_MMIO_MBX:
		if (at == CAIRN_REG_MBX_IRQ)
			r.mbx_irq &= ~value;
		else if (at == CAIRN_REG_MBX_STATE)
			hw.fatal = value & CAIRN_REG_MBX_STATE_FATAL;
		break;
	case CAIRN_MMIO_CTX:
		hw_assert(!(r.ctx_status & CAIRN_REG_CTX_STATUS_BUSY));
		if (ctx_write(at, value))
			break;
		hw_assert(at == CAIRN_REG_CTX_START);
		r.ctx_start = value;
		r.ctx_status = CAIRN_REG_CTX_STATUS_BUSY;
		r.ctx_delay = delay();
		break;
	case CAIRN_MMIO_DMA:
		dma_write(at, value);
		break;
	case CAIRN_MMIO_RAW:
		raw_write(at, value);
		break;
	case CAIRN_MMIO_DEV:
		dev_write(at, value);
		break;
	case CAIRN_MMIO_EQ:
		eq_write(at, value);
		break;
	default:
		hw_fail("write to 0x%x", addr);
	}
}

static void fence_tick(void)
{
	if (!(r.fence_status & CAIRN_REG_DEV_FENCE_STATUS_BUSY) || r.fence_delay--)
		return;
	r.fence_status = CAIRN_REG_DEV_FENCE_STATUS_DONE;
	hw.fences++;
	if (hw.on_fence)
		hw.on_fence();
}

void hw_tick(void)
{
	dma_tick();
	ctx_tick();
	fence_tick();
	r.tx_delay -= r.tx_delay > 0;
}
