#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each refusal that hwgen can say has been said.

usage: refusals.py SAID SOURCE...

SAID has what hwgen printed in the tests. Prints the texts of refuse(), complain() and of what functions return as a
reason, in the C files, that no line of it can be.
"""
import re
import sys

LITERAL = r'"(?:[^"\\]|\\.)*"'
COMMENT = r"/\*.*?\*/|//[^\n]*"


def arguments(code, start):
    """The arguments of a call, from behind its parenthesis on."""
    found, depth = [""], 0
    for token in re.findall(LITERAL + r"|'.'|.", code[start:], re.S):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(token, 0)
        if depth < 0:
            return found
        if token == "," and not depth:
            found.append("")
        else:
            found[-1] += token
    return found


def texts(code):
    """Formats of all messages: with letters beside their conversions."""
    code = re.sub(rf"({LITERAL})|{COMMENT}", lambda m: m[1] or " ", code, flags=re.S)
    places = []
    for m in re.finditer(rf"{LITERAL}|\b(?:(refuse|complain)\(|return\b)", code):
        if m[1]:
            places += arguments(code, m.end())[m[1] == "refuse":][:1]
        elif m[0] == "return":
            reason = re.match(rf"(?:{LITERAL}|[^\";])*", code[m.end():])[0]
            places += [] if "complain(" in reason else [reason]
    for place in places:
        for text in re.findall(LITERAL, re.sub(r'"\s+"', "", place)):
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
            if " " in text and re.search("[a-z]", re.sub(r"%\w+", "", text)):
                yield text


def main():
    with open(sys.argv[1], encoding="utf-8") as said:
        lines = said.read()
    count = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as source:
            for text in texts(source.read()):
                count += 1
                if not re.search(".*".join(re.escape(part) for part in re.split(r"%[0-9]*(?:ll)?[dsux]", text)), lines):
                    print(f"{path}: {text}")
    if count < 80:
        print(f"only {count} texts are found in the sources")


main()
