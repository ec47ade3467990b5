#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One random program for test_cpu_cosim: cosim_prepare.sh SEED BLOCKS PREFIX
# Leaves PREFIX.S, PREFIX.elf, PREFIX.bin (flat, from 0x10000) and PREFIX.log, QEMU's state before each instruction.
set -eu
seed=$1 blocks=$2 prefix=$3
here=$(dirname "$0")
cross=${RISCV_PREFIX:-riscv64-unknown-elf-}
qemu=${QEMU_RISCV32:-qemu-riscv32}

mkdir -p "$(dirname "$prefix")"
python3 "$here/gen_program.py" "$seed" "$blocks" > "$prefix.S"
"${cross}gcc" -march=rv32im_zicsr_zifencei -mabi=ilp32 -nostdlib -Wl,--no-relax,-Ttext=0x10000,-Tdata=0x1c000 -o "$prefix.elf" "$prefix.S"
"${cross}objcopy" -O binary -j .text -j .data "$prefix.elf" "$prefix.bin"
# QEMU 8.1 renamed -singlestep.
if "$qemu" -help | grep -q one-insn-per-tb; then
	single=-one-insn-per-tb
else
	single=-singlestep
fi
timeout 60 "$qemu" $single -d cpu,nochain -D "$prefix.log" "$prefix.elf"
