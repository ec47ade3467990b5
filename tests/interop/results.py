# SPDX-License-Identifier: Apache-2.0
"""The tables of `make interop`: what passed between which sides, by operation, MTU and address family.

Tables are filled by cases.py and printed by run, which also leaves them in build/interop/table.md; docs/conformance.md
has them as measured.
"""
import re

from grid import grid

CAIRN, PEER = "Cairn", "rxe"


class Tables:
    def __init__(self, families, mtus):
        self.families, self.mtus = list(families), list(mtus)
        self.messages = {}      # (kind, family, MTU, Cairn asks) -> most messages compared in one run
        self.statuses = {}      # (what, Cairn asks) -> {status}
        self.programs = {}      # (program and transport, family, Cairn serves) -> runs

    def transfer(self, kind, family, mtu, cairn_asks, number):
        key = kind, family, mtu, cairn_asks
        self.messages[key] = max(number, self.messages.get(key, 0))

    def refusal(self, name, family, cairn_asks, status):
        del family
        self.statuses.setdefault((name, cairn_asks), set()).add(status)

    def program(self, name, args, family, cairn_serves):
        transport = re.search(r"-c (UC|UD)", " ".join(args))
        key = name + (f" -c {transport[1]}" if transport else ""), family, cairn_serves
        self.programs[key] = self.programs.get(key, 0) + 1

    def kinds(self):
        return list(dict.fromkeys(key[0] for key in self.messages))

    def transfers(self):
        lines = []
        for family in self.families:
            rows = [[kind, *("{} / {}".format(*(self.messages.get((kind, family, mtu, cairn), "-")
                                                for cairn in (True, False))) for mtu in self.mtus)]
                    for kind in self.kinds()]
            lines += ["", *grid([f"{family}: operation", *(f"MTU {mtu}" for mtu in self.mtus)], rows)]
        return ["Messages compared byte by byte: asked for by Cairn / by rxe.", *lines]

    def refusals(self):
        rows = [[name, *(", ".join(sorted(self.statuses.get((name, cairn), ["-"]))) for cairn in (True, False))]
                for name in dict.fromkeys(key[0] for key in self.statuses)]
        return ["What is refused, and the status that the side which asked got.", "",
                *grid(["request", f"{CAIRN} asks {PEER}", f"{PEER} asks {CAIRN}"], rows)]

    def runs(self):
        columns = [(family, serves) for family in self.families for serves in (False, True)
                   if any(key[1:] == (family, serves) for key in self.programs)]
        rows = [[name, *(str(self.programs.get((name, *column), "-")) for column in columns)]
                for name in dict.fromkeys(key[0] for key in self.programs)]
        return ["Programs, unmodified: runs that passed, by address family and who is the client.", "",
                *grid(["program", *(f"{family}, {PEER if serves else CAIRN}" for family, serves in columns)], rows)]

    def text(self):
        parts = [part for part, some in ((self.transfers, self.messages), (self.refusals, self.statuses),
                                         (self.runs, self.programs)) if some]
        return "\n\n".join("\n".join(part()) for part in parts)
