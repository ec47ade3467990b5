// SPDX-License-Identifier: Apache-2.0
/*
 * Using things up: of each kind allocate until the device or the driver says no, free one, allocate
 * one (checks 128), with what is there undisturbed, and as many as the capabilities promise.  And
 * how numbers are picked: at random over what is free, not again soon (checks 97, 99, 124).
 */
#include "object_test.h"

static uint8_t memory[4096];

/* ---- one kind of object ---- */

struct kind {
	const char *name;
	int (*make)(void **object);
	int (*end)(void *object);
	const char *message; /* in the refusal */
};

static int make_pd(void **object)
{
	return cairn_alloc_pd(dev, (struct cairn_pd **)object);
}

static int end_pd(void *object)
{
	return cairn_dealloc_pd(object);
}

static int make_cq(void **object)
{
	return cairn_create_cq(dev, 1, CAIRN_ANY, NULL, NULL, (struct cairn_cq **)object);
}

static int end_cq(void *object)
{
	return cairn_destroy_cq(object);
}

static int make_qp(void **object)
{
	struct cairn_qp_init init = { .type = CAIRN_QP_TYPE_RC,
				      .send_cq = cq,
				      .recv_cq = cq,
				      .max_send_wr = 4,
				      .qpn = CAIRN_ANY };

	return cairn_create_qp(pd, &init, (struct cairn_qp **)object);
}

static int end_qp(void *object)
{
	return cairn_destroy_qp(object, NULL);
}

static int make_srq(void **object)
{
	struct cairn_srq_init init = { .max_wr = 1, .max_sge = 1 };

	return cairn_create_srq(pd, &init, (struct cairn_srq **)object);
}

static int end_srq(void *object)
{
	return cairn_destroy_srq(object);
}

static int make_mr(void **object)
{
	return cairn_reg_mr(pd, memory, 64, 0, 0, (struct cairn_mr **)object);
}

static int end_mr(void *object)
{
	return cairn_dereg_mr(object);
}

static int make_mw(void **object)
{
	return cairn_alloc_mw(pd, 2, (struct cairn_mw **)object);
}

static int end_mw(void *object)
{
	return cairn_dealloc_mw(object);
}

static int make_ah(void **object)
{
	struct cairn_ah_attr attr = { .dgid = { 0xfe, 0x80, [15] = 9 }, .dmac = 0x020000000009 };

	return cairn_create_ah(pd, &attr, (struct cairn_ah **)object);
}

static int end_ah(void *object)
{
	return cairn_destroy_ah(object);
}

static int make_db(void **object)
{
	return cairn_alloc_db(dev, (struct cairn_db **)object);
}

static int end_db(void *object)
{
	cairn_free_db(dev, object);
	return 0;
}

#define MANY 1200

/* `count`: how many fit beside what object_setup() made. */
static void use_up(const struct kind *k, unsigned int count)
{
	struct rng rng = { test_seed() };
	void *object[MANY], *none;
	unsigned int n = 0;
	uint64_t calls;
	int err;

	while (n < MANY && !(err = k->make(&object[n])))
		n++;
	if (n != count || (err != -ENOSPC && err != -ENOMEM))
		fail_msg("%s: %u instead of %u, then %d: %s", k->name, n, count, err,
			 cairn_last_error());
	assert_message(k->message);
	for (int i = 0; i < 50; i++) { /* whichever goes, one more comes, and only one */
		unsigned int gone = (unsigned int)rng_below(&rng, n);

		assert_int_equal(k->end(object[gone]), 0);
		assert_int_equal(k->make(&object[gone]), 0);
		calls = fakes[0].commands;
		assert_int_not_equal(k->make(&none), 0);
		assert_int_equal(fakes[0].commands, calls); /* the device is not even asked */
	}
	while (n)
		assert_int_equal(k->end(object[--n]), 0);
	assert_int_equal(k->make(&none), 0);
	assert_int_equal(k->end(none), 0);
}

static void pds(void **state)
{
	(void)state;
	assert_int_equal(dev->caps.max_pd, 1023);
	use_up(&(struct kind){ "PD", make_pd, end_pd, "all 1023 protection domains" },
	       dev->caps.max_pd - 1); /* object_setup() has one */
}

static void cqs(void **state)
{
	(void)state;
	assert_int_equal(dev->caps.max_cq, 128);
	use_up(&(struct kind){ "CQ", make_cq, end_cq, "all 128 CQs are in use" }, 127);
}

static int make_cq_on_vector_0(void **object)
{
	return cairn_create_cq(dev, 1, 0, NULL, NULL, (struct cairn_cq **)object);
}

/* A program with one channel has all its CQs on one vector. */
static void cqs_of_one_vector(void **state)
{
	struct cairn_opts opts = test_opts();

	(void)state;
	fakes[0].caps.max_cq = 1024;
	opts.cqs_log2 = 10;
	opts.comp_vectors = 4;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	assert_int_equal(dev->caps.max_cq, 1024);
	use_up(&(struct kind){ "CQ", make_cq_on_vector_0, end_cq, "all 1024 CQs are in use" },
	       1024);
	cairn_close(dev);
}

static void qps(void **state)
{
	(void)state;
	assert_int_equal(dev->caps.max_qp, 254); /* QPNs 0 and 1 are not among these */
	use_up(&(struct kind){ "QP", make_qp, end_qp, "all 254 QPs are in use" }, 254);
}

static void srqs(void **state)
{
	(void)state;
	assert_int_equal(dev->caps.max_srq, 32);
	use_up(&(struct kind){ "SRQ", make_srq, end_srq, "all 32 SRQs are in use" }, 32);
}

static void mrs(void **state)
{
	(void)state;
	assert_int_equal(dev->caps.max_mr, 255);
	assert_int_equal(dev->caps.max_mw, 255);
	use_up(&(struct kind){ "MR", make_mr, end_mr, "all 255 memory regions" }, 255);
}

static void mws(void **state)
{
	(void)state;
	use_up(&(struct kind){ "MW", make_mw, end_mw, "all 255 memory regions and windows" }, 255);
}

static void ahs(void **state)
{
	static const uint8_t gid[16] = { 0xfe, 0x80, [15] = 1 };

	(void)state;
	dev->caps.max_ah = 1000;
	assert_int_equal(cairn_set_gid(dev, 0, gid, 0), 0);
	use_up(&(struct kind){ "AH", make_ah, end_ah, "all 1000 address handles" }, 1000);
	dev->caps.max_ah = 0;
	assert_int_equal(make_ah(&(void *){ NULL }), -EOPNOTSUPP);
}

static void doorbell_pages(void **state)
{
	(void)state;
	/* page 0 is the driver's, one is shared */
	use_up(&(struct kind){ "page", make_db, end_db, "all 16 doorbell pages" }, 14);
}

static void gids(void **state)
{
	uint8_t gid[16] = { 0xfd }, none[16] = { 0 };
	unsigned int n = 0;

	(void)state;
	for (;; n++) {
		gid[15] = (uint8_t)(n + 1);
		if (cairn_set_gid(dev, n, gid, 0))
			break;
	}
	assert_int_equal(n, dev->caps.max_gid);
	assert_int_equal(cairn_set_gid(dev, CAIRN_MAX_GIDS, gid, 0), -EINVAL);
	assert_message("GID index");
	assert_int_equal(cairn_set_gid(dev, 1, none, 0), -EINVAL);
	assert_message("address :: as GID 1: SET_GID of 1: ");
	assert_int_equal(cairn_set_gid(dev, 5, NULL, 0), 0);
	assert_int_equal(cairn_query_gid(dev, 5, gid, NULL), -ENOENT);
	assert_int_equal(cairn_set_gid(dev, 5, gid, 0), 0);
	assert_int_equal(cairn_query_gid(dev, 5, gid, NULL), 0);
}

/* More threads than the ring has slots: each waits for its turn and gets its own answer. */
static void *many_commands(void *arg)
{
	struct cairn_pd *mine;

	for (int i = 0; i < 20; i++) {
		if (cairn_alloc_pd(dev, &mine) || cairn_dealloc_pd(mine))
			return arg;
	}
	return NULL;
}

static void command_slots(void **state)
{
	pthread_t thread[CMDQ_ENTRIES + 20];

	(void)state;
	fakes[0].reorder = true;
	dev->timeout_ns = 100000000000ull;
	for (unsigned int i = 0; i < CMDQ_ENTRIES + 20; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, many_commands, dev), 0);
	for (unsigned int i = 0; i < CMDQ_ENTRIES + 20; i++) {
		void *failed;

		pthread_join(thread[i], &failed);
		assert_null(failed);
	}
}

/* ---- how numbers are picked ---- */

/* Neighbours in the order of creation are neighbours in number as rarely as chance has it. */
static void qpns_are_random(void **state)
{
	struct cairn_qp *qp;
	uint32_t last[2] = { 0, 0 };
	unsigned int runs = 0, bits[8] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 1000; i++) {
		void *object;

		assert_int_equal(make_qp(&object), 0);
		qp = object;
		runs += qp->qpn == last[0] + 1 && last[0] == last[1] + 1;
		for (unsigned int b = 0; b < 8; b++)
			bits[b] += qp->qpn >> b & 1;
		last[1] = last[0];
		last[0] = qp->qpn;
		assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
	}
	assert_in_range(runs, 0, 3); /* 1000 / 256^2 by chance */
	for (unsigned int b = 0; b < 8; b++)
		assert_in_range(bits[b], 400, 600);
}

/* A QPN rests while a quarter of all are taken and given back. */
static void qpns_rest(void **state)
{
	uint32_t when[256] = { 0 };

	(void)state;
	for (uint32_t i = 1; i <= 2000; i++) {
		void *object;
		uint32_t qpn;

		assert_int_equal(make_qp(&object), 0);
		qpn = ((struct cairn_qp *)object)->qpn;
		if (when[qpn])
			assert_true(i - when[qpn] > 64);
		when[qpn] = i;
		assert_int_equal(end_qp(object), 0);
	}
}

static void check_chi_square(const uint32_t *bin)
{
	double sum = 0, mean = 100000.0 / 4096;

	for (unsigned int i = 0; i < 4096; i++)
		sum += (bin[i] - mean) * (bin[i] - mean) / mean;
	assert_in_range((unsigned int)sum, 3600, 4600); /* 4095, five deviations of 90 */
}

/* Chi-square over 100,000: the upper and the lower half, and what one has in common
 * with the next. */
static void psns_are_random(void **state)
{
	static uint32_t bin[4][4096];
	uint32_t last = 0;

	(void)state;
	memset(bin, 0, sizeof(bin));
	for (unsigned int i = 0; i < 100000; i++) {
		uint32_t psn = cairn_random_psn(dev);

		assert_in_range(psn, 0, 0xffffff);
		bin[0][psn >> 12]++;
		bin[1][psn & 0xfff]++;
		bin[2][(psn - last) >> 12 & 0xfff]++;
		bin[3][(psn ^ last) & 0xfff]++;
		last = psn;
	}
	for (unsigned int k = 0; k < 4; k++)
		check_chi_square(bin[k]);
}

/* 255 registrations of an index have 255 tags; a key comes back after 256 at the earliest. */
static void key_tags(void **state)
{
	static uint16_t count[256][256];
	uint32_t total = 0, last = 0, next_to_last = 0;

	(void)state;
	memset(count, 0, sizeof(count));
	for (unsigned int i = 0; i < 20000; i++) {
		struct cairn_mr *mr;
		void *object;

		assert_int_equal(make_mr(&object), 0);
		mr = object;
		assert_in_range(mr->key >> 8, 1, 255);
		next_to_last += mr->key >> 8 == last + 1;
		last = mr->key >> 8;
		count[mr->key >> 8][mr->key & 0xff]++;
		assert_int_equal(end_mr(object), 0);
	}
	for (unsigned int k = 1; k < 256; k++) {
		unsigned int uses = 0, most = 0;

		for (unsigned int t = 0; t < 256; t++) {
			uses += count[k][t];
			most = count[k][t] > most ? count[k][t] : most;
		}
		total += uses;
		assert_true(most <= uses / 256 + 1); /* tags go round */
		assert_in_range(uses, 20, 200);	     /* 78 on average: no index is preferred */
	}
	assert_int_equal(total, 20000);
	assert_in_range(next_to_last, 30, 150); /* as often as chance: 78 */
}

/* Two opens without a seed share nothing: keys, QPNs and PSNs cannot be told from those of a run
 * before.
 */
static void not_repeated(void **state)
{
	uint32_t key[2][40], qpn[2][40], psn[2][40];
	unsigned int same = 0;

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct cairn_opts opts = test_opts();
		struct cairn_dev *other;
		struct cairn_pd *p;
		struct cairn_cq *c;

		opts.seed = 0;
		unsetenv("SEED");
		assert_int_equal(cairn_open("fake:1", &opts, &other), 0);
		assert_int_equal(cairn_alloc_pd(other, &p), 0);
		assert_int_equal(cairn_create_cq(other, 1, CAIRN_ANY, NULL, NULL, &c), 0);
		for (int i = 0; i < 40; i++) {
			struct cairn_qp_init init = { .type = CAIRN_QP_TYPE_RC,
						      .send_cq = c,
						      .recv_cq = c,
						      .qpn = CAIRN_ANY };
			struct cairn_mr *mr;
			struct cairn_qp *qp;

			assert_int_equal(cairn_reg_mr(p, memory, 64, 0, 0, &mr), 0);
			assert_int_equal(cairn_create_qp(p, &init, &qp), 0);
			key[round][i] = mr->key;
			qpn[round][i] = qp->qpn;
			psn[round][i] = cairn_random_psn(other);
			assert_int_equal(cairn_dereg_mr(mr), 0);
			assert_int_equal(cairn_destroy_qp(qp, NULL), 0);
		}
		assert_int_equal(cairn_destroy_cq(c), 0);
		assert_int_equal(cairn_dealloc_pd(p), 0);
		cairn_close(other);
	}
	for (int i = 0; i < 40; i++)
		same += (key[0][i] == key[1][i]) + (qpn[0][i] == qpn[1][i]) +
			(psn[0][i] == psn[1][i]);
	assert_in_range(same, 0, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OBJECT_TEST(pds),
		OBJECT_TEST(cqs),
		DRIVER_TEST(cqs_of_one_vector),
		OBJECT_TEST(qps),
		OBJECT_TEST(srqs),
		OBJECT_TEST(mrs),
		OBJECT_TEST(mws),
		OBJECT_TEST(ahs),
		OBJECT_TEST(doorbell_pages),
		OBJECT_TEST(gids),
		OBJECT_TEST(command_slots),
		OBJECT_TEST(qpns_are_random),
		OBJECT_TEST(qpns_rest),
		OBJECT_TEST(psns_are_random),
		OBJECT_TEST(key_tags),
		OBJECT_TEST(not_repeated),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
