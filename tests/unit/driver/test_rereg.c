// SPDX-License-Identifier: Apache-2.0
/* Regions that change under their key: what the device knows of them after each step that can fail,
 * and what stays mapped for it. */
#include "driver_test.h"

static struct cairn_dev *dev;
static struct cairn_pd *pd, *other;
static _Alignas(4096) uint8_t memory[4 * 4096];

static int setup(void **state)
{
	test_setup(state);
	dev = test_open();
	return cairn_alloc_pd(dev, &pd) || cairn_alloc_pd(dev, &other);
}

static int teardown(void **state)
{
	if (cairn_dealloc_pd(pd) || cairn_dealloc_pd(other))
		return -1;
	cairn_close(dev);
	return test_teardown(state);
}

#define REREG_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static const struct fake_mr *known(uint32_t key)
{
	return &fakes[0].mrs[(key >> 8) % FAKE_NUMBERS];
}

/* The device and libcairn agree, and nothing but the region is mapped. */
static void check(const struct cairn_mr *mr, unsigned int maps)
{
	const struct fake_mr *device = known(mr->key);

	assert_true(device->live);
	assert_int_equal(device->key, mr->key);
	assert_int_equal(device->va, mr->va);
	assert_int_equal(device->length, mr->length);
	assert_int_equal(device->map, mr->iova);
	assert_int_equal(device->pd, mr->pd->pdn);
	assert_int_equal(CAIRN_GET(device->flags, CAIRN_MPT_FLAGS_ACCESS), mr->access);
	assert_int_equal(fakes[0].n_maps, maps);
}

static void same_key(void **state)
{
	struct cairn_mr *mr, before;
	unsigned int maps;

	(void)state;
	assert_int_equal(cairn_reg_mr(pd, memory + 10, 5000, 0x1000, 0, &mr), 0);
	maps = fakes[0].n_maps;
	before = *mr;
	assert_int_equal(
		cairn_rereg_mr(mr, pd, memory + 10, 5000, 0x1000, CAIRN_ACCESS_LOCAL_WRITE), 0);
	check(mr, maps);
	assert_int_equal(cairn_rereg_mr(mr, other, memory + 4096, 300, 0x7000, 0), 0);
	check(mr, maps);
	assert_int_equal(mr->key, before.key);
	assert_int_equal(mr->va, 0x7000);
	assert_int_equal(mr->addr, (uintptr_t)memory + 4096);
	/* it counts for the PD it is of */
	assert_int_equal(cairn_dealloc_pd(other), -EBUSY);
	assert_int_equal(cairn_rereg_mr(mr, pd, memory, 1, 0, 0), 0);
	assert_int_equal(cairn_dealloc_pd(other), 0);
	assert_int_equal(cairn_alloc_pd(dev, &other), 0);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	assert_int_equal(fakes[0].n_maps, maps - 1);
}

/* Refused before anything is done, and by the device in the middle: the region is what it was. */
static void refused(void **state)
{
	struct cairn_mr *mr, *paged, before;
	unsigned int maps;

	(void)state;
	assert_int_equal(cairn_reg_mr(pd, memory, 5000, 0, CAIRN_ACCESS_LOCAL_WRITE, &mr), 0);
	maps = fakes[0].n_maps;
	before = *mr;
	assert_int_equal(cairn_rereg_mr(mr, pd, memory, 0, 0, 0), -EINVAL);
	assert_int_equal(cairn_rereg_mr(mr, pd, (void *)0x1000, 64, 0, 0), -EFAULT);
	assert_int_equal(cairn_rereg_mr(mr, pd, memory, 64, 0, CAIRN_ACCESS_REMOTE_WRITE), -EINVAL);
	fakes[0].map_error = 0;
	assert_int_equal(cairn_rereg_mr(mr, pd, memory, 64, 0, 0), -ENOMEM);
	fakes[0].map_error = FAKE_NEVER;
	for (uint32_t n = 0; n < 2; n++) { /* DEREG_MR, REG_MR */
		fakes[0].fail_command = n;
		fakes[0].fail_status = CAIRN_CMD_STATUS_BUSY;
		assert_int_equal(cairn_rereg_mr(mr, other, memory + 100, 64, 0, 0), -EBUSY);
	}
	fakes[0].fail_command = FAKE_NEVER;
	assert_memory_equal(mr, &before, sizeof(before));
	check(mr, maps);
	assert_int_equal(cairn_rereg_mr(mr, other, memory + 100, 64, 0, 0), 0);
	check(mr, maps);
	assert_int_equal(cairn_dereg_mr(mr), 0);
	/* not of regions with a page list */
	assert_int_equal(cairn_reg_mr_kind(pd, memory, 5000, (uintptr_t)memory, 0,
					   CAIRN_MR_USE_PAGED, &paged),
			 0);
	assert_int_equal(cairn_rereg_mr(paged, pd, memory, 64, 0, 0), -EINVAL);
	assert_int_equal(cairn_dereg_mr(paged), 0);
}

/* The device goes at each step: what is left can be deregistered, and nothing stays. */
static void device_goes(void **state)
{
	unsigned int gone = 0;

	for (uint32_t n = 0;; n++) {
		struct cairn_mr *mr;
		int err;

		assert_int_equal(cairn_reg_mr(pd, memory, 5000, 0, 0, &mr), 0);
		fakes[0].die_at = n;
		err = cairn_rereg_mr(mr, other, memory + 100, 64, 0, 0);
		if (fakes[0].die_at != FAKE_NEVER) {
			fakes[0].die_at = FAKE_NEVER;
			assert_int_equal(err, 0);
			assert_int_equal(cairn_dereg_mr(mr), 0);
			break;
		}
		assert_true(err == -ENODEV || err == -ENOTRECOVERABLE || err == -EIO || !err);
		gone += err == -ENOTRECOVERABLE;
		if (err == -ENOTRECOVERABLE) {
			assert_message("gone");
			assert_int_equal(cairn_rereg_mr(mr, pd, memory, 64, 0, 0), -EINVAL);
		}
		cairn_dereg_mr(mr);
		assert_int_equal(teardown(state), 0);
		assert_int_equal(setup(state), 0);
		assert_true(n < 200);
	}
	assert_true(gone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		REREG_TEST(same_key),
		REREG_TEST(refused),
		REREG_TEST(device_goes),
	};

	return cmocka_run_group_tests_name("rereg", tests, NULL, NULL);
}
