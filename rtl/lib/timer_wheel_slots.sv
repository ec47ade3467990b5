// SPDX-License-Identifier: Apache-2.0
// Part of timer_wheel: which lists hold entries, and which of them comes first.
// One flip-flop a list, so that empty slots cost no time however far time jumps. Lists are numbered
// {level, slot}; level LEVELS has two lists, one for each parity of the top period (see timer_wheel).
// The search takes two cycles after set_i, clr_i or a change of cursor_i's period; the user waits.
module timer_wheel_slots #(
    parameter int unsigned SLOT_LOG2 = 4,  // slots per level
    parameter int unsigned LEVELS    = 6,
    parameter int unsigned TICK_W    = 54  // bits of a tick count
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    input  logic                                       set_i,         // list_i holds something now
    input  logic                                       clr_i,         // list_i is empty now
    input  logic [$clog2(LEVELS+1)+SLOT_LOG2-1:0]      list_i,
    output logic                                       occupied_o,    // of list_i, one cycle later
    input  logic [TICK_W-1:0]                          cursor_i,
    output logic                                       any_o,
    output logic [$clog2(LEVELS+1)+SLOT_LOG2-1:0]      first_list_o,  // the list to visit first ...
    output logic [TICK_W-1:0]                          first_tick_o   // ... and when
);
  localparam int unsigned LVL_W  = $clog2(LEVELS + 1);
  localparam int unsigned SLOTS  = 1 << SLOT_LOG2;
  localparam int unsigned SPAN_W = SLOT_LOG2 * LEVELS;  // ticks that the levels cover

  logic [LVL_W-1:0]            level;
  logic [SLOT_LOG2-1:0]        slot;
  logic [1:0]                  far_q;
  logic [LEVELS*SLOT_LOG2-1:0] slot1, slot1_q;
  logic [LEVELS-1:0]           any1, any1_q, hit;
  logic [1:0]                  far1_q;
  logic [LEVELS*TICK_W-1:0]    tick;
  logic [LVL_W+SLOT_LOG2-1:0]  first_list;
  logic [TICK_W-1:0]           first_tick;
  logic                        unused_cursor;  // within level 0's period

  assign {level, slot}  = list_i;
  assign unused_cursor  = ^cursor_i[SLOT_LOG2-1:0];

  // Stage 1: the lowest busy slot of each level. Slots below the cursor are never busy.
  for (genvar g = 0; g < LEVELS; g++) begin : g_level
    logic [SLOTS-1:0] busy_q;

    prio_enc #(.N(SLOTS)) u_first (
        .in_i(busy_q), .valid_o(any1[g]),
        .idx_o(slot1[g*SLOT_LOG2 +: SLOT_LOG2]));

    assign hit[g] = level == LVL_W'(g) && busy_q[slot];
    // Start of that slot: the cursor's period of the next level, then the slot, then zeros.
    assign tick[g*TICK_W +: TICK_W] =
        {cursor_i[TICK_W-1:(g+1)*SLOT_LOG2], slot1_q[g*SLOT_LOG2 +: SLOT_LOG2],
         {(g*SLOT_LOG2){1'b0}}};

    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q <= '0;
      else if (level == LVL_W'(g) && set_i) busy_q[slot] <= 1'b1;
      else if (level == LVL_W'(g) && clr_i) busy_q[slot] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) far_q <= '0;
    else if (level == LVL_W'(LEVELS) && set_i) far_q[slot[0]] <= 1'b1;
    else if (level == LVL_W'(LEVELS) && clr_i) far_q[slot[0]] <= 1'b0;
  end

  // Stage 2: a lower level is always earlier than a higher one, since the cursor's own slots of the
  // higher levels have been emptied.
  always_comb begin
    first_list = {LVL_W'(LEVELS), SLOT_LOG2'(far1_q[1])};
    first_tick = {cursor_i[TICK_W-1:SPAN_W] + 1'b1, {SPAN_W{1'b0}}};
    for (int i = LEVELS - 1; i >= 0; i--) begin
      if (any1_q[i]) begin
        first_list = {LVL_W'(i), slot1_q[i*SLOT_LOG2 +: SLOT_LOG2]};
        first_tick = tick[i*TICK_W +: TICK_W];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any1_q <= '0;
      far1_q <= '0;
      any_o  <= 1'b0;
    end else begin
      any1_q <= any1;
      far1_q <= far_q;
      any_o  <= any1_q != '0 || far1_q != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    slot1_q      <= slot1;
    first_list_o <= first_list;
    first_tick_o <= first_tick;
    occupied_o   <= hit != '0 || (level == LVL_W'(LEVELS) && far_q[slot[0]]);
  end
endmodule
