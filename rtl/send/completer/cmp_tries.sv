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
  logic [1:0]    tries [0:SLOTS-1];
  logic          clear_q;
  logic [AW-1:0] clear_slot_q, wake_slot, slot, look;
  logic [1:0]    was, one_more;
  assign wake_slot = wake_i.slot[AW-1:0];
  // One is looked at in a cycle: wakes, a few cycles apart, go first.
  assign look      = wake_i.valid ? wake_slot : slot_i;
  assign was       = tries[look];
  assign one_more  = was + 2'(was != 2'd3);
  assign slot      = wake_i.valid ? wake_slot : clear_slot_q;
  always_ff @(posedge clk_i) begin
    if (wake_i.valid || clear_q) tries[slot] <= (wake_i.valid && wake_i.stuck) ? one_more : 2'd0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clear_q <= 1'b0;
    else clear_q <= clear_i || (clear_q && wake_i.valid);
    if (clear_i) clear_slot_q <= clear_slot_i;
    if (!wake_i.valid) tired_o <= was == 2'd3;
  end
endmodule
