// SPDX-License-Identifier: Apache-2.0
// What waits in a pend_queue of few numbers: a bit each, in words, and the word whose numbers leave now.
//
// look_i: the number look_id_i was kicked. It is marked if it does not wait yet.
// Order: word by word, in turn. A word that is taken is copied to cur_q, and holds from then on what is kicked anew; it
//   is taken again only when all others were looked at. Within a word lowest first.
// Words that hold nothing (busy_q) are not read, so taking one needs no write, and the RAM no reset.
// Cycles: one in; one out, but one pause for each word that is looked at, 16 at most. If nothing waits, a number is
//   shown in the cycle of look_i. Errors: none.
module pend_scan #(
    parameter int unsigned ID_W = 7
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            look_i,
    input  logic [ID_W-1:0] look_id_i,
    output logic            ready_o,
    output logic            out_valid_o,
    input  logic            out_ready_i,
    output logic [ID_W-1:0] out_id_o,
    output logic            empty_o
);
  localparam int unsigned WORD_LOG2 = (ID_W > 5) ? ID_W - 4 : (ID_W > 1) ? ID_W - 1 : 0;    // up to 16 words
  localparam int unsigned AT_W      = ID_W - WORD_LOG2;
  localparam int unsigned WORDS     = 1 << AT_W;
  localparam int unsigned WORD_W    = 1 << WORD_LOG2;
  localparam int unsigned BIT_W     = (WORD_LOG2 > 0) ? WORD_LOG2 : 1;

  logic [WORD_W-1:0] mem [0:WORDS-1];
  logic [WORD_W-1:0] cur_q, look_bit, at_look, at_next;
  logic [WORDS-1:0]  busy_q;
  logic [AT_W-1:0]   at_q, cur_at_q, look_at;    // at_q: the word whose turn it is
  logic [BIT_W-1:0]  cur_bit;
  logic              cur_valid, none, direct, load, same, waits, mark;

  assign look_at   = look_id_i[ID_W-1 -: AT_W];
  if (WORD_LOG2 > 0) begin : g_bit
    assign look_bit = WORD_W'(1) << look_id_i[BIT_W-1:0];
    assign out_id_o = cur_valid ? {cur_at_q, cur_bit} : look_id_i;
  end else begin : g_no_bit
    assign look_bit = 1'b1;
    assign out_id_o = cur_valid ? cur_at_q : look_id_i;
  end
  assign at_look   = mem[look_at];
  assign at_next   = mem[at_q];

  // ---- what leaves ----
  prio_enc #(.N(WORD_W)) u_bit (.in_i(cur_q), .valid_o(cur_valid), .idx_o(cur_bit));
  assign none        = !cur_valid && busy_q == '0;
  assign direct      = look_i && none;
  assign out_valid_o = cur_valid || direct;

  // ---- the next word ----
  assign load  = !cur_valid && busy_q[at_q];
  // A kick while its word is taken goes with it; while it leaves or waits there, it waits already.
  assign same  = look_i && look_at == at_q;
  assign waits = cur_valid && look_at == cur_at_q && (cur_q & look_bit) != '0;
  assign mark  = look_i && !direct && !waits && !(load && same);
  always_ff @(posedge clk_i) begin
    if (mark) mem[look_at] <= look_bit | (busy_q[look_at] ? at_look : '0);
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < WORDS; i++) begin
      if (!rst_ni) busy_q[i] <= 1'b0;
      else if (mark && look_at == AT_W'(i)) busy_q[i] <= 1'b1;
      else if (load && at_q == AT_W'(i)) busy_q[i] <= 1'b0;
    end
    if (!rst_ni) begin
      cur_q <= '0;
      at_q  <= '0;
    end else begin
      if (!cur_valid && busy_q != '0) at_q <= at_q + 1'b1;
      if (load) cur_q <= at_next | (same ? look_bit : '0);
      else if (!cur_valid) cur_q <= (direct && !out_ready_i) ? look_bit : '0;
      else if (out_ready_i) cur_q <= cur_q & (cur_q - 1'b1);
    end
    if (!cur_valid) cur_at_q <= load ? at_q : look_at;
  end
  assign ready_o = rst_ni;
  assign empty_o = none;
endmodule
