// SPDX-License-Identifier: Apache-2.0
// Puts payload bytes where they belong in the payload rings.
//
// Host read data (broadcast stream of dma_read, any order, any alignment) and, in cycles without read data, inline
// data. Each beat is rotated to its byte lanes and written to the one or two ring words it touches, which lie in
// different banks of tx_payload_ram. Inline stream: one packet for each inline segment, packed from byte 0.
// Order: the end of a read or inline segment is reported three cycles before its last write; the read's tag is free
//   then. The job that waits for it is six registers away from the builder's read of the word.
// Cycles: one beat a cycle. Errors: a failed read is reported as such.
module tx_fill #(
    parameter int unsigned DATA_W   = 512,
    parameter int unsigned TAGS     = 128,
    parameter int unsigned ADDR_W   = 15,  // byte address in a ring
    parameter int unsigned JSLOT_W  = 6,
    localparam int unsigned TAG_W   = $clog2(TAGS),
    localparam int unsigned BYTES   = DATA_W / 8,
    localparam int unsigned NB_W    = $clog2(BYTES) + 1,
    localparam int unsigned LANE_W  = $clog2(BYTES),
    localparam int unsigned WORD_W  = ADDR_W - LANE_W
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // destinations, from tx_fetch
    input  logic                         dest_we_i,
    input  logic [TAG_W-1:0]             dest_tag_i,
    input  cairn_int_pkg::tx_dest_t      dest_i,
    input  logic                         inl_valid_i,
    output logic                         inl_ready_o,
    input  cairn_int_pkg::tx_dest_t      inl_dest_i,
    // read data
    input  cairn_int_pkg::dma_beat_t     beat_i,
    input  logic [DATA_W-1:0]            beat_data_i,
    // inline data
    input  cairn_int_pkg::beat_t         inline_i,
    output logic                         inline_ready_o,
    input  logic [DATA_W-1:0]            inline_data_i,
    // RAM write: the word of wr_o and the one after it share the rotated data
    output cairn_int_pkg::tx_ram_write_t wr_o,
    output logic [BYTES-1:0]             wr_be_o,       // bytes of wr_o.word
    output logic [BYTES-1:0]             wr_be_next_o,  // bytes of the word after it
    output logic [DATA_W-1:0]            wr_data_o,
    // ended reads and segments
    output cairn_int_pkg::tx_done_t      done_o,
    output logic                         tag_valid_o,
    output logic [TAG_W-1:0]             tag_o,
    output logic                         idle_o
);
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  // ---- r1: read data with its destination
  cairn_int_pkg::dma_rsp_t rsp, r1;
  logic r1_valid_q, mine;
  logic [cairn_int_pkg::DMA_RSP_W-1:0] r1_meta_q;
  logic [DATA_W-1:0]       r1_data_q;
  typedef struct packed {
    logic               ring;
    logic [JSLOT_W-1:0] slot;
    logic [ADDR_W-1:0]  addr;
  } dest_t;
  dest_t                   dest, inl_dest, r1_dest;

  assign rsp  = beat_i.meta;
  assign r1   = r1_meta_q;
  assign mine = beat_i.valid && rsp.client == 4'(cairn_int_pkg::RD_TXP);

  assign dest     = {dest_i.ring, dest_i.slot[JSLOT_W-1:0], dest_i.addr[ADDR_W-1:0]};
  assign inl_dest = {inl_dest_i.ring, inl_dest_i.slot[JSLOT_W-1:0], inl_dest_i.addr[ADDR_W-1:0]};
  ram_1r1w #(.WIDTH($bits(dest)), .DEPTH(TAGS), .BYPASS(2)) u_dest (
      .clk_i, .we_i(dest_we_i), .waddr_i(dest_tag_i), .wdata_i(dest),
      .re_i(mine), .raddr_i(rsp.tag[TAG_W-1:0]), .rdata_o(r1_dest));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) r1_valid_q <= 1'b0;
    else r1_valid_q <= mine;
  end

  always_ff @(posedge clk_i) begin
    if (mine) begin
      r1_meta_q <= beat_i.meta;
      r1_data_q <= beat_data_i;
    end
  end

  // ---- r2: one beat of either kind: data, where its first lane is, where that must go
  logic               inl_take;
  logic [LEN_W-1:0]   inl_off_q;     // bytes of this inline segment already placed
  logic [ADDR_W-1:0] rsp_addr, inl_addr;
  logic r2_valid_q, r2_ring_q;
  logic [ADDR_W-1:0]  r2_addr_q;
  logic [NB_W-1:0]    r2_nb_q;
  logic [LANE_W-1:0]  r2_turn_q;     // to the right
  logic [DATA_W-1:0]  r2_data_q;

  assign rsp_addr       = r1_dest.addr + ADDR_W'(r1.offset);
  assign inl_addr       = inl_dest.addr + ADDR_W'(inl_off_q);
  assign inline_ready_o = inl_valid_i && !r1_valid_q;
  assign inl_take       = inline_i.valid && inline_ready_o;
  assign inl_ready_o    = inl_take && inline_i.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inl_off_q  <= '0;
      r2_valid_q <= 1'b0;
    end else begin
      r2_valid_q <= r1_valid_q || inl_take;
      if (inl_take) inl_off_q <= inline_i.last ? '0 : inl_off_q + LEN_W'(BYTES);
    end
  end

  always_ff @(posedge clk_i) begin
    if (r1_valid_q) begin
      r2_ring_q <= r1_dest.ring;
      r2_addr_q <= rsp_addr;
      r2_turn_q <= LANE_W'(r1.skip) - rsp_addr[LANE_W-1:0];
      r2_nb_q   <= r1.nbytes[NB_W-1:0];
      r2_data_q <= r1_data_q;
    end else begin
      r2_ring_q <= inl_dest.ring;
      r2_addr_q <= inl_addr;
      r2_turn_q <= -inl_addr[LANE_W-1:0];
      r2_nb_q   <= inline_i.last ? inline_i.nbytes[NB_W-1:0] : NB_W'(BYTES);
      r2_data_q <= inline_data_i;
    end
  end

  // ---- r3: turned by whole groups of 16 bytes; r4: by the rest; byte enables of both words
  localparam int unsigned FINE_W = (LANE_W < 4) ? LANE_W : 4;
  logic r3_valid_q, r3_ring_q;
  logic [WORD_W-1:0]  r3_word_q;
  logic [FINE_W-1:0]  r3_turn_q;
  logic [LANE_W-1:0]  coarse_turn;
  logic [2*BYTES-1:0] r3_be_q, be;
  logic [DATA_W-1:0] r3_data_q, coarse, fine;
  logic [LANE_W:0]    lane_end;
  logic               beyond;          // the next word has some, or the last lane is of this one
  logic [BYTES-1:0]   below_end;

  assign lane_end = {1'b0, r2_addr_q[LANE_W-1:0]} + (LANE_W+1)'(r2_nb_q);
  assign beyond   = lane_end[LANE_W];

  for (genvar g = 0; g < BYTES; g++) begin : g_be
    assign below_end[g]      = {1'b0, lane_end[LANE_W-1:0]} > (LANE_W+1)'(g);
    assign be[g]         = (LANE_W+1)'(g) + 1'b1 > {1'b0, r2_addr_q[LANE_W-1:0]} && (beyond || below_end[g]);
    assign be[BYTES + g] = beyond && below_end[g];
  end

  if (LANE_W > FINE_W) begin : g_coarse
    assign coarse_turn = {r2_turn_q[LANE_W-1:FINE_W], FINE_W'(0)};
  end else begin : g_no_coarse
    assign coarse_turn = '0;
  end
  turn_bytes #(.BYTES(BYTES)) u_coarse (.data_i(r2_data_q), .turn_i(coarse_turn), .data_o(coarse));
  turn_bytes #(.BYTES(BYTES)) u_fine (.data_i(r3_data_q), .turn_i(LANE_W'(r3_turn_q)), .data_o(fine));

  logic               wr_valid_q, wr_ring_q, read_ends, inl_ends;
  logic [WORD_W-1:0]  wr_word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r3_valid_q <= 1'b0;
      wr_valid_q <= 1'b0;
    end else begin
      r3_valid_q <= r2_valid_q;
      wr_valid_q <= r3_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    r3_ring_q    <= r2_ring_q;
    r3_word_q    <= r2_addr_q[ADDR_W-1:LANE_W];
    r3_turn_q    <= r2_turn_q[FINE_W-1:0];
    r3_be_q      <= be;
    r3_data_q    <= coarse;
    wr_ring_q    <= r3_ring_q;
    wr_word_q    <= r3_word_q;
    wr_be_o      <= r3_be_q[BYTES-1:0];
    wr_be_next_o <= r3_be_q[2*BYTES-1:BYTES];
    wr_data_o    <= fine;
  end

  assign wr_o   = {wr_valid_q, wr_ring_q, 11'(wr_word_q)};
  assign read_ends   = r1_valid_q && r1.last;
  assign inl_ends    = inl_take && inline_i.last;
  assign done_o      = r1_valid_q ? {read_ends && !r1_dest.ring, read_ends && r1_dest.ring, 6'(r1_dest.slot), r1.err}
                                  : {inl_ends && !inl_dest.ring, inl_ends && inl_dest.ring, 6'(inl_dest.slot), 1'b0};
  assign tag_valid_o = read_ends;
  assign tag_o       = r1.tag[TAG_W-1:0];
  assign idle_o = !r1_valid_q && !r2_valid_q && !r3_valid_q && !wr_valid_q;
endmodule
