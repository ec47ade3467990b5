// SPDX-License-Identifier: Apache-2.0
/*
 * Which devices a process is given, as it goes on: it reads words from standard input and answers
 * each with a line.
 *
 *     list   "cairn_0 cairn_1 ...", or "none" and the error
 *     exec   the same program again, in the same process; then "again"
 *     fork   a child that goes on in its place, and outlives it; "child"
 *     pid    its process id
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

static void list(void)
{
	struct ibv_device **devices;
	int n;

	errno = 0;
	devices = ibv_get_device_list(&n);
	if (!devices || !n)
		printf("none: %s", devices ? "empty" : strerror(errno));
	for (int i = 0; devices && i < n; i++)
		printf("%s%s", i ? " " : "", ibv_get_device_name(devices[i]));
	putchar('\n');
	/* the list stays: what is reserved for us does, too */
}

int main(int argc, char **argv)
{
	char word[64];

	setvbuf(stdin, NULL, _IONBF, 0); /* what is not read yet is for who comes after us */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1)
		puts(argv[1]);
	while (fgets(word, sizeof(word), stdin)) {
		word[strcspn(word, "\n")] = 0;
		if (!strcmp(word, "list")) {
			list();
		} else if (!strcmp(word, "pid")) {
			printf("%d\n", (int)getpid());
		} else if (!strcmp(word, "exec")) {
			execl("/proc/self/exe", argv[0], "again", NULL);
			return 127;
		} else if (!strcmp(word, "fork")) {
			if (fork())
				_exit(0);
			puts("child");
		} else {
			fprintf(stderr, "%s: list, exec, fork or pid\n", word);
			return 2;
		}
	}
	return 0;
}
