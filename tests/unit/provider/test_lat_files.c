// SPDX-License-Identifier: Apache-2.0
/*
 * Files and pages of latencies: what others do to them harms neither the program that counts nor
 * any files; without them a device works as well.
 */
#include <sys/wait.h>

#include "latency_bench.h"

static void read_at(const char *name, void *data, size_t len, off_t at)
{
	char path[160];
	int fd;

	path_of(name, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, data, len, at), (ssize_t)len);
	close(fd);
}

/* While it is open the file says where the page is, then the figures are in it. */
static void figures_stay(void **state)
{
	struct lat_head head;
	struct lat_slot slot;
	struct sealed_at at;
	char path[160], why[256];
	struct stat st;
	struct nic *nic;
	unsigned int i;
	int fd;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	path_of("nic0.lat", path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, sizeof(at));
	fd = sealed_find(AT_FDCWD, path, LAT_MAGIC, &at, why, sizeof(why));
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(at.pid, getpid());
	fd = sealed_open(&at, O_RDWR, why, sizeof(why));
	assert_true(fd >= 0);
	one(b.qp, 1234);
	i = b.qp->lat;
	assert_int_equal(pread(fd, &slot, sizeof(slot),
			       (off_t)(offsetof(struct lat_page, slot) + i * sizeof(slot))),
			 sizeof(slot));
	assert_int_equal(slot.sum, 1234);
	close(fd);
	assert_string_equal(nic->lat.page->head.device, nic->ibv.name);
	close_nic();
	read_at("nic0.lat", &at, sizeof(at), 0);
	assert_int_equal(at.pid, 0);
	assert_int_equal(at.bytes, sizeof(struct lat_page));
	read_at("nic0.lat", &head, sizeof(head), LAT_FILE_OFFSET);
	assert_memory_equal(head.magic, LAT_MAGIC, sizeof(head.magic));
	assert_true(head.used > i);
	read_at("nic0.lat", &slot, sizeof(slot),
		(off_t)(LAT_FILE_OFFSET + offsetof(struct lat_page, slot) + i * sizeof(slot)));
	assert_int_equal(slot.sum, 1234);
	assert_int_equal(slot.bucket[lat_bucket(1234)], 1);
	/* all of it is there, holes and all */
	read_at("nic0.lat", &slot, sizeof(slot),
		(off_t)(LAT_FILE_OFFSET + sizeof(struct lat_page) - sizeof(slot)));
}

/* Another program has the NIC by now, or somebody took the file away: it is left alone. */
static void files_of_others(void **state)
{
	char path[160], text[6] = "";
	FILE *file;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	open_simulated();
	one(b.qp, 5);
	path_of("nic0.lat", path);
	assert_int_equal(unlink(path), 0);
	file = fopen(path, "we");
	fputs("other", file);
	fclose(file);
	close_nic();
	read_at("nic0.lat", text, 5, 0);
	assert_string_equal(text, "other");
	open_simulated();
	one(b.qp, 5);
	assert_int_equal(truncate(path, 0), 0);
	one(b.qp, 5);
	close_nic();
	/* a link in its place is replaced */
	unlink(path);
	assert_int_equal(symlink("other", path), 0);
	open_simulated();
	one(b.qp, 5);
	close_nic();
	path_of("other", path);
	assert_int_equal(access(path, F_OK), -1);
}

/* Whoever writes into the page makes wrong figures, and no more: not even the counts that decide
 * who looks at the clock, nor whose slot is whose, are taken from it. */
static void damaged_page(void **state)
{
	struct lat_page *page;
	struct qp *second;
	struct nic *nic;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	page = nic->lat.page;
	for (unsigned int round = 0; round < 30; round++) {
		uint8_t *bytes = (uint8_t *)page;

		for (size_t i = 0; i < sizeof(page->head) + 10 * sizeof(page->slot[0]); i++)
			bytes[i] = (uint8_t)(round < 2 ? 0 - round : rng_u64(&rng));
		one(b.qp, rng_u64(&rng) >> 20);
		second = bench_qp(&b, NULL);
		assert_non_null(second);
		one(second, 10);
		reset_qp(second);
		one(second, 10);
		assert_int_equal(ibv_destroy_qp(&second->ibv), 0);
	}
	close_nic();
}

/* In none of these cases is anything measured, and everything works. */
static void not_measured(const char *message)
{
	struct nic *nic = open_simulated();

	assert_null(nic->lat.page);
	one(b.qp, 10);
	close_nic();
	if (message && !strstr(said, message))
		fail_msg("message is \"%s\", expected \"%s\"", said, message);
	if (!message)
		assert_string_equal(said, "");
}

static void does_without(void **state)
{
	struct sealed_at at = { DEVTIME_MAGIC, (uint32_t)getpid(), -1, sizeof(*device), { 0 } };
	char path[160];

	(void)state;
	path_of("nic0.time", path);
	at.fd = time_fd;
	setenv("CAIRN_STATS", "1", 1);
	/* text that is no time */
	device->magic[0] = 'X';
	not_measured("latencies are not measured: what nic0.time says is no device time");
	device->magic[0] = 'C';
	at.bytes = 8;
	close(sealed_announce(AT_FDCWD, path, &at));
	not_measured("no device time");
	at.bytes = sizeof(*device);
	at.fd = 9999;
	close(sealed_announce(AT_FDCWD, path, &at));
	not_measured("it is gone, or not to be seen from here");
	unlink(path);
	not_measured("nic0.time: No such file");
	/* a directory that others get into */
	assert_int_equal(chmod(run, 0755), 0);
	not_measured("lets others in");
	/* nobody asked: nobody is told */
	unsetenv("CAIRN_STATS");
	said[0] = '\0';
	not_measured(NULL);
	assert_int_equal(chmod(run, 0700), 0);
	not_measured(NULL);
}

/* A child has no page, and what it does changes nothing of its parent's. */
static void children(void **state)
{
	struct nic *nic;
	int status;
	pid_t pid;

	(void)state;
	setenv("CAIRN_STATS", "1", 1);
	nic = open_simulated();
	one(b.qp, 10);
	pid = fork();
	if (!pid) {
		int fds = nic->lat.page_fd, file = nic->lat.file_fd;

		if (nic->lat.page || fcntl(fds, F_GETFD) >= 0 || fcntl(file, F_GETFD) >= 0)
			_exit(1);
		_exit(post_at(b.qp, 1, IBV_SEND_SIGNALED) == ENODEV ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	one(b.qp, 10);
	assert_int_equal(all_counted(nic), 2);
	close_nic();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LATENCY_TEST(figures_stay), LATENCY_TEST(files_of_others),
		LATENCY_TEST(damaged_page), LATENCY_TEST(does_without),
		LATENCY_TEST(children),
	};

	return cmocka_run_group_tests_name("lat_files", tests, NULL, NULL);
}
