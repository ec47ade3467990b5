# SPDX-License-Identifier: Apache-2.0
"""Cells of FPGA families: how Yosys makes them, what they count as, and which of their pins depend on which.

Counting (docs/fit.md): "lut" is places for LUTs.  A cell has a cost a place, and arcs: output pins, the input pins that
reach them, and what the way through costs: levels of LUTs, elements of carry chains, multiplexers behind LUTs.  What a
register, a block RAM or a LUT RAM holds is where paths begin; its other inputs are where they end.
"""
import dataclasses
import re

LEVEL, CARRY, MUX = 1 << 40, 1 << 20, 1     # the cost of a way as one number: compared by levels, then by carry


def parts(cost):
    return cost >> 40, cost >> 20 & 0xFFFFF, cost & 0xFFFFF


@dataclasses.dataclass
class Kind:
    """A type of cell.  arcs: (outputs, inputs, cost), pins as patterns; begins: outputs that paths begin at, and what
    the way out costs; pins that no arc and no `ignored` names are ends."""
    counts: dict = dataclasses.field(default_factory=dict)
    arcs: tuple = ()
    begins: tuple = ()
    ignored: str = ""
    ends_too: str = ""      # pins that an arc begins at, and a path ends at as well


def ram(luts, arcs, too):
    """RAM of LUTs: read at any time, written by the clock."""
    arcs = tuple((out, address, LEVEL) for out, address in arcs)
    return Kind({"lut": luts, "lutram": luts}, arcs, tuple((out, LEVEL) for out, _, _ in arcs), r"W?CLK|WCK", too)


def lut(most):
    return {f"LUT{n}": Kind({"lut": 1}, (("O|Z", r"I\d|[A-D]", LEVEL),)) for n in range(1, most + 1)}


ECP5 = {
    "LUT4": Kind({"lut": 1}, (("Z", "[A-D]", LEVEL),)),
    "PFUMX": Kind({}, (("Z", "ALUT|BLUT|C0", MUX),)),
    "L6MUX21": Kind({}, (("Z", "D0|D1|SD", MUX),)),
    "CCU2C": Kind({"lut": 2, "carry": 1}, (("S0", "[A-D]0", LEVEL), ("S1|COUT", "[A-D][01]", LEVEL), ("S0|S1|COUT", "CIN", CARRY))),
    "TRELLIS_FF": Kind({"ff": 1}, (), (("Q", 0),), "CLK"),
    "TRELLIS_DPR16X4": ram(6, [("DO", "RAD")], ""),
    "DP16KD": Kind({"bram": 1}, (), (("DO[AB].*", 0),), "CLK[AB]"),
    "PDPW16KD": Kind({"bram": 1}, (), (("DO.*", 0),), "CLK[WR]"),
    "MULT18X18D": Kind({"dsp": 1}, (("P.*|RO.*|SRO.*|SIGNEDP", "[A-C]\\d+|SIGNED[AB]|SOURCE[AB]", LEVEL),), (), "CLK.*|CE.*|RST.*|SR[IO].*"),
    "VHI": Kind(), "VLO": Kind(),
}


def carry(bits):
    """The Xilinx carry chain: element i reaches the outputs from i up."""
    every = [(f"(O|CO)\\.{i}", "|".join([f"(S|DI)\\.{j}" for j in range(i + 1)] + ["CI", "CYINIT", "CI_TOP"]), CARRY)
             for i in range(bits)]
    return Kind({"carry": bits // 4}, tuple(every))


XCUP = {
    **lut(6),
    "INV": Kind({"lut": 1}, (("O", "I", LEVEL),)),
    "MUXF7": Kind({}, (("O", "I0|I1|S", MUX),)), "MUXF8": Kind({}, (("O", "I0|I1|S", MUX),)),
    "MUXF9": Kind({}, (("O", "I0|I1|S", MUX),)),
    "CARRY4": carry(4), "CARRY8": carry(8),
    **{name: Kind({"ff": 1}, (), (("Q", 0),), "C") for name in ("FDRE", "FDSE", "FDCE", "FDPE", "FDRE_1", "FDSE_1")},
    "RAM32X1S": ram(1, [("O", r"A\d")], r"A\d"), "RAM64X1S": ram(1, [("O", r"A\d")], r"A\d"),
    "RAM128X1S": ram(2, [("O", r"A\d")], r"A\d"),
    "RAM256X1S": ram(4, [("O", r"A\d|A")], r"A\d|A"), "RAM512X1S": ram(8, [("O", r"A\d|A")], r"A\d|A"),
    **{f"RAM{depth}X1D": ram(luts, [("SPO", r"A\d|A"), ("DPO", r"DPRA\d|DPRA")], r"A\d|A")
       for depth, luts in ((32, 2), (64, 2), (128, 4), (256, 8))},
    "RAM32M": ram(4, [(f"DO{c}", f"ADDR{c}") for c in "ABCD"], "ADDRD"),
    "RAM64M": ram(4, [(f"DO{c}", f"ADDR{c}") for c in "ABCD"], "ADDRD"),
    "RAM32M16": ram(8, [(f"DO{c}", f"ADDR{c}") for c in "ABCDEFGH"], "ADDRH"),
    "RAM64M8": ram(8, [(f"DO{c}", f"ADDR{c}") for c in "ABCDEFGH"], "ADDRH"),
    "SRL16E": ram(1, [("Q", r"A\d")], ""), "SRLC32E": ram(1, [("Q|Q31", "A")], ""),
    "RAMB36E2": Kind({"bram": 1}, (), ((".*DOUT.*|.*ERR.*|ECC.*|RDADDRECC", 0),), "CLK.*"),
    "RAMB18E2": Kind({"bram": 0.5}, (), ((".*DOUT.*", 0),), "CLK.*"),
    "URAM288": Kind({"uram": 1}, (), (("DOUT.*|RDACCESS.*|.*BITERR.*|CAS_OUT.*", 0),), "CLK"),
    "DSP48E2": Kind({"dsp": 1}, (("P|C?O?U?T?|.*OUT.*|.*DETECT|OVERFLOW|UNDERFLOW|XOROUT", "[A-D]|.*IN|.*MODE", LEVEL),), (), "CLK|CE.*|RST.*"),
    "BUFG": Kind({}, (("O", "I", 0),)), "GND": Kind(), "VCC": Kind(),
}


@dataclasses.dataclass
class Family:
    synth: str      # of a unit alone
    library: str    # cells that a netlist is made of
    kinds: dict
    # Steps; "run": of synth. What checks and reports is left out: naming cells takes longer than all the rest.
    steps: tuple = ("run begin:check",)


FAMILIES = {
    # A wire of this device, placed and routed, takes some 1.2 ns, four times what synth_ecp5 reckons with. With its
    # figure a chain of LUTs is as good as carry cells or a wide multiplexer, and all other paths are let grow to that.
    "ecp5": Family("synth_ecp5", "+/ecp5/cells_sim.v +/ecp5/cells_bb.v", ECP5,
                   ("run begin:map_luts", "techmap -map +/ecp5/latches_map.v", "abc9 -W 1200", "clean",
                    "run map_cells:check")),
    "xcup": Family("synth_xilinx -family xcup -noiopad -noclkbuf -flatten",
                   "+/xilinx/cells_sim.v +/xilinx/cells_xtra.v", XCUP),
}


def own(family, source, name, out):
    """Script that maps one unit, with black boxes for those within, and keeps its netlist."""
    read = "read_verilog" if source.endswith(".v") else "read_rtlil"
    steps = [f"{FAMILIES[family].synth} -top {name} -{step}" if step.startswith("run ") else step
             for step in FAMILIES[family].steps]
    return [f"{read} {source}", f"hierarchy -top {name}", "setattr -unset src t:* w:*", *steps, "delete t:$scopeinfo",
            f"select -assert-none {name}/t:$*", f"select {name}", f"write_rtlil -selected {out}"]


def whole(family, netlists, name, out):
    """Script that puts netlists together."""
    return [f"read_verilog -lib {FAMILIES[family].library}", "blackbox =A:whitebox",
            *(f"read_rtlil {netlist}" for netlist in netlists), f"hierarchy -check -top {name}", "flatten -noscopeinfo",
            "opt_clean -purge", f"write_json {out}"]


def count(cells, family):
    """{metric: sum} of {type of cell: number}."""
    sums = dict.fromkeys(("lut", "ff", "bram", "uram", "lutram", "carry", "dsp"), 0)
    for kind, number in cells.items():
        for metric, worth in FAMILIES[family].kinds[kind].counts.items():
            sums[metric] += worth * number
    return sums


def matching(pattern, pin):
    return bool(pattern) and re.fullmatch(pattern, pin) is not None
