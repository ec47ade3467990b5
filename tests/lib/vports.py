#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""List the ports of a Verilated top for sim/sim_dut.cpp.

usage: vports.py V<model>.h > ports.inc

Verilator declares each port in the model's header as VL_IN8(&name,msb,lsb); or VL_OUTW(&name,msb,lsb,words);
one row SIM_PORT("name", member, width, direction) is printed for each.  Ports that C cannot address as one
little-endian bit string (inout, unpacked arrays) are refused.
"""
import re
import sys

PORT = re.compile(r"^\s*VL_(IN|OUT|INOUT)(?:8|16|64|W)?\((.*)\);\s*$")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = []
    with open(sys.argv[1], encoding="utf-8") as header:
        for line in header:
            match = PORT.match(line)
            if not match:
                continue
            member, msb, lsb = match.group(2).split(",")[:3]
            member = member.strip().lstrip("&")
            if match.group(1) == "INOUT" or not re.fullmatch(r"\w+", member):
                sys.exit(f"vports.py: {sys.argv[1]}: port {member}: inout and unpacked array ports are not supported")
            name = member.replace("___05F", "__")
            rows.append(f'SIM_PORT("{name}", {member}, {abs(int(msb) - int(lsb)) + 1}, SIM_{match.group(1)})')
    if not rows:
        sys.exit(f"vports.py: {sys.argv[1]}: no ports found")
    print("\n".join(rows))


main()
