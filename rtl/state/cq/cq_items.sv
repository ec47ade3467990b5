// SPDX-License-Identifier: Apache-2.0
// Front of cq_resident: completions of two sources, arms and timers, round robin, one at a time. The next is chosen
// while the one before is at work, so ready is a register. A timer is an arm with bit 19 of imm set.
// Errors: none.
module cq_items (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  cairn_int_pkg::completion_t rsp_i,
    input  cairn_int_pkg::completion_t cmp_i,
    output logic [1:0]                 cqe_ready_o,
    input  cairn_int_pkg::cq_arm_t     arm_i,
    output logic                       arm_ready_o,
    input  cairn_int_pkg::cq_timer_t   tmr_i,
    output logic                       tmr_ready_o,
    // the item, until its end
    output logic                       valid_o,
    output logic                       arm_o,        // arm or timer
    output cairn_int_pkg::cqe_req_t    item_o,
    input  logic                       end_i,
    output logic                       idle_o
);
  localparam int unsigned CW = cairn_int_pkg::CQE_REQ_W;
  logic [3:0] pick_q, gnt;
  logic       take;
  cairn_int_pkg::cqe_req_t arm, got;
  rr_arbiter #(.N(4)) u_arb (
      .clk_i, .rst_ni, .req_i({tmr_i.valid, arm_i.valid, cmp_i.valid, rsp_i.valid}), .ack_i(pick_q == '0),
      .lock_i(1'b0), .gnt_valid_o(), .gnt_o(gnt), .gnt_idx_o());
  assign take = pick_q != '0 && !valid_o;
  assign {tmr_ready_o, arm_ready_o, cqe_ready_o} = valid_o ? 4'b0000 : pick_q;
  always_comb begin
    arm     = '0;
    arm.cqn = pick_q[3] ? tmr_i.cqn : arm_i.cqn;
    arm.imm = {12'h0, pick_q[3], arm_i.word};
    got     = ({CW{pick_q[0]}} & rsp_i.req) | ({CW{pick_q[1]}} & cmp_i.req) | ({CW{pick_q[2] || pick_q[3]}} & arm);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pick_q  <= '0;
      valid_o <= 1'b0;
    end else begin
      if (pick_q == '0) pick_q <= gnt;
      else if (take) pick_q <= '0;
      valid_o <= take || (valid_o && !end_i);
    end
    if (take) begin
      item_o <= got;
      arm_o  <= pick_q[2] || pick_q[3];
    end
  end
  assign idle_o = !valid_o && !rsp_i.valid && !cmp_i.valid && !arm_i.valid && !tmr_i.valid;
endmodule
