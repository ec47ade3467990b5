// SPDX-License-Identifier: Apache-2.0
/* Testbench core: clock, reset, hooks, ports, waves (see vtb.h).  Stream agents are in
 * vtb_stream.c. */
#include "vtb.h"

#include <stdio.h>
#include <string.h>

#include "vtb_priv.h"

#define RESET_CYCLES 4

/* tb->expected_from while assertion failures are not expected */
#define NOT_EXPECTED (-1)

void vtb_fail(struct vtb *tb, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (tb->ops->can_trace)
		tb->ops->trace_close(tb->dut);
	fail_msg("%s [%s, cycle %llu, repeat with SEED=0x%llx]", text, tb->ops->model,
		 (unsigned long long)tb->cycle, (unsigned long long)tb->seed);
	abort(); /* not reached: fail_msg() leaves the test */
}

/* ---- life ---- */

struct vtb *vtb_create_model(const struct sim_dut_ops *ops)
{
	struct vtb *tb = calloc(1, sizeof(*tb));
	const char *waves = getenv("WAVES");

	assert_non_null(tb);
	tb->expected_from = NOT_EXPECTED;
	tb->ops = ops;
	tb->seed = test_seed();
	tb->rng.state = tb->seed;
	/* a zero seed would mean "all registers zero" to the model */
	tb->dut = ops->create("top", (uint32_t)(tb->seed & 0x7fffffff) | 1);
	assert_non_null(tb->dut);
	for (unsigned int i = 0; i < ops->n_ports; i++)
		memset(ops->port(tb->dut, i)->bits, 0, ops->port(tb->dut, i)->bytes);
	tb->clk = ops->find(tb->dut, "clk_i");
	tb->rst_n = ops->find(tb->dut, "rst_ni");
	print_message("# %s: SEED=0x%llx\n", ops->model, (unsigned long long)tb->seed);
	if (waves && *waves)
		vtb_trace(tb, waves);
	vtb_reset(tb, RESET_CYCLES);
	return tb;
}

void vtb_destroy(struct vtb *tb)
{
	if (!tb)
		return;
	vtb_streams_free(tb);
	vtb_trace_stop(tb);
	tb->ops->final(tb->dut);
	tb->ops->destroy(tb->dut);
	free(tb);
}

void vtb_expect_errors(struct vtb *tb)
{
	tb->expected_from = tb->ops->errors(tb->dut);
}

unsigned int vtb_errors_seen(struct vtb *tb)
{
	long from = tb->expected_from;

	tb->expected_from = NOT_EXPECTED;
	return from == NOT_EXPECTED ? 0 : tb->ops->errors(tb->dut) - (unsigned int)from;
}

/* ---- time ---- */

static void eval(struct vtb *tb)
{
	unsigned int before = tb->ops->errors(tb->dut);

	tb->ops->eval(tb->dut);
	if (tb->ops->errors(tb->dut) != before && tb->expected_from == NOT_EXPECTED)
		vtb_fail(tb, "assertion in the model failed (printed above)");
}

void vtb_eval(struct vtb *tb)
{
	if (tb->clk)
		tb->clk->bits[0] = 0;
	eval(tb);
}

void vtb_tick(struct vtb *tb)
{
	for (unsigned int i = 0; i < tb->n_drive; i++)
		tb->drive[i].fn(tb, tb->drive[i].arg);
	vtb_eval(tb);
	tb->ops->trace_dump(tb->dut, tb->cycle * 2);
	for (unsigned int i = 0; i < tb->n_sample; i++)
		tb->sample[i].fn(tb, tb->sample[i].arg);
	if (tb->clk)
		tb->clk->bits[0] = 1;
	eval(tb);
	tb->ops->trace_dump(tb->dut, tb->cycle * 2 + 1);
	tb->cycle++;
	if (tb->ops->finished(tb->dut))
		vtb_fail(tb, "the model called $finish");
}

void vtb_run(struct vtb *tb, uint64_t cycles)
{
	while (cycles--)
		vtb_tick(tb);
}

void vtb_run_until_fn(struct vtb *tb, bool (*cond)(void *arg), void *arg, uint64_t max_cycles,
		      const char *what)
{
	uint64_t limit = tb->cycle + max_cycles;

	while (!cond(arg)) {
		if (tb->cycle >= limit)
			vtb_fail(tb, "not reached in %llu cycles: %s",
				 (unsigned long long)max_cycles, what);
		vtb_tick(tb);
	}
}

void vtb_reset(struct vtb *tb, unsigned int cycles)
{
	if (tb->rst_n)
		tb->rst_n->bits[0] = 0;
	vtb_streams_reset(tb);
	vtb_run(tb, cycles);
	if (tb->rst_n)
		tb->rst_n->bits[0] = 1;
	vtb_eval(tb);
}

void vtb_on_drive(struct vtb *tb, vtb_hook_fn fn, void *arg)
{
	assert_true(tb->n_drive < VTB_MAX_HOOKS);
	tb->drive[tb->n_drive++] = (struct vtb_hook){ fn, arg };
}

void vtb_on_sample(struct vtb *tb, vtb_hook_fn fn, void *arg)
{
	assert_true(tb->n_sample < VTB_MAX_HOOKS);
	tb->sample[tb->n_sample++] = (struct vtb_hook){ fn, arg };
}

/* ---- ports ---- */

const struct sim_port *vtb_port(struct vtb *tb, const char *name)
{
	const struct sim_port *port = tb->ops->find(tb->dut, name);

	if (!port)
		vtb_fail(tb, "the top has no port %s", name);
	return port;
}

static void check_range(const struct sim_port *port, unsigned int lsb, size_t width)
{
	if (lsb + width > port->width)
		fail_msg("port %s: bits %u..%zu are outside its %u bits", port->name, lsb,
			 lsb + width - 1, port->width);
}

void vtb_put_bits(const struct sim_port *port, unsigned int lsb, unsigned int width, uint64_t value)
{
	check_range(port, lsb, width);
	if (width > 64 || (width < 64 && value >> width))
		fail_msg("port %s: 0x%llx does not fit %u bits", port->name,
			 (unsigned long long)value, width);
	vtb_bits_put(port->bits, lsb, width, value);
}

uint64_t vtb_get_bits(const struct sim_port *port, unsigned int lsb, unsigned int width)
{
	check_range(port, lsb, width);
	if (width > 64)
		fail_msg("port %s: %u bits do not fit 64", port->name, width);
	return vtb_bits_get(port->bits, lsb, width);
}

void vtb_put(const struct sim_port *port, uint64_t value)
{
	vtb_put_bits(port, 0, port->width, value);
}

uint64_t vtb_read(const struct sim_port *port)
{
	return vtb_get_bits(port, 0, port->width);
}

void vtb_set(struct vtb *tb, const char *name, uint64_t value)
{
	vtb_put(vtb_port(tb, name), value);
}

uint64_t vtb_get(struct vtb *tb, const char *name)
{
	return vtb_read(vtb_port(tb, name));
}

void vtb_put_bytes(const struct sim_port *port, unsigned int lsb, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	check_range(port, lsb, len * 8);
	for (size_t i = 0; i < len; i++)
		vtb_bits_put(port->bits, lsb + 8 * (unsigned int)i, 8, p[i]);
}

void vtb_put_record(const struct sim_port *port, unsigned int lsb, const void *buf,
		    unsigned int width)
{
	unsigned int rest = width % 8;

	vtb_put_bytes(port, lsb, buf, width / 8);
	if (rest)
		vtb_put_bits(port, lsb + width - rest, rest,
			     ((const uint8_t *)buf)[width / 8] & ((1u << rest) - 1));
}

void vtb_get_bytes(const struct sim_port *port, unsigned int lsb, void *buf, size_t len)
{
	uint8_t *p = buf;

	check_range(port, lsb, len * 8);
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)vtb_bits_get(port->bits, lsb + 8 * (unsigned int)i, 8);
}

/* ---- waves ---- */

void vtb_trace(struct vtb *tb, const char *path)
{
	int err = tb->ops->trace_open(tb->dut, path, 99);

	if (!tb->ops->can_trace)
		fprintf(stderr, "# no waves: build with TRACE=1 (make test-unit TRACE=1 ...)\n");
	else if (err)
		vtb_fail(tb, "cannot write waves to %s: %s", path, strerror(-err));
}

void vtb_trace_stop(struct vtb *tb)
{
	tb->ops->trace_close(tb->dut);
}
