#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesize with Yosys and say what each module costs (run by `make synth`).

usage: synth.py [--family ecp5|xcup] [--width DATA_W] [TOP...]

Without TOP: cairn_nic if rtl/files.f has it, else every module that no other listed module uses.  Prints a table,
one row for each module as instantiated (its own cells, without its children), and the total; the same goes to
$BUILD/synth/<family>-<width>/<top>.json.  "depth" is the longest path between flip-flops, in cells, over the
whole flattened top.  Memory bits are counted before mapping.
"""
import argparse
import json
import os
import re
import subprocess
import sys

import rtl

SYNTH = {"ecp5": "synth_ecp5 -noflatten", "xcup": "synth_xilinx -family xcup -noiopad"}
# Cells that end a path, taken out of the selection for the depth
CLOCKED = {"ecp5": "t:TRELLIS_FF %d t:DP16KD %d t:PDPW16KD %d t:MULT18X18D %d",
           "xcup": "t:FD?E* %d t:RAMB* %d t:DSP48E2 %d"}
# Column -> cell types, as regular expressions over the whole name
COLUMNS = {
    "ecp5": {"LUT": r"LUT4|CCU2C", "FF": r"TRELLIS_FF", "LUTRAM": r"TRELLIS_DPR16X4", "BRAM": r"DP16KD|PDPW16KD",
             "DSP": r"MULT18X18D"},
    "xcup": {"LUT": r"LUT\d|INV", "FF": r"FD[RSCP]E(_1)?", "LUTRAM": r"RAM(32|64|128|256).*", "BRAM": r"RAMB(18|36)E2",
             "DSP": r"DSP48E2"},
}


def used(modules):
    """Names of modules that another listed module uses."""
    words = {}
    for name, path in modules.items():
        words[name] = set(rtl.WORD.findall(rtl.code(path)))
    return {m for m in modules for other in modules if other != m and m in words[other]}


def default_tops():
    modules = {rtl.stem(p): p for p in rtl.listed() if not p.endswith("_pkg.sv")}
    return ["cairn_nic"] if "cairn_nic" in modules else sorted(set(modules) - used(modules))


def pretty(name):
    """$paramod\\fifo\\WIDTH=s32'0..1000 -> fifo WIDTH=8; hashed names keep their hash."""
    match = re.match(r"\$paramod(?:\$[0-9a-f]+)?\\(\w+)(.*)", name)
    if not match:
        return name.lstrip("\\")
    values = [f"{k}={int(v, 2)}" for k, v in re.findall(r"\\(\w+)=[su]?\d+'([01]+)", match.group(2))]
    return " ".join([match.group(1)] + values)


def synth(top, family, width, folder):
    files = rtl.closure(top)
    base = f"{folder}/{top}"
    path = [p for p in files if rtl.stem(p) == top][0]
    chparam = f"chparam -set DATA_W {width} {top};" if "DATA_W" in rtl.parameters(path) else ""
    script = (f"read_verilog -sv -defer {' '.join(files)}; {chparam} hierarchy -check -top {top}; proc; opt_clean; "
              f"tee -q -o {base}.generic stat -json; {SYNTH[family]} -top {top}; check; "
              f"tee -q -o {base}.mapped stat -json; flatten; tee -q -o {base}.ltp ltp * {CLOCKED[family]}")
    with open(f"{base}.log", "w", encoding="utf-8") as log:
        result = subprocess.run(["yosys", "-Q", "-T", "-p", script], stdout=log, stderr=subprocess.STDOUT, check=False)
    if result.returncode:
        with open(f"{base}.log", encoding="utf-8") as log:
            sys.exit(f"synth: {top} failed, end of {base}.log:\n" + "".join(log.readlines()[-20:]))
    with open(f"{base}.ltp", encoding="utf-8") as text:
        depth = max([int(n) for n in re.findall(r"length=(\d+)", text.read())] or [0])
    return load_stat(f"{base}.generic"), load_stat(f"{base}.mapped"), depth


def load_stat(path):
    """`stat -json`; Yosys 0.23 puts the lines of its hierarchy table in the middle."""
    with open(path, encoding="utf-8") as text:
        return json.loads("".join(line for line in text if not re.match(r'\s+[^\s"{}]+\s+\d+$', line)))


def count(cells, columns):
    return {column: sum(n for cell, n in cells.items() if re.fullmatch(regex, cell))
            for column, regex in columns.items()}


def table(top, generic, mapped, depth, columns):
    rows = []
    for name, stat in mapped["modules"].items():
        row = {"module": pretty(name), **count(stat["num_cells_by_type"], columns)}
        row["RAM bits"] = generic["modules"].get(name, {}).get("num_memory_bits", 0)
        rows.append(row)
    rows.sort(key=lambda row: -row["LUT"])
    total = {"module": f"total of {top}, depth {depth}", **count(mapped["design"]["num_cells_by_type"], columns)}
    total["RAM bits"] = generic["design"]["num_memory_bits"]
    return rows, total


def show(rows, columns):
    names = [*columns, "RAM bits"]
    wide = max(len(row["module"]) for row in rows)
    print(f"{'module':<{wide}}" + "".join(f"{name:>10}" for name in names))
    for row in rows:
        print(f"{row['module']:<{wide}}" + "".join(f"{row[name]:>10}" for name in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=sorted(SYNTH), default="ecp5")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("tops", nargs="*", metavar="TOP")
    opt = parser.parse_args()
    folder = f"{os.environ.get('BUILD', 'build')}/synth/{opt.family}-{opt.width}"
    os.makedirs(folder, exist_ok=True)
    for top in opt.tops or default_tops():
        generic, mapped, depth = synth(top, opt.family, opt.width, folder)
        rows, total = table(top, generic, mapped, depth, COLUMNS[opt.family])
        with open(f"{folder}/{top}.json", "w", encoding="utf-8") as out:
            json.dump({"top": top, "width": opt.width, "depth": depth, "total": total, "modules": rows}, out, indent=1)
        show(rows + [total], COLUMNS[opt.family])
        print(flush=True)


main()
