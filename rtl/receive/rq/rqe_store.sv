// SPDX-License-Identifier: Apache-2.0
// Elements of receive WQEs on chip: RUNS runs of 64, ONES buffers of 16 for entries of SRQs.
//
// What a DMA read brings goes where its tag says: {turn, address / 16}; done_o tells its end in the same cycle.
// A run's first entry has its place in the group: order_i says which, at the time of the order.
// An element comes one cycle after its address. Errors: a failed read is told by done_o.
module rqe_store #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned RUNS   = 16,
    parameter int unsigned ONES   = 16,      // 0: none
    parameter int unsigned RUNS_AT = 0,      // the first run, / 16
    parameter int unsigned CLIENT  = cairn_int_pkg::RD_RQE,
    localparam int unsigned RUN_ELEMS = 64 * RUNS,
    localparam int unsigned ONE_ELEMS = 16 * ONES,
    localparam int unsigned EAW = $clog2(RUN_ELEMS + ONE_ELEMS)
) (
    input  logic                      clk_i,
    input  logic                      order_i,      // a read into order_at_i, from element order_off_i of it on
    input  logic [9:0]                order_at_i,
    input  logic [5:0]                order_off_i,
    input  cairn_int_pkg::dma_beat_t  beat_i,
    input  logic [DATA_W-1:0]         beat_data_i,
    output cairn_int_pkg::rqe_done_t  done_o,
    input  logic [EAW-1:0]            addr_i,
    output logic [127:0]              el_o
);
  localparam int unsigned LANES = (DATA_W < 128) ? 1 : DATA_W / 128;   // elements per beat
  localparam int unsigned LW    = (LANES > 1) ? $clog2(LANES) : 1;
  localparam int unsigned HALF  = (DATA_W < 128) ? 64 : 128;           // write granule
  localparam int unsigned ELEMS = RUN_ELEMS + ONE_ELEMS;
  localparam int unsigned NW    = $clog2(RUNS);

  cairn_int_pkg::dma_rsp_t rsp;
  logic           mine;
  logic [EAW-1:0] base;
  logic [5:0]     r_elem;
  logic           in_run, order_run;
  logic [5:0]     from [0:RUNS-1];
  assign in_run    = rsp.tag[9:NW+2] == (8-NW)'(RUNS_AT >> (NW + 2));
  assign order_run = order_at_i[9:NW+2] == (8-NW)'(RUNS_AT >> (NW + 2));
  always_ff @(posedge clk_i) if (order_i && order_run) from[order_at_i[2 +: NW]] <= order_off_i;
  assign rsp    = beat_i.meta;
  assign mine   = beat_i.valid && rsp.client == 4'(CLIENT) && !rsp.tag[11];
  assign r_elem = rsp.offset[9:4] + (in_run ? from[rsp.tag[2 +: NW]] : 6'h0);
  assign done_o = {mine && rsp.last, rsp.err, rsp.tag[10:0]};
  // Queues are aligned to 16 bytes: a beat starts at any element, and skip is 0. Buffers are aligned to their size.
  assign base   = EAW'({rsp.tag[9:0], 4'h0});

  logic [EAW-1:0] addr_q;
  always_ff @(posedge clk_i) addr_q <= addr_i;
  if (DATA_W < 128) begin : g_narrow
    logic half;
    assign half = rsp.offset[3];
    ram_1r1w #(.WIDTH(128), .DEPTH(ELEMS), .COL_W(HALF), .BYPASS(2)) u_el (
        .clk_i, .we_i({mine && half && rsp.nbytes != '0, mine && !half && rsp.nbytes != '0}),
        .waddr_i(base | EAW'(r_elem)), .wdata_i({2{beat_data_i}}),
        .re_i(1'b1), .raddr_i(addr_i), .rdata_o(el_o));
    logic unused;
    assign unused = ^addr_q;
  end else if (LANES == 1) begin : g_one
    ram_1r1w #(.WIDTH(128), .DEPTH(ELEMS), .BYPASS(2)) u_el (
        .clk_i, .we_i(mine && rsp.nbytes != '0), .waddr_i(base | EAW'(r_elem)), .wdata_i(beat_data_i),
        .re_i(1'b1), .raddr_i(addr_i), .rdata_o(el_o));
    logic unused;
    assign unused = ^addr_q;
  end else begin : g_wide
    logic [LANES*128-1:0] bank_rd;
    for (genvar b = 0; b < LANES; b++) begin : g_bank
      logic [LW-1:0]      lane;     // which element of the beat is this bank's
      logic [5:0]         elem;
      logic               we;
      assign lane = LW'(b) - r_elem[LW-1:0];
      assign elem = r_elem + 6'(lane);
      assign we   = mine && 32'({lane, 4'h0}) < 32'(rsp.nbytes);
      ram_1r1w #(.WIDTH(128), .DEPTH(ELEMS / LANES), .BYPASS(2)) u_el (
          .clk_i, .we_i(we), .waddr_i(base[EAW-1:LW] | (EAW-LW)'(elem[5:LW])), .wdata_i(beat_data_i[128*lane +: 128]),
          .re_i(1'b1), .raddr_i(addr_i[EAW-1:LW]), .rdata_o(bank_rd[128*b +: 128]));
    end
    assign el_o = bank_rd[128*addr_q[LW-1:0] +: 128];
    logic unused;
    assign unused = ^addr_q[EAW-1:LW];
  end
endmodule
