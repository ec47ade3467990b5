# SPDX-License-Identifier: Apache-2.0
"""Known bugs for `make mutations`: each is planted alone into the RTL, and one of its tests must fail.

A row: name, what it does (the class of bug it stands for), file, text that stands exactly once in the file, what it
becomes, tests in the order of trying: unit tests as area/test, others as build targets.
"""
from collections import namedtuple

Bug = namedtuple("Bug", "name what file old new tests")

RX = ["rx/test_rx_parser_64"]
LOOKUP = ["qp/test_qp_lookup"]
RSP = ["transport_rsp/test_rsp_seq", "transport_rsp/test_rsp_rows", "transport_rsp/test_responder_64"]
CMP = ["transport_cmp/test_completer", "integration/test_loss"]
REQ = ["transport_req/test_requester_64", "integration/test_loss"]
MR = ["mr/test_mr_service_64"]
CQ = ["queue_cq/test_cq_service_64"]

BUGS = [
    Bug("pad_underflow", "pad larger than what follows the headers: the length wraps (CVE-2026-46043)",
        "rtl/rx/rx_headers.sv", "body_bad = d_body[16] || pay[16] || pay > 17'sd4096;",
        "body_bad = d_body[16] || pay > 17'sd4096;", RX),
    Bug("undefined_opcode", "opcodes that the table does not have are taken for defined ones",
        "rtl/rx/rx_headers.sv", "if (!c_flags[cairn_pkt_pkg::OPF_VALID] || c_bth.tver != '0)", "if (c_bth.tver != '0)", RX),
    Bug("late_fragment", "IPv4 fragments after the first are taken for whole packets",
        "rtl/rx/rx_headers.sv", "|| ip4.mf || ip4.frag != '0;", "|| ip4.mf;", RX),
    Bug("udp_length", "a UDP length shorter than the IP packet's is accepted",
        "rtl/rx/rx_headers.sv", "c_udplbad <= {1'b0, udp.length} != b_iplen - 17'(b_iphl)",
        "c_udplbad <= {1'b0, udp.length} > b_iplen - 17'(b_iphl)", RX),
    Bug("icrc_verdict_held", "the ICRC's verdict of the last frame stands for one that is too short to have any",
        "rtl/rx/rx_icrc.sv", "assign verdict = crc_valid ? crc_ok : (!first_line_q[LATENCY-1] && held_q);",
        "assign verdict = crc_valid ? crc_ok : held_q;", RX),
    Bug("source_address", "packets from any address reach a connected QP",
        "rtl/qp/qp_lookup.sv", "is_ud || (cm.sip == dgid && cm.sgid_index == cfg.pd_sgid_sgid_index)",
        "is_ud || cm.sgid_index == cfg.pd_sgid_sgid_index", LOOKUP),
    Bug("limited_members", "two limited members of a partition may talk",
        "rtl/qp/qp_lookup.sv", " && (cm.pkey[15] || cfg.pkey_vlan_pkey[15])", "", LOOKUP),
    Bug("write_continued_by_send", "SEND packets may continue a WRITE",
        "rtl/transport/rsp_check.sv", ": (f_write && !f_start);", ": !f_start;", RSP),
    Bug("write_too_long", "packets of a WRITE before its last may bring more than was announced",
        "rtl/transport/rsp_check.sv", "(f_last ? msg_pos != pay32 : msg_pos < pay32)",
        "(f_last ? msg_pos != pay32 : 1'b0)", RSP),
    Bug("one_read_too_many", "one READ more than max_dest_rd_atomic is taken",
        "rtl/transport/rsp_check.sv", "res_out < {3'h0, cfg_q.rd_max_dest_rd_atomic}",
        "res_out <= {3'h0, cfg_q.rd_max_dest_rd_atomic}", RSP),
    Bug("full_ring_refused", "a receive ring that is exactly full counts as too full",
        "rtl/transport/rsp_check.sv", "rq_used > (16'h1 << rq_log2_q)", "rq_used >= (16'h1 << rq_log2_q)", RSP),
    Bug("nak_storm", "every packet behind a gap is answered by a NAK",
        "rtl/transport/rsp_next.sv", "if (!c.flags_nak_sent) begin", "begin", RSP),
    Bug("nak_once", "after the first gap of its life a QP sends no sequence NAK any more",
        "rtl/transport/rsp_next.sv", "      n.flags_nak_sent = 1'b0;\n", "", RSP),
    Bug("msn_counts_packets", "MSN counts packets, not messages",
        "rtl/transport/rsp_next.sv", "c.msn_msn + 24'(r.last)", "c.msn_msn + 24'h1", RSP),
    Bug("stale_hint", "the position in a receive WQE is taken from a hint of another packet",
        "rtl/transport/rsp_walk.sv", "h_psn == r_q.psn && ", "", RSP),
    Bug("parked_overtaken", "packets overtake those of their QP that wait for memory",
        "rtl/transport/rsp_join.sv", "missed || (waiting && !f_again)", "missed", RSP),
    Bug("ghost_ack", "an ACK for the first PSN not yet sent is believed",
        "rtl/transport/cmp_next.sv", "assign ahead      = !d_hi[23];", "assign ahead      = !d_hi[23] && d_hi != '0;", CMP),
    Bug("endless_retries", "retry_cnt is not used up",
        "rtl/transport/cmp_next.sv", "n.flags_retry_left = left - 3'd1;", "n.flags_retry_left = left;", CMP),
    Bug("rnr_too_short", "half of the RNR timer codes wait two thirds of their time",
        "rtl/transport/cmp_next.sv", "17'd3 << ((code - 5'd3) >> 1)", "17'd2 << ((code - 5'd3) >> 1)", CMP),
    Bug("read_done_early", "a READ completes when its request is acknowledged, not when its data is there",
        "rtl/transport/cmp_retire.sv", "(is_data ? rd_full", "(is_data ? issued", CMP),
    Bug("overtaken_packet", "a packet that is acknowledged already is sent again from a WQE that may be gone",
        "rtl/transport/req_issue.sv", " && !overtaken);", ");", REQ),
    Bug("no_window", "the requester does not stop before MAX_OUTSTANDING_PSN",
        "rtl/transport/req_packet.sv", "assign stop_window = !d_win[23] && ", "assign stop_window = 1'b0 && ", REQ),
    Bug("read_cut_elsewhere", "a READ that begins in the middle is cut at other places than before",
        "rtl/transport/req_packet.sv", "assign chunk_left = chunk - (offset_i & (chunk - 32'h1));",
        "assign chunk_left = chunk;", REQ),
    Bug("list_longer_than_length", "elements need not add up to the length",
        "rtl/transport/req_cursor.sv", "(sum_done_o && seek_q != len_i)", "1'b0", REQ),
    Bug("region_end", "one byte behind a region may be used",
        "rtl/mr/mr_lookup.sv", "off > room_after;", "off > room_after + 64'h1;", MR),
    Bug("foreign_pd", "regions of other protection domains may be used",
        "rtl/mr/mr_lookup.sv", "m.pd_pd != c.pd || ", "", MR),
    Bug("second_line", "the second page of an access is looked for in the line of the first",
        "rtl/mr/mr_translate.sv", "assign two_lines = ir.len1 != '0 && idx0[2:0] == 3'd7;",
        "assign two_lines = 1'b0 && ir.len1 != '0 && idx0[2:0] == 3'd7;", MR),
    Bug("cq_overwritten", "a full CQ takes one more",
        "rtl/queue/cqe_write.sv", "assign full     = used >= size;", "assign full     = used > size;", CQ),
    Bug("foreign_doorbell", "any process rings any doorbell",
        "rtl/queue/doorbell.sv", " && cur[23:16] == s1_page_q;", ";", ["queue_db/test_doorbell"]),
    Bug("eq_overwritten", "a full EQ takes one more",
        "rtl/queue/eqe_write.sv", ">= (16'h1 << l_log2)", "> (16'h1 << l_log2)", ["queue_cq/test_eqe_write"]),
    Bug("page_end", "a transfer that ends where its block ends is followed by one of no bytes",
        "rtl/dma/dma_split.sv", "assign more = left_q > room;", "assign more = left_q >= room;", ["dma/test_dma_write_64"]),
    Bug("stale_packet", "packets of before a go-back are sent",
        "rtl/tx/tx_check.sv", "ecr_match_i && ecr_epoch_i != asked_epoch;", "1'b0 && ecr_match_i && ecr_epoch_i != asked_epoch;",
        ["tx/test_tx_path_64"]),
]
