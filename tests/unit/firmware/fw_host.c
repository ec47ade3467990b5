// SPDX-License-Identifier: Apache-2.0
/* The driver's side of fw_hw.h: the command queue, time, the state as a whole. */
#include "fw_regs.h"

static struct hw_cmd *outstanding[RING_SIZE];
static unsigned int n_outstanding;
static uint16_t posted;

/* ---- the host's side of the command queue ---- */

static void reap(void)
{
	struct cairn_cmd_cpl cpl;
	uint32_t at = r.cpls % RING_SIZE, id;
	bool phase = !(r.cpls / RING_SIZE & 1);
	struct hw_cmd *cmd;

	memcpy(&cpl, hw.mem + 0x10000 + at * sizeof(cpl), sizeof(cpl));
	if (!!(cpl.owner & CAIRN_CMD_CPL_OWNER_PHASE) != phase)
		return;
	hw_assert(CAIRN_GET(cpl.owner, CAIRN_CMD_CPL_OWNER_INDEX) == (r.cpls & 0xffff));
	r.cpls++;
	id = CAIRN_GET(cpl.head, CAIRN_CMD_CPL_HEAD_ID) % RING_SIZE;
	cmd = outstanding[id];
	hw_assert(cmd);
	outstanding[id] = NULL;
	n_outstanding--;
	cmd->done = true;
	cmd->status = CAIRN_GET(cpl.head, CAIRN_CMD_CPL_HEAD_STATUS);
	cmd->detail = CAIRN_GET(cpl.head, CAIRN_CMD_CPL_HEAD_DETAIL);
	cmd->value0 = cpl.value0;
	cmd->value1 = cpl.value1;
	memcpy(cmd->out, hw.mem + id * CAIRN_CMD_SLOT_BYTES + CAIRN_CMD_BYTES, sizeof(cmd->out));
}

static void pass(void)
{
	hw_tick();
	hw.now += 200;
	if (cpu_pending())
		r.asleep = false;
	if (!r.asleep) {
		hw.passes++;
		fw_pass();
	}
	reap();
}

void hw_run(uint64_t ns)
{
	uint64_t end = hw.now + ns;
	unsigned int quiet = 0;

	while (hw.now < end) {
		bool busy = r.dma_busy || (r.ctx_status & 1) || (r.fence_status & 1) || hw.n_rx ||
			    r.tx_delay || hw.n_reports;

		quiet = busy ? 0 : quiet + 1;
		if (quiet > 20 && hw.timer > hw.now) /* nothing before the timer */
			hw.now = hw.timer < end ? hw.timer : end;
		pass();
	}
}

void hw_post(struct hw_cmd *c)
{
	uint32_t slot = posted % RING_SIZE;
	struct cairn_cmd cmd = {
		.head = CAIRN_PUT(CAIRN_CMD_HEAD_OP, (uint32_t)c->op) |
			CAIRN_PUT(CAIRN_CMD_HEAD_FLAGS, c->flags) |
			CAIRN_PUT(CAIRN_CMD_HEAD_ID, (uint32_t)posted),
		.number = c->number,
		.ptr = c->ptr,
		.arg0 = c->arg[0],
		.arg1 = c->arg[1],
		.arg2 = c->arg[2],
		.arg3 = c->arg[3],
		.arg4 = c->arg[4],
		.arg5 = (uint32_t)c->arg[5],
		.check = ((uint32_t)CAIRN_CMD_MAGIC << 16 | posted) ^ c->bad_check,
	};

	uint8_t *at = hw.mem + slot * CAIRN_CMD_SLOT_BYTES;

	hw_assert(!outstanding[slot]);
	memcpy(at, &cmd, sizeof(cmd));
	rng_bytes(&hw.rng, at + sizeof(cmd), CAIRN_CMD_SLOT_BYTES - sizeof(cmd));
	if (c->in)
		memcpy(at + sizeof(cmd), c->in, c->in_bytes);
	c->done = false;
	outstanding[slot] = c;
	n_outstanding++;
	posted++;
}

void hw_ring(void)
{
	r.mbx_db = posted;
	r.mbx_irq |= CAIRN_REG_MBX_IRQ_DB;
}

void hw_wait(void)
{
	uint64_t end = hw.now + 20000000000ull;

	while (n_outstanding) {
		uint64_t before = hw.now;

		hw_run(2000);
		if (hw.timer > hw.now && hw.timer != ~0ull && hw.now - before >= 2000 &&
		    hw.timer < end && !r.dma_busy && !(r.ctx_status & 1))
			hw.now = hw.timer;
		if (hw.now >= end)
			hw_fail("%u commands do not end", n_outstanding);
	}
}

uint32_t hw_do(struct hw_cmd *c)
{
	hw_post(c);
	hw_ring();
	hw_wait();
	return c->status;
}

void hw_report(enum cairn_dev_event kind, uint32_t number)
{
	hw_assert(hw.n_reports < 64);
	hw.reports[hw.n_reports++] = CAIRN_PUT(CAIRN_REG_DEV_EVENT_KIND, (uint32_t)kind) |
				     CAIRN_PUT(CAIRN_REG_DEV_EVENT_NUMBER, number);
}

void hw_receive(const void *frame, uint32_t len)
{
	hw_assert(hw.n_rx < 16 && len <= 2048);
	memset(hw.rx[hw.n_rx].data, 0xee, 2048);
	memcpy(hw.rx[hw.n_rx].data, frame, len);
	hw.rx[hw.n_rx].awaited = false;
	hw.rx[hw.n_rx++].len = len;
}

unsigned int hw_count_events(uint32_t type, uint32_t number)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < hw.n_events && i < HW_EVENTS; i++)
		n += hw.events[i].type == type && hw.events[i].number == number;
	return n;
}

static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return h;
}

uint64_t hw_state_hash(void)
{
	uint64_t h = 0xcbf29ce484222325ull;

	h = hash(h, hw.qp, sizeof(hw.qp));
	h = hash(h, hw.cq, sizeof(hw.cq));
	h = hash(h, hw.srq, sizeof(hw.srq));
	h = hash(h, hw.mpt, sizeof(hw.mpt));
	h = hash(h, hw.db, sizeof(hw.db));
	h = hash(h, hw.gids, sizeof(hw.gids));
	h = hash(h, &hw.eq_valid, sizeof(hw.eq_valid));
	return hash(h, hw.eq_users, sizeof(hw.eq_users));
}

/* ---- start ---- */

void hw_boot(uint32_t features)
{
	static bool started;

	uint64_t timer = started ? hw.timer : ~0ull, now = hw.now;

	memset(&hw, 0, sizeof(hw));
	if (!started)
		memset(&r, 0, sizeof(r));
	hw.rng.state = test_seed();
	hw.now = now + 1000; /* firmware goes on */
	hw.timer = timer;
	hw.features = features;
	hw.port = 4200 | 100u << 16;
	hw.link = CAIRN_REG_DEV_LINK_UP;
	if (!started)
		fw_start();
	started = true;
	dev.features = features;
	dev.n_gids = GIDS;
	dev.n_eqs = HW_EQS;
	dev.n_groups = CAIRN_MCAST_GROUPS;
	r.cpls = 0;
	posted = 0;
	r.mbx_enable = 1;
	r.mbx_db = 0;
	r.mbx_irq = CAIRN_REG_MBX_IRQ_ENABLE;
	pass();
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_DISABLE }), OK);
}

void hw_open(void)
{
	static const struct {
		uint8_t table, log2;
	} tables[] = { { CAIRN_TABLE_QP, HW_QPS_LOG2 },
		       { CAIRN_TABLE_QP_COLD, HW_QPS_LOG2 },
		       { CAIRN_TABLE_RSP_RES, HW_QPS_LOG2 },
		       { CAIRN_TABLE_CQ, 7 },
		       { CAIRN_TABLE_SRQ, 4 },
		       { CAIRN_TABLE_MPT, 10 },
		       { CAIRN_TABLE_MTT, HW_MTT_LOG2 } };

	for (unsigned int i = 0; i < ARRAY_SIZE(tables); i++) {
		struct hw_cmd c = { .op = CAIRN_CMD_OP_SETUP_TABLE,
				    .number = tables[i].table,
				    .ptr = 0x10000000ull * (i + 1),
				    .arg = { tables[i].log2 } };

		if (tables[i].table != CAIRN_TABLE_SRQ || hw.features & CAIRN_REG_FEATURES_SRQ)
			hw_expect(&c, OK);
	}
	for (uint32_t i = 0; i < 2; i++)
		hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_CREATE_EQ,
					     .number = i,
					     .ptr = 0x90000000,
					     .arg = { 10, i, 0 } }),
			  OK);
	hw_expect((&(struct hw_cmd){ .op = CAIRN_CMD_OP_ENABLE }), OK);
}
