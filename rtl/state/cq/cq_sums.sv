// SPDX-License-Identifier: Apache-2.0
// What cq_event judges by: sums and comparisons of one completion, arm or timer and the record. Combinational.
//
// Apart from the rules, so that a register may stand between the two (cq_resident). Errors: none.
module cq_sums (
    input  logic [63:0]              time_now_i,
    input  cairn_hw_pkg::cq_ctx_t    c_i,
    input  logic                     is_cqe_i,
    input  logic                     is_arm_i,
    input  logic [18:0]              arm_word_i,
    output cairn_int_pkg::cq_sums_t  sums_o
);
  // ---- arm ----
  logic        same, sol;
  logic [15:0] past;
  assign same = c_i.flags_armed && arm_word_i[17:16] == c_i.flags_arm_seq;
  assign sol  = arm_word_i[18] && !(same && !c_i.flags_arm_solicited);
  assign past = c_i.pi[15:0] - arm_word_i[15:0];

  // ---- moderation: a wait goes on through completions, timers and repeated arms ----
  // Where none goes on it is what is past that counts, or the completion itself. Each of the two is compared with the
  // count apart, and which of them it is chosen last. Of a wait: what came before this completion, against one less.
  logic [31:0] first, gone;
  logic [63:0] since, period_ns;
  logic [15:0] less;
  logic [33:0] waited;
  logic        keeps, many;
  assign keeps     = c_i.flags_armed && c_i.flags_mod_wait && (!is_arm_i || same);
  assign period_ns = {38'h0, c_i.mod_period, 10'h0} - {44'h0, c_i.mod_period, 4'h0} - {45'h0, c_i.mod_period, 3'h0};
  // (what an arm names: its low bits are its own)
  assign first     = keeps ? c_i.mod_pi
                     : is_arm_i ? {c_i.pi[31:16] - {15'h0, c_i.pi[15:0] < arm_word_i[15:0]}, arm_word_i[15:0]} : c_i.pi;
  assign gone      = c_i.pi - c_i.mod_pi;
  assign less      = c_i.mod_count - 16'h1;
  assign waited    = {1'b0, gone, 1'b1} + {1'b0, 16'hffff, ~less, is_cqe_i};
  assign many      = keeps ? waited[33] : is_arm_i ? past >= c_i.mod_count : is_cqe_i && less == '0;
  assign since     = keeps ? c_i.mod_since : time_now_i;
  always_comb begin
    sums_o.past     = sol ? (c_i.pi - c_i.sol_pi) < {16'h0, past} : past != '0;
    sums_o.enough   = c_i.mod_count != '0 && many;
    sums_o.elapsed  = c_i.mod_period != '0 && keeps && time_now_i - c_i.mod_since >= period_ns;
    sums_o.first    = first;
    sums_o.since    = since;
    sums_o.deadline = since + period_ns;
  end
endmodule
