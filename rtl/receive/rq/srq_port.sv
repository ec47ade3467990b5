// SPDX-License-Identifier: Apache-2.0
// Firmware's port of srq_state: an operation's words come in before it begins, those of its answer go out behind it.
//
// valid_o: the operation is to be done, with all words of the record in in_o; ends_i: it is, with status and record.
// limit_mask_o, armed_mask_o: what MODIFY changes; srq_state merges them itself, since an event may disarm the limit
//   meanwhile.
// Cycles: 16 before and 16 behind it, of DROP and EVICT none. Errors: none.
module srq_port (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  cairn_int_pkg::ctx_op_t     op_i,
    output cairn_int_pkg::ctx_done_t   op_o,
    output logic                       valid_o,
    output cairn_hw_pkg::srq_ctx_t     in_o,
    output logic [15:0]                limit_mask_o,
    output logic                       armed_mask_o,
    input  logic                       ends_i,
    input  logic [2:0]                 status_i,
    input  cairn_hw_pkg::srq_ctx_t     rec_i
);
  localparam int unsigned WORDS = (cairn_hw_pkg::SRQ_CTX_PD_LSB + cairn_hw_pkg::SRQ_CTX_PD_W) / 32;
  typedef enum logic [2:0] {S_IDLE, S_IN, S_OP, S_OUT, S_DONE} state_e;
  state_e                   state_q;
  logic                     alters, reads, last;
  logic [2:0]               status_q;
  logic [3:0]               word_q;
  logic [15:0]              limit_mask_q;
  logic                     armed_mask_q;
  logic [32*WORDS-1:0]      kept;
  cairn_int_pkg::ctx_done_t words;
  assign alters = op_i.op == cairn_hw_pkg::CTX_OP_INIT || op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign reads  = op_i.op == cairn_hw_pkg::CTX_OP_READ || op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  ctx_words #(.WORDS(WORDS)) u_words (
      .clk_i, .rst_ni, .load_i(ends_i), .record_i(rec_i[32*WORDS-1:0]), .step_i(state_q == S_IN || state_q == S_OUT),
      .keep_i(state_q == S_OUT), .data_i(op_i.data), .mask_i(op_i.mask), .last_o(last), .done_o(words),
      .record_o(kept));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_IDLE;
    end else begin
      case (state_q)
        S_IDLE:  if (op_i.valid) state_q <= alters ? S_IN : S_OP;
        S_IN:    if (last) state_q <= S_OP;
        S_OP:    if (ends_i) state_q <= reads ? S_OUT : S_DONE;
        S_OUT:   if (last) state_q <= S_DONE;
        default: state_q <= S_IDLE;
      endcase
    end
    if (ends_i) status_q <= status_i;
    word_q <= words.word;
    if (word_q == 4'(cairn_hw_pkg::SRQ_CTX_INDEX_LIMIT_LSB / 32) && state_q == S_IN)
      limit_mask_q <= op_i.mask[cairn_hw_pkg::SRQ_CTX_INDEX_LIMIT_LSB % 32 +: 16];
    if (word_q == 4'(cairn_hw_pkg::SRQ_CTX_FLAGS_LIMIT_ARMED_LSB / 32) && state_q == S_IN)
      armed_mask_q <= op_i.mask[cairn_hw_pkg::SRQ_CTX_FLAGS_LIMIT_ARMED_LSB % 32];
  end
  always_comb begin
    op_o        = words;
    op_o.put    = state_q == S_OUT;
    op_o.done   = state_q == S_DONE;
    op_o.status = status_q;
  end
  assign valid_o      = state_q == S_OP;
  assign in_o         = 512'(kept);
  assign limit_mask_o = limit_mask_q;
  assign armed_mask_o = armed_mask_q;
  logic unused;
  assign unused = ^{op_i.table_, op_i.part, op_i.key, rec_i[511:32*WORDS]};
endmodule
