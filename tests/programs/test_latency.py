#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latencies of an unmodified ping-pong against the capture of its packets: a SEND takes longer than from its packet on
the wire to the acknowledgement's arrival, and not longer than since the message arrived that it is the answer to, or
that its program waited for.  All of that is device time, however slow the machine is.  And they are counted while
somebody watches, or always, not else."""
import os
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import shared  # noqa: E402, F401
import roce  # noqa: E402
import tap  # noqa: E402

COUNT = 30
COMPLETION_NS = 4000  # at most, from the acknowledgement's arrival to the completion's stamp
ERROR = 1 / 32  # of a bucket's middle
WAIT_S = 120


def bounds(packets, port):
    """(least, most) ns of each SEND of that NIC; most None: nothing came before it."""
    sent, answered, received, found = [], {}, [], []
    for packet in packets:
        frame = packet.frame
        if frame.port != port or not packet.intact():
            continue
        if packet.op.kind == "send":
            if frame.way == "out":
                assert packet.op.place == "O", packet.name()
                sent.append((packet.psn, frame.ns, received[-1] if received else None))
            else:
                received.append(frame.ns)
        elif packet.op.kind == "ack" and frame.way == "in" and packet.aeth[0] >> 5 & 3 == roce.ACK:
            answered[packet.psn] = frame.ns
    psns = [psn for psn, _, _ in sent]
    for psn, ns, before in sent:
        ahead = {number: (number - psn) & roce.PSN_MASK for number in answered}
        arrived = min(answered[number] for number, by in ahead.items() if by < len(sent))
        found.append((arrived - ns, None if before is None else arrived + COMPLETION_NS - before))
    assert len(set(psns)) == COUNT, psns  # nothing was sent again: each once
    return found


def between(nic, values, limits):
    """Each message's time is between its limits, so each percentile is between those of the limits."""
    least = sorted(low for low, _ in limits)
    most = sorted(float("inf") if high is None else high for _, high in limits)
    assert values["latency_count"] == COUNT and values["latency_early"] == 0, (nic, values)
    for name, permille in (("latency_p50_ns", 500), ("latency_p99_ns", 990)):
        rank = -(-COUNT * permille // 1000) - 1
        assert least[rank] * (1 - ERROR) <= values[name] <= most[rank] * (1 + ERROR), (
            nic, name, values[name], least[rank], most[rank])
    assert sum(least) <= values["latency_mean_ns"] * COUNT + COUNT, (nic, values, sum(least))


def against_the_capture():
    os.environ["CAIRN_STATS"] = "1"
    with pair.Simulation() as sim:
        try:
            result = sim.pair("ibv_rc_pingpong", ["-s", "1000", "-m", "1024", "-n", str(COUNT)], timeout=300)
        finally:
            del os.environ["CAIRN_STATS"]
        stat = sim.stat()  # the programs have ended: their figures stay
        assert result.ok, result.text()
        sim.process.terminate()
        sim.process.wait()  # the capture is complete only then
        packets = [packet for packet in map(roce.parse, roce.frames(sim.pcap)) if packet]
    for nic in ("nic0", "nic1"):
        limits = bounds(packets, nic)
        assert len(limits) == COUNT and sum(high is None for _, high in limits) <= 1, limits
        between(nic, stat[nic], limits)
        qp, = (qp for qp in stat[nic]["qps"].values() if qp.get("latency_count"))
        assert qp["latency_count"] == COUNT and qp["latency_p50_ns"] == stat[nic]["latency_p50_ns"], qp


def while_somebody_watches():
    with pair.Simulation(pcap=None) as sim:
        port, args, programs = pair.free_port(), ["-s", "2048", "-n", "1000000", "-t", "8"], []
        try:
            programs.append(sim.start(0, "ib_write_bw", [*pair.program_args("ib_write_bw", 0, port), *args], "server"))
            pair.wait_listen(programs[0], port, pair.START_S)
            programs.append(sim.start(1, "ib_write_bw", [*pair.program_args("ib_write_bw", 1, port), *args, "localhost"],
                                      "client"))
            until = time.monotonic() + WAIT_S
            while sim.stat()["nic0"]["rx_write_requests"] < 20:
                assert time.monotonic() < until, sim.stat()
                time.sleep(0.2)
            assert sim.stat()["nic1"]["latency_count"] == 0, sim.stat()["nic1"]
            shown = []
            watcher = subprocess.Popen([pair.CAIRN, "top", "-d", sim.run_dir, "--batch", "-s", "0.5"], text=True,
                                       stdout=subprocess.PIPE)
            try:
                for line in watcher.stdout:
                    words = line.split()
                    assert time.monotonic() < until, shown
                    if words and words[0] == "NIC" and words[1] == "STATE":
                        heads = words
                    if words and words[0] == "nic1" and words[1].startswith("up"):
                        row = dict(zip(heads, words))
                        shown.append(row)
                        if row["P50"] != "-" and row["TXbit/s"] != "-" and float(row["TXbit/s"]) > 0:
                            break
            finally:
                watcher.kill()
                watcher.wait()
                watcher.stdout.close()
            last = shown[-1]
            assert last["STATE"] == "up,lat" and float(last["REQ/s"]) > 0 and int(last["P50"]) > 1000, last
            # the link's rate in device time, and as much less in wall time as the simulation is slower
            assert float(last["TXbit/s"]) <= 8e9 and float(last["wTXbit/s"]) < float(last["TXbit/s"]), last
            assert sim.stat()["nic1"]["latency_count"] > 0
        finally:
            for program in programs:
                pair.end(program)


sys.exit(tap.run([("a ping-pong's latencies against its packets", against_the_capture),
                  ("counted while cairn top runs", while_somebody_watches)]))
