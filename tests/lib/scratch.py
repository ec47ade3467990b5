# SPDX-License-Identifier: Apache-2.0
"""A change as somebody would make it by hand, tried in a scratch copy of the tree (build/scratch/<name>).

A test says what is edited and what must then hold; that no other file is needed is what it shows:

    EDITS = [("rtl/hw/hw.def", "text that stands there once", "text in its place"), ...]

    def check(tree):
        tree.run("verilator", "--lint-only", ...)                   # fails with the output of the command
        tree.has("rtl/hw/cairn_hw.h", "CAIRN_COUNTER_NEW = 128,")   # fails unless the text is there

    scratch.main("counter", EDITS, check)

main() copies the files that git knows, or all but build/, edits, runs `make hw`, calls check() and prints TAP: the
edits and the generated files are all that differs then. With --files it prints the files that are edited by hand, one a
line, and does nothing: `make house` counts them (tests/unit/**/test_new_*).
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys


class Failure(Exception):
    """What main() prints as the reason of a failed test."""


def tracked(top):
    """The files of the tree, as paths below `top`."""
    git = subprocess.run(["git", "-C", top, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if git.returncode == 0 and git.stdout:
        found = git.stdout.strip("\0").split("\0")
    else:
        found = []
        for folder, folders, files in os.walk(top):
            folders[:] = [f for f in folders if not f.startswith(".") and (folder != top or f != "build")]
            found += [os.path.relpath(os.path.join(folder, f), top) for f in files]
    return sorted(f for f in found if os.path.isfile(os.path.join(top, f)))


class Tree:
    """A copy of the tree at `path`."""

    def __init__(self, top, path):
        self.top, self.path = top, path
        self.files = tracked(top)
        shutil.rmtree(path, ignore_errors=True)
        for name in self.files:
            os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
            shutil.copy2(os.path.join(top, name), os.path.join(path, name))

    def text(self, name):
        try:
            with open(os.path.join(self.path, name), encoding="utf-8") as source:
                return source.read()
        except OSError as error:
            raise Failure(f"{name}: {error.strerror}") from error

    def edit(self, name, old, new):
        text = self.text(name)
        if text.count(old) != 1:
            raise Failure(f"{name}: {text.count(old)} times instead of once: {old}")
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as out:
            out.write(text.replace(old, new))

    def has(self, name, *wanted):
        text = self.text(name)
        for want in wanted:
            if want not in text:
                raise Failure(f"{name} does not have: {want}")

    def run(self, *command, fails=None):
        """The output of a command in the copy, which must succeed; or fail with the text `fails` in its output."""
        done = subprocess.run(command, cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False)
        if (done.returncode == 0) != (fails is None):
            raise Failure(f"{' '.join(command)} ends with {done.returncode}\n{done.stdout}")
        if fails and fails not in done.stdout:
            raise Failure(f"{' '.join(command)} does not say: {fails}\n{done.stdout}")
        return done.stdout

    def changed(self):
        """Files that are not as in the tree."""
        return [f for f in self.files
                if not filecmp.cmp(os.path.join(self.top, f), os.path.join(self.path, f), shallow=False)]


def behind(path, text, more):
    """The edit that puts `more` behind a text."""
    return (path, text, text + more)


def one_more(path, name):
    """The edit that raises a CONST by one."""
    with open(path, encoding="utf-8") as table:
        old = re.search(rf"CONST\({name}, *(\d+)", table.read())
    return (path, old[0], old[0][:-len(old[1])] + str(int(old[1]) + 1))


# Pages of which only tables between marks are generated.
FILLED = {"docs/commands.md"}


def generated(tree):
    """What `make hw` writes: rtl/hw/update names each as table:format:path."""
    words = tree.text("rtl/hw/update").replace('"', " ").split()
    paths = {word.split(":")[2] for word in words if word.count(":") == 2}
    return {path for path in paths if os.path.isfile(os.path.join(tree.path, path))}


def only_edited(tree, edits):
    made, edited = generated(tree), {name for name, _, _ in edits}
    if edited & made - FILLED:
        raise Failure(f"edited by hand, and generated: {' '.join(sorted(edited & made - FILLED))}")
    more = set(tree.changed()) - made - edited
    if more:
        raise Failure(f"neither edited by hand nor generated: {' '.join(sorted(more))}")
    if edited - set(tree.changed()):
        raise Failure(f"the edit changes nothing: {' '.join(sorted(edited - set(tree.changed())))}")


def attempt(name, edits, check, top, build):
    """None, or why it failed."""
    try:
        tree = Tree(top, os.path.join(build, "scratch", name))
        for edit in edits:
            tree.edit(*edit)
        tree.run("make", "-s", "DEPS=no", "BUILD=build", "hw")
        only_edited(tree, edits)
        check(tree)
    except Failure as failure:
        return str(failure)
    shutil.rmtree(tree.path)
    return None


def main(name, edits, check):
    files = sorted({path for path, _, _ in edits})
    if sys.argv[1:] == ["--files"]:
        print("\n".join(files))
        sys.exit(0)
    why = attempt(name, edits, check, os.getcwd(), os.path.abspath(os.environ.get("BUILD", "build")))
    print(f"{'not ok' if why else 'ok'} 1 - a new {name} is {len(files)} files by hand: {' '.join(files)}")
    for line in (why or "").splitlines():
        print(f"# {line}")
    print("1..1")
    sys.exit(1 if why else 0)
