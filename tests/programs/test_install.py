#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make install: what is installed works without the tree (a verbs program on two NICs, a program of one's own that
links libcairn, the page of a capture), and the manual has the pages that it refers to.  Prints TAP."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN = r"""
#include <cairn.h>
#include <stdio.h>
int main(void)
{
    struct cairn_dev *dev;

    puts(cairn_open("/nonexistent/x.sock", NULL, &dev) ? cairn_last_error() : "opened");
    return 0;
}
"""


def run(*words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False,
                          **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


def program(root):
    from pair import Simulation  # it reads CAIRN_BIN
    with Simulation(pcap=None) as sim:
        result = sim.pair("ibv_rc_pingpong", ["-n", "10", "-c"])
        if not result.ok:
            raise AssertionError(result.text())
        info = run(f"{root}/bin/cairn", "info", "-d", sim.run_dir)
        if info.count("firmware  ") != 2:
            raise AssertionError(info)


def own(root, directory):
    with open(f"{directory}/own.c", "w", encoding="ascii") as file:
        file.write(OWN)
    run("gcc", "-Wall", "-Werror", f"-I{root}/include", f"-L{root}/lib", f"{directory}/own.c", "-lcairn", "-o",
        f"{directory}/own")
    out = run(f"{directory}/own", env=dict(os.environ, LD_LIBRARY_PATH=f"{root}/lib"))
    if "/nonexistent/x.sock: No such file" not in out:
        raise AssertionError(out)


def report(root, directory):
    page = f"{directory}/report.html"
    out = run(f"{root}/bin/cairn", "report", f"{TOP}/tests/fixtures/loss_client_tx_mix.pcap", "-o", page)
    with open(page, encoding="utf-8") as file:
        if "88 frames, 1 connections, 38 sent again, 3 NAKs" not in out or 'id="data"' not in file.read():
            raise AssertionError(out)


def pages(root):
    there = {os.path.basename(page) for page in glob.glob(f"{root}/share/man/man1/*.1")}
    for page in glob.glob(f"{TOP}/docs/man/*.1"):
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for name in re.findall(r"\bcairn(?:-[a-z]+)?(?= \(1\))", text.replace("\\-", "-")):
            if f"{name}.1" not in there:
                raise AssertionError(f"{page} names {name}(1): not installed")
        if not text.startswith('.\\" SPDX') or ".SH NAME" not in text:
            raise AssertionError(f"{page} has no NAME")


def main():
    directory = tempfile.mkdtemp(prefix="cairn-install-")
    root = f"{directory}/to/opt/cairn"
    os.environ["CAIRN_BIN"] = f"{root}/bin/cairn"
    tests = [("make install", lambda: run("make", "-s", "--no-print-directory", "-C", TOP, "install", "DEPS=no",
                                          f"DESTDIR={directory}/to", "PREFIX=/opt/cairn")),
             ("a verbs program", lambda: program(root)), ("a program of one's own", lambda: own(root, directory)),
             ("a report", lambda: report(root, directory)), ("the manual", lambda: pages(root))]
    failed = 0
    for n, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {n} - {name}", flush=True)
        except (AssertionError, OSError, subprocess.SubprocessError) as why:
            failed = 1
            print(f"not ok {n} - {name}\n# " + str(why).replace("\n", "\n# "), flush=True)
        os.chdir(directory)  # nothing is found in build/ by chance
    print(f"1..{len(tests)}")
    shutil.rmtree(directory, ignore_errors=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
