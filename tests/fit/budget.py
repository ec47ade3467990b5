# SPDX-License-Identifier: Apache-2.0
"""Budgets: what a build or a part of one may cost, and what it is to cost (tests/fit/budgets.json).

A row is {"build", "unit", "why", "limit": {metric: number}, "goal": {metric: number}}.  Beyond the limit is a failure;
the goal is only shown, until the limit has come down to it.  Limits go down by `RECORD=1`, and up by nobody but hand.
A row of unit "*" is for each part of the build.
"""
import json

FLOORS = {"fmax"}                               # metrics of which more is better
SLACK = {"lut": 0.02, "ff": 0.02, "fmax": 0.05}   # what the tools give or take for sources that do the same
LIMITED = ("lut", "ff", "bram", "levels")       # what a new row limits
UNITS = {"lut": "LUTs", "ff": "flip-flops", "bram": "block RAMs", "uram": "URAMs", "levels": "levels", "fmax": "MHz",
         "lutram": "LUTs as RAM", "carry": "carry cells", "dsp": "multipliers"}


def load(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def save(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(" " + json.dumps(row) for row in rows) + "\n]\n")


def row_of(rows, build, unit):
    return next((row for row in rows if (row["build"], row["unit"]) == (build, unit)), None)


def of_nothing(rows, names, units):
    """Rows of units that builds do not have.  A row of a build that is not there yet is a goal."""
    return [row for row in rows if row["build"] in names and row["unit"].split(".")[0] not in (*units, "*")
            or row["build"] not in names and row["limit"]]


def rows_for(rows, build, unit, top):
    """Its own row, if there is one, and that of all parts."""
    return [row for row in (row_of(rows, build, unit), row_of(rows, build, "*") if unit != top else None) if row]


def beyond(metric, figure, bound, slack=0):
    """Is a figure worse than its bound?"""
    if metric in FLOORS:
        return figure < bound * (1 - slack)
    return figure > bound * (1 + slack)


def verdicts(row, unit, figures):
    """(good, text) for each limit of a row that was measured."""
    for metric, limit in row.get("limit", {}).items():
        if metric not in figures:
            continue
        figure, good = figures[metric], not beyond(metric, figures[metric], limit, SLACK.get(metric, 0))
        text = f"{row['build']}/{unit}: {figure} {UNITS[metric]}, the limit is {limit}"
        if not good and metric == "levels":
            text += f": {figures['from']} -> {figures['to']}"
        yield good, text


def goals(row, figures):
    """[(metric, figure or None, goal, reached)]"""
    return [(metric, figures.get(metric), goal, metric in figures and not beyond(metric, figures[metric], goal))
            for metric, goal in row.get("goal", {}).items()]


def lower(rows, build, unit, figures):
    """Limits of a row down to what was measured; a row for what has none."""
    row = row_of(rows, build, unit)
    if row is None:
        row = {"build": build, "unit": unit, "why": "as first measured", "limit": {}, "goal": {}}
        rows.append(row)
    for metric in (*LIMITED, "fmax"):
        if metric in figures:
            old = row["limit"].get(metric)
            if old is None or beyond(metric, old, figures[metric]):
                row["limit"][metric] = figures[metric]
