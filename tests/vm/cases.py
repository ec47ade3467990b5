# SPDX-License-Identifier: Apache-2.0
"""What a machine with two NICs on its PCIe bus, bound to vfio-pci, must be able to do; used by run.

MACHINES have cases: (name, function of the guest), which returns a note for the reader or raises pair.Failure.
"""
import re
import time

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
    for i, function in enumerate(FUNCTIONS, 1):
        must(guest, f"cairn bind -a 10.0.0.{i} -a fd00::{i} {function}")


def devices(guest):
    said = must(guest, "cairn run ibv_devices")
    for name in ("cairn_0", "cairn_1"):
        if name not in said:
            raise pair.Failure(said)
    return ""


def in_sysfs(guest):
    """What programs look for is in the directory that the kernel has of the function: libibverbs finds its board there."""
    said = must(guest, "cairn run ibv_devinfo -d cairn_1")
    if "board_id:" not in said or "1234:4791" not in said:
        raise pair.Failure(said)
    return ""


def words_of(name, *args):
    """By IPv4, if they do not say otherwise."""
    gid = pair.gid_args(name, 1)
    return ["-p", str(PORT), *([] if gid[-2] in args else gid), *args]


def both(guest, name, *args, seconds=240):
    """(server, client), on a NIC each, both in the guest and running."""
    server = guest.start(["cairn", "run", name, "-d", "cairn_0", *words_of(name, *args)], seconds)
    guest.wait_listen(server, PORT)
    client = guest.start(["cairn", "run", name, "-d", "cairn_1", *words_of(name, *args), "127.0.0.1"], seconds)
    return server, client


def run(guest, name, *args):
    server, client = both(guest, name, *args)
    client.wait()
    server.wait()
    if client.code or server.code:
        raise pair.Failure(f"server: exit {server.code}\n{server.output}\nclient: exit {client.code}\n{client.output}")
    return ""


def program(name, *args):
    return f"{name} {' '.join(args)}", lambda guest: run(guest, name, *args)


def works(guest):
    return run(guest, "ibv_rc_pingpong", "-c", "-n", "5")


def sane(guest):
    """What lspci makes of it."""
    said = must(guest, f"lspci -vv -s {FUNCTIONS[0]} 2> /dev/null")
    for text in ("MSI-X:", "Express (v2) Endpoint", "FLReset+", "Kernel driver in use: vfio-pci", "BusMaster-"):
        if text not in said:
            raise pair.Failure(f"no {text!r} in\n{said}")
    return said.splitlines()[0]


def rebind(guest):
    for function in FUNCTIONS:
        must(guest, f"cairn unbind {function}")
    bind(guest)
    return works(guest)


def flows(guest):
    """Wait until there is traffic."""
    until = time.monotonic() + 120
    while guest.sim.stat()["nic1"]["tx_packets"] < 200:
        if time.monotonic() > until:
            raise pair.Failure("no traffic in two minutes")
        time.sleep(0.2)


TRAFFIC = ("ib_write_bw", "-n", "5000", "-s", "65536")  # longer than anyone waits


def killed(victim):
    def case(guest):
        jobs = both(guest, *TRAFFIC)
        flows(guest)
        must(guest, f"kill -9 $(grep -l {victim} $(pidof ib_write_bw | sed 's,[0-9]*,/proc/&/cmdline,g') | cut -d/ -f3)")
        must(guest, "sleep 1; killall -9 ib_write_bw || true")
        for job in jobs:
            job.wait()
        return works(guest)
    return f"kill -9 of the program on {victim} in traffic, then both again", case


def loses(guest, command, told):
    """The program on the second NIC ends by itself with an error, and was told why; both NICs work on."""
    server, client = both(guest, *TRAFFIC)
    flows(guest)
    must(guest, command)
    client.wait()
    must(guest, "killall -9 ib_write_bw || true")  # the server, which waits for it
    server.wait()
    if not 0 < client.code < 124 or told not in client.output:
        raise pair.Failure(f"the program on the NIC that was lost: exit {client.code}\n{client.output}")
    return f"exit {client.code}"


def reset(guest):
    """By the kernel, behind the programs' backs."""
    note = loses(guest, f"echo 1 > /sys/bus/pci/devices/{FUNCTIONS[1]}/reset", "somebody else has reset the function")
    works(guest)
    return note


def taken_back(guest):
    """The kernel waits until the program has let go."""
    note = loses(guest, f"cairn unbind {FUNCTIONS[1]}", "the kernel wants the function back")
    bind(guest)
    works(guest)
    return note


def in_use(guest):
    """A master of its bus, and nobody else's, as long as a program has it; others see what it is like."""
    jobs = both(guest, *TRAFFIC)
    flows(guest)
    state = must(guest, f"lspci -vv -s {FUNCTIONS[1]} 2> /dev/null | grep BusMaster")
    code, second = guest.run(f"cairn info {FUNCTIONS[1]}", 60)
    seen = must(guest, "cairn run ibv_devinfo -d cairn_1")
    must(guest, "killall -9 ib_write_bw")
    for job in jobs:
        job.wait()
    after = must(guest, f"lspci -vv -s {FUNCTIONS[1]} 2> /dev/null | grep BusMaster")
    if "BusMaster+" not in state or "BusMaster-" not in after:
        raise pair.Failure(f"in use:{state}afterwards:{after}")
    if code or "(ib_write_bw)" not in second or "::ffff:10.0.0.2" not in second:
        raise pair.Failure(f"a second program: exit {code}\n{second}")
    if "PORT_ACTIVE" not in seen:
        raise pair.Failure(seen)
    return ""


def shared(guest):
    """Programs that name no NIC take one each; a third finds none, until one of the two has ended."""
    words = ["cairn", "run", "-f", "01:00.0,02:00.0", "ibv_rc_pingpong", *words_of("ibv_rc_pingpong", "-n", "5000")]
    server = guest.start(words, 240)
    guest.wait_listen(server, PORT)
    client = guest.start([*words, "127.0.0.1"], 240)
    flows(guest)
    code, third = guest.run("cairn run -f 01:00.0,02:00.0 ibv_devices", 60)
    if not code or "no NIC of --functions is free" not in third or third.count("(ibv_rc_pingpong)") != 2:
        raise pair.Failure(f"a third program: exit {code}\n{third}")
    must(guest, "kill -9 $(pidof ibv_rc_pingpong | cut -d' ' -f1); sleep 1")
    said = must(guest, "cairn run -f 01:00.0,02:00.0 ibv_devices")
    must(guest, "killall -9 ibv_rc_pingpong || true")
    for job in (server, client):
        job.wait()
    if said.count("cairn_") != 1:
        raise pair.Failure(said)
    return works(guest)


def as_user(guest):
    """Who is not root needs the right to the group, and room for what is pinned: the message says how much of it."""
    must(guest, "grep -q ^user: /etc/passwd || echo user:x:1000:1000::/:/bin/sh >> /etc/passwd")
    info = f"cairn info {FUNCTIONS[0]}"
    code, said = guest.run(f"su user -c '{info}'", 60)
    if code != 1 or "chown $USER /dev/vfio/" not in said:
        raise pair.Failure(f"without the right to open it: exit {code}\n{said}")
    must(guest, "chown user $(ls -d /dev/vfio/* | grep -v /vfio/vfio)")
    code, said = guest.run(f"su user -c 'ulimit -l 4096; {info}'", 60)
    needed = re.search(r"limit is 4096 KiB, at least (\d+) KiB are needed", said)
    if code != 1 or not needed:
        raise pair.Failure(f"with 4 MiB: exit {code}\n{said}")
    must(guest, f"su user -c 'ulimit -l {needed[1]}; {info}'")
    return f"{needed[1]} KiB to open one"


def by_cdev(guest):
    """What a program that uses the NIC has open."""
    jobs = both(guest, *TRAFFIC)
    flows(guest)
    said = must(guest, "for p in $(pidof ib_write_bw); do ls -l /proc/$p/fd; done")
    must(guest, "killall -9 ib_write_bw")
    for job in jobs:
        job.wait()
    files = sorted(set(re.findall(r"/dev/(?:iommu|vfio/\S+)", said)))
    if files != ["/dev/iommu", "/dev/vfio/devices/vfio0", "/dev/vfio/devices/vfio1"]:
        raise pair.Failure(said)
    return " ".join(files)


def fault(guest):
    """The IOMMU driver tells of the read, the QP ends with an error, everything else goes on."""
    must(guest, "dmesg -c > /dev/null")
    code, said = guest.run(f"CAIRN_FIRMWARE=/cairn/firmware/cairn_fw.bin unmapped {' '.join(FUNCTIONS)}", 170)
    log = must(guest, "dmesg")
    if code:
        raise pair.Failure(f"exit {code}\n{said}{log}")
    told = re.search(r"DMAR: \[DMA Read[^\n]*device \[01:00\.0\] fault addr (\S+)[^\n]*", log)
    iova = re.search(r"unmapped \d+ bytes at IOVA (\S+)", said)
    if not told or not iova or int(told[1], 16) & ~0xfff != int(iova[1], 16) & ~0xfff:
        raise pair.Failure(f"{said}\nno fault at that address in:\n{log}")
    return f"{said.splitlines()[1]}; {told[0]}"


CASES = [("both devices are listed", devices), ("its files are in the function's directory", in_sysfs),
         ("lspci", sane),
         program("ibv_rc_pingpong", "-c", "-n", "10"),
         program("ibv_rc_pingpong", "-c", "-n", "10", "-e"),
         program("ibv_rc_pingpong", "-c", "-n", "5", "-g", "0"),
         program("ibv_rc_pingpong", "-c", "-n", "5", "-g", "2"),
         program("ibv_srq_pingpong", "-c", "-n", "10"),
         program("ib_write_bw", "-n", "20", "-s", "65536"),
         program("ib_read_bw", "-n", "20", "-s", "65536"),
         program("ib_send_bw", "-n", "20", "-s", "65536", "-e"),
         program("ib_atomic_bw", "-n", "20"),
         ("unbind, bind", rebind), killed("cairn_0"), killed("cairn_1"), ("reset in traffic", reset),
         ("unbind in traffic", taken_back), ("in use by one program", in_use),
         ("each takes one that is free", shared), ("a user who is not root", as_user)]
# A simulator that asks QEMU for every byte of memory: what the function reads goes through the emulated IOMMU.
THROUGH_IOMMU = [("DMA from an unmapped address", fault),
                 ("ibv_rc_pingpong -c -n 5 afterwards", works)]
# The function's character device and iommufd, in place of group and container.
BY_IOMMUFD = [("both devices are listed", devices), ("opened as a character device", by_cdev),
              program("ibv_rc_pingpong", "-c", "-n", "10", "-e"), program("ib_write_bw", "-n", "20", "-s", "65536"),
              program("ib_read_bw", "-n", "20", "-s", "65536"), program("ib_atomic_bw", "-n", "20"),
              ("unbind, bind", rebind), killed("cairn_1"), ("reset in traffic", reset),
              ("unbind in traffic", taken_back), ("in use by one program", in_use)]
# (name, is the kernel the one with iommufd, options of the simulator, cases)
MACHINES = [("TYPE1v2", False, {}, CASES), ("TYPE1v2, bytewise", False, {"messages": "all"}, THROUGH_IOMMU),
            ("iommufd", True, {}, BY_IOMMUFD)]
# What .ci/run has time for, of the first machine.
SHORT = {"both devices are listed", "its files are in the function's directory", "lspci", "ibv_rc_pingpong -c -n 10 -e", "ibv_srq_pingpong -c -n 10", "ib_atomic_bw -n 20",
         "reset in traffic"}
