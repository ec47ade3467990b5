#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The builds of rtl/builds.def.

usage: configs.py make      a line a build for make: name|width|arguments of Verilator
       configs.py has BUILD FEATURE...     exit status: does it have all of these (names of REG FEATURES)?
       configs.py docs      write the table of docs/builds.md

What the table says must be so that cairn_nic can be made of it: known parameters, known features, each build once.
"""
import dataclasses
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rtl  # noqa: E402

TABLE, NIC, CONTRACT, PAGE = "rtl/builds.def", "rtl/cairn_nic.sv", "rtl/hw/hw.def", "docs/builds.md"
MARKS = re.compile(r"(<!-- builds -->\n).*?(<!-- end of builds -->)", re.S)
ROW = re.compile(r'\bBUILD\(\s*([\w-]+)\s*,\s*([\w-]+)\s*,\s*"([^"]*)"\s*,([^()]*)\)')
NAME = re.compile(r"[a-z][a-z0-9]*")


class Wrong(Exception):
    """The table cannot be used; the text says why."""


@dataclasses.dataclass(frozen=True)
class Config:
    device: str
    title: str
    parameters: dict    # of cairn_nic; FEATURES as a number
    words: dict         # the same as they stand in the table


def features():
    """Name -> bit of each feature of REG FEATURES."""
    with open(CONTRACT, encoding="utf-8") as table:
        text = table.read()
    rows = re.search(r"^REG\(FEATURES,.*?\n((?:\s+BITS\([^\n]*\n)+)", text, re.M).group(1)
    return {name: 1 << int(bit) for bit, name in re.findall(r"BITS\(\d+, (\d+), (\w+),", rows)}


def value(build, name, text):
    known = features() if name == "FEATURES" else {}
    total = 0
    for word in text.split("|"):
        word = word.strip()
        if name == "FEATURES" and word not in known:
            raise Wrong(f"{TABLE}: {build}: no feature {word}; there are {' '.join(known)}")
        if name != "FEATURES" and not word.isdigit():
            raise Wrong(f"{TABLE}: {build}: {name} is {word}, no number")
        total |= known.get(word) or int(word)
    return total


def parse(text, known):
    """{name: Config} of the rows of a table."""
    found = {}
    rows = rtl.COMMENT.sub("", text)
    for name, device, title, rest in ROW.findall(rows):
        if not NAME.fullmatch(name) or name in found:
            raise Wrong(f"{TABLE}: {name} stands there twice, or is more than small letters and digits")
        parameters, said = {}, {}
        for part in rest.split(","):
            key, _, words = part.partition("=")
            key = key.strip()
            if key not in known or key in parameters:
                raise Wrong(f"{TABLE}: {name}: cairn_nic has no parameter {key}, or it is given twice")
            parameters[key], said[key] = value(name, key, words), " ".join(words.split())
        if "DATA_W" not in parameters:
            raise Wrong(f"{TABLE}: {name}: DATA_W is missing")
        found[name] = Config(device, title, parameters, said)
    if ROW.sub("", rows).strip():
        raise Wrong(f"{TABLE}: not understood: {ROW.sub('', rows).split()[0]}")
    return found


def load():
    with open(TABLE, encoding="utf-8") as table:
        return parse(table.read(), rtl.parameters(NIC))


def has(config, names):
    """Which of these features a build has not."""
    bits = config.parameters.get("FEATURES", ~0)
    return [name for name in names if not bits & features()[name]]


def page(text, builds):
    """The page with the table of these builds."""
    rows = ["| build | device | for | has not | parameters of `cairn_nic` |", "| --- | --- | --- | --- | --- |"]
    for name, config in builds.items():
        missing = ", ".join(f"`{feature}`" for feature in has(config, features())) or "-"
        words = ", ".join(f"`{key}` {number}" for key, number in config.words.items() if key != "FEATURES")
        rows.append(f"| `{name}` | {config.device} | {config.title} | {missing} | {words} |")
    return MARKS.sub(lambda marks: marks[1] + "\n" + "\n".join(rows) + "\n\n" + marks[2], text)


def main():
    builds = load()
    if sys.argv[1:] == ["docs"]:
        with open(PAGE, encoding="utf-8") as old:
            text = page(old.read(), builds)
        with open(PAGE, "w", encoding="utf-8") as new:
            new.write(text)
        return 0
    if sys.argv[1:2] == ["make"]:
        for name, config in builds.items():
            print(f"{name}|{config.parameters['DATA_W']}|"
                  + "|".join(f"-G{key}={number}" for key, number in config.parameters.items()))
        return 0
    if sys.argv[1:2] == ["has"] and len(sys.argv) > 2:
        missing = has(builds[sys.argv[2]], sys.argv[3:])
        if missing:
            print(f"{sys.argv[2]} has no {' '.join(missing)}")
        return 1 if missing else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as wrong:
        sys.exit(f"{wrong}")
