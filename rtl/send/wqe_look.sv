// SPDX-License-Identifier: Apache-2.0
// A lookup port of wqe_fetch: its own copy of tags, of what is here (wqe_tags) and of the blocks.
//
// Where the data path is narrow a look-up brings a part of a block, WORD bits, the first one with the verdict about its
// check word: a RAM of whole blocks would be wide and nearly empty. found_o has the part in the place of each.
// Order: a look-up sees what was written in the cycles before its own. A block must not be written while it is here.
// Cycles: tags are compared in the cycle of the request; the answer stands in the next one. Reset: none is answered;
//   wqe_fetch clears the tags and keeps off_i high meanwhile. Errors: of a block, in found_o.
module wqe_look #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    parameter int unsigned QPS_LOG2 = 24,        // of a QPN
    parameter bit          COMING = 1'b0,        // see wqe_tags
    localparam int unsigned WAYS  = 4,
    localparam int unsigned SW    = (SETS > 1) ? $clog2(SETS) : 1,
    localparam int unsigned GW    = $clog2(SETS * WAYS),
    localparam int unsigned WORD  = (DATA_W < 128) ? 128 : DATA_W,
    localparam int unsigned PARTS = 512 / WORD,
    localparam int unsigned PTW   = (PARTS > 1) ? $clog2(PARTS) : 0,
    localparam int unsigned BPW   = WORD / DATA_W
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       off_i,       // nothing is here for now
    input  cairn_int_pkg::wqe_lookup_t look_i,
    output cairn_int_pkg::wqe_found_t  found_o,
    output logic                       hit_o,       // in the cycle of the request: it is here, in this group
    output logic [GW-1:0]              group_o,
    // the set that is looked at, as in wqe_tags
    input  logic                       sweep_i,
    input  logic [SW-1:0]              sweep_set_i,
    output logic [SW-1:0]              set_o,
    output logic [WAYS-1:0]            match_o,
    output logic [WAYS-1:0]            live_o,
    output logic [WAYS*8-1:0]          have_o,
    output logic [WAYS*8-1:0]          coming_o,
    // whose a group is
    input  logic [WAYS-1:0]            tag_we_i,
    input  logic [SW-1:0]              tag_set_i,
    input  logic                       tag_live_i,
    input  cairn_int_pkg::wqe_group_t  tag_i,
    // its blocks: which are here, which of these could not be read
    input  logic                       state_we_i,
    input  logic [GW-1:0]              state_group_i,
    input  logic [7:0]                 have_i,
    input  logic [7:0]                 fail_i,
    input  logic [7:0]                 coming_i,
    // a beat of a block, and that its check word is another's
    input  logic [BPW-1:0]             ram_we_i,
    input  logic [GW+PTW+2:0]          ram_at_i,
    input  logic [BPW*(DATA_W+1)-1:0]  ram_i
);
  localparam int unsigned COL   = DATA_W + 1;
  localparam int unsigned CHECK = cairn_hw_pkg::WQE_CHECK_LSB / DATA_W * COL + DATA_W;
  logic [BPW*COL-1:0] data;
  logic [WORD-1:0]    word;
  logic               hit_q, fail_q, fail, first_q;
  logic [GW+PTW+2:0]  raddr;
  if (PARTS > 1) begin : g_part
    assign raddr = {group_o, look_i.index[2:0], look_i.part[PTW-1:0]};
  end else begin : g_block
    assign raddr = {group_o, look_i.index[2:0]};
  end
  wqe_tags #(.SETS(SETS), .QPS_LOG2(QPS_LOG2), .COMING(COMING)) u_tags (
      .clk_i, .off_i, .look_i, .hit_o, .fail_o(fail), .group_o, .sweep_i, .sweep_set_i, .set_o, .match_o, .live_o,
      .have_o, .coming_o, .tag_we_i, .tag_set_i, .tag_live_i, .tag_i, .state_we_i, .state_group_i, .have_i, .fail_i,
      .coming_i);
  ram_1r1w #(.WIDTH(BPW * COL), .DEPTH(SETS * WAYS * 8 * PARTS), .COL_W(COL), .BYPASS(2)) u_data (
      .clk_i, .we_i(ram_we_i), .waddr_i(ram_at_i), .wdata_i(ram_i),
      .re_i(look_i.valid), .raddr_i(raddr), .rdata_o(data));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) hit_q <= 1'b0;
    else hit_q <= hit_o;
    fail_q  <= fail;
    first_q <= PARTS == 1 || look_i.part == '0;
  end
  for (genvar i = 0; i < BPW; i++) begin : g_beat
    assign word[DATA_W*i +: DATA_W] = data[COL*i +: DATA_W];
  end
  assign found_o = {hit_q && !fail_q, hit_q && (fail_q || (first_q && data[CHECK])), {PARTS{word}}};
endmodule
