// SPDX-License-Identifier: Apache-2.0
/* See mr_ref.h. */
#include "mr_ref.h"

#include <string.h>

static bool dead(const struct cairn_mpt *m)
{
	return !(m->flags & 3) || m->flags & CAIRN_MPT_FLAGS_FREED;
}

static void make_free(struct cairn_mpt *m)
{
	m->flags &= ~(CAIRN_MPT_FLAGS_MODE | CAIRN_MPT_FLAGS_ACCESS);
	m->flags |= CAIRN_MPT_FLAGS_FREED;
	m->length = 0;
	m->qpn = m->parent = 0;
}

/* A bound window leaves its region. */
static void leave(struct cairn_mpt *now, uint32_t parent, uint64_t *changed)
{
	now[parent >> 8].windows--;
	*changed |= 1ull << (parent >> 8);
}

static unsigned int ref_inv(struct cairn_mpt *now, const struct upd *u, uint64_t *changed)
{
	struct cairn_mpt *m = &now[u->key >> 8];
	bool window = m->flags & CAIRN_MPT_FLAGS_WINDOW;

	if (dead(m))
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	if (m->key != u->key)
		return CAIRN_VENDOR_ERR_KEY_TAG;
	if (m->pd != u->pd)
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (TYPE2(u->key >> 8) && u->op == RINV && m->qpn != u->qpn)
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (!FAST(u->key >> 8) && !TYPE2(u->key >> 8))
		return CAIRN_VENDOR_ERR_KEY_STATE;
	if (!window && u->op == RINV && !(ACC(m) & 14))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	if (!window && m->windows)
		return CAIRN_VENDOR_ERR_KEY_BUSY;
	if (window)
		leave(now, m->parent, changed);
	make_free(m);
	return 0;
}

static unsigned int ref_reg(struct cairn_mpt *now, const struct upd *u)
{
	struct cairn_mpt *m = &now[u->key >> 8];
	uint64_t page = 1ull << u->page_log2, first = u->addr / page, last;

	if (!FAST(u->key >> 8) || !(m->flags & CAIRN_MPT_FLAGS_FREED))
		return CAIRN_VENDOR_ERR_KEY_STATE;
	if (m->pd != u->pd)
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (u->access & 0xc0 || (u->access & 10 && !(u->access & 1)))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	if (u->page_log2 != 12 && u->page_log2 != 16 && u->page_log2 != 21 && u->page_log2 != 30)
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	if (!u->length || (u->addr + u->length < u->addr && u->addr + u->length))
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	last = (u->addr + u->length - 1) / page;
	if (last - first + 1 > m->pages || u->page_list != m->map)
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	m->key = u->key;
	m->flags = CAIRN_MR_MODE_PAGED | u->access << 8 | u->page_log2 << 16 |
		   (m->flags & CAIRN_MPT_FLAGS_FUNC);
	m->base = u->addr;
	m->length = u->length;
	return 0;
}

static unsigned int bind_region(const struct upd *u, const struct cairn_mpt *m)
{
	if (!m->key || dead(m))
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	if (m->key != u->mr_key)
		return CAIRN_VENDOR_ERR_KEY_TAG;
	if (m->pd != u->pd)
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (m->flags & CAIRN_MPT_FLAGS_WINDOW)
		return CAIRN_VENDOR_ERR_KEY_STATE;
	if (!(ACC(m) & CAIRN_ACCESS_MW_BIND) || ACC(m) & CAIRN_ACCESS_ZERO_BASED ||
	    (u->access & 10 && !(ACC(m) & 1)))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	if (u->addr < m->base ||
	    (unsigned __int128)u->addr + u->length > (unsigned __int128)m->base + m->length)
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	return 0;
}

static unsigned int ref_bind(struct cairn_mpt *now, const struct upd *u, uint64_t *changed)
{
	struct cairn_mpt *w = &now[u->key >> 8], *m = &now[u->mr_key >> 8];
	bool type2 = TYPE2(u->key >> 8), bound = !dead(w);
	uint32_t parent = w->parent, page_log2;
	unsigned int err;

	if (!TYPE1(u->key >> 8) && (!type2 || bound))
		return CAIRN_VENDOR_ERR_KEY_STATE;
	if (w->pd != u->pd)
		return CAIRN_VENDOR_ERR_KEY_PD;
	if (u->access & ~(type2 ? 46u : 14u))
		return CAIRN_VENDOR_ERR_KEY_RIGHTS;
	if (type2 && !u->length)
		return CAIRN_VENDOR_ERR_KEY_BOUNDS;
	err = u->length ? bind_region(u, m) : 0;
	if (err)
		return err;
	if (bound)
		leave(now, parent, changed);
	make_free(w);
	w->key = u->key;
	if (!u->length)
		return 0;
	m->windows++;
	*changed |= 1ull << (u->mr_key >> 8);
	page_log2 = m->flags >> 16 & 63;
	w->flags = (m->flags & ~(0xff00u | CAIRN_MPT_FLAGS_FREED)) | u->access << 8 |
		   CAIRN_MPT_FLAGS_WINDOW | (type2 ? CAIRN_MPT_FLAGS_TYPE2 : 0);
	w->base = u->addr;
	w->length = u->length;
	w->map = m->map + ((m->flags & 3) == CAIRN_MR_MODE_DIRECT
				   ? u->addr - m->base
				   : (u->addr >> page_log2) - (m->base >> page_log2));
	w->qpn = type2 ? u->qpn : 0;
	w->parent = u->mr_key;
	return 0;
}

/* A damaged record, of the window or of the region. */
static bool damaged(const struct cairn_mpt *now, const struct upd *u)
{
	struct cairn_mpt copy[KEYS];
	struct upd other = *u;
	uint64_t changed = 0;

	if (u->key >> 8 == DAMAGED)
		return true;
	if (u->op != BIND || !u->length || u->mr_key >> 8 != DAMAGED)
		return false;
	memcpy(copy, now, sizeof(copy));
	other.mr_key = 0; /* what is wrong with the window comes first */
	return ref_bind(copy, &other, &changed) == CAIRN_VENDOR_ERR_KEY_INDEX;
}

unsigned int mr_ref(struct cairn_mpt now[KEYS], const struct upd *u, uint64_t *changed)
{
	unsigned int i = u->key >> 8, err;

	*changed = 0;
	if (damaged(now, u))
		return CAIRN_VENDOR_ERR_CTX_CHECK;
	if (i >= KEYS || !now[i].key)
		return CAIRN_VENDOR_ERR_KEY_INDEX;
	err = u->op == REG    ? ref_reg(now, u)
	      : u->op == BIND ? ref_bind(now, u, changed)
			      : ref_inv(now, u, changed);
	if (!err)
		*changed |= 1ull << i;
	return err;
}

const char *const mr_side[REC_MUC_N] = { [REC_MUC_REQ] = "send_mr_requester", [REC_MUC_RSP] = "receive_mr" };

void mr_put_upd(struct bench *b, unsigned int c, const struct upd *u)
{
	struct rec_mr_upd r = {
		.op = (uint8_t)u->op,
		.key = u->key,
		.pd = u->pd,
		.qpn = u->qpn,
		.addr = u->addr,
		.length = u->length,
		.page_list = u->page_list,
		.mr_key = u->mr_key,
		.access = (uint8_t)u->access,
		.page_log2 = (uint8_t)u->page_log2,
	};

	vtb_put_mr_upd(mr_port(b, mr_side[c], "key_change_req_i"), 0, &r);
}
