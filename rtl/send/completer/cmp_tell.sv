// SPDX-License-Identifier: Apache-2.0
// Does a visit of the walker open something for the requester, so that the scheduler is to be kicked?
//
// tell_o, at the end of a visit that retired something: READs that are counted now; the fence, once nothing is left
// that is acknowledged or read; the window, if much of it was in use; the end of an error that was met before
// (req_visit).
// At rest: not if the requester had nothing to do when the visit began (load_i): no WQE, no go-back. What comes then
//   brings a kick of its own. A QP that is kicked meanwhile may be looked at before the visit's part is written, so it
//   is told. Kicks count from those of the cycle in which the parts were read on; a visit of the requester reads its
//   parts four cycles after the kick at the earliest.
// Errors: none.
module cmp_tell (
    input  logic                  clk_i,
    input  logic                  load_i,      // the visit's parts are taken; what follows is of that visit
    input  logic [23:0]           qpn_i,
    input  cairn_int_pkg::kick_t  kicked_i,    // in the scheduler, in the cycle before
    input  cairn_hw_pkg::qp_req_t req_i,
    input  cairn_hw_pkg::qp_cmp_t cmp_i,       // as it is now
    input  logic [15:0]           pi_i,
    input  logic [23:0]           acked_i,
    input  logic [2:0]            did_i,       // something was retired; READs or atomics; much of the window was in use
    output logic                  tell_o
);
  logic                 at_rest_q, kicked_q, fence, moved, done, wide;
  logic [23:0]          d_rest;
  cairn_int_pkg::kick_t seen_q;
  assign {moved, done, wide} = did_i;
  assign d_rest = acked_i - cmp_i.old_psn;
  assign fence  = (d_rest[23] || d_rest == '0) && req_i.hi_psn_rd_issued == cmp_i.rflags_rd_done;
  assign tell_o = moved && (!at_rest_q || kicked_q) && (done || wide || req_i.flags_err || fence);
  always_ff @(posedge clk_i) begin
    seen_q    <= kicked_i;
    at_rest_q <= req_i.index_next_index == pi_i && req_i.psn_send_epoch == cmp_i.una_gb_epoch;
    kicked_q  <= !load_i && (kicked_q || (seen_q.valid && seen_q.qpn == qpn_i));
  end
endmodule
