// SPDX-License-Identifier: Apache-2.0
// Visits whose first WQE is not on chip: they go no further than here, so that req_build has time for the others.
//
// req_look says of the visit in front whether it is to begin with a WQE that is not here. Then the WQE is asked for and
// the QP given back, with its pin; it comes again with the kick of wqe_fetch, or at once if no place was free
// (more = 1). All others pass; so does one that has just come and finds req_build waiting: what is missing shows there.
// Cycles: none for what passes; one for a visit that is kept here, while fewer than DEPTH wait to be asked for.
// Errors: none.
module req_missed #(
    parameter int unsigned DEPTH = 4
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // from req_visit to req_build
    input  logic                         visit_valid_i,
    output logic                         visit_ready_o,
    input  cairn_int_pkg::req_visit_t    visit_i,
    input  logic                         miss_i,        // its WQE is not here
    output logic                         visit_valid_o,
    input  logic                         visit_ready_i,
    // wqe_fetch
    output cairn_int_pkg::wqe_fetch_t    fetch_o,
    input  cairn_int_pkg::fetch_answer_t fetch_i,
    // QPs given back
    output cairn_int_pkg::released_t     released_o,
    input  logic                         released_ready_i,
    output logic                         idle_o
);
  cairn_hw_pkg::qp_req_t req;
  logic                  room, want_valid, back_q, more_q, asked;
  logic [23:0]           back_qpn_q;
  cairn_int_pkg::wqe_fetch_t        kept, want;
  logic [cairn_int_pkg::SLOT_W-1:0] slot, back_slot_q;
  assign req           = visit_i.req;
  assign kept          = {1'b1, visit_i.qpn, req.tag_gen, req.index_next_index, visit_i.pi, req.sq_base,
                          req.flags_sq_log2};
  assign visit_valid_o = visit_valid_i && !miss_i;
  assign visit_ready_o = miss_i ? room : visit_ready_i;
  sync_fifo #(.WIDTH(cairn_int_pkg::SLOT_W + cairn_int_pkg::WQE_FETCH_W), .DEPTH(DEPTH)) u_want (
      .clk_i, .rst_ni, .in_valid_i(visit_valid_i && miss_i), .in_ready_o(room), .in_data_i({visit_i.slot, kept}),
      .out_valid_o(want_valid), .out_ready_i(asked), .out_data_o({slot, want}));

  // ---- the one that is asked for, then given back ----
  assign fetch_o = {want_valid && !back_q, want.qpn, want.gen, want.index, want.limit, want.base, want.log2};
  assign asked   = fetch_o.valid && fetch_i.ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) back_q <= 1'b0;
    else back_q <= asked || (back_q && !released_ready_i);
    if (asked) begin
      more_q      <= fetch_i.retry;
      back_qpn_q  <= want.qpn;
      back_slot_q <= slot;
    end
  end
  assign released_o.valid = back_q;
  assign released_o.qpn   = back_qpn_q;
  assign released_o.more  = more_q;
  assign released_o.unpin = 1'b1;
  assign released_o.slot  = back_slot_q;
  assign idle_o           = !want_valid && !back_q;
endmodule
