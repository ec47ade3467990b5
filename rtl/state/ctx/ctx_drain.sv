// SPDX-License-Identifier: Apache-2.0
// What keeps lookups of ctx_cache from starving firmware, whose own is repeated until it succeeds (ctx_fw).
//
// key: its drop, write-back or new record was told to come again because the key's slot is in use; other lookups of the
//   key are turned away. set: it found no way free; no other miss takes a way there. One operation at a time, so all is
//   over when one succeeds. Errors: none.
module ctx_drain #(
    parameter int unsigned KEY_W = 24,
    parameter int unsigned SW    = 4,
    parameter int unsigned LATER = 1
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    // firmware's lookup has its answer
    input  logic             end_i,
    input  logic [2:0]       status_i,
    input  logic             of_key_i,    // it was about the key's slot
    input  logic             evict_i,
    input  logic [KEY_W-1:0] end_key_i,
    input  logic [SW-1:0]    end_set_i,
    // another lookup
    input  logic [KEY_W-1:0] key_i,
    input  logic [SW-1:0]    set_i,
    output logic             of_key_o,
    output logic             later_o,     // it is told to come again
    output logic             of_set_o
);
  logic             key_valid_q, set_valid_q, again, waits;
  logic [KEY_W-1:0] key_q;
  logic [SW-1:0]    set_q;
  assign again    = status_i == cairn_hw_pkg::CTX_RESULT_RETRY;
  assign waits    = again || status_i == cairn_hw_pkg::CTX_RESULT_WAITING;
  assign of_key_o = key_valid_q && key_q == key_i;
  assign of_set_o = set_valid_q && set_q == set_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      key_valid_q <= 1'b0;
      set_valid_q <= 1'b0;
    end else if (end_i) begin
      key_valid_q <= waits && (key_valid_q || (again && of_key_i));
      set_valid_q <= waits && (set_valid_q || (again && !of_key_i));
    end
    if (end_i && of_key_i) begin
      key_q   <= end_key_i;
      later_o <= evict_i && LATER != 0;
    end
    if (end_i && !of_key_i) set_q <= end_set_i;
  end
endmodule
