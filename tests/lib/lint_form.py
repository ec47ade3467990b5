#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the form of the RTL and of its benches and print TAP (run by `make lint`); the rules are in CONTRIBUTING.md.

usage: lint_form.py [--update]

What the tree does not keep yet stands in tests/lib/form.known, a row a file and rule: rule, file, today's figure, and
why.  The figure is a ceiling: more is refused, and so is a row whose file keeps the rule by now.  --update lowers the
figures to what they are and takes rows out that nothing needs any more; it never raises one.
"""
import glob
import os
import re
import sys

import house
import rtl

TABLE = "tests/lib/form.known"
LOGIC_LINES, PORTS, BLOCK_LINES = 300, 40, 60
TOP = "rtl/cairn_nic.sv"  # its ports are the pins of the device
STATES = re.compile(r"\blocalparam\s+logic\s*\[[^\]]*\]\s*\w+\s*=\s*\d+'d0\s*,\s*\w+\s*=\s*\d+'d1\b")
FUNCTION = re.compile(r"\bfunction\b[^;]*;", re.S)
ARGUMENT = re.compile(r"\binput\s+(\w+_pkg::\w+_t)\b")
PORT_LINE = re.compile(r"^\s*(?:input|output)\s+\S+(?:\s+\[[^\]]*\])*\s+(\w+)\s*(?:,|//|$)")
PARAMETER_TYPE = re.compile(r"\bparameter\s+type\b")
VECTOR = re.compile(r"\blogic\s+(?:\[[^\]]*\]\s*)+(\w+(?:\s*,\s*\w+)*)\s*[;=]")
CONSTANT = re.compile(r"\b(?:genvar\s+|int\s+(?:unsigned\s+)?)(\w+)|\b([A-Z][A-Z0-9_]*)\b")
PLACED = re.compile(r"(?:[;:)]|\bbegin\b|\belse\b)\s*(\w+)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\s*<=")
INDEX = re.compile(r"(?<![\w:$'.])([A-Za-z_]\w*)(?!\s*::)")
LOCALPARAM = re.compile(r"\b(?:localparam|parameter)\s+int\s+unsigned\s+(\w+)\s*=\s*([^,;]+)")


def handwritten():
    return [p for p in rtl.listed() if "/hw/" not in p]


def modules():
    return [p for p in handwritten() if re.search(r"^\s*module ", rtl.code(p), re.M)]


def records():
    """Names of the records and bundles of int.def."""
    with open("rtl/hw/int.def", encoding="utf-8") as table:
        return set(re.findall(r"^(?:RECORD|BUNDLE)\((\w+)", table.read(), re.M))


def structs():
    """Types of the generated packages that are structs."""
    found = set()
    for path in glob.glob("rtl/hw/*_pkg.sv"):
        package = rtl.stem(path)
        found |= {f"{package}::{name}" for name in re.findall(r"\bstruct packed \{[^}]*\} (\w+);", rtl.code(path))}
    return found


def logic(path):
    return len(house.body(path))


def ports(path):
    return 0 if path == TOP else len(rtl.head(path)[1])


def block(path):
    return max((lines for lines, _ in house.blocks(path)), default=0)


def shell(path):
    """Ports, where they are more than the lines behind them."""
    count = len(rtl.head(path)[1])
    return count if path not in house.CELLS and path != TOP and count > logic(path) else 0


def widths(path):
    cell = path.startswith("rtl/lib/") and not path.endswith("_pkg.sv")  # knows no records
    return 0 if cell else len(house.hits(house.WIDTH_SUM, [path]))


def states(path):
    return len(STATES.findall(rtl.code(path)))


def flat(path):
    """Ports that are a vector as wide as a record, or several."""
    parameters, found = rtl.head(path)
    meaning = dict(LOCALPARAM.findall(parameters))
    widths_of = {f"cairn_int_pkg::{name.upper()}_W" for name in records()}

    def is_record(text, depth=0):
        names = re.findall(r"(?:\w+::)?\w+", text)
        return any(n in widths_of or (depth < 4 and is_record(meaning.get(n, ""), depth + 1)) for n in names)

    return sum(1 for _, kind, wide, _ in found if kind == "logic" and wide and is_record(wide))


def ragged(path):
    """Ports whose name does not begin in the column that most names of the list begin in."""
    with open(path, encoding="utf-8") as source:
        found = [PORT_LINE.match(line) for line in source.read().split("\n")]
    columns = [match.start(1) for match in found if match]
    return len(columns) - max((columns.count(column) for column in set(columns)), default=0)


def refused(path):
    """What Debian 12's Yosys misunderstands: structs as arguments or in arrays of ports, types as parameters."""
    text, known = rtl.code(path), structs()
    arguments = [kind for head in FUNCTION.findall(text) for kind in ARGUMENT.findall(head)]
    arrays = [name for _, kind, wide, name in rtl.head(path)[1] if kind in known and wide] if "module" in text else []
    return sum(kind in known for kind in arguments) + len(arrays) + len(PARAMETER_TYPE.findall(text))


def placed(path):
    """Writes to a vector at a place that only the running device knows: Yosys shifts and masks the whole vector for
    each, and what is wider than a few bits belongs into a RAM, or into a decoder that a reader sees."""
    text = rtl.code(path)
    vectors = {name.strip() for names in VECTOR.findall(text) for name in names.split(",")}
    constants = {name for pair in CONSTANT.findall(text) for name in pair}
    return sum(1 for name, index in PLACED.findall(text)
               if name in vectors and not set(INDEX.findall(index)) <= constants)


def places(path):
    return 0 if path.startswith("tests/lib/vtb") else len(house.hits(house.LITERAL_PLACE, [path]))


def record_widths(path):
    return len(house.hits(house.RECORD_WIDTH, [path]))


def sources():
    return sorted(glob.glob("tests/**/*.c", recursive=True) + glob.glob("tests/**/*.h", recursive=True))


# name: (what, files, figure of a file, limit)
RULES = {
    "logic": ("lines of logic in a module (without comments, ports, blanks)", modules, logic, LOGIC_LINES),
    "ports": ("ports of a module", modules, ports, PORTS),
    "block": ("lines of an always block", modules, block, BLOCK_LINES),
    "shell": ("ports of a module that has fewer lines of body", modules, shell, 0),
    "widths": ("widths added up by hand, which a record of int.def knows", handwritten, widths, 0),
    "states": ("lists of states that are no enum", modules, states, 0),
    "flat": ("ports that are a record and have not its type", modules, flat, 0),
    "ragged": ("ports that do not stand in one column with the others", modules, ragged, 0),
    "refused": ("structs as arguments, arrays of struct ports, types as parameters", modules, refused, 0),
    "placed": ("writes to a vector at a place that is not constant", modules, placed, 0),
    "places": ("places of bits typed in a test (tests/lib/vtb_rec.h has them)", sources, places, 0),
    "record": ("widths of records typed in a test (rtl/hw/cairn_int.h has them)", sources, record_widths, 0),
}


def table():
    """{(rule, file): (line, figure, why)}"""
    found = {}
    with open(TABLE, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if line.strip() and not line.startswith("#"):
                rule, path, figure, *why = [cell.strip() for cell in line.split("|")]
                found[rule, path] = (number, int(figure), " ".join(why))
    return found


def judge(rule, known):
    """Complaints of one rule."""
    what, files, figure, limit = RULES[rule]
    rows = {path: row for (of, path), row in known.items() if of == rule}
    for path in files():
        now = figure(path)
        line, ceiling, _ = rows.pop(path, (0, limit, ""))
        if now > ceiling:
            more = f" (it was {ceiling}: {TABLE}:{line})" if line else ""
            yield f"{path}: {now} {what}, at most {limit}{more}"
        elif line and now <= limit:
            yield f"{TABLE}:{line}: {path} keeps the rule ({rule}): take the row out (lint_form.py --update)"
    for path, (line, _, _) in rows.items():
        yield f"{TABLE}:{line}: no file {path} for {rule}: take the row out (lint_form.py --update)"


def update():
    rows = table()
    with open(TABLE, encoding="utf-8") as text:
        lines = text.readlines()
    for (rule, path), (number, ceiling, _) in rows.items():
        _, _, figure, limit = RULES[rule]
        now = figure(path) if os.path.isfile(path) else 0
        cells = lines[number - 1].split("|")
        cells[2] = f" {min(now, ceiling)} "
        lines[number - 1] = "|".join(cells) if now > limit else ""
    with open(TABLE, "w", encoding="utf-8") as text:
        text.writelines(lines)


def main():
    if sys.argv[1:] == ["--update"]:
        return update()
    known, good = table(), True
    print(f"1..{len(RULES) + 1}")
    for number, rule in enumerate(RULES, 1):
        found = list(judge(rule, known))
        good &= not found
        print(f"{'not ok' if found else 'ok'} {number} - form: {RULES[rule][0]}")
        for complaint in found:
            print(f"# {complaint}")
    wrong = [f"{TABLE}:{row[0]}: no rule {rule}" for (rule, _), row in known.items() if rule not in RULES]
    wrong += [f"{TABLE}:{row[0]}: the row does not say why" for row in known.values() if not row[2]]
    wrong += [f"house.py: CELLS names {path}, which is not there" for path in house.CELLS if not os.path.isfile(path)]
    print(f"{'not ok' if wrong else 'ok'} {len(RULES) + 1} - form: {TABLE}")
    for complaint in wrong:
        print(f"# {complaint}")
    return 1 if wrong or not good else 0


if __name__ == "__main__":
    sys.exit(main())
