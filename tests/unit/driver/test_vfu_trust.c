// SPDX-License-Identifier: Apache-2.0
/* The socket bus, who is at the other end: another user's server, directories and files that are
 * not this user's or root's alone. */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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
	return test_teardown(state);
}

static int open_it(struct cairn_dev **dev, unsigned int timeout_ms)
{
	struct cairn_opts opts = test_opts();

	opts.timeout_ms = timeout_ms;
	*dev = NULL;
	return cairn_open(server_socket, &opts, dev);
}

/* In a child of another user: listen on the socket that is there, and count what comes in. */
static pid_t strange_server(int listener)
{
	pid_t child = fork();
	char byte;
	int sock;

	if (child)
		return child;
	if (setresuid(65534, 65534, 65534) || listen(listener, 4))
		_exit(2);
	sock = accept(listener, NULL, NULL);
	_exit(sock < 0 ? 3 : recv(sock, &byte, 1, 0) != 0);
}

/* The directory is ours and the socket's file too, only who listens is not: no byte is sent. */
static void another_users_server(void **state)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status;
	struct cairn_dev *dev;
	pid_t child;

	(void)state;
	if (geteuid()) {
		print_message("only root can be another user: skipped\n");
		skip();
	}
	server_stop();
	assert_int_equal(mkdir(server_dir, 0700), 0);
	strcpy(addr.sun_path, server_socket);
	assert_int_equal(bind(listener, (struct sockaddr *)&addr, sizeof(addr)), 0);
	child = strange_server(listener);
	for (int err = -ECONNREFUSED, i = 0; err == -ECONNREFUSED && i < 2000; i++) {
		usleep(1000);
		err = open_it(&dev, 5000);
		assert_true(err == -ECONNREFUSED || err == -EPERM);
	}
	assert_message("is run by user 65534");
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(listener);
	unlink(server_socket);
	server_start();
}

/* The directory, at each use: whose it is, who else gets in, what stands in its place. */
static void directory(void **state)
{
	static const mode_t wide[] = { 0750, 0705, 0770, 0702, 0777, 01777 };
	const struct cairn_bus_opts opts = { .timeout_ms = 5000 };
	char moved[64], path[80];
	struct cairn_bus *bus;
	struct cairn_dev *dev;

	(void)state;
	for (unsigned int i = 0; i < sizeof(wide) / sizeof(*wide); i++) {
		assert_int_equal(chmod(server_dir, wide[i]), 0);
		assert_int_equal(open_it(&dev, 5000), -EPERM);
		assert_message("lets others in");
	}
	assert_int_equal(chmod(server_dir, 0700), 0);
	if (!geteuid()) {
		assert_int_equal(chown(server_dir, 65534, 65534), 0);
		assert_int_equal(open_it(&dev, 5000), -EPERM);
		assert_message("belongs to user 65534");
		assert_int_equal(chown(server_dir, 0, 0), 0);
	}
	snprintf(moved, sizeof(moved), "%s.moved", server_dir);
	assert_int_equal(rename(server_dir, moved), 0);
	assert_int_equal(symlink(moved, server_dir), 0);
	/* The bus follows none; cairn_open() resolves names first, and looks at what they lead
	 * to. */
	assert_int_equal(cairn_bus_vfu.open(server_socket, &opts, &bus), -ELOOP);
	assert_message("symbolic link");
	snprintf(path, sizeof(path), "%s///nic.sock", server_dir);
	assert_int_equal(cairn_bus_vfu.open(path, &opts, &bus), -ELOOP);
	assert_int_equal(chmod(moved, 0750), 0);
	assert_int_equal(open_it(&dev, 5000), -EPERM);
	assert_int_equal(chmod(moved, 0700), 0);
	unlink(server_dir);
	assert_int_equal(rename(moved, server_dir), 0);
	snprintf(path, sizeof(path), "%s/link.sock", server_dir);
	assert_int_equal(symlink("nic.sock", path), 0);
	assert_int_equal(cairn_bus_vfu.open(path, &opts, &bus), -ENOTSOCK);
	unlink(path);
	assert_int_equal(server.clients, 0);
	assert_int_equal(open_it(&dev, 5000), 0);
	cairn_close(dev);
}

/* Addresses come from a file of ours or root's alone, not through a link. */
static void strange_facts(void **state)
{
	char json[80], other[80];
	struct cairn_bus_gid gids[8];
	FILE *file;

	(void)state;
	snprintf(json, sizeof(json), "%s/nic.json", server_dir);
	snprintf(other, sizeof(other), "%s/other", server_dir);
	file = fopen(json, "w");
	fprintf(file, "{ \"gids\": [ \"10.1.2.3\" ] }\n");
	fclose(file);
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 8), 1);
	assert_int_equal(chmod(json, 0662), 0);
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 8), 0);
	assert_int_equal(chmod(json, 0644), 0);
	assert_int_equal(rename(json, other), 0);
	assert_int_equal(symlink("other", json), 0);
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 8), 0);
	unlink(json);
	unlink(other);
	assert_int_equal(mkfifo(json, 0600), 0); /* and nobody waits for it */
	assert_int_equal(cairn_nic_json_gids(server_socket, gids, 8), 0);
	unlink(json);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(another_users_server),
		T(directory),
		T(strange_facts),
	};

	return cmocka_run_group_tests_name("vfu_trust", tests, NULL, NULL);
}
