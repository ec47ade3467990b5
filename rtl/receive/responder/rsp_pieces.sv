// SPDX-License-Identifier: Apache-2.0
// The places in memory of packets between rsp_join and rsp_commit, in words of one RAM, where packets are some cycles
// apart. rsp_join says which place in the ring is whose.
//
// put: put_i goes to place put_at_i, a word a cycle; it stays until put_ready_o. One that pauses begins anew.
// get: the one at get_at_i, while there is one (any_i): here_o, place_o, until pop_i, which needs no here_o; get_at_i
//   and any_i are those of the next one in the cycle behind pop_i.
// Cycles: 3 a place, 5 with a second piece; here_o 4 or 6 after any_i. Errors: none.
module rsp_pieces #(
    parameter int unsigned DEPTH = 48,
    localparam int unsigned PW   = $clog2(DEPTH)
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     put_valid_i,
    output logic                     put_ready_o,
    input  logic [PW-1:0]            put_at_i,
    input  cairn_int_pkg::mr_place_t put_i,
    input  logic                     any_i,
    input  logic [PW-1:0]            get_at_i,
    input  logic                     pop_i,
    output logic                     here_o,
    output cairn_int_pkg::mr_place_t place_o
);
  localparam int unsigned WORDS = 5, ONE = 3, WORD_W = 33;      // ONE: without a second piece
  localparam int unsigned ALL_W = WORDS * WORD_W, ONE_W = cairn_int_pkg::MR_PLACE_W - 64;

  if (ONE_W > ONE * WORD_W || ALL_W - ONE * WORD_W < 64) begin : g_chk
    $error("rsp_pieces: a place does not fit its words");
  end

  // ---- in ----
  logic [2:0]        put_q;
  logic [ALL_W-1:0]  words;
  logic [WORD_W-1:0] word_in, word;
  assign words       = {2'b00, put_i.iova1, (ONE*WORD_W)'({put_i.func, put_i.iova0, put_i.len0, put_i.len1})};
  assign put_ready_o = put_q == ((put_i.len1 == '0) ? 3'(ONE - 1) : 3'(WORDS - 1));
  always_comb begin
    word_in = '0;
    for (int unsigned i = 0; i < WORDS; i++) if (put_q == 3'(i)) word_in = words[WORD_W*i +: WORD_W];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !put_valid_i || put_ready_o) put_q <= '0;
    else put_q <= put_q + 3'd1;
  end

  // ---- out ----
  logic [2:0]       get_q, got_q;
  logic             reads, live_q, here_q, two;
  logic [ALL_W-1:0] out_q;
  cairn_int_pkg::mr_place_t p;
  assign reads = any_i && !pop_i && get_q != 3'(WORDS);
  assign two   = out_q[cairn_int_pkg::LEN_W-1:0] != '0;       // (of the first word, which is here by then)
  ram_1r1w #(.WIDTH(WORD_W), .DEPTH(DEPTH * 8), .BYPASS(2)) u_ram (
      .clk_i, .we_i(put_valid_i), .waddr_i({put_at_i, put_q}), .wdata_i(word_in), .re_i(reads),
      .raddr_i({get_at_i, get_q}), .rdata_o(word));
  for (genvar g = 0; g < WORDS; g++) begin : g_word
    always_ff @(posedge clk_i) if (live_q && got_q == 3'(g)) out_q[WORD_W*g +: WORD_W] <= word;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || pop_i || !any_i) begin
      get_q  <= '0;
      live_q <= 1'b0;
      here_q <= 1'b0;
    end else begin
      if (reads) get_q <= get_q + 3'd1;
      live_q <= reads;
      here_q <= here_q || (live_q && (got_q == 3'(WORDS - 1) || (got_q == 3'(ONE - 1) && !two)));
    end
    got_q <= get_q;
  end
  always_comb begin
    {p.func, p.iova0, p.len0, p.len1} = out_q[ONE_W-1:0];
    p.iova1                           = out_q[ONE*WORD_W +: 64];
  end
  assign here_o  = here_q;
  assign place_o = p;
endmodule
