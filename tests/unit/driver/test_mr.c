// SPDX-License-Identifier: Apache-2.0
/* Memory regions: page arithmetic for all alignments, page lists, what the device is told and may
 * reach, keys. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "driver_test.h"

#define MB2 (2ull << 20)

static struct cairn_dev *dev;
static struct cairn_pd *pd;

static int setup(void **state)
{
	test_setup(state);
	dev = test_open();
	return cairn_alloc_pd(dev, &pd);
}

static int teardown(void **state)
{
	if (cairn_dealloc_pd(pd))
		return -1;
	cairn_close(dev);
	return test_teardown(state);
}

#define MR_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

/* Through the page list every byte of the region gets where it should: checked against plain
 * arithmetic. */
static void page_arithmetic(void **state)
{
	static const uint64_t sizes[] = { 1 << 12, 1 << 12 | 1 << 21,
					  1 << 12 | 1 << 16 | 1 << 21 | 1ull << 30 };
	struct rng rng = { test_seed() };

	(void)state;
	for (int n = 0; n < 20000; n++) {
		uint64_t set = sizes[rng_below(&rng, 3)];
		uint64_t align = 1ull << rng_range(&rng, 12, 31);
		uint64_t va = rng_u64(&rng) >> 8 & ~0xfffull;
		uint64_t iova = (rng_u64(&rng) >> 8 & ~(align - 1)) | (va & (align - 1));
		uint64_t len = rng_range(&rng, 1, 1ull << rng_range(&rng, 1, 32));
		uint64_t offset = rng_below(&rng, 4096), size, pages;
		unsigned int log2;

		va += offset;
		iova += offset;
		log2 = cairn_mr_page_log2(va, iova, len, set);
		assert_true(set & 1ull << log2);
		size = 1ull << log2;
		assert_int_equal((va ^ iova) & (size - 1), 0);
		if (log2 > 12)
			assert_true(len >= size);
		for (unsigned int more = log2 + 1; more < 40; more++) /* no larger one would do */
			assert_false(set & 1ull << more && len >= 1ull << more &&
				     !((va ^ iova) & ((1ull << more) - 1)));
		pages = cairn_mr_pages(va, len, log2);
		for (int k = 0; k < 8; k++) {
			uint64_t at = k == 0 ? 0 : k == 1 ? len - 1 : rng_below(&rng, len);
			uint64_t i = ((va + at) >> log2) - (va >> log2);
			uint64_t pte = cairn_mr_pte(iova, log2, i);

			assert_true(i < pages);
			assert_int_equal(pte & 0xfff, CAIRN_MTT_PTE_VALID);
			assert_int_equal(pte & ~0xfffull & (size - 1), 0);
			assert_int_equal((pte & ~0xfffull) + ((va + at) & (size - 1)), iova + at);
		}
		assert_int_equal(((va + len - 1) >> log2) - (va >> log2), pages - 1);
	}
}

/* The software device walks each list itself (fake_cmd.c): all starts and ends around page
 * boundaries. */
static void paged_all_alignments(void **state)
{
	static const unsigned int edge[] = { 0, 1, 64, 2048, 4094, 4095 };
	uint8_t *area = aligned_alloc(4096, 16 * 4096);

	(void)state;
	for (unsigned int a = 0; a < 6; a++) {
		for (unsigned int pages = 0; pages < 10; pages++) {
			for (unsigned int b = 0; b < 6; b++) {
				uint64_t start = edge[a], last = pages * 4096 + edge[b];
				struct cairn_mr *mr;

				if (last < start)
					continue;
				assert_int_equal(cairn_reg_mr_kind(pd, area + start,
								   last - start + 1,
								   (uintptr_t)area + start,
								   CAIRN_ACCESS_LOCAL_WRITE,
								   CAIRN_MR_USE_PAGED, &mr),
						 0);
				assert_int_equal(mr->mode, CAIRN_MR_MODE_PAGED);
				assert_int_equal(mr->page_log2, 12);
				assert_int_equal(mr->mtt_count, pages + 1);
				assert_int_equal(mr->mtt_index % 8, 0);
				assert_int_equal(cairn_dereg_mr(mr), 0);
			}
		}
	}
	free(area);
}

static uint8_t *map_area(size_t len)
{
	uint8_t *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

static void large_pages(void **state)
{
	uint8_t *area = map_area(8 * MB2), *base = (uint8_t *)round_up((uintptr_t)area, MB2);
	struct cairn_mr *mr;

	(void)state;
	/* Just too short, long enough but starting in the middle, at a boundary, inside one page
	 * but congruent. */
	assert_int_equal(cairn_reg_mr_kind(pd, base, MB2 - 1, (uintptr_t)base, 0,
					   CAIRN_MR_USE_PAGED, &mr),
			 0);
	assert_int_equal(mr->page_log2, 12);
	assert_int_equal(mr->mtt_count, 512);
	assert_int_equal(cairn_dereg_mr(mr), 0);

	assert_int_equal(cairn_reg_mr_kind(pd, base + 12345, MB2, (uintptr_t)base + 12345, 0,
					   CAIRN_MR_USE_PAGED, &mr),
			 0);
	assert_int_equal(mr->page_log2, 21);
	assert_int_equal(mr->mtt_count, 2);
	assert_int_equal((mr->iova ^ mr->va) & (MB2 - 1), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);

	assert_int_equal(cairn_reg_mr_kind(pd, base, 5 * MB2, (uintptr_t)base, 0,
					   CAIRN_MR_USE_PAGED, &mr),
			 0);
	assert_int_equal(mr->page_log2, 21);
	assert_int_equal(mr->mtt_count, 5);
	assert_int_equal(cairn_dereg_mr(mr), 0);

	/* The device's address is another one than the process's: the list is walked by the
	 * device's. */
	assert_int_equal(cairn_reg_mr_kind(pd, base + 4096, 3 * MB2, 7 * MB2 + 8192, 0,
					   CAIRN_MR_USE_PAGED, &mr),
			 0);
	assert_int_equal(mr->page_log2, 21);
	assert_int_equal(mr->mtt_count, 4);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	munmap(area, 8 * MB2);
}

static void device_without_large_pages(void **state)
{
	uint8_t *area = map_area(2 * MB2);
	struct cairn_mr *mr;

	(void)state;
	dev->caps.page_sizes = 1 << 12;
	fakes[0].caps.page_sizes = 1 << 12;
	assert_int_equal(cairn_reg_mr_kind(pd, area, 2 * MB2, (uintptr_t)area, 0,
					   CAIRN_MR_USE_PAGED, &mr),
			 0);
	assert_int_equal(mr->page_log2, 12);
	assert_int_equal(mr->mtt_count, 1024);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	munmap(area, 2 * MB2);
}

static void direct(void **state)
{
	static uint8_t buffer[10000];
	struct cairn_mr *mr;
	struct fake_mr *seen;

	(void)state;
	/* Any offset, any device address. */
	assert_int_equal(cairn_reg_mr(pd, buffer + 5, 9000, 0,
				      CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_READ, &mr),
			 0);
	seen = &fakes[0].mrs[mr->key >> 8];
	assert_true(seen->live);
	assert_int_equal(seen->key, mr->key);
	assert_int_equal(seen->va, 0);
	assert_int_equal(seen->length, 9000);
	assert_int_equal(seen->pd, pd->pdn);
	assert_int_equal(CAIRN_GET(seen->flags, CAIRN_MPT_FLAGS_MODE), CAIRN_MR_MODE_DIRECT);
	assert_int_equal(CAIRN_GET(seen->flags, CAIRN_MPT_FLAGS_ACCESS), 5);
	assert_int_equal(CAIRN_GET(seen->flags, CAIRN_MPT_FLAGS_PAGE_LOG2), 0);
	assert_ptr_equal(fake_mem(&fakes[0], seen->map, 9000, CAIRN_DMA_READ | CAIRN_DMA_WRITE),
			 buffer + 5);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_false(seen->live);
}

static struct cairn_mr *with_atomics(void *addr, uint64_t len, uint64_t va, enum cairn_mr_kind kind)
{
	struct cairn_mr *mr;

	assert_int_equal(cairn_reg_mr_kind(pd, addr, len, va,
					   CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC,
					   kind, &mr),
			 0);
	return mr;
}

/* The NIC finds atomics on one memory by the low bits of its device addresses: they agree however
 * often it is registered, and wherever shared memory is mapped. */
static void one_memory_one_place(void **state)
{
	const uint64_t same = (1ull << CAIRN_ATOMIC_PLACE_LOG2) - 1;
	int fd = memfd_create("shared", MFD_CLOEXEC);
	uint8_t *memory, *own = aligned_alloc(4096, 5 * MB2);

	(void)state;
	assert_int_equal(ftruncate(fd, 64 * 4096), 0);
	for (unsigned int n = 0; n < 40; n++) {
		/* behind one another, so that the second begins elsewhere in 2 MiB */
		uint8_t *at = mmap(NULL, 128 * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		struct cairn_mr *mr[5];
		uint64_t off = 4096 * (n % 30) + 8 * n;

		memory = mmap(at, 64 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
		assert_ptr_equal(memory, at);
		assert_ptr_equal(mmap(at + 64 * 4096, 60 * 4096, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_FIXED, fd, 4 * 4096),
				 at + 64 * 4096);
		mr[0] = with_atomics(memory + off + 4 * 4096, 10000, 8 * n, CAIRN_MR_AUTO);
		mr[1] = with_atomics(memory + 64 * 4096 + off, 20000, 0, CAIRN_MR_AUTO);
		assert_int_equal((mr[0]->iova ^ mr[1]->iova) & same, 0);
		mr[2] = with_atomics(own + off, 10000, 7, CAIRN_MR_AUTO);
		mr[3] = with_atomics(own, 4 * MB2, 0x5000 * (n & 1) + ((uintptr_t)own & 0xfff),
				     CAIRN_MR_USE_PAGED);
		mr[4] = with_atomics(own, 4 * MB2, (uintptr_t)own, CAIRN_MR_BY_WORK_REQUEST);
		assert_int_equal((mr[2]->iova - off - mr[3]->iova) & same, 0);
		assert_int_equal((mr[2]->iova - off - mr[4]->iova) & same, 0);
		for (unsigned int i = 0; i < 5; i++)
			assert_int_equal(cairn_dereg_mr(mr[i]), 0);
		munmap(at, 128 * 4096);
	}
	close(fd);
	free(own);
}

/* No place that fits the memory: refused, while what needs none still goes. */
static void no_place_for_atomics(void **state)
{
	const uint32_t access = CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC;
	const uint64_t min = dev->iova.min, max = dev->iova.max;
	uint8_t *page = aligned_alloc(4096, 4096);
	struct cairn_mr *mr[4];
	unsigned int n = 0;
	int err;

	(void)state;
	dev->iova.min = max + 1 - 2 * MB2; /* two such places */
	while (!(err = cairn_reg_mr(pd, page, 4096, 0, access, &mr[n])))
		assert_true(++n < 4);
	assert_int_equal(err, -ENOSPC);
	assert_message("with atomics");
	assert_int_equal(n, 2);
	assert_int_equal(cairn_reg_mr(pd, page, 4096, 0, CAIRN_ACCESS_LOCAL_WRITE, &mr[n]), 0);
	for (unsigned int i = 0; i <= n; i++)
		assert_int_equal(cairn_dereg_mr(mr[i]), 0);
	dev->iova.min = min;
	free(page);
}

/* What cannot be looked up is refused: to take the address would be wrong for shared memory. */
static void no_maps(void **state)
{
	const uint32_t access = CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_ATOMIC;
	uint8_t *page = aligned_alloc(4096, 4096);
	struct rlimit before, few;
	struct cairn_mr *mr;
	int fd = dup(0);

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	close(fd); /* the lowest that is free */
	few = (struct rlimit){ (rlim_t)fd, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(cairn_reg_mr(pd, page, 4096, 0, access, &mr), -EMFILE);
	assert_message("/proc/self/maps");
	assert_int_equal(cairn_reg_mr(pd, page, 4096, 0, CAIRN_ACCESS_LOCAL_WRITE, &mr), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(cairn_reg_mr(pd, page, 4096, 0, access, &mr), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	free(page);
}

static void rights_of_the_map(void **state)
{
	const long page = 4096;
	uint8_t *ro = mmap(NULL, (size_t)page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct cairn_mr *mr;
	unsigned int errors;

	(void)state;
	assert_int_equal(cairn_reg_mr(pd, ro, 4096, (uintptr_t)ro, CAIRN_ACCESS_REMOTE_READ, &mr),
			 0);
	assert_ptr_equal(fake_mem(&fakes[0], mr->iova, 4096, CAIRN_DMA_READ), ro);
	errors = fakes[0].errors;
	assert_null(
		fake_mem(&fakes[0], mr->iova, 1, CAIRN_DMA_WRITE)); /* not even by a wild device */
	fakes[0].errors = errors;
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(cairn_reg_mr(pd, ro, 4096, (uintptr_t)ro, CAIRN_ACCESS_LOCAL_WRITE, &mr),
			 -EFAULT);
	assert_message("rights");
	munmap(ro, (size_t)page);
	assert_int_equal(cairn_reg_mr(pd, ro, 4096, (uintptr_t)ro, 0, &mr), -EFAULT);
	assert_int_equal(cairn_reg_mr(pd, NULL, 4096, 0, CAIRN_ACCESS_LOCAL_WRITE, &mr), -EFAULT);
}

static void hole_in_the_middle(void **state)
{
	uint8_t *area = map_area(3 * 4096);
	struct cairn_mr *mr;

	(void)state;
	munmap(area + 4096, 4096);
	assert_int_equal(cairn_reg_mr(pd, area, 3 * 4096, 0, CAIRN_ACCESS_LOCAL_WRITE, &mr),
			 -EFAULT);
	assert_int_equal(cairn_reg_mr(pd, area, 4096, 0, CAIRN_ACCESS_LOCAL_WRITE, &mr), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	munmap(area, 3 * 4096);
}

static void bad_arguments(void **state)
{
	static uint8_t b[8192];
	struct cairn_mr *mr;
	uint64_t va = (uintptr_t)b;

	(void)state;
	assert_int_equal(cairn_reg_mr(pd, b, 0, va, 0, &mr), -EINVAL);
	assert_int_equal(cairn_reg_mr(pd, b, dev->caps.max_mr_size + 1, va, 0, &mr), -EINVAL);
	assert_int_equal(cairn_reg_mr(pd, (void *)(uintptr_t)-4096, 8192, 0, 0, &mr), -EINVAL);
	assert_int_equal(cairn_reg_mr(pd, b, 4096, -4095ull, 0, &mr), -EINVAL);
	assert_int_equal(cairn_reg_mr(pd, b, 4096, -4096ull, 0, &mr), 0); /* up to the very end */
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(cairn_reg_mr(pd, b, 4096, va, CAIRN_ACCESS_REMOTE_WRITE, &mr), -EINVAL);
	assert_message("local write");
	assert_int_equal(cairn_reg_mr(pd, b, 4096, va, CAIRN_ACCESS_REMOTE_ATOMIC, &mr), -EINVAL);
	assert_int_equal(cairn_reg_mr(pd, b, 4096, va, 1 << 20, &mr), -EINVAL);
	assert_message("unknown");
	assert_int_equal(cairn_reg_mr(pd, b, 4096, va, CAIRN_ACCESS_ZERO_BASED, &mr), -EINVAL);
	assert_message("begins at 0");
	assert_int_equal(cairn_reg_mr_kind(pd, b, 4096, va + 1, 0, CAIRN_MR_USE_PAGED, &mr),
			 -EINVAL);
	assert_message("low 12 bits");
}

static void keys(void **state)
{
	static uint8_t b[64];
	static bool seen[256][256];
	uint32_t last = 0;

	(void)state;
	memset(seen, 0, sizeof(seen));
	for (int i = 0; i < 3000; i++) {
		struct cairn_mr *mr;

		assert_int_equal(cairn_reg_mr(pd, b, sizeof(b), 0, 0, &mr), 0);
		assert_in_range(mr->key >> 8, 1, 255);
		assert_int_not_equal(mr->key >> 8, last >> 8); /* indices rest */
		assert_false(
			seen[mr->key >> 8][mr->key & 255]); /* and come back with a fresh tag */
		seen[mr->key >> 8][mr->key & 255] = true;
		last = mr->key;
		assert_int_equal(cairn_dereg_mr(mr), 0);
	}
}

static void tables_run_full(void **state)
{
	static uint8_t b[64];
	struct cairn_mr *mrs[256], *more;
	uint8_t *area = map_area(70 << 20);
	int n = 0;

	(void)state;
	while (!cairn_reg_mr(pd, b, sizeof(b), 0, 0, &mrs[n]))
		n++;
	assert_int_equal(n, 255);
	assert_message("deregister");
	while (n)
		assert_int_equal(cairn_dereg_mr(mrs[--n]), 0);
	/* 16384 entries: 64 MiB of small pages, less is fine afterwards. */
	dev->caps.page_sizes = 1 << 12;
	assert_int_equal(cairn_reg_mr_kind(pd, area, 65 << 20, 0, 0, CAIRN_MR_USE_PAGED, &more),
			 -ENOSPC);
	assert_message("page list");
	assert_int_equal(cairn_reg_mr_kind(pd, area, 64 << 20, 0, 0, CAIRN_MR_USE_PAGED, &more), 0);
	assert_int_equal(cairn_reg_mr_kind(pd, area, 1, 0, 0, CAIRN_MR_USE_PAGED, &mrs[0]),
			 -ENOSPC);
	assert_int_equal(cairn_dereg_mr(more), 0);
	assert_int_equal(cairn_reg_mr_kind(pd, area, 1, 0, 0, CAIRN_MR_USE_PAGED, &mrs[0]), 0);
	assert_int_equal(cairn_dereg_mr(mrs[0]), 0);
	munmap(area, 70 << 20);
}

/* A region that cannot be taken back stays, mapped and whole. */
static void dereg_refused(void **state)
{
	static uint8_t b[64];
	struct cairn_mr *mr;
	unsigned int maps;

	(void)state;
	assert_int_equal(cairn_reg_mr(pd, b, sizeof(b), 0, 0, &mr), 0);
	maps = fakes[0].n_maps;
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_BUSY;
	assert_int_equal(cairn_dereg_mr(mr), -EBUSY);
	assert_int_equal(fakes[0].n_maps, maps);
	assert_int_equal(cairn_dealloc_pd(pd), -EBUSY);
	assert_message("destroy those first");
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(fakes[0].n_maps, maps - 1);
}

/* On a lost device everything can still be given back. */
static void dereg_of_a_lost_device(void **state)
{
	static uint8_t b[64];
	struct cairn_mr *mr, *none;

	(void)state;
	assert_int_equal(
		cairn_reg_mr_kind(pd, b, sizeof(b), (uintptr_t)b, 0, CAIRN_MR_USE_PAGED, &mr), 0);
	fakes[0].die_at = 0;
	assert_int_equal(cairn_reg_mr(pd, b, sizeof(b), 0, 0, &none), -ENODEV);
	assert_int_equal(cairn_dereg_mr(mr), 0);
}

/* A window's key is a region's: never a live one's, and its last tag is not the next one's. */
static void windows(void **state)
{
	struct cairn_mw *mw[2], *none;
	uint32_t key;

	(void)state;
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(cairn_alloc_mw(pd, i + 1, &mw[i]), 0);
	assert_int_not_equal(mw[0]->key >> 8, mw[1]->key >> 8);
	assert_int_equal(fakes[0].mrs[mw[1]->key >> 8].flags, CAIRN_MPT_FLAGS_WINDOW);
	assert_int_equal(fakes[0].mrs[mw[1]->key >> 8].pd, pd->pdn);
	assert_int_equal(cairn_alloc_mw(pd, 3, &none), -EINVAL);
	assert_int_equal(cairn_dealloc_pd(pd), -EBUSY);
	key = mw[0]->key ^= 0x55; /* bound */
	assert_int_equal(cairn_dealloc_mw(mw[0]), 0);
	assert_int_equal(pd->dev->key_tags[key >> 8], key & 0xff);
	fakes[0].fail_command = 0;
	fakes[0].fail_status = CAIRN_CMD_STATUS_NOT_SUPPORTED;
	assert_int_equal(cairn_alloc_mw(pd, 1, &none), -EOPNOTSUPP);
	pd->dev->caps.features &= ~CAIRN_REG_FEATURES_MW;
	assert_int_equal(cairn_alloc_mw(pd, 1, &none), -EOPNOTSUPP);
	assert_message("no memory windows");
	assert_int_equal(cairn_dealloc_mw(mw[1]), 0);
}

/* A key that a work request will make valid: the page list is there, the tag changes. */
static void by_work_request(void **state)
{
	static uint8_t b[5 * 4096];
	struct cairn_mr *mr, *none;
	const struct fake_mr *seen;
	unsigned int maps = fakes[0].n_maps;

	(void)state;
	assert_int_equal(cairn_reg_mr_kind(pd, b + 100, 3 * 4096, (uintptr_t)b + 100,
					   CAIRN_ACCESS_LOCAL_WRITE, CAIRN_MR_BY_WORK_REQUEST, &mr),
			 0);
	seen = &fakes[0].mrs[mr->key >> 8];
	assert_int_equal(mr->page_log2, 12);
	assert_in_range(mr->mtt_count, 4, 4);
	assert_int_equal(seen->length, mr->mtt_count);
	assert_int_equal(seen->map, mr->mtt_index);
	assert_true(seen->any_tag);
	mr->key ^= 0x33;
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(fakes[0].n_maps, maps);
	assert_int_equal(cairn_reg_mr_kind(pd, b, 4096, 1, 0, CAIRN_MR_BY_WORK_REQUEST, &none),
			 -EINVAL);
	pd->dev->caps.features &= ~CAIRN_REG_FEATURES_MW;
	assert_int_equal(cairn_reg_mr_kind(pd, b, 4096, (uintptr_t)b, 0, CAIRN_MR_BY_WORK_REQUEST,
					   &none),
			 -EOPNOTSUPP);
	assert_message("registration by work request");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_arithmetic),
		MR_TEST(paged_all_alignments),
		MR_TEST(large_pages),
		MR_TEST(device_without_large_pages),
		MR_TEST(direct),
		MR_TEST(one_memory_one_place),
		MR_TEST(no_place_for_atomics),
		MR_TEST(no_maps),
		MR_TEST(rights_of_the_map),
		MR_TEST(hole_in_the_middle),
		MR_TEST(bad_arguments),
		MR_TEST(keys),
		MR_TEST(tables_run_full),
		MR_TEST(windows),
		MR_TEST(by_work_request),
		MR_TEST(dereg_refused),
		MR_TEST(dereg_of_a_lost_device),
	};

	return cmocka_run_group_tests_name("mr", tests, NULL, NULL);
}
