# SPDX-License-Identifier: Apache-2.0
"""Counters of NICs against the trace: `cairn stat --json` of a run whose whole traffic was captured."""
import re

# counter, what of the trace it counts, how they compare.  "<=": the device may ignore some of what arrives (old
# acknowledgements, packets for a QP in error), so the trace is an upper bound.
RULES = (
    ("tx_packets", ("tx_frames",), "="),
    ("rx_packets+rx_overrun", ("rx_frames",), "="),
    ("rx_mac_error", ("rx_bad_fcs",), "="),
    ("rx_icrc_encapsulated", ("rx_bad_icrc",), "="),
    # what is dropped for its QP's share is counted as taken, and without room; what was lost before may have been any
    ("rx_roce_packets+out_of_buffer-rx_share_dropped", ("rx_roce",), "="),
    ("ack_sent", ("tx_ack_only",), "="),
    ("rnr_nak_sent", ("tx_rnr_nak",), "="),
    ("packet_seq_nak_sent", ("tx_nak_sequence",), "="),
    ("resp_invalid_request", ("tx_nak_invalid_request",), "="),
    ("resp_remote_access_errors", ("tx_nak_access",), "="),
    ("resp_operational_errors", ("tx_nak_operational",), "="),
    ("read_resp_sent", ("tx_read_rsp",), "="),
    ("atomic_resp_sent", ("tx_atomic_ack",), "="),
    # counted as sent again, too: what was sent before only into a job that a go-back discarded
    ("tx_retransmitted_packets", ("retransmitted",), "=", "tx_stale_dropped"),
    ("np_cnp_sent", ("tx_cnp",), "="),
    ("np_ecn_marked_roce_packets", ("rx_ce",), "="),
    ("rx_acks", ("rx_ack_only",), "<="),
    ("rx_read_responses", ("rx_read_rsp",), "<="),
    ("rx_atomic_responses", ("rx_atomic_ack",), "<="),
    ("rx_read_requests", ("rx_read",), "<="),
    ("rx_atomic_requests", ("rx_atomic",), "<="),
    ("rx_send_requests", ("rx_send_end",), "<="),
    ("rx_write_requests", ("rx_write_end",), "<="),
    ("packet_seq_err", ("rx_nak_sequence",), "<="),
    ("rnr_nak_retry_err", ("rx_rnr_nak",), "<="),
    ("req_remote_invalid_request", ("rx_nak_invalid_request",), "<="),
    ("req_remote_access_errors", ("rx_nak_access",), "<="),
    ("req_remote_op_errors", ("rx_nak_operational",), "<="),
    ("rp_cnp_handled", ("rx_cnp",), "<="),
)

# The same for each QP: its packets are known by their connection.
QP_RULES = tuple(rule for rule in RULES if rule[0] in (
    "rnr_nak_sent", "packet_seq_nak_sent", "resp_invalid_request", "resp_remote_access_errors",
    "resp_operational_errors", "tx_retransmitted_packets", "packet_seq_err", "rnr_nak_retry_err",
    "req_remote_invalid_request", "req_remote_access_errors", "req_remote_op_errors"))


def without_room(counters, names):
    """Packets that each NIC dropped for want of room, by name and, where names has it, by MAC address."""
    told = {nic: values.get("out_of_buffer", 0) + values.get("rx_overrun", 0) for nic, values in counters.items()}
    return {**told, **{address: told.get(nic, 0) for address, nic in names.items()}}


def differences(who, rules, counters, counts, lossy):
    """Texts of what differs between the counters of a NIC or QP and what the trace has of it."""
    texts = []
    for counter, keys, how, *more in rules:
        if keys[0].startswith("rx_") and lossy:
            continue
        told = sum(-counters.get(part[1:], 0) if part[0] == "-" else counters.get(part.lstrip("+"), 0)
                   for part in re.findall(r"[+-]?\w+", counter))
        seen = sum(counts.get(key, 0) for key in keys)
        most = seen + sum(counters.get(name, 0) for name in more)
        # a NIC that has sent nothing may not be there yet when others announce themselves
        least = seen - {"rx_frames": counts.get("rx_early", 0), "rx_roce": counters.get("rx_overrun", 0)}.get(keys[0], 0)
        if not least <= told <= most if how == "=" else told > seen:
            texts.append(f"{who} {counter} is {told}, the trace has {'' if how == '=' else 'at most '}{seen}")
    return texts


def compare(summary, counters, names, lossy, one_port):
    """Texts of what differs.  names: MAC address -> NIC, for captures that do not name their ports."""
    texts, compared = [], 0
    for port, counts in summary["ports"].items():
        nic = names.get(port, port)
        if nic not in counters:
            continue
        compared += 1
        rules = [rule for rule in RULES if rule[0].split("+")[0] in counters[nic]]
        texts += differences(nic, rules, counters[nic], counts, lossy)
        if "qps" in counters[nic]:
            # a QP that is not named has counted nothing
            for qpn, seen in summary["qps"].get(port, {}).items():
                texts += differences(f"{nic} QP {qpn}", QP_RULES, counters[nic]["qps"].get(qpn, {}), seen, lossy)
    if compared < (1 if one_port else len(counters)):
        texts.append("counters of NICs that the capture does not name: give --nic NAME=MAC for each")
    return texts
