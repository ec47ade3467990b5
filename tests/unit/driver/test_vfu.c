// SPDX-License-Identifier: Apache-2.0
/* The socket bus against a server of the test's own: all of the driver's life over it, and servers
 * that misbehave. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver_test.h"
#include "fake_server.h"
#include "nic_json.h"

static int setup(void **state)
{
	test_setup(state);
	server_start();
	return 0;
}

static int teardown(void **state)
{
	server_stop();
	if (server.bad) {
		fprintf(stderr, "the server saw %u bad messages\n", server.bad);
		return -1;
	}
	return test_teardown(state);
}

#define VFU_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static int open_it(struct cairn_dev **dev, unsigned int timeout_ms)
{
	struct cairn_opts opts = test_opts();

	opts.timeout_ms = timeout_ms;
	*dev = NULL;
	return cairn_open(server_socket, &opts, dev);
}

/* Something of everything that goes over the socket. */
struct world {
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	struct cairn_mr *mr;
	struct cairn_cq *cq;
	struct cairn_qp *qp;
};

static uint8_t buffer[12288] __attribute__((aligned(4096))); /* the server looks at whole pages */

static int build(struct world *w, unsigned int timeout_ms)
{
	struct cairn_qp_init init = { .type = CAIRN_QP_TYPE_RC,
				      .max_send_wr = 4,
				      .qpn = CAIRN_ANY };
	int err = open_it(&w->dev, timeout_ms);

	w->pd = NULL;
	w->mr = NULL;
	w->cq = NULL;
	w->qp = NULL;
	if (!err)
		err = cairn_alloc_pd(w->dev, &w->pd);
	if (!err)
		err = cairn_reg_mr(w->pd, buffer, sizeof(buffer), 0, CAIRN_ACCESS_LOCAL_WRITE,
				   &w->mr);
	if (!err)
		err = cairn_create_cq(w->dev, 10, 0, NULL, NULL, &w->cq);
	init.send_cq = init.recv_cq = w->cq;
	if (!err)
		err = cairn_create_qp(w->pd, &init, &w->qp);
	return err;
}

static void unbuild(struct world *w)
{
	if (w->qp && cairn_destroy_qp(w->qp, NULL))
		assert_int_equal(cairn_destroy_qp(w->qp, NULL), 0);
	if (w->cq && cairn_destroy_cq(w->cq))
		assert_int_equal(cairn_destroy_cq(w->cq), 0);
	if (w->mr && cairn_dereg_mr(w->mr))
		assert_int_equal(cairn_dereg_mr(w->mr), 0);
	if (w->pd && cairn_dealloc_pd(w->pd))
		assert_int_equal(cairn_dealloc_pd(w->pd), 0);
	cairn_close(w->dev);
}

/* Whether the server has let go of the client, which it does in its own time. */
static void wait_idle(void)
{
	for (int i = 0; i < 2000 && fakes[1].open; i++)
		usleep(1000);
	assert_false(fakes[1].open);
}

static unsigned int events;

static void on_event(void *arg, const struct cairn_event *event)
{
	events++;
	*(void **)arg = event->object;
}

static void whole_life(void **state)
{
	struct world w;
	void *object = NULL;
	uint64_t counter;

	(void)state;
	events = 0;
	server.fd_maps = server.message_maps = server.wide_maps = 0;
	assert_int_equal(build(&w, 5000), 0);
	assert_true(server.fd_maps > 0);
	/* The application's memory without a descriptor, the driver's with one of its own. */
	assert_int_equal(server.message_maps, 1);
	assert_int_equal(server.wide_maps, 0);
	assert_int_equal(cairn_read_counter(w.dev, 3, &counter), 0);
	assert_int_equal(counter, 1000000000003);
	/* Completion, event, interrupt. */
	fake_cqe(&fakes[1], w.cq->cqn, w.qp->qpn);
	fake_event(&fakes[1], 1, CAIRN_EQE_TYPE_CQ, w.cq->cqn, 0);
	assert_int_equal(cairn_wait_event(w.dev, 0, 5000), 1);
	assert_int_equal(cairn_poll_events(w.dev, 0, on_event, &object), 1);
	assert_ptr_equal(object, w.cq);
	assert_non_null(cairn_cq_next(w.cq));
	assert_int_equal(cairn_wait_event(w.dev, 0, 10), 0);
	/* Doorbell and push; a register read after them finds them done. */
	w.qp->sq_pi = 1;
	cairn_sq_ring(w.qp);
	assert_int_equal(cairn_read_counter(w.dev, 3, &counter), 0);
	assert_int_equal(fakes[1].last_db, (uint64_t)w.qp->qpn << 32 | 1);
	assert_int_equal(fakes[1].last_db_offset, w.qp->db->offset);
	w.qp->sq[0].raddr = 0x1122334455667788;
	cairn_sq_push(w.qp);
	assert_int_equal(cairn_read_counter(w.dev, 3, &counter), 0);
	assert_memory_equal(fakes[1].last_push, w.qp->sq, 56);
	unbuild(&w);
	wait_idle();
	/* And again. */
	assert_int_equal(build(&w, 5000), 0);
	unbuild(&w);
}

static void gids_from_the_run_directory(void **state)
{
	static const uint8_t expect[3][16] = {
		{ 0xfe, 0x80, [15] = 7 },
		{ [10] = 0xff, 0xff, 10, 0, 0, 1 },
		{ 0xfd, [15] = 1 },
	};
	char json[80];
	FILE *file;
	struct cairn_dev *dev;
	struct cairn_bus_gid gids[8];
	uint8_t gid[16];
	uint32_t vlan;

	(void)state;
	snprintf(json, sizeof(json), "%s/nic.json", server_dir);
	file = fopen(json, "w");
	fprintf(file,
		"{ \"name\": \"cairn_0\", \"mac\": \"02:..\",\n \"gids\": [ \"fe80::7\", \"::ffff:10.0.0.1\",\n"
		"\"fd00::1\", \"no address\", \"10.0.5.1@5\", \"10.0.5.1@4095\" ], \"other\": [ \"fd00::2\" ] }\n");
	fclose(file);
	assert_int_equal(open_it(&dev, 5000), 0);
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(cairn_query_gid(dev, i, gid, NULL), 0);
		assert_memory_equal(gid, expect[i], 16);
		assert_memory_equal(fakes[1].gids[i], expect[i], 16);
	}
	assert_int_equal(cairn_query_gid(dev, 3, gid, &vlan), 0);
	assert_int_equal(gid[14], 5);
	assert_int_equal(vlan, CAIRN_GID_VLAN | 5);
	assert_int_equal(cairn_query_gid(dev, 4, gid, NULL), -ENOENT);
	cairn_close(dev);
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 2), 2);
	file = fopen(json, "w");
	fprintf(file, "{ \"gids\": [ \"10.1.2.3\", \"unterminated ]");
	fclose(file);
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 8), 1);
	assert_int_equal(gids[0].gid[12], 10);
	unlink(json);
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 8), 0);
}

static void one_owner(void **state)
{
	struct cairn_bus_opts opts = { .timeout_ms = 5000 };
	struct cairn_bus *bus;
	struct cairn_dev *dev;

	(void)state;
	assert_int_equal(open_it(&dev, 5000), 0);
	assert_int_equal(cairn_bus_vfu.open(server_socket, &opts, &bus), -EBUSY);
	assert_message("another process");
	assert_true(server.refused >
		    1); /* it was tried for a while: an owner may just be leaving */
	cairn_close(dev);
}

/* Once somebody else has been refused. */
static void *leave(void *dev)
{
	volatile unsigned int *refused = &server.refused;
	unsigned int before = *refused;

	for (unsigned int i = 0; i < 20000 && *refused == before; i++)
		usleep(1000);
	cairn_close(dev);
	return NULL;
}

/* The owner leaves while it is tried: what was refused before is no loss of what is open now. */
static void owner_leaves(void **state)
{
	const struct cairn_bus_opts opts = { .timeout_ms = 5000 };

	(void)state;
	for (unsigned int i = 0; i < 5; i++) {
		unsigned int refused = server.refused;
		struct cairn_bus *second;
		struct cairn_dev *first;
		pthread_t thread;
		uint32_t id;

		assert_int_equal(open_it(&first, 5000), 0);
		assert_int_equal(pthread_create(&thread, NULL, leave, first), 0);
		assert_int_equal(cairn_bus_vfu.open(server_socket, &opts, &second), 0);
		pthread_join(thread, NULL);
		assert_int_not_equal(server.refused, refused);
		assert_false(atomic_load(&second->gone));
		assert_int_equal(second->ops->read32(second, CAIRN_REG_ID, &id), 0);
		second->ops->close(second);
	}
}

static void nobody_there(void **state)
{
	struct cairn_dev *dev;
	char path[200];

	(void)state;
	server_stop();
	assert_int_equal(open_it(&dev, 5000), -ENOENT); /* not even the directory */
	assert_message("cairn sim");
	assert_int_equal(mkdir(server_dir, 0700), 0);
	assert_int_equal(open_it(&dev, 5000), -ENOENT);
	assert_message("cairn sim");
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[199] = 0;
	assert_int_equal(cairn_open(path, NULL, &dev), -ENAMETOOLONG);
	server_start();
	/* Somebody else's socket. */
	server.bar2_bytes = 4096;
	assert_int_equal(open_it(&dev, 5000), -EPROTO);
	assert_message("no Cairn NIC");
}

/* The n-th message meets the fault, for all n: no hang, no crash, an error, and a new connection
 * works. */
static void each_message(enum server_fault fault, unsigned int timeout_ms, unsigned int step,
			 unsigned int expect)
{
	unsigned int n, failed = 0;

	server.fault = fault;
	for (n = 0; n < 2000; n += step) {
		struct world w;
		int err;

		wait_idle();
		server.fault_at = n;
		err = build(&w, timeout_ms);
		failed += err != 0;
		assert_true(err <= 0);
		unbuild(&w);
		if (server.fault_at != FAKE_NEVER)
			break;
	}
	assert_true(n < 2000);
	assert_in_range(failed, expect, n);
	server.fault_at = FAKE_NEVER;
	wait_idle();
	if (fault == SERVER_SENDS_SHORT)
		fakes[1].errors = 0; /* "mapped", it said, and did not */
	whole_life(NULL);
}

static void server_dies(void **state)
{
	(void)state;
	each_message(SERVER_DIES, 5000, 1, 30);
}

static void server_stalls(void **state)
{
	(void)state;
	each_message(SERVER_STALLS, 40, 6, 5);
}

static void server_lies(void **state)
{
	(void)state;
	each_message(SERVER_SENDS_NONSENSE, 100, 1, 10);
	each_message(SERVER_SENDS_HUGE, 100, 1, 10);
	each_message(SERVER_SENDS_SHORT, 100, 1, 5);
	each_message(SERVER_SENDS_LONG, 100, 1, 10);
	each_message(SERVER_SAYS_NO, 100, 1, 10);
}

static void *wait_for_event(void *arg)
{
	struct cairn_dev *dev = arg;

	return (void *)(intptr_t)cairn_wait_event(dev, CAIRN_VECTOR_ASYNC, -1);
}

static void death_wakes_waiters(void **state)
{
	struct cairn_dev *dev;
	pthread_t thread;
	void *object = dev = NULL, *result;

	(void)state;
	events = 0;
	assert_int_equal(open_it(&dev, 5000), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_event, dev), 0);
	usleep(20000);
	server_drop_client();
	pthread_join(thread, &result);
	assert_int_equal((intptr_t)result, 1);
	assert_true(cairn_dev_gone(dev));
	assert_int_equal(cairn_poll_events(dev, CAIRN_VECTOR_ASYNC, on_event, &object), 1);
	assert_int_equal(events, 1);
	assert_int_equal(cairn_query_port(dev, &(struct cairn_port_attr){ 0 }), -ENODEV);
	assert_message("close");
	cairn_close(dev);
}

/* A server that has only messages to reach memory. */
static void dma_by_message(void **state)
{
	static uint8_t copy[20000], pattern[16384];
	struct cairn_mr *readonly;
	struct world w;
	uint8_t *page =
		mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_int_equal(build(&w, 5000), 0);
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(i * 31 + 7);
	memcpy(buffer, pattern, sizeof(buffer));
	assert_int_equal(server_dma_read(w.mr->iova + 5, copy, 9000), 0);
	assert_memory_equal(copy, pattern + 5, 9000);
	assert_int_equal(server_dma_write(w.mr->iova + 100, pattern, 5000), 0);
	assert_memory_equal(buffer + 100, pattern, 5000);
	assert_int_equal(buffer[99], pattern[99]);
	/* The driver's own memory too. */
	assert_int_equal(server_dma_write(w.cq->mem.iova, pattern, 64), 0);
	assert_memory_equal(w.cq->ring, pattern, 64);
	memset(w.cq->ring, 0, 64);
	/* Outside, across the end, too long, of length zero, without the right. */
	assert_int_equal(server_dma_read(w.mr->map_iova - 8, copy, 8), -EFAULT);
	assert_int_equal(server_dma_read(w.mr->map_iova + w.mr->map_len - 8, copy, 16), -EFAULT);
	assert_int_equal(server_dma_read(w.mr->iova, copy, 16385), -EINVAL);
	assert_int_equal(server_dma_read(w.mr->iova, copy, 0), 0);
	assert_int_equal(server_dma_read(~0ull - 7, copy, 16), -EFAULT);
	assert_int_equal(cairn_reg_mr(w.pd, page, 8192, 0, 0, &readonly), 0);
	assert_int_equal(server_dma_read(readonly->iova, copy, 16), 0);
	assert_int_equal(server_dma_write(readonly->iova, pattern, 16), -EFAULT);
	/* The application took its memory away: an error, no fault of ours. */
	munmap(page, 8192);
	assert_int_equal(server_dma_read(readonly->iova, copy, 16), -EFAULT);
	assert_int_equal(cairn_dereg_mr(readonly), 0);
	unbuild(&w);
}

static unsigned int open_files(void)
{
	unsigned int n = 0;

	for (int fd = 0; fd < 200; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* A child that lives on does not keep the connection. */
static void a_child_lets_go(void **state)
{
	unsigned int files;
	struct world w;
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(build(&w, 5000), 0);
	files = open_files();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct cairn_pd *pd;

		cairn_sq_ring(w.qp); /* goes nowhere */
		_exit(open_files() != files - 2 || cairn_alloc_pd(w.dev, &pd) != -ENODEV ||
		      cairn_destroy_qp(w.qp, NULL) != -ENODEV);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(cairn_query_port(w.dev, &(struct cairn_port_attr){ 0 }), 0);
	unbuild(&w);
}

/* A process that is killed leaves nothing: the server sees it go and the next one
 * gets the device. */
static void killed_process(void **state)
{
	struct world w;
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		if (build(&w, 5000))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	wait_idle();
	assert_int_equal(build(&w, 5000), 0);
	unbuild(&w);
}

/* ---------------------------------------------------------------- threads */

static atomic_bool stop;

static void *ring(void *arg)
{
	struct world *w = arg;

	while (!atomic_load(&stop))
		cairn_sq_ring(w->qp);
	return NULL;
}

static void *call(void *arg)
{
	struct world *w = arg;

	while (!atomic_load(&stop)) {
		uint64_t value = 0;

		if (cairn_read_counter(w->dev, 5, &value) || value != 1000000000005)
			return w;
	}
	return NULL;
}

/* Doorbells without a lock between requests with replies: the stream stays whole. */
static void threads(void **state)
{
	pthread_t thread[6];
	struct world w;
	void *wrong;

	(void)state;
	assert_int_equal(build(&w, 20000), 0);
	atomic_store(&stop, false);
	for (int i = 0; i < 6; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, i % 2 ? ring : call, &w), 0);
	/* until the others have rung, too: who is slow is not wrong */
	for (int i = 0; i < 30 || (fakes[1].doorbells <= 100 && i < 100000); i++) {
		struct cairn_mr *mr;

		assert_int_equal(cairn_reg_mr(w.pd, buffer, sizeof(buffer), 0, 0, &mr), 0);
		assert_int_equal(server_dma_read(mr->iova, buffer + 5000, 4096), 0);
		assert_int_equal(cairn_dereg_mr(mr), 0);
	}
	atomic_store(&stop, true);
	for (int i = 0; i < 6; i++) {
		pthread_join(thread[i], &wrong);
		assert_null(wrong);
	}
	assert_true(fakes[1].doorbells > 100);
	unbuild(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		VFU_TEST(whole_life),
		VFU_TEST(gids_from_the_run_directory),
		VFU_TEST(one_owner),
		VFU_TEST(owner_leaves),
		VFU_TEST(nobody_there),
		VFU_TEST(server_dies),
		VFU_TEST(server_stalls),
		VFU_TEST(server_lies),
		VFU_TEST(death_wakes_waiters),
		VFU_TEST(dma_by_message),
		VFU_TEST(a_child_lets_go),
		VFU_TEST(killed_process),
		VFU_TEST(threads),
	};

	return cmocka_run_group_tests_name("vfu", tests, NULL, NULL);
}
