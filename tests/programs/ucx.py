# SPDX-License-Identifier: Apache-2.0
"""UCX 1.13.1 over two NICs: ucx_perftest of Debian's ucx-utils, unmodified; every test of the protocol layer (UCP) over
rc_verbs and ud_verbs, IPv4 and IPv6, and with nothing said to UCX at all, and those of the transport layer (UCT).

The packages are unpacked into build/programs, nothing is installed.  UCX looks for its modules in "ucx" beside its
library, so a link there does for UCX_MODULE_DIR.  It takes the device only if the files it looks for seem to be there
(libprovider/files.h), and a datagram over IPv4 only if the completion says so (sl).

With nothing said UCX takes shared memory between two processes of one IPC namespace (uct_sm_iface_is_reachable()).  As
on two machines each process has its own, by `unshare` and without a privilege; network interfaces stay, but UCX's
estimate for the NIC is better than that for TCP.  Whatever it takes, the counters say what the NICs have carried.
"""
import glob
import os
import subprocess
import time

import debian
import pair

RELEASE = "bookworm"  # has UCX 1.13.1
PACKAGE = "ucx-utils"
LIBRARIES = ["libucp.so.0", "libuct.so.0", "libucs.so.0", "libucm.so.0", "libibverbs.so.1", "librdmacm.so.1",
             "libmlx5.so.1", "libnuma.so.1", "libgomp.so.1"]
TRANSPORTS = {"rc_verbs": "rc_v", "ud_verbs": "ud_v"}  # UCX_TLS: with what they need to connect
GIDS = {1: "IPv4", 2: "IPv6"}
SIZES = ["8", "5000", "65536"]  # inline, one packet and a bit, many
UCP = ["tag_lat", "tag_bw", "tag_sync_lat", "tag_sync_bw", "ucp_put_lat", "ucp_put_bw", "ucp_get", "stream_lat",
       "stream_bw", "ucp_am_lat", "ucp_am_bw"]
UCP_ATOMICS = ["ucp_add", "ucp_fadd", "ucp_swap", "ucp_cswap"]
# What the transport itself can: no swap and none of 4 bytes with verbs, and of datagrams active messages only.
UCT = {"rc_verbs": [("am_lat", "8"), ("am_lat", "5000", "-D", "bcopy"), ("am_bw", "8000", "-D", "zcopy"),
                    ("put_lat", "8"), ("put_lat", "5000", "-D", "bcopy"), ("put_bw", "65536", "-D", "zcopy"),
                    ("get", "1000", "-D", "bcopy"), ("get", "65536", "-D", "zcopy"), ("add_lat", "8"), ("fadd", "8"),
                    ("cswap", "8")],
       "ud_verbs": [("am_lat", "8"), ("am_lat", "4000", "-D", "bcopy"), ("am_bw", "8"), ("am_bw", "4000", "-D", "zcopy")]}
COUNT = 4
ALONE = ["unshare", "--user", "--map-current-user", "--ipc"]
CASE_S = 300


class Case:
    """What ucx_perftest is told, and in which variables of UCX."""

    def __init__(self, test, size, *more, transport=None, gid=None, device=None):
        self.words = ["-t", test, "-s", size, *more, "-n", str(COUNT), "-w", "1"]
        self.alone = transport is None
        self.view = device is not None  # both ends name it
        self.environment = {}
        if self.view:
            self.words += ["-x", transport, "-d", device]
        elif transport:
            self.environment["UCX_TLS"] = TRANSPORTS[transport]
        if gid:
            self.environment["UCX_IB_GID_INDEX"] = str(gid)
        self.payload = int(size) * COUNT * (2 if test.endswith("_lat") else 1)
        said = [f"{transport} {GIDS[gid]}" if gid else "nothing said"]
        self.name = " ".join(["ucx_perftest", *self.words]) + f", {said[0]}"


def cases():
    for turn, (transport, gid) in enumerate([(name, gid) for name in TRANSPORTS for gid in GIDS] + [(None, None)]):
        for i, test in enumerate(UCP):  # each size in some of the five
            yield Case(test, SIZES[(i + turn) % 3], transport=transport, gid=gid)
        for i, test in enumerate(UCP_ATOMICS):
            yield Case(test, ["4", "8"][(i + turn) % 2], transport=transport, gid=gid)
    for size in SIZES:
        yield Case("tag_bw", size)
    for transport, tests in UCT.items():
        for gid in GIDS:
            for test in tests:
                yield Case(*test, transport=transport, gid=gid, device="cairn_0:1")


class Ucx:
    """Where it is, unpacked; debian.Missing if it cannot be had."""

    def __init__(self, out):
        tree = os.path.abspath(debian.unpack(out, "ucx", [RELEASE], [PACKAGE]))
        libraries = f"{tree}/usr/lib/x86_64-linux-gnu"
        links = os.path.abspath(f"{out}/ucx-lib")
        os.makedirs(links, exist_ok=True)
        for name in [*LIBRARIES, "ucx"]:
            if not glob.glob(f"{libraries}/{name}"):
                raise debian.Missing(f"{PACKAGE} of {RELEASE} came without {name}")
            if not os.path.lexists(f"{links}/{name}"):
                os.symlink(f"{libraries}/{name}", f"{links}/{name}")
        self.program = f"{tree}/usr/bin/ucx_perftest"
        none = {name: value for name, value in os.environ.items() if not name.startswith("UCX_")}
        self.environment = dict(none, LD_LIBRARY_PATH=links)

    def start(self, sim, nic, case, words, name):
        out = open(os.path.join(sim.dir, f"{name}.log"), "w+", encoding="utf-8", errors="replace")
        environment = dict(self.environment, **case.environment)
        where = ["-d", sim.view(nic), "-i", "0"] if case.view else ["-d", sim.run_dir, "-i", str(nic)]
        process = subprocess.Popen([*(ALONE if case.alone else []), pair.CAIRN, "run", *where, self.program, *words],
                                   stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment)
        process.cairn_log = out
        return process

    def pair(self, sim, case):
        """pair.Result of a server on NIC 0 and a client on NIC 1."""
        port, began = pair.free_port(), time.monotonic()
        words = ["-p", str(port), *case.words]
        server, client = self.start(sim, 0, case, words, "server"), None
        try:
            pair.wait_listen(server, port, pair.START_S)
            client = self.start(sim, 1, case, ["localhost", *words], "client")
            codes = pair.statuses(server, client, began + CASE_S)
        finally:
            outputs = [pair.end(process) for process in (server, client) if process]
        few = sim.uncarried(case.payload)
        result = pair.Result(case.name, codes, [*outputs[:1], "\n".join([*outputs[1:], few])], time.monotonic() - began)
        result.ok = result.ok and not few and not any(" ERROR " in text or " WARN " in text for text in outputs)
        return result


def may_be_alone():
    """Namespaces can be made here; else what is wrong."""
    done = subprocess.run([*ALONE, "true"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return "" if not done.returncode else done.stdout.strip()
