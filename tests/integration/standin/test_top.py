#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cairn top on pages that are made here: what is on the screen (tmux draws it), keys, resizing, small terminals and
those without colours or of no known kind; the terminal is left as it was; --batch.  Prints TAP."""
import itertools
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(TOP, "tests", part) for part in ("trace", "integration/standin")]
import pages  # noqa: E402
import tap  # noqa: E402

WAIT_S = 60  # until something is on the screen; a busy machine draws late
FAST = ("-s", "0.1")


class Screen:
    """cairn top in a terminal of tmux."""

    def __init__(self, run, *args, width=80, height=24, term=None):
        if not shutil.which("tmux"):
            raise AssertionError("tmux is not installed: see packages.txt, or run `make deps`")
        self.home = tempfile.mkdtemp(prefix="cairn-tmux-")
        command = [pages.TOOL, "top", "-d", run.path, *FAST, *args]
        environment = {key: value for key, value in os.environ.items() if key not in ("TMUX", "NO_COLOR")}
        words = ["new-session", "-d", "-x", str(width), "-y", str(height), f"{'TERM=' + term if term else ''} "
                 + " ".join(f"'{word}'" for word in command) + "; echo ended with $?; sleep 100"]
        self.environment = environment
        self.tmux(*words)

    def tmux(self, *words):
        done = subprocess.run(["tmux", "-S", f"{self.home}/socket", "-f", "/dev/null", *words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env=self.environment, check=False, timeout=WAIT_S)
        if done.returncode:
            raise AssertionError(f"tmux {words}: {done.stdout}")
        return done.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", f"{self.home}/socket", "kill-server"], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.home, ignore_errors=True)

    def text(self):
        return self.tmux("capture-pane", "-p")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def resize(self, width, height):
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def until(self, *wanted, without=()):
        """Waits for all of it, and returns the screen."""
        end = time.monotonic() + WAIT_S
        while True:
            text = self.text()
            if all(part in text for part in wanted) and not any(part in text for part in without):
                return text
            assert time.monotonic() < end, f"wanted {wanted}, not {without}, and there is:\n{text}"
            time.sleep(0.05)


def traffic(run):
    """nic0 sends 10 Gb/s of device time, 2 Mb/s of the wall's; nic1 half of it."""
    for nic, part in ((0, 1), (1, 2)):
        now = run.values[nic]
        run.read_now(nic, 10000, 0.05, tx_bytes=now["tx_bytes"] + 12500 // part, rx_bad_qpn=now["rx_bad_qpn"] + 1,
                     qps=[(0x100 + nic, {"tx_retransmitted_packets": 5})])


def two(run):
    for nic in (0, 1):
        run.stat(nic)
        run.read_now(nic, 5 * 10**9, 0)
    run.lat("nic0", {0x77: [1500] * 10})


def busy(run, *args, **options):
    """A screen that shows the rates: the pages are read twice, with traffic in between."""
    two(run)
    screen = Screen(run, *args, **options)
    try:
        screen.until("nic0 up")
        traffic(run)
    except BaseException:
        screen.__exit__()
        raise
    return screen


def drawn():
    with pages.RunDir() as run, busy(run) as screen:
        text = screen.until("10.0G", "5.00G")
        lines = text.splitlines()
        assert lines[0].startswith(f"cairn top: 2 NICs, 3 QPs, every 0.1 s, {run.path}"[:80]), text
        assert lines[1].startswith("simulation: ") and "cycles/s, device time 5.000010 s" in lines[1], text
        assert lines[2] == "rates in device time, numbers of the interval, sorted by nic", text
        assert lines[3].split() == ["NIC", "STATE", "TXbit/s", "RXbit/s", "RETX", "DROPS", "P50", "P99", "P99.9"], text
        assert [line.split()[:2] for line in lines[4:6]] == [["nic0", "up"], ["nic1", "up"]], text
        assert [line.split()[:2] for line in lines[8:11]] == [["nic0", "0x000077"], ["nic0", "0x000100"],
                                                             ["nic1", "0x000101"]], text
        assert any(line.startswith("dropped: nic0 rx_bad_qpn 1 (+") for line in lines), text
        assert lines[23] == "h: help  q: end", text
        screen.press("c")
        screen.until("numbers since open", "1.50u")


def keys():
    with pages.RunDir() as run, busy(run) as screen:
        screen.until("10.0G")
        screen.press("t")
        screen.until("rates in wall time", "wTXbit/s", "2.00M")
        screen.press("t")
        screen.until("rates in both times", "TXbit/s wTXbit/s")
        screen.press("t")
        screen.until("rates in device time", without=["wTXbit/s"])
        screen.press("s")
        text = screen.until("sorted by tx")
        assert text.index("nic0 up") < text.index("nic1 up"), text
        screen.press("r")
        text = screen.until("sorted by tx (reversed)")
        assert text.index("nic1 up") < text.index("nic0 up"), text
        screen.press("r", "S")
        screen.until("sorted by nic\n")
        screen.press("S")
        screen.until("sorted by p999")
        screen.press("n")
        screen.until("only nic0", "0x000077", without=["nic1 up", "0x000101"])
        screen.press("n")
        screen.until("only nic1", "0x000101", without=["nic0 up"])
        screen.press("n")
        screen.until("nic0 up", "nic1 up", without=["only"])
        screen.press("1")
        screen.until("only nic1", without=["nic0 up"])
        screen.press("7")
        screen.until("only nic7", "no NIC")
        screen.press("a")
        screen.until("nic0 up", without=["only"])
        screen.press("u")
        screen.until("nic0 up", without=["0x000077"])
        screen.press("u")
        screen.until("0x000077")
        screen.press("+", "+")
        screen.until("every 0.4 s")
        for _ in range(6):
            screen.press("-")
        screen.until("every 0.1 s")
        screen.press("h")
        screen.until("this help", "Page Up", without=["nic0 up"])
        screen.press("?")
        screen.until("nic0 up", without=["this help"])
        screen.press("x")  # none of its keys
        screen.press("q")
        screen.until("ended with 0", without=["nic0 up"])


def paused():
    with pages.RunDir() as run, busy(run) as screen:
        screen.until("10.0G")
        screen.press("Space")
        screen.until("PAUSED")
        run.read_now(0, 10000, 0.05, tx_bytes=run.values[0]["tx_bytes"] + 3750)
        time.sleep(0.5)  # five intervals
        screen.until("10.0G", "PAUSED")
        screen.press("t")  # keys are still obeyed
        screen.until("wTXbit/s", "2.00M")
        screen.press("t", "t", "p")
        screen.until("3.00G", without=["PAUSED", "10.0G"])


def resized():
    with pages.RunDir() as run, busy(run) as screen:
        screen.until("10.0G")
        for width, height in ((40, 10), (20, 4), (9, 2), (3, 2), (200, 50), (1, 1), (80, 3)):
            screen.resize(width, height)
            text = screen.until("cairn top: 2 NICs"[:width] if width > 1 else "")
            assert all(len(line) <= width for line in text.splitlines()), text
        screen.resize(160, 30)
        screen.until("TXpkt/s", "TIMEOUTS", "nic1 up", "h: help  q: end")
        screen.resize(40, 10)
        screen.until("TXbit/s  RXbit/s", "(more below)", without=["RETX"])
        screen.press("q")
        screen.until("ended with 0")


def scrolled():
    with pages.RunDir() as run:
        run.stat(0, qps=[(number, {"tx_go_backs": 1}) for number in range(1, 61)])
        with Screen(run) as screen:
            screen.until("60 QPs", "0x000001", "(more below)", without=["0x00003c"])
            screen.press("Down", "Down")
            screen.until("0x000002", without=["NIC  STATE"])
            screen.press("Up")
            screen.until("0x000010")
            for _ in range(4):
                screen.press("NPage")
            screen.until("60 QPs", "0x00003c", without=["0x000001 ", "(more below)"])
            screen.press("PPage")
            screen.until("0x000020")
            run.stat(0, qps=[(1, {"tx_go_backs": 1})])  # what was scrolled to is gone
            screen.until("1 QP,", "0x000001", "NIC  STATE")
            screen.press("Home")
            screen.until("nic0 up")


def come_and_go():
    with pages.RunDir() as run, busy(run) as screen:
        screen.until("10.0G")
        os.unlink(f"{run.path}/nic0.stat")
        screen.until("1 NIC,", without=["nic0 up"])
        os.unlink(f"{run.path}/nic1.stat")
        screen.until("0 NICs", "no NIC", "simulation: none")
        # a page that is none is said, and nothing else is drawn over
        run.write("nic1.stat", b"")
        screen.until("nic1.stat: no statistics page", "no NIC")
        # another simulator
        run.values.clear()
        run.stat(1, pid=os.getppid())
        run.read_now(1, 10**9, 0, pid=os.getppid())
        screen.until("nic1 up", "device time 1.000000 s", without=["5.00G"])
        screen.until("nic1 up", without=["no statistics page"])
        os.chmod(run.path, 0o755)
        screen.until("lets others in", "no NIC")
        os.chmod(run.path, 0o700)
        screen.until("nic1 up", without=["lets others in"])
        run.stat(1, pid=0x7ffffff0)
        screen.until("nic1 gone", "simulation: none")


def ends_by_itself():
    with pages.RunDir() as run:
        two(run)
        with Screen(run, "-n", "3") as screen:
            screen.until("ended with 0")


class Pty:
    """cairn top on a terminal of which every byte is kept."""

    def __init__(self, run, *args, **environment):
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (24, 80))
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        self.process = subprocess.Popen([pages.TOOL, "top", "-d", run.path, *FAST, *args], stdin=self.slave,
                                        stdout=self.slave, stderr=self.slave, env={**clean, **environment},
                                        start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for fd in (self.master, self.slave):
            if fd is not None:
                os.close(fd)

    def read(self, wanted=None):
        """Until that is among what was written, or (None) the process has ended."""
        end = time.monotonic() + WAIT_S
        while wanted not in self.seen if wanted else True:
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 65536)
            elif not wanted and self.process.poll() is not None:
                return
            assert time.monotonic() < end, (wanted, self.seen[-500:])


def restored():
    """By a key and by signals: modes, cursor and screen are those from before."""
    with pages.RunDir() as run:
        two(run)
        for how in ("q", signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with Pty(run, TERM="xterm") as terminal:
                terminal.read(b"nic1 up")
                assert termios.tcgetattr(terminal.slave)[3] & termios.ECHO == 0
                assert b"\x1b[?1049h" in terminal.seen and b"\x1b[?25l" in terminal.seen, terminal.seen
                if how == "q":
                    os.write(terminal.master, b"q")
                else:
                    terminal.process.send_signal(how)
                terminal.read()
                assert terminal.process.returncode == 0, (how, terminal.process.returncode)
                assert termios.tcgetattr(terminal.slave) == terminal.before, how
                assert terminal.seen.rfind(b"\x1b[?1049l") > terminal.seen.rfind(b"\x1b[?1049h"), terminal.seen[-200:]
                assert terminal.seen.rfind(b"\x1b[?25h") > terminal.seen.rfind(b"\x1b[?25l"), terminal.seen[-200:]


def terminal_goes_away():
    with pages.RunDir() as run:
        two(run)
        with Pty(run, TERM="xterm") as terminal:
            terminal.read(b"nic1 up")
            os.close(terminal.slave)
            os.close(terminal.master)
            terminal.slave = terminal.master = None
            terminal.process.wait(WAIT_S)


def colours():
    with pages.RunDir() as run:
        two(run)
        for environment, wanted in (({"TERM": "xterm-256color"}, True), ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
                                    ({"TERM": "vt100"}, False), ({"TERM": "xterm-mono"}, False)):
            with Pty(run, **environment) as terminal:
                terminal.read(b"nic1 up")
                coloured = any(f"\x1b[{one}{colour}".encode() in terminal.seen
                               for one, colour in itertools.product(("", "1;", "0;1;"), ("36m", "36;", "38;5")))
                assert coloured == wanted, (environment, terminal.seen)
                os.write(terminal.master, b"q")
                terminal.read()
                assert terminal.process.returncode == 0


def no_such_terminal():
    with pages.RunDir() as run:
        two(run)
        for term in ("nonsense", "", "dumb"):
            with Pty(run, TERM=term) as terminal:
                terminal.read()
                assert terminal.process.returncode == 1, (term, terminal.seen)
                assert b"--batch" in terminal.seen and termios.tcgetattr(terminal.slave) == terminal.before, terminal.seen
        code, out, err = pages.cairn("top", "-d", run.path, stdin=subprocess.DEVNULL)
        assert code == 1 and not out and "no terminal; --batch writes plain text" in err, (code, out, err)


# ---------------------------------------------------------------- --batch

def tables(out):
    """[{title: [{column: text}]}] of the blocks, and the lines of drops: {(nic, reason): (total, more)}."""
    blocks = []
    for block in out.strip("\n").split("\n\n"):
        found, heads = {"": block.splitlines()[:2], "DROP": {}}, None
        for line in block.splitlines()[2:]:
            words = line.split()
            if words[0] == "NIC":
                heads = words
                found[words[1]] = []
            elif words[0] == "DROP":
                found["DROP"][tuple(words[1:3])] = tuple(int(word) for word in words[3:])
            else:
                assert len(words) == len(heads), (heads, line)
                found[heads[1]].append(dict(zip(heads, words)))
        blocks.append(found)
    return blocks


def batch():
    with pages.RunDir() as run:
        two(run)
        with subprocess.Popen([pages.TOOL, "top", "-b", "-n", "8", "-d", run.path, "-s", "0.2"], stdout=subprocess.PIPE,
                              text=True) as process:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if line == "\n" and lines.count("\n") == 2:
                    traffic(run)
        out = "".join(lines)
        assert process.returncode == 0, out
        blocks = tables(out)
        assert len(blocks) == 8 and "\x1b" not in out, out
        last = blocks[-1]
        assert last[""][0].startswith("cairn top: 2 NICs, 3 QPs, 0.") and last[""][0].endswith(run.path), last[""]
        words = last[""][1].split()
        assert words[:2] == ["simulation:", "speed"] and float(words[2]) >= 0 and words[3:7:2] == ["cycles/s", "device_s"]
        nics = {row["NIC"]: row for row in last["STATE"]}
        assert float(nics["nic0"]["TXbit/s"]) == 10e9 and float(nics["nic0"]["wTXbit/s"]) == 2e6, nics
        assert float(nics["nic1"]["TXbit/s"]) == 5e9, nics
        assert nics["nic0"]["P50"] == "-" and nics["nic0"]["STATE"] == "up", nics
        assert [(row["NIC"], row["QP"]) for row in last["QP"]] == [("nic0", "0x000077"), ("nic0", "0x000100"),
                                                                  ("nic1", "0x000101")], last["QP"]
        assert last["DROP"][("nic0", "rx_bad_qpn")] == (1, 0), last["DROP"]
        # what happened is in one interval, and no other
        for nic, table, key in (("nic0", "STATE", "DROPS"), ("nic1", "QP", "RETX")):
            counts = [int(row[key]) for block in blocks for row in block.get(table, []) if row["NIC"] == nic
                      and row[key] != "-"]
            assert sum(counts) == {"DROPS": 1, "RETX": 5}[key], (key, counts)
        code, out, _ = pages.cairn("top", "-b", "-n", "1", "-d", run.path, *FAST, "-c", "-u", "-t", "device", "-o", "retx")
        block, = tables(out)
        assert code == 0 and "QP" not in block and "wTXbit/s" not in block["STATE"][0], block
        assert {row["NIC"]: row["P50"] for row in block["STATE"]} == {"nic0": "1500", "nic1": "-"}, block
        assert {row["NIC"]: row["DROPS"] for row in block["STATE"]} == {"nic0": "1", "nic1": "1"}, block


def batch_ends():
    with pages.RunDir() as run:
        two(run)
        # who reads has enough
        done = subprocess.run(f"'{pages.TOOL}' top -b -s 0.1 -d '{run.path}' | head -1", shell=True, stdout=subprocess.PIPE,
                              text=True, timeout=WAIT_S, check=False)
        assert done.stdout.startswith("cairn top: 2 NICs"), done
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([pages.TOOL, "top", "-b", "-d", run.path, *FAST], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=WAIT_S, check=False)
        assert done.returncode == 1 and "standard output cannot be written" in done.stderr, done
        # an interval without a NIC is no end
        with subprocess.Popen([pages.TOOL, "top", "-b", "-n", "30", "-d", run.path, *FAST], stdout=subprocess.PIPE,
                              text=True) as process:
            process.stdout.readline()
            os.unlink(f"{run.path}/nic0.stat")
            os.unlink(f"{run.path}/nic1.stat")
            out = process.stdout.read()
        assert process.returncode == 0 and "no NIC" in out, out


def usage():
    with pages.RunDir() as run:
        two(run)
        for args, message in ((("-s", "0"), '--interval: "0" is no number of seconds from 0.1 to 3600'),
                              (("-s", "x"), '"x" is no number'), (("-s", "nan"), '"nan" is no number'),
                              (("-n", "0"), '--iterations: "0" is no number from 1'), (("-o", "size"), '--sort: "size": nic, tx'),
                              (("-t", "cpu"), '--time: "cpu": device, wall or both'), (("x",), 'unexpected argument "x"')):
            code, _, err = pages.cairn("top", "-b", "-d", run.path, *args)
            assert code == 2 and message in err, (args, code, err)
        for name in [row[0] for row in (("nic",), ("tx",), ("rx",), ("txpkt",), ("rxpkt",), ("msg",), ("req",), ("retx",),
                                        ("drops",), ("p50",), ("p99",), ("p999",))]:
            code, _, err = pages.cairn("top", "-b", "-n", "1", "-d", run.path, *FAST, "-o", name)
            assert code == 0, (name, err)
        for batch_too in ((), ("-b",)):
            code, _, err = pages.cairn("top", "-d", f"{run.above}/none", *batch_too)
            assert code == 1 and "no simulated NIC in" in err, err
        code, _, err = pages.cairn("top", "-b", "-d", run.path, "-i", "5")
        assert code == 1 and "no simulated NIC 5" in err, err
        os.chmod(run.path, 0o755)
        code, _, err = pages.cairn("top", "-b", "-d", run.path)
        assert code == 1 and "lets others in" in err, err
        os.chmod(run.path, 0o700)
        code, out, _ = pages.cairn("top", "-b", "-n", "1", "-d", run.path, "-i", "1", *FAST)
        assert code == 0 and "nic1 up" in out and "nic0" not in out, out


sys.exit(tap.run([(test.__name__.replace("_", " "), test) for test in (
    drawn, keys, paused, resized, scrolled, come_and_go, ends_by_itself, restored, terminal_goes_away, colours,
    no_such_terminal, batch, batch_ends, usage)]))
