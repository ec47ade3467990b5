// SPDX-License-Identifier: Apache-2.0
// Descriptors of sent messages (sq_desc), a cache: direct-mapped by slot and block index.
//
// req_issue writes one when a message's last packet is committed. cmp_retire reads it to retire the WQE without
// fetching it, cmp_check to place the data of a READ or atomic that goes to one element. The reader compares QPN,
// generation and index, and reads the WQE itself when they differ.
// Kept is no more than has to be: where there is one element its length is the message's; a generation is never 0.
// Cycles: read data one cycle later; a word written in the same cycle reads as no descriptor. Reset: cleared.
module sq_desc #(
    parameter int unsigned ENTRIES = 1024,
    parameter int unsigned SLOTS   = 128,   // of the QP cache
    parameter int unsigned QPS_LOG2 = 24    // of a QPN
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  cairn_int_pkg::desc_put_t  put_i,
    input  cairn_int_pkg::desc_look_t look_i,
    output cairn_int_pkg::sq_desc_t   desc_o
);
  localparam int unsigned AW = $clog2(ENTRIES);
  if ((1 << AW) != ENTRIES || AW < 5 || AW > 16 || ($clog2(SLOTS) > 7 && ENTRIES < SLOTS)) begin : g_chk
    $error("sq_desc: ENTRIES must be a power of two, 32 to 65536, one for each of many slots");
  end

  logic          init_q;
  logic [AW-1:0] init_idx_q, waddr, raddr;
  logic [15:0]   wsum, rsum;
  // Neighbouring blocks of a QP lie side by side. QPs are as far apart as the entries let all slots be: of up to 128
  // slots 16 at least. Of a larger cache the first ways of all sets are farthest apart: few QPs are in these.
  localparam int unsigned SL    = $clog2(SLOTS);
  localparam int unsigned APART = (SL > 7) ? AW - SL : (AW > 11) ? AW - 7 : 4;
  logic [SL-1:0] wslot, rslot;
  if (SL > 7) begin : g_far
    assign wslot = {put_i.slot[SL-1:3], put_i.slot[0], put_i.slot[1], put_i.slot[2]};
    assign rslot = {look_i.slot[SL-1:3], look_i.slot[0], look_i.slot[1], look_i.slot[2]};
  end else begin : g_near
    assign wslot = put_i.slot[SL-1:0];
    assign rslot = look_i.slot[SL-1:0];
  end
  assign wsum  = put_i.desc.index + (16'(wslot) << APART);
  assign rsum  = look_i.index + (16'(rslot) << APART);
  assign waddr = init_q ? init_idx_q : wsum[AW-1:0];
  assign raddr = rsum[AW-1:0];
  localparam int unsigned OP_W = 4, LEN = cairn_hw_pkg::SGE_LENGTH_LSB;
  if (32'(cairn_hw_pkg::WQE_OP_NOP) >= (1 << OP_W)) begin : g_chk_op
    $error("sq_desc: an operation does not go into OP_W bits");
  end
  typedef struct packed {
    logic [QPS_LOG2-1:0] qpn;
    logic [7:0]          gen;
    logic [15:0]         index;
    logic [2:0]          blocks;
    logic [23:0]         first_psn, next_psn;
    logic [OP_W-1:0]     op;
    logic                signaled, one;
    logic [127:0]        sge;               // with the length of the message
  } kept_t;
  kept_t                   put, read;
  // Whether it is one has a bit of its own where the RAM has it anyhow: what depends on it is deep.
  localparam int unsigned  LIVE = (QPS_LOG2 > 8) ? 1 : 0;
  localparam int unsigned  KEPT_W = $bits(put);
  logic [KEPT_W+LIVE-1:0]  rdata;
  logic                    live, clash;     // what was read was being written
  logic                    we_q, low_q, high_q;   // ... by what says so together
  cairn_int_pkg::sq_desc_t d;
  assign d = put_i.desc;
  always_comb begin
    put = {d.qpn[QPS_LOG2-1:0], d.gen, d.index, d.blocks, d.first_psn, d.next_psn, d.op[OP_W-1:0], d.signaled, d.one,
           d.sge};
    put.sge[LEN +: 32] = d.len;
    if (init_q) put.gen = '0;             // what else stands there means nothing then
  end
  ram_1r1w #(.WIDTH(KEPT_W + LIVE), .DEPTH(ENTRIES), .BYPASS(2)) u_ram (
      .clk_i, .we_i(put_i.valid || init_q), .waddr_i(waddr), .wdata_i((KEPT_W+LIVE)'({!init_q, put})),
      .re_i(1'b1), .raddr_i(raddr), .rdata_o(rdata));
  assign read   = rdata[KEPT_W-1:0];
  assign clash  = we_q && low_q && high_q;
  assign live   = (LIVE != 0) ? rdata[KEPT_W+LIVE-1] : read.gen != '0;
  assign desc_o = {live && !clash, 24'(read.qpn), read.gen, read.index, read.blocks, read.first_psn,
                   read.next_psn, 8'(read.op), read.signaled, read.sge[LEN +: 32], read.one, read.sge};
  logic unused;
  assign unused = ^{d.valid, d.qpn, d.op, d.sge};
  always_ff @(posedge clk_i) begin
    we_q   <= put_i.valid || init_q;
    low_q  <= waddr[AW/2-1:0] == raddr[AW/2-1:0];
    high_q <= waddr[AW-1:AW/2] == raddr[AW-1:AW/2];
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_idx_q <= '0;
    end else if (init_q) begin
      init_idx_q <= init_idx_q + 1'b1;
      init_q     <= !(&init_idx_q);
    end
  end
endmodule
