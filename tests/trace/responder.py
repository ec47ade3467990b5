# SPDX-License-Identifier: Apache-2.0
"""Transport rules for what an RC responder sends (IBTA Volume 1, 9.7.4 and 9.7.5.1).

Fed with the requests that reached one QP and the responses it sent; report(packet, rule, text) takes what is wrong.
A responder may lose any request (no room), so what it must have taken is known from its responses only; the model
below takes all that arrives in order, which bounds what it may say.
"""
import bisect

import roce
from transport import near, packets_of

CLOSING_NS = 10_000_000  # a QP is in error, and answers nothing, before its side asks to disconnect


class Request:
    """A request packet that the responder may have executed."""

    def __init__(self, p, psn, count, messages):
        self.p, self.psn, self.end = p, psn, psn + count
        self.messages = messages    # completed when this packet has been executed
        self.arrivals = 1
        self.starts = {psn}         # READ: PSNs from which it was asked for
        self.answers = 0            # READ: responses begun; atomic: answers
        self.next = psn             # READ: first PSN never answered
        self.rnr = 0                # arrivals when the last RNR NAK was sent
        self.original = None        # atomic: value that was returned


class Gap:
    """Requests came ahead of a missing PSN: one sequence NAK may follow, shortly after it was filled, too."""

    def __init__(self, ns):
        self.ns, self.named, self.filled_ns = ns, False, None
        self.twice = False          # a duplicate came before it was named, and again a request ahead: two NAKs


class Responder:
    def __init__(self, view, pmtu, first_psn, report):
        self.view, self.pmtu, self.report = view, pmtu, report
        self.expected = first_psn   # next new PSN; None: not known yet
        self.first, self.sure = first_psn, first_psn is not None
        self.taken = {}             # PSN -> Request, of those in order
        self.order = []             # their PSNs, ascending
        self.ordered = []           # READs and atomics not answered completely, oldest first
        self.messages = 0
        self.base = None            # MSN before the first message
        self.last_msn = None
        self.acked = None           # highest PSN that an ACK or NAK covered, and 1
        self.gap = {}               # PSN that was missing -> Gap
        self.nak_at = None          # PSN of the sequence NAK that is outstanding
        self.rnr_at = None          # PSN of the RNR NAK that is outstanding
        self.refusals = []          # (PSN, ns) of RNR NAKs within a NIC's latency
        self.unsure = None          # PSN from which `taken` is a guess, see take_second; no more once all is acked
        self.again_ns = 0           # when the last duplicate came
        self.again = False          # a duplicate (or the NAKed packet) has come since that NAK
        self.stream = None          # [Request, next PSN, first PSN] of the READ response being sent
        self.due = {}               # PSN -> request that still asks for an answer
        self.dead = False
        self.closed = []            # when its side has asked to disconnect
        self.sequence_naks = 0
        self.recent = []            # requests that came within a NIC's latency

    # ---- requests ----

    def received(self, p):
        if self.expected is None:
            self.expected = self.first = p.psn
        psn = near(p.psn, self.expected)
        self.recent = [q for q in self.recent if p.ns - q.ns <= self.view.latency] + [p]
        if psn == self.expected:
            self.take(p, psn)
        elif psn > self.expected:
            gap = self.gap.get(self.expected)
            if gap is None or (gap.named and self.again):   # the requester went back, and there is a gap again
                self.gap[self.expected] = Gap(p.ns)
            elif self.again:
                gap.twice = True
        else:
            self.duplicate(p, psn)

    def take(self, p, psn):
        count = packets_of(p.reth[2], self.pmtu) if p.op.kind == "read" else 1
        self.messages += p.op.ends
        request = Request(p, psn, count, self.messages)
        self.taken[psn] = request
        self.order.append(psn)
        self.expected = psn + count
        if p.op.kind in ("read", "atomic"):
            self.ordered.append(request)
        if p.ackreq or p.op.kind in ("read", "atomic"):
            self.due[psn] = p
        if psn in self.gap:
            self.gap[psn].filled_ns = p.ns
        if self.rnr_at is not None and psn >= self.rnr_at:
            self.rnr_at = None

    def duplicate(self, p, psn):
        self.again, self.again_ns = True, p.ns
        request = self.request_at(psn)
        if request:
            request.starts.add(psn)
            self.allow_again(request)
        if psn == self.rnr_at:
            self.rnr_at = None
        if p.ackreq and p.op.kind in ("send", "write"):
            self.due[psn] = p

    def allow_again(self, request):
        """A request has come again.  A READ or atomic is answered again, and so may be all READs and atomics after
        it, without waiting for them: the requester went back (9.7.5.1.8)."""
        request.arrivals += 1
        if request.p.op.kind in ("read", "atomic"):
            for psn in self.order[bisect.bisect_right(self.order, request.psn):]:
                self.taken[psn].arrivals += self.taken[psn].p.op.kind in ("read", "atomic")

    def request_at(self, psn):
        """The request that takes this PSN (a READ takes several)."""
        index = bisect.bisect_right(self.order, psn)
        request = self.taken[self.order[index - 1]] if index else None
        return request if request and psn < request.end else None

    # ---- responses ----

    def send(self, p):
        if self.expected is None:
            if not (self.view.hidden or self.view.middle):
                self.report(p, "beyond", f"{p.op.name} before any request")
            self.expected = self.first = p.psn + (p.op.kind != "ack" or p.aeth[0] >> 5 & 3 == roce.ACK)
        psn = near(p.psn, self.expected)
        if self.dead:
            self.report(p, "after_error", f"{p.name()} after a NAK that ended the connection (9.9.2.4.2)")
            return
        if p.op.kind == "ack":
            kind, code = p.aeth[0] >> 5 & 3, p.aeth[0] & 31
            if kind == roce.ACK:
                self.ack(p, psn)
            elif kind == roce.RNR:
                self.rnr(p, psn)
            elif code == roce.NAK_SEQ:
                self.sequence_nak(p, psn)
            else:
                self.fatal_nak(p, psn)
        elif psn >= self.expected:
            self.report(p, "beyond", f"{p.op.name} for PSN {p.psn}, never requested (9.7.5.1.1)")
        elif p.op.kind == "read_rsp":
            self.read_response(p, psn)
        else:
            self.atomic_answer(p, psn)
        if not self.dead:
            if p.aeth:
                self.check_msn(p, psn if p.op.kind != "ack" or p.aeth[0] >> 5 & 3 == roce.ACK else psn - 1)
            self.settle(p, psn)

    def settle(self, p, psn):
        """Forget the requests that this response answers: all before it; READs and atomics have their own."""
        last = psn if p.op.kind == "ack" and p.aeth[0] >> 5 & 3 == roce.ACK else psn - 1
        open_reads = {request.psn for request in self.ordered}
        for asked in [asked for asked in self.due if asked <= last or self.due[asked].op.kind in ("read", "atomic")]:
            if asked not in open_reads:
                del self.due[asked]

    def acked_or(self, psn):
        return psn if self.acked is None else self.acked

    def cover(self, p, psn):
        """An ACK up to psn, or a NAK at psn + 1: cumulative, and READs and atomics before it are answered."""
        turn = self.taken.get(psn + 1)
        again = turn and turn.p.op.kind in ("read", "atomic") and turn.arrivals > 1  # it stops before one asked again
        if self.acked is not None and psn + 1 < self.acked and not again:
            self.report(p, "ack_backwards", f"{p.name()} goes back to PSN {psn & roce.PSN_MASK} after "
                                            f"{self.acked - 1 & roce.PSN_MASK} (9.7.5.1.2)")
        if self.ordered and self.ordered[0].psn <= psn and not self.view.hidden:
            late = self.ordered[0]
            self.report(p, "overtakes", f"{p.name()} for PSN {p.psn} before the responses to the "
                                        f"{late.p.op.name} at {late.next & roce.PSN_MASK} (9.7.5.1.1)")
        self.acked = psn + 1 if self.acked is None else max(self.acked, psn + 1)
        if self.nak_at is not None and self.acked > self.nak_at:
            self.nak_at = None
        if self.rnr_at is not None and self.acked > self.rnr_at:
            self.rnr_at = None  # another copy, which came before the RNR NAK left, was taken
        if self.unsure is not None and self.acked >= self.expected:
            self.unsure = None

    def ack(self, p, psn):
        if psn >= self.expected:
            self.report(p, "beyond", f"ACK of PSN {p.psn}, received in order is only up to "
                                     f"{self.expected - 1 & roce.PSN_MASK} (9.7.5.1.2)")
            return
        self.cover(p, psn)

    def sequence_nak(self, p, psn):
        """9.7.5.1.3, C9-114: once per gap, naming the first PSN that is missing."""
        self.sequence_naks += 1
        if not self.sure and self.acked is None and psn < self.first:
            self.expected = self.first = psn  # the first requests never reached the place of capture
            self.taken, self.order, self.ordered, self.due, self.messages = {}, [], [], {}, 0
            self.gap[psn] = Gap(p.ns)
        guessed = self.unsure is not None and max(self.unsure, self.acked_or(psn)) <= psn < self.expected
        if guessed and not self.just_filled(p, psn):
            self.back_to(psn)  # it was not taken, after all
            self.gap[psn] = Gap(p.ns)
        if self.unsure is not None and self.unsure == self.rnr_at < psn:
            self.rnr_at = None  # the second copy was taken: the refusal is over
        gap = self.gap.get(psn)
        if self.view.lossy:
            right = self.acked_or(psn) <= psn < self.expected
        else:
            right = gap and psn >= self.acked_or(psn) and (gap.filled_ns is None or self.just_filled(p, psn))
        if not right and self.acked_or(psn) <= psn < self.expected and self.view.no_room.get(p.smac):
            self.view.no_room[p.smac] -= 1  # it came, and was dropped for want of room
            self.back_to(psn)
            gap = right = self.gap[psn] = Gap(p.ns)
        if gap:
            gap.named = True
        if not right:
            self.report(p, "nak_psn", f"sequence NAK for PSN {p.psn}: expected is {self.expected & roce.PSN_MASK}, "
                                      + ("requests ahead of it came" if self.expected in self.gap else "no gap")
                                      + " (9.7.5.1.3)")
        elif self.rnr_at is not None and "nak-in-rnr" not in self.view.quirks:
            self.report(p, "nak_in_rnr", f"sequence NAK while the RNR NAK for PSN {self.rnr_at & roce.PSN_MASK} is "
                                         "outstanding (9.7.5.1.3)")
        elif self.nak_at == psn and not self.again:
            self.report(p, "nak_twice", f"second sequence NAK for PSN {p.psn}, the first is outstanding (C9-114)")
        # one that came behind the gap, before the NAK left, counts as well
        behind = gap is not None and self.again_ns >= gap.ns and p.ns - self.again_ns < self.view.latency
        self.nak_at, self.again = psn, self.again and behind
        self.cover(p, psn - 1)

    def just_filled(self, p, psn):
        """What was missing came while the NAK of it was on its way."""
        gap = self.gap.get(psn)
        return (gap is not None and gap.filled_ns is not None and (gap.twice or not gap.named)
                and p.ns - gap.filled_ns <= self.view.latency)

    def rnr(self, p, psn):
        """9.7.5.2.8: names a request that needs a receive WQE; nothing from it on is executed."""
        request = self.taken.get(psn)
        if psn >= self.expected:
            self.report(p, "beyond", f"RNR NAK for PSN {p.psn}, which has not been received in order")
            return
        if request and not request.p.op.takes_rqe:
            self.report(p, "rnr_op", f"RNR NAK for a {request.p.op.name}, which takes no receive WQE (9.7.5.1.7)")
        elif request and request.rnr == request.arrivals and not self.view.hidden:
            self.report(p, "rnr_twice", f"second RNR NAK for PSN {p.psn} although it was sent once (9.7.5.1.7)")
        self.cover(p, psn - 1)
        self.rnr_at = psn
        if not self.view.lossy:
            self.back_to(psn)
            self.unsure = None
            self.take_second(p, psn)
        elif request:
            request.rnr = request.arrivals

    def take_second(self, p, psn):
        """Another copy that came before the RNR NAK left may have met a receive WQE, with all that followed it (it is
        taken for so, until a sequence NAK tells otherwise); as many copies as there were such NAKs have not."""
        self.refusals = [(at, ns) for at, ns in self.refusals if at == psn and p.ns - ns <= self.view.latency]
        self.refusals.append((psn, p.ns))
        copies = [q for q in self.recent if near(q.psn, psn) == psn and p.ns - q.ns <= self.view.latency]
        if len(copies) <= len(self.refusals):
            return
        for q in self.recent[self.recent.index(copies[len(self.refusals)]):]:
            if near(q.psn, self.expected) == self.expected:
                self.take(q, self.expected)
            elif near(q.psn, self.expected) > self.expected:
                self.gap.setdefault(self.expected, Gap(q.ns))
        self.rnr_at = self.unsure = psn

    def back_to(self, psn):
        """Requests from psn on were not executed."""
        self.messages = self.taken[psn].messages - self.taken[psn].p.op.ends if psn in self.taken else self.messages
        for at in self.order[bisect.bisect_left(self.order, psn):]:
            del self.taken[at]
        del self.order[bisect.bisect_left(self.order, psn):]
        self.ordered = [request for request in self.ordered if request.psn < psn]
        self.due = {at: asked for at, asked in self.due.items() if at < psn}
        self.gap = {at: gap for at, gap in self.gap.items() if at < psn}
        self.expected = psn

    def fatal_nak(self, p, psn):
        """9.7.5.2.6: names a request that was received and not answered; the connection ends."""
        if psn >= self.expected:
            self.report(p, "beyond", f"NAK {p.aeth[0]:#04x} for PSN {p.psn}, which has not been received")
        elif self.acked is not None and psn < self.acked:
            self.report(p, "ack_backwards", f"NAK {p.aeth[0]:#04x} for PSN {p.psn}, which was acknowledged")
        elif self.ordered and self.ordered[0].next < psn and not self.view.hidden:
            self.report(p, "overtakes", f"NAK for PSN {p.psn} before the responses to the "
                                        f"{self.ordered[0].p.op.name} at {self.ordered[0].next & roce.PSN_MASK}")
        self.check_msn(p, psn - 1)
        self.dead = True
        self.due.clear()

    # ---- READ and atomic ----

    def tells(self, psn):
        """Whether the capture has the request of this PSN."""
        return not (self.view.hidden or (self.view.middle and psn < self.first))

    def in_turn(self, p, request):
        """First answers come in the order of the requests (9.7.5.1.1)."""
        if self.ordered and request in self.ordered and self.ordered[0] is not request and not self.view.hidden:
            late = self.ordered[0]
            self.report(p, "order", f"{p.op.name} for PSN {p.psn} before the responses to the {late.p.op.name} "
                                    f"at {late.next & roce.PSN_MASK} (9.7.5.1.1)")

    def read_response(self, p, psn):
        request = self.request_at(psn)
        if not request or request.p.op.kind != "read":
            if self.tells(psn):
                self.report(p, "not_read", f"{p.op.name} for PSN {p.psn}, where no READ was received (9.7.5.1.9)")
            return
        if self.view.hidden:
            self.stream = [request, psn, psn if p.op.starts else request.psn]
        elif p.op.starts:
            self.begin_stream(p, psn, request)
        elif not self.stream or self.stream[0] is not request or self.stream[1] != psn:
            at = self.stream and self.stream[1] & roce.PSN_MASK
            self.report(p, "read_psn", f"{p.op.name} with PSN {p.psn}, expected " +
                        (f"{at}" if self.stream else "FIRST or ONLY") + " (9.7.5.1.9)")
            self.stream = [request, psn, request.psn]
        self.read_lengths(p, psn, request)
        self.stream = None if p.op.ends else [request, psn + 1, self.stream[2]]
        request.next = max(request.next, psn + 1)
        if request.next == request.end and request in self.ordered:
            self.ordered.remove(request)
            self.acked = max(self.acked_or(request.end), request.end)

    def begin_stream(self, p, psn, request):
        if self.stream and not self.stream[0].arrivals > self.stream[0].answers:
            self.report(p, "read_psn", f"{p.op.name} for PSN {p.psn} in the middle of other READ responses, expected "
                                       f"{self.stream[1] & roce.PSN_MASK} (9.7.5.1.9)")
        self.in_turn(p, request)
        if psn not in request.starts:
            self.report(p, "read_psn", f"{p.op.name} for PSN {p.psn}, from which no READ was asked for (9.7.5.1.9)")
        request.answers += 1
        if request.answers > request.arrivals:
            self.report(p, "unasked", f"READ at PSN {p.psn} answered {request.answers} times, asked for "
                                      f"{request.arrivals} times (9.7.5.1.9)")
        self.stream = [request, psn, psn]

    def read_lengths(self, p, psn, request):
        left = request.p.reth[2] - (psn - request.psn) * self.pmtu
        place = {(True, True): "O", (True, False): "F", (False, True): "L", (False, False): "M"}[
            psn == self.stream[2], left <= self.pmtu]
        if p.op.place != place:
            self.report(p, "read_op", f"{p.op.name} for PSN {p.psn} where {left} bytes are left of a READ of "
                                      f"{request.p.reth[2]}: not {'FIRST MIDDLE LAST ONLY'.split()['FMLO'.index(place)]}")
        elif len(p.payload) != min(left, self.pmtu):
            self.report(p, "read_length", f"{p.op.name} with {len(p.payload)} bytes, {min(left, self.pmtu)} of "
                                          f"{left} are due (9.7.5.1.9)")

    def atomic_answer(self, p, psn):
        request = self.request_at(psn)
        if not request or request.p.op.kind != "atomic":
            if self.tells(psn):
                self.report(p, "not_atomic", f"ATOMIC_ACK for PSN {p.psn}, where no atomic was received (9.7.5.1.10)")
            return
        self.in_turn(p, request)
        request.answers += 1
        if request.answers > request.arrivals and not self.view.hidden:
            self.report(p, "unasked", f"atomic at PSN {p.psn} answered {request.answers} times, asked for "
                                      f"{request.arrivals} times (9.7.5.1.10)")
        if request.original not in (None, p.atomicack):
            self.report(p, "atomic_value", f"atomic at PSN {p.psn} answered with {p.atomicack:#x}, was "
                                           f"{request.original:#x} the first time (C9-151)")
        request.original = p.atomicack
        if request in self.ordered:
            self.ordered.remove(request)
            self.acked = max(self.acked_or(request.end), request.end)

    # ---- MSN ----

    def check_msn(self, p, psn):
        """9.7.5.1.2, C9-148: messages completed; never back, no less than the PSN says, no more than came."""
        msn, low = p.aeth[1], self.completed(psn)
        if self.base is None:
            self.base = msn - low if self.view.middle or self.view.hidden else 0
        if self.last_msn is not None:
            msn = near(msn, self.last_msn)
            replay = "msn-of-replay" in self.view.quirks and psn < self.acked_or(psn)
            if msn < self.last_msn and not replay:
                self.report(p, "msn_backwards", f"MSN {p.aeth[1]} after {self.last_msn & roce.PSN_MASK} (9.7.5.1.2)")
                return
        self.last_msn = msn if self.last_msn is None else max(msn, self.last_msn)
        refused = self.request_at(psn)
        if self.view.hidden or ("msn-of-refused" in self.view.quirks and refused and refused.p.op.inv and
                                msn == self.base + low - 1):
            return
        if not self.base + low <= msn <= self.base + self.messages:
            self.report(p, "msn", f"MSN {p.aeth[1]}: {self.base + low & roce.PSN_MASK} messages end up to PSN "
                                  f"{psn & roce.PSN_MASK}, {self.base + self.messages & roce.PSN_MASK} have come (C9-148)")

    def completed(self, psn):
        """Messages completed when all up to psn is executed, as far as the answer must know."""
        request = self.request_at(psn)
        return request.messages if request else 0

    # ---- the end ----

    def finish(self, end_ns):
        """C9-106: what asks for an acknowledgement gets one (a duplicate, too: 9.7.5.1.8)."""
        if self.dead or self.rnr_at is not None or self.view.lossy or self.view.hidden:
            return
        late = [p for p in self.due.values() if end_ns - p.ns > self.view.grace
                and not any(at - CLOSING_NS < p.ns < at + CLOSING_NS for at in self.closed)]
        if late:
            self.report(late[0], "unanswered", f"{late[0].op.name} with PSN {late[0].psn} asks for an answer and never "
                                               f"got one ({len(late)} of this QP; C9-106)")
