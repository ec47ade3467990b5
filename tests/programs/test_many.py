#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs, several at a time, on two hosts of two NICs behind one port each: every one has its own NIC,
nobody picks any by hand, others look at what is in use, and what a killed one leaves is free.  Without hosts in mind,
too: two plain ping-pongs.  integration/standin/test_many.py has the rules of who gets which."""
import os
import shutil
import signal
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import tap  # noqa: E402

NICS = [f"cairn_{i}" for i in range(4)]
PINGPONG = ["ibv_rc_pingpong", "-g", "1", "-s", "256"]


def start(sim, name, options, words):
    out = open(os.path.join(sim.dir, f"{name}.log"), "w+", encoding="utf-8", errors="replace")
    process = subprocess.Popen([pair.CAIRN, "run", "-d", sim.run_dir, *options, *words], stdout=out,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    process.cairn_log = out
    return process


def pingpongs(sim, names, server_options, client_options, *args):
    """Of each name a server, and when they all listen a client: nobody's traffic is in the way of a start."""
    ports = [str(pair.free_port()) for _ in names]
    servers = [start(sim, f"{name}-server", server_options, [*PINGPONG, "-p", port, *args])
               for name, port in zip(names, ports)]
    for server, port in zip(servers, ports):
        pair.wait_listen(server, int(port), pair.START_S)
    return servers + [start(sim, f"{name}-client", client_options, [*PINGPONG, "-p", port, *args, "localhost"])
                      for name, port in zip(names, ports)]


def traffic(sim, nics, processes):
    """Until packets have come to all of them."""
    until = time.monotonic() + 120
    before = sim.stat()
    while True:
        now = sim.stat()
        if all(now[nic].get("rx_roce_packets", 0) > before[nic].get("rx_roce_packets", 0) for nic in nics):
            return
        assert time.monotonic() < until and all(p.poll() is None for p in processes), [p.poll() for p in processes]
        time.sleep(0.2)


def devinfo(sim, *args):
    """{device: what ibv_devinfo -v says of it}"""
    done = subprocess.run([pair.CAIRN, "run", "-d", sim.run_dir, "ibv_devinfo", "-v", *args], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "Failed" not in done.stdout, done.stdout
    blocks = done.stdout.split("hca_id:")[1:]
    return {block.split()[0]: block.strip() for block in blocks}


def four_at_once(sim, seen):
    processes = []
    try:
        processes += pingpongs(sim, ("a", "b"), ["-H", "0"], ["-H", "1"], "-n", "1000000")
        traffic(sim, ("nic0", "nic1", "nic2", "nic3"), processes)
        # looked at while they run, all of them by one that is in none's way
        seen.update(devinfo(sim))
        assert sorted(seen) == NICS, seen
        done = subprocess.run([pair.CAIRN, "info", "-d", sim.run_dir, "-H", "0"], stdout=subprocess.PIPE, text=True,
                              timeout=60, check=True)
        for process in processes[:2]:
            assert f"process {process.pid} (ibv_rc_pingpong)" in done.stdout, done.stdout
        # a fifth finds none, and is told who has them
        done = subprocess.run([pair.CAIRN, "run", "-d", sim.run_dir, "-H", "0", *PINGPONG], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        assert done.returncode not in (0, None) and "no NIC of host 0 is free" in done.stdout, done.stdout
        assert all(str(process.pid) in done.stdout for process in processes[:2]), done.stdout
        # one that names a NIC in use can look at it and not use it
        done = subprocess.run([pair.CAIRN, "run", "-d", sim.run_dir, "-i", "1", *PINGPONG], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        assert done.returncode and "can be looked at and nothing else" in done.stdout, done.stdout
        traffic(sim, ("nic0", "nic1", "nic2", "nic3"), processes)  # nobody was disturbed
        # what a killed one had is free, and no more than that
        processes[1].send_signal(signal.SIGKILL)
        processes[1].wait()
        done = subprocess.run([pair.CAIRN, "run", "-d", sim.run_dir, "-H", "0", "ibv_devices"], stdout=subprocess.PIPE,
                              text=True, timeout=60, check=True)
        freed = [nic for nic in NICS if nic in done.stdout]
        assert len(freed) == 1 and freed[0] in NICS[:2], done.stdout
        traffic(sim, ("nic0",) if freed[0] == "cairn_1" else ("nic1",), [processes[0], processes[2]])
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            pair.end(process)


def true_values(sim, seen):
    """What was said of NICs in use is what who opens them finds."""
    own = devinfo(sim, "-d", "cairn_2")["cairn_2"]
    assert own == seen["cairn_2"], (own, seen)
    assert "PORT_ACTIVE" in own and "::ffff:10.0.0.3" in own, own


def two_plain(sim):
    processes = pingpongs(sim, ["plain"], [], [], "-n", "5", "-c")
    codes = [process.wait(120) for process in processes]
    outputs = [pair.end(process) for process in processes]
    assert codes == [0, 0], outputs


def main():
    if not shutil.which("ibv_rc_pingpong"):
        raise SystemExit("ibverbs-utils is not installed: see packages.txt, or run `make deps`")
    seen = {}
    with pair.Simulation(directory="build/programs/many", pcap=None, hosts=2, functions=2) as sim:
        return tap.run([("4 programs at once", lambda: four_at_once(sim, seen)),
                        ("what was seen of them was true", lambda: true_values(sim, seen)),
                        ("two programs that know nothing of NICs", lambda: two_plain(sim))])


sys.exit(main())
