# SPDX-License-Identifier: Apache-2.0
"""A capture as `cairn report` shows it: stations, warnings, and connections with their ladders."""
import collections
import ipaddress

import cm
import roce
from arrivals import Arrivals
from capture import Capture
from connection import Connection
from transport import Incarnations, View

# A NIC that a capture of the simulator shows acts within 20 us (tests/trace/README.md); Linux hosts, and what records
# them, are later by far.
EXACT_US, HOSTS_US = 20, 1000
EPOCH_NS = 10**17   # times above it are of 1973 and later: a host's clock, not the device's
ETHERTYPES = {b"\x08\x06": "ARP", b"\x08\x00": "IPv4", b"\x86\xdd": "IPv6"}
EXAMPLES = 5        # frames that a warning names


def own_name(frame):
    """What a frame is that is no RoCE v2 packet."""
    data = frame.data
    if data[12:14] == b"\x86\xdd" and len(data) > 54 and data[20] == 58:
        return "ICMPv6"
    return ETHERTYPES.get(data[12:14], f"ethertype 0x{data[12:14].hex()}")


class Warnings:
    """Texts, how often, and which frames."""

    def __init__(self):
        self.found = {}

    def add(self, text, number=None):
        count, numbers = self.found.setdefault(text, [0, []])
        self.found[text][0] = count + 1
        if number is not None and len(numbers) < EXAMPLES:
            numbers.append(number)

    def all(self):
        return [{"text": text, "count": count, "frames": numbers} for text, (count, numbers) in self.found.items()]


class Analysis(Capture):
    def __init__(self, path):
        super().__init__(path)
        self.warnings, self.others = Warnings(), collections.Counter()
        self.stations = {}      # port or MAC address -> figures
        self.exact = any(frame.way == "in" for frame in self.frames) and any(
            frame.way == "out" for frame in self.frames)
        self.view = View(quirks=("restart-message",), latency_us=EXACT_US if self.exact else HOSTS_US)
        self.connections, self.of_flow, self.of_pair = [], {}, {}
        self.lives = {}         # connection: Incarnations
        self.arrivals = Arrivals()
        self.frames_left = self.bytes_left = self.packets_left = 0
        if self.cut:
            self.warnings.add(f"the capture is cut short: {self.cut}")

    def run(self):
        self.learn()
        for first, second in self.pairs():
            self.connect(first, second)
        for frame, p in self.packets:
            self.station(frame, p)
            if frame.way != "in" or (p and p.intact() and self.first_seen(frame, p)):
                self.leaves(frame, p)
            else:
                self.arrives(frame, p)
        heard = {p.dst for frame, p in self.packets if p and frame.way == "in" and p.intact()}
        end = max((frame.ns for frame in self.frames), default=0)
        self.connections = sorted((one for one in self.connections if one.rows), key=lambda one: one.rows[0].number)
        for connection in self.connections:
            connection.finish(heard, end)
        self.find_setups()
        return self

    # ---- who is connected ----

    def pairs(self):
        """Flows of the same connection: (flow, flow or None)."""
        flows, done = self.flows.all(), set()
        for flow in flows:
            if flow in done:
                continue
            other = flow.peer or self.unreliable_peer(flow, flows)
            done |= {flow, other}
            yield flow, other

    @staticmethod
    def unreliable_peer(flow, flows):
        """UC has no answers: the one flow that goes the other way, from the same source port if there are several."""
        def is_uc(one):
            return not one.peer and one.requests and one.requests[0].opcode >= 0x20 and not one.responses

        def between(pair):
            return [one for one in flows if is_uc(one) and (one.key[0], one.key[1]) == pair]

        if not is_uc(flow) or flow.key[0] == flow.key[1]:
            return None
        here, there = between(flow.key[:2]), between(flow.key[1::-1])
        if len(here) > 1 or len(there) > 1:
            here, there = ([one for one in way if one.sport == flow.sport] for way in (here, there))
        return there[0] if len(here) == len(there) == 1 else None

    def connect(self, flow, other):
        first = (flow.requests + flow.responses)[0]
        kind = "RC" if first.opcode < 0x20 else "UC"
        if other and other.first < flow.first:
            flow, other = other, flow
        ends = ((flow.key[0], other.key[2] if other else None), (flow.key[1], flow.key[2]))
        connection = Connection(kind, ends, self.exact, self.view, flow.pmtu)
        self.connections.append(connection)
        self.lives[connection] = Incarnations()
        self.of_flow[flow] = (connection, 0)
        if other and other is not flow:
            self.of_flow[other] = (connection, 1)

    def datagrams(self, p):
        """The connection of a UD packet, and its side."""
        source, target = (p.src, p.deth[2]), (p.dst, p.dqpn)
        general = source[1] == target[1] == cm.GENERAL_QP
        key = frozenset((source, target)) if source != target else (source, target)
        if key not in self.of_pair:
            self.of_pair[key] = Connection("CM" if general else "UD", (source, target), self.exact, self.view)
            self.connections.append(self.of_pair[key])
        connection = self.of_pair[key]
        first = connection.sides[0]
        return connection, int((first.address, first.qpn) != source)

    def place(self, p):
        """(connection, side that sends it), or None."""
        if p.op is None or p.opcode is None:
            return None
        if p.deth:
            return self.datagrams(p) if p.intact() else None
        flow = self.flow(p)
        if flow not in self.of_flow:
            return None
        connection, side = self.of_flow[flow]
        if flow.peer is flow:   # a QP connected with itself
            side = int(p.op.response)
        return connection, side

    # ---- frames ----

    def leaves(self, frame, p):
        self.frames_left += 1
        self.bytes_left += frame.wire_len
        if p is None:
            self.others[own_name(frame)] += 1
            return
        self.packets_left += 1
        for rule, text in roce.packet_rules(p):
            name = "wrong ICRC" if rule == "icrc" else f"malformed ({rule}): {text}"
            self.warnings.add(name, p.number)
        found = self.place(p)
        if not found:
            self.others["RoCE v2 that belongs to no connection"] += 1
            return
        connection, side = found
        renewed = False
        if connection in self.lives and p.intact() and p.op.kind != "cnp":
            life, before = self.lives[connection], self.lives[connection].number
            renewed = life.of(p, self.flow(p)) != before
            if renewed:
                connection.renew()
        row = connection.left(p, side, renewed)
        if self.exact and frame.way == "out":
            self.arrivals.left(frame, p, (connection, row))
        elif p.intact():
            connection.arrived(frame, p, row, "whole")

    def arrives(self, frame, p):
        found, fate = self.arrivals.came(frame, p)
        if not found:
            if p and not p.intact():
                self.warnings.add("arrived damaged, of no packet that left", frame.number)
            return
        if fate != "damaged" and self.passes_by(frame, p) and not ipaddress.ip_address(p.dst).is_multicast:
            fate = "damaged"
        if fate == "damaged":
            self.warnings.add("arrived damaged", frame.number)
        connection, row = found
        connection.arrived(frame, p, row, fate)

    def station(self, frame, p):
        """Frames and bytes of each port, or of each MAC address where the capture has no ports."""
        for way, name, told in (("tx", frame.data[6:12].hex(":"), frame.way != "in"),
                                ("rx", frame.data[:6].hex(":"), frame.way != "out")):
            if not told or (way == "rx" and not frame.way and frame.data[:1] and frame.data[0] & 1):
                continue
            one = self.stations.setdefault(frame.port or name, {"mac": None, "addresses": [], "tx_frames": 0, "tx_bytes": 0,
                                                                "rx_frames": 0, "rx_bytes": 0, "bad_fcs": 0})
            one[way + "_frames"] += 1
            one[way + "_bytes"] += frame.wire_len
            one["bad_fcs"] += frame.fcs_bad
            if way == "tx":
                one["mac"] = name
                address = p and p.intact() and str(ipaddress.ip_address(p.src))
                if address and address not in one["addresses"]:
                    one["addresses"].append(address)

    # ---- what the CM says of connections ----

    def find_setups(self):
        """Which REQ or REP brought each connection about: they name its QPs."""
        ends = collections.defaultdict(list)
        for connection in self.connections:
            for side in connection.sides if connection.kind in ("RC", "UC") else ():
                ends[side.address, side.qpn].append(connection)
        for manager in self.connections:
            for row, mad in manager.mads.items():
                if mad.attribute != cm.REP or not row.by or row.by not in manager.mads:
                    continue
                asked = manager.mads[row.by]
                pair = {(row.by.p.src, asked.qpn), (row.p.src, mad.qpn)}
                for connection in ends[row.p.src, mad.qpn]:
                    known = {(side.address, side.qpn) for side in connection.sides if side.qpn is not None}
                    if known <= pair and connection.rows[-1].ns > row.by.ns:
                        connection.found_by = (manager, row.by, asked)
