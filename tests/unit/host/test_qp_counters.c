// SPDX-License-Identifier: Apache-2.0
/*
 * qp_counters: every strobe of every source counts for its QP alone, none is lost at the highest
 * rate that the sources have, reads are exact, a QP that begins anew begins at 0, and the list of
 * QPs that have counted.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cairn_hw.h"
#include "vtb.h"

#define QPS	 256u /* -GQPS_LOG2=8 */
#define SOURCES	 12u
#define BANKS	 3u
#define NONE	 0xffffffffu
#define FLOODED	 51u
#define MOST_IN  16  /* what a queue holds */

/* What each source counts, by the names of its strobes; sources of a bank stand together. */
struct counter {
	unsigned int index;
	const char *name;
};

static const struct source {
	unsigned int bank;
	const char *path; /* in the record of all sources */
	unsigned int n;
	struct counter counter[11];
} sources[SOURCES] = {
#define C(name) { CAIRN_COUNTER_##name, #name }
	{ 0, "rdma_core_rdma_receive_qp_lookup", 5,
	  { C(RX_NO_BUFFER), C(RX_QP_STATE), C(RX_BAD_ADDR), C(RX_BAD_PKEY), C(RX_BAD_QKEY) } },
	{ 0, "rdma_core_rdma_receive_responder_rsp_commit", 8,
	  { C(DUPLICATE_REQUEST), C(OUT_OF_SEQUENCE), C(RX_QP_STATE), C(RX_UC_DROP),
	    C(RX_UD_DROP), C(RX_NO_RECV), C(RESP_LOC_LEN), C(RX_NO_BUFFER) } },
	{ 0, "rdma_core_rdma_receive_responder_rsp_tx", 5,
	  { C(RNR_NAK_SENT), C(SEQ_NAK_SENT), C(RESP_INV_REQ), C(RESP_ACCESS_ERR),
	    C(RESP_OP_ERR) } },
	{ 1, "rdma_core_rdma_send_completer_cmp_packet", 11,
	  { C(PACKET_SEQ_ERR), C(RNR_NAK_RCVD), C(IMPLIED_NAK), C(ACK_TIMEOUT),
	    C(REQ_REM_INV), C(REQ_REM_ACCESS), C(REQ_REM_OP), C(RETRY_EXC), C(RNR_EXC),
	    C(RX_GHOST_ACK), C(GO_BACKS) } },
	{ 1, "rdma_core_rdma_send_completer_cmp_place_cmp_check", 2,
	  { C(RX_DUP_ACK), C(BAD_RESP) } },
	{ 1, "rdma_core_rdma_send_completer_cmp_place_cmp_join", 1,
	  { C(LOC_PROT_ERR) } },
	{ 1, "rdma_core_rdma_send_completer_cmp_retire", 2,
	  { C(LOC_PROT_ERR), C(LOC_OP_ERR) } },
	{ 1, "rdma_core_rdma_send_requester_req_issue", 1,
	  { C(UD_TOO_LONG) } },
	{ 0, "rx_path_rx_parser", 4,
	  { C(RX_QP_STATE), C(RX_BAD_ADDR), C(RX_BAD_PKEY), C(RX_BAD_QKEY) } },
	{ 2, "tx_path_tx_arbiter", 1,
	  { C(RETX_PACKETS) } },
	{ 2, "tx_path_tx_req_check", 1,
	  { C(TX_STALE) } },
	{ 2, "tx_path_tx_rsp_check", 1,
	  { C(TX_RSP_DROPPED) } },
#undef C
};
#define FLOODER 8 /* which source meets the flood, and by which of its strobes */
#define FLOODS	1

struct bench {
	struct vtb *tb;
	uint64_t want[QPS][CAIRN_COUNTERS];
	unsigned int load; /* strobes of a bank in 100 cycles */
	int room[BANKS];   /* in hundredths of a strobe */
	bool flood;	   /* the smallest frames at line rate, none of which their QP takes */
	unsigned int part; /* hundredths of a frame */
	const struct sim_port *strobe[SOURCES][11], *qpn[SOURCES];
};

static uint32_t some_qpn(struct bench *b)
{
	/* few of them, so that neighbours in time are often the same; and some that do not exist */
	if (rng_percent(&b->tb->rng, 5))
		return QPS << rng_below(&b->tb->rng, 16);
	return (uint32_t)rng_below(&b->tb->rng, 6) * 51;
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	for (unsigned int i = 0; i < BANKS; i++)
		b->room[i] += b->room[i] < 100 * (MOST_IN - 8) ? (int)b->load : 0;
	for (unsigned int i = 0; i < SOURCES; i++) {
		const struct source *s = &sources[i];
		uint32_t qpn = some_qpn(b);

		for (unsigned int k = 0; k < s->n; k++) {
			bool now = b->room[s->bank] >= 100 && rng_percent(&tb->rng, 20);

			vtb_put(b->strobe[i][k], now);
			b->room[s->bank] -= now ? 100 : 0;
			if (now && qpn < QPS)
				b->want[qpn][s->counter[k].index]++;
		}
		vtb_put(b->qpn[i], qpn);
	}
	b->part += b->flood ? 60 : 0; /* 1.68 cycles of 4 ns each */
	if (b->part >= 100) {
		b->part -= 100;
		vtb_put(b->strobe[FLOODER][FLOODS], 1);
		vtb_put(b->qpn[FLOODER], FLOODED);
		b->want[FLOODED][CAIRN_COUNTER_RX_BAD_ADDR]++;
	}
}

/* A member of a source's record: events_nic_<path>_<name in small letters>_i. */
static const struct sim_port *port(struct vtb *tb, const struct source *s, const char *name)
{
	char text[160];
	int n = snprintf(text, sizeof(text), "events_nic_%s_%s_i", s->path, name);

	for (char *c = text; c < text + n; c++)
		*c = (char)tolower((unsigned char)*c);
	return vtb_port(tb, text);
}

static struct bench *bench_new(unsigned int load)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->load = load;
	for (unsigned int i = 0; i < SOURCES; i++) {
		b->qpn[i] = port(b->tb, &sources[i], "QPN");
		for (unsigned int k = 0; k < sources[i].n; k++)
			b->strobe[i][k] = port(b->tb, &sources[i], sources[i].counter[k].name);
	}
	vtb_on_drive(b->tb, drive, b);
	return b;
}

static void bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

static uint32_t read_index(struct bench *b, uint32_t qpn, unsigned int index)
{
	uint64_t value;

	vtb_set(b->tb, "rd_valid_i", 1);
	vtb_set(b->tb, "rd_qpn_i", qpn);
	vtb_set(b->tb, "rd_index_i", index);
	for (unsigned int i = 0;; i++) {
		vtb_eval(b->tb);
		if (vtb_get(b->tb, "rd_ready_o"))
			break;
		vtb_check(b->tb, i < 2000);
		vtb_tick(b->tb);
	}
	value = vtb_get(b->tb, "rd_value_o");
	vtb_tick(b->tb);
	vtb_set(b->tb, "rd_valid_i", 0);
	if (rng_percent(&b->tb->rng, 50))
		vtb_tick(b->tb);
	vtb_check_eq(b->tb, value >> 32, 0);
	return (uint32_t)value;
}

static bool counted(const struct bench *b, uint32_t qpn)
{
	for (unsigned int c = 0; c < CAIRN_COUNTERS; c++)
		if (b->want[qpn][c])
			return true;
	return false;
}

/* All values and the list, when nothing is under way. */
static void compare(struct bench *b)
{
	b->load = 0;
	memset(b->room, 0, sizeof(b->room));
	vtb_run(b->tb, 100);
	vtb_check(b->tb, vtb_get(b->tb, "idle_o"));
	for (uint32_t qpn = 0; qpn < QPS; qpn++) {
		uint32_t next = qpn;

		while (next < QPS && !counted(b, next))
			next++;
		vtb_check_eq(b->tb, read_index(b, qpn, CAIRN_QP_COUNTER_NEXT),
			     next < QPS ? next : NONE);
		if (counted(b, qpn) || qpn % 16 == 0)
			for (unsigned int c = 0; c < CAIRN_COUNTER_COUNT - 1; c++)
				vtb_check_eq(b->tb, read_index(b, qpn, c),
					     c < CAIRN_COUNTERS ? b->want[qpn][c] : 0);
	}
	vtb_check_eq(b->tb, read_index(b, QPS, CAIRN_QP_COUNTER_NEXT), NONE);
	vtb_check_eq(b->tb, read_index(b, 0xffffff, CAIRN_COUNTER_ACK_TIMEOUT), 0);
}

static void zero(struct bench *b, uint32_t qpn)
{
	vtb_set(b->tb, "zero_valid_i", 1);
	vtb_set(b->tb, "zero_qpn_i", qpn);
	vtb_tick(b->tb);
	vtb_set(b->tb, "zero_valid_i", 0);
}

/* As device and firmware do it: no QP counts before its first zero. */
static struct bench *bench_ready(unsigned int load)
{
	struct bench *b = bench_new(0);

	vtb_run(b->tb, 20);
	for (uint32_t qpn = 0; qpn < QPS; qpn += 51) {
		zero(b, qpn);
		vtb_run(b->tb, 20);
	}
	b->load = load;
	return b;
}

static void load(void **state)
{
	static const unsigned int loads[] = { 10, 50, 90 };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct bench *b = bench_ready(loads[i]);

		vtb_run(b->tb, 20000);
		compare(b);
		bench_free(b);
	}
}

/* A read between: nothing less than what was counted before it was asked for, nothing to come. */
static void reads(void **state)
{
	struct bench *b = bench_ready(70);

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		const struct source *s = &sources[rng_below(&b->tb->rng, SOURCES)];
		unsigned int c = s->counter[rng_below(&b->tb->rng, s->n)].index;
		uint32_t qpn = (uint32_t)rng_below(&b->tb->rng, 6) * 51, value;
		uint64_t before = b->want[qpn][c];

		value = read_index(b, qpn, c);
		vtb_check(b->tb, value >= before && value <= b->want[qpn][c]);
	}
	compare(b);
	bench_free(b);
}

/* One QP begins anew between bursts of all; what it had is gone, nobody else's. */
static void lives(void **state)
{
	struct bench *b = bench_ready(60);

	(void)state;
	for (unsigned int i = 0; i < 20; i++) {
		uint32_t qpn = (uint32_t)rng_below(&b->tb->rng, 6) * 51;

		b->load = 60;
		vtb_run(b->tb, 500);
		b->load = 0;
		memset(b->room, 0, sizeof(b->room));
		vtb_run(b->tb, 80);
		zero(b, qpn);
		memset(b->want[qpn], 0, sizeof(b->want[qpn]));
		vtb_run(b->tb, 20);
	}
	compare(b);
	vtb_reset(b->tb, 3);
	memset(b->want, 0, sizeof(b->want));
	compare(b);
	bench_free(b);
}

/* Reads and new lives come through in bounded time while frames of the least size never end. */
static void flood(void **state)
{
	struct bench *b = bench_ready(0);

	(void)state;
	b->flood = true;
	vtb_run(b->tb, 1000);
	for (unsigned int i = 0; i < 20; i++) {
		uint64_t before = b->want[FLOODED][CAIRN_COUNTER_RX_BAD_ADDR], began = b->tb->cycle;
		uint32_t value = read_index(b, FLOODED, CAIRN_COUNTER_RX_BAD_ADDR);

		vtb_check(b->tb, b->tb->cycle - began < 600);
		vtb_check(b->tb, value >= before &&
					 value <= b->want[FLOODED][CAIRN_COUNTER_RX_BAD_ADDR]);
		vtb_check_eq(b->tb, read_index(b, 52, CAIRN_QP_COUNTER_NEXT), NONE);
	}
	zero(b, FLOODED);
	b->want[FLOODED][CAIRN_COUNTER_RX_BAD_ADDR] = 0;
	vtb_run(b->tb, 800);
	vtb_check(b->tb, read_index(b, FLOODED, CAIRN_COUNTER_RX_BAD_ADDR) <=
				 b->want[FLOODED][CAIRN_COUNTER_RX_BAD_ADDR]);
	b->flood = false;
	vtb_run(b->tb, 100);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load),
		cmocka_unit_test(reads),
		cmocka_unit_test(lives),
		cmocka_unit_test(flood),
	};

	return cmocka_run_group_tests_name("qp_counters", tests, NULL, NULL);
}
