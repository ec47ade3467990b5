// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model as the requester of captures of Linux' software RDMA (tests/fixtures): the work
 * requests are what the captured messages say; given them and, when they come, the captured
 * answers, the model has to send the captured packets, bit for bit, and complete every request.
 * Captures with losses and errors are left out: when to send again is each requester's own choice.
 */
#include <glob.h>
#include <stdio.h>

#include "capture.h"

#define PD 1
#define KEY 0x100
#define MEM_BYTES (2u << 20)

/* Packets lost, repeated, damaged or refused. */
static const char *const left_out[] = { "loss_", "dup_", "reorder_", "corrupt_", "err_" };

struct sender {
	const struct capture_frame *first; /* request */
	uint32_t last_psn, qpn, pmtu;
	struct model *m;
	uint8_t *mem;
	uint32_t used, posted;
};

static bool of_sender(const struct sender *s, const struct capture_frame *f)
{
	return capture_is_rc(f, CAIRN_OPF_REQ) && f->pkt.qp == s->first->pkt.qp &&
	       !memcmp(f->packet.src, s->first->packet.src, 16) &&
	       !memcmp(f->packet.dst, s->first->packet.dst, 16);
}

static bool opposite(const struct sender *s, const struct capture_frame *f)
{
	return capture_is_rc(f, CAIRN_OPF_RSP) &&
	       !memcmp(f->packet.src, s->first->packet.dst, 16) &&
	       !memcmp(f->packet.dst, s->first->packet.src, 16);
}

/* The sender's own number and path MTU, which only answers and full packets show. */
static void learn(struct sender *s, const struct capture_frame *frames, unsigned int n)
{
	s->last_psn = s->first->pkt.psn;
	s->pmtu = 4096;
	for (unsigned int i = 0; i < n; i++) {
		const struct capture_frame *f = &frames[i];

		if (of_sender(s, f))
			s->last_psn = f->pkt.psn;
		if (opposite(s, f) && !s->qpn &&
		    model_psn_diff(f->pkt.psn, s->first->pkt.psn) >= 0 &&
		    model_psn_diff(f->pkt.psn, s->first->pkt.psn) < 1000)
			s->qpn = f->pkt.qp;
		if (f->pkt.flags & CAIRN_OPF_FULL &&
		    (of_sender(s, f) || (opposite(s, f) && f->pkt.qp == s->qpn)))
			s->pmtu = capture_payload(&f->packet);
	}
}

static void build_model(struct sender *s)
{
	struct model_qp_config cfg = { .qpn = s->qpn,
				       .transport = CAIRN_TRANSPORT_RC,
				       .pd = PD,
				       .pmtu = s->pmtu,
				       .pkey = 0xffff,
				       .peer_qpn = s->first->pkt.qp,
				       .sq_psn = s->first->pkt.psn,
				       .max_rd_atomic = MODEL_MAX_RD_ATOMIC,
				       .policy.migreq_0 = true };
	struct model_region region = { .key = KEY,
				       .pd = PD,
				       .rights = MODEL_LOCAL_WRITE,
				       .length = MEM_BYTES,
				       .data = s->mem };

	memcpy(cfg.gid, s->first->packet.src, 16);
	memcpy(cfg.peer_gid, s->first->packet.dst, 16);
	s->m = model_create(NULL);
	assert_int_equal(model_region_add(s->m, &region), 0);
	assert_int_equal(model_qp_create(s->m, &cfg), 0);
	for (enum model_state to = MODEL_INIT; to <= MODEL_RTS; to++)
		assert_int_equal(model_qp_move(s->m, s->qpn, to), 0);
}

/* Operation and headers of a message's first packet. */
static struct model_send request_of(struct sender *s, const struct capture_frame *f)
{
	const uint8_t *ext = f->packet.bytes + CAIRN_BTH_BYTES;
	struct model_send wr = { .id = s->posted++, .signaled = true, .sges = 1 };

	wr.op = f->pkt.flags & CAIRN_OPF_SEND			? MODEL_SEND
		: f->pkt.flags & CAIRN_OPF_WRITE		? MODEL_WRITE
		: f->pkt.flags & CAIRN_OPF_READ			? MODEL_READ
		: f->pkt.opcode == CAIRN_OPCODE_RC_COMPARE_SWAP ? MODEL_CMP_SWAP
								: MODEL_FETCH_ADD;
	wr.sge[0] = (struct model_sge){ s->used, 0, KEY };
	if (cairn_opcode_table[f->pkt.opcode].ext & (CAIRN_EXT_RETH | CAIRN_EXT_ATOMICETH)) {
		wr.remote_addr = cairn_pkt_get(ext, CAIRN_RETH_VA);
		wr.remote_key = (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_RKEY);
	}
	if (wr.op == MODEL_READ)
		wr.sge[0].length = (uint32_t)cairn_pkt_get(ext, CAIRN_RETH_LENGTH);
	if (wr.op > MODEL_READ) {
		wr.sge[0].length = 8;
		wr.swap_add = cairn_pkt_get(ext, CAIRN_ATOMICETH_SWAP_ADD);
		wr.compare = cairn_pkt_get(ext, CAIRN_ATOMICETH_COMPARE);
	}
	return wr;
}

/* The message that begins with frame `i`, as a work request. */
static void post(struct sender *s, const struct capture_frame *frames, unsigned int i,
		 unsigned int n)
{
	struct model_send wr = request_of(s, &frames[i]);
	const struct capture_frame *f = &frames[i];
	uint32_t flags = f->pkt.flags;

	for (; wr.op <= MODEL_WRITE && i < n; i++) {
		uint32_t len;

		f = &frames[i];
		if (!of_sender(s, f))
			continue;
		flags = f->pkt.flags;
		len = capture_payload(&f->packet);
		memcpy(s->mem + s->used + wr.sge[0].length,
		       f->packet.bytes + CAIRN_BTH_BYTES +
			       cairn_opcode_table[f->pkt.opcode].ext_bytes,
		       len);
		wr.sge[0].length += len;
		if (flags & CAIRN_OPF_END)
			break;
	}
	if (flags & (CAIRN_OPF_IMM | CAIRN_OPF_INV)) {
		const uint8_t *payload = f->packet.bytes + CAIRN_BTH_BYTES +
					 cairn_opcode_table[f->pkt.opcode].ext_bytes;

		wr.extra = flags & CAIRN_OPF_IMM ? MODEL_IMM : MODEL_INV;
		wr.imm_or_key = (uint32_t)cairn_pkt_get(payload - 4, CAIRN_IMMDT_IMM);
	}
	wr.solicited = cairn_pkt_get(f->packet.bytes, CAIRN_BTH_SE);
	s->used += wr.sge[0].length;
	assert_true(s->used <= MEM_BYTES);
	assert_int_equal(model_post_send(s->m, s->qpn, &wr), 0);
}

static void expect_sent(struct sender *s, const char *name, const struct capture_frame *f)
{
	struct model_packet sent;

	if (!model_transmit(s->m, s->qpn, 0, &sent))
		fail_msg("%s: the model does not send PSN %u", name, f->pkt.psn);
	if (!(f->pkt.flags & CAIRN_OPF_END)) /* to ask in the middle is a choice */
		cairn_pkt_set(sent.bytes, CAIRN_BTH_ACKREQ,
			      cairn_pkt_get(f->packet.bytes, CAIRN_BTH_ACKREQ));
	if (sent.len != f->packet.len || memcmp(sent.bytes, f->packet.bytes, sent.len))
		fail_msg("%s: PSN %u: opcode %#x, %u bytes; of the model: %#x, %u bytes", name,
			 f->pkt.psn, f->pkt.opcode, f->packet.len, sent.bytes[0], sent.len);
}

/* All requests of one QP.  Returns how many packets were compared. */
static unsigned int replay(const char *name, const struct capture_frame *frames, unsigned int n,
			   const struct capture_frame *first)
{
	struct sender s = { .first = first };
	struct model_completion c;
	unsigned int compared = 0;

	learn(&s, frames, n);
	if (!s.qpn)
		fail_msg("%s: no answer names the sender", name);
	s.mem = calloc(1, MEM_BYTES);
	build_model(&s);
	for (unsigned int i = 0; i < n; i++) {
		if (of_sender(&s, &frames[i])) {
			if (frames[i].pkt.flags & CAIRN_OPF_START)
				post(&s, frames, i, n);
			expect_sent(&s, name, &frames[i]);
			compared++;
		} else if (opposite(&s, &frames[i]) && frames[i].pkt.qp == s.qpn) {
			assert_int_equal(model_receive(s.m, &frames[i].packet, 0), MODEL_TAKEN);
		}
	}
	for (uint32_t id = 0; id < s.posted; id++) {
		if (!model_completion(s.m, &c) || c.id != id || c.status)
			fail_msg("%s: request %u of %u did not succeed", name, id, s.posted);
	}
	model_destroy(s.m);
	free(s.mem);
	return compared;
}

/* All QPs of a capture. */
static unsigned int capture(const char *path, struct capture_frame *frames)
{
	const char *name = strrchr(path, '/') + 1;
	unsigned int n, compared = 0;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (!strncmp(name, left_out[i], strlen(left_out[i])))
			return 0;
	n = capture_read(path, frames);
	for (unsigned int i = 0; i < n; i++) {
		struct sender s = { .first = &frames[i] };
		unsigned int seen = 0;

		for (unsigned int k = 0; k < i; k++)
			seen += of_sender(&s, &frames[k]);
		if (!seen && of_sender(&s, &frames[i]))
			compared += replay(name, frames, n, &frames[i]);
	}
	return compared;
}

static void captures(void **state)
{
	struct capture_frame *frames = calloc(CAPTURE_MAX, sizeof(*frames));
	unsigned int compared = 0;
	glob_t files;

	(void)state;
	assert_int_equal(glob("tests/fixtures/*.pcap", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		compared += capture(files.gl_pathv[i], frames);
	print_message("%u request packets compared\n", compared);
	assert_true(compared > 300);
	globfree(&files);
	free(frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(captures) };

	return cmocka_run_group_tests_name("model_captures_req", tests, NULL, NULL);
}
