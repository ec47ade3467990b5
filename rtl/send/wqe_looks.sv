// SPDX-License-Identifier: Apache-2.0
// All that looks at the tags of wqe_fetch: the look-ups of both ports, the question of req_missed, and a fetch, which
// sees the whole set (step_i; with sweep_i the set sweep_set_i).
//
// Each has a copy of its own. ONE: there is one, and in a cycle the completer looks, or the requester
// (req_wqe_ready_o), or neither and the fetch does (none_o is low); nobody asks for req_missed then.
// hit_o, group_o, block_o: in its cycle, that a look-up has found a block; ONE: group and block are port 0's.
// Order: a look sees what was written in the cycles before its own.
// Cycles: answers of look-ups stand in the next one, all else is combinational. Reset: as wqe_look. Errors: of a block,
//   in its answer.
module wqe_looks #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned SETS   = 16,
    parameter int unsigned QPS_LOG2 = 24,        // of a QPN
    parameter bit          ONE    = 1'b0,
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
    input  logic                       sweep_i,
    input  logic [SW-1:0]              sweep_set_i,
    input  cairn_int_pkg::wqe_lookup_t req_wqe_i,
    output logic                       req_wqe_ready_o,
    output cairn_int_pkg::wqe_found_t  req_wqe_o,
    input  cairn_int_pkg::wqe_lookup_t cmp_wqe_i,
    output cairn_int_pkg::wqe_found_t  cmp_wqe_o,
    input  cairn_int_pkg::wqe_lookup_t ask_i,
    output logic                       here_o,
    output logic [1:0]                 hit_o,
    output logic [2*GW-1:0]            group_o,
    output logic [5:0]                 block_o,
    // a fetch
    input  cairn_int_pkg::wqe_group_t  step_i,
    output logic                       none_o,
    output logic [SW-1:0]              set_o,
    output logic [WAYS-1:0]            match_o,
    output logic [WAYS-1:0]            live_o,
    output logic [WAYS*8-1:0]          have_o,
    output logic [WAYS*8-1:0]          coming_o,
    // writes, see wqe_look
    input  logic [WAYS-1:0]            tag_we_i,
    input  logic [SW-1:0]              tag_set_i,
    input  logic                       tag_live_i,
    input  cairn_int_pkg::wqe_group_t  tag_i,
    input  logic                       state_we_i,
    input  logic [GW-1:0]              state_group_i,
    input  logic [7:0]                 have_i,
    input  logic [7:0]                 fail_i,
    input  logic [7:0]                 coming_i,
    input  logic [BPW-1:0]             ram_we_i,
    input  logic [GW+PTW+2:0]          ram_at_i,
    input  logic [BPW*(DATA_W+1)-1:0]  ram_i
);
  cairn_int_pkg::wqe_lookup_t look;     // of the fetch, or of all
  cairn_int_pkg::wqe_found_t  block;    // ONE: the answer, whose ever it is
  if (ONE) begin : g_one
    logic found, cmp_q, unused;     // cmp_q: the answer is the completer's
    always_comb begin
      look = cmp_wqe_i.valid ? cmp_wqe_i : req_wqe_i;
      if (!none_o) {look.qpn, look.gen, look.index[15:3]} = step_i;
    end
    always_ff @(posedge clk_i) cmp_q <= cmp_wqe_i.valid;
    assign none_o          = cmp_wqe_i.valid || req_wqe_i.valid;
    assign req_wqe_ready_o = !cmp_wqe_i.valid;
    assign req_wqe_o       = {block.hit && !cmp_q, block.err && !cmp_q, block.wqe};
    assign cmp_wqe_o       = {block.hit && cmp_q, block.err && cmp_q, block.wqe};
    assign hit_o           = {found && cmp_wqe_i.valid, found && !cmp_wqe_i.valid};
    assign block_o         = {3'h0, look.index[2:0]};
    assign group_o[2*GW-1:GW] = '0;
    assign {here_o, unused}   = {1'b0, ^ask_i};
    wqe_look #(.DATA_W(DATA_W), .SETS(SETS), .QPS_LOG2(QPS_LOG2), .COMING(1'b1)) u_look (
        .clk_i, .rst_ni, .off_i, .look_i(look), .found_o(block), .hit_o(found), .group_o(group_o[GW-1:0]), .sweep_i,
        .sweep_set_i, .set_o, .match_o, .live_o, .have_o, .coming_o, .tag_we_i, .tag_set_i, .tag_live_i, .tag_i,
        .state_we_i, .state_group_i, .have_i, .fail_i, .coming_i, .ram_we_i, .ram_at_i, .ram_i);
  end else begin : g_each
    assign none_o          = 1'b0;
    assign block           = '0;
    logic unused;
    assign unused          = ^block;
    assign req_wqe_ready_o = 1'b1;
    assign block_o         = {cmp_wqe_i.index[2:0], req_wqe_i.index[2:0]};
    assign look            = {1'b0, step_i, 3'd0, 16'h0, 2'd0};
    wqe_look #(.DATA_W(DATA_W), .SETS(SETS), .QPS_LOG2(QPS_LOG2)) u_req (
        .clk_i, .rst_ni, .off_i, .look_i(req_wqe_i), .found_o(req_wqe_o), .hit_o(hit_o[0]), .group_o(group_o[GW-1:0]),
        .sweep_i(1'b0), .sweep_set_i('0), .set_o(), .match_o(), .live_o(), .have_o(), .coming_o(), .tag_we_i,
        .tag_set_i, .tag_live_i, .tag_i, .state_we_i, .state_group_i, .have_i, .fail_i, .coming_i, .ram_we_i, .ram_at_i,
        .ram_i);
    wqe_look #(.DATA_W(DATA_W), .SETS(SETS), .QPS_LOG2(QPS_LOG2)) u_cmp (
        .clk_i, .rst_ni, .off_i, .look_i(cmp_wqe_i), .found_o(cmp_wqe_o), .hit_o(hit_o[1]),
        .group_o(group_o[2*GW-1:GW]), .sweep_i(1'b0), .sweep_set_i('0), .set_o(), .match_o(), .live_o(), .have_o(),
        .coming_o(), .tag_we_i, .tag_set_i, .tag_live_i, .tag_i, .state_we_i, .state_group_i, .have_i, .fail_i,
        .coming_i, .ram_we_i, .ram_at_i, .ram_i);
    // A visit that would find nothing is kept from the requester (req_missed), where more than one is on its way.
    wqe_tags #(.SETS(SETS), .QPS_LOG2(QPS_LOG2)) u_ask (
        .clk_i, .off_i(off_i || DATA_W < 512), .look_i(ask_i), .hit_o(here_o), .fail_o(), .group_o(), .sweep_i(1'b0),
        .sweep_set_i('0), .set_o(), .match_o(), .live_o(), .have_o(), .coming_o(), .tag_we_i, .tag_set_i, .tag_live_i,
        .tag_i, .state_we_i, .state_group_i, .have_i, .fail_i, .coming_i);
    wqe_tags #(.SETS(SETS), .QPS_LOG2(QPS_LOG2), .COMING(1'b1)) u_step (
        .clk_i, .off_i(1'b1), .look_i(look), .hit_o(), .fail_o(), .group_o(), .sweep_i, .sweep_set_i, .set_o, .match_o,
        .live_o, .have_o, .coming_o, .tag_we_i, .tag_set_i, .tag_live_i, .tag_i, .state_we_i, .state_group_i, .have_i,
        .fail_i, .coming_i);
  end
endmodule
