# SPDX-License-Identifier: Apache-2.0
"""Conversations for tests of the trace checker: packets of two QPs, built field by field, written as a capture.

    t = Talk()
    t.write(100, 600)                   a WRITE of 600 bytes at PSN 100 from QP A to QP B, path MTU 256
    t.ack(102, 1)                       B acknowledges PSN 102, MSN 1
    t.save(path)                        every frame once; save_ports(path): each port apart

A packet is a dict of fields until it is saved, so a test may change any of them: t.packets[1]["psn"] = 7.
"""
import struct

import roce

A, B = "a", "b"
IP = {A: bytes([10, 0, 0, 1]), B: bytes([10, 0, 0, 2])}
IP6 = {A: bytes([0xFD, *[0] * 14, 1]), B: bytes([0xFD, *[0] * 14, 2])}
MAC = {A: bytes([2, 0, 0, 0, 0, 1]), B: bytes([2, 0, 0, 0, 0, 2])}
PORT_NUMBER = {A: 0, B: 1}
CODES = {op.name: code for code, op in roce.OPS.items()}
STEP_NS = 1000
FLIGHT_NS = 500


class Talk:
    def __init__(self, pmtu=256, qpn=(0x11, 0x22), sport=(0xC111, 0xC222)):
        self.packets, self.ns, self.pmtu = [], 1000, pmtu
        self.qpn, self.sport = {A: qpn[0], B: qpn[1]}, {A: sport[0], B: sport[1]}
        self.notes = []     # (ns, text): comments of a capture by port

    def note(self, text):
        self.notes.append((self.ns, text))

    def wait(self, us):
        self.ns += int(us * 1000)

    def add(self, src, name, psn, payload=b"", **fields):
        """One packet; fields: any of those below, and for captures by port lost, twice, damaged (True, or a byte's
        offset), late (ns)."""
        packet = {"src": src, "opcode": CODES[name], "psn": psn, "payload": payload, "ns": self.ns, "ext": b"",
                  "dqpn": self.qpn[B if src == A else A], "sport": self.sport[src], "pad": None, "ackreq": 0, "se": 0,
                  "flags": 0, "ecn": 0, "resv7": 0, "tail": b"", "icrc": None, "pad_byte": 0, "ip_len": 0, "udp_len": 0,
                  "udp_sum": 0, "ip_flags": 0x4000, "ip_sum": 0, "cut": 0, "lost": False, "twice": False,
                  "damaged": False, "v6": False, "late": 0}
        unknown = set(fields) - set(packet)
        assert not unknown, unknown
        packet.update(fields)
        self.packets.append(packet)
        self.ns += STEP_NS
        return packet

    # ---- messages ----

    def message(self, kind, psn, size, first_ext=b"", last="", last_ext=b"", src=A, **fields):
        """SEND or WRITE, cut into packets; the last one asks for an ACK."""
        count = max(1, -(-size // self.pmtu))
        made = []
        for i in range(count):
            place = "ONLY" if count == 1 else "FIRST" if not i else "LAST" if i == count - 1 else "MIDDLE"
            ends = i == count - 1
            data = bytes((psn + i + k) & 255 for k in range(min(self.pmtu, size - i * self.pmtu)))
            ext = (first_ext if not i else b"") + (last_ext if ends else b"")
            made.append(self.add(src, f"RC_{kind}_{place}{last if ends else ''}", psn + i & roce.PSN_MASK, data, ext=ext,
                                 ackreq=int(ends), **fields))
        return made

    def send(self, psn, size=10, **fields):
        return self.message("SEND", psn, size, **fields)

    def write(self, psn, size=10, **fields):
        return self.message("WRITE", psn, size, struct.pack(">QII", 0x1000, 0x55, size), **fields)

    def read(self, psn, size, va=0x2000, **fields):
        return self.add(A, "RC_READ_REQUEST", psn, ext=struct.pack(">QII", va, 0x66, size), ackreq=1, **fields)

    def atomic(self, psn, **fields):
        return self.add(A, "RC_FETCH_ADD", psn, ext=struct.pack(">QIQQ", 0x3000, 0x77, 1, 0), ackreq=1, **fields)

    def aeth(self, name, psn, syndrome, msn, src=B, **fields):
        return self.add(src, name, psn & roce.PSN_MASK, ext=bytes([syndrome]) + (msn & roce.PSN_MASK).to_bytes(3, "big"),
                        **fields)

    def ack(self, psn, msn, **fields):
        return self.aeth("RC_ACKNOWLEDGE", psn, 0x1F, msn, **fields)

    def nak(self, psn, msn, code=roce.NAK_SEQ, **fields):
        return self.aeth("RC_ACKNOWLEDGE", psn, 0x60 | code, msn, **fields)

    def rnr(self, psn, msn, timer=1, **fields):
        return self.aeth("RC_ACKNOWLEDGE", psn, 0x20 | timer, msn, **fields)

    def atomic_ack(self, psn, msn, value=5, **fields):
        made = self.aeth("RC_ATOMIC_ACK", psn, 0x1F, msn, **fields)
        made["ext"] += struct.pack(">Q", value)
        return made

    def response(self, psn, size, msn, **fields):
        """All responses to a READ of size bytes."""
        count, made = max(1, -(-size // self.pmtu)), []
        for i in range(count):
            place = "ONLY" if count == 1 else "FIRST" if not i else "LAST" if i == count - 1 else "MIDDLE"
            data = bytes(min(self.pmtu, size - i * self.pmtu))
            if place == "MIDDLE":
                made.append(self.add(B, "RC_READ_RSP_MIDDLE", psn + i, data, **fields))
            else:
                made.append(self.aeth(f"RC_READ_RSP_{place}", psn + i, 0x1F, msn, payload=data, **fields))
        return made

    # ---- bytes ----

    @staticmethod
    def frame(packet, looped=False):
        src, dst = packet["src"], B if packet["src"] == A else A
        if looped:
            src = dst = A
        payload = packet["payload"]
        pad = -len(payload) & 3 if packet["pad"] is None else packet["pad"]
        bth = struct.pack(">BBHBBHB", packet["opcode"], packet["se"] << 7 | 0x40 | pad << 4 | packet["flags"], 0xFFFF,
                          packet["ecn"], packet["dqpn"] >> 16, packet["dqpn"] & 0xFFFF,
                          packet["ackreq"] << 7 | packet["resv7"])
        body = bth + packet["psn"].to_bytes(3, "big") + packet["ext"] + payload + bytes([packet["pad_byte"]] * pad)
        udp_len = 8 + len(body) + 4 + packet["udp_len"]
        udp = struct.pack(">HHHH", packet["sport"], 4791, udp_len, packet["udp_sum"])
        ip_len = (0 if packet["v6"] else 20) + 8 + len(body) + 4 + packet["ip_len"]
        if packet["v6"]:
            kind, head = b"\x86\xDD", struct.pack(">IHBB", 6 << 28, ip_len, 17, 64) + IP6[src] + IP6[dst]
        else:
            kind, head = b"\x08\x00", struct.pack(">BBHHHBBH", 0x45, 0, ip_len, 7, packet["ip_flags"], 64, 17, 0)
            head += IP[src] + IP[dst]
            head = head[:10] + struct.pack(">H", (roce.ip_sum(head) ^ 0xFFFF) ^ packet["ip_sum"]) + head[12:]
        ip = head + udp + body
        crc = roce.icrc(ip, len(head), len(ip)) if packet["icrc"] is None else packet["icrc"]
        data = MAC[dst] + MAC[src] + kind + ip + struct.pack("<I", crc) + packet["tail"]
        return data.ljust(60, b"\0")

    def save(self, path, order="<"):
        with open(path, "wb") as file:
            file.write(struct.pack(order + "IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
            for packet in self.packets:
                data = self.frame(packet)
                file.write(struct.pack(order + "IIII", packet["ns"] // 10**9, packet["ns"] % 10**9,
                                       len(data) - packet["cut"], len(data)) + data[:len(data) - packet["cut"]])

    def save_ports(self, path, looped=False):
        """As the simulator does with faults: out when it leaves, in when it arrives.  looped: both QPs are nic0's,
        which gives itself what they send."""
        records = [(ns, -1, 0, 0, text.encode()) for ns, text in self.notes]
        for packet in self.packets:
            data, ns = self.frame(packet, looped), packet["ns"]
            port = 2 if looped else PORT_NUMBER[packet["src"]]
            records.append((ns, len(records), port, 2, data))
            if packet["damaged"] is not False:
                at = len(data) - 1 if packet["damaged"] is True else packet["damaged"]
                data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
            for _ in range(0 if packet["lost"] else 2 if packet["twice"] else 1):
                port = 2 if looped else 1 - PORT_NUMBER[packet["src"]]
                records.append((ns + FLIGHT_NS + packet["late"], len(records), port, 1, data))
        with open(path, "wb") as file:
            file.write(struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28))
            for name in (b"nic0", b"nic1", b"loop0", b"loop1"):
                body = struct.pack("<HHIHH8sHHB3xI", 1, 0, 65535, 2, 8, name, 9, 1, 9, 0)
                file.write(struct.pack("<II", 1, len(body) + 12) + body + struct.pack("<I", len(body) + 12))
            for ns, _, port, way, data in sorted(records):
                if not way:
                    body = struct.pack("<IIIHH", 0, ns >> 32, ns & 0xFFFFFFFF, 1, len(data))
                    body += data + bytes(-len(data) & 3) + bytes(4)
                    file.write(struct.pack("<II", 5, len(body) + 12) + body + struct.pack("<I", len(body) + 12))
                    continue
                body = struct.pack("<IIIII", port, ns >> 32, ns & 0xFFFFFFFF, len(data), len(data))
                body += data + bytes(-len(data) & 3) + struct.pack("<HHII", 2, 4, way, 0)
                file.write(struct.pack("<II", 6, len(body) + 12) + body + struct.pack("<I", len(body) + 12))
