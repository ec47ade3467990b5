# SPDX-License-Identifier: Apache-2.0
"""Cases of test_rules.py: responders, and which flows are a connection."""
import struct

import cm
import roce
from cases import settings
from talk import A, B


def case_beyond(t, bad):
    t.send(1)
    t.ack(2 if bad else 1, 1)


@settings(ports=True)
def case_beyond__lost(t, bad):
    """Sent, but never received: the capture by port knows."""
    t.send(1)
    t.send(2, lost=True)
    t.ack(2 if bad else 1, 1)
    t.wait(50)
    t.send(2)
    t.ack(2, 2)


@settings(ports=True)
def case_beyond__damaged(t, bad):
    t.send(1)[0]["damaged"] = True
    if bad:
        t.ack(1, 1)
    t.wait(50)
    t.send(1)
    t.ack(1, 1)


def case_ack_backwards(t, bad):
    t.send(1)
    t.send(2)
    t.ack(1 if not bad else 2, 1)
    t.packets[-1]["ext"] = b"\x1f" + (2 if bad else 1).to_bytes(3, "big")
    t.ack(2 if not bad else 1, 2)


@settings(ports=True)
def case_nak_psn(t, bad):
    packets = t.send(1, 1024)
    packets[1]["lost"] = True
    t.nak(3 if bad else 2, 0)
    t.wait(50)
    for packet in t.send(1, 1024)[:1]:
        t.packets.remove(packet)
    t.ack(4, 1)


@settings(ports=True)
def case_nak_psn__no_gap(t, bad):
    t.send(1)
    t.send(2)
    t.ack(2, 2)
    if bad:
        t.nak(3, 2)


@settings(ports=True)
def case_nak_psn__again(t, bad):
    """The requester went back, and again a packet overtakes the missing one: named again, shortly after it came."""
    t.send(1)
    t.send(2, lost=True)
    t.send(3)
    t.nak(2, 1, lost=True)
    t.wait(50)
    t.send(1)
    t.ack(1, 1)
    t.send(2, late=0 if bad else 1800)
    t.send(3)
    t.wait(1)
    t.nak(2, 1)
    t.wait(1)
    t.send(2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_twice__duplicate(t, bad):
    """A duplicate comes behind the gap while the NAK is on its way out: the next gap is named again."""
    t.send(1)
    t.ack(1, 1, lost=True)
    t.send(2, lost=True)
    t.send(3)
    if not bad:
        t.wait(9)
        t.send(1)
    t.nak(2, 1)
    if not bad:
        t.send(2, lost=True)
        t.send(3)
    t.nak(2, 1)
    t.send(2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_psn__named_twice(t, bad):
    """A duplicate behind the gap: it is named twice, and just before the second NAK what was missing comes."""
    t.send(1)
    t.ack(1, 1, lost=True)
    t.send(2, lost=True)
    t.send(3)
    t.wait(9)
    if not bad:
        t.send(1)
        t.send(2, late=3200)
        t.send(3)
    t.nak(2, 1)
    if bad:
        t.send(2)
    t.wait(1)
    t.nak(2, 1)
    t.send(2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_psn__first(t, bad):
    """The very first packet is lost: known, because the capture has it leave."""
    t.send(1)
    t.ack(1, 1)
    packets = t.send(100, 600, src=B)
    packets[0]["lost"] = True
    t.nak(101 if bad else 100, 0, src=A)
    t.wait(50)
    t.send(100, 600, src=B)
    t.ack(102, 1, src=A)


@settings(ports=True)
def case_nak_twice(t, bad):
    packets = t.send(1, 1024)
    packets[1]["lost"] = True
    t.nak(2, 0)
    if bad:
        t.nak(2, 0)
    t.wait(50)
    for packet in t.send(1, 1024)[:1]:
        t.packets.remove(packet)
    t.ack(4, 1)


@settings(lossy=True)
def case_nak_twice__wire(t, bad):
    """Taken before the faults: a second NAK needs that something was sent again."""
    t.send(1, 1024)
    t.nak(2, 0)
    t.wait(50)
    if bad:
        t.nak(2, 0)
    for packet in t.send(1, 1024)[:1]:
        t.packets.remove(packet)
    if not bad:
        t.nak(2, 0)
        t.wait(50)
        for packet in t.send(1, 1024)[:1]:
            t.packets.remove(packet)
    t.ack(4, 1)


@settings(ports=True)
def case_beyond__second_copy(t, bad):
    """The first copy met no receive WQE, the second did, and what followed it was executed."""
    t.send(1)[0]["twice"] = not bad
    t.send(2)
    t.rnr(1, 0)
    t.ack(2, 2)


@settings(ports=True)
def case_nak_psn__both_refused(t, bad):
    """Neither copy met a receive WQE: nothing behind them was executed."""
    t.send(1)[0]["twice"] = True
    t.send(2)
    t.rnr(1, 0)
    t.rnr(1, 0)
    t.wait(15)
    t.send(1)
    t.send(2)[0]["lost"] = not bad
    t.send(3)
    t.nak(2, 1)
    t.send(2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_psn__behind_the_second(t, bad):
    """Of two copies one was refused and one taken; then there is a gap."""
    t.send(1)[0]["twice"] = True
    t.send(2)[0]["lost"] = True
    t.send(3)
    t.rnr(1, 0)
    t.nak(3 if bad else 2, 1)
    t.wait(15)
    t.send(2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_psn__second_not_taken(t, bad):
    """Of two copies one RNR NAK tells; what followed them was perhaps not executed, and is lost when it comes again."""
    t.send(1)[0]["twice"] = not bad
    t.send(2)
    t.rnr(1, 0)
    t.wait(15)
    t.send(1)
    if bad:
        t.send(2)
    else:
        t.send(2)[0]["lost"] = True
    t.send(3)
    t.nak(2, 1)
    t.send(2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_psn__filled_after_the_second(t, bad):
    """Of two copies one RNR NAK tells; when both came again, what was missing came just before its NAK left."""
    t.send(1)[0]["twice"] = True
    t.atomic(2)["lost"] = True
    t.send(3)
    t.rnr(1, 0)
    t.wait(15)
    t.send(1)
    t.atomic(2)["late"] = 1300
    t.send(3)
    t.nak(3 if bad else 2, 1)
    t.atomic_ack(2, 2)
    t.send(3)
    t.ack(3, 3)


@settings(ports=True)
def case_nak_in_rnr(t, bad):
    t.send(1)
    t.rnr(1, 0, timer=8)
    t.send(2)
    if bad:
        t.nak(1, 0)
    t.wait(200)
    t.send(1)
    t.send(2)
    t.ack(2, 2)


@settings(ports=True)
def case_nak_in_rnr__second_copy(t, bad):
    """The first copy met no receive WQE, the second did, as its ACK tells; what follows it is lost."""
    t.send(1)[0]["twice"] = not bad
    t.send(2)[0]["lost"] = True
    t.rnr(1, 0, timer=8)
    if not bad:
        t.ack(1, 1)
    t.send(3)
    t.nak(1 if bad else 2, 0 if bad else 1)
    t.wait(200)
    for psn in range(1 if bad else 2, 4):
        t.send(psn)
    t.ack(3, 3)


def case_rnr_op(t, bad):
    t.write(1) if bad else t.send(1)
    t.rnr(1, 0)
    t.wait(50)
    t.write(1) if bad else t.send(1)
    t.ack(1, 1)


@settings(lossy=True)
def case_rnr_twice(t, bad):
    t.send(1)
    t.rnr(1, 0)
    t.wait(50)
    if not bad:
        t.send(1)
    t.rnr(1, 0)
    t.wait(50)
    t.send(1)
    t.ack(1, 1)


def case_after_error(t, bad):
    t.send(1)
    t.send(2)
    t.nak(1, 0, roce.NAK_OP)
    if bad:
        t.ack(2, 2)


def case_overtakes(t, bad):
    t.read(1, 512)
    t.send(3)
    if bad:
        t.ack(3, 2)
    t.response(1, 512, 1 + bad)
    if not bad:
        t.ack(3, 2)


@settings(ports=True)
def case_unanswered(t, bad):
    """A duplicate whose ACK was lost is acknowledged again."""
    t.send(1)
    t.ack(1, 1, lost=True)
    t.wait(50)
    t.send(1)
    if not bad:
        t.ack(1, 1)
    t.wait(2000)
    t.add(A, "UD_SEND_ONLY", 1, b"", ext=struct.pack(">II", 1, 0x99))


@settings(ports=True)
def case_unanswered__closing(t, bad):
    """B's QP is in error already when B asks to disconnect it (bad: another QP)."""
    t.send(1)
    t.ack(1, 1)
    t.send(2)
    t.wait(200)
    body = bytearray(232)
    body[8:11] = (t.qpn[A] + bad).to_bytes(3, "big")
    t.add(B, "UD_SEND_ONLY", 1, struct.pack(">BBBBHHQHHI", 1, cm.CM_CLASS, 2, 3, 0, 0, 1, cm.DREQ, 0, 0) + body,
          ext=struct.pack(">II", 0x80010000, 1), dqpn=cm.GENERAL_QP)
    t.wait(2000)
    t.add(A, "UD_SEND_ONLY", 1, b"", ext=struct.pack(">II", 1, 0x99))


# ---- responder: READ and atomic ----

def case_not_read(t, bad):
    t.send(1)
    t.read(2, 10)
    t.response(1 if bad else 2, 10, 1 + (not bad))


def case_read_psn(t, bad):
    t.read(1, 1024)
    made = t.response(1, 1024, 1)
    if bad:
        made[1]["psn"], made[2]["psn"] = 3, 2


def case_read_psn__start(t, bad):
    t.read(1, 1024)
    t.response(1, 1024, 1)
    if bad:
        del t.packets[1:3]
        t.packets[1].update(opcode=0x0D, ext=t.packets[2]["ext"])


def case_read_psn__mixed(t, bad):
    t.read(1, 512)
    t.read(3, 512)
    first, second = t.response(1, 512, 2), t.response(3, 512, 2)
    if bad:
        first[1]["ns"], second[0]["ns"] = second[0]["ns"], first[1]["ns"]
        t.packets[3], t.packets[4] = second[0], first[1]


def case_read_op(t, bad):
    t.read(1, 1024)
    made = t.response(1, 1024, 1)
    if bad:
        made[2].update(opcode=0x0F, ext=made[3]["ext"])


def case_read_length(t, bad):
    t.read(1, 1000)
    made = t.response(1, 1000, 1)
    if bad:
        made[3]["payload"] = bytes(231)


def case_order(t, bad):
    t.atomic(1)
    t.atomic(2)
    t.atomic_ack(2 if bad else 1, 2)
    t.atomic_ack(1 if bad else 2, 2)


def case_unasked(t, bad):
    t.read(1, 512)
    t.response(1, 512, 1)
    if bad:
        t.response(1, 512, 1)


def case_unasked__atomic(t, bad):
    t.atomic(1)
    t.atomic_ack(1, 1)
    if bad:
        t.atomic_ack(1, 1)


def case_not_atomic(t, bad):
    t.send(1)
    t.atomic(2)
    t.atomic_ack(1 if bad else 2, 2)


@settings(ports=True)
def case_atomic_value(t, bad):
    """The answer to a duplicate is the one that was kept."""
    t.atomic(1)
    t.atomic_ack(1, 1, value=7, lost=True)
    t.wait(50)
    t.atomic(1)
    t.atomic_ack(1, 1, value=8 if bad else 7)


# ---- MSN, pairs ----

def case_msn(t, bad):
    t.send(1)
    t.ack(1, 2 if bad else 1)


def case_msn__behind(t, bad):
    t.send(1, 600)
    t.send(4)
    t.ack(4, 1 if bad else 2)


def case_msn__start(t, bad):
    """The first MSN is 1, whatever the PSN."""
    t.send(0xFFFFFF)
    t.send(0)
    t.ack(0, 7 if bad else 2)


def case_msn__number_used_again(t, bad):
    """A QP's number is another QP's later, with another peer: MSNs begin anew, answers are found."""
    for qpn, psn in ((0x11, 1), (0x33, 5000000), (0x44, 9000000)):
        t.qpn[A], t.sport[A] = qpn, 0xC000 + qpn
        t.send(psn, 600)
        t.ack(psn + 2, 2 if bad and qpn == 0x44 else 1)
        t.read(psn + 3, 10)
        t.response(psn + 3, 10, 2)


def case_msn__number_used_again_other_way(t, bad):
    """One that only asked, then one of the same number that is only asked."""
    t.send(1)
    t.ack(1, 1)
    t.qpn[A], t.sport[A], t.sport[B] = 0x33, 0xC333, 0xC444
    t.write(1, src=B)
    t.ack(1, 2 if bad else 1, src=A)


def case_msn_backwards(t, bad):
    t.send(1)
    t.send(2)
    t.ack(1, 2 if bad else 1)
    t.send(3)
    t.ack(2, 1 if bad else 2)
    t.ack(3, 3)


@settings(ports=True)
def case_msn_backwards__replay(t, bad):
    """Answered again, a READ has the current MSN."""
    t.read(1, 10)
    t.send(2)
    t.response(1, 10, 1)[0]["lost"] = True
    t.ack(2, 2)
    t.wait(50)
    t.read(1, 10)
    t.response(1, 10, 1 if bad else 2)


def case_stray(t, bad):
    t.send(1)
    t.ack(1, 1)
    if bad:
        t.ack(9, 1, dqpn=0x99)
