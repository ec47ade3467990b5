# SPDX-License-Identifier: Apache-2.0
"""A PC with an IOMMU whose PCIe devices are the NICs of one simulation, by QEMU's vfio-user-pci.

    with pair.Simulation(nics=2) as sim, Pc(kernel, initrd, directory, qemu_tree, sim) as pc:
        pc.wait_ready()

The simulation has to be there first, and to stay: QEMU does not connect again.
"""
import json

import debian
import machine

MEMORY = "1G"
PATIENCE_MS = 60000     # of QEMU for an answer of the simulator


class Pc(machine.Guest):
    def __init__(self, kernel, initrd, directory, tree, sim, nics=2):
        super().__init__(kernel, initrd, directory)
        self.sim, self.nics = sim, nics
        self.qemu = [*debian.loader(tree), f"{tree}/usr/bin/qemu-system-x86_64", "-L", f"{tree}/usr/share/qemu",
                     "-L", f"{tree}/usr/share/seabios"]

    def settings(self):
        return ["intel_iommu=on"]

    def hardware(self):
        words = ["-smp", "2", "-m", MEMORY, "-object", f"memory-backend-memfd,id=ram,size={MEMORY},share=on",
                 "-machine", "q35,memory-backend=ram", "-device", "intel-iommu,intremap=on,caching-mode=on"]
        for i in range(self.nics):
            nic = {"driver": "vfio-user-pci", "bus": f"port{i}", "x-msg-timeout": PATIENCE_MS,
                   "socket": {"type": "unix", "path": f"{self.sim.run_dir}/nic{i}.sock"}}
            words += ["-device", f"pcie-root-port,id=port{i},chassis={i + 1}", "-device", json.dumps(nic)]
        return words
