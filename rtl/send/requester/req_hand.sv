// SPDX-License-Identifier: Apache-2.0
// The visit that req_build has in hand, from the cycle after its take on.
//
// HELD: what it was taken from stays as it is until the visit is over, so there is no copy. Errors: none.
module req_hand #(
    parameter bit HELD = 1'b0
) (
    input  logic                      clk_i,
    input  logic                      take_i,
    input  cairn_int_pkg::req_visit_t visit_i,
    output cairn_int_pkg::req_visit_t visit_o
);
  if (HELD) begin : g_held
    logic unused;
    assign unused  = ^{clk_i, take_i};
    assign visit_o = visit_i;
  end else begin : g_copy
    cairn_int_pkg::req_visit_t visit_q;
    assign visit_o = visit_q;
    always_ff @(posedge clk_i) if (take_i) visit_q <= visit_i;
  end
endmodule
