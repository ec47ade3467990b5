# SPDX-License-Identifier: Apache-2.0
"""What each packet of a connection is and why it was sent: one end of it, as requester (Requests) and as responder
(Answers).  Both are fed by connection.py, in the order of the capture, and write into rows (rows.py)."""
import bisect
import collections

import roce
from roce import NAK_SEQ, PSN_MASK
from rows import ACK, AGAIN, AHEAD, DUPLICATE, MISSING, NAK, RNR, duration
from sender import Sender
from transport import near, packets_of

NAK_NAMES = {roce.NAK_SEQ: "sequence error", roce.NAK_INVALID: "invalid request", roce.NAK_ACCESS: "remote access error",
             roce.NAK_OP: "remote operational error", 4: "invalid RD request"}


def operation(op):
    """SEND, WRITE_IMM, ...: what a message is that ends with this opcode."""
    word = {"send": "SEND", "write": "WRITE", "read": "READ"}.get(op.kind) or op.name.partition("_")[2]
    return word + ("_IMM" if op.imm else "_INV" if op.inv else "")


class Message:
    """From its first packet to what completes it.  end: last PSN; read: sender.Read of a READ or atomic; done: the row
    that completed it, or None; done_ns: when that came."""
    __slots__ = ("row", "op", "size", "end", "read", "done", "done_ns", "failed")

    def __init__(self, row):
        self.row, self.op, self.size = row, None, 0
        self.end = self.read = self.done = self.done_ns = None
        self.failed = False

    def finish(self, row, ns):
        self.done, self.done_ns = row, ns


class Requests(Sender):
    """rows: row of a packet, by the packet's id().  exact: the capture has arrivals."""

    def __init__(self, view, pmtu, service, rows, exact):
        super().__init__(view, pmtu, service)
        self.rows, self.row, self.back, self.exact = rows, None, None, exact
        self.first = None       # first PSN, unwrapped
        self.last, self.numbered = None, False  # last new packet; whether IPv4 identifications differ
        self.begun, self.starts = [], []        # messages, and their first PSNs, ascending
        self.messages, self.open, self.reading = [], [], []
        self.ends = []          # last PSNs of messages, ascending
        self.causes = collections.Counter()     # of restarts
        self.copies = self.left_out = 0

    def row_of(self, p):
        return self.rows.get(id(p)) if p is not None else None

    def place(self, p):
        """The PSN of a packet of this flow or of an answer to it, unwrapped."""
        return p.psn if self.next is None else near(p.psn, self.next)

    def send_row(self, row):
        self.row = row
        row.psn = self.place(row.p)
        self.first = row.psn if self.first is None else self.first
        self.send(row.p)

    # ---- what Sender says about it ----

    def leaves_out(self, p, psn):
        self.left_out += psn - self.next
        count = psn - self.next
        self.row.note(f"{count} PSNs before it are not in this capture" if count > 1
                      else "the PSN before it is not in this capture")

    def restarted(self, p, psn, cause, oldest):
        kind, by, row = cause.kind, cause.by, self.row
        if self.is_copy(p, cause.by, kind in ("early", "nowhere") and cause.waited < self.view.timeout):
            kind, by = "copy", cause.by
        elif kind in ("early", "nowhere"):
            kind, by = self.best_guess(p, psn, cause)
        row.because(kind, self.row_of(by))
        if kind == "copy":
            self.copies += 1
            return
        self.causes[kind] += 1
        self.back = row
        if kind == "rnr":
            row.note(f"{duration(p.ns - by.ns)} after it, which asked for {duration(rnr_wait(by))}")
        elif kind == "timeout" and by is not None:
            row.note(f"for {duration(cause.waited)}")

    def is_copy(self, p, before, odd):
        """The same bytes: not a packet sent again, if the sender numbers its IPv4 packets, or if that would be odd.  Of
        a capture with arrivals this is what left, so it was sent."""
        return (not self.exact and (odd or self.numbered) and before is not None and before.frame.data == p.frame.data)

    def best_guess(self, p, psn, cause):
        """No NAK names it, and it is not the oldest PSN or too soon for a timeout."""
        pending = [nak for nak in self.naks if nak.psn < psn and not nak.used]
        if self.left_out and pending:   # a capture that lacks frames
            pending[-1].used = True
            self.row.note(f"from PSN {pending[-1].psn & PSN_MASK} on, not in this capture")
            return "nak" if pending[-1].wait is None else "rnr", pending[-1].p
        if psn < self.una() and cause.waited >= self.view.timeout:
            self.row.note("it was acknowledged, which the requester may not have seen")
            return "timeout", cause.by
        return "unexplained", cause.by

    def resent(self, psn):
        row = self.row
        if row.why == "copy":
            row.flags |= DUPLICATE
            return
        row.flags |= AGAIN
        if not row.why:     # it follows one that went back
            row.because("goback" if self.back else "unexplained", self.back or self.row_of(self.last_sent(psn)))

    def goes_back(self, p, psn):
        """UC: nothing is sent again."""
        last = self.last_sent(psn)
        copy = self.is_copy(p, last, True)
        self.row.because("copy" if copy else "unexplained", self.row_of(last))
        self.copies += copy

    def repeats(self, p, psn, first):
        self.resent(psn)

    def asks_rest(self, p, psn, first, want):
        self.resent(psn)
        self.row.note(f"asks for the last {want[2]} bytes of #{first.number}")

    def is_new(self, p, psn, count):
        if psn >= self.next:
            self.back = None
        else:
            self.row.note("not seen before in this capture")
            if not self.row.why:
                self.row.because("goback" if self.back else "", self.back)

    def new(self, p, psn):
        super().new(p, psn)
        if p.v4 and self.last is not None:
            self.numbered |= p.ip[4:6] != self.last.ip[4:6]
        self.last = p
        if p.op.starts:
            message = Message(self.row)
            self.begun.insert(bisect.bisect_right(self.starts, psn), message)
            bisect.insort(self.starts, psn)
        index = bisect.bisect_right(self.starts, psn) - 1
        message = self.begun[index] if index >= 0 else None
        if message is None or message.end is not None:
            return      # it began where the capture does not show it
        message.size += p.reth[2] if p.op.kind == "read" else 8 if p.op.kind == "atomic" else len(p.payload)
        if p.op.ends:
            self.ends_message(p, message)

    def ends_message(self, p, message):
        message.op, message.end = operation(p.op), self.at - 1
        self.messages.append(message)
        bisect.insort(self.ends, message.end)
        if self.service != "RC":
            return
        if p.op.kind in ("read", "atomic"):
            message.read = self.waiting[-1]
            self.reading.append(message)
        else:
            bisect.insort(self.open, message, key=lambda one: one.end)

    # ---- what answers ----

    def answered(self, p, row):
        """An answer has come; row: that of the answer."""
        self.received(p)
        while self.open and self.acked is not None and self.open[0].end < self.acked:
            self.open.pop(0).finish(row, p.ns)
        for message in [message for message in self.reading if message.read.next == message.read.end]:
            message.finish(row, p.ns)
            self.reading.remove(message)
        if p.aeth and p.aeth[0] >> 5 & 3 == roce.NAK and p.aeth[0] & 31 != NAK_SEQ:
            self.fail(self.place(p))

    def fail(self, psn):
        """A NAK that ends the connection: nothing from there on is done."""
        for message in [*self.open, *self.reading]:
            message.failed |= message.end >= psn
        self.open.clear()
        self.reading.clear()

    def messages_between(self, low, high):
        """How many messages end at PSNs from low to high."""
        return bisect.bisect_right(self.ends, high) - bisect.bisect_left(self.ends, low)


class Answers:
    """What an RC or UC responder has taken, as far as arrivals and its NAKs tell.  exact: the capture has arrivals."""

    def __init__(self, asked, exact):
        self.asked, self.exact = asked, exact   # asked: the Requests that it answers
        self.expected = None    # next new PSN
        self.done = None        # all before it has been answered
        self.ahead = None       # row that came ahead of a missing PSN, of which no NAK has told
        self.again = None       # row of the last duplicate
        self.refused = None     # PSN of the last RNR NAK
        self.ended = False      # by a NAK: nothing is taken any more
        self.naks = collections.Counter()
        self.acks = self.duplicates = 0

    def arrived(self, row, late):
        """A request has come whole."""
        if self.ended:
            return
        p, psn = row.p, row.psn
        count = packets_of(p.reth[2], self.asked.pmtu) if p.op.kind == "read" else 1
        if self.expected is None:
            self.expected = psn if self.asked.first is None else self.asked.first
        if psn == self.expected:
            self.expected, self.ahead = psn + count, None
        elif psn > self.expected:
            self.ahead = self.ahead or row
            row.flags |= AHEAD if self.asked.service == "RC" else 0
            if self.asked.service == "UC":
                self.expected = psn + count
        elif self.exact or (self.done is not None and psn < self.done):
            row.flags |= DUPLICATE
            self.duplicates += 1
            self.again = row
            if not late and row.why != "copy":
                row.note("the receiver had it")

    def send_row(self, row):
        """A response leaves."""
        p, psn = row.p, self.asked.place(row.p)
        row.psn = psn
        if self.asked.next is None or psn >= self.asked.next:
            row.note("answers nothing in this capture")
        elif p.op.kind != "ack":
            self.data(row, psn)
        elif p.aeth[0] >> 5 & 3 == roce.ACK:
            self.ack(row, psn)
        else:
            self.nak(row, psn, p.aeth[0] >> 5 & 3, p.aeth[0] & 31)

    def data(self, row, psn):
        again = self.done is not None and psn < self.done
        row.because("repeats" if again else "answers", self.asked.row_of(self.asked.last_sent(psn)))
        self.done = max(psn + 1, self.done or psn + 1)

    def ack(self, row, psn):
        self.acks += 1
        before = self.asked.first if self.done is None else self.done
        if psn < before:
            row.because("repeats", self.again)
            return
        row.because("acks", self.asked.row_of(self.asked.last_sent(psn)))
        messages = self.asked.messages_between(before, psn)
        if messages > 1:
            row.note(f"{messages} messages at once, PSN {before & PSN_MASK} to {psn & PSN_MASK}")
        self.done = psn + 1

    def nak(self, row, psn, kind, code):
        named = self.asked.row_of(self.asked.last_sent(psn))
        if kind == roce.RNR:
            self.naks["rnr"] += 1
            row.because("not_ready", named)
            row.note(f"asks to wait {duration(rnr_wait(row.p))}")
            self.refused = psn
        elif code == NAK_SEQ:
            self.naks[NAK_NAMES[code]] += 1
            row.because("ahead" if self.ahead else "gap", self.ahead)
            self.missing(row, psn, named)
        else:
            self.naks[NAK_NAMES.get(code, f"code {code}")] += 1
            self.ended = True
            row.because("refuses", named)
            row.note(NAK_NAMES.get(code, f"reserved code {code}"))
        if self.expected is not None:
            self.expected = min(self.expected, psn) if kind == roce.NAK else psn
        self.ahead = None
        self.done = max(psn, self.done or psn)

    def missing(self, row, psn, named):
        """A sequence NAK names this PSN; named: the row that had it last."""
        if not named:
            return
        if psn == self.refused:
            what = f", refused as #{named.number}"
        elif named.flags & AHEAD:
            what = f": #{named.number} came ahead of another one that was missing"
        elif self.exact and named.came:
            what = f": #{named.number} had come, so the receiver dropped it"
        else:
            named.flags |= MISSING
            what = f", sent as #{named.number}"
        row.note(f"PSN {psn & PSN_MASK}{what}")


def rnr_wait(p):
    """ns that an RNR NAK asks for."""
    return roce.RNR_US[p.aeth[0] & 31] * 1000


def response_flag(p):
    """ACK, NAK or RNR of an ACKNOWLEDGE packet."""
    return {roce.ACK: ACK, roce.RNR: RNR}.get(p.aeth[0] >> 5 & 3, NAK)
