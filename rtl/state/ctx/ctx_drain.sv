// SPDX-License-Identifier: Apache-2.0
// Keeps ctx_cache's lookups from starving firmware, whose lookup is repeated until it succeeds (ctx_fw).
//
// - key: firmware's drop, write-back or new record was told to come again because its key's slot is in use. Until it
//   has succeeded, other lookups of that key are turned away.
// - set: firmware's lookup found no way of its set free. Until it has its record, no other miss takes a way there.
// One operation at a time, so all is over when one succeeds. Combinational for the lookup in hand: its key, whether it
// may come again later, its set. Errors: none.
module ctx_drain #(
    parameter int unsigned KEY_W = 24,
    parameter int unsigned SW    = 4
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             end_i,
    input  logic [2:0]       status_i,
    input  logic             of_key_i,
    input  logic             later_i,
    input  logic [KEY_W-1:0] key_i,
    input  logic [SW-1:0]    set_i,
    output logic             key_o,
    output logic             later_o,
    output logic             set_o
);
  logic             key_valid_q, set_valid_q;
  logic [KEY_W-1:0] key_q;
  logic [SW-1:0]    set_q;
  logic             again, waits;
  assign again = status_i == cairn_hw_pkg::CTX_RESULT_RETRY;
  assign waits = again || status_i == cairn_hw_pkg::CTX_RESULT_WAITING;
  assign key_o = key_valid_q && key_i == key_q;
  assign set_o = set_valid_q && set_i == set_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      key_valid_q <= 1'b0;
      set_valid_q <= 1'b0;
    end else if (end_i) begin
      key_valid_q <= waits && (key_valid_q || (again && of_key_i));
      set_valid_q <= waits && (set_valid_q || (again && !of_key_i));
    end
    if (end_i && of_key_i) begin
      key_q   <= key_i;
      later_o <= later_i;
    end
    if (end_i && !of_key_i) set_q <= set_i;
  end
endmodule
