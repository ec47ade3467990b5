# SPDX-License-Identifier: Apache-2.0
"""One connection of a capture: its two ends, its packets as the rows of a ladder, and its figures."""
import collections
import ipaddress

import cm
import rows
from ladder import Answers, Requests, operation, response_flag
from rows import Row

QUANTILES = (("p50", 0.50), ("p99", 0.99), ("p999", 0.999))
GRACE_NS = 100_000      # what left last, and this close to the end of the capture, may still have arrived


def quantile(ascending, q):
    """The smallest value that a share q of all does not exceed."""
    count = -(-len(ascending) * q // 1)
    return ascending[max(0, int(count) - 1)]


def latency(values):
    """Figures of latencies (ns), or None."""
    if not values:
        return None
    ascending = sorted(values)
    found = {name: quantile(ascending, q) for name, q in QUANTILES}
    return dict(found, n=len(values), min=ascending[0], max=ascending[-1])


class Side:
    """One end.  qpn: None if no packet tells it."""

    def __init__(self, address, qpn):
        self.address, self.qpn, self.port = address, qpn, None
        self.requests = self.answers = None     # of a connected QP, in this life
        self.past = []      # (requests, answers) of lives before
        self.packets = self.wire_bytes = self.payload = 0
        self.messages = []  # of UD and CM: rows

    def lives(self):
        return self.past + ([(self.requests, self.answers)] if self.requests else [])


class Connection:
    """kind: RC, UC, UD or CM.  exact: the capture has what arrived."""

    def __init__(self, kind, ends, exact, view, pmtu=None):
        self.kind, self.exact, self.view, self.pmtu = kind, exact, view, pmtu
        self.sides = [Side(*end) for end in ends]
        self.rows, self.by_packet = [], {}
        self.renewed = 0
        self.mads = {}      # row: cm.Mad
        self.found_by = None    # of RC and UC: (connection of the CM, row of its REQ, service)
        self.begin()

    def begin(self):
        """Nothing is known of what comes: at the start, and when its QPs are connected again."""
        if self.kind not in ("RC", "UC"):
            return
        for side in self.sides:
            if side.requests:
                side.past.append((side.requests, side.answers))
            side.requests = Requests(self.view, self.pmtu, self.kind, self.by_packet, self.exact)
        for side, other in (self.sides, self.sides[::-1]):
            side.answers = Answers(other.requests, self.exact)

    def renew(self):
        self.renewed += 1
        self.begin()

    # ---- packets, in the order of the capture ----

    def left(self, p, side, renewed=False):
        """A packet leaves `side`; its row."""
        row = Row(p, side)
        self.rows.append(row)
        self.by_packet[id(p)] = row
        here = self.sides[side]
        here.packets += 1
        here.wire_bytes += p.frame.wire_len
        here.payload += len(p.payload)
        here.port = here.port or p.frame.port
        if p.ecn == 3:
            row.flags |= rows.MARKED
        if renewed:
            row.flags |= rows.RENEWED
            row.note("QPs connected again")
        if not p.intact():
            row.flags |= rows.DAMAGED
            row.note(damage(p))
            if here.requests:
                row.psn = (here.answers.asked if p.op and p.op.response else here.requests).place(p)
        elif self.kind in ("UD", "CM"):
            self.datagram(row)
        elif p.op.kind == "cnp":
            row.note("congestion notification")
        elif p.op.response:
            row.flags |= response_flag(p) if p.op.kind == "ack" else rows.DATA
            here.answers.send_row(row)
        else:
            row.flags |= rows.REQUEST
            here.requests.send_row(row)
        return row

    def arrived(self, frame, p, row, fate):
        """The packet of this row reaches its receiver; fate: see arrivals.py.  Without arrivals in the capture it is
        taken for "whole"; p is None if damage has made it something else."""
        if self.exact:
            row.came.append(frame.ns)
            self.by_packet[id(p)] = row
            if fate == "damaged":
                row.flags |= rows.DAMAGED
                row.note(f"arrived damaged: {damage(p)}")
                return
            if fate == "late":
                row.flags |= rows.LATE
                row.note("arrived behind what was sent after it")
            elif fate == "copy":
                row.flags |= rows.DUPLICATE
                row.note("arrived again")
        if p.ecn == 3 and not row.flags & rows.MARKED:
            row.flags |= rows.MARKED
            row.note("marked on the way")
        there = self.sides[1 - row.side]
        if self.kind in ("UD", "CM") or p.op.kind == "cnp" or row.flags & rows.DAMAGED:
            return
        if p.op.response:
            there.requests.answered(p, row)
        else:
            there.answers.arrived(row, fate == "late")

    def datagram(self, row):
        row.flags |= rows.REQUEST
        self.sides[row.side].messages.append(row)
        mad = cm.mad(row.p)
        if self.kind != "CM" or not mad:
            return
        row.flags |= rows.CM
        row.note(f"{mad.name}: {mad.text()}")
        for before, other in reversed(self.mads.items()):
            if before.side == row.side and mad.key() == other.key():
                row.flags |= rows.AGAIN
                row.because("resent", before)
                break
            if before.side != row.side and mad.is_answer_to(other):
                row.because("answers", before)
                break
        self.mads[row] = mad

    # ---- at the end ----

    def finish(self, heard, end_ns):
        """heard: addresses whose NICs' arrivals the capture has."""
        came = [False, False]   # of each side: something that left later has arrived
        for index, row in reversed(list(enumerate(self.rows))):
            row.index = index
            heard_there = self.sides[1 - row.side].address in heard
            if self.exact and not row.came and heard_there and (came[row.side] or row.ns < end_ns - GRACE_NS):
                row.flags = row.flags & ~rows.MISSING | rows.LOST
            came[row.side] |= bool(row.came)
        for row in self.rows:
            if row.why == "timeout" and row.by:
                self.explain(row)

    def explain(self, row):
        """What became of what the timeout waited for."""
        asked = row.by
        if asked.flags & (rows.LOST | rows.DAMAGED):
            row.note(f"#{asked.number} was {'lost' if asked.flags & rows.LOST else 'damaged'}")
            return
        for answer in self.rows[asked.index:row.index]:
            if (answer.side != row.side and answer.p.op and answer.p.op.response and answer.psn >= asked.psn
                    and answer.flags & (rows.LOST | rows.DAMAGED)):
                row.note(f"the answer #{answer.number} was {'lost' if answer.flags & rows.LOST else 'damaged'}")
                return

    # ---- figures ----

    def figures(self, side):
        """What this end asked for and how it went."""
        mine, here, other = [row for row in self.rows if row.side == side], self.sides[side], self.sides[1 - side]
        lives = [requests for requests, _ in here.lives()]
        answers = [answers for _, answers in other.lives()]
        messages = [message for requests in lives for message in requests.messages]
        naks = sum((part.naks for part in answers), collections.Counter())
        rnr = naks.pop("rnr", 0)
        done = [message for message in messages if message.done]
        return {
            "messages": dict(collections.Counter(self.message_names(side, messages))),
            "failed": sum(message.failed for message in messages),
            "open": sum(not message.done and not message.failed for message in messages) if self.kind == "RC" else 0,
            "packets": here.packets, "bytes": here.wire_bytes, "payload": here.payload,
            "again": sum(bool(row.flags & rows.AGAIN) for row in mine),
            "restarts": dict(sum((requests.causes for requests in lives), collections.Counter())),
            "naks": dict(naks), "rnr": rnr, "acks": sum(part.acks for part in answers),
            "duplicates": sum(bool(row.flags & rows.DUPLICATE) for row in mine),
            "lost": sum(bool(row.flags & rows.LOST) for row in mine),
            "damaged": sum(bool(row.flags & rows.DAMAGED) for row in mine),
            "marked": sum(bool(row.flags & rows.MARKED) for row in mine),
            "left_out": sum(requests.left_out for requests in lives),
            "goodput": self.goodput(side),
            "latency": latency([message.done_ns - message.row.ns for message in done]),
            "latency_of": {op: latency([message.done_ns - message.row.ns for message in done if message.op == op])
                           for op in sorted({message.op for message in done})},
        }

    def latency(self):
        """Of all messages, of both sides."""
        return latency([message.done_ns - message.row.ns for side in self.sides for requests, _ in side.lives()
                        for message in requests.messages if message.done])

    def message_names(self, side, messages):
        if self.kind == "CM":
            return [self.mads[row].name for row in self.sides[side].messages if row in self.mads]
        if self.kind == "UD":
            return [operation(row.p.op) for row in self.sides[side].messages]
        return [message.op for message in messages]

    def delivered(self, side):
        """Bytes of payload that came to the other end, each message once."""
        own = [message for requests, _ in self.sides[side].lives() for message in requests.messages]
        asked = [message for requests, _ in self.sides[1 - side].lives() for message in requests.messages]
        if self.kind == "RC":
            return (sum(message.size for message in own if message.done and not message.read)
                    + sum(message.size for message in asked if message.done and message.read))
        gone = rows.LOST | rows.DAMAGED | rows.DUPLICATE
        return sum(len(row.p.payload) for row in self.rows if row.side == side and not row.flags & gone)

    def goodput(self, side):
        """Bit/s of delivered payload, from the first packet to the last; None if that is no time."""
        span = max(row.ns for row in self.rows) - min(row.ns for row in self.rows)
        return self.delivered(side) * 8e9 / span if span and self.kind != "CM" else None

    def name(self):
        return " and ".join(f"{ipaddress.ip_address(side.address)}" + (f" QP {side.qpn:#x}" if side.qpn is not None else "")
                            for side in self.sides)


def damage(p):
    """What a receiver drops the packet for."""
    if p is None or p.opcode is None:
        return "no RoCE v2 packet any more" if p is None else p.wrong[0][1] if p.wrong else "no headers"
    if p.frame.fcs_bad:
        return "bad FCS"
    if p.wrong:
        return p.wrong[0][1]
    if not p.sum_ok:
        return "wrong IPv4 header checksum"
    return "wrong ICRC" if not p.icrc_ok else "undefined opcode" if p.op is None else "address of another station"
