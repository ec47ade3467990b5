# SPDX-License-Identifier: Apache-2.0
"""Static timing in levels: the deepest paths of a flattened netlist, with both ends named.

    netlist = Netlist(module, "ecp5")       a module of Yosys's write_json
    netlist.paths(5)                        [{"levels", "carry", "mux", "from", "to", "path"}] between registers

Each bit has the cost of the most expensive way to it, counted as mapping.py says.
"""
import re

import mapping

BEYOND = 9  # levels: the bound for 250 MHz


class Unknown(Exception):
    """The netlist has what cannot be counted; the text says what."""


class Netlist:
    def __init__(self, module, family):
        self.kinds = mapping.FAMILIES[family].kinds
        self.cells, self.nets = module["cells"], module["netnames"]
        self.shapes, self.types, self.named, self.beyond = {}, {}, {}, 0
        self.begin = {}         # bit -> (cost, name of the cell)
        self.end = []           # (bit, name of the cell, pin)
        self.into = {}          # bit -> [(bit, cost)]
        self.inputs = {bit for port in module["ports"].values() if port["direction"] == "input" for bit in port["bits"]}
        self.outputs = [bit for port in module["ports"].values() if port["direction"] == "output" for bit in port["bits"]]
        for name, cell in self.cells.items():
            self.add(name, cell)
        self.order = self.sorted()

    def shape(self, cell):
        """What a cell's pins do, worked out once for all cells with the same ones."""
        kind, conns = cell["type"], cell["connections"]
        look = (kind, tuple((pin, len(bits)) for pin, bits in conns.items()))
        if look in self.shapes:
            return self.shapes[look]
        if kind not in self.kinds:
            raise Unknown(f"a cell of type {kind}, which tests/fit/mapping.py does not know: a latch, or a new kind")
        this, dirs = self.kinds[kind], cell["port_directions"]
        bits = [(pin, i, pin if len(conns[pin]) == 1 else f"{pin}.{i}") for pin in conns for i in range(len(conns[pin]))]

        def chosen(pattern, direction):
            return [(pin, i) for pin, i, label in bits if dirs[pin] == direction
                    and (mapping.matching(pattern, pin) or mapping.matching(pattern, label))]

        arcs = [(to, source, cost) for outs, ins, cost in this.arcs for to in chosen(outs, "output")
                for source in chosen(ins, "input")]
        begins = [(to, cost) for outs, cost in this.begins for to in chosen(outs, "output")]
        driven = {to for to, _, _ in arcs} | {to for to, _ in begins}
        through = {source for _, source, _ in arcs} - set(chosen(this.ends_too, "input"))
        lost = [pin for pin, i, _ in bits if dirs[pin] == "output" and (pin, i) not in driven]
        if lost and this.counts or lost and this.arcs:
            raise Unknown(f"output {lost[0]} of {kind}, of which tests/fit/mapping.py does not say what it depends on")
        ends = [(pin, i) for pin, i, label in bits if dirs[pin] == "input" and (pin, i) not in through
                and not mapping.matching(this.ignored, pin)] if begins else []
        self.shapes[look] = arcs, begins, ends
        return self.shapes[look]

    def add(self, name, cell):
        self.types[cell["type"]] = self.types.get(cell["type"], 0) + 1
        arcs, begins, ends = self.shape(cell)
        conns = cell["connections"]
        for (to, i), (source, j), cost in arcs:
            bit = conns[source][j]
            if not isinstance(bit, str):
                self.into.setdefault(conns[to][i], []).append((bit, cost))
        for (to, i), cost in begins:
            self.begin[conns[to][i]] = (cost, name)
        self.end += [(conns[pin][i], name, pin) for pin, i in ends if not isinstance(conns[pin][i], str)]

    def sorted(self):
        """Bits with arcs, each behind those that it depends on."""
        order, state = [], {}
        for root in self.into:
            stack = [(root, iter(self.into[root]))] if root not in state else []
            state.setdefault(root, 1)
            while stack:
                bit, sources = stack[-1]
                for source, _ in sources:
                    if source not in self.into or state.get(source) == 2:
                        continue
                    if source in state:
                        raise Unknown(f"a combinational loop through {self.name(source)}")
                    state[source] = 1
                    stack.append((source, iter(self.into[source])))
                    break
                else:
                    state[bit] = 2
                    order.append(bit)
                    stack.pop()
        return order

    def name(self, bit):
        """The name that the source has for a bit, if it has one."""
        if not self.named:
            for name, net in self.nets.items():
                rank = (net.get("hide_name", 0), len(name))
                for i, at in enumerate(net["bits"]):
                    if at not in self.named or rank < self.named[at][0]:
                        self.named[at] = (rank, f"{name}[{i}]" if len(net["bits"]) > 1 else name)
        rank, name = self.named.get(bit, ((1, 0), f"net {bit}"))
        return name.lstrip("\\") if not rank[0] else None

    def arrivals(self, from_ports):
        """{bit: (cost of the deepest way to it, the bit before it)} from registers, or from ports."""
        found = ({bit: (0, None) for bit in self.inputs if not isinstance(bit, str)} if from_ports
                 else {bit: (cost, None) for bit, (cost, _) in self.begin.items()})
        for bit in self.order:
            best = found.get(bit)   # what a LUT RAM holds
            for source, cost in self.into[bit]:
                if source in found and (best is None or found[source][0] + cost > best[0]):
                    best = (found[source][0] + cost, source)
            if best is not None:
                found[bit] = best
        return found

    def is_register(self, cell):
        return self.kinds[self.cells[cell]["type"]].counts == {"ff": 1}

    def label(self, cell, bit=None):
        """A register by its output; anything else by its cell, if the source has a name for that."""
        if self.is_register(cell):
            bit = self.cells[cell]["connections"]["Q"][0]
        elif not cell.startswith("$"):
            return cell.lstrip("\\")
        return bit is not None and self.name(bit) or f"a {self.cells[cell]['type']}"

    def figures(self, found, bit, end):
        levels, carry, mux = mapping.parts(found[bit][0])
        way = []
        while bit is not None:
            way.append((mapping.parts(found[bit][0])[0], bit))
            bit = found[bit][1]
        first = way[-1][1]
        return {"levels": levels, "carry": carry, "mux": mux, "from": self.label(self.begin[first][1], first), "to": end,
                "path": [f"{level} {self.name(at)}" for level, at in way[::-1] if self.name(at)]}

    def paths(self, number):
        """The deepest path to each of the `number` deepest registers, registers being words, deepest first."""
        found, best = self.arrivals(False), {}
        self.beyond = 0
        for bit, cell, pin in self.end:
            if bit in found:
                cost = found[bit][0]
                self.beyond += mapping.parts(cost)[0] > BEYOND
                label = self.label(cell)
                word = label.split("[")[0] if self.is_register(cell) else re.sub(r"\.\d+\.\d+$", "", label)
                if word not in best or cost > best[word][0]:
                    best[word] = (cost, bit, f"{label}.{pin}")
        chosen = sorted(best.values(), key=lambda entry: (-entry[0], entry[2]))[:number]
        return [self.figures(found, bit, end) for _, bit, end in chosen]

    def depths(self):
        """Levels of the deepest ways with a port at one end: {"in": port to register, "out", "through"}."""
        found, ported = self.arrivals(False), self.arrivals(True)
        ends = [bit for bit, _, _ in self.end]

        def most(where, bits):
            return max((mapping.parts(where[bit][0])[0] for bit in bits if bit in where), default=0)

        return {"in": most(ported, ends), "out": most(found, self.outputs), "through": most(ported, self.outputs)}
