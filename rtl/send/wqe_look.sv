// SPDX-License-Identifier: Apache-2.0
// A lookup port of wqe_fetch: its own copy of tags, of what is here and of the blocks.
//
// Order: a look-up sees what was written in the cycles before its own. A block must not be written while it is here.
// Cycles: tags are compared in the cycle of the request; the answer stands in the next one. Reset: none is answered;
//   wqe_fetch clears the tags and keeps off_i high meanwhile. Errors: of a block, in found_o.
module wqe_look #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    localparam int unsigned WAYS  = 4,
    localparam int unsigned SW    = (SETS > 1) ? $clog2(SETS) : 1,
    localparam int unsigned GW    = $clog2(SETS * WAYS),
    localparam int unsigned TW    = cairn_int_pkg::WQE_GROUP_W,
    localparam int unsigned BPB   = 512 / DATA_W
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       off_i,       // nothing is here for now
    input  cairn_int_pkg::wqe_lookup_t look_i,
    output cairn_int_pkg::wqe_found_t  found_o,
    output logic                       hit_o,       // in the cycle of the request: it is here, in this group
    output logic [GW-1:0]              group_o,
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
    // a beat of a block, and that its check word is another's
    input  logic [BPB-1:0]             ram_we_i,
    input  logic [GW+2:0]              ram_at_i,
    input  logic [BPB*(DATA_W+1)-1:0]  ram_i
);
  localparam int unsigned COL   = DATA_W + 1;
  localparam int unsigned CHECK = cairn_hw_pkg::WQE_CHECK_LSB / DATA_W * COL + DATA_W;
  logic [12:0]        no;
  logic [SW-1:0]      set;
  logic [2:0]         block;
  logic [WAYS-1:0]    match, here, failed;
  logic [BPB*COL-1:0] data;
  logic [511:0]       wqe;
  logic               hit_q, fail_q;
  assign {no, block} = look_i.index;
  // Consecutive groups of a QP and equal groups of neighbouring QPs go to different sets.
  assign set = no[SW-1:0] ^ look_i.qpn[SW-1:0] ^ look_i.qpn[2*SW-1:SW];
  for (genvar i = 0; i < WAYS; i++) begin : g_way
    logic [TW:0] tag [0:SETS-1];
    logic [15:0] state [0:SETS-1];
    logic [7:0]  have, fail;
    always_ff @(posedge clk_i) begin
      if (tag_we_i[i]) tag[tag_set_i] <= {tag_live_i, tag_i};
      if (state_we_i && state_group_i[1:0] == 2'(i)) state[state_group_i[GW-1:2]] <= {have_i, fail_i};
    end
    assign match[i]     = tag[set] == {1'b1, look_i.qpn, look_i.gen, no};
    assign {have, fail} = state[set];
    assign here[i]      = have[block];
    assign failed[i]    = fail[block];
  end
  assign hit_o   = look_i.valid && !off_i && (match & here) != '0;
  assign group_o = {set, match[3] || match[2], match[3] || match[1]};
  ram_1r1w #(.WIDTH(BPB * COL), .DEPTH(SETS * WAYS * 8), .COL_W(COL), .BYPASS(2)) u_data (
      .clk_i, .we_i(ram_we_i), .waddr_i(ram_at_i), .wdata_i(ram_i),
      .re_i(look_i.valid), .raddr_i({group_o, block}), .rdata_o(data));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) hit_q <= 1'b0;
    else hit_q <= hit_o;
    fail_q <= (match & failed) != '0;
  end
  for (genvar i = 0; i < BPB; i++) begin : g_beat
    assign wqe[DATA_W*i +: DATA_W] = data[COL*i +: DATA_W];
  end
  assign found_o = {hit_q && !fail_q, hit_q && (fail_q || data[CHECK]), wqe};
endmodule
