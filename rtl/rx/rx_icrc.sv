// SPDX-License-Identifier: Apache-2.0
// ICRC verdict of every frame that comes from the MAC (IBTA 7.8.1, annex A17.3), one packet a beat, no back-pressure.
//
// Looks at the same stream as rx_parser and finds by itself where the coverage begins (EtherType, one 802.1Q tag) and
// ends (IP length; rx_parser refuses packets whose UDP length says anything else). The ICRC is left inside the
// coverage, so crc32 only compares with a table.
// ok_o: verdict of the frame whose last beat was at the input LATENCY cycles ago; 0 when the coverage did not end
// inside the frame, without meaning for frames that are not RoCE v2.
// Errors: none here, rx_parser counts them.
module rx_icrc #(
    parameter int unsigned DATA_W = 512,
    localparam int unsigned LATENCY = 7
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  cairn_int_pkg::beat_t mac_i,
    input  logic [DATA_W-1:0]    mac_data_i,
    output logic                 ok_o
);
  localparam int unsigned BYTES     = DATA_W / 8;
  localparam int unsigned LAST_POS  = cairn_pkt_pkg::ETH_BYTES + cairn_pkt_pkg::VLAN_BYTES + cairn_pkt_pkg::IPV6_BYTES
                                      + cairn_pkt_pkg::UDP_BYTES + 4;
  localparam int unsigned HDR_BEATS = LAST_POS / BYTES + 1;  // as icrc_mask
  localparam int unsigned BEAT_W    = $clog2(HDR_BEATS + 1);
  localparam int unsigned TAIL_W    = $clog2(BYTES / 4);
  localparam int unsigned REM_W     = 18;  // signed bytes up to the end of the coverage

  // EtherType at byte 12, behind a tag at 16; the IP length lies in bytes 16 to 23 in every case.
  localparam int unsigned TYPE_BEAT = 12 / BYTES;
  localparam int unsigned TYPE_LANE = 12 % BYTES;
  localparam int unsigned LEN_BEAT  = 16 / BYTES;
  localparam int unsigned LEN_LANE  = 16 % BYTES;

  // Bytes before the IP header, from the beat of the EtherType on
  localparam int unsigned LEAD_PLAIN = cairn_pkt_pkg::ETH_BYTES - TYPE_BEAT * BYTES;
  localparam int unsigned LEAD_VLAN  = LEAD_PLAIN + cairn_pkt_pkg::VLAN_BYTES;

  // c0: the beat's place in the frame
  logic [BEAT_W-1:0] beat, beat_q;
  logic              start_q;

  assign beat = start_q ? '0 : (beat_q == BEAT_W'(HDR_BEATS)) ? beat_q : beat_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) start_q <= 1'b1;
    else if (mac_i.valid) start_q <= mac_i.last;
  end

  always_ff @(posedge clk_i) if (mac_i.valid) beat_q <= beat;

  // c1: address family, tag and IP length
  logic              valid1_q, vlan1_q, ipv6_1_q;
  logic [DATA_W-1:0] data1_q;
  logic [BEAT_W-1:0] beat1_q;
  logic [15:0]       iplen1_q, type_outer, type_inner, iplen;
  logic [63:0]       len_bytes;
  logic              vlan0, ipv6_0;

  assign type_outer = {mac_data_i[8*TYPE_LANE +: 8], mac_data_i[8*(TYPE_LANE+1) +: 8]};
  assign len_bytes  = mac_data_i[8*LEN_LANE +: 64];
  assign type_inner = {len_bytes[7:0], len_bytes[15:8]};

  always_comb begin
    vlan0  = vlan1_q;
    ipv6_0 = ipv6_1_q;
    if (beat == BEAT_W'(TYPE_BEAT)) begin
      vlan0  = type_outer == 16'(cairn_pkt_pkg::ETHERTYPE_VLAN);
      ipv6_0 = type_outer == 16'(cairn_pkt_pkg::ETHERTYPE_IPV6);
    end
    if (beat == BEAT_W'(LEN_BEAT) && vlan0) ipv6_0 = type_inner == 16'(cairn_pkt_pkg::ETHERTYPE_IPV6);
    case ({vlan0, ipv6_0})
      2'b00:   iplen = {len_bytes[7:0], len_bytes[15:8]};     // byte 16
      2'b01:   iplen = {len_bytes[23:16], len_bytes[31:24]};  // byte 18
      2'b10:   iplen = {len_bytes[39:32], len_bytes[47:40]};  // byte 20
      default: iplen = {len_bytes[55:48], len_bytes[63:56]};  // byte 22
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid1_q <= 1'b0;
    else valid1_q <= mac_i.valid;
  end

  always_ff @(posedge clk_i) begin
    if (mac_i.valid) begin
      beat1_q  <= beat;
      data1_q  <= mac_data_i;
      vlan1_q  <= vlan0;
      ipv6_1_q <= ipv6_0;
      iplen1_q <= iplen;
    end
  end

  // c2: bytes of the coverage from byte 0 of this beat on; negative once it has ended
  logic                    valid2_q, vlan2_q, ipv6_2_q, known2_q;
  logic [DATA_W-1:0]       data2_q;
  logic [BEAT_W-1:0]       beat2_q;
  logic signed [REM_W-1:0] rem2_q, rem_start, rem_next;

  always_comb begin
    rem_start = {2'b00, iplen1_q} + REM_W'(cairn_pkt_pkg::ETH_BYTES) - REM_W'(LEN_BEAT * BYTES);
    if (vlan1_q) rem_start = rem_start + REM_W'(cairn_pkt_pkg::VLAN_BYTES);
    if (ipv6_1_q) rem_start = rem_start + REM_W'(cairn_pkt_pkg::IPV6_BYTES);
    // once negative it stays so: a jumbo frame must not come round
    rem_next = rem2_q[REM_W-1] ? rem2_q : rem2_q - REM_W'(BYTES);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid2_q <= 1'b0;
    else valid2_q <= valid1_q;
  end

  always_ff @(posedge clk_i) begin
    if (valid1_q) begin
      beat2_q  <= beat1_q;
      data2_q  <= data1_q;
      vlan2_q  <= vlan1_q;
      ipv6_2_q <= ipv6_1_q;
      known2_q <= (BEAT_W+1)'(beat1_q) + 1'b1 > (BEAT_W+1)'(LEN_BEAT);
      rem2_q   <= (beat1_q == BEAT_W'(LEN_BEAT)) ? rem_start : rem_next;
    end
  end

  // c3: masked beat
  logic              valid3_q, first3_q, last3_q, vlan3_q;
  logic [DATA_W-1:0] data3_q, masked, kept;
  logic [TAIL_W-1:0] tail3_q;
  logic              over, ends;

  icrc_mask #(.DATA_W(DATA_W)) u_mask (
      .beat_i(beat2_q), .vlan_i(vlan2_q), .ipv6_i(ipv6_2_q), .data_i(data2_q), .data_o(masked));

  assign over = known2_q && (rem2_q[REM_W-1] || rem2_q == '0);
  assign ends = known2_q && !over && rem2_q <= REM_W'(BYTES);

  // where the coverage ends in this beat
  localparam int unsigned LEFT_W = $clog2(BYTES) + 1;
  logic [LEFT_W-1:0] left;
  assign left = rem2_q[LEFT_W-1:0];
  for (genvar g = 0; g < BYTES; g++) begin : g_lane
    assign kept[8*g +: 8] = (ends && left <= LEFT_W'(g)) ? 8'h00 : masked[8*g +: 8];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid3_q <= 1'b0;
    else valid3_q <= valid2_q && !over && (BEAT_W+1)'(beat2_q) + 1'b1 > (BEAT_W+1)'(TYPE_BEAT);
  end

  always_ff @(posedge clk_i) begin
    first3_q <= beat2_q == BEAT_W'(TYPE_BEAT);
    last3_q  <= ends;
    vlan3_q  <= vlan2_q;
    data3_q  <= kept;
    tail3_q  <= TAIL_W'((BYTES - 2 - 32'(rem2_q)) >> 2);
  end

  // Beats before the EtherType hold nothing of the coverage; with 8-byte beats leaving them out means that the tag is
  // known in the first beat that counts.
  logic        crc_valid, crc_ok;

  crc32 #(
      .DATA_W(DATA_W), .N_LEAD(2), .LEADS({8'(LEAD_VLAN), 8'(LEAD_PLAIN)}),
      .TAIL_UNIT(4), .TAIL_BASE(2), .TAIL_W(TAIL_W), .INIT(cairn_pkt_pkg::ICRC_SEED), .CHECK(1)
  ) u_crc (
      .clk_i, .rst_ni, .en_i(1'b1),
      .in_valid_i(valid3_q), .in_first_i(first3_q), .in_last_i(last3_q), .in_data_i(data3_q),
      .in_lead_i(vlan3_q), .in_tail_i(tail3_q),
      .out_valid_o(crc_valid), .out_crc_o(), .out_ok_o(crc_ok));

  // Coverage and frame need not end in the same beat: keep the verdict up to the last one.
  logic [LATENCY-1:0] valid_line_q, first_line_q;
  logic               verdict, held_q;

  assign verdict = crc_valid ? crc_ok : (!first_line_q[LATENCY-1] && held_q);
  assign ok_o    = verdict;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_line_q <= '0;
    else valid_line_q <= {valid_line_q[LATENCY-2:0], mac_i.valid};
  end

  always_ff @(posedge clk_i) begin
    first_line_q <= {first_line_q[LATENCY-2:0], start_q};
    if (valid_line_q[LATENCY-1]) held_q <= verdict;
  end
endmodule
