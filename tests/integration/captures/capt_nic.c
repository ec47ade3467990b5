// SPDX-License-Identifier: Apache-2.0
/* Captures replayed (capt.h): the NIC with the addresses, QPs and memory of the captured host. */
#include "capt.h"

#include <errno.h>
#include <stdio.h>

#define FIRST_GID 3
#define LINK_MBPS 7000
#define SETTLE_CYCLES 200000
#define BAD_KEY_FLIP 0xff00u
#define MASK(name) CAIRN_QP_MASK_##name

/* ---------------------------------------------------------------- memory */

static void open_key(struct capt *c, unsigned int i)
{
	struct capt_key *key = &c->key[i];
	struct rdma_buf_cfg cfg = { .offset = key->low & 4095, .va = key->low };

	cfg.access = CAIRN_ACCESS_LOCAL_WRITE | (c->scene->mr_rights ? c->scene->mr_rights : 15);
	if (c->scene->window)
		cfg.access |= CAIRN_ACCESS_MW_BIND;
	cfg.len = c->scene->mr_bytes ? c->scene->mr_bytes : key->high - key->low;
	if (!cfg.len)
		cfg.len = 64;
	if (c->scene->bad_key == i + 1) {
		key->device_key = i ? c->key[0].device_key ^ BAD_KEY_FLIP : key->key;
		return;
	}
	key->buf = rdma_buf_with(c->r, 0, &cfg);
	key->device_key = key->buf->mr->key;
	key->known = calloc(cfg.len, sizeof(*key->known));
	assert_non_null(key->known);
}

struct capt_key *capt_find_key(struct capt *c, uint32_t key)
{
	for (unsigned int i = 0; i < c->keys; i++)
		if (c->key[i].key == key)
			return &c->key[i];
	return NULL;
}

/* ---------------------------------------------------------------- QPs */

static uint32_t gid_index(struct capt *c, const struct capt_qp *qp)
{
	struct capt_session *s = c->session;
	unsigned int i = 0;

	while (i < s->gids && (memcmp(s->gid[i].gid, qp->gid, 16) || s->gid[i].tci != qp->tci))
		i++;
	if (i == s->gids) {
		assert_true(++s->gids <= CAPT_GIDS);
		memcpy(s->gid[i].gid, qp->gid, 16);
		s->gid[i].tci = qp->tci;
		rdma_ok(c->r,
			cairn_set_gid(c->r->nic[0].dev, FIRST_GID + i, qp->gid,
				      qp->tci ? CAIRN_GID_VLAN | qp->tci : 0),
			"GID");
	}
	return FIRST_GID + i;
}

static uint32_t mtu_code(uint32_t bytes)
{
	uint32_t code = 1;

	while (128u << code != bytes)
		code++;
	return code;
}

static struct cairn_qp_attr attributes(const struct capt_qp *qp)
{
	const struct capture_scene *scene = qp->c->scene;
	struct cairn_qp_attr attr = {
		.path_mtu = mtu_code(qp->pmtu),
		.qkey = qp->qkey,
		.rq_psn = qp->rq_psn,
		.sq_psn = qp->sq_psn,
		.dest_qpn = qp->peer_qpn == CAIRN_ANY ? 0xfffff0 : qp->peer_qpn,
		.access = scene->qp_rights && !qp->c->client ? scene->qp_rights & 14 : 14,
		.port = 1,
		.max_rd_atomic = CAIRN_MAX_RD_ATOMIC,
		.max_dest_rd_atomic = CAIRN_MAX_RD_ATOMIC,
		.min_rnr_timer = scene->rnr_timer,
		.timeout = 14,
		.retry_cnt = scene->retry_cnt ? scene->retry_cnt : 7,
		.rnr_retry = scene->rnr_retry ? scene->rnr_retry : 7,
		.sgid_index = qp->gid_index,
		.tclass = qp->tos,
		.hop_limit = 64,
		.dmac = qp->c->peer_mac,
	};

	memcpy(attr.dgid, qp->peer_gid, 16);
	return attr;
}

static void to_rts(struct capt_qp *qp)
{
	struct cairn_qp_attr attr = attributes(qp);
	const uint32_t path = MASK(AV) | MASK(PATH_MTU) | MASK(DEST_QPN) | MASK(RQ_PSN);
	const uint32_t rc_rtr = MASK(MAX_DEST_RD_ATOMIC) | MASK(MIN_RNR_TIMER);
	const uint32_t rc_rts = MASK(TIMEOUT) | MASK(RETRY_CNT) | MASK(RNR_RETRY) |
				MASK(MAX_RD_ATOMIC);
	bool ud = qp->transport == CAIRN_TRANSPORT_UD, rc = qp->transport == CAIRN_TRANSPORT_RC;
	uint32_t init = MASK(STATE) | MASK(PKEY_INDEX);
	struct rdma *r = qp->c->r;

	attr.state = CAIRN_QP_STATE_INIT;
	init |= ud ? MASK(QKEY) : MASK(ACCESS);
	init |= qp->rtl->cfg.type == CAIRN_QP_TYPE_GSI ? 0 : MASK(PORT);
	rdma_ok(r, cairn_modify_qp(qp->rtl->qp, &attr, init), "QP to INIT");
	attr.state = CAIRN_QP_STATE_RTR;
	rdma_ok(r,
		cairn_modify_qp(qp->rtl->qp, &attr,
				MASK(STATE) | (ud ? 0 : path) | (rc ? rc_rtr : 0)),
		"QP to RTR");
	if (!qp->sends && !qp->c->scene->window) /* it can answer */
		return;
	attr.state = CAIRN_QP_STATE_RTS;
	rdma_ok(r,
		cairn_modify_qp(qp->rtl->qp, &attr,
				MASK(STATE) | MASK(SQ_PSN) | (rc ? rc_rts : 0)),
		"QP to RTS");
}

static enum cairn_qp_type type_of(const struct capt_qp *qp)
{
	if (qp->transport == CAIRN_TRANSPORT_UD)
		return qp->qpn == 1 ? CAIRN_QP_TYPE_GSI : CAIRN_QP_TYPE_UD;
	return qp->transport == CAIRN_TRANSPORT_UC ? CAIRN_QP_TYPE_UC : CAIRN_QP_TYPE_RC;
}

static void open_qp(struct capt *c, struct capt_qp *qp)
{
	const struct cairn_dev_caps *caps = &c->r->nic[0].caps;
	struct rdma_qp_cfg cfg;

	if (c->scene->no_qp && !c->client)
		return;
	rdma_qp_cfg_init(&cfg);
	cfg.type = type_of(qp);
	cfg.send_wr = 2 * CAPT_MSGS;
	cfg.send_sge = cfg.recv_sge = 1;
	if (cfg.type != CAIRN_QP_TYPE_GSI && qp->qpn >= caps->qpn_first &&
	    qp->qpn < caps->qpn_first + caps->max_qp)
		cfg.qpn = qp->qpn;
	qp->gid_index = gid_index(c, qp);
	qp->rtl = rdma_create_qp(c->r, 0, &cfg);
	if (qp->qpn == CAIRN_ANY)
		qp->qpn = qp->rtl->qp->qpn;
	to_rts(qp);
	if (qp->receives) {
		qp->recv_at = c->recv_used;
		c->recv_used += CAPT_RECV_BYTES;
		assert_true(c->recv_used <= CAPT_ARENA_BYTES);
	}
	capt_messages(qp);
}

/* The one key is that of a window, bound by the QP. */
static void bind_window(struct capt_qp *qp)
{
	struct capt *c = qp->c;
	struct capt_key *key = &c->key[0];
	struct rdma_wr wr;

	rdma_ok(c->r, cairn_alloc_mw(c->r->nic[0].pd, 2, &c->window), "window");
	wr = rdma_bind(c->window, (uint8_t)(c->window->key + 1), key->buf, 0, key->buf->len,
		       CAIRN_ACCESS_REMOTE_WRITE | CAIRN_ACCESS_REMOTE_READ);
	wr.unsignaled = true;
	rdma_write_wqe(qp->rtl, &wr, wr.local.length, 1);
	cairn_sq_ring(qp->rtl->qp);
	key->device_key = c->window->key = wr.imm;
}

static bool all_quiet(void *arg)
{
	struct capt *c = arg;

	/* deadlines of the wire are near, those of timers far away */
	return sim_next(c->r->sim) > sim_now(c->r->sim) + 50000;
}

void capt_settle(struct capt *c)
{
	if (sim_run_until(c->r->sim, all_quiet, c, SETTLE_CYCLES) == -ETIMEDOUT)
		capt_fail(c, NULL, "the NIC does not come to rest");
	if (c->trouble[0])
		capt_fail(c, NULL, "%s", c->trouble);
}

void capt_open(struct capt *c)
{
	c->nic_mac = sim_nic_mac(c->r->nic[0].sim);
	c->line = (struct sim_line){ .mbps = LINK_MBPS };
	for (unsigned int i = 0; i < c->keys; i++)
		open_key(c, i);
	for (unsigned int i = 0; i < c->qps; i++)
		open_qp(c, c->qp[i]);
	if (c->scene->window && c->keys)
		bind_window(c->qp[0]);
	capt_settle(c);
}

void capt_close(struct capt *c)
{
	struct rdma *r = c->r;

	rdma_buf_check(r, c->session->send);
	rdma_buf_check(r, c->session->recv);
	for (unsigned int i = 0; i < c->keys; i++) {
		if (c->key[i].buf)
			rdma_buf_check(r, c->key[i].buf);
		free(c->key[i].known);
	}
	for (unsigned int i = 0; i < c->qps; i++) {
		if (c->qp[i]->rtl)
			rdma_destroy_qp(c->qp[i]->rtl);
		for (unsigned int k = 0; k < 2; k++)
			for (unsigned int n = 0; n < c->qp[i]->out[k].n; n++)
				free(c->qp[i]->out[k].sent[n].packet);
		free(c->qp[i]);
	}
	if (c->window)
		cairn_dealloc_mw(c->window);
	if (cairn_cq_next(r->nic[0].cq->cq))
		capt_fail(c, NULL, "completions after the QPs are gone");
	if (sim_errors(r->sim) != r->errors)
		capt_fail(c, NULL, "failed assertions of the model or broken PCIe rules");
}

void capt_post_recv(struct capt_qp *qp)
{
	struct cairn_sge *slot = cairn_rq_entry(qp->rtl->qp, qp->rtl->qp->rq_pi);

	struct capt *c = qp->c;

	memset(c->session->recv->data + qp->recv_at, 0x5a, CAPT_RECV_BYTES);
	rdma_buf_forget(c->session->recv, qp->recv_at, CAPT_RECV_BYTES);
	*slot = rdma_sge(c->session->recv, qp->recv_at,
			 c->scene->recv_bytes ? c->scene->recv_bytes : CAPT_RECV_BYTES);
	qp->rtl->qp->rq_pi++;
	qp->recvs++;
	cairn_rq_ring(qp->rtl->qp);
	capt_settle(c);
}

/* ---------------------------------------------------------------- wire */

static void translate(struct capt *c, const struct capture_frame *f, uint8_t *bth)
{
	const struct cairn_opcode_info *op = &cairn_opcode_table[f->pkt.opcode];
	const struct capt_qp *qp = capt_qp_of(c, f);
	uint8_t *ext = bth + CAIRN_BTH_BYTES;
	const struct capt_key *key;

	if (qp && qp->rtl)
		cairn_pkt_set(bth, CAIRN_BTH_DEST_QP, qp->rtl->qp->qpn);
	if (capt_is_response(f))
		return;
	if (op->ext & CAIRN_EXT_RETH) {
		key = capt_find_key(c, (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_RKEY));
		cairn_pkt_set(ext, CAIRN_RETH_RKEY, key->device_key);
	}
	if (op->ext & CAIRN_EXT_ATOMICETH) {
		key = capt_find_key(c, (uint32_t)cairn_pkt_get(ext, CAIRN_ATOMICETH_RKEY));
		cairn_pkt_set(ext, CAIRN_ATOMICETH_RKEY, key->device_key);
	}
	if (op->ext & CAIRN_EXT_IETH) {
		key = capt_find_key(c, (uint32_t)cairn_pkt_get(ext, CAIRN_IETH_RKEY));
		if (key)
			cairn_pkt_set(ext, CAIRN_IETH_RKEY, key->device_key);
	}
}

static void send_frame(struct capt *c, struct sim_frame *frame)
{
	uint64_t now = sim_now(c->r->sim);

	assert_non_null(frame);
	frame->t = sim_line_frame(&c->line, now, frame->len);
	sim_wire_send(sim_wire(c->r->sim), 1, frame, now);
	capt_settle(c);
}

/* A damaged frame goes in as it is: its ICRC stays wrong, MAC addresses are not part of it. */
void capt_feed(struct capt *c, const struct capture_frame *f)
{
	uint8_t raw[CAPTURE_RAW] = { 0 }, *bth = raw + f->pkt.bth;
	uint32_t icrc;

	memcpy(raw, f->raw, f->len);
	cairn_pkt_set(raw, CAIRN_ETH_DST,
		      c->nic_mac ^ c->mac ^ cairn_pkt_get(raw, CAIRN_ETH_DST));
	if (f->good) {
		translate(c, f, bth);
		icrc = model_icrc(raw + f->pkt.l3, f->pkt.bth - f->pkt.l3 + f->packet.len);
		memcpy(bth + f->packet.len, &icrc, CAIRN_ICRC_BYTES);
	}
	c->fed++;
	send_frame(c, sim_frame_new(raw, f->len < CAIRN_MIN_FRAME ? CAIRN_MIN_FRAME : f->len));
}

void capt_no_credits(struct capt_qp *qp)
{
	struct model_packet ack = { .len = CAIRN_BTH_BYTES + CAIRN_AETH_BYTES };
	struct frame_path path = { .dmac = qp->c->nic_mac,
				   .smac = qp->c->peer_mac,
				   .sport = 0xc000,
				   .hops = 64,
				   .tci = qp->tci };

	memcpy(ack.src, qp->peer_gid, 16);
	memcpy(ack.dst, qp->gid, 16);
	cairn_pkt_set(ack.bytes, CAIRN_BTH_OPCODE, CAIRN_OPCODE_RC_ACKNOWLEDGE);
	cairn_pkt_set(ack.bytes, CAIRN_BTH_PKEY, 0xffff);
	cairn_pkt_set(ack.bytes, CAIRN_BTH_DEST_QP, qp->rtl->qp->qpn);
	cairn_pkt_set(ack.bytes, CAIRN_BTH_PSN, qp->sq_psn - 1);
	cairn_pkt_set(ack.bytes + CAIRN_BTH_BYTES, CAIRN_AETH_SYNDROME, CAIRN_AETH_NO_CREDIT);
	send_frame(qp->c, frame_build(&ack, &path));
}

static struct capt_qp *sender(struct capt *c, const struct sim_pkt *pkt, const uint8_t *bth)
{
	enum cairn_transport transport = cairn_opcode_table[pkt->opcode].transport;

	for (unsigned int i = 0; i < c->qps; i++) {
		struct capt_qp *qp = c->qp[i];

		if (!qp->rtl || qp->transport != transport)
			continue;
		if (transport == CAIRN_TRANSPORT_UD
			    ? cairn_pkt_get(bth + CAIRN_BTH_BYTES, CAIRN_DETH_SRC_QP) ==
				      qp->rtl->qp->qpn
			    : qp->peer_qpn == pkt->qp)
			return qp;
	}
	return NULL;
}

/* Where not all that it sends is compared, it still has to be one stream (capt.h). */
static void check_stream(struct capt_qp *qp, const struct model_packet *packet)
{
	uint32_t psn = (uint32_t)cairn_pkt_get(packet->bytes, CAIRN_BTH_PSN);

	if (qp->transport != CAIRN_TRANSPORT_RC || !qp->c->lossy)
		return;
	if (cairn_opcode_table[packet->bytes[0]].flags & CAIRN_OPF_RSP) {
		if (psn != qp->answer && psn != qp->asked)
			snprintf(qp->c->trouble, sizeof(qp->c->trouble),
				 "the NIC sends %s, where PSN 0x%06x is next and 0x%06x was asked for",
				 capt_text(packet), qp->answer, qp->asked);
		qp->answer = model_psn_add(psn, 1);
		return;
	}
	if (psn != qp->next && psn != qp->una)
		snprintf(qp->c->trouble, sizeof(qp->c->trouble),
			 "the NIC sends %s, where PSN 0x%06x is next and 0x%06x unacknowledged",
			 capt_text(packet), qp->next, qp->una);
	qp->next = model_psn_add(psn, capt_psns(qp, packet));
}

static void peer(void *arg, const struct sim_frame *frame)
{
	struct capt *c = ((struct capt_session *)arg)->playing;
	struct model_packet packet;
	struct capt_list *list;
	struct capt_sent *sent;
	struct capt_qp *qp;
	struct sim_pkt pkt;
	const uint8_t *ip;

	if (!c)
		return;
	sim_pkt_parse(frame->data, frame->len, &pkt);
	if (pkt.kind != SIM_PKT_ROCE)
		return;
	ip = frame->data + pkt.l3;
	if (!frame_take(frame, c->peer_mac, &packet)) {
		snprintf(c->trouble, sizeof(c->trouble), "a frame for nobody, or damaged");
		return;
	}
	qp = sender(c, &pkt, packet.bytes);
	if (!qp) {
		snprintf(c->trouble, sizeof(c->trouble), "%s to QP 0x%x", capt_text(&packet),
			 pkt.qp);
		return;
	}
	check_stream(qp, &packet);
	list = &qp->out[pkt.flags & CAIRN_OPF_RSP ? 1 : 0];
	if (list->n == CAPT_SENT) {
		snprintf(c->trouble, sizeof(c->trouble), "the NIC sends for ever");
		return;
	}
	sent = &list->sent[list->n];
	sent->packet = malloc(sizeof(packet));
	assert_non_null(sent->packet);
	*sent->packet = packet;
	sent->tos = pkt.ipv6 ? (uint8_t)(ip[0] << 4 | ip[1] >> 4) : ip[1];
	sent->tci = pkt.l3 > CAIRN_ETH_BYTES ? (uint16_t)(frame->data[14] << 8 | frame->data[15])
					     : 0;
	list->n++;
}

void capt_begin(struct capt_session *session)
{
	struct rdma_buf_cfg buf = { .len = CAPT_ARENA_BYTES, .access = CAIRN_ACCESS_LOCAL_WRITE };
	struct rdma_cfg cfg = { .nics = 1, .peer_fn = peer, .peer_arg = session };

	cfg.pcap = session->pcap;
	session->r = rdma_begin(&cfg);
	session->send = rdma_buf_with(session->r, 0, &buf);
	session->recv = rdma_buf_with(session->r, 0, &buf);
	session->gids = 0;
}
