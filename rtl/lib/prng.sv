// SPDX-License-Identifier: Apache-2.0
// Pseudo-random numbers for random replacement and the like: 32-bit xorshift (13, 17, 5), period
// 2^32 - 1, one new word a cycle while en_i is high. Deterministic from SEED. Not for secrets.
module prng #(
    parameter int unsigned        WIDTH = 32,            // low bits given out, 1 to 32
    parameter logic        [31:0] SEED  = 32'h2545_F491  // must not be zero
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             en_i,
    output logic [WIDTH-1:0] rand_o
);
  if (WIDTH == 0 || WIDTH > 32) begin : g_chk_width
    $error("prng: WIDTH must be 1 to 32");
  end
  if (SEED == 32'h0) begin : g_chk_seed
    $error("prng: SEED must not be zero");
  end

  logic [31:0] state_q;
  logic [31:0] left13;
  logic [31:0] right17;
  logic [31:0] left5;

  assign left13  = state_q ^ {state_q[18:0], 13'h0};
  assign right17 = left13 ^ {17'h0, left13[31:17]};
  assign left5   = right17 ^ {right17[26:0], 5'h0};
  assign rand_o  = state_q[WIDTH-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= SEED;
    else if (en_i) state_q <= left5;
  end
endmodule
