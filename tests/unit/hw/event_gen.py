#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write what the SOURCE and COUNTER rows of rtl/hw/hw.def say, for test_strobes.c, independently of hwgen.

usage: event_gen.py OUTDIR

OUTDIR/events.inc has a row for each source of each counter: the port of its strobe in hw_events, the counter, how many
it may count in a cycle, whether these are bytes, its bank and the port of the QPN, or none.
"""
import re
import sys

ROW = re.compile(r'^\s*(SOURCE|COUNTER|QP_COUNTER|BYTE_COUNTER)\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)', re.M)
BANKS = {"RCV": 0, "SND": 1, "OUT": 2}


def rows():
    with open("rtl/hw/hw.def", encoding="utf-8") as table:
        for kind, args in ROW.findall(table.read()):
            yield kind, [a.strip() for a in re.sub(r'"(?:[^"\\]|\\.)*"', "", args).split(",")]


def uses(text):
    """(source, events in a cycle) of a column like `a|b*2`."""
    for use in text.split("|"):
        name, _, times = use.partition("*")
        yield name.strip(), int(times or 1)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    paths, banks, out = {}, {}, []
    for kind, args in rows():
        if kind == "SOURCE":
            name, within, bank = args[:3]
            paths[name] = "" if within == "NONE" else f"{paths[within]}_{name}"
            banks[name] = bank
            continue
        if args[3] == "NONE":
            continue
        for name, times in uses(args[3]):
            counts_qp = kind == "QP_COUNTER" and banks[name] != "NONE"
            qpn = f'"events{paths[name]}_qpn_i"' if counts_qp else "NULL"
            out.append(f'\t{{ "events{paths[name]}_{args[1].lower()}_i", CAIRN_COUNTER_{args[1]}, {times}, '
                       f'{int(kind == "BYTE_COUNTER")}, {BANKS[banks[name]] if counts_qp else 0}, {qpn} }},')
    with open(f"{sys.argv[1]}/events.inc", "w", encoding="utf-8") as inc:
        inc.write("static const struct use uses[] = {\n" + "\n".join(out) + "\n};\n")


if __name__ == "__main__":
    main()
