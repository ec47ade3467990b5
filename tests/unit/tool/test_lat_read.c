// SPDX-License-Identifier: Apache-2.0
/*
 * Latencies as tools read them: percentiles against those of the values themselves, within the
 * bound that lat_hist.h promises; pages of programs that run, that have ended, that are gone; and
 * damaged pages and files, which may give wrong figures but do no other harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "devtime.h"
#include "lat_read.h"
#include "rng.h"
#include "sealed.h"

static char top[] = "/tmp/cairn-lat-XXXXXX";
static char why[256];
static struct rng rng;
static struct lat_page *page;
static int dir, page_fd;

static int set_up(void **state)
{
	(void)state;
	rng.state = test_seed();
	if (!mkdtemp(top))
		return -1;
	dir = trust_open_dir(top, TRUST_PRIVATE, why, sizeof(why));
	page_fd = sealed_new("test", sizeof(*page), true, (void **)&page);
	return dir < 0 || page_fd < 0;
}

static int tear_down(void **state)
{
	(void)state;
	munmap(page, sizeof(*page));
	close(page_fd);
	unlinkat(dir, "nic0.lat", 0);
	close(dir);
	return rmdir(top);
}

/* ---------------------------------------------------------------- histograms */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Each value is in a bucket that has it, buckets follow each other without a gap, and the middle
 * of one is near enough to all that is in it. */
static void buckets(void **state)
{
	(void)state;
	for (unsigned int b = 0; b + 1 < LAT_BUCKETS; b++) {
		uint64_t low = lat_lowest(b), high = lat_lowest(b + 1) - 1, middle = lat_middle(b);

		assert_int_equal(lat_bucket(low), b);
		assert_int_equal(lat_bucket(high), b);
		assert_in_range(middle, low, high);
		assert_true((middle - low) * 32 <= low && (high - middle) * 32 <= high);
		if (low < 32)
			assert_int_equal(low, high);
	}
	assert_int_equal(lat_lowest(LAT_BUCKETS - 1), 1ull << LAT_TOP_LOG2);
	assert_int_equal(lat_bucket(UINT64_MAX), LAT_BUCKETS - 1);
	for (unsigned int i = 0; i < 200000; i++) {
		uint64_t ns = rng_u64(&rng) >> (rng_u64(&rng) % 64);
		unsigned int b = lat_bucket(ns);

		assert_true(lat_lowest(b) <= ns);
		assert_true(b + 1 == LAT_BUCKETS || ns < lat_lowest(b + 1));
	}
}

/* n values of some shape: narrow, wide, two hills, all the same. */
static void fill(uint64_t *value, unsigned int n, unsigned int shape)
{
	uint64_t base = (rng_u64(&rng) >> 30) + 1;

	for (unsigned int i = 0; i < n; i++) {
		switch (shape) {
		case 0:
			value[i] = 2000 + rng_u64(&rng) % 100;
			break;
		case 1:
			value[i] = rng_u64(&rng) >> (28 + rng_u64(&rng) % 36);
			break;
		case 2:
			value[i] = rng_u64(&rng) % 100 < 97 ? 3000 + rng_u64(&rng) % 500
							    : 70000000 + rng_u64(&rng) % 9000;
			break;
		default:
			value[i] = base;
		}
	}
}

static void percentiles(void **state)
{
	static const unsigned int permilles[] = { 0, 1, 100, 500, 900, 990, 999, 1000 };
	static uint64_t value[20000];

	(void)state;
	for (unsigned int round = 0; round < 80; round++) {
		unsigned int n = round < 20 ? round + 1 : (unsigned int)(rng_u64(&rng) % 20000) + 1;
		struct lat_figures f = { 0 };

		fill(value, n, round % 4);
		for (unsigned int i = 0; i < n; i++) {
			f.bucket[lat_bucket(value[i])]++;
			f.count++;
			f.max = value[i] > f.max ? value[i] : f.max;
		}
		qsort(value, n, sizeof(*value), compare);
		for (unsigned int p = 0; p < sizeof(permilles) / sizeof(*permilles); p++) {
			/* the smallest that so many do not exceed */
			uint64_t rank = ((uint64_t)n * permilles[p] + 999) / 1000;
			uint64_t exact = value[rank ? rank - 1 : 0];
			uint64_t got = lat_permille(&f, permilles[p]);
			uint64_t off = got > exact ? got - exact : exact - got;

			if (off * 32 > exact)
				fail_msg(
					"%u values of shape %u, %u/1000: %llu for %llu (SEED=0x%llx)",
					n, round % 4, permilles[p], (unsigned long long)got,
					(unsigned long long)exact, (unsigned long long)test_seed());
		}
		assert_true(lat_permille(&f, 1000) <= f.max);
	}
}

static void nothing_and_too_long(void **state)
{
	struct lat_figures f = { 0 };

	(void)state;
	for (unsigned int p = 0; p <= 1000; p += 100)
		assert_int_equal(lat_permille(&f, p), 0);
	f.count = 3;
	f.bucket[lat_bucket(1ull << 50)] = 3;
	assert_int_equal(lat_permille(&f, 500), 1ull << LAT_TOP_LOG2);
	/* counts that no page has, as a damaged one may */
	f.count = UINT64_MAX;
	memset(f.bucket, 0xff, sizeof(f.bucket));
	for (unsigned int p = 0; p <= 1000; p += 100)
		(void)lat_permille(&f, p);
}

static void differences(void **state)
{
	struct lat_figures a = { .count = 3, .sum = 30, .max = 20 }, b = a, d;

	(void)state;
	a.bucket[10] = b.bucket[10] = 3;
	b.bucket[40] = 5;
	b.count = 8;
	b.sum = 500;
	lat_since(&b, &a, &d);
	assert_int_equal(d.count, 5);
	assert_int_equal(d.sum, 470);
	assert_int_equal(d.bucket[10], 0);
	assert_int_equal(d.bucket[40], 5);
	assert_int_equal(lat_permille(&d, 500), lat_middle(40));
	/* another page: nothing of the one before is in it */
	lat_since(&a, &b, &d);
	assert_int_equal(d.count, 3);
	b.count = 2;
	lat_since(&a, &b, &d);
	assert_int_equal(d.bucket[10], 3);
}

/* ---------------------------------------------------------------- pages */

static void put_slot(unsigned int i, uint32_t qpn, uint64_t ns, uint64_t n)
{
	struct lat_slot *slot = &page->slot[i];

	page->head.owner[i] = (struct lat_owner){ qpn, i };
	slot->count += n;
	slot->sum += n * ns;
	slot->max = ns;
	slot->bucket[lat_bucket(ns)] += n;
}

/* A good page: QPs 0x11 and 0x12, one without figures, and those of all others. */
static void good_page(void)
{
	memset(page, 0, sizeof(*page));
	memcpy(page->head.magic, LAT_MAGIC, sizeof(page->head.magic));
	snprintf(page->head.device, sizeof(page->head.device), "cairn_0");
	page->head.used = 4;
	put_slot(0, LAT_NO_QP, 100, 2);
	put_slot(1, 0x11, 1000, 10);
	put_slot(2, 0x13, 0, 0);
	put_slot(3, 0x12, 2000, 30);
}

static void announce(uint32_t pid, int fd, uint64_t bytes)
{
	struct sealed_at at = { LAT_MAGIC, pid, fd, bytes, { 0 } };

	fd = sealed_announce(dir, "nic0.lat", &at);
	assert_true(fd >= 0);
	close(fd);
}

static struct lat_copy *read_good(uint64_t watch_ns)
{
	struct lat_copy *copy;

	assert_int_equal(lat_read(dir, "nic0.lat", watch_ns, &copy, why, sizeof(why)), 0);
	return copy;
}

static void check_figures(const struct lat_copy *copy)
{
	assert_int_equal(copy->all.count, 42);
	assert_int_equal(copy->all.sum, 70200);
	assert_int_equal(copy->all.max, 2000);
	assert_int_equal(copy->n_qps, 2);
	assert_int_equal(copy->qp[0].qpn, 0x11);
	assert_int_equal(copy->qp[0].figures.count, 10);
	assert_int_equal(copy->qp[1].qpn, 0x12);
	assert_int_equal(copy->qp[1].life, 3);
	/* the middle of its bucket is more than the longest there was */
	assert_int_equal(lat_permille(&copy->qp[1].figures, 500), 2000);
	assert_string_equal(copy->device, "cairn_0");
}

static void of_a_program_that_runs(void **state)
{
	struct lat_copy *copy;

	(void)state;
	good_page();
	announce((uint32_t)getpid(), page_fd, sizeof(*page));
	copy = read_good(0);
	check_figures(copy);
	assert_false(copy->ended);
	assert_false(copy->watched);
	assert_int_equal(page->head.watch, 0);
	free(copy);
	/* several watch: the longest counts, and to look alone changes nothing */
	free(read_good(3600000000000u));
	assert_true(page->head.watch > devtime_wall() + 1800000000000u);
	page->head.watch = UINT64_MAX;
	free(read_good(1000));
	assert_true(page->head.watch == UINT64_MAX);
	copy = read_good(0);
	assert_true(copy->watched);
	free(copy);
	page->head.watch = 1; /* long ago */
	copy = read_good(0);
	assert_false(copy->watched);
	free(copy);
}

static void put_file(off_t cut)
{
	struct sealed_at at = { LAT_MAGIC, 0, -1, sizeof(*page), { 0 } };
	int fd = sealed_announce(dir, "nic0.lat", &at);

	assert_int_equal(pwrite(fd, page, sizeof(*page), LAT_FILE_OFFSET), sizeof(*page));
	assert_int_equal(ftruncate(fd, (off_t)(LAT_FILE_OFFSET + sizeof(*page)) - cut), 0);
	close(fd);
}

static void of_one_that_has_ended(void **state)
{
	struct lat_copy *copy;

	(void)state;
	good_page();
	page->head.watch = UINT64_MAX;
	put_file(0);
	copy = read_good(1000000000u);
	check_figures(copy);
	assert_true(copy->ended);
	assert_false(copy->watched);
	free(copy);
}

static int read_bad(void)
{
	struct lat_copy *copy = (void *)1;
	int err = lat_read(dir, "nic0.lat", 1000, &copy, why, sizeof(why));

	assert_null(copy);
	return err;
}

static void of_none(void **state)
{
	(void)state;
	unlinkat(dir, "nic0.lat", 0);
	assert_int_equal(read_bad(), -ENOENT);
	good_page();
	announce(0x7ffffff0, 3, sizeof(*page)); /* killed */
	assert_int_equal(read_bad(), -ESRCH);
	announce(0, -1, 0); /* ended, and nothing could be kept */
	assert_int_equal(read_bad(), -ESRCH);
	announce((uint32_t)getpid(), page_fd, sizeof(*page) + 64); /* another version */
	assert_int_equal(read_bad(), -EPROTO);
	assert_non_null(strstr(why, "another version"));
	announce((uint32_t)getpid(), dir, sizeof(*page));
	assert_int_equal(read_bad(), -EPROTO);
	/* more of it than there are places for, and a file that is long enough */
	page->head.used = LAT_SLOTS + 40;
	put_file(-1000000);
	assert_int_equal(read_bad(), -EPROTO);
	/* cut at any place, but in what fills it up */
	for (off_t cut = 64; cut <= (off_t)(LAT_FILE_OFFSET + sizeof(*page)); cut = cut * 3 + 1) {
		page->head.used = LAT_SLOTS;
		put_file(cut);
		assert_int_equal(read_bad(), -EPROTO);
	}
}

static void refused(void *word, uint32_t value)
{
	uint32_t was;

	memcpy(&was, word, sizeof(was));
	memcpy(word, &value, sizeof(value));
	assert_int_equal(read_bad(), -EPROTO);
	assert_non_null(strstr(why, "damaged"));
	memcpy(word, &was, sizeof(was));
}

/* A page that anybody may have written into. */
static void damaged(void **state)
{
	struct lat_copy *copy;

	(void)state;
	good_page();
	announce((uint32_t)getpid(), page_fd, sizeof(*page));
	refused(page->head.magic, 0);
	refused(&page->head.used, LAT_SLOTS + 1);
	refused(&page->head.used, UINT32_MAX);
	check_figures(copy = read_good(0));
	free(copy);
	page->head.seq = 7; /* somebody died in the midst of a change */
	check_figures(copy = read_good(0));
	free(copy);
	page->head.used = 0;
	copy = read_good(0);
	assert_int_equal(copy->all.count + copy->n_qps, 0);
	free(copy);
	for (unsigned int round = 0; round < 60; round++) {
		uint8_t *bytes = (uint8_t *)page;

		for (size_t i = 0; i < sizeof(*page); i++)
			bytes[i] = round % 3 ? (uint8_t)rng_u64(&rng) : 0xff;
		memcpy(page->head.magic, LAT_MAGIC, sizeof(page->head.magic));
		page->head.used = (uint32_t)(rng_u64(&rng) % (LAT_SLOTS + 1));
		copy = read_good(round % 2);
		assert_true(copy->n_qps < LAT_SLOTS);
		assert_int_equal(copy->device[LAT_DEVICE_BYTES], 0);
		for (unsigned int q = 0; q < copy->n_qps; q++) {
			assert_true(copy->qp[q].qpn <= 0xffffff);
			for (unsigned int p = 0; p <= 1000; p += 250)
				(void)lat_permille(&copy->qp[q].figures, p);
		}
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets),
		cmocka_unit_test(percentiles),
		cmocka_unit_test(nothing_and_too_long),
		cmocka_unit_test(differences),
		cmocka_unit_test(of_a_program_that_runs),
		cmocka_unit_test(of_one_that_has_ended),
		cmocka_unit_test(of_none),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests_name("lat_read", tests, set_up, tear_down);
}
