// SPDX-License-Identifier: Apache-2.0
/* The commands of the software device, written from docs/commands.md and not from the driver. */
#include <string.h>

#include "fake_run.h"
#include "priv.h"

#define NO_OP 0xffu

enum need { ALWAYS, BEFORE_ENABLE, ENABLED };

static uint32_t op_of(const struct run *r)
{
	return CAIRN_GET(r->cmd->head, CAIRN_CMD_HEAD_OP);
}

/* ---------------------------------------------------------------- device */

static void nop(struct run *r)
{
	(void)r;
}

static void query_device(struct run *r)
{
	memcpy(r->out, &r->f->caps, sizeof(r->f->caps));
}

static void query_port(struct run *r)
{
	memcpy(r->out, &r->f->port, sizeof(r->f->port));
}

static void setup_table(struct run *r)
{
	static const uint32_t record[7] = { 256, 64, 512, 64, 64, 64, 8 };
	const struct cairn_cmd *c = r->cmd;
	const uint8_t *base;

	if (!c->ptr || c->ptr % 4096) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 2);
	} else if (c->arg0 > 31) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	} else if (c->number > CAIRN_TABLE_MTT) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	} else {
		base = fake_mem(r->f, c->ptr, (size_t)record[c->number] << c->arg0,
				CAIRN_DMA_READ | CAIRN_DMA_WRITE);
		for (size_t i = 0; base && i < (size_t)record[c->number] << c->arg0; i++)
			if (base[i]) {
				fake_error(r->f, "table %u is not cleared", c->number);
				break;
			}
		r->f->table_base[c->number] = c->ptr;
		r->f->table_log2[c->number] = (uint32_t)c->arg0;
	}
}

static void enable(struct run *r)
{
	struct fake *f = r->f;

	for (uint32_t t = 0; t <= CAIRN_TABLE_MTT; t++) {
		bool wrong = !f->table_base[t] && (t != CAIRN_TABLE_SRQ || f->caps.max_srq);

		if (t == CAIRN_TABLE_QP_COLD || t == CAIRN_TABLE_RSP_RES)
			wrong |= f->table_log2[t] != f->table_log2[CAIRN_TABLE_QP];
		if (wrong) {
			r->value0 = t;
			end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
			return;
		}
	}
	if (!f->eqs[CAIRN_EQN_ASYNC].live) {
		r->value0 = 0xff;
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		return;
	}
	f->enabled = true;
}

static void disable(struct run *r)
{
	r->f->enabled = false;
}

static void set_gid(struct run *r)
{
	const struct cairn_cmd *c = r->cmd;
	bool valid = CAIRN_GET(c->head, CAIRN_CMD_HEAD_FLAGS) & CAIRN_GID_FLAG_VALID;

	if (valid ? !(c->arg0 | c->arg1) : (c->arg0 | c->arg1 | c->arg2) != 0) {
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	} else if (c->number >= r->f->caps.max_gid) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	} else {
		memcpy(r->f->gids[c->number], &c->arg0, 8);
		memcpy(r->f->gids[c->number] + 8, &c->arg1, 8);
		r->f->gid_valid[c->number] = valid;
	}
}

/* Everybody but 9.9.9.9 answers, with a MAC made of the address's last bytes. */
static void resolve(struct run *r)
{
	uint8_t gid[16];

	memcpy(gid, &r->cmd->arg0, 16);
	if (r->cmd->number >= 64 || !r->f->gid_valid[r->cmd->number]) {
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	} else if (gid[12] == 9) {
		r->f->now += 1000000000;
		end(r, CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_DETAIL_NONE);
	} else {
		r->value0 = (uint32_t)gid[12] << 24 | (uint32_t)gid[13] << 16 |
			    (uint32_t)gid[14] << 8 | gid[15];
		r->value1 = 0x0200;
	}
}

static void eq_command(struct run *r)
{
	bool create = op_of(r) == CAIRN_CMD_OP_CREATE_EQ;
	const struct cairn_cmd *c = r->cmd;
	struct fake *f = r->f;
	struct fake_eq *eq = &f->eqs[c->number % CAIRN_MSIX_VECTORS];

	if (create && (!c->ptr || c->ptr % 4096))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 2);
	else if (create && (c->arg0 < 4 || c->arg0 > 15 || (c->number == 0 && c->arg0 < 8)))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	else if (create && c->arg1 >= CAIRN_MSIX_VECTORS)
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	else if (create && c->arg2 >= f->caps.db_pages)
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	else if (c->number >= f->caps.max_eq)
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	else if (create == eq->live)
		end(r, create ? CAIRN_CMD_STATUS_EXISTS : CAIRN_CMD_STATUS_BAD_STATE,
		    CAIRN_CMD_DETAIL_NONE);
	else if (!create && (eq->cqs || (c->number == 0 && f->enabled)))
		end(r, CAIRN_CMD_STATUS_BUSY, CAIRN_CMD_DETAIL_NONE);
	else if (!create)
		memset(eq, 0, sizeof(*eq));
	else
		*eq = (struct fake_eq){ .live = true,
					.log2 = (uint32_t)c->arg0,
					.vector = (uint32_t)c->arg1,
					.page = (uint32_t)c->arg2,
					.ring = c->ptr };
}

static void pd_command(struct run *r)
{
	if (r->cmd->number >= r->f->caps.max_pd)
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
}

/* ---------------------------------------------------------------- CQ, SRQ */

static bool live_cq(struct run *r, uint32_t cqn)
{
	return cqn < entries(r->f, CAIRN_TABLE_CQ) && r->f->cqs[cqn].live;
}

static void create_cq(struct run *r)
{
	bool resize = op_of(r) == CAIRN_CMD_OP_RESIZE_CQ;
	struct fake *f = r->f;
	struct fake_cq *cq = &f->cqs[r->cmd->number % FAKE_NUMBERS];
	struct cairn_cq_create a;
	struct fake_eq *eq;

	if (resize && f->at_resize) {
		f->at_resize(f->arg);
		f->at_resize = NULL;
	}
	memcpy(&a, r->in, sizeof(a));
	eq = &f->eqs[a.eqn % CAIRN_MSIX_VECTORS];
	if (r->cmd->number >= entries(f, CAIRN_TABLE_CQ)) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	} else if (!a.base || a.base % 64) {
		bad_buffer(r, offsetof(struct cairn_cq_create, base));
	} else if (!a.ci_iova || a.ci_iova % 8) {
		bad_buffer(r, offsetof(struct cairn_cq_create, ci_iova));
	} else if (a.log2 < 4 || a.log2 > 15) {
		bad_buffer(r, offsetof(struct cairn_cq_create, log2));
	} else if (a.eqn != CAIRN_NO_NUMBER && (a.eqn >= f->caps.max_eq || !eq->live)) {
		bad_buffer(r, offsetof(struct cairn_cq_create, eqn));
	} else if (a.db_page >= f->caps.db_pages) {
		bad_buffer(r, offsetof(struct cairn_cq_create, db_page));
	} else if (cq->live != resize) {
		end(r, resize ? CAIRN_CMD_STATUS_BAD_STATE : CAIRN_CMD_STATUS_EXISTS,
		    CAIRN_CMD_DETAIL_NONE);
	} else if (resize) {
		const struct cairn_cq_ci *ci = fake_mem(f, a.ci_iova, 8, CAIRN_DMA_READ);

		if (!ci || cq->pi - ci->index > 1u << a.log2) {
			end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
			return;
		}
		cq->attr = a;
		r->value0 = cq->pi;
	} else if (a.eqn != CAIRN_NO_NUMBER && eq->cqs == (1u << eq->log2) - 1) {
		end(r, CAIRN_CMD_STATUS_NO_RESOURCE, CAIRN_CMD_DETAIL_NONE);
	} else {
		fake_mem(f, a.base, (size_t)CAIRN_CQE_BYTES << a.log2, CAIRN_DMA_WRITE);
		eq->cqs += a.eqn != CAIRN_NO_NUMBER;
		*cq = (struct fake_cq){ .live = true, .attr = a };
	}
}

static void cq_command(struct run *r)
{
	struct fake_cq *cq = &r->f->cqs[r->cmd->number % FAKE_NUMBERS];
	struct cairn_cq_ctx ctx = { .pi = cq->pi };

	if (r->cmd->number >= entries(r->f, CAIRN_TABLE_CQ)) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
		return;
	}
	if (!cq->live) {
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		return;
	}
	switch (op_of(r)) {
	case CAIRN_CMD_OP_QUERY_CQ:
		r->value0 = cq->pi;
		memcpy(r->out, &ctx, sizeof(ctx));
		break;
	case CAIRN_CMD_OP_MODIFY_CQ:
		if (r->cmd->arg0 > 65535 || r->cmd->arg1 > 65535)
			end(r, CAIRN_CMD_STATUS_BAD_PARAM, r->cmd->arg0 > 65535 ? 4 : 6);
		else
			cq->moderation = (uint32_t)(r->cmd->arg0 | r->cmd->arg1 << 16);
		break;
	default:
		for (uint32_t q = 0; q < FAKE_NUMBERS; q++)
			if (r->f->qps[q].live && (r->f->qps[q].create.sq_cqn == r->cmd->number ||
						  r->f->qps[q].create.rq_cqn == r->cmd->number))
				fake_error(r->f, "CQ %u destroyed under QP %u", r->cmd->number, q);
		if (cq->attr.eqn != CAIRN_NO_NUMBER)
			r->f->eqs[cq->attr.eqn].cqs--;
		cq->live = false;
	}
}

static void srq_command(struct run *r)
{
	const struct cairn_cmd *c = r->cmd;
	uint32_t op = op_of(r);
	struct fake_srq *srq = &r->f->srqs[c->number % FAKE_NUMBERS];
	bool create = op == CAIRN_CMD_OP_CREATE_SRQ;

	if (create && (!c->arg0 || c->arg0 % 64))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	else if (create && (!c->arg1 || c->arg1 % 64))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 6);
	else if (create && (c->arg2 < 4 || c->arg2 > 15))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 8);
	else if (create && (c->arg3 < 1 || c->arg3 > 16))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 10);
	else if (create && (c->arg4 >= r->f->caps.max_pd || c->arg5 >= r->f->caps.db_pages))
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 12);
	else if (c->number >= entries(r->f, CAIRN_TABLE_SRQ))
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	else if (create == srq->live)
		end(r, create ? CAIRN_CMD_STATUS_EXISTS : CAIRN_CMD_STATUS_BAD_STATE,
		    CAIRN_CMD_DETAIL_NONE);
	else if (create)
		*srq = (struct fake_srq){ true,
					  { c->arg0, c->arg1, c->arg2, c->arg3, c->arg4 },
					  0 };
	else if (op == CAIRN_CMD_OP_DESTROY_SRQ)
		srq->live = false;
	else if (op == CAIRN_CMD_OP_QUERY_SRQ)
		r->value1 = srq->limit;
	else if (c->arg0 > 1ull << srq->arg[2])
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	else
		srq->limit = (uint32_t)c->arg0;
}

/* ---------------------------------------------------------------- QP */

static void create_qp(struct run *r)
{
	struct fake *f = r->f;
	struct fake_qp *qp = &f->qps[r->cmd->number % FAKE_NUMBERS];
	struct cairn_qp_create a;
	bool srq, rq;

	memcpy(&a, r->in, sizeof(a));
	srq = a.srqn != CAIRN_NO_NUMBER;
	rq = a.rq_log2 || a.rq_stride || a.rq_base;
	if (r->cmd->number >= entries(f, CAIRN_TABLE_QP) ||
	    (a.type == CAIRN_QP_TYPE_GSI ? r->cmd->number != 1
					 : r->cmd->number < f->caps.qpn_first)) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
	} else if (a.pd >= f->caps.max_pd) {
		bad_buffer(r, offsetof(struct cairn_qp_create, pd));
	} else if (!live_cq(r, a.sq_cqn) || !live_cq(r, a.rq_cqn)) {
		bad_buffer(r, offsetof(struct cairn_qp_create, sq_cqn));
	} else if (srq && (rq || a.srqn >= entries(f, CAIRN_TABLE_SRQ) || !f->srqs[a.srqn].live)) {
		bad_buffer(r, offsetof(struct cairn_qp_create, srqn));
	} else if (a.sq_log2 < 2 || a.sq_log2 > 15 || !a.sq_base || a.sq_base % 64) {
		bad_buffer(r, offsetof(struct cairn_qp_create, sq_log2));
	} else if (rq && (a.rq_log2 > 15 || !a.rq_stride || a.rq_stride > 16 || !a.rq_base ||
			  a.rq_base % 16)) {
		bad_buffer(r, offsetof(struct cairn_qp_create, rq_log2));
	} else if (a.db_page >= f->caps.db_pages || a.async_eqn >= f->caps.max_eq ||
		   !f->eqs[a.async_eqn].live) {
		bad_buffer(r, offsetof(struct cairn_qp_create, db_page));
	} else if (qp->live) {
		end(r, CAIRN_CMD_STATUS_EXISTS, CAIRN_CMD_DETAIL_NONE);
	} else {
		fake_mem(f, a.sq_base, (size_t)64 << a.sq_log2, CAIRN_DMA_READ);
		if (rq)
			fake_mem(f, a.rq_base, (size_t)16 * a.rq_stride << a.rq_log2,
				 CAIRN_DMA_READ);
		*qp = (struct fake_qp){ .live = true,
					.generation = (uint8_t)(qp->generation + 1),
					.create = a };
		r->value0 = qp->generation;
	}
}

/* Of the state machine only what the driver could get wrong: masks of verbs pass through. */
static void modify_qp(struct run *r, struct fake_qp *qp)
{
	struct cairn_qp_attr a;

	memcpy(&a, r->in, sizeof(a));
	if (!(r->cmd->arg0 & CAIRN_QP_MASK_STATE)) {
		a.state = qp->attr.state;
	} else if (a.state > CAIRN_QP_STATE_ERR) {
		bad_buffer(r, offsetof(struct cairn_qp_attr, state));
		return;
	} else if (a.state == CAIRN_QP_STATE_RTS && qp->attr.state == CAIRN_QP_STATE_RESET) {
		r->value0 = CAIRN_QP_MASK_SQ_PSN;
		end(r, CAIRN_CMD_STATUS_BAD_MASK, 4);
		return;
	} else if (a.state == CAIRN_QP_STATE_RESET) {
		r->value0 = qp->create.srqn == CAIRN_NO_NUMBER ? CAIRN_NO_NUMBER : 5;
		qp->generation++;
	}
	qp->attr = a;
	qp->mask = (uint32_t)r->cmd->arg0;
}

/* One group a QP is enough here. */
static void mcast(struct run *r, struct fake_qp *qp, bool attach)
{
	uint64_t group[2] = { r->cmd->arg0, r->cmd->arg1 };

	if (!r->f->caps.max_mcast_grp)
		end(r, CAIRN_CMD_STATUS_NOT_SUPPORTED, CAIRN_CMD_DETAIL_NONE);
	else if (qp->create.type != CAIRN_QP_TYPE_UD)
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	else if ((group[0] & 0xff) != 0xff)
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, 4);
	else if (attach ? qp->attached : !qp->attached || memcmp(qp->group, group, sizeof(group)))
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
	memcpy(qp->group, group, sizeof(group));
	qp->attached = r->status == CAIRN_CMD_STATUS_OK ? attach : qp->attached;
}

static void qp_command(struct run *r)
{
	struct fake_qp *qp = &r->f->qps[r->cmd->number % FAKE_NUMBERS];

	if (r->cmd->number >= entries(r->f, CAIRN_TABLE_QP)) {
		end(r, CAIRN_CMD_STATUS_BAD_INDEX, 1);
		return;
	}
	if (!qp->live) {
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		return;
	}
	switch (op_of(r)) {
	case CAIRN_CMD_OP_MODIFY_QP:
		modify_qp(r, qp);
		break;
	case CAIRN_CMD_OP_QUERY_QP:
		memcpy(r->out, &qp->attr, sizeof(qp->attr));
		break;
	case CAIRN_CMD_OP_ATTACH_MCAST:
	case CAIRN_CMD_OP_DETACH_MCAST:
		mcast(r, qp, op_of(r) == CAIRN_CMD_OP_ATTACH_MCAST);
		break;
	default:
		qp->live = false;
		r->value0 = qp->create.srqn == CAIRN_NO_NUMBER ? CAIRN_NO_NUMBER : 7;
	}
}

static void set_port(struct run *r)
{
	r->f->port.flags = (uint32_t)r->cmd->arg0;
}

/* ---------------------------------------------------------------- all commands */

/* ---------------------------------------------------------------- all of them */

#define OP(name) CAIRN_CMD_OP_##name
#define NEEDS(feature) CAIRN_REG_FEATURES_##feature

/* What answers each command, and what it may carry. */
static const struct spec {
	uint8_t op;
	void (*run)(struct run *r);
	uint8_t need, in, out; /* bytes of the buffer */
	uint8_t flags;	       /* bits allowed */
	bool number, ptr;
	uint8_t args;	   /* bit n: arg n */
	uint64_t features; /* needed, REG FEATURES */
} specs[] = {
	{ OP(NOP), nop, ALWAYS, 0, 0, 0, false, false, 0, 0 },
	{ OP(QUERY_DEVICE), query_device, ALWAYS, 0, 128, 0, false, false, 0, 0 },
	{ OP(SETUP_TABLE), setup_table, BEFORE_ENABLE, 0, 0, 0, true, true, 0x1, 0 },
	{ OP(ENABLE), enable, BEFORE_ENABLE, 0, 0, 0, false, false, 0, 0 },
	{ OP(DISABLE), disable, ALWAYS, 0, 0, 0, false, false, 0, 0 },
	{ OP(QUERY_PORT), query_port, ALWAYS, 0, 64, 0, false, false, 0, 0 },
	{ OP(SET_GID), set_gid, ALWAYS, 0, 0, CAIRN_GID_FLAG_VALID, true, false, 0x7, 0 },
	{ OP(SET_PORT), set_port, ALWAYS, 0, 0, 0, false, false, 0x1, NEEDS(LOOP) },
	{ OP(RESOLVE), resolve, ENABLED, 0, 0, 0, true, false, 0x3, 0 },
	{ OP(CREATE_EQ), eq_command, ALWAYS, 0, 0, 0, true, true, 0x7, 0 },
	{ OP(DESTROY_EQ), eq_command, ALWAYS, 0, 0, 0, true, false, 0, 0 },
	{ OP(ALLOC_PD), pd_command, ENABLED, 0, 0, 0, true, false, 0, 0 },
	{ OP(DEALLOC_PD), pd_command, ENABLED, 0, 0, 0, true, false, 0, 0 },
	{ OP(CREATE_CQ), create_cq, ENABLED, 64, 0, 0, true, false, 0, 0 },
	{ OP(DESTROY_CQ), cq_command, ENABLED, 0, 0, 0, true, false, 0, 0 },
	{ OP(RESIZE_CQ), create_cq, ENABLED, 64, 0, 0, true, false, 0, 0 },
	{ OP(MODIFY_CQ), cq_command, ENABLED, 0, 0, 0, true, false, 0x3, 0 },
	{ OP(QUERY_CQ), cq_command, ENABLED, 0, 64, 0, true, false, 0, 0 },
	{ OP(CREATE_SRQ), srq_command, ENABLED, 0, 0, 0, true, false, 0x3f, NEEDS(SRQ) },
	{ OP(MODIFY_SRQ), srq_command, ENABLED, 0, 0, 0, true, false, 0x1, NEEDS(SRQ) },
	{ OP(QUERY_SRQ), srq_command, ENABLED, 0, 64, 0, true, false, 0, NEEDS(SRQ) },
	{ OP(DESTROY_SRQ), srq_command, ENABLED, 0, 0, 0, true, false, 0, NEEDS(SRQ) },
	{ OP(REG_MR), fake_mr_command, ENABLED, 0, 0, CAIRN_MR_FLAG_ALLOC, true, false, 0x1f, 0 },
	{ OP(DEREG_MR), fake_mr_command, ENABLED, 0, 0, 0, true, false, 0, 0 },
	{ OP(ALLOC_MW), fake_mr_command, ENABLED, 0, 0, 0, true, false, 0x3, NEEDS(MW) },
	{ OP(DEALLOC_MW), fake_mr_command, ENABLED, 0, 0, 0, true, false, 0, NEEDS(MW) },
	{ OP(CREATE_QP), create_qp, ENABLED, 64, 0, 0, true, false, 0, 0 },
	{ OP(MODIFY_QP), qp_command, ENABLED, 128, 0, 0, true, false, 0x1, 0 },
	{ OP(QUERY_QP), qp_command, ENABLED, 0, 128, 0, true, false, 0, 0 },
	{ OP(DESTROY_QP), qp_command, ENABLED, 0, 0, 0, true, false, 0, 0 },
	{ OP(ATTACH_MCAST), qp_command, ENABLED, 0, 0, 0, true, false, 0x3, NEEDS(MCAST) },
	{ OP(DETACH_MCAST), qp_command, ENABLED, 0, 0, 0, true, false, 0x3, NEEDS(MCAST) },
};

/* First field that the command does not name and that is not zero, or NO_OP. */
static uint32_t stray_field(const struct spec *s, const struct cairn_cmd *c)
{
	const uint64_t args[5] = { c->arg0, c->arg1, c->arg2, c->arg3, c->arg4 };

	if (CAIRN_GET(c->head, CAIRN_CMD_HEAD_FLAGS) & ~(uint32_t)s->flags)
		return 0;
	if (!s->number && c->number)
		return 1;
	if (!s->ptr && c->ptr)
		return 2;
	for (uint32_t i = 0; i < 5; i++)
		if (!(s->args & 1 << i) && args[i])
			return 4 + 2 * i;
	return !(s->args & 0x20) && c->arg5 ? 14 : NO_OP;
}

static void run(struct run *r)
{
	uint32_t op = op_of(r), stray;
	const struct spec *s = NULL;
	uint8_t *buffer = (uint8_t *)(uintptr_t)r->cmd + CAIRN_CMD_BYTES; /* in its slot */

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
		if (specs[i].op == op)
			s = &specs[i];
	if (!s) {
		fake_error(r->f, "command %u has no row in specs[] of %s", op, __FILE__);
		end(r, CAIRN_CMD_STATUS_BAD_OP, CAIRN_CMD_DETAIL_NONE);
		return;
	}
	if (s->features & ~r->f->caps.features) {
		end(r, CAIRN_CMD_STATUS_NOT_SUPPORTED, CAIRN_CMD_DETAIL_NONE);
		return;
	}
	if ((s->need == ENABLED && !r->f->enabled) || (s->need == BEFORE_ENABLE && r->f->enabled)) {
		end(r, CAIRN_CMD_STATUS_BAD_STATE, CAIRN_CMD_DETAIL_NONE);
		return;
	}
	stray = stray_field(s, r->cmd);
	if (stray != NO_OP || r->cmd->ptr % 64) {
		fake_error(r->f, "%s with a wrong word %u", cairn_enum_name("cmd_op", op), stray);
		end(r, CAIRN_CMD_STATUS_BAD_PARAM, stray);
		return;
	}
	memcpy(r->in, buffer, s->in);
	memcpy(r->f->last_in, r->in, sizeof(r->in));
	s->run(r);
	if (r->status == CAIRN_CMD_STATUS_OK)
		memcpy(buffer, r->out, s->out);
}

void fake_execute(struct fake *f, const struct cairn_cmd *cmd, struct cairn_cmd_cpl *cpl)
{
	struct run r = { .f = f, .cmd = cmd, .detail = CAIRN_CMD_DETAIL_NONE };

	run(&r);
	cpl->head |= CAIRN_PUT(CAIRN_CMD_CPL_HEAD_STATUS, r.status) |
		     CAIRN_PUT(CAIRN_CMD_CPL_HEAD_DETAIL, r.detail);
	cpl->value0 = r.value0;
	cpl->value1 = r.value1;
}
