// SPDX-License-Identifier: Apache-2.0
// The records of the packets between rsp_check and rsp_commit in one RAM, where packets are some cycles apart.
//
// A packet of rsp_check gets a place, and its record is written there in words; in_i stays until that is done. rsp_walk
// works on the record that is read from there, of a packet that is replayed (again) or of the newest: out_o, until
// done_i. The place is free again after free_i; the next one is looked for in turn, one a cycle.
// Order: packets leave as they came, those that are replayed and new ones in turn. One new packet waits here at a time.
// Aside: the new packet here, of a slot that has parked ones (behind_i), goes to these (rsp_join) when no other new one
//   is between here and its verdict there (left_i). So it is not read.
// Cycles: 3 more than a record has words. Reset: clears itself. Errors: none.
module rsp_store #(
    parameter int unsigned ENTRIES  = 64,
    parameter logic [31:0] FEATURES = '1,      // as REG FEATURES: what the records need not have
    parameter int unsigned QPN_W    = 24,      // ... and of QPNs and slots
    parameter int unsigned SLOTS    = 4096,
    localparam int unsigned EW      = $clog2(ENTRIES)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      in_valid_i,
    output logic                      in_ready_o,
    input  cairn_int_pkg::rsp_rec_t   in_i,
    // replay
    input  logic                      again_valid_i,
    output logic                      again_ready_o,
    input  logic [EW-1:0]             again_place_i,
    input  logic                      again_first_i,
    // the new one here may be parked aside; of the record only slot and over
    output cairn_int_pkg::rsp_aside_t aside_o,
    input  logic                      behind_i,      // its slot has parked ones, and it is not over its share
    input  logic                      aside_i,       // it is parked aside
    input  logic                      left_i,        // strobe: a new one has its verdict
    // a packet needs its place no more
    input  logic                      free_i,
    input  logic [EW-1:0]             free_place_i,
    // to rsp_walk
    output logic                      out_valid_o,
    output logic                      out_again_o,
    output logic                      out_first_o,
    output logic [EW-1:0]             out_place_o,
    output cairn_int_pkg::rsp_rec_t   out_o,
    input  logic                      done_i,
    output logic                      idle_o
);
  localparam int unsigned WORD_W = 144;
  localparam bit ATOMIC = FEATURES[cairn_hw_pkg::REG_FEATURES_ATOMIC_LSB];
  localparam bit SRQ    = FEATURES[cairn_hw_pkg::REG_FEATURES_SRQ_LSB];
  localparam bit MW     = FEATURES[cairn_hw_pkg::REG_FEATURES_MW_LSB];
  localparam int unsigned OFTEN_W = cairn_int_pkg::RSP_REC_W - cairn_int_pkg::RSP_ATOMIC_W - cairn_int_pkg::RSP_SRQ_W
                                    - cairn_int_pkg::RSP_INV_W;
  // (atomics are the last that is left out, SRQs the first)
  localparam int unsigned USED_W  = ATOMIC ? cairn_int_pkg::RSP_REC_W : OFTEN_W
                                    + ((SRQ || MW) ? cairn_int_pkg::RSP_SRQ_W : 0)
                                    + (MW ? cairn_int_pkg::RSP_INV_W : 0);
  localparam int unsigned WORDS = (USED_W + WORD_W - 1) / WORD_W;
  localparam int unsigned CW    = $clog2(WORDS);
  localparam int unsigned ALL_W = WORDS * WORD_W;

  // ---- a record as it is kept: what the build has not is behind the rest ----
  logic [cairn_int_pkg::RSP_REC_W-1:0] in_all, out_all;
  logic [ALL_W-1:0]                    in_words, out_words_q;
  cairn_int_pkg::rsp_rec_t             out;
  assign in_all = {in_i.kind, in_i.id, in_i.psn, in_i.npsn, in_i.start, in_i.last, in_i.se, in_i.ackreq, in_i.has_imm,
                   in_i.take, in_i.rtr, in_i.data, in_i.place, in_i.imm, in_i.rq, in_i.pd, in_i.eqn, in_i.verdict,
                   in_i.silent, in_i.sync, in_i.ud, in_i.over, in_i.rq_cqn, in_i.more,
                   ATOMIC ? {in_i.atomic, in_i.srq, in_i.inv} : {in_i.srq, in_i.inv, in_i.atomic}};
  assign in_words = ALL_W'(in_all[cairn_int_pkg::RSP_REC_W-1 -: USED_W]);
  if (USED_W == cairn_int_pkg::RSP_REC_W) begin : g_all
    assign out_all = out_words_q[USED_W-1:0];
  end else begin : g_used
    assign out_all = {out_words_q[USED_W-1:0], {(cairn_int_pkg::RSP_REC_W - USED_W){1'b0}}};
  end
  always_comb begin
    out = '0;
    {out.kind, out.id, out.psn, out.npsn, out.start, out.last, out.se, out.ackreq, out.has_imm, out.take, out.rtr,
     out.data, out.place, out.imm, out.rq, out.pd, out.eqn, out.verdict, out.silent, out.sync, out.ud, out.over,
     out.rq_cqn, out.more} = out_all[cairn_int_pkg::RSP_REC_W-1 -: OFTEN_W];
    if (ATOMIC) {out.atomic, out.srq, out.inv} = out_all[cairn_int_pkg::RSP_REC_W-OFTEN_W-1:0];
    else {out.srq, out.inv, out.atomic} = out_all[cairn_int_pkg::RSP_REC_W-OFTEN_W-1:0];
  end
  rsp_have #(.FEATURES(FEATURES), .QPN_W(QPN_W), .SLOTS(SLOTS)) u_have (.rec_i(out), .rec_o(out_o));

  // ---- free places: the next one that is free in turn. One is taken while its two bits differ; four share a word ----
  localparam int unsigned PW = EW - 2;
  logic          init_q, free_valid, stored;
  logic [PW-1:0] init_at_q;
  logic [EW-1:0] place;
  logic [3:0]    took [0:ENTRIES/4-1];
  logic [3:0]    gave [0:ENTRIES/4-1];
  logic [3:0]    took_now, gave_now, gave_was;
  assign took_now   = took[place[EW-1:2]];
  assign gave_now   = gave[place[EW-1:2]];
  assign gave_was   = gave[free_place_i[EW-1:2]];
  assign free_valid = took_now[place[1:0]] == gave_now[place[1:0]];
  always_ff @(posedge clk_i) begin
    if (init_q || stored) took[init_q ? init_at_q : place[EW-1:2]] <= init_q ? '0 : took_now ^ (4'h1 << place[1:0]);
  end
  always_ff @(posedge clk_i) begin
    if (init_q || free_i) begin
      gave[init_q ? init_at_q : free_place_i[EW-1:2]] <= init_q ? '0 : gave_was ^ (4'h1 << free_place_i[1:0]);
    end
  end

  // ---- in ----
  logic              write, new_q, over_q;
  logic [2:0]        way_q;                // new ones on their way, at most one here, one in rsp_walk and two behind
  logic [cairn_int_pkg::SLOT_W-1:0] slot_q;
  logic [CW-1:0]     put_q, get_q, got_q;
  logic [EW-1:0]     new_place_q;
  logic [WORD_W-1:0] word_in, word_out;
  assign write      = in_valid_i && free_valid && !new_q && !init_q;
  assign stored     = write && put_q == CW'(WORDS - 1);
  assign in_ready_o = stored;
  always_comb begin
    aside_o             = '0;
    aside_o.valid       = new_q && way_q == 3'd1;
    aside_o.place       = 8'(new_place_q);
    aside_o.rec.id.slot = slot_q;
    aside_o.rec.over    = over_q;
  end
  always_comb begin
    word_in = '0;
    for (int unsigned i = 0; i < WORDS; i++) if (put_q == CW'(i)) word_in = in_words[WORD_W*i +: WORD_W];
  end

  // ---- out ----
  typedef enum logic [1:0] {R_IDLE, R_READ, R_LAST, R_SHOW} state_e;
  state_e state_q;
  logic   read_q;
  logic   turn_q, begins;
  assign again_ready_o = state_q == R_IDLE && !(turn_q && new_q && !behind_i);
  assign begins        = state_q == R_IDLE && new_q && !behind_i && (turn_q || !again_valid_i);
  ram_1r1w #(.WIDTH(WORD_W), .DEPTH(ENTRIES << CW), .BYPASS(2)) u_words (
      .clk_i, .we_i(write), .waddr_i({place, put_q}), .wdata_i(word_in),
      .re_i(state_q == R_READ), .raddr_i({out_place_o, get_q}), .rdata_o(word_out));
  for (genvar g = 0; g < WORDS; g++) begin : g_word
    always_ff @(posedge clk_i) if (read_q && got_q == CW'(g)) out_words_q[WORD_W*g +: WORD_W] <= word_out;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      init_at_q <= '0;
      place     <= '0;
      state_q   <= R_IDLE;
      put_q     <= '0;
      new_q     <= 1'b0;
      way_q     <= '0;
      read_q    <= 1'b0;
    end else begin
      if (init_q) begin
        init_at_q <= init_at_q + 1'b1;
        init_q    <= init_at_q != '1;
      end
      if (stored || !(free_valid || init_q)) place <= place + 1'b1;
      if (stored) put_q <= '0;
      else if (write) put_q <= put_q + 1'b1;
      way_q  <= way_q + 3'(stored) - 3'(left_i) - 3'(aside_i);
      new_q  <= stored || (new_q && !aside_i && !begins);
      read_q <= state_q == R_READ;
      case (state_q)
        R_IDLE:  if (again_valid_i || begins) state_q <= R_READ;
        R_READ:  if (get_q == CW'(WORDS - 1)) state_q <= R_LAST;
        R_LAST:  state_q <= R_SHOW;
        default: if (done_i) state_q <= R_IDLE;
      endcase
    end
    if (stored) {new_place_q, slot_q, over_q} <= {place, in_i.id.slot, in_i.over};
    if (state_q == R_IDLE) begin
      turn_q      <= again_ready_o && again_valid_i;
      out_again_o <= !begins;
      out_first_o <= again_first_i;
      out_place_o <= begins ? new_place_q : again_place_i;
      get_q       <= '0;
    end else if (state_q == R_READ) begin
      get_q <= get_q + 1'b1;
    end
    got_q <= get_q;
  end
  assign out_valid_o = state_q == R_SHOW;
  assign idle_o      = !init_q && !in_valid_i && !new_q && state_q == R_IDLE;

`ifdef VERILATOR
  logic [3:0] took_was;
  assign took_was = took[free_place_i[EW-1:2]];
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!free_i || took_was[free_place_i[1:0]] != gave_was[free_place_i[1:0]]);
  end
`endif
endmodule
