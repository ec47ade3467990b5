// SPDX-License-Identifier: Apache-2.0
// Packets and cells of each slot between rsp_check and rsp_commit, of many slots in block RAM; rsp_held is the one for
// packets that are some cycles apart.
//
// One table counts what was judged, one what is over, so each has one writer. What is over is counted a cycle later
// (gone_o), so a packet may be held a cycle longer here than there.
// look_i: flying_o (it has some), held_o and cells_o are of look_slot_i from the next cycle on, until the next look.
// judge_i: a packet of the last look, with cells_i. A look in this cycle has it already.
// init_i: init_slot_i is cleared; nothing else happens meanwhile. Errors: none.
module rsp_shares #(
    parameter int unsigned SLOTS  = 128,
    parameter int unsigned CNT_W  = 9,
    parameter int unsigned CELL_N = 11,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              init_i,
    input  logic [AW-1:0]     init_slot_i,
    input  logic              look_i,
    input  logic [AW-1:0]     look_slot_i,
    output logic              flying_o,
    output logic [CNT_W-1:0]  held_o,
    output logic [CELL_N-1:0] cells_o,
    input  logic              judge_i,
    input  logic [AW-1:0]     judge_slot_i,
    input  logic [4:0]        cells_i,
    input  logic              down_valid_i,
    input  logic [AW-1:0]     down_slot_i,
    input  logic [4:0]        down_cells_i,
    output logic              gone_o,
    output logic [4:0]        gone_cells_o
);
  localparam int unsigned BITS = CNT_W + CELL_N;
  logic [CNT_W-1:0]  up, down, was;
  logic [CELL_N-1:0] cells_up, cells_down, cells_was;
  logic [AW-1:0]     gone_slot_q;
  logic              down_we;
  logic [AW-1:0]     down_at;
  logic [BITS-1:0]   down_new;
  ram_1r1w #(.WIDTH(BITS), .DEPTH(SLOTS), .BYPASS(1)) u_up (
      .clk_i, .we_i(init_i || judge_i), .waddr_i(init_i ? init_slot_i : judge_slot_i),
      .wdata_i(init_i ? BITS'(0) : {up + 1'b1, cells_up + CELL_N'(cells_i)}),
      .re_i(look_i), .raddr_i(look_slot_i), .rdata_o({up, cells_up}));
  assign down_we  = init_i || gone_o;
  assign down_at  = init_i ? init_slot_i : gone_slot_q;
  assign down_new = init_i ? BITS'(0) : {was + 1'b1, cells_was + CELL_N'(gone_cells_o)};
  ram_1r1w #(.WIDTH(BITS), .DEPTH(SLOTS), .BYPASS(1)) u_down (
      .clk_i, .we_i(down_we), .waddr_i(down_at), .wdata_i(down_new), .re_i(look_i), .raddr_i(look_slot_i),
      .rdata_o({down, cells_down}));
  ram_1r1w #(.WIDTH(BITS), .DEPTH(SLOTS), .BYPASS(1)) u_was (
      .clk_i, .we_i(down_we), .waddr_i(down_at), .wdata_i(down_new), .re_i(down_valid_i), .raddr_i(down_slot_i),
      .rdata_o({was, cells_was}));
  assign flying_o = up != down;
  assign held_o   = up - down;
  assign cells_o  = cells_up - cells_down;
  always_ff @(posedge clk_i) begin
    gone_o <= rst_ni && down_valid_i;
    if (down_valid_i) {gone_slot_q, gone_cells_o} <= {down_slot_i, down_cells_i};
  end
endmodule
