// SPDX-License-Identifier: Apache-2.0
/*
 * Tests of the responder use small plain numbers: QPs from 0, PD 0x123, keys below 0x10000, memory
 * from 0.  On the ports they have other high bits, of each QP, region and ring its own, so that
 * each bit of a register moves and an address of one cannot pass for that of another.
 */
#include "rsp_env_priv.h"

#define HIGH (~(uint64_t)(MEM_BYTES - 1))
#define QPN_BITS 0xf0u /* QPS_LOG2 of responder_tb is 8 */
#define QPN_PAIR 0x0au /* both: the QP stays in its line of rsp_res_cache, of 4 */
#define VA_BITS 0x7ffff00000000000ull

void hide_init(struct world *w)
{
	struct rng rng = w->rng;

	for (unsigned int q = 0; q < QPS; q++) {
		struct hidden *h = &w->hidden[q];

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
	for (unsigned int i = 0; i < MAX_REGIONS; i++)
		w->high[i] = rng_u64(&rng) & HIGH;
	w->res_high = rng_u64(&rng) & HIGH;
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
	PUT("mw_valid_i", 1);
	PUT("mw_part_i", part);
	PUT("mw_slot_i", w->slot[qpn]);
	vtb_put_bytes(PORT("mw_data_i"), 0, data, 64);
	vtb_tick(w->tb);
	PUT("mw_valid_i", 0);
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

uint8_t *world_res(struct world *w, uint32_t qpn)
{
	return w->mem + RES_BASE +
	       w->hidden[qpn].name * CAIRN_RSP_RES_PER_QP * sizeof(struct cairn_rsp_res);
}

uint32_t owner_of(const struct world *w, uint32_t pd)
{
	for (uint32_t q = 0; q < QPS; q++)
		if ((w->cfg[q].pd_sgid & 0xffffff) == (pd ^ w->hidden[q].pd))
			return q;
	vtb_fail(w->tb, "PD 0x%x is no QP's", pd);
}

uint64_t plain_iova(const struct world *w, uint64_t iova, unsigned int len)
{
	uint64_t low = iova & ~HIGH, high = iova & HIGH;
	bool known = !high || high == w->res_high;

	for (unsigned int q = 0; q < QPS; q++)
		known |= high == w->hidden[q].ring;
	for (unsigned int i = 0; i < w->n_region; i++)
		known |= high == w->high[i] && low >= w->region[i].iova &&
			 low + len <= w->region[i].iova + w->region[i].first_len;
	if (!known || low + len > MEM_BYTES)
		vtb_fail(w->tb, "%u bytes at 0x%llx are nobody's", len, (unsigned long long)iova);
	return low;
}
