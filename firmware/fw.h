/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of the management core: the control plane (docs/commands.md) and the slow path of the
 * network (ARP, neighbour discovery, echo).  It never touches the data path.
 *
 * One event loop (main.c), interrupts off: look at every source, run what can go on, sleep in WFI.
 * Nothing polls or waits inside a function: a command is a job (job.h) whose handler is a state
 * machine written with the FW_* macros below; it gives up the core at each wait and is called again
 * when something has happened.
 *
 * Files stand on floors; each uses only those below it (tests/lib/lint_floors.py), and has its
 * declarations in the header of its name or of its group:
 *
 *	main
 *	link cmd cmd_table
 *	cmd_dev cmd_gid cmd_eq cmd_cq cmd_srq cmd_mr cmd_qp cmd_modify_qp	(cmd.h)
 *	qp_event qp_make qp_state qp_rules mcast		(qp.h)
 *	net net4 net6 net_own neighbour net_addr net_msg net_frame	(net.h)
 *	ctx job eq gid port dev
 *	log dma loop bits string
 *
 * This header has what all of them use: registers, and the macros.
 */
#ifndef CAIRN_FW_H
#define CAIRN_FW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cairn_bits.h"
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "cpu.h"

#define FW_VERSION_MAJOR 0
#define FW_VERSION_MINOR 1

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Registers: REG(DEV, DEV_CTRL) is the address of CAIRN_REG_DEV_CTRL in region CAIRN_MMIO_DEV. */
#define REG(region, name) (CAIRN_MMIO_##region + CAIRN_REG_##name)

static inline uint64_t reg_read64(uint32_t addr)
{
	uint32_t lo = mmio_read32(addr);

	return (uint64_t)mmio_read32(addr + 4) << 32 | lo;
}

static inline void reg_write64(uint32_t addr, uint64_t value)
{
	mmio_write32(addr, (uint32_t)value);
	mmio_write32(addr + 4, (uint32_t)(value >> 32));
}

/* ---- state machines: a function that returns at a wait and goes on there when called again ----
 * No local variable lives across FW_WAIT: what must is in the job.  Each returns an enum fw_run. */
enum fw_run { FW_WAITING, FW_DONE };

/* Where such a function goes on; one for each that may wait at the same time, 0 at first. */
struct machine {
	uint16_t pc;
};

#define FW_BEGIN(machine)                   \
	uint16_t *fw_pc_ = &(machine).pc; \
	switch (*fw_pc_) {                \
	case 0:
#define FW_WAIT(cond)                         \
	do {                                  \
		*fw_pc_ = __LINE__;           \
		__attribute__((fallthrough)); \
	case __LINE__:                        \
		if (!(cond))                  \
			return FW_WAITING;    \
	} while (0)
/* Done before its end. */
#define FW_LEAVE                \
	do {                    \
		*fw_pc_ = 0;    \
		return FW_DONE; \
	} while (0)
#define FW_END       \
	}            \
	*fw_pc_ = 0; \
	return FW_DONE

#endif
