# SPDX-License-Identifier: Apache-2.0
"""Figures of units: each unit is mapped once, alone, its netlist kept by its hash; then put together and looked at.

    meter = Meter("nic64")
    meter.figures("rx_path")        {"hash", "lut", "ff", "bram", ..., "levels", "from", "to"}
"""
import concurrent.futures
import hashlib
import json
import os

import builds
import levels
import mapping
import programs
import share
from design import Design, text, yosys

RECIPE = "1"    # part of every hash: another number when the same sources are to give other figures
PATHS = 12
METRICS = ("lut", "ff", "bram", "uram", "lutram", "carry", "dsp")


def recipe(name):
    """What figures depend on besides the sources."""
    device = builds.DEVICES[builds.BUILDS[name].device]
    family = mapping.FAMILIES[device.family]
    return RECIPE, programs.VERSION.strip(), device.family, family.synth, *family.steps, *device.ram


def state(name):
    """Hash of all that the figures of a build depend on."""
    return text(builds.TOP, builds.BUILDS[name].parameters, *recipe(name))


class Meter:
    def __init__(self, name, jobs=1):
        self.build, self.name, self.jobs = builds.BUILDS[name], name, jobs
        self.device = builds.DEVICES[self.build.device]
        self.folder, self.cache = f"{builds.out()}/{name}", f"{builds.out()}/cache"
        os.makedirs(self.folder, exist_ok=True)
        os.makedirs(self.cache, exist_ok=True)
        self.yosys, _ = programs.find(builds.out(), "yosys")
        programs.check(builds.out())
        self.design = Design(self.yosys, self.folder, self.build.parameters, self.device.ram, whole=self.build.whole)
        self.keys = {}

    def variants(self):
        """{row of the table: module}; a unit that the NIC has with several parameters has several rows."""
        rows = {}
        for unit in builds.units():
            names = self.design.names(unit)
            for number, name in enumerate(names, 1):
                rows[unit if len(names) == 1 else f"{unit}.{number}"] = name
        return rows

    def own_key(self, name):
        if name not in self.keys:
            self.keys[name] = self.design.key(name, *recipe(self.name))
        return self.keys[name]

    def closure(self, name):
        """{module: how often}: the unit and the units within it."""
        found, todo = {}, [(name, 1)]
        while todo:
            module, times = todo.pop()
            found[module] = found.get(module, 0) + times
            todo += [(cell, n * times) for cell, n in self.design.inside(module)[1].items()]
        return found

    def key(self, name):
        """What the figures of a unit depend on."""
        keys = sorted(self.own_key(module) for module in self.closure(name))
        return hashlib.sha256(" ".join(keys).encode()).hexdigest()[:16]

    def own_path(self, name):
        return f"{self.cache}/{self.own_key(name)}.il"

    def missing(self, name):
        """Units that have to be mapped before this one's figures are known."""
        if os.path.exists(f"{self.cache}/{self.key(name)}.json"):
            return []
        return [module for module in self.closure(name) if not os.path.exists(self.own_path(module))]

    def stale(self, known, room, unknown):
        """({row: module}, [row]) of what is another than the figures that are known: what can be measured in so many
        seconds of a processor, the quickest first, and what cannot: never a NIC in one piece.  unknown: seconds of what
        was never timed."""
        rows, left, costs = {}, [], {}
        for row, name in self.variants().items():
            if known.get(row, {}).get("hash") != self.key(name):
                costs[row] = sum(known.get(self.design.stem(part), {}).get("seconds") or unknown
                                 for part in self.missing(name))
                if self.build.whole and name == builds.TOP:
                    costs[row] = float("inf")
        for row in sorted(costs, key=costs.get):
            room -= costs[row]
            if room >= 0:
                rows[row] = self.variants()[row]
            else:
                left.append(row)
        return rows, left

    def map_own(self, name):
        """Map a unit; its netlist, and how long that took, are kept."""
        source, path = f"{self.folder}/{name}.source.il", self.own_path(name)
        self.design.write(name, source)
        seconds = yosys(self.yosys, mapping.own(self.device.family, source, name, f"{path}.part"), f"{self.folder}/{name}",
                        f"{name} of {self.name}")
        os.rename(f"{path}.part", path)
        with open(f"{path}.seconds", "w", encoding="ascii") as out:
            out.write(f"{seconds:.0f}")

    def prepare(self, names, done=lambda name: None):
        """Map what these need, several at once."""
        todo = sorted({module for name in names for module in self.missing(name)})
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            jobs = {pool.submit(self.map_own, name): name for name in todo}
            try:
                for job in concurrent.futures.as_completed(jobs):
                    job.result()
                    done(jobs[job])
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def netlist(self, name, extra=(), top=None):
        """The flattened netlist of a unit, from Yosys's JSON; its path stays."""
        path = f"{self.folder}/{top or name}.json"
        parts = [self.own_path(part) for part in self.closure(name)] + list(extra)
        yosys(self.yosys, mapping.whole(self.device.family, parts, top or name, path),
              f"{self.folder}/{top or name}.whole", f"{name} of {self.name}")
        return path

    def loaded(self, name):
        """The netlist of a unit, for figures."""
        path = self.netlist(name)
        with open(path, encoding="utf-8") as netlist:
            module = json.load(netlist)["modules"][name]
        os.unlink(path)
        return levels.Netlist(module, self.device.family)

    def where(self, name, depth):
        """[(instance, figures)] of a unit, down to a depth (share.py)."""
        return share.summed(share.shares(self.loaded(name)), depth)

    def figures(self, name):
        """The figures of a unit whose parts have been mapped, or are in the cache."""
        known = f"{self.cache}/{self.key(name)}.json"
        if not os.path.exists(known):
            entry = self.judge(self.loaded(name))
            with open(f"{known}.part", "w", encoding="utf-8") as out:
                json.dump({"hash": self.key(name), "seconds": self.seconds(name), **entry}, out, indent=1)
            os.rename(f"{known}.part", known)
        with open(known, encoding="utf-8") as entry:
            return json.load(entry)

    def judge(self, netlist):
        counts = mapping.count(netlist.types, self.device.family)
        paths = netlist.paths(PATHS)
        deepest = paths[0] if paths else {"levels": 0, "carry": 0, "mux": 0, "from": "-", "to": "-"}
        return {**{metric: counts[metric] for metric in METRICS}, "levels": deepest["levels"],
                "chain": deepest["carry"], "mux": deepest["mux"], "from": deepest["from"], "to": deepest["to"],
                "beyond": netlist.beyond, **netlist.depths(), "paths": paths}

    def seconds(self, name):
        """What mapping the unit alone took."""
        with open(f"{self.own_path(name)}.seconds", encoding="ascii") as seconds:
            return int(seconds.read())
