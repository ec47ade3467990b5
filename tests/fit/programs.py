# SPDX-License-Identifier: Apache-2.0
"""Where Yosys and nextpnr come from: Debian 13's, so that figures are the same on every machine.

    programs.find("build/fit", "yosys")      its path; fetched into build/fit/tools where this machine is no Debian 13

They run with the loader and the libraries of their own tree; nothing of the system is changed.
"""
import os
import shutil
import subprocess

import debian

RELEASE, VERSION = "trixie", "Yosys 0.52 "
NEEDED = ["yosys", "yosys-abc", "nextpnr-ecp5"]
PACKAGES = ["yosys", "nextpnr-ecp5"]
# nextpnr has the place of its database compiled in.  A relative one of the same length leads there from <tree>/usr.
DATABASE, FROM_USR = b"/usr/share/nextpnr/\0", b".//./share/nextpnr/\0"


def own():
    """Is this machine a Debian 13 that has them?"""
    try:
        with open("/etc/os-release", encoding="utf-8") as about:
            same = f"VERSION_CODENAME={RELEASE}\n" in about.read()
    except FileNotFoundError:
        same = False
    return same and all(shutil.which(name) for name in NEEDED)


def find_database(path):
    with open(path, "rb") as program:
        code = program.read()
    if code.count(DATABASE) != 1:
        raise debian.Missing(f"{path} does not look for its database in {DATABASE[:-1].decode()}: see tests/fit/programs.py")
    with open(path, "wb") as program:
        program.write(code.replace(DATABASE, FROM_USR))


def tree(out):
    """The tree with the programs, ready to run."""
    made = debian.unpack(out, "tools", [RELEASE], PACKAGES)
    if not os.path.exists(f"{made}/ready"):
        find_database(f"{made}/usr/bin/nextpnr-ecp5")
        for name in NEEDED:
            debian.launcher(made, f"usr/bin/{name}")
        open(f"{made}/ready", "w", encoding="ascii").close()
    return os.path.abspath(made)


def find(out, name):
    """(path of a program, folder in which it has to run)"""
    if own():
        return shutil.which(name), "."
    made = tree(out)
    return f"{made}/usr/bin/{name}", f"{made}/usr"


def check(out):
    """Missing if Yosys is another than the one that figures are of."""
    path, _ = find(out, "yosys")
    said = subprocess.run([path, "-V"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    if not said.startswith(VERSION):
        raise debian.Missing(f"{path} is not {VERSION}of Debian {RELEASE}: {said.strip()[:200]}")
