// SPDX-License-Identifier: Apache-2.0
/*
 * A tree of another device beside those of NICs (libprovider/files.h): a file in /dev/infiniband
 * that is opened by a function of its own, links that lead round and nowhere, names that are too
 * long.
 */
#include <dirent.h>
#include <sys/sysmacros.h>

#include "files.h"
#include "files_test.h"

#define DEVICE "/dev/infiniband/thing"
#define ROOT "/sys/class/infiniband/things"

static int given = -1, opens, refreshes, lacking;

static int refresh(void)
{
	refreshes++;
	return lacking;
}

static int look_device(const char *path, struct file *file)
{
	if (strcmp(path, DEVICE))
		return ENOENT;
	file->kind = FILE_DEVICE;
	file->device = makedev(10, 77);
	return 0;
}

/* A pipe, that nobody else has. */
static int open_device(const char *path, int flags)
{
	int ends[2];

	(void)path;
	opens++;
	if (flags & O_EXCL)
		return -EBUSY;
	if (pipe2(ends, flags & O_CLOEXEC))
		return -errno;
	close(ends[1]);
	given = ends[0];
	return given;
}

static bool opened(int fd, struct file *file)
{
	struct stat one, two;

	if (given < 0 || fstat(fd, &one) || fstat(given, &two) || one.st_ino != two.st_ino)
		return false;
	return !look_device(DEVICE, file);
}

static const struct file_tree device = { .root = DEVICE,
					 .refresh = refresh,
					 .look = look_device,
					 .open = open_device,
					 .opened = opened };

static const struct {
	const char *path, *target;
} links[] = {
	{ ROOT "/round", "../things/about" },
	{ ROOT "/about", "round" },
	{ ROOT "/nowhere", "/nonexistent/file" },
	{ ROOT "/proc", "/proc/self" },
	{ ROOT "/here", "." },
	{ ROOT "/deep", "here/here/here/text" },
};

static int look(const char *path, struct file *file)
{
	for (unsigned int i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (!strcmp(path, links[i].path)) {
			file->kind = FILE_LINK;
			return 0;
		}
	file->kind = strcmp(path, ROOT "/text") ? FILE_DIR : FILE_TEXT;
	return strcmp(path, ROOT) && strcmp(path, ROOT "/text") ? ENOENT : 0;
}

static int link_of(const char *path, char target[FILE_PATH_BYTES])
{
	for (unsigned int i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (!strcmp(path, links[i].path)) {
			snprintf(target, FILE_PATH_BYTES, "%s", links[i].target);
			return 0;
		}
	return ENOENT;
}

static int text_of_it(const char *path, char text[FILE_TEXT_BYTES])
{
	(void)path;
	memset(text, 'x', FILE_TEXT_BYTES);
	return FILE_TEXT_BYTES;
}

static void list(const char *path, file_add add, void *arg)
{
	(void)path;
	add(arg, "text", FILE_TEXT);
	add(arg, "text", FILE_TEXT); /* said twice, listed once */
}

static const struct file_tree tree = {
	.root = ROOT,
	.refresh = refresh,
	.look = look,
	.link = link_of,
	.text = text_of_it,
	.list = list,
};

const struct file_tree *const files_trees[] = {
	&device, &tree, &nic_dev_files, &nic_class_files, &nic_verbs_files, &nic_own_files, NULL
};

/* The kernel's, but for what fstat() says. */
static void own_descriptors(void **state)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC), copy = dup(fd), other[2];
	struct stat st;
	struct statx stx;
	char byte;

	(void)state;
	assert_int_equal(fd, given);
	assert_int_equal(read(fd, &byte, 1), 0);
	assert_int_equal(fstat(copy, &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(st.st_rdev, makedev(10, 77));
	assert_int_equal(statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &stx), 0);
	assert_int_equal(stx.stx_rdev_minor, 77);
	assert_int_equal(pipe2(other, O_CLOEXEC), 0);
	assert_int_equal(fstat(other[0], &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	close(other[0]);
	close(other[1]);
	REFUSED(open(DEVICE, O_RDWR | O_EXCL), EBUSY);
	REFUSED(open(DEVICE "s", O_RDWR), ENOENT);
	opens = 0;
	assert_int_equal(access(DEVICE, R_OK | W_OK), 0);
	assert_int_equal(stat(DEVICE, &st), 0);
	assert_int_equal(opens, 0);
	close(copy);
	close(fd);
	given = -1;
}

/* A tree inside another's directory is in its list. */
static void listed_by_the_other(void **state)
{
	struct dirent **found;
	unsigned int things = 0;
	int n = scandir("/dev/infiniband", &found, NULL, NULL);

	(void)state;
	for (int i = 0; i < n; i++) {
		things += !strcmp(found[i]->d_name, "thing") && found[i]->d_type == DT_CHR;
		free(found[i]);
	}
	free(found);
	assert_int_equal(things, 1);
	n = scandir(ROOT, &found, NULL, alphasort);
	assert_int_equal(n, 3);
	assert_string_equal(found[2]->d_name, "text");
	while (n--)
		free(found[n]);
	free(found);
}

static void links_lead_on(void **state)
{
	char whole[4096], *link;
	struct stat st;

	(void)state;
	REFUSED(stat(ROOT "/round", &st), ELOOP);
	assert_int_equal(lstat(ROOT "/round", &st), 0);
	REFUSED(stat(ROOT "/nowhere", &st), ENOENT);
	assert_int_equal(stat(ROOT "/proc", &st), 0); /* the system's */
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(access(ROOT "/proc/status", R_OK), 0);
	assert_int_equal(access(ROOT "/proc/../self/status", R_OK), 0);
	assert_int_equal(stat(ROOT "/deep", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	link = realpath(ROOT "/here/here/deep", whole);
	assert_string_equal(link, ROOT "/text");
	assert_int_equal(strlen(text_of(ROOT "/deep")), FILE_TEXT_BYTES);
}

static void long_names(void **state)
{
	char path[5000] = ROOT;
	struct stat st;

	(void)state;
	memset(path + strlen(ROOT), '/', 4000);
	strcpy(path + strlen(ROOT) + 4000, "text");
	assert_int_equal(stat(path, &st), 0);
	memset(path, 'y', sizeof(path) - 1);
	memcpy(path, ROOT "/", strlen(ROOT) + 1);
	REFUSED(stat(path, &st), ENAMETOOLONG);
	path[1000] = '\0'; /* no path of ours is so long: the system's answer */
	REFUSED(stat(path, &st), ENOENT);
}

/* Each path is looked for once, and a lack of something is the answer where nothing is found. */
static void a_lack(void **state)
{
	struct stat st;

	(void)state;
	refreshes = 0;
	assert_int_equal(stat(ROOT "/text", &st), 0);
	assert_int_equal(refreshes, 1);
	lacking = EMFILE;
	assert_int_equal(stat(ROOT "/text", &st), 0);
	REFUSED(stat(ROOT "/other", &st), EMFILE);
	lacking = 0;
	REFUSED(stat(ROOT "/other", &st), ENOENT);
	files_hide();
	REFUSED(stat(ROOT "/text", &st), ENOENT);
	files_show();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES_TEST(own_descriptors), FILES_TEST(listed_by_the_other),
		FILES_TEST(links_lead_on),   FILES_TEST(long_names),
		FILES_TEST(a_lack),
	};

	return cmocka_run_group_tests_name("trees", tests, files_group_setup, files_group_teardown);
}
