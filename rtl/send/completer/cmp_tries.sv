// SPDX-License-Identifier: Apache-2.0
// How often in a row the walker had nothing to do for each slot, up to 3, for cmp_check.
//
// wake_i: a visit has ended; stuck: it had nothing to do. clear_i: a packet of clear_slot_i waits for the first time,
// or is waited for no more, and counting begins anew; within two cycles, wakes go first. tired_o: 3 for slot_i, a cycle
// or two later.
// Not reset: a packet that waits was cleared for. Errors: none.
module cmp_tries #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  cairn_int_pkg::walk_end_t wake_i,
    input  logic                     clear_i,
    input  logic [AW-1:0]            clear_slot_i,
    input  logic [AW-1:0]            slot_i,
    output logic                     tired_o
);
  logic          clear_q, wake_q, stuck_q, tired_q;
  logic [AW-1:0] clear_slot_q, wake_slot_q, slot, look;
  logic [1:0]    was, one_more;
  // One is looked at in a cycle: wakes, a few cycles apart, go first.
  assign look     = wake_i.valid ? wake_i.slot[AW-1:0] : slot_i;
  assign one_more = was + 2'(was != 2'd3);
  assign slot     = wake_q ? wake_slot_q : clear_slot_q;
  ram_1r1w #(.WIDTH(2), .DEPTH(SLOTS), .BYPASS(1)) u_tries (
      .clk_i, .we_i(wake_q || clear_q), .waddr_i(slot), .wdata_i((wake_q && stuck_q) ? one_more : 2'd0),
      .re_i(1'b1), .raddr_i(look), .rdata_o(was));
  assign tired_o  = wake_q ? tired_q : was == 2'd3;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {clear_q, wake_q} <= 2'b00;
    else {clear_q, wake_q} <= {clear_i || (clear_q && wake_q), wake_i.valid};
    if (clear_i) clear_slot_q <= clear_slot_i;
    {stuck_q, wake_slot_q} <= {wake_i.stuck, wake_i.slot[AW-1:0]};
    tired_q <= tired_o;
  end
endmodule
