#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cairn report: one HTML page made of a capture of RoCE v2 packets (cairn-report(1)); `cairn` runs it.

Exit status: 0 the page is written; 1 it is not, or the capture is cut short, with a message; 2 wrong usage.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import argparse

    import page
    import roce
    from analysis import Analysis
    from stat_json import read_counters
except ImportError as missing:
    sys.exit(f"cairn report: {sys.executable} has no module {missing.name}: install Debian's python3, or all of cairn again")

ENDINGS = (".pcapng", ".pcap", ".cap")


class Refused(Exception):
    """No page can be made; the text says why, and what to do."""


def arguments():
    parser = argparse.ArgumentParser(prog="cairn report", description="Make one HTML page of a capture.")
    parser.add_argument("capture", metavar="CAPTURE", help="pcap or pcapng")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page [CAPTURE with .html]")
    parser.add_argument("-c", "--counters", metavar="FILE", help="counters of the same run: `cairn stat --json`")
    return parser.parse_args()


def output_of(capture):
    for ending in ENDINGS:
        if capture.lower().endswith(ending):
            return capture[:-len(ending)] + ".html"
    return capture + ".html"


def readable(path):
    """The name as text, whatever bytes it has."""
    return os.fsencode(os.path.basename(path)).decode(errors="replace")


def analysed(path):
    try:
        analysis = Analysis(path)
    except roce.CaptureError as why:
        raise Refused(f"{why} (cairn sim --pcap and tcpdump -w write captures)") from why
    packets = [p for _, p in analysis.packets if p]
    if not packets:
        raise Refused(f"{path}: no RoCE v2 packets (UDP port {roce.ROCE_PORT}) among {len(analysis.frames)} frames"
                      + (f"; {analysis.cut}" if analysis.cut else ""))
    if all(rule == "capture" for p in packets for rule, _ in p.wrong or [("", "")]):
        raise Refused(f"{path}: all RoCE v2 packets are cut by the capture: record whole frames (tcpdump -s 0)")
    return analysis.run()


def write(path, text):
    """All of the page or nothing."""
    part = path + ".part"
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, path)
    except OSError:
        if os.path.exists(part):
            os.unlink(part)
        raise


def make(args):
    output = args.output or output_of(args.capture)
    if os.path.exists(output) and os.path.exists(args.capture) and os.path.samefile(output, args.capture):
        raise Refused(f"{output} is the capture: name another file with -o")
    counters = read_counters([args.counters]) if args.counters else None
    analysis = analysed(args.capture)
    found = page.data(analysis, readable(args.capture), counters)
    write(output, page.page(found))
    figures = [figures for connection in found["connections"] for figures in connection["figures"]]
    print(f"{output}: {found['frames']} frames, {len(found['connections'])} connections, "
          f"{sum(one['again'] for one in figures)} sent again, "
          f"{sum(one['rnr'] + sum(one['naks'].values()) for one in figures)} NAKs")
    if analysis.cut:
        raise Refused(f"{args.capture}: {analysis.cut}: {output} has those")


def main():
    try:
        make(arguments())
    except OSError as why:
        name = why.filename if why.filename is not None else "output"
        print(f"cairn report: {name}: {why.strerror}", file=sys.stderr)
        return 1
    except (Refused, ValueError) as why:
        print(f"cairn report: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
