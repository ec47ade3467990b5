# SPDX-License-Identifier: Apache-2.0
"""What a machine with two NICs on its PCIe bus, bound to vfio-pci, must be able to do; used by run.

CASES: (name, function of the guest), which returns a note for the reader or raises pair.Failure.
"""
import pair

FUNCTIONS = ("0000:01:00.0", "0000:02:00.0")
PORT = 18515


def must(guest, command, seconds=60):
    """Output of a command that has to end with 0."""
    code, said = guest.run(command, seconds)
    if code:
        raise pair.Failure(f"{command}: exit {code}\n{said}")
    return said


def bind(guest):
    for function in FUNCTIONS:
        must(guest, f"cairn bind {function}")


def devices(guest):
    said = must(guest, "cairn run ibv_devices")
    for name in ("cairn_0", "cairn_1"):
        if name not in said:
            raise pair.Failure(said)
    return ""


def program(name, *args, seconds=240):
    """Server on one NIC, client on the other, both in the guest."""
    gid = "-g" if name.startswith("ibv_") else "-x"
    words = ["-p", str(PORT), gid, "0", *args]

    def case(guest):
        server = guest.start(["cairn", "run", name, "-d", "cairn_0", *words], seconds)
        guest.wait_listen(server, PORT)
        client = guest.start(["cairn", "run", name, "-d", "cairn_1", *words, "127.0.0.1"], seconds)
        client.wait()
        server.wait()
        if client.code or server.code:
            raise pair.Failure(f"server: exit {server.code}\n{server.output}\nclient: exit {client.code}\n{client.output}")
        return ""
    return f"{name} {' '.join(args)}", case


CASES = [("both devices are listed", devices),
         program("ibv_rc_pingpong", "-c", "-n", "10"),
         program("ibv_rc_pingpong", "-c", "-n", "10", "-e"),
         program("ibv_srq_pingpong", "-c", "-n", "10"),
         program("ib_write_bw", "-n", "20", "-s", "65536"),
         program("ib_read_bw", "-n", "20", "-s", "65536"),
         program("ib_send_bw", "-n", "20", "-s", "65536", "-e"),
         program("ib_atomic_bw", "-n", "20")]
