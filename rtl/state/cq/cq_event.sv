// SPDX-License-Identifier: Apache-2.0
// When does a CQ raise its event? One completion, arm or timer (one-hot) against the record, and what cq_sums says of
// the two. Combinational.
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
// c_o: the record after it, but for pi, sol_pi and ci, which the user moves. Errors: none.
module cq_event (
    input  cairn_hw_pkg::cq_ctx_t   c_i,
    input  cairn_int_pkg::cq_sums_t sums_i,
    input  logic                    is_cqe_i,
    input  logic                    is_arm_i,
    input  logic                    is_timer_i,
    input  logic                    sol_i,        // completion: solicited or failed
    input  logic [18:0]             arm_word_i,
    input  logic                    ins_ready_i,
    output cairn_hw_pkg::cq_ctx_t   c_o,
    output logic                    fire_o,
    output logic                    ins_o
);
  // ---- arm ----
  logic [1:0] seq;
  logic       same, out, sol;
  assign seq  = arm_word_i[17:16];
  assign same = c_i.flags_armed && seq == c_i.flags_arm_seq;
  assign out  = seq == c_i.flags_arm_seq && c_i.flags_event_out;
  assign sol  = arm_word_i[18] && !(same && !c_i.flags_arm_solicited);

  // ---- moderation ----
  logic moderated, timed, counts, waits, keeps, over;
  assign moderated = c_i.mod_count > 16'd1 || (c_i.mod_count == '0 && c_i.mod_period != '0);
  assign timed     = c_i.mod_period != '0;
  // A wait goes on through completions, timers and repeated arms.
  assign keeps  = c_i.flags_armed && c_i.flags_mod_wait && (!is_arm_i || same);
  assign counts = is_cqe_i ? c_i.flags_armed && (!c_i.flags_arm_solicited || sol_i)
                           : is_arm_i && !out && sums_i.past;
  assign waits  = keeps || counts;
  assign ins_o  = waits && moderated && timed && !over && (!keeps || is_timer_i) && !(is_arm_i && out);
  assign over   = !moderated || sums_i.enough || (is_timer_i && sums_i.elapsed);
  assign fire_o = waits && !(is_arm_i && out) && (over || (ins_o && !ins_ready_i));

  cairn_hw_pkg::cq_ctx_t n;
  assign c_o = n;
  always_comb begin
    n = c_i;
    if (is_arm_i && !out) begin
      n.flags_arm_seq       = seq;
      n.flags_arm_solicited = sol;
      n.flags_armed         = 1'b1;
      n.flags_event_out     = 1'b0;
      n.flags_mod_wait      = 1'b0;
    end
    if (waits && !(is_arm_i && out)) begin
      n.flags_mod_wait = 1'b1;
      n.mod_pi         = sums_i.first;
      n.mod_since      = sums_i.since;
    end
    if (fire_o) begin
      n.flags_armed     = 1'b0;
      n.flags_event_out = 1'b1;
      n.flags_mod_wait  = 1'b0;
    end
  end
endmodule
