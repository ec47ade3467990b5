# SPDX-License-Identifier: Apache-2.0
"""Where paths that are too deep go from part to part: what a border's register would cut.

    rows(netlist, words)    [[levels, ends, from, via, to]]: ends with more levels than levels.BEYOND, put together by
                            the instances at both ends, so many words of their names, and the nets between instances
"""
import levels
import mapping
import share


def part(label, words):
    return ".".join(share.instance(label).split(".")[:words]) or "-"


def way(netlist, found, bit):
    """Where the deepest way to a bit begins, and the nets on it that lie between instances, as words."""
    nets = []
    while found[bit][1] is not None:
        bit = found[bit][1]
        name = netlist.name(bit)
        if name and "u_" not in name.split(".")[-1] and len(share.instance(name).split(".")) <= 2:
            word = name.split("[")[0] if not name.split(".")[-1].startswith("g_") else name
            if not nets or nets[-1] != word:
                nets.append(word)
    return bit, " ".join(nets[::-1])


def rows(netlist, words):
    found, groups = netlist.arrivals(False), {}
    for bit, cell, _ in netlist.end:
        if bit not in found or mapping.parts(found[bit][0])[0] <= levels.BEYOND:
            continue
        first, nets = way(netlist, found, bit)
        begin = netlist.name(first) or netlist.begin[first][1].lstrip("\\")
        key = part(begin, words), nets, part(netlist.label(cell), words)
        deepest, ends = groups.get(key, (0, 0))
        groups[key] = max(deepest, mapping.parts(found[bit][0])[0]), ends + 1
    order = sorted(groups.items(), key=lambda entry: -entry[1][1])
    return [[str(deepest), str(ends), *key] for key, (deepest, ends) in order]
