// SPDX-License-Identifier: Apache-2.0
/*
 * Files that no kernel has (libprovider/files.h), one at a time: what they are, what they say, what
 * their paths may look like, and what is refused, through every function of the C library that
 * takes a path.  test_dirs.c has directories and processes.
 */
#include <limits.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include "files_test.h"

/* Of libibverbs and the C library, in no header of theirs. */
const char *ibv_get_sysfs_path(void);
int ibv_read_sysfs_file(const char *dir, const char *file, char *text, size_t size);
int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstatat(int version, int dirfd, const char *path, struct stat *st, int flags);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlinkat_chk(int dirfd, const char *path, char *target, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);

/* ---------------------------------------------------------------- before anything else */

/* As a program's own replacement of malloc() may do, before our constructors would have run. */
static int early[4];

static void before_constructors(void)
{
	struct stat st;

	early[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	early[1] = stat("/", &st);
	early[2] = access(CLASS "/nobody", F_OK) == -1 && errno == ENOENT ? 0 : -1;
	early[3] = open("/nonexistent", O_RDONLY) == -1 && errno == ENOENT ? 0 : -1;
}

__attribute__((section(".preinit_array"),
	       used)) static void (*const first)(void) = before_constructors;

static void works_before_constructors(void **state)
{
	(void)state;
	assert_true(early[0] >= 0);
	for (unsigned int i = 1; i < 4; i++)
		assert_int_equal(early[i], 0);
	close(early[0]);
}

/* ---------------------------------------------------------------- kinds */

static const struct {
	const char *path;
	mode_t kind, link; /* followed, and not */
} kinds[] = {
	{ "/dev/infiniband", S_IFDIR, S_IFDIR },
	{ "/dev/infiniband/cairn_5", S_IFCHR, S_IFCHR },
	{ CLASS, S_IFDIR, S_IFDIR },
	{ NIC, S_IFDIR, S_IFLNK },
	{ NIC "/", S_IFDIR, S_IFDIR },
	{ NIC "/node_guid", S_IFREG, S_IFREG },
	{ NIC "/device", S_IFDIR, S_IFLNK },
	{ NIC "/device/vendor", S_IFREG, S_IFREG },
	{ NIC "/device/infiniband/cairn_5/ports", S_IFDIR, S_IFDIR },
	{ PORT_DIR "/gids/0", S_IFREG, S_IFREG },
	{ PORT_DIR "/gid_attrs", S_IFDIR, S_IFDIR },
	{ PORT_DIR "/hw_counters/out_of_buffer", S_IFREG, S_IFREG },
	{ VERBS, S_IFDIR, S_IFDIR },
	{ VERBS "/abi_version", S_IFREG, S_IFREG },
	{ "/sys/devices/cairn", S_IFDIR, S_IFDIR },
	{ BASE "/infiniband_verbs", S_IFDIR, S_IFDIR },
	/* spelled in other ways */
	{ "//sys/.//class///infiniband/./cairn_5/node_type", S_IFREG, S_IFREG },
	{ NIC "/../../nothing/../infiniband", 0, 0 },
	{ NIC "/../../../cairn_5-nic/device", S_IFREG, S_IFREG },
	{ CLASS "/../infiniband_verbs/abi_version", S_IFREG, S_IFREG },
	{ CLASS "/../../kernel", S_IFDIR, S_IFDIR },
	/* what is not there */
	{ CLASS "/cairn_6", 0, 0 },
	{ NIC "/nothing", 0, 0 },
	{ NIC "/ports/2", 0, 0 },
	{ NIC "/fw_ver", 0, 0 }, /* nobody knows it yet */
	{ PORT_DIR "/gids/2", 0, 0 },
	{ PORT_DIR "/gids/00", 0, 0 },
	{ PORT_DIR "/hw_counters/nothing", 0, 0 },
	{ "/dev/infiniband/uverbs", 0, 0 },
	{ "/dev/infiniband/cairn_6", 0, 0 },
	{ CLASS "_mad", 0, 0 },
	{ CLASS "x", 0, 0 },
};

/* Every way to ask for it: 0 and the mode, or -1 and ENOENT. */
static void ask(const char *path, bool follow, mode_t kind)
{
	int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW, got[6];
	struct statx stx = { 0 };
	struct stat64 st64 = { 0 };
	struct stat st[4] = { 0 };
	mode_t mode[6];

	got[0] = follow ? stat(path, &st[0]) : lstat(path, &st[0]);
	got[1] = follow ? stat64(path, &st64) : lstat64(path, &st64);
	got[2] = fstatat(AT_FDCWD, path, &st[1], flags);
	got[3] = follow ? __xstat(1, path, &st[2]) : __lxstat(1, path, &st[2]);
	got[4] = __fxstatat(1, AT_FDCWD, path, &st[3], flags);
	errno = 0;
	got[5] = statx(AT_FDCWD, path, flags, STATX_BASIC_STATS, &stx);
	if (errno != (kind ? 0 : ENOENT))
		fail_msg("%s: %s", path, strerror(errno));
	mode[0] = st[0].st_mode;
	mode[1] = st64.st_mode;
	mode[2] = st[1].st_mode;
	mode[3] = st[2].st_mode;
	mode[4] = st[3].st_mode;
	mode[5] = stx.stx_mode;
	for (unsigned int i = 0; i < 6; i++)
		if (got[i] != (kind ? 0 : -1) || (mode[i] & S_IFMT) != kind)
			fail_msg("%s by function %u: %d, mode %o, expected %o", path, i, got[i],
				 mode[i], kind);
	if (kind && kind != S_IFDIR && strstr(path, "cairn_5")) {
		assert_int_equal(st[0].st_ino, stx.stx_ino);
		assert_int_equal(st[0].st_size, kind == S_IFREG ? 4096 : 0);
	}
}

static void every_kind(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		ask(kinds[i].path, true, kinds[i].kind);
		ask(kinds[i].path, false, kinds[i].link);
		assert_int_equal(access(kinds[i].path, F_OK), kinds[i].kind ? 0 : -1);
	}
}

/* Numbers that go together: by name, by the other name, in sysfs, of the list. */
static void device_numbers(void **state)
{
	struct ibv_device **list = ibv_get_device_list(NULL), *device = NULL;
	char path[512], text[64];
	struct stat one, two;

	(void)state;
	for (unsigned int i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), "cairn_5"))
			device = list[i];
	assert_non_null(device);
	assert_string_equal(device->ibdev_path, NIC);
	assert_int_equal(strncmp(device->dev_name, "uverbs", 6), 0);
	snprintf(path, sizeof(path), "/dev/infiniband/%s", device->dev_name);
	assert_int_equal(stat(path, &one), 0);
	assert_true(S_ISCHR(one.st_mode));
	assert_int_equal(stat("/dev/infiniband/cairn_5", &two), 0);
	assert_int_equal(one.st_rdev, two.st_rdev);
	snprintf(path, sizeof(path), "%s/dev", device->dev_path);
	snprintf(text, sizeof(text), "%u:%u\n", major(one.st_rdev), minor(one.st_rdev));
	assert_text(path, text);
	snprintf(path, sizeof(path), "%s/ibdev", device->dev_path);
	assert_text(path, "cairn_5\n");
	assert_int_equal(ibv_get_device_index(device), 0x10000 + (int)minor(one.st_rdev) - 192);
	ibv_free_device_list(list);
}

/* ---------------------------------------------------------------- texts */

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static const struct {
	const char *path, *text;
} texts[] = {
	{ NIC "/node_type", "1: CA\n" },
	{ NIC "/node_guid", "00ca:12ff:fe00:0105\n" },
	{ NIC "/sys_image_guid", "00ca:12ff:fe00:0105\n" },
	{ NIC "/hca_type", "Cairn\n" },
	{ NIC "/hw_rev", TEXT(CAIRN_CONTRACT_VERSION) "\n" },
	{ NIC "/board_id", "1234:4791\n" },
	{ NIC "/node_desc", "Cairn cairn_5\n" },
	{ NIC "/device/vendor", "0x1234\n" },
	{ NIC "/device/device", "0x4791\n" },
	{ NIC "/device/subsystem_vendor", "0x1234\n" },
	{ NIC "/device/subsystem_device", "0x4791\n" },
	{ NIC "/device/class", "0x020700\n" },
	{ NIC "/device/revision", "0x0" TEXT(CAIRN_CONTRACT_VERSION) "\n" },
	{ NIC "/device/numa_node", "-1\n" },
	{ PORT_DIR "/state", "4: ACTIVE\n" },
	{ PORT_DIR "/phys_state", "5: LinkUp\n" },
	{ PORT_DIR "/rate", "100 Gb/sec (4X EDR)\n" },
	{ PORT_DIR "/link_layer", "Ethernet\n" },
	{ PORT_DIR "/lid", "0x0\n" },
	{ PORT_DIR "/lid_mask_count", "0\n" },
	{ PORT_DIR "/sm_lid", "0x0\n" },
	{ PORT_DIR "/sm_sl", "0\n" },
	{ PORT_DIR "/cap_mask", "0x04010000\n" },
	{ PORT_DIR "/gids/0", "fe80:0000:0000:0000:00ca:12ff:fe00:0105\n" },
	{ PORT_DIR "/gids/1", "0000:0000:0000:0000:0000:ffff:0a00:0005\n" },
	{ PORT_DIR "/gid_attrs/types/1", "RoCE v2\n" },
	{ PORT_DIR "/pkeys/0", "0xffff\n" },
	{ PORT_DIR "/counters/port_rcv_packets", "1000\n" },
	{ PORT_DIR "/counters/port_rcv_data", "250\n" }, /* 1001 bytes */
	{ PORT_DIR "/counters/port_xmit_packets", "1002\n" },
	{ PORT_DIR "/counters/port_xmit_data", "250\n" },
	{ PORT_DIR "/counters/port_rcv_errors", "1006\n" },
	{ PORT_DIR "/hw_counters/out_of_buffer", "1011\n" },
	{ PORT_DIR "/hw_counters/out_of_sequence", "1021\n" },
	{ VERBS "/abi_version", "6\n" },
};

static void every_text(void **state)
{
	char text[64];
	int fd;

	(void)state;
	for (unsigned int i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_text(texts[i].path, texts[i].text);
	/* at any place, again and again */
	fd = open(NIC "/node_type", O_RDONLY | O_CLOEXEC);
	assert_int_equal(pread(fd, text, sizeof(text), 3), 3);
	assert_memory_equal(text, "CA\n", 3);
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	assert_int_equal(read(fd, text, sizeof(text)), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(read(fd, text, 1), 1);
	REFUSED(write(fd, "x", 1), EBADF);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	close(fd);
}

/* As libibverbs reads them. */
static void through_libibverbs(void **state)
{
	char text[64] = "";

	(void)state;
	assert_string_equal(ibv_get_sysfs_path(), "/sys");
	assert_true(ibv_read_sysfs_file(NIC, "board_id", text, sizeof(text)) > 0);
	assert_string_equal(text, "1234:4791");
	assert_true(ibv_read_sysfs_file(NIC, "nothing", text, sizeof(text)) < 0);
}

/* A value of its moment; and none where nobody knows one. */
static void values_change(void **state)
{
	(void)state;
	write_counters(5000);
	assert_text(PORT_DIR "/counters/port_rcv_packets", "5000\n");
	unlink(in_run_dir("nic5.stat"));
	REFUSED(open(PORT_DIR "/counters/port_rcv_packets", O_RDONLY), ENOENT);
	REFUSED(access(PORT_DIR "/hw_counters/out_of_buffer", R_OK), ENOENT);
	write_facts(0x7ffffff0); /* nobody's: the simulator is gone */
	assert_text(PORT_DIR "/state", "1: DOWN\n");
	assert_text(PORT_DIR "/phys_state", "3: Disabled\n");
	unlink(in_run_dir("nic5.json"));
	REFUSED(access(PORT_DIR "/rate", R_OK), ENOENT);
	REFUSED(access(PORT_DIR "/gids/0", R_OK), ENOENT);
	assert_text(NIC "/node_guid", "00ca:12ff:fe00:0105\n");
	unlink(in_run_dir("nic5.sock"));
	REFUSED(access(NIC, F_OK), ENOENT);
	REFUSED(access(CLASS, F_OK), ENOENT);
	REFUSED(access("/dev/infiniband/cairn_5", R_OK), ENOENT);
	put_socket();
	assert_int_equal(access(NIC, F_OK), 0);
}

/* As tools watch counters: the file stays open, and is read from its beginning again. */
static void watched(void **state)
{
	static const char path[] = PORT_DIR "/hw_counters/rx_packets";
	int fd = open(path, O_RDONLY | O_CLOEXEC), other;
	char text[32] = "";

	(void)state;
	assert_int_equal(read(fd, text, sizeof(text)), 5);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0); /* as perftest does, long before it reads */
	write_counters(70000);
	assert_int_equal(read(fd, text, sizeof(text)), 6);
	assert_string_equal(text, "70000\n");
	write_counters(8);
	assert_int_equal(read(fd, text, sizeof(text)), 0); /* not from the beginning */
	assert_int_equal(pread64(fd, text, 2, 1), 2);
	assert_int_equal(pread(fd, text, sizeof(text), 0), 2);
	assert_memory_equal(text, "8\n", 2);
	unlink(in_run_dir("nic5.stat")); /* nobody knows it any more */
	assert_int_equal(pread64(fd, text, sizeof(text), 0), 2);
	/* what takes its number is left alone */
	close(fd);
	other = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	assert_int_equal(other, fd);
	assert_int_equal(read(other, text, 4), 4);
	assert_int_equal(pread(other, text, 4, 0), 4);
	close(other);
	REFUSED(read(-1, text, 1), EBADF);
	REFUSED(read(100000, text, 1), EBADF);
	REFUSED(pread(-1, text, 1, 0), EBADF);
}

/* Where this process has the NIC open, the device is asked: sysfs and verbs say the same. */
static void agrees_with_verbs(struct ibv_context *ctx)
{
	static const char dir[] = CLASS "/cairn_7/ports/1";
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	char path[128], text[80];

	assert_int_equal(ibv_query_device(ctx, &attr), 0);
	assert_int_equal(ibv_query_port(ctx, 1, &port), 0);
	for (int i = 0; i < port.gid_tbl_len; i++) {
		union ibv_gid gid;

		assert_int_equal(ibv_query_gid(ctx, 1, i, &gid), 0);
		for (unsigned int n = 0; n < 16; n += 2)
			sprintf(text + n / 2 * 5, "%02x%02x%c", gid.raw[n], gid.raw[n + 1],
				n < 14 ? ':' : '\n');
		snprintf(path, sizeof(path), "%s/gids/%d", dir, i);
		assert_text(path, text);
		snprintf(path, sizeof(path), "%s/gid_attrs/types/%d", dir, i);
		if (gid.global.subnet_prefix)
			assert_text(path, "RoCE v2\n");
		else
			REFUSED(open(path, O_RDONLY), EINVAL);
	}
	snprintf(path, sizeof(path), "%s/gids/%d", dir, port.gid_tbl_len);
	REFUSED(access(path, F_OK), ENOENT);
	snprintf(text, sizeof(text), "%s\n", attr.fw_ver);
	assert_text(CLASS "/cairn_7/fw_ver", text);
	snprintf(text, sizeof(text), "%x\n", attr.hw_ver);
	assert_text(CLASS "/cairn_7/hw_rev", text);
	snprintf(text, sizeof(text), "0x%08x\n", port.port_cap_flags);
	assert_text(CLASS "/cairn_7/ports/1/cap_mask", text);
	assert_int_equal(strtol(text_of(CLASS "/cairn_7/ports/1/state"), NULL, 10), port.state);
	assert_int_equal(strtol(text_of(CLASS "/cairn_7/ports/1/phys_state"), NULL, 10),
			 port.phys_state);
	snprintf(text, sizeof(text), "%llu\n", 1000000000000ull + CAIRN_COUNTER_RX_PACKETS);
	assert_text(CLASS "/cairn_7/ports/1/hw_counters/rx_packets", text);
}

static void of_an_open_device(void **state)
{
	struct ibv_context *ctx;

	(void)state;
	REFUSED(access(CLASS "/cairn_7", F_OK), ENOENT);
	fakes[0].port.gid_count = fakes[0].caps.max_gid;
	ctx = bench_context();
	assert_non_null(ctx);
	agrees_with_verbs(ctx);
	assert_int_equal(ibv_close_device(ctx), 0);
	REFUSED(access(CLASS "/cairn_7", F_OK), ENOENT);
}

/* ---------------------------------------------------------------- open() */

static const struct {
	const char *path;
	int flags, err; /* 0: it can be opened */
} opens[] = {
	{ NIC "/node_type", O_RDONLY, 0 },
	{ NIC "/node_type", O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0 },
	{ NIC "/node_type", O_PATH, 0 },
	{ NIC "/node_type", O_RDONLY | O_CREAT, 0 },
	{ NIC "/node_type", O_RDONLY | O_CREAT | O_EXCL, EEXIST },
	{ NIC "/node_type", O_RDWR, EACCES },
	{ NIC "/node_type", O_WRONLY, EACCES },
	{ NIC "/node_type", O_RDONLY | O_TRUNC, EACCES },
	{ NIC "/node_type", O_RDONLY | O_DIRECTORY, ENOTDIR },
	{ NIC "/node_type/", O_RDONLY, ENOTDIR },
	{ NIC "/node_type/x", O_RDONLY, ENOTDIR },
	{ NIC "/nothing", O_RDONLY, ENOENT },
	{ NIC "/nothing", O_WRONLY | O_CREAT, EACCES },
	{ NIC, O_RDONLY, 0 },
	{ NIC, O_RDONLY | O_NOFOLLOW, ELOOP },
	{ NIC, O_PATH | O_NOFOLLOW, 0 },
	{ NIC, O_RDONLY | O_CREAT | O_EXCL, EEXIST },
	{ NIC, O_RDWR, EISDIR },
	{ NIC, O_RDONLY | O_CREAT, EISDIR },
	{ NIC, O_RDWR | O_TMPFILE, EACCES },
	{ "/dev/infiniband", O_RDONLY | O_DIRECTORY, 0 },
	{ "/dev/infiniband/cairn_5", O_RDWR, 0 },
	{ "/dev/infiniband/cairn_5", O_RDWR | O_DIRECTORY, ENOTDIR },
	{ "/dev/infiniband/cairn_6", O_RDWR, ENOENT },
	{ PORT_DIR "/gid_attrs/ndevs/0", O_RDONLY, EINVAL },
};

static void every_open(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < sizeof(opens) / sizeof(opens[0]); i++) {
		const char *path = opens[i].path;
		int flags = opens[i].flags | O_CLOEXEC, err = opens[i].err, fd[8], n = 0;
		bool creates = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;

		errno = 0;
		fd[n++] = open(path, flags, 0600);
		if (errno != err)
			fail_msg("open %s with %o: %s, expected %s", path, flags, strerror(errno),
				 strerror(err));
		fd[n++] = open64(path, flags, 0600);
		fd[n++] = openat(AT_FDCWD, path, flags, 0600);
		fd[n++] = openat64(-1, path, flags, 0600);
		if (!creates) {
			fd[n++] = __open_2(path, flags);
			fd[n++] = __open64_2(path, flags);
			fd[n++] = __openat_2(-1, path, flags);
			fd[n++] = __openat64_2(AT_FDCWD, path, flags);
		}
		while (n--) {
			assert_int_equal(fd[n] >= 0, !err);
			if (fd[n] >= 0) {
				assert_int_equal(fcntl(fd[n], F_GETFD), FD_CLOEXEC);
				close(fd[n]);
			}
		}
	}
}

static void every_fopen(void **state)
{
	FILE *file = fopen64(NIC "/node_type", "r");
	char text[16];

	(void)state;
	assert_non_null(fgets(text, sizeof(text), file));
	assert_string_equal(text, "1: CA\n");
	file = freopen(NIC "/hca_type", "r", file);
	assert_non_null(fgets(text, sizeof(text), file));
	assert_string_equal(text, "Cairn\n");
	file = freopen64("/dev/null", "r", file);
	assert_null(fgets(text, sizeof(text), file));
	fclose(file);
	REFUSED_NULL(fopen(NIC "/node_type", "w"), EACCES);
	REFUSED_NULL(fopen(NIC "/node_type", "r+"), EACCES);
	REFUSED_NULL(fopen(NIC "/node_type", "?"), EINVAL);
	REFUSED_NULL(fopen(NIC "/nothing", "r"), ENOENT);
	REFUSED_NULL(fopen(NIC "/nothing", "a"), EACCES);
	REFUSED_NULL(fopen(NIC "/node_type", "wx"), EEXIST);
	REFUSED_NULL(fopen(PORT_DIR "/gid_attrs/types/9", "r"), ENOENT);
}

/* What is opened is what it was asked as; nothing can be done with a device. */
static void descriptors_tell_what_they_are(void **state)
{
	static const struct {
		const char *path;
		mode_t kind;
	} some[] = {
		{ NIC "/node_type", S_IFREG },
		{ NIC, S_IFDIR },
		{ "/dev/infiniband/cairn_5", S_IFCHR },
	};
	struct stat by_path, st, old;
	struct statx stx;
	char byte;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		int fd = open(some[i].path, O_RDONLY | O_CLOEXEC), copy = dup(fd);

		assert_int_equal(stat(some[i].path, &by_path), 0);
		assert_int_equal(fstat(copy, &st), 0);
		assert_int_equal(__fxstat(1, copy, &old), 0);
		assert_int_equal(st.st_mode, by_path.st_mode);
		assert_int_equal(old.st_mode, by_path.st_mode);
		assert_int_equal(st.st_ino, by_path.st_ino);
		assert_int_equal(st.st_rdev, by_path.st_rdev);
		assert_int_equal(fstatat(fd, "", &st, AT_EMPTY_PATH), 0);
		assert_int_equal(st.st_mode & S_IFMT, some[i].kind);
		assert_int_equal(statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &stx), 0);
		assert_int_equal(stx.stx_mode & S_IFMT, some[i].kind);
		if (some[i].kind == S_IFCHR) {
			assert_true(write(fd, "", 1) < 0);
			assert_true(read(fd, &byte, 1) <= 0);
		}
		close(copy);
		close(fd);
	}
}

/* ---------------------------------------------------------------- rights, attributes */

static void rights(void **state)
{
	bool root = !getuid();

	(void)state;
	assert_int_equal(access(NIC "/node_type", R_OK), 0);
	assert_int_equal(access(NIC "/node_type", W_OK), root ? 0 : -1);
	assert_int_equal(euidaccess("/dev/infiniband/cairn_5", R_OK | W_OK), 0);
	assert_int_equal(eaccess(NIC, R_OK | X_OK), 0);
	assert_int_equal(faccessat(AT_FDCWD, NIC, R_OK, AT_EACCESS), 0);
	assert_int_equal(faccessat(-1, NIC, R_OK, AT_SYMLINK_NOFOLLOW), 0);
	REFUSED(access(NIC "/node_type", X_OK), EACCES);
	REFUSED(access("/dev/infiniband/cairn_5", X_OK), EACCES);
	REFUSED(access(NIC "/node_type", 8), EINVAL);
	REFUSED(access(NIC "/nothing", R_OK), ENOENT);
	REFUSED(getxattr(NIC, "user.x", NULL, 0), EOPNOTSUPP);
	REFUSED(lgetxattr(NIC, "user.x", NULL, 0), EOPNOTSUPP);
	REFUSED(listxattr(NIC "/node_type", NULL, 0), EOPNOTSUPP);
	REFUSED(llistxattr(NIC "/nothing", NULL, 0), ENOENT);
}

/* ---------------------------------------------------------------- links */

static void links(void **state)
{
	static const char target[] = "../../devices/cairn/cairn_5-nic/infiniband/cairn_5";
	char link[256], whole[PATH_MAX], *made;
	ssize_t n = readlink(NIC, link, sizeof(link));
	int fd = open(NIC, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	(void)state;
	assert_int_equal(n, strlen(target));
	assert_memory_equal(link, target, strlen(target));
	assert_int_equal(readlink(NIC, link, 5), 5);
	assert_int_equal(readlinkat(-1, NIC, link, sizeof(link)), n);
	assert_int_equal(readlinkat(fd, "", link, sizeof(link)), n);
	assert_int_equal(__readlink_chk(NIC, link, sizeof(link), sizeof(link)), n);
	assert_int_equal(__readlinkat_chk(AT_FDCWD, NIC, link, sizeof(link), sizeof(link)), n);
	close(fd);
	assert_int_equal(readlink(NIC "/device", link, sizeof(link)),
			 strlen("../../../cairn_5-nic"));
	REFUSED(readlink(NIC "/node_type", link, sizeof(link)), EINVAL);
	REFUSED(readlink(NIC "/nothing", link, sizeof(link)), ENOENT);
	REFUSED(readlink(NIC, link, 0), EINVAL);
	assert_ptr_equal(realpath(NIC "/device/infiniband", whole), whole);
	assert_string_equal(whole, BASE "/infiniband");
	made = realpath(NIC "//ports/.", NULL);
	assert_string_equal(made, BASE "/infiniband/cairn_5/ports");
	free(made);
	made = canonicalize_file_name(NIC);
	assert_string_equal(made, BASE "/infiniband/cairn_5");
	free(made);
	assert_non_null(__realpath_chk(NIC, whole, sizeof(whole)));
	assert_string_equal(whole, BASE "/infiniband/cairn_5");
	REFUSED_NULL(realpath(NIC "/nothing", whole), ENOENT);
	REFUSED_NULL(realpath(NIC "/node_type/x", whole), ENOTDIR);
	assert_non_null(realpath(CLASS "/../..", whole));
	assert_string_equal(whole, "/sys");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES_TEST(works_before_constructors),
		FILES_TEST(every_kind),
		FILES_TEST(device_numbers),
		FILES_TEST(every_text),
		FILES_TEST(through_libibverbs),
		FILES_TEST(values_change),
		FILES_TEST(watched),
		FILES_TEST(of_an_open_device),
		FILES_TEST(every_open),
		FILES_TEST(every_fopen),
		FILES_TEST(descriptors_tell_what_they_are),
		FILES_TEST(rights),
		FILES_TEST(links),
	};

	return cmocka_run_group_tests_name("files", tests, files_group_setup, files_group_teardown);
}
