# SPDX-License-Identifier: Apache-2.0
"""Which words of a placed netlist need how much wire: half of the box around all pins of each net, in tiles.

    wires.rows("cairn_nic.1.placed.json", 40)    [[tiles, nets, tiles a net, name of the word]], and the sum

Nets without a name of the source (between LUTs of one expression, mostly) are one row.
"""
import collections
import json
import re

PLACE = re.compile(r"X(\d+)/Y(\d+)/")
UNNAMED = "(between LUTs)"


def boxes(cells):
    """{bit: [west, east, north, south]}"""
    found = {}
    for cell in cells.values():
        place = PLACE.match(cell["attributes"].get("NEXTPNR_BEL", ""))
        if not place:
            continue
        x, y = int(place[1]), int(place[2])
        for bit in {bit for bits in cell["connections"].values() for bit in bits if isinstance(bit, int)}:
            box = found.setdefault(bit, [x, x, y, y])
            found[bit] = [min(box[0], x), max(box[1], x), min(box[2], y), max(box[3], y)]
    return found


def names(nets):
    """{bit: the word that it is of}"""
    found = {}
    for name, net in nets.items():
        if name.startswith("$glbnet"):
            word = None
        elif "$" in name:
            word = UNNAMED
        else:
            word = re.sub(r"(\[\d+\])+$", "", name)
        for bit in net["bits"]:
            if isinstance(bit, int) and found.get(bit, UNNAMED) == UNNAMED:
                found[bit] = word
    return found


def rows(path, number):
    """Lines of a table: the words that need most, and the sum, which is what nextpnr calls wirelen."""
    with open(path, encoding="utf-8") as netlist:
        modules = json.load(netlist)["modules"]
    module = max(modules.values(), key=lambda one: len(one["cells"]))
    words, sums = names(module["netnames"]), collections.defaultdict(lambda: [0, 0])
    for bit, (west, east, north, south) in boxes(module["cells"]).items():
        if words.get(bit, UNNAMED):     # not the clock's tree
            entry = sums[words.get(bit, UNNAMED)]
            entry[0] += east - west + south - north
            entry[1] += 1
    most = sorted(((tiles, nets, word) for word, (tiles, nets) in sums.items()), reverse=True)
    most = most[:number] + [(sum(tiles for tiles, _ in sums.values()), sum(nets for _, nets in sums.values()), "(all)")]
    return [[str(tiles), str(nets), f"{tiles / nets:.1f}", word] for tiles, nets, word in most]
