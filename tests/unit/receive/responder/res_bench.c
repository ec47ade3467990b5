// SPDX-License-Identifier: Apache-2.0
/* Bench of rsp_res_cache, rsp_res_words and rsp_res: model, comparison, surroundings. */
#include "res_bench.h"

#include <string.h>

#include "../../rx/int_records.h"

static unsigned int line_of(unsigned int qpn)
{
	return (qpn ^ qpn / LINES) % LINES;
}

/* What rsp_res calls the ports of the two within it. */
static const char *name_of(const struct bench *b, const char *port)
{
	static const char *const names[][2] = {
		{ "rd_valid_i", "look_valid_i" },
		{ "rd_qpn_i", "look_qpn_i" },
		{ "rd_gen_i", "look_gen_i" },
		{ "rd_index_i", "look_index_i" },
		{ "rd_hit_o", "found_hit_o" },
		{ "rd_err_o", "found_err_o" },
		{ "rd_done_o", "found_done_o" },
		{ "rd_entry_o", "found_entry_o" },
		{ "base_i", "control_res_base_i" },
		{ "func_i", "control_res_func_i" },
		{ "beat_valid_i", "dma_beat_valid_i" },
		{ "beat_meta_i", "dma_beat_meta_i" },
		{ "last_ticket_i", "dma_last_ticket_i" },
	};

	for (unsigned int i = 0; b->joint && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i][0], port))
			return names[i][1];
	return port;
}

static uint64_t get(const struct bench *b, const char *port)
{
	return vtb_get(b->tb, name_of(b, port));
}

static void set(const struct bench *b, const char *port, uint64_t value)
{
	vtb_set(b->tb, name_of(b, port), value);
}

static uint64_t bits_of(const struct sim_port *port, const struct field *f)
{
	return vtb_get_bits(port, f->lsb, f->width);
}

/* ---- what every cycle must look like ---- */

/* Of rsp_res's entry those 64 bits that come, which are whole words: each once a read. */
static void take_lanes(struct bench *b)
{
	unsigned int comes = (unsigned int)vtb_get(b->tb, "found_comes_o");
	unsigned int lanes = b->bytes / 8, all = (1u << lanes) - 1;

	if (!b->words) {
		vtb_check_eq(b->tb, comes, 0);
		vtb_check_eq(b->tb, vtb_get(b->tb, "found_done_o"), 1);
		return;
	}
	if (!b->reading) /* a read that nobody waits for any more has no meaning */
		return;
	vtb_check_eq(b->tb, b->came & comes, 0);
	for (unsigned int g = 0; g < 4; g += lanes) {
		unsigned int word = comes >> g & all;

		vtb_check(b->tb, !word || word == all);
	}
	for (unsigned int g = 0; g < 4; g++)
		if (comes >> g & 1)
			vtb_get_bytes(b->rd_entry, 64 * g, b->got + 8 * g, 8);
	b->came |= comes;
	if (get(b, "rd_done_o")) {
		vtb_check_eq(b->tb, b->came, 0xf);
		b->came = 0;
	}
}

static void check_read(struct bench *b)
{
	struct cairn_rsp_res got;

	if (b->joint)
		take_lanes(b);
	else if (b->words && vtb_get(b->tb, "rd_comes_o"))
		vtb_get_bytes(b->rd_entry, 0, b->got + b->bytes * vtb_get(b->tb, "rd_at_o"),
			      b->bytes);
	if (!b->reading || (b->words && !get(b, "rd_done_o")))
		return;
	b->reading = false;
	vtb_check_eq(b->tb, get(b, "rd_hit_o"), b->want_hit);
	if (!b->want_hit)
		return;
	vtb_check_eq(b->tb, get(b, "rd_err_o"), b->want_err);
	b->n_errs += b->want_err;
	if (b->want_err)
		return;
	b->n_hits++;
	if (b->words)
		memcpy(&got, b->got, sizeof(got));
	else
		vtb_get_bytes(b->rd_entry, 0, &got, sizeof(got));
	vtb_check(b->tb,
		  !memcmp(&got, &b->want, sizeof(got)) || !memcmp(&got, &b->or_this, sizeof(got)));
}

static bool owns(const struct line *l, unsigned int qpn, unsigned int gen)
{
	return l->qpn == qpn && l->gen == gen;
}

static void model_write(struct bench *b, const struct cairn_rsp_res *e, unsigned int index)
{
	unsigned int qpn = e->qpn, gen = CAIRN_GET(e->msn, CAIRN_RSP_RES_MSN_GEN);
	struct line *l = &b->lines[line_of(qpn)];

	if (!owns(l, qpn, gen))
		l->valid = 0;
	l->qpn = qpn;
	l->gen = gen;
	l->failed = false;
	l->valid |= 1u << index;
	if (b->state != IDLE && line_of(qpn) == line_of(b->f_qpn) &&
	    (qpn != b->f_qpn || gen != b->f_gen)) {
		b->n_broken += !b->broken;
		b->broken = true;
	}
	b->newest[qpn][index] = *e;
	vtb_check(b->tb, b->n_posted < MAX_POSTED);
	b->posted[b->n_posted++] = (struct posted){ qpn, index, ++b->ticket & 0xffff, *e };
}

static void model_read(struct bench *b, const struct cairn_rsp_res *written, unsigned int windex)
{
	unsigned int qpn = (unsigned int)get(b, "rd_qpn_i"), gen = (unsigned int)get(b, "rd_gen_i"),
		     index = (unsigned int)get(b, "rd_index_i");
	const struct line *l = &b->lines[line_of(qpn)];
	bool taken = written && line_of(written->qpn) == line_of(qpn) &&
		     !owns(l, written->qpn, CAIRN_GET(written->msn, CAIRN_RSP_RES_MSN_GEN));

	b->reading = true;
	b->rd_qpn = qpn;
	b->rd_gen = gen;
	b->want_hit = owns(l, qpn, gen) && !taken && (l->failed || l->valid >> index & 1);
	b->want_err = l->failed;
	b->want = b->or_this = b->newest[qpn][index];
	if (written && written->qpn == qpn && windex == index)
		b->or_this = *written;
	if (b->fresh && qpn == b->fresh_qpn && gen == b->fresh_gen)
		b->fresh = false;
}

/* Refused only for another QP than the one for which the line has just been read. */
static bool fill_ready(struct bench *b)
{
	bool ready = vtb_get(b->tb, "fill_ready_o");
	uint64_t age = b->tb->cycle - b->fresh_at;
	bool foreign = line_of(b->rd_qpn) == line_of(b->fresh_qpn) &&
		       (b->rd_qpn != b->fresh_qpn || b->rd_gen != b->fresh_gen);

	if (b->state != IDLE || (b->words && vtb_get(b->tb, "wr_valid_i")))
		vtb_check(b->tb, !ready);
	else if (!b->fresh || !foreign || age > FRESH + 2)
		vtb_check(b->tb, ready);
	else if (age < FRESH - 2)
		vtb_check(b->tb, !ready);
	b->n_refused += !ready && b->state == IDLE;
	return ready;
}

static void fill_done(struct bench *b, bool err)
{
	struct line *l = &b->lines[line_of(b->f_qpn)];

	b->state = WAKE;
	b->fresh = true;
	b->fresh_qpn = b->f_qpn;
	b->fresh_gen = b->f_gen;
	b->fresh_at = b->tb->cycle;
	if (b->broken || !owns(l, b->f_qpn, b->f_gen))
		return;
	l->failed = err;
	if (!err)
		l->valid = (1u << ENTRIES) - 1;
}

static void check_request(struct bench *b)
{
	vtb_check_eq(b->tb, bits_of(b->hrd_req, &rd_fields[RD_iova]),
		     BASE + b->f_qpn * ENTRIES * sizeof(struct cairn_rsp_res));
	vtb_check_eq(b->tb, bits_of(b->hrd_req, &rd_fields[RD_len]),
		     ENTRIES * sizeof(struct cairn_rsp_res));
	vtb_check_eq(b->tb, bits_of(b->hrd_req, &rd_fields[RD_func]), 5);
	vtb_check_eq(b->tb, bits_of(b->hrd_req, &rd_fields[RD_tag]), b->tag);
	vtb_check_eq(b->tb, bits_of(b->hrd_req, &rd_fields[RD_nb_valid]), 1);
	vtb_check_eq(b->tb, bits_of(b->hrd_req, &rd_fields[RD_not_before]), b->f_ticket);
}

static void fill_step(struct bench *b, bool mine)
{
	struct vtb *tb = b->tb;
	struct line *l = &b->lines[line_of(b->f_qpn)];
	bool hrd = vtb_get(tb, "host_rd_valid_o");

	vtb_check_eq(tb, hrd, b->state == WAIT && !b->asked);
	vtb_check_eq(tb, vtb_get(tb, "wake_valid_o"), b->state == WAKE);
	if (b->state == ASK) {
		if (!owns(l, b->f_qpn, b->f_gen))
			l->valid = 0;
		l->qpn = b->f_qpn;
		l->gen = b->f_gen;
		l->failed = false;
		b->state = WAIT;
		b->asked = false;
		b->f_ticket = (unsigned int)get(b, "last_ticket_i");
	} else if (b->state == WAIT && hrd) {
		check_request(b);
		if (vtb_get(tb, "host_rd_ready_i")) {
			b->asked = true;
			b->rows = (1u << ENTRIES / 2) - 1;
			b->pos = 0;
			b->failing = b->fail_next || rng_percent(&tb->rng, b->fail_pct);
		}
	} else if (b->state == WAIT && mine && bits_of(b->meta, &rsp_fields[RSP_last])) {
		fill_done(b, bits_of(b->meta, &rsp_fields[RSP_err]));
	} else if (b->state == WAKE) {
		vtb_check_eq(tb, vtb_get(tb, "wake_qpn_o"), b->f_qpn);
		if (vtb_get(tb, "wake_ready_i")) {
			b->state = IDLE;
			b->n_wakes++;
		}
	}
}

static void sample(struct vtb *tb, void *arg)
{
	struct bench *b = arg;
	struct cairn_rsp_res e;
	enum fill_state before = b->state;
	unsigned int index = (unsigned int)vtb_get(tb, "wr_index_i");
	bool mine = get(b, "beat_valid_i") &&
		    bits_of(b->meta, &rsp_fields[RSP_client]) == CLIENT_QPC &&
		    bits_of(b->meta, &rsp_fields[RSP_tag]) == b->tag;
	bool wr = vtb_get(tb, "wr_valid_i") && vtb_get(tb, "wr_ready_o");
	/* words: the line's state changes with the first one */
	bool begins = b->words ? vtb_get(tb, "wr_valid_i") && !b->writing && !mine && before != ASK
			       : wr;
	bool fill;

	if (!b->words)
		vtb_check_eq(tb, vtb_get(tb, "wr_ready_o"), !mine && before != ASK);
	else if (mine || before == ASK)
		vtb_check_eq(tb, vtb_get(tb, "wr_ready_o"), 0);
	if (before != IDLE)
		vtb_check_eq(tb, vtb_get(tb, "idle_o"), 0);
	check_read(b);
	begins = begins && !(b->words && b->reading);
	vtb_get_bytes(b->wr_entry, 0, &e, sizeof(e));
	fill = vtb_get(tb, "fill_valid_i") && fill_ready(b);
	if (b->words ? b->asking && !vtb_get(tb, "wr_valid_i") : get(b, "rd_valid_i")) {
		b->asking = false;
		model_read(b, wr ? &e : NULL, index);
	}
	b->asking |= b->words && get(b, "rd_valid_i");
	if (begins)
		model_write(b, &e, index);
	b->writing = (begins || b->writing) && !wr;
	b->n_writes += wr;
	b->wr_taken = wr;
	fill_step(b, mine);
	if (fill) {
		b->state = ASK;
		b->f_qpn = b->rd_qpn;
		b->f_gen = b->rd_gen;
		b->broken = false;
	}
}

/* ---- surroundings ---- */

static void put_meta(struct bench *b, unsigned int f, uint64_t value)
{
	vtb_put_bits(b->meta, rsp_fields[f].lsb, rsp_fields[f].width, value);
}

/* Rows of 64 bytes in any order; a failed read ends with bytes that are wrong, or with none. */
static void drive_rsp(struct bench *b)
{
	struct rng *rng = &b->tb->rng;
	uint8_t data[64];
	unsigned int n = b->bytes;
	bool err = false;

	rng_bytes(rng, data, sizeof(data));
	vtb_put_bytes(b->data, 0, data, n);
	set(b, "beat_valid_i", rng_percent(rng, 20));
	for (unsigned int f = 0; f < RSP_N; f++)
		put_meta(b, f, rng_u64(rng) & ((1ULL << rsp_fields[f].width) - 1));
	/* somebody else's, unless it is ours */
	if (rng_percent(rng, 50))
		put_meta(b, RSP_client, (CLIENT_QPC + 1 + rng_below(rng, 15)) % 16);
	else
		put_meta(b, RSP_tag, (b->tag + rng_range(rng, 1, 4095)) % 4096);
	if (b->state != WAIT || !b->asked || b->hold_rsp || rng_percent(rng, b->busy_pct))
		return;
	if (b->n_posted && (int16_t)(b->posted[0].ticket - b->f_ticket) <= 0)
		return; /* writes before it are under way */
	if (b->pos == 0)
		do
			b->row = (unsigned int)rng_below(rng, ENTRIES / 2);
		while (!(b->rows >> b->row & 1));
	memcpy(data, (uint8_t *)b->host[b->f_qpn] + 64 * b->row + b->pos, n);
	put_meta(b, RSP_offset, 64 * b->row + b->pos);
	b->pos = (b->pos + n) % 64;
	if (!b->pos)
		b->rows &= ~(1u << b->row);
	err = b->failing && (!b->rows || rng_percent(rng, 15));
	if (err)
		rng_bytes(rng, data, sizeof(data));
	vtb_put_bytes(b->data, 0, data, n);
	put_meta(b, RSP_client, CLIENT_QPC);
	put_meta(b, RSP_tag, b->tag);
	put_meta(b, RSP_skip, 0);
	put_meta(b, RSP_nbytes, err && rng_percent(rng, 50) ? 0 : n);
	put_meta(b, RSP_last, err || !b->rows);
	put_meta(b, RSP_err, err);
	set(b, "beat_valid_i", 1);
}

static void offer_write(struct bench *b, unsigned int qpn, unsigned int index)
{
	struct cairn_rsp_res e;

	rng_bytes(&b->tb->rng, &e, sizeof(e));
	CAIRN_SET(e.msn, CAIRN_RSP_RES_MSN_GEN, b->gen[qpn]);
	e.qpn = qpn;
	vtb_put_bytes(b->wr_entry, 0, &e, sizeof(e));
	vtb_set(b->tb, "wr_index_i", index);
	vtb_set(b->tb, "wr_valid_i", 1);
}

static void drive(struct vtb *tb, void *arg)
{
	struct bench *b = arg;

	vtb_set(tb, "host_rd_ready_i", !rng_percent(&tb->rng, b->busy_pct));
	vtb_set(tb, "wake_ready_i", !b->hold_wake && !rng_percent(&tb->rng, b->busy_pct));
	set(b, "last_ticket_i", b->ticket & 0xffff);
	if (b->n_posted && !b->hold_posted &&
	    (b->n_posted > MAX_POSTED / 2 || rng_percent(&tb->rng, 20))) {
		struct posted *p = &b->posted[0];

		b->host[p->qpn][p->index] = p->entry;
		memmove(p, p + 1, --b->n_posted * sizeof(*p));
	}
	drive_rsp(b);
	if (b->write_pct) {
		unsigned int qpn = (unsigned int)rng_below(&tb->rng, QPS);

		if (vtb_get(tb, "wr_valid_i") && !b->wr_taken)
			return;
		vtb_set(tb, "wr_valid_i", 0);
		if (rng_percent(&tb->rng, b->write_pct))
			offer_write(b, qpn, (unsigned int)rng_below(&tb->rng, ENTRIES));
	}
}

struct bench *res_bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->tb = vtb_create();
	b->joint = b->tb->ops->find(b->tb->dut, "look_valid_i");
	b->tag = b->joint ? JOINT_TAG : 0;
	b->wr_entry = vtb_port(b->tb, "wr_entry_i");
	b->hrd_req = vtb_port(b->tb, "host_rd_req_o");
	b->meta = vtb_port(b->tb, name_of(b, "beat_meta_i"));
	b->data = vtb_port(b->tb, "beat_data_i");
	b->bytes = b->data->width / 8;
	b->words = b->bytes < 64;
	b->rd_entry =
		vtb_port(b->tb, b->words && !b->joint ? "rd_word_o" : name_of(b, "rd_entry_o"));
	vtb_check_eq(b->tb, rd_fields[RD_N].width, b->hrd_req->width);
	vtb_check_eq(b->tb, rsp_fields[RSP_N].width, b->meta->width);
	set(b, "base_i", BASE);
	set(b, "func_i", 5);
	rng_bytes(&b->tb->rng, b->host, sizeof(b->host));
	memcpy(b->newest, b->host, sizeof(b->host));
	for (unsigned int q = 0; q < QPS; q++)
		b->gen[q] = (uint8_t)rng_range(&b->tb->rng, 1, 255);
	vtb_run(b->tb, LINES + 4); /* the lines are emptied */
	vtb_check_eq(b->tb, vtb_get(b->tb, "idle_o"), 1);
	vtb_on_drive(b->tb, drive, b);
	vtb_on_sample(b->tb, sample, b);
	return b;
}

void res_bench_free(struct bench *b)
{
	vtb_destroy(b->tb);
	free(b);
}

/* ---- the test's hands ---- */

void res_write(struct bench *b, unsigned int qpn, unsigned int index)
{
	unsigned int before = b->n_writes;

	offer_write(b, qpn, index);
	vtb_run_until(b->tb, b->n_writes == before + 1, 500);
	vtb_set(b->tb, "wr_valid_i", 0);
}

bool res_read_gen(struct bench *b, unsigned int qpn, unsigned int gen, unsigned int index)
{
	set(b, "rd_valid_i", 1);
	set(b, "rd_qpn_i", qpn);
	set(b, "rd_gen_i", gen);
	set(b, "rd_index_i", index);
	vtb_tick(b->tb);
	set(b, "rd_valid_i", 0);
	if (b->words)
		vtb_run_until(b->tb, !b->asking && !b->reading, 500);
	else
		vtb_tick(b->tb);
	return b->want_hit;
}

bool res_read(struct bench *b, unsigned int qpn, unsigned int index)
{
	return res_read_gen(b, qpn, b->gen[qpn], index);
}

bool res_ask(struct bench *b)
{
	vtb_set(b->tb, "fill_valid_i", 1);
	vtb_tick(b->tb);
	vtb_set(b->tb, "fill_valid_i", 0);
	return b->state == ASK;
}

void res_wait_wake(struct bench *b)
{
	unsigned int before = b->n_wakes;

	vtb_run_until(b->tb, b->n_wakes == before + 1, 5000);
}

void res_fill(struct bench *b, unsigned int qpn)
{
	vtb_check(b->tb, !res_read(b, qpn, 0));
	vtb_check(b->tb, res_ask(b));
	res_wait_wake(b);
}

unsigned int res_rival(unsigned int qpn, unsigned int nth)
{
	for (unsigned int q = 0; q < QPS; q++)
		if (q != qpn && line_of(q) == line_of(qpn) && !nth--)
			return q;
	return qpn;
}
