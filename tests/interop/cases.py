# SPDX-License-Identifier: Apache-2.0
"""What a simulated NIC and a Linux peer with rdma_rxe must be able to do together; used by run.

SETS: (name, options of the simulation, options of tests/trace/check, cases); a case is (name, function of Both), which
returns a note for the reader or raises pair.Failure.
"""
import re
import time

import pair
import peer

CAIRN_IPV4 = "10.0.0.1"
CAIRN, PEER = "cairn_0", "rxe0"


class Both:
    """The simulation and the guest; `own`: path of transfer on this machine."""

    def __init__(self, sim, linux, own):
        self.sim, self.guest, self.own = sim, linux, own

    def lost(self):
        for name, process in (("the simulator", self.sim.process), ("QEMU", self.guest.process)):
            if process.poll() is not None:
                return f"{name} has ended (exit {process.returncode})"
        return ""

    def here(self, program, args, port, server=None):
        """On the simulated NIC; server: whom to call, or nobody."""
        path = self.own if program == "transfer" else program
        words = [*naming(program, CAIRN, port), *args, *([server] if server else [])]
        return self.sim.start(0, path, words, "cairn")

    def there(self, program, args, port, seconds, server=None):
        words = [program, *naming(program, PEER, port), *args, *([server] if server else [])]
        return self.guest.start(words, seconds)


def naming(program, device, port):
    """Device, GID 1 (IPv4) and TCP port; arguments of the case may name another GID later."""
    return ["-d", device, "-x" if program.startswith("ib_") else "-g", "1", "-p", str(port)]


def run_pair(both, cairn_serves, program, args, seconds):
    """Server and client, one on each side; the text of both.  The programs of this machine are ended in any case."""
    until, here = time.monotonic() + seconds, None
    try:
        if cairn_serves:
            port = pair.free_port()
            here = both.here(program, args, port)
            pair.wait_listen(here, port, seconds)
            there = both.there(program, args, port, seconds, peer.HOST)
        else:
            there = both.there(program, args, both.guest.port, seconds)
            both.guest.wait_listen(there, both.guest.port)
            here = both.here(program, args, both.guest.port, "127.0.0.1")
        there.wait()
        while here.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        code = here.poll()
    finally:
        said = pair.end(here) if here else ""
    if there.code or code != 0:
        raise pair.Failure("\n".join([f"{program} {' '.join(args)}:", *ends("peer", there.code, there.output),
                                      *ends("Cairn", code, said)]))
    return said, there.output


def ends(name, code, text):
    return [f"  {name}: " + ("no end in time" if code in (None, 124, 143) else f"exit {code}"),
            *("    " + line for line in text.strip().splitlines()[-14:])]


def program(cairn_serves, name, *args, seconds=240):
    """A program of Debian, unmodified, as (name, case)."""
    sides = ("peer", "Cairn") if cairn_serves else ("Cairn", "peer")
    return (f"{name} {' '.join(args)}: client {sides[0]}, server {sides[1]}",
            lambda both: run_pair(both, cairn_serves, name, args, seconds) and "")


def transfer(cairn_serves, *args):
    def case(both):
        said, _ = run_pair(both, cairn_serves, "transfer", args, 400)
        rights = len(re.findall("right$", said, re.M))
        if rights != 10:
            raise pair.Failure(f"{rights} kinds of message were compared, not 5 from each side:\n{said}")
        return ""
    sides = "client peer, server Cairn" if cairn_serves else "client Cairn, server peer"
    return f"{' '.join(['transfer', *args])}: {sides}, every byte compared", case


def ping(address, *args):
    """The firmware answers only while a program has the NIC open: a server that waits for a client has."""
    def case(both):
        port = pair.free_port()
        holder = both.here("ibv_rc_pingpong", [], port)
        try:
            pair.wait_listen(holder, port, pair.START_S)
            code, said = both.guest.run(f"ping -c 3 -i 4 -W 8 {' '.join(args)} {address}")
        finally:
            pair.end(holder)
        if code or "3 packets received" not in said:
            raise pair.Failure(said)
        return said.splitlines()[-1]
    return f"peer: ping {' '.join([*args, address])}", case


BW = ("ib_write_bw", "ib_read_bw", "ib_send_bw")
LAT = ("ib_write_lat", "ib_read_lat", "ib_send_lat")
SLOW = ("-u", "18")  # the answer of a simulated NIC takes its time

PAIRS = ([ping(CAIRN_IPV4), ping(CAIRN_IPV4, "-s", "1400")]
         + [transfer(False), transfer(True), transfer(False, "-m", "256"), transfer(True, "-m", "4096")]
         + [program(serves, "ibv_rc_pingpong", "-c", "-n", "10", "-s", size, *more)
            for serves in (False, True) for size, more in (("64", []), ("4096", []), ("4096", ["-e"]))]
         + [program(serves, name, "-n", "20", "-s", size, *SLOW)
            for name in BW for size in ("64", "65536") for serves in (False, True)]
         + [program(serves, name, "-n", "10", "-s", "64", *SLOW) for name in LAT for serves in (False, True)])
# 8 Gb/s of 4096-byte packets are more than a 64-bit host interface carries in TLPs of 256 bytes: the NIC drops, the
# sender repeats.
FLOOD = ([program(serves, name, "-n", "20", "-s", "65536", *SLOW) for name in BW for serves in (False, True)]
         + [transfer(False), transfer(True)])
LOSS = ([transfer(False), transfer(True)]
        + [program(serves, name, "-n", "20", "-s", "16384", *SLOW) for name in BW for serves in (False, True)])

# Linux repeats early, and repeats of what has been acknowledged go on arriving when the program has ended and its QP is
# gone: no answer is due for those, and only the program knows when that was.
NO_ANSWER_DUE = ["--grace", "1e9"]

SETS = [("clean", {"link_gbps": 4}, [], PAIRS),
        ("flood", {"link_gbps": 8}, ["--faults"], FLOOD),
        ("loss", {"link_gbps": 4, "loss": 0.02}, NO_ANSWER_DUE, LOSS)]
