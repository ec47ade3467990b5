# SPDX-License-Identifier: Apache-2.0
"""A PC whose Linux has rdma_rxe on the wire of a simulation.

    with Peer(kernel, initrd, directory) as peer:
        peer.wait_ready()
        with pair.Simulation(wire=peer.wire, ...) ...:   any number of times

Two NICs: one on the wire, one towards the host (QEMU's user network) for the TCP connections of the programs: what
listens on peer.port in the guest is that port of 127.0.0.1 here, and 127.0.0.1 of here is HOST in the guest.  The
guest has no route to anywhere else.
"""
import ipaddress
import re

import machine
import pair

VLAN = 5
# Its addresses on the wire, and where its GID table has them is told by gids().
ADDRESSES = {"IPv4": "10.0.0.9", "IPv6": "fd00::9", "VLAN": "10.0.5.9", "VLAN, IPv6": "fd05::9"}
HOST = "10.0.2.2"  # what QEMU's user network calls this machine's 127.0.0.1
WIRE_MAC, HOST_MAC = "52:54:00:00:00:09", "52:54:00:00:01:09"
MTU = 4200  # RoCE packets of 4096 bytes fit


class Peer(machine.Guest):
    def __init__(self, *words):
        super().__init__(*words)
        self.port = pair.free_port()

    @property
    def wire(self):
        return f"dgram:{self.sockets}/cairn,{self.sockets}/guest"

    def settings(self):
        plain, tagged = list(ADDRESSES.values())[:2], list(ADDRESSES.values())[2:]
        return [f"WIRE_MAC={WIRE_MAC}", f"HOST_MAC={HOST_MAC}", f"WIRE_MTU={MTU}", f"WIRE_IPV4={plain[0]}/24",
                f"WIRE_IPV6={plain[1]}/64", f"WIRE_VLAN={VLAN}", f"VLAN_IPV4={tagged[0]}/24", f"VLAN_IPV6={tagged[1]}/64",
                "HOST_IPV4=10.0.2.15/24"]

    def gids(self):
        """{name in ADDRESSES: index}"""
        _, said = self.run("cd /sys/class/infiniband/rxe0/ports/1/gids; grep -v 0000:0000:0000:0000:0000:0000:0000:0000 ? ??")
        table = {ipaddress.IPv6Address(gid): int(index) for index, gid in re.findall(r"(\d+):([0-9a-f:]{39})", said)}
        found = {}
        for name, address in ADDRESSES.items():
            wanted = ipaddress.IPv6Address(address if ":" in address else f"::ffff:{address}")
            if wanted not in table:
                raise pair.Failure(f"rxe0 has no GID for {address}:\n{said}")
            found[name] = table[wanted]
        return found

    def hardware(self):
        wire = (f"dgram,id=wire,local.type=unix,local.path={self.sockets}/guest,"
                f"remote.type=unix,remote.path={self.sockets}/cairn")
        return ["-machine", "q35", "-smp", "1", "-m", "512",
                "-netdev", wire, "-device", f"virtio-net-pci,netdev=wire,mac={WIRE_MAC},host_mtu=9000,romfile=",
                "-netdev", f"user,id=host,ipv6=off,hostfwd=tcp:127.0.0.1:{self.port}-:{self.port}",
                "-device", f"virtio-net-pci,netdev=host,mac={HOST_MAC},romfile="]
