// SPDX-License-Identifier: Apache-2.0
// DMA writes: turns the clients' commands (dma_wr) into memory write TLPs, in the order of acceptance.
//
//   clients -> dma_wr_arbiter -+-> commands -> dma_split -> dma_wr_beat -+-> headers -+-> mwr
//                              +-> small data ----------------^    ^     +-> beats ---+
//                              +-> pool_cmd ... RX pool ... pool_data
//
// Order: each accepted command has a 16-bit ticket; the sent ticket is the newest command of which all TLPs have been
//   taken by the TLP stream (or dropped there). A TLP is offered only when it is complete in the buffer: once begun, it
//   never waits for its data. Cut at multiples of the maximum payload size (at most 2^MPS_MAX_LOG2 bytes), so never
//   across 4 KiB.
// Payload: asks the reader of the RX pool for len bytes of the packet, in the order of acceptance; it answers with
//   beats packed from byte 0. A command with len 0 and free only gives the cells back; it has a ticket like any other.
// Cycles: one beat a cycle at every alignment; small writes one a cycle, two if they do not fit one beat.
// Reset: from the cycle after flr_i on it accepts nothing, forgets what is not yet a complete TLP and offers the rest
//   (pcie_tlp drops it), then flr_done_o until flr_i falls. The reader of the RX pool must be reset meanwhile. Tickets
//   go on; all count as sent.
// Posted: what an answer to a peer has to wait for, and how far that is (posted_o).
// Errors: none; a write has no answer. docs/rtl/dma.md.
module dma_write #(
    parameter int unsigned DATA_W       = 512,
    parameter int unsigned CMD_DEPTH    = 16,   // commands waiting for their data; words of small data
    parameter int unsigned POSTED_TLPS  = (DATA_W >= 512) ? 32 : 16,  // complete TLPs waiting for the link, >= 12
    parameter int unsigned MPS_MAX_LOG2 = 9,    // 7 to 12
    parameter logic [cairn_int_pkg::WR_N-1:0] CLIENTS = '1   // those that this build has, by WR_*
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [2:0]                         mps_i,          // 128 << n bytes
    input  logic [15:0]                        reqid_i,
    input  logic                               relaxed_i,      // the host lets writes be marked so
    // clients
    input  cairn_int_pkg::dma_writes_t         wr_i,
    output cairn_int_pkg::dma_write_ready_t    wr_ready_o,
    output logic [cairn_int_pkg::TICKET_W-1:0] ticket_o,
    output logic [cairn_int_pkg::TICKET_W-1:0] last_ticket_o,  // newest accepted
    output cairn_int_pkg::dma_posted_t         posted_o,       // sent: the sent ticket
    output logic [2:0]                         fw_word_o,      // see dma_wr_arbiter
    // RX pool reader
    output cairn_int_pkg::pool_cmd_t           pool_cmd_o,
    input  logic                               pool_cmd_ready_i,
    input  cairn_int_pkg::beat_t               pool_data_i,
    output logic                               pool_data_ready_o,
    input  logic [DATA_W-1:0]                  pool_data_data_i,
    // posted TLPs
    output cairn_int_pkg::tlp_out_t            mwr_o,
    input  logic                               mwr_ready_i,
    input  logic                               mwr_drop_i,     // with ready: this beat's TLP is not sent
    output logic [DATA_W-1:0]                  mwr_data_o,
    // function reset
    input  logic                               flr_i,
    output logic                               flr_done_o,
    // state
    output logic                               idle_o,
    output logic [1:0]                         epoch_busy_o,   // commands of epoch 0 / 1 accepted and not sent
    // counter events
    output cairn_hw_pkg::dma_write_events_t    events_o
);
  localparam int unsigned LEN_W    = cairn_int_pkg::LEN_W;
  localparam int unsigned TICKET_W = cairn_int_pkg::TICKET_W;
  localparam int unsigned BYTES    = DATA_W / 8;
  localparam int unsigned BEATS    = ((2 << MPS_MAX_LOG2) / BYTES > 4 * POSTED_TLPS)
                                     ? (2 << MPS_MAX_LOG2) / BYTES : 4 * POSTED_TLPS;

  if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) begin : g_chk_data
    $error("dma_write: DATA_W must be 64, 128, 256 or 512");
  end
  if (CMD_DEPTH < 2 || POSTED_TLPS < 12) begin : g_chk_depth
    $error("dma_write: CMD_DEPTH must be >= 2 and POSTED_TLPS >= 12");
  end
  if (MPS_MAX_LOG2 < 7 || MPS_MAX_LOG2 > 12) begin : g_chk_mps
    $error("dma_write: MPS_MAX_LOG2 must be 7 to 12");
  end

  // Function reset: the front at once, the finished TLPs after they are gone.
  typedef enum logic [1:0] {S_RUN, S_DRAIN, S_CLEAR, S_DONE} state_e;
  state_e     state_q;
  logic [1:0] wait_q;
  logic flush, front_rst_n, back_rst_n, tlps_left;
  assign flush       = state_q != S_RUN;
  assign front_rst_n = rst_ni && !flush;
  assign back_rst_n  = rst_ni && state_q != S_CLEAR;
  assign flr_done_o  = state_q == S_DONE;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= S_RUN;
      wait_q  <= '0;
    end else begin
      wait_q <= tlps_left ? 2'd0 : wait_q + 2'd1;   // the front's last header needs a cycle to show
      case (state_q)
        S_RUN: if (flr_i) begin
          state_q <= S_DRAIN;
          wait_q  <= 2'd0;
        end
        S_DRAIN: if (wait_q == 2'd3) state_q <= S_CLEAR;
        S_CLEAR: state_q <= S_DONE;
        default: if (!flr_i) state_q <= S_RUN;
      endcase
    end
  end

  // Intake ------------------------------------------------------------------------------------------------
  logic accept, offered, room_q, pool_ready;
  logic                   word_valid;
  logic [DATA_W-1:0]      word;
  cairn_int_pkg::dma_wr_t acc;

  dma_wr_arbiter #(.DATA_W(DATA_W), .CLIENTS(CLIENTS)) u_arb (
      .clk_i, .rst_ni, .flush_i(flush), .wr_i, .wr_ready_o, .any_o(offered), .ticket_o, .last_ticket_o,
      .room_i(room_q), .pool_ready_i(pool_ready),
      .accept_o(accept), .cmd_o(acc), .word_valid_o(word_valid), .word_o(word),
      .fw_word_o);

  // Commands in order.
  logic cmd_valid, cmd_take;
  cairn_int_pkg::wr_queued_t queued, cmd;
  assign queued.iova           = acc.iova;
  assign queued.len            = acc.len;
  assign queued.source.payload = acc.payload;
  assign queued.source.relaxed = acc.relaxed;
  assign queued.source.func    = acc.func;
  assign queued.source.ticket  = ticket_o;
  assign queued.source.epoch   = acc.epoch;

  localparam int unsigned CL_W = $clog2(CMD_DEPTH + 1);
  logic [CL_W-1:0] cmd_level, small_level;
  sync_fifo_level #(.WIDTH(cairn_int_pkg::WR_QUEUED_W), .DEPTH(CMD_DEPTH)) u_cmds (
      .clk_i, .rst_ni(front_rst_n), .in_valid_i(accept), .in_ready_o(),
      .in_data_i(queued),
      .out_valid_o(cmd_valid), .out_ready_i(cmd_take), .out_data_o(cmd), .level_o(cmd_level));

  logic small_valid, small_take;
  logic [DATA_W-1:0] small_data;
  sync_fifo_level #(.WIDTH(DATA_W), .DEPTH(CMD_DEPTH)) u_small (
      .clk_i, .rst_ni(front_rst_n), .in_valid_i(word_valid), .in_ready_o(),
      .in_data_i(word), .out_valid_o(small_valid), .out_ready_i(small_take), .out_data_o(small_data),
      .level_o(small_level));

  // One more may come in the cycle in which this is found.
  always_ff @(posedge clk_i) begin
    room_q <= front_rst_n && cmd_level <= CL_W'(CMD_DEPTH - 2) && small_level <= CL_W'(CMD_DEPTH - 2);
  end

  cairn_int_pkg::pool_read_t pool_read;
  assign pool_read.cell_head = acc.cell_head;
  assign pool_read.off       = acc.off;
  assign pool_read.len       = acc.len;
  assign pool_read.first     = acc.first;
  assign pool_read.free      = acc.free;
  skid_buffer #(.WIDTH(cairn_int_pkg::POOL_READ_W)) u_pool_cmd (
      .clk_i, .rst_ni(front_rst_n), .in_valid_i(accept && acc.payload), .in_ready_o(pool_ready),
      .in_data_i(pool_read),
      .out_valid_o(pool_cmd_o.valid), .out_ready_i(pool_cmd_ready_i),
      .out_data_o(pool_cmd_o.cmd));

  // TLPs --------------------------------------------------------------------------------------------------
  logic piece_valid, piece_ready, piece_first, piece_last;
  logic [63:0]       piece_addr;
  logic [LEN_W-1:0]  piece_len, piece_ends;
  cairn_int_pkg::wr_source_t piece_meta;
  logic [2:0]        mps;
  assign mps = (mps_i > 3'(MPS_MAX_LOG2 - 7)) ? 3'(MPS_MAX_LOG2 - 7) : mps_i;

  dma_split #(.META_W(cairn_int_pkg::WR_SOURCE_W)) u_split (
      .clk_i, .rst_ni(front_rst_n), .block_i(mps),
      .in_valid_i(cmd_valid), .in_ready_o(cmd_take), .in_addr_i(cmd.iova), .in_len_i(cmd.len),
      .in_meta_i(cmd.source),
      .out_valid_o(piece_valid), .out_ready_i(piece_ready), .out_addr_o(piece_addr),
      .out_len_o(piece_len), .out_ends_o(piece_ends), .out_off_o(), .out_pieces_o(),
      .out_first_o(piece_first), .out_last_o(piece_last), .out_meta_o(piece_meta));

  logic b_valid, b_last, b_none, beat_active, beat_room_q;
  cairn_int_pkg::wr_piece_t b;
  logic [DATA_W-1:0]        b_data;
  cairn_hw_pkg::tlp_mem_t   b_hdr, out_hdr;

  dma_wr_beat #(.DATA_W(DATA_W), .META_W(cairn_int_pkg::WR_PIECE_W)) u_beat (
      .clk_i, .rst_ni(front_rst_n), .room_i(beat_room_q),
      .in_valid_i(piece_valid), .in_ready_o(piece_ready), .in_addr_i(piece_addr[1:0]),
      .in_len_i(piece_len), .in_ends_i(piece_ends), .in_first_i(piece_first),
      .in_payload_i(piece_meta.payload), .in_meta_i({piece_addr, piece_len, piece_last, piece_meta}),
      .small_valid_i(small_valid), .small_ready_o(small_take), .small_data_i(small_data),
      .pool_valid_i(pool_data_i.valid), .pool_ready_o(pool_data_ready_o), .pool_data_i(pool_data_data_i),
      .out_valid_o(b_valid), .out_last_o(b_last), .out_none_o(b_none), .out_meta_o(b),
      .out_data_o(b_data), .active_o(beat_active));

  dma_tlp_hdr u_hdr (
      .write_i(1'b1), .addr_i(b.addr), .ends_i(b.len + {11'd0, b.addr[1:0]}), .relaxed_i(b.source.relaxed && relaxed_i),
      .reqid_i(reqid_i + {8'd0, b.source.func}), .tag_i(8'd0), .hdr_o(b_hdr));

  // Buffer: a header is written with its TLP's last beat, and shows together with it: two cycles later because the
  // beats' FIFO takes three cycles and the headers' one.
  logic h1_valid_q, h2_valid_q;
  cairn_int_pkg::wr_tlp_t h1_q, h2_q, h;
  logic h_valid, h_take, d_valid, d_take, d_last;
  localparam int unsigned HL_W = $clog2(POSTED_TLPS + 1), DL_W = $clog2(BEATS + 1);
  logic [HL_W-1:0]   h_level;
  logic [DL_W-1:0]   d_level;

  always_ff @(posedge clk_i) begin
    h1_valid_q <= back_rst_n && b_valid && b_last;
    h2_valid_q <= back_rst_n && h1_valid_q;
    h1_q       <= {b_hdr.fmt[0], b_hdr.attr[1], b_hdr.length, b_hdr.reqid, b_hdr.lbe, b_hdr.fbe, b_hdr.addr[63:2],
                   b.len, b_none, b.last, b.source.ticket, b.source.epoch};
    h2_q       <= h1_q;
  end

  sync_fifo_level #(.WIDTH(cairn_int_pkg::WR_TLP_W), .DEPTH(POSTED_TLPS)) u_hdrs (
      .clk_i, .rst_ni(back_rst_n), .in_valid_i(h2_valid_q), .in_ready_o(), .in_data_i(h2_q),
      .out_valid_o(h_valid), .out_ready_i(h_take),
      .out_data_o(h),
      .level_o(h_level));

  sync_fifo_ram #(.WIDTH(DATA_W + 1), .DEPTH(BEATS)) u_beats (
      .clk_i, .rst_ni(back_rst_n), .in_valid_i(b_valid && !b_none), .in_ready_o(),
      .in_data_i({b_last, b_data}), .out_valid_o(d_valid), .out_ready_i(d_take),
      .out_data_o({d_last, mwr_data_o}), .level_o(d_level));

  // beat_room leaves a place for what is on its way here, and for one more in the cycle in which it is found.
  always_ff @(posedge clk_i) begin
    beat_room_q <= h_level < HL_W'(POSTED_TLPS - 7) && d_level < DL_W'(BEATS - 5);
  end
  assign tlps_left = h_valid || h1_valid_q || h2_valid_q || b_valid;

  logic mid_q, sent;
  assign mwr_o.valid = h_valid && !h.none && d_valid;
  assign mwr_o.sop   = !mid_q;
  assign mwr_o.last  = d_last;
  always_comb begin
    out_hdr        = '0;
    out_hdr.fmt    = h.wide ? cairn_hw_pkg::TLP_FMT_4DW_DATA : cairn_hw_pkg::TLP_FMT_3DW_DATA;
    out_hdr.type_  = cairn_hw_pkg::TLP_TYPE_MEM;
    out_hdr.attr   = {h.relaxed, 1'b0};
    out_hdr.length = h.length;
    out_hdr.reqid  = h.reqid;
    out_hdr.lbe    = h.lbe;
    out_hdr.fbe    = h.fbe;
    out_hdr.addr   = {h.addr, 2'b00};
  end
  assign mwr_o.hdr   = out_hdr;
  assign d_take      = mwr_o.valid && mwr_ready_i;
  assign h_take      = (h_valid && h.none) || (d_take && d_last);
  assign sent        = h_take && h.last;

  logic [TICKET_W-1:0] sent_q;
  logic [TICKET_W-1:0] open_q [0:1];   // commands per epoch
  // What may still take long when it is accepted, at the latest when the link stops: an answer to a peer that says that
  // its data is there waits for it (rsp_ack). The rest leaves sooner than any answer can be seen.
  localparam int unsigned LARGE = 128, MANY = 32;
  logic                slow, many_q, jam, jam_now, late_q;
  logic [3:0]          jam_q;         // cycles for which the link takes nothing
  logic [TICKET_W-1:0] slow_q;
  assign jam       = jam_q == '1;
  assign jam_now   = jam_q == 4'he && mwr_o.valid && !mwr_ready_i;
  assign slow      = accept && (acc.len > LEN_W'(LARGE) || many_q || jam || jam_now);
  assign posted_o  = {late_q, slow_q, sent_q};
  always_ff @(posedge clk_i) begin
    if (!back_rst_n) begin
      jam_q  <= '0;
      many_q <= 1'b0;
      late_q <= 1'b0;
    end else begin
      jam_q  <= (mwr_o.valid && !mwr_ready_i) ? jam_q + {3'h0, !jam} : '0;
      many_q <= open_q[0] + open_q[1] >= TICKET_W'(MANY);
      if (slow || jam_now) late_q <= 1'b1;
      else if (sent && h.ticket == slow_q) late_q <= 1'b0;
    end
    if (slow) slow_q <= ticket_o;
    else if (jam_now) slow_q <= last_ticket_o;
  end
  assign epoch_busy_o  = {open_q[1] != '0, open_q[0] != '0};
  assign idle_o        = epoch_busy_o == 2'b00 && !offered && !beat_active
                         && (state_q == S_RUN || state_q == S_DONE);

  // One more, one less: one adder.
  function automatic logic [TICKET_W-1:0] step(input logic more, input logic less);
    step = {{(TICKET_W-1){less && !more}}, less ^ more};
  endfunction

  logic count_q, stall_q, dropped_q;
  logic [1:0] gone_q;             // that one of an epoch has left: open_q is late by a cycle
  logic [LEN_W-1:0] count_len_q;
  always_ff @(posedge clk_i) begin
    if (!back_rst_n) begin
      mid_q     <= 1'b0;
      open_q[0] <= '0;
      open_q[1] <= '0;
    end else begin
      if (d_take) mid_q <= !d_last;
      open_q[0] <= open_q[0] + step(accept && !acc.epoch, gone_q[0]);
      open_q[1] <= open_q[1] + step(accept && acc.epoch, gone_q[1]);
    end
    gone_q <= {2{back_rst_n && sent}} & {h.epoch, !h.epoch};
    if (!rst_ni) sent_q <= '0;
    else if (state_q == S_CLEAR) sent_q <= last_ticket_o;
    else if (sent) sent_q <= h.ticket;

    count_q     <= rst_ni && d_take && !mid_q && !mwr_drop_i;
    count_len_q <= h.len;
    stall_q     <= rst_ni && mwr_o.valid && !mwr_ready_i;
    dropped_q   <= rst_ni && d_take && !mid_q && mwr_drop_i;
  end
  assign events_o.dma_wr         = count_q;
  assign events_o.dma_wr_bytes   = count_q ? count_len_q : '0;
  assign events_o.stall_dma_wr   = stall_q;
  assign events_o.dma_wr_dropped = dropped_q;
endmodule
