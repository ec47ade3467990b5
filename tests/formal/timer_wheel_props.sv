// SPDX-License-Identifier: Apache-2.0
// Properties of timer_wheel, for one entry that the solver picks; bound to it by name at its end.
// Checked to a bound, on a wheel of two levels of two slots. A slot is made so long that only the upper
// bits of time count (half slots, in units of 2^(GRAN_LOG2-1)): that keeps every adder small.
module timer_wheel_props #(
    parameter int unsigned ID_W      = 1,
    parameter int unsigned GRAN_LOG2 = 59,
    parameter int unsigned SPAN_W    = 2
) (
    input logic            clk_i,
    input logic            rst_ni,
    input logic [63:0]     time_now_i,
    input logic            ins_valid_i,
    input logic            ins_ready_o,
    input logic [ID_W-1:0] ins_id_i,
    input logic            ins_class_i,
    input logic [63:0]     ins_deadline_i,
    input logic            fire_valid_o,
    input logic            fire_ready_i,
    input logic [ID_W-1:0] fire_id_o,
    input logic            fire_class_o,
    input logic            next_valid_o,
    input logic [63:0]     next_deadline_o,
    input logic            idle_o,
    input logic [63-GRAN_LOG2:0] cursor_q
);
  localparam int unsigned LOW = GRAN_LOG2 - 1;
  localparam int unsigned T_W = 64 - LOW;

  (* anyconst *) logic [ID_W-1:0] pick_id;
  (* anyconst *) logic            pick_class;

  logic           started = 1'b0;
  logic           armed_q, early_ok_q, stale_q, mine_in, mine_out;
  logic [T_W-1:0] now, next, deadline, deadline_q, last_time_q;
  logic [T_W:0]   due;  // end of the deadline's slot

  assign mine_in  = ins_valid_i && ins_ready_o && ins_id_i == pick_id && ins_class_i == pick_class;
  assign mine_out = fire_valid_o && fire_id_o == pick_id && fire_class_o == pick_class;
  assign now      = time_now_i[63:LOW];
  assign next     = next_deadline_o[63:LOW];
  assign deadline = ins_deadline_i[63:LOW];
  assign due      = {1'b0, deadline_q} + (T_W+1)'(deadline_q[0]);

  always_ff @(posedge clk_i) begin
    started     <= 1'b1;
    last_time_q <= now;
  end
  always_comb begin
    assume (rst_ni == started);
    assume (time_now_i[LOW-1:0] == '0 && ins_deadline_i[LOW-1:0] == '0);
    assume (!now[T_W-1] && !deadline[T_W-1]);  // no wrap
    if (started) assume (now >= last_time_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      armed_q    <= 1'b0;
      early_ok_q <= 1'b0;
      stale_q    <= 1'b0;
    end else begin
      if (mine_out && fire_ready_i) begin
        stale_q <= 1'b0;
        if (!stale_q) armed_q <= 1'b0;
      end
      if (mine_in) begin
        armed_q    <= 1'b1;
        deadline_q <= deadline;
        // beyond the span, as seen from the cursor
        early_ok_q <= (T_W+1)'(deadline[T_W-1:1]) >= (T_W+1)'(cursor_q) + (T_W+1)'((1 << SPAN_W) - 1);
        // a fire that waits is of the entry that was there before
        if (mine_out && !fire_ready_i) stale_q <= 1'b1;
      end
    end
  end

  always_comb begin
    if (started) begin
      // 1. Only an entry that was inserted fires, once, and not before its deadline.
      if (mine_out && !stale_q) begin
        a_armed: assert (armed_q);
        a_early: assert (early_ok_q || now >= deadline_q);
      end
      // 2. When the wheel is idle, nothing is overdue and next_deadline_o is not late.
      if (idle_o && armed_q && !stale_q) begin
        a_next: assert (next_valid_o && {1'b0, next} <= due);
        a_overdue: assert (due > {1'b0, now} || early_ok_q);
      end
      if (idle_o && next_valid_o) a_future: assert (next > now);
    end
  end

  always_ff @(posedge clk_i) begin
    // 3. A fire that is shown stays until it is taken.
    if (started && $past(started) && $past(fire_valid_o) && !$past(fire_ready_i)) begin
      a_hold: assert (fire_valid_o && fire_id_o == $past(fire_id_o) &&
                      fire_class_o == $past(fire_class_o));
    end
    c_fire: cover (started && mine_out && armed_q && deadline_q > 6'd3);
    c_moved: cover (started && idle_o && armed_q && now > 6'd4 && $past(!idle_o));
  end
endmodule
