// SPDX-License-Identifier: Apache-2.0
/* The world around the requester in its unit test; req_world.h says what it does. */
#include <string.h>

#include "req_world.h"

struct world w;

uint64_t world_map(uint64_t va)
{
	return ((va >> 12) * 0x9e3779b97f4a7c15ull >> 20 << 12) | (va & 4095);
}

int32_t psn_diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) >> 8;
}

void world_kick(unsigned int q)
{
	struct qp *p = &w.q[q];

	if (p->st == S_IDLE) {
		p->st = S_QUEUED;
		w.queue[w.q_tail++ % 64] = q;
	} else if (p->st == S_BUSY) {
		p->st = S_WANTED;
	}
}

static void give_back(unsigned int q, bool more)
{
	struct qp *p = &w.q[q];

	vtb_check(w.tb, p->st == S_BUSY || p->st == S_WANTED);
	more |= p->st == S_WANTED;
	p->st = S_IDLE;
	if (more)
		world_kick(q);
}

static void set_una(struct qp *p, uint32_t psn)
{
	CAIRN_SET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN, psn);
}

struct msg *world_at_psn(struct qp *p, uint32_t psn)
{
	for (unsigned int i = p->n_msg > 500 ? p->n_msg - 500 : 0; i < p->n_msg; i++) {
		struct msg *m = &p->m[i % 512];

		if (psn_diff(psn, m->first) >= 0 && psn_diff(psn, m->first + m->npsn) < 0)
			return m;
	}
	return NULL;
}

static bool asks(const struct msg *m)
{
	return m->op == CAIRN_WQE_OP_READ || msg_is_atomic(m);
}

/* Requests that `n` PSNs of answers complete. */
static unsigned int chunks(const struct msg *m, uint32_t n)
{
	return asks(m) ? (n == m->npsn ? n + CHUNK - 1 : n) / CHUNK : 0;
}

static struct msg *oldest(struct qp *p)
{
	return p->old_msg < p->n_msg ? &p->m[p->old_msg % 512] : NULL;
}

/* What the walker and cmp_place say of the READ or atomic at the anchor. */
static void show_oldest(struct qp *p)
{
	const struct msg *m = oldest(p);
	bool known = m && asks(m) && psn_diff(p->sent, m->first) > 0;
	unsigned int done = known ? chunks(m, p->placed) : 0;

	p->rd_done = p->made + done;
	CAIRN_SET(p->cmp.rflags, CAIRN_QP_CMP_RFLAGS_RD_DONE, p->rd_done & 255);
	CAIRN_SET(p->cmp.rflags, CAIRN_QP_CMP_RFLAGS_RD_VALID, known);
	p->cmp.rd_len = known ? m->len : 0;
	p->cmp.rd_placed = known ? p->placed * p->mtu : 0;
	if (known && p->placed == m->npsn)
		p->cmp.rd_placed = m->len ? m->len : 1;
}

/* Credits of an acknowledgement. */
static void set_limit(struct qp *p)
{
	uint32_t lsn = p->msn + p->credits - p->req.free_msg;

	if (psn_diff(lsn, p->lsn) > 0)
		p->lsn = lsn & 0xffffff;
	CAIRN_SET(p->cmp.wait, CAIRN_QP_CMP_WAIT_LSN, p->lsn);
}

void world_set_mtu(unsigned int q, unsigned int lg)
{
	w.q[q].mtu = 128u << lg;
	CAIRN_SET(w.q[q].cfg.state, CAIRN_QP_CFG_STATE_PMTU, lg);
}

/* The completer: acknowledge up to `una`, retire what is done. */
void world_ack(unsigned int q, uint32_t una)
{
	struct qp *p = &w.q[q];
	struct msg *m = oldest(p);

	if (m && p->placed == m->npsn && psn_diff(una, m->first + m->npsn) < 0)
		una = (m->first + m->npsn) & 0xffffff;
	if (p->type == CAIRN_QP_TYPE_RC)
		set_una(p, una);
	for (; (m = oldest(p)); p->placed = 0) {
		/* what has no packet is retired when the requester has passed it */
		int passed = (int16_t)(CAIRN_GET(p->req.index, CAIRN_QP_REQ_INDEX_LOCAL_INDEX) -
				       m->index);

		if (m->npsn ? psn_diff(una, m->first + m->npsn) < 0 : passed <= 0)
			break;
		vtb_check(w.tb, !msg_is_local(m) || m->answered);
		p->made += chunks(m, m->npsn);
		p->msn += asks(m) ? chunks(m, m->npsn) : m->npsn != 0;
		p->old_msg++;
		p->cmp.oldest = (uint16_t)(m->index + m->blocks);
		p->cmp.old_psn = (m->first + m->npsn) & 0xffffff;
	}
	if (m && asks(m) && psn_diff(una, m->first + p->placed) > 0)
		p->placed = (una - m->first) & 0xffffff;
	show_oldest(p);
	set_limit(p);
	world_kick(q);
}

void world_go_back(unsigned int q, uint32_t psn)
{
	struct qp *p = &w.q[q];

	world_ack(q, psn); /* what is before it has arrived */
	if (psn_diff(p->cmp.old_psn, psn) > 0)
		psn = p->cmp.old_psn;
	p->cmp.gb = psn;
	p->cmp.una += 1u << CAIRN_QP_CMP_UNA_GB_EPOCH_SHIFT;
	world_kick(q);
}

void world_place(unsigned int q)
{
	struct qp *p = &w.q[q];
	struct msg *m = oldest(p);
	uint32_t sent = m ? (p->sent - m->first) & 0xffffff : 0;

	if (!m || !asks(m) || psn_diff(p->sent, m->first) <= 0)
		return;
	if (sent > m->npsn)
		sent = m->npsn;
	if (rng_percent(&w.rng, 50))
		sent = p->placed + (uint32_t)rng_below(&w.rng, sent - p->placed + 1ull);
	p->placed = sent;
	show_oldest(p);
	world_kick(q);
}

void world_completer(void)
{
	unsigned int q = (unsigned int)rng_below(&w.rng, QPS);
	struct qp *p = &w.q[q];
	uint32_t una = CAIRN_GET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN);
	int32_t out = psn_diff(p->sent, una);

	if (p->type != CAIRN_QP_TYPE_RC) { /* nobody acknowledges: what has left is done */
		world_ack(q, p->sent);
		return;
	}
	vtb_check(w.tb, out >= 0 && out < 0x8000);
	if (w.gobacks && rng_percent(&w.rng, 10) && out) {
		world_go_back(q, (una + (uint32_t)rng_below(&w.rng, (uint64_t)out)) & 0xffffff);
		if (rng_percent(&w.rng, 50)) /* answers were late, not lost */
			world_place(q);
	} else if (rng_percent(&w.rng, 20)) {
		world_place(q);
	} else {
		world_ack(q, (una + (uint32_t)rng_below(&w.rng, (uint64_t)out + 1)) & 0xffffff);
	}
}

/* Context lookups are answered, those that missed are filled later. */
static void drive_lookup(struct vtb *tb)
{
	vtb_set(tb, "ctx_valid_i", 0);
	if (w.lk_head != w.lk_tail && w.lk[w.lk_head % 64].due <= tb->cycle) {
		unsigned int q = w.lk[w.lk_head++ % 64].qpn;
		unsigned int st = !rng_percent(&w.rng, w.lk_bad) ? 0
				  : rng_percent(&w.rng, 50)	 ? 1
								 : 2;

		vtb_set(tb, "ctx_valid_i", 1);
		vtb_set(tb, "ctx_status_i", st);
		vtb_set(tb, "ctx_slot_i", SLOT(q));
		vtb_set(tb, "ctx_key_i", q);
		if (st < 2)
			w.q[q].pins++;
		if (st == 1) {
			w.lkfill_qpn[w.n_lkfill] = q;
			w.lkfill[w.n_lkfill++] = tb->cycle + 1 + rng_below(&w.rng, 60);
		}
	}
	for (unsigned int i = 0; i < w.n_lkfill; i++)
		if (w.lkfill[i] <= tb->cycle) {
			world_kick(w.lkfill_qpn[i]);
			w.lkfill[i] = w.lkfill[--w.n_lkfill];
			w.lkfill_qpn[i] = w.lkfill_qpn[w.n_lkfill];
		}
}

/* Context parts and producer indices, read in the last cycle. */
static void drive_parts(struct vtb *tb)
{
	if (w.part_slot >= SLOT(0) && w.part_slot < SLOT(QPS)) {
		struct qp *p = &w.q[w.part_slot - SLOT(0)];

		vtb_put_bytes(vtb_port(tb, "part_visit_cfg_i"), 0, &p->cfg, 64);
		vtb_put_bytes(vtb_port(tb, "part_visit_req_i"), 0, &p->req, 64);
		vtb_put_bytes(vtb_port(tb, "part_visit_cmp_i"), 0, &p->cmp, 64);
	}
	if (w.cmp_slot >= SLOT(0) && w.cmp_slot < SLOT(QPS))
		vtb_put_bytes(vtb_port(tb, "part_issue_i"), 0, &w.q[w.cmp_slot - SLOT(0)].cmp, 64);
	vtb_set(tb, "sq_rd_pi_i", w.sq_qpn < QPS ? w.q[w.sq_qpn].pi : 0);
}

static void drive_mr(struct vtb *tb)
{
	vtb_set(tb, "mr_ask_ready_i",
		w.mr_tail - w.mr_head < 200 && rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "mr_ask_valid_i", 0);
	if (w.mr_head != w.mr_tail && w.mr[w.mr_head % 256].due <= tb->cycle) {
		struct rec_mr_rsp rsp = {
			.status = (uint8_t)w.mr[w.mr_head % 256].status,
			.vendor = MR_VENDOR,
			.iova0 = w.mr[w.mr_head % 256].i0,
			.iova1 = w.mr[w.mr_head % 256].i1,
			.len0 = (uint16_t)w.mr[w.mr_head % 256].l0,
			.len1 = (uint16_t)w.mr[w.mr_head % 256].l1,
		};

		vtb_set(tb, "mr_ask_valid_i", 1);
		vtb_put_mr_rsp(vtb_port(tb, "mr_ask_rsp_i"), 0, &rsp);
	}
	vtb_set(tb, "mr_ask_fill_i", 0);
	for (unsigned int i = 0; i < w.n_fill; i++)
		if (w.fill[i] <= tb->cycle) {
			vtb_set(tb, "mr_ask_fill_i", 1);
			w.fill[i] = w.fill[--w.n_fill];
			break;
		}
}

static void drive_local(struct vtb *tb)
{
	bool due = w.change_head != w.change_tail && w.change[w.change_head % 8].due <= tb->cycle;

	vtb_set(tb, "mr_key_change_ready_i",
		w.change_tail - w.change_head < 8 && rng_percent(&w.rng, 50));
	vtb_set(tb, "mr_key_change_valid_i", due);
	vtb_set(tb, "mr_key_change_vendor_i", due ? w.change[w.change_head % 8].vendor : 0);
}

/* A beat of a WQE block that was asked for. */
static void drive_fetch(struct vtb *tb)
{
	struct rec_dma_rsp beat = { .client = REC_RD_WQE, .nbytes = (uint8_t)w.beat };

	vtb_set(tb, "beat_valid_i", 0);
	for (unsigned int k = 0; k < 16; k++) {
		struct fetch *f = &w.f[k];
		unsigned int n = w.beat;
		uint64_t at = f->iova + f->sent;
		unsigned int q = (unsigned int)(f->iova >> 16) - 1;

		if (!f->used || f->due > tb->cycle)
			continue;
		beat.tag = (uint16_t)f->tag;
		beat.offset = (uint16_t)f->sent;
		vtb_check(tb, q < QPS && (at & 0xffff) + n <= RING * 64);
		vtb_put_bytes(vtb_port(tb, "beat_data_i"), 0, w.q[q].ring + (at & 0xffff), n);
		f->sent += n;
		beat.last = f->sent == f->len;
		beat.err = f->sent == f->len && f->fail;
		vtb_set(tb, "beat_valid_i", 1);
		vtb_put_dma_rsp(vtb_port(tb, "beat_meta_i"), 0, &beat);
		f->used = f->sent != f->len;
		break;
	}
}

static void drive_ready(struct vtb *tb, const char *port)
{
	vtb_set(tb, port, rng_percent(&w.rng, 100 - w.pause));
}

static void drive(struct vtb *tb, void *arg)
{
	unsigned int kicks;

	(void)arg;
	vtb_set(tb, "time_now_i", tb->cycle * 4);
	vtb_set(tb, "sched_valid_i", w.q_head != w.q_tail);
	vtb_set(tb, "sched_qpn_i", w.q_head != w.q_tail ? w.queue[w.q_head % 64] : 0);
	drive_ready(tb, "done_ready_i");
	drive_ready(tb, "ctx_ready_i");
	drive_lookup(tb);
	drive_parts(tb);
	drive_mr(tb);
	drive_local(tb);
	drive_ready(tb, "timer_ready_i");
	/* as tx_ring: one job waits behind the one whose segments come */
	vtb_set(tb, "requests_job_ready_i",
		w.job_tail - w.job_head < 2 && rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "requests_seg_ready_i",
		w.job_tail != w.job_head && w.inl_tail - w.inl_head < 8 &&
			rng_percent(&w.rng, 100 - w.pause));
	vtb_set(tb, "requests_inl_ready_i",
		w.inl_tail != w.inl_head && rng_percent(&w.rng, 100 - w.pause));
	kicks = w.pause ? (unsigned int)rng_below(&w.rng, 8) : 7;
	vtb_set(tb, "kick_failed_ready_i", kicks & 1);
	vtb_set(tb, "kick_mr_ready_i", kicks >> 1 & 1);
	vtb_set(tb, "kick_walk_ready_i", 1);
	vtb_set(tb, "arrived_ready_i", kicks >> 2);
	drive_ready(tb, "rd_ready_i");
	drive_fetch(tb);
}

static bool taken(struct vtb *tb, const char *valid, const char *ready)
{
	return vtb_get(tb, valid) && vtb_get(tb, ready);
}

/* Scheduler, context cache and parts. */
static void sample_visits(struct vtb *tb)
{
	w.part_slot = (unsigned int)vtb_get(tb, "part_visit_o");
	w.cmp_slot = (unsigned int)vtb_get(tb, "part_issue_o");
	w.sq_qpn = (unsigned int)vtb_get(tb, "sq_rd_qpn_o");
	if (taken(tb, "sched_valid_i", "sched_ready_o"))
		w.q[w.queue[w.q_head++ % 64]].st = S_BUSY;
	if (taken(tb, "ctx_valid_o", "ctx_ready_i")) {
		w.lk[w.lk_tail % 64].qpn = (unsigned int)vtb_get(tb, "ctx_key_o");
		w.lk[w.lk_tail++ % 64].due = tb->cycle + 2;
	}
	if (vtb_get(tb, "part_unpin_valid_o"))
		vtb_check(tb, --w.q[vtb_get(tb, "part_unpin_slot_o") - SLOT(0)].pins >= 0);
	if (vtb_get(tb, "part_write_valid_o")) {
		struct qp *p = &w.q[vtb_get(tb, "part_write_slot_o") - SLOT(0)];

		vtb_check(tb, p->pins > 0);
		vtb_get_bytes(vtb_port(tb, "part_write_data_o"), 0, &p->req, 64);
		p->err = p->req.flags & CAIRN_QP_REQ_FLAGS_ERR;
		w.errs += p->err;
	}
	if (taken(tb, "done_valid_o", "done_ready_i"))
		give_back((unsigned int)vtb_get(tb, "done_qpn_o"), vtb_get(tb, "done_more_o"));
	if (taken(tb, "kick_failed_valid_o", "kick_failed_ready_i"))
		world_kick((unsigned int)vtb_get(tb, "kick_failed_qpn_o"));
	if (taken(tb, "kick_mr_valid_o", "kick_mr_ready_i"))
		world_kick((unsigned int)vtb_get(tb, "kick_mr_qpn_o"));
	if (taken(tb, "arrived_valid_o", "arrived_ready_i"))
		world_kick((unsigned int)vtb_get(tb, "arrived_qpn_o"));
	if (vtb_get(tb, "kick_walk_valid_o"))
		w.q[vtb_get(tb, "kick_walk_qpn_o")].cmp_kicked = true;
	if (vtb_get(tb, "timer_valid_o")) /* only what is acknowledged has a timer */
		vtb_check_eq(tb, w.q[vtb_get(tb, "timer_qpn_o")].type, CAIRN_QP_TYPE_RC);
	w.local_ops += vtb_get(tb, "events_req_issue_local_ops_o");
	w.ud_long += vtb_get(tb, "events_req_issue_ud_too_long_o");
}

/* Local operations: taken in their order, each once. */
static void sample_local(struct vtb *tb)
{
	if (taken(tb, "mr_key_change_valid_i", "mr_key_change_ready_o"))
		w.change[w.change_head++ % 8].m->answered = true;
	if (taken(tb, "mr_key_change_valid_o", "mr_key_change_ready_i")) {
		unsigned int i = w.change_tail++ % 8;

		w.change[i].m = expect_local(tb);
		w.change[i].vendor = w.change[i].m->vendor;
		w.change[i].due = tb->cycle + 2 + rng_below(&w.rng, 4 * w.latency);
	}
}

static bool refused(uint32_t key)
{
	return key == BAD_KEY || (w.gone && key == w.gone);
}

static void sample_mr(struct vtb *tb)
{
	if (taken(tb, "mr_ask_valid_i", "mr_ask_ready_o"))
		w.mr_head++;
	if (taken(tb, "mr_ask_valid_o", "mr_ask_ready_i")) {
		struct rec_mr_req req = vtb_get_mr_req(vtb_port(tb, "mr_ask_req_o"), 0);
		unsigned int i = w.mr_tail++ % 256, len = req.len;
		uint64_t va = req.va, room = 4096 - (va & 4095);

		w.mr[i].due = tb->cycle + 4 + rng_below(&w.rng, w.latency);
		w.mr[i].status = refused(req.key)		? REC_MRS_ERR
				 : rng_percent(&w.rng, w.miss)	? REC_MRS_MISS
								: REC_MRS_OK;
		if (w.mr[i].status == REC_MRS_MISS && w.n_fill < 60)
			w.fill[w.n_fill++] = tb->cycle + 5 + rng_below(&w.rng, 100);
		w.mr[i].i0 = world_map(va);
		w.mr[i].l0 = len < room ? len : (unsigned int)room;
		w.mr[i].l1 = len - w.mr[i].l0;
		w.mr[i].i1 = world_map(va + room);
	}
}

static void sample_fetch(struct vtb *tb)
{
	struct rec_dma_rd req;
	struct fetch *f;

	if (!taken(tb, "rd_valid_o", "rd_ready_i"))
		return;
	req = vtb_get_dma_rd(vtb_port(tb, "rd_req_o"), 0);
	vtb_check(tb, req.tag < sizeof(w.f) / sizeof(w.f[0]));
	f = &w.f[req.tag];
	vtb_check(tb, !f->used);
	f->used = true;
	f->tag = req.tag;
	f->len = req.len;
	f->iova = req.iova;
	f->sent = 0;
	f->due = tb->cycle + 5 + rng_below(&w.rng, w.latency);
	f->fail = rng_percent(&w.rng, w.read_fail);
	vtb_check(tb, f->iova / 4096 == (f->iova + f->len - 1) / 4096);
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	sample_visits(tb);
	sample_mr(tb);
	sample_local(tb);
	sample_fetch(tb);
	if (taken(tb, "requests_inl_valid_o", "requests_inl_ready_i"))
		expect_inline(tb);
	if (taken(tb, "requests_seg_valid_o", "requests_seg_ready_i"))
		expect_seg(tb);
	if (taken(tb, "requests_job_valid_o", "requests_job_ready_i"))
		expect_job(tb);
}

static uint32_t type_of(unsigned int q)
{
	return q < UC_QP    ? CAIRN_QP_TYPE_RC
	       : q == UC_QP ? CAIRN_QP_TYPE_UC
	       : q == UD_QP ? CAIRN_QP_TYPE_UD
			    : CAIRN_QP_TYPE_GSI;
}

/* A connected QP at a random position, with a random path MTU. */
static void make_qp(unsigned int q)
{
	struct qp *p = &w.q[q];
	uint32_t psn = (uint32_t)rng_u64(&w.rng) & 0xffffff, tag = q | GEN << 24,
		 lg = 1 + (uint32_t)rng_below(&w.rng, 5);
	uint16_t index = (uint16_t)rng_u64(&w.rng);

	p->type = type_of(q);
	p->mtu = 128u << lg;
	p->max_rd = 1 + (unsigned int)rng_below(&w.rng, 16);
	p->cfg.tag = p->req.tag = p->cmp.tag = tag;
	p->cfg.state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_TYPE, p->type) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, lg) |
		       CAIRN_PUT(CAIRN_QP_CFG_STATE_TIMEOUT, 10);
	p->cfg.rqpn_hop = 0x100 + q;
	p->cfg.rd = p->max_rd;
	p->cfg.qkey = (uint32_t)rng_u64(&w.rng);
	p->cfg.pd_sgid = (uint32_t)rng_below(&w.rng, 1 << 24);
	p->cfg.pkey_vlan = 0xffff;
	p->req.flags = CAIRN_PUT(CAIRN_QP_REQ_FLAGS_SQ_LOG2, RING_LOG2);
	p->req.sq_base = BASE(q);
	p->req.index = index | (uint32_t)index << 16;
	p->req.psn = psn;
	p->req.hi_psn = psn;
	p->req.msg_psn = psn;
	p->req.recover = psn;
	/* of no meaning where nobody acknowledges */
	p->cmp.una = q < UC_QP ? psn : (uint32_t)rng_u64(&w.rng);
	p->epoch = q < UC_QP ? 0 : (uint8_t)rng_u64(&w.rng);
	p->req.psn |= (uint32_t)p->epoch << CAIRN_QP_REQ_PSN_SEND_EPOCH_SHIFT;
	p->cmp.gb = psn;
	p->cmp.oldest = index;
	p->cmp.old_psn = psn;
	p->credits = 3;
	if (q)
		p->cmp.flags = CAIRN_QP_CMP_FLAGS_CREDITS_OFF;
	p->pi = index;
	p->end_psn = p->next = p->sent = psn;
}

static void make_gids(struct vtb *tb)
{
	for (unsigned int i = 0; i < GIDS; i++) {
		w.gid[i].valid = i < 2 || rng_percent(&w.rng, 70);
		w.gid[i].ipv6 = i & 1;
		w.gid[i].vlan = rng_percent(&w.rng, 50);
		w.gid[i].vid = (uint16_t)rng_below(&w.rng, 4096);
		vtb_set(tb, "gid_we_i", 1);
		vtb_set(tb, "gid_index_i", i);
		vtb_set(tb, "gid_valid_i", w.gid[i].valid);
		vtb_set(tb, "gid_ipv6_i", w.gid[i].ipv6);
		vtb_set(tb, "gid_vlan_i", w.gid[i].vlan);
		vtb_set(tb, "gid_vid_i", w.gid[i].vid);
		vtb_tick(tb);
	}
	vtb_set(tb, "gid_we_i", 0);
}

struct vtb *world_start(void)
{
	struct vtb *tb = vtb_create();

	memset(&w, 0, sizeof(w));
	w.tb = tb;
	w.rng = tb->rng;
	w.latency = 20;
	w.beat = (unsigned int)vtb_port(tb, "beat_data_i")->width / 8;
	for (unsigned int q = 0; q < QPS; q++)
		make_qp(q);
	vtb_set(tb, "features_i", 0xffffffff);
	vtb_run(tb, 80);
	make_gids(tb);
	vtb_on_drive(tb, drive, NULL);
	vtb_on_sample(tb, sample, NULL);
	return tb;
}

bool world_all_done(void)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (w.q[q].old_msg != w.q[q].n_msg)
			return false;
	return true;
}
