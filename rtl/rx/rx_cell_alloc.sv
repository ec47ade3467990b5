// SPDX-License-Identifier: Apache-2.0
// Free list of the RX pool: a ring of cell numbers in LUT RAM.
//
// The writer takes cells while a frame arrives, before it is known whether the frame is good. With its last beat it
// commits them or rewinds; then the cells taken are the next ones again in the following cycle. So a bad frame, or one
// without payload, costs no return traffic.
// Reset: the ring is filled, one cell a cycle; returns wait meanwhile. Errors: none; an empty pool shows as
//   cell_valid_o low.
module rx_cell_alloc #(
    parameter int unsigned CELLS = 1024,  // power of two
    localparam int unsigned IDX_W = $clog2(CELLS)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    // writer: take uses cell_o in the same cycle; commit or rewind includes the take of its own cycle
    output logic             cell_valid_o,
    output logic [IDX_W-1:0] cell_o,
    input  logic             take_i,
    input  logic             commit_i,
    input  logic             rewind_i,
    // cells that come back
    input  logic             ret_valid_i,
    output logic             ret_ready_o,
    input  logic [IDX_W-1:0] ret_cell_i,
    output logic [IDX_W:0]   free_o,        // cells not committed, 0 to CELLS
    output logic             init_done_o
);
  if (CELLS < 32 || (CELLS & (CELLS - 1)) != 0) begin : g_chk_cells
    $error("rx_cell_alloc: CELLS must be a power of two, at least 32");
  end

  logic [IDX_W-1:0] ring [0:CELLS-1];
  logic [IDX_W:0]   wptr_q, base_q, next_q, next_d, init_q;
  logic             push;

  // Read pointers have one bit more than an index, so that full and empty differ.
  assign init_done_o  = init_q[IDX_W];
  assign ret_ready_o  = init_done_o;
  assign push         = !init_done_o || ret_valid_i;
  assign cell_valid_o = next_q != wptr_q;
  assign cell_o       = ring[next_q[IDX_W-1:0]];
  assign next_d       = next_q + {{IDX_W{1'b0}}, take_i};
  assign free_o       = wptr_q - base_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q <= '0;
      wptr_q <= '0;
      base_q <= '0;
      next_q <= '0;
    end else begin
      if (!init_done_o) init_q <= init_q + 1'b1;
      if (push) wptr_q <= wptr_q + 1'b1;
      next_q <= rewind_i ? base_q : next_d;
      if (commit_i) base_q <= next_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) ring[wptr_q[IDX_W-1:0]] <= init_done_o ? ret_cell_i : init_q[IDX_W-1:0];
  end
endmodule
