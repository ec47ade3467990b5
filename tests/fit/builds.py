# SPDX-License-Identifier: Apache-2.0
"""What is measured: builds of the NIC, the devices they are for, and the parts that are looked at one by one.

The builds stand in rtl/builds.def; the limits and goals of each are rows of tests/fit/budgets.json.  A new part is a
word in UNITS: the name of a module.
"""
import dataclasses
import os

import configs


@dataclasses.dataclass(frozen=True)
class Device:
    family: str         # of mapping.FAMILIES
    title: str
    room: dict          # metric -> how much of it there is
    place: tuple = ()   # words of nextpnr, where it knows the device
    ram: tuple = ()     # macros of rtl/lib/ram_1r1w.sv


@dataclasses.dataclass(frozen=True)
class Build:
    device: str
    parameters: dict
    quick: bool = False     # looked at by make fit-quick
    whole: bool = False     # the NIC is mapped in one piece, and its parts apart from it: a quarter of an hour more


DEVICES = {
    "ecp5-85": Device("ecp5", "LFE5UM5G-85F, speed 8", {"lut": 83640, "ff": 83640, "bram": 208, "dsp": 156},
                      ("--um5g-85k", "--package", "CABGA756", "--speed", "8", "--router", "router2"),
                      ("CAIRN_BLOCK_RAM=128",)),
    "ku3p": Device("xcup", "XCKU3P", {"lut": 162720, "ff": 325440, "bram": 360, "uram": 48, "dsp": 1368},
                   ram=("CAIRN_BLOCK_RAM=32", "CAIRN_ULTRA_RAM=1024")),
    "u50": Device("xcup", "XCU50", {"lut": 871680, "ff": 1743360, "bram": 1344, "uram": 640, "dsp": 5952},
                  ram=("CAIRN_BLOCK_RAM=32", "CAIRN_ULTRA_RAM=1024")),
}

# What is to fit the largest ECP5: make fit-quick looks at it, and it is placed.
BUILDS = {name: Build(config.device, config.parameters, name == "small", name == "small")
          for name, config in configs.load().items()}

TOP = "cairn_nic"
# Each is mapped alone, without those within it, which are listed under it.  Figures of a unit are with those.
UNITS = {
    TOP: ["rx_path", "tx_path", "doorbell", "qp_lookup", "responder", "completer", "requester", "qp_scheduler", "wqe_fetch",
          "cq_service", "eqe_write", "mr_service", "qp_cache", "pcie_tlp", "dma_read", "dma_write", "qp_counters", "counters",
          "csr", "msix", "mgmt"],
    "responder": ["rq_unit", "atomic_unit"],
    "mgmt": ["cpu_top"],
}


def units():
    """Names of all, the whole NIC first."""
    return [TOP] + [name for inside in UNITS.values() for name in inside]


def title(name):
    """What a build is, for readers."""
    config = configs.load()[name]
    return f"{DEVICES[config.device].title}, " + ", ".join(f"{key} {words}" for key, words in config.words.items())


def out():
    return os.path.join(os.environ.get("BUILD", "build"), "fit")
