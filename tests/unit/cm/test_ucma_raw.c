// SPDX-License-Identifier: Apache-2.0
/* Commands to the connection manager's device that librdmacm does not send. */
#include <fcntl.h>
#include <netinet/in.h>
#include <rdma/rdma_user_cm.h>

#include "ucma_test.h"

#define DEVICE "/dev/infiniband/rdma_cm"

static int channel;

/* ---------------------------------------------------------------- commands */

/* What write() says to a command of that length. */
static int raw(uint32_t cmd, const void *body, uint16_t in, uint16_t out)
{
	uint8_t bytes[1024] = { 0 };
	struct rdma_ucm_cmd_hdr hdr = { .cmd = cmd, .in = in, .out = out };

	memcpy(bytes, &hdr, sizeof(hdr));
	if (body)
		memcpy(bytes + sizeof(hdr), body, in);
	return write(channel, bytes, sizeof(hdr) + in) < 0 ? errno : 0;
}

static void malformed(void **state)
{
	struct rdma_ucm_create_id_resp resp;
	struct rdma_ucm_create_id create = { .uid = 1,
					     .response = (uintptr_t)&resp,
					     .ps = RDMA_PS_TCP };
	struct rdma_ucm_destroy_id destroy = { .response = (uintptr_t)&resp, .id = 12345 };
	struct rdma_ucm_cmd_hdr hdr = { .cmd = RDMA_USER_CM_CMD_CREATE_ID, .in = sizeof(create) };

	(void)state;
	assert_int_equal(write(channel, "abc", 3), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(write(channel, &hdr, sizeof(hdr)), -1); /* shorter than it says */
	assert_int_equal(errno, EINVAL);
	assert_int_equal(raw(RDMA_USER_CM_CMD_JOIN_MCAST + 1, NULL, 400, 0), EINVAL);
	assert_int_equal(raw(0xffffffff, NULL, 400, 0), EINVAL);
	assert_int_equal(raw(RDMA_USER_CM_CMD_GET_OPTION, NULL, 400, 400), EINVAL);
	assert_int_equal(raw(RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create), 3), ENOSPC);
	assert_int_equal(raw(RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create) - 1, 8), EINVAL);
	create.ps = 77;
	assert_int_equal(raw(RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create), 8), EINVAL);
	create.ps = RDMA_PS_IB;
	create.qp_type = IBV_QPT_XRC_RECV;
	assert_int_equal(raw(RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create), 8), EOPNOTSUPP);
	assert_int_equal(raw(RDMA_USER_CM_CMD_DESTROY_ID, &destroy, sizeof(destroy), 8), ENOENT);
	for (uint32_t cmd = 0; cmd <= RDMA_USER_CM_CMD_JOIN_MCAST; cmd++) {
		uint8_t nobody[800];

		memset(nobody, 0x5a, sizeof(nobody));
		if (cmd != RDMA_USER_CM_CMD_GET_EVENT)
			assert_int_not_equal(raw(cmd, nobody, sizeof(nobody), 800), 0);
		assert_int_equal(raw(cmd, nobody, 2, 800), EINVAL);
	}
}

/* An ID of one channel does not belong to another. */
static void whose(void **state)
{
	int other = open(DEVICE, O_RDWR), mine = channel;
	struct rdma_ucm_create_id_resp resp;
	struct rdma_ucm_create_id create = { .uid = 1,
					     .response = (uintptr_t)&resp,
					     .ps = RDMA_PS_TCP };
	struct rdma_ucm_listen listen = { 0 };

	(void)state;
	assert_int_equal(raw(RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create), sizeof(resp)), 0);
	listen.id = resp.id;
	channel = other;
	assert_int_equal(raw(RDMA_USER_CM_CMD_LISTEN, &listen, sizeof(listen), 0), EINVAL);
	channel = mine;
	assert_int_equal(raw(RDMA_USER_CM_CMD_LISTEN, &listen, sizeof(listen), 0), 0);
	assert_int_equal(raw(RDMA_USER_CM_CMD_LISTEN, &listen, sizeof(listen), 0), EINVAL);
	close(other);
}

static int setup(void **state)
{
	ucma_setup(state);
	channel = open(DEVICE, O_RDWR | O_CLOEXEC);
	return channel < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	assert_int_equal(close(channel), 0);
	return ucma_teardown(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(malformed, setup, teardown),
		cmocka_unit_test_setup_teardown(whose, setup, teardown),
	};

	return cmocka_run_group_tests_name("ucma_raw", tests, NULL, NULL);
}
