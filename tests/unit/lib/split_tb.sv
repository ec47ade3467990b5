// SPDX-License-Identifier: Apache-2.0
// Test top: one word stream into three, through stream_fork (KIND 0, in_sel is a mask) or stream_demux
// (KIND 1, in_sel is a number); or three into one through stream_join behind a fork to all (KIND 2).
module split_tb #(
    parameter int unsigned KIND = 0
) (
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
    output logic [31:0] out2_data_o,
    output logic        join_valid_o,
    input  logic        join_ready_i,
    output logic [63:0] join_data_o
);
  logic [2:0]  valid, ready;
  logic [31:0] data;

  if (KIND == 1) begin : g_demux
    logic unused;
    assign unused = in_sel_i[2];
    stream_demux #(.WIDTH(32), .N(3)) u_demux (
        .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i, .in_sel_i(in_sel_i[1:0]),
        .out_valid_o(valid), .out_ready_i(ready), .out_data_o(data));
  end else begin : g_fork
    stream_fork #(.WIDTH(32), .N(3)) u_fork (
        .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i,
        .in_sel_i((KIND == 2) ? 3'b011 : in_sel_i),
        .out_valid_o(valid), .out_ready_i(ready), .out_data_o(data));
  end

  if (KIND == 2) begin : g_join
    // Two branches of different delay, joined again: the words must meet their twins. (The quick one
    // must hold what is under way in the slow one.)
    logic [1:0]  branch_valid, branch_ready;
    logic [63:0] branch_data;
    logic [3:0]  unused_level;
    logic        unused_almost;
    logic        unused;
    assign unused = ^{in_sel_i, out0_ready_i, out1_ready_i, out2_ready_i, valid[2]};
    assign ready[2] = 1'b0;
    assign {out2_valid_o, out1_valid_o, out0_valid_o} = '0;
    assign {out2_data_o, out1_data_o, out0_data_o}    = '0;
    sync_fifo #(.WIDTH(32), .DEPTH(8)) u_quick (
        .clk_i, .rst_ni, .in_valid_i(valid[0]), .in_ready_o(ready[0]), .in_data_i(data),
        .out_valid_o(branch_valid[0]), .out_ready_i(branch_ready[0]), .out_data_o(branch_data[31:0]),
        .level_o(unused_level), .almost_full_o(unused_almost));
    stream_pipe #(.WIDTH(32), .STAGES(3)) u_slow (
        .clk_i, .rst_ni, .in_valid_i(valid[1]), .in_ready_o(ready[1]), .in_data_i(~data),
        .out_valid_o(branch_valid[1]), .out_ready_i(branch_ready[1]), .out_data_o(branch_data[63:32]));
    stream_join #(.WIDTH(32), .N(2)) u_join (
        .in_valid_i(branch_valid), .in_ready_o(branch_ready), .in_data_i(branch_data),
        .out_valid_o(join_valid_o), .out_ready_i(join_ready_i), .out_data_o(join_data_o));
  end else begin : g_outs
    logic unused;
    assign unused = join_ready_i ^ (KIND == 1 && in_sel_i[2]);
    assign join_valid_o = 1'b0;
    assign join_data_o  = '0;
    assign ready = {out2_ready_i, out1_ready_i, out0_ready_i};
    assign {out2_valid_o, out1_valid_o, out0_valid_o} = valid;
    assign out0_data_o = data;
    assign out1_data_o = data;
    assign out2_data_o = data;
  end
endmodule
