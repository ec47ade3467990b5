#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a program does to its process beside verbs (process.c): dlclose of the provider, exec, fork, threads that are
cancelled, limits that are low (limits.c).  All on one NIC, one after the other: each leaves it fit for the next."""
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import tap  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
PROGRAMS = os.path.abspath(os.path.join(BUILD, "programs/own"))
LIBRARY = os.path.abspath(os.path.join(BUILD, "lib/libcairn-verbs.so"))


def run(sim, *args, program="process"):
    def test():
        environment, words = dict(os.environ), [os.path.join(PROGRAMS, program), *args]
        if "dlclose" in args:  # by the program itself, not by the loader
            environment["CAIRN_SOCKETS"] = os.path.join(sim.run_dir, "nic0.sock")
        else:
            words[:0] = [pair.CAIRN, "run", "-d", sim.run_dir, "-i", "0"]
        done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=700, check=False)
        if done.returncode:
            raise AssertionError(f"exit {done.returncode}\n{done.stdout}")
    return test


def main():
    with pair.Simulation(directory="build/programs/process") as sim:
        return tap.run([("dlclose, with devices closed and open", run(sim, "dlclose", LIBRARY)),
                        ("exec and spawn inherit no descriptor", run(sim, "exec")),
                        ("fork while threads are in calls", run(sim, "fork")),
                        ("cancelled threads leave no lock", run(sim, "cancel")),
                        ("low limits are errors, not signals", run(sim, program="limits"))])


sys.exit(main())
