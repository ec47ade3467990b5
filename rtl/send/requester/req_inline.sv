// SPDX-License-Identifier: Apache-2.0
// Inline bytes of a WQE as a stream for tx_payload.
//
// Segment 0 from bytes 32 to 63 of the first block, segment 1 from the further blocks; each is a packet of the stream
// that starts at byte 0 of a beat, so nothing is shifted. A datagram has its only segment in the further blocks.
// Where blocks come in parts (WORD < 512) the first one is read like the others.
// Order: start_i (only while idle_o) takes the first block's bytes along; the further blocks stay in req_build's
//   buffer, which does not change while this is busy. Errors: none.
module req_inline #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned WORD   = 512,     // of the blocks: DATA_W and more
    localparam int unsigned NW    = 3 + $clog2(512 / WORD)
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      start_i,
    input  logic                      ud_i,
    input  logic [255:0]              first_i,  // bytes 32 to 63 of the first block
    input  logic [7:0]                len0_i,   // 1 to 32; a datagram's whole length, 1 to 224
    input  logic [7:0]                len1_i,   // 0 to 192
    output logic                      idle_o,
    output logic [NW-1:0]             blk_no_o,  // word of the blocks that is read
    input  logic [WORD-1:0]           blk_i,
    output logic                      inl_valid_o,
    input  logic                      inl_ready_i,
    output logic [DATA_W-1:0]         inl_data_o,
    output logic [$clog2(DATA_W/8):0] inl_nbytes_o,
    output logic                      inl_last_o
);
  localparam int unsigned BEATB = DATA_W / 8;
  localparam int unsigned NBW   = $clog2(BEATB) + 1;

  logic         busy_q, seg_q;
  logic [7:0]   len1_q;
  logic [7:0]   left_q;      // bytes of the segment
  logic [7:0]   pos_q;       // byte offset in the segment
  logic [2:0]   blk;
  logic         take;

  assign idle_o      = !busy_q;
  assign blk         = seg_q ? 3'd1 + {1'b0, pos_q[7:6]} : 3'd0;
  logic [DATA_W-1:0] blk_beat;
  if (WORD < 512) begin : g_words
    logic [1:0] part;
    logic       unused;
    assign part       = {pos_q[5] || !seg_q, pos_q[4]};
    assign blk_no_o   = {blk, part[1 -: NW - 3]};
    assign inl_data_o = blk_beat;
    assign unused     = ^first_i;
  end else begin : g_blocks
    logic [255:0]      first_q;
    logic [DATA_W-1:0] first_beat;
    assign blk_no_o   = blk;
    assign inl_data_o = seg_q ? blk_beat : first_beat;
    if (DATA_W < 256) begin : g_first_slice
      assign first_beat = first_q[DATA_W*pos_q[4:NBW-1] +: DATA_W];
    end else begin : g_first
      assign first_beat = DATA_W'(first_q);
    end
    always_ff @(posedge clk_i) if (start_i) first_q <= first_i;
  end
  if (DATA_W < WORD) begin : g_slice
    assign blk_beat = blk_i[DATA_W*pos_q[$clog2(WORD/8)-1:NBW-1] +: DATA_W];
  end else begin : g_whole
    assign blk_beat = blk_i;
  end
  assign inl_valid_o = busy_q;
  assign inl_last_o   = left_q <= 8'(BEATB);
  assign inl_nbytes_o = inl_last_o ? NBW'(left_q) : NBW'(BEATB);
  assign take         = inl_valid_o && inl_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else if (start_i) begin
      busy_q <= 1'b1;
    end else if (take && inl_last_o && (seg_q || len1_q == '0)) begin
      busy_q <= 1'b0;
    end
    if (start_i) begin
      len1_q  <= len1_i;
      left_q  <= len0_i;
      pos_q   <= '0;
      seg_q   <= ud_i;
    end else if (take) begin
      if (inl_last_o) begin
        seg_q  <= 1'b1;
        left_q <= len1_q;
        pos_q  <= '0;
      end else begin
        left_q <= left_q - 8'(BEATB);
        pos_q  <= pos_q + 8'(BEATB);
      end
    end
  end
endmodule
