# SPDX-License-Identifier: Apache-2.0
"""Packages of a Debian release other than this machine's: fetched from the mirror that this machine uses, unpacked into
a directory of their own; the last release named is preferred.  Nothing is installed, no root is needed; apt checks
signatures as always.

    tree = debian.unpack("build/vm", "trixie", ["trixie", "trixie-backports"], ["qemu-system-x86"])

A tree is made again when the list of packages changes, not when the archive does: `rm -r` it for that.
"""
import glob
import hashlib
import os
import re
import shutil
import subprocess

OPTIONS = ["APT::Install-Recommends=0", "Acquire::Languages=none", "APT::Sandbox::User=root", "Debug::NoLocking=1",
           "APT::Architecture=amd64", "Dir::Etc::SourceParts=/dev/null", "Dir::Etc::Preferences=/dev/null",
           "Dir::Etc::PreferencesParts=/dev/null"]
LIMIT_S = 900


LOADER, LIBRARIES = "usr/lib64/ld-linux-x86-64.so.2", "usr/lib/x86_64-linux-gnu"


class Missing(Exception):
    """Packages cannot be had here; the text says why."""


def output(words, **options):
    """What a command prints; Missing if it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=LIMIT_S, **options)
    if done.returncode:
        raise Missing(f"{' '.join(words[:1] + words[-4:])}: exit {done.returncode}: {done.stdout.strip()[-600:]}")
    return done.stdout


def mirror():
    """Where this machine gets Debian's main archive from."""
    said = output(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"])
    for uri, name in re.findall(r"^(\S+) (\S+)$", said, re.M):
        if re.fullmatch(r"[a-z]+", name):  # not bookworm-security, which is elsewhere
            return uri
    raise Missing("apt has no index of Debian's main archive; type: sudo apt-get update")


class Apt:
    """apt-get with sources, state and cache of its own."""

    def __init__(self, folder, suites):
        self.folder = os.path.abspath(folder)
        for name in ("lists/partial", "archives/partial"):
            os.makedirs(f"{self.folder}/{name}", exist_ok=True)
        with open(f"{self.folder}/sources.list", "w", encoding="utf-8") as sources:
            sources.writelines(f"deb {mirror()} {suite} main\n" for suite in suites)
        with open(f"{self.folder}/status", "w", encoding="utf-8"):
            pass  # nothing is installed, so everything needed is fetched

    def get(self, *words):
        own = [f"Dir::Etc::SourceList={self.folder}/sources.list", f"Dir::State={self.folder}",
               f"Dir::State::status={self.folder}/status", f"Dir::Cache={self.folder}"]
        return output(["apt-get", "-q", "-y", *(word for option in OPTIONS + own for word in ("-o", option)), *words])


def unpack(out, name, suites, packages):
    """Directory with `packages` and all that they depend on."""
    tree = f"{out}/{name}"
    state = hashlib.sha256(repr((suites, sorted(packages))).encode()).hexdigest()
    try:
        with open(f"{tree}.state", encoding="ascii") as last:
            if last.read() == state and os.path.isdir(tree):
                return tree
    except FileNotFoundError:
        pass
    print(f"... fetching packages of {suites[-1]} into {tree}", flush=True)
    for rest in (tree, f"{tree}.part", f"{out}/apt-{name}"):  # of a run that was interrupted, too
        shutil.rmtree(rest, ignore_errors=True)
    apt = Apt(f"{out}/apt-{name}", suites)
    apt.get("update")
    apt.get("install", "--download-only", "-t", suites[-1], *packages)
    os.makedirs(f"{tree}.part", exist_ok=True)
    for package in glob.glob(f"{apt.folder}/archives/*.deb"):
        output(["dpkg-deb", "-x", package, f"{tree}.part"])
    os.rename(f"{tree}.part", tree)
    shutil.rmtree(apt.folder)
    with open(f"{tree}.state", "w", encoding="ascii") as to:
        to.write(state)
    return tree


def loader(tree):
    """Words that, before the path of a program of a tree, run it with the loader and the libraries of that tree."""
    return [f"{tree}/{LOADER}", "--library-path", f"{tree}/{LIBRARIES}"]


def launcher(tree, program):
    """Put a script of its name before a program, for one that others start, or that looks for its files beside itself:
    what it takes for its own path (/proc/self/exe) is then the loader, of which a copy is put there."""
    path = f"{tree}/{program}"
    there = os.path.relpath(tree, os.path.dirname(path))
    os.rename(path, f"{path}.bin")
    shutil.copy(os.path.realpath(f"{tree}/{LOADER}"), f"{os.path.dirname(path)}/ld.so")
    with open(path, "w", encoding="ascii") as script:
        script.write('#!/bin/sh\nhere=${0%/*}\n'
                     f'exec "$here/ld.so" --library-path "$here/{there}/{LIBRARIES}" --argv0 "$0" "$0.bin" "$@"\n')
    os.chmod(path, 0o755)
