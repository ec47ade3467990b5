// SPDX-License-Identifier: Apache-2.0
// Cuts one DMA command into TLPs at multiples of a block size (MRRS or MPS), so that none crosses 4 KiB either.
//
// PCIe base specification 2.2.7. One piece a cycle, no pause between commands. The number of pieces is known with the
// first one. The block size is sampled for each command. A command of length 0 gives one piece of length 0. META_W bits
// of the caller go along.
module dma_split #(
    parameter int unsigned META_W = 8
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [2:0]                      block_i,       // 128 << n bytes, above 5 counts as 5
    input  logic                            in_valid_i,
    output logic                            in_ready_o,
    input  logic [63:0]                     in_addr_i,
    input  logic [cairn_int_pkg::LEN_W-1:0] in_len_i,
    input  logic [META_W-1:0]               in_meta_i,
    output logic                            out_valid_o,
    input  logic                            out_ready_i,
    output logic [63:0]                     out_addr_o,
    output logic [cairn_int_pkg::LEN_W-1:0] out_len_o,
    output logic [cairn_int_pkg::LEN_W-1:0] out_off_o,     // of its first byte in the command
    output logic [5:0]                      out_pieces_o,  // of the whole command, 1 to 33
    output logic                            out_first_o,
    output logic                            out_last_o,
    output logic [META_W-1:0]               out_meta_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  logic              valid_q, first_q;
  logic [63:0]       addr_q;
  logic [LEN_W-1:0]  left_q, off_q;
  logic [2:0]        block_q;
  logic [5:0]        pieces_q;
  logic [META_W-1:0] meta_q;

  // Pieces: how many blocks the bytes touch.
  logic [2:0]       block;
  logic [11:0]      new_mask;
  logic [LEN_W:0]   span;
  assign block    = (block_i > 3'd5) ? 3'd5 : block_i;
  assign new_mask = 12'((13'd128 << block) - 13'd1);
  assign span     = {2'b00, in_addr_i[11:0] & new_mask} + {1'b0, in_len_i} + {2'b00, new_mask};

  logic [11:0]      mask;
  logic [LEN_W-1:0] room;
  logic             more;
  assign mask = 12'((13'd128 << block_q) - 13'd1);
  assign room = {1'b0, mask} + 13'd1 - {1'b0, addr_q[11:0] & mask};
  assign more = left_q > room;

  assign in_ready_o   = !valid_q || (out_ready_i && !more);
  assign out_valid_o  = valid_q;
  assign out_addr_o   = addr_q;
  assign out_len_o    = more ? room : left_q;
  assign out_off_o    = off_q;
  assign out_pieces_o = pieces_q;
  assign out_first_o  = first_q;
  assign out_last_o   = !more;
  assign out_meta_o   = meta_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (in_ready_o) valid_q <= in_valid_i;

    if (in_ready_o) begin
      addr_q   <= in_addr_i;
      left_q   <= in_len_i;
      off_q    <= '0;
      first_q  <= 1'b1;
      block_q  <= block;
      pieces_q <= 6'(span >> (4'd7 + {1'b0, block}));
      meta_q   <= in_meta_i;
    end else if (out_ready_i) begin
      addr_q  <= {addr_q[63:7] | {52'd0, mask[11:7]}, 7'h7f} + 64'd1;
      left_q  <= left_q - room;
      off_q   <= off_q + room;
      first_q <= 1'b0;
    end
  end
endmodule
