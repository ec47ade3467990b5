// SPDX-License-Identifier: Apache-2.0
// Visits whose first WQE is not on chip: they go no further than here, so that req_build has time for the others.
//
// While req_build is busy with another visit, the one that waits is looked at: if it is to begin with a WQE that is not
// here, the WQE is asked for and the QP given back, with its pin; it comes again with the kick of wqe_fetch, or at once
// if no place was free (more = 1). Whatever does not begin with a new WQE passes: go-backs, failed reads, SQD. One that
// finds req_build waiting passes too, unlooked at: what is missing shows there.
// Cycles: none for what passes; a visit that is kept here goes in the cycle after it was looked at, if the one before
//   it has been asked for. Errors: none.
module req_missed (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // from req_visit to req_build
    input  logic                         visit_valid_i,
    output logic                         visit_ready_o,
    input  cairn_int_pkg::req_visit_t    visit_i,
    output logic                         visit_valid_o,
    input  logic                         visit_ready_i,
    // wqe_fetch: is it here; fetch it
    output cairn_int_pkg::wqe_lookup_t   ask_o,
    input  logic                         here_i,
    output cairn_int_pkg::wqe_fetch_t    fetch_o,
    input  cairn_int_pkg::fetch_answer_t fetch_i,
    // QPs given back
    output cairn_int_pkg::released_t     released_o,
    input  logic                         released_ready_i,
    output logic                         idle_o
);
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_req_t req;
  logic                  begins, missing_q, keep;
  assign cfg         = visit_i.cfg;
  assign req         = visit_i.req;
  assign begins      = cfg.state == cairn_hw_pkg::QP_STATE_RTS && !visit_i.failed && !visit_i.goback && !visit_i.beyond
                       && req.index_next_index != visit_i.pi;
  assign ask_o.valid = visit_valid_i;
  assign ask_o.qpn   = visit_i.qpn;
  assign ask_o.gen   = req.tag_gen;
  assign ask_o.index = req.index_next_index;
  assign ask_o.limit = visit_i.pi;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) missing_q <= 1'b0;
    else missing_q <= visit_valid_i && !visit_ready_o && begins && !here_i;
  end

  // ---- the one that is asked for, then given back ----
  logic                             want_q, back_q, more_q;
  logic [cairn_int_pkg::SLOT_W-1:0] slot_q, back_slot_q;
  logic [23:0]                      back_qpn_q;
  cairn_int_pkg::wqe_fetch_t        want;
  assign keep          = missing_q && !want_q;
  assign visit_valid_o = visit_valid_i && !missing_q;
  assign visit_ready_o = missing_q ? !want_q : visit_ready_i;
  assign fetch_o       = {want_q && !back_q, want.qpn, want.gen, want.index, want.limit, want.base, want.log2};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      want_q <= 1'b0;
      back_q <= 1'b0;
    end else begin
      if (keep) want_q <= 1'b1;
      else if (fetch_o.valid && fetch_i.ready) want_q <= 1'b0;
      if (fetch_o.valid && fetch_i.ready) back_q <= 1'b1;
      else if (released_ready_i) back_q <= 1'b0;
    end
    if (keep) begin
      slot_q <= visit_i.slot;
      want   <= {1'b1, visit_i.qpn, req.tag_gen, req.index_next_index, visit_i.pi, req.sq_base, req.flags_sq_log2};
    end
    if (fetch_o.valid && fetch_i.ready) begin
      more_q      <= fetch_i.retry;
      back_qpn_q  <= want.qpn;
      back_slot_q <= slot_q;
    end
  end
  assign released_o.valid = back_q;
  assign released_o.qpn   = back_qpn_q;
  assign released_o.more  = more_q;
  assign released_o.unpin = 1'b1;
  assign released_o.slot  = back_slot_q;
  assign idle_o           = !want_q && !back_q;
endmodule
