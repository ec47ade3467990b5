/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of files: a run directory with one NIC, cairn_5, without a server: a socket, its
 * description and its statistics page. */
#ifndef FILES_TEST_H
#define FILES_TEST_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "provider_test.h"
#include "sim_stat.h"

#define CLASS "/sys/class/infiniband"
#define VERBS "/sys/class/infiniband_verbs"
#define NIC CLASS "/cairn_5"
#define PORT_DIR NIC "/ports/1"
#define BASE "/sys/devices/cairn/cairn_5-nic"

static char run_dir[] = "/tmp/files-XXXXXX";

static inline const char *in_run_dir(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", run_dir, name);
	return path;
}

static inline void write_counters(uint64_t first)
{
	size_t bytes =
		sizeof(struct sim_stat_page) + CAIRN_COUNTERS * sizeof(struct sim_stat_entry);
	struct sim_stat_page *page = calloc(1, bytes);
	int fd = open(in_run_dir("nic5.stat"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	memcpy(page->magic, SIM_STAT_MAGIC, sizeof(page->magic));
	page->n = CAIRN_COUNTERS;
	page->pid = (uint32_t)getpid();
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		page->entry[i].value = first + i;
	assert_int_equal(pwrite(fd, page, bytes, 0), bytes);
	close(fd);
	free(page);
}

static inline void write_facts(int pid)
{
	FILE *facts = fopen(in_run_dir("nic5.json"), "we");

	fprintf(facts,
		"{ \"name\": \"cairn_5\", \"guid\": \"00ca:12ff:fe00:0105\", \"link_gbps\": 100,"
		" \"pid\": %d, \"gids\": [ \"fe80::ca:12ff:fe00:105\", \"::ffff:10.0.0.5\" ] }\n",
		pid);
	fclose(facts);
}

static inline void put_socket(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/nic5.sock", run_dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	close(fd);
	setenv("CAIRN_SOCKETS", at.sun_path, 1);
}

static inline int files_setup(void **state)
{
	test_setup(state);
	setenv("CAIRN_NO_VFIO", "1", 1);
	put_socket();
	write_facts(getpid());
	write_counters(1000);
	return 0;
}

static inline int files_teardown(void **state)
{
	static const char *const names[] = { "nic5.sock", "nic5.json", "nic5.stat" };

	for (unsigned int i = 0; i < 3; i++)
		unlink(in_run_dir(names[i]));
	unsetenv("CAIRN_SOCKETS");
	return test_teardown(state);
}

/* One directory for all tests of a program: a NIC keeps its name as long as the process lives. */
static inline int files_group_setup(void **state)
{
	(void)state;
	return mkdtemp(run_dir) ? 0 : -1;
}

static inline int files_group_teardown(void **state)
{
	(void)state;
	return rmdir(run_dir);
}

#define FILES_TEST(fn) cmocka_unit_test_setup_teardown(fn, files_setup, files_teardown)

/* What a file says; NULL with errno.  In a buffer that the next call uses. */
static inline const char *text_of(const char *path)
{
	static char text[8192];
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (!file)
		return NULL;
	fclose(file);
	text[n] = '\0';
	return text;
}

static inline void assert_text(const char *path, const char *wanted)
{
	const char *text = text_of(path);

	if (!text || strcmp(text, wanted))
		fail_msg("%s: \"%s\" (%s), expected \"%s\"", path, text, strerror(errno), wanted);
}

/* The call fails with that errno. */
#define REFUSED(call, err)                           \
	do {                                         \
		errno = 0;                           \
		assert_true((intptr_t)(call) == -1); \
		assert_int_equal(errno, err);        \
	} while (0)
#define REFUSED_NULL(call, err)               \
	do {                                  \
		errno = 0;                    \
		assert_null(call);            \
		assert_int_equal(errno, err); \
	} while (0)

#endif
