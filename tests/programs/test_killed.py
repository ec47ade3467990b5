#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program killed in the middle of its traffic: its NIC is reset and can be opened at once, while the peer still
sends; the peer's program ends with an error of its own (transport retry counter exceeded), and the same two NICs then
serve a new pair."""
import os
import signal
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TOP)
sys.path[:0] = [os.path.join(TOP, "tests", "programs"), os.path.join(TOP, "tests", "trace")]
import pair  # noqa: E402
import tap  # noqa: E402

TRAFFIC = 20  # packets at the victim before it is killed


def open_at_once(sim):
    before = sim.stat()["nic0"]["sim_cycles"]
    process = sim.start(0, "ibv_devinfo", [], "devinfo")
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        pass
    code, output = process.poll(), pair.end(process)
    if code != 0:
        raise AssertionError(f"the NIC of the killed program cannot be opened, {code}:\n{output}")
    print(f"# opened and closed again in {sim.stat()['nic0']['sim_cycles'] - before} cycles")


def kill_server(sim):
    port = pair.free_port()
    args = ["-s", "4096", "-n", "100000"]
    server = sim.start(0, "ib_write_bw", [*pair.program_args("ib_write_bw", 0, port), *args], "server")
    pair.wait_listen(server, port, pair.START_S)
    client = sim.start(1, "ib_write_bw", [*pair.program_args("ib_write_bw", 1, port), *args, "localhost"], "client")
    try:
        until = time.monotonic() + 120
        while sim.stat()["nic0"].get("rx_roce_packets", 0) < TRAFFIC:
            if time.monotonic() > until or client.poll() is not None:
                raise AssertionError(f"no traffic to interrupt:\n{pair.end(client)}")
            time.sleep(0.2)
        server.send_signal(signal.SIGKILL)
        server.wait()
        open_at_once(sim)
        try:
            client.wait(120)
        except subprocess.TimeoutExpired:
            raise AssertionError("the client did not notice that its peer is gone") from None
        code = client.returncode
    finally:
        outputs = [pair.end(p) for p in (server, client)]
    if code in (0, None) or code < 0:
        raise AssertionError(f"the client ended with {code}, not with an error of its own:\n{outputs[1]}")
    if "transport retry counter exceeded" not in outputs[1] and "status 12" not in outputs[1]:
        raise AssertionError(f"the client does not name the error:\n{outputs[1]}")


def again(sim):
    result = sim.pair("ibv_rc_pingpong", ["-s", "1000", "-n", "5", "-c"], timeout=300)
    if not result.ok:
        raise AssertionError(result.text())


def main():
    with pair.Simulation(directory="build/programs/killed") as sim:
        return tap.run([("the peer of a killed program ends with an error", lambda: kill_server(sim)),
                        ("the two NICs serve a new pair", lambda: again(sim))])


sys.exit(main())
