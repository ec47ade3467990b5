// SPDX-License-Identifier: Apache-2.0
// Posted writes of cmp_place, for one packet of READ data at a time. Keeps the MR answers of its elements (piece_*, in
// order from 0, at most 16 of one or two ranges each) and, while write_i, turns pieces_i of them into writes in that
// order: the first is marked, the last frees the packet's cells; the value of an atomic answer comes from its record.
// While discard_i: one write of no bytes that frees the cells. start_i before every packet's writes. load_o: a write is
// taken; last_o with it: the packet's last.
module cmp_place_write (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [cairn_int_pkg::CMP_REC_W-1:0] rec_i,      // the packet
    input  logic               piece_valid_i,
    input  logic [3:0]         piece_at_i,
    input  logic [cairn_int_pkg::MR_RSP_W-1:0]  piece_i,
    input  logic               start_i,
    input  logic [4:0]         pieces_i,
    input  logic               write_i,
    input  logic               discard_i,
    output logic               load_o,
    output logic               last_o,
    output logic               wr_valid_o,
    input  logic               wr_ready_i,
    output logic [cairn_int_pkg::DMA_WR_W-1:0]  wr_cmd_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;
  localparam int unsigned PW    = 8 + 2 * (64 + LEN_W);

  // ---- answers ----
  logic [PW-1:0] pieces [0:15];
  logic [3:0]    at_q;
  cairn_int_pkg::mr_rsp_t a;
  assign a = piece_i;
  always_ff @(posedge clk_i) if (piece_valid_i) pieces[piece_at_i] <= {a.func, a.iova0, a.len0, a.iova1, a.len1};

  // ---- writes ----
  logic [7:0]       func;
  logic [63:0]      iova0, iova1;
  logic [LEN_W-1:0] len0, len1;
  logic             two, second_q, ready;
  cairn_int_pkg::cmp_rec_t rec;
  cairn_int_pkg::dma_wr_t  w;
  assign rec = rec_i;
  assign {func, iova0, len0, iova1, len1} = pieces[at_q];
  assign two    = len1 != '0;
  assign last_o = 5'(at_q) + 5'd1 == pieces_i && (second_q || !two);
  assign load_o = (write_i || discard_i) && ready;
  always_comb begin
    w           = '0;
    w.epoch     = rec.epoch;
    w.payload   = 1'b1;
    w.cell_head = rec.cell_head;
    w.off       = rec.pay_off;
    w.first     = 1'b1;
    w.free      = 1'b1;
    if (write_i) begin
      w.func  = func;
      w.iova  = second_q ? iova1 : iova0;
      w.len   = second_q ? len1 : len0;
      w.first = at_q == '0 && !second_q;
      w.free  = last_o && rec.has_cells;
      w.payload = !rec.atomic;
      // The old value, little-endian like all numbers in host memory; second_q: what the first page had no room for.
      w.data[63:0] = second_q ? rec.orig >> {len0[2:0], 3'h0} : rec.orig;
    end
  end
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_WR_W)) u_wr (
      .clk_i, .rst_ni, .in_valid_i(write_i || discard_i), .in_ready_o(ready), .in_data_i(w),
      .out_valid_o(wr_valid_o), .out_ready_i(wr_ready_i), .out_data_o(wr_cmd_o));

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      at_q     <= '0;
      second_q <= 1'b0;
    end
    if (write_i && load_o) begin
      second_q <= two && !second_q;
      if (second_q || !two) at_q <= at_q + 4'd1;
    end
  end
endmodule
