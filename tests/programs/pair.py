# SPDX-License-Identifier: Apache-2.0
"""Unmodified verbs programs on simulated NICs: start `cairn sim`, run a server and a client through `cairn run`.

    with Simulation(loss=0.01) as sim:
        result = sim.pair("ibv_rc_pingpong", ["-n", "10", "-c"])
        result.ok, result.text()

Runs from the top of the tree after `make all`.  Everything a run leaves is in sim.dir: wire.pcapng, sim.log, server
and client output.  Processes are ended by their own handles, in any case.  CAIRN_BIN names another tool than
build/bin/cairn.
"""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

CAIRN = os.environ.get("CAIRN_BIN", "build/bin/cairn")
START_S = 60  # a sanitized or busy machine loads a model slowly


class Failure(Exception):
    """Something could not be run; the text says what, and what to do."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def program_args(program, nic, port, gid=1):
    """What names the device, the GID index (1: IPv4) and the TCP port, in the words of the program's family."""
    return ["-d", f"cairn_{nic}", *gid_args(program, gid), "-p", str(port)]


def gid_args(program, gid):
    """GID index.  perftest measures the processor's clock in its report, and without -F ends with "Can't produce a
    report" where the machine is so busy that the measurements are no line."""
    return ["-g", str(gid)] if not program.startswith("ib_") else ["-F", "-x", str(gid)]


def extract(text):
    """Lines of an output: its end, and its beginning, where stderr is if stdout was kept back."""
    lines = ["    " + line for line in text.strip().splitlines()]
    return lines if len(lines) <= 24 else [*lines[:8], "    ...", *lines[-14:]]


class Result:
    """Exit statuses (None: had to be ended) and outputs of a server and a client."""

    def __init__(self, words, codes, outputs, seconds):
        self.words, self.codes, self.outputs, self.seconds = words, codes, outputs, seconds
        self.ok = codes == [0, 0]

    def text(self):
        lines = [f"$ {self.words}"]
        for name, code, out in zip(("server", "client"), self.codes, self.outputs):
            lines.append(f"{name}: " + ("no end in time" if code is None else f"exit {code}"))
            lines += extract(out)
        return "\n".join(lines)


class Simulation:
    """A running `cairn sim`; options by their long names (loss=0.01, width=512, rule=[...])."""

    def __init__(self, directory=None, pcap="wire.pcapng", **options):
        self.keep = directory is not None
        self.dir = directory or tempfile.mkdtemp(prefix="cairn-")
        self.pcap = os.path.join(self.dir, pcap) if pcap else None
        self.options, self.process, self.log, self.counted = options, None, None, {}

    def __enter__(self):
        os.makedirs(self.dir, exist_ok=True)
        self.run_dir = tempfile.mkdtemp(prefix="cairn-run-")  # socket paths have to be short
        words = [CAIRN, "sim", "-d", self.run_dir]
        if self.pcap:
            words += ["--pcap", self.pcap]
        for name, value in self.options.items():
            for one in value if isinstance(value, list) else [value]:
                words.append(f"--{name.replace('_', '-')}" + ("" if one is True else f"={one}"))
        self.log = open(os.path.join(self.dir, "sim.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if line.strip() != "ready":
            code = self.process.wait()
            self.log.seek(0)
            raise Failure(f"{' '.join(words)}: exit {code}: {self.log.read().strip()}")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.run_dir, ignore_errors=True)
        if not self.keep:
            shutil.rmtree(self.dir, ignore_errors=True)

    def stat(self):
        """Counters of all NICs, {"nic0": {name: value, ..., "qps": {qpn: {name: value}}}}."""
        out = subprocess.run([CAIRN, "stat", "-d", self.run_dir, "--json"], stdout=subprocess.PIPE, check=True, timeout=30)
        return json.loads(out.stdout)

    def uncarried(self, payload):
        """What is wrong with what the NICs have got over the wire since the last call, or nothing.  The wire's bytes
        are exact; the device's counters are as old as their last reading when a program that ends resets them.
        """
        counts, before = self.stat(), self.counted
        self.counted = {nic: count["wire_rx_bytes"] for nic, count in counts.items()}
        got = {nic: n - before.get(nic, 0) for nic, n in self.counted.items()}
        if not any(count["rx_roce_packets"] for count in counts.values()) or not all(got.values()):
            return f"not over RoCE: {got} bytes"
        return "" if sum(got.values()) >= payload else f"{got} bytes over the wire, of {payload} sent"

    def view(self, nic):
        """A run directory in which the NIC is cairn_0, as the first NIC of each machine is."""
        path = f"{self.run_dir}/{nic}"
        if not os.path.isdir(path):
            os.mkdir(path, mode=0o700)
            os.link(f"{self.run_dir}/nic{nic}.sock", f"{path}/nic0.sock")
            with open(f"{self.run_dir}/nic{nic}.json", encoding="utf-8") as facts:
                known = dict(json.load(facts), name="cairn_0")
            with open(os.open(f"{path}/nic0.json", os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as facts:
                json.dump(known, facts)
        return path

    def start(self, nic, program, args, name, **environment):
        """The program on that NIC; its output goes to NAME.log."""
        if not shutil.which(program):
            raise Failure(f"{program} is not installed: see packages.txt, or run `make deps`")
        out = open(os.path.join(self.dir, f"{name}.log"), "w+", encoding="utf-8", errors="replace")
        words = [CAIRN, "run", "-d", self.run_dir, "-i", str(nic), program, *args]
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   env=dict(os.environ, **environment))
        process.cairn_log = out
        return process

    def pair(self, program, args=(), timeout=170, client_args=(), nics=(0, 1), gid=1):
        """Server on one NIC, client on the other, until both have ended or `timeout` seconds are over."""
        port, began = free_port(), time.monotonic()
        server = self.start(nics[0], program, [*program_args(program, nics[0], port, gid), *args], "server")
        client = None
        try:
            wait_listen(server, port, min(timeout, START_S))
            client = self.start(nics[1], program, [*program_args(program, nics[1], port, gid), *args, *client_args,
                                                   "localhost"], "client")
            codes = statuses(server, client, began + timeout)
        finally:
            outputs = [end(p) for p in (server, client) if p]
        return Result(" ".join([program, *args]), codes, outputs, time.monotonic() - began)


def wait_listen(process, port, seconds):
    """Until the process listens on the port (or has ended: the client will then fail and show it)."""
    until = time.monotonic() + seconds
    wanted = f":{port:04X}"
    while time.monotonic() < until and process.poll() is None:
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            with open(table, encoding="ascii") as rows:
                for row in rows:
                    field = row.split()
                    if field[1].endswith(wanted) and field[3] == "0A":
                        return
        time.sleep(0.05)


def statuses(server, client, until):
    """Exit statuses of both; None of one that has not ended by then.  A server whose client has failed may wait for ever."""
    for process in (client, server):
        if client.poll():
            until = min(until, time.monotonic() + 10)
        try:
            process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
    return [process.poll() for process in (server, client)]


def said(process):
    """What it has written so far; the log's own place, which it writes at, stays."""
    with open(process.cairn_log.name, encoding="utf-8", errors="replace") as log:
        return log.read()


def end(process):
    """Ends the process if it still runs; returns what it wrote."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    process.cairn_log.seek(0)
    text = process.cairn_log.read()
    process.cairn_log.close()
    return text
