// SPDX-License-Identifier: Apache-2.0
/* Packets, context cache and engines around qp_lookup; see lookup_world.h. */
#include "lookup_world.h"

#include <string.h>

void meta_set(uint8_t *meta, unsigned int field, uint64_t value)
{
	vtb_meta_put(meta, meta_fields[field].lsb, meta_fields[field].width, value);
}

uint64_t meta_get(const uint8_t *meta, unsigned int field)
{
	return vtb_meta_bits(meta, meta_fields[field].lsb, meta_fields[field].width);
}

static const struct cairn_qp_cfg *cfg_of(const struct world *w, uint32_t qpn)
{
	return (const struct cairn_qp_cfg *)w->cfg[qpn];
}

static bool gid_equal(const struct cairn_qp_cfg *c, const uint8_t *meta)
{
	uint64_t hi = 0, lo = 0;

	for (unsigned int i = 0; i < 8; i++) {
		hi = hi << 8 | c->dgid[i];
		lo = lo << 8 | c->dgid[8 + i];
	}
	return meta_get(meta, META_sip_1) == hi && meta_get(meta, META_sip_0) == lo;
}

/* What becomes of a packet, from the rules; how long it waits aside. */
enum fate world_fate(struct world *w, const uint8_t *meta)
{
	uint32_t qpn = (uint32_t)meta_get(meta, META_qpn);
	const struct cairn_opcode_info *op = &cairn_opcode_table[meta_get(meta, META_opcode)];
	const struct cairn_qp_cfg *c;
	unsigned int type, state, takes, pkey, own;
	bool ud, cnp = op->flags & CAIRN_OPF_CNP;

	if (qpn < KEYS && w->kind[qpn] == CAIRN_CTX_RESULT_DAMAGED)
		return CTX_ERROR;
	if (meta_get(meta, META_mcast))
		return MCAST;
	if (qpn >= KEYS || w->kind[qpn] == CAIRN_CTX_RESULT_FREE)
		return BAD_QPN;
	c = cfg_of(w, qpn);
	type = (c->state & CAIRN_QP_CFG_STATE_TYPE) >> CAIRN_QP_CFG_STATE_TYPE_SHIFT;
	state = c->state & CAIRN_QP_CFG_STATE;
	ud = type == CAIRN_QP_TYPE_UD || type == CAIRN_QP_TYPE_GSI;
	if (!cnp && op->transport != (type == CAIRN_QP_TYPE_RC	 ? CAIRN_TRANSPORT_RC
				      : type == CAIRN_QP_TYPE_UC ? CAIRN_TRANSPORT_UC
								 : CAIRN_TRANSPORT_UD))
		return BAD_QPN;
	takes = 1u << CAIRN_QP_STATE_RTS | 1u << CAIRN_QP_STATE_SQD;
	if (op->flags & CAIRN_OPF_REQ)
		takes |= 1u << CAIRN_QP_STATE_RTR | 1u << CAIRN_QP_STATE_SQE;
	if (!(takes >> state & 1))
		return STATE;
	if (!ud && (!gid_equal(c, meta) || meta_get(meta, META_sgid_index) != c->pd_sgid >> 24))
		return ADDR;
	pkey = (unsigned int)meta_get(meta, META_pkey);
	own = c->pkey_vlan & 0xffff;
	if (((pkey ^ own) & 0x7fff) || !((pkey | own) & 0x8000))
		return PKEY;
	if (ud && meta_get(meta, META_qkey) != c->qkey)
		return QKEY;
	return cnp ? CNP : PASS;
}

/* Make the packet what the record wants. */
static void suit(struct world *w, uint8_t *m, uint32_t qpn)
{
	static const uint8_t rc[] = { CAIRN_OPCODE_RC_SEND_ONLY, CAIRN_OPCODE_RC_WRITE_MIDDLE,
				      CAIRN_OPCODE_RC_ACKNOWLEDGE, CAIRN_OPCODE_RC_READ_RSP_ONLY };
	const struct cairn_qp_cfg *c = cfg_of(w, qpn);
	unsigned int type = c->state >> CAIRN_QP_CFG_STATE_TYPE_SHIFT & 7, op;
	uint64_t hi = 0, lo = 0;

	for (unsigned int i = 0; i < 8; i++) {
		hi = hi << 8 | c->dgid[i];
		lo = lo << 8 | c->dgid[8 + i];
	}
	op = type == CAIRN_QP_TYPE_RC	? rc[rng_below(&w->rng, 4)]
	     : type == CAIRN_QP_TYPE_UC ? CAIRN_OPCODE_UC_SEND_ONLY
					: CAIRN_OPCODE_UD_SEND_ONLY;
	meta_set(m, META_opcode, op);
	meta_set(m, META_sip_1, hi);
	meta_set(m, META_sip_0, lo);
	meta_set(m, META_sgid_index, c->pd_sgid >> 24);
	meta_set(m, META_pkey, (c->pkey_vlan & 0x7fff) | 0x8000);
	meta_set(m, META_qkey, c->qkey);
}

/* One or two things wrong, or a notification. */
static void spoil(struct world *w, uint8_t *m)
{
	static const unsigned int field[] = { META_sip_1, META_sip_0, META_sgid_index, META_pkey,
					      META_qkey };
	static const uint8_t op[] = { CAIRN_OPCODE_CNP, CAIRN_OPCODE_RC_ACKNOWLEDGE,
				      CAIRN_OPCODE_UC_SEND_ONLY, CAIRN_OPCODE_UD_SEND_ONLY };

	for (unsigned int n = (unsigned int)rng_range(&w->rng, 1, 2); n--;) {
		unsigned int f = field[rng_below(&w->rng, 5)];
		unsigned int bit = (unsigned int)rng_below(&w->rng, meta_fields[f].width);

		if (rng_percent(&w->rng, 35))
			meta_set(m, META_opcode, op[rng_below(&w->rng, 4)]);
		else
			meta_set(m, f, meta_get(m, f) ^ 1ull << bit);
	}
}

struct packet *world_send(struct world *w, uint32_t qpn, bool good, unsigned int cells)
{
	struct packet *p = &w->pkt[w->sent];
	unsigned int off = (unsigned int)rng_below(&w->rng, 200), len = 0;

	vtb_check(w->tb, w->sent < PACKETS);
	rng_bytes(&w->rng, p->meta, sizeof(p->meta));
	p->qpn = qpn;
	p->cells = cells;
	meta_set(p->meta, META_qpn, qpn);
	meta_set(p->meta, META_mcast, !good && rng_percent(&w->rng, 10));
	if (qpn < KEYS)
		suit(w, p->meta, qpn);
	if (!good)
		spoil(w, p->meta);
	if (w->tweak)
		w->tweak(w, p->meta);
	meta_set(p->meta, META_opflags, cairn_opcode_table[meta_get(p->meta, META_opcode)].flags);
	if (cells)
		len = 256 * cells - off - (unsigned int)rng_below(&w->rng, 256 - off);
	meta_set(p->meta, META_has_cells, cells > 0);
	meta_set(p->meta, META_pay_off, off);
	meta_set(p->meta, META_pay_len, cells ? len : rng_below(&w->rng, 4096));
	meta_set(p->meta, META_cell_head, w->sent);
	meta_set(p->meta, META_psn, w->sent);
	p->fate = world_fate(w, p->meta);
	p->inside = true;
	w->expected[p->fate]++;
	vtb_send(w->rx, NULL, 0, false, p->meta, (meta_fields[META_N].width + 7) / 8);
	w->sent++;
	return p;
}

/* ---- engines ---- */

static void hold(struct world *w, unsigned int slot, unsigned int cycles, bool packet)
{
	for (unsigned int i = 0; i < 128; i++) {
		if (w->held[i].used)
			continue;
		w->held[i] = (struct held){ w->tb->cycle + cycles, slot, true, packet };
		return;
	}
	vtb_fail(w->tb, "more than 128 pins");
}

static void take_out(struct world *w)
{
	const struct vtb_packet *v = vtb_recv(w->out);
	unsigned int n = (unsigned int)meta_get(v->meta, META_psn), slot;
	uint8_t want[VTB_META_BYTES], got[64];
	struct packet *p = &w->pkt[n];
	const struct slot *s;

	vtb_check(w->tb, n < w->sent && p->inside);
	vtb_check_eq(w->tb, p->fate, PASS);
	slot = (unsigned int)meta_get(v->meta, META_slot);
	vtb_check(w->tb, slot < SLOTS);
	s = &w->slot[slot];
	if (s->key != (int)p->qpn || s->filling || !s->pins)
		vtb_fail(w->tb, "packet %u of QP %u left with slot %u: key %d%s, %u pins", n,
			 p->qpn, slot, s->key, s->filling ? ", being filled" : "", s->pins);
	memcpy(want, p->meta, sizeof(want));
	meta_set(want, META_slot, slot);
	meta_set(want, META_gen, cfg_of(w, p->qpn)->tag >> 24);
	meta_set(want, META_epoch, vtb_get(w->tb, "epoch_i"));
	for (unsigned int f = 0; f < META_N; f++)
		vtb_check_eq(w->tb, meta_get(v->meta, f), meta_get(want, f));
	for (unsigned int i = 0; i < 64; i++)
		got[i] = (uint8_t)vtb_meta_bits(v->meta, meta_fields[META_N].width + 8 * i, 8);
	vtb_check(w->tb, !memcmp(got, w->cfg[p->qpn], 64));
	/* In order within the QP. */
	vtb_check(w->tb, n >= w->next_out[p->qpn]);
	w->next_out[p->qpn] = n + 1;
	p->inside = false;
	w->passed++;
	hold(w, slot, (unsigned int)rng_below(&w->rng, w->work + 1), true);
}

static void give_back(struct world *w)
{
	unsigned int done = 0;

	for (unsigned int i = 0; i < 128; i++) {
		struct held *h = &w->held[i];

		/* Another user has what it waits for 10 cycles after the strobe at the earliest. */
		if (w->slot[h->slot].filling)
			h->until = w->tb->cycle + 10;
		if (!h->used || h->until > w->tb->cycle ||
		    (h->packet && (w->hold_done || done == 3)))
			continue;
		h->used = false;
		vtb_check(w->tb, w->slot[h->slot].pins > 0);
		w->slot[h->slot].pins--;
		if (h->packet) {
			done = done ? 3 : (unsigned int)rng_range(&w->rng, 1, 2);
			w->gone++;
		}
	}
	vtb_set(w->tb, "rx_done_i", done);
}

/* ---- cache ---- */

void world_cache(struct world *w, unsigned int slot, unsigned int key)
{
	w->slot[slot] = (struct slot){ .key = (int)key, .status = w->kind[key] };
	memcpy(w->ram[slot], w->cfg[key], 64);
}

static int find(struct world *w, uint32_t key)
{
	for (int i = 0; i < SLOTS; i++)
		if (w->slot[i].key == (int)key)
			return i;
	return -1;
}

static int victim(struct world *w)
{
	unsigned int from = (unsigned int)rng_below(&w->rng, SLOTS), fills = 0;

	for (unsigned int i = 0; i < SLOTS; i++)
		fills += w->slot[i].filling;
	for (unsigned int i = 0; i < SLOTS && fills < 4; i++) {
		struct slot *s = &w->slot[(from + i) % SLOTS];

		/* Its strobe has been given, too. */
		if (!s->pins && !s->filling && w->strobe != (int)((from + i) % SLOTS))
			return (int)((from + i) % SLOTS);
	}
	return -1;
}

/* Stage 1 of the cache: the answer shown in the next cycle. */
static void decide(struct world *w)
{
	int i = find(w, w->s1_key);
	unsigned int status = CAIRN_CTX_RESULT_RETRY;

#ifdef ON_CHIP
	if (i < 0 && w->s1_key < KEYS) {
		i = (int)w->s1_key;
		world_cache(w, (unsigned int)i, w->s1_key);
	}
#endif
	if (w->s1_key >= KEYS) {
		status = CAIRN_CTX_RESULT_FREE;
	} else if (i >= 0 && w->slot[i].filling) {
		status = CAIRN_CTX_RESULT_WAITING;
	} else if (i >= 0) {
		status = w->slot[i].status;
	} else if (!rng_percent(&w->rng, w->retry) && (i = victim(w)) >= 0) {
		w->slot[i] = (struct slot){ (int)w->s1_key, true, 0, w->kind[w->s1_key],
					    w->tb->cycle + 3 + rng_below(&w->rng, w->latency + 1) };
		status = CAIRN_CTX_RESULT_WAITING;
	}
	if (status <= CAIRN_CTX_RESULT_WAITING)
		w->slot[i].pins++;
	if (w->s1_other) {
		if (status <= CAIRN_CTX_RESULT_WAITING)
			hold(w, (unsigned int)i, 20 + (unsigned int)rng_below(&w->rng, w->latency),
			     false);
		return;
	}
	w->a_valid = true;
	w->a_status = status;
	w->a_slot = i < 0 ? (unsigned int)rng_below(&w->rng, SLOTS) : (unsigned int)i;
}

static void lookups(struct world *w)
{
	struct vtb *tb = w->tb;
	int i;

	vtb_set(tb, "ctx_valid_i", w->a_valid);
	vtb_set(tb, "ctx_status_i", w->a_valid ? w->a_status : rng_below(&w->rng, 5));
	vtb_set(tb, "ctx_slot_i", w->a_valid ? w->a_slot : rng_below(&w->rng, SLOTS));
	w->a_valid = false;
	if (w->s1_valid) {
		i = find(w, w->s1_key);
		/* A miss holds the lookups. */
		if (!w->s1_hold && i < 0 && w->s1_key < KEYS)
			w->s1_hold = (unsigned int)rng_range(&w->rng, 4, 12);
		if (w->s1_hold <= 1) {
			decide(w);
			w->s1_valid = false;
			w->s1_hold = 0;
		} else {
			w->s1_hold--;
		}
	}
	vtb_set(tb, "ctx_ready_i", 0);
	if (w->s1_valid)
		return;
	if (rng_percent(&w->rng, w->others)) {
		w->s1_valid = w->s1_other = true;
		w->s1_key = (uint32_t)rng_below(&w->rng, w->keys);
	} else {
		vtb_set(tb, "ctx_ready_i", rng_percent(&w->rng, w->ready));
	}
}

static void fills(struct world *w)
{
	struct vtb *tb = w->tb;
	unsigned int from = (unsigned int)rng_below(&w->rng, SLOTS);

	vtb_set(tb, "fill_valid_i", w->strobe >= 0);
	if (w->strobe >= 0) {
		vtb_set(tb, "fill_slot_i", (unsigned int)w->strobe);
		vtb_set(tb, "fill_status_i", w->slot[w->strobe].status);
	}
	w->strobe = -1;
	for (unsigned int i = 0; i < SLOTS && !w->hold_fills; i++) {
		unsigned int n = (from + i) % SLOTS;
		struct slot *s = &w->slot[n];

		if (!s->filling || s->filled > tb->cycle)
			continue;
		s->filling = false;
		memcpy(w->ram[n], w->cfg[s->key], 64);
		w->strobe = (int)n;
		return;
	}
}

static void drive(struct vtb *tb, void *arg)
{
	struct world *w = arg;

	while (vtb_received(w->out))
		take_out(w);
	if (w->stall_end <= tb->cycle && rng_percent(&w->rng, w->stall)) {
		w->stall_end = tb->cycle + rng_below(&w->rng, 400);
		vtb_stream_pause(w->out, 100);
	} else if (w->stall && w->stall_end == tb->cycle) {
		vtb_stream_pause(w->out, (unsigned int)rng_below(&w->rng, 60));
	}
	give_back(w);
	fills(w);
	lookups(w);
	vtb_put_bytes(vtb_port(tb, "cfg_i"), 0, w->ram[w->cfg_slot], 64);
	vtb_set(tb, "cfg_ok_i", rng_below(&w->rng, 2)); /* counts where all are on chip */
	vtb_eval(tb);
	vtb_set(tb, "filling_i", w->slot[vtb_get(tb, "filling_slot_o")].filling);
}

/* Which counter strobes, -1 none; at most one. */
static int strobe(struct vtb *tb)
{
	static const char *const name[FATES] = {
		NULL,
		"events_rx_bad_qpn_o",
		"events_rx_qp_state_o",
		"events_rx_bad_addr_o",
		"events_rx_bad_pkey_o",
		"events_rx_bad_qkey_o",
		"events_cnp_handled_o",
		"events_rx_ctx_error_o",
		"events_rx_no_buffer_o",
		"events_rx_multicast_o",
	};
	int which = -1;

	for (int i = 1; i < FATES; i++) {
		if (!vtb_get(tb, name[i]))
			continue;
		vtb_check(tb, which < 0);
		which = i;
	}
	return which;
}

/* A QP's packets inside, this one included, hold more than its share. */
static void no_buffer(struct world *w, const struct packet *p)
{
	unsigned int cells = 0;

	for (unsigned int i = 0; i < w->sent; i++)
		if (w->pkt[i].inside && w->pkt[i].qpn == p->qpn)
			cells += w->pkt[i].cells;
	vtb_check(w->tb, cells > SHARE);
	w->expected[p->fate]--;
	w->expected[NO_BUFFER]++;
}

static void sample(struct vtb *tb, void *arg)
{
	struct world *w = arg;
	int fate = strobe(tb);
	bool freed = vtb_get(tb, "free_valid_o") && vtb_get(tb, "free_ready_i");

	w->cfg_slot = (unsigned int)vtb_get(tb, "part_slot_o");
	w->parked += vtb_get(tb, "events_rx_parked_o") != 0;
	w->stalls += vtb_get(tb, "rx_valid_i") && !vtb_get(tb, "rx_ready_o");
	w->taken += vtb_get(tb, "rx_valid_i") && vtb_get(tb, "rx_ready_o");
	if (vtb_get(tb, "ctx_valid_o") && vtb_get(tb, "ctx_ready_i")) {
		w->s1_valid = true;
		w->s1_other = false;
		w->s1_key = (uint32_t)vtb_get(tb, "ctx_key_o");
	}
	if (vtb_get(tb, "part_unpin_valid_o")) {
		struct slot *s = &w->slot[vtb_get(tb, "part_unpin_slot_o")];

		vtb_check(tb, fate >= 0 && s->pins > 0);
		s->pins--;
	}
	if (fate >= 0) {
		w->dropped[fate]++;
		w->gone++;
	}
	vtb_check(tb, w->taken - w->gone <= INFLIGHT);
	if (freed) {
		struct packet *p = &w->pkt[vtb_get(tb, "free_cell_head_o")];

		vtb_check(tb, p->inside && p->cells && fate > 0);
		if (fate == NO_BUFFER)
			no_buffer(w, p);
		else
			vtb_check_eq(tb, (unsigned int)fate, p->fate);
		p->inside = false;
	} else {
		vtb_check(tb, fate != NO_BUFFER);
	}
}

unsigned int world_random_kind(struct world *w)
{
	return rng_percent(&w->rng, 80)	  ? CAIRN_CTX_RESULT_OK
	       : rng_percent(&w->rng, 50) ? CAIRN_CTX_RESULT_FREE
					  : CAIRN_CTX_RESULT_DAMAGED;
}

static void records(struct world *w)
{
	for (unsigned int k = 0; k < KEYS; k++) {
		struct cairn_qp_cfg *c = (struct cairn_qp_cfg *)w->cfg[k];
		unsigned int type = rng_percent(&w->rng, 50) ? 0 : rng_below(&w->rng, 4);
		unsigned int state = rng_percent(&w->rng, 60) ? CAIRN_QP_STATE_RTS
							      : rng_below(&w->rng, 7);

		rng_bytes(&w->rng, c, 64);
		c->tag = (c->tag & 0xff000000u) | k;
		c->state &= ~(CAIRN_QP_CFG_STATE | CAIRN_QP_CFG_STATE_TYPE);
		c->state |= state | type << CAIRN_QP_CFG_STATE_TYPE_SHIFT;
		w->kind[k] = CAIRN_CTX_RESULT_OK;
	}
}

struct world *world_create(void)
{
	struct world *w = calloc(1, sizeof(*w));
	unsigned int lsb;

	w->tb = vtb_create();
	w->rng = w->tb->rng;
	w->rng.state ^= 0x9b;
	w->pkt = calloc(PACKETS, sizeof(*w->pkt));
	w->keys = KEYS;
	w->ready = 100;
	w->strobe = -1;
	for (unsigned int i = 0; i < SLOTS; i++)
		w->slot[i].key = -1;
	records(w);
	w->rx = vtb_source(w->tb, "rx");
	w->out = vtb_sink(w->tb, "out");
	w->freed = vtb_sink(w->tb, "free");
	vtb_stream_add(w->freed, "cell_head", &lsb);
	vtb_on_drive(w->tb, drive, w);
	vtb_on_sample(w->tb, sample, w);
	vtb_run(w->tb, 2 * INFLIGHT + 2 * SLOTS); /* lists are cleared */
	return w;
}

static bool held_any(const struct world *w)
{
	for (unsigned int i = 0; i < 128; i++)
		if (w->held[i].used)
			return true;
	return false;
}

void world_destroy(struct world *w)
{
	struct vtb *tb = w->tb;

	w->others = 0;
	vtb_run_until(tb, !vtb_pending(w->rx) && vtb_get(tb, "idle_o") && !held_any(w), 40000);
	/* The last packet may have left in that very cycle: an engine has it. */
	vtb_run(tb, 5);
	vtb_run_until(tb, !held_any(w), 1000);
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check_eq(tb, w->passed, w->expected[PASS]);
	for (unsigned int i = 1; i < FATES; i++)
		if (w->dropped[i] != w->expected[i])
			vtb_fail(tb, "counter %u: %u, expected %u", i, w->dropped[i],
				 w->expected[i]);
	vtb_check_eq(tb, w->taken, w->gone);
	for (unsigned int i = 0; i < SLOTS; i++)
		vtb_check_eq(tb, w->slot[i].pins, 0);
	vtb_destroy(tb);
	free(w->pkt);
	free(w);
}
