// SPDX-License-Identifier: Apache-2.0
/* Host memory and ports of wqe_fetch; see wqe_bench.h. */
#include "wqe_bench.h"

#include <stdio.h>
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"

/* A port of the requester's (0) or the completer's (1). */
static const struct sim_port *port_of(struct wqe_bench *b, unsigned int engine, const char *name)
{
	char full[32];

	snprintf(full, sizeof(full), "%s_%s", engine ? "cmp" : "req", name);
	return vtb_port(b->tb, full);
}

static uint64_t field_of(const struct vtb_packet *p, unsigned int f)
{
	return vtb_meta_bits(p->meta, rd_fields[f].lsb, rd_fields[f].width);
}

static void take_read(struct wqe_bench *b)
{
	struct vtb *tb = b->tb;
	const struct vtb_packet *p = vtb_recv(b->rd);
	uint64_t at = field_of(p, RD_iova) - MEM_BASE, tag = field_of(p, RD_tag);
	unsigned int len = (unsigned int)field_of(p, RD_len);
	struct host_read *r;

	vtb_check(tb, tag < GROUPS && !b->read[tag].used);
	vtb_check(tb, len && len % 64 == 0 && len <= 512 && at % 64 == 0);
	vtb_check(tb, (at + len) / 64 <= MEM_BLOCKS);
	vtb_check_eq(tb, field_of(p, RD_epoch), vtb_get(tb, "epoch_i"));
	vtb_check_eq(tb, field_of(p, RD_nb_valid) | field_of(p, RD_func), 0);
	r = &b->read[tag];
	memset(r, 0, sizeof(*r));
	r->used = true;
	r->tag = (unsigned int)tag;
	r->block = (unsigned int)(at / 64);
	r->n = len / 64;
	r->fail = rng_percent(&b->rng, b->fail);
	r->fail_after = (unsigned int)rng_below(&b->rng, len / b->data_bytes);
	r->shuffled = rng_percent(&b->rng, 50);
	r->due = tb->cycle + rng_below(&b->rng, b->latency + 1);
	b->reads++;
	if (b->on_read)
		b->on_read(b, r);
}

static void put_rsp(struct wqe_bench *b, unsigned int client, uint64_t tag, uint64_t offset,
		    unsigned int nbytes, bool last, bool err)
{
	const struct sim_port *m = vtb_port(b->tb, "beat_meta_i");

	vtb_set(b->tb, "beat_valid_i", 1);
	vtb_put_bits(m, rsp_fields[RSP_client].lsb, rsp_fields[RSP_client].width, client);
	vtb_put_bits(m, rsp_fields[RSP_tag].lsb, rsp_fields[RSP_tag].width, tag);
	vtb_put_bits(m, rsp_fields[RSP_offset].lsb, rsp_fields[RSP_offset].width, offset);
	vtb_put_bits(m, rsp_fields[RSP_skip].lsb, rsp_fields[RSP_skip].width, 0);
	vtb_put_bits(m, rsp_fields[RSP_nbytes].lsb, rsp_fields[RSP_nbytes].width, nbytes);
	vtb_put_bits(m, rsp_fields[RSP_last].lsb, 1, last);
	vtb_put_bits(m, rsp_fields[RSP_err].lsb, 1, err);
}

/* Beats of other clients' reads. */
static void noise(struct wqe_bench *b)
{
	unsigned int client = (unsigned int)rng_below(&b->rng, 8);

	client += client == RD_CLIENT_WQE;
	put_rsp(b, client, rng_below(&b->rng, GROUPS), 64 * rng_below(&b->rng, 8), b->data_bytes,
		rng_percent(&b->rng, 50), rng_percent(&b->rng, 50));
}

static void beat(struct wqe_bench *b, struct host_read *r)
{
	unsigned int beats = 64 * r->n / b->data_bytes, i = r->sent;
	bool last = r->sent + 1 == beats;

	if (r->fail && r->sent == r->fail_after) {
		/* The last piece came damaged, or nothing comes any more. */
		put_rsp(b, RD_CLIENT_WQE, r->tag, 0, last ? b->data_bytes : 0, true, true);
		r->used = false;
	} else {
		if (r->shuffled)
			i = (unsigned int)rng_below(&b->rng, beats);
		while (r->done >> i & 1)
			i = (i + 1) % beats;
		r->done |= 1ull << i;
		r->sent++;
		r->used = !last;
		put_rsp(b, RD_CLIENT_WQE, r->tag, (uint64_t)i * b->data_bytes, b->data_bytes, last,
			false);
		vtb_put_bytes(vtb_port(b->tb, "beat_data_i"), 0,
			      b->mem[r->block] + (size_t)i * b->data_bytes, b->data_bytes);
	}
	if (!r->used && b->on_done)
		b->on_done(b, r);
}

static void drive(struct vtb *tb, void *arg)
{
	struct wqe_bench *b = arg;
	unsigned int from = (unsigned int)rng_below(&b->rng, GROUPS);
	uint8_t junk[64];

	while (vtb_received(b->rd))
		take_read(b);
	rng_bytes(&b->rng, junk, sizeof(junk));
	vtb_put_bytes(vtb_port(tb, "beat_data_i"), 0, junk, b->data_bytes);
	put_rsp(b, RD_CLIENT_WQE, rng_below(&b->rng, GROUPS), 0, b->data_bytes, true, true);
	vtb_set(tb, "beat_valid_i", 0);
	for (unsigned int i = 0; i < 2; i++)
		vtb_put(port_of(b, i, "kick_ready_i"), !rng_percent(&b->rng, b->kick_pause));
	if (rng_percent(&b->rng, b->noise)) {
		noise(b);
		return;
	}
	if (b->hold || rng_percent(&b->rng, b->beat_pause))
		return;
	for (unsigned int i = 0; i < GROUPS; i++) {
		struct host_read *r = &b->read[(from + i) % GROUPS];

		if (r->used && r->due <= tb->cycle) {
			beat(b, r);
			return;
		}
	}
}

static void sample(struct vtb *tb, void *arg)
{
	struct wqe_bench *b = arg;

	b->ft_ready = 0;
	for (unsigned int i = 0; i < 2; i++) {
		bool ready = vtb_read(port_of(b, i, "fetch_ready_o"));

		vtb_check(tb, !ready || vtb_read(port_of(b, i, "fetch_valid_i")));
		b->ft_ready |= (unsigned int)ready << i;
	}
	b->ft_retry = vtb_get(tb, "fetch_retry_o");
	b->pushed_ready = vtb_get(tb, "pushed_ready_o");
	b->pushed_taken = vtb_get(tb, "pushed_taken_o");
	vtb_check(tb, b->ft_ready != 3);
	if (vtb_get(tb, "events_wqe_fetch_o")) {
		b->issues++;
		b->unasked += !b->ft_ready;
	}
	for (unsigned int i = 0; i < 2; i++) {
		uint32_t q = (uint32_t)vtb_read(port_of(b, i, "kick_qpn_o"));
		bool valid = vtb_read(port_of(b, i, "kick_valid_o"));
		bool ready = vtb_read(port_of(b, i, "kick_ready_i"));

		if (b->kick_shown[i])
			vtb_check(tb, valid && q == b->kick_qpn[i]);
		b->kick_qpn[i] = q;
		b->kick_shown[i] = valid && !ready;
		if (valid && ready) {
			b->kicks[i]++;
			if (b->on_kick)
				b->on_kick(b, i, q);
		}
	}
}

struct wqe_bench *wqe_bench_create(void)
{
	struct wqe_bench *b = calloc(1, sizeof(*b));
	unsigned int lsb;

	b->tb = vtb_create();
	b->rng = b->tb->rng;
	b->rng.state ^= 0x5eed;
	b->mem = calloc(MEM_BLOCKS, 64);
	b->data_bytes = (unsigned int)vtb_port(b->tb, "beat_data_i")->width / 8;
	b->part_bytes = b->data_bytes < 16 ? 16 : b->data_bytes;
	b->ahead = AHEAD;
	b->rd = vtb_sink(b->tb, "rd");
	vtb_stream_add(b->rd, "req", &lsb);
	vtb_check_eq(b->tb, vtb_port(b->tb, "rd_req_o")->width, rd_fields[RD_N].width);
	vtb_check_eq(b->tb, vtb_port(b->tb, "beat_meta_i")->width, rsp_fields[RSP_N].width);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

/* Nothing is left over: each issue was one read, all is quiet. */
void wqe_bench_destroy(struct wqe_bench *b)
{
	b->hold = false;
	vtb_run_until(b->tb, vtb_get(b->tb, "idle_o"), 5000);
	vtb_run(b->tb, 3);
	vtb_check(b->tb, vtb_get(b->tb, "idle_o"));
	vtb_check_eq(b->tb, b->reads, b->issues);
	vtb_destroy(b->tb);
	free(b->mem);
	free(b);
}

uint8_t *wqe_block(struct wqe_bench *b, const struct ring *r, uint16_t index)
{
	return b->mem[r->first + (index & ((1u << r->log2) - 1))];
}

void wqe_post(struct wqe_bench *b, const struct ring *r, uint16_t index)
{
	uint8_t *p = wqe_block(b, r, index);
	uint32_t check = cairn_wqe_owner(r->qpn, r->gen) << CAIRN_WQE_CHECK_OWNER_SHIFT | index;

	rng_bytes(&b->rng, p, 64);
	memcpy(p + offsetof(struct cairn_wqe, check), &check, 4);
}

void wqe_look_set(struct wqe_bench *b, unsigned int port, bool valid, struct block_key k)
{
	vtb_put(port_of(b, port, "wqe_valid_i"), valid);
	vtb_put(port_of(b, port, "wqe_qpn_i"), k.qpn);
	vtb_put(port_of(b, port, "wqe_gen_i"), k.gen);
	vtb_put(port_of(b, port, "wqe_index_i"), k.index);
	vtb_put(port_of(b, port, "wqe_limit_i"), b->posted[k.qpn % 256]);
}

struct lookup wqe_look_get(struct wqe_bench *b, unsigned int port)
{
	struct lookup l;

	l.hit = vtb_read(port_of(b, port, "wqe_hit_o"));
	l.err = vtb_read(port_of(b, port, "wqe_err_o"));
	vtb_get_bytes(port_of(b, port, "wqe_wqe_o"), 0, l.data, 64);
	return l;
}

bool wqe_same(struct wqe_bench *b, const struct lookup *l, const uint8_t *block)
{
	return !memcmp(l->data, block, b->part_bytes);
}

struct lookup wqe_look(struct wqe_bench *b, unsigned int port, struct block_key k)
{
	struct lookup all, l;

	for (unsigned int at = 0; at < 64; at += b->part_bytes) {
		wqe_look_set(b, port, true, k);
		vtb_put(port_of(b, port, "wqe_part_i"), at / b->part_bytes);
		vtb_tick(b->tb);
		wqe_look_set(b, port, false, k);
		vtb_eval(b->tb);
		l = wqe_look_get(b, port);
		if (!at)
			all = l;
		vtb_check(b->tb, !all.hit || l.hit);
		memcpy(all.data + at, l.data + at, b->part_bytes);
	}
	vtb_put(port_of(b, port, "wqe_part_i"), 0);
	return all;
}

void wqe_fetch_set(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index,
		   uint16_t limit)
{
	if (!port)
		b->posted[r->qpn % 256] = limit;
	vtb_put(port_of(b, port, "fetch_valid_i"), 1);
	vtb_put(port_of(b, port, "fetch_qpn_i"), r->qpn);
	vtb_put(port_of(b, port, "fetch_gen_i"), r->gen);
	vtb_put(port_of(b, port, "fetch_index_i"), index);
	vtb_put(port_of(b, port, "fetch_limit_i"), limit);
	vtb_put(port_of(b, port, "fetch_base_i"), MEM_BASE + 64ull * r->first);
	vtb_put(port_of(b, port, "fetch_log2_i"), r->log2);
}

void wqe_fetch_clear(struct wqe_bench *b, unsigned int port)
{
	vtb_put(port_of(b, port, "fetch_valid_i"), 0);
}

bool wqe_fetch(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index,
	       uint16_t limit)
{
	bool ready = false, retry = false;

	wqe_fetch_set(b, port, r, index, limit);
	for (unsigned int i = 0; i < 200 && !ready; i++) {
		vtb_tick(b->tb);
		ready = b->ft_ready >> port & 1;
		retry = b->ft_retry;
	}
	vtb_check(b->tb, ready);
	wqe_fetch_clear(b, port);
	return retry;
}

unsigned int wqe_span(const struct ring *r, uint16_t index, uint16_t limit)
{
	unsigned int size = 1u << r->log2, n = 0;

	if (index == limit) /* the wanted one whatever the limit says */
		return 1;
	do {
		n++;
		index++;
	} while (index != limit && index % 8 && index % size);
	return n;
}

struct block_key wqe_key(const struct ring *r, uint16_t index)
{
	return (struct block_key){ r->qpn, r->gen, index };
}

struct ring wqe_ring(uint32_t qpn, unsigned int log2, unsigned int first)
{
	return (struct ring){ qpn, (uint8_t)(qpn * 7 + 3), log2, first };
}

void wqe_posts(struct wqe_bench *b, const struct ring *r, uint16_t from, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		wqe_post(b, r, (uint16_t)(from + i));
}

void wqe_hits(struct wqe_bench *b, unsigned int port, const struct ring *r, uint16_t index)
{
	struct lookup l = wqe_look(b, port, wqe_key(r, index));

	vtb_check_eq(b->tb, l.hit, 1);
	vtb_check_eq(b->tb, l.err, 0);
	vtb_check(b->tb, !memcmp(l.data, wqe_block(b, r, index), 64));
}

void wqe_misses(struct wqe_bench *b, unsigned int port, struct block_key k)
{
	struct lookup l = wqe_look(b, port, k);

	vtb_check_eq(b->tb, l.hit, 0);
	vtb_check_eq(b->tb, l.err, 0);
}
