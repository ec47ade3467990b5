// SPDX-License-Identifier: Apache-2.0
// Forms a job of rsp_tx: a READ response packet, the answer of an atomic or an ACK/NAK, with the QP's address vector.
//
// Combinational. Responses: SE = 0, AckReq = 0, destination QP and UDP source port of the QP (IBTA 9.7.5.1).
module rsp_tx_job (
    input  logic [511:0]                     cfg_i,
    input  logic [cairn_int_pkg::SLOT_W-1:0] slot_i,
    input  logic                             epoch_i,
    input  logic                             ack_i,     // ACK or NAK, not a response
    input  logic                             atomic_i,  // answer of an atomic: its original value
    input  logic [63:0]                      value_i,
    input  logic                             first_i,   // of the response: FIRST or ONLY
    input  logic                             last_i,
    input  logic [23:0]                      psn_i,
    input  logic [7:0]                       syn_i,
    input  logic [23:0]                      msn_i,
    input  logic [cairn_int_pkg::LEN_W-1:0]  len_i,
    output cairn_int_pkg::tx_job_t           job_o
);
  cairn_hw_pkg::qp_cfg_t  c;
  cairn_int_pkg::av_t     av;
  cairn_int_pkg::tx_job_t j;
  assign c     = cfg_i;
  assign job_o = j;
  av_of_cfg u_av (.cfg_i(c), .av_o(av));
  always_comb begin
    j               = '0;
    j.kind          = ack_i ? cairn_int_pkg::TXK_ACK : cairn_int_pkg::TXK_RSP;
    j.qpn           = c.tag_qpn;
    j.slot          = slot_i;
    j.gen           = c.tag_gen;
    j.epoch         = epoch_i;
    j.psn           = psn_i;
    j.pay_len       = ack_i ? '0 : len_i;
    j.args.aeth     = {syn_i, msn_i};
    j.args.swap_add = value_i;
    if (atomic_i && !ack_i) j.opcode = cairn_pkt_pkg::OPCODE_RC_ATOMIC_ACK;
    else if (ack_i) j.opcode = cairn_pkt_pkg::OPCODE_RC_ACKNOWLEDGE;
    else if (first_i) j.opcode = last_i
        ? cairn_pkt_pkg::OPCODE_RC_READ_RSP_ONLY : cairn_pkt_pkg::OPCODE_RC_READ_RSP_FIRST;
    else j.opcode = last_i ? cairn_pkt_pkg::OPCODE_RC_READ_RSP_LAST : cairn_pkt_pkg::OPCODE_RC_READ_RSP_MIDDLE;
    j.av      = av;
  end
endmodule
