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
  // (no bit less than makes a block RAM of so many slots)
  localparam int unsigned CW = (SLOTS >= 256 && $clog2(MOST + 1) < 8) ? 8 : $clog2(MOST + 1);

  // One writer each, so two counts a slot; written in the cycle after the strobe.
  logic [CW-1:0] came, went, came_was, went_was;
  logic          init_q, ok_q, in_q, out_q;
  logic [AW-1:0] init_slot_q, slot_q, in_slot_q, out_slot_q;
  ram_2r1w #(.WIDTH(CW), .DEPTH(SLOTS), .BYPASS(1)) u_came (
      .clk_i, .we_i(init_q || in_q), .waddr_i(init_q ? init_slot_q : in_slot_q),
      .wdata_i(init_q ? CW'(0) : came_was + 1'b1), .re0_i(1'b1), .raddr0_i(slot_i), .rdata0_o(came),
      .re1_i(1'b1), .raddr1_i(in_slot_i), .rdata1_o(came_was));
  ram_2r1w #(.WIDTH(CW), .DEPTH(SLOTS), .BYPASS(1)) u_went (
      .clk_i, .we_i(init_q || out_q), .waddr_i(init_q ? init_slot_q : out_slot_q),
      .wdata_i(init_q ? CW'(0) : went_was + 1'b1), .re0_i(1'b1), .raddr0_i(slot_i), .rdata0_o(went),
      .re1_i(1'b1), .raddr1_i(out_slot_i), .rdata1_o(went_was));
  always_ff @(posedge clk_i) begin
    in_q       <= rst_ni && in_i;
    out_q      <= rst_ni && out_i;
    in_slot_q  <= in_slot_i;
    out_slot_q <= out_slot_i;
    ok_q       <= rst_ni && !init_q && !in_i;
    slot_q     <= slot_i;
  end
  assign none_o = ok_q && slot_q == slot_i && came == went;
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
