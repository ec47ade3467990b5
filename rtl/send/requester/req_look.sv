// SPDX-License-Identifier: Apache-2.0
// Which of the visits that wait for req_build are to begin with a WQE that is not on chip.
//
// put_i: visit_i goes to the end of the queue; a cycle later it is looked at, and from the cycle behind that on miss_o
// is about it once it is in front. pop_i: the one in front leaves. One that is in front before that is not said to miss
// anything. What does not begin with a new WQE, go-backs, failed reads, SQD, misses nothing.
// The answer is of the cycle of the look: what has come or gone since shows where it is wanted.
// Errors: none.
module req_look #(
    parameter int unsigned DEPTH = 8       // of the queue, a power of two
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       put_i,
    input  cairn_int_pkg::req_visit_t  visit_i,
    input  logic                       pop_i,
    // wqe_fetch: is it here
    output cairn_int_pkg::wqe_lookup_t ask_o,
    input  logic                       here_i,
    output logic                       miss_o
);
  localparam int unsigned PW = $clog2(DEPTH);
  if ((1 << PW) != DEPTH) begin : g_chk
    $error("req_look: DEPTH must be a power of two");
  end
  cairn_hw_pkg::qp_cfg_t cfg;
  cairn_hw_pkg::qp_req_t req;
  logic          fresh_q, begins_q;
  logic [PW-1:0] in_q, at_q, out_q;
  logic          miss [0:DEPTH-1];
  cairn_int_pkg::wqe_lookup_t ask_q;
  assign cfg    = visit_i.cfg;
  assign req    = visit_i.req;
  assign ask_o  = ask_q;
  assign miss_o = miss[out_q] && !(fresh_q && at_q == out_q);
  always_ff @(posedge clk_i) if (fresh_q) miss[at_q] <= begins_q && !here_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= 1'b0;
      in_q    <= '0;
      out_q   <= '0;
    end else begin
      fresh_q <= put_i;
      if (put_i) in_q <= in_q + 1'b1;
      if (pop_i) out_q <= out_q + 1'b1;
    end
    at_q     <= in_q;
    ask_q    <= {rst_ni && put_i, visit_i.qpn, req.tag_gen, req.index_next_index, visit_i.pi, 2'd0};
    begins_q <= cfg.state == cairn_hw_pkg::QP_STATE_RTS && !visit_i.failed && !visit_i.goback && !visit_i.beyond
                && req.index_next_index != visit_i.pi;
  end
endmodule
