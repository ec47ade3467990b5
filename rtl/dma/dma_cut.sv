// SPDX-License-Identifier: Apache-2.0
// What dma_split does, for reads of a narrow data path: a piece in two cycles, found by one set of adders for first and
// later pieces alike, and no adder behind another one's choice.
//
//   command -> what is left of it --> piece, in registers
//
// PCIe base specification 2.2.7. The next command comes in when the last piece of the one before has been formed. The
// page of the address is added to once, on its way out: a command has 4096 bytes at most, so it crosses one boundary.
// Cycles: the first piece 2 after the command. Errors: none.
module dma_cut #(
    parameter int unsigned META_W = 8
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [2:0]                      block_i,       // 128 << n bytes, above 5 counts as 5
    input  logic                            in_valid_i,
    output logic                            in_ready_o,
    input  logic [63:0]                     in_addr_i,
    input  logic [cairn_int_pkg::LEN_W-1:0] in_len_i,      // 0: one piece of length 0
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

  // What is left of the command: page and place in it of the next byte, bytes, those before it.
  logic              have_q, first_q, cross_q;
  logic [51:0]       page_q;
  logic [11:0]       at_q;
  logic [LEN_W-1:0]  left_q, off_q;
  logic [2:0]        block_q;
  logic [META_W-1:0] meta_q;

  // The next piece ends with its block, which has gap + 1 bytes from its first byte on, or with the command. Whether
  // both do is seen without a carry.
  logic [11:0]      mask;
  logic [LEN_W-1:0] gap, room;
  logic [LEN_W:0]   past, minus;     // bytes behind it; negative: the command ends before the block
  logic             even, more, move;
  logic [12:7]      behind;          // the block behind this one, in its page
  assign mask   = {block_q > 3'd4, block_q > 3'd3, block_q > 3'd2, block_q > 3'd1, block_q > 3'd0, 7'h7f};
  assign gap    = {1'b0, ~at_q & mask};
  assign room   = gap + LEN_W'(1);
  assign minus  = ~{1'b0, gap};
  assign past   = {1'b0, left_q} + minus;
  assign even   = ({1'b0, left_q} ^ minus) == (({1'b0, left_q} | minus) << 1);
  assign more   = !past[LEN_W] && !even;
  assign behind = {1'b0, at_q[11:7] | mask[11:7]} + 6'd1;
  assign move   = have_q && !out_valid_o;

  assign in_ready_o = !have_q;

  // Pieces of the command: how many blocks its bytes touch.
  logic [LEN_W:0] span;
  assign span = {2'b00, at_q & mask} + {1'b0, left_q} + {2'b00, mask};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      have_q      <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      have_q      <= have_q ? !move || more : in_valid_i;
      out_valid_o <= out_valid_o ? !out_ready_i : have_q;
    end
    if (!have_q) begin
      page_q  <= in_addr_i[63:12];
      block_q <= block_i;
      meta_q  <= in_meta_i;
    end
    if (!have_q || move) begin
      at_q    <= have_q ? {behind[11:7], 7'h0} : in_addr_i[11:0];
      left_q  <= have_q ? past[LEN_W-1:0] : in_len_i;
      cross_q <= have_q && (cross_q || behind[12]);
      first_q <= !have_q;
    end
    if (!have_q) off_q <= '0;
    else if (move) off_q <= off_q + room;
    if (move) begin
      out_addr_o  <= {page_q + {51'h0, cross_q}, at_q};
      out_len_o   <= more ? room : left_q;
      out_ends_o  <= more ? {gap[LEN_W-1:2] + 11'd1, 2'b00} : left_q + {11'd0, at_q[1:0]};
      out_off_o   <= off_q;
      out_first_o <= first_q;
      out_last_o  <= !more;
      out_meta_o  <= meta_q;
    end
    if (move && first_q) out_pieces_o <= 6'(span >> (4'd7 + {1'b0, (block_q > 3'd5) ? 3'd5 : block_q}));
  end
endmodule
