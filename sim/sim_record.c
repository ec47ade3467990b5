// SPDX-License-Identifier: Apache-2.0
/* Recording of a NIC's ports (sim_record.h has the format); sim_replay.c reads it. */
#include "sim_record_priv.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_wire.h"

struct sim_record {
	gzFile file;
	struct record_ports ports;
	unsigned int period;
	uint64_t last;			/* time of the last record */
	unsigned int in_block;
	uint64_t sum, cycles;
	uint32_t crc;			/* of all bytes so far */
	char *path;
	int error;			/* -errno of the first failed write */
};

/* ---- ports, for both sides ---- */

static bool starts(const char *name, const char *valid)
{
	size_t stem = strlen(valid) - strlen("valid_o");

	return !strncmp(name, valid, stem);
}

static bool is_valid(const char *name)
{
	size_t n = strlen(name);

	return n > 8 && !strcmp(name + n - 8, "_valid_o");
}

/* The output that says whether this one means something, or NULL. */
static const uint8_t *gate_of(const struct sim_dut_ops *ops, struct sim_dut *dut,
			      const struct sim_port *port)
{
	for (unsigned int i = 0; i < ops->n_ports; i++) {
		const struct sim_port *other = ops->port(dut, i);

		if (other->dir == SIM_OUT && is_valid(other->name) && other != port &&
		    starts(port->name, other->name))
			return other->bits;
	}
	return NULL;
}

int record_ports_find(struct record_ports *p, const struct sim_dut_ops *ops, struct sim_dut *dut)
{
	memset(p, 0, sizeof(*p));
	for (unsigned int i = 0; i < ops->n_ports; i++) {
		const struct sim_port *port = ops->port(dut, i);

		if (port->dir == SIM_OUT) {
			if (p->n_out == RECORD_PORTS)
				return -E2BIG;
			p->gate[p->n_out] = gate_of(ops, dut, port);
			p->out[p->n_out++] = port;
		} else if (strcmp(port->name, "clk_i") && strcmp(port->name, "time_now_i")) {
			if (p->n_in == RECORD_PORTS)
				return -E2BIG;
			p->in[p->n_in++] = port;
			p->in_bytes += port->bytes;
		}
	}
	p->old = calloc(1, p->in_bytes + 1);
	p->line = malloc(RECORD_HEAD + p->in_bytes);
	return p->old && p->line ? 0 : -ENOMEM;
}

void record_ports_free(struct record_ports *p)
{
	free(p->old);
	free(p->line);
}

/* Multiplication spreads each word's bits upwards, the rotation brings them down again. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
	return sum << 29 | sum >> 35;
}

uint64_t record_sum(const struct record_ports *p, uint64_t sum)
{
	for (unsigned int i = 0; i < p->n_out; i++) {
		const struct sim_port *port = p->out[i];

		if (p->gate[i] && !*p->gate[i])
			continue;
		for (unsigned int at = 0; at < port->bytes; at += 8) {
			uint64_t word = 0;

			memcpy(&word, port->bits + at, port->bytes - at < 8 ? port->bytes - at : 8);
			sum = mix(sum, word);
		}
	}
	return sum;
}

/* ---- writing ---- */

static void put(struct sim_record *r, const void *data, unsigned int n)
{
	int code = Z_OK;

	r->crc = (uint32_t)crc32(r->crc, data, n);
	if (r->error || gzwrite(r->file, data, n) == (int)n)
		return;
	gzerror(r->file, &code);
	r->error = code == Z_ERRNO && errno ? -errno : -EIO;
}

static bool write_head(struct sim_record *r, const char *model, unsigned int data_w, uint32_t seed)
{
	json_t *inputs = json_array(), *head;
	char *text;
	bool ok;

	for (unsigned int i = 0; i < r->ports.n_in; i++)
		json_array_append_new(inputs, json_pack("[s,i]", r->ports.in[i]->name,
							(int)r->ports.in[i]->bytes));
	head = json_pack("{s:s, s:i, s:i, s:I, s:o}", "model", model, "data_w", (int)data_w,
			 "period_ns", (int)r->period, "dut_seed", (json_int_t)seed, "inputs",
			 inputs);
	text = head ? json_dumps(head, JSON_COMPACT) : NULL;
	ok = text != NULL;
	if (ok) {
		put(r, RECORD_MAGIC, sizeof(RECORD_MAGIC) - 1);
		put(r, text, (unsigned int)strlen(text));
		put(r, "\n", 1);
	}
	free(text);
	json_decref(head);
	return ok && !r->error;
}

struct sim_record *sim_record_new(const char *path, const struct sim_dut_ops *ops,
				  struct sim_dut *dut, unsigned int data_w, unsigned int period_ns,
				  uint32_t dut_seed, char *err)
{
	struct sim_record *r = calloc(1, sizeof(*r));

	if (r && !record_ports_find(&r->ports, ops, dut)) {
		r->period = period_ns;
		r->sum = RECORD_SUM0;
		r->path = strdup(path);
		r->file = gzopen(path, "wbe1");
		if (r->path && r->file && write_head(r, ops->model, data_w, dut_seed))
			return r;
	}
	snprintf(err, SIM_ERR_MAX, "recording: cannot write %.300s: %s", path, strerror(errno));
	sim_record_free(r);
	return NULL;
}

static unsigned int put_varint(uint8_t *at, uint64_t value)
{
	unsigned int n = 0;

	for (; value >= 0x80; value >>= 7)
		at[n++] = (uint8_t)(value | 0x80);
	at[n++] = (uint8_t)value;
	return n;
}

/* Bit map and bytes of the inputs that changed; returns their length, 0 if none did. */
static unsigned int changes(struct record_ports *p, uint8_t *at)
{
	unsigned int map = (p->n_in + 7) / 8, n = map;
	uint8_t *old = p->old;
	bool any = false;

	memset(at, 0, map);
	for (unsigned int i = 0; i < p->n_in; old += p->in[i++]->bytes) {
		const struct sim_port *port = p->in[i];

		if (!memcmp(old, port->bits, port->bytes))
			continue;
		any = true;
		at[i / 8] |= (uint8_t)(1u << i % 8);
		memcpy(at + n, port->bits, port->bytes);
		memcpy(old, port->bits, port->bytes);
		n += port->bytes;
	}
	return any ? n : 0;
}

void sim_record_cycle(struct sim_record *r, uint64_t now)
{
	uint8_t body[RECORD_HEAD + RECORD_INPUT_BYTES];
	unsigned int changed, n;

	if (r->ports.in_bytes > RECORD_INPUT_BYTES) {
		r->error = -E2BIG;
		return;
	}
	changed = changes(&r->ports, body);
	n = put_varint(r->ports.line, (now - r->last) / r->period << 1 | (changed != 0));
	r->last = now;
	put(r, r->ports.line, n);
	if (changed)
		put(r, body, changed);
	r->cycles++;
	r->sum = record_sum(&r->ports, r->sum);
	if (++r->in_block == SIM_RECORD_BLOCK) {
		put(r, &r->sum, sizeof(r->sum));
		r->in_block = 0;
	}
}

void sim_record_flush(struct sim_record *r)
{
	if (gzflush(r->file, Z_SYNC_FLUSH) != Z_OK && !r->error)
		r->error = errno ? -errno : -EIO;
}

int sim_record_error(const struct sim_record *r)
{
	return r->error;
}

const char *sim_record_path(const struct sim_record *r)
{
	return r->path;
}

static void write_end(struct sim_record *r)
{
	struct record_end end = { .cycles = r->cycles, .sum = r->sum };

	memcpy(end.magic, RECORD_END, sizeof(end.magic));
	end.crc = (uint32_t)crc32(r->crc, (const void *)&end, offsetof(struct record_end, crc));
	put(r, &end, RECORD_END_BYTES);
}

int sim_record_free(struct sim_record *r)
{
	int error, code;

	if (!r)
		return 0;
	if (r->file && !r->error)
		write_end(r);
	error = r->error;
	errno = 0;
	code = r->file ? gzclose(r->file) : Z_OK;
	if (code != Z_OK && !error)
		error = code == Z_ERRNO && errno ? -errno : -EIO;
	record_ports_free(&r->ports);
	free(r->path);
	free(r);
	return error;
}
