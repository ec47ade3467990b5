// SPDX-License-Identifier: Apache-2.0
/*
 * Invalidation by work request and by the peer, registration by work request, regions that windows
 * hold, and that each request is executed once and in its turn; that memory is not touched any
 * more when a key counts as gone.  IBTA 10.6.5, 10.7.2; docs/commands.md 8.  EVERY=1: all refusals,
 * each of which costs a pair of QPs.
 */
#include <errno.h>

#include "windows.h"
#include "sim_priv.h"

#define REFUSED(n, vendor)                                                                       \
	do {                                                                                     \
		if (!skipped(&s, n, 2))                                                          \
			fails(&s, wr, CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_##vendor); \
	} while (0)

/* Keys that a LOCAL_INV does not take. */
static void bad_local_inv(void **state)
{
	struct scene s = scene(1);
	struct cairn_mw *type_2;
	struct rdma_wr wr;

	(void)state;
	rdma_ok(s.r, cairn_alloc_mw(s.r->nic[1].pd, 2, &type_2), "window");
	bind(&s, FROM, SHOWN, WINDOW);
	wr = rdma_inv(s.far->mr->key);
	REFUSED(4, KEY_STATE);
	wr = rdma_inv(s.mw->key);
	REFUSED(4, KEY_STATE);
	wr = rdma_inv(type_2->key);
	REFUSED(4, KEY_INDEX);
	wr = rdma_inv(0x00300000);
	REFUSED(4, KEY_INDEX);
	works(&s, s.a, s.mw->key, FROM, SHOWN);
	rdma_ok(s.r, cairn_dealloc_mw(type_2), "end of the window");
	end(&s);
}

/* ---------------------------------------------------------------- SEND with invalidate */

static struct rdma_wr send_inv(struct scene *s, uint32_t key, size_t len)
{
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_SEND_INV, s->local, 100, NULL, 0, len);

	wr.imm = key;
	return wr;
}

static void receive(struct scene *s, enum cairn_wc_status status)
{
	struct cairn_sge sge = rdma_sge(s->far, 12288, 4096);

	rdma_post_recv_expect(s->b, &sge, 1, status, CAIRN_VENDOR_ERR_NONE);
	rdma_ring_recv(s->b);
}

/* Of no byte and of several packets; WRITEs through the window go before it in one doorbell. */
static void invalidated_by_peer(void **state)
{
	static const uint32_t lens[] = { 0, 1, 1024, 3000 };
	struct scene s = scene(2);

	(void)state;
	for (size_t i = 0; i < LEN(lens); i++) {
		struct rdma_wr wr;

		bind(&s, FROM, SHOWN, WINDOW);
		receive(&s, CAIRN_WC_STATUS_SUCCESS);
		wr = access_by(&s, CAIRN_WQE_OP_WRITE, s.mw->key, FROM, SHOWN);
		wr.unsignaled = true;
		rdma_post(s.a, &wr);
		wr = send_inv(&s, s.mw->key, lens[i]);
		rdma_do(s.a, &wr);
		rdma_settle(s.r, 10000);
		if (i & 1)
			refused_at(&s, s.a, s.mw->key, FROM, CAIRN_COUNTER_MR_BAD_KEY);
	}
	end(&s);
}

/* Keys of others: the receive fails, the sender hears of a remote access error. */
static void bad_send_inv(void **state)
{
	struct scene s = scene(2);
	struct cairn_mw *type_1;
	uint32_t keys[5];
	enum cairn_counter why[5] = { CAIRN_COUNTER_MR_BAD_KEY, CAIRN_COUNTER_MR_BAD_PD,
				      CAIRN_COUNTER_MR_BAD_RIGHTS, CAIRN_COUNTER_MR_BAD_RIGHTS,
				      CAIRN_COUNTER_MR_BAD_KEY };
	struct rdma_wr wr;

	(void)state;
	rdma_ok(s.r, cairn_alloc_mw(s.r->nic[1].pd, 1, &type_1), "window");
	wr = rdma_bind(type_1, 7, s.far, FROM, SHOWN, WINDOW);
	rdma_do(s.b, &wr);
	type_1->key = wr.imm;
	bind(&s, FROM, SHOWN, WINDOW);
	keys[0] = s.mw->key ^ 1;
	keys[1] = s.mw->key; /* another QP's from the second round on */
	keys[2] = s.far->mr->key;
	keys[3] = type_1->key;
	keys[4] = 0x00300000;
	for (size_t i = 0; i < LEN(keys); i++) {
		if (i > 1 && skipped(&s, 3, 1))
			continue;
		receive(&s, CAIRN_WC_STATUS_REM_INV_REQ_ERR);
		wr = send_inv(&s, keys[i], 600);
		refused(&s, s.a, &wr, why[i]);
		rdma_buf_forget(s.far, 12288, 4096);
	}
	/* the windows are what they were */
	works(&s, s.a, type_1->key, FROM, SHOWN);
	rdma_ok(s.r, cairn_dealloc_mw(type_1), "end of the window");
	end(&s);
}

/* ---------------------------------------------------------------- fast registration */

static void reg(struct scene *s, struct rdma_qp *qp, struct rdma_buf *buf, uint8_t tag,
		uint32_t access)
{
	struct rdma_wr wr = rdma_reg(buf, tag, buf->len, access);

	rdma_do(qp, &wr);
	buf->mr->key = wr.imm;
	(void)s;
}

static void fast_registration(void **state)
{
	struct scene s = scene(0);
	struct rdma_buf *far = region(s.r, 1, RDMA_ALL_ACCESS, CAIRN_MR_BY_WORK_REQUEST, NULL);
	struct rdma_wr wr;

	(void)state;
	s.far = far;
	refused_at(&s, s.a, far->mr->key, 0, CAIRN_COUNTER_MR_BAD_KEY); /* not valid yet */
	for (unsigned int i = 0; i < 3; i++) {
		uint32_t old = far->mr->key;

		reg(&s, s.b, far, (uint8_t)(old + 1), WINDOW | CAIRN_ACCESS_LOCAL_WRITE);
		works(&s, s.a, far->mr->key, 0, 8000);
		/* as a local key: source of a WRITE, target of a READ */
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, far, 100, s.local, 300, 5000);
		rdma_do(s.b, &wr);
		wr = rdma_wr(CAIRN_WQE_OP_READ, far, 9000, s.local, 300, 5000);
		rdma_do(s.b, &wr);
		refused_at(&s, s.a, old, 0, CAIRN_COUNTER_MR_BAD_KEY);
		wr = rdma_inv(far->mr->key);
		rdma_do(s.b, &wr);
		refused_at(&s, s.a, far->mr->key, 0, CAIRN_COUNTER_MR_BAD_KEY);
	}
	/* by the peer; and rights of its own each time */
	reg(&s, s.b, far, 77, CAIRN_ACCESS_REMOTE_READ);
	wr = rdma_wr(CAIRN_WQE_OP_READ, s.local, 0, far, 0, 8000);
	rdma_do(s.a, &wr);
	refused_at(&s, s.a, far->mr->key, 0, CAIRN_COUNTER_MR_BAD_RIGHTS);
	s.far = region(s.r, 1, BINDABLE, CAIRN_MR_AUTO, NULL);
	receive(&s, CAIRN_WC_STATUS_SUCCESS);
	wr = send_inv(&s, far->mr->key, 10);
	rdma_do(s.a, &wr);
	s.far = far;
	refused_at(&s, s.a, far->mr->key, 0, CAIRN_COUNTER_MR_BAD_KEY);
	end(&s);
}

static void bad_registration(void **state)
{
	struct scene s = scene(0);
	struct rdma_buf *far = region(s.r, 1, RDMA_ALL_ACCESS, CAIRN_MR_BY_WORK_REQUEST, NULL);
	struct rdma_wr wr;

	(void)state;
	wr = rdma_reg(far, 1, SIZE + 1, RDMA_ALL_ACCESS); /* a page more than there is room for */
	REFUSED(7, KEY_BOUNDS);
	wr = rdma_reg(far, 1, 0, RDMA_ALL_ACCESS);
	REFUSED(7, KEY_BOUNDS);
	wr = rdma_reg(far, 1, SIZE, CAIRN_ACCESS_REMOTE_WRITE);
	REFUSED(7, KEY_RIGHTS);
	wr = rdma_reg(far, 1, SIZE, RDMA_ALL_ACCESS);
	wr.local.page_list += 8;
	REFUSED(7, KEY_BOUNDS);
	wr = rdma_reg(far, 1, SIZE, RDMA_ALL_ACCESS);
	wr.local.access ^= 1u << 24; /* 8 KiB pages */
	REFUSED(7, KEY_BOUNDS);
	wr = rdma_reg(s.far, 1, SIZE, RDMA_ALL_ACCESS); /* an ordinary region */
	REFUSED(7, KEY_STATE);
	reg(&s, s.b, far, 9, RDMA_ALL_ACCESS);
	wr = rdma_reg(far, 10, SIZE, RDMA_ALL_ACCESS); /* valid already */
	REFUSED(7, KEY_STATE);
	wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.local, 0, far, 0, 8000);
	rdma_do(s.a, &wr);
	end(&s);
}

/* A region with windows goes neither by LOCAL_INV, nor by the peer, nor by command. */
static void busy(void **state)
{
	struct scene s = scene(2);
	struct rdma_buf *far = region(s.r, 1, RDMA_ALL_ACCESS, CAIRN_MR_BY_WORK_REQUEST, NULL);
	struct rdma_buf *plain = s.far;
	struct rdma_wr wr;

	(void)state;
	bind(&s, FROM, SHOWN, WINDOW);
	rdma_assert(s.r, cairn_dereg_mr(s.far->mr) == -EBUSY);
	wr = rdma_inv(s.mw->key);
	rdma_do(s.b, &wr);
	s.far = far;
	reg(&s, s.b, far, 3, RDMA_ALL_ACCESS | CAIRN_ACCESS_MW_BIND);
	bind(&s, FROM, SHOWN, WINDOW);
	rdma_assert(s.r, cairn_dereg_mr(far->mr) == -EBUSY);
	s.far = plain; /* what the others use */
	fails(&s, rdma_inv(far->mr->key), CAIRN_WC_STATUS_LOC_QP_OP_ERR, CAIRN_VENDOR_ERR_KEY_BUSY);
	receive(&s, CAIRN_WC_STATUS_REM_INV_REQ_ERR);
	wr = send_inv(&s, far->mr->key, 10);
	refused(&s, s.a, &wr, CAIRN_COUNTER_MR_BAD_RIGHTS);
	rdma_buf_forget(plain, 12288, 4096);
	wr = rdma_inv(s.mw->key); /* of another QP now, but of the PD */
	rdma_do(s.b, &wr);
	wr = rdma_inv(far->mr->key);
	rdma_do(s.b, &wr);
	end(&s);
}

/* ---------------------------------------------------------------- order, and exactly once */

/*
 * Everything in one doorbell: register, bind, tell the peer, and after it has answered invalidate
 * behind a fence.
 */
static void in_one_go(void **state)
{
	struct scene s = scene(2);
	struct rdma_buf *far = region(s.r, 1, RDMA_ALL_ACCESS, CAIRN_MR_BY_WORK_REQUEST, NULL);
	struct rdma_wr wr;

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		uint64_t done = rdma_counter(s.r, 1, CAIRN_COUNTER_LOCAL_OPS);

		if (i & 1)
			rdma_rule(s.r, "drop nic1>nic0 type=roce k=%u", 1 + i / 2);
		if (i & 2)
			rdma_rule(s.r, "drop nic0>nic1 type=roce k=%u", 1 + i / 2);
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.far, 5000, s.local, 5000, 3000);
		rdma_post(s.b, &wr); /* that may be lost: a go-back passes over the rest */
		wr = rdma_reg(far, (uint8_t)i, SIZE, RDMA_ALL_ACCESS | CAIRN_ACCESS_MW_BIND);
		wr.unsignaled = true;
		rdma_post(s.b, &wr);
		far->mr->key = wr.imm;
		wr = rdma_bind(s.mw, (uint8_t)(i + 100), far, FROM, SHOWN, WINDOW);
		s.mw->key = wr.imm;
		rdma_post(s.b, &wr);
		wr = rdma_wr(CAIRN_WQE_OP_READ, far, 9000, s.local, 0, 4000);
		rdma_post(s.b, &wr);
		wr = rdma_inv(s.mw->key);
		wr.fence = true; /* the READ's data is there */
		rdma_post(s.b, &wr);
		wr = rdma_inv(far->mr->key);
		rdma_post(s.b, &wr);
		rdma_ring(s.b);
		rdma_wait(s.r);
		rdma_clear_rules(s.r);
		if (rdma_counter(s.r, 1, CAIRN_COUNTER_LOCAL_OPS) != done + 4)
			rdma_fail(s.r, "round %u: four local operations, %u done", i,
				  (unsigned int)(rdma_counter(s.r, 1, CAIRN_COUNTER_LOCAL_OPS) -
						 done));
	}
	end(&s);
}

/* A SEND with invalidate whose answer is lost arrives twice: the key is not looked for again. */
static void duplicate_send_inv(void **state)
{
	struct scene s = scene(2);
	struct rdma_wr wr;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t seen = rdma_counter(s.r, 1, CAIRN_COUNTER_DUPLICATE_REQUEST);

		bind(&s, FROM, SHOWN, WINDOW);
		receive(&s, CAIRN_WC_STATUS_SUCCESS);
		rdma_rule(s.r,
			  i & 1 ? "drop nic1>nic0 type=roce k=1" : "dup:2 nic0>nic1 type=roce k=1");
		wr = send_inv(&s, s.mw->key, i & 2 ? 1 : 1000);
		rdma_do(s.a, &wr);
		rdma_settle(s.r, 10000);
		rdma_assert(s.r, sim_wire_rule_hits(sim_wire(s.r->sim), 0) >= 1);
		rdma_clear_rules(s.r);
		rdma_assert(s.r, rdma_counter(s.r, 1, CAIRN_COUNTER_DUPLICATE_REQUEST) > seen);
	}
	end(&s);
}

/* ---------------------------------------------------------------- nothing behind the completion */

#define LARGE 65536u
#define NEW 0xee /* what its owner writes when the key is gone */

static struct sim_pcie_cfg pcie[2]; /* of each test its own: NICs of the same one are used again */

/* A scene with a region of LARGE bytes that its owner's second QP, `c`, registers and
 * invalidates. */
struct owner {
	struct rdma *r;
	struct rdma_qp *a, *c;
	struct rdma_cq *cq; /* of c */
	struct rdma_buf *local, *far;
};

static struct owner owner(unsigned int test, unsigned int up_rate)
{
	struct rdma_cfg cfg = { .pcie = &pcie[test] };
	struct rdma_buf_cfg buf = { .len = LARGE,
				    .access = RDMA_ALL_ACCESS,
				    .kind = CAIRN_MR_BY_WORK_REQUEST };
	const char *width = getenv("WIDTH");
	unsigned int data_w = width && *width ? (unsigned int)atoi(width) : 64;
	struct rdma_qp_cfg qp;
	struct owner o;

	sim_pcie_cfg_default(&pcie[test], data_w, data_w >= 256 ? 4 : 8);
	if (up_rate) {
		pcie[test].up_rate = up_rate;
		cfg.pcap = ""; /* frames are lost for want of room, which it does not show */
	}
	o.r = rdma_begin(&cfg);
	o.a = pair(o.r);
	o.cq = rdma_create_cq(o.r, 1, 64);
	rdma_qp_cfg_init(&qp);
	qp.send_cq = o.cq;
	o.c = rdma_create_qp(o.r, 1, &qp);
	qp.send_cq = NULL;
	rdma_connect(o.c, rdma_create_qp(o.r, 0, &qp));
	o.far = rdma_buf_with(o.r, 1, &buf);
	buf.kind = CAIRN_MR_AUTO;
	o.local = rdma_buf_with(o.r, 0, &buf);
	rdma_ledger_drop(o.c); /* its completions are looked at here */
	return o;
}

/* Post on c; its completion is there when this returns, unless `wait` is false. */
static void by_owner(struct owner *o, const struct rdma_wr *wr, bool wait)
{
	rdma_post(o->c, wr);
	rdma_ring(o->c);
	rdma_ledger_drop(o->c);
	if (!wait)
		return;
	rdma_assert(o->r, rdma_raw_cqe(o->cq));
	cairn_cq_consume(o->cq->cq);
}

static void valid(struct owner *o)
{
	struct rdma_wr wr =
		rdma_reg(o->far, (uint8_t)(o->far->mr->key + 1), LARGE, RDMA_ALL_ACCESS);

	by_owner(o, &wr, true);
	o->far->mr->key = wr.imm;
}

/* The key is gone: the memory is its owner's, who puts something else there at once. */
static void gone(struct owner *o)
{
	rdma_assert(o->r, rdma_raw_cqe(o->cq));
	cairn_cq_consume(o->cq->cq);
	memset(o->far->data, NEW, LARGE);
}

/* None of the owner's bytes there, all of them here. */
static void untouched(struct owner *o)
{
	static uint8_t all[64];

	memset(all, NEW, sizeof(all));
	for (size_t i = 0; i < LARGE; i += sizeof(all)) {
		if (memcmp(o->far->data + i, all, sizeof(all)))
			rdma_fail(o->r, "written at %zu after the key was gone", i);
		if (!memcmp(o->local->data + i, all, sizeof(all)))
			rdma_fail(o->r, "read at %zu after the key was gone", i);
	}
	rdma_buf_forget(o->far, 0, LARGE);
	rdma_buf_forget(o->local, 0, LARGE);
}

static void stop_wire(struct rdma *r, unsigned int nic, uint64_t ns)
{
	struct sim_nic *n = r->nic[nic].sim;

	n->mac.line.ns = sim_now(r->sim) + ns;
}

/*
 * Responses to a READ stand in front of a wire that does not move: those whose addresses were known
 * are read before the key counts as gone, the others are refused.
 */
static void gone_behind_reads(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct owner o = owner(0, 0);
		struct rdma_wr wr;

		valid(&o);
		stop_wire(o.r, 1, 120000);
		wr = rdma_wr(CAIRN_WQE_OP_READ, o.local, 0, o.far, 0, LARGE);
		wr.expect = CAIRN_WC_STATUS_REM_ACCESS_ERR;
		wr.no_data = true;
		rdma_post(o.a, &wr);
		rdma_ring(o.a);
		rdma_run(o.r, 4000 + 1000 * i);
		wr = rdma_inv(o.far->mr->key);
		by_owner(&o, &wr, false);
		gone(&o);
		rdma_wait(o.r);
		untouched(&o);
		rdma_end(o.r);
	}
}

/* WRITEs that have been let in stand in front of a PCIe link that is slow. */
static void gone_behind_writes(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct owner o = owner(1, 100);
		struct rdma_wr wr;

		valid(&o);
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, o.local, 0, o.far, 0, LARGE);
		wr.expect = CAIRN_WC_STATUS_REM_ACCESS_ERR;
		wr.no_data = true;
		rdma_post(o.a, &wr);
		rdma_ring(o.a);
		rdma_run(o.r, 9000 + 1500 * i);
		wr = rdma_inv(o.far->mr->key);
		by_owner(&o, &wr, false);
		gone(&o);
		rdma_wait(o.r);
		rdma_run(o.r, 100000);
		untouched(&o);
		rdma_end(o.r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(bad_local_inv),    RDMA_TEST(invalidated_by_peer),
		RDMA_TEST(bad_send_inv),     RDMA_TEST(fast_registration),
		RDMA_TEST(bad_registration), RDMA_TEST(busy),
		RDMA_TEST(in_one_go),	     RDMA_TEST(duplicate_send_inv),
		RDMA_TEST(gone_behind_reads), RDMA_TEST(gone_behind_writes),
	};

	return RDMA_RUN("invalidate", tests);
}
