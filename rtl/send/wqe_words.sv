// SPDX-License-Identifier: Apache-2.0
// What is written to the RAMs of blocks of wqe_fetch (wqe_look): beats from the host, each with what was found of its
// check word, and pushed blocks.
//
// mine_i: a beat, for the block at_i. push_i: a pushed block waits to be put at push_at_i; it is written while no beat
// comes, a word a cycle. more_o: not with its last word.
// Cycles: combinational. Reset: no block is partly written. Errors: none.
module wqe_words #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned GW     = 4,        // bits of a group's number
    parameter bit          PUSH   = 1'b1,
    localparam int unsigned WORD  = (DATA_W < 128) ? 128 : DATA_W,
    localparam int unsigned PARTS = 512 / WORD,
    localparam int unsigned PTW   = (PARTS > 1) ? $clog2(PARTS) : 0,
    localparam int unsigned BPW   = WORD / DATA_W
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      mine_i,
    input  logic                      some_i,     // it has data
    input  logic [5:0]                offset_i,   // in the block
    input  logic [GW+2:0]             at_i,
    input  logic                      bad_i,
    input  logic [DATA_W-1:0]         data_i,
    input  logic                      push_i,
    input  logic [GW+2:0]             push_at_i,
    input  logic [511:0]              block_i,
    output logic                      more_o,
    output logic [BPW-1:0]            we_o,
    output logic [GW+PTW+2:0]         at_o,
    output logic [BPW*(DATA_W+1)-1:0] word_o
);
  localparam int unsigned COL   = DATA_W + 1;
  localparam int unsigned BEATB = DATA_W / 8;
  logic            host, puts;
  logic [WORD-1:0] pushed;
  assign host   = mine_i || !PUSH;
  assign puts   = PUSH && push_i && !mine_i;
  if (PARTS > 1) begin : g_parts
    logic [PTW-1:0] part_q;
    assign more_o = puts && !(&part_q);
    assign at_o   = host ? {at_i, offset_i[5 -: PTW]} : {push_at_i, part_q};
    assign pushed = block_i[WORD*part_q +: WORD];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) part_q <= '0;
      else if (puts) part_q <= part_q + 1'b1;
    end
  end else begin : g_whole
    logic unused;
    assign unused = ^{clk_i, rst_ni};
    assign more_o = 1'b0;
    assign at_o   = host ? at_i : push_at_i;
    assign pushed = block_i;
  end
  for (genvar i = 0; i < BPW; i++) begin : g_beat
    assign we_o[i] = mine_i ? some_i && (BPW == 1 || 32'(offset_i) % (WORD / 8) / BEATB == i) : puts;
    assign word_o[COL*i +: COL] = host ? {bad_i, data_i} : {1'b0, pushed[DATA_W*i +: DATA_W]};
  end
endmodule
