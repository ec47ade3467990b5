// SPDX-License-Identifier: Apache-2.0
// Fetch commands of both payload rings, round robin, to host reads (client RD_TXP) and to the inline port.
//
// A read takes a tag from a free list and leaves its destination in the tag table, from which tx_fill learns where the
// data goes; the tag comes back when the read has ended. Inline segments (ring 0 only) queue for the inline data
// stream.
// Errors: none here; tx_fill reports a failed read.
module tx_fetch #(
    parameter int unsigned TAGS    = 128,  // reads under way, power of two
    parameter int unsigned ADDR_W  = 15,   // byte address in a ring
    parameter int unsigned JSLOT_W = 6,
    localparam int unsigned TAG_W  = $clog2(TAGS)
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    // commands of ring 0 and ring 1
    input  cairn_int_pkg::tx_cmd_t   req_cmd_i,
    input  cairn_int_pkg::tx_cmd_t   rsp_cmd_i,
    output logic [1:0]               cmd_ready_o,
    // host reads
    output cairn_int_pkg::dma_read_t rd_o,
    input  logic                     rd_ready_i,
    // destinations: table write, and inline segments in order
    output logic                     dest_we_o,
    output logic [TAG_W-1:0]         dest_tag_o,
    output cairn_int_pkg::tx_dest_t  dest_o,
    output logic                     inl_valid_o,
    input  logic                     inl_ready_i,
    output cairn_int_pkg::tx_dest_t  inl_dest_o,
    // tags of ended reads
    input  logic                     tag_valid_i,
    input  logic [TAG_W-1:0]         tag_i,
    output logic                     idle_o  // no read under way, no inline segment waits
);
  localparam int unsigned RTAG_W = cairn_int_pkg::RTAG_W;

  if ((TAGS & (TAGS - 1)) != 0 || TAG_W > RTAG_W) begin : g_chk_tags
    $error("tx_fetch: TAGS must be a power of two that fits cairn_int_pkg::RTAG_W");
  end

  // ---- free tags: filled once after reset
  logic [TAG_W:0] init_q, tag_level;
  logic init_done, tag_avail, tag_take;
  logic [TAG_W-1:0] tag;

  assign init_done = init_q[TAG_W];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) init_q <= '0;
    else if (!init_done) init_q <= init_q + 1'b1;
  end

  sync_fifo_level #(.WIDTH(TAG_W), .DEPTH(TAGS)) u_tags (
      .clk_i, .rst_ni,
      .in_valid_i(!init_done || tag_valid_i), .in_ready_o(),
      .in_data_i(init_done ? tag_i : init_q[TAG_W-1:0]),
      .out_valid_o(tag_avail), .out_ready_i(tag_take), .out_data_o(tag),
      .level_o(tag_level));

  // ---- choice
  logic pick, is_inline, go;
  logic [1:0]             can, turn;
  logic rd_free, inl_free;
  cairn_int_pkg::tx_cmd_t cmd;
  cairn_int_pkg::tx_seg_t seg;
  typedef struct packed {
    logic               ring;
    logic [JSLOT_W-1:0] slot;
    logic [ADDR_W-1:0]  addr;
  } dest_t;
  dest_t                  dest, inl_dest;

  assign rd_free = (!rd_o.valid || rd_ready_i) && tag_avail && init_done;
  assign can[0]  = req_cmd_i.valid && (req_cmd_i.seg.inline_data ? inl_free : rd_free);
  assign can[1]  = rsp_cmd_i.valid && rd_free;
  // Whose turn it is follows from registers: neither ring waits for what the other one wants.
  rr_kept #(.N(2)) u_turn (
      .clk_i, .rst_ni, .req_i(can), .used_i(go), .hold_i(1'b0), .gnt_o(turn), .gnt_idx_o(), .shown_o(go));
  assign pick    = turn[1];
  assign cmd     = pick ? rsp_cmd_i : req_cmd_i;
  assign seg     = cmd.seg;

  assign is_inline   = !pick && req_cmd_i.seg.inline_data;
  assign cmd_ready_o = turn & {rd_free, req_cmd_i.seg.inline_data ? inl_free : rd_free};
  assign tag_take    = go && !is_inline;
  assign dest        = {pick, cmd.slot[JSLOT_W-1:0], cmd.addr[ADDR_W-1:0]};
  assign dest_we_o   = tag_take;
  assign dest_tag_o  = tag;
  assign dest_o      = {dest.ring, 6'(dest.slot), 15'(dest.addr)};
  assign inl_dest_o  = {inl_dest.ring, 6'(inl_dest.slot), 15'(inl_dest.addr)};

  // ---- read request register
  cairn_int_pkg::dma_rd_t rd_d;
  logic                   rd_valid_q;
  logic [cairn_int_pkg::DMA_RD_W-1:0] rd_q;

  always_comb begin
    rd_d            = '0;
    rd_d.func       = seg.func;
    rd_d.iova       = seg.iova;
    rd_d.len        = seg.len;
    rd_d.tag        = RTAG_W'(tag);
    rd_d.nb_valid   = seg.nb_valid;
    rd_d.not_before = seg.not_before;
    rd_d.epoch      = cmd.epoch;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_valid_q <= 1'b0;
    end else begin
      if (tag_take) rd_valid_q <= 1'b1;
      else if (rd_ready_i) rd_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) if (tag_take) rd_q <= rd_d;

  assign rd_o.valid = rd_valid_q;
  assign rd_o.req   = rd_q;

  // ---- inline segments
  logic [3:0] inl_level;

  sync_fifo_level #(.WIDTH($bits(dest)), .DEPTH(8)) u_inline (
      .clk_i, .rst_ni,
      .in_valid_i(go && is_inline), .in_ready_o(inl_free), .in_data_i(dest),
      .out_valid_o(inl_valid_o), .out_ready_i(inl_ready_i), .out_data_o(inl_dest),
      .level_o(inl_level));

  assign idle_o = tag_level == (TAG_W+1)'(TAGS) && inl_level == '0 && !rd_valid_q;
endmodule
