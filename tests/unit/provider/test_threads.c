// SPDX-License-Identifier: Apache-2.0
/*
 * Many threads on the same objects, with ThreadSanitizer: posts by both APIs to one QP, shared
 * receives, polls of the same CQ, a program that posts while it polls, events, QPs that are made,
 * reset and destroyed beside all that, a CQ that changes its size.  Every request must complete
 * exactly once, in the order of its thread, and its latency is counted meanwhile.
 *
 * The device is one more thread; it takes a queue's lock where the hardware relies on a doorbell.
 */
#include <sched.h>
#include <unistd.h>

#include "alias_bus.h"
#define BENCH_ADDR ALIAS_FUNCTION /* latencies are counted */
#include "provider_test.h"
#include "queue.h"

#define POSTERS 3u /* the last one by ibv_wr_*() */
#define PER_POSTER 1200u
#define SHARED 1500u
#define CQ_SIZE 100 /* at the least */

/* Words that the device writes and the driver reads are volatile, not atomic. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
	return "race_top:^cairn_read_once$\nrace_top:^take_all$\nrace_top:^deliver$\n"
	       "race_top:^eq_written$\nrace_top:^event_locked$\nrace_top:^complete$\n"
	       "race_top:^take_completions$\n";
}

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;
static struct cq *cqs[2]; /* [0] polled by ibv_poll_cq(), with events; [1] extended */
static struct qp *sender, *receiver;
static struct srq *srq;
static atomic_bool stop;
static atomic_uint sent, received, events, failures, next_shared;

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "# %s; last error of this thread: %s\n", what, cairn_last_error());
	atomic_fetch_add(&failures, 1);
}

/* ---------------------------------------------------------------- the device */

/*
 * QPs that are gone leave entries behind until they are polled: while pollers do not get on, there
 * may be as many as the smallest ring holds, and no more.
 */
static void write_cqe(struct cq *cq, struct cairn_cqe cqe)
{
	struct fake_cq *fake = &fakes[0].cqs[cq->hw->cqn];
	struct cairn_cq *hw = cq->hw;

	pthread_mutex_lock(&cq->lock);
	while (fake->pi - hw->ci >= CQ_SIZE && !atomic_load(&stop)) {
		pthread_mutex_unlock(&cq->lock);
		sched_yield();
		pthread_mutex_lock(&cq->lock);
	}
	pthread_mutex_lock(&fakes[0].lock); /* commands look at the index */
	cqe.timestamp = fakes[0].now += 100000; /* often enough to compare the clocks */
	cqe.status = fake->pi >> hw->log2 & 1 ? 0 : CAIRN_CQE_STATUS_PHASE;
	hw->ring[fake->pi++ & ((1u << hw->log2) - 1)] = cqe;
	pthread_mutex_unlock(&fakes[0].lock);
	pthread_mutex_unlock(&cq->lock);
}

/* Next block of the send queue with a request, or false. */
static bool next_request(struct qp *qp, uint32_t *at, uint32_t *index)
{
	bool there;

	pthread_mutex_lock(&qp->sq_lock);
	there = *at != qp->hw->sq_pi;
	if (there) {
		*index = *at;
		*at += CAIRN_GET(cairn_sq_block(qp->hw, *at)->ctrl, CAIRN_WQE_CTRL_BLOCKS);
	}
	pthread_mutex_unlock(&qp->sq_lock);
	return there;
}

static bool next_slot(uint32_t *taken, uint32_t *slot)
{
	bool there;

	pthread_mutex_lock(&srq->lock);
	there = *taken != srq->hw->pi;
	if (there)
		*slot = srq->hw->ring[(*taken)++ & ((1u << srq->hw->log2) - 1)];
	pthread_mutex_unlock(&srq->lock);
	return there;
}

static void *device(void *arg)
{
	uint32_t at = 0, taken = 0, index = 0, count = 0;

	(void)arg;
	while (!atomic_load(&stop)) {
		if (next_request(sender, &at, &index)) {
			write_cqe(cqs[0], (struct cairn_cqe){ .qpn_op = sender->ibv.qp_num,
							      .wqe = (index & 0xffff) |
								     CAIRN_CQE_WQE_IS_SQ });
			if (++count % 64 == 0)
				fake_event(&fakes[0], cqs[0]->hw->vector + 1, CAIRN_EQE_TYPE_CQ,
					   cqs[0]->hw->cqn, 0);
		}
		if (next_slot(&taken, &index))
			write_cqe(cqs[1],
				  (struct cairn_cqe){ .qpn_op = receiver->ibv.qp_num |
								(uint32_t)CAIRN_CQE_OP_RECV << 24,
						      .wqe = index | CAIRN_CQE_WQE_SRQ });
		sched_yield();
	}
	return NULL;
}

/* ---------------------------------------------------------------- the program */

static int post_by_ex(uint64_t wr_id)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(&sender->ibv);

	ibv_wr_start(ex);
	ex->wr_id = wr_id;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_rdma_write(ex, 1, 2);
	ibv_wr_set_sge(ex, 3, 4, 5);
	return ibv_wr_complete(ex);
}

static void *poster(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	struct ibv_sge sge[6] = { { 0, 1, 1 } };

	for (uint64_t i = 0; i < PER_POSTER; i++) {
		struct ibv_send_wr wr = { .wr_id = me << 32 | i,
					  .sg_list = sge,
					  .num_sge = (int)(i % 7),
					  .send_flags = IBV_SEND_SIGNALED };
		struct ibv_send_wr *bad;
		int err;

		do {
			err = me == POSTERS - 1 ? post_by_ex(wr.wr_id)
						: ibv_post_send(&sender->ibv, &wr, &bad);
			if (err)
				sched_yield();
		} while (err == ENOMEM);
		check(!err, "post failed");
	}
	return NULL;
}

/* Several threads poll the CQ: what one call brings is in order, and the whole is complete. */
static void *poller(void *arg)
{
	uint64_t seen[POSTERS] = { 0 };
	struct ibv_wc wc[8];

	(void)arg;
	while (!atomic_load(&stop)) {
		int n = ibv_poll_cq(&cqs[0]->ibv, 8, wc);

		for (int i = 0; i < n; i++) {
			uint32_t who = (uint32_t)(wc[i].wr_id >> 32);
			uint64_t which = (uint32_t)wc[i].wr_id + 1;

			if (wc[i].qp_num != sender->ibv.qp_num)
				continue;
			check(who < POSTERS && which > seen[who], "completion twice or late");
			seen[who < POSTERS ? who : 0] = which;
			atomic_fetch_add(&sent, 1);
		}
		check(!ibv_req_notify_cq(&cqs[0]->ibv, 0), "notify");
	}
	return NULL;
}

static int post_shared(uint64_t wr_id)
{
	struct ibv_recv_wr wr = { .wr_id = wr_id }, *bad;

	return ibv_post_srq_recv(&srq->ibv, &wr, &bad);
}

/* The next receive of all threads, once; true: it is posted, and *mine the one after. */
static bool post_next(uint64_t *mine)
{
	int err;

	if (*mine >= SHARED)
		return false;
	err = post_shared(*mine);
	check(!err || err == ENOMEM, "shared receive refused");
	if (err)
		return false;
	*mine = atomic_fetch_add(&next_shared, 1);
	return true;
}

static void *shared_poster(void *arg)
{
	uint64_t mine = atomic_fetch_add(&next_shared, 1);

	(void)arg;
	while (!atomic_load(&stop))
		if (!post_next(&mine))
			sched_yield();
	return NULL;
}

/* Posts while it polls, and asks for events there, as programs do. */
static void *extended_poller(void *arg)
{
	uint64_t mine = atomic_fetch_add(&next_shared, 1);
	struct ibv_poll_cq_attr attr = { 0 };
	static uint8_t seen[SHARED];

	(void)arg;
	while (!atomic_load(&stop)) {
		if (ibv_start_poll(&cqs[1]->ex, &attr)) {
			post_next(&mine);
			continue;
		}
		do {
			uint64_t id = cqs[1]->ex.wr_id;

			check(id < SHARED && !seen[id]++, "shared receive twice");
			atomic_fetch_add(&received, 1);
			post_next(&mine);
		} while (!ibv_next_poll(&cqs[1]->ex));
		check(!ibv_req_notify_cq(&cqs[1]->ibv, 0), "notify while polling");
		ibv_end_poll(&cqs[1]->ex);
	}
	return NULL;
}

static void *listener(void *arg)
{
	struct ibv_cq *cq;
	void *user;

	(void)arg;
	for (;;) {
		check(!ibv_req_notify_cq(&cqs[0]->ibv, 0), "notify");
		if (ibv_get_cq_event(channel, &cq, &user))
			break;
		ibv_ack_cq_events(cq, 1);
		atomic_fetch_add(&events, 1);
		if (atomic_load(&stop))
			break;
	}
	return NULL;
}

static struct ibv_qp *make_qp(struct ibv_srq *shared)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = &cqs[0]->ibv,
		.recv_cq = &cqs[1]->ibv,
		.srq = shared,
		.cap = { 16, 4, 6, 1, 0 },
		.qp_type = IBV_QPT_RC,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pd,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(ctx, &init);

	if (qp && bench_to_rts(qp))
		return NULL;
	return qp;
}

/* QPs come and go in the same CQs. */
static void *churn(void *arg)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET }, attr;
	struct ibv_sge sge = { 0, 1, 1 };
	struct ibv_send_wr wr = { .wr_id = ~0ull, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_qp_init_attr init;
	static uint8_t area[4096];

	(void)arg;
	while (!atomic_load(&stop)) {
		struct ibv_qp *qp = make_qp(NULL);
		struct ibv_mr *mr = ibv_reg_mr(pd, area, sizeof(area), 0);

		check(qp && mr, "create");
		if (!qp || !mr)
			break;
		check(!ibv_post_send(qp, &wr, &bad), "post to a new QP");
		write_cqe(cqs[0],
			  (struct cairn_cqe){ .qpn_op = qp->qp_num, .wqe = CAIRN_CQE_WQE_IS_SQ });
		check(!ibv_query_qp(&sender->ibv, &attr, IBV_QP_STATE, &init), "query");
		check(!ibv_modify_qp(qp, &reset, IBV_QP_STATE), "reset");
		check(!bench_to_rts(qp), "again");
		check(!ibv_dereg_mr(mr), "dereg");
		check(!ibv_destroy_qp(qp), "destroy");
	}
	return NULL;
}

static void *resizer(void *arg)
{
	struct ibv_modify_cq_attr moderation = { .attr_mask = IBV_CQ_ATTR_MODERATE };
	struct ibv_srq_attr attr;

	(void)arg;
	for (int size = CQ_SIZE; !atomic_load(&stop); size = CQ_SIZE + 900 - size) {
		check(!ibv_resize_cq(&cqs[0]->ibv, size), "resize");
		check(!ibv_modify_cq(&cqs[0]->ibv, &moderation), "moderation");
		check(!ibv_query_srq(&srq->ibv, &attr), "query of the SRQ");
		sched_yield();
	}
	return NULL;
}

static void setup(void)
{
	struct ibv_cq_init_attr_ex init = { .cqe = CQ_SIZE, .wc_flags = IBV_WC_STANDARD_FLAGS };
	struct ibv_srq_init_attr shared = { .attr = { .max_wr = 16, .max_sge = 1 } };

	ctx = bench_context();
	pd = ibv_alloc_pd(ctx);
	channel = ibv_create_comp_channel(ctx);
	cqs[0] = (struct cq *)ibv_create_cq(ctx, CQ_SIZE, NULL, channel, 0);
	cqs[1] = (struct cq *)ibv_create_cq_ex(ctx, &init);
	srq = (struct srq *)ibv_create_srq(pd, &shared);
	sender = (struct qp *)make_qp(NULL);
	receiver = (struct qp *)make_qp(&srq->ibv);
	assert_non_null(sender);
	assert_non_null(receiver);
}

static uint64_t latencies(void)
{
	const struct lat_page *page = bench_nic()->lat.page;
	uint64_t n = page->head.early;

	for (unsigned int i = 0; i < page->head.used; i++)
		n += page->slot[i].count;
	return n;
}

static void all_at_once(void **state)
{
	/* The listener is the last: nobody polls the entry of the last event. */
	static void *(*const roles[])(void *) = { device, poller,  poller,	  extended_poller,
						  churn,  resizer, shared_poster, listener };
	pthread_t posters[POSTERS], others[sizeof(roles) / sizeof(roles[0])];
	const unsigned int n = sizeof(roles) / sizeof(roles[0]);

	(void)state;
	setup();
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(pthread_create(&others[i], NULL, roles[i], NULL), 0);
	for (uintptr_t i = 0; i < POSTERS; i++)
		assert_int_equal(pthread_create(&posters[i], NULL, poster, (void *)i), 0);
	for (unsigned int i = 0; i < POSTERS; i++)
		pthread_join(posters[i], NULL);
	while (!atomic_load(&failures) &&
	       (atomic_load(&sent) < POSTERS * PER_POSTER || atomic_load(&received) < SHARED))
		sched_yield();
	atomic_store(&stop, true);
	for (unsigned int i = 0; i < n - 1; i++)
		pthread_join(others[i], NULL);
	/* With a new entry, for an event that tells nothing new is dropped. */
	write_cqe(cqs[0], (struct cairn_cqe){ .qpn_op = sender->ibv.qp_num,
					      .wqe = CAIRN_CQE_WQE_IS_SQ });
	fake_event(&fakes[0], cqs[0]->hw->vector + 1, CAIRN_EQE_TYPE_CQ, cqs[0]->hw->cqn, 0);
	pthread_join(others[n - 1], NULL);
	assert_int_equal(atomic_load(&failures), 0);
	assert_int_equal(atomic_load(&sent), POSTERS * PER_POSTER);
	assert_int_equal(atomic_load(&received), SHARED);
	assert_true(atomic_load(&events) > 1);
	assert_true(latencies());
	assert_int_equal(ibv_destroy_qp(&sender->ibv) | ibv_destroy_qp(&receiver->ibv), 0);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), 0);
	assert_int_equal(ibv_destroy_cq(&cqs[0]->ibv) | ibv_destroy_cq(&cqs[1]->ibv), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
	assert_int_equal(ibv_close_device(ctx), 0);
}

/* A thread that polls holds the CQ for long and posts meanwhile; another one resets the QP: both
 * get on. */
static void *reset_it(void *arg)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	check(!ibv_modify_qp(arg, &reset, IBV_QP_STATE), "reset beside a poller");
	return NULL;
}

static void reset_while_polling(void **state)
{
	struct ibv_poll_cq_attr attr = { 0 };
	struct ibv_sge sge = { 0, 1, 1 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_recv_wr recv = { 0 }, *bad_recv;
	pthread_t thread;

	(void)state;
	setup();
	assert_int_equal(ibv_post_recv(&sender->ibv, &recv, &bad_recv), 0);
	write_cqe(cqs[1], (struct cairn_cqe){ .qpn_op = sender->ibv.qp_num |
							(uint32_t)CAIRN_CQE_OP_RECV << 24 });
	assert_int_equal(ibv_start_poll(&cqs[1]->ex, &attr), 0);
	assert_int_equal(pthread_create(&thread, NULL, reset_it, &sender->ibv), 0);
	while (ibv_post_send(&sender->ibv, &wr, &bad) != EINVAL) /* until it is in RESET */
		sched_yield();
	ibv_end_poll(&cqs[1]->ex);
	pthread_join(thread, NULL);
	assert_int_equal(sender->hw->sq_pi, 0);
	assert_int_equal(atomic_load(&failures), 0);
	assert_int_equal(ibv_destroy_qp(&sender->ibv) | ibv_destroy_qp(&receiver->ibv), 0);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), 0);
	assert_int_equal(ibv_destroy_cq(&cqs[0]->ibv) | ibv_destroy_cq(&cqs[1]->ibv), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
	assert_int_equal(ibv_dealloc_pd(pd) | ibv_close_device(ctx), 0);
}

/* Two threads iterate over a CQ each and end QPs of both, the same one too. */
static pthread_barrier_t both_iterate;
static struct qp *ended[3];

static void *iterate_and_end(void *arg)
{
	uintptr_t me = (uintptr_t)arg;
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
	struct ibv_poll_cq_attr attr = { 0 };

	check(!ibv_start_poll(&cqs[me]->ex, &attr), "start");
	pthread_barrier_wait(&both_iterate);
	check(!ibv_modify_qp(&ended[2]->ibv, &reset, IBV_QP_STATE), "reset of the QP of both");
	check(!ibv_destroy_qp(&ended[me]->ibv), "destroy");
	check(ibv_next_poll(&cqs[me]->ex) == ENOENT, "next");
	ibv_end_poll(&cqs[me]->ex);
	return NULL;
}

static void iterations_meet(void **state)
{
	struct ibv_cq_init_attr_ex init = { .cqe = CQ_SIZE, .wc_flags = IBV_WC_STANDARD_FLAGS };
	pthread_t threads[2];

	(void)state;
	ctx = bench_context();
	pd = ibv_alloc_pd(ctx);
	for (unsigned int i = 0; i < 2; i++)
		cqs[i] = (struct cq *)ibv_create_cq_ex(ctx, &init);
	for (unsigned int i = 0; i < 3; i++)
		ended[i] = (struct qp *)make_qp(NULL);
	for (unsigned int i = 0; i < 2; i++)
		write_cqe(cqs[i], (struct cairn_cqe){ .qpn_op = ended[2]->ibv.qp_num,
						      .wqe = CAIRN_CQE_WQE_IS_SQ });
	pthread_barrier_init(&both_iterate, NULL, 2);
	for (uintptr_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, iterate_and_end, (void *)i), 0);
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&both_iterate);
	assert_int_equal(atomic_load(&failures), 0);
	assert_int_equal(ibv_destroy_qp(&ended[2]->ibv), 0);
	assert_int_equal(ibv_destroy_cq(&cqs[0]->ibv) | ibv_destroy_cq(&cqs[1]->ibv), 0);
	assert_int_equal(ibv_dealloc_pd(pd) | ibv_close_device(ctx), 0);
}

static void *destroy_it(void *arg)
{
	check(!ibv_destroy_qp(arg), "destroy beside a poller");
	return NULL;
}

/* A QP that waits for a poller in the midst of its end still holds its CQs, its SRQ and its
 * number. */
static void destroy_while_polling(void **state)
{
	uint32_t qpn;
	pthread_t thread;

	(void)state;
	setup();
	assert_int_equal(ibv_destroy_qp(&sender->ibv), 0); /* the receiver is the last user */
	qpn = receiver->ibv.qp_num;
	pthread_mutex_lock(&cqs[0]->lock); /* as a poller does */
	assert_int_equal(pthread_create(&thread, NULL, destroy_it, &receiver->ibv), 0);
	for (int after = 0; after < 50; usleep(1000)) {
		struct cairn_qp_init same = { .type = CAIRN_QP_TYPE_RC,
					      .send_cq = cqs[0]->hw,
					      .recv_cq = cqs[0]->hw,
					      .qpn = qpn };
		struct cairn_qp *other;

		pthread_mutex_lock(&fakes[0].lock);
		after += !fakes[0].qps[qpn].live;
		pthread_mutex_unlock(&fakes[0].lock);
		assert_int_equal(ibv_destroy_cq(&cqs[1]->ibv), EBUSY);
		assert_int_equal(ibv_destroy_srq(&srq->ibv), EBUSY);
		assert_int_equal(cairn_create_qp(((struct pd *)pd)->hw, &same, &other), -EBUSY);
	}
	pthread_mutex_unlock(&cqs[0]->lock);
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&failures), 0);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), 0);
	assert_int_equal(ibv_destroy_cq(&cqs[0]->ibv) | ibv_destroy_cq(&cqs[1]->ibv), 0);
	assert_int_equal(ibv_destroy_comp_channel(channel), 0);
	assert_int_equal(ibv_dealloc_pd(pd) | ibv_close_device(ctx), 0);
}

/* Devices are listed, opened and closed by all threads at once. */
static void *opener(void *arg)
{
	for (int i = 0; i < 20; i++) {
		struct ibv_context *mine = bench_context();
		struct ibv_device **list = ibv_get_device_list(NULL);
		struct ibv_device_attr attr;

		check(mine && list && list[0], "open");
		if (!mine || !list)
			break;
		check(ibv_get_device_guid(mine->device) != 0, "GUID");
		check(!ibv_query_device(mine, &attr), "query");
		ibv_free_device_list(list);
		check(!ibv_close_device(mine), "close");
	}
	return arg;
}

static void open_and_close(void **state)
{
	pthread_t threads[3];

	(void)state;
	bench_nic(); /* known before threads ask */
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, opener, NULL), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&failures), 0);
}

static int set_up(void **state)
{
	int err = test_setup(state);

	setenv("CAIRN_STATS", "1", 1);
	alias_start(ALIAS_FUNCTION);
	return err || alias_make_dir();
}

static int tear_down(void **state)
{
	alias_stop();
	alias_remove_dir();
	return test_teardown(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(reset_while_polling, set_up, tear_down),
		cmocka_unit_test_setup_teardown(iterations_meet, set_up, tear_down),
		cmocka_unit_test_setup_teardown(destroy_while_polling, set_up, tear_down),
		cmocka_unit_test_setup_teardown(open_and_close, set_up, tear_down),
	};

	alarm(100); /* threads that wait for each other end the test */
	return cmocka_run_group_tests_name("test_threads", tests, NULL, NULL);
}
