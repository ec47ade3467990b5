#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesize with Yosys and say what each module costs (run by `make synth`).

usage: synth.py [--family generic|ecp5|xcup] [--width DATA_W] [TOP...]

Without TOP: cairn_nic if rtl/files.f has it, else every module that no other listed module uses.  All modules
must be there, and elaborate without implicit declarations, conflicting or missing drivers, latches and, once
flattened, combinational loops; all but memories must map.  Prints a table, one row for each module: how many there
are of it, and what they cost together, without their children; and the total.
$BUILD/synth/<family>-<width>/<top>.json has it apart by parameters, Yosys's log is beside it.

generic: cells are gates of two inputs, multiplexers and flip-flops, not optimised: what the text asks for, to compare
modules and revisions.  ecp5, xcup: cells of the FPGA; "depth" is the longest path between flip-flops, in cells, over
the whole flattened top.  RAM bits are counted before mapping: small memories become LUTRAM or flip-flops.
"""
import argparse
import json
import os
import re
import subprocess
import sys

import rtl

ELABORATE = """
read_verilog -sv -defer {files}
{chparam}
hierarchy -check -top {top}
select -assert-none A:blackbox
proc
opt_clean
check -assert
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$_DLATCH_*_
tee -q -o {base}.generic stat -json
design -save hierarchical
flatten
opt_clean -purge
check -assert
scc -expect 0
design -load hierarchical
"""
# Without src: each gate would be given the places of all it was made from, which takes most of the time.
# wreduce, peepopt: indexes of wide vectors are 32 bits before, and the shifters made of them ten times as large.
GENERIC = """
setattr -unset src t:* w:*
opt_expr
wreduce
peepopt
opt_expr
opt_clean
memory_collect
simplemap
techmap -map tests/lib/synth_shift.v
simplemap
techmap
opt_clean
select -assert-none t:$* t:$_* %d t:$paramod* %d t:$mem_v2 %d
tee -q -o {base}.mapped stat -json
"""
FAMILY = """
{synth} -top {top}
check
tee -q -o {base}.mapped stat -json
flatten
tee -q -o {base}.ltp ltp * {clocked}
"""
SYNTH = {"ecp5": "synth_ecp5 -noflatten", "xcup": "synth_xilinx -family xcup -noiopad"}
# Cells that end a path, taken out of the selection for the depth
CLOCKED = {"ecp5": "t:TRELLIS_FF %d t:DP16KD %d t:PDPW16KD %d t:MULT18X18D %d",
           "xcup": "t:FD?E* %d t:RAMB* %d t:DSP48E2 %d"}
# Column -> cell types, as regular expressions over the whole name
COLUMNS = {
    "generic": {"cells": r"\$_.*", "FF": r"\$_S?DFF.*"},
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
    """Statistics before and after mapping, and the depth (None: not known)."""
    files = rtl.closure(top)
    base = f"{folder}/{top}"
    path = [p for p in files if rtl.stem(p) == top][0]
    chparam = f"chparam -set DATA_W {width} {top}" if "DATA_W" in rtl.parameters(path) else ""
    script = ELABORATE + (GENERIC if family == "generic" else FAMILY)
    with open(f"{base}.ys", "w", encoding="utf-8") as out:
        out.write(script.format(files=" ".join(files), chparam=chparam, top=top, base=base, synth=SYNTH.get(family),
                                clocked=CLOCKED.get(family)))
    with open(f"{base}.log", "w", encoding="utf-8") as log:
        result = subprocess.run(["yosys", "-Q", "-T", "-e", "implicitly declared", "-s", f"{base}.ys"], stdout=log,
                                stderr=subprocess.STDOUT, check=False)
    if result.returncode:
        sys.exit(f"synth: {top} DATA_W {width} {family} failed:\n{causes(f'{base}.log')}(log: {base}.log)")
    depth = None
    if family != "generic":
        with open(f"{base}.ltp", encoding="utf-8") as text:
            depth = max([int(n) for n in re.findall(r"length=(\d+)", text.read())] or [0])
    return load_stat(f"{base}.generic"), load_stat(f"{base}.mapped"), depth


def causes(path):
    """What `check` and the passes complained of, and the lines before the end."""
    with open(path, encoding="utf-8", errors="replace") as log:
        lines = log.readlines()
    replaced = re.compile(r"Replacing memory .* with list of registers")
    return "".join([line for line in lines[:-12] if "Warning:" in line and not replaced.search(line)][-20:] + lines[-12:])


def load_stat(path):
    """`stat -json`; Yosys 0.23 puts the lines of its hierarchy table in the middle."""
    with open(path, encoding="utf-8") as text:
        return json.loads("".join(line for line in text if not re.match(r'\s+[^\s"{}]+\s+\d+$', line)))


def count(cells, columns):
    return {column: sum(n for cell, n in cells.items() if re.fullmatch(regex, cell))
            for column, regex in columns.items()}


def instances(top, modules):
    """How often each module is in the whole: {name: count}."""
    counts = {}

    def visit(name, times):
        counts[name] = counts.get(name, 0) + times
        for cell, n in modules[name]["num_cells_by_type"].items():
            if cell in modules:
                visit(cell, times * n)

    visit(top, 1)
    return counts


def table(top, generic, mapped, depth, columns):
    """Rows by module and parameters, rows by module alone, the total; numbers are for all instances together."""
    times = instances(next(n for n in mapped["modules"] if n.lstrip("\\") == top), mapped["modules"])
    rows, together = [], {}
    for name, n in times.items():
        row = {"instances": 1, **count(mapped["modules"][name]["num_cells_by_type"], columns)}
        row["RAM bits"] = generic["modules"].get(name, {}).get("num_memory_bits", 0)
        rows.append({"module": pretty(name), **{column: n * value for column, value in row.items()}})
    for row in rows:
        name = row["module"].split()[0]
        so_far = together.setdefault(name, {"module": name})
        so_far.update({column: so_far.get(column, 0) + row[column] for column in row if column != "module"})
    total = {"module": f"total of {top}" + (f", depth {depth}" if depth else ""),
             **{column: sum(row[column] for row in rows) for column in rows[0] if column != "module"}}
    first = next(iter(columns))
    by_cost = [sorted(some, key=lambda row: -row[first]) for some in (rows, together.values())]
    return (*by_cost, total)


def show(rows, columns):
    names = ["instances", *columns, "RAM bits"]
    wide = max(len(row["module"]) for row in rows)
    print(f"{'module':<{wide}}" + "".join(f"{name:>11}" for name in names))
    for row in rows:
        print(f"{row['module']:<{wide}}" + "".join(f"{row[name]:>11}" for name in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=sorted(COLUMNS), default="generic")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("tops", nargs="*", metavar="TOP")
    opt = parser.parse_args()
    folder = f"{os.environ.get('BUILD', 'build')}/synth/{opt.family}-{opt.width}"
    os.makedirs(folder, exist_ok=True)
    for top in opt.tops or default_tops():
        generic, mapped, depth = synth(top, opt.family, opt.width, folder)
        rows, together, total = table(top, generic, mapped, depth, COLUMNS[opt.family])
        with open(f"{folder}/{top}.json", "w", encoding="utf-8") as out:
            json.dump({"top": top, "width": opt.width, "depth": depth, "total": total, "modules": rows}, out, indent=1)
        show(together + [total], COLUMNS[opt.family])
        print(flush=True)


main()
