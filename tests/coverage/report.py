#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of Verilated models.

report.py add SUM DIR      take the counters of DIR/*.dat into SUM, and remove the files
report.py show SUM FLOOR   a row a module: lines and toggles reached; fails below FLOOR percent of lines
"""
import collections
import glob
import os
import re
import sys

POINT = re.compile(rb"^C '(.*)' (\d+)$")


def points(path):
    """(kind, file, line, what) and its count, whatever instance it is of."""
    with open(path, "rb") as file:
        for line in file:
            match = POINT.match(line.rstrip())
            if not match:
                continue
            fields = dict(item.split(b"\x02", 1) for item in match[1].split(b"\x01") if b"\x02" in item)
            kind = fields.get(b"page", b"").split(b"/")[0].decode()
            yield (kind, fields.get(b"f", b"").decode(), fields.get(b"l", b"").decode(),
                   fields.get(b"o", b"").decode()), int(match[2])


def load(path):
    counts = collections.Counter()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                *key, count = line.rstrip("\n").split("\t")
                counts[tuple(key)] = int(count)
    return counts


def add(path, folder):
    counts = load(path)
    for name in glob.glob(os.path.join(folder, "*.dat")):
        for key, count in points(name):
            counts[key] += count
        os.remove(name)
    with open(path, "w", encoding="utf-8") as file:
        for key, count in counts.items():
            print(*key, count, sep="\t", file=file)


def show(path, floor):
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    missed = []
    for (kind, file, line, what), count in load(path).items():
        if not file.startswith("rtl/"):
            continue
        row, at = rows[file], 2 if kind == "v_toggle" else 0
        row[at] += count > 0
        row[at + 1] += 1
        if not count and not at:
            missed.append(f"{file}:{line} {what}")
    low = False
    for file, (lines, of_lines, toggles, of_toggles) in sorted(rows.items()):
        percent = 100 * lines / of_lines if of_lines else 100
        low |= percent < floor
        print(f"{file:34} lines {lines:4}/{of_lines:4} {percent:5.1f} %  toggles {toggles:5}/{of_toggles:5} "
              f"{100 * toggles / of_toggles if of_toggles else 100:5.1f} %")
    print(*sorted(missed), sep="\n")
    return low


if sys.argv[1] == "add":
    add(sys.argv[2], sys.argv[3])
else:
    sys.exit(show(sys.argv[2], float(sys.argv[3])))
