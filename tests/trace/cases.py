# SPDX-License-Identifier: Apache-2.0
"""Cases of test_rules.py: single packets and requesters."""
import struct

import roce
from talk import A, B, Talk


def settings(**view):
    """Decorator: what kind of capture, and how it is judged."""
    def mark(case):
        case.ports, case.view = view.pop("ports", False), view
        return case
    return mark


# ---- one packet ----

def one(**fields):
    """A case of one SEND (and its ACK) with fields wrong."""
    def case(t, bad):
        t.send(1, 10)[0].update(fields if bad else {})
        t.ack(1, 1)
    return case


case_icrc = one(icrc=0x12345678)
case_tver = one(flags=1)
case_reserved = one(resv7=1, ecn=1)
case_becn = one(ecn=0x80)
case_qpn = one(dqpn=0)
case_pad = one(pad_byte=1)
case_pad__count = one(pad=3)
case_pad__runt = one(payload=b"", pad=0, flags=0x30)
case_se = one(opcode=0x00, se=1)
case_mtu__odd = one(opcode=0x00)
case_payload = one(opcode=0x02, payload=b"")
case_length = one(udp_len=1)
case_length__ip = one(ip_len=100)
case_length__tail = one(tail=b"\1\2\3\4")
case_ip_checksum = one(ip_sum=1)
case_fragment = one(ip_flags=0x2000)
case_fragment__allowed = one(ip_flags=0)
case_udp_checksum = one(udp_sum=1)
case_sport__range = one(sport=0x1234)
case_capture = one(cut=4)
case_opcode = one(opcode=0x15)


def case_ip(t, bad):
    """Options: the header is said to be longer than it is."""
    t.send(1)
    t.ack(1, 1)
    frame = Talk.frame

    def changed(packet):
        data = frame(packet)
        return data[:14] + b"\x46" + data[15:34] + bytes(4) + data[34:]
    if bad:
        t.frame = changed


def case_cnp(t, bad):
    t.send(1)
    t.ack(1, 1)
    t.add(B, "CNP", 0, bytes(15) + bytes([bad]), ecn=0x40)


def case_reth_length(t, bad):
    packet = t.write(1, 10)[0]
    packet["ext"] = struct.pack(">QII", 0, 1, 11 if bad else 10)
    t.ack(1, 1)


def case_reth_length__first(t, bad):
    packet = t.write(1, 512)[0]
    if bad:
        packet["ext"] = struct.pack(">QII", 0, 1, 256)
    t.ack(2, 1)


def answer(**fields):
    """A case of one SEND whose ACK has fields wrong."""
    def case(t, bad):
        t.send(1)
        t.ack(1, 1).update(fields if bad else {})
    return case


case_ackreq = answer(ackreq=1)
case_payload__ack = answer(payload=bytes(4))
case_syndrome = answer(ext=b"\x5f\0\0\1")


# ---- requester ----

def case_gap(t, bad):
    t.send(1)
    t.send(3 if bad else 2)
    t.ack(2, 2)


def case_gap__uc(t, bad):
    t.add(A, "UC_SEND_ONLY", 1, b"1234")
    t.add(A, "UC_SEND_ONLY", 1 if bad else 2, b"1234")


def case_gap__ud(t, bad):
    for psn in (1, 3 if bad else 2):
        t.add(A, "UD_SEND_ONLY", psn, b"1234", ext=struct.pack(">II", 0x11111111, 0x11))


def case_sequence(t, bad):
    t.send(1, 512)
    if bad:
        t.packets[1].update(opcode=0x08)
    t.ack(2, 1)


def case_sequence__inside(t, bad):
    packets = t.send(1, 600)
    if bad:
        packets[1].update(opcode=0x00)
    t.ack(3, 1)


def case_sequence__outside(t, bad):
    t.send(1)
    t.add(A, "RC_SEND_LAST" if bad else "RC_SEND_ONLY", 2, b"1234", ackreq=1)
    t.ack(2, 2)


def case_sequence__first(t, bad):
    t.send(1, 600)
    if bad:
        del t.packets[0]
    t.ack(3, 1)


def case_mtu(t, bad):
    packets = t.send(1, 1200)
    if bad:
        packets[2]["payload"] = bytes(512)
    t.ack(5, 1)


@settings(pmtu=256)
def case_mtu__short(t, bad):
    t.pmtu = 512 if bad else 256
    t.write(1, 1024)
    t.ack(2 if bad else 4, 1)


def case_reth_sum(t, bad):
    packets = t.write(1, 600)
    if bad:
        packets[0]["ext"] = struct.pack(">QII", 0, 1, 604)
    t.ack(3, 1)


def case_reth_sum__middle(t, bad):
    packets = t.write(1, 800)
    if bad:
        packets[2]["opcode"], packets[2]["payload"] = 0x08, bytes(88)
        t.packets.pop()
    t.ack(3 if bad else 4, 1)


@settings(ports=True)
def case_restart(t, bad):
    """The same packet again: after a timeout, or at once."""
    t.send(1, lost=True)
    t.wait(0 if bad else 50)
    t.send(1)
    t.ack(1, 1)


@settings(ports=True)
def case_restart__second(t, bad):
    """A NAK explains one restart."""
    t.send(1, 1024, lost=False)
    t.packets[1]["lost"] = True
    t.nak(2, 0)
    t.wait(30)
    again = t.send(1, 1024)
    del t.packets[t.packets.index(again[0])]
    if bad:
        t.ns = again[3]["ns"] + 1000
        again = t.send(1, 1024)
        del t.packets[t.packets.index(again[0])]
        for packet in again:
            packet["lost"] = True
    t.ack(4, 1)


@settings(ports=True)
def case_restart_at(t, bad):
    """After a NAK that names PSN 3: from there, not from PSN 2."""
    packets = t.send(1, 1024)
    packets[2]["lost"] = True
    t.nak(3, 0)
    t.wait(50)
    again = t.send(1, 1024)
    for packet in again[:1 if bad else 2]:
        t.packets.remove(packet)
    t.ack(4, 1)


@settings(ports=True)
def case_restart_at__implied(t, bad):
    """A READ response is lost: asked again from there, at once."""
    t.read(1, 1024)
    t.response(1, 1024, 1)[1]["lost"] = True
    t.wait(1)
    start = 3 if bad else 2
    t.read(start, 1024 - (start - 1) * 256, 0x2000 + (start - 1) * 256)
    t.response(start, 1024 - (start - 1) * 256, 1)


@settings(ports=True)
def case_restart_at__behind(t, bad):
    """A READ whose response is lost is asked again, but not the SEND before it: a later response acknowledged that."""
    t.send(1)
    t.read(2, 10)
    t.read(3, 10)
    t.response(2, 10, 2)[0]["lost"] = True
    t.response(3, 10, 3)
    t.wait(25)
    if bad:
        t.send(1)
    t.read(2, 10)
    t.read(3, 10)
    t.response(2, 10, 3)
    t.response(3, 10, 3)


@settings(ports=True)
def case_restart__nak_behind(t, bad):
    """Asked again for an implied NAK, and at once again for a NAK of what is behind the READ."""
    asked_twice(t, bad, answered=False)


@settings(ports=True)
def case_restart__nak_behind_answered(t, bad):
    """The same, and the READ is answered just before it asks again."""
    asked_twice(t, bad, answered=True)


def asked_twice(t, bad, answered):
    t.read(1, 512)
    t.send(3)
    t.send(4)[0]["lost"] = not bad
    t.send(5)
    t.response(1, 512, 1)[1]["lost"] = True
    t.ack(3, 2)
    if not bad:
        t.nak(4, 2)
    for again in range(2):
        t.wait(1)
        t.read(2, 256, 0x2000 + 256)
        if bad or (answered and not again):
            t.response(2, 256, 4 if bad else 2)[0]["lost"] = bad
    t.send(4)
    t.send(5)
    t.response(2, 256, 4)
    t.ack(5, 4)


@settings(ports=True)
def case_restart__nak_overtaken(t, bad):
    """A NAK, and then an ACK of the packet that it names: back to what follows."""
    t.send(1, late=1800)
    t.send(2)
    if not bad:
        t.nak(1, 0)
    else:
        t.wait(1)
    t.wait(1)
    t.ack(1, 1)
    t.wait(1)
    t.send(2)
    t.ack(2, 2)


@settings(ports=True)
def case_restart__implied_twice(t, bad):
    """Answers in the wrong order: two implied NAKs, the second for a later READ."""
    for psn in (1, 2, 3):
        t.read(psn, 10)
    t.response(1, 10, 1)[0]["late"] = 1500
    t.response(2, 10, 2)
    t.response(3, 10, 3)
    for start in (1, 1 if bad else 2):
        for psn in range(start, 4):
            t.read(psn, 10)
    for start in (1, 1 if bad else 2):
        for psn in range(start, 4):
            t.response(psn, 10, 3)


@settings(ports=True)
def case_restart__implied_anew(t, bad):
    """A late answer comes before the restart for it, which begins behind it; there an answer is lost."""
    for psn in (1, 2, 3):
        t.read(psn, 10)
    t.response(1, 10, 1)[0]["late"] = 2200
    t.response(2, 10, 2)[0]["lost"] = not bad
    t.response(3, 10, 3)
    t.wait(1)
    for second in (False, True):
        for psn in (2, 3):
            t.read(psn, 10)
        t.response(2, 10, 3)[0]["lost"] = not (bad or second)
        t.response(3, 10, 3)


@settings(ports=True)
def case_restart__implied_next(t, bad):
    """After a restart the first answer comes last: what came before it implies a NAK of the second READ."""
    t.read(1, 10)
    t.read(2, 10)
    t.response(1, 10, 1)[0]["lost"] = True
    t.response(2, 10, 2)
    t.wait(1)
    t.read(1, 10)
    t.read(2, 10)
    t.send(3)
    t.response(1, 10, 3)[0]["late"] = 2500
    t.response(2, 10, 3)[0]["lost"] = bad
    t.ack(3, 3)["lost"] = bad
    t.wait(1)
    t.read(2, 10)
    t.send(3)
    t.response(2, 10, 3)
    t.ack(3, 3)


@settings(ports=True)
def case_restart__implied_by_nak(t, bad):
    """An implied NAK, and after the restart for it a NAK from behind, which implies it once more."""
    t.read(1, 10)
    t.send(2)
    t.response(1, 10, 1)[0].update({} if bad else {"late": 4500})
    t.ack(2, 2)
    t.send(3)[0]["lost"] = not bad
    t.send(4)
    if not bad:
        t.read(1, 10)
        t.send(2)
        t.nak(3, 2)
        t.wait(1)
    t.send(2)
    t.send(3)
    t.send(4)
    t.ack(4, 4)


@settings(ports=True)
def case_restart_at__overtaken_twice(t, bad):
    """An ACK and an answer overtake the end of a READ: what the ACK names may be sent again."""
    t.read(1, 512)
    t.send(3)
    t.atomic(4)
    t.response(1, 512, 1)[1].update({} if bad else {"late": 2700})
    t.ack(3, 2)
    t.atomic_ack(4, 3)
    t.wait(25 if bad else 2)
    t.send(3)
    t.atomic(4)
    t.ack(3, 3)
    t.atomic_ack(4, 3)


@settings(ports=True)
def case_restart_at__answered_before(t, bad):
    """An answer comes before the restart that a NAK asked for: what is before it is acknowledged already, it is not."""
    t.send(1, 512)[0]["late"] = 1200
    t.nak(1, 0)
    t.atomic(3)
    t.send(1, 512)
    t.atomic(3)
    t.nak(2, 0)
    t.ack(2, 1, lost=True)
    t.atomic_ack(3, 2)
    t.wait(25 if bad else 1)
    t.atomic(3)
    t.atomic_ack(3, 2)


@settings(ports=True)
def case_restart_at__acknowledged_behind_read(t, bad):
    """What a NAK names is acknowledged before the restart, while a READ before it lacks its end: on from there."""
    t.read(1, 512)
    t.send(3)[0].update({} if bad else {"late": 2500})
    t.send(4)[0]["lost"] = bad
    t.response(1, 512, 1)[1]["lost"] = True
    if not bad:
        t.nak(3, 1)
    t.wait(1)
    t.ack(3, 2)
    t.send(4)
    t.wait(1)
    t.read(2, 256, 0x2000 + 256)
    t.send(3)
    t.send(4)
    t.response(2, 256, 2)
    t.ack(4, 3)


@settings(ports=True)
def case_restart_at__forgotten(t, bad):
    """An ACK behind a READ without answer is an implied NAK: what it names may be forgotten and sent again."""
    forgotten(t, bad, lost=True)


@settings(ports=True)
def case_restart_at__forgotten_late(t, bad):
    """The answer was only late."""
    forgotten(t, bad, late=1700)


def forgotten(t, bad, **fault):
    t.read(1, 10)
    t.send(2)
    t.response(1, 10, 1)[0].update({} if bad else fault)
    t.ack(2, 2)
    t.wait(1)
    if not bad:
        t.read(1, 10)
        t.send(2)
        t.response(1, 10, 2)
        t.ack(2, 2, lost=True)
    t.wait(25)
    t.send(2)
    t.ack(2, 2)


@settings(ports=True)
def case_restart_at__forgotten_answer(t, bad):
    """An atomic answered between the implied NAK and the restart may be forgotten, too; an ACK is no answer to it."""
    t.atomic(1)
    t.send(2)
    t.atomic(3)
    t.atomic_ack(1, 1).update({} if bad else {"late": 1700})
    t.ack(2, 2)
    t.wait(2)
    t.atomic_ack(3, 3)
    if not bad:
        t.wait(1)
        t.atomic(1)
        t.send(2)
        t.atomic(3)
        t.atomic_ack(1, 3)
        t.ack(2, 3)
        t.atomic_ack(3, 3)["lost"] = True
    t.ack(3, 3)
    t.wait(25)
    t.atomic(3)
    t.atomic_ack(3, 3)


@settings(ports=True)
def case_restart_at__overtaken(t, bad):
    """An ACK overtakes the answer of the READ before it: what it names may be sent again, without the READ."""
    t.read(1, 10)
    t.send(2)
    t.response(1, 10, 1)[0].update({} if bad else {"late": 1700})
    t.ack(2, 2)
    t.wait(25)
    t.send(2)
    t.ack(2, 2)


@settings(ports=True)
def case_restart_at__doubted(t, bad):
    """An ACK that comes between an implied NAK and the restart need not be believed, a later one must be."""
    t.read(1, 1024)
    t.send(5)
    t.response(1, 1024, 1)[2]["lost"] = True
    t.ack(5, 2)
    t.wait(1)
    t.read(3, 512, 0x2000 + 512)
    t.send(5)
    t.response(3, 512, 2)
    t.ack(5, 2)["lost"] = not bad
    t.wait(50)
    t.send(5)
    t.ack(5, 2)


@settings(ports=True)
def case_skip(t, bad):
    """Over what was acknowledged meanwhile, but not over what was not."""
    t.send(1, 1280)
    t.ack(3, 0)
    t.packets[-1]["lost"] = bad
    t.wait(50)
    again = t.send(1, 1280)
    for packet in again[1:3]:
        t.packets.remove(packet)
    if not bad:
        t.packets.remove(again[0])
    t.ack(5, 1)


@settings(ports=True)
def case_changed(t, bad):
    t.send(1, lost=True)
    t.wait(50)
    t.send(1)[0]["payload"] = b"0123456789" if bad else t.packets[0]["payload"]
    t.ack(1, 1)


@settings(ports=True)
def case_changed__read(t, bad):
    t.read(1, 1024)
    for packet in t.response(1, 1024, 1)[2:]:
        packet["lost"] = True
    t.wait(50)
    t.read(3, 512, 0x2000 + 256 * (1 if bad else 2))
    t.response(3, 512, 1)


@settings(ports=True)
def case_rnr_wait(t, bad):
    t.send(1)
    t.rnr(1, 0, timer=5)
    t.wait(30 if bad else 70)
    t.send(1)
    t.ack(1, 1)


@settings(ports=True)
def case_rnr_wait__nak(t, bad):
    """A gap, and when it is closed nobody is ready: the NAK of the gap may be acted upon first."""
    t.send(1, late=1800)
    t.send(2)
    if not bad:
        t.nak(1, 0)
    t.rnr(1, 0, timer=5)
    t.send(1)
    t.send(2)
    t.wait(70)
    t.send(1)
    t.send(2)
    t.ack(2, 2)


def case_window(t, bad):
    t.read(1, 1 << 31)
    t.add(A, "RC_SEND_FIRST", 1 + (1 << 23) & roce.PSN_MASK, bytes(256)) if bad else None
    t.nak(1, 1, roce.NAK_ACCESS)


def case_sport(t, bad):
    t.send(1)
    t.send(2, sport=0xC333 if bad else t.sport[A])
    t.ack(2, 2)


@settings(ports=True)
def case_event(t, bad):
    """One packet is lost because a rule says so; another is not."""
    t.note("rule drop nic0>nic1 op=send psn=0 round=1")
    t.send(1, lost=True)
    t.wait(50)
    t.send(1, lost=bad)
    t.wait(150)
    t.send(1)
    t.ack(1, 1)
    t.wait(150)


def case_gap__gsi(t, bad):
    """QP 1 begins anew with each program that opens the NIC, and speaks to the same one; other QPs do not."""
    ext = struct.pack(">I", 0x80010000) + b"\0" + (7 if bad else roce.GSI_QPN).to_bytes(3, "big")
    for _ in range(2):
        for psn in range(2):
            t.add(A, "UD_SEND_ONLY", psn, bytes(256), ext=ext, dqpn=roce.GSI_QPN)
        t.wait(2000)


@settings(ports=True)
def case_restart_at__acknowledged_meanwhile(t, bad):
    """The answer to an atomic is lost; what follows it is acknowledged up to the last packet, and then that too, just
    before a restart that a NAK asked for: it begins at the last packet, and then, by the implied NAK, at the atomic."""
    t.send(1)[0]["lost"] = True
    t.atomic(2)
    t.nak(1, 0)
    t.wait(0.6)
    t.send(1)
    t.atomic(2)
    t.send(3)
    t.send(4)
    t.wait(0.6)
    t.ack(1, 1)
    t.atomic_ack(2, 2, lost=True)
    t.ack(3, 3)
    t.ack(4, 4)
    t.wait(30 if bad else 0.6)
    t.send(4)
    t.atomic(2)
    t.send(3)
    t.send(4)
    t.wait(0.6)
    t.ack(4, 4)
    t.atomic_ack(2, 4)
    t.ack(4, 4)
