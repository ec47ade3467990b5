// SPDX-License-Identifier: Apache-2.0
// When does a CQ raise its event? One completion, arm or timer (one-hot) against the record. Combinational, inside
// cqe_write.
//
// IBTA 11.4.2.2; docs/commands.md 6 (MODIFY_CQ).
// - completion: counts when the CQ is armed and it is of the kind that was asked for (any, or solicited and failed).
// - arm {ci, seq, solicited}: nothing while the event of the same sequence number is out. One that repeats the arm in
//   force may widen it from solicited to any, and does not begin the wait again. Entries past ci (solicited: a
//   solicited or failed one) count as if they came now.
// - timer: looks whether the wait is over; a timer without a wait changes nothing.
// What counts fires at once, or with moderation (COUNT above 1, or 0 with a PERIOD) begins a wait: for COUNT
// completions of any kind from the first on, or PERIOD us from then on, whichever is first; what is 0 is not waited
// for. A wait with a PERIOD needs a timer; when none is to be had it fires at once. After a change of the moderation a
// timer must come, since the rules of a wait are those of now.
// c_o: the record after it, but for pi, sol_pi and ci, which cqe_write moves. Errors: none.
module cq_event (
    input  logic [63:0]  time_now_i,
    input  logic [511:0] c_i,
    input  logic         is_cqe_i,
    input  logic         is_arm_i,
    input  logic         is_timer_i,
    input  logic         sol_i,        // completion: solicited or failed
    input  logic [18:0]  arm_word_i,
    input  logic         ins_ready_i,
    output logic [511:0] c_o,
    output logic         fire_o,
    output logic         ins_o,
    output logic [63:0]  deadline_o
);
  cairn_hw_pkg::cq_ctx_t c, n;
  assign c = c_i;
  assign c_o = n;

  // ---- arm ----
  logic [1:0]  seq;
  logic        same, out, sol, past_any;
  logic [15:0] past;
  assign seq      = arm_word_i[17:16];
  assign same     = c.flags_armed && seq == c.flags_arm_seq;
  assign out      = seq == c.flags_arm_seq && c.flags_event_out;
  assign sol      = arm_word_i[18] && !(same && !c.flags_arm_solicited);
  assign past     = c.pi[15:0] - arm_word_i[15:0];
  assign past_any = sol ? (c.pi - c.sol_pi) < {16'h0, past} : past != '0;

  // ---- moderation ----
  logic        moderated, timed, counts, waits, keeps, elapsed;
  logic [31:0] first, after;
  logic [63:0] since, period_ns;
  assign moderated = c.mod_count > 16'd1 || (c.mod_count == '0 && c.mod_period != '0);
  assign timed     = c.mod_period != '0;
  assign period_ns = {38'h0, c.mod_period, 10'h0} - {44'h0, c.mod_period, 4'h0} - {45'h0, c.mod_period, 3'h0};
  // A wait goes on through completions, timers and repeated arms.
  assign keeps      = c.flags_armed && c.flags_mod_wait && (!is_arm_i || same);
  assign counts     = is_cqe_i ? c.flags_armed && (!c.flags_arm_solicited || sol_i) : is_arm_i && !out && past_any;
  assign waits      = keeps || counts;
  assign first      = keeps ? c.mod_pi : is_arm_i ? c.pi - {16'h0, past} : c.pi;
  assign after      = c.pi + {31'h0, is_cqe_i} - first;
  assign since      = keeps ? c.mod_since : time_now_i;
  assign elapsed    = timed && time_now_i - since >= period_ns;
  assign deadline_o = since + period_ns;
  assign ins_o      = waits && moderated && timed && !over && (!keeps || is_timer_i) && !(is_arm_i && out);
  logic over;
  assign over   = !moderated || (c.mod_count != '0 && after >= {16'h0, c.mod_count}) || (is_timer_i && elapsed);
  assign fire_o = waits && !(is_arm_i && out) && (over || (ins_o && !ins_ready_i));

  always_comb begin
    n = c;
    if (is_arm_i && !out) begin
      n.flags_arm_seq       = seq;
      n.flags_arm_solicited = sol;
      n.flags_armed         = 1'b1;
      n.flags_event_out     = 1'b0;
      n.flags_mod_wait      = 1'b0;
    end
    if (waits && !(is_arm_i && out)) begin
      n.flags_mod_wait = 1'b1;
      n.mod_pi         = first;
      n.mod_since      = since;
    end
    if (fire_o) begin
      n.flags_armed     = 1'b0;
      n.flags_event_out = 1'b1;
      n.flags_mod_wait  = 1'b0;
    end
  end
endmodule
