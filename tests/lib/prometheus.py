# SPDX-License-Identifier: Apache-2.0
"""A checker of Prometheus' text exposition format, version 0.0.4, written from its description, not from our printer.

    families = prometheus.parse(text)      # raises Bad, with the line, at the first thing that is not allowed
    families["cairn_rx_packets_total"].type, .help, .samples == [(name, {label: value}, number)]

Beside the grammar it holds what makes a histogram and a summary whole, and what `promtool check metrics` asks for: help
for each metric, counters that end with _total and nothing else that does.
"""
import re

METRIC = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r"[a-zA-Z_][a-zA-Z0-9_]*"
NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?Inf|NaN"
PAIR = re.compile(rf'({LABEL})="((?:[^"\\\n]|\\[\\"n])*)"')
SAMPLE = re.compile(rf"({METRIC})(?:\{{(.*)\}})? ({NUMBER})(?: (-?[0-9]+))?")
TYPES = ("counter", "gauge", "histogram", "summary", "untyped")
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("", "_sum", "_count")}


class Bad(Exception):
    """Not the format; the text has the line."""


class Family:
    def __init__(self, name):
        self.name, self.type, self.help, self.samples = name, None, None, []


def unescape(text, quoted):
    allowed = {"\\": "\\", "n": "\n", **({'"': '"'} if quoted else {})}
    out, rest = [], iter(text)
    for char in rest:
        if char != "\\":
            out.append(char)
            continue
        escaped = next(rest, None)
        if escaped not in allowed:
            raise Bad(f"escape \\{escaped} in {text!r}")
        out.append(allowed[escaped])
    return "".join(out)


def labels_of(text):
    """{name: value} of what stands between the braces."""
    labels, at = {}, 0
    while at < len(text):
        pair = PAIR.match(text, at)
        if not pair or pair[1] in labels or pair[1].startswith("__"):
            raise Bad(f"labels {text!r}, from {text[at:]!r}")
        labels[pair[1]] = unescape(pair[2], True)
        at = pair.end()
        if at < len(text) and text[at] != ",":
            raise Bad(f"labels {text!r}, from {text[at:]!r}")
        at += at < len(text)
    return labels


def number_of(text):
    return float(text.replace("Inf", "inf").replace("NaN", "nan"))


def comment(line, families):
    """A line of HELP or TYPE makes or fills its family; others say nothing.  Returns the family or None."""
    words = line.split(" ", 3)
    if len(words) < 2 or words[0] != "#" or words[1] not in ("HELP", "TYPE"):
        return None
    if len(words) < 4 or not re.fullmatch(METRIC, words[2]):
        raise Bad(line)
    family = families.setdefault(words[2], Family(words[2]))
    if family.samples or getattr(family, words[1].lower()) is not None:
        raise Bad(f"{line}: a second time, or behind its samples")
    if words[1] == "TYPE" and words[3] not in TYPES:
        raise Bad(f"{line}: there is no such type")
    setattr(family, words[1].lower(), unescape(words[3], False) if words[1] == "HELP" else words[3])
    return family


def family_of(name, labels, families):
    for ending in ("_bucket", "_sum", "_count", ""):
        family = families.get(name[:len(name) - len(ending)] if name.endswith(ending) else "")
        if family and ending in SUFFIXES.get(family.type, ("",)):
            special = {"_bucket": "le", "": "quantile"}.get(ending) if family.type in SUFFIXES else None
            if special and special not in labels:
                raise Bad(f"{name}: no label {special}")
            return family
    raise Bad(f"{name}: no TYPE before it")


def parse(text):
    if text and not text.endswith("\n") or "\r" in text:
        raise Bad("lines end with a line feed, the last one too")
    families, closed, current, seen = {}, set(), None, set()
    for line in text.split("\n")[:-1]:
        if not line.strip():
            continue
        if line.startswith("#"):
            family = comment(line, families)
        else:
            sample = SAMPLE.fullmatch(line)
            if not sample:
                raise Bad(f"no sample: {line}")
            labels = labels_of(sample[2] or "")
            family = family_of(sample[1], labels, families)
            key = (sample[1], tuple(sorted(labels.items())))
            if key in seen:
                raise Bad(f"a second time: {line}")
            seen.add(key)
            family.samples.append((sample[1], labels, number_of(sample[3])))
        if family and family is not current:
            if family.name in closed:
                raise Bad(f"lines of {family.name} do not stand together: {line}")
            closed.add(family.name)
            current = family
    for family in families.values():
        judge(family)
    return families


def series(family, special):
    """{labels without the special one: [(name, special value, number)]}, in order."""
    found = {}
    for name, labels, number in family.samples:
        rest = tuple(sorted((key, value) for key, value in labels.items() if key != special))
        found.setdefault(rest, []).append((name, labels.get(special), number))
    return found


def judge_histogram(family):
    for labels, rows in series(family, "le").items():
        buckets = [(number_of(le), count) for name, le, count in rows if name == family.name + "_bucket"]
        sums = [n for name, _, n in rows if name == family.name + "_sum"]
        counts = [n for name, _, n in rows if name == family.name + "_count"]
        bounds, numbers = [b for b, _ in buckets], [n for _, n in buckets]
        if len(sums) != 1 or len(counts) != 1 or not buckets or bounds[-1] != float("inf"):
            raise Bad(f"{family.name}{labels}: not whole")
        if sorted(set(bounds)) != bounds or sorted(numbers) != numbers or numbers[-1] != counts[0]:
            raise Bad(f"{family.name}{labels}: buckets are not in order, or not cumulative")


def judge_summary(family):
    for labels, rows in series(family, "quantile").items():
        quantiles = [number_of(q) for name, q, _ in rows if name == family.name]
        names = [name for name, _, _ in rows]
        if names.count(family.name + "_sum") != 1 or names.count(family.name + "_count") != 1:
            raise Bad(f"{family.name}{labels}: not whole")
        if any(not 0 <= q <= 1 for q in quantiles) or len(set(quantiles)) != len(quantiles):
            raise Bad(f"{family.name}{labels}: quantiles {quantiles}")


def judge(family):
    """What its lines must be together."""
    if not family.help or not family.type:
        raise Bad(f"{family.name}: no HELP or no TYPE")
    if (family.type == "counter") != family.name.endswith("_total"):
        raise Bad(f"{family.name}: counters end with _total, and nothing else does")
    if family.type == "counter" and any(number < 0 for _, _, number in family.samples):
        raise Bad(f"{family.name}: a counter below zero")
    if family.type == "histogram":
        judge_histogram(family)
    elif family.type == "summary":
        judge_summary(family)
