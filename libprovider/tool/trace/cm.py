# SPDX-License-Identifier: Apache-2.0
"""MADs of the communication manager (class 0x07, to QP 1), taken apart (IBTA Volume 1, 13.4.2 for the header, 12.6 for
the messages; Annex A11 for the IP addresses in the private data of RDMA_CM).

    message = mad(p)        Mad, or None if the packet is no MAD to QP 1
    message.text()          one line for people
"""
import ipaddress
import struct

GENERAL_QP = 1
MAD_BYTES, HEADER_BYTES = 256, 24
CM_CLASS = 0x07
REQ, MRA, REJ, REP, RTU, DREQ, DREP, SIDR_REQ, SIDR_REP, LAP, APR = range(0x10, 0x1B)
NAMES = {REQ: "REQ", MRA: "MRA", REJ: "REJ", REP: "REP", RTU: "RTU", DREQ: "DREQ", DREP: "DREP", SIDR_REQ: "SIDR_REQ",
         SIDR_REP: "SIDR_REP", LAP: "LAP", APR: "APR", 0x01: "ClassPortInfo"}
CLASSES = {0x01: "subnet management", 0x03: "subnet administration", 0x04: "performance", CM_CLASS: "CM"}
# What a message may answer.
ANSWERS = {REP: (REQ,), REJ: (REQ, REP), MRA: (REQ, REP, LAP), RTU: (REP,), DREP: (DREQ,), SIDR_REP: (SIDR_REQ,),
           APR: (LAP,)}
REASONS = {1: "no QP", 2: "no EE context", 3: "no resources", 4: "timeout", 5: "unsupported request",
           6: "invalid communication ID", 7: "invalid communication instance", 8: "invalid service ID",
           9: "invalid transport service type", 10: "stale connection", 11: "RDC does not exist", 12: "primary GID rejected",
           13: "primary LID rejected", 14: "invalid primary SL", 15: "invalid primary traffic class",
           16: "invalid primary hop limit", 17: "invalid primary packet rate", 18: "alternate GID rejected",
           19: "alternate LID rejected", 20: "invalid alternate SL", 21: "invalid alternate traffic class",
           22: "invalid alternate hop limit", 23: "invalid alternate packet rate", 24: "port and CM redirection",
           25: "port redirection", 26: "invalid path MTU", 27: "insufficient responder resources",
           28: "consumer reject", 29: "RNR retry count rejected", 30: "duplicate local communication ID",
           31: "invalid class version", 32: "invalid flow label", 33: "invalid alternate flow label",
           35: "vendor option not supported"}
REJECTED = ("REQ", "REP", "no message", "message 3")
SIDR_STATUS = {0: "valid QPN", 1: "service ID not supported", 2: "rejected", 3: "no QP available", 4: "redirected",
               5: "version not supported"}
MTUS = {1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096}
# Service IDs of RDMA_CM: prefix 0x0000000001, then the protocol of IP, then the port (A11.3.2).
PORT_SPACES = {0x06: "TCP", 0x11: "UDP"}
IP_HEADER_BYTES = 36


def service_text(service):
    if service >> 24 == 1:
        protocol = service >> 16 & 0xFF
        return f"service {PORT_SPACES.get(protocol, f'protocol {protocol:#x}')} port {service & 0xFFFF}"
    return f"service {service:#018x}"


def shortened(data, most=32):
    """Hexadecimal without the zeros at the end."""
    kept = data.rstrip(b"\0")
    if not kept:
        return f"{len(data)} zero bytes"
    return kept[:most].hex() + (f"... ({len(kept)} bytes)" if len(kept) > most else "")


def timeout_text(exponent):
    us = 4.096 * 2 ** exponent
    return f"{us:.3g} us" if us < 1000 else f"{us / 1e3:.3g} ms" if us < 1e6 else f"{us / 1e6:.3g} s"


class Mad:
    """One MAD.  `attribute` is a number, `name` its name; of messages of the CM: `local` and `remote` communication ID
    (SIDR: the request ID as local), `qpn` and `psn` of the QP to be connected, `service`, `port` of the RDMA_CM header,
    `private`; None what the message has not."""

    def __init__(self, p):
        self.p, self.words = p, []
        self.wrong = len(p.payload) < MAD_BYTES
        data = p.payload.ljust(MAD_BYTES, b"\0")
        self.cls, self.method, self.status = data[1], data[3], struct.unpack_from(">H", data, 4)[0]
        self.tid, self.attribute = struct.unpack_from(">QH", data, 8)
        self.local = self.remote = self.qpn = self.psn = self.mtu = self.service = self.reason = None
        self.private, self.ip = b"", None
        self.is_cm = self.cls == CM_CLASS
        self.name = NAMES.get(self.attribute) if self.is_cm else None
        self.name = self.name or f"attribute {self.attribute:#06x}"
        take = {REQ: self.req, REP: self.rep, REJ: self.rej, MRA: self.mra, RTU: self.ids, DREQ: self.dreq,
                DREP: self.ids, SIDR_REQ: self.sidr_req, SIDR_REP: self.sidr_rep}.get(self.attribute)
        if self.is_cm and take and not self.wrong:
            take(data[HEADER_BYTES:])

    # ---- messages (12.6.5 to 12.6.14, 12.11.2) ----

    def ids(self, body, private_at=8):
        self.local, self.remote = struct.unpack_from(">II", body)
        self.private = body[private_at:]

    def req(self, body):
        self.local, _, self.service = struct.unpack_from(">IIQ", body)
        self.qpn, resources = int.from_bytes(body[32:35], "big"), body[35]
        self.psn, retries = int.from_bytes(body[44:47], "big"), body[47] & 7
        self.mtu, rnr_retries = MTUS.get(body[50] >> 4), body[50] & 7
        self.private = body[140:]
        self.words = [service_text(self.service), f"QPN {self.qpn:#08x}", f"starting PSN {self.psn}",
                      f"path MTU {self.mtu or 'reserved'}", f"responder resources {resources}",
                      f"initiator depth {body[39]}", f"retries {retries}", f"RNR retries {rnr_retries}",
                      f"ACK timeout {timeout_text(body[95] >> 3)}"]
        self.take_ip()

    def rep(self, body):
        self.ids(body, 36)
        self.qpn, self.psn = int.from_bytes(body[12:15], "big"), int.from_bytes(body[20:23], "big")
        self.words = [f"QPN {self.qpn:#08x}", f"starting PSN {self.psn}", f"responder resources {body[24]}",
                      f"initiator depth {body[25]}", f"RNR retries {body[27] >> 5}"]

    def rej(self, body):
        self.ids(body, 84)
        self.reason = struct.unpack_from(">H", body, 10)[0]
        text = REASONS.get(self.reason, "reserved")
        self.words = [f"of {REJECTED[body[8] >> 6]}", f"reason {self.reason}: {text}"]

    def mra(self, body):
        self.ids(body, 10)
        self.words = [f"service timeout {timeout_text(body[9] >> 3)}"]

    def dreq(self, body):
        self.ids(body, 12)
        self.qpn = int.from_bytes(body[8:11], "big")
        self.words = [f"of QPN {self.qpn:#08x}"]

    def sidr_req(self, body):
        self.local, self.service = struct.unpack_from(">I4xQ", body)
        self.private = body[16:]
        self.words = [service_text(self.service)]
        self.take_ip()

    def sidr_rep(self, body):
        self.local = struct.unpack_from(">I", body)[0]
        self.qpn, self.service = int.from_bytes(body[8:11], "big"), struct.unpack_from(">Q", body, 12)[0]
        self.private, self.reason = body[96:], body[4]
        self.words = [f"status {body[4]}: {SIDR_STATUS.get(body[4], 'reserved')}", f"QPN {self.qpn:#08x}",
                      f"Q_Key {int.from_bytes(body[20:24], 'big'):#010x}"]

    def take_ip(self):
        """The header that RDMA_CM puts before the private data (A11.3.1): port and addresses."""
        version, family = self.private[0], self.private[1] >> 4
        if self.service >> 24 != 1 or version or family not in (4, 6):
            return
        port, source, target = struct.unpack_from(">H16s16s", self.private, 2)
        if family == 4:
            source, target = source[12:], target[12:]
        self.ip = (str(ipaddress.ip_address(source)), port, str(ipaddress.ip_address(target)))
        self.private = self.private[IP_HEADER_BYTES:]

    # ---- what belongs together ----

    def key(self):
        """Equal when the same message is sent again."""
        return self.attribute, self.tid, self.local, self.remote

    def is_answer_to(self, other):
        if not (self.is_cm and other.is_cm) or other.attribute not in ANSWERS.get(self.attribute, ()):
            return False
        return self.local == other.local if self.attribute == SIDR_REP else self.remote == other.local

    def text(self):
        if not self.is_cm:
            what = CLASSES.get(self.cls, "management class")
            return f"MAD of {what} ({self.cls:#04x}), {self.name}, transaction {self.tid:#018x}"
        words = [f"transaction {self.tid:#018x}"]
        if self.wrong:
            return f"{words[0]}, cut: {len(self.p.payload)} bytes, a MAD has {MAD_BYTES}"
        if self.local is not None:
            sidr = self.attribute in (SIDR_REQ, SIDR_REP)
            words.append(f"{'request' if sidr else 'local comm'} ID {self.local:#010x}")
        words += [f"remote comm ID {self.remote:#010x}"] if self.remote is not None else []
        words += self.words
        if self.ip:
            words.append(f"IP header: from {self.ip[0]} port {self.ip[1]} to {self.ip[2]}")
        words += [f"private data {shortened(self.private)}"] if self.private.strip(b"\0") else []
        words += [f"MAD status {self.status:#06x}"] if self.status else []
        return ", ".join(words)


def mad(p):
    if p.deth is None or p.dqpn != GENERAL_QP:
        return None
    return Mad(p)
