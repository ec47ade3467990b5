// SPDX-License-Identifier: Apache-2.0
// Packets and cells of each slot between rsp_check and rsp_commit, in one RAM with one port to read, where packets are
// some cycles apart.
//
// look_i: slot look_slot_i is read, unless an end is being counted (then sampled_o is low in the next cycle, and the
//   user looks again). held_o, cells_o, moved_o (one of them moved the state): in the cycle after a look, and until the
//   next one.
// go_i: the packet of the last look will be judged (judge_i), with cells_i more, in the cycle after the last one of
//   go_i. Nothing is looked at meanwhile.
// down: a packet is over; at least 3 cycles apart. Counted a few cycles later.
// Reset: clears itself (init_o). Errors: none.
module rsp_held #(
    parameter int unsigned SLOTS  = 128,
    parameter int unsigned CNT_W  = 7,
    parameter int unsigned CELL_N = 8,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    output logic              init_o,
    input  logic              look_i,
    input  logic [AW-1:0]     look_slot_i,
    output logic              sampled_o,
    output logic              moved_o,
    output logic [CNT_W-1:0]  held_o,
    output logic [CELL_N-1:0] cells_o,
    input  logic              go_i,
    input  logic              judge_i,
    input  logic [AW-1:0]     judge_slot_i,
    input  logic              moves_i,
    input  logic [4:0]        cells_i,
    input  logic              down_valid_i,
    input  logic [AW-1:0]     down_slot_i,
    input  logic [4:0]        down_cells_i
);
  logic          init_q, pend, start, ends_q, we, room_unused;
  logic [AW-1:0] at_q, slot;                 // clearing; of what is over
  logic [4:0]    gone;
  logic [AW-1:0] waddr;
  logic [CNT_W+CELL_N:0] wdata;
  assign init_o = init_q;
  assign start  = pend && !ends_q && !go_i && !judge_i;
  assign we     = init_q || judge_i || ends_q;
  assign waddr  = init_q ? at_q : judge_i ? judge_slot_i : slot;
  always_comb begin
    wdata = {moved_o || moves_i, held_o + 1'b1, cells_o + CELL_N'(cells_i)};
    if (!judge_i) wdata = {moved_o && held_o != CNT_W'(1), held_o - 1'b1, cells_o - CELL_N'(gone)};
    if (init_q) wdata = '0;
  end
  skid_buffer #(.WIDTH(AW + 5)) u_down (
      .clk_i, .rst_ni, .in_valid_i(down_valid_i), .in_ready_o(room_unused), .in_data_i({down_slot_i, down_cells_i}),
      .out_valid_o(pend), .out_ready_i(ends_q), .out_data_o({slot, gone}));
  ram_1r1w #(.WIDTH(1 + CNT_W + CELL_N), .DEPTH(SLOTS), .BYPASS(2)) u_ram (
      .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .re_i(start || look_i),
      .raddr_i(start ? slot : look_slot_i), .rdata_o({moved_o, held_o, cells_o}));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q    <= 1'b1;
      at_q      <= '0;
      ends_q    <= 1'b0;
      sampled_o <= 1'b0;
    end else begin
      if (init_q) begin
        at_q   <= at_q + 1'b1;
        init_q <= at_q != AW'(SLOTS - 1);
      end
      ends_q    <= start;
      sampled_o <= look_i && !start && !ends_q && !judge_i;
    end
  end
`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!down_valid_i || room_unused);
    if (rst_ni && ends_q) assert (held_o != '0 && !judge_i && !go_i);
  end
`endif
endmodule
