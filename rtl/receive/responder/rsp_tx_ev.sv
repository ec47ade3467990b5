// SPDX-License-Identifier: Apache-2.0
// Prepares rsp_tx's next event for rsp_commit in every cycle in which none is offered (hold_i low).
//
// What it says depends on where the visit is:
// - fail_i: the payload of response txerr_psn_i could not be read;
// - lost_i: the resource is unreadable or not the QP's (nothing is known of its PSNs, so the NAK names the expected
//   one);
// - deny_i: the MR service refused the packet at psn_i;
// - acked_i: the ACK state was handed on;
// - flush_i: a receive WQE is there to be flushed;
// - otherwise: the resource to answer next becomes res_i (old_i is where rsp_tx saw it).
module rsp_tx_ev (
    input  logic                             clk_i,
    input  logic                             hold_i,
    input  logic                             fail_i,
    input  logic                             lost_i,
    input  logic                             deny_i,
    input  logic                             acked_i,
    input  logic                             flush_i,
    input  logic                             damaged_i,  // lost_i: by contents, not by a failed read
    input  logic [cairn_int_pkg::SLOT_W-1:0] slot_i,
    input  logic [23:0]                      qpn_i,
    input  logic [7:0]                       gen_i,
    input  logic [7:0]                       eqn_i,
    input  logic [7:0]                       res_i,
    input  logic [7:0]                       old_i,
    input  logic [15:0]                      pi_i,
    input  logic [23:0]                      txerr_psn_i,
    input  logic [23:0]                      epsn_i,
    input  logic [23:0]                      psn_i,
    input  logic [23:0]                      ack_psn_i,
    input  logic [7:0]                       ack_syn_i,
    input  logic [7:0]                       vendor_i,   // of the MR service
    output cairn_int_pkg::rsp_ev_t           ev_o
);
  cairn_int_pkg::rsp_ev_t e;
  logic local_fault;
  assign local_fault = vendor_i == cairn_hw_pkg::VENDOR_ERR_DMA_READ
      || vendor_i == cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
  always_comb begin
    e        = '0;
    e.slot   = slot_i;
    e.qpn    = qpn_i;
    e.gen    = gen_i;
    e.eqn    = eqn_i;
    e.res    = res_i;
    e.pi     = flush_i ? pi_i : 16'(old_i);
    e.kind   = (fail_i || lost_i || deny_i) ? cairn_int_pkg::RSE_FAIL : acked_i ? cairn_int_pkg::RSE_ACKED
               : flush_i ? cairn_int_pkg::RSE_FLUSH : cairn_int_pkg::RSE_RES;
    e.psn    = fail_i ? txerr_psn_i : lost_i ? epsn_i : acked_i ? ack_psn_i : psn_i;
    e.syn    = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_OP);
    e.vendor = (lost_i && damaged_i) ? cairn_hw_pkg::VENDOR_ERR_CTX_CHECK : cairn_hw_pkg::VENDOR_ERR_DMA_READ;
    if (acked_i) begin
      e.syn = ack_syn_i;
    end else if (deny_i) begin
      e.vendor = vendor_i;
      if (!local_fault) e.syn = cairn_fn_pkg::aeth_nak(cairn_pkt_pkg::AETH_NAK_ACCESS);
    end
  end
  always_ff @(posedge clk_i) if (!hold_i) ev_o <= e;
endmodule
