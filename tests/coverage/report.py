#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of Verilated models against the bar: of each group (GROUPS) every line, 95 % of the toggles and every arc of
its state machines (arcs), but for what is waived in writing (waivers).

report.py bind DIR         write DIR/<module>.sv: a counter of arcs (fsm_arcs.sv) bound to each machine
report.py add SUM DIR      take the counters of DIR/*.dat into SUM, and remove the files
report.py show SUM [all]   a row a module, what is not reached, and the verdict; fails below the bar; with `all` also
                           when a module of a group was not measured

A bit has toggled when it went both ways in one instance in one run: models start with all bits 0 (run), so a second
change is the way back.
"""
import collections
import fnmatch
import functools
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = {"parser": ["rtl/rx/*"], "QP lookup": ["rtl/receive/qp_lookup.sv", "rtl/receive/rx_dispatch.sv", "rtl/send/qp_scheduler.sv"],
          "responder": ["rtl/receive/responder/*", "rtl/receive/atomic/*"]}
TOGGLES = 95  # percent
ARC = re.compile(r"u_arcs_(\w+?)__(\w+)\.from\D+(\d+)\D+to\D+(\d+)\D")


def lines_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [(row, line.rstrip()) for row, line in enumerate(file, 1) if line.strip() and not line.startswith("#")]


def states(text):
    """{name: (number, width)} of the values of all enums of a module."""
    found = {}
    for high, values in re.findall(r"\btypedef enum logic \[(\d+):0\] \{(.*?)\}", re.sub(r"//[^\n]*", "", text), re.S):
        found.update({name.strip(): (number, int(high) + 1) for number, name in enumerate(values.split(","))})
    return found


class Machine:
    """A state machine of the file `arcs`."""

    def __init__(self, head):
        self.module, _, what = (part.strip() for part in head.partition(":"))
        self.what = [part.strip() for part in what.split(",")]
        self.name = re.match(r"\w+", self.what[0])[0]
        self.path = glob.glob(f"rtl/**/{self.module}.sv", recursive=True)[0]
        with open(self.path, encoding="utf-8") as file:
            self.states = states(file.read())
        self.arcs = []

    def number(self, state):
        return self.states[state][0]

    def binding(self):
        width = self.states[self.arcs[0][0]][1]
        old, new, when = self.what if len(self.what) == 3 else ("'0", self.what[0], "rst_ni")
        return (f"bind {self.module} fsm_arcs #(.W({width}), .REG({int(len(self.what) == 1)})) u_arcs_{self.module}__{self.name} (\n"
                f"    .clk_i(clk_i), .go_i({when}), .from_i({old}), .to_i({new}));\n")


def machines():
    found = []
    for _, line in lines_of("arcs"):
        if not line.startswith(" "):
            found.append(Machine(line))
            continue
        start, *ends = line.replace(">", " ").split()
        unknown = [state for state in [start, *ends] if state not in found[-1].states]
        if unknown:
            sys.exit(f"tests/coverage/arcs: {found[-1].path} has no state {' '.join(unknown)}")
        found[-1].arcs += [(start, end) for end in ends]
    return found


def bind(folder):
    for name in glob.glob(os.path.join(folder, "*.sv")):
        os.remove(name)
    for machine in machines():
        with open(os.path.join(folder, machine.module + ".sv"), "a", encoding="utf-8") as file:
            file.write(machine.binding())


@functools.lru_cache(maxsize=None)
def point(text):
    """(kind, file, line, column, what), and the count that it takes; None: not one of ours."""
    fields = {key.decode(): value.decode() for key, value in
              (item.split(b"\x02", 1) for item in text.split(b"\x01") if b"\x02" in item)}
    kind = fields.get("page", "").split("/")[0]
    if kind != "v_user":
        return (kind, *(fields.get(name, "") for name in "flno")), 2 if kind == "v_toggle" else 1
    arc = ARC.search(fields.get("h", ""))
    return arc and (("arc", *arc.groups()), 1)


def points(path):
    """Each point of each instance, and whether it is reached."""
    with open(path, "rb") as file:
        for line in file:
            if not line.startswith(b"C '"):
                continue
            text, _, count = line[3:].rpartition(b"' ")
            found = point(text)
            if found:
                yield found[0], int(count) >= found[1]


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
        for key, reached in points(name):
            counts[key] += reached
        os.remove(name)
    with open(path, "w", encoding="utf-8") as file:
        for key, count in counts.items():
            print(*key, count, sep="\t", file=file)


class Waivers:
    """The rows of the file `waivers`."""

    def __init__(self, measured):
        self.rows = []
        self.modules = set()    # that need not be measured
        self.wrong = []
        self.used = collections.Counter()
        for row, line in lines_of("waivers"):
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) != 4 or not all(cells):
                self.wrong.append(f"waivers:{row}: not module | what | text | reason")
            elif cells[1] == "module":
                self.modules.add(cells[0])
                if cells[0] in measured:
                    self.wrong.append(f"waivers:{row}: {cells[0]} is measured")
            elif cells[0] in measured:
                self.rows.append((row, *cells[:3]))

    @staticmethod
    def fits(kind, text, what, source):
        if kind == "toggle":
            name, high, low = re.fullmatch(r"(.*?)(?:\[(\d+):(\d+)\])?", text).groups()
            name = re.escape(name).replace(r"\*", r"\d+")
            if high is None:
                return re.fullmatch(name + r"([.\[].*)?", what)
            bit = re.fullmatch(name + r"\[(\d+)\]", what)
            return bit and int(low) <= int(bit[1]) <= int(high)
        return text == what if kind == "arc" else text in source

    def waive(self, module, kind, what, reached, source=""):
        """Is that waived?"""
        waived = False
        for row, of_module, of_kind, text in self.rows:
            if (of_module, of_kind) != (module, kind) or not self.fits(kind, text, what, source):
                continue
            self.used[row] += 1
            waived = True
            if reached:
                self.wrong.append(f"waivers:{row}: {module} {kind} {what} is reached")
        return waived

    def complaints(self):
        return self.wrong + [f"waivers:{row}: {module} has no {kind} {text}"
                             for row, module, kind, text in self.rows if not self.used[row]]


class Tally:
    """Of a module or a group, of one kind of points."""

    def __init__(self):
        self.reached = self.all = self.waived = 0

    def count(self, reached, waived):
        self.all += 1
        self.reached += reached
        self.waived += waived and not reached

    def add(self, other):
        self.reached += other.reached
        self.all += other.all
        self.waived += other.waived

    def percent(self):
        return 100 * self.reached / (self.all - self.waived) if self.all > self.waived else 100

    def __str__(self):
        waived = f"{self.waived:4} waived" if self.waived else " " * 11
        return f"{self.reached:5}/{self.all:5}{waived} {self.percent():5.1f} %"


def bits(names):
    """a[0], a[1], a[2], b: a[2:0] b."""
    runs = []
    def key(name):
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
    for name in sorted(names, key=key):
        match = re.fullmatch(r"(.*)\[(\d+)\]", name)
        if match and runs and runs[-1][0] == match[1] and runs[-1][1] + 1 == int(match[2]):
            runs[-1][1] += 1
        else:
            runs.append([match[1], int(match[2]), int(match[2])] if match else [name, None, None])
    return " ".join(name if high is None else f"{name}[{high}]" if high == low else f"{name}[{high}:{low}]"
                    for name, high, low in runs)


class Report:
    """What SUM says, by module."""

    def __init__(self, path):
        self.counts = load(path)
        self.rows = collections.defaultdict(lambda: {"lines": Tally(), "toggles": Tally(), "arcs": Tally()})
        self.missed = collections.defaultdict(list)    # by file: lines and arcs
        self.silent = collections.defaultdict(list)    # toggles
        files = {key[1] for key in self.counts if key[0] != "arc"}
        self.waivers = Waivers({os.path.basename(file)[:-3] for file in files})
        self.wrong = []
        self.count_points()
        self.count_arcs()

    def count_points(self):
        texts = {}
        for (kind, file, *place), count in self.counts.items():
            if kind == "arc" or not file.startswith("rtl/"):
                continue
            module, (line, _, what) = os.path.basename(file)[:-3], place
            if kind == "v_toggle":
                waived = self.waivers.waive(module, "toggle", what, count > 0)
                self.rows[file]["toggles"].count(count > 0, waived)
                if not count and not waived:
                    self.silent[file].append(what)
                continue
            if file not in texts:
                with open(file, encoding="utf-8") as source:
                    texts[file] = source.read().splitlines()
            source = texts[file][int(line) - 1]
            waived = self.waivers.waive(module, what, what, count > 0, source)
            self.rows[file]["lines"].count(count > 0, waived)
            if not count and not waived:
                self.missed[file].append((int(line), f"{file}:{line}: {what}: {source.strip()}"))

    def count_arcs(self):
        for machine in machines():
            if machine.path not in self.rows:
                continue
            names = {number: name for name, (number, _) in machine.states.items() if name[:2] == machine.arcs[0][0][:2]}
            seen = {key[3:]: count for key, count in self.counts.items()
                    if key[:3] == ("arc", machine.module, machine.name)}
            for start, end in machine.arcs:
                count = seen.pop((str(machine.number(start)), str(machine.number(end))), 0)
                waived = self.waivers.waive(machine.module, "arc", f"{start} > {end}", count > 0)
                self.rows[machine.path]["arcs"].count(count > 0, waived)
                if not count and not waived:
                    self.missed[machine.path].append((0, f"{machine.path}: {machine.name}: arc {start} > {end}"))
            for (start, end), count in seen.items():
                if count:
                    self.wrong.append(f"{machine.path}: {machine.name}: {names.get(int(start), start)} > "
                                      f"{names.get(int(end), end)} is seen, but does not stand in arcs")

    def unmeasured(self):
        """Modules of the groups that are in no model."""
        return [f"{file}: not measured" for patterns in GROUPS.values() for pattern in patterns
                for file in sorted(glob.glob(pattern))
                if file not in self.rows and os.path.basename(file)[:-3] not in self.waivers.modules]

    def group(self, name, patterns):
        """Prints a group; what is below the bar there."""
        total = {"lines": Tally(), "toggles": Tally(), "arcs": Tally()}
        files = sorted(file for file in self.rows if any(fnmatch.fnmatch(file, pattern) for pattern in patterns))
        if not files:
            return []
        for file in files:
            for kind, tally in self.rows[file].items():
                total[kind].add(tally)
            self.print_row(file, self.rows.pop(file))
        self.print_row(name, total)
        missed = [text for file in files for _, text in sorted(self.missed[file])]
        if total["toggles"].percent() < TOGGLES:
            missed.append(f"{name}: toggles {total['toggles'].percent():.1f} %, not {TOGGLES} %")
        for file in files:
            if self.silent[file]:
                print(f"  {os.path.basename(file)}: no toggle of {bits(self.silent[file])}")
        print()
        return missed

    @staticmethod
    def print_row(name, row):
        arcs = f"  arcs {row['arcs']}" if row["arcs"].all else ""
        print(f"{name:34} lines {row['lines']}  toggles {row['toggles']}{arcs}".rstrip())


def show(path, everything):
    report = Report(path)
    missed = report.unmeasured() if everything else []
    missed += [text for name, patterns in GROUPS.items() for text in report.group(name, patterns)]
    if report.rows:
        print("Beside them, with tests of their own:")
        for file, row in sorted(report.rows.items()):
            report.print_row(file, row)
        print()
    missed += report.wrong + report.waivers.complaints()
    print(*missed, sep="\n", end="\n" if missed else "")
    print(f"coverage: {len(missed)} below the bar" if missed else
          "coverage: OK" if everything else "coverage: OK, of what was measured")
    return bool(missed)


if sys.argv[1] == "bind":
    bind(sys.argv[2])
elif sys.argv[1] == "add":
    add(sys.argv[2], sys.argv[3])
else:
    sys.exit(show(sys.argv[2], sys.argv[3:] == ["all"]))
