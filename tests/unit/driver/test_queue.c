// SPDX-License-Identifier: Apache-2.0
/* The data path's inline helpers: places of entries, doorbell words, completion phases over many
 * laps, pushes. */
#include <poll.h>

#include "driver_test.h"

static struct cairn_dev *dev;
static struct cairn_pd *pd;
static struct cairn_cq *cq;
static struct cairn_qp *qp;

static int setup(void **state)
{
	struct cairn_qp_init init = { .type = CAIRN_QP_TYPE_RC,
				      .max_send_wr = 8,
				      .max_recv_wr = 8,
				      .max_send_sge = 1,
				      .max_recv_sge = 2,
				      .qpn = CAIRN_ANY };

	test_setup(state);
	dev = test_open();
	if (cairn_alloc_pd(dev, &pd) || cairn_create_cq(dev, 10, 1, NULL, NULL, &cq))
		return -1;
	init.send_cq = init.recv_cq = cq;
	return cairn_create_qp(pd, &init, &qp);
}

static int teardown(void **state)
{
	if (cairn_destroy_qp(qp, NULL) || cairn_destroy_cq(cq) || cairn_dealloc_pd(pd))
		return -1;
	cairn_close(dev);
	return test_teardown(state);
}

#define QUEUE_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void send_queue(void **state)
{
	(void)state;
	assert_ptr_equal(cairn_sq_block(qp, 0), qp->sq);
	assert_ptr_equal(cairn_sq_block(qp, 8 + 3), qp->sq + 3);
	assert_ptr_equal(cairn_sq_block(qp, 0xffffffff), qp->sq + 7);
	assert_int_equal(cairn_sq_check(qp, 0x12345), 0x2345u | (uint32_t)qp->owner << 16);
	qp->sq_pi = 0x10007;
	cairn_sq_ring(qp);
	assert_int_equal(fakes[0].last_db_offset, qp->db->offset + 0x00);
	assert_int_equal(fakes[0].last_db, (uint64_t)qp->qpn << 32 | 7);
}

static void push_carries_the_doorbell(void **state)
{
	struct cairn_wqe *wqe = cairn_sq_block(qp, 2);
	uint64_t last;

	(void)state;
	memset(wqe, 0x5a, sizeof(*wqe));
	qp->sq_pi = 3;
	cairn_sq_push(qp);
	assert_int_equal(fakes[0].last_db_offset, qp->db->offset + CAIRN_DB_PUSH);
	assert_memory_equal(fakes[0].last_push, wqe, 56);
	memcpy(&last, fakes[0].last_push + 56, 8);
	assert_int_equal(last, (uint64_t)qp->qpn << 32 | 3);
	assert_int_equal(((uint8_t *)wqe)[63], 0x5a); /* the ring keeps the whole WQE */
}

/* A mapped page gets plain stores at the same places. */
static void mapped_doorbells(void **state)
{
	static _Alignas(4096) uint8_t page[4096];
	struct cairn_db db = *qp->db;
	const struct cairn_db *saved = qp->db;
	unsigned int seen = fakes[0].doorbells;
	uint64_t word;

	(void)state;
	memset(page, 0, sizeof(page));
	db.map = page;
	qp->db = &db;
	qp->sq_pi = 5;
	qp->rq_pi = 6;
	cairn_sq_ring(qp);
	cairn_rq_ring(qp);
	cairn_sq_push(qp);
	qp->db = saved;
	assert_int_equal(fakes[0].doorbells, seen);
	memcpy(&word, page + CAIRN_DB_SQ, 8);
	assert_int_equal(word, (uint64_t)qp->qpn << 32 | 5);
	memcpy(&word, page + CAIRN_DB_RQ, 8);
	assert_int_equal(word, (uint64_t)qp->qpn << 32 | 6);
	memcpy(&word, page + CAIRN_DB_PUSH + 56, 8);
	assert_int_equal(word, (uint64_t)qp->qpn << 32 | 5);
	qp->sq_pi = qp->rq_pi = 0;
}

static void receive_queue(void **state)
{
	(void)state;
	assert_int_equal(qp->rq_stride, 2);
	assert_ptr_equal(cairn_rq_entry(qp, 0), qp->rq);
	assert_ptr_equal(cairn_rq_entry(qp, 9), qp->rq + 2);
	qp->rq_pi = 65535 + 4;
	cairn_rq_ring(qp);
	assert_int_equal(fakes[0].last_db_offset, qp->db->offset + CAIRN_DB_RQ);
	assert_int_equal(fakes[0].last_db, (uint64_t)qp->qpn << 32 | 3);
	qp->rq_pi = 0;
}

static void shared_receive_queue(void **state)
{
	struct cairn_srq_init init = { .max_wr = 16, .max_sge = 2 };
	struct cairn_srq *srq;

	(void)state;
	assert_int_equal(cairn_create_srq(pd, &init, &srq), 0);
	for (uint32_t i = 0; i < 40; i++) {
		cairn_srq_give(srq, i * 5 % 16);
		assert_int_equal(srq->ring[i % 16], i * 5 % 16);
	}
	assert_ptr_equal(cairn_srq_slot(srq, 3), srq->slots + 6);
	cairn_srq_ring(srq);
	assert_int_equal(fakes[0].last_db_offset, srq->db->offset + CAIRN_DB_SRQ);
	assert_int_equal(fakes[0].last_db, (uint64_t)srq->srqn << 32 | 40);
	assert_int_equal(cairn_destroy_srq(srq), 0);
}

/* Five laps with random batches: never an entry too early, none lost. */
static void completions(void **state)
{
	struct rng rng = { test_seed() };
	uint32_t size = 1u << cq->log2, written = 0, polled = 0;

	(void)state;
	while (polled < 5 * size) {
		for (uint32_t n = (uint32_t)rng_below(&rng, size - (written - polled) + 1); n;
		     n--) {
			fake_cqe(&fakes[0], cq->cqn, qp->qpn);
			written++;
		}
		for (uint32_t n = (uint32_t)rng_range(&rng, 0, written - polled); n; n--) {
			const struct cairn_cqe *cqe = cairn_cq_next(cq);

			assert_non_null(cqe);
			assert_int_equal(cqe->byte_len, polled++);
			cairn_cq_consume(cq);
		}
		if (written == polled)
			assert_null(cairn_cq_next(cq));
		cairn_cq_update(cq);
		assert_int_equal(cq->ci_record->index, polled);
	}
}

static void arming(void **state)
{
	(void)state;
	fake_cqe(&fakes[0], cq->cqn, qp->qpn);
	cairn_cq_consume(cq);
	cairn_cq_arm(cq, false);
	assert_int_equal(fakes[0].last_db_offset, cq->db->offset + CAIRN_DB_CQ_ARM);
	assert_int_equal(fakes[0].last_db, (uint64_t)cq->cqn << 32 | 1);
	assert_int_equal(cq->ci_record->index, 1);
	for (unsigned int seq = 1; seq < 6; seq++) {
		cairn_cq_event_consumed(cq);
		cairn_cq_arm(cq, true);
		assert_int_equal(fakes[0].last_db,
				 (uint64_t)cq->cqn << 32 | 1 << 18 | (seq & 3) << 16 | 1);
	}
}

/* ---------------------------------------------------------------- events */

static struct cairn_event seen[64];
static unsigned int n_seen;

static void on_event(void *arg, const struct cairn_event *event)
{
	assert_ptr_equal(arg, &n_seen);
	assert_true(n_seen < 64);
	seen[n_seen++] = *event;
}

static int poll_now(unsigned int vector)
{
	n_seen = 0;
	return cairn_poll_events(dev, vector, on_event, &n_seen);
}

static bool readable(unsigned int vector)
{
	struct pollfd fd = { .fd = cairn_event_fd(dev, vector), .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

static void completion_events(void **state)
{
	(void)state;
	assert_false(readable(1));
	assert_int_equal(poll_now(1), 0);
	assert_int_equal(cairn_wait_event(dev, 1, 0), 0);
	fake_event(&fakes[0], 2, CAIRN_EQE_TYPE_CQ | 3 << 16, cq->cqn, 0);
	assert_true(readable(1));
	assert_false(readable(0));
	assert_int_equal(cairn_wait_event(dev, 1, 1000), 1);
	assert_int_equal(poll_now(1), 1);
	assert_int_equal(seen[0].type, CAIRN_EQE_TYPE_CQ);
	assert_int_equal(seen[0].number, cq->cqn);
	assert_int_equal(seen[0].arm_seq, 3);
	assert_ptr_equal(seen[0].object, cq);
	assert_false(readable(1));
	assert_true(fakes[0].eqs[2].armed);
	assert_int_equal(fakes[0].eqs[2].ci, 1);
	assert_int_equal(poll_now(3), -EINVAL);
	assert_int_equal(cairn_event_fd(dev, 3), -EINVAL);
	assert_int_equal(cairn_wait_event(dev, 3, 0), -EINVAL);
}

/* Several laps of the queue; the fd becomes readable for each batch. */
static void many_events(void **state)
{
	uint32_t size = 1u << fakes[0].eqs[2].log2;

	(void)state;
	for (uint32_t n = 0; n < 5 * size;) {
		uint32_t batch = 1 + n % 60;

		for (uint32_t i = 0; i < batch; i++)
			fake_event(&fakes[0], 2, CAIRN_EQE_TYPE_CQ, cq->cqn, n + i);
		assert_true(readable(1));
		assert_int_equal(poll_now(1), batch);
		for (uint32_t i = 0; i < batch; i++)
			assert_int_equal(seen[i].data, n + i);
		n += batch;
	}
}

static void async_events(void **state)
{
	static const struct {
		uint32_t type;
		enum cairn_kind kind;
	} types[] = {
		{ CAIRN_EQE_TYPE_QP_FATAL, OBJECT_QP },
		{ CAIRN_EQE_TYPE_QP_REQ_ERR, OBJECT_QP },
		{ CAIRN_EQE_TYPE_QP_ACCESS_ERR, OBJECT_QP },
		{ CAIRN_EQE_TYPE_COMM_EST, OBJECT_QP },
		{ CAIRN_EQE_TYPE_SQ_DRAINED, OBJECT_QP },
		{ CAIRN_EQE_TYPE_LAST_WQE_REACHED, OBJECT_QP },
		{ CAIRN_EQE_TYPE_CQ_ERR, OBJECT_CQ },
		{ CAIRN_EQE_TYPE_SRQ_LIMIT, OBJECT_SRQ },
		{ CAIRN_EQE_TYPE_SRQ_ERR, OBJECT_SRQ },
		{ CAIRN_EQE_TYPE_GID_CHANGE, OBJECT_NONE },
		{ CAIRN_EQE_TYPE_ADDR_CONFLICT, OBJECT_NONE },
		{ CAIRN_EQE_TYPE_PORT_ACTIVE, OBJECT_NONE },
		{ CAIRN_EQE_TYPE_PORT_ERR, OBJECT_NONE },
		{ CAIRN_EQE_TYPE_DEVICE_FATAL, OBJECT_NONE },
	};
	const unsigned int n = sizeof(types) / sizeof(*types);
	struct cairn_srq_init init = { .max_wr = 1, .max_sge = 1 };
	struct cairn_srq *srq;

	(void)state;
	assert_int_equal(cairn_create_srq(pd, &init, &srq), 0);
	for (unsigned int i = 0; i < n; i++)
		fake_event(&fakes[0], 0, types[i].type,
			   types[i].kind == OBJECT_CQ	 ? cq->cqn
			   : types[i].kind == OBJECT_SRQ ? srq->srqn
							 : qp->qpn,
			   i);
	assert_true(readable(CAIRN_VECTOR_ASYNC));
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), n);
	for (unsigned int i = 0; i < n; i++) {
		assert_int_equal(seen[i].type, types[i].type);
		assert_int_equal(seen[i].data, i);
		assert_ptr_equal(seen[i].object, types[i].kind == OBJECT_QP    ? (void *)qp
						 : types[i].kind == OBJECT_CQ  ? (void *)cq
						 : types[i].kind == OBJECT_SRQ ? (void *)srq
									       : NULL);
	}
	/* what is destroyed has no events any more */
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_SRQ_LIMIT, srq->srqn, 0);
	assert_int_equal(cairn_destroy_srq(srq), 0);
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), 0);
}

/* Events of what is destroyed are not delivered, also not to the next object with that number. */
static void events_of_the_dead(void **state)
{
	struct cairn_qp_init init = {
		.type = CAIRN_QP_TYPE_RC, .send_cq = cq, .recv_cq = cq, .qpn = 40
	};
	struct cairn_qp *other;

	(void)state;
	assert_int_equal(cairn_create_qp(pd, &init, &other), 0);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_QP_FATAL, 40, 1);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_QP_FATAL, qp->qpn, 2);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_PORT_ERR, 40, 3); /* another kind of number */
	assert_int_equal(cairn_destroy_qp(other, NULL), 0);
	assert_int_equal(cairn_create_qp(pd, &init, &other), 0);
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), 2);
	assert_ptr_equal(seen[0].object, qp);
	assert_int_equal(seen[1].data, 3);
	assert_int_equal(cairn_destroy_qp(other, NULL), 0);
	/* A number that nothing has, and one beyond the table. */
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_QP_FATAL, 40, 1);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_QP_FATAL, 0xffffff, 1);
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), 0);
	assert_int_equal(fakes[0].eqs[0].ci, 5);
	/* One that could not be made. */
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_NO_RESOURCE;
	assert_int_equal(cairn_create_qp(pd, &init, &other), -ENOSPC);
	fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_QP_FATAL, 40, 1);
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), 0);
}

#define BUSY_CQS 250u

static unsigned int refires;

/* Arms the CQ of the event, which fires at once. */
static void fire_again(void *arg, const struct cairn_event *event)
{
	(void)arg;
	n_seen++;
	if (refires && refires--)
		fake_event(&fakes[0], 1, CAIRN_EQE_TYPE_CQ, event->number, 0);
}

/* Nearly as many CQs as an EQ may have, all of which fire as often as they can. */
static void busy_cqs(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_cq *cqs[BUSY_CQS];

	(void)state;
	opts.cqs_log2 = 8;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	for (unsigned int i = 0; i < BUSY_CQS; i++) {
		assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &cqs[i]), 0);
		fake_event(&fakes[0], 1, CAIRN_EQE_TYPE_CQ, cqs[i]->cqn, 0);
	}
	refires = 5000;
	n_seen = 0;
	assert_int_equal(cairn_poll_events(dev, 0, fire_again, NULL), 5000 + BUSY_CQS);
	assert_true(fakes[0].doorbells < 100);
	assert_int_equal(n_seen, 5000 + BUSY_CQS); /* fake_stop() counts overflows as errors */
	for (unsigned int i = 0; i < BUSY_CQS; i++)
		assert_int_equal(cairn_destroy_cq(cqs[i]), 0);
	cairn_close(dev);
}

static void device_is_up_to_date(void *arg, const struct cairn_event *event)
{
	(void)arg;
	(void)event;
	assert_int_equal(fakes[0].eqs[1].ci, ++n_seen);
}

/* No room to spare in the largest ring: each entry is told before its CQ can be armed. */
static void more_cqs_than_entries(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_cq *one;

	(void)state;
	fakes[0].caps.max_cq = 1u << CAIRN_MAX_RING_LOG2;
	opts.cqs_log2 = CAIRN_MAX_RING_LOG2;
	opts.comp_vectors = 1;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &one), 0);
	for (unsigned int i = 0; i < 10; i++)
		fake_event(&fakes[0], 1, CAIRN_EQE_TYPE_CQ, one->cqn, i);
	n_seen = 0;
	assert_int_equal(cairn_poll_events(dev, 0, device_is_up_to_date, NULL), 10);
	assert_int_equal(cairn_destroy_cq(one), 0);
	cairn_close(dev);
}

/* Events that nobody takes, of CQs that come and go. */
static void forgotten_events_leave(void **state)
{
	struct cairn_cq *other;

	(void)state;
	fake_event(&fakes[0], 1, CAIRN_EQE_TYPE_CQ, cq->cqn, 7);
	for (unsigned int i = 0; i < 1000; i++) {
		assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &other), 0);
		fake_event(&fakes[0], 1, CAIRN_EQE_TYPE_CQ, other->cqn, i);
		if (i % 3 == 0)
			fake_event(&fakes[0], 2, CAIRN_EQE_TYPE_CQ, cq->cqn, i);
		assert_int_equal(cairn_destroy_cq(other), 0);
		if (i % 90 == 0)
			poll_now(1);
	}
	assert_int_equal(poll_now(0), 1);
	assert_int_equal(seen[0].data, 7);
	assert_int_equal(fakes[0].eqs[1].ci, 1001);
}

static void device_is_near(void *arg, const struct cairn_event *event)
{
	uint32_t size = 1u << fakes[0].eqs[0].log2;

	(void)arg;
	(void)event;
	n_seen++;
	assert_true(n_seen - fakes[0].eqs[0].ci < size / 4);
}

/* While a burst is taken the device gets room for more. */
static void async_burst(void **state)
{
	uint32_t size = 1u << fakes[0].eqs[0].log2;

	(void)state;
	for (uint32_t i = 0; i < size; i++)
		fake_event(&fakes[0], 0, CAIRN_EQE_TYPE_QP_FATAL, qp->qpn, i);
	n_seen = 0;
	assert_int_equal(cairn_poll_events(dev, CAIRN_VECTOR_ASYNC, device_is_near, NULL), size);
	assert_int_equal(fakes[0].eqs[0].ci, size);
}

static void lost_device_wakes_waiters(void **state)
{
	uint64_t time;

	(void)state;
	fakes[0].die_at = 0;
	assert_int_equal(cairn_query_time(dev, &time), -ENODEV);
	assert_true(readable(CAIRN_VECTOR_ASYNC));
	assert_true(readable(0));
	assert_int_equal(poll_now(0), -ENODEV);
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), 1);
	assert_int_equal(seen[0].type, CAIRN_EQE_TYPE_DEVICE_FATAL);
	assert_int_equal(poll_now(CAIRN_VECTOR_ASYNC), -ENODEV);
	assert_true(readable(CAIRN_VECTOR_ASYNC)); /* for everybody who comes later */
	cairn_sq_ring(qp);			   /* dropped */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUE_TEST(send_queue),
		QUEUE_TEST(push_carries_the_doorbell),
		QUEUE_TEST(mapped_doorbells),
		QUEUE_TEST(receive_queue),
		QUEUE_TEST(shared_receive_queue),
		QUEUE_TEST(completions),
		QUEUE_TEST(arming),
		QUEUE_TEST(completion_events),
		QUEUE_TEST(many_events),
		QUEUE_TEST(async_events),
		QUEUE_TEST(events_of_the_dead),
		DRIVER_TEST(busy_cqs),
		DRIVER_TEST(more_cqs_than_entries),
		QUEUE_TEST(forgotten_events_leave),
		QUEUE_TEST(async_burst),
		QUEUE_TEST(lost_device_wakes_waiters),
	};

	return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
