// SPDX-License-Identifier: Apache-2.0
// The oldest duplicate READ or atomic of each slot that rsp_tx has not answered yet.
//
// A later one of the same QP is forgotten: answering the oldest resends everything after it. rsp_commit puts them in
// (taken when its ready is high). A read has pending one cycle later, and the record some cycles later (rd_here_o),
// until the next read. A take removes the record of the last read, unless an older one has come since: then it stays,
// and rsp_commit's kick brings rsp_tx back.
// A record is some words of one RAM: duplicates are rare, and one thing at a time is done here.
// Cycles: a put 4, or 11 when it is kept; a read 8. Reset: clears itself. Errors: none.
module rsp_dup #(
    parameter int unsigned SLOTS = 128,
    localparam int unsigned AW = $clog2(SLOTS)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    put_valid_i,
    output logic                    put_ready_o,
    input  cairn_int_pkg::rsp_rec_t put_rec_i,
    input  logic                    rd_valid_i,
    input  logic [AW-1:0]           rd_slot_i,
    output logic                    rd_pending_o,
    output logic                    rd_here_o,
    output cairn_int_pkg::rsp_dup_t rd_dup_o,
    input  logic                    take_i
);
  localparam int unsigned WORDS = 6;             // the first two say whose it is
  typedef enum logic [2:0] {D_IDLE, D_LOAD, D_LOOK, D_OLDER, D_PUT, D_DONE} state_e;
  state_e                    state_q;
  logic [3:0]                pend [0:SLOTS/4-1]; // a slot has one; four slots a word
  cairn_int_pkg::rsp_rec_t   r;
  cairn_int_pkg::rsp_dup_t   d, dup_q;
  logic [AW-1:0]             slot, rd_slot_q, init_slot_q;
  logic [2:0]                word_q, got_q;
  logic [31:0]               word_in, word;
  logic [23:0]               older;
  logic                      init_q, we, last, load_q, want_q, here_q;
  logic                      have_q, gen_q, older_q, skip, touched_q, takes, sets;
  assign r    = put_rec_i;
  assign slot = r.id.slot[AW-1:0];
  assign d    = {r.kind == cairn_int_pkg::RSK_DUPAT, r.atomic.cas, r.id.gen, r.id.qpn, r.psn, r.place.va, r.place.key,
                 r.place.mlen};

  // ---- the words ----
  assign we   = state_q == D_PUT;
  assign last = word_q == 3'(WORDS - 1);
  always_comb begin
    case (word_q)
      3'd0:    word_in = {d.gen, d.psn};
      3'd1:    word_in = {6'h0, d.atomic, d.cas, d.qpn};
      3'd2:    word_in = d.va[31:0];
      3'd3:    word_in = d.va[63:32];
      3'd4:    word_in = d.key;
      default: word_in = d.len;
    endcase
  end
  ram_1r1w #(.WIDTH(32), .DEPTH(SLOTS * 8), .BYPASS(2)) u_ram (
      .clk_i, .we_i(we), .waddr_i({slot, word_q}), .wdata_i(word_in), .re_i(!we),
      .raddr_i({state_q == D_LOAD ? rd_slot_q : slot, word_q}), .rdata_o(word));
  always_ff @(posedge clk_i) begin
    if (load_q) begin
      case (got_q)
        3'd0:    {dup_q.gen, dup_q.psn} <= word;
        3'd1:    {dup_q.atomic, dup_q.cas, dup_q.qpn} <= word[25:0];
        3'd2:    dup_q.va[31:0] <= word;
        3'd3:    dup_q.va[63:32] <= word;
        3'd4:    dup_q.key <= word;
        default: dup_q.len <= word;
      endcase
    end
  end
  assign rd_dup_o     = dup_q;
  assign rd_pending_o = want_q;
  assign rd_here_o    = here_q;

  // ---- which slots have one: a read goes before a put's look at it, a take before its end ----
  // (a place for each to look: that something is read is known late)
  logic [AW-1:0] pend_at;
  logic [3:0]    pends_rd, pends_put, pends_was, pend_bit;
  assign pends_rd    = pend[rd_slot_i[AW-1:2]];
  assign pends_put   = pend[slot[AW-1:2]];
  assign pend_at     = init_q ? init_slot_q : takes ? rd_slot_q : slot;
  assign pends_was   = pend[pend_at[AW-1:2]];
  assign pend_bit    = 4'h1 << pend_at[1:0];
  assign takes       = take_i && !touched_q;
  assign sets        = state_q == D_DONE && !takes;
  assign older       = d.psn - word[23:0];
  assign skip        = have_q && gen_q && word[23:0] == d.qpn && !older_q;
  assign put_ready_o = sets || (state_q == D_OLDER && skip);
  always_ff @(posedge clk_i) begin
    if (init_q || takes || sets) begin
      pend[pend_at[AW-1:2]] <= init_q ? '0 : sets ? pends_was | pend_bit : pends_was & ~pend_bit;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_slot_q <= '0;
      state_q     <= D_IDLE;
      want_q      <= 1'b0;
      here_q      <= 1'b0;
      load_q      <= 1'b0;
    end else begin
      if (init_q) begin
        init_slot_q <= init_slot_q + 1'b1;
        init_q      <= init_slot_q != AW'(SLOTS - 1);
      end
      case (state_q)
        D_IDLE:  if (init_q || rd_valid_i) state_q <= D_IDLE;
                 else if (want_q && !here_q && !load_q) state_q <= D_LOAD;
                 else if (put_valid_i) state_q <= D_LOOK;
        D_LOAD:  if (rd_valid_i || last) state_q <= D_IDLE;
        D_LOOK:  if (word_q != '0) state_q <= D_OLDER;
        D_OLDER: state_q <= skip ? D_IDLE : D_PUT;
        D_PUT:   if (last) state_q <= D_DONE;
        default: if (sets) state_q <= D_IDLE;
      endcase
      if (rd_valid_i) want_q <= pends_rd[rd_slot_i[1:0]];
      load_q <= state_q == D_LOAD && !rd_valid_i;
      here_q <= !rd_valid_i && (here_q || (load_q && got_q == 3'(WORDS - 1)));
    end
    got_q  <= word_q;
    word_q <= (state_q == D_LOAD || state_q == D_PUT || (state_q == D_LOOK && word_q == '0)) ? word_q + 3'd1 : '0;
    if (state_q == D_IDLE) have_q <= pends_put[slot[1:0]];
    if (state_q == D_LOOK) {gen_q, older_q} <= {word[31:24] == d.gen, older[23]};
    if (rd_valid_i) rd_slot_q <= rd_slot_i;
    touched_q <= !rd_valid_i && (touched_q || ((we || sets) && slot == rd_slot_q));
  end
endmodule
