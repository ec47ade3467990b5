// SPDX-License-Identifier: Apache-2.0
// Cuts one DMA read request into memory read requests at multiples of the maximum read request size, so that
// none crosses 4 KiB either (PCIe base specification 2.2.7), one piece a cycle and no pause between requests.
// The number of pieces is known with the first one: the completion side counts against it.
// mrrs_i is sampled per request. flush_i forgets the request.
module dma_rd_split #(
    parameter int unsigned ID_W = 8                 // request number, from dma_rd_tags
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    input  logic                                flush_i,
    input  logic [2:0]                          mrrs_i,       // 128 << n bytes, above 5 counts as 5
    // request: in_valid needs a request number as well, both are taken together
    input  logic                                in_valid_i,
    output logic                                in_ready_o,
    input  logic [cairn_int_pkg::DMA_RD_W-1:0]  in_req_i,
    input  logic [3:0]                          in_client_i,
    input  logic [ID_W-1:0]                     in_id_i,
    // piece
    output logic                                out_valid_o,
    input  logic                                out_ready_i,
    output logic [63:0]                         out_addr_o,
    output logic [cairn_int_pkg::LEN_W-1:0]     out_len_o,
    output logic [cairn_int_pkg::LEN_W-1:0]     out_off_o,    // of its first byte in the request
    output logic [5:0]                          out_pieces_o, // of the whole request, 1 to 33
    output logic [3:0]                          out_client_o,
    output logic [cairn_int_pkg::RTAG_W-1:0]    out_tag_o,    // the client's
    output logic [7:0]                          out_func_o,
    output logic                                out_epoch_o,
    output logic [ID_W-1:0]                     out_id_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  cairn_int_pkg::dma_rd_t req;
  assign req = in_req_i;

  logic             valid_q;
  logic [63:0]      addr_q;
  logic [LEN_W-1:0] left_q, off_q;
  logic [2:0]       mrrs_q;
  logic [5:0]       pieces_q;
  logic [3:0]       client_q;
  logic [cairn_int_pkg::RTAG_W-1:0] tag_q;
  logic [7:0]       func_q;
  logic             epoch_q;
  logic [ID_W-1:0]  id_q;

  // Pieces: how many blocks of MRRS the bytes touch.
  logic [2:0]       mrrs;
  logic [11:0]      new_mask;
  logic [LEN_W:0]   span;
  assign mrrs     = (mrrs_i > 3'd5) ? 3'd5 : mrrs_i;
  assign new_mask = 12'((13'd128 << mrrs) - 13'd1);
  assign span     = {2'b00, req.iova[11:0] & new_mask} + {1'b0, req.len} + {2'b00, new_mask};

  logic [11:0]      mask;
  logic [LEN_W-1:0] room, len;
  logic             more;
  assign mask = 12'((13'd128 << mrrs_q) - 13'd1);
  assign room = {1'b0, mask} + 13'd1 - {1'b0, addr_q[11:0] & mask};
  assign more = left_q > room;
  assign len  = more ? room : left_q;

  assign in_ready_o   = !valid_q || (out_ready_i && !more);
  assign out_valid_o  = valid_q;
  assign out_addr_o   = addr_q;
  assign out_len_o    = len;
  assign out_off_o    = off_q;
  assign out_pieces_o = pieces_q;
  assign out_client_o = client_q;
  assign out_tag_o    = tag_q;
  assign out_func_o   = func_q;
  assign out_epoch_o  = epoch_q;
  assign out_id_o     = id_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) valid_q <= 1'b0;
    else if (in_ready_o) valid_q <= in_valid_i;

    if (in_ready_o) begin
      addr_q   <= req.iova;
      left_q   <= req.len;
      off_q    <= '0;
      mrrs_q   <= mrrs;
      pieces_q <= 6'(span >> (4'd7 + {1'b0, mrrs}));
      client_q <= in_client_i;
      tag_q    <= req.tag;
      func_q   <= req.func;
      epoch_q  <= req.epoch;
      id_q     <= in_id_i;
    end else if (out_ready_i) begin
      addr_q <= {addr_q[63:7] | {52'd0, mask[11:7]}, 7'h7f} + 64'd1;
      left_q <= left_q - room;
      off_q  <= off_q + room;
    end
  end
endmodule
