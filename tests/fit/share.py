# SPDX-License-Identifier: Apache-2.0
"""Which instance of a flattened netlist needs how much: what no tool says once ABC has mapped across all boundaries.

    shares(netlist)     {instance: {"lut", "lutram", "ff", "bram"}}, each without those within it; "" is the top

Registers and RAM belong to the instance that names them.  A LUT belongs to the register or RAM that it is formed for,
the nearest one behind it: of a value that several need, that is whoever takes it with the fewest LUTs between.
"""
import re

import mapping

FIGURES = ("lut", "lutram", "ff", "bram", "dsp")


def instance(label):
    """`u_a.g_x[0].u_b.word_q[3]` -> u_a.u_b: instances are named u_."""
    return ".".join(re.findall(r"u_[a-z0-9_]+(?=\.)", label))


def owners(netlist):
    """{cell: instance} of all cells that hold something, by the shortest name of what they put out."""
    found = {}
    for bit, (_, cell) in netlist.begin.items():
        if cell not in found:
            found[cell] = instance(netlist.name(bit) or cell.lstrip("\\"))
    return found


def near(netlist, owner):
    """{bit: instance}: the nearest register behind each bit."""
    found, layer = {}, []
    for bit, cell, _ in netlist.end:
        if bit not in found:
            found[bit] = owner.get(cell, "")
            layer.append(bit)
    for bit in netlist.outputs:
        if not isinstance(bit, str) and bit not in found:
            found[bit] = ""
            layer.append(bit)
    while layer:
        behind = []
        for bit in layer:
            for source, _ in netlist.into.get(bit, ()):
                if source not in found:
                    found[source] = found[bit]
                    behind.append(source)
        layer = behind
    return found


def shares(netlist):
    owner, sums = owners(netlist), {}
    reached = near(netlist, owner)
    for name, cell in netlist.cells.items():
        counts = netlist.kinds[cell["type"]].counts
        if not counts:
            continue
        outs = [bit for pin, bits in cell["connections"].items() if cell["port_directions"][pin] == "output" for bit in bits]
        where = owner[name] if name in owner else next((reached[bit] for bit in outs if bit in reached), "")
        entry = sums.setdefault(where, dict.fromkeys(FIGURES, 0))
        for metric, worth in counts.items():
            if metric in entry:
                entry[metric] += worth
    return sums


def summed(sums, depth):
    """[(instance, figures)] down to a depth, each with those within it, in the order of their names."""
    total = {}
    for path, figures in sums.items():
        words = path.split(".") if path else []
        for upto in range(min(len(words), depth) + 1):
            entry = total.setdefault(".".join(words[:upto]), dict.fromkeys(FIGURES, 0))
            for metric in FIGURES:
                entry[metric] += figures[metric]
    return sorted(total.items())
