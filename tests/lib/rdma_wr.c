// SPDX-License-Identifier: Apache-2.0
/*
 * Work requests of transport tests and the ledger of their outcomes; see rdma.h.
 *
 * A request that shall succeed takes a copy of its bytes, from the shadow of where they come from,
 * when it is posted.  They are compared with memory where they shall be: at the sender's completion
 * (WRITE, READ) and at the receiver's (SEND, WRITE with immediate).
 */
#include "rdma.h"

#include <string.h>

/* Bytes and where they shall be: elements of one NIC. */
struct parcel {
	uint8_t *bytes; /* NULL: not looked at */
	uint32_t len;
	struct cairn_sge to[CAIRN_MAX_SGE];
	unsigned int n;
};

/* A message on its way to a receive queue. */
struct rdma_incoming {
	struct rdma_incoming *next;
	bool by_write, has_imm, has_inv, solicited, look;
	uint32_t imm;	      /* or invalidated key */
	struct parcel parcel; /* WRITE: with its place; SEND: the receive request says it */
};

struct entry {
	struct entry *next;
	uint32_t index, blocks, len, op;
	bool signaled;
	enum cairn_wc_status expect;
	enum cairn_vendor_err vendor;
	struct parcel parcel;
	struct cairn_sge far; /* atomic: its 8 bytes at the peer */
	uint64_t swap_add, compare;
	struct rdma_incoming *incoming; /* what it makes at the peer */
};

struct rdma_queue {
	struct entry *head, **end;
	unsigned int n;
};

/* ---------------------------------------------------------------- ledger */

static struct rdma_queue *queue_new(void)
{
	struct rdma_queue *queue = calloc(1, sizeof(*queue));

	assert_non_null(queue);
	queue->end = &queue->head;
	return queue;
}

static struct entry *queue_add(struct rdma_queue *queue)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	assert_non_null(entry);
	*queue->end = entry;
	queue->end = &entry->next;
	queue->n++;
	return entry;
}

static void queue_drop(struct rdma_queue *queue)
{
	struct entry *entry = queue->head;

	queue->head = entry->next;
	if (!queue->head)
		queue->end = &queue->head;
	queue->n--;
	free(entry->parcel.bytes);
	free(entry);
}

static void incoming_remove(struct rdma_qp *qp, struct rdma_incoming *incoming)
{
	struct rdma_incoming **link = &qp->incoming;

	while (*link && *link != incoming)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = incoming->next;
	if (!*link)
		qp->incoming_end = link;
	free(incoming->parcel.bytes);
	free(incoming);
}

void rdma_ledger_init(struct rdma_qp *qp)
{
	qp->sq = queue_new();
	qp->rq = queue_new();
	qp->incoming_end = &qp->incoming;
}

void rdma_ledger_drop(struct rdma_qp *qp)
{
	while (qp->sq->head)
		queue_drop(qp->sq);
	while (qp->rq->head)
		queue_drop(qp->rq);
	while (qp->incoming)
		incoming_remove(qp, qp->incoming);
}

void rdma_ledger_free(struct rdma_qp *qp)
{
	rdma_ledger_drop(qp);
	free(qp->sq);
	free(qp->rq);
}

static unsigned int due_of(const struct rdma_qp *qp)
{
	unsigned int due = 0;
	bool failed = qp->sq_failed || qp->moved;

	for (const struct entry *e = qp->sq->head; e; e = e->next) {
		failed |= e->expect != CAIRN_WC_STATUS_SUCCESS;
		due += failed || e->signaled;
	}
	failed = qp->rq_failed || qp->moved;
	for (const struct entry *e = qp->rq->head; e; e = e->next) {
		failed |= e->expect != CAIRN_WC_STATUS_SUCCESS;
		due += failed;
	}
	if (!failed)
		for (const struct rdma_incoming *in = qp->incoming; in; in = in->next)
			due++;
	return due;
}

unsigned int rdma_due(const struct rdma *r)
{
	unsigned int due = 0;

	for (const struct rdma_qp *qp = r->qps; qp; qp = qp->next)
		due += due_of(qp);
	return due;
}

void rdma_print_due(const struct rdma *r)
{
	for (const struct rdma_qp *qp = r->qps; qp; qp = qp->next)
		if (due_of(qp))
			print_error("  nic%u QP 0x%x: %u due; %u sends and %u receives posted\n", qp->nic,
				    qp->qp->qpn, due_of(qp), qp->sq->n, qp->rq->n);
}

/* ---------------------------------------------------------------- bytes */

/* The shadow's bytes behind the elements. */
static uint8_t *gather(struct rdma_qp *qp, unsigned int nic, const struct cairn_sge *sge,
		       unsigned int n, bool by_address, uint32_t len)
{
	uint8_t *bytes = malloc(len ? len : 1), *p = bytes;
	struct rdma_buf *buf;

	assert_non_null(bytes);
	for (unsigned int i = 0; i < n; i++) {
		const uint8_t *from = (const uint8_t *)(uintptr_t)sge[i].addr;

		if (!sge[i].length)
			continue;
		if (!by_address) {
			from = rdma_find(qp->r, nic, sge[i].lkey, sge[i].addr, sge[i].length, &buf);
			if (!from)
				rdma_fail(qp->r, "element %u names no buffer of NIC %u", i, nic);
			from = buf->shadow + (from - buf->base);
		}
		memcpy(p, from, sge[i].length);
		p += sge[i].length;
	}
	return bytes;
}

/* The parcel has arrived: so does the shadow know, and memory must show it. */
static void deliver(struct rdma_qp *qp, unsigned int nic, const struct parcel *parcel,
		    const char *what)
{
	uint32_t done = 0;

	if (!parcel->bytes)
		return;
	for (unsigned int i = 0; i < parcel->n && done < parcel->len; i++) {
		const struct cairn_sge *to = &parcel->to[i];
		uint32_t len = to->length < parcel->len - done ? to->length : parcel->len - done;
		struct rdma_buf *buf;
		uint8_t *p;

		if (!len)
			continue;
		p = rdma_find(qp->r, nic, to->lkey, to->addr, len, &buf);
		if (!p)
			rdma_fail(qp->r, "%s: element %u names no buffer of NIC %u", what, i, nic);
		memcpy(buf->shadow + (p - buf->base), parcel->bytes + done, len);
		for (uint32_t b = 0; b < len; b++)
			if (p[b] != parcel->bytes[done + b])
				rdma_fail(
					qp->r,
					"%s of %u bytes, QP %u: byte %u (element %u at %p) is 0x%02x, not "
					"0x%02x",
					what, parcel->len, qp->qp->qpn, done + b, i, (void *)&p[b],
					p[b], parcel->bytes[done + b]);
		done += len;
	}
	if (done < parcel->len)
		rdma_fail(qp->r, "%s: %u bytes succeeded where %u fit", what, parcel->len, done);
}

/* ---------------------------------------------------------------- posting */

unsigned int rdma_room(const struct rdma_qp *qp)
{
	uint32_t used = qp->sq->head ? (qp->qp->sq_pi - qp->sq->head->index) & 0xffff : 0;

	return (1u << qp->qp->sq_log2) - used;
}

unsigned int rdma_recv_room(const struct rdma_qp *qp)
{
	return (1u << qp->qp->rq_log2) - qp->rq->n;
}

static bool is_read(uint32_t op)
{
	return rdma_is_kind(op, CAIRN_WQE_KIND_READ);
}

static bool is_write(uint32_t op)
{
	return rdma_is_kind(op, CAIRN_WQE_KIND_WRITE);
}

static bool is_atomic(uint32_t op)
{
	return rdma_is_kind(op, CAIRN_WQE_KIND_ATOMIC);
}

/* A write with immediate takes a receive request, as all SENDs do. */
static bool takes_receive(uint32_t op)
{
	return rdma_has_mark(op, CAIRN_WQE_MARK_RWR);
}

/* What the request shall do to memory and to the peer. */
static void promise(struct rdma_qp *qp, const struct rdma_wr *wr, struct entry *entry)
{
	struct rdma_qp *peer = qp->peer;
	struct rdma_incoming *in;
	struct cairn_sge remote = { wr->raddr, wr->rkey, entry->len };
	struct parcel *parcel = &entry->parcel;

	if (wr->expect != CAIRN_WC_STATUS_SUCCESS || wr->no_data || qp->moved || qp->sq_failed)
		return;
	if (wr->seen.lkey) {
		remote.addr = wr->seen.addr;
		remote.lkey = wr->seen.lkey;
	}
	parcel->len = entry->len;
	if (is_atomic(wr->op)) {
		entry->far = remote;
		entry->swap_add = wr->swap_add;
		entry->compare = wr->compare;
		parcel->to[0] = wr->sge[0];
		parcel->n = 1;
	} else if (is_read(wr->op)) {
		parcel->bytes = gather(qp, peer->nic, &remote, 1, false, entry->len);
		memcpy(parcel->to, wr->sge, sizeof(wr->sge));
		parcel->n = wr->num_sge;
	} else if (is_write(wr->op)) {
		parcel->bytes = gather(qp, qp->nic, wr->sge, wr->num_sge, wr->in_wqe, entry->len);
		parcel->to[0] = remote;
		parcel->n = 1;
	}
	if (!takes_receive(wr->op))
		return;
	in = calloc(1, sizeof(*in));
	assert_non_null(in);
	in->by_write = is_write(wr->op);
	in->has_imm = rdma_has_mark(wr->op, CAIRN_WQE_MARK_IMM);
	in->has_inv = rdma_has_mark(wr->op, CAIRN_WQE_MARK_INV);
	in->imm = wr->imm;
	in->solicited = wr->solicited;
	in->parcel.len = entry->len;
	in->parcel.bytes = gather(qp, qp->nic, wr->sge, wr->num_sge, wr->in_wqe, entry->len);
	in->parcel.to[0] = remote;
	in->parcel.n = 1;
	*peer->incoming_end = in;
	peer->incoming_end = &in->next;
	entry->incoming = in;
}

void rdma_post(struct rdma_qp *qp, const struct rdma_wr *wr)
{
	uint32_t len = 0, blocks;
	struct entry *entry;

	for (unsigned int i = 0; i < wr->num_sge; i++)
		len += wr->sge[i].length;
	blocks = wr->in_wqe ? cairn_wqe_blocks(qp->cfg.type, 0, len)
			    : cairn_wqe_blocks(qp->cfg.type, wr->num_sge, 0);
	if (blocks > rdma_room(qp))
		rdma_fail(qp->r, "the test posts %u blocks where %u are free", blocks,
			  rdma_room(qp));
	entry = queue_add(qp->sq);
	entry->index = qp->qp->sq_pi;
	entry->blocks = blocks;
	entry->len = len;
	entry->op = wr->op;
	entry->signaled = !wr->unsignaled;
	entry->expect = wr->expect;
	entry->vendor = wr->vendor;
	promise(qp, wr, entry);
	rdma_write_wqe(qp, wr, len, blocks);
}

void rdma_ring(struct rdma_qp *qp)
{
	cairn_sq_ring(qp->qp);
}

void rdma_push(struct rdma_qp *qp)
{
	cairn_sq_push(qp->qp);
}

void rdma_do(struct rdma_qp *qp, const struct rdma_wr *wr)
{
	rdma_post(qp, wr);
	rdma_ring(qp);
	rdma_wait(qp->r);
}

void rdma_post_recv_expect(struct rdma_qp *qp, const struct cairn_sge *sge, unsigned int n,
			   enum cairn_wc_status expect, enum cairn_vendor_err vendor)
{
	struct cairn_sge *slot = cairn_rq_entry(qp->qp, qp->qp->rq_pi);
	struct entry *entry;

	if (qp->rq->n >= 1u << qp->qp->rq_log2 || n > qp->qp->rq_stride)
		rdma_fail(qp->r, "the test posts a receive request that does not fit");
	entry = queue_add(qp->rq);
	entry->index = qp->qp->rq_pi;
	entry->expect = expect;
	entry->vendor = vendor;
	entry->parcel.n = n;
	memset(slot, 0, qp->qp->rq_stride * sizeof(*slot));
	if (n) {
		memcpy(entry->parcel.to, sge, n * sizeof(*sge));
		memcpy(slot, sge, n * sizeof(*sge));
	}
	qp->qp->rq_pi++;
}

void rdma_post_recv(struct rdma_qp *qp, const struct cairn_sge *sge, unsigned int n)
{
	rdma_post_recv_expect(qp, sge, n, CAIRN_WC_STATUS_SUCCESS, CAIRN_VENDOR_ERR_NONE);
}

void rdma_ring_recv(struct rdma_qp *qp)
{
	cairn_rq_ring(qp->qp);
}

/* ---------------------------------------------------------------- judging */

/* 0: success.  Fails when that is not what shall come. */
static enum cairn_wc_status judge_status(struct rdma_qp *qp, const struct entry *entry,
					 const struct cairn_cqe *cqe, bool failed, const char *side)
{
	uint32_t status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
	uint32_t vendor = CAIRN_GET(cqe->src, CAIRN_CQE_SRC_VENDOR_ERR);
	enum cairn_wc_status want = failed ? CAIRN_WC_STATUS_WR_FLUSH_ERR : entry->expect;
	bool flush_is_fine = qp->moved && status == CAIRN_WC_STATUS_WR_FLUSH_ERR;

	if (status != want && !flush_is_fine)
		rdma_fail(qp->r, "NIC %u, QP %u, %s %u: status %s (%s), not %s", qp->nic,
			  qp->qp->qpn, side, entry->index, cairn_enum_name("wc_status", status),
			  cairn_enum_name("vendor_err", vendor),
			  cairn_enum_name("wc_status", want));
	if (status == entry->expect && entry->vendor && vendor != (uint32_t)entry->vendor)
		rdma_fail(qp->r, "NIC %u, QP %u, %s %u: cause %s, not %s", qp->nic, qp->qp->qpn,
			  side, entry->index, cairn_enum_name("vendor_err", vendor),
			  cairn_enum_name("vendor_err", entry->vendor));
	return status;
}

static void want(struct rdma_qp *qp, const struct entry *entry, const char *field, uint32_t is,
		 uint32_t must)
{
	if (is != must)
		rdma_fail(qp->r, "NIC %u, QP %u, request %u: %s is 0x%x, not 0x%x", qp->nic,
			  qp->qp->qpn, entry->index, field, is, must);
}

/*
 * The ACK of a WRITE or atomic left when its last bytes had entered the peer's queue of posted
 * writes: they have a moment to reach memory.  Only the peer's own completions promise that they
 * are there.
 */
static void await_bytes(struct rdma *r, const uint8_t *at, const void *bytes, uint32_t len)
{
	for (unsigned int i = 0; i < 64 && memcmp(at, bytes, len); i++)
		rdma_run(r, 256);
}

static void await_write(struct rdma_qp *qp, const struct parcel *parcel)
{
	const struct cairn_sge *to = &parcel->to[0];
	struct rdma_buf *buf;
	const uint8_t *p;

	if (!parcel->bytes || !parcel->len)
		return;
	p = rdma_find(qp->r, qp->peer->nic, to->lkey, to->addr, parcel->len, &buf);
	if (p)
		await_bytes(qp->r, p, parcel->bytes, parcel->len);
}

/* The old value is here, the new one there. */
static void swapped(struct rdma_qp *qp, struct entry *entry)
{
	struct rdma_buf *buf;
	uint64_t old, new = entry->swap_add;
	uint8_t *p = rdma_find(qp->r, qp->peer->nic, entry->far.lkey, entry->far.addr, 8, &buf);

	if (!p)
		rdma_fail(qp->r, "the atomic's target names no buffer");
	memcpy(&old, buf->shadow + (p - buf->base), 8);
	if (entry->op == CAIRN_WQE_OP_ATOMIC_FA)
		new += old;
	else if (old != entry->compare)
		new = old;
	memcpy(buf->shadow + (p - buf->base), &new, 8);
	entry->parcel.bytes = malloc(8);
	assert_non_null(entry->parcel.bytes);
	memcpy(entry->parcel.bytes, &old, 8);
	deliver(qp, qp->nic, &entry->parcel, "atomic");
	await_bytes(qp->r, p, &new, 8);
	if (memcmp(p, &new, 8))
		rdma_fail(qp->r, "atomic of QP %u: the new value is not there", qp->qp->qpn);
}

static void sent(struct rdma_qp *qp, struct entry *entry)
{
	if (is_atomic(entry->op) && entry->far.lkey)
		swapped(qp, entry);
	if (is_read(entry->op))
		deliver(qp, qp->nic, &entry->parcel, "READ");
	if (!is_write(entry->op) || !qp->peer)
		return;
	await_write(qp, &entry->parcel);
	deliver(qp, qp->peer->nic, &entry->parcel, "WRITE");
}

static void judge_send(struct rdma_qp *qp, const struct cairn_cqe *cqe)
{
	uint32_t index = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX);
	struct entry *entry;

	/* Unsignalled ones before it have succeeded. */
	while ((entry = qp->sq->head) && (entry->index & 0xffff) != index && !entry->signaled &&
	       !entry->expect && !qp->sq_failed) {
		sent(qp, entry);
		queue_drop(qp->sq);
	}
	if (!entry || (entry->index & 0xffff) != index)
		rdma_fail(qp->r, "NIC %u, QP %u: completion of WQE %u, but %s%u is next", qp->nic,
			  qp->qp->qpn, index, entry ? "" : "none, or ", entry ? entry->index : 0);
	if (judge_status(qp, entry, cqe, qp->sq_failed, "WQE")) {
		qp->sq_failed = true;
		if (entry->incoming && qp->peer)
			incoming_remove(qp->peer, entry->incoming);
	} else if (!entry->signaled) {
		rdma_fail(qp->r, "NIC %u, QP %u: completion of WQE %u, which is not signalled",
			  qp->nic, qp->qp->qpn, index);
	} else {
		want(qp, entry, "opcode", CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE),
		     cairn_wqe_info[entry->op].cqe_op);
		want(qp, entry, "byte_len", cqe->byte_len,
		     is_read(entry->op) || is_atomic(entry->op) ? entry->len : 0);
		sent(qp, entry);
	}
	queue_drop(qp->sq);
}

static void judge_recv(struct rdma_qp *qp, const struct cairn_cqe *cqe)
{
	uint32_t index = CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INDEX);
	struct entry *entry = qp->rq->head;
	struct rdma_incoming *in = qp->incoming;

	if (!entry || (entry->index & 0xffff) != index)
		rdma_fail(qp->r,
			  "NIC %u, QP %u: completion of receive request %u, but %s%u is next",
			  qp->nic, qp->qp->qpn, index, entry ? "" : "none, or ",
			  entry ? entry->index : 0);
	if (judge_status(qp, entry, cqe, qp->rq_failed, "receive request")) {
		qp->rq_failed = true;
		queue_drop(qp->rq);
		return;
	}
	if (!in)
		rdma_fail(qp->r, "NIC %u, QP %u: a message arrived that nobody sent", qp->nic,
			  qp->qp->qpn);
	want(qp, entry, "opcode", CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_OPCODE),
	     in->by_write  ? CAIRN_CQE_OP_RECV_WRITE_IMM
	     : in->has_imm ? CAIRN_CQE_OP_RECV_IMM
	     : in->has_inv ? CAIRN_CQE_OP_RECV_INV
			   : CAIRN_CQE_OP_RECV);
	want(qp, entry, "byte_len", cqe->byte_len, in->parcel.len);
	want(qp, entry, "IMM", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IMM), in->has_imm);
	want(qp, entry, "SOLICITED", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_SOLICITED), in->solicited);
	want(qp, entry, "INV", CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_INV), in->has_inv);
	if (in->has_imm || in->has_inv)
		want(qp, entry, "imm", cqe->imm, in->imm);
	if (!in->by_write) {
		memcpy(in->parcel.to, entry->parcel.to, sizeof(entry->parcel.to));
		in->parcel.n = entry->parcel.n;
	}
	deliver(qp, qp->nic, &in->parcel, in->by_write ? "WRITE with immediate" : "SEND");
	for (struct entry *e = qp->peer ? qp->peer->sq->head : NULL; e; e = e->next)
		if (e->incoming == in)
			e->incoming = NULL;
	incoming_remove(qp, in);
	queue_drop(qp->rq);
}

static void judge(struct rdma_cq *cq, const struct cairn_cqe *cqe)
{
	struct rdma *r = cq->r;
	uint32_t qpn = CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN);
	struct rdma_qp *qp = r->qps;

	while (qp && (qp->nic != cq->nic || qp->qp->qpn != qpn))
		qp = qp->next;
	if (!qp)
		rdma_fail(r, "CQ %u of NIC %u: completion of QP %u, which is none", cq->cq->cqn,
			  cq->nic, qpn);
	if (CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_CQ_INDEX_LO) != (cq->cq->ci & 0x7fff) ||
	    CAIRN_GET(cqe->status, CAIRN_CQE_STATUS_RSVD))
		rdma_fail(r, "CQ %u of NIC %u, entry %u: last word 0x%08x", cq->cq->cqn, cq->nic,
			  cq->cq->ci, cqe->status);
	if (cqe->timestamp < cq->last_time || cqe->timestamp > sim_now(r->sim))
		rdma_fail(r, "CQ %u of NIC %u: stamp %llu after %llu, now %llu", cq->cq->cqn,
			  cq->nic, (unsigned long long)cqe->timestamp,
			  (unsigned long long)cq->last_time, (unsigned long long)sim_now(r->sim));
	cq->last_time = cqe->timestamp;
	rdma_cqe_check(qp, cqe);
	if (CAIRN_GET(cqe->wqe, CAIRN_CQE_WQE_IS_SQ))
		judge_send(qp, cqe);
	else
		judge_recv(qp, cqe);
	r->completions++;
}

unsigned int rdma_poll(struct rdma *r)
{
	unsigned int n = 0;

	for (struct rdma_cq *cq = r->cqs; cq; cq = cq->next) {
		const struct cairn_cqe *cqe;
		uint32_t first = cq->cq->ci;

		while ((cqe = cairn_cq_next(cq->cq))) {
			judge(cq, cqe);
			cairn_cq_consume(cq->cq);
			n++;
		}
		if (cq->cq->ci != first)
			cairn_cq_update(cq->cq);
	}
	return n;
}
