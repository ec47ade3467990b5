# SPDX-License-Identifier: Apache-2.0
"""The rows of a ladder: one for each packet, as it left, with what became of it and what caused it."""
# What a row is, for filters: bits.  LOST: it did not arrive; MISSING: a NAK names it, so it may have been lost; AHEAD:
# it came before one that was missing; LATE: behind one that was sent after it; MARKED: congestion experienced; RENEWED:
# the QPs are connected again.
REQUEST, DATA, ACK, NAK, RNR, AGAIN, LOST, DAMAGED, DUPLICATE, CM, MARKED, LATE, MISSING, RENEWED, AHEAD = (
    1 << bit for bit in range(15))
FLAGS = {"request": REQUEST, "data": DATA, "ack": ACK, "nak": NAK, "rnr": RNR, "again": AGAIN, "lost": LOST,
         "damaged": DAMAGED, "duplicate": DUPLICATE, "cm": CM, "marked": MARKED, "late": LATE, "missing": MISSING,
         "renewed": RENEWED, "ahead": AHEAD}
# Why: name, words that the causing packet's number follows, words where it is not known.
CAUSES = (("", "", ""),
          ("nak", "sent again: sequence NAK", "sent again: sequence NAK"),
          ("rnr", "sent again: RNR NAK", "sent again: RNR NAK"),
          ("implied", "sent again: implied NAK, an answer was missing when this came:", "sent again: implied NAK"),
          ("timeout", "sent again: timeout, no answer to", "sent again: timeout"),
          ("behind", "sent again: its answer was missing before the NAK", "sent again: its answer was missing"),
          ("goback", "sent again: went back with", "sent again"),
          ("copy", "the same frame once more:", "the same frame once more"),
          ("unexplained", "sent again, and nothing in this capture asks for it; before as", "sent again, unexplained"),
          ("answers", "answers", "answers"),
          ("acks", "acknowledges", "acknowledges"),
          ("ahead", "a PSN is missing before", "a PSN is missing"),
          ("gap", "a PSN is missing before", "a PSN is missing"),
          ("not_ready", "no receive WQE for", "no receive WQE"),
          ("refuses", "refuses", "refuses"),
          ("repeats", "answers once more, because of", "answers once more"),
          ("resent", "the same message again:", "the same message again"))
CAUSE = {name: number for number, (name, *_) in enumerate(CAUSES)}


class Row:
    """side: which end sent it, 0 or 1.  psn: unwrapped.  came: when it arrived (ns), of a capture that tells; why, by:
    cause and the row that it names; notes: more words, in which #n is a packet."""
    __slots__ = ("number", "ns", "side", "p", "psn", "flags", "came", "why", "by", "notes", "index")

    def __init__(self, p, side, flags=0, psn=None):
        self.number, self.ns, self.p, self.side, self.flags = p.number, p.ns, p, side, flags
        self.psn = p.psn if psn is None else psn
        self.came, self.why, self.by, self.notes, self.index = [], "", None, [], 0

    def because(self, why, by=None):
        self.why, self.by = why, by

    def note(self, text):
        self.notes.append(text)


def duration(ns):
    """1.234 us and the like."""
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= size:
            return f"{ns / size:.3f} {unit}"
    return f"{ns} ns"
