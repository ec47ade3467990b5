#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""events.py: what each rule does to frames, once as it says and once not."""
import os
import sys

sys.dont_write_bytecode = True

import shared  # noqa: E402, F401
import roce  # noqa: E402
import tap  # noqa: E402
from events import judge_events, marked  # noqa: E402
from talk import Talk  # noqa: E402

FLIGHT = 500
EVERY = 1000    # a frame leaves each us
PAST = 300_000  # ns behind the last frame until the capture ends


def sends(count=6):
    """count SENDs of one QP, PSNs from 100, as bytes."""
    t = Talk()
    for i in range(count):
        t.send(100 + i, 20)
    return [Talk.frame(packet) for packet in t.packets]


def flip(data, bit):
    data = bytearray(data)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def play(notes, fates, frames=None):
    """Findings.  fates: {index: [(ns late, bytes, bad FCS)]}, how often and as what a frame arrives; others: once."""
    records = []
    for index, data in enumerate(frames or sends()):
        left = 1000 + index * EVERY
        records.append((left, 0, "nic0", "out", data, False))
        for late, what, bad in fates.get(index, [(0, data, False)]):
            records.append((left + FLIGHT + late, 1, "nic1", "in", what, bad))
    records.append((records[-1][0] + PAST, 0, "nic1", "out", b"\xff" * 6 + b"\2" * 6 + b"\x88\xb5" + bytes(46), False))
    packets = []
    for number, (ns, _, port, way, data, bad) in enumerate(sorted(records), 1):
        frame = roce.Frame(number, ns, data, len(data), port, way, bad)
        packets.append((frame, roce.parse(frame)))
    return judge_events(packets, notes)


def check(rule, good, bad, hits=None, frames=None):
    notes = [(0, "rule " + rule)]
    found, told = play(notes, good, frames)
    assert not found, f"{rule}, kept: {[text for _, text in found]}"
    assert hits is None or told == hits, f"{rule}: {told} hits, not {hits}"
    for fates in bad:
        assert play(notes, fates, frames)[0], f"{rule}, not kept: nothing found"


F = sends()
AS_IT_IS = [(0, F[1], False)]
LOST = {1: []}


def drop():
    for how in ("k=2", "psn=1", "psn=@101", "qp=0x22 k=2", "qp=#1 k=2", "nic0>nic1 k=2", "*>nic1 k=2", "every=2 count=1",
                "op=send k=2", "op=send+only k=2", "op=write,rc_send_only k=2", "op=SEND_ONLY psn=1", "op=rc+req psn=1",
                "type=roce k=2", "len=60-100 k=2", "len=1-70,74- psn=1", "psn=1 round=1", "psn=1 round=1-", "k=0x2"):
        check("drop " + how, LOST, [{}, {0: []}, {1: [], 2: []}], 1)
    check("drop nic1>nic0", {}, [LOST])
    for how in ("qp=7", "qp=#2", "op=read", "op=uc", "op=send+last", "aeth=ack", "type=arp", "len=1-30",
                "round=2-", "k=9", "after=1s", "before=0"):
        check("drop " + how, {}, [LOST], 0)


def rounds():
    again = [F[0], F[1], F[1], F[1], F[2], F[2]]
    check("drop psn=1 round=2-", {2: [], 3: []}, [{}, {1: []}, {2: []}, {5: []}], 2, again)
    check("drop round=3", {3: []}, [{}, {2: []}], 1, again)
    assert not play([(0, "rule drop k=1"), (3, "clear"), (3, "rule drop round=1 k=1")], {0: [], 2: []}, again)[0]


def damage():
    last = len(F[1]) * 8 - 1
    check("corrupt:-1 psn=1", {1: [(0, flip(F[1], last), False)]}, [{}, LOST, {1: [(0, flip(F[1], last - 1), False)]}], 1)
    check("corrupt:100 k=2", {1: [(0, flip(F[1], 100), False)]}, [{}, LOST], 1)
    check("corrupt psn=1", {1: [(0, flip(F[1], 333), False)]}, [{}, LOST, {1: [(0, flip(flip(F[1], 333), 5), False)]}], 1)
    check("badfcs psn=1", {1: [(0, F[1], True)]}, [{}, LOST], 1)
    check("truncate:61 psn=1", {1: [(0, F[1][:61], False)]}, [{}, LOST, {1: [(0, F[1][:60], False)]}], 1)
    check("ecn psn=1", {1: [(0, marked(F[1]), False)]}, [{}, LOST], 1)
    p = roce.parse(roce.Frame(1, 0, marked(F[1]), len(F[1])))
    assert p.ecn == 3 and p.sum_ok and p.icrc_ok


def copies():
    check("dup psn=1", {1: AS_IT_IS * 2}, [{}, LOST, {1: AS_IT_IS * 3}, {0: [(0, F[0], False)] * 2}], 1)
    check("dup:3 psn=1", {1: AS_IT_IS * 4}, [{1: AS_IT_IS * 3}], 1)


def late():
    check("delay:3us psn=1", {1: [(3000, F[1], False)]}, [{}, {1: [(2000, F[1], False)]}, LOST], 1)
    check("reorder:2 psn=1", {1: [(2000, F[1], False)]}, [{}, {1: [(1000, F[1], False)]}, LOST], 1)
    check("reorder:9 psn=1", {1: [(20000, F[1], False)]}, [{1: [(10000, F[1], False)]}], 1)


def perhaps():
    """By chance a frame may be hit or not, but what a rule does not meet goes through."""
    for fates in ({}, LOST):
        assert not play([(0, "rule drop p=0.5 psn=1")], fates)[0]
    assert play([(0, "rule drop p=0.5 psn=1")], {2: []})[0]
    for what in (F[1], flip(F[1], 200)):
        assert not play([(0, "rule corrupt p=0.5")], {1: [(0, what, False)]})[0]
    assert play([(0, "chance "), (0, "rule drop k=1")], LOST) == ([], None)
    assert play([], LOST) == ([], None)


def elsewhere():
    """What no rule took may still be lost for want of room, when the capture says so."""
    assert play([(0, "rule drop k=9")], LOST)[0]
    assert not play([(0, "rule drop k=9"), (2, "lost nic1")], LOST)[0]
    assert play([(0, "rule drop k=9"), (2, "lost nic0")], LOST)[0]


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(tap.run([(case.__name__, case) for case in (drop, rounds, damage, copies, late, perhaps, elsewhere)]))
