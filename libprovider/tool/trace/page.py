# SPDX-License-Identifier: Apache-2.0
"""The page of `cairn report`: what an Analysis found as JSON, and around it the HTML that shows it.

Everything is inside the one file.  Plots and ladders are drawn by its own script from the JSON, and only what is to be
seen: so they can be zoomed and filtered, and a hundred thousand packets are some 5 MB.  (matplotlib's SVG would be a
fixed picture of some hundred bytes a point, and 100 MB of packages.)  The policy in the page's head lets nothing be
loaded, and no script run but this one, whatever a capture has in it.
"""
import base64
import hashlib
import html
import ipaddress
import json
import os

import rows
from analysis import EPOCH_NS

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
SCRIPTS = ("data.js", "draw.js", "plots.js", "ladder.js", "tables.js", "main.js")
STYLE = "page.css"


class Names(list):
    """Strings by number."""

    def __init__(self):
        super().__init__()
        self.number = {}

    def of(self, name):
        if name not in self.number:
            self.number[name] = len(self)
            self.append(name)
        return self.number[name]


def detail(p):
    """What the extension headers say, for people."""
    words = []
    if p.reth:
        words.append(f"{p.reth[2]} bytes at {p.reth[0]:#x}, key {p.reth[1]:#x}")
    if p.atomic:
        address, key, swap, compare = p.atomic
        what = f"add {swap:#x}" if p.op.name.endswith("FETCH_ADD") else f"compare {compare:#x}, swap {swap:#x}"
        words.append(f"{what} at {address:#x}, key {key:#x}")
    if p.atomicack is not None:
        words.append(f"was {p.atomicack:#x}")
    if p.deth:
        words.append(f"from QP {p.deth[2]:#x}, Q_Key {p.deth[0]:#010x}")
    words += [f"immediate {p.imm:#010x}"] if p.imm is not None else []
    words += [f"invalidates key {p.inv:#x}"] if p.inv is not None else []
    return ", ".join(words)


def columns(connection, base_ns, ops):
    """The rows of a ladder, each property a list; numbers and times as differences from the row before."""
    bases = bases_of(connection)
    made = {name: [] for name in ("n", "t", "a", "s", "o", "p", "l", "f", "w", "b", "y", "m")}
    notes, details = {}, {}
    number, ns = 0, base_ns
    for index, row in enumerate(connection.rows):
        p = row.p
        asks = row.side if not (p.op and p.op.response) else 1 - row.side
        made["n"].append(row.number - number)
        made["t"].append(row.ns - ns)
        made["a"].append(row.came[0] - row.ns if row.came else -1)
        made["s"].append(row.side)
        made["o"].append(ops.of(p.name()))
        made["p"].append(row.psn - bases[asks])
        made["l"].append(len(p.payload))
        made["f"].append(row.flags)
        made["w"].append(rows.CAUSE[row.why])
        made["b"].append(index - row.by.index if row.by else 0)
        made["y"].append(p.aeth[0] if p.aeth else -1)
        made["m"].append(p.aeth[1] if p.aeth else -1)
        number, ns = row.number, row.ns
        if row.notes:
            notes[index] = "; ".join(row.notes)
        text = detail(p)
        if text:
            details[index] = text
    made["s"] = "".join(map(str, made["s"]))
    return made, notes, details, bases


def bases_of(connection):
    """PSNs that the `p` of rows are counted from: of what each side asks."""
    found = []
    for side in connection.sides:
        lives = side.lives()
        found.append(lives[0][0].first or 0 if lives else 0)
    return found


def latencies(side, ops):
    """Messages that were completed: row, ns, operation."""
    done = [message for requests, _ in side.lives() for message in requests.messages if message.done]
    return {"row": [message.row.index for message in done], "ns": [message.done_ns - message.row.ns for message in done],
            "op": [ops.of(message.op) for message in done]}


def connection_data(connection, index_of, base_ns, ops, messages):
    made, notes, details, bases = columns(connection, base_ns, ops)
    setup = None
    if connection.found_by:
        manager, row, asked = connection.found_by
        setup = {"connection": index_of[manager], "frame": row.number, "text": asked.words[0]}
    return {
        "kind": connection.kind, "pmtu": connection.pmtu if connection.kind in ("RC", "UC") else None,
        "renewed": connection.renewed, "setup": setup, "base": bases,
        "sides": [{"address": str(ipaddress.ip_address(side.address)), "qpn": side.qpn, "port": side.port}
                  for side in connection.sides],
        "figures": [connection.figures(side) for side in (0, 1)], "latency_all": connection.latency(),
        "latency": [latencies(side, messages) for side in connection.sides],
        "rows": made, "notes": notes, "details": details,
    }


def data(analysis, name, counters=None):
    """All that the page shows, as JSON's types."""
    times = [frame.ns for frame in analysis.frames]
    base = min(times)
    ops, messages = Names(), Names()
    index_of = {connection: index for index, connection in enumerate(analysis.connections)}
    return {
        "file": name, "base_ns": base, "span_ns": max(times) - base, "clock": "device" if base < EPOCH_NS else "utc",
        "exact": analysis.exact, "records": len(analysis.frames), "frames": analysis.frames_left,
        "bytes": analysis.bytes_left, "packets": analysis.packets_left,
        "stations": [dict(station, name=key) for key, station in analysis.stations.items()],
        "others": dict(analysis.others), "warnings": analysis.warnings.all(),
        "flags": rows.FLAGS, "causes": [list(cause) for cause in rows.CAUSES],
        "connections": [connection_data(connection, index_of, base, ops, messages)
                        for connection in analysis.connections],
        "ops": ops, "messages": messages, "counters": counters,
    }


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def digest(text):
    """What a content security policy calls an inline script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page(found):
    """The HTML of data()."""
    script, style = "".join(read(name) for name in SCRIPTS), read(STYLE)
    # No "<" in it: nothing in a capture ends the element.
    text = json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")
    policy = f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="cairn report">
<title>{html.escape(found["file"])} - cairn report</title>
<style>{style}</style>
</head>
<body>
<noscript><p>This page draws itself with its own script: please allow it.</p></noscript>
<main id="page"></main>
<script id="data" type="application/json">{text}</script>
<script>{script}</script>
</body>
</html>
"""
