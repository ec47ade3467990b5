# SPDX-License-Identifier: Apache-2.0
"""Transport rules for what a requester sends (IBTA Volume 1, 9.7 for RC, 9.8.2 for UC, 9.8.3 for UD).

Fed with the events of one QP in the order in which it saw them; report(packet, rule, text) takes what is wrong.
"""
import bisect

import roce
from transport import near, packets_of

WINDOW = 1 << 23  # C9-5: fewer PSNs than this may be outstanding


class Message:
    """A message that is being sent: what is still missing."""

    def __init__(self, kind, left):
        self.kind, self.left = kind, left  # left: bytes of a WRITE, None for a SEND


class Read:
    """A READ or atomic that waits for its response: PSNs first .. end - 1, `next` is the first one missing."""

    def __init__(self, psn, count):
        self.next, self.end = psn, psn + count


class Requester:
    """service: "RC", "UC" or "UD"."""

    def __init__(self, view, pmtu, service, report):
        self.view, self.pmtu, self.service, self.report = view, pmtu, service, report
        self.next = None        # PSN of the next new packet
        self.at = None          # PSN that follows the packet sent last
        self.acked = None       # all before it is acknowledged, by PSN
        self.believed = None    # ... without ACKs from an implied NAK to the restart (may be ignored) and those beyond
                                # a restart (may be forgotten)
        self.waiting = []       # READs and atomics without all their responses, oldest first
        self.sent = {}          # PSN -> first packet that used it
        self.order = []         # their PSNs, ascending
        self.sent_ns = {}       # PSN -> when it was sent last
        self.message = None     # Message; "unknown" behind a hole of a capture that hides frames
        self.message_at = None  # PSN that continues it
        # (ns, oldest PSN not acknowledged, the same without what need not be believed, self.acked)
        self.una_log = []
        self.naks = []          # [PSN, ns, wait in ns or None] not acted upon yet
        self.implied = {}       # PSN that a READ or atomic lacked when a response behind it came -> ns of the last one
        self.implied_done = set()   # those of them that a restart was for
        self.behind = -1        # latest PSN answered since the requester has begun again
        self.doubted = False    # there was one, and the requester has not begun again since
        self.doubtful = set()   # PSNs of READs and atomics answered between them and not again since
        self.retransmitted = self.restarts = 0

    # ---- what is acknowledged ----

    def una(self):
        return self.oldest_of(self.acked)

    def oldest_of(self, acked):
        return min([acked] + [read.next for read in self.waiting[:1]])

    def log_una(self, ns):
        now = (self.una(), self.oldest_of(self.believed), self.acked)
        una = now[0]
        if not self.una_log or self.una_log[-1][1:] != now:
            self.una_log.append((ns, *now))
        if not self.view.lossy:
            self.naks = [nak for nak in self.naks if nak[0] >= una or ns - nak[1] < self.view.latency]

    def recent_unas(self, ns):
        """What the requester may still take for the oldest, and for acknowledged up to there if only behind a READ that
        lacks an answer: it sees responses a little after the capture."""
        since = ns - self.view.latency
        old = [entry for entry in self.una_log if entry[0] <= since]
        new = [entry for entry in self.una_log if entry[0] > since]
        recent = (old if self.view.lossy else old[-1:]) + new
        return {una for entry in recent for una in entry[1:3]}, {entry[3] for entry in recent}

    def received(self, p):
        """A response has reached the requester."""
        if self.next is None:
            return
        psn = near(p.psn, self.next)
        if psn >= self.next:
            return  # never asked for: the responder's rules say so
        lacked = self.waiting[0].next if self.waiting else None
        self.behind = max(self.behind, psn)
        if p.op.kind == "ack":
            self.take_ack(p, psn)
        else:
            self.take_data(p, psn)
        # What lacked an answer has it, after a restart for it; but answers behind it came first, so the next READ's did
        # not count.
        acted = lacked not in self.implied or lacked in self.implied_done
        if self.waiting and acted and lacked != self.waiting[0].next < self.behind:
            self.note_implied(p)
        self.log_una(p.ns)

    def take_ack(self, p, psn):
        kind, code = p.aeth[0] >> 5 & 3, p.aeth[0] & 31
        if kind == roce.RNR:
            self.naks.append([psn, p.ns, roce.RNR_US[code] * 1000])
        elif kind == roce.NAK and code == roce.NAK_SEQ:
            self.naks.append([psn, p.ns, None])
        if kind != roce.ACK:    # it ends an implied NAK; the next response behind what is lacking is another
            self.implied_done.clear()
        before = psn + (kind == roce.ACK)
        self.acked = max(self.acked, before)
        if not self.doubted:    # one that implies a NAK names nothing from there on
            self.believe(self.oldest_of(before))
        if self.waiting and self.waiting[0].next < self.acked:
            self.note_implied(p)

    def believe(self, before):
        self.believed = max(self.believed, min([before, *self.doubtful]))

    def note_implied(self, p):
        lacks = self.waiting[0].next
        if p.ns - self.implied.get(lacks, 0) >= self.view.latency:
            self.implied_done.discard(lacks)
        self.implied[lacks], self.doubted = p.ns, True

    def take_data(self, p, psn):
        for index, read in enumerate(self.waiting):
            if read.next <= psn < read.end:
                if index or psn != read.next:
                    self.note_implied(p)
                    self.acked = max(self.acked, psn)   # what is before it, but for READs
                    self.believed = max(self.believed, self.waiting[0].next)
                if self.view.lossy or (psn == read.next and not index):
                    self.acked = max(self.acked, psn)
                    self.log_una(p.ns)      # it acknowledges what is before it first, then its data is taken
                    if self.doubted:
                        self.doubtful.add(psn)
                    read.next = psn + 1
                    self.acked = max(self.acked, psn + 1)
                    self.believed = max(self.believed, min(psn + 1, self.acked))
                break
        else:   # of a READ that is complete: if an ACK was forgotten, the oldest is what follows it
            self.doubtful.discard(psn)
            self.believe(min(psn + 1, self.acked))
        for read in [read for read in self.waiting if read.next == read.end]:
            self.waiting.remove(read)

    # ---- what it sends ----

    def send(self, p):
        psn = p.psn if self.next is None else near(p.psn, self.next)
        if self.next is None:
            self.next = self.at = self.acked = self.believed = psn
            self.una_log.append((p.ns, psn, psn, psn))
            if not p.op.starts:
                self.begin_unknown(p)
        if psn != self.at:
            self.jump(p, psn)
        if psn < self.next and psn in self.sent:
            self.again(p, psn)
        elif psn < self.next and self.covering(psn):
            self.read_rest(p, psn)
        else:
            self.new(p, psn)

    def begin_unknown(self, p):
        if not (self.view.hidden or self.view.middle):
            self.report(p, "sequence", f"{p.op.name} begins the connection")
        self.message = "unknown"

    def jump(self, p, psn):
        """The packet does not follow the one before: a gap, a restart, or over what was acknowledged meanwhile."""
        if psn > self.next:
            if not self.view.hidden:
                self.report(p, "gap", f"PSN {p.psn} although {self.next & roce.PSN_MASK} was not sent yet (C9-29)")
            self.message = "unknown"
        elif self.service != "RC":
            if not self.view.hidden:
                self.report(p, "gap", f"PSN {p.psn} again: an unreliable service never sends again (9.8.2)")
        elif psn > self.at:
            # A READ behind it may be incomplete: what an ACK named need not be sent again for its sake.
            needed = psn > self.acked or any(self.at <= read.next < psn for read in self.waiting)
            if needed and not self.view.hidden:
                self.report(p, "skip", f"PSNs from {self.at & roce.PSN_MASK} to {p.psn} were not sent again "
                                       "and not acknowledged (9.7.3)")
        else:
            self.restart(p, psn)

    def restart(self, p, psn):
        """Back to a PSN sent before: 9.7.5.2.4 (NAK), 9.7.5.2.8 (RNR), C9-141 (timeout)."""
        self.restarts += 1
        self.doubted, self.behind = False, -1
        if self.view.hidden and psn not in self.sent:
            return
        whole = "restart-message" in self.view.quirks
        start = self.message_start(psn)
        back = [nak for nak in self.naks if nak[0] == psn or (whole and start == psn <= nak[0])]
        oldest, acked = self.recent_unas(p.ns)
        if psn in oldest or psn in acked:
            # what it names was acknowledged meanwhile, if only behind a READ that still lacks an answer
            back = back or [nak for nak in self.naks if nak[0] < psn and p.ns - nak[1] < self.view.latency]
        self.believed = min(self.believed, psn)
        self.doubtful = {answered for answered in self.doubtful if answered >= psn}
        if whole:
            oldest |= {self.message_start(una) for una in oldest}
        waited = p.ns - self.last_sent(psn)
        timeout = psn in oldest and waited >= self.view.timeout
        # One that has come just now may not have been seen yet: it may be for another restart, further on.
        implied = [lacks for lacks in self.implied if lacks <= psn and lacks not in self.implied_done]
        self.implied = {lacks: ns for lacks, ns in self.implied.items() if p.ns - ns < self.view.latency}
        if back:
            self.act_upon(p, back, timeout)
        elif self.view.hidden and psn >= min(oldest):
            return  # it may have begun with packets that the capture lacks
        elif psn not in oldest:
            self.report(p, "restart_at", f"restart at PSN {p.psn}: no NAK names it and it is not the oldest "
                                         f"unacknowledged one, {self.una() & roce.PSN_MASK} (9.7.5.2.4, C9-141)")
        elif implied:
            self.implied_done.add(min(implied))
        elif not timeout and not self.nak_behind(p, psn):
            self.report(p, "restart", f"PSN {p.psn} again {waited / 1e3:.3f} us after it was sent, "
                                      "without NAK, implied NAK or timeout (C9-141)")

    def act_upon(self, p, back, timeout):
        """NAKs explain the restart.  One that has just come may not have been seen yet: it may explain another."""
        _, ns, wait = back[-1]
        passed = p.ns - ns
        fresh = passed < self.view.latency
        if not fresh:
            self.naks = [nak for nak in self.naks if nak not in back]
        other = timeout or any(nak[2] is None for nak in back)
        if wait and passed < wait and not self.view.lossy and not (fresh and other):
            self.report(p, "rnr_wait", f"sent {passed / 1e3:.3f} us after an RNR NAK that asked for {wait / 1e3:g} us "
                                       "(9.7.5.2.8)")

    def nak_behind(self, p, psn):
        """A NAK of a packet behind a READ that lacks responses, or lacked them until just now: it begins there."""
        fresh = any(nak[0] > psn and p.ns - nak[1] < self.view.latency for nak in self.naks)
        first = self.sent.get(psn) or (self.covering(psn) or [None])[0]
        return fresh and first is not None and first.op.kind in ("read", "atomic")

    def last_sent(self, psn):
        if psn not in self.sent_ns:
            covering = self.covering(psn)
            psn = covering[1] if covering else psn
        return self.sent_ns.get(psn, 0)

    def message_start(self, psn):
        while psn in self.sent and not self.sent[psn].op.starts:
            psn -= 1
        return psn

    def covering(self, psn):
        """The READ whose responses take this PSN, and its first PSN."""
        index = bisect.bisect_right(self.order, psn)
        if not index:
            return None
        back = self.order[index - 1]
        first = self.sent[back]
        inside = first.op.kind == "read" and psn < back + packets_of(first.reth[2], self.pmtu)
        return (first, back) if inside else None

    def again(self, p, psn):
        """9.7.3: a packet that is sent again is the same packet."""
        first = self.sent[psn]
        self.retransmitted += 1
        if p.opcode != first.opcode or p.payload != first.payload or p.ext != first.ext:
            self.report(p, "changed", f"PSN {p.psn} is not what it was as packet {first.number}: {p.name()} of "
                                      f"{len(p.payload)} bytes, was {first.name()} of {len(first.payload)}")
        self.sent_ns[psn] = p.ns
        self.at = psn + (packets_of(first.reth[2], self.pmtu) if first.op.kind == "read" else 1)

    def read_rest(self, p, psn):
        """Ask again for what is missing of a READ: from a packet boundary to the end (9.7.5.2.5, C9-142)."""
        first, begin = self.covering(psn)
        done = (psn - begin) * self.pmtu
        want = (first.reth[0] + done & (1 << 64) - 1, first.reth[1], first.reth[2] - done)
        self.retransmitted += 1
        if p.op.kind != "read" or p.reth != want:
            self.report(p, "changed", f"{p.name()} at PSN {p.psn}, inside the READ of packet {first.number}: "
                                      f"is not a READ of its last {want[2]} bytes")
        self.sent_ns[psn] = p.ns
        self.at = begin + packets_of(first.reth[2], self.pmtu)

    def new(self, p, psn):
        count = packets_of(p.reth[2], self.pmtu) if p.op.kind == "read" else 1
        if self.view.hidden and psn != self.message_at:
            self.message = "unknown"
        self.sequence(p)
        if psn not in self.sent:
            bisect.insort(self.order, psn)
        self.sent[psn], self.sent_ns[psn] = p, p.ns
        self.at = self.message_at = psn + count
        self.next = max(self.next, self.at)
        if self.service != "RC":
            self.acked = self.believed = self.next
            return
        if p.op.kind in ("read", "atomic"):
            self.waiting.append(Read(psn, count))
        if self.next - self.una() > WINDOW and not self.view.hidden:
            self.report(p, "window", f"{self.next - self.una()} PSNs outstanding, at most 2^23 (C9-5)")
        self.log_una(p.ns)

    def sequence(self, p):
        """Order of opcodes (9.7.4.1.1), lengths of packets (C9-8), RETH length against the payload (9.7.7.1)."""
        size, message = len(p.payload), self.message
        if p.op.starts:
            if message not in (None, "unknown"):
                self.report(p, "sequence", f"{p.op.name} inside a {message.kind} (9.7.4.1.1)")
            message = Message(p.op.kind, p.reth[2] if p.op.kind == "write" else None)
        elif message is None:
            self.report(p, "sequence", f"{p.op.name} outside a message (9.7.4.1.1)")
            message = "unknown"
        elif message != "unknown" and message.kind != p.op.kind:
            self.report(p, "sequence", f"{p.op.name} inside a {message.kind} (9.7.4.1.1)")
            message = "unknown"
        if p.op.data:
            if p.op.place in "FM" and size != self.pmtu:
                self.report(p, "mtu", f"{p.op.name} with {size} bytes, the path MTU is {self.pmtu} (C9-8)")
            elif size > self.pmtu and self.service != "UD":
                self.report(p, "mtu", f"{size} bytes, the path MTU is {self.pmtu}")
        if message != "unknown" and message.left is not None:
            message.left -= size
            if message.left < 0 or (p.op.ends and message.left) or (not p.op.ends and not message.left):
                self.report(p, "reth_sum", f"payload up to {p.op.name} and RETH length differ by "
                                           f"{-message.left} bytes (9.7.7.1)")
                message = "unknown"
        self.message = None if p.op.ends else message
