// SPDX-License-Identifier: Apache-2.0
// DMA reads of rqe_fetch: {base, entry, entries, stride} becomes an address and a length, in two steps.
//
// Order: as they came. room_o: an order of the next cycle is taken, whatever is offered in this one.
// Cycles: one read each; two behind the order, and one in the buffer that rd_ready_i ends in.
// Errors: none.
module rqe_issue (
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
  cairn_int_pkg::rqe_order_t a_q;
  logic                      a_valid_q, b_valid_q, b_ready, out_ready;
  logic [63:0]               b_base_q;
  logic [19:0]               b_off_q;    // elements
  logic [6:0]                b_len_q;
  cairn_int_pkg::dma_rd_t    rd;
  logic [cairn_int_pkg::RTAG_W-1:0] b_tag_q;
  assign b_ready       = !b_valid_q || out_ready;
  assign order_ready_o = !a_valid_q || b_ready;
  assign room_o        = !a_valid_q && b_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
    end else begin
      if (order_ready_o) a_valid_q <= order_valid_i;
      if (b_ready) b_valid_q <= a_valid_q;
    end
    if (order_ready_o) a_q <= order_i;
    if (b_ready) begin
      b_base_q <= a_q.base;
      b_off_q  <= 20'(a_q.at) * 20'(a_q.stride);
      b_len_q  <= a_q.n * 7'(a_q.stride);
      b_tag_q  <= a_q.tag;
    end
  end
  always_comb begin
    rd       = '0;
    rd.iova  = b_base_q + {40'h0, b_off_q, 4'h0};
    rd.len   = {2'h0, b_len_q, 4'h0};
    rd.tag   = b_tag_q;
    rd.epoch = epoch_i;
  end
  skid_buffer #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(b_valid_q), .in_ready_o(out_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));
endmodule
