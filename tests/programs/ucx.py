# SPDX-License-Identifier: Apache-2.0
"""UCX 1.13.1 over two NICs: ucx_perftest of Debian's ucx-utils, unmodified, on rc_verbs and ud_verbs, IPv4 and IPv6,
and with the device and the GID that it finds itself.

The packages are unpacked into build/programs, nothing is installed.  UCX takes the device only if the files it looks
for seem to be there (libprovider/files.h), and a datagram over IPv4 only if the completion says so (sl).
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
TRANSPORTS = ["rc_v", "ud_v"]  # with what they need to connect
GIDS = {1: "IPv4", 2: "IPv6"}  # None: UCX chooses device and GID
# Arguments of ucx_perftest; sizes around what goes inline, into one packet, and beyond.
TESTS = [["-t", "tag_lat", "-n", "20", "-w", "2", "-s", "8"],
         ["-t", "tag_bw", "-n", "6", "-w", "1", "-s", "65536"],
         ["-t", "ucp_put_bw", "-n", "10", "-w", "1", "-s", "5000"],
         ["-t", "ucp_get", "-n", "6", "-w", "1", "-s", "1000"]]
CASE_S = 300


def cases():
    """(name, transport, GID index, arguments)"""
    for transport in TRANSPORTS:
        for gid, family in GIDS.items():
            for words in TESTS:
                yield f"ucx_perftest {transport} {family} {' '.join(words)}", transport, gid, words
        yield f"ucx_perftest {transport} {' '.join(TESTS[0])}, found by itself", transport, None, TESTS[0]


class Ucx:
    """Where it is, unpacked; debian.Missing if it cannot be had."""

    def __init__(self, out):
        tree = os.path.abspath(debian.unpack(out, "ucx", [RELEASE], [PACKAGE]))
        libraries = f"{tree}/usr/lib/x86_64-linux-gnu"
        links = os.path.abspath(f"{out}/ucx-lib")
        os.makedirs(links, exist_ok=True)
        for name in LIBRARIES:
            if not glob.glob(f"{libraries}/{name}"):
                raise debian.Missing(f"{PACKAGE} of {RELEASE} came without {name}")
            if not os.path.lexists(f"{links}/{name}"):
                os.symlink(f"{libraries}/{name}", f"{links}/{name}")
        self.program = f"{tree}/usr/bin/ucx_perftest"
        self.environment = dict(os.environ, LD_LIBRARY_PATH=links, UCX_MODULE_DIR=f"{libraries}/ucx",
                                UCX_LOG_LEVEL="warn")

    def start(self, sim, nic, transport, gid, words, name):
        out = open(os.path.join(sim.dir, f"{name}.log"), "w+", encoding="utf-8", errors="replace")
        environment = dict(self.environment, UCX_TLS=transport)
        if gid is not None:
            environment.update(UCX_IB_GID_INDEX=str(gid), UCX_NET_DEVICES=f"cairn_{nic}:1")
        process = subprocess.Popen([pair.CAIRN, "run", "-d", sim.run_dir, "-i", str(nic), self.program, *words],
                                   stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment)
        process.cairn_log = out
        return process

    def pair(self, sim, transport, gid, words):
        """pair.Result of a server on NIC 0 and a client on NIC 1."""
        port, began = pair.free_port(), time.monotonic()
        words = ["-p", str(port), *words]
        server, client = self.start(sim, 0, transport, gid, words, "server"), None
        try:
            pair.wait_listen(server, port, pair.START_S)
            client = self.start(sim, 1, transport, gid, ["localhost", *words], "client")
            for process in (client, server):
                try:
                    process.wait(max(0.1, began + CASE_S - time.monotonic()))
                except subprocess.TimeoutExpired:
                    pass
            codes = [process.poll() for process in (server, client)]
        finally:
            outputs = [pair.end(process) for process in (server, client) if process]
        return pair.Result(" ".join(["ucx_perftest", *words]), codes, outputs, time.monotonic() - began)
