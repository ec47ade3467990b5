// SPDX-License-Identifier: Apache-2.0
/*
 * Directories that no kernel has, and files of ours beside what a program does to its process:
 * lists in every way, relative paths, the working directory, forks, threads, signals, a lack of
 * descriptors; and paths that are not ours, which must go on as they came.
 */
#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "files_test.h"

char *__getcwd_chk(char *buf, size_t size, size_t room);

/* ---------------------------------------------------------------- lists */

/* Names without "." and "..", sorted, with blanks between them. */
static const char *joined(char names[][64], unsigned int n)
{
	static char text[8192];

	qsort(names, n, 64, (int (*)(const void *, const void *))strcmp);
	*text = '\0';
	for (unsigned int i = 0; i < n; i++)
		if (strcmp(names[i], ".") && strcmp(names[i], ".."))
			sprintf(text + strlen(text), "%s%s", *text ? " " : "", names[i]);
	return text;
}

static const char *read_all(DIR *dir)
{
	static char names[256][64];
	const struct dirent *entry;
	unsigned int n = 0;

	while ((entry = readdir(dir)))
		snprintf(names[n++], 64, "%.63s", entry->d_name);
	return joined(names, n);
}

static const struct {
	const char *path, *names;
} lists[] = {
	{ CLASS, "cairn_5" },
	{ "/sys/devices/cairn", "cairn_5-nic" },
	{ BASE,
	  "class device infiniband infiniband_verbs local_cpulist local_cpus numa_node revision"
	  " subsystem_device subsystem_vendor vendor" },
	{ BASE "/infiniband", "cairn_5" },
	{ NIC,
	  "board_id device hca_type hw_rev node_desc node_guid node_type ports sys_image_guid" },
	{ NIC "/ports", "1" },
	{ PORT_DIR, "cap_mask counters gid_attrs gids hw_counters lid lid_mask_count link_layer"
		    " phys_state pkeys rate sm_lid sm_sl state" },
	{ PORT_DIR "/gids", "0 1" },
	{ PORT_DIR "/gid_attrs", "ndevs types" },
	{ PORT_DIR "/gid_attrs/types", "0 1" },
	{ PORT_DIR "/pkeys", "0" },
	{ PORT_DIR "/counters", "port_rcv_data port_rcv_errors port_rcv_packets port_xmit_data"
				" port_xmit_packets" },
};

static void every_list(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		DIR *dir = opendir(lists[i].path);
		int fd = open(lists[i].path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct dirent **found;
		int n;

		assert_non_null(dir);
		assert_string_equal(read_all(dir), lists[i].names);
		rewinddir(dir);
		assert_string_equal(read_all(dir), lists[i].names);
		assert_int_equal(closedir(dir), 0);
		dir = fdopendir(fd);
		assert_int_equal(dirfd(dir), fd);
		assert_string_equal(read_all(dir), lists[i].names);
		assert_int_equal(closedir(dir), 0);
		assert_int_equal(fcntl(fd, F_GETFD), -1);
		n = scandir(lists[i].path, &found, NULL, alphasort);
		assert_true(n > 2);
		assert_string_equal(found[0]->d_name, ".");
		while (n--)
			free(found[n]);
		free(found);
	}
}

/* All of hw.def, and each can be read. */
static void list_of_counters(void **state)
{
	DIR *dir = opendir(PORT_DIR "/hw_counters");
	const struct dirent *entry;
	unsigned int n = 0, named = 0;
	char path[512];

	(void)state;
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		named += cairn_counter_names[i] != NULL;
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		assert_int_equal(entry->d_type, DT_REG);
		snprintf(path, sizeof(path), PORT_DIR "/hw_counters/%s", entry->d_name);
		assert_true(atoi(text_of(path)) >= 1000);
		n++;
	}
	assert_int_equal(n, named);
	closedir(dir);
}

static int digits(const struct dirent *entry)
{
	return entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
}

static int digits64(const struct dirent64 *entry)
{
	return digits((const struct dirent *)entry);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void other_ways_to_list(void **state)
{
	struct dirent **found, *next, one;
	DIR *dir = opendir(NIC);
	struct dirent64 **found64;
	glob_t globbed = { 0 };
	long at;

	(void)state;
	assert_int_equal(scandir64(PORT_DIR "/gids", &found64, digits64, alphasort64), 2);
	assert_string_equal(found64[1]->d_name, "1");
	free(found64[0]);
	free(found64[1]);
	free(found64);
	assert_int_equal(scandirat(dirfd(dir), "ports", &found, digits, NULL), 1);
	assert_string_equal(found[0]->d_name, "1");
	free(found[0]);
	free(found);
	assert_non_null(readdir(dir));
	at = telldir(dir);
	assert_int_equal(readdir_r(dir, &one, &next), 0);
	assert_ptr_equal(next, &one);
	seekdir(dir, at);
	assert_string_equal(readdir64(dir)->d_name, one.d_name);
	seekdir(dir, 1000000);
	assert_int_equal(readdir_r(dir, &one, &next), 0);
	assert_null(next);
	closedir(dir);
	assert_int_equal(glob("/sys/class/infini*/cairn_*/ports/*/gids/?", 0, NULL, &globbed),
			 GLOB_NOMATCH); /* /sys/class does not show what is ours */
	assert_int_equal(glob(CLASS "/cairn_*/ports/*/gids/?", 0, NULL, &globbed), 0);
	assert_int_equal(globbed.gl_pathc, 2);
	assert_string_equal(globbed.gl_pathv[1], PORT_DIR "/gids/1");
	globfree(&globbed);
	REFUSED_NULL(opendir(NIC "/node_type"), ENOTDIR);
	REFUSED_NULL(opendir(NIC "/nothing"), ENOENT);
	REFUSED(scandir(NIC "/node_type", &found, NULL, NULL), ENOTDIR);
}

/* Streams of both kinds at once are told apart. */
static void streams_beside_the_systems(void **state)
{
	DIR *ours = opendir(NIC "/ports"), *theirs = opendir("/proc/self/task");
	unsigned int n = 0;

	(void)state;
	assert_true(dirfd(theirs) >= 0);
	while (readdir(theirs))
		n++;
	assert_true(n > 2);
	assert_string_equal(read_all(ours), "1");
	rewinddir(theirs);
	assert_non_null(readdir64(theirs));
	seekdir(theirs, telldir(theirs));
	closedir(theirs);
	rewinddir(ours);
	assert_string_equal(read_all(ours), "1");
	closedir(ours);
}

/* ---------------------------------------------------------------- relative paths */

static void from_a_directory(void **state)
{
	int fd = open(NIC, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	    root = open("/", O_RDONLY | O_CLOEXEC);
	char text[64];
	struct stat st;
	int file;

	(void)state;
	file = openat(fd, "ports/1/../1/state", O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(file, text, sizeof(text)), 10);
	close(file);
	assert_int_equal(fstatat(fd, "device", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_true(readlinkat(fd, "device", text, sizeof(text)) > 0);
	assert_int_equal(faccessat(fd, "ports", R_OK, 0), 0);
	assert_int_equal(fstatat(fd, "../../../../../kernel", &st, 0), 0);
	REFUSED(fstatat(fd, "nothing", &st, 0), ENOENT);
	REFUSED(openat(fd, "new", O_RDWR | O_CREAT, 0600), EACCES);
	/* from above, as hwloc does */
	file = openat(root, "sys/class/infiniband/cairn_5/node_type", O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(file, text, sizeof(text)), 6);
	close(file);
	REFUSED(openat(root, "sys/class/infiniband/cairn_6", O_RDONLY), ENOENT);
	REFUSED(openat(-1, "infiniband", O_RDONLY), EBADF);
	close(root);
	close(fd);
}

static void working_directory(void **state)
{
	char before[PATH_MAX], now[PATH_MAX], *made;
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(NIC), 0);
	assert_non_null(getcwd(now, sizeof(now)));
	assert_string_equal(now, BASE "/infiniband/cairn_5");
	REFUSED_NULL(getcwd(now, 5), ERANGE);
	REFUSED_NULL(getcwd(now, 0), EINVAL);
	made = get_current_dir_name();
	assert_string_equal(made, BASE "/infiniband/cairn_5");
	free(made);
	assert_non_null(__getcwd_chk(now, sizeof(now), sizeof(now)));
	assert_text("node_type", "1: CA\n");
	assert_text("ports/../hca_type", "Cairn\n");
	assert_int_equal(stat(".", &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	/* what is made or removed is so nowhere else */
	REFUSED(open("new", O_RDWR | O_CREAT, 0600), EACCES);
	assert_true(mkdir("new", 0700) < 0);
	assert_true(unlink("node_type") < 0);
	REFUSED(chdir("node_type"), ENOTDIR);
	REFUSED(chdir("nothing"), ENOENT);
	assert_int_equal(chdir("ports"), 0);
	assert_int_equal(access("1/state", R_OK), 0);
	/* into the system's, and back by a descriptor */
	assert_int_equal(chdir("../../../../../../kernel"), 0);
	assert_non_null(getcwd(now, sizeof(now)));
	assert_string_equal(now, "/sys/kernel");
	assert_int_equal(chdir(CLASS), 0);
	assert_int_equal(fchdir(fd), 0);
	assert_non_null(getcwd(now, sizeof(now)));
	assert_string_equal(now, before);
	close(fd);
	fd = open(PORT_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(fchdir(fd), 0);
	assert_text("state", "4: ACTIVE\n");
	assert_int_equal(chdir(before), 0);
	close(fd);
	REFUSED(access("state", R_OK), ENOENT);
}

/* ---------------------------------------------------------------- processes */

static void forks(void **state)
{
	int fd = open(NIC "/node_type", O_RDONLY), dir = open(NIC, O_RDONLY), status;
	char text[16];
	pid_t child;

	(void)state;
	child = fork();
	if (!child) {
		struct stat st;
		bool good = read(fd, text, sizeof(text)) == 6 && !fstat(dir, &st) &&
			    S_ISDIR(st.st_mode) && !faccessat(dir, "ports", F_OK, 0) &&
			    text_of(PORT_DIR "/gids/0");

		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	/* one description, as of any file that is inherited */
	assert_int_equal(read(fd, text, sizeof(text)), 0);
	close(dir);
	close(fd);
}

static atomic_bool stop;
static atomic_uint rounds;

static void *ask_on(void *arg)
{
	struct stat st;

	while (!atomic_load(&stop)) {
		DIR *dir = opendir(PORT_DIR);
		int fd = open(PORT_DIR "/gids/0", O_RDONLY | O_CLOEXEC);

		if (!dir || fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || !readdir(dir) ||
		    closedir(dir) || close(fd) || access("/dev/infiniband/cairn_5", R_OK))
			return "failed";
		atomic_fetch_add(&rounds, 1);
	}
	return arg;
}

/* (Forks beside them are in test_sysfs: this sanitizer's malloc() would not come
 * back in a child.) */
static void threads(void **state)
{
	pthread_t threads[4];
	void *result;

	(void)state;
	atomic_store(&stop, false);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_on, NULL), 0);
	while (atomic_load(&rounds) < 100)
		sched_yield();
	atomic_store(&stop, true);
	for (unsigned int i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_null(result);
	}
}

static volatile sig_atomic_t seen, wrong, asks_verbs;

static void on_alarm(int number)
{
	struct stat st;
	int error = errno;

	(void)number;
	wrong |= stat("/dev/null", &st) || (!asks_verbs && stat(NIC "/node_type", &st));
	stat(NIC "/node_type", &st); /* beside verbs the system's answer will do */
	seen++;
	errno = error;
}

/* Handlers look at the same files as what they interrupt. */
static void signal_handlers(void **state)
{
	struct itimerval every = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction act = { .sa_handler = on_alarm };
	struct stat st;

	(void)state;
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (seen < 200) {
		assert_int_equal(stat(NIC "/node_type", &st), 0);
		REFUSED(access(NIC "/nothing", F_OK), ENOENT);
	}
	asks_verbs = 1; /* which have a lock of their own */
	while (seen < 400)
		assert_true(ibv_get_device_index(&bench_nic()->ibv) >= 0);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
	assert_false(wrong);
}

/* ---------------------------------------------------------------- short of descriptors */

static void descriptors(void **state)
{
	struct rlimit before, few;
	unsigned int refused = 0, good = 0;

	(void)state;
	assert_non_null(text_of(NIC "/node_type")); /* it is known from here on */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	for (few.rlim_cur = 3; few.rlim_cur < 12; few.rlim_cur++) {
		struct stat st;
		int got, fd, err;
		DIR *dir;

		setrlimit(RLIMIT_NOFILE, &few);
		got = stat(NIC "/node_type", &st);
		fd = open(NIC "/node_type", O_RDONLY | O_CLOEXEC);
		err = fd < 0 ? errno : 0;
		if (fd >= 0)
			close(fd);
		dir = opendir(NIC);
		if (dir)
			closedir(dir);
		else
			assert_int_equal(errno, EMFILE);
		setrlimit(RLIMIT_NOFILE, &before);
		assert_int_equal(got, 0);
		assert_true(fd >= 0 || err == EMFILE);
		refused += fd < 0;
		good += fd >= 0;
	}
	assert_true(good && refused);
}

/* A NIC that was not seen before is not denied: the answer is what is lacking. */
static void first_seen_without_descriptors(void **state)
{
	struct rlimit before, few;
	char path[64];
	FILE *facts;

	(void)state;
	snprintf(path, sizeof(path), "%s", in_run_dir("nic6.sock"));
	assert_int_equal(link(in_run_dir("nic5.sock"), path), 0);
	setenv("CAIRN_SOCKETS", path, 1);
	facts = fopen(in_run_dir("nic6.json"), "we");
	fprintf(facts, "{ \"name\": \"cairn_6\" }\n");
	fclose(facts);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &few);
	REFUSED(access(CLASS "/cairn_6/ports", F_OK), EMFILE);
	REFUSED_NULL(opendir(CLASS "/cairn_6"), EMFILE);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(access(CLASS "/cairn_6/ports", F_OK), 0);
	unlink(in_run_dir("nic6.json"));
	unlink(path);
}

/* The limit on file sizes is an errno, never a signal. */
static void file_sizes(void **state)
{
	struct rlimit before, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
	REFUSED(open(NIC "/node_type", O_RDONLY), EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_text(NIC "/node_type", "1: CA\n");
}

/* ---------------------------------------------------------------- not ours */

static void others_as_before(void **state)
{
	/* without the headers' promise that nobody passes NULL */
	int (*volatile any_open)(const char *path, int flags, ...) = open;
	int (*volatile any_access)(const char *path, int mode) = access;
	char path[64], text[PATH_MAX];
	struct stat st;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/new", run_dir);
	umask(0);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0640);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0640);
	REFUSED(open(path, O_RDWR | O_CREAT | O_EXCL, 0640), EEXIST);
	unlink(path);
	assert_int_equal(fstat(fd, &st), 0); /* has no name, as ours have none */
	assert_int_equal(st.st_mode, S_IFREG | 0640);
	close(fd);
	fd = open(run_dir, O_RDWR | O_TMPFILE, 0604);
	if (fd >= 0) { /* not of every file system */
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_mode, S_IFREG | 0604);
		close(fd);
	}
	REFUSED(any_open(NULL, O_RDONLY), EFAULT);
	REFUSED(any_access(NULL, R_OK), EFAULT);
	REFUSED(stat("", &st), ENOENT);
	REFUSED(stat("/nonexistent", &st), ENOENT);
	REFUSED(fstat(-1, &st), EBADF);
	REFUSED(readlink("/", text, sizeof(text)), EINVAL);
	REFUSED(chdir("/nonexistent"), ENOENT);
	REFUSED_NULL(fopen("/nonexistent", "r"), ENOENT);
	REFUSED_NULL(opendir("/dev/null"), ENOTDIR);
	REFUSED_NULL(fdopendir(0x7fffff), EBADF);
	REFUSED(access("/sys/class/infiniband_mad", F_OK), ENOENT);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(access("/", R_OK), 0);
	assert_non_null(realpath("/proc/self/cwd", text));
}

/* A lock that was left held ends the test, although signals are held back then. */
static void end_in_time(void)
{
	pid_t test = getpid();

	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != test)
		_exit(0);
	sleep(120);
	kill(test, SIGKILL);
	_exit(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES_TEST(every_list),
		FILES_TEST(list_of_counters),
		FILES_TEST(other_ways_to_list),
		FILES_TEST(streams_beside_the_systems),
		FILES_TEST(from_a_directory),
		FILES_TEST(working_directory),
		FILES_TEST(forks),
		FILES_TEST(threads),
		FILES_TEST(signal_handlers),
		FILES_TEST(descriptors),
		FILES_TEST(first_seen_without_descriptors),
		FILES_TEST(file_sizes),
		FILES_TEST(others_as_before),
	};

	end_in_time();
	return cmocka_run_group_tests_name("dirs", tests, files_group_setup, files_group_teardown);
}
