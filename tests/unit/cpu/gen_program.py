#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random RV32IM program for the lock-step test of rtl/cpu against QEMU's user-mode emulator.

    gen_program.py SEED BLOCKS > program.S

The program ends by itself with exit(0): branches go forward, loops count down, functions return. It uses
only what a user-mode program may do, and aligned data accesses inside its own data area; traps, CSRs and
interrupts are the business of the directed tests. Every register is written first, and at the end the
whole data area is read back through a register, so that a wrong store cannot hide.
"""
import random
import sys

DATA_BYTES = 4096
EDGES = [0, 1, 2, 3, 4, 7, 31, 32, 0x7FF, 0x800, 0xFFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFE, 0x7FFFFFFF,
         0x80000000, 0x80000001, 0xAAAAAAAA, 0x55555555, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF]
ALU_R = ["add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and"]
ALU_I = ["addi", "slti", "sltiu", "xori", "ori", "andi"]
SHIFT_I = ["slli", "srli", "srai"]
MULDIV = ["mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"]
BRANCH = ["beq", "bne", "blt", "bge", "bltu", "bgeu"]
LOADS = [("lb", 1), ("lh", 2), ("lw", 4), ("lbu", 1), ("lhu", 2)]
STORES = [("sb", 1), ("sh", 2), ("sw", 4)]
FUNCTIONS = 4


class Program:
    def __init__(self, seed, blocks):
        self.r = random.Random(seed)
        self.blocks = blocks
        self.labels = 0
        self.out = []
        # base: data pointer, loop: loop counter, link: return address and jump target
        self.base, self.loop, self.link = self.r.sample(range(1, 32), 3)

    def emit(self, text):
        self.out.append("\t" + text)

    def label(self):
        self.labels += 1
        return "L%d" % self.labels

    def src(self):
        return "x%d" % self.r.randrange(32)

    def dst(self):
        """Any register but the three that have a job; x0 now and then."""
        while True:
            reg = self.r.randrange(32)
            if reg not in (self.base, self.loop, self.link):
                return "x%d" % reg

    def edge(self):
        if self.r.random() < 0.6:
            return self.r.choice(EDGES)
        return self.r.getrandbits(32)

    def simple(self):
        """One instruction (or an li before a multiply) that falls through."""
        r, kind = self.r, self.r.random()
        if kind < 0.24:
            self.emit("%s %s, %s, %s" % (r.choice(ALU_R), self.dst(), self.src(), self.src()))
        elif kind < 0.40:
            self.emit("%s %s, %s, %d" % (r.choice(ALU_I), self.dst(), self.src(), r.randrange(-2048, 2048)))
        elif kind < 0.48:
            self.emit("%s %s, %s, %d" % (r.choice(SHIFT_I), self.dst(), self.src(), r.randrange(32)))
        elif kind < 0.52:
            self.emit("%s %s, %d" % (r.choice(["lui", "auipc"]), self.dst(), r.getrandbits(20)))
        elif kind < 0.57:
            self.emit("li %s, %#x" % (self.dst(), self.edge()))
        elif kind < 0.73:
            self.muldiv()
        elif kind < 0.86:
            op, size = r.choice(LOADS)
            self.emit("%s %s, %d(x%d)" % (op, self.dst(), self.offset(size), self.base))
        elif kind < 0.98:
            op, size = r.choice(STORES)
            self.emit("%s %s, %d(x%d)" % (op, self.src(), self.offset(size), self.base))
        else:
            self.emit(r.choice(["fence", "fence.i", "fence rw, w"]))

    def muldiv(self):
        a, b = self.dst(), self.dst()
        if self.r.random() < 0.5:
            self.emit("li %s, %#x" % (a, self.edge()))
            self.emit("li %s, %#x" % (b, self.edge()))
        self.emit("%s %s, %s, %s" % (self.r.choice(MULDIV), self.dst(), a, b))

    def offset(self, size):
        return self.r.randrange(-DATA_BYTES // 2, DATA_BYTES // 2, size)

    def body(self, n):
        for _ in range(n):
            self.simple()

    def block(self):
        r, kind = self.r, self.r.random()
        if kind < 0.60:
            self.body(r.randrange(1, 5))
        elif kind < 0.80:
            over, a, b = self.label(), self.src(), self.src()
            if r.random() < 0.2:
                b = a
            self.emit("%s %s, %s, %s" % (r.choice(BRANCH), a, b, over))
            self.body(r.randrange(0, 4))
            self.out.append(over + ":")
        elif kind < 0.85:
            over = self.label()
            self.emit("jal %s, %s" % (self.dst(), over))
            self.body(r.randrange(0, 3))
            self.out.append(over + ":")
        elif kind < 0.90:
            # JALR drops bit 0 of the sum; rd may be the register it jumps through
            over, odd = self.label(), r.randrange(2)
            self.emit("la x%d, %s" % (self.link, over))
            rd = r.choice([self.dst(), "x%d" % self.link])
            self.emit("jalr %s, %d(x%d)" % (rd, odd, self.link))
            self.body(r.randrange(0, 3))
            self.out.append(over + ":")
        elif kind < 0.95:
            self.emit("jal x%d, F%d" % (self.link, r.randrange(FUNCTIONS)))
        else:
            back = self.label()
            self.emit("li x%d, %d" % (self.loop, r.randrange(1, 9)))
            self.out.append(back + ":")
            self.body(r.randrange(1, 5))
            self.emit("addi x%d, x%d, -1" % (self.loop, self.loop))
            self.emit("bne x%d, x0, %s" % (self.loop, back))

    def text(self):
        self.out.append(".globl _start\n_start:")
        for reg in range(1, 32):
            self.emit("li x%d, %#x" % (reg, self.edge()))
        self.emit("la x%d, data + %d" % (self.base, DATA_BYTES // 2))
        self.emit("j main")
        for f in range(FUNCTIONS):
            self.out.append("F%d:" % f)
            self.body(self.r.randrange(1, 6))
            self.emit("jalr x0, 0(x%d)" % self.link)
        self.out.append("main:")
        for _ in range(self.blocks):
            self.block()
        # read everything back; from here on the fixed roles are over
        acc, ptr, end = self.r.sample([x for x in range(1, 32) if x != self.base], 3)
        self.emit("addi x%d, x%d, -2048" % (ptr, self.base))
        self.emit("la x%d, data + %d" % (end, DATA_BYTES))
        self.out.append("sum:")
        self.emit("lw x%d, 0(x%d)" % (acc, ptr))
        self.emit("addi x%d, x%d, 4" % (ptr, ptr))
        self.emit("bltu x%d, x%d, sum" % (ptr, end))
        self.emit("li a7, 93\n\tli a0, 0\n\tecall")
        self.out.append(".data\n.balign 4\ndata:")
        for _ in range(DATA_BYTES // 4):
            self.emit(".word %#x" % self.edge())
        return "\n".join(self.out) + "\n"


if len(sys.argv) != 3:
    sys.exit("usage: gen_program.py SEED BLOCKS")
sys.stdout.write(Program(int(sys.argv[1], 0), int(sys.argv[2])).text())
