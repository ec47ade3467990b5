// SPDX-License-Identifier: Apache-2.0
// Test top: three packet streams into one, through stream_arb (KIND 0 round robin, 1 fixed priority) or
// stream_mux (KIND 2). Data words carry their source in the upper bits.
module merge_tb #(
    parameter int unsigned KIND = 0
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        in0_valid_i, in0_last_i,
    output logic        in0_ready_o,
    input  logic [31:0] in0_data_i,
    input  logic        in1_valid_i, in1_last_i,
    output logic        in1_ready_o,
    input  logic [31:0] in1_data_i,
    input  logic        in2_valid_i, in2_last_i,
    output logic        in2_ready_o,
    input  logic [31:0] in2_data_i,
    input  logic        sel_valid_i,
    output logic        sel_ready_o,
    input  logic [1:0]  sel_data_i,
    output logic        out_valid_o, out_last_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o,
    output logic [1:0]  out_src_o
);
  logic [2:0]  valid, ready, last;
  logic [95:0] data;

  assign valid = {in2_valid_i, in1_valid_i, in0_valid_i};
  assign last  = {in2_last_i, in1_last_i, in0_last_i};
  assign data  = {in2_data_i, in1_data_i, in0_data_i};
  assign {in2_ready_o, in1_ready_o, in0_ready_o} = ready;

  if (KIND < 2) begin : g_arb
    logic unused;
    assign unused      = ^{sel_valid_i, sel_data_i};
    assign sel_ready_o = 1'b0;
    stream_arb #(.WIDTH(32), .N(3), .FIXED(KIND)) u_arb (
        .clk_i, .rst_ni, .in_valid_i(valid), .in_ready_o(ready), .in_data_i(data), .in_last_i(last),
        .out_valid_o, .out_ready_i, .out_data_o, .out_last_o, .out_src_o);
  end else begin : g_mux
    assign out_src_o = sel_data_i;
    stream_mux #(.WIDTH(32), .N(3)) u_mux (
        .clk_i, .rst_ni, .sel_valid_i, .sel_ready_o, .sel_i(sel_data_i),
        .in_valid_i(valid), .in_ready_o(ready), .in_data_i(data), .in_last_i(last),
        .out_valid_o, .out_ready_i, .out_data_o, .out_last_o);
  end
endmodule
