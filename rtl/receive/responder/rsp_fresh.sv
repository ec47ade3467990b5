// SPDX-License-Identifier: Apache-2.0
// Is no new packet of a slot on its way from rsp_walk to its verdict in rsp_join? What is parked aside must not pass
// one.
//
// none_o: of slot_i, as it was a cycle ago, so not before slot_i has stood for a cycle; a packet that came in that
//   cycle counts as one of the slot. False while the counts are cleared, SLOTS cycles after reset.
// Errors: none.
module rsp_fresh #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned MOST  = 18,          // packets on the way
    localparam int unsigned AW   = $clog2(SLOTS)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          in_i,                 // strobe: one is on its way
    input  logic [AW-1:0] in_slot_i,
    input  logic          out_i,                // strobe: one has its verdict
    input  logic [AW-1:0] out_slot_i,
    input  logic [AW-1:0] slot_i,
    output logic          none_o
);
  localparam int unsigned CW = $clog2(MOST + 1);

  // One writer each, so two counts a slot.
  logic [CW-1:0] came [0:SLOTS-1];
  logic [CW-1:0] went [0:SLOTS-1];
  logic          init_q, none_q;
  logic [AW-1:0] init_slot_q, slot_q;
  always_ff @(posedge clk_i) begin
    if (init_q) came[init_slot_q] <= '0;
    else if (in_i) came[in_slot_i] <= came[in_slot_i] + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (init_q) went[init_slot_q] <= '0;
    else if (out_i) went[out_slot_i] <= went[out_slot_i] + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    none_q <= rst_ni && !init_q && came[slot_i] == went[slot_i] && !in_i;
    slot_q <= slot_i;
  end
  assign none_o = none_q && slot_q == slot_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
    end else if (init_q) begin
      init_slot_q <= init_slot_q + 1'b1;
      init_q      <= init_slot_q != AW'(SLOTS - 1);
    end
  end
endmodule
