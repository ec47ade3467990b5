# SPDX-License-Identifier: Apache-2.0
"""Programs that connect by rdma_cm: librdmacm's own, unmodified, and perftest's -R, between two simulated NICs.

The same librdmacm and the same command lines run against Linux's rdma_cm in tests/interop/cm_cases.py.
"""
import select
import time

import pair

ADDRESSES = {"IPv4": ("10.0.0.1", "10.0.0.2"), "IPv6": ("fd00::1", "fd00::2"),
             "VLAN": ("10.0.5.1", "10.0.5.2"), "VLAN, IPv6": ("fd05::1", "fd05::2")}
GROUPS = {"IPv4": "239.1.2.0", "IPv6": "ff0e::100"}
VLAN = {"address": ["0=10.0.5.1@5", "0=fd05::1@5", "1=10.0.5.2@5", "1=fd05::2@5"]}
LISTENS = "cairn: listens for connections"
RECEIVES = 128  # libprovider/cm/port.h: from then on QP 1 hears
JOIN_S = 5  # a datagram is not sent again: the receiver has to have joined
PROGRAMS = ("rping", "ucmatose", "udaddy", "mckey", "rdma_server", "rdma_client", "rstream", "riostream")


def words(program, server, address, own, args):
    """One end's command line; address: the server's, own: this end's."""
    if program == "rping":
        return ["rping", "-s" if server else "-c", "-a", address, *args]
    if program == "mckey":
        return ["mckey", *([] if server else ["-s"]), "-b", own, *args]
    if program == "rdma_cs":
        return ["rdma_server", *args] if server else ["rdma_client", "-s", address, *args]
    if program.startswith("ib_"):
        return [program, "-F", "-R", *args, *([] if server else [address])]
    return [program, *args, *(["-b", address] if server else ["-s", address])]


def hears(process, seconds):
    """Until the program listens, which it says where CAIRN_LOG is set."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None and LISTENS not in pair.said(process):
        time.sleep(0.1)


def joins(sim, nic, process, seconds):
    """Until the program on that NIC has its QP 1 open and has, most likely, joined its group."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        if sim.stat()[f"nic{nic}"].get("doorbell_rq", 0) >= RECEIVES:
            break
        time.sleep(0.1)
    time.sleep(JOIN_S)


def is_ready(sim, nic, program, process, seconds):
    """Until the server on that NIC may be asked."""
    if program == "mckey":
        joins(sim, nic, process, seconds)
    else:
        hears(process, seconds)


def last_ping(program, args):
    """What rping's client shows of its last ping; None: another program."""
    return f"rdma-ping-{int(args[-1]) - 1}:" if program == "rping" and "-v" in args else None


def done(code, text, last, hangs_up=False):
    """rping's client looks at its state after the server has answered the last ping, and sees with bad luck that the
    server has ended already, which it takes for an error: what counts is that the last ping has come back.  So does
    rstream's with -T a, where POLLHUP, its exit status then, comes along with the last data: what counts is that the
    server has got and sent all (and with a server that waits before it hangs up, the client is content)."""
    return code == 0 or (last and last in text and "state 10" in text) or (hangs_up and code == select.POLLHUP)


def run(sim, program, args, family="IPv4", seconds=170):
    """pair.Result of server and client."""
    server, client, began = None, None, time.monotonic()
    address, other = ADDRESSES[family]
    mine, theirs = words(program, True, address, address, args), words(program, False, address, other, args)
    try:
        server = sim.start(0, mine[0], mine[1:], "server", CAIRN_LOG="1")
        is_ready(sim, 0, program, server, seconds)
        client = sim.start(1, theirs[0], theirs[1:], "client")
        codes = pair.statuses(server, client, began + seconds)
    finally:
        outputs = [pair.end(process) for process in (server, client) if process]
    result = pair.Result(" ".join([program, *args]), codes, outputs, time.monotonic() - began)
    last = last_ping(program, args)
    hangs_up = program == "rstream" and args[-2:] == ["-T", "a"]
    result.ok = all(done(code, text, last, hangs_up and process is client)
                    for process, code, text in zip((server, client), codes, outputs))
    return result


def refused(sim, port="9999"):
    """A server on another port: the client is told at once that nobody listens on this one (reason 8)."""
    server, began = sim.start(0, "rping", ["-s", "-a", "10.0.0.1", "-p", port], "server", CAIRN_LOG="1"), time.monotonic()
    client = None
    try:
        hears(server, 60)
        client = sim.start(1, "rping", ["-c", "-a", "10.0.0.1", "-C", "1"], "client")
        client.wait(60)
    finally:
        outputs = [pair.end(process) for process in (server, client) if process]
    result = pair.Result("rping to a port on which nobody listens", [0, client.poll()], outputs, time.monotonic() - began)
    result.ok = client.poll() not in (0, None) and "RDMA_CM_EVENT_REJECTED, error 8" in outputs[1]
    return result


def nobody(sim):
    """An address that no NIC has."""
    client, began = sim.start(1, "rping", ["-c", "-a", "10.0.0.99", "-C", "1"], "client"), time.monotonic()
    try:
        client.wait(60)
    finally:
        text = pair.end(client)
    result = pair.Result("rping to an address that nobody has", [0, client.poll()], ["", text], time.monotonic() - began)
    result.ok = client.poll() not in (0, None) and "RDMA_CM_EVENT_ADDR_ERROR, error -110" in text
    return result


CONNECT = "build/programs/own/connect"
# What a server and a client of own/connect.c do, and what the ones that live may have to say last.  A peer that dies at
# once may not have sent what it was about to send.
GONE = {"RDMA_CM_EVENT_UNREACHABLE -110", "RDMA_CM_EVENT_DISCONNECTED -110"}
DEATHS = {"rejected": ("reject", "close", None, {"RDMA_CM_EVENT_REJECTED 28"}),
          "server dies with the request": ("at-req", "close", None, {"RDMA_CM_EVENT_UNREACHABLE -110"}),
          "server dies when it has accepted": ("at-rep", "send", None, GONE | {"RDMA_CM_EVENT_CONNECT_ERROR -1"}),
          "server dies when it is connected": ("at-est", "send", None, {"RDMA_CM_EVENT_DISCONNECTED -110"}),
          "client dies when it has asked": ("accept", "at-req", GONE | {"accept: Connection timed out"}, None),
          "client dies when it is connected": ("send", "at-est", GONE, None),
          "client leaves without a word": ("accept", "leave", {"RDMA_CM_EVENT_DISCONNECTED 0"}, None)}


def ends(sim, serves, calls, count=1, seconds=120):
    """What both ends of own/connect.c have said, and their exit statuses."""
    server, client = sim.start(0, CONNECT, ["serve", "10.0.0.1", str(count), serves], "server", CAIRN_LOG="1"), None
    try:
        hears(server, seconds)
        client = sim.start(1, CONNECT, ["call", "10.0.0.1", str(count), calls], "client")
        for process in (client, server):
            process.wait(seconds)
    finally:
        said = [pair.end(process) for process in (server, client) if process]
    return said, [server.poll(), client.poll()]


def death(sim, name):
    """An end that lives learns what has become of the other, and has nothing left of it."""
    serves, calls, *wanted = DEATHS[name]
    said, codes = ends(sim, serves, calls)
    for text, code, last in zip(said, codes, wanted):
        lines = [line for line in text.splitlines() if line.startswith(("RDMA_CM", "accept:", "more:"))]
        good = code == 0 and lines[-1] == "more: 0" and lines[-2] in last if last else code in (0, -9)
        if not good:
            raise AssertionError(f"{name}: exit {code}:\n{text}")


def many(sim, count):
    """One connection after the other; nothing is left."""
    said, codes = ends(sim, "accept", "close", count, seconds=60 + 10 * count)
    for text, code in zip(said, codes):
        if code or not text.rstrip().endswith("more: 0") or text.count("RDMA_CM_EVENT_DISCONNECTED 0") != count:
            raise AssertionError(f"exit {code}:\n{text[-1000:]}")


# (program, arguments, family)
SHORT = [("rping", ["-v", "-V", "-C", "10"], "IPv4"), ("rping", ["-v", "-V", "-C", "5"], "IPv6"),
         ("ucmatose", ["-c", "2", "-C", "4"], "IPv4"), ("udaddy", ["-C", "4"], "IPv6"), ("rdma_cs", [], "IPv4"),
         ("rstream", ["-S", "1000", "-I", "3", "-C", "3"], "IPv4")]
CASES = ([("rping", ["-v", "-V", "-C", "1000"], family) for family in ("IPv4", "IPv6")]
         + [("rping", ["-v", "-V", "-S", size, "-C", "10"], "IPv4") for size in ("23", "4096", "60000")]
         + [("rping", ["-v", "-V", "-C", "10"], family) for family in ("VLAN", "VLAN, IPv6")]
         + [(program, [], family) for program in ("ucmatose", "udaddy") for family in ADDRESSES]
         + [("ucmatose", ["-c", "16", "-C", "4"], family) for family in ("IPv4", "IPv6")]
         + [("udaddy", ["-c", "4", "-C", "4"], "IPv4")]
         + [("rdma_cs", [], "IPv4"), ("mckey", ["-m", GROUPS["IPv4"], "-C", "4"], "IPv4"),
            ("mckey", ["-m", GROUPS["IPv6"], "-C", "4"], "IPv6")]
         + [(program, ["-S", size, "-I", "5", "-C", "5", *more], family) for program in ("rstream", "riostream")
            for size in ("64", "1000", "20000") for more in ([], ["-T", "a"], ["-T", "b"]) for family in ("IPv4", "IPv6")]
         + [(f"ib_{kind}_{measure}", ["-n", "20", "-s", "4096"], family) for kind in ("write", "read", "send")
            for measure in ("bw", "lat") for family in ("IPv4", "VLAN")]  # Debian 12's resolves no IPv6 address
         + [("ib_send_bw", ["-c", "UD", "-n", "20", "-s", "1000"], "IPv4"), ("ib_atomic_bw", ["-n", "20"], "IPv4")])


def name(case):
    program, args, family = case
    return f"{' '.join([program, *args])} by rdma_cm, {family}"
