#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cairn stat on pages that are made here: latencies as text and JSON, the text for Prometheus against a checker of its
own (tests/lib/prometheus.py), and pages that somebody has damaged.  Prints TAP."""
import json
import os
import shutil
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(TOP, "tests", part) for part in ("lib", "trace", "integration/standin")]
import pages  # noqa: E402
import prometheus  # noqa: E402
import tap  # noqa: E402

TIMES = [1000] * 90 + [20000] * 9 + [3000000]  # p50, p99, p99.9 are of each kind
OTHERS = [500] * 20
P50, P99, P999 = 1007, 19967, 2949119  # the middles of their buckets
GOOD = 'a_total{x="y"} 1\n'
HEAD = "# HELP a_total b\n# TYPE a_total counter\n"
HISTOGRAM = "# HELP h b\n# TYPE h histogram\n"
SUMMARY = "# HELP s b\n# TYPE s summary\n"

GOOD_TEXTS = [
    "", HEAD + GOOD, HEAD + "# a comment\n\n" + GOOD + 'a_total{x="z",} 0x'.replace("0x", "+Inf") + "\n",
    HEAD + 'a_total{x="a\\\\b\\"c\\nd"} 1.5e+3 1234\na_total 3\n', "# HELP a b \\\\ \\n c\n# TYPE a gauge\na -1\na{b=\"\"} NaN\n",
    HISTOGRAM + 'h_bucket{le="0.1"} 1\nh_bucket{le="+Inf"} 3\nh_sum 7\nh_count 3\n',
    SUMMARY + 's{quantile="0.5"} 1\ns_sum 7\ns_count 3\n',
]
BAD_TEXTS = [
    HEAD + GOOD[:-1], GOOD, HEAD + GOOD + GOOD, HEAD + "a_total{x=y} 1\n", HEAD + 'a_total{x="y} 1\n',
    HEAD + 'a_total{x="y\\t"} 1\n', HEAD + 'a_total{x="1",x="2"} 1\n', HEAD + 'a_total{__x="1"} 1\n',
    HEAD + 'a_total{1x="1"} 1\n', HEAD + 'a_total{x="1" y="2"} 1\n', HEAD + "a_total 1 2 3\n", HEAD + "a_total one\n",
    HEAD + "a_total  1\n", HEAD + "a_total\n", HEAD + "a-total 1\n", HEAD + GOOD + HEAD, HEAD + HEAD + GOOD,
    HEAD + GOOD + "# HELP c_total d\n# TYPE c_total counter\nc_total 1\na_total 2\n", HEAD + GOOD.replace("\n", "\r\n"),
    "# TYPE a_total counter\na_total 1\n", "# HELP a_total b\na_total 1\n", HEAD + "a_total -1\n",
    "# HELP a b\n# TYPE a counter\na 1\n", "# HELP a_total b\n# TYPE a_total gauge\na_total 1\n",
    "# HELP a_total \\x\n# TYPE a_total counter\n", "# HELP a_total b\n# TYPE a_total number\n",
    HISTOGRAM + 'h_bucket{le="0.1"} 1\nh_sum 7\nh_count 1\n', HISTOGRAM + 'h_bucket{le="+Inf"} 3\nh_sum 7\nh_count 4\n',
    HISTOGRAM + 'h_bucket{le="+Inf"} 3\nh_count 3\n', HISTOGRAM + "h_bucket 3\nh_sum 7\nh_count 3\n",
    HISTOGRAM + 'h_bucket{le="2"} 3\nh_bucket{le="1"} 3\nh_bucket{le="+Inf"} 3\nh_sum 7\nh_count 3\n',
    HISTOGRAM + 'h_bucket{le="1"} 4\nh_bucket{le="+Inf"} 3\nh_sum 7\nh_count 3\n', HISTOGRAM + "h 3\n",
    SUMMARY + 's{quantile="1.5"} 1\ns_sum 7\ns_count 3\n', SUMMARY + 's{quantile="0.5"} 1\ns_count 3\n',
    SUMMARY + "s 1\ns_sum 7\ns_count 3\n", SUMMARY + 's_bucket{le="1"} 1\n',
]


def the_checker():
    for text in GOOD_TEXTS:
        prometheus.parse(text)
    for text in BAD_TEXTS:
        try:
            prometheus.parse(text)
        except prometheus.Bad:
            continue
        raise AssertionError(f"accepted:\n{text}")


def filled(run):
    """Two NICs; a QP with counters and latencies, one with counters, one with latencies."""
    run.stat(0, rx_packets=12, tx_bytes=2**63, out_of_buffer=3, sim_time_ns=77, sim_evaluated_cycles_per_s=5,
             qps=[(0x23, {"rnr_nak_sent": 2**32 - 1}), (0xfffffe, {"out_of_sequence": 7})])
    run.lat("nic0", {0x23: TIMES, 0x42: [10, 11, 12]}, OTHERS)
    run.stat(1, rx_packets=4)


def as_text():
    with pages.RunDir() as run:
        filled(run)
        code, out, err = pages.cairn("stat", "-d", run.path)
        rows = {tuple(line.split()) for line in out.splitlines()}
        assert (code, err) == (0, ""), (code, err)
        everything = sorted(TIMES + [10, 11, 12] + OTHERS)
        for row in (("nic0", "rx_packets", "12"), ("nic0", "latency_count", str(len(everything))),
                    ("nic0", "latency_mean_ns", str(sum(everything) // len(everything))), ("nic0", "latency_p50_ns", str(P50)),
                    ("nic0", "latency_max_ns", "3000000")):
            assert row in rows, (row, out)
        assert not [row for row in rows if row[0] == "nic1" and row[1].startswith("latency")], out
        code, out, err = pages.cairn("stat", "-d", run.path, "-i", "1", "--all")
        assert ("nic1", "latency_count", "0") in {tuple(line.split()) for line in out.splitlines()} and "p50" not in out, out
        code, out, err = pages.cairn("stat", "-d", run.path, "-q")
        rows = [tuple(line.split()) for line in out.splitlines()]
        for row in (("0x000023", "rnr_nak_sent", "4294967295"), ("0x000023", "latency_count", "100"),
                    ("0x000023", "latency_p50_ns", str(P50)), ("0x000023", "latency_p99_ns", str(P99)),
                    ("0x000023", "latency_p999_ns", str(P999)), ("0x000042", "latency_p50_ns", "11"),
                    ("0x000042", "latency_max_ns", "12"), ("0xfffffe", "out_of_sequence", "7")):
            assert ("nic0", "QP", *row) in rows, (row, out)
        assert not [row for row in rows if row[2] == "0xfffffe" and row[3].startswith("latency")], out


def as_json():
    with pages.RunDir() as run:
        filled(run)
        code, out, err = pages.cairn("stat", "-d", run.path, "--json")
        stat = json.loads(out)
        assert (code, err) == (0, "") and sorted(stat) == ["nic0", "nic1"], (code, err)
        assert stat["nic0"]["latency_count"] == 123 and stat["nic0"]["latency_p50_ns"] == P50, stat["nic0"]
        assert stat["nic0"]["latency_p99_ns"] == P99 and stat["nic0"]["latency_early"] == 0, stat["nic0"]
        assert stat["nic1"]["latency_count"] == 0 and stat["nic1"]["latency_p50_ns"] is None, stat["nic1"]
        qps = stat["nic0"]["qps"]
        assert sorted(qps) == ["0x000023", "0x000042", "0xfffffe"], qps
        assert all(set(pages.OF_QP) <= set(qp) for qp in qps.values()), qps
        assert qps["0x000023"]["latency_p999_ns"] == P999 and qps["0x000023"]["rnr_nak_sent"] == 2**32 - 1, qps
        assert qps["0x000042"]["latency_p50_ns"] == 11 and qps["0x000042"]["rnr_nak_sent"] == 0, qps
        assert "latency_count" not in qps["0xfffffe"], qps


def exposition(run, *more):
    code, out, err = pages.cairn("stat", "--prometheus", "-d", run.path, *more)
    assert (code, err) == (0, ""), (code, err)
    return prometheus.parse(out)


def value(families, name, **labels):
    rows = [(labels_, number) for family in families.values() for name_, labels_, number in family.samples
            if name_ == name and all(labels_.get(key) == wanted for key, wanted in labels.items())]
    assert len(rows) == 1, (name, labels, rows)
    return rows[0][1]


def for_prometheus():
    with pages.RunDir() as run:
        filled(run)
        families = exposition(run)
        for name, doc in pages.DOCS.items():
            family = families[f"cairn_{name}_total"]
            assert (family.type, family.help) == ("counter", doc), (name, family.type, family.help)
            assert [labels for _, labels, _ in family.samples] == [{"nic": str(i), "device": f"cairn_{i}"} for i in (0, 1)]
        assert value(families, "cairn_rx_packets_total", nic="0") == 12
        assert value(families, "cairn_tx_bytes_total", nic="0") == 2**63
        assert value(families, "cairn_rx_packets_total", nic="1") == 4
        for name in pages.MODEL:
            gauge = name in ("sim_wall_ns", "sim_counters_time_ns", "sim_counters_wall_ns", "sim_evaluated_cycles_per_s")
            family = families[f"cairn_{name}" + ("" if gauge else "_total")]
            assert family.type == ("gauge" if gauge else "counter") and len(family.samples) == 2, name
        assert value(families, "cairn_simulator_up", nic="0") == 1
        # QPs by names of their own, those that have counted; with --all the others, too
        qps = families["cairn_qp_rnr_nak_sent_total"]
        assert [labels["qpn"] for _, labels, _ in qps.samples] == ["0x000023"], qps.samples
        assert qps.help == pages.DOCS["rnr_nak_sent"] and "cairn_qp_rnr_nak_retry_err_total" not in families
        assert value(exposition(run, "--all"), "cairn_qp_rnr_nak_retry_err_total", qpn="0x000023") == 0
        # the histogram is exact at its bounds
        times = sorted(TIMES + [10, 11, 12] + OTHERS)
        family = families["cairn_send_latency_seconds"]
        assert family.type == "histogram"
        bounds = [(float(labels["le"]), number) for name, labels, number in family.samples if name.endswith("_bucket")]
        assert len(bounds) > 20
        for bound, number in bounds:
            assert number == sum(ns <= round(bound * 1e9) if bound != float("inf") else 1 for ns in times), (bound, number)
        assert value(families, "cairn_send_latency_seconds_count", nic="0") == len(times)
        assert abs(value(families, "cairn_send_latency_seconds_sum", nic="0") * 1e9 - sum(times)) < 2
        summary = families["cairn_qp_send_latency_seconds"]
        assert summary.type == "summary" and {labels["qpn"] for _, labels, _ in summary.samples} == {"0x000023", "0x000042"}
        for quantile, ns in (("0.5", P50), ("0.99", P99), ("0.999", P999)):
            got = value(families, "cairn_qp_send_latency_seconds", qpn="0x000023", quantile=quantile)
            assert abs(got * 1e9 - ns) < 0.5, (quantile, got)
        assert value(families, "cairn_qp_send_latency_seconds_count", qpn="0x000042") == 3
        # one NIC
        assert {labels["nic"] for family in exposition(run, "-i", "1").values() for _, labels, _ in family.samples} == {"1"}


def names_that_are_strange():
    """A device's name comes from a file; an entry's from a page.  Neither breaks the format, or reaches a terminal."""
    with pages.RunDir() as run:
        run.stat(0, rx_packets=3, rename={"wire_dropped": b"a b", "wire_tx_frames": b"\x1b[2J", "sim_errors": b"9x",
                                          "pcie_wr_tlps": b"x" * pages.NAME_BYTES})
        run.write("nic0.json", json.dumps({"name": 'we"ird\\name\nof {it}=\x1b[31m'}).encode())
        families = exposition(run)
        assert value(families, "cairn_rx_packets_total", device='we"ird\\name?of {it}=?[31m') == 3
        assert f"cairn_{'x' * pages.NAME_BYTES}_total" in families and "cairn_wire_dropped_total" not in families
        for args in ((), ("--json",), ("--prometheus",), ("--all",)):
            code, out, _ = pages.cairn("stat", "-d", run.path, *args)
            assert code == 0 and "\x1b" not in out and "a b" not in out, (args, out)
        run.write("nic0.json", b"{")
        assert value(exposition(run), "cairn_rx_packets_total", device="cairn_0") == 3


def gone():
    with pages.RunDir() as run:
        run.stat(0, pid=0x7ffffff0)
        code, out, err = pages.cairn("stat", "-d", run.path, "--prometheus")
        assert code == 0 and "is gone; these are its last figures" in err, err
        assert value(prometheus.parse(out), "cairn_simulator_up", nic="0") == 0


def damaged_latencies():
    """The counters are shown all the same."""
    with pages.RunDir() as run:
        run.stat(0, rx_packets=3)
        for make in (lambda: run.write("nic0.lat", b""), lambda: run.write("nic0.lat", b"x" * 64),
                     lambda: run.lat("nic0", {}, magic=b"CAIRNLT0"), lambda: run.lat("nic0", {}, used=pages.SLOTS + 1),
                     lambda: os.truncate(f"{run.path}/nic0.lat", run.lat("nic0", {}) // 999)):
            make()
            for args in ((), ("--json",), ("--prometheus",)):
                code, out, err = pages.cairn("stat", "-d", run.path, *args)
                assert code == 1 and err.startswith("cairn stat: nic0: nic0.lat "), (code, err)
                assert "rx_packets" in out, out
        # of a program that is gone: no figures, and no failure
        run.lat_of("nic0", 0x7ffffff0, run.lat("nic0", {}))
        code, out, err = pages.cairn("stat", "-d", run.path)
        assert (code, err) == (0, "") and "latency" not in out, (code, err, out)


def not_to_be_read():
    """As of a program that may not be looked into: the counters are there all the same."""
    if os.geteuid():
        raise tap.Skip("not root: nobody else to be")
    with pages.RunDir() as run:
        run.stat(0, rx_packets=3)
        run.lat("nic0", {0x11: [700]})
        tool = shutil.copy(pages.TOOL, f"{run.above}/tool")
        for path in (run.above, run.path, f"{run.path}/nic0.stat"):
            os.chown(path, 65534, 65534)
        done = pages.subprocess.run([tool, "stat", "-d", run.path], user=65534, stdout=pages.subprocess.PIPE,
                                    stderr=pages.subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done
        assert "rx_packets" in done.stdout and "latency" not in done.stdout, done


def functions():
    """A PCI function has latencies alone, in the user's own run directory."""
    with pages.RunDir() as run:
        run.lat("0000:0f:00.1", {0x11: [700]}, device=b"cairn_3")
        run.lat("not-a-function", {0x11: [700]})
        code, out, err = pages.cairn("stat", env={"XDG_RUNTIME_DIR": run.above})
        assert (code, err) == (0, "") and out.split()[:3] == ["0000:0f:00.1", "latency_count", "1"], (code, out, err)
        assert "not-a-function" not in out
        families = exposition(run)
        assert sorted(families) == ["cairn_qp_send_latency_seconds", "cairn_send_latency_seconds"], sorted(families)
        assert value(families, "cairn_send_latency_seconds_count", nic="0000:0f:00.1", device="cairn_3") == 1
        code, out, _ = pages.cairn("stat", "-d", run.path, "--json")
        assert json.loads(out)["0000:0f:00.1"]["qps"]["0x000011"]["latency_max_ns"] == 700
        code, _, err = pages.cairn("stat", "-d", run.path, "-i", "0")
        assert code == 1 and "no simulated NIC 0" in err, err


def usage():
    with pages.RunDir() as run:
        run.stat(0)
        code, _, err = pages.cairn("stat", "-d", run.path, "-j", "-p")
        assert code == 2 and "--json or --prometheus, not both" in err, err
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = pages.subprocess.run([pages.TOOL, "stat", "-d", run.path, "-p"], stdout=full, stderr=pages.subprocess.PIPE,
                                        check=False)
        assert done.returncode == 1 and b"standard output cannot be written" in done.stderr, done.stderr


sys.exit(tap.run([(test.__name__.replace("_", " "), test) for test in (
    the_checker, as_text, as_json, for_prometheus, names_that_are_strange, gone, damaged_latencies, not_to_be_read,
    functions, usage)]))
