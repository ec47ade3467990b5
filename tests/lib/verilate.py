#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilate one model (called by verilate.mk from the top folder).

usage: verilate.py --dir DIR --model NAME --top MODULE --flags "..." [--args "..."] [--extra "FILE..."] [--yosys]

Finds the top and every module below it by name (file name = module name) beside the extra files and below rtl/, and
the packages they name; nothing else is read, so an unrelated file that does not compile does no harm.  Leaves in DIR
the C++ files, model.cpp that includes them all (one compiler run), ports.inc, sources.d with what the
model was made from, and model.stamp when all went well.  --yosys: the model is of what Yosys makes of the top.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

import netlist
import rtl


def flat(top, path, folder):
    """(top, files) of what is verilated: `top` itself or, if it has ports of BUNDLEs (rtl/hw/int.def), a module around
    it with a port <x>_<member>_i for each member of <x>_i, and <x>_<member>_ready_i for each one of <x>_ready_i, which
    C can address by name."""
    known = rtl.bundles()
    if not any(kind in rtl.code(path) for kind in known):
        return top, []
    parameters, ports = rtl.head(path)
    if not any(kind in known for _, kind, _, _ in ports):
        return top, []
    outside, inside = [], []
    for way, kind, bits, name in ports:
        if kind not in known:
            outside.append(f"{way} {kind} {bits or ''} {name}")
            continue
        stem, ready, suffix = re.fullmatch(r"(\w+?)(_ready)?_([a-z]+)", name).groups(default="")
        inside.append(f"{kind} {name};")
        for member_kind, member in known[kind]:
            port = f"{stem}_{member.replace('.', '_')}{ready}_{suffix}"
            outside.append(f"{way} {member_kind} {port}")
            inside.append(f"assign {name}.{member} = {port};" if way == "input" else f"assign {port} = {name}.{member};")
    own = [f".{p}({p})" for p in re.findall(r"\bparameter\b[^=,]*?(\w+)\s*=", parameters)]
    with open(f"{folder}/{top}_flat.sv", "w", encoding="utf-8") as out:
        newline = "\n  "
        out.write(f"/* verilator lint_off UNUSEDPARAM */\nmodule {top}_flat #({parameters}) ({newline}{(',' + newline).join(outside)});{newline}"
                  f"{newline.join(inside)}{newline}{top} {f'#({chr(44).join(own)}) ' if own else ''}u_top (.*);\nendmodule\n")
    return f"{top}_flat", [f"{folder}/{top}_flat.sv"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("dir", "model", "top", "flags"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("args", "extra"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--yosys", action="store_true")
    opt = parser.parse_args()
    try:
        files = rtl.closure(opt.top, opt.extra.split())
    except KeyError:
        sys.exit(f"verilate: no {opt.top}.sv below rtl/ or beside: {opt.extra}")
    shutil.rmtree(opt.dir, ignore_errors=True)
    os.makedirs(opt.dir)
    path = next(f for f in files if rtl.stem(f) == opt.top)
    top, made = flat(opt.top, path, opt.dir)
    read = netlist.stand_in(opt.top, path, files, netlist.given(opt.args), opt.dir) if opt.yosys else files
    command = ["verilator", *opt.flags.split(), "--prefix", f"V{opt.model}", "--top-module", top, "--Mdir", opt.dir,
               *opt.args.split(), "rtl/lint.vlt", *read, *made]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode:
        sys.exit(f"{result.stdout}failed: {' '.join(command)}")
    with open(f"{opt.dir}/ports.inc", "w", encoding="utf-8") as out:
        subprocess.run(["tests/lib/vports.py", f"{opt.dir}/V{opt.model}.h"], stdout=out, check=True)
    with open(f"{opt.dir}/model.cpp", "w", encoding="utf-8") as out:
        for path in sorted(glob.glob(f"{opt.dir}/V*.cpp")):
            out.write(f'#include "{os.path.basename(path)}"\n')
        out.write('#include "sim_dut.cpp"\n')
    with open(f"{opt.dir}/sources.d", "w", encoding="utf-8") as out:
        # The empty rules keep make going when a source is renamed or deleted.
        out.write(f"{opt.dir}/model.stamp: {' '.join(files)}\n" + "".join(f"{f}:\n" for f in files))
    with open(f"{opt.dir}/model.stamp", "w", encoding="utf-8"):
        pass


main()
