#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that connect by rdma_cm between two simulated NICs, the short of it; refusals; then the capture is judged.
tests/programs/run has the long of it, tests/interop the same against Linux."""
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import cm  # noqa: E402
import pair  # noqa: E402
import tap  # noqa: E402

OUT = "build/programs/connected"
SHORT_DEATHS = ("rejected", "server dies with the request", "client leaves without a word")
os.environ["CAIRN_CM_TIMEOUT"] = "17,3"  # 0.5 s, three times more: who is dead is known to be soon


def good(result):
    if not result.ok:
        raise AssertionError(result.text())


def judged(sim):
    sim.__exit__()  # the capture is complete only then
    done = subprocess.run(["tests/trace/check", sim.pcap], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode:
        raise AssertionError(done.stdout)


def main():
    sim = pair.Simulation(directory=OUT)
    sim.__enter__()
    try:
        return tap.run([(cm.name(case), lambda case=case: good(cm.run(sim, *case, seconds=300))) for case in cm.SHORT]
                       + [("5 connections, nothing is left", lambda: cm.many(sim, 5))]
                       + [(name, lambda name=name: cm.death(sim, name)) for name in SHORT_DEATHS]
                       + [("nobody listens", lambda: good(cm.refused(sim))), ("nobody is there", lambda: good(cm.nobody(sim))),
                          ("capture", lambda: judged(sim))])
    finally:
        if not sim.log.closed:
            sim.__exit__()


sys.exit(main())
