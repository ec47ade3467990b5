// SPDX-License-Identifier: Apache-2.0
// One stream to N: each word goes once to every output named in in_sel_i, in any order.
//
// The input is taken with the last of them. Outputs never wait for each other's ready to show valid. With in_sel_i = 0
// the word is dropped. Combinational data, one done bit for each output.
module stream_fork #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [WIDTH-1:0] in_data_i,
    input  logic [N-1:0]     in_sel_i,    // outputs that get this word; all ones: plain fork
    output logic [N-1:0]     out_valid_o,
    input  logic [N-1:0]     out_ready_i,
    output logic [WIDTH-1:0] out_data_o   // shared by all outputs
);
  if (WIDTH == 0 || N == 0) begin : g_chk_zero
    $error("stream_fork: WIDTH and N must not be zero");
  end

  logic [N-1:0] done_q;  // this output has had the word that still waits at the input

  assign out_valid_o = {N{in_valid_i}} & in_sel_i & ~done_q;
  assign out_data_o  = in_data_i;
  assign in_ready_o  = &(out_ready_i | done_q | ~in_sel_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= '0;
    else if (in_valid_i) done_q <= in_ready_o ? '0 : done_q | (out_valid_o & out_ready_i);
  end
endmodule
