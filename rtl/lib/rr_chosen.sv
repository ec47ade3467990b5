// SPDX-License-Identifier: Apache-2.0
// Round-robin choice in a register: rr_arbiter where the requests come late in the cycle. One is chosen in a cycle, and
// shown from the next one on until it is used; the one after it is chosen in the cycle after that.
//
// No ready depends on a request of the same cycle: a client is told ready_o while it is the chosen one, and it is used
//   if it still requests. One that does not any more is let go.
// Cycles: one is used every second cycle at most. Errors: none.
module rr_chosen #(
    parameter int unsigned N = 4
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [N-1:0]                       req_i,
    input  logic                               ready_i,      // the chosen one may be used
    output logic                               gnt_valid_o,  // there is one, and it requests
    output logic [N-1:0]                       gnt_o,        // one-hot or zero, a register
    output logic [N-1:0]                       ready_o,
    output logic [(N > 1 ? $clog2(N) : 1)-1:0] gnt_idx_o     // a register
);
  logic                               over;
  logic [N-1:0]                       pick, last_q;   // the one before this one
  logic [(N > 1 ? $clog2(N) : 1)-1:0] pick_idx;
  assign gnt_valid_o = (gnt_o & req_i) != '0;
  assign ready_o     = ready_i ? gnt_o : '0;
  assign over        = ready_i || !gnt_valid_o;
  rr_pick #(.N(N)) u_pick (.req_i, .last_i(last_q), .gnt_o(pick), .gnt_idx_o(pick_idx));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gnt_o  <= '0;
      last_q <= '0;
    end else if (gnt_o == '0) begin
      gnt_o <= pick;
    end else begin
      if (over) gnt_o <= '0;
      last_q <= gnt_o;
    end
    if (gnt_o == '0) gnt_idx_o <= pick_idx;
  end
endmodule
