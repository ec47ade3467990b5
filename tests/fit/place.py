# SPDX-License-Identifier: Apache-2.0
"""Place and route of a unit by nextpnr, in a harness, so that pins do not matter: each input comes from a bit of one
long shift register, each output goes into another.

    place.place(meter, "rx_path__0123abcd", ["1", "2"])     {"fits": True, "fmax": 81.2, "seed": "2", ...}
"""
import json
import os
import re
import subprocess

import builds
import grid
import mapping
import programs
import wires
from design import PORT_LINE, Refused, yosys

HARNESS, TARGET_MHZ = "fit_harness", 100
PORT = re.compile(r"^  wire (?:width (\d+) )?.*\b(input|output) \d+ (?:signed )?\\(\S+)$")
GLOBAL = re.compile(r"^\$glbnet\$|\$TRELLIS_IO_IN$")
ESTIMATE = re.compile(r"Max frequency for clock +'[^']*': ([\d.]+) MHz")
WIRES = re.compile(r"wirelen = (\d+)")
LIMIT_S = int(os.environ.get("ROUTE_S", "3600"))    # seconds for the routing of a seed; 0: it is only placed
LONGEST = int(os.environ.get("WIRES", "0"))         # so many words with the longest wires are listed
NO_ROOM = re.compile(r"ERROR: (?:Unable to place|.*no Bels remaining|.*failed to (?:find|place)|Unable to find legal).*", re.I)


def ports(lines):
    """[(name, direction, width)] of a module's RTLIL."""
    return [(found[3], found[2], int(found[1] or 1)) for found in map(PORT.match, filter(PORT_LINE.match, lines))]


def is_clock(name):
    return re.fullmatch(r"(\w+_)?clk_i", name) is not None


def harness(name, its_ports):
    """Verilog of the harness and of the unit as a black box."""
    wide = {way: sum(n for port, to, n in its_ports if to == way and not is_clock(port)) for way in ("input", "output")}
    at, wires, declared = {"input": 0, "output": 0}, [], []
    for port, way, n in its_ports:
        declared.append(f"  {way} [{n - 1}:0] {port}")
        if is_clock(port):
            wires.append(f".{port}(clk_i)")
            continue
        wires.append(f".{port}({'in_q' if way == 'input' else 'out'}[{at[way]} +: {n}])")
        at[way] += n
    ins, outs = max(wide["input"], 1), max(wide["output"], 1)
    return "\n".join([
        "(* blackbox, keep *)", f"module {name} (", ",\n".join(declared), ");", "endmodule",
        f"module {HARNESS} (input clk_i, input in_i, output out_o);",
        f"  reg [{ins - 1}:0] in_q;", f"  reg [{outs - 1}:0] out_q;", f"  wire [{outs - 1}:0] out;",
        "  always @(posedge clk_i) begin", f"    in_q <= {{in_q, in_i}};", f"    out_q <= out ^ {{out_q, in_q[{ins - 1}]}};", "  end",
        f"  assign out_o = out_q[{outs - 1}];", f"  {name} u_unit (", ", ".join(wires), ");", "endmodule", ""])


def too_much(figures, device):
    """What of a unit the device has too little of; empty: it may fit."""
    return [f"{figures[metric]:g} of {room} {metric}" for metric, room in device.room.items() if figures.get(metric, 0) > room]


def in_harness(meter, name):
    """The flattened netlist of a unit in its harness, for nextpnr."""
    base = f"{meter.folder}/{name}.harness"
    with open(f"{base}.v", "w", encoding="utf-8") as out:
        out.write(harness(name, ports(meter.design.modules[name])))
    yosys(meter.yosys, mapping.own(meter.device.family, f"{base}.v", HARNESS, f"{base}.il"), base, f"the harness of {name}")
    return meter.netlist(name, [f"{base}.il"], HARNESS)


def nextpnr(meter, base, step, words, seconds=None):
    """Run it; its log, or None: it was not done by then."""
    program, folder = programs.find(builds.out(), "nextpnr-ecp5")
    log = os.path.abspath(f"{base}.{step}.log")
    try:
        done = subprocess.run([program, *meter.device.place, "--freq", str(TARGET_MHZ), "--lpf-allow-unconstrained",
                               "--timing-allow-fail", "-q", "-l", log, *words], cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    with open(log, encoding="utf-8", errors="replace") as text:
        said = text.read()
    if done.returncode and not NO_ROOM.search(said):
        raise Refused(f"nextpnr ends with {done.returncode} (log: {log}):\n{said[-600:]}")
    return said


def route(meter, netlist, base, seed):
    """{"wires": tiles, "estimated": MHz, "clocks": {clock: MHz}, or None if it is not routed}, or why there is no room."""
    placed, report = os.path.abspath(f"{base}.placed.json"), os.path.abspath(f"{base}.report")
    said = nextpnr(meter, base, "place", ["--json", os.path.abspath(netlist), "--seed", seed, "--no-route", "--write", placed])
    full = NO_ROOM.search(said)
    if full:
        return full[0]
    found = {"wires": int(WIRES.findall(said)[-1]), "estimated": min(map(float, ESTIMATE.findall(said))), "clocks": None}
    if LONGEST:
        print("\n".join(grid.grid(["tiles", "nets", "tiles a net", "word"], wires.rows(placed, LONGEST))), flush=True)
    if LIMIT_S:
        words = ["--json", placed, "--no-pack", "--no-place", "--report", report]
        said = nextpnr(meter, base, "route", words, LIMIT_S)
        if said is not None:
            with open(report, encoding="utf-8") as text:
                found["clocks"] = {GLOBAL.sub("", name): clock["achieved"] for name, clock in json.load(text)["fmax"].items()}
    os.unlink(placed)
    return found


def best(seeds):
    """Of {seed: what route says} the one whose slowest clock is the fastest; routed ones first."""
    speeds = {seed: (min(found["clocks"].values()) if found["clocks"] else 0, found["estimated"]) for seed, found in seeds.items()}
    seed = max(speeds, key=speeds.get)
    clocks = {name: round(mhz, 1) for name, mhz in (seeds[seed]["clocks"] or {}).items()}
    return {"fits": True, "fmax": round(speeds[seed][0], 1) or None, "clocks": clocks, "seed": seed,
            "seeds": {one: round(mhz, 1) for one, (mhz, _) in speeds.items()},
            "estimated": {one: round(mhz, 1) for one, (_, mhz) in speeds.items()},
            "wires": {one: found["wires"] for one, found in seeds.items()}}


def place(meter, name, figures, seeds):
    """{"fits": False, "why"} or the best seed's figures, "fmax" being None where none was routed in ROUTE_S; from the
    cache if all of it is known."""
    lacking = too_much(figures, meter.device)
    if lacking:
        return {"fits": False, "why": f"{meter.device.title} is too small: {', '.join(lacking)}"}
    known = f"{meter.cache}/{meter.key(name)}.{'-'.join(seeds)}.{meter.build.device}.{LIMIT_S}.place"
    if LONGEST or not os.path.exists(known):
        netlist, reports = in_harness(meter, name), {}
        for seed in seeds:
            found = route(meter, netlist, f"{meter.folder}/{name}.{seed}", seed)
            if isinstance(found, str):
                return {"fits": False, "why": found}
            reports[seed] = found
        os.unlink(netlist)
        with open(f"{known}.part", "w", encoding="utf-8") as out:
            json.dump(best(reports), out)
        os.rename(f"{known}.part", known)
    with open(known, encoding="utf-8") as text:
        return json.load(text)
