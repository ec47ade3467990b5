# SPDX-License-Identifier: Apache-2.0
"""What is kept of the figures in the repository: docs/fit.json (the last ones of each unit, with the hash of what they
are of, the hash of all sources of a build that was measured whole, and a history), and the tables of docs/fit.md, which
are made of it.
"""
import datetime
import json
import subprocess
import textwrap

import budget
import builds
import grid

KEPT, PAGE = "docs/fit.json", "docs/fit.md"
FIGURES = ("hash", "seconds", "lut", "lutram", "ff", "bram", "uram", "carry", "dsp", "levels", "chain", "mux", "beyond", "in",
           "out", "through", "from", "to", "place")
COLUMNS = ("lut", "lutram", "ff", "bram", "uram", "levels", "chain", "beyond", "out", "fmax")


def load(path=KEPT):
    try:
        with open(path, encoding="utf-8") as text:
            return json.load(text)
    except FileNotFoundError:
        return {"states": {}, "units": {}, "history": []}


def save(kept, path=KEPT):
    """A unit a line, so that a change shows what became another."""
    def lines(entries):
        return ",\n".join(entries)

    builds_ = [f'  "{build}": {{\n' + lines(f'   "{unit}": {json.dumps(entry)}' for unit, entry in units.items()) + "\n  }"
               for build, units in kept["units"].items()]
    with open(path, "w", encoding="utf-8") as out:
        out.write(f'{{\n "states": {json.dumps(kept["states"])},\n "units": {{\n' + lines(builds_) + '\n },\n "history": [\n'
                  + lines("  " + json.dumps(row) for row in kept["history"]) + "\n ]\n}\n")


def stamp():
    """(commit, date): HEAD, with a + if the tree has more."""
    def git(*words):
        return subprocess.run(["git", *words], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    return git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "--", "rtl") else ""), \
        datetime.date.today().isoformat()


def add(kept, build, figures, top, when, state=None):
    """The figures of a run; a row of the history if the whole NIC was measured and is another than last time.  state:
    hash of all sources, if all was measured."""
    units = kept["units"].setdefault(build, {})
    kept["states"].pop(build, None)
    if state:
        kept["states"][build] = state
    for unit, entry in figures.items():
        before = units.get(unit, {})
        units[unit] = {name: entry[name] for name in FIGURES if name in entry}
        if before.get("hash") == entry["hash"] and "place" in before:   # which not every run does again
            units[unit].setdefault("place", before["place"])
    if top in figures:
        commit, date = when
        row = {"commit": commit, "date": date, "build": build,
               **{name: figures[top][name] for name in ("hash", "lut", "ff", "bram", "uram", "levels")},
               "fmax": units[top].get("place", {}).get("fmax")}
        last = [old for old in kept["history"] if old["build"] == build][-1:]
        if not last or last[0]["hash"] != row["hash"] or last[0]["fmax"] != row["fmax"]:
            kept["history"].append(row)


def placed(units):
    """Entries with Fmax among their figures, as a run has them."""
    return {row: {**entry, **({"fmax": entry["place"]["fmax"]} if entry.get("place", {}).get("fmax") else {})}
            for row, entry in units.items()}


def number(value):
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def fmax(entry):
    place = entry.get("place")
    return None if place is None else "too large" if not place["fits"] else place["fmax"] or "not routed"


def unit_table(units):
    rows = [[unit, *(number(fmax(entry) if name == "fmax" else entry.get(name)) for name in COLUMNS),
             f"`{entry['from']}` -> `{entry['to']}`"] for unit, entry in units.items()]
    return grid.grid(["unit", *COLUMNS, "deepest path"], rows)


def sum_line(units):
    """What the parts of the whole NIC are together, where it was not mapped in one piece; what lies between is not in it."""
    parts = {unit: entry for unit, entry in units.items() if unit in builds.UNITS[builds.TOP]}
    if builds.TOP in units or not parts:
        return []
    total = {name: sum(entry.get(name) or 0 for entry in parts.values()) for name in ("lut", "lutram", "ff", "bram")}
    return [f"{len(parts)} of {len(builds.UNITS[builds.TOP])} parts: {total['lut']} LUTs ({total['lutram']} of them RAM), "
            f"{total['ff']} flip-flops, {number(total['bram'])} block RAMs.", ""]


def history_table(kept):
    names = ("date", "commit", "build", "lut", "ff", "bram", "uram", "levels", "fmax")
    return grid.grid(list(names), [[number(row.get(name)) for name in names] for row in kept["history"]])


def now(units, unit, metric, goal):
    """The figure of a unit; of all parts, how many have reached the goal."""
    if unit != "*":
        entry = units.get(unit, {})
        return number(fmax(entry) if metric == "fmax" else entry.get(metric))
    measured = [figures for figures in placed(units).values() if metric in figures]
    return f"{sum(not budget.beyond(metric, figures[metric], goal) for figures in measured)} of {len(units)} parts"


def goal_table(rows, kept):
    """What is asked for, and what there is."""
    lines = [[row["build"], row["unit"], metric, number(row.get("limit", {}).get(metric)), str(goal),
              now(kept["units"].get(row["build"], {}), row["unit"], metric, goal)]
             for row in rows for metric, goal in row.get("goal", {}).items()]
    return grid.grid(["build", "unit", "metric", "limit", "goal", "last"], lines)


def fill(page, name, lines):
    """The text with what stands between the marks of a table made anew."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if page.count(begin) != 1 or page.count(end) != 1:
        raise ValueError(f"{PAGE}: the marks of the table {name} are not there once")
    head, rest = page.split(begin)
    return head + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1]


def write_page(kept, rows, titles, path=PAGE):
    with open(path, encoding="utf-8") as text:
        page = text.read()
    page = fill(page, "goals", goal_table(rows, kept))
    page = fill(page, "history", history_table(kept))
    lines = []
    for build, units in kept["units"].items():
        first, *more = textwrap.wrap(f"### {build}: {titles[build]}", 100)    # parameters may be many
        lines += [first, "", *([*more, ""] if more else []), *unit_table(units), "", *sum_line(units)]
    page = fill(page, "units", lines[:-1])
    with open(path, "w", encoding="utf-8") as out:
        out.write(page)
