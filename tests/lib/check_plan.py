#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do docs/checks.md, tests/testplan.md and SECURITY.md agree, and name only tests that exist?  Prints TAP."""
import os
import re
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = os.path.dirname(TESTS)


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


def wrong_checks(checks, planned):
    """docs/checks.md: each number once and in order, with "plan", tests, or why there are none."""
    numbers = [number for number, _ in checks]
    wrong = [] if numbers == list(range(1, len(numbers) + 1)) else ["docs/checks.md: the numbers are not 1, 2, 3 ..."]
    for number, cells in checks:
        where = cells[-1]
        if len(cells) != 3 or not where:
            wrong.append(f"check {number}: {len(cells)} columns, or none of them says where it is tested")
        elif where == "plan":
            wrong += [] if planned.count(number) == 1 else [f"check {number} is {planned.count(number)} times in the plan"]
        elif number in planned:
            wrong.append(f"check {number} is in the plan, and docs/checks.md does not say so")
        elif where.startswith("none"):
            wrong += [] if re.match(r"none: \S.{7}", where) else [f"check {number}: none, and no reason"]
        else:
            wrong += missing_tests(f"check {number}", where)
    return wrong + [f"check {n} is not in docs/checks.md" for n in planned if n not in numbers]


def promises(text):
    """Rows of SECURITY.md: what holds, and the tests that hold it."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("what holds", "---"):
            yield cells


def wrong_promises():
    with open(os.path.join(TOP, "SECURITY.md"), encoding="utf-8") as file:
        found = list(promises(file.read()))
    wrong = [] if len(found) > 20 else [f"{len(found)} rows in SECURITY.md"]
    for cells in found:
        wrong += missing_tests(cells[0], cells[1]) if len(cells) == 2 and cells[1] else [f"{cells[0]}: no tests"]
    return wrong


def main():
    with open(os.path.join(TESTS, "testplan.md"), encoding="utf-8") as file:
        plan = list(rows(file.read()))
    with open(os.path.join(TOP, "docs", "checks.md"), encoding="utf-8") as file:
        wrong = wrong_checks(list(rows(file.read())), [number for number, _ in plan])
    missing = [text for number, cells in plan for text in wrong_tests(number, cells)]
    untested = wrong_promises()
    results = (("docs/checks.md: each check is in the plan, or has tests, or a reason", wrong),
               ("test plan: tests that exist", missing), ("SECURITY.md: each sentence has tests that exist", untested))
    print(f"1..{len(results)}")
    for index, (name, found) in enumerate(results, 1):
        print(f"{'not ok' if found else 'ok'} {index} - {name}")
        for text in found:
            print("#", text)
    return 1 if wrong or missing or untested else 0


sys.exit(main())
