// SPDX-License-Identifier: Apache-2.0
// Which frames are answers that firmware awaits (RAW_AWAIT).
//
// The ARP reply from an address, or the neighbour advertisement (RFC 4861) of one, in its VLAN, sent to us and not to a
// group. Sits beside rx_parser and looks at the same stream of the MAC; the verdict comes LATENCY cycles behind a
// frame's last beat, with rx_parser's. rx_raw keeps a place for each awaited answer and knows which entries are in
// force. Only fields that tell an answer are looked at; firmware decides whether to believe it.
// Errors: none; a frame that is too short is not an answer.
module rx_answer #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned ENTRIES   = cairn_hw_pkg::RAW_ANSWERS,
    localparam int unsigned NB_W     = $clog2(DATA_W / 8) + 1,
    localparam int unsigned IDX_W    = $clog2(ENTRIES),
    localparam int unsigned LATENCY  = 8
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  cairn_int_pkg::beat_t      mac_i,
    input  logic [DATA_W-1:0]         mac_data_i,
    // an entry
    input  cairn_int_pkg::raw_await_t await_i,
    output logic                      hit_o,
    output logic [IDX_W-1:0]          index_o  // the lowest that fits
);
  localparam int unsigned BYTES = DATA_W / 8;
  localparam int unsigned TAG   = cairn_pkt_pkg::VLAN_BYTES;
  localparam int unsigned L3    = cairn_pkt_pkg::ETH_BYTES;
  // from the network header on: ARP (RFC 826) operation and sender; IPv6 next header, ICMPv6 type and target
  localparam int unsigned ARP_OP  = L3 + 6, ARP_SENDER = L3 + 14, ARP_END = L3 + 28;
  localparam int unsigned IP_NEXT = L3 + 6, ND_TYPE = L3 + cairn_pkt_pkg::IPV6_BYTES, ND_KEY = ND_TYPE + 20,
                          ND_END  = ND_TYPE + 24;
  localparam int unsigned WIN     = ND_END + TAG;                  // bytes looked at
  localparam int unsigned BEATS   = (WIN + BYTES - 1) / BYTES;
  localparam int unsigned BEAT_W  = $clog2(BEATS + 1);
  localparam int unsigned POS_W   = $clog2(2 * BYTES << BEAT_W);
  localparam int unsigned LINE    = LATENCY - 5;
  localparam logic [15:0] REPLY   = 16'd2;    // ARP operation
  localparam logic [7:0]  NA      = 8'd136;   // neighbour advertisement

  if (2 ** IDX_W != ENTRIES) begin : g_chk
    $error("rx_answer: ENTRIES must be a power of two");
  end

  // ---- c1: the bytes of the frame so far, as far as fields lie there, and how many there are (up to WIN)
  logic                start_q, last1_q;
  logic [BEAT_W-1:0]   beat_q, beat;
  logic [8*WIN-1:0]    win_q;      // byte 0 in bits 7:0; bytes in which no field lies are not read
  logic [POS_W-1:0]      len1_q;

  assign beat = start_q ? '0 : beat_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      start_q <= 1'b1;
      last1_q <= 1'b0;
    end else begin
      last1_q <= mac_i.valid && mac_i.last;
      if (mac_i.valid) start_q <= mac_i.last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (mac_i.valid) begin
      beat_q <= (beat == BEAT_W'(BEATS)) ? beat : beat + 1'b1;
      len1_q <= POS_W'(beat) * POS_W'(BYTES)
                + (mac_i.last ? POS_W'(mac_i.nbytes[NB_W-1:0]) : POS_W'(BYTES));
    end
  end

  for (genvar g = 0; g < WIN; g++) begin : g_win
    always_ff @(posedge clk_i) begin
      if (mac_i.valid && beat == BEAT_W'(g / BYTES)) win_q[8*g +: 8] <= mac_data_i[8*(g % BYTES) +: 8];
    end
  end

  // ---- c2: the fields, wherever they lie
  logic        has_tag, last2_q, group2_q, arp_ends2_q, nd_ends2_q;
  logic [15:0] outer, etype2_q, op2_q;
  logic [7:0]  next2_q, kind2_q;
  logic [31:0] sender2_q, target2_q;
  logic [11:0] vid2_q;

  assign outer   = {win_q[8*12 +: 8], win_q[8*13 +: 8]};
  assign has_tag = outer == 16'(cairn_pkt_pkg::ETHERTYPE_VLAN);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last2_q <= 1'b0;
    else last2_q <= last1_q;
    group2_q    <= win_q[0];
    etype2_q    <= has_tag ? {win_q[8*(12+TAG) +: 8], win_q[8*(13+TAG) +: 8]} : outer;
    op2_q       <= has_tag ? {win_q[8*(ARP_OP+TAG) +: 8], win_q[8*(ARP_OP+TAG+1) +: 8]}
                           : {win_q[8*ARP_OP +: 8], win_q[8*(ARP_OP+1) +: 8]};
    next2_q     <= has_tag ? win_q[8*(IP_NEXT+TAG) +: 8] : win_q[8*IP_NEXT +: 8];
    kind2_q     <= has_tag ? win_q[8*(ND_TYPE+TAG) +: 8] : win_q[8*ND_TYPE +: 8];
    vid2_q      <= has_tag ? {win_q[8*14 +: 4], win_q[8*15 +: 8]} : '0;
    arp_ends2_q <= len1_q >= (has_tag ? POS_W'(ARP_END + TAG) : POS_W'(ARP_END));
    nd_ends2_q  <= len1_q >= (has_tag ? POS_W'(ND_END + TAG) : POS_W'(ND_END));
  end

  for (genvar g = 0; g < 4; g++) begin : g_key
    always_ff @(posedge clk_i) begin
      sender2_q[31-8*g -: 8] <= has_tag ? win_q[8*(ARP_SENDER+TAG+g) +: 8] : win_q[8*(ARP_SENDER+g) +: 8];
      target2_q[31-8*g -: 8] <= has_tag ? win_q[8*(ND_KEY+TAG+g) +: 8] : win_q[8*(ND_KEY+g) +: 8];
    end
  end

  // ---- c3: what it is
  logic        arp, na, found, hit3_q, v6_q;
  logic [31:0] key_q;
  logic [11:0] vid_q;

  assign arp = etype2_q == 16'(cairn_pkt_pkg::ETHERTYPE_ARP) && op2_q == REPLY && arp_ends2_q;
  assign na  = etype2_q == 16'(cairn_pkt_pkg::ETHERTYPE_IPV6) && next2_q == 8'(cairn_pkt_pkg::IP_PROTO_ICMPV6)
               && kind2_q == NA && nd_ends2_q;
  assign found = last2_q && !group2_q && (arp || na);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) hit3_q <= 1'b0;
    else hit3_q <= found;
    if (found) begin
      v6_q  <= na;
      key_q <= na ? target2_q : sender2_q;
      vid_q <= vid2_q;
    end
  end

  localparam int unsigned ENTRY_W = 45;
  logic [ENTRY_W-1:0] written, asked;
  assign written = {await_i.ipv6, await_i.vid, await_i.key};
  assign asked   = {v6_q, vid_q, key_q};

  if (DATA_W >= 128) begin : g_table
    // ---- c4: compared with all entries; c5: which
    logic [ENTRY_W*ENTRIES-1:0] entry_q;
    logic [ENTRIES-1:0]         same, same_q;
    logic [IDX_W-1:0]           index;
    for (genvar g = 0; g < ENTRIES; g++) begin : g_entry
      always_ff @(posedge clk_i) begin
        if (await_i.we && await_i.index == 3'(g)) entry_q[ENTRY_W*g +: ENTRY_W] <= written;
      end
      assign same[g] = entry_q[ENTRY_W*g +: ENTRY_W] == asked;
    end
    always_ff @(posedge clk_i) same_q <= hit3_q ? same : '0;
    always_comb begin
      index = '0;
      for (int unsigned i = ENTRIES; i > 0; i--) if (same_q[i-1]) index = IDX_W'(i-1);
    end

    logic [LINE:0]             hit_q;
    logic [(LINE+1)*IDX_W-1:0] index_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) hit_q <= '0;
      else hit_q <= {hit_q[LINE-1:0], same_q != '0};
      index_q <= {index_q[LINE*IDX_W-1:0], index};
    end
    assign hit_o   = hit_q[LINE];
    assign index_o = index_q[LINE*IDX_W +: IDX_W];
  end else begin : g_ring
    // ---- c4 to c7: two entries a cycle, of a ring that turns four steps for an answer; answers are six beats and more
    // apart. c8: the lowest that fits. An entry is written when its place comes round, eight cycles later at most.
    logic [ENTRY_W*ENTRIES-1:0] ring_q;
    logic [ENTRY_W-1:0]         new_q;
    logic [IDX_W-1:0]           at_q, put_at_q, seen_q, near, far, best, best_q;
    logic [1:0]                 left_q, same_q;
    logic [4:0]                 line_q;
    logic                       put_q, put, step, step_q, had, hit, any_q;
    assign step = hit3_q || left_q != 2'd0;
    assign put  = put_q && at_q == put_at_q;
    assign near = seen_q;
    assign far  = seen_q ^ IDX_W'(ENTRIES / 2);
    assign had  = any_q && !line_q[0];              // not of an answer before this one
    always_comb begin
      hit  = had;
      best = best_q;
      if (step_q && same_q[1] && !(hit && best < far)) {hit, best} = {1'b1, far};
      if (step_q && same_q[0] && !(hit && best < near)) {hit, best} = {1'b1, near};
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {put_q, at_q, left_q, line_q, step_q} <= '0;
      end else begin
        put_q  <= await_i.we || (put_q && !put);
        left_q <= hit3_q ? 2'd3 : left_q - 2'(step);
        line_q <= {line_q[3:0], hit3_q};
        step_q <= step;
        if (step || put_q) at_q <= at_q + 1'b1;
      end
      if (await_i.we) {put_at_q, new_q} <= {await_i.index, written};
      if (step || put_q)
        ring_q <= {put ? new_q : ring_q[ENTRY_W-1:0], ring_q[ENTRY_W*ENTRIES-1:ENTRY_W]};
      same_q <= {ring_q[ENTRY_W*ENTRIES/2 +: ENTRY_W] == asked, ring_q[ENTRY_W-1:0] == asked};
      seen_q <= at_q;
      any_q  <= hit;
      best_q <= best;
    end
    assign hit_o   = line_q[4] && any_q;
    assign index_o = best_q;
`ifdef VERILATOR
    always_ff @(posedge clk_i) if (rst_ni && await_i.we && put_q && !put) $error("rx_answer: an entry is lost");
`endif
  end
endmodule
