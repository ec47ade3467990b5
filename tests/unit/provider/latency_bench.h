/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of latencies share: a run directory with a page of device time that the test
 * makes, a NIC that is opened and closed, requests of a length that is known.
 */
#ifndef LATENCY_BENCH_H
#define LATENCY_BENCH_H

#include "alias_bus.h"
#include "provider_test.h"
#include "rng.h"
#include "sealed.h"

static struct rng rng;
static struct devtime_page *device;
static int time_fd = -1;
static char run[96], said[256];
static struct bench b;

/* ---------------------------------------------------------------- a NIC, open */

static inline void keep_message(void *arg, const char *text)
{
	(void)arg;
	snprintf(said, sizeof(said), "%s", text);
}

static inline void path_of(const char *name, char path[160])
{
	snprintf(path, 160, "%s/%s", run, name);
}

/* The run directory of a simulator, and its page of device time. */
static inline int set_up(void **state)
{
	struct sealed_at at = { DEVTIME_MAGIC, (uint32_t)getpid(), -1, sizeof(*device), { 0 } };
	char path[160];
	int fd;

	test_setup(state);
	cairn_set_log(keep_message, NULL);
	rng.state = test_seed();
	said[0] = '\0';
	unsetenv("CAIRN_STATS");
	if (alias_make_dir())
		return -1;
	snprintf(run, sizeof(run), "%s/cairn", alias_dir);
	mkdir(run, 0700);
	time_fd = sealed_new("test", sizeof(*device), false, (void **)&device);
	memcpy(device->magic, DEVTIME_MAGIC, sizeof(device->magic));
	device->device = 1000000;
	at.fd = time_fd;
	path_of("nic0.time", path);
	fd = sealed_announce(AT_FDCWD, path, &at);
	close(fd);
	return fd < 0 ? -1 : 0;
}

static inline int tear_down(void **state)
{
	alias_remove("cairn/nic0.time");
	alias_remove("cairn/nic0.lat");
	alias_remove("cairn/other");
	alias_remove_dir();
	munmap(device, sizeof(*device));
	close(time_fd);
	cairn_set_log(NULL, NULL);
	return test_teardown(state);
}

/* The provider keeps a NIC of each address as long as the process lives. */
static inline struct nic *nic_of(const char *addr)
{
	static struct nic *known[32];
	unsigned int i = 0;

	while (known[i] && strcmp(known[i]->addr, addr))
		i++;
	if (!known[i])
		known[i] = nic_add(addr, "cairn_5", "/nonexistent/cairn_5");
	assert_non_null(known[i]);
	return known[i];
}

static inline struct nic *open_nic(const char *addr)
{
	struct nic *nic = nic_of(addr);

	alias_start(addr);
	b = (struct bench){ .ctx = ibv_open_device(&nic->ibv) };
	assert_non_null(b.ctx);
	assert_int_equal(bench_objects(&b), 0);
	return nic;
}

static inline struct nic *open_simulated(void)
{
	char path[160];

	path_of("nic0.sock", path);
	return open_nic(path);
}

static inline void close_nic(void)
{
	assert_int_equal(ibv_destroy_qp(&b.qp->ibv), 0);
	assert_int_equal(ibv_destroy_cq(b.cq), 0);
	assert_int_equal(ibv_dealloc_pd(b.pd), 0);
	assert_int_equal(ibv_close_device(b.ctx), 0);
	alias_stop();
}

/* ---------------------------------------------------------------- requests */

static inline int post_at(struct qp *qp, unsigned int n, unsigned int flags)
{
	struct ibv_send_wr wr[4] = { 0 }, *bad;

	for (unsigned int i = 0; i < n; i++)
		wr[i] = (struct ibv_send_wr){ .next = i + 1 < n ? &wr[i + 1] : NULL,
					      .opcode = IBV_WR_SEND,
					      .send_flags = flags };
	return ibv_post_send(&qp->ibv, wr, &bad);
}

static inline void complete(struct qp *qp, uint32_t index, uint64_t timestamp, uint32_t status)
{
	struct ibv_wc wc;

	bench_cqe(&b, (struct cairn_cqe){ .qpn_op = qp->ibv.qp_num,
					  .wqe = (uint32_t)CAIRN_PUT(CAIRN_CQE_WQE_INDEX, index) |
						 CAIRN_CQE_WQE_IS_SQ,
					  .status = status,
					  .timestamp = timestamp });
	assert_int_equal(ibv_poll_cq(b.cq, 1, &wc), 1);
	assert_int_equal(wc.status, status);
}

/* One request that takes so long. */
static inline void one(struct qp *qp, uint64_t ns)
{
	uint32_t at = qp->hw->sq_pi;

	device->device += 8 + rng_u64(&rng) % 1000;
	assert_int_equal(post_at(qp, 1, IBV_SEND_SIGNALED), 0);
	complete(qp, at, device->device + ns, 0);
}

static inline const struct lat_slot *slot_of(const struct nic *nic, const struct qp *qp)
{
	const struct lat_page *page = nic->lat.page;

	for (unsigned int i = page->head.used - 1; i; i--)
		if (page->head.owner[i].qpn == qp->ibv.qp_num)
			return &page->slot[i];
	return &page->slot[0];
}

/* By all slots together, which their buckets agree with. */
static inline uint64_t all_counted(const struct nic *nic)
{
	uint64_t n = 0, in_buckets = 0;

	for (unsigned int i = 0; i < nic->lat.page->head.used; i++) {
		const struct lat_slot *slot = &nic->lat.page->slot[i];

		n += slot->count;
		for (unsigned int bucket = 0; bucket < LAT_BUCKETS; bucket++)
			in_buckets += slot->bucket[bucket];
	}
	assert_int_equal(in_buckets, n);
	return n;
}

static inline void reset_qp(struct qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };

	assert_int_equal(ibv_modify_qp(&qp->ibv, &attr, IBV_QP_STATE), 0);
	assert_int_equal(bench_to_rts(&qp->ibv), 0);
}

#define LATENCY_TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

#endif
