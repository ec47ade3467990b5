#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cairn replay`: a recorded run of unmodified programs and a failed test of NICs in one process are repeated to the
cycle, with waves where the model has them; a recording that was changed is found out."""
import gzip
import json
import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import tap  # noqa: E402

DIR = "build/integration/replay"
RECORDED, FAILED = f"{DIR}/recorded", f"{DIR}/failed"
MODEL, TRACE_MODEL = "build/lib/cairn-model-64.so", "build/lib/cairn-model-64-trace.so"


def replay(*args):
    return subprocess.run([pair.CAIRN, "replay", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=600, check=False)


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


def changed():
    """Another MAC address went in: the device must show it, in what it tells the host and what it sends."""
    path, copy = f"{RECORDED}/nic0.rec", f"{DIR}/changed"
    os.makedirs(copy, exist_ok=True)
    with gzip.open(path, "rb") as file:
        data = bytearray(file.read())
    data[data.index(bytes.fromhex("01000012ca02"))] ^= 0x40
    with gzip.open(f"{copy}/nic0.rec", "wb", 1) as file:
        file.write(data)
    expect(replay(copy), 1, "nic0: ", "not as recorded from ")


def cut():
    copy = f"{DIR}/cut"
    os.makedirs(copy, exist_ok=True)
    with gzip.open(f"{RECORDED}/nic1.rec", "rb") as file:
        data = file.read()
    with gzip.open(f"{copy}/nic1.rec", "wb", 1) as file:
        file.write(data[:len(data) // 2])
    expect(replay(copy), 0, "nic1: ", "as recorded")


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
    expect(replay(FAILED), 0, "repeated to the cycle", "nic0: ", "nic1: ", "outputs as recorded")


def not_the_same():
    """The bundle says another time than the command leads to."""
    shutil.rmtree(f"{FAILED}/again")
    with open(f"{FAILED}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    config["time_ns"] += 8
    with open(f"{FAILED}/config.json", "w", encoding="utf-8") as file:
        json.dump(config, file)
    expect(replay(FAILED), 1, "not the same: time_ns")


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
                    ("a recording that was cut off", cut), ("waves, or how to get them", waves),
                    ("the bundle of a failed test", failed_test), ("a bundle that does not repeat", not_the_same),
                    ("wrong use", wrong_use)])


sys.exit(main())
