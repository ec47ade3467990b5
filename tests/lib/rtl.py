# SPDX-License-Identifier: Apache-2.0
"""What the scripts of tests/lib know about the RTL: rtl/files.f, and which files a module needs."""
import glob
import os
import re

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
WORD = re.compile(r"\b[A-Za-z_]\w*")


def stem(path):
    return os.path.basename(path)[:-len(".sv")]


def listed():
    """The paths in rtl/files.f, in order."""
    with open("rtl/files.f", encoding="utf-8") as lines:
        return [line for line in (COMMENT.sub("", text).strip() for text in lines) if line]


def code(path):
    """The text of a file without comments."""
    with open(path, encoding="utf-8") as source:
        return COMMENT.sub(" ", source.read())


def closure(top, extra=()):
    """The files that module `top` needs, packages first.  Modules and packages are found by name (file name =
    module name) in the extra files, beside them, and below rtl/.  KeyError if there is no `top`."""
    known = {stem(path): path for path in sorted(glob.glob("rtl/**/*.sv", recursive=True), reverse=True)}
    for folder in sorted({os.path.dirname(path) for path in extra}):
        known.update({stem(path): path for path in glob.glob(f"{folder}/*.sv")})
    known.update({stem(path): path for path in extra})
    todo, files = [known[top]] + list(extra), set()
    while todo:
        path = todo.pop()
        if path not in files:
            files.add(path)
            todo += [known[word] for word in set(WORD.findall(code(path))) if word in known]
    return sorted(files, key=lambda path: (not path.endswith("_pkg.sv"), path))


def parameters(path):
    """Names of the parameters of a module, from its head."""
    head = code(path).split(");", 1)[0]
    return set(re.findall(r"\bparameter\b[^=,)]*?(\w+)\s*=", head))
