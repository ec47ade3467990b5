// SPDX-License-Identifier: Apache-2.0
/*
 * Tests of the responder use small plain numbers: QPs from 0, PD 0x123, keys below 0x10000, memory
 * from 0.  On the ports they have other high bits, of each QP, region and ring its own, so that
 * each bit of a register moves and an address of one cannot pass for that of another.
 *
 * QPS_LOG2 of responder_tb is 8: rsp_tx knows a QP by so many bits and finds the others in its
 * record.  All 24 are carried, so they are not 0 here, as they would be in a device.
 */
#include "rsp_env_priv.h"

#define HIGH (~(uint64_t)(MEM_BYTES - 1))
#define MARK (7ull << 61) /* of answers about regions: client, drains begun before */
#define QPN_BITS 0xfffff0u
#define QPN_LOW 0xffu
#define QPN_PAIR 0x0au /* both: the QP stays in its line of rsp_res_cache, of 4 */
#define VA_BITS 0x7fffffffff000000ull
#define RES_BYTES (CAIRN_RSP_RES_PER_QP * sizeof(struct cairn_rsp_res))

void hide_init(struct world *w)
{
	struct rng rng = w->rng;
	unsigned int slot[SLOTS];

	for (unsigned int s = 0; s < SLOTS; s++)
		slot[s] = s;
	for (unsigned int q = 0; q < QPS; q++) {
		unsigned int pick = q + (unsigned int)rng_below(&rng, SLOTS - q);
		struct hidden *h = &w->hidden[q];

		w->slot[q] = slot[pick];
		slot[pick] = slot[q];
		h->name = q ^ ((uint32_t)rng_u64(&rng) & QPN_BITS) ^
			  (rng_percent(&rng, 50) ? QPN_PAIR : 0);
		h->pd = (uint32_t)rng_below(&rng, 1 << 24);
		h->cqn = (uint32_t)rng_below(&rng, 1 << 24);
		h->dest = (uint32_t)rng_below(&rng, 1 << 24);
		h->key = (uint32_t)rng_u64(&rng);
		h->va = rng_u64(&rng) & VA_BITS;
		h->ring = rng_u64(&rng) & HIGH;
		h->gen = (uint8_t)rng_u64(&rng);
		h->eqn = (uint8_t)rng_u64(&rng);
	}
	for (unsigned int i = 0; i < MAX_REGIONS; i++) {
		w->high[i] = rng_u64(&rng) & HIGH & ~MARK;
		w->func[i] = (uint8_t)rng_u64(&rng);
	}
	w->res_high = rng_u64(&rng) & HIGH;
	w->res_func = (uint8_t)rng_u64(&rng);
	w->srq_high = rng_u64(&rng) & HIGH;
	w->ticket = (uint16_t)rng_u64(&rng);
	w->cell = (unsigned int)rng_below(&rng, 4096);
}

struct cairn_qp_cfg hide_cfg(const struct world *w, uint32_t qpn)
{
	const struct hidden *h = &w->hidden[qpn];
	struct cairn_qp_cfg cfg = w->cfg[qpn];

	cfg.tag ^= CAIRN_PUT(CAIRN_QP_CFG_TAG_QPN, qpn ^ h->name);
	cfg.tag ^= CAIRN_PUT(CAIRN_QP_CFG_TAG_GEN, h->gen);
	cfg.pd_sgid ^= h->pd;
	cfg.rqpn_hop ^= h->dest;
	cfg.eqn ^= h->eqn;
	return cfg;
}

void hide_rsp(const struct world *w, uint32_t qpn, struct cairn_qp_rsp *rsp)
{
	const struct hidden *h = &w->hidden[qpn];

	rsp->tag ^= CAIRN_PUT(CAIRN_QP_RSP_TAG_QPN, qpn ^ h->name);
	rsp->tag ^= CAIRN_PUT(CAIRN_QP_RSP_TAG_GEN, h->gen);
	rsp->rq_cqn ^= h->cqn;
	if (!(w->cfg[qpn].state & CAIRN_QP_CFG_STATE_USE_SRQ))
		rsp->rq_base ^= h->ring;
}

static void put_part(struct world *w, unsigned int part, uint32_t qpn, const void *data)
{
	PUT("host_write_valid_i", 1);
	PUT("host_write_part_i", part);
	PUT("host_write_slot_i", w->slot[qpn]);
	vtb_put_bytes(PORT("host_write_data_i"), 0, data, 64);
	vtb_tick(w->tb);
	PUT("host_write_valid_i", 0);
}

void world_cfg(struct world *w, uint32_t qpn)
{
	struct cairn_qp_cfg cfg = hide_cfg(w, qpn);

	put_part(w, 0, qpn, &cfg);
}

void world_rsp(struct world *w, uint32_t qpn, const struct cairn_qp_rsp *rsp)
{
	struct cairn_qp_rsp hidden = *rsp;

	hide_rsp(w, qpn, &hidden);
	put_part(w, 3, qpn, &hidden);
}

void world_peek(struct world *w, uint32_t qpn, struct cairn_qp_rsp *rsp)
{
	PUT("peek_slot_i", w->slot[qpn]);
	vtb_run(w->tb, 2);
	vtb_get_bytes(PORT("peek_o"), 0, rsp, 64);
	hide_rsp(w, qpn, rsp);
}

uint32_t plain_qpn(const struct world *w, uint32_t name)
{
	uint32_t q = 0;

	while (q < QPS && w->hidden[q].name != name)
		q++;
	return q;
}

uint32_t plain_low(const struct world *w, uint32_t name)
{
	uint32_t q = plain_qpn(w, name);

	if (q == QPS && name <= QPN_LOW)
		for (q = 0; q < QPS && (w->hidden[q].name & QPN_LOW) != name;)
			q++;
	return q;
}

uint8_t *world_res(struct world *w, uint32_t qpn)
{
	return w->mem + RES_BASE + (w->hidden[qpn].name & QPN_LOW) * RES_BYTES;
}

/* Features that there are not; tests choose the others. */
#define NO_FEATURES (~(CAIRN_REG_FEATURES_ATOMIC | CAIRN_REG_FEATURES_MW))

static void noise(struct world *w, const struct sim_port *port)
{
	for (unsigned int at = 0; at < port->width; at += 64) {
		unsigned int n = port->width - at < 64 ? port->width - at : 64;

		vtb_put_bits(port, at, n, rng_u64(&w->rng) >> (64 - n));
	}
}

/* What others do, and what stands on the ports whose valid is not up. */
void hide_idle(struct world *w)
{
	uint32_t features = GET("control_engine_features_i") & ~NO_FEATURES;

	PUT("control_engine_features_i", features | ((uint32_t)rng_u64(&w->rng) & NO_FEATURES));
	if (chance(w, 2))
		w->ticket += rng_below(&w->rng, 300);
	w->pi[QPS] = (uint16_t)rng_u64(&w->rng);
	if (!w->showing) {
		vtb_put_bits(PORT("pkt_pkt_i"), REC_RX_PKT_META_SLOT, rng_below(&w->rng, SLOTS));
		vtb_put_bits(PORT("pkt_pkt_i"), REC_RX_PKT_META_QPN, rng_u64(&w->rng) >> 40);
	}
	noise(w, PORT("ctx_status_i"));
	noise(w, PORT("ctx_slot_i"));
	noise(w, PORT("fill_key_i"));
	noise(w, PORT("fill_rsp_i"));
	noise(w, PORT("kick_doorbell_qpn_i"));
	noise(w, PORT("kick_firmware_qpn_i"));
	noise(w, PORT("mr_key_change_vendor_i"));
	noise(w, PORT("tx_err_lost_i"));
	noise(w, PORT("dma_beat_meta_i"));
	if (!GET("op_valid_i")) {
		noise(w, PORT("op_op_i"));
		noise(w, PORT("op_key_i"));
	}
	if (!GET("sdb_valid_i")) {
		noise(w, PORT("sdb_srqn_i"));
		noise(w, PORT("sdb_pi_i"));
	}
}

/* In reset nothing counts, not even what is set up once. */
void hide_reset(struct world *w)
{
	static const char *const valid[] = {
		"host_write_valid_i", "pkt_valid_i", "op_valid_i", "sdb_valid_i", "ctx_valid_i",
		"fill_valid_i", "kick_doorbell_valid_i", "kick_firmware_valid_i",
		"mr_responder_fill_i", "mr_rsp_tx_fill_i", "mr_responder_valid_i",
		"mr_rsp_tx_valid_i", "dma_beat_valid_i", "mr_key_change_valid_i",
		"responses_left_i", "control_engine_halt_i", "tx_err_valid_i",
	};

	w->showing = false;
	for (unsigned int i = 0; i < sizeof(valid) / sizeof(*valid); i++)
		vtb_set(w->tb, valid[i], 0);
	hide_idle(w);
	noise(w, PORT("control_engine_features_i"));
	noise(w, PORT("control_res_base_i"));
	noise(w, PORT("control_res_func_i"));
}

void hide_answers(struct world *w)
{
	noise(w, PORT("mr_responder_rsp_i"));
	noise(w, PORT("mr_rsp_tx_rsp_i"));
}

uint32_t owner_of(const struct world *w, uint32_t pd)
{
	for (uint32_t q = 0; q < QPS; q++)
		if ((w->cfg[q].pd_sgid & 0xffffff) == (pd ^ w->hidden[q].pd))
			return q;
	vtb_fail(w->tb, "PD 0x%x is no QP's", pd);
}

/* The table of responder resources is one of all QPNs; only the rows of these QPs are in w->mem. */
static bool in_table(struct world *w, uint64_t iova, unsigned int len, uint64_t *low)
{
	uint64_t off = iova - (RES_BASE | w->res_high), at = off % RES_BYTES;
	uint32_t q = off / RES_BYTES >> 24 ? QPS : plain_qpn(w, (uint32_t)(off / RES_BYTES));

	if (q == QPS || at + len > RES_BYTES)
		return false;
	*low = (uint64_t)(world_res(w, q) - w->mem) + at;
	return true;
}

/* A mark on the addresses that are answered now; whether one may still be used. */
uint64_t drain_mark(const struct world *w, unsigned int client)
{
	return (uint64_t)client << 63 | (uint64_t)(w->drain[client].begun & 3) << 61;
}

static bool drain_allows(const struct world *w, uint64_t iova)
{
	unsigned int client = iova >> 63, begun = iova >> 61 & 3;

	if (((begun - w->drain[client].over) & 3) < 2)
		return true;
	vtb_fail(w->tb, "client %u uses an address of before drain %u", client,
		 w->drain[client].over);
}

uint64_t plain_iova(struct world *w, uint64_t iova, unsigned int len, int func)
{
	uint64_t low = iova & ~HIGH, high = iova & HIGH;
	bool known = !high || high == w->srq_high;

	if (in_table(w, iova, len, &low)) {
		vtb_check(w->tb, func == ANY_FUNC || func == w->res_func);
		return low;
	}
	for (unsigned int q = 0; q < QPS; q++)
		known |= high == w->hidden[q].ring;
	for (unsigned int i = 0; i < w->n_region && !known; i++)
		known = (high & ~MARK) == w->high[i] && drain_allows(w, iova) &&
			 low >= w->region[i].iova &&
			 low + len <= w->region[i].iova + w->region[i].first_len &&
			 (func == ANY_FUNC || func == w->func[i]);
	if (!known || low + len > MEM_BYTES)
		vtb_fail(w->tb, "%u bytes at 0x%llx are nobody's", len, (unsigned long long)iova);
	return low;
}
