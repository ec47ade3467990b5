// SPDX-License-Identifier: Apache-2.0
/* responder: UC and UD, of which the peer never hears anything, and SENDs that invalidate a key. */
#include "rsp_one.h"

#include <string.h>

#define UC(op) (0x20 | (op))
#define UD_SEND 0x64
#define UD_SEND_IMM 0x65
#define BUFFER(i) (w->mem + 0x20000 + 512 * (i))

static struct world *setup_type(unsigned int type, unsigned int stride, unsigned int posted)
{
	struct world *w = setup(stride, posted);

	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE_TYPE, type);
	world_cfg(w, 0);
	return w;
}

static struct cairn_sge *elements(struct world *w)
{
	return (void *)(w->mem + 0x200000);
}

/* Nothing but completions has come out. */
static void expect_silence(struct world *w, unsigned int completions)
{
	settle(w);
	vtb_check(w->tb, !n_jobs && !n_eqes && !n_errs);
	vtb_check_eq(w->tb, n_cqes, completions);
}

static void expect_recv(struct world *w, unsigned int i, unsigned int opcode, unsigned int index,
			unsigned int len)
{
	vtb_check(w->tb, i < n_cqes);
	vtb_check_eq(w->tb, cqes[i].status, 0);
	vtb_check_eq(w->tb, cqes[i].opcode, opcode);
	vtb_check_eq(w->tb, cqes[i].index, index);
	vtb_check_eq(w->tb, cqes[i].byte_len, len);
}

static void uc_messages(void **state)
{
	struct world *w = setup_type(CAIRN_QP_TYPE_UC, 2, 4);
	struct wpkt p;

	(void)state;
	send_one(w, UC(0x04), 0, 100);
	send_one(w, UC(0x00), 1, 256);
	send_one(w, UC(0x01), 2, 256);
	send_one(w, UC(0x03), 3, 1);
	p = packet(UC(0x06), 4, 256);
	p.rlen = 300;
	world_send(w, &p);
	send_one(w, UC(0x08), 5, 44);
	p = packet(UC(0x0b), 6, 8);
	p.va = RVA + 0x1000;
	p.se = true;
	world_send(w, &p);
	send_one(w, UC(0x0a), 7, 0);
	expect_silence(w, 3);
	expect_recv(w, 0, CAIRN_CQE_OP_RECV, 0, 100);
	expect_recv(w, 1, CAIRN_CQE_OP_RECV_IMM, 1, 513);
	expect_recv(w, 2, CAIRN_CQE_OP_RECV_WRITE_IMM, 2, 8);
	vtb_check(w->tb, !cqes[1].sol && cqes[2].sol);
	vtb_check_eq(w->tb, cqes[2].imm, __builtin_bswap32(0xabcd));
	vtb_check(w->tb, !memcmp(BUFFER(0), payload, 100));
	vtb_check(w->tb, !memcmp(BUFFER(2), payload, 256));
	vtb_check(w->tb, !memcmp(BUFFER(2) + 256, payload, 256));
	vtb_check(w->tb, !memcmp(BUFFER(3), payload, 1));
	vtb_check(w->tb, !memcmp(w->mem, payload, 256) && !memcmp(w->mem + 256, payload, 44));
	vtb_check(w->tb, !memcmp(w->mem + 0x1000, payload, 8));
	vtb_check_eq(w->tb, w->cnt[C_SEND], 2);
	vtb_check_eq(w->tb, w->cnt[C_WRITE], 3);
	vtb_check_eq(w->tb, w->cnt[C_UC] + w->cnt[C_NO_RECV], 0);
	world_destroy(w);
}

/* What is not whole is lost, and its receive serves the next message. */
static void uc_losses(void **state)
{
	struct world *w = setup_type(CAIRN_QP_TYPE_UC, 1, 2);

	(void)state;
	send_one(w, UC(0x00), 0, 256);
	send_one(w, UC(0x02), 2, 8); /* a gap */
	send_one(w, UC(0x02), 3, 8); /* nothing to end */
	expect_silence(w, 0);
	vtb_check_eq(w->tb, w->cnt[C_UC], 2);
	send_one(w, UC(0x00), 77, 256); /* any PSN will do */
	send_one(w, UC(0x04), 78, 9);	/* ends the one before */
	expect_silence(w, 1);
	expect_recv(w, 0, CAIRN_CQE_OP_RECV, 0, 9);
	send_one(w, UC(0x06), 79, 255); /* too short */
	send_one(w, UC(0x08), 80, 8);
	send_one(w, UC(0x00), 81, 256);
	send_one(w, UC(0x08), 82, 8); /* another kind */
	send_one(w, UC(0x02), 83, 8);
	expect_silence(w, 1);
	vtb_check_eq(w->tb, w->cnt[C_UC], 6);
	vtb_check_eq(w->tb, w->cnt[C_OOS] + w->cnt[C_DUP] + w->cnt[C_STATE], 0);
	send_one(w, UC(0x04), 84, 1);
	send_one(w, UC(0x04), 85, 1); /* no receive is left */
	send_one(w, UC(0x0b), 86, 8);
	expect_silence(w, 2);
	expect_recv(w, 1, CAIRN_CQE_OP_RECV, 1, 1);
	vtb_check_eq(w->tb, w->cnt[C_NO_RECV], 2);
	w->pi[0] = 3;
	send_one(w, UC(0x04), 84, 3); /* an old PSN: nobody knows duplicates here */
	expect_silence(w, 3);
	expect_recv(w, 2, CAIRN_CQE_OP_RECV, 2, 3);
	world_destroy(w);
}

static bool receive_read(const struct world *w)
{
	for (unsigned int i = 0; i < MAX_READS; i++)
		if (w->rd[i].used && w->rd[i].client == 2)
			return true;
	return false;
}

/* A read of receives that fails costs one message: the next one has them read again. */
static void uc_failed_read(void **state)
{
	(void)state;
	for (unsigned int behind = 0; behind < 2; behind++) {
		struct world *w = setup_type(CAIRN_QP_TYPE_UC, 1, 4);

		w->read_fail = 100;
		send_one(w, UC(0x04), 0, 8);
		if (behind) { /* they wait for the same read */
			send_one(w, UC(0x04), 1, 9);
			send_one(w, UC(0x04), 2, 10);
		}
		vtb_run_until(w->tb, receive_read(w), 1000);
		w->read_fail = 0;
		expect_silence(w, 2 * behind);
		vtb_check_eq(w->tb, w->cnt[C_UC], 1);
		if (!behind) {
			send_one(w, UC(0x04), 1, 9);
			send_one(w, UC(0x04), 2, 10);
			expect_silence(w, 2);
		}
		for (unsigned int i = 0; i < 2; i++)
			expect_recv(w, i, CAIRN_CQE_OP_RECV, i, 9 + i);
		vtb_check_eq(w->tb, w->cnt[C_UC], 1);
		vtb_check_eq(w->tb, w->cnt[C_FETCH], 2);
		world_destroy(w);
	}
}

static void uc_refusals(void **state)
{
	struct world *w = setup_type(CAIRN_QP_TYPE_UC, 1, 3);
	struct wpkt p = packet(UC(0x0a), 0, 8);

	(void)state;
	p.key = 0x999;
	world_send(w, &p);
	p.opcode = UC(0x0b);
	p.psn++;
	world_send(w, &p); /* its receive is not used up */
	elements(w)[0].lkey = 0x999;
	send_one(w, UC(0x04), 2, 8);
	send_one(w, UC(0x0b), 3, 8); /* uses receive 0 without looking into it */
	expect_silence(w, 1);
	vtb_check_eq(w->tb, w->cnt[C_UC], 3);
	expect_recv(w, 0, CAIRN_CQE_OP_RECV_WRITE_IMM, 0, 8);
	w->cfg[0].state &= ~CAIRN_QP_CFG_STATE_REMOTE_WRITE;
	world_cfg(w, 0);
	send_one(w, UC(0x0a), 4, 8);
	/* Longer than the receive; the message behind it takes that receive. */
	send_one(w, UC(0x00), 5, 256);
	send_one(w, UC(0x01), 6, 256);
	send_one(w, UC(0x01), 7, 256);
	send_one(w, UC(0x02), 8, 7);
	send_one(w, UC(0x04), 9, 5);
	send_one(w, UC(0x04), 10, 6);
	send_one(w, UC(0x04), 11, 7);
	expect_silence(w, 3);
	expect_recv(w, 1, CAIRN_CQE_OP_RECV, 1, 5);
	expect_recv(w, 2, CAIRN_CQE_OP_RECV, 2, 6);
	vtb_check_eq(w->tb, w->cnt[C_UC], 6);
	vtb_check_eq(w->tb, w->cnt[C_NO_RECV], 1);
	world_destroy(w);
}

static void uc_flush(void **state)
{
	struct world *w = setup_type(CAIRN_QP_TYPE_UC, 1, 3);

	(void)state;
	send_one(w, UC(0x04), 0, 8);
	send_one(w, UC(0x00), 1, 256);
	expect_silence(w, 1);
	CAIRN_SET(w->cfg[0].state, CAIRN_QP_CFG_STATE, CAIRN_QP_STATE_ERR);
	world_cfg(w, 0);
	w->kick = 1;
	expect_silence(w, 3);
	for (unsigned int i = 1; i < 3; i++) {
		vtb_check_eq(w->tb, cqes[i].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, cqes[i].index, i);
	}
	world_destroy(w);
}

/* ---- UD ---- */

static uint8_t ip_header[40];

static struct wpkt datagram(unsigned int len, bool ipv6)
{
	struct wpkt p = packet(UD_SEND, 0, len);

	for (unsigned int i = 0; i < sizeof(ip_header); i++)
		ip_header[i] = 0x80 + i;
	p.psn = 0x123456 + len; /* any */
	p.ip = ip_header;
	p.ipv6 = ipv6;
	p.src_qp = 0xabcde;
	p.ackreq = true;
	return p;
}

/* The receive that begins at element `first` holds header area and payload. */
static void expect_datagram(struct world *w, unsigned int first, unsigned int len, bool ipv6)
{
	uint8_t want[40 + 4096], got[40 + 4096];
	const struct cairn_sge *e = elements(w) + first;
	unsigned int pos = 0;

	memset(want, 0, 20);
	memcpy(want + (ipv6 ? 0 : 20), ip_header, ipv6 ? 40 : 20);
	memcpy(want + 40, payload, len);
	for (; pos < 40 + len; e++) {
		unsigned int n = e->length < 40 + len - pos ? e->length : 40 + len - pos;

		memcpy(got + pos, w->mem + 0x20000 + (e->addr - LVA), n);
		pos += n;
	}
	if (memcmp(want, got, pos))
		vtb_fail(w->tb, "datagram of %u bytes is not what was sent", len);
}

static void ud_datagrams(void **state)
{
	static const unsigned int lengths[] = { 0, 1, 100, 256 }, tags[] = { 0, 8, 13, 15, 10 };

	(void)state;
	for (unsigned int n = 0; n < 48; n++) {
		struct world *w = setup_type(n & 1 ? CAIRN_QP_TYPE_GSI : CAIRN_QP_TYPE_UD, 8, 4);
		unsigned int left[4] = { 300, 300, 300, 300 };

		/* Elements of any length, also none, and page ends where they fall. */
		memset(w->mem + 0x20000, 0xee, 0x10000);
		for (unsigned int i = 0; i < 32; i++) {
			struct cairn_sge *e = &elements(w)[i];
			unsigned int part = i % 8 == 7 ? left[i / 8]
						       : rng_below(&w->rng, n < 24 ? 30 : 90);

			e->length = part < left[i / 8] ? part : left[i / 8];
			e->addr += rng_below(&w->rng, 200);
			left[i / 8] -= e->length;
		}
		w->pause = n % 3 * 20;
		for (unsigned int i = 0; i < 4; i++) {
			struct wpkt p = datagram(lengths[i], n >> 2 & 1);

			p.opcode = i & 1 ? UD_SEND_IMM : UD_SEND;
			p.se = i & 1;
			p.tag = tags[(n + i) % 5];
			world_send(w, &p);
		}
		expect_silence(w, 4);
		for (unsigned int i = 0; i < 4; i++) {
			expect_recv(w, i, i & 1 ? CAIRN_CQE_OP_RECV_IMM : CAIRN_CQE_OP_RECV, i,
				    40 + lengths[i]);
			vtb_check_eq(w->tb, cqes[i].src_qp, 0xabcde);
			vtb_check_eq(w->tb, cqes[i].net,
				     (n >> 2 & 1) << 4 | tags[(n + i) % 5]);
			vtb_check_eq(w->tb, cqes[i].flags, i & 1 ? 0xb : 1);
			expect_datagram(w, 8 * i, lengths[i], n >> 2 & 1);
		}
		world_destroy(w);
	}
}

static void ud_drops(void **state)
{
	struct world *w = setup_type(CAIRN_QP_TYPE_UD, 1, 3);
	struct wpkt p = datagram(257, false);

	(void)state;
	world_send(w, &p); /* over the path MTU */
	p = datagram(8, false);
	p.bad_pad = true;
	world_send(w, &p);
	elements(w)[0].length = 99;
	p = datagram(60, false);
	world_send(w, &p); /* one byte too long */
	p = datagram(59, true);
	world_send(w, &p);
	p = datagram(60, true);
	world_send(w, &p);
	world_send(w, &p);
	world_send(w, &p); /* no receive is left */
	expect_silence(w, 3);
	expect_recv(w, 0, CAIRN_CQE_OP_RECV, 0, 99);
	expect_recv(w, 1, CAIRN_CQE_OP_RECV, 1, 100);
	expect_recv(w, 2, CAIRN_CQE_OP_RECV, 2, 100);
	vtb_check_eq(w->tb, w->cnt[C_UD], 3);
	vtb_check_eq(w->tb, w->cnt[C_NO_RECV], 1);
	w->pi[0] = 4;
	world_send(w, &p);
	expect_silence(w, 4);
	world_destroy(w);
}

/* Only the owner of the receive buffer can break a UD QP. */
static void ud_bad_buffers(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < 4; kind++) {
		struct world *w = setup_type(CAIRN_QP_TYPE_UD, 2, 3);
		struct wpkt p = datagram(100, true);
		unsigned int status = kind < 2 ? CAIRN_WC_STATUS_LOC_PROT_ERR
					       : CAIRN_WC_STATUS_LOC_QP_OP_ERR;

		elements(w)[0].length = 60;
		if (kind < 2)
			elements(w)[kind].lkey = 0x999;
		else if (kind == 2)
			elements(w)[1].length = 0x80000001u;
		else
			w->read_fail = 100;
		world_send(w, &p);
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, n_jobs, 0);
		vtb_check_eq(w->tb, n_errs, 1);
		vtb_check_eq(w->tb, n_cqes, 3);
		vtb_check_eq(w->tb, cqes[0].status, status);
		for (unsigned int i = 0; i < 3; i++)
			vtb_check_eq(w->tb, cqes[i].index, i);
		vtb_check_eq(w->tb, cqes[1].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, cqes[2].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, w->cnt[C_STATE], 1);
		world_destroy(w);
	}
}

/* ---- SEND with invalidate ---- */

#define INV_KEY 0x333
#define ACC CAIRN_EQE_TYPE_QP_ACCESS_ERR

static struct world *setup_inv(unsigned int posted)
{
	struct world *w = setup(1, posted);

	vtb_set(w->tb, "control_engine_features_i", CAIRN_REG_FEATURES_MW);
	world_region(w, INV_KEY, 7, RVA, 64, 0);
	world_key(w, INV_KEY)->may_inv = true;
	return w;
}

static void send_inv(struct world *w, unsigned int opcode, unsigned int psn, unsigned int len,
		     uint32_t key)
{
	struct wpkt p = packet(opcode, psn, len);

	p.key = key;
	world_send(w, &p);
}

static void invalidate(void **state)
{
	struct world *w = setup_inv(4);

	(void)state;
	send_inv(w, 0x17, 0, 8, INV_KEY);
	settle(w);
	vtb_check_eq(w->tb, w->change_count, 1);
	vtb_check_eq(w->tb, w->change_key, INV_KEY);
	send_inv(w, 0x17, 1, 0, INV_KEY); /* the test's key stays valid */
	send_one(w, 0x00, 2, 256);
	send_inv(w, 0x16, 3, 256, INV_KEY);
	send_one(w, 0x04, 4, 1);
	settle(w);
	vtb_check_eq(w->tb, w->change_count, 3);
	vtb_check_eq(w->tb, n_cqes, 4);
	for (unsigned int i = 0; i < 3; i++) {
		expect_recv(w, i, CAIRN_CQE_OP_RECV_INV, i, i == 0 ? 8 : i == 1 ? 0 : 512);
		vtb_check_eq(w->tb, cqes[i].imm, INV_KEY);
		vtb_check_eq(w->tb, cqes[i].flags, 0x10);
	}
	expect_recv(w, 3, CAIRN_CQE_OP_RECV, 3, 1);
	vtb_check(w->tb, !memcmp(BUFFER(0), payload, 8));
	vtb_check(w->tb, !memcmp(BUFFER(2), payload, 256));
	vtb_check(w->tb, !memcmp(BUFFER(2) + 256, payload, 256));
	expect_ack(w, n_jobs - 1, 0, 4, 4);
	send_inv(w, 0x16, 3, 256, 0x999); /* a duplicate: no error, and no key is looked at */
	settle(w);
	vtb_check_eq(w->tb, w->cnt[C_DUP], 1);
	expect_ack(w, n_jobs - 1, 0, 4, 4);
	vtb_check_eq(w->tb, w->change_count, 3);
	world_destroy(w);
}

/*
 * What follows a SEND with invalidate on its QP finds the key gone, however closely it follows, and
 * whatever either has to wait for.
 */
static void invalidate_before_next(void **state)
{
	static const unsigned int next[] = { 0x0a, 0x0c, 0x06 }; /* WRITE, READ, WRITE FIRST */

	(void)state;
	for (unsigned int i = 0; i < 36; i++) {
		struct world *w = setup_inv(4);
		unsigned int before = i % 4, opcode = next[i % 3];
		struct wpkt p = packet(opcode, before + 1, opcode == 0x0c ? 0 : 256);

		w->rng.state += i;
		w->change_revokes = true;
		w->mr_miss = i >= 12 ? 30 : 0;
		w->pause = i >= 24 ? 30 : 0;
		world_key(w, INV_KEY)->rights = 15;
		world_key(w, INV_KEY)->len = 4096;
		for (unsigned int k = 0; k < before; k++)
			send_one(w, 0x04, k, 100);
		send_inv(w, 0x17, before, i & 1 ? 8 : 0, INV_KEY);
		p.key = INV_KEY;
		p.va = RVA;
		p.rlen = opcode == 0x06 ? 512 : 256;
		world_send(w, &p);
		settle(w);
		vtb_check_eq(w->tb, w->change_count, 1);
		vtb_check_eq(w->tb, n_eqes, 1);
		expect_recv(w, before, CAIRN_CQE_OP_RECV_INV, before, i & 1 ? 8 : 0);
		expect_ack(w, n_jobs - 1, 0x62, before + 1, before + 1);
		for (unsigned int k = 0; k < n_jobs; k++)
			vtb_check_eq(w->tb, jobs[k].opcode, CAIRN_OPCODE_RC_ACKNOWLEDGE);
		world_destroy(w);
	}
}

static void invalidate_refused(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < 6; kind++) {
		struct world *w = setup_inv(2);
		bool last = kind & 1, late = kind >= 4;
		unsigned int psn = last;

		/* Unknown; known but not the peer's to invalidate; gone at the last moment. */
		if (last)
			send_one(w, 0x00, 0, 256);
		w->change_vendor = late ? CAIRN_VENDOR_ERR_KEY_TAG : 0;
		if (kind == 3)
			elements(w)[0].lkey = 0x998;
		send_inv(w, last ? 0x16 : 0x17, psn, 9, late ? INV_KEY : kind < 2 ? 0x999u : RKEY);
		send_one(w, 0x0a, psn + 1, 8);
		settle(w);
		vtb_check_eq(w->tb, w->change_count, late);
		if (kind == 3) { /* the receive buffer was looked at with the packet before */
			expect_ack(w, 0, 0x63, 0, 0);
			world_destroy(w);
			continue;
		}
		vtb_check_eq(w->tb, n_eqes, 1);
		vtb_check_eq(w->tb, eqes[0].type, ACC);
		vtb_check_eq(w->tb, eqes[0].data, cqes[0].vendor);
		vtb_check_eq(w->tb, cqes[0].vendor,
			     late	? CAIRN_VENDOR_ERR_KEY_TAG
			     : kind < 2 ? CAIRN_VENDOR_ERR_KEY_INDEX
					: CAIRN_VENDOR_ERR_KEY_RIGHTS);
		expect_ack(w, n_jobs - 1, 0x62, psn, 0);
		vtb_check_eq(w->tb, n_cqes, 2);
		vtb_check_eq(w->tb, cqes[0].status, CAIRN_WC_STATUS_REM_INV_REQ_ERR);
		vtb_check_eq(w->tb, cqes[1].status, CAIRN_WC_STATUS_WR_FLUSH_ERR);
		vtb_check_eq(w->tb, n_errs, 1);
		world_destroy(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uc_messages),	      cmocka_unit_test(uc_losses),
		cmocka_unit_test(uc_failed_read),     cmocka_unit_test(uc_refusals),
		cmocka_unit_test(uc_flush),	      cmocka_unit_test(ud_datagrams),
		cmocka_unit_test(ud_drops),	      cmocka_unit_test(ud_bad_buffers),
		cmocka_unit_test(invalidate),	      cmocka_unit_test(invalidate_before_next),
		cmocka_unit_test(invalidate_refused),
	};

	return cmocka_run_group_tests_name("responder datagrams", tests, NULL, NULL);
}
