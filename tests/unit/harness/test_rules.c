// SPDX-License-Identifier: Apache-2.0
/*
 * The testbench must fail a test when a device breaks a stream rule.  Each rule is broken once in a
 * child process that runs cmocka; the parent looks at how it ended and at what it printed.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vtb.h"

static unsigned int broken; /* stream_toy's break_i */
static bool misuse;

static void victim(void **state)
{
	struct vtb *tb = vtb_create();
	struct vtb_stream *in = vtb_source(tb, "in"), *out = vtb_sink(tb, "out");
	uint8_t data[20] = { 1, 2, 3 };

	(void)state;
	vtb_set(tb, "break_i", broken);
	vtb_stream_pause(out, 50);
	for (int i = 0; i < 100; i++)
		vtb_send(in, data, sizeof(data), false, NULL, 0);
	if (misuse)
		vtb_set(tb, "break_i", 8);
	vtb_run_until(tb, vtb_received(out) == 100, 3000);
	vtb_destroy(tb);
}

/* Run victim() in a child; true if it failed and `text` was printed;
 * without a text, if it passed. */
static bool ends_with(unsigned int rule, bool bad_test, const char *text)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(victim) };
	static char output[65536];
	size_t len = 0;
	ssize_t n;
	int pipe_fd[2], status;
	pid_t pid;

	assert_int_equal(pipe(pipe_fd), 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		dup2(pipe_fd[1], 1);
		dup2(pipe_fd[1], 2);
		close(pipe_fd[0]);
		close(pipe_fd[1]);
		broken = rule;
		misuse = bad_test;
		status = cmocka_run_group_tests(tests, NULL, NULL);
		fflush(NULL);
		_exit(status);
	}
	close(pipe_fd[1]);
	while ((n = read(pipe_fd[0], output + len, sizeof(output) - 1 - len)) > 0)
		len += (size_t)n;
	output[len] = 0;
	close(pipe_fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) &&
	    (text ? WEXITSTATUS(status) == 1 && strstr(output, text) : !status))
		return true;
	print_message("# expected: %s\n# got status 0x%x and:\n%s\n", text ? text : "success",
		      status, output);
	return false;
}

static void rules(void **state)
{
	(void)state;
	assert_true(ends_with(0, false, NULL));
	assert_true(ends_with(1, false, "stream out: valid fell before the beat was taken"));
	assert_true(
		ends_with(2, false, "stream out: out_data_o changed before the beat was taken"));
	assert_true(ends_with(3, false, "stream out: nbytes is 0 in a last beat"));
	assert_true(ends_with(4, false, "stream out: valid depends on ready"));
}

static void assertion(void **state)
{
	(void)state;
	assert_true(ends_with(5, false, "assertion in the model failed"));
}

static void message(void **state)
{
	(void)state;
	assert_true(ends_with(6, false, "repeat with SEED=0x"));
	assert_true(ends_with(6, false, "not reached in 3000 cycles: vtb_received(out) == 100"));
	assert_true(ends_with(0, true, "port break_i: 0x8 does not fit 3 bits"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(assertion),
		cmocka_unit_test(message),
	};

	return cmocka_run_group_tests_name("testbench rules", tests, NULL, NULL);
}
