// SPDX-License-Identifier: Apache-2.0
/* One QP of the golden model and its peer (rig.h). */
#include "rig.h"

struct model_qp_config rig_config(enum cairn_transport transport)
{
	return (struct model_qp_config){ .qpn = QPN,
					 .transport = transport,
					 .pd = PD,
					 .rights = 15,
					 .pmtu = PMTU,
					 .pkey = PKEY,
					 .qkey = QKEY,
					 .peer_qpn = PEER,
					 .gid = { 1 },
					 .peer_gid = { 2 },
					 .rq_psn = RQ_PSN,
					 .sq_psn = SQ_PSN,
					 .max_rd_atomic = 2,
					 .max_dest_rd_atomic = 2,
					 .min_rnr_timer = 5,
					 .timeout = 1,
					 .retry_cnt = 2,
					 .rnr_retry = 2 };
}

struct rig *rig_begin(const struct model_qp_config *cfg, enum model_state state)
{
	return rig_begin_hooks(cfg, state, NULL);
}

struct rig *rig_begin_hooks(const struct model_qp_config *cfg, enum model_state state,
			    const struct model_hooks *hooks)
{
	static const struct model_region regions[] = {
		{ .key = KEY, .pd = PD, .rights = 15 },
		{ .key = LOCAL_KEY, .pd = PD, .rights = MODEL_LOCAL_WRITE },
		{ .key = OTHER_PD_KEY, .pd = PD + 1, .rights = 15 },
		{ .key = ZERO_KEY, .pd = PD, .rights = 15 },
	};
	struct rig *r = calloc(1, sizeof(*r));

	r->cfg = *cfg;
	r->now = 1000;
	r->m = model_create(hooks);
	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		struct model_region region = regions[i];

		region.base = region.key == ZERO_KEY ? 0 : BASE;
		region.length = MEM;
		region.data = r->mem;
		assert_int_equal(model_region_add(r->m, &region), 0);
	}
	assert_int_equal(model_qp_create(r->m, cfg), 0);
	for (enum model_state to = MODEL_INIT; to <= state; to++)
		assert_int_equal(model_qp_move(r->m, QPN, to), 0);
	return r;
}

void rig_end(struct rig *r)
{
	model_destroy(r->m);
	free(r);
}

void rig_recv(struct rig *r, uint64_t id, uint32_t len)
{
	struct model_recv wr = { .id = id, .sges = 1, .sge = { { BASE + 4096, len, LOCAL_KEY } } };

	assert_int_equal(model_post_recv(r->m, QPN, &wr), 0);
}

static uint8_t *put_ext(const struct raw *raw, uint8_t ext, uint8_t *p)
{
	if (ext & CAIRN_EXT_RETH) {
		cairn_pkt_set(p, CAIRN_RETH_VA, raw->va);
		cairn_pkt_set(p, CAIRN_RETH_RKEY, raw->key);
		cairn_pkt_set(p, CAIRN_RETH_LENGTH, raw->length);
		p += CAIRN_RETH_BYTES;
	}
	if (ext & CAIRN_EXT_ATOMICETH) {
		cairn_pkt_set(p, CAIRN_ATOMICETH_VA, raw->va);
		cairn_pkt_set(p, CAIRN_ATOMICETH_RKEY, raw->key);
		cairn_pkt_set(p, CAIRN_ATOMICETH_SWAP_ADD, raw->swap_add);
		cairn_pkt_set(p, CAIRN_ATOMICETH_COMPARE, raw->compare);
		p += CAIRN_ATOMICETH_BYTES;
	}
	if (ext & CAIRN_EXT_AETH) {
		cairn_pkt_set(p, CAIRN_AETH_SYNDROME, raw->syndrome);
		cairn_pkt_set(p, CAIRN_AETH_MSN, raw->msn);
		p += CAIRN_AETH_BYTES;
	}
	if (ext & CAIRN_EXT_ATOMICACKETH) {
		cairn_pkt_set(p, CAIRN_ATOMICACKETH_ORIG, raw->swap_add);
		p += CAIRN_ATOMICACKETH_BYTES;
	}
	if (ext & CAIRN_EXT_DETH) {
		cairn_pkt_set(p, CAIRN_DETH_QKEY, raw->qkey);
		cairn_pkt_set(p, CAIRN_DETH_SRC_QP, PEER);
		p += CAIRN_DETH_BYTES;
	}
	if (ext & CAIRN_EXT_IMMDT) {
		cairn_pkt_set(p, CAIRN_IMMDT_IMM, raw->imm);
		p += CAIRN_IMMDT_BYTES;
	}
	if (ext & CAIRN_EXT_IETH) {
		cairn_pkt_set(p, CAIRN_IETH_RKEY, raw->key);
		p += CAIRN_IETH_BYTES;
	}
	return p;
}

enum model_fate rig_give(struct rig *r, const struct raw *raw)
{
	const struct cairn_opcode_info *op = &cairn_opcode_table[raw->opcode];
	uint32_t first = op->flags & CAIRN_OPF_RSP ? SQ_PSN : RQ_PSN;
	uint32_t pad = (-raw->len & 3) + (uint32_t)raw->pad;
	struct model_packet packet = { .src = { raw->src ? raw->src : 2 }, .dst = { 1 } };
	uint8_t *bth = packet.bytes, *p;

	memset(packet.grh, 0xab, sizeof(packet.grh));
	cairn_pkt_set(bth, CAIRN_BTH_OPCODE, raw->opcode);
	cairn_pkt_set(bth, CAIRN_BTH_SE, raw->se);
	cairn_pkt_set(bth, CAIRN_BTH_PAD, pad);
	cairn_pkt_set(bth, CAIRN_BTH_TVER, raw->tver);
	cairn_pkt_set(bth, CAIRN_BTH_PKEY, raw->pkey ? raw->pkey : PKEY);
	cairn_pkt_set(bth, CAIRN_BTH_DEST_QP, raw->qpn ? raw->qpn : QPN);
	cairn_pkt_set(bth, CAIRN_BTH_ACKREQ, raw->ackreq);
	cairn_pkt_set(bth, CAIRN_BTH_PSN, first + (uint32_t)raw->psn);
	p = put_ext(raw, op->ext, bth + CAIRN_BTH_BYTES);
	for (uint32_t i = 0; i < raw->len; i++)
		*p++ = (uint8_t)(raw->fill + i);
	packet.len = (uint32_t)(p - bth) + (pad & 3) - raw->cut;
	return model_receive(r->m, &packet, r->now);
}

void rig_answer(struct rig *r, uint8_t opcode, uint8_t syndrome, int psn, uint32_t msn)
{
	const uint8_t *bth = r->sent.bytes;

	assert_true(model_respond(r->m, QPN, &r->sent));
	assert_int_equal(bth[0], opcode);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_PSN), model_psn_add(RQ_PSN, (uint32_t)psn));
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_DEST_QP), PEER);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_ACKREQ), 0);
	if (!(cairn_opcode_table[opcode].ext & CAIRN_EXT_AETH))
		return;
	bth += CAIRN_BTH_BYTES;
	assert_int_equal(cairn_pkt_get(bth, CAIRN_AETH_SYNDROME), syndrome);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_AETH_MSN), msn);
}

void rig_silent(struct rig *r)
{
	assert_false(model_respond(r->m, QPN, &r->sent));
}

void rig_request(struct rig *r, uint8_t opcode, int psn, uint32_t len)
{
	const uint8_t *bth = r->sent.bytes;
	uint32_t payload;

	assert_true(model_transmit(r->m, QPN, r->now, &r->sent));
	assert_int_equal(bth[0], opcode);
	assert_int_equal(cairn_pkt_get(bth, CAIRN_BTH_PSN), model_psn_add(SQ_PSN, (uint32_t)psn));
	payload = r->sent.len - CAIRN_BTH_BYTES - cairn_opcode_table[opcode].ext_bytes -
		  (uint32_t)cairn_pkt_get(bth, CAIRN_BTH_PAD);
	assert_int_equal(payload, len);
	assert_int_equal(r->sent.len % 4, 0);
}

void rig_quiet(struct rig *r)
{
	assert_false(model_transmit(r->m, QPN, r->now, &r->sent));
}

void rig_completion(struct rig *r, uint64_t id, bool recv, enum model_status status)
{
	struct model_completion c;

	assert_true(model_completion(r->m, &c));
	assert_int_equal(c.id, id);
	assert_int_equal(c.recv, recv);
	assert_int_equal(c.status, status);
	assert_int_equal(c.qpn, QPN);
}

void rig_no_completion(struct rig *r)
{
	struct model_completion c;

	assert_false(model_completion(r->m, &c));
}

void rig_event(struct rig *r, enum model_event_kind kind)
{
	struct model_event event;

	assert_true(model_event(r->m, &event));
	assert_int_equal(event.kind, kind);
	assert_int_equal(event.qpn, QPN);
}

void rig_no_event(struct rig *r)
{
	struct model_event event;

	assert_false(model_event(r->m, &event));
}
