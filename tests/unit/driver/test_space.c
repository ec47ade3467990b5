// SPDX-License-Identifier: Apache-2.0
/* Number spaces, IOVA placement and the pool of shared memory. */
#include "driver_test.h"

static void every_number_once(void **state)
{
	struct cairn_space space;
	bool seen[1000] = { false };

	(void)state;
	assert_int_equal(cairn_space_init(&space, 3, 1000, 100, test_seed(), 1), 0);
	for (int i = 3; i < 1000; i++) {
		int64_t n = cairn_space_take(&space, 1);

		assert_in_range(n, 3, 999);
		assert_false(seen[n]);
		seen[n] = true;
	}
	assert_int_equal(cairn_space_take(&space, 1), -ENOSPC);
	cairn_space_give(&space, 77, 1);
	assert_int_equal(cairn_space_take(&space, 1), 77); /* nothing else is left */
	cairn_space_free(&space);
}

static void numbers_are_spread(void **state)
{
	struct cairn_space space;
	unsigned int quarter[4] = { 0 };

	(void)state;
	assert_int_equal(cairn_space_init(&space, 0, 65536, 100, test_seed(), 1), 0);
	for (int i = 0; i < 4000; i++)
		quarter[cairn_space_take(&space, 1) / 16384]++;
	for (int i = 0; i < 4; i++)
		assert_in_range(quarter[i], 800, 1200);
	cairn_space_free(&space);
}

static void same_seed_same_numbers(void **state)
{
	struct cairn_space a, b, c;
	unsigned int differ = 0;

	(void)state;
	assert_int_equal(cairn_space_init(&a, 0, 65536, 10, 5, 1), 0);
	assert_int_equal(cairn_space_init(&b, 0, 65536, 10, 5, 1), 0);
	assert_int_equal(cairn_space_init(&c, 0, 65536, 10, 0, 1), 0);
	for (int i = 0; i < 100; i++) {
		int64_t n = cairn_space_take(&a, 1);

		assert_int_equal(n, cairn_space_take(&b, 1));
		differ += n != cairn_space_take(&c, 1);
	}
	assert_true(differ > 90);
	cairn_space_free(&a);
	cairn_space_free(&b);
	cairn_space_free(&c);
}

static void freed_numbers_rest(void **state)
{
	struct cairn_space space;
	int64_t freed[64];

	(void)state;
	assert_int_equal(cairn_space_init(&space, 0, 256, 64, test_seed(), 1), 0);
	for (int i = 0; i < 64; i++) {
		freed[i] = cairn_space_take(&space, 1);
		cairn_space_give(&space, (uint32_t)freed[i], 1);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(freed[i], freed[k]);
	}
	/* 192 were never used: they all come before one that rests. */
	for (int i = 0; i < 192; i++) {
		int64_t n = cairn_space_take(&space, 1);

		assert_true(n >= 0);
		for (int k = 0; k < 64; k++)
			assert_int_not_equal(n, freed[k]);
	}
	assert_int_equal(cairn_space_take(&space, 1), freed[0]); /* the one that rested longest */
	cairn_space_free(&space);
}

static void take_by_number(void **state)
{
	struct cairn_space space;

	(void)state;
	assert_int_equal(cairn_space_init(&space, 4, 16, 4, test_seed(), 1), 0);
	assert_int_equal(cairn_space_take_this(&space, 1), 0); /* below first, as QP 1 is */
	assert_int_equal(cairn_space_take_this(&space, 1), -EBUSY);
	assert_int_equal(cairn_space_take_this(&space, 16), -EINVAL);
	for (uint32_t n = 8; n < 12; n++)
		assert_int_equal(cairn_space_take_this(&space, n), 0);
	for (uint32_t n = 8; n < 12; n++)
		cairn_space_give(&space, n, 1);
	assert_int_equal(cairn_space_take_this(&space, 10), 0); /* out of the resting ones */
	assert_int_equal(cairn_space_take_this(&space, 10), -EBUSY);
	for (int i = 0; i < 11; i++)
		assert_int_not_equal(cairn_space_take(&space, 1), 10);
	assert_int_equal(cairn_space_take(&space, 1), -ENOSPC);
	cairn_space_free(&space);
}

/* Random takes and gives of runs, checked against a plain array. */
static void runs_never_overlap(void **state)
{
	struct {
		uint32_t start, count;
	} held[200];
	static bool used[3000];
	struct rng rng = { test_seed() };
	struct cairn_space space;
	unsigned int n = 0;

	(void)state;
	memset(used, 0, sizeof(used));
	assert_int_equal(cairn_space_init(&space, 10, 3000, 8, test_seed(), 2), 0);
	for (int i = 0; i < 20000; i++) {
		if (n < 200 && rng_percent(&rng, 55)) {
			uint32_t count =
				(uint32_t)rng_range(&rng, 1, rng_percent(&rng, 10) ? 500 : 8);
			int64_t start = cairn_space_take(&space, count);

			if (start < 0)
				continue;
			assert_in_range(start, 10, 3000 - count);
			for (uint32_t k = 0; k < count; k++) {
				assert_false(used[start + k]);
				used[start + k] = true;
			}
			held[n].start = (uint32_t)start;
			held[n++].count = count;
		} else if (n) {
			unsigned int which = (unsigned int)rng_below(&rng, n);

			for (uint32_t k = 0; k < held[which].count; k++)
				used[held[which].start + k] = false;
			cairn_space_give(&space, held[which].start, held[which].count);
			held[which] = held[--n];
		}
	}
	assert_int_equal(cairn_space_take(&space, 0), -ENOSPC);
	assert_int_equal(cairn_space_take(&space, 2991), -ENOSPC);
	while (n--)
		cairn_space_give(&space, held[n].start, held[n].count);
	assert_int_equal(cairn_space_take(&space, 2990), 10); /* wakes all that rest */
	cairn_space_free(&space);
}

static void iova_placement(void **state)
{
	struct {
		uint64_t at, len;
	} held[300];
	struct cairn_iova iova;
	struct rng rng = { test_seed() };

	(void)state;
	cairn_iova_init(&iova, 0x10000, 0xffffffff, test_seed());
	for (int i = 0; i < 300; i++) {
		uint64_t align = rng_percent(&rng, 30) ? 2 << 20 : 4096;
		uint64_t phase = rng_below(&rng, align / 4096) * 4096;

		held[i].len = rng_range(&rng, 1, 700) * 4096;
		assert_int_equal(cairn_iova_take(&iova, held[i].len, align, phase, &held[i].at), 0);
		assert_int_equal(held[i].at % align, phase);
		assert_true(held[i].at >= 0x10000 && held[i].at + held[i].len - 1 <= 0xffffffff);
		for (int k = 0; k < i; k++)
			assert_true(held[i].at + held[i].len <= held[k].at ||
				    held[k].at + held[k].len <= held[i].at);
	}
	for (int i = 0; i < 300; i += 2)
		cairn_iova_give(&iova, held[i].at, held[i].len);
	cairn_iova_give(&iova, 0x123000, 4096); /* not ours: nothing happens */
	cairn_iova_free(&iova);
}

static void iova_full(void **state)
{
	struct cairn_iova iova;
	uint64_t a, b;

	(void)state;
	cairn_iova_init(&iova, 0x10000, 0x10fff + 0x1000, test_seed());
	assert_int_equal(cairn_iova_take(&iova, 0x3000, 4096, 0, &a), -ENOSPC);
	assert_int_equal(cairn_iova_take(&iova, 0x2000, 4096, 0, &a), 0);
	assert_int_equal(a, 0x10000);
	assert_int_equal(cairn_iova_take(&iova, 0x1000, 4096, 0, &b), -ENOSPC);
	assert_message("no room");
	cairn_iova_give(&iova, a, 0x2000);
	assert_int_equal(cairn_iova_take(&iova, 0x1000, 4096, 0, &b), 0);
	cairn_iova_free(&iova);
}

/* Thousands of small ranges leave room for large ones, whatever the width of the space. */
static void iova_room_for_large(void **state)
{
	static const struct {
		unsigned int bits, small;
		uint64_t large;
	} rows[] = { { 39, 10000, 4ull << 30 },
		     { 39, 1000, 128ull << 30 },
		     { 44, 5000, 1ull << 40 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t at, low = UINT64_MAX, high = 0;
		struct cairn_iova iova;

		cairn_iova_init(&iova, 1 << 20, (1ull << rows[i].bits) - 1, test_seed());
		for (unsigned int k = 0; k < rows[i].small; k++) {
			assert_int_equal(cairn_iova_take(&iova, 4096, 4096, 0, &at), 0);
			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		assert_in_range(high - low, 1ull << (rows[i].bits - 5), 1ull << (rows[i].bits - 4));
		for (unsigned int k = 0; k < 20; k++) /* still so when there are middling ones */
			assert_int_equal(cairn_iova_take(&iova, 256 << 20, 2 << 20, 0, &at), 0);
		assert_int_equal(cairn_iova_take(&iova, rows[i].large, 1 << 30, 0x5000, &at), 0);
		assert_int_equal(at % (1 << 30), 0x5000);
		cairn_iova_free(&iova);
	}
}

/* The last page is found too, and one that is given back. */
static void iova_used_up(void **state)
{
	enum { PAGES = 3000 };
	static uint64_t held[PAGES];
	static bool used[PAGES];
	struct rng rng = { test_seed() };
	struct cairn_iova iova;
	uint64_t at;

	(void)state;
	memset(used, 0, sizeof(used));
	cairn_iova_init(&iova, 1 << 20, (1 << 20) + PAGES * 4096 - 1, test_seed());
	for (unsigned int i = 0; i < PAGES; i++) {
		unsigned int page;

		assert_int_equal(cairn_iova_take(&iova, 4096, 4096, 0, &held[i]), 0);
		page = (unsigned int)(held[i] / 4096 - 256);
		assert_in_range(page, 0, PAGES - 1);
		assert_false(used[page]);
		used[page] = true;
	}
	assert_int_equal(cairn_iova_take(&iova, 4096, 4096, 0, &at), -ENOSPC);
	for (unsigned int i = 0; i < 50; i++) {
		uint64_t gone = held[rng_below(&rng, PAGES)];

		cairn_iova_give(&iova, gone, 4096);
		assert_int_equal(cairn_iova_take(&iova, 4096, 4096, 0, &at), 0);
		assert_int_equal(at, gone);
	}
	cairn_iova_free(&iova);
}

/* The only gap that is long enough is not aligned. */
static void iova_settles_for_less(void **state)
{
	static const uint64_t taken[] = { 0x900000, 0xb01000, 0xd00000, 0xf00000 };
	struct cairn_iova iova;
	uint64_t at;

	(void)state;
	cairn_iova_init(&iova, 0x800000, 0xffffff, test_seed());
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		assert_int_equal(cairn_iova_take(&iova, 4096, 8 << 20, taken[i] % (8 << 20), &at),
				 0);
		assert_int_equal(at, taken[i]);
	}
	assert_int_equal(cairn_iova_take(&iova, 2 << 20, 2 << 20, 0, &at), 0);
	assert_int_equal(at, 0x901000);
	assert_int_equal(cairn_iova_take(&iova, 2 << 20, 2 << 20, 0, &at), -ENOSPC);
	cairn_iova_free(&iova);
}

/* A stale address rarely hits what came later. */
static void iova_is_not_used_again_soon(void **state)
{
	struct cairn_iova iova;
	uint64_t at[1000];
	unsigned int same = 0;

	(void)state;
	cairn_iova_init(&iova, 1 << 20, (1ull << 39) - 1, test_seed());
	for (unsigned int i = 0; i < 1000; i++) {
		assert_int_equal(cairn_iova_take(&iova, 4096, 4096, 0, &at[i]), 0);
		cairn_iova_give(&iova, at[i], 4096);
		for (unsigned int k = 0; k < i; k++)
			same += at[k] == at[i];
	}
	assert_in_range(same, 0, 3); /* 1000^2 / 2 of 2^23: 0.06 by chance */
	cairn_iova_free(&iova);
}

/* Memory of all sizes: zeroed, mapped, disjoint; the pool gives chunks back when they are empty. */
static void shared_memory(void **state)
{
	struct cairn_dev *dev = test_open();
	struct rng rng = { test_seed() };
	struct cairn_dma held[60];
	unsigned int maps = fakes[0].n_maps, n = 0;
	uint64_t other;

	(void)state;
	for (int i = 0; i < 600; i++) {
		if (n < 60 && rng_percent(&rng, 60)) {
			size_t len = rng_range(&rng, 1, rng_percent(&rng, 10) ? 3000000 : 40000);
			struct cairn_dma *d = &held[n];
			const uint8_t *p;

			assert_int_equal(cairn_dma_alloc(dev, len, d), 0);
			assert_int_equal(d->iova % 4096, 0);
			p = fake_mem(&fakes[0], d->iova, len, CAIRN_DMA_READ | CAIRN_DMA_WRITE);
			assert_ptr_equal(p, d->va);
			for (size_t k = 0; k < len; k++)
				assert_int_equal(p[k], 0);
			memset(d->va, (int)n + 1, len);
			for (unsigned int k = 0; k < n; k++)
				assert_true(d->iova + d->len <= held[k].iova ||
					    held[k].iova + held[k].len <= d->iova);
			n++;
		} else if (n) {
			unsigned int which = (unsigned int)rng_below(&rng, n);

			cairn_dma_free(dev, &held[which]);
			held[which] = held[--n];
		}
	}
	while (n)
		cairn_dma_free(dev, &held[--n]);
	assert_true(fakes[0].n_maps <= maps);
	assert_int_equal(cairn_dma_alloc(dev, 0, &held[0]), -EINVAL);
	assert_int_equal(cairn_dma_alloc(dev, 3 << 20, &held[0]), 0);
	assert_int_equal(held[0].iova % (2 << 20), 0);
	assert_int_equal((uintptr_t)held[0].va % (2 << 20), 0);
	other = held[0].iova;
	cairn_dma_free(dev, &held[0]);
	cairn_dma_free(dev, &held[0]); /* nothing left to free */
	assert_int_equal(cairn_dma_alloc(dev, 3 << 20, &held[0]), 0);
	assert_int_not_equal(held[0].iova, other);
	cairn_dma_free(dev, &held[0]);
	cairn_close(dev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_once),
		cmocka_unit_test(numbers_are_spread),
		cmocka_unit_test(same_seed_same_numbers),
		cmocka_unit_test(freed_numbers_rest),
		cmocka_unit_test(take_by_number),
		cmocka_unit_test(runs_never_overlap),
		DRIVER_TEST(iova_placement),
		DRIVER_TEST(iova_full),
		DRIVER_TEST(iova_room_for_large),
		DRIVER_TEST(iova_used_up),
		DRIVER_TEST(iova_settles_for_less),
		DRIVER_TEST(iova_is_not_used_again_soon),
		DRIVER_TEST(shared_memory),
	};

	return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
