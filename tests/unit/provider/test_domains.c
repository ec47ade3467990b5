// SPDX-License-Identifier: Apache-2.0
/*
 * Verbs that need no device: thread domains, parent domains and what is made with them, and regions
 * that change.  A change is whole or has not been: what the region was stays to the last moment.
 */
#include <stdlib.h>
#include <unistd.h>

#include "provider_test.h"

#define REFUSED(call, err)                    \
	do {                                  \
		errno = 0;                    \
		assert_null(call);            \
		assert_int_equal(errno, err); \
	} while (0)

/* ---------------------------------------------------------------- domains */

static struct ibv_pd *new_parent(struct bench *b, struct ibv_td *td)
{
	struct ibv_parent_domain_init_attr attr = { .pd = b->pd, .td = td };

	return ibv_alloc_parent_domain(b->ctx, &attr);
}

static void thread_domains(void **state)
{
	struct bench *b = *state;
	struct ibv_td_init_attr attr = { 0 };
	struct ibv_td *td = ibv_alloc_td(b->ctx, &attr), *other;
	struct ibv_pd *parent;

	assert_non_null(td);
	assert_ptr_equal(td->context, b->ctx);
	other = ibv_alloc_td(b->ctx, &attr);
	parent = new_parent(b, td);
	assert_non_null(parent);
	assert_int_equal(ibv_dealloc_td(other), 0);
	assert_int_equal(ibv_dealloc_td(td), EBUSY);
	assert_int_equal(ibv_dealloc_pd(parent), 0);
	assert_int_equal(ibv_dealloc_td(td), 0);
	attr.comp_mask = 1;
	REFUSED(ibv_alloc_td(b->ctx, &attr), EINVAL);
}

static void *no_memory(struct ibv_pd *pd, void *context, size_t size, size_t align, uint64_t type)
{
	(void)pd;
	(void)context;
	(void)size;
	(void)align;
	(void)type;
	return NULL;
}

static void refused_parents(void **state)
{
	struct bench *b = *state;
	struct ibv_context *second = bench_context();
	struct ibv_pd *foreign = ibv_alloc_pd(second), *parent = new_parent(b, NULL);
	struct ibv_parent_domain_init_attr attr = { 0 };
	struct ibv_td *td = ibv_alloc_td(second, &(struct ibv_td_init_attr){ 0 });

	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EINVAL);
	attr.pd = foreign;
	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EINVAL);
	attr.pd = parent; /* of a parent domain there is none */
	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EINVAL);
	attr.pd = b->pd;
	attr.td = td;
	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EINVAL);
	attr.td = NULL;
	attr.comp_mask = 1u << 30;
	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EINVAL);
	attr.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS;
	attr.alloc = no_memory;
	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EOPNOTSUPP);
	attr.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
	REFUSED(ibv_alloc_parent_domain(b->ctx, &attr), EOPNOTSUPP);
	assert_int_equal(ibv_dealloc_pd(parent), 0);
	assert_int_equal(ibv_dealloc_td(td), 0);
	assert_int_equal(ibv_dealloc_pd(foreign), 0);
	assert_int_equal(ibv_close_device(second), 0);
}

static uint8_t memory[3 * 4096];

/* One of each kind with a parent domain; each keeps it, and it keeps its PD. */
static void made_with_a_parent(void **state)
{
	struct bench *b = *state, with = *b;
	struct ibv_td *td = ibv_alloc_td(b->ctx, &(struct ibv_td_init_attr){ 0 });
	struct ibv_cq_init_attr_ex cq_attr = { .cqe = 10, .comp_mask = IBV_CQ_INIT_ATTR_MASK_PD };
	struct ibv_ah_attr address = { .is_global = 1,
				       .port_num = PORT,
				       .grh = { .dgid = { .raw = { 0xfe, 0x80, [15] = 9 } } } };
	struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_sge sge = { (uintptr_t)memory, 64, 0 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND }, *bad;
	struct ibv_cq_ex *cq;
	struct ibv_srq *srq;
	struct ibv_ah *ah;
	struct ibv_mw *mw;
	struct ibv_mr *mr;
	struct ibv_wc wc;

	with.pd = new_parent(b, td);
	assert_ptr_equal(with.pd->context, b->ctx);
	mr = ibv_reg_mr(with.pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
	assert_ptr_equal(mr->pd, with.pd);
	mw = ibv_alloc_mw(with.pd, IBV_MW_TYPE_2);
	ah = ibv_create_ah(with.pd, &address);
	srq = ibv_create_srq(with.pd, &srq_attr);
	with.qp = bench_qp(&with, NULL);
	cq_attr.parent_domain = with.pd;
	cq = ibv_create_cq_ex(b->ctx, &cq_attr);
	assert_true(mw && ah && srq && with.qp && cq);
	assert_ptr_equal(with.qp->ibv.pd, with.pd);
	/* it works as with the PD */
	sge.lkey = mr->lkey;
	assert_int_equal(ibv_post_send(&with.qp->ibv, &wr, &bad), 0);
	bench_send_cqe(b, with.qp, 0, 0);
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
	assert_int_equal(wc.qp_num, with.qp->ibv.qp_num);
	/* in use until the last */
	assert_int_equal(ibv_dealloc_pd(with.pd), EBUSY);
	assert_int_equal(ibv_destroy_qp(&with.qp->ibv), 0);
	assert_int_equal(ibv_destroy_srq(srq), 0);
	assert_int_equal(ibv_destroy_ah(ah), 0);
	assert_int_equal(ibv_dealloc_mw(mw), 0);
	assert_int_equal(ibv_dereg_mr(mr), 0);
	assert_int_equal(ibv_dealloc_pd(with.pd), EBUSY);
	assert_int_equal(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);
	assert_int_equal(ibv_dealloc_pd(b->pd), EBUSY);
	assert_int_equal(ibv_dealloc_pd(with.pd), 0);
	assert_int_equal(ibv_dealloc_td(td), 0);
	/* a CQ's domain is a parent domain, of this context */
	cq_attr.parent_domain = b->pd;
	REFUSED(ibv_create_cq_ex(b->ctx, &cq_attr), EINVAL);
	cq_attr.parent_domain = NULL;
	REFUSED(ibv_create_cq_ex(b->ctx, &cq_attr), EINVAL);
}

/* Of a thread domain's QP the locks are not taken: posts go on although somebody holds them. */
static void posts_take_no_lock(void **state)
{
	struct bench *b = *state, with = *b;
	struct ibv_td *td = ibv_alloc_td(b->ctx, &(struct ibv_td_init_attr){ 0 });
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND }, *bad;
	struct ibv_recv_wr recv = { 0 }, *bad_recv;
	struct ibv_wc wc;

	with.pd = new_parent(b, td);
	with.qp = bench_qp(&with, NULL);
	pthread_mutex_lock(&with.qp->sq_lock);
	pthread_mutex_lock(&with.qp->rq_lock);
	alarm(20);
	for (uint32_t i = 0; i < 40; i++) { /* the rings go round */
		assert_int_equal(ibv_post_send(&with.qp->ibv, &wr, &bad), 0);
		assert_int_equal(ibv_post_recv(&with.qp->ibv, &recv, &bad_recv),
				 i < 16 ? 0 : ENOMEM);
		bench_send_cqe(b, with.qp, i, 0);
		assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
	}
	ibv_wr_start(&with.qp->ex);
	ibv_wr_send(&with.qp->ex);
	ibv_wr_set_sge_list(&with.qp->ex, 0, NULL);
	assert_int_equal(ibv_wr_complete(&with.qp->ex), 0);
	assert_int_equal(ibv_modify_qp(&with.qp->ibv, &(struct ibv_qp_attr){ 0 }, IBV_QP_STATE), 0);
	alarm(0);
	pthread_mutex_unlock(&with.qp->rq_lock);
	pthread_mutex_unlock(&with.qp->sq_lock);
	assert_int_equal(ibv_destroy_qp(&with.qp->ibv), 0);
	assert_int_equal(ibv_dealloc_pd(with.pd), 0);
	/* without a thread domain they are */
	with.pd = new_parent(b, NULL);
	with.qp = bench_qp(&with, NULL);
	assert_false(with.qp->single || b->qp->single);
	assert_int_equal(ibv_destroy_qp(&with.qp->ibv), 0);
	assert_int_equal(ibv_dealloc_pd(with.pd), 0);
	assert_int_equal(ibv_dealloc_td(td), 0);
}

/* What the program left goes with the context. */
static void left_behind(void **state)
{
	struct bench left = { .ctx = bench_context() };
	struct ibv_td *td = ibv_alloc_td(left.ctx, &(struct ibv_td_init_attr){ 0 });
	struct ibv_pd *parent;

	(void)state;
	left.pd = ibv_alloc_pd(left.ctx);
	parent = new_parent(&left, td);
	assert_non_null(ibv_reg_mr(parent, memory, 100, 0));
	assert_non_null(new_parent(&left, NULL));
	assert_int_equal(ibv_close_device(left.ctx), 0);
}

/* ---------------------------------------------------------------- regions that change */

struct region {
	struct ibv_pd *pd;
	void *addr;
	size_t length;
	uint32_t lkey, rkey;
	uint64_t iova, access;
};

static struct region seen(const struct ibv_mr *mr)
{
	const struct cairn_mr *hw = ((const struct mr *)mr)->hw;

	assert_int_equal(mr->lkey, hw->key);
	return (struct region){
		mr->pd, mr->addr, mr->length, mr->lkey, mr->rkey, hw->va, hw->access
	};
}

#define ALL IBV_REREG_MR_FLAGS_SUPPORTED

/* Each set of flags changes what it names, and nothing else. */
static void every_change(void **state)
{
	struct bench *b = *state;
	struct ibv_pd *other = ibv_alloc_pd(b->ctx);

	for (int flags = 1; flags <= ALL; flags++) {
		struct ibv_mr *mr = ibv_reg_mr(b->pd, memory + 8, 5000, IBV_ACCESS_LOCAL_WRITE);
		struct region before = seen(mr), after;
		bool moves = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
		bool turns = flags & IBV_REREG_MR_CHANGE_ACCESS;
		int got = ibv_rereg_mr(mr, flags, flags & IBV_REREG_MR_CHANGE_PD ? other : NULL,
				       memory + 4096, 300, turns ? IBV_ACCESS_REMOTE_READ : 0);

		assert_int_equal(got, 0);
		after = seen(mr);
		assert_int_equal(after.lkey, before.lkey);
		assert_int_equal(after.rkey, before.rkey);
		assert_ptr_equal(after.pd, flags & IBV_REREG_MR_CHANGE_PD ? other : before.pd);
		assert_ptr_equal(after.addr, moves ? memory + 4096 : before.addr);
		assert_int_equal(after.length, moves ? 300 : before.length);
		assert_int_equal(after.iova, (uintptr_t)after.addr);
		assert_int_equal(after.access & IBV_ACCESS_LOCAL_WRITE,
				 turns ? 0 : IBV_ACCESS_LOCAL_WRITE);
		assert_int_equal(after.access & IBV_ACCESS_REMOTE_READ,
				 turns ? IBV_ACCESS_REMOTE_READ : 0);
		assert_int_equal(ibv_dereg_mr(mr), 0);
	}
	assert_int_equal(ibv_dealloc_pd(other), 0); /* its regions are gone */
}

/* Where a region begins for the device stays, if the memory does. */
static void iova_stays(void **state)
{
	struct bench *b = *state;
	struct ibv_mr *mr = ibv_reg_mr_iova(b->pd, memory, 4096, 0x70000000, 0);

	assert_int_equal(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
				      IBV_ACCESS_LOCAL_WRITE),
			 0);
	assert_int_equal(seen(mr).iova, 0x70000000);
	assert_int_equal(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory, 4096, 0),
			 0);
	assert_int_equal(seen(mr).iova, (uintptr_t)memory);
	assert_int_equal(ibv_dereg_mr(mr), 0);
}

static void refused_change(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t len,
			   int access, int err)
{
	struct region before = seen(mr), after;

	errno = 0;
	assert_int_equal(ibv_rereg_mr(mr, flags, pd, addr, len, access), IBV_REREG_MR_ERR_INPUT);
	assert_int_equal(errno, err);
	after = seen(mr);
	assert_memory_equal(&before, &after, sizeof(before));
}

/* The old region stays as it was, to the last bit. */
static void refused_changes(void **state)
{
	struct bench *b = *state;
	struct ibv_context *second = bench_context();
	struct ibv_pd *foreign = ibv_alloc_pd(second);
	struct ibv_mr *mr = ibv_reg_mr(b->pd, memory, 4096, IBV_ACCESS_LOCAL_WRITE);

	refused_change(mr, 0, b->pd, memory, 100, 0, EINVAL);
	refused_change(mr, ALL + 1, b->pd, memory, 100, 0, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, NULL, 100, 0, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory, 0, 0, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory, SIZE_MAX, 0, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory, 100, 1, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_PD, NULL, NULL, 0, 0, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_PD, foreign, NULL, 0, 0, EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_REMOTE_WRITE,
		       EINVAL);
	refused_change(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, IBV_ACCESS_ON_DEMAND,
		       EOPNOTSUPP);
	/* what the device lacks room for; the n-th command of the change fails, for each n */
	for (uint32_t n = 0;; n++) {
		int got;

		fakes[0].fail_command = n;
		fakes[0].fail_status = CAIRN_CMD_STATUS_NO_RESOURCE;
		got = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory + 100, 50, 0);
		if (fakes[0].fail_command != FAKE_NEVER && !got)
			break;
		assert_true(n < 20 &&
			    (got == IBV_REREG_MR_ERR_INPUT || got == IBV_REREG_MR_ERR_CMD));
		fakes[0].fail_command = FAKE_NEVER;
		seen(mr);
	}
	fakes[0].fail_command = FAKE_NEVER;
	assert_int_equal(ibv_dereg_mr(mr), 0);
	assert_int_equal(ibv_dealloc_pd(foreign), 0);
	assert_int_equal(ibv_close_device(second), 0);
}

/* The library's list of what children copy, as it may fail; the linker sends its look-up here. */
static const char *failing;

static int fails(void *addr, size_t length)
{
	(void)addr;
	(void)length;
	errno = EAGAIN;
	return -1;
}

void *__real_real_symbol(const char *name);
void *__wrap_real_symbol(const char *name);
void *__wrap_real_symbol(const char *name)
{
	return failing && !strcmp(name, failing) ? (void *)(uintptr_t)fails
						 : __real_real_symbol(name);
}

/* Which region is valid then is in the answer. */
static void with_fork_support(void **state)
{
	struct bench *b = *state;
	struct ibv_mr *mr;

	assert_int_equal(ibv_fork_init(), 0);
	mr = ibv_reg_mr(b->pd, memory, 4096, IBV_ACCESS_LOCAL_WRITE);
	assert_int_equal(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0), 0);
	failing = "ibv_dontfork_range";
	assert_int_equal(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory + 4096, 100,
				      0),
			 IBV_REREG_MR_ERR_DONT_FORK_NEW);
	assert_ptr_equal(seen(mr).addr, memory);
	failing = "ibv_dofork_range";
	assert_int_equal(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory + 8192, 100,
				      0),
			 IBV_REREG_MR_ERR_DO_FORK_OLD);
	assert_int_equal(errno, EAGAIN);
	assert_ptr_equal(seen(mr).addr, memory + 8192); /* the new one */
	failing = NULL;
	assert_int_equal(ibv_dereg_mr(mr), 0);
}

/* The device goes in the middle, at each step: the region is not to be used any more,
 * and says so. */
static void lost_in_a_change(void **state)
{
	struct bench *b = *state;
	unsigned int commands = 0;

	for (uint32_t n = 0; n < 100; n++) {
		struct ibv_mr *mr = ibv_reg_mr(b->pd, memory, 4096, 0);
		int got;

		fakes[0].die_at = n;
		failing = "ibv_dofork_range";
		got = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, memory + 100, 50, 0);
		failing = NULL;
		if (fakes[0].die_at != FAKE_NEVER) { /* it was too late */
			fakes[0].die_at = FAKE_NEVER;
			assert_int_equal(got, IBV_REREG_MR_ERR_DO_FORK_OLD);
			assert_int_equal(ibv_dereg_mr(mr), 0);
			break;
		}
		if (got == IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW) {
			assert_int_equal(errno, ENOTRECOVERABLE);
			commands++;
		}
		ibv_dereg_mr(mr);
		assert_int_equal(bench_teardown(state), 0);
		assert_int_equal(bench_setup(state), 0);
		b = *state;
	}
	assert_true(commands);
	/* the same, and the fork support does its part */
	for (uint32_t n = 0; n < 100; n++) {
		struct ibv_mr *mr = ibv_reg_mr(b->pd, memory, 4096, 0);
		int got;

		fakes[0].die_at = n;
		got = ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0);
		fakes[0].die_at = FAKE_NEVER;
		ibv_dereg_mr(mr);
		assert_int_equal(bench_teardown(state), 0);
		assert_int_equal(bench_setup(state), 0);
		b = *state;
		if (got == IBV_REREG_MR_ERR_CMD)
			return;
	}
	fail_msg("never IBV_REREG_MR_ERR_CMD");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(with_fork_support), /* before any region: the library insists */
		BENCH_TEST(thread_domains),	BENCH_TEST(refused_parents),
		BENCH_TEST(made_with_a_parent), BENCH_TEST(posts_take_no_lock),
		BENCH_TEST(left_behind),	BENCH_TEST(every_change),
		BENCH_TEST(iova_stays),		BENCH_TEST(refused_changes),
		BENCH_TEST(lost_in_a_change),
	};

	return cmocka_run_group_tests_name("domains", tests, NULL, NULL);
}
