#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs over the simulated NICs, the short of it: ping-pong with data check, polling and with events, and
each perftest once; then the captures are judged.  tests/programs/run has the long of it."""
import os
import re
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import matrix  # noqa: E402
import pair  # noqa: E402
import tap  # noqa: E402

CASES = [matrix.pingpong(4096, 1024), matrix.pingpong(1000, 256, "-t", "-e", "-N", count=5),
         matrix.perftest("ib_write_bw", "-n", "20", "-s", "4096", "-q", "2"),
         matrix.perftest("ib_read_lat", "-n", "10", "-s", "64"), matrix.perftest("ib_send_bw", "-n", "20", "-s", "2"),
         matrix.pingpong(3000, 1024, kind="uc", count=5), matrix.pingpong(1000, 0, kind="ud", count=5, gid=matrix.IPV6),
         matrix.pingpong(1000, 1024, count=5, gid=matrix.LINK_LOCAL), matrix.perftest("ib_atomic_bw", "-n", "20"),
         matrix.pingpong(1000, 1024, "-q", "4", count=5, kind="srq", gid=matrix.IPV6),
         *(matrix.pingpong(1000, 1024, count=5, gid=gid) for gid in (matrix.VLAN_IPV4, matrix.VLAN_IPV6)),
         *matrix.OWN]
OUT = "build/programs/test"


def run_program(sim, case):
    def test():
        result = sim.pair(case.program, case.args, timeout=300, gid=case.gid)
        if not result.ok:
            raise AssertionError(result.text())
    return test


def with_itself(sim):
    """One program on one NIC: RC, UC, UD and multicast between its own QPs, at each kind of address."""
    def test():
        before = sim.stat()["nic0"]
        gids = [word for a, b in ((1, 1), (2, 0), (3, 3), (4, 4)) for word in ("-g", str(a), "-g", str(b))]
        program = sim.start(0, "build/programs/own/self", ["-d", "cairn_0", *gids], "self")
        try:
            code = program.wait(300)
        finally:
            text = pair.end(program)
        after = sim.stat()["nic0"]
        assert code == 0 and len(text.splitlines()) == 18, (code, text)
        assert after["rx_loop_packets"] - before["rx_loop_packets"] > 150, (before, after)
        assert after["wire_loop_frames"] == after["rx_loop_packets"], after
    return test


def judged(sim):
    def test():
        sim.__exit__()  # the capture is complete only then
        done = subprocess.run(["tests/trace/check", sim.pcap], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode:
            raise AssertionError(done.stdout)
    return test


def qps_counted():
    """`cairn stat` shows what each QP has counted: perftest names its QPs, the wire loses packets.  It is looked at
    while they run: who ends resets the NIC, and a walk that comes after it finds none."""
    stat, texts, ended = {}, [], threading.Event()

    def sample():
        while not ended.wait(0.1):
            for name, nic in sim.stat().items():
                stat.setdefault(name, {}).update(nic["qps"])
            texts.append(subprocess.run([pair.CAIRN, "stat", "-d", sim.run_dir, "-q", "-i", "1"], stdout=subprocess.PIPE,
                                        text=True, check=True).stdout)

    with pair.Simulation(rule=["drop nic1>nic0 type=roce every=15"]) as sim:
        look = threading.Thread(target=sample)
        look.start()
        # every QP has lost some long before the last walks begin
        result = sim.pair("ib_send_bw", ["-n", "300", "-s", "2048", "-q", "2"], timeout=300)
        ended.set()
        look.join()
    assert result.ok, result.text()
    for nic, output, counters in ((0, result.outputs[0], ("out_of_sequence", "packet_seq_nak_sent")),
                                  (1, result.outputs[1], ("packet_seq_err", "tx_retransmitted_packets"))):
        own = {f"0x{int(qpn, 16):06x}" for qpn in re.findall(r"local address:.* QPN (0x\w+)", output)}
        qps = stat[f"nic{nic}"]
        assert len(own) == 2 and set(qps) == own, (own, qps)
        for counter in counters:
            assert sum(qp[counter] for qp in qps.values()) > 0, (counter, qps)
        assert sum(qp["rnr_nak_sent"] for qp in qps.values()) == 0, qps
    assert any(re.search(r"^nic1  QP 0x\w{6}  tx_retransmitted_packets +\d+$", text, re.M) for text in texts), texts
    assert not any("nic0" in text for text in texts), texts


def shown_until(sim, wanted, what):
    """What `cairn stat` shows once wanted() is true of it."""
    until = time.monotonic() + 120
    while not wanted(stat := sim.stat()):
        assert time.monotonic() < until, (what(stat), stat)
        time.sleep(0.3)
    return stat


def unequal(stat, names):
    """Counters of which a port has another number than its QPs together: name, port, QPs."""
    return [(nic, name, values[name], sum(qp[name] for qp in values["qps"].values())) for nic, values in stat.items()
            for name in names if values[name] != sum(qp[name] for qp in values["qps"].values())]


def qps_add_up():
    """Programs that are done but keep their QPs: what these have counted is what the ports have."""
    with open("rtl/hw/hw.def", encoding="utf-8") as table:
        names = re.findall(r'^QP_COUNTER\(\d+,\s*\w+,\s*"(\w+)"', table.read(), re.M)
    names.remove("out_of_buffer")  # the port's has what was dropped before its QP was known
    with pair.Simulation(pcap=None, loss=0.05, seed=1) as sim:
        port, args, programs = pair.free_port(), ["-s", "2048", "-n", "500", "-q", "2", "--wait_destroy=120"], []
        try:
            programs.append(sim.start(0, "ib_write_bw", [*pair.program_args("ib_write_bw", 0, port), *args], "server"))
            pair.wait_listen(programs[0], port, pair.START_S)
            programs.append(sim.start(1, "ib_write_bw", [*pair.program_args("ib_write_bw", 1, port), *args, "localhost"],
                                      "client"))
            # a walk over the QPs that begins after the last packet shows it
            stat = shown_until(sim, lambda stat: all(len(nic["qps"]) == 2 for nic in stat.values()) and
                               stat["nic1"]["tx_retransmitted_packets"] > 0 and not unequal(stat, names),
                               lambda stat: unequal(stat, names))
        finally:
            for program in programs:
                pair.end(program)
    for name, nic in stat.items():
        assert len(nic["qps"]) == 2 and nic["sim_errors"] == 0, (name, nic)
        assert all(set(names) < set(qp) for qp in nic["qps"].values()), nic["qps"]
    for name, counter in (("nic0", "out_of_sequence"), ("nic1", "tx_retransmitted_packets"), ("nic1", "tx_go_backs")):
        assert stat[name][counter] > 0, (name, counter)


def main():
    sim = pair.Simulation(directory=OUT, **matrix.VLAN)
    sim.__enter__()
    try:
        return tap.run([(matrix.name(case), run_program(sim, case)) for case in CASES]
                       + [("a NIC with itself", with_itself(sim)), ("capture", judged(sim)), ("counters of QPs", qps_counted),
                          ("counters of QPs and of their port", qps_add_up)])
    finally:
        if not sim.log.closed:
            sim.__exit__()


sys.exit(main())
