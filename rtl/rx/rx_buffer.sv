// SPDX-License-Identifier: Apache-2.0
// RX packet buffer: a pool of 256-byte cells with linked lists, so packets of stalled QPs can stay behind while others
// pass.
//
// Frames are written as they come, raw, from byte 0 on. With the last beat the verdict is there: either the packet's
// record joins the stream of records and its cells are committed, or the cells are taken back on the spot. A packet
// without payload needs no cells, so ACKs pass even an empty pool.
// Order: the wire is never stopped. A good packet that finds no cell, or no room for its record, is dropped whole and
//   counted (RX_NO_BUFFER). Records of requests and of responses wait apart (rx_records), and each class leaves cells
//   to the other: neither pushes the other out.
// Owns: the pool. Consumers give cells back: each record with has_cells is freed exactly once, by a command with free
//   or through the free port; those that share a packet (rx_refs) one by one. Shares of single QPs are enforced by
//   their owner, with the help of free_cells_o.
module rx_buffer #(
    parameter int unsigned DATA_W     = 512,
    parameter int unsigned CELLS      = (DATA_W >= 512) ? 1024 : 256,  // power of two
    parameter int unsigned META_DEPTH = (DATA_W >= 512) ? 256 : 64,    // records of requests, see rx_records
    parameter int unsigned META_RSPS  = (DATA_W >= 512) ? 256 : 192,   // ... of responses
    parameter int unsigned FOR_RSP    = CELLS / 4,  // cells that requests leave to responses
    parameter int unsigned FOR_REQ    = CELLS / 4,  // ... and these to requests
    parameter bit          ATOMIC     = 1'b1,       // see rx_path
    localparam int unsigned CELL_W    = cairn_int_pkg::CELL_W,
    localparam int unsigned FREE_W    = $clog2(CELLS) + 1
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    // frames from rx_parser; roce and meta count with last
    input  cairn_int_pkg::rx_frame_t        frame_i,
    input  logic [DATA_W-1:0]               frame_data_i,
    // one record per packet, in arrival order of its class
    output logic                            rx_valid_o,
    input  logic                            rx_ready_i,
    output cairn_int_pkg::rx_meta_t         rx_o,
    // records that share the cells of one packet, see rx_refs
    input  cairn_int_pkg::rx_ref_t          ref_i,
    output logic                            ref_ready_o,
    // payload: commands in, one packet of bytes per command with len > 0 out, see rx_pool_read
    input  cairn_int_pkg::pool_cmd_t        pool_cmd_i,
    output logic                            pool_cmd_ready_o,
    output cairn_int_pkg::beat_t            pool_data_o,
    input  logic                            pool_data_ready_i,
    output logic [DATA_W-1:0]               pool_data_data_o,
    // packets dropped unread
    input  cairn_int_pkg::rx_free_t         free_i,
    output logic                            free_ready_o,
    // state
    output logic [FREE_W-1:0]               free_cells_o,  // level of the pool, 0 to CELLS
    output logic                            taken_o,       // strobe: a RoCE packet is in the pool
    output cairn_hw_pkg::rx_buffer_events_t events_o,
    output logic                            idle_o         // nothing waits or moves here; cells may be held
);
  localparam int unsigned BYTES      = DATA_W / 8;
  localparam int unsigned IDX_W      = $clog2(CELLS);
  localparam int unsigned CELL_WORDS = cairn_int_pkg::CELL_BYTES / BYTES;
  localparam int unsigned WORD_W     = $clog2(CELL_WORDS);
  localparam int unsigned CNT_W      = 5;
  localparam int unsigned MAX_CELLS  = 17;  // the longest frame: 4096 bytes of payload and its headers

  if (IDX_W > CELL_W) begin : g_chk_cells
    $error("rx_buffer: CELLS beyond cairn_int_pkg::CELL_W");
  end

  // ---- writer
  logic cell_valid, take, fail, nobuf, write, ok, commit, rewind, meta_in_ready, init_done;
  logic [IDX_W-1:0] cell_new, cell_now, head_now, cell_q, head_q;
  logic [WORD_W-1:0] word, word_q;
  logic [CNT_W-1:0] count, count_now, count_q;
  logic nobuf_before, nobuf_q, start_q, is_rsp, fits;
  logic [IDX_W:0] req_left_q, rsp_left_q;    // cells that each class may still take
  cairn_int_pkg::rx_meta_t meta_stored;

  assign word         = start_q ? '0 : word_q;
  assign count        = start_q ? '0 : count_q;
  assign nobuf_before = !start_q && nobuf_q;

  assign take      = frame_i.valid && word == '0 && !nobuf_before && cell_valid && count != CNT_W'(MAX_CELLS);
  assign fail      = word == '0 && !take;
  assign nobuf     = nobuf_before || fail;
  assign write     = frame_i.valid && !nobuf;
  assign cell_now  = (word == '0) ? cell_new : cell_q;
  assign head_now  = (count == '0) ? cell_new : head_q;
  assign count_now = count + CNT_W'(take);

  assign is_rsp  = frame_i.meta.opflags[cairn_pkt_pkg::OPF_RSP];
  // (whether it takes one more comes late)
  logic [IDX_W:0] left;
  assign left    = is_rsp ? rsp_left_q : req_left_q;
  assign fits    = take ? (IDX_W+1)'(count) < left : (IDX_W+1)'(count) <= left;
  assign ok      = frame_i.valid && frame_i.last && frame_i.roce && meta_in_ready
                   && !(frame_i.meta.has_cells && (nobuf || !fits));
  assign commit  = ok && frame_i.meta.has_cells;
  assign rewind  = frame_i.valid && frame_i.last && !commit;

  always_comb begin
    meta_stored           = frame_i.meta;
    meta_stored.cell_head = frame_i.meta.has_cells ? CELL_W'(head_now) : '0;
  end

  always_ff @(posedge clk_i) begin
    if (frame_i.valid) begin
      word_q  <= word + 1'b1;
      count_q <= count_now;
      nobuf_q <= nobuf;
      cell_q  <= cell_now;
      head_q  <= head_now;
    end
  end

  // What goes to the RAMs, one cycle later
  logic data_we_q, next_we_q, count_we_q, no_buffer_q, rsp_q;
  logic [IDX_W+WORD_W-1:0] data_addr_q;
  logic [DATA_W-1:0]       data_word_q;
  logic [IDX_W-1:0] next_addr_q, next_data_q, count_addr_q;
  logic [CNT_W-1:0]        count_data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      start_q     <= 1'b1;
      data_we_q   <= 1'b0;
      next_we_q   <= 1'b0;
      count_we_q  <= 1'b0;
      taken_o     <= 1'b0;
      no_buffer_q <= 1'b0;
    end else begin
      data_we_q       <= write;
      if (frame_i.valid) start_q <= frame_i.last;
      next_we_q   <= take && count != '0;
      count_we_q  <= commit;
      taken_o     <= ok;
      no_buffer_q <= frame_i.valid && frame_i.last && frame_i.roce && !ok;
    end
  end

  always_ff @(posedge clk_i) begin
    data_addr_q  <= {cell_now, word};
    data_word_q  <= frame_data_i;
    next_addr_q  <= cell_q;
    next_data_q  <= cell_new;
    count_addr_q <= head_now;
    count_data_q <= count_now;
    rsp_q        <= is_rsp;
  end

  // ---- records
  logic meta_idle;
  if (DATA_W < 128) begin : g_words
    // Eight words, see rx_record_meta.
    localparam int unsigned PART = ATOMIC ? 72 : 64;
    logic [8*64-1:0]   plain;      // the last word on top
    logic [8*PART-1:0] brief;
    logic [PART-1:0]   rec_word;
    logic [2:0]        rec_at;
    logic              rec_valid;
    assign plain = {frame_i.ext[127:64],
                    frame_i.ext[191:128],
                    meta_stored.psn, meta_stored.se, meta_stored.ackreq, meta_stored.ce, meta_stored.ipv6,
                    meta_stored.has_tag, meta_stored.mcast, 2'b00, frame_i.ext[223:192],
                    meta_stored.qpn, meta_stored.cell_head, meta_stored.sgid_index, meta_stored.pkey,
                    meta_stored.prio, meta_stored.has_cells,
                    meta_stored.smac, meta_stored.sport,
                    meta_stored.sip[63:0],
                    meta_stored.sip[127:64],
                    meta_stored.opcode, meta_stored.opflags, frame_i.has, meta_stored.pay_off, meta_stored.pay_len,
                    meta_stored.pad, meta_stored.ip_off};
    for (genvar g = 0; g < 8; g++) begin : g_word
      if (ATOMIC) begin : g_nine
        assign brief[PART*g +: PART] = {frame_i.ext[8*g +: 8], plain[64*g +: 64]};
      end else begin : g_eight
        assign brief[PART*g +: PART] = plain[64*g +: 64];
      end
    end
    rx_record_words #(.WIDTH(8 * PART), .DEPTH(META_DEPTH), .RSPS(META_RSPS)) u_meta (
        .clk_i, .rst_ni,
        .in_valid_i(ok), .in_rsp_i(is_rsp), .in_plain_i(frame_i.meta.opflags[cairn_pkt_pkg::OPF_ACK]),
        .in_ready_o(meta_in_ready), .in_data_i(brief),
        .out_valid_o(rx_valid_o), .out_ready_i(rx_ready_i),
        .word_valid_o(rec_valid), .word_at_o(rec_at), .word_o(rec_word),
        .idle_o(meta_idle));
    rx_record_meta #(.ATOMIC(ATOMIC ? 1 : 0)) u_record (
        .clk_i, .valid_i(rec_valid), .at_i(rec_at), .word_i(rec_word), .meta_o(rx_o));
    logic unused;
    assign unused = ^{meta_stored, frame_i.ext[63:0]};
  end else begin : g_whole
    rx_records #(.WIDTH(cairn_int_pkg::RX_META_W), .DEPTH(META_DEPTH), .RSPS(META_RSPS),
                 .FAST((DATA_W >= 512) ? 1 : 0)) u_meta (
        .clk_i, .rst_ni,
        .in_valid_i(ok), .in_rsp_i(is_rsp), .in_plain_i(frame_i.meta.opflags[cairn_pkt_pkg::OPF_ACK]),
        .in_ready_o(meta_in_ready), .in_data_i(meta_stored),
        .out_valid_o(rx_valid_o), .out_ready_i(rx_ready_i),
        .out_data_o(rx_o),
        .idle_o(meta_idle));
    logic unused;
    assign unused = ^{frame_i.ext, frame_i.has};
  end

  assign events_o.rx_no_buffer = no_buffer_q;
  assign events_o.stall_rx     = rx_valid_o && !rx_ready_i;

  // ---- free list, readers
  logic ret_valid, ret_ready, rel_ready, read_idle, return_idle;
  logic last_rel_valid, last_rel_ready, last_free_valid, last_free_ready;
  logic [IDX_W-1:0] ret_cell;
  cairn_int_pkg::pool_release_t rel;
  cairn_int_pkg::pool_write_t   write_q;
  assign write_q.data_we    = data_we_q;
  assign write_q.data_addr  = 17'(data_addr_q);
  assign write_q.next_we    = next_we_q;
  assign write_q.next_addr  = CELL_W'(next_addr_q);
  assign write_q.next_data  = CELL_W'(next_data_q);
  assign write_q.count_we   = count_we_q;
  assign write_q.count_addr = CELL_W'(count_addr_q);
  assign write_q.count_data = count_data_q;

  rx_cell_alloc #(.CELLS(CELLS)) u_alloc (
      .clk_i, .rst_ni,
      .cell_valid_o(cell_valid), .cell_o(cell_new), .take_i(take), .commit_i(commit), .rewind_i(rewind),
      .ret_valid_i(ret_valid), .ret_ready_o(ret_ready), .ret_cell_i(ret_cell),
      .free_o(free_cells_o), .init_done_o(init_done));

  rx_pool_read #(.DATA_W(DATA_W), .CELLS(CELLS)) u_read (
      .clk_i, .rst_ni,
      .write_i(write_q), .data_word_i(data_word_q),
      .head_re_o(head_re), .head_cell_o(head_cell), .head_next_i(head_next),
      .head_count_i(head_count),
      .after_re_o(after_re), .after_cell_o(after_cell), .after_next_i(after_next),
      .cmd_i(pool_cmd_i), .cmd_ready_o(pool_cmd_ready_o),
      .out_o(pool_data_o), .out_ready_i(pool_data_ready_i), .out_data_o(pool_data_data_o),
      .rel_o(rel), .rel_ready_i(rel_ready), .idle_o(read_idle));

  rx_refs #(.CELL_W(IDX_W)) u_refs (
      .clk_i, .rst_ni,
      .al_valid_i(ref_i.valid), .al_ready_o(ref_ready_o), .al_cell_i(ref_i.cell_head[IDX_W-1:0]),
      .al_count_i(ref_i.count),
      .rel_valid_i(rel.valid), .rel_ready_o(rel_ready), .rel_cell_i(rel.cell_head[IDX_W-1:0]),
      .rel_valid_o(last_rel_valid), .rel_ready_i(last_rel_ready),
      .free_valid_i(free_i.valid), .free_ready_o, .free_cell_i(free_i.cell_head[IDX_W-1:0]),
      .free_valid_o(last_free_valid), .free_ready_i(last_free_ready));

  rx_cell_free #(.CELLS(CELLS)) u_free (
      .clk_i, .rst_ni,
      .count_re_o(count_re), .count_ready_i(count_ready), .count_cell_o(count_cell), .count_i(free_count),
      .next_re_o(next_re), .next_ready_i(next_ready), .next_cell_o(next_cell), .next_i(free_next),
      .rel_valid_i(last_rel_valid), .rel_ready_o(last_rel_ready), .rel_cell_i(rel.cell_head[IDX_W-1:0]),
      .rel_count_i(rel.count),
      .free_valid_i(last_free_valid), .free_ready_o(last_free_ready), .free_cell_i(free_i.cell_head[IDX_W-1:0]),
      .ret_valid_o(ret_valid), .ret_ready_i(ret_ready), .ret_cell_o(ret_cell), .ret_first_o(ret_first),
      .idle_o(return_idle));

  // ---- links
  logic             head_re, after_re, count_re, count_ready, next_re, next_ready, head_class;
  logic [IDX_W-1:0] head_cell, head_next, after_cell, after_next, count_cell, next_cell, free_next;
  logic [CNT_W-1:0] head_count, free_count;
  rx_links #(.CELLS(CELLS), .SHARED((DATA_W < 256) ? 1 : 0)) u_links (
      .clk_i, .rst_ni, .write_i(write_q), .write_rsp_i(rsp_q),
      .head_re_i(head_re), .head_cell_i(head_cell), .head_next_o(head_next),
      .head_count_o(head_count),
      .after_re_i(after_re), .after_cell_i(after_cell), .after_next_o(after_next),
      .count_re_i(count_re), .count_ready_o(count_ready), .count_cell_i(count_cell), .count_o(free_count),
      .next_re_i(next_re), .next_ready_o(next_ready), .next_cell_i(next_cell), .next_o(free_next),
      .next_rsp_o(head_class));

  // ---- cells of each class: of a packet's first cell the class is known, of those behind it it is the same
  logic ret_first, first_q, returned_q, class_q, ret_rsp;
  assign ret_rsp = first_q ? head_class : class_q;
  // Frames of two beats and more end in every second cycle at most: what one took is counted a cycle later, before the
  // next one asks.
  logic went, went_rsp;
  logic [CNT_W-1:0] went_cells;
  assign {went, went_rsp, went_cells} = (DATA_W < 512) ? {count_we_q, rsp_q, count_data_q}
                                                       : {commit, is_rsp, count_now};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_left_q               <= (IDX_W+1)'(CELLS - FOR_RSP);
      rsp_left_q               <= (IDX_W+1)'(CELLS - FOR_REQ);
      returned_q               <= 1'b0;
    end else begin
      returned_q <= ret_valid && ret_ready;
      req_left_q <= req_left_q - ((went && !went_rsp) ? (IDX_W+1)'(went_cells) : '0)
                    + (IDX_W+1)'(returned_q && !ret_rsp);
      rsp_left_q <= rsp_left_q - ((went && went_rsp) ? (IDX_W+1)'(went_cells) : '0)
                    + (IDX_W+1)'(returned_q && ret_rsp);
    end
    first_q <= ret_first;
    if (returned_q) class_q <= ret_rsp;
  end

  assign idle_o = init_done && meta_idle && read_idle && return_idle && !data_we_q && !count_we_q;
endmodule
