# SPDX-License-Identifier: Apache-2.0
"""Connections of a capture and what both roles of a QP have in common.

A flow is everything from one IP address to one QP of another; a connected QP hears one peer only, so it is one
direction of one connection.  BTH names the destination QP alone: which two flows belong together is learnt from
the PSNs that requests use and responses answer (pair_flows).  A QP's number is given away again when it is
destroyed, also to a QP with another peer: PSNs far from all before begin a new flow (Flows), and so does another
source port after a silence.

PSNs are unwrapped: `near` plus the signed 24-bit difference (9.7.2: a PSN is compared modulo 2^24).
"""
from roce import MTUS, PSN_MASK

FAR = 1 << 16  # a new message this far from everything before is a QP connected again, not a gap
REUSE_NS = 5e4  # a NIC is not opened, nor a number given away again and the new QP connected, in less time


def near(psn, reference):
    """The number closest to reference that has these 24 low bits."""
    return reference + ((psn - reference + 0x800000 & PSN_MASK) - 0x800000)


def packets_of(size, pmtu):
    """PSNs that a message of this length takes (9.7.2, C9-36)."""
    return max(1, -(-size // pmtu))


class View:
    """What the place of capture says about frames, and how quick NICs are (tests/trace/check --help has more).
    lossy:   a frame shown may be lost, delayed or damaged on the way to its receiver
    hidden:  the capture may lack frames that were sent
    middle:  the capture begins with connections under way"""

    def __init__(self, lossy=False, hidden=False, middle=False, quirks=(), latency_us=20.0, timeout_us=8.0,
                 grace_us=1000.0, pmtu=None):
        self.lossy, self.hidden, self.middle, self.quirks = lossy, hidden, middle, set(quirks)
        self.latency, self.timeout, self.grace = latency_us * 1e3, timeout_us * 1e3, grace_us * 1e3
        self.pmtu = pmtu
        self.no_room = {}  # MAC address: packets that this NIC dropped unseen, and that no NAK has named yet


class Flow:
    """All that goes from one address to one QP, once a packet (as it left, where the capture tells)."""

    def __init__(self, key):
        self.key = key  # source address, destination address, destination QP
        self.requests, self.responses, self.peer = [], [], None
        self.sport, self.first, self.last_ns = None, None, 0
        self.spans = {}  # requests, responses: lowest and highest PSN, unwrapped

    def add(self, p):
        if self.first is None:
            self.first, self.sport = p.number, p.sport
        self.last_ns = p.ns
        (self.responses if p.op.response else self.requests).append(p)
        low, high = self.spans.get(p.op.response, (p.psn, p.psn))
        psn = near(p.psn, high)
        last = psn + packets_of(p.reth[2], MTUS[0]) - 1 if p.op.kind == "read" and p.reth else psn  # at most
        self.spans[p.op.response] = min(low, psn), max(high, last)

    def reused(self, p):
        """Whether it comes from another QP, with PSNs that may be the same."""
        return p.sport != self.sport and p.ns - self.last_ns >= REUSE_NS

    def strange(self, p):
        """Whether its PSN is far from all of its kind before, or the first of its kind has another source port."""
        if p.op.response not in self.spans:
            return self.sport not in (None, p.sport)
        low, high = self.spans[p.op.response]
        return min(abs(near(p.psn, end) - end) for end in (low, high)) > FAR and not low <= near(p.psn, high) <= high


class Flows:
    """All flows of a capture, several of one key if the QP's number was used again."""

    def __init__(self):
        self.lives = {}

    def add(self, p):
        """A packet as it left."""
        lives = self.lives.setdefault((p.src, p.dst, p.dqpn), [])
        if not lives or (p.op.response or p.op.starts) and (lives[-1].strange(p) or lives[-1].reused(p)):
            lives.append(Flow((p.src, p.dst, p.dqpn)))
        lives[-1].add(p)
        return lives[-1]

    def find(self, p):
        """The flow of a packet that arrives: one that left before and knows such PSNs."""
        lives = [flow for flow in self.lives.get((p.src, p.dst, p.dqpn), []) if flow.first <= p.number]
        for flow in reversed(lives):
            if not flow.strange(p):
                return flow
        return lives[-1] if lives else None

    def all(self):
        return [flow for lives in self.lives.values() for flow in lives]


def psn_set(flow, pmtu):
    """PSN -> packet number of the first request that takes it."""
    taken = {}
    for p in flow.requests:
        count = packets_of(p.reth[2], pmtu) if p.op.kind == "read" else 1
        for i in range(min(count, 1 << 16)):
            taken.setdefault(p.psn + i & PSN_MASK, p.number)
    return taken


SAMPLE = 64  # responses that are looked at to find out whom they answer


def answers(requests, responses):
    """How many of the first responses answer a PSN that was requested before."""
    return sum(1 for p in responses[:SAMPLE] if requests.get(p.psn, p.number) < p.number)


def pair_flows(flows, default_pmtu):
    """Set flow.peer: the flow of the opposite direction of the same connection (RC: UC has no responses)."""
    sets, rated = {}, []
    flows = [flow for flow in flows if any(p.opcode < 0x20 for p in flow.requests + flow.responses)]

    full = {flow: full_packet([flow]) for flow in flows}

    def taken(flow, pmtu):
        if (flow, pmtu) not in sets:
            sets[flow, pmtu] = psn_set(flow, pmtu)
        return sets[flow, pmtu]

    for a in flows:
        if a.key[0] == a.key[1] and a.responses:  # a QP connected with itself answers itself
            pmtu = default_pmtu or full[a] or guess_pmtu([a], None)
            total = len(a.responses[:SAMPLE])
            if answers(taken(a, pmtu), a.responses) == total:
                rated.append((False, -total, False, 0, a.first, a, a))
        for b in flows:
            if a.key[0] == b.key[1] and a.key[1] == b.key[0] and (a.first, a.key) < (b.first, b.key):
                pmtu = default_pmtu or full[a] or full[b] or guess_pmtu([a, b], None)
                total = len(a.responses[:SAMPLE]) + len(b.responses[:SAMPLE])
                right = answers(taken(a, pmtu), b.responses) + answers(taken(b, pmtu), a.responses)
                # All the answers, then more of them, then the same entropy, then those that began together.
                rated.append((right < total, -right, a.sport != b.sport, abs(a.first - b.first), a.first, a, b))
    for *_, a, b in sorted(rated, key=lambda row: row[:5]):
        if not a.peer and not b.peer:
            a.peer, b.peer = b, a


def full_packet(flows):
    """What FIRST and MIDDLE packets carry, or None."""
    seen = {}
    for flow in flows:
        for p in flow.requests + flow.responses:
            if p.op.place in "FM" and len(p.payload) in MTUS:
                seen[len(p.payload)] = seen.get(len(p.payload), 0) + 1
    return max(seen, key=seen.get) if seen else None


def guess_pmtu(flows, default):
    """The path MTU of a connection: what FIRST and MIDDLE packets carry, else what PSNs of READs tell."""
    known = default or full_packet(flows)
    if known:
        return known
    for flow in flows:
        for p, after in zip(flow.requests, flow.requests[1:]):
            step = after.psn - p.psn & PSN_MASK
            for size in MTUS:
                if p.op.kind == "read" and step > 1 and packets_of(p.reth[2], size) == step:
                    return size
    biggest = max([len(p.payload) for flow in flows for p in flow.requests + flow.responses] or [0])
    return max(1024, min(size for size in MTUS if size >= biggest)) if biggest <= MTUS[-1] else 1024


class Incarnations:
    """Numbers the lives of a connection: a QP may be reset and connected again with other PSNs.  A new life
    begins with the first packet of a message that is far from all PSNs before, or that continues none of them
    after a NAK that ended the connection."""

    def __init__(self):
        self.number, self.next, self.ended = 0, {}, False

    def of(self, p, flow):
        if p.op.response:
            self.ended |= p.op.kind == "ack" and p.aeth[0] >> 5 & 3 == 3 and p.aeth[0] & 31 != 0
            return self.number
        expected = self.next.get(flow)
        psn = p.psn if expected is None else near(p.psn, expected)
        if expected is not None and p.op.starts:
            if abs(psn - expected) > FAR or (self.ended and psn != expected):
                self.number, self.next, self.ended = self.number + 1, {}, False
        count = 1
        if p.op.kind == "read":
            count = packets_of(p.reth[2], flow.pmtu)
        self.next[flow] = max(psn + count, self.next.get(flow, psn))
        return self.number
