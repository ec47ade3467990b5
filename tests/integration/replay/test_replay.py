#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cairn replay`: a recorded run of unmodified programs and a failed test of NICs in one process are repeated to the
cycle, with waves where the model has them; a recording that was changed is found out."""
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import zlib

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import tap  # noqa: E402

DIR = "build/integration/replay"
RECORDED, FAILED = f"{DIR}/recorded", f"{DIR}/failed"
MODEL, TRACE_MODEL = "build/lib/cairn-model-64.so", "build/lib/cairn-model-64-trace.so"


def replay(*args, env=None):
    return subprocess.run([pair.CAIRN, "replay", *args], env=env, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          stderr=subprocess.STDOUT, text=True, timeout=600, check=False)


def expect(result, code, *words):
    missing = [word for word in words if word not in result.stdout]
    if result.returncode != code or missing:
        raise AssertionError(f"exit {result.returncode}, expected {code} and {missing or words}:\n{result.stdout}")


def programs():
    with pair.Simulation(directory=f"{DIR}/run", loss=0.02, record=RECORDED) as sim:
        result = sim.pair("ibv_rc_pingpong", ["-s", "5000", "-n", "10", "-c"], timeout=300)
        if not result.ok:
            raise AssertionError(result.text())
    expect(replay(RECORDED), 0, "nic0: ", "nic1: ", "0 errors in the device, outputs as recorded")


def content(nic):
    with gzip.open(f"{RECORDED}/nic{nic}.rec", "rb") as file:
        return file.read()


def recording(name, data, nic=0):
    """A bundle of that one recording, as the simulator's zlib writes it."""
    copy = f"{DIR}/{name}"
    os.makedirs(copy, exist_ok=True)
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    with open(f"{copy}/nic{nic}.rec", "wb") as file:
        file.write(packer.compress(data) + packer.flush())
    return copy


def changed():
    """Another MAC address went in, and who changed it knew the checksum: the device must show it, in what it tells the
    host and what it sends.  Who did not is found out before."""
    data = bytearray(content(0))
    data[data.index(bytes.fromhex("01000012ca02"))] ^= 0x40
    expect(replay(recording("changed", bytes(data))), 1, "changed/nic0.rec is damaged: its checksum is wrong")
    data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))
    expect(replay(recording("changed", bytes(data))), 1, "nic0: ", "not as recorded from ")


def cut():
    """The end is missing: what there is was the same, but that is not all of it."""
    data = content(1)
    for name, part in (("part", data[:len(data) // 4]),):
        result = replay(recording(f"cut-{name}", part, 1))
        expect(result, 1, "nic1: ", "the same up to there", f"cut-{name}/nic1.rec has no end")
        if "as recorded" in result.stdout:
            raise AssertionError(result.stdout)


def short_recording():
    """Of the stand-in core and a few cycles, to be replayed many times."""
    os.makedirs(f"{DIR}/short-run", mode=0o700)
    env = dict(os.environ, CAIRN_MODEL_DIR="build/lib/standin")
    sim = subprocess.Popen([pair.CAIRN, "sim", "-n", "1", "-d", f"{DIR}/short-run", "--record", f"{DIR}/short"],
                           stdout=subprocess.PIPE, env=env)
    sim.stdout.readline()
    sim.terminate()
    if sim.wait(60):
        raise AssertionError(f"cairn sim: exit {sim.returncode}")
    sim.stdout.close()
    with open(f"{DIR}/short/nic0.rec", "rb") as file:
        return file.read(), env


def damaged():
    """The file itself, cut at any byte or a bit of it flipped: an error that names it.  A flip of which decompressing
    shows nothing (gzip pads its last byte) has damaged nothing."""
    good, env = short_recording()
    os.makedirs(f"{DIR}/damaged")

    def bad(data, what, code=1):
        with open(f"{DIR}/damaged/nic0.rec", "wb") as file:
            file.write(data)
        result = replay(f"{DIR}/damaged", env=env)
        if result.returncode != code or ("as recorded" in result.stdout) != (not code) or \
           code and "damaged/nic0.rec" not in result.stdout:
            raise AssertionError(f"{what}: exit {result.returncode}:\n{result.stdout}")

    def same(data):
        try:
            return zlib.decompress(data, 31) == zlib.decompress(good, 31) and data[:10] == good[:10]
        except zlib.error:
            return False

    bad(good, "not damaged", 0)
    # a record too many or too few for the number at the end, with a good checksum; no end
    data = zlib.decompress(good, 31)
    for cycles in (-1, 1):
        odd = bytearray(data)
        count = struct.unpack_from("<Q", odd, len(odd) - 20)[0]
        struct.pack_into("<Q", odd, len(odd) - 20, count + cycles)
        odd[-4:] = struct.pack("<I", zlib.crc32(odd[:-4]))
        expect(replay(recording("count", bytes(odd)), env=env), 1, "is damaged: its records are no records")
    for end in (1, 28):
        expect(replay(recording("no-end", data[:-end]), env=env), 1, "the same up to there", "no-end/nic0.rec has no end")
    for place in (*range(24), *range(24, len(good) - 20, 7), *range(len(good) - 20, len(good))):
        bad(good[:place], f"cut at {place} of {len(good)}")
        flipped = bytearray(good)
        flipped[place] ^= 1 << place % 8
        bad(bytes(flipped), f"bit {place % 8} of byte {place} of {len(good)}", 0 if same(bytes(flipped)) else 1)


def failed_test():
    env = dict(os.environ, BUNDLE=FAILED, SEED="77", PCAP=f"{DIR}/wire.pcapng")
    run = subprocess.run([f"{DIR}_fails"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env,
                         timeout=600, check=False)
    if run.returncode == 0 or "as it should" not in run.stdout:
        raise AssertionError(f"fails did not fail:\n{run.stdout}")
    for name in ("config.json", "counters.txt", "nic0.tlp", "nic1.tlp"):
        if not os.path.exists(f"{FAILED}/{name}"):
            raise AssertionError(f"no {name} in the bundle")
    if not any(name.startswith("wire.") for name in os.listdir(FAILED)):
        raise AssertionError("no capture in the bundle")
    # not by itself: the command is whoever's the bundle is
    expect(replay(FAILED), 1, "repeated by its command: ", "--yes, if you trust the bundle")
    if os.path.exists(f"{FAILED}/again"):
        raise AssertionError("the command ran without being asked for")
    expect(replay("--yes", FAILED), 0, "repeated to the cycle", "nic0: ", "nic1: ", "outputs as recorded")


def not_the_same():
    """The bundle says another time than the command leads to."""
    shutil.rmtree(f"{FAILED}/again")
    with open(f"{FAILED}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    config["time_ns"] += 8
    with open(f"{FAILED}/config.json", "w", encoding="utf-8") as file:
        json.dump(config, file)
    expect(replay("-y", FAILED), 1, "not the same: time_ns")


def names():
    """A bundle's name is a name, its command is shown as text; a terminal is asked."""
    strange = f"{DIR}/a'; touch {os.path.abspath(DIR)}/hacked; '"
    os.makedirs(strange)
    with open(f"{strange}/config.json", "w", encoding="utf-8") as file:
        json.dump({"command": "echo \x1b[2J", "number": 1, "nics": 1}, file)
    expect(replay(strange), 1, "echo \\x1b[2J", "--yes")
    expect(replay("--yes", strange), 1, "left no recording in")
    if os.path.exists(f"{DIR}/hacked"):
        raise AssertionError("a shell ran the bundle's name")
    for answer in (b"\n", b"n\n", b"y\n"):
        ours, theirs = os.openpty()
        os.write(ours, answer)
        run = subprocess.run([pair.CAIRN, "replay", strange], stdin=theirs, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        os.close(ours)
        os.close(theirs)
        if run.returncode != 1 or "Run it? [y/N]" not in run.stdout or \
           ("left no recording" in run.stdout) != (answer == b"y\n"):
            raise AssertionError(f"{answer}: {run.returncode}\n{run.stdout}")


def waves():
    if not os.path.exists(TRACE_MODEL) or os.path.getmtime(TRACE_MODEL) < os.path.getmtime(MODEL):
        os.environ["CAIRN_MODEL_DIR"] = f"{DIR}/models"  # an old one would not do the same
        os.makedirs(os.environ["CAIRN_MODEL_DIR"])
        os.symlink(os.path.abspath(MODEL), f"{DIR}/models/{os.path.basename(MODEL)}")
        expect(replay("--waves", f"{DIR}/x.fst", RECORDED), 1, "make models TRACE=1")
        del os.environ["CAIRN_MODEL_DIR"]
        return
    expect(replay("-i", "1", "--waves", f"{DIR}/x.fst", "--waves-window", "1000:50000", RECORDED), 0, "nic1: ")
    if os.path.getsize(f"{DIR}/x.fst") < 10000:
        raise AssertionError("the waves are empty")


def wrong_use():
    expect(replay(f"{DIR}/nothing"), 1, "No such file")
    expect(replay(), 2, "which BUNDLE?")
    expect(replay("-i", "7", RECORDED), 1, "no recording of NIC 7")


def main():
    shutil.rmtree(DIR, ignore_errors=True)
    os.makedirs(DIR)
    return tap.run([("programs over cairn sim --record", programs), ("a changed recording is found out", changed),
                    ("a recording that was cut off", cut),
                    ("a damaged file", damaged), ("waves, or how to get them", waves),
                    ("the bundle of a failed test", failed_test), ("a bundle that does not repeat", not_the_same),
                    ("names and commands of a stranger's bundle", names), ("wrong use", wrong_use)])


sys.exit(main())
