// SPDX-License-Identifier: Apache-2.0
// clk_gate with a counter on each side, and each counter copied to the other side at its edges.
module clk_gate_tb #(
    parameter int unsigned HOLD = 3
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        busy_i,
    output logic [15:0] free_o,
    output logic [15:0] gated_o,
    output logic [15:0] free_seen_o,   // free_o, by the gated clock
    output logic [15:0] gated_seen_o   // gated_o, by the free clock
);
  logic clk;
  clk_gate #(.HOLD(HOLD)) u_gate (.clk_i, .rst_ni, .busy_i, .clk_o(clk));
  always_ff @(posedge clk_i) begin
    free_o       <= rst_ni ? free_o + 1'b1 : '0;
    gated_seen_o <= gated_o;
  end
  always_ff @(posedge clk) begin
    gated_o     <= rst_ni ? gated_o + 1'b1 : '0;
    free_seen_o <= free_o;
  end
endmodule
