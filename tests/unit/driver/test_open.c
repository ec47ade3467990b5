// SPDX-License-Identifier: Apache-2.0
/* Opening and closing: the bring-up sequence, everything that can be wrong with a device or an
 * image, sharing. */
#include <sys/wait.h>
#include <unistd.h>

#include "driver_test.h"

static void open_and_close(void **state)
{
	struct fake *f = &fakes[0];
	struct cairn_dev *dev = test_open();
	struct cairn_dev_caps caps;

	(void)state;
	assert_true(f->enabled);
	assert_int_equal(f->pci_command, 6);
	assert_int_equal(f->status & CAIRN_REG_STATUS_FW_READY, CAIRN_REG_STATUS_FW_READY);
	assert_string_equal(cairn_dev_name(dev), "fake:0");
	assert_false(cairn_dev_gone(dev));
	assert_int_equal(cairn_comp_vectors(dev), 3);
	assert_int_equal(f->n_irqs, 4);
	for (int i = 0; i < 4; i++) {
		assert_true(f->eqs[i].live);
		assert_true(f->eqs[i].armed);
		assert_int_equal(f->eqs[i].vector, i);
	}
	/* What the caller sees is cut to the tables. */
	assert_int_equal(cairn_query_device(dev, &caps), 0);
	assert_int_equal(caps.max_qp, 254);
	assert_int_equal(caps.max_cq, 128);
	assert_int_equal(caps.max_pd, 1023);
	assert_int_equal(caps.max_srq, 32);
	assert_int_equal(caps.max_mr, 255);
	assert_int_equal(caps.max_sge, 16);
	assert_int_equal(f->table_log2[CAIRN_TABLE_QP], 8);
	assert_int_equal(f->table_log2[CAIRN_TABLE_RSP_RES], 8);
	assert_int_equal(f->table_log2[CAIRN_TABLE_MTT], 14);
	cairn_close(dev);
	assert_int_equal(f->resets, 2);
	assert_int_equal(f->cmdq_enable, 0);
	assert_false(f->open);
	cairn_close(NULL);
}

/* EQ 0 takes four events of each QP, as far as rings go. */
static void async_queue_grows_with_the_qps(void **state)
{
	static const unsigned int log2[][2] = { { 4, 10 }, { 8, 10 }, { 12, 14 }, { 14, 15 } };

	(void)state;
	fakes[0].caps.max_qp = 1 << 14;
	for (size_t i = 0; i < sizeof(log2) / sizeof(*log2); i++) {
		struct cairn_opts opts = test_opts();
		struct cairn_dev *dev;

		opts.qps_log2 = log2[i][0];
		assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
		assert_int_equal(fakes[0].eqs[0].log2, log2[i][1]);
		cairn_close(dev);
	}
}

static void sizes_are_cut_to_the_device(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev;

	(void)state;
	opts.qps_log2 = 20;
	opts.mtts_log2 = 30;
	opts.comp_vectors = 100;
	fakes[0].caps.max_eq = 6;
	fakes[0].caps.max_mr = 1000; /* no power of two */
	opts.mrs_log2 = 0;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	assert_int_equal(fakes[0].table_log2[CAIRN_TABLE_QP], 10);
	assert_int_equal(fakes[0].table_log2[CAIRN_TABLE_MTT], 16);
	assert_int_equal(fakes[0].table_log2[CAIRN_TABLE_MPT], 9);
	assert_int_equal(cairn_comp_vectors(dev), 5);
	cairn_close(dev);
}

static void defaults_and_environment(void **state)
{
	struct cairn_dev *dev;

	(void)state;
	fakes[0].reset_polls = 5;
	assert_int_equal(cairn_open("fake:0", NULL, &dev), 0);
	assert_int_equal(cairn_comp_vectors(dev), 4);
	assert_int_equal(dev->timeout_ns, 10000 * NS_PER_MS);
	cairn_close(dev);
	setenv("CAIRN_TIMEOUT_MS", "1234", 1);
	assert_int_equal(cairn_open("fake:0", NULL, &dev), 0);
	assert_int_equal(dev->timeout_ns, 1234 * NS_PER_MS);
	cairn_close(dev);
	unsetenv("CAIRN_TIMEOUT_MS");
}

static void device_without_srqs(void **state)
{
	struct cairn_srq_init init = { .max_wr = 1, .max_sge = 1 };
	struct cairn_srq *srq;
	struct cairn_pd *pd;
	struct cairn_dev *dev;

	(void)state;
	fakes[0].caps.max_srq = 0;
	dev = test_open();
	assert_int_equal(fakes[0].table_base[CAIRN_TABLE_SRQ], 0);
	assert_int_equal(cairn_alloc_pd(dev, &pd), 0);
	assert_int_equal(cairn_create_srq(pd, &init, &srq), -EOPNOTSUPP);
	assert_int_equal(cairn_dealloc_pd(pd), 0);
	cairn_close(dev);
}

static void same_device_is_shared(void **state)
{
	struct cairn_dev *a = test_open(), *b = test_open(), *other;

	(void)state;
	assert_ptr_equal(a, b);
	assert_int_equal(cairn_open("fake:1", NULL, &other), 0);
	assert_ptr_not_equal(a, other);
	cairn_close(a);
	assert_true(fakes[0].open);
	cairn_close(b);
	assert_false(fakes[0].open);
	cairn_close(other);
}

/* Opening fails with that error, its message has that part, and nothing is left; afterwards all is
 * well. */
static void refused(int err, const char *part, struct cairn_opts *opts)
{
	struct cairn_opts usual = test_opts();
	struct cairn_dev *dev = NULL;

	assert_int_equal(cairn_open("fake:0", opts ? opts : &usual, &dev), err);
	assert_null(dev);
	assert_message(part);
	assert_false(fakes[0].open);
	assert_int_equal(fakes[0].n_maps, 0);
}

static void unknown_address(void **state)
{
	struct cairn_dev *dev;

	(void)state;
	assert_int_equal(cairn_open("0000:99:00", NULL, &dev), -ENODEV);
	assert_message("neither");
	assert_int_equal(cairn_open("/nonexistent/nic0.sock", NULL, &dev), -ENOENT);
	assert_message("cairn sim");
}

static void wrong_device(void **state)
{
	(void)state;
	fakes[0].id = 0xffffffff;
	refused(-ENODEV, "no Cairn device", NULL);
	fakes[0].id = (uint32_t)CAIRN_CONTRACT_MAGIC << 16 | (CAIRN_CONTRACT_VERSION + 1);
	refused(-EPROTO, "same release", NULL);
	assert_int_equal(fakes[0].fw_len, 0); /* nothing was loaded into it */
}

static void stays_in_reset(void **state)
{
	(void)state;
	fakes[0].reset_polls = 0xffffffff;
	refused(-ETIMEDOUT, "out of reset", NULL);
}

static void bad_images(void **state)
{
	struct cairn_opts opts = test_opts();
	char image[80];

	(void)state;
	opts.firmware = "/nonexistent/image.bin";
	refused(-ENOENT, "CAIRN_FIRMWARE", &opts);
	snprintf(image, sizeof(image), "/tmp/cairn-test-bad-%d.bin", (int)getpid());
	opts.firmware = image;
	fake_write_image(image, 0x12345678, CAIRN_CONTRACT_VERSION, 256, 0);
	refused(-EINVAL, "no Cairn firmware", &opts);
	fake_write_image(image, CAIRN_FW_MAGIC, CAIRN_CONTRACT_VERSION + 1, 256, 0);
	refused(-EPROTO, "contract", &opts);
	fake_write_image(image, CAIRN_FW_MAGIC, CAIRN_CONTRACT_VERSION, 260, 0);
	refused(-EINVAL, "in its head", &opts);
	fake_write_image(image, CAIRN_FW_MAGIC, CAIRN_CONTRACT_VERSION, 256, 1);
	refused(-EINVAL, "CRC", &opts);
	assert_int_equal(truncate(image, 20), 0);
	refused(-EINVAL, "size", &opts);
	assert_int_equal(truncate(image, CAIRN_CPU_RAM_BYTES + 100), 0);
	refused(-EINVAL, "size", &opts);
	unlink(image);
	cairn_close(test_open());
}

static void no_image(void **state)
{
	struct cairn_dev *dev;

	(void)state;
	unsetenv("CAIRN_FIRMWARE");
	if (access("build/firmware/cairn_fw.bin", R_OK)) /* else it is found beside the program */
		refused(-ENOENT, "make firmware", NULL);
	/* A bitstream with firmware needs none. */
	fakes[0].baked = true;
	dev = test_open();
	cairn_close(dev);
}

static void firmware_that_does_not_start(void **state)
{
	(void)state;
	fakes[0].fw_status = 0;
	refused(-ETIMEDOUT, "does not start", NULL);
	fakes[0].fw_status = CAIRN_REG_STATUS_FW_BAD;
	refused(-EIO, "refuses", NULL);
	fakes[0].fw_status = 0xffffffff;
	refused(-ENODEV, "lost", NULL);
}

static void image_damaged_on_the_way(void **state)
{
	struct cairn_dev *dev = test_open();

	(void)state;
	/* What the device holds is the image, word for word. */
	assert_int_equal(fakes[0].fw_len, 256);
	assert_int_equal(cairn_crc32(fakes[0].ram, 256), fakes[0].fw_crc);
	cairn_close(dev);
	assert_int_equal(cairn_crc32("123456789", 9), 0xcbf43926);
	fakes[0].spoil_fw = 0x10;
	refused(-EIO, "damaged on the way", NULL);
	cairn_close(test_open());
}

/* The device could not read it: said as that, and the memory goes only when it reads no more. */
static void image_not_read(void **state)
{
	unsigned int resets = fakes[0].resets;

	(void)state;
	fakes[0].unread_fw = true;
	refused(-EIO, "could not read firmware image", NULL);
	assert_true(fakes[0].resets >= resets + 2); /* before, and after */
	cairn_close(test_open());
}

static void poor_firmware(void **state)
{
	struct cairn_dev_caps good = fakes[0].caps;

	(void)state;
	fakes[0].caps.max_pd = 0;
	refused(-EPROTO, "offers no", NULL);
	fakes[0].caps = good;
	fakes[0].caps.page_sizes = 1 << 16;
	refused(-EPROTO, "offers no", NULL);
	fakes[0].caps = good;
	fakes[0].caps.max_eq = 1;
	refused(-EPROTO, "event queues", NULL);
	fakes[0].caps = good;
	fakes[0].caps.max_cq = 2;
	refused(-EPROTO, "at least 8", NULL);
	fakes[0].caps = good;
	fakes[0].caps.max_gid = 0;
	refused(-EPROTO, "offers no", NULL);
}

static void gids_as_text(void **state)
{
	static const struct {
		const char *text;
		bool good;
		uint32_t vlan;
	} cases[] = {
		{ "10.1.2.3", true, 0 },
		{ "::ffff:10.1.2.3", true, 0 },
		{ "10.1.2.3@1", true, CAIRN_GID_VLAN | 1 },
		{ "::ffff:10.1.2.3@4094", true, CAIRN_GID_VLAN | 4094 },
		{ "10.1.2.3@", false, 0 },
		{ "10.1.2.3@0", false, 0 },
		{ "10.1.2.3@4095", false, 0 },
		{ "10.1.2.3@+5", false, 0 },
		{ "10.1.2.3@5x", false, 0 },
		{ "10.1.2.3@99999999999999999999", false, 0 },
		{ "10.1.2", false, 0 },
		{ "@5", false, 0 },
		{ "", false, 0 },
		{ "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000", false, 0 },
	};
	static const uint8_t address[16] = { [10] = 0xff, 0xff, 10, 1, 2, 3 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t vlan = 1;
		uint8_t gid[16];
		bool good = cairn_parse_gid(cases[i].text, gid, &vlan);

		if (good != cases[i].good)
			fail_msg("\"%s\"", cases[i].text);
		if (good)
			assert_memory_equal(gid, address, 16);
		if (good)
			assert_int_equal(vlan, cases[i].vlan);
	}
}

static void gids_at_open(void **state)
{
	static const uint8_t given[2][16] = { { 0xfe, 0x80, [15] = 1 },
					      { [10] = 0xff, 0xff, 10, 0, 0, 1 } };
	/* 02:00:00:00:0a:01 */
	static const uint8_t own[16] = { 0xfe, 0x80, [11] = 0xff, 0xfe, 0, 0x0a, 0x01 };
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev = test_open();
	uint8_t gid[16];
	uint32_t vlan = 1;

	(void)state;
	assert_int_equal(cairn_query_gid(dev, 0, gid, &vlan), 0);
	assert_memory_equal(gid, own, 16);
	assert_memory_equal(fakes[0].gids[0], own, 16);
	assert_int_equal(vlan, 0);
	assert_int_equal(cairn_query_gid(dev, 1, gid, NULL), -ENOENT);
	assert_int_equal(cairn_query_gid(dev, 64, gid, NULL), -EINVAL);
	cairn_close(dev);

	/* a device without IPv6: its own link-local address stays out, and opening succeeds */
	fakes[0].caps.features &= ~(uint64_t)CAIRN_REG_FEATURES_IPV6;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	assert_int_equal(cairn_query_gid(dev, 0, gid, NULL), -ENOENT);
	assert_false(fakes[0].gid_valid[0]);
	cairn_close(dev);
	fakes[0].caps.features |= CAIRN_REG_FEATURES_IPV6;

	opts.gids = given;
	opts.n_gids = 2;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(cairn_query_gid(dev, i, gid, NULL), 0);
		assert_memory_equal(gid, given[i], 16);
		assert_memory_equal(fakes[0].gids[i], given[i], 16);
	}
	assert_int_equal(cairn_set_gid(dev, 1, NULL, 0), 0);
	assert_false(fakes[0].gid_valid[1]);
	assert_int_equal(cairn_query_gid(dev, 1, gid, NULL), -ENOENT);
	assert_int_equal(cairn_set_gid(dev, 63, given[1], CAIRN_GID_VLAN | 5), 0);
	assert_int_equal(cairn_query_gid(dev, 63, gid, &vlan), 0);
	assert_int_equal(vlan, CAIRN_GID_VLAN | 5);
	assert_int_equal(cairn_set_gid(dev, 64, given[1], 0), -EINVAL);
	assert_int_equal(cairn_set_gid(dev, 4096, given[1], 0), -EINVAL);
	cairn_close(dev);

	opts.no_gids = 1;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	assert_int_equal(cairn_query_gid(dev, 0, gid, NULL), -ENOENT);
	cairn_close(dev);
	opts.no_gids = 0;
	opts.n_gids = 65;
	refused(-EINVAL, "GIDs given", &opts);
}

/* More commands than the ring has places, all at once; the one that is refused is named. */
static void many_commands_at_once(void **state)
{
	struct cairn_opts opts = test_opts();
	uint8_t given[64][16] = { 0 }, gid[16];
	struct cairn_dev *dev;
	unsigned int fixed, gids = 64;

	(void)state;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	fixed = fakes[0].commands - 1; /* all but the GID's */
	cairn_close(dev);
	for (unsigned int i = 0; i < gids; i++)
		memcpy(given[i], (uint8_t[]){ 0xfe, 0x80, [14] = 1, (uint8_t)i }, 16);
	opts.gids = given;
	opts.n_gids = gids;
	opts.comp_vectors = 31;
	assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
	for (unsigned int i = 0; i < gids; i++) {
		assert_int_equal(cairn_query_gid(dev, i, gid, NULL), 0);
		assert_memory_equal(gid, given[i], 16);
		assert_memory_equal(fakes[0].gids[i], given[i], 16);
	}
	cairn_close(dev);

	opts.n_gids = 3;
	opts.comp_vectors = test_opts().comp_vectors;
	for (unsigned int i = 0; i < fixed + 3; i++) {
		fakes[0].fail_command = i;
		fakes[0].fail_status = CAIRN_CMD_STATUS_NO_RESOURCE;
		refused(-ENOSPC, i < fixed ? "none left" : "fe80::10", &opts);
		if (i >= fixed)
			assert_message((char[]){ 'G', 'I', 'D', ' ', (char)('0' + i - fixed), 0 });
	}
	fakes[0].drop_command = fixed + 1; /* between two that are answered */
	refused(-EIO, "no answer to SET_GID", &opts);
	cairn_close(test_open());
}

/* Frames to ourselves are looped, unless the caller or the environment says no; or later. */
static void loop_switch(void **state)
{
	struct cairn_port_attr port;
	struct cairn_opts opts;
	struct cairn_dev *dev;

	(void)state;
	cairn_opts_init(&opts);
	for (unsigned int i = 0; i < 4; i++) {
		bool off = i == 1 || i == 2;

		fakes[0].port.flags = CAIRN_PORT_FLAG_LOOP; /* as after a reset */
		fakes[0].caps.features |= CAIRN_REG_FEATURES_LOOP;
		opts.no_loop = i == 1;
		if (i >= 2)
			setenv("CAIRN_NO_LOOP", "1", 1);
		if (i == 3) /* one that cannot is not asked to */
			fakes[0].caps.features &= ~CAIRN_REG_FEATURES_LOOP;
		assert_int_equal(cairn_open("fake:0", &opts, &dev), 0);
		unsetenv("CAIRN_NO_LOOP");
		assert_int_equal(cairn_query_port(dev, &port), 0);
		assert_int_equal(port.flags, off ? 0 : CAIRN_PORT_FLAG_LOOP);
		assert_int_equal(cairn_set_port(dev, 0), i == 3 ? -EOPNOTSUPP : 0);
		assert_int_equal(cairn_query_port(dev, &port), 0);
		assert_int_equal(port.flags, i == 3 ? CAIRN_PORT_FLAG_LOOP : 0);
		cairn_close(dev);
	}
	fakes[0].caps.features |= CAIRN_REG_FEATURES_LOOP;
}

static void registers_and_port(void **state)
{
	struct cairn_dev *dev = test_open();
	struct cairn_port_attr port;
	uint64_t value;
	uint32_t reg;

	(void)state;
	assert_int_equal(cairn_query_port(dev, &port), 0);
	assert_int_equal(port.state, 4);
	assert_int_equal(port.gbps, 10);
	assert_int_equal(cairn_read_counter(dev, CAIRN_COUNTER_RX_BYTES, &value), 0);
	assert_int_equal(value, 1000000000001);
	assert_int_equal(cairn_read_counter(dev, CAIRN_COUNTER_COUNT, &value), -EINVAL);
	assert_int_equal(cairn_query_time(dev, &value), 0);
	assert_int_equal(value, fakes[0].now);
	assert_int_equal(cairn_read_reg(dev, CAIRN_REG_ID, &reg), 0);
	assert_int_equal(reg, fakes[0].id);
	assert_int_equal(cairn_read_reg(dev, 2, &reg), -EINVAL);
	assert_int_equal(cairn_read_reg(dev, CAIRN_BAR0_BYTES, &reg), -EINVAL);
	value = fakes[0].now;
	cairn_relax(dev, 0);
	assert_true(fakes[0].now > value);
	assert_string_equal(cairn_enum_name("cmd_op", CAIRN_CMD_OP_CREATE_QP), "CREATE_QP");
	assert_string_equal(cairn_enum_name("wc_status", CAIRN_WC_STATUS_RETRY_EXC_ERR),
			    "RETRY_EXC_ERR");
	assert_string_equal(cairn_enum_name("wc_status", 99), "?");
	assert_string_equal(cairn_enum_name("nonsense", 0), "?");
	cairn_close(dev);
}

static unsigned int lines;
static uint32_t last_seq;

static void on_line(void *arg, const struct cairn_log_entry *entry)
{
	(void)arg;
	assert_true(entry->seq > last_seq);
	assert_string_equal((const char *)entry->text, "hello");
	last_seq = entry->seq;
	lines++;
}

static void firmware_log(void **state)
{
	struct cairn_dev *dev = test_open();
	uint32_t size = 1u << fakes[0].log_size;
	struct cairn_log_entry *ring =
		fake_mem(&fakes[0], fakes[0].log_base, size * sizeof(*ring), CAIRN_DMA_WRITE);

	(void)state;
	lines = last_seq = 0;
	assert_int_equal(cairn_read_log(dev, on_line, NULL), 0);
	for (uint32_t seq = 1; seq <= 1000; seq++) {
		strcpy((char *)ring[(seq - 1) % size].text, "hello");
		ring[(seq - 1) % size].seq = seq;
		if (seq <= 10)
			assert_int_equal(cairn_read_log(dev, on_line, NULL), 1);
	}
	/* It went round several times since: the newest `size` lines, at most, are there. */
	assert_in_range(cairn_read_log(dev, on_line, NULL), 1, size);
	assert_int_equal(last_seq, 1000);
	assert_int_equal(cairn_read_log(dev, on_line, NULL), 0);
	cairn_close(dev);
}

static void a_child_has_no_device(void **state)
{
	struct cairn_dev *dev = test_open();
	struct cairn_pd *pd, *none;
	uint64_t time;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(cairn_alloc_pd(dev, &pd), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct cairn_dma dma = { 0 };
		int bad = cairn_alloc_pd(dev, &none) != -ENODEV;

		bad |= cairn_dealloc_pd(pd) != -ENODEV;
		bad |= cairn_query_time(dev, &time) != -ENODEV;
		bad |= cairn_poll_events(dev, 0, NULL, NULL) != -ENODEV;
		bad |= cairn_wait_event(dev, 0, 1) != -ENODEV;
		bad |= cairn_dma_alloc(dev, 100, &dma) != -ENODEV;
		bad |= !cairn_dev_gone(dev);
		bad |= !strstr(cairn_last_error(), "parent");
		cairn_relax(dev, 0);
		cairn_close(dev);
		_exit(bad);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_false(cairn_dev_gone(dev));
	assert_int_equal(cairn_dealloc_pd(pd), 0);
	cairn_close(dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DRIVER_TEST(open_and_close),
		DRIVER_TEST(async_queue_grows_with_the_qps),
		DRIVER_TEST(sizes_are_cut_to_the_device),
		DRIVER_TEST(defaults_and_environment),
		DRIVER_TEST(device_without_srqs),
		DRIVER_TEST(same_device_is_shared),
		DRIVER_TEST(unknown_address),
		DRIVER_TEST(wrong_device),
		DRIVER_TEST(stays_in_reset),
		DRIVER_TEST(bad_images),
		DRIVER_TEST(no_image),
		DRIVER_TEST(firmware_that_does_not_start),
		DRIVER_TEST(image_damaged_on_the_way),
		DRIVER_TEST(image_not_read),
		DRIVER_TEST(poor_firmware),
		DRIVER_TEST(gids_as_text),
		DRIVER_TEST(gids_at_open),
		DRIVER_TEST(many_commands_at_once),
		DRIVER_TEST(loop_switch),
		DRIVER_TEST(registers_and_port),
		DRIVER_TEST(firmware_log),
		DRIVER_TEST(a_child_has_no_device),
	};

	return cmocka_run_group_tests_name("open", tests, NULL, NULL);
}
