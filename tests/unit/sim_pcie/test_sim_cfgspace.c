// SPDX-License-Identifier: Apache-2.0
/*
 * Configuration space: identity, capability chain, BAR sizing, write masks under random writes,
 * reset.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cairn_hw.h"
#include "rng.h"
#include "sim_cfgspace.h"

static struct sim_cfgspace c;

static uint32_t rd(uint32_t off, uint32_t len)
{
	uint32_t v = 0;

	assert_int_equal(sim_cfgspace_read(&c, off, &v, len), 0);
	return v;
}

static int wr(uint32_t off, uint32_t len, uint32_t v)
{
	return sim_cfgspace_write(&c, off, &v, len);
}

/* Offset of a capability, walking the list as software does. */
static uint32_t cap(uint8_t id)
{
	uint32_t at = rd(PCI_CAPABILITY_LIST, 1);

	for (unsigned int n = 0; at && n < 48; n++, at = rd(at + 1, 1))
		if (rd(at, 1) == id)
			return at;
	return 0;
}

static int setup(void **state)
{
	(void)state;
	sim_cfgspace_init(&c, 256, 512);
	return 0;
}

static void identity(void **state)
{
	(void)state;
	assert_int_equal(rd(PCI_VENDOR_ID, 4), CAIRN_PCI_DEVICE << 16 | CAIRN_PCI_VENDOR);
	assert_int_equal(rd(PCI_CLASS_REVISION, 4) >> 8, CAIRN_PCI_CLASS);
	assert_int_equal(rd(PCI_HEADER_TYPE, 1), 0);
	assert_true(rd(PCI_STATUS, 2) & PCI_STATUS_CAP_LIST);
	assert_int_not_equal(cap(PCI_CAP_ID_PM), 0);
	assert_int_equal(rd(cap(PCI_CAP_ID_MSIX) + PCI_MSIX_FLAGS, 2) & PCI_MSIX_FLAGS_QSIZE,
			 CAIRN_MSIX_VECTORS - 1);
	assert_int_equal(rd(cap(PCI_CAP_ID_MSIX) + PCI_MSIX_TABLE, 4), CAIRN_MSIX_TABLE_OFFSET);
	assert_int_equal(rd(cap(PCI_CAP_ID_MSIX) + PCI_MSIX_PBA, 4), CAIRN_MSIX_PBA_OFFSET);
	assert_true(rd(cap(PCI_CAP_ID_EXP) + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR);
	assert_int_equal(rd(0x100, 4), 0);	/* no extended capability */
	assert_int_equal(sim_cfgspace_read(&c, 4095, &c, 2), -EINVAL);
	assert_int_equal(sim_cfgspace_read(&c, 4097, &c, 0), -EINVAL);
	assert_int_equal(wr(4094, 4, 0), -EINVAL);
}

static void bar_sizing(void **state)
{
	(void)state;
	for (unsigned int bar = 0; bar < 6; bar++)
		wr(PCI_BASE_ADDRESS_0 + 4 * bar, 4, 0xffffffff);
	assert_int_equal(rd(PCI_BASE_ADDRESS_0, 4), (0u - CAIRN_BAR0_BYTES) | 4);
	assert_int_equal(rd(PCI_BASE_ADDRESS_1, 4), 0xffffffff);
	assert_int_equal(rd(PCI_BASE_ADDRESS_2, 4),
			 (0u - CAIRN_DB_PAGES * CAIRN_DB_PAGE_BYTES) | 0xc);
	assert_int_equal(rd(PCI_BASE_ADDRESS_3, 4), 0xffffffff);
	assert_int_equal(rd(PCI_BASE_ADDRESS_4, 4) | rd(PCI_BASE_ADDRESS_5, 4), 0);
	wr(PCI_ROM_ADDRESS, 4, 0xffffffff);
	assert_int_equal(rd(PCI_ROM_ADDRESS, 4), 0);
	wr(PCI_BASE_ADDRESS_2, 4, 0xdeadbeef);
	assert_int_equal(rd(PCI_BASE_ADDRESS_2, 4), 0xdea0000c);
}

static void control(void **state)
{
	uint32_t exp = cap(PCI_CAP_ID_EXP), msix = cap(PCI_CAP_ID_MSIX), pm = cap(PCI_CAP_ID_PM);

	(void)state;
	assert_false(sim_cfgspace_bus_master(&c) || sim_cfgspace_memory(&c));
	assert_int_equal(wr(PCI_COMMAND, 2, 6), SIM_CFGSPACE_STATE);
	assert_int_equal(wr(PCI_COMMAND, 2, 6), 0);
	assert_true(sim_cfgspace_bus_master(&c) && sim_cfgspace_memory(&c));
	wr(pm + PCI_PM_CTRL, 2, 3);
	assert_false(sim_cfgspace_bus_master(&c) || sim_cfgspace_memory(&c));
	wr(pm + PCI_PM_CTRL, 2, 0);
	assert_true(sim_cfgspace_bus_master(&c));
	wr(msix + PCI_MSIX_FLAGS, 2, 0xc000);
	assert_true(sim_cfgspace_msix_enable(&c) && sim_cfgspace_msix_mask(&c));
	assert_int_equal(sim_cfgspace_mps(&c), 1);
	assert_int_equal(sim_cfgspace_mrrs(&c), 2);
	assert_int_equal(wr(exp + PCI_EXP_DEVCTL, 2, 5 << 12 | 2 << 5), SIM_CFGSPACE_STATE);
	assert_int_equal(sim_cfgspace_mps(&c), 2);
	assert_int_equal(sim_cfgspace_mrrs(&c), 5);
	assert_false(sim_cfgspace_relaxed(&c) || sim_cfgspace_no_snoop(&c));
	wr(exp + PCI_EXP_DEVCTL, 2, 0x70e0 | PCI_EXP_DEVCTL_RELAX_EN);
	assert_int_equal(sim_cfgspace_mps(&c), 2);	/* no more than the function can do */
	assert_int_equal(sim_cfgspace_mrrs(&c), 5);
	assert_true(sim_cfgspace_relaxed(&c));
	assert_false(sim_cfgspace_ext_tag(&c));
	wr(exp + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_EXT_TAG);
	assert_true(sim_cfgspace_ext_tag(&c) && !sim_cfgspace_relaxed(&c));
}

/* A host without them: off from the start and after a reset; a driver may think otherwise. */
static void forbidden(void **state)
{
	uint32_t devctl = cap(PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL;

	(void)state;
	assert_true(sim_cfgspace_ext_tag(&c) && sim_cfgspace_relaxed(&c));
	sim_cfgspace_forbid(&c, true, false);
	assert_true(!sim_cfgspace_ext_tag(&c) && sim_cfgspace_relaxed(&c));
	sim_cfgspace_forbid(&c, true, true);
	for (unsigned int i = 0; i < 2; i++) {
		assert_false(sim_cfgspace_ext_tag(&c) || sim_cfgspace_relaxed(&c));
		wr(devctl, 2, rd(devctl, 2) | PCI_EXP_DEVCTL_EXT_TAG | PCI_EXP_DEVCTL_RELAX_EN);
		assert_true(sim_cfgspace_ext_tag(&c) && sim_cfgspace_relaxed(&c));
		sim_cfgspace_flr(&c);
	}
}

static void reset(void **state)
{
	uint32_t exp = cap(PCI_CAP_ID_EXP);

	(void)state;
	wr(PCI_COMMAND, 2, 6);
	wr(PCI_BASE_ADDRESS_1, 4, 0x38);
	wr(exp + PCI_EXP_DEVCTL, 2, 5 << 12 | 0 << 5);
	assert_int_equal(wr(exp + PCI_EXP_DEVCTL, 2, 0x8000 | 5 << 12) & SIM_CFGSPACE_FLR,
			 SIM_CFGSPACE_FLR);
	assert_int_equal(rd(exp + PCI_EXP_DEVCTL, 2) & 0x8000, 0);
	/* a byte write of the upper half alone is one as well */
	assert_int_equal(wr(exp + PCI_EXP_DEVCTL + 1, 1, 0x80) & SIM_CFGSPACE_FLR,
			 SIM_CFGSPACE_FLR);
	sim_cfgspace_flr(&c);
	assert_false(sim_cfgspace_bus_master(&c));
	assert_int_equal(rd(PCI_BASE_ADDRESS_1, 4), 0);
	assert_int_equal(sim_cfgspace_mps(&c), 0);	/* survives */
	assert_int_equal(sim_cfgspace_mrrs(&c), 2);
}

/* Whatever is written, only masked bits change: everything read-only stays. */
static void fuzz(void **state)
{
	struct rng rng = { test_seed() };
	struct sim_cfgspace start = c;

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		uint8_t buf[16];
		uint32_t len = (uint32_t)rng_range(&rng, 1, sizeof(buf));
		uint32_t off = (uint32_t)rng_below(&rng, i & 1 ? 0x100 : SIM_CFGSPACE_BYTES - 16);

		rng_bytes(&rng, buf, len);
		assert_true(sim_cfgspace_write(&c, off, buf, len) >= 0);
	}
	for (unsigned int i = 0; i < SIM_CFGSPACE_BYTES; i++)
		if ((c.data[i] ^ start.data[i]) & ~start.wmask[i]) {
			print_error("byte 0x%x changed, seed 0x%llx\n", i,
				    (unsigned long long)test_seed());
			fail();
		}
	sim_cfgspace_flr(&c);
	start = c;
	sim_cfgspace_init(&c, 256, 512);
	/* a reset leaves nothing but MPS and link control behind */
	memset(start.data + cap(PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL, 0, 2);
	memset(c.data + cap(PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL, 0, 2);
	memset(start.data + cap(PCI_CAP_ID_EXP) + PCI_EXP_LNKCTL, 0, 2);
	assert_memory_equal(start.data, c.data, sizeof(c.data));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(identity, setup), cmocka_unit_test_setup(bar_sizing, setup),
		cmocka_unit_test_setup(control, setup), cmocka_unit_test_setup(reset, setup),
		cmocka_unit_test_setup(fuzz, setup), cmocka_unit_test_setup(forbidden, setup),
	};

	return cmocka_run_group_tests_name("sim_cfgspace", tests, NULL, NULL);
}
