// SPDX-License-Identifier: Apache-2.0
// Assumes that a stream offered to the cell under proof keeps the rules: what is shown stays until taken.
// (The assumption is combinational over remembered values: a clocked one would come a step late.)
module stream_rules #(
    parameter int unsigned WIDTH = 8
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             valid_i,
    input logic             ready_i,
    input logic [WIDTH-1:0] data_i
);
  logic             waits_q = 1'b0;
  logic [WIDTH-1:0] data_q;

  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && valid_i && !ready_i;
    data_q  <= data_i;
  end

  always_comb if (waits_q) assume (valid_i && data_i == data_q);
endmodule
