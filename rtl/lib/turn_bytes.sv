// SPDX-License-Identifier: Apache-2.0
// Turns a word by bytes: byte i of the output is byte i + turn_i of the input, round the end. Combinational.
//
// Four ways a step: a LUT of six inputs is a multiplexer of four, so that costs least where there are such LUTs.
// Steps whose bits of turn_i are constant cost nothing. Errors: none.
module turn_bytes #(
    parameter int unsigned BYTES = 64,   // power of two, 2 or more
    localparam int unsigned TURN_W = $clog2(BYTES)
) (
    input  logic [8*BYTES-1:0] data_i,
    input  logic [TURN_W-1:0]  turn_i,
    output logic [8*BYTES-1:0] data_o
);
  if ((1 << TURN_W) != BYTES || BYTES < 2) begin : g_chk
    $error("turn_bytes: BYTES must be a power of two, 2 or more");
  end
  localparam int unsigned W     = 8 * BYTES;
  localparam int unsigned STEPS = (TURN_W + 1) / 2;
  logic [2*STEPS-1:0] turn;
  assign turn = (2*STEPS)'(turn_i);
  always_comb begin
    data_o = data_i;
    for (int unsigned s = 0; s < STEPS; s++) begin
      data_o = turn[2*s+1] ? (turn[2*s] ? W'({2{data_o}} >> (24 << (2*s))) : W'({2{data_o}} >> (16 << (2*s))))
                           : (turn[2*s] ? W'({2{data_o}} >> (8 << (2*s))) : data_o);
    end
  end
endmodule
