// SPDX-License-Identifier: Apache-2.0
// Verdict of rx_headers about a packet that keeps its rules 1 to 13: what its QP says of it (rules 14 to 18 there).
//
// Order: the first rule that fits decides. qp_lookup has the same rules in the same order, with the QP's record.
// Notifications (CNP) are for a QP of any type. One for a datagram QP has no Q_Key to show.
// Owns: nothing; combinational. Errors: the verdict.
module rx_qp_rules (
    input  cairn_int_pkg::rx_meta_t meta_i,
    input  logic [15:0]             check_i,   // the word of its addresses or its Q_Key, as in rx_qp
    input  cairn_int_pkg::rx_qp_t   qp_i,
    output logic [4:0]              verdict_o  // cairn_hw_pkg::COUNTER_RX_*
);
  logic       cnp, type_ok, state_ok, check_ok, pkey_ok;
  logic [2:0] transport;
  assign transport = meta_i.opcode[7:5];
  assign cnp       = meta_i.opflags[cairn_pkt_pkg::OPF_CNP];
  assign type_ok   = (qp_i.kind == cairn_int_pkg::RXQ_RC && (cnp || transport == cairn_pkt_pkg::TRANSPORT_RC))
      || (qp_i.kind == cairn_int_pkg::RXQ_UC && (cnp || transport == cairn_pkt_pkg::TRANSPORT_UC))
      || (qp_i.kind == cairn_int_pkg::RXQ_UD && (cnp || transport == cairn_pkt_pkg::TRANSPORT_UD));
  assign state_ok  = meta_i.opflags[cairn_pkt_pkg::OPF_REQ] ? qp_i.req : qp_i.rsp;
  // A notification has no Q_Key; for a datagram QP it is qp_lookup's.
  assign check_ok  = qp_i.check == check_i || (cnp && qp_i.kind == cairn_int_pkg::RXQ_UD);
  assign pkey_ok   = meta_i.pkey[14:0] == qp_i.pkey[14:0] && (meta_i.pkey[15] || qp_i.pkey[15]);
  always_comb begin
    if (!type_ok) verdict_o = 5'(cairn_hw_pkg::COUNTER_RX_BAD_QPN);
    else if (!state_ok) verdict_o = 5'(cairn_hw_pkg::COUNTER_RX_QP_STATE);
    else if (!check_ok && qp_i.kind != cairn_int_pkg::RXQ_UD) verdict_o = 5'(cairn_hw_pkg::COUNTER_RX_BAD_ADDR);
    else if (!pkey_ok) verdict_o = 5'(cairn_hw_pkg::COUNTER_RX_BAD_PKEY);
    else if (!check_ok) verdict_o = 5'(cairn_hw_pkg::COUNTER_RX_BAD_QKEY);
    else verdict_o = 5'(cairn_hw_pkg::COUNTER_RX_ROCE_PACKETS);
  end
endmodule
