/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RV32IM instruction encoders for directed tests (RISC-V unprivileged ISA 20191213, chapter 24).
 * Offsets of branches and jumps are bytes from the instruction itself; registers are numbers 0
 * to 31.
 */
#ifndef CAIRN_TEST_RV_H
#define CAIRN_TEST_RV_H

#include <stdint.h>

/* Macros, not functions: tables of instructions are constants. */
#define RV_BITS(v, hi, lo, at) (((uint32_t)(v) >> (lo) & ((1u << ((hi) - (lo) + 1)) - 1)) << (at))
#define RV_REST(rs1, f3) ((uint32_t)(rs1) << 15 | (uint32_t)(f3) << 12)
#define rv_r(f7, rs2, rs1, f3, rd, op)                                                           \
	((uint32_t)(f7) << 25 | (uint32_t)(rs2) << 20 | RV_REST(rs1, f3) | (uint32_t)(rd) << 7 | \
	 (op))
#define rv_i(imm, rs1, f3, rd, op) \
	(RV_BITS(imm, 11, 0, 20) | RV_REST(rs1, f3) | (uint32_t)(rd) << 7 | (op))
#define rv_s(imm, rs2, rs1, f3)                                               \
	(RV_BITS(imm, 11, 5, 25) | (uint32_t)(rs2) << 20 | RV_REST(rs1, f3) | \
	 RV_BITS(imm, 4, 0, 7) | 0x23)
#define rv_b(off, rs2, rs1, f3)                                                       \
	(RV_BITS(off, 12, 12, 31) | RV_BITS(off, 10, 5, 25) | (uint32_t)(rs2) << 20 | \
	 RV_REST(rs1, f3) | RV_BITS(off, 4, 1, 8) | RV_BITS(off, 11, 11, 7) | 0x63)
#define rv_jal(rd, off)                                                                  \
	(RV_BITS(off, 20, 20, 31) | RV_BITS(off, 10, 1, 21) | RV_BITS(off, 11, 11, 20) | \
	 RV_BITS(off, 19, 12, 12) | (uint32_t)(rd) << 7 | 0x6f)

#define LUI(rd, imm20) ((uint32_t)(imm20) << 12 | (uint32_t)(rd) << 7 | 0x37)
#define AUIPC(rd, imm20) ((uint32_t)(imm20) << 12 | (uint32_t)(rd) << 7 | 0x17)
#define JAL(rd, off) rv_jal(rd, off)
#define JALR(rd, rs1, imm) rv_i(imm, rs1, 0, rd, 0x67)
#define BEQ(rs1, rs2, off) rv_b(off, rs2, rs1, 0)
#define BNE(rs1, rs2, off) rv_b(off, rs2, rs1, 1)
#define LB(rd, rs1, imm) rv_i(imm, rs1, 0, rd, 0x03)
#define LH(rd, rs1, imm) rv_i(imm, rs1, 1, rd, 0x03)
#define LW(rd, rs1, imm) rv_i(imm, rs1, 2, rd, 0x03)
#define LBU(rd, rs1, imm) rv_i(imm, rs1, 4, rd, 0x03)
#define LHU(rd, rs1, imm) rv_i(imm, rs1, 5, rd, 0x03)
#define SB(rs2, rs1, imm) rv_s(imm, rs2, rs1, 0)
#define SH(rs2, rs1, imm) rv_s(imm, rs2, rs1, 1)
#define SW(rs2, rs1, imm) rv_s(imm, rs2, rs1, 2)
#define ADDI(rd, rs1, imm) rv_i(imm, rs1, 0, rd, 0x13)
#define ADD(rd, rs1, rs2) rv_r(0, rs2, rs1, 0, rd, 0x33)
#define MULDIV(f3, rd, rs1, rs2) rv_r(1, rs2, rs1, f3, rd, 0x33)
#define CSR(f3, rd, csr, rs1)                                                   \
	((uint32_t)(csr) << 20 | (uint32_t)(rs1) << 15 | (uint32_t)(f3) << 12 | \
	 (uint32_t)(rd) << 7 | 0x73)
#define CSRRW(rd, csr, rs1) CSR(1, rd, csr, rs1)
#define CSRRS(rd, csr, rs1) CSR(2, rd, csr, rs1)
#define CSRRC(rd, csr, rs1) CSR(3, rd, csr, rs1)
#define CSRRWI(rd, csr, imm) CSR(5, rd, csr, imm)
#define CSRRSI(rd, csr, imm) CSR(6, rd, csr, imm)
#define CSRRCI(rd, csr, imm) CSR(7, rd, csr, imm)
#define CSRR(rd, csr) CSRRS(rd, csr, 0)
#define CSRW(csr, rs1) CSRRW(0, csr, rs1)
#define ECALL 0x00000073u
#define EBREAK 0x00100073u
#define MRET 0x30200073u
#define WFI 0x10500073u
#define FENCE 0x0ff0000fu
#define FENCE_I 0x0000100fu
#define NOP ADDI(0, 0, 0)
/* Any 32-bit constant, two instructions. */
#define LI(rd, v) LUI(rd, ((uint32_t)(v) + 0x800u) >> 12), ADDI(rd, rd, v)

enum {
	CSR_MSTATUS = 0x300,
	CSR_MISA = 0x301,
	CSR_MIE = 0x304,
	CSR_MTVEC = 0x305,
	CSR_MSTATUSH = 0x310,
	CSR_MSCRATCH = 0x340,
	CSR_MEPC = 0x341,
	CSR_MCAUSE = 0x342,
	CSR_MTVAL = 0x343,
	CSR_MIP = 0x344,
	CSR_MCYCLE = 0xb00,
	CSR_MINSTRET = 0xb02,
	CSR_MCYCLEH = 0xb80,
	CSR_MINSTRETH = 0xb82,
	CSR_CYCLE = 0xc00,
	CSR_TIME = 0xc01,
	CSR_INSTRET = 0xc02,
	CSR_TIMEH = 0xc81,
	CSR_MVENDORID = 0xf11,
	CSR_MARCHID = 0xf12,
	CSR_MIMPID = 0xf13,
	CSR_MHARTID = 0xf14,
	CSR_MCONFIGPTR = 0xf15,
};

#define MSTATUS_MIE 0x8u
#define MSTATUS_MPIE 0x80u
#define MSTATUS_MPP 0x1800u
#define MSTATUSH_MDT 0x400u

#endif
