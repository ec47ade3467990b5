// SPDX-License-Identifier: Apache-2.0
// Gives the cells of consumed packets back to the free list, one cell a cycle.
//
// Two sources: the pool's read side, which knows the number of cells already, and the modules that drop a packet unread
// (qp_lookup, rx_dispatch), for which it is looked up. Packets of one cell need no walk through the linked list.
// Errors: none.
module rx_cell_free #(
    parameter int unsigned CELLS = 1024,
    localparam int unsigned IDX_W = $clog2(CELLS),
    localparam int unsigned CNT_W = 5
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // number of cells and links, see rx_links
    output logic                       count_re_o,
    input  logic                       count_ready_i,
    output logic [IDX_W-1:0]           count_cell_o,
    input  logic [CNT_W-1:0]           count_i,
    output logic                       next_re_o,
    input  logic                       next_ready_i,
    output logic [IDX_W-1:0]           next_cell_o,
    input  logic [IDX_W-1:0]           next_i,
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

  assign free_ready_o = (!pend_q || pend_push) && count_ready_i;
  assign count_re_o   = free_valid_i && (!pend_q || pend_push);
  assign count_cell_o = free_cell_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) pend_q <= 1'b0;
    else if (!pend_q || pend_push) pend_q <= free_valid_i && count_ready_i;
  end

  always_ff @(posedge clk_i) if (!pend_q || pend_push) pend_cell_q <= free_cell_i;

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
      .in_data_i(pend_q ? {count_i, pend_cell_q} : {rel_count_i, rel_cell_i}),
      .out_valid_o(list_valid), .out_ready_i(list_ready), .out_data_o(list_data));

  assign {list_count, list_cell} = list_data;

  // Walk: the first cell comes from the list, the others from the next-cell RAM.
  logic             walk_q, step;
  logic [CNT_W-1:0] left_q;

  assign next_re_o   = (walk_q || list_valid) && ret_ready_i;
  assign next_cell_o = ret_cell_o;
  assign ret_valid_o = (walk_q || list_valid) && next_ready_i;
  assign ret_cell_o  = walk_q ? next_i : list_cell;
  assign step        = ret_valid_o && ret_ready_i;
  assign ret_first_o = !walk_q;
  assign list_ready  = step && !walk_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) walk_q <= 1'b0;
    else if (step) walk_q <= walk_q ? left_q > CNT_W'(1) : list_count > CNT_W'(1);
  end

  always_ff @(posedge clk_i) begin
    if (step) left_q <= (walk_q ? left_q : list_count) - 1'b1;
  end

  assign idle_o = !pend_q && !list_valid && !walk_q;
endmodule
