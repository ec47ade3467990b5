// SPDX-License-Identifier: Apache-2.0
// Cuts one DMA command into TLPs at multiples of a block size (MRRS or MPS), so that none crosses 4 KiB either.
//
// PCIe base specification 2.2.7. One piece a cycle, no pause between commands. The number of pieces is known with the
// first one. The block size is sampled for each command. A command of length 0 gives one piece of length 0. META_W bits
// of the caller go along. All that it puts out are registers: what a piece has is found when the one before it leaves.
module dma_split #(
    parameter int unsigned META_W = 8,
    parameter bit          FULL   = 1'b1    // 0: a piece in two cycles (dma_cut)
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
    output logic [cairn_int_pkg::LEN_W-1:0] out_ends_o,    // of its last byte, from the start of its first DW
    output logic [cairn_int_pkg::LEN_W-1:0] out_off_o,     // of its first byte in the command
    output logic [5:0]                      out_pieces_o,  // of the whole command, 1 to 33
    output logic                            out_first_o,
    output logic                            out_last_o,
    output logic [META_W-1:0]               out_meta_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  if (FULL) begin : g_full
    logic              valid_q, first_q, last_q;
    logic [63:0]       addr_q;
    logic [LEN_W-1:0]  len_q, ends_q, left_q, off_q;   // left: behind this piece
    logic [5:0]        blocks_q;           // size of a block in units of 128 bytes: one bit
    logic [5:0]        pieces_q;
    logic [META_W-1:0] meta_q;

    // Pieces: how many blocks the bytes touch.
    logic [2:0]       block;
    logic [11:0]      new_mask;
    logic [LEN_W:0]   span;
    assign block    = (block_i > 3'd5) ? 3'd5 : block_i;
    assign new_mask = {block > 3'd4, block > 3'd3, block > 3'd2, block > 3'd1, block > 3'd0, 7'h7f};
    assign span     = {2'b00, in_addr_i[11:0] & new_mask} + {1'b0, in_len_i} + {2'b00, new_mask};

    // The first piece ends with its block, which has gap + 1 bytes from its first byte on, or before. Whether that is
    // the end of the command as well is seen without a carry.
    logic [LEN_W-1:0] gap, in_room, in_ends;
    logic [LEN_W:0]   past, minus;      // bytes behind the first piece; negative: it ends before its block does
    logic             even, in_more;
    assign gap     = {1'b0, ~in_addr_i[11:0] & new_mask};
    assign minus   = ~{1'b0, gap};
    assign past    = {1'b0, in_len_i} + minus;
    assign even    = ({1'b0, in_len_i} ^ minus) == (({1'b0, in_len_i} | minus) << 1);
    assign in_more = !past[LEN_W] && !even;
    assign in_room = gap + LEN_W'(1);
    assign in_ends = in_len_i + {11'd0, in_addr_i[1:0]};

    // The next ones are whole blocks, and what is left.
    logic [LEN_W-1:0] whole;
    logic [11:7]      mask;
    logic             more;
    assign whole = {blocks_q, 7'd0};
    for (genvar i = 7; i < 12; i++) begin : g_mask
      assign mask[i] = (blocks_q >> (i - 6)) != '0;
    end
    assign more = (left_q[12:7] & ~{1'b0, mask} & ~blocks_q) != '0
                  || ((left_q[12:7] & blocks_q) != '0 && (left_q[6:0] != '0 || (left_q[11:7] & mask) != '0));

    assign in_ready_o   = !valid_q || (out_ready_i && last_q);
    assign out_valid_o  = valid_q;
    assign out_addr_o   = addr_q;
    assign out_len_o    = len_q;
    assign out_ends_o   = ends_q;
    assign out_off_o    = off_q;
    assign out_pieces_o = pieces_q;
    assign out_first_o  = first_q;
    assign out_last_o   = last_q;
    assign out_meta_o   = meta_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (in_ready_o) valid_q <= in_valid_i;

      if (in_ready_o) begin
        addr_q   <= in_addr_i;
        len_q    <= in_more ? in_room : in_len_i;
        ends_q   <= in_more ? {gap[LEN_W-1:2] + 11'd1, 2'b00} : in_ends;
        left_q   <= past[LEN_W-1:0];
        last_q   <= !in_more;
        off_q    <= '0;
        first_q  <= 1'b1;
        blocks_q <= 6'd1 << block;
        pieces_q <= 6'(span >> (4'd7 + {1'b0, block}));
        meta_q   <= in_meta_i;
      end else if (out_ready_i) begin
        addr_q  <= {addr_q[63:7] | {52'd0, mask}, 7'h7f} + 64'd1;
        len_q   <= more ? whole : left_q;
        ends_q  <= more ? whole : left_q;
        left_q  <= left_q - whole;
        last_q  <= !more;
        off_q   <= off_q + len_q;
        first_q <= 1'b0;
      end
    end
  end else begin : g_cut
    dma_cut #(.META_W(META_W)) u_cut (
        .clk_i, .rst_ni, .block_i, .in_valid_i, .in_ready_o, .in_addr_i, .in_len_i, .in_meta_i,
        .out_valid_o, .out_ready_i, .out_addr_o, .out_len_o, .out_ends_o, .out_off_o, .out_pieces_o, .out_first_o,
        .out_last_o, .out_meta_o);
  end
endmodule
