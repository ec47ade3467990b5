#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the RTL still the same hardware as at another commit?  For changes of form: ports, names, files, records.

usage: same_rtl.py COMMIT TOP [-w DATA_W]... [--set PARAMETER=VALUE]...

Debian's Yosys flattens TOP of the tree and of COMMIT, whose ports must be the same ones.  The two netlists are compared
as graphs, without any name inside: each bit gets a colour from what drives it, registers and memories one that is
refined round by round until nothing new can be told apart (colour refinement).  The same colours as often on both
sides, and the same colour at each output, is the same hardware; what differs is named, with the register's name where
it has one.  A difference can be one of form too (another order of operands): it is not proved that the tree is wrong.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

# Cells whose bit i depends on bit i of these operands, and on all of the others.
BITWISE = {"$and": "AB", "$or": "AB", "$xor": "AB", "$xnor": "AB", "$not": "A", "$mux": "AB", "$dff": "D", "$dffe": "D",
           "$adff": "D", "$adffe": "D", "$sdff": "D", "$sdffe": "D", "$sdffce": "D", "$aldff": ("D", "AD"),
           "$dlatch": "D", "$pos": "A"}
# Their operands may stand in any order: opt_merge sorts them by names.
COMMUTE = {"$and", "$or", "$xor", "$xnor", "$add", "$mul", "$eq", "$ne", "$logic_and", "$logic_or"}
OPERANDS = {"A_WIDTH", "B_WIDTH", "A_SIGNED", "B_SIGNED"}
STATE = {"$dff", "$dffe", "$adff", "$adffe", "$sdff", "$sdffe", "$sdffce", "$aldff", "$dlatch", "$mem_v2"}
RESET_VALUES = ("ARST_VALUE", "SRST_VALUE")
NAMES = {"MEMID"}  # parameters that are only names


def netlist(tree, top, parameters, out):
    with open(f"{tree}/rtl/files.f", encoding="utf-8") as lines:
        files = [f"{tree}/{line.strip()}" for line in lines if line.strip() and not line.startswith("//")]
    setting = "".join(f"chparam -set {name} {value} {top}; " for name, value in parameters)
    script = (f"read_verilog -sv -defer {' '.join(files)}; {setting}hierarchy -top {top}; proc; flatten; opt_expr; "
              f"opt_clean; memory -nomap; opt_expr; opt_merge; opt_clean; write_json {out}")
    run = subprocess.run(["yosys", "-q", "-Q", "-T", "-p", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    if run.returncode:
        sys.exit(f"yosys on {tree}:\n{run.stdout}")
    with open(out, encoding="utf-8") as source:
        modules = json.load(source)["modules"]
    name = next(n for n, m in modules.items() if m.get("attributes", {}).get("top"))
    return modules[name]


class Netlist:
    """Nodes are cells, or bits of cells that work bit by bit; each has a function of colours."""

    def __init__(self, module):
        self.module = module
        self.names = {}
        for name, net in module["netnames"].items():
            for i, bit in enumerate(net["bits"]):
                if not net["hide_name"] or bit not in self.names:
                    self.names[bit] = f"{name}[{i}]"
        self.ids = {}
        self.driver = {}     # bit -> node
        self.nodes = []      # (fixed part, input bits, is state)
        self.first = []      # node -> length of its first operand, if the two may change places
        self.outputs = []    # node -> its output bits
        self.fixed = {}
        for cell in module["cells"].values():
            self.add(cell)
        self.base = {}
        for name, port in sorted(module["ports"].items()):
            if port["direction"] == "input":
                for i, bit in enumerate(port["bits"]):
                    self.base[bit] = hash((self.word(name), i))
        for constant in "01xz":
            self.base[constant] = ord(constant)
        self.order = self.sorted()

    def word(self, text):
        """A number for a text that is the same in both netlists and in each run."""
        value = 1469598103934665603
        for byte in text.encode():
            value = (value ^ byte) * 1099511628211 & (1 << 61) - 1
        return value

    def add(self, cell):
        kind, conns, dirs = cell["type"], cell["connections"], cell["port_directions"]
        given = {n: v for n, v in cell["parameters"].items() if n not in NAMES}
        ins = sorted(n for n in conns if dirs[n] == "input")
        outs = sorted(n for n in conns if dirs[n] == "output")
        if kind == "$mem_v2":
            self.memory(given, conns)
            return
        if kind not in BITWISE:
            if kind in COMMUTE:
                given = {**{n: v for n, v in given.items() if n not in OPERANDS},
                         "SIGNED": given["A_SIGNED"] + given["B_SIGNED"]}
            self.node((kind, tuple(sorted(given.items()))), [b for n in ins for b in conns[n]],
                      [b for n in outs for b in conns[n]], kind in STATE, len(conns["A"]) if kind in COMMUTE else 0)
            return
        wise = tuple(BITWISE[kind])
        rest = {n: v for n, v in given.items() if not n.endswith("WIDTH") and n not in RESET_VALUES}
        out = conns[outs[0]]
        signed = int(given.get("A_SIGNED", "0"), 2)
        for i, bit in enumerate(out):
            inputs = [self.operand(conns[n], i, signed) if n in wise else None for n in ins]
            bits = [b for n, b in zip(ins, inputs) if n in wise]
            bits += [b for n in ins if n not in wise for b in conns[n]]
            values = tuple(given[n][::-1][i:i + 1] for n in RESET_VALUES if n in given)
            self.node((kind, tuple(sorted(rest.items())), values), bits, [bit], kind in STATE, int(kind in COMMUTE))

    def memory(self, given, conns):
        """A node for each read port, since their order hangs on names: what is written, and that port."""
        ports = int(given["RD_PORTS"], 2)

        def of_port(values, at):
            share = len(values) // ports
            return tuple(values[at * share:(at + 1) * share])

        written = [b for n in sorted(conns) if n.startswith("WR_") for b in conns[n]]
        common = sorted((n, v) for n, v in given.items() if not n.startswith("RD_"))
        for at in range(ports):
            own = [(n, of_port(v[::-1], at)) for n, v in sorted(given.items()) if n.startswith("RD_") and n != "RD_PORTS"]
            asked = [b for n in ("RD_ADDR", "RD_ARST", "RD_CLK", "RD_EN", "RD_SRST") for b in of_port(conns[n], at)]
            self.node(("$mem_v2", tuple(common), tuple(own)), written + asked, list(of_port(conns["RD_DATA"], at)), True)

    @staticmethod
    def operand(bits, i, signed):
        return bits[i] if i < len(bits) else bits[-1] if signed else "0"

    def node(self, fixed, inputs, outputs, state, first=0):
        """first: how many inputs are the first of two operands that may change places."""
        if fixed not in self.fixed:
            self.fixed[fixed] = self.word(repr(fixed))
        for at, bit in enumerate(outputs):
            self.driver[bit] = (len(self.nodes), at)
        self.nodes.append((self.fixed[fixed], inputs, state))
        self.first.append(first)
        self.outputs.append(outputs)

    def sorted(self):
        """Combinational nodes, each behind what it needs."""
        waits = [0] * len(self.nodes)
        users = collections.defaultdict(list)
        ready = collections.deque()
        for n, (_, inputs, state) in enumerate(self.nodes):
            if state:
                continue
            for bit in inputs:
                source = self.driver.get(bit)
                if source and not self.nodes[source[0]][2]:
                    users[source[0]].append(n)
                    waits[n] += 1
            if not waits[n]:
                ready.append(n)
        order = []
        while ready:
            n = ready.popleft()
            order.append(n)
            for user in users[n]:
                waits[user] -= 1
                if not waits[user]:
                    ready.append(user)
        if len(order) != sum(not state for _, _, state in self.nodes):
            sys.exit("a combinational loop")
        return order

    def round(self, states):
        """Colours of all bits where the states have these, and the next ones of the states."""
        colour = dict(self.base)
        for n, value in states.items():
            for at, bit in enumerate(self.outputs[n]):
                colour[bit] = hash((value, at))
        unknown = 7
        for n in self.order:
            fixed, inputs, _ = self.nodes[n]
            value = [colour.get(b, unknown) for b in inputs]
            if first := self.first[n]:
                value = sorted((tuple(value[:first]), tuple(value[first:])))
            value = hash((fixed, *value))
            for at, bit in enumerate(self.outputs[n]):
                colour[bit] = hash((value, at))
        after = {n: hash((value, self.nodes[n][0], *[colour.get(b, unknown) for b in self.nodes[n][1]]))
                 for n, value in states.items()}
        return colour, after

    def start(self):
        return {n: fixed for n, (fixed, _, state) in enumerate(self.nodes) if state}


def live(net):
    """Without states that nothing looks at: what only they feed goes too, until nothing more goes."""
    used = collections.Counter(bit for port in net["ports"].values() if port["direction"] == "output" for bit in port["bits"])
    cells = dict(net["cells"])
    while True:
        reads = collections.Counter(used)
        for cell in cells.values():
            for name, bits in cell["connections"].items():
                if cell["port_directions"][name] == "input":
                    reads.update(bits)
        dead = [n for n, c in cells.items() if not any(
            reads[b] for p, bits in c["connections"].items() if c["port_directions"][p] == "output" for b in bits)]
        if not dead:
            net["cells"] = cells
            return net
        for name in dead:
            del cells[name]


def differences(sides, amounts):
    """Registers and memories whose colours the other side has not as often."""
    return [f"only {name}: {net.names.get(net.outputs[n][0], '?')}"
            for side, ((net, states), name) in enumerate(zip(sides, ("before", "now")))
            for n, value in states.items() if amounts[side][value] != amounts[1 - side][value]]


def compare(old, new):
    """What differs, as texts, in the round in which it shows first; and how many registers there are."""
    sides = [(net, net.start()) for net in (old, new)]
    known, wrong = 0, []
    while not wrong:
        rounds = [net.round(states) for net, states in sides]
        sides = [(net, after) for (net, _), (_, after) in zip(sides, rounds)]
        amounts = [collections.Counter(states.values()) for _, states in sides]
        wrong = differences(sides, amounts)
        if len(amounts[0]) == known:
            break
        known = len(amounts[0])
    for name, port in sorted(old.module["ports"].items()):
        if port["direction"] == "output":
            now = new.module["ports"].get(name, {"bits": []})["bits"]
            if len(now) != len(port["bits"]):
                wrong.append(f"port {name}: {len(port['bits'])} bits before, {len(now)} now")
                continue
            wrong += [f"output {name}[{i}]" for i, (a, b) in enumerate(zip(port["bits"], now))
                      if rounds[0][0].get(a, 7) != rounds[1][0].get(b, 7)]
    return wrong, len(sides[0][1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("top")
    parser.add_argument("-w", "--width", action="append", default=[], help="DATA_W; once or several times")
    parser.add_argument("--set", action="append", default=[], help="PARAMETER=VALUE")
    opt = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        tree = f"{scratch}/tree"
        os.mkdir(tree)
        with subprocess.Popen(["git", "archive", opt.commit, "rtl"], stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "-C", tree], stdin=archive.stdout, check=True)
        for width in opt.width or [None]:
            parameters = [pair.split("=") for pair in opt.set] + ([("DATA_W", width)] if width else [])
            nets = [Netlist(live(netlist(t, opt.top, parameters, f"{scratch}/net.json"))) for t in (tree, ".")]
            wrong, states = compare(*nets)
            what = f"{opt.top}{f' DATA_W={width}' if width else ''}"
            print(f"{what}: {'DIFFERS' if wrong else 'same'}, {states} registers and memories, {len(nets[0].nodes)} cells")
            for text in wrong[:40]:
                print(f"  {text}")
            failed |= bool(wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main())
