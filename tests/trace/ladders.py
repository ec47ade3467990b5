# SPDX-License-Identifier: Apache-2.0
"""For tests of `cairn report`: the page of a conversation (talk.py), and the rows of its ladders."""
import json
import os
import re
import tempfile

import page
from analysis import Analysis


def reported(talk, ports=True):
    """What the page of this conversation has."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "talk")
        (talk.save_ports if ports else talk.save)(path)
        return json.loads(json.dumps(page.data(Analysis(path).run(), "talk")))


def data_of(text):
    """The data in a page."""
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S).group(1))


class Line:
    """One row; by: another, or None."""

    def __init__(self, index):
        self.index, self.by = index, None


class Ladder(list):
    """The rows of connection `index` of a page's data, read as its script does."""

    def __init__(self, found, index):
        super().__init__()
        self.connection = found["connections"][index]
        self.figures = self.connection["figures"]
        rows, number, ns = self.connection["rows"], 0, 0
        for at, values in enumerate(zip(*(rows[name] for name in "ntasoplfwbym"))):
            line = Line(at)
            n, t, line.arrival, side, op, line.psn, line.bytes, flags, why, by, line.syndrome, line.msn = values
            number, ns = number + n, ns + t
            line.number, line.ns, line.side, line.op = number, ns, int(side), found["ops"][op]
            line.flags = {name for name, bit in found["flags"].items() if flags & bit}
            line.why = found["causes"][why][0]
            line.note = self.connection["notes"].get(at, self.connection["notes"].get(str(at), ""))
            line.by = self[at - by] if by else None
            self.append(line)
        assert all(len(column) == len(self) for column in rows.values())
