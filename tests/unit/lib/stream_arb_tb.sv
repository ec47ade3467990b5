// SPDX-License-Identifier: Apache-2.0
// Test top: three word streams into one through stream_arb.
module stream_arb_tb #(
    parameter int unsigned FIXED = 0
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        in0_valid_i,
    output logic        in0_ready_o,
    input  logic [31:0] in0_data_i,
    input  logic        in1_valid_i,
    output logic        in1_ready_o,
    input  logic [31:0] in1_data_i,
    input  logic        in2_valid_i,
    output logic        in2_ready_o,
    input  logic [31:0] in2_data_i,
    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o
);
  stream_arb #(.WIDTH(32), .N(3), .FIXED(FIXED)) u_arb (
      .clk_i, .rst_ni, .in_valid_i({in2_valid_i, in1_valid_i, in0_valid_i}),
      .in_ready_o({in2_ready_o, in1_ready_o, in0_ready_o}), .in_data_i({in2_data_i, in1_data_i, in0_data_i}),
      .out_valid_o, .out_ready_i, .out_data_o);
endmodule
