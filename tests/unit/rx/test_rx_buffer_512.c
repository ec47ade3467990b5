// SPDX-License-Identifier: Apache-2.0
/*
 * rx_buffer (and rx_records, rx_cell_alloc, rx_cell_free, rx_pool_read): payload comes out as it
 * went in for any offset, length and split, good, bad and payload-less frames in any mix, packets
 * freed in any order, full pool, full record FIFO, no cell lost, one packet per beat in, one piece
 * per beat out. Neither requests nor responses take the last cell or the last place of the other.
 */
#include <string.h>

#include "cairn_pkt.h"
#include "int_records.h"
#include "vtb_rec.h"

#define MAX_FRAME 4352

struct packet {
	uint8_t data[MAX_FRAME];
	size_t len; /* of the frame */
	bool roce, cells, rsp;
	unsigned int off, pay; /* payload in the frame */
	uint64_t id;	       /* travels as psn */
	unsigned int cell;
};

/* Packets delivered and not freed yet. */
#define MAX_HELD 2048
static struct packet *held[MAX_HELD];
static size_t n_held;

/* Packets sent and not delivered yet, in the order of their class: requests, responses. */
static struct packet *queue[2][MAX_HELD];
static size_t q_head[2], q_tail[2];

/* What send() sends. */
static enum { REQUESTS, READ_DATA, ACKS, ANY } kind;

static struct vtb *tb;
static struct vtb_stream *in, *meta, *cmd, *data, *rel;
static unsigned int lsb_cmd, lsb_rel, lsb_roce;
static unsigned int beat, cells;
static uint64_t next_id, n_roce, n_dropped;

static void count(struct vtb *t, void *arg)
{
	(void)arg;
	n_roce += vtb_get(t, "taken_o");
	n_dropped += vtb_get(t, "events_rx_no_buffer_o");
}

static void begin(void)
{
	tb = vtb_create();
	in = vtb_source(tb, "frame");
	vtb_stream_add(in, "roce", &lsb_roce);
	meta = vtb_sink(tb, "rx");
	cmd = vtb_source(tb, "pool_cmd");
	vtb_stream_add(cmd, "cmd", &lsb_cmd);
	data = vtb_sink(tb, "pool_data");
	rel = vtb_source(tb, "free");
	vtb_stream_add(rel, "cell_head", &lsb_rel);
	vtb_on_sample(tb, count, NULL);
	beat = vtb_port(tb, "frame_data_i")->width / 8;
	n_roce = n_dropped = next_id = n_held = 0;
	q_head[0] = q_head[1] = q_tail[0] = q_tail[1] = 0;
	kind = ANY;
	/* all cells are put on the free list first */
	vtb_run_until(tb, vtb_get(tb, "idle_o"), 2000);
	cells = (unsigned int)vtb_get(tb, "free_cells_o");
	vtb_check_eq(tb, cells, beat == 64 ? 1024 : 256);
}

static struct packet *send(size_t len, bool roce, unsigned int off, unsigned int pay)
{
	struct packet *p = calloc(1, sizeof(*p));
	uint8_t m[VTB_META_BYTES] = { 0 };
	unsigned int what = kind == ANY ? (unsigned int)rng_below(&tb->rng, ANY) : kind;
	static const uint64_t flags[] = { CAIRN_OPF_REQ, CAIRN_OPF_RSP | CAIRN_OPF_READ,
					  CAIRN_OPF_RSP | CAIRN_OPF_ACK };

	assert_non_null(p);
	p->rsp = what != REQUESTS;
	rng_bytes(&tb->rng, p->data, sizeof(p->data));
	p->len = len;
	p->roce = roce;
	p->cells = pay != 0;
	p->off = off;
	p->pay = pay;
	p->id = next_id++;
	for (unsigned int i = 0; i < META_N; i++)
		vtb_meta_put(m, meta_fields[i].lsb, meta_fields[i].width,
			     rng_u64(&tb->rng) &
				     (meta_fields[i].width < 64 ? (1ull << meta_fields[i].width) - 1
								: ~0ull));
	vtb_meta_put(m, REC_RX_META_PSN, p->id & 0xffffff);
	vtb_meta_put(m, REC_RX_META_HAS_CELLS, p->cells);
	vtb_meta_put(m, REC_RX_META_OPFLAGS, flags[what]);
	vtb_meta_put(m, lsb_roce, 1, roce);
	/* rx_buffer needs no byte count: whole beats */
	vtb_send(in, p->data, (len + beat - 1) / beat * beat, false, m, (lsb_roce + 8) / 8);
	assert_true(q_tail[p->rsp] - q_head[p->rsp] < MAX_HELD);
	queue[p->rsp][q_tail[p->rsp]++ % MAX_HELD] = p;
	return p;
}

static struct packet *send_random(unsigned int good, unsigned int max_pay)
{
	unsigned int off = 42 + 4 * (unsigned int)rng_below(&tb->rng, 16);
	unsigned int pay =
		rng_percent(&tb->rng, 30) ? 0 : 1 + (unsigned int)rng_below(&tb->rng, max_pay);

	return send(off + pay + (-pay & 3) + 4, rng_percent(&tb->rng, good), off, pay);
}

/* Take the records that came; frames that were dropped are skipped. */
static void collect(void)
{
	while (vtb_received(meta)) {
		const struct vtb_packet *r = vtb_recv(meta);
		uint64_t id = vtb_meta_bits(r->meta, REC_RX_META_PSN);
		bool rsp = vtb_meta_bits(r->meta, REC_RX_META_OPFLAGS) & CAIRN_OPF_RSP;
		struct packet *p;

		for (;;) {
			vtb_check(tb, q_head[rsp] != q_tail[rsp]);
			p = queue[rsp][q_head[rsp]++ % MAX_HELD];
			if ((p->id & 0xffffff) == id)
				break;
			free(p);
		}
		vtb_check(tb, p->roce);
		vtb_check_eq(tb, vtb_meta_bits(r->meta, REC_RX_META_HAS_CELLS),
			     p->cells);
		p->cell = (unsigned int)vtb_meta_bits(r->meta, REC_RX_META_CELL_HEAD);
		if (p->cells) {
			for (size_t i = 0; i < n_held; i++)
				vtb_check(tb, held[i]->cell != p->cell);
			held[n_held++] = p;
		} else {
			free(p);
		}
	}
}

static void forget_queue(void)
{
	for (unsigned int c = 0; c < 2; c++)
		while (q_head[c] != q_tail[c])
			free(queue[c][q_head[c]++ % MAX_HELD]);
}

static void command(unsigned int cell, unsigned int off, unsigned int len, bool first, bool last)
{
	struct rec_pool_read read = { .len = (uint16_t)len, .first = first, .free = last };
	uint8_t m[VTB_META_BYTES] = { 0 };

	read.cell_head = (uint16_t)(first ? cell : rng_below(&tb->rng, 4096));
	read.off = (uint8_t)(first ? off : rng_below(&tb->rng, 256));
	vtb_meta_put_pool_read(m, lsb_cmd, &read);
	vtb_send(cmd, NULL, 0, false, m, (lsb_cmd + REC_POOL_READ_W + 7) / 8);
}

struct piece {
	struct packet *p;
	unsigned int at, len;
	bool last;
	struct piece *next;
};
static struct piece *pieces, **pieces_tail = &pieces;

/* Ask for a packet's payload in random pieces and give its cells back. */
static void read_packet(struct packet *p, unsigned int max_piece)
{
	unsigned int at = 0;
	bool late_free = rng_percent(&tb->rng, 20);

	while (at < p->pay) {
		unsigned int len = 1 + (unsigned int)rng_below(&tb->rng, max_piece);
		struct piece *piece = calloc(1, sizeof(*piece));

		if (len > p->pay - at)
			len = p->pay - at;
		command(p->cell, p->off, len, at == 0, at + len == p->pay && !late_free);
		*piece = (struct piece){ p, p->off + at, len, at + len == p->pay, NULL };
		*pieces_tail = piece;
		pieces_tail = &piece->next;
		at += len;
	}
	if (late_free)
		command(0, 0, 0, false, true);
}

static struct packet *take_held(size_t i)
{
	struct packet *p = held[i];

	held[i] = held[--n_held];
	return p;
}

static void check_data(void)
{
	while (vtb_received(data)) {
		const struct vtb_packet *r = vtb_recv(data);
		struct piece *piece = pieces;

		vtb_check(tb, piece != NULL);
		if (r->len != piece->len ||
		    memcmp(r->data, piece->p->data + piece->at, r->len) != 0)
			vtb_fail(tb, "packet %llu, bytes %u to %u: wrong data or length %zu",
				 (unsigned long long)piece->p->id, piece->at,
				 piece->at + piece->len, r->len);
		pieces = piece->next;
		if (!pieces)
			pieces_tail = &pieces;
		if (piece->last)
			free(piece->p);
		free(piece);
	}
}

/* Everything is freed: no cell may be missing. */
static void finish(void)
{
	vtb_stream_pause(meta, 0);
	vtb_stream_pause(cmd, 0);
	vtb_stream_pause(data, 0);
	vtb_run_until(tb, !vtb_pending(in), 200000);
	for (int round = 0; round < 4; round++) {
		vtb_run(tb, 300);
		collect();
		while (n_held)
			read_packet(take_held(0), 4096);
		vtb_run_until(tb, !vtb_pending(cmd), 200000);
		vtb_run(tb, 200);
		check_data();
	}
	vtb_check(tb, !pieces);
	forget_queue();
	vtb_check(tb, vtb_get(tb, "idle_o"));
	vtb_check_eq(tb, vtb_get(tb, "free_cells_o"), cells);
	vtb_destroy(tb);
}

static void mix(unsigned int frames, unsigned int good, unsigned int max_pay, unsigned int pause)
{
	begin();
	vtb_stream_pause(in, pause);
	vtb_stream_pause(meta, pause);
	vtb_stream_pause(cmd, pause);
	vtb_stream_pause(data, pause);
	for (unsigned int i = 0; i < frames; i++) {
		send_random(good, max_pay);
		vtb_run_until(tb, vtb_pending(in) < 3, 5000);
		collect();
		check_data();
		while (n_held > cells / 64 || (n_held && rng_percent(&tb->rng, 30))) {
			struct packet *p = take_held(rng_below(&tb->rng, n_held));

			if (rng_percent(&tb->rng, 15)) {
				uint8_t m[VTB_META_BYTES] = { 0 };

				vtb_meta_put(m, lsb_rel, 12, p->cell);
				vtb_send(rel, NULL, 0, false, m, 2);
				free(p);
			} else {
				read_packet(p, rng_percent(&tb->rng, 50) ? 64 : 4096);
			}
			if (vtb_pending(cmd) > 40)
				vtb_run_until(tb, vtb_pending(cmd) < 4, 20000);
		}
	}
	finish();
	assert_true(n_roce > frames / 4);
}

static void any_mix(void **state)
{
	(void)state;
	mix(800, 80, 300, 0);
	mix(300, 70, 4096, 0);
	mix(300, 90, 1500, 40);
}

/* One packet per beat, good, bad and without payload, records taken at once. */
static void one_per_beat(void **state)
{
	(void)state;
	begin();
	for (int i = 0; i < 100; i++) {
		if (beat == 64)
			send(beat, i % 3 != 0, 58, i % 4 ? 2 : 0);
		else
			send(64 + rng_below(&tb->rng, 8), i % 3 != 0, 58, i % 4 ? 2 : 0);
	}
	vtb_run_until(tb, !vtb_pending(in), 4000);
	vtb_check_eq(tb, vtb_max_gap(in, 0, vtb_beats(in) - 1), 1);
	vtb_run(tb, 10);
	vtb_check_eq(tb, n_dropped, 0);
	vtb_check_eq(tb, n_roce, 66);
	if (beat == 64)
		vtb_check(tb, vtb_max_gap(meta, 0, vtb_beats(meta) - 1) <= 2);
	finish();
}

/* What one class may hold: the rest is the other's. */
static unsigned int most(void)
{
	return cells - cells / 4;
}

/* n frames of a kind; how many were dropped, and how many of the others hold cells. */
static unsigned int burst(int what, unsigned int n, size_t len, unsigned int off, unsigned int pay)
{
	uint64_t before = n_dropped;

	kind = what;
	for (unsigned int i = 0; i < n; i++)
		send(len, true, off, pay);
	vtb_run_until(tb, !vtb_pending(in), 400000);
	vtb_run(tb, 20);
	collect();
	return (unsigned int)(n_dropped - before);
}

/*
 * The pool runs empty: frames are dropped whole and counted, those without payload still pass. One
 * class takes its own part, then the other finds all of the rest.
 */
static void empty_pool(void **state)
{
	(void)state;
	for (int first = REQUESTS; first <= READ_DATA; first++) {
		int other = first == REQUESTS ? READ_DATA : REQUESTS;
		unsigned int big, rest;

		begin();
		big = most() / 17;
		vtb_check_eq(tb, burst(first, big + 3, 4230, 130, 4096), 3);
		vtb_check_eq(tb, n_held, big);
		/* the rest of the class' cells, then nothing for it */
		vtb_check_eq(tb, burst(first, most() % 17 + 2, 64, 58, 2), 2);
		vtb_check_eq(tb, burst(first, 5, 62, 58, 0), 0);
		vtb_check_eq(tb, vtb_get(tb, "free_cells_o"), cells - most());
		/* the other's */
		rest = (cells - most()) / 17;
		vtb_check_eq(tb, burst(other, rest + 1, 4230, 130, 4096), 1);
		vtb_check_eq(tb, burst(other, (cells - most()) % 17 + 2, 64, 58, 2), 2);
		vtb_check_eq(tb, burst(other, 5, 62, 58, 0), 0);
		vtb_check_eq(tb, vtb_get(tb, "free_cells_o"), 0);
		/* bad frames do not count as dropped for want of cells */
		send(500, false, 58, 400);
		vtb_run(tb, 100);
		vtb_check_eq(tb, n_dropped, 8);
		/* what comes back is the class' it was taken by */
		for (size_t i = n_held; i-- > 0;)
			if (held[i]->rsp == (first == READ_DATA) && held[i]->pay == 2)
				read_packet(take_held(i), 4096);
		vtb_run_until(tb, !vtb_pending(cmd), 20000);
		vtb_run(tb, 200);
		check_data();
		vtb_check_eq(tb, burst(other, 1, 64, 58, 2), 0);
		vtb_check_eq(tb, burst(first, most() % 17, 64, 58, 2), 1);
		finish();
	}
}

/*
 * Nobody takes the records: what does not fit is dropped and counted, and costs no cells. Requests
 * have depth places, responses as many or more, of which ACKs leave three quarters to the others.
 */
static void full_fifo(void **state)
{
	unsigned int depth = beat == 64 ? 256 : 64, rsps = beat == 64 ? 256 : 192;
	unsigned int small = beat == 64 ? 2 : 0;   /* fewer cells than places */
	unsigned int ahead = beat == 8 ? 1 : 2;	   /* on their way out */

	(void)state;
	begin();
	vtb_stream_pause(meta, 100);
	vtb_check_eq(tb, burst(REQUESTS, depth + ahead, 64, 58, 0), 0);
	vtb_check_eq(tb, burst(REQUESTS, 10, 64, 58, 2), 10);
	vtb_check_eq(tb, cells - vtb_get(tb, "free_cells_o"), 0);
	vtb_check_eq(tb, burst(ACKS, rsps / 4 + 10, 64, 58, 0), 10);
	vtb_check_eq(tb, burst(READ_DATA, rsps / 4 * 3, 64, 58, small), 0);
	vtb_check_eq(tb, burst(READ_DATA, 10, 64, 58, small), 10);
	vtb_check_eq(tb, burst(ACKS, 1, 64, 58, 0), 1);
	vtb_check_eq(tb, n_roce, depth + rsps + ahead);
	vtb_check_eq(tb, cells - vtb_get(tb, "free_cells_o"), small ? rsps / 4 * 3 : 0);
	vtb_check(tb, vtb_get(tb, "events_stall_rx_o"));
	/* in turn, behind the two requests that were chosen first */
	vtb_stamps_clear(meta);
	vtb_stream_pause(meta, 0);
	vtb_run(tb, (depth + rsps) * (beat == 8 ? 10 : 1) + 20);
	for (unsigned int i = 0; i < 2 * (rsps / 4); i++) {
		const struct vtb_packet *r = vtb_recv(meta);
		bool rsp = vtb_meta_bits(r->meta, REC_RX_META_OPFLAGS) & CAIRN_OPF_RSP;
		struct packet *p = queue[rsp][q_head[rsp]++ % MAX_HELD];

		vtb_check_eq(tb, rsp, i >= 2 && !(i & 1));
		vtb_check_eq(tb, vtb_meta_bits(r->meta, REC_RX_META_PSN), p->id);
		free(p);
	}
	finish();
}

/* Pieces of one beat follow each other in every cycle, whatever their place in the cells. */
static void read_rate(void **state)
{
	size_t n = 0;

	(void)state;
	begin();
	for (int i = 0; i < 7; i++)
		send(1334, true, 54, 1270);
	for (int i = 0; i < 20; i++)
		send(130, true, 54, 64);
	vtb_run_until(tb, !vtb_pending(in), 40000);
	vtb_run(tb, 20);
	collect();
	vtb_check_eq(tb, n_held, 27);
	vtb_stamps_clear(data);
	while (n_held) {
		struct packet *p = held[n_held - 1];
		unsigned int at = 0;

		n_held--;
		while (at < p->pay) {
			unsigned int len = p->pay - at < beat ? p->pay - at : beat;
			struct piece *piece = calloc(1, sizeof(*piece));

			command(p->cell, p->off, len, at == 0, at + len == p->pay);
			*piece = (struct piece){ p, p->off + at, len, at + len == p->pay, NULL };
			*pieces_tail = piece;
			pieces_tail = &piece->next;
			at += len;
			n++;
		}
	}
	vtb_run_until(tb, !vtb_pending(cmd), 4000);
	vtb_run(tb, 20);
	vtb_check_eq(tb, vtb_beats(data), n);
	vtb_check_eq(tb, vtb_max_gap(data, 0, n - 1), 1);
	finish();
}

/* More packets at once than fit on the list of those to free, all of many cells. */
static void free_burst(void **state)
{
	unsigned int n;

	(void)state;
	begin();
	n = cells / 4 < 30 ? cells / 4 : 30;
	for (unsigned int i = 0; i < n; i++)
		send(4 * 256 - 4, true, 54, 900);
	vtb_run_until(tb, !vtb_pending(in), 40000);
	vtb_run(tb, 20);
	collect();
	vtb_check_eq(tb, n_held, n);
	while (n_held) {
		struct packet *p = take_held(0);
		uint8_t m[VTB_META_BYTES] = { 0 };

		vtb_meta_put(m, lsb_rel, 12, p->cell);
		vtb_send(rel, NULL, 0, false, m, 2);
		free(p);
	}
	vtb_run_until(tb, !vtb_pending(rel), 4000);
	vtb_check(tb, !vtb_get(tb, "idle_o"));
	finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_mix),    cmocka_unit_test(one_per_beat),
		cmocka_unit_test(empty_pool), cmocka_unit_test(full_fifo),
		cmocka_unit_test(read_rate),  cmocka_unit_test(free_burst),
	};

	return cmocka_run_group_tests_name("rx_buffer", tests, NULL, NULL);
}
