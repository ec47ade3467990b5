#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lint the RTL and print TAP (run by `make lint`).

usage: lint_rtl.py [MODULE...]

rtl/files.f must list every file under rtl/ except rtl/board/, once.  Each module, taken as a top with the files it
needs and nothing else, must
  - pass verilator --lint-only -Wall (waivers: rtl/lint.vlt), and
  - elaborate in Yosys without implicit declarations, ports connected with another width, latches, loops or undriven
    wires: as it is used by the modules that no other uses, which are the tops here (module by module each part was
    elaborated again for all above it); with MODULE as a top, too,
at DATA_W 64 and 512 if it has that parameter, else with its defaults; the tops at 128 and 256, too, as all that they
use is within them.  So must cairn_nic with the parameters of each build of rtl/builds.def (usage: MODULE may be
cairn_nic:small).  A module that passed is not looked at again until a file it needs, a tool or this script changes
($BUILD/lint).
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import subprocess
import sys

import configs
import netlist
import rtl

WIDTHS, BETWEEN = (64, 512), (128, 256)      # DATA_W of all modules, of tops
BUILD = os.environ.get("BUILD", "build")
YOSYS_END = "hierarchy -check -top {top}; proc; opt_clean; check -assert; " \
            "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$_DLATCH_*_"


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return result.returncode == 0, result.stdout


def version(tool):
    return run([tool, "--version" if tool == "verilator" else "-V"])[1]


def verilator(top, files, parameters):
    args = [f"-G{name}={value}" for name, value in parameters.items()]
    return run(["verilator", "--lint-only", "-Wall", "--assert", "--top-module", top, *args, "rtl/lint.vlt", *files])


def yosys(top, files, parameters):
    chparam = "".join(f"chparam -set {name} {value} {top}; " for name, value in parameters.items())
    script = f"read_verilog -sv -defer {' '.join(files)}; {chparam}" + YOSYS_END.format(top=top)
    ok, log = run(["yosys", "-Q", "-T", "-q", "-e", netlist.REFUSED, "-p", script])
    return ok, log


def builds():
    """{name: parameters} of the builds that are not cairn_nic as it is looked at anyway."""
    if not os.path.exists(configs.TABLE):
        return {}
    defaults = dict(re.findall(r"\bparameter\b[^=,]*?(\w+)\s*=\s*(\w+)\s*,", rtl.code(configs.NIC)))
    return {name: config.parameters for name, config in configs.load().items()
            if any(defaults.get(key) != words for key, words in config.words.items() if key != "DATA_W")}


def lint(name, path, tools, stamp_base):
    """(ok, log) of one module, all its widths, or of a build of it."""
    top, _, build = name.partition(":")
    files = rtl.closure(top)
    digest = hashlib.sha256(stamp_base + repr([tool.__name__ for tool in tools]).encode())
    for file in files:
        with open(file, "rb") as source:
            digest.update(source.read())
    widths = WIDTHS + BETWEEN if yosys in tools else WIDTHS
    sets = [builds()[build]] if build else [{"DATA_W": w} for w in widths] if "DATA_W" in rtl.parameters(path) else [{}]
    digest.update(repr(sets).encode())
    stamp = f"{BUILD}/lint/{name}.{digest.hexdigest()[:24]}"
    if os.path.exists(stamp):
        return True, ""
    for parameters in sets:
        for tool in tools:
            ok, log = tool(top, files, parameters)
            if not ok:
                said = " ".join(f"{key}={value}" for key, value in parameters.items())
                return False, f"{tool.__name__} {top} {said}\n{log}"
    for old in glob.glob(f"{BUILD}/lint/{name}.*"):
        os.remove(old)
    with open(stamp, "w", encoding="utf-8"):
        pass
    return True, ""


def check_list():
    """Complaints about rtl/files.f."""
    names = rtl.listed()
    there = {p for p in glob.glob("rtl/**/*.sv", recursive=True) if not p.startswith("rtl/board/")}
    return ([f"{n}: listed, but there is no such file" for n in names if not os.path.exists(n)]
            + [f"{n}: not listed" for n in sorted(there - set(names))]
            + [f"{n}: listed twice" for n in sorted({n for n in names if names.count(n) > 1})])


def report(number, ok, name, log):
    print(f"{'ok' if ok else 'not ok'} {number} - {name}", flush=True)
    for line in log.splitlines()[:200] if not ok else []:
        print(f"# {line}", flush=True)
    return ok


def main():
    os.makedirs(f"{BUILD}/lint", exist_ok=True)
    with open(__file__, "rb") as script, open("rtl/lint.vlt", "rb") as waivers:
        stamp_base = script.read() + waivers.read() + netlist.REFUSED.encode()
    stamp_base += (version("verilator") + version("yosys")).encode()
    modules = {rtl.stem(p): p for p in rtl.listed() if not p.endswith("_pkg.sv") and os.path.exists(p)}
    used = {rtl.stem(p) for top, path in modules.items() for p in rtl.closure(top) if p != path}
    modules.update({f"cairn_nic:{name}": configs.NIC for name in builds()})
    if sys.argv[1:]:
        used = set()
        modules = {m: modules[m] for m in sys.argv[1:]}
    print(f"1..{len(modules) + 1}")
    complaints = check_list()
    good = report(1, not complaints, "rtl/files.f", "\n".join(complaints))
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        # those that take longest begin first
        tools = {top: (verilator,) if top in used else (yosys, verilator) for top in modules}
        order = sorted(modules, key=lambda top: top in used)
        begun = {top: pool.submit(lint, top, modules[top], tools[top], stamp_base) for top in order}
        jobs = [begun[top] for top in modules]
        for number, (top, job) in enumerate(zip(modules, jobs), 2):
            good &= report(number, job.result()[0], f"lint {top}", job.result()[1])
    sys.exit(0 if good else 1)


main()
