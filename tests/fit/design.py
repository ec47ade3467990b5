# SPDX-License-Identifier: Apache-2.0
"""The design of a build as Yosys has it after elaboration, cut into units; and what each unit is made of, as a hash.

    design = Design("build/fit/nic64", {"DATA_W": 64}, builds.DEVICES["ecp5-85"].ram)
    design.names("rx_path")       the names of its variants, each with its parameters
    design.write(name, path)      RTLIL of that variant; units within it are black boxes

A hash is of what the text of a unit's files says (no comments, no white space), and of the rows of generated packages
that it uses, so a new row in a table of rtl/hw leaves the other units as they are.
"""
import hashlib
import os
import re
import subprocess

import builds
import rtl

NAME = re.compile(r"^\$paramod(?:\$[0-9a-f]+)?\\(\w+)")
CELL = re.compile(r"^(  cell )(\S+)( .*)$")
PORT_LINE = re.compile(r"^  wire .*\b(?:input|output|inout) \d+ ")
ITEM = re.compile(r"\bfunction\b.*?\bendfunction\b|\btypedef\b[^;{]*(?:\{[^}]*\})?[^;]*;|\b(?:localparam|parameter)\b[^;]*;", re.S)


class Refused(Exception):
    """The design, or a tool on it, does not do; the text says what to look at."""


def yosys(program, lines, base, what):
    """Run a script of Yosys; its log is <base>.log.  Returns seconds of a processor."""
    with open(f"{base}.ys", "w", encoding="utf-8") as script:
        script.write("\n".join(lines) + "\n")
    with open(f"{base}.log", "w", encoding="utf-8") as log:
        with subprocess.Popen([program, "-Q", "-T", "-q", "-e", "implicitly declared", "-s", f"{base}.ys"], stdout=log,
                              stderr=subprocess.STDOUT) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        with open(f"{base}.log", encoding="utf-8", errors="replace") as log:
            said = [line for line in log if "Replacing memory" not in line]
        raise Refused(f"Yosys refuses {what}, exit {process.returncode} (log: {base}.log):\n{''.join(said[-12:])}")
    return used.ru_utime


def text(top, parameters, *recipe):
    """Hash of all that a design is made of, comments aside."""
    parts = [repr(sorted(parameters.items())), *recipe, *(rtl.code(path) for path in rtl.closure(top))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def same(path, words):
    """Does a file say just this?"""
    try:
        with open(path, encoding="utf-8") as known:
            return known.read() == words
    except FileNotFoundError:
        return False


class Design:
    def __init__(self, program, folder, parameters, macros=(), top=builds.TOP, units=None, whole=False):
        """whole: the top is not cut into its parts, so that constants and what nobody reads go through all of it."""
        os.makedirs(folder, exist_ok=True)
        self.whole = whole
        self.top, self.stops = top, set(units if units is not None else builds.units())
        elaborated = f"{folder}/elaborated.il"
        state = text(top, parameters, *macros)
        if not same(f"{elaborated}.state", state):
            settings = [f"chparam -set {name} {value} {top}" for name, value in parameters.items()]
            yosys(program, [f"read_verilog -sv -defer {' '.join(f'-D {macro}' for macro in macros)} "
                            f"{' '.join(rtl.closure(top))}", *settings, f"hierarchy -check -top {top}",
                            f"write_rtlil {elaborated}"], f"{folder}/elaborate", top)
            with open(f"{elaborated}.state", "w", encoding="ascii") as out:
                out.write(state)
        self.modules, self.cells = {}, {}
        self.read(elaborated)
        # What a build leaves out stands in a file that it does not elaborate.
        known = {rtl.stem(path) for path in rtl.closure(top)}
        missing = [unit for unit in self.stops if not self.names(unit) and unit not in known]
        if missing:
            raise Refused(f"{top} has no {', '.join(sorted(missing))}: see UNITS in tests/fit/builds.py")

    def read(self, path):
        """Text of each module, with names in place of Yosys's, which are no words."""
        with open(path, encoding="utf-8") as source:
            lines = source.read().splitlines()
        clean = {line.split()[1]: self.clean(line.split()[1]) for line in lines if line.startswith("module ")}
        current = None
        for line in lines:
            if line.startswith("module "):
                name = clean[line.split()[1]]
                current, line = self.modules.setdefault(name, []), f"module \\{name}"
                self.cells[name] = []
            if current is None:
                continue
            found = CELL.match(line)
            if found and found[2] in clean:
                self.cells[name].append(clean[found[2]])
                line = f"{found[1]}\\{clean[found[2]]}{found[3]}"
            current.append(line)
            if line == "end":
                current = None

    @staticmethod
    def clean(name):
        found = NAME.match(name)
        return f"{found[1]}__{hashlib.sha256(name.encode()).hexdigest()[:8]}" if found else name.lstrip("\\")

    @staticmethod
    def stem(name):
        return name.split("__")[0]

    def names(self, unit):
        return sorted(name for name in self.modules if self.stem(name) == unit)

    def inside(self, name):
        """Names of the modules of a unit without those in units within it, and {unit within it: how often}."""
        own, nested, todo = {name}, {}, [(name, 1)]
        stops = () if self.whole and name == self.top else self.stops
        while todo:
            module, times = todo.pop()
            for cell in self.cells[module]:
                if self.stem(cell) in stops:
                    nested[cell] = nested.get(cell, 0) + times
                else:
                    own.add(cell)
                    todo.append((cell, times))
        return own, nested

    def write(self, name, path):
        own, nested = self.inside(name)
        with open(path, "w", encoding="utf-8") as out:
            for module in sorted(own):
                out.write("\n".join(self.modules[module]) + "\n")
            for module in sorted(nested):
                ports = [line for line in self.modules[module] if PORT_LINE.match(line)]
                out.write("\n".join(["attribute \\blackbox 1", "attribute \\keep 1", f"module \\{module}", *ports, "end"]) + "\n")

    def sources(self, name):
        """What the text of a unit says; of the units within it, their ports."""
        own, nested = self.inside(name)
        says = {self.stem(module): rtl.code(files()[self.stem(module)]) for module in own}
        says |= {self.stem(module): repr(rtl.head(files()[self.stem(module)])) for module in nested}
        words = {word for code in says.values() for word in rtl.WORD.findall(code)}
        lines = [f"{stem}: {' '.join(code.split())}" for stem, code in sorted(says.items())]
        return lines + sorted(used_items(words)) + sorted(own | set(nested))

    def key(self, name, *recipe):
        return hashlib.sha256("\n".join([*recipe, *self.sources(name)]).encode()).hexdigest()[:16]


def files():
    """{module or package: path}"""
    return {rtl.stem(path): path for path in rtl.listed()}


def used_items(words):
    """The declarations of packages that these words lead to, each as its text."""
    items = {}
    for path in rtl.listed():
        if path.endswith("_pkg.sv"):
            for item in ITEM.findall(rtl.code(path)):
                for word in declared(item):
                    items.setdefault(word, set()).add(" ".join(item.split()))
    found, todo = set(), [word for word in words if word in items]
    while todo:
        for item in items[todo.pop()] - found:
            found.add(item)
            todo += [word for word in set(rtl.WORD.findall(item)) if word in items]
    return found


def declared(item):
    """Names that a declaration of a package makes."""
    if item.startswith("function"):
        return [re.search(r"(\w+)\s*(?:\(|;)", item)[1]]
    if item.startswith("typedef"):
        members = re.findall(r"(\w+)\s*(?==|,|\})", item) if re.match(r"typedef\s+enum\b", item) else []
        return members + [re.search(r"(\w+)\s*;$", item)[1]]
    return re.findall(r"(\w+)\s*=(?!=)", item)
