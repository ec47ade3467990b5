// SPDX-License-Identifier: Apache-2.0
// What comes into the responder, with the bits of QPNs and slots that the build has. Combinational.
//
// Others are 0, but only who gives them out knows that. So no register or comparison behind this has them.
// Errors: none.
module rsp_narrow #(
    parameter int unsigned SLOTS = 4096,
    parameter int unsigned QPN_W = 24,       // bits of a QPN
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  cairn_int_pkg::rx_offer_t       pkt_i,
    output cairn_int_pkg::rx_offer_t       pkt_o,
    input  cairn_int_pkg::responder_view_t part_i,
    output cairn_int_pkg::responder_view_t part_o,
    input  cairn_int_pkg::ctx_rsp_t        ctx_i,
    output cairn_int_pkg::ctx_rsp_t        ctx_o,
    input  cairn_int_pkg::tx_failed_t      tx_err_i,
    output cairn_int_pkg::tx_failed_t      tx_err_o
);
  cairn_hw_pkg::qp_cfg_t pkt_cfg, answer_cfg, pkt_cfg_n, answer_cfg_n;
  cairn_hw_pkg::qp_rsp_t check, commit, answer, check_n, commit_n, answer_n;
  assign pkt_cfg    = pkt_i.pkt.cfg;
  assign answer_cfg = part_i.answer.cfg;
  assign check      = part_i.check;
  assign commit     = part_i.commit;
  assign answer     = part_i.answer.rsp;
  always_comb begin
    pkt_cfg_n            = pkt_cfg;
    pkt_cfg_n.tag_qpn    = 24'(pkt_cfg.tag_qpn[QPN_W-1:0]);
    answer_cfg_n         = answer_cfg;
    answer_cfg_n.tag_qpn = 24'(answer_cfg.tag_qpn[QPN_W-1:0]);
    check_n              = check;
    check_n.tag_qpn      = 24'(check.tag_qpn[QPN_W-1:0]);
    commit_n             = commit;
    commit_n.tag_qpn     = 24'(commit.tag_qpn[QPN_W-1:0]);
    answer_n             = answer;
    answer_n.tag_qpn     = 24'(answer.tag_qpn[QPN_W-1:0]);
  end
  always_comb begin
    pkt_o               = pkt_i;
    pkt_o.pkt.cfg       = pkt_cfg_n;
    pkt_o.pkt.meta.qpn  = 24'(pkt_i.pkt.meta.qpn[QPN_W-1:0]);
    pkt_o.pkt.meta.slot = cairn_int_pkg::SLOT_W'(pkt_i.pkt.meta.slot[AW-1:0]);
    part_o              = part_i;
    part_o.check        = check_n;
    part_o.commit       = commit_n;
    part_o.answer       = {answer_cfg_n, answer_n};
    ctx_o               = ctx_i;
    ctx_o.slot          = cairn_int_pkg::SLOT_W'(ctx_i.slot[AW-1:0]);
    tx_err_o            = tx_err_i;
    tx_err_o.lost.qpn   = 24'(tx_err_i.lost.qpn[QPN_W-1:0]);
  end
endmodule
