// SPDX-License-Identifier: Apache-2.0
// Bound to a state machine by tests/coverage/report.py: one cover point for each pair of two states, named by where it
// stands: from[f].to[t]. REG: from_i is not used, it is to_i of the cycle before. Nothing is counted while go_i is low.
module fsm_arcs #(
    parameter int unsigned W   = 2,
    parameter bit          REG = 1'b1
) (
    input logic         clk_i,
    input logic         go_i,
    input logic [W-1:0] from_i,
    input logic [W-1:0] to_i
);
  logic [W-1:0] last_q, was;
  logic         went_q;
  always_ff @(posedge clk_i) begin
    last_q <= to_i;
    went_q <= go_i;
  end
  assign was = REG ? last_q : from_i;
  for (genvar f = 0; f < 2 ** W; f++) begin : from
    for (genvar t = 0; t < 2 ** W; t++) begin : to
      if (f != t) begin : g_arc
        cover property (@(posedge clk_i) go_i && (went_q || !REG) && was == W'(f) && to_i == W'(t));
      end
    end
  end
endmodule
