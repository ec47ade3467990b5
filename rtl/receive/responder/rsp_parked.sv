// SPDX-License-Identifier: Apache-2.0
// Parked packets where packets are some cycles apart, for rsp_join: lists by slot, in order, of the places of their
// records (rsp_store), and the slots that are to be replayed.
//
// Push: place_i goes behind the list of slot_i, unless a replay is about to begin (push_ready_o low, 2 cycles): the
//   ends of the lists are in one RAM, which is read there. waiting_o, new_waiting_o: slot_i, new_slot_i have one.
// Aside: aside_place_i goes behind the list of aside_slot_i, which has one (aside_waiting_o); not in the cycle of a
//   push or verdict, nor in the one behind a verdict. With a push aside_slot_i is slot_i: it is known sooner what comes
//   than whether it does.
// Wake: kick_i is for one slot; fill_i for all slots that wait for a fill (add_i: slot_i does from now on). They are
//   found in turn, one slot a cycle is looked at; where none is known, the next look is at the slot that is kicked, or
//   that began to wait for a fill last. One that comes during a slot's replay brings another, or a look at all for a
//   fill.
// Replay: up to two packets are on their way. Verdict 1 (done_pop_i): done, 0: it waits again, and with it what is
//   behind it; one that is on its way then is void (void_o). out_first_o: none of this replay was taken before. Of the
//   last one taken it is said later (known_i) whether it goes alone (alone_i): till then no other is shown.
// A push and a verdict never come in one cycle. Reset: clears itself. Errors: none.
module rsp_parked #(
    parameter int unsigned SLOTS   = 128,
    parameter int unsigned ENTRIES = 64,
    localparam int unsigned AW     = $clog2(SLOTS),
    localparam int unsigned EW     = $clog2(ENTRIES)
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          push_i,
    output logic          push_ready_o,
    input  logic [EW-1:0] place_i,
    input  logic [AW-1:0] slot_i,
    output logic          waiting_o,
    input  logic [AW-1:0] new_slot_i,
    output logic          new_waiting_o,
    input  logic          aside_i,
    input  logic [EW-1:0] aside_place_i,
    input  logic [AW-1:0] aside_slot_i,
    output logic          aside_waiting_o,
    input  logic          kick_i,
    output logic          kick_ready_o,
    input  logic [AW-1:0] kick_slot_i,
    input  logic          add_i,
    input  logic          fill_i,
    output logic          out_valid_o,
    output logic [EW-1:0] out_place_o,
    output logic          out_first_o,
    input  logic          out_take_i,
    input  logic          known_i,
    input  logic          alone_i,
    input  logic          done_i,
    input  logic          done_pop_i,
    output logic          void_o,
    output logic          idle_o
);
  typedef enum logic [1:0] {P_SCAN, P_CLEAR, P_HEAD, P_RUN} state_e;
  state_e        state_q;
  logic [EW-1:0] next  [0:ENTRIES-1];
  logic [3:0]    waits [0:SLOTS/4-1];    // there is a list; four slots a word: it is read at four places
  logic [3:0]    woken [0:SLOTS/4-1];
  logic [3:0]    fills [0:SLOTS/4-1];    // it waits for a fill
  logic          init_q, first_q, push, first, pop, empty, clear, hit, list_we, ends, on, kick;
  logic          have_q, stop_q, only_q, comes, over;  // one to show; no more; the last one goes alone; ..; a verdict
  logic [AW-1:0] at_q, list_slot;                      // scanned, drained, cleared
  logic [AW:0]   sweep_q;                              // slots still to be looked at for the last fill
  logic [EW-1:0] entry_q, tail_q, after;               // to be shown, the last one
  logic [EW-1:0] second_q, front;                      // taken last; the first after a verdict
  logic [1:0]    fly_q;                                // how many
  logic [EW:0]   level_q;
  logic [AW:0]   lap_q;                                // slots looked at since the last wake or replay
  logic [AW-1:0] fill_slot_q;                          // began to wait for a fill last
  // What rsp_join says comes late in its cycle, and counts in the next.
  logic          push_q, add_q, done_q, pop_q, alone_q;
  logic [AW-1:0] slot_q;
  logic [EW-1:0] place_q;
  always_ff @(posedge clk_i) begin
    {push_q, add_q, done_q} <= rst_ni ? {(push_i || aside_i) && push_ready_o, add_i, done_i} : '0;
    pop_q   <= done_pop_i;
    alone_q <= !waiting_o && !aside_i;
    slot_q  <= aside_i ? aside_slot_i : slot_i;
    place_q <= aside_i ? aside_place_i : place_i;
  end
  localparam int unsigned END_W = (EW > 9) ? EW : 9;
  logic             begins, unused;
  logic [END_W-1:0] head_now, end_now;
  assign begins        = state_q == P_CLEAR || state_q == P_HEAD;
  assign unused        = ^{head_now, end_now};
  assign push_ready_o  = !init_q && !begins;
  assign push          = push_q;
  logic [3:0]    of_slot, of_new, of_aside, of_at, of_list, list_bit;
  logic          at_waits;
  logic [AW-1:0] wait_slot;
  assign of_slot         = waits[slot_i[AW-1:2]];
  assign of_new          = waits[new_slot_i[AW-1:2]];
  assign of_aside        = waits[aside_slot_i[AW-1:2]];
  assign of_at           = waits[at_q[AW-1:2]];
  assign waiting_o       = of_slot[slot_i[1:0]];
  assign new_waiting_o   = of_new[new_slot_i[1:0]];
  assign aside_waiting_o = of_aside[aside_slot_i[1:0]];
  assign at_waits        = of_at[at_q[1:0]];
  assign first         = push && alone_q;
  assign over          = state_q == P_RUN && done_q;
  assign pop           = over && pop_q;
  assign empty         = pop && fly_q == 2'd1 && !have_q && !out_take_i;
  assign front         = fly_q == 2'd2 ? second_q : entry_q;
  assign after         = next[entry_q];
  assign list_slot     = pop ? at_q : slot_q;
  assign list_we       = first || pop;
  always_ff @(posedge clk_i) if (push && !first) next[end_now[EW-1:0]] <= place_q;
  // First and last of each list: read for a push in the cycle before it is made, or of the list that is replayed next.
  // (Nine bits are a byte of a block.)
  logic [EW-1:0] head_d;
  assign head_d = pop ? front : place_q;
  ram_1r1w #(.WIDTH(2 * END_W), .DEPTH(SLOTS), .COL_W(END_W), .BYPASS(1)) u_ends (
      .clk_i, .we_i({list_we, push}), .waddr_i(list_slot),
      .wdata_i({END_W'(head_d), END_W'(place_q)}), .re_i(1'b1),
      .raddr_i(begins ? at_q : aside_slot_i), .rdata_o({head_now, end_now}));
  assign wait_slot = init_q ? at_q : list_slot;
  assign of_list   = waits[wait_slot[AW-1:2]];
  assign list_bit  = 4'h1 << wait_slot[1:0];
  always_ff @(posedge clk_i) begin
    if (init_q || first || empty) begin
      waits[wait_slot[AW-1:2]] <= (init_q || pop) ? of_list & ~list_bit : of_list | list_bit;
    end
  end

  // ---- whose turn it is; a wake waits for what clears another, and who begins to wait goes before it ----
  logic [3:0]    at_woken, at_fills, to_woken, to_fills, woken_bit, fills_bit;
  logic [AW-1:0] woken_slot, fills_slot;
  assign at_woken     = woken[at_q[AW-1:2]];
  assign at_fills     = fills[at_q[AW-1:2]];
  assign woken_slot   = kick ? kick_slot_i : at_q;
  assign fills_slot   = (add_q && !init_q) ? slot_q : at_q;
  assign to_woken     = woken[woken_slot[AW-1:2]];
  assign to_fills     = fills[fills_slot[AW-1:2]];
  assign woken_bit    = 4'h1 << woken_slot[1:0];
  assign fills_bit    = 4'h1 << fills_slot[1:0];
  assign hit          = at_woken[at_q[1:0]] || (at_fills[at_q[1:0]] && sweep_q != '0);
  assign ends         = (state_q == P_HEAD && !push && !at_waits)
                        || (over && fly_q == 2'd1 && !out_take_i && (stop_q || !pop_q || !have_q));
  assign on           = (state_q == P_SCAN && !hit) || ends;       // another slot is next, so all have their turn
  assign clear        = state_q == P_CLEAR && !add_q;
  assign kick_ready_o = !init_q && state_q != P_CLEAR;
  assign kick         = kick_i && kick_ready_o;
  always_ff @(posedge clk_i) begin
    if (init_q || kick || clear) begin
      woken[woken_slot[AW-1:2]] <= init_q ? '0 : kick ? to_woken | woken_bit : to_woken & ~woken_bit;
    end
  end
  always_ff @(posedge clk_i) begin
    if (init_q || add_q || clear) begin
      fills[fills_slot[AW-1:2]] <= init_q ? '0 : add_q ? to_fills | fills_bit : to_fills & ~fills_bit;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q  <= 1'b1;
      at_q    <= '0;
      state_q <= P_SCAN;
      sweep_q <= '0;
      level_q <= '0;
      lap_q   <= '0;
    end else begin
      if (init_q && at_q == AW'(SLOTS - 1)) init_q <= 1'b0;
      if (state_q == P_SCAN && lap_q[AW] && (kick || fill_i)) at_q <= kick ? kick_slot_i : fill_slot_q;
      else if (init_q || on) at_q <= at_q + 1'b1;
      if (init_q || kick || fill_i || state_q != P_SCAN) lap_q <= '0;
      else if (!lap_q[AW]) lap_q <= lap_q + 1'b1;
      if (fill_i) sweep_q <= (AW+1)'(SLOTS);
      else if (state_q == P_SCAN && on && sweep_q != '0) sweep_q <= sweep_q - 1'b1;
      case (state_q)
        P_SCAN:  if (hit && !init_q) state_q <= P_CLEAR;
        P_CLEAR: if (clear) state_q <= P_HEAD;
        P_HEAD:  if (!push) state_q <= ends ? P_SCAN : P_RUN;
        default: if (ends) state_q <= P_SCAN;
      endcase
      level_q <= level_q + (EW+1)'(push) - (EW+1)'(pop);
    end
    if (add_q) fill_slot_q <= slot_q;
    if (state_q == P_HEAD) first_q <= 1'b1;
    else if (out_take_i) first_q <= 1'b0;
    if (state_q == P_HEAD) begin
      {have_q, stop_q, fly_q} <= {1'b1, 1'b0, 2'd0};
      entry_q <= head_now[EW-1:0];
    end else begin
      if (out_take_i) begin
        have_q  <= entry_q != tail_q || comes;
        entry_q <= (entry_q != tail_q) ? after : place_q;
      end else if (comes && !have_q) begin
        have_q  <= 1'b1;
        entry_q <= place_q;
      end
      if (over && !pop_q) stop_q <= 1'b1;
      fly_q <= fly_q + 2'(out_take_i) - 2'(over);
    end
    // (what is on its way when one waits again)
    if (state_q != P_RUN) void_o <= 1'b0;
    else if (over && !pop_q) void_o <= 1'b1;
    if (out_take_i) second_q <= entry_q;
    if (out_take_i) only_q <= 1'b1;
    else if (known_i) only_q <= alone_i;
    if (state_q == P_HEAD) tail_q <= end_now[EW-1:0];
    else if (comes) tail_q <= place_q;
  end
  assign comes       = push && slot_q == at_q;
  assign out_valid_o = state_q == P_RUN && have_q && !stop_q && (fly_q == 2'd0 || (fly_q == 2'd1 && !only_q));
  assign out_place_o = entry_q;
  assign out_first_o = first_q;
  assign idle_o      = !init_q && !push_q && level_q == '0 && state_q == P_SCAN;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(push_i && done_i));
    if (rst_ni) assert (!aside_i || (aside_waiting_o && !push_i && !done_i && !done_q));
    if (rst_ni && !init_q && state_q == P_SCAN && lap_q[AW]) assert (!at_woken[at_q[1:0]] && sweep_q == '0);
  end
`endif
endmodule
