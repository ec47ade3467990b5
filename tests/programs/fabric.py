# SPDX-License-Identifier: Apache-2.0
"""libfabric 1.17 over two NICs: fi_pingpong of Debian's libfabric-bin, unmodified (probe.py unpacks it), on the verbs
provider: connected (rdma_cm), reliable datagrams over connections (rxm) and over datagrams (rxd), datagrams.

Both ends meet over TCP on loopback and tell each other their NIC's address there, which libfabric finds by getifaddrs()
and rdma_cm (libprovider/interfaces.c).
"""
import os
import subprocess
import time

import pair

# rxm makes one completion queue for all it may ever send and receive: 1,024 entries for each of FI_UNIVERSE_SIZE peers,
# of which there are 256 where nothing is said.  A NIC's queues have 32,768 entries.
RXM = {"FI_UNIVERSE_SIZE": "32"}
CASE_S = 300
LOOPBACK = {"IPv4": "127.0.0.1", "IPv6": "::1"}

MSG, RXM_RDM, RXD_RDM, DGRAM = (["-p", "verbs", "-e", "msg"], ["-p", "verbs;ofi_rxm", "-e", "rdm"],
                                ["-p", "verbs;ofi_rxd", "-e", "rdm"], ["-p", "verbs", "-e", "dgram"])
# (arguments, family); without -S: 64 bytes to 1 MiB, of datagrams to 4 KiB
CASES = [(MSG, [], "IPv4"), (MSG, ["-S", "1"], "IPv4"), (MSG, ["-S", "5000"], "IPv6"), (MSG, ["-S", "65536"], "IPv6"),
         (RXM_RDM, [], "IPv4"), (RXM_RDM, ["-S", "1", "-m", "tagged"], "IPv4"),
         (RXM_RDM, ["-S", "65536", "-m", "tagged"], "IPv6"),
         (RXD_RDM, ["-S", "1"], "IPv4"), (RXD_RDM, ["-S", "20000", "-m", "tagged"], "IPv6"),
         (DGRAM, [], "IPv4"), (DGRAM, ["-S", "1"], "IPv4"), (DGRAM, ["-S", "4096"], "IPv6")]


def name(case):
    kind, args, family = case
    return " ".join(["fi_pingpong", *kind, *args]) + f", {family}"


def payload(args, rounds):
    """At least, both ways."""
    return 2 * rounds * (int(args[args.index("-S") + 1]) if "-S" in args else 4096)


def start(programs, sim, nic, words, what):
    out = open(os.path.join(sim.dir, f"{what}.log"), "w+", encoding="utf-8", errors="replace")
    environment = dict(programs.environment, **(RXM if "verbs;ofi_rxm" in words else {}))
    words = [pair.CAIRN, "run", "-d", sim.run_dir, "-i", str(nic), f"{programs.tree}/usr/bin/fi_pingpong", *words]
    process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment)
    process.cairn_log = out
    return process


def run(programs, sim, case):
    """pair.Result of a server on NIC 0 and a client on NIC 1; programs: probe.Probe."""
    kind, args, family = case
    rounds, port, began = 2 if args else 1, pair.free_port(), time.monotonic()  # 1 MiB is slow
    words = [*kind, *args, "-c", "-I", str(rounds), *(["-6"] if family == "IPv6" else [])]
    server, client = start(programs, sim, 0, ["-B", str(port), *words], "server"), None
    try:
        pair.wait_listen(server, port, pair.START_S)
        client = start(programs, sim, 1, ["-P", str(port), *words, LOOPBACK[family]], "client")
        codes = pair.statuses(server, client, began + CASE_S)
        few = sim.uncarried(payload(args, rounds))
    finally:
        outputs = [pair.end(process) for process in (server, client) if process]
    result = pair.Result(name(case), codes, [*outputs[:1], "\n".join([*outputs[1:], few])], time.monotonic() - began)
    result.ok = result.ok and not few
    return result
