# SPDX-License-Identifier: Apache-2.0
"""Connections by rdma_cm between a simulated NIC and Linux: librdmacm's own programs and perftest's -R, each end the
server once.  Cairn's end is libprovider/cm behind Debian's librdmacm, Linux's is the kernel's rdma_cm.
"""
import time

import pair
import peer

CAIRN = {"IPv4": "10.0.0.1", "IPv6": "fd00::1", "VLAN": "10.0.5.1", "VLAN, IPv6": "fd05::1"}
GROUP = "239.1.2.0"  # Linux 6.1 joins no group of IPv6 on RoCE: ENOTSUPP
JOIN_S = 5  # a datagram is not sent again: the receiver has to have joined
ROLES = {True: "client peer, server Cairn", False: "client Cairn, server peer"}
RECEIVES = 128  # libprovider/cm/port.h: from then on QP 1 hears
LISTENING = "until rdma resource show cm_id | grep -q 'state LISTEN'; do usleep 100000; done"
GONE = "until [ -z \"$(rdma resource show cm_id)\" ]; do usleep 100000; done"
PROGRAMS = ("rping", "ucmatose", "udaddy", "mckey", "rdma_server", "rdma_client", "rstream", "riostream")


def words(program, server, address, own, args):
    """One end's command line; `own`: its address."""
    if program == "rping":
        return ["rping", "-s" if server else "-c", "-a", address, *args]
    if program == "mckey":
        return ["mckey", *([] if server else ["-s"]), "-b", own, *args]
    if program == "rdma_cs":
        return ["rdma_server", *args] if server else ["rdma_client", "-s", address, *args]
    if program.startswith("ib_"):
        return [program, "-R", *args, *([] if server else [address])]
    return [program, *args, *(["-b", address] if server else ["-s", address])]


def hears(both, here, seconds):
    """Until the program on the simulated NIC has its QP 1 open; it listens in the next moment."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and here.poll() is None:
        if both.sim.stat()["nic0"].get("doorbell_rq", 0) >= RECEIVES:
            time.sleep(0.5)
            return
        time.sleep(0.1)


def run_ends(both, cairn_serves, program, args, family, seconds):
    """(exit status, output) of Cairn's end and the peer's."""
    address = CAIRN[family] if cairn_serves else peer.ADDRESSES[family]
    mine = words(program, cairn_serves, address, CAIRN[family], args)
    theirs = words(program, not cairn_serves, address, peer.ADDRESSES[family], args)
    until, here = time.monotonic() + seconds, None
    try:
        if cairn_serves:
            here = both.sim.start(0, mine[0], mine[1:], "cairn")
            hears(both, here, seconds)
            time.sleep(JOIN_S if program == "mckey" else 0)
            there = both.guest.start(theirs, seconds)
        else:
            there = both.guest.start(theirs, seconds)
            both.guest.run(LISTENING if program != "mckey" else f"sleep {JOIN_S}", 30)
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
                *("    " + line for line in end[1].strip().splitlines()[:14])]
    return "\n".join([f"{program} {' '.join(args)}:", *lines("peer", theirs), *lines("Cairn", mine)])


def all_done(end, last):
    """rping's client looks at its state after the server has answered the last ping, and sees with bad luck that the
    server has ended already, which it takes for an error: what counts is that the last ping has come back."""
    return end[0] == 0 or (last and last in end[1] and "state 10" in end[1])


def connected(cairn_serves, program, *args, family="IPv4", seconds=240):
    """Both ends do all of it; afterwards Linux has no connection left."""
    last = f"rdma-ping-{int(args[-1]) - 1}:" if program == "rping" and "-v" in args else None

    def case(both):
        mine, theirs = run_ends(both, cairn_serves, program, args, family, seconds)
        if not all_done(mine, last) or not all_done(theirs, last):
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
                here = both.sim.start(0, "rping", ["-s", "-a", address, "-p", "9999"], "cairn")
                hears(both, here, 60)
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
CASES = ([connected(serves, "rping", "-v", "-V", "-C", "20", family=family)
          for family in CAIRN for serves in BOTH_WAYS]
         + [connected(serves, "ucmatose", "-c", "16", "-C", "4") for serves in BOTH_WAYS]
         + [connected(serves, program, family=family) for program in ("ucmatose", "udaddy")
            for family in ("IPv4", "IPv6") for serves in BOTH_WAYS]
         + [connected(serves, "rdma_cs") for serves in BOTH_WAYS]
         + [connected(serves, "mckey", "-m", GROUP, "-C", "4") for serves in BOTH_WAYS]
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
