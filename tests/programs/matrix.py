# SPDX-License-Identifier: Apache-2.0
"""The programs that must run unmodified, and with which arguments; used by test_programs.py (a few) and run (all).

Each group is run on a pair of NICs of its own and gives one capture.  Sizes and counts are such that the whole takes
well below an hour on two cores: the simulated wire carries about 1 MB/s at 512 bits and a third of that at 64.
"""
from collections import namedtuple

# gid: index in the tables that `cairn sim` gives its NICs.
LINK_LOCAL, IPV4, IPV6, VLAN_IPV4, VLAN_IPV6 = range(5)
VLAN = {"address": ["0=10.0.5.1@5", "0=fd05::1@5", "1=10.0.5.2@5", "1=fd05::2@5"]}  # for the last two
Case = namedtuple("Case", "program args gid")
Group = namedtuple("Group", "name options cases")

LARGEST = 1 << 20
ALL_SIZES = [1 << n for n in range(21)]  # what -a covers, to 1 MiB
DATAGRAM = 4096  # the longest one
INLINE = 220


def pingpong(size, mtu, *more, count=10, kind="rc", gid=IPV4):
    path = [] if kind == "ud" else ["-m", str(mtu)]
    return Case(f"ibv_{kind}_pingpong", ["-s", str(size), *path, "-n", str(count), "-c", *more], gid)


def perftest(program, *args, gid=IPV4):
    return Case(program, list(args), gid)


def name(case):
    return " ".join([case.program, *case.args]) + [", IPv6 link-local", "", ", IPv6", ", VLAN", ", VLAN, IPv6"][case.gid]


# ---------------------------------------------------------------- ping-pong, all with data check

RC_PINGPONG = ([pingpong(size, mtu, *more) for more in ([], ["-e"])
                for size in (1, 64, 4096, 65536) for mtu in (256, 1024, 4096)]
               + [pingpong(1000, 1024, *more) for more in (["-N"], ["-N", "-e"], ["-t"], ["-t", "-e", "-N"])]
               + [pingpong(size, 1024, *more, gid=IPV6) for size in (1, 4096) for more in ([], ["-e"], ["-N"])]
               + [pingpong(1000, 1024, gid=LINK_LOCAL)])

UC_PINGPONG = [pingpong(size, mtu, *more, kind="uc", gid=gid) for gid in (IPV4, IPV6)
               for more in ([], ["-e"]) for size, mtu in ((1, 256), (1000, 1024), (8192, 4096))]

UD_PINGPONG = [pingpong(size, 0, *more, kind="ud", gid=gid) for gid in (IPV4, IPV6)
               for more in ([], ["-e"]) for size in (1, 1000, 2048)]

SRQ_PINGPONG = [pingpong(size, mtu, "-q", "8", *more, count=5, kind="srq", gid=gid) for gid in (IPV4, IPV6)
                for more in ([], ["-e"]) for size, mtu in ((1, 256), (3000, 1024))]

# ---------------------------------------------------------------- perftest

TRANSPORTS = {"write": ("RC", "UC"), "read": ("RC",), "send": ("RC", "UC", "UD"), "atomic": ("RC",)}


def sized(kind, transport, *sizes):
    """Arguments of these sizes, where the program has them: atomics have 8 bytes, datagrams an end."""
    if kind == "atomic":
        return [[]]
    return [["-s", str(size)] for size in sizes if transport != "UD" or size <= DATAGRAM]


def modes(kind, measure):
    """The options that each program of perftest is run with."""
    more = [[]]
    if measure == "bw":
        more += [["-b"], ["-q", "8"], ["-b", "-q", "8"]]
    if kind in ("write", "send"):
        more += [["-I", str(INLINE)]]
    if kind != "write":
        more += [["-e"]]
    if kind == "atomic":
        more += [["-A", "CMP_AND_SWAP"]]
    return more


def perftests(transport):
    return [perftest(f"ib_{kind}_{measure}", "-c", transport, "-n", "20", *size, *mode)
            for kind, transports in TRANSPORTS.items() if transport in transports
            for measure in ("bw", "lat") for mode in modes(kind, measure)
            for size in sized(kind, transport, *((64,) if mode else (2, 4096)))]


# -q Q posts only n / Q receives per QP to their SRQ, and nothing holds a UD sender back: many small ones overrun the
# SRQ whenever the program that refills it is slower than the wire, with any NIC, and then it waits for ever.
SHARED = [perftest(f"ib_send_{measure}", "-c", transport, "-n", "20", "-s", size, "--use-srq", *more)
          for transport in ("RC", "UD") for size in ("64", "4096")
          for measure, more in (("bw", []), ("bw", ["-q", "8"]), ("lat", []))
          if not (transport == "UD" and size == "64" and more)]

IPV6_PERFTEST = [perftest(f"ib_{kind}_{measure}", "-c", transport, "-n", "10", *size, gid=IPV6)
                 for kind, transports in TRANSPORTS.items() for transport in transports for measure in ("bw", "lat")
                 for size in sized(kind, transport, 4096)]

RAGGED = [perftest(f"ib_{kind}_bw", "-n", "20", "-s", str(size)) for kind in ("write", "read", "send")
          for size in (3, 255, 257, 4095, 4097, 12345)]


IN_VLAN = ([pingpong(1000, 0 if kind == "ud" else 1024, kind=kind, count=5, gid=gid)
            for kind in ("rc", "uc", "ud") for gid in (VLAN_IPV4, VLAN_IPV6)]
           + [perftest(f"ib_{kind}_bw", "-n", "20", "-s", "4096", "-S", "5", gid=gid)
              for kind in ("write", "read", "send") for gid in (VLAN_IPV4, VLAN_IPV6)]
           + [perftest("ib_atomic_lat", "-n", "20", gid=VLAN_IPV4)])

# Ours, linked with libibverbs alone (own/): windows and invalidation; multicast.
OWN = [Case("build/programs/own/keys", [], IPV4), Case("build/programs/own/group", [], IPV4),
       Case("build/programs/own/group", [], IPV6)]


def sweep(sizes):
    return [perftest(f"ib_{kind}_{measure}", "-c", transport, "-n", "5", *size)
            for kind in ("write", "read", "send") for transport in TRANSPORTS[kind] for measure in ("bw", "lat")
            for size in sized(kind, transport, *sizes)]


GROUPS = [
    Group("rc_pingpong", {}, RC_PINGPONG),
    Group("uc_pingpong", {}, UC_PINGPONG),
    Group("ud_pingpong", {}, UD_PINGPONG),
    Group("srq_pingpong", {}, SRQ_PINGPONG),
    Group("perftest_rc", {}, perftests("RC")),
    Group("perftest_uc", {}, perftests("UC")),
    Group("perftest_ud", {}, perftests("UD")),
    Group("perftest_srq", {}, SHARED),
    Group("perftest_ipv6", {}, IPV6_PERFTEST),
    Group("vlan", VLAN, IN_VLAN),
    Group("ragged", {}, RAGGED),
    Group("own", {}, OWN),
    Group("sizes", {}, sweep([size for size in ALL_SIZES if size <= 8192])),
    Group("large", {"width": 512}, sweep([size for size in ALL_SIZES if 8192 < size < LARGEST])),
    Group("largest", {"width": 512}, sweep([LARGEST])),
]

# One fault each, a wire of its own.
FAULTS = [({fault: 0.01}, pingpong(8192, 1024, count=300)) for fault in ("loss", "reorder", "corrupt", "dup")]
