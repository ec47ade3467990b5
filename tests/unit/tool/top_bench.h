/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of `cairn top` share: a run directory with statistics pages that the test writes,
 * readings of it, and the rows that they make.
 */
#ifndef TOP_BENCH_H
#define TOP_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "devtime.h"
#include "sealed.h"
#include "top.h"

#define MS 1000000ull

static char dir[] = "/tmp/cairn-top-XXXXXX";
static struct top_opts opts;
static struct top_data data;
static unsigned int said;
static int at;

/* ---------------------------------------------------------------- pages */

static const char *const model_names[] = {
	"wire_dropped",
	"sim_time_ns",
	"sim_wall_ns",
	"sim_counters_time_ns",
	"sim_counters_wall_ns",
	"sim_evaluated_cycles",
	"sim_evaluated_cycles_per_s",
};
#define N_MODEL (sizeof(model_names) / sizeof(*model_names))

static struct sim_stat_page *pages[3];

static inline size_t page_bytes(void)
{
	return sizeof(struct sim_stat_page) +
	       (CAIRN_COUNTERS + N_MODEL) * sizeof(struct sim_stat_entry);
}

static inline void new_page(unsigned int nic, uint32_t pid)
{
	struct sim_stat_page *page = calloc(1, page_bytes());

	memcpy(page->magic, SIM_STAT_MAGIC, sizeof(page->magic));
	page->n = CAIRN_COUNTERS + N_MODEL;
	page->nic = nic;
	page->pid = pid;
	for (unsigned int i = 0; i < CAIRN_COUNTERS; i++)
		if (cairn_counter_names[i])
			strcpy(page->entry[i].name, cairn_counter_names[i]);
	for (unsigned int i = 0; i < N_MODEL; i++)
		strcpy(page->entry[CAIRN_COUNTERS + i].name, model_names[i]);
	free(pages[nic]);
	pages[nic] = page;
}

static inline void add(unsigned int nic, const char *name, uint64_t more)
{
	struct sim_stat_page *page = pages[nic];
	bool found = false;

	for (uint32_t i = 0; i < page->n; i++)
		if (!strcmp(page->entry[i].name, name)) {
			page->entry[i].value += more;
			found = true;
		}
	assert_true(found);
}

/* The simulator reads the counters: so much later, in device time and the wall's. */
static inline void later(unsigned int nic, uint64_t device, uint64_t wall)
{
	add(nic, "sim_counters_time_ns", device);
	add(nic, "sim_counters_wall_ns", wall);
	add(nic, "sim_time_ns", device);
	add(nic, "sim_wall_ns", wall);
}

static inline void write_page(unsigned int nic)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "nic%u.stat", nic);
	unlinkat(at, name, 0);
	fd = openat(at, name, O_RDWR | O_CREAT, 0600);
	assert_int_equal(write(fd, pages[nic], page_bytes()), (ssize_t)page_bytes());
	close(fd);
}

static inline void remove_file(const char *name)
{
	unlinkat(at, name, 0);
}

static inline int say(const char *fmt, ...)
{
	(void)fmt;
	said++;
	return 1;
}

static inline unsigned int take(void)
{
	unsigned int failed = top_take(&data, &opts.where, 1000 * MS, say);

	assert_int_equal(top_figure(&data, &opts), 0);
	return failed;
}

/* A page of the simulator that this test is, whose counters were read so late that they do not grow
 * old, however long the test is held up. */
static inline void begin_nic(unsigned int nic)
{
	new_page(nic, (uint32_t)getpid());
	later(nic, 5000 * MS, devtime_wall() + 3600000 * MS);
	write_page(nic);
}

static inline int set_up(void **state)
{
	(void)state;
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	memset(&data, 0, sizeof(data));
	opts = (struct top_opts){ .interval = 1, .qps = true };
	opts.where = (struct tool_where){ .rundir = dir,
					  .nic = TOOL_ALL_NICS,
					  .host = TOOL_ALL_HOSTS };
	said = 0;
	begin_nic(0);
	begin_nic(1);
	return at < 0;
}

static inline int tear_down(void **state)
{
	static const char *const names[] = { "nic0.stat", "nic1.stat", "nic2.stat",
					     "nic0.lat",  "nic0.time", "0000:0f:00.0.lat" };

	(void)state;
	top_free(&data);
	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove_file(names[i]);
	for (unsigned int i = 0; i < 3; i++) {
		free(pages[i]);
		pages[i] = NULL;
	}
	close(at);
	return rmdir(dir);
}

static inline const struct top_row *row(const char *nic)
{
	for (unsigned int i = 0; i < data.figures.nics; i++)
		if (!strcmp(data.figures.nic[i].nic, nic))
			return &data.figures.nic[i];
	fail_msg("no row %s", nic);
	return NULL;
}

static inline const struct top_row *qp_row(uint32_t qpn)
{
	for (unsigned int i = 0; i < data.figures.qps; i++)
		if (data.figures.qp[i].qpn == qpn)
			return &data.figures.qp[i];
	fail_msg("no row of QP 0x%06x", qpn);
	return NULL;
}

static inline void is(const struct top_row *r, unsigned int value, double want)
{
	assert_true(r->known[value]);
	if (fabs(r->value[value] - want) > 1e-6 * fabs(want))
		fail_msg("value %u is %.9g, not %.9g", value, r->value[value], want);
}

#define TOP_TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

#endif
