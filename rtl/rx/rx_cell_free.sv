// SPDX-License-Identifier: Apache-2.0
// Gives the cells of consumed packets back to the free list, one cell a cycle.
//
// Two sources: the pool's read side, which knows the number of cells already, and the modules that drop a packet unread
// (qp_lookup, rx_dispatch), for which it is looked up. Packets of one cell need no walk through the linked list.
// Owns: its own copies of the next-cell and cell-count RAMs, written along with the others. Errors: none.
module rx_cell_free #(
    parameter int unsigned CELLS = 1024,
    localparam int unsigned IDX_W = $clog2(CELLS),
    localparam int unsigned CNT_W = 5
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // copies of what the writer stores
    input  cairn_int_pkg::pool_write_t write_i,
    // from the read side
    input  logic                       rel_valid_i,
    output logic                       rel_ready_o,
    input  logic [IDX_W-1:0]           rel_cell_i,
    input  logic [CNT_W-1:0]           rel_count_i,
    // unread packets
    input  logic                       free_valid_i,
    output logic                       free_ready_o,
    input  logic [IDX_W-1:0]           free_cell_i,
    // to rx_cell_alloc
    output logic                       ret_valid_o,
    input  logic                       ret_ready_i,
    output logic [IDX_W-1:0]           ret_cell_o,
    output logic                       ret_first_o,   // the first of its packet
    output logic                       idle_o
);
  // One unread packet waits for its count; it goes before the read side's.
  logic             pend_q, pend_push;
  logic [IDX_W-1:0] pend_cell_q;
  logic [CNT_W-1:0] pend_count;

  ram_1r1w #(.WIDTH(CNT_W), .DEPTH(CELLS), .BYPASS(1)) u_count (
      .clk_i, .we_i(write_i.count_we), .waddr_i(write_i.count_addr[IDX_W-1:0]), .wdata_i(write_i.count_data),
      .re_i(free_valid_i && free_ready_o), .raddr_i(free_cell_i), .rdata_o(pend_count));

  assign free_ready_o = !pend_q || pend_push;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pend_q <= 1'b0;
    else if (free_ready_o) pend_q <= free_valid_i;
  end

  always_ff @(posedge clk_i) if (free_ready_o) pend_cell_q <= free_cell_i;

  // Packets to return
  logic                   fifo_in_ready, list_valid, list_ready;
  logic [IDX_W+CNT_W-1:0] list_data;
  logic [IDX_W-1:0]       list_cell;
  logic [CNT_W-1:0]       list_count;

  assign pend_push   = pend_q && fifo_in_ready;
  assign rel_ready_o = fifo_in_ready && !pend_q;

  sync_fifo #(.WIDTH(IDX_W + CNT_W), .DEPTH(8)) u_list (
      .clk_i, .rst_ni,
      .in_valid_i(pend_q || rel_valid_i), .in_ready_o(fifo_in_ready),
      .in_data_i(pend_q ? {pend_count, pend_cell_q} : {rel_count_i, rel_cell_i}),
      .out_valid_o(list_valid), .out_ready_i(list_ready), .out_data_o(list_data));

  assign {list_count, list_cell} = list_data;

  // Walk: the first cell comes from the list, the others from the next-cell RAM.
  logic             walk_q, step;
  logic [CNT_W-1:0] left_q;
  logic [IDX_W-1:0] next_cell;

  assign ret_valid_o = walk_q || list_valid;
  assign ret_cell_o  = walk_q ? next_cell : list_cell;
  assign step        = ret_valid_o && ret_ready_i;
  assign ret_first_o = !walk_q;
  assign list_ready  = step && !walk_q;

  ram_1r1w #(.WIDTH(IDX_W), .DEPTH(CELLS), .BYPASS(1)) u_next (
      .clk_i, .we_i(write_i.next_we), .waddr_i(write_i.next_addr[IDX_W-1:0]), .wdata_i(write_i.next_data[IDX_W-1:0]),
      .re_i(step), .raddr_i(ret_cell_o), .rdata_o(next_cell));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) walk_q <= 1'b0;
    else if (step) walk_q <= walk_q ? left_q > CNT_W'(1) : list_count > CNT_W'(1);
  end

  always_ff @(posedge clk_i) begin
    if (step) left_q <= (walk_q ? left_q : list_count) - 1'b1;
  end

  assign idle_o = !pend_q && !list_valid && !walk_q;
endmodule
