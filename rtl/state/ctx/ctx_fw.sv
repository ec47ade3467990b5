// SPDX-License-Identifier: Apache-2.0
// Firmware's operations on one context cache (enum ctx_op of hw.def): drives the cache's firmware port and the part
// RAMs.
//
// Order: one operation at a time, held until done (a strobe with status and, for READ, data). It repeats a lookup by
//   itself while the record is being read or no way is free, and a drop or eviction until nothing uses the record; each
//   try takes RETRY_CYCLES, so it never crowds out the data path.
// - INIT: parts in order 0 to PARTS - 1. Part 0 allocates without reading, the last one makes the record valid.
//   Firmware has looked (READ) that it is free.
// - MODIFY: masked write of a part; the part as it is then comes back, word by word, as for READ. With refuse_i while
//   the write is wanted, nothing is written.
// - READ; EVICT; DROP: (RANGE = 1: as many keys as the first word says, from `key` on).
// Of a cache of RANGE, which nobody writes, firmware only drops: READ finds zeros there, INIT and MODIFY are a READ.
// Errors: status OK, FREE, DAMAGED or REFUSED (enum ctx_result). EVICT and DROP of a record that is not cached are OK.
module ctx_fw #(
    parameter int unsigned PARTS        = 1,
    parameter int unsigned RANGE        = 0,
    parameter int unsigned RETRY_CYCLES = 32
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  cairn_int_pkg::ctx_op_t      op_i,
    output cairn_int_pkg::ctx_done_t    op_o,
    // ctx_cache
    output cairn_int_pkg::ctx_claim_t   fw_o,
    input  logic                        fw_ready_i,
    input  cairn_int_pkg::ctx_claimed_t fw_i,
    input  logic                        fw_filled_ready_i,
    output cairn_int_pkg::ctx_touch_t   touch_o,
    // part RAMs at fw_i.slot: read data one cycle after rd_ready_i, write
    output logic                        rd_valid_o,
    input  logic                        rd_ready_i,
    input  logic [511:0]                rd_data_i,
    output logic                        wr_valid_o,
    input  logic                        wr_ready_i,
    output logic [511:0]                wr_data_o,
    input  logic                        refuse_i,
    output logic                        idle_o
);
  typedef enum logic [3:0] {F_IDLE, F_LOOK, F_ANSWER, F_PAUSE, F_READ, F_DATA, F_WORDS, F_WRITE, F_FILLED,
                            F_END} state_e;
  state_e       f_q;
  logic [$clog2(RETRY_CYCLES+1)-1:0] pause_q;
  logic [31:0]  ahead_q;        // keys of the range done
  logic         last_word;
  logic [2:0]   status_q;
  logic         init, modify, drop, evict, reads, last_part;
  logic [1:0]   part;
  assign part      = PARTS > 1 ? op_i.part : '0;

  assign init      = RANGE == 0 && op_i.op == cairn_hw_pkg::CTX_OP_INIT;
  assign modify    = RANGE == 0 && op_i.op == cairn_hw_pkg::CTX_OP_MODIFY;
  assign drop      = op_i.op == cairn_hw_pkg::CTX_OP_DROP;
  assign evict     = op_i.op == cairn_hw_pkg::CTX_OP_EVICT;
  assign last_part = part == 2'(PARTS - 1);

  assign fw_o.valid    = f_q == F_LOOK;
  // Lines of a range cache are never changed on chip: writing back is dropping, and a lookup of a neighbour's entry in
  // the line meanwhile is told to come again.
  assign fw_o.op       = init ? 2'd1 : (drop && RANGE == 0) ? 2'd2 : (drop || evict) ? 2'd3 : 2'd0;
  assign fw_o.key      = op_i.key[23:0] + ahead_q[23:0];
  assign fw_o.part     = part;
  assign rd_valid_o    = f_q == F_READ;
  assign wr_valid_o    = f_q == F_WRITE;
  // (of INIT the mask is ones: what the words had before does not matter)
  cairn_int_pkg::ctx_done_t words;
  if (RANGE == 0) begin : g_words
    ctx_words u_words (
        .clk_i, .rst_ni, .load_i(f_q == F_DATA), .record_i(rd_data_i), .step_i(f_q == F_WORDS), .keep_i(reads),
        .data_i(op_i.data), .mask_i(op_i.mask), .last_o(last_word), .done_o(words), .record_o(wr_data_o));
  end else begin : g_none
    assign {words, wr_data_o} = '0;
    assign last_word          = 1'b1;
    logic unused;
    assign unused = ^{rd_data_i, op_i.mask, reads};
  end
  assign reads         = op_i.op == cairn_hw_pkg::CTX_OP_READ;
  assign touch_o.dirty = f_q == F_WRITE && wr_ready_i && !refuse_i;
  assign fw_o.filled   = f_q == F_FILLED;
  // A pin is held after HIT and WAIT answers of lookups, and over the parts of an INIT.
  assign touch_o.unpin = (f_q == F_ANSWER && fw_i.done && fw_i.status == cairn_hw_pkg::CTX_RESULT_WAITING && !drop
                        && !evict)
                        || (f_q == F_DATA && !modify)
                        || (f_q == F_WRITE && wr_ready_i && !init) || (f_q == F_FILLED && fw_filled_ready_i);
  always_comb begin
    op_o        = words;
    op_o.done   = f_q == F_END;
    op_o.status = status_q;
  end
  assign idle_o        = f_q == F_IDLE && !op_i.valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_q     <= F_IDLE;
      ahead_q <= '0;
    end else begin
      case (f_q)
        F_IDLE: begin
          ahead_q <= '0;
          if (op_i.valid) f_q <= (init && part != '0) ? F_WORDS : F_LOOK;
        end
        F_LOOK:   if (fw_ready_i) f_q <= F_ANSWER;
        F_ANSWER: if (fw_i.done) begin
          case (fw_i.status)
            cairn_hw_pkg::CTX_RESULT_OK:
              f_q <= init ? F_WORDS : (drop || evict) ? (more_keys ? F_LOOK : F_END) : F_READ;
            cairn_hw_pkg::CTX_RESULT_WAITING, cairn_hw_pkg::CTX_RESULT_RETRY: f_q <= F_PAUSE;
            default: f_q <= (more_keys && drop) ? F_LOOK : F_END;
          endcase
          if (drop && fw_i.status != cairn_hw_pkg::CTX_RESULT_WAITING && fw_i.status != cairn_hw_pkg::CTX_RESULT_RETRY
              && more_keys) ahead_q <= ahead_q + 1'b1;
        end
        F_PAUSE:  if (pause_q == '0) f_q <= F_LOOK;
        F_READ:   if (rd_ready_i) f_q <= F_DATA;
        F_DATA:   f_q <= RANGE == 0 ? F_WORDS : F_END;
        F_WORDS:  if (last_word) f_q <= (init || modify) ? F_WRITE : F_END;
        F_WRITE:  if (wr_ready_i) f_q <= (init && last_part) ? F_FILLED : F_END;
        F_FILLED: if (fw_filled_ready_i) f_q <= F_END;
        default:  f_q <= F_IDLE;
      endcase
    end
    if (f_q == F_ANSWER) pause_q <= ($clog2(RETRY_CYCLES+1))'(RETRY_CYCLES);
    else pause_q <= pause_q - 1'b1;
    if (f_q == F_IDLE) begin
      status_q <= cairn_hw_pkg::CTX_RESULT_OK;
    end
    if (f_q == F_ANSWER && fw_i.done && !drop && !evict) status_q <= fw_i.status;
    if (f_q == F_WRITE && refuse_i) status_q <= cairn_hw_pkg::CTX_RESULT_REFUSED;
  end
  logic more_keys;
  assign more_keys = RANGE != 0 && drop && ahead_q + 32'h1 < op_i.data;
endmodule
