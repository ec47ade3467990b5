/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings of dma_write; see wr_bench.h. */
#include "wr_bench.h"

#include <stdlib.h>

#include "vtb_dma.h"

/* ---- commands ---- */

static struct wr_cmd *new_cmd(struct wr_bench *b, unsigned int client, unsigned int len,
			      unsigned int off)
{
	struct wr_cmd *c = &b->cmds[b->n_cmds];
	struct rng *rng = &b->tb->rng;

	vtb_check(b->tb, b->n_cmds < WR_MAX_CMDS);
	c->client = client;
	c->len = len;
	c->iova = (uint64_t)(b->n_cmds + 1) << 14 | (b->n_cmds & 1 ? 0x7100000000000ULL : 0);
	c->iova += off;
	c->relaxed = rng_percent(rng, 30);
	c->epoch = rng_percent(rng, 50);
	c->func = 0;
	rng_bytes(rng, c->data, len);
	b->n_cmds++;
	return c;
}

/* What dma_wr_arbiter passes on of a client's small data. */
static const unsigned int room[WR_CLIENTS] = { 32, 8, 32, 16, 64, 64, 64, 32 };

struct wr_cmd *wr_small(struct wr_bench *b, unsigned int client, unsigned int len, unsigned int off)
{
	if (!len) {
		len = (unsigned int)rng_range(&b->tb->rng, 1, room[client]);
		off = rng_percent(&b->tb->rng, 20)
			      ? 4096 - (unsigned int)rng_below(&b->tb->rng, len + 1)
			      : (unsigned int)rng_below(&b->tb->rng, 4096);
	}
	return new_cmd(b, client, len < room[client] ? len : room[client], off);
}

struct wr_cmd *wr_payload(struct wr_bench *b, unsigned int client, unsigned int len,
			  unsigned int off, bool first, bool free)
{
	struct wr_cmd *c = new_cmd(b, client, len, off);

	c->payload = true;
	c->first = first;
	c->free = free;
	c->cell = (unsigned int)rng_below(&b->tb->rng, 4096);
	c->off = (unsigned int)rng_below(&b->tb->rng, 256);
	return c;
}

static void show(struct wr_bench *b, unsigned int client, const struct wr_cmd *c)
{
	struct rec_dma_wr cmd = {
		.func = (uint8_t)c->func,
		.iova = c->iova,
		.len = (uint16_t)c->len,
		.epoch = c->epoch,
		.relaxed = c->relaxed,
		.payload = c->payload,
		.first = c->first,
		.free = c->free,
		.cell_head = (uint16_t)c->cell,
		.off = (uint8_t)c->off,
	};

	rng_bytes(&b->tb->rng, cmd.data, sizeof(cmd.data));
	if (!c->payload && client == REC_WR_FW && b->bytes < 64) {
		unsigned int at = b->bytes * (unsigned int)vtb_get(b->tb, "fw_word_o");

		if (at < c->len)
			memcpy(cmd.data, c->data + at,
			       c->len - at < b->bytes ? c->len - at : b->bytes);
	} else if (!c->payload) {
		memcpy(cmd.data, c->data, c->len);
	}
	vtb_put_dma_wr(b->wr_cmd[client], 0, &cmd);
}

static void drive_clients(struct wr_bench *b)
{
	for (unsigned int k = 0; k < WR_CLIENTS; k++) {
		if (!b->shown[k] && !rng_percent(&b->tb->rng, b->cmd_idle)) {
			while (b->head[k] < b->n_cmds && b->cmds[b->head[k]].client != k)
				b->head[k]++;
			if (b->head[k] < b->n_cmds) {
				b->shown[k] = &b->cmds[b->head[k]++];
				show(b, k, b->shown[k]);
			}
		}
		/* FW shows the word that is wanted */
		if (k == REC_WR_FW && b->bytes < 64 && b->shown[k])
			show(b, k, b->shown[k]);
		vtb_put(b->wr_valid[k], b->shown[k] != NULL);
	}
}

static void sample_clients(struct wr_bench *b)
{
	unsigned int n = 0;

	for (unsigned int k = 0; k < WR_CLIENTS; k++) {
		struct wr_cmd *c = b->shown[k];

		/* (at 512 bits ready does not wait for a command) */
		if (!vtb_read(b->wr_ready[k]) || !c)
			continue;
		vtb_check_eq(b->tb, n++, 0);
		/* A packet is not mixed with anything. */
		vtb_check(b->tb, !b->locked || b->locked == k + 1);
		b->locked = c->payload && !c->free ? k + 1 : 0;
		c->taken = true;
		c->t_taken = b->tb->cycle;
		c->ticket = (unsigned int)vtb_read(b->ticket);
		if (b->n_taken)
			vtb_check_eq(b->tb, c->ticket,
				     (b->order[b->n_taken - 1]->ticket + 1) & 0xffff);
		b->order[b->n_taken++] = c;
		b->shown[k] = NULL;
	}
}

/* ---- pool reader ---- */

static struct wr_cmd *payload_cmd(struct wr_bench *b, unsigned int index)
{
	for (unsigned int i = 0; i < b->n_taken; i++)
		if (b->order[i]->payload && !index--)
			return b->order[i];
	return NULL;
}

static void drive_pool(struct wr_bench *b)
{
	struct rng *rng = &b->tb->rng;
	struct wr_cmd *c = NULL;
	uint8_t data[64];
	unsigned int n;

	vtb_put(b->pc_ready, !rng_percent(rng, b->pool_cmd_stall));
	while (b->pool_fed < b->pool_cmds) {
		c = payload_cmd(b, b->pool_fed);
		if (c->len)
			break;
		b->pool_fed++; /* only frees */
		c = NULL;
	}
	if (!b->pool_shown)
		b->pool_shown = c && !rng_percent(rng, b->pool_gap);
	vtb_put(b->pd_valid, b->pool_shown);
	if (!b->pool_shown)
		return;
	rng_bytes(rng, data, sizeof(data));
	n = c->len - b->pool_pos < b->bytes ? c->len - b->pool_pos : b->bytes;
	memcpy(data, c->data + b->pool_pos, n);
	vtb_put_bytes(b->pd_data, 0, data, b->bytes);
}

static void sample_pool(struct wr_bench *b)
{
	if (b->pool_shown && vtb_read(b->pd_ready)) {
		struct wr_cmd *c = payload_cmd(b, b->pool_fed);

		b->pool_shown = false;
		b->pool_pos += b->bytes;
		if (b->pool_pos >= c->len) {
			b->pool_pos = 0;
			b->pool_fed++;
		}
	}
	if (vtb_read(b->pc_valid) && vtb_read(b->pc_ready)) {
		struct rec_pool_read read = vtb_get_pool_read(vtb_port(b->tb, "pool_cmd_cmd_o"), 0);
		struct wr_cmd *c = payload_cmd(b, b->pool_cmds++);

		vtb_check(b->tb, c);
		vtb_check_eq(b->tb, read.len, c->len);
		vtb_check_eq(b->tb, read.first, c->first);
		vtb_check_eq(b->tb, read.free, c->free);
		vtb_check_eq(b->tb, read.cell_head, c->cell);
		vtb_check_eq(b->tb, read.off, c->off);
	}
}

/* ---- TLP stream ---- */

static void finish_cmd(struct wr_bench *b)
{
	b->order[b->n_sent++]->sent = true;
}

static void begin_tlp(struct wr_bench *b)
{
	struct vtb *tb = b->tb;
	struct tlp_hdr h = tlp_get_hdr(b->m_hdr);
	struct wr_cmd *c;

	while (b->n_sent < b->n_taken && !b->order[b->n_sent]->len)
		finish_cmd(b);
	vtb_check(tb, b->n_sent < b->n_taken);
	c = b->tlp_cmd = b->order[b->n_sent];
	b->tlp = tlp_mem_decode(&h);
	tlp_mem_check(tb, &b->tlp, true, b->limit);
	vtb_check_eq(tb, b->tlp.reqid, 0x4321);
	vtb_check_eq(tb, b->tlp.attr, c->relaxed && !b->strict ? 2 : 0);
	vtb_check_eq(tb, b->tlp.first, c->iova + c->done);
	vtb_check(tb, b->tlp.bytes <= c->len - c->done);
	b->tlp_beat = 0;
	b->n_tlps++;
	b->n_dropped += vtb_read(b->m_drop);
	b->tlp_bytes += vtb_read(b->m_drop) ? 0 : b->tlp.bytes;
}

static void check_beat(struct wr_bench *b)
{
	struct vtb *tb = b->tb;
	unsigned int skip = (unsigned int)(b->tlp.first - b->tlp.addr);
	uint8_t data[64];

	vtb_get_bytes(b->m_data, 0, data, b->bytes);
	for (unsigned int i = 0; i < b->bytes; i++) {
		unsigned int lane = b->tlp_beat * b->bytes + i;

		if (lane >= skip && lane < skip + b->tlp.bytes)
			vtb_check_eq(tb, data[i], b->tlp_cmd->data[b->tlp_cmd->done + lane - skip]);
	}
	b->tlp_beat++;
	vtb_check_eq(tb, vtb_read(b->m_last), b->tlp_beat * b->bytes >= 4 * b->tlp.length);
}

static void sample_tlp(struct wr_bench *b)
{
	struct vtb *tb = b->tb;

	/* Store and forward: nothing is missing once a TLP has begun. */
	vtb_check(tb, vtb_read(b->m_valid) || !b->mid);
	if (!vtb_read(b->m_valid) || !vtb_read(b->m_ready))
		return;
	vtb_check_eq(tb, vtb_read(b->m_sop), !b->mid);
	if (!b->mid)
		begin_tlp(b);
	check_beat(b);
	b->mid = !vtb_read(b->m_last);
	if (!b->n_beats++)
		b->first_beat = tb->cycle;
	else if (tb->cycle - b->last_beat > b->max_gap)
		b->max_gap = tb->cycle - b->last_beat;
	b->last_beat = tb->cycle;
	if (!b->mid) {
		b->tlp_cmd->done += b->tlp.bytes;
		if (b->tlp_cmd->done == b->tlp_cmd->len)
			finish_cmd(b);
	}
}

/* The sent ticket is never ahead of the stream, and follows it in the next cycle (empty commands
 * aside). */
static void check_ticket(struct wr_bench *b)
{
	unsigned int sent = (unsigned int)vtb_read(b->sent), n = b->n_sent;
	unsigned int base = b->n_taken ? b->order[0]->ticket - 1 : sent;

	while (n < b->n_taken && !b->order[n]->len)
		n++;
	vtb_check(b->tb, ((sent - base) & 0xffff) <= n);
	n = b->n_sent;
	while (n && !b->order[n - 1]->len)
		n--;
	vtb_check(b->tb, ((sent - base) & 0xffff) >= n);
}

/* What an answer must wait for is told: a large write that has not left, and all behind a link that
 * stands. */
static void check_posted(struct wr_bench *b)
{
	bool late = vtb_get(b->tb, "posted_late_o");
	unsigned int large = (unsigned int)vtb_get(b->tb, "posted_slow_o"), n = b->n_taken;

	while (n && b->order[n - 1]->len <= 128)
		n--;
	if (n && (int16_t)(vtb_read(b->sent) - b->order[n - 1]->ticket) < 0)
		vtb_check(b->tb, late && (int16_t)(large - b->order[n - 1]->ticket) >= 0);
	b->stands = vtb_read(b->m_valid) && !vtb_read(b->m_ready) ? b->stands + 1 : 0;
	if (b->stands > 16)
		vtb_check(b->tb, late && (int16_t)(large - vtb_get(b->tb, "last_ticket_o")) >= 0);
	b->late += late;
}

static void drive(struct vtb *tb, void *arg)
{
	struct wr_bench *b = arg;

	drive_clients(b);
	drive_pool(b);
	vtb_put(b->m_ready, b->drop || !rng_percent(&tb->rng, b->mwr_stall));
	vtb_put(b->m_drop, b->drop);
}

static void sample(struct vtb *tb, void *arg)
{
	struct wr_bench *b = arg;

	(void)tb;
	check_ticket(b);
	check_posted(b);
	sample_clients(b);
	sample_pool(b);
	sample_tlp(b);
	b->ev_wr += vtb_read(b->ev[0]);
	b->ev_bytes += vtb_get(b->tb, "events_dma_wr_bytes_o");
	b->ev_drop += vtb_read(b->ev[1]);
}

/* ---- life ---- */

struct wr_bench *wr_bench_new(unsigned int mps, unsigned int mps_max)
{
	static const char *const names[] = {
		"ticket_o",	     "posted_sent_o",	  "pool_cmd_valid_o", "pool_cmd_ready_i",
		"pool_data_valid_i", "pool_data_ready_o", "pool_data_data_i", "mwr_valid_o",
		"mwr_ready_i",	     "mwr_drop_i",	  "mwr_sop_o",	      "mwr_last_o",
		"mwr_hdr_o",	     "mwr_data_o",
		"events_dma_wr_o", "events_dma_wr_dropped_o", "events_stall_dma_wr_o"
	};
	struct wr_bench *b = calloc(1, sizeof(*b));
	const struct sim_port **ports = &b->ticket;

	b->tb = vtb_create();
	b->cmds = calloc(WR_MAX_CMDS, sizeof(*b->cmds));
	b->order = calloc(WR_MAX_CMDS, sizeof(struct wr_cmd *));
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ports[i] = vtb_port(b->tb, names[i]);
	for (unsigned int k = 0; k < WR_CLIENTS; k++) {
		b->wr_valid[k] = vtb_wr_port(b->tb, "wr_%s_valid_i", k);
		b->wr_cmd[k] = vtb_wr_port(b->tb, "wr_%s_cmd_i", k);
		b->wr_ready[k] = vtb_wr_port(b->tb, "wr_%s_ready_o", k);
	}
	b->bytes = b->m_data->width / 8;
	b->mps = mps;
	b->limit = mps < mps_max ? mps : mps_max;
	vtb_set(b->tb, "mps_i", (unsigned int)__builtin_ctz(mps) - 7);
	vtb_set(b->tb, "reqid_i", 0x4321);
	vtb_set(b->tb, "relaxed_i", 1);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

void wr_bench_free(struct wr_bench *b)
{
	vtb_destroy(b->tb);
	free(b->order);
	free(b->cmds);
	free(b);
}

void wr_finish(struct wr_bench *b, uint64_t max_cycles)
{
	struct vtb *tb = b->tb;

	vtb_run_until(tb, b->n_taken == b->n_cmds && vtb_get(tb, "idle_o"), max_cycles);
	while (b->n_sent < b->n_taken && !b->order[b->n_sent]->len)
		finish_cmd(b);
	vtb_check_eq(tb, b->n_sent, b->n_cmds);
	vtb_run(tb, 2);
	vtb_check_eq(tb, vtb_read(b->sent), b->order[b->n_cmds - 1]->ticket);
	vtb_check_eq(tb, vtb_get(tb, "last_ticket_o"), vtb_read(b->sent));
	vtb_check_eq(tb, vtb_get(tb, "posted_late_o"), 0);
	vtb_check_eq(tb, vtb_get(tb, "epoch_busy_o"), 0);
	vtb_check_eq(tb, b->ev_wr, b->n_tlps - b->n_dropped);
	vtb_check_eq(tb, b->ev_bytes, b->tlp_bytes);
	vtb_check_eq(tb, b->ev_drop, b->n_dropped);
}
