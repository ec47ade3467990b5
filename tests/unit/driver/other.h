/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes of a test: each does what it is told, by one word of two characters at a time,
 * and answers with a number. */
#ifndef OTHER_H
#define OTHER_H

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver_test.h"

/* What one does of a word; -1000 is no answer. */
typedef int (*other_fn)(char what, unsigned int number, int in, int out);

struct other {
	pid_t pid;
	int to, from;
};

/* Until it is told to quit, or nobody is there to tell it anything. */
static inline void other_serve(other_fn fn, int in, int out)
{
	char word[2];

	alarm(60);
	cairn_set_log(NULL, NULL);
	while (read(in, word, 2) == 2 && word[0] != 'q') {
		int answer = fn(word[0], (unsigned int)(word[1] - '0'), in, out);

		if (write(out, &answer, sizeof(answer)) != sizeof(answer))
			_exit(1);
	}
	_exit(0);
}

static inline struct other other_start(other_fn fn)
{
	struct other other;
	int to[2], from[2];

	assert_int_equal(pipe(to) | pipe(from), 0);
	other.pid = fork();
	assert_true(other.pid >= 0);
	if (!other.pid) {
		close(to[1]);
		close(from[0]);
		other_serve(fn, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	other.to = to[1];
	other.from = from[0];
	return other;
}

/* "k" or "t0" */
static inline void tell(const struct other *other, const char *what)
{
	char word[2] = { what[0], what[0] && what[1] ? what[1] : ' ' };

	assert_int_equal(write(other->to, word, 2), 2);
}

static inline int hear(const struct other *other)
{
	int answer = -1000;

	assert_int_equal(read(other->from, &answer, sizeof(answer)), sizeof(answer));
	return answer;
}

static inline int ask(const struct other *other, const char *what)
{
	tell(other, what);
	return hear(other);
}

/* By a signal, or 0: by its own exit. */
static inline void end(const struct other *other, int signal_number)
{
	int status;

	if (signal_number)
		kill(other->pid, signal_number);
	else
		tell(other, "q");
	assert_int_equal(waitpid(other->pid, &status, 0), other->pid);
	close(other->to);
	close(other->from);
}

#endif
