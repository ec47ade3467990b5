/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core in C for the root complex's tests: ports as plain variables, a queue of TLPs to send, a
 * list of those received, clocked with the real sim_pcie.  It obeys the stream rules unless a test
 * writes the ports itself.
 */
#ifndef CAIRN_FAKE_CORE_H
#define CAIRN_FAKE_CORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rng.h"
#include "sim_mem.h"
#include "sim_pcie.h"
#include "sim_tlp.h"

#define CLK_NS 4
#define MAX_TLPS 4096

struct fake_tlp {
	uint32_t dw[4];
	struct sim_tlp_hdr h;
	uint8_t bar;
	unsigned int bytes;
	uint64_t t;		/* ns, of the first beat */
	uint64_t t_last;
	uint8_t data[4096 + 64];
};

struct fake_core {
	struct sim_pcie *p;
	struct sim_mem *mem;
	struct sim_pcie_ports ports;
	unsigned int bw;
	uint64_t now;
	struct rng rng;
	unsigned int rx_busy_pct;	/* cycles without rx ready */
	bool auto_answer;		/* answer BAR reads: data is bar_value(offset) */
	bool ignore_credit;
	bool hold_flr;			/* never report reset done */
	bool stop_at_flr;		/* forget what is queued, at a TLP boundary */

	struct {
		uint8_t rx_valid, rx_sop, rx_last, rx_bar, rx_ready, tx_ready, credit, bme, mps,
			mrrs, ext_tag, relaxed;
		uint8_t msix_en, msix_fmask, flr, tx_valid, tx_sop, tx_last, flr_done;
		uint8_t reqid[2], rx_hdr[16], tx_hdr[16], rx_data[64], tx_data[64];
	} s;

	struct fake_tlp *out;		/* to send: ring */
	unsigned int out_head, out_n, out_beat;
	struct fake_tlp *in;		/* received, in order */
	unsigned int in_n;
	bool in_tlp;
	unsigned int in_beat;
	char report[4096];		/* monitor texts */
	unsigned int irq_count[32];
};

/* cfg NULL: default at this width.  RAM of `size` bytes at `iova` may be mapped with fake_ram(). */
struct fake_core *fake_new(const struct sim_pcie_cfg *cfg, unsigned int data_w);
void fake_free(struct fake_core *f);
void *fake_ram(struct fake_core *f, uint64_t iova, uint64_t size, unsigned int rights);

void fake_cycle(struct fake_core *f);
void fake_run(struct fake_core *f, unsigned int cycles);
/* Until the root complex is idle and the queue empty. */
void fake_drain(struct fake_core *f);

/* Queue TLPs; the functions return the entry so that a test can spoil it. */
struct fake_tlp *fake_send(struct fake_core *f, const uint32_t dw[4], const void *data,
			   unsigned int bytes);
struct fake_tlp *fake_write(struct fake_core *f, uint64_t addr, const void *data,
			    unsigned int bytes);
struct fake_tlp *fake_read(struct fake_core *f, uint64_t addr, unsigned int bytes,
			   unsigned int tag);

/* Enable memory and bus master. */
void fake_enable(struct fake_core *f);
/*
 * Collect the completions of `tag` from in[] into buf; returns bytes, -1 if one was not SC or
 * poisoned.
 */
int fake_collect(struct fake_core *f, unsigned int tag, uint64_t addr, void *buf);
uint64_t bar_value(uint64_t off);

#define check(f, expr)                                                                          \
	do {                                                                                    \
		if (!(expr)) {                                                                  \
			print_error("%s:%d: %s (seed 0x%llx, %llu ns)\n%s", __FILE__, __LINE__, \
				    #expr, (unsigned long long)test_seed(),                     \
				    (unsigned long long)(f)->now, (f)->report);                 \
			fail();                                                                 \
		}                                                                               \
	} while (0)

#endif
