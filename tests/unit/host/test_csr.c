// SPDX-License-Identifier: Apache-2.0
/* csr: every register through 8-, 4- and 1-byte accesses; firmware image with length and CRC; time
 * latch; windows; reset. */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb.h"

static uint64_t access(struct vtb *tb, bool we, unsigned int addr, unsigned int be, uint64_t data)
{
	uint64_t value;

	vtb_set(tb, "csr_valid_i", 1);
	vtb_set(tb, "csr_we_i", we);
	vtb_set(tb, "csr_addr_i", addr & ~7u);
	vtb_set(tb, "csr_be_i", be);
	vtb_set(tb, "csr_wdata_i", data);
	for (unsigned int i = 0;; i++) {
		vtb_eval(tb);
		value = vtb_get(tb, "csr_rdata_o");
		if (vtb_get(tb, "csr_ready_o"))
			break;
		vtb_check(tb, i < 20);
		vtb_tick(tb);
	}
	vtb_tick(tb);
	vtb_set(tb, "csr_valid_i", 0);
	return value;
}

static uint64_t rd64(struct vtb *tb, unsigned int addr)
{
	return access(tb, false, addr, 0xff, 0);
}

static uint32_t rd32(struct vtb *tb, unsigned int addr)
{
	return addr & 4 ? (uint32_t)(access(tb, false, addr, 0xf0, 0) >> 32)
			: (uint32_t)access(tb, false, addr, 0x0f, 0);
}

static void wr64(struct vtb *tb, unsigned int addr, uint64_t data)
{
	access(tb, true, addr, 0xff, data);
}

static void wr32(struct vtb *tb, unsigned int addr, uint32_t data)
{
	access(tb, true, addr, addr & 4 ? 0xf0 : 0x0f, addr & 4 ? (uint64_t)data << 32 : data);
}

static void identity(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "mac_addr_i", 0x021122334455);
	vtb_set(tb, "eth_mtu_i", 4200);
	vtb_set(tb, "gbps_i", 100);
	vtb_set(tb, "mps_i", 1);
	vtb_set(tb, "mrrs_i", 2);
	vtb_set(tb, "bme_i", 1);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_ID),
		     (uint32_t)CAIRN_CONTRACT_MAGIC << 16 | CAIRN_CONTRACT_VERSION);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_BUILD),
		     CAIRN_PUT(CAIRN_REG_BUILD_DATA_W_LOG2, 9) |
			     CAIRN_PUT(CAIRN_REG_BUILD_QPS_LOG2, 16) |
			     CAIRN_PUT(CAIRN_REG_BUILD_CQS_LOG2, 10) |
			     CAIRN_PUT(CAIRN_REG_BUILD_SRQS_LOG2, 6) |
			     CAIRN_PUT(CAIRN_REG_BUILD_QP_CACHE_LOG2, 8) |
			     CAIRN_PUT(CAIRN_REG_BUILD_CLK_PERIOD_NS, 4));
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_FEATURES), 0x105);
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_ID) >> 32, rd32(tb, CAIRN_REG_BUILD));
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_MAC_ADDR), 0x021122334455);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_MAC_ADDR + 4), 0x0211);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_PORT), 100u << 16 | 4200);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_PCIE), 1 | 2 << 4 | 1 << 8);
	for (unsigned int bit = 0; bit < 6; bit++) { /* STATUS, bit by bit */
		static const char *const src[] = { "fw_ready_i", "cpu_fatal_i", "link_i",
						   "idle_i",	 "fw_fatal_i",	"flr_i" };

		vtb_set(tb, src[bit], 1);
		vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 1u << bit);
		vtb_set(tb, src[bit], 0);
	}
	vtb_set(tb, "dev_fatal_i", 1);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), CAIRN_REG_STATUS_FATAL);
	vtb_set(tb, "fw_scratch_i", 0x12345678);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_FW_SCRATCH), 0x12345678);
	/* Read-only and unused ones do not change, and unused ones read zero. */
	for (unsigned int a = 0; a < 0x1000; a += 8) {
		uint64_t before = rd64(tb, a);

		if (a >= 0x88)
			vtb_check_eq(tb, before, 0);
		if (a == CAIRN_REG_CTRL || (a >= CAIRN_REG_FW_ADDR && a < CAIRN_REG_FW_SCRATCH) ||
		    (a >= CAIRN_REG_CMDQ_BASE && a < CAIRN_REG_MAC_ADDR) ||
		    a == CAIRN_REG_QP_SELECT)
			continue;
		wr64(tb, a, ~0ULL);
		vtb_check_eq(tb, rd64(tb, a), before);
	}
	vtb_check_eq(tb, rd64(tb, 0x2000) | rd64(tb, 0x7ff8) | rd64(tb, 0xfff8) | rd64(tb, 0x9000),
		     0);
	vtb_destroy(tb);
}

static void queue_setup(void **state)
{
	struct vtb *tb = vtb_create();
	static const struct {
		unsigned int addr;
		const char *port;
		bool wide;
		uint64_t mask;
	} regs[] = {
		{ CAIRN_REG_CMDQ_BASE, "cmdq_base_o", true, ~0ULL },
		{ CAIRN_REG_CMDQ_CPL_BASE, "cmdq_cpl_base_o", true, ~0ULL },
		{ CAIRN_REG_LOG_BASE, "log_base_o", true, ~0ULL },
		{ CAIRN_REG_LOG_SIZE, "log_size_o", false, 0xffffffff },
		{ CAIRN_REG_CMDQ_SIZE, "cmdq_size_o", false,
		  CAIRN_REG_CMDQ_SIZE_LOG2 | CAIRN_REG_CMDQ_SIZE_VECTOR |
			  CAIRN_REG_CMDQ_SIZE_IRQ_EN },
		{ CAIRN_REG_CMDQ_DB, "cmdq_db_o", false, 0xffff },
		{ CAIRN_REG_CMDQ_ENABLE, "cmdq_enable_o", false, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		uint64_t want = 0;

		for (unsigned int n = 0; n < 40; n++) {
			unsigned int be = (unsigned int)rng_below(&tb->rng, 256),
				     shift = regs[i].addr & 4 ? 32 : 0;
			uint64_t data = rng_u64(&tb->rng);

			if (!regs[i].wide)
				be &= regs[i].addr & 4 ? 0xf0 : 0x0f;
			access(tb, true, regs[i].addr, be, data);
			for (unsigned int k = 0; k < 8; k++)
				if (be >> k & 1)
					want = (want << shift & ~(0xffULL << 8 * k)) >> shift |
					       (data & 0xffULL << 8 * k) >> shift;
			want &= regs[i].mask;
			vtb_check_eq(tb, vtb_get(tb, regs[i].port), want);
			vtb_check_eq(tb,
				     regs[i].wide ? rd64(tb, regs[i].addr) : rd32(tb, regs[i].addr),
				     want);
		}
	}
	wr32(tb, CAIRN_REG_CMDQ_DB, 7); /* one pulse for a write of the register, none otherwise */
	vtb_check_eq(tb, vtb_get(tb, "cmdq_db_we_o"), 1);
	vtb_tick(tb);
	vtb_check_eq(tb, vtb_get(tb, "cmdq_db_we_o"), 0);
	wr32(tb, CAIRN_REG_CMDQ_SIZE, 7);
	vtb_check_eq(tb, vtb_get(tb, "cmdq_db_we_o"), 0);
	wr32(tb, CAIRN_REG_CMDQ_ENABLE, 1);
	vtb_check_eq(tb, vtb_get(tb, "cmdq_enable_we_o"), 1);
	rd32(tb, CAIRN_REG_CMDQ_ENABLE);
	vtb_check_eq(tb, vtb_get(tb, "cmdq_enable_we_o"), 0);
	vtb_destroy(tb);
}

static uint32_t crc32_of(const uint32_t *words, unsigned int n)
{
	uint32_t crc = ~0u;

	for (unsigned int i = 0; i < 32 * n; i++) {
		crc ^= words[i / 32] >> i % 32 & 1;
		crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* Load an image; the words must come out of the load port. */
static void load(struct vtb *tb, const uint32_t *words, unsigned int n, unsigned int len,
		 uint32_t crc)
{
	wr32(tb, CAIRN_REG_FW_ADDR, 0);
	for (unsigned int i = 0; i < n; i++) {
		wr32(tb, CAIRN_REG_FW_DATA, words[i]);
		vtb_check_eq(tb, vtb_get(tb, "load_we_o"), 1);
		vtb_check_eq(tb, vtb_get(tb, "load_addr_o"), i);
		vtb_check_eq(tb, vtb_get(tb, "load_data_o"), words[i]);
	}
	wr32(tb, CAIRN_REG_FW_LEN, len);
	wr32(tb, CAIRN_REG_FW_CRC, crc);
	wr32(tb, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN);
}

static bool running(struct vtb *tb)
{
	bool run = rd32(tb, CAIRN_REG_CTRL) & CAIRN_REG_CTRL_CPU_RUN,
	     bad = rd32(tb, CAIRN_REG_STATUS) & CAIRN_REG_STATUS_FW_BAD;

	vtb_check_eq(tb, run, !vtb_get(tb, "cpu_hold_o"));
	vtb_check(tb, run != bad);
	return run;
}

static void firmware_image(void **state)
{
	struct vtb *tb = vtb_create();
	uint32_t words[64] = { 0x31323334 };
	unsigned int n;

	(void)state;
	vtb_check_eq(tb, crc32_of((const uint32_t[]){ 0x34333231, 0x38373635 }, 2),
		     0x9ae0daaf); /* "12345678" */
	vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
	for (unsigned int round = 0; round < 10; round++) {
		n = (unsigned int)rng_range(&tb->rng, 1, 64);
		for (unsigned int i = 0; i < n; i++)
			words[i] = (uint32_t)rng_u64(&tb->rng);
		load(tb, words, n, 4 * n, crc32_of(words, n));
		vtb_check(tb, running(tb));
		/* While it runs the image cannot be touched. */
		wr32(tb, CAIRN_REG_FW_DATA, 1);
		vtb_check_eq(tb, vtb_get(tb, "load_we_o"), 0);
		wr32(tb, CAIRN_REG_CTRL, 0);
		vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
		load(tb, words, n, 4 * n, crc32_of(words, n) ^ 1u << rng_below(&tb->rng, 32));
		vtb_check(tb, !running(tb));
		load(tb, words, n, 4 * n + 4, crc32_of(words, n));
		vtb_check(tb, !running(tb));
	}
	load(tb, words, 0, 0, 0);
	vtb_check(tb, !running(tb));
	wr32(tb, CAIRN_REG_FW_ADDR, 0); /* a new image clears FW_BAD */
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 0);

	/* Address and word in one store; the address advances; the end of the RAM. */
	wr64(tb, CAIRN_REG_FW_ADDR, (uint64_t)words[0] << 32);
	vtb_check_eq(tb, vtb_get(tb, "load_addr_o"), 0);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_FW_ADDR), 4);
	wr32(tb, CAIRN_REG_FW_LEN, 4);
	wr32(tb, CAIRN_REG_FW_CRC, crc32_of(words, 1));
	wr32(tb, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN);
	vtb_check(tb, running(tb));
	wr32(tb, CAIRN_REG_CTRL, 0);
	wr32(tb, CAIRN_REG_FW_ADDR, CAIRN_CPU_RAM_BYTES - 4);
	wr32(tb, CAIRN_REG_FW_DATA, 1);
	vtb_check_eq(tb, vtb_get(tb, "load_we_o"), 1);
	wr32(tb, CAIRN_REG_FW_DATA, 1);
	vtb_check_eq(tb, vtb_get(tb, "load_we_o"), 0);
	access(tb, true, CAIRN_REG_FW_DATA, 0x30, 1ULL << 32); /* not a whole word */
	vtb_check_eq(tb, vtb_get(tb, "load_we_o"), 0);
	vtb_destroy(tb);
}

static void time_in_halves(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "time_now_i", 0x1ffffffffULL);
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_TIME), 0x1ffffffffULL);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_TIME), 0xffffffff);
	vtb_set(tb, "time_now_i", 0x200000000ULL);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_TIME + 4), 1); /* of the moment of the low half */
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_TIME + 4), 2); /* used up */
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_TIME), 0);
	rd32(tb, CAIRN_REG_PORT);
	vtb_set(tb, "time_now_i", 0x300000000ULL);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_TIME + 4), 3); /* another access in between */
	vtb_set(tb, "time_now_i", 0x400000000ULL);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_TIME + 4), 4); /* no low half before */
	vtb_destroy(tb);
}

static void windows(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	vtb_set(tb, "cnt_ready_i", 1);
	vtb_set(tb, "msix_ready_i", 1);
	vtb_set(tb, "cnt_value_i", 0x1122334455667788);
	vtb_set(tb, "msix_rdata_i", 0xa1a2a3a4a5a6a7a8);
	for (unsigned int i = 0; i < CAIRN_COUNTER_COUNT; i++) {
		vtb_check_eq(tb, rd64(tb, CAIRN_COUNTER_OFFSET + 8 * i), 0x1122334455667788);
		vtb_check_eq(tb, vtb_get(tb, "cnt_index_o"), i);
	}
	vtb_check_eq(tb, rd32(tb, CAIRN_COUNTER_OFFSET), 0x55667788);
	vtb_set(tb, "cnt_value_i", 0x9900000000000000);
	vtb_check_eq(tb, rd32(tb, CAIRN_COUNTER_OFFSET + 4), 0x11223344);
	vtb_check_eq(tb, rd64(tb, CAIRN_QP_COUNTER_TOOLS + 8 * CAIRN_COUNTER_COUNT), 0);
	for (unsigned int i = 0; i < 2 * CAIRN_MSIX_VECTORS; i++) {
		vtb_check_eq(tb, rd64(tb, CAIRN_MSIX_TABLE_OFFSET + 8 * i), 0xa1a2a3a4a5a6a7a8);
		vtb_check_eq(tb, vtb_get(tb, "msix_word_o"), i);
		vtb_check_eq(tb, vtb_get(tb, "msix_pba_o"), 0);
	}
	vtb_check_eq(tb, rd64(tb, CAIRN_MSIX_PBA_OFFSET), 0xa1a2a3a4a5a6a7a8);
	vtb_check_eq(tb, vtb_get(tb, "msix_pba_o"), 1);
	/* An access waits for its window, a write to a counter for nothing. */
	vtb_set(tb, "cnt_ready_i", 0);
	access(tb, true, CAIRN_COUNTER_OFFSET, 0xff, 1);
	vtb_set(tb, "csr_valid_i", 1);
	vtb_set(tb, "csr_we_i", 0);
	vtb_set(tb, "csr_addr_i", CAIRN_COUNTER_OFFSET);
	vtb_run(tb, 10);
	vtb_check_eq(tb, vtb_get(tb, "csr_ready_o"), 0);
	vtb_check_eq(tb, vtb_get(tb, "cnt_valid_o"), 1);
	vtb_set(tb, "flr_i", 1); /* in a reset nothing blocks */
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "csr_ready_o"), 1);
	vtb_check_eq(tb, vtb_get(tb, "csr_rdata_o"), 0);
	vtb_check_eq(tb, vtb_get(tb, "cnt_valid_o"), 0);
	vtb_destroy(tb);
}

static void function_reset(void **state)
{
	struct vtb *tb = vtb_create();
	uint32_t word = 5;

	(void)state;
	load(tb, &word, 1, 4, crc32_of(&word, 1));
	vtb_check(tb, running(tb));
	wr64(tb, CAIRN_REG_CMDQ_BASE, 0x1000);
	wr32(tb, CAIRN_REG_CMDQ_ENABLE, 1);
	/* an FLR that waits for what is under way: nothing is cleared yet, and one can see it */
	vtb_set(tb, "stop_i", 1);
	vtb_tick(tb);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), CAIRN_REG_STATUS_IN_RESET);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_CMDQ_ENABLE), 1);
	vtb_set(tb, "stop_i", 0);
	vtb_tick(tb);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 0);
	wr32(tb, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN | CAIRN_REG_CTRL_FN_RESET);
	vtb_check_eq(tb, vtb_get(tb, "fn_reset_o"), 1);
	vtb_set(tb, "flr_i", 1);
	vtb_tick(tb);
	vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_CTRL), CAIRN_REG_CTRL_FN_RESET);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), CAIRN_REG_STATUS_IN_RESET);
	wr64(tb, CAIRN_REG_CMDQ_BASE, 0x2000);
	vtb_run(tb, 20);
	vtb_check_eq(tb, vtb_get(tb, "fn_reset_o"), 1);
	vtb_set(tb, "fn_done_i", 1);
	vtb_tick(tb);
	vtb_check_eq(tb, vtb_get(tb, "fn_reset_o"), 0);
	vtb_set(tb, "flr_i", 0);
	vtb_set(tb, "fn_done_i", 0);
	vtb_tick(tb);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 0);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_CTRL), 0);
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_CMDQ_BASE) | rd32(tb, CAIRN_REG_CMDQ_ENABLE), 0);
	wr32(tb, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN); /* the image counts no longer */
	vtb_check(tb, !running(tb));
	vtb_destroy(tb);
}

/* The QP that each of the two windows shows, by halves and whole; what waits is waited for. */
static void qp_windows(void **state)
{
	static const unsigned int window[] = { CAIRN_QP_COUNTER_OFFSET, CAIRN_QP_COUNTER_TOOLS };
	struct vtb *tb = vtb_create();
	uint32_t qpn[2];

	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		unsigned int which = i % 2, index = (unsigned int)rng_below(&tb->rng, 128);
		uint64_t value = rng_u64(&tb->rng);

		qpn[0] = (uint32_t)rng_below(&tb->rng, 1 << 24);
		qpn[1] = (uint32_t)rng_below(&tb->rng, 1 << 24);
		if (i % 3) {
			wr32(tb, CAIRN_REG_QP_SELECT, qpn[0]);
			wr32(tb, CAIRN_REG_QP_SELECT_TOOLS, qpn[1]);
		} else {
			wr64(tb, CAIRN_REG_QP_SELECT, (uint64_t)qpn[1] << 32 | qpn[0]);
		}
		vtb_check_eq(tb, rd32(tb, CAIRN_REG_QP_SELECT), qpn[0]);
		vtb_check_eq(tb, rd32(tb, CAIRN_REG_QP_SELECT_TOOLS), qpn[1]);
		vtb_set(tb, "qc_ready_i", 0);
		vtb_set(tb, "csr_valid_i", 1);
		vtb_set(tb, "csr_we_i", 0);
		vtb_set(tb, "csr_be_i", 0xff);
		vtb_set(tb, "csr_addr_i", window[which] + 8 * index);
		for (unsigned int k = 0; k < 4; k++) {
			vtb_eval(tb);
			vtb_check(tb, !vtb_get(tb, "csr_ready_o") && vtb_get(tb, "qc_valid_o"));
			vtb_check(tb, !vtb_get(tb, "cnt_valid_o") && !vtb_get(tb, "msix_valid_o"));
			vtb_check_eq(tb, vtb_get(tb, "qc_qpn_o"), qpn[which]);
			vtb_check_eq(tb, vtb_get(tb, "qc_index_o"), index);
			vtb_tick(tb);
		}
		vtb_set(tb, "qc_value_i", value);
		vtb_set(tb, "qc_ready_i", 1);
		vtb_check_eq(tb, rd64(tb, window[which] + 8 * index), value);
		wr64(tb, window[which] + 8 * index, 1); /* does nothing, waits for nothing */
	}
	vtb_set(tb, "flr_i", 1);
	vtb_tick(tb);
	vtb_check_eq(tb, rd64(tb, window[0]), 0);
	vtb_set(tb, "flr_i", 0);
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_QP_SELECT), 0);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity),
		cmocka_unit_test(qp_windows),	  cmocka_unit_test(queue_setup),
		cmocka_unit_test(firmware_image), cmocka_unit_test(time_in_halves),
		cmocka_unit_test(windows),	  cmocka_unit_test(function_reset),
	};

	return cmocka_run_group_tests_name("csr", tests, NULL, NULL);
}
