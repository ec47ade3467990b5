// SPDX-License-Identifier: Apache-2.0
/* Replay of a recording of a NIC's ports (sim_record.h). */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_priv.h"
#include "sim_record_priv.h"

#define WAVE_LEVELS 99
#define HEAD_MAX    65536

struct replay {
	const struct sim_replay_cfg *cfg;
	gzFile file;
	const struct sim_dut_ops *ops;
	void *model_so;
	struct sim_dut *dut;
	struct record_ports ports;
	const struct sim_port *in[RECORD_PORTS];	/* in the recording's order */
	unsigned int n_in, period;
	uint8_t *clk;
	uint64_t *time_now;
	bool whole;
	struct record_end end;				/* of a whole recording */
	uint64_t sum, block_ns;
	unsigned int in_block;
	bool waves_open, waves_done;
};

/* ---- opening ---- */

static int bad(char *err, int code, const char *what, const char *detail)
{
	snprintf(err, SIM_ERR_MAX, "%.100s %.300s", what, detail);
	return code;
}

static int find_inputs(struct replay *r, const json_t *inputs, char *err)
{
	const struct sim_port *clk = r->ops->find(r->dut, "clk_i"),
			      *time = r->ops->find(r->dut, "time_now_i");

	if (!clk || !time || record_ports_find(&r->ports, r->ops, r->dut))
		return bad(err, -EINVAL, "this model is no NIC:", r->ops->model);
	/* as sim_nic_init() leaves them */
	for (unsigned int i = 0; i < r->ports.n_in; i++)
		memset(r->ports.in[i]->bits, 0, r->ports.in[i]->bytes);
	r->clk = clk->bits;
	*r->clk = 0;
	r->time_now = (uint64_t *)(void *)time->bits;
	r->n_in = (unsigned int)json_array_size(inputs);
	if (r->n_in != r->ports.n_in)
		return bad(err, -EINVAL, "the recording is of another model:", "number of inputs");
	for (unsigned int i = 0; i < r->n_in; i++) {
		const json_t *row = json_array_get(inputs, i);
		const char *name = json_string_value(json_array_get(row, 0));
		json_int_t bytes = json_integer_value(json_array_get(row, 1));

		r->in[i] = name ? r->ops->find(r->dut, name) : NULL;
		if (!r->in[i] || r->in[i]->bytes != bytes || r->in[i]->dir != SIM_IN)
			return bad(err, -EINVAL, "the recording is of another model: input",
				   name ? name : "without a name");
	}
	return 0;
}

static int load(struct replay *r, const json_t *head, char *err)
{
	json_int_t data_w = json_integer_value(json_object_get(head, "data_w"));
	json_int_t seed = json_integer_value(json_object_get(head, "dut_seed"));

	r->period = (unsigned int)json_integer_value(json_object_get(head, "period_ns"));
	if (!r->period || data_w < 64 || data_w > 512)
		return bad(err, -EINVAL, r->cfg->path, "has a damaged head");
	r->ops = sim_model_load((unsigned int)data_w, r->cfg->waves, &r->model_so, err);
	if (!r->ops)
		return -ENOENT;
	if (r->cfg->waves && !r->ops->can_trace)
		return bad(err, -ENOTSUP, "this model has no waves;", "make models TRACE=1");
	r->dut = r->ops->create("replay", (uint32_t)seed);
	if (!r->dut)
		return bad(err, -ENOMEM, "out of", "memory");
	return find_inputs(r, json_object_get(head, "inputs"), err);
}

/*
 * Read all of it once: is it what was written?  The last bytes stay in r->end.  0, or -EBADMSG with
 * a message.
 */
static int look_through(struct replay *r, char *err)
{
	uint8_t block[65536 + RECORD_END_BYTES];
	unsigned int kept = 0;
	uint32_t crc = 0;
	int n, code = Z_OK;

	while ((n = gzread(r->file, block + kept, 65536)) > 0) {
		unsigned int all = kept + (unsigned int)n;
		unsigned int pass = all > RECORD_END_BYTES ? all - RECORD_END_BYTES : 0;

		crc = (uint32_t)crc32(crc, block, pass);
		kept = all - pass;
		memmove(block, block + pass, kept);
	}
	gzerror(r->file, &code);
	if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
		return bad(err, -EBADMSG, r->cfg->path, "is damaged: it does not decompress");
	if (kept < RECORD_END_BYTES || memcmp(block, RECORD_END, sizeof(r->end.magic)))
		return 0;	/* the end is missing */
	memcpy(&r->end, block, RECORD_END_BYTES);
	crc = (uint32_t)crc32(crc, block, offsetof(struct record_end, crc));
	if (crc != r->end.crc)
		return bad(err, -EBADMSG, r->cfg->path, "is damaged: its checksum is wrong");
	if (code == Z_BUF_ERROR)	/* all there but gzip's own end */
		return bad(err, -EBADMSG, r->cfg->path, "is damaged: the end of the file is cut off");
	r->whole = true;
	return 0;
}

/* What gzip has in its head is checked by nothing else: it is what sim_record_new() wrote. */
static int check_gzip(const char *path, char *err)
{
	static const uint8_t wanted[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3 };
	uint8_t head[10];
	FILE *file = fopen(path, "re");
	size_t n;

	if (!file)
		return bad(err, -errno, path, strerror(errno));
	n = fread(head, 1, sizeof(head), file);
	fclose(file);
	if (n == sizeof(head) && !memcmp(head, wanted, n))
		return 0;
	return bad(err, -EINVAL, path, "is no recording of a NIC, or its head is damaged");
}

static int open_file(struct replay *r, char *err)
{
	char *text = malloc(HEAD_MAX);
	json_t *head = NULL;
	int ret = check_gzip(r->cfg->path, err);

	errno = ENOMEM;
	r->file = ret ? NULL : gzopen(r->cfg->path, "rbe");
	if (r->file)
		ret = look_through(r, err);
	else if (!ret)
		ret = bad(err, -errno, r->cfg->path, strerror(errno));
	if (!ret && (!text || gzrewind(r->file)))
		ret = bad(err, -EIO, r->cfg->path, "cannot be read again");
	if (!ret) {
		if (gzgets(r->file, text, HEAD_MAX) && !strcmp(text, RECORD_MAGIC) &&
		    gzgets(r->file, text, HEAD_MAX))
			head = json_loads(text, 0, NULL);
		ret = head ? load(r, head, err)
			   : bad(err, -EINVAL, r->cfg->path, "is no recording of a NIC");
	}
	json_decref(head);
	free(text);
	return ret;
}

/* ---- records ---- */

/* 1: read; 0: the file ends; -1: it ends in the middle. */
static int get_varint(gzFile file, uint64_t *value)
{
	unsigned int shift = 0;
	int c;

	*value = 0;
	do {
		c = gzgetc(file);
		if (c < 0 || shift > 63)
			return shift ? -1 : 0;
		*value |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return 1;
}

static bool get_changes(struct replay *r)
{
	uint8_t map[RECORD_PORTS / 8];
	unsigned int n = (r->n_in + 7) / 8;

	if (gzread(r->file, map, n) != (int)n)
		return false;
	for (unsigned int i = 0; i < r->n_in; i++)
		if ((map[i / 8] >> i % 8 & 1) &&
		    gzread(r->file, r->in[i]->bits, r->in[i]->bytes) != (int)r->in[i]->bytes)
			return false;
	return true;
}

static int waves(struct replay *r, uint64_t now, char *err)
{
	const struct sim_replay_cfg *cfg = r->cfg;

	if (!cfg->waves)
		return 0;
	if (!r->waves_open && !r->waves_done && now >= cfg->waves_from) {
		int ret = r->ops->trace_open(r->dut, cfg->waves, WAVE_LEVELS);

		if (ret)
			return bad(err, ret, "cannot write", cfg->waves);
		r->waves_open = true;
	}
	if (r->waves_open && cfg->waves_to && now >= cfg->waves_to) {
		r->ops->trace_close(r->dut);
		r->waves_open = false;
		r->waves_done = true;
	}
	return 0;
}

static void cycle(struct replay *r, uint64_t now)
{
	*r->time_now = now;
	*r->clk = 0;
	r->ops->eval(r->dut);
	if (r->waves_open)
		r->ops->trace_dump(r->dut, now);
	r->sum = record_sum(&r->ports, r->sum);
	*r->clk = 1;
	r->ops->eval(r->dut);
	if (r->waves_open)
		r->ops->trace_dump(r->dut, now + r->period / 2);
}

/* After a cycle: at the end of a block, was it the same?  False: the file ends too early. */
static bool check_block(struct replay *r, struct sim_replay_result *res)
{
	uint64_t sum;

	if (++r->in_block < SIM_RECORD_BLOCK)
		return true;
	r->in_block = 0;
	if (gzread(r->file, &sum, sizeof(sum)) != (int)sizeof(sum))
		return false;
	if (sum != r->sum && res->differs_ns == SIM_NEVER)
		res->differs_ns = r->block_ns;
	r->block_ns = res->now + r->period;
	return true;
}

/* After the last record of a whole recording: its outputs, and nothing behind it. */
static int check_end(struct replay *r, struct sim_replay_result *res, char *err)
{
	uint8_t rest[RECORD_END_BYTES + 1];

	if (gzread(r->file, rest, sizeof(rest)) != RECORD_END_BYTES)
		return bad(err, -EBADMSG, r->cfg->path, "is damaged: its records are no records");
	if (r->in_block && r->sum != r->end.sum && res->differs_ns == SIM_NEVER)
		res->differs_ns = r->block_ns;
	return 0;
}

static int run(struct replay *r, struct sim_replay_result *res, char *err)
{
	for (;;) {
		uint64_t tag;
		int got, ret;

		if (r->whole && res->cycles == r->end.cycles)
			return check_end(r, res, err);
		got = get_varint(r->file, &tag);
		if (got <= 0 || ((tag & 1) && !get_changes(r)))
			break;
		res->now += (tag >> 1) * r->period;
		ret = waves(r, res->now, err);
		if (ret)
			return ret;
		cycle(r, res->now);
		res->cycles++;
		if (!check_block(r, res))
			break;
	}
	if (r->whole)
		return bad(err, -EBADMSG, r->cfg->path, "is damaged: its records are no records");
	res->cut = true;
	return 0;
}

int sim_replay(const struct sim_replay_cfg *cfg, struct sim_replay_result *res, char *err)
{
	struct replay *r = calloc(1, sizeof(*r));
	int ret;

	*res = (struct sim_replay_result){ .differs_ns = SIM_NEVER };
	if (!r)
		return bad(err, -ENOMEM, "out of", "memory");
	r->cfg = cfg;
	r->sum = RECORD_SUM0;
	ret = open_file(r, err);
	if (!ret)
		ret = run(r, res, err);
	if (r->dut) {
		if (r->waves_open)
			r->ops->trace_close(r->dut);
		r->ops->final(r->dut);
		res->errors = r->ops->errors(r->dut);
		r->ops->destroy(r->dut);
	}
	record_ports_free(&r->ports);
	sim_model_unload(r->model_so);
	if (r->file)
		gzclose(r->file);
	free(r);
	return ret;
}
