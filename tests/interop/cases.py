# SPDX-License-Identifier: Apache-2.0
"""What a simulated NIC and a Linux peer with rdma_rxe must be able to do together; used by run.

SETS: (name, options of the simulation, options of tests/trace/check, cases); a case is (name, function of Both), which
returns a note for the reader or raises pair.Failure.
"""
import re
import time

import cm_cases
import pair
import peer

CAIRN, PEER = "cairn_0", "rxe0"
# Cairn's addresses and their GIDs, by the names of peer.ADDRESSES.
ADDRESSES = {"IPv4": ("10.0.0.1", 1), "IPv6": ("fd00::1", 2), "VLAN": ("10.0.5.1", 3), "VLAN, IPv6": ("fd05::1", 4)}
EXTRA = {"address": [f"0={ADDRESSES[name][0]}@{peer.VLAN}" for name in ("VLAN", "VLAN, IPv6")]}
PLAIN = ("IPv4", "IPv6")
MTUS = (256, 512, 1024, 2048, 4096)
GROUPS = {"IPv4": ("239.1.2.0/32", "239.1.2.1/32"), "IPv6": ("ff0e::100/128", "ff0e::101/128")}  # of own/group.c
OWN = ("transfer", "refusals", "keys", "group")  # programs of tests/programs/own
ROLES = {True: "client peer, server Cairn", False: "client Cairn, server peer"}


class Both:
    """The simulation and the guest; `own`: where programs of OWN are on this machine; `tables`: results.Tables."""

    def __init__(self, sim, linux, gids, own, tables):
        self.sim, self.guest, self.gids, self.own, self.tables = sim, linux, gids, own, tables

    def lost(self):
        for name, process in (("the simulator", self.sim.process), ("QEMU", self.guest.process)):
            if process.poll() is not None:
                return f"{name} has ended (exit {process.returncode})"
        return ""

    def here(self, program, args, port, family, server=None):
        """On the simulated NIC; server: whom to call, or nobody."""
        path = f"{self.own}/{program}" if program in OWN else program
        words = [*naming(program, CAIRN, ADDRESSES[family][1], port), *args, *([server] if server else [])]
        return self.sim.start(0, path, words, "cairn")

    def there(self, program, args, port, seconds, family, server=None):
        words = [program, *naming(program, PEER, self.gids[family], port), *args, *([server] if server else [])]
        return self.guest.start(words, seconds)


def naming(program, device, gid, port):
    """Device, GID index and TCP port."""
    return ["-d", device, *pair.gid_args(program, gid), "-p", str(port)]


def run_pair(both, cairn_serves, program, args, family, seconds):
    """Server and client, one on each side; the text of both.  The programs of this machine are ended in any case."""
    until, here = time.monotonic() + seconds, None
    try:
        if cairn_serves:
            port = pair.free_port()
            here = both.here(program, args, port, family)
            pair.wait_listen(here, port, seconds)
            there = both.there(program, args, port, seconds, family, peer.HOST)
        else:
            there = both.there(program, args, both.guest.port, seconds, family)
            both.guest.wait_listen(there, both.guest.port)
            here = both.here(program, args, both.guest.port, family, "127.0.0.1")
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
            *pair.extract(text)]


def program(cairn_serves, name, *args, family="IPv4", seconds=240):
    """A program, unmodified, as (name, case)."""
    def case(both):
        run_pair(both, cairn_serves, name, args, family, seconds)
        both.tables.program(name, args, family, cairn_serves)
        return ""
    return f"{' '.join([name, *args])}, {family}: {ROLES[cairn_serves]}", case


def transfer(cairn_serves, mtu=1024, family="IPv4", option=None):
    """Every operation asked for by either side, every byte compared."""
    args = ["-m", str(mtu), *(["-o", option] if option else [])]

    def case(both):
        said, _ = run_pair(both, cairn_serves, "transfer", args, family, 400)
        right = re.findall(r"^(.+) asked by the (client|server): (\d+) right$", said, re.M)
        if len(right) != (18 if option == "reliable" else 30):
            raise pair.Failure(f"{len(right)} lines of results:\n{said}")
        for kind, who, number in right:
            both.tables.transfer(kind, family, mtu, cairn_serves == (who == "server"), int(number))
        return f"{sum(int(number) for _, _, number in right)} messages"
    return f"{' '.join(['transfer', *args])}, {family}: {ROLES[cairn_serves]}", case


def refusals(cairn_serves, family):
    """Errors, asked for by either side: each prints what it got."""
    def case(both):
        for cairn, said in zip((True, False), run_pair(both, cairn_serves, "refusals", [], family, 400)):
            found = re.findall(r"^(.+), asked by the (?:client|server): (.+)$", said, re.M)
            for name, status in found:
                both.tables.refusal(name, family, cairn, status)
            if len(found) != 18:
                raise pair.Failure(f"{len(found)} lines of results:\n{said}")
        return ""
    return f"refusals, {family}: {ROLES[cairn_serves]}", case


def group(cairn_serves, family):
    """Multicast.  Linux 6.1 does not join the groups that a QP of rxe is attached to."""
    title, case = program(cairn_serves, "group", family=family)

    def join(both, what):
        for address in GROUPS[family]:
            code, said = both.guest.run(f"/usr/bin/ip addr {what} {address} dev $(cat /tmp/wire)"
                                        + (" autojoin" if what == "add" else ""))
            if code:
                raise pair.Failure(said)

    def joined(both):
        join(both, "add")
        try:
            return case(both)
        finally:
            join(both, "del")
    return title, case if cairn_serves else joined


def ping(family, *args):
    """The firmware answers only while a program has the NIC open: a server that waits for a client has."""
    address = ADDRESSES[family][0]

    def case(both):
        port = pair.free_port()
        holder = both.here("ibv_rc_pingpong", [], port, family)
        try:
            pair.wait_listen(holder, port, pair.START_S)
            # one by one: busybox waits for the last of several only twice as long as the others took
            code, said = both.guest.run(f"for i in 1 2 3; do ping -c 1 -W 20 {' '.join(args)} {address} || exit; done", 90)
        finally:
            pair.end(holder)
        if code:
            raise pair.Failure(said)
        return ", ".join(re.findall(r"time=(\S+ ms)", said))
    return f"peer: ping {' '.join([*args, address])}, {family}", case


BOTH_WAYS = (False, True)
SLOW = ("-u", "18")  # the answer of a simulated NIC takes its time
BW = ("ib_write_bw", "ib_read_bw", "ib_send_bw")
LAT = ("ib_write_lat", "ib_read_lat", "ib_send_lat")

# The ping-pong programs repeat after 67 ms: a long message would come again before it has been simulated once.
PINGPONG = ([program(serves, "ibv_rc_pingpong", "-c", "-n", "10", "-s", size, *more)
             for serves in BOTH_WAYS for size, more in (("1", []), ("4096", ["-e"]), ("16384", []))]
            + [program(serves, f"ibv_{kind}_pingpong", "-c", "-n", "10", "-s", "1000", family=family)
               for kind in ("rc", "uc", "ud") for family in PLAIN for serves in BOTH_WAYS]
            + [program(serves, "ibv_srq_pingpong", "-c", "-n", "10", "-q", "4", family=family)
               for family in PLAIN for serves in BOTH_WAYS])
PERFTEST = ([program(serves, name, "-n", "20", "-s", size, *SLOW)
             for name in BW for size in ("1", "65536") for serves in BOTH_WAYS]
            + [program(serves, name, "-n", "5", "-s", "1048576", *SLOW) for name in BW for serves in BOTH_WAYS]
            + [program(serves, name, "-n", "10", "-s", "64", *SLOW, family=family)
               for name in LAT for family, serves in (("IPv4", False), ("IPv4", True), ("IPv6", False), ("IPv6", True))]
            + [program(serves, f"ib_atomic_{measure}", "-n", "10", *SLOW, *more) for measure in ("bw", "lat")
               for more in ([], ["-A", "CMP_AND_SWAP"]) for serves in BOTH_WAYS]
            + [program(serves, name, "-c", connection, "-n", "20", "-s", "1000", *SLOW)
               for name, connection in (("ib_write_bw", "UC"), ("ib_send_bw", "UC"), ("ib_send_bw", "UD"))
               for serves in BOTH_WAYS])
# Each MTU and address family, servers taking turns: who asks is turned about in any case.
TRANSFERS = [transfer((m + f) % 2 == 1, mtu, family)
             for f, family in enumerate(ADDRESSES) for m, mtu in enumerate(MTUS)]
CLEAN = ([ping("IPv4"), ping("IPv4", "-s", "1400"), ping("IPv6"), ping("VLAN"), ping("VLAN, IPv6")]
         + TRANSFERS + [transfer(serves, option="long") for serves in BOTH_WAYS]
         + [program(serves, "keys", family=family) for family in PLAIN for serves in BOTH_WAYS]
         + [group(serves, family) for family in PLAIN for serves in BOTH_WAYS]
         + PINGPONG + PERFTEST)
ERRORS = [refusals(serves, family) for serves, family in ((False, "IPv4"), (True, "IPv6"))]
# 8 Gb/s of 4096-byte packets are more than a 64-bit host interface carries in TLPs of 256 bytes: the NIC drops, the
# sender repeats.
FLOOD = ([program(serves, name, "-n", "20", "-s", "65536", *SLOW) for name in BW for serves in BOTH_WAYS]
         + [transfer(serves, option="reliable") for serves in BOTH_WAYS])
LOSS = ([transfer(serves, family=family, option="reliable") for family in PLAIN for serves in BOTH_WAYS]
        + [program(serves, name, "-n", "20", "-s", "16384", *SLOW) for name in BW for serves in BOTH_WAYS]
        + [program(serves, "ib_atomic_bw", "-n", "50", *SLOW) for serves in BOTH_WAYS])

# Linux repeats early, and repeats of what has been acknowledged go on arriving when the program has ended and its QP is
# gone: no answer is due for those, and only the program knows when that was.
NO_ANSWER_DUE = ["--grace", "1e9"]

# What .ci/run has time for, by title.
SHORT = {case[0] for case in [ping("IPv6"), transfer(False), transfer(True, 4096, "VLAN, IPv6"), refusals(True, "IPv6"),
                              program(True, "keys"), program(False, "ibv_ud_pingpong", "-c", "-n", "10", "-s", "1000"),
                              transfer(True, family="IPv6", option="reliable")]} | cm_cases.SHORT
# The guest answers a READ of 1 MiB at once, in device time: the switch has to hold that.
SETS = [("clean", {"link_gbps": 4, "queue": 1 << 22, **EXTRA}, NO_ANSWER_DUE, CLEAN),
        ("cm", {"link_gbps": 4, "queue": 1 << 22, **EXTRA}, NO_ANSWER_DUE, cm_cases.CASES + cm_cases.LONG),
        ("errors", {"link_gbps": 4, **EXTRA}, ["--faults"], ERRORS),
        ("flood", {"link_gbps": 8}, ["--faults"], FLOOD),
        ("loss", {"link_gbps": 4, "loss": 0.01}, NO_ANSWER_DUE, LOSS)]
