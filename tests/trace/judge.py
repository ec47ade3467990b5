# SPDX-License-Identifier: Apache-2.0
"""Judges a capture: finds its connections, gives each QP the packets that it sent and received, and collects what
the rules say (roce.py for single packets, requester.py and responder.py for the transport)."""
import collections
import ipaddress

import cm
import roce
from capture import CONNECTED, Capture
from events import judge_events
from requester import Requester
from responder import Responder
from transport import REUSE_NS, Incarnations

NAK_NAMES = {roce.NAK_SEQ: "nak_sequence", roce.NAK_INVALID: "nak_invalid_request", roce.NAK_ACCESS: "nak_access",
             roce.NAK_OP: "nak_operational"}


def response_name(p):
    """ack, rnr_nak or the NAK's name, of an ACKNOWLEDGE packet."""
    kind, code = p.aeth[0] >> 5 & 3, p.aeth[0] & 31
    return "ack" if kind == roce.ACK else "rnr_nak" if kind == roce.RNR else NAK_NAMES.get(code, "nak_other")


EARLIER = ("ip", "ip_checksum", "fragment", "length")  # what a NIC drops a packet for before it looks at the ICRC


def reaches_icrc(p):
    """Nothing before the ICRC is wrong with the packet."""
    if not p.op or p.wrong or p.tver or any(rule in EARLIER for rule, _ in roce.network_rules(p)):
        return False
    if p.op.kind == "cnp":
        return len(p.payload) == 16 and not p.pad
    return len(p.payload) <= roce.MTUS[-1] if p.op.data else not p.payload and not p.pad


class Finding:
    def __init__(self, path, p, rule, text, qp=None):
        self.path, self.number, self.ns, self.rule, self.text, self.qp = path, p.number, p.ns, rule, text, qp

    def __str__(self):
        where = f" to QP {self.qp:#x}" if self.qp is not None else ""
        return f"{self.path}: packet {self.number} at {self.ns / 1e9:.9f} s{where}: {self.rule}: {self.text}"


class Endpoint:
    """One QP, named by the flow that it sends; new roles when the QP is connected again."""

    def __init__(self, judge, flow):
        self.judge, self.flow, self.life = judge, flow, Incarnations()
        self.number, self.requester, self.responder, self.sport = 0, None, None, None
        self.first_psn = None   # of the requests in this life
        self.retransmitted = self.restarts = 0
        self.naks = collections.Counter()   # "tx_rnr_nak", "rx_nak_sequence", ...

    def count(self, p, way):
        if p.op.kind == "ack":
            self.naks[way + response_name(p)] += 1

    def roles(self, p, flow, came):
        number = self.life.of(p, flow)
        if number != self.number:
            self.end(p.ns)
            self.number, self.requester, self.responder, self.sport, self.first_psn = number, None, None, None, None
        if not self.requester:
            service = "RC" if p.opcode < 0x20 else "UC"
            self.requester = Requester(self.judge.view, self.flow.pmtu, service, self.judge.report)
        if not self.responder and came and not p.op.response:
            peer = self.judge.endpoints.get(self.flow.peer)
            self.responder = Responder(self.judge.view, self.flow.pmtu, peer.first_psn if peer else None,
                                       self.judge.report)

    def sent(self, p):
        self.roles(p, self.flow, False)
        if p.sport != self.sport and self.sport is not None:
            self.judge.report(p, "sport", f"UDP source port {p.sport}, this QP sent {self.sport} before: it would "
                                          "take another path (A17.3.1.3)")
        self.sport = p.sport
        self.count(p, "tx_")
        if not p.op.response:
            if self.first_psn is None and not (self.judge.view.hidden or self.judge.view.middle):
                self.first_psn = p.psn
            self.requester.send(p)
        elif self.responder:
            self.responder.send(p)
        elif not (self.judge.view.hidden or self.judge.view.middle):
            self.judge.report(p, "beyond", f"{p.name()} without any request")

    def received(self, p):
        self.roles(p, self.flow.peer, True)
        self.count(p, "rx_")
        if p.op.response:
            self.requester.received(p)
        else:
            self.responder.received(p)

    def closes(self, ns):
        """Its side has asked to disconnect."""
        if self.responder:
            self.responder.closed.append(ns)

    def end(self, ns):
        if self.requester:
            self.retransmitted += self.requester.retransmitted
            self.restarts += self.requester.restarts
        if self.responder:
            self.responder.finish(ns)


class Datagrams(Requester):
    """What a UD QP sends: to whom, and when last."""

    def __init__(self, view, report):
        super().__init__(view, roce.MTUS[-1], "UD", report)
        self.to, self.last_ns = set(), 0

    def reused(self, p):
        """Whether another QP that was given the same number sends this: after a silence, to somebody new, and it does
        not count on.  QP 1 always speaks to QP 1; it begins anew with each program that opens the NIC."""
        new = (p.dst, p.dqpn) not in self.to or p.deth[2] == roce.GSI_QPN
        return p.ns - self.last_ns >= REUSE_NS and new and p.psn != self.next & roce.PSN_MASK

    def send(self, p):
        self.to.add((p.dst, p.dqpn))
        self.last_ns = p.ns
        super().send(p)


class Judge(Capture):
    """One capture.  no_room: port or MAC address of a NIC -> how many packets it says it dropped for want of room."""

    def __init__(self, path, view, only=None, no_room=None):
        super().__init__(path, only)
        self.view = view
        self.findings, self.endpoints, self.datagrams = [], {}, {}
        self.ports = collections.defaultdict(collections.Counter)   # port name -> what it sent and received
        self.totals = collections.Counter()
        self.macs = {}
        self.no_room = no_room or {}
        self.events = None  # hits of fault rules, where the capture tells
        if self.cut:
            self.findings.append(Finding(path, self.frames[-1] if self.frames else roce.Frame(0, 0, b"", 0), "capture",
                                         str(self.cut)))

    def report(self, p, rule, text):
        self.findings.append(Finding(self.path, p, rule, text, p.dqpn))

    def run(self):
        self.learn(self.view.pmtu)
        self.view.no_room = {address: self.no_room.get(port, self.no_room.get(address.hex(":"), 0))
                             for port, address in self.own.items()}
        self.meet()
        for frame, p in self.packets:
            self.count(frame, p)
            if p:
                self.packet(frame, p)
        found, self.events = judge_events(self.packets, getattr(self.frames, "notes", []))
        self.findings += [Finding(self.path, frame, "event", text) for frame, text in found]
        end = max([frame.ns for frame in self.frames] or [0])
        for endpoint in self.endpoints.values():
            endpoint.end(end)
        return self

    def meet(self):
        for flow in self.flows.all():
            self.endpoints[flow] = Endpoint(self, flow)
            if flow.responses and not flow.peer and not (self.view.hidden or self.view.middle):
                self.report(flow.responses[0], "stray", f"{len(flow.responses)} responses from {self.address(flow)} "
                                                        "answer no request in this capture")

    @staticmethod
    def address(flow):
        return str(ipaddress.ip_address(flow.key[0]))

    def packet(self, frame, p):
        sent, received = self.sides(frame, p)
        if received and self.passes_by(frame, p):
            received = False
        if frame.port == "peer":
            return  # what reaches it is not known
        if sent and not (self.view.hidden and not p.icrc_ok):
            for rule, text in roce.packet_rules(p):
                self.report(p, rule, text)
        if not p.intact():
            return
        if p.opcode >= CONNECTED:
            if sent and p.deth:
                self.datagram(p)
            return
        flow = self.flow(p)
        if sent:
            self.endpoints[flow].sent(p)
        if received and flow and flow.peer:
            self.endpoints[flow.peer].received(p)

    def datagram(self, p):
        """9.8.3.1: each UD QP counts its packets, whoever they are for."""
        message = cm.mad(p)
        if message and message.attribute == cm.DREQ:
            for flow, endpoint in self.endpoints.items():
                if flow.key == (p.src, p.dst, message.qpn):
                    endpoint.closes(p.ns)
        key = (p.smac, p.deth[2])  # of whichever address it says it comes from
        if key not in self.datagrams or self.datagrams[key].reused(p):
            self.datagrams[key] = Datagrams(self.view, self.report)
        self.datagrams[key].send(p)

    # ---- figures ----

    def count(self, frame, p):
        self.totals["frames"] += 1
        if not p:
            self.totals["other"] += 1
            mac, way = frame.data[6:12], frame.way
            sides = (way == "out", way == "in") if way else (mac != b"", True)
        else:
            mac, sides = p.smac, self.sides(frame, p)
            self.macs.setdefault(mac, p.src)
        if sides[0] and p and p.intact():
            self.totals[p.op.name] += 1
            if p.op.kind == "ack":
                self.totals[response_name(p)] += 1
        if p and not p.intact():
            self.totals["damaged"] += 1
        if sides[0]:
            self.at_port(self.ports[frame.port or mac.hex(":")], "tx_", frame, p)
        if sides[1]:
            name = frame.port or frame.data[0:6].hex(":")
            self.at_port(self.ports[name], "rx_", frame, p)

    def at_port(self, port, way, frame, p):
        port[way + "frames"] += 1
        if way == "rx_" and not p and not port["tx_frames"]:
            port["rx_early"] += 1
        port[way + "bad_fcs"] += frame.fcs_bad
        if not p or frame.fcs_bad or (way == "rx_" and self.passes_by(frame, p)):
            return
        if not p.intact():
            port[way + "bad_icrc"] += not p.icrc_ok and reaches_icrc(p)
            return
        port[way + "roce"] += 1
        port[way + p.op.kind] += 1
        port[way + p.op.kind + "_end"] += p.op.ends
        port[way + "ce"] += p.ecn == 3
        if p.op.kind == "ack":
            name = response_name(p)
            port[way + ("ack_only" if name == "ack" else name)] += 1

    def port_of(self):
        """Address of a NIC: its port's name."""
        return {p.src: frame.port or p.smac.hex(":") for frame, p in self.packets if p and frame.way != "in"}

    def retransmitted(self):
        """Request packets sent again: by port name and in all."""
        found, port_of = collections.Counter(), self.port_of()
        for flow, endpoint in self.endpoints.items():
            found[port_of.get(flow.key[0])] += endpoint.retransmitted
        return found

    def qps(self):
        """Of each QP that had one life in this capture: NAKs that it sent and received, packets that it sent again."""
        found, port_of = collections.defaultdict(dict), self.port_of()
        for flow, endpoint in self.endpoints.items():
            if not flow.peer:
                continue
            qps, name = found[port_of.get(flow.key[0])], f"0x{flow.peer.key[2]:06x}"
            once = name not in qps and not endpoint.number
            qps[name] = dict(endpoint.naks, retransmitted=endpoint.retransmitted) if once else None
        return {port: {name: counts for name, counts in qps.items() if counts} for port, qps in found.items()}

    def summary(self):
        again = self.retransmitted()
        names = {op.name for op in roce.OPS.values()}
        return {
            "file": self.path,
            "frames": self.totals["frames"],
            "not_roce": self.totals["other"],
            "damaged": self.totals["damaged"],
            "packets": {name: n for name, n in sorted(self.totals.items()) if name in names},
            "acks": self.totals["ack"],
            "naks": {name: self.totals[name] for name in ("rnr_nak", *NAK_NAMES.values()) if self.totals[name]},
            "retransmitted": sum(again.values()),
            "restarts": sum(endpoint.restarts for endpoint in self.endpoints.values()),
            "connections": sum(1 for flow in self.flows.all() if not flow.peer or flow.first < flow.peer.first),
            "ports": {name: dict(counts, retransmitted=again[name]) for name, counts in sorted(self.ports.items())},
            "qps": self.qps(),
            "events": self.events,
            "findings": dict(collections.Counter(finding.rule for finding in self.findings)),
        }
