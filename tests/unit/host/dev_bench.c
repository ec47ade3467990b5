// SPDX-License-Identifier: Apache-2.0
/* Bench of dev_mmio: model, comparison, surroundings. */
#include "dev_bench.h"

#include <stdio.h>
#include <string.h>

/* ---- model ---- */

static uint32_t bit(uint32_t mask, bool on)
{
	return on ? mask : 0;
}

/* By enum kick. */
static const char *const kick_ready[] = { "kick_sched_ready_i", "kick_walk_ready_i",
					  "kick_flush_ready_i" };

/* What a read returns; false: hw.def does not say (or nothing has been written yet). */
static bool model_read(struct bench *b, uint32_t addr, uint32_t *value)
{
	struct model *m = &b->m;
	uint64_t mac = vtb_get(b->tb, "facts_mac_i");

	*value = 0;
	switch (addr) {
	case CAIRN_REG_DEV_CTRL:
		*value = bit(CAIRN_REG_DEV_CTRL_ENABLE, m->enable) |
			 bit(CAIRN_REG_DEV_CTRL_NO_LOOP, m->no_loop);
		return true;
	case CAIRN_REG_DEV_FENCE_STATUS:
		*value = bit(CAIRN_REG_DEV_FENCE_STATUS_BUSY, m->fence_busy) |
			 bit(CAIRN_REG_DEV_FENCE_STATUS_DONE, m->fence_done);
		return true;
	case CAIRN_REG_DEV_FEATURES:
		*value = (uint32_t)vtb_get(b->tb, "facts_features_i");
		return true;
	case CAIRN_REG_DEV_BUILD:
		*value = (uint32_t)vtb_get(b->tb, "facts_build_i");
		return true;
	case CAIRN_REG_DEV_SIZES:
		*value = (uint32_t)vtb_get(b->tb, "facts_sizes_i");
		return true;
	case CAIRN_REG_DEV_PORT:
		*value = (uint32_t)vtb_get(b->tb, "facts_port_i");
		return true;
	case CAIRN_REG_DEV_MAC:
		*value = (uint32_t)mac;
		return true;
	case CAIRN_REG_DEV_MAC + 4:
		*value = (uint32_t)(mac >> 32);
		return true;
	case CAIRN_REG_DEV_LINK:
		*value = bit(CAIRN_REG_DEV_LINK_UP, m->link) |
			 bit(CAIRN_REG_DEV_LINK_CHANGED, m->changed);
		return true;
	case CAIRN_REG_DEV_TABLE_BASE:
		*value = (uint32_t)m->base;
		return m->base_words & 1;
	case CAIRN_REG_DEV_TABLE_BASE + 4:
		*value = (uint32_t)(m->base >> 32);
		return m->base_words & 2;
	case CAIRN_REG_DEV_DB_NUMBER:
		*value = m->number;
		return true;
	case CAIRN_REG_DEV_DB_INDEX:
		*value = m->index;
		return m->index_known;
	case CAIRN_REG_DEV_EVENT:
		*value = m->n_events ? m->events[0] : 0; /* if not VALID only that bit counts */
		return true;
	default:
		return true;
	}
}

static void model_table(struct model *m, uint32_t data)
{
	unsigned int table = CAIRN_GET(data, CAIRN_REG_DEV_TABLE_TABLE);

	if (table >= TABLES)
		return;
	m->tables[table].base = m->base;
	m->tables[table].base_known = m->base_words == 3;
	m->tables[table].entries = data & CAIRN_REG_DEV_TABLE_VALID
					   ? 1ULL << CAIRN_GET(data, CAIRN_REG_DEV_TABLE_LOG2)
					   : 0;
}

static void model_pop(struct model *m)
{
	if (m->n_events)
		memmove(m->events, m->events + 1, --m->n_events * sizeof(m->events[0]));
}

static void model_base(struct model *m, unsigned int word, uint32_t data)
{
	m->base &= ~(0xffffffffULL << 32 * word);
	m->base |= (uint64_t)data << 32 * word;
	m->base_words |= 1u << word;
}

static void model_write(struct bench *b, uint32_t addr, uint32_t data)
{
	struct model *m = &b->m;

	if (addr >= CAIRN_DEV_GID_DATA && addr < CAIRN_DEV_GID_DATA + 16) {
		memcpy(m->gid + (addr - CAIRN_DEV_GID_DATA), &data, 4);
		m->gid_words |= 1u << (addr - CAIRN_DEV_GID_DATA) / 4;
		return;
	}
	switch (addr) {
	case CAIRN_REG_DEV_CTRL:
		m->enable = data & CAIRN_REG_DEV_CTRL_ENABLE;
		m->no_loop = data & CAIRN_REG_DEV_CTRL_NO_LOOP;
		break;
	case CAIRN_REG_DEV_FENCE:
		b->fence_strobe = (data & 1) && !m->fence_busy;
		m->fence_busy |= data & 1;
		break;
	case CAIRN_REG_DEV_FENCE_STATUS:
		m->fence_done &= !(data & CAIRN_REG_DEV_FENCE_STATUS_DONE);
		break;
	case CAIRN_REG_DEV_LINK:
		m->changed &= !(data & CAIRN_REG_DEV_LINK_CHANGED);
		break;
	case CAIRN_REG_DEV_TABLE_BASE:
	case CAIRN_REG_DEV_TABLE_BASE + 4:
		model_base(m, addr != CAIRN_REG_DEV_TABLE_BASE, data);
		break;
	case CAIRN_REG_DEV_TABLE:
		model_table(m, data);
		break;
	case CAIRN_REG_DEV_GID:
	case CAIRN_REG_DEV_GROUP:
		b->gid_strobe = true;
		b->gid_kind = addr;
		b->gid_entry = data;
		break;
	case CAIRN_REG_DEV_MEMBER: /* the QPN goes where the first bytes of an address do */
		b->gid_strobe = true;
		b->gid_kind = addr;
		b->gid_entry = data;
		for (unsigned int i = 0; i < 3; i++)
			m->gid[i] = (uint8_t)(CAIRN_GET(data, CAIRN_REG_DEV_MEMBER_QPN) >> 8 * i);
		break;
	case CAIRN_REG_DEV_DB_NUMBER:
		m->number = data & 0xffffff;
		break;
	case CAIRN_REG_DEV_EVENT_POP:
		model_pop(m);
		break;
	}
}

/* ---- what every cycle must look like ---- */

static void check_outputs(struct bench *b)
{
	struct vtb *tb = b->tb;
	struct model *m = &b->m;

	vtb_check_eq(tb, vtb_get(tb, "enable_o"), m->enable);
	vtb_check_eq(tb, vtb_get(tb, "loop_o"), !m->no_loop);
	vtb_check_eq(tb, vtb_get(tb, "irq_fence_o"), m->fence_done);
	vtb_check_eq(tb, vtb_get(tb, "irq_link_o"), m->changed);
	vtb_check_eq(tb, vtb_get(tb, "irq_evt_o"), m->n_events != 0);
	vtb_check_eq(tb, vtb_get(tb, "fence_start_o"), b->fence_strobe);
	vtb_check_eq(tb, vtb_get(tb, "gid_we_o"), b->gid_strobe);
	b->n_fence += b->fence_strobe;
	b->n_gid += b->gid_strobe;
	for (unsigned int t = 0; t < TABLES; t++) {
		vtb_check_eq(tb, vtb_get_bits(b->entries, 33 * t, 33), m->tables[t].entries);
		if (m->tables[t].entries && m->tables[t].base_known)
			vtb_check_eq(tb, vtb_get_bits(b->base, 64 * t, 64), m->tables[t].base);
	}
	if (b->gid_strobe) {
		uint32_t e = b->gid_entry;

		bool member = b->gid_kind == CAIRN_REG_DEV_MEMBER;
		unsigned int index = b->gid_kind == CAIRN_REG_DEV_GROUP ? 16 : 0;

		index += member ? 128 + CAIRN_GET(e, CAIRN_REG_DEV_MEMBER_INDEX)
				: CAIRN_GET(e, CAIRN_REG_DEV_GID_INDEX);
		vtb_check_eq(tb, vtb_get(tb, "gid_index_o"), index);
		vtb_check_eq(tb, vtb_get(tb, "gid_valid_o"),
			     member ? CAIRN_GET(e, CAIRN_REG_DEV_MEMBER_VALID)
				    : CAIRN_GET(e, CAIRN_REG_DEV_GID_VALID));
		if (index < 16) {
			vtb_check_eq(tb, vtb_get(tb, "gid_ipv6_o"),
				     CAIRN_GET(e, CAIRN_REG_DEV_GID_IPV6));
			vtb_check_eq(tb, vtb_get(tb, "gid_vlan_o"),
				     CAIRN_GET(e, CAIRN_REG_DEV_GID_VLAN));
			vtb_check_eq(tb, vtb_get(tb, "gid_vid_o"),
				     CAIRN_GET(e, CAIRN_REG_DEV_GID_VID));
		}
		for (unsigned int i = 0; i < 16; i++)
			if (m->gid_words >> i / 4 & 1 || (member && i < 3))
				vtb_check_eq(tb, vtb_get_bits(b->gid, 120 - 8 * i, 8), m->gid[i]);
	}
}

/* Doorbell entry and kicks that are on offer; true: taken in this cycle. */
static bool slow_access(struct bench *b, bool db, bool kick, uint32_t data)
{
	struct vtb *tb = b->tb;
	unsigned int who = CAIRN_GET(data, CAIRN_REG_DEV_KICK_WHO);
	bool hs = false;

	vtb_check_eq(tb, vtb_get(tb, "db_op_valid_o"), db);
	vtb_check_eq(tb, vtb_get(tb, "kick_sched_o"), kick && who == CAIRN_KICK_SCHED);
	vtb_check_eq(tb, vtb_get(tb, "kick_walk_o"), kick && who == CAIRN_KICK_CMP);
	vtb_check_eq(tb, vtb_get(tb, "kick_flush_o"), kick && who == CAIRN_KICK_RSP);
	if (db) {
		vtb_check_eq(tb, vtb_get(tb, "db_op_kind_o"),
			     CAIRN_GET(data, CAIRN_REG_DEV_DB_KIND));
		vtb_check_eq(tb, vtb_get(tb, "db_op_op_o"), CAIRN_GET(data, CAIRN_REG_DEV_DB_OP));
		vtb_check_eq(tb, vtb_get(tb, "db_op_page_o"),
			     CAIRN_GET(data, CAIRN_REG_DEV_DB_PAGE));
		vtb_check_eq(tb, vtb_get(tb, "db_op_gen_o"), CAIRN_GET(data, CAIRN_REG_DEV_DB_GEN));
		vtb_check_eq(tb, vtb_get(tb, "db_op_number_o"), b->m.number);
		hs = vtb_get(tb, "db_op_ready_i");
		b->n_db += hs;
		if (hs && CAIRN_GET(data, CAIRN_REG_DEV_DB_OP) == CAIRN_DB_OP_READ) {
			b->m.index = (uint32_t)vtb_get(tb, "db_op_index_i");
			b->m.index_known = true;
		}
	}
	if (kick && who != NOBODY) {
		vtb_check_eq(tb, vtb_get(tb, "kick_qpn_o"), b->m.number);
		hs = vtb_get(tb, kick_ready[who]);
		b->n_kick[who] += hs;
	}
	return hs;
}

/* A doorbell entry or a kick: on offer in the cycle after it came, until it is taken; the access is
 * over in the cycle after that.  One that is for nobody is over as soon.  True: over. */
static bool slow_done(struct bench *b, bool db, bool kick, uint32_t data)
{
	bool nobody = kick && CAIRN_GET(data, CAIRN_REG_DEV_KICK_WHO) == NOBODY;
	enum slow was = b->slow;
	bool hs = slow_access(b, db && was == SLOW_OFFERED, kick && was == SLOW_OFFERED, data);

	if (!db && !kick)
		return false;
	if (was == SLOW_NONE)
		b->slow = nobody ? SLOW_TAKEN : SLOW_OFFERED;
	else if (was == SLOW_TAKEN || hs)
		b->slow = was == SLOW_TAKEN ? SLOW_NONE : SLOW_TAKEN;
	return was == SLOW_TAKEN;
}

unsigned int dev_bench_ready(const struct bench *b)
{
	unsigned int ready = 0;

	for (unsigned int s = 0; s < SOURCES; s++)
		ready |= (unsigned int)vtb_read(b->ready[s]) << s;
	return ready;
}

/* Those that have something to tell, a bit each. */
static unsigned int sources(const struct bench *b)
{
	unsigned int valid = 0;

	for (unsigned int s = 0; s < SOURCES; s++)
		valid |= (unsigned int)vtb_read(b->event[s]) << s;
	return valid;
}

/* One is chosen, and taken next or when there is room; none waits for more than the others. */
static void events(struct bench *b, unsigned int n_before)
{
	struct vtb *tb = b->tb;
	unsigned int valid = sources(b), ready = dev_bench_ready(b), i = 0;

	vtb_check_eq(tb, ready & ~valid, 0);
	vtb_check_eq(tb, ready != 0, b->m.chosen && n_before < QUEUE);
	b->m.chosen = ready ? false : b->m.chosen || valid;
	if (!ready)
		return;
	vtb_check_eq(tb, ready & (ready - 1), 0);
	while (!(ready >> i & 1))
		i++;
	for (unsigned int s = 0; s < SOURCES; s++)
		b->waited[s] = s != i && valid >> s & 1 ? b->waited[s] + 1 : 0;
	for (unsigned int s = 0; s < SOURCES; s++)
		vtb_check(tb, b->waited[s] < SOURCES);
	b->taken[i] = true;
	b->m.events[b->m.n_events++] =
		CAIRN_REG_DEV_EVENT_VALID |
		CAIRN_PUT(CAIRN_REG_DEV_EVENT_KIND, i + CAIRN_DEV_EVENT_CQ_ERROR) |
		(uint32_t)vtb_read(b->number[i]);
}

static void answer(struct bench *b)
{
	uint32_t got = (uint32_t)vtb_get(b->tb, "mmio_rdata_o");

	vtb_check_eq(b->tb, vtb_get(b->tb, "mmio_ready_o"), b->took);
	if (!b->took || !b->read_known)
		return;
	if (vtb_get(b->tb, "mmio_addr_i") == CAIRN_REG_DEV_EVENT && !b->read_value)
		got &= CAIRN_REG_DEV_EVENT_VALID;
	vtb_check_eq(b->tb, got, b->read_value);
}

static void facts_of_cycle(struct bench *b, bool done, bool link)
{
	struct model *m = &b->m;

	if (done && m->fence_busy) {
		m->fence_busy = false;
		m->fence_done = true;
	}
	m->changed |= link != m->link;
	m->link = link;
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	uint32_t addr = (uint32_t)vtb_get(tb, "mmio_addr_i"),
		 data = (uint32_t)vtb_get(tb, "mmio_wdata_i");
	bool we = vtb_get(tb, "mmio_we_i"), begin, db, kick, fence_was;
	unsigned int n_before = b->m.n_events;

	if (!vtb_read(tb->rst_n)) {
		memset(&b->m, 0, sizeof(b->m));
		memset(b->waited, 0, sizeof(b->waited));
		b->took = b->fence_strobe = b->gid_strobe = false;
		b->slow = SLOW_NONE;
		return;
	}
	answer(b);
	check_outputs(b);
	b->fence_strobe = b->gid_strobe = false;
	begin = vtb_get(tb, "mmio_valid_i") && !b->took;
	db = begin && we && addr == CAIRN_REG_DEV_DB;
	kick = begin && we && addr == CAIRN_REG_DEV_KICK;
	b->took = (slow_done(b, db, kick, data) || !(db || kick)) && begin;
	b->read_known = b->took && !we && model_read(b, addr, &b->read_value);
	fence_was = b->m.fence_busy;
	if (b->took && we)
		model_write(b, addr, data);
	events(b, n_before);
	facts_of_cycle(b, fence_was && vtb_get(tb, "fence_done_i"), vtb_get(tb, "facts_link_i"));
}

/* ---- surroundings ---- */

static void drive_events(struct bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int valid = sources(b);

	for (unsigned int i = 0; i < SOURCES; i++) {
		if (b->taken[i]) {
			b->taken[i] = false;
			valid &= ~(1u << i);
		}
		if (valid >> i & 1)
			continue;
		vtb_put(b->number[i], rng_u64(&tb->rng) & 0xffffff);
		if (rng_percent(&tb->rng, b->event_pct))
			valid |= 1u << i;
	}
	for (unsigned int i = 0; i < SOURCES; i++)
		vtb_put(b->event[i], valid >> i & 1);
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	vtb_set(tb, "db_op_ready_i", !rng_percent(&tb->rng, b->busy_pct));
	for (unsigned int i = 0; i < 3; i++)
		vtb_set(tb, kick_ready[i], !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "db_op_index_i", rng_u64(&tb->rng) & 0xffff);
	vtb_set(tb, "fence_done_i",
		(b->m.fence_busy || b->wild_done) && rng_percent(&tb->rng, b->done_pct));
	if (rng_percent(&tb->rng, b->link_pct))
		vtb_set(tb, "facts_link_i", !vtb_get(tb, "facts_link_i"));
	drive_events(b);
}

struct bench *dev_bench_new(void)
{
	static const char *const source[SOURCES] = { "cq_error", "bad_doorbell", "eq_overflow",
						     "qp_error" };
	struct bench *b = calloc(1, sizeof(*b));
	char name[48];

	b->tb = vtb_create();
	for (unsigned int s = 0; s < SOURCES; s++) {
		snprintf(name, sizeof(name), "fw_event_%s_valid_i", source[s]);
		b->event[s] = vtb_port(b->tb, name);
		snprintf(name, sizeof(name), "fw_event_%s_number_i", source[s]);
		b->number[s] = vtb_port(b->tb, name);
		snprintf(name, sizeof(name), "fw_event_%s_ready_o", source[s]);
		b->ready[s] = vtb_port(b->tb, name);
	}
	b->base = vtb_port(b->tb, "table_base_o");
	b->entries = vtb_port(b->tb, "table_entries_o");
	b->gid = vtb_port(b->tb, "gid_addr_o");
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

void dev_bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

/* Without valid, anything may stand on the other lines. */
static void pause(struct bench *b)
{
	while (rng_percent(&b->tb->rng, b->idle_pct)) {
		vtb_set(b->tb, "mmio_valid_i", 0);
		vtb_set(b->tb, "mmio_we_i", rng_percent(&b->tb->rng, 50));
		vtb_set(b->tb, "mmio_addr_i", CAIRN_REG_DEV_CTRL + 4 * rng_below(&b->tb->rng, 32));
		vtb_set(b->tb, "mmio_wdata_i", rng_u64(&b->tb->rng) >> 32);
		vtb_tick(b->tb);
	}
}

uint32_t dev_mmio(struct bench *b, bool we, uint32_t addr, uint32_t data)
{
	uint32_t value;

	pause(b);
	vtb_set(b->tb, "mmio_valid_i", 1);
	vtb_set(b->tb, "mmio_we_i", we);
	vtb_set(b->tb, "mmio_addr_i", addr);
	vtb_set(b->tb, "mmio_wdata_i", data);
	vtb_tick(b->tb);
	vtb_run_until(b->tb, b->took, 2000);
	vtb_eval(b->tb);
	value = (uint32_t)vtb_get(b->tb, "mmio_rdata_o");
	vtb_tick(b->tb);
	vtb_set(b->tb, "mmio_valid_i", 0); /* the next access may follow at once */
	return value;
}

uint32_t dev_get(struct bench *b, uint32_t addr)
{
	return dev_mmio(b, false, addr, (uint32_t)rng_u64(&b->tb->rng));
}

void dev_put(struct bench *b, uint32_t addr, uint32_t data)
{
	dev_mmio(b, true, addr, data);
}
