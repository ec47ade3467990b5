// SPDX-License-Identifier: Apache-2.0
/*
 * Debian's librdmacm on /dev/infiniband/rdma_cm as libprovider/cm answers it, over the software
 * device: addresses, ports, states, events, descriptors.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "ucma_test.h"

#define OWN "10.0.0.1"
#define PEER "10.0.0.2"
#define OWN6 "fd00::1"

static struct rdma_event_channel *channel;

/* librdmacm's own: the event of a thread that is cancelled, a group of an ID that goes. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:librdmacm.so";
}

static struct sockaddr_storage address(const char *text, uint16_t port)
{
	struct sockaddr_storage addr = { 0 };
	struct sockaddr_in *v4 = (struct sockaddr_in *)&addr;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&addr;

	if (strchr(text, ':')) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(port);
		assert_int_equal(inet_pton(AF_INET6, text, &v6->sin6_addr), 1);
	} else {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		assert_int_equal(inet_pton(AF_INET, text, &v4->sin_addr), 1);
	}
	return addr;
}

static struct rdma_cm_id *new_id(int ps)
{
	struct rdma_cm_id *id;

	assert_int_equal(rdma_create_id(channel, &id, NULL, (enum rdma_port_space)ps), 0);
	return id;
}

static int bind_to(struct rdma_cm_id *id, const char *text, uint16_t port)
{
	struct sockaddr_storage addr = address(text, port);

	return rdma_bind_addr(id, (struct sockaddr *)&addr) ? errno : 0;
}

static int resolve(struct rdma_cm_id *id, const char *text, int timeout_ms)
{
	struct sockaddr_storage addr = address(text, 7174);

	return rdma_resolve_addr(id, NULL, (struct sockaddr *)&addr, timeout_ms) ? errno : 0;
}

/* The next event is that one. */
static int expect(enum rdma_cm_event_type type, const struct rdma_cm_id *id)
{
	struct rdma_cm_event *event;
	int status;

	assert_int_equal(rdma_get_cm_event(channel, &event), 0);
	assert_int_equal(event->event, type);
	assert_ptr_equal(event->id, id);
	status = event->status;
	assert_int_equal(rdma_ack_cm_event(event), 0);
	return status;
}

static bool shows_event(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	return poll(&pollfd, 1, 0) == 1;
}

/* ---------------------------------------------------------------- descriptors */

static void the_device(void **state)
{
	int fd = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC), copy;
	struct stat st;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_false(shows_event(fd));
	copy = dup(fd);
	assert_false(shows_event(copy));
	assert_int_equal(close(copy), 0);
	assert_int_equal(close(fd), 0);
	/* the number is another file's now */
	assert_int_equal(open("/dev/null", O_RDWR), fd);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(close(fd), 0);
	fd = open("/dev/infiniband/rdma_cm", O_RDWR);
	assert_false(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	/* closed behind our back: what takes its place is what it is */
	copy = open("/dev/null", O_RDWR);
	assert_int_equal(dup2(copy, fd), fd);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(close(copy), 0);
	fd = open("/dev/infiniband/rdma_cm_", O_RDWR);
	assert_true(fd < 0 && errno == ENOENT);
}

static void waiting(void **state)
{
	struct rdma_cm_event *event;
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);

	(void)state;
	assert_int_equal(fcntl(channel->fd, F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(rdma_get_cm_event(channel, &event), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(fcntl(channel->fd, F_SETFL, 0), 0);
	assert_int_equal(resolve(id, PEER, 1000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, id), 0);
	assert_false(shows_event(channel->fd));
	assert_int_equal(rdma_resolve_route(id, 1000), 0);
	assert_true(shows_event(channel->fd));
	/* what nobody has fetched goes with the ID */
	assert_int_equal(rdma_destroy_id(id), 0);
	assert_false(shows_event(channel->fd));
}

static void *wait_for_event(void *arg)
{
	struct rdma_cm_event *event;

	(void)arg;
	rdma_get_cm_event(channel, &event);
	return NULL;
}

/* rping ends its thread so. */
static void cancelled(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);
	pthread_t thread;
	void *how;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, wait_for_event, NULL), 0);
	usleep(10000);
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(pthread_join(thread, &how), 0);
	assert_ptr_equal(how, PTHREAD_CANCELED);
	assert_int_equal(resolve(id, PEER, 1000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, id), 0);
	assert_int_equal(rdma_destroy_id(id), 0);
}

/* A channel that is closed while a thread waits for an event: it waits on, as in the kernel. */
static void closed_while_waiting(void **state)
{
	struct rdma_event_channel *mine = channel;
	pthread_t thread;
	void *how;

	(void)state;
	channel = rdma_create_event_channel();
	assert_int_equal(pthread_create(&thread, NULL, wait_for_event, NULL), 0);
	usleep(10000);
	assert_int_equal(close(channel->fd), 0);
	usleep(10000);
	assert_int_equal(pthread_tryjoin_np(thread, &how), EBUSY);
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(pthread_join(thread, &how), 0);
	assert_ptr_equal(how, PTHREAD_CANCELED);
	free(channel);
	channel = mine;
}

static void forked(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);
	int status;
	pid_t child;

	(void)state;
	child = fork();
	if (!child) {
		/* the parent's: neither used nor disturbed */
		bool good = bind_to(id, OWN, 0) == ENODEV && !close(channel->fd);

		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(bind_to(id, OWN, 0), 0);
	assert_int_equal(rdma_destroy_id(id), 0);
}

static void moved(void **state)
{
	struct rdma_event_channel *other = rdma_create_event_channel(), *first = channel;
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);

	(void)state;
	assert_int_equal(resolve(id, PEER, 1000), 0);
	while (!shows_event(channel->fd))
		usleep(1000);
	assert_int_equal(rdma_migrate_id(id, other), 0);
	assert_false(shows_event(first->fd));
	assert_true(shows_event(other->fd));
	channel = other;
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, id), 0);
	assert_int_equal(rdma_destroy_id(id), 0);
	channel = first;
	rdma_destroy_event_channel(other);
}

/* ---------------------------------------------------------------- addresses */

static void binding(void **state)
{
	struct rdma_cm_id *a = new_id(RDMA_PS_TCP), *b = new_id(RDMA_PS_TCP), *c;
	int yes = 1;

	(void)state;
	assert_int_equal(bind_to(a, "10.9.9.9", 0), EADDRNOTAVAIL);
	assert_int_equal(bind_to(a, OWN, 7174), 0);
	assert_non_null(a->verbs);
	assert_int_equal(a->port_num, 1);
	assert_int_equal(ntohs(rdma_get_src_port(a)), 7174);
	assert_int_equal(bind_to(a, OWN, 7175), EINVAL); /* once */
	assert_int_equal(bind_to(b, OWN, 7174), EADDRINUSE);
	assert_int_equal(bind_to(b, "0.0.0.0", 7174), EADDRINUSE);
	assert_int_equal(bind_to(b, OWN6, 7174), 0); /* another address */
	c = new_id(RDMA_PS_UDP);		     /* another space */
	assert_int_equal(bind_to(c, OWN, 7174), 0);
	assert_int_equal(rdma_destroy_id(b), 0);
	assert_int_equal(rdma_destroy_id(c), 0);
	assert_int_equal(rdma_destroy_id(a), 0);
	a = new_id(RDMA_PS_TCP);
	b = new_id(RDMA_PS_TCP);
	assert_int_equal(
		rdma_set_option(a, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &yes, sizeof(yes)), 0);
	assert_int_equal(bind_to(a, OWN, 7174), 0);
	assert_int_equal(bind_to(b, OWN, 7174), EADDRINUSE); /* both have to say so */
	assert_int_equal(
		rdma_set_option(b, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &yes, sizeof(yes)), 0);
	assert_int_equal(bind_to(b, OWN, 7174), 0);
	assert_int_equal(rdma_destroy_id(a), 0);
	assert_int_equal(rdma_destroy_id(b), 0);
}

/* Loopback is no NIC's: an ID that is bound to it has none yet, and listens on all.  (libfabric's
 * verbs provider looks into the addresses of NICs only if there is no device in such an ID.) */
static void loopback(void **state)
{
	static const char *const texts[] = { "127.0.0.1", "::1" };

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct rdma_cm_id *id = new_id(RDMA_PS_TCP), *other = new_id(RDMA_PS_TCP);

		assert_int_equal(bind_to(id, texts[i], 7174), 0);
		assert_null(id->verbs);
		assert_int_equal(rdma_get_local_addr(id)->sa_family, i ? AF_INET6 : AF_INET);
		assert_int_equal(ntohs(rdma_get_src_port(id)), 7174);
		assert_int_equal(bind_to(other, "0.0.0.0", 7174), EADDRINUSE);
		assert_int_equal(rdma_listen(id, 1), 0);
		assert_int_equal(rdma_destroy_id(id), 0);
		assert_int_equal(bind_to(other, texts[i], 0), 0);
		assert_int_equal(resolve(other, i ? OWN6 : OWN, 500), 0);
		assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, other), 0);
		assert_non_null(other->verbs);
		assert_int_equal(rdma_destroy_id(other), 0);
	}
}

static void any_port(void **state)
{
	struct rdma_cm_id *id[50];

	(void)state;
	for (unsigned int i = 0; i < 50; i++) {
		id[i] = new_id(RDMA_PS_TCP);
		assert_int_equal(bind_to(id[i], "0.0.0.0", 0), 0);
		assert_in_range(ntohs(rdma_get_src_port(id[i])), 32768, 60999);
		assert_null(id[i]->verbs);
		for (unsigned int k = 0; k < i; k++)
			assert_int_not_equal(rdma_get_src_port(id[i]), rdma_get_src_port(id[k]));
	}
	for (unsigned int i = 0; i < 50; i++)
		assert_int_equal(rdma_destroy_id(id[i]), 0);
}

static void one_family(void **state)
{
	struct rdma_cm_id *v6 = new_id(RDMA_PS_TCP), *v4 = new_id(RDMA_PS_TCP);
	int yes = 1;

	(void)state;
	assert_int_equal(bind_to(v6, "::", 7174), 0);
	assert_int_equal(bind_to(v4, "0.0.0.0", 7174), EADDRINUSE);
	assert_int_equal(rdma_set_option(v6, RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, &yes,
					 sizeof(yes)),
			 -1); /* too late */
	assert_int_equal(errno, EINVAL);
	assert_int_equal(rdma_destroy_id(v6), 0);
	v6 = new_id(RDMA_PS_TCP);
	assert_int_equal(
		rdma_set_option(v6, RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, &yes, sizeof(yes)), 0);
	assert_int_equal(bind_to(v6, "::", 7174), 0);
	assert_int_equal(bind_to(v4, "0.0.0.0", 7174), 0);
	assert_int_equal(rdma_destroy_id(v6), 0);
	assert_int_equal(rdma_destroy_id(v4), 0);
}

static void routes(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);
	uint8_t tos = 0x28, timeout = 20;
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT };
	int mask;

	(void)state;
	assert_int_equal(resolve(id, PEER, 1000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, id), 0);
	assert_int_equal(((struct sockaddr_in *)rdma_get_local_addr(id))->sin_addr.s_addr,
			 inet_addr(OWN));
	assert_int_equal(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, 1), 0);
	assert_int_equal(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, 2), -1);
	assert_int_equal(
		rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, 1), 0);
	assert_int_equal(rdma_resolve_route(id, 1000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ROUTE_RESOLVED, id), 0);
	assert_int_equal(id->route.num_paths, 1);
	assert_int_equal(id->route.path_rec[0].traffic_class, tos);
	assert_int_equal(id->route.path_rec[0].sl, tos >> 5);
	assert_int_equal(id->route.path_rec[0].packet_life_time, timeout - 1);
	assert_int_equal(id->route.path_rec[0].dgid.raw[15], 2);
	assert_int_equal(id->route.path_rec[0].sgid.raw[15], 1);
	assert_int_equal(rdma_init_qp_attr(id, &attr, &mask), 0);
	assert_int_equal(mask,
			 IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	assert_int_equal(attr.port_num, 1);
	attr.qp_state = IBV_QPS_RTR; /* of whom? */
	assert_int_equal(rdma_init_qp_attr(id, &attr, &mask), -1);
	assert_int_equal(rdma_destroy_id(id), 0);
}

/* Nobody answers, as long as the program wants to wait. */
static void no_neighbour(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP), *other = new_id(RDMA_PS_TCP);

	(void)state;
	assert_int_equal(bind_to(other, OWN, 0), 0); /* the port is open: no other commands */
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_TIMEOUT;
	assert_int_equal(resolve(id, PEER, 0), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_ERROR, id), -ETIMEDOUT);
	fakes[0].fail_command = 0; /* the first of several questions */
	fakes[0].fail_status = CAIRN_CMD_STATUS_TIMEOUT;
	assert_int_equal(resolve(id, PEER, 60000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, id), 0);
	assert_int_equal(rdma_destroy_id(id), 0);
	id = new_id(RDMA_PS_TCP);
	assert_int_equal(resolve(id, "0.0.0.0", 100), EINVAL);
	assert_int_equal(rdma_destroy_id(id), 0);
	assert_int_equal(rdma_destroy_id(other), 0);
}

static void groups(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_UDP), *tcp = new_id(RDMA_PS_TCP);
	struct sockaddr_storage group = address("239.1.2.3", 0), none = address(PEER, 0);
	struct rdma_cm_event *event;

	(void)state;
	assert_int_equal(bind_to(id, OWN, 0), 0);
	assert_int_equal(bind_to(tcp, OWN, 0), 0);
	assert_int_equal(rdma_join_multicast(tcp, (struct sockaddr *)&group, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(rdma_join_multicast(id, (struct sockaddr *)&none, NULL), -1);
	assert_int_equal(errno, EADDRNOTAVAIL);
	assert_int_equal(rdma_join_multicast(id, (struct sockaddr *)&group, &group), 0);
	assert_int_equal(rdma_get_cm_event(channel, &event), 0);
	assert_int_equal(event->event, RDMA_CM_EVENT_MULTICAST_JOIN);
	assert_ptr_equal(event->param.ud.private_data, &group);
	assert_int_equal(event->param.ud.qp_num, 0xffffff);
	assert_int_equal(event->param.ud.qkey, RDMA_UDP_QKEY);
	assert_int_equal(event->param.ud.ah_attr.grh.dgid.raw[12], 239);
	assert_int_equal(event->param.ud.ah_attr.grh.dgid.raw[15], 3);
	assert_int_equal(rdma_ack_cm_event(event), 0);
	assert_int_equal(rdma_leave_multicast(id, (struct sockaddr *)&group), 0);
	assert_int_equal(rdma_join_multicast(id, (struct sockaddr *)&group, NULL), 0);
	assert_int_equal(rdma_destroy_id(id), 0); /* with the group, and its event not fetched */
	assert_false(shows_event(channel->fd));
	assert_int_equal(rdma_destroy_id(tcp), 0);
}

/* Before it is their turn. */
static void too_early(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);
	struct rdma_conn_param param = { .qp_num = 5, .private_data = "x", .private_data_len = 1 };
	uint8_t private_data[256] = { 0 };

	(void)state;
	assert_int_equal(resolve(id, PEER, 1000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ADDR_RESOLVED, id), 0);
	assert_true(rdma_connect(id, &param) && errno == EINVAL);
	assert_true(rdma_accept(id, &param) && errno == EINVAL);
	assert_true(rdma_reject(id, NULL, 0) && errno == EINVAL);
	assert_true(rdma_disconnect(id) && errno == EINVAL);
	assert_true(rdma_notify(id, IBV_EVENT_COMM_EST) && errno == EINVAL);
	assert_true(rdma_listen(id, 1) && errno == EINVAL);
	assert_int_equal(rdma_resolve_route(id, 1000), 0);
	assert_int_equal(expect(RDMA_CM_EVENT_ROUTE_RESOLVED, id), 0);
	/* 56 bytes are left of a REQ's 92 */
	param.private_data = private_data;
	param.private_data_len = 57;
	assert_true(rdma_connect(id, &param) && errno == EINVAL);
	param.private_data_len = 56;
	assert_int_equal(rdma_connect(id, &param), 0);
	assert_true(rdma_connect(id, &param) && errno == EINVAL);
	assert_true(rdma_accept(id, &param) && errno == EINVAL);
	assert_true(rdma_disconnect(id) && errno == EINVAL);
	assert_int_equal(rdma_destroy_id(id), 0);
}

/* The NIC goes away under them. */
static void lost(void **state)
{
	struct rdma_cm_id *id = new_id(RDMA_PS_TCP);

	(void)state;
	assert_int_equal(bind_to(id, OWN, 0), 0);
	fakes[0].die_at = 0;
	ibv_query_port(id->verbs, 1, &(struct ibv_port_attr){ 0 });
	assert_int_equal(expect(RDMA_CM_EVENT_DEVICE_REMOVAL, id), 0);
	assert_int_equal(rdma_destroy_id(id), 0);
}

/* librdmacm keeps the device open until the process ends: one for all. */
static int setup(void **state)
{
	(void)state;
	channel = rdma_create_event_channel();
	return channel ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	rdma_destroy_event_channel(channel);
	ucma_ports_closed();
	return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_device), CASE(waiting),    CASE(cancelled), CASE(closed_while_waiting),
		CASE(forked),	  CASE(moved),	    CASE(binding),   CASE(any_port),
		CASE(loopback),	  CASE(one_family), CASE(routes),    CASE(no_neighbour),
		CASE(groups),	  CASE(too_early),  CASE(lost)
	};

	return cmocka_run_group_tests_name("ucma", tests, ucma_setup, NULL);
}
