#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make house: prints figures of the form of the tree, each with where the worst is.

Ports and always blocks of rtl/ (its generated packages apart), widths that are added up by hand, places of bits that a
test types, circles of files (tests/lib/lint_floors.py), lines of documents, files that a change needs by hand.
"""
import glob
import os
import re
import statistics
import subprocess
import sys

import rtl

WIDTH_SUM = re.compile(r"^\s*(?:localparam int unsigned|parameter int unsigned)?\s*\w*W\b\s*=\s*[^;,]*\b(?:\d+|\w*_W)\s*\+[^;,]*[;,]")
PORT_OF = r"(?:[^,()]|\([^()]*\))+"
LITERAL_PLACE = re.compile(rf"vtb_(?:(?:put|get)_bits|meta_(?:put|bits))\({PORT_OF},\s*(?:[\w>.\[\]-]+\s*\+\s*)?\d+,\s*\d+[,)]")
RECORD_WIDTH = re.compile(r"#define\s+(?:\w+_)?W\s+\d{2,}")
# Cells of the library that are another one with fewer ports: they have no body to speak of.
CELLS = {
    "rtl/lib/ram_2r1w.sv": "two ram_1r1w side by side",
    "rtl/lib/sync_fifo.sv": "sync_fifo_level without its level",
    "rtl/lib/prio_enc.sv": "prio_enc_onehot without its one-hot form",
}
ALWAYS = re.compile(r"^\s*always_(?:ff|comb|latch)\b", re.M)


def body(path):
    """Lines of a module behind its port list, without comments and blank lines."""
    text = re.sub(r"^.*?\bmodule\s+\w+", "", rtl.code(path), count=1, flags=re.S)
    if re.match(r"\s*#\s*\(", text):
        text = text[rtl.closing(text, text.index("(")) + 1:]
    text = text[rtl.closing(text, text.index("(")) + 1:]
    return [line for line in text.splitlines() if line.strip() not in ("", ";", "endmodule")]


def blocks(path):
    """(lines, first line) of each always block; a block ends where its begin does."""
    with open(path, encoding="utf-8") as source:
        text = source.read()
    for match in ALWAYS.finditer(text):
        depth, at, first = 0, match.end(), match.start() + text[match.start():].index("always")
        for token in re.finditer(r"\b(?:begin|end|case|casez|endcase)\b|;|//[^\n]*", text[at:]):
            word = token.group(0)
            if word.startswith("//"):
                continue
            depth += {"begin": 1, "case": 1, "casez": 1, "end": -1, "endcase": -1}.get(word, 0)
            if depth == 0:
                yield text.count("\n", first, at + token.end()) + 1, text.count("\n", 0, first) + 1
                break


def hits(pattern, paths):
    """path:line of each line that matches."""
    found = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as source:
            found += [f"{path}:{n}" for n, line in enumerate(source, 1) if pattern.search(line)]
    return found


def row(name, figure, where=""):
    print(f"{name:44s} {figure:>10}  {where}".rstrip())


def by_hand():
    """(what, files) of each test that makes a change in a scratch copy (tests/lib/scratch.py)."""
    for path in sorted(glob.glob("tests/unit/**/test_new_*", recursive=True)):
        run = subprocess.run([path, "--files"], stdout=subprocess.PIPE, text=True, check=True)
        yield os.path.basename(path)[len("test_new_"):].replace("_", " "), run.stdout.split()


def main():
    modules = [p for p in rtl.listed() if "/hw/" not in p and re.search(r"^module ", rtl.code(p), re.M)]
    ports = {p: len(rtl.head(p)[1]) for p in modules}
    lines = sum(sum(1 for _ in open(p, encoding="utf-8")) for p in rtl.listed() if "/hw/" not in p)
    counts = sorted(ports.values())
    row("lines of RTL by hand", lines)
    row("port lines, share of them", sum(counts), f"{100 * sum(counts) / lines:.1f} %")
    row("ports a module: median, p90, max", f"{statistics.median(counts):g} {counts[len(counts) * 9 // 10]} {counts[-1]}",
        ", ".join(f"{rtl.stem(p)} {n}" for p, n in sorted(ports.items(), key=lambda item: -item[1])[:6]))
    longer = [p for p in modules if ports[p] > len(body(p)) and p not in CELLS and rtl.stem(p) != "cairn_nic"]
    row("modules with more ports than lines of body", len(longer), " ".join(map(rtl.stem, longer[:8])))
    sizes = sorted(((len(body(p)), p) for p in modules), reverse=True)
    row("longest body of a module, lines", sizes[0][0], sizes[0][1])
    longest = sorted(((n, f"{p}:{at}") for p in modules for n, at in blocks(p)), reverse=True)
    row("always blocks over 60 lines; the longest", f"{sum(n > 60 for n, _ in longest)} {longest[0][0]}", longest[0][1])
    sums = hits(WIDTH_SUM, [p for p in rtl.listed() if "/hw/" not in p])
    row("widths added up by hand", len(sums), " ".join(sums[:3]))
    tests = glob.glob("tests/**/*.c", recursive=True) + glob.glob("tests/**/*.h", recursive=True)
    places = hits(LITERAL_PLACE, [p for p in tests if not p.startswith("tests/lib/vtb")])
    row("places of bits typed in tests", len(places), " ".join(places[:3]))
    widths = hits(RECORD_WIDTH, tests)
    row("widths of records typed in tests", len(widths), " ".join(widths[:3]))
    floors = subprocess.run(["tests/lib/lint_floors.py"], stdout=subprocess.PIPE, text=True, check=False).stdout
    row("folders with a circle of files", len(re.findall(r"^not ok", floors, re.M)))
    docs = [p for p in glob.glob("docs/*.md") + glob.glob("docs/rtl/*.md") + ["README.md", "CONTRIBUTING.md"]]
    longest = max((len(line.rstrip("\n")), p) for p in docs for line in open(p, encoding="utf-8"))
    row("longest line of a document", longest[0], longest[1])
    for what, files in by_hand():
        product = [path for path in files if not path.startswith("tests/")]
        row(f"files by hand for a new {what}, of its tests", f"{len(product)} {len(files) - len(product)}",
            " ".join(product))
    row("docs/architecture.md, bytes", os.path.getsize("docs/architecture.md"))


if __name__ == "__main__":
    sys.exit(main())
