# SPDX-License-Identifier: Apache-2.0
"""What became of each packet between two ports, from a capture that has both (`cairn sim --pcap FILE.pcapng`).

    arrivals = Arrivals()
    arrivals.left(frame, p, row)        in the order of the capture
    row, fate = arrivals.came(frame, p)     which packet this is that came, and how: "whole", "late" (behind a packet that
                                            was sent after it), "copy", "damaged"; (None, ...) if it is none of those

The same bytes may have left more than once, so the time on the way counts, too.
"""
import collections
import hashlib

NEAR_NS = 10**6     # what came damaged left so long before at most
NEAR_MANY = 256     # and is among so many
BITS = 8            # that differ in what is damaged at most


class Left:
    """A packet as it left.  came: ports that it has reached, whole or not (multicast reaches several)."""
    __slots__ = ("ns", "row", "data", "came")

    def __init__(self, ns, row, data):
        self.ns, self.row, self.data, self.came = ns, row, data, set()


class Arrivals:
    def __init__(self):
        self.by_bytes = collections.defaultdict(list)
        self.recent = collections.deque(maxlen=NEAR_MANY)
        self.flight = {}    # receiver: shortest time on the way

    @staticmethod
    def key(p):
        """All that no router and no switch may change."""
        return p.src, p.dst, p.sport, hashlib.blake2b(p.ip[p.udp_at + 8:p.ip_len], digest_size=16).digest()

    def left(self, frame, p, row):
        left = Left(frame.ns, row, frame.data)
        self.by_bytes[self.key(p)].append(left)
        self.recent.append(left)

    def came(self, frame, p):
        if p is not None and p.intact():
            before = [left for left in self.by_bytes.get(self.key(p), ()) if left.ns <= frame.ns]
            if before:
                return self.whole(frame, p, before)
        return self.damaged(frame)

    def whole(self, frame, p, before):
        last = before[-1]
        way = frame.ns - last.ns
        flight = self.flight[p.dst] = min(way, self.flight.get(p.dst, way))
        if frame.port not in last.came:
            last.came.add(frame.port)
            return last.row, "whole"
        missing = [left for left in before if frame.port not in left.came]
        if way > 2 * flight and missing:    # one that was kept back
            missing[0].came.add(frame.port)
            return missing[0].row, "late"
        return last.row, "copy"

    def damaged(self, frame):
        """The packet that differs in the fewest bits, or begins so; one that has not come before others."""
        best = None
        for left in reversed(self.recent):
            if frame.ns - left.ns > NEAR_NS:
                break
            if left.ns > frame.ns:
                continue
            bits = apart(left.data, frame.data)
            came = frame.port in left.came
            if bits is not None and (best is None or (came, bits) < best[:2]):
                best = (came, bits, left)
        if not best:
            return None, "damaged"
        best[2].came.add(frame.port)
        return best[2].row, "damaged"


def apart(one, other):
    """Bits that differ, if few; 0 if `other` is the first part of `one`."""
    if len(other) != len(one):
        return 0 if len(other) < len(one) and one.startswith(other) else None
    bits = bin(int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).count("1")
    return bits if bits <= BITS else None
