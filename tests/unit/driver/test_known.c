// SPDX-License-Identifier: Apache-2.0
/* What is known of a NIC before it is opened: which bus an address is of, and the GIDs that files
 * say. */
#include <unistd.h>

#include "driver_test.h"
#include "nic_json.h"

static void names(void **state)
{
	static const char *const good[][2] = {
		{ "0000:01:00.0", "0000:01:00.0" },   { "01:00.0", "0000:01:00.0" },
		{ "vfio:01:00.0", "0000:01:00.0" },   { "vfio:0001:c1:1f.7", "0001:c1:1f.7" },
		{ "10000:E1:0a.3", "10000:e1:0a.3" }, { "1:2.3", "0000:01:02.3" },
	};
	static const char *const bad[] = {
		"",	  "vfio:",   "sim:0",	 "fake:0",	  "/tmp/nic0.sock",    "nic0.sock",
		"01:00",  "01:00.8", "01:20.0",	 "01:00.0 ",	  "0:0:0:0.0",	       "g1:00.0",
		"01:00.", ":00.0",   "001:00.0", "0000:01:00.10", "123456789:01:00.0",
	};
	char bdf[CAIRN_BDF_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_ptr_equal(cairn_bus_find(good[i][0]), &cairn_bus_vfio);
		assert_true(cairn_reaches(good[i][0]));
		assert_true(cairn_bdf(good[i][0], NULL));
		assert_true(cairn_bdf(good[i][0], bdf));
		assert_string_equal(bdf, good[i][1]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_false(cairn_bus_vfio.match(bad[i]));
		assert_false(cairn_bdf(bad[i], NULL));
	}
	assert_true(cairn_reaches("/tmp/nic0.sock"));
	assert_false(cairn_reaches("nonsense"));
}

static const uint8_t zero[16], v4[16] = { [10] = 0xff, 0xff, 10, 0, 0, 5 },
			       v6[16] = { 0xfd, [15] = 5 };

static void write_file(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("{\"gids\": [\"10.0.0.5\", \"fd00::5@7\"]}", file);
	fclose(file);
}

/* Behind the link-local address, of which nothing is known. */
static void gids_of_a_function(void **state)
{
	char dir[] = "/tmp/cairn-vfio-XXXXXX", path[128];
	const char *before = cairn_vfio_run;
	uint8_t known[8][16];

	(void)state;
	assert_non_null(mkdtemp(dir));
	cairn_vfio_run = dir;
	assert_int_equal(cairn_known_gids("01:00.0", known, 8), 0);
	cairn_vfio_file("01:00.0", path, sizeof(path));
	write_file(path);
	memset(known, 0xff, sizeof(known));
	assert_int_equal(cairn_known_gids("01:00.0", known, 8), 3);
	assert_memory_equal(known[0], zero, 16);
	assert_memory_equal(known[1], v4, 16);
	assert_memory_equal(known[2], v6, 16);
	memset(known, 0xff, sizeof(known));
	assert_int_equal(cairn_known_gids("vfio:0000:01:00.0", known, 2), 2);
	assert_memory_equal(known[1], v4, 16);
	assert_int_equal(known[2][0], 0xff);
	assert_int_equal(cairn_known_gids("02:00.0", known, 8), 0);
	unlink(path);
	rmdir(dir);
	cairn_vfio_run = before;
}

static void gids_of_a_socket(void **state)
{
	char dir[] = "/tmp/cairn-known-XXXXXX", sock[64], path[64];
	uint8_t known[8][16];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(sock, sizeof(sock), "%s/nic0.sock", dir);
	snprintf(path, sizeof(path), "%s/nic0.json", dir);
	assert_int_equal(cairn_known_gids(sock, known, 8), 0);
	write_file(path);
	assert_int_equal(cairn_known_gids(sock, known, 8), 2);
	assert_memory_equal(known[0], v4, 16);
	assert_memory_equal(known[1], v6, 16);
	assert_int_equal(cairn_known_gids(sock, known, 1), 1);
	assert_int_equal(cairn_known_gids("nic0.sock", known, 8), 0); /* no path */
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(gids_of_a_function),
		cmocka_unit_test(gids_of_a_socket),
	};

	return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
