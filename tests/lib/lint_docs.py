#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the documents (docs/, README.md and their like) and print TAP; part of `make lint`.

usage: lint_docs.py [DIRECTORY]

A line has at most 100 columns, but for what cannot be broken: a row of a table, and a single word (a link). A page that
is generated is left alone. docs/architecture.md has at most 12 KB. Links within the repository lead to files. A path of
the repository in backquotes exists ("*" stands for anything), if it begins with a folder of the top; in
docs/changing.md each step names one. docs/glossary.md has at most twelve abbreviations.
"""
import glob
import os
import re
import sys

WIDTH, MAP_BYTES, ABBREVIATIONS = 100, 12 * 1024, 12
MAP, RECIPES, WORDS = "docs/architecture.md", "docs/changing.md", "docs/glossary.md"
TOP_PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+/?")
STEP = re.compile(r"\s*\d+\. ")


def pages():
    found = [p for p in TOP_PAGES if os.path.isfile(p)]
    for pattern in ("docs/*.md", "docs/rtl/*.md", "tests/*.md", "tests/*/README.md"):
        found += sorted(glob.glob(pattern))
    return found


def read(path):
    with open(path, encoding="utf-8") as page:
        return page.read()


def code_free(text):
    """The text with blocks of code emptied, so that the numbers of lines stay."""
    return re.sub(r"^```.*?^```", lambda block: re.sub(r"[^\n]", "", block.group()), text, flags=re.M | re.S)


def width(path, text):
    if "Generated from" in text[:200]:
        return
    for number, line in enumerate(text.splitlines(), 1):
        unbroken = line.startswith("|") or len(line.lstrip(" -*>0123456789.").split()) < 2
        if len(line) > WIDTH and not unbroken:
            yield number, f"{len(line)} columns, at most {WIDTH}"


def size(path, text):
    if path == MAP and len(text.encode()) > MAP_BYTES:
        yield 1, f"{len(text.encode())} bytes, at most {MAP_BYTES}: say it on the page of the part"


def links(path, text):
    for number, line in enumerate(code_free(text).splitlines(), 1):
        for link in LINK.findall(QUOTED.sub("", line)):
            target = link.split("#")[0]
            if target and "://" not in link and not link.startswith("mailto:") \
                    and not os.path.exists(os.path.join(os.path.dirname(path), target)):
                yield number, f"{link} is not there"


def paths(line):
    """Paths of the repository in backquotes."""
    for quoted in QUOTED.findall(line):
        top = quoted.split("/")[0]
        if PATH.fullmatch(quoted) and os.path.isdir(top) and top not in (".", "..", "build"):
            yield quoted


def named_files(path, text):
    for number, line in enumerate(code_free(text).splitlines(), 1):
        for name in paths(line):
            if not glob.glob(name):
                yield number, f"{name} is not there"


def recipes(path, text):
    if path != RECIPES:
        return
    steps = []
    for number, line in enumerate(code_free(text).splitlines(), 1):
        if STEP.match(line):
            steps.append([number, line])
        elif steps and line.startswith("   "):
            steps[-1][1] += " " + line
        elif line.strip():
            steps.append([0, line])       # ends the step before
    if not any(number for number, _ in steps):
        yield 1, "no recipe"
    for number, step in steps:
        if number and not list(paths(step)):
            yield number, "a step names no file"


def words(path, text):
    if path == WORDS:
        table = text.partition("## Abbreviations")[2].partition("\n## ")[0]
        rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ") and "---" not in line][1:]
        count = sum(len(row.split(",")) for row in rows)
        if not 0 < count <= ABBREVIATIONS:
            yield 1, f"{count} abbreviations, at most {ABBREVIATIONS}"


RULES = [("line width", width), ("size of the map", size), ("links", links), ("files that are named", named_files),
         ("steps of recipes name files", recipes), ("abbreviations", words)]


def main():
    if sys.argv[1:]:
        os.chdir(sys.argv[1])
    texts = {path: read(path) for path in pages()}
    good = bool(texts)
    print(f"1..{len(RULES)}")
    for index, (name, rule) in enumerate(RULES, 1):
        found = [f"{path}:{number}: {what}" for path, text in texts.items() for number, what in rule(path, text)]
        good &= not found
        print(f"{'not ok' if found else 'ok'} {index} - documents: {name}")
        for complaint in found:
            print(f"# {complaint}")
    sys.exit(0 if good else 1)


main()
