// SPDX-License-Identifier: Apache-2.0
// Receive side of pcie_tlp: sorts the TLPs that come from the host.
//
// Completions: straight to dma_read.
// Doorbells: BAR2 memory writes, one cycle each, never stopped. A doorbell is one aligned 64-bit store. In the push
//   window any aligned run of whole quadwords counts as its last quadword (a write-combining buffer may be flushed in
//   parts). 64 aligned bytes there are a push as well: the doorbell shows the last quadword and the block in the same
//   cycle.
// Registers: BAR0 writes, all reads and unknown non-posted requests go in order to bar_access. The beats of such
//   a write wait in a queue of their own, and come before it or with it.
// Errors: anything else in BAR2 changes nothing and is counted; so are poisoned or over-long BAR0 writes and writes to
//   other BARs. Messages are ignored (PCIe base specification 2.2.8: vendor-defined ones may be dropped).
module tlp_rx #(
    parameter int unsigned DATA_W = 512,
    parameter bit          PUSH   = 1'b1     // the blocks of pushes are shown
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // from the link (tlp_rx_* of the device)
    input  cairn_int_pkg::tlp_in_t       rx_i,
    output logic                         rx_ready_o,
    input  logic [DATA_W-1:0]            rx_data_i,
    // completions
    output cairn_int_pkg::tlp_back_t     cpl_o,
    input  logic                         cpl_ready_i,
    output logic [DATA_W-1:0]            cpl_data_o,
    // doorbells
    output cairn_int_pkg::doorbell_t     db_o,
    // BAR0 accesses
    output logic                         op_valid_o,
    input  logic                         op_ready_i,
    output cairn_int_pkg::bar_op_t       op_o,
    output logic                         word_last_o,  // of its TLP
    output logic [DATA_W-1:0]            word_o,
    input  logic                         word_ready_i,
    output logic                         idle_o,
    output cairn_hw_pkg::tlp_rx_events_t events_o
);
  localparam int unsigned BEATS = 512 / DATA_W;
  localparam int unsigned CNT_W = $clog2(BEATS + 1);
  localparam int unsigned OPS   = 4;
  localparam int unsigned WORDS = (OPS * BEATS > 16) ? 16 : OPS * BEATS;   // of data; two of the longest at least

  if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) begin : g_chk_data
    $error("tlp_rx: DATA_W must be 64, 128, 256 or 512");
  end

  // Input register ----------------------------------------------------------------------------------------
  logic              s_valid, s_ready, s_sop, s_last;
  logic [127:0]      s_hdr;
  logic [2:0]        s_bar;
  logic [DATA_W-1:0] s_data;
  skid_buffer #(.WIDTH(DATA_W + 128 + 3 + 2)) u_skid (
      .clk_i, .rst_ni, .in_valid_i(rx_i.valid), .in_ready_o(rx_ready_o),
      .in_data_i({rx_i.sop, rx_i.last, rx_i.bar, rx_i.hdr, rx_data_i}),
      .out_valid_o(s_valid), .out_ready_i(s_ready),
      .out_data_o({s_sop, s_last, s_bar, s_hdr, s_data}));

  cairn_hw_pkg::tlp_mem_t hdr;
  logic is_cpl, is_mem, is_msg, room, word_room, take;
  assign hdr    = s_hdr;
  assign is_cpl = hdr.type_ == cairn_hw_pkg::TLP_TYPE_CPL && !hdr.fmt[2];
  assign is_mem = hdr.type_ == cairn_hw_pkg::TLP_TYPE_MEM && !hdr.fmt[2];
  assign is_msg = hdr.type_[4:3] == 2'b10;

  assign cpl_o.valid = s_valid && is_cpl;
  assign cpl_o.sop   = s_sop;
  assign cpl_o.last  = s_last;
  assign cpl_o.hdr   = s_hdr[127:32];
  assign cpl_data_o  = s_data;
  assign s_ready     = is_cpl ? cpl_ready_i : room && word_room;

  // Gather up to 64 bytes; judge in the cycle after the last beat --------------------------------------------
  logic [CNT_W-1:0] beat_q, beat;
  logic             g_valid_q;
  logic [127:0]     g_hdr_q;
  logic [2:0]       g_bar_q;
  logic             g_mem_q, g_msg_q;
  logic [511:0]     g_data;
  logic [63:0]      g_quad;   // the last quadword
  assign take = s_valid && s_ready && !is_cpl;
  assign beat = s_sop ? '0 : beat_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) g_valid_q <= 1'b0;
    else g_valid_q <= take && s_last;
    if (take) begin
      if (beat != CNT_W'(BEATS)) beat_q <= beat + 1'b1;
      else beat_q <= beat;
      g_hdr_q <= s_hdr;
      g_bar_q <= s_bar;
      g_mem_q <= is_mem;
      g_msg_q <= is_msg;
    end
  end

  // The newest beat, and all of them. Beats beyond the 64th byte are none of a write that is carried out.
  logic              new_q, new_last_q;
  logic [DATA_W-1:0] new_data_q;
  always_ff @(posedge clk_i) begin
    new_q <= rst_ni && take && beat != CNT_W'(BEATS);
    if (take) begin
      new_last_q <= s_last || beat == CNT_W'(BEATS - 1);
      new_data_q <= s_data;
    end
  end
  if (BEATS == 1) begin : g_one
    assign g_data = new_data_q;
  end else if (DATA_W > 64 || PUSH) begin : g_gather
    logic [511:0] g_data_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < BEATS; i++) begin
        if (take && beat == CNT_W'(i)) g_data_q[i*DATA_W +: DATA_W] <= s_data;
      end
    end
    assign g_data = g_data_q;
  end else begin : g_no_block
    assign g_data = '0;
  end

  cairn_hw_pkg::tlp_mem_t g_hdr;
  cairn_int_pkg::bar_t op_kind;
  logic [31:0] g_addr;
  logic        g_write, g_full, g_quads, g_push_at, g_db, g_push, g_short, bar0, bar2;
  assign g_hdr     = g_hdr_q;
  assign g_addr    = g_hdr.fmt[0] ? g_hdr.addr[31:0] : g_hdr.addr[63:32];
  assign bar0      = g_bar_q == 3'd0;
  assign bar2      = g_bar_q == 3'd2;
  assign g_write   = g_mem_q && g_hdr.fmt[1];
  assign g_short   = g_hdr.length != 10'd0 && g_hdr.length <= 10'd16;
  assign g_full    = g_hdr.fbe == 4'hf && g_hdr.lbe == 4'hf;
  assign g_quads   = g_short && !g_hdr.length[0] && g_full && g_addr[2] == 1'b0 && !g_hdr.ep;
  assign g_push_at = g_addr[11:6] == 6'(cairn_hw_pkg::DB_PUSH >> 6)
                     && {1'b0, g_addr[5:2]} + g_hdr.length[4:0] <= 5'd16;
  assign g_db      = g_write && bar2 && g_quads && (g_hdr.length == 10'd2 || g_push_at);
  assign g_push    = g_db && g_push_at && g_hdr.length == 10'd16;

  // Last quadword of the TLP.
  logic [2:0]  last_quad;
  assign last_quad = g_hdr.length[3:1] - 3'd1;
  if (DATA_W == 64) begin : g_newest
    assign g_quad = new_data_q;
  end else begin : g_pick
    assign g_quad = g_data[{last_quad, 6'd0} +: 64];
  end

  always_ff @(posedge clk_i) begin
    db_o.valid           <= rst_ni && g_valid_q && g_db;
    db_o.page            <= g_addr[19:12];
    db_o.offset          <= g_addr[11:0] + {6'd0, last_quad, 3'd0};
    db_o.data            <= g_quad;
    db_o.pushed          <= rst_ni && g_valid_q && g_push;
    db_o.block           <= PUSH ? g_data : '0;
    events_o.db_bad_form <= rst_ni && g_valid_q && g_write && bar2 && !g_db;
    events_o.bar_bad     <= rst_ni && g_valid_q && !g_msg_q
                            && ((g_write && !bar2 && op_kind == cairn_int_pkg::BAR_UR)
                                || (!g_write && op_kind == cairn_int_pkg::BAR_UR));
  end

  // BAR0 writes and everything that wants an answer ----------------------------------------------------------
  logic       op_push;
  localparam int unsigned LEVEL_W = $clog2(OPS + 1);
  logic [LEVEL_W-1:0] level;
  always_comb begin
    op_kind = cairn_int_pkg::BAR_UR;
    if (g_write) begin
      if (bar0 && g_short && !g_hdr.ep) op_kind = cairn_int_pkg::BAR_WRITE;
    end else if (g_mem_q && g_short && bar0) begin
      op_kind = cairn_int_pkg::BAR_READ;
    end else if (g_mem_q && g_short && bar2) begin
      op_kind = cairn_int_pkg::BAR_NOTHING;
    end
  end
  assign op_push = g_valid_q && !g_msg_q && (g_write ? op_kind == cairn_int_pkg::BAR_WRITE : 1'b1);

  cairn_int_pkg::bar_op_t op;
  assign op = {op_kind, g_mem_q, g_addr[15:2], g_hdr.length, g_hdr.lbe, g_hdr.fbe,
               g_hdr.t9, g_hdr.tc, g_hdr.t8, g_hdr.attr2, g_hdr.attr, g_hdr.reqid, g_hdr.tag};
  sync_fifo_level #(.WIDTH(cairn_int_pkg::BAR_OP_W), .DEPTH(OPS)) u_ops (
      .clk_i, .rst_ni, .in_valid_i(op_push), .in_ready_o(), .in_data_i(op),
      .out_valid_o(op_valid_o), .out_ready_i(op_ready_i), .out_data_o(op_o),
      .level_o(level));

  // Beats of writes, a cycle after they came.
  localparam int unsigned WLEVEL_W = $clog2(WORDS + 1);
  logic [WLEVEL_W-1:0] word_level;
  sync_fifo_level #(.WIDTH(DATA_W + 1), .DEPTH(WORDS)) u_words (
      .clk_i, .rst_ni, .in_valid_i(new_q && op_kind == cairn_int_pkg::BAR_WRITE), .in_ready_o(),
      .in_data_i({new_last_q, new_data_q}), .out_valid_o(), .out_ready_i(word_ready_i),
      .out_data_o({word_last_o, word_o}), .level_o(word_level));

  // A place is left for the one that is being judged.
  assign word_room = word_level < WLEVEL_W'(WORDS - 1);
  assign room      = level < LEVEL_W'(OPS - 1);
  assign idle_o    = !s_valid && !g_valid_q && !op_valid_o && !db_o.valid;
endmodule
