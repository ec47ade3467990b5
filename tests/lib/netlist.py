#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Yosys makes of a module, as Verilog again (tests/integration/netlist/tests.mk, tests/lib/verilate.py).

usage: netlist.py --build NAME --output FILE.sv TOP

The module in FILE.sv is TOP_net, with the ports of TOP and the parameters of that build (rtl/builds.def); FILE.sv.d
has what it was made from, for make.  It is the word-level netlist of the whole flattened design after elaboration and
optimisation, where a difference between Verilator's and Yosys's reading of the language shows; mapping to gates is left
to `make synth`.  Memories stay memories.  Yosys's log is FILE.sv.log.
"""
import argparse
import os
import re
import subprocess
import sys

import configs
import rtl

# Form of generated code is not ours.  UNOPTFLAT: Verilator looks at words, and Yosys puts bits that do not depend on
# each other in one word; real loops are refused by `scc -expect 0`.
WAIVED = "CASEOVERLAP CASEINCOMPLETE DECLFILENAME WIDTH UNUSEDSIGNAL UNDRIVEN UNOPTFLAT BLKSEQ"

# Yosys reads something else than is meant: a name that is not declared, a port of another width.
REFUSED = "implicitly declared|Resizing cell port"

# pmuxtree, splitnets: for Verilator.  It turns the functions that write_verilog makes of $pmux into some 10 MB of C++,
# and takes a vector whose bits drive each other for a loop, which it then iterates.  Write enables of memories are
# such vectors (one bit drives the rest), the others are where drivers meet in a word.
SCRIPT = """
read_verilog -sv -defer {files}
{chparam}
hierarchy -check -top {top}
proc
opt_clean
check -assert
select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$_DLATCH_*_
flatten
opt_clean -purge
opt -noff -purge
check -assert
scc -expect 0
pmuxtree
splitnets w:*$memwr$*_EN*
opt_clean -purge
splitnets -driver
opt_clean -purge
opt_expr -full -mux_undef
opt_clean -purge
check -assert
rename {top} {top}_net
write_verilog -noattr {output}
"""


def make(top, files, parameters, output):
    """Write TOP_net of `top` with these {parameter: value} to the file `output`, from `files`, packages first."""
    raw = f"{output}.tmp"
    values = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    with open(f"{output}.ys", "w", encoding="utf-8") as out:
        out.write(SCRIPT.format(files=" ".join(files), chparam=f"chparam {values} {top}" if values else "", top=top,
                                output=raw))
    result = subprocess.run(["yosys", "-Q", "-T", "-q", "-e", REFUSED, "-l", f"{output}.log",
                             "-s", f"{output}.ys"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if result.returncode:
        sys.exit(f"netlist: Yosys refuses {top} (log: {output}.log):\n{result.stdout}")
    with open(output, "w", encoding="utf-8") as out, open(raw, encoding="utf-8") as text:
        out.writelines(f"/* verilator lint_off {rule} */\n" for rule in WAIVED.split())
        out.writelines(text)
    os.remove(raw)


def stand_in(top, path, files, parameters, folder):
    """The files of a module `top` with the head of the one in `path` that has nothing in it but TOP_net: for who
    addresses its ports by their types."""
    make(top, files, parameters, f"{folder}/{top}_net.sv")
    text, ports = rtl.head(path)
    outside = ",\n".join(f"  {way} {kind} {bits or ''} {name}" for way, kind, bits, name in ports)
    inside = ", ".join(f".{name}" for _, _, _, name in ports)
    with open(f"{folder}/{top}.sv", "w", encoding="utf-8") as out:
        out.write(f"/* verilator lint_off UNUSEDPARAM */\nmodule {top} {f'#({text}) ' if text else ''}(\n{outside});\n"
                  f"  {top}_net u_net ({inside});\nendmodule\n")
    return [file for file in files if file.endswith("_pkg.sv")] + [f"{folder}/{top}_net.sv", f"{folder}/{top}.sv"]


def given(arguments):
    """{parameter: value} of Verilator's arguments -GNAME=VALUE."""
    return dict(re.findall(r"-G(\w+)=(\S+)", arguments))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("top")
    opt = parser.parse_args()
    os.makedirs(os.path.dirname(opt.output) or ".", exist_ok=True)
    files = rtl.closure(opt.top)
    make(opt.top, files, configs.load()[opt.build].parameters, opt.output)
    with open(f"{opt.output}.d", "w", encoding="utf-8") as out:
        # The empty rules keep make going when a source is renamed or deleted.
        out.write(f"{opt.output}: {' '.join(files)}\n" + "".join(f"{f}:\n" for f in files))


if __name__ == "__main__":
    main()
