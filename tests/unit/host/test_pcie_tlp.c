// SPDX-License-Identifier: Apache-2.0
/*
 * pcie_tlp with tlp_rx, bar_access and the rest of its parts: register accesses of all sizes,
 * doorbells and push, completions of BAR reads and their order behind posted writes,
 * unsupported requests, classes and credits, bus master off.
 */
#include "tlp_bench.h"

static void settle(struct tlp_bench *b)
{
	vtb_run_until(b->tb,
		      b->rx.get == b->rx.put && !vtb_read(b->rx_valid) && vtb_get(b->tb, "idle_o"),
		      20000);
	vtb_run(b->tb, 3);
}

/* Bytes from the first to the last enabled one, as the PCIe tables count them. */
static unsigned int span(unsigned int dw, unsigned int fbe, unsigned int lbe, unsigned int *first)
{
	unsigned int lo = fbe ? (unsigned int)__builtin_ctz(fbe) : 0, last = dw == 1 ? fbe : lbe;
	unsigned int hi = last ? 31 - (unsigned int)__builtin_clz(last) : 0;

	*first = lo;
	return dw == 1 && !fbe ? 1 : 4 * (dw - 1) + hi + 1 - lo;
}

static void check_answer(struct tlp_bench *b, const struct tb_tlp *req, const struct tb_tlp *cpl,
			 bool zero)
{
	struct vtb *tb = b->tb;
	struct tlp_mem m = tlp_mem_decode(&req->hdr);
	unsigned int first, bytes = span(m.length, m.fbe, m.lbe, &first),
			    addr = (unsigned int)(m.addr & 0xffff);
	const uint8_t *h = cpl->hdr.b;

	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_TAG), m.tag);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_T8),
		     cairn_pkt_get(req->hdr.b, CAIRN_TLP_MEM_T8));
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_T9),
		     cairn_pkt_get(req->hdr.b, CAIRN_TLP_MEM_T9));
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_TC),
		     cairn_pkt_get(req->hdr.b, CAIRN_TLP_MEM_TC));
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_ATTR), m.attr);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_REQID), 0x0800);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_CPLID), 0x0300);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_TYPE), CAIRN_TLP_TYPE_CPL);
	if (m.length > 16 || (req->bar != 0 && req->bar != 2)) {
		vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_STATUS), CAIRN_CPL_STATUS_UR);
		vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_FMT), 0);
		vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_LENGTH), 0);
		vtb_check_eq(tb, cpl->beats, 1);
		return;
	}
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_STATUS), CAIRN_CPL_STATUS_SC);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_FMT), 2);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_LENGTH), m.length);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_BYTE_COUNT), bytes);
	vtb_check_eq(tb, cairn_pkt_get(h, CAIRN_TLP_CPL_LOWER_ADDR), (addr + first) & 0x7f);
	vtb_check_eq(tb, cpl->beats, (4 * m.length + b->bytes - 1) / b->bytes);
	for (unsigned int i = first; i < first + bytes; i++)
		vtb_check_eq(tb, cpl->data[i], zero ? 0 : b->regs[addr + i]);
}

/* Stores of 1 to 64 bytes arrive byte for byte, in order; 64-bit stores as one access. */
static void register_writes(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	uint8_t want[65536], data[64];

	(void)state;
	b->csr_wait = 30;
	memcpy(want, b->regs, sizeof(want));
	for (unsigned int i = 0; i < 300; i++) {
		unsigned int len = i & 1 ? 1u << rng_below(&b->tb->rng, 7)
					 : (unsigned int)rng_range(&b->tb->rng, 1, 60);
		unsigned int addr = (unsigned int)rng_below(&b->tb->rng, 0x400);

		if (i & 1)
			addr &= ~(len - 1);
		rng_bytes(&b->tb->rng, data, len);
		memcpy(want + addr, data, len);
		tb_store(b, 0, addr, len, data);
		if (i % 100 == 99) { /* in bursts, and with pauses */
			b->rx.gap = i / 100 * 40;
			settle(b);
		}
	}
	assert_memory_equal(want, b->regs, sizeof(want));
	b->n_access = 0;
	tb_store(b, 0, 0x40, 8, data);
	tb_write(b, 0, 0x44, 3, 0xf, 0xf, data);
	settle(b);
	vtb_check_eq(b->tb, b->n_access, 3);
	vtb_check_eq(b->tb, b->access[0].be, 0xff);
	vtb_check_eq(b->tb, b->access[1].be, 0xf0);
	vtb_check_eq(b->tb, b->access[2].addr, 0x48);
	vtb_check_eq(b->tb, b->access[2].be, 0xff);
	vtb_check_eq(b->tb, b->n_bar_bad, 0);
	tlp_bench_free(b);
}

/* Reads of every size and byte enable pattern that a host may use; long, misdirected and empty
 * ones. */
static void register_reads(void **state)
{
	static const unsigned int fbes[] = { 0xf, 0xe, 0xc, 0x8 }, lbes[] = { 0xf, 7, 3, 1 };
	struct tlp_bench *b = tlp_bench_new();
	struct tb_tlp *req[TB_QUEUE];
	unsigned int n = 0, bad = 0;

	(void)state;
	b->tx_stall = 20;
	b->csr_wait = 20;
	for (unsigned int fbe = 0; fbe < 16; fbe++, n++)
		req[n] = tb_read(b, 0, 4 * (unsigned int)rng_below(&b->tb->rng, 64), 1, fbe, 0, n);
	for (unsigned int dw = 2; dw <= 20; dw++)
		for (unsigned int i = 0; i < 16; i++, n++) {
			unsigned int bar = dw % 5 ? 0 : i % 8 == 7 ? 4 : 2;

			req[n] = tb_read(b, bar, 4 * (unsigned int)rng_below(&b->tb->rng, 16), dw,
					 fbes[i / 4], lbes[i % 4], n);
			bad += dw > 16 || bar == 4;
			if (n % 8 == 7) /* at most eight outstanding */
				vtb_run_until(b->tb, b->by_class[TB_COMPLETION] == n + 1, 2000);
		}
	settle(b);
	vtb_check_eq(b->tb, b->n_tx, n);
	for (unsigned int i = 0; i < n; i++)
		check_answer(b, req[i], &b->tx[i], req[i]->bar == 2);
	vtb_check_eq(b->tb, b->n_bar_bad, bad);
	for (unsigned int i = 0; i < b->n_access; i++)
		vtb_check_eq(b->tb, b->access[i].we, 0);
	tlp_bench_free(b);
}

/* I/O and atomic requests are answered UR; messages and writes to nowhere are not answered. */
static void unsupported(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	static const struct {
		unsigned int fmt, type;
		bool answer;
	} other[] = {
		{ 0, 0x02, true }, { 2, 0x02, true },  { 2, 0x0c, true },  { 3, 0x0e, true },
		{ 0, 0x01, true }, { 1, 0x10, false }, { 3, 0x14, false },
	};
	uint8_t data[512] = { 1 };
	unsigned int answers = 0;
	struct tb_tlp *t;

	(void)state;
	for (unsigned int i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		t = other[i].fmt & 2 ? tb_write(b, 0, 0x10, 1, 0xf, 0, data)
				     : tb_read(b, 0, 0x10, 1, 0xf, 0, i);
		cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_FMT, other[i].fmt);
		cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_TYPE, other[i].type);
		answers += other[i].answer;
	}
	settle(b);
	vtb_check_eq(b->tb, b->n_tx, answers);
	vtb_check_eq(b->tb, b->n_bar_bad, answers);
	for (unsigned int i = 0; i < answers; i++)
		vtb_check_eq(b->tb, cairn_pkt_get(b->tx[i].hdr.b, CAIRN_TLP_CPL_STATUS),
			     CAIRN_CPL_STATUS_UR);
	tb_write(b, 4, 0x10, 1, 0xf, 0, data);
	tb_write(b, 0, 0x10, 17, 0xf, 0xf, data);
	t = tb_write(b, 0, 0x10, 1, 0xf, 0, data);
	cairn_pkt_set(t->hdr.b, CAIRN_TLP_MEM_EP, 1);
	settle(b);
	vtb_check_eq(b->tb, b->n_bar_bad, answers + 3);
	vtb_check_eq(b->tb, b->n_access, 0);
	vtb_check_eq(b->tb, b->n_db + b->n_db_bad, 0);
	tlp_bench_free(b);
}

static void doorbells(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	static const struct {
		unsigned int addr, dw, fbe, lbe;
	} bad[] = {
		{ 0x1000, 1, 0xf, 0 },	  { 0x1004, 2, 0xf, 0xf }, { 0x1000, 2, 0xf, 0x7 },
		{ 0x1000, 2, 0xe, 0xf },  { 0x1000, 4, 0xf, 0xf }, { 0x1800, 15, 0xf, 0xf },
		{ 0x1820, 10, 0xf, 0xf }, { 0x17f8, 4, 0xf, 0xf }, { 0x1800, 32, 0xf, 0xf },
		{ 0x1002, 1, 0x3, 0 },
	};
	uint64_t words[16];
	unsigned int gap = 0;

	(void)state;
	for (unsigned int i = 0; i < 200; i++) { /* plain ones, back to back */
		words[0] = i;
		tb_write(b, 2, i << 12 | (8 * i & 0x7ff), 2, 0xf, 0xf, words);
	}
	settle(b);
	vtb_check_eq(b->tb, b->n_db, 200);
	for (unsigned int i = 0; i < 200; i++) {
		vtb_check_eq(b->tb, b->db[i].page, i);
		vtb_check_eq(b->tb, b->db[i].offset, 8 * i & 0x7ff);
		vtb_check_eq(b->tb, b->db[i].data, i);
		vtb_check_eq(b->tb, b->db[i].push, 0);
		if (i && b->db[i].cycle - b->db[i - 1].cycle > gap)
			gap = (unsigned int)(b->db[i].cycle - b->db[i - 1].cycle);
	}
	vtb_check_eq(b->tb, gap, 1);

	/* Push: whole, and the parts in which a write-combining buffer may leave. */
	for (unsigned int dw = 2; dw <= 16; dw += 2)
		for (unsigned int at = 0; at + dw <= 16; at += 2) {
			for (unsigned int i = 0; i < 16; i++)
				words[i] = rng_u64(&b->tb->rng);
			b->n_db = 0;
			tb_write(b, 2, 0x7c000 + CAIRN_DB_PUSH + 4 * at, dw, 0xf, 0xf, words);
			settle(b);
			vtb_check_eq(b->tb, b->n_db, 1);
			vtb_check_eq(b->tb, b->db[0].page, 0x7c);
			vtb_check_eq(b->tb, b->db[0].offset, CAIRN_DB_PUSH + 4 * (at + dw) - 8);
			vtb_check_eq(b->tb, b->db[0].data, words[dw / 2 - 1]);
			vtb_check_eq(b->tb, b->db[0].push, dw == 16);
			if (dw == 16)
				assert_memory_equal(b->db[0].bytes, words, 64);
		}
	b->n_db = 0;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		tb_write(b, 2, bad[i].addr, bad[i].dw, bad[i].fbe, bad[i].lbe, words);
	settle(b);
	vtb_check_eq(b->tb, b->n_db, 0);
	vtb_check_eq(b->tb, b->n_db_bad, sizeof(bad) / sizeof(bad[0]));
	vtb_check_eq(b->tb, b->n_bar_bad + b->n_tx, 0);
	tlp_bench_free(b);
}

/* Posted writes accepted before a BAR read was carried out leave before its completion. */
static void answer_order(void **state)
{
	struct tlp_bench *b = tlp_bench_new();

	(void)state;
	vtb_set(b->tb, "last_ticket_i", 0x0002);
	vtb_set(b->tb, "sent_ticket_i", 0xfffe);
	tb_read(b, 0, 0x20, 2, 0xf, 0xf, 1);
	vtb_run(b->tb, 50);
	vtb_set(b->tb, "last_ticket_i", 0x0100); /* later writes do not matter */
	vtb_set(b->tb, "sent_ticket_i", 0x0001);
	vtb_run(b->tb, 50);
	vtb_check_eq(b->tb, b->n_tx, 0);
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 0);
	vtb_set(b->tb, "sent_ticket_i", 0x0002);
	vtb_run(b->tb, 5);
	vtb_check_eq(b->tb, b->n_tx, 1);
	tlp_bench_free(b);
}

/* With nothing able to leave, BAR writes, doorbells and completions still come in. */
static void always_sunk(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	uint8_t data[64] = { 5 };

	(void)state;
	b->credit = 0;
	for (unsigned int i = 0; i < 8; i++)
		tb_read(b, 0, 0x100, 16, 0xf, 0xf, i);
	tb_posted(b, 3);
	tb_nonposted(b);
	for (unsigned int i = 0; i < 50; i++) {
		tb_store(b, 0, 0x200, 64, data);
		tb_cpl(b, i, 40);
		tb_write(b, 2, 0x1000, 2, 0xf, 0xf, data);
	}
	vtb_run_until(b->tb, b->rx.get == b->rx.put, 5000);
	vtb_run(b->tb, 20);
	vtb_check_eq(b->tb, b->n_db, 50);
	vtb_check_eq(b->tb, b->n_cpl, 50);
	vtb_check_eq(b->tb, b->n_tx, 0);
	b->credit = 1u << TB_COMPLETION; /* and each class goes without the others */
	vtb_run(b->tb, 200);
	vtb_check_eq(b->tb, b->n_tx, 8);
	b->credit = 1u << TB_NONPOSTED;
	vtb_run(b->tb, 20);
	vtb_check_eq(b->tb, b->n_tx, 9);
	b->credit = 1u << TB_POSTED;
	vtb_run(b->tb, 20);
	vtb_check_eq(b->tb, b->n_tx, 10);
	tlp_bench_free(b);
}

static void completions_pass(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	uint64_t start;
	unsigned int beats = 0;

	(void)state;
	for (unsigned int i = 0; i < 60; i++) {
		tb_cpl(b, i, 1 + 3 * i % 64);
		beats += b->rx.t[i].beats;
	}
	start = b->tb->cycle;
	vtb_run_until(b->tb, b->n_cpl == 60, 5000);
	vtb_check(b->tb, b->tb->cycle - start <= beats + 4);
	for (unsigned int i = 0; i < 60; i++) {
		vtb_check(b->tb, !memcmp(b->cpl[i].hdr.b, b->rx.t[i].hdr.b, 12));
		vtb_check_eq(b->tb, b->cpl[i].beats, b->rx.t[i].beats);
		vtb_check(b->tb, !memcmp(b->cpl[i].data, b->rx.t[i].data, 4 * (1 + 3 * i % 64)));
	}
	tlp_bench_free(b);
}

static void everything_at_once(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	struct tb_tlp *req[TB_QUEUE];
	unsigned int n = 0;
	uint8_t data[64];

	(void)state;
	b->tx_stall = 30;
	b->cpl_stall = 30;
	b->csr_wait = 30;
	b->credit_pct = 40;
	b->rx.gap = 20;
	b->p.gap = b->n.gap = 50;
	for (unsigned int i = 0; i < 60; i++) {
		for (unsigned int k = 0; k < 3; k++) {
			tb_posted(b, (unsigned int)rng_range(&b->tb->rng, 1, TB_BEATS));
			tb_nonposted(b);
			tb_cpl(b, k, (unsigned int)rng_range(&b->tb->rng, 1, 128));
			rng_bytes(&b->tb->rng, data, 64);
			tb_write(b, 2, 0x3000, 2, 0xf, 0xf, data);
			tb_store(b, 0, 0x800, 64, data);
			req[n++] = tb_read(b, 0, 0x100, 16, 0xf, 0xf, i);
		}
		vtb_run(b->tb, 150);
		vtb_run_until(b->tb, b->by_class[TB_COMPLETION] + 4 >= n, 5000);
	}
	vtb_run_until(b->tb, b->n_tx == 3 * 180, 20000);
	settle(b);
	vtb_check_eq(b->tb, b->by_class[TB_POSTED], 180);
	vtb_check_eq(b->tb, b->by_class[TB_NONPOSTED], 180);
	for (unsigned int i = 0, k = 0; i < b->n_tx; i++)
		if (!b->tx[i].hdr.b[15])
			check_answer(b, req[k++], &b->tx[i], false);
	vtb_check_eq(b->tb, b->n_db, 180);
	vtb_check_eq(b->tb, b->n_cpl, 180);
	tlp_bench_free(b);
}

/* Posted writes and reads one after the other, a beat in every cycle. */
static void full_rate(void **state)
{
	struct tlp_bench *b = tlp_bench_new();
	uint64_t beats = 0;

	(void)state;
	for (unsigned int i = 0; i < 100; i++) {
		tb_posted(b, 1 + i % TB_BEATS);
		tb_nonposted(b);
		beats += 2 + i % TB_BEATS;
	}
	vtb_run_until(b->tb, b->n_tx == 1, 10);
	vtb_run_until(b->tb, b->n_tx == 200, 2000);
	vtb_check(b->tb, b->tx_cycle[199] - b->tx_cycle[0] < beats);
	for (unsigned int i = 1; i < 150; i++) /* in turn */
		vtb_check(b->tb, b->tx[i].hdr.b[15] != b->tx[i - 1].hdr.b[15]);
	tlp_bench_free(b);
}

/* Off: nothing new starts, all is dropped, what was on offer is finished; answers still go. */
static void bus_master_off(void **state)
{
	(void)state;
	for (unsigned int flr = 0; flr < 2; flr++)
		for (unsigned int at = 5; at < 35; at++) {
			struct tlp_bench *b = tlp_bench_new();
			unsigned int before;

			b->tx_stall = 50;
			for (unsigned int i = 0; i < 20; i++) {
				tb_posted(b, 1 + i % TB_BEATS);
				tb_nonposted(b);
			}
			vtb_run(b->tb, at);
			if (flr)
				b->flr = true;
			else
				b->bme = false;
			tb_read(b, 0, 0, 1, 0xf, 0, 0);
			vtb_run(b->tb, 300);
			vtb_check_eq(b->tb, b->p.get, 20);
			vtb_check_eq(b->tb, b->n.get, 20);
			vtb_check_eq(b->tb, b->by_class[TB_COMPLETION], 1);
			vtb_check_eq(b->tb, b->p_dropped + b->by_class[TB_POSTED], 20);
			vtb_check_eq(b->tb, b->n_dropped + b->by_class[TB_NONPOSTED], 20);
			vtb_check(b->tb, b->p_dropped && b->n_dropped);
			b->flr = false;
			b->bme = true;
			before = b->n_tx;
			tb_posted(b, 4);
			tb_nonposted(b);
			vtb_run(b->tb, 50);
			vtb_check_eq(b->tb, b->n_tx, before + 2);
			tlp_bench_free(b);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_writes),  cmocka_unit_test(register_reads),
		cmocka_unit_test(unsupported),	    cmocka_unit_test(doorbells),
		cmocka_unit_test(answer_order),	    cmocka_unit_test(always_sunk),
		cmocka_unit_test(completions_pass), cmocka_unit_test(everything_at_once),
		cmocka_unit_test(full_rate),	    cmocka_unit_test(bus_master_off),
	};

	return cmocka_run_group_tests_name("pcie_tlp", tests, NULL, NULL);
}
