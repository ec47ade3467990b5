// SPDX-License-Identifier: Apache-2.0
// Small single-clock FIFO in flip-flops or LUT RAM, first-word fall-through, any depth: sync_fifo_level without its
// level, for users that only write and read.
module sync_fifo #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 8   // words held
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [WIDTH-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [WIDTH-1:0] out_data_o
);
  sync_fifo_level #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .out_valid_o, .out_ready_i, .out_data_o, .level_o());
endmodule
