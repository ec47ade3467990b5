// SPDX-License-Identifier: Apache-2.0
// Chains of cmp_join: for each slot the DATA verdicts that are in it, came minus left, and what holds of them.
//
// came_i: one comes; leave_i: one is over, or will not be placed now. fail_i, fall_i: that in hand (slot_i) has failed;
// is not placed now. dead_o: one of its chain has failed; torn_o: not all of it will be placed. Of the slot that is
// looked at (chain_slot_i): is there a chain, is it torn. An empty chain is neither.
// Lanes: where there are fewer of them than slots, those that have the low bits of their number in common share a
//   chain, one at a time: that of another is as torn (chain_torn_o), so cmp_check waits until it is empty. Safe: what
//   is here of a lane is of one slot. Live: what is in cmp_join leaves without anything from cmp_check.
// Reset: clears itself (init_o). Errors: none.
module cmp_chain #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned LANES = SLOTS,   // a power of two
    localparam int unsigned AW   = $clog2(SLOTS),
    localparam int unsigned LNW  = $clog2(LANES)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    output logic          init_o,
    input  logic          came_i,
    input  logic [AW-1:0] came_slot_i,
    input  logic          came_torn_i,
    input  logic          leave_i,
    input  logic [AW-1:0] leave_slot_i,
    input  logic [AW-1:0] slot_i,
    input  logic          fail_i,
    input  logic          fall_i,
    input  logic          done_torn_i,   // one that came torn is over
    output logic          dead_o,
    output logic          torn_o,
    input  logic [AW-1:0] chain_slot_i,
    output logic          chain_o,
    output logic          chain_torn_o
);
  logic           init_q, empties, flags_we, chain_torn, others, dead_unused;
  logic [LNW-1:0] init_slot_q, put_slot_q, came_at, leave_at, at, chain_at;
  logic [3:0]     came [0:LANES-1];
  logic [3:0]     left [0:LANES-1];
  logic [1:0]     flags [0:LANES-1];     // one of it has failed; not all of it will be placed
  assign came_at  = came_slot_i[LNW-1:0];
  assign leave_at = leave_slot_i[LNW-1:0];
  assign at       = slot_i[LNW-1:0];
  assign chain_at = chain_slot_i[LNW-1:0];
  // Whose chain it is
  if (LANES < SLOTS) begin : g_owner
    logic [AW-LNW-1:0] owner [0:LANES-1];
    always_ff @(posedge clk_i) if (came_i) owner[came_at] <= came_slot_i[AW-1:LNW];
    assign others = owner[chain_at] != chain_slot_i[AW-1:LNW];
  end else begin : g_own
    assign others = 1'b0;
  end
  logic [1:0]    flags_d, put_flags_q;
  logic          put_q;                  // what changed in the last cycle is written in this one
  logic [3:0]    torn_q;                 // of the verdicts here those that came torn
  assign init_o = init_q;
  assign {dead_o, torn_o}          = (put_q && put_slot_q == at) ? put_flags_q : flags[at];
  assign {dead_unused, chain_torn} = (put_q && put_slot_q == chain_at) ? put_flags_q : flags[chain_at];
  assign chain_o      = came[chain_at] != left[chain_at];
  // One that came torn speaks for its chain once it is dealt with: until then for all.
  assign chain_torn_o = chain_torn || torn_q != '0 || others;
  always_ff @(posedge clk_i) begin
    if (init_q) came[init_slot_q] <= '0;
    else if (came_i) came[came_at] <= came[came_at] + 4'd1;
  end
  always_ff @(posedge clk_i) begin
    if (init_q) left[init_slot_q] <= '0;
    else if (leave_i) left[leave_at] <= left[leave_at] + 4'd1;
  end
  // A packet does not fail while another leaves, and what falls is the one in hand: one chain changes at a time.
  assign empties  = leave_i && came[leave_at] == left[leave_at] + 4'd1;
  assign flags_we = init_q || fail_i || empties || fall_i;
  assign flags_d  = (init_q || empties) ? 2'b00 : fail_i ? {1'b1, torn_o} : {dead_o, 1'b1};
  always_ff @(posedge clk_i) begin
    put_q       <= flags_we;
    put_flags_q <= flags_d;
    put_slot_q  <= init_q ? init_slot_q : fail_i ? at : leave_at;
    if (put_q) flags[put_slot_q] <= put_flags_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
      torn_q      <= '0;
    end else begin
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= !(&init_slot_q);
      end
      // Torn on its way here: the chain begins again with it, and its end is believed where nothing will be placed.
      torn_q <= torn_q + 4'(came_i && came_torn_i) - 4'(done_torn_i);
    end
  end
endmodule
