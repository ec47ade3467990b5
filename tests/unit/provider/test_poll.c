// SPDX-License-Identifier: Apache-2.0
/* Completions: what is found by number and index, over many laps; errors, receives, forgotten
 * entries, the extended iterator. */
#include <endian.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "provider_test.h"
#include "rng.h"

static uint32_t post_one(struct qp *qp, uint64_t wr_id, enum ibv_wr_opcode op, int sges)
{
	struct ibv_sge sge[6] = { { 0, 1, 1 } };
	struct ibv_send_wr wr = { .wr_id = wr_id, .sg_list = sge, .num_sge = sges, .opcode = op };
	struct ibv_send_wr *bad;
	uint32_t at = qp->hw->sq_pi;

	assert_int_equal(ibv_post_send(&qp->ibv, &wr, &bad), 0);
	return at;
}

static void post_receive(struct qp *qp, uint64_t wr_id)
{
	struct ibv_recv_wr wr = { .wr_id = wr_id }, *bad;

	assert_int_equal(ibv_post_recv(&qp->ibv, &wr, &bad), 0);
}

static struct cairn_cqe receive_cqe(const struct qp *qp, uint32_t op, uint32_t index)
{
	return (struct cairn_cqe){
		.qpn_op = qp->ibv.qp_num | (uint32_t)CAIRN_PUT(CAIRN_CQE_QPN_OP_OPCODE, op),
		.wqe = (uint32_t)CAIRN_PUT(CAIRN_CQE_WQE_INDEX, index),
		.byte_len = 1234,
	};
}

/* Random numbers of blocks and of unsignalled requests between completions, past 2^16 blocks. */
static void sends_over_many_laps(void **state)
{
	static const enum ibv_wr_opcode ops[] = { IBV_WR_SEND, IBV_WR_RDMA_WRITE,
						  IBV_WR_RDMA_READ };
	static const enum ibv_wc_opcode wcs[] = { IBV_WC_SEND, IBV_WC_RDMA_WRITE,
						  IBV_WC_RDMA_READ };
	struct rng rng = { .state = test_seed() };
	struct bench *b = *state;
	struct ibv_wc wc[2];

	for (uint64_t id = 1; b->qp->hw->sq_pi < 150000;) {
		uint32_t last = 0, kind = 0, run = 1 + rng_u64(&rng) % 8;

		while (run--) {
			kind = rng_u64(&rng) % 3;
			last = post_one(b->qp, id++, ops[kind], (int)(rng_u64(&rng) % 7));
		}
		assert_int_equal(ibv_poll_cq(b->cq, 2, wc), 0);
		bench_send_cqe(b, b->qp, last, 0);
		assert_int_equal(ibv_poll_cq(b->cq, 2, wc), 1);
		assert_int_equal(wc[0].wr_id, id - 1);
		assert_int_equal(wc[0].opcode, wcs[kind]);
		assert_int_equal(wc[0].status, IBV_WC_SUCCESS);
		assert_int_equal(wc[0].qp_num, b->qp->ibv.qp_num);
		assert_int_equal(atomic_load(&b->qp->sq_tail), b->qp->hw->sq_pi);
		assert_int_equal(((struct cq *)b->cq)->hw->ci_record->index, b->pi);
	}
}

static void errors_and_flush(void **state)
{
	struct bench *b = *state;
	struct ibv_wc wc[4];

	for (uint64_t i = 0; i < 3; i++)
		post_one(b->qp, 70 + i, IBV_WR_RDMA_READ, 1);
	bench_send_cqe(b, b->qp, 0, IBV_WC_REM_ACCESS_ERR);
	bench_send_cqe(b, b->qp, 1, IBV_WC_WR_FLUSH_ERR);
	bench_send_cqe(b, b->qp, 2, IBV_WC_WR_FLUSH_ERR);
	assert_int_equal(ibv_poll_cq(b->cq, 2, wc), 2); /* as many as asked for */
	assert_int_equal(ibv_poll_cq(b->cq, 2, wc + 2), 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(wc[i].wr_id, 70 + i);
		assert_int_equal(wc[i].status, i ? IBV_WC_WR_FLUSH_ERR : IBV_WC_REM_ACCESS_ERR);
		assert_int_equal(wc[i].vendor_err, wc[i].status);
	}
}

static void receives(void **state)
{
	struct bench *b = *state;
	struct cairn_cqe cqe;
	struct ibv_wc wc;

	for (uint32_t i = 0; i < 70000; i++) {
		post_receive(b->qp, 5000 + i);
		cqe = receive_cqe(b->qp, i & 1 ? CAIRN_CQE_OP_RECV_WRITE_IMM : CAIRN_CQE_OP_RECV,
				  i);
		cqe.imm = htobe32(0xa0000000 + i);
		cqe.wqe |= i & 1 ? CAIRN_CQE_WQE_IMM : 0;
		bench_cqe(b, cqe);
		assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
		assert_int_equal(wc.wr_id, 5000 + i);
		assert_int_equal(wc.opcode, i & 1 ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV);
		assert_int_equal(wc.wc_flags, i & 1 ? IBV_WC_WITH_IMM : 0);
		assert_int_equal(wc.imm_data, i & 1 ? htobe32(0xa0000000 + i) : 0);
		assert_int_equal(wc.byte_len, 1234);
	}
	post_receive(b->qp, 9);
	cqe = receive_cqe(b->qp, CAIRN_CQE_OP_RECV_INV, 70000);
	cqe.wqe |= CAIRN_CQE_WQE_INV | CAIRN_CQE_WQE_GRH;
	cqe.imm = 0x1234;
	cqe.src = 77;
	bench_cqe(b, cqe);
	assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
	assert_int_equal(wc.wc_flags, IBV_WC_WITH_INV | IBV_WC_GRH);
	assert_int_equal(wc.invalidated_rkey, 0x1234);
	assert_int_equal(wc.src_qp, 77);
}

/* Two QPs share the CQ; one goes away, and only its completions with it. */
static void forgotten(void **state)
{
	struct bench *b = *state;
	struct qp *other = bench_qp(b, NULL);
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	struct ibv_wc wc[8];

	for (uint64_t i = 0; i < 3; i++) {
		bench_send_cqe(b, b->qp, post_one(b->qp, 10 + i, IBV_WR_SEND, 1), 0);
		bench_send_cqe(b, other, post_one(other, 20 + i, IBV_WR_SEND, 1), 0);
	}
	assert_int_equal(ibv_destroy_qp(&other->ibv), 0);
	assert_int_equal(ibv_poll_cq(b->cq, 8, wc), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(wc[i].wr_id, 10 + i);
	assert_int_equal(((struct cq *)b->cq)->hw->ci_record->index, 6);
	bench_send_cqe(b, b->qp, post_one(b->qp, 30, IBV_WR_SEND, 1), 0);
	assert_int_equal(ibv_modify_qp(&b->qp->ibv, &attr, IBV_QP_STATE), 0);
	/* nobody has to poll for their places to be free */
	assert_int_equal(((struct cq *)b->cq)->hw->ci_record->index, 7);
	assert_int_equal(ibv_poll_cq(b->cq, 8, wc), 0);
	assert_int_equal(b->qp->hw->sq_pi, 0);
	assert_int_equal(atomic_load(&b->qp->sq_tail), 0);
}

/* An extended CQ, and a bench whose CQ it is, without a QP yet. */
static struct ibv_cq_ex *own_cq(const struct bench *b, struct ibv_cq_init_attr_ex *init,
				struct bench *own)
{
	struct ibv_cq_ex *cq = ibv_create_cq_ex(b->ctx, init);

	assert_non_null(cq);
	*own = *b;
	own->cq = ibv_cq_ex_to_cq(cq);
	own->pi = 0;
	return cq;
}

static void extended(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex init = {
		.cqe = 10, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP
	};
	struct ibv_poll_cq_attr poll = { 0 };
	struct bench own;
	struct ibv_cq_ex *cq = own_cq(b, &init, &own);
	struct cairn_cqe cqe;

	own.qp = bench_qp(&own, NULL);
	assert_int_equal(ibv_start_poll(cq, &poll), ENOENT);
	post_one(own.qp, 1, IBV_WR_RDMA_READ, 1);
	post_receive(own.qp, 2);
	bench_send_cqe(&own, own.qp, 0, 0);
	cqe = receive_cqe(own.qp, CAIRN_CQE_OP_RECV_IMM, 0);
	cqe.wqe |= CAIRN_CQE_WQE_IMM;
	cqe.imm = htobe32(5);
	cqe.timestamp = 987654321;
	bench_cqe(&own, cqe);
	assert_int_equal(ibv_start_poll(cq, &poll), 0);
	assert_int_equal(cq->wr_id, 1);
	assert_int_equal(cq->status, IBV_WC_SUCCESS);
	assert_int_equal(ibv_wc_read_opcode(cq), IBV_WC_RDMA_READ);
	assert_int_equal(ibv_next_poll(cq), 0);
	assert_int_equal(cq->wr_id, 2);
	assert_int_equal(ibv_wc_read_opcode(cq), IBV_WC_RECV);
	assert_int_equal(ibv_wc_read_byte_len(cq), 1234);
	assert_int_equal(ibv_wc_read_imm_data(cq), htobe32(5));
	assert_int_equal(ibv_wc_read_completion_ts(cq), 987654321);
	assert_int_equal(ibv_wc_read_qp_num(cq), own.qp->ibv.qp_num);
	assert_int_equal(ibv_next_poll(cq), ENOENT);
	ibv_end_poll(cq);
	assert_int_equal(((struct cq *)own.cq)->hw->ci_record->index, 2);
	assert_int_equal(ibv_destroy_qp(&own.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(own.cq), 0);
	init.wc_flags = IBV_WC_EX_WITH_FLOW_TAG;
	assert_null(ibv_create_cq_ex(b->ctx, &init));
	assert_int_equal(errno, EOPNOTSUPP);
}

/*
 * The thread that iterates moves one QP to RESET and destroys another: their entries are not seen
 * any more, those of the rest are, and the one where it stands is readable.
 */
static void reset_in_the_iteration(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex init = { .cqe = 10,
					    .wc_flags = IBV_WC_STANDARD_FLAGS,
					    .comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS };
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
	struct ibv_poll_cq_attr poll = { 0 };

	for (int single = 0; single < 2; single++) {
		struct bench own;
		struct ibv_cq_ex *cq;
		struct qp *qp[3];

		init.flags = single ? IBV_CREATE_CQ_ATTR_SINGLE_THREADED : 0;
		cq = own_cq(b, &init, &own);
		for (unsigned int i = 0; i < 3; i++)
			qp[i] = bench_qp(&own, NULL);
		for (unsigned int i = 0; i < 9; i++)
			bench_send_cqe(&own, qp[i % 3], post_one(qp[i % 3], i, IBV_WR_RDMA_READ, 1),
				       0);
		assert_int_equal(ibv_start_poll(cq, &poll), 0);
		assert_int_equal(ibv_modify_qp(&qp[0]->ibv, &reset, IBV_QP_STATE), 0);
		assert_int_equal(cq->wr_id, 0);
		assert_int_equal(ibv_wc_read_qp_num(cq), qp[0]->ibv.qp_num);
		assert_int_equal(ibv_wc_read_opcode(cq), IBV_WC_RDMA_READ);
		for (unsigned int id = 1; id < 3; id++) {
			assert_int_equal(ibv_next_poll(cq), 0);
			assert_int_equal(cq->wr_id, id);
		}
		assert_int_equal(ibv_destroy_qp(&qp[2]->ibv), 0);
		assert_int_equal(ibv_wc_read_opcode(cq), IBV_WC_RDMA_READ);
		for (unsigned int id = 4; id < 9; id += 3) {
			assert_int_equal(ibv_next_poll(cq), 0);
			assert_int_equal(cq->wr_id, id);
		}
		assert_int_equal(ibv_next_poll(cq), ENOENT);
		ibv_end_poll(cq);
		assert_int_equal(((struct cq *)own.cq)->hw->ci_record->index, 9);
		assert_int_equal(ibv_destroy_qp(&qp[0]->ibv) | ibv_destroy_qp(&qp[1]->ibv), 0);
		assert_int_equal(ibv_destroy_cq(own.cq), 0);
	}
}

/* A batch of several laps: the ring never looks full to the device, extended or not. */
static void long_batch(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex init = { .cqe = 60, .wc_flags = IBV_WC_STANDARD_FLAGS };
	struct ibv_poll_cq_attr poll = { 0 };
	struct bench own;
	struct ibv_cq_ex *cq = own_cq(b, &init, &own);
	const struct cairn_cq *hw = ((struct cq *)own.cq)->hw;

	own.qp = bench_qp(&own, NULL);
	for (uint32_t i = 0; i < 5u << hw->log2; i++) {
		bench_send_cqe(&own, own.qp, post_one(own.qp, i, IBV_WR_RDMA_WRITE, 1), 0);
		assert_int_equal(i ? ibv_next_poll(cq) : ibv_start_poll(cq, &poll), 0);
		assert_int_equal(cq->wr_id, i);
		assert_true(own.pi - hw->ci_record->index <= 1u << (hw->log2 - 2));
	}
	ibv_end_poll(cq);
	assert_int_equal(hw->ci_record->index, own.pi);
	assert_int_equal(ibv_destroy_qp(&own.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(own.cq), 0);
}

/* The longest CQ is as long as its ring: each entry that the program has taken is free at once. */
static void longest(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex init = { .cqe = 1 << CAIRN_MAX_RING_LOG2,
					    .wc_flags = IBV_WC_STANDARD_FLAGS };
	struct ibv_poll_cq_attr poll = { 0 };
	struct bench own;
	struct ibv_cq_ex *cq = own_cq(b, &init, &own);
	const struct cairn_cq *hw = ((struct cq *)own.cq)->hw;

	own.qp = bench_qp(&own, NULL);
	assert_int_equal(hw->log2, CAIRN_MAX_RING_LOG2);
	for (uint32_t i = 0; i < 3; i++)
		bench_send_cqe(&own, own.qp, post_one(own.qp, i, IBV_WR_RDMA_WRITE, 1), 0);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(i ? ibv_next_poll(cq) : ibv_start_poll(cq, &poll), 0);
		assert_int_equal(hw->ci_record->index, i + 1);
	}
	ibv_end_poll(cq);
	assert_int_equal(ibv_destroy_qp(&own.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(own.cq), 0);
}

static uint64_t system_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whatever the rate of the device's clock, a completion's system time is after its post and before
 * it is read, and later ones have later times. */
static void wall_clock(void **state)
{
	struct bench *b = *state;
	struct ibv_cq_init_attr_ex init = {
		.cqe = 10,
		.wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK
	};
	struct ibv_poll_cq_attr poll = { 0 };
	struct bench own;
	struct ibv_cq_ex *cq;
	uint64_t last = 0;

	fakes[0].now = 5000000;
	cq = own_cq(b, &init, &own);
	own.qp = bench_qp(&own, NULL);
	for (uint64_t i = 1; i < 60; i++) {
		uint32_t at = post_one(own.qp, i, IBV_WR_SEND, 1);
		uint64_t before = system_ns(), stamp, wall;

		fakes[0].now += i % 7 * 1000; /* far slower than the system's */
		stamp = fakes[0].now - (i % 7 ? 500 : 0);
		bench_cqe(&own, (struct cairn_cqe){ .qpn_op = own.qp->ibv.qp_num,
						    .wqe = at | CAIRN_CQE_WQE_IS_SQ,
						    .timestamp = stamp });
		assert_int_equal(ibv_start_poll(cq, &poll), 0);
		wall = ibv_wc_read_completion_wallclock_ns(cq);
		ibv_end_poll(cq);
		assert_true(wall <= system_ns());
		assert_true(wall >= last);
		/* the first pair is that of the creation */
		assert_true(before - wall < 1000000000u || wall >= before);
		last = wall;
	}
	assert_int_equal(ibv_destroy_qp(&own.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(own.cq), 0);
	fakes[0].die_at = 0;
	assert_null(ibv_create_cq_ex(b->ctx, &init));
	assert_int_equal(errno, ENODEV);
}

/* Slots come back in any order and are used again; each keeps its own wr_id. */
static void shared_receives(void **state)
{
	struct bench *b = *state;
	struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 2 } };
	struct srq *srq = (struct srq *)ibv_create_srq(b->pd, &init);
	struct qp *qp = bench_qp(b, &srq->ibv);
	struct rng rng = { .state = test_seed() };
	struct ibv_recv_wr wr = { 0 }, *bad;
	uint32_t taken[16];
	struct ibv_wc wc;

	for (uint64_t round = 0; round < 100; round++) {
		for (uint32_t i = 0; i < 16; i++) {
			wr.wr_id = round << 8 | i;
			assert_int_equal(ibv_post_srq_recv(&srq->ibv, &wr, &bad), 0);
			taken[i] = srq->hw->ring[(srq->hw->pi - 1) & 15];
		}
		assert_int_equal(ibv_post_srq_recv(&srq->ibv, &wr, &bad), ENOMEM);
		for (uint32_t left = 16; left; left--) {
			uint32_t pick = rng_u64(&rng) % left, slot = taken[pick];
			struct cairn_cqe cqe = receive_cqe(qp, CAIRN_CQE_OP_RECV, slot);

			cqe.wqe |= CAIRN_CQE_WQE_SRQ;
			bench_cqe(b, cqe);
			wr.wr_id = srq->wr_id[slot];
			assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
			assert_int_equal(wc.wr_id, wr.wr_id);
			assert_int_equal(wc.wr_id >> 8, round);
			taken[pick] = taken[left - 1];
		}
	}
	assert_int_equal(ibv_destroy_srq(&srq->ibv), EBUSY);
	assert_int_equal(ibv_destroy_qp(&qp->ibv), 0);
	assert_int_equal(ibv_destroy_srq(&srq->ibv), 0);
}

/* ---------------------------------------------------------------- threads */

#define THREADS 3u
#define PER_THREAD 4000u

static struct qp *shared_qp;

/* wr_id: thread and count; waits while the queue is full. */
static void *poster(void *arg)
{
	struct ibv_sge sge[6] = { { 0, 1, 1 } };

	for (uint64_t i = 0; i < PER_THREAD; i++) {
		struct ibv_send_wr wr = { .wr_id = (uintptr_t)arg << 32 | i,
					  .sg_list = sge,
					  .num_sge = (int)(i % 7),
					  .send_flags = IBV_SEND_SIGNALED };
		struct ibv_send_wr *bad;
		int err;

		while ((err = ibv_post_send(&shared_qp->ibv, &wr, &bad)) == ENOMEM)
			sched_yield();
		if (err)
			return "post";
	}
	return NULL;
}

/* The producer index of the last send doorbell; `before` when there was another one since. */
static uint16_t rung(uint16_t before)
{
	uint32_t offset;
	uint64_t word;

	pthread_mutex_lock(&fakes[0].lock);
	offset = fakes[0].last_db_offset % CAIRN_DB_PAGE_BYTES;
	word = fakes[0].last_db;
	if (offset == CAIRN_DB_PUSH)
		memcpy(&word, fakes[0].last_push + 56, 8);
	pthread_mutex_unlock(&fakes[0].lock);
	if (offset != CAIRN_DB_PUSH && offset != CAIRN_DB_SQ)
		return before;
	return CAIRN_GET(word, CAIRN_DOORBELL_WORD_INDEX);
}

/* Threads post to one QP; what was rung is whole, and each request completes once, in order. */
static void threads(void **state)
{
	struct bench *b = *state;
	uint64_t next[THREADS] = { 0 };
	pthread_t thread[THREADS];
	uint32_t at = 0;
	struct ibv_wc wc;
	void *failed;

	shared_qp = b->qp;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, poster, (void *)i), 0);
	for (uint32_t done = 0; done < THREADS * PER_THREAD;) {
		uint16_t end = rung((uint16_t)at);

		while ((uint16_t)at != end) {
			struct cairn_wqe *wqe = cairn_sq_block(b->qp->hw, at);

			assert_int_equal(wqe->check, cairn_sq_check(b->qp->hw, at));
			bench_send_cqe(b, b->qp, at, 0);
			at += CAIRN_GET(wqe->ctrl, CAIRN_WQE_CTRL_BLOCKS);
			assert_int_equal(ibv_poll_cq(b->cq, 1, &wc), 1);
			assert_int_equal((uint32_t)wc.wr_id, next[wc.wr_id >> 32]++);
			done++;
		}
		sched_yield();
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &failed);
		assert_null(failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(sends_over_many_laps),
		BENCH_TEST(errors_and_flush),
		BENCH_TEST(receives),
		BENCH_TEST(forgotten),
		BENCH_TEST(extended),
		BENCH_TEST(reset_in_the_iteration),
		BENCH_TEST(long_batch),
		BENCH_TEST(longest),
		BENCH_TEST(wall_clock),
		BENCH_TEST(shared_receives),
		BENCH_TEST(threads),
	};

	alarm(100); /* who waits for itself ends the test */
	return cmocka_run_group_tests_name("test_poll", tests, NULL, NULL);
}
