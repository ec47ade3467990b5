#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The trace checker on captures of Linux hosts (tests/fixtures): accepted as they are, refused when damaged; and its
command line, summary, comparison of counters; tests/trace/tshark."""
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import shared  # noqa: E402, F401
import roce  # noqa: E402
import tap  # noqa: E402
from judge import Judge  # noqa: E402
from talk import Talk  # noqa: E402
from transport import View  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "..", "fixtures")
QUIRKS = ("restart-message", "nak-in-rnr", "msn-of-refused")
LATENCY_US = 5000  # of virtual machines
# Captured behind what damaged, lost, doubled or reordered frames.
BEHIND = ("corrupt", "loss", "dup", "reorder")
# What a quirk of Linux (check --help) explains.
ODD = {"err_rnr_then_ok": "nak_in_rnr", "err_rnr_write_imm": "restart_at", "err_send_inv_bad": "msn"}
MUTATED = ("gx_mixed_pipeline", "gx_pad_sizes", "gx_psn_wrap", "gx_v6_mix", "rc_pingpong_v4_s1_m256")


def fixture(name):
    return os.path.join(FIXTURES, name + ".pcap")


def view_of(name, quirks=QUIRKS):
    return View(hidden=name.startswith(BEHIND), quirks=quirks, latency_us=LATENCY_US)


def accepts_all():
    names = sorted(os.path.basename(path)[:-5] for path in glob.glob(fixture("*")))
    assert len(names) > 70, names
    for name in names:
        found = Judge(fixture(name), view_of(name)).run().findings
        assert not found, "\n".join(map(str, found))


def quirks_are_needed():
    for name, rule in ODD.items():
        rules = {finding.rule for finding in Judge(fixture(name), view_of(name, ())).run().findings}
        assert rules == {rule}, (name, rules)


def damage_is_seen():
    """Not behind the fault: each damaged frame is a finding."""
    judge = Judge(fixture("corrupt_client_tx_mix"), View(quirks=QUIRKS, latency_us=LATENCY_US)).run()
    packets = {finding.number for finding in judge.findings if finding.rule in ("icrc", "ip_checksum", "length")}
    assert len(packets) == 73, len(packets)


def save(path, frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for ns, data in frames:
            file.write(struct.pack("<IIII", ns // 10**9, ns % 10**9, len(data), len(data)) + data)


def judged(frames, view):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mutated.pcap")
        save(path, frames)
        return Judge(path, view).run().findings


def contents(name):
    return [(frame.ns, frame.data) for frame in roce.frames(fixture(name))]


def missing_frames():
    """Without any one request or READ response there is a finding; the last request of each side may go unseen."""
    for name in MUTATED:
        frames, packets = contents(name), [roce.parse(frame) for frame in roce.frames(fixture(name))]
        for i, p in enumerate(packets):
            more = [q for q in packets[i + 1:] if q.src == p.src and q.op.response == p.op.response]
            if p.op.kind == "ack" or not more:
                continue
            assert judged(frames[:i] + frames[i + 1:], view_of(name)), f"{name}: packet {p.number} can go unseen"


def swapped_frames():
    """Neighbours in the wrong order, of one direction and kind."""
    for name in MUTATED:
        frames, packets = contents(name), [roce.parse(frame) for frame in roce.frames(fixture(name))]
        for i, (p, q) in enumerate(zip(packets, packets[1:])):
            if p.src == q.src and p.op.response == q.op.response and p.op.kind != "ack" and q.op.kind != "ack":
                found = judged(frames[:i] + [frames[i + 1], frames[i]] + frames[i + 2:], view_of(name))
                assert found, f"{name}: packets {p.number} and {q.number} can be swapped"


def every_byte_counts():
    """One bit of each byte behind the Ethernet header: a finding, but for fields that routers may change."""
    frames = contents("gx_v6_mix") + contents("gx_atomics")
    for ns, data in (frames[0], frames[3], frames[-1]):
        v4 = data[14] >> 4 == 4
        # TOS (the IP checksum has it), or traffic class and flow label, hop limit; checksums are judged apart
        free = {14, 15, 16, 17, 21} if not v4 else set()
        for at in range(14, len(data)):
            if at in free:
                continue
            wrong = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
            with tempfile.NamedTemporaryFile() as file:
                save(file.name, [(ns, wrong)])
                p = roce.parse(roce.frames(file.name)[0])
            if p:  # else it is no RoCE v2 packet any more
                assert list(roce.packet_rules(p)), f"byte {at} can change"


# ---- command line ----

def run(program, *args):
    done = subprocess.run([os.path.join(HERE, program), *args], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def check_says():
    status, out, err = run("check", fixture("gx_mixed_pipeline"))
    assert (status, err) == (0, "") and out.endswith(
        "20 frames, 1 connections, 0 sent again, 0 NAKs, 0 findings\n"), (status, out, err)
    status, out, _ = run("check", fixture("corrupt_client_tx_mix"), "--most", "3")
    assert status == 1 and out.count("\n") == 5 and "more findings" in out and "icrc" in out, out
    status, _, err = run("check", os.path.join(HERE, "check"))
    assert status == 2 and "neither pcap nor pcapng" in err, err
    status, _, err = run("check", "/nonexistent.pcap")
    assert status == 2 and "No such file" in err, err


def cut_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cut.pcap")
        with open(fixture("gx_atomics"), "rb") as whole, open(path, "wb") as part:
            part.write(whole.read()[:-5])
        status, out, _ = run("check", path)
        assert status == 1 and "ends inside a frame, after 11 frames" in out and "1 findings" in out, out


def block(kind, body):
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def pcapng_of(interface_options=b"", packet=None, link_type=1):
    """A pcapng file with one frame at 3 units of time."""
    if packet is None:
        packet = struct.pack("<IIIII", 0, 0, 3, 60, 60) + bytes(60)
    return (block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
            + block(1, struct.pack("<HHI", link_type, 0, 65535) + interface_options) + block(6, packet))


def pcapng_times():
    """Units of time: us unless the interface says a power of 10 or of 2."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "times.pcapng")
        for option, ns in ((b"", 3000), (struct.pack("<HHB3x", 9, 1, 9), 3), (struct.pack("<HHB3x", 9, 1, 3), 3_000_000),
                           (struct.pack("<HHB3x", 9, 1, 12), 0), (struct.pack("<HHB3x", 9, 1, 0x81), 1_500_000_000),
                           (struct.pack("<HH", 9, 0), 3000)):
            with open(path, "wb") as file:
                file.write(pcapng_of(option))
            (frame,) = roce.frames(path)
            assert frame.ns == ns, (option, frame.ns)


def damaged_pcapng():
    """Each says what is wrong; none ends in an exception of Python's."""
    far = struct.pack("<IIIII", 7, 0, 3, 60, 60) + bytes(60)
    long = struct.pack("<IIIII", 0, 0, 3, 61, 61) + bytes(60)
    flags = struct.pack("<IIIII", 0, 0, 3, 60, 60) + bytes(60) + struct.pack("<HHH2x", 2, 2, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bad.pcapng")
        for data, text in ((pcapng_of(packet=far), "block 3 makes no sense"), (pcapng_of(packet=long), "block 3 makes no"),
                           (pcapng_of(packet=flags), "block 3 makes no sense"), (pcapng_of(packet=b"1234"), "block 3 makes"),
                           (pcapng_of(link_type=113), "link type 113 is not Ethernet"),
                           (pcapng_of() + struct.pack("<III", 6, 4, 4), "damaged: a block of 4 bytes at byte ")):
            with open(path, "wb") as file:
                file.write(data)
            status, _, err = run("check", path)
            assert status == 2 and text in err and "Traceback" not in err, (text, err)


def conversation():
    """Loss and a NAK, a READ, a duplicate: as a capture by port."""
    t = Talk()
    t.send(1, 1024)[1]["lost"] = True
    t.nak(2, 0)
    t.wait(50)
    t.packets.remove(t.send(1, 1024)[0])
    t.ack(4, 1, lost=True)
    t.wait(100)
    t.packets.remove(t.send(1, 1024)[0])
    t.ack(4, 1)
    t.read(5, 300)
    t.response(5, 300, 2)
    return t


COUNTERS = {
    "nic0": {"tx_packets": 11, "rx_packets": 4, "tx_retransmitted_packets": 6, "packet_seq_err": 1, "rx_acks": 1,
             "ack_sent": 0, "rx_read_responses": 2, "rx_icrc_encapsulated": 0},
    "nic1": {"tx_packets": 5, "rx_packets": 10, "ack_sent": 2, "packet_seq_nak_sent": 1, "read_resp_sent": 2,
             "rnr_nak_sent": 0, "rx_roce_packets": 10},
}


def counters_equal_the_trace():
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        conversation().save_ports(path)
        for nic, counter, by in ((None, None, 0), ("nic0", "tx_packets", 1), ("nic0", "tx_retransmitted_packets", -1),
                                 ("nic1", "ack_sent", 1), ("nic1", "packet_seq_nak_sent", -1), ("nic0", "rx_acks", 5),
                                 ("nic1", "rx_packets", -1)):
            told = {name: dict(values) for name, values in COUNTERS.items()}
            if nic:
                told[nic][counter] += by
            with open(stat, "w", encoding="utf-8") as file:
                json.dump(told, file)
            status, out, err = run("check", path, "--counters", stat)
            assert status == (1 if nic else 0) and not err, (nic, counter, out, err)
            assert not nic or re.search(rf"counters: {nic} {counter}\S* is ", out), out
        summary = json.loads(run("check", path, "--summary", "json")[1])[0]
        (requester,), (responder,) = summary["qps"]["nic0"], summary["qps"]["nic1"]
        for nic, qpn, counter, value, good in (
                ("nic0", requester, "tx_retransmitted_packets", 6, True),
                ("nic0", requester, "tx_retransmitted_packets", 5, False),
                ("nic0", "0x000999", "tx_retransmitted_packets", 6, False), ("nic0", requester, "packet_seq_err", 2, False),
                ("nic1", responder, "packet_seq_nak_sent", 1, True), ("nic1", responder, "packet_seq_nak_sent", 0, False),
                ("nic1", responder, "rnr_nak_sent", 1, False)):
            right = {"nic0": {requester: {"tx_retransmitted_packets": 6, "packet_seq_err": 1}},
                     "nic1": {responder: {"packet_seq_nak_sent": 1}}}
            told = {name: dict(values, qps=right[name]) for name, values in COUNTERS.items()}
            if qpn not in right[nic]:
                right[nic].clear()
            right[nic].setdefault(qpn, {})[counter] = value
            with open(stat, "w", encoding="utf-8") as file:
                json.dump(told, file)
            status, out, err = run("check", path, "--counters", stat)
            assert status == (0 if good else 1) and not err, (nic, qpn, counter, out, err)
            assert good or f"counters: {nic} QP " in out, out
        with open(stat, "w", encoding="utf-8") as file:
            json.dump({"nic7": {"tx_packets": 1}}, file)
        status, out, _ = run("check", path, "--counters", stat)
        assert status == 1 and "--nic" in out, out


def looped():
    """A NIC with itself: two QPs, and one that is connected with itself; as good as over a wire, and judged the same."""
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        for qpn in ((0x11, 0x22), (0x33, 0x33)):
            for wrong in (None, "psn", "msn"):
                talk = Talk(qpn=qpn, sport=(0xC111, 0xC111))
                talk.write(100, 600)
                talk.ack(102, 1)
                talk.read(103, 300)
                talk.response(103, 300, 2)
                if wrong:
                    talk.packets[3][wrong if wrong == "psn" else "ext"] = 105 if wrong == "psn" else bytes([0x1F, 0, 0, 7])
                talk.save_ports(path, looped=True)
                told = {"nic0": {"tx_packets": 7, "rx_packets": 7}}
                with open(stat, "w", encoding="utf-8") as file:
                    json.dump(told, file)
                status, out, err = run("check", path, "--counters", stat)
                assert status == bool(wrong) and not err, (qpn, wrong, out, err)
        # no fault rule has anything to do with it
        talk.notes.append((0, "rule drop nic0>nic1 type=roce"))
        talk.packets[3]["ext"] = bytes([0x1F, 0, 0, 1])
        talk.save_ports(path, looped=True)
        status, out, err = run("check", path)
        assert not status and not err, (out, err)


def without_room():
    """A packet that came and that a NAK names: right if the NIC counts one dropped for want of room, and only one."""
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        for naks, dropped, good in ((1, 1, True), (1, 0, False), (2, 2, True), (2, 1, False)):
            talk = Talk()
            for psn in range(1, naks + 1):
                talk.send(psn)
                talk.send(psn + 1)
                talk.nak(psn, psn - 1)
                talk.wait(50)
                talk.send(psn)
                talk.ack(psn, psn)
                talk.wait(50)
            talk.send(naks + 1)
            talk.ack(naks + 1, naks + 1)
            talk.save_ports(path)
            told = {"nic1": {"rx_roce_packets": 3 * naks + 1 - dropped, "out_of_buffer": dropped}}
            with open(stat, "w", encoding="utf-8") as file:
                json.dump(told, file)
            status, out, err = run("check", path, "--counters", stat)
            assert status == (0 if good else 1) and not err and ("nak" in out) != good, (naks, dropped, out, err)


def answer_without_room():
    """A READ asked for again although its responses came: right if the NIC counts one dropped, for whatever want of room."""
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        for counter, dropped, good in (("out_of_buffer", 1, True), ("rx_overrun", 1, True), ("rx_overrun", 0, False)):
            talk = Talk()
            talk.read(1, 1024)
            del talk.packets[talk.packets.index(talk.response(1, 1024, 1)[3])]  # the second one finds no room
            talk.wait(1)
            talk.read(2, 768, 0x2100)
            talk.response(2, 768, 1)
            talk.save_ports(path)
            with open(stat, "w", encoding="utf-8") as file:
                json.dump({"nic0": {counter: dropped, "latency_mean_ns": None}}, file)
            status, out, err = run("check", path, "--counters", stat)
            assert status == (0 if good else 1) and not err and ("C9-141" in out) != good, (counter, dropped, out, err)


def counted_without_room():
    """What finds no room is in one counter or in two; each packet of the trace is in the sum once."""
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        for told, good in (({"rx_packets": 3, "rx_roce_packets": 3}, True),
                           ({"rx_packets": 3, "rx_roce_packets": 2, "out_of_buffer": 1}, True),
                           ({"rx_packets": 3, "rx_roce_packets": 3, "out_of_buffer": 1}, False),
                           ({"rx_packets": 3, "rx_roce_packets": 3, "out_of_buffer": 1, "rx_share_dropped": 1}, True),
                           ({"rx_packets": 3, "rx_roce_packets": 2, "out_of_buffer": 1, "rx_share_dropped": 1}, False),
                           ({"rx_packets": 2, "rx_roce_packets": 2, "rx_overrun": 1}, True),
                           ({"rx_packets": 2, "rx_roce_packets": 1, "rx_overrun": 1}, False),
                           ({"rx_packets": 2, "rx_roce_packets": 2}, False)):
            talk = Talk()
            for psn in (1, 2, 3):
                talk.send(psn)
            talk.ack(3, 3)
            talk.save_ports(path)
            with open(stat, "w", encoding="utf-8") as file:
                json.dump({"nic1": told}, file)
            status, out, err = run("check", path, "--counters", stat)
            wrong = any(f"nic1 {name}" in out for name in ("rx_packets", "rx_roce_packets"))
            assert not err and wrong != good, (told, status, out, err)


def not_ours_is_no_icrc_error():
    """A bit flips: a NIC looks at the addresses first, and counts the ICRC only of what is for it."""
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcapng"), os.path.join(folder, "stat.json")
        for at, wrong in ((0, 0), (14 + 24, 0), (14 + 39, 0), (14 + 8, 1), (14 + 40 + 8 + 11, 1)):
            talk = Talk()
            talk.send(1, v6=True, damaged=at)
            talk.wait(100)
            talk.send(1, v6=True)
            talk.ack(1, 1, v6=True)
            talk.save_ports(path)
            with open(stat, "w", encoding="utf-8") as file:
                json.dump({"nic0": {"tx_packets": 2}, "nic1": {"rx_icrc_encapsulated": wrong}}, file)
            status, out, err = run("check", path, "--counters", stat)
            assert not status and not err, (at, out, err)


def counters_by_address():
    """A capture without names of ports: --nic says which NIC has which address."""
    with tempfile.TemporaryDirectory() as folder:
        path, stat = os.path.join(folder, "run.pcap"), os.path.join(folder, "stat.json")
        talk = Talk()
        talk.send(1)
        talk.ack(1, 1)
        talk.save(path)
        for sent in (1, 2):
            with open(stat, "w", encoding="utf-8") as file:
                json.dump({"nic0": {"tx_packets": sent, "rx_packets": 1}}, file)
            status, out, _ = run("check", path, "--counters", stat, "--nic", "nic0=02:00:00:00:00:01")
            assert status == sent - 1, out


def summary_json():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pcapng")
        conversation().save_ports(path)
        status, out, _ = run("check", path, "--summary", "json")
        (summary,) = json.loads(out)
        assert status == 0 and summary["retransmitted"] == 6 and summary["naks"] == {"nak_sequence": 1}, out
        assert summary["packets"]["RC_READ_RSP_LAST"] == 1 and summary["acks"] == 2, out
        assert summary["ports"]["nic0"]["tx_frames"] == 11 and summary["restarts"] == 2, out


def other_byte_order():
    with tempfile.TemporaryDirectory() as folder:
        for order in "<>":
            path = os.path.join(folder, "order.pcap")
            talk = conversation()
            talk.save(path, order)
            assert [frame.ns for frame in roce.frames(path)] == [packet["ns"] for packet in talk.packets]


def one_port():
    """Captured at A's port, B's conduct is not judged."""
    talk = Talk()
    talk.send(1)
    talk.ack(7, 9)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "port.pcap")
        talk.save(path)
        assert run("check", path)[0] == 1
        status, out, _ = run("check", path, "--port", "02:00:00:00:00:01")
        assert status == 0, out


def connected_again():
    """A QP is reset and connected again: other PSNs, MSN from the start."""
    talk = Talk()
    talk.send(1)
    talk.ack(1, 1)
    talk.send(0x800123)
    talk.ack(0x800123, 1)
    talk.send(0x800124)
    talk.nak(0x800124, 1, roce.NAK_OP)
    talk.send(0x800123)
    talk.ack(0x800123, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "again.pcap")
        talk.save(path)
        status, out, _ = run("check", path)
        assert status == 0, out


def number_again():
    """A QP is destroyed and its number given to one that begins with the same PSNs; nothing else may begin again."""
    def judged_pair(pause, other):
        talk = Talk()
        for psn in (0, 1):
            talk.add("a", "UD_SEND_ONLY", psn, b"1234", ext=struct.pack(">II", 0x11111111, 0x11))
            talk.send(psn)
            talk.ack(psn, psn + 1)
        talk.wait(pause)
        if other:
            talk.qpn["a"], talk.sport["a"] = 0x33, 0xC444  # another QP, connected to what has b's number now
        talk.add("a", "UD_SEND_ONLY", 0, b"12345678", dqpn=0x44 if other else 0x22,
                 ext=struct.pack(">II", 0x11111111, 0x11))
        talk.send(0, 20)
        talk.ack(0, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "number.pcap")
            talk.save(path)
            status, out, _ = run("check", path)
        return status, out
    for pause in (2000, 100):  # a NIC opens in 120 us
        status, out = judged_pair(pause, True)
        assert status == 0, out
    for pause, other in ((2000, False), (10, True)):
        status, out = judged_pair(pause, other)
        assert status and out.count("changed: PSN 0") == 2, out


def beside_the_icrc():
    """Type of service, time to live, MAC address: the receiver drops such a frame, so its sender repeats."""
    with tempfile.TemporaryDirectory() as folder:
        for at in (15, 22, 0, False):
            talk = Talk()
            talk.send(1)
            talk.ack(1, 1, damaged=at)
            talk.wait(100)
            talk.send(1)
            talk.ack(1, 1)
            path = os.path.join(folder, "damaged.pcapng")
            talk.save_ports(path)
            status, out, _ = run("check", path)
            assert status == (1 if at is False else 0), (at, out)


# ---- tshark ----

def tshark_is_content():
    if not shutil.which("tshark"):
        raise tap.Skip("tshark is not installed")
    status, out, err = run("tshark", fixture("gx_ud_mix"), fixture("rc_pingpong_v4_s1_m256"), fixture("rping_v6"))
    assert status == 0 and "4 roce, 0 findings" in out and not err, (out, err)


def tshark_is_not():
    if not shutil.which("tshark"):
        raise tap.Skip("tshark is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bad.pcap")
        good = contents("gx_atomics")[0][1]
        for data, word in ((good[:54], "malformed"), (good[:12] + b"\x88\xb5" + good[14:], "not RoCE"),
                           (good[:36] + b"\x12\x34" + good[38:], "not RoCE")):
            save(path, [(0, data)])
            status, out, _ = run("tshark", path)
            assert status == 1 and word in out, (word, out)
        status, _, err = run("tshark", os.path.join(HERE, "tshark"))
        assert status == 2 and err, err


def tshark_missing():
    environment = dict(os.environ, PATH="/nonexistent")
    done = subprocess.run([sys.executable, os.path.join(HERE, "tshark"), fixture("gx_ud_mix")], env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "tshark is not installed" in done.stderr, done.stderr


def tshark_by_port():
    if not shutil.which("tshark"):
        raise tap.Skip("tshark is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pcapng")
        conversation().save_ports(path)
        status, out, err = run("tshark", path)
        assert status == 0 and "14 inbound, 16 roce" in out, (out, err)


TESTS = (accepts_all, quirks_are_needed, damage_is_seen, missing_frames, swapped_frames, every_byte_counts,
         check_says, cut_file, pcapng_times, damaged_pcapng, counters_equal_the_trace, looped, without_room,
         answer_without_room, counted_without_room, not_ours_is_no_icrc_error, counters_by_address, summary_json,
         other_byte_order, one_port, connected_again, number_again, beside_the_icrc,
         tshark_is_content, tshark_is_not, tshark_missing, tshark_by_port)

if __name__ == "__main__":
    sys.exit(tap.run([(test.__name__.replace("_", " "), test) for test in TESTS]))
