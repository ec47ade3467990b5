// SPDX-License-Identifier: Apache-2.0
// Completion side of dma_read: matches completions with reads and makes the broadcast data stream (dma_rsp).
//
//   in  --> s1: tag's record and bytes so far --> b: checks --> s2: request's record, counted  --> out
//
// Order: completions of different tags come in any order, interleaved TLP by TLP; those of one tag in address order
//   (PCIe base specification 2.3.1.1). Payload is DW-aligned as the wire has it: only the first beat of a completion
//   can begin inside a DW (skip), so no byte is moved.
// Live: a tag whose read has another turn than what is noted of its last end (dma_rd_tags).
// End: a read (one tag) ends with its last byte, with a completion that carries an error status or disagrees with what
//   is expected, when dma_read could not send it (drop), or by timeout (late). A request ends when all its reads have:
//   exactly one beat with last. A poisoned completion's bytes are not shown.
// Errors: completions of tags that are not live are dropped and counted. mute_i (function reset): the books are kept,
//   nothing is shown.
// Cycles: one beat a cycle, nothing buffered. At 512 bit s1 and b are the same cycle.
module dma_rd_cpl #(
    parameter int unsigned DATA_W = 512,
    parameter int unsigned TAG_W  = 8
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             mute_i,
    input  logic                             sweep_i,       // clear record sweep_idx_i
    input  logic [TAG_W-1:0]                 sweep_idx_i,
    // completions; always taken but in cycles of drop_ and late_
    input  cairn_int_pkg::tlp_back_t         cpl_i,
    output logic                             cpl_ready_o,
    input  logic [DATA_W-1:0]                cpl_data_i,
    // reads that end without a completion
    input  logic                             drop_valid_i,  // not sent: bus master is off
    output logic                             drop_ready_o,
    input  logic [TAG_W-1:0]                 drop_tag_i,
    input  logic                             late_valid_i,  // timed out, if it is live and of an old period
    output logic                             late_ready_o,
    input  logic [TAG_W-1:0]                 late_tag_i,
    input  logic [1:0]                       period_i,      // the current one
    // record of a tag, written when its read is issued
    input  logic                             rec_we_i,
    input  logic [TAG_W-1:0]                 rec_tag_i,
    input  cairn_int_pkg::rd_piece_t         rec_i,
    output cairn_int_pkg::tag_end_t          end_o,
    output logic                             id_free_o,
    output logic [TAG_W-1:0]                 id_free_id_o,
    // data stream
    output cairn_int_pkg::dma_beat_t         beat_o,
    output logic [DATA_W-1:0]                beat_data_o,
    output logic                             req_end_o,     // a request is over, of epoch req_end_epoch_o; not muted
    output logic                             req_end_epoch_o,
    output logic                             active_o,
    output cairn_hw_pkg::dma_rd_cpl_events_t events_o
);
  localparam int unsigned BYTES = DATA_W / 8;
  localparam int unsigned LEN_W = cairn_int_pkg::LEN_W;

  typedef enum logic [1:0] {K_CPL, K_DROP, K_LATE} kind_e;

  // Input: drop and late slip in between two completions ---------------------------------------------------
  logic             mid_q;     // inside a completion
  logic             slip, take;
  kind_e            kind;
  logic [TAG_W-1:0] in_tag;
  cairn_hw_pkg::tlp_cpl_t hdr;

  assign hdr          = cpl_i.hdr;
  assign slip         = !mid_q && !sweep_i && (drop_valid_i || late_valid_i);
  assign drop_ready_o = !mid_q && !sweep_i;
  assign late_ready_o = !mid_q && !sweep_i && !drop_valid_i;
  assign cpl_ready_o  = !slip && !sweep_i;
  assign take         = cpl_i.valid && cpl_ready_o;
  assign kind         = !slip ? K_CPL : drop_valid_i ? K_DROP : K_LATE;
  assign in_tag       = !slip ? hdr.tag[TAG_W-1:0] : drop_valid_i ? drop_tag_i : late_tag_i;

  // What the header says by itself.
  logic [LEN_W-1:0] h_count, h_room, h_bytes;
  logic             h_fin, h_long;
  assign h_count = (hdr.byte_count == 12'd0) ? 13'd4096 : {1'b0, hdr.byte_count};
  assign h_room  = {(hdr.length == 10'd0), hdr.length, 2'b00} - {11'd0, hdr.lower_addr[1:0]};
  assign h_fin   = h_count <= h_room;
  assign h_bytes = h_fin ? h_count : h_room;
  assign h_long  = h_fin && (h_room - h_count) > 13'd3;

  logic              s1_valid_q, s1_sop_q, s1_last_q, s1_known_q, s1_live;
  logic              s1_bad_q, s1_status_q, s1_fin_q, s1_poison_q;
  kind_e             s1_kind_q;
  logic [TAG_W-1:0]  s1_tag_q;
  logic [LEN_W-1:0]  s1_count_q, s1_bytes_q;
  logic [6:0]        s1_lower_q;
  logic [DATA_W-1:0] s1_data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mid_q      <= 1'b0;
      s1_valid_q <= 1'b0;
    end else begin
      if (take) mid_q <= !cpl_i.last;
      s1_valid_q <= take || slip;
    end
    s1_kind_q <= kind;
    s1_last_q <= slip || cpl_i.last;
    s1_sop_q  <= slip || cpl_i.sop;
    s1_data_q <= cpl_data_i;
    if (slip || (take && cpl_i.sop)) begin
      s1_tag_q    <= in_tag;
      // A tag that is only now taken has nothing to come yet.
      s1_known_q  <= (slip || ({hdr.t9, hdr.t8} == 2'b00 && (hdr.tag >> TAG_W) == 8'd0))
                     && !(rec_we_i && rec_tag_i == in_tag);
      s1_count_q  <= h_count;
      s1_bytes_q  <= h_bytes;
      s1_fin_q    <= h_fin;
      s1_lower_q  <= hdr.lower_addr;
      s1_poison_q <= hdr.ep;
      s1_status_q <= hdr.status != cairn_hw_pkg::CPL_STATUS_SC;
      s1_bad_q    <= h_long || !hdr.fmt[1];
    end
  end

  // s1: the read ------------------------------------------------------------------------------------------
  cairn_int_pkg::rd_piece_t r;
  logic              got_we;
  logic [TAG_W-1:0]  got_addr;
  logic [LEN_W-1:0]  got_next, r_got, s1_got;

  ram_1r1w #(.WIDTH(cairn_int_pkg::RD_PIECE_W), .DEPTH(1 << TAG_W), .BYPASS(2)) u_rec (
      .clk_i, .we_i(rec_we_i || sweep_i), .waddr_i(sweep_i ? sweep_idx_i : rec_tag_i), .wdata_i(rec),
      .re_i(slip || (take && cpl_i.sop)), .raddr_i(in_tag), .rdata_o(r));
  cairn_int_pkg::rd_piece_t rec;
  always_comb begin
    rec      = rec_i;
    rec.turn = rec_i.turn && !sweep_i;
  end

  // Of each tag: the turn that has ended, quarantine, and the bytes a live read has received; zero in all others.
  logic       r_turn, r_quar, got_quar, got_turn, s1_turn, s1_quar;
  logic [1:0] age;
  ram_1r1w #(.WIDTH(2 + LEN_W), .DEPTH(1 << TAG_W), .BYPASS(1)) u_got (
      .clk_i, .we_i(got_we), .waddr_i(got_addr), .wdata_i({got_turn, got_quar, got_next}),
      .re_i(slip || (take && cpl_i.sop)), .raddr_i(in_tag), .rdata_o({r_turn, r_quar, r_got}));
  assign age     = r.period - period_i;      // 1, 2: neither this period nor the one before
  assign s1_live = s1_known_q && r.turn != s1_turn && (s1_kind_q != K_LATE || ^age);

  // b: the same with all of it in registers, at full width without a cycle. The beat before it is judged meanwhile:
  // what that writes of the same tag is not what the RAM has shown.
  logic              b_valid, b_sop, b_last, b_live, b_quar, b_turn, b_bad, b_status, b_fin, b_poison;
  logic [1:0]        b_kind;
  logic [TAG_W-1:0]  b_tag;
  logic [LEN_W-1:0]  b_count, b_bytes, b_got;
  logic [6:0]        b_lower;
  logic [DATA_W-1:0] b_data;
  cairn_int_pkg::rd_piece_t b_r;
  // (b_live to b_got as its first beat has found them)
  if (DATA_W >= 512) begin : g_one_cycle
    assign {s1_turn, s1_quar, s1_got} = {r_turn, r_quar, r_got};
    assign {b_valid, b_sop, b_last, b_bad, b_status, b_fin, b_poison, b_kind, b_tag, b_count, b_bytes, b_lower} =
        {s1_valid_q, s1_sop_q, s1_last_q, s1_bad_q, s1_status_q, s1_fin_q, s1_poison_q, s1_kind_q, s1_tag_q,
         s1_count_q, s1_bytes_q, s1_lower_q};
    assign {b_data, b_r} = {s1_data_q, r};
    assign {b_live, b_quar, b_turn, b_got} = {s1_live, s1_known_q && s1_kind_q == K_CPL && s1_quar, s1_turn,
                                              s1_got};
  end else begin : g_two_cycles
    assign {s1_turn, s1_quar, s1_got} = (got_we && got_addr == s1_tag_q) ? {got_turn, got_quar, got_next}
                                        : {r_turn, r_quar, r_got};
    always_ff @(posedge clk_i) begin
      b_valid <= rst_ni && s1_valid_q;
      {b_sop, b_last, b_bad, b_status, b_fin, b_poison, b_kind, b_tag, b_count, b_bytes, b_lower} <=
          {s1_sop_q, s1_last_q, s1_bad_q, s1_status_q, s1_fin_q, s1_poison_q, s1_kind_q, s1_tag_q, s1_count_q,
           s1_bytes_q, s1_lower_q};
      {b_data, b_r} <= {s1_data_q, r};
      if (s1_valid_q && s1_sop_q) begin
        {b_live, b_quar, b_turn, b_got} <= {s1_live, s1_known_q && s1_kind_q == K_CPL && s1_quar, s1_turn, s1_got};
      end
    end
  end

  // Judged on the first beat, kept for the others of this completion.
  logic             form_ok, ok, fail;
  logic             ok_q, fail_q;
  logic [LEN_W-1:0] left_q, off_q;   // of the next beat
  logic [LEN_W-1:0] left, off, space;
  logic [1:0]       skip;
  logic [6:0]       n;
  logic             read_end, short_tlp;

  // count + got is the length, lower is addr + got: both seen without a carry.
  logic [LEN_W-1:0] len_diff;
  logic [6:0]       addr_diff;
  assign len_diff  = (b_count ^ b_got ^ b_r.len)
                     ^ LEN_W'({(b_count & b_got) | ((b_count | b_got) & ~b_r.len), 1'b0});
  assign addr_diff = (b_r.addr ^ b_got[6:0] ^ b_lower)
                     ^ 7'({(b_r.addr & b_got[6:0]) | ((b_r.addr | b_got[6:0]) & ~b_lower), 1'b0});
  assign form_ok   = !b_bad && len_diff == '0 && addr_diff == '0;
  assign ok      = b_sop ? well && b_live && form_ok : ok_q;
  assign fail    = b_sop ? b_live && !(well && form_ok) : fail_q;
  assign left    = b_sop ? b_bytes : left_q;
  assign off     = b_sop ? b_r.offset + b_got : off_q;
  assign skip    = b_sop ? b_lower[1:0] : 2'd0;
  assign space   = LEN_W'(BYTES) - {11'd0, skip};
  assign n       = (left >= space) ? space[6:0] : left[6:0];

  // A completion that stops before its header said so spoils the read.
  assign short_tlp = ok && cut;
  // Where the form decides it comes last: a live read that is not well ends as one that is and has its last bytes.
  logic cut, well, b_over, ends;
  assign cut      = b_last && (b_sop ? b_bytes > space : left_q > LEN_W'(BYTES));
  assign well     = b_kind == K_CPL && !b_status;
  assign b_over  = cut || b_fin;
  assign ends     = b_sop ? b_live && (b_over || !well || !form_ok) : fail_q || (ok_q && b_over);
  assign read_end = b_valid && b_last && ends;

  // Known to be over: dropped, error status, or the last bytes. Otherwise more completions may come.
  logic ended, over;
  assign ended = read_end || (b_valid && b_last && b_quar && (b_fin || b_status));
  assign over  = b_kind == K_DROP || (b_kind == K_CPL && (b_status || b_fin));
  always_ff @(posedge clk_i) begin
    end_o.valid  <= rst_ni && ended;
    end_o.tag    <= cairn_int_pkg::PCIE_TAG_W'(b_tag);
    end_o.live   <= b_live;
    end_o.free   <= over;
    end_o.turn   <= b_r.turn;
    end_o.period <= b_r.period;
    end_o.pay    <= b_r.client == 4'(cairn_int_pkg::RD_TXP);
  end

  // (the end of a read in the beat that begins is of a live one)
  assign got_we   = sweep_i || (b_valid && b_sop && b_live)
                    || (b_valid && b_last && ((!b_sop && (fail_q || (ok_q && b_over)))
                                                    || (b_quar && (b_fin || b_status))));
  assign got_addr = sweep_i ? sweep_idx_i : b_tag;
  assign got_turn = !sweep_i && (ended ? b_r.turn : b_turn);
  assign got_quar = !sweep_i && ended && !over;
  assign got_next = (sweep_i || !b_live || fail || short_tlp || b_fin) ? '0 : b_got + b_bytes;

  always_ff @(posedge clk_i) begin
    if (b_valid) begin
      ok_q   <= ok;
      fail_q <= fail;
      left_q <= left - {6'd0, n};
      off_q  <= off + {6'd0, n};
    end
  end

  // s2: the request ---------------------------------------------------------------------------------------
  logic              s2_valid_q, s2_data_q, s2_end_q, s2_bad_q, s2_epoch_q, s2_over_q;
  logic [TAG_W-1:0]  s2_id_q;
  logic [5:0]        s2_pieces_q;
  logic [3:0]        s2_client_q;
  logic [cairn_int_pkg::RTAG_W-1:0] s2_rtag_q;
  logic [LEN_W-1:0]  s2_off_q;
  logic [1:0]        s2_skip_q;
  logic [6:0]        s2_n_q;
  logic [DATA_W-1:0] s2_buf_q;
  logic [5:0]        q_ended;
  logic              q_err, req_err, req_last, req_we;

  always_ff @(posedge clk_i) begin
    s2_valid_q  <= rst_ni && b_valid && b_live;
    s2_data_q   <= ok && !b_poison && n != 7'd0;
    s2_end_q    <= read_end;
    s2_bad_q    <= fail || short_tlp || b_poison;
    s2_over_q   <= b_last && b_kind == K_CPL;     // a completion has been seen to its end
    s2_id_q     <= b_r.id[TAG_W-1:0];
    s2_pieces_q <= b_r.pieces;
    s2_client_q <= b_r.client;
    s2_rtag_q   <= b_r.tag;
    s2_epoch_q  <= b_r.epoch;
    s2_off_q    <= off;
    s2_skip_q   <= skip;
    s2_n_q      <= n;
    s2_buf_q    <= b_data;
  end

  ram_1r1w #(.WIDTH(7), .DEPTH(1 << TAG_W), .BYPASS(1)) u_req (
      .clk_i, .we_i(req_we), .waddr_i(sweep_i ? sweep_idx_i : s2_id_q),
      .wdata_i((sweep_i || req_last) ? 7'd0 : {req_err, q_ended + {5'd0, s2_end_q}}),
      .re_i(b_valid), .raddr_i(b_r.id[TAG_W-1:0]), .rdata_o({q_err, q_ended}));

  assign req_err  = q_err || s2_bad_q;
  assign req_last = s2_end_q && q_ended + 6'd1 == s2_pieces_q;
  assign req_we   = sweep_i || (s2_valid_q && (s2_end_q || s2_bad_q));

  assign id_free_o    = s2_valid_q && req_last;
  assign id_free_id_o = s2_id_q;

  // Output ------------------------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    beat_o.valid       <= rst_ni && !mute_i && s2_valid_q && (s2_data_q || req_last);
    beat_o.meta.client <= s2_client_q;
    beat_o.meta.tag    <= s2_rtag_q;
    beat_o.meta.offset <= s2_off_q;
    beat_o.meta.skip   <= s2_skip_q;
    beat_o.meta.nbytes <= s2_data_q ? s2_n_q : 7'd0;
    beat_o.meta.last   <= req_last;
    beat_o.meta.err    <= req_last && req_err;
    beat_data_o        <= s2_buf_q;
    req_end_o          <= rst_ni && s2_valid_q && req_last;
    req_end_epoch_o    <= s2_epoch_q;
  end

  assign active_o = s1_valid_q || b_valid || s2_valid_q || end_o.valid || beat_o.valid || drop_valid_i || late_valid_i
                    || cpl_i.valid;

  always_ff @(posedge clk_i) begin
    events_o.dma_rd_err <= rst_ni && s2_valid_q && s2_over_q && s2_bad_q;
    events_o.dma_rd_timeout <= rst_ni && b_valid && b_kind == K_LATE && b_live;
    events_o.cpl_unexpected <= rst_ni && b_valid && b_last && b_kind == K_CPL && !b_live;
  end
endmodule
