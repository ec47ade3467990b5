// SPDX-License-Identifier: Apache-2.0
// Front of cqe_write: takes completions (two sources) and arms, round robin, looks up the CQ record with a pin and shows items with their answer, in order. One item a
// cycle; up to DEPTH lookups are under way. item: cqe_req_t; an arm has its word in the bits of imm.
// The record a shown item waits for may have come, or no way was free: again_i looks its key up once more (the others behind it keep their answers and their places).
module cqe_lookup #(
    parameter int unsigned SLOTS = 64,
    parameter int unsigned DEPTH = 8,
    localparam int unsigned AW = $clog2(SLOTS),
    localparam int unsigned CW = cairn_int_pkg::CQE_REQ_W
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic [1:0]      cqe_valid_i,
    output logic [1:0]      cqe_ready_o,
    input  logic [2*CW-1:0] cqe_i,
    input  logic            arm_valid_i,
    output logic            arm_ready_o,
    input  logic [23:0]     arm_cqn_i,
    input  logic [18:0]     arm_word_i,
    // CQ cache
    output logic            lk_valid_o,
    input  logic            lk_ready_i,
    output logic [23:0]     lk_key_o,
    input  logic            lkr_valid_i,
    input  logic [2:0]      lkr_status_i,
    input  logic [AW-1:0]   lkr_slot_i,
    // oldest item with its answer
    output logic            head_valid_o,
    output logic            head_arm_o,
    output logic [CW-1:0]   head_item_o,
    output logic [2:0]      head_status_o,
    output logic [AW-1:0]   head_slot_o,
    input  logic            pop_i,
    input  logic            again_i,       // its pin, if it had one, has been given back
    output logic            idle_o
);
  localparam int unsigned LW    = $clog2(DEPTH + 1);
  localparam int unsigned PAUSE = 12;      // cycles before a repeated lookup

  // ---- choose ----
  cairn_int_pkg::cqe_req_t arm;
  logic          any, take, room;
  logic [2:0]    gnt;
  logic [1:0]    gnt_idx_unused;
  logic [CW-1:0] item;
  always_comb begin
    arm     = '0;
    arm.cqn = arm_cqn_i;
    arm.imm = {13'h0, arm_word_i};
  end
  rr_arbiter #(.N(3)) u_arb (
      .clk_i, .rst_ni, .req_i({arm_valid_i, cqe_valid_i}), .ack_i(take), .lock_i(1'b0), .gnt_valid_o(any), .gnt_o(gnt), .gnt_idx_o(gnt_idx_unused));
  assign item = gnt[2] ? arm : gnt[1] ? cqe_i[2*CW-1:CW] : cqe_i[CW-1:0];
  assign {arm_ready_o, cqe_ready_o} = take ? gnt : 3'b000;

  // ---- items and answers ----
  logic          i_ready, i_valid, i_af_unused, a_ready_unused, a_valid, a_af_unused;
  logic [LW-1:0] i_level_unused, a_level_unused, out_q;
  logic [CW:0]   i_out;
  logic [AW+2:0] a_out;
  logic          ans_normal;
  localparam logic [1:0] R_NONE = 2'd0, R_PAUSE = 2'd1, R_ASKED = 2'd2, R_DONE = 2'd3;
  logic [1:0]    r_q;
  logic [3:0]    pause_q;
  logic [AW+2:0] r_ans_q;
  logic          r_ask;
  logic [23:0]   head_cqn;
  cairn_int_pkg::cqe_req_t sel_c, head_c;
  assign sel_c    = item;
  assign head_c   = i_out[CW-1:0];
  assign head_cqn = head_c.cqn;
  sync_fifo #(.WIDTH(CW + 1), .DEPTH(DEPTH)) u_items (
      .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(i_ready), .in_data_i({gnt[2], item}),
      .out_valid_o(i_valid), .out_ready_i(pop_i), .out_data_o(i_out), .level_o(i_level_unused), .almost_full_o(i_af_unused));
  sync_fifo #(.WIDTH(AW + 3), .DEPTH(DEPTH)) u_answers (
      .clk_i, .rst_ni, .in_valid_i(ans_normal), .in_ready_o(a_ready_unused), .in_data_i({lkr_status_i, lkr_slot_i}),
      .out_valid_o(a_valid), .out_ready_i(pop_i), .out_data_o(a_out), .level_o(a_level_unused), .almost_full_o(a_af_unused));
  assign room       = i_ready && (r_q == R_NONE || r_q == R_DONE);
  assign r_ask      = r_q == R_PAUSE && pause_q == '0 && out_q == '0;
  assign lk_valid_o = r_ask || (any && room);
  assign lk_key_o   = r_ask ? head_cqn : sel_c.cqn;
  assign take       = any && room && lk_ready_i;
  assign ans_normal = lkr_valid_i && r_q != R_ASKED;

  assign head_valid_o  = i_valid && a_valid && (r_q == R_NONE || r_q == R_DONE);
  assign head_arm_o    = i_out[CW];
  assign head_item_o   = i_out[CW-1:0];
  assign {head_status_o, head_slot_o} = r_q == R_DONE ? r_ans_q : a_out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_q <= '0;
      r_q   <= R_NONE;
    end else begin
      out_q <= out_q + LW'(take) - LW'(ans_normal);
      case (r_q)
        R_PAUSE: if (r_ask && lk_ready_i) r_q <= R_ASKED;
        R_ASKED: if (lkr_valid_i) r_q <= R_DONE;
        default: if (again_i) r_q <= R_PAUSE; else if (pop_i) r_q <= R_NONE;
      endcase
    end
    pause_q <= again_i ? 4'(PAUSE) : pause_q - {3'h0, pause_q != '0};
    if (r_q == R_ASKED && lkr_valid_i) r_ans_q <= {lkr_status_i, lkr_slot_i};
  end
  assign idle_o = !i_valid && !any;
endmodule
