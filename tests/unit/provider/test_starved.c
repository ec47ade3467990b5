// SPDX-License-Identifier: Apache-2.0
/*
 * A program short of memory, descriptors or threads: a life with one of every object is led again
 * and again, and in the n-th life the n-th allocation or system call fails, for all n.  The verb
 * that needed it fails with the errno of what failed, all that was made can be unmade, no
 * descriptor, mapping or memory (LeakSanitizer) stays, and the next life is a good one.  And the
 * limit on file sizes is an errno, never a signal.  The device is a PCI function, for which the
 * provider makes a page of latencies (latency.c): what fails there fails no verb.
 */
#include <dirent.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "alias_bus.h"
#define BENCH_ADDR ALIAS_FUNCTION
#include "provider_test.h"

#define NEVER UINT32_MAX

/* Calls until one fails; of this thread only, so that each life meets the same. */
static __thread uint32_t countdown = NEVER;
static int injected; /* errno of what failed; 0: nothing did */

static bool fails(int err)
{
	if (countdown == NEVER || countdown--)
		return false;
	injected = errno = err;
	return true;
}

#define WRAP(type, name, args, pass, err, failure)                \
	type __real_##name args;                                  \
	type __wrap_##name args;                                  \
	type __wrap_##name args                                   \
	{                                                         \
		return fails(err) ? failure : __real_##name pass; \
	}

WRAP(void *, malloc, (size_t size), (size), ENOMEM, NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), ENOMEM, NULL)
WRAP(void *, realloc, (void *p, size_t size), (p, size), ENOMEM, NULL)
WRAP(char *, strdup, (const char *s), (s), ENOMEM, NULL)
WRAP(void *, tsearch, (const void *key, void **root, int (*compare)(const void *, const void *)),
	(key, root, compare), ENOMEM, NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), ENOMEM, NULL)
WRAP(char *, canonicalize_file_name, (const char *path), (path), ENOMEM, NULL)
WRAP(int, scandirat,
	(int fd, const char *dir, struct dirent ***list, int (*wanted)(const struct dirent *),
	 int (*compare)(const struct dirent **, const struct dirent **)),
	(fd, dir, list, wanted, compare), ENOMEM, -1)
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), EMFILE, -1)
WRAP(int, openat, (int fd, const char *path, int flags, mode_t mode), (fd, path, flags, mode),
	ENFILE, -1)
WRAP(int, eventfd, (unsigned int initial, int flags), (initial, flags), EMFILE, -1)
WRAP(int, memfd_create, (const char *name, unsigned int flags), (name, flags), EMFILE, -1)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), ENFILE, -1)
WRAP(int, socketpair, (int domain, int type, int protocol, int *fds), (domain, type, protocol, fds),
	EMFILE, -1)
WRAP(int, ftruncate, (int fd, off_t len), (fd, len), EFBIG, -1)
WRAP(int, pthread_create,
	(pthread_t * thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg),
	(thread, attr, start, arg), EAGAIN, EAGAIN)

void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (fails(ENOMEM))
		return MAP_FAILED;
	return __real_mmap(at, len, prot, flags, fd, offset);
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

static uint8_t memory[3 * 4096];

struct life {
	struct ibv_device **list;
	struct ibv_context *ctx, *again;
	struct ibv_comp_channel *channel;
	struct ibv_pd *pd, *parent;
	struct ibv_td *td;
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	struct ibv_cq *cq;
	struct ibv_cq_ex *ex;
	struct ibv_srq *srq;
	struct ibv_qp *rc, *ud;
	struct ibv_ah *ah;
};

#define NEED(made)                    \
	do {                          \
		errno = 0;            \
		if (!(made))          \
			return errno; \
	} while (0)
#define NEED_0(call)                \
	do {                        \
		int err = call;     \
		if (err)            \
			return err; \
	} while (0)

static int queues(struct life *l)
{
	struct ibv_cq_init_attr_ex ex = {
		.cqe = 10, .wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK
	};
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 16, .max_sge = 1 } };
	struct ibv_qp_init_attr qp = { .cap = { 300, 300, 2, 2, 60 }, .qp_type = IBV_QPT_UD };
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = PORT };
	union ibv_gid group = { .raw = { 0xff, 0x0e, [15] = 1 } };

	NEED(l->cq = ibv_create_cq(l->ctx, 100, NULL, l->channel, 0));
	NEED_0(ibv_resize_cq(l->cq, 2000));
	NEED(l->ex = ibv_create_cq_ex(l->ctx, &ex));
	NEED(l->srq = ibv_create_srq(l->pd, &srq));
	qp.send_cq = qp.recv_cq = l->cq;
	NEED(l->ud = ibv_create_qp(l->pd, &qp));
	NEED_0(ibv_modify_qp(l->ud, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
	NEED_0(ibv_attach_mcast(l->ud, &group, 0));
	NEED_0(ibv_detach_mcast(l->ud, &group, 0));
	qp.qp_type = IBV_QPT_RC;
	qp.srq = l->srq;
	NEED(l->rc = ibv_create_qp(l->pd, &qp));
	return 0;
}

static int live(struct life *l)
{
	struct ibv_ah_attr ah = { .is_global = 1,
				  .port_num = PORT,
				  .grh = { .dgid = { .raw = { 0xfe, 0x80, [15] = 9 } } } };

	*l = (struct life){ 0 };
	NEED(l->ctx = bench_context());
	NEED(l->list = ibv_get_device_list(NULL));
	NEED(l->again = bench_context());
	NEED(l->channel = ibv_create_comp_channel(l->ctx));
	NEED(l->pd = ibv_alloc_pd(l->ctx));
	NEED(l->td = ibv_alloc_td(l->ctx, &(struct ibv_td_init_attr){ 0 }));
	NEED(l->parent = ibv_alloc_parent_domain(
		     l->ctx, &(struct ibv_parent_domain_init_attr){ .pd = l->pd, .td = l->td }));
	NEED(l->mr = ibv_reg_mr(l->parent, memory + 1, 5000, IBV_ACCESS_LOCAL_WRITE));
	errno = 0;
	if (ibv_rereg_mr(l->mr, IBV_REREG_MR_CHANGE_PD, l->pd, NULL, 0, 0))
		return errno;
	NEED(l->mw = ibv_alloc_mw(l->pd, IBV_MW_TYPE_2));
	NEED(l->ah = ibv_create_ah(l->pd, &ah));
	return queues(l);
}

#define END(object, call)                                  \
	do {                                               \
		if (object)                                \
			assert_int_equal(call(object), 0); \
	} while (0)

static void die(struct life *l)
{
	END(l->rc, ibv_destroy_qp);
	END(l->ud, ibv_destroy_qp);
	END(l->srq, ibv_destroy_srq);
	END(l->cq, ibv_destroy_cq);
	if (l->ex)
		assert_int_equal(ibv_destroy_cq(ibv_cq_ex_to_cq(l->ex)), 0);
	END(l->ah, ibv_destroy_ah);
	END(l->mw, ibv_dealloc_mw);
	END(l->mr, ibv_dereg_mr);
	END(l->parent, ibv_dealloc_pd);
	END(l->td, ibv_dealloc_td);
	END(l->pd, ibv_dealloc_pd);
	END(l->channel, ibv_destroy_comp_channel);
	END(l->again, ibv_close_device);
	END(l->ctx, ibv_close_device);
	if (l->list)
		ibv_free_device_list(l->list);
}

static void each_call_fails_once(void **state)
{
	unsigned int files = open_files(), failed = 0;
	struct life l;

	(void)state;
	for (uint32_t n = 0;; n++) {
		int err;

		assert_true(n < 2000);
		injected = 0;
		countdown = n;
		err = live(&l);
		countdown = NEVER;
		/* errno of what failed, unless the program could do without */
		if (err && err != injected)
			fail_msg("call %u fails with errno %d, the verb with %d: %s", n, injected,
				 err, cairn_last_error());
		failed += err != 0;
		die(&l);
		assert_int_equal(fakes[0].n_maps, 0);
		assert_int_equal(open_files(), files);
		if (!injected)
			break;
		assert_int_equal(live(&l), 0);
		assert_non_null(bench_nic()->lat.page);
		die(&l);
	}
	assert_in_range(failed, 60, 2000);
}

/* A NIC that was never seen: a socket, and its name beside it. */
static void put_nic(const char *dir, uint32_t n)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	char path[128];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	FILE *facts;

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/nic%u.sock", dir, n);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	close(fd);
	setenv("CAIRN_SOCKETS", at.sun_path, 1);
	snprintf(path, sizeof(path), "%s/nic%u.json", dir, n);
	facts = fopen(path, "we");
	fprintf(facts, "{\"name\": \"starved_%u\"}", n);
	fclose(facts);
}

static void take_nic(const char *dir, uint32_t n)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/nic%u.sock", dir, n);
	unlink(path);
	snprintf(path, sizeof(path), "%s/nic%u.json", dir, n);
	unlink(path);
	unsetenv("CAIRN_SOCKETS");
}

static bool listed(struct ibv_device **list, uint32_t n)
{
	char name[32];
	bool found = false;

	snprintf(name, sizeof(name), "starved_%u", n);
	for (; *list; list++)
		found |= !strcmp(ibv_get_device_name(*list), name);
	return found;
}

/* A list is complete and its names are right, or there is none. */
static void lists_are_complete(void **state)
{
	char dir[] = "/tmp/starved-XXXXXX";
	unsigned int refused = 0;
	struct ibv_device **list;

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (uint32_t n = 0;; n++) {
		put_nic(dir, n);
		injected = 0;
		countdown = n;
		list = ibv_get_device_list(NULL);
		countdown = NEVER;
		if (!list) {
			assert_int_equal(errno, injected);
			refused++;
			list = ibv_get_device_list(NULL);
		}
		assert_non_null(list);
		assert_true(listed(list, n));
		ibv_free_device_list(list);
		take_nic(dir, n);
		if (!injected)
			break;
	}
	assert_in_range(refused, 4, 100);
	rmdir(dir);
}

static volatile sig_atomic_t signals;

static void count(int number)
{
	(void)number;
	signals++;
}

/* The default action of the signal ends the program; and a handler is not called for us. */
static void file_size_limit(void **state)
{
	struct rlimit before, none;
	struct sigaction act = { .sa_handler = count };
	struct life l;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	for (unsigned int i = 0; i < 3; i++) {
		if (i)
			sigaction(SIGXFSZ, &act, NULL);
		if (i == 2) { /* one that is pending is not ours to take */
			sigset_t set;

			sigemptyset(&set);
			sigaddset(&set, SIGXFSZ);
			pthread_sigmask(SIG_BLOCK, &set, NULL);
			pthread_kill(pthread_self(), SIGXFSZ);
		}
		setrlimit(RLIMIT_FSIZE, &none);
		assert_int_equal(live(&l), EFBIG);
		setrlimit(RLIMIT_FSIZE, &before);
		die(&l);
		assert_int_equal(signals, 0);
		if (i == 2) {
			sigset_t set;

			sigemptyset(&set);
			sigaddset(&set, SIGXFSZ);
			pthread_sigmask(SIG_UNBLOCK, &set, NULL);
			assert_int_equal(signals, 1);
		}
	}
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(live(&l), 0);
	die(&l);
}

/* Any number of descriptors is enough, or too few with EMFILE. */
static void descriptor_limit(void **state)
{
	struct rlimit before, few;
	unsigned int good = 0, refused = 0;
	struct life l;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	for (few.rlim_cur = 3; few.rlim_cur < 80; few.rlim_cur++) {
		int err;

		setrlimit(RLIMIT_NOFILE, &few);
		err = live(&l);
		setrlimit(RLIMIT_NOFILE, &before);
		die(&l);
		assert_true(!err || err == EMFILE);
		assert_true(err || few.rlim_cur > 8);
		good += !err;
		refused += err != 0;
	}
	assert_true(good && refused > 8);
}

static int setup(void **state)
{
	int err = test_setup(state);

	alias_start(ALIAS_FUNCTION);
	return err || alias_make_dir() || !bench_nic();
}

static int teardown(void **state)
{
	alias_stop();
	alias_remove_dir();
	return test_teardown(state);
}

#define STARVED_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STARVED_TEST(each_call_fails_once),
		STARVED_TEST(lists_are_complete),
		STARVED_TEST(file_size_limit),
		STARVED_TEST(descriptor_limit),
	};

	return cmocka_run_group_tests_name("starved", tests, NULL, NULL);
}
