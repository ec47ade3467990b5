# SPDX-License-Identifier: Apache-2.0
"""One capture: its frames and packets, and which flow each packet belongs to.

    capture = Capture(path)
    capture.learn()                 stations, flows, connections (transport.py)
    capture.packets                 [(Frame, Packet or None)]
    capture.flow(p)                 of an intact packet of a connected QP
"""
import collections

import roce
from transport import Flows, guess_pmtu, pair_flows

CONNECTED = 0x40    # opcodes below it are RC's and UC's: the packet belongs to a connection


class Capture:
    """only: MAC address (bytes) of the one NIC at whose port it was taken, or None."""

    def __init__(self, path, only=None):
        self.path, self.only = path, only
        self.flows = Flows()
        self.flow_of = {}  # packet (its id): its flow, of those that left
        self.own = {}  # port: its MAC address
        self.own_ip = collections.defaultdict(set)  # port: IP addresses that intact packets came to or from
        self.senders = set()    # addresses of NICs of which the capture has what left them
        self.cut = None     # the file ends inside a frame: roce.CutShort
        try:
            self.frames = roce.frames(path)
        except roce.CutShort as cut:
            self.frames, self.cut = cut.frames, cut
        self.packets = [(frame, roce.parse(frame)) for frame in self.frames]

    def learn(self, pmtu=None):
        """pmtu: path MTU, where no full packet tells it."""
        self.senders = {p.src for frame, p in self.packets if p and frame.way == "out"}
        self.own = {frame.port: p.smac for frame, p in self.packets if p and frame.way == "out"}
        for frame, p in self.packets:
            if p and p.intact():
                self.own_ip[frame.port].add(p.dst if frame.way == "in" else p.src)
            if p and p.intact() and p.opcode < CONNECTED and self.first_seen(frame, p):
                self.flow_of[id(p)] = self.flows.add(p)
        flows = self.flows.all()
        pair_flows(flows, pmtu)
        for flow in flows:
            flow.pmtu = guess_pmtu([flow] + ([flow.peer] if flow.peer else []), pmtu)

    def flow(self, p):
        return self.flow_of.get(id(p)) or self.flows.find(p)

    def first_seen(self, frame, p):
        """No other record shows this packet earlier, as it left."""
        return frame.way != "in" or p.src not in self.senders

    def sides(self, frame, p):
        """Whether this record shows the packet leaving its sender, and reaching its receiver."""
        if frame.way:
            return frame.way == "out", frame.way == "in"
        return (True, True) if self.only is None else (p.smac == self.only, p.smac != self.only)

    def passes_by(self, frame, p):
        """For another station: a bit of the MAC address was flipped, or of the IPv6 address, which no checksum guards."""
        return frame.way == "in" and (frame.data[:6] != self.own.get(frame.port, frame.data[:6])
                                      or not (p.intact() or p.dst in self.own_ip[frame.port]))
