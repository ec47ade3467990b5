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


PORT = re.compile(r"^\s*(input|output)\s+(\S+?)(?:\s+(\[[^\]]*\]))?\s+(\w+)\s*$", re.S)


def bundles():
    """The BUNDLEs of rtl/hw/int.def and the records of what is counted, as their packages have them: name of the type
    -> [(declaration, member)], where one within another gives its own members, as <name>.<member>."""
    with open("rtl/hw/int.def", encoding="utf-8") as table:
        names = "|".join(re.findall(r"^BUNDLE\((\w+)", table.read(), re.M)) or "-"
    return {**structs("cairn_int_pkg", names), **structs("cairn_hw_pkg", r"\w+_events")}


def structs(package, names):
    """The structs of a package whose names match, each behind those within it."""
    found = {}
    for body, name in re.findall(rf"typedef struct packed \{{([^}}]*)\}} ({names})_t;", code(f"rtl/hw/{package}.sv")):
        members = found[f"{package}::{name}_t"] = []
        for kind, member in re.findall(r"([^;]*?)(\w+);", body):
            kind = re.sub(r"(?<!:)\b([A-Z]\w*|\w+_t)\b", rf"{package}::\1", kind.strip())
            members += [(of, f"{member}.{sub}") for of, sub in found[kind]] if kind in found else [(kind, member)]
    return found


def head(path):
    """(text of the parameters, [(direction, type, range, name)] of the ports) of the module in a file."""
    text = re.sub(r"^.*?\bmodule\s+\w+", "", code(path), count=1, flags=re.S)
    parameters = ""
    if re.match(r"\s*#\s*\(", text):
        start = text.index("(")
        end = closing(text, start)
        parameters, text = text[start + 1:end], text[end + 1:]
    start = text.index("(")
    ports = []
    for port in text[start + 1:closing(text, start)].split(","):
        match = PORT.match(port)
        ports.append(match.groups() if match else (*ports[-1][:3], port.strip()))
    return parameters, ports


def closing(text, start):
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return at
    raise ValueError("a parenthesis is not closed")
