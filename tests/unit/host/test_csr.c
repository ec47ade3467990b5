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
	vtb_set(tb, "mac_eth_mtu_i", 4200);
	vtb_set(tb, "mac_gbps_i", 100);
	vtb_set(tb, "cfg_mps_i", 1);
	vtb_set(tb, "cfg_mrrs_i", 2);
	vtb_set(tb, "cfg_bme_i", 1);
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
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_SIZES), 0x80108);
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_ID) >> 32, rd32(tb, CAIRN_REG_BUILD));
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_MAC_ADDR), 0x021122334455);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_MAC_ADDR + 4), 0x0211);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_PORT), 100u << 16 | 4200);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_PCIE), 1 | 2 << 4 | 1 << 8);
	for (unsigned int bit = 0; bit < 6; bit++) { /* STATUS, bit by bit */
		static const char *const src[] = { "fw_ready_i", "cpu_fatal_i", "mac_link_i",
						   "idle_i",	 "fw_fatal_i",	"flr_i" };

		vtb_set(tb, src[bit], 1);
		vtb_tick(tb); /* some are seen a cycle later */
		vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 1u << bit);
		vtb_set(tb, src[bit], 0);
		vtb_tick(tb);
	}
	vtb_set(tb, "dev_fatal_i", 1);
	vtb_tick(tb);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), CAIRN_REG_STATUS_FATAL);
	vtb_set(tb, "fw_scratch_i", 0x12345678);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_FW_SCRATCH), 0x12345678);
	/* Read-only and unused ones do not change, and unused ones read zero. */
	for (unsigned int a = 0; a < 0x1000; a += 8) {
		uint64_t before = rd64(tb, a);

		if (a > CAIRN_REG_SIZES)
			vtb_check_eq(tb, before, 0);
		if (a == CAIRN_REG_CTRL || (a >= CAIRN_REG_FW_BASE && a < CAIRN_REG_FW_SCRATCH) ||
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
		{ CAIRN_REG_LOG_BASE, "cmdq_log_base_o", true, ~0ULL },
		{ CAIRN_REG_LOG_SIZE, "cmdq_log_size_o", false, 0xffffffff },
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

/* What fw_dma does when load_o is up: words, with pauses, then the end, or an error after some. */
static void feed(struct vtb *tb, const uint32_t *words, unsigned int n, unsigned int pause,
		 bool fails)
{
	unsigned int last = fails ? (unsigned int)rng_below(&tb->rng, n + 1) : n;

	for (unsigned int i = 0; i < last; i++) {
		while (rng_percent(&tb->rng, pause))
			vtb_tick(tb);
		vtb_check_eq(tb, vtb_get(tb, "load_go_o"), 1);
		vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
		vtb_set(tb, "load_word_i", 1);
		vtb_set(tb, "load_data_i", words[i]);
		vtb_set(tb, "load_over_i", !fails && i == n - 1); /* with the last word */
		vtb_set(tb, "load_err_i", 0);
		vtb_tick(tb);
		vtb_set(tb, "load_word_i", 0);
		vtb_set(tb, "load_over_i", 0);
		vtb_set(tb, "load_data_i", rng_u64(&tb->rng) & 0xffffffff);
		vtb_set(tb, "load_err_i", rng_below(&tb->rng, 2));
	}
	if (!fails)
		return;
	vtb_set(tb, "load_over_i", 1);
	vtb_set(tb, "load_err_i", 1);
	vtb_tick(tb);
	vtb_set(tb, "load_over_i", 0);
	vtb_set(tb, "load_err_i", 0);
}

static void set_image(struct vtb *tb, uint64_t base, unsigned int len, uint32_t crc)
{
	wr64(tb, CAIRN_REG_FW_BASE, base);
	wr32(tb, CAIRN_REG_FW_LEN, len);
	wr32(tb, CAIRN_REG_FW_CRC, crc);
	wr32(tb, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN);
}

/* The image begins, and nothing is known of it yet. */
static void begins(struct vtb *tb, uint64_t base, unsigned int words)
{
	vtb_check_eq(tb, vtb_get(tb, "load_go_o"), 1);
	vtb_check_eq(tb, vtb_get(tb, "load_iova_o"), base >> 2);
	vtb_check_eq(tb, vtb_get(tb, "load_words_o"), words);
	vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 0);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_CTRL), CAIRN_REG_CTRL_CPU_RUN);
}

/* What came of it: FW_BAD and FW_UNREAD, or the core runs. */
static uint32_t verdict(struct vtb *tb)
{
	uint32_t status;

	vtb_run(tb, 4);
	status = rd32(tb, CAIRN_REG_STATUS);
	vtb_check_eq(tb, vtb_get(tb, "load_go_o"), 0);
	vtb_check_eq(tb, rd32(tb, CAIRN_REG_CTRL), status ? 0 : CAIRN_REG_CTRL_CPU_RUN);
	vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), status != 0);
	return status;
}

#define BAD CAIRN_REG_STATUS_FW_BAD
#define UNREAD (CAIRN_REG_STATUS_FW_BAD | CAIRN_REG_STATUS_FW_UNREAD)

static void firmware_image(void **state)
{
	struct vtb *tb = vtb_create();
	uint32_t words[64], crc;

	(void)state;
	vtb_check_eq(tb, crc32_of((const uint32_t[]){ 0x34333231, 0x38373635 }, 2),
		     0x9ae0daaf); /* "12345678" */
	vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
	for (unsigned int round = 0; round < 20; round++) {
		unsigned int n = (unsigned int)rng_range(&tb->rng, 1, 64), pause = round % 4 * 25;
		uint64_t base = rng_u64(&tb->rng);

		for (unsigned int i = 0; i < n; i++)
			words[i] = (uint32_t)rng_u64(&tb->rng);
		crc = crc32_of(words, n);
		set_image(tb, base, 4 * n, crc);
		vtb_check_eq(tb, rd64(tb, CAIRN_REG_FW_BASE), base & ~3ull);
		begins(tb, base, n);
		feed(tb, words, n, pause, false);
		vtb_check_eq(tb, verdict(tb), 0);
		/* A core that runs is left alone. */
		wr32(tb, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN);
		vtb_check_eq(tb, verdict(tb), 0);
		wr32(tb, CAIRN_REG_CTRL, 0);
		vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
		set_image(tb, base, 4 * n, crc ^ 1u << rng_below(&tb->rng, 32));
		begins(tb, base, n);
		feed(tb, words, n, pause, false);
		vtb_check_eq(tb, verdict(tb), BAD);
		set_image(tb, base, 4 * n, crc);
		begins(tb, base, n); /* which clears FW_BAD */
		feed(tb, words, n, pause, true);
		vtb_check_eq(tb, verdict(tb), UNREAD);
		set_image(tb, base, 4 * n, crc); /* and now it is all right */
		begins(tb, base, n);
		feed(tb, words, n, pause, false);
		vtb_check_eq(tb, verdict(tb), 0);
		wr32(tb, CAIRN_REG_CTRL, 0);
	}
	vtb_destroy(tb);
}

/* Lengths that no image has are refused without a read; the largest is not. */
static void image_lengths(void **state)
{
	static const uint32_t bad[] = { 0, 1, 2, 3, 6, CAIRN_CPU_RAM_BYTES + 4, 0x80000000, ~3u };
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_image(tb, 4096, bad[i], 0);
		vtb_check_eq(tb, vtb_get(tb, "load_go_o"), 0);
		vtb_check_eq(tb, verdict(tb), BAD);
	}
	set_image(tb, 4096, CAIRN_CPU_RAM_BYTES, 0);
	begins(tb, 4096, CAIRN_CPU_RAM_BYTES / 4);
	vtb_destroy(tb);
}

/* Given up at any moment, by CPU_RUN = 0 or by a reset: what still comes of it counts for nothing,
 * and the next image stands for itself. */
static void image_given_up(void **state)
{
	struct vtb *tb = vtb_create();
	uint32_t words[16];

	(void)state;
	for (unsigned int round = 0; round < 100; round++) {
		unsigned int n = (unsigned int)rng_range(&tb->rng, 1, 16);
		bool reset = round & 1;

		for (unsigned int i = 0; i < n; i++)
			words[i] = (uint32_t)rng_u64(&tb->rng);
		set_image(tb, 64, 4 * n, crc32_of(words, n));
		feed(tb, words, (unsigned int)rng_below(&tb->rng, n) + 1, 20, round & 2);
		vtb_run(tb, (unsigned int)rng_below(&tb->rng, 4));
		if (reset) {
			vtb_set(tb, "flr_i", 1);
			vtb_run(tb, 2);
			vtb_set(tb, "flr_i", 0);
		} else {
			wr32(tb, CAIRN_REG_CTRL, 0);
		}
		vtb_check_eq(tb, vtb_get(tb, "load_go_o"), 0);
		vtb_check_eq(tb, vtb_get(tb, "cpu_hold_o"), 1);
		vtb_check_eq(tb, rd32(tb, CAIRN_REG_CTRL), 0);
		if (reset)
			vtb_check_eq(tb, rd32(tb, CAIRN_REG_STATUS), 0);
		set_image(tb, 64, 4 * n, crc32_of(words, n));
		begins(tb, 64, n);
		feed(tb, words, n, 20, false);
		vtb_check_eq(tb, verdict(tb), 0);
		wr32(tb, CAIRN_REG_CTRL, 0);
	}
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
	set_image(tb, 64, 4, crc32_of(&word, 1));
	feed(tb, &word, 1, 0, false);
	vtb_check_eq(tb, verdict(tb), 0);
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
	vtb_check_eq(tb, rd64(tb, CAIRN_REG_FW_BASE) | rd64(tb, CAIRN_REG_FW_LEN), 0);
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
		cmocka_unit_test(firmware_image), cmocka_unit_test(image_lengths),
		cmocka_unit_test(image_given_up), cmocka_unit_test(time_in_halves),
		cmocka_unit_test(windows),	  cmocka_unit_test(function_reset),
	};

	return cmocka_run_group_tests_name("csr", tests, NULL, NULL);
}
