// SPDX-License-Identifier: Apache-2.0
// What rsp_tx counts of the ACKs and NAKs that it sends: NAKs, by their syndrome. Combinational.
//
// Errors: none.
module rsp_tx_counts (
    input  logic                         sent_i,
    input  logic [23:0]                  qpn_i,
    input  logic [7:0]                   syn_i,
    output cairn_hw_pkg::rsp_tx_events_t events_o
);
  logic rnr, seq, inv, access, op;
  assign rnr    = syn_i[6:5] == cairn_pkt_pkg::AETH_CLASS_RNR;
  assign seq    = syn_i == cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_SEQ);
  assign inv    = syn_i == cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_INV_REQ);
  assign access = syn_i == cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_ACCESS);
  assign op     = syn_i == cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
  assign events_o.qpn             = qpn_i;
  assign events_o.rnr_nak_sent    = sent_i && rnr;
  assign events_o.seq_nak_sent    = sent_i && seq;
  assign events_o.resp_inv_req    = sent_i && inv;
  assign events_o.resp_access_err = sent_i && access;
  assign events_o.resp_op_err     = sent_i && op;
endmodule
