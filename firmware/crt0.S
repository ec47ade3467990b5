/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start-up and trap entry of programs for the management core (rtl/cpu).  The image is loaded to address 0 with
 * .data in place, so only .bss and the stack are set up (.noinit holds anything); a restart therefore means loading
 * the image again.
 *
 * Until mtvec is set and mstatush.MDT cleared here, a trap stops the core (fatal_o).  From then on every trap calls
 *     void trap(uint32_t cause, uint32_t epc, uint32_t tval)
 * in C, with interrupts off and MDT set: an exception inside trap() stops the core.  Its return goes on at epc.
 * The default trap() does just that, stop: a program that takes traps has its own.
 */
#define MSTATUSH	0x310
#define MSTATUSH_MDT	(1 << 10)

	.section .text.start, "ax"
	.globl _start
_start:
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
	la	sp, __stack_top
	la	t0, trap_entry
	csrw	mtvec, t0
	li	t0, MSTATUSH_MDT
	csrc	MSTATUSH, t0

	la	t0, __bss_start
	la	t1, __bss_end
	bgeu	t0, t1, 2f
1:	sw	zero, 0(t0)	/* .bss is a multiple of 32 bytes (link.ld) */
	sw	zero, 4(t0)
	sw	zero, 8(t0)
	sw	zero, 12(t0)
	sw	zero, 16(t0)
	sw	zero, 20(t0)
	sw	zero, 24(t0)
	sw	zero, 28(t0)
	addi	t0, t0, 32
	bltu	t0, t1, 1b
2:	call	main
	/* main() does not return; if it does, sleep for good */
	csrw	mie, zero
3:	wfi
	j	3b

	.text
	.balign	4
trap_entry:
	addi	sp, sp, -64
	sw	ra, 0(sp)
	sw	t0, 4(sp)
	sw	t1, 8(sp)
	sw	t2, 12(sp)
	sw	t3, 16(sp)
	sw	t4, 20(sp)
	sw	t5, 24(sp)
	sw	t6, 28(sp)
	sw	a0, 32(sp)
	sw	a1, 36(sp)
	sw	a2, 40(sp)
	sw	a3, 44(sp)
	sw	a4, 48(sp)
	sw	a5, 52(sp)
	sw	a6, 56(sp)
	sw	a7, 60(sp)
	csrr	a0, mcause
	csrr	a1, mepc
	csrr	a2, mtval
	call	trap
	lw	ra, 0(sp)
	lw	t0, 4(sp)
	lw	t1, 8(sp)
	lw	t2, 12(sp)
	lw	t3, 16(sp)
	lw	t4, 20(sp)
	lw	t5, 24(sp)
	lw	t6, 28(sp)
	lw	a0, 32(sp)
	lw	a1, 36(sp)
	lw	a2, 40(sp)
	lw	a3, 44(sp)
	lw	a4, 48(sp)
	lw	a5, 52(sp)
	lw	a6, 56(sp)
	lw	a7, 60(sp)
	addi	sp, sp, 64
	mret

	.weak	trap
trap:
	ebreak
