// SPDX-License-Identifier: Apache-2.0
// Timers as timer_wheel has them, of few ids: one RAM of deadlines, looked through when the first of them is due.
//
// Time, insert, fire, deadline: as in timer_wheel, but an insert takes a cycle, with two between one and the next; a
//   fire comes within a round, and the rest of the round goes on with the next one. A deadline must be less than
//   2^(TICK_W-1) ticks away, either way (4.8 hours); none fires early.
// Order: fires come by {class, id}, not by time; what becomes due behind the round is found in the next.
// How: the earliest deadline (min_q) is known after each round, and moves with inserts, which are read back once they
//   are written. An entry that is replaced by a later one leaves it too early: a round in vain corrects that. While
//   nothing is due nothing moves.
// Cycles: a round 2 << ID_W, as long as nothing fires and no inserts come; without a gap those take two of three.
// Reset: clears itself in 2 << ID_W cycles; no insert is taken meanwhile. Errors: none.
module timer_scan #(
    parameter int unsigned ID_W      = 7,
    parameter int unsigned GRAN_LOG2 = 10,  // 1024 ns
    parameter int unsigned TICK_W    = 35   // of a deadline in ticks, which begins again then
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic [63:0]     time_now_i,
    input  logic            ins_valid_i,
    output logic            ins_ready_o,
    input  logic [ID_W-1:0] ins_id_i,
    input  logic            ins_class_i,
    input  logic [63:0]     ins_deadline_i,
    output logic            fire_valid_o,
    input  logic            fire_ready_i,
    output logic [ID_W-1:0] fire_id_o,
    output logic            fire_class_o,
    output logic            next_valid_o,
    output logic [63:0]     next_deadline_o,
    output logic            idle_o
);
  localparam int unsigned ENT_W = ID_W + 1;
  localparam int unsigned TOP   = GRAN_LOG2 + TICK_W;
  if (GRAN_LOG2 < 1 || TOP > 63) begin : g_chk
    $error("timer_scan: GRAN_LOG2 must not be zero, GRAN_LOG2 + TICK_W at most 63");
  end

  // ---- what is written: an insert, or an entry that has fired ----
  logic              init_q, ins, wrote_q, pause_q, clear_q, we, fire_valid_q;
  logic [ENT_W-1:0]  ins_ent, wrote_ent_q, fire_q, idx_q, waddr;
  logic [TICK_W-1:0] now, tick, ins_tick;
  logic [TICK_W:0]   rdata;
  assign now         = time_now_i[GRAN_LOG2 +: TICK_W];
  assign ins_ent     = {ins_class_i, ins_id_i};
  assign ins_tick    = ins_deadline_i[GRAN_LOG2 +: TICK_W] + TICK_W'(ins_deadline_i[GRAN_LOG2-1:0] != '0);
  assign ins_ready_o = !init_q && !wrote_q && !pause_q && !clear_q;
  assign ins         = ins_valid_i && ins_ready_o;
  assign we          = init_q || clear_q || ins;
  assign waddr       = init_q ? idx_q : clear_q ? fire_q : ins_ent;

  // ---- what is read: what was written last, else the next of the round ----
  logic              scan_q, look, next, stall, re, armed;
  logic              seen_q, seen_scan_q;             // an entry is here, it is of the round
  logic [ENT_W-1:0]  raddr, seen_ent_q;
  assign next  = scan_q && !wrote_q && !ins && !stall && !clear_q;
  assign look  = wrote_q || next;
  assign re    = look;
  assign raddr = wrote_q ? wrote_ent_q : idx_q;
  ram_1r1w #(.WIDTH(TICK_W + 1), .DEPTH(1 << ENT_W), .BYPASS(2)) u_ram (
      .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i({!init_q && !clear_q, ins_tick}), .re_i(re), .raddr_i(raddr),
      .rdata_o(rdata));

  // ---- an entry; one that is written anew in this cycle is looked at again ----
  logic              any_q, again_q, due, hit, fire, waits, earlier, first_due, start;
  logic [TICK_W-1:0] min_q, d_now, d_min, d_first;
  assign {armed, tick} = rdata;
  assign d_now     = now - tick;
  assign d_min     = tick - min_q;
  assign d_first   = now - min_q;
  assign due       = !d_now[TICK_W-1];
  assign earlier   = !any_q || d_min[TICK_W-1];
  assign first_due = any_q && !d_first[TICK_W-1];
  assign hit       = seen_q && armed && due && !(ins && ins_ent == seen_ent_q);
  assign fire      = hit && !fire_valid_q;
  assign waits     = seen_q && armed && !due;
  assign stall     = hit && fire_valid_q && seen_scan_q;
  assign start     = !scan_q && !seen_q && !init_q && (again_q || first_due);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q       <= 1'b1;
      idx_q        <= '0;
      scan_q       <= 1'b0;
      wrote_q      <= 1'b0;
      pause_q      <= 1'b0;
      seen_q       <= 1'b0;
      any_q        <= 1'b0;
      again_q      <= 1'b0;
      clear_q      <= 1'b0;
      fire_valid_q <= 1'b0;
    end else begin
      if (init_q && &idx_q) init_q <= 1'b0;
      wrote_q <= ins;
      pause_q <= wrote_q;
      seen_q  <= look;
      clear_q <= fire;
      if (fire) fire_valid_q <= 1'b1;
      else if (fire_ready_i) fire_valid_q <= 1'b0;
      if (stall) idx_q <= seen_ent_q;
      else if (init_q || next) idx_q <= idx_q + 1'b1;    // 0 behind the last one
      if (start || stall) scan_q <= 1'b1;
      else if (next && &idx_q) scan_q <= 1'b0;
      // A round finds what is there; one that fires out of it may have been the earliest.
      if (start) any_q <= 1'b0;
      else if (waits) any_q <= 1'b1;
      if (start) again_q <= 1'b0;
      else if (hit && !seen_scan_q) again_q <= 1'b1;
    end
    if (ins) wrote_ent_q <= ins_ent;
    seen_ent_q  <= raddr;
    seen_scan_q <= !wrote_q;
    if (fire) fire_q <= seen_ent_q;
    if (waits && earlier) min_q <= tick;
  end
  assign fire_valid_o = fire_valid_q;
  assign {fire_class_o, fire_id_o} = fire_q;
  assign next_valid_o    = any_q;
  // It is less than half of all ticks ahead.
  assign next_deadline_o = {time_now_i[63:TOP] + (64-TOP)'(now[TICK_W-1] && !min_q[TICK_W-1]), min_q,
                            {GRAN_LOG2{1'b0}}};
  assign idle_o = !init_q && !scan_q && !seen_q && !wrote_q && !again_q && !first_due && !ins_valid_i && !fire_valid_q;
endmodule
