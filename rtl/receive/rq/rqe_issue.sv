// SPDX-License-Identifier: Apache-2.0
// DMA reads of rqe_fetch: {base, entry, entries, stride} becomes an address and a length, in two steps.
//
// Order: as they came. room_o: an order of the next cycle is taken, whatever is offered in this one.
// Cycles: one read each, so that a lookup and what is read ahead can have one each in two cycles; three from the order.
//   ONE: order_valid_i may be late in its cycle: only a flip-flop depends on it.
// Errors: none.
module rqe_issue #(
    parameter bit ONE = 1'b0      // an order at a time, and room_o means nothing
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      epoch_i,
    input  logic                      order_valid_i,
    output logic                      order_ready_o,
    input  cairn_int_pkg::rqe_order_t order_i,
    output logic                      room_o,
    output cairn_int_pkg::dma_read_t  rd_o,
    input  logic                      rd_ready_i
);
  localparam int unsigned DEPTH = 4;
  cairn_int_pkg::rqe_order_t  a;
  logic                       a_valid, b_valid_q, b_ready, out_ready;
  logic [63:0]                b_base_q;
  logic [19:0]                b_off_q;    // elements
  logic [6:0]                 b_len_q;
  cairn_int_pkg::dma_rd_t     rd;
  logic [cairn_int_pkg::RTAG_W-1:0] b_tag_q;
  if (ONE) begin : g_one
    assign order_ready_o = !a_valid;
    assign room_o        = 1'b1;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) a_valid <= 1'b0;
      else a_valid <= a_valid ? !b_ready : order_valid_i;
      if (!a_valid) a <= order_i;
    end
  end else begin : g_orders
    logic [$clog2(DEPTH+1)-1:0] level;
    assign room_o = level < ($clog2(DEPTH+1))'(DEPTH - 1);
    sync_fifo_level #(.WIDTH(cairn_int_pkg::RQE_ORDER_W), .DEPTH(DEPTH)) u_orders (
        .clk_i, .rst_ni, .in_valid_i(order_valid_i), .in_ready_o(order_ready_o), .in_data_i(order_i),
        .out_valid_o(a_valid), .out_ready_i(b_ready), .out_data_o(a), .level_o(level));
  end
  assign b_ready = !b_valid_q || out_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) b_valid_q <= 1'b0;
    else if (b_ready) b_valid_q <= a_valid;
    if (b_ready) begin
      b_base_q <= a.base;
      b_off_q  <= 20'(a.at) * 20'(a.stride);
      b_len_q  <= a.n * 7'(a.stride);
      b_tag_q  <= a.tag;
    end
  end
  always_comb begin
    rd       = '0;
    rd.iova  = b_base_q + {40'h0, b_off_q, 4'h0};
    rd.len   = {2'h0, b_len_q, 4'h0};
    rd.tag   = b_tag_q;
    rd.epoch = epoch_i;
  end
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(b_valid_q), .in_ready_o(out_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
endmodule
