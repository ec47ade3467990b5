#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cairn report: what stands in the page of scripted conversations and of captures of Linux hosts (tests/fixtures), what
is refused, and that nothing in a capture gets out of its data.  test_page.py opens pages in a browser.

SEED repeats the damaged captures.
"""
import base64
import glob
import hashlib
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import shared  # noqa: E402
import cm  # noqa: E402
import page  # noqa: E402
import roce  # noqa: E402
import tap  # noqa: E402
from analysis import Analysis  # noqa: E402
from connection import latency, quantile  # noqa: E402
from judge import Judge  # noqa: E402
from ladders import Ladder, data_of, reported  # noqa: E402
from talk import CODES, FLIGHT_NS, Talk  # noqa: E402
from transport import View  # noqa: E402

TOOL = os.path.join(shared.TOP, os.environ.get("BUILD", "build"), "bin", "cairn")
FIXTURES = os.path.join(shared.TOP, "tests", "fixtures")
SEED = int(os.environ.get("SEED", "1"), 0)
DAMAGED, ODD = 150, 60     # captures, conversations


def fixture(name):
    return os.path.join(FIXTURES, name + ".pcap")


def of_fixture(name):
    return page.data(Analysis(fixture(name)).run(), name)


def ladder(talk, ports=True):
    """The one connection of a conversation."""
    found = reported(talk, ports)
    assert len(found["connections"]) == 1, found["connections"]
    return Ladder(found, 0)


# ---- causes ----

def sequence_nak():
    """The middle of three packets is lost: who says so, what goes again, what was in vain."""
    t = Talk()
    t.write(100, 700)[1]["lost"] = True
    t.nak(101, 0)
    t.wait(30)
    del t.packets[t.packets.index(t.write(100, 700)[0])]
    t.ack(102, 1)
    rows = ladder(t)
    assert [row.why for row in rows] == ["", "", "", "ahead", "nak", "goback", "acks"], [row.why for row in rows]
    assert rows[1].flags == {"request", "lost"} and rows[2].flags == {"request", "ahead"}, rows[1].flags
    assert rows[3].by is rows[2] and f"PSN 101, sent as #{rows[1].number}" == rows[3].note, rows[3].note
    assert rows[4].by is rows[3] and "again" in rows[4].flags and rows[5].by is rows[4] and rows[6].by is rows[5]
    figures = rows.figures
    assert figures[0]["again"] == 2 and figures[0]["restarts"] == {"nak": 1} and figures[0]["lost"] == 1, figures
    assert figures[0]["naks"] == {"sequence error": 1} and figures[0]["rnr"] == 0 and figures[0]["acks"] == 1


def first_ahead():
    """Several come ahead of what is missing: the NAK is for the first of them."""
    t = Talk()
    t.write(100, 1000)[0]["lost"] = True
    t.nak(100, 0)
    rows = ladder(t)
    assert rows[4].why == "ahead" and rows[4].by is rows[1] and "ahead" in rows[2].flags, rows[4].why


def lost_twice():
    """After the NAK it is lost again, and no second NAK comes: that is a timeout."""
    t = Talk()
    t.send(1, lost=True)
    t.send(2)
    t.nak(1, 0)
    t.wait(5)
    t.send(1, lost=True)
    t.send(2)
    t.wait(90)
    t.send(1)
    t.send(2)
    t.ack(2, 2)
    rows = ladder(t)
    assert [row.why for row in rows] == ["", "", "ahead", "nak", "goback", "timeout", "goback", "acks"], rows[5].why
    assert rows[5].by is rows[3] and f"#{rows[3].number} was lost" in rows[5].note, rows[5].note


def sequence_nak_on_the_wire():
    """The same where the capture has each frame once: what was lost is inferred."""
    t = Talk()
    t.write(100, 700)
    t.nak(101, 0)
    t.wait(30)
    del t.packets[t.packets.index(t.write(100, 700)[0])]
    t.ack(102, 1)
    rows = ladder(t, ports=False)
    assert rows[1].flags == {"request", "missing"} and rows[4].why == "nak" and rows[4].by is rows[3], rows[1].flags
    assert rows.figures[0]["lost"] == 0 and rows.figures[0]["duplicates"] == 0


def came_and_dropped():
    """A NAK names what did arrive: the receiver had no room."""
    t = Talk()
    t.send(1)
    t.send(2)
    t.nak(1, 0)
    t.wait(50)
    t.send(1)
    t.send(2)
    t.ack(2, 2)
    rows = ladder(t)
    assert "had come, so the receiver dropped it" in rows[2].note and "missing" not in rows[0].flags, rows[2].note
    assert rows[3].why == "nak" and rows[3].flags == {"request", "again"}


def implied_nak():
    """The answer of the first READ is lost, that of the second comes."""
    t = Talk()
    t.read(1, 10)
    t.read(2, 10, va=0x4000)
    t.response(1, 10, 1)[0]["lost"] = True
    t.response(2, 10, 2)
    t.wait(2)
    t.read(1, 10)
    t.read(2, 10, va=0x4000)
    t.response(1, 10, 2)
    t.response(2, 10, 2)
    rows = ladder(t)
    assert rows[4].why == "implied" and rows[4].by is rows[3] and rows[5].why == "goback", [row.why for row in rows]
    assert "duplicate" in rows[4].flags and rows[6].why == "repeats" and rows[6].by is rows[4]
    assert rows.figures[0]["restarts"] == {"implied": 1} and rows.figures[1]["lost"] == 1


def implied_long_ago():
    """An answer that lacked for a moment is no reason to send again later: that is a timeout."""
    t = Talk()
    t.read(1, 10)
    t.send(2)
    t.response(1, 10, 1)[0]["late"] = 3000
    t.ack(2, 2)
    t.wait(10)
    t.send(3, lost=True)
    t.wait(90)
    t.send(3)
    t.ack(3, 3)
    rows = ladder(t)
    assert rows[-2].why == "timeout" and rows[-2].by is rows[-3], rows[-2].why


def rest_of_a_read():
    t = Talk()
    t.read(1, 700)
    answers = t.response(1, 700, 1)
    answers[1]["lost"] = True
    t.wait(2)
    t.add("a", "RC_READ_REQUEST", 2, ext=struct.pack(">QII", 0x2100, 0x66, 444), ackreq=1)
    t.response(2, 444, 1)
    rows = ladder(t)
    assert rows[4].why == "implied" and "asks for the last 444 bytes of #1" in rows[4].note, rows[4].note


def timeouts():
    """What was lost: the request, or its answer; and how long that took."""
    for request in (True, False):
        t = Talk()
        t.send(1, lost=request)
        if not request:
            t.ack(1, 1, lost=True)
        t.wait(70)
        t.send(1)
        t.ack(1, 1)
        rows = ladder(t)
        again, lost = rows[-2], rows[0 if request else 1]
        assert again.why == "timeout" and again.by is rows[0] and "lost" in lost.flags, again.why
        words = f"#{lost.number} was lost" if request else f"the answer #{lost.number} was lost"
        assert words in again.note and f"for {71 if request else 72}.000 us" in again.note, again.note
        assert ("duplicate" in again.flags) != request and rows.figures[0]["restarts"] == {"timeout": 1}
        assert rows[-1].why == ("acks" if request else "repeats") and rows[-1].by is again


def receiver_not_ready():
    t = Talk()
    t.send(1)
    t.rnr(1, 0, timer=12)
    t.wait(700)
    t.send(1)
    t.ack(1, 1)
    rows = ladder(t)
    assert rows[1].why == "not_ready" and rows[1].by is rows[0] and rows[1].note == "asks to wait 640.000 us", rows[1].note
    assert rows[2].why == "rnr" and rows[2].by is rows[1] and "which asked for 640.000 us" in rows[2].note, rows[2].note
    assert rows.figures[0]["rnr"] == 1 and not rows.figures[0]["naks"] and "missing" not in rows[0].flags


def refused():
    """NAKs that end the connection: of each kind."""
    for code, name in ((roce.NAK_INVALID, "invalid request"), (roce.NAK_ACCESS, "remote access error"),
                       (roce.NAK_OP, "remote operational error")):
        t = Talk()
        t.write(1, 10)
        t.ack(1, 1)
        t.write(2, 10)
        t.nak(2, 1, code)
        t.write(3, 10)
        rows = ladder(t)
        figures = rows.figures[0]
        assert rows[3].why == "refuses" and rows[3].by is rows[2] and rows[3].note == name, rows[3].note
        assert rows[4].flags == {"request"}, rows[4].flags      # nobody takes it, nor says so
        assert figures["naks"] == {name: 1} and figures["failed"] == 1 and figures["open"] == 1, figures
        assert figures["latency"]["n"] == 1


def duplicates():
    """A frame that comes twice: by port, and where the wire shows it again; not what a sender sends again."""
    t = Talk()
    t.send(1, twice=True)
    t.ack(1, 1, twice=True)
    rows = ladder(t)
    assert all("duplicate" in row.flags and "arrived again" in row.note for row in rows) and len(rows) == 2
    assert [one["duplicates"] for one in rows.figures] == [1, 1] and rows.figures[0]["again"] == 0
    t = Talk()
    t.send(1)
    t.packets.append(dict(t.packets[0], ns=t.ns))
    t.ns += 1000
    t.ack(1, 1)
    rows = ladder(t, ports=False)
    assert rows[1].why == "copy" and rows[1].by is rows[0] and rows[1].flags == {"request", "duplicate"}, rows[1].why
    assert rows.figures[0]["again"] == 0 and rows.figures[0]["duplicates"] == 1 and not rows.figures[0]["restarts"]


def duplicates_by_answers():
    """Without arrivals: what comes again after it was acknowledged."""
    t = Talk()
    t.send(1)
    t.ack(1, 1)
    t.wait(1500)
    t.send(1)
    t.ack(1, 1)
    rows = ladder(t, ports=False)
    assert rows[2].flags == {"request", "again", "duplicate"} and rows[2].why == "timeout", rows[2].flags
    assert "the requester may not have seen" in rows[2].note and rows[3].why == "repeats" and rows[3].by is rows[2]
    t = Talk()
    t.send(1)
    t.wait(90)
    t.send(1)
    t.ack(1, 1)
    assert ladder(t, ports=False)[1].flags == {"request", "again"}


def damaged():
    """Changed on the way, or cut off there; its sender sends again."""
    t = Talk()
    t.send(1, 40, damaged=True)
    t.wait(70)
    t.send(1, 40)
    t.ack(1, 1)
    found = reported(t)
    rows = Ladder(found, 0)
    assert rows[0].flags == {"request", "damaged"} and rows[0].note == "arrived damaged: wrong ICRC", rows[0].note
    assert rows[1].why == "timeout" and f"#{rows[0].number} was damaged" in rows[1].note, rows[1].note
    assert found["warnings"] == [{"text": "arrived damaged", "count": 1, "frames": [2]}], found["warnings"]
    assert rows.figures[0]["damaged"] == 1 and rows.figures[0]["lost"] == 0


def damaged_again():
    """Of two packets with the same bytes it is the second that comes damaged."""
    t = Talk()
    t.send(1, 40)
    t.wait(70)
    t.send(1, 40, damaged=True)
    rows = ladder(t)
    assert "damaged" not in rows[0].flags and "damaged" in rows[1].flags, rows[0].flags


def kept_back():
    """Behind a packet that was sent after it."""
    t = Talk()
    t.send(1, late=4000)
    t.send(2)
    t.wait(1)
    t.nak(1, 0)
    t.wait(5)
    t.send(1)
    t.send(2)
    t.ack(2, 2)
    t.packets.sort(key=lambda packet: packet["ns"])
    rows = ladder(t)
    assert rows[0].arrival == FLIGHT_NS + 4000 and "late" not in rows[0].flags, rows[0].arrival
    assert rows[1].flags == {"request", "ahead"} and rows[3].why == "nak"


def overtaken_by_itself():
    """It is kept back for so long that it is sent again, and comes after that."""
    t = Talk()
    t.send(1, late=100_000)
    t.wait(70)
    t.send(1)
    t.wait(50)
    t.ack(1, 1)
    rows = ladder(t)
    assert "late" in rows[0].flags and rows[0].arrival == FLIGHT_NS + 100_000, rows[0].flags
    assert "late" not in rows[1].flags and rows[1].arrival == FLIGHT_NS and rows[1].why == "timeout", rows[1].flags


def multicast():
    """It reaches several ports, each of them once."""
    t = Talk()
    t.add("a", "UD_SEND_ONLY", 1, b"1234", ext=struct.pack(">II", 0x11111111, 0x11), dqpn=0xFFFFFF)
    data = bytearray(Talk.frame(t.packets[0]))
    data[:6], data[30:34] = bytes.fromhex("01005e010201"), bytes([239, 1, 2, 1])
    data[24:26] = b"\0\0"
    data[24:26] = struct.pack(">H", roce.ip_sum(bytes(data[14:34])) ^ 0xFFFF)
    data[66:70] = struct.pack("<I", roce.icrc(bytes(data[14:]), 20, 52))
    frames = [roce.Frame(number, 1000 * number, bytes(data), len(data), port, way) for number, (port, way) in enumerate(
        (("nic0", "out"), ("nic1", "in"), ("nic2", "in"), ("nic2", "in")), 1)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "talk")
        t.save_ports(path)
        for last, flags in ((3, {"request"}), (4, {"request", "duplicate"})):
            analysis = Analysis(path)
            analysis.frames = frames[:last]
            analysis.packets = [(frame, roce.parse(frame)) for frame in frames[:last]]
            found = page.data(analysis.run(), "multicast")
            (row,) = Ladder(found, 0)
            assert row.flags == flags and not found["warnings"], (row.flags, found["warnings"])


def coalesced():
    """One ACK for three messages."""
    t = Talk()
    for psn in (1, 2, 3):
        t.send(psn)
    t.ack(3, 3)
    rows = ladder(t)
    assert rows[3].why == "acks" and rows[3].by is rows[2] and rows[3].note == "3 messages at once, PSN 1 to 3", rows[3].note
    assert rows.figures[0]["acks"] == 1 and rows.figures[0]["latency"]["n"] == 3


def nothing_asks_for_it():
    t = Talk()
    t.send(1)
    t.send(2)
    t.send(3)
    t.send(2)
    t.ack(3, 3)
    t.packets[3]["ackreq"] = 0   # or it would be a copy
    rows = ladder(t, ports=False)
    assert rows[3].why == "unexplained" and "again" in rows[3].flags, rows[3].why
    assert rows.figures[0]["restarts"] == {"unexplained": 1}


# ---- figures ----

def latencies():
    """From the first packet to the answer that completes it, at the requester's port, to the ns."""
    t = Talk()
    t.write(1, 700)             # at 1, 2, 3 us
    t.ack(3, 1)                 # at 4 us
    t.read(4, 10)               # at 5 us
    t.response(4, 10, 2)        # at 6 us
    t.atomic(5)                 # at 7 us
    t.atomic_ack(5, 3)
    figures = ladder(t).figures[0]
    assert {op: found["max"] for op, found in figures["latency_of"].items()} == {
        "WRITE": 3500, "READ": 1500, "FETCH_ADD": 1500}, figures["latency_of"]
    assert figures["latency"] == {"p50": 1500, "p99": 3500, "p999": 3500, "n": 3, "min": 1500, "max": 3500}, figures
    values = list(range(1, 1001))
    random.Random(SEED).shuffle(values)
    assert latency(values) == {"p50": 500, "p99": 990, "p999": 999, "n": 1000, "min": 1, "max": 1000}, latency(values)
    assert latency([]) is None and quantile([7], 0.5) == quantile([7], 0.999) == 7


def goodput():
    """Delivered bytes over the time from the first packet to the last; what was sent twice counts once."""
    t = Talk()
    t.send(1, 200, lost=True)
    t.wait(90)
    t.send(1, 200)
    t.ack(1, 1)
    t.read(2, 100)
    t.response(2, 100, 2)
    figures = ladder(t).figures
    span = 1000 + 90_000 + 4 * 1000 - 1000 + 1000 - 1000
    assert [one["payload"] for one in figures] == [400, 100], figures
    assert [round(one["goodput"]) for one in figures] == [round(200 * 8e9 / span), round(100 * 8e9 / span)], (figures, span)


def messages():
    t = Talk()
    t.send(1)
    t.send(2, 300, last="_IMM", last_ext=b"\1\2\3\4")
    t.write(4, 300)
    t.read(6, 10)
    t.atomic(7)
    found = reported(t)
    rows = Ladder(found, 0)
    assert rows.figures[0]["messages"] == {"SEND": 1, "SEND_IMM": 1, "WRITE": 1, "READ": 1, "FETCH_ADD": 1}
    assert rows.figures[0]["open"] == 5 and rows.figures[0]["latency"] is None
    details = found["connections"][0]["details"]
    assert "immediate 0x01020304" in details["2"] and details["5"] == "10 bytes at 0x2000, key 0x66", details
    assert rows[6].op == "RC_FETCH_ADD" and details["6"].startswith("add 0x1 at 0x3000"), details


def connected_again():
    """With PSNs far away: another connection; near, after its end: the same one, begun anew."""
    t = Talk()
    t.send(1)
    t.ack(1, 1)
    t.send(0x800123)
    t.ack(0x800123, 1)
    assert [len(Ladder(reported(t), index)) for index in (0, 1)] == [2, 2]
    t = Talk()
    t.send(1)
    t.ack(1, 1)
    t.send(2)
    t.nak(2, 1, roce.NAK_OP)
    t.send(1)
    t.ack(1, 1)
    rows = ladder(t)
    assert rows.connection["renewed"] == 1 and rows[4].flags == {"request", "renewed"} and rows[5].by is rows[4], rows[4].flags
    assert rows.figures[0]["messages"] == {"SEND": 3} and rows.figures[0]["latency"]["n"] == 2
    assert rows.figures[0]["again"] == 0 and rows.figures[0]["duplicates"] == 0


def by_itself():
    """A NIC with itself: two QPs, and one that is connected with itself."""
    for qpn in ((0x11, 0x22), (0x33, 0x33)):
        t = Talk(qpn=qpn, sport=(0xC111, 0xC111))
        t.write(100, 600)
        t.ack(102, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "loop.pcapng")
            t.save_ports(path, looped=True)
            found = page.data(Analysis(path).run(), "loop")
        rows = Ladder(found, 0)
        assert len(found["connections"]) == 1 and len(rows) == 4 and not rows.figures[0]["lost"], found["connections"]
        assert [row.side for row in rows] == [0, 0, 0, 1] and rows[3].why == "acks" and rows.figures[0]["latency"]["n"] == 1
        assert {side["qpn"] for side in rows.connection["sides"]} == set(qpn)


# ---- captures of Linux hosts ----

def check_rows(name, rows, whole=True):
    """What is said of each cause agrees with the packets.  whole: all packets that answers name are there."""
    for row in rows:
        where = f"{name}: #{row.number} {row.why} {row.note}"
        assert row.by is None or row.by.index < row.index, where
        if row.why == "nak":
            assert "nak" in row.by.flags and (row.by.psn == row.psn or "not in this capture" in row.note or not whole), where
        elif row.why == "rnr":
            assert "rnr" in row.by.flags and (row.by.psn >= row.psn or "not in this capture" in row.note or not whole), where
        elif row.why == "timeout" and row.by:
            assert row.by.psn <= row.psn and row.ns - row.by.ns >= 8000, where
        elif row.why == "goback":
            assert row.by.why in ("nak", "rnr", "implied", "timeout", "behind", "unexplained"), where
            assert row.by.psn <= row.psn, where
        elif row.why == "copy":
            assert row.by.psn == row.psn and row.by.op == row.op, where
        elif row.why in ("acks", "answers") and "cm" not in row.flags:
            assert row.by.side != row.side and row.by.psn <= row.psn if row.by else not whole, where
        assert "again" not in row.flags or row.why, where


def as_the_checker():
    """All fixtures: as many packets of each kind, sent again, gone back and refused as tests/trace counts."""
    names = sorted(os.path.basename(path)[:-5] for path in glob.glob(fixture("*")))
    assert len(names) > 70, names
    for name in names:
        judge = Judge(fixture(name), View(hidden=True, quirks=("restart-message",))).run()
        summary, found = judge.summary(), of_fixture(name)
        ladders = [Ladder(found, index) for index in range(len(found["connections"]))]
        sides = [figures for rows in ladders for figures in rows.figures]
        kinds = [rows.connection["kind"] for rows in ladders]
        copies = sum(row.why == "copy" for rows in ladders for row in rows)
        assert found["frames"] == summary["frames"], name
        assert kinds.count("RC") + kinds.count("UC") <= summary["connections"], (name, kinds, summary["connections"])
        assert kinds.count("UC") or kinds.count("RC") == summary["connections"], (name, kinds, summary["connections"])
        assert sum(one["acks"] for one in sides) == summary["acks"], name
        assert sum(one["rnr"] for one in sides) == summary["naks"].get("rnr_nak", 0), name
        assert sum(sum(one["naks"].values()) for one in sides) == sum(
            count for kind, count in summary["naks"].items() if kind != "rnr_nak"), name
        assert sum(one["again"] for one in sides) + copies == summary["retransmitted"], (name, copies)
        assert sum(sum(one["restarts"].values()) for one in sides) + copies == summary["restarts"], name
        assert sum(one["damaged"] for one in sides) <= summary["damaged"] and len(
            [row for rows in ladders for row in rows if "damaged" not in row.flags]) == sum(summary["packets"].values()), name
        for rows in ladders:
            check_rows(name, rows)


def what_linux_did():
    """Known from how they were made (fixtures/README.md)."""
    cases = {
        "loss_client_tx_write_m256": lambda f: f["naks"] == {"sequence error": 5} and f["restarts"] == {"nak": 5}
        and f["messages"] == {"WRITE": 1} and f["latency"]["n"] == 1,
        "err_rnr_exhausted": lambda f: f["rnr"] == 3 and f["restarts"] == {"rnr": 2} and f["open"] == 1,
        "err_rnr_then_ok": lambda f: f["rnr"] == 1 and f["restarts"] == {"rnr": 1} and f["messages"] == {"SEND": 2},
        "err_bad_qpn_retry_exc": lambda f: f["restarts"] == {"timeout": 3} and f["open"] == 1,
        "err_write_bad_rkey": lambda f: f["naks"] == {"remote access error": 1} and f["failed"] >= 1,
        "dup_client_tx_mix": lambda f: f["again"] == 0 and f["duplicates"] == 6 and not f["restarts"],
        "loss_server_tx_read": lambda f: f["restarts"].get("timeout", 0) + f["restarts"].get("implied", 0)
        == sum(f["restarts"].values()) > 0 and f["messages"] == {"READ": 2, "FETCH_ADD": 1, "COMPARE_SWAP": 1},
    }
    for name, right in cases.items():
        figures = Ladder(of_fixture(name), 0).figures[0]
        assert right(figures), (name, figures)


def what_a_nak_names():
    """Not lost, but refused or come ahead of another: of Linux' own captures."""
    rows = Ladder(of_fixture("err_rnr_then_ok"), 0)
    assert rows[4].note == "PSN 256, refused as #1" and not any("missing" in row.flags for row in rows), rows[4].note
    rows = Ladder(of_fixture("loss_client_tx_write_m256"), 0)
    assert rows[5].note == "PSN 258: #2 came ahead of another one that was missing", rows[5].note
    assert "missing" not in rows[1].flags and "the PSN before it is not in this capture" in rows[1].note


def unreliable():
    """UC both ways is one connection, UD each pair of QPs."""
    found = of_fixture("uc_pingpong_v4_s4096_m1024")
    assert [one["kind"] for one in found["connections"]] == ["UC"], found["connections"]
    figures = Ladder(found, 0).figures
    assert [one["messages"] for one in figures] == [{"SEND": 5}] * 2 and figures[0]["latency"] is None, figures
    found = of_fixture("loss_uc_client_tx")
    assert found["connections"][0]["figures"][0]["left_out"] > 0 and not found["connections"][0]["figures"][0]["again"]
    t = Talk()
    for psn, (one, other, sport) in enumerate(((0x31, 0x41, 0xC001), (0x32, 0x42, 0xC002))):
        t.add("a", "UC_SEND_ONLY", psn, b"1234", dqpn=other, sport=sport)
        t.add("b", "UC_SEND_ONLY", psn, b"1234", dqpn=one, sport=sport)
    ends = [{side["qpn"] for side in one["sides"]} for one in reported(t)["connections"]]
    assert ends == [{0x31, 0x41}, {0x32, 0x42}], ends
    found = of_fixture("ud_pingpong_v4_s1")
    assert [one["kind"] for one in found["connections"]] == ["UD"], found["connections"]
    assert [one["messages"] for one in found["connections"][0]["figures"]] == [{"SEND": 5}] * 2


def managers():
    """CM: messages, what answers what, private header, reasons; and which connection a REQ set up."""
    found = of_fixture("rping_v4")
    assert [one["kind"] for one in found["connections"]] == ["CM", "RC"], found["connections"]
    rows = Ladder(found, 0)
    assert [row.note.split(":")[0] for row in rows] == ["REQ", "REP", "RTU", "DREQ", "DREP"]
    assert [row.by and row.by.number for row in rows] == [None, 1, 2, None, 40], [row.by for row in rows]
    for words in ("transaction 0x000000027dd89527", "local comm ID 0x2795d87d", "service TCP port 7174", "QPN 0x000044",
                  "starting PSN 562832", "path MTU 4096", "ACK timeout 2.15 s",
                  "IP header: from 192.168.100.2 port 33980 to 192.168.100.1"):
        assert words in rows[0].note, (words, rows[0].note)
    setup = found["connections"][1]["setup"]
    assert setup == {"connection": 0, "frame": 1, "text": "service TCP port 7174"}, setup
    assert Ladder(of_fixture("rping_v6"), 0)[0].note.endswith("IP header: from fd00:100::2 port 54134 to fd00:100::1")
    (asked, answer) = Ladder(of_fixture("rping_reject_noserver"), 0)
    assert answer.by is asked and "REJ: " in answer.note and "of REQ, reason 8: invalid service ID" in answer.note
    found = of_fixture("udaddy_v4")
    rows = Ladder(found, 0)
    assert rows[0].note.startswith("SIDR_REQ: ") and "request ID 0x2295d87d, service UDP port 7174" in rows[0].note
    assert rows[1].by is rows[0] and "status 0: valid QPN, QPN 0x000048, Q_Key 0x01234567" in rows[1].note, rows[1].note
    assert found["connections"][1]["kind"] == "UD" and found["connections"][1]["setup"] is None
    found = of_fixture("ucmatose_v4")
    setups = [one["setup"]["frame"] for one in found["connections"] if one["kind"] == "RC"]
    assert sorted(setups) == [1, 2], setups
    assert [figures["messages"] for figures in Ladder(found, 0).figures] == [
        {"REQ": 2, "RTU": 2, "DREP": 2}, {"REP": 2, "DREQ": 2}]


def add_mad(t, source, attribute, fields, tid=1):
    """A MAD of the CM; fields: {offset in the message: bytes}."""
    body = bytearray(232)
    for at, value in fields.items():
        body[at:at + len(value)] = value
    t.add(source, "UD_SEND_ONLY", len(t.packets), struct.pack(">BBBBHHQHHI", 1, 7, 2, 3, 0, 0, tid, attribute, 0, 0) + body,
          ext=struct.pack(">II", 0x80010000, 1), dqpn=1)


def ids(local, remote=0):
    return struct.pack(">II", local, remote)


def who_answers_whom():
    """IDs of two hosts may be the same, a message may come again, a refusal may be of a REQ or a REP; and a REP names
    the QP of another connection: its REQ does not fit."""
    t = Talk()
    t.send(1)
    t.ack(1, 1)
    add_mad(t, "a", cm.REQ, {0: ids(5), 32: bytes([0, 0, 0x77])})
    add_mad(t, "a", cm.REQ, {0: ids(5), 32: bytes([0, 0, 0x77])})
    add_mad(t, "b", cm.REQ, {0: ids(5)}, tid=2)
    add_mad(t, "b", cm.MRA, {0: ids(6, 5), 9: bytes([20 << 3])})
    add_mad(t, "b", cm.REP, {0: ids(6, 5), 12: bytes([0, 0, 0x22])})
    add_mad(t, "a", cm.REJ, {0: ids(5, 6), 8: bytes([1 << 6]), 10: b"\0\x1c"})
    add_mad(t, "a", cm.DREQ, {0: ids(5, 6), 8: bytes([0, 0, 0x22])}, tid=3)
    add_mad(t, "b", cm.DREP, {0: ids(6, 5), 8: b"bye"}, tid=3)
    add_mad(t, "a", 0x77, {})
    t.send(2)
    t.ack(2, 2)
    t.packets[9]["payload"] = t.packets[9]["payload"][:100]
    found = reported(t)
    assert [one["kind"] for one in found["connections"]] == ["RC", "CM"] and found["connections"][0]["setup"] is None
    rows = Ladder(found, 1)
    first = rows[0].number - 1
    assert [row.by and (row.by.number - first + 1) // 2 for row in rows] == [
        None, 1, None, 2, 2, 5, None, None, None], [row.by and row.by.number for row in rows]
    assert rows[1].why == "resent" and "again" in rows[1].flags and rows[4].why == "answers"
    for row, words in ((3, "service timeout 4.29 s"), (5, "of REP, reason 28: consumer reject"), (6, "of QPN 0x000022"),
                       (7, "cut: 100 bytes, a MAD has 256"), (8, "attribute 0x0077: transaction")):
        assert words in rows[row].note, (words, rows[row].note)
    t.packets[9]["payload"] = t.packets[9]["payload"].ljust(256, b"\0")
    assert Ladder(reported(t), 1)[7].note.endswith("private data 627965"), Ladder(reported(t), 1)[7].note
    t.packets[2]["payload"] = t.packets[3]["payload"] = t.packets[3]["payload"].replace(b"\x77", b"\x11")
    assert reported(t)["connections"][0]["setup"]["frame"] == rows[1].number


def as_wireshark():
    """Transaction and attribute of each MAD, and what tshark tells of REQs, as tshark reads them."""
    if not shutil.which("tshark"):
        raise tap.Skip("tshark is not installed")
    fields = ["frame.number", "infiniband.mad.transactionid", "infiniband.mad.attributeid", "infiniband.cm.req.localqpn",
              "infiniband.cm.req.startpsn", "infiniband.cm.req.serviceid.dport"]
    options = [word for field in fields for word in ("-e", field)]
    seen = 0
    for name in ("write_bw_v4_rdmacm", "rping_v6", "udaddy_v4", "rping_reject_noserver"):
        done = subprocess.run(["tshark", "-r", fixture(name), "-Y", "infiniband.bth.destqp == 1", "-T", "fields", *options],
                              capture_output=True, text=True, check=True)
        notes = {row.number: row.note for row in Ladder(of_fixture(name), 0)}
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        assert [int(line[0]) for line in lines] == list(notes), (name, lines)
        for number, transaction, attribute, qpn, psn, port in lines:
            words = [f"{cm.NAMES[int(attribute, 0)]}: transaction {transaction},"]
            words += [f"QPN {int(qpn, 0):#08x}, starting PSN {int(psn, 0)},", f"TCP port {int(port, 0)},"] if qpn else []
            seen += len(words)
            for word in words:
                assert word in notes[int(number)], (name, word, notes[int(number)])
    assert seen == 12 + 5 + 2 + 2 + 2 * 4, seen


# ---- the page ----

def nothing_from_outside():
    """All is inside; the policy names this script and this style; the same capture makes the same page."""
    text = page.page(of_fixture("gx_mixed_pipeline"))
    assert text == page.page(of_fixture("gx_mixed_pipeline"))
    places = set(re.findall(r"(?:https?:)?//[\w.]+[\w./]*", re.sub(r"//.*SPDX.*", "", text)))
    assert {place for place in places if "." in place} == {"http://www.w3.org/2000/svg"}, places
    assert not re.search(r"\b(?:src|srcset)=|@import|url\(|<link|<iframe|fetch\(|XMLHttpRequest", text)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1).replace("&#x27;", "'")
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy, policy
    for tag in ("script", "style"):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        wanted = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert len(inside) == 1 and f"{tag}-src 'sha256-{wanted}'" in policy, tag


def hostile_names():
    """Names of files and interfaces are data."""
    bad = '</script><script>alert(1)</script><img src=x onerror=alert(1)>&"'
    t = Talk()
    t.send(1)
    t.ack(1, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.pcapng")
        t.save_ports(path)
        analysis = Analysis(path)
        for frame in analysis.frames:
            frame.port = bad
        found = page.data(analysis.run(), bad)
    text = page.page(found)
    assert text.count("</script>") == 2 and "<img" not in text and "alert(1)</script>" not in text
    assert data_of(text) == json.loads(json.dumps(found)) and data_of(text)["file"] == bad


def headline():
    found = of_fixture("gx_vlan5_v4")
    frames = roce.frames(fixture("gx_vlan5_v4"))
    assert found["bytes"] == sum(frame.wire_len for frame in frames) and found["clock"] == "utc"
    assert found["span_ns"] == frames[-1].ns - frames[0].ns and found["base_ns"] == frames[0].ns and not found["warnings"]
    assert {one["name"]: one["addresses"] for one in found["stations"]} == {
        "52:54:00:12:34:01": ["192.168.105.1"], "52:54:00:12:34:02": ["192.168.105.2"]} or len(found["stations"]) == 2
    warned = {one["text"]: one["count"] for one in of_fixture("corrupt_client_tx_mix")["warnings"]}
    assert warned["wrong ICRC"] == 73, warned
    t = Talk()
    t.send(1)
    t.ack(1, 1)
    found = reported(t)
    assert found["clock"] == "device" and found["base_ns"] == 1000 and found["exact"] and found["records"] == 4
    assert found["frames"] == 2 and [one["name"] for one in found["stations"]] == ["nic0", "nic1"], found["stations"]
    assert [(one["tx_frames"], one["rx_frames"]) for one in found["stations"]] == [(1, 1), (1, 1)]


# ---- the tool ----

def cairn(*words, env=None):
    done = subprocess.run([TOOL, "report", *words], capture_output=True, text=True, check=False, timeout=60,
                          env={**os.environ, **(env or {})})
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def writes_a_page():
    """Beside the capture, or where -o says; with counters."""
    with tempfile.TemporaryDirectory() as folder:
        capture, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        t = Talk()
        t.send(1)
        t.ack(1, 1)
        t.save_ports(capture)
        status, out, err = cairn(capture)
        assert (status, err) == (0, "") and out.endswith("run.html: 2 frames, 1 connections, 0 sent again, 0 NAKs\n"), (out, err)
        with open(os.path.join(folder, "run.html"), encoding="utf-8") as file:
            found = data_of(file.read())
        assert found["file"] == "run.pcapng" and found["counters"] is None and sorted(os.listdir(folder)) == [
            "run.html", "run.pcapng"]
        counters = {"nic0": {"tx_packets": 1, "qps": {"0x000011": {"packet_seq_err": 2}}}}
        of_nothing = {"latency_p50_ns": None}
        with open(stat, "w", encoding="utf-8") as file:
            json.dump({"nic0": {**counters["nic0"], **of_nothing,
                                "qps": {qp: {**values, **of_nothing} for qp, values in counters["nic0"]["qps"].items()}}}, file)
        other = os.path.join(folder, "other.html")
        status, out, err = cairn("--counters", stat, "-o", other, capture)
        with open(other, encoding="utf-8") as file:
            assert status == 0 and data_of(file.read())["counters"] == counters, err


def refuses(text, *words, status=1, env=None):
    got, out, err = cairn(*words, env=env)
    assert got == status and text in err and not out.startswith("/"), (text, got, out, err)


def bad_input():
    """What is no capture, has nothing to show, or cannot be written: says so, and leaves no page."""
    good = fixture("gx_atomics")
    with tempfile.TemporaryDirectory() as folder:
        def file(name, data):
            path = os.path.join(folder, name)
            with open(path, "wb") as made:
                made.write(data)
            return path

        with open(good, "rb") as whole:
            data = whole.read()
        header = data[:24]
        arp = struct.pack("<IIII", 0, 0, 60, 60) + bytes(12) + b"\x08\x06" + bytes(46)
        cut = b"".join(struct.pack("<IIII", 0, n, 54, 74) + data[40:94] for n in range(3))
        refuses("neither pcap nor pcapng", file("text.pcap", b"hello, world, this is no capture"))
        refuses("link type 105 is not Ethernet: record an interface by its name", file("wlan.pcap", header[:20] + struct.pack("<I", 105)))
        refuses("no RoCE v2 packets (UDP port 4791) among 0 frames", file("empty.pcap", header))
        refuses("no RoCE v2 packets (UDP port 4791) among 1 frames", file("arp.pcap", header + arp))
        refuses("among 0 frames; the file ends inside a frame, after 0 frames", file("head.pcap", header[:20]))
        refuses("among 0 frames; the file ends inside a frame", file("stump.pcap", header + arp[:30]))
        refuses("all RoCE v2 packets are cut by the capture: record whole frames", file("snap.pcap", header + cut))
        refuses("/nonexistent.pcap: No such file", "/nonexistent.pcap")
        refuses(": Is a directory", folder)
        refuses("/nonexistent/x.html.part: No such file", good, "-o", "/nonexistent/x.html")
        refuses("is the capture: name another file", file("x.html", data), "-o", os.path.join(folder, "x.html"))
        refuses("/nonexistent.json: No such file", good, "--counters", "/nonexistent.json", "-o", os.path.join(folder, "a.html"))
        for text, words in (("{", "no JSON"), ("[1]", "not the output"), ('{"nic0": {"a": "b"}}', "not the output"),
                            ('{"nic0": {"qps": {"0x1": 7}}}', "not the output"), ('{"nic0": 5}', "not the output")):
            refuses(words, good, "-c", file("bad.json", text.encode()), "-o", os.path.join(folder, "a.html"))
        assert not [name for name in os.listdir(folder) if name.endswith(".html") and name != "x.html"], os.listdir(folder)
        refuses("which CAPTURE?", status=2)
        refuses("one CAPTURE at a time", good, good, status=2)
        refuses("unrecognized option '--frob'", "--frob", good, status=2)


def cut_capture():
    """The page has what is there and says so; so does the tool."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cut.pcap")
        with open(fixture("gx_atomics"), "rb") as whole, open(path, "wb") as part:
            part.write(whole.read()[:-5])
        status, out, err = cairn(path)
        assert status == 1 and "the file ends inside a frame, after 11 frames" in err and "cut.html has those" in err, err
        with open(os.path.join(folder, "cut.html"), encoding="utf-8") as file:
            found = data_of(file.read())
        assert found["frames"] == 11 and "cut short" in found["warnings"][0]["text"], (out, found["warnings"])


def without_python():
    refuses("python3: No such file or directory: install Debian's package python3", fixture("gx_atomics"),
            env={"PATH": "/nonexistent"})
    with tempfile.TemporaryDirectory() as folder:
        for name in ("report.py", "page.py"):
            shutil.copy(os.path.join(shared.PARSER, name), folder)
        done = subprocess.run([sys.executable, os.path.join(folder, "report.py"), fixture("gx_atomics")], capture_output=True,
                              text=True, check=False)
        assert done.returncode == 1 and "has no module rows: install Debian's python3, or all of cairn again" in done.stderr, \
            done.stderr


def modules_of_others():
    """A file that is named as a module of Python's, in the folder or in PYTHONPATH, is not run."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "json.py"), "w", encoding="utf-8") as file:
            file.write("raise SystemExit('taken')\n")
        done = subprocess.run([TOOL, "report", fixture("gx_atomics"), "-o", os.path.join(folder, "x.html")], cwd=folder,
                              env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "taken" not in done.stderr, done.stderr


def damaged_files():
    """Bytes of captures changed at random: a page, or a refusal."""
    rng = random.Random(SEED)
    print(f"# SEED={SEED}")
    talk = Talk()
    talk.send(1, 600)
    talk.ack(3, 1)
    with tempfile.TemporaryDirectory() as folder:
        ports = os.path.join(folder, "ports.pcapng")
        talk.save_ports(ports)
        sources = [fixture(name) for name in ("gx_v6_mix", "rping_v4", "udaddy_v4", "err_rnr_then_ok", "gx_uc_mix")] + [ports]
        path = os.path.join(folder, "x")
        for number in range(DAMAGED):
            with open(rng.choice(sources), "rb") as file:
                data = bytearray(file.read())
            for _ in range(rng.choice((1, 3, 20, 200))):
                data[rng.randrange(len(data))] = rng.randrange(256)
            with open(path, "wb") as file:
                file.write(data[:rng.choice((len(data), len(data), rng.randrange(len(data)) + 1))])
            try:
                found = Analysis(path)
                if not any(p for _, p in found.packets):
                    continue
                text = page.page(page.data(found.run(), "x"))
                for index in range(len(data_of(text)["connections"])):
                    Ladder(data_of(text), index)
            except roce.CaptureError:
                pass
            except Exception as why:
                raise AssertionError(f"file {number} of SEED={SEED}") from why


def odd_conversations():
    """Packets that are right one by one and make no sense together, on good and bad wires: a page, and causes that
    agree with the packets."""
    rng = random.Random(SEED)
    print(f"# SEED={SEED}")
    names = [op.name for code, op in roce.OPS.items() if code < 0x20]
    for number in range(ODD):
        t, psn, unreliable_too = Talk(), rng.choice((1, 100, 0xFFFFF8)), rng.random() < 0.2
        for _ in range(rng.randrange(2, 60)):
            name = rng.choice(names)
            ext = b"".join(rng.randbytes(roce.HEADER_BYTES[header]) for header in roce.OPS[CODES[name]].headers)
            if "reth" in roce.OPS[CODES[name]].headers:
                ext = ext[:12] + struct.pack(">I", rng.choice((0, 10, 700, 1 << 31, 0xFFFFFFFF))) + ext[16:]
            if unreliable_too and CODES[name] < 0x0C:
                name = name.replace("RC", "UC")
            psn += rng.choice((0, 1, 1, 1, 1, 2, -1, -3, 5, rng.choice((-70000, 70000))))
            t.add(rng.choice("aab"), name, psn & roce.PSN_MASK, rng.randbytes(rng.choice((0, 4, 256))), ext=ext,
                  ackreq=rng.randrange(2), ecn=0, lost=rng.random() < 0.1, twice=rng.random() < 0.1,
                  late=rng.choice((0, 0, 0, 5000)), damaged=rng.choice((False, False, False, False, True)))
            t.wait(rng.choice((0, 0, 0, 10, 100, 1500)))
        for ports in (True, False):
            try:
                found = reported(t, ports)
                for index in range(len(found["connections"])):
                    check_rows("odd", Ladder(found, index), whole=False)
                assert len(data_of(page.page(found))["connections"]) == len(found["connections"])
            except Exception as why:
                raise AssertionError(f"conversation {number} of SEED={SEED}, ports {ports}") from why


TESTS = (sequence_nak, first_ahead, lost_twice, sequence_nak_on_the_wire, came_and_dropped, implied_nak,
         implied_long_ago, rest_of_a_read, timeouts, receiver_not_ready, refused, duplicates, duplicates_by_answers,
         damaged, damaged_again, kept_back, overtaken_by_itself, multicast, coalesced, nothing_asks_for_it, latencies,
         goodput, messages, connected_again, by_itself, as_the_checker, what_linux_did, what_a_nak_names, unreliable,
         managers, who_answers_whom, as_wireshark, nothing_from_outside, hostile_names, headline, writes_a_page,
         bad_input, cut_capture, without_python, modules_of_others, damaged_files, odd_conversations)

if __name__ == "__main__":
    sys.exit(tap.run([(test.__name__.replace("_", " "), test) for test in TESTS]))
