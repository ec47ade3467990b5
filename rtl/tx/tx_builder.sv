// SPDX-License-Identifier: Apache-2.0
// Builds frames: takes granted jobs, one beat a cycle, one packet a beat if it fits.
//
// tx_headers makes the header, or tx_form has (below 128 bits). Here the beats are cut, the payload words are read from
// the ring (they already lie where the frame wants them, so header and payload are only ORed), and tx_icrc adds the
// ICRC. Raw frames come from the raw buffer, without ICRC. Each beat says where its frame goes (tx_way).
// Order: a beat is begun only when the output FIFO has room for it, so nothing behind that point ever stops, and a
//   frame has no gap inside as long as the MAC takes a beat a cycle. A job with drop frees its ring words and makes no
//   frame.
// Counts: TX_PACKETS, TX_BYTES (without FCS) when the last beat leaves. mac_tx_o.err is always 0: a frame that is begun
//   has all its data.
module tx_builder #(
    parameter int unsigned DATA_W  = 512,
    parameter int unsigned GIDS    = 16,
    parameter int unsigned GROUPS  = 16,   // see tx_way
    parameter int unsigned WORD_W  = 9,    // word address in a payload ring
    parameter int unsigned CNT_W   = 7,    // words of one job
    parameter int unsigned FIFO    = (DATA_W < 128) ? 16 : 32,   // output beats, as many as the pipeline has stages
    parameter int unsigned PLAIN   = 64,   // below 128 bits: the first place of a header of no ring, see tx_form
    localparam int unsigned BYTES  = DATA_W / 8,
    localparam int unsigned NB_W   = $clog2(BYTES) + 1,
    localparam int unsigned RAW_ADDR_W = $clog2(cairn_hw_pkg::RAW_FRAME_BYTES / BYTES)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [47:0]                      mac_addr_i,
    input  cairn_int_pkg::gid_write_t        gid_i,
    input  logic                             loop_i,        // see tx_way
    // granted jobs
    input  cairn_int_pkg::tx_grant_t         in_i,
    output logic                             in_ready_o,
    // payload ring, data one cycle after rd; words freed
    output cairn_int_pkg::tx_ram_read_t      ram_rd_o,
    input  logic [DATA_W-1:0]                ram_rd_data_i,
    output cairn_int_pkg::tx_release_t       rel_o,
    // below 128 bits: headers that tx_form has made, data one cycle after rd
    output logic                             hdr_rd_o,
    output logic [10:0]                      hdr_rd_addr_o,
    input  logic [DATA_W-1:0]                hdr_rd_data_i,
    // raw buffer, data one cycle after rd
    output cairn_int_pkg::raw_read_t         raw_rd_o,
    input  logic [DATA_W-1:0]                raw_rd_data_i,
    output logic [cairn_int_pkg::LEN_W-1:0]  done_bytes_o,  // payload passed by the sequencer, to tx_arbiter
    // to the MAC
    output cairn_int_pkg::beat_t             mac_tx_o,
    input  logic                             mac_tx_ready_i,
    output logic [DATA_W-1:0]                mac_tx_data_o,
    output logic [1:0]                       mac_tx_way_o,  // {loop, wire}
    output cairn_hw_pkg::tx_builder_events_t events_o,
    output logic                             idle_o
);
  localparam int unsigned HDR_BYTES = (DATA_W >= 256) ? 128 : 112;
  localparam int unsigned HDR_BEATS = HDR_BYTES / BYTES;
  localparam int unsigned BEAT_W    = 5;                 // counts the header beats and the masked ones, then stays
  localparam int unsigned BEAT_MAX  = 31;
  localparam int unsigned POS_W     = 13;
  localparam int unsigned LANE_W    = $clog2(BYTES);
  localparam int unsigned CRED_W    = $clog2(FIFO + 1);

  localparam bit          NARROW = DATA_W < 128;

  if (FIFO < (NARROW ? 16 : 24)) begin : g_chk_fifo
    $error("tx_builder: FIFO must cover the pipeline behind the sequencer");
  end

  // ---- headers
  cairn_int_pkg::tx_frame_t frame;
  logic h_ready, headers_idle;
  logic [8*HDR_BYTES-1:0]   h_hdr;

  if (NARROW) begin : g_formed
    tx_places u_places (
        .clk_i, .rst_ni, .in_i, .in_ready_o, .out_o(frame), .out_ready_i(h_ready), .idle_o(headers_idle));
    assign h_hdr = '0;
    logic unused;
    assign unused = ^s2_hdr_q;
  end else begin : g_headers
    tx_headers #(.GIDS(GIDS), .WORD_W(WORD_W), .CNT_W(CNT_W), .HDR_BYTES(HDR_BYTES),
                 .APART(DATA_W < 256)) u_headers (
        .clk_i, .rst_ni, .mac_addr_i, .gid_i,
        .in_i, .in_ready_o, .out_o(frame), .out_ready_i(h_ready), .out_hdr_o(h_hdr), .idle_o(headers_idle));
  end

  // ---- s1: sequencer. Positions are relative to byte 0 of the current beat; negative (top bit) means behind us.
  logic begin_q, go, last, reads, credit;
  logic [BEAT_W-1:0] beat, beat_q;
  logic signed [POS_W:0]   lo, hi, icrc, total, lo_q, hi_q, icrc_q, total_q;
  logic [WORD_W-1:0] word, word_q;
  logic [CRED_W-1:0]       cred_q;
  logic [2:0]              rel_q;        // {neither, responses, requests}
  logic                    plain;
  logic [CNT_W-1:0]        rel_words_q;
  logic                    raw_done_q;

  assign beat  = begin_q ? '0 : beat_q;
  assign lo    = begin_q ? {1'b0, frame.lo} : lo_q;
  assign hi    = begin_q ? {1'b0, frame.hi} : hi_q;
  assign icrc  = begin_q ? {1'b0, frame.icrc} : icrc_q;
  assign total = begin_q ? {1'b0, frame.total} : total_q;
  assign word  = begin_q ? (frame.raw ? '0 : frame.place.word[WORD_W-1:0]) : word_q;

  assign credit  = cred_q != '0;
  assign go      = frame.valid && !frame.drop && credit;
  assign last    = total <= (POS_W+1)'(BYTES);
  assign h_ready = frame.drop || (go && last);
  assign reads   = go && frame.data && lo < $signed((POS_W+1)'(BYTES)) && hi > 0;

  assign ram_rd_o = {reads && !frame.raw, frame.ring, 11'(word)};
  assign raw_rd_o = {reads && frame.raw, 8'(RAW_ADDR_W'(word)), raw_done_q};
  assign rel_o    = {rel_q[0], rel_q[1], rel_q[2], 10'(rel_words_q)};
  assign plain    = NARROW && frame.slot >= 7'(PLAIN);

  assign hdr_rd_o      = NARROW && go;
  assign hdr_rd_addr_o = {frame.slot, beat[3:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begin_q    <= 1'b1;
      rel_q      <= 3'b000;
      raw_done_q <= 1'b0;
    end else begin
      if (go) begin_q <= last;
      // The word is read in this cycle at the latest; a write of new data comes many cycles later.
      rel_q      <= (frame.valid && h_ready && !frame.raw) ? {plain, frame.ring, !frame.ring && !plain} : 3'b000;
      raw_done_q <= frame.valid && h_ready && frame.raw;
    end
  end

  always_ff @(posedge clk_i) begin
    rel_words_q <= frame.place.words[CNT_W-1:0];
    if (go) begin
      beat_q  <= (beat == BEAT_W'(BEAT_MAX)) ? beat : beat + 1'b1;
      lo_q    <= lo[POS_W] ? lo : lo - (POS_W+1)'(BYTES);
      hi_q    <= hi[POS_W] ? hi : hi - (POS_W+1)'(BYTES);
      icrc_q  <= icrc[POS_W] ? icrc : icrc - (POS_W+1)'(BYTES);
      total_q <= total - (POS_W+1)'(BYTES);
      word_q  <= reads ? word + 1'b1 : word;
    end
  end

  // Payload bytes of this beat, or of a whole dropped job
  logic [POS_W:0] passed;

  always_comb begin
    passed = '0;
    if (frame.valid && frame.drop) passed = {1'b0, frame.hi - frame.lo};
    else if (reads) passed = ((hi < $signed((POS_W+1)'(BYTES))) ? hi : (POS_W+1)'(BYTES)) - (lo[POS_W] ? '0 : lo);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_bytes_o <= '0;
    else done_bytes_o <= passed[cairn_int_pkg::LEN_W-1:0];
  end

  // ---- s2: RAM output, header slice and payload lanes: the beat
  logic s2_valid_q, s2_first_q, s2_last_q, s2_raw_q, s2_crc_q, s2_end_q, s2_vlan_q, s2_ipv6_q;
  logic [DATA_W-1:0] s2_hdr_q, hdr_word;
  logic [BEAT_W-1:0] s2_beat_q;
  logic [LANE_W-1:0] s2_icrc_q;
  logic [NB_W-1:0]   s2_nb_q;
  logic [BYTES-1:0] s2_lanes_q, lanes, s2_head_q, head;

  always_comb begin
    hdr_word = '0;
    for (int unsigned b = 0; b < HDR_BEATS; b++) begin
      if (beat == BEAT_W'(b)) hdr_word = h_hdr[b*DATA_W +: DATA_W];
    end
  end

  // Payload from lo on and before hi; both may lie before this beat or behind it.
  logic            lo_past, lo_here, hi_past, hi_here;
  logic [LANE_W:0] lo_lane, hi_lane;
  assign lo_lane = {1'b0, lo[LANE_W-1:0]};
  assign hi_lane = {1'b0, hi[LANE_W-1:0]};
  assign lo_past = lo[POS_W];
  assign lo_here = !lo_past && lo[POS_W-1:LANE_W] == '0;
  assign hi_past = hi[POS_W];
  assign hi_here = !hi_past && hi[POS_W-1:LANE_W] == '0;
  for (genvar g = 0; g < BYTES; g++) begin : g_lane
    logic behind_lo, below_hi;
    assign behind_lo = lo_past || (lo_here && lo_lane < (LANE_W+1)'(g) + 1'b1);
    assign below_hi  = !hi_past && (!hi_here || hi_lane > (LANE_W+1)'(g));
    assign lanes[g]  = reads && behind_lo && below_hi;
    assign head[g]   = !behind_lo;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) s2_valid_q <= 1'b0;
    else s2_valid_q <= go;
  end

  always_ff @(posedge clk_i) begin
    s2_first_q <= begin_q;
    s2_last_q  <= last;
    s2_raw_q   <= frame.raw;
    s2_vlan_q  <= frame.vlan;
    s2_ipv6_q  <= frame.ipv6;
    s2_crc_q   <= !frame.raw && !icrc[POS_W];                              // inside the coverage
    s2_end_q   <= !frame.raw && !icrc[POS_W] && icrc < (POS_W+1)'(BYTES);  // it ends in this beat
    s2_icrc_q  <= icrc[LANE_W-1:0];
    s2_nb_q    <= last ? total[NB_W-1:0] : NB_W'(BYTES);
    s2_beat_q  <= beat;
    s2_hdr_q   <= hdr_word;
    s2_lanes_q <= lanes;
    s2_head_q  <= head;
  end

  logic [DATA_W-1:0] source, merged, s2_hdr;

  assign source = s2_raw_q ? raw_rd_data_i : ram_rd_data_i;

  for (genvar g = 0; g < BYTES; g++) begin : g_merge
    assign s2_hdr[8*g +: 8] = !NARROW ? s2_hdr_q[8*g +: 8] : s2_head_q[g] ? hdr_rd_data_i[8*g +: 8] : 8'h00;
    assign merged[8*g +: 8] = s2_hdr[8*g +: 8] | (s2_lanes_q[g] ? source[8*g +: 8] : 8'h00);
  end

  // ---- its way
  logic way_loop, way_wire;

  tx_way #(.GROUPS(GROUPS)) u_way (
      .clk_i, .rst_ni, .loop_i, .mac_addr_i, .gid_i,
      .in_valid_i(s2_valid_q), .in_first_i(s2_first_q), .in_raw_i(s2_raw_q), .in_dmac_i(s2_hdr[47:0]),
      .out_loop_o(way_loop), .out_wire_o(way_wire));

  // ---- ICRC and output FIFO
  cairn_int_pkg::tx_beat_t  s2;
  cairn_int_pkg::beat_t i;
  logic icrc_idle, pop;
  logic [DATA_W-1:0]    i_data;
  logic [1:0]           i_way;
  logic [NB_W-1:0]      mac_nbytes;
  logic [CRED_W-1:0]    level;

  assign s2.valid     = s2_valid_q;
  assign s2.first     = s2_first_q;
  assign s2.last      = s2_last_q;
  assign s2.beat      = s2_beat_q;
  assign s2.vlan      = s2_vlan_q;
  assign s2.ipv6      = s2_ipv6_q;
  assign s2.crc       = s2_crc_q;
  assign s2.end_      = s2_end_q;
  assign s2.icrc_lane = 6'(s2_icrc_q);
  assign s2.nbytes    = 7'(s2_nb_q);

  tx_icrc #(.DATA_W(DATA_W)) u_icrc (
      .clk_i, .rst_ni,
      .in_i(s2), .in_data_i(merged), .in_way_i({way_loop, way_wire}),
      .out_o(i), .out_data_o(i_data), .out_way_o(i_way), .idle_o(icrc_idle));

  sync_fifo_level #(.WIDTH(3 + NB_W + DATA_W), .DEPTH(FIFO)) u_fifo (
      .clk_i, .rst_ni,
      .in_valid_i(i.valid), .in_ready_o(),
      .in_data_i({i_way, i.last, i.nbytes[NB_W-1:0], i_data}),
      .out_valid_o(mac_tx_o.valid),
      .out_ready_i(mac_tx_ready_i),
      .out_data_o({mac_tx_way_o, mac_tx_o.last, mac_nbytes, mac_tx_data_o}),
      .level_o(level));

  assign mac_tx_o.err    = 1'b0;
  assign mac_tx_o.nbytes = 7'(mac_nbytes);
  assign pop             = mac_tx_o.valid && mac_tx_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cred_q <= CRED_W'(FIFO);
    else cred_q <= cred_q + CRED_W'(pop) - CRED_W'(go);
  end

  // ---- counters
  logic [13:0] bytes_q, bytes, sent_bytes_q;
  logic sent_q, loop_q;

  assign bytes = bytes_q + (mac_tx_o.last ? 14'(mac_nbytes) : 14'(BYTES));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bytes_q <= '0;
      sent_q  <= 1'b0;
      loop_q  <= 1'b0;
    end else begin
      sent_q <= pop && mac_tx_o.last;
      loop_q <= pop && mac_tx_o.last && !mac_tx_way_o[0];
      if (pop) bytes_q <= mac_tx_o.last ? '0 : bytes;
    end
  end

  always_ff @(posedge clk_i) sent_bytes_q <= bytes;

  logic [12:0] sent_bytes;
  assign sent_bytes               = sent_q ? sent_bytes_q[12:0] : '0;
  assign events_o.tx_packets      = sent_q;
  assign events_o.tx_bytes        = sent_bytes;
  assign events_o.tx_loop_packets = loop_q;
  assign events_o.tx_loop_bytes   = !loop_q ? '0 : sent_bytes;


  assign idle_o = headers_idle && !s2_valid_q && icrc_idle && level == '0;
endmodule
