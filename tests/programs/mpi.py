# SPDX-License-Identifier: Apache-2.0
"""Open MPI over UCX, both of Debian 12 and unmodified: own/ranks.c as 4 ranks on two simulated hosts of two NICs, and
on one host of four.  mpirun is told what a user tells it; which NIC a rank has is up to `cairn run`.

host_agent takes the place of ssh, and gives each "host" a name, System V and POSIX shared memory of its own, by which
UCX knows whether two ranks can share memory.
"""
import json
import os
import re
import signal
import subprocess
import time

import debian
import pair
import probe

RANKS = 4
TWO_HOSTS, ONE_HOST = {"hosts": 2, "functions": 2}, {"hosts": 1, "functions": 4}
ASK_UCX = ["--mca", "pml", "ucx", "--mca", "osc", "ucx"]  # Debian's openmpi-mca-params.conf excludes both
ON_TWO = ["--host", "h0:2,h1:2", "--mca", "plm_rsh_agent", os.path.abspath("tests/programs/host_agent")]
# Transports: what UCX chooses (shared memory within a host), and everything through the NICs.
TRANSPORTS = {"as UCX chooses": [], "rc_v": ["-x", "UCX_TLS=rc_v,self"], "ud_v": ["-x", "UCX_TLS=ud_v,self"]}
SHORT = ["-n", "3"]  # rounds, of which each has other sizes
SECONDS = os.environ.get("MPI_SECONDS", "600")  # of the long form
JOB_S = 600  # a short one takes 40 s to 90 s
FREE_S = 60
DAMAGED = 3  # exit status of ranks
# What came and found no room, and is sent again: wire and loop can bring more than a NIC's receive path takes.
DROPS = ("out_of_buffer", "rx_overrun")


class Mpi:
    """Open MPI unpacked, and our program; debian.Missing if they, or what host_agent needs, cannot be had."""

    def __init__(self, out):
        self.probe = probe.Probe(out)
        self.mpirun = f"{self.probe.tree}/usr/bin/mpirun.openmpi"
        self.ranks = self.probe.build(out, "ranks")
        debian.output(["unshare", "--user", "--map-root-user", "--uts", "--ipc", "true"])
        # Places that an installed Open MPI finds by itself; its PMIx looks for a plugin in /usr alone, and says so.
        self.environment = dict(self.probe.environment, OPAL_SYSCONFDIR=f"{self.probe.tree}/etc/openmpi",
                                PMIX_MCA_pcompress_base_silence_warning="1")

    def start(self, sim, where, settings, words):
        log = open(os.path.join(sim.dir, "mpirun.log"), "w+", encoding="utf-8", errors="replace")
        words = [self.mpirun, *where, *ASK_UCX, *settings, self.ranks, *words]
        if where is not ON_TWO:
            words = [pair.CAIRN, "run", "-d", sim.run_dir, "-H", "0", *words]
        environment = dict(self.environment, CAIRN_HOSTS=f"{os.path.abspath(pair.CAIRN)}:{sim.run_dir}",
                           TMPDIR=sim.run_dir)  # what daemons leave goes with it
        process = subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   env=environment)
        process.cairn_log = log
        return process


def finish(process, seconds):
    """(exit status or None, what it wrote); mpirun ends its ranks when it is ended."""
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        code = None
    return code, pair.end(process)


def received(sim):
    return {nic: counters["rx_roce_packets"] for nic, counters in sim.stat().items()}


def drops_of(sim):
    """Where the last job's DROPS are, for the judge; of these alone, since all_free() opens the NICs once more, and
    what they say then is in the capture, too."""
    return os.path.join(sim.dir, "drops.json")


def used_by(sim):
    done = subprocess.run([pair.CAIRN, "info", "-d", sim.run_dir], stdout=subprocess.PIPE, text=True, timeout=60,
                          check=True)
    return re.findall(r"used by +(.*)", done.stdout)


def all_free(sim):
    """Every NIC, soon after mpirun has ended: its daemons end after it."""
    until = time.monotonic() + FREE_S
    while used_by(sim):
        assert time.monotonic() < until, f"still used: {used_by(sim)}"
        time.sleep(0.2)


def good(code, text):
    assert code == 0, f"{'no end in time' if code is None else f'exit {code}'}: {text[-1500:]}"
    ended = re.findall(r"^rank (\d): ([1-9]\d*) rounds, ([1-9]\d*) bytes compared, ([\d.]+) s$", text, re.M)
    assert sorted(int(rank) for rank, *_ in ended) == list(range(RANKS)), text[-1500:]
    assert not re.search(r"^cairn: |WARN|ERROR", text, re.M), text[-1500:]
    return f"{ended[0][1]} rounds in {ended[0][3]} s, {sum(int(count) for _, _, count, _ in ended)} bytes compared"


def job(mpi, sim, where, settings, words, seconds=JOB_S):
    """Runs to its end, every NIC has had packets of it and is free afterwards; what was measured."""
    before = received(sim)
    said = good(*finish(mpi.start(sim, where, settings, words), seconds))
    counters = sim.stat()
    with open(drops_of(sim), "w", encoding="utf-8") as file:
        json.dump({nic: {name: values[name] for name in DROPS} for nic, values in counters.items()}, file)
    packets = {nic: values["rx_roce_packets"] - before[nic] for nic, values in counters.items()}
    assert len(packets) == RANKS and min(packets.values()) > 100, packets
    all_free(sim)
    return f"{said}, packets received {'/'.join(str(count) for count in packets.values())}"


def damage(mpi, sim):
    """A byte that is not what it should be ends the job, and is named."""
    code, text = finish(mpi.start(sim, ON_TWO, [], ["-n", "1", "-m", "4096", "-d"]), JOB_S)
    assert code == DAMAGED and re.search(r"^MISMATCH: seed 1, round 0, ring: a byte from rank 1 to rank 2", text, re.M), \
        f"exit {code}: {text[-1500:]}"
    all_free(sim)
    return ""


def death(mpi, sim):
    """A rank that is killed ends the job; its NIC and all others are free, and the next job runs."""
    process = mpi.start(sim, ON_TWO, TRANSPORTS["rc_v"], ["-t", str(JOB_S)])
    try:
        before, until = received(sim), time.monotonic() + JOB_S / 2
        while min(count - before[nic] for nic, count in received(sim).items()) < 200:
            assert process.poll() is None and time.monotonic() < until, "no traffic"
            time.sleep(0.2)
        assert len(used_by(sim)) == RANKS, used_by(sim)
        with open(process.cairn_log.name, encoding="utf-8", errors="replace") as log:
            pid = re.search(r"^rank 2 of 4 is process (\d+)", log.read(), re.M)
        os.kill(int(pid[1]), signal.SIGKILL)
        killed = time.monotonic()
        code, text = finish(process, JOB_S)
        ended = time.monotonic() - killed
    finally:
        if not process.cairn_log.closed:
            pair.end(process)
    assert code and "signal 9" in text, f"exit {code}: {text[-1500:]}"
    all_free(sim)
    return f"mpirun ended {ended:.1f} s after; then {job(mpi, sim, ON_TWO, [], ['-n', '1'])}"


def cases():
    """(name, options of the simulation, function of Mpi and simulation, whether the capture is judged)"""
    for name, settings in TRANSPORTS.items():
        yield (f"4 ranks on 2 hosts, {name}", TWO_HOSTS,
               lambda mpi, sim, settings=settings: job(mpi, sim, ON_TWO, settings, SHORT), True)
    yield ("4 ranks on 1 host, rc_v", ONE_HOST,
           lambda mpi, sim: job(mpi, sim, ["-n", str(RANKS), "--oversubscribe"], TRANSPORTS["rc_v"], SHORT), True)
    yield "a damaged byte", TWO_HOSTS, damage, False
    yield "a rank is killed", TWO_HOSTS, death, False
    yield (f"4 ranks on 2 hosts for {SECONDS} s", TWO_HOSTS,
           lambda mpi, sim: job(mpi, sim, ON_TWO, [], ["-t", SECONDS], int(SECONDS) + JOB_S), False)
