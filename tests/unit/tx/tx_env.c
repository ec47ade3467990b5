// SPDX-License-Identifier: Apache-2.0
/* Surroundings of tx_path (see tx_env.h). */
#include "tx_env.h"

#include "frame_job.h"

#include <string.h>

#define CLIENT 0 /* RD_TXP */

struct tx_env env;

/* ---- host memory ---- */

static uint8_t mem(uint64_t iova)
{
	return env.mem[(iova ^ iova >> 16 ^ iova >> 32) & 0xffff];
}

static void new_read(const uint8_t *meta)
{
	const struct rec_dma_rd rd = vtb_meta_get_dma_rd(meta, 0);
	struct tx_read *r = calloc(1, sizeof(*r));
	struct rng *rng = &env.tb->rng;
	unsigned int cut = 0;

	assert_non_null(r);
	r->iova = rd.iova;
	r->len = rd.len;
	r->tag = rd.tag;
	r->wait = env.latency + (env.in_order ? 0 : (unsigned int)rng_below(rng, 40));
	r->fail = rd.iova >> 63; /* marked by env_send() */
	vtb_check(env.tb, r->len >= 1 && r->len <= 4096);
	for (struct tx_read *o = env.reads; o; o = o->next)
		if (o->tag == r->tag)
			vtb_fail(env.tb, "tag %u is used twice", r->tag);
	while (cut < r->len) {
		unsigned int n = r->len - cut;

		if (!env.in_order && r->pieces < 15 && rng_percent(rng, 40))
			n = 1 + (unsigned int)rng_below(rng, n);
		r->piece[r->pieces].at = cut;
		r->piece[r->pieces++].end = cut += n;
	}
	struct tx_read **tail = &env.reads;

	while (*tail)
		tail = &(*tail)->next;
	*tail = r;
	env.n_reads++;
}

/* The beat of a piece: up to a bus word at any alignment. */
static void put_piece(struct tx_read *r, unsigned int i, uint8_t *meta)
{
	struct rng *rng = &env.tb->rng;
	const struct sim_port *data = vtb_port(env.tb, "beat_data_i");
	unsigned int skip = env.in_order ? 0 : (unsigned int)rng_below(rng, 4);
	unsigned int n = r->piece[i].end - r->piece[i].at;
	uint8_t word[64];

	if (n > env.beat - skip)
		n = env.beat - skip;
	if (!env.in_order && rng_percent(rng, 20))
		n = 1 + (unsigned int)rng_below(rng, n);
	rng_bytes(rng, word, sizeof(word));
	for (unsigned int b = 0; b < n; b++)
		word[skip + b] = mem(r->iova + r->piece[i].at + b);
	vtb_put_bytes(data, 0, word, env.beat);
	vtb_meta_put(meta, REC_DMA_RSP_OFFSET, r->piece[i].at);
	vtb_meta_put(meta, REC_DMA_RSP_SKIP, skip);
	vtb_meta_put(meta, REC_DMA_RSP_NBYTES, n);
	r->piece[i].at += n;
	if (r->piece[i].at == r->piece[i].end)
		r->piece[i] = r->piece[--r->pieces];
}

static void remove_read(struct tx_read *r)
{
	struct tx_read **p = &env.reads;

	while (*p != r)
		p = &(*p)->next;
	*p = r->next;
	free(r);
	env.n_reads--;
}

static struct tx_read *pick_read(void)
{
	struct tx_read *r = env.reads;
	unsigned int skip = env.in_order || !env.n_reads
				    ? 0
				    : (unsigned int)rng_below(&env.tb->rng, env.n_reads);

	while (r && skip--)
		r = r->next;
	return r && !r->wait ? r : NULL;
}

static void host(struct vtb *tb, void *arg)
{
	const struct sim_port *meta_port = vtb_port(tb, "beat_meta_i");
	struct rng *rng = &tb->rng;
	struct tx_read *r;
	uint8_t meta[8] = { 0 };

	(void)arg;
	for (r = env.reads; r; r = r->next)
		r->wait -= r->wait != 0;
	r = pick_read();
	vtb_set(tb, "beat_valid_i", 0);
	if (rng_percent(rng, env.idle_percent))
		return;
	if (!env.in_order && rng_percent(rng, 10)) { /* somebody else's data */
		vtb_meta_put(meta, REC_DMA_RSP_CLIENT, 1 + rng_below(rng, 7));
		vtb_meta_put(meta, REC_DMA_RSP_TAG, rng_below(rng, 4096));
		vtb_meta_put(meta, REC_DMA_RSP_NBYTES, 1);
		vtb_meta_put(meta, REC_DMA_RSP_LAST, 1);
	} else if (!r) {
		return;
	} else {
		bool end;

		vtb_meta_put(meta, REC_DMA_RSP_CLIENT, CLIENT);
		vtb_meta_put(meta, REC_DMA_RSP_TAG, r->tag);
		end = r->fail && rng_percent(rng, 50); /* an error beat without data */
		if (!end)
			put_piece(r, (unsigned int)(env.in_order ? 0 : rng_below(rng, r->pieces)),
				  meta);
		end = end || !r->pieces;
		vtb_meta_put(meta, REC_DMA_RSP_LAST, end);
		vtb_meta_put(meta, REC_DMA_RSP_ERR, end && r->fail);
		if (end)
			remove_read(r);
	}
	vtb_put_bytes(meta_port, 0, meta, meta_port->width / 8);
	vtb_put_bits(meta_port, 0, meta_port->width, vtb_meta_bits(meta, 0, meta_port->width));
	vtb_set(tb, "beat_valid_i", 1);
}

/* ---- what may leave of each QP: a change a cycle ---- */

static void entries(struct vtb *tb, void *arg)
{
	(void)arg;
	vtb_set(tb, "allow_valid_i", 0);
	for (unsigned int i = 0; i < TX_SLOTS; i++) {
		uint32_t now = (uint32_t)env.slot[i].closed << 16 | (env.slot[i].gen & 0xff) << 8 |
			       env.slot[i].epoch;

		if (env.told[i] == (now | 1u << 17))
			continue;
		env.told[i] = now | 1u << 17;
		vtb_set(tb, "allow_valid_i", 1);
		vtb_set(tb, "allow_qpn_i", env.slot[i].qpn);
		vtb_set(tb, "allow_closed_i", env.slot[i].closed);
		vtb_set(tb, "allow_gen_i", env.slot[i].gen & 0xff);
		vtb_set(tb, "allow_send_epoch_i", env.slot[i].epoch);
		return;
	}
}

static void sample(struct vtb *tb, void *arg)
{
	(void)arg;
	env.raw_read = vtb_get(tb, "raw_rd_valid_o");
	env.raw_addr = (unsigned int)vtb_get(tb, "raw_rd_addr_o");
	env.cnt_packet += vtb_get(tb, "events_tx_builder_tx_packets_o");
	env.cnt_bytes += vtb_get(tb, "events_tx_builder_tx_bytes_o");
	env.cnt_ack += vtb_get(tb, "events_tx_arbiter_ack_sent_o");
	env.cnt_cnp += vtb_get(tb, "events_tx_arbiter_cnp_sent_o");
	env.cnt_read_rsp += vtb_get(tb, "events_tx_arbiter_read_rsp_sent_o");
	env.cnt_atomic_rsp += vtb_get(tb, "events_tx_arbiter_atomic_rsp_sent_o");
	env.cnt_retx += vtb_get(tb, "events_tx_arbiter_retx_packets_o");
	env.cnt_stale += vtb_get(tb, "events_tx_req_check_tx_stale_o");
	env.cnt_rsp_dropped += vtb_get(tb, "events_tx_rsp_check_tx_rsp_dropped_o");
}

static void raw_buffer(struct vtb *tb, void *arg)
{
	(void)arg;
	if (env.raw_read)
		vtb_put_bytes(vtb_port(tb, "raw_rd_data_i"), 0, env.raw + env.raw_addr * env.beat,
			      env.beat);
}

static void reads(struct vtb *tb, void *arg)
{
	(void)tb;
	(void)arg;
	while (vtb_received(env.rd))
		new_read(vtb_recv(env.rd)->meta);
}

/* ---- set-up ---- */

void env_begin(void)
{
	static const char *const names[TX_KINDS] = { "requests_job", "responses_job", "responses_ack",
						      "cnp", NULL };
	struct vtb *tb;
	unsigned int lsb;

	memset(&env, 0, sizeof(env));
	env.tb = tb = vtb_create();
	for (int k = 0; k < TX_KIND_RAW; k++)
		env.job[k] = vtb_source(tb, names[k]);
	for (int k = 0; k < TX_KINDS; k++)
		env.want_tail[k] = &env.want[k];
	env.seg[0] = vtb_source(tb, "requests_seg");
	env.seg[1] = vtb_source(tb, "responses_seg");
	env.inl = vtb_source(tb, "requests_inl");
	env.rd = vtb_sink(tb, "rd");
	vtb_stream_add(env.rd, "req", &lsb);
	env.beat = vtb_port(tb, "requests_inl_data_i")->width / 8;
	env.last_ip_id = -1;
	env.latency = 20;
	rng_bytes(&tb->rng, env.mem, sizeof(env.mem));
	vtb_on_drive(tb, host, NULL);
	vtb_on_drive(tb, raw_buffer, NULL);
	vtb_on_sample(tb, sample, NULL);
	vtb_on_sample(tb, reads, NULL);
	vtb_set(tb, "mac_addr_i", 0x525400123401);
	for (int i = 0; i < 16; i++) {
		rng_bytes(&tb->rng, env.gid[i], 16);
		vtb_set(tb, "gid_we_i", 1);
		vtb_set(tb, "gid_valid_i", 1);
		vtb_set(tb, "gid_index_i", i);
		for (int b = 0; b < 16; b++)
			vtb_put_bits(vtb_port(tb, "gid_addr_i"), 120 - 8 * b, 8, env.gid[i][b]);
		vtb_tick(tb);
	}
	vtb_set(tb, "gid_we_i", 0);
	for (int i = 0; i < TX_SLOTS; i++)
		env.slot[i].qpn = 0xf00 + i, env.slot[i].gen = 7, env.slot[i].epoch = (uint8_t)i;
	vtb_on_drive(tb, entries, NULL);
	vtb_run(tb, TX_SLOTS);
	/* the free list of the tags is filled after reset, and the failures of QPs are swept */
	vtb_run_until(tb, vtb_get(tb, "idle_o"), 4400);
}

/* ---- jobs ---- */

uint8_t env_opcode(unsigned int kind)
{
	struct rng *rng = &env.tb->rng;

	for (;;) {
		uint8_t op = roce_opcodes[rng_below(rng, roce_n_opcodes)];
		bool ack = op == 0x11, rsp = op >= 0x0d && op <= 0x12 && !ack;

		if (kind == TX_KIND_ACK)
			return 0x11;
		if (kind == TX_KIND_CNP)
			return 0x81;
		if (op != 0x81 && !ack && rsp == (kind == TX_KIND_RSP))
			return op;
	}
}

size_t env_pay_len(uint8_t opcode, size_t max)
{
	if (!roce_op(opcode).payload)
		return 0;
	return rng_percent(&env.tb->rng, 10) ? 0 : rng_below(&env.tb->rng, max + 1);
}

struct tx_job *env_job(unsigned int kind, uint8_t opcode, size_t pay_len)
{
	struct tx_job *job = calloc(1, sizeof(*job));
	struct rng *rng = &env.tb->rng;
	unsigned int gid = (unsigned int)rng_below(rng, 16);

	assert_non_null(job);
	job->kind = kind;
	roce_random(&job->f, rng, opcode);
	job->f.migreq = opcode != 0x81;
	job->f.becn = opcode == 0x81;
	job->f.dest_qp = job->id = env.next_id++;
	memcpy(job->f.smac, "\x52\x54\x00\x12\x34\x01", 6);
	memcpy(job->f.sgid, env.gid[gid], 16);
	rng_bytes(rng, job->f.dgid, 16);
	job->slot = (uint32_t)rng_below(rng, TX_SLOTS);
	job->qpn = job->f.src_qp = env.slot[job->slot].qpn;
	job->gen = env.slot[job->slot].gen;
	job->send_epoch = env.slot[job->slot].epoch;
	job->retx = rng_percent(rng, 20);
	job->epoch = rng_percent(rng, 50);
	job->inl = kind == TX_KIND_REQ ? 30 : 0;
	rng_bytes(rng, job->pay, pay_len);
	job->f.pay = job->pay;
	job->f.pay_len = pay_len;
	return job;
}

static void fill_job(const struct tx_job *job, uint8_t *m)
{
	const struct roce_frame *f = &job->f;
	struct rec_tx_job rec;
	unsigned int gid = 0;

	for (unsigned int i = 0; i < 16; i++)
		if (memcmp(env.gid[i], f->sgid, 16) == 0)
			gid = i;
	rec = frame_job(f, gid);
	rec.kind = (uint8_t)job->kind;
	rec.qpn = job->qpn;
	rec.slot = job->slot;
	rec.gen = job->gen;
	rec.send_epoch = job->send_epoch;
	rec.epoch = job->epoch;
	rec.retx = job->retx;
	vtb_meta_put_tx_job(m, 0, &rec);
}

static void send_segment(struct tx_job *job, size_t at, size_t n, bool eoj)
{
	struct rng *rng = &env.tb->rng;
	uint8_t m[VTB_META_BYTES] = { 0 };
	bool inl = rng_percent(rng, job->inl);
	uint64_t iova = rng_u64(rng) >> 1;

	if (!inl && rng_percent(rng, job->fail)) {
		iova |= 1ull << 63;
		job->failed = true;
	}
	vtb_meta_put_tx_seg(m, 0, &(struct rec_tx_seg){
		.inline_data = inl, .iova = iova, .len = (uint16_t)n, .eoj = eoj });
	vtb_send(env.seg[job->kind], NULL, 0, false, m, (REC_TX_SEG_W + 7) / 8);
	if (inl) {
		vtb_send(env.inl, job->pay + at, n, false, NULL, 0);
		return;
	}
	for (size_t i = 0; i < n; i++)
		job->pay[at + i] = mem(iova + i);
}

void env_send(struct tx_job *job)
{
	struct rng *rng = &env.tb->rng;
	uint8_t m[VTB_META_BYTES] = { 0 };
	size_t at = 0;
	unsigned int segs = job->segs ? job->segs : 1 + (unsigned int)rng_below(rng, 5);
	unsigned int kind;

	fill_job(job, m);
	vtb_send(env.job[job->kind], NULL, 0, false, m, (REC_TX_JOB_W + 7) / 8);
	while (at < job->f.pay_len) {
		size_t left = job->f.pay_len - at, n = left;

		if (segs > 1)
			n = 1 + rng_below(rng, left);
		segs -= segs > 1;
		send_segment(job, at, n, at + n == job->f.pay_len);
		at += n;
	}
	job->dropped = job->dropped || job->failed;
	/* on the wire an acknowledgement is one, also when it comes through a ring */
	kind = job->f.opcode == 0x11 ? TX_KIND_ACK : job->kind;
	*env.want_tail[kind] = job;
	env.want_tail[kind] = &job->next;
}

void env_send_raw(size_t len)
{
	struct tx_job *job = calloc(1, sizeof(*job));

	assert_non_null(job);
	rng_bytes(&env.tb->rng, env.raw, sizeof(env.raw));
	env.raw[12] = 0x08;
	env.raw[13] = 0x06;
	job->kind = TX_KIND_RAW;
	job->f.pay_len = len;
	memcpy(job->pay, env.raw, len);
	env.raw_len = (unsigned int)len;
	vtb_set(env.tb, "raw_valid_i", 1);
	vtb_set(env.tb, "raw_len_i", len);
	*env.want_tail[TX_KIND_RAW] = job;
	env.want_tail[TX_KIND_RAW] = &job->next;
}

/* ---- frames ---- */

void env_compare(const struct vtb_packet *p, struct tx_job *job)
{
	static uint8_t want[ROCE_MAX_FRAME];
	size_t len, l3 = 14 + 4 * job->f.vlan;

	if (job->kind == TX_KIND_RAW) {
		memcpy(want, job->pay, job->f.pay_len);
		len = job->f.pay_len;
	} else {
		if (!job->f.ipv6) {
			int id = p->data[l3 + 4] << 8 | p->data[l3 + 5];

			job->f.ip_id = (uint16_t)id;
			int step = (int16_t)(id - env.last_ip_id);

			/* at 64 bit they are given when the job comes, so ACKs overtake them */
			if (env.last_ip_id >= 0 &&
			    (!step || step > 300 || step < (env.beat < 16 ? -60 : 0)))
				vtb_fail(env.tb, "IPv4 id %d after %d", id, env.last_ip_id);
			env.last_ip_id = id;
		}
		len = roce_build(&job->f, want);
	}
	len = roce_min_pad(want, len);
	if (p->len != len)
		vtb_fail(env.tb, "job %u, opcode 0x%02x: frame of %zu bytes, expected %zu", job->id,
			 job->f.opcode, p->len, len);
	for (size_t i = 0; i < len; i++)
		if (p->data[i] != want[i])
			vtb_fail(
				env.tb,
				"job %u, opcode 0x%02x, %zu bytes: byte %zu is %02x, expected %02x",
				job->id, job->f.opcode, len, i, p->data[i], want[i]);
}

/* Which kind of job a frame comes from. */
static unsigned int kind_of(const uint8_t *d)
{
	size_t l3 = d[12] == 0x81 ? 18 : 14;
	const uint8_t *bth;

	if (d[l3 - 2] == 0x08 && d[l3 - 1] == 0x06)
		return TX_KIND_RAW;
	bth = d + l3 + (d[l3 - 2] == 0x86 ? 40 : 20) + 8;
	if (bth[0] == 0x11)
		return TX_KIND_ACK;
	if (bth[0] == 0x81)
		return TX_KIND_CNP;
	return bth[0] >= 0x0d && bth[0] <= 0x12 ? TX_KIND_RSP : TX_KIND_REQ;
}

static void pop_want(unsigned int k)
{
	struct tx_job *job = env.want[k];

	env.want[k] = job->next;
	if (!env.want[k])
		env.want_tail[k] = &env.want[k];
	free(job);
}

static void skip_dropped(unsigned int k)
{
	while (env.want[k] && env.want[k]->dropped)
		pop_want(k);
}

/* Those that are not this frame, by the destination QP. */
static void skip_maybe(unsigned int k, const uint8_t *d)
{
	size_t l3 = d[12] == 0x81 ? 18 : 14;
	const uint8_t *bth = d + l3 + (d[l3 - 2] == 0x86 ? 40 : 20) + 8;

	while (env.want[k] && (env.want[k]->dropped ||
			       (env.want[k]->maybe && env.want[k]->f.dest_qp != be(bth + 5, 3)))) {
		env.missing += !env.want[k]->dropped;
		pop_want(k);
	}
}

/* ---- reports ---- */

static uint64_t report_word(uint64_t qpn, uint64_t gen, uint64_t psn, bool last)
{
	return (uint64_t)last << 56 | gen << 48 | qpn << 24 | (psn & 0xffffff);
}

void env_reports(unsigned int pause)
{
	unsigned int lsb;

	env.report = vtb_sink(env.tb, "reports_sent");
	vtb_stream_add(env.report, "left", &lsb);
	vtb_stream_pause(env.report, pause);
}

static void want_report(const struct tx_job *job)
{
	uint8_t op = job->f.opcode;
	bool last = op == 0x22 || op == 0x23 || op == 0x24 || op == 0x25 ||
		    (op >= 0x28 && op <= 0x2b) || op == 0x64 || op == 0x65;

	if (!env.report || job->kind != TX_KIND_REQ || op < 0x20)
		return;
	vtb_check(env.tb, env.reports < 4096);
	env.report_want[env.reports++] = report_word(job->qpn, job->gen, job->f.psn + 1, last);
}

static void check_reports(void)
{
	while (env.report && vtb_received(env.report)) {
		struct rec_tx_left left = vtb_meta_get_tx_left(vtb_recv(env.report)->meta, 0);
		uint64_t got = report_word(left.qpn, left.gen, left.psn, left.last);

		vtb_check(env.tb, env.reported < env.reports);
		vtb_check_eq(env.tb, got, env.report_want[env.reported++]);
	}
	vtb_check_eq(env.tb, env.reported, env.reports);
}

void env_check(void)
{
	while (vtb_received(env.mac)) {
		const struct vtb_packet *p = vtb_recv(env.mac);
		unsigned int k = kind_of(p->data);

		skip_dropped(k);
		if (k == TX_KIND_REQ)
			skip_maybe(k, p->data);
		vtb_check(env.tb, !p->err);
		if (!env.want[k])
			vtb_fail(env.tb, "a frame of kind %u that nobody asked for", k);
		env_compare(p, env.want[k]);
		want_report(env.want[k]);
		pop_want(k);
		env.frames++;
		env.bytes += p->len;
		env.sent[k]++;
	}
}

static bool all_sent(void *arg)
{
	(void)arg;
	env_check();
	for (unsigned int k = 0; k < TX_KINDS; k++) {
		skip_dropped(k);
		if (env.want[k])
			return false;
	}
	return true;
}

void env_drain(uint64_t cycles)
{
	vtb_run_until_fn(env.tb, all_sent, NULL, cycles, "all frames sent");
	vtb_run_until(env.tb, vtb_get(env.tb, "idle_o"), 3000);
	vtb_run(env.tb, 30);
	env_check();
	vtb_check(env.tb, vtb_get(env.tb, "idle_o"));
	vtb_check_eq(env.tb, vtb_get(env.tb, "pend_epoch_o"), 0);
	vtb_check(env.tb, !env.reads);
	check_reports();
	vtb_check_eq(env.tb, env.cnt_packet, env.frames);
	vtb_check_eq(env.tb, env.cnt_bytes, env.bytes);
}

void env_end(void)
{
	env_drain(400000);
	vtb_destroy(env.tb);
}
