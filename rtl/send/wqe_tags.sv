// SPDX-License-Identifier: Apache-2.0
// Whose the groups of wqe_fetch are and which of their blocks are here: a copy for one that asks.
//
// Order: a question sees what was written in the cycles before its own.
// The whole set that is looked at is shown, too (match_o and so on), also without valid; with sweep_i it is the set
// sweep_set_i, whatever is asked. COMING: blocks on their way are known.
// Cycles: combinational. Reset: wqe_fetch clears the tags and keeps off_i high meanwhile. Errors: none.
module wqe_tags #(
    parameter int unsigned SETS  = 16,
    parameter int unsigned QPS_LOG2 = 24,        // of a QPN
    parameter bit          COMING = 1'b0,
    localparam int unsigned WAYS = 4,
    localparam int unsigned SW   = (SETS > 1) ? $clog2(SETS) : 1,
    localparam int unsigned GW   = $clog2(SETS * WAYS),
    localparam int unsigned TW   = QPS_LOG2 + 21 - SW,   // QPN, generation, group without what the set says
    localparam int unsigned ST_W = COMING ? 24 : 16
) (
    input  logic                       clk_i,
    input  logic                       off_i,       // nothing is here for now
    input  cairn_int_pkg::wqe_lookup_t look_i,
    output logic                       hit_o,       // it is here, in this group
    output logic                       fail_o,      // it could not be read
    output logic [GW-1:0]              group_o,
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
    input  logic [7:0]                 coming_i
);
  logic [12:0]     no;
  logic [SW-1:0]   set;
  logic [2:0]      block;
  logic [WAYS-1:0] match, here, failed;
  assign {no, block} = look_i.index;
  // Consecutive groups of a QP and equal groups of neighbouring QPs go to different sets. Where the QPN is known, the
  // set says the last bits of the group's number.
  assign set     = sweep_i ? sweep_set_i : no[SW-1:0] ^ look_i.qpn[SW-1:0] ^ look_i.qpn[2*SW-1:SW];
  assign set_o   = set;
  assign match_o = match;
  for (genvar i = 0; i < WAYS; i++) begin : g_way
    logic [TW:0]     tag [0:SETS-1];
    logic [ST_W-1:0] state [0:SETS-1];
    logic [TW:0]     its;
    logic [7:0]      have, fail, coming;
    always_ff @(posedge clk_i) begin
      if (tag_we_i[i]) tag[tag_set_i] <= {tag_live_i, tag_i.qpn[QPS_LOG2-1:0], tag_i.gen, tag_i.no[12:SW]};
      if (state_we_i && state_group_i[1:0] == 2'(i)) state[state_group_i[GW-1:2]] <= ST_W'({coming_i, have_i, fail_i});
    end
    assign its                  = tag[set];
    assign match[i]             = its == {1'b1, look_i.qpn[QPS_LOG2-1:0], look_i.gen, no[12:SW]};
    assign live_o[i]            = its[TW];
    assign {coming, have, fail} = 24'(state[set]);
    assign have_o[8*i +: 8]     = have;
    assign coming_o[8*i +: 8]   = coming;
    assign here[i]      = have[block];
    assign failed[i]    = fail[block];
  end
  assign hit_o   = look_i.valid && !off_i && (match & here) != '0;
  assign fail_o  = (match & failed) != '0;
  assign group_o = {set, match[3] || match[2], match[3] || match[1]};
endmodule
