// SPDX-License-Identifier: Apache-2.0
// Context slots whose next packet waits for a slot of a shared receive queue to come on chip (srq_state).
//
// Add: this context slot waits for an SRQ. Delete: no longer (it was served without a wake). More: an SRQ has one slot
//   more, and one waiter of it is woken, in turn. All: every waiter of it is woken (the SRQ failed or is gone).
//   Strobes, at most one a cycle. The contexts woken come out in no order; one that was woken and finds nothing asks
//   again.
// Errors: none.
module srq_wait #(
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned SLOTS     = 128,
    localparam int unsigned AW       = $clog2(SLOTS)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [SRQS_LOG2-1:0] srqn_i,
    input  logic                 add_i,
    input  logic                 del_i,
    input  logic [AW-1:0]        slot_i,  // of add_i, del_i
    input  logic                 more_i,
    input  logic                 all_i,
    output cairn_int_pkg::wake_t wake_o,
    input  logic                 wake_ready_i,
    output logic                 idle_o
);
  logic [SLOTS-1:0]     wait_q, go_q, mine, after, after_oh, all_oh, one, wake_oh;
  logic [SRQS_LOG2-1:0] who_q [0:SLOTS-1];
  logic [AW-1:0]        turn_q, after_idx, all_idx, idx;
  logic                 after_any, all_any;
  for (genvar g = 0; g < SLOTS; g++) begin : g_who
    always_ff @(posedge clk_i) if (add_i && slot_i == AW'(g)) who_q[g] <= srqn_i;
    assign mine[g] = wait_q[g] && who_q[g] == srqn_i;
  end
  assign after = mine & ~((SLOTS'(1) << turn_q) - SLOTS'(1));
  prio_enc_onehot #(.N(SLOTS)) u_after (.in_i(after), .valid_o(after_any), .idx_o(after_idx), .onehot_o(after_oh));
  prio_enc_onehot #(.N(SLOTS)) u_all (.in_i(mine), .valid_o(all_any), .idx_o(all_idx), .onehot_o(all_oh));
  assign one = after_any ? after_oh : all_oh;
  assign idx = after_any ? after_idx : all_idx;
  logic [AW-1:0] wake_idx;
  assign wake_o.slot = cairn_int_pkg::SLOT_W'(wake_idx);
  prio_enc_onehot #(.N(SLOTS)) u_wake (.in_i(go_q), .valid_o(wake_o.valid), .idx_o(wake_idx), .onehot_o(wake_oh));

  logic [SLOTS-1:0] woken, named;
  assign woken = all_i ? mine : more_i ? one : '0;
  assign named = SLOTS'(1) << slot_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q <= '0;
      go_q   <= '0;
      turn_q <= '0;
    end else begin
      wait_q <= (wait_q | (add_i ? named : '0)) & ~woken & ~(del_i ? named : '0);
      go_q   <= (go_q & ~((wake_o.valid && wake_ready_i) ? wake_oh : '0)) | woken;
      if (more_i && all_any) turn_q <= idx + 1'b1;
    end
  end
  assign idle_o = go_q == '0;
endmodule
