// SPDX-License-Identifier: Apache-2.0
// N streams joined word by word: the output is valid when all inputs are, and takes one word of each.
// Combinational; an input's ready depends on the other inputs' valid (allowed: valid never on ready).
module stream_join #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned N     = 2
) (
    input  logic [N-1:0]       in_valid_i,
    output logic [N-1:0]       in_ready_o,
    input  logic [N*WIDTH-1:0] in_data_i,    // stream i in [i*WIDTH +: WIDTH]
    output logic               out_valid_o,
    input  logic               out_ready_i,
    output logic [N*WIDTH-1:0] out_data_o
);
  if (WIDTH == 0 || N == 0) begin : g_chk_zero
    $error("stream_join: WIDTH and N must not be zero");
  end

  assign out_valid_o = &in_valid_i;
  assign out_data_o  = in_data_i;
  assign in_ready_o  = {N{out_valid_o && out_ready_i}};
endmodule
