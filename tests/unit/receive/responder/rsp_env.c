// SPDX-License-Identifier: Apache-2.0
/* See rsp_env.h. */
#include "rsp_env_priv.h"

#include <string.h>

unsigned int generation;

bool chance(struct world *w, unsigned int percent)
{
	return rng_percent(&w->rng, percent);
}

/* The QP's record is between two slots. */
static bool blocked(const struct world *w, uint32_t qpn)
{
	return w->ev_state && w->ev_qpn == qpn;
}

/* ---- packets ---- */

void world_send(struct world *w, const struct wpkt *p)
{
	assert_true(w->q_tail - w->q_head < 256);
	w->q[w->q_tail++ % 256] = *p;
	w->sent++;
}

unsigned int world_queued(const struct world *w)
{
	return w->sent - w->done;
}

static void drive_packet(struct world *w)
{
	const struct wpkt *p = &w->q[w->q_head % 256];
	const struct hidden *h = &w->hidden[p->qpn];
	bool cells = p->len || p->bad_pad || p->ip;
	struct cairn_qp_cfg cfg;
	struct rec_rx_pkt pkt;

	if (w->showing)
		return;
	/* RX_INFLIGHT of the test bench is 64 */
	if (w->q_head == w->q_tail || blocked(w, p->qpn) || w->q_head - w->done >= 64 ||
	    chance(w, w->pause)) {
		PUT("pkt_valid_i", 0);
		return;
	}
	w->showing = true;
	w->flying[p->qpn]++;
	w->held[p->qpn]++;
	if (cells) {
		while (w->cell_data[w->cell])
			w->cell = (w->cell + 1) % 4096;
		w->cell_data[w->cell] = p->payload ? p->payload : w->mem;
		w->cell_ip[w->cell] = p->ip;
		w->cell_len[w->cell] = p->len;
		w->cells_live++;
	}
	PUT("pkt_valid_i", 1);
	pkt.meta = (struct rec_rx_meta){
		.cell_head = (uint16_t)w->cell,
		.has_cells = cells,
		.pay_off = w->cell & 0xff,
		.pay_len = (uint16_t)p->len,
		.pad = (uint8_t)(((0 - p->len) & 3) ^ p->bad_pad),
		.ip_off = ~w->cell & 0xff,
		.opcode = (uint8_t)p->opcode,
		.opflags = cairn_opcode_table[p->opcode].flags,
		.se = p->se,
		.ackreq = p->ackreq,
		.ipv6 = p->ipv6,
		.has_tag = p->tag >> 3,
		.prio = p->tag & 7,
		.qpn = h->name,
		.psn = p->psn & 0xffffff,
		.va = p->va ^ h->va,
		.key = p->key ^ h->key,
		.len = p->rlen,
		.imm = p->imm,
		.swap_add = p->swap_add,
		.compare = p->compare,
		.src_qp = p->src_qp,
		.slot = (uint16_t)w->slot[p->qpn],
		.gen = p->gen ^ h->gen,
	};
	cfg = hide_cfg(w, p->qpn);
	memcpy(pkt.cfg, &cfg, sizeof(pkt.cfg));
	vtb_put_rx_pkt(PORT("pkt_pkt_i"), 0, &pkt);
	if (cells)
		w->cell = (w->cell + 1237) % 4096;
}

/* ---- QP cache lookups ---- */

/* A lookup of the QP is under way. */
static bool looked(const struct world *w, uint32_t qpn)
{
	for (unsigned int i = 0; i < w->n_look; i++)
		if (w->look[i].qpn == qpn)
			return true;
	return false;
}

static void lookup_drive(struct world *w)
{
	uint32_t q = w->look[0].qpn;

	PUT("ctx_valid_i", 0);
	PUT("fill_valid_i", 0);
	PUT("ctx_ready_i", w->n_look < LOOKS && !chance(w, w->pause));
	if (w->qfill_due && w->qfill_due <= w->tb->cycle) {
		PUT("fill_valid_i", 1);
		PUT("fill_rsp_i", 1);
		PUT("fill_key_i", w->hidden[w->qfill_key].name);
		w->qfill_due = 0;
	}
	if (!w->n_look || w->look[0].due > w->tb->cycle)
		return;
	memmove(&w->look[0], &w->look[1], --w->n_look * sizeof(w->look[0]));
	PUT("ctx_valid_i", 1);
	PUT("ctx_slot_i", w->slot[q]);
	if (!chance(w, w->lk_bad) && !blocked(w, q)) {
		PUT("ctx_status_i", 0);
		w->pins[w->slot[q]]++;
	} else if (blocked(w, q) || w->qfill_due || chance(w, 50)) {
		PUT("ctx_status_i", 2);
	} else {
		PUT("ctx_status_i", 1);
		w->pins[w->slot[q]]++;
		w->qfill_key = q;
		w->qfill_due = w->tb->cycle + 3 + rng_below(&w->rng, 40);
	}
}

static void lookup_sample(struct world *w)
{
	if (GET("ctx_valid_o") && GET("ctx_ready_i")) {
		w->look[w->n_look].qpn = plain_low(w, GET("ctx_key_o"));
		w->look[w->n_look].due = w->tb->cycle + 2;
		vtb_check(w->tb, w->look[w->n_look++].qpn < QPS);
	}
	if (GET("part_unpin_visit_valid_o"))
		vtb_check(w->tb, w->pins[GET("part_unpin_visit_slot_o")]-- > 0);
}

/* ---- jobs ---- */

static void read_job(struct world *w, unsigned int port, struct wjob *j)
{
	struct rec_tx_job job =
		vtb_get_tx_job(port ? PORT("responses_ack_o") : PORT("responses_job_o"), 0);

	vtb_check(w->tb, plain_qpn(w, job.qpn) < QPS);
	*j = (struct wjob){
		.port = port,
		.kind = job.kind,
		.qpn = plain_qpn(w, job.qpn),
		.opcode = job.opcode,
		.psn = job.psn,
		.len = job.pay_len,
		.aeth = job.args.aeth,
		.value = job.args.swap_add,
	};
	j->dest = job.av.dest_qp ^ w->hidden[j->qpn].dest;
}

static void close_job(struct world *w)
{
	assert_true(w->r_tail - w->r_head < 64);
	w->ring[w->r_tail++ % 64] = w->cur;
	w->cur_open = false;
}

static void job_sample(struct world *w)
{
	if (GET("responses_seg_valid_o") && GET("responses_seg_ready_i")) {
		struct rec_tx_seg seg = vtb_get_tx_seg(PORT("responses_seg_o"), 0);

		vtb_check(w->tb, w->cur_open && w->cur.nseg < 2 && seg.nb_valid);
		/* the newest of this moment, however long the segment has waited */
		vtb_check_eq(w->tb, seg.not_before, GET("dma_last_ticket_i"));
		w->cur.seg[w->cur.nseg].iova =
			plain_iova(w, seg.iova, seg.len, seg.func);
		w->cur.seg[w->cur.nseg++].len = seg.len;
		if (seg.eoj)
			close_job(w);
	}
	if (GET("responses_job_valid_o") && GET("responses_job_ready_i")) {
		vtb_check(w->tb, !w->cur_open);
		read_job(w, 0, &w->cur);
		w->cur_open = true;
		if (!w->cur.len)
			close_job(w);
	}
	if (GET("responses_ack_valid_o") && GET("responses_ack_ready_i")) {
		struct wjob j;

		read_job(w, 1, &j);
		vtb_check(w->tb, j.kind == 2 && !j.len);
		w->on_job(w, &j);
	}
}

static void job_drive(struct world *w)
{
	bool room = w->r_tail - w->r_head < 16;

	PUT("responses_job_ready_i", room && !w->cur_open && !chance(w, w->pause));
	PUT("responses_ack_ready_i", !chance(w, w->pause));
	PUT("responses_seg_ready_i", w->cur_open && !chance(w, w->pause));
	PUT("responses_left_i", 0);
	if (w->r_head != w->r_tail && w->left_due <= w->tb->cycle) {
		PUT("responses_left_i", 1);
		w->left_due = w->tb->cycle + rng_below(&w->rng, w->left_wait);
		w->on_job(w, &w->ring[w->r_head++ % 64]);
	}
}

/* ---- completions, events ---- */

static void cqe_sample(struct world *w)
{
	if (GET("news_cq_put_valid_o") && GET("news_cq_ready_i")) {
		const struct sim_port *req = PORT("news_cq_put_req_o");
		struct rec_cqe_req r = vtb_get_cqe_req(req, 0);
		struct wcqe c = {
			.cqn = r.cqn,
			.qpn = r.qpn,
			.byte_len = r.byte_len,
			.imm = r.imm,
			.opcode = r.opcode,
			.index = r.wqe_index,
			.flags = (unsigned int)vtb_get_bits(req, REC_CQE_REQ_FLAGS),
			.vendor = r.vendor,
			.status = r.status,
			.sol = r.event_sol,
			.src_qp = r.src_qp,
			.net = r.net,
		};

		c.qpn = plain_qpn(w, c.qpn);
		vtb_check(w->tb, c.qpn < QPS);
		c.cqn ^= w->hidden[c.qpn].cqn;
		if (c.opcode == CAIRN_CQE_OP_RECV_INV)
			c.imm ^= w->hidden[c.qpn].key;
		w->on_cqe(w, &c);
	}
	if (GET("news_eqe_valid_o") && GET("news_eqe_ready_i")) {
		struct rec_eqe_req r = vtb_get_eqe_req(PORT("news_eqe_req_o"), 0);
		struct weqe e = { r.eqn, r.etype, r.number, r.data };

		if (e.type != CAIRN_EQE_TYPE_SRQ_LIMIT && e.type != CAIRN_EQE_TYPE_SRQ_ERR) {
			e.number = plain_qpn(w, e.number);
			vtb_check(w->tb, e.number < QPS);
			e.eqn ^= w->hidden[e.number].eqn;
		}
		if (w->on_eqe)
			w->on_eqe(w, &e);
	}
	if (GET("news_qp_err_valid_o") && GET("news_qp_err_ready_i") && w->on_qp_err)
		w->on_qp_err(w, plain_qpn(w, GET("news_qp_err_qpn_o")));
}

/* ---- a record that nothing uses is evicted and comes back in another slot ---- */

static bool slot_used(const struct world *w, unsigned int slot)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (w->slot[q] == slot)
			return true;
	return false;
}

static void evict_drive(struct world *w)
{
	unsigned int q = w->ev_qpn;
	struct cairn_qp_cfg cfg;
	uint8_t part[64];

	switch (w->ev_state) {
	case 0:
		if (!w->evict || rng_below(&w->rng, 10000) >= w->evict)
			return;
		q = rng_below(&w->rng, QPS);
		if (w->held[q] || w->pins[w->slot[q]] || looked(w, q))
			return;
		w->ev_qpn = q;
		do
			w->ev_slot = rng_below(&w->rng, SLOTS);
		while (slot_used(w, w->ev_slot));
		PUT("peek_slot_i", w->slot[q]);
		break;
	case 3:
		vtb_get_bytes(PORT("peek_o"), 0, part, 64);
		PUT("host_write_valid_i", 1);
		PUT("host_write_part_i", 3);
		PUT("host_write_slot_i", w->ev_slot);
		vtb_put_bytes(PORT("host_write_data_i"), 0, part, 64);
		break;
	case 4:
		PUT("host_write_part_i", 0);
		cfg = hide_cfg(w, q);
		vtb_put_bytes(PORT("host_write_data_i"), 0, &cfg, 64);
		break;
	case 5:
		PUT("host_write_valid_i", 0);
		w->slot[q] = w->ev_slot;
		w->moves++;
		w->ev_state = 0;
		return;
	}
	w->ev_state++;
}

static void drive(struct vtb *tb, void *arg)
{
	struct world *w = arg;
	bool at_turn;

	(void)tb;
	if (w->in_reset) {
		hide_reset(w);
		return;
	}
	if (w->on_cycle)
		w->on_cycle(w);
	hide_idle(w);
	evict_drive(w);
	drive_packet(w);
	mr_drive(w);
	read_drive(w);
	lookup_drive(w);
	update_drive(w);
	job_drive(w);
	at_turn = GET("memory_wr_atom_valid_o") && chance(w, 50); /* one write a cycle */
	PUT("memory_wr_rsp_ready_i", !at_turn && !chance(w, w->pause) && !w->no_write);
	PUT("memory_wr_atom_ready_i", at_turn);
	PUT("dma_last_ticket_i", w->ticket);
	PUT("news_cq_ready_i", !chance(w, w->pause) && !w->no_cqe);
	PUT("news_eqe_ready_i", !chance(w, w->pause));
	PUT("news_qp_err_ready_i", !chance(w, w->pause));
	PUT("rq_pi_i", w->pi[w->rq_qpn]);
	PUT("kick_doorbell_valid_i", w->kick && !w->kick_port);
	PUT("kick_firmware_valid_i", w->kick && w->kick_port);
	if (w->kick)
		vtb_put(w->kick_port ? PORT("kick_firmware_qpn_i") : PORT("kick_doorbell_qpn_i"),
			w->hidden[w->kick - 1].name);
	PUT("control_engine_epoch_i", chance(w, 50)); /* only passed on */
	PUT("tx_err_valid_i", w->txerr != 0);
	if (w->txerr) {
		const struct rec_tx_lost lost = { .qpn = w->hidden[w->txerr - 1].name,
						  .gen = 7 ^ w->hidden[w->txerr - 1].gen,
						  .psn = w->txerr_psn & 0xffffff };

		vtb_put_tx_lost(PORT("tx_err_lost_i"), 0, &lost);
	}
}

static const char *const strobe[C_COUNT] = {
	[C_DUP] = "events_rsp_commit_duplicate_request_o",
	[C_OOS] = "events_rsp_commit_out_of_sequence_o",
	[C_RNR] = "events_rsp_tx_rnr_nak_sent_o",
	[C_SEQ] = "events_rsp_tx_seq_nak_sent_o",
	[C_INV] = "events_rsp_tx_resp_inv_req_o",
	[C_ACCESS] = "events_rsp_tx_resp_access_err_o",
	[C_OP] = "events_rsp_tx_resp_op_err_o",
	[C_SEND] = "events_rsp_commit_rx_send_o",
	[C_WRITE] = "events_rsp_commit_rx_write_o",
	[C_READ] = "events_rsp_commit_rx_read_o",
	[C_STATE] = "events_rsp_commit_rx_qp_state_o",
	[C_CQE_ERR] = "events_rsp_commit_resp_cqe_err_o",
	[C_FETCH] = "events_rq_unit_rqe_fetch_rqe_fetch_o",
	[C_PARK] = "events_rsp_join_rx_parked_o",
	[C_COAL] = "events_rsp_commit_cqe_coalesced_ack_o",
	[C_STALL] = "events_rsp_commit_stall_rsp_o",
	[C_UC] = "events_rsp_commit_rx_uc_drop_o",
	[C_UD] = "events_rsp_commit_rx_ud_drop_o",
	[C_NO_RECV] = "events_rsp_commit_rx_no_recv_o",
	[C_ATOMIC] = "events_atomic_exec_rx_atomic_o",
	[C_SRQ] = "events_rq_unit_srq_state_srq_error_o",
	[C_SRQ_WAIT] = "events_rq_unit_srq_state_rx_srq_wait_o",
	[C_LOC_LEN] = "events_rsp_commit_resp_loc_len_o",
};

static void count(struct world *w)
{
	static const struct sim_port *port[C_COUNT];
	static unsigned int looked_up;

	for (unsigned int i = 0; i < C_COUNT; i++) {
		if (looked_up != generation)
			port[i] = vtb_port(w->tb, strobe[i]);
		w->cnt[i] += vtb_read(port[i]);
	}
	looked_up = generation;
}

/* The key of what begins a WRITE, READ or atomic is told in the cycle after it was taken. */
static void check_ahead(struct world *w, bool taken)
{
	const struct sim_port *pkt = PORT("pkt_pkt_i");
	uint64_t flags = vtb_get_bits(pkt, REC_RX_PKT_META_OPFLAGS);

	vtb_check_eq(w->tb, GET("mr_ahead_valid_o"), w->ahead);
	if (w->ahead)
		vtb_check_eq(w->tb, GET("mr_ahead_key_o"), w->ahead_key >> 8);
	w->ahead = taken && flags & CAIRN_OPF_START &&
		   flags & (CAIRN_OPF_WRITE | CAIRN_OPF_READ | CAIRN_OPF_ATOMIC);
	w->ahead_key = (uint32_t)vtb_get_bits(pkt, REC_RX_PKT_META_KEY);
}

static void sample(struct vtb *tb, void *arg)
{
	struct world *w = arg;
	bool taken = GET("pkt_valid_i") && GET("pkt_ready_o");

	if (w->in_reset) {
		w->ahead = false;
		return;
	}
	check_ahead(w, taken);
	if (taken) {
		w->showing = false;
		w->q_head++;
		w->last_pkt_cycle = tb->cycle;
		if (!w->first_pkt_cycle)
			w->first_pkt_cycle = tb->cycle;
	}
	if (GET("pkt_done_o")) {
		unsigned int q = 0;

		while (w->slot[q] != GET("part_unpin_packet_slot_o"))
			vtb_check(w->tb, ++q < QPS);
		vtb_check(w->tb, w->flying[q]-- > 0);
		w->done++;
	}
	if (GET("part_unpin_packet_valid_o")) {
		unsigned int q = 0;

		while (w->slot[q] != GET("part_unpin_packet_slot_o"))
			vtb_check(w->tb, ++q < QPS);
		vtb_check(w->tb, w->held[q]-- > w->flying[q]);
	}
	if (w->ev_state == 4 && !GET("host_write_ready_o")) /* the owner writes: again */
		w->ev_state = 3;
	write_sample(w);
	atomic_write_sample(w);
	cqe_sample(w);
	mr_sample(w);
	read_sample(w);
	lookup_sample(w);
	job_sample(w);
	w->rq_qpn = plain_low(w, GET("rq_qpn_o"));
	if (w->kick && (w->kick_port ? GET("kick_firmware_ready_o") : GET("kick_doorbell_ready_o"))) {
		w->kick = 0;
		w->kick_port ^= 1;
	}
	if (w->txerr && GET("tx_err_ready_o"))
		w->txerr = 0;
	count(w);
	update_sample(w);
}

/* ---- set-up ---- */

/* Out of reset. */
static void begin(struct world *w)
{
	w->rd_now = -1;
	w->latency = 100;
	w->left_wait = 60;
	w->read_pause = 20;
	hide_init(w);
	vtb_set(w->tb, "control_engine_features_i", 0);
	vtb_set(w->tb, "left_i", 64);
	vtb_set(w->tb, "control_res_func_i", w->res_func);
	vtb_set(w->tb, "control_res_base_i", RES_BASE | w->res_high);
	for (unsigned int q = 0; q < QPS; q++) {
		struct cairn_qp_cfg *c = &w->cfg[q];

		c->tag = CAIRN_PUT(CAIRN_QP_CFG_TAG_QPN, q) | CAIRN_PUT(CAIRN_QP_CFG_TAG_GEN, 7);
		c->state = CAIRN_PUT(CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_RTS) |
			   CAIRN_PUT(CAIRN_QP_CFG_STATE_PMTU, 1) | CAIRN_QP_CFG_STATE_REMOTE_WRITE |
			   CAIRN_QP_CFG_STATE_REMOTE_READ | CAIRN_QP_CFG_STATE_REMOTE_ATOMIC |
			   CAIRN_PUT(CAIRN_QP_CFG_STATE_MIN_RNR_TIMER, 9);
		c->pd_sgid = 0x123;
		c->rqpn_hop = 0x77 + q;
		c->rd = CAIRN_PUT(CAIRN_QP_CFG_RD_MAX_DEST_RD_ATOMIC, 4);
		c->eqn = 5;
	}
}

struct world *world_create(void)
{
	struct world *w = calloc(1, sizeof(*w));

	generation++;
	w->tb = vtb_create();
	w->rng = w->tb->rng;
	w->mem = calloc(1, MEM_BYTES);
	w->width = vtb_port(w->tb, "dma_data_i")->width / 8;
	begin(w);
	vtb_on_drive(w->tb, drive, w);
	vtb_on_sample(w->tb, sample, w);
	vtb_ctx_attach(&w->ctx_port, w->tb, "op", "op");
	vtb_run(w->tb, 300); /* clearing after reset */
	return w;
}

void world_reset(struct world *w)
{
	struct world old = *w;

	w->in_reset = true;
	vtb_reset(w->tb, 20);
	old.rng = w->rng;
	memset(w, 0, sizeof(*w));
	w->tb = old.tb;
	w->rng = old.rng;
	w->mem = old.mem;
	w->width = old.width;
	w->ctx_port = old.ctx_port;
	begin(w);
	vtb_run(w->tb, 300);
}

void world_destroy(struct world *w)
{
	vtb_destroy(w->tb);
	free(w->mem);
	free(w);
}

static bool quiet(void *arg)
{
	struct world *w = arg;

	return !world_queued(w) && GET("idle_o") && w->r_head == w->r_tail && !w->kick &&
	       !w->txerr && !w->n_look && !w->n_fill && !w->qfill_due && !w->cur_open;
}

void world_drain(struct world *w, unsigned int max_cycles)
{
	for (unsigned int calm = 0; calm < 8; calm = quiet(w) ? calm + 1 : 0) {
		if (!max_cycles--)
			vtb_fail(w->tb, "the responder is not idle: %u packets, idle %d",
				 world_queued(w), (int)GET("idle_o"));
		vtb_tick(w->tb);
	}
	vtb_check_eq(w->tb, w->cells_live, 0);
	for (unsigned int i = 0; i < SLOTS; i++)
		vtb_check_eq(w->tb, w->pins[i], 0);
	for (unsigned int q = 0; q < QPS; q++)
		vtb_check_eq(w->tb, w->held[q], 0);
}
