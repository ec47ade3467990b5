// SPDX-License-Identifier: Apache-2.0
/*
 * Everything fails once: each allocation, each system call that makes a resource, each map, each
 * command with each kind of status, each call of the bus (the device vanishes there).  Whatever
 * happens, calls return an error or succeed, what was made can be unmade, nothing is left over
 * (maps, descriptors, memory: LeakSanitizer), and the next try works.
 */
#include <dirent.h>
#include <search.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver_test.h"

/* The linker sends the driver's calls here (--wrap); countdown 0 is the one that fails. */
static unsigned int countdown = FAKE_NEVER;

static bool fails(void)
{
	return countdown != FAKE_NEVER && countdown-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
char *__real_strdup(const char *s);
void *__real_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
int __real_eventfd(unsigned int initial, int flags);
int __real_memfd_create(const char *name, unsigned int flags);
int __real_ftruncate(int fd, off_t len);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__wrap_strdup(const char *s);
void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
int __wrap_eventfd(unsigned int initial, int flags);
int __wrap_memfd_create(const char *name, unsigned int flags);
int __wrap_ftruncate(int fd, off_t len);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
	return fails() ? NULL : __real_tsearch(key, root, compare);
}

int __wrap_eventfd(unsigned int initial, int flags)
{
	errno = EMFILE;
	return fails() ? -1 : __real_eventfd(initial, flags);
}

int __wrap_memfd_create(const char *name, unsigned int flags)
{
	errno = EMFILE;
	return fails() ? -1 : __real_memfd_create(name, flags);
}

int __wrap_ftruncate(int fd, off_t len)
{
	errno = ENOSPC;
	return fails() ? -1 : __real_ftruncate(fd, len);
}

static unsigned int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* One of everything. */
struct world {
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	struct cairn_mr *direct, *paged;
	struct cairn_db *db;
	struct cairn_cq *cq;
	struct cairn_srq *srq;
	struct cairn_qp *qp;
	struct cairn_ah *ah;
	struct cairn_dma dma;
};

static int build(struct world *w)
{
	static uint8_t memory[3 * 4096];
	struct cairn_opts opts = test_opts();
	struct cairn_srq_init srq = { .max_wr = 16, .max_sge = 1 };
	struct cairn_ah_attr ah = { .dgid = { [10] = 0xff, 0xff, 10, 0, 0, 2 } };
	struct cairn_qp_attr attr = { .state = CAIRN_QP_STATE_INIT };
	struct cairn_qp_init qp = { .type = CAIRN_QP_TYPE_RC, .max_send_wr = 4, .qpn = CAIRN_ANY };
	int err;

	memset(w, 0, sizeof(*w));
	opts.timeout_ms = 5;
	err = cairn_open("fake:0", &opts, &w->dev);
	if (!err)
		err = cairn_alloc_pd(w->dev, &w->pd);
	if (!err)
		err = cairn_reg_mr(w->pd, memory + 1, 5000, 0, CAIRN_ACCESS_LOCAL_WRITE,
				   &w->direct);
	if (!err)
		err = cairn_rereg_mr(w->direct, w->pd, memory + 2, 4000, 0, 0);
	if (!err)
		err = cairn_reg_mr_kind(w->pd, memory + 7, 5000, (uintptr_t)memory + 7, 0,
					CAIRN_MR_USE_PAGED, &w->paged);
	if (!err)
		err = cairn_alloc_db(w->dev, &w->db);
	if (!err)
		err = cairn_create_cq(w->dev, 100, 0, w->db, w, &w->cq);
	if (!err)
		err = cairn_resize_cq(w->cq, 1000);
	if (!err)
		err = cairn_create_srq(w->pd, &srq, &w->srq);
	qp.send_cq = qp.recv_cq = w->cq;
	qp.srq = w->srq;
	if (!err)
		err = cairn_create_qp(w->pd, &qp, &w->qp);
	if (!err)
		err = cairn_modify_qp(w->qp, &attr, CAIRN_QP_MASK_STATE);
	if (!err)
		err = cairn_create_ah(w->pd, &ah, &w->ah);
	if (!err)
		err = cairn_dma_alloc(w->dev, 3 << 20, &w->dma);
	return err;
}

/* Unmake what is there.  A step that is refused (a command that fails) is tried once more. */
#define TWICE(call)                                \
	do {                                       \
		if (call)                          \
			assert_int_equal(call, 0); \
	} while (0)

static void unbuild(struct world *w)
{
	if (w->dma.va)
		cairn_dma_free(w->dev, &w->dma);
	if (w->ah)
		TWICE(cairn_destroy_ah(w->ah));
	if (w->qp)
		TWICE(cairn_destroy_qp(w->qp, NULL));
	if (w->srq)
		TWICE(cairn_destroy_srq(w->srq));
	if (w->cq)
		TWICE(cairn_destroy_cq(w->cq));
	if (w->db)
		cairn_free_db(w->dev, w->db);
	if (w->paged)
		TWICE(cairn_dereg_mr(w->paged));
	if (w->direct)
		TWICE(cairn_dereg_mr(w->direct));
	if (w->pd)
		TWICE(cairn_dealloc_pd(w->pd));
	if (w->dev)
		cairn_close(w->dev);
}

/* Build and unbuild with the n-th fault of some kind, for all n until no fault is met any more. */
static unsigned int exhaust(uint32_t *fault, unsigned int max)
{
	unsigned int n, files = open_files(), failed = 0;

	for (n = 0; n < max; n++) {
		struct world w;
		int err;

		*fault = n;
		err = build(&w);
		if (err) {
			assert_true(err < 0 && err > -4096);
			assert_true(cairn_last_error()[0]);
			failed++;
		}
		unbuild(&w);
		assert_int_equal(fakes[0].n_maps, 0);
		assert_false(fakes[0].open);
		assert_int_equal(open_files(), files);
		if (*fault != FAKE_NEVER)
			break; /* there are fewer than n */
		/* The next try works. */
		assert_int_equal(build(&w), 0);
		unbuild(&w);
	}
	*fault = FAKE_NEVER;
	assert_true(n < max);
	return failed;
}

static void each_allocation(void **state)
{
	(void)state;
	assert_in_range(exhaust(&countdown, 2000), 40, 2000);
}

static void each_map(void **state)
{
	(void)state;
	assert_in_range(exhaust(&fakes[0].map_error, 100), 4, 100);
}

static void each_command(void **state)
{
	static const uint32_t statuses[] = { CAIRN_CMD_STATUS_BAD_PARAM, CAIRN_CMD_STATUS_BUSY,
					     CAIRN_CMD_STATUS_TIMEOUT, CAIRN_CMD_STATUS_INTERNAL };

	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		fakes[0].fail_status = statuses[i];
		assert_in_range(exhaust(&fakes[0].fail_command, 100), 20, 100);
	}
}

static void each_answer_missing(void **state)
{
	(void)state;
	assert_in_range(exhaust(&fakes[0].drop_command, 100), 20, 100);
}

static void device_vanishes_at_each_call(void **state)
{
	(void)state;
	assert_in_range(exhaust(&fakes[0].die_at, 2000), 50, 2000);
}

#define LARGE_CQ 32768u

/* Creations that fail give their numbers, page lists and memory back: more of them than there are
 * numbers. */
static void failures_use_nothing_up(void **state)
{
	static uint8_t memory[2 * 4096];
	struct cairn_srq_init srq_init = { .max_wr = 16, .max_sge = 1 };
	struct cairn_ah_attr ah_attr = { .dgid = { [10] = 0xff, 0xff, 10, 0, 0, 2 } };
	unsigned int maps;
	struct world w, more;

	(void)state;
	fakes[0].caps.max_pd = 300;
	fakes[0].caps.max_mtt = 1024;
	assert_int_equal(build(&w), 0);
	maps = fakes[0].n_maps;
	fakes[0].fail_status = CAIRN_CMD_STATUS_BUSY; /* not what running out looks like */
	for (int i = 0; i < 400; i++) {
		struct cairn_qp_init qp_init = { .send_cq = w.cq,
						 .recv_cq = w.cq,
						 .qpn = CAIRN_ANY };

		fakes[0].fail_command = 0;
		assert_int_equal(cairn_alloc_pd(w.dev, &more.pd), -EBUSY);
		fakes[0].fail_command = 0;
		assert_int_equal(cairn_reg_mr_kind(w.pd, memory, 5000, (uintptr_t)memory, 0,
						   CAIRN_MR_USE_PAGED, &more.paged),
				 -EBUSY);
		fakes[0].map_error = 0;
		assert_int_equal(cairn_reg_mr(w.pd, memory, 5000, 0, 0, &more.direct), -ENOMEM);
		fakes[0].fail_command = 0;
		assert_int_equal(cairn_create_cq(w.dev, 1, 0, NULL, NULL, &more.cq), -EBUSY);
		fakes[0].map_error = 0; /* its ring has a map of its own */
		assert_int_equal(cairn_create_cq(w.dev, LARGE_CQ, 0, NULL, NULL, &more.cq),
				 -ENOMEM);
		fakes[0].fail_command = 0;
		assert_int_equal(cairn_create_srq(w.pd, &srq_init, &more.srq), -EBUSY);
		fakes[0].fail_command = 0;
		assert_int_equal(cairn_create_qp(w.pd, &qp_init, &more.qp), -EBUSY);
		fakes[0].fail_command = 0;
		assert_int_equal(cairn_create_ah(w.pd, &ah_attr, &more.ah), -EBUSY);
	}
	assert_int_equal(fakes[0].n_maps, maps);
	unbuild(&w); /* nothing is in use by what was never made */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DRIVER_TEST(each_allocation),
		DRIVER_TEST(each_map),
		DRIVER_TEST(each_command),
		DRIVER_TEST(each_answer_missing),
		DRIVER_TEST(device_vanishes_at_each_call),
		DRIVER_TEST(failures_use_nothing_up),
	};

	return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
