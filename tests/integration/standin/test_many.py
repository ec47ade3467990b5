#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many processes on hosts of several NICs: which ones `cairn run` gives them, with the provider as it is preloaded and
a program (own/lists.c) that lists its devices.  The NICs are stand-ins: nothing is opened here."""
import json
import os
import signal
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
os.environ["CAIRN_MODEL_DIR"] = os.path.join(BUILD, "lib/standin")
import pair  # noqa: E402
import tap  # noqa: E402

LISTS = os.path.join(BUILD, "programs/own/lists")
HOSTS, FUNCTIONS = 2, 4
NAMES = [[f"cairn_{host * FUNCTIONS + f}" for f in range(FUNCTIONS)] for host in range(HOSTS)]
ALL = sorted(sum(NAMES, []))


class Process:
    """One that answers words; `words` are what it is started with, `run` the options of cairn run."""

    def __init__(self, sim, *run, words=(LISTS,)):
        self.process = subprocess.Popen([pair.CAIRN, "run", "-d", sim.run_dir, *run, *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        self.pid = self.process.pid

    def tell(self, word):
        self.process.stdin.write(word + "\n")

    def hear(self):
        return self.process.stdout.readline().strip()

    def ask(self, word):
        self.tell(word)
        return self.hear()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        return self.end()

    def end(self):
        """What it said on stderr, and its children with it."""
        try:
            _, err = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return err


class Several(list):
    """Processes that are ended at the end, whatever happens."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self:
            if process.process.poll() is None:
                process.kill()
            elif not process.process.stdout.closed:
                process.end()


def race(sim):
    """8 start together on 4 functions: 4 get one each, the others are told who has them."""
    with Several(Process(sim, "-H", "0") for _ in range(8)) as all_of_them:
        for one in all_of_them:
            one.tell("list")
        heard = [one.hear() for one in all_of_them]
        assert sorted(h for h in heard if h in ALL) == NAMES[0], heard
        without = [one for one, h in zip(all_of_them, heard) if h == "none: Device or resource busy"]
        assert len(without) == 4, heard
        holders = {h: one.pid for one, h in zip(all_of_them, heard) if h in ALL}
        other = Process(sim, "-H", "1")  # the other host has its own
        all_of_them.append(other)
        assert other.ask("list") == NAMES[1][0]
        # one is killed: who asks again has it
        victim = next(one for one, h in zip(all_of_them, heard) if h == "cairn_2")
        victim.kill()
        assert without[0].ask("list") == "cairn_2"
        err = without[1].end()
        assert err.count("no NIC of host 0 is free") == 1 and "cairn sim --functions" in err, err
        for name, pid in holders.items():
            assert f"{name} by process {pid} (lists)" in err, (err, holders)


def wrapped(sim):
    """Each verbs process of a shell, of a launcher, takes one; these take none."""
    with Several() as started:
        until_the_end = f"(echo list; cat <&3) | {LISTS}"
        shell = Process(sim, "-H", "0", words=["bash", "-c", f"exec 3<&0; {until_the_end} & {until_the_end} & wait"])
        started.append(shell)
        heard = [shell.hear(), shell.hear()]
        # the shell itself holds none, so there are two more
        more = Several(Process(sim, "-H", "0") for _ in range(3))
        started.extend(more)
        heard += [one.ask("list") for one in more]
        assert sorted(heard[:4]) == NAMES[0] and heard[4].startswith("none"), heard
        shell.end()
        assert more[2].ask("list") == min(heard[:2]), heard
        for one in more:
            one.end()
        # as mpirun: ranks of a parent that knows nothing of verbs
        launcher = ("import subprocess, sys\n"
                    f"ranks = [subprocess.Popen([{LISTS!r}], stdin=subprocess.PIPE, text=True) for _ in range(4)]\n"
                    "for rank in ranks: print('list', file=rank.stdin, flush=True)\n"
                    "sys.stdin.read()\n"
                    "for rank in ranks: rank.communicate()\n")
        parent = Process(sim, "-H", "1", words=[sys.executable, "-c", launcher])
        started.append(parent)
        assert sorted(parent.hear() for _ in range(4)) == NAMES[1]
        late = Process(sim, "-H", "1")
        started.append(late)
        assert late.ask("list").startswith("none")
        parent.end()
        assert late.ask("list") == NAMES[1][0]


def forks_and_execs(sim):
    with Several(Process(sim, "-H", "0") for _ in range(3)) as started:
        one, two, three = started
        assert [p.ask("list") for p in (one, two)] == NAMES[0][:2]
        assert one.kill() is not None
        # a child has none of its parent's, and the parent's is free when the parent ends
        assert two.ask("fork") == "child"
        assert two.process.wait(30) == 0
        assert three.ask("list") == NAMES[0][0]
        assert two.ask("list") == NAMES[0][1]
        # a program that is exec'ed has that of the one before, though another is free
        assert three.ask("exec") == "again"
        assert three.ask("list") == NAMES[0][0]
        late = Process(sim, "-H", "0")
        started.append(late)
        assert three.ask("exec") == "again"  # and has not asked
        assert late.ask("list") == NAMES[0][2]
        assert three.ask("list") == NAMES[0][0]
        two.end()


def plain(sim):
    """Without -H all are listed, first one that nobody else will open."""
    with Several(Process(sim) for _ in range(3)) as started:
        lists = [one.ask("list").split() for one in started]
        assert [names[0] for names in lists] == ["cairn_0", "cairn_1", "cairn_2"], lists
        assert all(sorted(names) == ALL for names in lists), lists
        # who keeps one of a host comes last for the others
        kept = Process(sim, "-H", "0")
        started.append(kept)
        assert kept.ask("list") == "cairn_0"
        names = started[1].ask("list").split()
        assert names[0] == "cairn_1" and names[-1] == "cairn_0", names
        assert started[0].ask("list").split()[0] == "cairn_3"
        # -i is one, whoever has it
        only = Process(sim, "-i", "0")
        started.append(only)
        assert only.ask("list") == "cairn_0"
        # one inside another: what the inner one says
        inner = Process(sim, "-H", "1", words=[pair.CAIRN, "run", "-d", sim.run_dir, LISTS])
        started.append(inner)
        assert sorted(inner.ask("list").split()) == ALL


def looking(sim):
    """Programs that only look, while all are in use."""
    with Several(Process(sim, "-H", "0") for _ in range(4)) as started:
        for one in started:
            one.ask("list")
        lister = Process(sim)
        started.append(lister)
        assert lister.ask("list").split() == NAMES[1] + NAMES[0]
        done = subprocess.run([pair.CAIRN, "stat", "-d", sim.run_dir, "-H", "1", "--json"], stdout=subprocess.PIPE,
                              text=True, check=True, timeout=60)
        assert sorted(json.loads(done.stdout)) == ["nic4", "nic5", "nic6", "nic7"]


def main():
    with pair.Simulation(pcap=None, hosts=HOSTS, functions=FUNCTIONS) as sim:
        return tap.run([("8 start together on 4 functions", lambda: race(sim)),
                        ("a shell and a launcher", lambda: wrapped(sim)),
                        ("fork and exec", lambda: forks_and_execs(sim)),
                        ("without -H", lambda: plain(sim)),
                        ("all are in use", lambda: looking(sim))])


sys.exit(main())
