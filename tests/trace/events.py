# SPDX-License-Identifier: Apache-2.0
"""Did the faults that a run asked for happen, and no others?

A capture by port of `cairn sim` tells which rules (docs/rules.md) came into force where (roce.Frames.notes). This works
out, from the frames that left and from the language's description alone, what each rule does to each frame, and looks
for the outcome at the other port: what was dropped did not arrive, what was doubled came twice, what was kept back came
behind others, and everything else came as it left.

Between two ports only: behind a switch the order in which rules see frames is not the capture's. Faults by probability
of the whole wire ("chance") leave nothing to say. A frame that a rule may have hit or not (p=, or a time within EDGE_NS
of after= or before=) may arrive or not, and damaged.
"""
import bisect
import collections
import re
import struct

import roce

EDGE_NS = 20_000
HOLD_NS = 18_000        # a frame kept back goes on after 20 us of its first bit, whatever follows
LATE_NS = 10**6         # by chance damaged, a frame is looked for among those that left so long before
GRACE_NS = 100_000      # what left this close to the end need not have arrived
UNITS = {"": 1, "ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}
PLACES = {"first": "F", "middle": "M", "last": "L", "only": "O"}
KINDS = {"send": ("send",), "write": ("write",), "read": ("read", "read_rsp"), "atomic": ("atomic", "atomic_ack"),
         "ack": ("ack",), "cnp": ("cnp",)}
AETH = {"ack": roce.ACK, "rnr": roce.RNR, "nak": roce.NAK}


def time_of(text):
    number, unit = re.fullmatch(r"(\d+|0x[0-9a-f]+)(\D*)", text).groups()
    return int(number, 0) * UNITS[unit]


def ranges(text):
    made = []
    for part in text.split(","):
        low, dash, high = part.partition("-")
        made.append((int(low, 0), (int(high, 0) if high else 1 << 64) if dash else int(low, 0)))
    return made


def within(spans, value):
    return any(low <= value <= high for low, high in spans)


def op_is(word, op):
    """One word of op=: a class, a transport, a place, or an opcode's name with or without its transport."""
    word, name = word.lower(), op.name.lower()
    if word in (name, name.partition("_")[2]):
        return True
    if word in KINDS:
        return op.kind in KINDS[word]
    if word in PLACES:
        return op.place == PLACES[word] and op.kind not in ("ack", "cnp")
    return {"rc": name.startswith("rc_"), "uc": name.startswith("uc_"), "ud": name.startswith("ud_"),
            "req": not op.response and op.kind != "cnp", "rsp": op.response, "imm": op.imm, "inv": op.inv,
            "payload": op.data}.get(word, False)


class Rule:
    """One rule in force."""

    def __init__(self, text):
        words = text.split()
        self.text, self.seen, self.hits, self.vague = text, 0, 0, False
        self.action, _, self.arg = words[0].partition(":")
        self.ports, self.select = ("*", "*"), {}
        for word in words[1:]:
            if ">" in word:
                self.ports = tuple(word.split(">"))
            else:
                name, _, value = word.partition("=")
                self.select[name] = value
        self.roce = bool(set(self.select) & {"qp", "op", "psn", "round", "aeth"})

    def passes(self, frame, p, to, memory):
        """All selectors but those that count."""
        if any(want not in ("*", port) for want, port in zip(self.ports, (frame.port, to))):
            return False
        if self.roce and p is None:
            return False
        return all(getattr(self, "by_" + name)(value, frame, p, memory) for name, value in self.select.items())

    def by_type(self, value, frame, p, _):
        kind = frame.data[12:14]
        return value == ("roce" if p else "arp" if kind == b"\x08\x06" else
                         "ip" if kind in (b"\x08\x00", b"\x86\xdd") else "other")

    def by_len(self, value, frame, *_):
        return within(ranges(value), len(frame.data))

    def by_after(self, value, frame, *_):
        self.vague |= abs(frame.ns - time_of(value)) < EDGE_NS
        return frame.ns >= time_of(value)

    def by_before(self, value, frame, *_):
        self.vague |= abs(frame.ns - time_of(value)) < EDGE_NS
        return frame.ns < time_of(value)

    def by_qp(self, value, _, p, memory):
        return within(ranges(value[1:]), memory.nth) if value[0] == "#" else within(ranges(value), p.dqpn)

    def by_op(self, value, _, p, __):
        return p.op is not None and any(all(op_is(word, p.op) for word in sum_.split("+")) for sum_ in value.split(","))

    def by_psn(self, value, _, p, memory):
        return within(ranges(value[1:]), p.psn) if value[0] == "@" else within(ranges(value), memory.psn)

    def by_round(self, value, _, __, memory):
        return within(ranges(value), memory.round)

    def by_aeth(self, value, _, p, __):
        return p.aeth is not None and p.aeth[0] >> 5 & 3 == AETH[value]

    def counted(self, *_):
        return True

    by_k = by_every = by_count = by_p = counted

    def hit(self):
        """The frame that passed is hit: True, False, or None for "perhaps"."""
        self.seen += 1
        if self.vague or "p" in self.select:
            return None
        if "k" in self.select and not within(ranges(self.select["k"]), self.seen):
            return False
        if "every" in self.select and self.seen % int(self.select["every"], 0):
            return False
        if "count" in self.select and self.hits >= int(self.select["count"], 0):
            return False
        self.hits += 1
        return True


class Memory:
    """What a direction remembers since rules are in force; .nth, .psn, .round are the last packet's."""

    def __init__(self):
        self.qps, self.first, self.rounds = {}, {}, collections.Counter()
        self.nth = self.psn = self.round = 0

    def take(self, p, by_round):
        self.nth = self.qps.setdefault(p.dqpn, len(self.qps) + 1)
        first = self.first.setdefault((p.dqpn, bool(p.op and p.op.response)), p.psn)
        self.psn = p.psn - first & roce.PSN_MASK
        if by_round:
            self.rounds[p.dqpn, p.psn, p.opcode] += 1
        self.round = self.rounds[p.dqpn, p.psn, p.opcode]


def marked(data):
    """The frame with "congestion experienced"."""
    data, at = bytearray(data), 18 if data[12:14] == b"\x81\x00" else 14
    if data[at] >> 4 == 4:
        data[at + 1] |= 3
        data[at + 10:at + 12] = b"\0\0"
        struct.pack_into(">H", data, at + 10, roce.ip_sum(bytes(data[at:at + 4 * (data[at] & 15)])) ^ 0xFFFF)
    elif data[at] >> 4 == 6:
        data[at + 1] |= 0x30
    return bytes(data)


def bits_apart(one, other):
    return bin(int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).count("1")


class Outcome:
    """What is to become of one frame."""

    def __init__(self, frame):
        self.frame, self.data, self.fcs_bad = frame, frame.data, frame.fcs_bad
        self.times, self.earliest, self.behind = 1, frame.ns, 0
        self.random_bits, self.perhaps, self.why, self.arrived = 0, False, [], []

    def act(self, rule):
        self.why.append(rule.text)
        if rule.action == "drop":
            self.times = 0
        elif rule.action == "badfcs":
            self.fcs_bad = True
        elif rule.action == "dup":
            self.times += int(rule.arg or "1", 0) if self.times else 0
        elif rule.action == "delay":
            self.earliest += time_of(rule.arg)
        elif rule.action == "reorder":
            self.behind = max(self.behind, int(rule.arg or "1", 0))

    def damage(self, rules):
        """Changes of the bytes, in the order in which the wire makes them; drop wins over everything."""
        if any(rule.action == "drop" for rule in rules):
            self.times = 0
        if any(rule.action == "ecn" for rule in rules):
            self.data = marked(self.data)
        data = bytearray(self.data)
        for rule in rules:
            if rule.action == "corrupt" and rule.arg:
                bit = int(rule.arg, 0)
                bit += len(data) * 8 if rule.arg[0] == "-" else 0
                if 0 <= bit < len(data) * 8:
                    data[bit // 8] ^= 1 << bit % 8
            self.random_bits += rule.action == "corrupt" and not rule.arg
        for rule in rules:
            if rule.action == "truncate" and int(rule.arg, 0) < len(data):
                data = data[:int(rule.arg, 0)]
        self.data = bytes(data)

    def may_be(self, frame):
        """The frame that arrived can be this one, damaged as a rule with chance does."""
        if frame.ns < self.earliest or not (self.random_bits or self.perhaps):
            return False
        if len(frame.data) != len(self.data):
            return self.perhaps and self.data.startswith(frame.data)
        bits = bits_apart(self.data, frame.data)
        return bits == self.random_bits or (self.perhaps and (bits <= 8 or marked(self.data) == frame.data))


class Direction:
    """From one port to the other."""

    def __init__(self, to):
        self.to, self.memory, self.sent, self.got, self.lost = to, Memory(), [], [], 0
        self.free = collections.defaultdict(list)   # bytes, bad FCS -> outcomes that would arrive so

    def leave(self, frame, p, rules):
        if p is not None and rules:
            self.memory.take(p, any("round" in rule.select for rule in rules))
        outcome, hit = Outcome(frame), []
        for rule in rules:
            if rule.passes(frame, p, self.to, self.memory):
                happens = rule.hit()
                outcome.perhaps |= happens is None
                if happens:
                    hit.append(rule)
        for rule in hit:
            outcome.act(rule)
        outcome.damage(hit)
        self.sent.append(outcome)
        if not outcome.random_bits:
            self.free[outcome.data, outcome.fcs_bad].append(outcome)

    def arrive(self, frame):
        self.got.append(frame)

    def flight(self):
        """Time from one port to the other of a frame that nothing delays."""
        times = [frame.ns - outcome.earliest for frame in self.got
                 for outcome in self.free.get((frame.data, frame.fcs_bad), ()) if outcome.earliest <= frame.ns]
        return min(times, default=0)

    def match(self):
        """Gives each frame that arrived to the one that it was; yields those that nothing explains.  The same bytes may
        have left more than once: then the moment tells, if one fits exactly."""
        unknown, flight = [], self.flight()
        for frame in sorted(self.got, key=lambda frame: frame.ns):
            fitting = [outcome for outcome in self.free[frame.data, frame.fcs_bad] if outcome.earliest <= frame.ns]
            exact = [outcome for outcome in fitting if outcome.earliest + flight == frame.ns]
            found = next((outcome for outcome in exact or fitting
                          if outcome.perhaps or len(outcome.arrived) < outcome.times), None)
            if found:
                found.arrived.append(frame)
            else:
                unknown.append(frame)
        vague = [outcome for outcome in self.sent if outcome.random_bits or outcome.perhaps]
        left = [outcome.frame.ns for outcome in vague]
        for frame in unknown:
            before = vague[bisect.bisect_left(left, frame.ns - LATE_NS):bisect.bisect_right(left, frame.ns)]
            found = next((outcome for outcome in before if outcome.may_be(frame)
                          and (outcome.perhaps or len(outcome.arrived) < outcome.times)), None)
            if found:
                found.arrived.append(frame)
            else:
                yield frame

    def judge(self, end):
        """(frame, text) of what did not happen as it should."""
        for frame in self.match():
            dropped = [outcome for outcome in self.sent if outcome.data == frame.data and "drop" in str(outcome.why)]
            why = f'"{dropped[0].why[0]}" drops it' if dropped else "no frame and no rule explains it"
            yield frame, f"arrived at {self.to}, but {why}"
        for index, outcome in enumerate(self.sent):
            missing = 0 if outcome.perhaps else outcome.times - len(outcome.arrived)
            if missing > 0 and outcome.earliest < end - GRACE_NS and self.lost > 0:
                self.lost -= 1
            elif missing > 0 and outcome.earliest < end - GRACE_NS:
                why = ", ".join(f'"{text}"' for text in outcome.why) or "no rule"
                yield outcome.frame, f"to {self.to} was to arrive {outcome.times} times and came " \
                                     f"{len(outcome.arrived)} times ({why})"
            if outcome.behind and outcome.arrived and not outcome.perhaps:
                yield from self.judge_order(index, outcome)

    def judge_order(self, index, held):
        came = held.arrived[-1].ns
        over = [later for later in self.sent[index + 1:index + 1 + 4 * held.behind + 64] if not later.behind
                and later.arrived and later.arrived[0].ns <= came]
        if len(over) < held.behind and came < held.frame.ns + HOLD_NS:
            yield held.frame, f'to {self.to} came {len(over)} frames late, not {held.behind} ("{held.why[0]}")'


def judge_events(packets, notes):
    """packets: [(Frame, Packet or None)] of a capture by port; notes: [(frames before it, text)].  Findings as (frame,
    text), and how often rules hit, or None where nothing can be said."""
    ports = sorted({frame.port for frame, _ in packets})
    if not notes or len(ports) != 2 or "peer" in ports or any(text.startswith("chance") for _, text in notes):
        return [], None
    ways = {ports[0]: Direction(ports[1]), ports[1]: Direction(ports[0])}
    arrivals = {way.to: way for way in ways.values()}
    rules, past, notes = [], [], collections.deque(notes)
    for index, (frame, p) in enumerate(packets):
        while notes and notes[0][0] <= index:
            kind, _, rest = notes.popleft()[1].partition(" ")
            if kind == "rule":
                rules.append(Rule(rest))
            elif kind == "clear":
                past, rules = past + rules, []
                for way in ways.values():
                    way.memory = Memory()
            elif kind == "lost":
                arrivals[rest].lost += 1
        if frame.looped:
            continue  # no rule sees it
        if frame.way == "out":
            ways[frame.port].leave(frame, p if p and p.opcode is not None else None, rules)
        else:
            arrivals[frame.port].arrive(frame)
    arrivals_lost = [text.partition(" ")[2] for _, text in notes if text.startswith("lost ")]
    for port in arrivals_lost:
        arrivals[port].lost += 1
    end = max([frame.ns for frame, _ in packets] or [0])
    found = [finding for way in ways.values() for finding in way.judge(end)]
    return sorted(found, key=lambda finding: finding[0].number), sum(rule.hits for rule in past + rules)
