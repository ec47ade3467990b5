// SPDX-License-Identifier: Apache-2.0
/* See vtb_ctx.h. */
#include <stdio.h>
#include <string.h>

#include "cairn_hw.h"
#include "vtb_ctx.h"

static uint32_t noise(struct vtb_ctx *p)
{
	p->noise = p->noise * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(p->noise >> 32);
}

static void drive(struct vtb *tb, void *arg)
{
	struct vtb_ctx *p = arg;

	(void)tb;
	vtb_put_bits(p->data_i, 0, 32, p->was_valid ? p->data[p->asked] : noise(p));
	vtb_put_bits(p->mask_i, 0, 32, p->was_valid ? p->mask[p->asked] : noise(p));
}

static void sample(struct vtb *tb, void *arg)
{
	struct vtb_ctx *p = arg;
	unsigned int op = (unsigned int)vtb_get_bits(p->op, 0, 3);
	bool valid = vtb_get_bits(p->valid, 0, 1);

	if (valid && !p->was_valid)
		memcpy(p->got, p->data, sizeof(p->got));
	if (vtb_get_bits(p->put, 0, 1)) {
		vtb_check(tb, valid && p->was_valid);
		if (op == CAIRN_CTX_OP_READ || op == CAIRN_CTX_OP_MODIFY)
			p->got[p->asked] = (uint32_t)vtb_get_bits(p->data_o, 0, 32);
	}
	p->asked = (unsigned int)vtb_get_bits(p->word, 0, 4);
	p->was_valid = valid && !vtb_get_bits(p->done, 0, 1); /* the next one may follow at once */
}

static const struct sim_port *port(struct vtb *tb, const char *first, const char *last)
{
	char name[64];

	snprintf(name, sizeof(name), "%s_%s", first, last);
	return vtb_port(tb, name);
}

void vtb_ctx_attach(struct vtb_ctx *p, struct vtb *tb, const char *in, const char *out)
{
	memset(p, 0, sizeof(*p));
	p->valid = port(tb, in, "valid_i");
	p->op = port(tb, in, "op_i");
	p->data_i = port(tb, in, "data_i");
	p->mask_i = port(tb, in, "mask_i");
	p->done = port(tb, out, "done_o");
	p->word = port(tb, out, "word_o");
	p->put = port(tb, out, "put_o");
	p->data_o = port(tb, out, "data_o");
	vtb_on_drive(tb, drive, p);
	vtb_on_sample(tb, sample, p);
}

void vtb_ctx_put(struct vtb_ctx *p, const void *data, const void *mask)
{
	memset(p->data, 0, sizeof(p->data));
	memset(p->mask, 0, sizeof(p->mask));
	if (data)
		memcpy(p->data, data, sizeof(p->data));
	if (mask)
		memcpy(p->mask, mask, sizeof(p->mask));
}
