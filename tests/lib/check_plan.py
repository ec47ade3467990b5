#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do tests/testplan.md and SECURITY.md name each check once, and only tests that exist?  Prints TAP."""
import os
import re
import sys

CHECKS = ([*range(1, 21)] + [n for n in range(21, 49) if n not in (44, 45, 47)]
          + [n for n in range(49, 71) if n != 68] + [*range(97, 106), 109] + [*range(117, 125)] + [128, 130])
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def rows(text):
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].isdigit():
            yield int(cells[0]), cells


def tests_of(cell):
    """Pairs of file and function; function None: all of the file."""
    for part in cell.split(";"):
        name, _, functions = part.strip().partition(":")
        for function in functions.split(",") if functions else [None]:
            yield name.strip(), function and function.strip()


def source(name):
    for ending in (".c", ".py", ""):
        path = os.path.join(TESTS, name + ending)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    base, _, width = name.rpartition("_")
    return source(base) if width.isdigit() else None


def wrong_tests(number, cells):
    if len(cells) != 5:
        return [f"check {number}: {len(cells)} columns, not 5"]
    state = cells[4].split(":")[0]
    if state not in ("covered", "part", "open"):
        return [f"check {number}: state {state}"]
    if cells[2] == "open":
        return [] if state == "open" else [f"check {number}: no test, and {state}"]
    return missing_tests(f"check {number}", cells[2])


def missing_tests(what, cell):
    wrong = []
    for name, function in tests_of(cell):
        text = source(name)
        if text is None:
            wrong.append(f"{what}: there is no test {name}")
        elif function and not re.search(rf"\b{re.escape(function)}\b", text):
            wrong.append(f"{what}: {name} has no {function}")
    return wrong


def promises(text):
    """Rows of SECURITY.md: what holds, and the tests that hold it."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("what holds", "---"):
            yield cells


def wrong_promises():
    with open(os.path.join(os.path.dirname(TESTS), "SECURITY.md"), encoding="utf-8") as file:
        found = list(promises(file.read()))
    wrong = [] if len(found) > 20 else [f"{len(found)} rows in SECURITY.md"]
    for cells in found:
        wrong += missing_tests(cells[0], cells[1]) if len(cells) == 2 and cells[1] else [f"{cells[0]}: no tests"]
    return wrong


def main():
    with open(os.path.join(TESTS, "testplan.md"), encoding="utf-8") as file:
        plan = list(rows(file.read()))
    numbers = [number for number, _ in plan]
    wrong = [f"check {n} stands there {numbers.count(n)} times" for n in CHECKS if numbers.count(n) != 1]
    wrong += [f"check {n} is none of the plan's" for n in numbers if n not in CHECKS]
    missing = [text for number, cells in plan for text in wrong_tests(number, cells)]
    untested = wrong_promises()
    print("1..3")
    for index, (name, found) in enumerate((("test plan: each check once", wrong), ("test plan: tests that exist", missing),
                                           ("SECURITY.md: each sentence has tests that exist", untested)), 1):
        print(f"{'not ok' if found else 'ok'} {index} - {name}")
        for text in found:
            print("#", text)
    return 1 if wrong or missing or untested else 0


sys.exit(main())
