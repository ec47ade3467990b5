// SPDX-License-Identifier: Apache-2.0
// Lines of page lists on chip, of a build whose keys are on chip too (MRS_LOG2): what ctx_table is to them elsewhere,
// one thing at a time and way after way, with one comparator.
//
//   look-up -> tags of the set, from the way that was found last on -> answer
//                  \-> none has the key: a way is given to it, the line read, the answer WAITING
//
// Owns: the lines, in words of 64 bits, and their tags: a block RAM each. Lines are only read from host memory.
// Order: ends of fills before look-ups before firmware. A line that was answered OK is there for the two cycles from
//   its answer on (rd_slot_i, rd_word_i), in which no other look-up has begun.
// Fresh: a line that has come is no victim until it was found once. If look-ups find no way though some are fresh, and
//   none finds what it asked for meanwhile, they may go after 64 of them: who asked for them may be halted.
// Firmware: DROP and EVICT of a range of lines (enum ctx_op): all slots are walked through, again while one of the
//   range is being read. Nothing else can be done with lines: FREE.
// Cycles: an answer in 4 for the way that was found last in its set, in up to 11 for others; a range 3 a slot.
// Errors: a line that could not be read is DAMAGED until it gives way or is dropped; beyond the table: FREE.
// Reset: no line is there, after a cycle a slot.
module mtt_lines #(
    parameter int unsigned SETS     = 8,
    parameter int unsigned FILLS    = 4,
    parameter int unsigned TAG_BASE = 0,
    localparam int unsigned AW      = $clog2(SETS * 8)
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     epoch_i,
    input  logic [63:0]              base_i,
    input  logic [24:0]              entries_i,     // lines
    input  cairn_int_pkg::ctx_req_t  ctx_i,
    output logic                     ctx_ready_o,
    output cairn_int_pkg::ctx_rsp_t  ctx_o,
    // a word of a line, in the next cycle
    input  logic [AW-1:0]            rd_slot_i,
    input  logic [2:0]               rd_word_i,
    output logic [63:0]              rd_data_o,
    output logic                     fill_valid_o,  // strobe: a fill has ended
    input  cairn_int_pkg::ctx_op_t   op_i,
    output cairn_int_pkg::ctx_done_t op_o,
    output cairn_int_pkg::dma_read_t rd_o,
    input  logic                     rd_ready_i,
    input  cairn_int_pkg::dma_beat_t beat_i,
    input  logic [63:0]              beat_data_i,
    output logic                     hit_o,
    output logic                     miss_o,
    output logic                     busy_o,
    output logic                     idle_o
);
  localparam int unsigned SW    = (SETS > 1) ? $clog2(SETS) : 1;
  localparam int unsigned FW    = $clog2(FILLS);
  localparam int unsigned TAG_W = cairn_int_pkg::RTAG_W;
  localparam int unsigned TRIES = 6;              // 2^n look-ups until fresh lines may go
  typedef enum logic [2:0] {L_FREE, L_FILLING, L_FRESH, L_HERE, L_BAD} line_e;
  typedef enum logic [3:0] {S_CLEAR, S_IDLE, S_START, S_SCAN, S_ASK, S_END, S_ENDED, S_WALK, S_RANGE, S_DROP,
                            S_DONE} state_e;
  if ((1 << AW) != SETS * 8 || (1 << FW) != FILLS || FILLS < 2) begin : g_chk
    $error("mtt_lines: SETS and FILLS must be powers of two");
  end
  if (TAG_BASE % FILLS != 0) begin : g_chk_tag
    $error("mtt_lines: the tags of the fills must begin at a multiple of FILLS");
  end

  state_e         state_q;
  logic [AW-1:0]  at_q, seen_q, give_q;   // the slot whose tag is read; that of the tag that is here; the victim
  logic [23:0]    key_q;
  logic [3:0]     step_q;
  logic           beyond;

  // ---- tags ----
  logic [2:0]  line, line_w;
  logic [23:0] tag;
  logic        we;
  ram_1r1w #(.WIDTH(27), .DEPTH(SETS * 8), .BYPASS(2)) u_tags (
      .clk_i, .we_i(we), .waddr_i(state_q == S_SCAN ? seen_q : state_q == S_ASK ? give_q : at_q),
      .wdata_i({line_w, state_q == S_ENDED ? tag : key_q}), .re_i(1'b1), .raddr_i(at_q), .rdata_o({line, tag}));

  // ---- a look-up: the way that is looked at now ----
  logic             seen, found, last, may, gives_q, free_q, fresh_q, go;
  logic [2:0]       turn_q;         // victims: the candidate at this step, or the one before it
  logic [TRIES:0]   dry_q;          // look-ups that found no way but fresh ones
  assign seen  = state_q == S_SCAN && step_q != '0;
  assign found = seen && line != L_FREE && tag == key_q;
  assign last  = step_q[3];
  assign may   = line == L_FREE || line == L_HERE || line == L_BAD || (line == L_FRESH && dry_q[TRIES]);
  assign go    = gives_q && free_valid;
  always_ff @(posedge clk_i) begin
    turn_q <= turn_q + 3'd1;
    seen_q <= at_q;
    if (state_q == S_START) {gives_q, free_q, fresh_q} <= '0;
    else if (seen) begin
      if (may && !free_q && (!gives_q || line == L_FREE || step_q[2:0] <= turn_q)) give_q <= seen_q;
      gives_q <= gives_q || may;
      free_q  <= free_q || line == L_FREE;
      fresh_q <= fresh_q || line == L_FRESH;
    end
    if (!rst_ni || (found && line != L_FILLING)) dry_q <= '0;
    else if (state_q == S_ASK && !gives_q && fresh_q && !dry_q[TRIES]) dry_q <= dry_q + 1'b1;
  end
  // Where the search begins: anything is right.
  logic [2:0] recent [0:(1<<SW)-1];
  always_ff @(posedge clk_i) begin
    if (found || (state_q == S_ASK && go)) recent[key_q[SW-1:0]] <= found ? seen_q[2:0] : give_q[2:0];
  end

  // ---- fills: whose slot each entry is, which are under way, have ended ----
  logic [AW-1:0]    slot_of [0:FILLS-1];
  logic [FILLS-1:0] busy_q, ended_q, failed_q, free_1, end_1, last_1;
  logic             free_valid, end_valid, mine;
  logic [FW-1:0]    free_idx, end_idx, end_q, beat_idx;
  cairn_int_pkg::dma_rd_t rd;
  prio_enc_onehot #(.N(FILLS)) u_free (
      .in_i(~busy_q), .valid_o(free_valid), .idx_o(free_idx), .onehot_o(free_1));
  prio_enc_onehot #(.N(FILLS)) u_end (.in_i(ended_q), .valid_o(end_valid), .idx_o(end_idx), .onehot_o(end_1));
  always_comb begin
    rd       = '0;
    rd.iova  = base_i + {34'h0, key_q, 6'h0};
    rd.len   = cairn_int_pkg::LEN_W'(64);
    rd.tag   = TAG_W'(TAG_BASE) + TAG_W'(free_idx);
    rd.epoch = epoch_i;
  end
  assign rd_o.valid = state_q == S_ASK && go;
  assign rd_o.req   = rd;
  assign miss_o     = rd_o.valid && rd_ready_i;
  assign mine       = beat_i.valid && beat_i.meta.client == 4'(cairn_int_pkg::RD_MR)
                      && (beat_i.meta.tag >> FW) == TAG_W'(TAG_BASE / FILLS);
  assign beat_idx   = beat_i.meta.tag[FW-1:0];
  assign last_1     = (mine && beat_i.meta.last) ? FILLS'(1) << beat_idx : '0;
  assign busy_o     = busy_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= '0;
      ended_q <= '0;
    end else begin
      busy_q  <= (busy_q | (miss_o ? free_1 : '0)) & ~(state_q == S_ENDED ? FILLS'(1) << end_q : '0);
      ended_q <= (ended_q | last_1) & ~(state_q == S_IDLE ? end_1 : '0);
    end
    failed_q <= (failed_q & ~last_1) | (last_1 & {FILLS{beat_i.meta.err}});
    if (state_q == S_IDLE) end_q <= end_idx;
  end
  always_ff @(posedge clk_i) if (miss_o) slot_of[free_idx] <= give_q;

  // ---- lines ----
  ram_1r1w #(.WIDTH(64), .DEPTH(SETS * 64), .BYPASS(2)) u_lines (
      .clk_i, .we_i(mine && beat_i.meta.nbytes != '0), .waddr_i({slot_of[beat_idx], beat_i.meta.offset[5:3]}),
      .wdata_i(beat_data_i), .re_i(1'b1), .raddr_i({rd_slot_i, rd_word_i}), .rdata_o(rd_data_o));

  // ---- firmware: is this slot of the range ----
  logic        drops, in_range, walked;
  logic [24:0] from_q;               // the slot's line, from the beginning of the range on; negative: before it
  assign drops    = op_i.op == cairn_hw_pkg::CTX_OP_DROP || op_i.op == cairn_hw_pkg::CTX_OP_EVICT;
  assign in_range = !from_q[24] && (op_i.op == cairn_hw_pkg::CTX_OP_EVICT ? from_q == '0
                                    : {8'h0, from_q[23:0]} < op_i.data);
  assign walked   = at_q == '1;
  always_ff @(posedge clk_i) from_q <= {1'b0, tag} - {1'b0, op_i.key[23:0]};

  // ---- what is written of a tag ----
  always_comb begin
    we     = 1'b0;
    line_w = L_FREE;
    case (state_q)
      S_CLEAR: we = 1'b1;
      S_SCAN: begin
        we     = found && line == L_FRESH;
        line_w = L_HERE;
      end
      S_ASK: begin
        we     = miss_o;
        line_w = L_FILLING;
      end
      S_ENDED: begin
        we     = 1'b1;
        line_w = failed_q[end_q] ? L_BAD : L_FRESH;
      end
      S_DROP:  we = in_range && line != L_FILLING;
      default: ;
    endcase
  end

  // ---- one thing at a time ----
  logic again_q;                     // the walk met a line that is being read
  assign ctx_ready_o = state_q == S_IDLE && !end_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_CLEAR;
      at_q    <= '0;
    end else begin
      case (state_q)
        S_CLEAR: begin
          at_q <= at_q + 1'b1;
          if (walked) state_q <= S_IDLE;
        end
        S_IDLE: begin
          at_q <= end_valid ? slot_of[end_idx] : '0;
          if (end_valid) state_q <= S_END;
          else if (ctx_i.valid) state_q <= S_START;
          else if (op_i.valid) state_q <= drops ? S_WALK : S_DONE;
        end
        S_START: begin
          at_q    <= AW'({key_q, recent[key_q[SW-1:0]]});
          state_q <= beyond ? S_IDLE : S_SCAN;
        end
        S_SCAN: begin
          at_q[2:0] <= at_q[2:0] + 3'd1;
          if (found) state_q <= S_IDLE;
          else if (last) state_q <= S_ASK;
        end
        S_ASK:   if (!go || rd_ready_i) state_q <= S_IDLE;
        S_END:   state_q <= S_ENDED;
        S_WALK:  state_q <= S_RANGE;
        S_RANGE: state_q <= S_DROP;
        S_DROP: begin
          at_q    <= at_q + 1'b1;
          state_q <= !walked ? S_WALK : (again_q || (in_range && line == L_FILLING)) ? S_IDLE : S_DONE;
        end
        default: state_q <= S_IDLE;           // S_ENDED, S_DONE
      endcase
    end
    if (state_q == S_IDLE) begin
      key_q   <= ctx_i.key;
      again_q <= 1'b0;
    end else if (state_q == S_DROP && in_range && line == L_FILLING) begin
      again_q <= 1'b1;
    end
    step_q <= state_q == S_SCAN ? step_q + 4'd1 : '0;
  end

  // ---- answers ----
  logic ended;
  assign beyond = {1'b0, key_q} >= entries_i;
  assign ended  = state_q == S_ENDED;
  always_ff @(posedge clk_i) begin
    ctx_o.valid  <= rst_ni && (found || (state_q == S_START && beyond) || (state_q == S_ASK && (!go || rd_ready_i)));
    ctx_o.slot   <= cairn_int_pkg::SLOT_W'(seen_q);
    ctx_o.key    <= key_q;
    fill_valid_o <= rst_ni && ended;
    hit_o        <= rst_ni && found && (line == L_FRESH || line == L_HERE);
    if (state_q == S_START) ctx_o.status <= cairn_hw_pkg::CTX_RESULT_FREE;
    else if (state_q == S_ASK) ctx_o.status <= go ? cairn_hw_pkg::CTX_RESULT_WAITING : cairn_hw_pkg::CTX_RESULT_RETRY;
    else ctx_o.status <= line == L_FILLING ? cairn_hw_pkg::CTX_RESULT_WAITING
                         : line == L_BAD ? cairn_hw_pkg::CTX_RESULT_DAMAGED : cairn_hw_pkg::CTX_RESULT_OK;
  end
  always_comb begin
    op_o        = '0;
    op_o.done   = state_q == S_DONE;
    op_o.status = drops ? cairn_hw_pkg::CTX_RESULT_OK : cairn_hw_pkg::CTX_RESULT_FREE;
  end
  assign idle_o      = state_q == S_IDLE && busy_q == '0 && !ctx_i.valid && !op_i.valid && !ctx_o.valid
                       && !fill_valid_o;

  logic unused;
  assign unused = ^{op_i.table_, op_i.part, op_i.key[31:24], op_i.mask, beat_i.meta.skip,
                    beat_i.meta.offset};
endmodule
