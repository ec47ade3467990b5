// SPDX-License-Identifier: Apache-2.0
// Test top: one word stream into three through stream_fork; in_sel is the mask of outputs.
module stream_fork_tb (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [31:0] in_data_i,
    input  logic [2:0]  in_sel_i,
    output logic        out0_valid_o,
    input  logic        out0_ready_i,
    output logic [31:0] out0_data_o,
    output logic        out1_valid_o,
    input  logic        out1_ready_i,
    output logic [31:0] out1_data_o,
    output logic        out2_valid_o,
    input  logic        out2_ready_i,
    output logic [31:0] out2_data_o
);
  logic [2:0]  valid, ready;
  logic [31:0] data;

  stream_fork #(.WIDTH(32), .N(3)) u_fork (
      .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .in_sel_i,
      .out_valid_o(valid), .out_ready_i(ready), .out_data_o(data));
  assign ready = {out2_ready_i, out1_ready_i, out0_ready_i};
  assign {out2_valid_o, out1_valid_o, out0_valid_o} = valid;
  assign out0_data_o = data;
  assign out1_data_o = data;
  assign out2_data_o = data;
endmodule
