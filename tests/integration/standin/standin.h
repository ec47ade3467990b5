/* SPDX-License-Identifier: Apache-2.0 */
/* What a test writes to the stand-in core (cairn_nic_standin.sv, standin_bar.sv). */
#ifndef CAIRN_STANDIN_H
#define CAIRN_STANDIN_H

#include <stdint.h>

/* BAR0, besides ID, TIME, the MSI-X table and the counters of the contract */
#define STANDIN_TIMER		0x0100	/* 64 bit: device time at which to fire; 0: off */
#define STANDIN_TIMER_PERIOD	0x0108	/* 32 bit, ns: fire again; 0: once */
#define STANDIN_RX_BASE		0x0110	/* 64 bit: IOVA of 16 receive slots; 0: frames wait */
#define STANDIN_SCRATCH		0x0118	/* 32 bit */
#define STANDIN_UART		0x0200	/* a byte for the console */
#define STANDIN_UNSUPPORTED	0xff00	/* answered with UR */
/* BAR2 offset CAIRN_DB_SQ: a 64-bit write of a descriptor's IOVA, at most 16 waiting */

#define STANDIN_IRQ_TIMER	1
#define STANDIN_IRQ_RX		2

enum { STANDIN_COPY, STANDIN_SEND, STANDIN_SEND_BAD_FCS };

struct standin_desc {
	uint64_t src, dst;	/* IOVAs, multiples of 4 */
	uint32_t len;		/* bytes; a copy: a multiple of 4; a frame: at most 8192 */
	uint32_t op;
	uint32_t vector;	/* raised at the end */
	uint32_t unused;
	/* written by the device */
	uint32_t error;		/* 1: a read failed, nothing was written or sent */
	uint32_t seq;		/* jobs done so far, from 1 */
	uint64_t time;
	uint64_t pad[2];
};

#define STANDIN_SLOTS		16
#define STANDIN_SLOT_BYTES	8192

struct standin_slot {
	uint32_t len;		/* written last */
	uint32_t seq;		/* frames so far, from 1 */
	uint64_t time;		/* when the last beat came */
	uint8_t frame[STANDIN_SLOT_BYTES - 16];
};

#endif
