/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware in the test program, on registers made of C: the regions of the management core as
 * hw.def has them, tables of records, a window of host memory, frames in and out.  Everything that
 * takes time in hardware takes a random number of passes of the event loop here, so that commands
 * interleave in all ways.  Firmware that sleeps is woken by its lines and its timer alone.
 *
 *     hw_boot(features)       the device as after reset, the command queue set up, not enabled
 *     hw_open()               tables, EQ 0 and 1, ENABLE
 *     hw_do(&cmd)             one command; its status
 *
 * What firmware must never do (DMA outside of the window, operations while busy, unknown
 * registers) fails the test on the spot.
 */
#ifndef CAIRN_TEST_FW_HW_H
#define CAIRN_TEST_FW_HW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "rng.h"

#define HW_ALL                                                                        \
	(CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD |      \
	 CAIRN_REG_FEATURES_ATOMIC | CAIRN_REG_FEATURES_SRQ | CAIRN_REG_FEATURES_MW | \
	 CAIRN_REG_FEATURES_IPV6 | CAIRN_REG_FEATURES_VLAN | CAIRN_REG_FEATURES_LOOP | \
	 CAIRN_REG_FEATURES_MCAST)
#define HW_QPS_LOG2 8u
#define HW_QPS (1u << HW_QPS_LOG2)
#define HW_CQS 128u
#define HW_SRQS 16u
#define HW_EQS 32u
#define HW_MRS 1024u
#define HW_MTT_LOG2 14u
#define HW_WINDOW 0x100000000ull /* IOVA of host memory */
#define HW_MEM 0x40000u
#define HW_MAC 0x020000000a01ull
#define HW_EVENTS 4096u

struct hw_event {
	uint32_t eqn, type, number, data;
};

struct hw_frame {
	uint8_t data[2048];
	uint32_t len;
	bool awaited; /* has one of the places kept for answers */
};

struct hw {
	struct rng rng;
	uint64_t now, timer;
	uint32_t features, port, link;
	uint8_t mem[HW_MEM];
	/* records, as parts of 64 bytes */
	_Alignas(64) uint32_t qp[HW_QPS][4][16];
	uint32_t cq[HW_CQS][16], srq[HW_SRQS][16], mpt[HW_MRS][16];
	struct {
		uint8_t valid, error, page;
		uint16_t index;
	} db[5][1024];
	uint64_t table_base[8];
	uint32_t table_log2[8], table_valid;
	uint32_t ctrl, eq_valid, eq_users[32];
	struct {
		uint8_t raw[16];
		uint32_t reg;
	} gids[16], groups[16];
	uint32_t members[128]; /* as written to DEV_MEMBER */
	struct hw_event events[HW_EVENTS];
	unsigned int n_events;
	unsigned int kicks[3];
	uint32_t last_kick[3];
	unsigned int fences, drops;
	/* frames */
	struct hw_frame rx[16], tx[64];
	unsigned int n_rx, n_tx;
	unsigned int outcomes[CAIRN_NET_OUTCOMES]; /* of frames taken */
	struct {
		uint32_t reg, key;
	} await[CAIRN_RAW_ANSWERS];
	uint32_t tx_slow; /* passes that each frame takes to leave; 0: any few */
	/* reports of the data path */
	uint32_t reports[64];
	unsigned int n_reports;
	bool fatal;
	unsigned int passes; /* of the event loop, the ones asleep left out */
	/* called when a fence or the n-th context operation ends: engines that move meanwhile */
	void (*on_fence)(void);
};
extern struct hw hw;

void hw_boot(uint32_t features);
void hw_open(void);
/* A command and what became of it. */
struct hw_cmd {
	enum cairn_cmd_op op;
	uint32_t flags, number;
	uint64_t ptr;
	uint64_t arg[6];
	const void *in; /* into the command's buffer, which else holds anything */
	uint32_t in_bytes;
	uint32_t bad_check; /* xored into cmd.check */
	/* back */
	bool done;
	uint32_t status, detail, value0, value1;
	uint8_t out[128];
};
/* Into the ring, and wait. */
uint32_t hw_do(struct hw_cmd *cmd);
/* Several at once: post all, ring, run until all have ended. */
void hw_post(struct hw_cmd *cmd);
void hw_ring(void);
void hw_wait(void);
/* Passes of the loop until firmware sleeps without a deadline before now + ns. */
void hw_run(uint64_t ns);
void hw_report(enum cairn_dev_event kind, uint32_t number);
void hw_receive(const void *frame, uint32_t len);
unsigned int hw_count_events(uint32_t type, uint32_t number);
/* All that firmware may change of records, doorbells, GIDs, EQs. */
uint64_t hw_state_hash(void);
void hw_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#define hw_assert(condition)                                                            \
	do {                                                                            \
		if (!(condition))                                                       \
			hw_fail("%s:%d: %s is not so", __FILE__, __LINE__, #condition); \
	} while (0)
#define hw_expect(cmd, want)                                                              \
	do {                                                                              \
		uint32_t got_ = hw_do(cmd);                                               \
		if (got_ != CAIRN_CMD_STATUS_##want)                                      \
			hw_fail("%s:%d: status %u, detail %u, expected " #want, __FILE__, \
				__LINE__, got_, (cmd)->detail);                           \
	} while (0)

#endif
