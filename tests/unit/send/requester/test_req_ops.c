// SPDX-License-Identifier: Apache-2.0
/*
 * The requester rule by rule (req_world.c is what surrounds it): which operation a QP of each type
 * takes, what each malformed WQE ends in, local operations that fail, AckReq spacing, PSN window,
 * limit of READs, credits, messages up to 2^31 bytes.  ONLY=<pattern>: some of them.
 */
#include <string.h>

#include "req_simple.h"

#define FEATURE(x) (1u << CAIRN_REG_FEATURES_##x##_SHIFT)
#define ALL_FEATURES 0xffffffffu

static uint32_t vendor_of(const struct qp *p)
{
	return (uint32_t)CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_VENDOR);
}

static uint32_t status_of(const struct qp *p)
{
	return (uint32_t)CAIRN_GET(p->req.flags, CAIRN_QP_REQ_FLAGS_ERR_STATUS);
}

/* ---- operations ---- */

static bool allowed(unsigned int q, unsigned int op, uint32_t features)
{
	bool send = op == CAIRN_WQE_OP_SEND || op == CAIRN_WQE_OP_SEND_IMM;
	bool nop = op == CAIRN_WQE_OP_NOP;
	bool write = op == CAIRN_WQE_OP_WRITE || op == CAIRN_WQE_OP_WRITE_IMM;

	if (q >= UD_QP)
		return features & FEATURE(UD) && (send || nop);
	if (q == UC_QP)
		return features & FEATURE(UC) && (send || write || nop);
	if (!(features & FEATURE(RC)))
		return false;
	if (send || write || nop || op == CAIRN_WQE_OP_READ)
		return true;
	if (op == CAIRN_WQE_OP_ATOMIC_CS || op == CAIRN_WQE_OP_ATOMIC_FA)
		return features & FEATURE(ATOMIC);
	if (op == CAIRN_WQE_OP_SEND_INV || op == CAIRN_WQE_OP_LOCAL_INV ||
	    op == CAIRN_WQE_OP_REG_MR || op == CAIRN_WQE_OP_BIND_MW)
		return features & FEATURE(MW);
	return false;
}

/* Every operation on every type of QP with these features. */
static void check_ops(uint32_t features)
{
	static const unsigned int qps[] = { RC_QP, UC_QP, UD_QP, GSI_QP };

	for (unsigned int i = 0; i < 4 * (CAIRN_WQE_OPS + 2); i++) {
		unsigned int q = qps[i / (CAIRN_WQE_OPS + 2)], no = i % (CAIRN_WQE_OPS + 2);
		unsigned int op = no > CAIRN_WQE_OPS ? 255 : no; /* two that are none */
		struct vtb *tb = world_start();
		struct qp *p = &w.q[q];
		uint16_t index = p->pi;
		bool ok = allowed(q, op, features);

		vtb_set(tb, "features_i", features);
		post(q, op, 40);
		vtb_run(tb, 300);
		if (p->err == ok)
			vtb_fail(tb, "operation %u on QP %u, features %x: error %u", op, q,
				 features, p->err);
		if (!ok) {
			vtb_check_eq(tb, status_of(p), CAIRN_WC_STATUS_LOC_QP_OP_ERR);
			vtb_check_eq(tb, vendor_of(p), CAIRN_VENDOR_ERR_WQE_OPCODE);
			vtb_check_eq(tb, w.errs, 1);
		}
		vtb_check_eq(tb, p->req.index & 0xffff, (uint16_t)(ok ? p->pi : index));
		vtb_check_eq(tb, w.jobs, ok && p->m[0].npsn);
		vtb_check_eq(tb, w.local_ops, ok && msg_is_local(&p->m[0]));
		/* what has no packet tells the completer that it is done */
		vtb_check_eq(tb, p->cmp_kicked, !ok || !p->m[0].npsn);
		vtb_destroy(tb);
	}
}

static void operations(void **s)
{
	(void)s;
	check_ops(ALL_FEATURES);
	check_ops(ALL_FEATURES & ~(FEATURE(MW) | FEATURE(UC)));
	check_ops(ALL_FEATURES & ~(FEATURE(ATOMIC) | FEATURE(UD)));
	check_ops(ALL_FEATURES & ~FEATURE(RC));
}

/* The whole byte of the opcode is looked at. */
static void opcodes(void **s)
{
	(void)s;
	for (unsigned int op = CAIRN_WQE_OPS + 1; op < 256; op += op < 32 || op > 250 ? 1 : 7) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[RC_QP];

		vtb_set(tb, "features_i", ALL_FEATURES);
		post(RC_QP, op, 40);
		vtb_run(tb, 120);
		vtb_check(tb, p->err && !w.jobs && !w.local_ops);
		vtb_check_eq(tb, vendor_of(p), CAIRN_VENDOR_ERR_WQE_OPCODE);
		vtb_destroy(tb);
	}
}

/* ---- malformed WQEs ---- */

enum fault {
	ATOMIC_LENGTH,
	ATOMIC_ELEMENT,
	ATOMIC_TWO,
	ATOMIC_INLINE,
	READ_INLINE,
	LOCAL_INLINE,
	READ_TOO_LONG,
	UD_SUM,
	UD_NO_ELEMENT,
	UD_BLOCKS,
	UD_INLINE_BLOCKS,
	UD_GID_INVALID,
	UD_GID_FAMILY,
	UD_GID_INDEX,
	LOCAL_BLOCKS,
	READ_NONE,
	ATOMIC_NONE,
	FAULTS
};

static void break_wqe(enum fault fault, struct qp *p, struct msg *m)
{
	struct cairn_wqe *x = (struct cairn_wqe *)(p->ring + m->index % RING * 64);
	struct cairn_wqe_ud *u = (struct cairn_wqe_ud *)x;

	switch (fault) {
	case ATOMIC_LENGTH:
		x->length = 16;
		break;
	case ATOMIC_ELEMENT:
		x->sge1_length = 4;
		break;
	case ATOMIC_TWO:
		x->ctrl += 1u << CAIRN_WQE_CTRL_NUM_SGE_SHIFT;
		break;
	case ATOMIC_INLINE:
	case READ_INLINE:
	case LOCAL_INLINE:
		x->ctrl |= CAIRN_WQE_CTRL_INLINE;
		break;
	case UD_SUM:
		x->length--;
		break;
	case UD_NO_ELEMENT:
		x->ctrl &= ~(31u << CAIRN_WQE_CTRL_NUM_SGE_SHIFT);
		break;
	case UD_BLOCKS:
	case UD_INLINE_BLOCKS:
	case LOCAL_BLOCKS:
		x->ctrl += 1u << CAIRN_WQE_CTRL_BLOCKS_SHIFT;
		m->blocks++;
		break;
	case READ_NONE:
	case ATOMIC_NONE:
		CAIRN_SET(p->cfg.rd, CAIRN_QP_CFG_RD_MAX_RD_ATOMIC, 0);
		break;
	case UD_GID_INVALID:
		w.gid[m->sgid].valid = false;
		break;
	case UD_GID_FAMILY:
		u->dgid[0] = (uint8_t)(w.gid[m->sgid].ipv6 ? 0 : 0xfe);
		if (w.gid[m->sgid].ipv6)
			memcpy(u->dgid, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
		break;
	case UD_GID_INDEX:
		u->dqpn_sgid |= 0x40u << 24;
		break;
	default:
		break;
	}
}

static const struct fault_row {
	unsigned int op, status, vendor;
} faults[FAULTS] = {
	[ATOMIC_LENGTH] = { CAIRN_WQE_OP_ATOMIC_CS, CAIRN_WC_STATUS_LOC_LEN_ERR,
			    CAIRN_VENDOR_ERR_WQE_LENGTH },
	[ATOMIC_ELEMENT] = { CAIRN_WQE_OP_ATOMIC_FA, CAIRN_WC_STATUS_LOC_LEN_ERR,
			     CAIRN_VENDOR_ERR_WQE_LENGTH },
	[ATOMIC_TWO] = { CAIRN_WQE_OP_ATOMIC_FA, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			 CAIRN_VENDOR_ERR_WQE_SGE },
	[ATOMIC_INLINE] = { CAIRN_WQE_OP_ATOMIC_FA, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			    CAIRN_VENDOR_ERR_WQE_OPCODE },
	[READ_INLINE] = { CAIRN_WQE_OP_READ, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			  CAIRN_VENDOR_ERR_WQE_OPCODE },
	[LOCAL_INLINE] = { CAIRN_WQE_OP_LOCAL_INV, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			   CAIRN_VENDOR_ERR_WQE_OPCODE },
	[READ_TOO_LONG] = { CAIRN_WQE_OP_READ, CAIRN_WC_STATUS_LOC_LEN_ERR,
			    CAIRN_VENDOR_ERR_WQE_LENGTH },
	[UD_SUM] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_LEN_ERR, CAIRN_VENDOR_ERR_WQE_LENGTH },
	[UD_NO_ELEMENT] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_LEN_ERR,
			    CAIRN_VENDOR_ERR_WQE_LENGTH },
	[UD_BLOCKS] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			CAIRN_VENDOR_ERR_WQE_SGE },
	[UD_INLINE_BLOCKS] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			       CAIRN_VENDOR_ERR_WQE_SGE },
	[UD_GID_INVALID] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			     CAIRN_VENDOR_ERR_WQE_AV },
	[UD_GID_FAMILY] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			    CAIRN_VENDOR_ERR_WQE_AV },
	[UD_GID_INDEX] = { CAIRN_WQE_OP_SEND, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			   CAIRN_VENDOR_ERR_WQE_AV },
	[LOCAL_BLOCKS] = { CAIRN_WQE_OP_REG_MR, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			   CAIRN_VENDOR_ERR_WQE_SGE },
	[READ_NONE] = { CAIRN_WQE_OP_READ, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			CAIRN_VENDOR_ERR_WQE_RD_ATOMIC },
	[ATOMIC_NONE] = { CAIRN_WQE_OP_ATOMIC_CS, CAIRN_WC_STATUS_LOC_QP_OP_ERR,
			  CAIRN_VENDOR_ERR_WQE_RD_ATOMIC },
};

static void malformed(void **s)
{
	(void)s;
	for (unsigned int f = 0; f < FAULTS; f++) {
		struct vtb *tb = world_start();
		unsigned int q = f >= UD_SUM && f <= UD_GID_INDEX ? UD_QP : RC_QP;
		struct qp *p = &w.q[q];
		uint16_t index;
		struct msg *m;

		post(q, CAIRN_WQE_OP_SEND, 33); /* goes */
		if (f == READ_TOO_LONG)
			world_set_mtu(q, 1);
		m = new_msg(q, faults[f].op, f == READ_TOO_LONG ? 1u << 31 : 40);
		m->inl = f == UD_INLINE_BLOCKS;
		world_put_wqe(q, m);
		break_wqe(f, p, m);
		index = (uint16_t)m->index;
		p->pi = (uint16_t)(p->pi + m->blocks);
		p->n_msg++;
		vtb_set(tb, "gid_index_i", m->sgid);
		vtb_set(tb, "gid_we_i", f == UD_GID_INVALID);
		vtb_set(tb, "gid_valid_i", 0);
		world_kick(q);
		vtb_run(tb, 600);
		if (!p->err || vendor_of(p) != faults[f].vendor || status_of(p) != faults[f].status)
			vtb_fail(tb, "fault %u: error %u, status %u, vendor %u", f, p->err,
				 status_of(p), vendor_of(p));
		vtb_check_eq(tb, p->req.index & 0xffff, index);
		vtb_check_eq(tb, w.jobs, f == UD_GID_INVALID ? w.jobs : 1);
		vtb_check(tb, p->cmp_kicked);
		vtb_check_eq(tb, w.errs, 1);
		vtb_destroy(tb);
	}
}

/* A local operation that mr_update refuses ends the QP there; what follows is not sent. */
static void refused(void **s)
{
	static const unsigned int ops[] = { CAIRN_WQE_OP_LOCAL_INV, CAIRN_WQE_OP_REG_MR,
					    CAIRN_WQE_OP_BIND_MW };

	(void)s;
	for (unsigned int i = 0; i < 3; i++) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[RC_QP];
		struct msg *m;

		post(RC_QP, CAIRN_WQE_OP_LOCAL_INV, 0);
		post(RC_QP, CAIRN_WQE_OP_WRITE, 10);
		m = new_msg(RC_QP, ops[i], 0);
		m->vendor = CAIRN_VENDOR_ERR_KEY_STATE;
		world_post(RC_QP, m);
		post(RC_QP, CAIRN_WQE_OP_SEND, 10);
		vtb_run(tb, 1000);
		vtb_check(tb, p->err && p->cmp_kicked);
		vtb_check_eq(tb, status_of(p),
			     ops[i] == CAIRN_WQE_OP_BIND_MW ? CAIRN_WC_STATUS_MW_BIND_ERR
							    : CAIRN_WC_STATUS_LOC_QP_OP_ERR);
		vtb_check_eq(tb, vendor_of(p), CAIRN_VENDOR_ERR_KEY_STATE);
		vtb_check_eq(tb, p->req.index, (uint16_t)m->index * 0x10001u);
		vtb_check_eq(tb, w.jobs, 1);
		vtb_check_eq(tb, w.local_ops, 1);
		vtb_check_eq(tb, w.errs, 1);
		vtb_check_eq(tb, p->pins, 0);
		vtb_check(tb, vtb_get(tb, "idle_o"));
		vtb_destroy(tb);
	}
}

/* More local operations of more QPs than fit at a time: all done, once, and nobody waits. */
static void many_local(void **s)
{
	struct vtb *tb = world_start();

	(void)s;
	w.latency = 100;
	for (unsigned int i = 0; i < 8; i++)
		for (unsigned int q = 0; q < UC_QP; q++)
			post(q, i % 2 ? CAIRN_WQE_OP_WRITE : CAIRN_WQE_OP_BIND_MW, 8);
	for (unsigned int i = 0; i < 8; i++)
		post(UC_QP, CAIRN_WQE_OP_SEND, 8);
	vtb_run_until(tb, w.jobs == 8, 3000); /* the others wait for their first operation */
	vtb_run_until(tb, w.local_ops == 4 * UC_QP && w.jobs == 8 + 4 * UC_QP, 40000);
	vtb_destroy(tb);
}

/* What is sent again passes the operations between by, in one visit of the QP or in several. */
static void local_once(void **s)
{
	(void)s;
	for (unsigned int before = 1; before <= 40; before += 13) {
		struct vtb *tb = world_start();
		struct qp *p = &w.q[RC_QP];

		for (unsigned int i = 0; i < before; i++)
			post(RC_QP, CAIRN_WQE_OP_WRITE, 8);
		post(RC_QP, CAIRN_WQE_OP_BIND_MW, 0);
		post(RC_QP, CAIRN_WQE_OP_WRITE, 8);
		vtb_run_until(tb, w.jobs == before + 1, 4000);
		for (unsigned int again = 1; again <= 2; again++) {
			world_go_back(RC_QP, p->m[0].first);
			vtb_run_until(tb, w.retx == again * (before + 1), 4000);
			vtb_run(tb, 200);
			vtb_check_eq(tb, w.local_ops, 1);
		}
		vtb_check(tb, !p->err);
		vtb_destroy(tb);
	}
}

/* ---- limits ---- */

static void ackreq_spacing(void **s)
{
	struct vtb *tb = start_mtu(RC_QP, 1);

	(void)s;
	post(RC_QP, CAIRN_WQE_OP_WRITE, 256 * 200);
	vtb_run_until(tb, w.jobs == 200, 10000);
	/* packets 64, 128, 192 and the last */
	vtb_check_eq(tb, w.ackreqs, 4);
	vtb_destroy(tb);
	tb = start_mtu(UC_QP, 1);
	post(UC_QP, CAIRN_WQE_OP_WRITE, 256 * 200);
	vtb_run_until(tb, w.jobs == 200, 10000);
	vtb_check_eq(tb, w.ackreqs, 0);
	vtb_destroy(tb);
}

/* Without acknowledgements it stops short of the window, and the last packet asks for one. */
static void window(void **s)
{
	struct vtb *tb = start_mtu(RC_QP, 1);
	struct qp *p = &w.q[RC_QP];
	uint32_t n;

	(void)s;
	post(RC_QP, CAIRN_WQE_OP_WRITE, 256 * 0x8100);
	vtb_run_until(tb, p->st == S_IDLE && w.jobs > 1000, 600000);
	n = (uint32_t)psn_diff(p->sent, p->m[0].first);
	vtb_check(tb, n < CAIRN_MAX_OUTSTANDING_PSN && n > CAIRN_MAX_OUTSTANDING_PSN - 8);
	vtb_check_eq(tb, w.ackreq_psn, (p->sent - 1) & 0xffffff);
	world_ack(RC_QP, (p->m[0].first + 100) & 0xffffff);
	vtb_run(tb, 3000);
	vtb_check_eq(tb, (uint32_t)psn_diff(p->sent, p->m[0].first), n + 100);
	vtb_destroy(tb);
}

/* At most max_rd READs and atomics; a fence waits for all of them. */
static void reads_and_fence(void **s)
{
	struct vtb *tb = start_mtu(RC_QP, 3);
	struct qp *p = &w.q[RC_QP];
	struct msg *m;

	(void)s;
	p->max_rd = 3;
	p->cfg.rd = 3;
	for (unsigned int i = 0; i < 5; i++)
		post(RC_QP, i % 2 ? CAIRN_WQE_OP_ATOMIC_FA : CAIRN_WQE_OP_READ, 100);
	m = new_msg(RC_QP, CAIRN_WQE_OP_SEND, 8);
	m->fence = true;
	world_post(RC_QP, m);
	vtb_run(tb, 800);
	vtb_check_eq(tb, w.jobs, 3);
	world_ack(RC_QP, p->sent);
	vtb_run(tb, 800);
	vtb_check_eq(tb, w.jobs, 5);
	world_ack(RC_QP, (p->sent - 1) & 0xffffff);
	vtb_run(tb, 800);
	vtb_check_eq(tb, w.jobs, 5);
	world_ack(RC_QP, p->sent);
	vtb_run(tb, 800);
	vtb_check_eq(tb, w.jobs, 6);
	vtb_destroy(tb);
}

/*
 * The responder acknowledges duplicates with the newest PSN it has executed: beyond READs that are
 * to be asked for again.  They are, whether that comes before the restart or in the midst of it.
 */
static void reads_asked_again(void **s)
{
	(void)s;
	for (unsigned int when = 0; when <= 6; when++) {
		struct vtb *tb = start_mtu(RC_QP, 3);
		struct qp *p = &w.q[RC_QP];

		p->max_rd = 16;
		p->cfg.rd = 16;
		for (unsigned int i = 0; i < 8; i++)
			post(RC_QP, i % 2 ? CAIRN_WQE_OP_WRITE : CAIRN_WQE_OP_READ, 100);
		vtb_run_until(tb, w.jobs == 8, 3000);
		p->cmp.flags |= CAIRN_QP_CMP_FLAGS_DOUBT;
		world_go_back(RC_QP, p->m[2].first);
		vtb_run_until(tb, w.retx == when, 3000);
		CAIRN_SET(p->cmp.una, CAIRN_QP_CMP_UNA_UNA_PSN, p->sent);
		world_kick(RC_QP);
		vtb_run(tb, 1500);
		vtb_check_eq(tb, w.retx, 6);
		/* all is done; what comes now is judged by what is acknowledged */
		world_ack(RC_QP, p->sent);
		post(RC_QP, CAIRN_WQE_OP_WRITE, 100);
		vtb_run_until(tb, w.jobs == 8 + 6 + 1, 1000);
		vtb_check(tb, !p->err);
		vtb_destroy(tb);
	}
}

/* QP 0 has 3 credits: four SENDs go, WRITEs and READs between them cost nothing. */
static void credits(void **s)
{
	struct vtb *tb = start_mtu(0, 3);
	struct qp *p = &w.q[0];

	(void)s;
	p->max_rd = 16;
	p->cfg.rd = 16;
	p->lsn = p->credits;
	CAIRN_SET(p->cmp.wait, CAIRN_QP_CMP_WAIT_LSN, p->lsn);
	for (unsigned int i = 0; i < 6; i++) {
		post(0, i % 2 ? CAIRN_WQE_OP_WRITE : CAIRN_WQE_OP_READ, 8);
		post(0, i % 2 ? CAIRN_WQE_OP_SEND : CAIRN_WQE_OP_WRITE_IMM, 8);
	}
	vtb_run(tb, 1500);
	vtb_check_eq(tb, w.jobs, 9); /* four with receives; WRITE or READ before the fifth */
	vtb_check_eq(tb, p->started - p->free, 4);
	/* credits count from the MSN, and nine messages are under way */
	world_ack(0, (p->m[0].first + 2) & 0xffffff);
	vtb_run(tb, 500);
	vtb_check_eq(tb, p->started - p->free, 4);
	world_ack(0, p->sent);
	vtb_run(tb, 1500);
	vtb_check_eq(tb, w.jobs, 12);
	vtb_destroy(tb);
}

/* ---- long messages ---- */

/* The last packets of a message of 2^31 bytes, reached by going back to them. */
static void check_long(unsigned int op, unsigned int lg)
{
	struct vtb *tb = start_mtu(RC_QP, lg);
	struct qp *p = &w.q[RC_QP];
	struct msg *m = new_msg(RC_QP, op, 1u << 31);
	uint32_t n = (1u << 31) / p->mtu, start, back = op == CAIRN_WQE_OP_READ ? 3 : 5;

	world_put_wqe(RC_QP, m);
	p->n_msg++;
	start = (m->first + n - back) & 0xffffff;
	/* all but the last packets are sent and acknowledged */
	p->sent = p->next = start;
	CAIRN_SET(p->req.psn, CAIRN_QP_REQ_PSN_NEXT_PSN, start);
	CAIRN_SET(p->req.hi_psn, CAIRN_QP_REQ_HI_PSN, start);
	p->cmp.una = start | 1u << CAIRN_QP_CMP_UNA_GB_EPOCH_SHIFT;
	p->cmp.gb = start;
	p->pi = (uint16_t)(p->pi + m->blocks);
	world_kick(RC_QP);
	vtb_run_until(tb, p->sent == p->end_psn, 3000);
	vtb_check_eq(tb, w.jobs, op == CAIRN_WQE_OP_READ ? 1 : back);
	vtb_run(tb, 100);
	vtb_check_eq(tb, p->req.index & 0xffff, p->pi);
	/* again, from before the middle of the window */
	world_go_back(RC_QP, (p->end_psn - 2) & 0xffffff);
	vtb_run_until(tb, w.retx == (op == CAIRN_WQE_OP_READ ? 1 : 2), 3000);
	vtb_check(tb, !p->err);
	vtb_destroy(tb);
}

static void long_messages(void **s)
{
	(void)s;
	for (unsigned int lg = 1; lg <= 5; lg++) {
		check_long(CAIRN_WQE_OP_WRITE, lg);
		check_long(CAIRN_WQE_OP_SEND_INV, lg);
		if (lg > 1)
			check_long(CAIRN_WQE_OP_READ, lg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),	   cmocka_unit_test(opcodes),
		cmocka_unit_test(malformed),	   cmocka_unit_test(refused),
		cmocka_unit_test(many_local),	   cmocka_unit_test(local_once),
		cmocka_unit_test(ackreq_spacing),  cmocka_unit_test(window),
		cmocka_unit_test(reads_and_fence), cmocka_unit_test(reads_asked_again),
		cmocka_unit_test(credits),	   cmocka_unit_test(long_messages),
	};

	cmocka_set_test_filter(getenv("ONLY"));
	return cmocka_run_group_tests_name("requester rules", tests, NULL, NULL);
}
