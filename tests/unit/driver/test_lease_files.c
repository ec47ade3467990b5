// SPDX-License-Identifier: Apache-2.0
/* The files behind leases where they are not as they should be: not there, another's, nonsense, new
 * ones, limited, and descriptors of them that the program closes. */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "lease_test.h"

/* Where nobody keeps account all is as if it were free. */
static void no_account(void **state)
{
	struct cairn_lease *lease = (struct cairn_lease *)1;
	struct other other;

	(void)state;
	unlink(file_of(0));
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_null(lease);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(cairn_lease_keep(nics, 1), -ENOENT);
	assert_int_equal(cairn_lease_read(addr[0], &other, 1), -ENOENT);
	assert_int_equal(symlink(file_of(1), file_of(0)), -1); /* one buffer: to itself */
	assert_int_equal(symlink("nic1.lease", file_of(0)), 0);
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_null(lease);
	assert_int_equal(cairn_lease_keep(nics, 1), -ELOOP);
	unlink(file_of(0));
	assert_int_equal(mkdir(file_of(0), 0700), 0);
	assert_int_equal(cairn_lease_keep(nics, 1), -EISDIR);
	assert_int_equal(rmdir(file_of(0)), 0);
	assert_int_equal(cairn_lease_keep((const char *const[]){ "x.sock", "sim:0" }, 2), -ENOENT);
	/* others get into the directory, so what is in it says nothing */
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(cairn_lease_keep(nics, NICS), -EPERM);
	assert_int_equal(chmod(dir, 0700), 0);
	/* one without does not hinder the others */
	other = start();
	assert_int_equal(ask(&other, "k"), 1);
	end(&other, 0);
	make_file(0);
}

/* Its simulator has ended and another one begun: the old lease says nothing of the new NIC. */
static void new_file(void **state)
{
	struct cairn_lease *old, *lease;
	struct other other = start();

	(void)state;
	assert_int_equal(cairn_lease_take(addr[0], &old), 0);
	assert_int_equal(cairn_lease_keep(nics, 2), 0);
	unlink(file_of(0));
	make_file(0);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE);
	assert_int_equal(ask(&other, "t0"), 0);
	assert_int_equal(cairn_lease_take(addr[0], &lease), -EBUSY);
	assert_int_equal(ask(&other, "g"), 0);
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_ptr_not_equal(old, lease);
	cairn_lease_give(old);
	assert_int_equal(ask(&other, "t0"), -EBUSY);
	cairn_lease_give(lease);
	assert_int_equal(ask(&other, "k"), 0);
	end(&other, 0);
}

static void write_record(uint32_t kept, int64_t pid, uint64_t start_time, const char *name)
{
	struct {
		uint32_t magic, kept;
		int64_t pid;
		uint64_t start;
		char program[40];
	} record = { 0x43724c73u, kept, pid, start_time, "" };
	int fd = open(file_of(0), O_WRONLY);

	memcpy(record.program, name, sizeof(record.program));
	assert_int_equal(write(fd, &record, sizeof(record)), sizeof(record));
	close(fd);
}

/* What the file says counts only as far as it can be true. */
static void odd_records(void **state)
{
	static const char name[40] = "a\n\x1b[2J\xff 345678901234567890123456789012";
	char who[CAIRN_WHO_BYTES], text[512], expect[CAIRN_WHO_BYTES], *after;
	struct other other = start();
	struct cairn_lease *lease;
	uint64_t began;
	FILE *file;

	(void)state;
	file = fopen("/proc/self/stat", "r");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	after = strrchr(text, ')');
	for (int i = 2; i < 22; i++)
		after = strchr(after + 1, ' ');
	began = strtoull(after, NULL, 10);
	/* kept by a process of that number that is another one, or by none */
	write_record(1, getpid(), began + 1, name);
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_FREE);
	write_record(1, 0x7ffffff0, 1, name);
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_FREE);
	write_record(1, -1, 0, name);
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_FREE);
	write_record(1, getpid(), began, name); /* by this one */
	assert_int_equal(ask(&other, "s0"), CAIRN_LEASE_TAKEN);
	assert_int_equal(state_of(0), CAIRN_LEASE_FREE); /* it is its own to have */
	assert_int_equal(ask(&other, "k"), 1);
	/* what is shown of it does nothing to a terminal */
	assert_int_equal(ask(&other, "t2"), 0);
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	cairn_lease_give(lease);
	assert_int_equal(ask(&other, "t0"), 0);
	write_record(0, getpid(), began, name);
	assert_int_equal(cairn_lease_state(addr[0], who), CAIRN_LEASE_TAKEN);
	snprintf(expect, sizeof(expect), "process %d (a??[2J? 3456", (int)getpid());
	assert_memory_equal(who, expect, strlen(expect));
	write_record(0, getpid(), began + 1, name);
	assert_int_equal(cairn_lease_state(addr[0], who), CAIRN_LEASE_TAKEN);
	assert_string_equal(who, "another process");
	assert_int_equal(truncate(file_of(0), 10), 0);
	assert_int_equal(cairn_lease_state(addr[0], who), CAIRN_LEASE_TAKEN);
	assert_string_equal(who, "another process");
	end(&other, 0);
}

/* A limit on file sizes costs the text, not the lease, and nobody gets a signal. */
static void limited(void **state)
{
	static const char facts[] = "facts of a device";
	struct rlimit before, none;
	struct cairn_lease *lease;
	struct other other;

	(void)state;
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){ 0, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_int_equal(cairn_lease_take(addr[0], &lease), 0);
	assert_int_equal(cairn_lease_publish(lease, facts, sizeof(facts)), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	other = start();
	assert_int_equal(ask(&other, "t0"), -EBUSY);
	end(&other, 0);
	assert_int_equal(cairn_lease_publish(lease, facts, sizeof(facts)), 0);
	cairn_lease_give(lease);
}

/* What a program closes under our feet, and opens in its place, is its own. */
static void closed_by_the_program(void **state)
{
	struct other other = start(), user = start(), next = start();
	char name[128];

	(void)state;
	assert_int_equal(ask(&other, "k"), 0);
	assert_int_equal(ask(&user, "t1"), 0);
	assert_int_equal(ask(&next, "r"), 0);
	assert_int_equal(ask(&other, "C"), 0);
	assert_int_equal(ask(&user, "C"), 0);
	assert_int_equal(ask(&next, "C"), 0);
	assert_int_equal(state_of(0), CAIRN_LEASE_TAKEN); /* kept */
	assert_int_equal(state_of(1), CAIRN_LEASE_FREE);
	assert_int_equal(state_of(2), CAIRN_LEASE_FREE);
	assert_int_equal(ask(&user, "g"), 0);
	assert_int_equal(ask(&user, "P"), 0);
	assert_int_equal(ask(&user, "t1"), 0);
	assert_int_equal(ask(&user, "C"), 0);
	assert_int_equal(ask(&user, "p"), -EBADF);
	assert_int_equal(ask(&user, "P"), 0);
	assert_int_equal(ask(&user, "g"), 0);
	assert_int_equal(ask(&next, "u"), 0);
	assert_int_equal(ask(&next, "r"), 0);
	assert_int_equal(state_of(1), CAIRN_LEASE_RESERVED);
	assert_int_equal(ask(&next, "P"), 0);
	assert_int_equal(ask(&other, "k"), 0);
	assert_int_equal(ask(&other, "t0"), 0);
	assert_int_equal(ask(&other, "p"), 0);
	assert_int_equal(ask(&other, "P"), 0);
	assert_int_equal(ask(&other, "C"), 0);
	tell(&other, "f");
	assert_int_equal(hear(&other), 0);
	assert_int_equal(waitpid(other.pid, NULL, 0), other.pid);
	assert_int_equal(ask(&other, "P"), 0); /* its child closes nothing of this */
	tell(&other, "q");
	end(&user, 0);
	end(&next, 0);
	snprintf(name, sizeof(name), "%s/precious", dir);
	assert_int_equal(unlink(name), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		LEASE_TEST(no_account),
		LEASE_TEST(new_file),
		LEASE_TEST(odd_records),
		LEASE_TEST(limited),
		LEASE_TEST(closed_by_the_program),
	};

	serve_again(argc, argv);
	alarm(60);
	return cmocka_run_group_tests_name("lease_files", tests, NULL, NULL);
}
