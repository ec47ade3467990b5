# SPDX-License-Identifier: Apache-2.0
"""What a requester knows, and why it sends again (IBTA Volume 1, 9.7 for RC, 9.8.2 for UC, 9.8.3 for UD).

Fed with the packets of one QP in the order in which it saw them: send() what it sent, received() what answered.  The
methods at the end of Sender tell callers what that was: tests/trace/requester.py has the rules, and requests.py makes
the ladder of `cairn report`."""
import bisect

import roce
from transport import near, packets_of


class Read:
    """A READ or atomic that waits for its response: PSNs first .. end - 1, `next` is the first one missing."""

    def __init__(self, psn, count):
        self.next, self.end = psn, psn + count


class Nak:
    """A sequence NAK or RNR NAK that is not acted upon yet.  wait: ns that it asks for, or None."""

    def __init__(self, psn, p, wait):
        self.psn, self.p, self.ns, self.wait, self.used = psn, p, p.ns, wait, False
        self.due = p.ns + (wait or 0)


class Restart:
    """Back to a PSN sent before.
    kind:    "nak", "rnr", "implied": such a response asks for it; "timeout": nothing came for long enough;
             "behind": a READ's or atomic's answer is missing before what a NAK names;
             "early": what was not acknowledged, too soon; "nowhere": what was not asked for
    by:      that response, or of a timeout the packet that got none
    waited:  ns since the packet was sent last
    naks:    those that ask for it"""

    def __init__(self, kind, by, waited, naks=()):
        self.kind, self.by, self.waited, self.naks = kind, by, waited, naks


class Sender:
    """service: "RC", "UC" or "UD"."""

    def __init__(self, view, pmtu, service):
        self.view, self.pmtu, self.service = view, pmtu, service
        self.next = None        # PSN of the next new packet
        self.at = None          # PSN that follows the packet sent last
        self.acked = None       # all before it is acknowledged, by PSN
        self.believed = None    # ... without ACKs from an implied NAK to the restart (may be ignored) and those beyond
                                # a restart (may be forgotten)
        self.waiting = []       # READs and atomics without all their responses, oldest first
        self.sent = {}          # PSN -> first packet that used it
        self.order = []         # their PSNs, ascending
        self.latest = {}        # PSN -> packet that used it last
        # (ns, oldest PSN not acknowledged, the same without what need not be believed, self.acked)
        self.una_log = []
        self.naks = []          # Nak, those not acted upon yet
        self.implied = {}       # PSN that a READ or atomic lacked when a response behind it came -> the last such one
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
        una, believed = self.una(), self.oldest_of(self.believed)
        if not self.una_log or self.una_log[-1][1:] != (una, believed, self.acked):
            self.una_log.append((ns, una, believed, self.acked))
        if not self.view.lossy:
            self.naks = [nak for nak in self.naks if nak.psn >= una or ns - nak.ns < self.view.latency]

    def recent_unas(self, ns):
        """What the requester may still take for the oldest, and for acknowledged up to there if only behind a READ that
        lacks an answer: it sees responses a little after the capture."""
        first = bisect.bisect_right(self.una_log, (ns - self.view.latency, float("inf")))
        recent = self.una_log[0 if self.view.lossy else max(0, first - 1):]
        return {una for entry in recent for una in entry[1:3]}, {entry[3] for entry in recent}

    def received(self, p):
        """A response has reached the requester."""
        if self.next is None:
            return
        psn = near(p.psn, self.next)
        if psn >= self.next:
            return  # never asked for
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
            self.naks.append(Nak(psn, p, roce.RNR_US[code] * 1000))
        elif kind == roce.NAK and code == roce.NAK_SEQ:
            self.naks.append(Nak(psn, p, None))
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
        if lacks not in self.implied or p.ns - self.implied[lacks].ns >= self.view.latency:
            self.implied_done.discard(lacks)
        self.implied[lacks], self.doubted = p, True

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
                self.begins_inside(p)
        if psn != self.at:
            self.jump(p, psn)
        if psn < self.next and psn in self.sent:
            self.again(p, psn)
        elif psn < self.next and self.covering(psn):
            self.read_rest(p, psn)
        else:
            self.new(p, psn)

    def jump(self, p, psn):
        """The packet does not follow the one before: a gap, a restart, or over what was acknowledged meanwhile."""
        if psn > self.next:
            self.leaves_out(p, psn)
        elif self.service != "RC":
            self.goes_back(p, psn)
        elif psn > self.at:
            # A READ behind it may be incomplete: what an ACK named need not be sent again for its sake.
            if psn > self.acked or any(self.at <= read.next < psn for read in self.waiting):
                self.skips(p, psn)
        else:
            self.restart(p, psn)

    def restart(self, p, psn):
        """Back to a PSN sent before: 9.7.5.2.4 (NAK), 9.7.5.2.8 (RNR), C9-141 (timeout)."""
        self.restarts += 1
        self.doubted, self.behind = False, -1
        whole = "restart-message" in self.view.quirks
        start = self.message_start(psn)
        back = [nak for nak in self.naks if nak.psn == psn or (whole and start == psn <= nak.psn)]
        oldest, acked = self.recent_unas(p.ns)
        if psn in oldest or psn in acked:
            # what it names was acknowledged meanwhile, if only behind a READ that still lacks an answer
            back = back or [nak for nak in self.naks if nak.psn < psn and p.ns - nak.ns < self.view.latency]
        self.believed = min(self.believed, psn)
        self.doubtful = {answered for answered in self.doubtful if answered >= psn}
        if whole:
            oldest |= {self.message_start(una) for una in oldest}
        self.restarted(p, psn, self.cause(p, psn, back, oldest), oldest)

    def cause(self, p, psn, back, oldest):
        last = self.last_sent(psn)
        waited = p.ns - (last.ns if last else 0)
        timeout = psn in oldest and waited >= self.view.timeout
        # One that has come just now may not have been seen yet: it may be for another restart, further on.
        implied = [lacks for lacks in self.implied if lacks <= psn and lacks not in self.implied_done]
        asked = self.implied[max(implied)] if implied else None
        self.implied = {lacks: q for lacks, q in self.implied.items() if p.ns - q.ns < self.view.latency}
        behind = self.nak_behind(p, psn)
        if back:
            return self.act_upon(p, back, Restart("timeout", last, waited, back) if timeout else None, waited)
        if psn not in oldest:
            return Restart("nowhere", last, waited)
        if implied:
            self.implied_done.add(min(implied))
            old = max(implied) != psn and p.ns - asked.ns >= self.view.latency
            return Restart("timeout", last, waited) if timeout and old else Restart("implied", asked, waited)
        if timeout:
            return Restart("timeout", last, waited)
        return Restart("behind", behind.p, waited) if behind else Restart("early", last, waited)

    def act_upon(self, p, back, timeout, waited):
        """NAKs explain the restart, best the one that was due last.  One that has just come may not have been seen yet:
        it may explain another; but if it has explained one and there was time for it, this is the timeout."""
        nak = max(back, key=lambda nak: (nak.due <= p.ns, nak.due))
        if p.ns - back[-1].ns >= self.view.latency:
            self.naks = [nak for nak in self.naks if nak not in back]
        if nak.used and timeout:
            return timeout
        nak.used = True
        return Restart("nak" if nak.wait is None else "rnr", nak.p, waited, back)

    def nak_behind(self, p, psn):
        """A NAK of a packet behind a READ that lacks responses, or lacked them until just now: it begins there."""
        fresh = [nak for nak in self.naks if nak.psn > psn and p.ns - nak.ns < self.view.latency]
        first = self.sent.get(psn) or (self.covering(psn) or [None])[0]
        return fresh[-1] if fresh and first is not None and first.op.kind in ("read", "atomic") else None

    def last_sent(self, psn):
        """The last packet that used this PSN, or asked for the response that does."""
        if psn not in self.latest:
            covering = self.covering(psn)
            psn = covering[1] if covering else psn
        return self.latest.get(psn)

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
        first = self.sent[psn]
        self.retransmitted += 1
        self.repeats(p, psn, first)
        self.latest[psn] = p
        self.at = psn + (packets_of(first.reth[2], self.pmtu) if first.op.kind == "read" else 1)

    def read_rest(self, p, psn):
        """Ask again for what is missing of a READ: from a packet boundary to the end (9.7.5.2.5, C9-142)."""
        first, begin = self.covering(psn)
        done = (psn - begin) * self.pmtu
        self.retransmitted += 1
        self.asks_rest(p, psn, first, (first.reth[0] + done & (1 << 64) - 1, first.reth[1], first.reth[2] - done))
        self.latest[psn] = p
        self.at = begin + packets_of(first.reth[2], self.pmtu)

    def new(self, p, psn):
        count = packets_of(p.reth[2], self.pmtu) if p.op.kind == "read" else 1
        self.is_new(p, psn, count)
        if psn not in self.sent:
            bisect.insort(self.order, psn)
        self.sent[psn] = self.latest[psn] = p
        self.at = psn + count
        self.next = max(self.next, self.at)
        if self.service != "RC":
            self.acked = self.believed = self.next
            return
        if p.op.kind in ("read", "atomic"):
            self.waiting.append(Read(psn, count))
        self.log_una(p.ns)

    # ---- what that was: nothing is done about it here ----

    def begins_inside(self, p):
        """The first packet is not the first of a message."""

    def leaves_out(self, p, psn):
        """PSNs before this new one were not sent."""

    def goes_back(self, p, psn):
        """An unreliable service sends a PSN again."""

    def skips(self, p, psn):
        """Some of what it began to send again is left out and not acknowledged."""

    def restarted(self, p, psn, cause, oldest):
        """It begins again at psn; cause: Restart; oldest: PSNs that were the oldest one not acknowledged."""

    def repeats(self, p, psn, first):
        """Sent again what was `first`."""

    def asks_rest(self, p, psn, first, want):
        """Asks again for the rest of the READ that was `first`; want: what its RETH must be."""

    def is_new(self, p, psn, count):
        """Sent for the first time; takes `count` PSNs."""
