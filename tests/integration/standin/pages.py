# SPDX-License-Identifier: Apache-2.0
"""A run directory without a simulator: statistics pages (sim/sim_stat.h) and latencies (libprovider/lat_page.h) that a
test makes, for `cairn stat` and `cairn top`.  Sizes come from the headers; what has moved in them fails at once, since
the tool refuses the page."""
import os
import re
import shutil
import struct
import subprocess
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
TOOL = os.path.join(TOP, os.environ.get("BUILD", "build"), "bin", "cairn")


def text_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def constant(text, name):
    return re.search(rf'#define\s+{name}\s+"?([^"\s]+)"?', text)[1]


TABLE = re.sub(r'"\n\s*"', "", text_of("rtl/hw/hw.def"))  # a text of several lines
ROWS = re.findall(r'^(QP_|BYTE_)?COUNTER\((\d+),\s*\w+,\s*"(\w+)",[^"]*"(.*)"\)', TABLE, re.M)
COUNTERS = {name: int(index) for _, index, name, _ in ROWS}
DOCS = {name: doc for _, _, name, doc in ROWS}
OF_QP = [name for kind, _, name, _ in ROWS if kind == "QP_"]
N_COUNTERS = max(COUNTERS.values()) + 1
STAT_H, LAT_H, HIST_H = text_of("sim/sim_stat.h"), text_of("libprovider/lat_page.h"), text_of("libprovider/lat_hist.h")
QPS, NAME_BYTES = int(constant(STAT_H, "SIM_STAT_QPS")), int(constant(STAT_H, "SIM_STAT_NAME_BYTES"))
SLOTS, FILE_OFFSET = int(constant(LAT_H, "LAT_SLOTS").rstrip("u")), int(constant(LAT_H, "LAT_FILE_OFFSET"))
SUB, TOP_LOG2 = (int(constant(HIST_H, name).rstrip("u")) for name in ("LAT_SUB_LOG2", "LAT_TOP_LOG2"))
BUCKETS = ((TOP_LOG2 - SUB + 1) << SUB) + 1
MODEL = ("wire_tx_frames", "wire_dropped", "pcie_wr_tlps", "sim_time_ns", "sim_wall_ns", "sim_counters_time_ns",
         "sim_counters_wall_ns", "sim_cycles", "sim_evaluated_cycles", "sim_evaluated_cycles_per_s", "sim_errors")


def bucket(ns):
    shift = max(ns.bit_length() - 1 - SUB, 0)
    return (shift << SUB) + (ns >> shift)


class RunDir:
    """with RunDir() as run: run.stat(0, rx_packets=5); run.lat("nic0", {0x11: [1000, 2000]})"""

    def __enter__(self):
        self.above = tempfile.mkdtemp(prefix="cairn-pages-")
        self.path = f"{self.above}/cairn"
        os.mkdir(self.path, 0o700)
        self.values = {}
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.above, ignore_errors=True)

    def write(self, name, data):
        """At once for readers."""
        with open(f"{self.path}/.new", "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(data)
        os.rename(f"{self.path}/.new", f"{self.path}/{name}")

    def stat(self, nic, pid=None, qps=(), rename=None, **values):
        """The page of a NIC; what it had before stays.  qps: [(QPN, {counter: value})]; rename: {name: bytes}."""
        now = self.values.setdefault(nic, dict.fromkeys((*COUNTERS, *MODEL), 0))
        now.update(values)
        page = b"CAIRNST2" + struct.pack("<6I", N_COUNTERS + len(MODEL), nic, 0, pid or os.getpid(), len(qps), 0)
        for qpn, counted in qps:
            counters = [0] * N_COUNTERS
            for name, value in counted.items():
                counters[COUNTERS[name]] = value
            page += struct.pack(f"<{1 + N_COUNTERS}I", qpn, *counters)
        page += bytes((QPS - len(qps)) * 4 * (1 + N_COUNTERS))
        names = {index: name for name, index in COUNTERS.items()}
        names |= {N_COUNTERS + i: name for i, name in enumerate(MODEL)}
        for index in range(N_COUNTERS + len(MODEL)):
            name = names.get(index, "")
            page += struct.pack(f"<{NAME_BYTES}sQ", (rename or {}).get(name, name.encode()), now.get(name, 0))
        self.write(f"nic{nic}.stat", page)

    def read_now(self, nic, device=0, wall=0.0, **values):
        """The simulator has read its counters, so much later: ns of the device, seconds of the wall; and at a time to
        come, so that they do not grow old while a test is held up."""
        now = self.values[nic]
        if not now["sim_counters_wall_ns"]:
            now["sim_counters_wall_ns"] = time.monotonic_ns() + 3600 * 10**9
        for name, more in (("sim_counters_time_ns", device), ("sim_time_ns", device)):
            now[name] += device
        now["sim_counters_wall_ns"] += int(wall * 1e9)
        now["sim_wall_ns"] = now["sim_counters_wall_ns"]
        self.stat(nic, **values)

    def lat(self, name, qps, others=(), device=b"cairn_0", magic=b"CAIRNLT1", used=None):
        """Figures of a program that has closed its device: {QPN: [ns, ...]}, and of all other QPs."""
        slots = [(0xffffffff, others), *qps.items()]
        head = magic + struct.pack("<IIQ", 0, len(slots) if used is None else used, 0) + device.ljust(64, b"\0")
        head = head.ljust(-(-len(head) // 64) * 64, b"\0") + struct.pack("<Q", 0)
        head = head.ljust(-(-len(head) // 64) * 64, b"\0")
        head += b"".join(struct.pack("<II", qpn, i) for i, (qpn, _) in enumerate(slots)) + bytes(8 * (SLOTS - len(slots)))
        head = head.ljust(-(-len(head) // 64) * 64, b"\0")
        body = b""
        for _, times in slots:
            counts = [0] * BUCKETS
            for ns in times:
                counts[bucket(ns)] += 1
            body += struct.pack(f"<{3 + BUCKETS}Q", len(times), sum(times), max(times, default=0), *counts)
        page = head + body + bytes((SLOTS - len(slots)) * 8 * (3 + BUCKETS))
        page = page.ljust(-(-len(page) // 64) * 64, b"\0")
        at = magic + struct.pack("<IiQ", 0, -1, len(page))
        self.write(f"{name}.lat", at.ljust(FILE_OFFSET, b"\0") + page)
        return len(page)

    def lat_of(self, name, pid, size):
        """What says of the page of a program that has the device open."""
        self.write(f"{name}.lat", b"CAIRNLT1" + struct.pack("<IiQ", pid, 3, size) + bytes(40))


def cairn(*args, env=None, timeout=60, **options):
    """The tool's exit status, output and messages."""
    done = subprocess.run([TOOL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=timeout, env=env and {**os.environ, **env}, **options)
    return done.returncode, done.stdout, done.stderr
