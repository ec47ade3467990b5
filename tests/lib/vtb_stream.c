// SPDX-License-Identifier: Apache-2.0
/* Stream agents of the testbench (see vtb_stream.h). */
#include "vtb.h"

#include <stdio.h>
#include <string.h>

#include "vtb_priv.h"

#define MAX_SIDE 16	     /* sideband ports of one stream, _meta included */
#define COMB_CHECK_PERCENT 6 /* cycles in which a sink tests that valid ignores ready */

enum { P_VALID, P_READY, P_DATA, P_NBYTES, P_LAST, P_ERR, N_PORTS };
static const char *const port_suffix[N_PORTS] = {
	"valid", "ready", "data", "nbytes", "last", "err"
};

struct side {
	const struct sim_port *port;
	unsigned int lsb; /* place in meta */
};

struct queued {
	struct vtb_packet pkt;
	struct queued *next;
};

struct vtb_stream {
	struct vtb *tb;
	struct vtb_stream *next;
	char name[64];
	bool is_source;
	const struct sim_port *port[N_PORTS];
	struct side side[MAX_SIDE];
	unsigned int n_side, meta_bits;
	size_t beat_bytes; /* data width, rounded up */
	unsigned int pause;
	struct rng rng;

	struct queued *head, **tail; /* source: to send; sink: complete packets */
	size_t n_queued;
	size_t sent;	       /* source: bytes of the head packet that have moved */
	bool driving;	       /* source: valid is high with a beat of the head packet */
	struct vtb_packet cur; /* sink: packet being received */
	struct queued *out;    /* sink: last packet given to the test */
	uint8_t *held; /* sink: payload of a beat not taken yet, all ports one after another */
	bool holding;

	uint64_t *stamp;
	size_t n_stamp, cap_stamp;
};

/* ---- construction ---- */

static const struct sim_port *find_port(struct vtb_stream *s, const char *suffix)
{
	char name[128];
	const struct sim_port *port;

	for (const char *dir = "io"; *dir; dir++) {
		snprintf(name, sizeof(name), "%s%s%s_%c", s->name, *suffix ? "_" : "", suffix,
			 *dir);
		port = s->tb->ops->find(s->tb->dut, name);
		if (port)
			return port;
	}
	return NULL;
}

static void add_side(struct vtb_stream *s, const struct sim_port *port)
{
	if (s->n_side == MAX_SIDE || s->meta_bits + port->width > 8 * VTB_META_BYTES)
		vtb_fail(s->tb, "stream %s: too much sideband", s->name);
	s->side[s->n_side++] = (struct side){ port, s->meta_bits };
	s->meta_bits += port->width;
}

void vtb_stream_add(struct vtb_stream *s, const char *field, unsigned int *lsb)
{
	const struct sim_port *port = find_port(s, field);

	if (!port)
		vtb_fail(s->tb, "stream %s: the top has no port %s_%s", s->name, s->name, field);
	if (lsb)
		*lsb = s->meta_bits;
	add_side(s, port);
}

static struct vtb_stream *stream_new(struct vtb *tb, const char *name, bool is_source)
{
	struct vtb_stream *s = calloc(1, sizeof(*s));
	const struct sim_port *meta;

	assert_non_null(s);
	s->tb = tb;
	s->is_source = is_source;
	s->tail = &s->head;
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->next = tb->streams;
	tb->streams = s;
	for (int i = 0; i < N_PORTS; i++)
		s->port[i] = find_port(s, port_suffix[i]);
	if (!s->port[P_VALID])
		vtb_fail(tb, "the top has no stream %s (no port %s_valid_i or _o)", name, name);
	if ((s->port[P_VALID]->dir == SIM_IN) != is_source)
		vtb_fail(tb, "stream %s: is an %s of the top", name,
			 is_source ? "output" : "input");
	meta = find_port(s, "meta");
	if (!meta)
		meta = find_port(s, ""); /* a record */
	if (meta)
		add_side(s, meta);
	if (s->port[P_DATA])
		s->beat_bytes = (s->port[P_DATA]->width + 7) / 8;
	if (s->port[P_NBYTES] && s->port[P_DATA]->width % 8)
		vtb_fail(tb, "stream %s: %s is not whole bytes", name, s->port[P_DATA]->name);
	s->rng.state = tb->seed;
	for (const char *p = name; *p; p++)
		s->rng.state = rng_u64(&s->rng) + (uint8_t)*p;
	return s;
}

static void free_queue(struct vtb_stream *s)
{
	while (s->head) {
		struct queued *q = s->head;

		s->head = q->next;
		free(q->pkt.data);
		free(q);
	}
	s->tail = &s->head;
	s->n_queued = 0;
}

void vtb_streams_free(struct vtb *tb)
{
	while (tb->streams) {
		struct vtb_stream *s = tb->streams;

		tb->streams = s->next;
		free_queue(s);
		if (s->out)
			free(s->out->pkt.data);
		free(s->out);
		free(s->cur.data);
		free(s->held);
		free(s->stamp);
		free(s);
	}
}

static void drop_valid(struct vtb_stream *s)
{
	vtb_put(s->port[P_VALID], 0);
	s->driving = false;
}

void vtb_streams_reset(struct vtb *tb)
{
	for (struct vtb_stream *s = tb->streams; s; s = s->next) {
		s->holding = false;
		s->sent = 0;
		free(s->cur.data);
		memset(&s->cur, 0, sizeof(s->cur));
		if (s->is_source)
			drop_valid(s);
	}
}

static void stamp(struct vtb_stream *s)
{
	if (s->n_stamp == s->cap_stamp) {
		s->cap_stamp = s->cap_stamp ? 2 * s->cap_stamp : 256;
		s->stamp = realloc(s->stamp, s->cap_stamp * sizeof(*s->stamp));
		assert_non_null(s->stamp);
	}
	s->stamp[s->n_stamp++] = s->tb->cycle;
}

static bool in_reset(const struct vtb_stream *s)
{
	return s->tb->rst_n && !s->tb->rst_n->bits[0];
}

static void enqueue(struct vtb_stream *s, struct queued *q)
{
	q->next = NULL;
	*s->tail = q;
	s->tail = &q->next;
	s->n_queued++;
}

static struct queued *dequeue(struct vtb_stream *s)
{
	struct queued *q = s->head;

	s->head = q->next;
	if (!s->head)
		s->tail = &s->head;
	s->n_queued--;
	return q;
}

/* ---- source ---- */

static void put_random(struct vtb_stream *s, const struct sim_port *port)
{
	if (!port)
		return;
	for (unsigned int lsb = 0; lsb < port->width; lsb += 64) {
		unsigned int n = port->width - lsb < 64 ? port->width - lsb : 64;

		vtb_bits_put(port->bits, lsb, n, rng_u64(&s->rng));
	}
}

static void put_garbage(struct vtb_stream *s)
{
	for (int i = P_DATA; i < N_PORTS; i++)
		put_random(s, s->port[i]);
	for (unsigned int i = 0; i < s->n_side; i++)
		put_random(s, s->side[i].port);
}

static void copy_bits(uint8_t *to, unsigned int to_lsb, const uint8_t *from, unsigned int from_lsb,
		      unsigned int width)
{
	for (unsigned int done = 0; done < width; done += 64) {
		unsigned int n = width - done < 64 ? width - done : 64;

		vtb_bits_put(to, to_lsb + done, n, vtb_bits_get(from, from_lsb + done, n));
	}
}

static void put_beat(struct vtb_stream *s)
{
	const struct vtb_packet *pkt = &s->head->pkt;
	size_t left = pkt->len - s->sent;
	bool last = left <= s->beat_bytes;
	size_t n = last ? left : s->beat_bytes;

	put_garbage(s);
	if (s->port[P_DATA] && s->port[P_DATA]->width % 8) /* a word stream of odd width */
		copy_bits(s->port[P_DATA]->bits, 0, pkt->data, 0, s->port[P_DATA]->width);
	else if (s->port[P_DATA])
		memcpy(s->port[P_DATA]->bits, pkt->data + s->sent, n);
	if (s->port[P_LAST])
		vtb_put(s->port[P_LAST], last);
	if (last && s->port[P_NBYTES])
		vtb_put(s->port[P_NBYTES], n);
	if (last && s->port[P_ERR])
		vtb_put(s->port[P_ERR], pkt->err);
	for (unsigned int i = 0; i < s->n_side; i++)
		copy_bits(s->side[i].port->bits, 0, pkt->meta, s->side[i].lsb,
			  s->side[i].port->width);
	vtb_put(s->port[P_VALID], 1);
	s->driving = true;
}

static void source_drive(struct vtb *tb, void *arg)
{
	struct vtb_stream *s = arg;

	(void)tb;
	if (s->driving)
		return; /* valid holds until taken */
	if (s->head && !in_reset(s) && !rng_percent(&s->rng, s->pause)) {
		put_beat(s);
	} else {
		drop_valid(s);
		put_garbage(s);
	}
}

static void source_sample(struct vtb *tb, void *arg)
{
	struct vtb_stream *s = arg;
	struct queued *q = s->head;

	(void)tb;
	if (!s->driving || in_reset(s) || (s->port[P_READY] && !vtb_read(s->port[P_READY])))
		return;
	stamp(s);
	s->driving = false;
	s->sent += s->beat_bytes;
	if (s->sent < q->pkt.len)
		return;
	s->sent = 0;
	dequeue(s);
	free(q->pkt.data);
	free(q);
}

struct vtb_stream *vtb_source(struct vtb *tb, const char *name)
{
	struct vtb_stream *s = stream_new(tb, name, true);

	vtb_on_drive(tb, source_drive, s);
	vtb_on_sample(tb, source_sample, s);
	return s;
}

void vtb_send(struct vtb_stream *s, const void *data, size_t len, bool err, const void *meta,
	      size_t meta_len)
{
	struct queued *q = calloc(1, sizeof(*q));

	assert_non_null(q);
	if (!s->is_source)
		vtb_fail(s->tb, "vtb_send: %s is a sink", s->name);
	if (!len != !s->port[P_DATA])
		vtb_fail(s->tb, "vtb_send: %s: %zu bytes of data", s->name, len);
	if (!s->port[P_LAST] && len > s->beat_bytes)
		vtb_fail(s->tb, "vtb_send: %s has no last: one beat a packet", s->name);
	if (!s->port[P_NBYTES] && len % (s->beat_bytes ? s->beat_bytes : 1))
		vtb_fail(s->tb, "vtb_send: %s has no nbytes: whole beats only", s->name);
	if (meta_len > (s->meta_bits + 7) / 8)
		vtb_fail(s->tb, "vtb_send: %s: meta is only %u bits", s->name, s->meta_bits);
	q->pkt.data = malloc(len + 1);
	assert_non_null(q->pkt.data);
	if (len)
		memcpy(q->pkt.data, data, len);
	q->pkt.len = len;
	q->pkt.err = err;
	if (meta_len)
		memcpy(q->pkt.meta, meta, meta_len);
	enqueue(s, q);
}

void vtb_send_word(struct vtb_stream *s, uint64_t word)
{
	uint8_t bytes[VTB_META_BYTES] = { 0 };

	memcpy(bytes, &word, sizeof(word));
	if (s->port[P_DATA])
		vtb_send(s, bytes, s->beat_bytes, false, NULL, 0);
	else
		vtb_send(s, NULL, 0, false, bytes, (s->meta_bits + 7) / 8);
}

size_t vtb_pending(const struct vtb_stream *s)
{
	return s->n_queued;
}

/* ---- sink ---- */

/* Visit every payload port of a stream in a fixed order. */
static const struct sim_port *payload_port(const struct vtb_stream *s, unsigned int index)
{
	for (unsigned int i = P_DATA; i < N_PORTS; i++)
		if (s->port[i] && !index--)
			return s->port[i];
	return index < s->n_side ? s->side[index].port : NULL;
}

static uint8_t *payload_copy(const struct vtb_stream *s)
{
	const struct sim_port *port;
	size_t size = 1, at = 0;
	uint8_t *copy;

	for (unsigned int i = 0; (port = payload_port(s, i)); i++)
		size += port->bytes;
	copy = malloc(size);
	assert_non_null(copy);
	for (unsigned int i = 0; (port = payload_port(s, i)); i++) {
		memcpy(copy + at, port->bits, port->bytes);
		at += port->bytes;
	}
	return copy;
}

/* The rule: a beat that was shown stays as it is until it is taken. */
static void check_still(struct vtb_stream *s, const char *rule)
{
	const struct sim_port *port;
	size_t at = 0;

	if (!vtb_read(s->port[P_VALID]))
		vtb_fail(s->tb, "stream %s: valid fell before the beat was taken%s", s->name, rule);
	for (unsigned int i = 0; (port = payload_port(s, i)); i++) {
		if (memcmp(s->held + at, port->bits, port->bytes))
			vtb_fail(s->tb, "stream %s: %s changed before the beat was taken%s",
				 s->name, port->name, rule);
		at += port->bytes;
	}
}

static void hold(struct vtb_stream *s)
{
	free(s->held);
	s->held = payload_copy(s);
}

/* Turn ready over, settle, look, turn it back: nothing of the stream may have moved. */
static void check_comb(struct vtb_stream *s)
{
	uint64_t ready = vtb_read(s->port[P_READY]), valid = vtb_read(s->port[P_VALID]);

	hold(s);
	vtb_put(s->port[P_READY], !ready);
	vtb_eval(s->tb);
	if (vtb_read(s->port[P_VALID]) != valid)
		vtb_fail(s->tb, "stream %s: valid depends on ready", s->name);
	if (valid)
		check_still(s, " (it depends on ready)");
	vtb_put(s->port[P_READY], ready);
	vtb_eval(s->tb);
}

static void take_beat(struct vtb_stream *s)
{
	struct vtb_packet *cur = &s->cur;
	bool last = !s->port[P_LAST] || vtb_read(s->port[P_LAST]);
	size_t n = s->beat_bytes;
	struct queued *q;

	stamp(s);
	if (last && s->port[P_NBYTES]) {
		n = vtb_read(s->port[P_NBYTES]);
		if (n == 0 || n > s->beat_bytes)
			vtb_fail(s->tb, "stream %s: nbytes is %zu in a last beat of %zu", s->name,
				 n, s->beat_bytes);
	}
	if (!cur->beats)
		cur->first_cycle = s->tb->cycle;
	cur->last_cycle = s->tb->cycle;
	for (unsigned int i = 0; i < s->n_side; i++)
		copy_bits(cur->beats ? cur->meta_last : cur->meta, s->side[i].lsb,
			  s->side[i].port->bits, 0, s->side[i].port->width);
	if (!cur->beats++)
		memcpy(cur->meta_last, cur->meta, sizeof(cur->meta));
	if (n) {
		cur->data = realloc(cur->data, cur->len + n);
		assert_non_null(cur->data);
		memcpy(cur->data + cur->len, s->port[P_DATA]->bits, n);
		cur->len += n;
	}
	if (!last)
		return;
	cur->err = s->port[P_ERR] && vtb_read(s->port[P_ERR]);
	q = calloc(1, sizeof(*q));
	assert_non_null(q);
	q->pkt = *cur;
	memset(cur, 0, sizeof(*cur));
	enqueue(s, q);
}

static void sink_drive(struct vtb *tb, void *arg)
{
	struct vtb_stream *s = arg;

	(void)tb;
	if (s->port[P_READY])
		vtb_put(s->port[P_READY], !rng_percent(&s->rng, s->pause));
}

static void sink_sample(struct vtb *tb, void *arg)
{
	struct vtb_stream *s = arg;
	bool ready = !s->port[P_READY] || vtb_read(s->port[P_READY]);

	(void)tb;
	if (in_reset(s))
		return;
	if (s->holding)
		check_still(s, "");
	if (s->port[P_READY] && rng_percent(&s->rng, COMB_CHECK_PERCENT))
		check_comb(s);
	s->holding = vtb_read(s->port[P_VALID]) && !ready;
	if (s->holding)
		hold(s);
	else if (vtb_read(s->port[P_VALID]))
		take_beat(s);
}

struct vtb_stream *vtb_sink(struct vtb *tb, const char *name)
{
	struct vtb_stream *s = stream_new(tb, name, false);

	vtb_on_drive(tb, sink_drive, s);
	vtb_on_sample(tb, sink_sample, s);
	return s;
}

size_t vtb_received(const struct vtb_stream *s)
{
	return s->n_queued;
}

const struct vtb_packet *vtb_recv(struct vtb_stream *s)
{
	if (s->is_source || !s->head)
		vtb_fail(s->tb, "vtb_recv: nothing received on %s", s->name);
	if (s->out)
		free(s->out->pkt.data);
	free(s->out);
	s->out = dequeue(s);
	return &s->out->pkt;
}

uint64_t vtb_recv_word(struct vtb_stream *s)
{
	const struct vtb_packet *pkt = vtb_recv(s);
	uint64_t word = 0;

	if (s->port[P_DATA])
		memcpy(&word, pkt->data, pkt->len < sizeof(word) ? pkt->len : sizeof(word));
	else
		memcpy(&word, pkt->meta, sizeof(word));
	return word;
}

/* ---- both ---- */

uint64_t vtb_meta_bits(const uint8_t *meta, unsigned int lsb, unsigned int width)
{
	return vtb_bits_get(meta, lsb, width);
}

void vtb_meta_put(uint8_t *meta, unsigned int lsb, unsigned int width, uint64_t value)
{
	vtb_bits_put(meta, lsb, width, value);
}

void vtb_stream_pause(struct vtb_stream *s, unsigned int percent)
{
	s->pause = percent;
}

size_t vtb_beats(const struct vtb_stream *s)
{
	return s->n_stamp;
}

uint64_t vtb_beat_cycle(const struct vtb_stream *s, size_t index)
{
	if (index >= s->n_stamp)
		vtb_fail(s->tb, "stream %s: only %zu beats moved", s->name, s->n_stamp);
	return s->stamp[index];
}

uint64_t vtb_max_gap(const struct vtb_stream *s, size_t from, size_t to)
{
	uint64_t gap = 0;

	for (size_t i = from; i < to; i++) {
		uint64_t d = vtb_beat_cycle(s, i + 1) - vtb_beat_cycle(s, i);

		if (d > gap)
			gap = d;
	}
	return gap;
}

void vtb_stamps_clear(struct vtb_stream *s)
{
	s->n_stamp = 0;
}
