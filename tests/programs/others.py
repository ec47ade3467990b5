# SPDX-License-Identifier: Apache-2.0
"""Other programs of Debian 12 that use RDMA if they find it, unmodified, on two simulated NICs: fio's engine "rdma" and
qperf.  Both connect by rdma_cm.
"""
import glob
import os
import re
import subprocess
import time

import cm
import debian
import pair
import probe

PACKAGES = ["fio", "qperf"]
CASE_S = 300
SERVER, CLIENT = "10.0.0.1", "10.0.0.2"
FIO = ["--ioengine=rdma", "--port=7174", "--size=64k"]
# qperf has one name for the server, by which it connects over TCP and over rdma_cm: both addresses are the system's,
# too, in a network that the two processes have for themselves.
QPERF = f"""
ip link set lo up && ip addr add {SERVER}/32 dev lo && ip addr add {CLIENT}/32 dev lo || exit
$CAIRN -i 0 $PROGRAM & server=$!
$CAIRN -i 1 $PROGRAM --wait_server 60 --timeout 60 --time 2 -cm1 {SERVER} "$@"
code=$?
kill $server
exit $code
"""
NETWORK = ["unshare", "--user", "--map-root-user", "--net"]
# A server of qperf 0.4.11 ends each test with rdma_destroy_qp() of the ID that listens, which has no QP, and dies of it
# before it has answered the client's disconnecting.  The client waits for that, but no longer than this.
PATIENCE = {"CAIRN_CM_TIMEOUT": "16,2"}
# (name, function of Others and pair.Simulation that returns a pair.Result)
CASES = ([(f"fio --ioengine=rdma --verb={verb} --bs={size}", lambda o, sim, verb=verb, size=size: o.fio(sim, verb, size))
          for verb, size in (("write", "4k"), ("write", "64k"), ("read", "16k"), ("send", "4k"))]
         + [(f"qperf -cm1 {' '.join(words)}", lambda o, sim, words=words: o.qperf(sim, words))
            for words in (["-m", "64", "rc_lat"], ["-m", "4096", "rc_bw"], ["-m", "4096", "rc_rdma_read_lat"],
                          ["-m", "4096", "rc_rdma_write_bw"], ["ver_rc_compare_swap"], ["ver_rc_fetch_add"])])


class Others:
    """Where they are, unpacked; debian.Missing if they cannot be had."""

    def __init__(self, out):
        self.tree = os.path.abspath(debian.unpack(out, "others", [probe.RELEASE], PACKAGES))
        self.links = os.path.abspath(f"{out}/others-lib")
        os.makedirs(self.links, exist_ok=True)
        for path in glob.glob(f"{self.tree}/**/lib/x86_64-linux-gnu/**/*.so*", recursive=True):
            name = os.path.basename(path)
            if not probe.C_LIBRARY.match(name) and not os.path.lexists(f"{self.links}/{name}"):
                os.symlink(path, f"{self.links}/{name}")

    def fio(self, sim, verb, size):
        """A server that holds the memory on NIC 0, a client that writes, reads or sends on NIC 1."""
        words, began, client = [*FIO, f"--bs={size}"], time.monotonic(), None
        server = self.start(sim, 0, "fio", [*words, "--name=server", "--rw=read"], "server", CAIRN_LOG="1")
        try:
            cm.hears(server, CASE_S)
            client = self.start(sim, 1, "fio", [*words, "--name=client", "--rw=write", "--iodepth=4", f"--verb={verb}",
                                                f"--hostname={SERVER}"], "client")
            codes = pair.statuses(server, client, began + CASE_S)
        finally:
            outputs = [pair.end(process) for process in (server, client) if process]
        few = sim.uncarried(65536)
        result = pair.Result(f"fio, verb {verb}, {size}", codes, [*outputs[:1], "\n".join([*outputs[1:], few])],
                             time.monotonic() - began)
        result.ok = result.ok and not few
        return result

    def qperf(self, sim, words):
        """Both ends; the first exit status is of nobody."""
        environment = dict(os.environ, LD_LIBRARY_PATH=self.links, PROGRAM=f"{self.tree}/usr/bin/qperf",
                           CAIRN=f"{os.path.abspath(pair.CAIRN)} run -d {sim.run_dir}", **PATIENCE)
        began = time.monotonic()
        done = subprocess.run([*NETWORK, "sh", "-c", QPERF, "sh", *words], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=CASE_S, check=False)
        result = pair.Result(f"qperf {' '.join(words)}", [0, done.returncode], ["", done.stdout], time.monotonic() - began)
        result.ok = result.ok and bool(re.search(r"=\s+[1-9]", done.stdout)) and not sim.uncarried(1)
        return result

    def start(self, sim, nic, program, args, name, **environment):
        out = open(os.path.join(sim.dir, f"{name}.log"), "w+", encoding="utf-8", errors="replace")
        words = [os.path.abspath(pair.CAIRN), "run", "-d", sim.run_dir, "-i", str(nic), f"{self.tree}/usr/bin/{program}", *args]
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=sim.dir,
                                   env=dict(os.environ, LD_LIBRARY_PATH=self.links, **environment))
        process.cairn_log = out
        return process
