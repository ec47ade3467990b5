/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Testbench for one Verilated top, in C, on cmocka.  tests/unit/README.md has a complete example.
 *
 * A cycle is one vtb_tick():
 *   1. drive:  stream agents and drive hooks set inputs;
 *   2. the clock is low and the model settles;
 *   3. sample: stream agents and sample hooks look at the settled signals (what the edge will see);
 *   4. rising edge; tb->cycle is one higher.
 * Inputs the test itself sets between ticks take effect in step 2 of the next one; vtb_eval()
 * settles at once when the test wants to look at a combinational output.  All ports start at 0.
 *
 * Every check that fails ends the cmocka test with the message, the seed and the cycle.
 */
#ifndef CAIRN_VTB_H
#define CAIRN_VTB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rng.h"
#include "sim_dut.h"

#define VTB_MAX_HOOKS 16

struct vtb;
struct vtb_stream;

typedef void (*vtb_hook_fn)(struct vtb *tb, void *arg);

struct vtb_hook {
	vtb_hook_fn fn;
	void *arg;
};

struct vtb {
	const struct sim_dut_ops *ops;
	struct sim_dut *dut;
	const struct sim_port *clk, *rst_n;
	uint64_t cycle; /* rising edges so far, reset included */
	uint64_t seed;
	struct rng rng; /* for the test; agents have their own */
	struct vtb_hook drive[VTB_MAX_HOOKS], sample[VTB_MAX_HOOKS];
	unsigned int n_drive, n_sample;
	struct vtb_stream *streams; /* owned */
	long expected_from;	    /* vtb_expect_errors(): count of model errors then */
};

/*
 * An instance of the model that this test was registered with (tests.mk), registers and RAMs filled
 * with random bits, in reset for 4 cycles, then out of reset.  vtb_create_model() takes any linked
 * model.
 */
#define vtb_create() vtb_create_model(VTB_MODEL())
#ifdef VTB_MODEL
const struct sim_dut_ops *VTB_MODEL(void);
#endif
struct vtb *vtb_create_model(const struct sim_dut_ops *ops);
void vtb_destroy(struct vtb *tb);

/* Hold rst_ni low for `cycles`; stream agents forget what was in flight and keep what is queued. */
void vtb_reset(struct vtb *tb, unsigned int cycles);
void vtb_tick(struct vtb *tb);
void vtb_run(struct vtb *tb, uint64_t cycles);
void vtb_eval(struct vtb *tb);

/* Tick until cond(arg) is true; fails the test, naming `what`, after max_cycles. */
void vtb_run_until_fn(struct vtb *tb, bool (*cond)(void *arg), void *arg, uint64_t max_cycles,
		      const char *what);
/* The same with an expression, evaluated before each tick. */
#define vtb_run_until(tb, expr, max_cycles)                                                     \
	do {                                                                                    \
		uint64_t vtb_limit_ = (tb)->cycle + (max_cycles);                               \
		while (!(expr)) {                                                               \
			if ((tb)->cycle >= vtb_limit_)                                          \
				vtb_fail(tb, "%s:%d: not reached in %llu cycles: %s", __FILE__, \
					 __LINE__, (unsigned long long)(max_cycles), #expr);    \
			vtb_tick(tb);                                                           \
		}                                                                               \
	} while (0)

/* Called in every cycle, in order of registration. */
void vtb_on_drive(struct vtb *tb, vtb_hook_fn fn, void *arg);
void vtb_on_sample(struct vtb *tb, vtb_hook_fn fn, void *arg);

/* End the test with a message; seed and cycle are added. */
void vtb_fail(struct vtb *tb, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));
#define vtb_check(tb, expr)                                                   \
	do {                                                                  \
		if (!(expr))                                                  \
			vtb_fail(tb, "%s:%d: %s", __FILE__, __LINE__, #expr); \
	} while (0)
#define vtb_check_eq(tb, a, b)                                                              \
	do {                                                                                \
		uint64_t vtb_a_ = (a), vtb_b_ = (b);                                        \
		if (vtb_a_ != vtb_b_)                                                       \
			vtb_fail(tb, "%s:%d: %s is 0x%llx, expected %s = 0x%llx", __FILE__, \
				 __LINE__, #a, (unsigned long long)vtb_a_, #b,              \
				 (unsigned long long)vtb_b_);                               \
	} while (0)

/*
 * The model's own assertions end the test by themselves; a test that provokes one calls this first
 * and gets the number seen since (and normal behaviour again) from vtb_errors_seen().
 */
void vtb_expect_errors(struct vtb *tb);
unsigned int vtb_errors_seen(struct vtb *tb);

/* ---- ports ---- */

/* Fails the test if the top has no such port. */
const struct sim_port *vtb_port(struct vtb *tb, const char *name);

/* Whole ports up to 64 bits, by name or by handle.  A value that does not fit fails the test. */
void vtb_set(struct vtb *tb, const char *name, uint64_t value);
uint64_t vtb_get(struct vtb *tb, const char *name);
void vtb_put(const struct sim_port *port, uint64_t value);
uint64_t vtb_read(const struct sim_port *port);

/* Up to 64 bits anywhere in a port of any width. */
void vtb_put_bits(const struct sim_port *port, unsigned int lsb, unsigned int width,
		  uint64_t value);
uint64_t vtb_get_bits(const struct sim_port *port, unsigned int lsb, unsigned int width);

/* Byte i of buf is bits [lsb + 8*i +: 8]; lsb need not be a multiple of 8. */
void vtb_put_bytes(const struct sim_port *port, unsigned int lsb, const void *buf, size_t len);
/* A record of width bits, a multiple of 8 or not; bits of buf beyond it are not looked at. */
void vtb_put_record(const struct sim_port *port, unsigned int lsb, const void *buf,
		    unsigned int width);
void vtb_get_bytes(const struct sim_port *port, unsigned int lsb, void *buf, size_t len);

/* ---- waves (only if the model was built with TRACE=1; otherwise a note on stderr) ---- */

/* WAVES=file.fst in the environment opens waves in vtb_create() as well. */
void vtb_trace(struct vtb *tb, const char *path);
void vtb_trace_stop(struct vtb *tb);

#include "vtb_stream.h"

#endif
