// SPDX-License-Identifier: Apache-2.0
// Records of memory regions that all have their place on chip: what ctx_table is to a table in host memory, without
// tags, victims, fills and write-backs. For builds without windows and fast registration (MW), whose fields are zero.
//
// Owns: the records, a word of one block RAM each; which of them exist. Key: the index of the R_Key or L_Key.
// Look-ups: answered in the next cycle, OK or, beyond the table, FREE; the record comes a cycle later. One that does
//   not exist has mode FREE, and else what the key had before.
// Firmware: enum ctx_op; look-ups wait meanwhile, some twenty cycles, so a record is never read while it is written.
// Cycles: a look-up a cycle. Errors: none. Reset: no record exists, after 2^MRS_LOG2 cycles.
module mpt_resident #(
    parameter int unsigned MRS_LOG2 = 9
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic [24:0]              entries_i,
    input  cairn_int_pkg::ctx_req_t  ctx_i,
    output logic                     ctx_ready_o,
    output cairn_int_pkg::ctx_rsp_t  ctx_o,
    output logic [511:0]             rd_data_o,
    input  cairn_int_pkg::ctx_op_t   op_i,
    output cairn_int_pkg::ctx_done_t op_o,
    output logic                     hit_o,
    output logic                     idle_o
);
  localparam int unsigned W = cairn_int_pkg::MPT_KEPT_W;
  typedef enum logic [2:0] {S_CLEAR, S_IDLE, S_READ, S_JUDGE, S_WORDS, S_WRITE, S_ANSWER} state_e;
  state_e              state_q;
  logic                look_q, we, re, exists, init, modify, forget, known, last_word, good, good_q;
  logic [23:0]         key_q;
  logic [2:0]          status_q;
  logic [MRS_LOG2-1:0] at, clear_q;
  logic [W-1:0]        wdata;
  cairn_int_pkg::mpt_kept_t rdata;
  cairn_hw_pkg::mpt_t  f, m;

  assign init   = op_i.op == cairn_hw_pkg::CTX_OP_INIT;
  assign modify = op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign forget = op_i.op == cairn_hw_pkg::CTX_OP_DROP || op_i.op == cairn_hw_pkg::CTX_OP_EVICT;
  assign known  = {1'b0, op_i.key[23:0]} < entries_i && (op_i.key >> MRS_LOG2) == '0;
  assign good   = known && (init || exists);
  assign wdata  = {f.key, f.flags_func, f.flags_page_log2, f.flags_access, f.flags_freed, f.flags_mode, f.pd, f.base,
                   f.length, f.map};
  assign at     = state_q == S_CLEAR ? clear_q : look_q ? key_q[MRS_LOG2-1:0] : op_i.key[MRS_LOG2-1:0];
  assign we     = state_q == S_CLEAR || state_q == S_WRITE;
  assign re     = look_q || state_q == S_READ;
  ram_1r1w #(.WIDTH(W + 1), .DEPTH(1 << MRS_LOG2), .BYPASS(2)) u_ram (
      .clk_i, .we_i(we), .waddr_i(at), .wdata_i({state_q == S_WRITE && !forget, wdata}), .re_i(re), .raddr_i(at),
      .rdata_o({exists, rdata}));
  always_comb begin
    m = '0;
    {m.key, m.flags_func, m.flags_page_log2, m.flags_access} = {rdata.key, rdata.func, rdata.page_log2, rdata.access};
    {m.flags_freed, m.flags_mode, m.pd}                      = {rdata.freed, rdata.mode & {2{exists}}, rdata.pd};
    {m.base, m.length, m.map}                                = {rdata.base, rdata.length, rdata.map};
  end
  assign rd_data_o   = m;

  assign ctx_ready_o  = state_q == S_IDLE;
  assign ctx_o.valid  = look_q;
  assign ctx_o.status = ({1'b0, key_q} < entries_i && (key_q >> MRS_LOG2) == '0) ? cairn_hw_pkg::CTX_RESULT_OK
                                                                               : cairn_hw_pkg::CTX_RESULT_FREE;
  assign ctx_o.slot   = '0;
  assign ctx_o.key    = key_q;
  assign hit_o        = look_q && ctx_o.status == cairn_hw_pkg::CTX_RESULT_OK;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_CLEAR;
      clear_q <= '0;
      look_q  <= 1'b0;
    end else begin
      look_q <= ctx_i.valid && ctx_ready_o;
      case (state_q)
        S_CLEAR: begin
          clear_q <= clear_q + 1'b1;
          if (&clear_q) state_q <= S_IDLE;
        end
        S_IDLE:  if (op_i.valid) state_q <= S_READ;
        S_READ:  if (!look_q) state_q <= S_JUDGE;
        S_JUDGE: state_q <= !forget ? S_WORDS : good ? S_WRITE : S_ANSWER;
        S_WORDS: if (last_word) state_q <= (good_q && (init || modify)) ? S_WRITE : S_ANSWER;
        S_WRITE: state_q <= S_ANSWER;
        default: state_q <= S_IDLE;
      endcase
    end
    key_q <= ctx_i.key;
    if (state_q == S_JUDGE) begin
      good_q   <= good;
      status_q <= (forget || good) ? cairn_hw_pkg::CTX_RESULT_OK : cairn_hw_pkg::CTX_RESULT_FREE;
    end
  end

  // firmware's words: up to map
  localparam int unsigned WORDS = (cairn_hw_pkg::MPT_MAP_LSB + cairn_hw_pkg::MPT_MAP_W) / 32;
  logic [32*WORDS-1:0]      kept;
  cairn_int_pkg::ctx_done_t words;
  ctx_words #(.WORDS(WORDS)) u_words (
      .clk_i, .rst_ni, .load_i(state_q == S_JUDGE), .record_i(m[32*WORDS-1:0]), .step_i(state_q == S_WORDS),
      .keep_i(!(init || modify)), .data_i(op_i.data), .mask_i(op_i.mask), .last_o(last_word), .done_o(words),
      .record_o(kept));
  assign f = 512'(kept);
  always_comb begin
    op_o        = words;
    op_o.done   = state_q == S_ANSWER;
    op_o.status = status_q;
  end
  assign idle_o      = state_q == S_IDLE && !look_q && !op_i.valid && !ctx_i.valid;
endmodule
