// SPDX-License-Identifier: Apache-2.0
/*
 * cmd_mailbox and fw_dma: registers and interrupt lines, transfers of all sizes in both directions
 * with the host's answers in random pieces and order, several slots at once, vectors behind their
 * data, errors, hold.
 */
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "vtb.h"

#define MBX 0x00000
#define DMA 0x20000
#define HOST_BYTES 65536
#define CLIENT_FW 6

#define RD_NOT_BEFORE 1, 16
#define RD_NB_VALID 17, 1
#define RD_TAG 18, 12
#define RD_LEN 30, 13
#define RD_IOVA 43, 64
#define WR_PAYLOAD 534, 1
#define WR_LEN 537, 13
#define WR_IOVA 550, 64

struct line { /* a read of one line at the host */
	bool live, err;
	unsigned int tag, addr, len, sent;
};

struct bench {
	struct vtb *tb;
	unsigned int bytes, busy_pct; /* of a beat; of cycles without ready */
	uint8_t host[HOST_BYTES];
	struct line lines[8];
	bool hold_rsp, hold_msix, fail_next;
	unsigned int n_rd, n_wr, max_lines, vectors[64], n_vectors, wr_at_vector[64], last_nb;
	bool last_nb_valid;
	const struct sim_port *rd_req, *rsp_meta, *rsp_data, *wr_cmd;
};

/* ---- the host ---- */

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	if (vtb_get(tb, "rd_valid_o") && vtb_get(tb, "rd_ready_i")) {
		struct line *l = b->lines;
		unsigned int live = 1;

		for (unsigned int i = 0; i < 8; i++)
			live += b->lines[i].live;
		while (l->live)
			l++;
		*l = (struct line){ true,
				    b->fail_next,
				    (unsigned int)vtb_get_bits(b->rd_req, RD_TAG),
				    (unsigned int)vtb_get_bits(b->rd_req, RD_IOVA),
				    (unsigned int)vtb_get_bits(b->rd_req, RD_LEN),
				    0 };
		b->fail_next = false;
		b->last_nb_valid = vtb_get_bits(b->rd_req, RD_NB_VALID);
		b->last_nb = (unsigned int)vtb_get_bits(b->rd_req, RD_NOT_BEFORE);
		vtb_check(tb, l->addr % 4 == 0 && l->len % 4 == 0 && l->len);
		vtb_check(tb, l->addr + l->len <= HOST_BYTES);
		b->n_rd++;
		if (live > b->max_lines)
			b->max_lines = live;
	}
	if (vtb_get(tb, "wr_valid_o") && vtb_get(tb, "wr_ready_i")) {
		uint8_t data[64];
		unsigned int addr = (unsigned int)vtb_get_bits(b->wr_cmd, WR_IOVA),
			     len = (unsigned int)vtb_get_bits(b->wr_cmd, WR_LEN);

		vtb_check_eq(tb, vtb_get_bits(b->wr_cmd, WR_PAYLOAD), 0);
		vtb_check(tb, len && len <= 64 && addr + len <= HOST_BYTES);
		vtb_get_bytes(b->wr_cmd, 0, data, 64);
		memcpy(b->host + addr, data, len);
		b->n_wr++;
	}
	if (vtb_get(tb, "msix_valid_o") && vtb_get(tb, "msix_ready_i")) {
		b->wr_at_vector[b->n_vectors] = b->n_wr;
		b->vectors[b->n_vectors++ % 64] = (unsigned int)vtb_get(tb, "msix_vector_o");
	}
}

/* One beat of a random line: as much as a completion's beat may hold. */
static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	struct line *ready[8], *l;
	unsigned int n = 0, at, room;
	uint8_t data[64];

	vtb_set(tb, "rd_ready_i", !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "wr_ready_i", !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "msix_ready_i", !b->hold_msix && !rng_percent(&tb->rng, b->busy_pct));
	for (unsigned int i = 0; i < 8; i++)
		if (b->lines[i].live)
			ready[n++] = &b->lines[i];
	vtb_set(tb, "rsp_valid_i", 0);
	rng_bytes(&tb->rng, data, sizeof(data));
	vtb_put_bytes(b->rsp_data, 0, data, b->bytes);
	if (b->hold_rsp || !n || rng_percent(&tb->rng, b->busy_pct)) {
		if (rng_percent(&tb->rng, 20)) { /* somebody else's beat */
			vtb_put_bits(b->rsp_meta, 0, 40, rng_u64(&tb->rng) >> 24);
			vtb_put_bits(b->rsp_meta, 36, 4, rng_below(&tb->rng, CLIENT_FW));
			vtb_set(tb, "rsp_valid_i", 1);
		}
		return;
	}
	l = ready[rng_below(&tb->rng, n)];
	at = l->addr + l->sent;
	room = 64 - at % 64; /* completions end at a boundary of 64 bytes */
	room = room < b->bytes ? room : b->bytes;
	room = l->len - l->sent < room ? l->len - l->sent : room;
	if (l->err && (rng_percent(&tb->rng, 30) || l->sent + room == l->len))
		room = rng_percent(&tb->rng, 50) ? 0 : room;
	else if (l->err && l->sent + room == l->len)
		room = 0;
	memcpy(data, b->host + at, room);
	vtb_put_bytes(b->rsp_data, 0, data, b->bytes);
	vtb_put_bits(b->rsp_meta, 1, 1, l->sent + room == l->len || (l->err && !room));
	vtb_put_bits(b->rsp_meta, 0, 1, l->err && (l->sent + room == l->len || !room));
	vtb_put_bits(b->rsp_meta, 2, 7, room);
	vtb_put_bits(b->rsp_meta, 9, 2, 0);
	vtb_put_bits(b->rsp_meta, 11, 13, l->sent);
	vtb_put_bits(b->rsp_meta, 24, 12, l->tag);
	vtb_put_bits(b->rsp_meta, 36, 4, CLIENT_FW);
	vtb_set(tb, "rsp_valid_i", 1);
	l->sent += room;
	if (l->sent == l->len || (l->err && !room))
		l->live = false;
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->rd_req = vtb_port(b->tb, "rd_req_o");
	b->rsp_meta = vtb_port(b->tb, "rsp_meta_i");
	b->rsp_data = vtb_port(b->tb, "rsp_data_i");
	b->wr_cmd = vtb_port(b->tb, "wr_cmd_o");
	b->bytes = b->rsp_data->width / 8;
	rng_bytes(&b->tb->rng, b->host, HOST_BYTES);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

/* ---- the core ---- */

static uint32_t mmio(struct bench *b, bool we, unsigned int addr, uint32_t data, unsigned int strb)
{
	uint32_t value;

	vtb_set(b->tb, "mmio_valid_i", 1);
	vtb_set(b->tb, "mmio_we_i", we);
	vtb_set(b->tb, "mmio_addr_i", addr);
	vtb_set(b->tb, "mmio_wdata_i", data);
	vtb_set(b->tb, "mmio_wstrb_i", strb);
	for (unsigned int i = 0;; i++) {
		vtb_eval(b->tb);
		value = (uint32_t)vtb_get(b->tb, "mmio_rdata_o");
		if (vtb_get(b->tb, "mmio_ready_o"))
			break;
		vtb_check(b->tb, i < 5000);
		vtb_tick(b->tb);
	}
	vtb_tick(b->tb);
	vtb_set(b->tb, "mmio_valid_i", 0);
	vtb_tick(b->tb);
	return value;
}

static uint32_t get(struct bench *b, unsigned int addr)
{
	return mmio(b, false, addr, 0, 0);
}

static void put(struct bench *b, unsigned int addr, uint32_t data)
{
	mmio(b, true, addr, data, 0xf);
}

static void start(struct bench *b, unsigned int slot, bool write, unsigned int iova,
		  unsigned int len, unsigned int buf, uint32_t flags)
{
	put(b, DMA + CAIRN_REG_DMA_IOVA, iova);
	put(b, DMA + CAIRN_REG_DMA_IOVA + 4, 0);
	put(b, DMA + CAIRN_REG_DMA_LEN, len);
	put(b, DMA + CAIRN_REG_DMA_BUF, buf);
	put(b, DMA + CAIRN_REG_DMA_START, slot | (write ? CAIRN_REG_DMA_START_WRITE : 0) | flags);
}

/* Wait for the slots' DONE bits, clear them, give back their ERR bits. */
static unsigned int finish(struct bench *b, unsigned int slots)
{
	uint32_t done;

	vtb_run_until(b->tb, vtb_get(b->tb, "irq_dma_o"), 5000);
	do
		done = get(b, DMA + CAIRN_REG_DMA_DONE);
	while ((done & slots) != slots);
	vtb_check_eq(b->tb, get(b, DMA + CAIRN_REG_DMA_BUSY) & slots, 0);
	put(b, DMA + CAIRN_REG_DMA_DONE, slots);
	return done >> 8 & slots;
}

static void fill(struct bench *b, unsigned int buf, const uint8_t *data, unsigned int len)
{
	uint32_t word;

	for (unsigned int i = 0; i < len; i += 4) {
		memcpy(&word, data + i, 4);
		put(b, DMA + CAIRN_FW_DMA_BUFFER + buf + i, word);
	}
}

static void check_buffer(struct bench *b, unsigned int buf, const uint8_t *want, unsigned int len)
{
	for (unsigned int i = 0; i < len; i += 4) {
		uint32_t word;

		memcpy(&word, want + i, 4);
		vtb_check_eq(b->tb, get(b, DMA + CAIRN_FW_DMA_BUFFER + buf + i), word);
	}
}

/* ---- tests ---- */

static void registers(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	vtb_set(b->tb, "cmdq_base_i", 0x1122334455667788);
	vtb_set(b->tb, "cmdq_cpl_base_i", 0x99aabbccddeeff00);
	vtb_set(b->tb, "log_base_i", 0x0102030405060708);
	vtb_set(b->tb, "cmdq_size_i", 0x10105);
	vtb_set(b->tb, "cmdq_db_i", 0xabcd);
	vtb_set(b->tb, "cmdq_enable_i", 1);
	vtb_set(b->tb, "log_size_i", 9);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_CMD_BASE), 0x55667788);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_CMD_BASE + 4), 0x11223344);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_CPL_BASE), 0xddeeff00);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_CPL_BASE + 4), 0x99aabbcc);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_LOG_BASE), 0x05060708);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_LOG_BASE + 4), 0x01020304);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_SIZE), 0x10105);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_DB), 0xabcd);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_ENABLE), 1);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_LOG_SIZE), 9);
	vtb_check_eq(b->tb, get(b, MBX + 0x0) | get(b, DMA + 0x0) | get(b, MBX + 0x2000), 0);

	put(b, MBX + CAIRN_REG_MBX_STATE, CAIRN_REG_MBX_STATE_READY);
	put(b, MBX + CAIRN_REG_MBX_SCRATCH, 0xfeed);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_ready_o"), 1);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_fatal_o"), 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_scratch_o"), 0xfeed);
	put(b, MBX + CAIRN_REG_MBX_STATE, CAIRN_REG_MBX_STATE_FATAL);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_fatal_o"), 1);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_STATE), CAIRN_REG_MBX_STATE_FATAL);
	vtb_set(b->tb, "hold_i", 1);
	vtb_run(b->tb, 2);
	vtb_set(b->tb, "hold_i", 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "fw_fatal_o"), 0);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_SCRATCH), 0xfeed); /* tells why it stopped */

	for (unsigned int bit = 0; bit < 2; bit++) {
		vtb_set(b->tb, bit ? "cmdq_enable_we_i" : "cmdq_db_we_i", 1);
		vtb_tick(b->tb);
		vtb_set(b->tb, bit ? "cmdq_enable_we_i" : "cmdq_db_we_i", 0);
		vtb_eval(b->tb);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_cmd_o"), 1);
		vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_IRQ), 1u << bit);
		put(b, MBX + CAIRN_REG_MBX_IRQ, 2u >> bit);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_cmd_o"), 1);
		put(b, MBX + CAIRN_REG_MBX_IRQ, 1u << bit);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_cmd_o"), 0);
	}
	/* Bytes of the buffer; registers take whole words only. */
	put(b, DMA + CAIRN_FW_DMA_BUFFER, 0x11111111);
	mmio(b, true, DMA + CAIRN_FW_DMA_BUFFER, 0x22222222, 0x4);
	vtb_check_eq(b->tb, get(b, DMA + CAIRN_FW_DMA_BUFFER), 0x11221111);
	mmio(b, true, MBX + CAIRN_REG_MBX_SCRATCH, 0, 0x1);
	vtb_check_eq(b->tb, get(b, MBX + CAIRN_REG_MBX_SCRATCH), 0xfeed);
	bench_free(b);
}

static void transfers(void **state)
{
	struct bench *b = bench_new();
	uint8_t data[4096];

	(void)state;
	for (unsigned int i = 0; i < 60; i++) {
		unsigned int len = 4 * (unsigned int)rng_range(&b->tb->rng, 1, i % 10 ? 80 : 1024),
			     slot = i % 8;
		unsigned int buf = 4 * (unsigned int)rng_below(&b->tb->rng, (4096 - len) / 4 + 1);
		unsigned int iova =
			4 * (unsigned int)rng_below(&b->tb->rng, (HOST_BYTES - len) / 4);
		uint8_t before[HOST_BYTES];

		b->busy_pct = i % 3 * 30;
		if (i & 1) {
			start(b, slot, false, iova, len, buf, 0);
			vtb_check_eq(b->tb, finish(b, 1u << slot), 0);
			check_buffer(b, buf, b->host + iova, len);
			continue;
		}
		rng_bytes(&b->tb->rng, data, len);
		fill(b, buf, data, len);
		memcpy(before, b->host, HOST_BYTES);
		memcpy(before + iova, data, len);
		start(b, slot, true, iova, len, buf, 0);
		vtb_check_eq(b->tb, finish(b, 1u << slot), 0);
		vtb_check(b->tb, !memcmp(before, b->host, HOST_BYTES));
	}
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	bench_free(b);
}

/* Eight reads started at once: four lines in flight, answers mixed. */
static void slots(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	for (unsigned int round = 0; round < 5; round++) {
		b->busy_pct = 20 * round;
		b->hold_rsp = true;
		for (unsigned int s = 0; s < 8; s++)
			start(b, s, false, 4096 * s + 4 * round, 4 + 60 * s, 512 * s, 0);
		vtb_check_eq(b->tb, get(b, DMA + CAIRN_REG_DMA_BUSY), 0xff);
		vtb_run(b->tb, 100);
		vtb_check_eq(b->tb, get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0); /* four wait for a line */
		b->hold_rsp = false;
		vtb_check_eq(b->tb, finish(b, 0xff), 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "irq_dma_o"), 0);
		for (unsigned int s = 0; s < 8; s++)
			check_buffer(b, 512 * s, b->host + 4096 * s + 4 * round, 4 + 60 * s);
		/* A busy slot cannot be started again. */
		b->hold_rsp = true;
		b->n_rd = 0;
		start(b, 0, false, 0, 4, 0, 0);
		vtb_run_until(b->tb, b->n_rd == 1, 500);
		b->n_rd = 0;
		start(b, 0, false, 0, 4, 0, 0);
		vtb_run(b->tb, 20);
		vtb_check_eq(b->tb, b->n_rd, 0);
		b->hold_rsp = false;
		finish(b, 1);
	}
	vtb_check_eq(b->tb, b->max_lines, 4);
	bench_free(b);
}

/* Vectors leave behind the writes before them; completions of a ring as firmware writes them. */
static void vectors(void **state)
{
	struct bench *b = bench_new();
	uint8_t data[256];

	(void)state;
	b->busy_pct = 40;
	b->hold_msix = true;
	rng_bytes(&b->tb->rng, data, sizeof(data));
	fill(b, 0, data, sizeof(data));
	start(b, 0, true, 0x1000, 256, 0,
	      CAIRN_REG_DMA_START_MSIX | CAIRN_PUT(CAIRN_REG_DMA_START_VECTOR, 17));
	start(b, 1, true, 0x2000, 16, 0, 0);
	put(b, MBX + CAIRN_REG_MBX_MSIX, 31);
	put(b, MBX + CAIRN_REG_MBX_MSIX, 0x1ff & ~0x1fu); /* other bits mean nothing */
	vtb_run(b->tb, 500);
	vtb_check_eq(b->tb, b->n_wr, 4);
	vtb_check_eq(b->tb, get(b, DMA + CAIRN_REG_DMA_DONE), 0); /* with its vector */
	b->hold_msix = false;
	finish(b, 3);
	vtb_run_until(b->tb, b->n_vectors == 3 && vtb_get(b->tb, "idle_o"), 200);
	vtb_check_eq(b->tb, b->vectors[0], 17);
	vtb_check_eq(b->tb, b->wr_at_vector[0], 4);
	vtb_check_eq(b->tb, b->vectors[1], 31);
	vtb_check_eq(b->tb, b->wr_at_vector[1], 5);
	vtb_check_eq(b->tb, b->vectors[2], 0);
	vtb_check_eq(b->tb, get(b, DMA + CAIRN_REG_DMA_DONE), 0);
	bench_free(b);
}

static void errors(void **state)
{
	struct bench *b = bench_new();
	static const struct {
		unsigned int len, buf;
	} bad[] = { { 0, 0 }, { 6, 0 }, { 4100, 0 }, { 8, 4092 }, { 1u << 31, 0 } };

	(void)state;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		start(b, i, i & 1, 0, bad[i].len, bad[i].buf, CAIRN_REG_DMA_START_MSIX);
		vtb_check_eq(b->tb, finish(b, 1u << i), 1u << i);
	}
	vtb_check_eq(b->tb, b->n_rd + b->n_wr + b->n_vectors, 0);
	for (unsigned int i = 0; i < 30; i++) {
		b->busy_pct = i % 3 * 30;
		b->hold_rsp = true;
		b->fail_next = true;
		start(b, 3, false, 4 * i, 600, 0, 0); /* its first line fails */
		start(b, 4, false, 0x800, 64, 1024, 0);
		b->hold_rsp = false;
		vtb_check_eq(b->tb, finish(b, 0x18), 8);
		check_buffer(b, 1024, b->host + 0x800, 64);
		start(b, 3, false, 4 * i, 600, 0, 0); /* and then it works */
		vtb_check_eq(b->tb, finish(b, 8), 0);
		check_buffer(b, 0, b->host + 4 * i, 600);
	}
	bench_free(b);
}

static void ordered(void **state)
{
	struct bench *b = bench_new();

	(void)state;
	vtb_set(b->tb, "last_ticket_i", 0xbeef);
	start(b, 0, false, 0, 4, 0, CAIRN_REG_DMA_START_ORDERED);
	finish(b, 1);
	vtb_check(b->tb, b->last_nb_valid && b->last_nb == 0xbeef);
	start(b, 0, false, 0, 4, 0, 0);
	finish(b, 1);
	vtb_check(b->tb, !b->last_nb_valid);
	bench_free(b);
}

/* The core is stopped at any moment and started again: old answers do not touch the new operations.
 */
static void hold(void **state)
{
	struct bench *b = bench_new();
	uint8_t marks[512];

	(void)state;
	memset(marks, 0x5c, sizeof(marks));
	for (unsigned int at = 0; at < 60; at++) {
		b->busy_pct = at % 3 * 30;
		fill(b, 0, marks, sizeof(marks));
		start(b, 0, false, 0, 400, 0, 0);
		start(b, 1, true, 0x8000, 128, 0, CAIRN_REG_DMA_START_MSIX);
		start(b, 2, false, 0x100, 300, 1024, 0);
		vtb_run(b->tb, at);
		b->hold_rsp = true;
		vtb_set(b->tb, "hold_i", 1);
		vtb_run(b->tb, 20);
		vtb_set(b->tb, "hold_i", 0);
		vtb_check_eq(b->tb,
			     get(b, DMA + CAIRN_REG_DMA_BUSY) | get(b, DMA + CAIRN_REG_DMA_DONE),
			     0);
		fill(b, 0, marks, sizeof(marks));
		b->hold_rsp = false;
		start(b, 5, false, 0x4000, 256, 2048, 0);
		vtb_check_eq(b->tb, finish(b, 0x20), 0);
		check_buffer(b, 2048, b->host + 0x4000, 256);
		vtb_run(b->tb, 100);
		check_buffer(b, 0, marks, sizeof(marks));
		vtb_check_eq(b->tb, get(b, DMA + CAIRN_REG_DMA_DONE), 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	}
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers), cmocka_unit_test(transfers), cmocka_unit_test(slots),
		cmocka_unit_test(vectors),   cmocka_unit_test(errors),	  cmocka_unit_test(ordered),
		cmocka_unit_test(hold),
	};

	return cmocka_run_group_tests_name("cmd_mailbox", tests, NULL, NULL);
}
