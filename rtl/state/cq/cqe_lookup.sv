// SPDX-License-Identifier: Apache-2.0
// Front of cqe_write: takes completions (two sources), arms and timers, round robin, and looks up the CQ record with a
// pin.
//
// Items are shown with their answer, in order; up to DEPTH lookups are under way. An item is a cqe_req; an arm has its
// word in the bits of imm; a timer is an arm with bit 19 of imm set.
// again_i: there was no way for the shown item's record. It and all behind it are looked up again after a pause. Those
// behind give their pins back first, because firmware's eviction of a record turns lookups away until no pin is left.
// Cycles: one item a cycle.
module cqe_lookup #(
    parameter int unsigned SLOTS = 64,
    parameter int unsigned DEPTH = 8,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  cairn_int_pkg::completion_t rsp_i,
    input  cairn_int_pkg::completion_t cmp_i,
    output logic [1:0]                 cqe_ready_o,
    input  cairn_int_pkg::cq_arm_t     arm_i,
    output logic                       arm_ready_o,
    input  cairn_int_pkg::cq_timer_t   tmr_i,
    output logic                       tmr_ready_o,
    // CQ cache
    output cairn_int_pkg::ctx_req_t    ctx_o,
    input  logic                       ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t    ctx_i,
    // oldest item with its answer
    output logic                       head_valid_o,
    output logic                       head_arm_o,
    output cairn_int_pkg::cqe_req_t    head_item_o,
    output logic [2:0]                 head_status_o,
    output logic [AW-1:0]              head_slot_o,
    input  logic                       pop_i,
    input  logic                       again_i,
    // pins given back
    output cairn_int_pkg::unpin_t      unpin_o,
    input  logic                       unpin_ready_i,
    output logic                       idle_o
);
  localparam int unsigned CW    = cairn_int_pkg::CQE_REQ_W;
  localparam int unsigned PW    = $clog2(DEPTH);
  localparam int unsigned PAUSE = 12;      // cycles before a repeated lookup

  if ((1 << PW) != DEPTH) begin : g_chk_depth
    $error("cqe_lookup: DEPTH must be a power of two");
  end

  // ---- choose ----
  cairn_int_pkg::cqe_req_t arm, tmr;
  logic          any, take;
  logic [3:0]    gnt;
  logic [CW-1:0] item;
  always_comb begin
    arm     = '0;
    arm.cqn = arm_i.cqn;
    arm.imm = {13'h0, arm_i.word};
    tmr     = '0;
    tmr.cqn = tmr_i.cqn;
    tmr.imm = 32'h1 << 19;
  end
  rr_arbiter #(.N(4)) u_arb (
      .clk_i, .rst_ni, .req_i({tmr_i.valid, arm_i.valid, cmp_i.valid, rsp_i.valid}), .ack_i(take), .lock_i(1'b0),
      .gnt_valid_o(any), .gnt_o(gnt), .gnt_idx_o());
  assign item = gnt[3] ? tmr : gnt[2] ? arm : gnt[1] ? cmp_i.req : rsp_i.req;
  assign {tmr_ready_o, arm_ready_o, cqe_ready_o} = take ? gnt : 4'b0000;

  // ---- items, answers: rings with pointers (one bit more than the index) in the order head, answered, asked, taken
  // ----
  logic [CW:0]   items   [0:DEPTH-1];
  logic [AW+2:0] answers [0:DEPTH-1];
  logic [PW:0]   head_q, ans_q, ask_q, in_q;
  logic [PW:0]   back_q;              // giving back pins: the next one
  logic          full, rewind_q, settled;
  logic [3:0]    pause_q;
  logic [CW:0]   asked_item;
  logic [2:0]    back_status;
  logic [AW-1:0] back_slot;
  cairn_int_pkg::cqe_req_t ask_c;
  assign full        = in_q == {!head_q[PW], head_q[PW-1:0]};
  assign take        = any && !full;
  assign asked_item  = items[ask_q[PW-1:0]];
  assign ask_c       = asked_item[CW-1:0];
  assign ctx_o.valid = ask_q != in_q && !rewind_q && pause_q == '0;
  assign ctx_o.key   = ask_c.cqn;

  assign head_valid_o = head_q != ans_q && !rewind_q;
  assign {head_arm_o, head_item_o}    = items[head_q[PW-1:0]];
  assign {head_status_o, head_slot_o} = answers[head_q[PW-1:0]];

  assign settled       = ans_q == ask_q;
  assign {back_status, back_slot} = answers[back_q[PW-1:0]];
  assign unpin_o.slot  = cairn_int_pkg::SLOT_W'(back_slot);
  assign unpin_o.valid = rewind_q && back_q != ans_q
      && (back_status == cairn_hw_pkg::CTX_RESULT_OK || back_status == cairn_hw_pkg::CTX_RESULT_WAITING);

  always_ff @(posedge clk_i) begin
    if (take) items[in_q[PW-1:0]] <= {gnt[3] || gnt[2], item};
  end
  always_ff @(posedge clk_i) begin
    if (ctx_i.valid) answers[ans_q[PW-1:0]] <= {ctx_i.status, ctx_i.slot[AW-1:0]};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q   <= '0;
      ans_q    <= '0;
      ask_q    <= '0;
      in_q     <= '0;
      rewind_q <= 1'b0;
      pause_q  <= '0;
    end else begin
      if (take) in_q <= in_q + 1'b1;
      if (ctx_o.valid && ctx_ready_i) ask_q <= ask_q + 1'b1;
      if (ctx_i.valid) ans_q <= ans_q + 1'b1;
      if (pop_i) head_q <= head_q + 1'b1;
      if (pause_q != '0) pause_q <= pause_q - 1'b1;
      if (again_i) begin
        rewind_q <= 1'b1;
      end else if (rewind_q) begin
        if (back_q != ans_q && (!unpin_o.valid || unpin_ready_i)) begin
          back_q <= back_q + 1'b1;
        end else if (back_q == ans_q && settled) begin
          rewind_q <= 1'b0;
          ans_q    <= head_q;
          ask_q    <= head_q;
          pause_q  <= 4'(PAUSE);
        end
      end
    end
    if (again_i) back_q <= head_q;
  end
  assign idle_o = head_q == in_q && !any;
endmodule
