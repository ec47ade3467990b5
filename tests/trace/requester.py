# SPDX-License-Identifier: Apache-2.0
"""Transport rules for what a requester sends (IBTA Volume 1, 9.7 for RC, 9.8.2 for UC, 9.8.3 for UD).

sender.py, which `cairn report` has too, knows what a requester knows; here is what it must do then.  report(packet,
rule, text) takes what is wrong.
"""
import roce
from sender import Sender

WINDOW = 1 << 23  # C9-5: fewer PSNs than this may be outstanding


class Message:
    """A message that is being sent: what is still missing."""

    def __init__(self, kind, left):
        self.kind, self.left = kind, left  # left: bytes of a WRITE, None for a SEND


class Requester(Sender):
    def __init__(self, view, pmtu, service, report):
        super().__init__(view, pmtu, service)
        self.report = report
        self.message = None     # Message; "unknown" behind a hole of a capture that hides frames
        self.message_at = None  # PSN that continues it

    def begins_inside(self, p):
        if not (self.view.hidden or self.view.middle):
            self.report(p, "sequence", f"{p.op.name} begins the connection")
        self.message = "unknown"

    def leaves_out(self, p, psn):
        if not self.view.hidden:
            self.report(p, "gap", f"PSN {p.psn} although {self.next & roce.PSN_MASK} was not sent yet (C9-29)")
        self.message = "unknown"

    def goes_back(self, p, psn):
        if not self.view.hidden:
            self.report(p, "gap", f"PSN {p.psn} again: an unreliable service never sends again (9.8.2)")

    def skips(self, p, psn):
        if not self.view.hidden:
            self.report(p, "skip", f"PSNs from {self.at & roce.PSN_MASK} to {p.psn} were not sent again "
                                   "and not acknowledged (9.7.3)")

    def restarted(self, p, psn, cause, oldest):
        if self.view.hidden and psn not in self.sent:
            return
        if cause.naks:
            self.rnr_wait(p, cause, psn in oldest and cause.waited >= self.view.timeout)
        elif self.view.hidden and psn >= min(oldest):
            return  # it may have begun with packets that the capture lacks
        elif cause.kind in ("nowhere", "early") and self.view.no_room.get(p.smac):
            self.view.no_room[p.smac] -= 1  # the answer came, and was dropped for want of room
        elif cause.kind == "nowhere":
            self.report(p, "restart_at", f"restart at PSN {p.psn}: no NAK names it and it is not the oldest "
                                         f"unacknowledged one, {self.una() & roce.PSN_MASK} (9.7.5.2.4, C9-141)")
        elif cause.kind == "early":
            self.report(p, "restart", f"PSN {p.psn} again {cause.waited / 1e3:.3f} us after it was sent, "
                                      "without NAK, implied NAK or timeout (C9-141)")

    def rnr_wait(self, p, cause, timeout):
        wait, passed = cause.naks[-1].wait, p.ns - cause.naks[-1].ns
        excused = passed < self.view.latency and (timeout or any(nak.wait is None for nak in cause.naks))
        if wait and passed < wait and not self.view.lossy and not excused:
            self.report(p, "rnr_wait", f"sent {passed / 1e3:.3f} us after an RNR NAK that asked for {wait / 1e3:g} us "
                                       "(9.7.5.2.8)")

    def repeats(self, p, psn, first):
        """9.7.3: a packet that is sent again is the same packet."""
        if p.opcode != first.opcode or p.payload != first.payload or p.ext != first.ext:
            self.report(p, "changed", f"PSN {p.psn} is not what it was as packet {first.number}: {p.name()} of "
                                      f"{len(p.payload)} bytes, was {first.name()} of {len(first.payload)}")

    def asks_rest(self, p, psn, first, want):
        if p.op.kind != "read" or p.reth != want:
            self.report(p, "changed", f"{p.name()} at PSN {p.psn}, inside the READ of packet {first.number}: "
                                      f"is not a READ of its last {want[2]} bytes")

    def new(self, p, psn):
        if self.view.hidden and psn != self.message_at:
            self.message = "unknown"
        self.sequence(p)
        super().new(p, psn)
        self.message_at = self.at
        if self.service == "RC" and self.next - self.una() > WINDOW and not self.view.hidden:
            self.report(p, "window", f"{self.next - self.una()} PSNs outstanding, at most 2^23 (C9-5)")

    def sequence(self, p):
        """Order of opcodes (9.7.4.1.1), lengths of packets (C9-8), RETH length against the payload (9.7.7.1)."""
        size, message = len(p.payload), self.message
        if p.op.starts:
            if message not in (None, "unknown"):
                self.report(p, "sequence", f"{p.op.name} inside a {message.kind} (9.7.4.1.1)")
            message = Message(p.op.kind, p.reth[2] if p.op.kind == "write" else None)
        elif message is None:
            self.report(p, "sequence", f"{p.op.name} outside a message (9.7.4.1.1)")
            message = "unknown"
        elif message != "unknown" and message.kind != p.op.kind:
            self.report(p, "sequence", f"{p.op.name} inside a {message.kind} (9.7.4.1.1)")
            message = "unknown"
        if p.op.data:
            if p.op.place in "FM" and size != self.pmtu:
                self.report(p, "mtu", f"{p.op.name} with {size} bytes, the path MTU is {self.pmtu} (C9-8)")
            elif size > self.pmtu and self.service != "UD":
                self.report(p, "mtu", f"{size} bytes, the path MTU is {self.pmtu}")
        if message != "unknown" and message.left is not None:
            message.left -= size
            if message.left < 0 or (p.op.ends and message.left) or (not p.op.ends and not message.left):
                self.report(p, "reth_sum", f"payload up to {p.op.name} and RETH length differ by "
                                           f"{-message.left} bytes (9.7.7.1)")
                message = "unknown"
        self.message = None if p.op.ends else message
