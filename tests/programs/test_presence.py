#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A NIC is found without the verbs: what sysfs says of it is what they say, looking takes it from nobody, and counters
move while another program has it.  tests/programs/run has what other packages look for (probe.py)."""
import os
import re
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import tap  # noqa: E402

CLASS = "/sys/class/infiniband"
PORT = f"{CLASS}/cairn_0/ports/1"
GIDS = ["fe80::ca:12ff:fe00:1", "::ffff:10.0.0.1", "fd00::1"]


def run(sim, *words, nic=None, code=0):
    one = [] if nic is None else ["-i", str(nic)]
    done = subprocess.run([pair.CAIRN, "run", "-d", sim.run_dir, *one, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout)
    return done.stdout


def same(actual, expected):
    assert actual == expected, (actual, expected)


def sysfs(sim, *names):
    """What the files of the first NIC say."""
    return run(sim, "cat", *(f"{CLASS}/cairn_0/{name}" for name in names)).splitlines()


def written_out(gid):
    """A GID as sysfs has it."""
    code = "import ipaddress, sys; print(ipaddress.ip_address(sys.argv[1]).exploded)"
    return subprocess.run([sys.executable, "-c", code, gid], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def agree(sim):
    """With the answers of verbs, while nobody has the NIC open."""
    def test():
        verbs = run(sim, "ibv_devinfo", "-v", "-d", "cairn_0", nic=0)
        guid, image, state, link, mask = sysfs(sim, "node_guid", "sys_image_guid", "ports/1/state", "ports/1/link_layer",
                                               "ports/1/cap_mask")
        for name, value in (("node_guid", guid), ("sys_image_guid", image), ("link_layer", link), ("port_cap_flags", mask)):
            assert re.search(rf"{name}:\s+{value}\n", verbs), (name, value, verbs)
        assert re.search(r"state:\s+PORT_ACTIVE \(4\)", verbs) and state == "4: ACTIVE", (state, verbs)
        same(re.findall(r"GID\[ *\d+\]:\s+(\S+), RoCE v2", verbs), GIDS)
        same(sysfs(sim, *(f"ports/1/gids/{i}" for i in range(3))), [written_out(gid) for gid in GIDS])
        same(sysfs(sim, *(f"ports/1/gid_attrs/types/{i}" for i in range(3))), ["RoCE v2"] * 3)
        # width and speed of the port are the rate
        lanes, speed = re.search(r"active_width:\s+(\d)X.*?active_speed:\s+([\d.]+) Gbps", verbs, re.S).groups()
        rate = sysfs(sim, "ports/1/rate")[0]
        assert rate.startswith(f"{int(lanes) * float(speed):g} Gb/sec ({lanes}X"), (rate, lanes, speed)
        board = re.search(r"board_id:\s+(\S+)", verbs)
        assert board and board[1] == sysfs(sim, "board_id")[0], verbs
    return test


def all_nics(sim):
    def test():
        same(run(sim, "ls", CLASS).split(), ["cairn_0", "cairn_1"])
        same(run(sim, "ls", CLASS, nic=1).split(), ["cairn_1"])
        same(run(sim, "ls", "/dev/infiniband").split(), ["rdma_cm", "uverbs0", "uverbs1"])
        same(run(sim, "sh", "-c", f"cd {CLASS}; echo *; cat cairn_1/node_type").split(),
             ["cairn_0", "cairn_1", "1:", "CA"])
        run(sim, "test", "-c", "/dev/infiniband/uverbs1")
        run(sim, "test", "-e", f"{CLASS}/cairn_2", code=1)
    return test


def nobody_is_disturbed(sim):
    """Another program has the NIC: files can be read, and it keeps it."""
    def test():
        holder = sim.start(0, "ibv_asyncwatch", ["-d", "cairn_0"], "holder")
        try:
            until = time.monotonic() + 60
            while not os.path.getsize(os.path.join(sim.dir, "holder.log")) and time.monotonic() < until:
                time.sleep(0.1)
            same(sysfs(sim, "ports/1/state"), ["4: ACTIVE"])
            run(sim, "find", PORT, "-type", "f", "-name", "rx_*", "-exec", "cat", "{}", ";")
            run(sim, "dd", "if=/dev/infiniband/uverbs0", "count=1", "status=none")
            assert "PORT_ACTIVE" in run(sim, "ibv_devinfo", "-d", "cairn_0", nic=0)
            assert holder.poll() is None
        finally:
            pair.end(holder)
    return test


def counters(sim):
    """perftest reads them before and after; another process sees them too."""
    def test():
        before = int(sysfs(sim, "ports/1/counters/port_rcv_packets")[0])
        result = sim.pair("ib_write_bw", ["-n", "20", "-s", "4096"], timeout=300,
                          client_args=["-W", "counters/port_xmit_data,hw_counters/tx_packets,hw_counters/out_of_buffer"])
        assert result.ok, result.text()
        moved = dict(re.findall(r"counters/(\w+)=(\d+)", result.outputs[1]))
        assert 20480 < int(moved["port_xmit_data"]) < 60000 and 20 <= int(moved["tx_packets"]) < 100, moved
        same(moved["out_of_buffer"], "0")
        until = time.monotonic() + 30
        while int(sysfs(sim, "ports/1/counters/port_rcv_packets")[0]) < before + 20:
            assert time.monotonic() < until, "port_rcv_packets stays"
            time.sleep(0.2)
    return test


def main():
    with pair.Simulation(directory="build/programs/presence", pcap=None) as sim:
        return tap.run([("sysfs and verbs agree", agree(sim)), ("all NICs, and one", all_nics(sim)),
                        ("looking takes the NIC from nobody", nobody_is_disturbed(sim)), ("counters", counters(sim))])


sys.exit(main())
