// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model against captures of Linux' software RDMA (tests/fixtures): each RC request packet is
 * given to a model of the QP it went to, and the model has to answer what the peer answered:
 * opcode, PSN, syndrome, MSN and payload length, in the same order.  What the capture cannot show
 * (sizes, rights, missing receives) is in its scene (capture.h), where the peer differs from the
 * rules in `exceptions`.
 */
#include <glob.h>
#include <stdio.h>

#include "capture.h"

#define PD 1
#define MAX_FLOWS 16
#define MAX_KEYS 8
#define MEM_BYTES (2u << 20)
#define RECV_KEY 0xffffff00u
#define RECV_BYTES 65536u
#define ALL 15u

static const struct exception {
	const char *file;
	unsigned int answer; /* of the peer, 0 is the first of the capture */
	enum { PEER_ONLY, DIFFERENT } kind;
	const char *reason;
} exceptions[] = {
	{ "err_rnr_then_ok", 1, PEER_ONLY, "a sequence NAK while an RNR NAK is outstanding" },
	{ "err_send_inv_bad", 0, DIFFERENT, "an ACK for a SEND that invalidates no valid key" },
	{ "err_send_too_long", 0, DIFFERENT, "NAK of an operational error, not of the request" },
};

/* What an answer says. */
struct answer {
	uint8_t opcode;
	uint32_t psn, msn, payload;
	int syndrome; /* -1: none */
};

/* Requests from one QP to another. */
struct flow {
	uint8_t src[16], dst[16];
	uint32_t qpn, peer_qpn;
	uint32_t first_psn, last_psn, pmtu;
	bool paired;
	struct {
		uint32_t key;
		uint64_t low, high;
	} keys[MAX_KEYS];
	unsigned int n_keys, rnr;
	struct model *m;
	struct answer answers[CAPTURE_MAX];
	unsigned int head, count;
};

struct replay {
	const char *name;
	const struct capture_scene *scene;
	struct capture_frame frames[CAPTURE_MAX];
	unsigned int n_frames, n_flows, n_peer, compared;
	struct flow flows[MAX_FLOWS];
	uint8_t *mem;
};

static struct answer answer_of(const struct model_packet *packet)
{
	const uint8_t *bth = packet->bytes;
	const struct cairn_opcode_info *op = &cairn_opcode_table[bth[0]];
	struct answer a = { .opcode = bth[0],
			    .psn = (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_PSN),
			    .syndrome = -1 };

	a.payload = capture_payload(packet);
	if (op->ext & CAIRN_EXT_AETH) {
		a.syndrome = (int)cairn_pkt_get(bth + CAIRN_BTH_BYTES, CAIRN_AETH_SYNDROME);
		a.msn = (uint32_t)cairn_pkt_get(bth + CAIRN_BTH_BYTES, CAIRN_AETH_MSN);
	}
	return a;
}

/* --------------------------------------------------------------- what the capture shows of a QP */

static struct flow *flow_of_request(struct replay *r, const struct capture_frame *f)
{
	struct flow *flow = r->flows;

	for (; flow < r->flows + r->n_flows; flow++)
		if (flow->qpn == f->pkt.qp && !memcmp(flow->src, f->packet.src, 16) &&
		    !memcmp(flow->dst, f->packet.dst, 16))
			return flow;
	assert_true(++r->n_flows < MAX_FLOWS);
	memcpy(flow->src, f->packet.src, 16);
	memcpy(flow->dst, f->packet.dst, 16);
	flow->qpn = f->pkt.qp;
	flow->first_psn = flow->last_psn = f->pkt.psn;
	flow->pmtu = 4096;
	return flow;
}

/* The flow whose requests a response answers: known, or found by its PSN. */
static struct flow *flow_of_response(struct replay *r, const struct capture_frame *f)
{
	for (unsigned int pass = 0; pass < 2; pass++) {
		for (struct flow *flow = r->flows; flow < r->flows + r->n_flows; flow++) {
			if (memcmp(flow->src, f->packet.dst, 16) ||
			    memcmp(flow->dst, f->packet.src, 16))
				continue;
			if (!pass ? flow->paired && flow->peer_qpn == f->pkt.qp
				  : !flow->paired &&
					    model_psn_diff(f->pkt.psn, flow->first_psn) >= 0 &&
					    model_psn_diff(f->pkt.psn, flow->last_psn) <= 0)
				return flow;
		}
	}
	return NULL;
}

static void note_key(struct flow *flow, uint32_t key, uint64_t low, uint64_t len)
{
	unsigned int i = 0;

	while (i < flow->n_keys && flow->keys[i].key != key)
		i++;
	if (i == flow->n_keys) {
		assert_true(++flow->n_keys < MAX_KEYS);
		flow->keys[i].key = key;
		flow->keys[i].low = flow->keys[i].high = low;
	}
	if (low < flow->keys[i].low)
		flow->keys[i].low = low;
	if (low + len > flow->keys[i].high)
		flow->keys[i].high = low + len;
}

static void note_request(struct replay *r, const struct capture_frame *f)
{
	struct flow *flow = flow_of_request(r, f);
	const struct cairn_opcode_info *op = &cairn_opcode_table[f->pkt.opcode];
	const uint8_t *ext = f->packet.bytes + CAIRN_BTH_BYTES;
	uint32_t last = f->pkt.psn;

	if (op->flags & CAIRN_OPF_FULL)
		flow->pmtu = answer_of(&f->packet).payload;
	if (op->ext & CAIRN_EXT_RETH) {
		uint32_t len = (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_LENGTH);

		note_key(flow, (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_RKEY),
			 cairn_pkt_get(ext, CAIRN_RETH_VA), len);
		last = op->flags & CAIRN_OPF_READ ? model_psn_add(last, len / 256) : last;
	}
	if (op->ext & CAIRN_EXT_ATOMICETH)
		note_key(flow, (uint32_t)cairn_pkt_get(ext, CAIRN_ATOMICETH_RKEY),
			 cairn_pkt_get(ext, CAIRN_ATOMICETH_VA), 8);
	if (model_psn_diff(last, flow->last_psn) > 0)
		flow->last_psn = last;
}

static void note_response(struct replay *r, const struct capture_frame *f)
{
	struct flow *flow = flow_of_response(r, f);

	if (!flow)
		fail_msg("%s: answer of PSN %u belongs to no request", r->name, f->pkt.psn);
	flow->paired = true;
	flow->peer_qpn = f->pkt.qp;
	if (f->pkt.flags & CAIRN_OPF_FULL)
		flow->pmtu = answer_of(&f->packet).payload;
}

/* ---------------------------------------------------------------- replay */

static bool ack_all(void *ctx, uint32_t qpn, uint32_t psn)
{
	(void)ctx, (void)qpn, (void)psn;
	return true;
}

static void build_model(struct replay *r, struct flow *flow)
{
	static const struct model_hooks hooks = { .ack_duplicate = ack_all };
	const struct capture_scene *scene = r->scene;
	struct model_qp_config cfg = { .qpn = flow->qpn,
				       .transport = CAIRN_TRANSPORT_RC,
				       .pd = PD,
				       .rights = scene->qp_rights ? scene->qp_rights : ALL,
				       .pmtu = flow->pmtu,
				       .pkey = 0xffff,
				       .peer_qpn = flow->peer_qpn,
				       .rq_psn = flow->first_psn,
				       .max_dest_rd_atomic = MODEL_MAX_RD_ATOMIC,
				       .min_rnr_timer = scene->rnr_timer };
	struct model_region region = { .key = RECV_KEY,
				       .pd = PD,
				       .rights = MODEL_LOCAL_WRITE,
				       .length = RECV_BYTES,
				       .data = r->mem };

	memcpy(cfg.gid, flow->dst, 16);
	memcpy(cfg.peer_gid, flow->src, 16);
	flow->m = model_create(&hooks);
	flow->rnr = scene->rnr;
	assert_int_equal(model_region_add(flow->m, &region), 0);
	for (unsigned int i = 0; i < flow->n_keys; i++) {
		region.key = flow->keys[i].key;
		region.rights = scene->mr_rights ? scene->mr_rights : ALL;
		region.base = flow->keys[i].low;
		region.length = scene->mr_bytes ? scene->mr_bytes
						: flow->keys[i].high - flow->keys[i].low;
		assert_true(region.length <= MEM_BYTES);
		if (i + 1 != scene->bad_key)
			assert_int_equal(model_region_add(flow->m, &region), 0);
	}
	if (scene->no_qp)
		return;
	assert_int_equal(model_qp_create(flow->m, &cfg), 0);
	assert_int_equal(model_qp_move(flow->m, flow->qpn, MODEL_INIT), 0);
	assert_int_equal(model_qp_move(flow->m, flow->qpn, MODEL_RTR), 0);
}

/* There is a receive when a message needs one, unless this capture is about having none. */
static void supply_recv(struct replay *r, struct flow *flow, const struct capture_frame *f)
{
	struct model_recv wr = { .sges = 1 };
	struct model_view view;

	if (!model_look(flow->m, flow->qpn, &view) || !(f->pkt.flags & CAIRN_OPF_RWR) ||
	    f->pkt.psn != view.epsn || view.recvs)
		return;
	if (flow->rnr) {
		flow->rnr--;
		return;
	}
	wr.sge[0].length = r->scene->recv_bytes ? r->scene->recv_bytes : RECV_BYTES;
	wr.sge[0].key = RECV_KEY;
	model_post_recv(flow->m, flow->qpn, &wr);
}

static void request(struct replay *r, const struct capture_frame *f)
{
	struct flow *flow = flow_of_request(r, f);
	struct model_packet packet;

	supply_recv(r, flow, f);
	model_receive(flow->m, &f->packet, 0);
	while (model_respond(flow->m, flow->qpn, &packet)) {
		assert_true(flow->count < CAPTURE_MAX);
		assert_memory_equal(packet.src, flow->dst, 16);
		assert_memory_equal(packet.dst, flow->src, 16);
		flow->answers[flow->count++] = answer_of(&packet);
	}
}

static const struct exception *exception_of(const struct replay *r)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (!strcmp(exceptions[i].file, r->name) && exceptions[i].answer == r->n_peer)
			return &exceptions[i];
	return NULL;
}

static bool same(const struct replay *r, const struct answer *model, const struct answer *peer)
{
	bool first = r->scene->resumes && model->opcode == CAIRN_OPCODE_RC_READ_RSP_FIRST &&
		     peer->opcode == CAIRN_OPCODE_RC_READ_RSP_MIDDLE;
	bool only = r->scene->resumes && model->opcode == CAIRN_OPCODE_RC_READ_RSP_ONLY &&
		    peer->opcode == CAIRN_OPCODE_RC_READ_RSP_LAST;

	if (model->psn != peer->psn || model->payload != peer->payload)
		return false;
	if (first) /* and MIDDLE has no AETH */
		return true;
	return (only || model->opcode == peer->opcode) && model->syndrome == peer->syndrome &&
	       model->msn == peer->msn;
}

static void response(struct replay *r, const struct capture_frame *f)
{
	struct flow *flow = flow_of_response(r, f);
	struct answer peer = answer_of(&f->packet);
	const struct exception *exception = exception_of(r);
	const struct answer *model = &flow->answers[flow->head];

	if (exception && exception->kind == PEER_ONLY) {
		r->n_peer++;
		return;
	}
	while (r->scene->lost_answers && flow->head < flow->count && !same(r, model, &peer))
		model = &flow->answers[++flow->head];
	if (flow->head == flow->count)
		fail_msg(
			"%s: peer's answer %u (opcode %#x, PSN %u, syndrome %#x): the model has none",
			r->name, r->n_peer, peer.opcode, peer.psn, peer.syndrome);
	/* An exception that nothing needs any more is to be removed. */
	if (same(r, model, &peer) == !!exception)
		fail_msg(
			"%s: answer %u of the peer: opcode %#x PSN %u syndrome %#x MSN %u, %u bytes; "
			"of the model: opcode %#x PSN %u syndrome %#x MSN %u, %u bytes",
			r->name, r->n_peer, peer.opcode, peer.psn, peer.syndrome, peer.msn,
			peer.payload, model->opcode, model->psn, model->syndrome, model->msn,
			model->payload);
	r->n_peer++;
	r->compared++;
	flow->head++;
}

/* One capture.  Returns how many answers were compared. */
static unsigned int replay(const char *path)
{
	struct replay *r = calloc(1, sizeof(*r));
	char name[64];
	unsigned int compared;

	snprintf(name, sizeof(name), "%s", strrchr(path, '/') + 1);
	*strstr(name, ".pcap") = 0;
	r->name = name;
	r->scene = capture_scene(name);
	r->mem = calloc(1, MEM_BYTES);
	r->n_frames = capture_read(path, r->frames);
	for (unsigned int i = 0; i < r->n_frames; i++)
		if (capture_is_rc(&r->frames[i], CAIRN_OPF_REQ))
			note_request(r, &r->frames[i]);
	for (unsigned int i = 0; i < r->n_frames; i++)
		if (capture_is_rc(&r->frames[i], CAIRN_OPF_RSP))
			note_response(r, &r->frames[i]);
	for (unsigned int i = 0; i < r->n_flows; i++)
		build_model(r, &r->flows[i]);
	for (unsigned int i = 0; i < r->n_frames; i++) {
		if (capture_is_rc(&r->frames[i], CAIRN_OPF_REQ))
			request(r, &r->frames[i]);
		else if (capture_is_rc(&r->frames[i], CAIRN_OPF_RSP))
			response(r, &r->frames[i]);
		else if (strncmp(name, "corrupt", 7))
			assert_true(r->frames[i].good);
	}
	for (unsigned int i = 0; i < r->n_flows; i++) {
		if (r->flows[i].head != r->flows[i].count && !r->scene->lost_answers)
			fail_msg(
				"%s: the peer did not give the model's answer %u (opcode %#x, PSN %u)",
				name, r->flows[i].head,
				r->flows[i].answers[r->flows[i].head].opcode,
				r->flows[i].answers[r->flows[i].head].psn);
		model_destroy(r->flows[i].m);
	}
	compared = r->compared;
	free(r->mem);
	free(r);
	return compared;
}

static void captures(void **state)
{
	unsigned int compared = 0;
	glob_t files;

	(void)state;
	assert_int_equal(glob("tests/fixtures/*.pcap", 0, NULL, &files), 0);
	assert_true(files.gl_pathc > 80);
	for (size_t i = 0; i < files.gl_pathc; i++)
		compared += replay(files.gl_pathv[i]);
	print_message("%zu captures, %u answers compared\n", files.gl_pathc, compared);
	assert_true(compared > 500);
	globfree(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(captures) };

	return cmocka_run_group_tests_name("model_captures", tests, NULL, NULL);
}
