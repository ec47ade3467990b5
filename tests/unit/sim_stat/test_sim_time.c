// SPDX-License-Identifier: Apache-2.0
/*
 * sim_time: the page of device time as other processes see it, which open it by the file that says
 * where it is: what is stored is what they read, it goes on with the wall where it should, they
 * cannot write it, and with the simulator it is gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "devtime.h"
#include "sealed.h"
#include "sim_time.h"

static char path[64], why[256];

static int open_page(int flags)
{
	struct sealed_at at;
	int file = sealed_find(AT_FDCWD, path, DEVTIME_MAGIC, &at, why, sizeof(why));

	assert_true(file >= 0);
	close(file);
	assert_int_equal(at.bytes, sizeof(struct devtime_page));
	return sealed_open(&at, flags, why, sizeof(why));
}

static void as_others_see_it(void **state)
{
	struct sim_time *time = sim_time_new();
	const struct devtime_page *page;
	uint64_t *word, now, wall;
	int fd;

	(void)state;
	assert_non_null(time);
	snprintf(path, sizeof(path), "/tmp/cairn-time-%d", (int)getpid());
	assert_int_equal(sim_time_announce(time, path), 0);
	assert_int_equal(sim_time_announce(time, "/nonexistent/nic0.time"), -ENOENT);
	fd = open_page(O_RDONLY);
	assert_true(fd >= 0);
	page = mmap(NULL, sizeof(*page), PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	fd = open_page(O_RDWR);
	assert_true(fd < 0 || pwrite(fd, "x", 1, 0) < 0);
	if (fd >= 0)
		close(fd);
	word = sim_time_word(time);
	for (uint64_t t = 8; t < 80; t += 8) {
		*word = t;
		assert_int_equal(devtime_now(page), t);
	}
	wall = devtime_wall();
	sim_time_runs(time, *word - wall, UINT64_MAX);
	now = devtime_now(page);
	assert_in_range(now, *word, *word + devtime_wall() - wall);
	assert_true(devtime_now(page) >= now);
	sim_time_runs(time, *word - wall + 1000000000u, *word + 100);
	assert_int_equal(devtime_now(page), *word + 100);
	*word += 200;
	sim_time_stands(time);
	assert_int_equal(devtime_now(page), *word);
	sim_time_stands(time);
	assert_int_equal(devtime_now(page), *word);
	assert_int_equal(page->seq & 1, 0);
	sim_time_free(time);
	/* who has it mapped keeps it */
	assert_true(devtime_now(page) > 0);
	assert_true(open_page(O_RDONLY) < 0);
	munmap((void *)page, sizeof(*page));
	unlink(path);
	sim_time_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_others_see_it) };

	return cmocka_run_group_tests_name("sim_time", tests, NULL, NULL);
}
