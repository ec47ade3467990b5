#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of cairn report in headless Chromium: they draw themselves, without an error, what their data says.

Chromium is large, so it is not among packages.txt: `make test` runs this where it is installed and skips it elsewhere.
`make programs` installs it, and there (LONG=1) a missing browser is a failure, more pages are opened, and those of its
captures (test_page.py PAGE...).  Of each page the elements are read after its script has run, and once a picture is
taken, which is left in KEEP if that is set.
"""
import collections
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from html.parser import HTMLParser

sys.dont_write_bytecode = True

import shared  # noqa: E402
import page  # noqa: E402
import tap  # noqa: E402
from analysis import Analysis  # noqa: E402
from ladders import Ladder, reported  # noqa: E402
from talk import Talk  # noqa: E402

BROWSER = shutil.which("chromium")
LONG = bool(os.environ.get("LONG"))
HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(shared.TOP, "tests", "fixtures")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage",
         "--enable-logging=stderr", "--hide-scrollbars", "--window-size=1400,2200"]
# What the console of a page says; the browser's own troubles (no bus, no GPU) are on stderr, too.
CONSOLE = re.compile(r"CONSOLE[:(\d)]*\]? *(.*)")
HUNG_S = 100
MANY = 100_000  # packets
SHOWN = 80      # lines that a ladder may have as elements


class Elements(HTMLParser):
    """[(tag, attributes)] of a page as drawn, and its text without scripts."""

    def __init__(self, text):
        super().__init__()
        self.found, self.inside, self.words = [], None, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self.inside = tag if tag in ("script", "style") else self.inside

    def handle_endtag(self, tag):
        self.inside = None if tag == self.inside else self.inside

    def handle_data(self, data):
        if not self.inside:
            self.words.append(data)

    def having(self, **wanted):
        """Attributes of the elements that have these (data_plot: data-plot); classes one of several."""
        pairs = [(name.rstrip("_").replace("_", "-"), value) for name, value in wanted.items()]
        return [attrs for _, attrs in self.found
                if all(value in attrs.get(name, "").split() if name == "class" else attrs.get(name) == value
                       for name, value in pairs)]

    def text(self):
        return " ".join(" ".join(self.words).replace("\u2009", "").split())


def browse(path, *words):
    """Standard output of the browser, and what the page said on its console."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([BROWSER, *FLAGS, f"--user-data-dir={profile}", *words, "file://" + path],
                              capture_output=True, text=True, timeout=HUNG_S, check=False)
    if done.returncode:
        raise AssertionError(f"chromium: exit {done.returncode}: {done.stderr[-800:]}")
    return done.stdout, [match.group(1) for match in map(CONSOLE.search, done.stderr.splitlines()) if match]


def drawn(found, place="", spoil=None):
    """Elements of the page of this data, at this place in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(spoil(page.page(found)) if spoil else page.page(found))
        dom, said = browse(path + place, "--dump-dom")
    return Elements(dom), said


def sound(elements, said):
    """There was no error."""
    root = elements.found[0][1]
    assert root.get("data-state") == "ready" and "data-error" not in root and not said, (root, said)
    return elements


def right(found, place=""):
    return sound(*drawn(found, place))


def of_fixture(name):
    return page.data(Analysis(os.path.join(FIXTURES, name + ".pcap")).run(), name)


def lossy():
    """A WRITE with a lost packet, an RNR NAK, a duplicate; by port."""
    t = Talk()
    t.write(100, 700)[1]["lost"] = True
    t.nak(101, 0)
    t.wait(30)
    del t.packets[t.packets.index(t.write(100, 700)[0])]
    t.ack(102, 1)
    t.send(103, 10, twice=True)
    t.rnr(103, 1, timer=1)
    t.wait(20)
    t.send(103, 10)
    t.ack(103, 2)
    return t


def lines_of(elements):
    """{frame: attributes} of a ladder's lines."""
    return {int(line["data-frame"]): line for line in elements.having(class_="line") if "data-frame" in line}


def ladder_and_plots():
    """Each line is there, with its cause; each plot has points."""
    found = reported(lossy())
    rows, elements = Ladder(found, 0), right(found)
    lines = lines_of(elements)
    assert set(lines) == {row.number for row in rows}, lines
    for row in rows:
        assert lines[row.number]["data-why"] == row.why and set(lines[row.number]["data-kind"].split()) == row.flags, row.number
    words = elements.text()
    nak, again = rows[3], rows[4]
    for text in (f"sent again: sequence NAK #{nak.number}", f"a PSN is missing before #{rows[2].number}",
                 f"sent again: went back with #{again.number}", "WRITE_MIDDLE 101 · 256 B", "RNR NAK · PSN 103",
                 "asks to wait 10.000 us", "NAK: sequence error · PSN 101", "10.0.0.1 QP 0x11", "arrived again"):
        assert text in words, (text, words[:3000])
    plots = {plot["data-plot"]: int(plot["data-points"]) for plot in elements.having(class_="plot") if "data-plot" in plot}
    assert set(plots) == {"sequence", "throughput", "latency", "distribution"} and plots["sequence"] == len(rows), plots
    assert plots["latency"] == 2 and plots["distribution"] >= 1 and plots["throughput"] > 10, plots
    assert len(elements.having(class_="cross")) == 1 and len(elements.having(class_="badge", )) >= 5
    return found


def picture():
    """As large as the window, not blank: many colours, none of them nearly everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        path, shot = os.path.join(folder, "page.html"), os.path.join(folder, "page.png")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page.page(reported(lossy())))
        browse(path, f"--screenshot={shot}", "--window-size=1000,800")
        with open(shot, "rb") as file:
            width, height, colours = picture_of(file.read())
        if os.environ.get("KEEP"):
            shutil.copy(shot, os.environ["KEEP"])
    assert (width, height) == (1000, 800) and len(colours) > 40, (width, height, len(colours))
    most = colours.most_common(1)[0][1]
    assert most < 0.9 * width * height / 7, f"{most} of {width * height} are of one colour"


def picture_of(png):
    """Width, height, and how often each colour is among every seventh pixel."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n", png[:8]
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", png, at + 8)
        data += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    assert depth == 8 and colour in (2, 6), (depth, colour)
    wide = 3 if colour == 2 else 4
    raw, before, colours = zlib.decompress(data), bytearray(width * wide), collections.Counter()
    for row in range(height):
        line = bytearray(raw[row * (width * wide + 1) + 1:(row + 1) * (width * wide + 1)])
        unfilter(raw[row * (width * wide + 1)], line, before, wide)
        colours.update(bytes(line[at:at + 3]) for at in range(row % 7 * wide, len(line), 7 * wide))
        before = line
    return width, height, colours


def unfilter(kind, line, before, wide):
    """The filters of PNG, in place."""
    for at, value in enumerate(line):
        left = line[at - wide] if at >= wide else 0
        up, corner = before[at], before[at - wide] if at >= wide else 0
        if kind == 4:
            guess = left + up - corner
            near = min((left, up, corner), key=lambda one: abs(guess - one))
            line[at] = value + near & 255
        else:
            line[at] = value + (0, left, up, left + up >> 1)[kind] & 255


def places():
    """What is looked at is in the address; what makes no sense there does no harm."""
    found = of_fixture("rping_v4")
    elements = right(found, "#c=1&frame=2")
    lines = lines_of(elements)
    assert list(lines) == [1, 2, 3, 40, 41] and "chosen" in lines[2]["class"].split(), lines
    assert "CM REP" in elements.text() and "service TCP port 7174" in elements.text()
    elements = right(found, "#c=2&filter=ack")
    assert len(lines_of(elements)) == 15 and {line["data-why"] for line in lines_of(elements).values()} == {"acks"}
    assert "REQ in frame 1" in elements.text()
    for place in ("#c=99&frame=-1&filter=x&from=9&to=3", "#c=x&from=1e99&side=7", "#%zz&&="):
        assert len(lines_of(right(found, place))) > 20, place


def handled(found):
    """What hands.js notes; the policy that keeps other scripts out is taken away for it."""
    with open(os.path.join(HERE, "hands.js"), encoding="utf-8") as file:
        script = file.read()

    def spoil(text):
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        return text.replace("</body>", f"<script>{script}</script></body>")

    elements = sound(*drawn(found, spoil=spoil))
    return json.loads(next(attrs["data-log"] for tag, attrs in elements.found if tag == "body"))


def hands():
    """Dragging, double clicks, buttons, links, the field, and the heads of a table do what they are for."""
    found, other = reported(lossy()), reported(lossy())
    found["connections"].append(other["connections"][0])
    found["connections"][1]["figures"][0]["payload"] += 1
    rows = Ladder(found, 0)
    again = [row for row in rows if "again" in row.flags]
    first, zoomed, back, chosen, followed, gone, nowhere, opened, windowed, down, up, second = handled(found)
    assert first[:4] == ["all", len(rows), str(len(rows)), None], first
    assert 0 < int(zoomed[2]) < len(rows) and "from=" in zoomed[4] and "to=" in zoomed[4], zoomed
    assert back[2] == first[2] and "from=" not in back[4], back
    assert chosen[:2] == ["again", len(again)] and "filter=again" in chosen[4], chosen
    assert followed[:2] == ["all", len(rows)] and followed[3] == str(again[0].by.number), followed
    assert gone[3] == "3" and nowhere == gone, (gone, nowhere)
    assert opened[:2] == ["all", len(rows)] and opened[3] == str(rows[0].number), opened
    assert 0 < windowed[1] < len(rows), windowed
    assert (down, up) == (["1", "0"], ["0", "1"]), (down, up)
    assert "c=2" in second[4] and second[3] is None, second


def errors_are_seen():
    """A page whose script fails does not pass for a good one."""
    elements, said = drawn(of_fixture("gx_atomics"), spoil=lambda text: text.replace('"causes":', '"reasons":'))
    root = elements.found[0][1]
    assert "data-error" in root and root.get("data-state") != "ready" and "could not be drawn" in elements.text(), root
    assert any("Uncaught" in line for line in said), said


def policy_is_kept():
    """Another script than the page's own is not run, nothing is loaded, and either is seen."""
    found = of_fixture("gx_atomics")
    elements, said = drawn(found, spoil=lambda text: text.replace("start();\n</script>", "start( );\n</script>"))
    assert elements.found[0][1].get("data-state") != "ready" and any("Content Security Policy" in line for line in said), said
    _, said = drawn(found, spoil=lambda text: text.replace("<main", '<img src="file:///x.png" alt=""><main'))
    assert any("Content Security Policy" in line for line in said), said


def hostile_names():
    """Names are text on the page, not elements."""
    found = of_fixture("gx_atomics")
    bad = '</script><img src=x onerror="document.documentElement.dataset.state=1"><b>bold</b>'
    found["file"] = found["stations"][0]["name"] = found["connections"][0]["sides"][0]["port"] = bad
    found["warnings"] = [{"text": bad, "count": 1, "frames": [1]}]
    elements = right(found)
    assert not [tag for tag, _ in elements.found if tag == "img"] and elements.text().count("<b>bold</b>") >= 4


def counters():
    found = of_fixture("gx_atomics")
    found["counters"] = {"nic0": {"tx_packets": 12345, "rx_packets": 0, "qps": {"0x000123": {"rnr_nak_sent": 7}}},
                         "nic1": {"tx_packets": 0, "rx_packets": 0}}
    words = right(found).text()
    assert "tx_packets 12345 \u2013" in words, words[-600:]
    assert "0x000123" in words and "rnr_nak_sent 7" in words and "rx_packets" not in words


def grown(found, times):
    """The first connection's rows, so many times over."""
    connection = found["connections"][0]
    rows, size = connection["rows"], len(connection["rows"]["n"])
    span = sum(rows["t"])
    for name, column in rows.items():
        rows[name] = column * times
    rows["t"][::size] = [rows["t"][0]] + [10_000] * (times - 1)
    rows["n"][::size] = [rows["n"][0]] + [2] * (times - 1)
    last = max(rows["p"]) + 1
    rows["p"] = [psn + at // size * last for at, psn in enumerate(rows["p"])]
    for name in ("notes", "details"):
        connection[name] = {int(at) + turn * size: text for at, text in connection[name].items()
                            for turn in range(times)}
    for side in connection["latency"]:
        side["row"] = [row + turn * size for turn in range(times) for row in side["row"]]
        side["ns"], side["op"] = side["ns"] * times, side["op"] * times
    found["span_ns"] = (span + 10_000) * times
    return json.loads(json.dumps(found))


def a_hundred_thousand():
    """Packets: all are counted, only what is on the screen is an element; the ladder begins with the events, and the
    last packet can be looked at."""
    found = reported(lossy())
    found = grown(found, MANY // len(Ladder(found, 0)) + 1)
    rows = Ladder(found, 0)
    assert len(rows) > MANY
    elements = right(found)
    shown = len(lines_of(elements))
    assert 10 < shown < SHOWN and len(elements.found) < 6000, (shown, len(elements.found))
    plots = {plot["data-plot"]: int(plot["data-points"]) for plot in elements.having(class_="plot") if "data-plot" in plot}
    assert all(100 < plots[name] < 60_000 for name in ("sequence", "latency")), plots
    assert len(elements.having(data_filter="around")) == 1 and len(elements.having(aria_pressed="true")) == 2
    elements = right(found, f"#frame={rows[-1].number}&filter=all")
    assert rows[-1].number in lines_of(elements) and len(lines_of(elements)) < SHOWN, list(lines_of(elements))


def kinds_of_captures():
    """Each draws itself, whatever is in it."""
    for name in ("atomic_bw_v6_cas", "corrupt_client_tx_mix", "dup_client_tx_mix", "err_bad_qpn_retry_exc",
                 "err_rnr_write_imm", "err_ud_bad_qkey", "gx_psn_wrap", "gx_vlan5_v4", "loss_server_tx_read",
                 "loss_uc_client_tx", "reorder_client_tx_write", "send_bw_v4_bidir_q4", "udaddy_v4", "write_bw_v4_rdmacm"):
        found = of_fixture(name)
        elements = right(found, f"#c={len(found['connections'])}&filter=all")
        assert lines_of(elements), name


TESTS = (ladder_and_plots, hands, picture, errors_are_seen, a_hundred_thousand)
LONG_TESTS = (policy_is_kept, places, hostile_names, counters, kinds_of_captures)


def given(path):
    """A page that somebody else has made."""
    dom, said = browse(os.path.abspath(path), "--dump-dom")
    elements = sound(Elements(dom), said)
    assert 0 < len(lines_of(elements)) < SHOWN, len(lines_of(elements))


def main():
    if not BROWSER:
        print("1..1\n" + ("not ok 1 - pages in a browser\n# chromium is not installed: apt-get install chromium" if LONG else
                          "ok 1 - pages in a browser # SKIP chromium is not installed; make programs has it and runs this"))
        return int(LONG)
    tests = [(test.__name__.replace("_", " "), test) for test in TESTS + (LONG_TESTS if LONG else ())]
    return tap.run([(path, lambda path=path: given(path)) for path in sys.argv[1:]] or tests)


if __name__ == "__main__":
    sys.exit(main())
