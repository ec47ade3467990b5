# SPDX-License-Identifier: Apache-2.0
"""Connections by rdma_cm between a simulated NIC and Linux: librdmacm's own programs and perftest's -R, each end the
server once.  Cairn's end is libprovider/cm behind Debian's librdmacm, Linux's is the kernel's rdma_cm.
"""
import time

import cm
import pair
import peer

CAIRN = {family: addresses[0] for family, addresses in cm.ADDRESSES.items()}
ROLES = {True: "client peer, server Cairn", False: "client Cairn, server peer"}
LISTENING = "until rdma resource show cm_id | grep -q 'state LISTEN'; do usleep 100000; done"
GONE = "until [ -z \"$(rdma resource show cm_id)\" ]; do usleep 100000; done"


def run_ends(both, cairn_serves, program, args, family, seconds):
    """(exit status, output) of Cairn's end and the peer's."""
    address = CAIRN[family] if cairn_serves else peer.ADDRESSES[family]
    mine = cm.words(program, cairn_serves, address, CAIRN[family], args)
    theirs = cm.words(program, not cairn_serves, address, peer.ADDRESSES[family], args)
    until, here = time.monotonic() + seconds, None
    try:
        if cairn_serves:
            here = both.sim.start(0, mine[0], mine[1:], "cairn", CAIRN_LOG="1")
            cm.is_ready(both.sim, 0, program, here, seconds)
            there = both.guest.start(theirs, seconds)
        else:
            there = both.guest.start(theirs, seconds)
            both.guest.run(LISTENING if program != "mckey" else f"sleep {cm.JOIN_S}", 30)
            here = both.sim.start(0, mine[0], mine[1:], "cairn")
        there.wait()
        while here.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        code = here.poll()
    finally:
        said = pair.end(here) if here else ""
    return (code, said), (there.code, there.output)


def told(program, args, mine, theirs):
    def lines(name, end):
        return [f"  {name}: " + ("no end in time" if end[0] in (None, 124, 143) else f"exit {end[0]}"),
                *pair.extract(end[1])]
    return "\n".join([f"{program} {' '.join(args)}:", *lines("peer", theirs), *lines("Cairn", mine)])


def connected(cairn_serves, program, *args, family="IPv4", seconds=240):
    """Both ends do all of it; afterwards Linux has no connection left."""
    last = cm.last_ping(program, args)

    def case(both):
        mine, theirs = run_ends(both, cairn_serves, program, args, family, seconds)
        if not cm.done(*mine, last) or not cm.done(*theirs, last):
            raise pair.Failure(told(program, args, mine, theirs))
        code, said = both.guest.run(GONE, 60)
        if code:
            raise pair.Failure(f"connections are left in the peer: {said}")
        return ""
    return f"{program} {' '.join(args)}, {family}: {ROLES[cairn_serves]}", case


def no_listener(cairn_serves):
    """A server on another port: the client is told that nobody listens on this one (reason 8), at once."""
    def case(both):
        address = CAIRN["IPv4"] if cairn_serves else peer.ADDRESSES["IPv4"]
        here, client = None, ["rping", "-c", "-a", address, "-C", "1"]
        try:
            if cairn_serves:
                here = both.sim.start(0, "rping", ["-s", "-a", address, "-p", "9999"], "cairn", CAIRN_LOG="1")
                cm.hears(here, 60)
                code, said = both.guest.run(" ".join(client), 60)
            else:
                here = both.sim.start(0, client[0], client[1:], "cairn")
                code = here.wait(60)
        finally:
            mine = pair.end(here) if here else ""
        said = said if cairn_serves else mine
        if code == 0 or "RDMA_CM_EVENT_REJECTED, error 8" not in said:
            raise pair.Failure(f"exit {code}: {said}")
        return ""
    return f"no listener: {ROLES[cairn_serves]}", case


BOTH_WAYS = (False, True)
# Linux 6.1 joins no group of IPv6 on RoCE: ENOTSUPP.
CASES = ([connected(serves, "rping", "-v", "-V", "-C", "20", family=family)
          for family in CAIRN for serves in BOTH_WAYS]
         + [connected(serves, "ucmatose", "-c", "16", "-C", "4") for serves in BOTH_WAYS]
         + [connected(serves, program, family=family) for program in ("ucmatose", "udaddy")
            for family in ("IPv4", "IPv6") for serves in BOTH_WAYS]
         + [connected(serves, "rdma_cs") for serves in BOTH_WAYS]
         + [connected(serves, "mckey", "-m", cm.GROUPS["IPv4"], "-C", "4") for serves in BOTH_WAYS]
         + [connected(serves, program, "-S", "1000", "-I", "5", "-C", "5")
            for program in ("rstream", "riostream") for serves in BOTH_WAYS]
         + [connected(serves, "ib_write_bw", "-n", "20", "-s", "4096") for serves in BOTH_WAYS]
         + [connected(serves, "ib_send_bw", "-c", "UD", "-n", "20", "-s", "1000") for serves in BOTH_WAYS]
         + [no_listener(serves) for serves in BOTH_WAYS])
LONG = [connected(serves, "rping", "-v", "-V", "-C", "1000", family=family, seconds=900)
        for family in ("IPv4", "IPv6") for serves in BOTH_WAYS]
SHORT = {case[0] for case in [connected(True, "rping", "-v", "-V", "-C", "20"),
                              connected(False, "rping", "-v", "-V", "-C", "20", family="IPv6"),
                              connected(True, "udaddy"), no_listener(True)]}
