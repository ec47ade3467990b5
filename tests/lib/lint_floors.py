#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No circles among the C files of a folder: TAP, a line a folder (run by `make lint` and `make test`).

A file depends on another when its object uses a symbol that the other defines (nm), be it called or only its address
taken.  Files of which each depends on the next, and the last on the first, have no order in which one could read or
test them: what they share belongs into a file below them (CONTRIBUTING.md).

A library that is preloaded defines what the C library does, too: who calls open() in it means that one.  So what the
library of a row exports counts for nothing.

Of another folder only those headers are included that it has for others.

usage: lint_floors.py [FOLDER FILES OBJECTS NM [LIBRARY]]    one row like those below
       lint_floors.py [FOLDER OTHER HEADERS]
"""
import glob
import os
import re
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
FW_CROSS = os.environ.get("FW_CROSS", "riscv64-unknown-elf-")
# Folder, which files below it, folder of their objects as `make all` leaves them, nm, library or nothing.  The target
# lint has these objects as prerequisites.
FOLDERS = (
    ("firmware", "*.c", f"{BUILD}/firmware/obj/cairn_fw/firmware", f"{FW_CROSS}gcc-nm"),
    ("driver", "*.c bus/*.c", f"{BUILD}/driver", "nm"),
    ("libprovider", "*.c cm/*.c", f"{BUILD}/provider", "nm", f"{BUILD}/lib/libcairn-verbs.so"),
    ("libprovider/tool", "*.c", f"{BUILD}/tool", "nm"),
    ("sim", "*.c", f"{BUILD}/sim", "nm"),
    ("rtl/hw", "hwgen.c hwgen_[!r]*.c", f"{BUILD}/hwgen.d", "nm"),  # hwgen_rows.c: the tables themselves
)
# Folder, another one, its headers that files of the first may include.  Headers only, for both ends of what a simulated
# NIC shows: trust.h, sealed.h, devtime.h.
HEADERS = (
    ("libprovider", "driver", "cairn.h queue.h cancel.h trust.h sealed.h devtime.h"),
    ("sim", "driver", "cairn.h bus.h bus/vfu_proto.h trust.h sealed.h devtime.h"),
    ("driver", "sim", ""),
    ("driver", "libprovider", ""),
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


class Unusable(Exception):
    pass


def objects(folder, patterns, built):
    """{file: its object}.  Objects whose source is no more may still lie there: sources say which count."""
    files = sorted(os.path.relpath(path, folder) for pattern in patterns.split()
                   for path in glob.glob(os.path.join(folder, pattern)))
    found = {name: os.path.join(built, name[:-2] + ".o") for name in files}
    missing = [name for name in files if not os.path.exists(found[name])]
    if not files:
        raise Unusable(f"{folder} has no {patterns}")
    if missing:
        raise Unusable(f"{built} has no objects of {' '.join(missing)}: run make all first")
    return found


def run(nm, *arguments):
    """Its lines: [(file, symbol, kind)]"""
    done = subprocess.run([nm, "-A", "-P", "-g", *arguments], stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode:
        raise Unusable(f"{nm} ended with status {done.returncode}")
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(": ")
        yield path, *rest.split()[:2]


def symbols(found, nm, library):
    """[(file, symbol, is it defined there)] of all that linking sees, but what the library exports."""
    file_of = {path: name for name, path in found.items()}
    exported = {symbol for _, symbol, _ in run(nm, "-D", "--defined-only", library)} if library else ()
    for path, symbol, kind in run(nm, *file_of):
        if symbol not in exported:
            yield file_of[path], symbol, kind not in "Uwv"


def graph(listed):
    """{file: {file it depends on: one symbol}}"""
    listed = list(listed)
    homes, edges = {}, {name: {} for name, _, _ in listed}
    for name, symbol, defined in listed:
        if defined:
            homes.setdefault(symbol, []).append(name)
    for name, symbol, defined in listed:
        for home in homes.get(symbol, []) if not defined else []:
            if home != name:
                edges[name].setdefault(home, symbol)
    return edges


def reach(edges, start):
    """Files that `start` depends on, by any number of steps: {file: the one before it on a shortest way}"""
    before, queue = {}, [start]
    for name in queue:
        for home in sorted(edges[name]):
            if home not in before:
                before[home] = name
                queue.append(home)
    return before


def circles(edges):
    """Each set of files that depend on one another: (files, a shortest circle among them)"""
    ways = {name: reach(edges, name) for name in edges}
    seen = set()
    for name in sorted(edges):
        if name in seen or name not in ways[name]:
            continue
        members = sorted(other for other in ways[name] if name in ways[other])
        seen.update(members)
        yield members, min((circle(ways[member], member) for member in members), key=len)


def circle(before, start):
    way = [before[start], start]
    while way[0] != start:
        way.insert(0, before[way[0]])
    return way


def complaints(folder, patterns, built, nm, library=None):
    edges = graph(symbols(objects(folder, patterns, built), nm, library))
    for members, shortest in circles(edges):
        yield f"{len(members)} files of {folder} depend on one another: {' '.join(members)}; the shortest circle:"
        for name, home in zip(shortest, shortest[1:]):
            yield f"  {name} uses {edges[name][home]} of {home}"
        inner = [(name, home) for name in members for home in sorted(edges[name]) if home in members]
        if len(inner) >= len(shortest):
            yield "all that is between them:"
            yield from (f"  {name} uses {edges[name][home]} of {home}" for name, home in inner)


def strangers(folder, other, headers):
    """Headers of the other folder that are not for this one"""
    paths = sorted(glob.glob(os.path.join(folder, "**", "*.[ch]"), recursive=True))
    if not paths:
        raise Unusable(f"{folder} has no C files")
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as text:
            included = INCLUDE.findall(text.read())
        for name in included:
            own = any(os.path.exists(os.path.join(top, name)) for top in (os.path.dirname(path), folder))
            if not own and os.path.exists(os.path.join(other, name)) and name not in headers.split():
                yield f"{path} includes {name}, which is {other}'s own; for others it has: {headers or 'nothing'}"


def main(arguments):
    if len(arguments) not in (0, 3, 4, 5):
        sys.exit("\n".join(__doc__.splitlines()[-2:]))
    folders = [arguments] if len(arguments) > 3 else [] if arguments else FOLDERS
    headers = [arguments] if len(arguments) == 3 else [] if arguments else HEADERS
    checks = [(complaints, row, f"{row[0]} has no circle of files") for row in folders]
    checks += [(strangers, row, f"{row[0]} includes nothing that is {row[1]}'s own") for row in headers]
    good = True
    print(f"1..{len(checks)}")
    for number, (check, row, name) in enumerate(checks, 1):
        try:
            found = list(check(*row))
        except (OSError, Unusable) as problem:
            found = [str(problem)]
        good &= not found
        print(f"{'not ok' if found else 'ok'} {number} - floors: {name}")
        for complaint in found:
            print(f"# {complaint}")
    sys.exit(0 if good else 1)


main(sys.argv[1:])
