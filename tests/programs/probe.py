# SPDX-License-Identifier: Apache-2.0
"""Programs that look for devices in their own ways, unmodified, on simulated NICs: infiniband-diags, hwloc, libfabric,
UCX and Open MPI of Debian 12, unpacked into build/programs.  No variable tells them where a NIC is.
"""
import glob
import os
import re
import subprocess

import debian
import pair

RELEASE = "bookworm"  # hwloc 2.9, libfabric 1.17, UCX 1.13, Open MPI 4.1, rdma-core 44
PACKAGES = ["infiniband-diags", "hwloc-nox", "libfabric-bin", "libopenmpi-dev", "openmpi-bin", "ucx-utils"]
# The C library is this machine's.
C_LIBRARY = re.compile(r"(ld-linux|lib(c|m|mvec|pthread|dl|rt|resolv|util|anl|nsl|nss_\w+|thread_db|BrokenLocale|c_malloc_debug"
                       r"|memusage|pcprofile))\b")
RUN_S = 120


class Probe:
    """Where they are, unpacked; debian.Missing if they cannot be had."""

    def __init__(self, out):
        self.tree = os.path.abspath(debian.unpack(out, "probe", [RELEASE], PACKAGES))
        libraries = f"{self.tree}/usr/lib/x86_64-linux-gnu"
        self.links = os.path.abspath(f"{out}/probe-lib")
        os.makedirs(self.links, exist_ok=True)
        for folder in (libraries, f"{self.tree}/lib/x86_64-linux-gnu", f"{libraries}/openmpi/lib", f"{self.tree}/usr/lib/libpsm1"):
            for path in glob.glob(f"{folder}/*.so*"):
                name = re.sub(r"(\.so\.\d+)\.[\d.]+$", r"\1", os.path.basename(path))  # as programs ask for it
                if not C_LIBRARY.match(name) and not os.path.lexists(f"{self.links}/{name}"):
                    os.symlink(path, f"{self.links}/{name}")
        self.environment = dict(os.environ, LD_LIBRARY_PATH=self.links, UCX_MODULE_DIR=f"{libraries}/ucx",
                                OPAL_PREFIX=f"{self.tree}/usr", OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_mca_base_component_path=f"{libraries}/openmpi/lib/openmpi3")
        self.one_rank = self.build(out, "one_rank")

    def build(self, out, name):
        """A program of own/ with the tree's Open MPI."""
        program = os.path.abspath(f"{out}/{name}")
        debian.output(["gcc", "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-o", program,
                       f"tests/programs/own/{name}.c", f"-I{self.tree}/usr/lib/x86_64-linux-gnu/openmpi/include",
                       f"-L{self.links}", "-l:libmpi.so.40", "-Wl,--unresolved-symbols=ignore-in-shared-libs"])
        return program

    def run(self, sim, program, *args, nic="0"):
        """What it prints; raises if it fails or if we say anything."""
        words = [pair.CAIRN, "run", "-d", sim.run_dir, "-i", nic, f"{self.tree}/usr/{program}", *args]
        done = subprocess.run(words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              stdin=subprocess.DEVNULL, timeout=RUN_S, check=False)
        if done.returncode:
            raise AssertionError(f"exit {done.returncode}: {done.stdout[-800:]}")
        if re.search(r"^cairn: ", done.stdout, re.M):
            raise AssertionError(f"a message of ours: {done.stdout[-800:]}")
        return done.stdout


def has(text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text):
            raise AssertionError(f"no \"{pattern}\" in: {text[-1500:]}")


def cases(probe, sim):
    """(name, function that raises if it does not work)"""
    def ibstat():
        has(probe.run(sim, "sbin/ibstat"), r"CA 'cairn_0'", r"State: Active", r"Physical state: LinkUp", r"Link layer: Ethernet",
            r"Node GUID: 0x00ca12fffe000001")

    def ibstatus():
        has(probe.run(sim, "sbin/ibstatus"), r"device 'cairn_0' port 1 status", r"default gid:\s+fe80:", r"state:\s+4: ACTIVE",
            r"rate:\s+10 Gb/sec")

    def hwloc():
        has(probe.run(sim, "bin/lstopo-no-graphics", "--of", "console"), r'OpenFabrics "cairn_0"')
        has(probe.run(sim, "bin/lstopo-no-graphics", "--of", "xml"), r'name="Port1GID1" value="0000:0000:0000:0000:0000:ffff:0a00:0001"')

    def libfabric():
        text = probe.run(sim, "bin/fi_info", "-p", "verbs")
        has(text, r"domain: cairn_0\n", r"domain: cairn_0-dgram\n", r"protocol: FI_PROTO_RDMA_CM_IB_RC")

    def ucx():
        text = probe.run(sim, "bin/ucx_info", "-d")
        has(text, r"Transport: rc_verbs\n#\s+Device: cairn_0:1", r"Transport: ud_verbs\n#\s+Device: cairn_0:1")
        if "WARN" in text or "ERROR" in text:
            raise AssertionError(text)

    def open_mpi():
        has(probe.run(sim, "bin/ompi_info"), r"MCA pml: ucx")
        text = probe.run(sim, "bin/orterun", "--mca", "pml", "ucx", "--mca", "btl", "^openib", "--mca", "pml_ucx_verbose", "3",
                         "-n", "1", probe.one_rank)
        has(text, r"rc_verbs/cairn_0:1: matched transport", r"rank 0: across")

    return [("ibstat", ibstat), ("ibstatus", ibstatus), ("lstopo", hwloc), ("fi_info", libfabric), ("ucx_info", ucx),
            ("Open MPI with UCX, one process", open_mpi)]
