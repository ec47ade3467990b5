// SPDX-License-Identifier: Apache-2.0
// Descriptors of sent messages (sq_desc), a cache: direct-mapped by slot and block index.
//
// req_issue writes one when a message's last packet is committed. cmp_retire reads it to retire the WQE without
// fetching it, cmp_check to place the data of a READ or atomic that goes to one element. The reader compares QPN,
// generation and index, and reads the WQE itself when they differ.
// Cycles: read data one cycle later; a word written in the same cycle reads as before. Reset: cleared.
module sq_desc #(
    parameter int unsigned ENTRIES = 1024,
    parameter int unsigned SLOTS   = 128    // of the QP cache
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
  ram_1r1w #(.WIDTH(cairn_int_pkg::SQ_DESC_W), .DEPTH(ENTRIES)) u_ram (
      .clk_i, .we_i(put_i.valid || init_q), .waddr_i(waddr), .wdata_i(init_q ? '0 : put_i.desc),
      .re_i(1'b1), .raddr_i(raddr), .rdata_o(desc_o));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_idx_q <= '0;
    end else if (init_q) begin
      init_idx_q <= init_idx_q + 1'b1;
      init_q     <= !(&init_idx_q);
    end
  end
endmodule
