# SPDX-License-Identifier: Apache-2.0
"""Counters of NICs, as `cairn stat --json` writes them."""
import json


def is_counters(values):
    """{"tx_packets": 5, ..., "qps": {"0x000123": {"rnr_nak_sent": 1, ...}}}"""
    return isinstance(values, dict) and all(
        value is None or isinstance(value, int)
        or (name == "qps" and isinstance(value, dict) and all(map(is_counters, value.values())))
        for name, value in values.items())


def known(values):
    """Without latencies of nothing, which are null."""
    return {name: {qp: known(counters) for qp, counters in value.items()} if name == "qps" else value
            for name, value in values.items() if value is not None}


def read_counters(paths):
    """{"nic0": {...}, ...} of all files."""
    found = {}
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
        except ValueError as why:
            raise ValueError(f"{path}: no JSON: {why}") from why
        if not isinstance(data, dict) or not all(map(is_counters, data.values())):
            raise ValueError(f"{path}: not the output of `cairn stat --json`")
        found.update((nic, known(values)) for nic, values in data.items())
    return found
