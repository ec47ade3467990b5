# SPDX-License-Identifier: Apache-2.0
"""Captures and RoCE v2 packets: read, take apart, and judge each packet by itself.  Used by `cairn report` and by the
trace checker (tests/trace).

Independent of the device by intention: opcodes, layouts and the ICRC are written here from the specification
(IBTA Volume 1 chapter 9, Annex A16 and A17), nothing comes from rtl/ or from generated files.

    frames(path)     frames of a pcap or pcapng file, in file order
    parse(frame)     Packet, or None for anything but RoCE v2
    packet_rules(p)  (rule, text) for all that is wrong with this packet alone
"""
import re
import struct
import zlib

ROCE_PORT = 4791
GSI_QPN = 1
ETHERNET = 1    # link type
PSN_MASK = 0xFFFFFF
MTUS = (256, 512, 1024, 2048, 4096)
ACK, RNR, NAK = 0, 1, 3  # AETH syndrome bits 6:5 (9.7.5.1.2, table 45)
NAK_SEQ, NAK_INVALID, NAK_ACCESS, NAK_OP = 0, 1, 2, 3
# Wait in us for an RNR timer code (table 46); code 0 is the longest.
RNR_US = [655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120, 7680,
          10240, 15360, 20480, 30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520]


class Op:
    """One BTH opcode: operation, place in the message (F, M, L, O), extension headers (9.2, table 38)."""

    def __init__(self, name, kind, place, headers, response=False):
        self.name, self.kind, self.place, self.headers, self.response = name, kind, place, headers, response
        self.starts, self.ends = place in "FO", place in "LO"
        self.data = kind in ("send", "write", "read_rsp")
        self.imm, self.inv = "imm" in headers, "inv" in headers
        # Takes a receive WQE, and so may meet an RNR NAK.
        self.takes_rqe = (kind == "send" and self.starts) or (kind == "write" and self.imm)


HEADER_BYTES = {"reth": 16, "atomic": 28, "aeth": 4, "atomicack": 8, "deth": 8, "imm": 4, "inv": 4}
BASE = {
    0x00: ("SEND_FIRST", "send", "F", ()), 0x01: ("SEND_MIDDLE", "send", "M", ()),
    0x02: ("SEND_LAST", "send", "L", ()), 0x03: ("SEND_LAST_IMM", "send", "L", ("imm",)),
    0x04: ("SEND_ONLY", "send", "O", ()), 0x05: ("SEND_ONLY_IMM", "send", "O", ("imm",)),
    0x06: ("WRITE_FIRST", "write", "F", ("reth",)), 0x07: ("WRITE_MIDDLE", "write", "M", ()),
    0x08: ("WRITE_LAST", "write", "L", ()), 0x09: ("WRITE_LAST_IMM", "write", "L", ("imm",)),
    0x0A: ("WRITE_ONLY", "write", "O", ("reth",)), 0x0B: ("WRITE_ONLY_IMM", "write", "O", ("reth", "imm")),
    0x0C: ("READ_REQUEST", "read", "O", ("reth",)), 0x0D: ("READ_RSP_FIRST", "read_rsp", "F", ("aeth",)),
    0x0E: ("READ_RSP_MIDDLE", "read_rsp", "M", ()), 0x0F: ("READ_RSP_LAST", "read_rsp", "L", ("aeth",)),
    0x10: ("READ_RSP_ONLY", "read_rsp", "O", ("aeth",)), 0x11: ("ACKNOWLEDGE", "ack", "O", ("aeth",)),
    0x12: ("ATOMIC_ACK", "atomic_ack", "O", ("aeth", "atomicack")),
    0x13: ("COMPARE_SWAP", "atomic", "O", ("atomic",)), 0x14: ("FETCH_ADD", "atomic", "O", ("atomic",)),
    0x16: ("SEND_LAST_INV", "send", "L", ("inv",)), 0x17: ("SEND_ONLY_INV", "send", "O", ("inv",)),
}
OPS = {code: Op("RC_" + row[0], *row[1:], response=row[1] in ("read_rsp", "ack", "atomic_ack"))
       for code, row in BASE.items()}
OPS.update({0x20 + code: Op("UC_" + row[0], *row[1:]) for code, row in BASE.items() if code <= 0x0B})
OPS[0x64] = Op("UD_SEND_ONLY", "send", "O", ("deth",))
OPS[0x65] = Op("UD_SEND_ONLY_IMM", "send", "O", ("deth", "imm"))
OPS[0x81] = Op("CNP", "cnp", "O", ())


class CaptureError(Exception):
    """The file is no capture."""


class CutShort(Exception):
    """The file ends inside a frame; .frames are those before it."""

    def __init__(self, found):
        super().__init__(f"the file ends inside a frame, after {len(found)} frames")
        self.frames = found


class Frame:
    """One frame of a capture.  way: "out" left the port, "in" reached it, None: the capture does not say.
    fcs_bad: the receiver's MAC saw a bad FCS, so nothing behind it got the frame.  looped: the port sent it to itself,
    by no wire."""
    __slots__ = ("number", "ns", "data", "wire_len", "port", "way", "fcs_bad", "looped")

    def __init__(self, number, ns, data, wire_len, port=None, way=None, fcs_bad=False, looped=False):
        self.number, self.ns, self.data, self.wire_len = number, ns, data, wire_len
        self.port, self.way, self.fcs_bad, self.looped = port, way, fcs_bad, looped


class Frames(list):
    """Frames of a file.  notes: [(number of frames before it, text)], comments of statistics blocks (pcapng)."""

    def __init__(self, found=()):
        super().__init__(found)
        self.notes = []


def frames(path):
    """All frames of a classic pcap (either byte order, us or ns) or pcapng file."""
    with open(path, "rb") as file:
        data = file.read()
    magic = data[:4]
    for order in "<>":
        for number, unit in ((0xA1B2C3D4, 1000), (0xA1B23C4D, 1)):
            if magic == struct.pack(order + "I", number):
                return classic(path, data, order, unit)
    if magic == b"\x0a\x0d\x0d\x0a":
        return pcapng(path, data)
    raise CaptureError(f"{path}: neither pcap nor pcapng")


def check_link(path, kind):
    if kind != ETHERNET:
        raise CaptureError(f"{path}: link type {kind} is not Ethernet: record an interface by its name, not \"any\"")


def classic(path, data, order, unit):
    if len(data) < 24:
        raise CutShort(Frames())
    check_link(path, struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF)
    at, found = 24, Frames()
    while at < len(data):
        if at + 16 > len(data):
            raise CutShort(found)
        sec, frac, have, wire = struct.unpack_from(order + "IIII", data, at)
        at += 16
        if at + have > len(data):
            raise CutShort(found)
        found.append(Frame(len(found) + 1, sec * 10**9 + frac * unit, data[at:at + have], wire))
        at += have
    return found


def options(data, order):
    at = 0
    while at + 4 <= len(data):
        code, size = struct.unpack_from(order + "HH", data, at)
        if not code:
            return
        yield code, data[at + 4:at + 4 + size]
        at += 4 + (size + 3 & ~3)


class Interface:
    """An interface description block: name, ns of its unit of time, whether it stands for a port's way to itself."""

    def __init__(self, path, body, order, number):
        name, self.numerator, self.denominator = f"port{number}", 1000, 1
        check_link(path, struct.unpack_from(order + "H", body)[0])
        for code, value in options(body[8:], order):
            if code == 2:
                name = value.rstrip(b"\0").decode(errors="replace")
            elif code == 9 and value and value[0] & 0x80:
                self.numerator, self.denominator = 10**9, 1 << (value[0] & 0x7F)
            elif code == 9 and value:
                self.numerator, self.denominator = 10**9, 10**value[0]
        self.looped = bool(re.fullmatch(r"loop\d+", name))  # inside nicN
        self.name = name.replace("loop", "nic") if self.looped else name

    def ns(self, units):
        return units * self.numerator // self.denominator


def blocks(path, data):
    """(byte order, kind, body) of each block; None for the last one if the file ends inside it."""
    order, at = "<", 0
    while at < len(data):
        if data[at:at + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if data[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        if at + 12 > len(data):
            yield order, None, b""
            return
        kind, size = struct.unpack_from(order + "II", data, at)
        if size < 12:
            raise CaptureError(f"{path}: damaged: a block of {size} bytes at byte {at}")
        if at + size > len(data):
            yield order, None, b""
            return
        yield order, kind, data[at + 8:at + size - 4]
        at += size


def enhanced(body, order, ports, number):
    """The frame of an enhanced packet block."""
    port, high, low, have, wire = struct.unpack_from(order + "IIIII", body)
    if have > len(body) - 20:
        raise struct.error(f"{have} bytes in a block of {len(body)}")
    flags = 0
    for code, value in options(body[20 + (have + 3 & ~3):], order):
        flags = struct.unpack(order + "I", value)[0] if code == 2 else flags
    way = {1: "in", 2: "out"}.get(flags & 3)
    return Frame(number, ports[port].ns(high << 32 | low), body[20:20 + have], wire, ports[port].name, way,
                 bool(flags >> 24 & 1), ports[port].looped)


def pcapng(path, data):
    """Blocks: section header, interface description (name, time resolution), enhanced packet (flags), interface
    statistics (comment)."""
    ports, found = [], Frames()
    for number, (order, kind, body) in enumerate(blocks(path, data), 1):
        try:
            if kind is None:
                raise CutShort(found)
            if kind == 0x0A0D0D0A:
                ports = []
            elif kind == 1:
                ports.append(Interface(path, body, order, len(ports)))
            elif kind == 6:
                found.append(enhanced(body, order, ports, len(found) + 1))
            elif kind == 5:
                found.notes += [(len(found), value.decode(errors="replace"))
                                for code, value in options(body[12:], order) if code == 1]
        except (struct.error, IndexError) as why:
            raise CaptureError(f"{path}: damaged: block {number} makes no sense ({why})") from why
    return found


class Packet:
    """A RoCE v2 packet; `wrong` lists what hindered taking it apart.  Without a known opcode `op` is None."""

    def __init__(self, frame):
        self.frame, self.number, self.ns = frame, frame.number, frame.ns
        self.wrong, self.op, self.payload, self.icrc_ok, self.sum_ok = [], None, b"", False, True
        self.reth = self.aeth = self.atomic = self.atomicack = self.deth = self.imm = self.inv = None
        self.opcode = self.psn = self.dqpn = self.pad = self.ackreq = None

    def name(self):
        return self.op.name if self.op else f"opcode {self.opcode:#04x}" if self.opcode is not None else "runt"

    def intact(self):
        """A receiver takes it: what the ICRC leaves out of an IPv4 header is covered by that header's checksum."""
        return not self.wrong and self.icrc_ok and self.sum_ok and not self.frame.fcs_bad and self.op is not None


def icrc(ip, udp_at, end):
    """Invariant CRC (A17.3.3, 7.8.1): eight FF bytes for the LRH, changeable fields as ones, to the pad."""
    data = bytearray(ip[:end])
    if data[0] >> 4 == 4:
        data[1] = data[8] = data[10] = data[11] = 0xFF
    else:
        data[0] |= 0x0F
        data[1] = data[2] = data[3] = data[7] = 0xFF
    data[udp_at + 6] = data[udp_at + 7] = data[udp_at + 12] = 0xFF
    return zlib.crc32(bytes(data), zlib.crc32(b"\xFF" * 8))


def ip_sum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def parse(frame):
    data, at = frame.data, 14
    if len(data) < 14:
        return None
    kind = data[12:14]
    while kind in (b"\x81\x00", b"\x88\xa8") and len(data) >= at + 4:
        kind = data[at + 2:at + 4]
        at += 4
    ip = data[at:]
    if kind == b"\x08\x00" and len(ip) >= 28 and ip[0] >> 4 == 4 and ip[9] == 17:
        udp_at, ip_len = (ip[0] & 15) * 4, struct.unpack_from(">H", ip, 2)[0]
    elif kind == b"\x86\xdd" and len(ip) >= 48 and ip[0] >> 4 == 6 and ip[6] == 17:
        udp_at, ip_len = 40, 40 + struct.unpack_from(">H", ip, 4)[0]
    else:
        return None
    if len(ip) < udp_at + 8 or struct.unpack_from(">H", ip, udp_at + 2)[0] != ROCE_PORT:
        return None
    p = Packet(frame)
    p.smac, p.v4 = data[6:12], ip[0] >> 4 == 4
    p.src, p.dst = (ip[12:16], ip[16:20]) if p.v4 else (ip[8:24], ip[24:40])
    p.ecn = ip[1] & 3 if p.v4 else ip[1] >> 4 & 3
    p.sport, _, p.udp_len, p.udp_sum = struct.unpack_from(">HHHH", ip, udp_at)
    p.ip, p.ip_len, p.udp_at, p.tail = ip, ip_len, udp_at, ip[ip_len:]
    p.sum_ok = not p.v4 or ip_sum(ip[:udp_at]) == 0xFFFF
    if len(data) < frame.wire_len:
        p.wrong.append(("capture", "frame is cut by the capture: record it whole"))
    elif ip_len > len(ip):
        p.wrong.append(("length", f"IP says {ip_len} bytes, the frame has {len(ip)}"))
    elif p.udp_len != ip_len - udp_at:
        p.wrong.append(("length", f"UDP length {p.udp_len}, IP has {ip_len - udp_at}"))
    elif p.udp_len < 8 + 12 + 4:
        p.wrong.append(("length", f"UDP length {p.udp_len} holds no BTH and ICRC"))
    else:
        transport(p, ip[udp_at + 8:ip_len])
    return p


def transport(p, data):
    """BTH, extension headers, payload, pad, ICRC of the UDP payload."""
    end = p.udp_at + 8 + len(data) - 4
    p.icrc_ok = struct.unpack("<I", data[-4:])[0] == icrc(p.ip, p.udp_at, end)
    flags, ecn = data[1], data[4]
    p.opcode, p.op, p.pkey = data[0], OPS.get(data[0]), struct.unpack_from(">H", data, 2)[0]
    p.se, p.migreq, p.pad, p.tver = flags >> 7, flags >> 6 & 1, flags >> 4 & 3, flags & 15
    p.fecn, p.becn, p.resv6 = ecn >> 7, ecn >> 6 & 1, ecn & 63
    p.dqpn, p.ackreq, p.resv7 = int.from_bytes(data[5:8], "big"), data[8] >> 7, data[8] & 127
    p.psn, p.bth = int.from_bytes(data[9:12], "big"), data[:12]
    if not p.op:
        return
    at = 12
    for header in p.op.headers:
        size = HEADER_BYTES[header]
        if at + size > len(data) - 4:
            p.wrong.append(("length", f"{p.op.name} has no room for its {header.upper()}"))
            return
        setattr(p, header, decode(header, data[at:at + size]))
        at += size
    p.ext = data[12:at]
    body = data[at:-4]
    if p.pad > len(body):
        p.wrong.append(("pad", f"{p.pad} pad bytes, only {len(body)} bytes follow the headers"))
        return
    p.payload, p.pad_bytes = body[:len(body) - p.pad], body[len(body) - p.pad:]


def decode(header, data):
    if header == "reth":
        return struct.unpack(">QII", data)  # address, key, length
    if header == "atomic":
        return struct.unpack(">QIQQ", data)
    if header == "aeth":
        return data[0], int.from_bytes(data[1:], "big")  # syndrome, MSN
    if header == "deth":
        return struct.unpack(">I", data[:4])[0], data[4], int.from_bytes(data[5:], "big")
    return int.from_bytes(data, "big")


def packet_rules(p):
    """What is wrong with one packet, whatever came before it."""
    yield from p.wrong
    yield from network_rules(p)
    if p.wrong:
        return
    if not p.icrc_ok:
        yield "icrc", f"ICRC of {p.name()} is wrong"
        return  # nothing in it can be believed
    if p.tver:
        yield "tver", f"TVer {p.tver}, must be 0 (9.2.4)"
    if p.resv6 or p.resv7:
        yield "reserved", f"reserved bits of the BTH are not 0: {p.resv6:#x}, {p.resv7:#x} (9.2.1)"
    if not p.op:
        yield "opcode", f"opcode {p.opcode:#04x} is not defined (9.2, table 38)"
        return
    yield from bth_rules(p)
    yield from payload_rules(p)
    yield from header_rules(p)


def network_rules(p):
    if p.v4:
        if p.udp_at != 20:
            yield "ip", f"IPv4 header of {p.udp_at} bytes: RoCE v2 sends no options (A17.3.1.2)"
        if not p.sum_ok:
            yield "ip_checksum", "IPv4 header checksum is wrong"
        flags = struct.unpack_from(">H", p.ip, 6)[0]
        if flags & 0xBFFF:
            yield "fragment", "IPv4 fragment or reserved flag (A17.3.1.2)"
        elif not flags & 0x4000:
            yield "fragment", "IPv4 without Don't Fragment (A17.3.1.2)"
    if p.udp_sum:
        yield "udp_checksum", f"UDP checksum {p.udp_sum:#06x}, RoCE v2 sends 0 (A17.3.1.4)"
    if p.sport < 0xC000 and p.opcode != 0x81:
        yield "sport", f"UDP source port {p.sport} outside 0xC000 to 0xFFFF (A17.3.1.3)"
    if p.tail and (len(p.frame.data) > 60 or any(p.tail)):
        yield "length", f"{len(p.tail)} bytes behind the IP packet are no zero padding to 60 bytes"


def bth_rules(p):
    cnp = p.op.kind == "cnp"
    if p.fecn or p.becn != cnp:
        yield "becn", f"FECN {p.fecn}, BECN {p.becn} in {p.op.name}: BECN is 1 in a CNP, else 0 (A17.9)"
    if (p.op.response or cnp) and p.ackreq:
        yield "ackreq", f"AckReq in {p.op.name} (9.7.5.1.1)"
    if p.se and not (p.op.ends and (p.op.kind == "send" or p.op.imm)):
        yield "se", f"solicited event in {p.op.name} (9.2.3)"
    if not p.dqpn:
        yield "qpn", "destination QP 0: there is no QP0 on Ethernet (A16.4.1)"
    if cnp and (p.payload != bytes(16) or p.psn):
        yield "cnp", "a CNP carries PSN 0 and 16 zero bytes (A17.9.2)"


def payload_rules(p):
    size = len(p.payload)
    if p.op.kind == "cnp":
        return
    if not p.op.data:
        if size or p.pad:
            yield "payload", f"{p.op.name} with {size} bytes and {p.pad} pad bytes, has none (9.4)"
        return
    if p.pad != -size & 3:
        yield "pad", f"{p.pad} pad bytes behind {size} bytes (9.2.5)"
    if any(p.pad_bytes):
        yield "pad", "pad bytes are not 0 (9.2.5)"
    if p.op.place in "FM" and size not in MTUS:
        yield "mtu", f"{p.op.name} with {size} bytes is no full packet of any path MTU (C9-8)"
    elif p.op.place == "L" and not size:
        yield "payload", f"{p.op.name} without payload (9.4)"
    elif size > MTUS[-1]:
        yield "mtu", f"{size} bytes of payload"


def header_rules(p):
    if p.reth:
        size = p.reth[2]
        if size > 1 << 31:
            yield "reth_length", f"RETH length {size} above 2^31 (9.7.7.1)"
        have = len(p.payload)
        if p.op.kind == "write" and (size <= have if p.op.place == "F" else size != have):
            yield "reth_length", f"RETH length {size}, {p.op.name} carries {have}"
    if p.aeth:
        kind, code = p.aeth[0] >> 5 & 3, p.aeth[0] & 31
        if p.aeth[0] >> 7 or kind == 2 or (kind == NAK and code > 4):
            yield "syndrome", f"reserved AETH syndrome {p.aeth[0]:#04x} (table 45)"
        elif kind != ACK and p.op.kind != "ack":
            yield "syndrome", f"{p.op.name} with NAK syndrome {p.aeth[0]:#04x} (9.7.5.1.2)"
    if p.deth and p.deth[1]:
        yield "reserved", "reserved byte of the DETH is not 0 (9.3.2)"
