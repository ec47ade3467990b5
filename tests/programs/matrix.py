# SPDX-License-Identifier: Apache-2.0
"""The programs that must run unmodified, and with which arguments; used by test_programs.py (a few) and run (all)."""


def pingpong(size, mtu, *more, count=10):
    return "ibv_rc_pingpong", ["-s", str(size), "-m", str(mtu), "-n", str(count), "-c", *more]


def perftest(program, *args):
    return program, list(args)


# Clean wire.
CLEAN = ([pingpong(size, mtu) for size in (1, 64, 4096, 65536) for mtu in (256, 1024, 4096)]
         + [pingpong(size, mtu, "-e") for size in (1, 64, 4096, 65536) for mtu in (256, 1024, 4096)]
         + [perftest(f"ib_{kind}_bw", "-n", "100", "-s", str(size), "-q", "4")
            for kind in ("write", "read", "send") for size in (2, 64, 4096, 65536)]
         + [perftest(f"ib_{kind}_lat", "-n", "100", "-s", str(size)) for kind in ("write", "send", "read")
            for size in (2, 4096)])

# One fault each, a wire of its own.
FAULTS = [({fault: 0.01}, pingpong(8192, 1024, count=300)) for fault in ("loss", "reorder", "corrupt", "dup")]
