// SPDX-License-Identifier: Apache-2.0
/*
 * What is shown on stderr without a call of cairn_set_log(): that something is broken, always; that
 * a program does not get what it asked for, which is how programs find limits, only with CAIRN_LOG.
 * cairn_last_error() has both.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver_test.h"

static int kept = -1;

/* stderr goes to a file, ... */
static void catch (void)
{
	int file = memfd_create("stderr", MFD_CLOEXEC);

	fflush(stderr);
	kept = dup(2);
	dup2(file, 2);
	close(file);
}

/* ... and this is what came. */
static const char *caught(void)
{
	static char text[4096];
	ssize_t n;

	fflush(stderr);
	n = pread(2, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	dup2(kept, 2);
	close(kept);
	return text;
}

/* Everything that a program may ask too much of; returns how many were refused. */
static unsigned int ask_too_much(struct cairn_dev *dev)
{
	struct cairn_qp_init qp = { .type = CAIRN_QP_TYPE_RC, .max_send_wr = 1u << 30 };
	static uint8_t memory[64];
	struct cairn_ah_attr address = { .sgid_index = 200 };
	struct cairn_pd *pd;
	struct cairn_mr *mr;
	struct cairn_srq_init many = { .max_wr = 1u << 30, .max_sge = 1 };
	struct cairn_srq *srq;
	struct cairn_ah *ah;
	struct cairn_cq *cq, *good;
	struct cairn_qp *made;
	uint64_t value;
	unsigned int n = 0;

	assert_int_equal(cairn_alloc_pd(dev, &pd), 0);
	assert_int_equal(cairn_create_cq(dev, 10, 0, NULL, NULL, &good), 0);
	qp.send_cq = qp.recv_cq = good;
	n += cairn_create_qp(pd, &qp, &made) == -EINVAL;
	n += cairn_create_cq(dev, 1u << 30, 0, NULL, NULL, &cq) == -EINVAL;
	n += cairn_create_cq(dev, 10, 77, NULL, NULL, &cq) == -EINVAL;
	n += cairn_create_srq(pd, &many, &srq) == -EINVAL;
	n += cairn_reg_mr(pd, memory, UINT64_MAX, 0, 0, &mr) == -EINVAL;
	n += cairn_reg_mr(pd, memory, 64, 0, CAIRN_ACCESS_REMOTE_WRITE, &mr) == -EINVAL;
	n += cairn_reg_mr(pd, (void *)0x1000, 64, 0x1000, 0, &mr) == -EFAULT;
	n += cairn_create_ah(pd, &address, &ah) == -EINVAL;
	n += cairn_read_counter(dev, 5000, &value) == -EINVAL;
	assert_int_equal(cairn_reg_mr(pd, memory, 64, 0, 0, &mr), 0);
	n += cairn_dealloc_pd(pd) == -EBUSY;
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(cairn_destroy_cq(good), 0);
	assert_int_equal(cairn_dealloc_pd(pd), 0);
	return n;
}

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void refusals(void **state)
{
	struct cairn_dev *dev = test_open();
	unsigned int n;

	(void)state;
	catch ();
	n = ask_too_much(dev);
	assert_string_equal(caught(), "");
	assert_int_equal(n, 10);
	assert_message("in use"); /* but it is kept */
	cairn_note("port %u", 7u);
	assert_string_equal(caught(), "");
	setenv("CAIRN_LOG", "1", 1);
	catch ();
	ask_too_much(dev);
	assert_int_equal(lines(caught()), 10);
	catch ();
	cairn_note("port %u", 7u);
	assert_string_equal(caught(), "cairn: port 7\n");
	setenv("CAIRN_LOG", "", 1);
	catch ();
	ask_too_much(dev);
	assert_string_equal(caught(), "");
	unsetenv("CAIRN_LOG");
	cairn_close(dev);
}

/* A device that cannot be opened, for whatever reason, and one that is lost. */
static void what_is_broken(void **state)
{
	struct cairn_opts opts = test_opts();
	struct cairn_dev *dev;
	uint64_t now;

	(void)state;
	catch ();
	assert_int_equal(cairn_open("nowhere:0", &opts, &dev), -ENODEV);
	assert_non_null(strstr(caught(), "nowhere"));
	/* a refusal is why the device cannot be opened */
	fakes[0].fail_command = 3;
	fakes[0].fail_status = CAIRN_CMD_STATUS_NO_RESOURCE;
	catch ();
	assert_int_equal(cairn_open("fake:0", &opts, &dev), -ENOSPC);
	assert_non_null(strstr(caught(), "NO_RESOURCE"));
	dev = test_open();
	fakes[0].die_at = 0;
	catch ();
	assert_true(cairn_query_time(dev, &now) < 0);
	assert_non_null(strstr(caught(), "lost"));
	cairn_close(dev);
}

static int setup(void **state)
{
	(void)state;
	fake_start(); /* and not cairn_set_log() */
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(refusals, setup, test_teardown),
		cmocka_unit_test_setup_teardown(what_is_broken, setup, test_teardown),
	};

	return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
